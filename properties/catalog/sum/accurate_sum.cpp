#include "kernels/sum/accurate_sum.hpp"
#include "exec/array.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arith/accumulators/accurate_sum.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/catalog/sum/exact_dot_cases.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/offset_array.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/structure.hpp"

namespace assay::sum {

namespace {

using oracle::Dyadic;

/// The sums of packed vectors, one for each.
template <class T>
using BatchSums = std::vector<T> (*)(const Executor&, const Packed<T>&);

template <class Case, class T>
using OrderedClaim = Claim<Ordered<Case>, std::vector<T>, Dyadic>;

/// A batch has no extra result.
void require_results(std::size_t got, std::size_t expected) {
  if (got != expected) throw std::logic_error("a batch of sums has a wrong number of results");
}

/// Results of several words: `kernels` give a word each for the terms as given, then one each for the other order.
template <class Case, class T>
Property<Ordered<Case>, std::vector<T>, Dyadic> in_two_orders(std::string name, const Domain<Case>& domain,
                                                              const std::vector<BatchSums<T>>& kernels,
                                                              std::vector<OrderedClaim<Case, T>> claims) {
  return {.name = std::move(name),
          .domain = with_orders(domain),
          .subject =
              [kernels](const Executor& on, std::span<const Ordered<Case>> cases) {
                const Packed<T> all = packed_twice(cases);
                std::vector<std::vector<T>> results(cases.size(), std::vector<T>(2 * kernels.size()));
                for (std::size_t k = 0; k < kernels.size(); ++k) {
                  const std::vector<T> sums = kernels[k](on, all);
                  require_results(sums.size(), 2 * cases.size());
                  for (std::size_t i = 0; i < cases.size(); ++i) {
                    results[i][k] = sums[2 * i];
                    results[i][kernels.size() + k] = sums[2 * i + 1];
                  }
                }
                return results;
              },
          .reference = exact_sum_of<Ordered<Case>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

/// In a result the first `words` words have the bits of the following words, which are for the other order.
auto order_free(const AnyTheorem auto& theorem, std::size_t words) {
  return satisfies("order_free", theorem, [words](const auto&, const auto& result) {
    for (std::size_t i = words; i < result.size(); ++i) {
      if (!same_bits(result[i - words], result[i])) return false;
    }
    return true;
  });
}

/// Word `at` of a result is s rounded in the direction; −0 if all terms are −0.
auto rounded_word(std::string id, const AnyTheorem auto& theorem, std::size_t at, oracle::Rounding direction) {
  constexpr const char* names[] = {"RN", "RU", "RD", "RZ"};
  return of_instance(
      std::string("∘ = ") + names[at],
      claim_spec(std::move(id), theorem, [at, direction](const auto& c, const Dyadic& truth, const auto& result) {
        constexpr auto format = assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
        return judge_rounded(bits_of(result[at]), truth, format, direction, {.negative_zero = sums_to_negative_zero(c)},
                             at);
      }));
}

/// Rounded in every direction: to nearest, up, down, toward zero; of `words` words for each order.
template <class Case>
std::vector<OrderedClaim<Case, double>> rounded_claims(std::size_t words = 4) {
  constexpr bool products = std::is_same_v<Case, DotCase<double>>;
  constexpr const auto& theorem = products ? dot_exact_1 : sum_superaccumulator_2;
  return {rounded_word("nearest", theorem, 0, oracle::Rounding::nearest),
          rounded_word("up", theorem, 1, oracle::Rounding::up),
          rounded_word("down", theorem, 2, oracle::Rounding::down),
          rounded_word("toward_zero", theorem, 3, oracle::Rounding::zero),
          order_free(products ? dot_exact_2 : sum_order_free_1, words)};
}

/// The result of run(result, workspace) on memory of the executor.
template <class Run>
double exact_result(const Executor& on, Run&& run) {
  const Array<double> result(on, 1);
  const Array<std::int64_t> workspace(on, exact_sum_workspace());
  run(result.data(), workspace.data());
  wait(on);
  return result.take().front();
}

// Vectors of an odd number of terms lie at addresses that are multiples of 8, but not of 16.

double exact_value(const Executor& on, const SumCase<double>& c, Rounding to) {
  const std::span<const double> numbers = c.x;
  if (numbers.size() % 2 == 0) return exact_sum(on, numbers, to);
  const OffsetArray<double> x(on, numbers);
  const double value = exact_result(on, [&](double* result, std::int64_t* workspace) {
    exact_sum(on, x.data(), static_cast<std::int64_t>(numbers.size()), to, result, workspace);
  });
  x.compare();
  return value;
}
double exact_value(const Executor& on, const DotCase<double>& c, Rounding to) {
  const std::span<const double> left = c.x;
  const std::span<const double> right = c.y;
  if (left.size() % 2 == 0) return exact_dot(on, left, right, to);
  const OffsetArray<double> x(on, left);
  const OffsetArray<double> y(on, right);
  const double value = exact_result(on, [&](double* result, std::int64_t* workspace) {
    exact_dot(on, x.data(), y.data(), static_cast<std::int64_t>(left.size()), to, result, workspace);
  });
  x.compare();
  y.compare();
  return value;
}

/// One call for each vector and direction; to nearest for the other order, too.
template <class Case>
Registration exact_form(std::string name, const Domain<Case>& domain) {
  auto property = in_two_orders<Case, double>(std::move(name), domain, {}, rounded_claims<Case>());
  property.subject = [](const Executor& on, const Ordered<Case>& c) {
    return std::vector<double>{exact_value(on, c, Rounding::rn), exact_value(on, c, Rounding::ru),
                               exact_value(on, c, Rounding::rd), exact_value(on, c, Rounding::rz),
                               exact_value(on, reordered(c), Rounding::rn)};
  };
  return Registration(std::move(property));
}

const LateRegistration exact_form_of_sum{
    "sum", [] { exact_form("sum.exact", accurate_sum_domain<double>(SumRoom::any, longest_exact_sum)); }};
const LateRegistration exact_form_of_dot{"dot", [] { exact_form("dot.exact", exact_dot_domain<double>()); }};

/// Superaccumulators combined with expansions of that many words.
template <int words, Rounding to>
std::vector<double> accumulated(const Executor& on, const Packed<double>& all) {
  return accumulator_sum(on, words, to, all.x, all.offsets);
}
template <int words, Rounding to>
std::vector<double> accumulated_products(const Executor& on, const Packed<double>& all) {
  return accumulator_dot(on, words, to, all.x, all.y, all.offsets);
}

template <int words>
Registration accumulator_dot_property(const std::string& name) {
  return Registration(in_two_orders<DotCase<double>, double>(
      name, exact_dot_domain<double>(),
      {accumulated_products<words, Rounding::rn>, accumulated_products<words, Rounding::ru>,
       accumulated_products<words, Rounding::rd>, accumulated_products<words, Rounding::rz>},
      rounded_claims<DotCase<double>>()));
}

/// Only the sums of expansions of 3, 4, 6 and 8 words follow those of the superaccumulator.
Property<Ordered<SumCase<double>>, std::vector<double>, Dyadic> accumulator_sum_property() {
  auto property = in_two_orders<SumCase<double>, double>(
      "sum.superaccumulator", accurate_sum_domain<double>(SumRoom::any),
      {accumulated<0, Rounding::rn>, accumulated<0, Rounding::ru>, accumulated<0, Rounding::rd>,
       accumulated<0, Rounding::rz>, accumulated<3, Rounding::rn>, accumulated<4, Rounding::rn>,
       accumulated<6, Rounding::rn>, accumulated<8, Rounding::rn>},
      rounded_claims<SumCase<double>>(8));
  property.claims.push_back(
      satisfies("bits_of_expansions", sum_expansions_1, [](const auto&, const std::vector<double>& result) {
        return std::all_of(result.begin() + 4, result.begin() + 8,
                           [&](double each) { return same_bits(each, result[0]); });
      }));
  return property;
}

const LateRegistration sum_by_accumulators{"sum", [] { Registration{accumulator_sum_property()}; }};
const LateRegistration dot_by_accumulators{"dot", [] {
                                             accumulator_dot_property<0>("dot.superaccumulator");
                                             accumulator_dot_property<3>("dot.fpe3");
                                             accumulator_dot_property<4>("dot.fpe4");
                                             accumulator_dot_property<6>("dot.fpe6");
                                             accumulator_dot_property<8>("dot.fpe8");
                                           }};

/// Every word of a result is NaN.
auto only_nans(const AnyTheorem auto& theorem) {
  return satisfies("nan", theorem, [](const auto&, const auto& result) {
    constexpr auto format = assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
    return std::all_of(result.begin(), result.end(),
                       [format](const auto& each) { return oracle::is_nan(format, bits_of(each)); });
  });
}

/// exact_sum or exact_dot of each vector.
template <Rounding to>
std::vector<double> exact_batch(const Executor& on, const Packed<double>& all) {
  std::vector<double> results;
  for (std::size_t i = 0; i + 1 < all.offsets.size(); ++i) {
    const std::size_t first = all.offsets[i];
    const std::size_t count = all.offsets[i + 1] - first;
    const std::span<const double> x = std::span(all.x).subspan(first, count);
    results.push_back(all.y.empty() ? exact_sum(on, x, to)
                                    : exact_dot(on, x, std::span(all.y).subspan(first, count), to));
  }
  return results;
}

/// Terms that are not finite. There is no exact result.
template <class Case, class T>
Registration of_special_values(std::string name, const Domain<Case>& domain, const std::vector<BatchSums<T>>& kernels,
                               OrderedClaim<Case, T> claim) {
  auto property = in_two_orders<Case, T>(std::move(name), domain, kernels, {std::move(claim)});
  property.reference = [](const Ordered<Case>&) { return Dyadic(); };
  return Registration(std::move(property));
}

template <class T>
std::vector<T> acc_signs_as_nan(const Executor& on, const Packed<T>& all) {
  // 2 represents numbers that are not within the range.
  std::vector<T> results;
  for (const std::int32_t sign : acc_sign<T>(on, all.x, all.offsets)) {
    results.push_back(sign == 2 ? number_of<T>(format_of<T>().nan()) : static_cast<T>(sign));
  }
  return results;
}

template <class T>
Registration accurate_special_values() {
  return of_special_values<SumCase<T>, T>(
      "sum.accurate_special" + format_suffix<T>(), refused_sum_domain<T>(),
      {[](const Executor& on, const Packed<T>& all) { return acc_sum<T>(on, all.x, all.offsets); },
       [](const Executor& on, const Packed<T>& all) { return near_sum<T>(on, all.x, all.offsets); },
       [](const Executor& on, const Packed<T>& all) { return fast_acc_sum<T>(on, all.x, all.offsets); },
       [](const Executor& on, const Packed<T>& all) { return prec_sum<T>(on, 1, all.x, all.offsets); },
       [](const Executor& on, const Packed<T>& all) { return prec_sum<T>(on, 3, all.x, all.offsets); },
       acc_signs_as_nan<T>},
      only_nans(sum_special_values_2));
}

const LateRegistration special_sums{
    "sum", [] {
      of_special_values<SumCase<double>, double>(
          "sum.exact_special", special_sum_domain<double>(),
          {exact_batch<Rounding::rn>, exact_batch<Rounding::ru>, exact_batch<Rounding::rd>, exact_batch<Rounding::rz>},
          satisfies("special_values", sum_special_values_1, special_results));
      of_special_values<SumCase<double>, double>(
          "sum.superaccumulator_special", special_sum_domain<double>(),
          {accumulated<0, Rounding::rn>, accumulated<0, Rounding::rd>, accumulated<3, Rounding::rn>,
           accumulated<4, Rounding::rn>, accumulated<6, Rounding::ru>, accumulated<8, Rounding::rz>},
          satisfies("special_values", sum_special_values_1, special_results));
      accurate_special_values<double>();
      accurate_special_values<float>();
    }};
const LateRegistration special_dots{
    "dot", [] {
      of_special_values<DotCase<double>, double>(
          "dot.exact_special", special_dot_domain<double>(),
          {exact_batch<Rounding::rn>, exact_batch<Rounding::ru>, exact_batch<Rounding::rd>, exact_batch<Rounding::rz>},
          satisfies("special_values", dot_special_values_1, special_results));
      of_special_values<DotCase<double>, double>(
          "dot.superaccumulator_special", special_dot_domain<double>(),
          {accumulated_products<0, Rounding::rn>, accumulated_products<0, Rounding::ru>,
           accumulated_products<3, Rounding::rn>, accumulated_products<4, Rounding::rn>,
           accumulated_products<6, Rounding::rd>, accumulated_products<8, Rounding::rz>},
          satisfies("special_values", dot_special_values_1, special_results));
    }};

/// The longest vectors for signs: those of binary32 are long enough for the first special case.
template <class T>
constexpr std::size_t longest_sign =
    FloatTraits<T>::precision == 24 ? detail::first_sign_trap<T> : longest_accurate_sum;

/// The longest vectors for a kernel that takes up to n terms.
constexpr std::size_t at_most(std::int64_t n) { return std::min(longest_accurate_sum, static_cast<std::size_t>(n)); }

/// Every word of a half is one of the two neighbors of s minus the words before it.
template <class T>
Judgement judge_faithful_words(const Dyadic& truth, std::span<const T> words, std::size_t first) {
  Judgement worst;
  Dyadic rest = truth;
  for (std::size_t i = 0; i < words.size(); ++i) {
    worst.worsen(judge_faithful(bits_of(words[i]), rest, format_of<T>(), first + i));
    if (!oracle::is_finite(format_of<T>(), bits_of(words[i]))) break;  // the sum overflows
    rest -= value_of(words[i]);
  }
  return worst;
}

/// judge(words, place of the first word) for each half of a result.
template <class T, class Judge>
Judgement by_halves(const std::vector<T>& result, Judge&& judge) {
  const std::size_t half = result.size() / 2;
  Judgement worst = judge(std::span<const T>(result).first(half), std::size_t{0});
  worst.worsen(judge(std::span<const T>(result).last(half), half));
  return worst;
}

/// A faithful rounding of s, or |r − s| ≤ u^k·S for the word of k.
template <class T>
Judgement judge_as_in_precision(const SumCase<T>& c, const Dyadic& truth, std::span<const T> words, std::size_t first) {
  Judgement worst;
  const Dyadic magnitudes = exact_sums(c).magnitudes;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Judgement is_faithful = judge_faithful(bits_of(words[i]), truth, format_of<T>(), first + i);
    if (is_faithful.verdict == Verdict::holds || !oracle::is_finite(format_of<T>(), bits_of(words[i]))) {
      worst.worsen(is_faithful);
      continue;
    }
    const int k = static_cast<int>(i) + 1;
    worst.worsen(
        judge_within(value_of(words[i]), truth, sum_prec_sum_1(k, magnitudes, FloatTraits<T>::precision), first + i));
  }
  return worst;
}

template <class T>
struct AccurateFamily {
  static constexpr std::size_t words = 4;
  using Spans = std::span<const T>;
  using Sums = std::vector<T>;
  static std::string named(const char* name) { return std::string(name) + format_suffix<T>(); }

  template <const auto& kernel>
  static Sums batch(const Executor& on, const Packed<T>& all) {
    return kernel(on, all.x, all.offsets);
  }
  static Sums signs(const Executor& on, const Packed<T>& all) {
    const std::vector<std::int32_t> signs = acc_sign<T>(on, all.x, all.offsets);
    return Sums(signs.begin(), signs.end());
  }
  template <int k>
  static Sums in_precision(const Executor& on, const Packed<T>& all) {
    return prec_sum<T>(on, k, all.x, all.offsets);
  }

  static Domain<SumCase<T>> domain(std::size_t longest) { return accurate_sum_domain<T>(SumRoom::scaled, longest); }

  static auto sums(const char* name, std::size_t longest, std::vector<BatchSums<T>> kernels,
                   std::vector<OrderedClaim<SumCase<T>, T>> claims) {
    return in_two_orders<SumCase<T>, T>(named(name), domain(longest), kernels, std::move(claims));
  }

  /// K words of each vector side by side.
  static auto folded() {
    auto property = sums("sum.acc_sum_k", at_most(most_summands<T>()), {},
                         {claim_spec("faithful", sum_acc_sum_k_1,
                                     [](const auto&, const Dyadic& truth, const Sums& result) {
                                       return by_halves(result, [&](Spans half, std::size_t first) {
                                         return judge_faithful_words<T>(truth, half, first);
                                       });
                                     }),
                          satisfies("nonoverlapping", sum_acc_sum_k_2, [](const auto&, const Sums& result) {
                            return by_halves(result, [](Spans half, std::size_t) {
                              ExactWords exact;
                              if (!exact_words(half, exact)) return Judgement::pass();
                              return judge_priest_nonoverlapping(exact, FloatTraits<T>::precision);
                            });
                          })});
    property.subject = [](const Executor& on, std::span<const Ordered<SumCase<T>>> cases) {
      const Packed<T> all = packed_twice(cases);
      const Sums sums = acc_sum_k(on, words, Spans(all.x), all.offsets);
      require_results(sums.size(), 2 * words * cases.size());
      std::vector<Sums> results;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto first = sums.begin() + static_cast<std::ptrdiff_t>(2 * words * i);
        results.emplace_back(first, first + 2 * words);
      }
      return results;
    };
    return property;
  }

  Registration all[6] = {
      Registration(sums("sum.acc_sum", at_most(most_summands<T>()), {batch<acc_sum<T>>},
                        {faithful("faithful", sum_acc_sum_1), not_nearest<T>("nearest", sum_acc_sum_2, "faithful")})),
      Registration(folded()),
      Registration(sums("sum.acc_sign", longest_sign<T>, {signs},
                        {claim_spec("sign", sum_acc_sign_1,
                                    [](const auto&, const Dyadic& truth, const Sums& result) {
                                      Judgement worst;
                                      for (std::size_t i = 0; i < result.size(); ++i) {
                                        worst.worsen(judge_exact(value_of(result[i]), truth.sign(), i));
                                      }
                                      return worst;
                                    })})),
      Registration(
          sums("sum.near_sum", at_most(most_summands<T>()), {batch<near_sum<T>>},
               {rounded("nearest", sum_near_sum_1, oracle::Rounding::nearest), order_free(sum_order_free_1, 1)})),
      Registration(
          sums("sum.fast_acc_sum", at_most(most_summands_of_fast<T>()), {batch<fast_acc_sum<T>>},
               {faithful("faithful", sum_fast_acc_sum_1), not_nearest<T>("nearest", sum_acc_sum_2, "faithful")})),
      Registration(sums("sum.prec_sum", at_most(most_summands<T>()),
                        {in_precision<1>, in_precision<2>, in_precision<3>, in_precision<4>},
                        {claim_spec("error", sum_prec_sum_1,
                                    [](const auto& c, const Dyadic& truth, const Sums& result) {
                                      return by_halves(result, [&](Spans half, std::size_t first) {
                                        return judge_as_in_precision<T>(c, truth, half, first);
                                      });
                                    }),
                         expected_refuted(faithful("faithful", sum_prec_sum_2), "error")})),
  };
};

const LateRegistration accurate_binary64_family{"sum", [] { AccurateFamily<double>(); }};
const LateRegistration accurate_binary32_family{"sum", [] { AccurateFamily<float>(); }};

}  // namespace
}  // namespace assay::sum
