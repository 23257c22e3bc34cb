#pragma once
// Control flow of gemm_crt: scan, plan, passes, recomputation. Launched by kernels/gemm/crt.cpp.
//
// 1. Scan: gemm_scan describes each row of op(A) and each column of op(B) by its exponents, the sum of its magnitudes,
//    and whether it has an infinity or a NaN.
// 2. Plan: CrtPlanner chooses the number of moduli, and whether the integers keep all bits of A and B. Where many
//    moduli are needed, the inner index is scaled by powers of two, if that makes the plan cheaper.
// 3. Pass: C is computed in panels that fit the workspace. A panel takes the residues of A and B, one int8 matrix
//    product for each modulus, a first look at each entry in binary64, and a second look in integers at the entries
//    that the first did not decide. A look writes the entry if its rounding is certain.
// 4. While many entries are undecided, another pass with more moduli computes them.
// 5. Recomputation: superaccumulators compute the few remaining entries.
//
// Entries whose row of op(A) or column of op(B) is not finite are not written. Derivations: docs/bounds/gemm.md.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "exec/two_grids.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/detail/crt_entry_kernels.hpp"
#include "kernels/gemm/detail/crt_launches.hpp"
#include "kernels/gemm/detail/crt_line_findings.hpp"
#include "kernels/gemm/detail/crt_planner.hpp"
#include "kernels/gemm/detail/crt_residue_kernels.hpp"
#include "kernels/gemm/scan.hpp"
#include "kernels/gemm/superaccumulator.hpp"

namespace assay::gemm::detail {

constexpr std::int64_t round_up(std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; }

/// The panels of C and of the inner index that fit a budget.
struct CrtPanels {
  std::int64_t rows, columns, terms;
};

/// One product C ← RN(α·op(A)·op(B) + β·C).
class CrtCall {
 public:
  CrtCall(const Executor& on, const GemmArguments& g, const GemmOptions& options)
      : on_(on), g_(g), budget_(options.budget()), findings_(on, sizeof(CrtFindings)) {}

  GemmCrtReport run() {
    GemmCrtReport report;
    const auto entries = static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n);
    const std::uint64_t mask_words = (entries + 31) / 32;
    const auto lines = static_cast<std::size_t>(g_.m + g_.n);
    const auto terms = static_cast<std::size_t>(g_.k);
    samples_ = static_cast<std::size_t>(std::min<std::uint64_t>(entries, CrtFindings::most_samples));

    const std::size_t fixed = Workspace::bytes_of<GemmLine>(lines) + Workspace::bytes_of<CrtLine>(lines) +
                              Workspace::bytes_of<std::uint32_t>(mask_words) + Workspace::bytes_of<std::uint32_t>(1) +
                              Workspace::bytes_of<std::uint64_t>(1) + Workspace::bytes_of<std::int32_t>(terms);
    require_room(fixed + crt_least_recompute);
    Workspace memory(on_, fixed);
    lines_ = memory.take<GemmLine>(lines);
    scaled_ = memory.take<CrtLine>(lines);
    undecided_words_ = static_cast<std::size_t>(mask_words);
    undecided_ = memory.take<std::uint32_t>(undecided_words_);
    listed_ = memory.take<std::uint32_t>(1);
    undecided_count_ = memory.take<std::uint64_t>(1);
    auto* shift = memory.take<std::int32_t>(terms);
    fixed_ = fixed;
    report.workspace_bytes = fixed;

    GemmLines a = GemmLines::rows_of_a(g_);
    GemmLines b = GemmLines::columns_of_b(g_);
    CrtPlanner planner = measure(a, b);
    report.non_finite = planner.non_finite();
    CrtPlan plan = planner.best(1);
    if (plan.moduli >= worth_shifts || planner.gives_up(plan)) {
      const std::vector<std::int32_t> shifts = inner_shifts(a, b, report);
      if (!shifts.empty()) {
        copy_to(on_, shift, shifts.data(), shifts.size() * sizeof(std::int32_t));
        GemmLines shifted_a = a;
        GemmLines shifted_b = b;
        shifted_a.shift = shifted_b.shift = shift;
        shifted_b.sign = -1;
        CrtPlanner other = measure(shifted_a, shifted_b);
        report.shifted = other.cost(other.best(1)) < planner.cost(plan);
        if (report.shifted) {
          a = shifted_a;
          b = shifted_b;
          planner = std::move(other);
          plan = planner.best(1);
        } else {
          measure(a, b);
        }
      }
    }
    if (planner.gives_up(plan)) {
      superaccumulate(report);
      return report;
    }
    std::uint64_t open = entries;
    while (open != 0) {
      open = pass(plan, a, b, report);
      if (plan.exact) break;
      if (static_cast<double>(open) * CrtPlanner::recomputed_cost < static_cast<double>(entries) * (plan.moduli + 1) ||
          plan.moduli == crt::most_moduli) {
        break;
      }
      plan = planner.best(std::min(plan.moduli + 8, crt::most_moduli));
    }
    if (open != 0) recompute(open, report);
    return report;
  }

