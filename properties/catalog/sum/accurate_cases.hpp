#pragma once
// Inputs of sums and dot products that are computed to the last bit: exact sums at and next to rounding boundaries,
// hidden by cancellation, at the limits of length and range; each with a second order of its terms.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/limit_cases.hpp"
#include "properties/draws/sum/special_cases.hpp"

namespace assay::sum {

/// A sum or dot product whose terms are added in two orders: as given, and as `order` permutes them.
template <class Case>
struct Ordered : Case {
  std::int64_t order = 0;  ///< 0: backwards; another one: shuffled
  static constexpr auto fields() { return std::tuple_cat(Case::fields(), std::tuple{field("order", &Ordered::order)}); }
};

namespace detail {

/// The places 0 … n − 1 in another order: backwards for 0, else as the keys (i + 1)²·(2·order + 1)·c mod 2⁶⁴ ascend,
/// c = 0x9E3779B97F4A7C15. The rule is part of the meaning of stored cases.
inline std::vector<std::size_t> places_in_order(std::size_t n, std::int64_t order) {
  std::vector<std::size_t> places(n);
  std::iota(places.rbegin(), places.rend(), std::size_t{0});
  if (order == 0) return places;
  const std::uint64_t factor = (2 * static_cast<std::uint64_t>(order) + 1) * 0x9E3779B97F4A7C15u;
  const auto key = [factor](std::size_t i) { return (i + 1) * (i + 1) * factor; };
  std::sort(places.begin(), places.end(),
            [key](std::size_t i, std::size_t j) { return std::pair(key(i), i) < std::pair(key(j), j); });
  return places;
}

}  // namespace detail

/// The terms in the case's other order.
template <class Case>
Case reordered(const Ordered<Case>& c) {
  Case other;
  for (const std::size_t i : detail::places_in_order(c.x.size(), c.order)) {
    detail::append_terms(other, c, i, i + 1);
  }
  return other;
}

/// The vectors of ordered cases one after the other, each twice: in the given order and in its other order.
template <class Case>
auto packed_twice(std::span<const Ordered<Case>> cases) {
  std::vector<Case> twice;
  for (const Ordered<Case>& each : cases) {
    twice.push_back(each);
    twice.push_back(reordered(each));
  }
  return packed(std::span<const Case>(twice));
}

/// Whether there are terms and each is −0: the only sum of value 0 that is −0.
template <FloatingPoint T>
bool sums_to_negative_zero(const SumCase<T>& c) {
  return !c.x.empty() &&
         std::all_of(c.x.begin(), c.x.end(), [](const T& each) { return bits_of(each) == format_of<T>().sign_mask(); });
}
template <FloatingPoint T>
bool sums_to_negative_zero(const DotCase<T>& c) {
  const auto is_negative_zero = [](const T& x, const T& y) {
    return (x == T{} || y == T{}) && parts_of(x).negative != parts_of(y).negative;
  };
  return !c.x.empty() && std::equal(c.x.begin(), c.x.end(), c.y.begin(), c.y.end(), is_negative_zero);
}

/// The longest vectors of most domains: 2^2M ≤ 2^p in binary32. The limit of binary64 is 2²⁶ − 2.
inline constexpr std::size_t longest_accurate_sum = 4094;

/// The longest vectors for kernels in which many threads read one vector, several terms each at a time: several times
/// the number that they read at once.
inline constexpr std::size_t longest_exact_sum = 20000;

/// The condition under which an algorithm does not overflow; M = ⌈log₂(n + 2)⌉.
enum class SumRoom {
  transform,  ///< max|xⱼ| ≤ 2^(emax − M)
  scaled,     ///< max|xⱼ| < 2^(emax − M − 2), or all terms are multiples of 2^(M + 2)·η
  any         ///< no condition: partial sums and the sum itself may exceed every number
};

namespace detail {

template <FloatingPoint T>
bool has_room(const SumCase<T>& c, SumRoom room) {
  if (room == SumRoom::any) return true;
  const int headroom = sum_headroom(c.x.size());
  oracle::Dyadic largest;
  long lowest = FloatTraits<T>::emax;
  for (const T& each : c.x) {
    const oracle::Dyadic value = value_of(abs(each));
    largest = std::max(largest, value);
    if (!value.is_zero()) lowest = std::min(lowest, value.lowest_exponent());
  }
  if (room == SumRoom::transform) return largest <= oracle::Dyadic::scaled(1, FloatTraits<T>::emax - headroom);
  return largest < oracle::Dyadic::scaled(1, FloatTraits<T>::emax - headroom - 2) ||
         lowest >= lowest_place<T> + headroom + 2;
}

/// The highest exponent of n terms for which there is room, whatever their other bits are.
template <FloatingPoint T>
int highest_exponent(std::size_t n, SumRoom room) {
  constexpr int emax = FloatTraits<T>::emax;
  return room == SumRoom::any      ? emax
         : room == SumRoom::scaled ? emax - 3 - sum_headroom(n)
                                   : emax - 1 - sum_headroom(n);
}

/// Terms whose sum is exactly `target`: the fewest possible, or these among pairs that cancel, or random terms around
/// 2^exponent and the terms that complete them. Requires: target is a multiple of η below overflow, as is 2^(exponent +
/// 2p) (not checked).
template <FloatingPoint T>
SumCase<T> draw_sum_of(Draw& draw, oracle::Dyadic target, int exponent) {
  constexpr int p = FloatTraits<T>::precision;
  SumCase<T> c;
  const std::uint64_t kind = draw.below(4);
  if (kind == 3) {
    const int spread = draw.between(0, p);
    const bool same_sign = draw.coin();
    const int high = exponent + draw.between(0, p);
    c = draw_terms<T>(draw, 1 + draw.below(12), Significand::any, std::max(exponent - spread, lowest_place<T>), high,
                      same_sign);
    target -= exact_sums(c).sum;
  }
  append_exactly(c.x, std::move(target));
  if (kind > 0 && kind < 3) append_cancelling_pairs(draw, c.x, 1 + draw.below(8), exponent, 2 * p);
  if (kind > 0) shuffle(draw, c.x);
  return c;
}

/// Nothing, or ±2^e, or a number of any bits, with e below `place` by one place, a few, many, or down to `lowest`.
template <FloatingPoint T>
oracle::Dyadic draw_tiny(Draw& draw, int place, int lowest = lowest_place<T>) {
  constexpr int p = FloatTraits<T>::precision;
  if (place <= lowest || draw.one_in(3)) return {};
  const int down[] = {1, draw.between(1, p), draw.between(1, 4 * p), place - lowest};
  const int exponent = std::max(place - down[draw.below(std::size(down))], lowest);
  return value_of(draw_number<T>(draw, draw.coin() ? Significand::power_of_two : Significand::any, exponent));
}

/// The exponent of a sum: small, or so low that ties end at the lowest place.
template <FloatingPoint T>
int draw_sum_exponent(Draw& draw) {
  return draw.one_in(4) ? FloatTraits<T>::emin + draw.between(0, 2 * FloatTraits<T>::precision) : draw.between(-8, 8);
}

/// Halfway between two neighbors of even or odd significand, or a tiny amount away from it.
template <FloatingPoint T>
SumCase<T> draw_hidden_tie(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const int exponent = std::max(draw_sum_exponent<T>(draw), FloatTraits<T>::emin + 1);
  const auto significand = static_cast<std::int64_t>(assay::detail::draw_significand<p>(draw, Significand::any));
  oracle::Dyadic target = oracle::Dyadic::scaled(2 * significand + 1, exponent - p);
  if (draw.coin()) target.negate();
  target += draw_tiny<T>(draw, exponent - p);
  return draw_sum_of<T>(draw, std::move(target), exponent);
}

/// 2^k and values some quarters of a place below it, or halves above it, or a tiny amount away from those.
template <FloatingPoint T>
SumCase<T> draw_beside_power_of_two(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  const int k = std::max(draw_sum_exponent<T>(draw), FloatTraits<T>::emin + 3);
  oracle::Dyadic target = oracle::Dyadic::scaled(1, k);
  if (draw.one_in(4)) {
    target += oracle::Dyadic::scaled(draw.between(0, 3), k - p);
  } else {
    target -= oracle::Dyadic::scaled(draw.between(1, 5), k - p - 2);
  }
  target += draw_tiny<T>(draw, k - p - 2);
  if (draw.coin()) target.negate();
  return draw_sum_of<T>(draw, std::move(target), k);
}

/// n = 2^M − 2 or one of its neighbors up to 2^M; all terms have one sign and are as large as their binade allows,
/// except for some low bits: the sum is nearly 2^M times the largest.
template <FloatingPoint T>
SumCase<T> draw_extremal_sum(Draw& draw, SumRoom room, std::size_t longest) {
  constexpr int p = FloatTraits<T>::precision;
  const int headroom = draw.one_in(10) ? draw.between(9, sum_headroom(longest)) : draw.between(2, 8);
  const std::size_t n = std::min(longest, (std::size_t{1} << headroom) - (draw.one_in(3) ? draw.below(4) : 2));
  const int exponent = draw.one_in(4) ? std::min(highest_exponent<T>(n, room), FloatTraits<T>::emax - headroom - 1)
                                      : draw.between(-8, 8);
  const int low_bits = draw.between(0, p - 1);
  const bool negative = draw.coin();
  SumCase<T> c;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t below = low_bits == 0 ? 0 : draw.word() >> (64 - low_bits);
    c.x.push_back(compose<T>(negative, (std::uint64_t{1} << p) - 1 - below, exponent - p + 1));
  }
  return c;
}

/// A sum that is subnormal, zero or just above, of terms that may be much larger.
template <FloatingPoint T>
SumCase<T> draw_subnormal_sum(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  if (draw.one_in(4)) {
    return draw_terms<T>(draw, draw_length(draw), Significand::any, lowest_place<T>, FloatTraits<T>::emin + 2, false);
  }
  const auto steps = static_cast<std::int64_t>(draw.one_in(3) ? 0 : draw.word() >> (63 - draw.between(0, p)));
  oracle::Dyadic target = oracle::Dyadic::scaled(steps, lowest_place<T>);
  if (draw.coin()) target.negate();
  return draw_sum_of<T>(draw, std::move(target), FloatTraits<T>::emin + draw.between(0, p));
}

/// The largest exponents for which there is room; if terms or their multiples of one unit may be arbitrarily large,
/// partial sums exceed all numbers, although the sum may be a number, or lies at the midpoint beyond which it
/// overflows.
template <FloatingPoint T>
SumCase<T> draw_high_sum(Draw& draw, SumRoom room) {
  using F = FloatTraits<T>;
  const std::size_t n = draw_length(draw);
  const bool bounded = room == SumRoom::transform;
  const int high = bounded ? highest_exponent<T>(n, room) : F::emax;
  SumCase<T> c = draw_terms<T>(draw, n, Significand::any, high - 3, high, draw.one_in(3));
  if (bounded || draw.one_in(4)) return c;
  if (draw.coin()) {
    for (std::size_t i = 0; i < n; ++i) c.x.push_back(negated(c.x[i]));
    c.x.push_back(draw_number<T>(draw, Significand::any, draw.between(high - F::precision, high)));
  } else {
    const T largest = number_of<T>(format_of<T>().largest_finite());
    const bool negative = draw.coin();
    c.x = {negative ? negated(largest) : largest, compose<T>(negative, 1, F::emax - F::precision)};
    const int lowest = lowest_place<T> + (room == SumRoom::scaled ? 2 * F::precision : 0);
    append_exactly(c.x, draw_tiny<T>(draw, F::emax - F::precision, lowest));
    for (std::uint64_t pairs = draw.below(6); pairs > 0; --pairs) {
      c.x.push_back(largest);
      c.x.push_back(negated(largest));
    }
  }
  shuffle(draw, c.x);
  return c;
}

/// All −0, zeros of both signs, or only terms that cancel.
template <FloatingPoint T>
SumCase<T> draw_zeros(Draw& draw) {
  const T zero{};
  SumCase<T> c;
  const std::uint64_t kind = draw.below(3);
  for (std::size_t i = draw_length(draw); i > 0; --i) {
    c.x.push_back(kind == 0 || draw.coin() ? negated(zero) : zero);
  }
  if (kind == 2) {
    const int exponent = draw_sum_exponent<T>(draw);
    append_cancelling_pairs(draw, c.x, 1 + draw.below(8), exponent, FloatTraits<T>::precision);
    shuffle(draw, c.x);
  }
  return c;
}

/// The largest allowed number of terms, or a few fewer.
template <FloatingPoint T>
SumCase<T> draw_longest_sum(Draw& draw, std::size_t longest) {
  const std::size_t n = longest - draw.below(4);
  const bool same_sign = draw.coin();
  const int low = -draw.between(0, 20);
  return draw_terms<T>(draw, n, draw.coin() ? Significand::dense : Significand::any, low, 0, same_sign);
}

/// Runs of many terms, make(run, e) with exponents near e, which wanders over the range; then perhaps all of them with
/// the other sign, so that only `last` remains.
template <FloatingPoint T, class Case, class Make>
Case draw_wandering(Draw& draw, std::size_t longest, int low, int high, const Case& last, Make&& make) {
  const std::size_t n = draw.below(longest / 2 - last.x.size());
  int exponent = draw.between(low / 2, high / 2);
  Case c;
  while (c.x.size() < n) {
    const std::size_t run = std::min<std::size_t>(n - c.x.size(), 1 + draw.below(1500));
    const Case terms = make(run, exponent);
    append_terms(c, terms, 0, run);
    exponent = std::clamp(exponent + draw.between(-400, 400), low, high);
  }
  if (draw.coin()) {
    Case minus = c;
    for (auto& each : minus.x) each = negated(each);
    append_terms(c, minus, 0, n);
  }
  append_terms(c, last, 0, last.x.size());
  return c;
}

template <FloatingPoint T>
SumCase<T> draw_wandering_sum(Draw& draw, std::size_t longest) {
  return draw_wandering<T>(draw, longest, lowest_place<T> + 20, FloatTraits<T>::emax, draw_hidden_tie<T>(draw),
                           [&](std::size_t run, int exponent) {
                             const bool same_sign = draw.one_in(3);
                             return draw_terms<T>(draw, run, Significand::any, exponent - draw.between(0, 20), exponent,
                                                  same_sign);
                           });
}

/// The generator of the first terms of make(draw), as many as a domain allows.
template <class Case, class Make>
CaseGenerator<Case> drawn_terms(std::size_t longest, Make make) {
  return drawn<Case>([longest, make = std::move(make)](Draw& draw) {
    Case c = make(draw);
    if (c.x.size() <= longest) return c;
    Case first;
    append_terms(first, c, 0, longest);
    return first;
  });
}

}  // namespace detail

