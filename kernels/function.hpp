#pragma once
// A function of numbers or words as an element-wise kernel.

#include <utility>

#include "arith/hd.hpp"
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

/// f(members of x).
template <auto f, class Operands>
ASSAY_HD auto apply_to_members(const Operands& x) {
  if constexpr (operand_count<Operands> == 3) {
    const auto& [a, b, c] = x;
    return f(a, b, c);
  } else if constexpr (operand_count<Operands> == 2) {
    const auto& [a, b] = x;
    return f(a, b);
  } else {
    const auto& [a] = x;
    return f(a);
  }
}

}  // namespace detail

/// The element-wise kernel f(members of x): f is a function of the one, two or three members of Operands, in order.
template <class Operands, auto f>
struct Function {
  using Input = Operands;
  using Output = decltype(detail::apply_to_members<f>(std::declval<const Input&>()));
  ASSAY_HD Output operator()(const Input& x) const { return detail::apply_to_members<f>(x); }
};

}  // namespace assay
