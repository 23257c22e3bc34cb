#include "properties/formulas/door/aims.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/decode.hpp"
#include "properties/formulas/door/case.hpp"
#include "properties/formulas/door/numbers.hpp"
#include "properties/formulas/values.hpp"

namespace assay::formulas {
namespace {

/// A definition whose entries are to come near a number, and the operation that the number depends on.
struct Target {
  std::size_t node;
  Op user;
};

/// How single numbers of the parameters can change a node.
enum class Reach { none, in_ranges, free };

/// By node. Steps such as sign and sort count as out of reach: small changes do not move them, or move another entry.
std::vector<Reach> reaches(const Formula& formula) {
  std::vector<Reach> reaches;
  for (const Node& node : formula.nodes) {
    Reach reach = Reach::none;
    if (node.op == Op::input) {
      const Parameter& parameter = formula.parameters[node.parameter];
      reach = parameter.index_of || parameter.is_one_hot ? Reach::none : parameter.low ? Reach::in_ranges : Reach::free;
    } else if (node.op != Op::sign && node.op != Op::stochastic && node.op != Op::sort && node.op != Op::argmax &&
               node.op != Op::norm) {
      for (const std::size_t a : node.arguments) reach = std::max(reach, reaches[a]);
    }
    reaches.push_back(reach);
  }
  return reaches;
}

std::vector<Target> targets(const Formula& formula, Aim aim) {
  const std::vector<Reach> reach = reaches(formula);
  std::vector<Target> found;
  for (std::size_t k = 0; k < formula.nodes.size(); ++k) {
    const Node& node = formula.nodes[k];
    std::size_t target = k;
    switch (node.op) {
      case Op::dot:
        if (aim != Aim::cancellation || node.arguments[0] == node.arguments[1]) continue;
        break;
      case Op::sum:
      case Op::cumsum:
      case Op::add:
      case Op::sub:
        if (aim != Aim::cancellation) continue;
        break;
      case Op::div:
        if (aim != Aim::pole) continue;
        target = node.arguments[1];
        break;
      case Op::log:
      case Op::log1p:
      case Op::sqrt:
      case Op::rsqrt:
      case Op::pow:
        if (aim != Aim::pole) continue;
        target = node.arguments[0];
        break;
      case Op::exp:
      case Op::exp2:
      case Op::expm1:
      case Op::tanh:
      case Op::erf:
      case Op::sigmoid:
      case Op::logits:
        if (aim != Aim::saturation) continue;
        target = node.arguments[0];
        break;
      default:
        continue;
    }
    if (reach[target] != Reach::none) found.push_back({target, node.op});
  }
  return found;
}

double power_of_two(int exponent) { return std::ldexp(1.0, exponent); }

/// An argument for which a function overflows, underflows or becomes flat in a format.
double edge_of(Op op, const oracle::Format& format, Draw& draw) {
  const int p = format.precision;
  const double ln2 = std::numbers::ln2;
  const double overflow = (format.emax + 1) * ln2;
  const double subnormal = format.emin * ln2;
  const double vanishing = (format.emin - p) * ln2;
  std::vector<double> edges;
  switch (op) {
    case Op::expm1:
      edges = {overflow, -p * ln2, -power_of_two(-p), power_of_two(-p)};
      break;
    case Op::tanh:
      edges = {(p + 1) * ln2 / 2, -(p + 1) * ln2 / 2, power_of_two(-p / 2), -power_of_two(-p / 2)};
      break;
    case Op::erf:
      edges = {std::sqrt(p * ln2), -std::sqrt(p * ln2), power_of_two(-p / 2), -power_of_two(-p / 2)};
      break;
    case Op::sigmoid:
      edges = {(p + 1) * ln2, -overflow, subnormal, vanishing};
      break;
    default:
      edges = {overflow, subnormal, vanishing, with_sign(draw, 1) * power_of_two(-p)};
  }
  const double edge = edges[draw.below(edges.size())] / (op == Op::exp2 ? ln2 : 1);
  return std::abs(edge) < 0.5 ? edge * power_of_two(draw.between(-2, 2)) : edge + 2 * uniform(draw) - 1;
}

/// The part of a formula before a node, whose entries are to be changed.
class Search {
 public:
  Search(const Typed& typed, Case& c, const Target& target, Draw& draw)
      : typed_(typed),
        c_(c),
        target_(target),
        draw_(draw),
        formula_(until(*typed.formula, target.node)),
        reach_(reaches(formula_)),
        inputs_(inputs_of(typed, c)),
        shaped_(formula_, c.lengths, inputs_.integers) {}