/// The classes of sums to the last bit: up to `longest` terms, with room.
template <FloatingPoint T>
std::vector<InputClass<SumCase<T>>> accurate_sum_classes(SumRoom room, std::size_t longest) {
  using F = FloatTraits<T>;
  const auto from = [=](auto make) { return detail::drawn_terms<SumCase<T>>(longest, make); };
  const bool is_long = longest >= longest_exact_sum;
  const auto terms = [&](Significand kind, int spread) {
    return from([=](Draw& draw) {
      const bool same_sign = draw.one_in(3);
      return detail::draw_terms<T>(draw, detail::draw_length(draw), kind, -spread, spread, same_sign);
    });
  };
  std::vector<InputClass<SumCase<T>>> classes{
      {"dense", 2, terms(Significand::dense, 8)},
      {"any significand, exponents within ±p", 2, terms(Significand::any, F::precision)},
      {"condition up to the hardest", 4, from(detail::draw_conditioned_sum<T>)},
      {"cancellation to a small term", 2, from(detail::draw_cancelling_sum<T>)},
      {"tie of either parity, tie ± tiny, hidden by cancellation", 6, from(detail::draw_hidden_tie<T>)},
      {"just below and above a power of two", 4, from(detail::draw_beside_power_of_two<T>)},
      {"n = 2^M − 2 maximal terms of one sign", 4,
       from([=](Draw& draw) { return detail::draw_extremal_sum<T>(draw, room, longest); })},
      {"a small term left at the threshold of stopping", 3, from([=](Draw& draw) {
         return draw.coin() ? detail::draw_short_stopping_sum<T>(draw) : detail::draw_stopping_sum<T>(draw, longest);
       })},
      {"residues of one sign, as large as they may be", 2,
       from([=](Draw& draw) { return detail::draw_largest_residues<T>(draw, longest); })},
      {"1, u, u, … in worst order", 1, from(detail::draw_worst_order_sum<T>), true},
      {"sums in the subnormal range", 3, from(detail::draw_subnormal_sum<T>)},
      {"zeros of both signs", 2, from(detail::draw_zeros<T>)},
      {"full range", 2, from([=](Draw& draw) {
         const std::size_t n = detail::draw_length(draw);
         return detail::draw_terms<T>(draw, n, Significand::any, detail::lowest_place<T>,
                                      detail::highest_exponent<T>(n, room), false);
       })},
      {room == SumRoom::transform ? "near overflow" : "partial sums beyond the largest number", 2,
       from([=](Draw& draw) { return detail::draw_high_sum<T>(draw, room); })},
      {is_long ? "many terms, exponents that wander" : "the most terms", 1, from([=](Draw& draw) {
         return is_long ? detail::draw_wandering_sum<T>(draw, longest) : detail::draw_longest_sum<T>(draw, longest);
       })},
  };
  if (longest >= detail::first_sign_trap<T> && !is_long) {
    classes.push_back({"n = 2^M residues that cancel what is left at the threshold of signs", 1,
                       from([=](Draw& draw) { return detail::draw_sign_trap<T>(draw, longest); })});
  }
  return classes;
}

