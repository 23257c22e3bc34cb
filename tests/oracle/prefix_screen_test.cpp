// A screen of prefix sums passes no number that an exact judgment refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/prefix_screen.hpp"
#include "oracle/round.hpp"

namespace assay::oracle {
namespace {

Strided strided(const std::vector<double>& numbers) {
  return {reinterpret_cast<const std::byte*>(numbers.data()), sizeof(double)};
}

/// Numbers whose prefix sums cancel, of many exponents, and these sums rounded.
struct Example {
  explicit Example(std::uint64_t seed, bool is_exact = false) {
    std::mt19937_64 random(seed);
    Dyadic sum = start = Dyadic(is_exact ? 3 : 0) + (is_exact ? Dyadic() : exact(0x1.1p-60) + exact(1.0 / 3));
    largest = abs(sum);
    for (std::size_t i = 0; i < 3000; ++i) {
      const int exponent = is_exact ? 0 : static_cast<int>(random() % 80) - 60;
      double each = std::ldexp(static_cast<double>(random() >> 12), exponent - 52);
      if (is_exact) each = static_cast<double>(random() % 1000);
      if (i % 3 == 2) each = -sum.to_double_nearest();  // leaves the low word
      if (random() % 2 == 0) each = -each;
      x.push_back(each);
      sum += exact(each);
      sums.push_back(sum);
      largest = std::max(largest, abs(sum));
      std::uint64_t bits = round(sum, binary64, Rounding::nearest);
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      got.push_back(number);
    }
  }
  [[nodiscard]] PrefixScreen screen(const PrefixRule& rule, bool is_exact = false) const {
    return screen_prefixes(binary64, strided(x), strided(got), x.size(), start, largest.to_double_nearest() * 1.01,
                           is_exact, rule);
  }
  [[nodiscard]] Dyadic error(std::size_t i) const { return abs(exact(got[i]) - sums[i]); }

  Dyadic start;
  Dyadic largest;
  std::vector<double> x, got;
  std::vector<Dyadic> sums;
};

TEST(PrefixScreen, DecidesTheSumsThatAreRoundedAndNoneBesideThem) {
  using Kind = PrefixRule::Kind;
  Example example(1);
  // A third of the sums are so near to 0 that the radius of the larger ones leaves them open.
  EXPECT_LT(example.screen({Kind::rounded}).open.size(), example.x.size() / 2);
  EXPECT_LT(example.screen({Kind::faithful}).open.size(), example.x.size() / 2);
  for (double& each : example.got) each = std::nextafter(each, 1e9);
  EXPECT_EQ(example.screen({Kind::rounded}).open.size(), example.x.size());
  for (double& each : example.got) each = std::nextafter(each, 1e9);
  EXPECT_EQ(example.screen({Kind::faithful}).open.size(), example.x.size());
}

TEST(PrefixScreen, PassesNoNumberBeyondTheBound) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Example example(seed);
    std::mt19937_64 random(seed);
    const double bound = 0x1p-40;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < example.got.size(); ++i) {
      const double off =
          bound * (1 + std::ldexp(static_cast<double>(random() % 9) - 4, -static_cast<int>(random() % 50)));
      example.got[i] = (example.sums[i] + exact(random() % 2 == 0 ? off : -off)).to_double_nearest();
      if (example.error(i) <= exact(bound)) ++inside;
    }
    const PrefixScreen found = example.screen({PrefixRule::Kind::within, bound});
    for (std::size_t i = 0; i < example.got.size(); ++i) {
      if (example.error(i) > exact(bound)) {
        EXPECT_TRUE(std::ranges::binary_search(found.open, i)) << i;
      }
    }
    EXPECT_GT(inside, 500U);
    EXPECT_LT(found.open.size(), example.got.size() - inside / 2);
  }
}

TEST(PrefixScreen, NeighborsOfAPowerOfTwoAreNearerBelowIt) {
  // 1 − 3/4·2⁻⁵³ is nearer to the number below 1.
  const std::vector<double> x{1, -0x1.8p-54}, got{1, 1};
  for (const auto kind : {PrefixRule::Kind::rounded, PrefixRule::Kind::stored}) {
    const PrefixScreen found = screen_prefixes(binary64, strided(x), strided(got), 2, Dyadic(), 2, false, {kind});
    EXPECT_EQ(found.open, std::vector<std::size_t>{1});
  }
}

TEST(PrefixScreen, AnErrorOfTheDoubleWordIsCounted) {
  // The low word loses what is below 2^-106 of the high one: the sum is above the bound by 2^-110.
  const std::vector<double> x{1, 0x1p-54, 0x1p-110}, got{1, 1, 1 + 0x1p-52};
  const double bound = 0x1p-52 - 0x1p-54 - 0x1p-107;
  const PrefixScreen found =
      screen_prefixes(binary64, strided(x), strided(got), 3, Dyadic(), 2, false, {PrefixRule::Kind::within, bound});
  EXPECT_TRUE(std::ranges::binary_search(found.open, 2U));
}

TEST(PrefixScreen, WhereNoAdditionRoundsOnlyTheSumsPass) {
  Example example(4, true);
  EXPECT_TRUE(example.screen({PrefixRule::Kind::within, 0}, true).open.empty());
  for (double& each : example.got) each = std::nextafter(each, 1e9);
  EXPECT_EQ(example.screen({PrefixRule::Kind::within, 0}, true).open.size(), example.x.size());
}

TEST(PrefixScreen, NaNAndInfinitiesAreOpen) {
  Example example(5);
  example.got[7] = std::nan("");
  example.got[8] = INFINITY;
  for (const auto kind : {PrefixRule::Kind::within, PrefixRule::Kind::stored, PrefixRule::Kind::rounded}) {
    const PrefixScreen found = example.screen({kind, 1e300});
    EXPECT_TRUE(std::ranges::binary_search(found.open, 7U));
    EXPECT_TRUE(std::ranges::binary_search(found.open, 8U));
  }
}

}  // namespace
}  // namespace assay::oracle
