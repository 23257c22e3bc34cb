#pragma once
// Generators of double words, alone, in pairs and with a number.

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "errorbounds/dw.hpp"
#include "properties/framework/generators.hpp"

namespace assay {

/// The kind of the low word of a double word.
enum class LowWord {
  zero,
  half_ulp,   ///< the largest the high word allows: half its distance to the neighbor, a tie with an even high word
  near_half,  ///< just below that
  gap,        ///< 1…p + 4 places below
  lowest,     ///< the smallest exponents of the box: subnormal in a full box
  any
};

/// A normalized double word with the given exponent and sign of the high word. The low word is 0 if its exponent would
/// leave the box. Requires: `exponent` in the box (not checked).
template <FloatingPoint T>
DoubleWord<T> draw_double_word(Draw& draw, Significand kind, LowWord low, int exponent, bool negative, Box box) {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  std::uint64_t m = detail::draw_significand<p>(draw, kind);
  const bool opposite = draw.coin();
  if (low == LowWord::any) {
    constexpr LowWord lows[] = {LowWord::zero, LowWord::half_ulp, LowWord::near_half,
                                LowWord::gap,  LowWord::gap,      LowWord::gap};
    low = lows[draw.below(std::size(lows))];
  }
  if (low == LowWord::half_ulp) {
    m &= ~std::uint64_t{1};
  }
  const T h = compose<T>(negative, m, exponent - p + 1);
  if (low == LowWord::zero || exponent < F::emin) {
    return {h, T{}};
  }
  // |l| = 2^limit is half the distance to the neighbor on l's side.
  const bool halved = std::has_single_bit(m) && opposite && exponent > F::emin;
  const int limit = exponent - p - (halved ? 1 : 0);
  std::uint64_t l = detail::draw_significand<p>(draw, kind);
  int top = limit - 1;
  switch (low) {
    case LowWord::half_ulp:
      l = std::uint64_t{1} << (p - 1);
      top = limit;
      break;
    case LowWord::near_half:
      l = detail::draw_significand<p>(draw, Significand::low_bits) | std::uint64_t{3} << (p - 2);
      break;
    case LowWord::lowest:
      top = std::min(top, draw.between(box.low, box.low + p));
      break;
    default:
      top -= draw_gap<T>(draw);
      break;
  }
  if (top < box.low) {
    return {h, T{}};
  }
  return {h, compose<T>(negative != opposite, l, top - p + 1)};
}

/// The same with a random sign.
template <FloatingPoint T>
DoubleWord<T> draw_double_word(Draw& draw, Significand kind, LowWord low, int exponent, Box box) {
  const bool negative = draw.coin();
  return draw_double_word<T>(draw, kind, low, exponent, negative, box);
}

/// −x, by its sign bits.
template <FloatingPoint T>
constexpr DoubleWord<T> negated(const DoubleWord<T>& x) {
  return {negated(x.h), negated(x.l)};
}

/// x itself if it is a normalized double word of the box, otherwise only its high word.
template <FloatingPoint T>
DoubleWord<T> normalised_or_high(const DoubleWord<T>& x, Box box) {
  return is_double_word(x) && in_box(x, box) ? x : DoubleWord<T>{x.h, T{}};
}

/// A double word near −x: the high words cancel up to a few places, or fully, and then the low words up to a few.
template <FloatingPoint T>
DoubleWord<T> draw_near_negative(Draw& draw, const DoubleWord<T>& x, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const DoubleWord<T> minus = negated(x);
  const auto changed_below = [&](T word) {
    const std::uint64_t changed = (draw.word() & format_of<T>().fraction_mask()) >> draw.below(p);
    return number_of<T>(bits_of(word) ^ changed);
  };
  const auto other_low = [&](T h) {
    const int exponent = parts_of(h).leading();
    const DoubleWord<T> other =
        draw_double_word<T>(draw, Significand::any, LowWord::any, exponent, parts_of(h).negative, box);
    return normalised_or_high(DoubleWord<T>{h, other.l}, box);
  };
  if (parts_of(x.h).significand == 0) {
    return minus;
  }
  switch (draw.below(6)) {
    case 0:
      return other_low(minus.h);
    case 1: {
      const T h = stepped(minus.h, draw.between(-4, 4));
      return parts_of(h).significand == 0 || !in_box(h, box) ? minus : other_low(h);
    }
    case 2: {
      const T h = changed_below(minus.h);
      return in_box(h, box) ? other_low(h) : minus;
    }
    case 3:
      return normalised_or_high(DoubleWord<T>{minus.h, changed_below(minus.l)}, box);
    case 4:
      return normalised_or_high(DoubleWord<T>{minus.h, stepped(minus.l, draw.between(-4, 4))}, box);
    default:
      return draw.one_in(8) ? minus : normalised_or_high(DoubleWord<T>{minus.h, x.l}, box);
  }
}

namespace detail {

/// Classes by gap(kind, low word, longest gap of the exponents); `low_words` names the low words of a case.
template <class Case, class Gap>
std::vector<InputClass<Case>> gap_classes(const std::string& low_words, int p, Gap gap) {
  const std::string near_half = low_words + " near half an ulp, gap 0…3";
  return {
      {"dense, gap 0…p+3", 3, gap(Significand::dense, LowWord::gap, p + 3)},
      {"any significand, gap 0…p+3", 3, gap(Significand::any, LowWord::any, p + 3)},
      {"sparse, " + near_half, 2, gap(Significand::sparse, LowWord::near_half, 3)},
      {"near powers of two, " + near_half, 3, gap(Significand::low_bits, LowWord::near_half, 3)},
      {low_words + " half an ulp, gap 0…p+3", 1, gap(Significand::any, LowWord::half_ulp, p + 3)},
  };
}

}  // namespace detail

/// Classes of pairs of double words, each non-zero word with its exponent in the box.
template <FloatingPoint T>
std::vector<InputClass<DwDw<T>>> double_word_pair_classes(Box box) {
  const auto both = [box](Significand kind, LowWord low, Exponents exponents) {
    return drawn<DwDw<T>>([=](Draw& draw) {
      const auto x = draw_double_word<T>(draw, kind, low, draw_exponent<T>(draw, exponents, box), box);
      return DwDw<T>{x, draw_double_word<T>(draw, kind, low, draw_exponent<T>(draw, exponents, box), box)};
    });
  };
  const auto gap = [box](Significand kind, LowWord low, int longest) {
    return drawn<DwDw<T>>([=](Draw& draw) {
      const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
      const auto x = draw_double_word<T>(draw, kind, low, exponent, box);
      const int other = detail::lower(exponent, draw.between(0, longest), box);
      const auto y = draw_double_word<T>(draw, kind, low, other, box);
      return draw.coin() ? DwDw<T>{x, y} : DwDw<T>{y, x};
    });
  };
  return joined(detail::gap_classes<DwDw<T>>("low words", FloatTraits<T>::precision, gap),
                {
                    {"one low word zero", 1, drawn<DwDw<T>>([=](Draw& draw) {
                       const auto x = draw_double_word<T>(draw, Significand::any, LowWord::gap,
                                                          draw_exponent<T>(draw, Exponents::centre, box), box);
                       const auto y = draw_double_word<T>(draw, Significand::any, LowWord::zero,
                                                          draw_exponent<T>(draw, Exponents::centre, box), box);
                       return draw.coin() ? DwDw<T>{x, y} : DwDw<T>{y, x};
                     })},
                    {"cancellation", 3, drawn<DwDw<T>>([=](Draw& draw) {
                       const Exponents exponents = draw.coin() ? Exponents::centre : Exponents::full_range;
                       const auto x = draw_double_word<T>(draw, Significand::any, LowWord::any,
                                                          draw_exponent<T>(draw, exponents, box), box);
                       return DwDw<T>{x, draw_near_negative(draw, x, box)};
                     })},
                    {"opposite signs, −2 ≤ xh/yh ≤ −1/2", 2, drawn<DwDw<T>>([=](Draw& draw) {
                       const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
                       const bool negative = draw.coin();
                       const auto x =
                           draw_double_word<T>(draw, Significand::any, LowWord::any, exponent, negative, box);
                       const int other = std::clamp(exponent + draw.between(-1, 1), box.low, box.high);
                       auto y = draw_double_word<T>(draw, Significand::any, LowWord::any, other, !negative, box);
                       const std::uint64_t mx = parts_of(x.h).significand;
                       const std::uint64_t my = parts_of(y.h).significand;
                       if ((other > exponent && my > mx) || (other < exponent && my < mx)) {
                         y = draw_double_word<T>(draw, Significand::any, LowWord::any, exponent, !negative, box);
                       }
                       return DwDw<T>{x, y};
                     })},
                    {"full range", 2, both(Significand::any, LowWord::any, Exponents::full_range)},
                    {"lowest exponents", 2, both(Significand::any, LowWord::any, Exponents::low_edge)},
                    {"lowest low words", 1, both(Significand::any, LowWord::lowest, Exponents::full_range)},
                    {"highest exponents", 1, both(Significand::any, LowWord::any, Exponents::high_edge)},
                });
}

/// Classes of a double word and a number, each non-zero word with its exponent in the box.
template <FloatingPoint T>
std::vector<InputClass<DwFp<T>>> double_word_number_classes(Box box) {
  const auto both = [box](Significand kind, LowWord low, Exponents exponents) {
    return drawn<DwFp<T>>([=](Draw& draw) {
      const auto x = draw_double_word<T>(draw, kind, low, draw_exponent<T>(draw, exponents, box), box);
      return DwFp<T>{x, draw_number<T>(draw, kind, draw_exponent<T>(draw, exponents, box))};
    });
  };
  const auto gap = [box](Significand kind, LowWord low, int longest) {
    return drawn<DwFp<T>>([=](Draw& draw) {
      const int exponent = draw_exponent<T>(draw, Exponents::centre, box);
      const int other = detail::lower(exponent, draw.between(0, longest), box);
      const bool number_smaller = draw.coin();
      const auto x = draw_double_word<T>(draw, kind, low, number_smaller ? exponent : other, box);
      return DwFp<T>{x, draw_number<T>(draw, kind, number_smaller ? other : exponent)};
    });
  };
  return joined(detail::gap_classes<DwFp<T>>("low word", FloatTraits<T>::precision, gap),
                {
                    {"low word zero", 1, both(Significand::any, LowWord::zero, Exponents::centre)},
                    {"cancellation", 2, drawn<DwFp<T>>([=](Draw& draw) {
                       const Exponents exponents = draw.coin() ? Exponents::centre : Exponents::full_range;
                       const auto x = draw_double_word<T>(draw, Significand::any, LowWord::any,
                                                          draw_exponent<T>(draw, exponents, box), box);
                       const T y = stepped(negated(x.h), draw.between(-4, 4));
                       return DwFp<T>{x, in_box(y, box) ? y : negated(x.h)};
                     })},
                    {"full range", 2, both(Significand::any, LowWord::any, Exponents::full_range)},
                    {"lowest exponents", 2, both(Significand::any, LowWord::any, Exponents::low_edge)},
                    {"highest exponents", 1, both(Significand::any, LowWord::any, Exponents::high_edge)},
                });
}

/// Classes of one double word, each non-zero word with its exponent in the box; with `positive`, the high word is
/// positive.
template <FloatingPoint T>
std::vector<InputClass<Dw<T>>> double_word_classes(Box box, bool positive = false) {
  const auto one = [box, positive](Significand kind, LowWord low, Exponents exponents) {
    return drawn<Dw<T>>([=](Draw& draw) {
      const bool negative = !positive && draw.coin();
      return Dw<T>{draw_double_word<T>(draw, kind, low, draw_exponent<T>(draw, exponents, box), negative, box)};
    });
  };
  return {
      {"dense", 3, one(Significand::dense, LowWord::gap, Exponents::centre)},
      {"any significand", 3, one(Significand::any, LowWord::any, Exponents::centre)},
      {"sparse, low word near half an ulp", 2, one(Significand::sparse, LowWord::near_half, Exponents::centre)},
      {"near powers of two, low word near half an ulp", 3,
       one(Significand::low_bits, LowWord::near_half, Exponents::centre)},
      {"low word half an ulp", 1, one(Significand::any, LowWord::half_ulp, Exponents::centre)},
      {"low word zero", 1, one(Significand::any, LowWord::zero, Exponents::full_range)},
      {"full range", 2, one(Significand::any, LowWord::any, Exponents::full_range)},
      {"lowest exponents", 1, one(Significand::any, LowWord::any, Exponents::low_edge)},
      {"highest exponents", 1, one(Significand::any, LowWord::any, Exponents::high_edge)},
  };
}

}  // namespace assay
