// Operations on a list of terms or on one expansion: distillation, roots and reciprocals, conversions.

#include <functional>

#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/integer_cases.hpp"
#include "properties/catalog/expansion/probed.hpp"
#include "properties/catalog/expansion/properties.hpp"

namespace assay::expansion {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// The property of k terms or words.
template <class T>
TermsProperty<T> property(std::string name, std::size_t k, Domain<ExpansionCase<T>> domain,
                          Subject<ExpansionCase<T>, Expansions<T>> subject,
                          std::function<Exact(const ExpansionCase<T>&)> reference, TermsClaims<T> claims) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = std::move(subject),
          .reference = std::move(reference),
          .claims = std::move(claims),
          .quick_cases = quick_cases(k)};
}

template <class T>
auto distilling(Distillation what, std::size_t n, std::size_t m) {
  return [=](const Executor& on, std::span<const ExpansionCase<T>> cases) {
    const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
    return unpacked<T>(distill<T>(on, what, static_cast<int>(n), static_cast<int>(m), x), m);
  };
}

template <class T>
auto unary(ExpansionOp op, std::size_t k) {
  return [=](const Executor& on, std::span<const ExpansionCase<T>> cases) {
    const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
    return unpacked<T>(expansion_op<T>(on, op, static_cast<int>(k), x), k);
  };
}

// References.

template <class T>
Exact sum_of_terms(const ExpansionCase<T>& c) {
  return sum_of_words<T>(c.x);
}
template <class T>
Exact reciprocal_of(const ExpansionCase<T>& c) {
  return oracle::quotient(1, sum_of_words<T>(c.x));
}
template <class T>
Exact reciprocal_root_of(const ExpansionCase<T>& c) {
  return oracle::square_root(oracle::quotient(1, sum_of_words<T>(c.x)));
}
template <class T>
Exact root_of(const ExpansionCase<T>& c) {
  return oracle::square_root(sum_of_words<T>(c.x));
}

// Claims.

auto leads_with_nearest() {
  return satisfies("first_word_nearest", expansion_renormalize_5, [](const auto& c, const auto& result) {
    using T = typename ResultTraits<std::remove_cvref_t<decltype(result)>>::Number;
    const std::uint64_t nearest = oracle::round(sum_of_words<T>(c.x), format_of<T>(), oracle::Rounding::nearest);
    return result.words[0] == number_of<T>(nearest);
  });
}

template <class T>
auto meets(Overlap condition) {
  return [condition](const ExpansionCase<T>& c) {
    thread_local ExactWords words;
    return exact_words<T>(c.x, words) && overlaps(words, condition);
  };
}

/// The claim for the lists that meet a condition.
template <class T, class C>
auto under(Overlap condition, C claim) {
  return when("the terms " + text_of(condition), meets<T>(condition), std::move(claim));
}

// Distillation.

template <class T>
auto on_terms(std::string name, std::size_t n, std::size_t m, Distillation what, TermsClaims<T> claims) {
  return property<T>(std::move(name), n, any_renormalization_domain<T>(n, m), distilling<T>(what, n, m),
                     sum_of_terms<T>, std::move(claims));
}

template <class T>
auto vec_sum(std::size_t n) {
  const auto half_uls = [](std::string id) {
    return structure(std::move(id), expansion_vec_sum_3,
                     [](const ExactWords& words, int) { return judge_half_uls_nonoverlapping(words); });
  };
  TermsClaims<T> claims{
      exact("exact", expansion_vec_sum_1),
      under<T>(Overlap::p_minus_1,
               structure("shewchuk_overlap_p_minus_1", expansion_vec_sum_5,
                         [](const ExactWords& words, int) { return judge_shewchuk_nonoverlapping(words); })),
      under<T>(Overlap::p_minus_1, half_uls("half_uls_overlap_p_minus_1")),
      under<T>(Overlap::in_pairs,
               structure("uls_overlap_in_pairs", expansion_vec_sum_4,
                         [](const ExactWords& words, int) { return judge_uls_nonoverlapping(words); }))};
  if (n >= 3) {
    claims.push_back(expected_refuted(
        under<T>(Overlap::in_pairs,
                 structure("shewchuk_overlap_in_pairs", expansion_vec_sum_6,
                           [](const ExactWords& words, int) { return judge_shewchuk_nonoverlapping(words); }))));
  }
  if (n >= 4) {
    claims.push_back(expected_refuted(
        under<T>(Overlap::in_pairs,
                 structure("equal_powers_overlap_in_pairs", expansion_vec_sum_7,
                           [](const ExactWords& words, int) { return judge_shewchuk_or_equal_powers(words); }))));
  }
  return on_terms<T>(named<T>("vec_sum", n), n, n, Distillation::vec_sum, std::move(claims));
}

