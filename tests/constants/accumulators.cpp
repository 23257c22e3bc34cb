// Assertions about exact sums that the compiler evaluates: states that no kernel reaches in the cases of a quick check
// (carries passed on after 2²⁹ additions, windows drained often), and accesses, because the compiler refuses one
// outside of an array.

#include <cstdint>
#include <limits>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/accurate_sum.hpp"
#include "arith/accumulators/binned.hpp"
#include "arith/accumulators/ozaki_split.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window.hpp"
#include "arith/float/small_float.hpp"

namespace assay::constants {
namespace {

using S = Superaccumulator;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

template <class... Terms>
constexpr S sum_of(Terms... terms) {
  S s{};
  (s.add(terms), ...);
  return s;
}
constexpr bool same(double a, double b) { return to_bits(a) == to_bits(b); }

// Carries.
template <int count>
struct Digits {
  std::int64_t word[count];
  constexpr bool operator==(const Digits&) const = default;
};
template <int count>
constexpr Digits<count> propagated(Digits<count> digits) {
  accumulators::propagate_carries(digits.word, count);
  return digits;
}
constexpr std::int64_t radix = std::int64_t{1} << 32;
static_assert(propagated<3>({{-1, 0, 5}}) == Digits<3>{{radix - 1, radix - 1, 4}});
static_assert(propagated<3>({{3 * radix + 7, radix - 3, -9}}) == Digits<3>{{7, 0, -8}});
static_assert(propagated<1>({{-radix - 1}}) == Digits<1>{{-radix - 1}});
static_assert(propagated<4>({{(std::int64_t{1} << 62) + 5, 0, 0, 0}}) == Digits<4>{{5, std::int64_t{1} << 30, 0, 0}});

/// A sum whose words are near the ends of their range after `pending` additions, and 1 added.
constexpr S full(std::uint32_t pending) {
  S s{};
  for (int k = 0; k < S::words; ++k) s.word[k] = (k % 2 == 0 ? 1 : -1) * ((std::int64_t{1} << 61) - k);
  s.pending = pending;
  s.flags = accumulators::saw_number;
  s.add(1.0);
  return s;
}
constexpr bool is_propagated(const S& s) {
  for (int k = 0; k + 1 < S::words; ++k) {
    if (s.word[k] < 0 || s.word[k] > radix) return false;  // 2³² itself: after the addition
  }
  return true;
}
constexpr std::uint32_t interval = std::uint32_t{1} << 29;
static_assert(is_propagated(full(interval)) && full(interval).pending == 2);
static_assert(is_propagated(full(interval + 1)) && full(interval + 1).pending == 2);
static_assert(!is_propagated(full(interval - 1)) && full(interval - 1).pending == interval);
static_assert(same(full(interval).round(Rounding::rn), full(interval - 1).round(Rounding::rn)));
static_assert(same(full(interval).round(Rounding::rd), full(interval - 1).round(Rounding::rd)));

// Sums of two sums.
constexpr S joined(S a, const S& b) {
  a.add(b);
  return a;
}
static_assert(same(joined(sum_of(1.0, 0x1p-60), sum_of(-1.0, 0x1p900)).round(Rounding::rn), 0x1p900));
static_assert(same(joined(sum_of(1.0, 0x1p-60), sum_of(-1.0, 0x1p-61)).round(Rounding::rn), 0x1.8p-60));
static_assert(joined(sum_of(1.0, 2.0), sum_of(3.0)).pending == 3);
static_assert(joined(sum_of(-0.0), sum_of(-0.0)).flags == accumulators::saw_minus_zero);
static_assert(joined(sum_of(-0.0), sum_of(infinity)).flags ==
              (accumulators::saw_minus_zero | accumulators::saw_plus_infinity));
constexpr bool all_words_join() {
  S a{};
  S b{};
  for (int k = 0; k < S::words; ++k) {
    a.word[k] = 2 * k + 1;
    b.word[k] = 100 * k;
  }
  a.pending = interval;  // carries are passed on before
  a.add(b);
  for (int k = 0; k < S::words; ++k) {
    if (a.word[k] != 102 * k + 1) return false;
  }
  return a.pending == 1;
}
static_assert(all_words_join());

// Flags.
static_assert(accumulators::seen(-1.0) == accumulators::saw_number);
static_assert(accumulators::seen(0.0) == accumulators::saw_number);
static_assert(accumulators::seen(-0.0) == accumulators::saw_minus_zero);
static_assert(accumulators::seen(infinity) == accumulators::saw_plus_infinity);
static_assert(accumulators::seen(-infinity) == accumulators::saw_minus_infinity);
static_assert(accumulators::seen_product(0.0, infinity) == accumulators::saw_nan);
static_assert(accumulators::seen_product(-2.0, infinity) == accumulators::saw_minus_infinity);
static_assert(accumulators::seen_product(-2.0, 0.0) == accumulators::saw_minus_zero);
static_assert(accumulators::seen_product(-2.0, 3.0) == accumulators::saw_number);
constexpr S product(double a, double b) {
  S s{};
  s.add_product(a, b);
  return s;
}
constexpr bool is_empty(const S& s) {
  for (const std::int64_t word : s.word) {
    if (word != 0) return false;
  }
  return s.pending == 0;
}
static_assert(is_empty(product(infinity, 1.5)) && is_empty(product(1.5, -infinity)));
static_assert(is_empty(sum_of(infinity, -0.0, 0.0)));

// Rounding at the first and the last word, and of 0.
static_assert(same(S{}.round(Rounding::rn), 0.0) && same(sum_of(-0.0).round(Rounding::ru), -0.0));
static_assert(same(sum_of(1.5, -1.5).round(Rounding::rd), 0.0));
static_assert(same(product(smallest, smallest).round(Rounding::ru), smallest));
static_assert(same(product(smallest, -smallest).round(Rounding::rn), -0.0));
static_assert(same(product(largest, largest).round(Rounding::rd), largest));
static_assert(same(sum_of(largest, smallest).round(Rounding::rz), largest));
constexpr S of_word(int k, std::int64_t value) {
  S s{};
  s.word[k] = value;
  return s;
}
static_assert(same(of_word(S::words - 1, 1).round(Rounding::rn), infinity));
static_assert(same(of_word(0, 1).round(Rounding::rn), 0.0) && same(of_word(0, 1).round(Rounding::ru), smallest));
static_assert(same(of_word(67, 5).round(Rounding::rn), 0x5p-4));
static_assert(same(of_word(67, (std::int64_t{1} << 40) + 3).round(Rounding::rn), 0x1p36 + 0x3p-4));
static_assert(same(of_word(67, -(std::int64_t{1} << 40) - 3).round(Rounding::rn), -0x1p36 - 0x3p-4));
// The carry after the last word is all of the sum.
static_assert(same(of_word(67, -radix).round(Rounding::rn), -0x1p28) &&
              same(of_word(67, radix).round(Rounding::rn), 0x1p28));
static_assert(product(-2.0, 3.0).flags == accumulators::saw_number &&
              product(0.0, -1.0).flags == accumulators::saw_minus_zero);

// αs + βy.
static_assert(same(scaled_sum(S{}, 1.0, 0.0, 0.0, Rounding::rn), 0.0));
static_assert(same(scaled_sum(S{}, 2.0, 1.0, -3.0, Rounding::rn), -3.0));
static_assert(same(scaled_sum(S{}, 0.0, 0.0, infinity, Rounding::rn), 0.0));
static_assert(same(scaled_sum(sum_of(infinity), 0.0, 1.0, 2.5, Rounding::rn), 2.5));
static_assert(same(scaled_sum(sum_of(infinity), -1.0, 0.0, 2.5, Rounding::rn), -infinity));
static_assert(same(scaled_sum(sum_of(infinity), 2.0, 1.0, 2.5, Rounding::rn), infinity));
static_assert(is_nan(scaled_sum(sum_of(infinity), -1.0, 1.0, infinity, Rounding::rn)));
static_assert(is_nan(scaled_sum(sum_of(infinity, -infinity), -1.0, 1.0, 1.0, Rounding::rn)));
static_assert(same(scaled_sum(sum_of(1.0, 0x1p-53), 1.0, 1.0, 0x1p-200, Rounding::rn), 0x1.0000000000001p0));
static_assert(same(scaled_sum(sum_of(1.0, 0x1p-53), 1.0, 0.0, 0x1p-200, Rounding::rn), 1.0));
static_assert(same(scaled_sum(of_word(S::words - 1, -1), 1.0, 0.0, 0.0, Rounding::rz), -largest));
static_assert(same(scaled_sum(product(smallest, smallest), 1.0, 0.0, 0.0, Rounding::ru), smallest));

// Windows.
using W = WindowAccumulator<3>;
constexpr double base(int top) { return 1.5 * bits::power_of_two<double>(top); }
static_assert(W::around(0, 0).top == 10 && W::around(5, 3).top == 18);
static_assert(W::around(-2000, 0).top == W::least_top && W::around(1020, 20).top == W::most_top);
static_assert(W::at(100).s[0] == base(100) && W::at(100).s[1] == base(56) && W::at(100).s[2] == base(12));
static_assert(W::at(100).limit() == 0x1p91);

/// A window that takes numbers in and is drained `times` times.
constexpr W drained(int times) {
  W w = W::at(100);
  for (int i = 0; i < times; ++i) {
    if (w.add(0x1.000001p80) != 0.0 || w.add(-0x1p20, 1) != 0.0) return {};
    w.drain();
  }
  return w;
}
static_assert(drained(3).s[0] == base(100) && drained(3).s[1] == base(56) && drained(3).s[2] == base(12));
constexpr double moved(int times) {
  W w = drained(times);
  S s{};
  w.move_to(s);
  for (int l = 0; l < 3; ++l) {
    if (w.drained[l] != 0) return 0;
  }
  s.add(times * 0x1p20);
  return s.round(Rounding::rn);
}
static_assert(same(moved(1), 0x1.000001p80) && same(moved(4), 0x1.000001p82));
static_assert(same(moved(7), 7 * 0x1.000001p80));
static_assert(W::at(100).position(0) == 100 - 52 + 2148 && W::at(100).position(2) == 12 - 52 + 2148);

// Numbers far apart stay in separate words in front of an exact sum; none goes past the words to it.
struct Past {
  int terms = 0;
  constexpr void add(double) { ++terms; }
};
constexpr bool numbers_stay_in_words() {
  constexpr double numbers[3] = {1.0, 0x1p-60, 0x1p-120};
  AccumulatingExpansion<3> front = AccumulatingExpansion<3>::empty();
  Past past;
  for (const double each : numbers) front.add(each, past);
  return past.terms == 0 && front.x[0] == numbers[0] && front.x[1] == numbers[1] && front.x[2] == numbers[2];
}
static_assert(numbers_stay_in_words());
constexpr int numbers_past(double x) {
  AccumulatingExpansion<3> front = AccumulatingExpansion<3>::empty();
  Past past;
  front.add(x, past);
  return past.terms;
}
static_assert(numbers_past(0x1p970) == 1 && numbers_past(-0x1p970) == 1 && numbers_past(-0.0) == 1);
static_assert(numbers_past(0x1.fffffffffffffp969) == 0 && numbers_past(smallest) == 0);

// Accurate sums. most_summands_of_fast() is the largest n with 2(n + 2)²·2^−p ≤ 1.
template <class T>
constexpr bool is_most_of_fast() {
  const auto is_within = [](std::int64_t n) {
    return 2 * (n + 2) * (n + 2) <= std::int64_t{1} << FloatTraits<T>::precision;
  };
  return is_within(most_summands_of_fast<T>()) && !is_within(most_summands_of_fast<T>() + 1);
}
static_assert(is_most_of_fast<float>() && is_most_of_fast<double>() && is_most_of_fast<Toy<5>>());
static_assert(is_most_of_fast<Toy<6>>() && is_most_of_fast<Toy<7>>() && is_most_of_fast<Toy<8>>());

// The words of a sum are found one after the other and add up to it if one is 0. None is read before it is found.
constexpr bool words_add_up(double x, double y, double z) {
  double p[3] = {x, y, z};
  double r[4];
  acc_sum_k(p, 3, 4, r);
  return r[3] == 0 && same(sum_of(x, y, z, -r[0], -r[1], -r[2]).round(Rounding::rn), 0.0);
}
static_assert(words_add_up(-0x1p-120, 1.0, 0x1p-60) && words_add_up(-3.0, 0.0, 1.0) && words_add_up(0.0, 0.0, 0.0));
constexpr bool is_refused(double x, double y) {
  double p[2] = {x, y};
  double r[2];
  acc_sum_k(p, 2, 2, r);
  return is_nan(r[0]) && is_nan(r[1]);
}
static_assert(is_refused(infinity, 1.0) && is_refused(largest, smallest));

// The numbers of a vector afterwards, times 2^shift, equal those before, whether they fit or not.
constexpr bool keeps_values(double x, double y) {
  double p[2] = {x, y};
  const double up = bits::power_of_two<double>(detail::fit_range(p, 2, 2).shift);
  return p[0] * up == x && p[1] * up == y;
}
static_assert(keeps_values(1.0, -3.0) && keeps_values(largest, 1.0) && keeps_values(largest, smallest));
constexpr bool fits(double x, double y, int shift) {
  double p[2] = {x, y};
  const auto range = detail::fit_range(p, 2, 2);
  return range.fits && range.shift == shift;
}
constexpr bool fits_not(double x, double y) {
  double p[2] = {x, y};
  const auto range = detail::fit_range(p, 2, 2);
  return !range.fits && range.shift == 0;
}
static_assert(fits(0.0, -0.0, 0) && fits(0x1p1018, 1.0, 0) && fits(0x1p1019, 1.0, 4) && fits(1.0, -0x1p1019, 4));
static_assert(fits_not(infinity, 1.0) && fits_not(1.0, -infinity) && fits_not(largest, smallest));
// In a format without room above 1, ones are too large.
constexpr int shift_of_ones() {
  using Narrow = SmallFloat<10, -54, 7, Specials::ieee>;
  Narrow p[30];
  for (Narrow& each : p) each = Narrow(1.0);
  return detail::fit_range(p, 30, detail::summation_exponent(30)).shift;
}
static_assert(shift_of_ones() == 7);

constexpr double largest_of(double x, double y) {
  const double p[2] = {x, y};
  return detail::largest_magnitude(p, 2);
}
static_assert(same(largest_of(-0.0, 0.0), 0.0) && same(largest_of(-3.0, 2.0), 3.0));

// The bound of the magnitudes is not below their sum, here 1 + 2⁻⁵³, where rounding makes it 1.
constexpr double bound_of_magnitudes(double x, double y) {
  const double p[2] = {x, y};
  return detail::magnitude_sum_bound(p, 2);
}
static_assert(bound_of_magnitudes(-1.0, 0x1p-53) > 1.0 && bound_of_magnitudes(-1.0, 0x1p-53) < 1 + 0x1p-50);

// The sum is the midpoint 1 + 2⁻⁵³. Its rounding by plain sums of the rests is the odd neighbor, because they lose the
// four last numbers; the even one is nearest, too.
constexpr double sum_at_midpoint() {
  double p[6] = {1.0, 0x1.0000000000001p-53, -0x1p-107, -0x1p-107, -0x1p-107, -0x1p-107};
  return near_sum(p, 6);
}
static_assert(same(sum_at_midpoint(), 1.0));

// Ozaki's slices.
static_assert(ozaki::inner_bits(0) == 0 && ozaki::inner_bits(1) == 0 && ozaki::inner_bits(2) == 1 &&
              ozaki::inner_bits(3) == 2 && ozaki::inner_bits(4) == 2 && ozaki::inner_bits(5) == 3);
static_assert(ozaki::inner_bits(std::int64_t{1} << 51) == 51 && ozaki::inner_bits((std::int64_t{1} << 61) + 1) == 62);
static_assert(ozaki::inner_bits(std::numeric_limits<std::int64_t>::max()) == 62);
static_assert(ozaki::slice_bits(1) == 26 && ozaki::slice_bits(513) == 21 && ozaki::slice_bits(2048) == 21 &&
              ozaki::slice_bits(2049) == 20 && ozaki::slice_bits(8192) == 20 &&
              ozaki::slice_bits(std::int64_t{1} << 51) == 1);
static_assert(ozaki::slices_needed(0, 0, 20) == 1 && ozaki::slices_needed(0, -20, 20) == 1 &&
              ozaki::slices_needed(0, -21, 20) == 2 && ozaki::slices_needed(7, -35, 20) == 3);

/// The pairs of slices p + r ≥ levels are covered by products of a slice, or a rest, and a rest; one product a slice p
/// that has a partner left out, and one for the rest after the slices that were formed.
constexpr int pairs_by_counting(int slices_a, int slices_b, int levels) {
  if (slices_a == 0 || slices_b == 0) return 0;
  int count = slices_a > levels ? 1 : 0;
  for (int p = 0; p < slices_a && p < levels; ++p) {
    if (p + slices_b - 1 >= levels) ++count;
  }
  return count;
}
constexpr bool pairs_are_counted() {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      for (int levels = 1; levels < 16; ++levels) {
        if (ozaki::truncated_pairs(a, b, levels) != pairs_by_counting(a, b, levels)) return false;
      }
    }
  }
  return true;
}
static_assert(pairs_are_counted());

