#pragma once
// The kernels of the Ozaki scheme and the order in which they are launched, for the files that do that.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/accumulators/accurate_sum.hpp"
#include "arith/accumulators/ozaki_split.hpp"
#include "arith/limbs/combination.hpp"
#include "exec/atomic.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/scan.hpp"
#include "kernels/gemm/superaccumulator.hpp"

namespace assay::gemm::detail {

/// The steps of the scheme that have names of their own.
struct OzakiSteps : ozaki::Steps {
  void scan(const Executor& on, const GemmLines& of, GemmLine* result) const { gemm_scan(on, of, result); }

  /// The exponent of the unit of slice 0 of a line; any number will do for a line of zeros.
  [[nodiscard]] int unit(const GemmLine& line, int q) const { return line.is_zero() ? 0 : top(line.top) - q; }

  /// Which grids the products' columns are taken to be on.
  [[nodiscard]] const std::vector<std::int32_t>& column_units(const std::vector<std::int32_t>&,
                                                              const std::vector<std::int32_t>& of_b) const {
    return of_b;
  }

  /// The levels that are formed of those that are asked for.
  [[nodiscard]] int levels(int wanted) const { return wanted; }
};

/// The lines of a tile in slices: slice p of number l of line i at out[i·line_step + l·inner_step + p·slice_step].
/// Lines behind the last get zeros.
template <class Steps>
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
  Steps steps;

  /// Threads run along what stands side by side: the lines, or the numbers of a line.
  [[nodiscard]] std::size_t blocks() const {
    const std::int64_t along = of.inner_step == 1 ? of.length : padded_lines;
    const std::int64_t across = of.inner_step == 1 ? padded_lines : of.length;
    return static_cast<std::size_t>(((along - 1) / threads + 1) * across);
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
      ozaki::Slicer slicer(zero ? 0.0 : of.x[line * of.line_step + l * of.inner_step], zero ? 0 : unit[line], width,
                           steps);
      for (int p = 0; p < slices; ++p) to[p * slice_step] = slicer.next();
    });
  }
};

/// What the kernels behind the products share: a tile of C, and the products of its slices.
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
  /// The exponent of the unit in which the sums of an entry are, times that of α.
  [[nodiscard]] ASSAY_HD int unit(std::int64_t i, std::int64_t j) const {
    return unit_a[i] + unit_b[j] + alpha_exponent;
  }
  /// β·c·2^−unit in two words, exactly, for c not 0; `fits` if the exponents are near enough.
  struct Start {
    Product<double> words;
    bool fits;
  };
  [[nodiscard]] ASSAY_HD Start start_in(int unit, double c) const {
    const bits::Significand magnitude = bits::significand(c);
    const int distance = beta_exponent + magnitude.e - unit;
    if (distance < -farthest || distance > farthest) return {{0, 0}, false};
    const auto integer = static_cast<double>(magnitude.m);
    const Product<double> product = two_prod(beta_fraction, magnitude.minus ? -integer : integer);
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

/// Which entries of a tile a sum of fewer levels has decided.
struct OzakiDecisions {
  const std::int32_t* slices_a;  ///< that each row has, and each column
  const std::int32_t* slices_b;
  int levels;                ///< that are formed
  std::int64_t terms;        ///< k·2^(q − 1): what a pair that is left out is at most, in units of the last level
  std::uint8_t* decided;     ///< of entry (i, j) at i + j·rows; null if every sum is the entry's
  std::uint32_t* undecided;  ///< their number

  /// A bound of what is left out of an entry, in units of the last level that is formed.
  [[nodiscard]] ASSAY_HD std::int64_t error(std::int64_t i, std::int64_t j) const {
    return decided == nullptr ? 0 : terms * ozaki::truncated_pairs(slices_a[i], slices_b[j], levels);
  }
};

/// The sum of an entry's slice products as an integer of W words, and after the last block of the inner index the
/// entry, if what is left out cannot change its rounding. Sums of the earlier blocks come from `sums`, those of this
/// one go there: word w of entry (i, j) at sums[(w·columns + j)·rows + i].
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
  /// A look at an entry in double words: writes it where their error, and that of what is left out, cannot change its
  /// rounding, and where it is normal. docs/bounds/gemm.md.
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

  /// x ← x + y modulo 2^(32·count), y by its words.
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
    const bool minus = y[count - 1] >> 31 != 0;
    if (minus) limb::negate(y, count);
    return limb::combination<W>(y, count, minus, e, tile.alpha, tile.beta, start);
  }
};

