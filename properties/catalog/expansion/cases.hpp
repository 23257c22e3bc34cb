#pragma once
// Inputs of expansion arithmetic: lists of terms to renormalize, and expansions alone and in pairs, with the structures
// on which renormalization errs. The length of a list belongs to the property; shrinking sets words to zero.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/expansion.hpp"
#include "properties/catalog/expansion/decimal.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/structure.hpp"

namespace assay::expansion {

/// The terms of a list, or the words of an expansion.
template <FloatingPoint T>
struct ExpansionCase {
  std::vector<T> x;
  static constexpr auto fields() { return std::tuple{field("x", &ExpansionCase::x)}; }
};

/// Two expansions.
template <FloatingPoint T>
struct ExpansionPairCase {
  std::vector<T> x, y;
  static constexpr auto fields() {
    return std::tuple{field("x", &ExpansionPairCase::x), field("y", &ExpansionPairCase::y)};
  }
};

/// k words with |xᵢ₊₁| ≤ ulp(xᵢ), zeros last, the leading word zero or with its exponent in the box.
template <FloatingPoint T>
bool is_expansion(std::span<const T> x, std::size_t k, Box box) {
  thread_local ExactWords words;
  return x.size() == k && exact_words(x, words) && in_box(x[0], box) &&
         judge_ulp_nonoverlapping(words, FloatTraits<T>::precision).verdict == Verdict::holds;
}

namespace detail {

enum class Signs { mixed, same, alternating };

/// Signs of words one after the other.
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

/// Where the words of a list lie in its box.
enum class Place { centre, lowest, highest, anywhere };

/// An exponent of the box for the leading word of a list whose exponents fall by `span`: so that the others are not
/// below the format, where they can be.
template <FloatingPoint T>
int draw_leading_exponent(Draw& draw, Place place, int span, Box box) {
  const int lowest_fit = std::clamp(full_box<T>().low + span, box.low, box.high);
  switch (place) {
    case Place::highest:
      return box.high - static_cast<int>(draw.below(4));
    case Place::lowest:
      return std::clamp((draw.coin() ? box.low : lowest_fit) + draw.between(-8, 8), box.low, box.high);
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

/// How far exponents fall from term to term.
enum class Gaps {
  least,       ///< the least that the condition allows, in pairs: 0 or 1 and 2 by turns
  near_least,  ///< up to 3 more
  product,  ///< like the terms p₀, e₀, p₁, e₁, … of a product by a word: by turns the least and p − 1 … p + 2
  near_p,  ///< p − 1 … p + 2
  any      ///< each time one of the above, or up to 2p + 3
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

/// Words of all ones, each p places below the one before, and a last one of either sign that carries into them or
/// borrows from them, perhaps a place off.
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
    // One place below the last one only a power of two is at most its ulp.
    const bool power = below > leading - static_cast<int>(ones) * p;
    x[ones] = draw_word<T>(draw, power ? Significand::power_of_two : kick, below, draw.coin());
  }
  return x;
}

/// Powers of two p places apart, m − 1 of them, and two terms that add up to the next one and half its ulp; a third one
/// behind them is rounded off by the addition of the second. What m words leave is more than half an ulp of the last.
/// Requires: n ≥ m + 2 (not checked).
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

/// Terms that VecSumErrBranch makes f₀, a word f₁ of all ones that is an ulp of f₀ less its own last place, and f₂
/// between a quarter and a half of that place: VecSumErr carries f₁ into f₀, the last place that is left over cancels
/// with f₂, and the words behind need one more pass. Terms of any size follow.
/// Requires: n ≥ 4, a condition that allows pairs (not checked).
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

/// 2^e, −2^(e−1), …, each half of what is left, and then terms far below: everything above cancels. Where the condition
/// keeps terms further apart, pairs v, −v or its neighbour; and where it allows no pairs, one bit.
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
/// ulp to an ulp of the last, in which every place counts for the rounding of the last word kept; otherwise fewer, and
/// a tail that pushes their ties on.
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

/// High: `before` powers of two, each half an ulp of the one before, then an even x₀ that is the same to them, and 3H/2
/// with H the half ulp of x₀; low, with t the half ulp of H: −(H/2 − t) and t/4 or less. The sums x₀ + H and H + t are
/// ties, and what is left is more than the half ulp t of H: renormalized, the word behind x₀ is the one after H.
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

/// Two terms with one exponent behind a larger one, so that VecSum leaves an odd multiple k·G of the last place G of
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

/// One of the two, if there is room and the condition allows it, and zeros behind. The first so that the tail of m
/// words is the one that is more than half an ulp, where it fits.
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

/// The styles of expansions.
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

/// k words of which the first `count` are not zero, the leading one with the exponent given.
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

/// How many places the words of a style need.
template <FloatingPoint T>
constexpr int span_of_words(std::size_t k) {
  return static_cast<int>(k) * (FloatTraits<T>::precision + 1);
}

}  // namespace detail

/// The classes of lists of n terms under the condition. With m < n there is a class that puts the tail of m words in
/// the balance.
template <FloatingPoint T>
std::vector<InputClass<ExpansionCase<T>>> renormalization_classes(std::size_t n, std::size_t m, Overlap condition) {
  using detail::Gaps;
  using detail::Place;
  using detail::Signs;
  const Box box = expansion_sum_box(format_of<T>());
  const auto terms = [=](Gaps gaps, Significand kind, Signs signs, Place place = Place::centre, unsigned zeros = 0) {
    return drawn<ExpansionCase<T>>([=](Draw& draw) {
      return ExpansionCase<T>{detail::draw_terms_of<T>(draw, n, condition, {gaps, kind, signs, place, zeros}, box)};
    });
  };
  const auto from = [](auto make) {
    return drawn<ExpansionCase<T>>([make](Draw& draw) { return ExpansionCase<T>{make(draw)}; });
  };
  std::vector<InputClass<ExpansionCase<T>>> classes{
      {"largest overlap, dense", 3, terms(Gaps::least, Significand::dense, Signs::mixed)},
      {"largest overlap, one sign", 3, terms(Gaps::least, Significand::any, Signs::same)},
      {"largest overlap, any significand", 2, terms(Gaps::least, Significand::any, Signs::mixed)},
      {"large overlap, sparse", 1, terms(Gaps::near_least, Significand::sparse, Signs::mixed)},
      {"like the terms of a product", 3, terms(Gaps::product, Significand::any, Signs::mixed)},
      {"nonoverlapping, with gaps", 2, terms(Gaps::near_p, Significand::any, Signs::mixed)},
      {"any gaps, alternating signs", 1, terms(Gaps::any, Significand::any, Signs::alternating)},
      {"interleaved zeros", 3, terms(Gaps::any, Significand::any, Signs::mixed, Place::centre, 3)},
      {"few terms", 1, terms(Gaps::any, Significand::any, Signs::mixed, Place::centre, 6)},
      {"carry chain", 3, from([=](Draw& draw) { return detail::draw_carry_chain<T>(draw, n, box); })},
      {"leading cancellation", 3,
       from([=](Draw& draw) { return detail::draw_cancelling_terms<T>(draw, n, condition, box); })},
      {"words half an ulp, a tail", 3, from([=](Draw& draw) { return detail::draw_tied_words<T>(draw, n, m, box); })},
      {"ties that later terms push on", 1,
       from([=](Draw& draw) { return detail::draw_pushed_terms<T>(draw, n, m, condition, box); })},
      {"lowest exponents", 1, terms(Gaps::any, Significand::any, Signs::mixed, Place::lowest)},
      {"highest exponents", 1, terms(Gaps::least, Significand::any, Signs::same, Place::highest)},
      {"anywhere", 1, terms(Gaps::any, Significand::any, Signs::mixed, Place::anywhere, 1)},
  };
  if (n >= m + 2) {
    classes.push_back({"a tail of more than half an ulp", 2,
                       from([=](Draw& draw) { return detail::draw_heavy_tail<T>(draw, n, m, condition, box); })});
  }
  if (n >= 4 && condition == Overlap::in_pairs) {
    classes.push_back(
        {"carry chain with a kick", 2, from([=](Draw& draw) { return detail::draw_kicked_carry<T>(draw, n, box); })});
  }
  return classes;
}

/// log₂ of Σ|xᵢ| / |Σ xᵢ|, rounded down or one below; `largest` where the sum is 0.
template <FloatingPoint T>
double log2_cancellation(std::span<const T> x, double largest) {
  oracle::Dyadic magnitudes;
  for (const T& each : x) {
    magnitudes += abs(value_of(each));
  }
  const oracle::Dyadic sum = sum_of_words(x);
  if (magnitudes.is_zero()) return 0;
  if (sum.is_zero()) return largest;
  return std::min(largest, static_cast<double>(magnitudes.exponent() - sum.exponent()));
}

/// What the condition says, for `accepts` and for preconditions.
inline std::string text_of(Overlap condition) {
  switch (condition) {
    case Overlap::p_minus_1:
      return "overlap by at most p − 1 digits";
    case Overlap::p_minus_2:
      return "overlap by at most p − 2 digits";
    case Overlap::in_pairs:
      return "overlap by at most p − 2 digits, single pairs by p";
    case Overlap::merged:
      break;
  }
  return "overlap by at most p − 1 digits, single pairs by p";
}

/// Lists of n terms that meet the condition, with interleaved zeros, in the box of sums.
template <FloatingPoint T>
Domain<ExpansionCase<T>> renormalization_domain(std::size_t n, std::size_t m, Overlap condition) {
  constexpr double most = 4 * FloatTraits<T>::precision;
  return {.classes = renormalization_classes<T>(n, m, condition),
          .contains =
              [=](const ExpansionCase<T>& c) {
                thread_local ExactWords words;
                const Box box = expansion_sum_box(format_of<T>());
                return c.x.size() == n && exact_words<T>(c.x, words) &&
                       std::all_of(c.x.begin(), c.x.end(), [&](const T& each) { return in_box(each, box); }) &&
                       overlaps(words, condition);
              },
          .features = {{"log2 of the cancellation", 0, most, 32,
                        [](const ExpansionCase<T>& c) { return log2_cancellation<T>(c.x, most); }}},
          .accepts = std::to_string(n) + " terms, " + text_of(condition) + ", zeros anywhere"};
}

/// Lists that meet any of the three conditions: the same classes, each case under one of them.
template <FloatingPoint T>
Domain<ExpansionCase<T>> any_renormalization_domain(std::size_t n, std::size_t m) {
  constexpr Overlap conditions[] = {Overlap::p_minus_1, Overlap::p_minus_2, Overlap::in_pairs};
  std::vector<Domain<ExpansionCase<T>>> each;
  for (const Overlap condition : conditions) {
    each.push_back(renormalization_domain<T>(n, m, condition));
  }
  Domain<ExpansionCase<T>> any = each[0];
  for (std::size_t i = 0; i < any.classes.size(); ++i) {
    const std::array<rc::Gen<ExpansionCase<T>>, 3> generators{
        each[0].classes[i].generator, each[1].classes[i].generator, each[2].classes[i].generator};
    any.classes[i].generator = rc::Gen<ExpansionCase<T>>([generators](const rc::Random& random, int size) {
      rc::Random which = random;
      return generators[which.split().next() % 3](random, size);
    });
  }
  any.contains = [first = each[0].contains, third = each[2].contains](const ExpansionCase<T>& c) {
    return first(c) || third(c);
  };
  any.accepts = std::to_string(n) + " terms, " + text_of(Overlap::p_minus_1) + ", or by at most p − 2 but for single " +
                "pairs; zeros anywhere";
  return any;
}

/// Lists of n Shewchuk-nonoverlapping words with interleaved zeros, in the box of sums.
template <FloatingPoint T>
Domain<ExpansionCase<T>> nonoverlapping_domain(std::size_t n) {
  constexpr int p = FloatTraits<T>::precision;
  const Box box = expansion_sum_box(format_of<T>());
  /// Words of `longest` bits at most, the next one up to `apart` places below the last bit, zeros once in `zeros`.
  const auto words = [=](int longest, int apart, detail::Signs signs, unsigned zeros = 0) {
    return drawn<ExpansionCase<T>>([=](Draw& draw) {
      detail::SignDraw sign(draw, signs);
      int leading = detail::draw_leading_exponent<T>(draw, detail::Place::centre,
                                                     static_cast<int>(n) * std::min(p, longest + apart), box);
      ExpansionCase<T> c;
      while (c.x.size() < n) {
        if (zeros != 0 && draw.one_in(zeros)) {
          c.x.push_back(T{});
          continue;
        }
        const int length = draw.between(1, longest);
        const std::uint64_t dense = assay::detail::draw_significand<p>(draw, Significand::any) >> (p - length);
        const int lowest = leading - length + 1;
        const bool below = lowest < full_box<T>().low;
        c.x.push_back(below ? T{} : compose<T>(sign.next(), dense | 1, lowest));
        leading = lowest - 1 - draw.between(0, apart);
      }
      return c;
    });
  };
  return {.classes = {{"full words, one sign", 2, words(p, 0, detail::Signs::same)},
                      {"full words, mixed signs", 2, words(p, 0, detail::Signs::mixed)},
                      {"few bits, one sign", 3, words(3, 0, detail::Signs::same)},
                      {"few bits, mixed signs", 3, words(3, 1, detail::Signs::mixed)},
                      {"single bits", 2, words(1, 0, detail::Signs::same)},
                      {"single bits, mixed signs", 2, words(1, 1, detail::Signs::mixed)},
                      {"gaps", 2, words(p, p, detail::Signs::mixed)},
                      {"interleaved zeros", 3, words(p / 2, 2, detail::Signs::mixed, 3)}},
          .contains =
              [=](const ExpansionCase<T>& c) {
                thread_local ExactWords exact;
                return c.x.size() == n && exact_words<T>(c.x, exact) &&
                       std::all_of(c.x.begin(), c.x.end(), [&](const T& each) { return in_box(each, box); }) &&
                       judge_shewchuk_nonoverlapping(exact).verdict == Verdict::holds;
              },
          .accepts = std::to_string(n) + " words, |x_j| < uls(x_i) for i < j, zeros anywhere"};
}

/// The classes of one expansion of k words, in the box; its leading word is not zero, and positive with `positive`.
template <FloatingPoint T>
std::vector<InputClass<ExpansionCase<T>>> expansion_classes(std::size_t k, Box box, bool positive = false) {
  using detail::Place;
  using detail::Signs;
  using Style = detail::WordStyle;
  const auto one = [=](Style style, Signs signs, Place place = Place::centre, bool few = false) {
    return drawn<ExpansionCase<T>>([=](Draw& draw) {
      const int exponent = detail::draw_leading_exponent<T>(draw, place, detail::span_of_words<T>(k), box);
      const std::size_t count = few ? 1 + draw.below(k) : k;
      ExpansionCase<T> c{detail::draw_expansion<T>(draw, k, count, style, signs, exponent)};
      if (positive && signbit(c.x[0])) {
        for (T& each : c.x) {
          each = negated(each);
        }
      }
      return c;
    });
  };
  return {
      {"dense words", 4, one(Style::dense, Signs::mixed)},
      {"touching words", 3, one(Style::touching, Signs::mixed)},
      {"words half an ulp", 2, one(Style::tied, Signs::mixed)},
      {"just above powers of two", 3, one(Style::extremal, Signs::mixed)},
      {"just above powers of two, one sign", 2, one(Style::extremal, Signs::same)},
      {"all ones", 2, one(Style::all_ones, Signs::same)},
      {"alternating signs", 1, one(Style::any, Signs::alternating)},
      {"gaps between words", 2, one(Style::gaps, Signs::mixed)},
      {"wide gaps", 1, one(Style::wide, Signs::mixed)},
      {"fewer words", 2, one(Style::any, Signs::mixed, Place::centre, true)},
      {"lowest exponents", 1, one(Style::any, Signs::mixed, Place::lowest)},
      {"highest exponents", 1, one(Style::any, Signs::mixed, Place::highest)},
      {"anywhere", 1, one(Style::any, Signs::mixed, Place::anywhere)},
  };
}

/// The classes of two expansions of k words, in the box; neither is zero with `divisor_not_zero`.
template <FloatingPoint T>
std::vector<InputClass<ExpansionPairCase<T>>> expansion_pair_classes(std::size_t k, Box box,
                                                                     bool divisor_not_zero = false) {
  using detail::Place;
  using detail::Signs;
  using Style = detail::WordStyle;
  constexpr int p = FloatTraits<T>::precision;
  const int span = detail::span_of_words<T>(k);
  /// y at most `apart` places below or above x.
  const auto both = [=](Style style, Signs signs, int apart, Place place = Place::centre, bool few = false) {
    return drawn<ExpansionPairCase<T>>([=](Draw& draw) {
      const int exponent = detail::draw_leading_exponent<T>(draw, place, span, box);
      const int other = std::clamp(exponent - draw.between(0, apart), box.low, box.high);
      const std::size_t least = divisor_not_zero ? 1 : 0;
      const std::size_t count_x = few ? least + draw.below(k + 1 - least) : k;
      const std::size_t count_y = few ? least + draw.below(k + 1 - least) : k;
      auto x = detail::draw_expansion<T>(draw, k, count_x, style, signs, exponent);
      auto y = detail::draw_expansion<T>(draw, k, count_y, style, signs, other);
      if (draw.coin()) std::swap(x, y);
      return ExpansionPairCase<T>{std::move(x), std::move(y)};
    });
  };
  /// y begins with the words of −x, the next one perhaps a neighbour of the word of −x, and goes on by itself.
  const auto cancelling = [=](bool totally) {
    return drawn<ExpansionPairCase<T>>([=](Draw& draw) {
      const int exponent = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
      const std::size_t count = 1 + draw.below(k);
      auto x = detail::draw_expansion<T>(draw, k, count, Style::any, Signs::mixed, exponent);
      std::vector<T> y(k);
      for (std::size_t i = 0; i < k; ++i) {
        y[i] = parts_of(x[i]).significand == 0 ? T{} : negated(x[i]);
      }
      if (!totally) {
        const std::size_t kept = draw.below(k) + 1;
        const T last = y[kept - 1];
        int below = exponent - static_cast<int>(kept) * (p + 1);
        if (parts_of(last).significand != 0) {
          const T near = stepped(last, draw.between(-2, 2));
          const bool fits = parts_of(near).significand != 0 && parts_of(near).leading() == parts_of(last).leading();
          y[kept - 1] = fits ? near : last;
          below = parts_of(last).leading() - p - static_cast<int>(draw.below(4));
          const auto rest = detail::draw_expansion<T>(draw, k - kept, k - kept, Style::any, Signs::mixed, below);
          std::copy(rest.begin(), rest.end(), y.begin() + static_cast<std::ptrdiff_t>(kept));
          if (!is_expansion<T>(y, k, box)) y[kept - 1] = last;
        }
      }
      return ExpansionPairCase<T>{std::move(x), std::move(y)};
    });
  };
  return {
      {"dense, leading words 0 … p + 3 places apart", 4, both(Style::dense, Signs::mixed, p + 3)},
      {"any words, leading words 0 … p + 3 places apart", 3, both(Style::any, Signs::mixed, p + 3)},
      {"touching words", 3, both(Style::touching, Signs::mixed, p)},
      {"words half an ulp", 2, both(Style::tied, Signs::mixed, p)},
      {"just above powers of two", 3, both(Style::extremal, Signs::mixed, 2)},
      {"just above powers of two, one sign", 2, both(Style::extremal, Signs::same, 2)},
      {"gaps between words", 2, both(Style::gaps, Signs::mixed, 2 * p)},
      {"one sign", 1, both(Style::any, Signs::same, p)},
      {"alternating signs", 1, both(Style::any, Signs::alternating, p)},
      {"leading words up to k·p places apart", 2, both(Style::any, Signs::mixed, static_cast<int>(k) * p)},
      {"carry chain", 3, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
         const int exponent = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
         const Style style = draw.coin() ? Style::all_ones : Style::tied;
         auto x = detail::draw_expansion<T>(draw, k, k, style, Signs::same, exponent);
         // Half an ulp of the last word and more decides how that is rounded.
         const int last = static_cast<int>(k) * p;
         const int depth = exponent - (draw.coin() ? last : draw.between(0, last + 1));
         const Style tail = draw.coin() ? Style::tied : Style::gaps;
         auto y = detail::draw_expansion<T>(draw, k, 1 + draw.below(k), tail, Signs::mixed, std::max(depth, box.low));
         return ExpansionPairCase<T>{std::move(x), std::move(y)};
       })},
      {"leading cancellation", 4, cancelling(false)},
      {"total cancellation", 1, cancelling(true)},
      {"ties that later words push on", 1, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
         const std::size_t before = k > 2 && draw.coin() ? k - 2 : 0;
         // y₀ lies this far below x₀.
         const Box room{std::min(box.low + (static_cast<int>(before) + 1) * p + 3, box.high), box.high};
         auto [high, low] = detail::draw_pushed_tie<T>(draw, before, room);
         high.resize(k);
         low.resize(k);
         ExpansionPairCase<T> c{std::move(high), std::move(low)};
         if (!in_box(c.y[0], box) || c.y[0] == T(0)) c.y = c.x;  // a box with no room
         return c;
       })},
      {"fewer words", 2, both(Style::any, Signs::mixed, p, Place::centre, true)},
      {"lowest exponents", 1, both(Style::any, Signs::mixed, p, Place::lowest)},
      {"highest exponents", 1, both(Style::any, Signs::mixed, 3, Place::highest)},
      {"anywhere", 1, both(Style::any, Signs::mixed, static_cast<int>(k) * p, Place::anywhere)},
  };
}

