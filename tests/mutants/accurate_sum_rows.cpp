// The promises of accurate sums, for the mutants that break them: NearSum with a mistake chosen by a value, and copies
// of arith/accumulators/accurate_sum.hpp with one mistake each.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/accumulators/accurate_sum.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "mutated/S19/arith/accumulators/accurate_sum.hpp"
#include "mutated/S20/arith/accumulators/accurate_sum.hpp"
#include "mutated/S21/arith/accumulators/accurate_sum.hpp"
#include "mutated/S22/arith/accumulators/accurate_sum.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/accurate_sum_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

constexpr auto passes_1 = theorem(
    {"mutants.passes.1", "as sum.near_sum.1", "no more than 3(⌊2045/(53 − M)⌋ + 2) extractions, M = ⌈log₂(n + 2)⌉",
     "Rump, Ogita, Oishi, Accurate floating-point summation part I, SISC 31(1), 2008, §4"});

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

using FloatCase = sum::SumCase<float>;

/// The promise of sum(terms) in binary32.
template <class Sum>
auto accurate_sum_promise(std::string name, Domain<FloatCase> domain, Sum sum,
                          Claim<FloatCase, float, oracle::Dyadic> claim) {
  return TypedModel(Property<FloatCase, float, oracle::Dyadic>{
      .name = std::move(name),
      .domain = std::move(domain),
      .subject =
          [sum](const Executor&, const FloatCase& c) {
            std::vector<float> terms = c.x;
            return static_cast<float>(sum(terms.data(), static_cast<std::int64_t>(terms.size())));
          },
      .reference = [](const FloatCase& c) { return all_finite(c.x) ? sum::exact_sum_of(c) : oracle::Dyadic(); },
      .claims = {std::move(claim)},
      .quick_cases = 1000});
}

template <class Sum>
auto sign_promise(Sum sum) {
  return accurate_sum_promise(
      "mutants.acc_sign", sum::accurate_sum_domain<float>(sum::SumRoom::scaled, sum::detail::first_sign_trap<float>),
      sum, claim_spec("sign", sum_acc_sign_1, [](const auto&, const auto& truth, float result) {
        return judge_exact(value_of(result), oracle::Dyadic(truth.sign()));
      }));
}

template <class Sum>
auto fast_sum_promise(Sum sum) {
  constexpr auto longest = static_cast<std::size_t>(most_summands_of_fast<float>());
  return accurate_sum_promise("mutants.fast_acc_sum", sum::accurate_sum_domain<float>(sum::SumRoom::scaled, longest),
                              sum, faithful("faithful", sum_fast_acc_sum_1));
}

/// A faithful rounding of s, or an error of at most u·S.
template <class Sum>
auto single_precision_promise(Sum sum) {
  return accurate_sum_promise(
      "mutants.prec_sum", sum::accurate_sum_domain<float>(sum::SumRoom::scaled), sum,
      claim_spec("error", sum_prec_sum_1, [](const FloatCase& c, const oracle::Dyadic& truth, float result) {
        const Judgement is_faithful = judge_faithful(bits_of(result), truth, format_of<float>());
        if (is_faithful.verdict == Verdict::holds || !is_finite(result)) return is_faithful;
        return judge_within(value_of(result), truth, sum_prec_sum_1(1, sum::exact_sums(c).magnitudes, 24));
      }));
}

template <class Sum>
auto refusal_promise(Sum sum) {
  return accurate_sum_promise(
      "mutants.refused_sum", sum::refused_sum_domain<float>(), sum,
      satisfies("nan", sum_special_values_2, [](const auto&, float result) { return result != result; }));
}

/// The mistakes of kernel_mutants.cmake.
Rows mutated_copies() {
  return {
      kernel_row({"S19", "log2 n for log2(n + 2) in the exponent of sigma", 9000},
                 sign_promise([](float* x, std::int64_t n) { return s19::acc_sign(x, n); }),
                 sign_promise([](float* x, std::int64_t n) { return acc_sign(x, n); })),
      kernel_row({"S20", "the next sigma of FastAccSum is half of the proved one", 130},
                 fast_sum_promise([](float* x, std::int64_t n) { return s20::fast_acc_sum(x, n); }),
                 fast_sum_promise([](float* x, std::int64_t n) { return fast_acc_sum(x, n); })),
      kernel_row({"S21", "PrecSum with one extraction too few", 2700},
                 single_precision_promise([](float* x, std::int64_t n) { return s21::prec_sum(x, n, 1); }),
                 single_precision_promise([](float* x, std::int64_t n) { return prec_sum(x, n, 1); })),
      kernel_row({"S22", "the test of the range leaves out the first term", 53},
                 refusal_promise([](float* x, std::int64_t n) { return s22::acc_sum(x, n); }),
                 refusal_promise([](float* x, std::int64_t n) { return acc_sum(x, n); })),
  };
}

}  // namespace

Rows accurate_sum_rows() {
  Rows rows = rows_of<NearSumMistake>(
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
          {{"S15", "extraction ends at 2^(M - p) sigma", 1000}, NearSumMistake::stops_early},
      },
      near_sum_promise);
  for (Row& each : mutated_copies()) rows.push_back(std::move(each));
  return rows;
}

}  // namespace assay::mutants
