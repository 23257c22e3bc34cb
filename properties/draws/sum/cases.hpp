#pragma once
// Inputs of sums: vectors of any length with structures for which sums have large errors.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/draws/sum/exact_sums.hpp"
#include "properties/draws/sum/packed.hpp"
#include "properties/draws/sum/sum_traits.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::sum {

namespace detail {

/// Terms first … last − 1 of a case after those of another.
template <FloatingPoint T>
void append_terms(SumCase<T>& to, const SumCase<T>& from, std::size_t first, std::size_t last) {
  to.x.insert(to.x.end(), from.x.begin() + static_cast<std::ptrdiff_t>(first),
              from.x.begin() + static_cast<std::ptrdiff_t>(last));
}
template <FloatingPoint T>
void append_terms(DotCase<T>& to, const DotCase<T>& from, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    to.x.push_back(from.x[i]);
    to.y.push_back(from.y[i]);
  }
}

/// Lengths: mostly 1 … 10, often at the edges of warps, blocks and powers of two, rarely in the thousands.
inline std::size_t draw_length(Draw& draw) {
  static constexpr std::array<std::size_t, 14> edges{0, 1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  const std::uint64_t kind = draw.below(200);
  if (kind < 110) return 1 + draw.below(10);
  if (kind < 180) return edges[draw.below(edges.size())];
  if (kind < 199) return 130 + draw.below(200);
  return 1000 + draw.below(4000);
}

/// Lengths for structures that need many terms.
inline std::size_t draw_length_from(Draw& draw, std::size_t least) { return std::max(least, draw_length(draw)); }

template <class Item>
void shuffle(Draw& draw, std::vector<Item>& items) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[draw.below(i)]);
  }
}

/// The highest exponent at which n terms stay below 2^(emax − 3).
template <FloatingPoint T>
int highest_exponent(std::size_t n) {
  return FloatTraits<T>::emax - 5 - static_cast<int>(std::bit_width(n));
}

/// Pairs v, −v with exponents up to `above` over `exponent`.
template <FloatingPoint T>
void append_cancelling_pairs(Draw& draw, std::vector<T>& x, std::size_t pairs, int exponent, int above) {
  for (std::size_t i = 0; i < pairs; ++i) {
    const T v = draw_number<T>(draw, Significand::any, exponent + draw.between(0, above));
    x.push_back(v);
    x.push_back(negated(v));
  }
}

template <FloatingPoint T>
SumCase<T> draw_terms(Draw& draw, std::size_t n, Significand kind, int low, int high, bool same_sign) {
  SumCase<T> c;
  const bool negative = draw.coin();
  c.x.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_negative = same_sign ? negative : draw.coin();
    c.x.push_back(draw_number<T>(draw, kind, draw.between(low, high), is_negative));
  }
  return c;
}

/// log₂ of the largest condition numbers: 2⁴⁰⁰ > 10¹²⁰ in binary64, 2⁹⁰ in binary32.
template <FloatingPoint T>
constexpr int hardest_condition = FloatTraits<T>::precision > 24 ? 400 : 90;

/// GenSum: the first half has random exponents in 0 … b; each term of the second half cancels the exact partial sum
/// down to a random number, with exponents that fall from b to 0. Ogita, Rump, Oishi 2005, Algorithm 6.1, for sums.
template <FloatingPoint T>
SumCase<T> draw_conditioned_sum(Draw& draw) {
  const std::size_t n = draw_length_from(draw, 6);
  const int b = draw.between(1, hardest_condition<T>);
  const int base = -b / 2;
  SumCase<T> c;
  oracle::Dyadic partial;
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const bool first = i < half;
    const int exponent = i == 0  ? b
                         : first ? draw.between(0, b)
                                 : b - static_cast<int>(i - half) * b / static_cast<int>(n - half);
    const T fresh = draw_number<T>(draw, Significand::any, base + exponent);
    c.x.push_back(first ? fresh : nearest<T>(value_of(fresh) - partial));
    partial += value_of(c.x.back());
  }
  if (draw.coin()) shuffle(draw, c.x);
  return c;
}

