// Products that round once, on the grids of the suites of BLAS libraries: every small shape, stride and scalar, and a
// special value in each place, compared with MPFR.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "blas_grid.hpp"
#include "exact_terms.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/triangular/rounded_trsv.hpp"

namespace assay {
namespace {

using namespace reference;
using blas::Diagonal;
using blas::Transpose;
using blas::Triangle;

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};
constexpr Transpose transposes[] = {Transpose::no, Transpose::yes};
const Executor host = Executor::host();

/// check() with the arrays as they are, then with each special value in each of their places.
template <class Check>
void with_each_special(std::initializer_list<Numbers*> arrays, const Check& check) {
  ASSERT_NO_FATAL_FAILURE(check());
  for (Numbers* const array : arrays) {
    for (double& entry : *array) {
      const double kept = entry;
      for (const double special : specials) {
        entry = special;
        ASSERT_NO_FATAL_FAILURE(check()) << "with " << special << " in place " << &entry - array->data();
      }
      entry = kept;
    }
  }
}

TEST(BlasGrid, SumsAreRoundedOnceForEverySpecialValueInEveryPairOfPlaces) {
  ExactTerms truth;
  for (std::int64_t n = 0; n <= most_entries; ++n) {
    Numbers x = thirds(n, 1);
    const auto check = [&] {
      truth.clear();
      for (const double each : x) truth.add(each);
      for (const Rounding to : directions) {
        const double zero = truth.only_minus_zeros() ? -0.0 : 0.0;
        ASSERT_PRED2(same_number, sum::exact_sum(host, x, to), truth.rounded(to, 1, zero)) << n;
      }
    };
    ASSERT_NO_FATAL_FAILURE(check());
    for (double& first : x) {
      const double kept = first;
      for (const double special : specials) {
        first = special;
        ASSERT_NO_FATAL_FAILURE(with_each_special({&x}, check));
      }
      first = kept;
    }
  }
}

TEST(BlasGrid, DotProductsAreRoundedOnceForEverySpecialValueInEveryPairOfPlaces) {
  ExactTerms truth;
  for (std::int64_t n = 0; n <= most_entries; ++n) {
    Numbers x = thirds(n, 1);
    Numbers y = thirds(n, 20);
    const auto check = [&] {
      truth.clear();
      for (std::size_t i = 0; i < x.size(); ++i) truth.add(x[i], y[i]);
      for (const Rounding to : directions) {
        const double zero = truth.only_minus_zeros() ? -0.0 : 0.0;
        ASSERT_PRED2(same_number, sum::exact_dot(host, x, y, to), truth.rounded(to, 1, zero)) << n;
      }
    };
    ASSERT_NO_FATAL_FAILURE(check());
    for (double& first : x) {
      const double kept = first;
      for (const double special : specials) {
        first = special;
        ASSERT_NO_FATAL_FAILURE(with_each_special({&x, &y}, check));
      }
      first = kept;
    }
  }
}

/// y ← α·op(A)·x + β·y for every scalar, with the strides and the leading dimension of a counter.
void expect_gemv(Transpose trans, std::int64_t m, std::int64_t n) {
  const std::int64_t outputs = trans == Transpose::yes ? n : m;
  const std::int64_t terms = trans == Transpose::yes ? m : n;
  Numbers a = thirds(m * n, 3);
  Numbers x = thirds(terms, 11);
  Numbers y = thirds(outputs, 17);
  std::size_t turn = 0;
  ExactTerms truth;
  for (const double alpha : scalars) {
    for (const double beta : scalars) {
      const auto check = [&] {
        const std::int64_t incx = strides[turn % 4];
        const std::int64_t incy = strides[turn / 4 % 4];
        const std::int64_t lda = std::max<std::int64_t>(1, m) + static_cast<std::int64_t>(turn % 3);
        const Rounding to = directions[turn / 16 % 4];
        ++turn;
        Numbers expected = y;
        for (std::int64_t i = 0; i < outputs && m > 0 && n > 0 && (alpha != 0 || beta != 1); ++i) {
          truth.clear();
          for (std::int64_t j = 0; j < terms && alpha != 0; ++j) {
            truth.add(alpha, a[static_cast<std::size_t>(trans == Transpose::yes ? j + i * m : i + j * m)],
                      x[static_cast<std::size_t>(j)]);
          }
          double& entry = expected[static_cast<std::size_t>(i)];
          if (beta != 0) truth.add(beta, entry);
          entry = truth.rounded(to);
        }
        const Numbers got = gemv::exact_gemv(host, trans, m, n, alpha, laid(a, m, lda), lda, strided(x, incx), incx,
                                             beta, strided(y, incy), incy, to);
        const Numbers wanted = strided(expected, incy);
        ASSERT_EQ(first_difference(got, wanted), wanted.size())
            << "trans " << static_cast<int>(trans) << ' ' << m << " x " << n << ", alpha " << alpha << ", beta " << beta
            << ", strides " << incx << ' ' << incy << ", lda " << lda;
      };
      ASSERT_NO_FATAL_FAILURE(with_each_special({&a, &x, &y}, check));
      for (int more = 0; more < 48; ++more) ASSERT_NO_FATAL_FAILURE(check());
    }
  }
}

TEST(BlasGrid, MatrixVectorProductsAreRoundedOnceForEveryStrideScalarAndSpecialValue) {
  for (const Transpose trans : transposes) {
    for (std::int64_t m = 0; m <= 4; ++m) {
      for (std::int64_t n = 0; n <= 4; ++n) ASSERT_NO_FATAL_FAILURE(expect_gemv(trans, m, n));
    }
    ASSERT_NO_FATAL_FAILURE(expect_gemv(trans, most_entries, 1));
    ASSERT_NO_FATAL_FAILURE(expect_gemv(trans, 1, most_entries));
  }
}

/// C ← α·op(A)·op(B) + β·C for every scalar and special value by one engine.
void expect_gemm(gemm::GemmEngine engine, Transpose ta, Transpose tb, std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t rows_a = ta == Transpose::yes ? k : m;
  const std::int64_t rows_b = tb == Transpose::yes ? n : k;
  Numbers a = thirds(m * k, 3);
  Numbers b = thirds(k * n, 11);
  Numbers c = thirds(m * n, 17);
  ExactTerms truth;
  std::int64_t turn = 0;
  for (const double alpha : scalars) {
    for (const double beta : scalars) {
      const auto check = [&] {
        const std::int64_t lda = std::max<std::int64_t>(1, rows_a) + turn % 2;
        const std::int64_t ldb = std::max<std::int64_t>(1, rows_b) + turn % 3;
        const std::int64_t ldc = std::max<std::int64_t>(1, m) + turn % 4;
        ++turn;
        Numbers expected = c;
        for (std::int64_t j = 0; j < n; ++j) {
          for (std::int64_t i = 0; i < m; ++i) {
            truth.clear();
            for (std::int64_t l = 0; l < k && alpha != 0; ++l) {
              truth.add(alpha, a[static_cast<std::size_t>(ta == Transpose::yes ? l + i * k : i + l * m)],
                        b[static_cast<std::size_t>(tb == Transpose::yes ? j + l * n : l + j * k)]);
            }
            double& entry = expected[static_cast<std::size_t>(i + j * m)];
            if (beta != 0) truth.add(beta, entry);
            // A value that underflows keeps its sign; an exact zero is +0.
            entry = truth.rounded(Rounding::rn);
          }
        }
        const Numbers got = gemm::gemm(host, ta, tb, m, n, k, alpha, laid(a, rows_a, lda), lda, laid(b, rows_b, ldb),
                                       ldb, beta, laid(c, m, ldc), ldc, {.workspace_bytes = 0, .engine = engine});
        const Numbers wanted = laid(expected, m, ldc);
        ASSERT_EQ(first_difference(got, wanted), wanted.size())
            << "engine " << static_cast<int>(engine) << ", transposes " << static_cast<int>(ta) << static_cast<int>(tb)
            << ' ' << m << ' ' << n << ' ' << k << ", alpha " << alpha << ", beta " << beta;
      };
      ASSERT_NO_FATAL_FAILURE(with_each_special({&a, &b, &c}, check));
    }
  }
}

class ProductGrid : public testing::TestWithParam<gemm::GemmEngine> {};

TEST_P(ProductGrid, IsRoundedOnceForEveryTransposeScalarAndSpecialValue) {
  for (const Transpose ta : transposes) {
    for (const Transpose tb : transposes) {
      for (std::int64_t m = 0; m <= 2; ++m) {
        for (std::int64_t n = 0; n <= 2; ++n) {
          for (std::int64_t k = 0; k <= 2; ++k) ASSERT_NO_FATAL_FAILURE(expect_gemm(GetParam(), ta, tb, m, n, k));
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_gemm(GetParam(), ta, tb, 1, 1, most_entries));
    }
  }
}

std::string engine_name(const testing::TestParamInfo<gemm::GemmEngine>& engine) {
  return engine.param == gemm::GemmEngine::crt     ? "crt"
         : engine.param == gemm::GemmEngine::ozaki ? "ozaki"
                                                   : "superaccumulator";
}
INSTANTIATE_TEST_SUITE_P(Engines, ProductGrid,
                         testing::Values(gemm::GemmEngine::superaccumulator, gemm::GemmEngine::crt,
                                         gemm::GemmEngine::ozaki),
                         engine_name);

/// x ← op(A)⁻¹·x: one triangle holds the entries of the rows of op(A), the other one holds NaN.
void expect_trsv(Triangle uplo, Transpose trans, Diagonal diag, std::int64_t n) {
  const bool forward = (uplo == Triangle::lower) == (trans == Transpose::no);
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(trans == Transpose::yes ? j + i * n : i + j * n);
  };
  Numbers entries = thirds(n * (n + 1) / 2, 5);
  Numbers x = thirds(n, 9);
  ExactTerms truth;
  std::size_t turn = 0;
  const auto check = [&] {
    const std::int64_t incx = strides[turn % 4];
    const std::int64_t lda = std::max<std::int64_t>(1, n) + static_cast<std::int64_t>(turn % 3);
    ++turn;
    Numbers a(static_cast<std::size_t>(n * n), grid_nan);
    std::size_t next = 0;
    Numbers expected = x;
    for (std::int64_t step = 0; step < n; ++step) {
      const std::int64_t i = forward ? step : n - 1 - step;
      truth.clear();
      truth.add(x[static_cast<std::size_t>(i)]);
      for (std::int64_t known = 0; known < step; ++known) {
        const std::int64_t j = forward ? known : n - 1 - known;
        const double entry = a[at(i, j)] = entries[next++];
        truth.add(-entry, expected[static_cast<std::size_t>(j)]);
      }
      const double stored = entries[next++];
      if (diag == Diagonal::stored) a[at(i, i)] = stored;
      const double divisor = diag == Diagonal::stored ? stored : 1;
      const double zero = truth.only_minus_zeros() ? -0.0 : 0.0;
      expected[static_cast<std::size_t>(i)] = std::isfinite(divisor) && divisor != 0
                                                  ? truth.rounded(Rounding::rn, divisor, zero)
                                                  : truth.rounded(Rounding::rn, 1, zero) / divisor;
    }
    const Numbers got =
        triangular::rounded_trsv(host, uplo, trans, diag, n, laid(a, n, lda), lda, strided(x, incx), incx);
    const Numbers wanted = strided(expected, incx);
    const std::size_t different = first_difference(got, wanted);
    ASSERT_EQ(different, wanted.size()) << "uplo " << static_cast<int>(uplo) << ", trans " << static_cast<int>(trans)
                                        << ", diag " << static_cast<int>(diag) << ", n " << n << ", stride " << incx
                                        << ": " << got[different] << ", not " << wanted[different];
  };
  ASSERT_NO_FATAL_FAILURE(with_each_special({&entries, &x}, check));
  for (int more = 0; more < 12; ++more) ASSERT_NO_FATAL_FAILURE(check());
}

TEST(BlasGrid, TriangularSystemsHaveOneRoundingAnUnknownForEverySpecialValue) {
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    for (const Transpose trans : transposes) {
      for (const Diagonal diag : {Diagonal::stored, Diagonal::unit}) {
        for (std::int64_t n = 0; n <= most_entries; ++n) ASSERT_NO_FATAL_FAILURE(expect_trsv(uplo, trans, diag, n));
      }
    }
  }
}

}  // namespace
}  // namespace assay
