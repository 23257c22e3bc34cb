#include "arith/accumulators/binned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr float largest_float = std::numeric_limits<float>::max();

template <class Sum, class T>
Sum sum_of(const std::vector<T>& x) {
  Sum sum = Sum::empty();
  for (const T each : x) sum.add(each);
  return sum;
}

template <class Sum>
Sum product_sum(std::initializer_list<std::pair<double, double>> factors) {
  Sum sum = Sum::empty();
  for (const auto& [x, y] : factors) sum.add_product(x, y);
  return sum;
}

template <class Sum>
void expect_same_members(Sum a, Sum b) {
  a.renormalize();
  b.renormalize();
  EXPECT_EQ(a.bin, b.bin);
  EXPECT_EQ(a.flags, b.flags);
  for (int k = 0; k < Sum::folds; ++k) {
    EXPECT_EQ(a.word[k], b.word[k]) << k;
    EXPECT_EQ(a.carry[k], b.carry[k]) << k;
  }
}

/// Random numbers with random exponents, a tenth of them near the largest exponent.
template <class T>
std::vector<T> random_numbers(std::mt19937_64& random, std::size_t n, int spread) {
  std::vector<T> x;
  while (x.size() < n) {
    const auto m = static_cast<double>(static_cast<std::int64_t>(random()));
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(spread)) - spread;
    x.push_back(static_cast<T>(std::ldexp(m, random() % 10 == 0 ? -63 : exponent)));
  }
  return x;
}

template <class Sum, class T>
void expect_members_do_not_depend_on_order() {
  std::mt19937_64 random(7);
  for (const int spread : {4, 60, 300}) {
    std::vector<T> x = random_numbers<T>(random, 5000, spread);
    const Sum forwards = sum_of<Sum>(x);
    std::shuffle(x.begin(), x.end(), random);
    expect_same_members(sum_of<Sum>(x), forwards);
    std::vector<Sum> parts(9, Sum::empty());
    for (std::size_t i = 0; i < x.size(); ++i) parts[i * i % parts.size()].add(x[i]);
    while (parts.size() > 1) {
      const Sum last = parts.back();
      parts.pop_back();
      parts[parts.size() / 2].add(last);
    }
    expect_same_members(parts.front(), forwards);
  }
}

TEST(BinnedSum, HasTheSameMembersInEveryOrderAndForEveryTreeOfMerges) {
  expect_members_do_not_depend_on_order<BinnedSum<double, 1>, double>();
  expect_members_do_not_depend_on_order<BinnedSum<double, 3>, double>();
  expect_members_do_not_depend_on_order<BinnedSum<float, 2>, float>();
  expect_members_do_not_depend_on_order<BinnedSum<float, 4>, float>();
}

/// Numbers; if `unusual`, some are zeros, subnormal, near the largest, infinities or NaNs.
template <class T>
std::vector<T> with_zeros(std::mt19937_64& random, std::size_t n, int spread, bool unusual) {
  std::vector<T> x = random_numbers<T>(random, n, spread);
  for (T& each : x) {
    const auto kind = random() % 200;
    if (kind < 20) each = kind % 2 == 0 ? T(0) : -T(0);
    if (!unusual) continue;
    if (kind == 20) each = std::numeric_limits<T>::denorm_min();
    if (kind == 21) each = std::numeric_limits<T>::max();
    if (kind == 22) each = std::numeric_limits<T>::min();
    if (kind == 23 && random() % 8 == 0) each = std::numeric_limits<T>::infinity();
  }
  return x;
}

template <class Sum, int tile, class T>
void expect_tiles_add_each_of_their_terms() {
  std::mt19937_64 random(11);
  for (const int spread : {4, 60, 300, 1100}) {
    for (const bool unusual : {false, true}) {
      const std::vector<T> x = with_zeros<T>(random, 600 * tile, spread, unusual);
      const std::vector<T> y = with_zeros<T>(random, x.size(), spread, unusual);
      Sum sum = Sum::empty();
      Sum sum_by_tiles = Sum::empty();
      Sum products = Sum::empty();
      Sum products_by_tiles = Sum::empty();
      for (std::size_t i = 0; i < x.size(); i += tile) {
        T left[tile];
        T right[tile];
        for (std::size_t j = 0; j < tile; ++j) {
          left[j] = x[i + j];
          right[j] = y[i + j];
          sum.add(left[j]);
          products.add_product(left[j], right[j]);
        }
        sum_by_tiles.add_tile(left);
        products_by_tiles.add_tile_of_products(left, right);
        if (i % 64 == 0) {
          expect_same_members(sum_by_tiles, sum);
          expect_same_members(products_by_tiles, products);
        }
      }
      expect_same_members(sum_by_tiles, sum);
      expect_same_members(products_by_tiles, products);
    }
  }
}

