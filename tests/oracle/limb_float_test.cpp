#include "oracle/limb_float.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

namespace assay::oracle {
namespace {

using Kind = LimbFloat::Kind;

constexpr Rounding directions[] = {Rounding::nearest, Rounding::up, Rounding::down, Rounding::zero};

LimbFloat drawn(std::mt19937_64& random, std::size_t limbs) {
  LimbFloat x{Kind::regular, (random() & 1) != 0, static_cast<std::int64_t>(random() % 200) - 100, {}};
  for (std::size_t k = 0; k < limbs; ++k) x.word.push_back(static_cast<std::uint32_t>(random()));
  x.word.back() |= std::uint32_t{1} << 31;
  return x;
}

bool same(const LimbFloat& x, const LimbFloat& y) {
  return x.kind == y.kind && x.negative == y.negative && x.exponent == y.exponent && x.word == y.word;
}

TEST(LimbFloatOracle, SumsAndProductsAreTheRoundedExactOnes) {
  std::mt19937_64 random(1);
  for (const std::size_t limbs : {2u, 5u, 64u}) {
    for (int i = 0; i < 100; ++i) {
      const LimbFloat x[] = {drawn(random, limbs), drawn(random, limbs), drawn(random, limbs)};
      const Dyadic a = value_of(x[0]);
      const Dyadic b = value_of(x[1]);
      const Dyadic c = value_of(x[2]);
      const std::span two = std::span(x).first(2);
      for (const Rounding to : directions) {
        EXPECT_TRUE(same(limb_operation(LimbOperation::add, two, limbs, to), limb_rounded(a + b, limbs, to)));
        EXPECT_TRUE(same(limb_operation(LimbOperation::sub, two, limbs, to), limb_rounded(a - b, limbs, to)));
        EXPECT_TRUE(same(limb_operation(LimbOperation::mul, two, limbs, to), limb_rounded(a * b, limbs, to)));
        EXPECT_TRUE(same(limb_operation(LimbOperation::fma, x, limbs, to), limb_rounded(a * b + c, limbs, to)));
      }
    }
  }
}

TEST(LimbFloatOracle, QuotientsAndRootsLieBesideTheExactOnes) {
  std::mt19937_64 random(2);
  constexpr std::size_t limbs = 3;
  for (int i = 0; i < 100; ++i) {
    LimbFloat x[] = {drawn(random, limbs), drawn(random, limbs)};
    x[0].negative = x[1].negative = false;
    const Dyadic a = value_of(x[0]);
    const Dyadic b = value_of(x[1]);
    const auto down = value_of(limb_operation(LimbOperation::div, x, limbs, Rounding::down));
    const auto up = value_of(limb_operation(LimbOperation::div, x, limbs, Rounding::up));
    EXPECT_TRUE(down * b <= a && a <= up * b && down < up);
    const std::span one = std::span(x).first(1);
    const auto low = value_of(limb_operation(LimbOperation::sqrt, one, limbs, Rounding::down));
    const auto high = value_of(limb_operation(LimbOperation::sqrt, one, limbs, Rounding::up));
    EXPECT_TRUE(low * low <= a && a <= high * high && low < high);
  }
}

TEST(LimbFloatOracle, ARootIsRightWhereThatOfGmpWithoutARemainderIsOneTooSmall) {
  LimbFloat x{Kind::regular, false, 1, std::vector<std::uint32_t>(32)};
  for (const int bit : {1023, 769, 4}) x.word[static_cast<std::size_t>(bit / 32)] |= std::uint32_t{1} << (bit % 32);
  const LimbFloat one[] = {x};
  const auto low = value_of(limb_operation(LimbOperation::sqrt, one, 32, Rounding::down));
  const Dyadic unit = Dyadic::scaled(1, -1023);
  EXPECT_TRUE(low * low <= value_of(x) && value_of(x) < (low + unit) * (low + unit));
  EXPECT_TRUE(value_of(limb_operation(LimbOperation::sqrt, one, 32, Rounding::up)) == low + unit);
}

TEST(LimbFloatOracle, TheRangeIsTheOneThatMpfrStartsWith) {
  constexpr std::int64_t most = (std::int64_t{1} << 30) - 1;
  const LimbFloat x{Kind::regular, false, most, {0, std::uint32_t{1} << 31}};
  const LimbFloat pair[] = {x, x};
  EXPECT_EQ(limb_operation(LimbOperation::add, pair, 2, Rounding::nearest).kind, Kind::infinite);
  EXPECT_EQ(limb_operation(LimbOperation::add, pair, 2, Rounding::zero).exponent, most);
}

TEST(LimbFloatOracle, OperandsOfAnotherFormAreRefused) {
  const LimbFloat good{Kind::regular, false, 0, {0, std::uint32_t{1} << 31}};
  const LimbFloat unnormalized{Kind::regular, false, 0, {0, 1}};
  const LimbFloat longer{Kind::regular, false, 0, {0, 0, std::uint32_t{1} << 31}};
  for (const LimbFloat& bad : {unnormalized, longer}) {
    const LimbFloat pair[] = {good, bad};
    EXPECT_THROW(limb_operation(LimbOperation::add, pair, 2, Rounding::nearest), std::invalid_argument);
  }
  const LimbFloat single[] = {good};
  EXPECT_THROW(limb_operation(LimbOperation::add, single, 2, Rounding::nearest), std::invalid_argument);
  EXPECT_THROW(value_of(LimbFloat{Kind::infinite, false, 0, {}}), std::domain_error);
}

TEST(LimbFloatOracle, TextsHaveFortyDigits) {
  const LimbFloat one{Kind::regular, true, 1, {0, std::uint32_t{1} << 31}};
  EXPECT_EQ(to_string(one), "-1.0000000000000000000000000000000000000000e+00");
  EXPECT_EQ(to_string(LimbFloat{Kind::zero, true, 0, {}}), "-0");
  EXPECT_EQ(to_string(LimbFloat{Kind::infinite, false, 0, {}}), "inf");
  EXPECT_EQ(to_string(LimbFloat{Kind::nan, false, 0, {}}), "nan");
}

}  // namespace
}  // namespace assay::oracle
