#pragma once
// Generators of triple words and quad doubles: sums of words, each of which lies below the last place of the word
// before it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/generators.hpp"

namespace assay::dw {

/// The limit of each word's successor: less than an ulp (Priest), at most half an ulp (Bailey).
enum class Separation { below_ulp, half_ulp };

/// The words of a sum, by decreasing magnitude.
template <FloatingPoint T, std::size_t n>
using WordsOf = std::array<T, n>;

template <FloatingPoint T>
constexpr WordsOf<T, 3> words_in(const TripleWord<T>& x) {
  return {x.x0, x.x1, x.x2};
}
template <FloatingPoint T>
constexpr WordsOf<T, 4> words_in(const QuadDouble<T>& x) {
  return {x.x0, x.x1, x.x2, x.x3};
}
template <FloatingPoint T>
constexpr TripleWord<T> sum_of_words(const WordsOf<T, 3>& w) {
  return {w[0], w[1], w[2]};
}
template <FloatingPoint T>
constexpr QuadDouble<T> sum_of_words(const WordsOf<T, 4>& w) {
  return {w[0], w[1], w[2], w[3]};
}

/// Whether `next` may follow `word`: 0, or separated from it as stated, with the ulp of an unbounded exponent range,
/// which is the format's ulp for all words that have a next one. After 0 only 0. Integer operations only. Requires:
/// finite numbers (not checked).
template <FloatingPoint T>
constexpr bool may_follow(T word, T next, Separation separation) {
  const NumberParts a = parts_of(word);
  const NumberParts b = parts_of(next);
  if (b.significand == 0 || a.significand == 0) {
    return b.significand == 0;
  }
  const int last_place = a.leading() - FloatTraits<T>::precision + 1;
  return separation == Separation::below_ulp
             ? b.leading() < last_place
             : b.leading() < last_place - 1 || (b.leading() == last_place - 1 && std::has_single_bit(b.significand));
}

template <FloatingPoint T, std::size_t n>
constexpr bool are_separated(const WordsOf<T, n>& w, Separation separation) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!oracle::is_finite(format_of<T>(), bits_of(w[i])) || (i > 0 && !may_follow(w[i - 1], w[i], separation))) {
      return false;
    }
  }
  return true;
}

/// Whether x is a triple word: finite words, each below an ulp of the one before, zeros last.
template <FloatingPoint T>
constexpr bool is_triple_word(const TripleWord<T>& x) {
  return are_separated(words_in(x), Separation::below_ulp);
}
/// Whether x is a quad double: finite words, each at most half an ulp of the one before, zeros last.
template <FloatingPoint T>
constexpr bool is_quad_double(const QuadDouble<T>& x) {
  return are_separated(words_in(x), Separation::half_ulp);
}

template <FloatingPoint T>
constexpr bool in_box(const TripleWord<T>& x, Box box) {
  return in_box(x.x0, box) && in_box(x.x1, box) && in_box(x.x2, box);
}
template <FloatingPoint T>
constexpr bool in_box(const QuadDouble<T>& x, Box box) {
  return in_box(x.x0, box) && in_box(x.x1, box) && in_box(x.x2, box) && in_box(x.x3, box);
}

/// Whether x is such a sum, with every non-zero word in the box.
template <FloatingPoint T>
constexpr bool is_operand(const TripleWord<T>& x, Box box) {
  return is_triple_word(x) && in_box(x, box);
}
template <FloatingPoint T>
constexpr bool is_operand(const QuadDouble<T>& x, Box box) {
  return is_quad_double(x) && in_box(x, box);
}
template <FloatingPoint T>
constexpr bool is_operand(const DoubleWord<T>& x, Box box) {
  return is_double_word(x) && in_box(x, box);
}
template <FloatingPoint T>
constexpr bool is_operand(T x, Box box) {
  return in_box(x, box);
}

/// The kind of the words after the first.
enum class Tail {
  adjacent,  ///< each as large as its exponent allows: just below an ulp, or half an ulp
  near,      ///< as `largest`, or up to two places below
  gap,       ///< 0 … p + 3 places below
  zeros,     ///< 0 from some word on
  any
};

/// Their signs.
enum class Signs { same, alternating, random };