  /// Whether at least one entry comes near its number.
  bool solve(Aim aim) {
    const std::vector<double> first = values();
    const std::size_t count = 1 + draw_.below(4);
    for (std::size_t n = 0; n < count; ++n) add_entry(aim, first);
    // Numbers of a linear definition are found in the first step, and confirmed in the second.
    for (int step = 0; step < 6 && std::ranges::any_of(entries_, &Entry::is_open); ++step) improve();
    bool is_found = false;
    for (const Entry& each : entries_) {
      if (!each.is_found) continue;
      const std::uint64_t word = nearest_number(typed_.parameters[each.parameter], each.at);
      if (aim == Aim::cancellation && oracle::decode(typed_.parameters[each.parameter], word).value.is_zero()) continue;
      c_.words[each.parameter][each.place] = word;
      is_found = true;
    }
    return is_found;
  }

  /// All numbers of a parameter become nearly equal, or tiny.
  void squeeze() {
    const std::optional<Driver> driver = driver_of(draw_.below(shaped_.size(target_.node)));
    if (!driver || typed_.formula->parameters[driver->parameter].low) return;
    const oracle::Format& format = typed_.parameters[driver->parameter];
    const bool is_equal = draw_.coin();
    const double center = with_sign(draw_, 1) * std::ldexp(1 + uniform(draw_), draw_.between(-2, 4));
    const double spread = center * power_of_two(-draw_.between(1, format.precision - 1));
    const double factor = power_of_two(-draw_.between(4, std::max(5, -format.emin * 5 / 8)));
    std::vector<std::uint64_t>& words = c_.words[driver->parameter];
    for (std::uint64_t& each : words) {
      const double old = oracle::decode(format, each).value.to_double_nearest();
      each = nearest_number(format, is_equal ? center + spread * (2 * uniform(draw_) - 1) : old * factor);
    }
  }

 private:
  struct Driver {
    std::size_t parameter;
    std::size_t place;
  };
  struct Entry {
    std::size_t parameter;
    std::size_t place;
    std::size_t entry;  ///< of the node
    double goal;
    double start;  ///< the number and the value before any change
    double first;
    double at;  ///< the number of the parameter, and the value that belongs to it
    double value;
    double before;  ///< the number and the value one step ago
    double value_before;
    bool is_open = true;
    bool is_found = false;
  };

  static Formula until(const Formula& formula, std::size_t node) {
    Formula part;
    part.name = formula.name;
    part.axes = formula.axes;
    part.parameters = formula.parameters;
    part.masks = formula.masks;
    part.nodes.assign(formula.nodes.begin(), formula.nodes.begin() + static_cast<std::ptrdiff_t>(node) + 1);
    part.result = node;
    return part;
  }

  std::vector<double> values() const {
    const Balls all = evaluate(shaped_, inputs_, first_bits(typed_));
    std::vector<double> middles;
    for (const oracle::Ball& each : all[target_.node]) {
      middles.push_back(each.is_finite() ? each.lower().to_double_nearest() : NAN);
    }
    return middles;
  }

  /// A number of a parameter on which an entry of the target depends, by a random path; none if the path ends
  /// elsewhere.
  std::optional<Driver> driver_of(std::size_t entry) const {
    std::size_t k = target_.node;
    while (reach_[k] != Reach::none) {
      const Node& node = formula_.nodes[k];
      std::size_t a = argument_of(node);
      std::size_t step = 0;
      switch (node.op) {
        case Op::input:
          return Driver{node.parameter, entry};
        case Op::where:
          a = shaped_.is_in_mask(k, entry) ? 0 : 1;
          break;
        case Op::stack:
          a = entry % 2;
          break;
        case Op::pick: {
          const std::optional<std::size_t> picked = step_of_pick(shaped_, inputs_, node, k, entry);
          if (!picked) return std::nullopt;
          step = *picked;
          break;
        }
        case Op::spread:
          if (!is_named(shaped_, inputs_, node, k, entry)) return std::nullopt;
          break;
        case Op::cumsum:
        case Op::cumprod: {
          const std::vector<std::size_t> terms = shaped_.factors(k, entry);
          entry = terms[draw_.below(terms.size())];
          k = node.arguments[0];
          continue;
        }
        case Op::softmax:
          k = node.arguments[0];
          continue;
        case Op::logsumexp: {
          const Shaped::Rows& rows = shaped_.rows(node.arguments[0]);
          entry = rows.first[entry] + rows.steps[draw_.below(rows.steps.size())];
          k = node.arguments[0];
          continue;
        }
        case Op::sum:
        case Op::dot:
        case Op::prod:
        case Op::maximum_over:
        case Op::variance: {
          const std::vector<std::size_t>& steps = shaped_.steps(k, a);
          step = steps[draw_.below(steps.size())];
          break;
        }
        default:
          break;
      }
      entry = shaped_.places(k, a)[entry] + step;
      k = node.arguments[a];
    }
    return std::nullopt;
  }
  /// One of the arguments with the widest reach.
  std::size_t argument_of(const Node& node) const {
    if (node.op == Op::pick || node.op == Op::spread || node.arguments.size() < 2) return 0;
    const bool is_second_better = reach_[node.arguments[1]] > reach_[node.arguments[0]];
    if (reach_[node.arguments[1]] == reach_[node.arguments[0]]) return draw_.below(2);
    return is_second_better ? 1 : 0;
  }

