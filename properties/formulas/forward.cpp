// Theorem formula.forward.1: E of every entry of every node, from the local rules of docs/bounds/formula.md.

#include <algorithm>
#include <bit>

#include "oracle/round.hpp"
#include "properties/formulas/errors.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Magnitude;

constexpr long whole_grid = 100000;  ///< of a tensor of zeros: a multiple of every power of two

/// What rounding to a format costs.
struct Costs {
  explicit Costs(const oracle::Format& format)
      : u(Magnitude::power_of_two(-format.precision)),
        half_eta(Magnitude::power_of_two(format.emin - format.precision)),
        eta(Magnitude::power_of_two(format.emin - format.precision + 1)),
        limit(Dyadic::scaled(1, format.emax + 1) - Dyadic::scaled(1, format.emax - std::min(format.precision, 28))),
        least(format.emin - format.precision + 1),
        precision(format.precision) {}

  /// At least (1 + u)ⁿ − 1.
  Magnitude grown(unsigned long n) const { return expm1(u * Magnitude(n)); }

  Magnitude u;
  Magnitude half_eta;  ///< half the smallest subnormal number
  Magnitude eta;
  Magnitude limit;  ///< results below it do not overflow
  long least;       ///< the exponent of the smallest subnormal number
  int precision;
};

unsigned long height(Order order, unsigned long n) {
  constexpr unsigned long chain = 64;
  const unsigned long any = n - 1;
  if (order == Order::any) return any;
  if (order == Order::tree) return static_cast<unsigned long>(std::bit_width(n - 1));
  return std::min(any, chain + (n + chain - 1) / chain);
}

class Forward {
 public:
  Forward(const Shaped& shaped, const Balls& values, const Machine& machine,
          const std::vector<oracle::Format>& parameters, long bits)
      : shaped_(shaped),
        nodes_(shaped.formula().nodes),
        values_(values),
        machine_(machine),
        parameters_(parameters),
        bits_(bits),
        wide_(machine.wide),
        stored_(machine.store.value_or(machine.wide)),
        grids_(nodes_.size()),
        base_(nodes_.size()),
        large_(nodes_.size()),
        is_clean_(nodes_.size()) {
    errors_.total.resize(nodes_.size());
    errors_.local.resize(nodes_.size());
  }