/// A number M, half its last place (of either sign), and a tiny term or none, perhaps under canceling pairs: the sum is
/// a tie of the format or just next to one. 1, u, u² is one of them.
template <FloatingPoint T>
SumCase<T> draw_tied_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  SumCase<T> c;
  const int exponent = draw.between(-8, 8);
  c.x.push_back(draw_number<T>(draw, Significand::any, exponent));
  c.x.push_back(compose<T>({.exponent = exponent - p, .significand = 1, .negative = draw.coin()}));
  if (!draw.one_in(4)) {
    const int below = exponent - p - draw.between(1, 3 * p);
    c.x.push_back(draw_number<T>(draw, Significand::any, std::max(below, FloatTraits<T>::emin - p + 1)));
  }
  if (draw.coin()) {
    append_cancelling_pairs(draw, c.x, 1 + draw.below(20), exponent, p);
    shuffle(draw, c.x);
  }
  return c;
}

/// v and −v in another order, and a small z: s = z.
template <FloatingPoint T>
SumCase<T> draw_cancelling_sum(Draw& draw) {
  const std::size_t pairs = std::max<std::size_t>(1, draw_length(draw) / 2);
  const int spread = draw.between(0, 40);
  SumCase<T> c = draw_terms<T>(draw, pairs, Significand::any, -spread, spread, false);
  std::vector<T> minus;
  for (const T& each : c.x) {
    minus.push_back(negated(each));
  }
  shuffle(draw, minus);
  const int z = -spread - draw.between(1, FloatTraits<T>::precision);
  const auto at = static_cast<std::ptrdiff_t>(draw.below(pairs + 1));
  c.x.insert(c.x.end(), minus.begin(), minus.end());
  c.x.insert(c.x.begin() + at, draw_number<T>(draw, Significand::any, z));
  return c;
}

/// Random terms completed to 2^k, to one of its neighbors, or to a place next to them.
template <FloatingPoint T>
SumCase<T> draw_sum_at_power_of_two(Draw& draw) {
  const bool same_sign = draw.coin();
  SumCase<T> c = draw_terms<T>(draw, 1 + draw.below(12), Significand::any, -12, 12, same_sign);
  const T power = compose<T>({.exponent = draw.between(-12, 16), .significand = 1, .negative = draw.coin()});
  oracle::Dyadic rest = value_of(stepped(power, draw.between(-2, 2)));
  rest -= exact_sums(c).sum;
  append_exactly(c.x, std::move(rest));
  if (draw.coin()) shuffle(draw, c.x);
  return c;
}

/// 1, u, u, …, u scaled, each u perhaps some places off: the errors of recursive additions all have one sign; or u only
/// at the places 1 + 2^k, with the same effect for the tree; or at every 64th place, with the same effect for a block.
template <FloatingPoint T>
SumCase<T> draw_worst_order_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const std::size_t n = draw_length_from(draw, 2);
  const int exponent = draw.between(-8, 8);
  const bool negative = draw.coin();
  const int off = draw.coin() ? 0 : draw.between(-3, 3);
  const std::uint64_t kind = draw.below(4);
  SumCase<T> c;
  c.x.push_back(compose<T>(negative, 1, exponent));
  for (std::size_t i = 1; i < n; ++i) {
    const bool present = kind < 2 || (kind == 2 ? std::has_single_bit(i) : i % 64 == 0);
    c.x.push_back(present ? stepped(compose<T>(negative, 1, exponent - p), off) : T{});
  }
  if (kind == 1) shuffle(draw, c.x);
  return c;
}

/// 2^exponent times 1, 2^k − 1 numbers just below u, −1: the terms of sum.sum2.3. Each of the small numbers is the
/// error of an addition to 1, and each addition of these errors is a tie that loses half an ulp, always with the same
/// sign. About 2^k·u remains, so compensation loses n²u²/6 of S = 2 where u|s| is far below. With the small numbers at
/// every `step`-th place, the others are 0: step 64 gives them to one thread of a block. Requires: 2 ≤ k ≤ p − 2.
template <FloatingPoint T>
SumCase<T> one_way_errors(int k, int exponent, bool negative, std::size_t step) {
  constexpr int p = FloatTraits<T>::precision;
  SumCase<T> c;
  c.x.push_back(compose<T>(negative, 1, exponent));
  std::uint64_t lacking = 0;  // j·u minus the rounded sum of j errors, in units of u²
  for (std::uint64_t j = 1; j < std::uint64_t{1} << k; ++j) {
    const std::uint64_t half_ulp = j == 1 ? 0 : std::bit_floor(j - 1);
    const std::uint64_t below = j == 1 ? 4 : lacking % (4 * half_ulp) == 0 ? 3 * half_ulp : half_ulp;
    lacking += below + half_ulp;
    c.x.resize(step * j);
    c.x.push_back(compose<T>(negative, (std::uint64_t{1} << p) - below, exponent - 2 * p));
  }
  c.x.push_back(negated(c.x.front()));
  return c;
}

