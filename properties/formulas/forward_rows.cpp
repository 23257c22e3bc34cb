#include "properties/formulas/forward.hpp"

#include <algorithm>
#include <numeric>

namespace assay::formulas {

namespace {

/// By place of a row: how many of the other logits may be larger, and the magnitudes of these and of the logit itself.
class Larger {
 public:
  struct Than {
    unsigned long count = 0;
    Magnitude magnitudes;
  };
  void add(const Dyadic& lower, const Dyadic& upper, const Magnitude& largest) {
    lower_.push_back(-(-lower).to_double_up());
    upper_.push_back(upper.to_double_up());
    largest_.push_back(largest);
  }
  std::vector<Than> all() const {
    const std::size_t n = upper_.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t j) { return upper_[j]; });
    std::vector<Magnitude> from(n + 1);  // the magnitudes of this place in the order and of all behind it
    for (std::size_t j = n; j-- > 0;) from[j] = from[j + 1] + largest_[order[j]];
    std::vector<Than> all;
    for (std::size_t j = 0; j < n; ++j) {
      const auto first = std::ranges::upper_bound(order, lower_[j], {}, [&](std::size_t k) { return upper_[k]; });
      const auto at = static_cast<std::size_t>(first - order.begin());
      const bool has_itself = upper_[j] > lower_[j];
      all.push_back({n - at - (has_itself ? 1 : 0), has_itself ? from[at] : from[at] + largest_[j]});
    }
    return all;
  }

 private:
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<Magnitude> largest_;
};

}  // namespace

void Forward::logits(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  const Magnitude slack = wide_.u * (Magnitude(1UL) + Magnitude(8UL) * wide_.u);
  of_numerators_[k].resize(shaped_.size(k));
  for (const std::size_t first : rows.first) {
    std::vector<std::size_t> places;
    std::optional<Dyadic> lowest;  // between it and `highest` is the maximum that a program finds
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
      if (!machine_.is_online && machine_.exp_shift == 0) continue;
      const Dyadic lower = end(k, 0, i, -1).lower();
      if (!lowest || *lowest < lower) lowest = lower;
      if (machine_.is_online) larger.add(lower, upper, large(k, 0, i));
    }
    const Magnitude top = is_known && lowest ? max(Magnitude(*lowest), Magnitude(*highest)) : most;
    /// λ of a logit but for its distance to the largest one, with so many rescalings. `shifts`: the sum of the
    /// magnitudes of the maxima that its exponents have.
    const auto of_shift = [&](unsigned long t, const Magnitude& shifts) {
      return slack * Magnitude(machine_.exp_shift) * shifts +
             Magnitude(1 + t) * (of_exp() + Magnitude(8UL) * wide_.flushed) + wide_.eta;
    };
    counted_[k].push_back(std::max<std::size_t>(places.size(), 1));
    const unsigned long most_growths = rescalings(counted_[k].back());
    const Magnitude of_exponents(machine_.exp_difference + machine_.exp_shift * (1 + most_growths));
    const Magnitude& of_maxima = slack * of_exponents <= Magnitude(1UL) ? top : most;
    base_[k].push_back(is_known ? of_shift(most_growths, Magnitude(1 + most_growths) * of_maxima)
                                : Magnitude::infinity());
    peak_[k].push_back(base_[k].back());
    const std::vector<Larger::Than> larger_ones = is_known ? larger.all() : std::vector<Larger::Than>();
    for (std::size_t j = 0; j < places.size(); ++j) {
      const std::size_t i = places[j];
      if (!is_known) {
        finish(k, i, Magnitude::infinity(), Magnitude::infinity());
        continue;
      }
      const unsigned long t = machine_.is_online ? larger_ones[j].count : 0;
      const Magnitude& shifts = machine_.is_online ? larger_ones[j].magnitudes : top;
      const Magnitude distance = Magnitude(sub(*highest, values_[k][i], bits_)) + error(k, 0, i);
      const Magnitude of_difference = slack * Magnitude(machine_.exp_difference) * distance;
      if (machine_.is_online) {
        const unsigned long own = std::min(t, 1UL);
        of_numerators_[k][i] =
            of_difference + of_difference + of_shift(t, shifts) + of_shift(own, shifts) + wide_.u * Magnitude(own);
      }
      peak_[k].back() = max(peak_[k].back(), of_shift(t, shifts));
      // RN(m̂·log₂e) must not overflow.
      const Magnitude product = Magnitude(3 * machine_.exp_shift) * Magnitude::power_of_two(-1) * most;
      // Not finish(): λ is an error of the exponent, and a difference that overflows is −∞, whose weight is 0.
      const bool is_said = product < wide_.limit && values_[k][i].is_finite();
      errors_.local[k][i] = is_said ? of_difference + of_shift(t, shifts) : Magnitude::infinity();
      errors_.total[k][i] = error(k, 0, i) + errors_.local[k][i];
    }
  }
}

