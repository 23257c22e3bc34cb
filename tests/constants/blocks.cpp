// Assertions about kernels of cooperating threads, for accesses just outside of an array and for properties that no
// result shows: how many blocks there are, how many steps an entry takes.

#if defined(__cpp_implicit_constexpr)

#include "tests/constants/inline_here.hpp"

#include <cstddef>
#include <cstdint>

#include "kernels/expansion/detail/gemm_block.hpp"
#include "kernels/expansion/detail/lane_sums.hpp"
#include "kernels/expansion/detail/norm_kernels.hpp"
#include "kernels/expansion/detail/spmv_kernels.hpp"
#include "kernels/mp/detail/sums.hpp"
#include "kernels/pair/detail/matrix_product_tile.hpp"
#include "kernels/sparse/detail/spmv_block.hpp"
#include "kernels/sum/exact_sum_block.hpp"
#include "kernels/triangular/detail/substitution.hpp"
#include "tests/constants/run_blocks.hpp"

namespace assay::constants {
namespace {

constexpr bool same(double a, double b) { return to_bits(a) == to_bits(b); }

/// A number whose sum of products depends on each product, on their order and on their count.
struct Term {
  std::uint32_t value;
};
constexpr Term multiply_add(Term a, Term b, Term c) { return {31 * c.value + a.value * b.value + 1}; }
constexpr double result_of(Term c) { return c.value; }

using Tile = pair::detail::TiledProduct<pair::detail::PlainArray<Term>, 16, 4, 4>;
static_assert(Tile::blocks({1, 1, 1}) == 1 && Tile::blocks({16, 16, 5}) == 1 && Tile::blocks({16, 17, 5}) == 2);
static_assert(Tile::blocks({17, 16, 5}) == 2 && Tile::blocks({33, 31, 5}) == 6);

/// C = A·B of m × k and k × n.
template <std::size_t m, std::size_t n, std::size_t k>
constexpr bool multiplies() {
  Term a[m * k] = {};
  Term b[k * n] = {};
  double c[m * n] = {};
  for (std::size_t i = 0; i < m * k; ++i) a[i].value = static_cast<std::uint32_t>(7 * i + 3);
  for (std::size_t i = 0; i < k * n; ++i) b[i].value = static_cast<std::uint32_t>(5 * i + 2);
  run_blocks(Tile{{m, n, k}, {a}, {b}, c}, Tile::blocks({m, n, k}));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      Term sum{};
      for (std::size_t l = 0; l < k; ++l) sum = multiply_add(a[i + l * m], b[l + j * k], sum);
      if (!same(c[i + j * m], result_of(sum))) return false;
    }
  }
  return true;
}
static_assert(multiplies<1, 1, 1>() && multiplies<3, 2, 17>() && multiplies<1, 18, 3>());
static_assert(multiplies<16, 1, 16>() && multiplies<1, 16, 16>() && multiplies<16, 16, 1>());

static_assert(multiplies<20, 40, 16>() && multiplies<40, 20, 16>() && multiplies<16, 16, 40>());

// Tiles that end with their matrix are inside; those that end after it are not.
static_assert(Tile::are_inside({16, 16, 16}, 0, 0, 0) && Tile::are_inside({48, 64, 80}, 32, 48, 64));
static_assert(!Tile::are_inside({47, 64, 80}, 32, 48, 64) && !Tile::are_inside({48, 63, 80}, 32, 48, 64));
static_assert(!Tile::are_inside({48, 64, 79}, 32, 48, 64));

/// How many phases a block has for a product with the inner dimension k.
template <std::size_t k>
constexpr int phases_for() {
  Term a[k] = {};
  Term b[k] = {};
  double c[1] = {};
  Tile::Shared shared{};
  Block<Tile::Shared, Tile::threads> block(shared, 0);
  Tile{{1, 1, k}, {a}, {b}, c}(block);
  return block.phases();
}
static_assert(phases_for<1>() == 3 && phases_for<16>() == 3 && phases_for<17>() == 5 && phases_for<32>() == 5);

/// A number that counts the products in which it occurs, except a product of two numbers outside of the matrices.
struct CountingTerm {
  int* products;
};
constexpr CountingTerm multiply_add(CountingTerm a, CountingTerm b, CountingTerm c) {
  int* const products = a.products != nullptr ? a.products : b.products;
  if (products != nullptr) ++*products;
  return c;
}
constexpr double result_of(CountingTerm) { return 0; }

