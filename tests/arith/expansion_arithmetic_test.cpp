#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "arith/expansion/binned_product.hpp"
#include "arith/expansion/expansion.hpp"
#include "counted.hpp"
#include "expansion_words.hpp"

namespace assay {
namespace {

TYPED_TEST_SUITE(ExpansionOf, ExpansionFormats);

/// JMMP, Theorem 5: 4.5·2^(−(p−1)R).
TYPED_TEST(ExpansionOf, CertifiedSumsAreWithinTheirBound) {
  this->template for_pairs<1, 5>(500, [](auto constant, const auto& a, const auto& b) {
    constexpr int r = constant;
    const auto z = expansion::certified_add<r>(a, b);
    const Exact truth = exact(a) + exact(b);
    ASSERT_TRUE(within<TypeParam>(r, 4.5 * power(r), exact(z) - truth, truth));
    ASSERT_TRUE(renormalized(z));
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
  this->template for_pairs<1, 5>(500, [](auto constant, const auto& a, const auto& b) {
    constexpr int r = constant;
    const Exact size = abs(Exact(value(a.x[0]))) + abs(Exact(value(b.x[0])));
    const Exact error = exact(expansion::quick_add<r>(a, b)) - exact(a) - exact(b);
    ASSERT_TRUE(within<TypeParam>(r, 8 * factorial(r), error, size));
  });
}

template <class T>
class ProductsOf : public ExpansionOf<T> {};
using ProductFormats = testing::Types<double, float>;
TYPED_TEST_SUITE(ProductsOf, ProductFormats);

/// JMMP's bound of the full product: 2^(−(p−1)R)(1 + (R + 1)2⁻ᵖ).
TYPED_TEST(ProductsOf, CertifiedProductsAreWithinTheirBound) {
  this->template for_pairs<1, std::is_same_v<TypeParam, float> ? 5 : 9>(
      300, [](auto constant, const auto& a, const auto& b) {
        constexpr int r = constant;
        const auto z = expansion::certified_mul<r>(a, b);
        const Exact truth = exact(a) * exact(b);
        const double factor = power(r) * (1 + (r + 1) * power(-FloatTraits<TypeParam>::precision));
        ASSERT_TRUE(within<TypeParam>(r, factor, exact(z) - truth, truth)) << r;
        ASSERT_TRUE(renormalized(z));
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
  this->template for_pairs<2, 5>(300, [](auto constant, const auto& a, const auto& b) {
    constexpr int r = constant;
    const Exact truth = exact(a) * exact(b);
    const Exact error = exact(expansion::truncated_mul<r>(a, b)) - truth;
    ASSERT_TRUE(within<TypeParam>(r, 18 * factorial(r) * factorial(r - 1), error, truth)) << r;
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

/// Bin i takes multiples of 2^(e − 45(i + 1)), e = 0 here. A product of two words of binary64 has five bins.
TEST(BinnedMul, RoundsTheLastTermsToTheUnitOfItsLastBin) {
  const double unit = 0x1p-225;
  const Expansion<double, 2> one{{1, 0}};
  const auto second_word = [&](double low) {
    return expansion::binned_mul<2>(one, Expansion<double, 2>{{1, low}}).x[1];
  };
  EXPECT_EQ(second_word(3 * unit), 3 * unit);
  EXPECT_EQ(second_word(2.5 * unit), 2 * unit);
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
  this->template for_pairs<1, std::is_same_v<TypeParam, float> ? 4 : 9>(
      100, [](auto constant, const auto& a, const auto& b) {
        constexpr int r = constant;
        const auto z = expansion::div<r>(b, a);
        ASSERT_TRUE(within<TypeParam>(r, newton_factor<r>, exact(z) * exact(a) - exact(b), exact(b))) << r;
        ASSERT_TRUE(renormalized(z));
      });
}

/// |z − √a| ≤ B√a if and only if (1 − B)²a ≤ z² ≤ (1 + B)²a, z > 0.
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
/// It counts N − 2 TwoSums and N − 1 tests in VecSumErrBranch; the code has N − 1 TwoSums, because the last one is
/// needed, and N − 2 tests: 6 − 1 more.
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

/// The three levels that make the table up, each counted separately.
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

/// JMMP's Accumulate with bins of b = 45 bits and c = 53 − b − 1 = 7. From b − 2c − 1 places below the top of its bin
/// on, the error of a product may reach beyond the second bin after it: a FastTwoSum instead of an addition, and an
/// addition more.
TEST(OperationCounts, OfATermOfABinnedProductAreThoseOfItsBins) {
  const auto count = [](int below) {
    Counted bins[4] = {Counted(0x1.8p60), Counted(0x1.8p15), Counted(0x1.8p-30), Counted(0x1.8p-75)};
    return operations_of([&] {
      expansion::detail::accumulate(Product<Counted>{Counted(1), Counted(0)}, 0, below, bins);
    });
  };
  for (int below = 0; below < 45; ++below) EXPECT_EQ(count(below), below < 30 ? 8 : 11) << below;
}

/// Two comparisons find the zero.
TEST(OperationCounts, OfABinnedProductWithZeroAreNoMoreThanTwo) {
  const Expansion<Counted, 2> x = counted_words<2>(1);
  const auto zero = expansion::from<2>(Counted(0));
  EXPECT_LE(operations_of([&] { expansion::binned_mul<2>(zero, x); }), 2);
  EXPECT_LE(operations_of([&] { expansion::binned_mul<2>(x, zero); }), 2);
}

TEST(TruncatedMul, MayReturnWordsThatOverlapUntilTheyAreRenormalized) {
  const Expansion<double, 8> a{{-1, -0x1.fffffffffffffp-54, -0x1.0000000000001p-162, -0x1.0000000000001p-215,
                                0x1.fffffffffffffp-270, 0x1.fffffffffffffp-377, -0x1.fffffffffffffp-430,
                                -0x1.fffffffffffffp-485}};
  const Expansion<double, 8> b{{-1, 0x1p-53, -0x1.fffffffffffffp-107, -0x1p-160, -0x1p-213, -0x1.fffffffffffffp-267,
                                -0x1.0000000000001p-332, -0x1.fffffffffffffp-386}};
  ASSERT_TRUE(nonoverlapping(a, 1));
  ASSERT_TRUE(nonoverlapping(b, 1));
  const auto z = expansion::truncated_mul<8>(a, b);
  EXPECT_FALSE(nonoverlapping(z, 1));
  const auto operand = expansion::renormalize<8>(z.x);
  EXPECT_TRUE(renormalized(operand));
  EXPECT_EQ(exact(operand), exact(z));
}

}  // namespace
}  // namespace assay
