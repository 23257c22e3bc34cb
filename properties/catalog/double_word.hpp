#pragma once
// Properties of operations on double words, over boxes of operands. Included by the files of double words and of native
// pairs.

#include "errorbounds/double_word.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arith/operands.hpp"
#include "kernels/elementwise.hpp"
#include "properties/generators.hpp"
#include "properties/property.hpp"

namespace assay {

template <FloatingPoint T>
bool is_operand(const DoubleWord<T>& x, Box box) {
  return is_double_word(x) && in_box(x, box);
}

/// ⌊log₂|x|⌋ − ⌊log₂|y|⌋ of the leading words; 0 where one of them is 0.
template <FloatingPoint T>
double exponent_gap(T x, T y) {
  const bool zero = x == T(0) || y == T(0);
  return zero ? 0.0 : static_cast<double>(parts_of(x).leading() - parts_of(y).leading());
}

template <class T>
Domain<DwDw<T>> double_word_pairs(Box box, std::string accepts) {
  return {.classes = double_word_pair_classes<T>(box),
          .contains = [box](const DwDw<T>& c) { return is_operand(c.x, box) && is_operand(c.y, box); },
          .features = {{"exponent gap of the operands", -64, 64, 64,
                        [](const DwDw<T>& c) { return exponent_gap(c.x.h, c.y.h); }}},
          .accepts = std::move(accepts)};
}

template <class T>
Domain<DwFp<T>> double_words_and_numbers(Box box, std::string accepts) {
  return {.classes = double_word_number_classes<T>(box),
          .contains = [box](const DwFp<T>& c) { return is_operand(c.x, box) && in_box(c.y, box); },
          .features = {{"exponent gap of the operands", -64, 64, 64,
                        [](const DwFp<T>& c) { return exponent_gap(c.x.h, c.y); }}},
          .accepts = std::move(accepts)};
}

inline std::string box_text(Box box) {
  return "double words with every non-zero word in [2^" + std::to_string(box.low) + ", 2^" +
         std::to_string(box.high + 1) + ")";
}

/// An operation with the claims that all of them make: its error, a normalised result.
template <class Op, class Truth, class T = typename ResultTraits<typename Op::Output>::Number>
Property<typename Op::Input, DoubleWord<T>, Truth> double_word_operation(
    const std::string& name, Domain<typename Op::Input> domain,
    std::function<Truth(const typename Op::Input&)> reference,
    std::vector<Claim<typename Op::Input, DoubleWord<T>, Truth>> claims,
    Source normalised = "docs/bounds/double_word.md") {
  claims.push_back(satisfies("normalised", "zh = RN(zh + zl)", normalised,
                             [](const auto&, const DoubleWord<T>& z) { return is_normalised(z); }));
  return {.name = name + format_suffix<T>(),
          .domain = std::move(domain),
          .subject = [](const Executor& on,
                        std::span<const typename Op::Input> cases) { return elementwise<Op>(on, cases); },
          .reference = std::move(reference),
          .claims = std::move(claims),
          .inexact = [](const auto&, const auto&, const DoubleWord<T>& z) { return bits_of(abs(z.l)) != 0; }};
}

/// x + y.
template <class T>
oracle::Dyadic double_word_sum_of(const DwDw<T>& c) {
  oracle::Dyadic sum = value_of(c.x);
  sum += value_of(c.y.h);
  sum += value_of(c.y.l);
  return sum;
}

/// xy.
template <class T>
oracle::Dyadic double_word_product_of(const DwDw<T>& c) {
  return value_of(c.x) * value_of(c.y);
}

}  // namespace assay
