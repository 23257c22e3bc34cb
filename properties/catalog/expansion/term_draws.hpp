#pragma once
// Cases of expansion arithmetic, and draws of their words: lists of terms and expansions by the places of their words.
// The length of a list belongs to the property; shrinking sets words to zero.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "errorbounds/expansion.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/structure.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::expansion {

/// The terms of a list, or the words of an expansion.
template <FloatingPoint T>
using ExpansionCase = VectorCase<T>;

/// Two expansions.
template <FloatingPoint T>
using ExpansionPairCase = VectorPairCase<T>;

/// k words with |xᵢ₊₁| ≤ ulp(xᵢ), zeros last, the leading word zero or with its exponent in the box.
template <FloatingPoint T>
bool is_expansion(std::span<const T> x, std::size_t k, Box box) {
  thread_local ExactWords words;
  return x.size() == k && exact_words(x, words) && in_box(x[0], box) &&
         judge_ulp_nonoverlapping(words, FloatTraits<T>::precision).verdict == Verdict::holds;
}

namespace detail {

enum class Signs { mixed, same, alternating };

/// Signs of words, drawn one after the other.
class SignDraw {
 public:
  SignDraw(Draw& draw, Signs kind) : draw_(draw), kind_(kind), negative_(draw.coin()) {}
  bool next() {
    if (kind_ == Signs::mixed) return draw_.coin();
    const bool now = negative_;
    if (kind_ == Signs::alternating) negative_ = !negative_;
    return now;
  }

