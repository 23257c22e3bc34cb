// Tests which arguments the interface refuses, and how much memory it requests: functions of the sizes only.

#include <algorithm>

#include "errorbounds/gemm_theorems.hpp"
#include "kernels/gemm/gemm.hpp"
#include "properties/catalog/refused.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemm {

namespace {

using oracle::Dyadic;

blas::Transpose transpose(int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; }
std::int64_t small(Draw& draw, std::uint64_t numbers) { return static_cast<std::int64_t>(draw.below(numbers)); }

// ------------------------------------------------------------------------------------------------- refused arguments

/// A call given by its numbers: dimensions, steps, α, and how many entries the arrays have.
struct BatchArguments {
  int trans_a = 0, trans_b = 0;
  std::int64_t m = 0, n = 0, k = 0, lda = 1, ldb = 1, ldc = 1;
  std::int64_t batch = 1, stride_a = 0, stride_b = 0, stride_c = 0;
  int alpha = 1;
  std::int64_t a = 0, b = 0, c = 0;
  static constexpr auto fields() {
    using C = BatchArguments;
    return std::tuple{field("trans_a", &C::trans_a),
                      field("trans_b", &C::trans_b),
                      field("m", &C::m),
                      field("n", &C::n),
                      field("k", &C::k),
                      field("lda", &C::lda),
                      field("ldb", &C::ldb),
                      field("ldc", &C::ldc),
                      field("batch", &C::batch),
                      field("stride_a", &C::stride_a),
                      field("stride_b", &C::stride_b),
                      field("stride_c", &C::stride_c),
                      field("alpha", &C::alpha),
                      field("a", &C::a),
                      field("b", &C::b),
                      field("c", &C::c)};
  }
  [[nodiscard]] std::int64_t rows_a() const { return trans_a != 0 ? k : m; }
  [[nodiscard]] std::int64_t columns_a() const { return trans_a != 0 ? m : k; }
  [[nodiscard]] std::int64_t rows_b() const { return trans_b != 0 ? n : k; }
  [[nodiscard]] std::int64_t columns_b() const { return trans_b != 0 ? k : n; }
  [[nodiscard]] bool is_empty() const { return m == 0 || n == 0 || batch == 0; }
};

constexpr std::int64_t most_entries = 128;
constexpr std::int64_t longest_step = 16;

/// The number of entries that the matrices of a batch span. Requires: none of the numbers is 0 (not checked).
std::int64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t leading, std::int64_t batch,
                    std::int64_t stride) {
  return (batch - 1) * stride + (columns - 1) * leading + rows;
}

bool is_refused(const BatchArguments& c) {
  const auto is_leading = [](std::int64_t leading, std::int64_t rows) { return leading >= 1 && leading >= rows; };
  if (std::min({c.m, c.n, c.k, c.batch, c.stride_a, c.stride_b}) < 0) return true;
  if (!is_leading(c.lda, c.rows_a()) || !is_leading(c.ldb, c.rows_b()) || !is_leading(c.ldc, c.m)) return true;
  if (c.is_empty()) return false;
  const bool follow = c.stride_c >= extent(c.m, c.n, c.ldc, 1, 0);
  const bool interleaved = c.stride_c >= c.m && c.ldc >= extent(c.m, c.batch, c.stride_c, 1, 0);
  if (c.batch > 1 && !follow && !interleaved) return true;
  if (c.c < extent(c.m, c.n, c.ldc, c.batch, c.stride_c)) return true;
  return c.k > 0 && c.alpha != 0 &&
         (c.a < extent(c.rows_a(), c.columns_a(), c.lda, c.batch, c.stride_a) ||
          c.b < extent(c.rows_b(), c.columns_b(), c.ldb, c.batch, c.stride_b));
}

