#include "properties/formulas/values.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "oracle/exact.hpp"
#include "oracle/magnitude.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/entries.hpp"
#include "properties/formulas/ways.hpp"

namespace assay::formulas {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Elementary;

namespace {

Ball power_of(const Ball& x, unsigned long n, long bits) {
  Ball result = x;
  for (unsigned long k = 1; k < n; ++k) result = mul(result, x, bits);
  return result;
}

/// Not finite where the sign is not known.
Ball sign_of(const Ball& x, long bits) {
  if (oracle::Magnitude(x).is_zero()) return {};
  if (oracle::less(Ball(), x) == oracle::Answer::yes) return Dyadic(1);
  if (oracle::less(x, Ball()) == oracle::Answer::yes) return Dyadic(-1);
  return div(Ball(Dyadic(1)), Ball(), bits);
}

Ball constant_of(const Node& node, const Shaped& shaped, long bits) {
  if (node.is_pi) return oracle::pi(bits);
  if (node.length) return Dyadic(shaped.value(*node.length));
  return Ball(node.value, bits);
}

/// Radii are 0 or at least 2^-5000, so that the endpoints of a ball are not longer: 1 − e^−(2^60) would have 2^60 bits.
void keep_short(Ball& x) {
  const oracle::Magnitude least = oracle::Magnitude::power_of_two(-5000);
  const oracle::Magnitude radius = oracle::Magnitude::radius(x);
  if (!radius.is_zero() && radius < least)
    x = oracle::widened(oracle::Magnitude(x) < least ? Ball(Dyadic(), least.value()) : x, least);
}

/// One node; the values of its arguments are known.
class Evaluation {
 public:
  Evaluation(const Shaped& shaped, const Inputs& inputs, long bits, Balls& values)
      : shaped_(shaped), inputs_(inputs), bits_(bits), values_(values) {}

  void node(std::size_t k) {
    values_[k].resize(shaped_.size(k));
    compute(k);
    for (std::size_t i = 0; i < values_[k].size(); ++i) keep_short(values_[k][i]);
  }

 private:
  void compute(std::size_t k) {
    const Node& node = shaped_.formula().nodes[k];
    switch (node.op) {
      case Op::input: {
        const auto& numbers = inputs_.numbers[node.parameter];
        for (std::size_t i = 0; i < numbers.size(); ++i) values_[k][i] = numbers[i];
        return;
      }
      case Op::constant:
        values_[k][0] = constant_of(node, shaped_, bits_);
        return;
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::maximum:
      case Op::minimum:
      case Op::pow:
      case Op::atan2:
      case Op::fmod:
      case Op::remainder:
        for_each(k, [&](std::size_t i) { return two(node.op, at(k, 0, i), at(k, 1, i)); });
        return;
      case Op::where:
        for_each(k, [&](std::size_t i) { return at(k, shaped_.is_in_mask(k, i) ? 0 : 1, i); });
        return;
      case Op::gather:
        for_each(k, [&](std::size_t i) { return at(k, 0, i); });
        return;
      case Op::stack:
        for_each(k, [&](std::size_t i) { return at(k, i % 2, i); });
        return;
      case Op::pick:  // throws
        for (std::size_t i = 0; i < values_[k].size(); ++i) values_[k][i] = picked(k, i);
        return;
      case Op::spread:  // throws
        for (std::size_t i = 0; i < values_[k].size(); ++i) {
          if (is_named(shaped_, inputs_, node, k, i)) values_[k][i] = at(k, 0, i);
        }
        return;
      case Op::stochastic:
        for_each(k, [&](std::size_t i) {
          return stochastic_of(at(k, 0, i), shaped_.word(k, i), shaped_.words(k), *node.to);
        });
        return;
      case Op::norm:
        for_each(k, [](std::size_t) { return Ball(Dyadic(1)); });
        return;
      case Op::logits:
        for_each(k, [&](std::size_t i) { return at(k, 0, i); });
        return;
      case Op::sum:
      case Op::dot:
      case Op::prod:
      case Op::maximum_over:
      case Op::argmax:
      case Op::variance:
        for_each(
            k, [&](std::size_t i) { return over(node, k, i); }, shaped_.steps(k, 0).size());
        return;
      case Op::cumsum:
      case Op::cumprod:
        for (const std::size_t first : shaped_.rows(k).first) running(k, first);
        return;
      case Op::sort:
        for (const std::size_t first : shaped_.rows(k).first) sort(k, first);
        return;
      case Op::softmax:
      case Op::logsumexp:
        rows(node, k);
        return;
      default:
        for_each(
            k,
            [&](std::size_t i) {
              return shaped_.is_excluded(k, i) ? Ball() : function_of(node.op, at(k, 0, i), node.exponent, bits_);
            },
            32);
    }
  }

