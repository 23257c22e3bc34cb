#include "arith/expansion/expansion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "arith/float/small_float.hpp"
#include "counted.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::Exact;
using reference::power;
using reference::value;

/// A number of p bits whose exponent is e: every kind of significand in turn.
template <class T>
T number(std::mt19937_64& random, int e) {
  constexpr int p = FloatTraits<T>::precision;
  const std::uint64_t leading = std::uint64_t{1} << (p - 1);
  const std::uint64_t kind = random() % 8;
  const std::uint64_t m = kind == 0 ? leading : kind == 1 ? 2 * leading - 1 : leading | random() >> (65 - p);
  const T x = expansion::detail::scaled<T>(m, e - p + 1);
  return random() % 2 == 0 ? x : -x;
}

/// An ulp-nonoverlapping expansion of full words with x_0 near 1: gaps of p to p + 3 bits, sometimes a word equal to an
/// ulp of the one before, sometimes zeros at the end.
template <class T, int K>
Expansion<T, K> words(std::mt19937_64& random, bool zeros = true) {
  constexpr int p = FloatTraits<T>::precision;
  Expansion<T, K> x{};
  int e = 0;
  for (int i = 0; i < K; ++i) {
    const bool end = zeros && i > 0 && random() % 16 == 0;
    if (end) {
      for (; i < K; ++i) {
        x.x[i] = T(0);
      }
      break;
    }
    const bool ulp_of_last = i > 0 && random() % 8 == 0;
    x.x[i] = ulp_of_last ? expansion::detail::scaled<T>(1, e - p + 1) : number<T>(random, i == 0 ? 0 : e - p);
    e = ulp_of_last ? e - p + 1 : i == 0 ? 0 : e - p;
    e -= random() % 4 == 0 ? static_cast<int>(random() % 4) : 0;
  }
  return x;
}

template <class T, int K>
Exact exact(const Expansion<T, K>& x) {
  Exact sum(0.0);
  for (const T word : x.x) {
    sum = sum + Exact(value(word));
  }
  return sum;
}
template <class T, int N>
Exact sum_of(const T (&x)[N]) {
  Exact sum(0.0);
  for (const T word : x) {
    sum = sum + Exact(value(word));
  }
  return sum;
}

/// Whether |x_(i+1)| ≤ factor·ulp(x_i) for consecutive words and nothing follows a zero.
template <class T, int K>
testing::AssertionResult nonoverlapping(const Expansion<T, K>& x, double factor) {
  constexpr int p = FloatTraits<T>::precision;
  for (int i = 0; i + 1 < K; ++i) {
    const double here = value(x.x[i]);
    const double next = std::fabs(value(x.x[i + 1]));
    if (next > 0 && (here == 0 || next > factor * power(std::ilogb(here) - p + 1))) {
      return testing::AssertionFailure() << std::hexfloat << "word " << i << ": " << here << ", then " << next;
    }
  }
  return testing::AssertionSuccess();
}

/// The structure that the renormalization promises: 1/2 + 4u + u.
template <class T, int K>
testing::AssertionResult renormalized(const Expansion<T, K>& x) {
  return nonoverlapping(x, 0.5 + 5 * power(-FloatTraits<T>::precision));
}

