#pragma once
// Sums and dot products with terms that are not finite, and their results.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracle/decode.hpp"
#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"

namespace assay::sum {

/// The longest vectors with terms that are not finite.
inline constexpr std::size_t longest_special_sum = 2000;

/// The pattern of a term that is not finite, an infinity or a NaN; 0 for a finite term.
inline std::uint64_t special_term(const oracle::Format& format, std::uint64_t x) {
  return oracle::is_finite(format, x) ? 0 : x;
}
/// The same for a product: NaN for a NaN and for 0·∞.
inline std::uint64_t special_term(const oracle::Format& format, std::uint64_t x, std::uint64_t y) {
  if (oracle::is_finite(format, x) && oracle::is_finite(format, y)) return 0;
  const std::uint64_t magnitude = format.sign_mask() - 1;
  const bool zero = (x & magnitude) == 0 || (y & magnitude) == 0;
  if (oracle::is_nan(format, x) || oracle::is_nan(format, y) || zero) return format.nan();
  return format.infinity() | ((x ^ y) & format.sign_mask());
}

/// The result of a sum with terms that are not finite: NaN if there is a NaN or if there are infinities of both signs,
/// otherwise the infinity. 0 if all terms are finite.
template <FloatingPoint T, class Term>
std::uint64_t special_sum(std::size_t n, const Term& term) {
  constexpr oracle::Format format = format_of<T>();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t each = term(i);
    if (each == 0 || each == sum) continue;
    sum = sum == 0 && !oracle::is_nan(format, each) ? each : format.nan();
  }
  return sum;
}
template <FloatingPoint T>
std::uint64_t special_sum(const SumCase<T>& c) {
  return special_sum<T>(c.x.size(), [&](std::size_t i) { return special_term(format_of<T>(), bits_of(c.x[i])); });
}
template <FloatingPoint T>
std::uint64_t special_sum(const DotCase<T>& c) {
  return special_sum<T>(c.x.size(),
                        [&](std::size_t i) { return special_term(format_of<T>(), bits_of(c.x[i]), bits_of(c.y[i])); });
}

/// Every word of a result is the NaN or the infinity that follows from the terms: a predicate for satisfies().
inline constexpr auto special_results = [](const auto& c, const auto& result) {
  constexpr auto format = assay::detail::result_format<std::remove_cvref_t<decltype(result)>>();
  const std::uint64_t want = special_sum(c);
  Judgement worst;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t got = bits_of(result[i]);
    worst.worsen(Judgement::of(oracle::is_nan(format, want) ? oracle::is_nan(format, got) : got == want, i));
  }
  worst.judged = result.size();
  return worst;
};

namespace detail {

/// Any finite number but 0.
template <FloatingPoint T>
T draw_finite(Draw& draw) {
  constexpr oracle::Format format = format_of<T>();
  const std::uint64_t bits = draw.word() & (2 * format.sign_mask() - 1);
  return number_of<T>(
      oracle::is_finite(format, bits) && (bits & (format.sign_mask() - 1)) != 0 ? bits : format.largest_finite());
}
template <FloatingPoint T>
T draw_infinity(bool negative) {
  return number_of<T>(format_of<T>().infinity() | (negative ? format_of<T>().sign_mask() : 0));
}
/// A NaN of either sign, quiet or signaling, with any payload.
template <FloatingPoint T>
T draw_nan(Draw& draw) {
  constexpr oracle::Format format = format_of<T>();
  const std::uint64_t payload = draw.word() & format.fraction_mask();
  const std::uint64_t fraction =
      draw.coin() ? std::uint64_t{1} << draw.between(0, format.fraction_bits() - 1) : payload;
  return number_of<T>(format.infinity() | (fraction == 0 ? 1 : fraction) | (draw.coin() ? format.sign_mask() : 0));
}

/// Which terms are not finite.
struct SpecialTerms {
  int infinities = 0;        ///< +∞
  int other_infinities = 0;  ///< −∞
  int nans = 0;
  bool large = false;  ///< the finite terms are near the largest number, and negative
};

/// Finite terms, and special terms at any places.
template <FloatingPoint T>
std::vector<T> draw_special_terms(Draw& draw, const SpecialTerms& special) {
  const int count = special.infinities + special.other_infinities + special.nans;
  const int longest = draw.one_in(20) ? static_cast<int>(longest_special_sum) : draw.one_in(3) ? 200 : 12;
  std::vector<T> x(static_cast<std::size_t>(draw.between(count, longest)));
  for (T& each : x) {
    each = special.large ? number_of<T>(format_of<T>().largest_finite() | format_of<T>().sign_mask())
                         : draw_finite<T>(draw);
  }
  // Places count from a drawn place, so that no two are equal.
  const std::size_t first = static_cast<std::size_t>(draw.between(0, static_cast<int>(x.size()) - 1));
  const std::size_t step = x.size() / static_cast<std::size_t>(count);
  std::size_t at = 0;
  const auto put = [&](T term) { x[(first + step * at++) % x.size()] = term; };
  for (int i = 0; i < special.infinities; ++i) put(draw_infinity<T>(false));
  for (int i = 0; i < special.other_infinities; ++i) put(draw_infinity<T>(true));
  for (int i = 0; i < special.nans; ++i) put(draw_nan<T>(draw));
  return x;
}

}  // namespace detail

