#include "properties/formulas/forward.hpp"

#include <algorithm>

namespace assay::formulas {

namespace {

/// By place of a row: how many of the other logits may be larger.
class Larger {
 public:
  void add(const Dyadic& lower, const Dyadic& upper) {
    lower_.push_back(-(-lower).to_double_up());
    upper_.push_back(upper.to_double_up());
  }
  std::vector<unsigned long> counts() const {
    std::vector<double> sorted = upper_;
    std::ranges::sort(sorted);
    std::vector<unsigned long> all;
    for (std::size_t j = 0; j < lower_.size(); ++j) {
      const auto above = sorted.end() - std::ranges::upper_bound(sorted, lower_[j]);
      all.push_back(static_cast<unsigned long>(above) - (upper_[j] > lower_[j] ? 1 : 0));
    }
    return all;
  }

 private:
  std::vector<double> lower_;
  std::vector<double> upper_;
};

}  // namespace

void Forward::logits(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  const Magnitude slack = wide_.u * (Magnitude(1UL) + Magnitude(8UL) * wide_.u);
  of_numerators_[k].resize(shaped_.size(k));
  for (const std::size_t first : rows.first) {
    std::vector<std::size_t> places;
    std::optional<Dyadic> highest;
    Magnitude most;
    bool is_known = true;
    Larger larger;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = first + step;
      if (!shaped_.counts(k, i)) continue;
      places.push_back(i);
      is_known = is_known && error(k, 0, i).is_finite() && values_[k][i].is_finite();
      if (!is_known) continue;
      const Dyadic upper = end(k, 0, i, 1).upper();
      if (!highest || *highest < upper) highest = upper;
      most = max(most, large(k, 0, i));
      if (machine_.is_online) larger.add(end(k, 0, i, -1).lower(), upper);
    }
    /// λ of a logit but for its distance to the largest one, with so many rescalings.
    const auto of_shift = [&](unsigned long t) {
      return slack * Magnitude(machine_.exp_shift) * Magnitude(std::max(2UL, 1 + t)) * most +
             Magnitude(1 + t) * (of_exp() + Magnitude(8UL) * wide_.flushed) + wide_.eta;
    };
    base_[k].push_back(is_known ? of_shift(rescalings(rows.steps.size())) : Magnitude::infinity());
    const std::vector<unsigned long> growths = is_known ? larger.counts() : std::vector<unsigned long>();
    for (std::size_t j = 0; j < places.size(); ++j) {
      const std::size_t i = places[j];
      if (!is_known) {
        finish(k, i, Magnitude::infinity(), Magnitude::infinity());
        continue;
      }
      const unsigned long t = machine_.is_online ? growths[j] : 0;
      const Magnitude distance = Magnitude(sub(*highest, values_[k][i], bits_)) + error(k, 0, i);
      const Magnitude of_difference = slack * Magnitude(machine_.exp_difference) * distance;
      if (machine_.is_online) {
        const unsigned long own = std::min(t, 1UL);
        of_numerators_[k][i] =
            expm1(of_difference + of_difference + of_shift(t) + of_shift(own) + wide_.u * Magnitude(own));
      }
      // RN(m̂·log₂e) must not overflow.
      const Magnitude product = Magnitude(3 * machine_.exp_shift) * Magnitude::power_of_two(-1) * most;
      finish(k, i, error(k, 0, i), of_difference + of_shift(t), product);
    }
  }
}

Magnitude Forward::of_small_weights(std::size_t logits, std::size_t r) const {
  const std::size_t n = shaped_.rows(logits).steps.size();
  const Magnitude g = of_weights(n);
  const Magnitude each = Magnitude(machine_.functions) * wide_.eta + Magnitude(2UL) * wide_.flushed;
  return Magnitude(1 + rescalings(n)) * each *
         divided(exp(Magnitude(2UL) * base_[logits][r]), minus_lower(Magnitude(1UL), g));
}

void Forward::softmax(std::size_t k) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const Magnitude one(1UL);
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    const Magnitude& of_norm = errors_.total[argument(k, 1)][r];
    Magnitude moved;  // Σ p(e^τ − 1)
    Magnitude most;
    bool is_empty = true;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (!shaped_.counts(t, i)) continue;
      is_empty = false;
      moved.add_mul(Magnitude(values_[k][i]), expm1(errors_.total[t][i]));
      most = max(most, errors_.total[t][i]);
    }
    const Magnitude small = of_small_weights(t, r);
    const Magnitude of_sum = Magnitude(rows.steps.size()) * small;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      // A logit that overflows takes the whole row with it.
      if (is_empty || !base_[t][r].is_finite()) finish(k, i, {}, Magnitude::infinity());
      if (!shaped_.counts(t, i)) continue;
      const Magnitude p(values_[k][i]);
      const Magnitude others(sub(Dyadic(1), values_[k][i], bits_));
      Magnitude corner = p * (others * expm1(errors_.total[t][i]) + min(moved, others * expm1(most))) * exp(most);
      if (most.is_finite()) corner = min(corner, max(p, others));
      const Magnitude propagated = corner + (p + corner) * of_norm;
      const Magnitude largest_p = p + propagated;
      const Magnitude of_quotient = wide_.grown(machine_.quotient);
      const Magnitude& of_numerator = of_numerators_[t][i];
      Magnitude local = (of_quotient + of_numerator + of_quotient * of_numerator) * largest_p +
                        Magnitude(machine_.quotient) * wide_.half_eta +
                        Magnitude(2 * (machine_.quotient - 1)) * wide_.flushed +
                        Magnitude(2UL) * small * (one + Magnitude(rows.steps.size()) * largest_p);
      if (Magnitude::power_of_two(-1) < of_sum) local = Magnitude::infinity();
      finish(k, i, propagated, local);
    }
  }
}

