// Assertions about the matrix products in kernels/gemm: estimates on which only time depends, lines that are copied,
// samples, tiles at the ends of their arrays, carries after 2²⁹ numbers, and entries that a look does not change.

#if defined(__cpp_implicit_constexpr)

#include "tests/constants/inline_here.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/gemm/superaccumulator.hpp"

// Definitions that the files below have without `inline`.
namespace assay::gemm {
inline bool gemm_superaccumulator_shares(const GemmArguments& g, std::int64_t batch);
namespace {
inline double superaccumulator_time(const GemmArguments& g, std::int64_t batch);
inline double crt_time(const GemmArguments& g, std::int64_t batch);
inline std::size_t crt_least_workspace(const GemmArguments& g);
inline bool holds_matrices(std::size_t entries, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                           std::int64_t count, std::int64_t stride);
inline std::int64_t rows_b(const GemmArguments& g);
inline std::int64_t columns_b(const GemmArguments& g);
}  // namespace
namespace detail {
inline double crt_log2_product(int count);
}
}  // namespace assay::gemm

#include "kernels/gemm/detail/crt_engine.hpp"
#include "kernels/gemm/detail/ozaki_sum_kernels.hpp"
#include "kernels/gemm/gemm.cpp"
#include "kernels/gemm/superaccumulator.cpp"
#include "tests/constants/run_blocks.hpp"

namespace assay::gemm::detail {

/// Tiles of 5 words have no superaccumulators here: the compiler cannot evaluate one that needs them.
template <>
void SuperaccumulatorTile<5>::sum_exactly(Block<Shared, threads>& block, const Place& place, int quarter,
                                          PerThread<int, threads>& undecided) const;

inline double crt_log2_product(int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += std::log2(static_cast<double>(crt::modulus(i)));
  return sum;
}

}  // namespace assay::gemm::detail