  void add_entry(Aim aim, const std::vector<double>& first) {
    const std::size_t entry = draw_.below(first.size());
    const Node& node = formula_.nodes[target_.node];
    const bool runs = node.op == Op::sum || node.op == Op::dot;
    if (aim == Aim::cancellation && runs && shaped_.size_of(node.over) == 1) return;
    const std::optional<Driver> driver = driver_of(entry);
    if (!driver || !std::isfinite(first[entry])) return;
    const auto is_used = [&](const Entry& each) {
      return each.entry == entry || (each.parameter == driver->parameter && each.place == driver->place);
    };
    if (std::ranges::any_of(entries_, is_used)) return;
    const double x = inputs_.numbers[driver->parameter][driver->place].to_double_nearest();
    const double size = std::max(std::abs(first[entry]), 0x1p-10);
    const int p = typed_.parameters[driver->parameter].precision;
    const double small = size * power_of_two(-draw_.between(2, p - 2));
    double goal = 0;
    if (aim == Aim::saturation) {
      const bool is_wide = typed_.result.precision < 24 && draw_.coin();
      goal = edge_of(target_.user, is_wide ? oracle::binary32 : typed_.result, draw_);
    } else if (target_.user == Op::log1p) {
      goal = small / size - 1;
    } else if (aim == Aim::pole) {
      goal = std::copysign(small, first[entry]);
    } else if (draw_.coin()) {
      goal = with_sign(draw_, 1) * small;
    }
    const double moved = x + with_sign(draw_, 1) * std::max(std::abs(x), 0x1p-6) * 0x1p-10;
    entries_.push_back({driver->parameter, driver->place, entry, goal, x, first[entry], moved, 0, x, first[entry]});
  }

  /// Whether a number is in the range of its parameter, or not far above 1 and in the format.
  bool is_allowed(std::size_t parameter, double x) const {
    const Parameter& of = typed_.formula->parameters[parameter];
    if (of.low)
      return !(oracle::Rational(oracle::exact(x)) < *of.low) && !(*of.high < oracle::Rational(oracle::exact(x)));
    return std::abs(x) < std::min(0x1p14, power_of_two(typed_.parameters[parameter].emax - 3));
  }

  /// One step of the secant method for all entries at once.
  void improve() {
    for (const Entry& each : entries_) inputs_.numbers[each.parameter][each.place] = oracle::exact(each.at);
    const std::vector<double> now = values();
    for (Entry& each : entries_) {
      each.value = now[each.entry];
      if (!each.is_open) continue;
      const double slope = (each.value - each.value_before) / (each.at - each.before);
      const double next = each.value == each.goal ? each.at : each.at + (each.goal - each.value) / slope;
      const bool is_near =
          std::abs(each.value - each.goal) <= std::abs(each.goal) / 100 + std::abs(each.first) * 0x1p-20;
      each.is_open = std::isfinite(next) && is_allowed(each.parameter, next);
      if (!each.is_open) {
        each.at = each.start;  // the other entries go on without it
        continue;
      }
      const int p = typed_.parameters[each.parameter].precision;
      each.is_found = is_near && std::abs(next - each.at) <= std::abs(next) * power_of_two(-p - 4);
      each.is_open = !each.is_found;
      each.before = std::exchange(each.at, next);
      each.value_before = each.value;
    }
  }

  const Typed& typed_;
  Case& c_;
  const Target target_;
  Draw& draw_;
  const Formula formula_;
  const std::vector<Reach> reach_;
  Inputs inputs_;
  const Shaped shaped_;
  std::vector<Entry> entries_{};
};

}  // namespace

bool has_aim(const Formula& formula, Aim aim) { return !targets(formula, aim).empty(); }

void change(const Typed& typed, Case& c, Aim aim, Draw& draw) {
  const std::vector<Target> all = targets(*typed.formula, aim);
  const bool is_squeezed = aim == Aim::pole && draw.one_in(3);
  for (int tries = 0; tries < 3 && !is_squeezed; ++tries) {
    if (Search(typed, c, all[draw.below(all.size())], draw).solve(aim)) return;
  }
  if (aim == Aim::pole) Search(typed, c, all[draw.below(all.size())], draw).squeeze();
}

}  // namespace assay::formulas
