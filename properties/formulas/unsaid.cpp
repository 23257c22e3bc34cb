// Why a machine says nothing of an entry, in words, and the names of the rules.

#include "properties/formulas/forward.hpp"

namespace assay::formulas {
namespace {

struct At {
  std::size_t node;
  std::size_t entry;
};

/// The largest number of terms of a sum with g < 1.
unsigned long most_weights(const Machine& machine, const Costs& costs) {
  const auto is_bounded = [&](unsigned long n) {
    if (machine.is_online) return costs.grown(2 * (n - 1)) < Magnitude(1UL);
    return min(costs.grown(height(machine.order, n)), Magnitude(n - 1) * costs.u) < Magnitude(1UL);
  };
  unsigned long low = 1;
  unsigned long high = 2;
  constexpr unsigned long limit = 1UL << 40U;
  while (high < limit && is_bounded(high)) low = std::exchange(high, 2 * high);
  while (high - low > 1) (is_bounded(low + (high - low) / 2) ? low : high) = low + (high - low) / 2;
  return low;
}

class Unsaid {
 public:
  Unsaid(const Shaped& shaped, const Machine& machine, const Errors& errors)
      : shaped_(shaped), nodes_(shaped.formula().nodes), machine_(machine), errors_(errors) {}

  std::string of(At at) const {
    for (std::optional<At> next = at; next; next = unsaid_argument(at)) at = *next;
    const Node& node = nodes_[at.node];
    const std::string why = node.op == Op::norm ? of_row(at) : of_node(at);
    return why + " (" + rule_of(node) + ")";
  }

 private:
  bool is_unsaid(At at) const { return !errors_.total[at.node][at.entry].is_finite(); }

  /// The arguments of an entry.
  std::vector<At> arguments(At at) const {
    const auto& [k, i] = at;
    const Node& node = nodes_[k];
    std::vector<At> all;
    const auto add_row = [&](std::size_t of, const Shaped::Rows& rows, std::size_t r) {
      for (const std::size_t step : rows.steps) all.push_back({of, rows.first[r] + step});
    };
    switch (node.op) {
      case Op::input:
      case Op::constant:
        break;
      case Op::norm:
      case Op::logsumexp:
        add_row(node.arguments[0], shaped_.rows(node.arguments[0]), i);
        break;
      case Op::softmax:
      case Op::cumsum:
      case Op::cumprod:
      case Op::sort: {
        const bool is_softmax = node.op == Op::softmax;
        const Shaped::Rows& rows = shaped_.rows(is_softmax ? node.arguments[0] : k);
        for (std::size_t r = 0; r < rows.first.size(); ++r) {
          const bool is_here = std::ranges::any_of(rows.steps, [&](std::size_t s) { return rows.first[r] + s == i; });
          if (!is_here) continue;
          if (is_softmax) all.push_back({node.arguments[1], r});
          for (const std::size_t step : rows.steps) {
            const std::size_t entry = rows.first[r] + step;
            all.push_back({node.arguments[0], is_softmax ? entry : shaped_.places(k, 0)[entry]});
          }
        }
        break;
      }
      default:
        for (std::size_t a = 0; a < node.arguments.size(); ++a) {
          const bool is_other = (node.op == Op::stack && a != i % 2) ||
                                (node.op == Op::where && a != (shaped_.is_in_mask(k, i) ? 0U : 1U));
          if (is_other) continue;
          static const std::vector<std::size_t> alone{0};
          const auto& steps = runs(node.op) ? shaped_.steps(k, a) : alone;
          for (const std::size_t step : steps) all.push_back({node.arguments[a], shaped_.places(k, a)[i] + step});
        }
    }
    return all;
  }
  static bool runs(Op op) {
    return op == Op::sum || op == Op::dot || op == Op::prod || op == Op::maximum_over || op == Op::argmax ||
           op == Op::variance || op == Op::pick;
  }
  std::optional<At> unsaid_argument(At at) const {
    for (const At& each : arguments(at)) {
      if (is_unsaid(each)) return each;
    }
    return std::nullopt;
  }

  /// "p = softmax", "sum".
  std::string label(const Node& node) const {
    return node.name.empty() ? name_of(node.op) : node.name + " = " + name_of(node.op);
  }
  std::string format() const { return name_of_format(machine_.wide); }

  std::string of_row(At at) const {
    const Costs costs(machine_.wide, std::nullopt);
    const unsigned long most = most_weights(machine_, costs);
    const Shaped::Rows& rows = shaped_.rows(nodes_[at.node].arguments[0]);
    if (rows.steps.size() <= most) return "the sum of the weights of a softmax may overflow in " + format();
    return "sums of more than " + std::to_string(most) + " weights of a softmax in " + format() +
           (machine_.is_online                ? ", scaled again by an online softmax,"
            : machine_.order == Order::any    ? " in any order"
            : machine_.order == Order::chains ? " by chains of 64"
                                              : " by trees") +
           " have no bound; here " + std::to_string(rows.steps.size()) + " are added";
  }
  std::string of_node(At at) const {
    const Node& node = nodes_[at.node];
    const std::vector<At> of = arguments(at);
    const bool may_be_infinite = std::ranges::any_of(
        of, [&](const At& each) { return !errors_.beyond.empty() && errors_.beyond[each.node][each.entry] != 0; });
    if (may_be_infinite) return "an argument of " + label(node) + " may overflow in " + format();
    switch (node.op) {
      case Op::div:
        return "the divisor of " + label(node) + " may be 0";
      case Op::log:
      case Op::log1p:
      case Op::sqrt:
      case Op::rsqrt:
      case Op::pow:
      case Op::atan2:
        return "an argument of " + label(node) + " may lie where the function is not defined";
      case Op::fmod:
      case Op::remainder:
        return "an argument of " + label(node) + " has an error";
      default:
        return "a hypothesis about " + label(node) + " does not hold in " + format();
    }
  }

  const Shaped& shaped_;
  const std::vector<Node>& nodes_;
  const Machine& machine_;
  const Errors& errors_;
};

}  // namespace

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
    case Op::prod:
    case Op::cumprod:
      return "formula.prod.1";
    case Op::sign:
      return "formula.sign.1";
    case Op::stochastic:
      return "formula.stochastic.1";
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
    case Op::spread:
    case Op::stack:
    case Op::where:
      return "formula.move.1";
    case Op::sort:
      return "formula.sort.1";
    case Op::argmax:
      return "formula.argmax.1";
    case Op::pow:
      return "formula.pow.1";
    case Op::atan2:
      return "formula.atan2.1";
    case Op::fmod:
    case Op::remainder:
      return "formula.rest.1";
    default:
      return "formula.function.1";
  }
}

std::string why_unsaid(const Shaped& shaped, const Machine& machine, const Errors& errors, std::size_t entry) {
  return Unsaid(shaped, machine, errors).of({shaped.formula().result, entry});
}

}  // namespace assay::formulas
