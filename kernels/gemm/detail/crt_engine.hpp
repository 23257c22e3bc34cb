#pragma once
// The course of kernels/gemm/crt.hpp, for the steps that a scan and what follows from it are made of.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/detail/crt_block.hpp"
#include "kernels/gemm/superaccumulator.hpp"

namespace assay::gemm::detail {

/// The basis of `count` moduli, computed once in a process.
const crt::Basis& crt_basis(int count);

/// log₂ P from below.
double crt_log2_product(int count);

/// Queues the first and the second look at the entries of a panel, whose counter it clears.
void queue_crt_looks(const Executor& on, const CrtPanel& panel, int count);

/// C ← RN(β·C) without A and B.
void crt_scale_c(const Executor& on, const GemmArguments& g);

/// Has the undecided entries computed, of which there are `count`. The memory that this takes at most, within `budget`.
std::size_t crt_recompute(const Executor& on, const GemmArguments& g, const std::uint32_t* undecided,
                          std::uint64_t count, std::size_t budget);

constexpr std::int64_t round_up(std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; }

/// The number of moduli, and what becomes of the bits.
struct CrtPlan {
  int moduli;
  bool exact;    ///< all bits are kept
  double limit;  ///< otherwise ‖x'‖₂ ≤ 2^limit before rounding
  int words;     ///< of 32 bits that hold an integer
};

/// The choices that depend on the data.
template <class Steps>
class CrtPlanner {
 public:
  /// log₂(1/(1 − 2⁻¹⁰)) and errors of logarithms are below this.
  static constexpr double spare = 0.003;
  /// What an entry costs by a superaccumulator, in products modulo one number: one of a few, and one of all. Measured
  /// on an H200 with k = 8192: 0.9 µs and 27 ns beside 17 ps.
  static constexpr double recomputed_cost = 30000;
  static constexpr double superaccumulator_cost = 1600;
  /// What the recomputation of any entry costs beside, 70 µs, in products.
  static constexpr double recomputation_cost = 3e10;

  CrtPlanner(const CrtFindings& found, std::size_t samples, std::uint64_t entries, std::int64_t k, const Steps& steps)
      : a_(found.demand[0]),
        b_(found.demand[1]),
        samples_(found.sample, found.sample + samples),
        entries_(static_cast<double>(entries)),
        k_(static_cast<double>(k)),
        steps_(steps) {}

  /// All bits kept: 2·Σ|a'||b'| < P by the best of three bounds of the sum; nothing if that takes too many moduli.
  [[nodiscard]] std::optional<CrtPlan> exact() const {
    const double needed = steps_.sign_bits() + spare +
                          std::min({a_.log2_norm + b_.log2_norm, a_.log2_sum + b_.bits, a_.bits + b_.log2_sum});
    for (int n = 1; n <= crt::most_moduli; ++n) {
      if (crt_log2_product(n) >= needed) return CrtPlan{n, true, 0, words_for(std::max(a_.bits, b_.bits))};
    }
    return std::nullopt;
  }

  /// ‖a'‖₂·‖b'‖₂ with 2·2^(2·limit) < P.
  [[nodiscard]] CrtPlan rounded(int n) const {
    const double limit = (crt_log2_product(n) - steps_.sign_bits() - spare) / 2;
    return {n, false, limit, words_for(static_cast<int>(limit) + 3)};
  }

  /// The share of entries that a plan is expected to leave open: an entry is undecided if its result lies within E of
  /// a midpoint, 2E/ulp of all places.
  [[nodiscard]] double open(const CrtPlan& plan) const {
    if (plan.exact || samples_.empty()) return 0;
    const double factor = std::exp2(54.5 - plan.limit);
    double sum = 0;
    for (const double sample : samples_) sum += std::min(1.0, sample * factor);
    return sum / static_cast<double>(samples_.size());
  }

  /// The expected cost of an entry in products modulo one number: those, and the memory traffic that comes with each
  /// of them, measured; recomputation.
  [[nodiscard]] double cost(const CrtPlan& plan) const {
    const double share = open(plan);
    const double some = 1 - std::exp(-share * entries_);
    return plan.moduli * (1 + 1500 / k_) + share * recomputed_cost + some * recomputation_cost / (entries_ * k_);
  }

