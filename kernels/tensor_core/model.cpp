#include "kernels/tensor_core/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "arith/bits/bits.hpp"
#include "arith/float/small_float.hpp"

namespace assay::tensor_core {
namespace {

enum class Kind { finite, infinite, nan };

constexpr int most_drop = 63;  ///< a term has fewer bits

/// ±m·2^e with the exponent of the step: that of the leading bit of a normal number.
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

Term element(Input input, std::uint32_t pattern) {
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

Term product(const Term& a, const Term& b) {
  Kind kind = std::max(a.kind, b.kind);
  if (kind == Kind::infinite && ((a.kind == Kind::finite && a.m == 0) || (b.kind == Kind::finite && b.m == 0))) {
    kind = Kind::nan;
  }
  return {kind, a.minus != b.minus, a.m * b.m, a.e + b.e, a.exponent + b.exponent};
}

/// The term, which is not 0, as a multiple of 2^unit, what is below dropped.
std::int64_t aligned(const Term& term, int unit, Alignment alignment) {
  const std::uint64_t raised = term.m << std::max(term.e - unit, 0);
  const int drop = std::clamp(unit - term.e, 0, most_drop);
  std::uint64_t kept = raised >> drop;
  if (alignment == Alignment::down && term.minus && kept << drop != raised) {
    ++kept;
  }
  return term.minus ? -static_cast<std::int64_t>(kept) : static_cast<std::int64_t>(kept);
}

/// x toward zero in binary32, without the bits below `places`; an infinity from 2^128 on, +0 for any 0.
std::uint32_t toward_zero(double x, std::uint32_t places) {
  const auto nearest = static_cast<float>(x);
  const bool above = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  const std::uint32_t kept = (to_bits(nearest) - (above && std::fabs(x) < 0x1p128 ? 1 : 0)) & places;
  return (kept & 0x7fffffffu) == 0 ? 0 : kept;
}

std::uint32_t rounded(double sum, Result result) {
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

std::uint32_t infinite(bool minus, Result result) {
  const std::uint32_t magnitude = result == Result::f16_rn ? 0x7c00u : 0x7f800000u;
  return magnitude | (minus ? (result == Result::f16_rn ? 0x8000u : 0x80000000u) : 0);
}

}  // namespace

std::uint32_t fused_step(const Step& step, Input input, std::span<const std::uint32_t> a,
                         std::span<const std::uint32_t> b, std::uint32_t c) {
  Term terms[65];
  std::size_t count = 0;
  terms[count++] = step.result == Result::f16_rn ? decoded(binary16::of_bits(static_cast<std::uint16_t>(c)))
                                                 : decoded(from_bits<float>(c));
  for (std::size_t i = 0; i < a.size(); ++i) {
    terms[count++] = product(element(input, a[i]), element(input, b[i]));
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
    return infinite(infinities[1], step.result);
  }

  const int unit = largest - step.fraction_bits;
  std::int64_t sum = 0;
  for (const Term& term : std::span(terms, count)) {
    if (term.m != 0) {  // the exponent of a 0 may be far above the unit
      sum += aligned(term, unit, step.alignment);
    }
  }
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  return rounded(bits::compose(sum < 0, magnitude, unit), step.result);
}

std::uint32_t chain(const Step& step, Input input, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                    std::uint32_t c) {
  const auto terms = static_cast<std::size_t>(step.terms);
  for (std::size_t first = 0; first < a.size(); first += terms) {
    const std::size_t count = std::min(terms, a.size() - first);
    c = fused_step(step, input, a.subspan(first, count), b.subspan(first, count), c);
  }
  return c;
}

std::uint32_t sliced_chain(const Step& step, Input input, std::span<const std::uint32_t> a,
                           std::span<const std::uint32_t> b, int slice) {
  const auto length = static_cast<std::size_t>(slice);
  float sum = 0;
  for (std::size_t first = 0; first < a.size(); first += length) {
    const std::size_t count = std::min(length, a.size() - first);
    sum += from_bits<float>(chain(step, input, a.subspan(first, count), b.subspan(first, count), 0));
  }
  return to_bits(sum);
}

double fma_chain(std::span<const double> a, std::span<const double> b, double c) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    c = fma(a[i], b[i], c);
  }
  return c;
}

float epilogue(float alpha, float accumulator, float beta, float c) { return fma(alpha, accumulator, beta * c); }

}  // namespace assay::tensor_core
