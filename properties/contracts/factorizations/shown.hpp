#pragma once
// What factorizations and solutions share: numbers that are shown beside results, and results that are no numbers.

#include <span>
#include <vector>

#include "oracle/ball.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/remark.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::contracts::factorizations {

/// The midpoint of a ball. Requires: a finite ball (not checked).
inline oracle::Dyadic middle_of(const oracle::Ball& x) {
  oracle::Dyadic sum = x.lower() + x.upper();
  return sum.mul_2exp(-1);
}
/// The midpoints of balls, or zeros if one is not finite.
inline std::vector<oracle::Dyadic> middles_of(std::span<const oracle::Ball> balls) {
  std::vector<oracle::Dyadic> middles(balls.size());
  for (const oracle::Ball& each : balls) {
    if (!each.is_finite()) return middles;
  }
  for (std::size_t i = 0; i < balls.size(); ++i) middles[i] = middle_of(balls[i]);
  return middles;
}

template <FloatingPoint T>
std::vector<oracle::Dyadic> values_of(const std::vector<T>& numbers) {
  std::vector<oracle::Dyadic> values;
  for (const T& each : numbers) values.push_back(value_of(each));
  return values;
}

/// Whether an infinity or a NaN is among the results; else the remark `all_finite_text`.
template <FloatingPoint T>
Judgement judge_no_number(const std::vector<T>& results, const char* all_finite_text) {
  const bool is_told = !all_finite(results);
  if (!is_told) remark(all_finite_text);
  return Judgement::of(is_told);
}

}  // namespace assay::contracts::factorizations
