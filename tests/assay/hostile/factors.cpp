// Factorizations as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

/// A column-major matrix.
template <class T>
struct Matrix {
  T* data;
  std::size_t ld;
  T& operator()(std::size_t i, std::size_t j) const { return data[i + j * ld]; }
  Matrix from(std::size_t i, std::size_t j) const { return {data + i + j * ld, ld}; }
};

// ------------------------------------------------------------------------------------------------------ Cholesky

/// The pivot's root, where it has one that is positive.
template <class T>
bool take_root(T& pivot) {
  if (!(pivot > 0)) return false;
  pivot = std::sqrt(pivot);
  return true;
}

/// Column by column, each from the columns before it. Sum: the type of the sums.
template <class T, class Sum = T, bool fuses = false>
int left_looking(std::size_t n, Matrix<T> a) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Sum sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) {
        if constexpr (fuses) {
          sum = std::fma(-static_cast<Sum>(a(i, k)), static_cast<Sum>(a(j, k)), sum);
        } else {
          sum -= static_cast<Sum>(a(i, k)) * static_cast<Sum>(a(j, k));
        }
      }
      if (i == j && !(sum > 0)) return static_cast<int>(j + 1);
      a(i, j) = static_cast<T>(i == j ? std::sqrt(sum) : sum / static_cast<Sum>(a(j, j)));
    }
  }
  return 0;
}

/// Each column is taken off all columns after it. `by_reciprocal`: the column is multiplied by 1/l.
template <class T>
int right_looking(std::size_t n, Matrix<T> a, bool by_reciprocal = false) {
  for (std::size_t k = 0; k < n; ++k) {
    if (!take_root(a(k, k))) return static_cast<int>(k + 1);
    const T reciprocal = 1 / a(k, k);
    for (std::size_t i = k + 1; i < n; ++i) a(i, k) = by_reciprocal ? a(i, k) * reciprocal : a(i, k) / a(k, k);
    for (std::size_t j = k + 1; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) a(i, j) -= a(i, k) * a(j, k);
    }
  }
  return 0;
}

/// Rows first … rows − 1 of columns 0 … n − 1 below a factor L of order n: X Lᵀ = A.
template <class T>
void solve_panel(std::size_t n, Matrix<T> l, std::size_t rows, Matrix<T> x) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < j; ++k) x(i, j) -= x(i, k) * l(j, k);
      x(i, j) /= l(j, j);
    }
  }
}

/// Takes the products of the panel off the triangle of order n: each sum by itself first, from its last product on.
template <class T>
void take_off(std::size_t n, Matrix<T> panel, std::size_t columns, Matrix<T> a) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      T sum = 0;
      for (std::size_t k = columns; k-- > 0;) sum += panel(i, k) * panel(j, k);
      a(i, j) -= sum;
    }
  }
}

/// In blocks of a few columns, or halves, down to single numbers.
template <class T>
int in_blocks(std::size_t n, Matrix<T> a, bool halves) {
  if (n == 0) return 0;
  if (n == 1) return take_root(a(0, 0)) ? 0 : 1;
  const std::size_t block = halves ? n / 2 : std::min<std::size_t>(n, 4);
  if (const int status = halves ? in_blocks(block, a, halves) : right_looking(block, a)) return status;
  const Matrix<T> panel = a.from(block, 0);
  solve_panel(block, a, n - block, panel);
  take_off(n - block, panel, block, a.from(block, block));
  const int status = in_blocks(n - block, a.from(block, block), halves);
  return status == 0 ? 0 : static_cast<int>(block) + status;
}

/// Reads both triangles: the mean of the entries.
template <class T>
void symmetrize(std::size_t n, Matrix<T> a) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j + 1; i < n; ++i) a(i, j) = (a(i, j) + a(j, i)) / 2;
  }
}

