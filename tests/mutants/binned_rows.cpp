// The promises of binned sums, for the mutants that break them: copies of arith/accumulators/binned.hpp with one
// mistake each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/accumulators/binned.hpp"
#include "arith/float/small_float.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "mutated/B1/arith/accumulators/binned.hpp"
#include "mutated/B10/arith/accumulators/binned.hpp"
#include "mutated/B11/arith/accumulators/binned.hpp"
#include "mutated/B17/arith/accumulators/binned.hpp"
#include "mutated/B2/arith/accumulators/binned.hpp"
#include "mutated/B3/arith/accumulators/binned.hpp"
#include "mutated/B4/arith/accumulators/binned.hpp"
#include "mutated/B5/arith/accumulators/binned.hpp"
#include "mutated/B6/arith/accumulators/binned.hpp"
#include "mutated/B7/arith/accumulators/binned.hpp"
#include "mutated/B8/arith/accumulators/binned.hpp"
#include "mutated/B9/arith/accumulators/binned.hpp"
#include "properties/catalog/sum/binned_cases.hpp"
#include "properties/draws/sum/exact_norm.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using oracle::Dyadic;

template <class Case>
using Ordered = sum::Ordered<Case>;

/// Each term, or product, of the places `places` of a case, in an accumulator.
template <class Sum, class Case>
Sum added(const Case& c, std::span<const std::size_t> places) {
  Sum sum = Sum::empty();
  for (const std::size_t i : places) {
    if constexpr (requires { c.y; }) {
      sum.add_product(c.x[i], c.y[i]);
    } else {
      sum.add(c.x[i]);
    }
  }
  return sum;
}

/// The same, in tiles of two.
template <class Sum, class Case>
Sum added_by_tiles(const Case& c, std::span<const std::size_t> places) {
  using T = typename decltype(c.x)::value_type;
  Sum sum = added<Sum>(c, places.first(places.size() % 2));
  for (std::size_t i = places.size() % 2; i < places.size(); i += 2) {
    const T x[2] = {c.x[places[i]], c.x[places[i + 1]]};
    if constexpr (requires { c.y; }) {
      const T y[2] = {c.y[places[i]], c.y[places[i + 1]]};
      sum.add_tile_of_products(x, y);
    } else {
      sum.add_tile(x);
    }
  }
  return sum;
}

/// The sum of the terms from first to last, one by one and in tiles, and in the case's other order in two parts.
template <class Sum, class Case>
auto in_three_ways(const Ordered<Case>& c) {
  const std::vector<std::size_t> other = sum::detail::places_in_order(c.x.size(), c.order);
  std::vector<std::size_t> places = other;
  std::sort(places.begin(), places.end());
  const auto parts = std::span<const std::size_t>(other);
  Sum merged = added<Sum>(c, parts.first(parts.size() / 3));
  merged.add(added<Sum>(c, parts.subspan(parts.size() / 3)));
  return std::vector{added<Sum>(c, places).value(), added_by_tiles<Sum>(c, places).value(), merged.value()};
}

/// The results agree with the definition, in the bins of Sum.
template <class Sum, class T, class Case>
auto promise(std::string name, Domain<Case> domain, std::function<std::vector<T>(const Ordered<Case>&)> results,
             const AnyTheorem auto& theorem) {
  using Result = std::vector<T>;
  return TypedModel(Property<Ordered<Case>, Result, Dyadic>{
      .name = std::move(name),
      .domain = sum::with_orders(domain),
      .subject = [results](const Executor&, const Ordered<Case>& c) { return results(c); },
      .reference =
          [](const Ordered<Case>& c) {
            return sum::binned::in_bins<T>(sum::binned::terms_of(static_cast<const Case&>(c)), Sum::width, Sum::folds);
          },
      .claims = {rounded("definition", theorem, oracle::Rounding::nearest)},
      .quick_cases = 1000});
}

template <class Sum>
auto sum_promise() {
  using Case = sum::SumCase<float>;
  return promise<Sum, float, Case>("mutants.binned_sum", sum::binned_sum_domain<float>(), in_three_ways<Sum, Case>,
                                   sum_binned_3);
}
template <class Sum>
auto dot_promise() {
  using Case = sum::DotCase<double>;
  return promise<Sum, double, Case>("mutants.binned_dot", sum::binned_dot_domain<double>(), in_three_ways<Sum, Case>,
                                    dot_binned_1);
}

