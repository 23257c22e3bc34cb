// Products of matrices as a library may have them, right and wrong.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "arith/float/small_float.hpp"

namespace {

struct Shape {
  std::size_t batch, m, n, k;
};

/// d[p, i, j] = entry(row of a, column of b, p) for every entry.
template <class T, class R, class Entry>
void for_each_entry(const Shape& s, const T* a, const T* b, R* d, const Entry& entry) {
  std::vector<T> column(s.k);
  for (std::size_t p = 0; p < s.batch; ++p) {
    for (std::size_t j = 0; j < s.n; ++j) {
      for (std::size_t l = 0; l < s.k; ++l) column[l] = b[(p * s.k + l) * s.n + j];
      for (std::size_t i = 0; i < s.m; ++i) {
        d[(p * s.m + i) * s.n + j] = entry(a + (p * s.m + i) * s.k, column.data(), p);
      }
    }
  }
}

template <class Sum, class T>
Sum recursive(const T* x, const T* y, std::size_t k) {
  Sum sum = 0;
  for (std::size_t l = 0; l < k; ++l) sum += static_cast<Sum>(x[l]) * static_cast<Sum>(y[l]);
  return sum;
}

/// x, or 0 where it is below the normal numbers.
float flushed(float x) { return std::abs(x) < std::numeric_limits<float>::min() ? 0 : x; }

/// Left to right; subnormal numbers are treated as 0 and become 0.
float recursive_flushed(const float* x, const float* y, std::size_t k) {
  float sum = 0;
  for (std::size_t l = 0; l < k; ++l) sum = flushed(sum + flushed(flushed(x[l]) * flushed(y[l])));
  return sum;
}

/// The last half of the terms from its end on.
float in_halves(const float* x, const float* y, std::size_t k) {
  float back = 0;
  for (std::size_t l = k; l > k / 2; --l) back += x[l - 1] * y[l - 1];
  return recursive<float>(x, y, k / 2) + back;
}

/// d[p, i, j] in binary32 from left to right, but in halves if `is_apart(p, i, j)`.
template <class IsApart>
void product_apart(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                   float* d, const IsApart& is_apart) {
  for (std::size_t p = 0; p < batch; ++p) {
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<float> column(k);
      for (std::size_t l = 0; l < k; ++l) column[l] = b[(p * k + l) * n + j];
      for (std::size_t i = 0; i < m; ++i) {
        const float* const row = a + (p * m + i) * k;
        d[(p * m + i) * n + j] =
            is_apart(p, i, j) ? in_halves(row, column.data(), k) : recursive<float>(row, column.data(), k);
      }
    }
  }
}

/// C = α·op(A)·op(B) + β·C, column-major.
template <class Sum>
void gemm(bool transa, bool transb, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
          float beta, float* c, int ldc) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      Sum sum = 0;
      for (int l = 0; alpha != 0 && l < k; ++l) {
        sum += static_cast<Sum>(a[transa ? l + i * lda : i + l * lda]) *
               static_cast<Sum>(b[transb ? j + l * ldb : l + j * ldb]);
      }
      const Sum start = beta != 0 ? static_cast<Sum>(beta) * static_cast<Sum>(c[i + j * ldc]) : 0;
      c[i + j * ldc] = static_cast<float>(alpha != 0 && k > 0 ? static_cast<Sum>(alpha) * sum + start : start);
    }
  }
}

}  // namespace

extern "C" {

void product_f32(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                 float* d) {
  for_each_entry({batch, m, n, k}, a, b, d,
                 [k](const float* x, const float* y, std::size_t) { return recursive<float>(x, y, k); });
}

void product_in_f64(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                    float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t) {
    return static_cast<float>(recursive<double>(x, y, k));
  });
}

/// Factors are cut to the 19 leading bits, as a unit for tf32 does.
void product_cut(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                 float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t) {
    float sum = 0;
    for (std::size_t l = 0; l < k; ++l) {
      float factors[2] = {x[l], y[l]};
      std::uint32_t bits[2];
      std::memcpy(bits, factors, sizeof bits);
      for (std::uint32_t& each : bits) each &= 0xffffe000U;
      std::memcpy(factors, bits, sizeof bits);
      sum += factors[0] * factors[1];
    }
    return sum;
  });
}

/// The products of the batch after the first are not computed.
void product_of_first(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                      float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t p) {
    return p == 0 ? recursive<float>(x, y, k) : 0.0F;
  });
}

/// Terms with a factor 0 are skipped, whatever the other factor is.
void product_without_zeros(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a,
                           const float* b, float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t) {
    float sum = 0;
    for (std::size_t l = 0; l < k; ++l) {
      if (x[l] != 0 && y[l] != 0) sum += x[l] * y[l];
    }
    return sum;
  });
}

void product_s8(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const std::int8_t* a,
                const std::int8_t* b, std::int32_t* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const std::int8_t* x, const std::int8_t* y, std::size_t) {
    return recursive<std::int32_t>(x, y, k);
  });
}

