#pragma once
// Kernels of gemm_crt that turn lines of A and B into residues for int8 products.
//
// Each line is scaled by a power of two and rounded to integers. Each integer is reduced modulo every m_i. Derivations:
// docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "arith/residues/crt_integer.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/detail/crt_line_findings.hpp"
#include "kernels/gemm/detail/scan_block.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm::detail {

/// How a line becomes integers: x' = x·2^scale, rounded to integers.
struct CrtLine {
  double half_sum;  ///< an upper bound of ½Σ|x_l|·2^scale
  std::int32_t scale;
  std::int16_t exact;   ///< 1 if nothing is rounded
  std::int16_t finite;  ///< 1 if all numbers are finite
};

/// The begin of a pass. The scales of all lines: the m rows of op(A), then the columns of op(B). With `whole` a scale
/// keeps all bits. Otherwise a scale is as large as ‖x·2^scale‖₂ ≤ limit allows, but not larger than the one that keeps
/// all bits. The counters of undecided and of listed entries become 0, and in the first pass the bits of undecided
/// entries.
struct CrtBeginPass {
  const GemmLine* lines;
  std::size_t count;
  std::int64_t length;
  bool whole;
  CrtMagnitude limit;
  CrtLine* result;
  std::uint64_t* undecided_count;
  std::uint32_t* listed;
  std::uint32_t* undecided;
  std::size_t undecided_words;  ///< 0 in later passes

  [[nodiscard]] std::size_t size() const { return count > undecided_words ? count : undecided_words; }

  ASSAY_HD void operator()(std::size_t at) const {
    if (at == 0) {
      *undecided_count = 0;
      *listed = 0;
    }
    if (at < undecided_words) undecided[at] = 0;
    if (at < count) scale(at);
  }

 private:
  ASSAY_HD void scale(std::size_t at) const {
    const GemmLine line = lines[at];
    CrtLine made{0, 0, 1, static_cast<std::int16_t>(1 - line.non_finite)};
    if (!line.is_zero()) {
      const double norm = relative_norm(line, length);
      const CrtMagnitude m = magnitude_of(norm);
      const int most = limit.exponent - line.top - m.exponent - (m.fraction > limit.fraction ? 1 : 0);
      const bool exact = whole || -line.low <= most;
      made.exact = exact ? 1 : 0;
      made.scale = exact ? -line.low : most;
      made.half_sum = scaled_by(0.5 * relative_sum(line, length), line.top + made.scale);
    }
    result[at] = made;
  }
};

/// The residues of a panel of lines and inner indices: plane p, line i, inner index l at residues[p·plane + i·leading +
/// l]. The padding has zeros. Each number is read once.
template <int W>
struct CrtResidueKernel {
  static constexpr int threads = 256;
  static constexpr int tile_lines = 16;
  static constexpr int tile_inner = 128;
  static_assert(8 * threads == tile_lines * tile_inner);
  struct Shared {
    double x[tile_lines][tile_inner + 1];
  };

  GemmLines of;              ///< of the panel
  const CrtLine* lines;      ///< of the panel
  std::int64_t inner_tiles;  ///< in `leading`
  std::int64_t leading, plane, padded_lines;
  std::int8_t* residues;
  crt::ResidueTable<W> table;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::uint32_t>(block.index());
    const auto tiles = static_cast<std::uint32_t>(inner_tiles);
    const std::int64_t first_line = static_cast<std::int64_t>(index / tiles) * tile_lines;
    const std::int64_t first_inner = static_cast<std::int64_t>(index % tiles) * tile_inner;
    // Neighboring threads read neighboring numbers.
    const bool inner = of.inner_step == 1;
    block.for_each_thread([&](int t, Shared& s) {
      ASSAY_UNROLL(8)
      for (int at = t; at < tile_lines * tile_inner; at += threads) {
        const int i = inner ? at / tile_inner : at % tile_lines;
        const int l = inner ? at % tile_inner : at / tile_lines;
        const std::int64_t line = first_line + i;
        const std::int64_t term = first_inner + l;
        double x = 0;
        if (line < of.lines && term < of.length) x = of.x[line * of.line_step + term * of.inner_step];
        s.x[i][l] = x;
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      // Four numbers of each of two lines.
      const int l = t % (tile_inner / 4) * 4;
      const std::int64_t term = first_inner + l;
      if (term >= leading) return;
      std::uint32_t w[2][4][W];
      std::int8_t* to[2];
      bool kept[2];
      ASSAY_UNROLL(2)
      for (int h = 0; h < 2; ++h) {
        const int i = t / (tile_inner / 4) + h * (tile_lines / 2);
        const std::int64_t line = first_line + i;
        kept[h] = line < padded_lines;
        to[h] = residues + line * leading + term;
        const int scale = line < of.lines ? lines[line].scale : 0;
        ASSAY_UNROLL(4)
        for (int j = 0; j < 4; ++j) {
          const double x = s.x[i][l + j];
          const std::uint64_t magnitude = bits::magnitude_bits(x);
          const bool finite = magnitude <= bits::max_finite_bits<double>;
          const int shift = of.shift == nullptr || term + j >= of.length ? 0 : of.sign * of.shift[term + j];
          const std::uint64_t m = finite ? significand_of(magnitude) : 0;
          crt::offset_words<W>(m, signbit(x), m == 0 ? 0 : exponent_of(magnitude) + scale + shift, w[h][j]);
        }
      }
      for (int p = 0; p < table.count; ++p) {
        ASSAY_UNROLL(2)
        for (int h = 0; h < 2; ++h) {
          std::uint32_t r[4];
          ASSAY_UNROLL(4)
          for (int j = 0; j < 4; ++j) r[j] = crt::residue<W>(table, p, w[h][j]);
          if (kept[h]) *reinterpret_cast<std::uint32_t*>(to[h] + p * plane) = crt::low_bytes(r[0], r[1], r[2], r[3]);
        }
      }
    });
  }
};

/// product[at] ← its balanced residue, on the plane of one modulus. The products of further terms can be added to it
/// without overflow.
struct CrtReduce {
  std::int32_t* product;
  std::size_t plane;
  std::int32_t modulus;
  ASSAY_HD void operator()(std::size_t at) const {
    const std::int32_t r = product[at] % modulus;
    product[at] = 2 * r >= modulus ? r - modulus : 2 * r < -modulus ? r + modulus : r;
  }
};

}  // namespace assay::gemm::detail
