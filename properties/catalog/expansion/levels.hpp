#pragma once
// The quick sum and the quick products level by level, on exact numbers: computes the magnitudes that bound their
// errors. The functions of arith/expansion have the same levels.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "properties/catalog/expansion/cases.hpp"
#include "properties/framework/exact_steps.hpp"

namespace assay::expansion {

/// The words of an operation before they are made nonoverlapping, and the parts of its error.
struct Levels {
  std::vector<oracle::Dyadic> words;
  oracle::Dyadic last_sums;  ///< Σ 2^⌊log₂|s|⌋ over the rounded results s of the last level
  oracle::Dyadic dropped;    ///< Σ |xᵢyⱼ| over the omitted products
};

namespace detail {

/// The levels of operations on words of the format of T.
template <FloatingPoint T>
class LevelSteps {
 public:
  explicit LevelSteps(std::size_t words) { levels_.words.resize(words); }

  /// word ← RN(word + t), and the error.
  oracle::Dyadic add(std::size_t word, const oracle::Dyadic& t) {
    if (t.is_zero()) return {};
    ExactSum sum = rounded_with_error<T>(levels_.words[word] + t);
    levels_.words[word] = std::move(sum.s);
    return std::move(sum.e);
  }

  /// The last word ← RN(last word + t); the error is lost.
  void add_last(const oracle::Dyadic& t) {
    if (t.is_zero()) return;
    add(last(), t);
    levels_.last_sums += leading_power(levels_.words[last()]);
  }

  /// t is added to `word`, the error to the next one, and so on.
  void cascade(std::size_t word, oracle::Dyadic t) {
    for (; word < last(); ++word) t = add(word, t);
    add_last(t);
  }

  std::size_t last() const { return levels_.words.size() - 1; }
  Levels& levels() { return levels_; }

 private:
  Levels levels_;
};

template <FloatingPoint T>
std::vector<oracle::Dyadic> exact_values(const std::vector<T>& words) {
  std::vector<oracle::Dyadic> values;
  for (const T& each : words) values.push_back(value_of(each));
  return values;
}

}  // namespace detail

/// The levels of x + y in as many words as x and y have, two or more.
template <FloatingPoint T>
Levels levels_of_sum(const ExpansionPairCase<T>& c) {
  const std::vector<oracle::Dyadic> x = detail::exact_values(c.x);
  const std::vector<oracle::Dyadic> y = detail::exact_values(c.y);
  detail::LevelSteps<T> steps(x.size());
  std::vector<oracle::Dyadic> carries;
  for (std::size_t l = 0; l < steps.last(); ++l) {
    steps.add(l, x[l]);
    for (oracle::Dyadic& carry : carries) carry = steps.add(l, carry);
    carries.push_back(steps.add(l, y[l]));
  }
  steps.levels().words[steps.last()] = x[steps.last()];
  for (const oracle::Dyadic& carry : carries) steps.add_last(carry);
  steps.add_last(y[steps.last()]);
  return std::move(steps.levels());
}

/// The levels of the truncated product xy in as many words as x and y have, two or more.
template <FloatingPoint T>
Levels levels_of_product(const ExpansionPairCase<T>& c) {
  const std::vector<oracle::Dyadic> x = detail::exact_values(c.x);
  const std::vector<oracle::Dyadic> y = detail::exact_values(c.y);
  detail::LevelSteps<T> steps(x.size());
  for (std::size_t l = 0; l < steps.last(); ++l) {
    for (std::size_t i = 0; i <= l; ++i) {
      ExactSum product = rounded_with_error<T>(x[i] * y[l - i]);
      steps.cascade(l, std::move(product.s));
      steps.cascade(l + 1, nearest_number<T>(product.e));
    }
  }
  for (std::size_t i = 0; i <= steps.last(); ++i) steps.add_last(x[i] * y[steps.last() - i]);
  for (std::size_t i = 1; i < x.size(); ++i) {
    for (std::size_t j = x.size() - i; j < y.size(); ++j) steps.levels().dropped += abs(x[i] * y[j]);
  }
  return std::move(steps.levels());
}

/// Σ |b| over the FastTwoSums (a, b) with 0 < |a| < |b| with which the quick product sweeps its words upward, and
/// downward from the second word on.
template <FloatingPoint T>
oracle::Dyadic out_of_order(std::vector<oracle::Dyadic> w) {
  oracle::Dyadic total;
  const auto fast_two_sum = [&total](oracle::Dyadic& a, oracle::Dyadic& b) {
    if (!a.is_zero() && compare_abs(a, b) < 0) total += abs(b);
    const oracle::Dyadic s = nearest_number<T>(a + b);
    const oracle::Dyadic z = nearest_number<T>(s - a);
    b = nearest_number<T>(b - z);
    a = s;
  };
  for (std::size_t i = w.size() - 1; i > 0; --i) fast_two_sum(w[i - 1], w[i]);
  for (std::size_t i = 1; i + 1 < w.size(); ++i) fast_two_sum(w[i], w[i + 1]);
  return total;
}

}  // namespace assay::expansion