  /// The cheapest plan of at least `least` moduli.
  [[nodiscard]] CrtPlan best(int least) const {
    const std::optional<CrtPlan> all = exact();
    const bool usable = all && all->moduli >= least;
    CrtPlan best = usable ? *all : rounded(crt::most_moduli);
    double best_cost = cost(best);
    const int end = usable ? all->moduli : crt::most_moduli;
    for (int n = std::max(least, fewest_rounded()); n < end; ++n) {
      const CrtPlan plan = rounded(n);
      const double plan_cost = cost(plan);
      if (plan_cost < best_cost) {
        best = plan;
        best_cost = plan_cost;
      }
    }
    return best;
  }

  /// Whether so many entries are expected to be left open that superaccumulators for all of them are cheaper.
  [[nodiscard]] bool gives_up(const CrtPlan& plan) const {
    return open(plan) * recomputed_cost > superaccumulator_cost;
  }

  [[nodiscard]] bool non_finite() const { return (a_.non_finite | b_.non_finite) != 0; }

 private:
  /// Rounding adds less than 2⁻¹² to a norm if 2^limit ≥ 2¹¹·√k; with fewer bits no entry would be decided.
  [[nodiscard]] int fewest_rounded() const {
    const double needed = std::max(50.0, 12 + 0.5 * std::log2(k_));
    int n = 1;
    while (n < crt::most_moduli && rounded(n).limit < needed) ++n;
    return n;
  }

  static int words_for(int bits) { return (bits + 2 + 31) / 32; }

  CrtDemand a_, b_;
  std::vector<double> samples_;
  double entries_, k_;
  Steps steps_;
};

/// The panels of C and of the inner index that fit a budget.
struct CrtPanels {
  std::int64_t rows, columns, terms;
};

/// One call.
template <class Steps>
class CrtCall {
 public:
  CrtCall(const Executor& on, const GemmArguments& g, const GemmOptions& options, const Steps& steps)
      : on_(on), g_(g), budget_(options.budget()), steps_(steps) {}

  GemmCrtReport run() {
    GemmCrtReport report;
    const auto entries = static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n);
    const std::uint64_t mask_words = (entries + 31) / 32;
    const auto lines = static_cast<std::size_t>(g_.m + g_.n);
    const auto terms = static_cast<std::size_t>(g_.k);
    samples_ = static_cast<std::size_t>(std::min<std::uint64_t>(entries, CrtFindings::most_samples));

    const std::size_t fixed = Workspace::bytes_of<GemmLine>(lines) + Workspace::bytes_of<CrtLine>(lines) +
                              Workspace::bytes_of<std::uint32_t>(mask_words) + Workspace::bytes_of<std::uint32_t>(1) +
                              Workspace::bytes_of<std::uint64_t>(1) + Workspace::bytes_of<CrtFindings>(1) +
                              Workspace::bytes_of<std::int32_t>(terms);
    require_room(fixed);
    Workspace memory(on_, fixed);
    lines_ = memory.take<GemmLine>(lines);
    scaled_ = memory.take<CrtLine>(lines);
    undecided_ = memory.take<std::uint32_t>(mask_words);
    listed_ = memory.take<std::uint32_t>(1);
    undecided_count_ = memory.take<std::uint64_t>(1);
    findings_ = memory.take<CrtFindings>(1);
    auto* shift = memory.take<std::int32_t>(terms);
    fixed_ = fixed;
    report.workspace_bytes = fixed;

    steps_.begin(CrtPhase::scan);
    fill_bytes(on_, undecided_, 0, static_cast<std::size_t>(mask_words) * sizeof(std::uint32_t));
    GemmLines a = GemmLines::rows_of_a(g_);
    GemmLines b = GemmLines::columns_of_b(g_);
    CrtPlanner<Steps> planner = measure(a, b);
    report.non_finite = planner.non_finite();
    CrtPlan plan = planner.best(1);
    if (plan.moduli >= worth_shifts || planner.gives_up(plan)) {
      const std::vector<std::int32_t> shifts = inner_shifts(a, b);
      if (!shifts.empty()) {
        copy_to(on_, shift, shifts.data(), shifts.size() * sizeof(std::int32_t));
        GemmLines shifted_a = a;
        GemmLines shifted_b = b;
        shifted_a.shift = shifted_b.shift = shift;
        shifted_b.sign = -1;
        CrtPlanner<Steps> other = measure(shifted_a, shifted_b);
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
      steps_.begin(CrtPhase::recomputation);
      superaccumulate(report);
      steps_.begin(CrtPhase::end);
      return report;
    }
    std::uint64_t open = entries;
    while (open != 0) {
      open = pass(plan, a, b, report);
      if (plan.exact) break;
      if (static_cast<double>(open) * CrtPlanner<Steps>::recomputed_cost <
              static_cast<double>(entries) * (plan.moduli + 1) ||
          plan.moduli == crt::most_moduli) {
        break;
      }
      plan = planner.best(std::min(plan.moduli + 8, crt::most_moduli));
    }
    steps_.begin(CrtPhase::recomputation);
    if (open != 0) recompute(open, report);
    steps_.begin(CrtPhase::end);
    return report;
  }

