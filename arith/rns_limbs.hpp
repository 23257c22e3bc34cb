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

#include "arith/directed.hpp"
#include "arith/extended_range.hpp"
#include "arith/hd.hpp"
#include "arith/rns_moduli.hpp"

namespace assay::rns {

namespace detail {

/// The high 64 bits of a·b. Four products of 32 bits.
ASSAY_HD constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = 0xFFFFFFFFu;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t middle = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t other = (a & mask) * (b >> 32) + (middle & mask);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/// x mod m with reciprocal = ⌊2⁶⁴/m⌋, m odd and below 2³¹. The quotient is at most one too small: Barrett 1987.
ASSAY_HD constexpr std::uint32_t remainder(std::uint64_t x, std::uint32_t m, std::uint64_t reciprocal) {
#if defined(__CUDA_ARCH__)
  const std::uint64_t quotient = __umul64hi(x, reciprocal);
#else
  const std::uint64_t quotient = high_product(x, reciprocal);
#endif
  const auto r = static_cast<std::uint32_t>(x - quotient * m);
  return r >= m ? r - m : r;
}

/// Limb i of the integer shifted right by `shift` bits. Limbs from `count` on are 0.
ASSAY_HD inline std::uint32_t shifted_limb(const std::uint32_t* limbs, int count, std::int64_t shift, int i) {
  const std::int64_t at = shift / 32 + i;
  const int bits = static_cast<int>(shift % 32);
  const std::uint64_t low = at < count ? limbs[at] : 0;
  const std::uint64_t high = at + 1 < count ? limbs[at + 1] : 0;
  return static_cast<std::uint32_t>((high << 32 | low) >> bits);
}

/// The number of bits of x; 0 for 0.
ASSAY_HD constexpr int bits_in(std::uint32_t x) {
  int bits = 0;
  for (int step = 16; step > 0; step /= 2) {
    if (x >> step != 0) {
      x >>= step;
      bits += step;
    }
  }
  return bits + static_cast<int>(x);
}

}  // namespace detail

/// What conversions between residues and limbs read, for any set: pointers into LimbTables of one set.
struct LimbTablesView {
  int n;                                ///< base moduli
  int size;                             ///< all moduli
  int limbs;                            ///< limbs of M'
  int precision;                        ///< P = ⌊log₂ √M⌋
  int spare;                            ///< ⌊log₂(M'/M)⌋
  const std::uint32_t* modulus;         ///< m_i
  const std::uint64_t* reciprocal;      ///< ⌊2⁶⁴/m_i⌋
  const std::uint32_t* shift_quotient;  ///< ⌊2⁵⁸/m_i⌋
  const std::uint32_t* weight;          ///< |C_i⁻¹| mod m_i
  const std::uint32_t* product;         ///< M'
  const std::uint32_t* cofactor;        ///< C_i, `limbs` words each
  const std::uint32_t* power32;         ///< 2^(32k) mod m_i at [k·size + i], 32k ≤ P + 31
  double m_head;  ///< the leading 53 bits of M, an integer h: h·2^m_exponent ≤ M < (h + 1)·2^m_exponent
  std::int64_t m_exponent;
};

/// The tables of a set whose base moduli are above 2²⁶, and all moduli odd, pairwise coprime and below 2³¹.
template <class Set>
struct LimbTables {
  static constexpr int n = Set::n;
  static constexpr int size = Set::size;

  static constexpr int bits_at_most = [] {
    int bits = 0;
    for (int i = 0; i < size; ++i) bits += detail::bits_in(Set::modulus(i));
    return bits;
  }();
  static constexpr int limbs = (bits_at_most + 31) / 32;
  static constexpr int powers = limbs / 2 + 1;

  std::uint32_t modulus[size];
  std::uint64_t reciprocal[size];
  std::uint32_t shift_quotient[size];
  std::uint32_t weight[size];
  std::uint32_t product[limbs];
  std::uint32_t cofactor[size][limbs];
  std::uint32_t power32[powers][size];
  int precision;
  int spare;
  double m_head;
  std::int64_t m_exponent;