TEST(BinnedSum, HasTheSameMembersWhereItTakesTiles) {
  expect_tiles_add_each_of_their_terms<BinnedSum<double, 1>, 8, double>();
  expect_tiles_add_each_of_their_terms<BinnedSum<double, 3>, 4, double>();
  expect_tiles_add_each_of_their_terms<BinnedSum<double, 4>, 8, double>();
  expect_tiles_add_each_of_their_terms<BinnedSum<float, 2>, 8, float>();
  expect_tiles_add_each_of_their_terms<BinnedSum<float, 4>, 16, float>();
}

TEST(BinnedSum, StaysEmptyAfterTilesOfZeros) {
  using Sum = BinnedSum<double, 2>;
  const double zeros[4] = {0.0, -0.0, 0.0, -0.0};
  const double numbers[4] = {1, -1e300, smallest, 3};
  Sum sum = Sum::empty();
  sum.add_tile(zeros);
  sum.add_tile_of_products(zeros, numbers);
  EXPECT_EQ(sum.bin, Sum::empty_bin);
  EXPECT_EQ(to_bits(sum.value()), 0u);
}

TEST(BinnedSum, TakesBothNumbersOfTwoProdWhereItIsExact) {
  const auto terms = [](double a, double b) {
    BinnedSum<double, 2> sum = BinnedSum<double, 2>::empty();
    sum.add_product(a, b);
    return sum.pending;
  };
  EXPECT_EQ(terms(3, 5), 2);
  EXPECT_EQ(terms(-0x1p-969, 1), 2);
  EXPECT_EQ(terms(0x1p-970, 1), 1);
}

TEST(BinnedSum, TakesTilesOfProductsAtOnceAlsoWithZeros) {
  for (const double each : {5.0, 0.0}) {
    BinnedSum<double, 2> sum = BinnedSum<double, 2>::empty();
    sum.add_tile_of_products({1, each, 3, 4}, {1, 2, 3, 4});
    EXPECT_EQ(sum.pending, 8) << each;
  }
}

TEST(BinnedSum, TakesTilesThatAWordCannotHold) {
  using Sum = BinnedSum<double, 1, 50>;  // two terms in between two carries
  double ones[4] = {0x1p48, 0x1p48, 0x1p48, 0x1p48};
  Sum sum = Sum::empty();
  for (int i = 0; i < 1000; ++i) sum.add_tile(ones);
  EXPECT_EQ(sum.value(), 4000 * 0x1p48);
}

TEST(BinnedSum, IsAValueThatTravelsAsBytes) {
  using Sum = BinnedSum<double, 3>;
  static_assert(std::is_trivially_copyable_v<Sum> && std::is_standard_layout_v<Sum> && sizeof(Sum) == 64);
  const Sum sum = sum_of<Sum>(std::vector<double>{1, 0x1p-60, -3});
  unsigned char bytes[sizeof(Sum)];
  std::memcpy(bytes, &sum, sizeof bytes);
  Sum other;
  std::memcpy(&other, bytes, sizeof bytes);
  other.add(2.0);
  EXPECT_EQ(other.value(), 0x1p-60);
}

TEST(BinnedSum, WithoutTermsIsPlusZeroAndSoIsASumOfZeros) {
  using Sum = BinnedSum<double, 2>;
  for (const Sum& sum : {Sum::empty(), sum_of<Sum>(std::vector<double>{-0.0, -0.0}), product_sum<Sum>({{-0.0, 3}}),
                         sum_of<Sum>(std::vector<double>{1e300, -1e300})}) {
    EXPECT_EQ(to_bits(sum.value()), 0u);
    EXPECT_EQ(to_bits(sum.root()), 0u);
  }
}

