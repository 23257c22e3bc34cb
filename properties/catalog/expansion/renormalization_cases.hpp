#pragma once
// Inputs of renormalization: lists of n terms that overlap, with structures for which renormalization has large errors.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/catalog/expansion/term_draws.hpp"

namespace assay::expansion {

/// The classes of lists of n terms under the condition. With m < n there is a class in which the tail of m words
/// decides the rounding.
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
      {"zeros of both signs", 1, from([=](Draw& draw) {
         const unsigned zeros = draw.one_in(4) ? 8 : 3;  // all terms, or three of eight
         auto x = detail::draw_terms_of<T>(draw, n, condition,
                                           {Gaps::any, Significand::any, Signs::mixed, Place::centre, zeros}, box);
         for (T& each : x) {
           if (bits_of(each) == 0 && draw.coin()) each = negated(each);
         }
         return x;
       })},
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

/// log₂ of Σ|xᵢ| / |Σ xᵢ|, rounded down or one below; `largest` if the sum is 0.
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

/// The condition in words, for `accepts` and for preconditions.
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
    const std::array<CaseGenerator<ExpansionCase<T>>, 3> generators{
        each[0].classes[i].generator, each[1].classes[i].generator, each[2].classes[i].generator};
    any.classes[i].generator = CaseGenerator<ExpansionCase<T>>([generators](const rc::Random& random) {
      rc::Random which = random;
      return generators[which.split().next() % 3](random);
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

}  // namespace assay::expansion