template <class T>
auto renormalize(std::size_t n, std::size_t m) {
  TermsClaims<T> claims{has_zeros_last(),
                        has_positive_zeros(),
                        under<T>(Overlap::p_minus_1, is_renormalized("structure_overlap_p_minus_1")),
                        under<T>(Overlap::p_minus_2, is_renormalized("structure_overlap_p_minus_2")),
                        under<T>(Overlap::in_pairs, is_renormalized("structure_overlap_in_pairs")),
                        structure("priest", expansion_renormalize_3, [](const ExactWords& words, int p) {
                          return judge_priest_nonoverlapping(words, p);
                        })};
  if (m == n) {
    claims.push_back(exact("exact", expansion_renormalize_6));
  } else {
    claims.push_back(within("error", expansion_renormalize_7, static_cast<int>(m), precision<T>));
  }
  if (n >= 4 && m >= 2) {
    claims.push_back(expected_refuted(is_bailey()));
    claims.push_back(expected_refuted(leads_with_nearest()));
  }
  std::string name = "expansion.renormalize" + std::to_string(n) + (m == n ? "" : "_to_" + std::to_string(m));
  return on_terms<T>(name + format_suffix<T>(), n, m, Distillation::renormalize, std::move(claims));
}

template <class T>
auto priest_renormalize(std::size_t n) {
  return on_terms<T>(
      named<T>("priest_renormalize", n), n, n, Distillation::priest_renormalize,
      {exact("exact", expansion_renormalize_6), has_zeros_last(), has_positive_zeros(),
       under<T>(Overlap::p_minus_2, structure("priest", expansion_renormalize_3, [](const ExactWords& words, int p) {
                  return judge_priest_nonoverlapping(words, p);
                }))});
}

template <class T>
auto vec_sum_err_branch(std::size_t n) {
  return property<T>(named<T>("vec_sum_err_branch", n), n, nonoverlapping_domain<T>(n),
                     distilling<T>(Distillation::vec_sum_err_branch, n, n), sum_of_terms<T>,
                     {exact("exact", expansion_branch_1), has_zeros_last(),
                      structure("ulp", expansion_branch_2,
                                [](const ExactWords& words, int p) { return judge_ulp_nonoverlapping(words, p); })});
}

template <class T>
auto vec_sum_err(std::size_t n) {
  TermsClaims<T> claims{exact("exact", expansion_vec_sum_err_1),
                        structure("first_pair", expansion_vec_sum_err_2, [](const ExactWords& words, int p) {
                          return judge_first_pair(words[0], words[1], p);
                        })};
  if (n >= 4) {
    claims.push_back(
        expected_refuted(structure("other_pairs", expansion_vec_sum_err_3, [](const ExactWords& words, int p) {
          return judge_ulp_nonoverlapping(std::span(words).subspan(1), p);
        })));
  }
  return property<T>(named<T>("vec_sum_err", n), n, expansion_domain<T>(n, expansion_sum_box(format_of<T>())),
                     distilling<T>(Distillation::vec_sum_err, n, n), sum_of_terms<T>, std::move(claims));
}

// Newton's iteration.

template <class T>
TermsProperty<T> newton(const char* operation, ExpansionOp op, std::size_t k, bool positive, Inverse inverse,
                        int degree, Exact (*reference)(const ExpansionCase<T>&), TermsClaims<T> claims,
                        std::optional<Probed> probe = std::nullopt) {
  claims.push_back(is_renormalized("structure"));
  const Box box = quotient_box_of<T>(k);
  Domain<ExpansionCase<T>> domain = expansion_domain<T>(k, box, positive);
  domain.classes.push_back(hard_results_class<T>(k, box, inverse, degree));
  auto made = property<T>(named<T>(operation, k), k, std::move(domain), unary<T>(op, k), reference, std::move(claims));
  made.probe = std::move(probe);
  return made;
}

template <class T>
auto reciprocal(std::size_t k) {
  const int R = static_cast<int>(k);
  return newton<T>(
      "reciprocal", ExpansionOp::reciprocal, k, false, [](const Dyadic& r) { return oracle::quotient(1, r); }, -1,
      reciprocal_of<T>,
      {newton_error<T>(expansion_reciprocal_1, R, 4, 14),
       within("error_published", expansion_reciprocal_2, R, precision<T>),
       within("error_campary", expansion_reciprocal_3, R, precision<T>)},
      probe_of_quotient(k, quotient_box_of<T>(k), []<int n>() {
        return Bounded<typename probes::expansion::OfWords<n>::template Reciprocal<T>>{
            expansion_reciprocal_1(n, precision<T>)};
      }));
}

template <class T>
auto rsqrt(std::size_t k) {
  const int R = static_cast<int>(k);
  return newton<T>(
      "rsqrt", ExpansionOp::rsqrt, k, true, [](const Dyadic& r) { return oracle::quotient(1, r * r); }, -2,
      reciprocal_root_of<T>,
      {newton_error<T>(expansion_rsqrt_1, R, 4, 19), within("error_published", expansion_rsqrt_2, R, precision<T>),
       within("error_campary", expansion_rsqrt_3, R, precision<T>)});
}

