#include "errorbounds/expansion_theorems.hpp"

#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/catalog/expansion/integer_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::expansion {

namespace {

using oracle::Dyadic;
using oracle::Exact;

template <class T>
constexpr int precision = FloatTraits<T>::precision;

/// Every property here has one of two types for each number format, so that compilation stays short.
template <class T>
using TermsProperty = Property<ExpansionCase<T>, Expansions<T>, Exact>;
template <class T>
using PairProperty = Property<ExpansionPairCase<T>, Expansions<T>, Exact>;
template <class T>
using TermsClaims = std::vector<Claim<ExpansionCase<T>, Expansions<T>, Exact>>;
template <class T>
using PairClaims = std::vector<Claim<ExpansionPairCase<T>, Expansions<T>, Exact>>;

std::uint64_t quick_cases(std::size_t words) { return words <= 4 ? 10000 : words <= 8 ? 2000 : 1000; }

template <class T>
std::string named(const char* operation, std::size_t k) {
  return std::string("expansion.") + operation + std::to_string(k) + format_suffix<T>();
}

// From cases to the flat arrays of the kernels and back.

template <class T, class Case>
std::vector<T> packed_words(std::span<const Case> cases, std::vector<T> Case::*operand) {
  std::vector<T> all;
  for (const Case& each : cases) {
    all.insert(all.end(), (each.*operand).begin(), (each.*operand).end());
  }
  return all;
}

template <class T>
std::vector<Expansions<T>> unpacked(const std::vector<T>& words, std::size_t length) {
  std::vector<Expansions<T>> results;
  for (std::size_t i = 0; i + length <= words.size(); i += length) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(i);
    results.push_back({std::vector<T>(from, from + static_cast<std::ptrdiff_t>(length)), length});
  }
  return results;
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

template <class T>
auto binary(ExpansionOp op, std::size_t k) {
  return [=](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
    const std::vector<T> x = packed_words<T>(cases, &ExpansionPairCase<T>::x);
    const std::vector<T> y = packed_words<T>(cases, &ExpansionPairCase<T>::y);
    return unpacked<T>(expansion_op<T>(on, op, static_cast<int>(k), x, y), k);
  };
}

// References.

template <class T>
Exact sum_of_terms(const ExpansionCase<T>& c) {
  return sum_of_words<T>(c.x);
}
template <class T>
Exact sum_of_pair(const ExpansionPairCase<T>& c) {
  return sum_of_words<T>(c.x) + sum_of_words<T>(c.y);
}
template <class T>
Exact product_of_pair(const ExpansionPairCase<T>& c) {
  return sum_of_words<T>(c.x) * sum_of_words<T>(c.y);
}
template <class T>
Exact quotient_of_pair(const ExpansionPairCase<T>& c) {
  return oracle::quotient(sum_of_words<T>(c.x), sum_of_words<T>(c.y));
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

// Claims about the words of a result.

/// judge(words, p) on the words of the result.
template <class Judge>
auto structure(std::string id, const AnyTheorem auto& theorem, Judge judge) {
  return satisfies(std::move(id), theorem, [judge](const auto&, const auto& result) {
    using T = typename ResultTraits<std::remove_cvref_t<decltype(result)>>::Number;
    thread_local ExactWords words;
    return exact_words<T>(result.words, words) ? judge(words, precision<T>) : Judgement::fail();
  });
}

auto has_zeros_last() {
  return structure("zeros_last", expansion_zeros_last_1,
                   [](const ExactWords& words, int) { return Judgement::of(zeros_last(words)); });
}
auto is_renormalized(std::string id) {
  return structure(std::move(id), expansion_renormalize_1,
                   [](const ExactWords& words, int p) { return judge_renormalized(words, p); });
}
auto is_bailey() {
  return structure("bailey", expansion_renormalize_4,
                   [](const ExactWords& words, int p) { return judge_bailey_nonoverlapping(words, p); });
}
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
TermsProperty<T> on_terms(std::string name, std::size_t n, std::size_t m, Distillation what, TermsClaims<T> claims) {
  return {.name = std::move(name),
          .domain = any_renormalization_domain<T>(n, m),
          .subject = distilling<T>(what, n, m),
          .reference = sum_of_terms<T>,
          .claims = std::move(claims),
          .quick_cases = quick_cases(n)};
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
  TermsClaims<T> claims{has_zeros_last(), under<T>(Overlap::p_minus_1, is_renormalized("structure_overlap_p_minus_1")),
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
      {exact("exact", expansion_renormalize_6), has_zeros_last(),
       under<T>(Overlap::p_minus_2, structure("priest", expansion_renormalize_3, [](const ExactWords& words, int p) {
                  return judge_priest_nonoverlapping(words, p);
                }))});
}

template <class T>
TermsProperty<T> vec_sum_err_branch(std::size_t n) {
  return {.name = named<T>("vec_sum_err_branch", n),
          .domain = nonoverlapping_domain<T>(n),
          .subject = distilling<T>(Distillation::vec_sum_err_branch, n, n),
          .reference = sum_of_terms<T>,
          .claims = {exact("exact", expansion_branch_1), has_zeros_last(),
                     structure("ulp", expansion_branch_2,
                               [](const ExactWords& words, int p) { return judge_ulp_nonoverlapping(words, p); })},
          .quick_cases = quick_cases(n)};
}

template <class T>
TermsProperty<T> vec_sum_err(std::size_t n) {
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
  return {.name = named<T>("vec_sum_err", n),
          .domain = expansion_domain<T>(n, expansion_sum_box(format_of<T>())),
          .subject = distilling<T>(Distillation::vec_sum_err, n, n),
          .reference = sum_of_terms<T>,
          .claims = std::move(claims),
          .quick_cases = quick_cases(n)};
}

// Arithmetic.

template <class T>
PairProperty<T> on_pairs(const char* operation, ExpansionOp op, std::size_t k, Domain<ExpansionPairCase<T>> domain,
                         Exact (*reference)(const ExpansionPairCase<T>&), PairClaims<T> claims) {
  return {.name = named<T>(operation, k),
          .domain = std::move(domain),
          .subject = binary<T>(op, k),
          .reference = reference,
          .claims = std::move(claims),
          .quick_cases = quick_cases(k)};
}

template <class T>
auto certified_add(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error", expansion_certified_add_1, R, precision<T>),
                       within("error_published", expansion_certified_add_2, R, precision<T>),
                       is_renormalized("structure")};
  if (k >= 3) claims.push_back(expected_refuted(is_bailey()));
  return on_pairs<T>("certified_add", ExpansionOp::certified_add, k, expansion_pair_domain<T>(k), sum_of_pair<T>,
                     std::move(claims));
}

template <class T>
auto quick_add(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error_absolute", expansion_quick_add_1,
                              [R](const auto& bound, const ExpansionPairCase<T>& c) {
                                return bound(R, precision<T>, abs(value_of(c.x[0])) + abs(value_of(c.y[0])));
                              }),
                       has_zeros_last()};
  if (k >= 2) {
    claims.push_back(expected_refuted(within("error_relative", expansion_quick_add_2, R, precision<T>)));
  }
  return on_pairs<T>("quick_add", ExpansionOp::quick_add, k, expansion_pair_domain<T>(k), sum_of_pair<T>,
                     std::move(claims));
}