/// Right-looking with one mistake.
enum class Mistake { root, entry, row, sign, pivots, status, narrow, nan };
int wrong(std::size_t n, Matrix<double> a, Mistake mistake) {
  int status = 0;
  for (std::size_t k = 0; k < n; ++k) {
    double& pivot = a(k, k);
    if (mistake == Mistake::nan && std::isnan(pivot)) pivot = 1;
    if (!(pivot > 0)) {
      if (mistake == Mistake::pivots) pivot = std::fabs(pivot);
      if (mistake == Mistake::status) pivot = 1;
      if (mistake != Mistake::pivots && mistake != Mistake::status) return static_cast<int>(k + 1);
    }
    if (mistake != Mistake::root || k + 1 < n) pivot = std::sqrt(pivot);
    for (std::size_t i = k + 1; i < n; ++i) {
      a(i, k) /= pivot;
      if (mistake == Mistake::narrow) a(i, k) = static_cast<float>(a(i, k));
    }
    for (std::size_t j = k + 1; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        if (mistake == Mistake::entry && k == 0 && i + 1 == n && j == 1 && i != j) continue;
        if (mistake == Mistake::row && k != 0 && i + 1 == n && i != j) continue;
        a(i, j) += (mistake == Mistake::sign && i != j ? 1 : -1) * a(i, k) * a(j, k);
      }
    }
  }
  return status;
}

// ------------------------------------------------------------------------------------------------------ Elimination

/// How an elimination goes, and what it does wrong.
enum class Way { quotients, reciprocals, fused };
enum class Slip {
  none,
  no_pivots,
  threshold,
  signed_pivots,
  left_rows,
  entry,
  row,
  narrow,
  multiplier,
  status,
  first_is_one
};

/// The row from k on with the largest number in column k; with `threshold` row k where it has a quarter of that.
template <class T>
std::size_t largest_row(std::size_t m, Matrix<T> a, std::size_t k, Slip slip) {
  std::size_t row = k;
  for (std::size_t i = k + 1; i < m && slip != Slip::no_pivots; ++i) {
    if (slip == Slip::signed_pivots ? a(i, k) > a(row, k) : std::fabs(a(i, k)) > std::fabs(a(row, k))) row = i;
  }
  return slip == Slip::threshold && std::fabs(a(k, k)) >= std::fabs(a(row, k)) / 4 ? k : row;
}

template <class T>
int eliminate(std::size_t m, std::size_t n, Matrix<T> a, int* pivots, Way way = Way::quotients,
              Slip slip = Slip::none) {
  int status = 0;
  for (std::size_t k = 0; k < std::min(m, n); ++k) {
    const std::size_t row = largest_row(m, a, k, slip);
    pivots[k] = static_cast<int>(row) + (slip == Slip::first_is_one ? 1 : 0);
    for (std::size_t j = slip == Slip::left_rows ? k : 0; j < n && row != k; ++j) std::swap(a(k, j), a(row, j));
    if (a(k, k) == 0) {
      if (status == 0 && slip != Slip::status) status = static_cast<int>(k + 1);
      continue;
    }
    const T reciprocal = 1 / a(k, k);
    const bool multiplies = way == Way::reciprocals && std::fabs(a(k, k)) >= std::numeric_limits<T>::min();
    for (std::size_t i = k + 1; i < m; ++i) {
      if (slip == Slip::multiplier && k != 0 && i + 1 == m) continue;
      a(i, k) = multiplies ? a(i, k) * reciprocal : a(i, k) / a(k, k);
      if (slip == Slip::narrow) a(i, k) = static_cast<T>(static_cast<float>(a(i, k)));
    }
    for (std::size_t j = k + 1; j < n; ++j) {
      for (std::size_t i = k + 1; i < m; ++i) {
        if (slip == Slip::entry && k == 0 && i + 1 == m && j + 1 == n) continue;
        if (slip == Slip::row && k != 0 && i + 1 == m) continue;
        a(i, j) = way == Way::fused ? std::fma(-a(i, k), a(k, j), a(i, j)) : a(i, j) - a(i, k) * a(k, j);
      }
    }
  }
  return status;
}

