#pragma once
// Kernels of gemm_ozaki that add up slice products and round entries of C.
//
// OzakiIntegerSum first adds in double words with a bound of the error. Where that does not decide the rounding, it
// adds integers of W words. OzakiNearSum adds as published. Derivations: docs/bounds/gemm.md.

#include <cstdint>

#include "arith/accumulators/accurate_sum.hpp"
#include "arith/accumulators/ozaki_split.hpp"
#include "arith/bits/bits.hpp"
#include "arith/limbs/combination.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/gemm/ozaki.hpp"

namespace assay::gemm::detail {

/// A tile of C and the products of its slices.
struct OzakiTile {
  const double* products;  ///< A_p·B_r at (p·padded_rows + i) + (r·padded_columns + j)·slices_a·padded_rows
  std::int64_t rows, columns;
  std::int64_t padded_rows, padded_columns;
  int slices_a, slices_b;
  int levels;  ///< that are formed; 0 if there are no products
  int width;
  const std::int32_t* unit_a;
  const std::int32_t* unit_b;
  double alpha, beta;
  double alpha_fraction, beta_fraction;  ///< of magnitude ½ … 1
  int alpha_exponent, beta_exponent;
  double* c;
  std::int64_t ldc;

  static constexpr int threads = 128;
  static constexpr int farthest = 700;  ///< of the exponents of β·c and of the sum, where both are scaled alike
  [[nodiscard]] std::size_t blocks() const { return static_cast<std::size_t>(((rows - 1) / threads + 1) * columns); }

  [[nodiscard]] ASSAY_HD int first_slice(int level) const { return level < slices_b ? 0 : level - slices_b + 1; }
  [[nodiscard]] ASSAY_HD int last_slice(int level) const { return level < slices_a ? level : slices_a - 1; }
  /// The product A_p·B_(level − p) of the entry.
  [[nodiscard]] ASSAY_HD double product(std::int64_t i, std::int64_t j, int level, int p) const {
    return products[p * padded_rows + i + ((level - p) * padded_columns + j) * (slices_a * padded_rows)];
  }
  /// The exponent of the unit in which an entry is summed up. The power of two of α is part of the unit.
  [[nodiscard]] ASSAY_HD int unit(std::int64_t i, std::int64_t j) const {
    return unit_a[i] + unit_b[j] + alpha_exponent;
  }
  /// β·c·2^−unit in two words, exactly. `fits` if the exponents are near enough. Requires: c ≠ 0 (not checked).
  struct Start {
    Product<double> words;
    bool fits;
  };
  [[nodiscard]] ASSAY_HD Start start_in(int unit, double c) const {
    const bits::Significand magnitude = bits::significand(c);
    const int distance = beta_exponent + magnitude.e - unit;
    if (distance < -farthest || distance > farthest) return {{0, 0}, false};
    const auto integer = static_cast<double>(magnitude.m);
    const Product<double> product = two_prod(beta_fraction, signbit(c) ? -integer : integer);
    const double scale = bits::power_of_two<double>(distance);
    return {{product.p * scale, product.e * scale}, true};
  }
  /// x·2^unit. Requires: x and the result normal (not checked).
  [[nodiscard]] ASSAY_HD static double scaled(double x, int unit) { return bits::scaled_normal(x, unit); }
  /// f(i, j) for the entries of a block.
  template <class Block, class F>
  ASSAY_HD void for_each_entry(Block& block, F&& f) const {
    const auto across = static_cast<std::uint32_t>(columns);
    const auto index = static_cast<std::uint32_t>(block.index());
    const std::int64_t j = index % across;
    const std::int64_t first = std::int64_t{index / across} * threads;
    block.for_each_thread([&](int t, auto&) {
      if (first + t < rows) f(first + t, j);
    });
  }
};

/// Which entries of a tile are decided if the sums omit some levels.
struct OzakiDecisions {
  const std::int32_t* slices_a;  ///< that each row has, and each column
  const std::int32_t* slices_b;
  int levels;                ///< that are formed
  std::int64_t terms;        ///< k·2^(q − 1): a bound of an omitted pair, in units of the last level
  std::uint8_t* decided;     ///< of entry (i, j) at i + j·rows; null if no products were left out
  std::uint32_t* undecided;  ///< their number