/// The products of a tile of 16 × 16 entries, 4 × 4 of them by a thread.
template <std::size_t m, std::size_t n, std::size_t k>
constexpr int products_for() {
  using Counting = pair::detail::TiledProduct<pair::detail::PlainArray<CountingTerm>, 16, 4, 4>;
  int products = 0;
  CountingTerm a[m * k] = {};
  CountingTerm b[k * n] = {};
  double c[m * n] = {};
  for (CountingTerm& each : a) each.products = &products;
  for (CountingTerm& each : b) each.products = &products;
  run_blocks(Counting{{m, n, k}, {a}, {b}, c}, Counting::blocks({m, n, k}));
  return products;
}
// Only threads with an entry multiply: those of one row or column of a tile are 4.
static_assert(products_for<16, 16, 3>() == 3 * 256);
static_assert(products_for<1, 16, 3>() == 3 * 64 && products_for<16, 1, 3>() == 3 * 64);
static_assert(products_for<2, 16, 3>() == 3 * 64 && products_for<16, 2, 3>() == 3 * 64);
static_assert(products_for<17, 16, 2>() == 2 * (256 + 64) && products_for<16, 17, 2>() == 2 * (256 + 64));

/// C = op(A)·B of words (x, 0), m × k and k × n with small integers.
using Words = Expansion<double, 2>;
using Products = expansion::detail::ExpansionGemmBlock<double, 2>;
template <int m, int n, int k>
constexpr bool multiplies_expansions(bool transposed) {
  double a[2 * m * k] = {};
  double b[2 * k * n] = {};
  double c[2 * m * n] = {};
  for (int i = 0; i < m * k; ++i) a[2 * i] = i + 3;
  for (int i = 0; i < k * n; ++i) b[2 * i] = 2 * i - 5;
  const std::int64_t row_a = transposed ? k : 1;
  const std::int64_t column_a = transposed ? 1 : m;
  const Words one{{1.0, 0.0}};
  const Words zero{{0.0, 0.0}};
  run_blocks(Products{m, n, k, one, zero, false, {a, row_a, column_a}, {b, 1, k}, c, m}, 1);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += a[2 * (i * row_a + l * column_a)] * b[2 * (l + j * k)];
      if (c[2 * (i + j * m)] != sum || c[2 * (i + j * m) + 1] != 0) return false;
    }
  }
  return true;
}
static_assert(multiplies_expansions<2, 1, 3>(false) && multiplies_expansions<3, 2, 2>(true));
static_assert(multiplies_expansions<1, 2, 17>(false));

// The terms of a tile are in its window and in the superaccumulator, together.
template <class Terms>
constexpr double sum_of(typename Terms::Tile tile) {
  std::int64_t word[Superaccumulator::words] = {};
  sum::detail::SharedSuperaccumulator exact{{word}, accumulators::saw_nothing};
  auto window = WindowAccumulator<Terms::words>::at(20);
  const std::int32_t high = Terms::measure(tile);
  int far = 0;
  if (!Terms::add(tile, high, window, exact, [&](int terms) { far += terms; }) || far == 0) return 0;
  window.drain();
  window.move_to(exact);
  Superaccumulator sum{};
  for (int k = 0; k < Superaccumulator::words; ++k) sum.word[k] = word[k];
  sum.flags = exact.flags;
  return sum.round(Rounding::rn);
}
static_assert(same(sum_of<sum::detail::ExactSumTerms>({{1.0, 0x1p-300, -1.0, 0x1p40, -0x1p40, 0.0, 0x1p60, -0x1p60}}),
                   0x1p-300));
static_assert(same(sum_of<sum::detail::ExactDotTerms>({{0x1p-150, 3.0, 5.0, -17.0, 0x1p50, -0x1p50, 0x1p-40, -0x1p-40},
                                                       {0x1p-150, 3.0, 5.0, 2.0, 0x1p20, 0x1p20, 0x1p-40, 0x1p-40},
                                                       {}}),
                   0x1p-300));

