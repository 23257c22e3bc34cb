#pragma once
// The sum and the products of triple words on operands outside the ranges in which their theorems hold: near underflow,
// near overflow, zeros, infinities and NaN. docs/bounds/triple.md, "Outside the ranges".

#include "errorbounds/triple_theorems.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "properties/draws/dw/word_operations.hpp"

namespace assay::triple {

/// The results of the sum, the accurate product and the fast product on one case: three words each.
inline constexpr std::size_t outside_operations = 3;
template <class T>
using OutsideClaim = Claim<TwTw<T>, Expansions<T>, std::vector<oracle::Exact>>;
template <class T>
using OutsideProperty = Property<TwTw<T>, Expansions<T>, std::vector<oracle::Exact>>;

template <class T>
bool are_finite(const TwTw<T>& c) {
  return dw::is_finite_word(c.x.x0) && dw::is_finite_word(c.y.x0);
}

/// The exact result of operation i. Requires: finite operands (not checked).
template <class T>
oracle::Dyadic exact_result(std::size_t i, const TwTw<T>& c) {
  return i == 0 ? dw::sum_of(c) : dw::product_of(c);
}

namespace detail {

/// Operation i is within the bound if all its words are finite; bound(x, y) gets the values of the operands.
template <class T, class BoundOf>
Judgement within_where_finite(const TwTw<T>& c, const std::vector<oracle::Exact>& truths, const Expansions<T>& results,
                              std::size_t i, const BoundOf& bound) {
  thread_local oracle::Dyadic value;
  if (!component_value(results, i, value)) return Judgement::pass();
  if (!are_finite(c)) return Judgement::fail(i);
  return judge_within(value, truths[i], bound(value_of(c.x), value_of(c.y)), i);
}

/// A triple word, or words with an infinite or NaN leading word.
template <class T>
TripleWord<T> draw_special(Draw& draw) {
  constexpr oracle::Format format = format_of<T>();
  const T zero = number_of<T>(draw.coin() ? format.sign_mask() : 0);
  const T infinity = number_of<T>(format.infinity() | (draw.coin() ? format.sign_mask() : 0));
  const T nan = number_of<T>(format.nan());
  switch (draw.below(5)) {
    case 0:
      return {infinity, zero, zero};
    case 1:
      return {infinity, nan, nan};
    case 2:
      return {nan, nan, draw.coin() ? nan : zero};
    case 3:
      return {zero, zero, zero};
    default:
      return dw::draw_word_sum<TripleWord<T>>(draw, Significand::any, dw::Tail::any,
                                              draw_exponent<T>(draw, Exponents::full_range, full_box<T>()),
                                              full_box<T>());
  }
}

template <class T>
TwTw<T> draw_operands(Draw& draw, int x, int y) {
  const auto one = [&](int exponent) {
    return dw::draw_word_sum<TripleWord<T>>(draw, Significand::any, dw::Tail::any, exponent, full_box<T>());
  };
  const TripleWord<T> first = one(x);
  return {first, one(y)};
}

/// Operands whose exponents have a sum from `low` to `high`.
template <class T>
CaseGenerator<TwTw<T>> products_around(int low, int high) {
  return drawn<TwTw<T>>([=](Draw& draw) {
    constexpr Box box = full_box<T>();
    const int target = draw.between(low, high);
    const int x = draw.between(std::max(box.low, target - box.high), std::min(box.high, target - box.low));
    return draw_operands<T>(draw, x, target - x);
  });
}

template <class T>
CaseGenerator<TwTw<T>> operands_at(Exponents of_both) {
  return drawn<TwTw<T>>([=](Draw& draw) {
    const int x = draw_exponent<T>(draw, of_both, full_box<T>());
    return draw_operands<T>(draw, x, draw_exponent<T>(draw, of_both, full_box<T>()));
  });
}

}  // namespace detail

/// Any two triple words, and words after an infinite or NaN leading word.
template <class T>
Domain<TwTw<T>> outside_operands() {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  return dw::with_special_operands<TwTw<T>, TripleWord<T>>(
      {
          {"product near underflow", 4, detail::products_around<T>(F::emin - p - 1, F::emin + 3 * p + 2)},
          {"both subnormal or small", 2, detail::operands_at<T>(Exponents::low_edge)},
          {"product near overflow", 2, detail::products_around<T>(F::emax - 2, F::emax + 1)},
          {"sum near overflow", 2, detail::operands_at<T>(Exponents::high_edge)},
          {"any", 1, detail::operands_at<T>(Exponents::full_range)},
      },
      3, detail::draw_special<T>,
      [](const TripleWord<T>& x) { return !dw::is_finite_word(x.x0) || dw::is_triple_word(x); },
      "any triple words, and any words behind an infinite or NaN leading word");
}

/// The promises of the operations for any operands.
template <class T>
std::vector<OutsideClaim<T>> outside_claims() {
  using oracle::Dyadic;
  using Truths = std::vector<oracle::Exact>;
  using Results = Expansions<T>;
  static constexpr int emax = FloatTraits<T>::emax;
  const auto below = [](const Dyadic& x, int exponent) { return compare_abs(x, Dyadic::scaled(1, exponent)) < 0; };
  return {
      claim_spec("sum", triple_outside_1,
                 [](const TwTw<T>& c, const Truths& truths, const Results& z) {
                   return detail::within_where_finite<T>(c, truths, z, 0,
                                                         [](const Dyadic& x, const Dyadic& y) -> Bound {
                                                           const RelativeBound bound = triple_add_1(dw::precision<T>);
                                                           return {bound.numerator * abs(x + y), bound.denominator};
                                                         });
                 }),
      claim_spec("products", triple_outside_2,
                 [](const TwTw<T>& c, const Truths& truths, const Results& z) {
                   Judgement worst;
                   for (std::size_t i = 1; i < outside_operations; ++i) {
                     worst.worsen(detail::within_where_finite<T>(c, truths, z, i, [](const Dyadic& x, const Dyadic& y) {
                       return triple_outside_2(format_of<T>(), abs(x * y));
                     }));
                   }
                   return worst;
                 }),
      satisfies("finite", triple_outside_3,
                [below](const TwTw<T>& c, const Results& z) {
                  if (!are_finite(c)) return Judgement::pass();
                  const Dyadic x = value_of(c.x.x0);
                  const Dyadic y = value_of(c.y.x0);
                  const bool finite[] = {below(x, emax - 2) && below(y, emax - 2), below(x * y, emax)};
                  Judgement worst;
                  for (std::size_t i = 0; i < 3 * outside_operations; ++i) {
                    worst.worsen(Judgement::of(dw::is_finite_word(z.words[i]) || !finite[i < 3 ? 0 : 1], i / 3));
                  }
                  return worst;
                }),
      satisfies("not_finite", triple_outside_4,
                [](const TwTw<T>& c, const Results& z) {
                  const Dyadic most = Dyadic::scaled(1, emax + 1) + Dyadic::scaled(1, emax + 1 - dw::precision<T>);
                  Judgement worst;
                  for (std::size_t i = 0; i < outside_operations; ++i) {
                    Dyadic value;
                    const bool holds = !are_finite(c)
                                           ? !dw::is_finite_word(z.words[3 * i])
                                           : !component_value(z, i, value) || compare_abs(exact_result(i, c), most) < 0;
                    worst.worsen(Judgement::of(holds, i));
                  }
                  return worst;
                }),
  };
}

/// The promises of the operations for any operands; `subject` gives their results.
template <class T>
OutsideProperty<T> outside_property(Subject<TwTw<T>, Expansions<T>> subject) {
  return {.name = "triple.outside" + format_suffix<T>(),
          .domain = outside_operands<T>(),
          .subject = std::move(subject),
          .reference =
              [](const TwTw<T>& c) {
                std::vector<oracle::Exact> truths(outside_operations, oracle::Dyadic());
                for (std::size_t i = 0; i < truths.size() && are_finite(c); ++i) truths[i] = exact_result(i, c);
                return truths;
              },
          .claims = outside_claims<T>(),
          .inexact = [](const auto&, const auto&, const Expansions<T>& z) { return bits_of(abs(z.words[4])) != 0; },
          .quick_cases = 4000};
}

}  // namespace assay::triple
