#pragma once

#include <gtest/gtest.h>

#include "arith/words/double_word.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"
#include "mpfr_reference.hpp"

namespace assay::reference {

template <class T>
inline constexpr int precision = FloatTraits<T>::precision;

/// The sum of the words.
template <class T>
Exact exact(DoubleWord<T> x) {
  return exact(x.h) + exact(x.l);
}
template <class T>
Exact exact(TripleWord<T> x) {
  return exact(x.x0) + exact(x.x1) + exact(x.x2);
}
template <class T>
Exact exact(QuadDouble<T> x) {
  return exact(x.x0) + exact(x.x1) + exact(x.x2) + exact(x.x3);
}

template <class T>
bool equal_bits(DoubleWord<T> x, DoubleWord<T> y) {
  return to_bits(x.h) == to_bits(y.h) && to_bits(x.l) == to_bits(y.l);
}
template <class T>
bool equal_bits(TripleWord<T> x, TripleWord<T> y) {
  return to_bits(x.x0) == to_bits(y.x0) && to_bits(x.x1) == to_bits(y.x1) && to_bits(x.x2) == to_bits(y.x2);
}

/// Tests on numbers of T that are words: each second number has few bits.
template <class T>
class WordTest : public testing::Test {
 protected:
  explicit WordTest(std::uint64_t seed) : numbers_(seed) {}
  T next(int low, int high) {
    ++kind_;
    return kind_ % 2 == 0 ? numbers_.sparse(low, high) : numbers_.moderate(low, high);
  }

  static constexpr int repetitions = 3000;
  Numbers<T> numbers_;
  int kind_ = 0;
};

}  // namespace assay::reference