/// 2^exponent times 1, 2^k times u, the small terms of one_way_errors() times 2^k·u, −1 − 2^k·u: the terms of
/// sum.sum_k.3. Requires: 2 ≤ k ≤ p − 2.
template <FloatingPoint T>
SumCase<T> one_way_errors_of_errors(int k, int exponent, bool negative) {
  constexpr int p = FloatTraits<T>::precision;
  const SumCase<T> small = one_way_errors<T>(k, exponent + k - p, negative, 1);
  SumCase<T> c;
  c.x.push_back(compose<T>(negative, 1, exponent));
  c.x.resize(1 + (std::size_t{1} << k), compose<T>(negative, 1, exponent - p));
  c.x.insert(c.x.end(), small.x.begin() + 1, small.x.end() - 1);
  c.x.push_back(compose<T>(!negative, (std::uint64_t{1} << (p - k)) + 1, exponent + k - p));
  return c;
}

template <FloatingPoint T>
SumCase<T> draw_one_way_errors(Draw& draw) {
  const int exponent = draw.between(-8, 8);
  const bool negative = draw.coin();
  if (FloatTraits<T>::precision >= 24 && draw.one_in(4)) {
    return one_way_errors_of_errors<T>(draw.between(2, 7), exponent, negative);
  }
  const bool apart = draw.one_in(4);
  const int k = std::min(FloatTraits<T>::precision - 2, apart ? draw.between(5, 7) : draw.between(2, 8));
  return one_way_errors<T>(k, exponent, negative, apart ? 64 : 1);
}

/// a, B, c, −B with B far above: Kahan's sum loses terms; between other terms.
template <FloatingPoint T>
SumCase<T> draw_swallowed_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const T big = draw_number<T>(draw, Significand::any, draw.between(p + 1, 2 * p + 20));
  const bool before = draw.coin();
  SumCase<T> c = draw_terms<T>(draw, 1 + draw.below(3), Significand::any, -4, 4, before);
  c.x.push_back(big);
  const bool after = draw.coin();
  const SumCase<T> between = draw_terms<T>(draw, 1 + draw.below(3), Significand::any, -4, 4, after);
  c.x.insert(c.x.end(), between.x.begin(), between.x.end());
  c.x.push_back(negated(big));
  return c;
}

/// Integers times one power of two, with so few bits that every sum is exact.
template <FloatingPoint T>
SumCase<T> draw_exact_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const std::size_t n = std::min(draw_length(draw), std::size_t{1} << (p - 2));
  const int bits = p - static_cast<int>(std::bit_width(n));
  const int scale = draw.between(FloatTraits<T>::emin - p + 1, FloatTraits<T>::emax - 2 * p);
  SumCase<T> c;
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(compose<T>({.exponent = scale, .significand = draw.word() >> (64 - bits), .negative = draw.coin()}));
  }
  return c;
}

/// Draws n terms, or n pairs of factors, with exponents in low … high.
template <class Case>
using DrawRange = Case (*)(Draw&, std::size_t n, Significand kind, int low, int high, bool same_sign);

/// Generators of the cases that `range` draws.
template <FloatingPoint T, class Case>
struct RangeGenerators {
  DrawRange<Case> range;

  /// Exponents around 0.
  CaseGenerator<Case> spread(Significand kind, int most, bool same_sign) const {
    return drawn<Case>(
        [=, make = range](Draw& draw) { return make(draw, draw_length(draw), kind, -most, most, same_sign); });
  }
  /// Exponents from `low` on, up to `off` below the highest.
  CaseGenerator<Case> full(int low, int off) const {
    return drawn<Case>([=, make = range](Draw& draw) {
      const std::size_t n = draw_length(draw);
      return make(draw, n, Significand::any, low, highest_exponent<T>(n) - off, false);
    });
  }
  /// Exponents at most 3 below the exponent that is `off` below the highest.
  CaseGenerator<Case> near_overflow(int off) const {
    return drawn<Case>([=, make = range](Draw& draw) {
      const std::size_t n = draw_length(draw);
      const int high = highest_exponent<T>(n) - off;
      return make(draw, n, Significand::any, high - 3, high, draw.coin());
    });
  }
};

}  // namespace detail

