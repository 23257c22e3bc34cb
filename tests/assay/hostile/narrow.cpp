// Functions of 16-bit numbers as users have them, good and bad, for the tests of kernels from outside. Numbers come as
// their patterns. T is their format, A that of the arithmetic.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/float/small_float.hpp"

namespace {

using assay::bfloat16;
using assay::binary16;
using Bits = std::uint16_t;

template <class T, class A>
A number(Bits bits) {
  return A(T::of_bits(bits));
}
template <class T, class A>
std::vector<A> numbers(std::size_t n, const Bits* x) {
  std::vector<A> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(number<T, A>(x[i]));
  return all;
}
template <class T, class A>
Bits stored(A x) {
  return T(x).bits();
}

template <class A>
A sum_of(const std::vector<A>& x) {
  A sum{};
  for (const A& each : x) sum = sum + each;
  return sum;
}
template <class A>
A sum_by_pairs(std::vector<A> x) {
  while (x.size() > 1) {
    std::vector<A> next;
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) next.push_back(x[i] + x[i + 1]);
    if (x.size() % 2 != 0) next.push_back(x.back());
    x = next;
  }
  return x.empty() ? A{} : x.front();
}
template <class A>
A dot_of(const std::vector<A>& x, const std::vector<A>& y) {
  A sum{};
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

template <class T, class A>
void cumsum_of(std::size_t n, const Bits* x, Bits* y) {
  A sum{};
  for (std::size_t i = 0; i < n; ++i) y[i] = stored<T>(sum = sum + number<T, A>(x[i]));
}

template <class T, class A>
void axpy_of(std::size_t n, Bits alpha, const Bits* x, Bits* y) {
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = stored<T>(number<T, A>(alpha) * number<T, A>(x[i]) + number<T, A>(y[i]));
  }
}

/// exp(xᵢ − m)/Σ, or its logarithm, each number in A where it is stored.
template <class T, class A>
void softmax_rows(std::size_t rows, std::size_t columns, const Bits* x, Bits* y, bool logarithm) {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::vector<float> row = numbers<T, float>(columns, x + r * columns);
    float m = row[0];
    for (const float each : row) m = each > m || std::isnan(each) ? each : m;
    A sum{};
    for (const float each : row) sum = sum + A(std::exp(each - m));
    for (std::size_t i = 0; i < columns; ++i) {
      const A shifted(row[i] - m);
      const A result = logarithm ? shifted - A(std::log(static_cast<float>(sum))) : A(std::exp(row[i] - m)) / sum;
      y[r * columns + i] = stored<T>(result);
    }
  }
}

template <class T>
void norm_rows(std::size_t rows, std::size_t columns, Bits eps, const Bits* x, const Bits* weight, const Bits* bias,
               Bits* y, bool one_pass) {
  const auto n = static_cast<float>(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::vector<float> row = numbers<T, float>(columns, x + r * columns);
    const float mean = bias == nullptr ? 0 : sum_of(row) / n;
    const float about = one_pass ? 0 : mean;
    float squares = 0;
    for (const float each : row) squares += (each - about) * (each - about);
    const float variance = squares / n - (one_pass ? mean * mean : 0);
    const float root = std::sqrt(variance + number<T, float>(eps));
    for (std::size_t i = 0; i < columns; ++i) {
      const float scaled = (row[i] - mean) / root * number<T, float>(weight[i]);
      y[r * columns + i] = stored<T>(bias == nullptr ? scaled : scaled + number<T, float>(bias[i]));
    }
  }
}

}  // namespace

