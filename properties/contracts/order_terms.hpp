#pragma once
// How sums, dot products, norms and prefix sums are asked about order.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "properties/contracts/order.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/dot_cases.hpp"

namespace assay::contracts {

/// Of a sum: terms of both signs.
template <FloatingPoint T>
struct OrderOfSum {
  using Case = sum::SumCase<T>;
  static std::size_t terms(const Case& c) { return c.x.size(); }
  static Case data_with(std::size_t n, int q, bits::SplitMix64& next) {
    return {nearest_of<T>(terms_of_both_signs(next, n, q))};
  }
  static Case data(const Case&, std::size_t n, bits::SplitMix64& next) {
    return data_with(n, bits_that_show<T>(next), next);
  }
  static void swap(Case& c, std::size_t i, std::size_t j) { std::swap(c.x[i], c.x[j]); }
  static bool is_same(T as_it_is, T swapped, std::size_t, std::size_t) { return same_bits(as_it_is, swapped); }
  /// The sum from the first term to the last.
  static T recursive(const Case& c) {
    T sum{};
    for (const T& each : c.x) sum = sum + each;
    return sum;
  }
  static Case chunk(const Case& c, std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t i) { return c.x.begin() + static_cast<std::ptrdiff_t>(i); };
    return {{at(from), at(to)}};
  }
  static Case behind(T before, Case rest) {
    rest.x.insert(rest.x.begin(), before);
    return rest;
  }
  static T together(T /*first*/, T second) { return second; }
};

/// Of a sum of magnitudes: terms of one sign.
template <FloatingPoint T>
struct OrderOfMagnitudes : OrderOfSum<T> {
  using Case = sum::SumCase<T>;
  static Case data_with(std::size_t n, int q, bits::SplitMix64& next) {
    return {nearest_of<T>(terms_of_one_sign(next, n, q))};
  }
  static Case data(const Case&, std::size_t n, bits::SplitMix64& next) {
    return data_with(n, bits_that_show<T>(next), next);
  }
};

/// Of a norm: the roots of such terms.
template <FloatingPoint T>
struct OrderOfNorm : OrderOfSum<T> {
  using Case = sum::SumCase<T>;
  static Case data_with(std::size_t n, int q, bits::SplitMix64& next) {
    std::vector<double> terms = terms_of_one_sign(next, n, q);
    for (double& each : terms) each = std::sqrt(each);
    return {nearest_of<T>(terms)};
  }
  static Case data(const Case&, std::size_t n, bits::SplitMix64& next) {
    return data_with(n, bits_that_show<T>(next), next);
  }
  static Case chunk(const Case&, std::size_t, std::size_t) = delete;  // a root is no term of a sum of squares
  /// The sum of the squares from the first to the last.
  static T recursive(const Case& c) {
    T sum{};
    for (const T& each : c.x) sum = sum + each * each;
    return sum;
  }
};

/// x times 2^(−e) and 2^e: a product that is x.
struct Factors {
  double first, second;
};
/// The factors of a term, each half as small as it.
inline Factors factors_of(double term) {
  int exponent = 0;
  std::frexp(term, &exponent);
  const int half = exponent / 2;
  return {std::ldexp(term, -half), std::ldexp(1.0, half)};
}