/// For numbers of any format: nothing is written.
void product_none(std::size_t, std::size_t, std::size_t, std::size_t, const void*, const void*, void*) {}

/// Sums are kept in binary32, which has 24 bits.
void product_s8_in_f32(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const std::int8_t* a,
                       const std::int8_t* b, std::int32_t* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const std::int8_t* x, const std::int8_t* y, std::size_t) {
    return static_cast<std::int32_t>(recursive<float>(x, y, k));
  });
}

// BLAS in binary32.

void cblas_sgemm(int, int transa, int transb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
  gemm<float>(transa == 112, transb == 112, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc) {
  gemm<float>(*transa == 'T', *transb == 'T', *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
/// Sums in binary64.
void double_sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const float* alpha,
                   const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
                   const int* ldc) {
  gemm<double>(*transa == 'T', *transb == 'T', *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
void cblas_sgemv(int, int trans, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                 float beta, float* y, int) {
  const bool turned = trans == 112;
  gemm<float>(turned, incx != 1, turned ? n : m, 1, turned ? m : n, alpha, a, lda, x, incx, beta, y, 1);
}
void sgemv_(const char* trans, const int* m, const int* n, const float* alpha, const float* a, const int* lda,
            const float* x, const int* incx, const float* beta, float* y, const int*) {
  cblas_sgemv(102, *trans == 'T' ? 112 : 111, *m, *n, *alpha, a, *lda, x, *incx, *beta, y, 1);
}

// αAB + βC in binary32.

#define EPILOGUE                                                                                               \
  std::size_t batch, std::size_t m, std::size_t n, std::size_t k, float alpha, const float *a, const float *b, \
      float beta, const float *c, float *d

void epilogue_f32(EPILOGUE) {
  if (alpha != 0) product_f32(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) {
    const float product = alpha != 0 ? alpha * d[i] : 0;
    d[i] = beta != 0 ? product + beta * c[i] : product;
  }
}
/// 0·A·B and 0·C are computed.
void epilogue_that_reads_all(EPILOGUE) {
  product_f32(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) d[i] = alpha * d[i] + beta * c[i];
}
/// β is treated as 1.
void epilogue_without_beta(EPILOGUE) { epilogue_f32(batch, m, n, k, alpha, a, b, beta != 0 ? 1.0F : 0.0F, c, d); }

// Kernels that are right, but outside the narrow theorems, and wrong ones that a bound alone does not detect.

/// Subnormal numbers are treated as 0 and become 0.
void product_flushed(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                     float* d) {
  for_each_entry({batch, m, n, k}, a, b, d,
                 [k](const float* x, const float* y, std::size_t) { return recursive_flushed(x, y, k); });
}
/// Sums in the 64 bits of a long double.
void product_wide(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
                  double* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const double* x, const double* y, std::size_t) {
    return static_cast<double>(recursive<long double>(x, y, k));
  });
}
/// Row 0 as alone, all others in another order.
void product_of_rows(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                     float* d) {
  product_apart(batch, m, n, k, a, b, d, [](std::size_t, std::size_t i, std::size_t) { return i > 0; });
}
/// Rows after the last full tile of 8 in another order.
void product_of_tail(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                     float* d) {
  product_apart(batch, m, n, k, a, b, d,
                [m](std::size_t, std::size_t i, std::size_t) { return m > 8 && i >= m / 8 * 8; });
}
/// Columns after the first in another order.
void product_of_columns(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                        float* d) {
  product_apart(batch, m, n, k, a, b, d, [](std::size_t, std::size_t, std::size_t j) { return j > 0; });
}
/// Products after the first in another order.
void product_of_later(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                      float* d) {
  product_apart(batch, m, n, k, a, b, d, [](std::size_t p, std::size_t, std::size_t) { return p > 0; });
}
/// Products from the fifth on are 0.
void product_of_four(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                     float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t p) {
    return p < 4 ? recursive<float>(x, y, k) : 0.0F;
  });
}
/// Rows from the 129th on are 0.
void product_of_128_rows(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                         float* d) {
  product_f32(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) d[i] = i / n % m < 128 ? d[i] : 0;
}
/// bfloat16, rounded once from binary32, but 0 for more than 180 terms.
void product_of_180_terms(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const assay::bfloat16* a,
                          const assay::bfloat16* b, assay::bfloat16* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const assay::bfloat16* x, const assay::bfloat16* y, std::size_t) {
    float sum = 0;
    for (std::size_t l = 0; l < k; ++l) sum += static_cast<float>(x[l]) * static_cast<float>(y[l]);
    return static_cast<assay::bfloat16>(k > 180 ? 0.0F : sum);
  });
}
/// binary16, rounded once from binary32.
void product_f16(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const assay::binary16* a,
                 const assay::binary16* b, assay::binary16* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const assay::binary16* x, const assay::binary16* y, std::size_t) {
    float sum = 0;
    for (std::size_t l = 0; l < k; ++l) sum += static_cast<float>(x[l]) * static_cast<float>(y[l]);
    return static_cast<assay::binary16>(sum);
  });
}
/// The same, but a partial sum beyond the range of binary16 becomes an infinity.
void product_f16_that_overflows(std::size_t batch, std::size_t m, std::size_t n, std::size_t k,
                                const assay::binary16* a, const assay::binary16* b, assay::binary16* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const assay::binary16* x, const assay::binary16* y, std::size_t) {
    float sum = 0;
    for (std::size_t l = 0; l < k; ++l) {
      sum += static_cast<float>(x[l]) * static_cast<float>(y[l]);
      if (std::abs(sum) >= 65520) sum = std::copysign(std::numeric_limits<float>::infinity(), sum);
    }
    return static_cast<assay::binary16>(sum);
  });
}

