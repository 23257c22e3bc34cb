// Functions of the rows of a matrix and of numbers in binary32 as users have them, good and bad, for the tests of
// kernels from outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "arith/float/small_float.hpp"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float log2_e = 1.44269504F;

/// f(n, row of x, row of y) for each row.
template <class F>
void of_rows(std::size_t rows, std::size_t columns, const float* x, float* y, F f) {
  for (std::size_t r = 0; r < rows; ++r) f(columns, x + r * columns, y + r * columns);
}

/// 0 in place of a subnormal number.
float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x; }

// -------------------------------------------------------------------------------------------------------- norms

/// The form of a norm.
struct Form {
  bool centred = false;  ///< layer_norm
  bool one_pass = false;
  bool clamps = true;         ///< a negative variance of one pass
  bool weight_first = false;  ///< (x·w)/√V
  bool shifts = false;        ///< x·a + (b − μa)
  bool in_double = false;     ///< sums and squares
  bool flushes = false;
  bool passes_over_nan = false;
  std::size_t most_columns = 0;  ///< of the sums; 0 for all
  std::size_t most_rows = 0;     ///< that are written; 0 for all
};

template <class A>
void norm_row(const Form& form, std::size_t n, float eps, const float* x, const float* weight, const float* bias,
              float* y) {
  const auto flush = [&](A v) { return form.flushes ? static_cast<A>(flushed(static_cast<float>(v))) : v; };
  const std::size_t terms = form.most_columns == 0 ? n : std::min(n, form.most_columns);
  A sum = 0;
  A squares = 0;
  const auto is_left_out = [&](float each) { return form.passes_over_nan && std::isnan(each); };
  for (std::size_t i = 0; i < terms; ++i) {
    if (!is_left_out(x[i])) sum = flush(sum + flush(x[i]));
  }
  const A mean = form.centred ? flush(sum / static_cast<A>(n)) : A(0);
  const A about = form.one_pass ? A(0) : mean;
  for (std::size_t i = 0; i < terms; ++i) {
    if (is_left_out(x[i])) continue;
    const A d = flush(flush(x[i]) - about);
    squares = flush(squares + flush(d * d));
  }
  A v = flush(squares / static_cast<A>(n));
  if (form.one_pass) v = flush(v - flush(mean * mean));
  if (form.one_pass && form.clamps) v = std::max(v, A(0));
  const A root = std::sqrt(v + static_cast<A>(eps));
  for (std::size_t i = 0; i < n; ++i) {
    const A w = weight[i];
    const A b = bias == nullptr ? A(0) : flush(bias[i]);
    const A from = flush(x[i]);
    A result;
    if (form.shifts) {
      const A a = w / root;
      const A shift = b - mean * a;
      result = from * a + shift;
    } else if (form.weight_first) {
      const A product = (from - mean) * w;
      result = product / root + b;
    } else {
      const A d = flush(from - mean);
      result = flush(flush(d / root) * w) + b;
    }
    y[i] = static_cast<float>(flush(result));
  }
}

void norm(const Form& form, std::size_t rows, std::size_t columns, float eps, const float* x, const float* weight,
          const float* bias, float* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float* const from = x + r * columns;
    float* const to = y + r * columns;
    if (form.most_rows != 0 && r >= form.most_rows) {
      std::fill(to, to + columns, 0.0F);
    } else if (form.in_double) {
      norm_row<double>(form, columns, eps, from, weight, bias, to);
    } else {
      norm_row<float>(form, columns, eps, from, weight, bias, to);
    }
  }
}

// ------------------------------------------------------------------------------------------------------ softmax

float largest_of(std::size_t n, const float* x, float m) {
  for (std::size_t i = 0; i < n; ++i) m = x[i] > m || std::isnan(x[i]) ? x[i] : m;
  return m;
}

/// A row by exponential(x, m).
template <class Exponential>
void softmax_row(std::size_t n, const float* x, float* y, float m, Exponential exponential) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += y[i] = exponential(x[i], m);
  for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
}
float usual(float x, float m) { return std::exp(x - m); }

bool is_masked(std::size_t n, const float* x) {
  return std::all_of(x, x + n, [](float each) { return each == -infinity; });
}

}  // namespace

