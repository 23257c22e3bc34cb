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

#include "arith/bits/bits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/moduli.hpp"
#include "arith/residues/rns.hpp"

namespace assay::rns {

/// The data that ⌊X/2^d⌋ reads, for sets of at most 128 base moduli below 2²⁷ with one guard.
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

/// ⌊X/2^d⌋ of an X < M, guards included. Requires: 0 ≤ d ≤ 30K (not checked). Columns 16 at a time, so that their sums
/// live in registers. About 2n multiplications for each 30 bits of d, and 20n.
template <class Set>
ASSAY_HD ASSAY_NOINLINE Residues<Set> scale_down_at_once(const Residues<Set>& x, int d) {
  using Scaling = ScalingTables<Set>;
  constexpr int n = Set::n;
  constexpr int limbs = Scaling::limbs;
  constexpr int chunk = limbs < 16 ? 2 * Scaling::pairs : 16;
  constexpr int group = n % 8 == 0 ? 8 : 1;
  constexpr std::uint32_t mask = (std::uint32_t{1} << Scaling::limb_bits) - 1;
  const Tables<Set>& t = tables<Set>();
  const Scaling& scaling = scaling_tables<Set>();
  const std::uint32_t guard = t.m[n];
  const std::uint64_t mu = t.barrett[n];
  const auto mod_guard = [&](std::uint64_t low, std::uint64_t high) {  // low + 2³²·high
    return reduce(low + std::uint64_t{reduce(high, guard, mu)} * t.power32[1][n], guard, mu);
  };

  std::uint32_t limb[limbs];
  std::uint32_t rank = 0;
  std::uint64_t column = 0;
  std::uint64_t low = 0;  // of the guard's sum
  std::uint64_t high = 0;
  ASSAY_UNROLL(1)
  for (int first = 0; first < limbs && (first == 0 || Scaling::limb_bits * first < d); first += chunk) {
    std::uint64_t sum[chunk] = {};
    std::uint64_t rank_low = 0;
    std::uint64_t rank_high = 0;
    ASSAY_UNROLL(detail::unrolled(n))
    for (int i = 0; i < n; ++i) {
      const std::uint32_t s = mul_shoup(x.r[i], t.w[i], t.w_shoup[i], t.m[i]);
      if (first == 0) {
        const std::uint64_t product = std::uint64_t{s} * t.guard_inverse[i];
        rank_low += bits::low_word(product);
        rank_high += product >> 32;
      }
      ASSAY_UNROLL(8)
      for (int p = 0; p < chunk / 2; ++p) {
        if (first / 2 + p < Scaling::pairs) {
          const typename Scaling::Pair cofactor = scaling.cofactor[i][first / 2 + p];
          sum[2 * p] += std::uint64_t{s} * cofactor.limb[0];
          sum[2 * p + 1] += std::uint64_t{s} * cofactor.limb[1];
        }
      }
    }
    if (first == 0) {
      const std::uint64_t product = std::uint64_t{guard - x.r[n]} * t.guard_product_inverse;
      rank = mod_guard(rank_low + bits::low_word(product), rank_high + (product >> 32));
    }
    ASSAY_UNROLL(16)
    for (int p = 0; p < chunk; ++p) {
      const int k = first + p;
      if (k < limbs) {
        column = (column >> Scaling::limb_bits) + sum[p] + std::uint64_t{rank} * scaling.negated_product[k];
        const int bits = d - Scaling::limb_bits * k;  // of this limb and those above it
        const std::uint32_t below = bits <= 0                    ? 0
                                    : bits >= Scaling::limb_bits ? mask
                                                                 : mask >> (Scaling::limb_bits - bits);
        limb[k] = bits::low_word(column) & below;
        const std::uint64_t product = std::uint64_t{limb[k]} * scaling.weight[k][n];
        low += bits::low_word(product);
        high += product >> 32;
      }
    }
  }

  Residues<Set> z;
  const int used = (d + Scaling::limb_bits - 1) / Scaling::limb_bits;
  const int up = Scaling::limb_bits * limbs - d;
  ASSAY_UNROLL(1)
  for (int q = 0; q < n; q += group) {
    std::uint64_t sum[group];
    ASSAY_UNROLL(8)
    for (int p = 0; p < group; ++p) sum[p] = std::uint64_t{x.r[q + p]} * scaling.inverse[q + p];
    ASSAY_UNROLL(detail::unrolled(limbs))
    for (int k = 0; k < limbs; ++k) {
      if (k >= used) break;
      ASSAY_UNROLL(8)
      for (int p = 0; p < group; ++p) sum[p] += std::uint64_t{limb[k]} * scaling.weight[k][q + p];
    }
    ASSAY_UNROLL(8)
    for (int p = 0; p < group; ++p) {
      z.r[q + p] = shifted_up<Set>(reduce(sum[p], t.m[q + p], t.barrett[q + p]), up, q + p);
    }
  }
  const std::uint64_t product = std::uint64_t{x.r[n]} * scaling.inverse[n];
  z.r[n] = shifted_up<Set>(mod_guard(low + bits::low_word(product), high + (product >> 32)), up, n);
  return z;
}

}  // namespace assay::rns
