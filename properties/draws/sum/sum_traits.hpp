#pragma once
// The traits of a sum: its length, the kinds of numbers in x, and the signs of its terms.

#include <cstddef>
#include <memory>
#include <utility>

#include "properties/draws/sum/dot_traits.hpp"

namespace assay::sum {

namespace detail {

/// 0: the terms that are not 0 have one sign, 1: they have both; 2: there are none.
template <FloatingPoint T>
std::size_t sign_kind(const SumCase<T>& c) {
  bool seen[2] = {false, false};
  for (const T& each : c.x) {
    if (each != T{}) seen[parts_of(each).negative ? 1 : 0] = true;
  }
  return seen[0] && seen[1] ? 1 : seen[0] || seen[1] ? 0 : 2;
}

template <FloatingPoint T>
SumCase<T> draw_sum_row(Draw& draw, const TraitRow& row) {
  const std::size_t n = draw_length_of(draw, row[0]);
  const int offset = draw.coin() ? far_offset<T> : -far_offset<T>;
  const bool negative = draw.coin();
  SumCase<T> c;
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(draw_term<T>(draw, row[1], offset));
    const bool is_free = row[2] > 1 || (row[2] == 1 && i > 1);
    const bool wanted = negative != (row[2] == 1 && i == 1);
    if (!is_free && parts_of(c.x[i]).negative != wanted) c.x[i] = negated(c.x[i]);
  }
  return c;
}

}  // namespace detail

/// Finite numbers alone. Empty for a format with too few exponents for them.
template <FloatingPoint T>
std::shared_ptr<const Traits<SumCase<T>>> sum_traits() {
  if (FloatTraits<T>::emax < 100) return nullptr;
  using Case = SumCase<T>;
  const KindNames lists = up_to(list_kinds(), finite_list_kinds);
  const KindNames signs{"one sign", "both signs"};
  const char* const no_terms = "there are no terms other than 0";
  Traits<Case> traits{{{{"n", detail::length_kinds()}, [](const Case& c) { return detail::length_kind(c.x.size()); }},
                       {{"x", lists}, [](const Case& c) { return detail::list_kind(c.x); }},
                       {{"terms", signs}, [](const Case& c) { return detail::sign_kind(c); }}},
                      {{"n", {"0"}, "x", lists, "an empty list has no kind"},
                       {"n", {"0"}, "terms", signs, no_terms},
                       {"n", {"1"}, "terms", {"both signs"}, "one term has one sign"},
                       {"x", {"zeros"}, "terms", signs, no_terms}},
                      detail::draw_sum_row<T>};
  return std::make_shared<const Traits<Case>>(std::move(traits));
}

}  // namespace assay::sum
