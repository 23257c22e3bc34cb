// Assertions about the tables of moduli: the compiler computes them, and kernels read them.

#include <cstdint>
#include <initializer_list>
#include <numeric>

#include "arith/residues/crt_integer.hpp"
#include "arith/residues/crt_moduli.hpp"
#include "arith/residues/limbs.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"
#include "arith/residues/scaling.hpp"
#include "tests/constants/digest.hpp"

namespace assay::constants {
namespace {

namespace of = rns::detail;
__extension__ using Wide = unsigned __int128;

template <int guard_count, std::uint32_t... moduli>
struct Set {
  static constexpr int guards = guard_count;
  static constexpr int size = sizeof...(moduli);
  static constexpr int n = size - guards;
  static constexpr std::uint32_t modulus(int i) {
    constexpr std::uint32_t all[size] = {moduli...};
    return all[i];
  }
};
using Tiny = Set<1, 3, 5, 7, 11>;
using Unguarded = Set<0, 3, 5, 257, 65537, 16777213>;
using OfTwoWords = Set<1, 2147483629, 2147483587, 2147483647>;       // M of 62 bits
using OfThreeWords = Set<1, 2147483629, 2147483587, 67108859, 127>;  // M of 88 bits
using OfAnEmptyWord = Set<1, 1025, 1027, 1029, 11>;                  // moduli of 33 bits together, M of 31

// The rules of a set.
template <class S>
constexpr bool keeps_rules() {
  const of::Checked<S> made = of::make_tables<S>();
  return made.in_range && made.coprime && made.guard_large_enough;
}
static_assert(keeps_rules<Tiny>() && keeps_rules<Unguarded>() && keeps_rules<OfTwoWords>());
static_assert(!of::make_tables<Set<1, 3, 6, 7>>().in_range);            // even
static_assert(!of::make_tables<Set<1, 1, 5, 7>>().in_range);            // 1
static_assert(!of::make_tables<Set<1, 2147483649u, 5, 7>>().in_range);  // above 2³¹
static_assert(of::make_tables<Set<1, 3, 5, 2147483647u>>().in_range);
static_assert(!of::make_tables<Set<1, 15, 21, 101>>().coprime && !of::make_tables<Set<1, 3, 5, 21>>().coprime);
static_assert(!of::make_tables<Set<1, 7, 11, 13, 5>>().guard_large_enough);  // 5 < 2·3
static_assert(of::make_tables<Set<1, 11, 13, 17, 7>>().guard_large_enough);  // 7 > 2·3
static_assert(!of::make_tables<Set<1, 3, 5, 11, 13, 7>>().guard_large_enough);

// Inverses.
constexpr bool inverses_are_right() {
  for (std::uint32_t m = 3; m < 30; ++m) {
    for (std::uint32_t a = 0; a < 2 * m; ++a) {
      std::uint32_t expected = 0;
      for (std::uint32_t x = 1; x < m; ++x) expected = x * a % m == 1 ? x : expected;
      if (of::inverse_mod(a, m) != expected) return false;
    }
  }
  for (std::uint32_t a = 1; a < 2000; a += 2) {
    if (a * of::inverse32(a) != 1 || (0xFFFFFFFFu - 2 * a) * of::inverse32(0xFFFFFFFFu - 2 * a) != 1) return false;
  }
  return true;
}
static_assert(inverses_are_right());

/// 2^e/t between x and the next number above x.
constexpr bool is_reciprocal(const Extended& x, std::uint64_t t, std::int64_t e) {
  const bits::Significand s = bits::significand(x.fraction);  // of 53 bits: m·2^(s.e + x.exponent)
  if (s.minus || s.m >> 52 != 1) return false;
  const std::int64_t shift = e - x.exponent - s.e;  // m ≤ 2^shift/t < m + 1
  const Wide power = Wide{1} << shift;
  return shift < 127 && Wide{s.m} * t <= power && Wide{s.m + 1} * t > power;
}
constexpr bool reciprocals_are_right() {
  for (std::uint64_t t = 1; t < 200; ++t) {
    if (!is_reciprocal(of::reciprocal_rd(t, 0), t, 0) || !is_reciprocal(of::reciprocal_rd(t, -7), t, -7)) return false;
  }
  for (const std::uint64_t t : {0x4000000000000000u, 0x4000000000000001u, 0x7FFFFFFFFFFFFFFFu, 0x123456789ABCDEFu}) {
    if (!is_reciprocal(of::reciprocal_rd(t, 3), t, 3)) return false;
  }
  return true;
}
static_assert(reciprocals_are_right());
static_assert(of::next_above({1.0, 5}).fraction == 0x1.0000000000001p0 && of::next_above({1.0, 5}).exponent == 5);
static_assert(of::to_double({1.5, -3}) == 0.1875);

/// Every entry of the tables, against its definition, for sets with M < 2¹²⁷.
template <class S>
constexpr bool tables_are_right() {
  const rns::Tables<S> t = of::make_tables<S>().tables;
  Wide product = 1;
  for (int i = 0; i < S::n; ++i) product *= S::modulus(i);
  const std::uint32_t guard = S::guards == 0 ? 0 : S::modulus(S::n);
  Wide before = 1;
  for (int i = 0; i < S::size; ++i) {
    const std::uint64_t m = S::modulus(i);
    if (t.m[i] != m || t.barrett[i] != static_cast<std::uint64_t>((Wide{1} << 64) / m)) return false;
    if (static_cast<std::uint32_t>(t.inverse32[i] * m) != 1) return false;
    if (t.product_mod[i] != (i < S::n ? 0 : product % m)) return false;
    Wide power = 1;
    for (int k = 0; k <= rns::limbs<S>; ++k) {
      if (t.power32[k][i] != power) return false;
      power = (power << 32) % m;
    }
    if (i >= S::n) continue;
    const Wide cofactor = product / m;
    if (t.w[i] >= m || t.w[i] * (cofactor % m) % m != 1) return false;
    if (t.w_shoup[i] != (Wide{t.w[i]} << 32) / m) return false;
    if (t.radix_inverse[i] >= m || t.radix_inverse[i] * (before % m) % m != 1) return false;
    if (t.radix_inverse_shoup[i] != (Wide{t.radix_inverse[i]} << 32) / m) return false;
    if (t.cofactor32[i] != static_cast<std::uint32_t>(cofactor)) return false;
    if (!is_reciprocal({t.reciprocal_rd[i], 0}, m, 0) || t.reciprocal_ru[i] != next_up(t.reciprocal_rd[i])) {
      return false;
    }
    if (guard != 0 && (t.guard_inverse[i] >= guard || t.guard_inverse[i] * (m % guard) % guard != 1)) return false;
    before *= m;
  }
  if (guard != 0 && (t.guard_product_inverse >= guard || t.guard_product_inverse * (product % guard) % guard != 1)) {
    return false;
  }
  for (int k = 0; k < rns::limbs<S>; ++k) {
    if (t.product[k] != static_cast<std::uint32_t>(product >> (32 * k))) return false;
  }
  if (t.product32 != t.product[0] || product >> t.product_exponent != 1) return false;
  const int position = t.product_exponent < 62 ? 0 : t.product_exponent - 61;
  const auto leading = static_cast<std::uint64_t>(product >> position);
  const Extended upper = of::next_above(of::reciprocal_rd(leading, -position));
  const Extended lower = of::reciprocal_rd(position == 0 ? leading : leading + 1, -position);
  return t.reciprocal_product.lower.fraction == lower.fraction &&
         t.reciprocal_product.lower.exponent == lower.exponent &&
         t.reciprocal_product.upper.fraction == upper.fraction && t.reciprocal_product.upper.exponent == upper.exponent;
}
static_assert(tables_are_right<Tiny>() && tables_are_right<Unguarded>());
static_assert(tables_are_right<OfTwoWords>() && tables_are_right<OfThreeWords>());
static_assert(tables_are_right<OfAnEmptyWord>() && rns::limbs<OfAnEmptyWord> == 2);
static_assert(of::product_bits<Tiny>() == 8 && rns::limbs<Tiny> == 1 && rns::limbs<OfTwoWords> == 2);

// The tables of the sets that kernels use, pinned.
template <class S>
constexpr std::uint64_t digest() {
  const rns::Tables<S> t = of::make_tables<S>().tables;
  Digest d;
  d << t.m << t.barrett << t.inverse32 << t.w << t.w_shoup << t.radix_inverse << t.radix_inverse_shoup << t.cofactor32
    << t.product_mod << t.guard_inverse << t.power32 << t.product;
  const rns::LimbTables<S> l = of::make_limb_tables<S>();
  d << l.shift_quotient << l.weight << l.product << l.cofactor << static_cast<std::uint64_t>(l.spare);
  const rns::ScalingTables<S> s = of::make_scaling_tables<S>();
  for (const auto& row : s.cofactor) {
    for (const auto& pair : row) d << pair.limb;
  }
  d << s.negated_product << s.inverse << s.weight;
  return d.value();
}
static_assert(digest<rns::Standard<8>>() == 1963866161442619713u);
static_assert(digest<rns::Standard<16>>() == 756996304534150361u);

/// The data of LimbTables, against the definitions.
template <class S>
constexpr bool limb_tables_are_right() {
  const rns::LimbTables<S> t = of::make_limb_tables<S>();
  Wide product = 1;
  for (int i = 0; i < S::size; ++i) product *= S::modulus(i);
  Wide base = product;
  for (int i = S::n; i < S::size; ++i) base /= S::modulus(i);
  for (int k = 0; k < rns::LimbTables<S>::limbs; ++k) {
    if (t.product[k] != static_cast<std::uint32_t>(product >> (32 * k))) return false;
    for (int i = 0; i < S::size; ++i) {
      if (t.cofactor[i][k] != static_cast<std::uint32_t>(product / S::modulus(i) >> (32 * k))) return false;
    }
  }
  for (int i = 0; i < S::size; ++i) {
    const std::uint64_t m = S::modulus(i);
    if (t.shift_quotient[i] != (std::uint64_t{1} << 58) / m) return false;
    if (t.weight[i] >= m || t.weight[i] * (product / m % m) % m != 1) return false;
  }
  int spare = 0;  // ⌊log₂(M'/M)⌋, from below: ⌊log₂ M'⌋ − (⌊log₂ M⌋ + 1)
  while (product >> 1 >> spare != 0) ++spare;
  while (base != 0) base >>= 1, --spare;
  return t.spare == spare;
}
static_assert(limb_tables_are_right<Set<1, 134217689, 134217649, 134217617, 2147483647>>());
static_assert(limb_tables_are_right<Set<2, 134217689, 134217649, 134217617, 67108879>>());
// Six moduli of 27 bits, each just above 2²⁶: M' is just above 2¹⁵⁶, in five of six words, and M just above 2¹³⁰.
using NearPowers = Set<1, 67108879, 67108889, 67108891, 67108897, 67108901, 67108907>;
static_assert(keeps_rules<NearPowers>() && of::make_limb_tables<NearPowers>().spare == 156 - 131);
static_assert(of::above_two_26<rns::Standard<8>> && !of::above_two_26<Tiny>);

// Limbs of 30 bits.
constexpr std::uint32_t words[3] = {0x89ABCDEF, 0x01234567, 0xFEDCBA98};
static_assert(of::limb_of_30_bits(words, 3, 0) == (0x89ABCDEF & 0x3FFFFFFF));
static_assert(of::limb_of_30_bits(words, 3, 1) == (0x0123456789ABCDEFu >> 30 & 0x3FFFFFFF));
static_assert(of::limb_of_30_bits(words, 3, 2) == (0xFEDCBA9801234567u >> 28 & 0x3FFFFFFF));
static_assert(of::limb_of_30_bits(words, 3, 3) == 0xFEDCBA98 >> 26 && of::limb_of_30_bits(words, 3, 4) == 0);
static_assert(of::limb_of_30_bits(words, 1, 1) == 0x89ABCDEF >> 30);

// How far nvcc unrolls.
static_assert(of::unrolled(8) == 8 && of::unrolled(9) == 9 && of::unrolled(10) == 4);

// Moduli of 8 bits.
static_assert(crt::balanced(128, 256) == -128 && crt::balanced(127, 256) == 127 && crt::balanced(-1, 256) == -1 &&
              crt::balanced(-128, 255) == 127 && crt::balanced(127, 255) == 127 && crt::balanced(0, 251) == 0);
// From 256 down to 2 each number that has no divisor in common with one taken before is taken: 49, none below 29.
constexpr bool moduli_are_greedy() {
  int count = 0;
  for (int candidate = 256; candidate > 1; --candidate) {
    bool coprime = true;
    for (int i = 0; i < count; ++i) coprime = coprime && std::gcd(candidate, crt::modulus(i)) == 1;
    if (coprime && (count == crt::most_moduli || crt::modulus(count++) != candidate)) return false;
  }
  return count == crt::most_moduli;
}
static_assert(moduli_are_greedy());
constexpr std::uint64_t digest_of_basis(int count) {
  const crt::Basis basis = crt::basis(count);
  Digest d;
  d << static_cast<std::uint64_t>(basis.count) << static_cast<std::uint64_t>(basis.words) << basis.modulus
    << basis.product << basis.cofactor << basis.inverse;
  return d.value();
}
static_assert(digest_of_basis(1) == 13613002116671326589u);
static_assert(digest_of_basis(17) == 8361125922436993388u);
static_assert(digest_of_basis(crt::most_moduli) == 2893003179092715750u);

// The data that the residues of an integer in W offset words need: a weight for each byte, and the residue of the
// offset.
template <int W>
constexpr bool residue_table_is_right(int count, bool with_inverse) {
  const crt::Basis basis = crt::basis(count);
  const crt::ResidueTable<W> table = crt::residue_table<W>(basis, with_inverse);
  for (int i = 0; i < count; ++i) {
    const std::int64_t m = crt::modulus(i);
    std::int64_t power = with_inverse ? basis.inverse[i] : 1;
    for (int b = 0; b < 4 * W; ++b) {
      const auto weight = static_cast<std::int8_t>(table.weight[i][b / 4] >> (8 * (b % 4)) & 0xFF);
      if ((weight - power) % m != 0) return false;
      if (b == 4 * W - 1 && (table.start[i] - crt::float_integer + 128 * power) % m != 0) return false;
      power = 256 * power % m;
    }
    if (table.modulus[i] != static_cast<float>(m) || table.inverse[i] != 1 / static_cast<float>(m)) return false;
  }
  return table.count == count;
}
static_assert(residue_table_is_right<1>(3, false) && residue_table_is_right<3>(17, true));

// X + d or X − d of most_words + 1 words in two's complement: the highest of them has the sign.
constexpr double of_sum(std::uint32_t lowest, std::uint32_t highest, std::uint32_t d, bool subtract) {
  std::uint32_t x[crt::most_words + 1] = {lowest};
  const std::uint32_t more[crt::most_words + 1] = {d};
  x[crt::most_words] = highest;
  return crt::combination(x, more, subtract, 0, 1.0, 0.0, 0.0);
}
static_assert(of_sum(7, 0, 5, false) == 12 && of_sum(7, 0, 12, true) == -5 && of_sum(7, 0, 7, true) == 0);
static_assert(of_sum(0, 1, 0, false) == 0x1p352 && of_sum(0, 0xFFFFFFFE, 0, false) == -0x1p353);

}  // namespace
}  // namespace assay::constants