// Which terms are far below others, and which fall outside of a window.
using SumTerms = sum::detail::ExactSumTerms;
using DotTerms = sum::detail::ExactDotTerms;
constexpr std::int32_t high_of(double x) { return bits::high_bits(x); }
static_assert(!sum::detail::is_far_below(high_of(0x1p-64), high_of(1.0), 64));
static_assert(sum::detail::is_far_below(high_of(0x1.fp-65), high_of(1.0), 64));
static_assert(!sum::detail::is_far_below(high_of(1.0), high_of(0x1p-65), 64));
static_assert(!sum::detail::is_far_below(high_of(0.0), high_of(1.0), 64));
template <class Terms>
constexpr int far_below(typename Terms::Tile tile) {
  const std::int32_t high = Terms::measure(tile);
  return Terms::far_below(tile, high);
}
static_assert(far_below<SumTerms>({{0x1p-65, 1.0, 0x1p-64, -0x1p-66, 0.0, -0.0, -1.0, 0x1p-300}}) == 3);
static_assert(far_below<DotTerms>({{0x1p-90, 1.0, 0x1p-89, -0x1p-91, 0.0, -0.0, -1.0, 0x1p-150},
                                   {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x1p-150},
                                   {}}) == 3);

/// How many terms of a tile fall outside of the window of `top`.
template <class Terms>
constexpr int outside(typename Terms::Tile tile, int top) {
  std::int64_t word[Superaccumulator::words] = {};
  sum::detail::SharedSuperaccumulator exact{{word}, accumulators::saw_nothing};
  auto window = WindowAccumulator<Terms::words>::at(top);
  const std::int32_t high = Terms::measure(tile);
  int far = 0;
  static_cast<void>(Terms::add(tile, high, window, exact, [&](int terms) { far += terms; }));
  return far;
}
static_assert(outside<SumTerms>({{1.0, 0x1p-300, -1.0, 0x1p10, 0x1p11, 0.0, -0.0, 0x1p60}}, 20) == 3);
static_assert(outside<DotTerms>({{1.0, 0x1p-150, -1.0, 0x1p10, 0x1p11, 3.0, -5.0, 0x1.0000000000001p-66},
                                 {1.0, 0x1p-150, 1.0, 1.0, 1.0, 1.0, 1.0, 0x1.0000000000001p-66},
                                 {}},
                                20) == 3);
// For a window that reaches down to the smallest numbers, only products below 2⁻⁹⁶⁸ are outside, for which TwoProd
// might not be exact.
constexpr DotTerms::Tile small_and(double x) {
  return {{0x1p-968, -0x1p-968, 0x1p-900, 0x1p-967, 0x1.8p-968, 0x1p-960, 0x1p-950, x}, {1, 1, 1, 1, 1, 1, 1, 1}, {}};
}
static_assert(outside<DotTerms>(small_and(0x1p-940), WindowAccumulator<5>::least_top) == 0);
static_assert(outside<DotTerms>(small_and(0x1p-969), WindowAccumulator<5>::least_top) == 1);

// The window of a block's numbers, and how many tiles are left for a block.
using SumBlock = sum::detail::ExactSumBlock<SumTerms>;
using DotBlock = sum::detail::ExactSumBlock<DotTerms>;
static_assert(SumBlock::window_for(high_of(1.0)).limit() == 0x1p15);
static_assert(SumBlock::window_for(high_of(0x1.8p100)).limit() == 0x1p115);
static_assert(DotBlock::window_for(high_of(0x1.cp-3)).limit() == 0x1p22);
constexpr SumBlock block_of(std::int64_t n, std::int64_t blocks) { return {{nullptr}, n, blocks, nullptr}; }
static_assert(block_of(3 * SumBlock::step, 1).tiles_from(0, 32) == 3);
static_assert(block_of(3 * SumBlock::step + 1, 1).tiles_from(0, 32) == 4);
static_assert(block_of(5 * SumBlock::step, 2).tiles_from(0, 32) == 3);
static_assert(block_of(5 * SumBlock::step, 2).tiles_from(SumBlock::step, 32) == 2);
static_assert(block_of(99 * SumBlock::step, 1).tiles_from(SumBlock::step, 32) == 32);

/// The content of thread 0 after this many tiles of eight numbers.
struct AfterTiles {
  int tiles, misses, top;
  constexpr bool operator==(const AfterTiles&) const = default;
};
constexpr AfterTiles after_tiles(int tiles, double number, double last) {
  double x[SumBlock::step] = {};
  for (int j = 0; j < SumTerms::tile; ++j) x[j * SumBlock::threads] = j + 1 < SumTerms::tile ? number : last;
  SumBlock::Shared shared{};
  SumBlock::State state{SumBlock::window_for(high_of(1.0)), accumulators::saw_nothing, 0, 0};
  const SumBlock block{{x}, SumBlock::step, 1, nullptr};
  for (int k = 0; k < tiles; ++k) block.add_by_window(0, 0, state, shared, [](int) {});
  return {state.tiles, state.misses, state.window.top};
}
// A thread stays in its window, and leaves it with the fifth tile that had a number outside.
static_assert(after_tiles(7, 2.0, 0x1p-20) == AfterTiles{7, 0, 24});
static_assert(after_tiles(1, 2.0, 0x1p-200) == AfterTiles{1, 1, 24});
static_assert(after_tiles(4, 2.0, 0x1p-200) == AfterTiles{4, 4, 24});
static_assert(after_tiles(5, 2.0, 0x1p-200) == AfterTiles{0, 0, 25});
static_assert(after_tiles(6, 0x1p-40, 0x1p30) == AfterTiles{1, 0, 54});

