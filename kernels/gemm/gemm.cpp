#include "kernels/gemm/gemm.hpp"

#include <algorithm>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/detail/superaccumulator_block.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/scan.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "kernels/gemv/exact_gemv_block.hpp"

namespace assay::gemm {
namespace {

/// The largest k of recompute_entries, which gemm_crt calls.
constexpr std::int64_t most_terms = std::int64_t{1} << 28;

/// Milliseconds on an H200, by gemm_superaccumulator with one launch for all products, and by gemm_crt one product
/// after the other. Measured; of gemm_superaccumulator the time of entries that no window decides, such as zeros. Only
/// the choice of the engine depends on them.
double superaccumulator_time(const GemmArguments& g, std::int64_t batch) {
  const double entries = static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(batch);
  const double terms = static_cast<double>(g.k);
  if (gemm_superaccumulator_shares(g, batch)) return 0.012 + 8e-9 * entries * terms;
  return 0.02 + 3.4e-9 * entries * terms + 1.1e-7 * entries + 1.5e-4 * terms;
}
double crt_time(const GemmArguments& g, std::int64_t batch) {
  const double m = static_cast<double>(g.m);
  const double n = static_cast<double>(g.n);
  const double terms = static_cast<double>(g.k);
  return static_cast<double>(batch) *
         (0.12 + 2.6e-8 * (m + n) * terms + 4.7e-8 * m * n + 1.3e-5 * terms + 2.5e-11 * m * n * terms);
}

bool is_finite_product(const GemmArguments& g) { return (!g.reads_ab() || is_finite(g.alpha)) && is_finite(g.beta); }

/// Entries with a term that is not finite: all entries if α or β is not finite, otherwise the entries of marked lines.
/// The result is a NaN or an infinity. The result divided by `divisor` is written.
struct SpecialEntries {
  detail::GemmEntries of;
  const GemmLine* rows;  ///< of op(A); null: all entries
  const GemmLine* columns;
  double divisor;

  ASSAY_HD void operator()(std::size_t at) const {
    const auto j = static_cast<std::int64_t>(at) / of.m;
    const std::int64_t i = static_cast<std::int64_t>(at) - j * of.m;
    if (rows != nullptr && (rows[i].non_finite | columns[j].non_finite) == 0) return;
    double& c = of.c[i + j * of.ldc];
    std::uint32_t seen = of.beta == 0 ? 0 : accumulators::seen_product(of.beta, c);
    for (std::int64_t l = 0; l < of.k && (seen & accumulators::saw_nan) == 0; ++l) {
      const double a = of.a.x[i * of.a.row_step + l * of.a.column_step];
      const double b = of.b.x[l * of.b.row_step + j * of.b.column_step];
      seen |= gemv::detail::seen_triple(of.alpha, a, b);
    }
    c = accumulators::special_sum(seen) / divisor;
  }
};

/// Queues SpecialEntries for all entries if `rows` is null, and otherwise for the entries of marked lines.
void queue_special(const Executor& on, const GemmArguments& g, const GemmLine* rows, const GemmLine* columns,
                   double divisor) {
  queue_indices(on, static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n),
                SpecialEntries{detail::gemm_entries(g, g.c, {}), rows, columns, divisor});
}

/// The scan of the rows of op(A) and of the columns of op(B).
class ScannedLines {
 public:
  ScannedLines(const Executor& on, const GemmArguments& g)
      : memory_(on, bytes(g)), rows_(memory_.take<GemmLine>(count(g))), columns_(rows_ + g.m) {
    gemm_scan(on, GemmLines::rows_of_a(g), GemmLines::columns_of_b(g), rows_);
  }
  static std::size_t bytes(const GemmArguments& g) { return Workspace::bytes_of<GemmLine>(count(g)); }
  [[nodiscard]] const GemmLine* rows() const { return rows_; }
  [[nodiscard]] const GemmLine* columns() const { return columns_; }

