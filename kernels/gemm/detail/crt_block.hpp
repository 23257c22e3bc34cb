#pragma once
// The kernels behind kernels/gemm/crt.hpp. What they compute and why it is right: docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/residues/crt_integer.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/detail/scan_block.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm::detail {

/// What a call does one after the other, some of it more than once.
enum class CrtPhase { scan, residues, products, looks, recomputation, end };

/// The steps that have names of their own beside those of the scan.
struct GemmCrtSteps : GemmScanSteps {
  /// Told before each phase is queued.
  void begin(CrtPhase) const {}
  /// The terms that one product of int8 takes: with a residue of the sum before, 128 + 2¹⁶·2¹⁴ < 2³¹.
  [[nodiscard]] ASSAY_HD std::int64_t most_terms() const { return std::int64_t{1} << 16; }
  /// The bits that P has above an upper bound of |X|, so that X and −X are apart.
  [[nodiscard]] ASSAY_HD int sign_bits() const { return 1; }
  /// Where the columns of op(B) begin among the lines.
  [[nodiscard]] ASSAY_HD std::int64_t columns_begin(std::int64_t m) const { return m; }
};

/// x·2^e, of which a result below 2⁻¹⁰²² may be rounded; |e| counts as 2000 at most.
ASSAY_HD inline double scaled_by(double x, int e) {
  e = e > 2000 ? 2000 : e < -2000 ? -2000 : e;
  const int half = e / 2;
  return x * bits::power_of_two<double>(half) * bits::power_of_two<double>(e - half);
}

/// 2^e·fraction, 1 ≤ fraction < 2.
struct CrtMagnitude {
  int exponent;
  double fraction;
};

/// Requires: x > 0, normal (not checked).
ASSAY_HD inline CrtMagnitude magnitude_of(double x) { return {bits::normal_exponent(x), bits::normal_fraction(x)}; }

/// Σ|x_l| and the Euclidean norm of a line in units of 2^top, from above. Requires: a line other than 0 (not checked).
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

/// What lines ask of the moduli when all their bits are kept.
struct CrtDemand {
  int bits;          ///< of the integers of a line
  int non_finite;    ///< whether a line has an infinity or a NaN
  double log2_sum;   ///< an upper bound of log₂ Σ|x'_l|
  double log2_norm;  ///< of log₂ ‖x'‖₂

  ASSAY_HD static CrtDemand nothing() { return {0, 0, 0, 0}; }
};

/// log₂ x from above, by at most 0.087. Requires: x ≥ 2⁻¹⁰²² finite (not checked). log₂ f ≤ f − 1 + 0.0861 on [1, 2].
ASSAY_HD inline double log2_above(double x) {
  const CrtMagnitude m = magnitude_of(x);
  return m.exponent + (m.fraction - 0.9138);
}

/// What is known of the data before a plan is made.
struct CrtFindings {
  static constexpr int most_samples = 512;
  CrtDemand demand[2];  ///< of A, of B
  double sample[most_samples];
};

/// The most that any of a side's lines asks: block 0 looks at A, block 1 at B.
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

