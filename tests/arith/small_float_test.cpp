#include "arith/float/small_float.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::decode;
using reference::directions;
using reference::Operation;
using reference::rounded;
using reference::same;
using reference::value;

/// The result of an operation of SmallFloat in a direction.
template <class T>
T apply(Operation operation, T a, T b, T c, Rounding to) {
  switch (operation) {
    case Operation::add:
      return T::add(a, b, to);
    case Operation::subtract:
      return T::add(a, -b, to);
    case Operation::multiply:
      return T::multiply(a, b, to);
    case Operation::divide:
      return T::divide(a, b, to);
    case Operation::square_root:
      return T::root(a, to);
    default:
      return T::fused(a, b, c, to);
  }
}

/// Success, or which operands got what instead of what.
template <class T>
testing::AssertionResult is_correctly_rounded(Operation operation, T a, T b, T c) {
  for (const Rounding to : directions) {
    const double got = value(apply(operation, a, b, c, to));
    const double want = rounded<T>(operation, value(a), value(b), value(c), to);
    if (!same(got, want)) {
      return testing::AssertionFailure() << FloatTraits<T>::name << " operation " << static_cast<int>(operation)
                                         << " direction " << static_cast<int>(to) << " of " << value(a) << ", "
                                         << value(b) << ", " << value(c) << ": got " << got << ", want " << want;
    }
  }
  return testing::AssertionSuccess();
}

template <class T>
T encoding(unsigned bits) {
  return from_bits<T>(static_cast<BitsOf<T>>(bits));
}

template <class T>
void expect_all_pairs_correctly_rounded(Operation operation) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      ASSERT_TRUE(is_correctly_rounded(operation, encoding<T>(a), encoding<T>(b), T{}));
    }
  }
}

template <class T>
class SmallFloatOfEightBits : public testing::Test {};
using EightBits = testing::Types<e4m3, e5m2>;
TYPED_TEST_SUITE(SmallFloatOfEightBits, EightBits);

TYPED_TEST(SmallFloatOfEightBits, AddsAllPairs) { expect_all_pairs_correctly_rounded<TypeParam>(Operation::add); }
TYPED_TEST(SmallFloatOfEightBits, SubtractsAllPairs) {
  expect_all_pairs_correctly_rounded<TypeParam>(Operation::subtract);
}
TYPED_TEST(SmallFloatOfEightBits, MultipliesAllPairs) {
  expect_all_pairs_correctly_rounded<TypeParam>(Operation::multiply);
}
TYPED_TEST(SmallFloatOfEightBits, DividesAllPairs) { expect_all_pairs_correctly_rounded<TypeParam>(Operation::divide); }

TYPED_TEST(SmallFloatOfEightBits, FusesEveryThirdPairWithEverySeventhAddend) {
  for (unsigned pair = 0; pair < 65536; pair += 3) {
    for (unsigned c = pair % 7; c < 256; c += 7) {
      ASSERT_TRUE(is_correctly_rounded(Operation::fused, encoding<TypeParam>(pair & 255),
                                       encoding<TypeParam>(pair >> 8), encoding<TypeParam>(c)));
    }
  }
}

TYPED_TEST(SmallFloatOfEightBits, ComparesAllPairsAsTheirValuesDo) {
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned j = 0; j < 256; ++j) {
      const auto a = encoding<TypeParam>(i);
      const auto b = encoding<TypeParam>(j);
      const double x = value(a);
      const double y = value(b);
      ASSERT_TRUE((a < b) == (x < y) && (a <= b) == (x <= y) && (a > b) == (x > y) && (a >= b) == (x >= y) &&
                  (a == b) == (x == y) && (a != b) == (x != y))
          << x << " " << y;
    }
  }
}

TYPED_TEST(SmallFloatOfEightBits, NegationFlipsTheSignBitAlone) {
  for (unsigned a = 0; a < 256; ++a) {
    ASSERT_EQ(to_bits(-encoding<TypeParam>(a)), a ^ 0x80u);
  }
}

template <class T>
class SmallFloatOfAnyWidth : public testing::Test {};
using AllFormats = testing::Types<e4m3, e5m2, binary16, bfloat16, Toy<3>, Toy<5>, Toy<8>>;
TYPED_TEST_SUITE(SmallFloatOfAnyWidth, AllFormats);

