// Kernels that add in one order or another.
#include <cmath>
#include <cstddef>
#include <cstdint>

extern "C" {

double sum_forward(std::size_t n, const double* x) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}
double sum_backward(std::size_t n, const double* x) {
  double sum = 0;
  for (std::size_t i = n; i > 0; --i) sum += x[i - 1];
  return sum;
}
/// From the end where the array begins at an odd multiple of 8.
double sum_by_address(std::size_t n, const double* x) {
  return reinterpret_cast<std::uintptr_t>(x) % 16 == 0 ? sum_forward(n, x) : sum_backward(n, x);
}
/// Ends the process at the first call with five terms.
double sum_that_ends(std::size_t n, const double* x) {
  if (n == 5) __builtin_trap();
  return sum_forward(n, x);
}

/// In binary32; from the end of a row where there is more than one.
void matmul_by_rows(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                    float* d) {
  for (std::size_t p = 0; p < batch; ++p) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t l = 0; l < k; ++l) {
          const std::size_t at = m > 1 ? k - 1 - l : l;
          sum += a[(p * m + i) * k + at] * b[(p * k + at) * n + j];
        }
        d[(p * m + i) * n + j] = sum;
      }
    }
  }
}
}
