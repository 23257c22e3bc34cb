// Discrete Fourier transforms from outside: the contracts of right forms, planted mistakes, and the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/contracts/fft_cases.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

using Ids = std::set<std::string>;

/// The contracts that the function of the library breaks. None may be undecided.
Ids broken_by(const std::string& symbol, const std::string& format, std::uint64_t cases) {
  const std::string name = symbol + (format == "f32" ? "_f32" : "");
  const auto property = property_of_symbol(ASSAY_LIBRARY_OF_TRANSFORMS, "fft", name, format);
  const Tally tally = judged(*property, cases);
  Ids broken;
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const std::string& id = property->info().claims[i].id;
    EXPECT_EQ(tally.claims[i].undecided, 0U) << name << " " << id;
    if (tally.claims[i].violated != 0) broken.insert(id);
  }
  return broken;
}

/// Expects that the function keeps each of these contracts in both formats.
void expect_kept(const std::string& symbol, const Ids& claimed, std::uint64_t cases = 150) {
  for (const std::string format : {"f64", "f32"}) {
    const Ids broken = broken_by(symbol, format, cases);
    for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 0U) << symbol << " " << format << " " << id;
  }
}

/// Expects that the function breaks each of these contracts.
void expect_broken(const std::string& symbol, const std::string& format, const Ids& claimed,
                   std::uint64_t cases = 200) {
  const Ids broken = broken_by(symbol, format, cases);
  for (const std::string& id : claimed) EXPECT_EQ(broken.count(id), 1U) << symbol << " " << format << " " << id;
}

const Ids of_powers{"power_of_two", "power_of_two_computed", "each_power_of_two", "each_power_of_two_computed"};
const Ids of_computed{"power_of_two_computed", "each_power_of_two_computed"};
const Ids of_any{"mixed_radix", "any_length", "each_mixed_radix"};

Ids joined(Ids a, const Ids& b) {
  a.insert(b.begin(), b.end());
  return a;
}

TEST(Fft, ByStagesWithNearestRootsKeepsEveryBoundOfStages) {
  const Ids claimed = joined(joined(of_powers, of_any), {"exact", "exceptional"});
  for (const char* const symbol : {"fft_recursive", "fft_radix_4", "fft_split_radix", "fft_iterative"}) {
    expect_kept(symbol, claimed);
  }
}

TEST(Fft, WithComputedRootsKeepsTheBoundsOfThese) {
  expect_kept("fft_recursive_computed", joined(joined(of_computed, of_any), {"exact", "exceptional"}));
}

TEST(Fft, AsADirectSumKeepsTheBoundOfASum) { expect_kept("fft_direct", {"direct", "exact", "exceptional"}); }

TEST(Fft, ByBluesteinsAlgorithmKeepsTheBoundOfAnyLength) {
  expect_kept("fft_bluestein", {"any_length", "exceptional"});
  expect_broken("fft_bluestein", "f64", {"exact", "power_of_two"});
}

/// Expects that every bound refuses what is another transform.
void expect_refused(const std::string& format) {
  const Ids bounds = joined(of_powers, of_any);
  for (const char* const symbol :
       {"fft_inverse", "fft_left_out", "fft_conjugate", "fft_stale", "fft_real_first", "fft_scaled"}) {
    expect_broken(symbol, format, joined(bounds, {"direct", "exact"}));
  }
  expect_broken("fft_bit_reversal", format, bounds);
}

TEST(Fft, ThatIsAnotherTransformBreaksEveryBoundInBinary64) { expect_refused("f64"); }
TEST(Fft, ThatIsAnotherTransformBreaksEveryBoundInBinary32) { expect_refused("f32"); }

TEST(Fft, WithRootsByARecurrenceBreaksTheBoundsOfNearestRoots) {
  for (const std::string format : {"f64", "f32"}) {
    expect_broken("fft_recurrence", format, {"power_of_two", "each_power_of_two"}, 300);
  }
}

TEST(Fft, WithRootsOfANarrowFormatBreaksTheBoundsOfComputedRoots) {
  expect_broken("fft_narrow_roots", "f64", of_computed);
}

TEST(Fft, ControlsAreRefusedByEveryBound) { expect_controls_refused("fft", {"f64", "f32"}, 200); }

// -------------------------------------------------------------------------------------------------------- truth

using oracle::Ball;
using oracle::Dyadic;

/// Σ xⱼ·exp(−2πijk/n) by elementary functions of balls, term by term.
std::pair<Ball, Ball> direct_sum(const std::vector<Dyadic>& x, std::size_t k, long bits) {
  const std::size_t n = x.size() / 2;
  std::pair<Ball, Ball> sum;
  for (std::size_t j = 0; j < n; ++j) {
    const oracle::Rational turn(static_cast<long>(2 * (j * k % n)), static_cast<long>(n));
    const Ball angle = mul(oracle::pi(bits), Ball(turn, bits), bits);
    const Ball c = oracle::elementary_of(oracle::Elementary::cos, angle, bits);
    const Ball s = oracle::elementary_of(oracle::Elementary::sin, angle, bits);
    const Ball a(x[2 * j]);
    const Ball b(x[2 * j + 1]);
    sum.first = add(sum.first, add(mul(a, c, bits), mul(b, s, bits), bits), bits);
    sum.second = add(sum.second, sub(mul(b, c, bits), mul(a, s, bits), bits), bits);
  }
  return sum;
}

TEST(FftTruth, IsTheSumOfTheDefinitionForEveryLength) {
  constexpr long bits = 128;
  for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 25, 31, 64, 97}) {
    contracts::fft::FftCase<double> c;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      c.x.push_back(static_cast<double>(static_cast<int>(i * i * 37 % 101) - 50) / 8);
    }
    std::vector<Dyadic> x;
    for (const double each : c.x) x.push_back(oracle::exact(each));
    const contracts::fft::Transformed& truth = contracts::fft::transformed(c);
    ASSERT_EQ(truth.y.size(), 2 * n);
    EXPECT_LT(truth.radius, Dyadic::scaled(1, -90)) << n;
    for (std::size_t k = 0; k < n; ++k) {
      const auto [re, im] = direct_sum(x, k, bits);
      for (const auto& [sum, at] : {std::pair(re, 2 * k), std::pair(im, 2 * k + 1)}) {
        EXPECT_LE(truth.y[at] - truth.radius, sum.upper()) << n << " " << at;
        EXPECT_GE(truth.y[at] + truth.radius, sum.lower()) << n << " " << at;
        EXPECT_LT(sum.upper() - sum.lower(), Dyadic::scaled(1, -90)) << n << " " << at;
      }
    }
  }
}

TEST(FftTruth, OfFirstNumberAloneIsExact) {
  const contracts::fft::FftCase<double> c{{0.1, -3, 0, 0, 0, 0}};
  const contracts::fft::Transformed& truth = contracts::fft::transformed(c);
  EXPECT_TRUE(truth.radius.is_zero());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(truth.y[2 * k], oracle::exact(0.1));
    EXPECT_EQ(truth.y[2 * k + 1], Dyadic(-3));
  }
}

TEST(FftTruth, OfZerosThatBallsCannotTellIsZero) {
  const contracts::fft::FftCase<double> c{std::vector<double>(16, 0.1)};
  const contracts::fft::Transformed& truth = contracts::fft::transformed(c);
  for (std::size_t i = 2; i < 16; ++i) EXPECT_TRUE(truth.y[i].is_zero()) << i;
}

}  // namespace
}  // namespace assay