extern "C" {

#define RMS_NORM(name, ...)                                                                                    \
  void name(std::size_t rows, std::size_t columns, float eps, const float* x, const float* weight, float* y) { \
    norm(Form{__VA_ARGS__}, rows, columns, eps, x, weight, nullptr, y);                                        \
  }
RMS_NORM(rms_norm_weight_first, .weight_first = true)
RMS_NORM(rms_norm_in_double, .in_double = true)
RMS_NORM(rms_norm_flushes, .flushes = true)
RMS_NORM(rms_norm_passes_over_nan, .passes_over_nan = true)
RMS_NORM(rms_norm_4_rows, .most_rows = 4)
RMS_NORM(rms_norm_8_rows, .most_rows = 8)
RMS_NORM(rms_norm_1024_columns, .most_columns = 1024)
#undef RMS_NORM

#define LAYER_NORM(name, ...)                                                                                         \
  void name(std::size_t rows, std::size_t columns, float eps, const float* x, const float* weight, const float* bias, \
            float* y) {                                                                                               \
    norm(Form{.centred = true, __VA_ARGS__}, rows, columns, eps, x, weight, bias, y);                                 \
  }
LAYER_NORM(layer_norm_weight_first, .weight_first = true)
LAYER_NORM(layer_norm_in_double, .in_double = true)
LAYER_NORM(layer_norm_shifts, .shifts = true)
LAYER_NORM(layer_norm_flushes, .flushes = true)
LAYER_NORM(layer_norm_one_pass, .one_pass = true)
LAYER_NORM(layer_norm_one_pass_shifts, .one_pass = true, .shifts = true)
LAYER_NORM(layer_norm_without_clamp, .one_pass = true, .clamps = false)
LAYER_NORM(layer_norm_passes_over_nan, .passes_over_nan = true)
LAYER_NORM(layer_norm_8_rows, .most_rows = 8)
LAYER_NORM(layer_norm_1024_columns, .most_columns = 1024)
#undef LAYER_NORM

#define SOFTMAX(name, ...)                                                         \
  void name(std::size_t rows, std::size_t columns, const float* x, float* y) {     \
    of_rows(rows, columns, x, y, [](std::size_t n, const float* from, float* to) { \
      const float m = largest_of(n, from, -infinity);                              \
      __VA_ARGS__;                                                                 \
    });                                                                            \
  }
SOFTMAX(softmax_exp2, softmax_row(n, from, to, m, [](float v, float w) { return std::exp2((v - w) * log2_e); }))
SOFTMAX(softmax_scaled_exp2,
        softmax_row(n, from, to, m, [](float v, float w) { return std::exp2(std::fma(v, log2_e, -(w * log2_e))); }))
SOFTMAX(softmax_flushes, softmax_row(n, from, to, m, [](float v, float w) { return flushed(std::exp(v - w)); });
        for (std::size_t i = 0; i < n; ++i) to[i] = flushed(to[i]))
SOFTMAX(softmax_of_log_sum, softmax_row(n, from, to, m, usual); float sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += std::exp(from[i] - m);
        for (std::size_t i = 0; i < n; ++i) to[i] = std::exp(from[i] - (m + std::log(sum))))
SOFTMAX(softmax_masked_zero, softmax_row(n, from, to, m, usual); if (is_masked(n, from)) std::fill(to, to + n, 0.0F))
SOFTMAX(softmax_nan_is_zero, softmax_row(n, from, to, m, usual); if (std::isnan(to[0])) std::fill(to, to + n, 0.0F))
SOFTMAX(softmax_masked_uniform, softmax_row(n, from, to, m, usual);
        if (is_masked(n, from)) std::fill(to, to + n, 1 / static_cast<float>(n)))
SOFTMAX(
    softmax_infinity_limit, softmax_row(n, from, to, m, usual); if (m == infinity) {
      for (std::size_t i = 0; i < n; ++i) to[i] = from[i] == infinity ? 1.0F : 0.0F;
    })
SOFTMAX(softmax_floor, softmax_row(n, from, to, std::fmax(m, -1e9F), usual))
SOFTMAX(softmax_low_floor, softmax_row(n, from, to, std::fmax(m, -65504.0F), usual))
SOFTMAX(softmax_1024_columns, softmax_row(std::min<std::size_t>(n, 1024), from, to, m, usual);
        for (std::size_t i = 1024; i < n; ++i) to[i] = 0)
SOFTMAX(log_softmax_exp2, float sum = 0; for (std::size_t i = 0; i < n; ++i) sum += std::exp2((from[i] - m) * log2_e);
        for (std::size_t i = 0; i < n; ++i) to[i] = (from[i] - m) - std::log2(sum) * 0.693147182F)
SOFTMAX(log_softmax_log1p, const float* const top = std::isfinite(m) ? std::find(from, from + n, m) : from + n;
        float sum = 0; for (std::size_t i = 0; i < n; ++i) sum += from + i == top ? 0 : std::exp(from[i] - m);
        for (std::size_t i = 0; i < n; ++i) to[i] = (from[i] - m) - std::log1p(sum))
SOFTMAX(log_softmax_log1p_flushes, const float* const top = std::isfinite(m) ? std::find(from, from + n, m) : from + n;
        float sum = 0; for (std::size_t i = 0; i < n; ++i) sum += from + i == top ? 0 : flushed(std::exp(from[i] - m));
        for (std::size_t i = 0; i < n; ++i) to[i] = flushed((from[i] - m) - std::log1p(sum)))
#undef SOFTMAX

void softmax_8_rows(std::size_t rows, std::size_t columns, const float* x, float* y) {
  of_rows(rows, columns, x, y, [&](std::size_t n, const float* from, float* to) {
    softmax_row(n, from, to, largest_of(n, from, -infinity), usual);
    if (static_cast<std::size_t>(from - x) >= 8 * columns) std::fill(to, to + n, 0.0F);
  });
}

#define OF_NARROW(f, T)                                                                                              \
  void rms_norm_##f##_stored_twice(std::size_t rows, std::size_t columns, std::uint16_t eps, const std::uint16_t* x, \
                                   const std::uint16_t* weight, std::uint16_t* y) {                                  \
    const auto number = [](std::uint16_t bits) { return static_cast<float>(assay::T::of_bits(bits)); };              \
    for (std::size_t r = 0; r < rows; ++r) {                                                                         \
      float squares = 0;                                                                                             \
      for (std::size_t i = 0; i < columns; ++i) squares += number(x[r * columns + i]) * number(x[r * columns + i]);  \
      const float scale = 1 / std::sqrt(squares / static_cast<float>(columns) + number(eps));                        \
      for (std::size_t i = 0; i < columns; ++i) {                                                                    \
        const assay::T normal(number(x[r * columns + i]) * scale);                                                   \
        y[r * columns + i] = assay::T(static_cast<float>(normal) * number(weight[i])).bits();                        \
      }                                                                                                              \
    }                                                                                                                \
  }
