#include "errorbounds/gemv.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// k·u
RelativeBound times(std::uint64_t k, const RelativeBound& unit) {
  return {Dyadic(k) * unit.numerator, unit.denominator};
}

}  // namespace

RelativeBound mp_gemv_unit(const Dyadic& M) {
  const RelativeBound unit = mp_unit(M);
  return {unit.numerator * (Dyadic(1) + Dyadic::scaled(1, -20)), unit.denominator};
}

std::uint64_t MpGemvShape::product_roundings() const {
  const std::uint64_t lanes = std::min(threads, terms);
  const std::uint64_t serial = lanes == 0 ? 0 : (terms + lanes - 1) / lanes;
  const auto levels = static_cast<std::uint64_t>(lanes <= 1 ? 0 : std::bit_width(lanes - 1));
  return serial + levels + (scales ? 1 : 0) + (adds_start ? 1 : 0);
}

std::uint64_t MpGemvShape::start_roundings() const {
  return adds_start ? (scales_start ? 1 : 0) + (terms > 0 ? 1 : 0) : 0;
}

RelativeBound mp_gemv_published_factor(std::uint64_t inner, const RelativeBound& unit) {
  const RelativeBound linear = times(inner + 2, unit);
  if (linear.numerator >= linear.denominator) {
    throw std::domain_error("the bound of the GEMV requires (N + 2)u < 1: N = " + std::to_string(inner));
  }
  return {linear.numerator, linear.denominator - linear.numerator};
}

Bound mp_gemv_published_bound(std::uint64_t inner, const RelativeBound& unit, const MpGemvWeights& entry) {
  return mp_gemv_published_factor(inner, unit) * (entry.products + entry.start);
}

Bound mp_gemv_published_norm_bound(std::uint64_t inner, const RelativeBound& unit,
                                   std::span<const MpGemvWeights> entries) {
  Dyadic norm;
  for (const MpGemvWeights& each : entries) {
    norm += each.products;
    norm += each.start;
  }
  return mp_gemv_published_factor(inner, unit) * norm;
}

Bound mp_gemv_tree_bound(const MpGemvShape& shape, const RelativeBound& unit, const MpGemvWeights& entry) {
  const Dyadic products = Dyadic(shape.product_roundings()) * entry.products;
  const Dyadic start = Dyadic(shape.start_roundings()) * entry.start;
  return named("k·u·Σ|αax|", unit * products) + named("k₀·u·|βy|", unit * start);
}

long mp_gemv_exact_depth(long product_bits, int precision, std::uint64_t terms) {
  return product_bits + precision + static_cast<long>(std::bit_width(terms - 1)) + 2;
}

Bound mp_gemv_exact_bound(int precision, const Dyadic& truth, const Dyadic& dropped) {
  const Dyadic u = Dyadic::scaled(1, -precision);
  return named("2⁻ᴾ|y|", {u * abs(truth), 1}) + named("(1 + 2⁻ᴾ)Δ", {(Dyadic(1) + u) * dropped, 1});
}

}  // namespace assay
