// The text of a formula, read by recursive descent. docs/formula.md has the grammar.

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "oracle/decimal.hpp"
#include "properties/formulas/graph.hpp"

namespace assay::formulas {
namespace {

struct Token {
  enum class Kind { name, number, text, symbol, end_of_line, end } kind;
  std::string text;
  std::size_t line;
  std::size_t column;
  bool starts_line = false;
};

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end_of_line) return "the end of the line";
  if (token.kind == Token::Kind::end) return "the end of the file";
  return "\"" + token.text + "\"";
}

[[noreturn]] void refuse(const std::string& source, std::size_t line, std::size_t column, const std::string& what) {
  throw FormulaError(source + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what);
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The tokens of the text. A # before a letter is an operator, else it begins a comment. Lines end outside of brackets.
std::vector<Token> tokens_of(const std::string& text, const std::string& source) {
  std::vector<Token> tokens;
  std::size_t line = 1;
  std::size_t begin = 0;
  int depth = 0;
  bool at_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t column = at - begin + 1;
    const auto add = [&](Token::Kind kind, std::size_t length) {
      tokens.push_back({kind, text.substr(at, length), line, column, at_start});
      at_start = false;
      at += length;
    };
    if (c == '\n') {
      if (depth == 0 && !at_start) tokens.push_back({Token::Kind::end_of_line, "\n", line, column});
      at_start = at_start || depth == 0;
      ++line;
      begin = ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '#' && (at + 1 == text.size() || !is_letter(text[at + 1]))) {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_letter(c)) {
      std::size_t length = 1;
      while (at + length < text.size() && (is_letter(text[at + length]) || is_digit(text[at + length]))) ++length;
      add(Token::Kind::name, length);
    } else if (is_digit(c)) {
      std::size_t end = at;
      const auto digits = [&] {
        while (end < text.size() && is_digit(text[end])) ++end;
      };
      digits();
      if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) ++end, digits();
      if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 2 : 1;
        if (end + sign < text.size() && is_digit(text[end + sign])) end += sign, digits();
      }
      add(Token::Kind::number, end - at);
    } else if (c == '"') {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos || text.find('\n', at) < end) refuse(source, line, column, "a text without its end");
      add(Token::Kind::text, end + 1 - at);
    } else {
      constexpr std::array<std::string_view, 3> pairs{"->", "<=", "=="};
      const std::string_view two = std::string_view(text).substr(at, 2);
      const bool is_pair = std::ranges::find(pairs, two) != pairs.end();
      if (!is_pair && std::string_view("()[],:=+-*/@^.<#;|").find(c) == std::string_view::npos) {
        refuse(source, line, column, std::string("a character that no formula has: \"") + c + "\"");
      }
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      add(Token::Kind::symbol, is_pair ? 2 : 1);
    }
  }
  tokens.push_back({Token::Kind::end_of_line, "\n", line, text.size() - begin + 1});
  tokens.push_back({Token::Kind::end, "", line, text.size() - begin + 1, true});
  return tokens;
}

constexpr std::array<std::pair<std::string_view, Op>, 14> functions{{{"exp", Op::exp},
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
                                                                     {"relu", Op::relu}}};
constexpr std::array<std::string_view, 13> others{"sum",     "mean",      "cumsum",   "max",   "min",
                                                  "softmax", "logsumexp", "variance", "where", "pick",
                                                  "stack",   "count",     "square"};

class Parser {
 public:
  /// `way`: which `way` of the file takes the place of its definition; nothing for the definitions themselves.
  Parser(const std::string& text, const std::string& source, std::optional<std::size_t> way)
      : source_(source), tokens_(tokens_of(text, source)), way_(way) {
    formula_.text = text;
  }

  Formula formula() {
    header();
    while (!now().starts_line || now().column > 1) body_line();
    for (const auto& [name, line, column] : recomputed_) {
      formula_.nodes[defined(name, line, column)].is_recomputed = true;
    }
    take_result();
    while (now().kind != Token::Kind::end) machine();
    if (way_ && *way_ >= ways_.size()) throw FormulaError(source_ + ": no such way");
    prune();
    mark();
    return std::move(formula_);
  }
  const std::vector<std::string>& ways() const { return ways_; }

 private:
  using Kind = Token::Kind;
  struct Place {
    std::string name;
    std::size_t line;
    std::size_t column;
  };

