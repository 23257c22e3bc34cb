#pragma once
// Kernels of gemm_crt that decide the entries of C from the products modulo m_i.
//
// The first look reconstructs the integer X of an entry in a few exact binary64 digits, and decides nearly all entries.
// The second look takes the entries that the first one listed, in integers. An entry is written if X − E and X + E give
// the same rounded number, where E bounds what rounding A and B changed. Further kernels list, mark and scale entries.
// Derivations: docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/crt_integer.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/detail/crt_residue_kernels.hpp"

namespace assay::gemm::detail {

/// A panel of C: the products of its entries, and the arrays that record decisions. Entry (i, j) of the panel is entry
/// (first_row + i, first_column + j) of C.
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

  /// An upper bound of the change of the integer by rounding row i of A and column j of B.
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

/// The shift with 2^(shift + 1) < m ≤ 2^(shift + 2), so that ⌊2^(32 + shift)/m⌋ is below 2³¹. Requires: m ≥ 3 (not
/// checked).
constexpr int reciprocal_shift(std::int32_t m) { return bits::bit_length(static_cast<std::uint32_t>(m - 1)) - 2; }

/// The tables of the first look: P_i = Σ_k weight[i][k] and P = Σ_k product[k], with P and P_i of gemm/crt.hpp. Each
/// summand is an integer of at most 41 bits times 2^(41k). Entries beyond the moduli in use are 0 and change nothing.
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
  std::int32_t reciprocal[size];  ///< ⌊2^(32 + shift)/m_i⌋
  std::int32_t shift[size];       ///< reciprocal_shift(m_i)
  float inverse[size];            ///< RN(1/m_i)
  double weight[size][L];
  double product[L];
};

/// The first look: α·X·2^−e + β·c in two words, with a bound of all errors, in binary64 with each operation rounded.
/// The entry is written if both ends of the error interval round to the same number, and listed otherwise.
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
  /// x as a floating-point number, by an addition, which is faster than a conversion. Binary32: |x| ≤ 2²².
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

/// The second look, in integers, at the entries that the first look listed. An entry is written if X − E and X + E give
/// the same number, and marked as undecided otherwise. Entries of lines that are not finite are not written. A c that
/// is not finite gives β·c.
struct CrtSecondLook {
  /// Threads of a launch, at most: mostly few entries are listed, and their number is not known on the host.
  static constexpr std::size_t most_threads = std::size_t{1} << 17;

  CrtPanel panel;
  crt::Basis basis;
  std::size_t threads;

  ASSAY_HD void operator()(std::size_t first) const {
    for (std::size_t at = first; at < *panel.listed; at += threads) look(panel.list[at]);
  }

 private:
  ASSAY_HD void look(std::uint32_t number) const {
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

/// list ← the entries whose bits are set, in word first + at.
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

/// Marks all entries whose lines are finite as undecided.
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

/// C ← RN(β·C). An exact zero is +0.
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
