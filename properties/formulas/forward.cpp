#include "properties/formulas/forward.hpp"

#include <bit>

#include "oracle/round.hpp"
#include "properties/formulas/entries.hpp"
#include "properties/formulas/ways.hpp"

namespace assay::formulas {

unsigned long height(Order order, unsigned long n) {
  constexpr unsigned long chain = 64;
  const unsigned long any = n - 1;
  if (order == Order::any) return any;
  if (order == Order::tree) return static_cast<unsigned long>(std::bit_width(n - 1));
  return std::min(any, chain + (n + chain - 1) / chain);
}

Magnitude moved_factor(const Node& node, const Balls& values) {
  const Magnitude three(3UL);
  Magnitude most(1UL);
  for (const std::size_t factor : node.factors) {
    for (const Ball& each : values[factor]) {
      const Magnitude c(each);
      const Magnitude below = Magnitude::lower(each);
      // The product with 0 is 0 in any case.
      if (!c.is_zero())
        most = below.is_zero() ? Magnitude::infinity() : max(most, max(three * c, divided(three, below)));
    }
  }
  return most;
}

Errors Forward::run() {
  for (std::size_t k = 0; k < nodes_.size(); ++k) compute(k);
  return errors_;
}

Errors Forward::run(const Forward& of_formula) {
  const auto known = known_nodes(shaped_.formula(), of_formula.shaped_.formula(), Same::errors);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (known[k]) {
      take(k, of_formula, *known[k]);
    } else {
      compute(k);
    }
  }
  return errors_;
}

void Forward::take(std::size_t k, const Forward& other, std::size_t of_other) {
  const auto copy = [&](auto Forward::*of) { (this->*of)[k] = (other.*of)[of_other]; };
  copy(&Forward::grids_);
  copy(&Forward::base_);
  copy(&Forward::peak_);
  copy(&Forward::counted_);
  copy(&Forward::of_numerators_);
  copy(&Forward::large_);
  copy(&Forward::is_clean_);
  copy(&Forward::is_nonnegative_);
  errors_.total[k] = other.errors_.total[of_other];
  errors_.local[k] = other.errors_.local[of_other];
  errors_.below[k] = other.errors_.below[of_other];
  errors_.above[k] = other.errors_.above[of_other];
  if (follows()) errors_.beyond[k] = other.errors_.beyond[of_other];
  if (machine_.flushes) errors_.mixed.push_back(other.errors_.mixed[of_other]);
}

void Forward::compute(std::size_t k) {
  const std::size_t size = shaped_.size(k);
  grids_[k] = grid(k);
  is_nonnegative_[k] = is_nonnegative(k);
  if (follows()) errors_.beyond[k].resize(size);
  if (is_of_exact_input(k)) {
    Column<Magnitude>& zeros = zeros_[size];
    if (zeros.empty()) zeros.resize(size);
    errors_.total[k] = errors_.local[k] = zeros;
    is_clean_[k] = true;
    return;
  }
  errors_.total[k].resize(size);
  errors_.local[k].resize(size);
  node(k);
  if (follows()) follow(k);
  is_clean_[k] =
      std::ranges::all_of(std::as_const(errors_).total[k], [](const Magnitude& each) { return each.is_zero(); });
  if (!is_clean_[k]) {
    large_[k].resize(size);
    for_each_entry(size, 1, [&](std::size_t i) { large_[k][i] = largest_computed(k, i); });
  }
  if (machine_.flushes) errors_.mixed.push_back(is_mixed(k));
}

bool Forward::is_of_exact_input(std::size_t k) const {
  const Node& node = nodes_[k];
  if (machine_.flushes) return false;
  if (node.op == Op::input) return true;
  return node.op == Op::gather && is_clean_[argument(k, 0)] && is_of_input(k) && !machine_.stores(node) &&
         std::ranges::all_of(values_[k],
                             [&](const Ball& each) { return each.is_finite() && Magnitude(each) < wide_.limit; });
}

void Forward::finish(std::size_t k, std::size_t i, const Magnitude& propagated, Magnitude local,
                     const Magnitude& partial) {
  const Magnitude largest = Magnitude(values_[k][i]) + propagated;
  const bool by_partial = !partial.is_zero() && !(partial + local < wide_.limit);
  bool overflows = by_partial || !(largest + local < wide_.limit);
  bool is_followed = follows();
  if (machine_.stores(nodes_[k]) && k != shaped_.formula().result) {
    const bool is_exact =
        propagated.is_zero() && local.is_zero() && fits(grids_[k], largest, stored_.precision, stored_.least);
    overflows = overflows || !(largest + local < stored_.limit);
    is_followed = is_followed && !(overflows && may_saturate(k));
    if (!is_exact) local += stored_.u * (largest + local) + stored_.eta;
  }
  if (machine_.flushes && !moves(k)) local += lost_by_flush(k, i, propagated + local);
  if (overflows || !values_[k][i].is_finite()) {
    const bool is_said = is_followed && note_overflow(k, i, propagated + local, by_partial);
    if (!is_said) local = Magnitude::infinity();
  }
  errors_.total[k][i] = propagated + local;
  errors_.local[k][i] = std::move(local);
}