namespace detail {

/// The largest exponent that the word after one with exponent e may have with every significand.
template <FloatingPoint T>
constexpr int next_exponent(int e, Separation separation) {
  return e - FloatTraits<T>::precision - (separation == Separation::half_ulp ? 1 : 0);
}

inline Signs drawn_signs(Draw& draw) {
  constexpr Signs kinds[] = {Signs::same, Signs::alternating, Signs::random, Signs::random};
  return kinds[draw.below(std::size(kinds))];
}

/// Words first … n − 1 after the words before them; 0 from the first word on that would leave the box.
template <FloatingPoint T, std::size_t n>
void draw_tail(Draw& draw, WordsOf<T, n>& w, std::size_t first, Significand kind, Tail tail, Signs signs,
               Separation separation, Box box) {
  if (tail == Tail::any) {
    constexpr Tail tails[] = {Tail::adjacent, Tail::near, Tail::gap, Tail::gap, Tail::zeros};
    tail = tails[draw.below(std::size(tails))];
  }
  const std::size_t stop = tail == Tail::zeros ? first + draw.below(n - first + 1) : n;
  for (std::size_t i = first; i < n; ++i) {
    w[i] = T{};
    if (i >= stop || parts_of(w[i - 1]).significand == 0) {
      continue;
    }
    const NumberParts before = parts_of(w[i - 1]);
    const int top = next_exponent<T>(before.leading(), separation);
    const int below = tail == Tail::adjacent ? 0 : tail == Tail::near ? draw.between(0, 2) : draw_gap<T>(draw);
    const bool negative = signs == Signs::random ? draw.coin() : before.negative != (signs == Signs::alternating);
    if (separation == Separation::half_ulp && tail != Tail::gap && draw.one_in(8) && top + 1 >= box.low) {
      w[i] = draw_number<T>(draw, Significand::power_of_two, top + 1, negative);
    } else if (top - below >= box.low) {
      w[i] = draw_number<T>(draw, kind, top - below, negative);
    }
  }
}

/// A sum of n words whose first has the given exponent and sign.
template <FloatingPoint T, std::size_t n>
WordsOf<T, n> draw_words(Draw& draw, Significand kind, Tail tail, Signs signs, int exponent, bool negative,
                         Separation separation, Box box) {
  WordsOf<T, n> w{};
  w[0] = draw_number<T>(draw, kind, exponent, negative);
  draw_tail(draw, w, 1, kind, tail, signs, separation, box);
  return w;
}

/// The first word is just above a power of two, each other word just below the largest possible: then the errors of
/// products add up relative to the least product.
template <FloatingPoint T, std::size_t n>
WordsOf<T, n> draw_extremal_words(Draw& draw, int exponent, bool negative, Separation separation, Box box) {
  const auto few = [&draw] {
    return static_cast<int>(draw.word() >> (64 - draw.between(1, std::min(FloatTraits<T>::precision / 2, 24))));
  };
  WordsOf<T, n> w{};
  const int above = few();
  w[0] = stepped(draw_number<T>(draw, Significand::power_of_two, exponent, negative), above);
  int top = exponent;
  for (std::size_t i = 1; i < n; ++i) {
    top = next_exponent<T>(top, separation);
    if (top < box.low || parts_of(w[i - 1]).significand == 0) continue;
    const int below = few();
    w[i] = stepped(draw_number<T>(draw, Significand::all_ones, top), -below);
  }
  return w;
}

/// −x with its first words kept, then a word with other low bits or a few numbers away, then any words: a sum whose
/// distance from −x is about the size of word `keep`.
template <FloatingPoint T, std::size_t n>
WordsOf<T, n> draw_near_negative_words(Draw& draw, WordsOf<T, n> w, Separation separation, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  for (T& each : w) {
    each = negated(each);
  }
  const std::size_t keep = draw.below(n + 1);
  if (keep == n) {
    return w;
  }
  const T before = w[keep];
  if (parts_of(before).significand == 0 || draw.one_in(4)) {
    draw_tail(draw, w, std::max<std::size_t>(keep, 1), Significand::any, Tail::any, drawn_signs(draw), separation, box);
    return w;
  }
  const std::uint64_t changed = (draw.word() & format_of<T>().fraction_mask()) >> draw.below(p);
  const T other = draw.coin() ? stepped(before, draw.between(-4, 4)) : number_of<T>(bits_of(before) ^ changed);
  if (in_box(other, box) && parts_of(other).significand != 0 &&
      (keep == 0 || may_follow(w[keep - 1], other, separation))) {
    w[keep] = other;
  }
  if (keep + 1 < n) {
    draw_tail(draw, w, keep + 1, Significand::any, Tail::any, drawn_signs(draw), separation, box);
  }
  return w;
}

}  // namespace detail

/// The number type, the number of words and the separation of a sum of words X.
template <class X>
struct WordSumTraits;
template <FloatingPoint T>
struct WordSumTraits<TripleWord<T>> {
  using Number = T;
  static constexpr std::size_t words = 3;
  static constexpr Separation separation = Separation::below_ulp;
};
template <FloatingPoint T>
struct WordSumTraits<QuadDouble<T>> {
  using Number = T;
  static constexpr std::size_t words = 4;
  static constexpr Separation separation = Separation::half_ulp;
};