/// The entries of a tile by NearSum; those whose terms or result leave the range in which it is exact, in integers.
struct OzakiNearSum {
  static constexpr int threads = OzakiTile::threads;
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

/// list ← the entries of a tile that are not decided, i + j·m in C.
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

/// The lines of op(A) or op(B) as the host knows them.
struct OzakiLines {
  std::vector<GemmLine> line;
  std::vector<std::int32_t> unit;
  std::vector<std::int32_t> zeroed;
  std::vector<std::int32_t> slices;

  /// The most slices that lines first … first + count − 1 need.
  [[nodiscard]] int most_slices(std::int64_t first, std::int64_t count) const {
    return *std::max_element(slices.begin() + first, slices.begin() + first + count);
  }
};

template <class Steps>
OzakiLines ozaki_lines(const Executor& on, const GemmLines& of, const Steps& steps) {
  OzakiLines lines;
  lines.line.resize(static_cast<std::size_t>(of.lines));
  Workspace workspace(on, Workspace::bytes_of<GemmLine>(lines.line.size()));
  auto* scanned = workspace.take<GemmLine>(lines.line.size());
  steps.scan(on, of, scanned);
  copy_from(on, lines.line.data(), scanned, lines.line.size() * sizeof(GemmLine));
  for (const GemmLine& line : lines.line) lines.zeroed.push_back(line.non_finite);
  return lines;
}

/// Chooses the grids for slices of q bits; at most `levels` slices of a line are formed (0: all).
template <class Steps>
void choose_grids(OzakiLines& lines, int q, int levels, const Steps& steps) {
  lines.unit.clear();
  lines.slices.clear();
  for (const GemmLine& line : lines.line) {
    const bool zero = line.is_zero() || line.non_finite != 0;
    lines.unit.push_back(steps.unit(line, q));
    const int needed = zero ? 0 : ozaki::slices_needed(line.top + 1, line.low, q);
    lines.slices.push_back(levels > 0 ? std::min(needed, levels) : needed);
  }
}

[[nodiscard]] inline std::int64_t rounded_up(std::int64_t x, std::int64_t granule) {
  return (x + granule - 1) / granule * granule;
}

/// One product by the scheme, in the steps given.
template <class Steps>
class OzakiProduct {
 public:
  OzakiProduct(const Executor& on, const GemmArguments& g, const GemmOptions& options, const OzakiMode& mode,
               const Steps& steps)
      : on_(on), g_(g), mode_(mode), steps_(steps), budget_(options.budget()) {}

  OzakiPlan run() {
    if (g_.m == 0 || g_.n == 0) return plan_;
    if (!g_.reads_ab()) {
      plan_.tile_rows = g_.m;
      plan_.tile_columns = g_.n;
      sum_in_integers(tile_of(0, g_.m, 0, g_.n), {}, true, true);
      wait(on_);
      return plan_;
    }
    rows_ = ozaki_lines(on_, GemmLines::rows_of_a(g_), steps_);
    columns_ = ozaki_lines(on_, GemmLines::columns_of_b(g_), steps_);
    choose();
    Workspace workspace(on_, bytes());
    take(workspace);
    levels_ = first_levels();
    for (std::int64_t j = 0; j < g_.n; j += plan_.tile_columns) {
      const std::int64_t columns = std::min(plan_.tile_columns, g_.n - j);
      for (std::int64_t i = 0; i < g_.m; i += plan_.tile_rows) {
        do_tile(i, std::min(plan_.tile_rows, g_.m - i), j, columns);
      }
    }
    wait(on_);
    return plan_;
  }

