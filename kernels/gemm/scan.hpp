#pragma once
// Exponents and sums of magnitudes of the rows of op(A) and the columns of op(B). From them gemm_crt chooses its
// scaling and its moduli, and gemm_ozaki its slices. `gemm` finds the infinities and NaNs by them.

#include <cstddef>
#include <cstdint>

#include "arith/hd.hpp"
#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// The lines of a matrix. A line is a row of op(A) or a column of op(B). Number l of line i is
/// x[i·line_step + l·inner_step]·2^(sign·shift[l]), or without the power of two if `shift` is null. `shift` is a
/// scaling of the inner index: column l of op(A) by 2^shift[l] and row l of op(B) by 2^−shift[l] keep the product.
/// Requires: |shift| ≤ 900, so that 2^shift is a normal number (not checked).
struct GemmLines {
  const double* x = nullptr;
  std::int64_t lines = 0;
  std::int64_t length = 0;
  std::int64_t line_step = 1;
  std::int64_t inner_step = 1;
  const std::int32_t* shift = nullptr;
  std::int32_t sign = 1;

  static GemmLines rows_of_a(const GemmArguments& g) {
    return {g.a, g.m, g.k, g.row_step_a(), g.column_step_a(), nullptr, 1};
  }
  static GemmLines columns_of_b(const GemmArguments& g) {
    return {g.b, g.n, g.k, g.column_step_b(), g.row_step_b(), nullptr, 1};
  }
  /// The transposed view, without shifts: its lines are the columns of op(A) or the rows of op(B).
  [[nodiscard]] GemmLines across() const { return {x, length, lines, inner_step, line_step, nullptr, 1}; }
};

/// The description of a line. Its finite numbers x_l are multiples of 2^low and below 2^(top + 1) in magnitude;
/// low is the largest and top the smallest exponent for which this holds. top < low and sums 0 for a line of
/// zeros. The sums exceed the exact ones by at most about 5·(length + 4)·2⁻⁵³ of them, apart from underflow.
struct GemmLine {
  std::int32_t top;         ///< max ⌊log₂|x_l|⌋
  std::int32_t low;         ///< the exponent of the lowest bit that is set in an x_l
  std::int32_t non_finite;  ///< 1 with an infinity or a NaN, which the other members ignore; otherwise 0
  std::int32_t padding;     ///< 0: no byte of a line is undefined
  double sum;               ///< s with Σ|x_l| ≤ s; may be infinite
  double squares;           ///< s with Σ x_l² ≤ s; may be infinite

  ASSAY_HD static constexpr GemmLine nothing() { return {-32768, 32767, 0, 0, 0, 0}; }
  [[nodiscard]] ASSAY_HD constexpr bool is_zero() const { return top < low; }
  /// The number of bits from the lowest to the highest: |x_l| < 2^(low + bits).
  [[nodiscard]] ASSAY_HD constexpr int bits() const { return is_zero() ? 0 : top - low + 1; }
};

/// result[i] ← the description of line i, for i < of.lines, on the executor. Queued: it does not wait
/// (exec/launch.hpp). The integers are the same on every executor. The sums may differ between executors in their last
/// places. This may change the number of moduli that gemm_crt chooses, but not a bit of a product. Cost: each number is
/// read once.
void gemm_scan(const Executor& on, const GemmLines& of, GemmLine* result);

/// Both: result[i] ← the description of line i of `first`, result[first.lines + i] ← that of line i of `second`. One
/// launch, whose blocks fill a device even if those of one side alone would not.
void gemm_scan(const Executor& on, const GemmLines& first, const GemmLines& second, GemmLine* result);

/// The extremes over several lines.
struct GemmScanSummary {
  std::int32_t most_bits;   ///< max bits()
  std::int32_t top;         ///< max top; a line of zeros does not count
  std::int32_t low;         ///< min low; likewise
  std::int32_t non_finite;  ///< whether any line has an infinity or a NaN
};

/// The extremes over `count` lines on the executor. Waits.
GemmScanSummary gemm_scan_summary(const Executor& on, const GemmLine* lines, std::int64_t count);

}  // namespace assay::gemm
