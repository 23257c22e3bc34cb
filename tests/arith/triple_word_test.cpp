#include "arith/words/triple_word.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"
#include "counted.hpp"
#include "word_reference.hpp"

namespace assay {
namespace {

using namespace reference;

/// Whether |error| ≤ (cubic·u³ + quartic·u⁴)|size|.
template <class T>
testing::AssertionResult within(double cubic, double quartic, const Exact& error, const Exact& size) {
  const Exact u = power(-precision<T>);
  const Exact cube = u * u * u;
  return (abs(error) <= (Exact(cubic) * cube + Exact(quartic) * cube * u) * abs(size) ? testing::AssertionSuccess()
                                                                                      : testing::AssertionFailure())
         << error << " of " << size;
}

/// |x1| < ulp(x0) and |x2| < ulp(x1), ulps of an unbounded exponent range; zeros last.
template <class T>
testing::AssertionResult is_p_nonoverlapping(TripleWord<T> x) {
  const auto follows = [](T word, T next) {
    return value(next) == 0 ||
           (value(word) != 0 && std::fabs(value(next)) < std::ldexp(1.0, std::ilogb(value(word)) - precision<T> + 1));
  };
  return (follows(x.x0, x.x1) && follows(x.x1, x.x2) ? testing::AssertionSuccess() : testing::AssertionFailure())
         << std::hexfloat << "(" << value(x.x0) << ", " << value(x.x1) << ", " << value(x.x2) << ")";
}

template <class T>
class TripleWordOf : public WordTest<T, TripleWord<T>> {
 protected:
  TripleWordOf() : WordTest<T, TripleWord<T>>(61, 0, 10) {}
  DoubleWord<T> pair(int low, int high) {
    const T h = this->next(low, high);
    const int e = std::ilogb(value(h)) - precision<T> - 1 - (this->kind_ % 7 == 6 ? this->kind_ % 11 : 0);
    const Sum<T> z = fast_two_sum(h, this->next(e, e));
    return {z.s, z.e};
  }
};
using Formats = testing::Types<double, float, Toy<8>>;
TYPED_TEST_SUITE(TripleWordOf, Formats);

TYPED_TEST(TripleWordOf, ToTripleKeepsTheSumOfThreeNumbers) {
  for (int i = 0; i < this->repetitions; ++i) {
    const int gap = i % (2 * precision<TypeParam> + 3);
    const auto a = this->numbers_.sparse(0, 0);
    const auto b = this->numbers_.moderate(-gap, -gap);
    const auto c = this->numbers_.sparse(-i % 7 - gap, 2);
    const auto r = triple::to_triple(a, b, c);
    ASSERT_EQ(exact(r), Exact(value(a)) + Exact(value(b)) + Exact(value(c)));
    ASSERT_TRUE(is_p_nonoverlapping(r));
  }
}

TYPED_TEST(TripleWordOf, AddIsWithinItsBound) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = i % 2 == 0 ? this->word(-3, 3) : this->word(-2 * precision<TypeParam> - 3, 3);
    const auto r = triple::add(x, y);
    const Exact truth = exact(x) + exact(y);
    ASSERT_TRUE(within<TypeParam>(1.5, 9, exact(r) - truth, truth));
    ASSERT_TRUE(is_p_nonoverlapping(r));
  }
}

TYPED_TEST(TripleWordOf, AddIsWithinItsBoundUnderCancellation) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(0, 0);
    auto y = triple::negated(x);
    if (i % 3 == 0) {
      y.x2 = TypeParam(0);
    }
    if (i % 3 == 1) {
      y.x1 = TypeParam(value(y.x1) / 2);
      y.x2 = TypeParam(0);
    }
    const auto r = triple::add(x, y);
    const Exact truth = exact(x) + exact(y);
    ASSERT_TRUE(within<TypeParam>(1.5, 9, exact(r) - truth, truth));
  }
}

TYPED_TEST(TripleWordOf, CompareIsTheSignOfTheDifference) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(0, 0);
    const auto y = i % 3 == 0 ? x : triple::to_triple(x.x0, x.x1, TypeParam(value(x.x2) / 2));
    const int sign = exact(x) == exact(y) ? 0 : exact(x) < exact(y) ? -1 : 1;
    ASSERT_EQ(value(triple::compare(x, y)), sign);
  }
}

/// cubic·u³ + quartic·u⁴.
struct ThirdOrder {
  double cubic, quartic;
};