 private:
  [[nodiscard]] std::int64_t granule() const { return on_.kind() == Executor::Kind::host ? 1 : 8; }
  [[nodiscard]] std::int64_t padded(std::int64_t x) const { return rounded_up(x, granule()); }

  /// ⌈x/parts⌉, in whole tiles of the library's own where it is large.
  [[nodiscard]] std::int64_t part_of(std::int64_t x, std::int64_t parts) const {
    if (parts == 1) return x;
    const std::int64_t part = (x - 1) / parts + 1;
    return std::min(x, rounded_up(part, part > 1024 ? 128 : granule()));
  }

  [[nodiscard]] int words() const {
    return ozaki::level_sum_words(std::max(1, plan_.slices_a + plan_.slices_b - 1), plan_.q + 1);
  }

  /// The bytes of all arrays with the plan as it is.
  [[nodiscard]] std::size_t bytes() const {
    const std::int64_t rows = padded(plan_.tile_rows);
    const std::int64_t columns = padded(plan_.tile_columns);
    const std::int64_t inner = padded(plan_.inner);
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    return Workspace::bytes_of<double>(size(plan_.slices_a * rows * inner)) +
           Workspace::bytes_of<double>(size(plan_.slices_b * columns * inner)) +
           Workspace::bytes_of<double>(size(plan_.slices_a * rows * plan_.slices_b * columns)) +
           Workspace::bytes_of<std::uint32_t>(plan_.inner < g_.k ? size(words() * plan_.tile_rows * plan_.tile_columns)
                                                                 : 0) +
           3 * Workspace::bytes_of<std::int32_t>(size(g_.m)) + 4 * Workspace::bytes_of<std::int32_t>(size(g_.n)) +
           Workspace::bytes_of<std::uint32_t>(1) + Workspace::bytes_of<std::uint8_t>(size(decisions())) +
           Workspace::bytes_of<std::uint64_t>(size(listed()));
  }

  /// Whether few levels may do: the sums of an entry are then looked at more than once.
  [[nodiscard]] bool looks_again() const {
    return mode_.sum == OzakiSum::integers && mode_.levels == 0 && !mode_.every_product && plan_.inner == g_.k;
  }
  [[nodiscard]] std::int64_t decisions() const { return looks_again() ? plan_.tile_rows * plan_.tile_columns : 0; }
  /// The most entries of a tile that are left to superaccumulators.
  [[nodiscard]] std::int64_t listed() const { return decisions() / 16; }
  /// The bytes that superaccumulators may have beside the other arrays.
  [[nodiscard]] std::size_t recompute_bytes() const {
    const auto copies = sizeof(double) * static_cast<std::size_t>(g_.k * (g_.m + g_.n));
    return looks_again() ? std::min({budget_ / 8, recompute_default_workspace, copies}) : 0;
  }

  /// Slices for blocks of the inner index as the plan has them; shorter blocks never need more of them.
  void choose_slices() {
    plan_.q = ozaki::slice_bits(plan_.inner, steps_);
    choose_grids(rows_, plan_.q, mode_.levels, steps_);
    choose_grids(columns_, plan_.q, mode_.levels, steps_);
    plan_.slices_a = rows_.most_slices(0, g_.m);
    plan_.slices_b = columns_.most_slices(0, g_.n);
    const int needed = std::max(plan_.slices_a, plan_.slices_b);
    const int cap =
        mode_.sum == OzakiSum::near_sum ? std::min(mode_.most_slices, ozaki_near_sum_slices) : mode_.most_slices;
    if (needed > cap) throw SliceCapError(needed, cap);
  }

