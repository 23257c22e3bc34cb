#pragma once

#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"

/// Arithmetic in residue number systems. M is the product of the n base moduli of a set, M_i = M/m_i, w_i = M_i⁻¹ mod
/// m_i. Source of the algorithm that is called classical here: Omondi, Premkumar, "Residue Number Systems: Theory and
/// Implementation", 2007.
namespace assay::rns {

/// The residues r_i = X mod m_i of an integer X, of every modulus of the set: of the base, which determines X with 0 ≤
/// X < M, and of the guards, which are those of the same integer. Addition, subtraction, negation and multiplication
/// are those of the integers modulo the product of all moduli; a function that needs 0 ≤ X < M says so.
template <class Set>
struct Residues {
  std::uint32_t r[Set::size];
};

/// The digits v_i < m_i of X = v_0 + v_1·m_0 + v_2·m_0·m_1 + … (mixed radix).
template <class Set>
struct MixedRadix {
  std::uint32_t v[Set::n];
};

namespace detail {

/// How often a loop over `trips` moduli is unrolled on a device.
ASSAY_HD constexpr int unrolled(int trips) { return trips <= 9 ? trips : 4; }

}  // namespace detail

/// a + b mod m. Requires: a, b < m < 2³¹ (not checked).
ASSAY_HD constexpr std::uint32_t add_mod(std::uint32_t a, std::uint32_t b, std::uint32_t m) {
  const std::uint32_t s = a + b;
  return s >= m ? s - m : s;
}

/// a − b mod m. Requires: a, b < m < 2³¹ (not checked).
ASSAY_HD constexpr std::uint32_t sub_mod(std::uint32_t a, std::uint32_t b, std::uint32_t m) {
  return a >= b ? a - b : a + m - b;
}

/// −a mod m. Requires: a < m (not checked).
ASSAY_HD constexpr std::uint32_t negate_mod(std::uint32_t a, std::uint32_t m) { return a == 0 ? 0 : m - a; }

/// x mod m for any x, with μ = ⌊2⁶⁴/m⌋. Requires: m < 2³¹ (not checked).
/// Barrett, "Implementing the Rivest Shamir and Adleman public key encryption algorithm on a standard digital signal
/// processor", 1986: q = ⌊x·μ/2⁶⁴⌋ > x/m − x/2⁶⁴ − 1 > x/m − 2, so that x − q·m < 2m: one conditional subtraction.
ASSAY_HD inline std::uint32_t reduce(std::uint64_t x, std::uint32_t m, std::uint64_t mu) {
  const std::uint32_t r = bits::low_word(x) - bits::low_word(bits::high_product(x, mu)) * m;
  return r >= m ? r - m : r;
}

/// a·b mod m, with μ = ⌊2⁶⁴/m⌋. Requires: m < 2³¹ (not checked); a and b may exceed m.
ASSAY_HD inline std::uint32_t mul_mod(std::uint32_t a, std::uint32_t b, std::uint32_t m, std::uint64_t mu) {
  return reduce(std::uint64_t{a} * b, m, mu);
}

/// ⌊c·2³²/m⌋: what `mul_shoup` needs for a constant factor c, with μ = ⌊2⁶⁴/m⌋. Requires: c < m < 2³¹ (not checked).
ASSAY_HD inline std::uint32_t shoup(std::uint32_t c, std::uint32_t m, std::uint64_t mu) {
  const std::uint64_t x = std::uint64_t{c} << 32;
  const std::uint32_t q = bits::low_word(bits::high_product(x, mu));
  return bits::low_word(x) - q * m >= m ? q + 1 : q;
}

/// x·c mod m for any x, with c' = ⌊c·2³²/m⌋. Requires: c < m < 2³¹ (not checked).
/// Shoup's multiplication (Harvey, "Faster arithmetic for number-theoretic transforms", 2014, §2): x·c − ⌊x·c'/2³²⌋·m <
/// 2m. Three multiplications of 32 bits.
ASSAY_HD constexpr std::uint32_t mul_shoup(std::uint32_t x, std::uint32_t c, std::uint32_t c_shoup, std::uint32_t m) {
  const std::uint32_t q = bits::low_word(std::uint64_t{x} * c_shoup >> 32);
  const std::uint32_t r = x * c - q * m;
  return r >= m ? r - m : r;
}

namespace detail {

/// z_i = op(x_i, …, m_i), or op(x_i, …, m_i, ⌊2⁶⁴/m_i⌋), for arrays of residues x, ….
template <auto op, class Set, class... X>
ASSAY_HD Residues<Set> by_residue(const X&... x) {
  const Tables<Set>& t = tables<Set>();
  Residues<Set> z;
  ASSAY_UNROLL(unrolled(Set::size))
  for (int i = 0; i < Set::size; ++i) {
    if constexpr (std::is_invocable_v<decltype(op), decltype(x[0])..., std::uint32_t>) {
      z.r[i] = op(x[i]..., t.m[i]);
    } else {
      z.r[i] = op(x[i]..., t.m[i], t.barrett[i]);
    }
  }
  return z;
}

}  // namespace detail

/// x + y, residue by residue.
template <class Set>
ASSAY_HD Residues<Set> add(const Residues<Set>& x, const Residues<Set>& y) {
  return detail::by_residue<add_mod, Set>(x.r, y.r);
}

/// x − y, residue by residue.
template <class Set>
ASSAY_HD Residues<Set> sub(const Residues<Set>& x, const Residues<Set>& y) {
  return detail::by_residue<sub_mod, Set>(x.r, y.r);
}

/// −x, residue by residue.
template <class Set>
ASSAY_HD Residues<Set> negate(const Residues<Set>& x) {
  return detail::by_residue<negate_mod, Set>(x.r);
}

/// M − x, residue by residue.
template <class Set>
ASSAY_HD Residues<Set> complement(const Residues<Set>& x) {
  return detail::by_residue<sub_mod, Set>(tables<Set>().product_mod, x.r);
}

/// x·y, residue by residue.
template <class Set>
ASSAY_HD Residues<Set> mul(const Residues<Set>& x, const Residues<Set>& y) {
  return detail::by_residue<mul_mod, Set>(x.r, y.r);
}

/// Whether x and y have the same residues in the base: X = Y if both are in 0 … M − 1. Without a branch.
template <class Set>
ASSAY_HD bool equal(const Residues<Set>& x, const Residues<Set>& y) {
  std::uint32_t difference = 0;
  ASSAY_UNROLL(detail::unrolled(Set::n))
  for (int i = 0; i < Set::n; ++i) {
    difference |= x.r[i] ^ y.r[i];
  }
  return difference == 0;
}

/// Whether all residues in the base are 0: X = 0 if 0 ≤ X < M. Without a branch.
template <class Set>
ASSAY_HD bool is_zero(const Residues<Set>& x) {
  std::uint32_t any = 0;
  ASSAY_UNROLL(detail::unrolled(Set::n))
  for (int i = 0; i < Set::n; ++i) {
    any |= x.r[i];
  }
  return any == 0;
}

/// The residues of an integer of 64 bits. A set with M ≤ 2⁶⁴ − 1 holds it modulo M.
template <class Set>
ASSAY_HD Residues<Set> residues_of(std::uint64_t x) {
  const Tables<Set>& t = tables<Set>();
  Residues<Set> z;
  ASSAY_UNROLL(detail::unrolled(Set::size))
  for (int i = 0; i < Set::size; ++i) {
    z.r[i] = reduce(x, t.m[i], t.barrett[i]);
  }
  return z;
}

/// 2^k mod m_i for any k ≥ 0: one reduction for k < 32·(limbs + 1), and one more for each 32·limbs above.
template <class Set>
ASSAY_HD std::uint32_t power_of_two_mod(int k, int i) {
  const Tables<Set>& t = tables<Set>();
  constexpr int top = limbs<Set>;
  std::uint32_t factor = 1;
  for (; k >= 32 * (top + 1); k -= 32 * top) {
    factor = mul_mod(factor, t.power32[top][i], t.m[i], t.barrett[i]);
  }
  const std::uint32_t power = reduce(std::uint64_t{t.power32[k >> 5][i]} << (k & 31), t.m[i], t.barrett[i]);
  return factor == 1 ? power : mul_mod(factor, power, t.m[i], t.barrett[i]);
}

/// x·2^k for any k ≥ 0, residue by residue. Two reductions a modulus for k ≤ log₂ M.
template <class Set>
ASSAY_HD Residues<Set> scale_up(const Residues<Set>& x, int k) {
  const Tables<Set>& t = tables<Set>();
  Residues<Set> z;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::size; ++i) {
    z.r[i] = mul_mod(x.r[i], power_of_two_mod<Set>(k, i), t.m[i], t.barrett[i]);
  }
  return z;
}

