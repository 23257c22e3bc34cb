#pragma once
// Operands that are double words: their domains, and the claim of a normalized result.

#include "errorbounds/dw_theorems.hpp"

#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "properties/draws/dw/word_operations.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::dw {

template <class T>
Domain<DwDw<T>> double_word_pairs(Box box) {
  return operand_pairs<DwDw<T>>(double_word_pair_classes<T>(box), 64, "double words", box);
}

template <class T>
Domain<DwFp<T>> double_words_and_numbers(Box box) {
  return operand_pairs<DwFp<T>>(double_word_number_classes<T>(box), 64, "double words", box);
}

/// The domain without division by zero.
template <class Case>
Domain<Case> divisor_not_zero(Domain<Case> domain) {
  domain.contains = [inside = domain.contains](const Case& c) {
    if constexpr (requires { c.y.h; }) {
      return inside(c) && bits_of(abs(c.y.h)) != 0;
    } else {
      return inside(c) && bits_of(abs(c.y)) != 0;
    }
  };
  domain.accepts += ", y ≠ 0";
  return domain;
}

template <class T>
bool have_same_sign(const DwDw<T>& c) {
  return signbit(c.x.h) == signbit(c.y.h);
}

/// Double words with 0 or a positive leading word in the box.
template <class T>
Domain<Dw<T>> radicands(Box box) {
  return {.classes = double_word_classes<T>(box, true),
          .contains =
              [box](const Dw<T>& c) {
                return is_double_word(c.x) && (bits_of(c.x.h) == 0 || (!signbit(c.x.h) && in_box(c.x.h, box)));
              },
          .features = {},
          .accepts = "double words with 0 or a positive leading word in " + interval_text(box)};
}

/// The claim that the first word of a result is the number nearest to the sum of both words.
inline auto normalised_result(const Theorem<NoBound>& normalised = dw_normalized_1) {
  return satisfies("normalised", normalised, [](const auto&, const auto& z) { return is_normalised(z); });
}

}  // namespace assay::dw