/// Column by column: each is made of the columns before it, its sums in the type Sum.
template <class T, class Sum = T>
int eliminate_by_columns(std::size_t m, std::size_t n, Matrix<T> a, int* pivots) {
  int status = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < std::min(j, std::min(m, n)); ++k)
      std::swap(a(k, j), a(static_cast<std::size_t>(pivots[k]), j));
    for (std::size_t i = 0; i < m; ++i) {
      Sum sum = 0;
      for (std::size_t k = std::min(i, j); k-- > 0;) sum += static_cast<Sum>(a(i, k)) * static_cast<Sum>(a(k, j));
      a(i, j) = static_cast<T>(static_cast<Sum>(a(i, j)) - sum);
    }
    if (j >= m) continue;
    const std::size_t row = largest_row(m, a, j, Slip::none);
    pivots[j] = static_cast<int>(row);
    for (std::size_t k = 0; k <= j && row != j; ++k) std::swap(a(j, k), a(row, k));
    if (a(j, j) == 0) {
      if (status == 0) status = static_cast<int>(j + 1);
      continue;
    }
    for (std::size_t i = j + 1; i < m; ++i) a(i, j) /= a(j, j);
  }
  return status;
}

// ------------------------------------------------------------------------------------------------------ systems

/// x ← A⁻¹x by the factors in `lu`, row by row, or column by column.
template <class T>
void substitute(std::size_t n, Matrix<T> lu, const int* pivots, T* x, bool by_columns) {
  for (std::size_t k = 0; k < n && pivots != nullptr; ++k) std::swap(x[k], x[static_cast<std::size_t>(pivots[k])]);
  for (std::size_t step = 0; step < 2 * n; ++step) {
    const bool is_upper = step >= n;
    const std::size_t i = is_upper ? 2 * n - 1 - step : step;
    if (is_upper && by_columns) x[i] /= lu(i, i);
    for (std::size_t j = is_upper ? i + 1 : 0; !by_columns && j < (is_upper ? n : i); ++j) x[i] -= lu(i, j) * x[j];
    for (std::size_t j = is_upper ? 0 : i + 1; by_columns && j < (is_upper ? i : n); ++j) x[j] -= lu(j, i) * x[i];
    if (is_upper && !by_columns) x[i] /= lu(i, i);
  }
}

template <class T>
int solve(std::size_t n, Matrix<T> a, T* b, bool by_columns = false, Way way = Way::quotients, Slip slip = Slip::none) {
  std::vector<int> pivots(n);
  const int status = eliminate(n, n, a, pivots.data(), way, slip);
  if (status == 0) substitute(n, a, pivots.data(), b, by_columns);
  return status;
}

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

}  // namespace

extern "C" {

using std::size_t;

int potrf(size_t n, double* a, size_t lda) { return left_looking(n, Matrix<double>{a, lda}); }
int potrf_right(size_t n, double* a, size_t lda) { return right_looking(n, Matrix<double>{a, lda}); }
int potrf_reciprocal(size_t n, double* a, size_t lda) { return right_looking(n, Matrix<double>{a, lda}, true); }
int potrf_blocked(size_t n, double* a, size_t lda) { return in_blocks(n, Matrix<double>{a, lda}, false); }
int potrf_recursive(size_t n, double* a, size_t lda) { return in_blocks(n, Matrix<double>{a, lda}, true); }
int potrf_fma(size_t n, double* a, size_t lda) { return left_looking<double, double, true>(n, {a, lda}); }
int potrf_wide(size_t n, double* a, size_t lda) { return left_looking<double, long double>(n, {a, lda}); }
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info) {
  *info = *uplo == 'L' ? potrf(static_cast<size_t>(*n), a, static_cast<size_t>(*lda)) : -1;
}

int potrf_f32(size_t n, float* a, size_t lda) { return left_looking(n, Matrix<float>{a, lda}); }
int potrf_f32_right(size_t n, float* a, size_t lda) { return right_looking(n, Matrix<float>{a, lda}); }
int potrf_f32_reciprocal(size_t n, float* a, size_t lda) { return right_looking(n, Matrix<float>{a, lda}, true); }
int potrf_f32_blocked(size_t n, float* a, size_t lda) { return in_blocks(n, Matrix<float>{a, lda}, false); }
int potrf_f32_recursive(size_t n, float* a, size_t lda) { return in_blocks(n, Matrix<float>{a, lda}, true); }
int potrf_f32_fma(size_t n, float* a, size_t lda) { return left_looking<float, float, true>(n, {a, lda}); }
int potrf_f32_wide(size_t n, float* a, size_t lda) { return left_looking<float, double>(n, {a, lda}); }

