#include "kernels/expansion/gemv.hpp"

#include <algorithm>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/detail/gemv_block.hpp"

namespace assay::expansion {
namespace {

constexpr const char* routine = "expansion_gemv";

/// Where entry 0 of a vector stands, in words.
std::int64_t begin_of(std::int64_t length, std::int64_t stride, int words) {
  return stride > 0 || length == 0 ? 0 : (1 - length) * stride * words;
}

}  // namespace

template <class T>
std::vector<T> expansion_gemv(const Executor& on, int words, blas::Transpose trans, std::int64_t m, std::int64_t n,
                              std::span<const T> alpha, std::span<const T> a, std::int64_t lda, std::span<const T> x,
                              std::int64_t incx, std::span<const T> beta, std::span<const T> y, std::int64_t incy) {
  using blas::require_argument;
  return detail::with_words(words, routine, [&](auto k) {
    constexpr int K = k;
    blas::require_argument(m >= 0 && n >= 0, routine, "m and n are at least 0");
    blas::require_argument(lda >= 1 && lda >= m, routine, "lda is at least max(1, m)");
    blas::require_argument(incx != 0 && incy != 0, routine, "incx and incy are not 0");
    blas::require_argument(alpha.size() == K && beta.size() == K, routine,
                           "alpha and beta have as many words as the entries");
    blas::require_argument(a.size() % K == 0 && x.size() % K == 0 && y.size() % K == 0, routine,
                           "an array has as many words for each entry");
    const bool transposed = trans == blas::Transpose::yes;
    const std::int64_t outputs = transposed ? n : m;
    const std::int64_t terms = transposed ? m : n;
    const bool reads_a = outputs > 0 && terms > 0 && !detail::is_zero_expansion(alpha);
    blas::require_argument(outputs == 0 || terms == 0 || blas::holds_vector(y.size() / K, outputs, incy), routine,
                           "y is too short");
    if (reads_a) {
      blas::require_argument(blas::holds_matrix(a.size() / K, m, n, lda), routine, "a is too short");
      blas::require_argument(blas::holds_vector(x.size() / K, terms, incx), routine, "x is too short");
    }
    if (outputs == 0 || terms == 0 || (!reads_a && detail::is_one_expansion(beta))) {
      return std::vector<T>(y.begin(), y.end());
    }
    if (!reads_a) a = x = {};
    // A step that is never taken may be any number; none of them is multiplied beyond the indices then.
    if (!reads_a || n <= 1) lda = std::max<std::int64_t>(1, m);
    if (!reads_a || terms <= 1) incx = 1;
    if (outputs <= 1) incy = 1;
    const Array<T> matrix(on, a);
    const Array<T> vector(on, x);
    const Array<T> result(on, y);
    const auto launch = [&](auto block) {
      block.outputs = outputs;
      block.terms = reads_a ? terms : 0;
      block.alpha = detail::expansion_of<T, K>(alpha);
      block.beta = detail::expansion_of<T, K>(beta);
      block.reads_y = !detail::is_zero_expansion(beta);
      block.a = matrix.data();
      block.lda = lda;
      block.x = vector.data() + begin_of(block.terms, incx, K);
      block.incx = incx;
      block.y = result.data() + begin_of(outputs, incy, K);
      block.incy = incy;
      launch_blocks(on, static_cast<std::size_t>((outputs - 1) / block.rows + 1), block);
    };
    if (transposed) {
      launch(detail::ExpansionGemvBlock<T, K, true>{});
    } else {
      launch(detail::ExpansionGemvBlock<T, K, false>{});
    }
    matrix.compare(a);
    vector.compare(x);
    return result.take();
  });
}

template std::vector<double> expansion_gemv(const Executor&, int, blas::Transpose, std::int64_t, std::int64_t,
                                            std::span<const double>, std::span<const double>, std::int64_t,
                                            std::span<const double>, std::int64_t, std::span<const double>,
                                            std::span<const double>, std::int64_t);

}  // namespace assay::expansion