/// The number of digits that `length` consecutive bits touch: the largest over all places of the first bit.
template <class Digits>
constexpr int pieces_by_counting(int length) {
  int most = 0;
  for (int first = 0; first < Digits::bits; ++first) {
    const int count = (first + length - 1) / Digits::bits + 1;
    most = count > most ? count : most;
  }
  return most;
}
template <class Digits>
constexpr bool pieces_are_counted() {
  for (int length = 1; length <= 107; ++length) {
    if (Digits::pieces(length) != pieces_by_counting<Digits>(length)) return false;
  }
  return true;
}
static_assert(pieces_are_counted<sum::detail::SharedDigits<1>>() &&
              pieces_are_counted<sum::detail::SharedDigits<32>>());

// The sum of the results of two blocks.
constexpr double end_of(std::int64_t first, std::int64_t second) {
  using End = sum::detail::ExactSumEnd;
  std::int64_t partial[2 * sum::detail::exact_sum_stride] = {};
  partial[67] = first;
  partial[sum::detail::exact_sum_stride + 67] = second;
  partial[End::words] = sum::detail::PartOfSum{accumulators::saw_number, 67, 68}.packed();
  partial[sum::detail::exact_sum_stride + End::words] = sum::detail::PartOfSum{0, 60, 70}.packed();
  double result = 0;
  run_blocks(End{partial, 2, Rounding::rn, &result}, 1);
  return result;
}
static_assert(same(end_of(3, 5), 0x8p-4) && same(end_of(-3, 0), -0x3p-4) && same(end_of(7, -7), 0.0));

/// The rows that block `index` of a product keeps for exact sums; −1 if a row has another sum than the number of its
/// entries.
template <class Matrix>
constexpr int kept_rows(const Matrix& a, std::size_t index, int rows) {
  using Kernel = sparse::detail::SpmvBlock<Matrix>;
  const double x[1] = {1};
  double y[64] = {};
  typename Kernel::Shared shared;
  Block<typename Kernel::Shared, Kernel::threads> block(shared, index);
  Kernel{a, x, y, Rounding::rn, rows}(block);
  const std::int64_t first = static_cast<std::int64_t>(index) * rows;
  for (std::int64_t i = first; i < first + rows && i < a.rows; ++i) {
    const sparse::Places places = places_of(a, i);
    std::int64_t entries = 0;
    for (std::int64_t k = 0; k < places.count; ++k) {
      entries += a.column_indices[places.first + k * places.step] == 0 ? 1 : 0;
    }
    if (y[i] != static_cast<double>(entries)) return -1;
  }
  return shared.count;
}

/// 64 rows with one entry each, except that the last one of block `index` has `longest`.
template <int longest>
constexpr int kept_beside(int index) {
  std::int64_t offsets[65] = {};
  std::int32_t columns[63 + longest] = {};
  double values[63 + longest] = {};
  for (double& value : values) value = 1;
  for (int i = 0; i < 64; ++i) offsets[i + 1] = offsets[i] + (i == 32 * index + 31 ? longest : 1);
  return kept_rows(sparse::CsrOn{64, offsets, columns, values}, static_cast<std::size_t>(index), 32);
}
// With a mean of 9 a row of more than 16·9 + 128 entries is far longer than the others.
static_assert(kept_beside<272>(0) == 0 && kept_beside<273>(0) == 1);
static_assert(kept_beside<272>(1) == 0 && kept_beside<273>(1) == 1);

/// `rows` rows with `width` places each, except that the last one has no entry.
template <int rows, int width>
constexpr int kept_of_ellpack() {
  std::int32_t columns[rows * width] = {};
  double values[rows * width] = {};
  for (double& value : values) value = 1;
  for (int k = 0; k < width; ++k) columns[rows - 1 + k * rows] = sparse::no_column;
  return kept_rows(sparse::EllpackOn{rows, width, columns, values}, 0, 8);
}
static_assert(kept_of_ellpack<2, 145>() == 0);

