// Kernels from outside that work on rows, and functions of numbers, in binary32: rungs of forms in common use,
// conventions, and mistakes in places that only some shapes have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "oracle/ball_functions.hpp"
#include "properties/contracts/softmax_cases.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

/// "keeps any_order; breaks faithful": the contracts that the function of the library keeps and breaks.
std::string ladder(const std::string& name, const std::string& symbol, std::uint64_t cases,
                   const std::string& format = "f32") {
  return ladder_of_symbol(ASSAY_LIBRARY_OF_ROWS, name, symbol, format, cases);
}

/// The contracts about an error that a ladder keeps.
std::string kept_bounds(const std::string& operation, const std::string& found) {
  std::string kept;
  std::istringstream words(found.substr(0, found.find(';')));
  for (std::string id; words >> id;) {
    if (id.back() == ',') id.pop_back();
    const Contract* const contract = find_operation(operation)->find(id);
    if (contract != nullptr && contract->is_about_error) kept += id + " ";
  }
  return kept;
}

/// Functions of an operation with their ladders.
void expect_ladders(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& ladders,
                    std::uint64_t cases = 150) {
  for (const auto& [symbol, expected] : ladders) EXPECT_EQ(ladder(operation, symbol, cases), expected) << symbol;
}

TEST(RmsNorm, HasTheRungOfItsForm) {
  expect_ladders(
      "rms_norm",
      {{"rms_norm_weight_first", "keeps any_order, exceptional, batch_invariant; breaks any_range"},
       {"rms_norm_in_double", "keeps faithful, exceptional, batch_invariant; breaks correctly_rounded"},
       {"rms_norm_flushes", "keeps any_order_ftz, exceptional, batch_invariant; breaks any_order, any_range"}});
}

TEST(RmsNorm, OfNarrowNumbersMayBeStoredTwice) {
  for (const std::string format : {"f16", "bf16"}) {
    EXPECT_EQ(ladder("rms_norm", "rms_norm_" + format + "_stored_twice", 150, format),
              "keeps stored_twice, exceptional, batch_invariant; breaks faithful, f32_any_order_ftz, f32_any_range");
  }
}

TEST(LayerNorm, HasTheRungOfItsForm) {
  expect_ladders("layer_norm",
                 {{"layer_norm_weight_first",
                   "keeps two_pass, exceptional, batch_invariant; breaks faithful, wide_two_pass, any_range"},
                  {"layer_norm_in_double", "keeps correctly_rounded, exceptional, batch_invariant"},
                  {"layer_norm_shifts",
                   "keeps scale_shift, exceptional, batch_invariant; breaks faithful, wide_two_pass, welford_ftz, "
                   "one_pass_ftz, any_range"},
                  {"layer_norm_flushes",
                   "keeps two_pass_ftz, exceptional, batch_invariant; breaks faithful, wide_two_pass, welford, "
                   "one_pass_scale_shift, any_range"},
                  {"layer_norm_one_pass",
                   "keeps one_pass, exceptional, batch_invariant; breaks faithful, wide_two_pass, scale_shift_ftz, "
                   "welford_ftz, any_range"},
                  {"layer_norm_one_pass_shifts",
                   "keeps one_pass_scale_shift, exceptional, batch_invariant; breaks faithful, wide_two_pass, "
                   "scale_shift_ftz, welford_ftz, "
                   "one_pass_ftz, any_range"}});
}

TEST(LayerNorm, ThatReturnsNaNForNumbersIsNotOfOnePass) {
  EXPECT_EQ(ladder("layer_norm", "layer_norm_without_clamp", 150),
            "keeps exceptional, batch_invariant; breaks welford_ftz, any_range, finite");
}

TEST(Norms, ThatPassOverNaNBreakTheContractOfSpecialNumbers) {
  expect_ladders("rms_norm",
                 {{"rms_norm_passes_over_nan", "keeps any_order, batch_invariant; breaks any_range, exceptional"}});
  expect_ladders("layer_norm",
                 {{"layer_norm_passes_over_nan",
                   "keeps two_pass, batch_invariant; breaks faithful, wide_two_pass, any_range, exceptional"}});
}