TEST(BinnedSum, HoldsAsManyTermsAsItSays) {
  for (const double term : {std::nextafter(std::ldexp(1.0, 46), 0.0), -std::nextafter(std::ldexp(1.0, 46), 0.0)}) {
    BinnedSum<double, 4> sum = sum_of<BinnedSum<double, 4>>(std::vector<double>{term});
    for (int i = 0; i < 62; ++i) sum.add(sum);  // 2⁶² terms
    EXPECT_EQ(sum.value(), std::ldexp(term, 62));
  }
  BinnedSum<float, 1> sum = sum_of<BinnedSum<float, 1>>(std::vector<float>{-1});
  for (int i = 0; i < 62; ++i) sum.add(sum);
  EXPECT_EQ(sum.value(), -0x1p62f);
}

TEST(BinnedSum, OverflowsInTheLastRoundingAlone) {
  using Sum = BinnedSum<double, 3>;
  EXPECT_EQ(sum_of<Sum>(std::vector<double>{largest, largest, -largest}).value(), largest);
  EXPECT_EQ(sum_of<Sum>(std::vector<double>{largest, largest}).value(), infinity);
  EXPECT_EQ(sum_of<Sum>(std::vector<double>{-largest, -0x1p970}).value(), -infinity);
  EXPECT_EQ((sum_of<BinnedSum<float, 3>>(std::vector<float>{largest_float, 0x1p103f}).value()),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(product_sum<Sum>({{1e200, 1e200}, {-1e200, 1e200}, {2, 3}}).value(), 0.0);  // 6 is below the last grid
  EXPECT_EQ(product_sum<Sum>({{1e200, 1e200}}).value(), infinity);
  EXPECT_EQ(product_sum<Sum>({{1e200, 1e200}}).root(), 1e200);
}

TEST(BinnedSum, KeepsSubnormalNumbersAndProductsBelowThem) {
  using Sum = BinnedSum<double, 2>;
  EXPECT_EQ(sum_of<Sum>(std::vector<double>{smallest, smallest, smallest}).value(), 3 * smallest);
  EXPECT_EQ((sum_of<BinnedSum<double, 1>>(std::vector<double>{smallest, smallest}).value()), 2 * smallest);
  EXPECT_EQ(product_sum<Sum>({{3 * smallest, 3 * smallest}, {4 * smallest, 4 * smallest}}).root(), 5 * smallest);
  const double tiny = 0x1p-600;
  EXPECT_EQ(product_sum<Sum>({{3 * tiny, tiny}, {-2 * tiny, tiny}}).root(), tiny);
  EXPECT_EQ(product_sum<Sum>({{tiny, tiny}}).value(), 0.0);
}

TEST(BinnedSum, IsRoundedOnceInBinary32) {
  using Sum = BinnedSum<float, 4>;
  EXPECT_EQ(sum_of<Sum>(std::vector<float>{1, 0x1p-24f}).value(), 1.0f);
  EXPECT_EQ(sum_of<Sum>(std::vector<float>{1, 0x1p-24f, 0x1p-36f}).value(), std::nextafter(1.0f, 2.0f));
  // 66 bits, which binary64 rounds to a tie of binary32.
  Sum sum = sum_of<Sum>(std::vector<float>{0x1p40f, 0x1p16f});
  for (int i = 0; i < 21; ++i) sum.add(sum);
  EXPECT_EQ(sum.value(), 0x1p61f);
  sum.add(0x1p-5f);
  EXPECT_EQ(sum.value(), std::nextafter(0x1p61f, largest_float));
}

TEST(BinnedSum, KeepsInfinitiesAndNaNs) {
  using Sum = BinnedSum<double, 3>;
  EXPECT_EQ(sum_of<Sum>(std::vector<double>{1, -infinity, largest}).value(), -infinity);
  EXPECT_TRUE(std::isnan(sum_of<Sum>(std::vector<double>{infinity, 1, -infinity}).value()));
  EXPECT_TRUE(std::isnan(product_sum<Sum>({{0, infinity}}).value()));
  EXPECT_EQ(product_sum<Sum>({{-infinity, -infinity}, {3, 4}}).root(), infinity);
  Sum sum = Sum::empty();
  sum.add(sum_of<Sum>(std::vector<double>{NAN}));
  sum.add(1.0);
  EXPECT_TRUE(std::isnan(sum.value()) && std::isnan(sum.root()));
  EXPECT_TRUE(std::isnan(sum_of<Sum>(std::vector<double>{-2.0}).root()));
}

}  // namespace
}  // namespace assay