static_assert(ozaki::level_sum_words(1, 21) == 3 && ozaki::level_sum_words(2, 21) == 4 &&
              ozaki::level_sum_words(2, 31) == 4 && ozaki::level_sum_words(3, 16) == 4 &&
              ozaki::level_sum_words(3, 17) == 5);

/// Σ levels[l]·2^(width·(n − 1 − l)) by LevelSum, and by steps modulo 2^(32·W).
template <int W, int n>
constexpr bool sums_levels(const std::int64_t (&levels)[n], int width) {
  ozaki::LevelSum<W> sum(width, W);
  for (int l = n - 1; l >= 0; --l) sum.add(levels[l]);
  sum.finish();
  std::uint32_t expected[W] = {};
  for (int l = 0; l < n; ++l) {
    for (int bit = 0; bit < width; ++bit) {
      std::uint32_t carry = 0;
      for (int k = 0; k < W; ++k) {
        const std::uint32_t high = expected[k] >> 31;
        expected[k] = expected[k] << 1 | carry;
        carry = high;
      }
    }
    std::uint64_t carry = 0;
    for (int k = 0; k < W; ++k) {
      const std::uint64_t word = k == 0          ? static_cast<std::uint64_t>(levels[l]) & 0xFFFFFFFFu
                                 : k == 1        ? static_cast<std::uint64_t>(levels[l]) >> 32
                                 : levels[l] < 0 ? 0xFFFFFFFFu
                                                 : 0;
      carry += expected[k] + word;
      expected[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  for (int k = 0; k < W; ++k) {
    if (sum.word[k] != expected[k]) return false;
  }
  return true;
}
constexpr std::int64_t most = std::int64_t{1} << 61;
static_assert(sums_levels<8>({most, -most, most - 12345, -5, most / 3}, 21));
static_assert(sums_levels<8>({-most, most, 0x123456789ABCDEF, 77, -most}, 31));
static_assert(sums_levels<8>({-1, 0, 0, -1}, 16) && sums_levels<6>({most, most, most, most}, 16));
static_assert(sums_levels<5>({0x7FFFFFFFFFFFFFF, -0x7654321FEDCBA98}, 32 - 1));
static_assert(sums_levels<9>({0x1555555555555555, -0x1555555555555555, 0x0AAAAAAAAAAAAAAA}, 2));

// How often accurate sums extract, as published: seen by the remaining numbers of the vector.

// AccSign ends when |t| ≥ 2^(M − p)·σ: after the first extraction of a vector with one leading number.
constexpr bool sign_ends_early() {
  double p[] = {1, 0x1p-60};
  return acc_sign(p, 2) == 1 && p[0] == 0 && p[1] == 0x1p-60;
}
static_assert(sign_ends_early());

// FastAccSum ends when |t₁| ≥ 2(n + 2)²u·ufp(σ₀): n = 3, ufp(σ₀) = 2, so that it is 100u. The sum is some u; the first
// extraction finds it up to 4u.
constexpr bool fast_sum_ends_with(int units) {
  double p[] = {1, units * 0x1p-53 - 1, 0x1p-80};
  return fast_acc_sum(p, 3) == units * 0x1p-53 + 0x1p-80 && p[2] == 0x1p-80;
}
static_assert(fast_sum_ends_with(104) && !fast_sum_ends_with(88));

// FastAccSum's σ₀ is 2T/(1 − (3n + 1)u), here (2 − 16u)/(1 − 7u) and (2 − 14u)/(1 − 7u): below 2, which takes 2⁻⁵² in
// whole, and 2, which leaves it.
constexpr bool fast_sum_begins_below_two(int units) {
  double p[] = {0x1p-52, units * 0x1p-53 - 1};
  return fast_acc_sum(p, 2) == (units + 2) * 0x1p-53 - 1 && p[0] == 0;
}
static_assert(fast_sum_begins_below_two(12) && !fast_sum_begins_below_two(11));

// PrecSum extracts 1 + ⌈((k − 2)p + 3M + 2)/(p − M)⌉ times, M = 4: k times here, where each time one of four pairs
// goes.
constexpr int pairs_left(int k) {
  float p[] = {1, -1, 0x1p-30f, -0x1p-30f, 0x1p-60f, -0x1p-60f, 0x1p-90f, -0x1p-90f};
  if (prec_sum(p, 8, k) != 0) return -1;
  int left = 0;
  for (int i = 0; i < 8; i += 2) left += p[i] != 0 ? 1 : 0;
  return left;
}
static_assert(pairs_left(1) == 3 && pairs_left(2) == 2 && pairs_left(3) == 1);
// With M = 5 and k = 10 these are 1 + 209/19 = 12.
constexpr int pairs_left_of_thirteen() {
  float p[26] = {};
  for (int i = 0; i < 13; ++i) {
    p[2 * i] = bits::power_of_two<float>(119 - 20 * i);
    p[2 * i + 1] = -p[2 * i];
  }
  if (prec_sum(p, 26, 10) != 0) return -1;
  int left = 0;
  for (int i = 0; i < 26; i += 2) left += p[i] != 0 ? 1 : 0;
  return left;
}
static_assert(pairs_left_of_thirteen() == 1);

// Binned sums: as many terms as they hold, and every shift of words.
template <class Sum, class... Terms>
constexpr Sum binned(Terms... terms) {
  Sum s = Sum::empty();
  (s.add(terms), ...);
  return s;
}
template <class Sum>
constexpr Sum doubled(Sum s, int times) {
  for (int i = 0; i < times; ++i) s.add(s);
  return s;
}
template <int K>
using Binned64 = BinnedSum<double, K>;
template <int K>
using Binned32 = BinnedSum<float, K>;
static_assert(binned<Binned64<2>>(1.0, 2.0, 3.0).pending == 3);
static_assert(same(doubled(binned<Binned64<4>>(-0x1.fffffffffffffp45), 62).value(), -0x1.fffffffffffffp107));
static_assert(same(doubled(binned<Binned64<1>>(0x1.fffffffffp45, 1.0), 60).value(), 0x1p106));
static_assert(same(binned<Binned64<2>>(0x1p-100, 0x1p-60, 0x1p100, 0x1p60, -0x1p100).value(), 0x1p60));
static_assert(same(binned<Binned64<3>>(largest, largest, -largest, smallest).value(), largest));
static_assert(doubled(binned<Binned32<4>>(-0x1.fffffep-30f), 62).value() == -0x1.fffffep32f);
static_assert(binned<Binned32<2>>(0x1p-20f, 0x1p20f, -0x1p20f, 0x1p8f).value() == 0x1p8f);

}  // namespace
}  // namespace assay::constants
