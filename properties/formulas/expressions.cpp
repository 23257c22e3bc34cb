// The expressions of a formula, and the nodes that they make.

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "properties/formulas/machine.hpp"
#include "properties/formulas/parser.hpp"

namespace assay::formulas {
namespace {

constexpr std::array<std::pair<std::string_view, Op>, 15> functions{{{"exp", Op::exp},
                                                                     {"exp2", Op::exp2},
                                                                     {"expm1", Op::expm1},
                                                                     {"log", Op::log},
                                                                     {"log1p", Op::log1p},
                                                                     {"sqrt", Op::sqrt},
                                                                     {"rsqrt", Op::rsqrt},
                                                                     {"tanh", Op::tanh},
                                                                     {"erf", Op::erf},
                                                                     {"sigmoid", Op::sigmoid},
                                                                     {"sin", Op::sin},
                                                                     {"cos", Op::cos},
                                                                     {"abs", Op::abs},
                                                                     {"relu", Op::relu},
                                                                     {"sign", Op::sign}}};
constexpr std::array<std::string_view, 24> others{"atan2", "fmod",   "remainder", "argmax",  "argmin",    "sum",
                                                  "mean",  "cumsum", "prod",      "cumprod", "max",       "min",
                                                  "pow",   "sort",   "spread",    "softmax", "logsumexp", "variance",
                                                  "where", "pick",   "stack",     "count",   "square",    "stochastic"};

constexpr std::array<std::pair<std::string_view, Op>, 4> of_two_numbers{
    {{"pow", Op::pow}, {"atan2", Op::atan2}, {"fmod", Op::fmod}, {"remainder", Op::remainder}}};
bool is_of_two_numbers(std::string_view name) {
  return std::ranges::find(of_two_numbers, name, &std::pair<std::string_view, Op>::first) != of_two_numbers.end();
}

}  // namespace

std::size_t Parser::add(Node node) {
  node.is_constant =
      node.op == Op::constant || (!node.arguments.empty() && std::ranges::all_of(node.arguments, [&](std::size_t a) {
        return formula_.nodes[a].is_constant;
      }));
  formula_.nodes.push_back(std::move(node));
  return formula_.nodes.size() - 1;
}

std::vector<std::size_t> Parser::united(std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
  for (const std::size_t each : b) {
    if (std::ranges::find(a, each) == a.end()) a.push_back(each);
  }
  return a;
}

std::vector<std::size_t> Parser::without(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> rest;
  for (const std::size_t each : a) {
    if (std::ranges::find(b, each) == b.end()) rest.push_back(each);
  }
  return rest;
}

std::size_t Parser::expression() {
  std::size_t value = product();
  while (is("+") || is("-")) {
    const Op op = is("+") ? Op::add : Op::sub;
    ++at_;
    value = binary(op, value, product());
  }
  return value;
}

std::size_t Parser::product() {
  std::size_t value = factor();
  while (is("*") || is("/") || is("@")) {
    const Token at = now();
    ++at_;
    const std::size_t right = factor();
    value = at.text == "@" ? contracted(at, value, right) : binary(at.text == "*" ? Op::mul : Op::div, value, right);
  }
  return value;
}

std::size_t Parser::contracted(const Token& at, std::size_t a, std::size_t b) {
  const auto& left = axes(a);
  const auto& right = axes(b);
  if (left.empty() || right.empty()) wrong(at, "@ needs an axis on both sides; a product with a scalar is *");
  const std::size_t over = left.back();
  if (over != right[right.size() > 1 ? right.size() - 2 : 0]) {
    wrong(at, "@ adds along the last axis of the left side, " + formula_.axes[over].name +
                  ", which must be the last but one of the right side; write b.T, or sum(a*b, axis=" +
                  formula_.axes[over].name + ")");
  }
  return dot(a, b, {over});
}

std::size_t Parser::factor() {
  if (take("-")) return unary(Op::neg, factor());
  std::size_t value = atom();
  if (take("^")) {
    const Token at = now();
    const std::int64_t n = integer();
    if (n < 2 || n > 64) wrong(at, "a power is an integer from 2 to 64");
    value =
        add({.op = Op::power, .arguments = {value}, .axes = axes(value), .exponent = static_cast<unsigned long>(n)});
  }
  return value;
}

std::size_t Parser::atom() {
  std::size_t value = 0;
  const Token at = now();
  if (take("(")) {
    value = expression();
    need(")");
  } else if (at.kind == Kind::number) {
    ++at_;
    value = add({.op = Op::constant, .value = value_of(at.text)});
  } else if (take("#")) {
    value = add({.op = Op::constant, .length = Affine{.lengths = {{known_axis(), 1}}}});
  } else if (at.kind == Kind::name && tokens_[at_ + 1].text == "(") {
    value = call();
  } else if (at.kind == Kind::name) {
    ++at_;
    if (at.text == "pi" && !values_.contains("pi")) {
      value = add({.op = Op::constant, .is_pi = true});
    } else {
      value = defined(at.text, at.line, at.column);
    }
  } else {
    expected("a number, a name or \"(\"");
  }
  while (is("[") || is(".")) value = is("[") ? sliced(value) : transposed(value);
  return value;
}

std::size_t Parser::defined(const std::string& name, std::size_t line, std::size_t column) const {
  const auto found = values_.find(name);
  if (found == values_.end()) refuse(source_, line, column, "nothing is named " + name + " before this place");
  if (found->second == none)
    refuse(source_, line, column,
           name + " has integers: it stands in masks, pick(x, " + name + ") and spread(x, " + name + ") alone");
  return found->second;
}

std::size_t Parser::transposed(std::size_t value) {
  need(".");
  const Token at = now();
  if (need_name("\"T\"") != "T") wrong(at, "expected \"T\"");
  std::vector<std::size_t> swapped = axes(value);
  if (swapped.size() < 2) wrong(at, ".T needs two axes");
  std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
  return arranged(value, swapped);
}

std::size_t Parser::arranged(std::size_t value, const std::vector<std::size_t>& order) {
  std::vector<Affine> index;
  for (const std::size_t each : axes(value)) index.push_back({.indices = {{each, 1}}});
  return add({.op = Op::gather, .arguments = {value}, .axes = order, .index = std::move(index)});
}

std::size_t Parser::sliced(std::size_t value) {
  const Token at = now();
  need("[");
  std::vector<Affine> index;
  std::vector<std::size_t> result;
  const std::vector<std::size_t> of = axes(value);
  do {
    if (index.size() == of.size()) wrong(at, "more indices than the tensor has axes");
    if (take(":")) {
      index.push_back({.indices = {{of[index.size()], 1}}});
    } else {
      index.push_back(affine());
    }
    for (const Affine::Term& each : index.back().indices) result = united(result, {each.axis});
  } while (take(","));
  need("]");
  if (index.size() != of.size()) {
    wrong(at, "the tensor has " + std::to_string(of.size()) + " axes, and " + std::to_string(index.size()) +
                  " indices are given");
  }
  return add({.op = Op::gather, .arguments = {value}, .axes = std::move(result), .index = std::move(index)});
}

Parser::Call Parser::arguments(const std::string& function) {
  Call call;
  need("(");
  do {
    const bool is_option = now().kind == Kind::name && tokens_[at_ + 1].text == "=";
    if (is_option && is_word("axis")) {
      at_ += 2;
      do {
        const Token at = now();
        const std::size_t axis = known_axis();
        if (std::ranges::find(call.axes, axis) != call.axes.end()) wrong(at, function + " along " + at.text + " twice");
        call.axes.push_back(axis);
      } while (is(",") && tokens_[at_ + 1].kind == Kind::name && find_axis(tokens_[at_ + 1].text) &&
               tokens_[at_ + 2].text != "=" && take(","));
    } else if (is_option && is_word("mask")) {
      at_ += 2;
      call.mask = known_mask();
    } else if (is_option) {
      expected("\"axis\" or \"mask\"");
    } else if (function == "where" && call.arguments.empty() && !call.mask) {
      call.mask = known_mask();
    } else if (function == "stochastic" && call.parameter) {
      const Token at = now();
      try {
        call.to = format_of_name(need_name("a format"));
      } catch (const FormulaError& error) {
        wrong(at, error.what());
      }
    } else if ((function == "pick" || function == "spread" || function == "stochastic") && call.arguments.size() == 1) {
      const Token at = now();
      const auto p = std::ranges::find(formula_.parameters, need_name("a parameter of integers"), &Parameter::name);
      if (p == formula_.parameters.end() || !p->index_of) wrong(at, function + " needs a parameter \"y[n]: index m\"");
      call.parameter = static_cast<std::size_t>(p - formula_.parameters.begin());
    } else {
      call.arguments.push_back(expression());
    }
  } while (take(","));
  need(")");
  return call;
}

std::size_t Parser::known_mask() {
  const Token at = now();
  const auto found = masks_.find(need_name("the name of a mask"));
  if (found == masks_.end()) wrong(at, "no mask " + at.text);
  return found->second;
}

std::size_t Parser::call() {
  const Token at = now();
  const std::string name = need_name("a function");
  const auto function = std::ranges::find(functions, name, &std::pair<std::string_view, Op>::first);
  if (function == functions.end() && std::ranges::find(others, name) == others.end()) {
    std::string known;
    for (const auto& each : functions) known += std::string(each.first) + ", ";
    for (const auto& each : others) known += std::string(each) + (each == others.back() ? "" : ", ");
    wrong(at, "no function " + name + "; there are: " + known);
  }
  const Call call = arguments(name);
  const bool is_two = name == "where" || name == "stack" || is_of_two_numbers(name) ||
                      ((name == "max" || name == "min") && call.axes.empty());
  const std::size_t count = is_two ? 2 : name == "count" ? 0 : 1;
  if (call.arguments.size() != count) {
    wrong(at, name + " takes " + std::to_string(count) + (count == 1 ? " argument" : " arguments") + "; found " +
                  std::to_string(call.arguments.size()));
  }
  if (function != functions.end()) return unary(function->second, call.arguments[0]);
  if (name == "square")
    return add({.op = Op::power, .arguments = call.arguments, .axes = axes(call.arguments[0]), .exponent = 2});
  if (name == "count") return counted(at, call);
  if (name == "where") {
    const std::size_t node = binary(Op::where, call.arguments[0], call.arguments[1]);
    return masked(node, *call.mask);
  }
  if (name == "stack") return stacked(at, call);
  if (name == "pick") return picked(at, call);
  if (name == "spread") return spread(at, call);
  if (name == "stochastic") return stochastic(at, call);
  if (is_of_two_numbers(name)) {
    const auto two = std::ranges::find(of_two_numbers, name, &std::pair<std::string_view, Op>::first);
    return binary(two->second, call.arguments[0], call.arguments[1]);
  }
  if ((name == "max" || name == "min") && call.axes.empty()) {
    return binary(name == "max" ? Op::maximum : Op::minimum, call.arguments[0], call.arguments[1]);
  }
  return reduced(at, name, call);
}

std::size_t Parser::masked(std::size_t node, std::size_t mask) {
  formula_.nodes[node].mask = mask;
  // The entries of a masked node differ, so it is not a constant that a program rounds once in advance.
  formula_.nodes[node].is_constant = false;
  for (const Affine* side : {&formula_.masks[mask].left, &formula_.masks[mask].right}) {
    for (const Affine::Term& each : side->indices) {
      formula_.nodes[node].axes = united(formula_.nodes[node].axes, {each.axis});
    }
    for (const Affine::Integer& each : side->integers) {
      formula_.nodes[node].axes = united(formula_.nodes[node].axes, formula_.parameters[each.parameter].axes);
    }
  }
  return node;
}

std::size_t Parser::stacked(const Token& at, const Call& call) {
  if (call.axes.size() != 1) wrong(at, "stack needs axis=, an axis of length 2");
  std::vector<std::size_t> all = united(axes(call.arguments[0]), axes(call.arguments[1]));
  if (std::ranges::find(all, call.axes[0]) != all.end()) wrong(at, "stack along an axis that is there already");
  all.push_back(call.axes[0]);
  return add({.op = Op::stack, .arguments = call.arguments, .axes = std::move(all)});
}

std::size_t Parser::picked(const Token& at, const Call& call) {
  if (!call.parameter) wrong(at, "pick takes a tensor and a parameter of integers");
  const Parameter& p = formula_.parameters[*call.parameter];
  const std::vector<std::size_t> rest = without(axes(call.arguments[0]), {*p.index_of});
  const bool has_axis = rest.size() != axes(call.arguments[0]).size();
  if (!has_axis && !p.ignored) wrong(at, "pick along an axis that the tensor does not have");
  return add({.op = Op::pick,
              .arguments = {call.arguments[0], *call.parameter},
              .axes = united(rest, p.axes),
              .over = has_axis ? std::vector{*p.index_of} : std::vector<std::size_t>{},
              .parameter = *call.parameter});
}

std::size_t Parser::spread(const Token& at, const Call& call) {
  if (!call.parameter) wrong(at, "spread takes a tensor and a parameter of integers");
  const Parameter& p = formula_.parameters[*call.parameter];
  std::vector<std::size_t> all = united(axes(call.arguments[0]), p.axes);
  if (std::ranges::find(all, *p.index_of) != all.end()) wrong(at, "spread along an axis that the tensor has already");
  all.push_back(*p.index_of);
  return add({.op = Op::spread,
              .arguments = {call.arguments[0], *call.parameter},
              .axes = std::move(all),
              .parameter = *call.parameter});
}

std::size_t Parser::stochastic(const Token& at, const Call& call) {
  if (!call.parameter || !call.to) wrong(at, "stochastic takes a tensor, a parameter of random words, and a format");
  const Parameter& p = formula_.parameters[*call.parameter];
  if (p.ignored)
    wrong(at, "each number has a random word, so " + p.name + " cannot be \"or " + std::to_string(*p.ignored) + "\"");
  const std::optional<Affine>& words = formula_.axes[*p.index_of].length;
  const bool is_number = words && words->indices.empty() && words->lengths.empty();
  if (!is_number || words->constant < 2 || !std::has_single_bit(static_cast<std::uint64_t>(words->constant))) {
    wrong(at, "the random words of stochastic have a given number of bits, as in word[n]: index w = 65536");
  }
  return add({.op = Op::stochastic,
              .arguments = {call.arguments[0], *call.parameter},
              .axes = united(axes(call.arguments[0]), p.axes),
              .parameter = *call.parameter,
              .to = call.to});
}

std::size_t Parser::reduced(const Token& at, const std::string& name, const Call& call) {
  const std::size_t x = call.arguments[0];
  std::vector<std::size_t> over = call.axes.empty() ? axes(x) : call.axes;
  if (over.empty()) wrong(at, name + " of a scalar");
  for (const std::size_t each : over) {
    if (std::ranges::find(axes(x), each) == axes(x).end()) {
      wrong(at, name + " along " + formula_.axes[each].name + ", an axis that its argument does not have");
    }
  }
  const std::vector<std::size_t> rest = without(axes(x), over);
  if (name == "sum") return summed(x, over);
  if (name == "mean") {
    const std::size_t sum = summed(x, over);
    Node count{.op = Op::constant, .length = Affine{}};
    if (over.size() > 1) wrong(at, "mean runs along one axis");
    count.length->lengths.push_back({over[0], 1});
    return binary(Op::div, sum, add(std::move(count)));
  }
  if (name == "prod") return add({.op = Op::prod, .arguments = {x}, .axes = rest, .over = over});
  if (over.size() > 1 && name != "softmax" && name != "logsumexp") wrong(at, name + " runs along one axis");
  if (name == "sort") return add({.op = Op::sort, .arguments = {x}, .axes = axes(x), .over = over});
  if (name == "cumsum") return add({.op = Op::cumsum, .arguments = {x}, .axes = axes(x), .over = over});
  if (name == "cumprod") return add({.op = Op::cumprod, .arguments = {x}, .axes = axes(x), .over = over});
  if (name == "variance") return add({.op = Op::variance, .arguments = {x}, .axes = rest, .over = over});
  if (name == "argmax") return add({.op = Op::argmax, .arguments = {x}, .axes = rest, .over = over});
  if (name == "argmin") return add({.op = Op::argmax, .arguments = {unary(Op::neg, x)}, .axes = rest, .over = over});
  if (name == "max" || name == "min") {
    if (name == "max") return add({.op = Op::maximum_over, .arguments = {x}, .axes = rest, .over = over});
    return unary(Op::neg, add({.op = Op::maximum_over, .arguments = {unary(Op::neg, x)}, .axes = rest, .over = over}));
  }
  std::size_t logits = add({.op = Op::logits, .arguments = {x}, .axes = axes(x), .over = over});
  if (call.mask) logits = masked(logits, *call.mask);
  const std::vector<std::size_t> of_rows = without(axes(logits), over);
  if (name == "logsumexp") return add({.op = Op::logsumexp, .arguments = {logits}, .axes = of_rows, .over = over});
  const std::size_t norm = add({.op = Op::norm, .arguments = {logits}, .axes = of_rows, .over = over});
  return add({.op = Op::softmax, .arguments = {logits, norm}, .axes = axes(logits), .over = over});
}

std::size_t Parser::summed(std::size_t x, const std::vector<std::size_t>& over) {
  const Node node = formula_.nodes[x];
  if (node.name.empty() && node.op == Op::mul) {
    const std::size_t a = node.arguments[0];
    const std::size_t b = node.arguments[1];
    const std::size_t placed = dot(a, b, over);
    formula_.nodes[placed].axes = without(node.axes, over);
    return placed;
  }
  if (node.name.empty() && node.op == Op::power && node.exponent == 2)
    return dot(node.arguments[0], node.arguments[0], over);
  return add({.op = Op::sum, .arguments = {x}, .axes = without(axes(x), over), .over = over});
}

}  // namespace assay::formulas
