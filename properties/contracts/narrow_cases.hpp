#pragma once
// Inputs of sums and dot products that a kernel from outside gets: those of the catalog, and for numbers of 16 bits
// also sums that binary32 holds and they do not.

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "properties/contracts/stored.hpp"
#include "properties/draws/sum/limit_cases.hpp"

namespace assay::contracts {

/// Running sums that pass the largest number. Half of them come back.
template <FloatingPoint T>
sum::SumCase<T> draw_sum_around_the_largest(Draw& draw) {
  const std::size_t n = sum::detail::draw_length_from(draw, 2);
  const int top = std::max(FloatTraits<T>::emax - static_cast<int>(std::bit_width(n)) + draw.between(0, 3), 0);
  const int high = std::min(top, FloatTraits<T>::emax);
  sum::SumCase<T> c = sum::detail::draw_terms<T>(draw, n, Significand::any, high - 2, high, true);
  if (draw.coin()) return c;
  for (std::size_t i = 0; i < n / 2; ++i) c.x.push_back(stepped(negated(c.x[i]), draw.between(-1, 1)));
  return c;
}

/// 2^e, terms of one sign that binary32 loses beside it, and −2^e.
template <FloatingPoint T>
sum::SumCase<T> draw_sum_lost_in_binary32(Draw& draw) {
  constexpr int p = FloatTraits<float>::precision;
  const int exponent = draw.between(std::max(-8, sum::detail::lowest_place<T> + p), 8);
  const bool negative = draw.coin();
  sum::SumCase<T> c{{compose<T>(negative, 1, exponent)}};
  c.x.resize(sum::detail::draw_length_from(draw, 24), compose<T>(negative, 1, exponent - p));
  c.x.push_back(negated(c.x.front()));
  return c;
}

/// 2^e, half an ulp of it, and terms of the same sign that binary32 loses beside it one by one, and not together: the
/// order of the additions decides to which side the sum is rounded.
template <FloatingPoint T>
sum::SumCase<T> draw_sum_of_a_tie_and_lost_terms(Draw& draw) {
  constexpr int p = FloatTraits<float>::precision;
  const int exponent = draw.between(std::max(-8, sum::detail::lowest_place<T> + p), 8);
  const bool negative = draw.coin();
  sum::SumCase<T> c{{compose<T>(negative, 1, exponent), compose<T>(negative, 1, exponent - FloatTraits<T>::precision)}};
  c.x.resize(sum::detail::draw_length_from(draw, 24), compose<T>(negative, 1, exponent - p));
  return c;
}

/// Classes of sums of 16-bit numbers.
template <FloatingPoint T>
std::vector<InputClass<sum::SumCase<T>>> narrow_sum_classes() {
  using F = FloatTraits<T>;
  using Case = sum::SumCase<T>;
  const auto terms = [](Significand kind, int low, int high, bool one_sign) {
    return drawn<Case>([=](Draw& draw) {
      return sum::detail::draw_terms<T>(draw, sum::detail::draw_length(draw), kind, low, high, one_sign);
    });
  };
  std::vector<InputClass<Case>> classes{
      {"16 bits: dense, both signs", 3, terms(Significand::dense, -4, 4, false)},
      {"16 bits: exponents from −p to 4", 3, terms(Significand::any, -F::precision, 4, false)},
      {"16 bits: tie, tie ± tiny", 3, drawn<Case>(sum::detail::draw_tied_sum<T>)},
      {"16 bits: swallowed by a large pair", 2, drawn<Case>(sum::detail::draw_swallowed_sum<T>)},
      {"16 bits: lost beside 2^e in binary32", 3, drawn<Case>(draw_sum_lost_in_binary32<T>)},
      {"16 bits: a tie, and terms that binary32 loses", 2, drawn<Case>(draw_sum_of_a_tie_and_lost_terms<T>)},
      {"16 bits: subnormal results", 2, terms(Significand::any, F::emin - F::precision + 1, F::emin, false)},
      {"16 bits: long and of one sign", 2, drawn<Case>([](Draw& draw) {
         return sum::detail::draw_terms<T>(draw, 1000 + draw.below(4000), Significand::any, -10, -4, true);
       })}};
  if (F::emax < 100) {
    classes.push_back({"16 bits: around the largest number", 3, drawn<Case>(draw_sum_around_the_largest<T>)});
  }
  return classes;
}

/// Finite numbers; no order of additions in Wide<T> overflows.
template <FloatingPoint T>
Domain<sum::SumCase<T>> sum_domain() {
  Domain<sum::SumCase<T>> domain = sum::sum_domain<T, Wide<T>>();
  if constexpr (is_narrow<T>) {
    Domain<sum::SumCase<T>> short_domain = sum::short_sum_domain<T>();
    domain.traits = std::move(short_domain.traits);
    domain.classes = joined(std::move(short_domain.classes), narrow_sum_classes<T>());
  }
  return domain;
}

/// Finite factors; no order of additions in Wide<T> overflows.
template <FloatingPoint T>
Domain<sum::DotCase<T>> dot_domain() {
  Domain<sum::DotCase<T>> domain = sum::dot_domain<T, Wide<T>>();
  if constexpr (is_narrow<T>) {
    using F = FloatTraits<T>;
    using Case = sum::DotCase<T>;
    Domain<Case> short_domain = sum::short_dot_domain<T>();
    domain.traits = std::move(short_domain.traits);
    domain.classes = std::move(short_domain.classes);
    const auto factors = [](Significand kind, int low, int high) {
      return drawn<Case>([=](Draw& draw) {
        return sum::detail::draw_factors<T>(draw, sum::detail::draw_length(draw), kind, low, high, false);
      });
    };
    domain.classes.push_back({"16 bits: dense factors", 3, factors(Significand::dense, -4, 4)});
    domain.classes.push_back({"16 bits: products from 2^−2p on", 3, factors(Significand::any, -2 * F::precision, 4)});
    domain.classes.push_back({"16 bits: cancellation", 3, drawn<Case>(sum::detail::draw_cancelling_dot<T>)});
    domain.classes.push_back(
        {"16 bits: subnormal results", 2, factors(Significand::any, F::emin - F::precision - 1, F::emin)});
    for (const InputClass<sum::SumCase<T>>& each : narrow_sum_classes<T>()) {
      domain.classes.push_back({"sum: " + each.name, each.weight, drawn<Case>([of = each.generator](Draw& draw) {
                                  return sum::detail::with_powers_of_two<T>(draw, of(rc::Random(draw.word())));
                                })});
    }
  }
  return domain;
}

}  // namespace assay::contracts
