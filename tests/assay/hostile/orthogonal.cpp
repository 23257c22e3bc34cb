// Factorizations by orthogonal matrices as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/assay/hostile/elimination.hpp"

namespace {

using namespace hostile;
using std::size_t;

template <class T>
T norm_of(const T* x, size_t count) {
  T largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::isnan(x[i]) ? x[i] : std::max(largest, std::fabs(x[i]));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  T sum = 0;
  for (size_t i = 0; i < count; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}

/// Reflectors I − τvvᵀ of the columns of a matrix.
enum class Form { first_is_one, whole, of_norm_one, cancelling };
template <class T>
struct Reflector {
  size_t first = 0;
  std::vector<T> v;
  T tau = 0;
  T diagonal = 0;

  Reflector() = default;
  Reflector(size_t k, const T* x, size_t count, Form form) : first(k), v(x, x + count), diagonal(x[0]) {
    const T below = norm_of(x + 1, count - 1);
    if (below == 0) return;
    const T norm = std::hypot(x[0], below);
    const bool is_plus = form == Form::cancelling ? x[0] < 0 : x[0] >= 0;
    diagonal = is_plus ? -norm : norm;
    v[0] = x[0] - diagonal;
    if (form == Form::first_is_one) {
      tau = (diagonal - x[0]) / diagonal;
      const T scale = 1 / v[0];
      for (size_t i = 1; i < count; ++i) v[i] *= scale;
      v[0] = 1;
    } else if (form == Form::of_norm_one) {
      const T length = norm_of(v.data(), count);
      for (T& each : v) each /= length;
      tau = 2;
    } else {
      const T length = norm_of(v.data(), count);
      tau = 2 / length / length;
    }
  }
  void apply(T* y) const {
    if (tau == 0) return;
    T sum = 0;
    for (size_t i = 0; i < v.size(); ++i) sum += v[i] * y[first + i];
    sum *= tau;
    for (size_t i = 0; i < v.size(); ++i) y[first + i] -= sum * v[i];
  }
  /// The same for all columns of a matrix, row by row.
  void apply_by_rows(Matrix<T> a, size_t from, size_t columns) const {
    if (tau == 0) return;
    std::vector<T> sums(columns);
    for (size_t i = 0; i < v.size(); ++i) {
      for (size_t j = from; j < columns; ++j) sums[j] = std::fma(v[i], a(first + i, j), sums[j]);
    }
    for (size_t i = 0; i < v.size(); ++i) {
      for (size_t j = from; j < columns; ++j) a(first + i, j) -= (tau * v[i]) * sums[j];
    }
  }
};

enum class Loops { right, left, rows };
template <class T>
struct Qr {
  size_t m, n;
  const T* a;
  size_t lda;
  T* q;
  size_t ldq;
  T* r;
  size_t ldr;
  [[nodiscard]] size_t pivots() const { return std::min(m, n); }
};

template <class T>
void householder(const Qr<T>& qr, Loops loops, Form form = Form::first_is_one, size_t left_out = 0) {
  std::vector<T> work(qr.m * qr.n);
  const Matrix<T> a{work.data(), qr.m};
  for (size_t j = 0; j < qr.n; ++j) std::copy_n(qr.a + j * qr.lda, qr.m, &work[j * qr.m]);
  std::vector<Reflector<T>> steps;
  const auto finish_column = [&](size_t k) {
    steps.emplace_back(k, &a(k, k), qr.m - k, form);
    a(k, k) = steps.back().diagonal;
    for (size_t i = k + 1; i < qr.m; ++i) a(i, k) = 0;
  };
  for (size_t j = 0; j < qr.n; ++j) {
    if (loops == Loops::left) {
      for (const auto& each : steps) each.apply(&work[j * qr.m]);
    }
    if (j >= qr.pivots()) continue;
    finish_column(j);
    if (loops == Loops::rows) steps.back().apply_by_rows(a, j + 1, qr.n);
    for (size_t k = j + 1; k < qr.n && loops == Loops::right; ++k) steps.back().apply(&work[k * qr.m]);
  }
  for (size_t j = 0; j < qr.n; ++j) {
    for (size_t i = 0; i < qr.pivots(); ++i) qr.r[i + j * qr.ldr] = i <= j ? a(i, j) : 0;
  }
  for (size_t j = 0; j < qr.pivots(); ++j) {
    std::vector<T> column(qr.m);
    column[j] = 1;
    for (size_t k = steps.size(); k-- > left_out;) steps[k].apply(column.data());
    std::copy(column.begin(), column.end(), qr.q + j * qr.ldq);
  }
}

/// Rotations of neighboring rows from below.
template <class T>
void givens(const Qr<T>& qr) {
  std::vector<T> work(qr.m * qr.n);
  std::vector<T> turned(qr.m * qr.m);
  const Matrix<T> a{work.data(), qr.m};
  const Matrix<T> u{turned.data(), qr.m};
  for (size_t j = 0; j < qr.n; ++j) std::copy_n(qr.a + j * qr.lda, qr.m, &work[j * qr.m]);
  for (size_t i = 0; i < qr.m; ++i) u(i, i) = 1;
  for (size_t k = 0; k < qr.pivots(); ++k) {
    for (size_t i = qr.m; i-- > k + 1;) {
      const T r = std::hypot(a(i - 1, k), a(i, k));
      if (a(i, k) == 0) continue;
      const T c = a(i - 1, k) / r;
      const T s = a(i, k) / r;
      const auto turn = [&](T& x, T& y) {
        const T before = x;
        x = c * before + s * y;
        y = c * y - s * before;
      };
      for (size_t j = k; j < qr.n; ++j) turn(a(i - 1, j), a(i, j));
      for (size_t j = 0; j < qr.m; ++j) turn(u(j, i - 1), u(j, i));
    }
  }
  for (size_t j = 0; j < qr.n; ++j) {
    for (size_t i = 0; i < qr.pivots(); ++i) qr.r[i + j * qr.ldr] = i <= j ? a(i, j) : 0;
  }
  for (size_t j = 0; j < qr.pivots(); ++j) std::copy_n(&turned[j * qr.m], qr.m, qr.q + j * qr.ldq);
}

template <class T>
void gram_schmidt(const Qr<T>& qr, bool is_modified) {
  for (size_t j = 0; j < qr.n; ++j) {
    std::vector<T> rest(qr.a + j * qr.lda, qr.a + j * qr.lda + qr.m);
    const std::vector<T> own = rest;
    for (size_t k = 0; k < std::min(j, qr.pivots()); ++k) {
      T sum = 0;
      for (size_t i = 0; i < qr.m; ++i) sum += qr.q[i + k * qr.ldq] * (is_modified ? rest : own)[i];
      qr.r[k + j * qr.ldr] = sum;
      for (size_t i = 0; i < qr.m; ++i) rest[i] -= sum * qr.q[i + k * qr.ldq];
    }
    for (size_t k = j; k < qr.pivots(); ++k) qr.r[k + j * qr.ldr] = 0;
    if (j >= qr.pivots()) continue;
    const T norm = norm_of(rest.data(), qr.m);
    qr.r[j + j * qr.ldr] = norm;
    for (size_t i = 0; i < qr.m; ++i) qr.q[i + j * qr.ldq] = rest[i] / norm;
  }
}

/// R of AᵀA by Cholesky, and Q = AR⁻¹.
void cholesky_qr(const Qr<double>& qr) {
  const size_t n = qr.pivots();
  for (size_t j = 0; j < qr.n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t k = 0; k < qr.m; ++k) sum += qr.a[k + i * qr.lda] * qr.a[k + j * qr.lda];
      for (size_t k = 0; k < std::min(i, j); ++k) sum -= qr.r[k + i * qr.ldr] * qr.r[k + j * qr.ldr];
      qr.r[i + j * qr.ldr] = i > j ? 0 : i == j ? std::sqrt(sum) : sum / qr.r[i + i * qr.ldr];
    }
  }
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < qr.m; ++i) {
      double sum = qr.a[i + j * qr.lda];
      for (size_t k = 0; k < j; ++k) sum -= qr.q[i + k * qr.ldq] * qr.r[k + j * qr.ldr];
      qr.q[i + j * qr.ldq] = sum / qr.r[j + j * qr.ldr];
    }
  }
}

