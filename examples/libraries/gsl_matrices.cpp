// Factorizations and transforms of the GNU Scientific Library, as functions that `assay check --subject` calls. Its
// matrices are stored by rows, and are copied.

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_linalg.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

struct Free {
  void operator()(gsl_matrix* a) const { gsl_matrix_free(a); }
  void operator()(gsl_vector* x) const { gsl_vector_free(x); }
  void operator()(gsl_permutation* p) const { gsl_permutation_free(p); }
};
using Matrix = std::unique_ptr<gsl_matrix, Free>;
using Vector = std::unique_ptr<gsl_vector, Free>;
using Permutation = std::unique_ptr<gsl_permutation, Free>;

/// An error is a status, and ends no program. GSL has no empty matrices.
Matrix matrix(std::size_t m, std::size_t n) {
  static void* const handler = reinterpret_cast<void*>(gsl_set_error_handler_off());
  (void)handler;
  return Matrix(gsl_matrix_alloc(m, n));
}
Matrix read(std::size_t m, std::size_t n, const double* a, std::size_t lda) {
  Matrix copy = matrix(m, n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) gsl_matrix_set(copy.get(), i, j, a[i + j * lda]);
  }
  return copy;
}
void write(const Matrix& from, std::size_t m, std::size_t n, double* a, std::size_t lda) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i + j * lda] = gsl_matrix_get(from.get(), i, j);
  }
}
gsl_vector_view view(double* x, std::size_t n) { return gsl_vector_view_array(x, n); }

/// The factors of A, and its rows in their order. The status is the place of a pivot that is 0, from 1, as LAPACK has
/// it.
int factored(const Matrix& a, const Permutation& order) {
  int sign = 0;
  gsl_linalg_LU_decomp(a.get(), order.get(), &sign);
  for (std::size_t i = 0; i < std::min(a->size1, a->size2); ++i) {
    if (gsl_matrix_get(a.get(), i, i) == 0) return static_cast<int>(i) + 1;
  }
  return 0;
}

}  // namespace

extern "C" {

int getrf_f64(std::size_t m, std::size_t n, double* a, std::size_t lda, int* pivots) {
  if (m == 0 || n == 0) return 0;
  const Matrix lu = read(m, n, a, lda);
  const Permutation order(gsl_permutation_alloc(m));
  const int status = factored(lu, order);
  write(lu, m, n, a, lda);
  std::vector<std::size_t> rows(m);
  for (std::size_t i = 0; i < m; ++i) rows[i] = i;
  for (std::size_t i = 0; i < std::min(m, n); ++i) {
    const auto at = std::find(rows.begin(), rows.end(), gsl_permutation_get(order.get(), i));
    pivots[i] = static_cast<int>(at - rows.begin());
    std::swap(rows[i], *at);
  }
  return status;
}

int gesv_f64(std::size_t n, double* a, std::size_t lda, double* b) {
  if (n == 0) return 0;
  const Matrix lu = read(n, n, a, lda);
  const Permutation order(gsl_permutation_alloc(n));
  if (const int status = factored(lu, order)) return status;
  gsl_vector_view x = view(b, n);
  return gsl_linalg_LU_svx(lu.get(), order.get(), &x.vector);
}

int inv_f64(std::size_t n, double* a, std::size_t lda) {
  if (n == 0) return 0;
  const Matrix lu = read(n, n, a, lda);
  const Permutation order(gsl_permutation_alloc(n));
  if (const int status = factored(lu, order)) return status;
  const Matrix inverse = matrix(n, n);
  gsl_linalg_LU_invert(lu.get(), order.get(), inverse.get());
  write(inverse, n, n, a, lda);
  return 0;
}

int potrf_f64(std::size_t n, double* a, std::size_t lda) {
  if (n == 0) return 0;
  const Matrix l = read(n, n, a, lda);
  if (gsl_linalg_cholesky_decomp1(l.get()) != GSL_SUCCESS) return 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a[i + j * lda] = gsl_matrix_get(l.get(), i, j);
  }
  return 0;
}

int posv_f64(std::size_t n, double* a, std::size_t lda, double* b) {
  if (n == 0) return 0;
  const Matrix l = read(n, n, a, lda);
  if (gsl_linalg_cholesky_decomp1(l.get()) != GSL_SUCCESS) return 1;
  gsl_vector_view x = view(b, n);
  return gsl_linalg_cholesky_svx(l.get(), &x.vector);
}

