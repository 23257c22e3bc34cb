#include "assay/prober/unit.hpp"

#include <algorithm>
#include <cmath>

#include <stdexcept>

#include "arith/float/small_float.hpp"
#include "kernels/tensor_core/device_units.hpp"

namespace assay::prober {
namespace {

void append(std::vector<std::uint64_t>& patterns, Number format, const std::vector<double>& values) {
  for (const double each : values) patterns.push_back(pattern_of(format, each));
}

std::vector<Unit> as_units(const std::vector<tensor_core::DeviceUnit>& found) {
  std::vector<Unit> units;
  for (const tensor_core::DeviceUnit& each : found) {
    const Number input = number_named(each.input);
    const Number result = number_named(each.result);
    units.push_back({each.name, input, result, each.products, each.has_c,
                     [input, result, compute = each.compute](std::span<const Product> asked) {
                       std::vector<std::uint64_t> a;
                       std::vector<std::uint64_t> b;
                       std::vector<std::uint64_t> c;
                       for (const Product& product : asked) {
                         append(a, input, product.a);
                         append(b, input, product.b);
                         append(c, result, {product.c});
                       }
                       return compute(a, b, c);
                     },
                     each.rows});
  }
  return units;
}

}  // namespace

std::vector<Unit> instructions_of(const Executor& device) { return as_units(tensor_core::instructions(device)); }

std::vector<Unit> library_products_of(const Executor& device) {
  return as_units(tensor_core::library_products(device));
}

Number number_named(std::string_view name) {
  for (const Number each :
       {Number::f64, Number::f32, Number::f16, Number::bf16, Number::e4m3, Number::e5m2, Number::s8, Number::s32}) {
    if (name_of(each) == name) return each;
  }
  throw std::invalid_argument("no format " + std::string(name));
}

std::string_view name_of(Number number) {
  switch (number) {
    case Number::f64:
      return "f64";
    case Number::f32:
      return "f32";
    case Number::f16:
      return "f16";
    case Number::bf16:
      return "bf16";
    case Number::e4m3:
      return "e4m3";
    case Number::e5m2:
      return "e5m2";
    case Number::s8:
      return "s8";
    case Number::s32:
      break;
  }
  return "s32";
}

bool is_integer(Number number) { return number == Number::s8 || number == Number::s32; }

oracle::Format format_of(Number number) {
  switch (number) {
    case Number::f64:
      return oracle::binary64;
    case Number::f16:
      return oracle::binary16;
    case Number::bf16:
      return oracle::bfloat16;
    case Number::e4m3:
      return oracle::e4m3;
    case Number::e5m2:
      return oracle::e5m2;
    default:
      return oracle::binary32;
  }
}

std::uint64_t pattern_of(Number number, double value) {
  switch (number) {
    case Number::f64:
      return to_bits(value);
    case Number::f32:
      return to_bits(static_cast<float>(value));
    case Number::f16:
      return to_bits(binary16(value));
    case Number::bf16:
      return to_bits(bfloat16(value));
    case Number::e4m3:
      return to_bits(e4m3(value));
    case Number::e5m2:
      return to_bits(e5m2(value));
    case Number::s8:
      return static_cast<std::uint8_t>(static_cast<std::int8_t>(value));
    case Number::s32:
      break;
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

double value_of(Number number, std::uint64_t pattern) {
  switch (number) {
    case Number::f64:
      return from_bits<double>(pattern);
    case Number::f32:
      return static_cast<double>(from_bits<float>(static_cast<std::uint32_t>(pattern)));
    case Number::f16:
      return static_cast<double>(binary16::of_bits(static_cast<std::uint16_t>(pattern)));
    case Number::bf16:
      return static_cast<double>(bfloat16::of_bits(static_cast<std::uint16_t>(pattern)));
    case Number::e4m3:
      return static_cast<double>(e4m3::of_bits(static_cast<std::uint8_t>(pattern)));
    case Number::e5m2:
      return static_cast<double>(e5m2::of_bits(static_cast<std::uint8_t>(pattern)));
    case Number::s8:
      return static_cast<std::int8_t>(pattern);
    case Number::s32:
      break;
  }
  return static_cast<std::int32_t>(pattern);
}

Product zeros(const Unit& unit) {
  const auto n = static_cast<std::size_t>(unit.products);
  return {std::vector<double>(n), std::vector<double>(n), 0};
}

Exponents exponents_of(const Unit& unit, bool with_subnormals) {
  const oracle::Format in = format_of(unit.input);
  const oracle::Format out = format_of(unit.result);
  const int least = with_subnormals ? in.emin - in.fraction_bits() : in.emin;
  return {std::max(2 * least, out.emin), std::min(2 * in.emax, out.emax - 2)};
}

void put(Product& into, const Unit& unit, int place, double s, int exponent, double t) {
  if (place == unit.products) {
    into.c = std::ldexp(s * t, exponent);
    return;
  }
  const auto at = static_cast<std::size_t>(place);
  const int half = exponent / 2;
  into.a[at] = std::ldexp(s, exponent - half);
  into.b[at] = std::ldexp(t, half);
}

}  // namespace assay::prober
