#pragma once
// All sums and dot products of few terms in toy formats, up to exact symmetries and within windows of exponents:
// docs/bounds/small_formats.md.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/enumeration.hpp"

namespace assay::sum {
namespace detail {

template <FloatingPoint T>
bool in_toy_box(const std::vector<T>& x) {
  return std::all_of(x.begin(), x.end(), [](const T& each) { return in_box(each, {-100, 100}); });
}

inline std::string toy_words(std::size_t n, int window) {
  return std::to_string(n) + " terms, exponents at most " + std::to_string(window) +
         " from that of the first, up to exact symmetries: docs/bounds/small_formats.md";
}

}  // namespace detail

/// n terms: the first in [1, 2), each further one 0, or of either sign with any significand and an exponent −window …
/// window.
template <FloatingPoint T>
Domain<SumCase<T>> every_sum(std::size_t n, int window) {
  const std::uint64_t choices = second_operands<T>(window);
  std::uint64_t size = significands<T>();
  for (std::size_t i = 1; i < n; ++i) size *= choices;
  return exhaustive<SumCase<T>>(
      {.size = size,
       .at =
           [=](std::uint64_t i, SumCase<T>& out) {
             out.x.assign(1, number_at<T>(i % significands<T>()));
             i /= significands<T>();
             for (; out.x.size() < n; i /= choices) {
               out.x.push_back(second_operand_at<T>(i % choices, window));
             }
             return true;
           }},
      [n](const SumCase<T>& c) { return c.x.size() <= n && detail::in_toy_box(c.x); }, detail::toy_words(n, window));
}

/// n pairs of factors: every y in [1, 2), x as the terms of every_sum().
template <FloatingPoint T>
Domain<DotCase<T>> every_dot(std::size_t n, int window) {
  const Domain<SumCase<T>> terms = every_sum<T>(n, window);
  std::uint64_t factors = 1;
  for (std::size_t i = 0; i < n; ++i) factors *= significands<T>();
  return exhaustive<DotCase<T>>(
      {.size = terms.enumeration.size * factors,
       .at =
           [=, at = terms.enumeration.at](std::uint64_t i, DotCase<T>& out) {
             SumCase<T> x;
             at(i / factors, x);
             out = {std::move(x.x), {}};
             for (i %= factors; out.y.size() < n; i /= significands<T>()) {
               out.y.push_back(number_at<T>(i % significands<T>()));
             }
             return true;
           }},
      [n](const DotCase<T>& c) {
        return c.x.size() <= n && c.y.size() == c.x.size() && detail::in_toy_box(c.x) && detail::in_toy_box(c.y);
      },
      detail::toy_words(n, window));
}

}  // namespace assay::sum
