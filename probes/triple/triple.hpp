#pragma once
// Probes of triple-word arithmetic: each claims |z − exact| ≤ factor·|exact|.

#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_words.hpp"
#include "probes/words.hpp"

namespace assay::probes::triple {

/// How the words after the first look.
enum class Tail {
  largest,  ///< just below an ulp of the word before
  near,     ///< 0 … 2 places below the largest exponent
  gap,      ///< 0 … p + 3 places below it
  any       ///< one of these, or 0
};

/// Words `first` … 2 after the words before them; 0 from the first one on that would leave the range. Requires:
/// first ≥ 1 (not checked).
template <class T>
ASSAY_HD constexpr void draw_tail(Stream& stream, T (&w)[3], int first, Digits digits, Tail tail, Range range) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr std::uint64_t ones = (std::uint64_t{1} << p) - 1;
  for (int i = first; i < 3; ++i) {
    const std::uint32_t which = tail == Tail::any ? stream.below(5) : 0;
    const Tail each = tail != Tail::any ? tail : which == 0 ? Tail::largest : which == 1 ? Tail::near : Tail::gap;
    const bool negative = stream.coin();
    const std::uint64_t m = each == Tail::largest ? ones - (stream.word() >> (64 - stream.between(1, p / 2)))
                                                  : draw_digits<p>(stream, digits);
    const int below = each == Tail::largest ? 0 : stream.between(0, each == Tail::near ? 2 : p + 3);
    const int e = exponent(w[i - 1]) - p - below;
    const bool fits = which != 4 && w[i - 1] != T(0) && e >= range.low && e >= FloatTraits<T>::emin;
    w[i] = fits ? number<T>(negative, m, e) : T(0);
  }
}

/// A triple word whose first word has the exponent e.
template <class T>
ASSAY_HD constexpr TripleWord<T> draw_triple_word(Stream& stream, Digits digits, Tail tail, int e, Range range) {
  T w[3] = {number<T>(stream.coin(), draw_digits<FloatTraits<T>::precision>(stream, digits), e), T(0), T(0)};
  draw_tail(stream, w, 1, digits, tail, range);
  return {w[0], w[1], w[2]};
}

/// A triple word near −x: its first words are those of −x, the next one is a few places away or another one.
template <class T>
ASSAY_HD constexpr TripleWord<T> draw_near_negative(Stream& stream, const TripleWord<T>& x, Range range) {
  T w[3] = {-x.x0, -x.x1, -x.x2};
  const int keep = static_cast<int>(stream.below(4));
  if (keep < 3) {
    const bool steps = keep == 0 || (w[keep] != T(0) && stream.below(4) != 0);
    if (steps) w[keep] = stepped(w[keep], stream.below(9));
    draw_tail(stream, w, steps ? keep + 1 : keep, Digits::any, Tail::any, range);
  }
  return {w[0], w[1], w[2]};
}

/// Digits, words and the longest gap of the operands' exponents in a class.
struct GapClass {
  Digits digits;
  Tail tail;
  int gap;
};
template <class T>
ASSAY_HD constexpr GapClass gap_class(int input_class) {
  constexpr int longest = 3 * FloatTraits<T>::precision + 3;
  switch (input_class) {
    case 0:
      return {Digits::dense, Tail::gap, longest};
    case 2:
      return {Digits::sparse, Tail::near, longest};
    case 3:
      return {Digits::near_power, Tail::largest, 3};
    case 4:
      return {Digits::dense, Tail::largest, 3};
    default:
      return {Digits::any, Tail::any, longest};
  }
}

/// An operand of a class, as the place where it goes asks.
template <class T>
ASSAY_HD constexpr void draw_into(TripleWord<T>& x, Stream& stream, GapClass kind, int e, Range range) {
  x = draw_triple_word<T>(stream, kind.digits, kind.tail, e, range);
}
template <class T>
ASSAY_HD constexpr void draw_into(DoubleWord<T>& x, Stream& stream, GapClass kind, int e, Range range) {
  const Low low = kind.tail == Tail::gap ? Low::gap : kind.tail == Tail::any ? Low::any : Low::near_half;
  x = draw_double_word<T>(stream, kind.digits, low, e, range);
}

/// The classes of inputs of two operands, in their order. For one operand, and for a double word and a triple word,
/// there is no cancellation.
struct Draws {
  static constexpr int classes = 7;
  static constexpr const char* names[classes] = {"dense, gaps between words, any gap of the operands",
                                                 "any significand and words, any gap of the operands",
                                                 "sparse, large words, any gap of the operands",
                                                 "near powers of two, largest words, gap 0…3",
                                                 "dense, largest words, gap 0…3",
                                                 "cancellation in 0, 1, … or all words",
                                                 "full range"};
  static constexpr int cancellation = 5;
  static constexpr int full_range = 6;

  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    using T = typename NumberOf<decltype(Case::x)>::Type;
    const GapClass kind = gap_class<T>(input_class);
    const bool whole = input_class == full_range;
    const int e = whole ? stream.between(range.low, range.high) : central(stream, range);
    Case c{};
    if constexpr (requires { c.y; }) {
      const int other = whole ? stream.between(range.low, range.high) : lower(e, stream.between(0, kind.gap), range);
      const bool swaps = stream.coin();
      draw_into(c.x, stream, kind, swaps ? other : e, range);
      draw_into(c.y, stream, kind, swaps ? e : other, range);
      if constexpr (requires { c.x.x0; }) {
        if (input_class == cancellation) c.y = draw_near_negative(stream, c.x, range);
      }
    } else {
      draw_into(c.x, stream, kind, e, range);
    }
    return c;
  }
};

template <class T>
using Add = Addition<Draws, TwTw<T>, assay::triple::add<T>>;

using Probes = Operations<Add>;

}  // namespace assay::probes::triple
