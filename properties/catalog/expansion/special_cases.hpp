#pragma once
// Lists of words, some of them infinite or NaN, and the promises of renormalization for them. docs/bounds/expansion.md,
// expansion.special.1.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "errorbounds/expansion_theorems.hpp"
#include "properties/catalog/expansion/properties.hpp"
#include "properties/draws/sum/special_cases.hpp"

namespace assay::expansion {

/// The numbers of words that the cases have.
inline bool is_special_length(std::size_t n) { return n == 2 || n == 4 || n == 8; }

/// 2, 4 or 8 words, at least one of them infinite or NaN. `only`: only cases with this many words; 0: with any number.
template <FloatingPoint T>
Domain<ExpansionCase<T>> special_terms_domain(std::size_t only = 0) {
  using Case = ExpansionCase<T>;
  const auto with = [only](auto put) {
    return drawn<Case>([=](Draw& draw) {
      const std::size_t n = only != 0 ? only : std::size_t{2} << draw.below(3);
      const Box box = expansion_sum_box(format_of<T>());
      Case c{detail::draw_terms_of<T>(
          draw, n, Overlap::p_minus_2,
          {detail::Gaps::any, Significand::any, detail::Signs::mixed, detail::Place::centre, draw.one_in(3) ? 3U : 0U},
          box)};
      put(draw, c.x);
      return c;
    });
  };
  const auto at = [](Draw& draw, std::vector<T>& x) -> T& { return x[draw.below(x.size())]; };
  return {
      .classes =
          {
              {"an infinity", 3,
               with([=](Draw& draw, std::vector<T>& x) { at(draw, x) = sum::detail::draw_infinity<T>(draw.coin()); })},
              {"a NaN", 2, with([=](Draw& draw, std::vector<T>& x) { at(draw, x) = sum::detail::draw_nan<T>(draw); })},
              {"two infinities", 2, with([](Draw& draw, std::vector<T>& x) {
                 const std::size_t first = draw.below(x.size());
                 const std::size_t step = 1 + draw.below(x.size() - 1);
                 x[first] = sum::detail::draw_infinity<T>(draw.coin());
                 x[(first + step) % x.size()] = sum::detail::draw_infinity<T>(draw.coin());
               })},
              {"an infinity and zeros", 1, with([=](Draw& draw, std::vector<T>& x) {
                 std::fill(x.begin(), x.end(), T(0));
                 at(draw, x) = sum::detail::draw_infinity<T>(draw.coin());
               })},
          },
      .contains =
          [only](const Case& c) {
            return is_special_length(c.x.size()) && (only == 0 || c.x.size() == only) &&
                   std::any_of(c.x.begin(), c.x.end(),
                               [](const T& x) { return !oracle::is_finite(format_of<T>(), bits_of(x)); });
          },
      .accepts = "2, 4 or 8 words, at least one of them infinite or NaN"};
}

/// The results of one or more operations on a case, each a list of words: every list begins with NaN.
template <class T>
auto begins_with_nan() {
  return satisfies("not_a_number", expansion_special_1, [](const ExpansionCase<T>&, const Expansions<T>& z) {
    Judgement worst;
    for (std::size_t i = 0; i < z.words.size(); i += z.length) {
      worst.worsen(Judgement::of(oracle::is_nan(format_of<T>(), bits_of(z.words[i])), i / z.length));
    }
    return worst;
  });
}

}  // namespace assay::expansion