TEST(Softmax, HasTheRungOfItsForm) {
  EXPECT_NE(kept_bounds("softmax", ladder("softmax", "softmax_exp2", 150)), "");
  expect_ladders(
      "softmax",
      {{"softmax_scaled_exp2",
        "keeps unshifted_1ulp, scaled_exp2_3ulp, of_log_sum_3ulp, exceptional, batch_invariant; breaks "
        "shifted_exp2_3ulp_ftz, row_sum"},
       {"softmax_flushes",
        "keeps unshifted_1ulp, shifted_3ulp_ftz, row_sum, exceptional, batch_invariant; breaks scaled_exp2_3ulp, "
        "of_log_sum_3ulp"},
       {"softmax_of_log_sum",
        "keeps scaled_exp2_3ulp, of_log_sum_3ulp, exceptional, batch_invariant; breaks unshifted_3ulp_ftz, "
        "shifted_exp2_3ulp_ftz, row_sum"}});
}

TEST(LogSoftmax, ByExp2KeepsABound) {
  EXPECT_NE(kept_bounds("log_softmax", ladder("log_softmax", "log_softmax_exp2", 150)), "");
}

TEST(LogSoftmax, HasARungForTheRelativeErrorOfSmallResults) {
  EXPECT_EQ(ladder("log_softmax", "log_softmax_log1p", 150),
            "keeps log1p_1ulp, exceptional, batch_invariant; breaks faithful");
  EXPECT_EQ(ladder("log_softmax", "log_softmax_log1p_flushes", 150),
            "keeps shifted_1ulp, log1p_3ulp_ftz, exceptional, batch_invariant; breaks log1p_3ulp");
}

TEST(Conventions, OfMaskedRowsAreToldApart) {
  const std::string form = "keeps shifted_1ulp, row_sum, nan_stays, ";
  expect_ladders("softmax",
                 {{"softmax_masked_zero", form + "masked_zero, infinity_nan, batch_invariant; breaks faithful"},
                  {"softmax_masked_uniform", form + "masked_uniform, infinity_nan, batch_invariant; breaks faithful"},
                  {"softmax_infinity_limit", form + "masked_nan, infinity_limit, batch_invariant; breaks faithful"}});
}

TEST(Conventions, LetNoKernelDropANaN) {
  EXPECT_EQ(ladder("softmax", "softmax_nan_is_zero", 150),
            "keeps shifted_1ulp, row_sum, masked_zero, batch_invariant; breaks faithful, nan_stays, infinity_nan, "
            "infinity_limit");
}

TEST(Places, OfRowsThatAreNotWrittenAreMet) {
  for (const auto& [operation, symbol] : std::vector<std::pair<std::string, std::string>>{
           {"rms_norm", "rms_norm_8_rows"}, {"layer_norm", "layer_norm_8_rows"}, {"softmax", "softmax_8_rows"}}) {
    EXPECT_EQ(kept_bounds(operation, ladder(operation, symbol, 100)), "") << symbol;
  }
}

TEST(Places, OfColumnsBehindABlockAreMetByDefault) {
  for (const auto& [operation, symbol] :
       std::vector<std::pair<std::string, std::string>>{{"rms_norm", "rms_norm_1024_columns"},
                                                        {"layer_norm", "layer_norm_1024_columns"},
                                                        {"softmax", "softmax_1024_columns"}}) {
    EXPECT_EQ(kept_bounds(operation, ladder(operation, symbol, 1000)), "") << symbol;
  }
}