  const Ball& at(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return known(shaped_.formula().nodes[k].arguments[a])[shaped_.places(k, a)[i] + step];
  }
  const Column<Ball>& known(std::size_t k) const { return values_[k]; }
  /// `work`: operations of an entry.
  template <class F>
  void for_each(std::size_t k, const F& f, std::size_t work = 1) {
    for_each_entry(values_[k].size(), work, [&](std::size_t i) { values_[k][i] = f(i); });
  }

  Ball two(Op op, const Ball& a, const Ball& b) const {
    switch (op) {
      case Op::add:
        return add(a, b, bits_);
      case Op::sub:
        return sub(a, b, bits_);
      case Op::mul:
        return mul(a, b, bits_);
      case Op::div:
        return div(a, b, bits_);
      case Op::pow:
        return pow_of(a, b, bits_);
      case Op::atan2:
        return atan2_of(a, b, bits_);
      case Op::fmod:
      case Op::remainder:
        return rest_of(a, b, op == Op::remainder);
      default: {
        Ball result;
        (op == Op::maximum ? arb_max : arb_min)(result.get(), a.get(), b.get(), bits_);
        return result;
      }
    }
  }

  Ball picked(std::size_t k, std::size_t i) const {
    const Node& node = shaped_.formula().nodes[k];
    const std::optional<std::size_t> step = step_of_pick(shaped_, inputs_, node, k, i);
    return step ? at(k, 0, i, *step) : Ball();
  }

  Ball over(const Node& node, std::size_t k, std::size_t i) const {
    const std::vector<std::size_t>& steps = shaped_.steps(k, 0);
    Ball result;
    if (node.op == Op::variance) return variance(k, i);
    if (node.op == Op::argmax) return argmax(k, i);
    if (node.op == Op::maximum_over) return maximum_over(k, i);
    for (std::size_t j = 0; j < steps.size(); ++j) {
      const Ball& x = at(k, 0, i, steps[j]);
      if (node.op == Op::dot) {
        arb_addmul(result.get(), x.get(), at(k, 1, i, shaped_.steps(k, 1)[j]).get(), bits_);
      } else if (node.op == Op::sum || j == 0) {
        result = add(result, x, bits_);
      } else {
        result = mul(result, x, bits_);
      }
    }
    return result;
  }

  Ball maximum_over(std::size_t k, std::size_t i) const {
    std::optional<Ball> most;
    for (const std::size_t step : shaped_.steps(k, 0)) {
      if (shaped_.is_excluded(k, shaped_.places(k, 0)[i] + step)) continue;
      const Ball& x = at(k, 0, i, step);
      most = most ? two(Op::maximum, *most, x) : x;
    }
    return *most;
  }

  /// Not finite where the numbers are not known well enough.
  Ball argmax(std::size_t k, std::size_t i) const {
    const std::vector<std::size_t>& steps = shaped_.steps(k, 0);
    std::size_t best = 0;
    for (std::size_t j = 1; j < steps.size(); ++j) {
      const oracle::Answer is_larger = oracle::less(at(k, 0, i, steps[best]), at(k, 0, i, steps[j]));
      if (is_larger == oracle::Answer::undecided) return div(Ball(Dyadic(1)), Ball(), bits_);
      if (is_larger == oracle::Answer::yes) best = j;
    }
    return Dyadic(best);
  }

  Ball variance(std::size_t k, std::size_t i) const {
    const std::vector<std::size_t>& steps = shaped_.steps(k, 0);
    const Ball n = Dyadic(steps.size());
    Ball sum;
    for (const std::size_t step : steps) sum = add(sum, at(k, 0, i, step), bits_);
    const Ball mean = div(sum, n, bits_);
    Ball squares;
    for (const std::size_t step : steps) {
      const Ball d = sub(at(k, 0, i, step), mean, bits_);
      arb_addmul(squares.get(), d.get(), d.get(), bits_);
    }
    return div(squares, n, bits_);
  }

  /// The sums of a row, or its products.
  void running(std::size_t k, std::size_t first) {
    const Op op = shaped_.formula().nodes[k].op == Op::cumsum ? Op::add : Op::mul;
    Ball so_far = Dyadic(op == Op::add ? 0 : 1);
    for (const std::size_t step : shaped_.rows(k).steps) {
      so_far = two(op, so_far, at(k, 0, first + step));
      values_[k][first + step] = so_far;
    }
  }

  /// The j-th number in ascending order grows in each number, so its ends are the j-th lower and the j-th upper end.
  void sort(std::size_t k, std::size_t first) {
    const std::vector<std::size_t>& steps = shaped_.rows(k).steps;
    std::vector<Dyadic> lower;
    std::vector<Dyadic> upper;
    for (const std::size_t step : steps) {
      const Ball& x = at(k, 0, first + step);
      if (x.is_finite()) {
        lower.push_back(x.lower());
        upper.push_back(x.upper());
      } else {
        for (const std::size_t each : steps) values_[k][first + each] = x;
        return;
      }
    }
    std::ranges::sort(lower);
    std::ranges::sort(upper);
    for (std::size_t j = 0; j < steps.size(); ++j) {
      Ball& x = values_[k][first + steps[j]];
      x = lower[j];
      if (lower[j] != upper[j]) arb_union(x.get(), x.get(), Ball(upper[j]).get(), bits_);
    }
  }

