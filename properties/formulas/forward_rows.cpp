#include "properties/formulas/forward.hpp"

#include <algorithm>

namespace assay::formulas {

void Forward::logits(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  const bool has_mask = nodes_[k].mask.has_value();
  const Magnitude slack = wide_.u * (Magnitude(1UL) + Magnitude(8UL) * wide_.u);
  const Magnitude of_functions = Magnitude(1 + rescalings(rows.steps.size())) * of_exp();
  const Magnitude of_maxima(std::max(2UL, 1 + rescalings(rows.steps.size())));
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    std::optional<Dyadic> highest;
    Magnitude most;
    bool is_known = true;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (has_mask && !shaped_.is_in_mask(k, i)) continue;
      is_known = is_known && error(k, 0, i).is_finite() && values_[k][i].is_finite();
      if (!is_known) break;
      const Dyadic upper = add(values_[k][i].upper(), error(k, 0, i).value(), bits_).upper();
      if (!highest || *highest < upper) highest = upper;
      most = max(most, large(k, 0, i));
    }
    const Magnitude of_shift = Magnitude(machine_.exp_shift) * of_maxima * most;
    base_[k].push_back(is_known ? of_functions + slack * of_shift + wide_.eta : Magnitude::infinity());
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (has_mask && !shaped_.is_in_mask(k, i)) continue;
      if (!is_known) {
        finish(k, i, Magnitude::infinity(), Magnitude::infinity());
        continue;
      }
      const Magnitude distance = Magnitude(sub(*highest, values_[k][i], bits_)) + error(k, 0, i);
      finish(k, i, error(k, 0, i),
             slack * (Magnitude(machine_.exp_difference) * distance + of_shift) + of_functions + wide_.eta);
    }
  }
}

Magnitude Forward::of_small_weights(std::size_t logits, std::size_t r) const {
  const std::size_t n = shaped_.rows(logits).steps.size();
  const Magnitude g = of_weights(n);
  return Magnitude(1 + rescalings(n)) * Magnitude(machine_.functions) * wide_.eta *
         divided(exp(Magnitude(2UL) * base_[logits][r]), minus_lower(Magnitude(1UL), g));
}

void Forward::softmax(std::size_t k) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const bool has_mask = nodes_[t].mask.has_value();
  const Magnitude one(1UL);
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    const Magnitude& of_norm = errors_.total[argument(k, 1)][r];
    Magnitude moved;  // Σ p(e^τ − 1)
    Magnitude most;
    bool is_empty = true;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (has_mask && !shaped_.is_in_mask(t, i)) continue;
      is_empty = false;
      moved.add_mul(Magnitude(values_[k][i]), expm1(errors_.total[t][i]));
      most = max(most, errors_.total[t][i]);
    }
    const Magnitude small = of_small_weights(t, r);
    const Magnitude of_sum = Magnitude(rows.steps.size()) * small;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (is_empty) finish(k, i, {}, Magnitude::infinity());
      if (has_mask && !shaped_.is_in_mask(t, i)) continue;
      const Magnitude p(values_[k][i]);
      const Magnitude others(sub(Dyadic(1), values_[k][i], bits_));
      Magnitude corner = p * (others * expm1(errors_.total[t][i]) + min(moved, others * expm1(most))) * exp(most);
      if (most.is_finite()) corner = min(corner, max(p, others));
      const Magnitude propagated = corner + (p + corner) * of_norm;
      const Magnitude largest_p = p + propagated;
      Magnitude local = wide_.grown(machine_.quotient) * largest_p + Magnitude(machine_.quotient) * wide_.half_eta +
                        Magnitude(2UL) * small * (one + Magnitude(rows.steps.size()) * largest_p);
      if (Magnitude::power_of_two(-1) < of_sum) local = Magnitude::infinity();
      finish(k, i, propagated, local);
    }
  }
}

void Forward::logsumexp(std::size_t k, std::size_t i) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const bool has_mask = nodes_[t].mask.has_value();
  const std::size_t n = rows.steps.size();
  Magnitude propagated;
  Magnitude most;
  for (const std::size_t step : rows.steps) {
    const std::size_t at = rows.first[i] + step;
    if (has_mask && !shaped_.is_in_mask(t, at)) continue;
    propagated = max(propagated, errors_.total[t][at]);
    most = max(most, large_[t][at]);
  }
  const Magnitude g = of_weights(n);
  const Magnitude of_sum = divided(g, minus_lower(Magnitude(1UL), g));
  const Magnitude logarithm = Magnitude::log_of(n) + of_sum + base_[t][i];
  const Magnitude lost = Magnitude(2 * n) * of_small_weights(t, i);
  Magnitude local = of_sum + Magnitude(2 * machine_.functions) * wide_.u * logarithm +
                    Magnitude(machine_.functions) * wide_.eta + lost;
  if (machine_.exp_shift != 0) local += Magnitude(5UL) * wide_.u * (most + logarithm);
  local += wide_.u * (largest(k, i, propagated) + local);
  if (Magnitude::power_of_two(-1) < lost) local = Magnitude::infinity();
  finish(k, i, propagated, local);
}

void Forward::variance(std::size_t k, std::size_t i) {
  const auto& steps = shaped_.steps(k, 0);
  const std::size_t n = steps.size();
  const Magnitude count(n);
  Magnitude magnitudes;
  Magnitude squares;
  Magnitude of_squares;  // Σ E²
  for (const std::size_t step : steps) {
    magnitudes += large(k, 0, i, step);
    squares.add_mul(large(k, 0, i, step), large(k, 0, i, step));
    of_squares.add_mul(error(k, 0, i, step), error(k, 0, i, step));
  }
  const Magnitude below = Magnitude(Dyadic(n));
  const Magnitude rho = sqrt(divided(of_squares, below));
  const Magnitude propagated = Magnitude(2UL) * sqrt(Magnitude(values_[k][i])) * rho + rho * rho;
  const Magnitude most = largest(k, i, propagated);
  const Magnitude q(machine_.quotient);
  const Magnitude of_sum = of_terms(n, n, 0);
  const auto times = [](const Magnitude& a, const Magnitude& b) { return a + b + a * b; };
  const Magnitude of_mean =
      times(of_sum, wide_.grown(machine_.quotient)) * divided(magnitudes, below) + q * wide_.half_eta;
  const Magnitude shifted = of_mean * of_mean;
  Magnitude local =
      times(of_sum, wide_.grown(3 + machine_.quotient)) * (most + shifted) + shifted + (Magnitude(2UL) + q) * wide_.eta;
  if (machine_.has_one_pass) {
    const Magnitude mean = divided(magnitudes, below);
    const Magnitude first =
        times(of_sum, wide_.grown(1 + machine_.quotient)) * divided(squares, below) + (Magnitude(2UL) + q) * wide_.eta;
    const Magnitude second =
        of_mean * (Magnitude(2UL) * mean + of_mean) + wide_.u * (mean + of_mean) * (mean + of_mean) + wide_.half_eta;
    local = max(local, (first + second) * (Magnitude(1UL) + wide_.u) + wide_.u * most);
  }
  // A variance may not be larger than the largest possible sum of squares.
  finish(k, i, propagated, local, squares * (Magnitude(1UL) + wide_.grown(n + 4)) * Magnitude(4UL));
}

}  // namespace assay::formulas
