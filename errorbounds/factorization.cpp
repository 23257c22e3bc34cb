#include "errorbounds/factorization.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {
namespace {

/// c·u·products + (1 + cu)(before + entry)η/2.
Bound residual_bound(std::uint64_t factors, std::uint64_t before, const oracle::Dyadic& products,
                     const oracle::Dyadic& entry, const oracle::Format& format) {
  const oracle::Dyadic growth = oracle::Dyadic(factors) * unit_roundoff(format.precision);
  oracle::Dyadic underflow = (oracle::Dyadic(before) + entry) * smallest_subnormal(format);
  underflow.mul_2exp(-1);
  return Bound{growth * products + (oracle::Dyadic(1) + growth) * underflow};
}

/// (βʲ − 1)·rest^n for j = 0 … n, and rest^n, rest = 1 − (n + 3)u and β = 2/rest.
struct Growths {
  Growths(std::uint64_t n, const oracle::Format& format) {
    const oracle::Dyadic rest = oracle::Dyadic(1) - oracle::Dyadic(n + 3) * unit_roundoff(format.precision);
    if (rest <= oracle::Dyadic()) throw std::domain_error("a solution has a bound for (n + 3)u < 1");
    std::vector<oracle::Dyadic> powers{oracle::Dyadic(1)};
    for (std::uint64_t k = 0; k < n; ++k) powers.push_back(powers.back() * rest);
    denominator = powers[n];
    for (std::uint64_t j = 0; j <= n; ++j) {
      oracle::Dyadic power = powers[n - j];
      power.mul_2exp(static_cast<long>(j));
      numerators.push_back(power - denominator);
    }
  }
  std::vector<oracle::Dyadic> numerators;
  oracle::Dyadic denominator;
};

}  // namespace

Bound cholesky_residual_bound(std::uint64_t n, std::uint64_t before, const oracle::Dyadic& products,
                              const oracle::Dyadic& entry, const oracle::Format& format) {
  return residual_bound(n + 1, before, products, entry, format);
}

oracle::Dyadic cholesky_margin(std::uint64_t n, const oracle::Format& format) {
  return oracle::Dyadic(2 * n * (n + 2)) * unit_roundoff(format.precision);
}

Bound lu_residual_bound(std::uint64_t factors, std::uint64_t before, const oracle::Dyadic& products,
                        const oracle::Dyadic& entry, const oracle::Format& format) {
  return residual_bound(factors, before, products, entry, format);
}

Bound lu_growth_bound(std::uint64_t pivots, const oracle::Dyadic& largest, const oracle::Format& format) {
  const oracle::Dyadic error = oracle::Dyadic(pivots + 3) * unit_roundoff(format.precision);
  const oracle::Dyadic rest = oracle::Dyadic(1) - error;
  if (pivots == 0 || rest <= oracle::Dyadic()) {
    throw std::domain_error("the growth of an elimination has a bound for 0 < r and (r + 3)u < 1");
  }
  // α(1 + α)^(r−1) = (1 + ε)2^(r−1)/(1 − ε)^r.
  Bound bound{(oracle::Dyadic(1) + error) * (largest + oracle::Dyadic(pivots) * smallest_subnormal(format))};
  bound.numerator.mul_2exp(static_cast<long>(pivots) - 1);
  for (std::uint64_t k = 0; k < pivots; ++k) bound.denominator *= rest;
  return bound;
}

Bound solve_residual_bound(std::span<const oracle::Dyadic> largest, std::span<const oracle::Dyadic> magnitudes,
                           const oracle::Format& format) {
  const std::uint64_t n = largest.size();
  const Growths growths(n, format);
  const oracle::Dyadic eta = smallest_subnormal(format);
  const oracle::Dyadic lost = oracle::Dyadic(n) * eta;
  oracle::Dyadic products;
  oracle::Dyadic unknowns;
  oracle::Dyadic most;
  for (std::size_t j = 0; j < n; ++j) {
    products += growths.numerators[j + 1] * (largest[j] + lost) * magnitudes[j];
    unknowns += magnitudes[j];
    most = std::max(most, largest[j]);
  }
  const oracle::Dyadic growth = growths.numerators[n] * (most + lost);  // w, as the others over the denominator
  return {
      oracle::Dyadic(3 * n + 5) * unit_roundoff(format.precision) * products +
          oracle::Dyadic(4) * (oracle::Dyadic(n) * growths.denominator + growth) * (oracle::Dyadic(n) + unknowns) * eta,
      growths.denominator};
}

SolveGrowth solve_growth(std::span<const oracle::Dyadic> largest, std::size_t j, const oracle::Format& format) {
  const std::uint64_t n = largest.size();
  const Growths growths(n, format);
  const oracle::Dyadic lost = oracle::Dyadic(n) * smallest_subnormal(format);
  oracle::Dyadic most;
  for (const oracle::Dyadic& each : largest) most = std::max(most, each);
  return {growths.numerators[j + 1] * (largest[j] + lost), growths.numerators[n] * (most + lost), growths.denominator};
}

Bound solve_change_bound(std::span<const oracle::Dyadic> largest, const oracle::Format& format) {
  const std::uint64_t n = largest.size();
  const Growths growths(n, format);
  const oracle::Dyadic lost = oracle::Dyadic(n) * smallest_subnormal(format);
  oracle::Dyadic sum;
  for (std::size_t j = 0; j < n; ++j) sum += growths.numerators[j + 1] * (largest[j] + lost);
  return {oracle::Dyadic(n + 3) * unit_roundoff(format.precision) * sum, growths.denominator};
}

bool solve_bound_says_something(std::uint64_t n, const oracle::Format& format) {
  const Growths growths(n, format);
  return oracle::Dyadic(4 * (3 * n + 5)) * unit_roundoff(format.precision) * growths.numerators[n] <=
         growths.denominator;
}

}  // namespace assay
