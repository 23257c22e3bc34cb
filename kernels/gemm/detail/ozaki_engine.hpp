#pragma once
// Control flow of gemm_ozaki: scan, slices, products, sums. Launched by kernels/gemm/ozaki.cpp.
//
// 1. gemm_scan gives the exponents of each row of op(A) and each column of op(B). They determine the grids of the
//    slices and how many slices a line needs.
// 2. The sizes of tiles of C and of blocks of the inner index are chosen to fit the workspace.
// 3. For each tile, OzakiSplitKernel makes the slices, cublas::dgemm forms the products of slices, which are exact, and
//    a sum kernel adds them up and rounds each entry once.
// 4. By default only as many levels p + r of slice products are formed as decide how nearly all entries are rounded.
//    For the other entries another level is formed, or superaccumulators compute them where they are few.
//
// Derivations: docs/bounds/gemm.md.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/detail/ozaki_split_kernel.hpp"
#include "kernels/gemm/detail/ozaki_sum_kernels.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/scan.hpp"
#include "kernels/gemm/superaccumulator.hpp"

namespace assay::gemm::detail {

/// The host's information about the lines of op(A) or op(B): the scan, the grids, and the number of slices.
struct OzakiLines {
  std::vector<GemmLine> line;
  std::vector<std::int32_t> unit;
  std::vector<std::int32_t> zeroed;
  std::vector<std::int32_t> slices;

  /// The largest number of slices among lines first … first + count − 1.
  [[nodiscard]] int most_slices(std::int64_t first, std::int64_t count) const {
    return *std::max_element(slices.begin() + first, slices.begin() + first + count);
  }
};

inline OzakiLines ozaki_lines(const Executor& on, const GemmLines& of) {
  OzakiLines lines;
  lines.line.resize(static_cast<std::size_t>(of.lines));
  Workspace workspace(on, Workspace::bytes_of<GemmLine>(lines.line.size()));
  auto* scanned = workspace.take<GemmLine>(lines.line.size());
  gemm_scan(on, of, scanned);
  copy_from(on, lines.line.data(), scanned, lines.line.size() * sizeof(GemmLine));
  for (const GemmLine& line : lines.line) lines.zeroed.push_back(line.non_finite);
  return lines;
}

/// Chooses the grids for slices of q bits. With levels > 0, at most `levels` slices of a line are formed.
inline void choose_grids(OzakiLines& lines, int q, int levels) {
  lines.unit.clear();
  lines.slices.clear();
  for (const GemmLine& line : lines.line) {
    const bool zero = line.is_zero() || line.non_finite != 0;
    // A line of zeros may have any unit.
    lines.unit.push_back(line.is_zero() ? 0 : line.top + 1 - q);
    const int needed = zero ? 0 : ozaki::slices_needed(line.top + 1, line.low, q);
    lines.slices.push_back(levels > 0 ? std::min(needed, levels) : needed);
  }
}

[[nodiscard]] inline std::int64_t rounded_up(std::int64_t x, std::int64_t granule) {
  return (x + granule - 1) / granule * granule;
}

/// One product C ← RN(α·op(A)·op(B) + β·C).
class OzakiProduct {
 public:
  OzakiProduct(const Executor& on, const GemmArguments& g, const GemmOptions& options, const OzakiMode& mode)
      : on_(on), g_(g), mode_(mode), budget_(options.budget()) {}

  OzakiPlan run() {
    if (g_.m == 0 || g_.n == 0) return plan_;
    if (!g_.reads_ab()) {
      plan_.tile_rows = g_.m;
      plan_.tile_columns = g_.n;
      sum_in_integers(tile_of(0, g_.m, 0, g_.n), {}, true, true);
      wait(on_);
      return plan_;
    }
    rows_ = ozaki_lines(on_, GemmLines::rows_of_a(g_));
    columns_ = ozaki_lines(on_, GemmLines::columns_of_b(g_));
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

  /// ⌈x/parts⌉. Large parts are rounded up to multiples of 128, which are whole tiles of cuBLAS.
  [[nodiscard]] std::int64_t part_of(std::int64_t x, std::int64_t parts) const {
    const std::int64_t part = bits::ceil_div(x, parts);
    return std::min(x, rounded_up(part, part > 1024 ? 128 : granule()));
  }

  [[nodiscard]] int words() const {
    return ozaki::level_sum_words(std::max(1, plan_.slices_a + plan_.slices_b - 1), plan_.q + 1);
  }

  /// The bytes of all arrays, for the current plan.
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
           3 * Workspace::bytes_of<std::int32_t>(size(g_.m)) + 3 * Workspace::bytes_of<std::int32_t>(size(g_.n)) +
           Workspace::bytes_of<std::uint32_t>(1) + Workspace::bytes_of<std::uint8_t>(size(decisions())) +
           Workspace::bytes_of<std::uint64_t>(size(listed()));
  }

  /// Whether few levels may be enough. The sums of an entry are then tested after each level.
  [[nodiscard]] bool looks_again() const {
    return mode_.sum == OzakiSum::integers && mode_.levels == 0 && !mode_.every_product && plan_.inner == g_.k;
  }
  [[nodiscard]] std::int64_t decisions() const { return looks_again() ? plan_.tile_rows * plan_.tile_columns : 0; }
  /// The largest number of entries of a tile that superaccumulators compute.
  [[nodiscard]] std::int64_t listed() const { return decisions() / 16; }
  /// The bytes that superaccumulators may take in addition to the other arrays.
  [[nodiscard]] std::size_t recompute_bytes() const {
    const auto copies = sizeof(double) * static_cast<std::size_t>(g_.k * (g_.m + g_.n));
    return looks_again() ? std::min({budget_ / 8, recompute_default_workspace, copies}) : 0;
  }

