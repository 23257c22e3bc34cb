#include "properties/catalog/tensor_core/reference.hpp"

#include <algorithm>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay::tensor_core {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// A number, and its exponent in a unit.
struct Operand {
  Dyadic value;
  long exponent;
};

Operand operand(const Format& format, std::uint64_t bits) {
  Dyadic value = oracle::decode_finite(format, bits);
  const long exponent = value.is_zero() ? format.emin : std::max<long>(value.exponent(), format.emin);
  return {std::move(value), exponent};
}

Operand element(Input input, std::uint32_t bits) {
  return operand(format_of_input(input), input == Input::tf32 ? bits >> 13 : bits);
}

/// |x|⁺
Dyadic lifted(const Operand& x) { return std::max(abs(x.value), Dyadic::scaled(1, x.exponent)); }

/// x as a multiple of 2^unit: the subnormal numbers of a format of 53 bits. Requires: |x| < 2^(unit + 52).
Dyadic aligned(const Dyadic& x, long unit, Alignment alignment) {
  const int emin = static_cast<int>(unit) + 52;
  const Format multiples{53, emin, emin + 1};
  const auto direction = alignment == Alignment::down ? oracle::Rounding::down : oracle::Rounding::zero;
  return oracle::decode_finite(multiples, oracle::round(x, multiples, direction));
}

/// A sum that is rounded toward zero to 0 is +0.
std::uint32_t toward_zero(const Dyadic& sum, const Format& format) {
  const auto bits = static_cast<std::uint32_t>(oracle::round(sum, format, oracle::Rounding::zero));
  return oracle::decode_finite(format, bits).is_zero() ? 0 : bits;
}

std::uint32_t rounded(const Dyadic& sum, Result result) {
  switch (result) {
    case Result::f16_rn:
      return static_cast<std::uint32_t>(oracle::round(sum, oracle::binary16, oracle::Rounding::nearest));
    case Result::f32_rn:
      return static_cast<std::uint32_t>(oracle::round(sum, oracle::binary32, oracle::Rounding::nearest));
    case Result::e8m13_rz:
      return toward_zero(sum, e8m13) << 10;
    case Result::f32_rz:
      break;
  }
  return toward_zero(sum, oracle::binary32);
}

std::uint32_t exact_step(const Step& step, const ProductBits& products, std::uint32_t c) {
  std::vector<Operand> terms{operand(step.result == Result::f16_rn ? oracle::binary16 : oracle::binary32, c)};
  for (std::size_t i = 0; i < products.a.size(); ++i) {
    const Operand a = element(products.input, products.a[i]);
    const Operand b = element(products.input, products.b[i]);
    terms.push_back({a.value * b.value, a.exponent + b.exponent});
  }
  long largest = step.floor;
  for (const Operand& each : terms) {
    if (!each.value.is_zero()) largest = std::max(largest, each.exponent);
  }
  Dyadic sum;
  for (const Operand& each : terms) sum += aligned(each.value, largest - step.fraction_bits, step.alignment);
  return rounded(sum, step.result);
}

}  // namespace

Format format_of_input(Input input) {
  switch (input) {
    case Input::f16:
      return oracle::binary16;
    case Input::bf16:
      return oracle::bfloat16;
    case Input::e4m3:
      return oracle::e4m3;
    case Input::e5m2:
      return oracle::e5m2;
    case Input::tf32:
      break;
  }
  return tf32;
}

std::uint32_t exact_chain(const Step& step, const ProductBits& products, std::uint32_t c) {
  const auto terms = static_cast<std::size_t>(step.terms);
  for (std::size_t first = 0; first < products.a.size(); first += terms) {
    c = exact_step(step, products.part(first, std::min(terms, products.a.size() - first)), c);
  }
  return c;
}

std::uint32_t exact_sliced_chain(const Step& step, const ProductBits& products, std::size_t slice) {
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first < products.a.size(); first += slice) {
    const std::uint32_t part = exact_chain(step, products.part(first, std::min(slice, products.a.size() - first)), 0);
    const bool minus_zeros = oracle::is_negative(oracle::binary32, sum) && oracle::is_negative(oracle::binary32, part);
    sum = oracle::round(oracle::decode_finite(oracle::binary32, sum) + oracle::decode_finite(oracle::binary32, part),
                        oracle::binary32, oracle::Rounding::nearest, {.negative_zero = minus_zeros});
  }
  return static_cast<std::uint32_t>(sum);
}

ExactProducts exact_products(const Format& format, std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                             const Dyadic& c) {
  ExactProducts all{c, {a.size(), abs(c), 0}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Operand x = operand(format, a[i]);
    const Operand y = operand(format, b[i]);
    const Dyadic product = x.value * y.value;
    if (product.is_zero()) continue;
    all.sum += product;
    all.products.magnitude += abs(product);
    const Dyadic least = Dyadic::scaled(1, format.emin);
    if (abs(x.value) < least || abs(y.value) < least) {
      all.products.lifted = std::max(all.products.lifted, lifted(x) * lifted(y));
    }
  }
  return all;
}

}  // namespace assay::tensor_core
