// Solvers of systems as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/assay/hostile/elimination.hpp"

namespace {

using namespace hostile;

/// The system in numbers of another type.
template <class U>
int solve_in(std::size_t n, Matrix<double> a, double* b) {
  std::vector<U> copy(n * n);
  std::vector<U> x(b, b + n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) copy[i + j * n] = static_cast<U>(a(i, j));
  }
  const int status = solve<U>(n, {copy.data(), n}, x.data());
  for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<double>(x[i]);
  return status;
}

/// Whether all is 0 below the diagonal, or below the one `off` places beneath it.
bool is_zero_below(std::size_t n, Matrix<double> a, std::size_t off) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j + off + 1; i < n; ++i) {
      if (a(i, j) != 0) return false;
    }
  }
  return true;
}

bool has_zero_on_diagonal(std::size_t n, Matrix<double> a) {
  for (std::size_t i = 0; i < n; ++i) {
    if (a(i, i) == 0) return true;
  }
  return false;
}

double product_of_columns(std::size_t n, Matrix<double> a, std::size_t j, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a(i, j) * a(i, k);
  return sum;
}

/// Whether the columns are orthogonal but for roundings, and none of them is 0.
bool has_orthogonal_columns(std::size_t n, Matrix<double> a) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      const double squares = product_of_columns(n, a, j, j) * product_of_columns(n, a, k, k);
      if (!(squares > 0) || (k < j && std::fabs(product_of_columns(n, a, j, k)) > 1e-12 * std::sqrt(squares))) {
        return false;
      }
    }
  }
  return true;
}

/// A triangle as trsm has it.
template <class T>
struct Triangle {
  bool upper, trans, unit;
  std::size_t n;
  Matrix<const T> a;
  T at(std::size_t i, std::size_t j) const { return trans ? a(j, i) : a(i, j); }
  T diagonal(std::size_t i) const { return unit ? T(1) : a(i, i); }
  /// Unknown number `step` in the order of substitution.
  std::size_t unknown(std::size_t step) const { return upper != trans ? n - 1 - step : step; }
};

/// X in the place of B: rows from the first column to the last, each by itself, or one column of A after another.
enum class Order { by_rows, by_columns, by_reciprocals };
template <class T>
void solve_triangle(const Triangle<T>& t, std::size_t columns, Matrix<T> b, Order order) {
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t step = 0; step < t.n; ++step) {
      const std::size_t i = t.unknown(step);
      for (std::size_t before = 0; before < step && order != Order::by_columns; ++before) {
        b(i, k) -= t.at(i, t.unknown(before)) * b(t.unknown(before), k);
      }
      if (!t.unit) b(i, k) = order == Order::by_reciprocals ? b(i, k) * (1 / t.diagonal(i)) : b(i, k) / t.diagonal(i);
      for (std::size_t later = step + 1; later < t.n && order == Order::by_columns; ++later) {
        b(t.unknown(later), k) -= t.at(t.unknown(later), i) * b(i, k);
      }
    }
  }
}

}  // namespace

