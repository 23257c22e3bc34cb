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
