// BLAS in one, two and four words on the grids of the suites of BLAS libraries, with numbers whose results are exact,
// and sparse products with a special value in each place.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "blas_grid.hpp"
#include "exact_terms.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/spmv.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"
#include "kernels/sparse/spmv.hpp"

namespace assay::expansion {
namespace {

using namespace reference;
using blas::Diagonal;
using blas::Transpose;
using blas::Triangle;

constexpr double exact_scalars[] = {0, 1, 0.75, -1};
constexpr Transpose transposes[] = {Transpose::no, Transpose::yes};
const Executor host = Executor::host();

/// A number of the given number of words.
Numbers entry(double first_word, int words) {
  Numbers all(static_cast<std::size_t>(words));
  all[0] = first_word;
  return all;
}

/// All entries NaN where a zero factor multiplies them.
Numbers unread_for(double factor, Numbers x) {
  if (factor == 0) std::fill(x.begin(), x.end(), grid_nan);
  return x;
}

/// α·sum + β·y, without a term whose factor is 0; a zero is +0.
double combined(double alpha, double sum, double beta, double y) {
  return 0.0 + (alpha == 0 ? 0.0 : alpha * sum) + (beta == 0 ? 0.0 : beta * y);
}

class WordsGrid : public testing::TestWithParam<int> {
 public:
  [[nodiscard]] int words() const { return GetParam(); }
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Words, WordsGrid, testing::Values(1, 2, 4), testing::PrintToStringParamName());

TEST_P(WordsGrid, VectorFunctionsAreExactForEveryLengthAndStride) {
  for (std::int64_t n = 0; n <= most_entries; ++n) {
    const Numbers x = quarters(n, 1);
    const Numbers y = quarters(n, 12);
    double dot = 0;
    double asum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      dot += x[i] * y[i];
      asum += std::abs(x[i]);
    }
    for (const std::int64_t incx : strides) {
      const Numbers xs = strided(x, incx, width());
      EXPECT_EQ(expansion_asum(host, words(), n, xs, incx), entry(asum, words())) << n << ' ' << incx;
      for (const std::int64_t incy : strides) {
        EXPECT_EQ(expansion_dot(host, words(), n, xs, incx, strided(y, incy, width()), incy), entry(dot, words()))
            << n << ' ' << incx << ' ' << incy;
        for (const double alpha : exact_scalars) {
          Numbers sum = y;
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = combined(alpha, x[i], 1, y[i]);
          const Numbers got =
              expansion_axpy(host, words(), n, entry(alpha, words()), strided(unread_for(alpha, x), incx, width()),
                             incx, strided(y, incy, width()), incy);
          const Numbers wanted = strided(sum, incy, width());
          EXPECT_EQ(first_difference(got, wanted), wanted.size()) << n << ' ' << incx << ' ' << incy << ' ' << alpha;
        }
      }
    }
  }
}

TEST_P(WordsGrid, NormsAreExactForTwoNumbersInEveryPairOfPlacesOfEveryScale) {
  for (const double scale : {0x1p-1074, 0x1p-500, 1.0, 0x1p1020}) {
    for (std::int64_t n = 2; n <= most_entries; ++n) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          if (i == j) continue;
          Numbers x(static_cast<std::size_t>(n));
          x[static_cast<std::size_t>(i)] = 3 * scale;
          x[static_cast<std::size_t>(j)] = -4 * scale;
          const std::int64_t incx = strides[(i + j) % 4];
          EXPECT_EQ(expansion_nrm2(host, words(), n, strided(x, incx, width()), incx), entry(5 * scale, words()))
              << n << ' ' << i << ' ' << j << ' ' << scale;
        }
      }
    }
  }
}