/// Whether |error| ≤ factor·u^R·|size|.
template <class T>
testing::AssertionResult within(int r, double factor, const Exact& error, const Exact& size) {
  constexpr int p = FloatTraits<T>::precision;
  const Exact bound = Exact(factor) * Exact(power(-p * r)) * abs(size);
  return (abs(error) <= bound ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "error " << error << " of " << size;
}

double factorial(int n) { return n <= 1 ? 1.0 : n * factorial(n - 1); }

/// Calls f with the constants from, from + 1, …, to.
template <int from, int to, class F>
void for_constants(F&& f) {
  f(std::integral_constant<int, from>{});
  if constexpr (from < to) {
    for_constants<from + 1, to>(f);
  }
}

// ---- distillation ----

/// R = 1.11010011·2⁻¹ in three words of five bits and, most compact, in two.
/// Joldes, Popescu, CAMPARY (2015), example of redundancy.
TEST(Renormalize, FindsTheMostCompactFormOfTheFiveBitExample) {
  using T = Toy<5>;
  const T x[] = {T(0x1.8p-1), T(0x1.2p-3), T(0x1.6p-6)};
  const auto z = expansion::renormalize<2>(x);
  EXPECT_EQ(value(z.x[0]), 0x1.dp-1);
  EXPECT_EQ(value(z.x[1]), 0x1.8p-8);
}

TEST(Renormalize, FindsTheMostCompactFormOfTheLeastCompactOne) {
  using T = Toy<5>;
  const T x[] = {T(0x1p-1), T(0x1p-2), T(0x1p-3), T(0x1p-5), T(0x1p-8), T(0x1p-9)};
  const auto z = expansion::renormalize<3>(x);
  EXPECT_EQ(value(z.x[0]), 0x1.dp-1);
  EXPECT_EQ(value(z.x[1]), 0x1.8p-8);
  EXPECT_EQ(value(z.x[2]), 0.0);
}

TEST(Renormalize, MovesZerosToTheEnd) {
  const double x[] = {1.0, 0.0, 0.0, 0x1p-60, 0.0, 0x1p-130};
  const auto z = expansion::renormalize<6>(x);
  const double expected[] = {1.0, 0x1p-60, 0x1p-130, 0.0, 0.0, 0.0};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(z.x[i], expected[i]) << i;
  }
}

TEST(Renormalize, OfWordsThatCancelIsZero) {
  const double x[] = {1.0, -1.0, 0x1p-54, -0x1p-54};
  for (const double word : expansion::renormalize<4>(x).x) {
    EXPECT_EQ(word, 0.0);
  }
}

TEST(Renormalize, FindsWhatIsLeftOfLeadingCancellation) {
  const double x[] = {1.0, -1.0, 0x1p-54, 0x1p-90};
  const auto z = expansion::renormalize<4>(x);
  EXPECT_EQ(z.x[0], 0x1p-54 + 0x1p-90);
  EXPECT_EQ(z.x[1], 0.0);
}

/// The error of the last step is the last word: without the second output of the last TwoSum it would be lost.
TEST(VecSumErrBranch, PutsOutBothWordsOfItsLastTwoSum) {
  const double e[] = {1.0, 0x1p-53, 0x1p-106};
  double f[3];
  expansion::vec_sum_err_branch(e, f);
  EXPECT_EQ(sum_of(e), sum_of(f));
}

TEST(VecSumErrBranch, KeepsTheFirstWords) {
  const double e[] = {1.0, 0x1p-60, 0x1p-120, 0x1p-180};
  double f[2];
  expansion::vec_sum_err_branch(e, f);
  EXPECT_EQ(f[0], 1.0);
  EXPECT_EQ(f[1], 0x1p-60);
}

TEST(VecSumErr, MovesAZeroOnePlaceOn) {
  double f[] = {1.0, 0.0, 0x1p-60};
  expansion::vec_sum_err(f);
  EXPECT_EQ(f[1], 0x1p-60);
  EXPECT_EQ(f[2], 0.0);
}

TEST(VecSum, IsExactForAnyWords) {
  std::mt19937_64 random(1);
  for (int repetition = 0; repetition < 2000; ++repetition) {
    double x[7];
    for (double& word : x) {
      word = number<double>(random, static_cast<int>(random() % 200) - 100);
    }
    const Exact before = sum_of(x);
    expansion::vec_sum(x);
    ASSERT_EQ(before, sum_of(x));
  }
}

template <class T>
class ExpansionOf : public testing::Test {
 protected:
  std::mt19937_64 random_{7};
};
using Formats = testing::Types<double, float, Toy<8>>;
TYPED_TEST_SUITE(ExpansionOf, Formats);

/// Words that overlap by up to p − 2 bits.
template <class T, int N>
void overlapping(std::mt19937_64& random, T (&x)[N]) {
  int e = 0;
  for (T& word : x) {
    word = random() % 8 == 0 ? T(0) : number<T>(random, e);
    e -= 2 + static_cast<int>(random() % (FloatTraits<T>::precision + 2));
  }
}