  Errors run() {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const std::size_t size = shaped_.size(k);
      errors_.total[k].resize(size);
      errors_.local[k].resize(size);
      grids_[k] = grid(k);
      node(k);
      large_[k].reserve(size);
      is_clean_[k] = true;
      for (std::size_t i = 0; i < size; ++i) {
        large_[k].push_back(Magnitude(values_[k][i]) + errors_.total[k][i]);
        is_clean_[k] = is_clean_[k] && errors_.total[k][i].is_zero();
      }
    }
    return std::move(errors_);
  }

 private:
  std::size_t argument(std::size_t k, std::size_t a) const { return nodes_[k].arguments[a]; }
  std::size_t place(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return shaped_.places(k, a)[i] + step;
  }
  const Ball& value(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return values_[argument(k, a)][place(k, a, i, step)];
  }
  const Magnitude& error(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return errors_.total[argument(k, a)][place(k, a, i, step)];
  }
  /// The largest magnitude of a computed argument.
  const Magnitude& large(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return large_[argument(k, a)][place(k, a, i, step)];
  }

  // -------------------------------------------------------------------------------------------------------- GRID

  /// All values of the node are multiples of 2^grid; nothing where that is not known.
  std::optional<long> grid(std::size_t k) const {
    const Node& node = nodes_[k];
    const auto of = [&](std::size_t a) { return grids_[argument(k, a)]; };
    const auto least = [&]() -> std::optional<long> {
      std::optional<long> smallest = whole_grid;
      for (std::size_t a = 0; a < node.arguments.size(); ++a) {
        if (node.op == Op::pick && a == 1) continue;
        smallest = of(a) && smallest ? std::optional(std::min(*smallest, *of(a))) : std::nullopt;
      }
      return smallest;
    };
    switch (node.op) {
      case Op::input:
      case Op::constant:
        return grid_of_values(k);
      case Op::mul:
      case Op::dot:
        return of(0) && of(1) ? std::optional(*of(0) + *of(1)) : std::nullopt;
      case Op::power:
        return of(0) ? std::optional(*of(0) * static_cast<long>(node.exponent)) : std::nullopt;
      case Op::div: {
        const std::optional<long> shift = power_of_two(argument(k, 1));
        return of(0) && shift ? std::optional(*of(0) - *shift) : std::nullopt;
      }
      case Op::add:
      case Op::sub:
      case Op::neg:
      case Op::abs:
      case Op::relu:
      case Op::maximum:
      case Op::minimum:
      case Op::sum:
      case Op::cumsum:
      case Op::maximum_over:
      case Op::gather:
      case Op::pick:
      case Op::stack:
      case Op::where:
        return least();
      default:
        return std::nullopt;
    }
  }
  std::optional<long> grid_of_values(std::size_t k) const {
    long grid = whole_grid;
    for (const Ball& each : values_[k]) {
      if (!Magnitude::radius(each).is_zero() || !each.is_finite()) return std::nullopt;
      const Dyadic x = each.lower();
      if (!x.is_zero()) grid = std::min(grid, x.lowest_exponent());
    }
    return grid;
  }
  /// The exponent of a constant that is a power of two.
  std::optional<long> power_of_two(std::size_t k) const {
    if (!nodes_[k].is_constant || values_[k].size() != 1 || !Magnitude::radius(values_[k][0]).is_zero()) {
      return std::nullopt;
    }
    const Dyadic x = values_[k][0].lower();
    return x.bit_length() == 1 ? std::optional(x.exponent()) : std::nullopt;
  }
  /// Whether multiples of 2^grid up to a magnitude are numbers with so many bits, the smallest of which is 2^least.
  static bool fits(std::optional<long> grid, const Magnitude& largest, int precision, long least) {
    return grid && *grid >= least && largest <= Magnitude::power_of_two(std::min(precision + *grid, 2 * whole_grid));
  }
  bool is_exact(std::size_t k, const Magnitude& propagated, const Magnitude& largest) const {
    const int precision = wide_.precision - (machine_.has_unit ? 1 : 0);
    return propagated.is_zero() && fits(grids_[k], largest, precision, wide_.least);
  }

  // ------------------------------------------------------------------------------------------------------ results

  /// E = P + λ, with STORE and OVERFLOW. `partial`: the largest magnitude of a partial result.
  void finish(std::size_t k, std::size_t i, const Magnitude& propagated, Magnitude local, const Magnitude& partial) {
    const Magnitude largest = Magnitude(values_[k][i]) + propagated;
    bool overflows = !(partial + local < wide_.limit) || !(largest + local < wide_.limit);
    if (machine_.stores(nodes_[k]) && k != shaped_.formula().result) {
      const bool is_exact =
          propagated.is_zero() && local.is_zero() && fits(grids_[k], largest, stored_.precision, stored_.least);
      if (!is_exact) local += stored_.u * (largest + local) + stored_.eta;
      overflows = overflows || !(largest + local < stored_.limit);
    }
    if (overflows || !values_[k][i].is_finite()) local = Magnitude::infinity();
    errors_.total[k][i] = propagated + local;
    errors_.local[k][i] = std::move(local);
  }
  void finish(std::size_t k, std::size_t i, const Magnitude& propagated, const Magnitude& local) {
    finish(k, i, propagated, local, Magnitude());
  }
  Magnitude largest(std::size_t k, std::size_t i, const Magnitude& propagated) const {
    return Magnitude(values_[k][i]) + propagated;
  }

  void node(std::size_t k) {
    const Node& node = nodes_[k];
    if (node.op == Op::input) return;
    if (node.is_constant) return constant(k);
    if (node.op == Op::logits) return logits(k);
    if (node.op == Op::softmax) return softmax(k);
    if (node.op == Op::cumsum) return cumsum(k);
    for (std::size_t i = 0; i < values_[k].size(); ++i) {
      switch (node.op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::div:
        case Op::maximum:
        case Op::minimum:
          two(k, i);
          break;
        case Op::sum:
        case Op::dot:
          sum(k, i);
          break;
        case Op::maximum_over: {
          Magnitude most;
          for (const std::size_t step : shaped_.steps(k, 0)) most = max(most, error(k, 0, i, step));
          finish(k, i, most, {});
          break;
        }
        case Op::gather:
          finish(k, i, error(k, 0, i), {});
          break;
        case Op::stack:
          finish(k, i, error(k, i % 2, i), {});
          break;
        case Op::where:
          finish(k, i, error(k, shaped_.is_in_mask(k, i) ? 0 : 1, i), {});
          break;
        case Op::pick: {
          Magnitude most;  // of all entries that might be picked: the integers are the case's, and this is not slower
          for (const std::size_t step : shaped_.steps(k, 0)) most = max(most, error(k, 0, i, step));
          finish(k, i, most, {});
          break;
        }
        case Op::norm:
          finish(k, i, {}, sum_of_weights(k));
          break;
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
  }

  /// formula.const.1
  void constant(std::size_t k) {
    const Ball& c = values_[k][0];
    const bool is_number = Magnitude::radius(c).is_zero() &&
                           (c.lower().is_zero() ||
                            (c.lower().bit_length() <= wide_.precision && c.lower().lowest_exponent() >= wide_.least));
    finish(k, 0, {}, is_number ? Magnitude() : wide_.u * Magnitude(c) + wide_.half_eta);
  }

  /// formula.round.1, formula.quotient.1
  void two(std::size_t k, std::size_t i) {
    const Op op = nodes_[k].op;
    const Magnitude& of_a = error(k, 0, i);
    const Magnitude& of_b = error(k, 1, i);
    const Magnitude a(value(k, 0, i));
    const Magnitude b(value(k, 1, i));
    Magnitude propagated = of_a + of_b;
    if (op == Op::maximum || op == Op::minimum) return finish(k, i, max(of_a, of_b), {});
    if (op == Op::mul) propagated = a * of_b + of_a * (b + of_b);
    if (op == Op::div) {
      const Magnitude below = minus_lower(Magnitude::lower(value(k, 1, i)), of_b);
      propagated =
          of_a.is_zero() && of_b.is_zero() ? Magnitude() : divided(of_a + Magnitude(values_[k][i]) * of_b, below);
      if (below.is_zero()) propagated = Magnitude::infinity();
    }
    const Magnitude most = largest(k, i, propagated);
    const bool is_sum = op == Op::add || op == Op::sub;
    if (is_exact(k, propagated, is_sum ? a + b : most)) return finish(k, i, propagated, {});
    if (is_sum) return finish(k, i, propagated, wide_.u * most);
    const bool is_shift = power_of_two(argument(k, 1)) || (op == Op::mul && power_of_two(argument(k, 0)));
    if (is_shift) return finish(k, i, propagated, wide_.half_eta);
    if (op == Op::mul) return finish(k, i, propagated, wide_.u * most + wide_.half_eta);
    const unsigned long q = machine_.quotient;
    Magnitude local = wide_.grown(q) * most + Magnitude(q) * wide_.half_eta * (Magnitude(1UL) + large(k, 0, i));
    // The reciprocal of the smallest divisor must not overflow.
    const Magnitude reciprocal = divided(Magnitude(1UL), minus_lower(Magnitude::lower(value(k, 1, i)), of_b));
    finish(k, i, propagated, local, q == 2 ? reciprocal : Magnitude());
  }

  /// formula.sum.1, formula.dot.1, formula.unit.1
  void sum(std::size_t k, std::size_t i) {
    const Node& node = nodes_[k];
    const bool is_dot = node.op == Op::dot;
    const auto& steps = shaped_.steps(k, 0);
    const std::size_t n = steps.size();
    const bool is_clean = is_clean_[argument(k, 0)] && (!is_dot || is_clean_[argument(k, 1)]);
    Magnitude magnitudes;
    Magnitude propagated;
    Magnitude lone;  // Σ|a| + Σ|b|
    for (std::size_t j = 0; j < n; ++j) {
      if (!is_dot) {
        magnitudes += large(k, 0, i, steps[j]);
        if (!is_clean) propagated += error(k, 0, i, steps[j]);
        continue;
      }
      const std::size_t other = shaped_.steps(k, 1)[j];
      magnitudes.add_mul(large(k, 0, i, steps[j]), large(k, 1, i, other));
      if (node.extra != 0) lone += large(k, 0, i, steps[j]) + large(k, 1, i, other);
      if (is_clean) continue;
      propagated.add_mul(Magnitude(value(k, 0, i, steps[j])), error(k, 1, i, other));
      propagated.add_mul(error(k, 0, i, steps[j]), large(k, 1, i, other));
    }
    if (is_exact(k, propagated, magnitudes)) return finish(k, i, propagated, {}, magnitudes);
    Magnitude local = is_dot ? of_products(k, i, magnitudes) : of_terms(n, node.extra) * magnitudes;
    if (node.extra != 0) local += moved_factor(k, is_dot ? lone : Magnitude(n));
    const Magnitude partial = magnitudes * (Magnitude(1UL) + wide_.grown(n + 2));
    finish(k, i, propagated, local, partial);
  }
  /// The relative error of a sum of n terms with so many further roundings of each.
  Magnitude of_terms(std::size_t n, unsigned long extra) const {
    const Magnitude by_height = wide_.grown(height(machine_.order, n) + extra);
    return extra == 0 ? min(by_height, Magnitude(n - 1) * wide_.u) : by_height;
  }
  bool is_weight(std::size_t k) const { return nodes_[k].op == Op::softmax; }
  Magnitude of_products(std::size_t k, std::size_t i, const Magnitude& magnitudes) const {
    const std::size_t n = shaped_.steps(k, 0).size();
    const bool has_weights = is_weight(argument(k, 0)) || is_weight(argument(k, 1));
    const unsigned long extra = nodes_[k].extra + (has_weights ? 2 : 0) + (has_weights && machine_.is_online ? n : 0);
    const bool is_exact_product = has_exact_products(k);
    const unsigned long roundings = height(machine_.order, n) + (is_exact_product ? 0 : 1) + extra;
    Magnitude local = wide_.grown(roundings) * magnitudes;
    if (!is_exact_product || has_weights) {
      local += Magnitude(n) * wide_.half_eta * (Magnitude(1UL) + wide_.grown(roundings)) * of_late_quotient(k);
    }
    if (!machine_.has_unit || !is_narrow(argument(k, 0)) || !is_narrow(argument(k, 1))) return local;
    const Magnitude theta = Magnitude(n) * Magnitude::power_of_two(-23);
    Magnitude lifted = max(magnitudes, Magnitude::power_of_two(-126));
    for (std::size_t j = 0; j < n; ++j) {
      lifted = max(lifted, max(large(k, 0, i, shaped_.steps(k, 0)[j]), smallest_normal(argument(k, 0))) *
                               max(large(k, 1, i, shaped_.steps(k, 1)[j]), smallest_normal(argument(k, 1))));
    }
    const Magnitude grown = wide_.grown(extra);
    return max(local, (theta + grown + theta * grown) * lifted) + (has_weights ? local : Magnitude());
  }
  /// By how much an error of a weight grows that is divided by the sum of its row after the contraction.
  Magnitude of_late_quotient(std::size_t k) const {
    Magnitude most(1UL);
    for (const std::size_t a : nodes_[k].arguments) {
      if (!is_weight(a)) continue;
      const std::size_t logits = argument(a, 0);
      const Magnitude g = of_weights(shaped_.rows(logits).steps.size());
      for (const Magnitude& base : base_[logits]) {
        most = max(most, Magnitude(4UL) * divided(exp(base), minus_lower(Magnitude(1UL), g)));
      }
    }
    return most;
  }
  /// The format of the numbers of a node where it is known to be narrow.
  std::optional<oracle::Format> narrow_format(std::size_t k) const {
    const bool is_input = nodes_[k].op == Op::input;
    if (!is_input && nodes_[k].op == Op::gather) return narrow_format(argument(k, 0));
    if (!is_input && !machine_.stores(nodes_[k])) return std::nullopt;
    const oracle::Format format = is_input ? parameters_[nodes_[k].parameter] : *machine_.store;
    return format.precision <= oracle::binary16.precision ? std::optional(format) : std::nullopt;
  }
  bool is_narrow(std::size_t k) const { return narrow_format(k).has_value(); }
  Magnitude smallest_normal(std::size_t k) const { return Magnitude::power_of_two(narrow_format(k)->emin); }
  bool has_exact_products(std::size_t k) const {
    const auto a = narrow_format(argument(k, 0));
    const auto b = narrow_format(argument(k, 1));
    return a && b && a->precision + b->precision <= wide_.precision &&
           a->emin - a->precision + 1 + b->emin - b->precision + 1 >= wide_.least && a->emax + b->emax + 1 <= 127;
  }
  /// What a factor that is moved into the terms adds where a term is subnormal: F3.
  Magnitude moved_factor(std::size_t k, const Magnitude& lone) const {
    const std::size_t factor = *nodes_[k].factor;
    Magnitude most(1UL);
    for (std::size_t i = 0; i < values_[factor].size(); ++i) {
      // A factor that is not known within half of it is not moved, nor one that may be 0.
      const Magnitude below = Magnitude::lower(values_[factor][i]).mul_2exp(-1);
      most = max(most, Magnitude(values_[factor][i]) * Magnitude(2UL));
      if (!below.is_zero()) most = max(most, divided(Magnitude(1UL), below));
    }
    return Magnitude(2UL) * wide_.half_eta * lone * most;
  }

  void cumsum(std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(k);
    for (const std::size_t first : rows.first) {
      Magnitude magnitudes;
      Magnitude propagated;
      for (std::size_t j = 0; j < rows.steps.size(); ++j) {
        const std::size_t i = first + rows.steps[j];
        magnitudes += large(k, 0, i);
        propagated += error(k, 0, i);
        const bool exact = is_exact(k, propagated, magnitudes);
        finish(k, i, propagated, exact ? Magnitude() : Magnitude(j) * wide_.u * magnitudes,
               magnitudes * (Magnitude(1UL) + wide_.grown(j)));
      }
    }
  }

  /// formula.function.1
  void function(std::size_t k, std::size_t i) {
    const Node& node = nodes_[k];
    const Magnitude& of_x = error(k, 0, i);
    const Magnitude x = large(k, 0, i);
    const Magnitude ulps(2 * machine_.functions);
    const Magnitude few = Magnitude(machine_.functions) * wide_.eta;
    const Magnitude propagated = propagated_by(k, i, of_x);
    const Magnitude most = largest(k, i, propagated);
    const Magnitude of_form = machine_.exp_difference > 1
                                  ? Magnitude(3UL) * wide_.u * (Magnitude(1UL) + wide_.u * Magnitude(8UL)) * x
                                  : Magnitude();
    switch (node.op) {
      case Op::neg:
      case Op::abs:
      case Op::relu:
        return finish(k, i, propagated, {});
      case Op::sqrt:
        return finish(k, i, propagated, wide_.u * most);
      case Op::rsqrt:
        return finish(k, i, propagated, (ulps + Magnitude(1UL)) * wide_.u * most);
      case Op::power: {
        if (is_exact(k, propagated, most)) return finish(k, i, propagated, {});
        Magnitude relative = wide_.grown(node.exponent - 1);
        if (node.exponent > 2) relative = max(relative, ulps * wide_.u);
        Magnitude small = Magnitude(node.exponent - 1) * wide_.half_eta *
                          (Magnitude(1UL) + wide_.grown(node.exponent)) *
                          power(max(x, Magnitude(1UL)), node.exponent - 2);
        if (node.exponent > 2) small += few;
        return finish(k, i, propagated, relative * most + small);
      }
      case Op::exp:
        return finish(k, i, propagated, (ulps * wide_.u + expm1(of_form)) * most + few);
      case Op::sigmoid: {
        const Magnitude s = (ulps + Magnitude(2UL)) * wide_.u + few + of_form;
        const Magnitude relative = divided(s, minus_lower(Magnitude(1UL), s));
        return finish(k, i, propagated, relative * most + wide_.half_eta + Magnitude::power_of_two(machine_.wide.emin));
      }
      default:
        return finish(k, i, propagated, ulps * wide_.u * most + few);
    }
  }

  /// P of a function of one argument, which is monotone in it or whose slope is at most 1.
  Magnitude propagated_by(std::size_t k, std::size_t i, const Magnitude& error) const {
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
    // Not exactly: the exponents of the two may be far apart.
    const Ball above = add(x.upper(), error.value(), bits_);
    const Ball below = sub(x.lower(), error.value(), bits_);
    const Ball up = sub(function_of(node.op, above, 0, bits_), values_[k][i], bits_);
    const Ball down = sub(function_of(node.op, below, 0, bits_), values_[k][i], bits_);
    return up.is_finite() && down.is_finite() ? max(Magnitude(up), Magnitude(down)) : Magnitude::infinity();
  }

  // --------------------------------------------------------------------------------------------------------- rows

  unsigned long rescalings(std::size_t n) const { return machine_.is_online ? n - 1 : 0; }
  /// At least −ln(1 − 2ku).
  Magnitude of_exp() const {
    const Magnitude relative = Magnitude(2 * machine_.functions) * wide_.u;
    return divided(relative, minus_lower(Magnitude(1UL), relative));
  }
  /// formula.logits.1
  void logits(std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(k);
    const bool has_mask = nodes_[k].mask.has_value();
    const Magnitude slack = wide_.u * (Magnitude(1UL) + Magnitude(8UL) * wide_.u);
    const Magnitude of_functions = Magnitude(1 + rescalings(rows.steps.size())) * of_exp();
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
      const Magnitude of_shift = Magnitude(machine_.exp_shift) * Magnitude(2UL) * most;
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
  /// g of formula.norm.1: the relative error of the sum of n weights.
  Magnitude of_weights(std::size_t n) const {
    return machine_.is_online ? wide_.grown(n - 1 + rescalings(n)) : of_terms(n, 0);
  }
  Magnitude sum_of_weights(std::size_t k) const {
    const Magnitude g = of_weights(shaped_.rows(argument(k, 0)).steps.size());
    return divided(g, minus_lower(Magnitude(1UL), g));
  }
  /// What weights that underflow add to one weight, and relatively to their sum; the reciprocal of the sum is at most
  /// e^base/(1 − g).
  Magnitude of_small_weights(std::size_t logits, std::size_t r) const {
    const std::size_t n = shaped_.rows(logits).steps.size();
    const Magnitude g = of_weights(n);
    return Magnitude(1 + rescalings(n)) * Magnitude(machine_.functions) * wide_.eta *
           divided(exp(base_[logits][r]), minus_lower(Magnitude(1UL), g));
  }

  /// formula.softmax.1, formula.weight.1
  void softmax(std::size_t k) {
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

  /// formula.logsumexp.1
  void logsumexp(std::size_t k, std::size_t i) {
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

  /// formula.variance.1, formula.variance.2
  void variance(std::size_t k, std::size_t i) {
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
    const Magnitude of_sum = of_terms(n, 0);
    const auto times = [](const Magnitude& a, const Magnitude& b) { return a + b + a * b; };
    const Magnitude of_mean =
        times(of_sum, wide_.grown(machine_.quotient)) * divided(magnitudes, below) + q * wide_.half_eta;
    const Magnitude shifted = of_mean * of_mean;
    Magnitude local = times(of_sum, wide_.grown(3 + machine_.quotient)) * (most + shifted) + shifted +
                      (Magnitude(2UL) + q) * wide_.eta;
    if (machine_.has_one_pass) {
      const Magnitude mean = divided(magnitudes, below);
      const Magnitude first = times(of_sum, wide_.grown(1 + machine_.quotient)) * divided(squares, below) +
                              (Magnitude(2UL) + q) * wide_.eta;
      const Magnitude second =
          of_mean * (Magnitude(2UL) * mean + of_mean) + wide_.u * (mean + of_mean) * (mean + of_mean) + wide_.half_eta;
      local = max(local, (first + second) * (Magnitude(1UL) + wide_.u) + wide_.u * most);
    }
    // A variance may not be larger than all that its sum of squares can be.
    finish(k, i, propagated, local, squares * (Magnitude(1UL) + wide_.grown(n + 4)) * Magnitude(4UL));
  }

  const Shaped& shaped_;
  const std::vector<Node>& nodes_;
  const Balls& values_;
  const Machine& machine_;
  const std::vector<oracle::Format>& parameters_;
  long bits_;
  Costs wide_;
  Costs stored_;
  std::vector<std::optional<long>> grids_;
  std::vector<std::vector<Magnitude>> base_;  ///< of logits, by row: the error of the largest weight's logit
  Magnitudes large_;
  std::vector<bool> is_clean_;
  Errors errors_;
};

}  // namespace

Errors forward(const Shaped& shaped, const Balls& values, const Machine& machine,
               const std::vector<oracle::Format>& parameters, long bits) {
  return Forward(shaped, values, machine, parameters, bits).run();
}

std::string rule_of(const Node& node) {
  if (node.is_constant) return "formula.const.1";
  switch (node.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
      return "formula.round.1";
    case Op::div:
      return "formula.quotient.1";
    case Op::sum:
    case Op::cumsum:
      return "formula.sum.1";
    case Op::dot:
      return "formula.dot.1";
    case Op::logits:
      return "formula.logits.1";
    case Op::norm:
      return "formula.norm.1";
    case Op::softmax:
      return "formula.weight.1";
    case Op::logsumexp:
      return "formula.logsumexp.1";
    case Op::variance:
      return "formula.variance.1";
    case Op::input:
    case Op::neg:
    case Op::abs:
    case Op::relu:
    case Op::maximum:
    case Op::minimum:
    case Op::maximum_over:
    case Op::gather:
    case Op::pick:
    case Op::stack:
    case Op::where:
      return "formula.move.1";
    default:
      return "formula.function.1";
  }
}

}  // namespace assay::formulas
