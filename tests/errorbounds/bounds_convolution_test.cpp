// Bounds of Winograd's algorithm: every input of a few bits, and what too small a bound does not hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "errorbounds/convolution.hpp"
#include "errorbounds/fraction.hpp"
#include "oracle/dyadic.hpp"

namespace assay {
namespace {

/// A number of p bits nearest to x, by Veltkamp's split.
double rounded(double x, int p) {
  const double c = x * (std::ldexp(1.0, 53 - p) + 1);
  return c - (c - x);
}

/// The results of a tile by F(m, 3), each operation rounded to p bits. A factor 1/6 is rounded, too.
template <std::size_t m>
std::array<double, m> winograd(const std::array<double, m + 2>& x, const std::array<double, 3>& k, int p) {
  const auto add = [p](double a, double b) { return rounded(a + b, p); };
  const auto times = [p](double a, double b) { return rounded(a * b, p); };
  std::array<double, m + 2> numbers{};
  std::array<double, m + 2> taps{};
  if constexpr (m == 2) {
    numbers = {add(x[0], -x[2]), add(x[1], x[2]), add(x[2], -x[1]), add(x[1], -x[3])};
    const double ends = add(k[0], k[2]);
    taps = {k[0], add(ends, k[1]) / 2, add(ends, -k[1]) / 2, k[2]};
  } else {
    numbers = {add(add(4 * x[0], -times(5, x[2])), x[4]),       add(add(add(-4 * x[1], -4 * x[2]), x[3]), x[4]),
               add(add(add(4 * x[1], -4 * x[2]), -x[3]), x[4]), add(add(add(-2 * x[1], -x[2]), 2 * x[3]), x[4]),
               add(add(add(2 * x[1], -x[2]), -2 * x[3]), x[4]), add(add(4 * x[1], -times(5, x[3])), x[5])};
    const double sixth = rounded(1.0 / 6, p);
    const std::array<double, 3> parts{times(sixth, k[0]), times(sixth, k[1]), times(sixth, k[2])};
    taps = {k[0] / 4,
            -add(add(parts[0], parts[1]), parts[2]),
            -add(add(parts[0], -parts[1]), parts[2]),
            add(add(parts[0] / 4, parts[1] / 2), parts[2]),
            add(add(parts[0] / 4, -parts[1] / 2), parts[2]),
            k[2]};
  }
  std::array<double, m + 2> z{};
  for (std::size_t q = 0; q < m + 2; ++q) z[q] = times(numbers[q], taps[q]);
  if constexpr (m == 2) {
    return {add(add(z[0], z[1]), z[2]), add(add(z[1], -z[2]), -z[3])};
  } else {
    return {add(add(add(add(z[0], z[1]), z[2]), z[3]), z[4]), add(add(add(z[1], -z[2]), 2 * z[3]), -2 * z[4]),
            add(add(add(z[1], z[2]), 4 * z[3]), 4 * z[4]), add(add(add(add(z[1], -z[2]), 8 * z[3]), -8 * z[4]), z[5])};
  }
}

/// The largest error over the bound, and over the part of it that a direct sum has: of all tiles and taps with these
/// magnitudes and any signs. The first number and the first tap are positive, since both signs can be turned.
template <std::size_t m>
std::array<double, 2> largest_ratios(int p, const std::vector<double>& magnitudes) {
  const oracle::Format format{p, -200, 200};
  const auto number = [&](std::size_t digit) {
    return digit < magnitudes.size() ? magnitudes[digit] : -magnitudes[digit - magnitudes.size()];
  };
  std::array<std::array<std::array<double, 3>, m + 2>, m> weights{};
  for (std::size_t q = 0; q < m; ++q) {
    for (std::size_t a = 0; a < m + 2; ++a) {
      for (std::size_t t = 0; t < 3; ++t) {
        weights[q][a][t] = static_cast<double>(winograd_weight(m, q, a, t)) / static_cast<double>(winograd_scale(m));
      }
    }
  }
  // γ_N alone: what underflow costs is far below it here.
  const Bound of_one =
      winograd_bound(m, 1, 1, oracle::Dyadic(static_cast<std::int64_t>(winograd_scale(m))), oracle::Dyadic(), format);
  const double gamma = of_one.numerator.to_double_up() / of_one.denominator.to_double_up();
  const auto digits_of = [&](std::size_t place) { return (place == 0 || place == m + 2 ? 1 : 2) * magnitudes.size(); };
  std::size_t all = 1;
  for (std::size_t i = 0; i < m + 5; ++i) all *= digits_of(i);
  std::array<double, 2> largest{};
  for (std::size_t at = 0; at < all; ++at) {
    std::array<double, m + 2> x{};
    std::array<double, 3> k{};
    std::size_t rest = at;
    for (std::size_t i = 0; i < m + 5; ++i) {
      (i < m + 2 ? x[i] : k[i - m - 2]) = number(rest % digits_of(i));
      rest /= digits_of(i);
    }
    const std::array<double, m> y = winograd<m>(x, k, p);
    for (std::size_t q = 0; q < m; ++q) {
      double exact = 0;
      double products = 0;
      double weighted = 0;
      for (std::size_t t = 0; t < 3; ++t) {
        exact += x[q + t] * k[t];
        products += std::abs(x[q + t] * k[t]);
      }
      for (std::size_t a = 0; a < m + 2; ++a) {
        for (std::size_t t = 0; t < 3; ++t) weighted += weights[q][a][t] * std::abs(x[a] * k[t]);
      }
      const double error = std::abs(y[q] - exact);
      largest[0] = std::max(largest[0], error / (gamma * weighted));
      largest[1] = std::max(largest[1], error / (gamma * products));
    }
  }
  return largest;
}

TEST(WinogradAtToyPrecision, OfTwoKeepsItsBoundForAllInputsOfThreeBitsInABinade) {
  const auto [bound, products] = largest_ratios<2>(4, {1, 1.25, 1.5, 1.75});
  EXPECT_LE(bound, 1);
  EXPECT_GE(bound, 0.05);
}
TEST(WinogradAtToyPrecision, OfFourKeepsItsBoundForLargeAndSmallNumbersOfFiveBits) {
  const auto [bound, products] = largest_ratios<4>(5, {0.03125, 1.9375});
  EXPECT_LE(bound, 1);
  EXPECT_GE(products, 1) << "the products alone would do as a bound";
}
TEST(WinogradAtToyPrecision, OfTwoExceedsWhatTheProductsAloneWouldAllow) {
  const auto [bound, products] = largest_ratios<2>(5, {0.03125, 1, 1.9375});
  EXPECT_LE(bound, 1);
  EXPECT_GE(products, 1);
}

TEST(WinogradAtToyPrecision, HasWeightsThatAreAtLeastThoseOfTheProducts) {
  for (const std::uint64_t m : {2U, 4U}) {
    for (std::uint64_t p = 0; p < m; ++p) {
      for (std::uint64_t t = 0; t < 3; ++t) EXPECT_GE(winograd_weight(m, p, p + t, t), winograd_scale(m));
    }
  }
}
TEST(WinogradAtToyPrecision, HasOneWeightOfFourThatIsLessThanThatOfTwo) {
  std::uint64_t less = 0;
  for (std::uint64_t p = 0; p < 4; ++p) {
    for (std::uint64_t a = 0; a < 4; ++a) {
      for (std::uint64_t t = 0; t < 3; ++t) {
        const std::uint64_t of_four = winograd_weight(4, p, a + p / 2 * 2, t) * winograd_scale(2);
        if (of_four < winograd_weight(2, p % 2, a, t) * winograd_scale(4)) ++less;
      }
    }
  }
  EXPECT_EQ(less, 1U);
  EXPECT_EQ(winograd_weight(4, 2, 4, 0) * 3, winograd_scale(4) * 2);
  EXPECT_EQ(winograd_weight(2, 0, 2, 0), winograd_scale(2) * 2);
}

/// Step 2 of convolution.fft.1: 1 and n − 1 products a(1 + i)·a(1 − i) = 2a², each part by two fused operations, of
/// which none changes the sum.
TEST(ConvolutionBounds, HoldForProductsThatAreFusedWithTheirSums) {
  constexpr std::uint64_t n = 1000;
  const float a = 0x1p-12F * (1 - 0x1p-24F);
  float real = 1;
  for (std::uint64_t i = 1; i < n; ++i) real = std::fma(a, a, std::fma(a, a, real));
  const double lost = 1 + 2.0 * (n - 1) * a * a - static_cast<double>(real);
  constexpr double u = 0x1p-24;
  EXPECT_GT(lost, (n + 2) * u);
  EXPECT_LE(lost, 3 * n * u);
  EXPECT_EQ(fft_convolution_bound(8, n, 24).numerator, oracle::Dyadic::scaled(320 * 8 + 3 * n + 9, -24));
}

TEST(ConvolutionBounds, RefuseFormatsThatAreTooShort) {
  EXPECT_THROW(winograd_bound(4, 2, 110, 1, 1, {8, -126, 127}), std::domain_error);
  EXPECT_THROW(fft_convolution_bound(8, 1, 23), std::domain_error);
  EXPECT_THROW(fft_convolution_bound(std::uint64_t{1} << 16, 1, 24), std::domain_error);
}

}  // namespace
}  // namespace assay
