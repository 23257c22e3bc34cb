// The functions of glibc's libmvec for AVX2, which compilers call in loops with -ffast-math, as functions of arrays.

#include "vector_arrays.hpp"

#define ARRAYS_OF(name)                                                                                   \
  __m256d _ZGVdN4v_##name(__m256d);                                                                       \
  __m256 _ZGVdN8v_##name##f(__m256);                                                                      \
  void name##_f64(std::size_t n, const double* x, double* y) { each_register(_ZGVdN4v_##name, n, x, y); } \
  void name##_f32(std::size_t n, const float* x, float* y) { each_register(_ZGVdN8v_##name##f, n, x, y); }

extern "C" {
ARRAYS_OF(exp)
ARRAYS_OF(exp2)
ARRAYS_OF(exp10)
ARRAYS_OF(expm1)
ARRAYS_OF(log)
ARRAYS_OF(log2)
ARRAYS_OF(log10)
ARRAYS_OF(log1p)
ARRAYS_OF(sin)
ARRAYS_OF(cos)
ARRAYS_OF(tan)
ARRAYS_OF(asin)
ARRAYS_OF(acos)
ARRAYS_OF(atan)
ARRAYS_OF(sinh)
ARRAYS_OF(cosh)
ARRAYS_OF(tanh)
ARRAYS_OF(asinh)
ARRAYS_OF(acosh)
ARRAYS_OF(atanh)
ARRAYS_OF(cbrt)
ARRAYS_OF(erf)
ARRAYS_OF(erfc)
}