/// Whether both products of x and y keep their bounds and are p-nonoverlapping.
template <class X, class T>
testing::AssertionResult products_within(X x, TripleWord<T> y, ThirdOrder accurate_bound, ThirdOrder fast_bound) {
  const Exact truth = exact(x) * exact(y);
  const auto keeps = [&](TripleWord<T> z, ThirdOrder bound) {
    const auto small_error = within<T>(bound.cubic, bound.quartic, exact(z) - truth, truth);
    return small_error ? is_p_nonoverlapping(z) : small_error;
  };
  const auto accurate = keeps(triple::mul_accurate(x, y), accurate_bound);
  return accurate ? keeps(triple::mul_fast(x, y), fast_bound) : accurate;
}

TYPED_TEST(TripleWordOf, ProductsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    ASSERT_TRUE(products_within(x, this->word(-3, 3), {28, 107}, {44, 176}));
  }
}

TYPED_TEST(TripleWordOf, ProductsByADoubleWordAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->pair(-3, 3);
    ASSERT_TRUE(products_within(x, this->word(-3, 3), {10.5, 39}, {18, 75}));
  }
}

/// In docs/bounds/triple.md: each word is a multiple of the ulp of the number that is added to it, or larger, or 0.
TYPED_TEST(TripleWordOf, TheFastTwoSumsOfProductsAreExact) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto t = triple::detail::product_terms(this->word(-3, 3), this->word(-3, 3));
    const TypeParam s3 = t.c + (t.z31 + t.z32);
    TypeParam fast[4] = {t.z00, t.b0, t.b1, s3};
    TypeParam full[4] = {t.z00, t.b0, t.b1, s3};
    triple::detail::fast_vec_sum(fast);
    expansion::vec_sum(full);
    TypeParam short_branch[3];
    TypeParam long_branch[3];
    triple::detail::fast_vec_sum_err_branch(fast, short_branch);
    expansion::vec_sum_err_branch(full, long_branch);
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(value(fast[k]), value(full[k]));
      ASSERT_EQ(value(short_branch[k]), value(long_branch[k]));
    }
  }
}

TYPED_TEST(TripleWordOf, TheFastTwoSumsOfSumsAreExact) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(0, 0);
    const auto y = i % 2 == 0 ? this->word(0, 1) : triple::negated(this->word(0, 0));
    TypeParam e[6] = {x.x0, y.x0, x.x1, y.x1, x.x2, y.x2};
    std::sort(e, e + 6, [](TypeParam a, TypeParam b) { return std::fabs(value(a)) > std::fabs(value(b)); });
    expansion::vec_sum(e);
    TypeParam fast[6];
    TypeParam full[6];
    triple::detail::fast_vec_sum_err_branch(e, fast);
    expansion::vec_sum_err_branch(e, full);
    ASSERT_TRUE(std::equal(fast, fast + 6, full, [](TypeParam a, TypeParam b) { return value(a) == value(b); }));
  }
}

template <class T>
class TripleQuotientsOf : public TripleWordOf<T> {};
using LargeFormats = testing::Types<double, Toy<11>>;
TYPED_TEST_SUITE(TripleQuotientsOf, LargeFormats);

TYPED_TEST(TripleQuotientsOf, ReciprocalsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const Exact one(1);
    ASSERT_TRUE(within<TypeParam>(23.0 / 3, 1800, exact(triple::reciprocal_accurate(x)) * exact(x) - one, one));
    ASSERT_TRUE(within<TypeParam>(35.0 / 3, 1800, exact(triple::reciprocal_fast(x)) * exact(x) - one, one));
    ASSERT_TRUE(is_p_nonoverlapping(triple::reciprocal_accurate(x)));
  }
}

/// The steps of triple.reciprocal_accurate.2: the first factor, the product by it, the product by a number near 1.
TYPED_TEST(TripleQuotientsOf, StepsOfReciprocalsAreWithinTheirBounds) {
  const Exact one(1);
  const Exact square = power(-2 * precision<TypeParam>);
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto b = triple::detail::reciprocal_seed(x.x0, x.x1);
    const Exact truth = exact(b) * exact(x);
    ASSERT_TRUE(abs(truth - one) <= Exact(34) * square);
    const auto r = triple::mul_accurate(b, x);
    ASSERT_EQ(value(r.x0), 1);
    ASSERT_TRUE(within<TypeParam>(7, 200, exact(r) - truth, truth));
    ASSERT_TRUE(within<TypeParam>(11, 200, exact(triple::mul_fast(b, x)) - truth, truth));
    const auto y = triple::detail::newton_factor(r);
    const auto z = triple::mul_accurate(b, this->word(-3, 3));
    const Exact product = exact(z) * exact(y);
    ASSERT_TRUE(
        within<TypeParam>(3, 1000, exact(triple::mul_near_one<triple::PairSums::sorted>(z, y)) - product, product));
  }
}

