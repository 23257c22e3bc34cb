#include "properties/formulas/tensor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <set>
#include <utility>

namespace assay::formulas {

/// A piece of the text of a formula.
struct Tensor::Piece {
  /// Among sums, products, signs, powers and atoms: an operand of a lower rank stands in parentheses.
  enum Rank { sum, product, sign, power, atom };

  std::string text;
  Rank rank = atom;
  std::vector<Tensor> arguments = {};
  std::string parameter = {};   ///< of an input: as it stands in the first line
  std::string definition = {};  ///< of a definition: its line
  std::vector<IndexMask> masks = {};
  std::uint64_t number = 0;  ///< of a definition: how many named() had made before
};

namespace {

using Piece = Tensor::Piece;

Tensor made(Piece piece) { return Tensor(std::make_shared<const Piece>(std::move(piece))); }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string operand(const Tensor& x, Piece::Rank least) {
  return x.piece().rank >= least ? x.piece().text : "(" + x.piece().text + ")";
}

Tensor binary(const Tensor& a, const std::string& symbol, const Tensor& b, Piece::Rank rank) {
  const auto above = static_cast<Piece::Rank>(rank + 1);
  return made({operand(a, rank) + " " + symbol + " " + operand(b, above), rank, {a, b}});
}

std::string with_axes(const std::string& name, const Names& axes) {
  return axes.all().empty() ? name : name + "[" + listed(axes.all()) + "]";
}

Tensor of_row(const std::string& function, const Tensor& x, const Names& axis, const std::vector<IndexMask>& masks) {
  std::string text = function + "(" + x.piece().text + ", axis=" + listed(axis.all());
  for (const IndexMask& each : masks) text += ", mask=" + each.name;
  return made({.text = text + ")", .arguments = {x}, .masks = masks});
}

/// Definitions and masks on which a tensor depends.
struct Lines {
  std::vector<const Piece*> definitions = {};
  std::vector<std::string> masks = {};
  std::set<const Piece*> seen = {};

  void collect(const Tensor& of) {
    const Piece& piece = of.piece();
    if (!seen.insert(&piece).second) return;
    for (const Tensor& each : piece.arguments) collect(each);
    for (const IndexMask& each : piece.masks) {
      const std::string line = "mask " + each.name + ": " + each.relation;
      if (std::ranges::find(masks, line) == masks.end()) masks.push_back(line);
    }
    if (!piece.definition.empty()) definitions.push_back(&piece);
  }
};

}  // namespace

Tensor Tensor::of_integer(std::int64_t number) {
  return made({std::to_string(number), number < 0 ? Piece::sign : Piece::atom});
}

Tensor::Tensor(double number) : Tensor(0) {
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr;
  piece_ = made({{digits.data(), end}, number < 0 ? Piece::sign : Piece::atom}).piece_;
}

Tensor input(const std::string& name, const Names& axes) {
  return made({.text = name, .parameter = with_axes(name, axes)});
}

Tensor indices(const std::string& name, const Names& axes, const std::string& places) {
  return made({.text = name, .parameter = with_axes(name, axes) + ": index " + places});
}

Tensor named(const std::string& name, const Tensor& value, const std::vector<Tensor>& ways) {
  static std::atomic<std::uint64_t> made_before = 0;
  Piece piece{.text = name, .arguments = {value}, .definition = name + " = " + value.piece().text};
  for (const Tensor& each : ways) {
    piece.arguments.push_back(each);
    piece.definition += "\n  way " + name + " = " + each.piece().text;
  }
  piece.number = made_before++;
  return made(std::move(piece));
}

Tensor pi() { return made({"pi"}); }
Tensor length(const std::string& axis) { return made({"#" + axis}); }

Tensor operator+(const Tensor& a, const Tensor& b) { return binary(a, "+", b, Piece::sum); }
Tensor operator-(const Tensor& a, const Tensor& b) { return binary(a, "-", b, Piece::sum); }
Tensor operator*(const Tensor& a, const Tensor& b) { return binary(a, "*", b, Piece::product); }
Tensor operator/(const Tensor& a, const Tensor& b) { return binary(a, "/", b, Piece::product); }
Tensor operator-(const Tensor& x) { return made({"-" + operand(x, Piece::sign), Piece::sign, {x}}); }
Tensor product(const Tensor& a, const Tensor& b) { return binary(a, "@", b, Piece::product); }
Tensor power(const Tensor& x, int n) {
  return made({operand(x, Piece::atom) + "^" + std::to_string(n), Piece::power, {x}});
}
Tensor transposed(const Tensor& x) { return made({operand(x, Piece::atom) + ".T", Piece::atom, {x}}); }
Tensor at(const Tensor& x, const Names& index) {
  return made({operand(x, Piece::atom) + "[" + listed(index.all()) + "]", Piece::atom, {x}});
}

Tensor call(const std::string& function, const std::vector<Tensor>& arguments, const Names& axes) {
  std::vector<std::string> words;
  for (const Tensor& each : arguments) words.push_back(each.piece().text);
  if (!axes.all().empty()) words.push_back("axis=" + listed(axes.all()));
  return made({function + "(" + listed(words) + ")", Piece::atom, arguments});
}

Tensor softmax(const Tensor& x, const Names& axis) { return of_row("softmax", x, axis, {}); }
Tensor softmax(const Tensor& x, const Names& axis, const IndexMask& mask) { return of_row("softmax", x, axis, {mask}); }
Tensor logsumexp(const Tensor& x, const Names& axis) { return of_row("logsumexp", x, axis, {}); }
Tensor logsumexp(const Tensor& x, const Names& axis, const IndexMask& mask) {
  return of_row("logsumexp", x, axis, {mask});
}

Tensor stochastic(const Tensor& x, const Tensor& words, const std::string& format) {
  return made({"stochastic(" + listed({x.piece().text, words.piece().text, format}) + ")", Piece::atom, {x, words}});
}

Tensor where(const IndexMask& mask, const Tensor& a, const Tensor& b) {
  return made({.text = "where(" + mask.name + ", " + a.piece().text + ", " + b.piece().text + ")",
               .arguments = {a, b},
               .masks = {mask}});
}

std::string text_of(const std::string& name, const std::vector<Tensor>& parameters, const Names& axes,
                    const Tensor& result, const std::vector<std::string>& lines) {
  std::vector<std::string> heads;
  for (const Tensor& each : parameters) {
    if (each.piece().parameter.empty()) {
      throw FormulaError(name + ": " + each.piece().text + " is no parameter; input() and indices() make one");
    }
    heads.push_back(each.piece().parameter);
  }
  if (result.piece().definition.empty()) {
    throw FormulaError(name + ": the result " + result.piece().text + " is no definition; named() makes one");
  }
  Lines of;
  of.collect(result);
  std::ranges::sort(of.definitions, {}, &Piece::number);
  std::string text = name + "(" + listed(heads) + ") -> " + with_axes(result.piece().text, axes) + "\n";
  for (const std::string& each : lines) text += "  " + each + "\n";
  for (const std::string& each : of.masks) text += "  " + each + "\n";
  for (const Piece* const each : of.definitions) text += "  " + each->definition + "\n";
  return text;
}

Formula formula(const std::string& name, const std::vector<Tensor>& parameters, const Names& axes, const Tensor& result,
                const std::vector<std::string>& lines) {
  return parse(text_of(name, parameters, axes, result, lines), name);
}

}  // namespace assay::formulas