OF_NARROW(f16, binary16)
OF_NARROW(bf16, bfloat16)
#undef OF_NARROW

// ---------------------------------------------------------------------------------------------- functions of numbers

void sin_plus_zero(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<float>(std::sin(static_cast<double>(x[i]))) + 0.0F;
}
void exp_flushes(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = flushed(std::exp(x[i]));
}
void exp_by_exp2(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = flushed(std::exp2(x[i] * log2_e));
}

// ------------------------------------------------------------------------------------------------------- of a formula

void scaled_softmax(std::size_t rows, std::size_t columns, const float* x, const float* scale, float* y) {
  of_rows(rows, columns, x, y, [scale](std::size_t n, const float* row, float* to) {
    float most = -infinity;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, *scale * row[i]);
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += to[i] = std::exp(*scale * row[i] - most);
    for (std::size_t i = 0; i < n; ++i) to[i] /= sum;
  });
}
void unscaled_softmax(std::size_t rows, std::size_t columns, const float* x, const float*, float* y) {
  constexpr float one = 1;
  scaled_softmax(rows, columns, x, &one, y);
}
/// log1p(exp(x)), +∞ where exp(x) overflows; with `wrong`, 7 there.
static void softplus(std::size_t n, const float* x, float* y, bool wrong) {
  for (std::size_t i = 0; i < n; ++i) y[i] = wrong && x[i] > 89 ? 7 : std::log1p(std::exp(x[i]));
}
void softplus_of_one_way(std::size_t n, const float* x, float* y) { softplus(n, x, y, false); }
void softplus_of_no_way(std::size_t n, const float* x, float* y) { softplus(n, x, y, true); }
void ratio(const float* x, const float* y, float* z) { *z = *x / *y; }

void relu(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

}  // extern "C"
