#include "kernels/gemm/superaccumulator.hpp"

#include <algorithm>
#include <limits>

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/detail/superaccumulator_block.hpp"
#include "kernels/gemm/detail/superaccumulator_host.hpp"

namespace assay::gemm {
namespace {

constexpr const char* routine = "gemm_superaccumulator";
constexpr std::size_t most_blocks = std::numeric_limits<std::int32_t>::max();

/// Up to this number of entries, threads that share an entry are faster than one thread for each entry.
constexpr std::int64_t few_entries = 16384;
/// Threads share an entry of at least long_sum products and at most longest_sum.
constexpr std::int64_t long_sum = 512;
constexpr std::int64_t longest_sum = std::int64_t{1} << 28;

using Entries = detail::SuperaccumulatorEntries;

template <int N>
void queue_tiles(const Executor& on, detail::GemmEntries of, std::int64_t products) {
  using Tile = detail::SuperaccumulatorTile<N>;
  const std::int64_t row_tiles = (of.m - 1) / Tile::tile + 1;
  const std::int64_t tiles = row_tiles * ((of.n - 1) / Tile::tile + 1);
  if (tiles > static_cast<std::int64_t>(most_blocks)) throw ExecutorError("a grid has at most 2^31 - 1 blocks");
  const auto blocks_at_once = static_cast<std::int64_t>(std::min(most_blocks, on.most_blocks()));
  const std::int64_t at_once = std::max<std::int64_t>(1, blocks_at_once / tiles);
  const int log_terms = WindowDot::log_of(std::max<std::int64_t>(1, of.k));
  while (products > 0) {
    const std::int64_t now = std::min(products, at_once);
    queue_blocks(on, static_cast<std::size_t>(now * tiles),
                 Tile{of, static_cast<std::uint32_t>(row_tiles), static_cast<std::uint32_t>(tiles), log_terms});
    products -= now;
    if (products == 0) break;
    of.a.x += now * of.a.stride;
    of.b.x += now * of.b.stride;
    of.original_c += now * of.stride_c;
    of.c += now * of.stride_c;
  }
}

/// Copies lines into sequence: y[l + i·length] = number l of line i.
struct CopyLines {
  static constexpr int tile = 32;
  static constexpr int threads = 256;
  struct Shared {
    double x[tile][tile + 1];
  };

  const double* x;
  std::int64_t lines;
  std::int64_t length;
  std::int64_t line_step;
  std::int64_t inner_step;
  double* y;
  std::int64_t line_tiles;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t inner_tile = index / line_tiles;
    const std::int64_t first_line = (index - inner_tile * line_tiles) * tile;
    const std::int64_t first = inner_tile * tile;
    block.for_each_thread([&](int t, Shared& s) {
      for (int l = t / tile; l < tile; l += threads / tile) {
        const std::int64_t line = first_line + t % tile;
        if (line < lines && first + l < length) s.x[l][t % tile] = x[line * line_step + (first + l) * inner_step];
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      for (int i = t / tile; i < tile; i += threads / tile) {
        const std::int64_t l = first + t % tile;
        if (first_line + i < lines && l < length) y[(first_line + i) * length + l] = s.x[t % tile][i];
      }
    });
  }
};

/// A panel of lines of op(A) or op(B). The lines are copied into sequence if the list has at least a quarter as many
/// entries as there are lines: copying then costs less than reading out of sequence.
struct Panel {
  static constexpr std::uint64_t worth_copying = 4;
  std::int64_t lines = 0;  ///< at a time; all of them if nothing is copied
  bool copied = false;

