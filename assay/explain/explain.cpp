#include "assay/explain/explain.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <variant>

#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"

namespace assay::explain {
namespace {

using oracle::Dyadic;
using Shares = std::vector<Dyadic>;

std::string rounded_decimal(const Dyadic& x, int digits) {
  if (!x.is_zero() && std::abs(x.exponent()) > farthest) {
    return fmt::format("{} {}2^{}", x.exponent() > 0 ? "beyond" : "within", x.sign() < 0 ? "-" : "",
                       x.exponent() > 0 ? farthest : -farthest);
  }
  const std::string text = oracle::decimal(x, digits);
  return text.ends_with("e0") ? text.substr(0, text.size() - 2) : text;
}

/// Whether a node is a constant that is not a number of the case, for example the number of columns.
bool is_constant(const Node& node) {
  return node.is_input() && node.name.find_first_not_of("0123456789") == node.name.npos;
}

/// "0x1p+0 (1)"
std::string shown(const Node& node) {
  return fmt::format("{} ({})", oracle::to_hex(node.format, node.bits), decimal_of(node.format, node.bits));
}

bool is_term_of_sum(const Node& node) { return node.op == Operator::add || node.op == Operator::subtract; }

/// The number of leading bits that a sum or a difference of two numbers loses; 0 if none are lost.
long cancelled_bits(const Tape& tape, const Node& node) {
  if (!is_term_of_sum(node) || !node.is_finite()) return 0;
  const Node& a = tape.nodes()[node.a];
  const Node& b = tape.nodes()[node.b];
  if (!a.is_finite() || !b.is_finite() || a.value().is_zero() || b.value().is_zero()) return 0;
  const long before = std::max(a.value().exponent(), b.value().exponent());
  if (node.value().is_zero()) return node.format.precision;
  return std::max(0L, before - node.value().exponent());
}

/// The term that has no effect on a rounded sum, or nullptr.
const Node* lost_term(const Tape& tape, const Node& node) {
  if (!is_term_of_sum(node) || !node.is_rounded()) return nullptr;
  const Node& a = tape.nodes()[node.a];
  const Node& b = tape.nodes()[node.b];
  if (node.value() == a.value()) return &b;
  return abs(node.value()) == abs(b.value()) ? &a : nullptr;
}

bool underflows(const Node& node) {
  return node.is_rounded() && abs(midpoint(*node.unrounded)) < Dyadic::scaled(1, node.format.emin);
}
bool overflows(const Node& node) { return node.unrounded && !node.is_finite(); }

/// Why a step of two operands is a NaN or an infinity: an operand is not a number, or the step has no real value.
std::string why_special(const Tape& tape, const Node& node) {
  const Node& a = tape.nodes()[node.a];
  const Node& b = tape.nodes()[node.b];
  if (node.op == Operator::divide && b.is_finite() && b.value().is_zero()) return "divides by 0";
  if (node.op == Operator::function) return fmt::format("has no real value at {}", shown(a));
  return node.op == Operator::multiply ? "multiplies 0 and ∞" : "takes ∞ from ∞";
}

/// The first step that is a NaN or an infinity. Empty if all steps are finite numbers.
std::optional<std::size_t> first_special(const Tape& tape) {
  const auto found = std::ranges::find_if(tape.nodes(), [](const Node& each) { return !each.is_finite(); });
  if (found == tape.nodes().end()) return std::nullopt;
  return static_cast<std::size_t>(found - tape.nodes().begin());
}

/// Whether a step whose operands are not NaNs gives a NaN.
bool makes_nan(const Tape& tape, const Node& node) {
  const auto is_nan = [](const Node& each) { return oracle::is_nan(each.format, each.bits); };
  return !node.is_input() && is_nan(node) && !is_nan(tape.nodes()[node.a]) && !is_nan(tape.nodes()[node.b]);
}

std::vector<std::string> events_of(const Tape& tape, const Node& node) {
  std::vector<std::string> events;
  if (overflows(node)) events.emplace_back("overflows");
  if (!overflows(node) &&
      (makes_nan(tape, node) || (!node.is_finite() && !node.unrounded && tape.nodes()[node.a].is_finite() &&
                                 tape.nodes()[node.b].is_finite()))) {
    events.push_back(why_special(tape, node));
  }
  if (underflows(node)) events.emplace_back(node.value().is_zero() ? "underflows to 0" : "underflows");
  if (const Node* const lost = lost_term(tape, node)) events.push_back(lost->name + " is lost");
  if (const long bits = cancelled_bits(tape, node); bits > 0) events.push_back(fmt::format("cancels {} bits", bits));
  return events;
}

/// Describes an origin that is the first step without a number.
void tell_special(const Tape& tape, std::size_t first, store::Explanation& into) {
  const Node& result = tape.result();
  const Node& node = tape.nodes()[first];
  const auto follows = [&](const std::string& what) {
    return first + 1 == tape.nodes().size() ? what + "." : fmt::format("{}; the result is {}.", what, shown(result));
  };
  if (overflows(node)) {
    into.causes.emplace_back("overflow");
    into.says.push_back(follows(fmt::format("{} = {} overflows: its value {} is beyond the largest number {}",
                                            node.name, node.formula, decimal_of(midpoint(*node.unrounded)),
                                            decimal_of(node.format, node.format.largest_finite()))));
    return;
  }
  const auto nan = std::ranges::find_if(tape.nodes(), [&](const Node& each) { return makes_nan(tape, each); });
  const bool is_made = nan != tape.nodes().end();
  if (node.is_input()) {
    into.causes.emplace_back("special_input");
    const bool is_nan = oracle::is_nan(node.format, node.bits);
    const std::string kind = is_nan ? "a NaN" : oracle::is_negative(node.format, node.bits) ? "-∞" : "+∞";
    into.says.push_back(follows(fmt::format("{} is {}", node.name, kind)));
  }
  if (is_made || !node.is_input()) {
    const Node& made = is_made ? *nan : node;
    into.causes.emplace_back("invalid");
    into.says.push_back(fmt::format("{} = {} {}.", made.name, made.formula, why_special(tape, made)));
  }
}

/// Describes an origin that is a rounding, and what makes its error large.
void tell_rounding(const Tape& tape, const Shares& shares, store::Explanation& into) {
  const auto largest = std::ranges::max_element(
      shares, [](const Dyadic& a, const Dyadic& b) { return compare_abs(a, b) == std::strong_ordering::less; });
  if (largest == shares.end() || largest->is_zero()) {
    into.causes.emplace_back("exact");
    into.says.emplace_back("No rounding moves the result: these steps give the exact value.");
    return;
  }
  const auto origin = static_cast<std::size_t>(largest - shares.begin());
  const Node& node = tape.nodes()[origin];
  const Dyadic lost = node.value() - midpoint(*node.unrounded);
  const std::string step = node.name + " = " + node.formula;
  if (const Node* const term = lost_term(tape, node)) {
    into.causes.emplace_back("lost_term");
    into.says.push_back(
        fmt::format("{} is lost in {}: {} is at most half an ulp of {}.", term->name, step, shown(*term), shown(node)));
  } else if (underflows(node)) {
    into.causes.emplace_back("underflow");
    into.says.push_back(fmt::format("{} underflows: its value {} is below 2^{}, and {} stays.", step,
                                    decimal_of(midpoint(*node.unrounded)), node.format.emin, shown(node)));
  } else {
    into.causes.emplace_back("rounding");
    into.says.push_back(fmt::format("Rounding {} to {} adds {}, the largest share of the result's error.", step,
                                    shown(node), short_decimal(lost)));
  }
  const std::vector<bool> is_behind = tape.computed_from(origin);
  constexpr long few_bits = 3;
  const Node* worst = nullptr;
  Dyadic effect;
  for (std::size_t k = origin + 1; k < tape.nodes().size(); ++k) {
    if (!is_behind[k] || cancelled_bits(tape, tape.nodes()[k]) < few_bits) continue;
    const Dyadic here = abs(tape.effect(k));
    if (here <= effect) continue;
    worst = &tape.nodes()[k];
    effect = here;
  }
  if (worst == nullptr) return;
  into.causes.emplace_back("cancellation");
  const bool all = worst->value().is_zero();
  into.says.push_back(fmt::format(
      "{} = {} then cancels {} of {} leading bits: the error of the earlier steps remains, but the result is only {}.",
      worst->name, worst->formula, all ? "all" : std::to_string(cancelled_bits(tape, *worst)), worst->format.precision,
      shown(*worst)));
}

/// Describes the kernel's error next to the error of the steps.
void tell_kernel(const Tape& tape, std::uint64_t got, store::Explanation& into) {
  const Node& result = tape.result();
  if (!result.exact) return;
  if (!oracle::is_finite(tape.format(), got)) {
    if (!result.is_finite()) return;
    into.causes.emplace_back("other_kernel");
    into.says.emplace_back("The kernel returned no number where these steps return one: the kernel computes something else.");
    return;
  }
  if (!result.is_finite()) return;
  const Dyadic exact = midpoint(*result.exact);
  const Dyadic of_kernel = abs(oracle::decode_finite(tape.format(), got) - exact);
  const Dyadic of_steps = abs(result.value() - exact);
  if (of_kernel <= Dyadic(4) * of_steps || got == result.bits) return;
  into.causes.emplace_back("other_kernel");
  into.says.push_back(
      fmt::format("The error of these steps is {}, the error of the kernel is {}: the kernel computes something else.",
                  short_decimal(of_steps), short_decimal(of_kernel)));
}

}  // namespace

std::string decimal_of(const Dyadic& x) {
  constexpr long few = 100;
  constexpr int digits = 25;
  if (x.is_zero()) return "0";
  if (std::abs(x.exponent()) < few && x.lowest_exponent() > -few) {
    if (std::string all = to_string(x); all.size() <= digits) return all;
  }
  return rounded_decimal(x, digits);
}
std::string short_decimal(const Dyadic& x) { return rounded_decimal(x, 4); }
std::string decimal_of(const oracle::Format& format, std::uint64_t bits) {
  const bool is_number = oracle::is_finite(format, bits);
  return is_number ? decimal_of(oracle::decode_finite(format, bits)) : oracle::shortest_decimal(format, bits);
}

std::vector<store::Explanation::Input> inputs_of(const Record& record) {
  std::vector<store::Explanation::Input> inputs;
  for (const FieldValue& field : record.fields) {
    const auto* const words = std::get_if<Words>(&field.value);
    if (words == nullptr) continue;
    for (std::size_t i = 0; i < words->bits.size(); ++i) {
      const bool is_one = words->shape == Words::Shape::scalar;
      inputs.push_back({is_one ? field.name : fmt::format("{}[{}]", field.name, i),
                        oracle::to_hex(words->format, words->bits[i]), decimal_of(words->format, words->bits[i])});
    }
  }
  return inputs;
}

void explain(const Tape& tape, std::optional<std::uint64_t> got, store::Explanation& into) {
  const Shares shares = tape.shares();
  for (std::size_t k = 0; k < tape.nodes().size(); ++k) {
    const Node& node = tape.nodes()[k];
    const std::string hex = oracle::to_hex(node.format, node.bits);
    const std::string decimal = decimal_of(node.format, node.bits);
    if (is_constant(node)) continue;
    if (node.is_input()) {
      into.inputs.push_back({node.name, hex, decimal});
      continue;
    }
    store::Explanation::Step& step = into.steps.emplace_back();
    step = {.name = node.name, .formula = node.formula, .rounded = hex, .decimal = decimal};
    if (node.exact) step.exact = decimal_of(midpoint(*node.exact));
    if (node.exact && node.is_finite()) step.error = short_decimal(node.value() - midpoint(*node.exact));
    if (node.unrounded && node.is_finite()) {
      step.lost = node.is_rounded() ? short_decimal(node.value() - midpoint(*node.unrounded)) : "0";
    }
    if (!shares.empty()) step.share = short_decimal(shares[k]);
    step.events = events_of(tape, node);
  }
  if (tape.result().exact) into.exact = decimal_of(midpoint(*tape.result().exact));
  if (const std::optional<std::size_t> first = first_special(tape)) {
    tell_special(tape, *first, into);
  } else if (!shares.empty()) {
    tell_rounding(tape, shares, into);
  }
  if (got) tell_kernel(tape, *got, into);
}

}  // namespace assay::explain
