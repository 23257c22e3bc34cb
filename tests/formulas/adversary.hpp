#pragma once
// The adversary of formula.sharp.1: local errors of the size λ, each with the sign of its adjoint.

#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/formulas/errors.hpp"

namespace assay::formulas {

/// Its error over the bound of MEAN for an entry of the result: −1 where there is no bound, 1 where the bound is 0.
inline double reached(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors,
                      std::size_t entry, long bits) {
  Balls adjoints;
  const oracle::Magnitude bound = mean(shaped, inputs, values, errors, entry, nullptr, &adjoints);
  if (!bound.is_finite()) return -1;
  if (bound.is_zero()) return 1;  // nothing to reach
  Balls deltas(values.size());
  for (std::size_t k = 0; k < deltas.size(); ++k) {
    deltas[k].resize(values[k].size());
    if (adjoints[k].empty()) continue;
    for (std::size_t i = 0; i < deltas[k].size(); ++i) {
      if (!errors.local[k][i].is_finite()) continue;  // of an entry that does not reach the result
      const oracle::Dyadic size = errors.local[k][i].value();
      deltas[k][i] = less(adjoints[k][i], oracle::Ball()) == oracle::Answer::yes ? -size : size;
    }
  }
  const Balls perturbed = evaluate(shaped, inputs, bits, &deltas);
  const std::size_t result = shaped.formula().result;
  const oracle::Ball error = abs(sub(perturbed[result][entry], values[result][entry], bits));
  return oracle::Magnitude(error).to_double() / bound.to_double();
}

}  // namespace assay::formulas
