// Assertions about the sizes, levels and anchors of expansions, which the compiler alone evaluates, and about words,
// because the compiler refuses an access outside of an array.

#include "arith/expansion/expansion.hpp"
#include "arith/expansion/binned_product.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/expansion/sums.hpp"
#include "arith/float/small_float.hpp"
#include "tests/constants/digest.hpp"

namespace assay::constants {
namespace {

namespace of = expansion::detail;

// Products of a level, logarithms, powers of two: by counting.
constexpr int counted_products(int l, int k, int n) {
  int count = 0;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < n; ++j) count += i + j == l ? 1 : 0;
  }
  return count;
}
constexpr bool products_are_counted() {
  for (int k = 1; k <= 9; ++k) {
    for (int n = 1; n <= 9; ++n) {
      int up_to_level = 0;
      for (int l = 0; l <= 20; ++l) {
        if (of::products(l, k, n) != counted_products(l, k, n)) return false;
        up_to_level += counted_products(l, k, n);
        if (of::binned_products(l, k, n) != up_to_level) return false;
      }
    }
  }
  return true;
}
static_assert(products_are_counted());

constexpr bool logarithms_are_counted() {
  for (int n = 1; n <= 300; ++n) {
    int e = 0;
    while (1 << e < n) ++e;
    if (of::ceil_log2(n) != e || of::power_at_least(n) != 1 << e) return false;
  }
  return of::ceil_log2(0) == 0 && of::power_at_least(0) == 1;
}
static_assert(logarithms_are_counted());

constexpr bool a_step_starts_with_the_least_words() {  // twice as many are R + 1 or more from R = 3 on
  if (of::start_words(2) != 1) return false;
  for (int r = 3; r <= 16; ++r) {
    int words = 1;
    while (2 * words < r + 1) ++words;
    if (of::start_words(r) != words) return false;
  }
  return true;
}
static_assert(a_step_starts_with_the_least_words());

// Levels of the certified product, pinned: with another level or anchor the words of every product would differ, and
// the proof in docs/bounds/expansion.md is about these.
constexpr std::uint64_t levels() {
  Digest digest;
  for (int r = 1; r <= 8; ++r) {
    for (int k = 1; k <= 8; ++k) {
      for (int n = 1; n <= 8; ++n) {
        for (int l = 1; l <= r + 3; ++l) {
          const of::Level level = of::certified_level(l, r, k, n);
          digest << static_cast<std::uint64_t>(level.carries) << static_cast<std::uint64_t>(level.products)
                 << static_cast<std::uint64_t>(level.g);
        }
        digest << static_cast<std::uint64_t>(of::last_level(24, r, k, n))
               << static_cast<std::uint64_t>(of::last_level(53, r, k, n));
      }
    }
  }
  return digest.value();
}
static_assert(levels() == 3475341787222632608u);

template <int r, int k, int n, int p>
constexpr void anchors(Digest& digest) {
  constexpr int last = of::last_level(p, r, k, n);
  const of::AnchorExponents<last> exponents = of::anchor_exponents<last>(p, r, k, n);
  digest << exponents.q;
}
constexpr std::uint64_t anchors() {
  Digest digest;
  anchors<2, 2, 2, 24>(digest);
  anchors<3, 3, 3, 53>(digest);
  anchors<4, 4, 4, 53>(digest);
  anchors<4, 4, 2, 24>(digest);
  anchors<8, 8, 8, 53>(digest);
  anchors<5, 3, 7, 11>(digest);
  return digest.value();
}
static_assert(anchors() == 5282723049678150233u);
static_assert(of::anchor<double>(0) == 1.5 && of::anchor<double>(-1022) == 0x1.8p-1022);
static_assert(of::anchor<double>(-1023) == 0.0 && of::anchor<float>(-127) == 0.0f);  // below the normal range

// How far nvcc unrolls.
static_assert(of::unrolled<double>(1) == 1 && of::unrolled<double>(2) == 2 && of::unrolled<double>(32) == 32 &&
              of::unrolled<double>(33) == 1 && of::unrolled<float>(32) == 32 && of::unrolled<Toy<11>>(8) == 1);
static_assert(of::unrolled_products<double>(8) == 8 && of::unrolled_products<double>(9) == 1 &&
              of::unrolled_products<double>(2) == 2);

// Integers.
template <int K>
constexpr std::int64_t integer(const double (&words)[K]) {
  Expansion<double, K> x{};
  for (int i = 0; i < K; ++i) x.x[i] = words[i];
  return expansion::to_int64(x);
}
static_assert(integer({0.0}) == 0 && integer({2.5}) == 2 && integer({-2.5}) == -2 && integer({0.75}) == 0);
static_assert(integer({3.0, -0x1p-60}) == 2 && integer({-3.0, 0x1p-60}) == -2 && integer({3.0, 0x1p-60}) == 3);
static_assert(integer({0x1p60, 1.5, -0x1p-60}) == (std::int64_t{1} << 60) + 1);
static_assert(integer({0x1p62, -0.5}) == (std::int64_t{1} << 62) - 1);
static_assert(integer({-0x1p62, 0.5}) == -(std::int64_t{1} << 62) + 1);
static_assert(integer({0x1p63}) == INT64_MAX && integer({-0x1p63}) == INT64_MIN && integer({0x1p64}) == INT64_MAX);
static_assert(integer({0x1p63, -1.0}) == INT64_MAX && integer({0x1p63, -2.0}) == INT64_MAX - 1);
static_assert(integer({-0x1p63, 1.0}) == -INT64_MAX && integer({-0x1p63, -1.0}) == INT64_MIN);
static_assert(integer({-0x1p63, 0x1p-1000}) == -INT64_MAX && integer({-0x1p64, 1.0}) == INT64_MIN);
static_assert(integer({1.0, -1.0, 0.0}) == 0 && integer({0x1p-1074}) == 0 && integer({-0x1p-1074}) == 0);

