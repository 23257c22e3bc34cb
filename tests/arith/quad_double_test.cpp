#include "arith/words/quad_double.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "counted.hpp"
#include "word_reference.hpp"

namespace assay {
namespace {

using namespace reference;

/// Whether |error| ≤ c·u^k·size.
template <class T>
testing::AssertionResult within(double c, int k, const Exact& error, const Exact& size) {
  const Exact bound = Exact(c) * Exact(power(-k * precision<T>));
  return (abs(error) <= bound * abs(size) ? testing::AssertionSuccess() : testing::AssertionFailure())
         << error << " of " << size;
}

template <class T>
class QuadDoubleOf : public WordTest<T, QuadDouble<T>> {
 protected:
  QuadDoubleOf() : WordTest<T, QuadDouble<T>>(71, 1, 5) {}
};
using Formats = testing::Types<double, float>;
TYPED_TEST_SUITE(QuadDoubleOf, Formats);

TYPED_TEST(QuadDoubleOf, SloppyAddIsWithin10OfTheMagnitudes) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = i % 2 == 0 ? this->word(-3, 3) : this->word(-20, -20);
    ASSERT_TRUE(
        within<TypeParam>(10, 4, exact(qd::sloppy_add(x, y)) - exact(x) - exact(y), abs(exact(x)) + abs(exact(y))));
  }
}

TYPED_TEST(QuadDoubleOf, ProductsAreWithinTheirBounds) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->word(-3, 3);
    const Exact truth = exact(x) * exact(y);
    ASSERT_TRUE(within<TypeParam>(45, 4, exact(qd::mul(x, y)) - truth, truth));
    ASSERT_TRUE(within<TypeParam>(150, 4, exact(qd::sloppy_mul(x, y)) - truth, truth));
  }
}

TYPED_TEST(QuadDoubleOf, ProductsByANumberAreWithin12) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const auto y = this->next(-3, 3);
    const Exact truth = exact(x) * Exact(value(y));
    ASSERT_TRUE(within<TypeParam>(12, 4, exact(qd::mul_fp(x, y)) - truth, truth));
  }
}

TYPED_TEST(QuadDoubleOf, AWordThatAddsNothingIsKept) {
  for (int i = 0; i < this->repetitions; ++i) {
    const auto x = this->word(-3, 3);
    const QuadDouble<TypeParam> zero{};
    ASSERT_EQ(exact(qd::sloppy_add(x, zero)), exact(x));
    ASSERT_EQ(exact(qd::ieee_add(x, zero)), exact(x));
    ASSERT_EQ(exact(qd::mul_fp(x, TypeParam(1))), exact(x));
  }
}

/// Operations and the tests for 0, as the docstrings have them.
TEST(OperationCounts, OfQuadDoublesAreThoseOfTheirDescriptions) {
  const QuadDouble<Counted> x{Counted(1.3), Counted(0x1.7p-54), Counted(0x1.3p-109), Counted(0x1.1p-164)};
  const QuadDouble<Counted> y{Counted(1.7), Counted(0x1.2p-54), Counted(0x1.9p-109), Counted(0x1.7p-165)};
  EXPECT_EQ(operations_of([&] { qd::sloppy_add(x, y); }), 87 + 3);
  EXPECT_EQ(operations_of([&] { qd::sloppy_mul(x, y); }), 123 + 3);
  EXPECT_EQ(operations_of([&] { qd::mul(x, y); }), 185 + 3);
  EXPECT_EQ(operations_of([&] { qd::mul_fp(x, y.x0); }), 69 + 3);
}

/// If the leading words cancel, only the rounded words at the end remain.
TEST(SloppyAdd, LosesRelativeAccuracyUnderCancellation) {
  const QuadDouble<double> x{1, 0x1p-54, 0x1p-134, 0x1p-253};
  const QuadDouble<double> y{-1, -0x1p-54, 0x1p-200, 0x1p-318};
  const Exact truth = exact(x) + exact(y);
  EXPECT_FALSE(within<double>(1e6, 4, exact(qd::sloppy_add(x, y)) - truth, truth));
}

}  // namespace
}  // namespace assay
