#pragma once

#include <cmath>
#include <cstdint>

#include "arith/bits/traits.hpp"

namespace assay {

/// A binary64 number whose operations and comparisons are counted; a change of sign does not count.
struct Counted {
  double x;
  Counted() = default;
  explicit Counted(int n) : x(n) {}
  explicit Counted(double value) : x(value) {}

  static inline int operations = 0;
  static Counted counted(double x) {
    ++operations;
    return Counted(x);
  }
  static bool compared(bool result) {
    ++operations;
    return result;
  }

  friend Counted operator+(Counted a, Counted b) { return counted(a.x + b.x); }
  friend Counted operator-(Counted a, Counted b) { return counted(a.x - b.x); }
  friend Counted operator*(Counted a, Counted b) { return counted(a.x * b.x); }
  friend Counted operator/(Counted a, Counted b) { return counted(a.x / b.x); }
  friend Counted operator-(Counted a) {
    a.x = -a.x;
    return a;
  }
  friend Counted fma(Counted a, Counted b, Counted c) { return counted(std::fma(a.x, b.x, c.x)); }
  friend Counted sqrt(Counted a) { return counted(std::sqrt(a.x)); }
  friend bool operator==(Counted a, Counted b) { return compared(a.x == b.x); }
  friend bool operator<(Counted a, Counted b) { return compared(a.x < b.x); }
  friend bool operator>(Counted a, Counted b) { return compared(a.x > b.x); }
  friend bool operator<=(Counted a, Counted b) { return compared(a.x <= b.x); }
  friend bool operator>=(Counted a, Counted b) { return compared(a.x >= b.x); }
};

template <>
struct FloatTraits<Counted> : FloatTraits<double> {
  static Counted from_bits(Bits bits) { return Counted(FloatTraits<double>::from_bits(bits)); }
};
inline std::uint64_t to_bits(Counted x) { return to_bits(x.x); }

/// How many operations and comparisons a call makes.
template <class Operation>
int operations_of(Operation operation) {
  Counted::operations = 0;
  operation();
  return Counted::operations;
}

}  // namespace assay
