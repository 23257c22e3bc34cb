// Numbers of a program that overflow: what its result may be then, formula.overflow.1.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::formulas {
namespace {

using ::testing::HasSubstr;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string softplus = "f(x) -> y\n  y = max(x, 0) + log1p(exp(-abs(x)))\n  way y = log1p(exp(x))\n";

/// The first entry of a result, as a machine judges it. The numbers of the inputs are those of one axis, or scalars.
class Entry {
 public:
  Entry(const std::string& text, const std::vector<std::vector<double>>& inputs, const std::string& machine,
        const std::string& format = "f32")
      : typed_(typed(std::make_shared<const Formula>(parse(text, "t")), format)),
        machines_(ladder(*typed_.formula, typed_.parameters.front())),
        truth_(typed_, case_of(inputs), machines_) {
    while (machines_[place_].name != machine) ++place_;
  }

  bool has_bound() const { return truth_.bounds(place_)[0].is_finite(); }
  bool is_said() const { return truth_.is_said(place_, 0); }
  std::string why_unsaid() const { return truth_.why_unsaid(place_, 0); }
  bool admits(double got) const {
    return judge_outcome(word(got), truth_.exact()[0], truth_.outcomes(place_)[0], machines_[place_], typed_.result, 0)
               .verdict == Verdict::holds;
  }

 private:
  std::uint64_t word(double x) const {
    const oracle::Format& format = typed_.result;
    if (std::isnan(x)) return format.nan();
    if (std::isinf(x)) return format.infinity() | (x < 0 ? format.sign_mask() : 0);
    return oracle::round(oracle::exact(x), format, oracle::Rounding::nearest);
  }
  Case case_of(const std::vector<std::vector<double>>& inputs) const {
    Case c;
    if (!typed_.free_axes().empty()) c.lengths = {static_cast<std::int64_t>(inputs[0].size())};
    for (const std::vector<double>& numbers : inputs) {
      c.words.emplace_back();
      for (const double x : numbers) c.words.back().push_back(word(x));
    }
    return c;
  }

