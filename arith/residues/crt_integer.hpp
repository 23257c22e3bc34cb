#pragma once

#include <cstdint>

#include "arith/bits/extremes.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/combination.hpp"
#include "arith/residues/crt_moduli.hpp"

namespace assay::crt {

/// w = X + 2^(32W − 1), W words of 32 bits, of the integer X nearest to ±m·2^e, ties away from zero: exact for e ≥ 0.
/// Requires: m < 2⁵³, |X| < 2^(32W − 1) (not checked).
template <int W>
ASSAY_HD constexpr void offset_words(std::uint64_t m, bool minus, int e, std::uint32_t* w) {
  if (e < 0) {
    constexpr int most = 54;  // m + 2⁵³ is below 2⁵⁴
    const int dropped = bits::min(-e, most);
    m = (m + (std::uint64_t{1} << (dropped - 1))) >> dropped;
    e = 0;
  }
  const int first = e / 32;
  const int shift = e % 32;
  const std::uint64_t low = m << shift;
  const auto high = static_cast<std::uint32_t>(m >> 32 >> (32 - shift));
  const std::uint32_t flip = minus ? ~std::uint32_t{0} : 0;
  std::uint64_t carry = minus ? 1 : 0;  // −X is ~X + 1
  ASSAY_UNROLL(W)
  for (int k = 0; k < W; ++k) {
    const int part = k - first;
    const std::uint32_t word = part == 0   ? static_cast<std::uint32_t>(low)
                               : part == 1 ? static_cast<std::uint32_t>(low >> 32)
                               : part == 2 ? high
                                           : 0;
    carry += word ^ flip;
    w[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  w[W - 1] ^= std::uint32_t{1} << 31;
}

/// The encoding of 1.5·2²³ in binary32: an integer of magnitude below 2²² added to it gives the encoding of the sum.
inline constexpr std::int32_t float_integer = 0x4B400000;

/// The table for the residues f_i·X modulo m_i of an X in W offset words: 2^(8b)·f_i, balanced and four in a word, for
/// the bytes b of X.
template <int W>
struct ResidueTable {
  int count;
  std::uint32_t weight[most_moduli][W];
  std::int32_t start[most_moduli];  ///< −f_i·2^(32W − 1) modulo m_i, plus `float_integer`
  float modulus[most_moduli];
  float inverse[most_moduli];  ///< RN(1/m_i)
};

/// The table with the factors f_i = P_i⁻¹ of a basis, or with f_i = 1.
template <int W>
constexpr ResidueTable<W> residue_table(const Basis& of, bool with_inverse) {
  ResidueTable<W> made{};
  made.count = of.count;
  for (int i = 0; i < of.count; ++i) {
    const std::int32_t m = modulus(i);
    std::int32_t power = with_inverse ? of.inverse[i] : 1;
    for (int b = 0; b < 4 * W; ++b) {
      made.weight[i][b / 4] |= (static_cast<std::uint32_t>(power) & 0xFF) << (8 * (b % 4));
      if (b == 4 * W - 1) {
        made.start[i] = float_integer + balanced(-128 * static_cast<std::int64_t>(power), m);
      }
      power = balanced(256 * static_cast<std::int64_t>(power), m);
    }
    made.modulus[i] = static_cast<float>(m);
    made.inverse[i] = 1.0f / static_cast<float>(m);
  }
  return made;
}

/// f_i·X modulo m_i, balanced, in the lowest byte; other bits are of no meaning. On a device four byte products an
/// instruction, and the quotient by binary32: the sum r is below 2²¹ in magnitude and |r| ≤ 510·W·m_i, so that
/// RN(r·RN(1/m)) is the integer nearest to r/m, which is no closer than 1/(2m) to a midpoint for odd m
/// (docs/bounds/gemm.md).
template <int W>
ASSAY_HD inline std::uint32_t residue(const ResidueTable<W>& table, int i, const std::uint32_t* w) {
#if defined(__CUDA_ARCH__)
  constexpr float magic = 0x1.8p23f;
  std::int32_t sum = table.start[i];
  ASSAY_UNROLL(W)
  for (int k = 0; k < W; ++k) {
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(w[k]), "r"(table.weight[i][k]));
  }
  const float r = __int_as_float(sum);
  const float quotient = __fadd_rn(__fmaf_rn(__fsub_rn(r, magic), table.inverse[i], magic), -magic);
  return static_cast<std::uint32_t>(__float_as_int(__fmaf_rn(-quotient, table.modulus[i], r)));
#else
  std::int32_t sum = table.start[i] - float_integer;
  for (int b = 0; b < 4 * W; ++b) {
    const auto byte = static_cast<std::int32_t>(w[b / 4] >> (8 * (b % 4)) & 0xFF);
    sum += byte * static_cast<std::int8_t>(table.weight[i][b / 4] >> (8 * (b % 4)) & 0xFF);
  }
  return static_cast<std::uint32_t>(balanced(sum, modulus(i)));
#endif
}

/// The lowest bytes of four words, in sequence.
ASSAY_HD inline std::uint32_t low_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
#else
  return (a & 0xFF) | (b & 0xFF) << 8 | (c & 0xFF) << 16 | (d & 0xFF) << 24;
#endif
}

/// x = X in two's complement, most_words + 1 words, from s_i ≡ X·P_i⁻¹ modulo m_i. s is any representative of 32 bits.
/// Requires: |X| ≤ (1 − 2⁻¹⁰)·P/2 (not checked): the quotient of Σ s_i·P_i by P comes from a sum of fractions in
/// binary64, whose error is below 2⁻⁴⁰. docs/bounds/gemm.md. count·words products of 32 bits.
ASSAY_HD constexpr void reconstruct(const Basis& of, const std::int32_t* s, std::uint32_t* x) {
  std::int64_t sum[most_words + 1] = {};
  double fraction = 0;
  for (int i = 0; i < of.count; ++i) {
    const std::int32_t r = s[i] % of.modulus[i];
    fraction += static_cast<double>(r) / static_cast<double>(of.modulus[i]);
    for (int k = 0; k < of.words; ++k) {
      sum[k] += static_cast<std::int64_t>(r) * of.cofactor[i][k];
    }
  }
  const auto quotient = static_cast<std::int64_t>(fraction + (fraction < 0 ? -0.5 : 0.5));
  std::int64_t carry = 0;
  for (int k = 0; k < most_words + 1; ++k) {
    carry += sum[k] - (k < of.words ? quotient * of.product[k] : 0);
    x[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

/// RN(α·(X + d)·2^e + β·c) for an X of most_words + 1 words in two's complement and a d ≥ 0 of as many words, or
/// X − d. Zero rule as limb::combination.
ASSAY_HD constexpr double combination(const std::uint32_t* x, const std::uint32_t* d, bool subtract, int e,
                                      double alpha, double beta, double c) {
  constexpr int count = most_words + 1;
  std::uint32_t w[count] = {};
  std::uint64_t carry = subtract ? 1 : 0;
  for (int k = 0; k < count; ++k) {
    carry += std::uint64_t{x[k]} + (subtract ? static_cast<std::uint32_t>(~d[k]) : d[k]);
    w[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  const bool minus = w[count - 1] >> 31 != 0;
  if (minus) {
    limb::negate(w, count);
  }
  return limb::combination<count>(w, count, minus, e, alpha, beta, c);
}

}  // namespace assay::crt
