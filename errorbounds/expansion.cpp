#include "errorbounds/expansion.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

void require(bool met, const char* what, const char* condition, int R, int p) {
  if (!met) {
    throw std::domain_error(std::string("the bound of ") + what + " requires " + condition +
                            ": R = " + std::to_string(R) + ", p = " + std::to_string(p));
  }
}

/// u^R.
Dyadic power(int R, int p) { return Dyadic::scaled(1, -static_cast<long>(R) * p); }

Dyadic power(const Dyadic& base, int exponent) {
  Dyadic result = 1;
  for (int i = 0; i < exponent; ++i) {
    result *= base;
  }
  return result;
}

Dyadic factorial(int n) {
  Dyadic result = 1;
  for (int i = 2; i <= n; ++i) {
    result *= i;
  }
  return result;
}

/// 1 − k·u.
Dyadic one_minus(int k, int p) { return Dyadic(1) - Dyadic(k) * unit_roundoff(p); }

/// c·u^R with c for R = 1, 2, and 3 beyond.
RelativeBound newton(int R, int p, int c1, int c2, const char* what) {
  require(R >= 1 && R <= 16 && p >= 24 && 2 * R + 6 <= p, what, "1 <= R <= 16, p >= 24 and 2R + 6 <= p", R, p);
  return {Dyadic(R == 1 ? c1 : R == 2 ? c2 : 3) * power(R, p), 1};
}

/// m·2^(−(p−4)R−2)/(1 − 2^(−p+1)).
RelativeBound campary_newton(int m, int R, int p, const char* what) {
  require(R >= 1 && p >= 5, what, "R >= 1 and p >= 5", R, p);
  return {Dyadic::scaled(m, -static_cast<long>(p - 4) * R - 2), one_minus(2, p)};
}

/// c·(2u)^l
Dyadic at_level(std::int64_t c, int l, int p) { return Dyadic::scaled(c, static_cast<long>(l) * (1 - p)); }

RelativeBound constant(Dyadic value) { return {std::move(value), 1}; }

}  // namespace

RelativeBound renormalization_bound(int m, int p) {
  require(m >= 1 && p >= 5, "renormalization", "m >= 1 and p >= 5", m, p);
  const Dyadic u = unit_roundoff(p);
  if (m == 1) return {Dyadic(4) * u, one_minus(4, p)};
  const Dyadic kept = power(m, p) * power(Dyadic(1) + Dyadic(10) * u, m - 1);
  return {kept + power(Dyadic(4) * u, m + 1), one_minus(4, p)};
}

RelativeBound published_certified_add_bound(int R, int p) {
  require(R >= 1 && p >= 3, "the published bound of the certified sum", "R >= 1 and p >= 3", R, p);
  return {Dyadic::scaled(9, -static_cast<long>(p - 1) * R), 2};
}

Bound quick_add_bound(int R, int p, const Dyadic& leading) {
  require(R >= 1 && R <= 16 && p >= 11, "the quick sum", "1 <= R <= 16 and p >= 11", R, p);
  return {Dyadic(8) * factorial(R) * power(R, p) * leading, 1};
}

RelativeBound certified_mul_bound(int R, int p) {
  require(R >= 1 && R <= 16 && p >= 24, "the certified product", "1 <= R <= 16 and p >= 24", R, p);
  if (R == 1) return {Dyadic(3) * unit_roundoff(p), 2};
  const RelativeBound rounded = renormalization_bound(R, p);
  const Dyadic formed = Dyadic::scaled(17, -6) + Dyadic::scaled(3 * R + 6, R - p);
  const RelativeBound dropped{formed * power(R, p), one_minus(5, p)};
  return rounded + dropped + rounded * dropped;
}

RelativeBound published_certified_mul_bound(int R, int p) {
  require(R >= 1 && p >= 24, "the certified product", "R >= 1 and p >= 24", R, p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 1) * R) * (Dyadic(1) + Dyadic::scaled(R + 1, -p)), 1};
}

RelativeBound truncated_mul_bound(int R, int p) {
  require(R >= 1 && R <= 16 && p >= 24, "the truncated product", "1 <= R <= 16 and p >= 24", R, p);
  return {Dyadic(18) * factorial(R) * factorial(R - 1) * power(R, p), 1};
}

Bound quick_add_levels_bound(int p, const Dyadic& last_sums) { return {unit_roundoff(p) * last_sums, 1}; }

Bound truncated_mul_levels_bound(int R, int p, const Dyadic& last_sums, const Dyadic& dropped, const Dyadic& leading) {
  require(R >= 2, "the levels of a product", "R >= 2", R, p);
  return {unit_roundoff(p) * last_sums + dropped + Dyadic::scaled(1, -static_cast<long>(R) * p - 6) * leading, 1};
}

