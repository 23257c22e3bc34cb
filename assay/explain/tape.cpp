#include "assay/explain/tape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <variant>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay::explain {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Elementary;
using oracle::Exact;

/// The precision for sums and products. With numbers of a format they have fewer bits, so they are exact.
constexpr long bits_of_sums = 8192;
/// The precision for quotients, roots and functions, which have infinitely many bits.
constexpr long bits_of_others = 512;

constexpr Function functions[] = {
    {"exp", Elementary::exp, std::exp},
    {"exp2", Elementary::exp2, std::exp2},
    {"exp10", Elementary::exp10, [](double x) { return std::pow(10.0, x); }},
    {"expm1", Elementary::expm1, std::expm1},
    {"log", Elementary::log, std::log},
    {"log2", Elementary::log2, std::log2},
    {"log10", Elementary::log10, std::log10},
    {"log1p", Elementary::log1p, std::log1p},
    {"sin", Elementary::sin, std::sin},
    {"cos", Elementary::cos, std::cos},
    {"tan", Elementary::tan, std::tan},
    {"asin", Elementary::asin, std::asin},
    {"acos", Elementary::acos, std::acos},
    {"atan", Elementary::atan, std::atan},
    {"sinh", Elementary::sinh, std::sinh},
    {"cosh", Elementary::cosh, std::cosh},
    {"tanh", Elementary::tanh, std::tanh},
    {"asinh", Elementary::asinh, std::asinh},
    {"acosh", Elementary::acosh, std::acosh},
    {"atanh", Elementary::atanh, std::atanh},
    {"sqrt", Elementary::sqrt, std::sqrt},
    {"rsqrt", Elementary::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
    {"cbrt", Elementary::cbrt, std::cbrt},
    {"erf", Elementary::erf, std::erf},
    {"erfc", Elementary::erfc, std::erfc},
};

/// The step applied to balls. Empty if it has no value for some numbers of the balls.
std::optional<Ball> applied(const Node& node, const Ball& a, const Ball& b) {
  Ball result;
  switch (node.op) {
    case Operator::add:
      result = add(a, b, bits_of_sums);
      break;
    case Operator::subtract:
      result = sub(a, b, bits_of_sums);
      break;
    case Operator::multiply:
      result = mul(a, b, bits_of_sums);
      break;
    case Operator::divide:
      result = div(a, b, bits_of_others);
      break;
    case Operator::input:
      return a;
    case Operator::function:
      if (const Dyadic x = a.lower(); x == a.upper()) {
        if (!oracle::is_defined(node.function->function, x)) return std::nullopt;
        result = enclosed(oracle::elementary(node.function->function, x), bits_of_others);
      } else {
        result = elementary_of(node.function->function, a, bits_of_others);
      }
  }
  return result.is_finite() ? std::optional(result) : std::nullopt;
}

/// The step applied to numbers of formats. Empty if it has no value.
std::optional<Exact> applied(const Node& node, const Dyadic& a, const Dyadic& b) {
  switch (node.op) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide:
      return b.is_zero() ? std::nullopt : std::optional<Exact>(oracle::quotient(a, b));
    case Operator::input:
      return a;
    case Operator::function:
      break;
  }
  const Elementary function = node.function->function;
  return oracle::is_defined(function, a) ? std::optional(oracle::elementary(function, a)) : std::nullopt;
}

/// The node as a double, which has every number of the formats of steps.
double as_double(const Node& node) {
  const oracle::Decoded decoded = oracle::decode(node.format, node.bits);
  const double sign = decoded.negative ? -1 : 1;
  if (decoded.kind == oracle::Decoded::Kind::nan) return NAN;
  return decoded.kind == oracle::Decoded::Kind::infinite ? sign * INFINITY
                                                         : std::copysign(decoded.value.to_double_nearest(), sign);
}

/// The step in double arithmetic, for operands that are NaNs or infinities, and for steps without a real value.
double in_c(const Node& node, double a, double b) {
  switch (node.op) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide:
      return a / b;
    case Operator::input:
      return a;
    case Operator::function:
      break;
  }
  return node.function->in_c(a);
}

}  // namespace

const Function* function_named(std::string_view name) {
  const auto* const found = std::ranges::find(functions, name, &Function::name);
  return found == std::end(functions) ? nullptr : found;
}

Dyadic midpoint(const Ball& ball) {
  const Dyadic middle = (ball.lower() + ball.upper()).mul_2exp(-1);
  if (middle.is_zero() || std::abs(middle.exponent()) <= farthest) return middle;
  return Dyadic::scaled(middle.sign(), middle.exponent() > 0 ? 2 * farthest : -2 * farthest);
}
Dyadic midpoint(const Exact& value) { return midpoint(enclosed(value, bits_of_others)); }