void Forward::node(std::size_t k) {
  const Node& node = nodes_[k];
  if (node.op == Op::input) return input(k);
  if (node.is_constant) return constant(k);
  if (node.op == Op::logits) return logits(k);
  if (node.op == Op::softmax) return softmax(k);
  if (node.op == Op::cumsum) return cumsum(k);
  if (node.op == Op::cumprod) return cumprod(k);
  if (node.op == Op::sort) return sort(k);
  if (node.extra != 0) {
    moved_ = moved_factor(nodes_[k], values_);
    moves_exactly_ = moves_exactly(k);
  }
  if (node.op == Op::dot) {
    late_quotient_ = of_late_quotient(k);
    late_weight_ = largest_weight(k);
  }
  if (may_have_sides(k)) {
    errors_.below[k].resize(values_[k].size());
    errors_.above[k].resize(values_[k].size());
  }
  const bool runs = node.op == Op::sum || node.op == Op::dot || node.op == Op::prod || node.op == Op::maximum_over ||
                    node.op == Op::argmax || node.op == Op::pick;
  for_each_entry(values_[k].size(), runs ? shaped_.steps(k, 0).size() : 1, [&](std::size_t i) { entry(k, i); });
}

void Forward::entry(std::size_t k, std::size_t i) {
  switch (nodes_[k].op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::maximum:
    case Op::minimum:
      two(k, i);
      break;
    case Op::pow:
      pow(k, i);
      break;
    case Op::atan2:
      atan2(k, i);
      break;
    case Op::fmod:
    case Op::remainder:
      rest(k, i);
      break;
    case Op::sum:
    case Op::dot:
      sum(k, i);
      break;
    case Op::prod:
      prod(k, i);
      break;
    case Op::sign:
      sign(k, i);
      break;
    case Op::stochastic:
      stochastic(k, i);
      break;
    case Op::argmax:
      argmax(k, i);
      break;
    case Op::maximum_over: {
      Magnitude most;
      for (const std::size_t step : shaped_.steps(k, 0)) {
        if (!shaped_.is_excluded(k, place(k, 0, i, step))) most = max(most, error(k, 0, i, step));
      }
      finish(k, i, most, {});
      break;
    }
    case Op::gather:
      finish(k, i, error(k, 0, i), {});
      break;
    case Op::spread: {
      // An entry that is 0 where x is not is at another place than the one that is named.
      const bool is_named = Magnitude(value(k, 0, i)).is_zero() || !Magnitude(values_[k][i]).is_zero();
      finish(k, i, is_named ? error(k, 0, i) : Magnitude(), {});
      break;
    }
    case Op::stack:
      finish(k, i, error(k, i % 2, i), {});
      break;
    case Op::where:
      finish(k, i, error(k, shaped_.is_in_mask(k, i) ? 0 : 1, i), {});
      break;
    case Op::pick: {
      Magnitude most;  // over all entries that might be picked: this is not slower than looking up the integers
      for (const std::size_t step : shaped_.steps(k, 0)) most = max(most, error(k, 0, i, step));
      finish(k, i, most, {});
      break;
    }
    case Op::norm: {
      const Magnitude sum = largest_sum(argument(k, 0), i);
      // The reciprocal of a sum must not be below the normal range.
      const bool is_normal = machine_.quotient == 1 || sum <= Magnitude::power_of_two(-machine_.wide.emin);
      finish(k, i, {}, is_normal ? sum_of_weights(argument(k, 0), i) : Magnitude::infinity(), sum);
      break;
    }
    case Op::logsumexp:
      logsumexp(k, i);
      break;
    case Op::variance:
      variance(k, i);
      break;
    default:
      function(k, i);
  }
}

void Forward::constant(std::size_t k) {
  const Ball& c = values_[k][0];
  const bool is_number = Magnitude::radius(c).is_zero() &&
                         (c.lower().is_zero() ||
                          (c.lower().bit_length() <= wide_.precision && c.lower().lowest_exponent() >= wide_.least));
  finish(k, 0, {}, is_number ? Magnitude() : wide_.u * Magnitude(c) + wide_.half_eta);
}