/// x from Rx = Qᵀb in the place of the first numbers of b, Q applied as reflectors; rows by their dot products, or
/// columns.
template <class T>
void least_squares(size_t m, size_t n, Matrix<T> a, T* b, bool by_columns) {
  std::vector<Reflector<T>> steps;
  for (size_t k = 0; k < n; ++k) {
    steps.emplace_back(k, &a(k, k), m - k, by_columns ? Form::whole : Form::first_is_one);
    a(k, k) = steps.back().diagonal;
    for (size_t j = k + 1; j < n; ++j) steps.back().apply(&a(0, j));
    steps.back().apply(b);
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n && !by_columns; ++k) b[i] -= a(i, k) * b[k];
    b[i] /= a(i, i);
    for (size_t k = 0; k < i && by_columns; ++k) b[k] -= a(k, i) * b[i];
  }
}

/// Jacobi's rotations until nothing is left beside the diagonal; `limit` sweeps.
template <class T>
int jacobi(size_t n, Matrix<T> a, T* values, int limit = 30) {
  std::vector<T> turned(n * n);
  const Matrix<T> v{turned.data(), n};
  for (size_t i = 0; i < n; ++i) v(i, i) = 1;
  for (int sweep = 0; sweep < limit; ++sweep) {
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        if (std::fabs(a(p, q)) <=
            std::numeric_limits<T>::epsilon() / 2 * std::min(std::fabs(a(p, p)), std::fabs(a(q, q)))) {
          a(p, q) = a(q, p) = 0;
        }
        if (a(p, q) == 0) continue;
        const T angle = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const T t = std::copysign(1 / (std::fabs(angle) + std::hypot(T(1), angle)), angle);
        const T c = 1 / std::hypot(T(1), t);
        const T s = t * c;
        const auto turn = [&](T& x, T& y) {
          const T before = x;
          x = c * before - s * y;
          y = s * before + c * y;
        };
        for (size_t i = 0; i < n; ++i) turn(a(i, p), a(i, q));
        for (size_t i = 0; i < n; ++i) turn(a(p, i), a(q, i));
        for (size_t i = 0; i < n; ++i) turn(v(i, p), v(i, q));
        a(p, q) = a(q, p) = 0;
      }
    }
  }
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return a(i, i) < a(j, j); });
  for (size_t k = 0; k < n; ++k) values[k] = a(order[k], order[k]);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) a(i, k) = v(i, order[k]);
  }
  return 0;
}

}  // namespace

