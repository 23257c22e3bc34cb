#pragma once
// Double words and quad doubles of binary64 as operands of elementary functions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arith/words/operands.hpp"
#include "oracle/elementary.hpp"
#include "properties/draws/dw/word_sum_cases.hpp"
#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/property.hpp"

namespace assay::elementary {

using oracle::Dyadic;
using oracle::Exact;

template <class W>
inline constexpr std::size_t words_in = ResultTraits<W>::per_component;
template <class W>
using WordArray = std::array<double, words_in<W>>;

inline constexpr oracle::Format binary64 = format_of<double>();
inline constexpr Box every_exponent = full_box<double>();

inline bool is_finite_number(double x) { return oracle::is_finite(binary64, bits_of(x)); }
inline bool is_not_a_number(double x) { return oracle::is_nan(binary64, bits_of(x)); }

template <class W>
double first_word(const W& x) {
  return ResultTraits<W>::word(x, 0);
}
/// Whether all words after the first are zeros.
template <class W>
bool is_one_number(const W& x) {
  for (std::size_t i = 1; i < words_in<W>; ++i) {
    if (bits_of(abs(ResultTraits<W>::word(x, i))) != 0) return false;
  }
  return true;
}
/// A double word or a quad double, or a number that is not finite with zeros after it.
template <class W>
bool is_operand(const W& x) {
  return is_finite_number(first_word(x)) ? dw::is_operand(x, every_exponent) : is_one_number(x);
}

inline DoubleWord<double> from_words(const WordArray<DoubleWord<double>>& w) {
  return normalised_or_high(DoubleWord<double>{w[0], w[1]}, every_exponent);
}
inline QuadDouble<double> from_words(const WordArray<QuadDouble<double>>& w) {
  const QuadDouble<double> x = dw::sum_of_words<double>(w);
  return dw::is_operand(x, every_exponent) ? x : QuadDouble<double>{w[0], 0, 0, 0};
}

inline Significand draw_kind(Draw& draw) {
  constexpr Significand kinds[] = {Significand::any, Significand::dense, Significand::low_bits, Significand::sparse,
                                   Significand::all_ones};
  return kinds[draw.below(std::size(kinds))];
}

/// Any kind of words from word `first` + 1 on.
template <class W>
W with_tail(Draw& draw, WordArray<W> w, std::size_t first) {
  const Significand kind = draw_kind(draw);
  const dw::Signs signs = dw::detail::drawn_signs(draw);
  dw::detail::draw_tail(draw, w, first, kind, dw::Tail::any, signs, dw::Separation::half_ulp, every_exponent);
  return from_words(w);
}

/// An operand whose first word has that exponent.
template <class W>
W draw_words(Draw& draw, int exponent, bool negative) {
  WordArray<W> w{};
  w[0] = draw_number<double>(draw, draw_kind(draw), exponent, negative);
  return with_tail<W>(draw, w, 1);
}

/// An operand near a number: its first words are those of the number, the last of them moved by a few places, followed
/// by any words, or zeros.
template <class W>
W draw_near(Draw& draw, Dyadic point) {
  const std::size_t kept = 1 + draw.below(words_in<W>);
  WordArray<W> w{};
  for (std::size_t i = 0; i < kept; ++i) {
    w[i] = sum::detail::nearest<double>(point);
    if (!is_finite_number(w[i])) return from_words(WordArray<W>{1.0});
    point = point - value_of(w[i]);
  }
  double& last = w[kept - 1];
  if (draw.coin()) last = stepped(last, draw.between(-3, 3));
  if (!is_finite_number(last)) return from_words(WordArray<W>{1.0});
  return kept == words_in<W> || draw.one_in(4) ? from_words(w) : with_tail<W>(draw, w, kept);
}

/// A constant to 640 bits.
inline Dyadic ln2() {
  static const Dyadic value =
      std::get<oracle::Enclosure>(oracle::elementary_by_balls(oracle::Elementary::log, 2)).at(640).lower();
  return value;
}
inline Dyadic half_pi() {
  static const Dyadic value =
      std::get<oracle::Enclosure>(oracle::elementary_by_balls(oracle::Elementary::acos, 0)).at(640).lower();
  return value;
}
inline Dyadic root_half() {
  static const Dyadic value =
      std::get<oracle::Enclosure>(
          oracle::elementary_by_balls(oracle::Elementary::cos, Dyadic::scaled(1, -1) * half_pi()))
          .at(640)
          .lower();
  return value;
}

}  // namespace assay::elementary
