#include "assay/prober/unit.hpp"

#include <algorithm>
#include <cmath>

#include <stdexcept>

#include "arith/float/small_float.hpp"

namespace assay::prober {
namespace {

/// In the order of Number; integers have no format.
constexpr std::array<std::string_view, 8> names{"f64", "f32", "f16", "bf16", "e4m3", "e5m2", "s8", "s32"};
constexpr std::array formats{oracle::binary64, oracle::binary32, oracle::binary16, oracle::bfloat16,
                             oracle::e4m3,     oracle::e5m2,     oracle::e5m2,     oracle::binary32};

/// f(a number of the format's type).
template <class F>
auto in_type(Number number, const F& f) {
  const auto is = [number](Number other) { return number == other; };
  if (is(Number::f64)) return f(double{});
  if (is(Number::f16)) return f(binary16{});
  if (is(Number::bf16)) return f(bfloat16{});
  if (is(Number::e4m3)) return f(e4m3{});
  if (is(Number::e5m2)) return f(e5m2{});
  if (is(Number::s8)) return f(std::int8_t{});
  return is(Number::s32) ? f(std::int32_t{}) : f(float{});
}

UnitSources& sources() {
  static UnitSources known;
  return known;
}

}  // namespace

void register_units(const UnitSources& found) { sources() = found; }

std::vector<Unit> instructions_of(const Executor& device) {
  return sources().instructions == nullptr ? std::vector<Unit>() : sources().instructions(device);
}

std::vector<Unit> library_products_of(const Executor& device) {
  return sources().library_products == nullptr ? std::vector<Unit>() : sources().library_products(device);
}

std::string_view name_of(Number number) { return names[static_cast<std::size_t>(number)]; }

Number number_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::invalid_argument("no format " + std::string(name));
  return static_cast<Number>(found - names.begin());
}

bool is_integer(Number number) { return number == Number::s8 || number == Number::s32; }

oracle::Format format_of(Number number) { return formats[static_cast<std::size_t>(number)]; }

std::uint64_t pattern_of(Number number, double value) {
  return in_type(number, [value](auto zero) -> std::uint64_t {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<std::make_unsigned_t<T>>(static_cast<T>(value));
    } else {
      return to_bits(T(value));
    }
  });
}

double value_of(Number number, std::uint64_t pattern) {
  return in_type(number, [pattern](auto zero) -> double {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(pattern);
    } else {
      return static_cast<double>(from_bits<T>(static_cast<BitsOf<T>>(pattern)));
    }
  });
}

Product zeros(const Unit& unit) {
  const auto n = static_cast<std::size_t>(unit.products);
  return {std::vector<double>(n), std::vector<double>(n), 0};
}

Exponents exponents_of(const Unit& unit, bool with_subnormals) {
  const oracle::Format in = format_of(unit.input);
  const oracle::Format out = format_of(unit.result);
  const int least = with_subnormals ? in.emin - in.fraction_bits() : in.emin;
  const int least_result = with_subnormals ? out.emin - out.fraction_bits() : out.emin;
  return {std::max(2 * least, least_result), std::min(2 * in.emax, out.emax - 2)};
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