 private:
  Draw& draw_;
  Signs kind_;
  bool negative_;
};

/// The place of a list's words in its box.
enum class Place { centre, lowest, highest, anywhere };

/// An exponent of the box for the leading word of a list whose exponents fall by `span`: such that the other words stay
/// in the format, if possible.
template <FloatingPoint T>
int draw_leading_exponent(Draw& draw, Place place, int span, Box box) {
  const int lowest_fit = std::clamp(full_box<T>().low + span, box.low, box.high);
  switch (place) {
    case Place::highest:
      return box.high - static_cast<int>(draw.below(4));
    case Place::lowest: {
      const int from = draw.coin() ? box.low : lowest_fit;
      return std::clamp(from + draw.between(-8, 8), box.low, box.high);
    }
    case Place::anywhere:
      return draw.between(draw.coin() ? box.low : lowest_fit, box.high);
    case Place::centre:
      break;
  }
  return std::clamp(std::max(0, lowest_fit) + draw.between(-8, 8), box.low, box.high);
}

/// (−1)^negative times a number with the exponent and a significand of the kind; 0 below the format.
template <FloatingPoint T>
T draw_word(Draw& draw, Significand kind, int exponent, bool negative) {
  return exponent < full_box<T>().low ? T{} : draw_number<T>(draw, kind, exponent, negative);
}

/// How much exponents fall from term to term.
enum class Gaps {
  least,       ///< the least that the condition allows; in pairs: 0 or 1 and 2, alternating
  near_least,  ///< up to 3 more
  product,  ///< like the terms p₀, e₀, p₁, e₁, … of a product by a word: alternating between the least and p − 1 … p +
            ///< 2
  near_p,   ///< p − 1 … p + 2
  any       ///< each time one of the above, or up to 2p + 3
};

template <FloatingPoint T>
int draw_fall(Draw& draw, Gaps kind, Overlap condition, bool& last_close, std::size_t i) {
  constexpr int p = FloatTraits<T>::precision;
  const bool close_allowed = condition == Overlap::in_pairs && !last_close;
  const int least = condition == Overlap::p_minus_1 ? 1 : close_allowed ? static_cast<int>(draw.below(2)) : 2;
  if (kind == Gaps::any) {
    constexpr std::array<Gaps, 4> others{Gaps::least, Gaps::near_least, Gaps::product, Gaps::near_p};
    const std::uint64_t which = draw.below(others.size() + 1);
    if (which == others.size()) {
      last_close = false;
      return draw.between(2, 2 * p + 3);
    }
    kind = others[which];
  }
  if (kind == Gaps::product) kind = i % 2 == 0 ? Gaps::near_least : Gaps::near_p;
  const int gap = kind == Gaps::least        ? least
                  : kind == Gaps::near_least ? least + static_cast<int>(draw.below(4))
                                             : std::max(least, p - 1 + static_cast<int>(draw.below(4)));
  last_close = gap < 2;
  return gap;
}

template <FloatingPoint T>
struct TermStyle {
  Gaps gaps;
  Significand significands;
  Signs signs;
  Place place;
  unsigned zeros = 0;  ///< of 8 terms, how many are zeros between the others
};

/// A list of n terms under the condition.
template <FloatingPoint T>
std::vector<T> draw_terms_of(Draw& draw, std::size_t n, Overlap condition, const TermStyle<T>& style, Box box) {
  std::vector<int> fall{0};
  bool last_close = false;
  while (fall.size() < n) {
    fall.push_back(fall.back() + draw_fall<T>(draw, style.gaps, condition, last_close, fall.size() - 1));
  }
  const int leading = draw_leading_exponent<T>(draw, style.place, fall.back(), box);
  SignDraw signs(draw, style.signs);
  std::vector<T> x;
  std::size_t next = 0;
  while (x.size() < n) {
    const bool zero = draw.below(8) < style.zeros;
    x.push_back(zero ? T{} : draw_word<T>(draw, style.significands, leading - fall[next], signs.next()));
    next += zero ? 0 : 1;
  }
  return x;
}

/// Words of all ones, each p places below the one before, and a last word of either sign that carries into them or
/// borrows from them, perhaps moved by a place.
template <FloatingPoint T>
std::vector<T> draw_carry_chain(Draw& draw, std::size_t n, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int leading = draw_leading_exponent<T>(draw, Place::centre, static_cast<int>(n) * p, box);
  const bool negative = draw.coin();
  const std::size_t ones = n == 1 ? 1 : 1 + draw.below(n - 1);
  std::vector<T> x(n);
  for (std::size_t i = 0; i < ones; ++i) {
    x[i] = draw_word<T>(draw, Significand::all_ones, leading - static_cast<int>(i) * p, negative);
  }
  if (ones < n) {
    const int below = leading - static_cast<int>(ones) * p + 1 - static_cast<int>(draw.below(3));
    const Significand kick = draw.coin() ? Significand::power_of_two : Significand::low_bits;
    // One place below the last word, only a power of two is at most its ulp.
    const bool power = below > leading - static_cast<int>(ones) * p;
    x[ones] = draw_word<T>(draw, power ? Significand::power_of_two : kick, below, draw.coin());
  }
  return x;
}

/// Powers of two p places apart, m − 1 of them, and two terms that add up to the next one and half its ulp; a third one
/// after them is rounded off by the addition of the second. The part that m words omit is more than half an ulp of the
/// last word. Requires: n ≥ m + 2 (not checked).
template <FloatingPoint T>
std::vector<T> draw_heavy_tail(Draw& draw, std::size_t n, std::size_t m, Overlap condition, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int gap = condition == Overlap::in_pairs ? 0 : condition == Overlap::p_minus_1 ? 1 : 2;
  const int span = static_cast<int>(n) * (p + 1);
  int exponent = draw_leading_exponent<T>(draw, Place::centre, span, box);
  const bool negative = draw.coin();
  std::vector<T> x(n);
  for (std::size_t i = 0; i + 1 < m; ++i) {
    x[i] = draw_word<T>(draw, Significand::power_of_two, exponent, negative);
    exponent -= p;
  }
  // 2^exponent − 2^(exponent−1−gap) + ulp/2 and 2^(exponent−1−gap), then less than half an ulp of that.
  const std::uint64_t one = std::uint64_t{1} << p;
  if (exponent - p >= full_box<T>().low) x[m - 1] = compose<T>(negative, one - (one >> (gap + 1)) + 1, exponent - p);
  exponent -= 1 + gap;
  x[m] = draw_word<T>(draw, Significand::power_of_two, exponent, negative);
  exponent -= p + 1;
  for (std::size_t i = m + 1; i < n; ++i) {
    x[i] = draw_word<T>(draw, Significand::any, exponent, i == m + 1 ? negative : draw.coin());
    exponent -= p + static_cast<int>(draw.below(4));
  }
  return x;
}

/// Terms from which VecSumErrBranch makes f₀, a word f₁ of all ones that is an ulp of f₀ minus its own last place, and
/// f₂ between a quarter and a half of that place: VecSumErr carries f₁ into f₀, the remaining last place cancels with
/// f₂, and the later words need one more pass. Terms of any size follow. Requires: n ≥ 4, a condition that allows pairs
/// (not checked).
template <FloatingPoint T>
std::vector<T> draw_kicked_carry(Draw& draw, std::size_t n, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int span = static_cast<int>(n) * (p + 1);
  const int exponent = std::max(draw_leading_exponent<T>(draw, Place::centre, span, box), full_box<T>().low + 3 * p);
  const bool negative = draw.coin();
  const std::uint64_t half = std::uint64_t{1} << (p - 1);
  std::vector<T> x(n);
  x[0] = compose<T>(negative, half + 1, exponent - p + 1);
  x[1] = compose<T>(negative, 2 * half - 1, exponent - p + 1);
  x[2] = compose<T>(negative, 1, exponent + 2 - p);
  x[3] = compose<T>(!negative, half + 1 + draw.below(half / 2), exponent + 2 - 3 * p);
  int below = exponent + 1 - 3 * p + static_cast<int>(draw.below(3));
  for (std::size_t i = 4; i < n; ++i) {
    x[i] = draw_word<T>(draw, Significand::any, below, draw.coin());
    below -= p + static_cast<int>(draw.below(4));
  }
  return x;
}

/// 2^e, −2^(e−1), …, each half of the remainder, and then terms far below: everything above cancels. If the condition
/// keeps terms further apart, pairs v, −v or a neighbor of −v; if it allows no pairs, one bit.
template <FloatingPoint T>
std::vector<T> draw_cancelling_terms(Draw& draw, std::size_t n, Overlap condition, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int least = condition == Overlap::p_minus_1 ? 1 : 2;
  std::vector<T> x =
      draw_terms_of<T>(draw, n, condition, {Gaps::any, Significand::any, Signs::mixed, Place::centre, 0}, box);
  const bool negative = draw.coin();
  const int leading = parts_of(x[0]).significand == 0 ? box.high : parts_of(x[0]).leading();
  if (condition == Overlap::in_pairs) {
    int exponent = leading;
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const T v = draw_word<T>(draw, Significand::any, exponent, draw.coin());
      const T w = stepped(negated(v), draw.between(-2, 2));
      const bool same = parts_of(v).significand != 0 && parts_of(w).significand != 0 &&
                        parts_of(w).leading() == parts_of(v).leading();
      x[i] = v;
      x[i + 1] = same ? w : negated(v);
      exponent -= 2 + static_cast<int>(draw.below(static_cast<std::uint64_t>(p)));
    }
    if (n % 2 != 0) x[n - 1] = draw_word<T>(draw, Significand::any, exponent, draw.coin());
    return x;
  }
  const std::size_t ladder = n == 1 ? 1 : 1 + draw.below(std::min<std::size_t>(n - 1, 6));
  for (std::size_t i = 0; i < ladder; ++i) {
    const Significand kind =
        i + 1 == ladder && i > 0 && draw.coin() ? Significand::all_ones : Significand::power_of_two;
    x[i] = draw_word<T>(draw, kind, leading - static_cast<int>(i) * least, i == 0 ? negative : !negative);
  }
  int exponent =
      leading - static_cast<int>(ladder) * least - static_cast<int>(draw.below(static_cast<unsigned>(p) + 3));
  for (std::size_t i = ladder; i < n; ++i) {
    x[i] = draw_word<T>(draw, Significand::any, exponent, draw.coin());
    exponent -= least + static_cast<int>(draw.below(static_cast<std::uint64_t>(p)));
  }
  return x;
}

