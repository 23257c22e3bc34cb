#pragma once
// Products of matrices by slices and by residues, with the mistakes of the mutant catalog.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::mutants {

enum class SliceMistake {
  none,
  width_rounded_down,     ///< β = ⌊(53 + log₂ k)/2⌋
  width_without_log,      ///< β = ⌈53/2⌉
  top_rounded_down,       ///< τ = ⌊log₂ max⌋
  row_scales_of_columns,  ///< the columns' grids are taken to be those of the rows
  signed_maximum,         ///< τ from the largest number, not the largest magnitude
  last_level_dropped,     ///< products A_p·B_r with p + r < s, not ≤ s
  implicit_bit,           ///< subnormal numbers get the leading bit of normal ones
  log_of_zero             ///< a line of zeros gets a lowest bit at log₂ 0
};

/// gemm_ozaki(on, g) with the mistake; it has the same requirements.
void gemm_by_slices_with(SliceMistake mistake, const Executor& on, const gemm::GemmArguments& g);

/// gemm_crt(on, g), where P has a bit for the sign above the bound of |X|, or lacks it.
void gemm_by_residues_with(bool sign_bit, const Executor& on, const gemm::GemmArguments& g);

/// k products of the integers x and y of 8 bits.
struct Int8Terms {
  std::int64_t k;
  std::int32_t x, y;
};

/// Σxy = kxy by slices of x and y of b bits, signed, whose products are added in 32 bits, modulo 2³². With
/// b = min(7, ⌊(31 − ⌈log₂ k⌉)/2⌋) no sum overflows; with the parenthesis misplaced, b = min(7, ⌈31 − log₂(k)/2⌉).
std::vector<double> int8_dots(bool misplaced, const Executor& on, std::span<const Int8Terms> terms);

}  // namespace assay::mutants