  ASSAY_HD constexpr LimbTablesView view() const {
    return {n,      size,    limbs,       precision,  spare,  modulus,   reciprocal, shift_quotient,
            weight, product, cofactor[0], power32[0], m_head, m_exponent};
  }
};

namespace detail {

/// a⁻¹ mod m by the extended Euclidean algorithm. Requires: coprime, which the callers' results would show (an inverse
/// that is none does not compile).
constexpr std::uint32_t inverse(std::uint32_t a, std::uint32_t m) {
  std::int64_t r0 = m;
  std::int64_t r1 = a;
  std::int64_t t0 = 0;
  std::int64_t t1 = 1;
  while (r1 != 0) {
    const std::int64_t q = r0 / r1;
    const std::int64_t r2 = r0 - q * r1;
    const std::int64_t t2 = t0 - q * t1;
    r0 = r1;
    r1 = r2;
    t0 = t1;
    t1 = t2;
  }
  if (r0 != 1) throw "the moduli are not pairwise coprime";
  return static_cast<std::uint32_t>(t0 < 0 ? t0 + m : t0);
}

template <int count>
constexpr void multiply_by(std::uint32_t (&limbs)[count], std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : limbs) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

template <int count>
constexpr int bits_of(const std::uint32_t (&limbs)[count]) {
  for (int i = count; i-- > 0;) {
    if (limbs[i] != 0) return 32 * i + bits_in(limbs[i]);
  }
  return 0;
}

template <class Set>
constexpr LimbTables<Set> make_limb_tables() {
  using Tables = LimbTables<Set>;
  Tables t{};
  for (int i = 0; i < Tables::size; ++i) {
    const std::uint32_t m = Set::modulus(i);
    if (m % 2 == 0 || m >= 1u << 31 || m <= 1u << 26) throw "a modulus is even or out of range";
    t.modulus[i] = m;
    t.reciprocal[i] = ~std::uint64_t{0} / m;
    t.shift_quotient[i] = static_cast<std::uint32_t>((std::uint64_t{1} << 58) / m);
    std::uint32_t power = 1;
    for (int k = 0; k < Tables::powers; ++k) {
      t.power32[k][i] = power;
      power = static_cast<std::uint32_t>((std::uint64_t{power} << 32) % m);
    }
  }
  std::uint32_t base[Tables::limbs] = {1};
  for (int i = 0; i < Tables::n; ++i) multiply_by(base, Set::modulus(i));
  const int base_bits = bits_of(base);
  t.precision = (base_bits - 1) / 2;
  std::uint64_t head = 0;
  for (int i = 0; i < 53; ++i) {
    const int bit = base_bits - 1 - i;
    head = 2 * head + (bit >= 0 ? (base[bit / 32] >> (bit % 32)) & 1u : 0u);
  }
  t.m_head = static_cast<double>(head);
  t.m_exponent = base_bits - 53;
  for (int i = 0; i < Tables::limbs; ++i) t.product[i] = base[i];
  for (int i = Tables::n; i < Tables::size; ++i) multiply_by(t.product, Set::modulus(i));
  t.spare = bits_of(t.product) - 1 - base_bits;
  for (int i = 0; i < Tables::size; ++i) {
    const std::uint32_t m = t.modulus[i];
    std::uint64_t rest = 0;
    for (int k = Tables::limbs; k-- > 0;) {
      rest = rest << 32 | t.product[k];
      t.cofactor[i][k] = static_cast<std::uint32_t>(rest / m);
      rest %= m;
    }
    rest = 0;
    for (int k = Tables::limbs; k-- > 0;) rest = (rest << 32 | t.cofactor[i][k]) % m;
    t.weight[i] = inverse(static_cast<std::uint32_t>(rest), m);
  }
  return t;
}

template <class Set>
inline constexpr LimbTables<Set> host_limb_tables = make_limb_tables<Set>();
#if defined(__CUDACC__)
template <class Set>
__device__ const LimbTables<Set> device_limb_tables = make_limb_tables<Set>();
#endif

}  // namespace detail

template <class Set>
ASSAY_HD inline LimbTablesView limb_tables() {
#if defined(__CUDA_ARCH__)
  return detail::device_limb_tables<Set>.view();
#else
  return detail::host_limb_tables<Set>.view();
#endif
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

/// s_i = x_i·|C_i⁻¹| mod m_i and ⌊2³²·s_i/m_i⌋, at most 2 too small.
struct CrtDigit {
  std::uint32_t digit;
  std::uint32_t fraction;
};
ASSAY_HD inline CrtDigit crt_digit(const LimbTablesView& t, int i, std::uint32_t residue) {
  const std::uint32_t digit = detail::remainder(std::uint64_t{residue} * t.weight[i], t.modulus[i], t.reciprocal[i]);
#if defined(__CUDA_ARCH__)
  const std::uint64_t quotient = __umul64hi(std::uint64_t{digit} << 32, t.reciprocal[i]);
#else
  const std::uint64_t quotient = detail::high_product(std::uint64_t{digit} << 32, t.reciprocal[i]);
#endif
  return {digit, static_cast<std::uint32_t>(quotient)};
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

/// The limbs of an integer modulo m_i: at most `powers` of them, from `shift` bits on.
ASSAY_HD inline std::uint32_t residue_of_limbs(const LimbTablesView& t, int i, const std::uint32_t* limbs, int count,
                                               std::int64_t shift, int taken) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (int k = 0; k < taken; ++k) {
    const std::uint64_t product =
        std::uint64_t{detail::shifted_limb(limbs, count, shift, k)} * t.power32[k * t.size + i];
    low += product & 0xFFFFFFFFu;
    high += product >> 32;
  }
  const std::uint32_t m = t.modulus[i];
  const std::uint64_t upper = detail::remainder(high, m, t.reciprocal[i]);
  const std::uint64_t sum = upper * t.power32[t.size + i] + low;  // below 2⁶²
  return detail::remainder(sum, m, t.reciprocal[i]);
}

}  // namespace assay::rns
