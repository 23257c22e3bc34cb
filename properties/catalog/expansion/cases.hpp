#pragma once
// Inputs of expansion arithmetic: expansions alone and in pairs, with structures for which the arithmetic has large
// errors. Lists of terms to renormalize: properties/catalog/expansion/renormalization_cases.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/expansion/decimal.hpp"
#include "properties/catalog/expansion/renormalization_cases.hpp"
#include "properties/catalog/expansion/term_draws.hpp"

namespace assay::expansion {

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
  /// y begins with the words of −x, the next one perhaps a neighbor of the word of −x, and continues independently.
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
         // A tail of half an ulp of the last word or more decides how the last word is rounded.
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

/// The words nearest to q, as numbers of the format.
template <FloatingPoint T>
std::vector<T> words_nearest_to(const oracle::Rational& q, std::size_t k) {
  std::vector<T> words;
  for (const std::uint64_t bits : nearest_words(format_of<T>(), q, k)) {
    words.push_back(number_of<T>(bits));
  }
  return words;
}

}  // namespace detail

/// Two factors of k words, leading words in the box. Two special classes: products that are close to one word, or would
/// be if x were only its leading word, so that the words of the product cancel; and products whose last word a tail
/// decides.
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
         c.y[0] = compose<T>({.exponent = ey, .significand = 1, .negative = draw.coin()});
         if (k > 1) {
           c.y[1] = detail::draw_word<T>(draw, Significand::any, ey - static_cast<int>(k) * p, draw.coin());
         }
         if (draw.coin()) std::swap(c.x, c.y);
         return c;
       })});
  return domain;
}

/// One factor is ±2^j, j ≥ 0, and nothing after it.
template <FloatingPoint T>
InputClass<ExpansionPairCase<T>> power_of_two_class(std::size_t k, Box box) {
  return {
      "times a power of two", 1, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
        using detail::Place;
        const int exponent = detail::draw_leading_exponent<T>(draw, Place::centre, detail::span_of_words<T>(k), box);
        ExpansionPairCase<T> c{
            detail::draw_expansion<T>(draw, k, k, detail::WordStyle::any, detail::Signs::mixed, exponent),
            std::vector<T>(k)};
        c.y[0] =
            compose<T>({.exponent = draw.between(0, std::min(8, box.high)), .significand = 1, .negative = draw.coin()});
        if (draw.coin()) std::swap(c.x, c.y);
        return c;
      })};
}

/// y in two words or more and x₀ with a product close to a number, and far after x₀ one more word of x: the product
/// has zeros between its words, where sweeps by FastTwoSum lose the words after the first. Requires: k ≥ 4.
template <FloatingPoint T>
InputClass<ExpansionPairCase<T>> gaps_in_products_class(std::size_t k, Box box) {
  return {"product of x₀ and y close to a number, x₁ far below", 2, drawn<ExpansionPairCase<T>>([=](Draw& draw) {
            using F = FloatTraits<T>;
            using detail::Place;
            const int span = detail::span_of_words<T>(k);
            const int ex = detail::draw_leading_exponent<T>(draw, Place::centre, span, box);
            const int ey =
                std::clamp(detail::draw_leading_exponent<T>(draw, Place::centre, span, box), box.low + 1, box.high - 1);
            ExpansionPairCase<T> c{std::vector<T>(k), std::vector<T>(k)};
            c.x[0] = draw_number<T>(draw, Significand::any, ex);
            const T product = draw_number<T>(draw, Significand::any, ex + ey);
            const std::size_t words = 2 + draw.below(k - 2);
            const int below = ex - static_cast<int>(words) * F::precision - draw.between(0, 6);
            if (below >= F::emin) c.x[1] = compose<T>({.exponent = below, .significand = 1, .negative = draw.coin()});
            const oracle::Rational quotient = oracle::quotient(value_of(product), value_of(c.x[0]));
            const std::vector<T> nearest = detail::words_nearest_to<T>(quotient, words);
            std::copy(nearest.begin(), nearest.end(), c.y.begin());
            if (draw.coin()) std::swap(c.x, c.y);
            return c;
          })};
}

namespace detail {

/// A number from 2^exponent on, at most a thirty-second above it, followed by k − 1 powers of two, each p places below
/// the one before, and about half an ulp of the last one: a result whose last word is hard to round. In half of the
/// cases the first number is a power of two; in the others, squares and quotients have words with gaps, so that k words
/// of an operand determine the half ulp.
template <FloatingPoint T>
oracle::Dyadic draw_hard_result(Draw& draw, std::size_t k, int exponent) {
  constexpr int p = FloatTraits<T>::precision;
  const std::uint64_t above = draw.coin() ? 0 : 2 * draw.below(std::uint64_t{1} << (p - 7));
  oracle::Dyadic sum = oracle::Dyadic(above) * oracle::Dyadic::scaled(1, exponent - p + 1);
  for (std::size_t i = 0; i < k; ++i) {
    sum += oracle::Dyadic::scaled(1, exponent - static_cast<long>(i) * p);
  }
  const auto tail = static_cast<std::int64_t>(draw.between(1 << 10, 3 << 10));
  return sum + oracle::Dyadic::scaled(draw.coin() ? tail : -tail, exponent - static_cast<long>(k) * p - 11);
}

}  // namespace detail

/// The inverse of an operation, for operands whose results are hard to round.
using Inverse = oracle::Rational (*)(const oracle::Dyadic& result);

/// Operands of k words near inverse(r), where r is a result that is hard to round. `degree`: exponents of operands are
/// that times the exponents of the result, up to one place.
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
            const int exponent = draw.between(-most, most);
            auto y = detail::draw_expansion<T>(draw, k, 1 + draw.below(k), detail::WordStyle::gaps,
                                               detail::Signs::mixed, exponent);
            auto x = detail::words_nearest_to<T>(result * sum_of_words<T>(y), k);
            return ExpansionPairCase<T>{std::move(x), std::move(y)};
          })};
}

}  // namespace assay::expansion
