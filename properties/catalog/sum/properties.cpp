#include "errorbounds/sum.hpp"

#include <functional>

#include "kernels/sum/summation.hpp"
#include "properties/catalog/sum/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sum {

namespace {

using oracle::Dyadic;

template <class T>
constexpr int precision = FloatTraits<T>::precision;

template <class T>
using BatchSum = std::function<std::vector<T>(const Executor&, std::span<const T>, Offsets)>;

template <class T>
using SumClaim = Claim<SumCase<T>, T, Dyadic>;

/// |ŝ − s| ≤ bound(n, s, S).
template <class BoundOf>
auto error_within(std::string id, std::string statement, Source source, BoundOf bound) {
  return claim_spec(std::move(id), std::move(statement), source,
                    [bound](const auto& c, const Dyadic& truth, const auto& result) {
                      Dyadic got;
                      if (!component_value(result, 0, got)) return Judgement::fail();
                      return judge_within(got, truth, bound(c.x.size(), truth, exact_sums(c).magnitudes));
                    });
}

template <class T>
Property<SumCase<T>, T, Dyadic> sum(const std::string& name, BatchSum<T> kernel, std::vector<SumClaim<T>> claims) {
  claims.push_back(when(
      "n ≤ 1", [](const SumCase<T>& c) { return c.x.size() <= 1; },
      exact("exact_for_one", "the sum of no term is 0, of one term the term", "docs/bounds/sum.md")));
  claims.push_back(when(
      "the terms are multiples of g = 2^k with S ≤ 2^p·g", [](const SumCase<T>& c) { return sums_exactly(c); },
      exact("exact_on_a_grid", "ŝ = s where no addition rounds", "docs/bounds/sum.md")));
  return {.name = name + format_suffix<T>(),
          .domain = sum_domain<T>(),
          .subject =
              [kernel](const Executor& on, std::span<const SumCase<T>> cases) {
                const Packed<T> all = packed(cases);
                return kernel(on, all.x, all.offsets);
              },
          .reference = exact_sum_of<SumCase<T>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

template <class T>
auto sum2_error(std::string id, std::string statement) {
  return error_within(
      std::move(id), std::move(statement),
      "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.5; "
      "docs/bounds/sum.md",
      [](std::size_t n, const Dyadic& s, const Dyadic& S) { return sum2_bound(n, s, S, precision<T>); });
}

/// Refuted on few terms: the smallest counterexample then has no more than four.
template <class T>
auto correctly_rounded() {
  return expected_refuted(when(
      "n ≤ 4", [](const SumCase<T>& c) { return c.x.size() <= 4; },
      rounded("correctly_rounded", "ŝ = RN(s) (false: 1, u, u² gives 1)", "docs/bounds/sum.md, Sum2 and Neumaier",
              oracle::Rounding::nearest)));
}

/// The same of SumK: no fixed sequence of additions rounded to nearest is correctly rounded.
template <class T>
auto never_correctly_rounded() {
  return expected_refuted(when(
      "n ≤ 4", [](const SumCase<T>& c) { return c.x.size() <= 4; },
      rounded("correctly_rounded", "ŝ = RN(s) (false without a test on the terms: 1, u, u² gives 1)",
              "Kornerup, Lefèvre, Louvet, Muller, On the computation of correctly-rounded sums, ARITH-19, 2009",
              oracle::Rounding::nearest)));
}

template <class T, int K>
auto sum_k_error() {
  return error_within(
      "error", "|ŝ − s| ≤ (u + 3γ²ₙ₋₁)|s| + γ₂ₙ₋₂^" + std::to_string(K) + "·S",
      "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 4.10; "
      "docs/bounds/sum.md",
      [](std::size_t n, const Dyadic& s, const Dyadic& S) { return sum_k_bound(K, n, s, S, precision<T>); });
}

template <class T>
struct Family {
  static constexpr int p = precision<T>;
  Registration all[9] = {
      Registration(sum<T>(
          "sum.recursive", recursive_sum<T>,
          {error_within("error", "|ŝ − s| ≤ (n − 1)uS",
                        "Jeannerod, Rump, Improved error bounds for inner products in floating-point arithmetic, SIMAX "
                        "34(2), 2013; docs/bounds/sum.md",
                        [](std::size_t n, const Dyadic&, const Dyadic& S) { return recursive_sum_bound(n, S, p); }),
           expected_refuted(sum2_error<T>("error_of_sum2", "|ŝ − s| ≤ u|s| + γ²ₙ₋₁S (false without compensation)"))})),
      Registration(sum<T>("sum.pairwise", pairwise_sum<T>,
                          {error_within("error", "|ŝ − s| ≤ γ_h S, h = ⌈log₂ n⌉",
                                        "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §4.2; "
                                        "docs/bounds/sum.md",
                                        [](std::size_t n, const Dyadic&, const Dyadic& S) {
                                          return tree_sum_bound(pairwise_height(n), S, p);
                                        })})),
      Registration(sum<T>("sum.block", block_sum<T>,
                          {error_within("error", "|ŝ − s| ≤ γ_h S, h = max(⌈n/64⌉ − 1, 0) + 6",
                                        "docs/bounds/sum.md, block_sum; Higham 2002, §4.2",
                                        [](std::size_t n, const Dyadic&, const Dyadic& S) {
                                          return block_sum_bound({n, block_sum_threads}, S, p);
                                        })})),
      Registration(sum<T>(
          "sum.kahan", kahan_sum<T>,
          {error_within("error", "|ŝ − s| ≤ u|s| + (1 + u)(2u + 13nu²)S", "docs/bounds/sum.md, Kahan",
                        [](std::size_t n, const Dyadic& s, const Dyadic& S) { return kahan_sum_bound(n, s, S, p); }),
           expected_refuted(within("error_relative", "|ŝ − s| ≤ 3u|s| (false: 1, 10¹⁰⁰, 1, −10¹⁰⁰ gives 0)",
                                   "docs/bounds/sum.md, Kahan", RelativeBound{Dyadic::scaled(3, -p), 1}))})),
      Registration(sum<T>(
          "sum.neumaier",
          neumaier_sum<T>,
          {error_within("error", "|ŝ − s| ≤ u|s| + γ²ₙ₋₁S",
                        "Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM "
                        "54, 1974; docs/bounds/sum.md",
                        [](std::size_t n, const Dyadic& s, const Dyadic& S) { return neumaier_sum_bound(n, s, S, p); }),
           satisfies("bits_of_sum2", "the same bits as Sum2", "docs/bounds/sum.md, Sum2 and Neumaier",
                     [](const SumCase<T>& c, const T& got) {
                       return same_bits(got, sum2<T>(Executor::host(), std::span<const T>(c.x)));
                     })})),
      Registration(
          sum<T>("sum.sum2", sum2<T>, {sum2_error<T>("error", "|ŝ − s| ≤ u|s| + γ²ₙ₋₁S"), correctly_rounded<T>()})),
      Registration(sum<T>("sum.sum3", sum_k<3, T>, {sum_k_error<T, 3>(), never_correctly_rounded<T>()})),
      Registration(sum<T>("sum.sum4", sum_k<4, T>, {sum_k_error<T, 4>(), never_correctly_rounded<T>()})),
      Registration(sum<T>("sum.block_sum2", block_sum2<T>,
                          {error_within("error", "|ŝ − s| ≤ u|s| + γ_{c+1}γ_h S, c = max(⌈n/64⌉ − 2, 0) + 12",
                                        "docs/bounds/sum.md, block_sum2",
                                        [](std::size_t n, const Dyadic& s, const Dyadic& S) {
                                          return block_sum2_bound({n, block_sum_threads}, s, S, p);
                                        }),
                           correctly_rounded<T>()})),
  };
};

const Family<double> binary64_family;
const Family<float> binary32_family;

}  // namespace

}  // namespace assay::sum
