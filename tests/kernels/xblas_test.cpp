#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"

namespace assay::expansion {
namespace {

using blas::Diagonal;
using blas::Side;
using blas::Transpose;
using blas::Triangle;
using Numbers = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Executor host = Executor::host();

/// Small integers as entries of so many words, the i-th one the same in every call.
Numbers integers(int words, std::int64_t count, std::int64_t seed) {
  Numbers x(static_cast<std::size_t>(count * words));
  for (std::int64_t i = 0; i < count; ++i) {
    x[static_cast<std::size_t>(i * words)] = static_cast<double>((i + seed) * 2654435761 % 41 - 20);
  }
  return x;
}

double first_word(const Numbers& x, int words, std::int64_t i) { return x[static_cast<std::size_t>(i * words)]; }

TEST(XblasSums, AreThoseOfIntegersForAnyNumberOfLanes) {
  for (const int words : {1, 2, 4}) {
    for (const std::int64_t n : {0, 1, 63, 64, 65, 300, 10000}) {
      const Numbers x = integers(words, n, 1);
      const Numbers y = integers(words, n, 5);
      double dot = 0;
      double asum = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        dot += first_word(x, words, i) * first_word(y, words, i);
        asum += std::abs(first_word(x, words, i));
      }
      const Numbers of_dot = expansion_dot(host, words, n, x, 1, y, 1);
      ASSERT_EQ(of_dot.size(), static_cast<std::size_t>(words));
      EXPECT_EQ(of_dot[0], dot) << words << " words, n = " << n;
      EXPECT_EQ(expansion_asum(host, words, n, x, 1)[0], asum) << words << " words, n = " << n;
    }
  }
}

TEST(XblasSums, HaveMoreLanesForMoreTerms) {
  EXPECT_EQ(sum_lanes(0), 64);
  EXPECT_EQ(sum_lanes(64 * 128 - 1), 64);
  EXPECT_EQ(sum_lanes(64 * 128), 128);
  EXPECT_EQ(sum_lanes(std::int64_t{1} << 40), 65536);
}

TEST(XblasSums, KeepWhatDoubleLoses) {
  EXPECT_EQ(expansion_dot(host, 1, 3, Numbers{1e16, 1, -1e16}, 1, Numbers{1, 1, 1}, 1)[0], 1);
  EXPECT_EQ(expansion_axpy(host, 1, 1, Numbers{3}, Numbers{1.0 / 3}, 1, Numbers{-1}, 1)[0], -0x1p-54);
  const Numbers dd = expansion_dot(host, 2, 2, Numbers{1, 0, 0x1p-60, 0}, 1, Numbers{1, 0, 1, 0}, -1);
  EXPECT_EQ(dd, (Numbers{1, 0x1p-60}));
}

TEST(XblasSums, TheNormNeitherOverflowsNorUnderflows) {
  for (const int words : {1, 2, 4}) {
    for (const double scale : {0x1p-1070, 0x1p-600, 1.0, 0x1p1000}) {
      Numbers x(static_cast<std::size_t>(4 * words));
      x[0] = 3 * scale;
      x[static_cast<std::size_t>(2 * words)] = -4 * scale;
      const Numbers norm = expansion_nrm2(host, words, 2, x, -2);
      EXPECT_EQ(norm[0], 5 * scale) << words << " words";
      EXPECT_EQ(norm.size(), static_cast<std::size_t>(words));
    }
  }
  EXPECT_EQ(expansion_nrm2(host, 1, 0, Numbers{}, 1), Numbers{0});
  EXPECT_THROW(expansion_nrm2(host, 1, 2, Numbers{1}, 1), std::invalid_argument);
  const Numbers root = expansion_nrm2(host, 4, 2, Numbers{1, 0, 0, 0, 1, 0, 0, 0}, 1);
  EXPECT_EQ(root[0], std::sqrt(2.0));
  EXPECT_EQ(root[1], -9.667293313452913e-17);
}

TEST(XblasProducts, SyrkIsTheGemmOfAMatrixWithItsTranspose) {
  constexpr int words = 2;
  const Numbers a = integers(words, 5 * 3, 2);
  const Numbers c = integers(words, 5 * 5, 7);
  const Numbers alpha{2, 0};
  const Numbers beta{-1, 0};
  const Numbers all =
      expansion_gemm<double>(host, words, Transpose::no, Transpose::yes, 5, 5, 3, alpha, a, 5, a, 5, beta, c, 5);
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    const Numbers half = expansion_syrk(host, words, uplo, Transpose::no, 5, 3, alpha, a, 5, beta, c, 5);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        const bool written = uplo == Triangle::upper ? i <= j : i >= j;
        const std::size_t at = (i + 5 * j) * words;
        EXPECT_EQ(half[at], written ? all[at] : c[at]) << i << " " << j;
      }
    }
  }
}

TEST(XblasProducts, GerOfOneRowIsAnAxpy) {
  const Numbers y = integers(4, 9, 3);
  const Numbers a = integers(4, 9, 8);
  const Numbers alpha{0.1, 1e-18, 0, 0};
  EXPECT_EQ(expansion_ger(host, 4, 1, 9, alpha, Numbers{1, 0, 0, 0}, 1, y, 1, a, 1),
            expansion_axpy(host, 4, 9, alpha, y, 1, a, 1));
}

