// Functions of vectors as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

/// The largest number of a row; NaN where it has one.
double largest(std::size_t n, const double* x) {
  double m = x[0];
  for (std::size_t i = 1; i < n; ++i) m = x[i] > m || std::isnan(x[i]) ? x[i] : m;
  return m;
}

/// f(n, row of x, row of y) for each row.
template <class F>
void of_rows(std::size_t rows, std::size_t columns, const double* x, double* y, F f) {
  for (std::size_t r = 0; r < rows; ++r) f(columns, x + r * columns, y + r * columns);
}

/// What a form of layer_norm does otherwise than the right one.
struct NormForm {
  bool one_pass = false;
  bool without_eps = false;
  bool eps_outside = false;  ///< of the root
  bool unbiased = false;
  bool without_weight = false;
  bool without_bias = false;
};

double mean(std::size_t n, const double* x) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return sum / static_cast<double>(n);
}

double mean_square(std::size_t n, const double* x, double about) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += (x[i] - about) * (x[i] - about);
  return sum / static_cast<double>(n);
}

void norm_row(std::size_t n, const double* x, double* y, double eps, const double* weight, const double* bias,
              const NormForm& form) {
  const double mu = bias == nullptr ? 0 : mean(n, x);
  double v = form.one_pass ? mean_square(n, x, 0) - mu * mu : mean_square(n, x, mu);
  if (form.unbiased && n > 1) v *= static_cast<double>(n) / static_cast<double>(n - 1);
  const double root = form.without_eps ? std::sqrt(v) : form.eps_outside ? std::sqrt(v) + eps : std::sqrt(v + eps);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = (x[i] - mu) / root * (form.without_weight ? 1 : weight[i]);
    if (bias != nullptr && !form.without_bias) y[i] += bias[i];
  }
}

void norm(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight, const double* bias,
          double* y, const NormForm& form) {
  of_rows(rows, columns, x, y,
          [&](std::size_t n, const double* from, double* to) { norm_row(n, from, to, eps, weight, bias, form); });
}

void softmax_row(std::size_t n, const double* x, double* y, double m) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += y[i] = std::exp(x[i] - m);
  for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
}

}  // namespace

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

void softmax(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y,
          [](std::size_t n, const double* from, double* to) { softmax_row(n, from, to, largest(n, from)); });
}
void softmax_unshifted(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) { softmax_row(n, from, to, 0); });
}
// Exponentials with an error of about 2 ulps.
void softmax_2ulp(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const double m = largest(n, from);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double e = std::exp(from[i] - m);
      sum += to[i] = std::fmax(0, e - 2 * (e - std::nextafter(e, 0)));
    }
    for (std::size_t i = 0; i < n; ++i) to[i] /= sum;
  });
}
void softmax_extended(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const long double m = largest(n, from);
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i] - m);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<double>(std::exp(from[i] - m) / sum);
  });
}
// A maximum and a sum that pass over NaN.
void softmax_drops_nan(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    double m = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) m = std::fmax(m, from[i]);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += to[i] = from[i] <= m ? std::exp(from[i] - m) : 0;
    for (std::size_t i = 0; i < n; ++i) to[i] /= sum;
  });
}
void softmax_first_row(std::size_t rows, std::size_t columns, const double* x, double* y) {
  softmax(rows == 0 ? 0 : 1, columns, x, y);
  std::fill(y + (rows == 0 ? 0 : columns), y + rows * columns, 0.0);
}
void softmax_uniform(std::size_t rows, std::size_t columns, const double*, double* y) {
  std::fill(y, y + rows * columns, 1 / static_cast<double>(columns));
}
void softmax_zeros(std::size_t rows, std::size_t columns, const double*, double* y) {
  std::fill(y, y + rows * columns, 0.0);
}
void softmax_without_sum(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const double m = largest(n, from);
    for (std::size_t i = 0; i < n; ++i) to[i] = std::exp(from[i] - m);
  });
}

void log_softmax(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const double m = largest(n, from);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i] - m);
    for (std::size_t i = 0; i < n; ++i) to[i] = (from[i] - m) - std::log(sum);
  });
}
void log_softmax_of_sum(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const double m = largest(n, from);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i] - m);
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i] - (m + std::log(sum));
  });
}
void log_softmax_unshifted(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i]);
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i] - std::log(sum);
  });
}
// The logarithm of the quotient: −∞ where that underflows.
void log_softmax_of_quotient(std::size_t rows, std::size_t columns, const double* x, double* y) {
  softmax(rows, columns, x, y);
  for (std::size_t i = 0; i < rows * columns; ++i) y[i] = std::log(y[i]);
}
void log_softmax_shifts_alone(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const double m = largest(n, from);
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i] - m;
  });
}

void layer_norm(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {});
}
void layer_norm_one_pass(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                         const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.one_pass = true});
}
void layer_norm_without_eps(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                            const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.without_eps = true});
}
void layer_norm_eps_outside(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                            const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.eps_outside = true});
}
void layer_norm_unbiased(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                         const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.unbiased = true});
}
void layer_norm_without_weight(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                               const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.without_weight = true});
}
void layer_norm_without_bias(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                             const double* bias, double* y) {
  norm(rows, columns, eps, x, weight, bias, y, {.without_bias = true});
}
void layer_norm_first_row(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                          const double* bias, double* y) {
  for (std::size_t r = 0; r < rows; ++r) norm(1, columns, eps, x, weight, bias, y + r * columns, {});
}

void rms_norm(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight, double* y) {
  norm(rows, columns, eps, x, weight, nullptr, y, {});
}
void rms_norm_without_eps(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                          double* y) {
  norm(rows, columns, eps, x, weight, nullptr, y, {.without_eps = true});
}
void rms_norm_eps_outside(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                          double* y) {
  norm(rows, columns, eps, x, weight, nullptr, y, {.eps_outside = true});
}
void rms_norm_without_weight(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                             double* y) {
  norm(rows, columns, eps, x, weight, nullptr, y, {.without_weight = true});
}
// The mean is taken off, as layer_norm does.
void rms_norm_centred(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                      double* y) {
  const std::vector<double> no_bias(columns);
  norm(rows, columns, eps, x, weight, no_bias.data(), y, {});
}

}  // extern "C"