TYPED_TEST(ExpansionOf, RenormalizedWordsHaveTheSumAndTheStructure) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    TypeParam x[5];
    overlapping(this->random_, x);
    const auto z = expansion::renormalize<6>(x);
    ASSERT_EQ(exact(z), sum_of(x));
    ASSERT_TRUE(renormalized(z));
  }
}

TYPED_TEST(ExpansionOf, ATruncatedRenormalizationLosesLessThanAnUlpOfTheLastWord) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    TypeParam x[6];
    overlapping(this->random_, x);
    const auto z = expansion::renormalize<2>(x);
    const Exact error = exact(z) - sum_of(x);
    ASSERT_TRUE(error == Exact(0.0) ||
                abs(error) < Exact(power(std::ilogb(value(z.x[1])) - FloatTraits<TypeParam>::precision + 1)));
  }
}

TYPED_TEST(ExpansionOf, PriestsRenormalizationIsExactAndNonoverlapping) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    TypeParam x[5];
    overlapping(this->random_, x);
    const auto z = expansion::priest_renormalize<6>(x);
    ASSERT_EQ(exact(z), sum_of(x));
    ASSERT_TRUE(nonoverlapping(z, 0.875));
  }
}

TYPED_TEST(ExpansionOf, MergedWordsDescend) {
  for (int repetition = 0; repetition < 500; ++repetition) {
    const auto a = words<TypeParam, 5>(this->random_);
    const auto b = words<TypeParam, 3>(this->random_);
    TypeParam x[8];
    expansion::merge(a, b, x);
    ASSERT_EQ(sum_of(x), exact(a) + exact(b));
    for (int i = 0; i + 1 < 8; ++i) {
      ASSERT_GE(std::fabs(value(x[i])), std::fabs(value(x[i + 1])));
    }
  }
}

// ---- conversions and comparison ----

TEST(FromInteger, IsExactInTwoWordsOfBinary64) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, INT64_MAX, INT64_MIN,
                               std::int64_t{0x123456789abcdef1}, -(std::int64_t{1} << 53) - 1}) {
    const auto x = expansion::from_integer<double, 2>(n);
    EXPECT_EQ(expansion::to_int64(x), n);
  }
}

TEST(FromInteger, IsExactForTheLargestUnsignedNumber) {
  const auto x = expansion::from_integer<float, 3>(std::uint64_t{0xffffffffffffffff});
  EXPECT_EQ(exact(x), Exact(0x1p64) - Exact(1.0));
  EXPECT_TRUE(nonoverlapping(x, 1));
}

TEST(FromInteger, HasNoZeroBetweenWords) {
  const auto x = expansion::from_integer<Toy<8>, 3>(std::uint64_t{0x8000000000000101});
  EXPECT_EQ(value(x.x[0]), 0x1p63);
  EXPECT_EQ(value(x.x[1]), 256.0);
  EXPECT_EQ(value(x.x[2]), 1.0);
}

TEST(ToInt64, RoundsTheSumTowardZero) {
  using E = Expansion<double, 2>;
  EXPECT_EQ(expansion::to_int64(E{{3.75, 0}}), 3);
  EXPECT_EQ(expansion::to_int64(E{{-3.75, 0}}), -3);
  EXPECT_EQ(expansion::to_int64(E{{5.0, -0x1p-300}}), 4);
  EXPECT_EQ(expansion::to_int64(E{{-5.0, 0x1p-300}}), -4);
  EXPECT_EQ(expansion::to_int64(E{{0x1p-300, 0}}), 0);
  EXPECT_EQ(expansion::to_int64(E{{0x1p60, -0.5}}), (std::int64_t{1} << 60) - 1);
}