template <class T>
Domain<ExpansionPairCase<T>> factors(std::size_t k) {
  return product_domain<T>(k, expansion_product_box(format_of<T>(), static_cast<int>(k)));
}

template <class T>
auto certified_mul(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error", expansion_certified_mul_1, R, precision<T>),
                       within("error_published", expansion_certified_mul_2, R, precision<T>),
                       is_renormalized("structure")};
  return on_pairs<T>("certified_mul", ExpansionOp::certified_mul, k, factors<T>(k), product_of_pair<T>,
                     std::move(claims));
}

template <class T>
auto truncated_mul(std::size_t k, bool published_fails) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error", expansion_truncated_mul_1, R, precision<T>), has_zeros_last()};
  if (published_fails) {
    claims.push_back(expected_refuted(within("error_published", expansion_truncated_mul_2, R, R, R, precision<T>)));
  }
  return on_pairs<T>("truncated_mul", ExpansionOp::truncated_mul, k, factors<T>(k), product_of_pair<T>,
                     std::move(claims));
}

/// ±2^j, j ≥ 0, and nothing behind it: products with it do not underflow.
template <class T>
bool is_power_of_two(const std::vector<T>& x) {
  const Dyadic first = value_of(x[0]);
  return first.bit_length() == 1 && first.is_integer() &&
         std::all_of(x.begin() + 1, x.end(), [](const T& each) { return parts_of(each).significand == 0; });
}

