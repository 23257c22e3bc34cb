#pragma once
// Kernels of gemm_crt that prepare the plan: the bits that the lines of A and B need, and samples of entries.
//
// Sums and norms are upper bounds. Samples are estimates.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/bits/traits.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm::detail {

/// x·2^e. A result below 2⁻¹⁰²² may be rounded. |e| counts as 2000 at most.
ASSAY_HD inline double scaled_by(double x, int e) {
  e = e > 2000 ? 2000 : e < -2000 ? -2000 : e;
  const int half = e / 2;
  return x * bits::power_of_two<double>(half) * bits::power_of_two<double>(e - half);
}

/// A positive number 2^exponent·fraction, 1 ≤ fraction < 2.
struct CrtMagnitude {
  int exponent;
  double fraction;
};

/// Requires: x > 0, normal (not checked).
ASSAY_HD inline CrtMagnitude magnitude_of(double x) { return {bits::normal_exponent(x), bits::normal_fraction(x)}; }

/// Upper bounds of Σ|x_l| and of the Euclidean norm of a line, in units of 2^top. Requires: the line is not 0 (not
/// checked).
ASSAY_HD inline double relative_sum(const GemmLine& line, std::int64_t length) {
  const double sum = scaled_by(line.sum, -line.top);
  const double most = 2.0 * static_cast<double>(length);
  return sum < most ? sum : most;
}
ASSAY_HD inline double relative_norm(const GemmLine& line, std::int64_t length) {
  constexpr double enlarged = 1 + 0x1p-50;
  const double norm = scaled_by(sqrt(line.squares) * enlarged, -line.top);
  const double most = 2.0 * sqrt(static_cast<double>(length)) * enlarged;
  return norm < most ? norm : most;
}

/// The bits that the lines of one side need if all their bits are kept. x' is a line after it was multiplied by its
/// power of two.
struct CrtDemand {
  int bits;          ///< of the integers of a line
  int non_finite;    ///< whether a line has an infinity or a NaN
  double log2_sum;   ///< an upper bound of log₂ Σ|x'_l|
  double log2_norm;  ///< of log₂ ‖x'‖₂

  ASSAY_HD static CrtDemand nothing() { return {0, 0, 0, 0}; }
};

/// An upper bound of log₂ x, too large by at most 0.087. Requires: x ≥ 2⁻¹⁰²², finite (not checked). Source: log₂ f ≤ f
/// − 1 + 0.0861 on [1, 2].
ASSAY_HD inline double log2_above(double x) {
  const CrtMagnitude m = magnitude_of(x);
  return m.exponent + (m.fraction - 0.9138);
}

/// The properties of A and B that a plan depends on.
struct CrtFindings {
  static constexpr int most_samples = 512;
  CrtDemand demand[2];  ///< of A, of B
  double sample[most_samples];
};

/// findings->demand: the maxima over the lines of A by block 0, over the lines of B by block 1.
struct CrtDemandKernel {
  static constexpr int threads = 512;
  struct Shared {
    CrtDemand demand[threads];
  };

  const GemmLine* lines[2];
  std::int64_t count[2];
  std::int64_t length;
  CrtFindings* findings;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const GemmLine* of = lines[block.index()];
    const std::int64_t size = count[block.index()];
    block.for_each_thread([&](int t, Shared& s) {
      CrtDemand most = CrtDemand::nothing();
      for (std::int64_t i = t; i < size; i += threads) {
        const GemmLine line = of[i];
        most.non_finite |= line.non_finite;
        if (line.is_zero()) continue;
        const int above = line.top - line.low;
        join(most, {line.bits(), 0, above + log2_above(relative_sum(line, length)),
                    above + log2_above(relative_norm(line, length))});
      }
      s.demand[t] = most;
    });
    for (int width = threads / 2; width > 0; width /= 2) {
      block.for_each_thread([&](int t, Shared& s) {
        if (t < width) join(s.demand[t], s.demand[t + width]);
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) findings->demand[block.index()] = s.demand[0];
    });
  }

 private:
  ASSAY_HD static void join(CrtDemand& x, const CrtDemand& y) {
    x.bits = y.bits > x.bits ? y.bits : x.bits;
    x.non_finite |= y.non_finite;
    x.log2_sum = y.log2_sum > x.log2_sum ? y.log2_sum : x.log2_sum;
    x.log2_norm = y.log2_norm > x.log2_norm ? y.log2_norm : x.log2_norm;
  }
};

/// sample[s] = h/g of some entries (i, j), estimated in binary64. With lines scaled to the norm 2^t, the bound E of the
/// change by rounding A and B is about 2^t·h, and the result is 2^(2t)·g. The sample is 0 if a line is zero or not
/// finite.
struct CrtSampleKernel {
  static constexpr int threads = CrtDemandKernel::threads;  // both go into one launch
  struct Shared {
    double sum[threads];
  };

  GemmLines a, b;
  const GemmLine* lines_a;
  const GemmLine* lines_b;
  double alpha, beta;
  const double* c;
  std::int64_t ldc;
  CrtFindings* findings;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    // Samples come in groups: four neighboring lines of each side, of which numbers lie in one sector of memory.
    const std::uint64_t group = block.index() / 4;
    const std::uint64_t z = (group + 1) * bits::SplitMix64::step;
    const std::int64_t i = line(z >> 32, block.index(), a.lines);
    const std::int64_t j = line(z * 0xD1342543DE82EF95u >> 32, block.index() + group, b.lines);
    const GemmLine row = lines_a[i];
    const GemmLine column = lines_b[j];
    const bool skip = row.is_zero() || column.is_zero() || (row.non_finite | column.non_finite) != 0;
    block.for_each_thread([&](int t, Shared& s) {
      double sum = 0;
      if (!skip) {
        ASSAY_UNROLL(4)
        for (std::int64_t l = t; l < a.length; l += threads) {
          const int shift = a.shift == nullptr ? 0 : a.shift[l];
          sum += scaled_by(a.x[i * a.line_step + l * a.inner_step], shift - row.top) *
                 scaled_by(b.x[j * b.line_step + l * b.inner_step], -shift - column.top);
        }
      }
      s.sum[t] = sum;
    });
    for (int width = threads / 2; width > 0; width /= 2) {
      block.for_each_thread([&](int t, Shared& s) {
        if (t < width) s.sum[t] += s.sum[t + width];
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      if (skip) {
        findings->sample[block.index()] = 0;
        return;
      }
      double sum = s.sum[0];
      if (beta != 0) sum += scaled_by(beta * c[i + j * ldc] / alpha, -row.top - column.top);
      const double norm_a = relative_norm(row, a.length);
      const double norm_b = relative_norm(column, a.length);
      const double h = 0.5 * (relative_sum(row, a.length) / norm_a + relative_sum(column, a.length) / norm_b);
      findings->sample[block.index()] = h * norm_a * norm_b / abs(sum);
    });
  }

 private:
  /// Number `place` modulo four of a group of lines that the 32 bits of `random` choose.
  ASSAY_HD static std::int64_t line(std::uint64_t random, std::uint64_t place, std::int64_t lines) {
    const auto count = static_cast<std::uint64_t>(lines);
    const std::uint64_t first = (random * ((count + 3) / 4) >> 32) * 4;
    return static_cast<std::int64_t>((first + place % 4) % count);
  }
};

}  // namespace assay::gemm::detail
