// Factorizations of Eigen, as functions that `assay check --subject` calls.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cstddef>

namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using Stored = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using Read = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

template <class T>
Stored<T> stored(std::size_t m, std::size_t n, T* a, std::size_t lda) {
  return {a, index(m), index(n), Eigen::OuterStride<>(index(lda))};
}

template <class T>
int gesv(std::size_t n, T* a, std::size_t lda, T* b) {
  const Eigen::PartialPivLU<Matrix<T>> lu{Matrix<T>(stored(n, n, a, lda))};
  for (std::size_t i = 0; i < n; ++i) {
    if (lu.matrixLU()(index(i), index(i)) == T(0)) return static_cast<int>(i) + 1;
  }
  Eigen::Map<Vector<T>> x(b, index(n));
  x = lu.solve(Vector<T>(x));
  return 0;
}

template <class T>
int inv(std::size_t n, T* a, std::size_t lda) {
  Stored<T> all = stored(n, n, a, lda);
  const Eigen::PartialPivLU<Matrix<T>> lu{Matrix<T>(all)};
  for (std::size_t i = 0; i < n; ++i) {
    if (lu.matrixLU()(index(i), index(i)) == T(0)) return static_cast<int>(i) + 1;
  }
  all = lu.inverse();
  return 0;
}

template <class T>
int potrf(std::size_t n, T* a, std::size_t lda) {
  Stored<T> all = stored(n, n, a, lda);
  const Eigen::LLT<Matrix<T>> llt{Matrix<T>(all)};
  if (llt.info() != Eigen::Success) return 1;
  all.template triangularView<Eigen::Lower>() = llt.matrixLLT();
  return 0;
}

template <class T>
int posv(std::size_t n, T* a, std::size_t lda, T* b) {
  const Eigen::LLT<Matrix<T>> llt{Matrix<T>(stored(n, n, a, lda))};
  if (llt.info() != Eigen::Success) return 1;
  Eigen::Map<Vector<T>> x(b, index(n));
  x = llt.solve(Vector<T>(x));
  return 0;
}

template <class T>
void geqrf(std::size_t m, std::size_t n, const T* a, std::size_t lda, T* q, std::size_t ldq, T* r, std::size_t ldr) {
  const Eigen::Index rank = index(std::min(m, n));
  const Eigen::HouseholderQR<Matrix<T>> qr{Matrix<T>(Read<T>(a, index(m), index(n), Eigen::OuterStride<>(index(lda))))};
  stored(m, static_cast<std::size_t>(rank), q, ldq) = qr.householderQ() * Matrix<T>::Identity(index(m), rank);
  stored(static_cast<std::size_t>(rank), n, r, ldr) =
      Matrix<T>(qr.matrixQR().topRows(rank).template triangularView<Eigen::Upper>());
}

template <class T>
int gels(std::size_t m, std::size_t n, T* a, std::size_t lda, T* b) {
  const Eigen::ColPivHouseholderQR<Matrix<T>> qr{Matrix<T>(stored(m, n, a, lda))};
  const Vector<T> x = qr.solve(Vector<T>(Eigen::Map<const Vector<T>>(b, index(m))));
  std::copy(x.data(), x.data() + n, b);
  return 0;
}

template <class T>
int syev(std::size_t n, T* a, std::size_t lda, T* values) {
  if (n == 0) return 0;
  Stored<T> all = stored(n, n, a, lda);
  const Eigen::SelfAdjointEigenSolver<Matrix<T>> of{Matrix<T>(all)};
  if (of.info() != Eigen::Success) return 1;
  Eigen::Map<Vector<T>>(values, index(n)) = of.eigenvalues();
  all = of.eigenvectors();
  return 0;
}

}  // namespace

extern "C" {

#define FACTORIZATIONS(T, format)                                                                                   \
  int gesv_##format(std::size_t n, T* a, std::size_t lda, T* b) { return gesv<T>(n, a, lda, b); }                   \
  int inv_##format(std::size_t n, T* a, std::size_t lda) { return inv<T>(n, a, lda); }                              \
  int potrf_##format(std::size_t n, T* a, std::size_t lda) { return potrf<T>(n, a, lda); }                          \
  int posv_##format(std::size_t n, T* a, std::size_t lda, T* b) { return posv<T>(n, a, lda, b); }                   \
  void geqrf_##format(std::size_t m, std::size_t n, const T* a, std::size_t lda, T* q, std::size_t ldq, T* r,       \
                      std::size_t ldr) {                                                                            \
    geqrf<T>(m, n, a, lda, q, ldq, r, ldr);                                                                         \
  }                                                                                                                 \
  int gels_##format(std::size_t m, std::size_t n, T* a, std::size_t lda, T* b) { return gels<T>(m, n, a, lda, b); } \
  int syev_##format(std::size_t n, T* a, std::size_t lda, T* values) { return syev<T>(n, a, lda, values); }
FACTORIZATIONS(double, f64)
FACTORIZATIONS(float, f32)
}
