#pragma once
// OpenBLAS on one thread, if it is installed.

namespace assay::bench {

/// Functions of the library; null if it is missing. Column-major is 102, no transposition 111.
struct OpenBlas {
  double (*ddot)(int n, const double* x, int incx, const double* y, int incy) = nullptr;
  void (*dgemv)(int layout, int trans, int m, int n, double alpha, const double* a, int lda, const double* x, int incx,
                double beta, double* y, int incy) = nullptr;
  void (*dgemm)(int layout, int transa, int transb, int m, int n, int k, double alpha, const double* a, int lda,
                const double* b, int ldb, double beta, double* c, int ldc) = nullptr;
};

/// The library is loaded at the first call.
const OpenBlas& open_blas();

}  // namespace assay::bench