TEST(ToInt64, KeepsToTheRangeOfItsType) {
  using E = Expansion<double, 2>;
  EXPECT_EQ(expansion::to_int64(E{{0x1p63, -1.0}}), INT64_MAX);
  EXPECT_EQ(expansion::to_int64(E{{0x1p63, -1025.0}}), INT64_MAX - 1024);
  EXPECT_EQ(expansion::to_int64(E{{0x1p63, 0}}), INT64_MAX);
  EXPECT_EQ(expansion::to_int64(E{{0x1p200, -1.0}}), INT64_MAX);
  EXPECT_EQ(expansion::to_int64(E{{-0x1p63, 0}}), INT64_MIN);
  EXPECT_EQ(expansion::to_int64(E{{-0x1p63, 0.5}}), INT64_MIN + 1);
  EXPECT_EQ(expansion::to_int64(E{{-0x1p64, 0}}), INT64_MIN);
  EXPECT_EQ(expansion::to_int64(E{{std::numeric_limits<double>::quiet_NaN(), 0}}), 0);
}

TEST(FromWider, HoldsABinary64NumberInThreeWordsOfBinary32) {
  std::mt19937_64 random(13);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const double x = number<double>(random, 0);
    const auto z = expansion::from_wider<float, 3>(x);
    ASSERT_EQ(exact(z), Exact(x));
    ASSERT_TRUE(nonoverlapping(z, 0.5));
  }
}

TEST(ToWider, KeepsTheSum) {
  std::mt19937_64 random(17);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const auto x = words<float, 4>(random);
    const auto z = expansion::to_wider<double, 3>(x);
    ASSERT_EQ(exact(z), exact(x));
    ASSERT_TRUE(renormalized(z));
  }
}

TEST(Nearest, BreaksTiesByTheWordsBehind) {
  using E = Expansion<double, 3>;
  EXPECT_EQ(expansion::nearest(E{{1.0, 0x1p-53, 0x1p-200}}), 1.0 + 0x1p-52);
  EXPECT_EQ(expansion::nearest(E{{1.0, 0x1p-53, 0}}), 1.0);
  EXPECT_EQ(expansion::nearest(E{{1.0, 0x1p-53, -0x1p-200}}), 1.0);
  EXPECT_EQ(expansion::nearest(E{{1.0, -0x1p-54, -0x1p-200}}), 1.0 - 0x1p-53);
  EXPECT_EQ(expansion::nearest(E{{1.0, -0x1p-54, 0x1p-200}}), 1.0);
  EXPECT_EQ(expansion::nearest(E{{1.0, -0x1p-54, 0}}), 1.0);
}

/// No number is nearer than the nearest: |z − s| ≤ |next − s| for both neighbours.
TYPED_TEST(ExpansionOf, TheNearestNumberIsNearest) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const auto x = words<TypeParam, 4>(this->random_);
    const TypeParam z = expansion::nearest(x);
    const Exact error = abs(exact(x) - Exact(value(z)));
    ASSERT_LE(error, abs(exact(x) - Exact(value(next_up(z)))));
    ASSERT_LE(error, abs(exact(x) - Exact(value(next_down(z)))));
  }
}

TYPED_TEST(ExpansionOf, ComparisonIsThatOfTheSums) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const auto a = words<TypeParam, 4>(this->random_);
    auto b = this->random_() % 4 == 0 ? words<TypeParam, 4>(this->random_) : a;
    const int last = static_cast<int>(this->random_() % 4);
    if (this->random_() % 2 == 0 && value(b.x[last]) != 0) {
      b.x[last] = this->random_() % 2 == 0 ? next_up(b.x[last]) : -b.x[last];
    }
    const int expected = exact(a) < exact(b) ? -1 : exact(b) < exact(a) ? 1 : 0;
    ASSERT_EQ(expansion::compare(a, b), expected);
  }
}

TEST(Compare, FindsDifferentFormsOfOneNumberEqual) {
  const Expansion<double, 2> a{{1.0, 0x1p-52}};
  const Expansion<double, 1> b{{1.0 + 0x1p-52}};
  EXPECT_EQ(expansion::compare(a, b), 0);
}

