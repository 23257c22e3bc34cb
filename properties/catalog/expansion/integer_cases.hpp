#pragma once
// Expansions around the integers of 64 bits, and those integers as expansions of four words.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/catalog/expansion/cases.hpp"

namespace assay::expansion {

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
      const int exponent = draw.between(low, high);
      return ExpansionCase<T>{detail::draw_expansion<T>(draw, k, 1 + draw.below(k), style, Signs::mixed, exponent)};
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
         c.x[0] = compose<T>({.exponent = 0,
                              .significand = assay::detail::draw_significand<p>(draw, Significand::any) >> (p - bits),
                              .negative = draw.coin()});
         const int leading = bits - 1;
         if (k > 1) c.x[1] = draw_number<T>(draw, Significand::any, leading - p - draw.between(0, 40));
         return c;
       })},
      {"at the ends of the range", 2, drawn<ExpansionCase<T>>([=](Draw& draw) {
         ExpansionCase<T> c{std::vector<T>(k)};
         c.x[0] = compose<T>({.exponent = 63, .significand = 1, .negative = draw.coin()});
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