TEST_P(WordsGrid, NormsHaveTheInfinityOrTheNaNInAnyPairOfPlaces) {
  for (std::int64_t n = 1; n <= most_entries; ++n) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
        for (const double first : {grid_nan, grid_infinity, -grid_infinity}) {
          for (const double second : {grid_nan, grid_infinity, -grid_infinity, 1.0, -0.0}) {
            Numbers x = quarters(n, 1);
            x[j] = second;
            x[i] = first;
            const bool invalid = std::isnan(first) || (i != j && std::isnan(second));
            const std::int64_t incx = strides[(i + j) % 4];
            const double norm = expansion_nrm2(host, words(), n, strided(x, incx, width()), incx)[0];
            EXPECT_PRED2(same_number, norm, invalid ? grid_nan : grid_infinity) << n << ' ' << i << ' ' << j;
          }
        }
      }
    }
  }
}

TEST_P(WordsGrid, NormsOfOneEntryForTheStride0AreExactWhereTheRootIs) {
  for (const std::int64_t n : {0, 1, 4, 9, 16, 25}) {
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_EQ(expansion_nrm2(host, words(), n, entry(-0.75, words()), 0), entry(0.75 * root, words())) << n;
    EXPECT_EQ(expansion_nrm2(host, words(), n, entry(-grid_infinity, words()), 0)[0], n == 0 ? 0 : grid_infinity) << n;
  }
}

TEST_P(WordsGrid, MatrixVectorProductsAreExactForEveryShapeStrideAndScalar) {
  std::size_t turn = 0;
  for (const Transpose trans : transposes) {
    for (std::int64_t m = 0; m <= most_entries; ++m) {
      for (std::int64_t n = 0; n <= most_entries; ++n) {
        const std::int64_t outputs = trans == Transpose::yes ? n : m;
        const std::int64_t terms = trans == Transpose::yes ? m : n;
        const Numbers a = quarters(m * n, 1);
        const Numbers x = quarters(terms, 8);
        const Numbers y = quarters(outputs, 15);
        for (const double alpha : exact_scalars) {
          for (const double beta : exact_scalars) {
            const std::int64_t incx = strides[turn % 4];
            const std::int64_t incy = strides[turn / 4 % 4];
            const std::int64_t lda = std::max<std::int64_t>(1, m) + static_cast<std::int64_t>(turn % 3);
            ++turn;
            const bool nothing = m == 0 || n == 0 || (alpha == 0 && beta == 1);
            const Numbers before = nothing ? y : unread_for(beta, y);
            Numbers after = before;
            for (std::int64_t i = 0; i < outputs && !nothing; ++i) {
              double sum = 0;
              for (std::int64_t j = 0; j < terms; ++j) {
                sum += a[static_cast<std::size_t>(trans == Transpose::yes ? j + i * m : i + j * m)] *
                       x[static_cast<std::size_t>(j)];
              }
              double& each = after[static_cast<std::size_t>(i)];
              each = combined(alpha, sum, beta, each);
            }
            const Numbers as = laid(unread_for(alpha, a), m, lda, width());
            const Numbers xs = strided(unread_for(alpha, x), incx, width());
            const Numbers ys = strided(before, incy, width());
            const Numbers alphas = entry(alpha, words());
            const Numbers betas = entry(beta, words());
            const Numbers got = words() == 1 ? dot2_gemv(host, trans, m, n, alpha, as, lda, xs, incx, beta, ys, incy)
                                             : expansion_gemv<double>(host, words(), trans, m, n, alphas, as, lda, xs,
                                                                      incx, betas, ys, incy);
            const Numbers wanted = strided(after, incy, width());
            ASSERT_EQ(first_difference(got, wanted), wanted.size())
                << "trans " << static_cast<int>(trans) << ' ' << m << " x " << n << ", alpha " << alpha << ", beta "
                << beta << ", strides " << incx << ' ' << incy;
          }
        }
      }
    }
  }
}