 private:
  static std::size_t count(const GemmArguments& g) { return static_cast<std::size_t>(g.m + g.n); }
  Workspace memory_;
  GemmLine* rows_;
  const GemmLine* columns_;
};

/// An upper bound of the least workspace of gemm_crt: arrays of lines and entries, and its smallest panels.
std::size_t crt_least_workspace(const GemmArguments& g) {
  const auto lines = static_cast<std::size_t>(g.m + g.n);
  const auto entries = static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n);
  return 128 * lines + 8 * static_cast<std::size_t>(g.k) + entries / 8 + (std::size_t{1} << 20);
}

/// The workspace of gemm_crt without a limit, for data that need all 49 moduli. These follow one another: the scan of
/// the inner index; residues, products and lists of entries; the recomputation of listed entries.
std::size_t crt_most_workspace(const GemmArguments& g) {
  constexpr std::size_t moduli = 49;
  const auto padded = [](std::int64_t x) { return (static_cast<std::size_t>(x) + 15) / 16 * 16; };
  const std::size_t terms = padded(std::min<std::int64_t>(g.k, std::int64_t{1} << 16));
  const std::size_t panels = moduli * ((padded(g.m) + padded(g.n)) * terms + 4 * padded(g.m) * padded(g.n)) +
                             4 * static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n);
  const std::size_t inner = 2 * sizeof(GemmLine) * static_cast<std::size_t>(g.k);
  return crt_least_workspace(g) + std::max({inner, panels, (std::size_t{1} << 30) + recompute_default_workspace});
}

GemmEngine engine_for(const Executor& on, const GemmArguments& g, const GemmOptions& options, std::int64_t batch) {
  if (options.engine != GemmEngine::automatic) return options.engine;
  const bool possible = on.kind() == Executor::Kind::cuda && g.reads_ab() && g.k <= most_terms &&
                        options.budget() >= crt_least_workspace(g);
  return possible && crt_time(g, batch) < superaccumulator_time(g, batch) ? GemmEngine::crt
                                                                          : GemmEngine::superaccumulator;
}

/// The options with a budget that is smaller by `bytes`, at least 1.
GemmOptions without(const GemmOptions& options, std::size_t bytes) {
  GemmOptions rest = options;
  rest.workspace_bytes = options.budget() > bytes ? options.budget() - bytes : 1;
  return rest;
}

/// One product with checked arguments. C is complete after wait().
void product(const Executor& on, const GemmArguments& g, const GemmOptions& options, GemmEngine engine) {
  if (!is_finite_product(g)) {
    queue_special(on, g, nullptr, nullptr, 1);
    return;
  }
  switch (engine) {
    case GemmEngine::superaccumulator:
      gemm_superaccumulator(on, g);
      return;
    case GemmEngine::ozaki: {
      // gemm_ozaki takes lines that are not finite as zero, and gives β·c for a c that is not finite.
      if (!g.reads_ab()) {
        gemm_ozaki(on, g, options);
        return;
      }
      const ScannedLines lines(on, g);
      if (g.reads_c()) queue_special(on, g, lines.rows(), lines.columns(), g.beta);
      gemm_ozaki(on, g, without(options, ScannedLines::bytes(g)));
      if (!g.reads_c()) queue_special(on, g, lines.rows(), lines.columns(), 1);
      return;
    }
    default:
      // gemm_crt does not write entries of lines that are not finite.
      if (gemm_crt(on, g, options).non_finite) {
        const ScannedLines lines(on, g);
        queue_special(on, g, lines.rows(), lines.columns(), 1);
      }
  }
}

/// A call, and the name of the routine for messages.
struct Call {
  const char* routine;
  GemmArguments g;
  GemmBatch batch;
  bool batched;
};

std::int64_t rows_a(const GemmArguments& g) { return g.trans_a == blas::Transpose::yes ? g.k : g.m; }
std::int64_t columns_a(const GemmArguments& g) { return g.trans_a == blas::Transpose::yes ? g.m : g.k; }
std::int64_t rows_b(const GemmArguments& g) { return g.trans_b == blas::Transpose::yes ? g.n : g.k; }
std::int64_t columns_b(const GemmArguments& g) { return g.trans_b == blas::Transpose::yes ? g.k : g.n; }