TEST(Truncate, DropsWordsOrAddsZeros) {
  const Expansion<double, 2> x{{1.0, 0x1p-60}};
  EXPECT_EQ(expansion::truncate<1>(x).x[0], 1.0);
  EXPECT_EQ(expansion::truncate<3>(x).x[1], 0x1p-60);
  EXPECT_EQ(expansion::truncate<3>(x).x[2], 0.0);
}

// ---- arithmetic ----

/// JMMP, Theorem 5: 4.5·2^(−(p−1)R).
TYPED_TEST(ExpansionOf, CertifiedSumsAreWithinTheirBound) {
  for_constants<1, 5>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 500; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto b = words<TypeParam, r>(this->random_);
      const auto z = expansion::certified_add<r>(a, b);
      const Exact truth = exact(a) + exact(b);
      ASSERT_TRUE(within<TypeParam>(r, 4.5 * power(r), exact(z) - truth, truth));
      ASSERT_TRUE(renormalized(z));
    }
  });
}

TYPED_TEST(ExpansionOf, CertifiedSumsAreWithinTheirBoundUnderCancellation) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const auto a = words<TypeParam, 4>(this->random_, false);
    auto b = expansion::negate(a);
    const int from = 1 + static_cast<int>(this->random_() % 3);
    for (int i = from; i < 4; ++i) {
      b.x[i] = number<TypeParam>(this->random_, std::ilogb(value(b.x[i])));
    }
    const Exact truth = exact(a) + exact(b);
    const auto z = expansion::certified_add<4>(a, b);
    ASSERT_TRUE(within<TypeParam>(4, 4.5 * power(4), exact(z) - truth, truth));
    ASSERT_TRUE(renormalized(z));
  }
}

/// docs/bounds/expansion.md: 8·R!·u^R(|a_0| + |b_0|).
TYPED_TEST(ExpansionOf, QuickSumsAreWithinTheirAbsoluteBound) {
  for_constants<1, 5>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 500; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto b = words<TypeParam, r>(this->random_);
      const Exact size = abs(Exact(value(a.x[0]))) + abs(Exact(value(b.x[0])));
      const Exact error = exact(expansion::quick_add<r>(a, b)) - exact(a) - exact(b);
      ASSERT_TRUE(within<TypeParam>(r, 8 * factorial(r), error, size));
    }
  });
}

template <class T>
class ProductsOf : public ExpansionOf<T> {};
using ProductFormats = testing::Types<double, float>;
TYPED_TEST_SUITE(ProductsOf, ProductFormats);

/// JMMP's bound of the full product: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ).
TYPED_TEST(ProductsOf, CertifiedProductsAreWithinTheirBound) {
  for_constants<1, std::is_same_v<TypeParam, float> ? 5 : 9>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 300; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto b = words<TypeParam, r>(this->random_);
      const auto z = expansion::certified_mul<r>(a, b);
      const Exact truth = exact(a) * exact(b);
      const double factor = power(r) * (1 + (r + 1) * power(-FloatTraits<TypeParam>::precision));
      ASSERT_TRUE(within<TypeParam>(r, factor, exact(z) - truth, truth)) << r;
      ASSERT_TRUE(renormalized(z));
    }
  });
}

TYPED_TEST(ProductsOf, CertifiedProductsOfDifferentLengthsAreWithinTheirBound) {
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const auto a = words<TypeParam, 4>(this->random_);
    const auto b = words<TypeParam, 2>(this->random_);
    const Exact truth = exact(a) * exact(b);
    ASSERT_TRUE(within<TypeParam>(3, power(3) * 1.0000001, exact(expansion::certified_mul<3>(a, b)) - truth, truth));
    ASSERT_TRUE(within<TypeParam>(3, power(3) * 1.0000001, exact(expansion::certified_mul<3>(b, a)) - truth, truth));
  }
}

/// Sixteen words reach down to 2⁻⁹⁰⁰: four levels more than words, and rolled loops.
TEST(CertifiedMul, OfSixteenWordsIsWithinItsBound) {
  std::mt19937_64 random(3);
  for (int repetition = 0; repetition < 100; ++repetition) {
    const auto a = words<double, 16>(random);
    const auto b = words<double, 16>(random);
    const auto z = expansion::certified_mul<16>(a, b);
    const Exact truth = exact(a) * exact(b);
    ASSERT_TRUE(within<double>(16, power(16), exact(z) - truth, truth));
    ASSERT_TRUE(renormalized(z));
  }
}