/// Powers of two p places apart, each half an ulp of the one before, and a tail: often m of them and a tail of half an
/// ulp to an ulp of the last, in which every place affects the rounding of the last kept word; otherwise fewer, and a
/// tail that decides their ties.
template <FloatingPoint T>
std::vector<T> draw_tied_words(Draw& draw, std::size_t n, std::size_t m, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const int leading = draw_leading_exponent<T>(draw, Place::centre, static_cast<int>(n) * p, box);
  const std::size_t ladder = draw.coin() ? m : std::min<std::size_t>(n, 2 + draw.below(m));
  const bool off = draw.coin();
  SignDraw signs(draw, draw.coin() ? Signs::same : Signs::mixed);
  std::vector<T> x(n);
  int exponent = leading;
  for (std::size_t i = 0; i < n; ++i) {
    const bool tail = i >= ladder;
    const Significand kind = tail                ? Significand::any
                             : off && i + 1 == m ? Significand::low_bits
                                                 : Significand::power_of_two;
    x[i] = draw_word<T>(draw, kind, exponent, signs.next());
    exponent -= p + (i + 1 == ladder && ladder == m ? 0 : i + 1 >= ladder ? static_cast<int>(draw.below(4)) : 0);
  }
  return x;
}

/// Two lists of words.
template <FloatingPoint T>
struct TwoLists {
  std::vector<T> high, low;
};