/// Whether there is nothing to compute.
bool is_empty(const Call& call) { return call.g.m == 0 || call.g.n == 0 || call.batch.count == 0; }

/// Whether count blocks of m numbers, `step` apart, end before `next`.
bool are_within(std::int64_t m, std::int64_t count, std::int64_t step, std::int64_t next) {
  return next >= m && (count - 1) <= (next - m) / step;
}

void check(const Call& call) {
  const auto require = [&](bool holds, const char* what) { blas::require_argument(holds, call.routine, what); };
  const GemmArguments& g = call.g;
  const auto known = [](blas::Transpose t) { return t == blas::Transpose::no || t == blas::Transpose::yes; };
  require(known(g.trans_a), "transa is no or yes");
  require(known(g.trans_b), "transb is no or yes");
  require(g.m >= 0, "m is at least 0");
  require(g.n >= 0, "n is at least 0");
  require(g.k >= 0, "k is at least 0");
  require(g.lda >= 1 && g.lda >= rows_a(g), "lda is at least 1 and the rows of A");
  require(g.ldb >= 1 && g.ldb >= rows_b(g), "ldb is at least 1 and the rows of B");
  require(g.ldc >= 1 && g.ldc >= g.m, "ldc is at least max(1, m)");
  if (!call.batched) return;
  const GemmBatch& batch = call.batch;
  require(batch.count >= 0, "batch is at least 0");
  require(batch.stride_a >= 0, "stride_a is at least 0");
  require(batch.stride_b >= 0, "stride_b is at least 0");
  require(is_empty(call) || batch.count == 1 || are_within(g.m, g.n, g.ldc, batch.stride_c) ||
              (batch.stride_c >= g.m && batch.stride_c > 0 && are_within(g.m, batch.count, batch.stride_c, g.ldc)),
          "stride_c keeps the matrices of C apart");
}

/// All products of a call, on memory on the executor.
void run(const Executor& on, const Call& call, const GemmOptions& options) {
  GemmArguments g = call.g;
  const GemmBatch& batch = call.batch;
  blas::require_argument(g.c != nullptr, call.routine, "c is a null pointer");
  blas::require_argument(!g.reads_ab() || g.a != nullptr, call.routine, "a is a null pointer");
  blas::require_argument(!g.reads_ab() || g.b != nullptr, call.routine, "b is a null pointer");
  const GemmEngine engine = engine_for(on, g, options, batch.count);
  if (is_finite_product(g) && engine == GemmEngine::superaccumulator) {
    gemm_superaccumulator(on, g, 4, batch);
  } else {
    for (std::int64_t p = 0; p < batch.count; ++p) {
      product(on, g, options, engine);
      if (g.reads_ab()) {
        g.a += batch.stride_a;
        g.b += batch.stride_b;
      }
      if (p + 1 < batch.count) g.c += batch.stride_c;
    }
  }
  wait(on);
}

/// Whether `entries` numbers hold the matrices number 0 … count − 1, each `stride` after the one before.
bool holds_matrices(std::size_t entries, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                    std::int64_t count, std::int64_t stride) {
  if (rows == 0 || columns == 0 || count == 0) return true;
  if (!blas::holds_matrix(entries, rows, columns, leading)) return false;
  const auto one =
      static_cast<std::uint64_t>(rows) + static_cast<std::uint64_t>(columns - 1) * static_cast<std::uint64_t>(leading);
  return stride == 0 || static_cast<std::uint64_t>(count - 1) <= (entries - one) / static_cast<std::uint64_t>(stride);
}

