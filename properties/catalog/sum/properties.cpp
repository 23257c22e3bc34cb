#include "errorbounds/sum_theorems.hpp"

#include <functional>

#include "arith/float/small_float.hpp"
#include "kernels/sum/summation.hpp"
#include "probes/sum/sum.hpp"
#include "properties/catalog/sum/probed.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/draws/sum/limit_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sum {

namespace {

using oracle::Dyadic;

template <class T>
using BatchSum = std::function<std::vector<T>(const Executor&, std::span<const T>, Offsets)>;

template <class T>
using SumClaim = Claim<SumCase<T>, T, Dyadic>;

template <class T>
Property<SumCase<T>, T, Dyadic> sum(const std::string& name, BatchSum<T> kernel, std::vector<SumClaim<T>> claims,
                                    Domain<SumCase<T>> domain = sum_domain<T>()) {
  claims.push_back(when(
      "n ≤ 1", [](const SumCase<T>& c) { return c.x.size() <= 1; }, exact("exact_for_one", sum_one_term_1)));
  claims.push_back(when(
      "the terms are multiples of g = 2^k with S ≤ 2^p·g", [](const SumCase<T>& c) { return sums_exactly(c); },
      exact("exact_on_a_grid", sum_exact_grid_1)));
  return {.name = name + format_suffix<T>(),
          .domain = std::move(domain),
          .subject =
              [kernel](const Executor& on, std::span<const SumCase<T>> cases) {
                const Packed<T> all = packed(cases);
                return kernel(on, all.x, all.offsets);
              },
          .reference = exact_sum_of<SumCase<T>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

/// Bounds of n and S; of n, s and S.
template <class T>
constexpr auto of_magnitudes =
    [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& S) { return bound(n, S, precision<T>); };
template <class T>
constexpr auto of_sum =
    [](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) { return bound(n, s, S, precision<T>); };
template <class T, int K>
constexpr auto in_levels =
    [](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) { return bound(K, n, s, S, precision<T>); };
template <class T>
constexpr auto of_tree = [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& S) {
  return bound(pairwise_height(n), S, precision<T>);
};

template <class T, int K>
auto sum_k_error() {
  return of_instance(std::to_string(K) + "-fold precision", error_within("error", sum_sum_k_1, in_levels<T, K>));
}
template <class T, int K>
auto sharp_sum_k_error() {
  return of_instance(std::to_string(K) + "-fold precision", error_within("error_sharp", sum_sum_k_3, in_levels<T, K>));
}

/// The serial sums, in the order of the theorems, each with a probe.
template <class T>
auto recursive() {
  return judged_by<probes::sum::Recursive<T>>(
      sum<T>("sum.recursive", recursive_sum<T>,
             {error_within("error", sum_recursive_1, of_magnitudes<T>),
              expected_refuted(error_within("error_of_sum2", sum_recursive_2, of_sum<T>), "error")}),
      sum_recursive_1, of_magnitudes<T>);
}
template <class T>
auto pairwise() {
  return judged_by<probes::sum::Pairwise<T>>(
      sum<T>("sum.pairwise", pairwise_sum<T>, {error_within("error", sum_pairwise_1, of_tree<T>)}), sum_pairwise_1,
      of_tree<T>);
}
template <class T>
auto kahan() {
  return judged_by<probes::sum::Kahan<T>>(
      sum<T>("sum.kahan", kahan_sum<T>,
             {error_within("error", sum_kahan_1, of_sum<T>),
              expected_refuted(within("error_relative", sum_kahan_2, precision<T>), "error")}),
      sum_kahan_1, of_sum<T>);
}
template <class T>
auto neumaier() {
  return judged_by<probes::sum::Neumaier<T>>(
      sum<T>("sum.neumaier", neumaier_sum<T>,
             {error_within("error", sum_sum2_1, of_sum<T>), error_within("error_sharp", sum_sum2_3, of_sum<T>),
              satisfies("bits_of_sum2", sum_neumaier_1,
                        [](const SumCase<T>& c, const T& got) {
                          return same_bits(got, sum2<T>(Executor::host(), std::span<const T>(c.x)));
                        })}),
      sum_sum2_1, of_sum<T>);
}
template <class T>
auto compensated() {
  return judged_by<probes::sum::Sum2<T>>(
      sum<T>("sum.sum2", sum2<T>,
             {error_within("error", sum_sum2_1, of_sum<T>), not_nearest<T>("correctly_rounded", sum_sum2_2, "error"),
              error_within("error_sharp", sum_sum2_3, of_sum<T>),
              expected_refuted(error_within("error_below_sharp", sum_sum2_4, of_sum<T>), "error_sharp")}),
      sum_sum2_1, of_sum<T>);
}
template <class T, int K, class Probe>
auto in_precision() {
  return judged_by<Probe>(sum<T>("sum.sum" + std::to_string(K), sum_k<K, T>,
                                 {sum_k_error<T, K>(), not_nearest<T>("correctly_rounded", sum_sum_k_2, "error"),
                                  sharp_sum_k_error<T, K>()}),
                          sum_sum_k_1, in_levels<T, K>);
}

template <class T>
struct Family {
  static constexpr int p = precision<T>;
  Registration all[9] = {
      Registration(recursive<T>()),
      Registration(pairwise<T>()),
      Registration(sum<T>("sum.block", block_sum<T>,
                          {error_within("error", sum_block_1,
                                        [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& S) {
                                          return bound(BlockShape{n, block_sum_threads}, S, p);
                                        })})),
      Registration(kahan<T>()),
      Registration(neumaier<T>()),
      Registration(compensated<T>()),
      Registration(in_precision<T, 3, probes::sum::Sum3<T>>()),
      Registration(in_precision<T, 4, probes::sum::Sum4<T>>()),
      Registration(sum<T>("sum.block_sum2", block_sum2<T>,
                          {error_within("error", sum_block_sum2_1,
                                        [](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) {
                                          return bound(BlockShape{n, block_sum_threads}, s, S, p);
                                        }),
                           not_nearest<T>("correctly_rounded", sum_sum2_2, "error")})),
  };
};

/// Sums of short formats: their vectors reach the limits of the conditions on n.
template <class T>
struct ShortFamily {
  static constexpr int p = precision<T>;
  static constexpr std::size_t one = std::size_t{1} << p;  ///< n with nu = 1
  static std::vector<SumClaim<T>> errors_of_short_sum() {
    constexpr auto of = [](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) {
      return in_one_piece(bound(n, s, S, p));
    };
    return {while_short<T>("nu < 1", one - 1, error_within("error", sum_sum2_1, of)),
            while_short<T>("nu < 1", one - 1, error_within("error_sharp", sum_sum2_3, of))};
  }
  static Property<SumCase<T>, T, Dyadic> in_short(const char* name, BatchSum<T> kernel,
                                                  std::vector<SumClaim<T>> claims) {
    auto property = sum<T>(name, std::move(kernel), std::move(claims), short_sum_domain<T>());
    property.quick_cases = 400;
    return property;
  }
  Registration all[4] = {
      Registration(in_short(
          "sum.recursive", recursive_sum<T>,
          {error_within("error", sum_recursive_1, of_magnitudes<T>),
           expected_refuted(when(
                                "the terms are multiples of g = 2^k with S ≤ (2^p + 1)·g",
                                [](const SumCase<T>& c) { return is_on_a_grid(c, (std::int64_t{1} << p) + 1); },
                                exact("exact_on_a_larger_grid", sum_exact_grid_2)),
                            "error")})),
      Registration(in_short("sum.neumaier", neumaier_sum<T>, errors_of_short_sum())),
      Registration(in_short("sum.sum2", sum2<T>, errors_of_short_sum())),
      Registration(in_short("sum.sum3", sum_k<3, T>,
                            {while_short<T>("4nu ≤ 1", one / 4, sum_k_error<T, 3>()),
                             while_short<T>("4nu ≤ 1", one / 4, sharp_sum_k_error<T, 3>())})),
  };
};

const LateRegistration binary16_family{"sum", [] { ShortFamily<binary16>(); }};
const LateRegistration bfloat16_family{"sum", [] { ShortFamily<bfloat16>(); }};
const LateRegistration binary64_family{"sum", [] { Family<double>(); }};
const LateRegistration binary32_family{"sum", [] { Family<float>(); }};

}  // namespace

}  // namespace assay::sum