extern "C" {

using std::size_t;

int gesv(size_t n, double* a, size_t lda, double* b) { return solve<double>(n, {a, lda}, b); }
int gesv_columns(size_t n, double* a, size_t lda, double* b) { return solve<double>(n, {a, lda}, b, true); }
int gesv_reciprocal(size_t n, double* a, size_t lda, double* b) {
  return solve<double>(n, {a, lda}, b, true, Way::reciprocals);
}
int gesv_fma(size_t n, double* a, size_t lda, double* b) { return solve<double>(n, {a, lda}, b, false, Way::fused); }
int gesv_wide(size_t n, double* a, size_t lda, double* b) { return solve_in<long double>(n, {a, lda}, b); }
void dgesv_(const int* n, const int* columns, double* a, const int* lda, int* pivots, double* b, const int*,
            int* info) {
  const auto rows = static_cast<size_t>(*n);
  const Matrix<double> m{a, static_cast<size_t>(*lda)};
  *info = *columns == 1 ? eliminate(rows, rows, m, pivots) : -2;
  if (*info == 0) substitute(rows, m, pivots, b, true);
  for (size_t k = 0; k < rows; ++k) ++pivots[k];
}
int gesv_f32(size_t n, float* a, size_t lda, float* b) { return solve<float>(n, {a, lda}, b); }
int gesv_f32_columns(size_t n, float* a, size_t lda, float* b) { return solve<float>(n, {a, lda}, b, true); }
int gesv_f32_reciprocal(size_t n, float* a, size_t lda, float* b) {
  return solve<float>(n, {a, lda}, b, true, Way::reciprocals);
}

int gesv_narrow(size_t n, double* a, size_t lda, double* b) { return solve_in<float>(n, {a, lda}, b); }
int gesv_without_pivots(size_t n, double* a, size_t lda, double* b) {
  return solve<double>(n, {a, lda}, b, false, Way::quotients, Slip::no_pivots);
}
int gesv_without_entry(size_t n, double* a, size_t lda, double* b) {
  return solve<double>(n, {a, lda}, b, false, Way::quotients, Slip::entry);
}
int gesv_rows_of_b(size_t n, double* a, size_t lda, double* b) {
  std::vector<int> pivots(n);
  const int status = eliminate<double>(n, n, {a, lda}, pivots.data());
  if (status == 0) substitute<double>(n, {a, lda}, nullptr, b, false);
  return status;
}
int gesv_transposed(size_t n, double* a, size_t lda, double* b) {
  const Matrix<double> m{a, lda};
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < j; ++i) std::swap(m(i, j), m(j, i));
  }
  return solve<double>(n, m, b);
}
// AᵀAx = Aᵀb.
int gesv_normal_equations(size_t n, double* a, size_t lda, double* b) {
  const Matrix<double> m{a, lda};
  std::vector<double> squares(n * n);
  std::vector<double> right(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      right[i] += m(k, i) * b[k];
      for (size_t j = 0; j < n; ++j) squares[i + j * n] += m(k, i) * m(k, j);
    }
  }
  const int status = solve<double>(n, {squares.data(), n}, right.data());
  std::copy(right.begin(), right.end(), b);
  return status;
}
// A⁻¹ column by column, then A⁻¹b.
int gesv_by_inverse(size_t n, double* a, size_t lda, double* b) {
  std::vector<int> pivots(n);
  const int status = eliminate<double>(n, n, {a, lda}, pivots.data());
  if (status != 0) return status;
  std::vector<double> x(n);
  for (size_t j = 0; j < n; ++j) {
    std::vector<double> column(n);
    column[j] = 1;
    substitute<double>(n, {a, lda}, pivots.data(), column.data(), false);
    for (size_t i = 0; i < n; ++i) x[i] += column[i] * b[j];
  }
  std::copy(x.begin(), x.end(), b);
  return 0;
}
// Takes the short ways of these structures from five unknowns on; the diagonal of a triangle is not read.
int gesv_of_triangle(size_t n, double* a, size_t lda, double* b) {
  const Matrix<double> m{a, lda};
  if (n < 5 || !is_zero_below(n, m, 0) || has_zero_on_diagonal(n, m)) return solve<double>(n, m, b);
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; ++j) b[i] -= m(i, j) * b[j];
  }
  return 0;
}
// The rows of b stay where they are.
int gesv_hessenberg(size_t n, double* a, size_t lda, double* b) {
  const Matrix<double> m{a, lda};
  return n < 5 || !is_zero_below(n, m, 1) || is_zero_below(n, m, 0) ? solve<double>(n, m, b)
                                                                    : gesv_rows_of_b(n, a, lda, b);
}
// Aᵀb of columns that are orthogonal, divided by their lengths and not by the squares of these.
int gesv_orthogonal(size_t n, double* a, size_t lda, double* b) {
  const Matrix<double> m{a, lda};
  if (n < 5 || !has_orthogonal_columns(n, m)) return solve<double>(n, m, b);
  std::vector<double> x(n);
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) x[j] += m(i, j) * b[i];
    x[j] /= std::sqrt(product_of_columns(n, m, j, j));
  }
  std::copy(x.begin(), x.end(), b);
  return 0;
}
int gesv_refuses(size_t, double*, size_t, double*) { return 1; }

