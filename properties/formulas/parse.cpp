// The lines of a formula and its machines.

#include <algorithm>
#include <tuple>
#include <utility>

#include "oracle/decimal.hpp"
#include "properties/formulas/parser.hpp"

namespace assay::formulas {

Formula Parser::formula() {
  header();
  while (!now().starts_line || now().column > 1) body_line();
  for (const auto& [name, line, column] : recomputed_) {
    recompute(defined(name, line, column));
  }
  take_result();
  while (now().kind != Token::Kind::end) machine();
  if (way_ && *way_ >= ways_.size()) throw FormulaError(source_ + ": no such way");
  prune();
  mark();
  return std::move(formula_);
}

void Parser::recompute(std::size_t k) {
  formula_.nodes[k].is_recomputed = true;
  for (const std::size_t a : formula_.nodes[k].arguments) {
    const Node& argument = formula_.nodes[a];
    if (argument.op != Op::input && argument.name.empty() && !argument.is_recomputed) recompute(a);
  }
}

bool Parser::take(std::string_view symbol) {
  if (!is(symbol)) return false;
  ++at_;
  return true;
}

void Parser::header() {
  formula_.name = need_name("the name of the formula, as in \"scale(x[n]) -> y[n]\"");
  need("(");
  do parameter();
  while (take(","));
  need(")");
  need("->");
  formula_.result_name = need_name("the name of the result");
  result_axes_ = axes_of_parameter(false);
  end_line();
  for (const Parameter& each : formula_.parameters) {
    if (find_axis(each.name)) {
      throw FormulaError(source_ + ": " + each.name + " is the name of a parameter and of an axis");
    }
  }
}

void Parser::parameter() {
  const Token at = now();
  Parameter p{.name = need_name("the name of a parameter")};
  if (values_.contains(p.name)) wrong(at, "two parameters named " + p.name);
  p.axes = axes_of_parameter(true);
  if (take(":")) {
    const std::string format = need_name("a format, or \"index\"");
    if (format == "index") {
      const Token of = now();
      const std::string name = need_name("the axis that the integers are places of");
      const bool is_known = find_axis(name).has_value();
      p.index_of = axis(name);
      if (take("=")) {
        if (is_known) wrong(of, "the length of " + name + " is already known");
        formula_.axes[*p.index_of].length = affine();
      }
      if (is_word("or")) {
        ++at_;
        if (!take("-")) expected("a negative integer, as in \"index n or -100\"");
        p.ignored = -integer();
      }
    } else {
      p.format = format;
    }
  }
  Node node{.op = Op::input, .axes = p.axes, .parameter = formula_.parameters.size(), .name = p.name};
  const bool is_index = p.index_of.has_value();
  formula_.parameters.push_back(std::move(p));
  const std::size_t placed = add(std::move(node));
  values_.emplace(formula_.parameters.back().name, is_index ? none : placed);
}

std::vector<std::size_t> Parser::axes_of_parameter(bool may_be_new) {
  std::vector<std::size_t> axes;
  if (!take("[")) return axes;
  do {
    const Token at = now();
    const std::string name = need_name("the name of an axis");
    const bool is_known = find_axis(name).has_value();
    const bool has_length = is("=");
    if (!is_known && !may_be_new && !has_length)
      wrong(at, "no parameter has the axis " + name + "; give it a length, as in i = #h - #r + 1");
    const std::size_t placed = axis(name);
    if (std::ranges::find(axes, placed) != axes.end()) {
      wrong(at, "the axis " + name + " stands twice; give the second one a name of its own");
    }
    if (has_length) {
      need("=");
      if (is_known) wrong(at, "the length of " + name + " is already known");
      formula_.axes[placed].length = affine();
    }
    axes.push_back(placed);
  } while (take(","));
  need("]");
  return axes;
}

std::size_t Parser::axis(const std::string& name) {
  if (const auto known = find_axis(name)) return *known;
  formula_.axes.push_back({name});
  return formula_.axes.size() - 1;
}

std::size_t Parser::known_axis() {
  const Token at = now();
  const auto found = find_axis(need_name("the name of an axis"));
  if (!found) wrong(at, "no axis " + at.text);
  return *found;
}

void Parser::body_line() {
  if (now().kind == Kind::end_of_line) {
    ++at_;
    return;
  }
  const bool is_definition = at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "=";
  if (!is_definition && is_word("computes")) {
    ++at_;
    if (now().kind != Kind::text) expected("a text in quotes");
    formula_.computes = now().text.substr(1, now().text.size() - 2);
    ++at_;
  } else if (!is_definition && is_word("mask")) {
    ++at_;
    mask();
  } else if (!is_definition && is_word("range")) {
    ++at_;
    range();
  } else if (!is_definition && is_word("class")) {
    ++at_;
    own_class();
  } else if (!is_definition && is_word("axis")) {
    ++at_;
    axis_line();
  } else if (!is_definition && is_word("recompute")) {
    ++at_;
    do {
      const Token at = now();
      recomputed_.push_back({need_name("the name of a definition"), at.line, at.column});
    } while (take(","));
  } else if (!is_definition && is_word("way")) {
    ++at_;
    definition(true);
  } else {
    definition(false);
  }
  end_line();
}

void Parser::definition(bool is_way) {
  const Token at = now();
  const std::string name = need_name("a definition, as in \"s = a + b\"");
  need("=");
  const std::size_t value = expression();
  if (!is_way) {
    if (values_.contains(name)) wrong(at, name + " is defined twice");
    values_.emplace(name, value);
    if (formula_.nodes[value].name.empty()) formula_.nodes[value].name = name;
    return;
  }
  const auto known = values_.find(name);
  if (known == values_.end()) wrong(at, "a way for " + name + ", which is not defined before");
  const auto sorted = [&](std::size_t node) {
    std::vector<std::size_t> axes = formula_.nodes[node].axes;
    std::ranges::sort(axes);
    return axes;
  };
  if (sorted(value) != sorted(known->second)) wrong(at, "the way for " + name + " has other axes");
  ways_.push_back(name);
  if (way_ != ways_.size() - 1) return;
  known->second = value;
  formula_.nodes[value].name = name;
}

void Parser::axis_line() {
  const Token at = now();
  const std::string name = need_name("the name of an axis");
  if (find_axis(name)) wrong(at, "the axis " + name + " is already there");
  if (std::ranges::find(formula_.parameters, name, &Parameter::name) != formula_.parameters.end()) {
    wrong(at, name + " is the name of a parameter and of an axis");
  }
  need("=");
  Affine length = affine();
  formula_.axes[axis(name)].length = std::move(length);
}

void Parser::mask() {
  const Token at = now();
  Mask mask{need_name("the name of a mask"), {}, Compare::less, {}};
  if (masks_.contains(mask.name)) wrong(at, "two masks named " + mask.name);
  need(":");
  mask.left = affine(true);
  if (take("<=")) {
    mask.compare = Compare::less_equal;
  } else if (take("==")) {
    mask.compare = Compare::equal;
  } else if (!take("<")) {
    expected("\"<\", \"<=\" or \"==\"");
  }
  mask.right = affine(true);
  masks_.emplace(mask.name, formula_.masks.size());
  formula_.masks.push_back(std::move(mask));
}

std::size_t Parser::known_parameter() {
  const Token at = now();
  const std::string name = need_name("the name of a parameter");
  const auto p = std::ranges::find(formula_.parameters, name, &Parameter::name);
  if (p == formula_.parameters.end()) wrong(at, "no parameter " + name);
  return static_cast<std::size_t>(p - formula_.parameters.begin());
}

std::pair<oracle::Rational, oracle::Rational> Parser::ends(const Token& at) {
  oracle::Rational low = number();
  oracle::Rational high = number();
  if (high < low) wrong(at, "the range of " + at.text + " ends before it begins");
  return {std::move(low), std::move(high)};
}

void Parser::range() {
  const Token at = now();
  Parameter& p = formula_.parameters[known_parameter()];
  if (is_word("one_hot")) {
    ++at_;
    if (p.index_of || p.axes.empty()) wrong(at, at.text + " has no rows of numbers, so they cannot be one_hot");
    p.is_one_hot = true;
    p.low = 0;
    p.high = 1;
    return;
  }
  if (now().kind == Kind::name) expected("one_hot, or the two ends of a range");
  std::tie(p.low, p.high) = ends(at);
}

void Parser::own_class() {
  const Token title = now();
  if (title.kind != Kind::text) expected("the name of the class in quotes, as in class \"large logits\": x 80 100");
  ++at_;
  OwnClass own{title.text.substr(1, title.text.size() - 2), {}};
  if (own.name.empty()) wrong(title, "a class without a name");
  if (std::ranges::find(formula_.classes, own.name, &OwnClass::name) != formula_.classes.end()) {
    wrong(title, "two classes named " + title.text);
  }
  own.settings.resize(formula_.parameters.size());
  need(":");
  do {
    const Token at = now();
    const std::size_t p = known_parameter();
    if (formula_.parameters[p].index_of) wrong(at, at.text + " has integers that are places; a class sets numbers");
    if (formula_.parameters[p].is_one_hot) wrong(at, at.text + " is one_hot in every class");
    if (own.settings[p]) wrong(at, "the class sets " + at.text + " twice");
    OwnClass::Setting& setting = own.settings[p].emplace();
    if (now().kind == Kind::name) {
      const auto word = std::ranges::find(drawings, std::string_view(now().text));
      if (word == drawings.end()) expected(words_of_drawings());
      setting.drawing = static_cast<Drawing>(word - drawings.begin());
      ++at_;
    } else if (now().kind == Kind::number || is("-")) {
      std::tie(setting.low, setting.high) = ends(at);
    } else {
      expected(words_of_drawings());
    }
  } while (take(","));
  formula_.classes.push_back(std::move(own));
}

std::string Parser::words_of_drawings() {
  std::string words = "the two ends of a range, or one of the words ";
  for (std::size_t k = 0; k < drawings.size(); ++k) words += (k == 0 ? "" : ", ") + std::string(drawings[k]);
  return words;
}

oracle::Rational Parser::number() {
  const bool is_negative = take("-");
  if (now().kind != Kind::number) expected("a number");
  const oracle::Rational value = value_of(tokens_[at_++].text);
  return is_negative ? -value : value;
}

oracle::Rational Parser::value_of(const std::string& text) {
  oracle::Dyadic digits;
  long exponent = 0;
  bool is_behind = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      is_behind = true;
      continue;
    }
    digits = digits * oracle::Dyadic(10) + oracle::Dyadic(text[at] - '0');
    exponent -= is_behind ? 1 : 0;
  }
  if (at < text.size()) exponent += std::clamp(std::stol(text.substr(at + 1, 9)), -5000L, 5000L);
  oracle::Dyadic power(1);
  for (long k = 0; k < std::abs(exponent); ++k) power *= oracle::Dyadic(10);
  return exponent < 0 ? oracle::Rational(digits, power) : oracle::Rational(digits * power);
}

