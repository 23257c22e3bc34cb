#include "properties/formulas/kinds.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "properties/formulas/kind_rules.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Magnitude;

class Kinding {
 public:
  Kinding(const Shaped& shaped, const Inputs& inputs, const SpecialInputs& special, const Balls& values,
          const Errors& errors, const Machine& machine, Sources sources)
      : shaped_(shaped),
        inputs_(inputs),
        special_(special),
        values_(values),
        errors_(errors),
        machine_(machine),
        limit_(Magnitude::power_of_two(machine.wide.emax - 1)),
        least_(Magnitude::power_of_two(machine.wide.emin + 1)),
        sources_(sources),
        kinds_(values.size()) {}

  std::vector<std::vector<EntryKinds>> run() {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      kinds_[k].resize(values_[k].size());
      const Node& node = shaped_.formula().nodes[k];
      moved_ = moved_factor(node, values_);
      if (node.op == Op::softmax) {
        softmax(k);
      } else if (node.op == Op::sort) {
        sort(k);
      } else {
        entries(node, k);
      }
      const bool saturates = machine_.may_saturate() && machine_.stores(node) && k != shaped_.formula().result;
      for (EntryKinds& entry : kinds_[k]) {
        if (saturates && (entry.kinds & infinite) != 0) entry.kinds = every_kind;
      }
    }
    return std::move(kinds_);
  }

 private:
  void entries(const Node& node, std::size_t k) {
    for (std::size_t i = 0; i < values_[k].size(); ++i) {
      EntryKinds& entry = kinds_[k][i];
      entry = special(node, k, i);
      if (sources_ == Sources::undefined_entries_too && is_undefined(node, k, i)) entry.is_special = true;
      if (!entry.is_special) entry.kinds = of_value(k, i);
    }
  }

  const EntryKinds& at(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return kinds_[shaped_.formula().nodes[k].arguments[a]][shaped_.places(k, a)[i] + step];
  }

  /// An argument that is an infinity or NaN, or a number without an error, on a machine that flushes none to zero.
  std::optional<kind_rules::Known> known(std::size_t k, std::size_t a, std::size_t i) const {
    const std::size_t of = shaped_.formula().nodes[k].arguments[a];
    const std::size_t place = shaped_.places(k, a)[i];
    const auto& [kinds, is_special] = kinds_[of][place];
    if (is_special && std::has_single_bit(kinds) && (kinds & finite) == 0) return kind_rules::Known{kinds};
    const Ball& value = values_[of][place];
    const bool is_exact = value.is_finite() && Magnitude::radius(value).is_zero() && errors_.total[of][place].is_zero();
    if (is_special || !is_exact || !errors_.mixed.empty()) return std::nullopt;
    const Dyadic number = value.lower();
    return kind_rules::Known{number.is_zero() ? zero : number < Dyadic() ? negative : positive, number};
  }

  /// Whether the node is a function at a place where it is not defined, of which no error can move the arguments.
  bool is_undefined(const Node& node, std::size_t k, std::size_t i) const {
    switch (node.op) {
      case Op::div:
      case Op::fmod:
      case Op::remainder:
        return at(k, 1, i).kinds == zero;
      case Op::log:
      case Op::rsqrt:
        return (at(k, 0, i).kinds & ~(zero | negative)) == 0;
      case Op::sqrt:
        return at(k, 0, i).kinds == negative;
      case Op::pow: {
        const auto x = known(k, 0, i);
        const auto y = known(k, 1, i);
        return x && y && kind_rules::is_undefined_power(*x, *y);
      }
      default:
        return false;
    }
  }

  /// Whether the numbers of a sum may overflow, before an infinity is added or without one, by the magnitudes of the
  /// terms that are numbers.
  bool may_overflow(std::size_t k, std::size_t i) const {
    const std::vector<std::size_t>& arguments = shaped_.formula().nodes[k].arguments;
    Magnitude most;
    for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
      Magnitude term(1UL);
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const std::size_t of = arguments[a];
        const std::size_t place = shaped_.places(k, a)[i] + shaped_.steps(k, a)[j];
        Magnitude number =
            kinds_[of][place].is_special ? Magnitude() : Magnitude(values_[of][place]) + errors_.total[of][place];
        if (!shaped_.formula().nodes[k].factors.empty()) number += Magnitude(1UL);  // it may be multiplied by 1 or by c
        term *= number;
      }
      most += term;
    }
    return !(moved_ * most < limit_);
  }

  /// Whether the node is x² + y² with an infinite x or y. The function hypot is ∞ there, even beside a NaN: IEEE
  /// 754-2019, §9.2.1.
  bool has_infinite_square(std::size_t k, std::size_t i) const {
    const auto is_square = [&](std::size_t of) {
      const Node& node = shaped_.formula().nodes[of];
      return node.op == Op::power && node.exponent == 2;
    };
    const Node& node = shaped_.formula().nodes[k];
    return node.op == Op::add && std::ranges::all_of(node.arguments, is_square) &&
           (at(k, 0, i).kinds == plus_infinity || at(k, 1, i).kinds == plus_infinity);
  }

  /// Whether a number is left out of a maximum.
  bool is_left_out(const Node& node, std::size_t k, std::size_t i, std::size_t j) const {
    return node.op == Op::maximum_over && shaped_.is_excluded(k, shaped_.places(k, 0)[i] + shaped_.steps(k, 0)[j]);
  }

  /// The kinds of a term of a dot product. A factor that moves may make a number 0 before it is multiplied. That a term
  /// of numbers may be infinite is a matter of may_overflow().
  Kinds term(std::size_t k, std::size_t i, std::size_t j) const {
    const Node& node = shaped_.formula().nodes[k];
    bool is_special = false;
    const auto factor = [&](std::size_t a) {
      const std::size_t of = node.arguments[a];
      const std::size_t place = shaped_.places(k, a)[i] + shaped_.steps(k, a)[j];
      const EntryKinds& entry = kinds_[of][place];
      is_special = is_special || entry.is_special;
      const bool may_vanish = !node.factors.empty() && !entry.is_special &&
                              !(moved_ * least_ + errors_.total[of][place] < Magnitude::lower(values_[of][place]));
      return may_vanish ? entry.kinds | zero : entry.kinds;
    };
    const Kinds a = factor(0);
    const Kinds product = kind_rules::product(a, factor(1));
    return is_special ? product : product & ~infinite;
  }

  /// Whether a factor of a dot product is a weight that a mask excludes.
  bool is_masked(std::size_t k, std::size_t a, std::size_t i, std::size_t j) const {
    const Node& factor = shaped_.formula().nodes[shaped_.formula().nodes[k].arguments[a]];
    if (factor.op != Op::softmax || !shaped_.formula().nodes[factor.arguments[0]].mask) return false;
    return !shaped_.is_in_mask(factor.arguments[0], shaped_.places(k, a)[i] + shaped_.steps(k, a)[j]);
  }

  /// The possible kinds of a computed number whose exact value is known.
  Kinds of_value(std::size_t k, std::size_t i) const {
    const Ball& value = values_[k][i];
    const Magnitude& error = errors_.total[k][i];
    if (!value.is_finite() || !error.is_finite()) return every_kind;
    const Magnitude most = Magnitude(value) + error;
    Kinds kinds = zero;
    if (error < Magnitude::lower(value)) {
      kinds = oracle::less(Ball(), value) == oracle::Answer::yes ? positive : negative;
      if (most < least_) kinds |= zero;
    } else if (!most.is_zero()) {
      kinds = finite;
    }
    if (!(most < limit_) && shaped_.formula().nodes[k].op != Op::input) kinds |= infinite;
    return kinds;
  }

  /// The kinds of a product. An infinite factor that moves into a sum makes every term infinite, of its own sign.
  Kinds product(std::size_t k, Kinds a, Kinds b) const {
    const Node& node = shaped_.formula().nodes[k];
    const auto moves_into = [&](std::size_t argument, Kinds factor) {
      return (factor & infinite) != 0 && !shaped_.formula().nodes[node.arguments[argument]].factors.empty();
    };
    return kind_rules::product(a, b) | (moves_into(0, b) || moves_into(1, a) ? infinite | not_a_number : 0);
  }

  /// The kinds of an entry that depends on a special one; other entries are not special.
  EntryKinds special(const Node& node, std::size_t k, std::size_t i) const {
    EntryKinds entry;
    const auto take = [&](std::size_t a, std::size_t step = 0) -> Kinds {
      const EntryKinds& of = at(k, a, i, step);
      entry.is_special = entry.is_special || of.is_special;
      return of.kinds;
    };
    switch (node.op) {
      case Op::input:
        if (!special_[node.parameter].empty() && special_[node.parameter][i] != 0) {
          return {special_[node.parameter][i], true};
        }
        return entry;
      case Op::constant:
      case Op::norm:
        return entry;
      case Op::add:
        entry.kinds = kind_rules::sum(take(0), take(1));
        return entry;
      case Op::sub:
        entry.kinds = kind_rules::sum(take(0), kind_rules::negated(take(1)));
        return entry;
      case Op::mul:
        entry.kinds = product(k, take(0), take(1));
        return entry;
      case Op::div:
        entry.kinds = kind_rules::product(take(0), kind_rules::reciprocal(take(1)));
        return entry;
      case Op::maximum:
        entry.kinds = kind_rules::maximum(take(0), take(1));
        return entry;
      case Op::minimum:
        entry.kinds =
            kind_rules::negated(kind_rules::maximum(kind_rules::negated(take(0)), kind_rules::negated(take(1))));
        return entry;
      case Op::atan2:
        entry.kinds = kind_rules::pairs(take(0), take(1), kind_rules::angle);
        return entry;
      case Op::fmod:
      case Op::remainder:
        entry.kinds = kind_rules::pairs(take(0), take(1), [](Kinds x, Kinds y) -> Kinds {
          if (((x | y) & not_a_number) != 0 || (x & infinite) != 0 || y == zero) return not_a_number;
          return (y & infinite) != 0 ? x : finite;
        });
        return entry;
      case Op::pow: {
        entry.kinds = kind_rules::power_of_two_numbers(take(0), take(1));
        const auto x = known(k, 0, i);
        const auto y = known(k, 1, i);
        if (x && y) entry.kinds = kind_rules::power_of_two_known(*x, *y);
        return entry;
      }
      case Op::sum:
      case Op::dot:
      case Op::maximum_over:
        entry.kinds = node.op == Op::maximum_over ? minus_infinity : zero;
        for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
          if (is_left_out(node, k, i, j)) continue;
          const Kinds a = take(0, shaped_.steps(k, 0)[j]);
          if (node.op == Op::maximum_over) {
            entry.kinds = kind_rules::maximum(entry.kinds, a);
          } else if (node.op == Op::sum) {
            entry.kinds = kind_rules::sum(entry.kinds, a);
          } else {
            take(1, shaped_.steps(k, 1)[j]);
            const Kinds with = kind_rules::sum(entry.kinds, term(k, i, j));
            entry.kinds = is_masked(k, 0, i, j) || is_masked(k, 1, i, j) ? with | entry.kinds : with;
          }
        }
        if (node.op != Op::maximum_over && entry.is_special && may_overflow(k, i)) {
          entry.kinds |= (entry.kinds & finite) != 0 ? infinite | not_a_number : not_a_number;
        }
        return entry;
      case Op::prod:
      case Op::cumprod: {
        std::vector<Kinds> factors;
        for (const std::size_t place : shaped_.factors(k, i)) {
          const EntryKinds& factor = kinds_[node.arguments[0]][place];
          entry.is_special = entry.is_special || factor.is_special;
          factors.push_back(factor.kinds);
        }
        entry.kinds = kind_rules::product(factors);
        return entry;
      }
      case Op::argmax:
        for (const std::size_t step : shaped_.steps(k, 0)) take(0, step);
        entry.kinds = zero | positive;
        return entry;
      case Op::cumsum:
        entry.is_special = std::ranges::any_of(kinds_[node.arguments[0]], &EntryKinds::is_special);
        entry.kinds = every_kind;
        return entry;
      case Op::variance:
        for (const std::size_t step : shaped_.steps(k, 0)) take(0, step);
        entry.kinds = not_a_number;
        return entry;
      case Op::gather:
      case Op::logits:
        entry.kinds = take(0);
        return entry;
      case Op::stack:
        entry.kinds = take(i % 2);
        return entry;
      case Op::where:
        entry.kinds = take(shaped_.is_in_mask(k, i) ? 0 : 1);
        return entry;
      case Op::pick:
        entry.kinds = zero;
        if (const auto step = step_of_pick(shaped_, inputs_, node, k, i)) entry.kinds = take(0, *step);
        return entry;
      case Op::spread:
        entry.kinds = is_named(shaped_, inputs_, node, k, i) ? take(0) : zero;
        return entry;
      case Op::stochastic:
        entry.kinds = take(0);
        if ((entry.kinds & finite) != 0) entry.kinds |= zero;
        if ((entry.kinds & positive) != 0) entry.kinds |= plus_infinity;
        if ((entry.kinds & negative) != 0) entry.kinds |= minus_infinity;
        return entry;
      case Op::logsumexp: {
        const auto [has_nan, has_plus, has_number, is_special] = row(node.arguments[0], i);
        entry.is_special = is_special;
        entry.kinds = finite;
        if (has_plus) entry.kinds = plus_infinity | not_a_number;
        if (!has_number) entry.kinds = minus_infinity | not_a_number;
        if (has_nan) entry.kinds = not_a_number;
        return entry;
      }
      default: {
        if (shaped_.is_excluded(k, i)) return entry;
        const Kinds x = take(0);
        entry.kinds =
            kind_rules::each(x, [&](Kinds kind) { return kind_rules::function(node.op, node.exponent, kind); });
        if (node.op == Op::sqrt && has_infinite_square(node.arguments[0], shaped_.places(k, 0)[i])) {
          entry.kinds |= plus_infinity;
        }
        return entry;
      }
    }
  }

  struct RowKinds {
    bool has_nan = false;
    bool has_plus = false;
    bool has_number = false;
    bool is_special = false;
  };
  RowKinds row(std::size_t t, std::size_t r) const {
    RowKinds found;
    const Shaped::Rows& rows = shaped_.rows(t);
    for (const std::size_t step : rows.steps) {
      const std::size_t i = rows.first[r] + step;
      if (!shaped_.counts(t, i)) continue;
      const EntryKinds& each = kinds_[t][i];
      found.is_special = found.is_special || each.is_special;
      found.has_nan = found.has_nan || each.kinds == not_a_number;
      found.has_plus = found.has_plus || each.kinds == plus_infinity;
      found.has_number = found.has_number || (each.kinds & ~minus_infinity) != 0;
    }
    return found;
  }
  /// A row with a NaN is NaN. So is one with +∞, whose other numbers may be 0: a kernel that counts the largest number
  /// as exp(0) = 1 has a finite sum. A row of −∞ alone is NaN, or zeros as in kernels that take −∞ for a mask. If the
  /// kinds of its logits are uncertain, every kind is possible.
  void softmax(std::size_t k) {
    const std::size_t t = shaped_.formula().nodes[k].arguments[0];
    const Shaped::Rows& rows = shaped_.rows(t);
    for (std::size_t r = 0; r < rows.first.size(); ++r) {
      const RowKinds found = row(t, r);
      for (const std::size_t step : rows.steps) {
        const std::size_t i = rows.first[r] + step;
        EntryKinds& entry = kinds_[k][i];
        entry.is_special = found.is_special;
        if (!found.is_special) {
          entry.kinds = of_value(k, i);
          continue;
        }
        const bool is_sure = std::ranges::all_of(rows.steps, [&](std::size_t each) {
          const Kinds kinds = kinds_[t][rows.first[r] + each].kinds;
          return (kinds & ~finite) == 0 || std::has_single_bit(kinds);
        });
        const bool is_masked = shaped_.formula().nodes[t].mask && !shaped_.is_in_mask(t, i);
        const Kinds of_logit = kinds_[t][i].kinds;
        entry.kinds = found.has_nan                ? not_a_number
                      : found.has_plus             ? (of_logit == plus_infinity ? not_a_number : not_a_number | zero)
                      : !found.has_number          ? not_a_number | zero
                      : of_logit == minus_infinity ? (is_sure ? zero : zero | not_a_number)
                      : is_sure                    ? zero | positive
                                                   : every_kind;
        if (is_masked) entry.kinds |= zero;
      }
    }
  }

  /// Infinities stand at the ends of a row, as far as it has no NaN and each of its numbers is known to be one or not.
  void sort(std::size_t k) {
    const std::size_t x = shaped_.formula().nodes[k].arguments[0];
    const Shaped::Rows& rows = shaped_.rows(k);
    for (const std::size_t first : rows.first) {
      const auto of = [&](std::size_t step) -> const EntryKinds& {
        return kinds_[x][shaped_.places(k, 0)[first + step]];
      };
      const auto count = [&](Kinds kind) {
        return static_cast<std::size_t>(
            std::ranges::count_if(rows.steps, [&](std::size_t step) { return of(step).kinds == kind; }));
      };
      const bool is_special = std::ranges::any_of(rows.steps, [&](std::size_t step) { return of(step).is_special; });
      const bool is_sure = std::ranges::all_of(rows.steps, [&](std::size_t step) {
        const Kinds kinds = of(step).kinds;
        return (kinds & ~finite) == 0 || kinds == plus_infinity || kinds == minus_infinity;
      });
      const std::size_t below = count(minus_infinity);
      const std::size_t above = count(plus_infinity);
      for (std::size_t j = 0; j < rows.steps.size(); ++j) {
        const std::size_t i = first + rows.steps[j];
        const Kinds in_order = j < below ? minus_infinity : j >= rows.steps.size() - above ? plus_infinity : finite;
        kinds_[k][i] = {is_special ? (is_sure ? in_order : every_kind) : of_value(k, i), is_special};
      }
    }
  }

  const Shaped& shaped_;
  const Inputs& inputs_;
  const SpecialInputs& special_;
  const Balls& values_;
  const Errors& errors_;
  const Machine& machine_;
  Magnitude limit_;
  Magnitude least_;
  Magnitude moved_;  ///< moved_factor() of the current node
  Sources sources_;
  std::vector<std::vector<EntryKinds>> kinds_;
};

}  // namespace

