#pragma once
// Formulas as C++ expressions: the third spelling beside the text file and Python (docs/formula.md).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/formulas/graph.hpp"

namespace assay::formulas {

/// An expression of the language. A variable of C++ is no definition of the formula; named() makes one.
class Tensor {
 public:
  /// A number, exactly. A double stands for the shortest decimal that reads as it: 0.1 is 1/10.
  template <std::integral T>
  Tensor(T number) : Tensor(of_integer(static_cast<std::int64_t>(number))) {}
  Tensor(double number);

  struct Piece;
  explicit Tensor(std::shared_ptr<const Piece> piece) : piece_(std::move(piece)) {}
  const Piece& piece() const { return *piece_; }

 private:
  static Tensor of_integer(std::int64_t number);

  std::shared_ptr<const Piece> piece_;
};

/// One name or several: axes, or indices.
class Names {
 public:
  Names() = default;
  template <std::size_t n>
  Names(const char (&one)[n]) : all_{one} {}
  Names(std::string one) : all_{std::move(one)} {}
  Names(std::initializer_list<std::string> several) : all_(several) {}
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

/// A relation of indices with a name: {"causal", "m <= n"}.
struct IndexMask {
  std::string name;
  std::string relation;
};

/// A parameter. An axis may have its length: "c=2".
Tensor input(const std::string& name, const Names& axes = {});
/// A parameter of integers that are places of an axis. `places`: "n", "v = 16", "n or -100".
Tensor indices(const std::string& name, const Names& axes, const std::string& places);
/// A definition of the formula, and other definitions that are equal to it over the reals.
Tensor named(const std::string& name, const Tensor& value, const std::vector<Tensor>& ways = {});
Tensor pi();
/// The length of an axis.
Tensor length(const std::string& axis);

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x);
/// a @ b: adds along the last axis of a.
Tensor product(const Tensor& a, const Tensor& b);
/// xⁿ
Tensor power(const Tensor& x, int n);
Tensor transposed(const Tensor& x);
/// x[k, :] for at(x, {"k", ":"})
Tensor at(const Tensor& x, const Names& index);

/// A function of the language by its name, along axes: call("exp", {x}), call("sum", {x}, "n").
Tensor call(const std::string& function, const std::vector<Tensor>& arguments, const Names& axes = {});

// clang-format off
inline Tensor abs(const Tensor& x) { return call("abs", {x}); }
inline Tensor cos(const Tensor& x) { return call("cos", {x}); }
inline Tensor erf(const Tensor& x) { return call("erf", {x}); }
inline Tensor exp(const Tensor& x) { return call("exp", {x}); }
inline Tensor exp2(const Tensor& x) { return call("exp2", {x}); }
inline Tensor expm1(const Tensor& x) { return call("expm1", {x}); }
inline Tensor log(const Tensor& x) { return call("log", {x}); }
inline Tensor log1p(const Tensor& x) { return call("log1p", {x}); }
inline Tensor relu(const Tensor& x) { return call("relu", {x}); }
inline Tensor rsqrt(const Tensor& x) { return call("rsqrt", {x}); }
inline Tensor sigmoid(const Tensor& x) { return call("sigmoid", {x}); }
inline Tensor sign(const Tensor& x) { return call("sign", {x}); }
inline Tensor sin(const Tensor& x) { return call("sin", {x}); }
inline Tensor sqrt(const Tensor& x) { return call("sqrt", {x}); }
inline Tensor tanh(const Tensor& x) { return call("tanh", {x}); }
inline Tensor atan2(const Tensor& y, const Tensor& x) { return call("atan2", {y, x}); }
inline Tensor fmod(const Tensor& x, const Tensor& y) { return call("fmod", {x, y}); }
inline Tensor max(const Tensor& a, const Tensor& b) { return call("max", {a, b}); }
inline Tensor min(const Tensor& a, const Tensor& b) { return call("min", {a, b}); }
inline Tensor pow(const Tensor& x, const Tensor& y) { return call("pow", {x, y}); }
inline Tensor remainder(const Tensor& x, const Tensor& y) { return call("remainder", {x, y}); }
inline Tensor pick(const Tensor& x, const Tensor& places) { return call("pick", {x, places}); }
inline Tensor spread(const Tensor& x, const Tensor& places) { return call("spread", {x, places}); }
inline Tensor argmax(const Tensor& x, const Names& axis) { return call("argmax", {x}, axis); }
inline Tensor argmin(const Tensor& x, const Names& axis) { return call("argmin", {x}, axis); }
inline Tensor cumprod(const Tensor& x, const Names& axis) { return call("cumprod", {x}, axis); }
inline Tensor cumsum(const Tensor& x, const Names& axis) { return call("cumsum", {x}, axis); }
inline Tensor max(const Tensor& x, const Names& axis) { return call("max", {x}, axis); }
inline Tensor mean(const Tensor& x, const Names& axis) { return call("mean", {x}, axis); }
inline Tensor min(const Tensor& x, const Names& axis) { return call("min", {x}, axis); }
inline Tensor prod(const Tensor& x, const Names& axis) { return call("prod", {x}, axis); }
inline Tensor sort(const Tensor& x, const Names& axis) { return call("sort", {x}, axis); }
inline Tensor sum(const Tensor& x, const Names& axis) { return call("sum", {x}, axis); }
inline Tensor variance(const Tensor& x, const Names& axis) { return call("variance", {x}, axis); }
inline Tensor stack(const Tensor& a, const Tensor& b, const Names& axis) { return call("stack", {a, b}, axis); }
// clang-format on
Tensor softmax(const Tensor& x, const Names& axis);
Tensor softmax(const Tensor& x, const Names& axis, const IndexMask& mask);
Tensor logsumexp(const Tensor& x, const Names& axis);
Tensor logsumexp(const Tensor& x, const Names& axis, const IndexMask& mask);
/// x rounded to a format, such as "bf16", by random words that indices() made.
Tensor stochastic(const Tensor& x, const Tensor& words, const std::string& format);
/// a where the mask holds, else b.
Tensor where(const IndexMask& mask, const Tensor& a, const Tensor& b);

/// The text of the formula in the language. `parameters`: made by input() and indices(). `axes`: of the result, whose
/// name is that of the definition. Definitions are in the order in which named() made them. `lines`: others, such as
/// "range scale 0.1 2", "class \"far\": x 80 100", "recompute s", "axis k = #m", "computes \"…\"". Errors: FormulaError
/// for a parameter that is none and for a result that is no definition.
std::string text_of(const std::string& name, const std::vector<Tensor>& parameters, const Names& axes,
                    const Tensor& result, const std::vector<std::string>& lines = {});
/// The formula: the graph of that text. Errors: FormulaError, as from parse().
Formula formula(const std::string& name, const std::vector<Tensor>& parameters, const Names& axes, const Tensor& result,
                const std::vector<std::string>& lines = {});

}  // namespace assay::formulas