  /// Chooses the slices for the current block length. Shorter blocks never need more slices.
  void choose_slices() {
    plan_.q = ozaki::slice_bits(plan_.inner);
    choose_grids(rows_, plan_.q, mode_.levels);
    choose_grids(columns_, plan_.q, mode_.levels);
    plan_.slices_a = rows_.most_slices(0, g_.m);
    plan_.slices_b = columns_.most_slices(0, g_.n);
    const int needed = std::max(plan_.slices_a, plan_.slices_b);
    const int cap =
        mode_.sum == OzakiSum::near_sum ? std::min(mode_.most_slices, ozaki_near_sum_slices) : mode_.most_slices;
    if (needed > cap) throw SliceCapError(needed, cap);
  }

  /// Chooses the largest tiles and blocks within the budget. Tiles are reduced first, to 512; then blocks, to 1024;
  /// then both, to 16; then tiles to the least that part_of() gives.
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
        std::int64_t& parts = larger == plan_.tile_columns ? parts_n : parts_m;
        parts = more(parts);
      } else {
        throw std::invalid_argument("gemm_ozaki: a workspace of " + std::to_string(budget_) +
                                    " bytes is too small, the smallest tile takes " + std::to_string(plan_.workspace));
      }
    }
  }

  /// A number of levels that decides nearly all entries: 53 bits to round, half the bits of k, and 12 for cancellation
  /// and Ziv's test. An estimate, on which only time depends.
  [[nodiscard]] int first_levels() const { return (53 + ozaki::inner_bits(g_.k) / 2 + 12 + plan_.q) / (plan_.q + 1); }

  /// NearSum needs the products of the whole inner index at once.
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
    tile.unit_b = unit_b_ + j;
    tile.alpha = g_.alpha;
    tile.beta = g_.beta;
    tile.alpha_fraction = std::frexp(g_.alpha, &tile.alpha_exponent);
    tile.beta_fraction = std::frexp(g_.beta, &tile.beta_exponent);
    tile.c = g_.c + i + j * g_.ldc;
    tile.ldc = g_.ldc;
    return tile;
  }

  /// Makes the slices of a tile of lines. Returns their leading dimension. Slices are stored below one another where
  /// neighboring lines are neighbors in memory, and otherwise side by side.
  std::int64_t split(const GemmLines& all, std::int64_t first, std::int64_t count, std::int64_t begin,
                     std::int64_t length, int slices, const std::int32_t* unit, const std::int32_t* zeroed,
                     double* out) const {
    OzakiSplitKernel kernel{};
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
      tile.levels = wanted;
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

  /// Forms the slice products of tile.levels levels. Slices with the same partners are multiplied in one call.
  void multiply(const OzakiTile& tile, std::int64_t length) {
    const auto partners = [&](int p) { return std::min(tile.slices_b, tile.levels - p); };
    for (int p = 0; p < tile.slices_a && partners(p) > 0;) {
      int end = p + 1;
      while (end < tile.slices_a && partners(end) == partners(p)) ++end;
      multiply(tile, length, p, end - p, 0, partners(p));
      p = end;
    }
  }

  /// Forms the products of slices p … p + below − 1 of A and r … r + beside − 1 of B.
  void multiply(const OzakiTile& tile, std::int64_t length, int p, int below, int r, int beside) {
    const bool inner_a = g_.column_step_a() == 1;
    const bool inner_b = g_.row_step_b() == 1;
    const std::int64_t ldc = tile.slices_a * tile.padded_rows;
    const std::int64_t step_a = inner_a ? tile.padded_rows * lda_ : tile.padded_rows;
    const std::int64_t step_b = inner_b ? tile.padded_columns * ldb_ : tile.padded_columns;
    cublas::dgemm(on_, inner_a, !inner_b, below * tile.padded_rows, beside * tile.padded_columns, length, 1.0,
                  a_ + p * step_a, lda_, cublas::no_stride, b_ + r * step_b, ldb_, cublas::no_stride, 0.0,
                  products_ + p * tile.padded_rows + r * tile.padded_columns * ldc, ldc, cublas::no_stride, 1);
    plan_.products += below * beside * (static_cast<double>(tile.rows) / static_cast<double>(g_.m)) *
                      (static_cast<double>(tile.columns) / static_cast<double>(g_.n)) *
                      (static_cast<double>(length) / static_cast<double>(g_.k));
  }

  /// Decides a tile whose first levels are formed. Entries whose rounding is certain are written. While many entries
  /// are undecided, another level is formed. Superaccumulators compute the last ones.
  void decide(OzakiTile& tile, std::int64_t i, std::int64_t j, int levels) {
    // The cost of a product of two numbers in a superaccumulator, in units of a product of two numbers by the library.
    constexpr double dearer = 400;
    const auto entries = static_cast<std::size_t>(tile.rows * tile.columns);
    fill_bytes(on_, decided_, 0, entries);
    for (;; ++levels) {
      tile.levels = levels;
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
  std::size_t budget_;
  OzakiPlan plan_;
  OzakiLines rows_, columns_;
  double* a_ = nullptr;
  double* b_ = nullptr;
  double* products_ = nullptr;
  std::uint32_t* sums_ = nullptr;
  std::int32_t* unit_a_ = nullptr;
  std::int32_t* unit_b_ = nullptr;
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
