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

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"

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

/// A binary32 pattern as tf32, toward zero, as the unit treats elements in binary32. NaN and ∞ as in the encoding.
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

namespace detail {

enum class Kind { finite, infinite, nan };

inline constexpr int most_drop = 63;  ///< a term has fewer bits

/// ±m·2^e with the exponent used by the step: the exponent of the leading bit of a normal number.
struct Term {
  Kind kind;
  bool minus;
  std::uint64_t m;
  int e;
  int exponent;
};

template <class T>
Term decoded(T x) {
  const bits::Significand s = is_finite(x) ? bits::significand(x) : bits::Significand{0, 0, signbit(x)};
  const Kind kind = is_finite(x) ? Kind::finite : is_nan(x) ? Kind::nan : Kind::infinite;
  return {kind, s.minus, s.m, s.e, s.e + FloatTraits<T>::precision - 1};
}

inline Term element(Input input, std::uint32_t pattern) {
  switch (input) {
    case Input::tf32:
      break;
    case Input::f16:
      return decoded(binary16::of_bits(static_cast<std::uint16_t>(pattern)));
    case Input::bf16:
      return decoded(bfloat16::of_bits(static_cast<std::uint16_t>(pattern)));
    case Input::e4m3:
      return decoded(e4m3::of_bits(static_cast<std::uint8_t>(pattern)));
    case Input::e5m2:
      return decoded(e5m2::of_bits(static_cast<std::uint8_t>(pattern)));
  }
  return decoded(from_bits<float>(tf32_truncated(pattern)));
}

inline Term product(const Term& a, const Term& b) {
  Kind kind = std::max(a.kind, b.kind);
  if (kind == Kind::infinite && ((a.kind == Kind::finite && a.m == 0) || (b.kind == Kind::finite && b.m == 0))) {
    kind = Kind::nan;
  }
  return {kind, a.minus != b.minus, a.m * b.m, a.e + b.e, a.exponent + b.exponent};
}

/// The term, which is not 0, as a multiple of 2^unit, with the bits below dropped.
inline std::int64_t aligned(const Term& term, int unit, Alignment alignment) {
  const std::uint64_t raised = term.m << std::max(term.e - unit, 0);
  const int drop = std::clamp(unit - term.e, 0, most_drop);
  std::uint64_t kept = raised >> drop;
  if (alignment == Alignment::down && term.minus && kept << drop != raised) {
    ++kept;
  }
  return term.minus ? -static_cast<std::int64_t>(kept) : static_cast<std::int64_t>(kept);
}

/// x toward zero in binary32, without the bits below `places`; an infinity from 2^128 on, +0 for any 0.
inline std::uint32_t toward_zero(double x, std::uint32_t places) {
  const auto nearest = static_cast<float>(x);
  const bool above = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  const std::uint32_t kept = (to_bits(nearest) - (above && std::fabs(x) < 0x1p128 ? 1 : 0)) & places;
  return (kept & 0x7fffffffu) == 0 ? 0 : kept;
}

inline std::uint32_t rounded(double sum, Result result) {
  switch (result) {
    case Result::f32_rz:
      break;
    case Result::f16_rn:
      return to_bits(binary16(sum));
    case Result::f32_rn:
      return to_bits(static_cast<float>(sum));
    case Result::e8m13_rz:
      return toward_zero(sum, 0xfffffc00u);
  }
  return toward_zero(sum, 0xffffffffu);
}

inline std::uint32_t infinite(bool minus, Result result) {
  const std::uint32_t magnitude = result == Result::f16_rn ? 0x7c00u : 0x7f800000u;
  return magnitude | (minus ? (result == Result::f16_rn ? 0x8000u : 0x80000000u) : 0);
}

}  // namespace detail

/// d of one step. A step with fewer than b products is filled with zeros. An infinite term gives that infinity; a NaN,
/// 0·∞ and infinities of both signs give the NaN 7fffffff (binary16: 7fff). A sum of magnitude 2^128 or more gives an
/// infinity. A sum of zero is +0, and so is one that is rounded toward zero to 0; rounding to nearest keeps the sign.
/// Requires: a and b of one size, 0 to step.terms; the parameters in the ranges of Step (not checked). 20 operations a
/// term.
inline std::uint32_t fused_step(const Step& step, Input input, std::span<const std::uint32_t> a,
                                std::span<const std::uint32_t> b, std::uint32_t c) {
  using detail::Kind;
  using detail::Term;
  Term terms[65];
  std::size_t count = 0;
  terms[count++] = step.result == Result::f16_rn ? detail::decoded(binary16::of_bits(static_cast<std::uint16_t>(c)))
                                                 : detail::decoded(from_bits<float>(c));
  for (std::size_t i = 0; i < a.size(); ++i) {
    terms[count++] = detail::product(detail::element(input, a[i]), detail::element(input, b[i]));
  }

  int largest = step.floor;
  bool nan = false;
  bool infinities[2] = {false, false};
  for (const Term& term : std::span(terms, count)) {
    nan = nan || term.kind == Kind::nan;
    infinities[term.minus ? 1 : 0] |= term.kind == Kind::infinite;
    if (term.m != 0) {
      largest = std::max(largest, term.exponent);
    }
  }
  if (nan || (infinities[0] && infinities[1])) {
    return step.result == Result::f16_rn ? 0x7fffu : 0x7fffffffu;
  }
  if (infinities[0] || infinities[1]) {
    return detail::infinite(infinities[1], step.result);
  }

  const int unit = largest - step.fraction_bits;
  std::int64_t sum = 0;
  for (const Term& term : std::span(terms, count)) {
    if (term.m != 0) {  // the exponent of a 0 may be far above the unit
      sum += detail::aligned(term, unit, step.alignment);
    }
  }
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  return detail::rounded(bits::compose(sum < 0, magnitude, unit), step.result);
}

}  // namespace assay::tensor_core
