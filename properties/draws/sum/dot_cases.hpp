#pragma once
// Inputs of dot products: the structures for which sums have large errors, made of products.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/dot_traits.hpp"

namespace assay::sum {

namespace detail {

/// GenDot: Ogita, Rump, Oishi 2005, Algorithm 6.1, with the exact partial sum.
template <FloatingPoint T>
DotCase<T> draw_conditioned_dot(Draw& draw) {
  const std::size_t n = draw_length_from(draw, 10);
  const int b = draw.between(2, hardest_condition<T>);
  const std::size_t half = n / 2;
  DotCase<T> c;
  oracle::Dyadic partial;
  for (std::size_t i = 0; i < n; ++i) {
    if (i < half) {
      const int exponent = i == 0 ? b / 2 : draw.between(0, b / 2);
      c.x.push_back(draw_number<T>(draw, Significand::any, exponent));
      c.y.push_back(draw_number<T>(draw, Significand::any, exponent));
    } else {
      const int exponent = b / 2 - static_cast<int>(i - half) * (b / 2) / static_cast<int>(n - half);
      const T x = draw_number<T>(draw, Significand::any, exponent);
      const T fresh = draw_number<T>(draw, Significand::any, exponent);
      c.x.push_back(x);
      c.y.push_back(nearest<T>(oracle::quotient(value_of(fresh) - partial, value_of(x))));
    }
    partial.add_mul(value_of(c.x.back()), value_of(c.y.back()));
  }
  if (draw.coin()) {
    std::vector<std::pair<T, T>> both;
    for (std::size_t i = 0; i < n; ++i) {
      both.emplace_back(c.x[i], c.y[i]);
    }
    shuffle(draw, both);
    for (std::size_t i = 0; i < n; ++i) {
      c.x[i] = both[i].first;
      c.y[i] = both[i].second;
    }
  }
  return c;
}

/// Products with exponents in low … high, split at random between the factors.
template <FloatingPoint T>
DotCase<T> draw_factors(Draw& draw, std::size_t n, Significand kind, int low, int high, bool same_sign) {
  using F = FloatTraits<T>;
  DotCase<T> c;
  const bool negative = draw.coin();
  for (std::size_t i = 0; i < n; ++i) {
    const int product = draw.between(low, high);
    const int middle = product / 2;
    const int room = std::min(F::emax - 1 - std::max(middle, product - middle),
                              std::min(middle, product - middle) - (F::emin - F::precision + 1));
    const int shift = draw.coin() ? 0 : draw.between(-std::max(room, 0), std::max(room, 0));
    const bool minus = draw.coin();
    c.x.push_back(draw_number<T>(draw, kind, middle + shift, minus));
    c.y.push_back(draw_number<T>(draw, kind, product - middle - shift, same_sign ? minus != negative : draw.coin()));
  }
  return c;
}

/// Products just below η/2, all of one sign: each is rounded to 0, and so is its error.
template <FloatingPoint T>
DotCase<T> draw_lost_products(Draw& draw) {
  constexpr int exponent = FloatTraits<T>::emin - FloatTraits<T>::precision - 2;
  return draw_factors<T>(draw, draw_length(draw), Significand::all_ones, exponent, exponent, true);
}

/// A sum as a dot product with powers of two: the products are exact.
template <FloatingPoint T>
DotCase<T> with_powers_of_two(Draw& draw, SumCase<T> sum) {
  DotCase<T> c;
  for (const T& each : sum.x) {
    const bool minus = draw.coin();
    c.x.push_back(minus ? negated(each) : each);
    c.y.push_back(compose<T>(minus, 1, 0));
  }
  return c;
}

/// (x, y) and (−x, y) alternating or apart, and a small product.
template <FloatingPoint T>
DotCase<T> draw_cancelling_dot(Draw& draw) {
  const std::size_t pairs = std::max<std::size_t>(1, draw_length(draw) / 2);
  DotCase<T> c = draw_factors<T>(draw, pairs, Significand::any, -20, 20, false);
  const int small = -20 - draw.between(0, FloatTraits<T>::precision);
  c.x.push_back(draw_number<T>(draw, Significand::any, small / 2));
  c.y.push_back(draw_number<T>(draw, Significand::any, small - small / 2));
  for (std::size_t i = 0; i < pairs; ++i) {
    c.x.push_back(negated(c.y[i]));
    c.y.push_back(c.x[i]);
  }
  return c;
}

}  // namespace detail

/// The classes of dot products.
template <FloatingPoint T>
std::vector<InputClass<DotCase<T>>> dot_classes() {
  using F = FloatTraits<T>;
  constexpr int subnormal = F::emin - F::precision + 1;
  const auto from = [](auto make) { return drawn<DotCase<T>>(make); };
  constexpr detail::RangeGenerators<T, DotCase<T>> factors{detail::draw_factors<T>};
  const auto sums = [](auto make) {
    return drawn<DotCase<T>>([=](Draw& draw) { return detail::with_powers_of_two<T>(draw, make(draw)); });
  };
  return {
      {"dense, mixed signs", 3, factors.spread(Significand::dense, 8, false)},
      {"dense, products of one sign", 2, factors.spread(Significand::dense, 8, true)},
      {"any significand, exponents within ±p", 3, factors.spread(Significand::any, F::precision, false)},
      {"all ones", 1, factors.spread(Significand::all_ones, 2, false)},
      {"near powers of two", 1, factors.spread(Significand::low_bits, 2, false)},
      {"condition up to the hardest", 4, from(detail::draw_conditioned_dot<T>)},
      {"cancellation to a small product", 2, from(detail::draw_cancelling_dot<T>)},
      {"sum: tie, tie ± tiny", 2, sums(detail::draw_tied_sum<T>)},
      {"sum: 1, u, u, … in worst order", 2, sums(detail::draw_worst_order_sum<T>), true},
      {"sum: 1, errors that all err one way, −1", 1, sums(detail::draw_one_way_errors<T>)},
      {"sum: swallowed by a large pair", 1, sums(detail::draw_swallowed_sum<T>)},
      {"sum: exact in every order", 1, sums(detail::draw_exact_sum<T>)},
      {"full range", 2, factors.full(2 * F::emin, 2)},
      {"products in the range of underflow", 2, from([](Draw& draw) {
         if (draw.one_in(4)) return detail::draw_lost_products<T>(draw);
         return detail::draw_factors<T>(draw, detail::draw_length(draw), Significand::any, subnormal - 4,
                                        F::emin + 2 * F::precision, false);
       })},
      {"near overflow", 1, factors.near_overflow(2)},
  };
}

/// Finite factors with T ≤ 2^(emax − 2) in the format Wide that adds them: no product and no order of additions
/// overflows. Products may underflow.
template <FloatingPoint T, FloatingPoint Wide = T>
Domain<DotCase<T>> dot_domain() {
  return {.classes = dot_classes<T>(),
          .contains =
              [](const DotCase<T>& c) {
                return c.x.size() == c.y.size() && most_of(longest_sum) >= std::ssize(c.x) && all_finite(c.x) &&
                       all_finite(c.y) &&
                       exact_sums(c).magnitudes <= oracle::Dyadic::scaled(1, FloatTraits<Wide>::emax - 2);
              },
          .features = detail::summation_features<DotCase<T>, T>(),
          .accepts = "two vectors of up to 8192 finite numbers, the sum of the products' magnitudes at most 2^" +
                     std::to_string(FloatTraits<Wide>::emax - 2),
          .traits = dot_traits<T>()};
}

}  // namespace assay::sum
