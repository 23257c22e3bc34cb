#pragma once
// The table of theorem formula.exceptional.1: the kinds of a result from the kinds of its arguments.

#include <vector>

#include "properties/formulas/graph.hpp"
#include "properties/formulas/kinds.hpp"

namespace assay::formulas::kind_rules {

/// f of every single kind of the set.
template <class F>
Kinds each(Kinds kinds, const F& f) {
  Kinds result = 0;
  for (Kinds kind = 1; kind <= not_a_number; kind <<= 1U) {
    if ((kinds & kind) != 0) result |= f(kind);
  }
  return result;
}
template <class F>
Kinds pairs(Kinds a, Kinds b, const F& f) {
  return each(a, [&](Kinds x) { return each(b, [&](Kinds y) { return f(x, y); }); });
}

Kinds negated(Kinds kinds);
Kinds sum(Kinds a, Kinds b);
Kinds product(Kinds a, Kinds b);
/// Of many numbers in any order: a product of two of them may overflow or underflow, and then meet a zero or an
/// infinity.
Kinds product(const std::vector<Kinds>& factors);
Kinds reciprocal(Kinds kinds);
Kinds maximum(Kinds a, Kinds b);
/// xʸ, by a function of two numbers or as exp(y ln x).
Kinds power_of_two_numbers(Kinds a, Kinds b);
/// An infinity or NaN, or a number without an error: 0, positive or negative.
struct Known {
  Kinds kind;
  oracle::Dyadic number = {};
};
/// xʸ by IEEE 754-2019, §9.2.1, and whether it is not defined although x and y are numbers.
Kinds power_of_two_known(const Known& x, const Known& y);
bool is_undefined_power(const Known& x, const Known& y);
/// The angle of (x, y), at single kinds.
Kinds angle(Kinds y, Kinds x);
/// A function of one argument, at one kind.
Kinds function(Op op, unsigned long exponent, Kinds x);

}  // namespace assay::formulas::kind_rules