using Number = Toy<5>;

/// The sum of a few numbers; a word takes in two of them before its carry is propagated.
template <class Sum>
auto toy_promise() {
  using Case = sum::SumCase<Number>;
  Domain<Case> domain{.classes = {{"of one bin, or of several", 1, drawn<Case>([](Draw& draw) {
                                     const bool same_sign = draw.coin();
                                     const int low = draw.coin() ? 5 : -3;
                                     const std::size_t n = 1 + draw.below(16);
                                     return sum::detail::draw_terms<Number>(draw, n, Significand::any, low, 6,
                                                                            same_sign);
                                   })}},
                      .contains = [](const Case& c) { return c.x.size() <= 16 && all_finite(c.x); },
                      .accepts = "up to 16 finite numbers"};
  return promise<Sum, Number, Case>("mutants.binned_toy", std::move(domain), in_three_ways<Sum, Case>, sum_binned_3);
}

/// The norm.
template <class Sum, class T>
auto norm_promise() {
  using Case = sum::SumCase<T>;
  return TypedModel(Property<Case, T, oracle::Exact>{
      .name = "mutants.binned_norm",
      .domain = sum::binned_sum_domain<T>(),
      .subject =
          [](const Executor&, const Case& c) {
            Sum squares = Sum::empty();
            for (const T each : c.x) squares.add_product(each, each);
            return squares.root();
          },
      .reference = sum::exact_norm<T>,
      .claims = {claim_spec("norm", dot_binned_3,
                            [](const Case& c, const oracle::Exact& truth, T result) {
                              const auto bound =
                                  dot_binned_3(Sum::folds, Sum::width, c.x.size(), FloatTraits<T>::precision);
                              return judge_stored(bits_of(result), truth, bound, format_of<T>());
                            })},
      .quick_cases = 1000});
}

}  // namespace

Rows binned_rows() {
  const RightKernel right_sum([&] { return sum_promise<BinnedSum<float, 2>>(); });
  const RightKernel right_toy([&] { return toy_promise<BinnedSum<Number, 2, 2>>(); });
  const RightKernel right_dot([&] { return dot_promise<BinnedSum<double, 3>>(); });
  const RightKernel right_norm([&] { return norm_promise<BinnedSum<double, 3>, double>(); });
  return {
      kernel_row({"B1", "ties of a term go to the even word", 48}, sum_promise<b1::BinnedSum<float, 2>>(), right_sum),
      kernel_row({"B2", "carries are never taken", 40}, toy_promise<b2::BinnedSum<Number, 2, 2>>(), right_toy),
      kernel_row({"B3", "bins are merged where they stand", 48}, sum_promise<b3::BinnedSum<float, 2>>(), right_sum),
      kernel_row({"B4", "a merge leaves out the other carries", 5}, toy_promise<b4::BinnedSum<Number, 2, 2>>(),
                 right_toy),
      kernel_row({"B5", "the lower edge of a bin is one binade too high", 48}, sum_promise<b5::BinnedSum<float, 2>>(),
                 right_sum),
      kernel_row({"B6", "a larger term moves the words and not the carries", 20},
                 toy_promise<b6::BinnedSum<Number, 2, 2>>(), right_toy),
      kernel_row({"B7", "the errors of the products are left out", 106}, dot_promise<b7::BinnedSum<double, 3>>(),
                 right_dot),
      kernel_row({"B8", "TwoProd where it underflows", 106}, dot_promise<b8::BinnedSum<double, 3>>(), right_dot),
      kernel_row({"B9", "products overflow", 106}, dot_promise<b9::BinnedSum<double, 3>>(), right_dot),
      kernel_row({"B10", "odd exponents are rounded toward 0 before they are halved", 24},
                 norm_promise<b10::BinnedSum<float, 3>, float>(), norm_promise<BinnedSum<float, 3>, float>()),
      kernel_row({"B11", "the root is scaled in one step", 53}, norm_promise<b11::BinnedSum<double, 3>, double>(),
                 right_norm),
      kernel_row({"B17", "the sum of squares is rounded in its own range", 53},
                 norm_promise<b17::BinnedSum<double, 3>, double>(), right_norm),
  };
}

}  // namespace assay::mutants