  /// A bound of the omitted slice products of an entry, in units of the last level that is formed.
  [[nodiscard]] ASSAY_HD std::int64_t error(std::int64_t i, std::int64_t j) const {
    return decided == nullptr ? 0 : terms * ozaki::truncated_pairs(slices_a[i], slices_b[j], levels);
  }
};

/// The sum of the slice products of an entry, as an integer of W words. After the last block of the inner index the
/// entry is written, if the omitted slice products cannot change its rounding. Sums of earlier blocks are read from
/// `sums`, and the new ones are stored there: word w of entry (i, j) at sums[(w·columns + j)·rows + i].
template <int W>
struct OzakiIntegerSum {
  static constexpr int threads = OzakiTile::threads;
  struct Shared {};

  OzakiTile tile;
  OzakiDecisions decisions;
  std::uint32_t* sums;
  bool first, last;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    tile.for_each_entry(block, [&](std::int64_t i, std::int64_t j) { entry(i, j); });
  }

  ASSAY_HD void entry(std::int64_t i, std::int64_t j) const {
    std::uint8_t* const decided = decisions.decided == nullptr ? nullptr : decisions.decided + (i + j * tile.rows);
    if (decided != nullptr && *decided != 0) return;
    if (first && last && decided_by_words(i, j)) {
      if (decided != nullptr) *decided = 1;
      return;
    }
    const int count = ozaki::level_sum_words(tile.levels > 0 ? tile.levels : 1, tile.width);
    ozaki::LevelSum<W> sum(tile.width, count);
    for (int level = tile.levels - 1; level >= 0; --level) {
      std::int64_t n = 0;
      for (int p = tile.first_slice(level); p <= tile.last_slice(level); ++p) {
        n += static_cast<std::int64_t>(tile.product(i, j, level, p));
      }
      sum.add(n);
    }
    sum.finish();
    if (!first) add(sum.word, count, [&](int w) { return sums[(w * tile.columns + j) * tile.rows + i]; });
    if (!last) {
      for (int w = 0; w < count; ++w) sums[(w * tile.columns + j) * tile.rows + i] = sum.word[w];
      return;
    }
    double& to = tile.c[i + j * tile.ldc];
    const double start = tile.beta == 0 ? 0.0 : to;
    double result = tile.beta * start;
    if (is_finite(start)) {
      const int e = tile.levels > 0 ? tile.unit_a[i] + tile.unit_b[j] - tile.width * (tile.levels - 1) : 0;
      const std::int64_t error = decisions.error(i, j);
      result = rounded(sum.word, count, error, e, start);
      if (error != 0 && to_bits(result) != to_bits(rounded(sum.word, count, -error, e, start))) {
        atomic::fetch_add(decisions.undecided, 1u);
        return;
      }
    }
    to = result;
    if (decided != nullptr) *decided = 1;
  }

 private:
  /// Adds up an entry in double words. Writes it if it is normal and neither the error of the sum nor the omitted slice
  /// products can change its rounding. docs/bounds/gemm.md.
  ASSAY_HD bool decided_by_words(std::int64_t i, std::int64_t j) const {
    constexpr int widest = 900;  // bits that the levels span
    double& to = tile.c[i + j * tile.ldc];
    const double start = tile.beta == 0 ? 0.0 : to;
    if (tile.levels == 0 || tile.width * (tile.levels - 1) > widest || !is_finite(start)) return false;
    double s = 0;
    double t = 0;
    double magnitude = 0;
    int n = 4;
    for (int level = 0; level < tile.levels; ++level) {
      const double weight = bits::power_of_two<double>(-tile.width * level);
      for (int p = tile.first_slice(level); p <= tile.last_slice(level); ++p) {
        const double term = tile.product(i, j, level, p) * weight;
        const Sum<double> sum = two_sum(s, term);
        s = sum.s;
        t = t + sum.e;
        magnitude = magnitude + abs(term);
        ++n;
      }
    }
    const int unit = tile.unit(i, j);
    const Product<double> product = two_prod(tile.alpha_fraction, s);
    OzakiTile::Start other{{0, 0}, true};
    if (start != 0) other = tile.start_in(unit, start);
    if (!other.fits) return false;
    const Sum<double> both = two_sum(product.p, other.words.p);
    const Sum<double> result = two_sum(both.s, ((product.e + tile.alpha_fraction * t) + other.words.e) + both.e);
    const double rounding = 0x1p-103 * static_cast<double>(n * n) * (magnitude + abs(other.words.p));
    const double truncation = static_cast<double>(decisions.error(i, j)) *
                              bits::power_of_two<double>(-tile.width * (tile.levels - 1)) * 0x1.00001p0;
    const double error = (rounding + truncation) * 0x1.00001p0;
    const double value = result.s;
    if (value == 0 || value + (result.e - error) != value || value + (result.e + error) != value) return false;
    const int e = exponent(value) + unit;
    if (e < -1021 || e > 1023) return false;
    to = OzakiTile::scaled(value, unit);
    return true;
  }

