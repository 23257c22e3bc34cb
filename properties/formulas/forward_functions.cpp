// Powers of two tensors, roots beside 0, signs, and numbers in ascending order: formula.pow.1, formula.root.1,
// formula.sign.1, formula.sort.1, formula.argmax.1, formula.atan2.1, formula.rest.1.

#include "properties/formulas/forward.hpp"

namespace assay::formulas {

void Forward::pow(std::size_t k, std::size_t i) {
  const Magnitude propagated = propagated_by_pow(k, i);
  const Magnitude most = largest(k, i, propagated);
  const Magnitude k_ulps(machine_.functions);
  const Magnitude relative = Magnitude(2UL) * k_ulps * wide_.u;
  Magnitude of_form;
  if (machine_.exp_difference > 1 && !Magnitude(value(k, 0, i)).is_zero()) {
    const Magnitude exponent = largest_exponent(k, i);
    of_form = expm1((relative + wide_.u + relative * wide_.u) * exponent +
                    (Magnitude(2UL) * k_ulps * large(k, 1, i) + Magnitude(1UL)) * wide_.eta +
                    (large(k, 1, i) + Magnitude(1UL)) * wide_.flushed);
  }
  finish(k, i, propagated, (relative + of_form + relative * of_form) * most + k_ulps * wide_.eta);
}

Magnitude Forward::largest_exponent(std::size_t k, std::size_t i) const {
  Magnitude logarithm;
  for (const int sign : {-1, 1}) {
    const Ball x = abs(end(k, 0, i, sign));
    logarithm = max(logarithm, Magnitude(function_of(Op::log, x, 0, bits_)));
  }
  return logarithm * large(k, 1, i);
}

Ball Forward::end(std::size_t k, std::size_t a, std::size_t i, int sign) const {
  const Ball& x = value(k, a, i);
  const Dyadic e = side(k, a, i, sign).value();
  return sign > 0 ? add(x.upper(), e, bits_) : sub(x.lower(), e, bits_);
}

Magnitude Forward::propagated_by_pow(std::size_t k, std::size_t i) const {
  const Magnitude& of_x = error(k, 0, i);
  const Magnitude& of_y = error(k, 1, i);
  if (of_x.is_zero() && of_y.is_zero()) return {};
  const bool is_known = of_x.is_finite() && of_y.is_finite() && value(k, 0, i).is_finite() &&
                        value(k, 1, i).is_finite() && values_[k][i].is_finite();
  if (!is_known || oracle::less(Ball(), end(k, 0, i, -1)) != oracle::Answer::yes) return Magnitude::infinity();
  Magnitude most;
  for (const int of_base : {-1, 1}) {
    for (const int of_exponent : {-1, 1}) {
      const Ball corner = pow_of(end(k, 0, i, of_base), end(k, 1, i, of_exponent), bits_);
      const Ball moved = sub(corner, values_[k][i], bits_);
      most = moved.is_finite() ? max(most, Magnitude(moved)) : Magnitude::infinity();
    }
  }
  return most;
}

bool Forward::is_nonnegative(std::size_t k) const {
  const Node& node = nodes_[k];
  const auto of = [&](std::size_t a) { return static_cast<bool>(is_nonnegative_[argument(k, a)]); };
  switch (node.op) {
    case Op::abs:
    case Op::relu:
      return true;
    case Op::power:
      return node.exponent == 2;
    case Op::variance:
      return !machine_.has_one_pass;
    case Op::dot:
    case Op::mul:
      return node.arguments[0] == node.arguments[1] || (of(0) && of(1));
    case Op::maximum:
      return of(0) || of(1);
    case Op::add:
    case Op::div:
    case Op::minimum:
    case Op::stack:
      return of(0) && of(1);
    case Op::sum:
    case Op::cumsum:
    case Op::prod:
    case Op::cumprod:
    case Op::sign:
    case Op::sort:
    case Op::sqrt:
    case Op::gather:
    case Op::maximum_over:
      return of(0);
    case Op::input:  // read as it is, or as 0
      return machine_.flushes && std::ranges::all_of(values_[k], [](const Ball& each) {
               return oracle::less_equal(Ball(), each) == oracle::Answer::yes;
             });
    case Op::constant:
      return oracle::less_equal(Ball(), values_[k][0]) == oracle::Answer::yes;
    default:
      return false;
  }
}

void Forward::atan2(std::size_t k, std::size_t i) {
  const Magnitude& of_y = error(k, 0, i);
  const Magnitude& of_x = error(k, 1, i);
  Magnitude propagated;
  if (!of_y.is_zero() || !of_x.is_zero()) {
    const Magnitude least_y = minus_lower(Magnitude::lower(value(k, 0, i)), of_y);
    const Magnitude least_x = minus_lower(Magnitude::lower(value(k, 1, i)), of_x);
    const bool is_right = oracle::less(Ball(), value(k, 1, i)) == oracle::Answer::yes && !least_x.is_zero();
    // The rectangle of the arguments has no point with x ≤ 0 and y = 0.
    const bool is_known = is_right || !least_y.is_zero();
    const Ball squares =
        add(mul(least_x.value(), least_x.value(), bits_), mul(least_y.value(), least_y.value(), bits_), bits_);
    propagated = is_known ? divided(of_y * large(k, 1, i) + of_x * large(k, 0, i), Magnitude::lower(squares))
                          : Magnitude::infinity();
  }
  const Magnitude ulps(machine_.functions);
  finish(k, i, propagated, Magnitude(2UL) * ulps * wide_.u * largest(k, i, propagated) + ulps * wide_.eta);
}

void Forward::rest(std::size_t k, std::size_t i) {
  const bool is_exact = error(k, 0, i).is_zero() && error(k, 1, i).is_zero();
  finish(k, i, is_exact ? Magnitude() : Magnitude::infinity(), {});
}

void Forward::sign(std::size_t k, std::size_t i) {
  const bool is_known = error(k, 0, i).is_zero() || !least(k, 0, i).is_zero();
  const Magnitude of_step = is_known ? Magnitude() : Magnitude(1UL) + Magnitude(values_[k][i]);
  finish(k, i, {}, error(k, 0, i).is_finite() ? of_step : Magnitude::infinity());
}

void Forward::stochastic(std::size_t k, std::size_t i) {
  if (error(k, 0, i).is_zero() || !values_[k][i].is_finite()) return finish(k, i, {}, {});
  if (!error(k, 0, i).is_finite()) return finish(k, i, {}, Magnitude::infinity());
  Magnitude of_step;
  for (const int sign : {-1, 1}) {
    const Ball to = stochastic_of(end(k, 0, i, sign), shaped_.word(k, i), shaped_.words(k), *nodes_[k].to);
    of_step = max(of_step, to.is_finite() ? Magnitude(sub(to, values_[k][i], bits_)) : Magnitude::infinity());
  }
  finish(k, i, {}, of_step);
}

void Forward::argmax(std::size_t k, std::size_t i) {
  const std::vector<std::size_t>& steps = shaped_.steps(k, 0);
  const bool is_exact = std::ranges::all_of(steps, [&](std::size_t step) { return error(k, 0, i, step).is_zero(); });
  if (!values_[k][i].is_finite()) return finish(k, i, {}, {});
  // A place beyond 2ᵖ may have to be rounded.
  const auto rounding = [&](std::size_t distance) {
    const Dyadic last = values_[k][i].lower() + Dyadic(distance);
    return last <= Dyadic::scaled(1, wide_.precision) ? Magnitude() : wide_.u * Magnitude(last);
  };
  if (is_exact) return finish(k, i, {}, rounding(0));
  std::size_t best = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    if (!error(k, 0, i, steps[j]).is_finite()) return finish(k, i, {}, Magnitude::infinity());
    if (oracle::less(value(k, 0, i, steps[best]), value(k, 0, i, steps[j])) == oracle::Answer::yes) best = j;
  }
  const Ball lowest = sub(value(k, 0, i, steps[best]).lower(), error(k, 0, i, steps[best]).value(), bits_);
  std::size_t farthest = 0;  // of the places that a program may take for that of the largest number
  for (std::size_t j = 0; j < steps.size(); ++j) {
    const Ball highest = add(value(k, 0, i, steps[j]).upper(), error(k, 0, i, steps[j]).value(), bits_);
    if (oracle::less(highest, lowest) != oracle::Answer::yes)
      farthest = std::max(farthest, j < best ? best - j : j - best);
  }
  finish(k, i, {}, Magnitude(farthest) + rounding(farthest));
}

void Forward::sort(std::size_t k) {
  const Shaped::Rows& rows = shaped_.rows(k);
  for (const std::size_t first : rows.first) {
    Magnitude most;
    for (const std::size_t step : rows.steps) most = max(most, error(k, 0, first + step));
    for (const std::size_t step : rows.steps) finish(k, first + step, most, {});
  }
}

}  // namespace assay::formulas