Magnitude Forward::of_small_weights(std::size_t logits, std::size_t r, const Magnitude& exponent) const {
  const Magnitude g = of_weights(logits, r);
  const Magnitude each = Magnitude(machine_.functions) * wide_.eta + Magnitude(2UL) * wide_.flushed;
  return Magnitude(1 + rescalings(counted_[logits][r])) * each * divided(exp(exponent), minus_lower(Magnitude(1UL), g));
}

Magnitude Forward::of_late_quotient(std::size_t k) const {
  Magnitude most(1UL);
  for (const std::size_t a : nodes_[k].arguments) {
    const auto softmax = weights_of(a);
    if (!softmax) continue;
    const std::size_t logits = argument(*softmax, 0);
    for (std::size_t r = 0; r < base_[logits].size(); ++r) {
      const Magnitude grown = exp(base_[logits][r]);
      const Magnitude lost = max(Magnitude(4UL) * grown, Magnitude(2UL) * grown * grown);
      most = max(most, divided(lost, minus_lower(Magnitude(1UL), of_weights(logits, r))));
    }
  }
  return most;
}

Magnitude Forward::largest_weight(std::size_t k) const {
  Magnitude most(1UL);
  for (const std::size_t a : nodes_[k].arguments) {
    const auto softmax = weights_of(a);
    if (!softmax) continue;
    for (const Magnitude& peak : peak_[argument(*softmax, 0)]) most = max(most, exp(peak));
  }
  return most;
}

void Forward::softmax(std::size_t k) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const Magnitude one(1UL);
  for (std::size_t r = 0; r < rows.first.size(); ++r) {
    const Magnitude& of_norm = total(argument(k, 1), r);
    Magnitude moved;   // Σ p(e^τ − 1)
    Magnitude fallen;  // Σ p·min(τ, 1), at least Σ p(1 − e^−τ)
    Magnitude most;
    std::optional<std::size_t> top;  // a logit near the largest one
    std::vector<std::size_t> places;
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (!shaped_.counts(t, i)) continue;
      places.push_back(i);
      most = max(most, total(t, i));
    }
    for (const std::size_t i : places) {
      if (one < most && (!top || values_[t][*top].lower() < values_[t][i].lower())) top = i;
    }
    /// At least p(e^τ − 1), also of a number so far below the largest one that its value is a ball around 0.
    const auto risen = [&](std::size_t i, const Magnitude& tau) {
      Magnitude rise = Magnitude(values_[k][i]) * expm1(tau);
      if (tau <= one || !top) return rise;
      const Magnitude distance = Magnitude::lower(sub(values_[t][*top], values_[t][i], bits_));
      return tau < distance ? min(rise, exp_of_minus(minus_lower(distance, tau))) : rise;
    };
    std::vector<Magnitude> rises;
    for (const std::size_t i : places) {
      rises.push_back(risen(i, total(t, i)));
      moved += rises.back();
      fallen.add_mul(Magnitude(values_[k][i]), min(total(t, i), one));
    }
    const Magnitude of_others = min(exp(most), divided(one, minus_lower(one, fallen)));
    const Magnitude n(counted_[t][r]);
    const Magnitude small = of_small_weights(t, r, base_[t][r] + peak_[t][r]);
    const Magnitude of_sum = n * of_small_weights(t, r, peak_[t][r] + peak_[t][r]);
    // A logit that overflows takes the whole row with it.
    for (const std::size_t step : rows.steps) {
      if (places.empty() || !base_[t][r].is_finite()) finish(k, rows.first[r] + step, {}, Magnitude::infinity());
    }
    const Magnitude of_quotient = wide_.grown(machine_.quotient);
    const Magnitude of_lost = (machine_.is_online ? Magnitude(2UL) : one + of_quotient) * small;
    const Magnitude of_underflow =
        Magnitude(machine_.quotient) * wide_.half_eta + Magnitude(2 * (machine_.quotient - 1)) * wide_.flushed;
    for (std::size_t j = 0; j < places.size(); ++j) {
      const std::size_t i = places[j];
      const Magnitude p(values_[k][i]);
      const Magnitude others(sub(Dyadic(1), values_[k][i], bits_));
      Magnitude corner = (others * rises[j] + p * min(moved, others * expm1(most))) * of_others;
      if (most.is_finite()) corner = min(corner, max(p, others));
      const Magnitude propagated = corner + (p + corner) * of_norm;
      const Magnitude largest_p = p + propagated;
      Magnitude of_numerator;  // νY
      if (machine_.is_online) {
        const Magnitude& numerator = of_numerators_[t][i];
        const Magnitude far = risen(i, total(t, i) + numerator) * of_others * (one + of_norm);
        of_numerator = min(largest_p * expm1(numerator), far);
      }
      Magnitude local = of_quotient * largest_p + of_underflow + (one + of_quotient) * of_numerator +
                        of_lost * (one + n * (largest_p + of_numerator));
      if (Magnitude::power_of_two(-1) < of_sum) local = Magnitude::infinity();
      finish(k, i, propagated, local);
    }
  }
}

