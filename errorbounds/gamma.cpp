#include "errorbounds/gamma.hpp"

#include <stdexcept>
#include <string>

namespace assay {

using oracle::Dyadic;

RelativeBound gamma(std::uint64_t n, int p) {
  const Dyadic whole = Dyadic::scaled(1, p);
  const Dyadic count(n);
  if (count >= whole) {
    throw std::domain_error("gamma(n) requires n·u < 1: n = " + std::to_string(n) + ", u = 2^-" + std::to_string(p));
  }
  return {count, whole - count};
}

RelativeBound rounding_bound(int p) { return {1, Dyadic::scaled(1, p) + Dyadic(1)}; }

}  // namespace assay
