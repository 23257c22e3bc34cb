#include "errorbounds/sum.hpp"

#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;
using oracle::Format;

namespace {

std::uint64_t minus_one(std::uint64_t n) { return n == 0 ? 0 : n - 1; }

/// Throws unless factor·n·u ≤ 1.
void require_at_most_one(std::uint64_t factor, std::uint64_t n, int p, const char* what) {
  if (Dyadic(factor) * Dyadic(n) > Dyadic::scaled(1, p)) {
    throw std::domain_error(std::string(what) + " requires " + std::to_string(factor) +
                            "·n·u <= 1: n = " + std::to_string(n) + ", u = 2^-" + std::to_string(p));
  }
}

RelativeBound power(const RelativeBound& base, int exponent) {
  RelativeBound result = base;
  for (int i = 1; i < exponent; ++i) {
    result = result * base;
  }
  return result;
}

/// (1 + 5γ)·nη/2: of a compensated dot product.
Bound underflow_term(const RelativeBound& growth, std::uint64_t n, const Format& format) {
  const RelativeBound factor = RelativeBound{1, 1} + growth * RelativeBound{5, 1};
  Bound term = factor * (Dyadic(n) * smallest_subnormal(format));
  term.denominator *= Dyadic(2);
  return named("(1 + 5γ)nη/2", std::move(term));
}

Bound quarter(Bound bound) {
  bound.denominator *= Dyadic(4);
  return bound;
}

RelativeBound roundoff(int p) { return {unit_roundoff(p), 1}; }

/// Half of the bound.
Bound half(Bound bound) {
  bound.denominator *= Dyadic(2);
  return bound;
}

/// φ(n − 2)·u²/(1 − nu): the loss in the additions of the errors of a sum, relative to its largest partial sum.
RelativeBound lost_by_errors(std::uint64_t n, int p) {
  const Dyadic u = unit_roundoff(p);
  gamma(n, p);
  return {sum_of_leading_bits(n < 2 ? 0 : n - 2) * u * u, Dyadic(1) - Dyadic(n) * u};
}

}  // namespace

Bound recursive_sum_bound(std::uint64_t n, const Dyadic& S, int p) {
  return {Dyadic(minus_one(n)) * unit_roundoff(p) * S, 1};
}

Bound tree_sum_bound(std::uint64_t h, const Dyadic& S, int p) { return gamma(h, p) * S; }

std::uint64_t pairwise_height(std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(minus_one(n))); }

Bound kahan_sum_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  require_at_most_one(16, n, p, "the bound of Kahan's sum");
  if (p < 5) {
    throw std::domain_error("the bound of Kahan's sum requires p >= 5: p = " + std::to_string(p));
  }
  const Dyadic u = unit_roundoff(p);
  const Dyadic lost = (Dyadic(1) + u) * (Dyadic(2) * u + Dyadic(11) * Dyadic(n) * u * u) * S;
  return named("u|s|", {u * abs(magnitude), 1}) + named("(1 + u)(2u + 11nu²)S", {lost, 1});
}

RelativeBound kahan_relative_bound(int p) { return {Dyadic::scaled(3, -p), 1}; }

Bound sum2_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  gamma(n, p);
  return named("u|s|", roundoff(p) * abs(magnitude)) + named("γ²S", power(gamma(minus_one(n), p), 2) * S);
}

Dyadic sum_of_leading_bits(std::uint64_t n) {
  if (n == 0) return 0;
  const int m = static_cast<int>(std::bit_width(n)) - 1;  // the j below 2^m come to (4^m − 1)/3
  const Dyadic leading = Dyadic::scaled(1, m);
  Dyadic below = 0;
  for (int i = 0; i < m; ++i) below += Dyadic::scaled(1, 2 * i);
  return below + (Dyadic(n) - leading + Dyadic(1)) * leading;
}

Bound sum2_sharp_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  return named("u|s|", roundoff(p) * abs(magnitude)) +
         named("φu²(S + |s|)/2", half(lost_by_errors(n, p) * (S + abs(magnitude))));
}

