// Distillation and certified sums over all inputs of toy precisions, up to exact symmetries and within windows of
// exponents: docs/bounds/small_formats.md.

#include <memory>

#include "arith/float/small_float.hpp"
#include "errorbounds/expansion_theorems.hpp"
#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/framework/enumeration.hpp"
#include "properties/framework/property.hpp"

namespace assay::expansion::toy {

namespace {

using oracle::Dyadic;

template <class T>
constexpr int precision = FloatTraits<T>::precision;

constexpr const char* reduced = "up to exact symmetries: docs/bounds/small_formats.md";

template <class T>
bool meets(const std::vector<T>& x, Overlap condition) {
  thread_local ExactWords words;
  return exact_words<T>(x, words) && overlaps(words, condition);
}

/// Lists of n terms: the first in [1, 2), each further one zero, or of either sign with any significand and its
/// exponent 0 … window − 1 below that of the last term that is not zero; those that meet the condition Overlap::merged.
template <class T>
Enumeration<ExpansionCase<T>> every_list(std::size_t n, int window) {
  const std::uint64_t choices = 2 * significands<T>() * static_cast<std::uint64_t>(window) + 1;
  std::uint64_t size = significands<T>();
  for (std::size_t i = 1; i < n; ++i) {
    size *= choices;
  }
  return {.size = size, .at = [=](std::uint64_t i, ExpansionCase<T>& out) {
            out.x.assign(1, number_at<T>(i % significands<T>()));
            i /= significands<T>();
            int exponent = 0;
            while (out.x.size() < n) {
              const std::uint64_t choice = i % choices;
              i /= choices;
              if (choice == choices - 1) {
                out.x.push_back(T{});
                continue;
              }
              exponent -= static_cast<int>(choice / (2 * significands<T>()));
              out.x.push_back(number_at<T>(choice / 2 % significands<T>(), exponent, (choice & 1) != 0));
            }
            return meets(out.x, Overlap::merged);
          }};
}

template <class T>
Domain<ExpansionCase<T>> lists(std::size_t n, int window) {
  return exhaustive<ExpansionCase<T>>(
      every_list<T>(n, window),
      [n](const ExpansionCase<T>& c) {
        return c.x.size() == n && meets(c.x, Overlap::merged) && std::all_of(c.x.begin(), c.x.end(), [](const T& w) {
                 return in_box(w, {-200, 200});
               });
      },
      std::to_string(n) + " terms, exponents at most " + std::to_string(window - 1) + " apart, single differences 0, " +
          reduced);
}

/// Judges the words of each component of the result; returns the worst judgment.
template <class T, class Judge>
auto each_component(Judge judge) {
  return [judge](const auto&, const Expansions<T>& result) {
    thread_local ExactWords words;
    if (!exact_words<T>(result.words, words)) return Judgement::fail();
    Judgement worst;
    for (std::size_t from = 0; from < words.size(); from += result.length) {
      worst.worsen(judge(std::span<const Dyadic>(words).subspan(from, result.length)));
    }
    return worst;
  };
}

/// |zᵢ₊₁| ≤ (1/2 + 2⁻ᵖ)·ulp(zᵢ).
template <class T>
Judgement judge_found_structure(std::span<const Dyadic> x) {
  Judgement worst;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const Dyadic limit = x[i].is_zero()
                             ? Dyadic()
                             : Dyadic::scaled((1 << (precision<T> - 1)) + 1, x[i].exponent() - 2 * precision<T> + 1);
    worst.worsen(judge_within(x[i + 1], Dyadic(), Bound{limit, 1}));
  }
  return worst;
}

template <class T>
using ListProperty = Property<ExpansionCase<T>, Expansions<T>, Dyadic>;

/// A distillation of every list of n terms.
template <class T>
ListProperty<T> of_lists(const char* operation, std::size_t n, int window,
                         Subject<ExpansionCase<T>, Expansions<T>> subject,
                         std::vector<Claim<ExpansionCase<T>, Expansions<T>, Dyadic>> claims) {
  return {.name = std::string("expansion.") + operation + std::to_string(n) + format_suffix<T>(),
          .domain = lists<T>(n, window),
          .subject = std::move(subject),
          .reference = [](const ExpansionCase<T>& c) { return sum_of_words<T>(c.x); },
          .claims = std::move(claims)};
}

template <class T>
std::vector<T> words_of_lists(std::span<const ExpansionCase<T>> cases) {
  std::vector<T> all;
  for (const auto& each : cases) {
    all.insert(all.end(), each.x.begin(), each.x.end());
  }
  return all;
}

template <class T>
auto under(Overlap condition) {
  return [condition](const ExpansionCase<T>& c) { return meets(c.x, condition); };
}

template <class T>
Registration vec_sum(std::size_t n, int window) {
  return Registration(of_lists<T>(
      "vec_sum", n, window,
      [n](const Executor& on, std::span<const ExpansionCase<T>> cases) {
        const std::vector<T> x = words_of_lists(cases);
        const std::vector<T> e = distill<T>(on, Distillation::vec_sum, static_cast<int>(n), static_cast<int>(n), x);
        std::vector<Expansions<T>> results;
        for (auto from = e.begin(); from != e.end(); from += static_cast<std::ptrdiff_t>(n)) {
          results.push_back({std::vector<T>(from, from + static_cast<std::ptrdiff_t>(n)), n});
        }
        return results;
      },
      {exact("exact", expansion_vec_sum_1),
       when("the terms " + text_of(Overlap::p_minus_1), under<T>(Overlap::p_minus_1),
            satisfies("half_uls_overlap_p_minus_1", expansion_vec_sum_3,
                      each_component<T>(judge_half_uls_nonoverlapping))),
       satisfies("uls", expansion_vec_sum_4, each_component<T>(judge_uls_nonoverlapping)),
       expected_refuted(
           satisfies("shewchuk", expansion_vec_sum_6, each_component<T>(judge_shewchuk_nonoverlapping)))}));
}

/// Renormalization to m = 1 … n words, a component each, filled up with zeros.
template <class T>
Registration renormalize(std::size_t n, int window) {
  const auto structure = [](const char* id) {
    return of_instance("for every m",
                       satisfies(id, expansion_renormalize_1, each_component<T>([](std::span<const Dyadic> x) {
                                   return judge_renormalized(x, precision<T>);
                                 })));
  };
  std::vector<Claim<ExpansionCase<T>, Expansions<T>, Dyadic>> claims{
      when("the terms " + text_of(Overlap::p_minus_1), under<T>(Overlap::p_minus_1),
           structure("structure_overlap_p_minus_1")),
      when("the terms " + text_of(Overlap::p_minus_2), under<T>(Overlap::p_minus_2),
           structure("structure_overlap_p_minus_2")),
      when("the terms " + text_of(Overlap::in_pairs), under<T>(Overlap::in_pairs),
           structure("structure_overlap_in_pairs")),
      of_instance("for every m",
                  satisfies("structure_found", expansion_renormalize_2, each_component<T>(judge_found_structure<T>))),
      within("error_found", expansion_renormalize_8, [n](const auto& bound, const ExpansionCase<T>&) {
        std::vector<RelativeBound> bounds;
        for (int m = 1; m <= static_cast<int>(n); ++m) {
          bounds.push_back(bound(static_cast<int>(n), m, precision<T>));
        }
        return bounds;
      })};
  if (n >= 4) {
    claims.push_back(expected_refuted(satisfies(
        "bailey", expansion_renormalize_4,
        each_component<T>([](std::span<const Dyadic> x) { return judge_bailey_nonoverlapping(x, precision<T>); }))));
  }
  return Registration(of_lists<T>(
      "renormalize", n, window,
      [n](const Executor& on, std::span<const ExpansionCase<T>> cases) {
        const std::vector<T> x = words_of_lists(cases);
        std::vector<Expansions<T>> results(cases.size(), {std::vector<T>(n * n), n});
        for (std::size_t m = 1; m <= n; ++m) {
          const auto z = distill<T>(on, Distillation::renormalize, static_cast<int>(n), static_cast<int>(m), x);
          for (std::size_t i = 0; i < cases.size(); ++i) {
            std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(i * m), m,
                        results[i].words.begin() + static_cast<std::ptrdiff_t>((m - 1) * n));
          }
        }
        return results;
      },
      std::move(claims)));
}

