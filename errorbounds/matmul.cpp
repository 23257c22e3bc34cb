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

}  // namespace assay
