#pragma once
// Bounds on matrix products by matrix units ("tensor cores"): d = c + Σ aᵢbᵢ with k products, in steps that align their
// terms, add them exactly and round once. Derived in docs/bounds/tensor_core.md.

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// A unit that truncates: `terms`: b products of each step; `fraction_bits`: F, which the alignment keeps;
/// `result_bits`: m fraction bits of a result (23: binary32, 13: e8m13). Requires: b ≥ 1, F ≥ m (not checked).
struct MatrixUnit {
  std::uint64_t terms;
  int fraction_bits;
  int result_bits;
};

/// Bounds that hold for every unit with F ≥ m and every b. m = 23: all NVIDIA units from Volta to Blackwell with
/// results in binary32, except fp8 on Ada and in Hopper's wgmma; m = 13: these two.
constexpr MatrixUnit any_matrix_unit(int m) { return {1, m, m}; }

/// The products of one entry. |x|⁺ = max(|x|, 2^emin) for x ≠ 0 with the least exponent emin of its format, and 0 for
/// 0.
struct MatrixProducts {
  std::uint64_t count;       ///< k
  oracle::Dyadic magnitude;  ///< T = |c| + Σ|aᵢbᵢ|
  /// M, the largest |aᵢ|⁺|bᵢ|⁺ of the products other than 0 with a subnormal factor; 0 without one. max(T, M) is T⁺.
  oracle::Dyadic lifted = 0;
};

/// One chain of steps with the k products in any order: ((k − q)·2⁻ᶠ + q·2⁻ᵐ)·max(T, M, 2⁻¹²⁶), q = ⌈k/b⌉.
Bound matrix_chain_bound(const MatrixUnit& unit, const MatrixProducts& products);

/// The same for every unit with F ≥ m: k·2⁻ᵐ·max(T, M, 2⁻¹²⁶).
Bound matrix_any_unit_bound(int m, const MatrixProducts& products);

/// `slices` chains of at most `longest` products from c = 0, their results added in binary32 to nearest in any order:
/// θ·(T + s·max(M, 2⁻¹²⁶)) + ((1 + 2⁻²⁴)^(s − 1) − 1)·T, θ the factor of matrix_chain_bound() for `longest` products.
Bound matrix_slices_bound(const MatrixUnit& unit, std::uint64_t slices, std::uint64_t longest,
                          const MatrixProducts& products);

/// The same with results rounded to the format and added there: θ·(T + s·max(M, 2⁻¹²⁶)) + ((1 + u)^s − 1)·T +
/// s·(1 + u)^s·η/2.
Bound matrix_reduced_slices_bound(const MatrixUnit& unit, std::uint64_t slices, std::uint64_t longest,
                                  const MatrixProducts& products, const oracle::Format& format);

/// One chain of steps with results in binary16 to nearest: ((1 + θ)^q − 1)·max(T, M, 2⁻¹⁴), θ = b·2⁻ᶠ + 2⁻¹¹. The
/// unit's `result_bits` is not used.
Bound matrix_f16_accumulator_bound(const MatrixUnit& unit, const MatrixProducts& products);

/// Elements in binary32 that the unit takes as tf32, W = T + k·M, θ the factor of matrix_chain_bound(): truncated,
/// θ·max(T, M, 2⁻¹²⁶) + 2⁻⁹·W; rounded to nearest, (1 + 2⁻¹¹)²·θ·max(W, 2⁻¹²⁶) + ((1 + 2⁻¹¹)² − 1)·W; either,
/// (1 + 2⁻¹¹)²·θ·max(W, 2⁻¹²⁶) + 2⁻⁹·W.
Bound tf32_truncated_bound(const MatrixUnit& unit, const MatrixProducts& products);
Bound tf32_rounded_bound(const MatrixUnit& unit, const MatrixProducts& products);
Bound tf32_either_bound(const MatrixUnit& unit, const MatrixProducts& products);

/// α·s + β·c computed in binary32 from an accumulator within `accumulated` of s, with at most two roundings of each
/// summand, then rounded to `format`: X + u·(|αs + βc| + X) + η/2, X = |α|B + (2v + v²)·(|α|(|s| + B) + |βc|) + 2⁻¹⁴⁸,
/// v = 2⁻²⁴, u and η those of the format; X if the format is binary32.
struct MatrixEpilogue {
  oracle::Dyadic alpha;     ///< α
  oracle::Dyadic sum;       ///< s
  oracle::Dyadic start;     ///< β·c
  Bound accumulated = {0};  ///< B
};
Bound matrix_epilogue_bound(const MatrixEpilogue& epilogue, const oracle::Format& format);

/// k fused multiplications and additions in binary64, in any order: ((1 + 2⁻⁵³)^k − 1)·max(T, 2⁻¹⁰²²).
Bound fma_chain_bound(std::uint64_t k, const oracle::Dyadic& T);

/// The largest k for which Σ aᵢbᵢ of k products between `least` and `largest` is a 32-bit integer in two's complement:
/// 131071 for s8·s8, 65793 for u8·s8, 33025 for u8·u8. Requires: least < 0 or largest > 0 (not checked).
constexpr std::uint64_t exact_integer_products(std::int64_t least, std::int64_t largest) {
  constexpr std::int64_t all = std::int64_t{1} << 31;
  const std::int64_t above = largest > 0 ? (all - 1) / largest : all;
  const std::int64_t below = least < 0 ? all / -least : all;
  return static_cast<std::uint64_t>(above < below ? above : below);
}

}  // namespace assay