inline std::string text_of(Box box) {
  return "leading words that are not zero in [2^" + std::to_string(box.low) + ", 2^" + std::to_string(box.high + 1) +
         ")";
}

/// One expansion of k words. `positive`: a leading word above 0; otherwise one that is not zero.
template <FloatingPoint T>
Domain<ExpansionCase<T>> expansion_domain(std::size_t k, Box box, bool positive = false) {
  return {.classes = expansion_classes<T>(k, box, positive),
          .contains =
              [=](const ExpansionCase<T>& c) {
                return is_expansion<T>(c.x, k, box) && parts_of(c.x[0]).significand != 0 &&
                       !(positive && signbit(c.x[0]));
              },
          .features = {{"words that are not zero", 0, 17, 17,
                        [](const ExpansionCase<T>& c) {
                          return static_cast<double>(std::count_if(
                              c.x.begin(), c.x.end(), [](const T& w) { return parts_of(w).significand != 0; }));
                        }}},
          .accepts = "expansions of " + std::to_string(k) + " words, |x_(i+1)| ≤ ulp(x_i), not zero" +
                     (positive ? ", positive, " : ", ") + text_of(box)};
}

/// Two expansions of k words; with `divisor_not_zero`, y₀ is not zero.
template <FloatingPoint T>
Domain<ExpansionPairCase<T>> expansion_pair_domain(std::size_t k, Box box, bool divisor_not_zero = false) {
  constexpr double most = 4 * FloatTraits<T>::precision;
  return {.classes = expansion_pair_classes<T>(k, box, divisor_not_zero),
          .contains =
              [=](const ExpansionPairCase<T>& c) {
                return is_expansion<T>(c.x, k, box) && is_expansion<T>(c.y, k, box) &&
                       !(divisor_not_zero && parts_of(c.y[0]).significand == 0);
              },
          .features = {{"log2 of the cancellation in x + y", 0, most, 32,
                        [](const ExpansionPairCase<T>& c) {
                          std::vector<T> all = c.x;
                          all.insert(all.end(), c.y.begin(), c.y.end());
                          return log2_cancellation<T>(all, most);
                        }}},
          .accepts = "two expansions of " + std::to_string(k) + " words, |x_(i+1)| ≤ ulp(x_i), " + text_of(box) +
                     (divisor_not_zero ? ", y ≠ 0" : "")};
}

