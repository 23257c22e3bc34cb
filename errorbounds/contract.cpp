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

}  // namespace assay
