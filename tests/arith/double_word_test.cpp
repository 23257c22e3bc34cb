#include "arith/words/double_word.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "arith/float/small_float.hpp"
#include "word_reference.hpp"

namespace assay {
namespace {

using reference::equal_bits;
using reference::Exact;
using reference::exact;
using reference::power;
using reference::precision;
using reference::value;

/// numerator·u²/(1 − slack·u) + cubic·u³, a bound on a relative error, with its denominator cleared.
struct Bound {
  double numerator;
  double cubic = 0;
  double slack = 0;

  /// Whether |error| ≤ bound·|size|.
  [[nodiscard]] bool holds(int p, const Exact& error, const Exact& size) const {
    const Exact u = power(-p);
    const Exact denominator = Exact(1) - Exact(slack) * u;
    return abs(error) * denominator <= (Exact(numerator) * u * u + Exact(cubic) * u * u * u * denominator) * abs(size);
  }
};

template <class T>
testing::AssertionResult is_normalised(DoubleWord<T> z) {
  return (to_bits(z.h + z.l) == to_bits(z.h) ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << "(" << value(z.h) << ", " << value(z.l) << ")";
}

/// Whether z − truth is within the bound of |truth|.
template <class T>
testing::AssertionResult within(Bound bound, DoubleWord<T> z, const Exact& truth) {
  return (bound.holds(precision<T>, exact(z) - truth, truth) ? testing::AssertionSuccess()
                                                             : testing::AssertionFailure())
         << std::hexfloat << "(" << value(z.h) << ", " << value(z.l) << ") instead of " << truth;
}

/// Whether z − x/y is within the bound of |x/y|.
template <class T>
testing::AssertionResult quotient_within(Bound bound, DoubleWord<T> z, const Exact& x, const Exact& y) {
  return (bound.holds(precision<T>, exact(z) * y - x, x) ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << "(" << value(z.h) << ", " << value(z.l) << ") instead of " << x << " / " << y;
}

template <class T>
class DoubleWordOf : public testing::Test {
 protected:
  /// A double word with an exponent of h in [low, high], l at the rounding boundary, near it, or far below.
  DoubleWord<T> word(int low, int high) {
    const T h = kind_ % 2 == 0 ? numbers_.sparse(low, high) : numbers_.moderate(low, high);
    const int gap = precision<T> + 1 + (kind_ % 5 == 4 ? kind_ % 11 : 0);
    ++kind_;
    const int e = std::ilogb(value(h)) - gap;
    const T l = numbers_.sparse(e, e);
    const Sum<T> z = fast_two_sum(h, l);
    return {z.s, z.e};
  }

  static constexpr int repetitions = 3000;
  reference::Numbers<T> numbers_{51};
  int kind_ = 0;
};
using Formats = testing::Types<double, float, Toy<8>>;
TYPED_TEST_SUITE(DoubleWordOf, Formats);

TYPED_TEST(DoubleWordOf, AddFpIsWithin2) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->numbers_.sparse(-precision<TypeParam> - 3, precision<TypeParam> + 3);
    const auto z = dw::add_fp(x, y);
    ASSERT_TRUE(within({2}, z, exact(x) + exact(y)));
    ASSERT_TRUE(is_normalised(z));
  }
}

TYPED_TEST(DoubleWordOf, AccurateAddIsWithin3) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = i % 2 == 0 ? this->word(-3, 3) : this->word(-precision<TypeParam> - 3, 3);
    const auto z = dw::accurate_add(x, y);
    ASSERT_TRUE(within({3, 0, 4}, z, exact(x) + exact(y)));
    ASSERT_TRUE(is_normalised(z));
  }
}