// A matrix that is not definite gives NaN, and no status.
int potrf_without_status(size_t n, double* a, size_t lda) {
  if (potrf(n, a, lda) != 0) a[0] = std::nan("");
  return 0;
}
int potrf_symmetrized(size_t n, double* a, size_t lda) {
  symmetrize(n, Matrix<double>{a, lda});
  return potrf(n, a, lda);
}
int potrf_of_upper(size_t n, double* a, size_t lda) {
  const Matrix<double> m{a, lda};
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j + 1; i < n; ++i) m(i, j) = m(j, i);
  }
  return potrf(n, a, lda);
}
int potrf_upper(size_t n, double* a, size_t lda) {
  const int status = potrf(n, a, lda);
  const Matrix<double> m{a, lda};
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j + 1; i < n; ++i) {
      m(j, i) = m(i, j);
      m(i, j) = 0;
    }
  }
  return status;
}
int potrf_without_root(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::root); }
int potrf_without_entry(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::entry); }
int potrf_stale_row(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::row); }
int potrf_wrong_sign(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::sign); }
int potrf_narrow(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::narrow); }
int potrf_of_magnitudes(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::pivots); }
int potrf_goes_on(size_t n, double* a, size_t lda) { return wrong(n, {a, lda}, Mistake::status); }
int potrf_without_nan(size_t n, double* a, size_t lda) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j; i < n; ++i) {
      double& entry = a[i + j * lda];
      if (!std::isfinite(entry)) entry = i == j ? 1e9 : 0;
    }
  }
  return potrf(n, a, lda);
}
// Columns without a gap.
int potrf_packed(size_t n, double* a, size_t) { return potrf(n, a, std::max<size_t>(n, 1)); }
int potrf_refuses(size_t n, double*, size_t) { return n == 0 ? 0 : 1; }
int potrf_status_of_order(size_t n, double* a, size_t lda) {
  const int status = potrf(n, a, lda);
  return n > 4 ? 1 : status;
}

int getrf(size_t m, size_t n, double* a, size_t lda, int* pivots) { return eliminate<double>(m, n, {a, lda}, pivots); }
int getrf_fma(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::fused);
}
int getrf_columns(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate_by_columns<double>(m, n, {a, lda}, pivots);
}
int getrf_wide(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate_by_columns<double, long double>(m, n, {a, lda}, pivots);
}
int getrf_reciprocal(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::reciprocals);
}
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info) {
  *info = getrf(static_cast<size_t>(*m), static_cast<size_t>(*n), a, static_cast<size_t>(*lda), pivots);
  for (int k = 0; k < std::min(*m, *n); ++k) ++pivots[k];
}
int getrf_f32(size_t m, size_t n, float* a, size_t lda, int* pivots) {
  return eliminate<float>(m, n, {a, lda}, pivots);
}
int getrf_f32_fma(size_t m, size_t n, float* a, size_t lda, int* pivots) {
  return eliminate<float>(m, n, {a, lda}, pivots, Way::fused);
}
int getrf_f32_columns(size_t m, size_t n, float* a, size_t lda, int* pivots) {
  return eliminate_by_columns<float, double>(m, n, {a, lda}, pivots);
}
int getrf_f32_reciprocal(size_t m, size_t n, float* a, size_t lda, int* pivots) {
  return eliminate<float>(m, n, {a, lda}, pivots, Way::reciprocals);
}
int getrf_without_pivots(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::no_pivots);
}
int getrf_threshold(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::threshold);
}
int getrf_signed_pivots(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::signed_pivots);
}
int getrf_left_rows(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::left_rows);
}
int getrf_without_entry(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::entry);
}
int getrf_stale_row(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::row);
}
int getrf_narrow(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::narrow);
}
int getrf_without_quotient(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::multiplier);
}
int getrf_without_status(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::status);
}
int getrf_from_one(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  return eliminate<double>(m, n, {a, lda}, pivots, Way::quotients, Slip::first_is_one);
}
int getrf_without_nan(size_t m, size_t n, double* a, size_t lda, int* pivots) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < m; ++i) a[i + j * lda] = std::isfinite(a[i + j * lda]) ? a[i + j * lda] : 0;
  }
  return getrf(m, n, a, lda, pivots);
}

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
int gesv_refuses(size_t, double*, size_t, double*) { return 1; }

}  // extern "C"