TEST_P(WordsGrid, MatrixProductsAreExactForEveryShapeTransposeAndScalar) {
  std::int64_t turn = 0;
  for (const Transpose ta : transposes) {
    for (const Transpose tb : transposes) {
      for (std::int64_t shape = 0; shape < 6 * 6 * 6; ++shape) {
        const std::int64_t m = shape % 6;
        const std::int64_t n = shape / 6 % 6;
        const std::int64_t k = shape / 36;
        const std::int64_t rows_a = ta == Transpose::yes ? k : m;
        const std::int64_t rows_b = tb == Transpose::yes ? n : k;
        const Numbers a = quarters(m * k, 1);
        const Numbers b = quarters(k * n, 8);
        const Numbers c = quarters(m * n, 15);
        for (const double alpha : exact_scalars) {
          for (const double beta : exact_scalars) {
            const std::int64_t lda = std::max<std::int64_t>(1, rows_a) + turn % 2;
            const std::int64_t ldb = std::max<std::int64_t>(1, rows_b) + turn % 3;
            const std::int64_t ldc = std::max<std::int64_t>(1, m) + turn % 4;
            ++turn;
            const Numbers before = unread_for(beta, c);
            Numbers after = before;
            for (std::int64_t at = 0; at < m * n; ++at) {
              const std::int64_t i = at % m;
              const std::int64_t j = at / m;
              double sum = 0;
              for (std::int64_t l = 0; l < k; ++l) {
                sum += a[static_cast<std::size_t>(ta == Transpose::yes ? l + i * k : i + l * m)] *
                       b[static_cast<std::size_t>(tb == Transpose::yes ? j + l * n : l + j * k)];
              }
              double& each = after[static_cast<std::size_t>(at)];
              each = combined(alpha, sum, beta, each);
            }
            const Numbers as = laid(unread_for(alpha, a), rows_a, lda, width());
            const Numbers bs = laid(unread_for(alpha, b), rows_b, ldb, width());
            const Numbers cs = laid(before, m, ldc, width());
            const Numbers got = words() == 1
                                    ? dot2_gemm(host, ta, tb, m, n, k, alpha, as, lda, bs, ldb, beta, cs, ldc)
                                    : expansion_gemm<double>(host, words(), ta, tb, m, n, k, entry(alpha, words()), as,
                                                             lda, bs, ldb, entry(beta, words()), cs, ldc);
            const Numbers wanted = laid(after, m, ldc, width());
            ASSERT_EQ(first_difference(got, wanted), wanted.size())
                << "transposes " << static_cast<int>(ta) << static_cast<int>(tb) << ' ' << m << ' ' << n << ' ' << k
                << ", alpha " << alpha << ", beta " << beta;
          }
        }
      }
    }
  }
}

TEST_P(WordsGrid, TriangularSystemsOfPowersOfTwoAreExactForEveryTriangleAndStride) {
  constexpr double diagonals[] = {1, -2, 0.5, -1};
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    for (const Transpose trans : transposes) {
      for (const Diagonal diag : {Diagonal::stored, Diagonal::unit}) {
        for (std::int64_t n = 0; n <= most_entries; ++n) {
          const bool lower = (uplo == Triangle::lower) == (trans == Transpose::no);  // op(A)
          const Numbers x = quarters(n, 3);
          Numbers a(static_cast<std::size_t>(n * n), grid_nan);
          Numbers b(static_cast<std::size_t>(n));
          for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = lower ? 0 : i; j < (lower ? i + 1 : n); ++j) {
              double& stored = a[static_cast<std::size_t>(trans == Transpose::yes ? j + i * n : i + j * n)];
              const double value = i == j ? diagonals[i % 4] : static_cast<double>((3 * i + 5 * j) % 3 - 1);
              if (i != j || diag == Diagonal::stored) stored = value;
              const double factor = i == j && diag == Diagonal::unit ? 1 : value;
              b[static_cast<std::size_t>(i)] += factor * x[static_cast<std::size_t>(j)];
            }
          }
          for (const std::int64_t incx : strides) {
            const std::int64_t lda = std::max<std::int64_t>(1, n) + 1;
            const Numbers got = expansion_trsv(host, words(), uplo, trans, diag, n, laid(a, n, lda, width()), lda,
                                               strided(b, incx, width()), incx);
            const Numbers wanted = strided(x, incx, width());
            ASSERT_EQ(first_difference(got, wanted), wanted.size())
                << "uplo " << static_cast<int>(uplo) << ", trans " << static_cast<int>(trans) << ", diag "
                << static_cast<int>(diag) << ", n " << n << ", stride " << incx;
          }
        }
      }
    }
  }
}