  /// Word w of x in two's complement.
  ASSAY_HD static std::uint32_t word_of(std::int64_t x, int w) {
    return static_cast<std::uint32_t>(w < 2 ? x >> (32 * w) : x >> 63);
  }

  /// x ← x + y modulo 2^(32·count), where word(w) is word w of y.
  template <class Words>
  ASSAY_HD static void add(std::uint32_t* x, int count, Words&& word) {
    std::uint64_t carry = 0;
    for (int w = 0; w < count; ++w) {
      carry += std::uint64_t{x[w]} + word(w);
      x[w] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  /// RN(α·(x + error)·2^e + β·start) of x in two's complement.
  ASSAY_HD double rounded(const std::uint32_t* x, int count, std::int64_t error, int e, double start) const {
    std::uint32_t y[W] = {};
    for (int w = 0; w < count; ++w) y[w] = x[w];
    if (error != 0) add(y, count, [&](int w) { return word_of(error, w); });
    const bool minus = static_cast<std::int32_t>(y[count - 1]) < 0;
    if (minus) limb::negate(y, count);
    return limb::combination<W>(y, count, minus, e, tile.alpha, tile.beta, start);
  }
};

/// The entries of a tile by NearSum. Entries whose terms or result leave the range in which NearSum is exact are added
/// up in integers.
struct OzakiNearSum {
  static constexpr int threads = OzakiTile::threads;
  static constexpr int blocks_per_multiprocessor = 6;  // 8 and more take longer
  static constexpr int most_terms = 2 * ozaki_near_sum_slices * ozaki_near_sum_slices + 2;
  static constexpr int words = ozaki::level_sum_words(2 * ozaki_near_sum_slices - 1, 27);
  struct Shared {};

  OzakiTile tile;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    tile.for_each_entry(block, [&](std::int64_t i, std::int64_t j) {
      if (!entry(i, j)) OzakiIntegerSum<words>{tile, {}, nullptr, true, true}.entry(i, j);
    });
  }

 private:
  ASSAY_HD bool entry(std::int64_t i, std::int64_t j) const {
    double& to = tile.c[i + j * tile.ldc];
    const double start = tile.beta == 0 ? 0.0 : to;
    if (tile.levels == 0 || !is_finite(start)) return false;
    const int unit = tile.unit(i, j);
    double term[most_terms];
    std::int64_t n = 0;
    for (int level = 0; level < tile.levels; ++level) {
      const double weight = bits::power_of_two<double>(-tile.width * level);
      for (int p = tile.first_slice(level); p <= tile.last_slice(level); ++p) {
        const Product<double> product = two_prod(tile.alpha_fraction, tile.product(i, j, level, p) * weight);
        term[n++] = product.p;
        term[n++] = product.e;
      }
    }
    if (start != 0) {
      const OzakiTile::Start other = tile.start_in(unit, start);
      if (!other.fits) return false;
      term[n++] = other.words.p;
      term[n++] = other.words.e;
    }
    const double sum = near_sum(term, n);
    if (sum == 0) {
      to = 0;
      return true;
    }
    const int e = exponent(sum) + unit;
    if (e < -1022) return false;
    to = e > 1023 ? from_bits<double>((to_bits(sum) & bits::sign_bit<double>) | (bits::max_finite_bits<double> + 1))
                  : OzakiTile::scaled(sum, unit);
    return true;
  }
};

/// list ← the undecided entries of a tile, as i + j·m in C.
struct OzakiListUndecided {
  static constexpr int threads = OzakiTile::threads;
  struct Shared {};

  OzakiTile tile;
  const std::uint8_t* decided;
  std::int64_t first_row, first_column, m;
  std::uint32_t* counter;
  std::uint64_t* list;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    tile.for_each_entry(block, [&](std::int64_t i, std::int64_t j) {
      if (decided[i + j * tile.rows] != 0) return;
      list[atomic::fetch_add(counter, 1u)] = static_cast<std::uint64_t>(first_row + i + (first_column + j) * m);
    });
  }
};

}  // namespace assay::gemm::detail