  Typed typed_;
  std::vector<Machine> machines_;
  Truth truth_;
  std::size_t place_ = 0;
};

TEST(Overflow, OfOneWayAdmitsWhatThatWayGivesAndNumbersWithinTheBound) {
  for (const double x : {88.722832, 100.0, 0x1p20}) {  // at 88.722832 exp(x) may overflow
    const Entry entry(softplus, {{x}}, "ways");
    EXPECT_FALSE(entry.has_bound());
    ASSERT_TRUE(entry.is_said()) << x << ": " << entry.why_unsaid();
    EXPECT_TRUE(entry.admits(x)) << x;
    EXPECT_TRUE(entry.admits(inf)) << x;
    for (const double wrong : {7.0, 0.0, -x, x * (1 + 0x1p-16), -inf, nan}) EXPECT_FALSE(entry.admits(wrong)) << wrong;
  }
}

TEST(Overflow, OfOneWayIsNoneOfAMachineWithoutWays) {
  const Entry entry(softplus, {{100}}, "fast");
  EXPECT_TRUE(entry.has_bound());
  EXPECT_FALSE(entry.admits(inf));
}

TEST(Overflow, BehindAFunctionWithALimitIsANumber) {
  const Entry tanh("f(x) -> y\n  y = x * tanh(log1p(exp(x)))\n", {{100}}, "fast");
  EXPECT_FALSE(tanh.has_bound());
  EXPECT_TRUE(tanh.admits(100));
  for (const double wrong : {7.0, 100.01, inf, nan}) EXPECT_FALSE(tanh.admits(wrong)) << wrong;
  const Entry quotient("f(x) -> y\n  y = 1 / (1 + exp(x))\n", {{100}}, "fast");
  EXPECT_TRUE(quotient.admits(0));
  EXPECT_TRUE(quotient.admits(std::exp(-100.0)));
  for (const double wrong : {1e-30, 1.0, inf, nan}) EXPECT_FALSE(quotient.admits(wrong)) << wrong;
  const Entry exponential("f(x) -> y\n  y = exp(-exp(x))\n", {{1000}}, "fast");
  EXPECT_TRUE(exponential.admits(0));
  for (const double wrong : {1e-30, 1.0, inf, nan}) EXPECT_FALSE(exponential.admits(wrong)) << wrong;
}

TEST(Overflow, LeavesTheOtherArgumentToAMinimum) {
  const Entry minimum("f(x, y) -> z\n  z = min(exp(x), y)\n", {{1000}, {3}}, "fast");
  EXPECT_TRUE(minimum.admits(3));
  for (const double wrong : {7.0, inf, nan}) EXPECT_FALSE(minimum.admits(wrong)) << wrong;
  const Entry maximum("f(x, y) -> z\n  z = max(-exp(x), y)\n", {{1000}, {3}}, "fast");
  EXPECT_TRUE(maximum.admits(3));
  for (const double wrong : {7.0, -inf, nan}) EXPECT_FALSE(maximum.admits(wrong)) << wrong;
  const Entry difference("f(x, y) -> z\n  z = exp(x) - exp(y)\n", {{100}, {101}}, "fast");
  for (const double possible : {inf, -inf, nan}) EXPECT_TRUE(difference.admits(possible)) << possible;
  EXPECT_FALSE(difference.admits(7));
}

TEST(Overflow, OfAPartialSumMayMeetATermOfTheOtherSign) {
  const std::string sum = "f(x[n]) -> y\n  y = sum(x, axis=n)\n";
  const Entry signs(sum, {{3e38, 3e38, -3e38, -3e38}}, "any_order");
  for (const double possible : {0.0, inf, -inf, nan}) EXPECT_TRUE(signs.admits(possible)) << possible;
  EXPECT_FALSE(signs.admits(1e36));
  const Entry positive(sum, {{3e38, 3e38, 1e38}}, "any_order");
  EXPECT_TRUE(positive.admits(inf));
  for (const double wrong : {7.0, 3e38, -inf, nan}) EXPECT_FALSE(positive.admits(wrong)) << wrong;
  const Entry logarithm("f(x[n]) -> y\n  y = log(sum(exp(x), axis=n))\n", {{100, 3}}, "fast");
  EXPECT_TRUE(logarithm.admits(inf));
  EXPECT_TRUE(logarithm.admits(100));
  for (const double wrong : {7.0, -inf, nan}) EXPECT_FALSE(logarithm.admits(wrong)) << wrong;
}

TEST(Overflow, OfAFusedProductIsNone) {
  const Entry entry("f(a, b, c) -> y\n  y = a * b + c\n", {{0x1p64}, {0x1p64}, {-0x1p127}}, "any_order");
  EXPECT_TRUE(entry.admits(0x1p127));
  EXPECT_TRUE(entry.admits(inf));
  for (const double wrong : {7.0, -inf, nan}) EXPECT_FALSE(entry.admits(wrong)) << wrong;
}

TEST(Overflow, OfAStoredDefinitionIsThatOfItsFormat) {
  const Entry entry("f(x) -> y\n  z = x * x\n  y = z / x\n", {{1000}}, "stored_z", "f16");
  EXPECT_TRUE(entry.admits(1000));
  EXPECT_TRUE(entry.admits(inf));
  for (const double wrong : {7.0, -inf}) EXPECT_FALSE(entry.admits(wrong)) << wrong;
}

TEST(Overflow, OfALogitLeavesNothingToSay) {
  const Entry entry("f(x[n]) -> y[n]\n  s = x * x\n  y = softmax(s, axis=n)\n", {{1e30, 3}}, "any_order");
  EXPECT_FALSE(entry.is_said());
  EXPECT_THAT(entry.why_unsaid(), HasSubstr("may overflow in f32"));
}

TEST(Overflow, IsNotTheReasonWhereADivisorMayBeZeroOrASumHasNoBound) {
  const Entry quotient("f(x, y) -> z\n  z = 1 / (x + y - 1)\n", {{1}, {0x1p-40}}, "any_order");
  EXPECT_FALSE(quotient.is_said());
  EXPECT_THAT(quotient.why_unsaid(), HasSubstr("the divisor of z = div may be 0 (formula.quotient.1)"));
  const std::string weights = "f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\nmachine narrow_sums\n  sum any ; wide bf16\n";
  const Entry few(weights, {std::vector<double>(256, 1)}, "narrow_sums");
  const Entry many(weights, {std::vector<double>(257, 1)}, "narrow_sums");
  EXPECT_TRUE(few.is_said());
  EXPECT_FALSE(many.is_said());
  EXPECT_THAT(many.why_unsaid(), HasSubstr("sums of more than 256 weights of a softmax in bf16 in any order have no "
                                           "bound; here 257 are added (formula.norm.1)"));
}

/// A derivation names an entry by its place along each axis.
TEST(Overflow, IsNoReasonToCountThePlacesOfAMatrixInARow) {
  const Typed of = typed(std::make_shared<const Formula>(parse("f(x[r,n]) -> z[r,n]\n  z = x / 3\n", "t")), "f32");
  const Case c{{2, 3}, {std::vector<std::uint64_t>(6, 0x3f800000)}};
  EXPECT_THAT(Truth(of, c, ladder(*of.formula, oracle::binary32)).derivation(0, 5), HasSubstr("z[1, 2] = [0.333"));
}

}  // namespace
}  // namespace assay::formulas