void Forward::logsumexp(std::size_t k, std::size_t i) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const std::size_t n = rows.steps.size();
  Magnitude propagated;
  Magnitude most;
  // The maximum that a program finds lies between the largest lower end and the largest upper end of the logits.
  std::optional<Dyadic> lowest;
  std::optional<Dyadic> highest;
  for (const std::size_t step : rows.steps) {
    const std::size_t at = rows.first[i] + step;
    if (!shaped_.counts(t, at)) continue;
    propagated = max(propagated, errors_.total[t][at]);
    most = max(most, large_[t][at]);
    if (!errors_.total[t][at].is_finite() || !values_[t][at].is_finite()) continue;
    const Dyadic lower = end(t, 0, at, -1).lower();
    const Dyadic upper = end(t, 0, at, 1).upper();
    if (!lowest || *lowest < lower) lowest = lower;
    if (!highest || *highest < upper) highest = upper;
  }
  const Magnitude g = of_weights(n);
  const Magnitude of_sum = divided(g, minus_lower(Magnitude(1UL), g));
  Magnitude logarithm = Magnitude::log_of(n) + base_[t][i];
  if (lowest && values_[k][i].is_finite() && propagated.is_finite()) {
    const Ball& v = values_[k][i];
    logarithm = min(logarithm, max(Magnitude(sub(v, *lowest, bits_)), Magnitude(sub(v, *highest, bits_))) + propagated);
  }
  logarithm += of_sum;
  const Magnitude lost = Magnitude(2 * n) * of_small_weights(t, i);
  Magnitude local = of_sum + Magnitude(2 * machine_.functions) * wide_.u * logarithm +
                    Magnitude(machine_.functions) * wide_.eta + Magnitude(8UL) * wide_.flushed + lost;
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
  const Magnitude of_mean = times(of_sum, wide_.grown(machine_.quotient)) * divided(magnitudes, below) +
                            q * wide_.half_eta + (Magnitude(3UL) + q) * wide_.flushed;
  const Magnitude shifted = of_mean * of_mean;
  const Magnitude of_squares_sum = times(of_sum, wide_.grown(3 + machine_.quotient));
  const Magnitude of_deviations = Magnitude(4UL) * (sqrt(most + shifted) + wide_.flushed) + Magnitude(2UL);
  const Magnitude of_flush = (Magnitude(1UL) + of_squares_sum) * wide_.flushed * of_deviations;
  Magnitude local = of_squares_sum * (most + shifted) + shifted + (Magnitude(2UL) + q) * wide_.eta + of_flush;
  if (machine_.has_one_pass) {
    const Magnitude mean = divided(magnitudes, below);
    const Magnitude first =
        times(of_sum, wide_.grown(1 + machine_.quotient)) * divided(squares, below) + (Magnitude(2UL) + q) * wide_.eta;
    const Magnitude second =
        of_mean * (Magnitude(2UL) * mean + of_mean) + wide_.u * (mean + of_mean) * (mean + of_mean) + wide_.half_eta;
    const Magnitude small = (Magnitude(1UL) + of_squares_sum) * Magnitude(4UL) * wide_.flushed;
    local = max(local, (first + second + small) * (Magnitude(1UL) + wide_.u) + wide_.u * most);
  }
  // 1/n may be flushed.
  if (machine_.flushes && !(wide_.flushed * count < Magnitude(1UL))) local = Magnitude::infinity();
  // A variance may not be larger than the largest possible sum of squares.
  finish(k, i, propagated, local, squares * (Magnitude(1UL) + wide_.grown(n + 4)) * Magnitude(4UL));
  // The square of the mean's error only adds to the sum of squares.
  if (has_sides(k)) {
    const Magnitude smaller = of_squares_sum * most + (Magnitude(2UL) + q) * wide_.eta + of_flush;
    const Magnitude lost = machine_.flushes ? lost_by_flush(k, i, propagated + local) : Magnitude();
    set_sides(k, i, propagated + smaller + lost, errors_.total[k][i]);
  }
}

}  // namespace assay::formulas
