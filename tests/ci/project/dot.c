#include <stddef.h>

double my_dot(size_t n, const double* x, const double* y) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += x[i] * y[i];
  return total;
}
