// The promises of sums for many targets, and of sums as integers of few words, for the mutants that break them: copies
// of the kernels' headers with one mistake each.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arith/accumulators/fixed_sum.hpp"
#include "errorbounds/segment_theorems.hpp"
#include "mutated/G1/kernels/segment/detail/segment_call.hpp"
#include "mutated/G2/kernels/segment/detail/segment_call.hpp"
#include "mutated/G3/kernels/segment/detail/segment_call.hpp"
#include "mutated/G4/kernels/segment/detail/segment_call.hpp"
#include "mutated/G5/kernels/segment/detail/segment_call.hpp"
#include "mutated/G6/kernels/segment/detail/segment_call.hpp"
#include "mutated/G7/kernels/segment/detail/segment_call.hpp"
#include "mutated/G8/arith/accumulators/fixed_sum.hpp"
#include "mutated/G9/arith/accumulators/fixed_sum.hpp"
#include "properties/catalog/segment/properties.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using Numbers = std::span<const double>;

template <class Scatter>
auto scatter_promise(Scatter scatter) {
  return TypedModel(segment::scatter_property<double>("mutants.scatter_add", scatter));
}
template <class Sums>
auto segmented_promise(Sums sums) {
  return TypedModel(segment::segmented_property<double>("mutants.segmented_sum", sums));
}

/// RN of the sum of finite terms in units of 2⁻¹⁰⁷⁴.
template <class Sum>
auto fixed_sum_promise() {
  using Case = sum::SumCase<double>;
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = "mutants.fixed_sum",
      .domain = sum::accurate_sum_domain<double>(sum::SumRoom::any),
      .subject =
          [](const Executor&, const Case& c) {
            Sum all{};
            for (const double each : c.x) {
              const bits::Significand s = bits::significand(each);
              all.add(s.m, s.e + 1074, s.minus);
            }
            return all.nearest(-1074);
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {rounded("nearest", segment_rounded_1, oracle::Rounding::nearest)},
      .quick_cases = 1000});
}

}  // namespace

Rows segment_rows() {
  using Indices = std::span<const std::int32_t>;
  using Offsets = std::span<const std::int64_t>;
  const RightKernel right_scatter([] {
    return scatter_promise([](const Executor& on, Numbers x, Indices index, Numbers y) {
      return segment::scatter_add<double>(on, x, index, y);
    });
  });
  const RightKernel right_sums([] {
    return segmented_promise(
        [](const Executor& on, Numbers x, Offsets offsets) { return segment::segmented_sum<double>(on, x, offsets); });
  });
  constexpr int words = 34;  // 2098 bits, those of carries, and the sign
  const RightKernel right_fixed([] { return fixed_sum_promise<FixedSum<words>>(); });
  const auto scatter = [&](const Planted& planted, auto kernel) {
    return kernel_row(planted, scatter_promise(kernel), right_scatter);
  };
  const auto sums = [&](const Planted& planted, auto kernel) {
    return kernel_row(planted, segmented_promise(kernel), right_sums);
  };
#define ASSAY_MUTANT(id, function) [](const auto&... a) { return segment::detail::id::function<double>(a...); }
  return {
      sums({"G1", "joined terms have no room for their carries", 64}, ASSAY_MUTANT(g1, segmented_sum_of_arrays)),
      sums({"G2", "windows have no room for joined terms", 64}, ASSAY_MUTANT(g2, segmented_sum_of_arrays)),
      sums({"G3", "only the first group of threads hands its terms over", 64},
           ASSAY_MUTANT(g3, segmented_sum_of_arrays)),
      sums({"G4", "flags of zeros are not kept", 8}, ASSAY_MUTANT(g4, segmented_sum_of_arrays)),
      scatter({"G5", "the window leaves out the numbers that are added to", 16},
              ASSAY_MUTANT(g5, scatter_add_of_arrays)),
      scatter({"G6", "the first index outside counts as a target", 16}, ASSAY_MUTANT(g6, scatter_add_of_arrays)),
      sums({"G7", "a place that begins a segment is in the one before it", 16},
           ASSAY_MUTANT(g7, segmented_sum_of_arrays)),
      kernel_row({"G8", "words below the first two are dropped", 106}, fixed_sum_promise<g8::FixedSum<words>>(),
                 right_fixed),
      kernel_row({"G9", "a carry out of a word of ones is lost", 16}, fixed_sum_promise<g9::FixedSum<words>>(),
                 right_fixed),
  };
#undef ASSAY_MUTANT
}

}  // namespace assay::mutants
