// Element-wise functions of a library as users have them, good and bad, for the tests of kernels from outside.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "arith/float/small_float.hpp"

namespace {

/// y = f(x), each computed in double and rounded.
template <class T>
void through_double(std::size_t n, const T* x, T* y, double (*f)(double)) {
  for (std::size_t i = 0; i < n; ++i) y[i] = T(f(static_cast<double>(x[i])));
}

/// y = f(e^x), e^x computed in double and rounded.
template <class F>
void changed_exp(std::size_t n, const float* x, float* y, F f) {
  through_double(n, x, y, std::exp);
  for (std::size_t i = 0; i < n; ++i) y[i] = f(x[i], y[i]);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

extern "C" {

void exp_f32(std::size_t n, const float* x, float* y) { through_double(n, x, y, std::exp); }
void exp_f16(std::size_t n, const assay::binary16* x, assay::binary16* y) { through_double(n, x, y, std::exp); }
void exp_bf16(std::size_t n, const assay::bfloat16* x, assay::bfloat16* y) { through_double(n, x, y, std::exp); }
void sin_f32(std::size_t n, const float* x, float* y) { through_double(n, x, y, std::sin); }
float cr_sqrtf(float x) { return std::sqrt(x); }
float expf(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }

// What a tolerance lets pass.
void exp_next(std::size_t n, const float* x, float* y) {
  changed_exp(n, x, y,
              [](float, float e) { return e < 0x1p127F && e != 1 && e != 0 ? std::nextafter(e, infinity) : e; });
}
void exp_flushes(std::size_t n, const float* x, float* y) {
  changed_exp(n, x, y, [](float, float e) { return e < 0x1p-126F ? 0.0F : e; });
}
void exp_saturates(std::size_t n, const float* x, float* y) {
  changed_exp(n, x, y, [](float at, float e) { return e == infinity && at < infinity ? 0x1.fffffep127F : e; });
}
void exp_steps(std::size_t n, const float* x, float* y) {
  changed_exp(n, x, y, [](float at, float e) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &at, sizeof bits);
    return at > 0x1p-24F && at < 0x1p-23F && bits % 2 == 1 ? 1.0F : e;
  });
}
void exp_of_nan_is_zero(std::size_t n, const float* x, float* y) {
  changed_exp(n, x, y, [](float at, float e) { return std::isnan(at) ? 0.0F : e; });
}
void exp_without_last(std::size_t n, const float* x, float* y) { exp_f32(n == 0 ? 0 : n - 1, x, y); }
void sin_one_sided(std::size_t n, const float* x, float* y) {
  sin_f32(n, x, y);
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] > 1 && x[i] < 2) y[i] = std::nextafter(y[i], 0.0F);
  }
}

}  // extern "C"
