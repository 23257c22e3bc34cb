#include "errorbounds/sum.hpp"

#include <functional>

#include "kernels/sum/summation.hpp"
#include "properties/catalog/sum/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::dot {

namespace {

using oracle::Dyadic;

template <class T, class R = T>
using BatchDot = std::function<std::vector<R>(const Executor&, std::span<const T>, std::span<const T>, sum::Offsets)>;

template <class T, class R = T>
using DotClaim = Claim<sum::DotCase<T>, R, Dyadic>;

/// |d̂ − d| ≤ bound(n, d, T).
template <class BoundOf>
auto error_within(std::string id, std::string statement, Source source, BoundOf bound) {
  return claim_spec(std::move(id), std::move(statement), source,
                    [bound](const auto& c, const Dyadic& truth, const auto& result) {
                      Dyadic got;
                      if (!component_value(result, 0, got)) return Judgement::fail();
                      return judge_within(got, truth, bound(c.x.size(), truth, sum::exact_sums(c).magnitudes));
                    });
}

template <class T, class R>
Property<sum::DotCase<T>, R, Dyadic> dot(std::string name, BatchDot<T, R> kernel, std::vector<DotClaim<T, R>> claims) {
  claims.push_back(when(
      "the products are multiples of g = 2^k ≥ η with T ≤ 2^p·g",
      [](const sum::DotCase<T>& c) { return sum::sums_exactly(c); },
      exact("exact_on_a_grid", "d̂ = d where no product and no addition rounds", "docs/bounds/sum.md")));
  return {.name = std::move(name),
          .domain = sum::dot_domain<T, R>(),
          .subject =
              [kernel](const Executor& on, std::span<const sum::DotCase<T>> cases) {
                const sum::Packed<T> all = sum::packed(cases);
                return kernel(on, all.x, all.y, all.offsets);
              },
          .reference = sum::exact_sum_of<sum::DotCase<T>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

/// Refuted on few terms: the smallest counterexample then has no more than four.
template <class T>
auto correctly_rounded() {
  return expected_refuted(when(
      "n ≤ 4", [](const sum::DotCase<T>& c) { return c.x.size() <= 4; },
      rounded("correctly_rounded", "d̂ = RN(d) (false: (1, u, u²)·(1, 1, 1) gives 1)", "docs/bounds/sum.md, Dot2",
              oracle::Rounding::nearest)));
}

template <class T, int K>
auto dot_k_error() {
  return error_within("error", "|d̂ − d| ≤ (u + 2γ²₄ₙ₋₂)|d| + γ₄ₙ₋₂^" + std::to_string(K) + "·Σ|xy| + 5nη",
                      "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 5.11; "
                      "docs/bounds/sum.md",
                      [](std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
                        return dot_k_bound(K, n, d, magnitudes, format_of<T>());
                      });
}

template <class T>
auto dot2_error(std::string id, std::string statement) {
  return error_within(std::move(id), std::move(statement),
                      "Ogita, Rump, Oishi, Accurate sum and dot product, SISC 26(6), 2005, Proposition 5.5; "
                      "docs/bounds/sum.md",
                      [](std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
                        return dot2_bound(n, d, magnitudes, format_of<T>());
                      });
}

template <class T>
struct Family {
  static constexpr oracle::Format format = format_of<T>();
  static std::string named(const char* name) { return std::string(name) + format_suffix<T>(); }
  Registration all[6] = {
      Registration(dot<T, T>(named("dot.recursive"), sum::recursive_dot<T>,
                             {error_within("error", "|d̂ − d| ≤ u(n + 2(n − 1)u)/(1 + u)·Σ|xy| + (1 + (n − 1)u)nη/2",
                                           "docs/bounds/sum.md, Recursive dot product; Jeannerod, Rump 2013",
                                           [](std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                             return recursive_dot_bound(n, magnitudes, format);
                                           }),
                              expected_refuted(dot2_error<T>("error_of_dot2",
                                                             "|d̂ − d| ≤ u|d| + γₙ²Σ|xy| + 5nη (false without "
                                                             "compensation)"))})),
      Registration(
          dot<T, T>(named("dot.block"), sum::block_dot<T>,
                    {error_within("error", "|d̂ − d| ≤ γ_{h+1}Σ|xy| + (1 + γ_h)nη/2, h = max(⌈n/64⌉ − 1, 0) + 6",
                                  "docs/bounds/sum.md, block_dot",
                                  [](std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                    return block_dot_bound({n, sum::block_sum_threads}, magnitudes, format);
                                  })})),
      Registration(dot<T, T>(named("dot.dot2"), sum::dot2<T>,
                             {dot2_error<T>("error", "|d̂ − d| ≤ u|d| + γₙ²Σ|xy| + 5nη"), correctly_rounded<T>()})),
      Registration(dot<T, T>(named("dot.dot3"), sum::dot_k<3, T>, {dot_k_error<T, 3>()})),
      Registration(dot<T, T>(named("dot.dot4"), sum::dot_k<4, T>, {dot_k_error<T, 4>()})),
      Registration(
          dot<T, T>(named("dot.block_dot2"), sum::block_dot2<T>,
                    {error_within("error", "|d̂ − d| ≤ u|d| + γ_{c+1}γ_{h+1}Σ|xy| + 5nη, c = ⌈n/64⌉ + 12",
                                  "docs/bounds/sum.md, block_dot2",
                                  [](std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
                                    return block_dot2_bound({n, sum::block_sum_threads}, d, magnitudes, format);
                                  }),
                     correctly_rounded<T>()})),
  };
};

const Family<double> binary64_family;
const Family<float> binary32_family;

const Registration f32_in_f64{
    dot<float, double>("dot.f32_in_f64", sum::dot_f32_in_f64,
                       {error_within("error", "|d̂ − d| ≤ (n − 1)u·Σ|xy|, u = 2⁻⁵³: products are exact",
                                     "docs/bounds/sum.md, Recursive dot product; Jeannerod, Rump 2013",
                                     [](std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                       return recursive_sum_bound(n, magnitudes, 53);
                                     })})};

const Registration block_f32_in_f64{dot<float, double>(
    "dot.block_f32_in_f64", sum::block_dot_f32_in_f64,
    {error_within("error", "|d̂ − d| ≤ γ_h Σ|xy|, h = max(⌈n/64⌉ − 1, 0) + 6, u = 2⁻⁵³: products are exact",
                  "docs/bounds/sum.md, block_sum", [](std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                    return block_sum_bound({n, sum::block_sum_threads}, magnitudes, 53);
                  })})};

}  // namespace

}  // namespace assay::dot