/// Up to `longest` finite numbers, with room.
template <FloatingPoint T>
Domain<SumCase<T>> accurate_sum_domain(SumRoom room, std::size_t longest = longest_accurate_sum) {
  static const char* const in_words[] = {", the largest at most 2^(emax − M), M = ⌈log₂(n + 2)⌉",
                                         (", the largest below 2^(emax − M − 2), M = ⌈log₂(n + 2)⌉, or all of them "
                                          "multiples of 2^(M + 2) smallest numbers"),
                                         ""};
  return {
      .classes = accurate_sum_classes<T>(room, longest),
      .contains =
          [=](const SumCase<T>& c) { return c.x.size() <= longest && all_finite(c.x) && detail::has_room(c, room); },
      .features = detail::summation_features<SumCase<T>, T>(),
      .accepts = "up to " + std::to_string(longest) + " finite numbers" + in_words[static_cast<std::size_t>(room)],
      .traits = longest > detail::longest_of_a_row ? sum_traits<T>() : nullptr};
}

/// Vectors for which accurate sums return a NaN: at least one term is not finite, or no scaling brings them within the
/// range.
template <FloatingPoint T>
Domain<SumCase<T>> refused_sum_domain() {
  Domain<SumCase<T>> domain = special_sum_domain<T>();
  domain.classes.push_back({"numbers of both ends of the range", 4, drawn<SumCase<T>>(detail::draw_both_ends<T>)});
  domain.contains = [contains = domain.contains](const SumCase<T>& c) {
    if (contains(c)) return true;
    return c.x.size() <= longest_special_sum && all_finite(c.x) && !detail::has_room(c, SumRoom::scaled);
  };
  domain.accepts = "up to 2000 numbers, one at least not finite or so large and one so small that no scaling fits";
  return domain;
}

