#include "errorbounds/dot_theorems.hpp"

#include <functional>

#include "arith/float/small_float.hpp"
#include "kernels/sum/summation.hpp"
#include "probes/dot/dot.hpp"
#include "properties/catalog/sum/probed.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/draws/sum/dot_cases.hpp"
#include "properties/draws/sum/limit_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::dot {

namespace {

using oracle::Dyadic;
using sum::error_within;
using sum::judged_by;

template <class T, class R = T>
using BatchDot = std::function<std::vector<R>(const Executor&, std::span<const T>, std::span<const T>, sum::Offsets)>;

template <class T, class R = T>
using DotClaim = Claim<sum::DotCase<T>, R, Dyadic>;

template <class T, class R>
Property<sum::DotCase<T>, R, Dyadic> dot(std::string name, BatchDot<T, R> kernel, std::vector<DotClaim<T, R>> claims,
                                         Domain<sum::DotCase<T>> domain = sum::dot_domain<T, R>()) {
  claims.push_back(when(
      "the products are multiples of g = 2^k ≥ η with T ≤ 2^p·g",
      [](const sum::DotCase<T>& c) { return sum::sums_exactly(c); }, exact("exact_on_a_grid", dot_exact_grid_1)));
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject =
              [kernel](const Executor& on, std::span<const sum::DotCase<T>> cases) {
                const sum::Packed<T> all = sum::packed(cases);
                return kernel(on, all.x, all.y, all.offsets);
              },
          .reference = sum::exact_sum_of<sum::DotCase<T>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

/// Refuted on few terms: the smallest counterexample then has at most four.
template <class T>
auto correctly_rounded() {
  return expected_refuted(when(
                              "n ≤ 4", [](const sum::DotCase<T>& c) { return c.x.size() <= 4; },
                              rounded("correctly_rounded", dot_dot2_2, oracle::Rounding::nearest)),
                          "error");
}

/// Bounds of n and Σ|xy|; of n, d and Σ|xy|.
template <class T>
constexpr auto of_magnitudes = [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
  return bound(n, magnitudes, format_of<T>());
};
template <class T>
constexpr auto of_sum = [](const auto& bound, std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
  return bound(n, d, magnitudes, format_of<T>());
};
template <class T, int K>
constexpr auto in_levels = [](const auto& bound, std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
  return bound(K, n, d, magnitudes, format_of<T>());
};

/// Dot2's sharp bound, changed by in_one_piece() or of_sum().
template <class T>
auto sharp_error(auto bound_of) {
  return when(
      "n²u ≤ 1", [](const sum::DotCase<T>& c) { return sum::squares_to_one_at_most<T>(c.x.size()); },
      error_within("error_sharp", dot_dot2_3, bound_of));
}

/// The serial dot products, each with a probe.
template <class T>
auto recursive(std::string name) {
  return judged_by<probes::dot::Recursive<T>>(
      dot<T, T>(std::move(name), sum::recursive_dot<T>,
                {error_within("error", dot_recursive_1, of_magnitudes<T>),
                 expected_refuted(error_within("error_of_dot2", dot_recursive_2, of_sum<T>), "error")}),
      dot_recursive_1, of_magnitudes<T>);
}
template <class T>
auto compensated(std::string name) {
  return judged_by<probes::dot::Dot2<T>>(
      dot<T, T>(std::move(name), sum::dot2<T>,
                {error_within("error", dot_dot2_1, of_sum<T>), correctly_rounded<T>(), sharp_error<T>(of_sum<T>),
                 expected_refuted(error_within("error_below_sharp", dot_dot2_4, of_sum<T>), "error_sharp")}),
      dot_dot2_1, of_sum<T>);
}
template <class T, int K, class Probe>
auto in_precision(std::string name) {
  return judged_by<Probe>(dot<T, T>(std::move(name), sum::dot_k<K, T>,
                                    {of_instance(std::to_string(K) + "-fold precision",
                                                 error_within("error", dot_dot_k_1, in_levels<T, K>))}),
                          dot_dot_k_1, in_levels<T, K>);
}
auto f32_in_f64() {
  constexpr auto bound_of = [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
    return bound(n, magnitudes, 53);
  };
  return judged_by<probes::dot::Widened>(
      dot<float, double>("dot.f32_in_f64", sum::dot_f32_in_f64, {error_within("error", dot_recursive_3, bound_of)}),
      dot_recursive_3, bound_of);
}

template <class T>
struct Family {
  static constexpr oracle::Format format = format_of<T>();
  static std::string named(const char* name) { return std::string(name) + format_suffix<T>(); }
  Registration all[6] = {
      Registration(recursive<T>(named("dot.recursive"))),
      Registration(
          dot<T, T>(named("dot.block"), sum::block_dot<T>,
                    {error_within("error", dot_block_1,
                                  [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
                                    return bound(BlockShape{n, sum::block_sum_threads}, magnitudes, format);
                                  })})),
      Registration(compensated<T>(named("dot.dot2"))),
      Registration(in_precision<T, 3, probes::dot::Dot3<T>>(named("dot.dot3"))),
      Registration(in_precision<T, 4, probes::dot::Dot4<T>>(named("dot.dot4"))),
      Registration(
          dot<T, T>(named("dot.block_dot2"), sum::block_dot2<T>,
                    {error_within("error", dot_block_dot2_1,
                                  [](const auto& bound, std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
                                    return bound(BlockShape{n, sum::block_sum_threads}, d, magnitudes, format);
                                  }),
                     correctly_rounded<T>()})),
  };
};

/// Dot products of short formats: their vectors reach the limit of the condition on n.
template <class T>
struct ShortFamily {
  static constexpr oracle::Format format = format_of<T>();
  static constexpr auto in_one_piece = [](const auto& bound, std::size_t n, const Dyadic& d, const Dyadic& magnitudes) {
    return sum::in_one_piece(bound(n, d, magnitudes, format));
  };
  static Property<sum::DotCase<T>, T, Dyadic> in_short(const char* name, BatchDot<T> kernel,
                                                       std::vector<DotClaim<T>> claims) {
    auto property =
        dot<T, T>(name + format_suffix<T>(), std::move(kernel), std::move(claims), sum::short_dot_domain<T>());
    property.quick_cases = 400;
    return property;
  }
  Registration all[2] = {
      Registration(
          in_short("dot.recursive", sum::recursive_dot<T>, {error_within("error", dot_recursive_1, of_magnitudes<T>)})),
      Registration(in_short("dot.dot2", sum::dot2<T>,
                            {sum::while_short<T>("2nu ≤ 1", std::size_t{1} << (format.precision - 1),
                                                 error_within("error", dot_dot2_1, in_one_piece)),
                             sharp_error<T>(in_one_piece)})),
  };
};

const LateRegistration binary16_family{"dot", [] { ShortFamily<binary16>(); }};
const LateRegistration bfloat16_family{"dot", [] { ShortFamily<bfloat16>(); }};
const LateRegistration binary64_family{"dot", [] { Family<double>(); }};
const LateRegistration binary32_family{"dot", [] { Family<float>(); }};

const Registration of_f32_in_f64{f32_in_f64()};

const Registration block_f32_in_f64{dot<float, double>(
    "dot.block_f32_in_f64", sum::block_dot_f32_in_f64,
    {error_within("error", dot_block_2, [](const auto& bound, std::size_t n, const Dyadic&, const Dyadic& magnitudes) {
      return bound(BlockShape{n, sum::block_sum_threads}, magnitudes, 53);
    })})};

}  // namespace

}  // namespace assay::dot
