#include "arith/float/error_free.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::Exact;
using reference::exact;
using reference::power;
using reference::value;

template <class T>
testing::AssertionResult sum_is_exact(Sum<T> r, T a, T b) {
  const bool holds = to_bits(r.s) == to_bits(a + b) && exact(r.s) + exact(r.e) == exact(a) + exact(b);
  return (holds ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << value(a) << " + " << value(b) << " -> " << value(r.s) << " + " << value(r.e);
}

template <class T>
testing::AssertionResult product_is_exact(Product<T> r, T a, T b) {
  const bool holds = to_bits(r.p) == to_bits(a * b) && exact(r.p) + exact(r.e) == exact(a) * exact(b);
  return (holds ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << value(a) << " * " << value(b) << " -> " << value(r.p) << " + " << value(r.e);
}

/// Whether f(a, b) has the rounded result and its whole error.
template <class T>
testing::AssertionResult is_exact(Sum<T> (*f)(T, T), T a, T b) {
  return sum_is_exact(f(a, b), a, b);
}
template <class T>
testing::AssertionResult is_exact(Product<T> (*f)(T, T), T a, T b) {
  return product_is_exact(f(a, b), a, b);
}

/// The bits of x from the leading to the last that is set; 0 for 0.
template <class T>
int significant_bits(T x) {
  int exponent = 0;
  double fraction = std::frexp(value(x), &exponent);
  int bits = 0;
  for (; fraction != 0; fraction = 2 * fraction - std::trunc(2 * fraction)) {
    ++bits;
  }
  return bits;
}

template <class T>
class ErrorFree : public testing::Test {
 protected:
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr int emin = FloatTraits<T>::emin;
  static constexpr int emax = FloatTraits<T>::emax;
  static constexpr int repetitions = 4000;
  reference::Numbers<T> numbers_{41};
};
using Formats = testing::Types<double, float, bfloat16, Toy<5>, Toy<8>>;
TYPED_TEST_SUITE(ErrorFree, Formats);

TYPED_TEST(ErrorFree, TwoSumIsExactForEveryExponentGap) {
  for (int gap = -this->p - 3; gap <= this->p + 3; ++gap) {
    for (int i = 0; i < 100; ++i) {
      const auto a = this->numbers_.moderate(0, 0);
      const auto b = i % 2 == 0 ? this->numbers_.moderate(gap, gap) : this->numbers_.sparse(gap, gap);
      ASSERT_TRUE(sum_is_exact(two_sum(a, b), a, b));
    }
  }
}

TYPED_TEST(ErrorFree, TwoSumIsExactWithSubnormalOperands) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a =
        this->numbers_.moderate(this->emin, this->emin + this->p) * from_bits<TypeParam>(to_bits(TypeParam(0.5)));
    const auto b = from_bits<TypeParam>(
        static_cast<BitsOf<TypeParam>>(static_cast<unsigned>(i) % (1u << (this->p < 12 ? this->p - 1 : 11))));
    ASSERT_TRUE(sum_is_exact(two_sum(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, FastTwoSumIsExactWhereTheFirstIsNotSmaller) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->numbers_.moderate(-this->p - 3, 2);
    const auto y = this->numbers_.sparse(-this->p - 3, 2);
    const auto a = abs(x) < abs(y) ? y : x;
    const auto b = abs(x) < abs(y) ? x : y;
    ASSERT_TRUE(sum_is_exact(fast_two_sum(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, FastTwoSumIsExactWhereTheFirstIsAMultipleOfAnUlpOfTheSecond) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto b = this->numbers_.moderate(0, 0);
    // A multiple of ulp(b), mostly below b.
    const auto quanta = static_cast<double>(i % (std::int64_t{1} << (this->p - 1)));
    const auto a = TypeParam(std::ldexp(quanta, 1 - this->p));
    ASSERT_TRUE(sum_is_exact(fast_two_sum(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, TwoProdIsExactDownToItsSmallestExponentSum) {
  const int half = (this->emin + this->p - 1) / 2;
  const int other = this->emin + this->p - 1 - half;
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = i % 2 == 0 ? this->numbers_.moderate(half, half) : this->numbers_.sparse(half, half);
    const auto b = this->numbers_.moderate(other, other + 3);
    ASSERT_TRUE(product_is_exact(two_prod(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, TwoProdIsExactAtModerateExponents) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = this->numbers_.moderate(-20, 20);
    const auto b = this->numbers_.sparse(-20, 20);
    ASSERT_TRUE(product_is_exact(two_prod(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, VeltkampSplitsIntoHalvesOfTheStatedWidths) {
  const int s = (this->p + 1) / 2;
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = i % 2 == 0 ? this->numbers_.moderate(-3, 3) : this->numbers_.sparse(-3, 3);
    const auto r = veltkamp_split(x);
    ASSERT_TRUE(exact(r.h) + exact(r.l) == exact(x) && significant_bits(r.h) <= this->p - s &&
                significant_bits(r.l) <= s - 1)
        << value(x) << " " << value(r.h) << " " << value(r.l);
  }
}

TYPED_TEST(ErrorFree, DekkersProductIsExact) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = this->numbers_.moderate(-20, 20);
    const auto b = i % 2 == 0 ? this->numbers_.moderate(-20, 20) : this->numbers_.sparse(-20, 20);
    ASSERT_TRUE(product_is_exact(dekker_prod(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, DekkersProductIsExactAtItsSmallestProduct) {
  const int low = (this->emin + this->p) / 2;
  const int high = this->emin + this->p - low;
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = this->numbers_.moderate(low, low);
    const auto b = this->numbers_.moderate(high, high);
    ASSERT_TRUE(product_is_exact(dekker_prod(a, b), a, b));
  }
}

TYPED_TEST(ErrorFree, MaskSplitClearsTheLowBitsAndKeepsTheSign) {
  const int s = (this->p + 1) / 2;
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->numbers_.moderate(-3, 3);
    const auto r = mask_split(x);
    ASSERT_TRUE(exact(r.h) + exact(r.l) == exact(x) && significant_bits(r.h) <= this->p - s &&
                significant_bits(r.l) <= s && (value(r.l) == 0 || signbit(r.l) == signbit(x)))
        << value(x);
  }
}

template <class T>
class ErrorFreeOfEvenPrecision : public ErrorFree<T> {};
using EvenFormats = testing::Types<float, bfloat16, e4m3, Toy<6>>;
TYPED_TEST_SUITE(ErrorFreeOfEvenPrecision, EvenFormats);

TYPED_TEST(ErrorFreeOfEvenPrecision, MaskedProductIsExact) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = i % 2 == 0 ? this->numbers_.moderate(-1, 3) : this->numbers_.sparse(-1, 3);
    const auto b = this->numbers_.moderate(-1, 3);
    ASSERT_TRUE(product_is_exact(masked_prod(a, b), a, b));
  }
}

template <class T>
testing::AssertionResult fma_error_is_exact(T a, T x, T y) {
  const FmaError<T> r = err_fma(a, x, y);
  const Exact sum = exact(r.r1) + exact(r.r2) + exact(r.r3);
  const bool holds = to_bits(r.r1) == to_bits(fma(a, x, y)) && sum == exact(a) * exact(x) + exact(y) &&
                     abs(exact(r.r2) + exact(r.r3)) + abs(exact(r.r2) + exact(r.r3)) <= exact(ulp(r.r1)) &&
                     abs(exact(r.r3)) + abs(exact(r.r3)) <= exact(ulp(r.r2));
  return (holds ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << value(a) << " * " << value(x) << " + " << value(y) << " -> " << value(r.r1) << ", "
         << value(r.r2) << ", " << value(r.r3);
}

TYPED_TEST(ErrorFree, ErrFmaIsExactForEveryGapOfTheAddend) {
  for (int gap = -2 * this->p - 3; gap <= 2 * this->p + 3; ++gap) {
    for (int i = 0; i < 50; ++i) {
      const auto a = this->numbers_.moderate(0, 0);
      const auto x = i % 2 == 0 ? this->numbers_.moderate(0, 0) : this->numbers_.sparse(0, 0);
      ASSERT_TRUE(fma_error_is_exact(a, x, this->numbers_.moderate(gap, gap)));
    }
  }
}

TYPED_TEST(ErrorFree, ErrFmaIsExactUnderCancellation) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto a = this->numbers_.moderate(-2, 2);
    const auto x = this->numbers_.sparse(-2, 2);
    ASSERT_TRUE(fma_error_is_exact(a, x, next_up(-(a * x))));
  }
}

TYPED_TEST(ErrorFree, TheRemainderOfADivisionIsANumber) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->numbers_.moderate(-20, 20);
    const auto y = this->numbers_.sparse(-20, 20);
    const auto q = x / y;
    ASSERT_EQ(exact(fma(-q, y, x)), exact(x) - exact(q) * exact(y)) << value(x) << " / " << value(y);
  }
}

TYPED_TEST(ErrorFree, TheRemainderOfASquareRootIsANumber) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = abs(this->numbers_.moderate(-20, 20));
    using assay::sqrt;
    const auto s = sqrt(x);
    ASSERT_EQ(exact(fma(-s, s, x)), exact(x) - exact(s) * exact(s)) << value(x);
  }
}

TEST(TwoSum, IsExactForSubnormalResults) {
  const double eta = power(-1074);
  const double a = 1.5 * power(-1022);
  EXPECT_TRUE(sum_is_exact(two_sum(a, -power(-1022) - 3 * eta), a, -power(-1022) - 3 * eta));
}

TEST(TwoSum, KeepsALostAddend) {
  const Sum<double> r = two_sum(1.0, power(-1074));
  EXPECT_EQ(r.s, 1.0);
  EXPECT_EQ(r.e, power(-1074));
}

/// Source: Boldo, Graillat, Muller, ACM TOMS 44(1), 2017: the one way to a spurious overflow.
TEST(TwoSum, HasAnErrorTermThatIsNanWhereTheFirstIsTheLargestNumber) {
  const Sum<double> r = two_sum(0x1.fffffffffffffp+1023, -0x1.8p+971);
  EXPECT_EQ(r.s, 0x1.ffffffffffffep+1023);
  EXPECT_TRUE(std::isnan(r.e));
}

TEST(TwoSum, IsExactWhereTheSecondIsTheLargestNumber) {
  EXPECT_TRUE(is_exact(two_sum<double>, -0x1.8p+971, 0x1.fffffffffffffp+1023));
}

TEST(FastTwoSum, HasNoSpuriousOverflow) {
  EXPECT_TRUE(is_exact(fast_two_sum<double>, 0x1.fffffffffffffp+1023, -0x1.8p+971));
}

TEST(FastTwoSum, IsNotExactWhereTheFirstIsSmaller) {
  EXPECT_FALSE(is_exact(fast_two_sum<double>, 0x1.d3af3306d7cb8p+0, -0x1.1d9aee1bc7bb9p+4));
}

TEST(TwoProd, IsNotExactBelowItsSmallestExponentSum) {
  EXPECT_FALSE(is_exact(two_prod<double>, 9007199254740991 * power(-537), 9007199254740991 * power(-538)));
}

TEST(TwoProd, LosesTheErrorOfASmallBinary32Product) {
  EXPECT_FALSE(is_exact(two_prod<float>, 16777215 * 0x1p-75f, 16777215 * 0x1p-76f));
}

TEST(DekkerProd, IsNotExactBelowItsSmallestProduct) {
  EXPECT_FALSE(is_exact(dekker_prod<double>, 9007199254740991 * power(-538), 9007199254740991 * power(-538)));
}

TEST(VeltkampSplit, OverflowsAbove2To996) {
  EXPECT_TRUE(std::isfinite(veltkamp_split(power(995)).h));
  EXPECT_FALSE(std::isfinite(veltkamp_split(power(997)).h));
}

TEST(MaskSplit, DoesNotOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(mask_split(largest).h + mask_split(largest).l, largest);
}

TEST(MaskSplit, Clears12BitsOfBinary32And27OfBinary64) {
  EXPECT_EQ(to_bits(mask_split(0x1.fffffep0f).h), 0x3ffff000u);
  EXPECT_EQ(to_bits(mask_split(0x1.fffffffffffffp0).h), 0x3ffffffff8000000u);
}

/// The low halves of binary64 have 27 bits, and their product 54.
TEST(MaskedProd, IsNotExactForBinary64) {
  const double a = 1 + (power(27) - 1) * power(-52);
  EXPECT_FALSE(product_is_exact(masked_prod(a, a), a, a));
}

/// Numbers for which a split of 11 or 13 cleared bits, or of Veltkamp's constant 2^11 + 1, is not exact.
TEST(MaskedProd, IsExactWhereOtherSplitsOfBinary32AreNot) {
  EXPECT_TRUE(product_is_exact(masked_prod(0x1.f1b042p+0f, 0x1.076086p+0f), 0x1.f1b042p+0f, 0x1.076086p+0f));
  EXPECT_TRUE(product_is_exact(masked_prod(0x1.00e7bcp+0f, 0x1.00b666p+0f), 0x1.00e7bcp+0f, 0x1.00b666p+0f));
  EXPECT_TRUE(product_is_exact(dekker_prod(0x1.549974p+0f, 0x1.80d0eap+0f), 0x1.549974p+0f, 0x1.80d0eap+0f));
}

}  // namespace
}  // namespace assay
