#pragma once

#include "arith/fields.hpp"
#include "arith/words/double_word.hpp"

namespace assay {

/// The operand of a unary operation.
template <class T>
struct Single {
  T a;
  static constexpr auto fields() { return std::tuple{field("a", &Single::a)}; }
};

/// The operands of a binary operation.
template <class T>
struct Pair {
  T a, b;
  static constexpr auto fields() { return std::tuple{field("a", &Pair::a), field("b", &Pair::b)}; }
};

/// The operands of a·b + c.
template <class T>
struct Triple {
  T a, b, c;
  static constexpr auto fields() {
    return std::tuple{field("a", &Triple::a), field("b", &Triple::b), field("c", &Triple::c)};
  }
};

/// A double-word operand.
template <class T>
struct Dw {
  DoubleWord<T> x;
  static constexpr auto fields() { return std::tuple{field("x", &Dw::x)}; }
};

/// A double word and a number.
template <class T>
struct DwFp {
  DoubleWord<T> x;
  T y;
  static constexpr auto fields() { return std::tuple{field("x", &DwFp::x), field("y", &DwFp::y)}; }
};

/// Two double words.
template <class T>
struct DwDw {
  DoubleWord<T> x, y;
  static constexpr auto fields() { return std::tuple{field("x", &DwDw::x), field("y", &DwDw::y)}; }
};

}  // namespace assay