std::vector<std::vector<EntryKinds>> kinds_of(const Shaped& shaped, const Inputs& inputs, const SpecialInputs& special,
                                              const Balls& values, const Errors& errors, const Machine& machine,
                                              Sources sources) {
  return Kinding(shaped, inputs, special, values, errors, machine, sources).run();
}

namespace {

/// The entries of a row that are −∞, if all others are numbers and there is one.
std::vector<std::size_t> minus_infinities(const std::vector<EntryKinds>& kinds, const std::vector<std::size_t>& row) {
  std::vector<std::size_t> found;
  std::size_t numbers = 0;
  for (const std::size_t i : row) {
    if ((kinds[i].kinds & ~finite) == 0) ++numbers;
    if (kinds[i].is_special && kinds[i].kinds == minus_infinity) found.push_back(i);
  }
  return numbers != 0 && numbers + found.size() == row.size() ? found : std::vector<std::size_t>();
}

/// The entries of a node to exclude.
std::vector<std::size_t> excluded_of(const Shaped& shaped, const std::vector<std::vector<EntryKinds>>& kinds,
                                     std::size_t k) {
  const Node& node = shaped.formula().nodes[k];
  std::vector<std::size_t> all;
  const auto take = [&](std::size_t of, const std::vector<std::size_t>& row) {
    const std::vector<std::size_t> found = minus_infinities(kinds[of], row);
    all.insert(all.end(), found.begin(), found.end());
  };
  if (node.op == Op::logits) {
    const Shaped::Rows& rows = shaped.rows(k);
    for (const std::size_t first : rows.first) {
      std::vector<std::size_t> row;
      for (const std::size_t step : rows.steps) {
        if (shaped.counts(k, first + step)) row.push_back(first + step);
      }
      take(k, row);
    }
  } else if (node.op == Op::maximum_over) {
    for (const std::size_t place : shaped.places(k, 0)) {
      std::vector<std::size_t> row;
      for (const std::size_t step : shaped.steps(k, 0)) {
        if (!shaped.is_excluded(k, place + step)) row.push_back(place + step);
      }
      take(node.arguments[0], row);
    }
  } else if (!node.is_constant && (node.op == Op::exp || node.op == Op::exp2)) {
    for (std::size_t i = 0; i < kinds[k].size(); ++i) {
      const EntryKinds& x = kinds[node.arguments[0]][shaped.places(k, 0)[i]];
      if (x.is_special && x.kinds == minus_infinity && !shaped.is_excluded(k, i)) all.push_back(i);
    }
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> exclude_minus_infinities(
    Shaped& shaped, const std::vector<std::vector<EntryKinds>>& kinds) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (const std::size_t i : excluded_of(shaped, kinds, k)) {
      shaped.exclude(k, i);
      all.emplace_back(k, i);
    }
  }
  return all;
}

}  // namespace assay::formulas
