#include "errorbounds/fft.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// Errors in units of u.
const Dyadic nearest_root = Dyadic::scaled(25, -3);
const Dyadic computed_root = Dyadic::scaled(41, -1);
const Dyadic underflow = Dyadic::scaled(1, -20);

/// K/(1 − K), K = units·u.
RelativeBound relative(const Dyadic& units, int p) {
  if (p < 12) throw std::domain_error("a transform requires p ≥ 12: p = " + std::to_string(p));
  const Dyadic k = units * unit_roundoff(p);
  if (k >= Dyadic(1)) throw std::domain_error("a transform requires K < 1: u = 2^-" + std::to_string(p));
  return {k, Dyadic(1) - k};
}

/// At least √x, and at most 2⁻¹⁵ above it. Requires: x < 2³³ (not checked).
Dyadic root_above(std::uint64_t x) {
  const std::uint64_t square = x << 30U;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root < square) ++root;
  while (root > 0 && (root - 1) * (root - 1) >= square) --root;
  return Dyadic::scaled(static_cast<std::int64_t>(root), -15);
}

/// g in units of u, for a sum of n products.
Dyadic sum_units(std::uint64_t n, int p) {
  const Dyadic count(2 * n + 20);
  const Dyadic relative = count * unit_roundoff(p);
  if (relative > Dyadic::scaled(1, -2)) {
    throw std::domain_error("a sum of n products requires (2n + 20)u ≤ 1/4: n = " + std::to_string(n) + ", u = 2^-" +
                            std::to_string(p));
  }
  return count + Dyadic(2) * count * relative;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t r = 2; r * r <= n; ++r) {
    for (; n % r == 0; n /= r) factors.push_back(r);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

/// max(t − 2, 0) for n = 2ᵗ.
std::uint64_t turned_stages(std::uint64_t stages) { return std::max<std::uint64_t>(stages, 2) - 2; }

RelativeBound power_of_two_bound(std::uint64_t n, const Dyadic& root, int p) {
  if (!std::has_single_bit(n)) throw std::domain_error("n is no power of two: " + std::to_string(n));
  const auto stages = static_cast<std::uint64_t>(std::countr_zero(n));
  return relative(Dyadic(stages) + Dyadic(turned_stages(stages)) * root + underflow, p);
}

/// `is_norm`: of the norm, else of each output.
RelativeBound mixed_radix_bound(std::uint64_t n, bool is_norm, int p) {
  const std::vector<std::uint64_t> factors = prime_factors(n);
  const std::uint64_t stages = factors.size();
  const std::uint64_t turned = std::has_single_bit(n) ? turned_stages(stages) : std::max<std::uint64_t>(stages, 1) - 1;
  Dyadic units = Dyadic(turned) * computed_root + underflow;
  for (const std::uint64_t r : factors) {
    units += r == 2 ? Dyadic(1) : root_above(is_norm ? 2 * r : 2) * sum_units(r, p);
  }
  return relative(units, p);
}

}  // namespace

RelativeBound fft_power_of_two_bound(std::uint64_t n, int p) { return power_of_two_bound(n, nearest_root, p); }
RelativeBound fft_computed_bound(std::uint64_t n, int p) { return power_of_two_bound(n, computed_root, p); }

RelativeBound fft_mixed_radix_bound(std::uint64_t n, int p) { return mixed_radix_bound(n, true, p); }
RelativeBound fft_each_mixed_radix_bound(std::uint64_t n, int p) { return mixed_radix_bound(n, false, p); }

RelativeBound fft_any_length_bound(std::uint64_t n, int p) {
  const auto height = static_cast<std::uint64_t>(std::bit_width(std::max<std::uint64_t>(n, 1) - 1));
  const Dyadic units(64 * height + 152);
  if (units * unit_roundoff(p) * Dyadic(50) > Dyadic(1)) {
    throw std::domain_error("a transform of any length requires K ≤ 1/50: n = " + std::to_string(n) + ", u = 2^-" +
                            std::to_string(p));
  }
  const RelativeBound of_length = relative(units, p);
  return {Dyadic(6) * root_above(n) * of_length.numerator, of_length.denominator};
}

RelativeBound fft_direct_bound(std::uint64_t n, int p) { return {(sum_units(n, p) + underflow) * unit_roundoff(p), 1}; }

RelativeBound fft_two_dimensions_bound(const RelativeBound& a, const RelativeBound& b) {
  return {a.numerator * b.denominator + b.numerator * a.denominator + a.numerator * b.numerator,
          a.denominator * b.denominator};
}

RelativeBound fft_inverse_bound(const RelativeBound& without_factor, std::uint64_t n, int p) {
  if (std::has_single_bit(n)) return without_factor;
  const Dyadic u = unit_roundoff(p);
  return fft_two_dimensions_bound(without_factor, {Dyadic(2) * u + u * u});
}

RelativeBound fft_real_bound(const RelativeBound& of_complex, int p) {
  return fft_packed_bound({root_above(2) * of_complex.numerator, of_complex.denominator}, p);
}

RelativeBound fft_packed_bound(const RelativeBound& of_complex, int p) {
  return fft_two_dimensions_bound(of_complex, {unit_roundoff(p)});
}

RelativeBound fft_each_real_bound(const RelativeBound& of_complex, int p) {
  const RelativeBound packed = fft_packed_bound(of_complex, p);
  return {Dyadic(2) * packed.numerator, packed.denominator};
}

}  // namespace assay