/// Every ulp-nonoverlapping expansion of k words with x₀ in [1, 2): further words zero from some place on, or powers of
/// two p − 1 places below the one before, or any p … p + depth − 1 places below.
template <class T>
std::vector<std::vector<T>> every_expansion(std::size_t k, int depth) {
  constexpr int p = precision<T>;
  std::vector<std::vector<T>> all;
  for (std::uint64_t i = 0; i < significands<T>(); ++i) {
    all.push_back({number_at<T>(i)});
  }
  for (std::size_t word = 1; word < k; ++word) {
    std::vector<std::vector<T>> longer;
    for (const std::vector<T>& x : all) {
      longer.push_back(x);
      longer.back().push_back(T{});
      const NumberParts last = parts_of(x.back());
      if (last.significand == 0) continue;
      for (int gap = p - 1; gap < p + depth; ++gap) {
        for (std::uint64_t m = 0; m < (gap == p - 1 ? 1 : significands<T>()); ++m) {
          for (const bool negative : {false, true}) {
            longer.push_back(x);
            longer.back().push_back(number_at<T>(m, last.leading() - gap, negative));
          }
        }
      }
    }
    all = std::move(longer);
  }
  return all;
}

template <class T>
Enumeration<ExpansionPairCase<T>> every_expansion_pair(std::size_t k, int depth, int gaps) {
  const auto table = std::make_shared<const std::vector<std::vector<T>>>(every_expansion<T>(k, depth));
  const std::uint64_t count = table->size();
  const std::uint64_t seconds = count * 2 * static_cast<std::uint64_t>(2 * gaps + 1);
  return {.size = count * seconds, .at = [=](std::uint64_t i, ExpansionPairCase<T>& out) {
            const std::uint64_t second = i % seconds;
            const std::uint64_t rest = second / count;
            out.x = (*table)[i / seconds];
            out.y = (*table)[second % count];
            for (T& each : out.y) {
              if (bits_of(each) != 0) each = moved(each, static_cast<int>(rest / 2) - gaps, rest % 2 != 0);
            }
            return true;
          }};
}

