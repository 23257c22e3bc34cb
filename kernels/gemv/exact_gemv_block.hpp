#pragma once
// The cooperative kernel of the exact matrix-vector product, for the files that launch it.

#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay::gemv::detail {

/// The flags of the term α·a·b: its kind if a factor is not finite.
ASSAY_HD inline std::uint32_t seen_triple(double alpha, double a, double b) {
  const std::uint32_t flags = accumulators::seen_product(a, b);
  const bool zero = bits::magnitude_bits(a) == 0 || bits::magnitude_bits(b) == 0;
  const double magnitude = accumulators::saw_special(flags) ? abs(accumulators::special_sum(flags)) : zero ? 0.0 : 1.0;
  return accumulators::seen_product(alpha, signbit(a) != signbit(b) ? -magnitude : magnitude);
}

/// y[i·incy] = α·Σ_j op(A)ᵢⱼ·x[j·incx] + β·y[i·incy], rounded once, i = 0 … outputs − 1; A and x are not read for terms
/// = 0, y is not for β = 0. op(A)ᵢⱼ is at a[i + j·lda], transposed at a[j + i·lda]. A block has 32 entries, each with a
/// superaccumulator in shared memory; 8 threads of an entry, transposed 32, add its terms number t, t + 8, … to
/// expansions of four words in front of it. Requires: fewer than 2²⁸ terms (not checked).
template <bool transposed>
struct ExactGemvBlock {
  static constexpr int threads = 256;
  static constexpr int blocks_per_multiprocessor = 3;
  static constexpr int entries = 32;
  static constexpr int lanes = transposed ? 32 : 8;
  static constexpr int at_a_time = threads / lanes;
  struct Shared {
    std::int64_t word[entries][Superaccumulator::words];
    std::uint32_t flags[entries];
  };

  std::int64_t outputs, terms;
  double alpha;
  const double* a;
  std::int64_t lda;
  const double* x;
  std::int64_t incx;
  double beta;
  double* y;
  std::int64_t incy;
  Rounding to;

  /// Adds the terms of one lane to entry number `entry` of the block.
  ASSAY_HD void take_in(std::int64_t i, int entry, int lane, Shared& shared) const {
    sum::detail::SharedSuperaccumulator exact{{shared.word[entry]}, accumulators::saw_nothing};
    auto front = AccumulatingExpansion<4>::empty();
    for (std::int64_t j = lane; j < terms; j += lanes) {
      const double factor = a[transposed ? j + i * lda : i + j * lda];
      if (is_finite(alpha)) {
        front.add_product(factor, x[j * incx], exact);
      } else {
        exact.flags |= seen_triple(alpha, factor, x[j * incx]);
      }
    }
    front.flush(exact);
    atomic::fetch_or(&shared.flags[entry], exact.flags);
  }

  ASSAY_HD double rounded(std::int64_t i, int entry, const Shared& shared) const {
    const double addend = bits::magnitude_bits(beta) == 0 ? 0.0 : y[i * incy];
    if (!is_finite(alpha) && terms > 0) {
      return accumulators::special_sum(
          shared.flags[entry] | (bits::magnitude_bits(beta) == 0 ? 0 : accumulators::seen_product(beta, addend)));
    }
    Superaccumulator sum{};
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) {
      sum.word[k] = shared.word[entry][k];
    }
    sum.flags = shared.flags[entry];
    return scaled_sum(sum, terms > 0 ? alpha : 0.0, beta, addend, to);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * entries;
    block.for_each_thread([&](int t, Shared& shared) {
      for (int k = t; k < entries * Superaccumulator::words; k += threads) {
        shared.word[k / Superaccumulator::words][k % Superaccumulator::words] = 0;
      }
      if (t < entries) {
        shared.flags[t] = accumulators::saw_nothing;
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int pass = 0; pass < entries; pass += at_a_time) {
        const int entry = pass + (transposed ? t / lanes : t % entries);
        const int lane = transposed ? t % lanes : t / entries;
        if (first + entry < outputs) {
          take_in(first + entry, entry, lane, shared);
        }
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < entries && first + t < outputs) {
        y[(first + t) * incy] = rounded(first + t, t, shared);
      }
    });
  }
};

}  // namespace assay::gemv::detail
