#pragma once
// Properties of elementary functions of double words and quad doubles, whatever computes them.

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/elementary_theorems.hpp"
#include "properties/catalog/elementary/functions.hpp"

namespace assay::elementary {

namespace detail {

/// The exact result of the last case.
template <class W>
Truth truth_at(WordFunction f, const OperandOf<W>& c) {
  return truth_of(f, words_in<W>, operand_of(c.x));
}
template <class W>
Truth truth_at(WordFunction f, const OperandsOf<W, W>& c) {
  return truth_of(f, words_in<W>, operand_of(c.x), operand_of(c.y));
}
template <class W>
bool is_same(const OperandOf<W>& a, const OperandOf<W>& b) {
  return same_bits(a.x, b.x);
}
template <class W>
bool is_same(const OperandsOf<W, W>& a, const OperandsOf<W, W>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y);
}
template <class Case>
const Truth& cached_truth(WordFunction f, const Case& c) {
  struct Last {
    Case at;
    WordFunction of;
    Truth truth;
  };
  thread_local std::optional<Last> last;
  if (!last || last->of != f || !is_same(last->at, c)) last = {c, f, truth_at(f, c)};
  return last->truth;
}

/// Whether z is `limit` with zeros after it; of NaNs, whether all words are.
template <class W>
bool is_limit(const W& z, double limit) {
  if (is_not_a_number(limit)) {
    for (std::size_t i = 0; i < words_in<W>; ++i) {
      if (!is_not_a_number(ResultTraits<W>::word(z, i))) return false;
    }
    return true;
  }
  return bits_of(first_word(z)) == bits_of(limit) && is_one_number(z);
}

template <class W, class Case>
std::vector<Claim<Case, W, Exact>> claims_of(WordFunction f, const BoundedTheorem auto& theorem) {
  const auto bounded = [f](const Case& c) { return cached_truth(f, c).is_bounded; };
  const auto at_limit = [f](const Case& c) { return cached_truth(f, c).limit.has_value(); };
  return {when("operands with a real value that the theorem covers", bounded,
               claim_spec("error", theorem,
                          [theorem](const Case&, const Exact& truth, const W& z) {
                            const Bound bound = theorem(static_cast<int>(words_in<W>), magnitude_of(truth));
                            return assay::detail::by_component(
                                truth, z, [&](const Dyadic& got, const Exact& exact, std::size_t i) {
                                  return judge_within(got, exact, bound, i);
                                });
                          })),
          when("operands at a limit or a pole, or without a value", at_limit,
               satisfies("limits", elementary_limits_1,
                         [f](const Case& c, const W& z) { return is_limit(z, *cached_truth(f, c).limit); })),
          when("operands with a real value that the theorem covers", bounded,
               satisfies("words", elementary_words_1,
                         [](const Case&, const W& z) { return is_finite_number(first_word(z)) && is_operand(z); }))};
}

template <class W, class Case>
Property<Case, W, Exact> function(const std::string& name, WordFunction f, std::vector<InputClass<Case>> classes,
                                  std::type_identity_t<SharedFunction<bool(const Case&)>> contains,
                                  const BoundedTheorem auto& theorem, Subject<Case, W> subject) {
  Domain<Case> domain{.classes = std::move(classes),
                      .contains = std::move(contains),
                      .features = {{"exponent of x", -1074, 1024, 64,
                                    [](const Case& c) {
                                      const double x = first_word(c.x);
                                      return is_finite_number(x) && x != 0 ? parts_of(x).leading() : 0;
                                    }}},
                      .accepts = words_in<W> == 2 ? "any double words, ±∞ and NaN" : "any quad doubles, ±∞ and NaN"};
  return {.name = "elementary." + name + (words_in<W> == 4 ? "_qd" : ""),
          .domain = std::move(domain),
          .subject = std::move(subject),
          .reference =
              [f](const Case& c) {
                const Truth& truth = cached_truth(f, c);
                return truth.value ? *truth.value : Exact(Dyadic());
              },
          .claims = claims_of<W, Case>(f, theorem),
          .inexact = [](const Case&, const Exact&,
                        const W& z) { return bits_of(abs(ResultTraits<W>::word(z, words_in<W> - 1))) != 0; },
          .quick_cases = 5000};
}

template <class W>
W draw_special_words(Draw& draw) {
  return with_tail<W>(draw, {draw_special<double>(draw)}, 1);
}

/// With `positive`, most operands are above 0.
template <class W>
W draw_in_range(Draw& draw, Box box, bool positive = false) {
  const bool negative = positive ? draw.one_in(16) : draw.coin();
  return draw_words<W>(draw, draw.between(box.low, box.high), negative);
}

/// An integer whose first word is at most about 2⁶⁰, so that x^y has a value; seldom a number next to it.
template <class W>
W draw_integer_words(Draw& draw) {
  const int bits = draw.coin() ? draw.between(1, 5) : draw.between(6, 60);
  const Dyadic k = static_cast<std::int64_t>(draw.word() >> (64 - bits));
  if (draw.one_in(8)) return draw_near<W>(draw, draw.coin() ? k : -k);
  return from_words(WordArray<W>{sum::detail::nearest<double>(draw.coin() ? k : -k)});
}
/// ±1 with a dense second word far below half an ulp of 1.
template <class W>
W draw_beside_one(Draw& draw) {
  WordArray<W> w{};
  w[0] = draw.one_in(4) ? -1.0 : 1.0;
  w[1] = draw_number<double>(draw, Significand::dense, draw.between(-220, -55), draw.coin());
  return with_tail<W>(draw, w, 2);
}

}  // namespace detail