TYPED_TEST(TripleQuotientsOf, QuotientsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->word(-3, 3);
    ASSERT_TRUE(within<TypeParam>(20.5, 2500, exact(triple::div_accurate(x, y)) * exact(y) - exact(x), exact(x)));
    ASSERT_TRUE(within<TypeParam>(32, 2500, exact(triple::div_fast(x, y)) * exact(y) - exact(x), exact(x)));
    ASSERT_TRUE(is_p_nonoverlapping(triple::div_accurate(x, y)));
  }
}

/// |r − √x| ≤ B√x if and only if (1 − B)²x ≤ r² ≤ (1 + B)²x, r > 0.
TYPED_TEST(TripleQuotientsOf, SquareRootsAreWithinTheirBounds) {
  const Exact u = power(-precision<TypeParam>);
  const auto holds = [&](TripleWord<TypeParam> r, const Exact& x, double cubic, double quartic) {
    const Exact bound = (Exact(cubic) + Exact(quartic) * u) * u * u * u;
    const Exact below = Exact(1) - bound;
    const Exact above = Exact(1) + bound;
    const Exact square = exact(r) * exact(r);
    return value(r.x0) > 0 && below * below * x <= square && square <= above * above * x;
  };
  for (int i = 0; i < this->repetitions; ++i) {
    auto x = this->word(-5, 5);
    if (signbit(x.x0)) {
      x = triple::negated(x);
    }
    ASSERT_TRUE(holds(triple::sqrt_accurate(x), exact(x), 11.75, 11300));
    ASSERT_TRUE(holds(triple::sqrt_fast(x), exact(x), 17.5, 11300));
    ASSERT_TRUE(is_p_nonoverlapping(triple::sqrt_accurate(x)));
  }
}

TEST(TripleWordSquareRoot, OfZeroIsZero) {
  const TripleWord<double> zero{0, 0, 0};
  EXPECT_TRUE(equal_bits(triple::sqrt_accurate(zero), zero));
  EXPECT_TRUE(equal_bits(triple::sqrt_fast(zero), zero));
}

/// A legal input on which the bare FastTwoSum of FMP's Algorithm 18 loses the low word of x, 16u³ instead of u³.
TEST(MulNearOne, LosesTheLowWordAsPrintedAndKeepsItSorted) {
  const DoubleWord<double> x{1, 0x1p-155};
  const TripleWord<double> y{1, 0x1p-101, 0};
  const Exact truth = exact(x) * exact(y);
  EXPECT_FALSE(within<double>(15, 0, exact(triple::mul_near_one<triple::PairSums::as_printed>(x, y)) - truth, truth));
  EXPECT_TRUE(within<double>(1, 620, exact(triple::mul_near_one<triple::PairSums::sorted>(x, y)) - truth, truth));
}

TYPED_TEST(TripleWordOf, RoundIsTheNearestNumber) {
  for (int i = 0; i < this->repetitions; ++i) {
    auto x = this->word(0, 0);
    if (i % 3 == 0) {
      x.x1 = TypeParam(std::ldexp(i % 2 == 0 ? 0.5 : -0.5, 1 - precision<TypeParam>));
      x.x2 = TypeParam(value(x.x2) == 0 ? 0 : std::ldexp(i % 4 == 0 ? 1 : -1, -2 * precision<TypeParam> - 1));
    }
    const TypeParam r = triple::round(x);
    const Exact error = abs(exact(x) - Exact(value(r)));
    ASSERT_TRUE(error <= abs(exact(x) - Exact(value(next_up(r)))) &&
                error <= abs(exact(x) - Exact(value(next_down(r)))));
  }
}

TEST(Round, PutsATieToTheEvenNumber) {
  EXPECT_EQ(triple::round(TripleWord<double>{1, 0x1p-53, 0}), 1);
  EXPECT_EQ(triple::round(TripleWord<double>{1 + 0x1p-52, 0x1p-53, 0}), 1 + 0x1p-51);
}