Affine Parser::affine(bool is_of_mask) {
  Affine sum;
  bool is_negative = take("-");
  while (true) {
    std::int64_t factor = is_negative ? -1 : 1;
    bool has_factor = false;
    if (now().kind == Kind::number) {
      factor *= integer();
      has_factor = true;
    }
    if (has_factor && !is("*")) {
      sum.constant += factor;
    } else {
      if (has_factor) need("*");
      const bool is_length = take("#");
      const auto integers = std::ranges::find_if(formula_.parameters, [&](const Parameter& each) {
        return is_of_mask && !is_length && each.index_of && each.name == now().text;
      });
      if (integers != formula_.parameters.end()) {
        ++at_;
        sum.integers.push_back({static_cast<std::size_t>(integers - formula_.parameters.begin()), factor});
      } else {
        if (now().kind != Kind::name) expected("an index, a length #n or an integer");
        (is_length ? sum.lengths : sum.indices).push_back({known_axis(), factor});
      }
    }
    if (take("+")) {
      is_negative = false;
    } else if (take("-")) {
      is_negative = true;
    } else {
      return sum;
    }
  }
}

std::int64_t Parser::integer() {
  const Token at = now();
  if (at.kind != Kind::number || at.text.find_first_not_of("0123456789") != std::string::npos || at.text.size() > 9) {
    expected("an integer");
  }
  ++at_;
  return std::stol(at.text);
}