/// The same for sums, in their box.
template <FloatingPoint T>
Domain<ExpansionPairCase<T>> expansion_pair_domain(std::size_t k) {
  return expansion_pair_domain<T>(k, expansion_sum_box(format_of<T>()));
}

namespace detail {

/// The words nearest to q, as numbers.
template <FloatingPoint T>
std::vector<T> words_nearest_to(const oracle::Rational& q, std::size_t k) {
  std::vector<T> words;
  for (const std::uint64_t bits : nearest_words(format_of<T>(), q, k)) {
    words.push_back(number_of<T>(bits));
  }
  return words;
}

}  // namespace detail

/// Two factors of k words, leading words in the box. Two classes of their own: products that are close to one word, or
/// would be if x were its leading word alone, so that the words of the product cancel; and products whose last word a
/// tail decides.
template <FloatingPoint T>
Domain<ExpansionPairCase<T>> product_domain(std::size_t k, Box box) {
  Domain<ExpansionPairCase<T>> domain = expansion_pair_domain<T>(k, box);
  domain.classes.push_back(
      {"product close to a number", 3, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
         using detail::Place;
         const int span = detail::span_of_words<T>(k);
         const int ex = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
         const int ey =
             std::clamp(detail::draw_leading_exponent<T>(draw, Place::centre, span, box), box.low + 1, box.high - 1);
         auto x = detail::draw_expansion<T>(draw, k, k, detail::WordStyle::wide, detail::Signs::mixed, ex);
         const T product = draw_number<T>(draw, Significand::any, ex + ey);
         const oracle::Dyadic divisor = draw.coin() ? value_of(x[0]) : sum_of_words<T>(x);
         const oracle::Rational quotient = oracle::quotient(value_of(product), divisor);
         ExpansionPairCase<T> c{std::move(x), {}};
         for (const std::uint64_t bits : nearest_words(format_of<T>(), quotient, k)) {
           c.y.push_back(number_of<T>(bits));
         }
         if (draw.coin()) std::swap(c.x, c.y);
         return c;
       })});
  // x·2^j and a tail of half an ulp of its last word and more.
  domain.classes.push_back(
      {"words half an ulp, times a power of two and a tail", 2, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
         constexpr int p = FloatTraits<T>::precision;
         using detail::Place;
         const int span = detail::span_of_words<T>(k);
         const int ex = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
         const int ey = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
         ExpansionPairCase<T> c{detail::draw_expansion<T>(draw, k, k, detail::WordStyle::tied, detail::Signs::same, ex),
                                std::vector<T>(k)};
         c.y[0] = compose<T>(draw.coin(), 1, ey);
         if (k > 1) {
           c.y[1] = detail::draw_word<T>(draw, Significand::any, ey - static_cast<int>(k) * p, draw.coin());
         }
         if (draw.coin()) std::swap(c.x, c.y);
         return c;
       })});
  return domain;
}

