// The functions of SLEEF for registers of 256 bits, as functions of arrays. The end of a name is the bound that SLEEF
// documents: u10 is 1.0 ulp, u35 is 3.5 ulps.

#include "vector_arrays.hpp"

#define ARRAYS_OF(name, bound)                                         \
  __m256d Sleef_##name##d4_##bound(__m256d);                           \
  __m256 Sleef_##name##f8_##bound(__m256);                             \
  void name##_f64_##bound(std::size_t n, const double* x, double* y) { \
    each_register(Sleef_##name##d4_##bound, n, x, y);                  \
  }                                                                    \
  void name##_f32_##bound(std::size_t n, const float* x, float* y) { each_register(Sleef_##name##f8_##bound, n, x, y); }

extern "C" {
ARRAYS_OF(exp, u10)
ARRAYS_OF(exp2, u10)
ARRAYS_OF(exp10, u10)
ARRAYS_OF(expm1, u10)
ARRAYS_OF(log, u10)
ARRAYS_OF(log2, u10)
ARRAYS_OF(log10, u10)
ARRAYS_OF(log1p, u10)
ARRAYS_OF(sin, u10)
ARRAYS_OF(cos, u10)
ARRAYS_OF(tan, u10)
ARRAYS_OF(asin, u10)
ARRAYS_OF(acos, u10)
ARRAYS_OF(atan, u10)
ARRAYS_OF(sinh, u10)
ARRAYS_OF(cosh, u10)
ARRAYS_OF(tanh, u10)
ARRAYS_OF(asinh, u10)
ARRAYS_OF(acosh, u10)
ARRAYS_OF(atanh, u10)
ARRAYS_OF(cbrt, u10)
ARRAYS_OF(erf, u10)
ARRAYS_OF(sqrt, u05)
ARRAYS_OF(erfc, u15)
ARRAYS_OF(exp2, u35)
ARRAYS_OF(exp10, u35)
ARRAYS_OF(log, u35)
ARRAYS_OF(log2, u35)
ARRAYS_OF(sin, u35)
ARRAYS_OF(cos, u35)
ARRAYS_OF(tan, u35)
ARRAYS_OF(asin, u35)
ARRAYS_OF(acos, u35)
ARRAYS_OF(atan, u35)
ARRAYS_OF(sinh, u35)
ARRAYS_OF(cosh, u35)
ARRAYS_OF(tanh, u35)
ARRAYS_OF(cbrt, u35)
}