/// One row of `count` entries, and if `rows` is 2, one without an entry after it.
template <int count>
constexpr int kept_of_long_row(std::int64_t rows) {
  const std::int64_t offsets[3] = {0, count, count};
  std::int32_t columns[count] = {};
  double values[count] = {};
  for (double& value : values) value = 1;
  return kept_rows(sparse::CsrOn{rows, offsets, columns, values}, 0, 8);
}
// Also where 32 threads have more than 16 entries each, several times over.
static_assert(kept_of_long_row<40>(2) == 0 && kept_of_long_row<4100>(1) == 0);

/// A sum of a row in three words is enough: the superaccumulator is not used.
using Substitution = triangular::detail::SubstitutionBlock;
template <int n>
struct Solution {
  double x[n];
  bool exact;  ///< whether an unknown needed an exact sum
};
template <int n>
constexpr Solution<n> solved(const double (&l)[n * n], const double (&b)[n], bool unit, bool bounds) {
  Solution<n> z{};
  Substitution::Shared shared;
  shared.word[0] = 7;
  Block<Substitution::Shared, Substitution::threads> block(shared, 0);
  Substitution{{n, unit, l, 1, n}, {b, 1}, {z.x, 1}, bounds}(block);
  z.exact = shared.word[0] != 7;
  return z;
}

/// Rows (2), (−1, 4), (3, 1, 8), … with the diagonal 2ⁱ⁺¹ and i − 2j − 2 elsewhere, times (1, 2, …, n). Entries above
/// the diagonal are not numbers that were written.
template <int n>
constexpr bool solves_small_integers() {
  double l[n * n];
  double b[n] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      l[i + j * n] = i == j ? 2 << i : i - 2 * j - 2;
      b[i] += l[i + j * n] * (j + 1);
    }
  }
  const Solution<n> z = solved<n>(l, b, false, false);
  for (int i = 0; i < n; ++i) {
    if (z.x[i] != i + 1) return false;
  }
  return !z.exact;
}
static_assert(solves_small_integers<1>() && solves_small_integers<3>() && solves_small_integers<6>());

// A bound is rounded up.
static_assert(solved<1>({3}, {1}, false, true).x[0] * 3 >= 1 && solved<1>({3}, {1}, false, true).x[0] > 1.0 / 3);

/// The residual of 1·x = b with the solution x and its bound.
struct Residual {
  double nearest, magnitude;
};
constexpr Residual residual_of(double b, double x) {
  const double one[1] = {1};
  Residual z{};
  triangular::detail::ResidualBody{{1, false, one, 1, 1}, {&b, 1}, &x, 1, &z.nearest, &z.magnitude}(0);
  return z;
}
constexpr double after_one = 1 + 0x1p-52;
static_assert(residual_of(1, -0x1p-60).nearest == 1 && residual_of(1, -0x1p-60).magnitude == after_one);
static_assert(residual_of(-1, 0x1p-60).nearest == -1 && residual_of(-1, 0x1p-60).magnitude == after_one);
static_assert(residual_of(3, 1).nearest == 2 && residual_of(3, 1).magnitude == 2);

constexpr bool is_certified(double x, double bound) {
  double rounded = 0;
  std::int32_t certified = 0;
  triangular::detail::CertificateBody{1, &x, 1, &bound, &rounded, &certified}(0);
  return certified == 1 && rounded == x;
}
// 1 and −1 have neighbors 2⁻⁵³ nearer to 0 and 2⁻⁵² farther from it.
static_assert(is_certified(1, 0x1.fp-54) && is_certified(-1, 0x1.fp-54));
static_assert(!is_certified(1, 0x1p-53) && !is_certified(-1, 0x1p-53));