bool Node::is_finite() const { return oracle::is_finite(format, bits); }
Dyadic Node::value() const { return oracle::decode_finite(format, bits); }
bool Node::is_rounded() const {
  if (!unrounded || !is_finite()) return false;
  const auto* const number = std::get_if<Dyadic>(&*unrounded);
  return number == nullptr ? compare(*unrounded, value()) != 0 : *number != value();
}

std::size_t Tape::push(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

std::size_t Tape::input(std::string name, const oracle::Format& format, std::uint64_t bits) {
  Node node{.name = std::move(name), .format = format, .bits = bits};
  if (node.is_finite()) node.exact = Ball(node.value());
  return push(std::move(node));
}

std::size_t Tape::step(std::string name, Operator op, std::size_t a, std::size_t b) {
  constexpr std::string_view signs[] = {"", " + ", " - ", " * ", " / "};
  return finished({.op = op,
                   .a = a,
                   .b = b,
                   .name = std::move(name),
                   .formula = nodes_[a].name + std::string(signs[static_cast<std::size_t>(op)]) + nodes_[b].name,
                   .format = format_});
}

std::size_t Tape::step(std::string name, const Function& function, std::size_t a) {
  return finished({.op = Operator::function,
                   .a = a,
                   .b = a,
                   .function = &function,
                   .name = std::move(name),
                   .formula = std::string(function.name) + "(" + nodes_[a].name + ")",
                   .format = format_});
}

std::size_t Tape::finished(Node node) {
  const Node& a = nodes_[node.a];
  const Node& b = nodes_[node.b];
  if (a.is_finite() && b.is_finite()) node.unrounded = applied(node, a.value(), b.value());
  if (a.exact && b.exact) node.exact = applied(node, *a.exact, *b.exact);
  if (node.unrounded) {
    const bool is_negative_zero = std::signbit(in_c(node, as_double(a), as_double(b)));
    node.bits = oracle::round(*node.unrounded, format_, oracle::Rounding::nearest, {.negative_zero = is_negative_zero});
    return push(std::move(node));
  }
  const double special = in_c(node, as_double(a), as_double(b));
  if (std::isnan(special) || (std::isinf(special) && !format_.has_infinity())) {
    node.bits = format_.nan();
  } else if (std::isinf(special)) {
    node.bits = format_.infinity() | (std::signbit(special) ? format_.sign_mask() : 0);
  } else {
    node.bits = oracle::round(oracle::exact(special), format_, oracle::Rounding::nearest,
                              {.negative_zero = std::signbit(special)});
    if (!a.exact || !b.exact) node.exact = Ball(node.value());
  }
  return push(std::move(node));
}

std::vector<bool> Tape::computed_from(std::size_t from) const {
  std::vector<bool> found(nodes_.size());
  found[from] = true;
  for (std::size_t k = from + 1; k < nodes_.size(); ++k) {
    found[k] = !nodes_[k].is_input() && (found[nodes_[k].a] || found[nodes_[k].b]);
  }
  return found;
}

std::optional<std::vector<Ball>> Tape::exact_values() const {
  std::vector<Ball> values;
  for (const Node& node : nodes_) {
    if (!node.is_finite() || !node.exact) return std::nullopt;
    values.push_back(*node.exact);
  }
  return values;
}

Dyadic Tape::moved(std::vector<Ball>& values, std::size_t place) const {
  const Ball before = values.back();
  const std::vector<bool> is_moved = computed_from(place);
  values[place] = Ball(nodes_[place].value());
  for (std::size_t k = place + 1; k < nodes_.size(); ++k) {
    if (!is_moved[k]) continue;
    if (const auto value = applied(nodes_[k], values[nodes_[k].a], values[nodes_[k].b])) values[k] = *value;
  }
  return midpoint(sub(values.back(), before, bits_of_sums));
}

std::vector<Dyadic> Tape::shares() const {
  std::optional<std::vector<Ball>> values = exact_values();
  if (!values) return {};
  std::vector<Dyadic> shares(nodes_.size());
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    if (nodes_[j].is_rounded()) shares[j] = moved(*values, j);
  }
  return shares;
}

Dyadic Tape::effect(std::size_t place) const {
  std::optional<std::vector<Ball>> values = exact_values();
  return values ? moved(*values, place) : Dyadic();
}

}  // namespace assay::explain