/// docs/bounds/expansion.md: 18·R!(R − 1)!·u^R.
TYPED_TEST(ProductsOf, TruncatedProductsAreWithinTheirBound) {
  for_constants<2, 5>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 300; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto b = words<TypeParam, r>(this->random_);
      const Exact truth = exact(a) * exact(b);
      const Exact error = exact(expansion::truncated_mul<r>(a, b)) - truth;
      ASSERT_TRUE(within<TypeParam>(r, 18 * factorial(r) * factorial(r - 1), error, truth)) << r;
    }
  });
}

TEST(QuickMul, IsTheTruncatedProductOfWordsWithoutCancellation) {
  std::mt19937_64 random(5);
  for (int repetition = 0; repetition < 300; ++repetition) {
    auto a = words<double, 4>(random, false);
    auto b = words<double, 4>(random, false);
    for (int i = 0; i < 4; ++i) {
      a.x[i] = std::fabs(a.x[i]);
      b.x[i] = std::fabs(b.x[i]);
    }
    ASSERT_EQ(exact(expansion::quick_mul<4>(a, b)), exact(expansion::truncated_mul<4>(a, b)));
  }
}

TEST(Products, WithZeroAreZero) {
  std::mt19937_64 random(9);
  const auto a = words<double, 4>(random);
  const auto zero = expansion::from<4>(0.0);
  EXPECT_EQ(exact(expansion::certified_mul<4>(a, zero)), Exact(0.0));
  EXPECT_EQ(exact(expansion::truncated_mul<4>(zero, a)), Exact(0.0));
  EXPECT_EQ(exact(expansion::quick_mul<4>(a, zero)), Exact(0.0));
}

/// The published bound of the Newton iterations: 2^(−(p−3)R−1), that is 8^R/2·u^R.
template <int r>
constexpr double newton_factor = (1ULL << (3 * r)) / 2.0;

TYPED_TEST(ProductsOf, ReciprocalsAreWithinTheirBound) {
  for_constants<1, std::is_same_v<TypeParam, float> ? 4 : 9>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 100; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto z = expansion::reciprocal<r>(a);
      ASSERT_TRUE(within<TypeParam>(r, newton_factor<r>, exact(z) * exact(a) - Exact(1.0), Exact(1.0))) << r;
      ASSERT_TRUE(renormalized(z));
    }
  });
}

TYPED_TEST(ProductsOf, QuotientsAreWithinTheirBound) {
  for_constants<1, std::is_same_v<TypeParam, float> ? 4 : 9>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 100; ++repetition) {
      const auto a = words<TypeParam, r>(this->random_);
      const auto b = words<TypeParam, r>(this->random_);
      const auto z = expansion::div<r>(b, a);
      ASSERT_TRUE(within<TypeParam>(r, newton_factor<r>, exact(z) * exact(a) - exact(b), exact(b))) << r;
      ASSERT_TRUE(renormalized(z));
    }
  });
}

/// |z − √a| ≤ B√a where and only where (1 − B)²a ≤ z² ≤ (1 + B)²a, z > 0.
template <class T>
testing::AssertionResult root_within(int r, double factor, const Exact& square, const Exact& truth) {
  const Exact bound = Exact(factor) * Exact(power(-FloatTraits<T>::precision * r));
  const Exact low = Exact(1.0) - bound;
  const Exact high = Exact(1.0) + bound;
  return low * low * truth <= square && square <= high * high * truth ? testing::AssertionSuccess()
                                                                      : testing::AssertionFailure();
}

