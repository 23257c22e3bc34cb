#include "arith/expansion/expansion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "expansion_words.hpp"

namespace assay {
namespace {

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

TYPED_TEST_SUITE(ExpansionOf, ExpansionFormats);

/// Words that overlap by up to p − 2 bits.
template <class T, int N>
void overlapping(std::mt19937_64& random, T (&x)[N]) {
  int e = 0;
  for (T& word : x) {
    word = random() % 8 == 0 ? T(0) : number<T>(random, e);
    e -= 2 + static_cast<int>(random() % (FloatTraits<T>::precision + 2));
  }
}

/// Five overlapping words, renormalized to six, have their sum and the structure.
template <class T, class Renormalize, class HasStructure>
void expect_same_sum(std::mt19937_64& random, const Renormalize& renormalize, const HasStructure& has_structure) {
  for (int repetition = 0; repetition < 2000; ++repetition) {
    T x[5];
    overlapping(random, x);
    const auto z = renormalize(x);
    ASSERT_EQ(exact(z), sum_of(x));
    ASSERT_TRUE(has_structure(z));
  }
}

TYPED_TEST(ExpansionOf, RenormalizedWordsHaveTheSumAndTheStructure) {
  expect_same_sum<TypeParam>(
      this->random_, [](const auto& x) { return expansion::renormalize<6>(x); },
      [](const auto& z) { return renormalized(z); });
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
  expect_same_sum<TypeParam>(
      this->random_, [](const auto& x) { return expansion::priest_renormalize<6>(x); },
      [](const auto& z) { return nonoverlapping(z, 0.875); });
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

/// The sum of operands of K and L words is NaN wherever the special word is.
template <int K, int L>
void expect_nan(double special) {
  for (int i = 0; i < K + L; ++i) {
    Expansion<double, K> a{};
    Expansion<double, L> b{};
    for (int j = 0; j < K; ++j) a.x[j] = std::ldexp(1, -60 * j);
    for (int j = 0; j < L; ++j) b.x[j] = std::ldexp(1, -1 - 60 * j);
    (i < K ? a.x[i] : b.x[i - K]) = special;
    EXPECT_TRUE(std::isnan(expansion::certified_add<2>(a, b).x[0])) << K << ' ' << L << ' ' << i;
  }
}

TEST(CertifiedAdd, IsNaNForANaNOrAnInfinityInAnyWordOfOperandsOfAnyLengths) {
  for (const double special : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for_constants<1, 6>([special](auto k) {
      for_constants<1, 6>([special](auto l) { expect_nan<decltype(k)::value, decltype(l)::value>(special); });
    });
  }
}

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

/// No number is nearer than the nearest: |z − s| ≤ |next − s| for both neighbors.
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

}  // namespace
}  // namespace assay
