#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"

namespace assay::rns {

// A set of moduli is a type `Set` with
//   static constexpr int n                             the base moduli; M is their product;
//   static constexpr int guards                        redundant moduli, which are no part of M; 0 is allowed;
//   static constexpr int size = n + guards
//   static constexpr std::uint32_t modulus(int i)      0 ≤ i < size, the base first: odd, 3 ≤ modulus < 2³¹, pairwise
//                                                      coprime, the first guard > 2n.
// `tables<Set>()` does not compile for a set that breaks these rules.

/// 2²⁷ − modulus for the 128 largest primes below 2²⁷.
inline constexpr std::uint16_t standard_offsets[128] = {
    39,   79,   111,  115,  135,  187,  199,  219,  231,  235,  241,  261,  289,  291,  319,  325,  327,  361,  367,
    375,  405,  427,  451,  471,  481,  507,  529,  555,  565,  571,  597,  625,  639,  649,  679,  681,  685,  727,
    741,  781,  789,  795,  817,  829,  847,  859,  861,  867,  891,  901,  921,  927,  937,  945,  951,  969,  991,
    999,  1081, 1099, 1119, 1125, 1131, 1155, 1171, 1185, 1225, 1237, 1255, 1267, 1281, 1309, 1335, 1339, 1369, 1381,
    1467, 1479, 1497, 1501, 1509, 1539, 1549, 1561, 1587, 1599, 1609, 1615, 1651, 1669, 1675, 1677, 1687, 1689, 1707,
    1717, 1719, 1729, 1797, 1881, 1885, 1887, 1897, 1909, 1911, 1915, 1927, 1977, 1981, 2001, 2005, 2007, 2025, 2035,
    2047, 2085, 2121, 2139, 2145, 2151, 2155, 2169, 2175, 2221, 2245, 2265, 2281, 2287};

/// The n largest primes below 2²⁷, descending, and as guard the prime 2³¹ − 1; M is just below 2^(27n).
/// n = 8, 16, 32, 64, 128 give 107, 215, 431, 863 and 1727 bits of √M: the 106, 212, 424, 848 and 1696 bits of Isupov,
/// Knyazkov, "Multiple-precision matrix-vector multiplication on graphics processing units", 2020, and some spare.
template <int moduli>
struct Standard {
  static_assert(1 <= moduli && moduli <= 128);
  static constexpr int n = moduli;
  static constexpr int guards = 1;
  static constexpr int size = n + guards;
  static constexpr std::uint32_t modulus(int i) {
    return i < n ? (std::uint32_t{1} << 27) - standard_offsets[i] : (std::uint32_t{1} << 31) - 1;
  }
};

namespace detail {

/// a⁻¹ mod m, or 0 if a and m have a common divisor. Euclid's algorithm.
constexpr std::uint32_t inverse_mod(std::uint32_t a, std::uint32_t m) {
  std::int64_t r = m;
  std::int64_t next = a % m;
  std::int64_t t = 0;
  std::int64_t next_t = 1;
  while (next != 0) {
    const std::int64_t q = r / next;
    const std::int64_t rest = r - q * next;
    const std::int64_t rest_t = t - q * next_t;
    r = next;
    next = rest;
    t = next_t;
    next_t = rest_t;
  }
  return r != 1 ? 0 : static_cast<std::uint32_t>(t < 0 ? t + m : t);
}

/// a⁻¹ mod 2³² for odd a: Newton's iteration, which doubles the correct bits.
constexpr std::uint32_t inverse32(std::uint32_t a) {
  std::uint32_t x = a;
  for (int i = 0; i < 4; ++i) {
    x *= 2 - a * x;
  }
  return x;
}

/// A bound of 2^e/t from below, to 53 bits: RD(2^e/t) as {fraction, exponent}; exact only if t is a power of two.
/// Requires: 0 < t < 2⁶³.
constexpr Extended reciprocal_rd(std::uint64_t t, std::int64_t e) {
  const int bits = bits::bit_length(t);
  std::uint64_t rest = std::uint64_t{1} << (bits - 1);  // 2^(bits − 1) ≤ t
  std::uint64_t q = rest >= t ? 1 : 0;
  rest -= q * t;
  int position = bits - 1;  // q = ⌊2^position/t⌋
  while (q < std::uint64_t{1} << 52) {
    rest <<= 1;
    q <<= 1;
    ++position;
    if (rest >= t) {
      rest -= t;
      q += 1;
    }
  }
  return assay::extended(static_cast<double>(q), e - position);
}

/// The next number above a positive x: RU if RD is x and not exact.
constexpr Extended next_above(const Extended& x) { return assay::extended(next_up(x.fraction), x.exponent); }

constexpr double to_double(const Extended& x) {
  return x.fraction * bits::power_of_two<double>(static_cast<int>(x.exponent));
}

/// ⌊log₂ of the product of the base⌋ is below this: the sum of the lengths of the moduli in bits.
template <class Set>
constexpr int product_bits() {
  int bits = 0;
  for (int i = 0; i < Set::n; ++i) {
    bits += bits::bit_length(Set::modulus(i));
  }
  return bits;
}

}  // namespace detail

/// The words of 32 bits that hold every X < M.
template <class Set>
inline constexpr int limbs = (detail::product_bits<Set>() + 31) / 32;

/// The data for arithmetic on residues of `Set`, M_i = M/m_i. Index i < n: the base; n ≤ i < size: guards.
template <class Set>
struct Tables {
  static constexpr int n = Set::n;
  static constexpr int size = Set::size;

