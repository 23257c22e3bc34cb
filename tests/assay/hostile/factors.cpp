// Factorizations as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/assay/hostile/elimination.hpp"

namespace {

using namespace hostile;

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

}  // extern "C"
