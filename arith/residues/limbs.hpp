#pragma once
// Residues to limbs and back. A limb is a 32-bit word of an integer, the lowest first.
//
// The residues of all moduli of a set, guards included, determine a signed integer S with |S| < M'/4, M' the product of
// all of them: with the cofactors C_i = M'/m_i and s_i = x_i·|C_i⁻¹| mod m_i,
//
//   S = Σ s_i·C_i − r·M',  r = the integer nearest to Σ s_i/m_i,
//
// and r is never in doubt, because Σ s_i/m_i is within 1/4 of an integer (Chinese remainder theorem; the rank by
// fractions: Soderstrand, Vernia, Chang, An improved residue number system digital-to-analog converter, 1983).

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"

namespace assay::rns {

/// The data that conversions between residues and limbs read, for any set at run time: pointers into the tables of one
/// set.
struct LimbTablesView {
  int n;                                ///< base moduli
  int size;                             ///< all moduli
  int limbs;                            ///< limbs of M'
  int precision;                        ///< P = ⌊log₂ √M⌋
  int spare;                            ///< ⌊log₂(M'/M)⌋
  const std::uint32_t* modulus;         ///< m_i
  const std::uint64_t* reciprocal;      ///< ⌊2⁶⁴/m_i⌋
  const std::uint32_t* power32;         ///< 2^(32k) mod m_i at [k·size + i]
  const std::uint32_t* shift_quotient;  ///< ⌊2⁵⁸/m_i⌋
  const std::uint32_t* weight;          ///< |C_i⁻¹| mod m_i
  const std::uint32_t* product;         ///< M'
  const std::uint32_t* cofactor;        ///< C_i, `limbs` words each
  Interval reciprocal_product;          ///< encloses 1/M
};

/// The tables of a set with guards whose moduli are above 2²⁶.
template <class Set>
struct LimbTables {
  static constexpr int size = Set::size;
  static constexpr int limbs = [] {
    int bits = 0;
    for (int i = 0; i < size; ++i) bits += bits::bit_length(Set::modulus(i));
    return (bits + 31) / 32;
  }();
  std::uint32_t shift_quotient[size];
  std::uint32_t weight[size];
  std::uint32_t product[limbs];
  std::uint32_t cofactor[size][limbs];
  int spare;
};

namespace detail {

template <class Set>
constexpr LimbTables<Set> make_limb_tables() {
  using Made = LimbTables<Set>;
  Made t{};
  const auto& base = host_tables<Set>.tables;
  for (int k = 0; k < rns::limbs<Set>; ++k) t.product[k] = base.product[k];
  for (int i = Set::n; i < Made::size; ++i) {
    limb::multiply_by_word(t.product, Made::limbs, Set::modulus(i));
  }
  int top = Made::limbs - 1;
  while (t.product[top] == 0) --top;
  t.spare = 32 * top + bits::bit_length(t.product[top]) - 1 - (base.product_exponent + 1);
  for (int i = 0; i < Made::size; ++i) {
    const std::uint32_t m = Set::modulus(i);
    t.shift_quotient[i] = static_cast<std::uint32_t>((std::uint64_t{1} << 58) / m);
    limb::divide_by_word(t.product, Made::limbs, m, t.cofactor[i]);
    std::uint32_t quotient[Made::limbs] = {};
    t.weight[i] = inverse_mod(limb::divide_by_word(t.cofactor[i], Made::limbs, m, quotient), m);
  }
  return t;
}

template <class Set>
inline constexpr bool above_two_26 = [] {
  for (int i = 0; i < Set::size; ++i) {
    if (Set::modulus(i) <= std::uint32_t{1} << 26) return false;
  }
  return true;
}();

}  // namespace detail

template <class Set>
ASSAY_HD inline LimbTablesView limb_tables() {
  static_assert(Set::guards > 0 && detail::above_two_26<Set>);
  const Tables<Set>& t = tables<Set>();
  const LimbTables<Set>& l = detail::table<detail::make_limb_tables<Set>>();
  return {Set::n,    Set::size,     LimbTables<Set>::limbs, t.product_exponent / 2, l.spare,
          t.m,       t.barrett,     t.power32[0],           l.shift_quotient,       l.weight,
          l.product, l.cofactor[0], t.reciprocal_product};
}

/// a·2^s mod m, in [0, 33m/32), of a residue a < m of a modulus below 2²⁷, for 0 ≤ s ≤ 26, with quotient = ⌊2⁵⁸/m⌋:
/// the quotient's part that belongs to 2^s is ⌊2^(32+s)/m⌋ (the companion of a constant factor, by Shoup). Two
/// products.
ASSAY_HD constexpr std::uint32_t shifted_residue(std::uint32_t a, int s, std::uint32_t m, std::uint32_t quotient) {
  const std::uint32_t companion = quotient >> (26 - s);
#if defined(__CUDA_ARCH__)
  const std::uint32_t q = __umulhi(a, companion);
#else
  const auto q = static_cast<std::uint32_t>(std::uint64_t{a} * companion >> 32);
#endif
  return (a << s) - q * m;
}

/// s_i = x_i·|C_i⁻¹| mod m_i and ⌊2³²·s_i/m_i⌋.
struct CrtDigit {
  std::uint32_t digit;
  std::uint32_t fraction;
};
ASSAY_HD inline CrtDigit crt_digit(const LimbTablesView& t, int i, std::uint32_t residue) {
  const std::uint32_t digit = mul_mod(residue, t.weight[i], t.modulus[i], t.reciprocal[i]);
  return {digit, shoup(digit, t.modulus[i], t.reciprocal[i])};
}

/// A column of a sum of products of limbs: low + 2³²·high, to be added to the limb of its place.
struct LimbColumn {
  std::int64_t low;
  std::int64_t high;
};

/// Column k of S = Σ s_i·C_i − r·M' from the digits of all moduli.
ASSAY_HD inline LimbColumn crt_column(const LimbTablesView& t, int k, const CrtDigit* digits) {
  std::uint64_t rank = std::uint64_t{1} << 31;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  ASSAY_UNROLL(8)
  for (int i = 0; i < t.size; ++i) {
    const std::uint64_t product = std::uint64_t{digits[i].digit} * t.cofactor[i * t.limbs + k];
    low += product & 0xFFFFFFFFu;
    high += product >> 32;
    rank += digits[i].fraction;
  }
  return {static_cast<std::int64_t>(low) - static_cast<std::int64_t>((rank >> 32) * t.product[k]),
          static_cast<std::int64_t>(high)};
}

/// Column k of the product of two integers of x_count and y_count limbs, the counts less than 2³⁰.
ASSAY_HD inline LimbColumn product_column(const std::uint32_t* x, int x_count, const std::uint32_t* y, int y_count,
                                          int k) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (int i = k < y_count ? 0 : k - y_count + 1; i <= k && i < x_count; ++i) {
    const std::uint64_t product = std::uint64_t{x[i]} * y[k - i];
    low += product & 0xFFFFFFFFu;
    high += product >> 32;
  }
  return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

/// The integer of the limbs[k], k < count, at most those of M, modulo m_i.
ASSAY_HD inline std::uint32_t residue_of_limbs(const LimbTablesView& t, int i, const auto& limbs, int count) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  ASSAY_UNROLL(4)
  for (int k = 0; k < count; ++k) {
    const std::uint64_t product = std::uint64_t{limbs[k]} * t.power32[k * t.size + i];
    low += product & 0xFFFFFFFFu;
    high += product >> 32;
  }
  const std::uint32_t m = t.modulus[i];
  const std::uint64_t upper = reduce(high, m, t.reciprocal[i]);
  const std::uint64_t sum = upper * t.power32[t.size + i] + low;  // below 2⁶²
  return reduce(sum, m, t.reciprocal[i]);
}

/// An enclosure of X/M for X = x/2^cut, rounded to nearest, from the leading 53 of the `bits` bits of x, whose limbs
/// are x[k], k < count: these bits, and these bits plus 1 if there are more, times 1/M.
ASSAY_HD inline Interval enclosure_of_limbs(const LimbTablesView& t, const auto& x, int count, std::int64_t bits,
                                            std::int64_t cut) {
  if (bits == 0) return {};
  const std::int64_t below = bits > 53 ? bits - 53 : 0;
  const std::uint64_t low = limb::right_shifted_word(x, count, below, 0);
  const std::uint64_t high = limb::right_shifted_word(x, count, below, 1);
  const auto head = static_cast<double>(static_cast<std::int64_t>(high << 32 | low));
  const double next = below > 0 ? head + 1.0 : head;
  return {mul_rd(extended(head, below - cut), t.reciprocal_product.lower),
          mul_ru(extended(next, below - cut), t.reciprocal_product.upper)};
}

}  // namespace assay::rns