  /// Rows of logits: their weights over the sum, or the logarithm of the sum.
  void rows(const Node& node, std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(node.arguments[0]);
    for_each_entry(rows.first.size(), 32 * rows.steps.size(), [&](std::size_t r) { row(node, k, r); });
  }
  void row(const Node& node, std::size_t k, std::size_t r) {
    const std::size_t logits = node.arguments[0];
    const Shaped::Rows& rows = shaped_.rows(logits);
    std::vector<std::size_t> places;
    for (const std::size_t step : rows.steps) {
      if (shaped_.counts(logits, rows.first[r] + step)) places.push_back(rows.first[r] + step);
    }
    Dyadic shift;
    bool is_first = true;
    for (const std::size_t each : places) {
      Dyadic upper = known(logits)[each].is_finite() ? known(logits)[each].upper() : Dyadic();
      if (is_first || shift < upper) shift = std::move(upper);
      is_first = false;
    }
    std::vector<Ball> weights;
    Ball sum;
    for (const std::size_t each : places) {
      weights.push_back(oracle::exp(sub(known(logits)[each], shift, bits_), bits_));
      sum = add(sum, weights.back(), bits_);
    }
    if (node.op == Op::logsumexp) {
      values_[k][r] = add(oracle::elementary_of(Elementary::log, sum, bits_), shift, bits_);
      return;
    }
    const Ball& factor = known(node.arguments[1])[r];
    for (std::size_t j = 0; j < places.size(); ++j) {
      values_[k][places[j]] = mul(div(weights[j], sum, bits_), factor, bits_);
    }
  }