// A wider number in words.
template <int K>
constexpr bool holds(double x, const float (&words)[K]) {
  const Expansion<float, K> z = expansion::from_wider<float, K>(x);
  for (int i = 0; i < K; ++i) {
    if (to_bits(z.x[i]) != to_bits(words[i])) return false;
  }
  return true;
}
static_assert(holds(0x1.000001p0 + 0x1p-50, {0x1.000002p0f, -0x1p-24f, 0x1p-50f}));
static_assert(holds(-0x1.fffffffffffffp0, {-0x1p1f, 0x1p-52f, 0.0f}) && holds(0.5, {0.5f}));

// Words.
template <class T, int K>
constexpr bool has_words(const Expansion<T, K>& x, const double (&words)[K]) {
  for (int i = 0; i < K; ++i) {
    if (to_bits(static_cast<double>(x.x[i])) != to_bits(words[i])) return false;
  }
  return true;
}
template <int K>
using Doubles = Expansion<double, K>;
static_assert(has_words(expansion::from<1>(2.5), {2.5}) && has_words(expansion::from<3>(2.5), {2.5, 0.0, 0.0}));
static_assert(has_words(expansion::truncate<1>(Doubles<2>{{1.0, 0x1p-60}}), {1.0}));
static_assert(has_words(expansion::truncate<4>(Doubles<2>{{1.0, 0x1p-60}}), {1.0, 0x1p-60, 0.0, 0.0}));

template <int M, int N>
constexpr Doubles<M> swept(const double (&words)[N]) {
  Doubles<M> f{};
  expansion::vec_sum_err_branch<M>(words, f.x);
  return f;
}
static_assert(has_words(swept<2>({3.0}), {3.0, 0.0}) && has_words(swept<2>({3.0, 0x1p-60}), {3.0, 0x1p-60}));
static_assert(has_words(expansion::renormalize<1>({3.0}), {3.0}));
static_assert(has_words(expansion::priest_renormalize<2>({1.0, 1.0, 0x1p-60}), {2.0, 0x1p-60}));
static_assert(has_words(expansion::priest_renormalize<4>({1.0, 1.0, 0x1p-60}), {2.0, 0x1p-60, 0.0, 0.0}));

constexpr int signs(const Doubles<2>& a, const Doubles<3>& b) {
  return expansion::compare(a, b) == -expansion::compare(b, a) ? expansion::compare(a, b) : 9;
}
static_assert(signs({{1.0, 0x1p-60}}, {{1.0, 0x1p-60, 0x1p-120}}) == -1);
static_assert(signs({{1.0, 0x1p-60}}, {{1.0, 0x1p-60, -0x1p-120}}) == 1);
static_assert(signs({{1.0, 0x1p-60}}, {{1.0, 0x1p-60, 0.0}}) == 0);

// Products that three or four words hold, of operands of different lengths.
template <int K>
constexpr Expansion<Toy<11>, K> toy(const double (&words)[K]) {
  Expansion<Toy<11>, K> x{};
  for (int i = 0; i < K; ++i) x.x[i] = Toy<11>(words[i]);
  return x;
}
static_assert(has_words(expansion::truncated_mul<3>(toy({1.0, 0x1p-12, 0x1p-24}), toy({2.0})),
                        {2.0, 0x1p-11, 0x1p-23}));
static_assert(has_words(expansion::truncated_mul<3>(toy({2.0}), toy({1.0, 0x1p-12, 0x1p-24})),
                        {2.0, 0x1p-11, 0x1p-23}));
static_assert(has_words(expansion::truncated_mul<4>(toy({1.0, 0x1p-12, 0x1p-24}), toy({1.0, 0x1p-36})),
                        {1.0, 0x1p-12, 0x1p-24, 0x1p-36}));

// The quick product of two words by two is DWTimesDW2, which rounds a.h·b.l and adds a.l·b.h: with these operands the
// order counts.
constexpr bool is_double_word_product(const Expansion<Toy<11>, 2>& a, const Expansion<Toy<11>, 2>& b) {
  using Word = DoubleWord<Toy<11>>;
  const Word z = dw::mul2(Word{a.x[0], a.x[1]}, Word{b.x[0], b.x[1]});
  return has_words(expansion::quick_mul<2>(a, b), {static_cast<double>(z.h), static_cast<double>(z.l)});
}
static_assert(is_double_word_product(toy({0x1.404p0, 0x1.004p-12}), toy({0x1.804p0, -0x1.004p-12})));
static_assert(is_double_word_product(toy({0x1.804p0, -0x1.004p-12}), toy({0x1.404p0, 0x1.004p-12})));

}  // namespace
}  // namespace assay::constants