/// Of a dot product: products that are terms of both signs.
template <FloatingPoint T>
struct OrderOfDot {
  using Case = sum::DotCase<T>;
  static std::size_t terms(const Case& c) { return c.x.size(); }
  static Case data_with(std::size_t n, int q, bits::SplitMix64& next) {
    std::vector<double> x;
    std::vector<double> y;
    for (const double each : terms_of_both_signs(next, n, q)) {
      const Factors factors = factors_of(each);
      x.push_back(factors.first);
      y.push_back(factors.second);
    }
    return {nearest_of<T>(x), nearest_of<T>(y)};
  }
  static Case data(const Case&, std::size_t n, bits::SplitMix64& next) {
    return data_with(n, bits_that_show<T>(next), next);
  }
  static void swap(Case& c, std::size_t i, std::size_t j) {
    std::swap(c.x[i], c.x[j]);
    std::swap(c.y[i], c.y[j]);
  }
  static bool is_same(T as_it_is, T swapped, std::size_t, std::size_t) { return same_bits(as_it_is, swapped); }
  static T recursive(const Case& c) {
    T sum{};
    for (std::size_t i = 0; i < c.x.size(); ++i) sum = sum + c.x[i] * c.y[i];
    return sum;
  }
  static Case chunk(const Case& c, std::size_t from, std::size_t to) {
    using Sum = OrderOfSum<T>;
    return {Sum::chunk({c.x}, from, to).x, Sum::chunk({c.y}, from, to).x};
  }
  static Case behind(T before, Case rest) {
    rest.x.insert(rest.x.begin(), before);
    rest.y.insert(rest.y.begin(), nearest_to<T>(oracle::Dyadic(1)));
    return rest;
  }
  static T together(T /*first*/, T second) { return second; }
};

/// Of prefix sums: those of a sum. Only the sums that have both of the swapped terms are compared.
template <FloatingPoint T>
struct OrderOfPrefixes : OrderOfSum<T> {
  static bool is_same(const std::vector<T>& as_it_is, const std::vector<T>& swapped, std::size_t i, std::size_t j) {
    const std::size_t from = std::max(i, j);
    return !first_difference(numbers_of(as_it_is).subspan(from), numbers_of(swapped).subspan(from));
  }
  static sum::SumCase<T> behind(const std::vector<T>& before, const sum::SumCase<T>& rest) {
    return OrderOfSum<T>::behind(before.empty() ? T{} : before.back(), rest);
  }
  static std::vector<T> together(std::vector<T> first, const std::vector<T>& second) {
    first.insert(first.end(), second.empty() ? second.end() : second.begin() + 1, second.end());
    return first;
  }
};

/// The terms of a sum, "0x1p+0, -0x1p-53", or of products, "0x1p+0 · 0x1p-53"; of more than 16 only their number.
template <class Case>
std::string told_terms(const Case& c) {
  constexpr std::size_t most = 16;
  if (c.x.size() > most) return std::to_string(c.x.size()) + " terms";
  std::string text = "the terms";
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    text += (i == 0 ? " " : ", ") + text_of(c.x[i]);
    if constexpr (requires { c.y[i]; }) text += " · " + text_of(c.y[i]);
  }
  return text;
}

/// The bits do not depend on the order of terms that show it: with pairs of them in each other's place.
template <class Order, class Case, class T>
Judgement judge_any_order(const RunOf<Case, T>& run, const Case& c) {
  const T result{};
  AskedOrderOf<Order, Case, T> asked(run, c, result);
  asked.add(Order::data_with(Order::terms(c), FloatTraits<T>::precision, asked.next));
  const SwappedData swapped(asked, 0);
  asked.run(0, asked.cases());
  for (std::size_t k = 0; k < swapped.pairs().size(); ++k) {
    if (asked.is_same(0, k + 1, 0, 0)) continue;
    const auto [i, j] = swapped.pairs()[k];
    take_remark();
    remark("not of these inputs: of " + told_terms(asked.case_at(0)) + " it is " + text_of(asked.result_at(0)) +
           ", with terms " + std::to_string(i) + " and " + std::to_string(j) + " in each other's place " +
           text_of(asked.result_at(k + 1)));
    return Judgement::fail();
  }
  std::vector<T> in_order;
  for (std::size_t i = 0; i < asked.cases(); ++i) in_order.push_back(Order::recursive(asked.case_at(i)));
  const std::size_t recursive = asked.results();
  asked.add_results(std::move(in_order));
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(asked, recursive, static_cast<std::ptrdiff_t>(recursive));
  return judgement;
}

}  // namespace assay::contracts