  std::uint32_t m[size];
  std::uint64_t barrett[size];                  ///< ⌊2⁶⁴/m_i⌋
  std::uint32_t inverse32[size];                ///< m_i⁻¹ mod 2³²
  std::uint32_t w[n];                           ///< M_i⁻¹ mod m_i
  std::uint32_t w_shoup[n];                     ///< ⌊w_i·2³²/m_i⌋
  double reciprocal_rd[n];                      ///< RD(1/m_i)
  double reciprocal_ru[n];                      ///< RU(1/m_i)
  std::uint32_t radix_inverse[n];               ///< (m_0 … m_{i−1})⁻¹ mod m_i
  std::uint32_t radix_inverse_shoup[n];         ///< its ⌊·2³²/m_i⌋
  std::uint32_t cofactor32[n];                  ///< M_i mod 2³²
  std::uint32_t product32;                      ///< M mod 2³²
  std::uint32_t product_mod[size];              ///< M mod m_i: 0 in the base
  std::uint32_t guard_inverse[n];               ///< m_i⁻¹ mod the first guard, 0 without one
  std::uint32_t guard_product_inverse;          ///< M⁻¹ mod the first guard, 0 without one
  std::uint32_t power32[limbs<Set> + 1][size];  ///< 2^(32k) mod m_i
  std::uint32_t product[limbs<Set>];            ///< M, least significant word first
  Interval reciprocal_product;                  ///< encloses 1/M
  int product_exponent;                         ///< ⌊log₂ M⌋
};

namespace detail {

/// Whether a set keeps the rules, and its tables if it does.
template <class Set>
struct Checked {
  bool in_range, coprime, guard_large_enough;
  Tables<Set> tables;
};

template <class Set>
constexpr Checked<Set> make_tables() {
  constexpr int n = Set::n;
  Checked<Set> made{};
  Tables<Set>& t = made.tables;
  made.in_range = true;
  made.coprime = true;
  for (int i = 0; i < Set::size; ++i) {
    const std::uint32_t m = Set::modulus(i);
    if (m < 3 || m >= std::uint32_t{1} << 31 || m % 2 == 0) {
      made.in_range = false;
      return made;
    }
    t.m[i] = m;
    t.barrett[i] = ~std::uint64_t{0} / m;  // m is not a divisor of 2⁶⁴
    t.inverse32[i] = inverse32(m);
  }
  made.guard_large_enough = Set::guards == 0 || t.m[Set::size > n ? n : 0] > 2u * n;

  t.product[0] = 1;
  for (int i = 0; i < n; ++i) {
    limb::multiply_by_word(t.product, limbs<Set>, t.m[i]);
  }
  t.product32 = t.product[0];

  for (int i = 0; i < Set::size; ++i) {  // the product of the moduli before, and of all others
    std::uint64_t before = 1;
    for (int j = 0; j < i; ++j) {
      before = before * t.m[j] % t.m[i];
    }
    const std::uint32_t before_inverse = inverse_mod(static_cast<std::uint32_t>(before), t.m[i]);
    made.coprime = made.coprime && before_inverse != 0;
    if (i < n) {
      t.radix_inverse[i] = before_inverse;
      t.radix_inverse_shoup[i] = static_cast<std::uint32_t>((std::uint64_t{before_inverse} << 32) / t.m[i]);
      std::uint64_t others = before;
      for (int j = i + 1; j < n; ++j) {
        others = others * t.m[j] % t.m[i];
      }
      t.w[i] = inverse_mod(static_cast<std::uint32_t>(others), t.m[i]);
      t.w_shoup[i] = static_cast<std::uint32_t>((std::uint64_t{t.w[i]} << 32) / t.m[i]);
      t.cofactor32[i] = t.product32 * t.inverse32[i];
      const Extended reciprocal = reciprocal_rd(t.m[i], 0);
      t.reciprocal_rd[i] = to_double(reciprocal);
      t.reciprocal_ru[i] = to_double(next_above(reciprocal));
    } else {
      std::uint64_t product = 1;
      for (int j = 0; j < n; ++j) {
        product = product * t.m[j] % t.m[i];
      }
      t.product_mod[i] = static_cast<std::uint32_t>(product);
    }
    std::uint64_t power = 1;
    for (int k = 0; k <= limbs<Set>; ++k) {
      t.power32[k][i] = static_cast<std::uint32_t>(power);
      power = (power << 32) % t.m[i];
    }
  }
  if constexpr (Set::guards > 0) {
    const std::uint32_t guard = t.m[n];
    for (int i = 0; i < n; ++i) {
      t.guard_inverse[i] = inverse_mod(t.m[i] % guard, guard);
    }
    t.guard_product_inverse = inverse_mod(t.product_mod[n], guard);
  }

  int top = limbs<Set> - 1;
  while (t.product[top] == 0) {
    --top;
  }
  t.product_exponent = 32 * top + bits::bit_length(t.product[top]) - 1;
  std::uint64_t leading = 0;  // ⌊M/2^position⌋, the first 62 bits, or M
  const int position = t.product_exponent < 62 ? 0 : t.product_exponent - 61;
  for (int b = t.product_exponent; b >= position; --b) {
    leading = leading << 1 | (t.product[b / 32] >> (b % 32) & 1);
  }
  t.reciprocal_product.lower = reciprocal_rd(position == 0 ? leading : leading + 1, -position);
  t.reciprocal_product.upper = next_above(reciprocal_rd(leading, -position));
  return made;
}

template <class Set>
inline constexpr Checked<Set> host_tables = make_tables<Set>();
#if defined(__CUDACC__)
template <class Set>
__device__ constexpr Tables<Set> device_tables = make_tables<Set>().tables;
#endif

/// make(), computed by the compiler, once for the host and once for a device.
template <auto make>
inline constexpr auto host_table = make();
#if defined(__CUDACC__)
template <auto make>
__device__ constexpr auto device_table = make();
#endif
template <auto make>
ASSAY_HD inline const auto& table() {
  return ASSAY_ON_DEVICE(device_table<make>, host_table<make>);
}

}  // namespace detail

/// ⌊log₂ M⌋.
template <class Set>
inline constexpr int product_exponent = detail::host_tables<Set>.tables.product_exponent;

/// The tables of a set: computed by the compiler, once for the host and once for a device; there is nothing to call
/// before.
template <class Set>
ASSAY_HD inline const Tables<Set>& tables() {
  static_assert(Set::size == Set::n + Set::guards && Set::n >= 1 && Set::guards >= 0);
  static_assert(detail::host_tables<Set>.in_range, "a modulus is odd, at least 3 and below 2^31");
  static_assert(!detail::host_tables<Set>.in_range || detail::host_tables<Set>.coprime,
                "the moduli are pairwise coprime");
  static_assert(!detail::host_tables<Set>.in_range || detail::host_tables<Set>.guard_large_enough,
                "the first guard is greater than 2n");
#if defined(__CUDA_ARCH__)
  return detail::device_tables<Set>;
#else
  return detail::host_tables<Set>.tables;
#endif
}

}  // namespace assay::rns
