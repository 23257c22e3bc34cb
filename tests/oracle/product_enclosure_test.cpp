#include "oracle/product_enclosure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "oracle/decode.hpp"

namespace assay::oracle {
namespace {

/// Numbers of the given number of bits with exponents from −spread to spread, around 2^center.
std::vector<double> numbers(std::int64_t count, int bits, int spread, int centre, std::uint64_t seed) {
  std::vector<double> all;
  std::uint64_t state = seed;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto significand = static_cast<double>(state >> (64 - bits)) - std::ldexp(1, bits - 1);
    const int e = static_cast<int>((state >> 8) % static_cast<std::uint64_t>(2 * spread + 1)) - spread;
    all.push_back(std::ldexp(significand, e + centre - bits));
  }
  return all;
}

struct Sizes {
  std::int64_t m, k, n;
};

/// Every entry lies in its enclosure, whose width is at most the given fraction of Σ|aₗbₗ|.
void expect_enclosed(const Sizes& sizes, const std::vector<double>& a, const std::vector<double>& b,
                     EntryProducts products, double widest) {
  const MatrixView left{a.data(), sizes.m, sizes.k, sizes.k, 1};
  const MatrixView right{b.data(), sizes.k, sizes.n, sizes.n, 1};
  const ProductEnclosure enclosure = enclose_product(left, right, products);
  const IntegerProduct sums(left, right);
  const IntegerProduct magnitudes(left, right, IntegerProduct::Of::magnitudes);
  for (std::int64_t i = 0; i < sizes.m; ++i) {
    for (std::int64_t j = 0; j < sizes.n; ++j) {
      const auto at = static_cast<std::size_t>(i * sizes.n + j);
      const Dyadic radius = exact(enclosure.radius[at]);
      const Dyadic magnitude = magnitudes.value(i, j);
      EXPECT_LE(abs(sums.value(i, j) - exact(enclosure.value[at])), radius);
      EXPECT_LE(exact(enclosure.magnitude[at]), magnitude);
      EXPECT_GE(exact(enclosure.magnitude[at]), magnitude - magnitude * exact(0x1p-40) - exact(0x1p-1060));
      EXPECT_LE(radius, magnitude * exact(widest) + exact(0x1p-1060));
    }
  }
}

TEST(ProductEnclosureOfNarrowNumbers, HoldsTheSum) {
  for (const Sizes& sizes : {Sizes{1, 1, 1}, Sizes{5, 37, 11}, Sizes{2, 300, 8}, Sizes{9, 64, 17}}) {
    for (const int spread : {0, 20, 100}) {
      expect_enclosed(sizes, numbers(sizes.m * sizes.k, 24, spread, 0, 1), numbers(sizes.k * sizes.n, 24, spread, 0, 2),
                      EntryProducts::exact, 0x1p-44);
    }
  }
}

TEST(ProductEnclosureOfFullNumbers, HoldsTheSumAndIsNarrow) {
  for (const Sizes& sizes : {Sizes{1, 1, 1}, Sizes{5, 37, 11}, Sizes{2, 300, 8}, Sizes{9, 64, 17}}) {
    for (const int spread : {0, 20, 300}) {
      expect_enclosed(sizes, numbers(sizes.m * sizes.k, 53, spread, 0, 1), numbers(sizes.k * sizes.n, 53, spread, 0, 2),
                      EntryProducts::rounded, 0x1.1p-53);
    }
  }
}

TEST(ProductEnclosureOfFullNumbers, HoldsASumThatCancels) {
  std::vector<double> a = numbers(6 * 40, 53, 30, 0, 3);
  std::vector<double> b = numbers(40 * 3, 53, 30, 0, 4);
  for (std::int64_t j = 0; j < 3; ++j) {  // the last terms cancel the first ones except for their last bits
    for (std::int64_t l = 0; l < 20; ++l)
      b[static_cast<std::size_t>((20 + l) * 3 + j)] = -b[static_cast<std::size_t>(l * 3 + j)];
  }
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t l = 0; l < 20; ++l) {
      a[static_cast<std::size_t>(i * 40 + 20 + l)] = std::nextafter(a[static_cast<std::size_t>(i * 40 + l)], 0);
    }
  }
  expect_enclosed({6, 40, 3}, a, b, EntryProducts::rounded, 0x1p-60);
}

TEST(ProductEnclosureOfFullNumbers, HoldsSumsOfProductsThatUnderflow) {
  expect_enclosed({3, 50, 9}, numbers(3 * 50, 53, 20, -530, 5), numbers(50 * 9, 53, 20, -530, 6),
                  EntryProducts::rounded, 1);
}

TEST(ProductEnclosureOfSeveralCores, IsThatOfOneCore) {
  constexpr std::int64_t m = 512;
  constexpr std::int64_t k = 1024;
  constexpr std::int64_t n = 512;
  const std::vector<double> a = numbers(m * k, 24, 4, 0, 7);
  const std::vector<double> b = numbers(k * n, 24, 4, 0, 8);
  const ProductEnclosure all = enclose_product({a.data(), m, k, k, 1}, {b.data(), k, n, n, 1}, EntryProducts::exact);
  const ProductEnclosure row =
      enclose_product({a.data() + 511 * k, 1, k, k, 1}, {b.data(), k, n, n, 1}, EntryProducts::exact);
  EXPECT_EQ(row.value, std::vector<double>(all.value.end() - n, all.value.end()));
  EXPECT_EQ(row.radius, std::vector<double>(all.radius.end() - n, all.radius.end()));
}

TEST(ProductEnclosure, OfNoTermsIsZero) {
  const std::vector<double> none{0};
  const ProductEnclosure all =
      enclose_product({none.data(), 1, 0, 0, 1}, {none.data(), 0, 1, 1, 1}, EntryProducts::rounded);
  EXPECT_EQ(all.value, std::vector<double>{0});
  EXPECT_EQ(all.radius, std::vector<double>{0});
}

TEST(ProductEnclosure, OfInnerDimensionsThatDifferIsRefused) {
  const std::vector<double> x{1, 2};
  EXPECT_THROW(enclose_product({x.data(), 1, 2, 2, 1}, {x.data(), 1, 1, 1, 1}, EntryProducts::exact),
               std::invalid_argument);
}

}  // namespace
}  // namespace assay::oracle
