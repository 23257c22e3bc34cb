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

/// One operand of type X.
template <class X>
struct OperandOf {
  X x;
  static constexpr auto fields() { return std::tuple{field("x", &OperandOf::x)}; }
};

/// Two operands, of types X and Y.
template <class X, class Y>
struct OperandsOf {
  X x;
  Y y;
  static constexpr auto fields() { return std::tuple{field("x", &OperandsOf::x), field("y", &OperandsOf::y)}; }
};

/// A double-word operand; a double word and a number; two double words.
template <class T>
using Dw = OperandOf<DoubleWord<T>>;
template <class T>
using DwFp = OperandsOf<DoubleWord<T>, T>;
template <class T>
using DwDw = OperandsOf<DoubleWord<T>, DoubleWord<T>>;

}  // namespace assay