TEST(Screens, OfNumbersOfRowsChangeNoJudgement) {
  for (const auto& [operation, symbol, format] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"softmax", "softmax_flushes", "f32"},
           {"softmax", "softmax_1024_columns", "f32"},
           {"log_softmax", "log_softmax_exp2", "f32"},
           {"layer_norm", "layer_norm_one_pass", "f32"},
           {"rms_norm", "rms_norm_flushes", "f32"},
           {"rms_norm", "rms_norm_f16_stored_twice", "f16"}}) {
    const auto property = property_of_symbol(ASSAY_LIBRARY_OF_ROWS, operation, symbol, format);
    constexpr std::uint64_t cases = 30;
    const Tally screened = judged(*property, cases);
    const NotedBounds each_is_judged(0);
    EXPECT_TRUE(judged(*property, cases) == screened) << symbol;
  }
}

TEST(ExactRows, TellTruthsNearOneAndNearADifferenceAtTheFirstPrecision) {
  using contracts::RowsCase;
  const RowsCase<double> far{1, 2, {0, -700}};
  const auto at_first = [](const oracle::Exact& truth) { return std::get<oracle::Enclosure>(truth).at(128); };
  const auto shares = contracts::softmax::exact_rows<contracts::softmax::Softmax>(far);
  EXPECT_EQ(less(at_first(shares[0]), oracle::Ball(oracle::Dyadic(1))), oracle::Answer::yes);
  const auto logarithms = contracts::softmax::exact_rows<contracts::softmax::LogSoftmax>(far);
  EXPECT_EQ(less(at_first(logarithms[1]), oracle::Ball(oracle::Dyadic(-700))), oracle::Answer::yes);
}

TEST(Screens, StopAtManyViolatedNumbersOfACase) {
  const auto property = property_of_symbol(ASSAY_LIBRARY_OF_ROWS, "softmax", "softmax_8_rows", "f32");
  const Tally tally = judged(*property, 100);
  std::uint64_t violated = 0;
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const Contract* const contract = find_operation("softmax")->find(property->info().claims[i].id);
    const bool is_bound =
        contract != nullptr && contract->is_about_error && contract->id.find("ulp") != std::string::npos;
    if (!is_bound) continue;
    violated += tally.claims[i].violated;
    EXPECT_LE(tally.claims[i].violated_components, tally.claims[i].violated * (contracts::most_violations + 1));
  }
  EXPECT_NE(violated, 0U);
}

TEST(Softmax, WithAFloorOfTheMaximumKeepsNoBoundOfAllRows) {
  // The forms for rows of moderate numbers say nothing of others.
  expect_ladders("softmax",
                 {{"softmax_floor",
                   "keeps unshifted_1ulp, scaled_exp2_3ulp, of_log_sum_3ulp, exceptional, batch_invariant; breaks "
                   "shifted_exp2_3ulp_ftz, row_sum"},
                  {"softmax_low_floor",
                   "keeps unshifted_1ulp, scaled_exp2_3ulp, of_log_sum_3ulp, exceptional, batch_invariant; breaks "
                   "shifted_exp2_3ulp_ftz, row_sum"}});
}

TEST(Functions, ThatFlushOrAreFastHaveARung) {
  expect_ladders("exp",
                 {{"exp_flushes", "keeps ulp_2_ftz, special_values, monotone; breaks ulp_64, steps_64"},
                  {"exp_by_exp2", "keeps ulp_4_plus_2x, special_values, monotone; breaks steps_64, ulp_64_ftz"}},
                 4000);
}

TEST(Functions, HaveNoLinearRungInBfloat16WhereItIsAWholeNumber) {
  for (const auto& [operation, contract] : {std::pair("exp", "ulp_4_plus_2x"), std::pair("exp10", "ulp_4_plus_5x")}) {
    const std::vector<std::string> formats = find_operation(operation)->find(contract)->formats;
    EXPECT_EQ(formats, (std::vector<std::string>{"f64", "f32", "f16"})) << operation;
  }
}

TEST(Functions, ThatAreCorrectlyRoundedNeedNotBeOddAtZero) {
  const Operation& sin = *find_operation("sin");
  const std::string found = ladder("sin", "sin_plus_zero", 4000);
  EXPECT_EQ(found, "keeps correctly_rounded; breaks special_values, odd");
  std::set<std::string> implied;
  for (const std::string& each : sin.find("correctly_rounded")->implies) implied.insert(each);
  EXPECT_EQ(implied.count("odd"), 0U);
}

