#pragma once
// Inputs of dot products that are rounded once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/draws/sum/dot_cases.hpp"

namespace assay::sum {

namespace detail {

/// Products that all lie below the lowest place of T, or not far above it.
template <FloatingPoint T>
DotCase<T> draw_tiny_products(Draw& draw) {
  const bool same_sign = draw.one_in(3);
  const int high = lowest_place<T> + draw.between(-4, 4 * FloatTraits<T>::precision);
  return draw_factors<T>(draw, draw_length(draw), Significand::any, 2 * lowest_place<T>, high, same_sign);
}

/// A tie of the format, as numbers times 1, with or without a product below the lowest place.
template <FloatingPoint T>
DotCase<T> draw_tie_beside_tiny_product(Draw& draw) {
  DotCase<T> c = with_powers_of_two<T>(draw, draw_hidden_tie<T>(draw));
  const int exponent = draw.between(lowest_place<T>, FloatTraits<T>::emin);
  c.x.push_back(draw_number<T>(draw, Significand::any, exponent));
  c.y.push_back(draw.one_in(8) ? T{} : draw_number<T>(draw, Significand::any, draw.between(lowest_place<T>, -1)));
  return c;
}

/// Products beyond the largest number that cancel, or not.
template <FloatingPoint T>
DotCase<T> draw_high_products(Draw& draw) {
  constexpr int emax = FloatTraits<T>::emax;
  DotCase<T> c = draw_factors<T>(draw, 1 + draw.below(12), Significand::any, emax - 4, 2 * emax, false);
  if (draw.one_in(4)) return c;
  const std::size_t n = c.x.size();
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(negated(c.y[i]));
    c.y.push_back(c.x[i]);
  }
  const DotCase<T> rest = draw_factors<T>(draw, 1 + draw.below(4), Significand::any, -emax, emax - 2, false);
  append_terms(c, rest, 0, rest.x.size());
  return c;
}

template <FloatingPoint T>
DotCase<T> draw_wandering_dot(Draw& draw) {
  const DotCase<T> last = with_powers_of_two<T>(draw, draw_hidden_tie<T>(draw));
  return draw_wandering<T>(draw, longest_exact_sum, 2 * lowest_place<T> + 20, 2 * FloatTraits<T>::emax, last,
                           [&](std::size_t run, int exponent) {
                             const bool same_sign = draw.one_in(3);
                             return draw_factors<T>(draw, run, Significand::any, exponent - draw.between(0, 20),
                                                    exponent, same_sign);
                           });
}

/// Zeros of both signs times numbers, and perhaps two products that cancel.
template <FloatingPoint T>
DotCase<T> draw_zero_products(Draw& draw) {
  const bool negative = draw.coin();
  DotCase<T> c;
  for (std::size_t i = draw_length(draw); i > 0; --i) {
    const T zero = draw.coin() ? T{} : negated(T{});
    const bool minus = negative || draw.coin();
    c.x.push_back(zero);
    c.y.push_back(draw_number<T>(draw, Significand::any, draw.between(-4, 4), parts_of(zero).negative != minus));
    if (draw.coin()) std::swap(c.x.back(), c.y.back());
  }
  if (draw.one_in(3)) {
    const DotCase<T> pair = draw_factors<T>(draw, 1, Significand::any, -8, 8, false);
    c.x.insert(c.x.end(), {pair.x[0], pair.y[0]});
    c.y.insert(c.y.end(), {pair.y[0], negated(pair.x[0])});
  }
  return c;
}

}  // namespace detail

/// The classes of dot products to the last bit, of any finite factors.
template <FloatingPoint T>
std::vector<InputClass<DotCase<T>>> exact_dot_classes() {
  using F = FloatTraits<T>;
  const auto from = [](auto make) { return detail::drawn_terms<DotCase<T>>(longest_exact_sum, make); };
  const auto factors = [&](Significand kind, int low, int high) {
    return from([=](Draw& draw) {
      const bool same_sign = draw.one_in(3);
      return detail::draw_factors<T>(draw, detail::draw_length(draw), kind, low, high, same_sign);
    });
  };
  const auto sums = [&](auto make) {
    return from([=](Draw& draw) { return detail::with_powers_of_two<T>(draw, make(draw)); });
  };
  return {
      {"dense", 3, factors(Significand::dense, -8, 8)},
      {"any significand, exponents within ±p", 2, factors(Significand::any, -F::precision, F::precision)},
      {"all ones", 1, factors(Significand::all_ones, -2, 2)},
      {"condition up to the hardest", 4, from(detail::draw_conditioned_dot<T>)},
      {"cancellation to a small product", 2, from(detail::draw_cancelling_dot<T>)},
      {"sum: tie of either parity, tie ± tiny, hidden by cancellation", 4, sums(detail::draw_hidden_tie<T>)},
      {"sum: just below and above a power of two", 3, sums(detail::draw_beside_power_of_two<T>)},
      {"sum: beyond the largest number", 2,
       sums([](Draw& draw) { return detail::draw_high_sum<T>(draw, SumRoom::any); })},
      {"sum: in the subnormal range", 2, sums(detail::draw_subnormal_sum<T>)},
      {"tie beside a product below the lowest place", 3, from(detail::draw_tie_beside_tiny_product<T>)},
      {"products below the lowest place", 2, from(detail::draw_tiny_products<T>)},
      {"products beyond the largest number", 2, from(detail::draw_high_products<T>)},
      {"products of zero", 2, from(detail::draw_zero_products<T>)},
      {"full range", 2, factors(Significand::any, 2 * detail::lowest_place<T>, 2 * F::emax)},
      {"many terms, exponents that wander", 1, from(detail::draw_wandering_dot<T>)},
  };
}

/// Two vectors of finite numbers.
template <FloatingPoint T>
Domain<DotCase<T>> exact_dot_domain() {
  return {.classes = exact_dot_classes<T>(),
          .contains =
              [=](const DotCase<T>& c) {
                return c.x.size() == c.y.size() && c.x.size() <= longest_exact_sum && all_finite(c.x) &&
                       all_finite(c.y);
              },
          .features = detail::summation_features<DotCase<T>, T>(),
          .accepts = "two vectors of up to " + std::to_string(longest_exact_sum) + " finite numbers",
          .traits = dot_traits<T>()};
}

}  // namespace assay::sum