namespace detail {

/// k powers of two p places apart from 2^exponent on, and about half an ulp of the last one more: a result whose last
/// word is hard to round.
template <FloatingPoint T>
oracle::Dyadic draw_hard_result(Draw& draw, std::size_t k, int exponent) {
  constexpr int p = FloatTraits<T>::precision;
  oracle::Dyadic sum;
  for (std::size_t i = 0; i < k; ++i) {
    sum += oracle::Dyadic::scaled(1, exponent - static_cast<long>(i) * p);
  }
  const auto tail = static_cast<std::int64_t>(draw.between(1 << 10, 3 << 10));
  return sum + oracle::Dyadic::scaled(draw.coin() ? tail : -tail, exponent - static_cast<long>(k) * p - 11);
}

}  // namespace detail

/// What undoes an operation, for operands with results that are hard to round.
using Inverse = oracle::Rational (*)(const oracle::Dyadic& result);

/// Operands of k words near inverse(r), r a result that is hard to round. `degree`: operand exponents are that times
/// those of the result, but for a place.
template <FloatingPoint T>
InputClass<ExpansionCase<T>> hard_results_class(std::size_t k, Box box, Inverse inverse, int degree) {
  return {"results whose last word is hard to round", 3, drawn<ExpansionCase<T>>([=](Draw& draw) {
            const int most = std::min(8, (std::min(-box.low, box.high) - 2) / std::abs(degree));
            const oracle::Dyadic result = detail::draw_hard_result<T>(draw, k, draw.between(-most, most));
            return ExpansionCase<T>{detail::words_nearest_to<T>(inverse(result), k)};
          })};
}