/// The residues of |x|. Requires: x is an integer (not checked; 0 for NaN and ±∞). Integer operations only: a reduction
/// a modulus for |x| < 2⁵³, three and more above.
template <class Set>
ASSAY_HD Residues<Set> residues_of(double x) {
  const std::uint64_t magnitude = bits::magnitude_bits(x);
  if (magnitude < to_bits(1.0) || magnitude > bits::max_finite_bits<double>) {
    return residues_of<Set>(std::uint64_t{0});
  }
  const bits::Significand s = bits::normal_significand(x);
  return s.e <= 0 ? residues_of<Set>(s.m >> -s.e) : scale_up(residues_of<Set>(s.m), s.e);
}

/// The residues of the integer of `count` words of 32 bits, least significant first. Requires: count ≤ limbs<Set> + 1
/// (not checked). Exact for any words; in the base the integer modulo M. A multiplication for each modulus and word,
/// a reduction for each group of words that 64 bits hold.
template <class Set>
ASSAY_HD Residues<Set> from_limbs(const std::uint32_t* words, int count) {
  const Tables<Set>& t = tables<Set>();
  Residues<Set> z;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::size; ++i) {
    const std::uint32_t m = t.m[i];
    const int group = m < std::uint32_t{1} << 28 ? 15 : 1;  // the remainder of the previous group is below 2³¹
    const std::uint32_t* power = &t.power32[0][i];
    std::uint64_t sum = 0;
    ASSAY_UNROLL(1)
    for (int k = 0; k < count;) {
      const int end = k + group < count ? k + group : count;
      for (; k < end; ++k, power += Set::size) {
        sum += std::uint64_t{words[k]} * *power;
      }
      sum = reduce(sum, m, t.barrett[i]);
    }
    z.r[i] = bits::low_word(sum);
  }
  return z;
}