  const Shaped& shaped_;
  const Inputs& inputs_;
  long bits_;
  Balls& values_;
};

}  // namespace

std::optional<std::size_t> integer_of(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k,
                                      std::size_t entry) {
  const Formula& formula = shaped.formula();
  const Parameter& parameter = formula.parameters[node.parameter];
  const std::int64_t at = inputs.integers[node.parameter][shaped.places(k, 1)[entry]];
  if (parameter.ignored && at == *parameter.ignored) return std::nullopt;
  if (at < 0 || at >= shaped.lengths()[*parameter.index_of]) {
    throw FormulaError(parameter.name + " names the entry " + std::to_string(at) + ", and the axis " +
                       formula.axes[*parameter.index_of].name + " has " +
                       std::to_string(shaped.lengths()[*parameter.index_of]));
  }
  return static_cast<std::size_t>(at);
}

std::optional<std::size_t> step_of_pick(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k,
                                        std::size_t entry) {
  const std::optional<std::size_t> place = integer_of(shaped, inputs, node, k, entry);
  if (!place) return std::nullopt;
  return shaped.steps(k, 0)[node.over.empty() ? 0 : *place];
}

bool is_named(const Shaped& shaped, const Inputs& inputs, const Node& node, std::size_t k, std::size_t entry) {
  const auto length = static_cast<std::size_t>(shaped.lengths()[node.axes.back()]);
  return integer_of(shaped, inputs, node, k, entry) == entry % length;
}

Ball pow_of(const Ball& x, const Ball& y, long bits) {
  const bool is_zero = oracle::Magnitude(x).is_zero();
  if (is_zero && oracle::less(Ball(), y) == oracle::Answer::yes) return {};
  Ball result;
  arb_pow(result.get(), x.get(), y.get(), bits);
  return result;
}

Ball atan2_of(const Ball& y, const Ball& x, long bits) {
  const bool is_apart = oracle::Magnitude::lower(y).is_zero() && oracle::less(Ball(), x) != oracle::Answer::yes;
  if (is_apart || !x.is_finite() || !y.is_finite()) return div(Ball(Dyadic(1)), Ball(), bits);
  Ball result;
  arb_atan2(result.get(), y.get(), x.get(), bits);
  return result;
}

Ball rest_of(const Ball& x, const Ball& y, bool is_nearest) {
  const bool are_exact = x.is_finite() && y.is_finite() && oracle::Magnitude::radius(x).is_zero() &&
                         oracle::Magnitude::radius(y).is_zero();
  if (!are_exact || y.lower().is_zero()) return div(Ball(Dyadic(1)), Ball(), 64);
  const Dyadic divisor = abs(y.lower());
  Dyadic rest = abs(x.lower());
  bool is_odd = false;  // the quotient so far
  const long shift = rest.is_zero() ? -1 : rest.exponent() - divisor.exponent();
  for (long k = shift; k >= 0; --k) {
    const Dyadic part = divisor * Dyadic::scaled(1, k);
    const bool fits = !(rest < part);
    if (fits) rest = rest - part;
    if (k == 0) is_odd = fits;
  }
  if (is_nearest) {
    const Dyadic twice = rest * Dyadic(2);
    if (divisor < twice || (divisor == twice && is_odd)) rest = rest - divisor;
  }
  return x.lower().sign() < 0 ? -rest : rest;
}

Ball stochastic_of(const Ball& x, std::int64_t word, std::int64_t words, const oracle::Format& to) {
  const Ball overflow = div(Ball(Dyadic(1)), Ball(), 64);
  if (!x.is_finite()) return x;
  const auto rounded = [&](const Dyadic& from) -> Ball {
    Dyadic part = oracle::ulp(from, to) * Dyadic(word);
    part.mul_2exp(-std::countr_zero(static_cast<std::uint64_t>(words)));
    const Dyadic sum = abs(from) + part;
    if (!(sum < Dyadic::scaled(1, to.emax + 1))) return overflow;
    const Dyadic size = oracle::decode_finite(to, oracle::round(sum, to, oracle::Rounding::zero));
    return from.sign() < 0 ? -size : size;
  };
  // It grows with x.
  Ball low = rounded(x.lower());
  const Ball high = rounded(x.upper());
  if (!low.is_finite() || !high.is_finite()) return overflow;
  if (low.lower() != high.lower()) arb_union(low.get(), low.get(), high.get(), 2 * to.precision + 64);
  return low;
}

Ball function_of(Op op, const Ball& x, unsigned long exponent, long bits) {
  switch (op) {
    case Op::neg:
      return sub(Ball(), x, bits);
    case Op::abs:
      return abs(x);
    case Op::relu: {
      Ball result;
      arb_max(result.get(), x.get(), Ball().get(), bits);
      return result;
    }
    case Op::sign:
      return sign_of(x, bits);
    case Op::power:
      return power_of(x, exponent, bits);
    case Op::sigmoid: {
      const Ball e = oracle::exp(sub(Ball(), x, bits), bits);
      return div(Ball(Dyadic(1)), add(Ball(Dyadic(1)), e, bits), bits);
    }
    case Op::exp:
      return oracle::exp(x, bits);
    case Op::exp2:
      return oracle::elementary_of(Elementary::exp2, x, bits);
    case Op::expm1:
      return oracle::elementary_of(Elementary::expm1, x, bits);
    case Op::log:
      return oracle::elementary_of(Elementary::log, x, bits);
    case Op::log1p:
      return oracle::elementary_of(Elementary::log1p, x, bits);
    case Op::sqrt:
      return oracle::elementary_of(Elementary::sqrt, x, bits);
    case Op::rsqrt:
      return oracle::elementary_of(Elementary::rsqrt, x, bits);
    case Op::tanh:
      return oracle::elementary_of(Elementary::tanh, x, bits);
    case Op::erf:
      return oracle::elementary_of(Elementary::erf, x, bits);
    case Op::sin:
      return oracle::elementary_of(Elementary::sin, x, bits);
    case Op::cos:
      return oracle::elementary_of(Elementary::cos, x, bits);
    default:
      return x;
  }
}

std::vector<Ball> products_of_others(const std::vector<Ball>& factors, long bits) {
  std::vector<Ball> products;
  Ball so_far = Dyadic(1);
  for (const Ball& each : factors) {
    products.push_back(so_far);
    so_far = mul(so_far, each, bits);
  }
  so_far = Dyadic(1);
  for (std::size_t j = factors.size(); j-- > 0;) {
    products[j] = mul(products[j], so_far, bits);
    so_far = mul(so_far, factors[j], bits);
  }
  return products;
}

Balls evaluate_way(const Shaped& shaped, const Inputs& inputs, long bits, const Formula& formula, const Balls& values) {
  const std::vector<std::optional<std::size_t>> known = known_nodes(shaped.formula(), formula, Same::value);
  Balls of_way(known.size());
  Evaluation evaluation(shaped, inputs, bits, of_way);
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (known[k]) {
      of_way[k] = values[*known[k]];
    } else {
      evaluation.node(k);
    }
  }
  return of_way;
}

Balls evaluate(const Shaped& shaped, const Inputs& inputs, long bits, const Balls* deltas) {
  Balls values(shaped.formula().nodes.size());
  Evaluation evaluation(shaped, inputs, bits, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    evaluation.node(k);
    if (deltas == nullptr) continue;
    for (std::size_t i = 0; i < values[k].size(); ++i) values[k][i] = add(values[k][i], (*deltas)[k][i], bits);
  }
  return values;
}

}  // namespace assay::formulas