/// The same for quotients: x near r·y.
template <FloatingPoint T>
InputClass<ExpansionPairCase<T>> hard_quotients_class(std::size_t k, Box box) {
  return {"quotients whose last word is hard to round", 3, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
            const int most = std::min(8, (std::min(-box.low, box.high) - 2) / 2);
            const oracle::Dyadic result = detail::draw_hard_result<T>(draw, k, draw.between(-most, most));
            auto y = detail::draw_expansion<T>(draw, k, 1 + draw.below(k), detail::WordStyle::gaps,
                                               detail::Signs::mixed, draw.between(-most, most));
            auto x = detail::words_nearest_to<T>(result * sum_of_words<T>(y), k);
            return ExpansionPairCase<T>{std::move(x), std::move(y)};
          })};
}

/// x rounded toward zero, and to the nearer end of −2⁶³ … 2⁶³ − 1 beyond it.
inline std::int64_t to_integer_range(const oracle::Dyadic& x) {
  oracle::Dyadic rest = abs(x);
  if (rest >= oracle::Dyadic::scaled(1, 63)) return x.sign() < 0 ? INT64_MIN : INT64_MAX;
  std::int64_t n = 0;
  for (int i = 62; i >= 0; --i) {
    const oracle::Dyadic bit = oracle::Dyadic::scaled(1, i);
    if (rest >= bit) {
      rest -= bit;
      n |= std::int64_t{1} << i;
    }
  }
  return x.sign() < 0 ? -n : n;
}

