// Sums, norms, dot products and matrix products of Eigen, as functions that `assay check --subject` calls.

#include <Eigen/Core>
#include <cstddef>

namespace {

template <class T>
using Vector = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
template <class T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Vector<T> vector(const T* x, std::size_t n) {
  return {x, static_cast<Eigen::Index>(n)};
}

template <class T>
void product(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* d) {
  const auto rows = static_cast<Eigen::Index>(m);
  const auto columns = static_cast<Eigen::Index>(n);
  const auto terms = static_cast<Eigen::Index>(k);
  for (std::size_t p = 0; p < batch; ++p) {
    Eigen::Map<Rows<T>>(d + p * m * n, rows, columns).noalias() =
        Eigen::Map<const Rows<T>>(a + p * m * k, rows, terms) *
        Eigen::Map<const Rows<T>>(b + p * k * n, terms, columns);
  }
}

template <class T>
Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> array(const T* x, std::size_t n) {
  return {x, static_cast<Eigen::Index>(n)};
}

template <class T>
Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> array(T* x, std::size_t n) {
  return {x, static_cast<Eigen::Index>(n)};
}

}  // namespace

extern "C" {

double sum(std::size_t n, const double* x) { return vector(x, n).sum(); }
double asum(std::size_t n, const double* x) { return vector(x, n).lpNorm<1>(); }
double nrm2(std::size_t n, const double* x) { return vector(x, n).norm(); }
double nrm2_stable(std::size_t n, const double* x) { return vector(x, n).stableNorm(); }
double dot(std::size_t n, const double* x, const double* y) { return vector(x, n).dot(vector(y, n)); }
float sum_f32(std::size_t n, const float* x) { return vector(x, n).sum(); }
float asum_f32(std::size_t n, const float* x) { return vector(x, n).lpNorm<1>(); }
float nrm2_f32(std::size_t n, const float* x) { return vector(x, n).norm(); }
float nrm2_stable_f32(std::size_t n, const float* x) { return vector(x, n).stableNorm(); }
float dot_f32(std::size_t n, const float* x, const float* y) { return vector(x, n).dot(vector(y, n)); }

void matmul_f64(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
                double* d) {
  product(batch, m, n, k, a, b, d);
}
void matmul_f32(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                float* d) {
  product(batch, m, n, k, a, b, d);
}

void exp_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).exp(); }
void exp_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).exp(); }
void log_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).log(); }
void log_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).log(); }
void sin_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).sin(); }
void sin_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).sin(); }
void cos_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).cos(); }
void cos_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).cos(); }
void tanh_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).tanh(); }
void tanh_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).tanh(); }
void sqrt_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).sqrt(); }
void sqrt_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).sqrt(); }
void rsqrt_f64(std::size_t n, const double* x, double* y) { array(y, n) = array(x, n).rsqrt(); }
void rsqrt_f32(std::size_t n, const float* x, float* y) { array(y, n) = array(x, n).rsqrt(); }
}