TYPED_TEST(DoubleWordOf, AccurateAddIsWithin3UnderCancellation) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(0, 0);
    const Sum<TypeParam> near =
        two_sum(-x.h, this->numbers_.sparse(-precision<TypeParam> - 5, -precision<TypeParam> + 3));
    const auto z = dw::accurate_add(x, {near.s, near.e});
    ASSERT_TRUE(within({3, 0, 4}, z, exact(x) + exact(DoubleWord<TypeParam>{near.s, near.e})));
  }
}

TYPED_TEST(DoubleWordOf, SloppyAddIsWithin3ForEqualSigns) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    auto y = this->word(-3, 3);
    if (signbit(x.h) != signbit(y.h)) {
      y = {-y.h, -y.l};
    }
    const auto z = dw::sloppy_add(x, y);
    ASSERT_TRUE(within({3}, z, exact(x) + exact(y)));
  }
}

TYPED_TEST(DoubleWordOf, SloppyAddCanLoseEverything) {
  const double u = power(-precision<TypeParam>);
  const DoubleWord<TypeParam> x{TypeParam(1 + 2 * u), TypeParam(u * u - u)};
  const DoubleWord<TypeParam> y{TypeParam(-1.0), TypeParam(-u)};
  ASSERT_EQ(exact(x) + exact(y), Exact(u * u));
  EXPECT_EQ(value(dw::sloppy_add(x, y).h), 0.0);
}

TYPED_TEST(DoubleWordOf, ProductsWithANumberAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->numbers_.moderate(-3, 3);
    const Exact truth = exact(x) * exact(y);
    ASSERT_TRUE(within({1.5, 4}, dw::mul_fp1(x, y), truth));
    ASSERT_TRUE(within({3}, dw::mul_fp2(x, y), truth));
    ASSERT_TRUE(within({2}, dw::mul_fp3(x, y), truth));
    ASSERT_TRUE(is_normalised(dw::mul_fp1(x, y)));
    ASSERT_TRUE(is_normalised(dw::mul_fp3(x, y)));
  }
}

TYPED_TEST(DoubleWordOf, ProductsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->word(-3, 3);
    const Exact truth = exact(x) * exact(y);
    ASSERT_TRUE(within({5}, dw::mul1(x, y), truth));
    ASSERT_TRUE(within({5}, dw::mul2(x, y), truth));
    ASSERT_TRUE(within({4}, dw::mul3(x, y), truth));
    ASSERT_TRUE(is_normalised(dw::mul1(x, y)));
    ASSERT_TRUE(is_normalised(dw::mul2(x, y)));
    ASSERT_TRUE(is_normalised(dw::mul3(x, y)));
  }
}

TYPED_TEST(DoubleWordOf, QuotientsByANumberAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->numbers_.moderate(-3, 3);
    ASSERT_TRUE(quotient_within({3.5}, dw::div_fp1(x, y), exact(x), exact(y)));
    ASSERT_TRUE(quotient_within({3.5}, dw::div_fp2(x, y), exact(x), exact(y)));
    ASSERT_TRUE(quotient_within({3}, dw::div_fp3(x, y), exact(x), exact(y)));
  }
}

TYPED_TEST(DoubleWordOf, QuotientsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->word(-3, 3);
    ASSERT_TRUE(quotient_within({15, 56}, dw::div1(x, y), exact(x), exact(y)));
    ASSERT_TRUE(quotient_within({15, 56}, dw::div2(x, y), exact(x), exact(y)));
    if constexpr (precision<TypeParam> >= 14) {
      ASSERT_TRUE(quotient_within({6.75, 32}, dw::div3(x, y), exact(x), exact(y)));
    }
  }
}

TYPED_TEST(DoubleWordOf, TheExactSubtractionsOfTheShorterDivisionsChangeNothing) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->word(-3, 3);
    ASSERT_TRUE(equal_bits(dw::div1(x, y), dw::div2(x, y)));
    ASSERT_TRUE(equal_bits(dw::div_fp1(x, y.h), dw::div_fp2(x, y.h)));
  }
}

