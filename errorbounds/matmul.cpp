#include "errorbounds/matmul.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/sum.hpp"

namespace assay {

Bound stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format) {
  const Bound size = of_accumulator + Bound{abs(exact)};
  const RelativeBound unit = rounding_bound(format.precision);
  const Bound of_rounding{size.numerator * unit.numerator, size.denominator * unit.denominator};
  return of_accumulator + of_rounding + Bound{smallest_subnormal(format), 2};
}

Bound inner_product_bound(std::uint64_t k, const oracle::Dyadic& exact, const oracle::Dyadic& T,
                          const oracle::Format& accumulator, const oracle::Format& result) {
  const Bound of_accumulator = tree_dot_bound(k, k == 0 ? 0 : k - 1, T, accumulator);
  return accumulator == result ? of_accumulator : stored_bound(of_accumulator, exact, result);
}

Bound epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                     const oracle::Dyadic& addend, const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  const Bound scaled = of_sum * abs(alpha);
  const Bound size = scaled + Bound{abs(alpha * sum) + abs(addend)};
  return scaled + size * (u * (oracle::Dyadic(2) + u)) + Bound{(oracle::Dyadic(1) + u) * smallest_subnormal(format)};
}

}  // namespace assay