/// Expansions of k words around the integers of 64 bits.
template <FloatingPoint T>
Domain<ExpansionCase<T>> integer_range_domain(std::size_t k) {
  using detail::Signs;
  using detail::WordStyle;
  constexpr int p = FloatTraits<T>::precision;
  Domain<ExpansionCase<T>> domain = expansion_domain<T>(k, expansion_sum_box(format_of<T>()));
  const auto words = [=](WordStyle style, int low, int high) {
    return drawn<ExpansionCase<T>>([=](Draw& draw) {
      return ExpansionCase<T>{
          detail::draw_expansion<T>(draw, k, 1 + draw.below(k), style, Signs::mixed, draw.between(low, high))};
    });
  };
  domain.classes = {
      {"integers and fractions", 3, words(WordStyle::dense, -2, 62)},
      {"any words", 3, words(WordStyle::any, -2, 65)},
      {"few bits", 2, words(WordStyle::tied, -2, 63)},
      {"beyond the range", 1, words(WordStyle::any, 64, 100)},
      {"beside an integer", 3, drawn<ExpansionCase<T>>([=](Draw& draw) {
         const int bits = draw.between(1, p);
         ExpansionCase<T> c{std::vector<T>(k)};
         c.x[0] = compose<T>(draw.coin(), assay::detail::draw_significand<p>(draw, Significand::any) >> (p - bits), 0);
         const int leading = bits - 1;
         if (k > 1) c.x[1] = draw_number<T>(draw, Significand::any, leading - p - draw.between(0, 40));
         return c;
       })},
      {"at the ends of the range", 2, drawn<ExpansionCase<T>>([=](Draw& draw) {
         ExpansionCase<T> c{std::vector<T>(k)};
         c.x[0] = compose<T>(draw.coin(), 1, 63);
         if (k > 1) c.x[1] = draw_number<T>(draw, Significand::power_of_two, 63 - p - draw.between(0, 64));
         return c;
       })},
  };
  return domain;
}

