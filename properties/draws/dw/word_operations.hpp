#pragma once
// Operands that are double words, triple words or quad doubles: their domains, and the exact values of operations on
// them.

#include <string>
#include <utility>
#include <vector>

#include "oracle/exact.hpp"
#include "properties/draws/dw/word_sum_cases.hpp"
#include "properties/framework/domain.hpp"

namespace assay::dw {

template <class T>
inline constexpr int precision = FloatTraits<T>::precision;

/// The magnitudes of the box.
inline std::string interval_text(Box box) {
  return "[2^" + std::to_string(box.low) + ", 2^" + std::to_string(box.high + 1) + ")";
}
inline std::string box_text(const char* operands, Box box) {
  return std::string(operands) + " with every non-zero word in " + interval_text(box);
}

/// ⌊log₂|x|⌋ − ⌊log₂|y|⌋ of the leading words; 0 if one of them is 0.
template <class X, class Y>
double exponent_gap(const X& x, const Y& y) {
  const NumberParts a = parts_of(ResultTraits<X>::word(x, 0));
  const NumberParts b = parts_of(ResultTraits<Y>::word(y, 0));
  return a.significand == 0 || b.significand == 0 ? 0.0 : static_cast<double>(a.leading() - b.leading());
}

template <class Case>
Feature<Case> exponent_gap_feature(double reach) {
  return {"exponent gap of the operands", -reach, reach, 64, [](const Case& c) { return exponent_gap(c.x, c.y); }};
}

/// Two operands of the box, which the text calls `operands`. `reach`: the range of exponent gaps that are plotted.
template <class Case>
Domain<Case> operand_pairs(std::vector<InputClass<Case>> classes, double reach, const char* operands, Box box) {
  return {.classes = std::move(classes),
          .contains = [box](const Case& c) { return is_operand(c.x, box) && is_operand(c.y, box); },
          .features = {exponent_gap_feature<Case>(reach)},
          .accepts = box_text(operands, box)};
}

/// Two triple words or two quad doubles.
template <class Case>
Domain<Case> word_sum_pairs(const char* operands, Box box) {
  return operand_pairs<Case>(word_sum_pair_classes<decltype(Case::x), Case>(box), 96, operands, box);
}

// Exact values of operations on the fields x and y of a case.

template <class Case>
oracle::Dyadic sum_of(const Case& c) {
  oracle::Dyadic sum = value_of(c.x);
  sum += value_of(c.y);
  return sum;
}
template <class Case>
oracle::Dyadic product_of(const Case& c) {
  return value_of(c.x) * value_of(c.y);
}
template <class Case>
oracle::Exact quotient_of(const Case& c) {
  return oracle::quotient(value_of(c.x), value_of(c.y));
}
template <class Case>
oracle::Exact root_of(const Case& c) {
  return oracle::square_root(value_of(c.x));
}
/// |x| + |y|.
template <class Case>
oracle::Dyadic magnitudes_of(const Case& c) {
  return abs(value_of(c.x)) + abs(value_of(c.y));
}

template <class T>
bool is_finite_word(T x) {
  return oracle::is_finite(format_of<T>(), bits_of(x));
}

/// Operands for which `is_any` holds, drawn from the classes and from one more class, in which both operands come from
/// draw_special().
template <class Case, class Word>
Domain<Case> with_special_operands(std::vector<InputClass<Case>> classes, unsigned weight, Word (*draw_special)(Draw&),
                                   bool (*is_any)(const Word&), std::string accepts) {
  classes.push_back({"infinities, NaN and zeros", weight, drawn<Case>([draw_special](Draw& draw) {
                       const Word x = draw_special(draw);
                       return Case{x, draw_special(draw)};
                     })});
  return {.classes = std::move(classes),
          .contains = [is_any](const Case& c) { return is_any(c.x) && is_any(c.y); },
          .accepts = std::move(accepts)};
}

}  // namespace assay::dw
