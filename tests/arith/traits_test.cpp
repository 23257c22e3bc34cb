#include "arith/bits/traits.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "arith/float/small_float.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

template <class T>
class Traits : public testing::Test {};
using Formats = testing::Types<double, float, binary16, bfloat16, e4m3, e5m2, Toy<3>, Toy<8>>;
TYPED_TEST_SUITE(Traits, Formats);

TYPED_TEST(Traits, SmallestNormalHasExponentEmin) {
  using F = FloatTraits<TypeParam>;
  const auto bits = static_cast<BitsOf<TypeParam>>(BitsOf<TypeParam>{1} << (F::precision - 1));
  EXPECT_EQ(static_cast<double>(from_bits<TypeParam>(bits)), reference::power(F::emin));
}

TYPED_TEST(Traits, LargestFiniteHasExponentEmax) {
  using F = FloatTraits<TypeParam>;
  const auto largest = from_bits<TypeParam>(bits::max_finite_bits<TypeParam>);
  EXPECT_EQ(std::ilogb(static_cast<double>(largest)), F::emax);
}

TYPED_TEST(Traits, ClassifiesAsTheDecodedValue) {
  reference::Numbers<TypeParam> numbers(31);
  const auto edges = reference::edges<TypeParam>();
  for (std::size_t i = 0; i < edges.size() + 10000; ++i) {
    const TypeParam x = i < edges.size() ? edges[i] : numbers.any();
    const double v = reference::value(x);
    ASSERT_TRUE(is_nan(x) == std::isnan(v) && is_finite(x) == std::isfinite(v)) << v;
  }
}

TYPED_TEST(Traits, AbsClearsTheSignAlone) {
  reference::Numbers<TypeParam> numbers(32);
  for (int i = 0; i < 1000; ++i) {
    const TypeParam x = numbers.any();
    ASSERT_TRUE(!signbit(abs(x)) && (to_bits(abs(x)) == to_bits(x) || to_bits(abs(x)) == to_bits(-x)));
  }
}

TYPED_TEST(Traits, BitsAndBackIsTheIdentity) {
  reference::Numbers<TypeParam> numbers(33);
  for (int i = 0; i < 1000; ++i) {
    const TypeParam x = numbers.any();
    ASSERT_EQ(to_bits(from_bits<TypeParam>(to_bits(x))), to_bits(x));
  }
}

TEST(TraitsOfNativeFormats, AgreeWithTheLanguage) {
  EXPECT_EQ(FloatTraits<double>::precision, std::numeric_limits<double>::digits);
  EXPECT_EQ(FloatTraits<float>::emax, std::numeric_limits<float>::max_exponent - 1);
  EXPECT_EQ(FloatTraits<float>::name, std::string("binary32"));
}

TEST(Fma, RoundsOnce) { EXPECT_EQ(fma(1 + 0x1p-30, 1 - 0x1p-30, -1.0), -0x1p-60); }
TEST(Fma, OfFloatIsNotTheRoundedFmaOfDouble) {
  // 1 + 2^-24 is a midpoint of binary32; the product's last bit, 2^-60 below it, is lost in binary64.
  const float a = 1 + 0x1p-12f;
  const float c = 0x1p-60f;
  const double through_double = static_cast<double>(a) * static_cast<double>(a) + static_cast<double>(c);
  EXPECT_EQ(fma(a, a, c), 1 + 0x1p-11f + 0x1p-23f);
  EXPECT_EQ(static_cast<float>(through_double), 1 + 0x1p-11f);
}

/// Roots that miss a midpoint m of p + 1 bits by as little as a root can: x·2^k = m² − 1 or m² + 7.
TEST(Sqrt, IsRoundedToNearestBesideMidpoints) {
  EXPECT_EQ(assay::sqrt(8388609 * 0x1p25f), 16777216.0f);                  // m = 16777217, m² − 1
  EXPECT_EQ(assay::sqrt(16777215 * 0x1p26f), 33554430.0f);                 // m = 33554431, m² − 1
  EXPECT_EQ(assay::sqrt(16519498 * 0x1p25f), 23543628.0f);                 // m = 23543627, m² + 7
  EXPECT_EQ(assay::sqrt(4503599627370497 * 0x1p54), 9007199254740992.0);   // m = 2^53 + 1, m² − 1
  EXPECT_EQ(assay::sqrt(9007199254740991 * 0x1p55), 18014398509481982.0);  // m = 2^54 − 1, m² − 1
  EXPECT_EQ(assay::sqrt(8233674359446949 * 0x1p54), 12178862471855948.0);  // m = 12178862471855947, m² + 7
}

}  // namespace
}  // namespace assay