Bound sum2_too_small_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  const Dyadic u = unit_roundoff(p);
  const RelativeBound lost{Dyadic(3) * Dyadic(n) * Dyadic(n) * u * u, 20};
  return roundoff(p) * abs(magnitude) + lost * (S + abs(magnitude));
}

Bound neumaier_sum_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  return sum2_bound(n, magnitude, S, p);
}

Bound sum_k_bound(int k, std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  if (k < 3) {
    throw std::domain_error("the bound of SumK requires K >= 3: K = " + std::to_string(k));
  }
  require_at_most_one(4, n, p, "the bound of SumK");
  const RelativeBound small = power(gamma(minus_one(n), p), 2);
  const RelativeBound last = roundoff(p) + RelativeBound{Dyadic(3) * small.numerator, small.denominator};
  return named("(u + 3γ²)|s|", last * abs(magnitude)) +
         named("γ^K·S/4", quarter(power(gamma(2 * minus_one(n), p), k) * S));
}

Bound sum_k_sharp_bound(int k, std::uint64_t n, const Dyadic& magnitude, const Dyadic& S, int p) {
  if (k < 3) {
    throw std::domain_error("the bound of SumK requires K >= 3: K = " + std::to_string(k));
  }
  require_at_most_one(4, n, p, "the bound of SumK");
  const RelativeBound lost = lost_by_errors(n, p);
  const RelativeBound last = roundoff(p) + lost * RelativeBound{3, 2};
  return named("(u + (3/2)λ)|s|", last * abs(magnitude)) +
         named("λγ^(K−2)(S + |s|)/2", half(lost * power(gamma(minus_one(n), p), k - 2) * (S + abs(magnitude))));
}

Bound prec_sum_bound(int k, const Dyadic& S, int p) { return {S * Dyadic::scaled(1, -p * k), 1}; }

Bound binned_sum_bound(int k, int width, std::uint64_t n, const Dyadic& largest) {
  if (k < 1) {
    throw std::domain_error("the bound of a binned sum requires K >= 1: K = " + std::to_string(k));
  }
  return {Dyadic(n) * largest * Dyadic::scaled(1, (1 - k) * width), 1};
}

Bound binned_dot_bound(int k, int width, std::uint64_t n, const Dyadic& largest, int p) {
  const Dyadic growth = Dyadic(1) + unit_roundoff(p);
  return binned_sum_bound(k, width, n, growth * largest) * Dyadic::scaled(3, -1);
}

RelativeBound binned_norm_bound(int k, int width, std::uint64_t n, int p) {
  const Dyadic lost = binned_dot_bound(k, width, n, 1, p).numerator;
  const RelativeBound of_root = lost <= Dyadic(1)   ? RelativeBound{lost, Dyadic(2) - lost}
                                : lost <= Dyadic(2) ? RelativeBound{1, 1}
                                                    : RelativeBound{lost, 2};
  const Dyadic v = unit_roundoff(53);
  const RelativeBound rounding{Dyadic::scaled(3, -1) * v * (Dyadic(1) + v), 1};
  return of_root + rounding * (RelativeBound{1, 1} + of_root);
}

Bound recursive_dot_bound(std::uint64_t n, const Dyadic& T, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const Dyadic additions = Dyadic(minus_one(n)) * u;
  const Bound rounding{u * (Dyadic(n) + Dyadic(2) * additions) * T, Dyadic(1) + u};
  return named("nu·Σ|xy|", rounding) +
         named("nη/2", {(Dyadic(1) + additions) * Dyadic(n) * smallest_subnormal(format), 2});
}

Bound tree_dot_bound(std::uint64_t n, std::uint64_t h, const Dyadic& T, const Format& format) {
  const RelativeBound growth = RelativeBound{1, 1} + gamma(h, format.precision);
  Bound underflow = growth * (Dyadic(n) * smallest_subnormal(format));
  underflow.denominator *= Dyadic(2);
  return named("γΣ|xy|", gamma(h + 1, format.precision) * T) + named("nη/2", std::move(underflow));
}