template <class T>
auto quick_mul(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{when(
      "x or y is ±2^j", [](const ExpansionPairCase<T>& c) { return is_power_of_two(c.x) || is_power_of_two(c.y); },
      exact("exact_for_powers", expansion_quick_mul_1))};
  if (k >= 5) {
    claims.push_back(expected_refuted(within("error_of_truncated_mul", expansion_quick_mul_2, R, precision<T>)));
  }
  return on_pairs<T>("quick_mul", ExpansionOp::quick_mul, k, factors<T>(k), product_of_pair<T>, std::move(claims));
}

template <class T>
Box quotient_box_of(std::size_t k) {
  return expansion_quotient_box(format_of<T>(), static_cast<int>(k));
}

/// The error c·u^R with c1 for one word, c2 for two and 3 for more: what the theorem's bound is.
template <class T>
auto newton_error(const BoundedTheorem auto& theorem, int R, int c1, int c2) {
  return of_instance("c = " + std::to_string(R == 1 ? c1 : R == 2 ? c2 : 3), within("error", theorem, R, precision<T>));
}

template <class T>
auto div(std::size_t k) {
  const int R = static_cast<int>(k);
  Domain<ExpansionPairCase<T>> domain = expansion_pair_domain<T>(k, quotient_box_of<T>(k), true);
  domain.classes.push_back(hard_quotients_class<T>(k, quotient_box_of<T>(k)));
  return on_pairs<T>("div", ExpansionOp::div, k, std::move(domain), quotient_of_pair<T>,
                     {newton_error<T>(expansion_div_1, R, 6, 19), is_renormalized("structure")});
}

template <class T>
TermsProperty<T> newton(const char* operation, ExpansionOp op, std::size_t k, bool positive, Inverse inverse,
                        int degree, Exact (*reference)(const ExpansionCase<T>&), TermsClaims<T> claims) {
  claims.push_back(is_renormalized("structure"));
  const Box box = quotient_box_of<T>(k);
  Domain<ExpansionCase<T>> domain = expansion_domain<T>(k, box, positive);
  domain.classes.push_back(hard_results_class<T>(k, box, inverse, degree));
  return {.name = named<T>(operation, k),
          .domain = std::move(domain),
          .subject = unary<T>(op, k),
          .reference = reference,
          .claims = std::move(claims),
          .quick_cases = quick_cases(k)};
}

template <class T>
auto reciprocal(std::size_t k) {
  const int R = static_cast<int>(k);
  return newton<T>("reciprocal", ExpansionOp::reciprocal, k, false,
                   [](const Dyadic& r) { return oracle::quotient(1, r); }, -1, reciprocal_of<T>,
                   {newton_error<T>(expansion_reciprocal_1, R, 4, 14),
                    within("error_published", expansion_reciprocal_2, R, precision<T>),
                    within("error_campary", expansion_reciprocal_3, R, precision<T>)});
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
      {newton_error<T>(expansion_sqrt_1, R, 3, 28), within("error_campary", expansion_sqrt_2, R, precision<T>)});
}

// Comparison and conversions.