  /// The largest tiles and blocks within the budget: tiles become smaller down to 512, then blocks down to 1024, then
  /// both down to 16, then tiles to the least that part_of() gives.
  void choose() {
    constexpr std::int64_t most_inner = 1 << 16;
    std::int64_t parts_m = 1;
    std::int64_t parts_n = 1;
    std::int64_t parts_k = whole_inner() ? 1 : (g_.k - 1) / most_inner + 1;
    const auto more = [](std::int64_t parts) { return parts + std::max<std::int64_t>(1, parts / 8); };
    plan_.inner = part_of(g_.k, parts_k);
    choose_slices();
    for (;;) {
      plan_.tile_rows = part_of(g_.m, parts_m);
      plan_.tile_columns = part_of(g_.n, parts_n);
      plan_.workspace = bytes() + recompute_bytes();
      if (plan_.workspace <= budget_) break;
      const std::int64_t larger = std::max(plan_.tile_rows, plan_.tile_columns);
      const bool shorter =
          !whole_inner() && plan_.inner > 16 && (larger <= 16 || (larger <= 512 && plan_.inner > 1024));
      if (shorter) {
        parts_k = more(parts_k);
        plan_.inner = part_of(g_.k, parts_k);
        choose_slices();
      } else if (larger > granule()) {
        std::int64_t& parts = plan_.tile_columns >= plan_.tile_rows ? parts_n : parts_m;
        parts = more(parts);
      } else {
        throw std::invalid_argument("gemm_ozaki: a workspace of " + std::to_string(budget_) +
                                    " bytes is too small, the smallest tile takes " + std::to_string(plan_.workspace));
      }
    }
  }

  /// The levels that decide nearly all entries that are about √k times 2⁻⁸ of the largest that their lines allow.
  [[nodiscard]] int first_levels() const { return (53 + steps_.inner_bits(g_.k) / 2 + 12 + plan_.q) / (plan_.q + 1); }

  /// NearSum takes the products of the whole inner index at once.
  [[nodiscard]] bool whole_inner() const { return mode_.sum == OzakiSum::near_sum; }

  void take(Workspace& workspace) {
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const std::int64_t rows = padded(plan_.tile_rows);
    const std::int64_t columns = padded(plan_.tile_columns);
    const std::int64_t inner = padded(plan_.inner);
    a_ = workspace.take<double>(size(plan_.slices_a * rows * inner));
    b_ = workspace.take<double>(size(plan_.slices_b * columns * inner));
    products_ = workspace.take<double>(size(plan_.slices_a * rows * plan_.slices_b * columns));
    sums_ =
        workspace.take<std::uint32_t>(plan_.inner < g_.k ? size(words() * plan_.tile_rows * plan_.tile_columns) : 0);
    const auto copied = [&](const std::vector<std::int32_t>& from) {
      auto* to = workspace.take<std::int32_t>(from.size());
      copy_to(on_, to, from.data(), from.size() * sizeof(std::int32_t));
      return to;
    };
    unit_a_ = copied(rows_.unit);
    zeroed_a_ = copied(rows_.zeroed);
    unit_b_ = copied(columns_.unit);
    zeroed_b_ = copied(columns_.zeroed);
    unit_c_ = copied(steps_.column_units(rows_.unit, columns_.unit));
    slices_a_ = copied(rows_.slices);
    slices_b_ = copied(columns_.slices);
    counter_ = workspace.take<std::uint32_t>(1);
    decided_ = workspace.take<std::uint8_t>(size(decisions()));
    list_ = workspace.take<std::uint64_t>(size(listed()));
  }

  [[nodiscard]] OzakiTile tile_of(std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t columns) const {
    OzakiTile tile{};
    tile.products = products_;
    tile.rows = rows;
    tile.columns = columns;
    tile.padded_rows = padded(rows);
    tile.padded_columns = padded(columns);
    tile.width = plan_.q + 1;
    tile.unit_a = unit_a_ + i;
    tile.unit_b = unit_c_ + j;
    tile.alpha = g_.alpha;
    tile.beta = g_.beta;
    tile.alpha_fraction = std::frexp(g_.alpha, &tile.alpha_exponent);
    tile.beta_fraction = std::frexp(g_.beta, &tile.beta_exponent);
    tile.c = g_.c + i + j * g_.ldc;
    tile.ldc = g_.ldc;
    return tile;
  }