/// Arrays of the required length; unread arrays are empty.
BatchArguments draw_sizes(Draw& draw, bool empty) {
  BatchArguments c;
  c.trans_a = draw.coin() ? 1 : 0;
  c.trans_b = draw.coin() ? 1 : 0;
  for (std::int64_t* each : {&c.m, &c.n, &c.k}) *each = 1 + small(draw, 3);
  if (empty) {
    std::int64_t* const numbers[] = {&c.m, &c.n, &c.k};
    *numbers[draw.below(3)] = 0;
    if (draw.one_in(3)) c.alpha = 0;
  }
  c.lda = std::max<std::int64_t>(1, c.rows_a()) + small(draw, 3);
  c.ldb = std::max<std::int64_t>(1, c.rows_b()) + small(draw, 3);
  c.ldc = std::max<std::int64_t>(1, c.m) + small(draw, 3);
  c.batch = 1 + small(draw, 3);
  c.stride_a = small(draw, 9);
  c.stride_b = small(draw, 9);
  const bool interleaved = c.batch > 1 && draw.one_in(3);
  c.stride_c = interleaved ? std::max<std::int64_t>(1, c.m) : extent(c.m, c.n, c.ldc, 1, 0) + small(draw, 3);
  if (interleaved) c.ldc = std::max<std::int64_t>(1, extent(c.m, c.batch, c.stride_c, 1, 0));
  if (empty && draw.one_in(4)) c.batch = 0;
  if (c.is_empty()) return c;
  c.c = extent(c.m, c.n, c.ldc, c.batch, c.stride_c);
  if (c.k == 0 || c.alpha == 0) return c;
  c.a = extent(c.rows_a(), c.columns_a(), c.lda, c.batch, c.stride_a);
  c.b = extent(c.rows_b(), c.columns_b(), c.ldb, c.batch, c.stride_b);
  return c;
}

/// Changes the call: one number less by one, or an array empty.
BatchArguments draw_one_less(Draw& draw) {
  BatchArguments c = draw_sizes(draw, false);
  std::int64_t* const numbers[] = {&c.a, &c.b, &c.c, &c.lda, &c.ldb, &c.ldc, &c.stride_c};
  std::int64_t& one = *numbers[draw.below(7)];
  one = draw.one_in(4) ? 0 : one - 1;
  return c;
}

BatchArguments draw_wrong_number(Draw& draw) {
  BatchArguments c = draw_sizes(draw, draw.coin());
  std::int64_t* const numbers[] = {&c.m, &c.n, &c.k, &c.lda, &c.ldb, &c.ldc, &c.batch, &c.stride_a, &c.stride_b};
  *numbers[draw.below(9)] = small(draw, 3) - 1;
  return c;
}

bool is_in_range(const BatchArguments& c) {
  const auto is_flag = [](int x) { return x == 0 || x == 1; };
  const auto holds = [](std::int64_t entries) { return 0 <= entries && entries <= most_entries; };
  return is_flag(c.trans_a) && is_flag(c.trans_b) && is_flag(c.alpha) && holds(c.a) && holds(c.b) && holds(c.c) &&
         std::max({c.m, c.n, c.k, c.batch, c.lda, c.ldb, c.ldc}) <= longest_step &&
         std::max({c.stride_a, c.stride_b, c.stride_c}) <= most_entries;
}

void call(const Executor& on, const BatchArguments& c) {
  const auto zeros = [](std::int64_t entries) { return std::vector<double>(static_cast<std::size_t>(entries)); };
  const std::vector<double> a = zeros(c.a);
  const std::vector<double> b = zeros(c.b);
  const std::vector<double> start = zeros(c.c);
  gemm_strided_batched(on, transpose(c.trans_a), transpose(c.trans_b), c.m, c.n, c.k, c.alpha, a, c.lda, c.stride_a, b,
                       c.ldb, c.stride_b, 1.0, start, c.ldc, c.stride_c, c.batch);
}

const Registration arguments{refusals<BatchArguments>(
    "gemm.arguments",
    {.classes = {{"arrays as long as they must be", 2,
                  drawn<BatchArguments>([](Draw& draw) { return draw_sizes(draw, false); })},
                 {"nothing to read", 2, drawn<BatchArguments>([](Draw& draw) { return draw_sizes(draw, true); })},
                 {"a number by one too small", 3, drawn<BatchArguments>(draw_one_less)},
                 {"a number −1, 0 or 1", 2, drawn<BatchArguments>(draw_wrong_number)}},
     .contains = is_in_range,
     .accepts = "dimensions at most 16, the arrays and the steps of a batch at most 128, arrays at least 0"},
    call, is_refused, gemm_arguments_1, 2000)};

// --------------------------------------------------------------------------------------------------------- workspace

