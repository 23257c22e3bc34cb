#pragma once
// A function of numbers or words as an element-wise kernel.

#include <utility>

#include "exec/elementwise.hpp"

namespace assay {
namespace detail {

template <class Input>
inline constexpr int operand_count =
    requires {
      Input{{}, {}, {}};
    }                             ? 3
    : requires { Input{{}, {}}; } ? 2
                                  : 1;

}  // namespace detail

/// The element-wise kernel f(members of x): f is a function of the one, two or three members of Operands, in order.
template <class Operands, auto f>
struct Function {
  using Input = Operands;
  ASSAY_HD auto operator()(const Input& x) const {
    if constexpr (detail::operand_count<Input> == 3) {
      const auto& [a, b, c] = x;
      return f(a, b, c);
    } else if constexpr (detail::operand_count<Input> == 2) {
      const auto& [a, b] = x;
      return f(a, b);
    } else {
      const auto& [a] = x;
      return f(a);
    }
  }
  using Output = decltype(std::declval<Function>()(std::declval<Input>()));
};

}  // namespace assay