  const Token& now() const { return tokens_[at_]; }
  bool is(std::string_view symbol) const { return now().kind == Kind::symbol && now().text == symbol; }
  bool is_word(std::string_view word) const { return now().kind == Kind::name && now().text == word; }
  [[noreturn]] void expected(const std::string& what) const {
    refuse(source_, now().line, now().column, "expected " + what + "; found " + shown(now()));
  }
  [[noreturn]] void wrong(const Token& at, const std::string& what) const { refuse(source_, at.line, at.column, what); }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }
  void need(std::string_view symbol) {
    if (!take(symbol)) expected("\"" + std::string(symbol) + "\"");
  }
  std::string need_name(const std::string& what) {
    if (now().kind != Kind::name) expected(what);
    return tokens_[at_++].text;
  }
  void end_line() {
    if (now().kind != Kind::end_of_line) expected("the end of the line");
    ++at_;
  }

  // ------------------------------------------------------------------------------------------------------ header

  void header() {
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

  void parameter() {
    const Token at = now();
    Parameter p{.name = need_name("the name of a parameter")};
    if (values_.contains(p.name)) wrong(at, "two parameters named " + p.name);
    p.axes = axes_of_parameter(true);
    if (take(":")) {
      const std::string format = need_name("a format, or \"index\"");
      if (format == "index") {
        p.index_of = axis(need_name("the axis that the integers are places of"));
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

  /// "[n, d]", "[n, c=2]", "[i = #r + #s - 1]" or nothing.
  std::vector<std::size_t> axes_of_parameter(bool may_be_new) {
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

  std::optional<std::size_t> find_axis(const std::string& name) const {
    const auto at = std::ranges::find(formula_.axes, name, &Axis::name);
    return at == formula_.axes.end() ? std::nullopt : std::optional<std::size_t>(at - formula_.axes.begin());
  }
  /// The axis of that name, a new one where there is none.
  std::size_t axis(const std::string& name) {
    if (const auto known = find_axis(name)) return *known;
    formula_.axes.push_back({name});
    return formula_.axes.size() - 1;
  }
  std::size_t known_axis() {
    const Token at = now();
    const auto found = find_axis(need_name("the name of an axis"));
    if (!found) wrong(at, "no axis " + at.text);
    return *found;
  }

  // -------------------------------------------------------------------------------------------------------- body

  void body_line() {
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

  void definition(bool is_way) {
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

  void mask() {
    const Token at = now();
    Mask mask{need_name("the name of a mask"), {}, Compare::less, {}};
    if (masks_.contains(mask.name)) wrong(at, "two masks named " + mask.name);
    need(":");
    mask.left = affine();
    if (take("<=")) {
      mask.compare = Compare::less_equal;
    } else if (take("==")) {
      mask.compare = Compare::equal;
    } else if (!take("<")) {
      expected("\"<\", \"<=\" or \"==\"");
    }
    mask.right = affine();
    masks_.emplace(mask.name, formula_.masks.size());
    formula_.masks.push_back(std::move(mask));
  }

  void range() {
    const Token at = now();
    const std::string name = need_name("the name of a parameter");
    const auto p = std::ranges::find(formula_.parameters, name, &Parameter::name);
    if (p == formula_.parameters.end()) wrong(at, "no parameter " + name);
    p->low = number();
    p->high = number();
    if (*p->high < *p->low) wrong(at, "the range of " + name + " ends before it begins");
  }

  oracle::Rational number() {
    const bool is_negative = take("-");
    if (now().kind != Kind::number) expected("a number");
    const oracle::Rational value = value_of(tokens_[at_++].text);
    return is_negative ? -value : value;
  }

  static oracle::Rational value_of(const std::string& text) {
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

  /// i + #m - 2: sums of indices, lengths and integers, each with an integer factor.
  Affine affine() {
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
        if (now().kind != Kind::name) expected("an index, a length #n or an integer");
        (is_length ? sum.lengths : sum.indices).push_back({known_axis(), factor});
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
  std::int64_t integer() {
    const Token at = now();
    if (at.kind != Kind::number || at.text.find_first_not_of("0123456789") != std::string::npos || at.text.size() > 9) {
      expected("an integer");
    }
    ++at_;
    return std::stol(at.text);
  }

  // -------------------------------------------------------------------------------------------------- expressions

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t add(Node node) {
    node.is_constant =
        node.op == Op::constant || (!node.arguments.empty() && std::ranges::all_of(node.arguments, [&](std::size_t a) {
          return formula_.nodes[a].is_constant;
        }));
    formula_.nodes.push_back(std::move(node));
    return formula_.nodes.size() - 1;
  }
  /// The axes of one list, then those of the other that it does not have.
  static std::vector<std::size_t> united(std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
    for (const std::size_t each : b) {
      if (std::ranges::find(a, each) == a.end()) a.push_back(each);
    }
    return a;
  }
  static std::vector<std::size_t> without(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    std::vector<std::size_t> rest;
    for (const std::size_t each : a) {
      if (std::ranges::find(b, each) == b.end()) rest.push_back(each);
    }
    return rest;
  }
  const std::vector<std::size_t>& axes(std::size_t node) const { return formula_.nodes[node].axes; }

  std::size_t binary(Op op, std::size_t a, std::size_t b) {
    return add({.op = op, .arguments = {a, b}, .axes = united(axes(a), axes(b))});
  }
  std::size_t unary(Op op, std::size_t a) { return add({.op = op, .arguments = {a}, .axes = axes(a)}); }

  std::size_t expression() {
    std::size_t value = product();
    while (is("+") || is("-")) {
      const Op op = is("+") ? Op::add : Op::sub;
      ++at_;
      value = binary(op, value, product());
    }
    return value;
  }

  std::size_t product() {
    std::size_t value = factor();
    while (is("*") || is("/") || is("@")) {
      const Token at = now();
      ++at_;
      const std::size_t right = factor();
      value = at.text == "@" ? contracted(at, value, right) : binary(at.text == "*" ? Op::mul : Op::div, value, right);
    }
    return value;
  }

  /// The last axis of a against the last but one of b, or its only one.
  std::size_t contracted(const Token& at, std::size_t a, std::size_t b) {
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
  std::size_t dot(std::size_t a, std::size_t b, std::vector<std::size_t> over) {
    std::vector<std::size_t> rest = without(united(axes(a), axes(b)), over);
    return add({.op = Op::dot, .arguments = {a, b}, .axes = std::move(rest), .over = std::move(over)});
  }

  std::size_t factor() {
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

  std::size_t atom() {
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

  std::size_t defined(const std::string& name, std::size_t line, std::size_t column) const {
    const auto found = values_.find(name);
    if (found == values_.end()) refuse(source_, line, column, "nothing is named " + name + " before this place");
    if (found->second == none)
      refuse(source_, line, column, name + " has integers: it stands in pick(x, " + name + ") alone");
    return found->second;
  }

  std::size_t transposed(std::size_t value) {
    need(".");
    const Token at = now();
    if (need_name("\"T\"") != "T") wrong(at, "expected \"T\"");
    std::vector<std::size_t> swapped = axes(value);
    if (swapped.size() < 2) wrong(at, ".T needs two axes");
    std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
    return arranged(value, swapped);
  }
  /// The same tensor with its axes in another order.
  std::size_t arranged(std::size_t value, const std::vector<std::size_t>& order) {
    std::vector<Affine> index;
    for (const std::size_t each : axes(value)) index.push_back({.indices = {{each, 1}}});
    return add({.op = Op::gather, .arguments = {value}, .axes = order, .index = std::move(index)});
  }

  /// x[:, 2*i, j + r]: the axes of the result in the order in which they stand.
  std::size_t sliced(std::size_t value) {
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

  struct Call {
    std::vector<std::size_t> arguments;
    std::vector<std::size_t> axes;
    std::optional<std::size_t> mask;
    std::optional<std::size_t> parameter;
  };

  Call arguments(const std::string& function) {
    Call call;
    need("(");
    do {
      const bool is_option = now().kind == Kind::name && tokens_[at_ + 1].text == "=";
      if (is_option && is_word("axis")) {
        at_ += 2;
        do call.axes.push_back(known_axis());
        while (is(",") && tokens_[at_ + 1].kind == Kind::name && find_axis(tokens_[at_ + 1].text) &&
               tokens_[at_ + 2].text != "=" && take(","));
      } else if (is_option && is_word("mask")) {
        at_ += 2;
        call.mask = known_mask();
      } else if (is_option) {
        expected("\"axis\" or \"mask\"");
      } else if (function == "where" && call.arguments.empty() && !call.mask) {
        call.mask = known_mask();
      } else if (function == "pick" && call.arguments.size() == 1) {
        const Token at = now();
        const auto p = std::ranges::find(formula_.parameters, need_name("a parameter of integers"), &Parameter::name);
        if (p == formula_.parameters.end() || !p->index_of) wrong(at, "pick needs a parameter \"y[n]: index m\"");
        call.parameter = static_cast<std::size_t>(p - formula_.parameters.begin());
      } else {
        call.arguments.push_back(expression());
      }
    } while (take(","));
    need(")");
    return call;
  }
  std::size_t known_mask() {
    const Token at = now();
    const auto found = masks_.find(need_name("the name of a mask"));
    if (found == masks_.end()) wrong(at, "no mask " + at.text);
    return found->second;
  }

  std::size_t call() {
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
    const bool is_two = name == "where" || name == "stack" || ((name == "max" || name == "min") && call.axes.empty());
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
    if ((name == "max" || name == "min") && call.axes.empty()) {
      return binary(name == "max" ? Op::maximum : Op::minimum, call.arguments[0], call.arguments[1]);
    }
    return reduced(at, name, call);
  }

  std::size_t masked(std::size_t node, std::size_t mask) {
    formula_.nodes[node].mask = mask;
    for (const Affine* side : {&formula_.masks[mask].left, &formula_.masks[mask].right}) {
      for (const Affine::Term& each : side->indices) {
        formula_.nodes[node].axes = united(formula_.nodes[node].axes, {each.axis});
      }
    }
    return node;
  }
  std::size_t counted(const Token& at, const Call& call) {
    if (call.axes.size() != 1) wrong(at, "count needs axis=");
    return add({.op = Op::constant, .length = Affine{.lengths = {{call.axes[0], 1}}}});
  }
  std::size_t stacked(const Token& at, const Call& call) {
    if (call.axes.size() != 1) wrong(at, "stack needs axis=, an axis of length 2");
    std::vector<std::size_t> all = united(axes(call.arguments[0]), axes(call.arguments[1]));
    if (std::ranges::find(all, call.axes[0]) != all.end()) wrong(at, "stack along an axis that is there already");
    all.push_back(call.axes[0]);
    return add({.op = Op::stack, .arguments = call.arguments, .axes = std::move(all)});
  }
  std::size_t picked(const Token& at, const Call& call) {
    if (!call.parameter) wrong(at, "pick takes a tensor and a parameter of integers");
    const Parameter& p = formula_.parameters[*call.parameter];
    const std::vector<std::size_t> rest = without(axes(call.arguments[0]), {*p.index_of});
    if (rest.size() == axes(call.arguments[0]).size()) wrong(at, "pick along an axis that the tensor does not have");
    return add({.op = Op::pick,
                .arguments = {call.arguments[0], *call.parameter},
                .axes = united(rest, p.axes),
                .over = {*p.index_of},
                .parameter = *call.parameter});
  }

  std::size_t reduced(const Token& at, const std::string& name, const Call& call) {
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
    if (over.size() > 1) wrong(at, name + " runs along one axis");
    if (name == "cumsum") return add({.op = Op::cumsum, .arguments = {x}, .axes = axes(x), .over = over});
    if (name == "variance") return add({.op = Op::variance, .arguments = {x}, .axes = rest, .over = over});
    if (name == "max" || name == "min") {
      if (name == "max") return add({.op = Op::maximum_over, .arguments = {x}, .axes = rest, .over = over});
      return unary(Op::neg,
                   add({.op = Op::maximum_over, .arguments = {unary(Op::neg, x)}, .axes = rest, .over = over}));
    }
    std::size_t logits = add({.op = Op::logits, .arguments = {x}, .axes = axes(x), .over = over});
    if (call.mask) logits = masked(logits, *call.mask);
    const std::vector<std::size_t> of_rows = without(axes(logits), over);
    if (name == "logsumexp") return add({.op = Op::logsumexp, .arguments = {logits}, .axes = of_rows, .over = over});
    const std::size_t norm = add({.op = Op::norm, .arguments = {logits}, .axes = of_rows, .over = over});
    return add({.op = Op::softmax, .arguments = {logits, norm}, .axes = axes(logits), .over = over});
  }
  /// A sum of products and of squares without a name is a dot product.
  std::size_t summed(std::size_t x, const std::vector<std::size_t>& over) {
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

  // ------------------------------------------------------------------------------------------------ what is behind

  void machine() {
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

  void take_result() {
    const auto found = values_.find(formula_.result_name);
    if (found == values_.end() || found->second == none) {
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

  /// Leaves out the nodes that do not lead to the result. Inputs stay.
  void prune() {
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

  /// Which roundings may move into a contraction: those of a factor that its entries have in common (F3), and those of
  /// a quotient that is taken late (F4).
  void mark() {
    for (const Node& each : formula_.nodes) {
      if (each.op != Op::mul && each.op != Op::div) continue;
      for (std::size_t a = 0; a < each.arguments.size(); ++a) {
        Node& inner = formula_.nodes[each.arguments[a]];
        if (inner.op != Op::dot && inner.op != Op::sum) continue;
        inner.extra = 2;
        inner.factor = each.arguments[1 - a];
      }
    }
  }

  std::string source_;
  std::vector<Token> tokens_;
  std::optional<std::size_t> way_;
  std::size_t at_ = 0;
  Formula formula_{};
  std::vector<std::size_t> result_axes_{};
  std::map<std::string, std::size_t> values_{};
  std::map<std::string, std::size_t> masks_{};
  std::vector<std::string> ways_{};
  std::vector<Place> recomputed_{};
};

}  // namespace

Formula parse(const std::string& text, const std::string& source) {
  Parser parser(text, source, std::nullopt);
  Formula formula = parser.formula();
  for (std::size_t w = 0; w < parser.ways().size(); ++w) {
    formula.ways.emplace_back("way_" + parser.ways()[w], Parser(text, source, w).formula());
  }
  return formula;
}

}  // namespace assay::formulas