  Panel(std::int64_t all, std::int64_t length, std::int64_t inner_step, std::uint64_t count, std::size_t bytes) {
    lines = all;
    if (inner_step == 1 || count < static_cast<std::uint64_t>(all) / worth_copying) return;
    const std::size_t fitting = bytes / (static_cast<std::size_t>(length) * sizeof(double));
    if (fitting < CopyLines::tile) return;
    copied = true;
    lines = static_cast<std::int64_t>(std::min(fitting, static_cast<std::size_t>(all)));
  }
  [[nodiscard]] std::size_t elements(std::int64_t length) const {
    return copied ? static_cast<std::size_t>(lines) * static_cast<std::size_t>(length) : 0;
  }
};

void queue_copy(const Executor& on, const double* x, std::int64_t lines, std::int64_t length, std::int64_t line_step,
                std::int64_t inner_step, double* y) {
  const std::int64_t line_tiles = bits::ceil_div(lines, CopyLines::tile);
  const std::int64_t inner_tiles = bits::ceil_div(length, CopyLines::tile);
  queue_blocks(on, static_cast<std::size_t>(line_tiles * inner_tiles),
               CopyLines{x, lines, length, line_step, inner_step, y, line_tiles});
}

}  // namespace

bool gemm_superaccumulator_shares(const GemmArguments& g, std::int64_t batch) {
  return g.reads_ab() && g.k >= long_sum && g.k <= longest_sum && g.m <= few_entries / g.n &&
         batch <= few_entries / (g.m * g.n);
}

void gemm_superaccumulator(const Executor& on, const GemmArguments& g, int words, const GemmBatch& batch) {
  blas::require_argument(words == 3 || words == 4 || words == 6 || words == 8, routine, "words is 3, 4, 6 or 8");
  if (g.m == 0 || g.n == 0 || batch.count == 0) return;
  const detail::GemmEntries of = detail::gemm_entries(g, g.c, batch);
  const bool free = on.kind() == Executor::Kind::host && on.order() == Order::ascending && on.most_blocks() == SIZE_MAX;
  if (free && of.k >= detail::host_least_terms && detail::superaccumulator_on_host(of, batch.count)) {
    on.record_call();
    return;
  }
  if (gemm_superaccumulator_shares(g, batch.count)) {
    queue_blocks(on, static_cast<std::size_t>(g.m * g.n * batch.count), Entries{of, nullptr, 0, g.m, 0, g.n});
    return;
  }
  switch (words) {
    case 3:
      return queue_tiles<3>(on, of, batch.count);
    case 4:
      return queue_tiles<4>(on, of, batch.count);
    case 6:
      return queue_tiles<6>(on, of, batch.count);
    default:
      return queue_tiles<8>(on, of, batch.count);
  }
}

void recompute_entries(const Executor& on, const GemmArguments& g, const double* original_c,
                       const std::uint64_t* entries, std::size_t count, std::size_t workspace_bytes) {
  if (count == 0) return;
  blas::require_argument(!g.reads_ab() || g.k <= longest_sum, "recompute_entries", "k is at most 2^28");
  Entries kernel{detail::gemm_entries(g, original_c, {}), entries, 0, g.m, 0, g.n};
  detail::GemmMatrixView& a = kernel.of.a;
  detail::GemmMatrixView& b = kernel.of.b;
  const std::int64_t k = kernel.of.k;
  if (k == 0) {
    queue_blocks(on, count, kernel);
    return;
  }
  const std::size_t share = a.column_step != 1 && b.row_step != 1 ? workspace_bytes / 2 : workspace_bytes;
  const Panel rows(g.m, k, a.column_step, count, share);
  const Panel columns(g.n, k, b.row_step, count, share);
  Workspace memory(on,
                   Workspace::bytes_of<double>(rows.elements(k)) + Workspace::bytes_of<double>(columns.elements(k)));
  double* const row_panel = memory.take<double>(rows.elements(k));
  double* const column_panel = memory.take<double>(columns.elements(k));
  for (std::int64_t i = 0; i < g.m; i += rows.lines) {
    kernel.first_row = i;
    kernel.end_row = std::min(g.m, i + rows.lines);
    if (rows.copied) {
      queue_copy(on, g.a + i * g.row_step_a(), kernel.end_row - i, k, g.row_step_a(), g.column_step_a(), row_panel);
      a = {row_panel, k, 1, 0};
    }
    for (std::int64_t j = 0; j < g.n; j += columns.lines) {
      kernel.first_column = j;
      kernel.end_column = std::min(g.n, j + columns.lines);
      if (columns.copied) {
        queue_copy(on, g.b + j * g.column_step_b(), kernel.end_column - j, k, g.column_step_b(), g.row_step_b(),
                   column_panel);
        b = {column_panel, 1, k, 0};
      }
      queue_blocks(on, count, kernel);
    }
  }
}

}  // namespace assay::gemm