/// The classes of sums.
template <FloatingPoint T>
std::vector<InputClass<SumCase<T>>> sum_classes() {
  using F = FloatTraits<T>;
  constexpr int subnormal = F::emin - F::precision + 1;
  const auto from = [](auto make) { return drawn<SumCase<T>>(make); };
  constexpr detail::RangeGenerators<T, SumCase<T>> terms{detail::draw_terms<T>};
  return {
      {"dense, mixed signs", 3, terms.spread(Significand::dense, 8, false)},
      {"dense, one sign", 2, terms.spread(Significand::dense, 8, true)},
      {"any significand, exponents within ±p", 3, terms.spread(Significand::any, F::precision, false)},
      {"all ones, one sign", 1, terms.spread(Significand::all_ones, 2, true)},
      {"condition up to the hardest", 4, from(detail::draw_conditioned_sum<T>)},
      {"tie, tie ± tiny", 3, from(detail::draw_tied_sum<T>)},
      {"cancellation to a small term", 2, from(detail::draw_cancelling_sum<T>)},
      {"at a power of two and its neighbours", 2, from(detail::draw_sum_at_power_of_two<T>)},
      {"1, u, u, … in worst order", 3, from(detail::draw_worst_order_sum<T>), true},
      {"1, errors that all err one way, −1", 2, from(detail::draw_one_way_errors<T>)},
      {"swallowed by a large pair", 2, from(detail::draw_swallowed_sum<T>)},
      {"exact in every order", 1, from(detail::draw_exact_sum<T>)},
      {"full range", 2, terms.full(subnormal, 0)},
      {"gradual underflow", 2, from([](Draw& draw) {
         const int high = F::emin + draw.between(0, F::precision);
         return detail::draw_terms<T>(draw, detail::draw_length(draw), Significand::any, subnormal, high, false);
       })},
      {"near overflow", 1, terms.near_overflow(0)},
  };
}

/// log₂ of the condition number S/|s|, rounded down to an integer or one below; its largest value if s = 0, and 0 if S
/// = 0.
template <class Case>
double log2_condition(const Case& c, double largest) {
  const ExactSums sums = exact_sums(c);
  if (sums.magnitudes.is_zero()) return 0;
  if (sums.sum.is_zero()) return largest;
  return std::min(largest, static_cast<double>(sums.magnitudes.exponent() - sums.sum.exponent()));
}

namespace detail {

template <class Case, FloatingPoint T>
std::vector<Feature<Case>> summation_features() {
  constexpr double hardest = hardest_condition<T> + 56;
  return {{"log2 of the condition number", 0, hardest, static_cast<int>(hardest) / 8,
           [](const Case& c) { return log2_condition(c, hardest); }},
          {"log2 of n + 1, rounded up", 0, 14, 14,
           [](const Case& c) { return static_cast<double>(std::bit_width(c.x.size())); }}};
}

}  // namespace detail

/// Finite numbers with S ≤ 2^(emax − 2) in the format Wide that adds them: no order of additions overflows.
template <FloatingPoint T, FloatingPoint Wide = T>
Domain<SumCase<T>> sum_domain() {
  return {.classes = sum_classes<T>(),
          .contains =
              [](const SumCase<T>& c) {
                return most_of(longest_sum) >= std::ssize(c.x) && all_finite(c.x) &&
                       exact_sums(c).magnitudes <= oracle::Dyadic::scaled(1, FloatTraits<Wide>::emax - 2);
              },
          .features = detail::summation_features<SumCase<T>, T>(),
          .accepts = "up to 8192 finite numbers, the sum of their magnitudes at most 2^" +
                     std::to_string(FloatTraits<Wide>::emax - 2),
          .traits = sum_traits<T>()};
}

/// The claim that s is rounded to nearest, refuted on few terms: the smallest counterexample has no more than four.
template <FloatingPoint T>
auto not_nearest(std::string id, const AnyTheorem auto& theorem, std::string ceiling) {
  return expected_refuted(when(
                              "n ≤ 4", [](const SumCase<T>& c) { return c.x.size() <= 4; },
                              rounded(std::move(id), theorem, oracle::Rounding::nearest)),
                          std::move(ceiling));
}

}  // namespace assay::sum
