// One pass over arrays gives the sums and facts that exact additions, one after the other, give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/term_totals.hpp"

namespace assay::oracle {
namespace {

/// Patterns in memory, `step` bytes apart, with other bytes between them.
class Array {
 public:
  Array(const Format& format, std::vector<std::uint64_t> patterns, std::ptrdiff_t step)
      : patterns_(std::move(patterns)), step_(step), bytes_(patterns_.size() * static_cast<std::size_t>(step) + 8) {
    std::ranges::fill(bytes_, std::byte{0x5a});
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      std::memcpy(bytes_.data() + i * static_cast<std::size_t>(step), &patterns_[i],
                  static_cast<std::size_t>(format.width()) / 8);
    }
  }
  [[nodiscard]] Strided strided() const { return {bytes_.data(), step_}; }
  [[nodiscard]] std::uint64_t operator[](std::size_t i) const { return patterns_[i]; }

 private:
  std::vector<std::uint64_t> patterns_;
  std::ptrdiff_t step_;
  std::vector<std::byte> bytes_;
};

/// Any finite numbers, among them zeros, subnormal numbers, and the largest ones.
std::vector<std::uint64_t> finite_patterns(const Format& format, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> patterns;
  while (patterns.size() < n) {
    std::uint64_t bits = random() & (format.sign_mask() | (format.sign_mask() - 1));
    if (random() % 4 == 0) bits &= format.sign_mask() | format.fraction_mask();
    if (random() % 8 == 0) bits &= format.sign_mask();
    if (random() % 8 == 0) bits = format.largest_finite() | (bits & format.sign_mask());
    if (is_finite(format, bits)) patterns.push_back(bits);
  }
  return patterns;
}

class EveryFormat : public testing::TestWithParam<Format> {};

TEST_P(EveryFormat, SumsOfNumbersAreExact) {
  const Format format = GetParam();
  const Array x(format, finite_patterns(format, 3000, 1), 24);
  TermTotals totals(format);
  totals.add(x.strided(), nullptr, 3000);
  Dyadic sum;
  Dyadic magnitudes;
  Dyadic lost;
  long grid = 2000;
  for (std::size_t i = 0; i < 3000; ++i) {
    const Dyadic term = decode_finite(format, x[i]);
    sum += term;
    magnitudes += abs(term);
    if (term.is_zero()) continue;
    grid = std::min(grid, term.lowest_exponent());
    if (term.exponent() < format.emin) lost += abs(term);
  }
  EXPECT_EQ(totals.n, 3000U);
  EXPECT_EQ(totals.sum(), sum);
  EXPECT_EQ(totals.magnitudes(), magnitudes);
  EXPECT_EQ(totals.lost(), lost);
  EXPECT_EQ(totals.grid, grid);
  EXPECT_EQ(totals.most, format.emax);
}

TEST_P(EveryFormat, SumsOfProductsInPartsAreExact) {
  const Format format = GetParam();
  const Array x(format, finite_patterns(format, 3000, 2), 8);
  const Array y(format, finite_patterns(format, 3000, 3), 16);
  TermTotals totals(format);
  TermTotals part(format);
  const Strided first = y.strided();
  totals.add(x.strided(), &first, 1001);
  const Strided rest = y.strided().from(1001);
  part.add(x.strided().from(1001), &rest, 1999);
  totals.add(part);
  Dyadic sum;
  Dyadic magnitudes;
  Dyadic lost;
  long least = 2000;
  long grid = 2000;
  for (std::size_t i = 0; i < 3000; ++i) {
    const Dyadic a = decode_finite(format, x[i]);
    const Dyadic b = decode_finite(format, y[i]);
    sum.add_mul(a, b);
    magnitudes.add_mul(abs(a), abs(b));
    if (a.is_zero() || b.is_zero()) continue;
    least = std::min({least, a.exponent(), b.exponent()});
    grid = std::min(grid, a.lowest_exponent() + b.lowest_exponent());
    if (std::min(a.exponent(), b.exponent()) < format.emin) lost.add_mul(abs(a), abs(b));
  }
  EXPECT_EQ(totals.n, 3000U);
  EXPECT_EQ(totals.sum(), sum);
  EXPECT_EQ(totals.magnitudes(), magnitudes);
  EXPECT_EQ(totals.lost(), lost);
  EXPECT_EQ(totals.least, least);
  EXPECT_EQ(totals.grid, grid);
}

TEST_P(EveryFormat, InfinitiesAndNaNsAreCountedByKind) {
  const Format format = GetParam();
  const std::uint64_t one = static_cast<std::uint64_t>(-format.emin + 1) << format.fraction_bits();
  const std::uint64_t minus_infinity = format.infinity() | format.sign_mask();
  const auto totals_of = [&](std::uint64_t a, std::uint64_t b) {
    const Array x(format, {one, a}, 8);
    const Array y(format, {one, b}, 8);
    const Strided second = y.strided();
    TermTotals totals(format);
    totals.add(x.strided(), &second, 2);
    EXPECT_EQ(totals.sum(), Dyadic(1));
    return std::vector<bool>{totals.has_nan, totals.has_infinity[0], totals.has_infinity[1]};
  };
  EXPECT_EQ(totals_of(format.infinity(), one), (std::vector{false, true, false}));
  EXPECT_EQ(totals_of(one, minus_infinity), (std::vector{false, false, true}));
  EXPECT_EQ(totals_of(minus_infinity, minus_infinity), (std::vector{false, true, false}));
  EXPECT_EQ(totals_of(format.infinity(), 0), (std::vector{true, false, false}));
  EXPECT_EQ(totals_of(format.sign_mask(), minus_infinity), (std::vector{true, false, false}));
  EXPECT_EQ(totals_of(format.nan(), format.infinity()), (std::vector{true, false, false}));
}

INSTANTIATE_TEST_SUITE_P(TermTotals, EveryFormat, testing::Values(binary64, binary32, binary16, bfloat16),
                         [](const auto& each) { return std::to_string(each.param.precision); });

}  // namespace
}  // namespace assay::oracle