/// A triple word or quad double X whose first word has the given exponent and sign.
template <class X>
X draw_word_sum(Draw& draw, Significand kind, Tail tail, Signs signs, int exponent, bool negative, Box box) {
  using Traits = WordSumTraits<X>;
  using T = typename Traits::Number;
  return sum_of_words<T>(
      detail::draw_words<T, Traits::words>(draw, kind, tail, signs, exponent, negative, Traits::separation, box));
}
/// The same with a random sign.
template <class X>
X draw_word_sum(Draw& draw, Significand kind, Tail tail, Signs signs, int exponent, Box box) {
  const bool negative = draw.coin();
  return draw_word_sum<X>(draw, kind, tail, signs, exponent, negative, box);
}
/// The same with any signs.
template <class X>
X draw_word_sum(Draw& draw, Significand kind, Tail tail, int exponent, Box box) {
  return draw_word_sum<X>(draw, kind, tail, detail::drawn_signs(draw), exponent, box);
}

/// A sum whose first word is just above a power of two and whose other words are just below the largest possible.
template <class X>
X draw_extremal_sum(Draw& draw, int exponent, Box box) {
  using Traits = WordSumTraits<X>;
  using T = typename Traits::Number;
  const bool negative = draw.coin();
  return sum_of_words<T>(
      detail::draw_extremal_words<T, Traits::words>(draw, exponent, negative, Traits::separation, box));
}

/// Near −x: equal to it in 0, 1, … or all words.
template <class X>
X draw_near_negative_sum(Draw& draw, const X& x, Box box) {
  using Traits = WordSumTraits<X>;
  using T = typename Traits::Number;
  return sum_of_words<T>(
      detail::draw_near_negative_words<T, Traits::words>(draw, words_in(x), Traits::separation, box));
}

/// Classes of pairs Case{x, y} of sums of words X, each non-zero word with its exponent in the box.
template <class X, class Case>
std::vector<InputClass<Case>> word_sum_pair_classes(Box box) {
  using T = typename WordSumTraits<X>::Number;
  constexpr int p = FloatTraits<T>::precision;
  constexpr int longest = static_cast<int>(WordSumTraits<X>::words) * p + 3;
  const auto gap = [box](Significand kind, Tail tail, int most, bool same_signs = false) {
    return drawn<Case>([=](Draw& draw) {
      const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
      const bool negative = draw.coin();
      const Signs signs = same_signs ? Signs::same : detail::drawn_signs(draw);
      const X x = draw_word_sum<X>(draw, kind, tail, signs, exponent, negative, box);
      const int other = assay::detail::lower(exponent, draw.between(0, most), box);
      const X y = draw_word_sum<X>(draw, kind, tail, signs, other, same_signs ? negative : draw.coin(), box);
      return draw.coin() ? Case{x, y} : Case{y, x};
    });
  };
  const auto both = [box](Significand kind, Tail tail, Exponents exponents) {
    return drawn<Case>([=](Draw& draw) {
      const X x = draw_word_sum<X>(draw, kind, tail, draw_exponent<T>(draw, exponents, box), box);
      return Case{x, draw_word_sum<X>(draw, kind, tail, draw_exponent<T>(draw, exponents, box), box)};
    });
  };
  return {
      {"dense, gaps between words, any gap of the operands", 3, gap(Significand::dense, Tail::gap, longest)},
      {"any significand and words, any gap of the operands", 3, gap(Significand::any, Tail::any, longest)},
      {"dense, largest words, gap 0…3", 3, gap(Significand::dense, Tail::adjacent, 3)},
      {"near powers of two, largest words, gap 0…3", 3, gap(Significand::low_bits, Tail::adjacent, 3)},
      {"sparse, large words, any gap of the operands", 2, gap(Significand::sparse, Tail::near, longest)},
      {"carry chains: all ones, one sign", 2, gap(Significand::all_ones, Tail::adjacent, longest, true)},
      {"near powers of two, one sign", 2, gap(Significand::low_bits, Tail::near, 3, true)},
      {"first words above powers of two, the others largest", 4, drawn<Case>([=](Draw& draw) {
         const X x = draw_extremal_sum<X>(draw, draw_exponent<T>(draw, Exponents::centre, box), box);
         return Case{x, draw_extremal_sum<X>(draw, draw_exponent<T>(draw, Exponents::centre, box), box)};
       }),
       true},
      {"last words zero", 1, gap(Significand::any, Tail::zeros, p + 3)},
      {"cancellation in 0, 1, … or all words", 4, drawn<Case>([=](Draw& draw) {
         const Exponents exponents = draw.coin() ? Exponents::centre : Exponents::full_range;
         const X x = draw_word_sum<X>(draw, Significand::any, Tail::any, draw_exponent<T>(draw, exponents, box), box);
         return Case{x, draw_near_negative_sum(draw, x, box)};
       })},
      {"words near powers of two, pairs of equal exponents", 3, drawn<Case>([=](Draw& draw) {
         const X x = draw_word_sum<X>(draw, Significand::low_bits, Tail::near, Signs::same,
                                      draw_exponent<T>(draw, Exponents::centre, box), box);
         auto w = words_in(x);
         const bool mixed = draw.coin();
         for (T& each : w) {
           if (const NumberParts parts = parts_of(each); parts.significand != 0) {
             const bool negative = parts.negative != (mixed && draw.one_in(4));
             each = draw_number<T>(draw, Significand::low_bits, parts.leading(), negative);
           }
         }
         const X y = sum_of_words<T>(w);
         return Case{x, is_operand(y, box) ? y : x};
       })},
      {"leading words of one sign, the others cancel", 1, drawn<Case>([=](Draw& draw) {
         const Exponents exponents = draw.coin() ? Exponents::centre : Exponents::full_range;
         const Box lower{box.low, box.high - 1};
         const int exponent = draw_exponent<T>(draw, exponents, lower);
         const X x =
             draw_word_sum<X>(draw, draw.coin() ? Significand::any : Significand::low_bits, Tail::any, exponent, box);
         auto w = words_in(draw_near_negative_sum(draw, x, box));
         const NumberParts first = parts_of(words_in(x)[0]);
         const int leading = first.leading() + draw.between(0, 1);
         const T other =
             draw_number<T>(draw, draw.coin() ? Significand::any : Significand::low_bits, leading, first.negative);
         w[0] = draw.coin() ? words_in(x)[0] : other;
         const X y = sum_of_words<T>(w);
         return Case{x, is_operand(y, box) ? y : x};
       })},
      {"opposite signs, leading exponents at most 1 apart", 2, drawn<Case>([=](Draw& draw) {
         const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
         const bool negative = draw.coin();
         const X x =
             draw_word_sum<X>(draw, Significand::any, Tail::any, detail::drawn_signs(draw), exponent, negative, box);
         const int other = std::clamp(exponent + draw.between(-1, 1), box.low, box.high);
         return Case{
             x, draw_word_sum<X>(draw, Significand::any, Tail::any, detail::drawn_signs(draw), other, !negative, box)};
       })},
      {"full range", 2, both(Significand::any, Tail::any, Exponents::full_range)},
      {"lowest exponents", 1, both(Significand::any, Tail::any, Exponents::low_edge)},
      {"highest exponents", 1, both(Significand::any, Tail::any, Exponents::high_edge)},
  };
}

