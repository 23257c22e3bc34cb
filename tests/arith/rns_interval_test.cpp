#include "arith/residues/interval.hpp"
#include "arith/residues/scaling.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "residue_reference.hpp"

namespace assay::rns {
namespace {

using namespace reference;

template <class Set>
class IntervalOf : public testing::Test {};
TYPED_TEST_SUITE(IntervalOf, reference::Sets);

/// Whether the interval encloses x/M and is no wider than promised.
template <class Set>
testing::AssertionResult encloses(const Interval& i, const Integer& x) {
  const Rational exact(x, product<Set>());
  const Rational lower(i.lower);
  const Rational upper(i.upper);
  if (!(lower <= exact && exact <= upper)) {
    return testing::AssertionFailure() << x << " is outside";
  }
  if (!((upper - lower) * Rational(10000000.0) <= exact)) {
    return testing::AssertionFailure() << "the interval of " << x << " is wide";
  }
  return testing::AssertionSuccess();
}

TYPED_TEST(IntervalOf, EnclosesTheRelativeValueWithinItsWidth) {
  for (const Integer& x : samples<TypeParam>()) {
    EXPECT_TRUE(encloses<TypeParam>(evaluate(residues<TypeParam>(x)), x));
  }
}

TYPED_TEST(IntervalOf, EnclosesWithTheMixedRadixDigitDeciding) {
  for (const Integer& x : samples<TypeParam>()) {
    EXPECT_TRUE(encloses<TypeParam>(evaluate_mixed_radix(residues<TypeParam>(x)), x));
  }
}

TYPED_TEST(IntervalOf, IsFastBelowHalfOfTheRange) {
  const Integer half = product<TypeParam>() / 2;
  for (const Integer& x : samples<TypeParam>()) {
    if (x < half) {
      EXPECT_TRUE(encloses<TypeParam>(evaluate_fast(residues<TypeParam>(x)), x));
    }
  }
}

TYPED_TEST(IntervalOf, OfZeroIsZero) {
  const Interval i = evaluate(Residues<TypeParam>{});
  EXPECT_EQ(i.lower.fraction, 0.0);
  EXPECT_EQ(i.upper.fraction, 0.0);
}

TYPED_TEST(IntervalOf, KnowsTheRank) {
  for (const Integer& x : samples<TypeParam>()) {
    const auto r = residues<TypeParam>(x);
    std::uint32_t s[TypeParam::n];
    crt_digits(r, s);
    Integer sum = 0;
    const Integer m = product<TypeParam>();
    for (int i = 0; i < TypeParam::n; ++i) {
      sum = sum + Integer(static_cast<long>(s[i])) * (m / Integer(static_cast<long>(TypeParam::modulus(i))));
    }
    EXPECT_EQ(Integer(rank(r, s)), sum / m);
  }
}

TYPED_TEST(IntervalOf, ComparesNeighboursAndDistantIntegers) {
  const auto x = samples<TypeParam>();
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const std::size_t j : {i, (i + 1) % x.size(), (i + 2) % x.size(), (7 * i + 3) % x.size()}) {
      EXPECT_EQ(compare(residues<TypeParam>(x[i]), residues<TypeParam>(x[j])), reference::compare(x[i], x[j]))
          << x[i] << ' ' << x[j];
    }
  }
}

TYPED_TEST(IntervalOf, KnowsTheSign) {
  const Integer half = product<TypeParam>() / 2;
  for (const Integer& x : samples<TypeParam>()) {
    EXPECT_EQ(sign(residues<TypeParam>(x)), x == 0 ? 0 : half < x ? -1 : 1) << x;
  }
}

TYPED_TEST(IntervalOf, DetectsTheOverflowOfASum) {
  const Integer m = product<TypeParam>();
  for (const Integer& x : samples<TypeParam>()) {
    for (const Integer& y : {m - x, m - x - 1, m - x - 2, m - 1, Integer(0), m / 3}) {
      if (y >= 0 && y < m) {
        EXPECT_EQ(overflows(residues<TypeParam>(x), residues<TypeParam>(y)), x + y >= m) << x << ' ' << y;
      }
    }
  }
}

TYPED_TEST(IntervalOf, ScalesDownToTheFloor) {
  const long bits = product<TypeParam>().bits();
  long d = 0;
  for (const Integer& x : samples<TypeParam>()) {
    EXPECT_TRUE(are_residues(scale_down(residues<TypeParam>(x), d), x >> d)) << d;
    d = (d + 37) % (bits + 5);
  }
}

