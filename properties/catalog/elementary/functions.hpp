#pragma once
// The elementary functions in the form that properties need: real values, limits, operands.

#include <optional>
#include <string>
#include <vector>

#include "properties/catalog/elementary/operands.hpp"

namespace assay::elementary {

using oracle::Elementary;

/// A function of one or of two operands.
enum class WordFunction { exp, expm1, log, log1p, sin, cos, tan, atan, atan2, sinh, cosh, tanh, pow };

/// The oracle's function of one number. Requires: not atan2 or pow (throws std::logic_error).
Elementary of_oracle(WordFunction f);
bool grows_like_exp(WordFunction f);
bool is_odd(WordFunction f);
/// Whether the function has no values for x < 0, or only for few operands y.
bool needs_positive(WordFunction f);

/// The required result at operand x, and y if there is a second operand.
struct Truth {
  std::optional<Exact> value;   ///< the real value
  bool is_bounded = false;      ///< and whether the theorem on the error covers it
  std::optional<double> limit;  ///< else the number that stands for the limit; a NaN if there is no limit
};

/// Operands with their first word and their value, which is 0 for one that is not finite.
struct Operand {
  double first;
  Dyadic value;
};
template <class W>
Operand operand_of(const W& x) {
  return {first_word(x), is_finite_number(first_word(x)) ? value_of(x) : Dyadic()};
}

/// `words`: the number of words of the operands.
Truth truth_of(WordFunction f, std::size_t words, const Operand& x);
Truth truth_of(WordFunction f, std::size_t words, const Operand& x, const Operand& y);

/// A number at most |value|, and at least |value|(1 − 2⁻⁶⁰). Errors: oracle::Undecided.
Dyadic magnitude_of(const Exact& value);

/// A class of exponents of x, and one of numbers that x is near to.
struct ExponentRange {
  std::string name;
  unsigned weight;
  Box box;
};
std::vector<ExponentRange> exponent_ranges(WordFunction f);
struct NearNumbers {
  std::string name;
  unsigned weight;
  Dyadic (*draw)(Draw&);
};
std::vector<NearNumbers> near_numbers(WordFunction f);

}  // namespace assay::elementary