void Forward::logsumexp(std::size_t k, std::size_t i) {
  const std::size_t t = argument(k, 0);
  const Shaped::Rows& rows = shaped_.rows(t);
  const std::size_t n = counted_[t][i];
  Magnitude most;
  Magnitude risen;   // Σ p(e^τ − 1)
  Magnitude fallen;  // Σ p·min(τ, 1), at least Σ p(1 − e^−τ)
  // The maximum that a program finds lies between the largest lower end and the largest upper end of the logits.
  std::optional<Dyadic> lowest;
  std::optional<Dyadic> highest;
  for (const std::size_t step : rows.steps) {
    const std::size_t at = rows.first[i] + step;
    if (!shaped_.counts(t, at)) continue;
    const Magnitude& tau = total(t, at);
    const Magnitude p = exp_of_minus(Magnitude::lower(sub(values_[k][i], values_[t][at], bits_)));
    risen.add_mul(p, expm1(tau));
    fallen.add_mul(p, min(tau, Magnitude(1UL)));
    most = max(most, tau);
    if (!total(t, at).is_finite() || !values_[t][at].is_finite()) continue;
    const Dyadic lower = end(t, 0, at, -1).lower();
    const Dyadic upper = end(t, 0, at, 1).upper();
    if (!lowest || *lowest < lower) lowest = lower;
    if (!highest || *highest < upper) highest = upper;
  }
  const Magnitude propagated = min(most, max(risen, divided(fallen, minus_lower(Magnitude(1UL), fallen))));
  const Magnitude of_sum = sum_of_weights(t, i);
  Magnitude logarithm = Magnitude::log_of(n) + base_[t][i];
  if (lowest && values_[k][i].is_finite() && propagated.is_finite()) {
    const Ball& v = values_[k][i];
    logarithm = min(logarithm, max(Magnitude(sub(v, *lowest, bits_)), Magnitude(sub(v, *highest, bits_))) + propagated);
  }
  logarithm += of_sum;
  const Magnitude lost = Magnitude(2 * n) * of_small_weights(t, i, base_[t][i] + peak_[t][i]);
  Magnitude local = of_sum + Magnitude(2 * machine_.functions) * wide_.u * logarithm +
                    Magnitude(machine_.functions) * wide_.eta + Magnitude(8UL) * wide_.flushed + lost;
  if (machine_.exp_shift != 0 && lowest) {
    local += Magnitude(5UL) * wide_.u * (max(Magnitude(*lowest), Magnitude(*highest)) + logarithm);
  }
  local += wide_.u * (largest(k, i, propagated) + local);
  if (Magnitude::power_of_two(-1) < Magnitude(2 * n) * of_small_weights(t, i, peak_[t][i] + peak_[t][i]))
    local = Magnitude::infinity();
  finish(k, i, propagated, local, largest_sum(t, i));
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
    set_sides(k, i, propagated + smaller + lost, total(k, i));
  }
}

}  // namespace assay::formulas