void geqrf_f64(std::size_t m, std::size_t n, const double* a, std::size_t lda, double* q, std::size_t ldq, double* r,
               std::size_t ldr) {
  if (m == 0 || n == 0) return;
  const Matrix qr = read(m, n, a, lda);
  const Vector tau(gsl_vector_alloc(std::min(m, n)));
  const Matrix all = matrix(m, m);
  const Matrix upper = matrix(m, n);
  gsl_linalg_QR_decomp(qr.get(), tau.get());
  gsl_linalg_QR_unpack(qr.get(), tau.get(), all.get(), upper.get());
  write(all, m, std::min(m, n), q, ldq);
  write(upper, std::min(m, n), n, r, ldr);
}

int gels_f64(std::size_t m, std::size_t n, double* a, std::size_t lda, double* b) {
  if (n == 0) return 0;
  const Matrix qr = read(m, n, a, lda);
  const Vector tau(gsl_vector_alloc(n));
  const Vector x(gsl_vector_alloc(n));
  const Vector residual(gsl_vector_alloc(m));
  gsl_vector_view right = view(b, m);
  gsl_linalg_QR_decomp(qr.get(), tau.get());
  const int status = gsl_linalg_QR_lssolve(qr.get(), tau.get(), &right.vector, x.get(), residual.get());
  for (std::size_t i = 0; i < n; ++i) b[i] = gsl_vector_get(x.get(), i);
  return status;
}

int syev_f64(std::size_t n, double* a, std::size_t lda, double* values) {
  if (n == 0) return 0;
  const Matrix copy = read(n, n, a, lda);
  const Matrix vectors = matrix(n, n);
  gsl_vector_view all = view(values, n);
  gsl_eigen_symmv_workspace* const space = gsl_eigen_symmv_alloc(n);
  const int status = gsl_eigen_symmv(copy.get(), &all.vector, vectors.get(), space);
  gsl_eigen_symmv_free(space);
  gsl_eigen_symmv_sort(&all.vector, vectors.get(), GSL_EIGEN_SORT_VAL_ASC);
  write(vectors, n, n, a, lda);
  return status;
}

void fft_f64(std::size_t n, const double* x, double* y) {
  if (n == 0) return;
  std::copy(x, x + 2 * n, y);
  gsl_fft_complex_wavetable* const table = gsl_fft_complex_wavetable_alloc(n);
  gsl_fft_complex_workspace* const space = gsl_fft_complex_workspace_alloc(n);
  gsl_fft_complex_forward(y, 1, n, table, space);
  gsl_fft_complex_wavetable_free(table);
  gsl_fft_complex_workspace_free(space);
}

void ifft_f64(std::size_t n, const double* x, double* y) {
  if (n == 0) return;
  std::copy(x, x + 2 * n, y);
  gsl_fft_complex_wavetable* const table = gsl_fft_complex_wavetable_alloc(n);
  gsl_fft_complex_workspace* const space = gsl_fft_complex_workspace_alloc(n);
  gsl_fft_complex_inverse(y, 1, n, table, space);
  gsl_fft_complex_wavetable_free(table);
  gsl_fft_complex_workspace_free(space);
}

/// By the functions for powers of two; other lengths by those for any.
void fft_radix2_f64(std::size_t n, const double* x, double* y) {
  if (n == 0 || (n & (n - 1)) != 0) return fft_f64(n, x, y);
  std::copy(x, x + 2 * n, y);
  gsl_fft_complex_radix2_forward(y, 1, n);
}

void rfft_f64(std::size_t n, const double* x, double* y) {
  std::vector<double> half(x, x + n);
  gsl_fft_real_wavetable* const table = gsl_fft_real_wavetable_alloc(n);
  gsl_fft_real_workspace* const space = gsl_fft_real_workspace_alloc(n);
  gsl_fft_real_transform(half.data(), 1, n, table, space);
  gsl_fft_real_wavetable_free(table);
  gsl_fft_real_workspace_free(space);
  std::vector<double> whole(2 * n);
  gsl_fft_halfcomplex_unpack(half.data(), whole.data(), 1, n);
  std::copy(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(2 * (n / 2 + 1)), y);
}
}