/// The mixed-radix digits of X. Classical (Garner 1959), with the sum of the digits before by Horner's rule modulo
/// m_i. n(n − 1)/2 reductions.
template <class Set>
ASSAY_HD ASSAY_NOINLINE MixedRadix<Set> mixed_radix(const Residues<Set>& x) {
  const Tables<Set>& t = tables<Set>();
  MixedRadix<Set> z;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::n; ++i) {
    const std::uint32_t m = t.m[i];
    const std::uint64_t mu = t.barrett[i];
    std::uint32_t before = 0;
    ASSAY_UNROLL(1)
    for (int j = i - 1; j >= 0; --j) {
      before = reduce(std::uint64_t{before} * t.m[j] + z.v[j], m, mu);
    }
    z.v[i] = mul_shoup(sub_mod(x.r[i], before, m), t.radix_inverse[i], t.radix_inverse_shoup[i], m);
  }
  return z;
}

/// x with the guard residues of the X < M that its base residues determine (base extension), from the mixed-radix
/// digits. (n + guards)·n reductions and fewer.
template <class Set>
ASSAY_HD Residues<Set> extend(const Residues<Set>& x) {
  const Tables<Set>& t = tables<Set>();
  const MixedRadix<Set> digits = mixed_radix(x);
  Residues<Set> z = x;
  ASSAY_UNROLL(1)
  for (int g = Set::n; g < Set::size; ++g) {
    std::uint32_t sum = 0;
    ASSAY_UNROLL(1)
    for (int i = Set::n - 1; i >= 0; --i) {
      sum = reduce(std::uint64_t{sum} * t.m[i] + digits.v[i], t.m[g], t.barrett[g]);
    }
    z.r[g] = sum;
  }
  return z;
}

/// The sign of X − Y: −1, 0 or 1: the last pair of digits that differ decides. Without a branch.
template <class Set>
ASSAY_HD int compare_digits(const MixedRadix<Set>& x, const MixedRadix<Set>& y) {
  int sign = 0;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::n; ++i) {
    const int here = (x.v[i] > y.v[i] ? 1 : 0) - (x.v[i] < y.v[i] ? 1 : 0);
    sign = here != 0 ? here : sign;
  }
  return sign;
}

/// The sign of X − Y: −1, 0 or 1, from the mixed-radix digits of both. n(n − 1) reductions.
template <class Set>
ASSAY_HD ASSAY_NOINLINE int compare_by_digits(const Residues<Set>& x, const Residues<Set>& y) {
  return compare_digits(mixed_radix(x), mixed_radix(y));
}