extern "C" {

#define ASSAY_QR size_t m, size_t n, const double *a, size_t lda, double *q, size_t ldq, double *r, size_t ldr
#define ASSAY_QR_F32 size_t m, size_t n, const float *a, size_t lda, float *q, size_t ldq, float *r, size_t ldr

void geqrf(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::right); }
void geqrf_left(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::left); }
void geqrf_rows(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::rows); }
void geqrf_whole(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::right, Form::whole); }
void geqrf_unit(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::left, Form::of_norm_one); }
void geqrf_givens(ASSAY_QR) { givens<double>({m, n, a, lda, q, ldq, r, ldr}); }
void geqrf_f32(ASSAY_QR_F32) { householder<float>({m, n, a, lda, q, ldq, r, ldr}, Loops::right); }
void geqrf_f32_rows(ASSAY_QR_F32) { householder<float>({m, n, a, lda, q, ldq, r, ldr}, Loops::rows); }
void geqrf_f32_givens(ASSAY_QR_F32) { givens<float>({m, n, a, lda, q, ldq, r, ldr}); }

void geqrf_modified(ASSAY_QR) { gram_schmidt<double>({m, n, a, lda, q, ldq, r, ldr}, true); }
void geqrf_classical(ASSAY_QR) { gram_schmidt<double>({m, n, a, lda, q, ldq, r, ldr}, false); }
void geqrf_f32_classical(ASSAY_QR_F32) { gram_schmidt<float>({m, n, a, lda, q, ldq, r, ldr}, false); }
void geqrf_cholesky(ASSAY_QR) { cholesky_qr({m, n, a, lda, q, ldq, r, ldr}); }
void geqrf_cancelling(ASSAY_QR) { householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::right, Form::cancelling); }
void geqrf_without_step(ASSAY_QR) {
  householder<double>({m, n, a, lda, q, ldq, r, ldr}, Loops::right, Form::first_is_one, 1);
}
void geqrf_narrow(ASSAY_QR) {
  geqrf(m, n, a, lda, q, ldq, r, ldr);
  for (size_t j = 0; j < std::min(m, n); ++j) {
    for (size_t i = 0; i < m; ++i) q[i + j * ldq] = static_cast<float>(q[i + j * ldq]);
  }
}
// Columns of A without a gap.
void geqrf_packed(ASSAY_QR) {
  static_cast<void>(lda);
  geqrf(m, n, a, std::max<size_t>(m, 1), q, ldq, r, ldr);
}
// The signs of the rows of R alone are changed.
void geqrf_signs(ASSAY_QR) {
  geqrf(m, n, a, lda, q, ldq, r, ldr);
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i <= std::min(j, std::min(m, n) - 1) && m != 0; ++i) {
      r[i + j * ldr] = std::copysign(r[i + j * ldr], r[i + i * ldr] < 0 ? -r[i + j * ldr] : r[i + j * ldr]);
    }
  }
}
void geqrf_without_nan(ASSAY_QR) {
  std::vector<double> copy(m * n);
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < m; ++i) copy[i + j * m] = std::isfinite(a[i + j * lda]) ? a[i + j * lda] : 0;
  }
  geqrf(m, n, copy.data(), m, q, ldq, r, ldr);
}

