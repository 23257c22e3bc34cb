#include "arith/words/native_pair.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "word_reference.hpp"

namespace assay {
namespace {

using pair::NativeMul;
using reference::equal_bits;
using reference::Exact;
using reference::exact;
using reference::power;
using reference::value;

/// |error| ≤ num·2^e·|truth|.
testing::AssertionResult within(double num, int e, const Exact& error, const Exact& truth) {
  return (abs(error) <= Exact(num) * power(e) * abs(truth) ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "error " << error << " of " << truth;
}

template <class T>
class NativePairOf : public testing::Test {
 protected:
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr int repetitions = 3000;

  T word() { return kind_++ % 2 == 0 ? numbers_.sparse(-3, 3) : numbers_.moderate(-3, 3); }

  DoubleWord<T> pair() {
    const T h = word();
    const int e = std::ilogb(value(h)) - p - 1;
    const Sum<T> z = fast_two_sum(h, numbers_.sparse(e, e));
    return {z.s, z.e};
  }

  /// check(a, b) for many pairs a and b.
  template <class Check>
  void for_pairs(const Check& check) {
    for (int i = 0; i < repetitions && !testing::Test::HasFatalFailure(); ++i) {
      const auto a = pair();
      const auto b = pair();
      check(a, b);
    }
  }

 private:
  reference::Numbers<T> numbers_{29};
  int kind_ = 0;
};
using Formats = testing::Types<double, float>;
TYPED_TEST_SUITE(NativePairOf, Formats);

TYPED_TEST(NativePairOf, NormalizeIsExactForOrderedWords) {
  for (int i = 0; i < this->repetitions; ++i) {
    const TypeParam hi = this->word();
    const TypeParam lo = this->word() * TypeParam(0x1p-8);
    const auto z = pair::normalize(hi, lo);
    ASSERT_EQ(exact(z), Exact(value(hi)) + Exact(value(lo)));
    ASSERT_EQ(to_bits(z.h), to_bits(z.h + z.l));
  }
}

TYPED_TEST(NativePairOf, AddHasTheBitsOfTheSloppySumWithItsOperandsExchanged) {
  this->for_pairs(
      [&](const auto& a, const auto& b) { ASSERT_TRUE(equal_bits(pair::add(a, b), dw::sloppy_add(b, a))); });
}

TYPED_TEST(NativePairOf, AddLosesTheWholeSumWhereHighWordsCancel) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  const auto u = static_cast<TypeParam>(power(-p));
  const DoubleWord<TypeParam> a{1 + 2 * u, u - u * u};
  const DoubleWord<TypeParam> b{-1 - 4 * u, u};
  EXPECT_EQ(exact(a) + exact(b), Exact(-value(u * u)));
  EXPECT_EQ(exact(pair::add(a, b)), Exact(0));
}

TYPED_TEST(NativePairOf, NativeMulByFmaIsTwoProd) {
  for (int i = 0; i < this->repetitions; ++i) {
    const TypeParam a = this->word();
    const TypeParam b = this->word();
    const Product<TypeParam> want = two_prod(a, b);
    ASSERT_TRUE(equal_bits(pair::native_mul<NativeMul::fma>(a, b), {want.p, want.e}));
  }
}

TYPED_TEST(NativePairOf, NativeMulBySplitIsExact) {
  for (int i = 0; i < this->repetitions; ++i) {
    const TypeParam a = this->word();
    const TypeParam b = this->word();
    ASSERT_EQ(exact(pair::native_mul<NativeMul::split>(a, b)), Exact(value(a)) * Exact(value(b)));
  }
}

TYPED_TEST(NativePairOf, NativeMulByWideMaskLosesAboutAQuarterOfTheLowWord) {
  constexpr int p = TestFixture::p;
  for (int i = 0; i < this->repetitions; ++i) {
    const TypeParam a = this->word();
    const TypeParam b = this->word();
    const Exact truth = Exact(value(a)) * Exact(value(b));
    ASSERT_TRUE(within(1 + 4 * power(-p / 2), 2 + (p + 1) / 2 - 2 * p,
                       exact(pair::native_mul<NativeMul::wide_mask>(a, b)) - truth, truth));
  }
}

TYPED_TEST(NativePairOf, MulByFmaHasTheBitsOfAlgorithm10) {
  this->for_pairs(
      [&](const auto& a, const auto& b) { ASSERT_TRUE(equal_bits(pair::mul<NativeMul::fma>(a, b), dw::mul1(a, b))); });
}

TYPED_TEST(NativePairOf, MulBySplitIsWithin9) {
  this->for_pairs([&](const auto& a, const auto& b) {
    const Exact truth = exact(a) * exact(b);
    ASSERT_TRUE(within(9.001, -2 * this->p, exact(pair::mul<NativeMul::split>(a, b)) - truth, truth));
  });
}

TYPED_TEST(NativePairOf, GoodMulIsWithinThreeHalves) {
  this->for_pairs([&](const auto& a, const auto& b) {
    const Exact truth = exact(a) * exact(b);
    ASSERT_TRUE(within(1.501, -2 * this->p, exact(pair::good_mul<NativeMul::fma>(a, b)) - truth, truth));
  });
}

TYPED_TEST(NativePairOf, GoodMulBySplitHasTheValueOfGoodMulByFma) {
  this->for_pairs([&](const auto& a, const auto& b) {
    ASSERT_EQ(exact(pair::good_mul<NativeMul::split>(a, b)), exact(pair::good_mul<NativeMul::fma>(a, b)));
  });
}

TEST(NativePair, ProductBySplitIsNotNormalisedForLargeHalves) {
  const auto z = pair::native_mul<NativeMul::split>(0x1.016fcap+0f, 0x1.048ff6p+0f);
  EXPECT_NE(z.h, z.h + z.l);
}

TEST(NativePair, ProductBySplitComesTo8TimesTheSquaredRoundoff) {
  const DoubleWord<float> a{0x1.01902ap+0f, 0x1.fffffep-25f};
  const DoubleWord<float> b{0x1.049026p+0f, 0x1.fffffap-25f};
  const Exact truth = exact(a) * exact(b);
  EXPECT_FALSE(within(8.7, -48, exact(pair::mul<NativeMul::split>(a, b)) - truth, truth));
  EXPECT_TRUE(within(5, -48, exact(pair::mul<NativeMul::fma>(a, b)) - truth, truth));
}

TEST(NativePair, TwelveMaskedBitsRoundTheSumOfTheCrossProducts) {
  const float a = 2049.0f * 0x1p12f + 4095.0f;
  const float b = 2049.0f * 0x1p12f + 4094.0f;
  const auto z = pair::native_mul<NativeMul::mask>(a, b);
  const Exact error = exact(z) - Exact(a) * Exact(b);
  EXPECT_TRUE(abs(error) == Exact(4096) || abs(error) == Exact(4095) || abs(error) == Exact(4097)) << error;
}

TEST(NativePair, TwentySixMaskedBitsLeaveTheErrorOfANativeProduct) {
  const double a = 94906267 * 0x1p-26;  // 27 bits, odd: its square has 54
  const auto z = pair::native_mul<NativeMul::mask>(a, a);
  const Exact truth = Exact(a) * Exact(a);
  EXPECT_FALSE(within(0.999, -53, exact(z) - truth, truth));
}

TEST(NativePair, SplitOverflowsWhereTheProductDoesNot) {
  EXPECT_TRUE(std::isnan(pair::native_mul<NativeMul::split>(0x1p120f, 0x1p-20f).h));
}

TEST(NativePair, FromDoubleKeeps49Bits) {
  const double d = 1 + 0x1p-24 + 0x1p-48;
  EXPECT_EQ(exact(pair::from_double(d)), Exact(d));
  const double longer = 1 + 0x1p-24 + 0x1p-49;
  EXPECT_FALSE(exact(pair::from_double(longer)) == Exact(longer));
}

TEST(NativePair, FromDoubleCanGiveATieBesideAnOddHighWord) {
  const auto z = pair::from_double(1 + 0x1p-24 + 0x1p-49);
  EXPECT_EQ(z.h, 1 + 0x1p-23f);
  EXPECT_EQ(z.l, -0x1p-24f);
}

TEST(NativePair, FromDoubleUnderflowsToTheHighWord) {
  EXPECT_TRUE(equal_bits(pair::from_double(0x1.0000000000001p-130), {0x1p-130f, 0.0f}));
}

TEST(NativePair, ToDoubleRoundsOnce) {
  EXPECT_EQ(pair::to_double({1.0f, 0x1p-53f}), 1.0);
  EXPECT_EQ(pair::to_double({0x1.000002p+0f, 0x1p-53f}), 0x1.000002p+0);
  EXPECT_EQ(pair::to_double({1.0f, 0x1.000002p-53f}), 1 + 0x1p-52);
}

}  // namespace
}  // namespace assay
