#pragma once
// The traits of a dot product: its length, the kinds of numbers in x and y, and the signs of its products.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/covering.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/number_kinds.hpp"

namespace assay::sum {

namespace detail {

/// The smallest lengths of each kind: around the lanes of a warp and the threads of a block.
inline constexpr std::array<std::size_t, 6> first_lengths{0, 1, 2, 3, 32, 65};
inline constexpr std::size_t longest_of_a_row = 300;

inline KindNames length_kinds() { return {"0", "1", "2", "3 to 31", "32 to 64", "65 and more"}; }
inline std::size_t length_kind(std::size_t n) {
  std::size_t kind = 0;
  while (kind + 1 < first_lengths.size() && n >= first_lengths[kind + 1]) ++kind;
  return kind;
}

/// Exponents beyond ±far count as far: no sum of products of numbers of ±offset and of their neighbors overflows.
template <FloatingPoint T>
inline constexpr int far = FloatTraits<T>::emax / 4;
template <FloatingPoint T>
inline constexpr int far_offset = 3 * FloatTraits<T>::emax / 8;

/// The kind of a number in list_kinds(), with the ranges of its format.
template <FloatingPoint T>
std::size_t term_kind(const T& x) {
  const auto value = static_cast<double>(x);
  if (value == 0) return 0;
  const int exponent = std::ilogb(value);
  if (exponent < FloatTraits<T>::emin) return 4;
  if (std::abs(exponent) > far<T>) return 3;
  return std::abs(value) <= 4096 && value == std::trunc(value) ? 1 : 2;
}

template <FloatingPoint T>
T draw_term(Draw& draw, std::size_t kind, int offset) {
  using F = FloatTraits<T>;
  switch (kind) {
    case 0:
      return compose<T>({.exponent = 0, .significand = 0, .negative = draw.coin()});
    case 1:
      return compose<T>({.exponent = 0, .significand = 1 + draw.below(12), .negative = draw.coin()});
    case 3:
      return draw_number<T>(draw, Significand::any, offset + draw.between(-4, 4));
    case 4:
      return draw_number<T>(draw, Significand::any, draw.between(F::emin - F::precision + 1, F::emin - 1));
    default:
      return draw_number<T>(draw, Significand::dense, draw.between(-4, 4));
  }
}

template <FloatingPoint T>
std::size_t list_kind(const std::vector<T>& x) {
  ListKind kind;
  for (const T& each : x) kind.add(term_kind(each));
  return kind.value(finite_list_kinds);
}

template <FloatingPoint T>
bool has_negative_product(const DotCase<T>& c, std::size_t i) {
  return parts_of(c.x[i]).negative != parts_of(c.y[i]).negative;
}

/// 0: the products that are not 0 have one sign, 1: they have both; 2: there are none.
template <FloatingPoint T>
std::size_t sign_kind(const DotCase<T>& c) {
  bool seen[2] = {false, false};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (c.x[i] != T{} && c.y[i] != T{}) seen[has_negative_product(c, i) ? 1 : 0] = true;
  }
  return seen[0] && seen[1] ? 1 : seen[0] || seen[1] ? 0 : 2;
}

inline std::size_t draw_length_of(Draw& draw, std::size_t kind) {
  const std::size_t last = kind + 1 < first_lengths.size() ? first_lengths[kind + 1] - 1 : longest_of_a_row;
  return first_lengths[kind] + draw.below(last - first_lengths[kind] + 1);
}

template <FloatingPoint T>
DotCase<T> draw_dot_row(Draw& draw, const TraitRow& row) {
  const std::size_t n = draw_length_of(draw, row[0]);
  const auto offset = [&] { return draw.coin() ? far_offset<T> : -far_offset<T>; };
  const int of_x = offset();
  const int of_y = offset();
  const bool negative = draw.coin();
  DotCase<T> c;
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(draw_term<T>(draw, row[1], of_x));
    c.y.push_back(draw_term<T>(draw, row[2], of_y));
    const bool is_free = row[3] > 1 || (row[3] == 1 && i > 1);
    const bool wanted = negative != (row[3] == 1 && i == 1);
    if (!is_free && has_negative_product(c, i) != wanted) c.y[i] = negated(c.y[i]);
  }
  return c;
}

}  // namespace detail

/// Finite numbers alone.
template <FloatingPoint T>
std::shared_ptr<const Traits<DotCase<T>>> dot_traits() {
  using Case = DotCase<T>;
  const KindNames lists = up_to(list_kinds(), finite_list_kinds);
  const KindNames lengths = detail::length_kinds();
  const KindNames signs{"one sign", "both signs"};
  const char* const no_products = "there are no products other than 0";
  Traits<Case> traits{{{{"n", lengths}, [](const Case& c) { return detail::length_kind(c.x.size()); }},
                       {{"x", lists}, [](const Case& c) { return detail::list_kind(c.x); }},
                       {{"y", lists}, [](const Case& c) { return detail::list_kind(c.y); }},
                       {{"products", signs}, detail::sign_kind<T>}},
                      {{"n", {"0"}, "x", lists, "an empty list has no kind"},
                       {"n", {"0"}, "y", lists, "an empty list has no kind"},
                       {"n", {"0"}, "products", signs, no_products},
                       {"n", {"1"}, "products", {"both signs"}, "one product has one sign"},
                       {"x", {"zeros"}, "products", signs, no_products},
                       {"y", {"zeros"}, "products", signs, no_products}},
                      detail::draw_dot_row<T>};
  return std::make_shared<const Traits<Case>>(std::move(traits));
}

}  // namespace assay::sum
