// Element-wise functions of a library as users have them, good and bad, for the tests of kernels from outside.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "arith/float/error_free.hpp"
#include "arith/float/small_float.hpp"
#include "arith/words/double_word.hpp"

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

/// s, e = f(a, b), element by element.
template <class T, class F>
void transform(std::size_t n, const T* a, const T* b, T* s, T* e, F f) {
  for (std::size_t i = 0; i < n; ++i) f(a[i], b[i], s[i], e[i]);
}
template <class T>
void two_sum_of(std::size_t n, const T* a, const T* b, T* s, T* e) {
  transform(n, a, b, s, e, [](T x, T y, T& sum, T& error) {
    const auto r = assay::two_sum(x, y);
    sum = r.s;
    error = r.e;
  });
}

/// z = f(x, y), element by element.
template <class T>
struct Words {
  const T* h;
  const T* l;
  assay::DoubleWord<T> operator[](std::size_t i) const { return {h[i], l[i]}; }
};
template <class T, class F>
void words(std::size_t n, Words<T> x, Words<T> y, T* zh, T* zl, F f) {
  for (std::size_t i = 0; i < n; ++i) {
    const assay::DoubleWord<T> z = f(x[i], y[i]);
    zh[i] = z.h;
    zl[i] = z.l;
  }
}
using Double = assay::DoubleWord<double>;
using Single = assay::DoubleWord<float>;

/// z = f(x, y), element by element.
template <class T, class F>
void of_two(std::size_t n, const T* x, const T* y, T* z, F f) {
  for (std::size_t i = 0; i < n; ++i) z[i] = f(x[i], y[i]);
}
template <class T>
T copysign_of_16_bits(T x, T y) {
  constexpr unsigned sign = 0x8000;
  const unsigned bits = std::bit_cast<std::uint16_t>(x) & ~sign;
  return std::bit_cast<T>(static_cast<std::uint16_t>(bits | (std::bit_cast<std::uint16_t>(y) & sign)));
}
/// By an ascending list of all numbers.
template <class T>
T nextafter_of_16_bits(T x, T y) {
  static const std::vector<double> numbers = [] {
    std::vector<double> all;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto number = static_cast<double>(std::bit_cast<T>(static_cast<std::uint16_t>(bits)));
      if (!std::isnan(number)) all.push_back(number);
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }();
  const auto from = static_cast<double>(x);
  const auto to = static_cast<double>(y);
  if (std::isnan(from) || std::isnan(to)) return T(std::nan(""));
  if (from == to) return y;
  const auto next = from < to ? std::ranges::upper_bound(numbers, from) : std::ranges::lower_bound(numbers, from) - 1;
  return *next == 0 ? T(std::copysign(0.0, from)) : T(*next);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

extern "C" {

void exp_f32(std::size_t n, const float* x, float* y) { through_double(n, x, y, std::exp); }
void exp_f16(std::size_t n, const assay::binary16* x, assay::binary16* y) { through_double(n, x, y, std::exp); }
void exp_bf16(std::size_t n, const assay::bfloat16* x, assay::bfloat16* y) { through_double(n, x, y, std::exp); }
void sin_f32(std::size_t n, const float* x, float* y) { through_double(n, x, y, std::sin); }
float cr_sqrtf(float x) { return std::sqrt(x); }
#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 Half;
Half cr_sqrtf16(Half x) { return static_cast<Half>(std::sqrt(static_cast<double>(x))); }
#endif
float expf(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }

void two_sum_f64(std::size_t n, const double* a, const double* b, double* s, double* e) { two_sum_of(n, a, b, s, e); }
void two_sum_f32(std::size_t n, const float* a, const float* b, float* s, float* e) { two_sum_of(n, a, b, s, e); }
void two_sum_f16(std::size_t n, const assay::binary16* a, const assay::binary16* b, assay::binary16* s,
                 assay::binary16* e) {
  two_sum_of(n, a, b, s, e);
}
void two_sum_bf16(std::size_t n, const assay::bfloat16* a, const assay::bfloat16* b, assay::bfloat16* s,
                  assay::bfloat16* e) {
  two_sum_of(n, a, b, s, e);
}
void two_prod_f64(std::size_t n, const double* a, const double* b, double* p, double* e) {
  for (std::size_t i = 0; i < n; ++i) {
    p[i] = a[i] * b[i];
    e[i] = std::fma(a[i], b[i], -p[i]);
  }
}
/// Dekker's product by Veltkamp's split, without FMA.
void two_prod_dekker(std::size_t n, const double* a, const double* b, double* p, double* e) {
  const auto high = [](double x) {
    const double shifted = 0x1.0000002p27 * x;
    return shifted - (shifted - x);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double of_a = high(a[i]);
    const double of_b = high(b[i]);
    const double rest_a = a[i] - of_a;
    const double rest_b = b[i] - of_b;
    p[i] = a[i] * b[i];
    e[i] = rest_a * rest_b - (((p[i] - of_a * of_b) - rest_a * of_b) - of_a * rest_b);
  }
}
void two_prod_bf16(std::size_t n, const assay::bfloat16* a, const assay::bfloat16* b, assay::bfloat16* p,
                   assay::bfloat16* e) {
  for (std::size_t i = 0; i < n; ++i) {
    p[i] = a[i] * b[i];
    e[i] = fma(a[i], b[i], -p[i]);
  }
}
void copysign_f32(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) { return std::copysign(a, b); });
}
void copysign_f16(std::size_t n, const assay::binary16* x, const assay::binary16* y, assay::binary16* z) {
  of_two(n, x, y, z, copysign_of_16_bits<assay::binary16>);
}
void nextafter_f64(std::size_t n, const double* x, const double* y, double* z) {
  of_two(n, x, y, z, [](double a, double b) { return std::nextafter(a, b); });
}
void nextafter_f16(std::size_t n, const assay::binary16* x, const assay::binary16* y, assay::binary16* z) {
  of_two(n, x, y, z, nextafter_of_16_bits<assay::binary16>);
}
void nextafter_bf16(std::size_t n, const assay::bfloat16* x, const assay::bfloat16* y, assay::bfloat16* z) {
  of_two(n, x, y, z, nextafter_of_16_bits<assay::bfloat16>);
}
void accurate_add(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
                  double* zl) {
  words<double>(n, {xh, xl}, {yh, yl}, zh, zl, [](Double x, Double y) { return assay::dw::accurate_add(x, y); });
}
void sloppy_add(std::size_t n, const float* xh, const float* xl, const float* yh, const float* yl, float* zh,
                float* zl) {
  words<float>(n, {xh, xl}, {yh, yl}, zh, zl, [](Single x, Single y) { return assay::dw::sloppy_add(x, y); });
}
void mul1(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
          double* zl) {
  words<double>(n, {xh, xl}, {yh, yl}, zh, zl, [](Double x, Double y) { return assay::dw::mul1(x, y); });
}
void div2(std::size_t n, const float* xh, const float* xl, const float* yh, const float* yl, float* zh, float* zl) {
  words<float>(n, {xh, xl}, {yh, yl}, zh, zl, [](Single x, Single y) { return assay::dw::div2(x, y); });
}
void dw_sqrt(std::size_t n, const double* xh, const double* xl, double* zh, double* zl) {
  words<double>(n, {xh, xl}, {xh, xl}, zh, zl, [](Double x, Double) { return assay::dw::sqrt(x); });
}