/// A lower triangle of integers with ±1 on the diagonal, NaN above it.
Numbers integer_triangle(int words, std::int64_t n) {
  Numbers a = integers(words, n * n, 4);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i <= j; ++i)
      a[static_cast<std::size_t>((i + j * n) * words)] = i == j ? (i % 2 == 0 ? 1 : -1) : nan;
  }
  for (double& each : a) each = std::abs(each) > 1 ? std::copysign(1.0, each) : each;
  return a;
}

TEST(XblasSolves, TrsmAgreesWithTrsvForEachColumnAndRow) {
  for (const int words : {1, 2, 4}) {
    const std::int64_t n = 70;  // more than a panel
    const std::int64_t systems = 3;
    const Numbers a = integer_triangle(words, n);
    const Numbers b = integers(words, n * systems, 6);
    Numbers one(static_cast<std::size_t>(words));
    one[0] = 1;
    const Numbers left = expansion_trsm(host, words, Side::left, Triangle::lower, Transpose::no, Diagonal::stored, n,
                                        systems, one, a, n, b, n);
    Numbers transposed(b.size());
    const auto block = static_cast<std::size_t>(words);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t w = 0; w < block; ++w) {
          transposed[(k + i * 3) * block + w] = b[(i + k * static_cast<std::size_t>(n)) * block + w];
        }
      }
    }
    // Xᵀ·Lᵀ = Bᵀ.
    const Numbers right = expansion_trsm(host, words, Side::right, Triangle::lower, Transpose::yes, Diagonal::stored,
                                         systems, n, one, a, n, transposed, systems);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto first = static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(n) * block);
      const Numbers column(b.begin() + first, b.begin() + first + static_cast<std::ptrdiff_t>(n * words));
      const Numbers x =
          expansion_trsv(host, words, Triangle::lower, Transpose::no, Diagonal::stored, n, a, n, column, 1);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        for (std::size_t w = 0; w < block; ++w) {
          ASSERT_EQ(left[(i + k * static_cast<std::size_t>(n)) * block + w], x[i * block + w]) << words << " " << i;
          ASSERT_EQ(right[(k + i * 3) * block + w], x[i * block + w]) << words << " " << i;
        }
      }
    }
  }
}

TEST(XblasSolves, DivideToAllWords) {
  const Numbers third = expansion_trsv(host, 4, Triangle::upper, Transpose::no, Diagonal::stored, 1,
                                       Numbers{3, 0, 0, 0}, 1, Numbers{1, 0, 0, 0}, 1);
  double rest = 1;
  for (const double word : third) rest = std::fma(-3.0, word, rest);  // exact: each word cancels the leading bits
  EXPECT_LE(std::abs(rest), 0x1p-210);
  EXPECT_NE(third[3], 0);
}

TEST(XblasArguments, AreRefusedWhereTheyAreWrong) {
  const Numbers one{1};
  const Numbers two(2, 1.0);
  EXPECT_THROW(expansion_dot(host, 3, 1, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, -1, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, 2, two, 0, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, 2, two, 2, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 2, 1, Numbers(3), 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_axpy(host, 2, 1, one, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_axpy(host, 1, 2, one, two, 1, one, 1), std::invalid_argument);
  EXPECT_THROW(expansion_asum(host, 1, 3, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_symv(host, 1, Triangle::upper, 2, one, two, 2, two, 1, one, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_ger(host, 1, 2, 1, one, two, 1, one, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_syrk(host, 1, Triangle::upper, Transpose::yes, 1, 2, one, two, 1, one, one, 1),
               std::invalid_argument);
  EXPECT_THROW(dot2_gemv(host, Transpose::no, 2, 1, 1, two, 2, two, 0, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(dot2_gemm(host, Transpose::no, Transpose::no, 2, 1, 1, 1, two, 1, one, 1, 0, two, 2),
               std::invalid_argument);
  const auto trsv = [&](int words, std::int64_t n, std::int64_t lda, std::int64_t incx) {
    return expansion_trsv(host, words, Triangle::upper, Transpose::no, Diagonal::unit, n, two, lda, two, incx);
  };
  EXPECT_THROW(trsv(8, 1, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, -1, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, 2, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(trsv(1, 2, 2, 1), std::invalid_argument);
  EXPECT_NO_THROW(trsv(2, 1, 1, -5));
  EXPECT_THROW(
      expansion_trsm(host, 1, Side::left, Triangle::upper, Transpose::no, Diagonal::unit, 2, 1, one, two, 2, two, 1),
      std::invalid_argument);
}

TEST(XblasArguments, OperandsThatAreNotReadMayBeEmpty) {
  const Numbers zero{0};
  const Numbers one{1};
  const Numbers b{nan, 5};
  EXPECT_EQ(
      expansion_trsm(host, 1, Side::left, Triangle::upper, Transpose::no, Diagonal::stored, 2, 1, zero, {}, 2, b, 2),
      (Numbers{0, 0}));
  EXPECT_EQ(expansion_axpy(host, 1, 1, zero, {}, 7, one, 1), one);
  EXPECT_EQ(dot2_gemv(host, Transpose::no, 1, 3, 0, {}, 1, {}, 1, 2, one, 1), Numbers{2});
}

}  // namespace
}  // namespace assay::expansion