/// High: `before` powers of two, each half an ulp of the one before, then an even x₀ in the same relation to them, and
/// 3H/2 with H the half ulp of x₀; low, with t the half ulp of H: −(H/2 − t) and t/4 or less. The sums x₀ + H and H + t
/// are ties, and the remainder is more than the half ulp t of H: renormalized, the word after x₀ is the one after H.
template <FloatingPoint T>
TwoLists<T> draw_pushed_tie(Draw& draw, std::size_t before, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const bool negative = draw.coin();
  int leading = draw_leading_exponent<T>(draw, Place::centre, (static_cast<int>(before) + 3) * p, box);
  const auto word = [](bool sign, std::uint64_t m, int q) {
    return q < full_box<T>().low ? T{} : compose<T>(sign, m, q);
  };
  TwoLists<T> lists;
  for (std::size_t i = 0; i < before; ++i) {
    lists.high.push_back(word(negative, 1, leading));
    leading -= p;
  }
  const Significand kind = before == 0 ? Significand::any : Significand::power_of_two;
  const std::uint64_t even = assay::detail::draw_significand<p>(draw, kind) & ~std::uint64_t{1};
  const int half = leading - p;
  lists.high.push_back(word(negative, even, leading - p + 1));
  lists.high.push_back(word(negative, 3, half - 1));
  lists.low.push_back(word(!negative, (std::uint64_t{1} << (p - 1)) - 1, half - p));
  lists.low.push_back(word(negative, 1, half - p - 2 - static_cast<int>(draw.below(2))));
  return lists;
}

/// Two terms with one exponent after a larger one, so that VecSum leaves an odd multiple k·G of the last place G of
/// the two, a zero, and G: 2^a, −(1 + kG), 2 − G, 2G, scaled.
template <FloatingPoint T>
std::array<T, 4> draw_tie_behind_zero(Draw& draw, Box box) {
  constexpr int p = FloatTraits<T>::precision;
  const bool negative = draw.coin();
  const int above = draw.between(3, p - 2);
  const int middle = draw_leading_exponent<T>(draw, Place::centre, 2 * p, {box.low, box.high - p}) - p + 1;
  const std::uint64_t top = std::uint64_t{1} << (p - 1);
  return {compose<T>(negative, 1, middle + p - 1 + above),
          compose<T>(!negative, top + 2 * draw.below(std::uint64_t{1} << (p / 2)) + 1, middle),
          compose<T>(negative, 2 * top - 1, middle), compose<T>(negative, 1, middle + 1)};
}