/// Classes of one sum of words X, each non-zero word with its exponent in the box; with `positive`, the first word is
/// positive.
template <class X, class Case>
std::vector<InputClass<Case>> word_sum_classes(Box box, bool positive = false) {
  using T = typename WordSumTraits<X>::Number;
  const auto one = [box, positive](Significand kind, Tail tail, Exponents exponents) {
    return drawn<Case>([=](Draw& draw) {
      const bool negative = !positive && draw.coin();
      const int exponent = draw_exponent<T>(draw, exponents, box);
      const Signs signs = detail::drawn_signs(draw);
      return Case{draw_word_sum<X>(draw, kind, tail, signs, exponent, negative, box)};
    });
  };
  return {
      {"dense, gaps between words", 3, one(Significand::dense, Tail::gap, Exponents::centre)},
      {"dense, largest words", 3, one(Significand::dense, Tail::adjacent, Exponents::centre)},
      {"any significand and words", 3, one(Significand::any, Tail::any, Exponents::centre)},
      {"near powers of two, largest words", 3, one(Significand::low_bits, Tail::adjacent, Exponents::centre)},
      {"sparse, large words", 2, one(Significand::sparse, Tail::near, Exponents::centre)},
      {"first word above a power of two, the others largest", 2, drawn<Case>([=](Draw& draw) {
         X x = draw_extremal_sum<X>(draw, draw_exponent<T>(draw, Exponents::centre, box), box);
         if (positive && signbit(words_in(x)[0])) {
           auto w = words_in(x);
           for (T& each : w) {
             each = negated(each);
           }
           x = sum_of_words<T>(w);
         }
         return Case{x};
       }),
       true},
      {"all ones", 1, one(Significand::all_ones, Tail::adjacent, Exponents::centre)},
      {"last words zero", 1, one(Significand::any, Tail::zeros, Exponents::centre)},
      {"full range", 2, one(Significand::any, Tail::any, Exponents::full_range)},
      {"lowest exponents", 1, one(Significand::any, Tail::any, Exponents::low_edge)},
      {"highest exponents", 1, one(Significand::any, Tail::any, Exponents::high_edge)},
  };
}

}  // namespace assay::dw