/// The example of the erratum: 1 + u + u² lies above the middle of 1 and 1 + 2u.
TEST(Round, IgnoresTheThirdWordOfATieOnlyAsPrinted) {
  const TripleWord<double> x{1, 0x1p-53, 0x1p-106};
  EXPECT_EQ(triple::round(x), 1 + 0x1p-52);
  EXPECT_EQ(triple::round_as_printed(x), 1);
}

/// x0 + 2x1 is a number, yet x0 + x1 = 1 + u/2 is not halfway between two.
TEST(Round, IsNotMisledAboveAPowerOfTwo) {
  EXPECT_EQ(triple::round(TripleWord<double>{1 + 0x1p-52, -0x1.8p-53, 0x1p-107}), 1);
}

/// The words that add() merges need not be F-nonoverlapping after VecSum, contrary to FMP's proof of Theorem 6: here e2
/// = 7/8 is more than half the lowest bit of e1 = −1. The result is a triple word all the same.
TEST(VecSum, LeavesAnOverlapThatTheBranchRepairs) {
  using T = Toy<4>;
  T x[4] = {T(15), T(15), T(0.9375), T(0.9375)};
  expansion::vec_sum(x);
  EXPECT_EQ(value(x[0]), 32);
  EXPECT_EQ(value(x[1]), -1);
  EXPECT_EQ(value(x[2]), 0.875);
  const TripleWord<T> half{T(15), T(0.9375), T(0)};
  const TripleWord<T> r = triple::add(half, half);
  EXPECT_EQ(exact(r), Exact(31.875));
  EXPECT_TRUE(is_p_nonoverlapping(r));
}

/// Operations plus comparisons and tests, as documented at the functions; the constants of the seeds cost two more.
TEST(OperationCounts, OfTripleWordsAreThoseOfTheirDescriptions) {
  const TripleWord<Counted> x{Counted(1.3), Counted(0x1.7p-54), Counted(0x1.3p-109)};
  const TripleWord<Counted> y{Counted(1.7), Counted(0x1.2p-54), Counted(0x1.9p-109)};
  const DoubleWord<Counted> d{Counted(1.3), Counted(0x1.7p-54)};
  EXPECT_EQ(operations_of([&] { triple::to_triple(x.x0, y.x0, x.x1); }), 21 + 1);
  EXPECT_EQ(operations_of([&] { triple::add(x, y); }), 42 + 6 + 4);
  EXPECT_EQ(operations_of([&] { triple::mul_accurate(x, y); }), 46 + 2);
  EXPECT_EQ(operations_of([&] { triple::mul_fast(x, y); }), 38 + 1);
  EXPECT_EQ(operations_of([&] { triple::mul_accurate(d, y); }), 45 + 2);
  EXPECT_EQ(operations_of([&] { triple::mul_fast(d, y); }), 37 + 1);
  EXPECT_EQ(operations_of([&] { triple::mul_near_one<triple::PairSums::sorted>(d, y); }), 20 + 2);
  EXPECT_EQ(operations_of([&] { triple::mul_near_one<triple::PairSums::sorted>(x, y); }), 21 + 2);
  EXPECT_EQ(operations_of([&] { triple::reciprocal_accurate(x); }), 74 + 2 + 2 + 2);
  EXPECT_EQ(operations_of([&] { triple::reciprocal_fast(x); }), 66 + 2 + 1 + 2);
  EXPECT_EQ(operations_of([&] { triple::div_accurate(x, y); }), 120 + 2 + 4 + 2);
  EXPECT_EQ(operations_of([&] { triple::div_fast(x, y); }), 104 + 2 + 2 + 2);
  EXPECT_EQ(operations_of([&] { triple::sqrt_accurate(x); }), 129 + 2 + 5 + 2);
  EXPECT_EQ(operations_of([&] { triple::sqrt_fast(x); }), 113 + 2 + 3 + 2);
}

/// 2⁻¹⁰² is the least product whose error binary32 can hold.
TEST(MulAccurate, LosesItsLowWordsBelowTheRangeOfBinary32) {
  const TripleWord<float> x{0x1.549974p-60f, 0, 0};
  const Exact truth = exact(x) * exact(x);
  EXPECT_FALSE(within<float>(28, 107, exact(triple::mul_accurate(x, x)) - truth, truth));
}

TEST(FastVecSumErrBranch, KeepsAsManyWordsAsItIsGiven) {
  const double words[3] = {1, 0x1p-60, 0x1p-120};
  double kept[3];
  triple::detail::fast_vec_sum_err_branch(words, kept);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(kept[i], words[i]) << i;
}

}  // namespace
}  // namespace assay
