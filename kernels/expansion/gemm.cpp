#include "kernels/expansion/gemm.hpp"

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/detail/gemm_block.hpp"

namespace assay::expansion {
namespace {

constexpr const char* routine = "expansion_gemm";

template <class T, int K>
detail::ExpansionMatrixView<T, K> view(const T* words, blas::Transpose trans, std::int64_t leading) {
  return trans == blas::Transpose::yes ? detail::ExpansionMatrixView<T, K>{words, leading, 1}
                                       : detail::ExpansionMatrixView<T, K>{words, 1, leading};
}

/// Rows and columns of A and B in memory.
struct Factors {
  std::int64_t rows_a, columns_a, rows_b, columns_b;
  Factors(blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n, std::int64_t k)
      : rows_a(transa == blas::Transpose::yes ? k : m),
        columns_a(transa == blas::Transpose::yes ? m : k),
        rows_b(transb == blas::Transpose::yes ? n : k),
        columns_b(transb == blas::Transpose::yes ? k : n) {}
};

/// The checks that do not depend on the arrays.
template <class T>
void check_call(int words, const Factors& factors, std::int64_t m, std::int64_t n, std::int64_t k,
                std::span<const T> alpha, std::int64_t lda, std::int64_t ldb, std::span<const T> beta,
                std::int64_t ldc) {
  detail::with_words(words, routine, [](auto) {});
  blas::require_argument(m >= 0 && n >= 0 && k >= 0, routine, "m, n and k are at least 0");
  blas::require_argument(lda >= 1 && lda >= factors.rows_a, routine, "lda is at least 1 and the rows of A");
  blas::require_argument(ldb >= 1 && ldb >= factors.rows_b, routine, "ldb is at least 1 and the rows of B");
  blas::require_argument(ldc >= 1 && ldc >= m, routine, "ldc is at least max(1, m)");
  detail::require_scalars(words, alpha, beta, routine);
}

}  // namespace

template <class T>
void expansion_gemm(const Executor& on, int words, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                    std::int64_t n, std::int64_t k, std::span<const T> alpha, const T* a, std::int64_t lda, const T* b,
                    std::int64_t ldb, std::span<const T> beta, T* c, std::int64_t ldc) {
  check_call(words, Factors(transa, transb, m, n, k), m, n, k, alpha, lda, ldb, beta, ldc);
  const bool reads_ab = k > 0 && !detail::is_zero_expansion(alpha);
  if (!reads_ab && detail::is_one_expansion(beta)) return;
  detail::with_words(words, routine, [&](auto number) {
    constexpr int K = number;
    using Kernel = detail::ExpansionGemmBlock<T, K>;
    queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(m, Kernel::tile) * bits::ceil_div(n, Kernel::tile)),
                 Kernel{.m = m,
                        .n = n,
                        .k = reads_ab ? k : 0,
                        .alpha = detail::expansion_of<T, K>(alpha),
                        .beta = detail::expansion_of<T, K>(beta),
                        .reads_c = !detail::is_zero_expansion(beta),
                        .a = view<T, K>(a, transa, lda),
                        .b = view<T, K>(b, transb, ldb),
                        .c = c,
                        .ldc = ldc});
  });
}

template <class T>
std::vector<T> expansion_gemm(const Executor& on, int words, blas::Transpose transa, blas::Transpose transb,
                              std::int64_t m, std::int64_t n, std::int64_t k, std::span<const T> alpha,
                              std::span<const T> a, std::int64_t lda, std::span<const T> b, std::int64_t ldb,
                              std::span<const T> beta, std::span<const T> c, std::int64_t ldc) {
  const Factors factors(transa, transb, m, n, k);
  check_call(words, factors, m, n, k, alpha, lda, ldb, beta, ldc);
  const auto size = static_cast<std::size_t>(words);
  blas::require_argument(a.size() % size == 0 && b.size() % size == 0 && c.size() % size == 0, routine,
                         "an array has as many words for each entry");
  const bool reads_ab = m > 0 && n > 0 && k > 0 && !detail::is_zero_expansion(alpha);
  blas::require_argument(blas::holds_matrix(c.size() / size, m, n, ldc), routine, "c is too short");
  if (reads_ab) {
    blas::require_argument(blas::holds_matrix(a.size() / size, factors.rows_a, factors.columns_a, lda), routine,
                           "a is too short");
    blas::require_argument(blas::holds_matrix(b.size() / size, factors.rows_b, factors.columns_b, ldb), routine,
                           "b is too short");
  }
  if (!reads_ab) a = b = {};
  const Array<T> left(on, a);
  const Array<T> right(on, b);
  const Array<T> result(on, c);
  expansion_gemm<T>(on, words, transa, transb, m, n, k, alpha, left.data(), lda, right.data(), ldb, beta, result.data(),
                    ldc);
  wait(on);
  left.compare(a);
  right.compare(b);
  return result.take();
}

template void expansion_gemm(const Executor&, int, blas::Transpose, blas::Transpose, std::int64_t, std::int64_t,
                             std::int64_t, std::span<const double>, const double*, std::int64_t, const double*,
                             std::int64_t, std::span<const double>, double*, std::int64_t);
template std::vector<double> expansion_gemm(const Executor&, int, blas::Transpose, blas::Transpose, std::int64_t,
                                            std::int64_t, std::int64_t, std::span<const double>,
                                            std::span<const double>, std::int64_t, std::span<const double>,
                                            std::int64_t, std::span<const double>, std::span<const double>,
                                            std::int64_t);

}  // namespace assay::expansion