Bound quick_mul_levels_bound(int R, int p, const Dyadic& last_sums, const Dyadic& dropped, const Dyadic& leading,
                             const Dyadic& out_of_order) {
  require(R >= 2 && p >= 16, "the quick product", "R >= 2 and p >= 16", R, p);
  return truncated_mul_levels_bound(R, p, last_sums, dropped, leading) +
         Bound{Dyadic(101) * unit_roundoff(p) * out_of_order, 100};
}

RelativeBound published_truncated_mul_bound(int R, int K, int L, int p) {
  require(R >= 1 && K + L >= R + 2 && p >= 24, "the truncated product", "R >= 1, K + L >= R + 2 and p >= 24", R, p);
  const Dyadic terms = Dyadic(1) + Dyadic::scaled(R + 1, -p) + Dyadic::scaled(K + L - R - 2, 2 - p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 1) * R) * terms, 1};
}

RelativeBound binned_mul_bound(int K, int L, int R, int p) {
  const auto diagonal = [&](int l) { return std::max(0, std::min(l, K - 1) - std::max(0, l - L + 1) + 1); };
  int products = 0;
  for (int l = 0; l <= R; ++l) products += diagonal(l);
  require(R >= 2 && p >= 24 && products <= 12, "the binned product", "R >= 2, p >= 24 and 12 products", R, p);
  Dyadic formed = at_level(diagonal(R), R, p) * unit_roundoff(p) + Dyadic::scaled(1, 23 - static_cast<long>(R + 2) * p);
  for (int l = R + 1; l <= K + L - 2; ++l) formed += at_level(diagonal(l), l, p);
  const RelativeBound rounded = renormalization_bound(R, p);
  const RelativeBound dropped{std::move(formed), one_minus(5, p)};
  return rounded + dropped + rounded * dropped;
}

RelativeBound reciprocal_bound(int R, int p) { return newton(R, p, 4, 14, "the reciprocal"); }
RelativeBound expansion_div_bound(int R, int p) { return newton(R, p, 6, 19, "the quotient"); }
RelativeBound rsqrt_bound(int R, int p) { return newton(R, p, 4, 19, "the reciprocal square root"); }
RelativeBound expansion_sqrt_bound(int R, int p) { return newton(R, p, 3, 28, "the square root"); }

RelativeBound published_newton_bound(int R, int p) {
  require(R >= 1 && p >= 5, "the reciprocal", "R >= 1 and p >= 5", R, p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 3) * R - 1), 1};
}
RelativeBound published_reciprocal_bound(int R, int p) { return campary_newton(1, R, p, "the reciprocal"); }
RelativeBound published_rsqrt_bound(int R, int p) { return campary_newton(2, R, p, "the reciprocal square root"); }
RelativeBound published_sqrt_bound(int R, int p) { return campary_newton(3, R, p, "the square root"); }

RelativeBound measured_renormalization_bound(int n, int m, int p) {
  const Dyadic factor = m == n ? Dyadic() : Dyadic(m == 1 ? 12 : 5);
  return {factor * Dyadic::scaled(1, -p * m), 4};
}

RelativeBound measured_certified_add_bound(int R, int p) { return {Dyadic::scaled(5, -p * R), 4}; }

RelativeBound expansion_integer_bound(int k, int p) { return {Dyadic::scaled(1, 1 - k * p), 1}; }

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
  return named("e·W", factors.relative * weight) +
         named("κ·nη", factors.underflow * (Dyadic(n) * smallest_subnormal(format)));
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
    Bound of_sum = expansion_sum_bound(sum_, shape_.n, entry.weight, format_);
    if (entry.alpha_is_one && !entry.adds_start) return of_sum;
    error = of_sum * entry.alpha;
    const Dyadic beta = Dyadic(2) * unit_roundoff(format_.precision);
    const Dyadic rest = Dyadic(1) - beta;
    const Bound leading = Bound{entry.weight, rest * rest} + of_sum;
    weight = Bound{rest * leading.numerator, (rest - beta) * leading.denominator} * entry.alpha_weight;
  }
  if (entry.adds_start) weight = weight + Bound{entry.start_weight, 1};
  const bool both = entry.adds_product && entry.adds_start;
  const ExpansionSumFactors& last = both ? two_products_ : one_product_;
  const Bound of_last{last.relative.numerator * weight.numerator, last.relative.denominator * weight.denominator};
  return error + named("e·W", of_last) +
         named("κ·nη", last.underflow * (Dyadic(both ? 2 : 1) * smallest_subnormal(format_)));
}

ExpansionBlasBound expansion_blas_bound(const ExpansionSumShape& shape, const Format& format) {
  return {shape, format};
}

}  // namespace assay