/// words[0 … limbs<Set> − 1] = X mod M, least significant first, by Horner's rule from the mixed-radix digits.
template <class Set>
ASSAY_HD ASSAY_NOINLINE void to_limbs(const Residues<Set>& x, std::uint32_t* words) {
  const Tables<Set>& t = tables<Set>();
  const MixedRadix<Set> digits = mixed_radix(x);
  ASSAY_UNROLL(1)
  for (int k = 0; k < limbs<Set>; ++k) {
    words[k] = 0;
  }
  int count = 0;
  ASSAY_UNROLL(1)
  for (int i = Set::n - 1; i >= 0; --i) {
    std::uint64_t carry = digits.v[i];
    ASSAY_UNROLL(1)
    for (int k = 0; k < count; ++k) {
      carry += std::uint64_t{words[k]} * t.m[i];
      words[k] = bits::low_word(carry);
      carry >>= 32;
    }
    if (carry != 0) {
      words[count++] = bits::low_word(carry);
    }
  }
}

/// s_i = x_i·w_i mod m_i, for which X/M is the fraction of Σ s_i/m_i (the Chinese remainder theorem). n
/// multiplications.
template <class Set>
ASSAY_HD void crt_digits(const Residues<Set>& x, std::uint32_t (&s)[Set::n]) {
  const Tables<Set>& t = tables<Set>();
  ASSAY_UNROLL(detail::unrolled(Set::n))
  for (int i = 0; i < Set::n; ++i) {
    s[i] = mul_shoup(x.r[i], t.w[i], t.w_shoup[i], t.m[i]);
  }
}

namespace detail {

/// The words of M_i.
template <class Set>
struct Cofactors {
  std::uint32_t word[limbs<Set>][Set::n];
};

template <class Set>
constexpr Cofactors<Set> make_cofactors() {
  Cofactors<Set> made{};
  for (int i = 0; i < Set::n; ++i) {
    std::uint32_t cofactor[limbs<Set>] = {};
    limb::divide_by_word(host_tables<Set>.tables.product, limbs<Set>, Set::modulus(i), cofactor);
    for (int k = 0; k < limbs<Set>; ++k) {
      made.word[k][i] = cofactor[k];
    }
  }
  return made;
}

/// x ← x − factor·M on words; returns the borrow from the later words.
template <class Set>
ASSAY_HD std::uint64_t subtract_multiple(std::uint32_t* x, std::uint32_t factor) {
  const Tables<Set>& t = tables<Set>();
  std::uint64_t borrow = 0;
  ASSAY_UNROLL(1)
  for (int k = 0; k < limbs<Set>; ++k) {
    borrow += std::uint64_t{t.product[k]} * factor;
    const std::uint32_t subtrahend = bits::low_word(borrow);
    borrow = (borrow >> 32) + (x[k] < subtrahend ? 1 : 0);
    x[k] -= subtrahend;
  }
  return borrow;
}

}  // namespace detail

/// words[0 … limbs<Set> − 1] = X mod M, least significant first, as Σ s_i·M_i − ρM (the Chinese remainder theorem),
/// with ρ = ⌊Σ s_i/m_i⌋ from below in fixed point: ⌊Σ ⌊s_i·2³²/m_i⌋/2³²⌋ is ρ or ρ − 1. n multiplications for each
/// word. Requires: n < 2³⁰.
template <class Set>
ASSAY_HD ASSAY_NOINLINE void to_limbs_crt(const Residues<Set>& x, std::uint32_t* words) {
  const Tables<Set>& t = tables<Set>();
  const detail::Cofactors<Set>& c = detail::table<detail::make_cofactors<Set>>();
  std::uint32_t s[Set::n];
  crt_digits(x, s);
  std::uint64_t fixed = 0;
  ASSAY_UNROLL(1)
  for (int i = 0; i < Set::n; ++i) {
    fixed += shoup(s[i], t.m[i], t.barrett[i]);
  }
  std::uint64_t high = 0;  // the sum of the columns before is high·2³² and no more
  ASSAY_UNROLL(1)
  for (int k = 0; k < limbs<Set>; ++k) {
    std::uint64_t lows = bits::low_word(high);
    std::uint64_t highs = high >> 32;
    ASSAY_UNROLL(4)
    for (int i = 0; i < Set::n; ++i) {
      const std::uint64_t product = std::uint64_t{s[i]} * c.word[k][i];
      lows += bits::low_word(product);
      highs += product >> 32;
    }
    words[k] = bits::low_word(lows);
    high = highs + (lows >> 32);
  }
  high -= detail::subtract_multiple<Set>(words, bits::low_word(fixed >> 32));
  bool at_least = high != 0;  // compare with M
  for (int k = limbs<Set> - 1; !at_least; --k) {
    if (k < 0 || words[k] > t.product[k]) {
      at_least = true;
    } else if (words[k] < t.product[k]) {
      break;
    }
  }
  if (at_least) {
    detail::subtract_multiple<Set>(words, 1);
  }
}

}  // namespace assay::rns
