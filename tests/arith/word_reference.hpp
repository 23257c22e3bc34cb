#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>

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

/// Tests on sums `Word` of numbers T: each second number has few bits. Each number of a sum follows the previous one as
/// closely as possible, or with a gap of up to `widest_gap` bits.
template <class T, class Word>
class WordTest : public testing::Test {
 protected:
  WordTest(std::uint64_t seed, int distance, int widest_gap)
      : numbers_(seed), distance_(distance), widest_gap_(widest_gap) {}
  T next(int low, int high) {
    ++kind_;
    return kind_ % 2 == 0 ? numbers_.sparse(low, high) : numbers_.moderate(low, high);
  }
  /// A sum whose first number has an exponent low … high.
  Word word(int low, int high) {
    std::array<T, sizeof(Word) / sizeof(T)> x{next(low, high)};
    for (std::size_t i = 1; i < x.size(); ++i) x[i] = below(x[i - 1]);
    return std::apply([](auto... each) { return Word{each...}; }, x);
  }
  T below(T x) {
    const int e = std::ilogb(value(x)) - precision<T> - distance_ - (kind_ % 5 == 4 ? kind_ % (widest_gap_ + 1) : 0);
    return next(e, e);
  }

  static constexpr int repetitions = 3000;
  Numbers<T> numbers_;
  int kind_ = 0;

 private:
  int distance_;
  int widest_gap_;
};

}  // namespace assay::reference
