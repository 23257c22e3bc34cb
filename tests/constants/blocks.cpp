// Assertions about kernels of cooperating threads, for accesses just outside of an array and for what no result shows:
// how many blocks there are, how many steps an entry takes.

#if defined(__cpp_implicit_constexpr)

#include <cstddef>
#include <cstdint>

#include "kernels/expansion/detail/gemm_block.hpp"
#include "kernels/pair/detail/matrix_product_tile.hpp"
#include "kernels/sum/exact_sum_block.hpp"
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
// Of a window that reaches down to the smallest numbers, only products below 2⁻⁹⁶⁸ are outside, which TwoProd might not
// have exactly.
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

/// What thread 0 has after as many tiles of eight numbers.
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

/// The digits from that of the first bit to that of the last one, most of all places of the first bit.
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

// The sum of what two blocks left.
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

}  // namespace
}  // namespace assay::constants

#endif
