#pragma once
// Cases of sums and dot products from outside: long vectors, NaN and infinities, and what these become.

#include <algorithm>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/narrow_cases.hpp"
#include "properties/contracts/tile_cases.hpp"

namespace assay::contracts::reductions {

using sum::DotCase;
using sum::SumCase;

template <FloatingPoint T>
bool is_finite_case(const SumCase<T>& c) {
  return all_finite(c.x);
}
template <FloatingPoint T>
bool is_finite_case(const DotCase<T>& c) {
  return all_finite(c.x) && all_finite(c.y);
}

/// The domain, where cases of finite numbers are not copied to be looked at.
template <class Case>
Domain<Case> without_copies(Domain<Case> domain, const SharedFunction<bool(const Case&)>& of_finite) {
  domain.contains = [of_finite, of_any = domain.contains](const Case& c) {
    return is_finite_case(c) ? of_finite(c) : of_any(c);
  };
  return domain;
}

template <FloatingPoint T>
SumCase<T> finite_part_of(const SumCase<T>& c) {
  return {finite_part(c.x)};
}
template <FloatingPoint T>
DotCase<T> finite_part_of(const DotCase<T>& c) {
  return {finite_part(c.x), finite_part(c.y)};
}

/// What a sum, a sum of magnitudes and a dot product become of numbers that are none. A norm becomes what the sum of
/// the magnitudes does.
template <FloatingPoint T>
Due due_of_sum(const SumCase<T>& c) {
  return {sum::special_sum(c)};
}
template <FloatingPoint T>
Due due_of_magnitudes(const SumCase<T>& c) {
  return {sum::special_sum<T>(c.x.size(), [&](std::size_t i) {
    return sum::special_term(format<T>, bits_of(c.x[i]) & ~format<T>.sign_mask());
  })};
}
template <FloatingPoint T>
Due due_of_products(const DotCase<T>& c) {
  return {sum::special_sum(c)};
}

/// Whether there are a NaN and an infinity.
template <FloatingPoint T>
bool has_both(const SumCase<T>& c) {
  const auto is_nan = [](const T& each) { return oracle::is_nan(format<T>, bits_of(each)); };
  const auto is_infinite = [&](const T& each) { return !is_nan(each) && !oracle::is_finite(format<T>, bits_of(each)); };
  return std::ranges::any_of(c.x, is_nan) && std::ranges::any_of(c.x, is_infinite);
}
template <FloatingPoint T>
bool has_both(const DotCase<T>&) {
  return false;
}

/// Numbers of moderate size and any number of terms, some of which are no numbers.
template <FloatingPoint T>
SumCase<T> draw_exceptional_sum(Draw& draw) {
  SumCase<T> c = draw_long_sum<T>(draw);
  if (draw.coin()) c.x.resize(1 + draw.below(12), T(1));
  put_exceptional(draw, c.x);
  return c;
}
/// The other factor is moderate, or 0 for half of what is no number.
template <FloatingPoint T>
DotCase<T> draw_exceptional_dot(Draw& draw) {
  DotCase<T> c{draw_exceptional_sum<T>(draw).x, {}};
  for (T& each : c.x) {
    const bool is_finite = oracle::is_finite(format<T>, bits_of(each));
    T other = draw_number<T>(draw, Significand::any, draw.between(-2, 2));
    if (!is_finite && draw.coin()) other = compose<T>(draw.coin(), 0, 0);
    if (draw.coin()) std::swap(each, other);
    c.y.push_back(other);
  }
  return c;
}

/// The domains with long vectors and with NaN and infinities. `weight`: of each of these classes.
template <FloatingPoint T, unsigned weight = 4>
Domain<SumCase<T>> sums_of_all_kinds() {
  using Case = SumCase<T>;
  Domain<Case> domain = sum_domain<T>();
  domain.classes.push_back({"around tiles, on a grid", weight, drawn<Case>(draw_tiled_sum<T>)});
  domain.classes.push_back({"around tiles, any significand", 1, drawn<Case>(draw_long_sum<T>)});
  const auto of_finite = domain.contains;
  return without_copies<Case>(
      with_exceptional<Case>(std::move(domain), {{"NaN or infinities", weight, drawn<Case>(draw_exceptional_sum<T>)}},
                             [](const Case& c) { return finite_part_of(c); }),
      of_finite);
}
template <FloatingPoint T>
Domain<DotCase<T>> dots_of_all_kinds() {
  using Case = DotCase<T>;
  Domain<Case> domain = dot_domain<T>();
  domain.classes.push_back({"around tiles, on a grid", 4, drawn<Case>(draw_tiled_dot<T>)});
  const auto of_finite = domain.contains;
  return without_copies<Case>(
      with_exceptional<Case>(std::move(domain), {{"NaN or infinities", 3, drawn<Case>(draw_exceptional_dot<T>)}},
                             [](const Case& c) { return finite_part_of(c); }),
      of_finite);
}

}  // namespace assay::contracts::reductions