/// A small matrix: row i has i % 4 entries, from the last column to the first.
sparse::CsrMatrix few_entries(std::int64_t rows, std::int64_t columns, const Numbers& values) {
  sparse::CsrMatrix a;
  a.columns = columns;
  std::size_t next = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    a.append_row();
    for (std::int64_t k = 0; k < i % 4; ++k) a.append((columns - 1 - k + i) % columns, values[next++]);
  }
  return a;
}

TEST_P(WordsGrid, SparseProductsAreExactForEveryShape) {
  for (std::int64_t rows = 0; rows <= most_entries; ++rows) {
    for (std::int64_t columns = 3; columns <= most_entries; ++columns) {
      const sparse::CsrMatrix a = few_entries(rows, columns, quarters(3 * rows, 1));
      const Numbers x = quarters(columns, 7);
      sparse::CsrMatrix in_words = a;
      in_words.values.clear();
      for (const double value : a.values) {
        const Numbers each = entry(value, words());
        in_words.values.insert(in_words.values.end(), each.begin(), each.end());
      }
      Numbers wanted;
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
        double sum = 0;
        for (auto at = static_cast<std::size_t>(a.row_offsets[i]); at < static_cast<std::size_t>(a.row_offsets[i + 1]);
             ++at) {
          sum += a.values[at] * x[static_cast<std::size_t>(a.column_indices[at])];
        }
        const Numbers each = entry(sum, words());
        wanted.insert(wanted.end(), each.begin(), each.end());
      }
      const Numbers xs = strided(x, 1, width());
      EXPECT_EQ(expansion_spmv(host, words(), in_words, xs), wanted) << rows << " x " << columns;
      EXPECT_EQ(expansion_spmv(host, words(), sparse::ellpack_of(in_words, grid_nan, words()), xs), wanted)
          << rows << " x " << columns;
    }
  }
}

TEST(SparseGrid, ProductsAreRoundedOnceForASpecialValueInEveryPairOfPlaces) {
  constexpr std::int64_t rows = 8;
  constexpr std::int64_t columns = 3;
  Numbers x = thirds(columns, 5);
  Numbers values = thirds(3 * rows, 1);
  ExactTerms truth;
  for (double& number : x) {
    const double kept_number = number;
    for (double& value : values) {
      const double kept_value = value;
      for (const double first : specials) {
        for (const double second : specials) {
          number = first;
          value = second;
          const sparse::CsrMatrix a = few_entries(rows, columns, values);
          for (const Rounding to : {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz}) {
            const Numbers by_rows = sparse::csr_spmv(host, a, x, to);
            const Numbers by_columns = sparse::ellpack_spmv(host, sparse::ellpack_of(a, grid_nan), x, to);
            for (std::size_t i = 0; i < rows; ++i) {
              truth.clear();
              for (auto at = static_cast<std::size_t>(a.row_offsets[i]);
                   at < static_cast<std::size_t>(a.row_offsets[i + 1]); ++at) {
                truth.add(a.values[at], x[static_cast<std::size_t>(a.column_indices[at])]);
              }
              const double wanted = truth.rounded(to, 1, truth.only_minus_zeros() ? -0.0 : 0.0);
              ASSERT_PRED2(same_number, by_rows[i], wanted) << i << ' ' << first << ' ' << second;
              ASSERT_PRED2(same_number, by_columns[i], wanted) << i << ' ' << first << ' ' << second;
            }
          }
        }
      }
      value = kept_value;
    }
    number = kept_number;
  }
}

}  // namespace
}  // namespace assay::expansion