TEST(ExponentialOfTwoWords, IsWithinFiveUnitsOfTheTruth) {
  const auto expect_near = [](double d, double low) {
    const oracle::Ball truth = exp(oracle::Ball(-(oracle::exact(d) + oracle::exact(low))), 128);
    const oracle::Ball got(oracle::exact(enclosures::exponential(d, low)));
    const oracle::Ball most = mul(truth, oracle::Ball(oracle::Dyadic::scaled(5, -53)), 128);
    const oracle::Ball off = sub(got, truth, 128);
    ASSERT_EQ(less(off, most), oracle::Answer::yes) << d << " + " << low;
    ASSERT_EQ(less(sub(oracle::Ball(), most, 128), off), oracle::Answer::yes) << d << " + " << low;
  };
  bits::SplitMix64 draw(1);
  const auto up_to = [&](double most) { return std::ldexp(static_cast<double>(draw() >> 11), -53) * most; };
  for (int k = 0; k < 20'000; ++k) {
    const double d = up_to(k % 2 == 0 ? 2 : 624);
    expect_near(d, k % 3 == 0 ? 0 : (up_to(2) - 1) * d * 0x1p-53);
  }
  for (double k = 0; k < 900; ++k) {  // beside the middle between two multiples of ln 2
    for (const double d : {(k + 0.5) * 0x1.62e42fefa39efp-1, k * 0x1.62e42fefa39efp-1}) {
      for (const double beside : {std::nextafter(d, 0), d, std::nextafter(d, 700)}) {
        for (const double low : {-0x1p-53, 0.0, 0x1p-53}) expect_near(beside, low * beside);
      }
    }
  }
  expect_near(624, 0);
}

/// How many numbers of a case RowInBinary64 knows; none is farther from its truth than it says.
template <class Function>
std::size_t known_in_binary64(const contracts::RowsCase<float>& c) {
  namespace softmax = contracts::softmax;
  const std::vector<oracle::Exact> truth = softmax::exact_rows<Function>(c);
  const std::vector<Near> nears = softmax::nears_of_rows<Function>(c);
  EXPECT_EQ(nears.size(), truth.size());
  std::size_t known = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isinf(nears[i].radius)) continue;
    ++known;
    const oracle::Ball distance = sub(oracle::Ball(oracle::exact(nears[i].high)), enclosed(truth[i], 128), 128);
    EXPECT_LE(std::max(abs(distance.lower()), abs(distance.upper())), oracle::exact(nears[i].radius)) << i;
  }
  return known;
}

TEST(RowInBinary64, IsNearTheTruthOfRowsOfAnyLength) {
  const auto classes = contracts::softmax::softmax_domain<float>().classes;
  std::size_t known = 0;
  std::size_t all = 0;
  for (int k = 0; k < 400; ++k) {
    const auto c = classes[k % classes.size()].generator(random_for(1, "row", k));
    all += c.x.size();
    known += known_in_binary64<contracts::softmax::Softmax>(c);
    known_in_binary64<contracts::softmax::LogSoftmax>(c);
  }
  EXPECT_GT(known, all / 2);
}

/// A third of the numbers are 2⁻²⁴ and less below the largest: their errors add up.
TEST(RowInBinary64, AllowsForTheErrorsOfALongSum) {
  contracts::RowsCase<float> c{1, 8192, std::vector<float>(8192)};
  for (std::size_t i = 0; i < c.x.size(); ++i) c.x[i] = -std::ldexp(static_cast<float>(i % 3 * (i % 1021)), -24);
  EXPECT_EQ(known_in_binary64<contracts::softmax::Softmax>(c), c.x.size());
  EXPECT_EQ(known_in_binary64<contracts::softmax::LogSoftmax>(c), c.x.size());
}

}  // namespace
}  // namespace assay