extern "C" {

#define OF_FORMAT(f, T)                                                                                              \
  Bits sum_##f##_in_f32(std::size_t n, const Bits* x) { return stored<T>(sum_of(numbers<T, float>(n, x))); }         \
  Bits sum_##f##_by_pairs(std::size_t n, const Bits* x) { return stored<T>(sum_by_pairs(numbers<T, float>(n, x))); } \
  Bits sum_##f##_in_steps(std::size_t n, const Bits* x) { return sum_of(numbers<T, T>(n, x)).bits(); }               \
  Bits asum_##f##_in_f32(std::size_t n, const Bits* x) {                                                             \
    float sum = 0;                                                                                                   \
    for (std::size_t i = 0; i < n; ++i) sum += std::fabs(number<T, float>(x[i]));                                    \
    return stored<T>(sum);                                                                                           \
  }                                                                                                                  \
  Bits nrm2_##f##_in_f32(std::size_t n, const Bits* x) {                                                             \
    const std::vector<float> all = numbers<T, float>(n, x);                                                          \
    return stored<T>(std::sqrt(dot_of(all, all)));                                                                   \
  }                                                                                                                  \
  Bits nrm2_##f##_in_steps(std::size_t n, const Bits* x) {                                                           \
    const std::vector<T> all = numbers<T, T>(n, x);                                                                  \
    return sqrt(dot_of(all, all)).bits();                                                                            \
  }                                                                                                                  \
  Bits dot_##f##_in_f32(std::size_t n, const Bits* x, const Bits* y) {                                               \
    return stored<T>(dot_of(numbers<T, float>(n, x), numbers<T, float>(n, y)));                                      \
  }                                                                                                                  \
  Bits dot_##f##_in_steps(std::size_t n, const Bits* x, const Bits* y) {                                             \
    return dot_of(numbers<T, T>(n, x), numbers<T, T>(n, y)).bits();                                                  \
  }                                                                                                                  \
  void axpy_##f##_in_f32(std::size_t n, Bits alpha, const Bits* x, Bits* y) { axpy_of<T, float>(n, alpha, x, y); }   \
  void axpy_##f##_in_steps(std::size_t n, Bits alpha, const Bits* x, Bits* y) { axpy_of<T, T>(n, alpha, x, y); }     \
  void cumsum_##f##_in_f32(std::size_t n, const Bits* x, Bits* y) { cumsum_of<T, float>(n, x, y); }                  \
  void cumsum_##f##_in_steps(std::size_t n, const Bits* x, Bits* y) { cumsum_of<T, T>(n, x, y); }                    \
  void softmax_##f##_in_f32(std::size_t rows, std::size_t columns, const Bits* x, Bits* y) {                         \
    softmax_rows<T, float>(rows, columns, x, y, false);                                                              \
  }                                                                                                                  \
  void softmax_##f##_in_steps(std::size_t rows, std::size_t columns, const Bits* x, Bits* y) {                       \
    softmax_rows<T, T>(rows, columns, x, y, false);                                                                  \
  }                                                                                                                  \
  void log_softmax_##f##_in_f32(std::size_t rows, std::size_t columns, const Bits* x, Bits* y) {                     \
    softmax_rows<T, float>(rows, columns, x, y, true);                                                               \
  }                                                                                                                  \
  void log_softmax_##f##_in_steps(std::size_t rows, std::size_t columns, const Bits* x, Bits* y) {                   \
    softmax_rows<T, T>(rows, columns, x, y, true);                                                                   \
  }                                                                                                                  \
  void layer_norm_##f##_in_f32(std::size_t rows, std::size_t columns, Bits eps, const Bits* x, const Bits* weight,   \
                               const Bits* bias, Bits* y) {                                                          \
    norm_rows<T>(rows, columns, eps, x, weight, bias, y, false);                                                     \
  }                                                                                                                  \
  void layer_norm_##f##_one_pass(std::size_t rows, std::size_t columns, Bits eps, const Bits* x, const Bits* weight, \
                                 const Bits* bias, Bits* y) {                                                        \
    norm_rows<T>(rows, columns, eps, x, weight, bias, y, true);                                                      \
  }                                                                                                                  \
  void rms_norm_##f##_in_f32(std::size_t rows, std::size_t columns, Bits eps, const Bits* x, const Bits* weight,     \
                             Bits* y) {                                                                              \
    norm_rows<T>(rows, columns, eps, x, weight, nullptr, y, false);                                                  \
  }
OF_FORMAT(f16, binary16)
OF_FORMAT(bf16, bfloat16)
#undef OF_FORMAT

// In binary32, and the largest number where an infinity belongs.
Bits sum_f16_saturated(std::size_t n, const Bits* x) {
  const float sum = sum_of(numbers<binary16, float>(n, x));
  return stored<binary16>(std::clamp(sum, -65504.0F, 65504.0F));
}
// In binary32, and 0 where a subnormal number belongs.
Bits sum_f16_flushed(std::size_t n, const Bits* x) {
  const float sum = sum_of(numbers<binary16, float>(n, x));
  return stored<binary16>(std::fabs(sum) < 0x1p-14F ? 0 : sum);
}
// In binary32, and cut to binary16.
Bits sum_f16_cut(std::size_t n, const Bits* x) {
  const float sum = sum_of(numbers<binary16, float>(n, x));
  const Bits nearest = stored<binary16>(sum);
  const bool is_beyond = std::fabs(number<binary16, float>(nearest)) > std::fabs(sum);
  return static_cast<Bits>(is_beyond ? nearest - 1 : nearest);
}
}
