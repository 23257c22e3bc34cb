// The truth of discrete Fourier transforms.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/contracts/fft_cases.hpp"

namespace assay {
namespace {

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
    const contracts::fft::Transformed& truth = contracts::fft::transformed<contracts::fft::Forward>(c);
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
  const contracts::fft::Transformed& truth = contracts::fft::transformed<contracts::fft::Forward>(c);
  EXPECT_TRUE(truth.radius.is_zero());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(truth.y[2 * k], oracle::exact(0.1));
    EXPECT_EQ(truth.y[2 * k + 1], Dyadic(-3));
  }
}

TEST(FftTruth, OfZerosThatBallsCannotTellIsZero) {
  const contracts::fft::FftCase<double> c{std::vector<double>(16, 0.1)};
  const contracts::fft::Transformed& truth = contracts::fft::transformed<contracts::fft::Forward>(c);
  for (std::size_t i = 2; i < 16; ++i) EXPECT_TRUE(truth.y[i].is_zero()) << i;
}

/// Some numbers with fractions of eighths.
std::vector<double> some_numbers(std::size_t count) {
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) x.push_back(static_cast<double>(static_cast<int>(i * i * 37 % 101) - 50) / 8);
  return x;
}

/// Expects that each number of `truth` is `expected`, to the radius and 2⁻⁹⁰.
void expect_near(const contracts::fft::Transformed& truth, const std::vector<Dyadic>& expected,
                 const std::string& what) {
  EXPECT_LT(truth.radius, Dyadic::scaled(1, -90)) << what;
  ASSERT_EQ(truth.y.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LE(abs(truth.y[i] - expected[i]), truth.radius + Dyadic::scaled(1, -90)) << what << " " << i;
  }
}

std::vector<Dyadic> exactly(const std::vector<double>& x) {
  std::vector<Dyadic> exact;
  for (const double each : x) exact.push_back(oracle::exact(each));
  return exact;
}

using contracts::fft::Lengths;
using contracts::fft::Transform;

/// The transform of the whole signal, computed number by number.
std::vector<Dyadic> by_definition(const Lengths& lengths, const std::vector<Dyadic>& x) {
  constexpr long bits = 160;
  std::vector<Dyadic> y;
  const std::uint64_t n = lengths.points();
  for (std::size_t l = 0; l < lengths.rows; ++l) {
    for (std::size_t k = 0; k < lengths.columns; ++k) {
      std::pair<Ball, Ball> sum;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t turns = i / lengths.columns * l * lengths.columns + i % lengths.columns * k * lengths.rows;
        const oracle::Rational turn(static_cast<long>(2 * (turns % n)), static_cast<long>(n));
        const Ball angle = mul(oracle::pi(bits), Ball(turn, bits), bits);
        const Ball c = oracle::elementary_of(oracle::Elementary::cos, angle, bits);
        const Ball s = oracle::elementary_of(oracle::Elementary::sin, angle, bits);
        const Ball a(x[2 * i]);
        const Ball b(x[2 * i + 1]);
        sum.first = add(sum.first, add(mul(a, c, bits), mul(b, s, bits), bits), bits);
        sum.second = add(sum.second, sub(mul(b, c, bits), mul(a, s, bits), bits), bits);
      }
      y.push_back(sum.first.lower());
      y.push_back(sum.second.lower());
    }
  }
  return y;
}

TEST(FftTruth, OfTwoDimensionsIsTheSumOfTheDefinition) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 5}, {5, 1}, {2, 4}, {2, 3}, {3, 5}, {4, 8}, {7, 6}}) {
    const Lengths lengths{rows, columns};
    const std::vector<Dyadic> x = exactly(some_numbers(2 * lengths.points()));
    expect_near(contracts::fft::transformed(Transform{}, lengths, x), by_definition(lengths, x),
                std::to_string(rows) + "x" + std::to_string(columns));
  }
}

TEST(FftTruth, OfInversesGivesBackWhatWasTransformed) {
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 31, 64}) {
    const Lengths lengths{1, n};
    const std::vector<Dyadic> x = exactly(some_numbers(2 * n));
    const auto y = contracts::fft::transformed(Transform{}, lengths, x);
    expect_near(contracts::fft::transformed(Transform{true, false}, lengths, y.y), x, "ifft " + std::to_string(n));
    const std::vector<Dyadic> real = exactly(some_numbers(n));
    const Transform of_real{false, true};
    const auto half = contracts::fft::transformed(of_real, lengths, whole(of_real, lengths, real));
    EXPECT_EQ(half.y.size(), 2 * (n / 2 + 1));
    const Transform to_real{true, true};
    expect_near(contracts::fft::transformed(to_real, lengths, whole(to_real, lengths, half.y)), real,
                "irfft " + std::to_string(n));
  }
}

TEST(FftTruth, OfHalfATransformIgnoresTheImaginaryPartsOfItsEnds) {
  const Transform to_real{true, true};
  const std::vector<Dyadic> half = exactly({8, 3, 1, -2, 4, 5});
  const auto x = contracts::fft::transformed(to_real, {1, 4}, whole(to_real, {1, 4}, half));
  EXPECT_TRUE(x.radius.is_zero());
  EXPECT_EQ(x.y, exactly({3.5, 2, 2.5, 0}));
}

}  // namespace
}  // namespace assay
