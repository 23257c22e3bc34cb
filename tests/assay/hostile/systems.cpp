// Solvers by factors, of definite systems, and inverses as users have them, good and bad.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/assay/hostile/elimination.hpp"

namespace {

using namespace hostile;
using std::size_t;

/// A Cholesky factor in the lower triangle: 0, or the number of the first pivot that is not positive, from 1.
/// `of_magnitudes`: it takes the root of the magnitude of a pivot, and is never refused.
template <class T>
int cholesky(size_t n, Matrix<T> a, bool by_reciprocal, bool of_magnitudes = false) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t k = 0; k < j; ++k) {
      for (size_t i = j; i < n; ++i) a(i, j) -= a(i, k) * a(j, k);
    }
    if (of_magnitudes && a(j, j) != 0) a(j, j) = std::fabs(a(j, j));
    if (!(a(j, j) > 0)) return static_cast<int>(j + 1);
    a(j, j) = std::sqrt(a(j, j));
    for (size_t i = j + 1; i < n; ++i) a(i, j) = by_reciprocal ? a(i, j) * (1 / a(j, j)) : a(i, j) / a(j, j);
  }
  return 0;
}

template <class T>
int solve_definite(size_t n, Matrix<T> a, T* b, bool by_reciprocal = false, bool of_magnitudes = false) {
  if (const int status = cholesky(n, a, by_reciprocal, of_magnitudes)) return status;
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a(i, k) * b[k];
    b[i] = by_reciprocal ? b[i] * (1 / a(i, i)) : b[i] / a(i, i);
  }
  for (size_t i = n; i-- > 0;) {
    b[i] = by_reciprocal ? b[i] * (1 / a(i, i)) : b[i] / a(i, i);
    for (size_t k = 0; k < i; ++k) b[k] -= a(i, k) * b[i];
  }
  return 0;
}

template <class T>
int inverse(size_t n, Matrix<T> a, Way way = Way::quotients, Slip slip = Slip::none, bool by_columns = false) {
  std::vector<int> pivots(n);
  const int status = eliminate(n, n, a, pivots.data(), way, slip);
  if (status != 0) return status;
  std::vector<T> x(n * n);
  for (size_t j = 0; j < n; ++j) {
    x[j + j * n] = 1;
    substitute(n, a, pivots.data(), &x[j * n], by_columns);
  }
  for (size_t j = 0; j < n; ++j) std::copy_n(&x[j * n], n, &a(0, j));
  return 0;
}

/// The inverse by two triangular ones, as getri of LAPACK makes it: XL = U⁻¹. `by_quotients`: entries of U⁻¹ are
/// quotients, not products with reciprocals of pivots.
template <class T>
int inverse_of_factors(size_t n, Matrix<T> a, bool by_quotients) {
  std::vector<int> pivots(n);
  const int status = eliminate(n, n, a, pivots.data());
  if (status != 0) return status;
  std::vector<T> numbers(n * n);
  const Matrix<T> x{numbers.data(), n};
  for (size_t j = 0; j < n; ++j) {
    x(j, j) = 1 / a(j, j);
    for (size_t i = 0; i < j; ++i) {
      T sum = 0;
      for (size_t k = i; k < j; ++k) sum += x(i, k) * a(k, j);
      x(i, j) = by_quotients ? -sum / a(j, j) : -sum * x(j, j);
    }
  }
  for (size_t j = n; j-- > 0;) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = j + 1; k < n; ++k) x(i, j) -= x(i, k) * a(k, j);
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t i = 0; i < n; ++i) std::swap(x(i, k), x(i, static_cast<size_t>(pivots[k])));
  }
  for (size_t j = 0; j < n; ++j) std::copy_n(&x(0, j), n, &a(0, j));
  return 0;
}

}  // namespace