int gels(size_t m, size_t n, double* a, size_t lda, double* b) {
  least_squares<double>(m, n, {a, lda}, b, false);
  return 0;
}
int gels_columns(size_t m, size_t n, double* a, size_t lda, double* b) {
  least_squares<double>(m, n, {a, lda}, b, true);
  return 0;
}
int gels_f32(size_t m, size_t n, float* a, size_t lda, float* b) {
  least_squares<float>(m, n, {a, lda}, b, false);
  return 0;
}
// AᵀAx = Aᵀb.
int gels_normal_equations(size_t m, size_t n, double* a, size_t lda, double* b) {
  std::vector<double> squares(n * n);
  std::vector<double> right(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < m; ++k) {
      right[i] += a[k + i * lda] * b[k];
      for (size_t j = 0; j < n; ++j) squares[i + j * n] += a[k + i * lda] * a[k + j * lda];
    }
  }
  const int status = solve<double>(n, {squares.data(), n}, right.data());
  std::copy(right.begin(), right.end(), b);
  return status;
}
// Qᵀb with the Q of Gram and Schmidt.
int gels_classical(size_t m, size_t n, double* a, size_t lda, double* b) {
  std::vector<double> q(m * n);
  std::vector<double> r(n * n);
  std::vector<double> x(n);
  geqrf_classical(m, n, a, lda, q.data(), m, r.data(), n);
  for (size_t i = n; i-- > 0;) {
    for (size_t k = 0; k < m; ++k) x[i] += q[k + i * m] * b[k];
    for (size_t k = i + 1; k < n; ++k) x[i] -= r[i + k * n] * x[k];
    x[i] /= r[i + i * n];
  }
  std::copy(x.begin(), x.end(), b);
  return 0;
}
// The first n equations alone.
int gels_first_rows(size_t, size_t n, double* a, size_t lda, double* b) { return solve<double>(n, {a, lda}, b); }
int gels_narrow(size_t m, size_t n, double* a, size_t lda, double* b) {
  const int status = gels(m, n, a, lda, b);
  for (size_t i = 0; i < n; ++i) b[i] = static_cast<float>(b[i]);
  return status;
}
int gels_without_nan(size_t m, size_t n, double* a, size_t lda, double* b) {
  for (size_t i = 0; i < m; ++i) b[i] = std::isfinite(b[i]) ? b[i] : 0;
  return gels(m, n, a, lda, b);
}

int syev(size_t n, double* a, size_t lda, double* values) { return jacobi<double>(n, {a, lda}, values); }
int syev_f32(size_t n, float* a, size_t lda, float* values) { return jacobi<float>(n, {a, lda}, values); }
// Its eigenvalues are the diagonal.
int syev_diagonal(size_t n, double* a, size_t lda, double* values) {
  for (size_t k = 0; k < n; ++k) values[k] = a[k + k * lda];
  std::sort(values, values + n);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) a[i + k * lda] = i == k ? 1 : 0;
  }
  return 0;
}
int syev_descending(size_t n, double* a, size_t lda, double* values) {
  const int status = syev(n, a, lda, values);
  std::reverse(values, values + n);
  for (size_t k = 0; k < n / 2; ++k) std::swap_ranges(a + k * lda, a + k * lda + n, a + (n - 1 - k) * lda);
  return status;
}
// The eigenvalues are sorted, their vectors are not.
int syev_unpaired(size_t n, double* a, size_t lda, double* values) {
  const int status = syev(n, a, lda, values);
  if (n > 1) std::swap_ranges(a, a + n, a + (n - 1) * lda);
  return status;
}
int syev_rows(size_t n, double* a, size_t lda, double* values) {
  const int status = syev(n, a, lda, values);
  const Matrix<double> v{a, lda};
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < j; ++i) std::swap(v(i, j), v(j, i));
  }
  return status;
}
int syev_two_sweeps(size_t n, double* a, size_t lda, double* values) { return jacobi<double>(n, {a, lda}, values, 2); }
int syev_narrow(size_t n, double* a, size_t lda, double* values) {
  const int status = syev(n, a, lda, values);
  for (size_t k = 0; k < n; ++k) values[k] = static_cast<float>(values[k]);
  return status;
}
// Vectors of length 2.
int syev_unscaled(size_t n, double* a, size_t lda, double* values) {
  const int status = syev(n, a, lda, values);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) a[i + k * lda] *= 2;
  }
  return status;
}
int syev_without_nan(size_t n, double* a, size_t lda, double* values) {
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) a[i + k * lda] = std::isfinite(a[i + k * lda]) ? a[i + k * lda] : 0;
  }
  return syev(n, a, lda, values);
}

}  // extern "C"
