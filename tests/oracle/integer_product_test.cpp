#include "oracle/integer_product.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A matrix of one column, or one row.
MatrixView column(const std::vector<double>& x) {
  const auto rows = static_cast<std::int64_t>(x.size());
  return {x.data(), rows, 1, 1, rows};
}
MatrixView row(const std::vector<double>& x) { return {x.data(), 1, static_cast<std::int64_t>(x.size()), 1, 1}; }

/// RN(α·aᵀb + β·c).
double rounded_dot(const std::vector<double>& a, const std::vector<double>& b, double alpha = 1, double beta = 0,
                   double c = 0) {
  const std::vector<double> start{c};
  return std::bit_cast<double>(IntegerProduct(row(a), column(b)).rounded(alpha, beta, column(start)).front());
}

/// Numbers with all 53 bits and exponents from −spread to spread.
std::vector<double> numbers(std::size_t count, int spread, std::uint64_t seed) {
  std::vector<double> all;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const double x = static_cast<double>(state >> 11) - 0x1p52;
    const int e = static_cast<int>(state % static_cast<std::uint64_t>(2 * spread + 1)) - spread;
    all.push_back(std::ldexp(x, e - 52));
  }
  return all;
}

TEST(IntegerProductOfMatrices, HasTheRoundedSumsOfProductsOfItsEntries) {
  for (const int spread : {0, 20, 500}) {
    constexpr std::int64_t m = 7;
    constexpr std::int64_t k = 19;
    constexpr std::int64_t n = 5;
    const std::vector<double> a = numbers(m * k, spread, 1);
    const std::vector<double> b = numbers(k * n, spread, 2);
    const std::vector<double> c = numbers(m * n, 2 * spread, 3);
    const IntegerProduct product({a.data(), m, k, k, 1}, {b.data(), k, n, 1, k});
    const auto got = product.rounded(-0.3, 1.7, {c.data(), m, n, 1, m});
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        Dyadic sum;
        for (std::int64_t l = 0; l < k; ++l) {
          sum.add_mul(exact(a[static_cast<std::size_t>(i * k + l)]), exact(b[static_cast<std::size_t>(l + j * k)]));
        }
        EXPECT_EQ(product.value(i, j), sum);
        const auto at = static_cast<std::size_t>(i + j * m);
        EXPECT_EQ(got[at], round(exact(-0.3) * sum + exact(1.7) * exact(c[at]), binary64, Rounding::nearest));
      }
    }
  }
}

TEST(IntegerProductOfMatrices, SumsMagnitudesWhereAsked) {
  const std::vector<double> a{-3, 2};
  const std::vector<double> b{0.5, -0.25};
  EXPECT_EQ(IntegerProduct(row(a), column(b), IntegerProduct::Of::magnitudes).value(0, 0), Dyadic(2));
}

TEST(IntegerProductOfMatrices, RoundsTiesToEven) {
  EXPECT_EQ(rounded_dot({1, 0x1p-53}, {1, 1}), 1);
  EXPECT_EQ(rounded_dot({1 + 0x1p-52, 0x1p-53}, {1, 1}), 1 + 0x1p-51);
}

TEST(IntegerProductOfMatrices, SeesATermFarBelowATie) {
  EXPECT_EQ(rounded_dot({1, 0x1p-53, 0x1p-1000}, {1, 1, 1}), 1 + 0x1p-52);
  EXPECT_EQ(rounded_dot({1, 0x1p-53, -0x1p-1000}, {1, 1, 1}), 1);
  EXPECT_EQ(rounded_dot({1 + 0x1p-52, 0x1p-53, -0x1p-1000}, {1, 1, 1}), 1 + 0x1p-52);
}

TEST(IntegerProductOfMatrices, RoundsASubnormalResultOnce) {
  EXPECT_EQ(rounded_dot({0x1p-537}, {0x1p-538}), 0);
  EXPECT_EQ(rounded_dot({0x1p-537, 0x1p-1000}, {0x1p-538, 0x1p-1000}), 0x1p-1074);
  EXPECT_EQ(rounded_dot({-0x1p-537, -0x1p-1000}, {0x1p-538, 0x1p-1000}), -0x1p-1074);
  EXPECT_EQ(rounded_dot({0x1.fffffffffffffp-512}, {0x1p-511}), 0x1p-1022);
}

TEST(IntegerProductOfMatrices, OverflowsByTheRoundedValueAlone) {
  constexpr double most = std::numeric_limits<double>::max();
  EXPECT_EQ(rounded_dot({most, most, -most}, {most, 1, most}), most);
  EXPECT_EQ(rounded_dot({most, 0x1p969}, {1, 1}), most);
  EXPECT_EQ(rounded_dot({most, 0x1p970}, {1, 1}), infinity);
  EXPECT_EQ(rounded_dot({-most}, {2}), -infinity);
  EXPECT_EQ(rounded_dot({most}, {most}, 0x1p-1024), std::nextafter(most, 0.0));
}

TEST(IntegerProductOfMatrices, IsPlusZeroWhereItVanishes) {
  EXPECT_FALSE(std::signbit(rounded_dot({1, -1}, {-1, -1})));
  EXPECT_FALSE(std::signbit(rounded_dot({-0.0}, {1}, 1, 1, -0.0)));
  EXPECT_TRUE(std::signbit(rounded_dot({-0x1p-1000}, {0x1p-1000})));
}

TEST(IntegerProductOfMatrices, AddsTheStartOnlyWhereItIsScaledByMoreThanZero) {
  EXPECT_EQ(rounded_dot({3}, {5}, 2, 0, infinity), 30);
  EXPECT_EQ(rounded_dot({3}, {5}, 0, -2, 7), -14);
  EXPECT_EQ(rounded_dot({}, {}, 1, 0.5, 3), 1.5);
}

TEST(IntegerProductOfMatrices, RefusesWhatItCannotMultiply) {
  const std::vector<double> a{1, 2};
  const std::vector<double> b{1, 2, 3};
  EXPECT_THROW(IntegerProduct(row(a), column(b)), std::invalid_argument);
  EXPECT_THROW(rounded_dot({infinity}, {1}), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(IntegerProduct(row(a), column(a)).rounded(1, 1, column(b))), std::invalid_argument);
}

}  // namespace
}  // namespace assay::oracle