/// The terms of one of the two functions above, if there is room and the condition allows it, then zeros. From the
/// first function if possible, with the terms placed so that the tail after m words is the part above half an ulp.
template <FloatingPoint T>
std::vector<T> draw_pushed_terms(Draw& draw, std::size_t n, std::size_t m, Overlap condition, Box box) {
  if (n < 4) {
    return draw_terms_of<T>(draw, n, condition, {Gaps::near_p, Significand::low_bits, Signs::same, Place::centre}, box);
  }
  std::vector<T> x;
  if (condition == Overlap::in_pairs && draw.coin()) {
    const std::array<T, 4> four = draw_tie_behind_zero<T>(draw, box);
    x.assign(four.begin(), four.end());
  } else {
    const std::size_t before = m > 2 && m + 2 <= n && draw.coin() ? m - 2 : 0;
    TwoLists<T> lists = draw_pushed_tie<T>(draw, before, box);
    x = std::move(lists.high);
    x.insert(x.end(), lists.low.begin(), lists.low.end());
  }
  x.resize(n);
  return x;
}

/// The kinds of expansions.
enum class WordStyle {
  dense,     ///< dense words, p + 0 … 2 places apart
  touching,  ///< |xᵢ₊₁| up to ulp(xᵢ): powers of two p − 1 places below, all ones p places below
  tied,      ///< powers of two, each half an ulp of the one before; or the first off by a place
  all_ones,  ///< all ones p places apart, one sign
  extremal,  ///< words just above powers of two, p + 0 … 1 places apart: the largest relative errors
  gaps,      ///< any significands, p + 0 … p + 3 places apart
  wide,      ///< any significands, up to k·p places apart
  any        ///< one of the above
};

/// k words; the first `count` are not zero, and the leading one has the given exponent.
template <FloatingPoint T>
std::vector<T> draw_expansion(Draw& draw, std::size_t k, std::size_t count, WordStyle style, Signs signs,
                              int exponent) {
  constexpr int p = FloatTraits<T>::precision;
  if (style == WordStyle::any) {
    constexpr std::array<WordStyle, 7> others{WordStyle::dense,    WordStyle::touching, WordStyle::tied,
                                              WordStyle::all_ones, WordStyle::extremal, WordStyle::gaps,
                                              WordStyle::wide};
    style = others[draw.below(others.size())];
  }
  SignDraw sign(draw, style == WordStyle::all_ones ? Signs::same : signs);
  std::vector<T> x(k);
  for (std::size_t i = 0; i < count; ++i) {
    Significand kind = Significand::any;
    int gap = p;
    switch (style) {
      case WordStyle::dense:
        kind = Significand::dense;
        gap += static_cast<int>(draw.below(3));
        break;
      case WordStyle::touching: {
        const bool power = draw.coin();
        kind = power ? Significand::power_of_two : Significand::all_ones;
        gap -= power ? 1 : 0;
        break;
      }
      case WordStyle::tied:
        kind = i == 0 && draw.coin() ? Significand::low_bits : Significand::power_of_two;
        break;
      case WordStyle::all_ones:
        kind = Significand::all_ones;
        break;
      case WordStyle::extremal:
        kind = Significand::low_bits;
        gap += static_cast<int>(draw.below(2));
        break;
      case WordStyle::gaps:
        gap += draw.between(0, p + 3);
        break;
      default:
        gap += draw.between(0, static_cast<int>(k) * p);
        break;
    }
    if (i > 0) exponent -= gap;
    x[i] = draw_word<T>(draw, kind, exponent, sign.next());
  }
  return x;
}

/// The number of places that the words of a kind need.
template <FloatingPoint T>
constexpr int span_of_words(std::size_t k) {
  return static_cast<int>(k) * (FloatTraits<T>::precision + 1);
}

}  // namespace detail

}  // namespace assay::expansion
