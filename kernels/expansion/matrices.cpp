#include "kernels/expansion/matrices.hpp"

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/detail/matrix_kernels.hpp"

namespace assay::expansion {
namespace {

using Span = std::span<const double>;
using blas::Transpose;
using blas::Triangle;

/// An operand of a call: its address, its rows and columns in memory, their steps in entries, and how the routine reads
/// it.
struct Operand {
  std::int64_t rows, columns, row_step, column_step;
  bool is_vector = false;

  static Operand matrix(std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    return {rows, columns, 1, leading};
  }
  /// A vector as a matrix of one column.
  static Operand vector(std::int64_t length, std::int64_t stride) { return {length, 1, stride, 1, true}; }

  /// Throws if a number is invalid.
  void check(const char* routine) const {
    blas::require_argument(rows >= 0 && columns >= 0, routine, "dimensions are at least 0");
    if (is_vector) {
      blas::require_argument(row_step != 0, routine, "a stride is not 0");
    } else {
      blas::require_argument(column_step >= 1 && column_step >= rows, routine,
                             "a leading dimension is at least 1 and the rows");
    }
  }
  [[nodiscard]] bool fits(std::size_t entries) const {
    return is_vector ? blas::holds_vector(entries, rows, row_step)
                     : blas::holds_matrix(entries, rows, columns, column_step);
  }
  /// The place of entry (0, 0).
  [[nodiscard]] std::int64_t begin() const { return is_vector ? blas::begin_of(rows, row_step) : 0; }
  /// Steps that are never used may be any number; they become 1.
  [[nodiscard]] Operand stepped() const {
    return {rows, columns, rows <= 1 ? 1 : row_step, columns <= 1 ? 1 : column_step, is_vector};
  }
  [[nodiscard]] Operand transposed() const { return {columns, rows, column_step, row_step, is_vector}; }
};

/// One call, C ← α·A·B + β·C: operands as they lie in memory, and whether A and B are read transposed.
struct Call {
  using Part = detail::Part;

  const char* routine;
  int words;
  Operand a, b, c;
  bool transposed_a, transposed_b;
  Part symmetric_a = Part::all;  ///< the triangle of A that is read
  Part written = Part::all;
  Span alpha, beta;

  [[nodiscard]] std::int64_t inner() const { return transposed_a ? a.rows : a.columns; }
  /// Whether there is nothing to write; without products a vector stays as it is, as in the reference BLAS.
  [[nodiscard]] bool is_empty() const { return c.rows == 0 || c.columns == 0 || (c.is_vector && inner() == 0); }
  [[nodiscard]] bool adds_products() const { return inner() > 0 && !detail::is_zero_expansion(alpha); }
  [[nodiscard]] bool returns_at_once() const {
    return is_empty() || (!adds_products() && detail::is_one_expansion(beta));
  }

  void check() const {
    detail::require_words(words, routine);
    detail::require_scalar(words, alpha, routine);
    detail::require_scalar(words, beta, routine);
    for (const Operand& each : {a, b, c}) each.check(routine);
  }

  void queue(const Executor& on, const double* in_a, const double* in_b, double* in_c) const {
    check();
    if (returns_at_once()) return;
    detail::with_entry_words(words, routine, [&](auto w) {
      constexpr int W = w;
      using Operand_ = detail::MatrixOperand<W>;
      const auto operand = [&](const double* words_of, const Operand& at, bool transposed) {
        if (!adds_products()) return Operand_{nullptr, 1, 1};
        const Operand read = transposed ? at.stepped().transposed() : at.stepped();
        return Operand_{words_of + at.stepped().begin() * W, read.row_step, read.column_step};
      };
      const Operand to = c.stepped();
      const detail::MatrixUpdate<W> update{c.rows,
                                           c.columns,
                                           adds_products() ? inner() : 0,
                                           detail::scalar_of<W>(alpha),
                                           detail::scalar_of<W>(beta),
                                           detail::is_zero_expansion(alpha.subspan(1)),
                                           !detail::is_zero_expansion(beta),
                                           operand(in_a, a, transposed_a),
                                           operand(in_b, b, transposed_b),
                                           in_c + to.begin() * W,
                                           to.row_step,
                                           to.column_step,
                                           symmetric_a,
                                           written};
      if (c.is_vector) {
        constexpr std::int64_t rows = detail::VectorEntries<W>::rows;
        queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(c.rows, rows)),
                     detail::VectorEntries<W>{update, !transposed_a});
      } else if (update.k == 1 && detail::is_one_expansion(beta) && written == Part::all &&
                 c.rows >= detail::RankOneTile<W>::rows / 16) {
        using Tile = detail::RankOneTile<W>;
        const std::int64_t row_tiles = bits::ceil_div(c.rows, Tile::rows);
        const std::int64_t tiles = row_tiles * bits::ceil_div(c.columns, Tile::columns);
        queue_blocks(on, static_cast<std::size_t>(tiles), Tile{update, row_tiles});
      } else {
        queue_indices(on, static_cast<std::size_t>(c.rows * c.columns), detail::MatrixEntry<W>{update});
      }
    });
  }