/// All products of a call, on arrays on the host.
std::vector<double> run(const Executor& on, Call call, std::span<const double> a, std::span<const double> b,
                        std::span<const double> c, const GemmOptions& options) {
  const GemmArguments& g = call.g;
  const GemmBatch& batch = call.batch;
  const auto require = [&](bool holds, const char* what) { blas::require_argument(holds, call.routine, what); };
  require(holds_matrices(c.size(), g.m, g.n, g.ldc, batch.count, batch.stride_c), "c is too short");
  if (is_empty(call)) return {c.begin(), c.end()};
  if (g.reads_ab()) {
    require(holds_matrices(a.size(), rows_a(g), columns_a(g), g.lda, batch.count, batch.stride_a), "a is too short");
    require(holds_matrices(b.size(), rows_b(g), columns_b(g), g.ldb, batch.count, batch.stride_b), "b is too short");
  } else {
    a = b = {};
  }
  const Array<double> left(on, a);
  const Array<double> right(on, b);
  const Array<double> result(on, c);
  call.g.a = left.data();
  call.g.b = right.data();
  call.g.c = result.data();
  run(on, call, options);
  left.compare(a);
  right.compare(b);
  return result.take();
}

Call checked(const Call& call) {
  check(call);
  return call;
}

Call checked_batch(const GemmArguments& g, const GemmBatch& batch) {
  return checked({"gemm_strided_batched", g, batch, true});
}

}  // namespace

void gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n,
          std::int64_t k, double alpha, const double* a, std::int64_t lda, const double* b, std::int64_t ldb,
          double beta, double* c, std::int64_t ldc, const GemmOptions& options) {
  const Call call = checked({"gemm", {transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc}, {}, false});
  if (!is_empty(call)) run(on, call, options);
}

std::vector<double> gemm(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                         std::int64_t n, std::int64_t k, double alpha, std::span<const double> a, std::int64_t lda,
                         std::span<const double> b, std::int64_t ldb, double beta, std::span<const double> c,
                         std::int64_t ldc, const GemmOptions& options) {
  const GemmArguments arguments{transa, transb, m, n, k, alpha, nullptr, lda, nullptr, ldb, beta, nullptr, ldc};
  return run(on, checked({"gemm", arguments, {}, false}), a, b, c, options);
}

void gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                          std::int64_t n, std::int64_t k, double alpha, const double* a, std::int64_t lda,
                          std::int64_t stride_a, const double* b, std::int64_t ldb, std::int64_t stride_b, double beta,
                          double* c, std::int64_t ldc, std::int64_t stride_c, std::int64_t batch,
                          const GemmOptions& options) {
  const Call call = checked_batch({transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc},
                                  {batch, stride_a, stride_b, stride_c});
  if (!is_empty(call)) run(on, call, options);
}

std::vector<double> gemm_strided_batched(const Executor& on, blas::Transpose transa, blas::Transpose transb,
                                         std::int64_t m, std::int64_t n, std::int64_t k, double alpha,
                                         std::span<const double> a, std::int64_t lda, std::int64_t stride_a,
                                         std::span<const double> b, std::int64_t ldb, std::int64_t stride_b,
                                         double beta, std::span<const double> c, std::int64_t ldc,
                                         std::int64_t stride_c, std::int64_t batch, const GemmOptions& options) {
  const GemmArguments arguments{transa, transb, m, n, k, alpha, nullptr, lda, nullptr, ldb, beta, nullptr, ldc};
  const Call call = checked_batch(arguments, {batch, stride_a, stride_b, stride_c});
  return run(on, call, a, b, c, options);
}

std::size_t gemm_workspace(const Executor& on, blas::Transpose transa, blas::Transpose transb, std::int64_t m,
                           std::int64_t n, std::int64_t k, const GemmOptions& options, std::int64_t batch) {
  Call call{"gemm_workspace", {}, {}, false};
  call.g = {.trans_a = transa, .trans_b = transb, .m = m, .n = n, .k = k};
  call.g.lda = std::max<std::int64_t>(1, rows_a(call.g));
  call.g.ldb = std::max<std::int64_t>(1, rows_b(call.g));
  call.g.ldc = std::max<std::int64_t>(1, m);
  check(call);
  blas::require_argument(batch >= 0, call.routine, "batch is at least 0");
  call.batch.count = batch;
  if (is_empty(call) || !call.g.reads_ab()) return 0;
  switch (engine_for(on, call.g, options, batch)) {
    case GemmEngine::superaccumulator:
      return 0;
    case GemmEngine::crt:
      return std::min(options.budget(), crt_most_workspace(call.g));
    default:
      return options.budget();
  }
}

}  // namespace assay::gemm