/// A caller's request: an engine, the dimensions, and the limit in bytes, 0 for 4 GiB.
struct WorkspaceArguments {
  int engine = 1;  ///< of GemmEngine
  std::int64_t m = 1, n = 1, k = 1, limit = 0;
  static constexpr auto fields() {
    using C = WorkspaceArguments;
    return std::tuple{field("engine", &C::engine), field("m", &C::m), field("n", &C::n), field("k", &C::k),
                      field("limit", &C::limit)};
  }
};

constexpr std::int64_t most_limit = std::int64_t{1} << 50;
constexpr std::int64_t longest = std::int64_t{1} << 18;

/// The bytes of theorem gemm.workspace.1; −1 if the call is refused.
std::int64_t bytes_of(const WorkspaceArguments& c) {
  if (std::min({c.m, c.n, c.k}) < 0) return -1;
  const auto engine = static_cast<GemmEngine>(c.engine);
  if (c.m == 0 || c.n == 0 || c.k == 0 || engine == GemmEngine::superaccumulator) return 0;
  const std::int64_t limit = c.limit == 0 ? std::int64_t{1} << 32 : c.limit;
  if (engine == GemmEngine::ozaki) return limit;
  const auto tiles = [](std::int64_t x) { return (x - 1) / 16 + 1; };
  const std::int64_t terms = 16 * tiles(std::min<std::int64_t>(c.k, 65536));
  const std::int64_t residues = 49 * (16 * (tiles(c.m) + tiles(c.n)) * terms + 1024 * tiles(c.m) * tiles(c.n));
  const std::int64_t panels = residues + 4 * c.m * c.n;
  const std::int64_t arrays = 128 * (c.m + c.n) + 8 * c.k + c.m * c.n / 8 + 1048576;
  return std::min(limit, arrays + std::max(panels, std::int64_t{1} << 31));
}

WorkspaceArguments draw_question(Draw& draw, int most_bits) {
  WorkspaceArguments c;
  c.engine = draw.one_in(4) ? 1 + static_cast<int>(draw.below(3)) : 2;
  for (std::int64_t* each : {&c.m, &c.n, &c.k}) {
    *each = 1 + small(draw, std::uint64_t{1} << draw.between(most_bits / 2, most_bits));
  }
  c.limit = draw.one_in(4) ? 0 : draw.one_in(3) ? 1 + small(draw, std::uint64_t{1} << 36) : most_limit;
  return c;
}
WorkspaceArguments draw_wrong_dimension(Draw& draw) {
  WorkspaceArguments c = draw_question(draw, 4);
  std::int64_t* const numbers[] = {&c.m, &c.n, &c.k};
  *numbers[draw.below(3)] = small(draw, 2) - 1;
  return c;
}

double workspace(const Executor& on, const WorkspaceArguments& c) {
  const GemmOptions options{static_cast<std::size_t>(c.limit), static_cast<GemmEngine>(c.engine)};
  constexpr blas::Transpose no = blas::Transpose::no;
  try {
    return static_cast<double>(gemm_workspace(on, no, no, c.m, c.n, c.k, options));
  } catch (const std::invalid_argument&) {
    return -1;
  }
}

const Registration workspace_bytes{
    Property<WorkspaceArguments, double, Dyadic>{
        .name = "gemm.workspace",
        .domain = {.classes = {{"dimensions up to 2¹⁸", 3,
                                drawn<WorkspaceArguments>([](Draw& draw) { return draw_question(draw, 18); })},
                               {"dimensions up to 64", 1,
                                drawn<WorkspaceArguments>([](Draw& draw) { return draw_question(draw, 6); })},
                               {"a dimension −1 or 0", 1, drawn<WorkspaceArguments>(draw_wrong_dimension)}},
                   .contains =
                       [](const WorkspaceArguments& c) {
                         return c.engine >= 1 && c.engine <= 3 && std::max({c.m, c.n, c.k}) <= longest &&
                                c.limit >= 0 && c.limit <= most_limit;
                       },
                   .accepts = "a named engine, dimensions up to 2¹⁸, limits from 0 to 2⁵⁰"},
        .subject = workspace,
        .reference = [](const WorkspaceArguments& c) { return Dyadic(bytes_of(c)); },
        .claims = {exact("bytes", gemm_workspace_1)},
        .inexact = [](const WorkspaceArguments&, const Dyadic&, const double& bytes) { return bytes > 0; },
        .quick_cases = 1000}};

}  // namespace

}  // namespace assay::gemm