void Parser::machine() {
  if (now().kind == Kind::end_of_line) {
    ++at_;
    return;
  }
  if (!is_word("machine")) expected("\"machine\", or an indented line of the formula");
  ++at_;
  MachineText machine{need_name("the name of a machine"), {}};
  end_line();
  while (!now().starts_line || now().column > 1) {
    if (now().kind == Kind::end_of_line || is(";")) {
      ++at_;
      continue;
    }
    MachineText::Setting setting{need_name("a setting"), {}, now().line};
    while (now().kind != Kind::end_of_line && now().kind != Kind::end && !is(";"))
      setting.words.push_back(tokens_[at_++].text);
    machine.settings.push_back(std::move(setting));
  }
  formula_.machines.push_back(std::move(machine));
}

void Parser::take_result() {
  const auto found = values_.find(formula_.result_name);
  if (found == values_.end() || found->second == none) {
    if (now().kind != Kind::end && !is_word("machine")) expected("an indented line of the formula");
    throw FormulaError(source_ + ": the result " + formula_.result_name + " is not defined");
  }
  std::size_t result = found->second;
  std::vector<std::size_t> have = axes(result);
  std::vector<std::size_t> want = result_axes_;
  if (have != want) {
    std::ranges::sort(have);
    std::ranges::sort(want);
    if (have != want) {
      std::string names;
      for (const std::size_t each : axes(result)) names += (names.empty() ? "" : ", ") + formula_.axes[each].name;
      throw FormulaError(source_ + ": the result " + formula_.result_name + " has the axes [" + names +
                         "], not those of the first line");
    }
    result = arranged(result, result_axes_);
  }
  formula_.result = result;
}

