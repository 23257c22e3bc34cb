#include "errorbounds/rns.hpp"

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

RelativeBound directed_bound(int p) { return {Dyadic::scaled(1, 1 - p), 1}; }

Bound rns_sum_width(const RnsSumShape& shape, int p) {
  const Dyadic rounding = directed_bound(p).numerator;
  return {
      Dyadic(shape.n) * (power(Dyadic(1) + rounding, shape.height + 2) - power(Dyadic(1) - rounding, shape.height + 2)),
      1};
}

}  // namespace assay
