#pragma once
// Kernel of gemm_ozaki that makes the slices of lines of A and B.
//
// Slices: arith/accumulators/ozaki_split.hpp.

#include "arith/accumulators/ozaki_split.hpp"
#include "arith/bits/ceil_div.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm::detail {

/// The slices of the lines of a tile: slice p of number l of line i at out[i·line_step + l·inner_step + p·slice_step].
/// Lines of the padding get zeros.
struct OzakiSplitKernel {
  static constexpr int threads = 128;
  struct Shared {};

  GemmLines of;                ///< the tile's lines, and the block of their numbers
  const std::int32_t* unit;    ///< of the tile's lines
  const std::int32_t* zeroed;  ///< lines that count as zero
  double* out;
  std::int64_t padded_lines;
  std::int64_t line_step, inner_step, slice_step;
  int width;
  int slices;

  /// Neighboring threads take neighboring numbers in memory: of neighboring lines, or of one line.
  [[nodiscard]] std::size_t blocks() const {
    const std::int64_t along = of.inner_step == 1 ? of.length : padded_lines;
    const std::int64_t across = of.inner_step == 1 ? padded_lines : of.length;
    return static_cast<std::size_t>(bits::ceil_div(along, threads) * across);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const bool inner = of.inner_step == 1;
    const auto across = static_cast<std::uint32_t>(inner ? padded_lines : of.length);
    const auto index = static_cast<std::uint32_t>(block.index());
    const std::int64_t far = index % across;
    const std::int64_t first = std::int64_t{index / across} * threads;
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t near = first + t;
      const std::int64_t line = inner ? far : near;
      const std::int64_t l = inner ? near : far;
      if (line >= padded_lines || l >= of.length) return;
      double* to = out + line * line_step + l * inner_step;
      const bool zero = line >= of.lines || zeroed[line] != 0;
      ozaki::Slicer slicer(zero ? 0.0 : of.x[line * of.line_step + l * of.inner_step], zero ? 0 : unit[line], width);
      for (int p = 0; p < slices; ++p) to[p * slice_step] = slicer.next();
    });
  }
};

}  // namespace assay::gemm::detail