/// sample[s] = h/g of some entries (i, j), estimated in binary64: with lines scaled to the norm 2^t the bound E of
/// what rounding A and B can change is about 2^t·h, and the result is 2^(2t)·g. 0 where no bit need be dropped to be
/// sure.
struct CrtSampleKernel {
  static constexpr int threads = 128;
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
    const std::uint64_t z = (block.index() + 1) * bits::SplitMix64::step;
    const auto i = static_cast<std::int64_t>((z >> 32) * static_cast<std::uint64_t>(a.lines) >> 32);
    const auto j =
        static_cast<std::int64_t>((z * 0xD1342543DE82EF95u >> 32) * static_cast<std::uint64_t>(b.lines) >> 32);
    const GemmLine row = lines_a[i];
    const GemmLine column = lines_b[j];
    const bool skip = row.is_zero() || column.is_zero() || (row.non_finite | column.non_finite) != 0;
    block.for_each_thread([&](int t, Shared& s) {
      double sum = 0;
      if (!skip) {
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
};

/// How a line becomes integers: x' = round(x·2^scale).
struct CrtLine {
  double half_sum;  ///< an upper bound of ½Σ|x_l|·2^scale
  std::int32_t scale;
  std::int16_t exact;   ///< 1 if nothing is rounded
  std::int16_t finite;  ///< 1 if all numbers are finite
};

/// The scales of lines, m rows of op(A) and then the columns of op(B): as large as ‖x·2^scale‖₂ ≤ limit allows, but no
/// larger than all bits need; with `whole` always what all bits need.
template <class Steps>
struct CrtScaleLines {
  const GemmLine* lines;
  std::int64_t m, length;
  bool whole;
  CrtMagnitude limit;
  CrtLine* result;
  Steps steps;

  ASSAY_HD void operator()(std::size_t at) const {
    const auto i = static_cast<std::int64_t>(at);
    const GemmLine line = lines[i < m ? i : steps.columns_begin(m) + (i - m)];
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

/// The residues of a panel of lines and inner indices: plane p, line i, inner index l at
/// residues[p·plane + i·leading + l], zeros beyond the panel. Each number is read once.
template <int W, class Steps>
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
  Steps steps;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::uint32_t>(block.index());
    const auto tiles = static_cast<std::uint32_t>(inner_tiles);
    const std::int64_t first_line = static_cast<std::int64_t>(index / tiles) * tile_lines;
    const std::int64_t first_inner = static_cast<std::int64_t>(index % tiles) * tile_inner;
    // Neighbouring threads read neighbouring numbers.
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
          const std::uint64_t m = finite ? steps.significand(magnitude) : 0;
          crt::offset_words<W>(m, signbit(x), m == 0 ? 0 : steps.exponent(magnitude) + scale + shift, w[h][j]);
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

/// product[…] ← the balanced residue of it, on one plane a modulus: the sum over further terms may be added to it then.
struct CrtReduce {
  std::int32_t* product;
  std::size_t plane;
  std::int32_t modulus;
  ASSAY_HD void operator()(std::size_t at) const {
    const std::int32_t r = product[at] % modulus;
    product[at] = 2 * r >= modulus ? r - modulus : 2 * r < -modulus ? r + modulus : r;
  }
};

/// The products of a panel of C and what becomes of them. Entry (i, j) of the panel is entry (first_row + i,
/// first_column + j) of C.
struct CrtPanel {
  const std::int32_t* product;  ///< plane p, entry (i, j): product[p·plane + i + j·leading]
  std::int64_t plane, leading;
  std::uint32_t rows, columns;
  std::int64_t first_row, first_column;
  const CrtLine* row_lines;     ///< of the panel
  const CrtLine* column_lines;  ///< of the panel
  double quarter_terms;         ///< k/4
  double alpha, beta;
  double* c;  ///< of the whole product, leading dimension ldc, m rows
  std::int64_t ldc, m;
  std::uint32_t* listed;     ///< how many entries of the panel need another look
  std::uint32_t* list;       ///< which: i + j·rows
  std::uint32_t* undecided;  ///< a bit for each entry of C, i + j·m
  std::uint64_t* undecided_count;
  bool again;  ///< only entries whose bit is set; it is cleared when the entry is decided

  [[nodiscard]] ASSAY_HD std::uint64_t entry(std::uint32_t i, std::uint32_t j) const {
    return static_cast<std::uint64_t>(first_row + i) +
           static_cast<std::uint64_t>(first_column + j) * static_cast<std::uint64_t>(m);
  }
  [[nodiscard]] ASSAY_HD static std::uint32_t bit(std::uint64_t entry) { return std::uint32_t{1} << (entry % 32); }
  [[nodiscard]] ASSAY_HD bool is_asked(std::uint64_t entry) const {
    return !again || (undecided[entry / 32] & bit(entry)) != 0;
  }
  [[nodiscard]] ASSAY_HD double* place(std::uint32_t i, std::uint32_t j) const {
    return c + (first_row + i) + (first_column + j) * ldc;
  }
  ASSAY_HD void decide(std::uint64_t entry, double* place, double value) const {
    *place = value;
    if (again) atomic::fetch_and(undecided + entry / 32, ~bit(entry));
  }

  /// An upper bound of what rounding row i of A and column j of B changes in the integer.
  [[nodiscard]] ASSAY_HD double error(const CrtLine& row, const CrtLine& column) const {
    double sum = 0;
    if (row.exact == 0) sum += column.half_sum;
    if (column.exact == 0) sum += row.half_sum + quarter_terms;
    return sum * (1 + 0x1p-50);
  }
};

/// The high word of a product of two integers.
ASSAY_HD inline std::int32_t high_product(std::int32_t x, std::int32_t y) {
#if defined(__CUDA_ARCH__)
  return __mulhi(x, y);
#else
  return static_cast<std::int32_t>((std::int64_t{x} * y) >> 32);
#endif
}

/// The tables of the first look: P_i = Σ_k weight[i][k] and P = Σ_k product[k], integers of at most 41 bits times
/// 2^(41k). Entries behind the moduli in use are 0 and change nothing.
template <int L>
struct CrtTable {
  static constexpr int digit_bits = 41;
  /// The moduli for which L digits are enough: P_i < 2^(41L − 1).
  static constexpr int most_count = L == 3 ? 16 : L == 4 ? 22 : L == 5 ? 27 : crt::most_moduli;
  /// Products that are loaded at a time.
  static constexpr int group = 8;
  static constexpr int size = (most_count + group - 1) / group * group;
  int count;
  std::int32_t modulus[size];
  std::int32_t reciprocal[size];  ///< ⌊2^(32 + shift)/m_i⌋, 2^(shift + 1) < m_i ≤ 2^(shift + 2)
  std::int32_t shift[size];
  float inverse[size];  ///< RN(1/m_i)
  double weight[size][L];
  double product[L];
};

/// The first look at each entry: α·X·2^−e + β·c in two words with a bound of all errors; written if both ends round
/// to the same number, listed otherwise. Binary64, each operation rounded.
template <int L>
struct CrtCombinationKernel {
  static constexpr int threads = 256;
  static constexpr int blocks_per_multiprocessor = L <= 4 ? 5 : 4;  // more of them spill registers
  struct Shared {};

  CrtPanel panel;
  std::uint32_t row_tiles;
  CrtTable<L> table;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::uint32_t>(block.index());
    const std::uint32_t j = index / row_tiles;
    const std::uint32_t first = index % row_tiles * threads;
    block.for_each_thread([&](int t, Shared&) {
      const std::uint32_t i = first + static_cast<std::uint32_t>(t);
      if (i < panel.rows) look(i, j);
    });
  }

 private:
  /// x, by an addition: faster than a conversion. |x| ≤ 2²² for binary32.
  ASSAY_HD static float to_float(std::int32_t x) {
    return from_bits<float>(std::uint32_t{0x4B400000} + static_cast<std::uint32_t>(x)) - 0x1.8p23f;
  }
  ASSAY_HD static double to_double(std::int32_t x) {
    const std::uint32_t offset = static_cast<std::uint32_t>(x) ^ (std::uint32_t{1} << 31);
    return from_bits<double>(std::uint64_t{0x43300000} << 32 | offset) - 0x1.000008p52;
  }

  ASSAY_HD void look(std::uint32_t i, std::uint32_t j) const {
    const std::uint64_t entry = panel.entry(i, j);
    if (!panel.is_asked(entry)) return;
    const CrtLine row = panel.row_lines[i];
    const CrtLine column = panel.column_lines[j];
    double* place = panel.place(i, j);
    const double c = panel.beta == 0 ? 0 : *place;

    // X = Σ s_i·P_i − Q·P, in digits that are exact.
    const std::int32_t* product = panel.product + i + j * panel.leading;
    double digit[L] = {};
    float fraction = 0;
    using Table = CrtTable<L>;
    ASSAY_UNROLL(Table::size)
    for (int begin = 0; begin < Table::size; begin += Table::group) {
      if (begin < table.count) {
        std::int32_t loaded[Table::group];
        ASSAY_UNROLL(Table::group)
        for (int p = 0; p < Table::group; ++p) {
          loaded[p] = begin + p < table.count ? product[(begin + p) * panel.plane] : 0;
        }
        ASSAY_UNROLL(Table::group)
        for (int p = 0; p < Table::group; ++p) {
          // −2 ≤ s ≤ m_i + 6
          const std::int32_t quotient = high_product(loaded[p], table.reciprocal[begin + p]) >> table.shift[begin + p];
          const std::int32_t s = loaded[p] - quotient * table.modulus[begin + p];
          fraction = fma(to_float(s), table.inverse[begin + p], fraction);
          const double factor = to_double(s);
          ASSAY_UNROLL(L)
          for (int k = 0; k < L; ++k) digit[k] = fma(factor, table.weight[begin + p][k], digit[k]);
        }
      }
    }
    constexpr float magic = 0x1.8p23f;
    const double quotient = fraction + magic - magic;
    ASSAY_UNROLL(L)
    for (int k = 0; k < L; ++k) digit[k] = fma(-quotient, table.product[k], digit[k]);

    // X = high + low with an error of at most `lost`.
    double high = digit[L - 1];
    double low = 0;
    double lost = 0;
    ASSAY_UNROLL(L)
    for (int k = L - 2; k >= 0; --k) {
      const Sum<double> a = two_sum(high, digit[k]);
      const Sum<double> b = two_sum(low, a.e);
      high = a.s;
      low = b.s;
      lost += abs(b.e);
    }

    const int e = row.scale + column.scale;
    bool decided = false;
    double value = 0;
    if (e >= -900 && e <= 900 && row.finite != 0 && column.finite != 0) {
      const double unit = bits::power_of_two<double>(-e);
      const Product<double> x = two_prod(high * unit, panel.alpha);
      const double x_low = fma(low * unit, panel.alpha, x.e);
      const Product<double> y = two_prod(panel.beta, c);
      const Sum<double> sum = two_sum(x.p, y.p);
      const double rest = sum.e + (x_low + y.e);
      const double error = (lost + panel.error(row, column)) * unit * abs(panel.alpha) * (1 + 0x1p-40) +
                           ((abs(x_low) + abs(y.e)) + abs(sum.e)) * 0x1p-50 + 0x1p-1000;
      value = sum.s + (rest + error);
      const double other = sum.s + (rest - error);
      const double magnitude = abs(value);
      decided = value == other && magnitude >= 0x1p-850 && magnitude <= 0x1p900;
    }
    if (decided) {
      panel.decide(entry, place, value);
    } else {
      panel.list[atomic::fetch_add(panel.listed, 1u)] = i + j * panel.rows;
    }
  }
};

/// The second look at the entries that the first one listed, in integers: an entry is written if X − E and X + E give
/// the same number, and undecided otherwise. Entries of lines that are not finite are left as they are; a c that is not
/// finite gives β·c.
struct CrtSecondLook {
  CrtPanel panel;
  crt::Basis basis;

  ASSAY_HD void operator()(std::size_t at) const {
    if (at >= *panel.listed) return;
    const std::uint32_t number = panel.list[at];
    const std::uint32_t i = number % panel.rows;
    const std::uint32_t j = number / panel.rows;
    const CrtLine row = panel.row_lines[i];
    const CrtLine column = panel.column_lines[j];
    double* place = panel.place(i, j);
    const double c = panel.beta == 0 ? 0 : *place;
    const std::uint64_t entry = panel.entry(i, j);
    if (row.finite == 0 || column.finite == 0) return;
    if (!is_finite(c)) {
      panel.decide(entry, place, panel.beta * c);
      return;
    }

    constexpr int words = crt::most_words + 1;
    std::int32_t s[crt::most_moduli];
    for (int p = 0; p < basis.count; ++p) s[p] = panel.product[p * panel.plane + i + j * panel.leading];
    std::uint32_t x[words];
    crt::reconstruct(basis, s, x);
    const double error = panel.error(row, column);
    std::uint32_t d[words] = {};
    if (error != 0) {
      const bits::Significand m = bits::significand(error);
      // ⌈error⌉, at most.
      const std::uint64_t whole = m.e >= 0 ? m.m : m.e < -53 ? 1 : (m.m >> -m.e) + 1;
      const int shift = m.e > 0 ? m.e : 0;
      for (int k = 0; k < words; ++k) {
        const std::uint32_t bits[2] = {static_cast<std::uint32_t>(whole), static_cast<std::uint32_t>(whole >> 32)};
        d[k] = static_cast<std::uint32_t>(limb::bits_at(bits, 2, 32 * k - shift));
      }
    }
    const int e = -(row.scale + column.scale);
    const double upper = crt::combination(x, d, false, e, panel.alpha, panel.beta, c);
    const double lower = error == 0 ? upper : crt::combination(x, d, true, e, panel.alpha, panel.beta, c);
    if (to_bits(upper) == to_bits(lower)) {
      panel.decide(entry, place, upper);
    } else {
      atomic::fetch_add(panel.undecided_count, std::uint64_t{1});
      if (!panel.again) atomic::fetch_or(panel.undecided + entry / 32, CrtPanel::bit(entry));
    }
  }
};

/// list ← the entries whose bits are set in `words` words from word `first` on.
struct CrtListUndecided {
  const std::uint32_t* undecided;
  std::uint64_t first;
  std::uint32_t* listed;
  std::uint64_t* list;
  ASSAY_HD void operator()(std::size_t at) const {
    std::uint32_t bits = undecided[first + at];
    if (bits == 0) return;
    std::uint32_t count = 0;
    for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) ++count;
    std::uint32_t to = atomic::fetch_add(listed, count);
    for (; bits != 0; bits &= bits - 1) {
      list[to++] = (first + at) * 32 + static_cast<std::uint64_t>(bits::trailing_zeros(bits));
    }
  }
};

/// Sets the bits of all entries whose lines are finite.
struct CrtMarkFinite {
  const GemmLine* lines_a;
  const GemmLine* lines_b;
  std::int64_t m;
  std::uint32_t* undecided;
  std::uint64_t* undecided_count;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto j = static_cast<std::int64_t>(at) / m;
    if ((lines_a[static_cast<std::int64_t>(at) - j * m].non_finite | lines_b[j].non_finite) != 0) return;
    atomic::fetch_or(undecided + at / 32, CrtPanel::bit(at));
    atomic::fetch_add(undecided_count, std::uint64_t{1});
  }
};

/// C ← RN(β·C), an exact zero +0.
struct CrtScaleC {
  double* c;
  std::int64_t ldc, m;
  double beta;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto j = static_cast<std::int64_t>(at) / m;
    double& x = c[static_cast<std::int64_t>(at) - j * m + j * ldc];
    x = beta == 0 || x == 0 ? 0 : beta * x;
  }
};

}  // namespace assay::gemm::detail
