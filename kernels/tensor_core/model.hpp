#pragma once
// The arithmetic of the matrix instructions of GPUs ("tensor cores") as integer arithmetic on the host.
//
// An instruction computes d = c + Σ aᵢbᵢ in steps of a few products. A step is described by a `Step`; a chain of steps
// hands d to the next step as c. The models and their parameters: Khattak, Mikaitis, "Accurate Models of NVIDIA Tensor
// Cores", arXiv 2512.07004; Xie et al., "MMA-Sim", arXiv 2511.10909. The bounds on the error:
// docs/bounds/tensor_core.md.
//
// Numbers are bit patterns in the low bits of a word of 32 bits. The element aᵢ is multiplied by the element bᵢ; both
// are in one format.

#include <cstdint>
#include <span>

#include "arith/bits/traits.hpp"

namespace assay::tensor_core {

/// The formats of the elements. tf32 is binary32 with 10 of the 23 fraction bits: the unit ignores the 13 lowest bits.
enum class Input { f16, bf16, tf32, e4m3, e5m2 };

/// The direction in which the alignment drops bits: toward zero (two's complement after the shift) or down.
enum class Alignment { toward_zero, down };

/// The format of c and d and the rounding of the sum: binary32 toward zero, binary32 toward zero with 13 fraction bits,
/// binary32 to nearest, binary16 to nearest.
enum class Result { f32_rz, e8m13_rz, f32_rn, f16_rn };

/// One step d = round(c + Σ aᵢbᵢ), i < b. An element or c that is m·2^(e − p + 1) in a format of precision p has the
/// exponent e; subnormal numbers have the least exponent of the format. The exponent of a product is the sum of the
/// exponents of its factors: its significand in [0, 4) is not normalized. E is the largest exponent among c, the
/// products that are not zero, and `floor`. The alignment drops from c and from each product all bits below 2^(E − F).
/// The sum is exact; it is rounded once.
struct Step {
  int terms;          ///< b: the products of a step, 1 to 64
  int fraction_bits;  ///< F: the fraction bits that the alignment keeps, 1 to 40
  Result result = Result::f32_rz;
  Alignment alignment = Alignment::toward_zero;
  int floor = -126;  ///< the least E, −200 to 0
};

/// The same unit with accumulators in binary16.
constexpr Step with_f16_accumulator(Step step) {
  step.result = Result::f16_rn;
  return step;
}

// The units, by architecture and input format, with accumulators in binary32. f16 stands for bf16, too, and fp8 for
// e4m3 and e5m2.
inline constexpr Step volta_f16{.terms = 4, .fraction_bits = 23};
inline constexpr Step turing_f16{.terms = 8, .fraction_bits = 24};
inline constexpr Step ampere_f16{.terms = 8, .fraction_bits = 24};
inline constexpr Step ampere_tf32{.terms = 4, .fraction_bits = 24};
inline constexpr Step ada_fp8{.terms = 16, .fraction_bits = 13, .result = Result::e8m13_rz};
inline constexpr Step hopper_f16{.terms = 16, .fraction_bits = 25, .floor = -133};
inline constexpr Step hopper_tf32{.terms = 8, .fraction_bits = 25, .floor = -133};
inline constexpr Step hopper_fp8_wgmma{.terms = 32, .fraction_bits = 13, .result = Result::e8m13_rz};
// mma.sync of fp8 takes two of these steps, of the products 0 1 4 5 … 28 29 and 2 3 6 7 … 30 31, and adds c last.
inline constexpr Step hopper_fp8_mma{.terms = 16, .fraction_bits = 25, .floor = -133};
inline constexpr Step blackwell_f16{.terms = 16, .fraction_bits = 25};
inline constexpr Step blackwell_tf32{.terms = 8, .fraction_bits = 25};
inline constexpr Step blackwell_fp8{.terms = 32, .fraction_bits = 25};

/// d of one step. A step with fewer than b products is filled with zeros. An infinite term gives that infinity; a NaN,
/// 0·∞ and infinities of both signs give the NaN 7fffffff (binary16: 7fff). A sum of magnitude 2^128 or more gives an
/// infinity. A sum of zero is +0, and so is one that is rounded toward zero to 0; rounding to nearest keeps the sign.
/// Requires: a and b of one size, 0 to step.terms; the parameters in the ranges of Step (not checked). 20 operations a
/// term.
std::uint32_t fused_step(const Step& step, Input input, std::span<const std::uint32_t> a,
                         std::span<const std::uint32_t> b, std::uint32_t c);

/// d of ⌈k/b⌉ steps over the k products in their order, each with b of them, the last with the rest.
/// Requires: a and b of one size (not checked).
std::uint32_t chain(const Step& step, Input input, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                    std::uint32_t c);

/// The products in slices of `slice`, the last with the rest; each slice is a chain from c = +0. The results are added
/// in their order in binary32 to nearest. With slice = ⌈k/s⌉ this is split-K with s slices; with slice = 128 the
/// promotion of FP8 sums every 128 products. No products give +0.
/// Requires: a and b of one size, slice ≥ 1, a step with a result in binary32 (not checked).
std::uint32_t sliced_chain(const Step& step, Input input, std::span<const std::uint32_t> a,
                           std::span<const std::uint32_t> b, int slice);

/// d = fma(a_{k−1}, b_{k−1}, … fma(a₀, b₀, c)) in binary64 to nearest: the instructions for binary64.
/// Requires: a and b of one size (not checked).
double fma_chain(std::span<const double> a, std::span<const double> b, double c);

/// c + Σ aᵢbᵢ modulo 2³², as a number in two's complement: the instructions for 8-bit integers without saturation. A
/// and B are std::int8_t or std::uint8_t. Requires: a and b of one size (not checked).
template <class A, class B>
constexpr std::int32_t integer_chain(std::span<const A> a, std::span<const B> b, std::int32_t c) {
  static_assert(sizeof(A) == 1 && sizeof(B) == 1, "the elements have 8 bits");
  auto sum = static_cast<std::uint32_t>(c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<std::uint32_t>(static_cast<int>(a[i]) * static_cast<int>(b[i]));
  }
  return static_cast<std::int32_t>(sum);
}

/// A binary32 pattern as tf32, toward zero: what the unit does with elements in binary32. NaN and ∞ as the bits say.
constexpr std::uint32_t tf32_truncated(std::uint32_t binary32) { return binary32 & 0xffffe000u; }

/// A binary32 pattern as tf32, to nearest with ties away from zero (`cvt.rna.tf32.f32`). ∞ stays; a NaN becomes
/// 7fffe000; above the largest finite number of tf32 by half a unit or more the result is infinite.
constexpr std::uint32_t tf32_rounded(std::uint32_t binary32) {
  constexpr std::uint32_t infinity = 0x7f800000u;
  const std::uint32_t magnitude = binary32 & 0x7fffffffu;
  if (magnitude > infinity) {
    return 0x7fffe000u;
  }
  return magnitude == infinity ? binary32 : (binary32 + 0x1000u) & 0xffffe000u;
}

/// RN(α·accumulator + RN(β·c)) in binary32, with one rounding of the product α·accumulator and the sum: the end of a
/// matrix product in a library.
float epilogue(float alpha, float accumulator, float beta, float c);

}  // namespace assay::tensor_core
