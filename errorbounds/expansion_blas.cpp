#include "errorbounds/expansion_blas.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

/// c·(2u)^l
Dyadic at_level(std::int64_t c, int l, int p) { return Dyadic::scaled(c, static_cast<long>(l) * (1 - p)); }

RelativeBound constant(Dyadic value) { return {std::move(value), 1}; }

Bound scaled(const Bound& bound, const Dyadic& factor) { return {factor * bound.numerator, bound.denominator}; }

}  // namespace

Dyadic expansion_weight(std::span<const Dyadic> words, int p) {
  Dyadic weight;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Dyadic scaled = words[i];
    scaled.mul_2exp(static_cast<long>(i) * (p - 1));
    if (compare_abs(scaled, weight) > 0) weight = abs(std::move(scaled));
  }
  return weight;
}

std::uint64_t ExpansionSumShape::height(int level) const {
  const std::uint64_t per_lane = (n + lanes - 1) / lanes;
  const auto l = static_cast<std::uint64_t>(level);
  const std::uint64_t filled = std::min(n, lanes);
  const auto combinations = static_cast<std::uint64_t>(std::bit_width(filled == 0 ? filled : filled - 1));
  return (per_lane > 1 ? per_lane - 1 : 0) + l * (l + 2) + 2 * combinations;
}

ExpansionSumFactors expansion_sum_factors(const ExpansionSumShape& shape, int p) {
  const int K = shape.words;
  if (K < 2) {
    throw std::domain_error("the bound of a sum of products of expansions requires K >= 2: K = " + std::to_string(K));
  }
  const Dyadic u = unit_roundoff(p);
  const Dyadic half = Dyadic::scaled(1, -1);
  // The sums of the magnitudes of the terms of a level: terms·W + tiny·nη.
  RelativeBound terms{Dyadic(1) + u, 1};
  RelativeBound tiny{half, 1};
  for (int l = 1; l < K; ++l) {
    const RelativeBound errors = gamma(shape.height(l - 1), p);
    terms = constant(at_level(l + 1, l, p) * (Dyadic(1) + u) + at_level(l, l, p) * half) + errors * terms;
    tiny = constant(Dyadic(l + 1) * half + Dyadic(l)) + errors * tiny;
  }
  const RelativeBound last = gamma(shape.height(K - 1), p);
  Dyadic dropped;
  for (int l = K; l <= 2 * K - 2; ++l) {
    dropped += at_level(2 * K - 1 - l, l, p);
  }
  return {last * terms + constant(dropped),
          last * tiny + constant(Dyadic::scaled(static_cast<std::int64_t>(K) * (K + 1), -2))};
}

Bound expansion_sum_bound(const ExpansionSumFactors& factors, std::uint64_t n, const Dyadic& weight,
                          const Format& format) {
  return factors.relative * weight + factors.underflow * (Dyadic(n) * smallest_subnormal(format));
}

ExpansionBlasBound::ExpansionBlasBound(const ExpansionSumShape& shape, const Format& format)
    : shape_(shape),
      format_(format),
      sum_(expansion_sum_factors(shape, format.precision)),
      one_product_(expansion_sum_factors({shape.words, 1}, format.precision)),
      two_products_(expansion_sum_factors({shape.words, 2}, format.precision)) {}

Bound ExpansionBlasBound::of(const ExpansionBlasEntry& entry) const {
  if (!entry.adds_product && !entry.adds_start) return {0, 1};
  Bound error{0, 1};
  Bound weight{0, 1};
  if (entry.adds_product) {
    const Bound of_sum = expansion_sum_bound(sum_, shape_.n, entry.weight, format_);
    if (entry.alpha_is_one && !entry.adds_start) return of_sum;
    error = scaled(of_sum, entry.alpha);
    const Dyadic beta = Dyadic(2) * unit_roundoff(format_.precision);
    const Dyadic rest = Dyadic(1) - beta;
    const Bound leading = Bound{entry.weight, rest * rest} + of_sum;
    weight = scaled({rest * leading.numerator, (rest - beta) * leading.denominator}, entry.alpha_weight);
  }
  if (entry.adds_start) weight = weight + Bound{entry.start_weight, 1};
  const bool both = entry.adds_product && entry.adds_start;
  const ExpansionSumFactors& last = both ? two_products_ : one_product_;
  return error + Bound{last.relative.numerator * weight.numerator, last.relative.denominator * weight.denominator} +
         last.underflow * (Dyadic(both ? 2 : 1) * smallest_subnormal(format_));
}

}  // namespace assay