/// |z − √x| ≤ B√x if and only if (1 − B)²x ≤ z² ≤ (1 + B)²x, z > 0.
TYPED_TEST(DoubleWordOf, SquareRootIsWithin25Eighths) {
  for (int i = 0; i < this->repetitions; ++i) {
    auto x = this->word(-5, 5);
    if (signbit(x.h)) {
      x = {-x.h, -x.l};
    }
    const auto z = dw::sqrt(x);
    const Exact bound = Exact(3.125) * Exact(power(-2 * precision<TypeParam>));
    const Exact below = Exact(1) - bound;
    const Exact above = Exact(1) + bound;
    const Exact square = exact(z) * exact(z);
    ASSERT_TRUE(value(z.h) > 0 && below * below * exact(x) <= square && square <= above * above * exact(x))
        << value(x.h) << " " << value(x.l);
  }
}

TYPED_TEST(DoubleWordOf, SquareRootOfZeroIsZero) {
  const auto z = dw::sqrt(DoubleWord<TypeParam>{TypeParam(0), TypeParam(0)});
  EXPECT_EQ(exact(z), Exact(0));
}

TYPED_TEST(DoubleWordOf, SquareRootOfASquareIsExact) {
  for (int i = 1; i < 16; ++i) {
    const auto z = dw::sqrt(DoubleWord<TypeParam>{TypeParam(i * i), TypeParam(0)});
    ASSERT_EQ(exact(z), Exact(i));
  }
}

/// The bound 3u² of AccurateDWPlusDW cannot be lowered.
/// Source: Muller, Rideau, ACM TOMS 48(1), 2022, Property 2.1.
TEST(AccurateAdd, ComesNear3OnTheWitnessOfMullerAndRideau) {
  const double u = power(-53);
  const DoubleWord<double> x{1, u - u * u};
  const DoubleWord<double> y{-0.5 + u / 2, -u * u / 2 + u * u * u};
  const DoubleWord<double> z = dw::accurate_add(x, y);
  EXPECT_TRUE(within({3, 0, 4}, z, exact(x) + exact(y)));
  EXPECT_FALSE(within({2.999999}, z, exact(x) + exact(y)));
}

/// The bound 3u² of the sloppy sum of numbers of one sign cannot be lowered either.
TEST(SloppyAdd, ComesNear3WhereBothRoundingsLoseMost) {
  const double u = power(-53);
  const DoubleWord<double> x{1, u};
  const DoubleWord<double> y{5 * u, 3 * u * u - 4 * u * u * u};
  const DoubleWord<double> z = dw::sloppy_add(x, y);
  EXPECT_TRUE(within({3}, z, exact(x) + exact(y)));
  EXPECT_FALSE(within({2.999999}, z, exact(x) + exact(y)));
}

/// Sums tolerate gradual underflow: an addition with a subnormal result is exact.
TEST(AccurateAdd, IsWithin3WithSubnormalLowWords) {
  reference::Numbers<double> numbers(52);
  for (int i = 0; i < 3000; ++i) {
    const Sum<double> x = two_sum(numbers.moderate(-1022, -1000), numbers.moderate(-1022, -1020) * power(-40));
    const Sum<double> y = two_sum(numbers.moderate(-1022, -1000), numbers.moderate(-1022, -1020) * power(-45));
    const DoubleWord<double> z = dw::accurate_add<double>({x.s, x.e}, {y.s, y.e});
    ASSERT_TRUE(within({3, 0, 4}, z, Exact(x.s) + Exact(x.e) + Exact(y.s) + Exact(y.e)));
  }
}

/// Binary32 loses the low word of a product below 2^-102, the most frequent failure of float-float arithmetic.
TEST(Mul3, DegeneratesToASingleWordBelowTheRangeOfBinary32) {
  const DoubleWord<float> x{0x1.549974p-60f, 0};
  EXPECT_FALSE(within({4}, dw::mul3(x, x), exact(x) * exact(x)));
}

}  // namespace
}  // namespace assay
