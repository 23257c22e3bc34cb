// Assertions about encodings, small formats and the bits of integers that the compiler evaluates.

#include <cstdint>
#include <limits>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"

namespace assay::constants {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr bool same(double a, double b) { return to_bits(a) == to_bits(b); }

// Lengths and zeros of integers.
constexpr bool lengths_are_counted() {
  for (int b = 0; b < 64; ++b) {
    const std::uint64_t x = std::uint64_t{1} << b;
    if (bits::bit_length(x) != b + 1 || bits::bit_length(x | (x - 1)) != b + 1) return false;
    if (bits::leading_zeros(x) != 63 - b || bits::trailing_zeros(x) != b || bits::trailing_zeros(~(x - 1)) != b)
      return false;
    if (b < 32 && bits::bit_length(static_cast<std::uint32_t>(x)) != b + 1) return false;
  }
  return bits::bit_length(std::uint64_t{0}) == 0 && bits::bit_length(std::uint32_t{0}) == 0;
}
static_assert(lengths_are_counted());

constexpr bool products_are_wide() {
  std::uint64_t a = 0xFFFFFFFFFFFFFFFFu;
  std::uint64_t b = 0xFFFFFFFFFFFFFFFFu;
  for (int i = 0; i < 200; ++i) {
    const bits::WideProduct z = bits::wide_product(a, b);
    const Wide product = Wide{a} * b;
    if (z.low != static_cast<std::uint64_t>(product) || z.high != static_cast<std::uint64_t>(product >> 64))
      return false;
    a = bits::SplitMix64::mixed(a) >> i % 40;
    b = bits::SplitMix64::mixed(b + 1) >> i % 13;
  }
  return true;
}
static_assert(products_are_wide());
static_assert(bits::low_word(0x123456789ABCDEFu) == 0x89ABCDEFu);

// Published outputs for the seed 1234567.
constexpr std::uint64_t draw(int i) {
  bits::SplitMix64 next{1234567};
  std::uint64_t z = 0;
  for (; i > 0; --i) z = next();
  return z;
}
static_assert(draw(1) == 6457827717110365317u && draw(2) == 3203168211198807973u && draw(3) == 9817491932198370423u &&
              draw(4) == 4593380528125082431u && draw(5) == 16408922859458223821u);

// Significands.
constexpr bool is(const bits::Significand& s, std::uint64_t m, int e, bool minus) {
  return s.m == m && s.e == e && s.minus == minus;
}
static_assert(is(bits::significand(1.0), std::uint64_t{1} << 52, -52, false));
static_assert(is(bits::significand(-0x1.8p-1022), std::uint64_t{3} << 51, -1074, true));
static_assert(is(bits::significand(0x1p-1074), 1, -1074, false) && is(bits::significand(-0.0), 0, -1074, true));
static_assert(is(bits::significand(1.5f), std::uint64_t{3} << 22, -23, false));
static_assert(is(bits::normal_significand(-3.0), std::uint64_t{3} << 51, -51, true));
static_assert(is(bits::odd_part(-12.0), 3, 2, true) && is(bits::odd_part(0.0), 0, 0, false));
static_assert(is(bits::odd_part(0x1p-1074), 1, -1074, false));
static_assert(bits::normal_exponent(0x1p-1022) == -1022 && bits::normal_exponent(-1.5f) == 0 &&
              bits::normal_exponent(0x1.fffffep127f) == 127);
static_assert(same(bits::normal_fraction(-12.0), -1.5) && same(bits::normal_fraction(0x1p-1022), 1.0));
static_assert(same(bits::scaled_normal(1.5, -1000), 0x1.8p-1000) && same(bits::scaled_normal(-1.5, 7), -192.0));
static_assert(same(bits::compose(false, 5, 3), 40.0) && same(bits::compose(true, 1, -1022), -0x1p-1022) &&
              same(bits::compose(true, 0, 9), -0.0) && same(bits::compose(false, 0, 9), 0.0) &&
              same(bits::compose(true, (std::uint64_t{1} << 53) - 1, 971), -std::numeric_limits<double>::max()));
static_assert(bits::fraction_bits(-4.0) == 0 && bits::fraction_bits(-6.0) == std::uint64_t{1} << 51);

// Units in the first and the last place.
static_assert(exponent(0x1p-1074) == -1074 && exponent(0x1.8p-1073) == -1073 && exponent(0x1p-149f) == -149);
static_assert(same(ufp(-6.0), 4.0) && same(ufp(0.0), 0.0) && same(ufp(0x1.8p-1070), 0x1p-1070));
static_assert(same(ulp(1.0), 0x1p-52) && same(ulp(-3.5), 0x1p-51) && same(ulp(0.0), 0x1p-1074) &&
              same(ulp(0x1p-1074), 0x1p-1074) && same(ulp(0x1p-1022), 0x1p-1074) && same(ulp(0x1p-1021), 0x1p-1073) &&
              same(ulp(0x1.8p-1023), 0x1p-1074) && same(ulp(std::numeric_limits<double>::max()), 0x1p971));
static_assert(ulp(1.0f) == 0x1p-23f && ulp(0x1p-126f) == 0x1p-149f && ulp(0x1p-130f) == 0x1p-149f);

// Small formats compare as their values do.
template <class T>
constexpr bool compares() {
  for (int i = 0; i < 1 << T::width; ++i) {
    for (int k = 0; k < 1 << T::width; ++k) {
      const T a = T::of_bits(static_cast<typename T::Bits>(i));
      const T b = T::of_bits(static_cast<typename T::Bits>(k));
      const auto x = static_cast<double>(a);
      const auto y = static_cast<double>(b);
      if ((a < b) != (x < y) || (a <= b) != (x <= y) || (a > b) != (x > y) || (a >= b) != (x >= y)) return false;
      if ((a == b) != (x == y)) return false;
    }
  }
  return true;
}
using Six = SmallFloat<3, -2, 3, Specials::ieee>;
using SixWithoutInfinities = SmallFloat<3, -2, 4, Specials::finite_nan>;
static_assert(Six::width == 6 && compares<Six>());
static_assert(compares<SixWithoutInfinities>());

// Values of small formats and back.
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double value(std::uint16_t bits) { return static_cast<double>(binary16::of_bits(bits)); }
static_assert(same(value(0x3C00), 1.0) && same(value(0x8001), -0x1p-24) && same(value(0x7BFF), 65504.0) &&
              same(value(0x8000), -0.0) && same(value(0x03FF), 0x1.ff8p-15) && same(value(0x0400), 0x1p-14));
static_assert(same(value(0x7C00), infinity) && same(value(0xFC00), -infinity) &&
              to_bits(value(0x7E01)) == 0x7FF8000000000000u && to_bits(value(0xFC01)) == 0x7FF8000000000000u);
static_assert(same(static_cast<double>(e4m3::of_bits(0x7E)), 448.0) &&
              is_nan(static_cast<double>(e4m3::of_bits(0x7F))));
static_assert(static_cast<float>(binary16::of_bits(0xFC00)) == -std::numeric_limits<float>::infinity());
constexpr std::uint16_t half(double x) { return binary16(x).bits(); }
static_assert(half(1.0) == 0x3C00 && half(-0x1p-25) == 0x8000 && half(0x1.8p-25) == 0x0001 && half(65519.0) == 0x7BFF &&
              half(65520.0) == 0x7C00 && half(-infinity) == 0xFC00 && half(0x1.002p0) == 0x3C00 &&
              half(0x1.006p0) == 0x3C02 && half(0x1.0020000000001p0) == 0x3C01);

}  // namespace
}  // namespace assay::constants