/// A function of one operand, by `subject`.
template <class W>
Property<OperandOf<W>, W, Exact> unary(const std::string& name, WordFunction f, const BoundedTheorem auto& theorem,
                                       Subject<OperandOf<W>, W> subject) {
  using Case = OperandOf<W>;
  std::vector<InputClass<Case>> classes;
  for (const ExponentRange& each : exponent_ranges(f)) {
    classes.push_back({each.name, each.weight, drawn<Case>([box = each.box, f](Draw& draw) {
                         return Case{detail::draw_in_range<W>(draw, box, needs_positive(f))};
                       })});
  }
  for (const NearNumbers& each : near_numbers(f)) {
    classes.push_back({each.name, each.weight, drawn<Case>([number = each.draw](Draw& draw) {
                         return Case{draw_near<W>(draw, number(draw))};
                       })});
  }
  classes.push_back({"infinities, NaN and zeros", 1,
                     drawn<Case>([](Draw& draw) { return Case{detail::draw_special_words<W>(draw)}; })});
  return detail::function<W, Case>(
      name, f, std::move(classes), [](const Case& c) { return is_operand(c.x); }, theorem, std::move(subject));
}

/// A function of two operands, by `subject`: classes with draw(draw, x), the second operand for a first one.
template <class W, class Second>
Property<OperandsOf<W, W>, W, Exact> binary(const std::string& name, WordFunction f, Second draw_second,
                                            const BoundedTheorem auto& theorem, Subject<OperandsOf<W, W>, W> subject) {
  using Case = OperandsOf<W, W>;
  std::vector<InputClass<Case>> classes;
  for (const ExponentRange& each : exponent_ranges(f)) {
    classes.push_back({each.name, each.weight, drawn<Case>([box = each.box, f, draw_second](Draw& draw) {
                         const W x = detail::draw_in_range<W>(draw, box, needs_positive(f));
                         return Case{x, draw_second(draw, x)};
                       })});
  }
  for (const NearNumbers& each : near_numbers(f)) {
    classes.push_back({each.name, each.weight, drawn<Case>([number = each.draw, draw_second](Draw& draw) {
                         const W x = draw_near<W>(draw, number(draw));
                         return Case{x, draw_second(draw, x)};
                       })});
  }
  const bool integers = f == WordFunction::pow;
  classes.push_back({"infinities, NaN and zeros", 2, drawn<Case>([integers](Draw& draw) {
                       const W x = detail::draw_special_words<W>(draw);
                       const W y = integers && draw.one_in(3) ? detail::draw_integer_words<W>(draw)
                                   : draw.coin()              ? detail::draw_special_words<W>(draw)
                                                              : detail::draw_in_range<W>(draw, {-3, 3});
                       return draw.coin() ? Case{x, y} : Case{y, x};
                     })});
  if (f == WordFunction::pow) {
    classes.push_back({"x below 0 and an integer y, or nearly", 3, drawn<Case>([draw_second](Draw& draw) {
                         const W x = detail::draw_in_range<W>(draw, {-30, 30}, false);
                         return Case{x, draw.one_in(4) ? draw_second(draw, x) : detail::draw_integer_words<W>(draw)};
                       })});
    classes.push_back({"x = ±1 + d below half an ulp and y about 1/d", 2, drawn<Case>([draw_second](Draw& draw) {
                         const W x = detail::draw_beside_one<W>(draw);
                         return Case{x, draw_second(draw, x)};
                       })});
  }
  return detail::function<W, Case>(
      name, f, std::move(classes), [](const Case& c) { return is_operand(c.x) && is_operand(c.y); }, theorem,
      std::move(subject));
}

/// A second coordinate near a multiple of 1/32 of the first coordinate, or any if the first one may be 1.
template <class W>
W draw_other_coordinate(Draw& draw, const W& y) {
  const double first = first_word(y);
  switch (draw.below(4)) {
    case 0:
      return draw_near<W>(draw, draw.coin() ? 1 : -1);
    case 1:
      return draw_near<W>(draw, Dyadic::scaled(draw.between(-66, 66), -5) * value_of(first));
    case 2: {
      const bool negative = draw.coin();
      const int exponent = parts_of(first).leading() + draw.between(-60, 60);
      return draw_words<W>(draw, std::clamp(exponent, every_exponent.low, every_exponent.high), negative);
    }
    default:
      return detail::draw_in_range<W>(draw, every_exponent);
  }
}

/// An exponent y for which x^y is a number of the format or a little beyond, or a small number.
template <class W>
W draw_power(Draw& draw, const W& x) {
  if (draw.one_in(4)) return draw_near<W>(draw, Dyadic::scaled(draw.between(-9, 9), -1));
  const double first = std::abs(first_word(x));
  const bool is_near_1 = first > 0.5 && first < 2;
  const double log = is_near_1 ? sum::detail::nearest<double>(abs(value_of(x)) - Dyadic(1))
                               : 0.693 * parts_of(first).leading();  // of the right size
  const double factor = draw.coin() ? 1.41 : -2.82;
  const double reach = std::ldexp(factor, draw.between(-60, 8));
  const double y = reach / (std::abs(log) > 1e-300 ? log : 1.0);
  return is_finite_number(y) && y != 0 ? draw_near<W>(draw, value_of(y)) : detail::draw_in_range<W>(draw, {-3, 3});
}

}  // namespace assay::elementary
