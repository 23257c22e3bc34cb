#include "errorbounds/tensor_core.hpp"

#include <algorithm>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "oracle/residues.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

Dyadic power_of_two(long e) { return Dyadic::scaled(1, e); }

/// x, rounded up to 128 bits. Requires: x > 0.
Dyadic rounded_up(const Dyadic& x) {
  constexpr long precision = 128;
  if (x.bit_length() <= precision) return x;
  const long cut = x.exponent() + 1 - precision;
  return (oracle::floor_scaled(x, cut) + Dyadic(1)).mul_2exp(cut);
}

/// At least (1 + x)^n − 1, and exactly that for n ≤ 1. Requires: x ≥ 0.
Dyadic growth(const Dyadic& x, std::uint64_t n) {
  Dyadic power = 1;
  Dyadic square = Dyadic(1) + x;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) power = rounded_up(power * square);
    square = rounded_up(square * square);
  }
  return power - Dyadic(1);
}

/// (k − q)·2⁻ᶠ + q·2⁻ᵐ
Dyadic chain_factor(const MatrixUnit& unit, std::uint64_t k) {
  const std::uint64_t steps = (k + unit.terms - 1) / unit.terms;
  return Dyadic(k - steps) * power_of_two(-unit.fraction_bits) + Dyadic(steps) * power_of_two(-unit.result_bits);
}

Dyadic leader(const Dyadic& magnitude, const Dyadic& lifted, long least_exponent) {
  return std::max({magnitude, lifted, power_of_two(least_exponent)});
}

Bound slice_errors(const MatrixUnit& unit, std::uint64_t slices, std::uint64_t longest,
                   const MatrixProducts& products) {
  const Dyadic all = products.magnitude + Dyadic(slices) * leader(0, products.lifted, -126);
  return named("steps", {chain_factor(unit, longest) * all});
}

/// W = T + k·M
Dyadic lifted_magnitude(const MatrixProducts& products) {
  return products.magnitude + Dyadic(products.count) * products.lifted;
}

/// (1 + 2⁻¹¹)²
Dyadic tf32_growth() {
  const Dyadic once = Dyadic(1) + power_of_two(-11);
  return once * once;
}

Bound grown_chain_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  return {tf32_growth() * chain_factor(unit, products.count) * leader(lifted_magnitude(products), 0, -126)};
}

}  // namespace

Bound matrix_chain_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  return {chain_factor(unit, products.count) * leader(products.magnitude, products.lifted, -126)};
}

Bound matrix_any_unit_bound(int m, const MatrixProducts& products) {
  return matrix_chain_bound(any_matrix_unit(m), products);
}

Bound matrix_slices_bound(const MatrixUnit& unit, std::uint64_t slices, std::uint64_t longest,
                          const MatrixProducts& products) {
  const Dyadic additions = growth(unit_roundoff(24), slices == 0 ? 0 : slices - 1);
  return slice_errors(unit, slices, longest, products) + named("additions", {additions * products.magnitude});
}

Bound matrix_reduced_slices_bound(const MatrixUnit& unit, std::uint64_t slices, std::uint64_t longest,
                                  const MatrixProducts& products, const oracle::Format& format) {
  const Dyadic roundings = growth(unit_roundoff(format.precision), slices);
  const Dyadic half = smallest_subnormal(format) * power_of_two(-1);
  return slice_errors(unit, slices, longest, products) + named("additions", {roundings * products.magnitude}) +
         named("underflow", {Dyadic(slices) * (Dyadic(1) + roundings) * half});
}

Bound matrix_f16_accumulator_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  const std::uint64_t steps = (products.count + unit.terms - 1) / unit.terms;
  const Dyadic theta = Dyadic(unit.terms) * power_of_two(-unit.fraction_bits) + unit_roundoff(11);
  return {growth(theta, steps) * leader(products.magnitude, products.lifted, -14)};
}

Bound tf32_truncated_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  return matrix_chain_bound(unit, products) + Bound{power_of_two(-9) * lifted_magnitude(products)};
}

Bound tf32_rounded_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  return grown_chain_bound(unit, products) + Bound{(tf32_growth() - Dyadic(1)) * lifted_magnitude(products)};
}

Bound tf32_either_bound(const MatrixUnit& unit, const MatrixProducts& products) {
  return grown_chain_bound(unit, products) + Bound{power_of_two(-9) * lifted_magnitude(products)};
}

Bound matrix_epilogue_bound(const MatrixEpilogue& epilogue, const oracle::Format& format) {
  const Dyadic alpha = abs(epilogue.alpha);
  const Dyadic v = unit_roundoff(24);
  const Bound scaled = epilogue.accumulated * alpha;
  const Bound magnitude = Bound{alpha * abs(epilogue.sum) + abs(epilogue.start)} + scaled;
  Bound computed = scaled + magnitude * (Dyadic(2) * v + v * v) + Bound{power_of_two(-148)};
  if (format == oracle::binary32) return computed;
  const Bound stored = Bound{abs(epilogue.alpha * epilogue.sum + epilogue.start)} + computed;
  return computed + stored * unit_roundoff(format.precision) + Bound{smallest_subnormal(format) * power_of_two(-1)};
}

Bound fma_chain_bound(std::uint64_t k, const Dyadic& T) { return {growth(unit_roundoff(53), k) * leader(T, 0, -1022)}; }

}  // namespace assay