void Forward::two(std::size_t k, std::size_t i) {
  const Op op = nodes_[k].op;
  const Magnitude& of_a = error(k, 0, i);
  const Magnitude& of_b = error(k, 1, i);
  const Magnitude a(value(k, 0, i));
  const Magnitude b(value(k, 1, i));
  Magnitude propagated = of_a + of_b;
  if (op == Op::maximum || op == Op::minimum) return finish(k, i, max(of_a, of_b), {});
  if (op == Op::mul) propagated = a * of_b + of_a * large(k, 1, i);
  if (op == Op::div) {
    const Magnitude below = least(k, 1, i);
    propagated =
        of_a.is_zero() && of_b.is_zero() ? Magnitude() : divided(of_a + Magnitude(values_[k][i]) * of_b, below);
    if (below.is_zero()) propagated = Magnitude::infinity();
  }
  const Magnitude most = largest(k, i, propagated);
  if (is_moved_unknown(k, i)) return finish(k, i, propagated, Magnitude::infinity());
  const bool is_sum = op == Op::add || op == Op::sub;
  // A reciprocal below the normal range may be read as 0.
  const bool may_be_lost =
      op == Op::div && machine_.quotient == 2 && machine_.flushes && power_of_two(argument(k, 1)) > -machine_.wide.emin;
  if (!may_be_lost && is_exact(k, propagated, is_sum ? a + b : most)) {
    finish(k, i, propagated, {});
    return sides_of_sum(k, i);
  }
  if (is_sum) {
    finish(k, i, propagated, wide_.u * most);
    return sides_of_sum(k, i);
  }
  const bool is_shift = power_of_two(argument(k, 1)) || (op == Op::mul && power_of_two(argument(k, 0)));
  if (is_shift && !may_be_lost) return finish(k, i, propagated, wide_.half_eta);
  if (op == Op::mul) return finish(k, i, propagated, wide_.u * most + wide_.half_eta);
  const unsigned long q = machine_.quotient;
  Magnitude local = wide_.grown(q) * most + Magnitude(q) * wide_.half_eta * (Magnitude(1UL) + large(k, 0, i)) +
                    Magnitude(2 * (q - 1)) * wide_.flushed * large(k, 0, i);
  // The reciprocal of the smallest divisor must not overflow.
  const Magnitude reciprocal = divided(Magnitude(1UL), least(k, 1, i));
  finish(k, i, propagated, local, q == 2 ? reciprocal : Magnitude());
}

void Forward::sum(std::size_t k, std::size_t i) {
  const Node& node = nodes_[k];
  const bool is_dot = node.op == Op::dot;
  const auto& steps = shaped_.steps(k, 0);
  const std::size_t n = steps.size();
  const bool is_clean = is_clean_[argument(k, 0)] && (!is_dot || is_clean_[argument(k, 1)]);
  Magnitude magnitudes;
  Magnitude propagated;
  Magnitude lone;      // Σ(1 + |a|)(1 + |b|)
  Magnitude unscaled;  // Σ|ab| with weights that are not yet divided
  std::size_t nonzero = 0;
  const Magnitude one(1UL);
  const bool is_weight = is_dot && weights_of(argument(k, 0));
  const bool is_second_weight = is_dot && weights_of(argument(k, 1));
  const bool has_weights = is_weight || is_second_weight;
  for (std::size_t j = 0; j < n; ++j) {
    const Magnitude first = large(k, 0, i, steps[j]);
    if (!is_dot) {
      magnitudes += first;
      nonzero += first.is_zero() ? 0 : 1;
      if (!is_clean) propagated += error(k, 0, i, steps[j]);
      continue;
    }
    const std::size_t other = shaped_.steps(k, 1)[j];
    const Magnitude second = large(k, 1, i, other);
    magnitudes.add_mul(first, second);
    const bool is_zero = first.is_zero() || second.is_zero();
    nonzero += is_zero ? 0 : 1;
    if (has_weights && !is_zero) {
      unscaled.add_mul(is_weight ? late_weight_ : first, is_second_weight ? late_weight_ : second);
    }
    if (node.extra != 0) lone.add_mul(one + first, one + second);
    if (is_clean) continue;
    propagated.add_mul(Magnitude(value(k, 0, i, steps[j])), error(k, 1, i, other));
    propagated.add_mul(error(k, 0, i, steps[j]), second);
  }
  if (!is_dot) lone = Magnitude(n) + magnitudes;
  Magnitude partial = max(magnitudes, unscaled) * (one + wide_.grown(has_weights ? 2 * n + 2 : n + 2));
  const bool exact = is_exact(k, propagated, magnitudes) && !(is_dot && has_subnormal_factor(k, i));
  Magnitude small;
  if (node.extra == 0) {
    if (exact) return finish(k, i, propagated, {}, magnitudes);
  } else {
    partial = max(partial, lone * moved_ * (one + wide_.grown(n + 2 + node.extra)));
    if (moves_exactly_ && exact) return finish(k, i, propagated, {}, partial);
    small = (Magnitude(2UL) * wide_.half_eta + Magnitude(3UL) * wide_.flushed) * lone * moved_;
  }
  if (!is_dot && nonzero > 2) small += Magnitude(nonzero - 2) * wide_.flushed;
  const Magnitude local =
      is_dot ? of_products(k, i, nonzero, magnitudes) : of_terms(n, nonzero, node.extra) * magnitudes;
  finish(k, i, propagated, local + small, partial);
}