/// Integers of 64 bits, as four words that are the digits to base 2¹⁶, of one sign.
template <FloatingPoint T>
std::vector<T> digits_of_integer(std::int64_t n) {
  std::vector<T> digits;
  for (int i = 3; i >= 0; --i) {
    const std::int64_t unit = std::int64_t{1} << (16 * i);
    const std::int64_t digit = n / unit;
    n -= digit * unit;
    digits.push_back(compose<T>(digit < 0, static_cast<std::uint64_t>(digit < 0 ? -digit : digit), 16 * i));
  }
  return digits;
}

template <FloatingPoint T>
Domain<ExpansionCase<T>> integer_domain() {
  const auto integers = [](auto make) {
    return drawn<ExpansionCase<T>>(
        [make](Draw& draw) { return ExpansionCase<T>{digits_of_integer<T>(static_cast<std::int64_t>(make(draw)))}; });
  };
  return {.classes = {{"dense", 3, integers([](Draw& draw) { return draw.word(); })},
                      {"short", 2, integers([](Draw& draw) { return draw.word() >> draw.below(64); })},
                      {"few bits", 3, integers([](Draw& draw) {
                         return (std::uint64_t{1} << draw.below(64)) + (std::uint64_t{1} << draw.below(64));
                       })},
                      {"powers of two and their neighbours", 3,
                       integers([](Draw& draw) { return (std::uint64_t{1} << draw.below(64)) - 2 + draw.below(5); })},
                      {"ends of the range", 1,
                       integers([](Draw& draw) { return (std::uint64_t{1} << 63) - 4 + draw.below(8); })}},
          .contains =
              [](const ExpansionCase<T>& c) {
                thread_local ExactWords words;
                if (c.x.size() != 4 || !exact_words<T>(c.x, words)) return false;
                const oracle::Dyadic n = sum_of_words<T>(c.x);
                return n.is_integer() && n >= -oracle::Dyadic::scaled(1, 63) && n < oracle::Dyadic::scaled(1, 63);
              },
          .accepts = "integers of 64 bits, as the sum of four words"};
}

}  // namespace assay::expansion