 private:
  /// Scaling of the inner index is considered for plans of at least this many moduli.
  static constexpr int worth_shifts = 28;
  /// The terms that one int8 product takes: with a residue of the sum before, 128 + 2¹⁶·2¹⁴ < 2³¹.
  static constexpr std::int64_t most_terms = std::int64_t{1} << 16;

  void recompute(std::uint64_t open, GemmCrtReport& report) {
    report.undecided = open;
    const std::size_t bytes = crt_recompute(on_, g_, undecided_, open, budget_ - fixed_);
    report.workspace_bytes = std::max(report.workspace_bytes, fixed_ + bytes);
  }

  /// Computes all entries whose row and column are finite by superaccumulators.
  void superaccumulate(GemmCrtReport& report) {
    std::uint64_t open = static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n);
    if (!report.non_finite) {
      gemm_superaccumulator(on_, g_);
      report.undecided = open;
      return;
    }
    fill_bytes(on_, undecided_, 0, undecided_words_ * sizeof(std::uint32_t));
    fill_bytes(on_, undecided_count_, 0, sizeof(std::uint64_t));
    queue_indices(on_, static_cast<std::size_t>(open),
                  CrtMarkFinite{lines_, lines_ + g_.m, g_.m, undecided_, undecided_count_});
    copy_from(on_, &open, undecided_count_, sizeof open);
    if (open != 0) recompute(open, report);
  }

  void require_room(std::size_t bytes) const {
    if (bytes > budget_) throw std::invalid_argument("gemm_crt: the workspace is too small");
  }

  /// Scans both sides into `lines_` and returns a planner for them. Waits.
  CrtPlanner measure(const GemmLines& a, const GemmLines& b) {
    auto* found = reinterpret_cast<CrtFindings*>(findings_.data());
    gemm_scan(on_, a, b, lines_);
    queue_two_grids(on_, 2, CrtDemandKernel{{lines_, lines_ + g_.m}, {g_.m, g_.n}, g_.k, found}, samples_,
                    CrtSampleKernel{a, b, lines_, lines_ + g_.m, g_.alpha, g_.beta, g_.c, g_.ldc, found});
    wait(on_);
    return CrtPlanner(*found, samples_, static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n), g_.k);
  }

  /// Exponents for the columns of op(A), and their negatives for the rows of op(B). Scaled so, column l of op(A) has a
  /// maximum that is about the same multiple of that of row l of op(B) for every l. None exceeds 900 in magnitude.
  /// Empty if they span fewer than 8 binades or memory is short.
  std::vector<std::int32_t> inner_shifts(const GemmLines& a, const GemmLines& b, GemmCrtReport& report) {
    constexpr int worth = 8;
    constexpr int most = 900;
    const auto terms = static_cast<std::size_t>(g_.k);
    const std::size_t bytes = 2 * Workspace::bytes_of<GemmLine>(terms);
    if (fixed_ + bytes > budget_) return {};
    report.workspace_bytes = std::max(report.workspace_bytes, fixed_ + bytes);
    Workspace memory(on_, bytes);
    auto* columns = memory.take<GemmLine>(terms);
    auto* rows = memory.take<GemmLine>(terms);
    gemm_scan(on_, a.across(), columns);
    gemm_scan(on_, b.across(), rows);
    std::vector<GemmLine> x(terms);
    std::vector<GemmLine> y(terms);
    copy_from(on_, x.data(), columns, terms * sizeof(GemmLine));
    copy_from(on_, y.data(), rows, terms * sizeof(GemmLine));
    std::vector<std::int32_t> shifts(terms, 0);
    std::int32_t low = std::numeric_limits<std::int32_t>::max();
    std::int32_t high = std::numeric_limits<std::int32_t>::min();
    for (std::size_t l = 0; l < terms; ++l) {
      if (x[l].is_zero() || y[l].is_zero()) continue;
      shifts[l] = (y[l].top - x[l].top) / 2;
      low = std::min(low, shifts[l]);
      high = std::max(high, shifts[l]);
    }
    if (high < low || high - low < worth) return {};
    const std::int32_t middle = (low + high) / 2;
    for (std::int32_t& each : shifts) each = std::clamp(each - middle, -most, most);
    return shifts;
  }

  /// The bytes that a panel needs.
  static std::size_t bytes_of(const CrtPanels& p, int moduli) {
    const auto n = static_cast<std::size_t>(moduli);
    const auto rows = static_cast<std::size_t>(round_up(p.rows, 16));
    const auto columns = static_cast<std::size_t>(round_up(p.columns, 16));
    const auto terms = static_cast<std::size_t>(round_up(p.terms, 16));
    return Workspace::bytes_of<std::int8_t>(n * rows * terms) + Workspace::bytes_of<std::int8_t>(n * columns * terms) +
           Workspace::bytes_of<std::int32_t>(n * rows * columns) +
           Workspace::bytes_of<std::uint32_t>(static_cast<std::size_t>(p.rows) * static_cast<std::size_t>(p.columns));
  }

  /// All of C if it fits; otherwise first fewer columns, then fewer rows, then fewer terms.
  [[nodiscard]] CrtPanels panels(int moduli) const {
    CrtPanels p{g_.m, g_.n, std::min(g_.k, most_terms)};
    // Entries of a panel are numbered in 32 bits.
    constexpr std::int64_t most_entries = std::int64_t{1} << 31;
    const auto fits = [&] { return p.rows <= most_entries / p.columns && bytes_of(p, moduli) <= budget_ - fixed_; };
    const auto halve = [&](std::int64_t& size, std::int64_t least) {
      while (!fits() && size > least) size = std::max(least, round_up((size + 1) / 2, 16));
    };
    halve(p.columns, 1024);
    halve(p.rows, 1024);
    halve(p.terms, 4096);
    halve(p.columns, 16);
    halve(p.rows, 16);
    halve(p.terms, 16);
    require_room(fixed_ + bytes_of(p, moduli));
    return p;
  }

  /// A grid that makes residues.
  template <int W>
  struct ResidueGrid {
    std::size_t blocks;
    CrtResidueKernel<W> kernel;
  };

  /// The residues of lines `first` … `first` + `lines` − 1 and inner indices `begin` … `begin` + `terms` − 1.
  template <int W>
  static ResidueGrid<W> residues(const GemmLines& all, const CrtLine* scaled, std::int64_t first, std::int64_t lines,
                                 std::int64_t begin, std::int64_t terms, const crt::ResidueTable<W>& table,
                                 std::int8_t* to) {
    using Kernel = CrtResidueKernel<W>;
    GemmLines of = all;
    of.x += first * of.line_step + begin * of.inner_step;
    of.shift = of.shift == nullptr ? nullptr : of.shift + begin;
    of.lines = lines;
    of.length = terms;
    const std::int64_t leading = round_up(terms, 16);
    const std::int64_t padded = round_up(lines, 16);
    const std::int64_t tiles = bits::ceil_div(leading, Kernel::tile_inner);
    const std::int64_t blocks = tiles * bits::ceil_div(padded, Kernel::tile_lines);
    return {static_cast<std::size_t>(blocks),
            Kernel{of, scaled + first, tiles, leading, leading * padded, padded, to, table}};
  }

  /// Queues the residues of a panel of A and of a panel of B, in one launch if its parameters are not too many.
  template <int W>
  void queue_residues(const ResidueGrid<W>& a, const ResidueGrid<W>& b) {
    constexpr std::size_t most_parameter_bytes = 4096;
    if constexpr (2 * sizeof(ResidueGrid<W>) <= most_parameter_bytes) {
      queue_two_grids(on_, a.blocks, a.kernel, b.blocks, b.kernel);
    } else {
      queue_blocks(on_, a.blocks, a.kernel);
      queue_blocks(on_, b.blocks, b.kernel);
    }
  }

  std::uint64_t pass(const CrtPlan& plan, const GemmLines& a, const GemmLines& b, GemmCrtReport& report) {
    ++report.passes;
    report.moduli = plan.moduli;
    report.exact = plan.exact;
    const CrtMagnitude limit{static_cast<int>(std::floor(plan.limit)), std::exp2(plan.limit - std::floor(plan.limit))};
    const CrtBeginPass begin{lines_,
                             static_cast<std::size_t>(g_.m + g_.n),
                             g_.k,
                             plan.exact,
                             limit,
                             scaled_,
                             undecided_count_,
                             listed_,
                             undecided_,
                             report.passes == 1 ? undecided_words_ : 0};
    queue_indices(on_, begin.size(), begin);
    if (plan.words <= 2) {
      products<2>(plan, a, b, report);
    } else if (plan.words <= 3) {
      products<3>(plan, a, b, report);
    } else if (plan.words <= 6) {
      products<6>(plan, a, b, report);
    } else {
      products<11>(plan, a, b, report);
    }
    std::uint64_t open = 0;
    copy_from(on_, &open, undecided_count_, sizeof open);
    return open;
  }

  template <int W>
  void products(const CrtPlan& plan, const GemmLines& a, const GemmLines& b, GemmCrtReport& report) {
    const CrtPanels p = panels(plan.moduli);
    const std::size_t bytes = bytes_of(p, plan.moduli);
    report.workspace_bytes = std::max(report.workspace_bytes, fixed_ + bytes);
    const auto n = static_cast<std::size_t>(plan.moduli);
    const auto room = [&](std::int64_t x, std::int64_t y) {
      return n * static_cast<std::size_t>(round_up(x, 16)) * static_cast<std::size_t>(round_up(y, 16));
    };
    Workspace memory(on_, bytes);
    auto* residues_a = memory.take<std::int8_t>(room(p.rows, p.terms));
    auto* residues_b = memory.take<std::int8_t>(room(p.columns, p.terms));
    auto* product = memory.take<std::int32_t>(room(p.rows, p.columns));
    auto* list = memory.take<std::uint32_t>(static_cast<std::size_t>(p.rows) * static_cast<std::size_t>(p.columns));
    const crt::ResidueTable<W> table_a = crt::residue_table<W>(crt_basis(plan.moduli), true);
    const crt::ResidueTable<W> table_b = crt::residue_table<W>(crt_basis(plan.moduli), false);

    const bool one_block = p.terms >= g_.k;
    for (std::int64_t i = 0; i < g_.m; i += p.rows) {
      const std::int64_t rows = std::min(p.rows, g_.m - i);
      const std::int64_t padded_rows = round_up(rows, 16);
      for (std::int64_t j = 0; j < g_.n; j += p.columns) {
        const std::int64_t columns = std::min(p.columns, g_.n - j);
        const std::int64_t padded_columns = round_up(columns, 16);
        const std::int64_t plane = padded_rows * padded_columns;
        for (std::int64_t l = 0; l < g_.k; l += p.terms) {
          const std::int64_t terms = std::min(p.terms, g_.k - l);
          const std::int64_t leading = round_up(terms, 16);
          const auto of_b = residues<W>(b, scaled_ + g_.m, j, columns, l, terms, table_b, residues_b);
          if (one_block && j > 0) {  // the residues of A are those of the panel before
            queue_blocks(on_, of_b.blocks, of_b.kernel);
          } else {
            queue_residues(residues<W>(a, scaled_, i, rows, l, terms, table_a, residues_a), of_b);
          }
          if (l > 0) {
            for (int q = 0; q < plan.moduli; ++q) {
              queue_indices(on_, static_cast<std::size_t>(plane),
                            CrtReduce{product + q * plane, static_cast<std::size_t>(plane), crt::modulus(q)});
            }
          }
          // Tensor cores are fast for whole tiles only. A host need not multiply the zeros of the padding.
          const bool host = on_.kind() == Executor::Kind::host;
          cublas::int8_product(on_, host ? rows : padded_rows, host ? columns : padded_columns, leading, residues_a,
                               leading, leading * padded_rows, residues_b, leading, leading * padded_columns, product,
                               padded_rows, plane, plan.moduli, l > 0);
        }
        if (i > 0 || j > 0) fill_bytes(on_, listed_, 0, sizeof(std::uint32_t));
        CrtPanel panel{};
        panel.product = product;
        panel.plane = plane;
        panel.leading = padded_rows;
        panel.rows = static_cast<std::uint32_t>(rows);
        panel.columns = static_cast<std::uint32_t>(columns);
        panel.first_row = i;
        panel.first_column = j;
        panel.row_lines = scaled_ + i;
        panel.column_lines = scaled_ + g_.m + j;
        panel.quarter_terms = 0.25 * static_cast<double>(g_.k);
        panel.alpha = g_.alpha;
        panel.beta = g_.beta;
        panel.c = g_.c;
        panel.ldc = g_.ldc;
        panel.m = g_.m;
        panel.listed = listed_;
        panel.list = list;
        panel.undecided = undecided_;
        panel.undecided_count = undecided_count_;
        panel.again = report.passes > 1;
        queue_crt_looks(on_, panel, plan.moduli);
      }
    }
  }

  Executor on_;
  const GemmArguments& g_;
  std::size_t budget_;
  std::size_t fixed_ = 0;
  GemmLine* lines_ = nullptr;                 ///< of A, then of B
  CrtLine* scaled_ = nullptr;                 ///< likewise
  std::uint32_t* undecided_ = nullptr;        ///< a bit for each entry
  std::size_t undecided_words_ = 0;           ///< of 32 bits
  std::uint32_t* listed_ = nullptr;           ///< how many entries of a panel
  std::uint64_t* undecided_count_ = nullptr;  ///< in a pass
  StatusSlot findings_;                       ///< CrtFindings
  std::size_t samples_ = 0;
};

/// The product of kernels/gemm/crt.hpp.
inline GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options) {
  if (g.m == 0 || g.n == 0) return {};
  if (!g.reads_ab()) {
    crt_scale_c(on, g);
    return {};
  }
  return CrtCall(on, g, options).run();
}

}  // namespace assay::gemm::detail