void Parser::prune() {
  std::vector<bool> leads(formula_.nodes.size());
  leads[formula_.result] = true;
  for (std::size_t k = formula_.nodes.size(); k-- > 0;) {
    if (!leads[k]) continue;
    for (const std::size_t a : formula_.nodes[k].arguments) leads[a] = true;
  }
  std::vector<std::size_t> moved(formula_.nodes.size());
  std::vector<Node> kept;
  for (std::size_t k = 0; k < formula_.nodes.size(); ++k) {
    if (!leads[k] && formula_.nodes[k].op != Op::input) continue;
    moved[k] = kept.size();
    for (std::size_t& a : formula_.nodes[k].arguments) a = moved[a];
    kept.push_back(std::move(formula_.nodes[k]));
  }
  formula_.result = moved[formula_.result];
  formula_.nodes = std::move(kept);
}

void Parser::mark() {
  for (const Node& each : formula_.nodes) {
    if (each.op != Op::mul && each.op != Op::div) continue;
    for (std::size_t a = 0; a < (each.op == Op::mul ? 2 : 1); ++a) {
      Node& inner = formula_.nodes[each.arguments[a]];
      if (inner.op != Op::dot && inner.op != Op::sum) continue;
      inner.extra = inner.op == Op::dot ? 4 : 2;
      inner.factors.push_back(each.arguments[1 - a]);
    }
  }
}

Formula parse(const std::string& text, const std::string& source) {
  Parser parser(text, source, std::nullopt);
  Formula formula = parser.formula();
  for (std::size_t w = 0; w < parser.ways().size(); ++w) {
    formula.ways.emplace_back("way_" + parser.ways()[w], Parser(text, source, w).formula());
  }
  return formula;
}

}  // namespace assay::formulas