TYPED_TEST(ProductsOf, RootsAreWithinTheirBound) {
  for_constants<1, std::is_same_v<TypeParam, float> ? 4 : 9>([this](auto constant) {
    constexpr int r = constant;
    for (int repetition = 0; repetition < 100; ++repetition) {
      auto a = words<TypeParam, r>(this->random_);
      if (signbit(a.x[0])) {
        a = expansion::negate(a);
      }
      const auto z = expansion::sqrt<r>(a);
      ASSERT_TRUE(root_within<TypeParam>(r, newton_factor<r>, exact(z) * exact(z), exact(a))) << r;
      const auto y = expansion::rsqrt<r>(a);
      ASSERT_TRUE(root_within<TypeParam>(r, newton_factor<r>, exact(y) * exact(y) * exact(a), Exact(1.0))) << r;
      ASSERT_FALSE(signbit(z.x[0]));
      ASSERT_FALSE(signbit(y.x[0]));
    }
  });
}

/// The last step starts from more than half the words, so that the error is that of the last word and not 8^R/2 times
/// it.
TEST(Newton, ErrsByLessThanTwoLastWordsFromThreeWordsOn) {
  std::mt19937_64 random(11);
  for (int repetition = 0; repetition < 300; ++repetition) {
    auto a = words<double, 5>(random);
    const auto b = words<double, 5>(random);
    ASSERT_TRUE(within<double>(5, 2, exact(expansion::reciprocal<5>(a)) * exact(a) - Exact(1.0), Exact(1.0)));
    ASSERT_TRUE(within<double>(5, 2, exact(expansion::div<5>(b, a)) * exact(a) - exact(b), exact(b)));
    if (signbit(a.x[0])) {
      a = expansion::negate(a);
    }
    const Exact root = exact(expansion::sqrt<5>(a));
    ASSERT_TRUE(root_within<double>(5, 2, root * root, exact(a)));
    const Exact inverse = exact(expansion::rsqrt<5>(a));
    ASSERT_TRUE(root_within<double>(5, 2, inverse * inverse * exact(a), Exact(1.0)));
  }
}

TEST(Sqrt, OfZeroIsZero) { EXPECT_EQ(exact(expansion::sqrt<4>(expansion::from<4>(0.0))), Exact(0.0)); }

// ---- operation counts ----

/// Dense words without zeros, so that no zero test takes its shorter way.
template <int N>
Expansion<Counted, N> counted_words(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Expansion<Counted, N> x{};
  for (int i = 0; i < N; ++i) {
    x.x[i].x = std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, -54 * i);
  }
  return x;
}

/// The published table of the renormalization with n = m = 2, 4, 7, 8, 10, 12, 16: the FP operations of the worst case.
/// It counts N − 2 TwoSums and N − 1 tests in VecSumErrBranch; the code has N − 1 TwoSums, for the last one must not be
/// left out, and N − 2 tests: 6 − 1 more.
TEST(OperationCounts, OfTheRenormalizationAreThePublishedOnesAndTheLastTwoSum) {
  constexpr int last_two_sum = 6;
  constexpr int last_test = 1;
  const auto check = [](auto constant, int published) {
    constexpr int n = constant;
    const auto x = counted_words<n>(n);
    EXPECT_EQ(operations_of([&] { expansion::renormalize<n>(x.x); }), published + last_two_sum - last_test) << n;
  };
  check(std::integral_constant<int, 2>{}, 13);
  check(std::integral_constant<int, 4>{}, 60);
  check(std::integral_constant<int, 7>{}, 153);
  check(std::integral_constant<int, 8>{}, 190);
  check(std::integral_constant<int, 10>{}, 273);
  check(std::integral_constant<int, 12>{}, 368);
  check(std::integral_constant<int, 16>{}, 594);
}

/// The three levels that make the table up, each counted alone.
TEST(OperationCounts, OfTheLevelsAreThoseOfTheirDescriptions) {
  for_constants<2, 16>([](auto constant) {
    constexpr int n = constant;
    auto x = counted_words<n>(n);
    Counted f[n + 1];
    EXPECT_EQ(operations_of([&] { expansion::vec_sum_err_branch(x.x, f); }), 7 * (n - 2) + 6);
    EXPECT_EQ(operations_of([&] { expansion::vec_sum(x.x); }), 6 * (n - 1));
    EXPECT_EQ(operations_of([&] { expansion::vec_sum_err(x.x); }), 3 * (n - 1));
    EXPECT_EQ(operations_of([&] { expansion::vec_sum_err<1>(x.x); }), 3 * (n - 2));
  });
}