namespace assay::constants {
namespace {

namespace of = gemm::detail;
using gemm::GemmArguments;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr bool is_about(double x, double y) { return x > y * (1 - 1e-9) && x < y * (1 + 1e-9); }

constexpr GemmArguments shape(std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmArguments g;
  g.m = m;
  g.n = n;
  g.k = k;
  return g;
}

// The choice of an engine on a device. Milliseconds, term by term, for two products of 1000 × 3000 with k = 2000.
constexpr GemmArguments large = shape(1000, 3000, 2000);
static_assert(is_about(gemm::superaccumulator_time(large, 2), 0.02 + 40.8 + 0.66 + 0.3));
static_assert(is_about(gemm::crt_time(large, 2), 2 * (0.12 + 0.208 + 0.141 + 0.026 + 0.15)));
static_assert(is_about(gemm::superaccumulator_time(shape(10, 20, 1000), 3), 0.012 + 0.0048));

// Threads share an entry of 512 to 2²⁸ products, if there are at most 16384 entries in all.
static_assert(gemm::gemm_superaccumulator_shares(shape(128, 128, 512), 1));
static_assert(!gemm::gemm_superaccumulator_shares(shape(128, 128, 511), 1));
static_assert(!gemm::gemm_superaccumulator_shares(shape(128, 129, 512), 1));
static_assert(!gemm::gemm_superaccumulator_shares(shape(128, 128, 512), 2));
static_assert(gemm::gemm_superaccumulator_shares(shape(1, 1, std::int64_t{1} << 28), 1));
static_assert(!gemm::gemm_superaccumulator_shares(shape(1, 1, (std::int64_t{1} << 28) + 1), 1));

// The requirements of a call, and its request.
static_assert(gemm::crt_least_workspace(shape(64, 32, 5)) == 128 * 96 + 40 + 256 + (1 << 20));
static_assert(gemm::holds_matrices(2 + 3 * 10 + 4 * 100, 2, 4, 10, 5, 100));
static_assert(!gemm::holds_matrices(2 + 3 * 10 + 4 * 100 - 1, 2, 4, 10, 5, 100));
constexpr bool sides_of_b() {
  GemmArguments g = shape(2, 3, 4);
  if (gemm::rows_b(g) != 4 || gemm::columns_b(g) != 3) return false;
  g.trans_b = blas::Transpose::yes;
  return gemm::rows_b(g) == 3 && gemm::columns_b(g) == 4;
}
static_assert(sides_of_b());

// Lines are copied if they are out of sequence, 32 of them fit, and the list has a quarter as many entries.
constexpr bool copies(std::int64_t lines, std::int64_t step, std::uint64_t count, std::size_t bytes,
                      std::int64_t at_a_time) {
  const gemm::Panel panel(lines, 10, step, count, bytes);
  return panel.copied && panel.lines == at_a_time && panel.elements(10) == static_cast<std::size_t>(10 * at_a_time);
}
static_assert(copies(100, 2, 25, 80 * 32, 32) && copies(100, 2, 25, 80 * 1000, 100));
static_assert(!copies(100, 2, 25, 80 * 32 - 1, 100) && !copies(100, 1, 25, 80 * 32, 32));
static_assert(!copies(100, 2, 24, 80 * 32, 32));

// The plan of gemm_crt. Its cost is counted in inner products modulo one number.
constexpr of::CrtFindings findings(int bits, double log2_norm, double sample) {
  of::CrtFindings found{};
  found.demand[0] = {bits, 0, log2_norm + 3, log2_norm};
  found.demand[1] = {bits, 0, log2_norm + 3, log2_norm};
  found.sample[0] = sample;
  return found;
}
constexpr of::CrtPlanner planner(int bits, double log2_norm, double sample, std::uint64_t entries, std::int64_t k) {
  return {findings(bits, log2_norm, sample), 1, entries, k};
}
constexpr of::CrtPlan keeps_all = {10, true, 0, 3};
static_assert(is_about(planner(50, 60, 1, 1, 1500).cost(keeps_all), 20));
static_assert(is_about(planner(50, 60, 1, 1, 3000).cost(keeps_all), 15));
// Every entry is expected to be left: 30000 for it, and the share (1 − 1/e) of what a recomputation costs.
constexpr of::CrtPlan rounds = {10, false, 54.5, 3};
static_assert(is_about(planner(50, 60, 1e9, 1, 1500).open(rounds), 1));
static_assert(is_about(planner(50, 60, 1e9, 1, 1500).cost(rounds), 20 + 30000 + 2e7 * (1 - 1 / 2.718281828459045)));
// One of four entries is expected to remain.
static_assert(is_about(planner(50, 60, 0.25, 4, 1500).open(rounds), 0.25));
static_assert(is_about(planner(50, 60, 0.25, 4, 1500).cost(rounds), 20 + 7500 + 5e6 * (1 - 1 / 2.718281828459045)));
static_assert(planner(50, 60, 1e9, 1, 1500).gives_up(rounds) && !planner(50, 60, 1e9, 1, 1500).gives_up(keeps_all));
static_assert(!planner(50, 60, 1600.0 / 30000, 1, 1500).gives_up(rounds));
// The plan that keeps all bits has the fewest moduli whose product is above 2·Σ|a'||b'|.
constexpr bool keeps_with_the_fewest() {
  const of::CrtPlanner plans = planner(50, 40, 1, 100, 100);
  const of::CrtPlan plan = plans.exact().value();
  return plan.exact && of::crt_log2_product(plan.moduli) > 81 && of::crt_log2_product(plan.moduli - 1) < 81.01;
}
static_assert(keeps_with_the_fewest());
// |X| is below (1 − 2⁻¹⁰)·P/2: half of the 0.0014 bits that this leaves free are not free.
constexpr bool leaves_a_part_of_the_product_free() {
  const double log2_norm = (of::crt_log2_product(10) - 1 - 0.0007) / 2;
  return planner(500, log2_norm, 1, 100, 100).exact().value().moduli == 11;
}
static_assert(leaves_a_part_of_the_product_free());
// If all entries are far from midpoints, the fewest moduli with 50 bits win, and a pass that requires more gets more.
constexpr bool rounds_where_that_is_cheaper() {
  const of::CrtPlanner plans = planner(200, 200, 1e-9, 1 << 20, 4096);
  const of::CrtPlan plan = plans.best(1);
  return !plan.exact && plan.limit >= 50 && plans.rounded(plan.moduli - 1).limit < 54 &&
         plans.best(plan.moduli + 3).moduli == plan.moduli + 3;
}
static_assert(rounds_where_that_is_cheaper());

// Powers of two of twice the range of an exponent.
static_assert(of::scaled_by(0x1.8p-1000, 2000) == 0x1.8p1000 && of::scaled_by(0x1.8p1000, -2000) == 0x1.8p-1000);

// The demand of a side is that of the line with the largest demand, among fewer lines than there are threads.
constexpr bool demands_what_the_lines_demand() {
  const gemm::GemmLine rows[] = {{3, 0, 0, 0, 8, 64}, {9, 5, 0, 0, 600, 360000}, {0, 0, 0, 0, 1, 1}};
  const gemm::GemmLine columns[] = {{7, 7, 0, 0, 128, 16384}, {-2, -8, 0, 0, 0.25, 0.0625}};
  of::CrtFindings found{};
  run_blocks(of::CrtDemandKernel{{rows, columns}, {3, 2}, 4, &found}, 2);
  return found.demand[0].bits == 5 && found.demand[1].bits == 7 && found.demand[0].log2_sum >= 4.2 &&
         found.demand[0].log2_sum < 4.4 && found.demand[1].log2_norm >= 6 && found.demand[1].log2_norm < 6.1;
}
static_assert(demands_what_the_lines_demand());

// Samples: h/g of entry (i, j), with lines in units of their largest exponents.
constexpr double row_a[] = {3, 0, 4, 0, 0};
constexpr double column_b[] = {0, 8, 6, 0, 0};
constexpr gemm::GemmLine line_a{2, 0, 0, 0, 7, 25};
constexpr gemm::GemmLine line_b{3, 1, 0, 0, 14, 100};
constexpr gemm::GemmLines lines(const double* x) { return {x, 1, 5, 5, 1, nullptr, 1}; }
constexpr double sample(double alpha, double beta, double c) {
  of::CrtFindings found{};
  run_blocks(of::CrtSampleKernel{lines(row_a), lines(column_b), &line_a, &line_b, alpha, beta, &c, 1, &found}, 1);
  return found.sample[0];
}
// ‖a‖ = 5/4, ‖b‖ = 10/8, Σ|a| = 7/4, Σ|b| = 14/8, Σab = 24/32.
constexpr double h = 0.5 * (7.0 / 5 + 14.0 / 10);
static_assert(is_about(sample(2, 0, infinity), h * 1.25 * 1.25 / 0.75));
static_assert(is_about(sample(2, 4, 8), h * 1.25 * 1.25 / (0.75 + 0.5)));
// The samples come from all rows and columns. That of entry e is 1/(1 + e): a = b = 1 and c = e.
constexpr bool samples_are_everywhere() {
  constexpr int side = 2;
  const double ones[side] = {1, 1};
  const gemm::GemmLine of_one{0, 0, 0, 0, 1, 1};
  const gemm::GemmLine of_lines[side] = {of_one, of_one};
  const double c[side * side] = {0, 1, 2, 3};
  const gemm::GemmLines all{ones, side, 1, 1, 1, nullptr, 1};
  of::CrtFindings found{};
  run_blocks(of::CrtSampleKernel{all, all, of_lines, of_lines, 1, 1, c, side, &found}, 28);
  bool seen[side * side] = {};
  for (int s = 0; s < 28; ++s) seen[static_cast<int>(1 / found.sample[s] - 0.5)] = true;
  for (const bool each : seen) {
    if (!each) return false;
  }
  return true;
}
static_assert(samples_are_everywhere());

// A sample has all terms of a line that is as long as a block has threads: of ones h = 1 and g = 512/512.
constexpr double sample_of_ones() {
  constexpr int length = of::CrtSampleKernel::threads;
  double ones[length];
  for (double& each : ones) each = 1;
  const gemm::GemmLine of_ones{0, 0, 0, 0, length, length};
  const gemm::GemmLines one_line{ones, 1, length, length, 1, nullptr, 1};
  const double c = 0;
  of::CrtFindings found{};
  run_blocks(of::CrtSampleKernel{one_line, one_line, &of_ones, &of_ones, 1, 0, &c, 1, &found}, 1);
  return found.sample[0];
}
static_assert(is_about(sample_of_ones(), std::sqrt(512.0)));

// A reciprocal is as long as 31 bits hold.
constexpr bool reciprocals_are_long() {
  for (std::int32_t m = 3; m <= 256; ++m) {
    const int shift = of::reciprocal_shift(m);
    if (2 << shift >= m || 4 << shift < m) return false;
  }
  return true;
}
static_assert(reciprocals_are_long());

// The change by rounding is bounded from above, by sums that are rounded themselves: u + 1 + u.
constexpr double rounding_of(double half_sum_of_row, double half_sum_of_column, double quarter_terms) {
  of::CrtPanel panel{};
  panel.quarter_terms = quarter_terms;
  return panel.error({half_sum_of_row, 0, 0, 1}, {half_sum_of_column, 0, 0, 1});
}
static_assert(rounding_of(0x1p-53, 1, 0x1p-53) > 1 && rounding_of(0, 7, 0) >= 7 && rounding_of(0, 7, 0) < 7 + 0x1p-40);
// By a relative 8u, half of which is enough for the three roundings.
static_assert(rounding_of(0, 1, 0) == 1 + 0x1p-50);

// The first look decides an exact integer, α·X·2^−e + β·c, and lists an entry whose rounding is open.
struct FirstLook {
  double c;
  std::uint32_t listed;
};
constexpr FirstLook first_look(std::int64_t x, int scale, double half_sum, double alpha, double beta, double c) {
  const crt::Basis basis = crt::basis(2);  // 256 and 255: P_i and P are digits of their own
  of::CrtCombinationKernel<3> kernel{};
  std::int32_t product[2];
  kernel.table.count = 2;
  for (int i = 0; i < 2; ++i) {
    // s_i ≡ X·P_i⁻¹ modulo m_i, and P_i is ±1 there.
    product[i] = static_cast<std::int32_t>(x * basis.cofactor[i][0] % basis.modulus[i]);
    kernel.table.modulus[i] = basis.modulus[i];
    kernel.table.shift[i] = 6;
    kernel.table.reciprocal[i] = static_cast<std::int32_t>((std::int64_t{1} << 38) / basis.modulus[i]);
    kernel.table.inverse[i] = 1.0f / static_cast<float>(basis.modulus[i]);
    kernel.table.weight[i][0] = basis.cofactor[i][0];
  }
  kernel.table.product[0] = basis.product[0];
  const of::CrtLine row{half_sum, scale, static_cast<std::int16_t>(half_sum == 0 ? 1 : 0), 1};
  const of::CrtLine column{half_sum, 0, 1, 1};
  std::uint32_t listed = 0;
  std::uint32_t list[1] = {};
  kernel.panel.product = product;
  kernel.panel.plane = kernel.panel.leading = 1;
  kernel.panel.rows = kernel.panel.columns = 1;
  kernel.panel.row_lines = &row;
  kernel.panel.column_lines = &column;
  kernel.panel.alpha = alpha;
  kernel.panel.beta = beta;
  kernel.panel.c = &c;
  kernel.panel.ldc = kernel.panel.m = 1;
  kernel.panel.listed = &listed;
  kernel.panel.list = list;
  kernel.row_tiles = 1;
  run_blocks(kernel, 1);
  return {c, listed};
}
constexpr bool decides(const FirstLook& look, double c) { return look.c == c && look.listed == 0; }
static_assert(decides(first_look(1000, 0, 0, 1, 0, infinity), 1000));
static_assert(decides(first_look(1000, 3, 0, -2, 0.5, 14), -243));
static_assert(decides(first_look(1000, 0, 0, 1, 1, 0x1p53), 0x1p53 + 1000));
static_assert(decides(first_look(1001, 60, 0x1p-40, 1, 1, 1.5), 1.5 + 0x3E8p-60 + 0x1p-60));
// The bound of all roundings is 8u·|c| where X·α has a low word of 0: a c that is 6u below the midpoint might be on its
// other side, one that is 12u below is not.
static_assert(first_look(1, 0, 0, 0x1p53 + 2, 1, 1 - 0x6p-53).listed == 1);
static_assert(decides(first_look(1, 0, 0, 0x1p53 + 2, 1, 1 - 0xCp-53), 0x1p53 + 2));
static_assert(first_look(1000, 0, 3, 1, 0, 5).listed == 1 && first_look(1000, 0, 3, 1, 0, 5).c == 5);

// The second look at the entry of X = 1. It does not write entries of lines that are not finite, and gives β·c for a c
// that is not.
struct SecondLook {
  double c;
  std::uint64_t undecided;
};
constexpr SecondLook second_look(const of::CrtLine& row, const of::CrtLine& column, double alpha, double beta,
                                 double c) {
  const std::int32_t product[] = {-1, 1};  // modulo 256 and 255
  std::uint32_t listed = 1;
  std::uint32_t list[] = {0};
  std::uint32_t undecided[] = {0};
  std::uint64_t undecided_count = 0;
  of::CrtPanel panel{product, 1,    1,  1, 1, 0,       0,    &row,      &column,          0.25,
                     alpha,   beta, &c, 1, 1, &listed, list, undecided, &undecided_count, false};
  of::CrtSecondLook{panel, crt::basis(2), 1}(0);
  return {c, undecided_count == undecided[0] ? undecided_count : 99};
}
constexpr double looked_at(int row_finite, int column_finite, double beta, double c) {
  return second_look({0, 0, 1, static_cast<std::int16_t>(row_finite)},
                     {0, 0, 1, static_cast<std::int16_t>(column_finite)}, 1, beta, c)
      .c;
}
static_assert(looked_at(1, 1, -2, infinity) == -infinity && looked_at(1, 1, 2, -infinity) == -infinity);
static_assert(looked_at(0, 1, -2, infinity) == infinity && looked_at(1, 0, -2, infinity) == infinity);
static_assert(looked_at(0, 1, -2, 3) == 3 && looked_at(1, 0, -2, 3) == 3 && looked_at(1, 1, -2, 3) == -5);

// Rounding changed X by up to 2½, and 0.15·3½ is above the midpoint that 0.15·3 is below: the entry is left and
// counted.
constexpr SecondLook with_error(double half_sum) {
  return second_look({0, 0, 0, 1}, {half_sum, 0, 1, 1}, 0.15, 1, 0x1p52 + 1);
}
static_assert(with_error(2.5).undecided == 1 && with_error(2.5).c == 0x1p52 + 1);
static_assert(with_error(1.5).undecided == 0 &&
              second_look({0, 0, 1, 1}, {9, 0, 1, 1}, 0.5, 1, 0x1p51).c == 0x1p51 + 0.5);

// Balanced residues: −m/2 ≤ r < m/2 for an even m, and |r| < m/2 for an odd one.
constexpr std::int32_t reduced(std::int32_t x, std::int32_t modulus) {
  of::CrtReduce{&x, 1, modulus}(0);
  return x;
}
static_assert(reduced(127, 256) == 127 && reduced(128, 256) == -128 && reduced(-128, 256) == -128);
static_assert(reduced(-129, 256) == 127 && reduced(1000, 255) == -20 && reduced(-1000, 255) == 20);
static_assert(reduced(127, 255) == 127 && reduced(128, 255) == -127 && reduced(-127, 255) == -127);

// Undecided entries are listed by their numbers, from any word on.
constexpr bool lists_undecided() {
  const std::uint32_t undecided[] = {1, 0x80000005, 0};
  std::uint32_t listed = 0;
  std::uint64_t list[3] = {};
  const of::CrtListUndecided kernel{undecided, 1, &listed, list};
  kernel(0);
  kernel(1);
  return listed == 3 && list[0] == 32 && list[1] == 34 && list[2] == 63;
}
static_assert(lists_undecided());

// Entries of slice products, with one slice of the column: level p has the product N_p, and is worth
// N_p·2^(unit − width·p).
struct OzakiEntry {
  double c;
  std::uint32_t undecided;
};
template <int words, std::size_t levels>
constexpr OzakiEntry sum_of_slices(const double (&product)[levels], int width, int unit, int slices_left_out = 0) {
  double c = 0;
  const std::int32_t unit_a = unit;
  const std::int32_t unit_b = 0;
  const std::int32_t slices_a = static_cast<int>(levels) + slices_left_out;
  const std::int32_t slices_b = 1;
  std::uint8_t decided = 0;
  std::uint32_t undecided = 0;
  constexpr int formed = levels;
  of::OzakiIntegerSum<words>{{product, 1, 1, 1, 1, formed, 1, formed, width, &unit_a, &unit_b, 1, 0, 1, 0, 0, 0, &c, 1},
                             {&slices_a, &slices_b, formed, 3, slices_left_out == 0 ? nullptr : &decided, &undecided},
                             nullptr,
                             true,
                             true}
      .entry(0, 0);
  return {c, undecided};
}
constexpr std::size_t blocks_of_tile(std::int64_t rows, std::int64_t columns) {
  of::OzakiTile tile{};
  tile.rows = rows;
  tile.columns = columns;
  return tile.blocks();
}
static_assert(blocks_of_tile(128, 3) == 3 && blocks_of_tile(129, 3) == 6);
// Double words decide entries far from a midpoint: one word would not hold an integer sum.
static_assert(sum_of_slices<1>({5}, 20, -3).c == 0x5p-3);
static_assert(sum_of_slices<1>({0x1p40 + 1, -3, 7}, 20, 0).c == 0x1p40 + 1 - 0x3p-20 + 0x7p-40);
// Levels that span more than the exponents of binary64 are summed up in integers.
constexpr bool adds_the_last_of_many_levels() {
  constexpr int levels = 60;
  double product[levels] = {};
  product[levels - 1] = 5;
  return sum_of_slices<48>(product, 21, 200).c == 0x5p-1039;
}
static_assert(adds_the_last_of_many_levels());
// An integer sum of a subnormal result, 5¼ units, less or more 3·2⁻²⁰ that slices left out may add.
static_assert(sum_of_slices<3>({0x15p18}, 20, -1094, 1).c == 0x5p-1074);
static_assert(sum_of_slices<3>({0x15p18}, 20, -1094, 1).undecided == 0);
static_assert(sum_of_slices<3>({0x16p18 + 2}, 20, -1094, 1).undecided == 1);

// The superaccumulator of one thread passes carries on after 2²⁹ numbers, and not earlier.
constexpr bool hands_carries_on() {
  of::PartialSuperaccumulator sum;
  sum.add(0x1p-500);
  sum.add(0x1p-500);
  sum.add(-0x1p-500);
  if (sum.pending != 3) return false;
  sum.pending = std::uint32_t{1} << 29;
  sum.add(0x1p-400);
  return sum.pending == 2 && sum.end == Superaccumulator::words;
}
static_assert(hands_carries_on());

// Tiles read no number outside their matrices. Sums of integers are certified; others use the superaccumulator.
template <std::int64_t m, std::int64_t n, std::int64_t k, int words = 3>
constexpr bool multiplies(bool transposed_a, bool transposed_b, double unit = 1) {
  double a[m * k];
  double b[k * n];
  double c[m * n] = {};
  for (int i = 0; i < m * k; ++i) a[i] = (i % 7 - 3) * unit;
  for (int i = 0; i < k * n; ++i) b[i] = i % 5 - 1;
  const of::GemmMatrixView left{a, transposed_a ? k : 1, transposed_a ? 1 : m, 0};
  const of::GemmMatrixView right{b, transposed_b ? n : 1, transposed_b ? 1 : k, 0};
  constexpr std::uint32_t row_tiles = (m + 31) / 32;
  constexpr std::uint32_t tiles = row_tiles * ((n + 31) / 32);
  constexpr int log_terms = WindowDot::log_of(k);
  run_blocks_with_zeros(
      of::SuperaccumulatorTile<words>{{m, n, k, 1, 0, left, right, c, c, m, 0}, row_tiles, tiles, log_terms}, tiles);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += a[i * left.row_step + l * left.column_step] * b[l * right.row_step + j * right.column_step];
      }
      if (c[i + j * m] != sum) return false;
    }
  }
  return true;
}
static_assert(multiplies<33, 1, 2>(false, false));
static_assert(multiplies<33, 1, 2>(true, true));
static_assert(multiplies<1, 33, 2>(false, false));
static_assert(multiplies<1, 33, 2>(true, true));
static_assert(multiplies<17, 1, 2>(false, false, 0x1p-1000));
static_assert(multiplies<1, 17, 2>(true, true, 0x1p-1000));
// Sums of small integers other than 0 are certified: none is added up again.
static_assert(multiplies<18, 1, 3, 5>(false, false) && multiplies<1, 17, 2, 5>(true, true));

}  // namespace
}  // namespace assay::constants

#endif