template <class T>
PairProperty<T> compare(std::size_t k) {
  return {.name = named<T>("compare", k),
          .domain = expansion_pair_domain<T>(k),
          .subject =
              [k](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
                const std::vector<T> x = packed_words<T>(cases, &ExpansionPairCase<T>::x);
                const std::vector<T> y = packed_words<T>(cases, &ExpansionPairCase<T>::y);
                std::vector<Expansions<T>> results;
                for (const int sign : expansion_compare<T>(on, static_cast<int>(k), x, y)) {
                  results.push_back({{static_cast<T>(sign)}, 1});
                }
                return results;
              },
          .reference = [](const ExpansionPairCase<T>& c) -> Exact {
            return Dyadic((sum_of_words<T>(c.x) - sum_of_words<T>(c.y)).sign());
          },
          .claims = {exact("exact", expansion_compare_1)},
          .inexact = [](const ExpansionPairCase<T>& c, const auto&, const auto&) { return c.x[0] == c.y[0]; },
          .quick_cases = quick_cases(k)};
}

template <class T>
TermsProperty<T> nearest(std::size_t k) {
  return {.name = named<T>("nearest", k),
          .domain = expansion_domain<T>(k, expansion_sum_box(format_of<T>())),
          .subject =
              [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
                const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
                return unpacked<T>(expansion_nearest<T>(on, static_cast<int>(k), x), 1);
              },
          .reference = sum_of_terms<T>,
          .claims = {satisfies("correctly_rounded", expansion_nearest_1,
                               [](const auto&, const Exact& truth, const Expansions<T>& z) {
                                 return judge_rounded(bits_of(z.words[0]), truth, format_of<T>(),
                                                      oracle::Rounding::nearest);
                               })},
          .quick_cases = quick_cases(k)};
}

template <class T>
TermsProperty<T> to_int64(std::size_t k) {
  return {
      .name = named<T>("to_int64_", k),
      .domain = integer_range_domain<T>(k),
      .subject =
          [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
            const std::vector<T> x = packed_words<T>(cases, &ExpansionCase<T>::x);
            std::vector<Expansions<T>> results;
            for (const std::int64_t n : expansion_to_int64<T>(on, static_cast<int>(k), x)) {
              results.push_back({digits_of_integer<T>(n), 4});
            }
            return results;
          },
      .reference = [](const ExpansionCase<T>& c) -> Exact { return Dyadic(to_integer_range(sum_of_words<T>(c.x))); },
      .claims = {exact("exact", expansion_to_int64_1)},
      .inexact = [](const ExpansionCase<T>& c, const auto&, const auto&) { return !sum_of_words<T>(c.x).is_integer(); },
      .quick_cases = quick_cases(k)};
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
  return {.name = named<T>("from_int64_", k),
          .domain = integer_domain<T>(),
          .subject =
              [k](const Executor& on, std::span<const ExpansionCase<T>> cases) {
                std::vector<std::int64_t> n;
                for (const auto& each : cases) {
                  n.push_back(to_integer_range(sum_of_words<T>(each.x)));
                }
                return unpacked<T>(expansion_from_int64<T>(on, static_cast<int>(k), n), k);
              },
          .reference = sum_of_terms<T>,
          .claims = std::move(claims),
          .quick_cases = quick_cases(k)};
}

/// The properties of a format: distillation of up to `terms` terms, sums of up to `sums` words, products, quotients and
/// roots of up to `products`. From 3 words on the published constant of the truncated product fails; up to 8 few cases
/// show it.
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
    for (std::size_t k = 1; k <= sums; ++k) {
      Registration{certified_add<T>(k)};
      Registration{quick_add<T>(k)};
      Registration{compare<T>(k)};
      if (k >= 2) Registration{nearest<T>(k)};
    }
    for (std::size_t k = 1; k <= products; ++k) {
      Registration{certified_mul<T>(k)};
      Registration{truncated_mul<T>(k, k >= 3 && k <= 8)};
      Registration{quick_mul<T>(k)};
      Registration{div<T>(k)};
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

const Family<double> binary64_family(16, 16, 16);
const Family<float> binary32_family(12, 10, 5);

}  // namespace

}  // namespace assay::expansion