 private:
  /// Scaling the inner index is looked into from so many moduli on.
  static constexpr int worth_shifts = 28;

  void recompute(std::uint64_t open, GemmCrtReport& report) {
    report.undecided = open;
    const std::size_t bytes = crt_recompute(on_, g_, undecided_, open, budget_ - fixed_);
    report.workspace_bytes = std::max(report.workspace_bytes, fixed_ + bytes);
  }

  /// All entries whose lines are finite.
  void superaccumulate(GemmCrtReport& report) {
    std::uint64_t open = static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n);
    if (!report.non_finite) {
      gemm_superaccumulator(on_, g_);
      report.undecided = open;
      return;
    }
    fill_bytes(on_, undecided_count_, 0, sizeof(std::uint64_t));
    queue_indices(on_, static_cast<std::size_t>(open),
                  CrtMarkFinite{lines_, lines_ + g_.m, g_.m, undecided_, undecided_count_});
    copy_from(on_, &open, undecided_count_, sizeof open);
    if (open != 0) recompute(open, report);
  }

  void require_room(std::size_t bytes) const {
    if (bytes > budget_) throw std::invalid_argument("gemm_crt: the workspace is too small");
  }

  /// The scan of both sides into `lines_`, and what it says. Waits.
  CrtPlanner<Steps> measure(const GemmLines& a, const GemmLines& b) {
    scan(a, lines_);
    scan(b, lines_ + g_.m);
    queue_blocks(on_, 2, CrtDemandKernel{{lines_, lines_ + g_.m}, {g_.m, g_.n}, g_.k, findings_});
    queue_blocks(on_, samples_,
                 CrtSampleKernel{a, b, lines_, lines_ + g_.m, g_.alpha, g_.beta, g_.c, g_.ldc, findings_});
    CrtFindings found{};
    copy_from(on_, &found, findings_, sizeof found.demand + samples_ * sizeof(double));
    return CrtPlanner<Steps>(found, samples_, static_cast<std::uint64_t>(g_.m) * static_cast<std::uint64_t>(g_.n), g_.k,
                             steps_);
  }