Bound dot2_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& T, const Format& format) {
  require_at_most_one(2, n, format.precision, "the bound of Dot2");
  const RelativeBound growth = gamma(n, format.precision);
  return named("u|d|", roundoff(format.precision) * abs(magnitude)) + named("γ²Σ|xy|", power(growth, 2) * T) +
         underflow_term(growth, n, format);
}

Bound dot2_sharp_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& T, const Format& format) {
  const int p = format.precision;
  const Dyadic u = unit_roundoff(p);
  if (Dyadic(n) * Dyadic(n) * u > Dyadic(1)) {
    throw std::domain_error("the sharp bound of Dot2 requires n²u <= 1: n = " + std::to_string(n) + ", u = 2^-" +
                            std::to_string(p));
  }
  gamma(n + 2, p);
  const RelativeBound lost{(sum_of_leading_bits(n + 3) + Dyadic(n) - Dyadic(6)) * u, Dyadic(1) - Dyadic(n + 2) * u};
  const RelativeBound unit = RelativeBound{Dyadic(1) + u, 1} + lost;
  return named("u|d|", roundoff(p) * abs(magnitude)) +
         named("κu(Σ|xy| + |d|)/2", half(lost * roundoff(p) * (T + abs(magnitude)))) +
         named("(1 + u + κ)nη/2", half(unit * (Dyadic(n) * smallest_subnormal(format))));
}

Bound dot2_too_small_bound(std::uint64_t n, const Dyadic& magnitude, const Dyadic& T, const Format& format) {
  const Dyadic u = unit_roundoff(format.precision);
  const RelativeBound lost{Dyadic(n) * Dyadic(n) * u * u, 8};
  return roundoff(format.precision) * abs(magnitude) + lost * (T + abs(magnitude)) +
         underflow_term(gamma(n, format.precision), n, format);
}

Bound dot_k_bound(int k, std::uint64_t n, const Dyadic& magnitude, const Dyadic& T, const Format& format) {
  if (k != 3 && k != 4) {
    throw std::domain_error("the bound of DotK requires K = 3 or 4: K = " + std::to_string(k));
  }
  require_at_most_one(8, n, format.precision, "the bound of DotK");
  const RelativeBound small = gamma(n == 0 ? 0 : 4 * n - 2, format.precision);
  const RelativeBound square = power(small, 2);
  const RelativeBound last =
      roundoff(format.precision) + RelativeBound{Dyadic(2) * square.numerator, square.denominator};
  return named("(u + 2γ²)|d|", last * abs(magnitude)) + named("γ^K·Σ|xy|/4", quarter(power(small, k) * T)) +
         underflow_term(small, n, format);
}

Bound block_sum_bound(const BlockShape& shape, const Dyadic& S, int p) { return tree_sum_bound(shape.height(), S, p); }

Bound block_sum2_bound(const BlockShape& shape, const Dyadic& magnitude, const Dyadic& S, int p) {
  const RelativeBound lost = gamma(shape.sum2_correction_height() + 1, p) * gamma(shape.height(), p);
  return named("u|s|", roundoff(p) * abs(magnitude)) + named("γγ·S", lost * S);
}

Bound block_dot_bound(const BlockShape& shape, const Dyadic& T, const Format& format) {
  return tree_dot_bound(shape.n, shape.height(), T, format);
}

Bound block_dot2_bound(const BlockShape& shape, const Dyadic& magnitude, const Dyadic& T, const Format& format) {
  const int p = format.precision;
  require_at_most_one(2, shape.dot2_correction_height() + 1, p, "the bound of the cooperative Dot2, n its heights,");
  const std::uint64_t c = shape.dot2_correction_height();
  const RelativeBound last{Dyadic(1) + unit_roundoff(p), 1};
  const RelativeBound lost = last * gamma(c, p) * gamma(shape.height() + 1, p);
  return named("u|d|", roundoff(p) * abs(magnitude)) + named("γγ·Σ|xy|", lost * T) +
         underflow_term(gamma(c + 1, p), shape.n, format);
}

}  // namespace assay
