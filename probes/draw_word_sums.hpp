#pragma once
// Triple words, quad doubles and expansions drawn for probes, alone, in pairs, and with a double word or a number.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/expansion/distillation.hpp"
#include "arith/hd.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"
#include "probes/draw_words.hpp"
#include "probes/moves.hpp"
#include "probes/stream.hpp"
#include "probes/words.hpp"

namespace assay::probes {

/// A sum of words X: how many words it has, whether a word may be half an ulp of the one before, exactly, and how far
/// the exponent of any other word lies below that of the word before.
template <class X>
struct WordSum;
template <class T>
struct WordSum<TripleWord<T>> {
  static constexpr int words = 3;
  static constexpr bool half_ulp = false;
  static constexpr int separation = FloatTraits<T>::precision;
  ASSAY_HD static constexpr TripleWord<T> of(const T (&w)[3]) { return {w[0], w[1], w[2]}; }
};
template <class T>
struct WordSum<QuadDouble<T>> {
  static constexpr int words = 4;
  static constexpr bool half_ulp = true;
  static constexpr int separation = FloatTraits<T>::precision + 1;
  ASSAY_HD static constexpr QuadDouble<T> of(const T (&w)[4]) { return {w[0], w[1], w[2], w[3]}; }
};

template <class T, int n>
struct WordSum<Expansion<T, n>> {
  static constexpr int words = n;
  static constexpr bool half_ulp = false;
  static constexpr int separation = FloatTraits<T>::precision;
  ASSAY_HD static constexpr Expansion<T, n> of(const T (&w)[n]) {
    Expansion<T, n> x{};
    for (int i = 0; i < n; ++i) x.x[i] = w[i];
    return x;
  }
};

/// The kind of the words after the first.
enum class Tail {
  largest,  ///< just below the largest word that the word before allows, or that word itself
  near,     ///< 0 … 2 places below the largest exponent
  gap,      ///< 0 … p + 3 places below it
  any       ///< one of these, or 0: the same kind for alike cases
};

/// Words from `first` on after the words before them; 0 from the first word on that would leave the range. Requires:
/// first ≥ 1 (not checked).
template <class X, class T, int n>
ASSAY_HD constexpr void draw_tail(Stream& stream, T (&w)[n], int first, Digits digits, Tail tail, Range range) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr std::uint64_t ones = (std::uint64_t{1} << p) - 1;
  for (int i = first; i < n; ++i) {
    const std::uint32_t which = tail == Tail::any ? stream.shared().below(5) : 0;
    const Tail each = tail != Tail::any ? tail : which == 0 ? Tail::largest : which == 1 ? Tail::near : Tail::gap;
    const bool negative = stream.coin();
    std::uint64_t m = each == Tail::largest ? ones - (stream.word() >> (64 - stream.between(1, p / 2)))
                                            : draw_digits<p>(stream, digits);
    const int below = each == Tail::largest ? 0 : stream.between(0, each == Tail::near ? 2 : p + 3);
    int e = exponent(w[i - 1]) - WordSum<X>::separation - below;
    if (WordSum<X>::half_ulp && each == Tail::largest && stream.below(4) == 0) {
      m = std::uint64_t{1} << (p - 1);
      ++e;
    }
    const bool fits = which != 4 && w[i - 1] != T(0) && e >= range.low && e >= FloatTraits<T>::emin;
    w[i] = fits ? number<T>(negative, m, e) : T(0);
  }
}

/// A sum of words whose first has the exponent e.
template <class X>
ASSAY_HD constexpr X draw_word_sum(Stream& stream, Digits digits, Tail tail, int e, Range range) {
  using T = typename NumberOf<X>::Type;
  T w[WordSum<X>::words] = {draw_number<T>(stream, digits, e)};
  draw_tail<X>(stream, w, 1, digits, tail, range);
  return WordSum<X>::of(w);
}