  /// A tile of lines in slices. Returns the leading dimension of the slices, which stand one below the other where
  /// lines stand side by side, and otherwise one beside the other.
  std::int64_t split(const GemmLines& all, std::int64_t first, std::int64_t count, std::int64_t begin,
                     std::int64_t length, int slices, const std::int32_t* unit, const std::int32_t* zeroed,
                     double* out) const {
    OzakiSplitKernel<Steps> kernel{};
    kernel.of = all;
    kernel.of.x += first * all.line_step + begin * all.inner_step;
    kernel.of.lines = count;
    kernel.of.length = length;
    kernel.unit = unit + first;
    kernel.zeroed = zeroed + first;
    kernel.out = out;
    kernel.padded_lines = padded(count);
    const bool inner = all.inner_step == 1;
    const std::int64_t leading = inner ? padded(plan_.inner) : slices * kernel.padded_lines;
    kernel.line_step = inner ? leading : 1;
    kernel.inner_step = inner ? 1 : leading;
    kernel.slice_step = inner ? kernel.padded_lines * leading : kernel.padded_lines;
    kernel.width = plan_.q + 1;
    kernel.slices = slices;
    kernel.steps = steps_;
    queue_blocks(on_, kernel.blocks(), kernel);
    return leading;
  }

  void do_tile(std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t columns) {
    OzakiTile tile = tile_of(i, rows, j, columns);
    tile.slices_a = rows_.most_slices(i, rows);
    tile.slices_b = columns_.most_slices(j, columns);
    if (tile.slices_a == 0 || tile.slices_b == 0) {
      tile.slices_a = tile.slices_b = 0;
      sum_in_integers(tile, {}, true, true);
      return;
    }
    const int all = tile.slices_a + tile.slices_b - 1;
    const int wanted = looks_again() ? std::min(all, levels_) : mode_.levels > 0 ? std::min(all, mode_.levels) : all;
    for (std::int64_t l = 0; l < g_.k; l += plan_.inner) {
      const std::int64_t length = std::min(plan_.inner, g_.k - l);
      split_tile(i, rows, j, columns, l, length, tile);
      tile.levels = steps_.levels(wanted);
      multiply(tile, length);
      if (looks_again() && wanted < all) {
        decide(tile, i, j, wanted);
      } else if (mode_.sum == OzakiSum::near_sum) {
        queue_blocks(on_, tile.blocks(), OzakiNearSum{tile});
      } else {
        sum_in_integers(tile, {}, l == 0, l + length == g_.k);
      }
    }
  }

  void split_tile(std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t columns, std::int64_t l,
                  std::int64_t length, const OzakiTile& tile) {
    const bool one_block = plan_.inner == g_.k;
    if (!one_block || b_tile_ != j) {
      ldb_ = split(GemmLines::columns_of_b(g_), j, columns, l, length, tile.slices_b, unit_b_, zeroed_b_, b_);
      b_tile_ = j;
    }
    if (!one_block || a_tile_ != i) {
      lda_ = split(GemmLines::rows_of_a(g_), i, rows, l, length, tile.slices_a, unit_a_, zeroed_a_, a_);
      a_tile_ = i;
    }
  }

  /// The products of `levels` levels. Slices that have the same partners are one product of what lies below and beside
  /// one another.
  void multiply(const OzakiTile& tile, std::int64_t length) {
    const auto partners = [&](int p) { return std::min(tile.slices_b, tile.levels - p); };
    for (int p = 0; p < tile.slices_a && partners(p) > 0;) {
      int end = p + 1;
      while (end < tile.slices_a && partners(end) == partners(p)) ++end;
      multiply(tile, length, p, end - p, 0, partners(p));
      p = end;
    }
  }

