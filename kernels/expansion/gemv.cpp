#include "kernels/expansion/gemv.hpp"

#include <algorithm>

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/detail/gemv_block.hpp"

namespace assay::expansion {
namespace {

constexpr const char* routine = "expansion_gemv";

/// The checks that do not depend on the arrays.
template <class T>
void check_call(int words, std::int64_t m, std::int64_t n, std::span<const T> alpha, std::int64_t lda,
                std::int64_t incx, std::span<const T> beta, std::int64_t incy) {
  detail::with_words(words, routine, [](auto) {});
  blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
  blas::require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
  blas::require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
  detail::require_scalars(words, alpha, beta, routine);
}

}  // namespace

template <class T>
void expansion_gemv(const Executor& on, int words, blas::Transpose trans, std::int64_t m, std::int64_t n,
                    std::span<const T> alpha, const T* a, std::int64_t lda, const T* x, std::int64_t incx,
                    std::span<const T> beta, T* y, std::int64_t incy) {
  check_call(words, m, n, alpha, lda, incx, beta, incy);
  const bool transposed = trans == blas::Transpose::yes;
  const std::int64_t outputs = transposed ? n : m;
  const std::int64_t terms = transposed ? m : n;
  const bool reads_a = !detail::is_zero_expansion(alpha);
  if (outputs == 0 || terms == 0 || (!reads_a && detail::is_one_expansion(beta))) return;
  // The step of a vector with at most one entry may be any number; steps are never multiplied beyond the indices.
  if (!reads_a || n <= 1) lda = std::max<std::int64_t>(1, m);
  if (!reads_a || terms <= 1) incx = 1;
  if (outputs <= 1) incy = 1;
  detail::with_words(words, routine, [&](auto k) {
    constexpr int K = k;
    const auto queue = [&](auto block) {
      block.outputs = outputs;
      block.terms = reads_a ? terms : 0;
      block.alpha = detail::expansion_of<T, K>(alpha);
      block.beta = detail::expansion_of<T, K>(beta);
      block.reads_y = !detail::is_zero_expansion(beta);
      block.a = a;
      block.lda = lda;
      block.x = reads_a ? x + K * blas::begin_of(terms, incx) : x;
      block.incx = incx;
      block.y = y + K * blas::begin_of(outputs, incy);
      block.incy = incy;
      queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(outputs, block.rows)), block);
    };
    if (transposed) {
      queue(detail::ExpansionGemvBlock<T, K, true>{});
    } else {
      queue(detail::ExpansionGemvBlock<T, K, false>{});
    }
  });
}

template <class T>
std::vector<T> expansion_gemv(const Executor& on, int words, blas::Transpose trans, std::int64_t m, std::int64_t n,
                              std::span<const T> alpha, std::span<const T> a, std::int64_t lda, std::span<const T> x,
                              std::int64_t incx, std::span<const T> beta, std::span<const T> y, std::int64_t incy) {
  check_call(words, m, n, alpha, lda, incx, beta, incy);
  const auto k = static_cast<std::size_t>(words);
  blas::require_argument(a.size() % k == 0 && x.size() % k == 0 && y.size() % k == 0, routine,
                         "an array has as many words for each entry");
  const std::int64_t outputs = trans == blas::Transpose::yes ? n : m;
  const std::int64_t terms = trans == blas::Transpose::yes ? m : n;
  const bool empty = outputs == 0 || terms == 0;
  const bool reads_a = !empty && !detail::is_zero_expansion(alpha);
  blas::require_argument(empty || blas::holds_vector(y.size() / k, outputs, incy), routine, "y is too short");
  if (reads_a) {
    blas::require_argument(blas::holds_matrix(a.size() / k, m, n, lda), routine, "a is too short");
    blas::require_argument(blas::holds_vector(x.size() / k, terms, incx), routine, "x is too short");
  }
  if (!reads_a) a = x = {};
  const Array<T> matrix(on, a);
  const Array<T> vector(on, x);
  const Array<T> result(on, y);
  expansion_gemv<T>(on, words, trans, m, n, alpha, matrix.data(), lda, vector.data(), incx, beta, result.data(), incy);
  wait(on);
  matrix.compare(a);
  vector.compare(x);
  return result.take();
}

template void expansion_gemv(const Executor&, int, blas::Transpose, std::int64_t, std::int64_t, std::span<const double>,
                             const double*, std::int64_t, const double*, std::int64_t, std::span<const double>, double*,
                             std::int64_t);
template std::vector<double> expansion_gemv(const Executor&, int, blas::Transpose, std::int64_t, std::int64_t,
                                            std::span<const double>, std::span<const double>, std::int64_t,
                                            std::span<const double>, std::int64_t, std::span<const double>,
                                            std::span<const double>, std::int64_t);

}  // namespace assay::expansion