  /// The same on arrays of the host.
  [[nodiscard]] std::vector<double> on_arrays(const Executor& on, Span in_a, Span in_b, Span in_c) const {
    check();
    const auto fits = [&](Span array, const Operand& operand) {
      return operand.fits(detail::entries_in(array, words, routine));
    };
    blas::require_argument(is_empty() || fits(in_c, c), routine, "the output is too short");
    if (is_empty() || !adds_products()) {
      in_a = in_b = {};
    } else {
      blas::require_argument(fits(in_a, a) && fits(in_b, b), routine, "a factor is too short");
    }
    return detail::on_executor(on, in_a, in_b, in_c,
                               [&](const double* x, const double* y, double* z) { queue(on, x, y, z); });
  }
};

bool is_transposed(Transpose trans) { return trans == Transpose::yes; }

Operand stored(Transpose trans, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  return is_transposed(trans) ? Operand::matrix(columns, rows, leading) : Operand::matrix(rows, columns, leading);
}

Call::Part part_of(Triangle uplo) { return uplo == Triangle::upper ? Call::Part::upper : Call::Part::lower; }

Call gemv_call(Transpose trans, std::int64_t m, std::int64_t n, const double& alpha, std::int64_t lda,
               std::int64_t incx, const double& beta, std::int64_t incy) {
  const bool transposed = is_transposed(trans);
  return {"dot2_gemv",
          1,
          Operand::matrix(m, n, lda),
          Operand::vector(transposed ? m : n, incx),
          Operand::vector(transposed ? n : m, incy),
          transposed,
          false,
          Call::Part::all,
          Call::Part::all,
          Span(&alpha, 1),
          Span(&beta, 1)};
}

Call gemm_call(Transpose transa, Transpose transb, std::int64_t m, std::int64_t n, std::int64_t k, const double& alpha,
               std::int64_t lda, std::int64_t ldb, const double& beta, std::int64_t ldc) {
  return {"dot2_gemm",
          1,
          stored(transa, m, k, lda),
          stored(transb, k, n, ldb),
          Operand::matrix(m, n, ldc),
          is_transposed(transa),
          is_transposed(transb),
          Call::Part::all,
          Call::Part::all,
          Span(&alpha, 1),
          Span(&beta, 1)};
}

Call symv_call(int words, Triangle uplo, std::int64_t n, Span alpha, std::int64_t lda, std::int64_t incx, Span beta,
               std::int64_t incy) {
  return {"expansion_symv",
          words,
          Operand::matrix(n, n, lda),
          Operand::vector(n, incx),
          Operand::vector(n, incy),
          false,
          false,
          part_of(uplo),
          Call::Part::all,
          alpha,
          beta};
}

constexpr double one_words[4] = {1, 0, 0, 0};

Call ger_call(int words, std::int64_t m, std::int64_t n, Span alpha, std::int64_t incx, std::int64_t incy,
              std::int64_t lda) {
  detail::require_words(words, "expansion_ger");
  return {"expansion_ger",
          words,
          Operand::vector(m, incx),
          Operand::vector(n, incy),
          Operand::matrix(m, n, lda),
          false,
          true,
          Call::Part::all,
          Call::Part::all,
          alpha,
          Span(one_words, static_cast<std::size_t>(words))};
}