TYPED_TEST(IntervalOf, ScalesDownAtOnceToTheFloor) {
  if constexpr (detail::columns_fit<TypeParam>) {
    using Scaling = ScalingTables<TypeParam>;
    const Integer m = product<TypeParam>();
    int d = 0;
    for (const Integer& x : samples<TypeParam>()) {
      EXPECT_TRUE(are_residues(scale_down_at_once(residues<TypeParam>(x), d), x >> d)) << d;
      d = (d + 37) % (Scaling::limb_bits * Scaling::limbs + 1);
    }
    for (const int each : {0, 1, 29, 30, 31, 60, Scaling::limb_bits * Scaling::limbs}) {
      const Integer multiple = (m >> each) << each;
      for (const Integer& x : {multiple, multiple - 1, m - 1, Integer(0), Integer(1)}) {
        EXPECT_TRUE(are_residues(scale_down_at_once(residues<TypeParam>(x), each), x >> each)) << each;
      }
    }
  }
}

TYPED_TEST(IntervalOf, ScalesDownMultiplesAndTheIntegersBelowThem) {
  const Integer m = product<TypeParam>();
  for (const long d : {1, 29, 30, 31, 32, 33, 64, 100}) {
    const Integer multiple = (m >> d) << d;
    EXPECT_TRUE(are_residues(scale_down(residues<TypeParam>(multiple), d), multiple >> d));
    EXPECT_TRUE(are_residues(scale_down(residues<TypeParam>(multiple - 1), d), (multiple - 1) >> d));
  }
}

TYPED_TEST(IntervalOf, ScalesDownToZeroBeyondTheRange) {
  const auto largest = residues<TypeParam>(product<TypeParam>() - 1);
  const long bits = product<TypeParam>().bits();
  EXPECT_TRUE(are_residues(scale_down(largest, bits - 1), Integer(1)));
  EXPECT_TRUE(are_residues(scale_down(largest, bits), Integer(0)));
  EXPECT_TRUE(are_residues(scale_down(largest, std::int64_t{1} << 40), Integer(0)));
}

TYPED_TEST(IntervalOf, DividesToTheFloorAndTheRemainder) {
  const auto x = samples<TypeParam>();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Integer y = x[(5 * i + 1) % x.size()] >> static_cast<long>(i % 3 * 40);
    if (y == 0) {
      continue;
    }
    const auto z = divide(residues<TypeParam>(x[i]), residues<TypeParam>(y));
    EXPECT_TRUE(are_residues(z.quotient, x[i] / y)) << x[i] << ' ' << y;
    EXPECT_TRUE(are_residues(z.remainder, x[i] % y)) << x[i] << ' ' << y;
  }
}

template <class Set>
class EveryInteger : public testing::Test {};
using TinySets = testing::Types<reference::Tiny, reference::TinyGuarded>;
TYPED_TEST_SUITE(EveryInteger, TinySets);

TYPED_TEST(EveryInteger, IsEnclosed) {
  for (long x = 0; x < 315; ++x) {
    EXPECT_TRUE(encloses<TypeParam>(evaluate(residues<TypeParam>(x)), x));
  }
}

TYPED_TEST(EveryInteger, ComparesAndOverflowsAsItShould) {
  for (long x = 0; x < 315; ++x) {
    for (long y = 0; y < 315; ++y) {
      const auto a = residues<TypeParam>(x);
      const auto b = residues<TypeParam>(y);
      ASSERT_EQ(compare(a, b), x < y ? -1 : x > y ? 1 : 0);
      ASSERT_EQ(overflows(a, b), x + y >= 315);
    }
  }
}

TYPED_TEST(EveryInteger, DividesByEveryOther) {
  for (long x = 0; x < 315; ++x) {
    for (long y = 1; y < 315; ++y) {
      const auto z = divide(residues<TypeParam>(x), residues<TypeParam>(y));
      ASSERT_TRUE(are_residues(z.quotient, Integer(x / y)));
      ASSERT_TRUE(are_residues(z.remainder, Integer(x % y)));
    }
  }
}

TYPED_TEST(EveryInteger, ScalesDown) {
  for (long x = 0; x < 315; ++x) {
    for (long d = 0; d < 10; ++d) {
      EXPECT_TRUE(are_residues(scale_down(residues<TypeParam>(x), d), Integer(x >> d)));
    }
  }
}

TEST(Evaluation, OfTheLargestIntegerReachesOne) {
  using Set = Standard<8>;
  const Interval i = evaluate(residues<Set>(product<Set>() - 1));
  EXPECT_EQ(assay::compare(i.upper, {1.0, 0}), 0);
  EXPECT_GT(assay::compare(i.lower, {1.9999, -1}), 0);
}

TEST(Evaluation, OfOneIsTheReciprocalOfTheProduct) {
  using Set = Standard<128>;
  const Interval i = evaluate(residues<Set>(1));
  EXPECT_EQ(i.lower.exponent, tables<Set>().reciprocal_product.lower.exponent);
}

TEST(Division, ByZeroIsSpecified) {
  using Set = Standard<8>;
  const auto z = divide(residues<Set>(42), residues<Set>(0));
  EXPECT_TRUE(are_residues(z.quotient, Integer(0)));
  EXPECT_TRUE(are_residues(z.remainder, Integer(42)));
}

}  // namespace
}  // namespace assay::rns
