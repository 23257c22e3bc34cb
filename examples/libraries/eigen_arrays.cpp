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

}  // namespace

extern "C" {

double sum(std::size_t n, const double* x) { return vector(x, n).sum(); }
double asum(std::size_t n, const double* x) { return vector(x, n).lpNorm<1>(); }
double nrm2(std::size_t n, const double* x) { return vector(x, n).norm(); }
double nrm2_stable(std::size_t n, const double* x) { return vector(x, n).stableNorm(); }
double dot(std::size_t n, const double* x, const double* y) { return vector(x, n).dot(vector(y, n)); }

void matmul_f64(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
                double* d) {
  product(batch, m, n, k, a, b, d);
}
void matmul_f32(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                float* d) {
  product(batch, m, n, k, a, b, d);
}
}