/// Vectors with a term that is not finite.
template <FloatingPoint T>
Domain<SumCase<T>> special_sum_domain() {
  const auto of = [](detail::SpecialTerms special) {
    return drawn<SumCase<T>>([special](Draw& draw) {
      detail::SpecialTerms either = special;
      if (!special.large && draw.coin()) std::swap(either.infinities, either.other_infinities);
      return SumCase<T>{detail::draw_special_terms<T>(draw, either)};
    });
  };
  return {.classes = {{"an infinity", 3, of({1, 0, 0})},
                      {"infinities of one sign", 2, of({3, 0, 0})},
                      {"an infinity, and finite sums that overflow to the other side", 2, of({1, 0, 0, true})},
                      {"infinities of both signs", 3, of({1, 2, 0})},
                      {"a NaN", 3, of({0, 0, 1})},
                      {"a NaN and infinities", 2, of({1, 1, 1})}},
          .contains = [](const SumCase<T>& c) { return c.x.size() <= longest_special_sum && special_sum(c) != 0; },
          .accepts = "up to 2000 numbers, one at least not finite"};
}

/// Vectors of factors, at least one of them not finite.
template <FloatingPoint T>
Domain<DotCase<T>> special_dot_domain() {
  const auto of = [](detail::SpecialTerms special, bool times_zero, bool both) {
    return drawn<DotCase<T>>([=](Draw& draw) {
      DotCase<T> c{detail::draw_special_terms<T>(draw, special), {}};
      const bool positive = draw.coin();
      for (T& x : c.x) {
        T y = positive ? abs(detail::draw_finite<T>(draw)) : detail::draw_finite<T>(draw);
        if (!oracle::is_finite(format_of<T>(), bits_of(x))) {
          if (times_zero) y = number_of<T>(draw.coin() ? format_of<T>().sign_mask() : 0);
          if (both) y = detail::draw_infinity<T>(draw.coin());
        }
        if (draw.coin()) std::swap(x, y);
        c.y.push_back(y);
      }
      return c;
    });
  };
  return {.classes = {{"an infinite factor", 3, of({1, 0, 0}, false, false)},
                      {"infinite factors", 3, of({2, 1, 0}, false, false)},
                      {"an infinity times an infinity", 2, of({1, 0, 0}, false, true)},
                      {"an infinity times 0", 3, of({1, 0, 0}, true, false)},
                      {"a NaN", 3, of({0, 0, 1}, false, false)},
                      {"a NaN times 0", 2, of({0, 0, 1}, true, false)}},
          .contains =
              [](const DotCase<T>& c) {
                return c.x.size() <= longest_special_sum && c.x.size() == c.y.size() && special_sum(c) != 0;
              },
          .accepts = "two vectors of up to 2000 numbers, one factor at least not finite"};
}

}  // namespace assay::sum
