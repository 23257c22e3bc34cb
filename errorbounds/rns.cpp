#include "errorbounds/rns.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

Dyadic power(const Dyadic& x, int k) {
  Dyadic result(1);
  for (int i = 0; i < k; ++i) {
    result *= x;
  }
  return result;
}

}  // namespace

RnsSumShape RnsSumShape::by_halves(int n) {
  return {n, static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)))};
}

RelativeBound directed_bound(int p) { return {Dyadic::scaled(1, 1 - p), 1}; }

Bound rns_sum_width(const RnsSumShape& shape, int p) {
  const Dyadic rounding = directed_bound(p).numerator;
  return {
      Dyadic(shape.n) * (power(Dyadic(1) + rounding, shape.height + 2) - power(Dyadic(1) - rounding, shape.height + 2)),
      1};
}

Bound rns_refinement_threshold(const RnsSumShape& shape, int p) {
  const std::int64_t factor = std::max(2 * shape.height, shape.height + 2);
  return {Dyadic(2 * factor * shape.n * 10000000) * directed_bound(p).numerator, 1};
}

RelativeBound rns_interval_width(const RnsSumShape& shape, int p) {
  const Dyadic width = rns_sum_width(shape, p).numerator;
  const Dyadic rest = rns_refinement_threshold(shape, p).numerator - width;
  if (rest.sign() <= 0) {
    throw std::domain_error("the width of an interval requires a threshold above that of a sum: n = " +
                            std::to_string(shape.n));
  }
  return {width, rest};
}

}  // namespace assay