template <class T>
Registration certified_add(std::size_t k, int depth, int gaps) {
  const int R = static_cast<int>(k);
  return Registration(Property<ExpansionPairCase<T>, Expansions<T>, Dyadic>{
      .name = "expansion.certified_add" + std::to_string(k) + format_suffix<T>(),
      .domain = exhaustive<ExpansionPairCase<T>>(
          every_expansion_pair<T>(k, depth, gaps),
          [k](const ExpansionPairCase<T>& c) {
            return is_expansion<T>(c.x, k, {-100, 100}) && is_expansion<T>(c.y, k, {-100, 100});
          },
          "two ulp-nonoverlapping expansions of " + std::to_string(k) + " words, gaps up to p − 1 + " +
              std::to_string(depth) + ", leading words up to " + std::to_string(gaps) + " places apart, " + reduced),
      .subject =
          [R, k](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
            std::vector<T> x;
            std::vector<T> y;
            for (const auto& each : cases) {
              x.insert(x.end(), each.x.begin(), each.x.end());
              y.insert(y.end(), each.y.begin(), each.y.end());
            }
            const std::vector<T> z = expansion_op<T>(on, ExpansionOp::certified_add, R, x, y);
            std::vector<Expansions<T>> results;
            for (auto from = z.begin(); from != z.end(); from += R) {
              results.push_back({std::vector<T>(from, from + R), k});
            }
            return results;
          },
      .reference = [](const ExpansionPairCase<T>& c) { return sum_of_words<T>(c.x) + sum_of_words<T>(c.y); },
      .claims = {within("error_published", expansion_certified_add_2, R, precision<T>),
                 within("error_found", expansion_certified_add_3, R, precision<T>),
                 satisfies("structure", expansion_renormalize_1, each_component<T>([](std::span<const Dyadic> x) {
                             return judge_renormalized(x, precision<T>);
                           })),
                 satisfies("structure_found", expansion_renormalize_2, each_component<T>(judge_found_structure<T>))}});
}

const LateRegistration all{"expansion", [] {
                             vec_sum<Toy<3>>(3, 12);
                             vec_sum<Toy<3>>(4, 7);
                             vec_sum<Toy<3>>(5, 7);
                             renormalize<Toy<3>>(3, 12);
                             renormalize<Toy<3>>(4, 7);
                             renormalize<Toy<3>>(5, 7);
                             certified_add<Toy<3>>(2, 4, 9);
                             certified_add<Toy<3>>(3, 2, 6);
                             vec_sum<Toy<4>>(3, 12);
                             vec_sum<Toy<4>>(4, 9);
                             renormalize<Toy<4>>(3, 12);
                             renormalize<Toy<4>>(4, 9);
                             renormalize<Toy<4>>(5, 4);
                             certified_add<Toy<4>>(2, 3, 11);
                           }};

}  // namespace

}  // namespace assay::expansion::toy
