// What a sum rounded to nearest promises, for the mutants that break it.

#include <span>
#include <vector>

#include "errorbounds/sum_theorems.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/accurate_sum_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

constexpr auto passes_1 = theorem({
    .id = "mutants.passes.1",
    .hypotheses = "as sum.near_sum.1",
    .statement = "no more than 3(⌊2045/(53 − M)⌋ + 2) extractions, M = ⌈log₂(n + 2)⌉",
    .source = "Rump, Ogita, Oishi, Accurate floating-point summation part I, SISC 31(1), 2008, §4",
});

/// The sum rounded to nearest after a bounded number of passes.
auto near_sum_promise(NearSumMistake mistake) {
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

}  // namespace

Rows accurate_sum_rows() {
  return rows_of<NearSumMistake>(
      {
          {{"S1", "the faithful sum is the result", 106}, NearSumMistake::faithful},
          {{"S2", "a tie of what is left keeps the faithful sum", 106}, NearSumMistake::tie_keeps},
          {{"S3", "a tie of what is left changes the faithful sum", 2}, NearSumMistake::tie_changes},
          {{"S6", "sigma is half as large", 265}, NearSumMistake::half_sigma},
          {{"S8", "sigma is from the floor of the logarithm", 265}, NearSumMistake::floor_of_logarithm},
          {{"S12", "extraction does not end in the range of underflow", 53}, NearSumMistake::no_underflow_stop},
          {{"S13 away", "ties go to the larger magnitude", 2}, NearSumMistake::ties_away},
          {{"S13 odd", "ties go to the odd neighbour", 2}, NearSumMistake::ties_to_odd},
          {{"S14", "half an ulp is the same on both sides of a power of two", 106}, NearSumMistake::one_half_ulp},
          {{"S15", "extraction ends at 2^(M - p) sigma", 16000}, NearSumMistake::stops_early},
      },
      near_sum_promise);
}

}  // namespace assay::mutants