Magnitude Forward::of_products(std::size_t k, std::size_t i, std::size_t nonzero, const Magnitude& magnitudes) const {
  const std::size_t n = shaped_.steps(k, 0).size();
  const bool has_weights = weights_of(argument(k, 0)) || weights_of(argument(k, 1));
  const unsigned long extra = nodes_[k].extra + (has_weights ? 2 : 0) + (has_weights && machine_.is_online ? n : 0);
  const bool is_exact_product = nodes_[k].extra == 0 && has_exact_products(k);
  const std::size_t terms = has_weights ? n : nonzero;
  const unsigned long roundings = additions(n, terms) + (is_exact_product ? 0 : 1) + extra;
  Magnitude local = wide_.grown(roundings) * magnitudes;
  // Products that are no numbers of the format; and flushes of all products and additions but the last one.
  const Magnitude of_small = is_exact_product && !has_weights ? Magnitude() : Magnitude(terms) * wide_.half_eta;
  const std::size_t flushes = terms == 0 ? 0 : has_weights ? 2 * terms : 2 * terms - 2;
  local += (of_small + Magnitude(flushes) * wide_.flushed) * (Magnitude(1UL) + wide_.grown(roundings)) * late_quotient_;
  if (!machine_.has_unit || !is_narrow(argument(k, 0)) || !is_narrow(argument(k, 1))) return local;
  const Magnitude theta = Magnitude(n) * Magnitude::power_of_two(-23);
  Magnitude lifted = max(magnitudes, Magnitude::power_of_two(-126));
  const Magnitude least = smallest_normal(argument(k, 0));
  const Magnitude second_least = smallest_normal(argument(k, 1));
  for (std::size_t j = 0; j < n; ++j) {
    lifted = max(lifted, max(large(k, 0, i, shaped_.steps(k, 0)[j]), least) *
                             max(large(k, 1, i, shaped_.steps(k, 1)[j]), second_least));
  }
  const Magnitude grown = wide_.grown(extra);
  const Magnitude of_unit = (theta + grown + theta * grown) * lifted + Magnitude(n) * wide_.flushed;
  return max(local, of_unit) + (has_weights ? local : Magnitude());
}

bool Forward::has_subnormal_factor(std::size_t k, std::size_t i) const {
  if (!machine_.has_unit || !is_narrow(argument(k, 0)) || !is_narrow(argument(k, 1))) return false;
  for (std::size_t a = 0; a < 2; ++a) {
    const Magnitude least = smallest_normal(argument(k, a));
    for (const std::size_t step : shaped_.steps(k, a)) {
      const Magnitude x(value(k, a, i, step));
      if (!x.is_zero() && x < least) return true;
    }
  }
  return false;
}

bool Forward::is_moved_unknown(std::size_t k, std::size_t i) const {
  const Op op = nodes_[k].op;
  const std::size_t sums = op == Op::mul ? 2 : op == Op::div ? 1 : 0;
  for (std::size_t a = 0; a < sums; ++a) {
    if (nodes_[argument(k, a)].extra == 0) continue;
    const Magnitude below = Magnitude::lower(value(k, 1 - a, i));
    if (below < Magnitude(2UL) * error(k, 1 - a, i)) return true;
  }
  return false;
}

