#include "errorbounds/matmul.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/sum.hpp"

namespace assay {

namespace {

oracle::Dyadic smallest_normal(const oracle::Format& format) { return oracle::Dyadic::scaled(1, format.emin); }

/// B + u/(1 + u)·(|d| + B)
Bound rounded_once(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format) {
  const Bound size = of_accumulator + Bound{abs(exact)};
  const RelativeBound unit = rounding_bound(format.precision);
  return of_accumulator + Bound{size.numerator * unit.numerator, size.denominator * unit.denominator};
}

/// |α|·B + (2u + u²)·(|α|(|s| + B) + |βc|)
Bound scaled_and_added(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                       const oracle::Dyadic& addend, const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  const Bound scaled = of_sum * abs(alpha);
  const Bound size = scaled + Bound{abs(alpha * sum) + abs(addend)};
  return scaled + size * (u * (oracle::Dyadic(2) + u));
}

}  // namespace

Bound stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format) {
  return rounded_once(of_accumulator, exact, format) + Bound{smallest_subnormal(format), 2};
}

Bound inner_product_bound(std::uint64_t k, const oracle::Dyadic& exact, const oracle::Dyadic& T,
                          const oracle::Format& accumulator, const oracle::Format& result) {
  const Bound of_accumulator = tree_dot_bound(k, k == 0 ? 0 : k - 1, T, accumulator);
  return accumulator == result ? of_accumulator : stored_bound(of_accumulator, exact, result);
}

Bound epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                     const oracle::Dyadic& addend, const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  return scaled_and_added(of_sum, sum, alpha, addend, format) +
         Bound{(oracle::Dyadic(1) + u) * smallest_subnormal(format)};
}

Bound flushed_product_bound(std::uint64_t k, const oracle::Dyadic& T, const oracle::Dyadic& lifted,
                            const oracle::Format& accumulator) {
  if (k == 0) return {0};
  const RelativeBound one{1};
  const oracle::Dyadic flushed = oracle::Dyadic(2 * k - 1) * smallest_normal(accumulator);
  return gamma(k, accumulator.precision) * T + (one + gamma(k - 1, accumulator.precision)) * flushed +
         Bound{oracle::Dyadic(k) * lifted};
}

Bound tf32_flushed_bound(const MatrixProducts& products) {
  return tf32_either_bound(any_matrix_unit(23), products) +
         Bound{oracle::Dyadic(products.count) * (products.lifted + oracle::Dyadic::scaled(1, -124))};
}

Bound flushed_stored_bound(const Bound& of_accumulator, const oracle::Dyadic& exact, const oracle::Format& format) {
  return rounded_once(of_accumulator, exact, format) + Bound{smallest_normal(format)};
}

Bound wide_product_bound(std::uint64_t k, const oracle::Dyadic& T, const oracle::Format& format) {
  return inner_product_bound(k, 0, T, format, format) * (oracle::Dyadic(1) + oracle::Dyadic::scaled(1, -9));
}

Bound flushed_epilogue_bound(const Bound& of_sum, const oracle::Dyadic& sum, const oracle::Dyadic& alpha,
                             const oracle::Dyadic& addend, const oracle::Dyadic& lost, const oracle::Format& format) {
  return scaled_and_added(of_sum, sum, alpha, addend, format) +
         Bound{oracle::Dyadic(4) * smallest_normal(format) + lost};
}

Bound started_bound(const Bound& of_scaled_sum, const oracle::Dyadic& exact, const oracle::Dyadic& alpha,
                    const oracle::Dyadic& addend, const oracle::Format& format) {
  const oracle::Dyadic u = unit_roundoff(format.precision);
  const oracle::Dyadic eta = smallest_subnormal(format);
  const Bound before =
      of_scaled_sum + Bound{u * (oracle::Dyadic(2) + u) * abs(addend) + (oracle::Dyadic(1) + abs(alpha)) * eta};
  return before + (before + Bound{abs(exact)}) * u + Bound{eta, 2};
}

oracle::Dyadic started_magnitude(const oracle::Dyadic& T, const oracle::Dyadic& alpha, const oracle::Dyadic& addend,
                                 const oracle::Format& format) {
  const oracle::Dyadic one = 1;
  const oracle::Dyadic once = one + unit_roundoff(format.precision);
  return once * once * (abs(alpha) * T + abs(addend)) + (one + abs(alpha)) * smallest_subnormal(format);
}

}  // namespace assay