extern "C" {

void getrs(size_t n, const double* lu, size_t lda, const int* pivots, double* b) {
  substitute<double>(n, {const_cast<double*>(lu), lda}, pivots, b, false);
}
void getrs_columns(size_t n, const double* lu, size_t lda, const int* pivots, double* b) {
  substitute<double>(n, {const_cast<double*>(lu), lda}, pivots, b, true);
}
void getrs_f32(size_t n, const float* lu, size_t lda, const int* pivots, float* b) {
  substitute<float>(n, {const_cast<float*>(lu), lda}, pivots, b, false);
}
void getrs_without_pivots(size_t n, const double* lu, size_t lda, const int*, double* b) {
  substitute<double>(n, {const_cast<double*>(lu), lda}, nullptr, b, false);
}
// The interchanges in the other order.
void getrs_backward_pivots(size_t n, const double* lu, size_t lda, const int* pivots, double* b) {
  for (size_t k = n; k-- > 0;) std::swap(b[k], b[static_cast<size_t>(pivots[k])]);
  substitute<double>(n, {const_cast<double*>(lu), lda}, nullptr, b, false);
}
void getrs_packed(size_t n, const double* lu, size_t, const int* pivots, double* b) {
  getrs(n, lu, std::max<size_t>(n, 1), pivots, b);
}
void getrs_narrow(size_t n, const double* lu, size_t lda, const int* pivots, double* b) {
  getrs(n, lu, lda, pivots, b);
  for (size_t i = 0; i < n; ++i) b[i] = static_cast<float>(b[i]);
}
void getrs_without_nan(size_t n, const double* lu, size_t lda, const int* pivots, double* b) {
  getrs(n, lu, lda, pivots, b);
  for (size_t i = 0; i < n; ++i) b[i] = std::isfinite(b[i]) ? b[i] : 0;
}

int posv(size_t n, double* a, size_t lda, double* b) { return solve_definite<double>(n, {a, lda}, b); }
int posv_reciprocal(size_t n, double* a, size_t lda, double* b) { return solve_definite<double>(n, {a, lda}, b, true); }
int posv_f32(size_t n, float* a, size_t lda, float* b) { return solve_definite<float>(n, {a, lda}, b); }
// A matrix that is not definite is no error.
int posv_of_magnitudes(size_t n, double* a, size_t lda, double* b) {
  return solve_definite<double>(n, {a, lda}, b, false, true);
}
int posv_by_elimination(size_t n, double* a, size_t lda, double* b) { return solve<double>(n, {a, lda}, b); }
int posv_refuses(size_t n, double*, size_t, double*) { return n == 0 ? 0 : 1; }
int posv_narrow(size_t n, double* a, size_t lda, double* b) {
  const int status = posv(n, a, lda, b);
  for (size_t i = 0; i < n; ++i) b[i] = static_cast<float>(b[i]);
  return status;
}
int posv_by_inverse(size_t n, double* a, size_t lda, double* b) {
  std::vector<double> x(n);
  std::vector<double> factor(n * n);
  for (size_t j = 0; j < n; ++j) std::copy_n(a + j * lda, n, &factor[j * n]);
  if (const int status = cholesky<double>(n, {factor.data(), n}, false)) return status;
  if (const int status = inverse<double>(n, {a, lda})) return status;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) x[i] += a[i + j * lda] * b[j];
  }
  std::copy(x.begin(), x.end(), b);
  return 0;
}
int posv_without_nan(size_t n, double* a, size_t lda, double* b) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      if (!std::isfinite(a[i + j * lda])) a[i + j * lda] = i == j ? 1e9 : 0;
    }
  }
  return posv(n, a, lda, b);
}

int inv(size_t n, double* a, size_t lda) { return inverse<double>(n, {a, lda}); }
int inv_columns(size_t n, double* a, size_t lda) {
  return inverse<double>(n, {a, lda}, Way::reciprocals, Slip::none, true);
}
int inv_f32(size_t n, float* a, size_t lda) { return inverse<float>(n, {a, lda}); }
int inv_getri(size_t n, double* a, size_t lda) { return inverse_of_factors<double>(n, {a, lda}, false); }
int inv_getri_quotients(size_t n, double* a, size_t lda) { return inverse_of_factors<double>(n, {a, lda}, true); }
int inv_getri_f32(size_t n, float* a, size_t lda) { return inverse_of_factors<float>(n, {a, lda}, false); }
int inv_without_pivots(size_t n, double* a, size_t lda) {
  return inverse<double>(n, {a, lda}, Way::quotients, Slip::no_pivots);
}
int inv_transposed(size_t n, double* a, size_t lda) {
  const int status = inv(n, a, lda);
  const Matrix<double> m{a, lda};
  for (size_t j = 0; j < n && status == 0; ++j) {
    for (size_t i = 0; i < j; ++i) std::swap(m(i, j), m(j, i));
  }
  return status;
}
int inv_narrow(size_t n, double* a, size_t lda) {
  const int status = inv(n, a, lda);
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) a[i + j * lda] = static_cast<float>(a[i + j * lda]);
  }
  return status;
}
int inv_refuses(size_t n, double*, size_t) { return n == 0 ? 0 : 1; }
int inv_without_nan(size_t n, double* a, size_t lda) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) a[i + j * lda] = std::isfinite(a[i + j * lda]) ? a[i + j * lda] : 0;
  }
  return inv(n, a, lda);
}

}  // extern "C"