Call syrk_call(int words, Triangle uplo, Transpose trans, std::int64_t n, std::int64_t k, Span alpha, std::int64_t lda,
               Span beta, std::int64_t ldc) {
  const Operand a = stored(trans, n, k, lda);
  return {"expansion_syrk",
          words,
          a,
          a,
          Operand::matrix(n, n, ldc),
          is_transposed(trans),
          !is_transposed(trans),
          Call::Part::all,
          part_of(uplo),
          alpha,
          beta};
}

}  // namespace

void dot2_gemv(const Executor& on, Transpose trans, std::int64_t m, std::int64_t n, double alpha, const double* a,
               std::int64_t lda, const double* x, std::int64_t incx, double beta, double* y, std::int64_t incy) {
  gemv_call(trans, m, n, alpha, lda, incx, beta, incy).queue(on, a, x, y);
}
std::vector<double> dot2_gemv(const Executor& on, Transpose trans, std::int64_t m, std::int64_t n, double alpha, Span a,
                              std::int64_t lda, Span x, std::int64_t incx, double beta, Span y, std::int64_t incy) {
  return gemv_call(trans, m, n, alpha, lda, incx, beta, incy).on_arrays(on, a, x, y);
}

void dot2_gemm(const Executor& on, Transpose transa, Transpose transb, std::int64_t m, std::int64_t n, std::int64_t k,
               double alpha, const double* a, std::int64_t lda, const double* b, std::int64_t ldb, double beta,
               double* c, std::int64_t ldc) {
  gemm_call(transa, transb, m, n, k, alpha, lda, ldb, beta, ldc).queue(on, a, b, c);
}
std::vector<double> dot2_gemm(const Executor& on, Transpose transa, Transpose transb, std::int64_t m, std::int64_t n,
                              std::int64_t k, double alpha, Span a, std::int64_t lda, Span b, std::int64_t ldb,
                              double beta, Span c, std::int64_t ldc) {
  return gemm_call(transa, transb, m, n, k, alpha, lda, ldb, beta, ldc).on_arrays(on, a, b, c);
}

void expansion_symv(const Executor& on, int words, Triangle uplo, std::int64_t n, Span alpha, const double* a,
                    std::int64_t lda, const double* x, std::int64_t incx, Span beta, double* y, std::int64_t incy) {
  symv_call(words, uplo, n, alpha, lda, incx, beta, incy).queue(on, a, x, y);
}
std::vector<double> expansion_symv(const Executor& on, int words, Triangle uplo, std::int64_t n, Span alpha, Span a,
                                   std::int64_t lda, Span x, std::int64_t incx, Span beta, Span y, std::int64_t incy) {
  return symv_call(words, uplo, n, alpha, lda, incx, beta, incy).on_arrays(on, a, x, y);
}

void expansion_ger(const Executor& on, int words, std::int64_t m, std::int64_t n, Span alpha, const double* x,
                   std::int64_t incx, const double* y, std::int64_t incy, double* a, std::int64_t lda) {
  ger_call(words, m, n, alpha, incx, incy, lda).queue(on, x, y, a);
}
std::vector<double> expansion_ger(const Executor& on, int words, std::int64_t m, std::int64_t n, Span alpha, Span x,
                                  std::int64_t incx, Span y, std::int64_t incy, Span a, std::int64_t lda) {
  return ger_call(words, m, n, alpha, incx, incy, lda).on_arrays(on, x, y, a);
}

void expansion_syrk(const Executor& on, int words, Triangle uplo, Transpose trans, std::int64_t n, std::int64_t k,
                    Span alpha, const double* a, std::int64_t lda, Span beta, double* c, std::int64_t ldc) {
  syrk_call(words, uplo, trans, n, k, alpha, lda, beta, ldc).queue(on, a, a, c);
}
std::vector<double> expansion_syrk(const Executor& on, int words, Triangle uplo, Transpose trans, std::int64_t n,
                                   std::int64_t k, Span alpha, Span a, std::int64_t lda, Span beta, Span c,
                                   std::int64_t ldc) {
  return syrk_call(words, uplo, trans, n, k, alpha, lda, beta, ldc).on_arrays(on, a, a, c);
}

}  // namespace assay::expansion
