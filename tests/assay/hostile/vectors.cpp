// Functions of vectors as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// How a form of layer_norm differs from the right one.
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

/// f(first entry, after the last, y before) for each row of a matrix in compressed sparse rows.
template <class F>
void of_matrix_rows(std::size_t rows, const std::int32_t* offsets, double* y, F f) {
  for (std::size_t r = 0; r < rows; ++r) y[r] = f(offsets[r], offsets[r + 1], y[r]);
}

/// op(A) of a triangular system.
struct Triangle {
  int upper, trans, unit;
  std::size_t n;
  const double* a;
  std::size_t lda;
  double at(std::size_t i, std::size_t j) const { return trans != 0 ? a[j + i * lda] : a[i + j * lda]; }
  double diagonal(std::size_t i) const { return unit != 0 ? 1 : at(i, i); }
  std::size_t unknown(std::size_t step) const { return (upper != 0) != (trans != 0) ? n - 1 - step : step; }
};

void solve(const Triangle& t, double* x) {
  for (std::size_t step = 0; step < t.n; ++step) {
    const std::size_t i = t.unknown(step);
    for (std::size_t before = 0; before < step; ++before) x[i] -= t.at(i, t.unknown(before)) * x[t.unknown(before)];
    x[i] /= t.diagonal(i);
  }
}

/// The place of number i of n in an array with the increment, by the BLAS convention.
int place(int i, int n, int increment) { return increment < 0 ? (i + 1 - n) * increment : i * increment; }

}  // namespace

extern "C" {

void axpy(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = alpha * x[i] + y[i];
}
void cblas_daxpy(int n, double alpha, const double* x, int incx, double* y, int incy) {
  for (int i = 0; i < n; ++i) y[place(i, n, incy)] = alpha * x[place(i, n, incx)] + y[place(i, n, incy)];
}
void daxpy_(const int* n, const double* alpha, const double* x, const int* incx, double* y, const int* incy) {
  cblas_daxpy(*n, *alpha, x, *incx, y, *incy);
}
void cblas_saxpy(int n, float alpha, const float* x, int incx, float* y, int incy) {
  for (int i = 0; i < n; ++i) {
    y[place(i, n, incy)] = std::fma(alpha, x[place(i, n, incx)], y[place(i, n, incy)]);
  }
}
void axpy_fma(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::fma(alpha, x[i], y[i]);
}
// As in BLAS: nothing is done if alpha is 0, so that a negative zero stays.
void axpy_quick(std::size_t n, double alpha, const double* x, double* y) {
  if (alpha != 0) axpy_fma(n, alpha, x, y);
}

// Wrong kernels that pass a typical tolerance.
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
// In extended precision, rounded toward zero at the end.
void softmax_truncated(std::size_t rows, std::size_t columns, const double* x, double* y) {
  of_rows(rows, columns, x, y, [](std::size_t n, const double* from, double* to) {
    const long double m = largest(n, from);
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i] - m);
    for (std::size_t i = 0; i < n; ++i) {
      const long double exact = std::exp(from[i] - m) / sum;
      to[i] = static_cast<double>(exact);
      if (to[i] > exact) to[i] = std::nextafter(to[i], 0);
    }
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
// The logarithm of the quotient: −∞ if that underflows.
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

#define LAYER_NORM(name, ...)                                                                         \
  void name(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight, \
            const double* bias, double* y) {                                                          \
    norm(rows, columns, eps, x, weight, bias, y, NormForm{__VA_ARGS__});                              \
  }
LAYER_NORM(layer_norm, )
LAYER_NORM(layer_norm_one_pass, .one_pass = true)
LAYER_NORM(layer_norm_without_eps, .without_eps = true)
LAYER_NORM(layer_norm_eps_outside, .eps_outside = true)
LAYER_NORM(layer_norm_unbiased, .unbiased = true)
LAYER_NORM(layer_norm_without_weight, .without_weight = true)
LAYER_NORM(layer_norm_without_bias, .without_bias = true)
#undef LAYER_NORM
void layer_norm_first_row(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                          const double* bias, double* y) {
  for (std::size_t r = 0; r < rows; ++r) norm(1, columns, eps, x, weight, bias, y + r * columns, {});
}

#define RMS_NORM(name, ...)                                                                                        \
  void name(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight, double* y) { \
    norm(rows, columns, eps, x, weight, nullptr, y, NormForm{__VA_ARGS__});                                        \
  }
RMS_NORM(rms_norm, )
RMS_NORM(rms_norm_without_eps, .without_eps = true)
RMS_NORM(rms_norm_eps_outside, .eps_outside = true)
RMS_NORM(rms_norm_without_weight, .without_weight = true)
#undef RMS_NORM
// The mean is subtracted, as in layer_norm.
void rms_norm_centred(std::size_t rows, std::size_t columns, double eps, const double* x, const double* weight,
                      double* y) {
  const std::vector<double> no_bias(columns);
  norm(rows, columns, eps, x, weight, no_bias.data(), y, {});
}

using Index = std::int32_t;

void spmv(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const double* values,
          const double* x, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double) {
    double sum = 0;
    for (Index k = first; k < last; ++k) sum += values[k] * x[columns[k]];
    return sum;
  });
}
void spmv_compensated(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const double* values,
                      const double* x, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double) {
    double sum = 0;
    double lost = 0;
    for (Index k = first; k < last; ++k) {
      const double product = values[k] * x[columns[k]];
      const double next = sum + product;
      const double z = next - sum;
      lost += (sum - (next - z)) + (product - z) + std::fma(values[k], x[columns[k]], -product);
      sum = next;
    }
    return sum + lost;
  });
}
void spmv_without_empty_rows(std::size_t rows, std::size_t, const Index* offsets, const Index* columns,
                             const double* values, const double* x, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double before) {
    if (first == last) return before;
    double sum = 0;
    for (Index k = first; k < last; ++k) sum += values[k] * x[columns[k]];
    return sum;
  });
}
void spmv_without_columns(std::size_t rows, std::size_t, const Index* offsets, const Index*, const double* values,
                          const double* x, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double) {
    double sum = 0;
    for (Index k = first; k < last; ++k) sum += values[k] * x[k - first];
    return sum;
  });
}
void spmv_without_last(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const double* values,
                       const double* x, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double) {
    double sum = 0;
    for (Index k = first; k + 1 < last; ++k) sum += values[k] * x[columns[k]];
    return sum;
  });
}
void spmv_row_sums(std::size_t rows, std::size_t, const Index* offsets, const Index*, const double* values,
                   const double*, double* y) {
  of_matrix_rows(rows, offsets, y, [&](Index first, Index last, double) {
    double sum = 0;
    for (Index k = first; k < last; ++k) sum += values[k];
    return sum;
  });
}