  /// Exponents d_l with which column l of op(A) times 2^(d_l) and row l of op(B) times 2^(−d_l) have maxima in one
  /// binade; nothing if they differ by little, or for want of memory.
  std::vector<std::int32_t> inner_shifts(const GemmLines& a, const GemmLines& b) {
    constexpr int worth = 8;
    constexpr int most = 900;
    const auto terms = static_cast<std::size_t>(g_.k);
    const std::size_t bytes = 2 * Workspace::bytes_of<GemmLine>(terms);
    if (fixed_ + bytes > budget_) return {};
    Workspace memory(on_, bytes);
    auto* columns = memory.take<GemmLine>(terms);
    auto* rows = memory.take<GemmLine>(terms);
    scan(a.across(), columns);
    scan(b.across(), rows);
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

  void scan(const GemmLines& of, GemmLine* result) {
    using Kernel = GemmScanKernel<Steps>;
    const std::int64_t blocks = (of.lines + Kernel::lines_a_block - 1) / Kernel::lines_a_block;
    queue_blocks(on_, static_cast<std::size_t>(blocks), Kernel{of, result, steps_});
  }

  /// What a panel takes.
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
    CrtPanels p{g_.m, g_.n, std::min(g_.k, steps_.most_terms())};
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

  /// The residues of lines `first` … `first` + `lines` − 1 and inner indices `begin` … `begin` + `terms` − 1.
  template <int W>
  void queue_residues(const GemmLines& all, const CrtLine* scaled, std::int64_t first, std::int64_t lines,
                      std::int64_t begin, std::int64_t terms, const crt::ResidueTable<W>& table, std::int8_t* to) {
    using Kernel = CrtResidueKernel<W, Steps>;
    GemmLines of = all;
    of.x += first * of.line_step + begin * of.inner_step;
    of.shift = of.shift == nullptr ? nullptr : of.shift + begin;
    of.lines = lines;
    of.length = terms;
    const std::int64_t leading = round_up(terms, 16);
    const std::int64_t padded = round_up(lines, 16);
    const std::int64_t tiles = (leading + Kernel::tile_inner - 1) / Kernel::tile_inner;
    const std::int64_t blocks = tiles * ((padded + Kernel::tile_lines - 1) / Kernel::tile_lines);
    queue_blocks(on_, static_cast<std::size_t>(blocks),
                 Kernel{of, scaled + first, tiles, leading, leading * padded, padded, to, table, steps_});
  }

  std::uint64_t pass(const CrtPlan& plan, const GemmLines& a, const GemmLines& b, GemmCrtReport& report) {
    steps_.begin(CrtPhase::residues);
    ++report.passes;
    report.moduli = plan.moduli;
    report.exact = plan.exact;
    const CrtMagnitude limit{static_cast<int>(std::floor(plan.limit)), std::exp2(plan.limit - std::floor(plan.limit))};
    queue_indices(on_, static_cast<std::size_t>(g_.m + g_.n),
                  CrtScaleLines<Steps>{lines_, g_.m, g_.k, plan.exact, limit, scaled_, steps_});
    fill_bytes(on_, undecided_count_, 0, sizeof(std::uint64_t));
    if (plan.words <= 3) {
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
    auto* residues_a = memory.template take<std::int8_t>(room(p.rows, p.terms));
    auto* residues_b = memory.template take<std::int8_t>(room(p.columns, p.terms));
    auto* product = memory.template take<std::int32_t>(room(p.rows, p.columns));
    auto* list =
        memory.template take<std::uint32_t>(static_cast<std::size_t>(p.rows) * static_cast<std::size_t>(p.columns));
    const crt::ResidueTable<W> table_a = crt::residue_table<W>(crt_basis(plan.moduli), true);
    const crt::ResidueTable<W> table_b = crt::residue_table<W>(crt_basis(plan.moduli), false);

    const bool one_block = p.terms >= g_.k;
    for (std::int64_t i = 0; i < g_.m; i += p.rows) {
      const std::int64_t rows = std::min(p.rows, g_.m - i);
      const std::int64_t padded_rows = round_up(rows, 16);
      if (one_block) queue_residues<W>(a, scaled_, i, rows, 0, g_.k, table_a, residues_a);
      for (std::int64_t j = 0; j < g_.n; j += p.columns) {
        const std::int64_t columns = std::min(p.columns, g_.n - j);
        const std::int64_t padded_columns = round_up(columns, 16);
        const std::int64_t plane = padded_rows * padded_columns;
        for (std::int64_t l = 0; l < g_.k; l += p.terms) {
          const std::int64_t terms = std::min(p.terms, g_.k - l);
          const std::int64_t leading = round_up(terms, 16);
          steps_.begin(CrtPhase::residues);
          if (!one_block) queue_residues<W>(a, scaled_, i, rows, l, terms, table_a, residues_a);
          queue_residues<W>(b, scaled_ + g_.m, j, columns, l, terms, table_b, residues_b);
          if (l > 0) {
            for (int q = 0; q < plan.moduli; ++q) {
              queue_indices(on_, static_cast<std::size_t>(plane),
                            CrtReduce{product + q * plane, static_cast<std::size_t>(plane), crt::modulus(q)});
            }
          }
          steps_.begin(CrtPhase::products);
          // Tensor cores want whole tiles; a host need not multiply the zeros around them.
          const bool host = on_.kind() == Executor::Kind::host;
          cublas::int8_product(on_, host ? rows : padded_rows, host ? columns : padded_columns, leading, residues_a,
                               leading, leading * padded_rows, residues_b, leading, leading * padded_columns, product,
                               padded_rows, plane, plan.moduli, l > 0);
        }
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
        steps_.begin(CrtPhase::looks);
        queue_crt_looks(on_, panel, plan.moduli);
      }
    }
  }

  Executor on_;
  const GemmArguments& g_;
  std::size_t budget_;
  Steps steps_;
  std::size_t fixed_ = 0;
  GemmLine* lines_ = nullptr;                 ///< of A, then of B
  CrtLine* scaled_ = nullptr;                 ///< likewise
  std::uint32_t* undecided_ = nullptr;        ///< a bit for each entry
  std::uint32_t* listed_ = nullptr;           ///< how many entries of a panel
  std::uint64_t* undecided_count_ = nullptr;  ///< in a pass
  CrtFindings* findings_ = nullptr;
  std::size_t samples_ = 0;
};

template <class Steps>
GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options, const Steps& steps) {
  if (g.m == 0 || g.n == 0) return {};
  if (!g.reads_ab()) {
    crt_scale_c(on, g);
    return {};
  }
  return CrtCall<Steps>(on, g, options, steps).run();
}

}  // namespace assay::gemm::detail