TYPED_TEST(SmallFloatOfAnyWidth, TakesEverySquareRoot) {
  const unsigned step = FloatTraits<TypeParam>::width > 16 ? 3 : 1;
  for (unsigned a = 0; a < 1u << FloatTraits<TypeParam>::width; a += step) {
    ASSERT_TRUE(is_correctly_rounded(Operation::square_root, encoding<TypeParam>(a), TypeParam{}, TypeParam{}));
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, DecodesEveryEncodingToDouble) {
  for (unsigned a = 0; a < 1u << FloatTraits<TypeParam>::width; ++a) {
    const auto x = encoding<TypeParam>(a);
    ASSERT_TRUE(same(static_cast<double>(x), decode<TypeParam>(static_cast<BitsOf<TypeParam>>(a)))) << a;
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, DecodesEveryEncodingToFloatRounded) {
  for (unsigned a = 0; a < 1u << FloatTraits<TypeParam>::width; ++a) {
    const auto x = encoding<TypeParam>(a);
    const double want = rounded<float>(Operation::convert, value(x), 0, 0, Rounding::rn);
    ASSERT_TRUE(same(static_cast<double>(static_cast<float>(x)), want)) << a;
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, RoundsDoublesAtAndBesideEveryMidpoint) {
  using F = FloatTraits<TypeParam>;
  const unsigned finite = static_cast<unsigned>(bits::max_finite_bits<TypeParam>);
  for (unsigned a = 0; a <= finite; ++a) {
    const double x = value(encoding<TypeParam>(a));
    const double half_gap = a == 0 ? value(encoding<TypeParam>(1)) / 2 : (x - value(encoding<TypeParam>(a - 1))) / 2;
    for (const double y : {x, x + half_gap, x + half_gap / 2, std::nextafter(x + half_gap, 0.0),
                           std::nextafter(x + half_gap, 1e300), x + 2 * half_gap}) {
      for (const double z : {y, -y}) {
        const double want = rounded<TypeParam>(Operation::convert, z, 0, 0, Rounding::rn);
        ASSERT_TRUE(same(value(TypeParam(z)), want)) << F::name << " " << z;
      }
    }
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, RoundsDoublesOfEveryExponent) {
  reference::Numbers<double> numbers(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = numbers.any();
    ASSERT_TRUE(same(value(TypeParam(x)), rounded<TypeParam>(Operation::convert, x, 0, 0, Rounding::rn))) << x;
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, RoundsFloatsOfEveryExponent) {
  reference::Numbers<float> numbers(2);
  for (int i = 0; i < 20000; ++i) {
    const float x = numbers.any();
    const double want = rounded<TypeParam>(Operation::convert, static_cast<double>(x), 0, 0, Rounding::rn);
    ASSERT_TRUE(same(value(TypeParam(x)), want)) << x;
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, ConvertsEveryBinary16AndBfloat16) {
  for (unsigned a = 0; a < 65536; ++a) {
    const auto x = encoding<binary16>(a);
    const auto y = encoding<bfloat16>(a);
    ASSERT_TRUE(same(value(TypeParam(x)), rounded<TypeParam>(Operation::convert, value(x), 0, 0, Rounding::rn))) << a;
    ASSERT_TRUE(same(value(TypeParam(y)), rounded<TypeParam>(Operation::convert, value(y), 0, 0, Rounding::rn))) << a;
  }
}

template <class T>
void expect_correctly_rounded(T a, T b, T c) {
  for (const Operation operation :
       {Operation::add, Operation::subtract, Operation::multiply, Operation::divide, Operation::fused}) {
    ASSERT_TRUE(is_correctly_rounded(operation, a, b, c));
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, OperatesOnAnyBits) {
  reference::Numbers<TypeParam> numbers(3);
  for (int i = 0; i < 10000; ++i) {
    expect_correctly_rounded(numbers.any(), numbers.any(), numbers.any());
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, OperatesOnNearbyExponents) {
  reference::Numbers<TypeParam> numbers(4);
  for (int i = 0; i < 10000; ++i) {
    expect_correctly_rounded(numbers.moderate(-2, 2), numbers.moderate(-2, 2), numbers.moderate(-5, 5));
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, OperatesOnEdges) {
  const std::vector<TypeParam> edges = reference::edges<TypeParam>();
  for (const TypeParam a : edges) {
    for (const TypeParam b : edges) {
      expect_correctly_rounded(a, b, edges[to_bits(a) % edges.size()]);
    }
  }
}

TYPED_TEST(SmallFloatOfAnyWidth, ReturnsThePositiveQuietNan) {
  const auto nan = static_cast<unsigned>(to_bits(TypeParam(std::numeric_limits<double>::quiet_NaN())));
  const unsigned sign = 1u << (FloatTraits<TypeParam>::width - 1);
  EXPECT_TRUE(is_nan(encoding<TypeParam>(nan)));
  EXPECT_EQ(nan & sign, 0u);
  EXPECT_EQ(to_bits(encoding<TypeParam>(nan | sign) + TypeParam(1)), nan);
  EXPECT_EQ(to_bits(sqrt(TypeParam(-1))), nan);
  EXPECT_EQ(to_bits(TypeParam(0) / TypeParam(-0.0)), nan);
}

TEST(E4m3, OverflowsToNanFromTheMidpointAbove448On) {
  EXPECT_EQ(static_cast<double>(e4m3(464.0)), 448.0);
  EXPECT_TRUE(is_nan(e4m3(std::nextafter(464.0, 500.0))));
}

TEST(E4m3, OverflowsTowardZeroToTheLargestNumber) {
  EXPECT_EQ(static_cast<double>(e4m3::multiply(e4m3(-448.0), e4m3(2), Rounding::rz)), -448.0);
}

TEST(E4m3, HasNoInfinity) {
  EXPECT_EQ(to_bits(e4m3(-std::numeric_limits<double>::infinity())), 0x7fu);
  EXPECT_EQ(to_bits(e4m3(-1) / e4m3(0)), 0x7fu);
}

TEST(E4m3, AddsWithoutTheDoubleRoundingOfBfloat16) {
  const e4m3 a(0.029296875);
  const e4m3 b(0.5625);
  const e4m3 twice_rounded(bfloat16(static_cast<double>(bfloat16(a) + bfloat16(b))));
  EXPECT_EQ(value(a + b), rounded<e4m3>(Operation::add, value(a), value(b), 0, Rounding::rn));
  EXPECT_NE(to_bits(a + b), to_bits(twice_rounded));
}

TEST(E4m3, FusesWithoutTheDoubleRoundingOfBinary16) {
  const e4m3 twice_rounded(fma(binary16(14), binary16(12), binary16(0.03515625)));
  EXPECT_EQ(value(fma(e4m3(14), e4m3(12), e4m3(0.03515625))), 176.0);
  EXPECT_NE(value(twice_rounded), 176.0);
}

TEST(SmallFloat, IsUsableInConstantExpressions) {
  constexpr double third = static_cast<double>(binary16(1) / binary16(3));
  constexpr double root = static_cast<double>(sqrt(Toy<4>(2)));
  EXPECT_EQ(third, 0x1.554p-2);
  EXPECT_EQ(root, 1.375);
}

TEST(SmallFloat, KnowsTheNamesOfItsFormats) {
  EXPECT_STREQ(FloatTraits<binary16>::name, "binary16");
  EXPECT_STREQ(FloatTraits<bfloat16>::name, "bfloat16");
  EXPECT_STREQ(FloatTraits<e4m3>::name, "e4m3");
  EXPECT_STREQ(FloatTraits<e5m2>::name, "e5m2");
  EXPECT_STREQ(FloatTraits<Toy<3>>::name, "p3");
  EXPECT_STREQ(FloatTraits<Toy<8>>::name, "p8");
}

TEST(SmallFloat, HasTheSmallestStorageThatHoldsTheWidth) {
  EXPECT_EQ(sizeof(e4m3), 1u);
  EXPECT_EQ(sizeof(binary16), 2u);
  EXPECT_EQ(sizeof(Toy<3>), 2u);
  EXPECT_EQ(sizeof(Toy<8>), 4u);
}

}  // namespace
}  // namespace assay