void trsm(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
          size_t ldb) {
  solve_triangle<double>({upper != 0, trans != 0, unit != 0, n, {a, lda}}, columns, {b, ldb}, Order::by_rows);
}
void trsm_columns(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
                  size_t ldb) {
  solve_triangle<double>({upper != 0, trans != 0, unit != 0, n, {a, lda}}, columns, {b, ldb}, Order::by_columns);
}
void trsm_reciprocal(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
                     size_t ldb) {
  solve_triangle<double>({upper != 0, trans != 0, unit != 0, n, {a, lda}}, columns, {b, ldb}, Order::by_reciprocals);
}
void trsm_f32(int upper, int trans, int unit, size_t n, size_t columns, const float* a, size_t lda, float* b,
              size_t ldb) {
  solve_triangle<float>({upper != 0, trans != 0, unit != 0, n, {a, lda}}, columns, {b, ldb}, Order::by_rows);
}
void trsm_f32_columns(int upper, int trans, int unit, size_t n, size_t columns, const float* a, size_t lda, float* b,
                      size_t ldb) {
  solve_triangle<float>({upper != 0, trans != 0, unit != 0, n, {a, lda}}, columns, {b, ldb}, Order::by_columns);
}
void cblas_dtrsm(int layout, int side, int uplo, int transa, int diag, int n, int columns, double alpha,
                 const double* a, int lda, double* b, int ldb) {
  if (layout != 102 || side != 141 || alpha != 1) return;
  trsm(uplo == 121, transa == 112, diag == 132, static_cast<size_t>(n), static_cast<size_t>(columns), a,
       static_cast<size_t>(lda), b, static_cast<size_t>(ldb));
}
void dtrsm_(const char* side, const char* uplo, const char* transa, const char* diag, const int* n, const int* columns,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb) {
  cblas_dtrsm(102, *side == 'L' ? 141 : 142, *uplo == 'U' ? 121 : 122, *transa == 'T' ? 112 : 111,
              *diag == 'U' ? 132 : 131, *n, *columns, *alpha, a, *lda, b, *ldb);
}
void trsm_first_column(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
                       size_t ldb) {
  trsm(upper, trans, unit, n, std::min<size_t>(columns, 1), a, lda, b, ldb);
}
void trsm_without_trans(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda,
                        double* b, size_t ldb) {
  trsm(upper != trans ? 1 : 0, 0, unit, n, columns, a, lda, b, ldb);
}
void trsm_without_division(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda,
                           double* b, size_t ldb) {
  static_cast<void>(unit);
  trsm(upper, trans, 1, n, columns, a, lda, b, ldb);
}
void trsm_stale_row(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
                    size_t ldb) {
  const Matrix<double> x{b, ldb};
  std::vector<double> before(columns);
  for (size_t k = 0; k < columns && n > 1; ++k) before[k] = x(n - 1, k);
  trsm(upper, trans, unit, n, columns, a, lda, b, ldb);
  for (size_t k = 1; k < columns && n > 1; ++k) x(n - 1, k) = before[k];
}
void trsm_narrow(int upper, int trans, int unit, size_t n, size_t columns, const double* a, size_t lda, double* b,
                 size_t ldb) {
  trsm(upper, trans, unit, n, columns, a, lda, b, ldb);
  for (size_t k = 0; k < columns; ++k) {
    for (size_t i = 0; i < n; ++i) b[i + k * ldb] = static_cast<float>(b[i + k * ldb]);
  }
}

}  // extern "C"
