#include "kernels/expansion_gemm.hpp"

#include "kernels/array.hpp"
#include "kernels/expansion_accumulator.hpp"
#include "kernels/expansion_blas_arguments.hpp"
#include "kernels/launch.hpp"

namespace assay {
namespace {

constexpr const char* routine = "expansion_gemm";

/// A matrix op(M): entry (i, j) is the expansion at words[(i·row_step + j·column_step)·K].
template <class T, int K>
struct MatrixView {
  const T* words;
  std::int64_t row_step;
  std::int64_t column_step;
  ASSAY_HD Expansion<T, K> operator()(std::int64_t i, std::int64_t j) const {
    const T* const at = words + (i * row_step + j * column_step) * K;
    Expansion<T, K> r;
    ASSAY_UNROLL(K)
    for (int word = 0; word < K; ++word) r.x[word] = at[word];
    return r;
  }
};

template <class T, int K>
MatrixView<T, K> view(const T* words, Transpose trans, std::int64_t leading) {
  return trans == Transpose::yes ? MatrixView<T, K>{words, leading, 1} : MatrixView<T, K>{words, 1, leading};
}

/// A tile of 16 × 16 entries of C by one block: thread t has the entry (t mod 16, t/16). Tiles of op(A) and op(B) with
/// 16 entries along the inner dimension go through shared memory.
template <class T, int K>
struct ExpansionGemmBlock {
  static constexpr int tile = 16;
  static constexpr int threads = tile * tile;
  using Accumulator = ExpansionAccumulator<T, K>;
  struct Shared {
    Expansion<T, K> a[tile][tile];  ///< [inner][row]
    Expansion<T, K> b[tile][tile];  ///< [inner][column]
  };

  std::int64_t m;
  std::int64_t n;
  std::int64_t k;  ///< 0 where α = 0
  Expansion<T, K> alpha;
  Expansion<T, K> beta;
  bool reads_c;  ///< β ≠ 0
  MatrixView<T, K> a;
  MatrixView<T, K> b;
  T* c;
  std::int64_t ldc;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t tiles = (m - 1) / tile + 1;
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t first_row = index % tiles * tile;
    const std::int64_t first_column = index / tiles * tile;
    auto sums = block.per_thread(Accumulator{});
    for (std::int64_t first = 0; first < k; first += tile) {
      block.for_each_thread([&](int t, Shared& shared) {
        // Neighbours read what stands side by side.
        const int low = t % tile;
        const int high = t / tile;
        const int row = a.row_step == 1 ? low : high;
        const int inner_a = a.row_step == 1 ? high : low;
        if (first_row + row < m && first + inner_a < k) shared.a[inner_a][row] = a(first_row + row, first + inner_a);
        const int inner_b = b.row_step == 1 ? low : high;
        const int column = b.row_step == 1 ? high : low;
        if (first_column + column < n && first + inner_b < k) {
          shared.b[inner_b][column] = b(first + inner_b, first_column + column);
        }
      });
      block.for_each_thread([&](int t, Shared& shared) {
        const int row = t % tile;
        const int column = t / tile;
        if (first_row + row >= m || first_column + column >= n) return;
        const int inner = k - first < tile ? static_cast<int>(k - first) : tile;
        Accumulator sum = sums[t];
        for (int l = 0; l < inner; ++l) sum.add(shared.a[l][row], shared.b[l][column]);
        sums[t] = sum;
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t row = first_row + t % tile;
      const std::int64_t column = first_column + t / tile;
      if (row >= m || column >= n) return;
      T* const to = c + (row + column * ldc) * K;
      Accumulator sum{};
      if (k > 0) sum.add(alpha, sums[t].result());
      if (reads_c) sum.add(beta, MatrixView<T, K>{c, 1, ldc}(row, column));
      const Expansion<T, K> r = sum.result();
      ASSAY_UNROLL(K)
      for (int i = 0; i < K; ++i) to[i] = r.x[i];
    });
  }
};

}  // namespace

template <class T>
std::vector<T> expansion_gemm(const Executor& on, int words, Transpose transa, Transpose transb, std::int64_t m,
                              std::int64_t n, std::int64_t k, std::span<const T> alpha, std::span<const T> a,
                              std::int64_t lda, std::span<const T> b, std::int64_t ldb, std::span<const T> beta,
                              std::span<const T> c, std::int64_t ldc) {
  using detail::require_argument;
  return detail::with_words(words, routine, [&](auto number) {
    constexpr int K = number;
    require_argument(m >= 0 && n >= 0 && k >= 0, routine, "m, n and k are at least 0");
    const std::int64_t rows_a = transa == Transpose::yes ? k : m;
    const std::int64_t rows_b = transb == Transpose::yes ? n : k;
    require_argument(lda >= 1 && lda >= rows_a, routine, "lda is at least 1 and the rows of A");
    require_argument(ldb >= 1 && ldb >= rows_b, routine, "ldb is at least 1 and the rows of B");
    require_argument(ldc >= 1 && ldc >= m, routine, "ldc is at least max(1, m)");
    require_argument(alpha.size() == K && beta.size() == K, routine,
                     "alpha and beta have as many words as the entries");
    require_argument(a.size() % K == 0 && b.size() % K == 0 && c.size() % K == 0, routine,
                     "an array has as many words for each entry");
    const bool reads_ab = m > 0 && n > 0 && k > 0 && !detail::is_zero_expansion(alpha);
    require_argument(detail::holds_matrix(c.size() / K, m, n, ldc), routine, "c is too short");
    if (reads_ab) {
      require_argument(detail::holds_matrix(a.size() / K, rows_a, rows_a == m ? k : m, lda), routine, "a is too short");
      require_argument(detail::holds_matrix(b.size() / K, rows_b, rows_b == k ? n : k, ldb), routine, "b is too short");
    }
    if (m == 0 || n == 0 || (!reads_ab && detail::is_one_expansion(beta))) return std::vector<T>(c.begin(), c.end());
    if (!reads_ab) a = b = {};
    const Array<T> left(on, a);
    const Array<T> right(on, b);
    const Array<T> result(on, c);
    using Kernel = ExpansionGemmBlock<T, K>;
    launch_blocks(on, static_cast<std::size_t>(((m - 1) / Kernel::tile + 1) * ((n - 1) / Kernel::tile + 1)),
                  Kernel{.m = m,
                         .n = n,
                         .k = reads_ab ? k : 0,
                         .alpha = detail::expansion_of<T, K>(alpha),
                         .beta = detail::expansion_of<T, K>(beta),
                         .reads_c = !detail::is_zero_expansion(beta),
                         .a = view<T, K>(left.data(), transa, lda),
                         .b = view<T, K>(right.data(), transb, ldb),
                         .c = result.data(),
                         .ldc = ldc});
    left.compare(a);
    right.compare(b);
    return result.take();
  });
}

template std::vector<double> expansion_gemm(const Executor&, int, Transpose, Transpose, std::int64_t, std::int64_t,
                                            std::int64_t, std::span<const double>, std::span<const double>,
                                            std::int64_t, std::span<const double>, std::int64_t,
                                            std::span<const double>, std::span<const double>, std::int64_t);

}  // namespace assay