  /// The products of slices p … p + below − 1 and r … r + beside − 1.
  void multiply(const OzakiTile& tile, std::int64_t length, int p, int below, int r, int beside) {
    const bool inner_a = g_.column_step_a() == 1;
    const bool inner_b = g_.row_step_b() == 1;
    const std::int64_t ldc = tile.slices_a * tile.padded_rows;
    const std::int64_t step_a = inner_a ? tile.padded_rows * lda_ : tile.padded_rows;
    const std::int64_t step_b = inner_b ? tile.padded_columns * ldb_ : tile.padded_columns;
    cublas::dgemm(on_, inner_a, !inner_b, below * tile.padded_rows, beside * tile.padded_columns, length, 1.0,
                  a_ + p * step_a, lda_, 0, b_ + r * step_b, ldb_, 0, 0.0,
                  products_ + p * tile.padded_rows + r * tile.padded_columns * ldc, ldc, 0, 1);
    plan_.products += below * beside * (static_cast<double>(tile.rows) / static_cast<double>(g_.m)) *
                      (static_cast<double>(tile.columns) / static_cast<double>(g_.n)) *
                      (static_cast<double>(length) / static_cast<double>(g_.k));
  }

  /// A tile of which some levels are formed: entries whose rounding they decide are written. For the others there is
  /// another level, as long as they are many, and superaccumulators then.
  void decide(OzakiTile& tile, std::int64_t i, std::int64_t j, int levels) {
    // A product of two numbers takes a superaccumulator as long as this many take the library.
    constexpr double dearer = 400;
    const auto entries = static_cast<std::size_t>(tile.rows * tile.columns);
    fill_bytes(on_, decided_, 0, entries);
    for (;; ++levels) {
      tile.levels = steps_.levels(levels);
      fill_bytes(on_, counter_, 0, sizeof *counter_);
      sum_in_integers(tile, {slices_a_ + i, slices_b_ + j, levels, g_.k << (plan_.q - 1), decided_, counter_}, true,
                      true);
      std::uint32_t undecided = 0;
      copy_from(on_, &undecided, counter_, sizeof undecided);
      if (undecided == 0) break;
      const int first = tile.first_slice(levels);
      const int pairs = tile.last_slice(levels) - first + 1;
      const bool few = static_cast<double>(undecided) * dearer <= pairs * static_cast<double>(entries);
      if (few && undecided <= listed()) {
        fill_bytes(on_, counter_, 0, sizeof *counter_);
        queue_blocks(on_, tile.blocks(), OzakiListUndecided{tile, decided_, i, j, g_.m, counter_, list_});
        recompute_entries(on_, g_, g_.c, list_, undecided, recompute_bytes());
        plan_.undecided += undecided;
        break;
      }
      for (int p = first; p < first + pairs; ++p) multiply(tile, g_.k, p, 1, levels - p, 1);
    }
    levels_ = levels;
  }

  void sum_in_integers(const OzakiTile& tile, const OzakiDecisions& decisions, bool first, bool last) const {
    constexpr int few = 18;    // words: sums that span up to 449 bits
    constexpr int most = 136;  // sums of any numbers
    const int count = ozaki::level_sum_words(std::max(1, tile.levels), tile.width);
    if (count <= few) {
      queue_blocks(on_, tile.blocks(), OzakiIntegerSum<few>{tile, decisions, sums_, first, last});
    } else {
      queue_blocks(on_, tile.blocks(), OzakiIntegerSum<most>{tile, decisions, sums_, first, last});
    }
  }

  const Executor& on_;
  const GemmArguments& g_;
  const OzakiMode& mode_;
  const Steps& steps_;
  std::size_t budget_;
  OzakiPlan plan_;
  OzakiLines rows_, columns_;
  double* a_ = nullptr;
  double* b_ = nullptr;
  double* products_ = nullptr;
  std::uint32_t* sums_ = nullptr;
  std::int32_t* unit_a_ = nullptr;
  std::int32_t* unit_b_ = nullptr;
  std::int32_t* unit_c_ = nullptr;
  std::int32_t* zeroed_a_ = nullptr;
  std::int32_t* zeroed_b_ = nullptr;
  std::int32_t* slices_a_ = nullptr;
  std::int32_t* slices_b_ = nullptr;
  std::uint32_t* counter_ = nullptr;
  std::uint8_t* decided_ = nullptr;
  std::uint64_t* list_ = nullptr;
  int levels_ = 1;  // that the next tile begins with
  std::int64_t lda_ = 0, ldb_ = 0;
  std::int64_t a_tile_ = -1, b_tile_ = -1;  // whose slices are there
};

}  // namespace assay::gemm::detail