/// The traits, with the trait of the other order.
template <class Case>
Traits<Ordered<Case>> with_orders(const Traits<Case>& traits) {
  Traits<Ordered<Case>> ordered;
  for (const Trait<Case>& each : traits.all) ordered.all.push_back({{each.name, each.values}, each.of});
  ordered.all.push_back({{"other order", {"backwards", "shuffled"}},
                         [](const Ordered<Case>& c) { return std::size_t{c.order == 0 ? 0u : 1u}; }});
  ordered.impossible = traits.impossible;
  ordered.draw = [draw_row = traits.draw](Draw& draw, const TraitRow& row) {
    return Ordered<Case>{draw_row(draw, row), row.back() == 0 ? 0 : draw.between(1, 1023)};
  };
  return ordered;
}

/// The domain with a second order of the terms in every case.
template <class Case>
Domain<Ordered<Case>> with_orders(const Domain<Case>& domain) {
  Domain<Ordered<Case>> ordered;
  for (const InputClass<Case>& each : domain.classes) {
    ordered.classes.push_back({each.name, each.weight, drawn<Ordered<Case>>([generator = each.generator](Draw& draw) {
                                 const auto order = static_cast<std::int64_t>(draw.coin() ? 0 : draw.below(1024));
                                 return Ordered<Case>{generator(rc::Random(draw.word())), order};
                               })});
  }
  ordered.contains = [contains = domain.contains](const Ordered<Case>& c) {
    return c.order >= 0 && c.order < 1024 && contains(c);
  };
  for (const Feature<Case>& each : domain.features) {
    ordered.features.push_back(
        {each.name, each.low, each.high, each.bins, [of = each.of](const Ordered<Case>& c) { return of(c); }});
  }
  ordered.accepts = domain.accepts + "; an order below 1024";
  if (domain.traits) ordered.traits = std::make_shared<const Traits<Ordered<Case>>>(with_orders(*domain.traits));
  return ordered;
}

}  // namespace assay::sum