/// The published count of Priest's renormalization: 20(n − 1).
TEST(OperationCounts, OfPriestsRenormalizationAreThePublishedOnes) {
  for_constants<2, 16>([](auto constant) {
    constexpr int n = constant;
    const auto x = counted_words<n>(n);
    EXPECT_EQ(operations_of([&] { expansion::priest_renormalize<n>(x.x); }), 20 * (n - 1)) << n;
  });
}

constexpr int renormalize_count(int n, int m) { return 13 * n + 3 * m * (m + 1) / 2 - 17; }

TEST(OperationCounts, OfRenormalizationsToFewerWordsAreThoseOfTheFormula) {
  for_constants<2, 8>([](auto constant) {
    constexpr int m = constant;
    const auto x = counted_words<2 * m>(m);
    EXPECT_EQ(operations_of([&] { expansion::renormalize<m>(x.x); }), renormalize_count(2 * m, m));
  });
}

TEST(OperationCounts, OfSumsAreThoseOfTheirDescriptions) {
  constexpr int merges[] = {1, 3, 9, 25, 65};  // s2^s + 1
  for_constants<1, 4>([&](auto constant) {
    constexpr int s = constant;
    constexpr int k = 1 << s;
    const auto a = counted_words<k>(1);
    const auto b = counted_words<k>(2);
    Counted x[2 * k];
    EXPECT_EQ(operations_of([&] { expansion::merge(a, b, x); }), merges[s]);
    EXPECT_EQ(operations_of([&] { expansion::certified_add<k>(a, b); }), merges[s] + renormalize_count(2 * k, k));
    EXPECT_EQ(operations_of([&] { expansion::quick_add<k>(a, b); }), k == 2 ? 11 : 3 * k * (k - 1) + k + 13 * k - 14);
    EXPECT_EQ(operations_of([&] { expansion::compare(b, a); }), merges[s] + 13 * 2 * k - 14 + 2);
  });
}

TEST(OperationCounts, OfCertifiedProductsAreThoseOfTheDescription) {
  for_constants<2, 8>([](auto constant) {
    constexpr int r = constant;
    int expected = r * (r + 1);
    for (int l = 1; l < r; ++l) {
      expected += 3 * (l * l + 2 * l) + 3;
    }
    const int level_r = r * r + 2 * r - 2;
    if (r < 8) {
      expected += level_r + renormalize_count(r + 1, r);
    } else {
      expected += level_r + 2 * level_r + r + 2 + level_r + renormalize_count(r + 2, r);
    }
    const auto a = counted_words<r>(1);
    const auto b = counted_words<r>(2);
    EXPECT_EQ(operations_of([&] { expansion::certified_mul<r>(a, b); }), expected) << r;
  });
}

TEST(OperationCounts, OfTruncatedAndQuickProductsAreThoseOfTheirDescriptions) {
  for_constants<3, 8>([](auto constant) {
    constexpr int r = constant;
    int expected = r * (r - 1) + r * r - 2 + 13 * r - 14;
    for (int l = 1; l <= r - 2; ++l) {
      expected += 6 * (l * l + 2 * l - 1);
    }
    const auto a = counted_words<r>(1);
    const auto b = counted_words<r>(2);
    EXPECT_EQ(operations_of([&] { expansion::truncated_mul<r>(a, b); }), expected) << r;
    EXPECT_EQ(operations_of([&] { expansion::quick_mul<r>(a, b); }), expected - (7 * r - 5)) << r;
  });
  const auto a = counted_words<2>(1);
  EXPECT_EQ(operations_of([&] { expansion::truncated_mul<2>(a, a); }), 9);
  EXPECT_EQ(operations_of([&] { expansion::quick_mul<2>(a, a); }), 8);
}

}  // namespace
}  // namespace assay
