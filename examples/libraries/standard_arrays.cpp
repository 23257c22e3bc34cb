// Algorithms of the C++ standard library, and loops as compilers make them, as functions that `assay check --subject`
// calls.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

namespace {

template <class T>
T loop_sum(std::size_t n, const T* x) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

template <class T>
T loop_dot(std::size_t n, const T* x, const T* y) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

extern "C" {

double accumulate_f64(std::size_t n, const double* x) { return std::accumulate(x, x + n, 0.0); }
float accumulate_f32(std::size_t n, const float* x) { return std::accumulate(x, x + n, 0.0F); }
double reduce_f64(std::size_t n, const double* x) { return std::reduce(x, x + n); }
float reduce_f32(std::size_t n, const float* x) { return std::reduce(x, x + n); }
double inner_product_f64(std::size_t n, const double* x, const double* y) {
  return std::inner_product(x, x + n, y, 0.0);
}
float inner_product_f32(std::size_t n, const float* x, const float* y) { return std::inner_product(x, x + n, y, 0.0F); }
double transform_reduce_f64(std::size_t n, const double* x, const double* y) {
  return std::transform_reduce(x, x + n, y, 0.0);
}
float transform_reduce_f32(std::size_t n, const float* x, const float* y) {
  return std::transform_reduce(x, x + n, y, 0.0F);
}
void partial_sum_f64(std::size_t n, const double* x, double* y) { std::partial_sum(x, x + n, y); }
void partial_sum_f32(std::size_t n, const float* x, float* y) { std::partial_sum(x, x + n, y); }

double loop_sum_f64(std::size_t n, const double* x) { return loop_sum(n, x); }
float loop_sum_f32(std::size_t n, const float* x) { return loop_sum(n, x); }
double loop_dot_f64(std::size_t n, const double* x, const double* y) { return loop_dot(n, x, y); }
float loop_dot_f32(std::size_t n, const float* x, const float* y) { return loop_dot(n, x, y); }
// Numbers of binary16 are passed and returned as their bit patterns.
unsigned short loop_sum_f16(std::size_t n, const _Float16* x) {
  const _Float16 sum = loop_sum(n, x);
  unsigned short pattern;
  std::memcpy(&pattern, &sum, sizeof pattern);
  return pattern;
}
unsigned short loop_dot_f16(std::size_t n, const _Float16* x, const _Float16* y) {
  const _Float16 sum = loop_dot(n, x, y);
  unsigned short pattern;
  std::memcpy(&pattern, &sum, sizeof pattern);
  return pattern;
}

void f32_to_f16(std::size_t n, const float* x, _Float16* y) { std::copy(x, x + n, y); }
void f64_to_f16(std::size_t n, const double* x, _Float16* y) { std::copy(x, x + n, y); }
void f64_to_f32(std::size_t n, const double* x, float* y) { std::copy(x, x + n, y); }
void f16_to_int8(std::size_t n, const _Float16* x, signed char* y) { std::copy(x, x + n, y); }
void f32_to_int8(std::size_t n, const float* x, signed char* y) { std::copy(x, x + n, y); }
}