/// A sum of words near −x: its first words are those of −x, the next one is a few places away or a new one.
template <class X>
ASSAY_HD constexpr X draw_near_negative(Stream& stream, const X& x, Range range) {
  using T = typename NumberOf<X>::Type;
  constexpr int n = WordSum<X>::words;
  T w[n] = {};
  for (int i = 0; i < n; ++i) w[i] = static_cast<T>(-words_of(x).at[i]);
  const auto keep = static_cast<int>(stream.shared().below(n + 1));
  if (keep < n) {
    const bool steps = keep == 0 || (w[keep] != T(0) && stream.below(4) != 0);
    // A word that is half an ulp of the previous word must not grow.
    const bool is_largest = keep > 0 && steps && exponent(w[keep]) > exponent(w[keep - 1]) - WordSum<X>::separation;
    const std::uint32_t step = stream.below(9);
    if (steps && !is_largest) w[keep] = stepped(w[keep], step);
    draw_tail<X>(stream, w, steps ? keep + 1 : keep, Digits::any, Tail::any, range);
  }
  return WordSum<X>::of(w);
}

/// Makes the later words follow the first ones: an exponent that is too large is lowered, and from the first word on
/// that would leave the range all words are 0. Whether the first word is in the range.
template <class X>
  requires(WordSum<X>::words > 0)
ASSAY_HD constexpr bool repair(X& x, Range range) {
  using T = typename NumberOf<X>::Type;
  constexpr int n = WordSum<X>::words;
  T w[n] = {};
  for (int i = 0; i < n; ++i) w[i] = static_cast<T>(words_of(x).at[i]);
  if (!is_in_range(w[0], range)) return false;
  for (int i = 1; i < n; ++i) {
    const int largest = exponent(w[i - 1]) - WordSum<X>::separation;
    if (w[i - 1] == T(0) || !is_in_range(w[i], range)) {
      w[i] = T(0);
    } else if (exponent(w[i]) > largest) {
      w[i] = largest >= range.low && largest >= FloatTraits<T>::emin ? with_exponent(w[i], largest) : T(0);
    }
  }
  x = WordSum<X>::of(w);
  return true;
}

/// Digits, words and the longest gap of the operands' exponents in a class, for operands of `words` words.
struct WordSumClass {
  Digits digits;
  Tail tail;
  int gap;
};
template <class T>
ASSAY_HD constexpr WordSumClass word_sum_class(int input_class, int words) {
  const int longest = words * FloatTraits<T>::precision + 3;
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

/// An operand of a class, in the type of its destination.
template <class X>
ASSAY_HD constexpr void draw_into(X& x, Stream& stream, WordSumClass kind, int e, Range range) {
  x = draw_word_sum<X>(stream, kind.digits, kind.tail, e, range);
}
template <class T>
ASSAY_HD constexpr void draw_into(DoubleWord<T>& x, Stream& stream, WordSumClass kind, int e, Range range) {
  const Low low = kind.tail == Tail::gap ? Low::gap : kind.tail == Tail::any ? Low::any : Low::near_half;
  x = draw_double_word<T>(stream, kind.digits, low, e, range);
}
ASSAY_HD constexpr void draw_into(double& x, Stream& stream, WordSumClass kind, int e, Range) {
  x = draw_number<double>(stream, kind.digits, e);
}
ASSAY_HD constexpr void draw_into(float& x, Stream& stream, WordSumClass kind, int e, Range) {
  x = draw_number<float>(stream, kind.digits, e);
}

/// The classes of inputs of two operands, in their order. For one operand, and for operands of different types, there
/// is no cancellation.
struct WordSumDraws {
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
    return draw<Case>(stream, input_class, range, range);
  }

  static constexpr bool moves = true;
  template <class T, class Case>
  ASSAY_HD static constexpr bool move(Stream& stream, Case& c, Range range) {
    return move_case<T>(stream, c, range);
  }

 protected:
  /// First words in `range`, the others in `tails`.
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range, Range tails) {
    Case c{};
    constexpr int words = decltype(words_of(c.x))::count;
    const WordSumClass kind = word_sum_class<typename NumberOf<decltype(Case::x)>::Type>(input_class, words);
    const bool whole = input_class == full_range;
    const int e = whole ? stream.between(range.low, range.high) : central(stream, range);
    if constexpr (requires { c.y; }) {
      const int other = whole ? stream.between(range.low, range.high) : lower(e, stream.between(0, kind.gap), range);
      const bool swaps = stream.coin();
      draw_into(c.x, stream, kind, swaps ? other : e, tails);
      draw_into(c.y, stream, kind, swaps ? e : other, tails);
      if constexpr (requires { c.x = c.y; }) {
        if (input_class == cancellation) c.y = draw_near_negative(stream, c.x, tails);
      }
    } else {
      draw_into(c.x, stream, kind, e, tails);
    }
    return c;
  }
};

}  // namespace assay::probes