void Forward::cumsum(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  for (const std::size_t first : rows.first) {
    Magnitude magnitudes;
    Magnitude propagated;
    for (std::size_t j = 0; j < rows.steps.size(); ++j) {
      const std::size_t i = first + rows.steps[j];
      magnitudes += large(k, 0, i);
      propagated += error(k, 0, i);
      const bool exact = is_exact(k, propagated, magnitudes);
      const Magnitude of_flush = Magnitude(std::max(j, std::size_t{1}) - 1) * wide_.flushed;
      finish(k, i, propagated, exact ? Magnitude() : Magnitude(j) * wide_.u * magnitudes + of_flush,
             magnitudes * (Magnitude(1UL) + wide_.grown(j)));
    }
  }
}

void Forward::function(std::size_t k, std::size_t i) {
  const Node& node = nodes_[k];
  if (shaped_.is_excluded(k, i)) return finish(k, i, {}, {});
  const Magnitude& of_x = error(k, 0, i);
  const Magnitude x = large(k, 0, i);
  const Magnitude ulps(2 * machine_.functions);
  const Magnitude few = Magnitude(machine_.functions) * wide_.eta;
  const Magnitude propagated = propagated_by(k, i, of_x);
  const Magnitude most = largest(k, i, propagated);
  const Magnitude of_form =
      machine_.exp_difference > 1
          ? Magnitude(3UL) * wide_.u * (Magnitude(1UL) + wide_.u * Magnitude(8UL)) * x + wide_.eta + wide_.flushed
          : Magnitude();
  switch (node.op) {
    case Op::neg:
    case Op::abs:
    case Op::relu:
      return finish(k, i, propagated, {});
    case Op::sqrt:
      finish(k, i, propagated, wide_.u * most);
      return sides_of_root(k, i);
    case Op::rsqrt:
      finish(k, i, propagated, (ulps + Magnitude(1UL)) * wide_.u * most);
      return sides_of_root(k, i);
    case Op::power: {
      const bool exact = is_exact(k, propagated, most);
      if (exact && node.exponent == 2) return finish(k, i, propagated, {});
      Magnitude relative = exact ? Magnitude() : wide_.grown(node.exponent - 1);
      if (node.exponent > 2) relative = max(relative, ulps * wide_.u);
      Magnitude small = (Magnitude(node.exponent - 1) * wide_.half_eta + Magnitude(node.exponent - 2) * wide_.flushed) *
                        (Magnitude(1UL) + wide_.grown(node.exponent)) *
                        power(max(x, Magnitude(1UL)), node.exponent - 2);
      if (node.exponent > 2) small += few;
      return finish(k, i, propagated, relative * most + small);
    }
    case Op::exp:
      return finish(k, i, propagated, (ulps * wide_.u + expm1(of_form)) * most + few);
    case Op::sigmoid: {
      const Magnitude s = (ulps + Magnitude(2UL)) * wide_.u + few + wide_.flushed + of_form;
      const Magnitude relative = divided(s, minus_lower(Magnitude(1UL), s));
      return finish(k, i, propagated, relative * most + wide_.half_eta + Magnitude::power_of_two(machine_.wide.emin));
    }
    default:
      return finish(k, i, propagated, ulps * wide_.u * most + few);
  }
}

Magnitude Forward::propagated_by(std::size_t k, std::size_t i, const Magnitude& error) const {
  const Node& node = nodes_[k];
  if (error.is_zero()) return {};
  const Ball& x = value(k, 0, i);
  if (!error.is_finite() || !x.is_finite()) return Magnitude::infinity();
  switch (node.op) {
    case Op::neg:
    case Op::abs:
    case Op::relu:
    case Op::sin:
    case Op::cos:
      return error;
    case Op::power:
      return Magnitude(node.exponent) * error * power(Magnitude(x) + error, node.exponent - 1);
    default:
      break;
  }
  if (node.op == Op::sqrt && is_nonnegative_[argument(k, 0)] && !(side(k, 0, i, -1) < Magnitude::lower(x))) {
    const Ball highest = function_of(Op::sqrt, end(k, 0, i, 1), 0, bits_);
    return max(Magnitude(values_[k][i]), Magnitude(sub(highest, values_[k][i], bits_)));
  }
  // Not exactly: the exponents of the two may be far apart.
  const Ball up = sub(function_of(node.op, end(k, 0, i, 1), 0, bits_), values_[k][i], bits_);
  const Ball down = sub(function_of(node.op, end(k, 0, i, -1), 0, bits_), values_[k][i], bits_);
  return up.is_finite() && down.is_finite() ? max(Magnitude(up), Magnitude(down)) : Magnitude::infinity();
}

Errors forward(const Shaped& shaped, const Balls& values, const Machine& machine,
               const std::vector<oracle::Format>& parameters, long bits, Overflow overflow) {
  return Forward(shaped, values, machine, parameters, bits, overflow).run();
}

}  // namespace assay::formulas
