// Products of matrices as a library may have them, right and wrong.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

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

/// The products of the batch behind the first are not computed.
void product_of_first(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                      float* d) {
  for_each_entry({batch, m, n, k}, a, b, d, [k](const float* x, const float* y, std::size_t p) {
    return p == 0 ? recursive<float>(x, y, k) : 0.0F;
  });
}

/// Terms with a factor 0 are left out, whatever the other factor is.
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
/// β is taken for 1.
void epilogue_without_beta(EPILOGUE) { epilogue_f32(batch, m, n, k, alpha, a, b, beta != 0 ? 1.0F : 0.0F, c, d); }
}