/// The sum begins with βC.
void epilogue_from_c(EPILOGUE) {
  for (std::size_t p = 0; p < batch; ++p) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = beta != 0 ? beta * c[(p * m + i) * n + j] : 0;
        for (std::size_t l = 0; alpha != 0 && l < k; ++l)
          sum += alpha * (a[(p * m + i) * k + l] * b[(p * k + l) * n + j]);
        d[(p * m + i) * n + j] = sum;
      }
    }
  }
}
/// Subnormal numbers are treated as 0 and become 0.
void epilogue_flushed(EPILOGUE) {
  if (alpha != 0) product_flushed(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) {
    const float product = alpha != 0 ? flushed(alpha * d[i]) : 0;
    d[i] = beta != 0 ? flushed(product + flushed(beta * flushed(c[i]))) : product;
  }
}

/// y ← αAx + βy in the 64 bits of a long double.
void dgemv_wide_(const char* trans, const int* m, const int* n, const double* alpha, const double* a, const int* lda,
                 const double* x, const int* incx, const double* beta, double* y, const int*) {
  const bool turned = *trans == 'T';
  for (int i = 0; i < (turned ? *n : *m); ++i) {
    long double sum = 0;
    for (int l = 0; *alpha != 0 && l < (turned ? *m : *n); ++l) {
      sum += static_cast<long double>(a[turned ? l + i * *lda : i + l * *lda]) * x[l * *incx];
    }
    const long double start = *beta != 0 ? static_cast<long double>(*beta) * y[i] : 0;
    y[i] = static_cast<double>(*alpha != 0 ? *alpha * sum + start : start);
  }
}
/// Supports no transpose and no stride.
void sgemv_plain_(const char*, const int* m, const int* n, const float* alpha, const float* a, const int* lda,
                  const float* x, const int*, const float* beta, float* y, const int*) {
  gemm<float>(false, false, *m, 1, *n, *alpha, a, *lda, x, *n, *beta, y, *m);
}
/// With more than 40 terms the last one is skipped.
void sgemv_without_last_(const char* trans, const int* m, const int* n, const float* alpha, const float* a,
                         const int* lda, const float* x, const int* incx, const float* beta, float* y,
                         const int* incy) {
  const bool turned = *trans == 'T';
  const int terms = turned ? *m : *n;
  const int fewer = terms > 40 ? terms - 1 : terms;
  cblas_sgemv(102, turned ? 112 : 111, turned ? fewer : *m, turned ? *n : fewer, *alpha, a, *lda, x, *incx, *beta, y,
              *incy);
}
/// y ← αAx + βy of compressed rows, from the left.
void csrmv(std::size_t rows, std::size_t, double alpha, const std::int32_t* offsets, const std::int32_t* columns,
           const double* values, const double* x, double beta, double* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int32_t at = offsets[i]; alpha != 0 && at < offsets[i + 1]; ++at) sum += values[at] * x[columns[at]];
    y[i] = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * y[i] : 0);
  }
}
/// Multiplies y by β = 0.
void csrmv_that_keeps_nan(std::size_t rows, std::size_t columns, double alpha, const std::int32_t* offsets,
                          const std::int32_t* indices, const double* values, const double* x, double beta, double* y) {
  const std::vector<double> before(y, y + rows);
  csrmv(rows, columns, alpha, offsets, indices, values, x, 0, y);
  for (std::size_t i = 0; i < rows; ++i) y[i] += beta * before[i];
}
/// Leaves y if a row has no entries.
void csrmv_without_empty_rows(std::size_t rows, std::size_t columns, double alpha, const std::int32_t* offsets,
                              const std::int32_t* indices, const double* values, const double* x, double beta,
                              double* y) {
  const std::vector<double> before(y, y + rows);
  csrmv(rows, columns, alpha, offsets, indices, values, x, beta, y);
  for (std::size_t i = 0; i < rows; ++i) y[i] = offsets[i] == offsets[i + 1] ? before[i] : y[i];
}
}
