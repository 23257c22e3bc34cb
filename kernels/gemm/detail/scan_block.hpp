#pragma once
// Kernel of gemm_scan: exponents and sums of each line, read once.
//
// Each block takes eight lines. The threads of a line each take a part of its numbers, and a tree joins the parts.

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm::detail {

/// |x| = significand·2^exponent, for the bits of a finite |x|.
[[nodiscard]] ASSAY_HD inline std::uint64_t significand_of(std::uint64_t magnitude) {
  return bits::significand(from_bits<double>(magnitude)).m;
}
[[nodiscard]] ASSAY_HD inline int exponent_of(std::uint64_t magnitude) {
  return bits::significand(from_bits<double>(magnitude)).e;
}

/// Scans `lines_a_block` lines in each block. Sums are formed in an order of the kernel's own, and then enlarged by
/// more than their error.
struct GemmScanKernel {
  static constexpr int threads = 512;
  static constexpr int lines_a_block = 8;
  static constexpr int lanes = threads / lines_a_block;
  struct Shared {
    GemmLine partial[threads];
  };

  GemmLines of;
  GemmLine* result;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * lines_a_block;
    // Neighboring threads read neighboring numbers.
    const bool inner = of.inner_step == 1;
    block.for_each_thread([&](int t, Shared& s) {
      const std::int64_t line = first + (inner ? t / lanes : t % lines_a_block);
      const int lane = inner ? t % lanes : t / lines_a_block;
      GemmLine sum = GemmLine::nothing();
      if (line < of.lines) {
        const double* x = of.x + line * of.line_step;
        ASSAY_UNROLL(4)
        for (std::int64_t l = lane; l < of.length; l += lanes) {
          add(sum, x[l * of.inner_step], of.shift == nullptr ? 0 : of.sign * of.shift[l]);
        }
      }
      s.partial[slot(line - first, lane)] = sum;
    });
    for (int width = lanes / 2; width > 0; width /= 2) {
      block.for_each_thread([&](int t, Shared& s) {
        if (t % lanes < width) join(s.partial[t], s.partial[t + width]);
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t % lanes == 0 && first + t / lanes < of.lines) result[first + t / lanes] = enlarged(s.partial[t]);
    });
  }

 private:
  ASSAY_HD static int slot(std::int64_t line, int lane) { return static_cast<int>(line) * lanes + lane; }

  ASSAY_HD void add(GemmLine& sum, double x, int shift) const {
    const std::uint64_t magnitude = bits::magnitude_bits(x);
    if (magnitude > bits::max_finite_bits<double>) {
      sum.non_finite = 1;
      return;
    }
    const std::uint64_t m = significand_of(magnitude);
    if (m == 0) return;
    const int e = exponent_of(magnitude) + shift;
    const int top = e + 63 - bits::leading_zeros(m);
    const int low = e + bits::trailing_zeros(m);
    sum.top = top > sum.top ? top : sum.top;
    sum.low = low < sum.low ? low : sum.low;
    const double y = shift == 0 ? abs(x) : abs(x) * bits::power_of_two<double>(shift);
    sum.sum += y;
    sum.squares += y * y;
  }

  ASSAY_HD static void join(GemmLine& x, const GemmLine& y) {
    x.top = y.top > x.top ? y.top : x.top;
    x.low = y.low < x.low ? y.low : x.low;
    x.non_finite |= y.non_finite;
    x.sum += y.sum;
    x.squares += y.squares;
  }

  /// The line with its sums enlarged to (1 + 4(n + 4)u)·s + nη. These are upper bounds of the exact sums of n terms:
  /// each term has at most three roundings besides the n − 1 additions, together γ_(n + 2)·s and n/2·η.
  /// docs/bounds/gemm.md.
  [[nodiscard]] ASSAY_HD GemmLine enlarged(GemmLine line) const {
    if (line.top < line.low) return line;
    const double relative = static_cast<double>(of.length + 4) * 0x1p-51;
    const double absolute = static_cast<double>(of.length) * 0x1p-1074;
    line.sum += line.sum * relative + absolute;
    line.squares += line.squares * relative + absolute;
    return line;
  }
};

}  // namespace assay::gemm::detail
