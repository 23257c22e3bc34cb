// Assertions about integers of several words and about sums of two products, which the compiler evaluates: at every
// position of the bits in their words, at the ends of the windows, and for accesses, because the compiler refuses one
// outside of an array and a shift by too many bits.

#include <cstdint>
#include <limits>

#include "arith/limbs/combination.hpp"
#include "arith/limbs/float.hpp"
#include "arith/limbs/float_rounding.hpp"
#include "arith/limbs/integer.hpp"

namespace assay::constants {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

constexpr bool same(double a, double b) { return to_bits(a) == to_bits(b); }

/// Σ x_k·2^(32k) of up to four words.
constexpr Wide integer(const std::uint32_t* x, int count) {
  Wide sum = 0;
  for (int k = count; k-- > 0;) sum = sum << 32 | x[k];
  return sum;
}

/// ⌊x·2^shift⌋ modulo 2¹²⁸.
constexpr Wide shifted(Wide x, int shift) {
  return shift >= 128 || shift <= -128 ? 0 : shift < 0 ? x >> -shift : x << shift;
}

// Bits at position p of x are ⌊x/2^p⌋, modulo 2⁶⁴ or 2³², for negative p too.
constexpr std::uint32_t three[3] = {0x89ABCDEF, 0x01234567, 0xFEDCBA99};
constexpr bool bits_are_in_place() {
  for (int position = -100; position <= 100; ++position) {
    const Wide expected = shifted(integer(three, 3), -position);
    if (limb::bits_at(three, 3, position) != static_cast<std::uint64_t>(expected)) return false;
    if (limb::word_at(three, 3, position) != static_cast<std::uint32_t>(expected)) return false;
  }
  return true;
}
static_assert(bits_are_in_place());

constexpr bool shifts_are_right() {
  const Wide x = integer(three, 3);
  for (int shift = 0; shift <= 100; ++shift) {
    for (int k = 0; k < 7; ++k) {
      const auto right = static_cast<std::uint32_t>(shifted(x, -shift - 32 * k));
      const auto left = static_cast<std::uint32_t>(shifted(x, shift - 32 * k));
      if (limb::right_shifted_word(three, 3, shift, k) != right) return false;
      if (limb::left_shifted_word(three, 3, shift, k) != left) return false;
    }
    std::uint32_t moved[3] = {three[0], three[1], three[2]};
    limb::shift_right(moved, 3, shift);
    if (integer(moved, 3) != shifted(x, -shift)) return false;
  }
  return true;
}
static_assert(shifts_are_right());

// 2^b has b + 1 bits, and none of them is below b.
constexpr bool lengths_are_right() {
  for (int b = 0; b < 96; ++b) {
    std::uint32_t power[3] = {};
    power[b / 32] = std::uint32_t{1} << (b % 32);
    if (limb::bit_length(power, 3) != b + 1) return false;
    if (limb::any_below(power, b) || !limb::any_below(power, b + 1)) return false;
  }
  constexpr std::uint32_t zero[3] = {};
  return limb::bit_length(zero, 3) == 0 && limb::bit_length(zero, 0) == 0 && !limb::any_below(zero, 96);
}
static_assert(lengths_are_right());

// compare() is the order of the integers.
constexpr bool order_is_right() {
  constexpr std::uint32_t of[][2] = {{0, 0}, {1, 0}, {2, 0}, {~0u, 0}, {0, 1}, {7, 1}, {0, 2}, {9, 2}, {~0u, ~0u}};
  for (const auto& x : of) {
    for (const auto& y : of) {
      const Wide a = integer(x, 2);
      const Wide b = integer(y, 2);
      if (limb::compare(x, y, 2) != (a > b ? 1 : 0) - (a < b ? 1 : 0)) return false;
    }
  }
  return true;
}
static_assert(order_is_right());

// magnitude_of_digits() gives the sign and the magnitude of d₀ + d₁·2³², carries resolved, in three words.
constexpr bool digits_are_resolved() {
  constexpr std::int64_t radix = std::int64_t{1} << 32;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - radix;
  constexpr std::int64_t of[] = {0, 1, -1, 7, radix, -radix, 5 * radix + 7, -3 * radix, most, -most};
  for (const std::int64_t low : of) {
    for (const std::int64_t high : of) {
      const std::int64_t digits[2] = {low, high};
      const SignedWide sum = SignedWide{high} * radix + low;
      std::uint32_t x[3] = {};
      if (limb::magnitude_of_digits(digits, 2, x) != (sum < 0)) return false;
      if (integer(x, 3) != static_cast<Wide>(sum < 0 ? -sum : sum)) return false;
    }
  }
  return true;
}
static_assert(digits_are_resolved());

// Exact sums in L words: an odd integer of one word or of a lowest and a highest one, its sign and its exponent.
struct Sum {
  bool fits;
  std::uint32_t low, high;
  int sign, exponent;
  constexpr bool operator==(const Sum&) const = default;
};
template <int L, int n>
constexpr Sum sum(const double (&x)[n]) {
  const limb::Number<L> z = limb::sum<L>(x, n);
  return {z.fits, z.word[0], L == 1 ? 0 : z.word[L - 1], z.sign, z.exponent};
}
constexpr Sum too_long = {};
static_assert(sum<1>({3.0, -8.0}) == Sum{true, 5, 0, 1, 0});
static_assert(sum<1>({0x1p40, 0x1p40}) == Sum{true, 1, 0, 0, 41});
static_assert(sum<1>({0x1p31, 0x1p30, 1.0}) == Sum{true, 0xC0000001, 0, 0, 0});
static_assert(sum<1>({0x1p70, 1.0}) == too_long && sum<1>({0x1p31, 0x1p31, 1.0}) == too_long);
static_assert(sum<2>({-0x1p63, -1.0}) == Sum{true, 1, 0x80000000, 1, 0} && sum<2>({0x1p64, 1.0}) == too_long);
static_assert(sum<2>({0x1p64, -0x1p64, 0.0}) == Sum{true, 0, 0, 0, 0} && sum<2>({0.0, -0.0}) == Sum{true, 0, 0, 0, 0});
static_assert(sum<2>({0x1p-1074, 0x1p-1040}) == Sum{true, 1, 4, 0, -1074});
static_assert(sum<2>({1.0, std::numeric_limits<double>::infinity()}) == too_long);

// The leading words of an integer sum to it where they have room for its bits.
template <int count, int k>
constexpr bool leads(const std::uint32_t (&x)[count], int sign, int e, const double (&words)[k]) {
  double out[k] = {};
  limb::leading_words(x, count, sign, e, out, k);
  for (int i = 0; i < k; ++i) {
    if (!same(out[i], words[i])) return false;
  }
  return true;
}
static_assert(leads({1}, 0, 0, {1.0, 0.0}) && leads({0, 5}, 1, -3, {-0x5p29, 0.0, 0.0}));
static_assert(leads({0xFFFFFFFF, 0xFFFFFFFF}, 0, 0, {0x1.fffffffffffffp63, 2047.0}));
static_assert(leads({3, 0, 1}, 1, 10, {-0x1p74, -0x3p10}));

/// α·x·2^e + β·c, or with −x, for an x of one word.
struct Products {
  std::uint32_t x;
  double alpha, beta, c;
};
template <int L>
constexpr double combined(const Products& of, bool minus, int e, Rounding to) {
  const std::uint32_t x[1] = {of.x};
  return limb::combination<L>(x, 1, minus, e, of.alpha, of.beta, of.c, to);
}

// A result is rounded once whatever the window: where one of 10 words holds no more than the larger product, and the
// last bit after it stands for the smaller one, the result is that of a window of 29 words, which holds both.
constexpr bool windows_agree(const Products& of, int from, int until) {
  for (int e = from; e <= until; ++e) {
    const Rounding to = e % 3 == 0 ? Rounding::rn : e % 3 == 1 ? Rounding::rd : Rounding::ru;
    if (!same(combined<1>(of, e % 2 != 0, e, to), combined<20>(of, e % 2 != 0, e, to))) return false;
  }
  return true;
}
constexpr Products long_ones = {0xFFFFFFFF, 0x1.fffffffffffffp0, 0x1.fffffffffffffp0, 0x1.fffffffffffffp0};
constexpr Products short_ones = {1, 1.0, 1.0, 1.0};
static_assert(windows_agree(long_ones, -275, -225) && windows_agree(long_ones, -60, 0));
static_assert(windows_agree(long_ones, 150, 190) && windows_agree(short_ones, -275, -225));
static_assert(windows_agree(short_ones, -3, 3) && windows_agree(short_ones, 150, 220));

// One product fills its last place, the other is far below it: it decides a directed rounding and no nearest one.
struct Rounded {
  Products of;
  int e;
  double nearest, down, up;
};
constexpr double one_up = 0x1.0000000000001p0;
constexpr double all_ones = 0x1.fffffffffffffp0;
// The last two: βc and its last bit, 2^−104, sum to the midpoint above; βc is a power of two of 53 bits.
constexpr Rounded far_apart[] = {
    {{1, one_up, all_ones * 0x1p-200, all_ones * 0x1p-200}, 0, one_up, one_up, 0x1.0000000000002p0},
    {{1, one_up, -all_ones * 0x1p-200, all_ones * 0x1p-200}, 0, one_up, 1.0, one_up},
    {{1, one_up, 0x1p-200, 0x1p-200}, 0, one_up, one_up, 0x1.0000000000002p0},
    {{0xFFFFFFFF, all_ones, one_up, 1.0}, -400, one_up, one_up, 0x1.0000000000002p0},
    {{0xFFFFFFFF, -all_ones, one_up, 1.0}, -400, one_up, 1.0, one_up},
    {{1, 1.0, 0x1.cd613d8f16adfp0, 0x1.3c2698e032ee1p0},
     -400,
     0x1.1ce4cbf8c8547p1,
     0x1.1ce4cbf8c8547p1,
     0x1.1ce4cbf8c8548p1},
    {{0xFFFFFFFF, -all_ones, 0x1p-1074, 0x1p1000}, -1000, 0x1p-74, 0x1.fffffffffffffp-75, 0x1p-74},
};
constexpr bool far_products_round() {
  for (const Rounded& each : far_apart) {
    if (!same(combined<1>(each.of, false, each.e, Rounding::rn), each.nearest)) return false;
    if (!same(combined<1>(each.of, false, each.e, Rounding::rd), each.down)) return false;
    if (!same(combined<1>(each.of, false, each.e, Rounding::ru), each.up)) return false;
  }
  return true;
}
static_assert(far_products_round());

// X·2^(e − 96) of 66 bits rounded to 64: with its last bits 11 it is nearer to the next number above, with 01 it is
// not, and RU sees either bit.
constexpr bool rounds_66_bits(std::uint32_t last, Rounding to, std::uint32_t expected) {
  const std::uint32_t x[3] = {last, 0, 2};
  const limb::Float<2> z = limb::rounded_float<2>(x, 3, 96, false, false, to);
  return z.word[0] == expected && z.word[1] == std::uint32_t{1} << 31 && z.exponent == 66;
}
static_assert(rounds_66_bits(1, Rounding::rn, 0) && rounds_66_bits(2, Rounding::rn, 0));
static_assert(rounds_66_bits(3, Rounding::rn, 1) && rounds_66_bits(6, Rounding::rn, 2));
static_assert(rounds_66_bits(1, Rounding::ru, 1) && rounds_66_bits(1, Rounding::rd, 0));

// Below the range of exponents RN gives zero up to half the least number, and the least number above it.
constexpr bool rounds_to_zero(std::uint32_t leading) {
  const std::uint32_t x[1] = {leading};
  return limb::is_zero(limb::rounded_float<2>(x, 1, limb::least_exponent - 1, false, false, Rounding::rn));
}
static_assert(rounds_to_zero(0x80000000) && !rounds_to_zero(0x80000001) && !rounds_to_zero(0xC0000000));

}  // namespace
}  // namespace assay::constants