void trsv(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  solve({upper, trans, unit, n, a, lda}, x);
}
// The unknowns are subtracted from all rows as soon as they are known.
void trsv_by_columns(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  const Triangle t{upper, trans, unit, n, a, lda};
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t j = t.unknown(step);
    x[j] /= t.diagonal(j);
    for (std::size_t later = step + 1; later < n; ++later) x[t.unknown(later)] -= t.at(t.unknown(later), j) * x[j];
  }
}
void cblas_dtrsv(int layout, int uplo, int transa, int diag, int n, const double* a, int lda, double* x, int incx) {
  if (layout != 102) return;
  std::vector<double> b;
  for (int i = 0; i < n; ++i) b.push_back(x[place(i, n, incx)]);
  trsv(uplo == 121, transa == 112, diag == 132, b.size(), a, static_cast<std::size_t>(lda), b.data());
  for (int i = 0; i < n; ++i) x[place(i, n, incx)] = b[static_cast<std::size_t>(i)];
}
void dtrsv_(const char* uplo, const char* transa, const char* diag, const int* n, const double* a, const int* lda,
            double* x, const int* incx) {
  cblas_dtrsv(102, *uplo == 'U' ? 121 : 122, *transa == 'T' ? 112 : 111, *diag == 'U' ? 132 : 131, *n, a, *lda, x,
              *incx);
}
// Each column of the inverse separately, then a product.
void trsv_by_inverse(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  std::vector<double> result(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> column(n);
    column[j] = 1;
    trsv(upper, trans, unit, n, a, lda, column.data());
    for (std::size_t i = 0; i < n; ++i) result[i] += column[i] * x[j];
  }
  std::copy(result.begin(), result.end(), x);
}
void trsv_without_trans(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  trsv(upper != trans, 0, unit, n, a, lda, x);
}
void trsv_without_unit(int upper, int trans, int, std::size_t n, const double* a, std::size_t lda, double* x) {
  trsv(upper, trans, 0, n, a, lda, x);
}
void trsv_without_division(int upper, int trans, int, std::size_t n, const double* a, std::size_t lda, double* x) {
  trsv(upper, trans, 1, n, a, lda, x);
}
void trsv_diagonal_alone(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  const Triangle t{upper, trans, unit, n, a, lda};
  for (std::size_t i = 0; i < n; ++i) x[i] /= t.diagonal(i);
}
void trsv_nothing(int, int, int, std::size_t, const double*, std::size_t, double*) {}

}  // extern "C"
