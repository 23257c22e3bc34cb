#include "errorbounds/contract.hpp"

#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

RelativeBound norm_bound(std::uint64_t n, int p) {
  const oracle::Dyadic u = unit_roundoff(p);
  const oracle::Dyadic nu = oracle::Dyadic(n) * u;
  if (oracle::Dyadic(2) * nu > oracle::Dyadic(1)) {
    throw std::domain_error("the bound of a norm requires 2·n·u <= 1: n = " + std::to_string(n) + ", u = 2^-" +
                            std::to_string(p));
  }
  const RelativeBound of_sum{nu, oracle::Dyadic(2) - oracle::Dyadic(3) * nu};
  return RelativeBound{oracle::Dyadic(1) + u, 1} * of_sum + RelativeBound{u, 1};
}

Bound two_roundings_bound(const oracle::Dyadic& product, const oracle::Dyadic& result, const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  const oracle::Dyadic grown = oracle::Dyadic(1) + u;
  return named("u|r|", {u * abs(result)}) + named("(1 + u)u|αx|", {grown * u * abs(product)}) +
         named("(1 + u)η/2", {grown * smallest_subnormal(format), 2});
}

namespace {

/// γ·S + (1 + γ)(losses·λ + L).
Bound flushed(const RelativeBound& growth, const oracle::Dyadic& S, std::uint64_t losses, const oracle::Dyadic& lost,
              const oracle::Format& format) {
  const oracle::Dyadic absolute = oracle::Dyadic(losses) * oracle::Dyadic::scaled(1, format.emin) + lost;
  return growth * S + (RelativeBound{1, 1} + growth) * absolute;
}

}  // namespace

Bound flushed_sum_bound(std::uint64_t n, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                        const oracle::Format& format) {
  const std::uint64_t additions = n == 0 ? 0 : n - 1;
  const oracle::Dyadic u = unit_roundoff(format.precision);
  const oracle::Dyadic absolute = oracle::Dyadic(additions) * oracle::Dyadic::scaled(1, format.emin) + lost;
  return Bound{oracle::Dyadic(additions) * u * S + (oracle::Dyadic(1) + oracle::Dyadic(n) * u) * absolute};
}

Bound flushed_tree_bound(std::uint64_t n, std::uint64_t h, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                         const oracle::Format& format) {
  return flushed(gamma(h, format.precision), S, n == 0 ? 0 : n - 1, lost, format);
}

Bound flushed_dot_bound(std::uint64_t n, std::uint64_t h, const oracle::Dyadic& S, const oracle::Dyadic& lost,
                        const oracle::Format& format) {
  return flushed(gamma(h + 1, format.precision), S, n == 0 ? 0 : 2 * n - 1, lost, format);
}

Bound flushed_axpy_bound(const oracle::Dyadic& product, const oracle::Dyadic& result, const oracle::Dyadic& lost,
                         const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  return Bound{u * abs(result) +
               (oracle::Dyadic(1) + u) * (u * abs(product) + oracle::Dyadic::scaled(1, format.emin + 1) + lost)};
}

}  // namespace assay
