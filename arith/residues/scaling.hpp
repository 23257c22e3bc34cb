#pragma once
// ⌊X/2^d⌋ in residues at one go, d ≤ 30K, with limbs of 30 bits: K is the least with 30K ≥ h + 1, so that a product of
// two rounded significands of h bits can be truncated to one.
//
// With s_i = |x_i·M_i⁻¹| mod m_i and the rank ρ, X = Σ s_i·M_i − ρM (Chinese remainder theorem). Modulo 2^(30K) that is
// a sum of columns, Σ_i s_i·(limb k of M_i) + ρ·(limb k of −M), each of which is below 2⁶⁴ for at most 128 moduli below
// 2²⁷: no column is reduced before the carries. They give X mod 2^d =: R exactly, and in the residues
//
//   ⌊X/2^d⌋ = (X − R)/2^d ≡ (x_q·2^(−30K) − Σ_k R_k·2^(30(k − K)))·2^(30K − d)  modulo m_q,
//
// an exact division, the sum again below 2⁶⁴. 2nK multiplications of 32 bits, where steps of 32 bits take some 8nK.

#include <cstdint>

#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"

namespace assay::rns {

/// What ⌊X/2^d⌋ reads, for sets of at most 128 base moduli below 2²⁷ with one guard.
template <class Set>
struct ScalingTables {
  static constexpr int limb_bits = 30;
  /// K for h = ⌈B/2⌉, B the bits of M.
  static constexpr int limbs = ((product_exponent<Set> + 2) / 2 + limb_bits) / limb_bits;
  static constexpr int pairs = (limbs + 1) / 2;
  struct alignas(8) Pair {
    std::uint32_t limb[2];
  };
  Pair cofactor[Set::n][pairs];            ///< limbs 2p and 2p + 1 of M_i
  std::uint32_t negated_product[limbs];    ///< limbs of −M
  std::uint32_t inverse[Set::size];        ///< 2^(−30K) mod m_q
  std::uint32_t weight[limbs][Set::size];  ///< −2^(30(k − K)) mod m_q
};

namespace detail {

/// Limb k of 30 bits of an integer of `count` words of 32 bits.
constexpr std::uint32_t limb_of_30_bits(const std::uint32_t* words, int count, int k) {
  const int word = 30 * k / 32;
  const int shift = 30 * k % 32;
  const std::uint64_t low = word < count ? words[word] : 0;
  const std::uint64_t high = word + 1 < count ? words[word + 1] : 0;
  return static_cast<std::uint32_t>((high << 32 | low) >> shift) & ((std::uint32_t{1} << 30) - 1);
}

template <class Set>
constexpr ScalingTables<Set> make_scaling_tables() {
  using Made = ScalingTables<Set>;
  constexpr std::uint64_t limb = std::uint64_t{1} << Made::limb_bits;
  Made made{};
  const Tables<Set>& t = host_tables<Set>.tables;
  for (int i = 0; i < Set::n; ++i) {
    std::uint32_t cofactor[rns::limbs<Set>] = {};
    limb::divide_by_word(t.product, rns::limbs<Set>, t.m[i], cofactor);
    for (int k = 0; k < Made::limbs; ++k) {
      made.cofactor[i][k / 2].limb[k % 2] = limb_of_30_bits(cofactor, rns::limbs<Set>, k);
    }
  }
  std::uint64_t carry = limb;
  for (int k = 0; k < Made::limbs; ++k) {
    carry = (carry >> Made::limb_bits) + (limb - 1 - limb_of_30_bits(t.product, rns::limbs<Set>, k));
    made.negated_product[k] = static_cast<std::uint32_t>(carry % limb);
  }
  for (int q = 0; q < Set::size; ++q) {
    const std::uint32_t m = t.m[q];
    const std::uint64_t step = inverse_mod(static_cast<std::uint32_t>(limb % m), m);
    std::uint64_t power = 1;
    for (int k = Made::limbs - 1; k >= 0; --k) {
      power = power * step % m;
      made.weight[k][q] = static_cast<std::uint32_t>(m - power);
    }
    made.inverse[q] = static_cast<std::uint32_t>(power);
  }
  return made;
}

/// Whether the sums of a set stay below 2⁶⁴.
template <class Set>
inline constexpr bool columns_fit = [] {
  for (int i = 0; i < Set::n; ++i) {
    if (Set::modulus(i) >= std::uint32_t{1} << 27) return false;
  }
  return Set::n <= 128 && Set::guards == 1;
}();

}  // namespace detail

template <class Set>
ASSAY_HD inline const ScalingTables<Set>& scaling_tables() {
  static_assert(detail::columns_fit<Set>, "at most 128 moduli below 2^27 and one guard");
  return detail::table<detail::make_scaling_tables<Set>>();
}

/// x·2^c mod m_q for any c ≥ 0, of a residue x < m_q: one reduction for c ≤ 32.
template <class Set>
ASSAY_HD std::uint32_t shifted_up(std::uint32_t x, int c, int q) {
  const Tables<Set>& t = tables<Set>();
  if (c <= 32) return reduce(std::uint64_t{x} << c, t.m[q], t.barrett[q]);
  return mul_mod(x, power_of_two_mod<Set>(c, q), t.m[q], t.barrett[q]);
}

}  // namespace assay::rns
