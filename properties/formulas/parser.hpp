#pragma once
// The parser of formulas, by recursive descent: parse.cpp has the lines of a file, expressions.cpp the expressions.
// docs/formula.md has the grammar.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/formulas/graph.hpp"
#include "properties/formulas/tokens.hpp"

namespace assay::formulas {

class Parser {
 public:
  /// `way`: the `way` of the file that replaces its definition; empty for the definitions themselves.
  Parser(const std::string& text, const std::string& source, std::optional<std::size_t> way)
      : source_(source), tokens_(tokens_of(text, source)), way_(way) {
    formula_.text = text;
  }

  Formula formula();
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
  bool take(std::string_view symbol);
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

  // header

  void header();
  void parameter();

  /// "[n, d]", "[n, c=2]", "[i = #r + #s - 1]" or nothing.
  std::vector<std::size_t> axes_of_parameter(bool may_be_new);

  std::optional<std::size_t> find_axis(const std::string& name) const {
    const auto at = std::ranges::find(formula_.axes, name, &Axis::name);
    return at == formula_.axes.end() ? std::nullopt : std::optional<std::size_t>(at - formula_.axes.begin());
  }
  /// The axis of that name, a new one if there is none.
  std::size_t axis(const std::string& name);
  std::size_t known_axis();

  // body

  void body_line();
  void definition(bool is_way);
  /// "axis k = #m": an axis that no parameter has.
  void axis_line();
  void mask();
  void range();
  /// class "large logits": x 80 100, w spread
  void own_class();
  static std::string words_of_drawings();
  std::size_t known_parameter();
  /// The two ends of a range; `at`: the name of its parameter.
  std::pair<oracle::Rational, oracle::Rational> ends(const Token& at);
  oracle::Rational number();
  static oracle::Rational value_of(const std::string& text);

  /// Node k and the nodes that it is made of, up to other definitions and inputs.
  void recompute(std::size_t k);

  /// i + #m - 2: sums of indices, lengths and integers, each with an integer factor.
  /// `is_of_mask`: parameters of integers may stand in it.
  Affine affine(bool is_of_mask = false);
  std::int64_t integer();

  // expressions

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t add(Node node);
  /// The axes of one list, then those axes of the other list that the first one lacks.
  static std::vector<std::size_t> united(std::vector<std::size_t> a, const std::vector<std::size_t>& b);
  static std::vector<std::size_t> without(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b);
  const std::vector<std::size_t>& axes(std::size_t node) const { return formula_.nodes[node].axes; }

  std::size_t binary(Op op, std::size_t a, std::size_t b) {
    return add({.op = op, .arguments = {a, b}, .axes = united(axes(a), axes(b))});
  }
  std::size_t unary(Op op, std::size_t a) { return add({.op = op, .arguments = {a}, .axes = axes(a)}); }

  std::size_t expression();
  std::size_t product();

  /// The last axis of a with the last but one of b, or with its only one.
  std::size_t contracted(const Token& at, std::size_t a, std::size_t b);
  std::size_t dot(std::size_t a, std::size_t b, std::vector<std::size_t> over) {
    std::vector<std::size_t> rest = without(united(axes(a), axes(b)), over);
    return add({.op = Op::dot, .arguments = {a, b}, .axes = std::move(rest), .over = std::move(over)});
  }

  std::size_t factor();
  std::size_t atom();
  std::size_t defined(const std::string& name, std::size_t line, std::size_t column) const;
  std::size_t transposed(std::size_t value);
  /// The same tensor with its axes in another order.
  std::size_t arranged(std::size_t value, const std::vector<std::size_t>& order);

  /// x[:, 2*i, j + r]: the axes of the result in the order in which they occur.
  std::size_t sliced(std::size_t value);

  struct Call {
    std::vector<std::size_t> arguments;
    std::vector<std::size_t> axes;
    std::optional<std::size_t> mask;
    std::optional<std::size_t> parameter;
    std::optional<oracle::Format> to = {};
  };
  Call arguments(const std::string& function);
  std::size_t known_mask();
  std::size_t call();
  std::size_t masked(std::size_t node, std::size_t mask);
  std::size_t counted(const Token& at, const Call& call) {
    if (call.axes.size() != 1) wrong(at, "count needs axis=");
    return add({.op = Op::constant, .length = Affine{.lengths = {{call.axes[0], 1}}}});
  }
  std::size_t stacked(const Token& at, const Call& call);
  std::size_t picked(const Token& at, const Call& call);
  std::size_t spread(const Token& at, const Call& call);
  std::size_t stochastic(const Token& at, const Call& call);
  std::size_t reduced(const Token& at, const std::string& name, const Call& call);
  /// A sum of products and of squares without a name is a dot product.
  std::size_t summed(std::size_t x, const std::vector<std::size_t>& over);

  // machines and the end

  void machine();
  void take_result();

  /// Removes the nodes that do not contribute to the result. Inputs stay.
  void prune();

  /// The roundings that may move into a contraction: those of a factor that its entries have in common (F3), and those
  /// of a quotient that is taken late (F4).
  void mark();

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

}  // namespace assay::formulas
