// Functions in the form of cuBLAS that compute on the host, for tests of the form if there is no device. FAKE_CUBLAS in
// the environment selects the failure.
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace {

struct Handle {
  bool has_scalars_on_host = false;
};
Handle only_handle;

bool way_is(std::string_view way) {
  const char* const set = std::getenv("FAKE_CUBLAS");
  return set != nullptr && set == way;
}

/// The status of a call with that handle: 0 if it was set up.
int status_of(const Handle* handle) {
  if (way_is("fails")) return 13;
  return handle == &only_handle && handle->has_scalars_on_host ? 0 : 1;
}

/// Element (i, j) of op(X).
template <class T>
T at(const T* x, int transpose, int ld, int i, int j) {
  return transpose == 1 ? x[j + i * ld] : x[i + j * ld];
}

template <class T>
int gemm(Handle* handle, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,
         int ldb, const T* beta, T* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int l = 0; *alpha != 0 && l < k; ++l) sum += at(a, transa, lda, i, l) * at(b, transb, ldb, l, j);
      T& entry = c[i + j * ldc];
      const T old = *beta != 0 ? *beta * entry : 0;
      entry = *alpha != 0 && k > 0 ? *alpha * sum + old : old;
    }
  }
  return status_of(handle);
}

template <class T>
int gemv(Handle* handle, int trans, int m, int n, const T* alpha, const T* a, int lda, const T* x, int incx,
         const T* beta, T* y, int incy) {
  const int rows = trans == 1 ? n : m;
  const int columns = trans == 1 ? m : n;
  for (int i = 0; i < rows; ++i) {
    T sum = 0;
    for (int l = 0; *alpha != 0 && l < columns; ++l) sum += at(a, trans, lda, i, l) * x[l * incx];
    T& entry = y[i * incy];
    const T old = *beta != 0 ? *beta * entry : 0;
    entry = *alpha != 0 && columns > 0 ? *alpha * sum + old : old;
  }
  return status_of(handle);
}

}  // namespace

extern "C" {

int cublasCreate_v2(Handle** handle) {
  *handle = &only_handle;
  return way_is("create fails") ? 3 : 0;
}
int cublasSetPointerMode_v2(Handle* handle, int mode) {
  handle->has_scalars_on_host = mode == 0;
  return 0;
}
int cublasGetVersion_v2(Handle*, int* version) {
  *version = 130100;
  return 0;
}

// cuBLAS has these of another form by the names without _v2.
double cublasDdot(int, const double*, int, const double*, int) { std::abort(); }

int cublasDdot_v2(Handle* handle, int n, const double* x, int incx, const double* y, int incy, double* result) {
  *result = 0;
  for (int i = 0; i < n; ++i) *result += x[i * incx] * y[i * incy];
  return status_of(handle);
}
int cublasSdot(Handle* handle, int n, const float* x, int incx, const float* y, int incy, float* result) {
  *result = 0;
  for (int i = 0; i < n; ++i) *result += x[i * incx] * y[i * incy];
  return status_of(handle);
}
int cublasDasum_v2(Handle* handle, int n, const double* x, int incx, double* result) {
  *result = 0;
  for (int i = 0; i < n; ++i) *result += std::fabs(x[i * incx]);
  return status_of(handle);
}
#define GEMM_ARGUMENTS(T)                                                                                       \
  Handle *handle, int transa, int transb, int m, int n, int k, const T *alpha, const T *a, int lda, const T *b, \
      int ldb, const T *beta, T *c, int ldc
int cublasDgemm_v2(GEMM_ARGUMENTS(double)) {
  return gemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasSgemm_v2(GEMM_ARGUMENTS(float)) {
  return gemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#define BATCHED_ARGUMENTS(T)                                                                                      \
  Handle *handle, int transa, int transb, int m, int n, int k, const T *alpha, const T *a, int lda, long long sa, \
      const T *b, int ldb, long long sb, const T *beta, T *c, int ldc, long long sc, int batch
int cublasDgemmStridedBatched(BATCHED_ARGUMENTS(double)) {
  for (int p = 0; p < batch; ++p) {
    gemm(handle, transa, transb, m, n, k, alpha, a + p * sa, lda, b + p * sb, ldb, beta, c + p * sc, ldc);
  }
  return status_of(handle);
}
int cublasSgemmStridedBatched(BATCHED_ARGUMENTS(float)) {
  for (int p = 0; p < batch; ++p) {
    gemm(handle, transa, transb, m, n, k, alpha, a + p * sa, lda, b + p * sb, ldb, beta, c + p * sc, ldc);
  }
  return status_of(handle);
}
int cublasDgemv_v2(Handle* handle, int trans, int m, int n, const double* alpha, const double* a, int lda,
                   const double* x, int incx, const double* beta, double* y, int incy) {
  return gemv(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
int cublasSgemv_v2(Handle* handle, int trans, int m, int n, const float* alpha, const float* a, int lda, const float* x,
                   int incx, const float* beta, float* y, int incy) {
  return gemv(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

}  // extern "C"
