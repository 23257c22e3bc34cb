#pragma once
// What a sum rounded to nearest promises, for the mutants that break it.

#include <span>
#include <vector>

#include "errorbounds/sum_theorems.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/accurate_sum_mutants.hpp"

namespace assay::mutants {

inline constexpr auto passes_1 = theorem({
    .id = "mutants.passes.1",
    .hypotheses = "as sum.near_sum.1",
    .statement = "no more than 3(⌊2045/(53 − M)⌋ + 2) extractions, M = ⌈log₂(n + 2)⌉",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part I, SISC 31(1), 2008, §4",
});

/// The sum rounded to nearest after a bounded number of passes.
inline auto near_sum_promise(NearSumMistake mistake) {
  using Case = sum::SumCase<double>;
  using Result = std::vector<double>;
  return TypedModel(Property<Case, Result, oracle::Dyadic>{
      .name = "mutants.near_sum",
      .domain = sum::accurate_sum_domain<double>(sum::SumRoom::transform),
      .subject =
          [mistake](const Executor& on, std::span<const Case> cases) {
            const sum::Packed<double> all = sum::packed(cases);
            std::vector<Result> results;
            for (const CountedSum& each : near_sum_with(mistake, on, all.x, all.offsets)) {
              results.push_back({each.sum, each.passes});
            }
            return results;
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {satisfies("ends", passes_1,
                           [](const Case& c, const Result& result) { return result[1] <= most_passes(c.x.size()); }),
                 claim_spec("nearest", sum_near_sum_1,
                            [](const Case& c, const oracle::Dyadic& truth, const Result& result) {
                              return judge_rounded(bits_of(result[0]), truth, oracle::binary64,
                                                   oracle::Rounding::nearest,
                                                   {.negative_zero = sum::sums_to_negative_zero(c)});
                            })},
      .quick_cases = 1000});
}

}  // namespace assay::mutants