// Wrong kernels that pass a typical tolerance.
void copysign_by_comparison(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) { return b < 0 ? -std::fabs(a) : std::fabs(a); });
}
void copysign_without_nan(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) { return std::isnan(b) ? std::fabs(a) : std::copysign(a, b); });
}
void nextafter_through_double(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) { return static_cast<float>(std::nextafter(double{a}, double{b})); });
}
void nextafter_without_negative_zero(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) { return std::nextafter(a, b) + 0.0F; });
}
void nextafter_of_normal_numbers(std::size_t n, const float* x, const float* y, float* z) {
  of_two(n, x, y, z, [](float a, float b) {
    const float next = std::nextafter(a, b);
    const float least = std::copysign(std::numeric_limits<float>::min(), b);
    return std::fabs(next) < std::numeric_limits<float>::min() && next != 0 ? (a == 0 ? least : 0.0F) : next;
  });
}
void two_sum_fast(std::size_t n, const double* a, const double* b, double* s, double* e) {
  transform(n, a, b, s, e, [](double x, double y, double& sum, double& error) {
    sum = x + y;
    error = y - (sum - x);
  });
}
void two_sum_without_error(std::size_t n, const double* a, const double* b, double* s, double* e) {
  transform(n, a, b, s, e, [](double x, double y, double& sum, double& error) {
    sum = x + y;
    error = 0;
  });
}
void two_sum_copies(std::size_t n, const double* a, const double* b, double* s, double* e) {
  transform(n, a, b, s, e, [](double x, double y, double& sum, double& error) {
    sum = x;
    error = y;
  });
}
void add_high_words(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl, double* zh,
                    double* zl) {
  words<double>(n, {xh, xl}, {yh, yl}, zh, zl, [](Double x, Double y) { return Double{x.h + y.h, 0}; });
}
void add_not_normalised(std::size_t n, const double* xh, const double* xl, const double* yh, const double* yl,
                        double* zh, double* zl) {
  words<double>(n, {xh, xl}, {yh, yl}, zh, zl, [](Double x, Double y) {
    const Double z = assay::dw::accurate_add(x, y);
    return z.l == 0 || std::fabs(z.l) > std::fabs(z.h) * 0x1p-60 ? z : Double{z.l, z.h};
  });
}
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
void exp_in_whole_tiles(std::size_t n, const float* x, float* y) { exp_f32(n / 8 * 8, x, y); }
void exp_without_last(std::size_t n, const float* x, float* y) { exp_f32(n == 0 ? 0 : n - 1, x, y); }
void sin_one_sided(std::size_t n, const float* x, float* y) {
  sin_f32(n, x, y);
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] > 1 && x[i] < 2) y[i] = std::nextafter(y[i], 0.0F);
  }
}

}  // extern "C"
