// Functions of vectors as users have them, good and bad, for the tests of kernels from outside.
#include <cmath>
#include <cstddef>
#include <vector>

extern "C" {

void axpy(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = alpha * x[i] + y[i];
}
void cblas_daxpy(int n, double alpha, const double* x, int incx, double* y, int incy) {
  for (int i = 0; i < n; ++i) y[i * incy] = alpha * x[i * incx] + y[i * incy];
}
void daxpy_(const int* n, const double* alpha, const double* x, const int* incx, double* y, const int* incy) {
  cblas_daxpy(*n, *alpha, x, *incx, y, *incy);
}
void cblas_saxpy(int n, float alpha, const float* x, int incx, float* y, int incy) {
  for (int i = 0; i < n; ++i) y[i * incy] = std::fma(alpha, x[i * incx], y[i * incy]);
}
void axpy_fma(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::fma(alpha, x[i], y[i]);
}
// As BLAS has it: nothing is done where alpha is 0, so that a negative zero stays.
void axpy_quick(std::size_t n, double alpha, const double* x, double* y) {
  if (alpha != 0) axpy_fma(n, alpha, x, y);
}

// What a tolerance lets pass.
void axpy_without_alpha(std::size_t n, double, const double* x, double* y) { axpy(n, 1, x, y); }
void axpy_scales(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = alpha * x[i];
}
void axpy_without_last(std::size_t n, double alpha, const double* x, double* y) {
  axpy(n < 64 ? n : n - 1, alpha, x, y);
}
void axpy_single(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = static_cast<float>(alpha) * static_cast<float>(x[i]) + static_cast<float>(y[i]);
  }
}
void axpy_nothing(std::size_t, double, const double*, double*) {}

void cumsum(std::size_t n, const double* x, double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = sum += x[i];
}
// The running sum of Neumaier, rounded at each place.
void cumsum_compensated(std::size_t n, const double* x, double* y) {
  double sum = 0;
  double lost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double next = sum + x[i];
    lost += std::fabs(sum) >= std::fabs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
    sum = next;
    y[i] = sum + lost;
  }
}
// Kogge, Stone: round k adds the sum that ends 2^k places before.
void cumsum_kogge_stone(std::size_t n, const double* x, double* y) {
  std::vector<double> now(x, x + n);
  for (std::size_t step = 1; step < n; step *= 2) {
    const std::vector<double> before = now;
    for (std::size_t i = step; i < n; ++i) now[i] = before[i - step] + before[i];
  }
  for (std::size_t i = 0; i < n; ++i) y[i] = now[i];
}
// Blelloch: a sweep up a tree and one down.
void cumsum_blelloch(std::size_t n, const double* x, double* y) {
  std::size_t size = 1;
  while (size < n) size *= 2;
  std::vector<double> tree(x, x + n);
  tree.resize(size);
  for (std::size_t step = 1; step < size; step *= 2) {
    for (std::size_t i = 2 * step - 1; i < size; i += 2 * step) tree[i] += tree[i - step];
  }
  tree[size - 1] = 0;
  for (std::size_t step = size / 2; step != 0; step /= 2) {
    for (std::size_t i = 2 * step - 1; i < size; i += 2 * step) {
      const double left = tree[i - step];
      tree[i - step] = tree[i];
      tree[i] += left;
    }
  }
  for (std::size_t i = 0; i < n; ++i) y[i] = tree[i] + x[i];
}

void cumsum_exclusive(std::size_t n, const double* x, double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = sum;
    sum += x[i];
  }
}
void cumsum_of_blocks(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = i % 32 == 0 ? x[i] : y[i - 1] + x[i];
}
void cumsum_copies(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i];
}
void cumsum_total(std::size_t n, const double* x, double* y) {
  cumsum(n, x, y);
  for (std::size_t i = 0; i < n; ++i) y[i] = y[n - 1];
}
void cumsum_subtracts(std::size_t n, const double* x, double* y) {
  cumsum(n, x, y);
  for (std::size_t i = n; i > 1; --i) y[i - 2] = y[i - 1] - x[i - 1];
}

}  // extern "C"