template <class T>
auto sqrt(std::size_t k) {
  const int R = static_cast<int>(k);
  return newton<T>(
      "sqrt", ExpansionOp::sqrt, k, true, [](const Dyadic& r) { return oracle::Rational(r * r); }, 2, root_of<T>,
      {newton_error<T>(expansion_sqrt_1, R, 3, 28), within("error_campary", expansion_sqrt_2, R, precision<T>)},
      probe_of_quotient(k, quotient_box_of<T>(k), []<int n>() {
        return Bounded<typename probes::expansion::OfWords<n>::template Sqrt<T>>{
            of_square(expansion_sqrt_1(n, precision<T>))};
      }));
}

// Conversions.

template <class T>
TermsProperty<T> nearest(std::size_t k) {
  return property<T>(
      named<T>("nearest", k), k, expansion_domain<T>(k, expansion_sum_box(format_of<T>())),
      [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
        const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
        return unpacked<T>(expansion_nearest<T>(on, static_cast<int>(k), x), 1);
      },
      sum_of_terms<T>,
      {satisfies("correctly_rounded", expansion_nearest_1, [](const auto&, const Exact& truth, const Expansions<T>& z) {
        return judge_rounded(bits_of(z.words[0]), truth, format_of<T>(), oracle::Rounding::nearest);
      })});
}

template <class T>
TermsProperty<T> to_int64(std::size_t k) {
  TermsProperty<T> truncation = property<T>(
      named<T>("to_int64_", k), k, integer_range_domain<T>(k),
      [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
        const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
        std::vector<Expansions<T>> results;
        for (const std::int64_t n : expansion_to_int64<T>(on, static_cast<int>(k), x)) {
          results.push_back({digits_of_integer<T>(n), 4});
        }
        return results;
      },
      [](const ExpansionCase<T>& c) -> Exact { return Dyadic(to_integer_range(sum_of_words<T>(c.x))); },
      {exact("exact", expansion_to_int64_1)});
  truncation.inexact = [](const ExpansionCase<T>& c, const auto&, const auto&) {
    return !sum_of_words<T>(c.x).is_integer();
  };
  return truncation;
}

template <class T>
TermsProperty<T> from_int64(std::size_t k) {
  TermsClaims<T> claims{structure("shewchuk", expansion_from_int64_1,
                                  [](const ExactWords& words, int) { return judge_shewchuk_nonoverlapping(words); }),
                        has_zeros_last()};
  if (static_cast<int>(k) * precision<T> >= 64) {
    claims.push_back(exact("exact", expansion_from_int64_3));
  } else {
    claims.push_back(within("error", expansion_from_int64_2, static_cast<int>(k), precision<T>));
  }
  return property<T>(
      named<T>("from_int64_", k), k, integer_domain<T>(),
      [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
        std::vector<std::int64_t> n;
        for (const auto& each : cases) {
          n.push_back(to_integer_range(sum_of_words<T>(each.x)));
        }
        return unpacked<T>(expansion_from_int64<T>(on, static_cast<int>(k), n), k);
      },
      sum_of_terms<T>, std::move(claims));
}

/// The properties of a format: distillation of up to `terms` terms, rounding of up to `sums` words, reciprocals and
/// roots of up to `products`.
template <class T>
struct Family {
  Family(std::size_t terms, std::size_t sums, std::size_t products) {
    for (const std::size_t n : {2, 3, 4, 5, 8, 10, 12, 16}) {
      if (n > terms) continue;
      Registration{vec_sum<T>(n)};
      Registration{renormalize<T>(n, n)};
      if (n % 2 == 0) Registration{renormalize<T>(n, n / 2)};
      if (n >= 4) {
        Registration{priest_renormalize<T>(n)};
        Registration{vec_sum_err_branch<T>(n)};
        Registration{vec_sum_err<T>(n)};
      }
    }
    Registration{renormalize<T>(3, 2)};
    Registration{renormalize<T>(5, 2)};
    Registration{renormalize<T>(5, 3)};
    for (std::size_t k = 2; k <= sums; ++k) Registration{nearest<T>(k)};
    for (std::size_t k = 1; k <= products; ++k) {
      Registration{reciprocal<T>(k)};
      Registration{rsqrt<T>(k)};
      Registration{sqrt<T>(k)};
    }
    for (const std::size_t k : {1, 2, 3, 4, 8}) {
      Registration{from_int64<T>(k)};
      Registration{to_int64<T>(k)};
    }
  }
};

const LateRegistration binary64_family{"expansion", [] { Family<double>(16, 16, 16); }};
const LateRegistration binary32_family{"expansion", [] { Family<float>(12, 10, 5); }};

}  // namespace

}  // namespace assay::expansion