// The numbers of an array from number k on are those with the numbers k, k + 1, …
constexpr bool views_begin_where_they_are_asked_to() {
  using Moduli = rns::Standard<8>;
  std::uint32_t digits[3 * Moduli::size] = {};
  std::int32_t sign[3] = {0, 1, 2};
  std::int32_t exponent[3] = {10, 11, 12};
  Extended lower[3] = {{0.5, 0}, {0.5, 1}, {0.5, 2}};
  Extended upper[3] = {{0.75, 0}, {0.75, 1}, {0.75, 2}};
  for (std::size_t i = 0; i < 3 * Moduli::size; ++i) digits[i] = static_cast<std::uint32_t>(i);
  const mp::MpView<Moduli> major{digits, sign, exponent, lower, upper, Moduli::size, 1};
  const mp::MpView<Moduli> planes{digits, sign, exponent, lower, upper, 1, 3};
  for (std::size_t k = 0; k < 3; ++k) {
    const mp::Number<Moduli> x = mp::detail::from(major, k).load(0);
    const mp::Number<Moduli> y = mp::detail::from(planes, k).load(0);
    const auto number = static_cast<std::int32_t>(k);
    for (std::uint32_t i = 0; i < Moduli::size; ++i) {
      if (x.digits.r[i] != k * Moduli::size + i || y.digits.r[i] != 3 * i + k) return false;
    }
    if (x.sign != number || x.exponent != 10 + number) return false;
    if (x.magnitude.lower.exponent != number || x.magnitude.upper.exponent != number) return false;
  }
  return true;
}
static_assert(views_begin_where_they_are_asked_to());

/// Terms that are their own sums.
struct PlainTerms {
  struct Sum {
    std::int64_t value;
    constexpr void add(const Sum& other) { value += other.value; }
  };
  using Term = std::int64_t;
  static constexpr int words = 1;
  static constexpr int tile = 2;
  const std::int64_t* x;
  constexpr bool skips() const { return false; }
  constexpr Term load(std::int64_t i) const { return x[i]; }
  static constexpr void add(Sum& sum, Term term) { sum.value += term; }
};
struct KeepSum {
  std::int64_t* result;
  constexpr void operator()(const PlainTerms::Sum& sum) const { *result = sum.value; }
};

/// 1 + … + n by 64 lanes, which leave 4 sums.
template <std::int64_t n>
constexpr bool adds_lanes() {
  std::int64_t x[n] = {};
  for (std::int64_t i = 0; i < n; ++i) x[i] = i + 1;
  PlainTerms::Sum partial[4];
  run_blocks(expansion::detail::LaneSums<PlainTerms>{{x}, n, 64, partial}, 1);
  std::int64_t result = 0;
  run_blocks(expansion::detail::LaneTree<PlainTerms, KeepSum>{{x}, {&result}, 4, partial}, 1);
  return result == n * (n + 1) / 2;
}
static_assert(adds_lanes<1>() && adds_lanes<64>() && adds_lanes<300>());

/// 1 + … + width, more sums than a block has threads.
template <std::int64_t width>
constexpr bool adds_many_sums() {
  PlainTerms::Sum partial[width];
  for (std::int64_t i = 0; i < width; ++i) partial[i].value = i + 1;
  std::int64_t result = 0;
  run_blocks(expansion::detail::LaneTree<PlainTerms, KeepSum>{{}, {&result}, width, partial}, 1);
  return result == width * (width + 1) / 2;
}
static_assert(adds_many_sums<512>() && adds_many_sums<2048>());

/// Whether the squares of words need no scale.
constexpr bool needs_no_scale(double x, double y) {
  expansion::detail::WordRange range{};
  range.add(x);
  range.add(y);
  return range.needs_no_scale();
}
static_assert(needs_no_scale(1, -1) && needs_no_scale(0x1p479, 0x1p-5));
static_assert(!needs_no_scale(0x1p480, 1) && !needs_no_scale(1, 0x1p-485) && !needs_no_scale(0x1p10, 0x1p-475));
static_assert(needs_no_scale(1, 0x1p-484) && needs_no_scale(0x1p-484, 0));
// A word whose upper half is 0 is not 0.
static_assert(!needs_no_scale(1, 0x1p-1074));

// The root of a sum that rounding has made negative is 0.
constexpr double root_of(double squares) {
  double root = 7;
  expansion::detail::StoreRoot<1>{nullptr, &root}.store({{squares, 0}}, 0);
  return root;
}
static_assert(root_of(-0x1p-100) == 0 && root_of(0) == 0);

/// Rows (1, 2) and (), of words, times (3, 5).
constexpr bool multiplies_rows() {
  const std::int64_t offsets[3] = {0, 2, 2};
  const std::int32_t columns[2] = {0, 1};
  const double values[2] = {1, 2};
  const double x[2] = {3, 5};
  double y[2] = {7, 7};
  run_blocks(expansion::detail::SpmvRows<1, sparse::CsrOn>{{2, offsets, columns, values}, x, y}, 1);
  return y[0] == 13 && y[1] == 0;
}
static_assert(multiplies_rows());

}  // namespace
}  // namespace assay::constants

#endif
