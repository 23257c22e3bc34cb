#pragma once
// Inputs of binned sums: terms at the edges of bins, terms whose parts after the last bin have one sign and are as
// large as possible, and as many large terms as a word can hold; and the definition of binned sums by integers.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/catalog/sum/exact_dot_cases.hpp"

namespace assay::sum {

/// The width W of a bin, and the largest number of terms in most domains: a word of binary64 holds 2¹¹ terms, a word of
/// binary32 2⁹.
template <FloatingPoint T>
inline constexpr int width_of_bins = FloatTraits<T>::precision == 53 ? 40 : 13;
inline constexpr std::size_t longest_binned_sum = 8200;

namespace binned {

/// (−1)^negative·m·2^e, m > 0.
struct Term {
  std::int64_t m;
  int e;
  bool negative;
};

/// The terms of a binned sum: the terms of a sum other than 0.
template <FloatingPoint T>
std::vector<Term> terms_of(const SumCase<T>& c) {
  std::vector<Term> terms;
  for (const T& each : c.x) {
    const NumberParts x = parts_of(each);
    if (x.significand != 0) terms.push_back({static_cast<std::int64_t>(x.significand), x.exponent, x.negative});
  }
  return terms;
}
/// The numbers p̂ and e of every product, p̂ the p bits nearest to it, ties to even.
template <FloatingPoint T>
std::vector<Term> terms_of(const DotCase<T>& c) {
  __extension__ using Wide = unsigned __int128;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const NumberParts x = parts_of(c.x[i]);
    const NumberParts y = parts_of(c.y[i]);
    const Wide product = static_cast<Wide>(x.significand) * y.significand;
    if (product == 0) continue;
    const bool negative = x.negative != y.negative;
    const int e = x.exponent + y.exponent;
    const auto high = static_cast<std::uint64_t>(product >> 64);
    const int bits = high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                               : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(product)));
    const int cut = std::max(0, bits - FloatTraits<T>::precision);
    const Wide one = 1;
    const Wide rest = product & ((one << cut) - 1);
    const Wide half = cut == 0 ? one : one << (cut - 1);
    auto head = static_cast<std::int64_t>(product >> cut);
    const bool up = rest > half || (rest == half && (head & 1) != 0);
    head += up ? 1 : 0;
    terms.push_back({head, e + cut, negative});
    if (rest != 0) {
      terms.push_back({static_cast<std::int64_t>(up ? (one << cut) - rest : rest), e, negative != up});
    }
  }
  return terms;
}

/// ⌊a/b⌋ for b > 0.
constexpr int floored(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// log₂ of the grid of bin B − k of these terms, B the bin of the largest; W bits a bin.
template <FloatingPoint T>
int log2_grid(const std::vector<Term>& terms, int width, int k) {
  int top = -(1 << 20);
  for (const Term& each : terms) top = std::max(top, each.e + static_cast<int>(std::bit_width(std::uint64_t(each.m))));
  return detail::lowest_place<T> + width * (floored(top - detail::lowest_place<T>, width) - k);
}

/// The part of the terms that K bins hold, exactly.
template <FloatingPoint T>
oracle::Dyadic in_bins(const std::vector<Term>& terms, int width, int folds) {
  oracle::Dyadic sum;
  const int first = log2_grid<T>(terms, width, 0);
  for (Term rest : terms) {
    for (int k = 0; k < folds && rest.m != 0; ++k) {
      const int grid = first - k * width;
      const int shift = grid - rest.e;
      if (shift > 60) continue;
      if (shift <= 0) {
        sum += oracle::Dyadic::scaled(rest.negative ? -rest.m : rest.m, rest.e);
        break;
      }
      const std::int64_t grids = (rest.m + (std::int64_t{1} << (shift - 1))) >> shift;
      sum += oracle::Dyadic::scaled(rest.negative ? -grids : grids, grid);
      rest.m -= grids << shift;
      if (rest.m < 0) rest = {-rest.m, rest.e, !rest.negative};
    }
  }
  return sum;
}

/// Whether every term is a multiple of the last of K grids.
template <FloatingPoint T>
bool fits(const std::vector<Term>& terms, int width, int folds) {
  const int last = log2_grid<T>(terms, width, folds - 1);
  return std::all_of(terms.begin(), terms.end(), [last](const Term& each) {
    return each.e + std::countr_zero(static_cast<std::uint64_t>(each.m)) >= last;
  });
}

/// The largest |x|, or |xy|.
template <FloatingPoint T>
oracle::Dyadic largest(const SumCase<T>& c) {
  oracle::Dyadic most;
  for (const T& each : c.x) most = std::max(most, value_of(abs(each)));
  return most;
}
template <FloatingPoint T>
oracle::Dyadic largest(const DotCase<T>& c) {
  oracle::Dyadic most;
  for (std::size_t i = 0; i < c.x.size(); ++i) most = std::max(most, value_of(abs(c.x[i])) * value_of(abs(c.y[i])));
  return most;
}

/// log₂ of the least number g/2 whose first bin is the `bin`-th.
template <FloatingPoint T>
constexpr int lower_edge(int bin) {
  return detail::lowest_place<T> + bin * width_of_bins<T> - 1;
}
/// The first bin of the largest numbers of T.
template <FloatingPoint T>
inline constexpr int last_bin = (FloatTraits<T>::emax - detail::lowest_place<T> + 1) / width_of_bins<T>;
/// The least bin with half a grid below the last of four grids that has p bits of its own.
template <FloatingPoint T>
inline constexpr int first_full_bin = 5 + FloatTraits<T>::precision / width_of_bins<T>;

/// Numbers at and next to the edges of some bins.
template <FloatingPoint T>
SumCase<T> draw_edges(Draw& draw, int edge_factor) {
  const int top = draw.between(1, last_bin<T>);
  SumCase<T> c;
  for (std::size_t i = detail::draw_length(draw); i > 0; --i) {
    const int bin = std::max(0, top - (draw.coin() ? 0 : draw.between(0, 5)));
    const int edge = lower_edge<T>(bin) / edge_factor;
    const int exponent = std::clamp(edge + draw.between(-2, 1), detail::lowest_place<T>, FloatTraits<T>::emax);
    constexpr Significand kinds[] = {Significand::power_of_two, Significand::all_ones, Significand::low_bits,
                                     Significand::any};
    const Significand kind = kinds[draw.below(std::size(kinds))];
    c.x.push_back(draw_number<T>(draw, kind, exponent, draw.coin()));
  }
  return c;
}

/// ±g/2 of a bin with the grid g, which cancel or not, and terms that leave half of the last of 1 … 4 grids, or nearly
/// half, all with one sign.
template <FloatingPoint T>
SumCase<T> draw_largest_rests(Draw& draw) {
  constexpr int place = FloatTraits<T>::precision - 12;  // of half a grid in the significands, with 11 bits above it
  const int folds = draw.between(1, 4);
  const int bin = draw.between(first_full_bin<T>, last_bin<T> - 1);
  const int last = lower_edge<T>(bin - folds + 1) + 1;  // log₂ of the last grid
  const bool negative = draw.coin();
  const bool tie = draw.one_in(4);
  SumCase<T> c;
  for (std::size_t i = detail::draw_length(draw); i > 0; --i) {
    const std::uint64_t grids = draw.coin() ? 0 : draw.below(1024);
    const std::uint64_t below = tie ? draw.below(2) : 1 + draw.below(3);
    c.x.push_back(compose<T>(negative, (2 * grids + 1) * (std::uint64_t{1} << place) - below, last - 1 - place));
  }
  const int high = lower_edge<T>(bin);
  c.x.push_back(compose<T>(false, 1, high));
  c.x.push_back(compose<T>(!draw.one_in(4), 1, high));
  detail::shuffle(draw, c.x);
  return c;
}

/// One, two or four times as many terms of one sign as a word holds before its carry is taken, or one more or less;
/// each term is as large as its bin allows.
template <FloatingPoint T>
SumCase<T> draw_full_words(Draw& draw) {
  const int additions = 1 << (FloatTraits<T>::precision - width_of_bins<T> - 2);
  const int most = additions << draw.below(3);
  const int n = most + draw.between(-1, 1);
  const int bin = draw.between(2, last_bin<T> - 1);
  const bool negative = draw.coin();
  SumCase<T> c;
  while (static_cast<int>(c.x.size()) < n) {
    c.x.push_back(draw_number<T>(draw, Significand::all_ones, lower_edge<T>(bin) - 1, negative));
  }
  if (draw.coin()) c.x.push_back(draw_number<T>(draw, Significand::any, lower_edge<T>(bin) + 1, negative));
  return c;
}

/// Products whose parts after the last of 1 … 4 grids have one sign, and ±g/2, which cancel or not.
template <FloatingPoint T>
DotCase<T> draw_largest_rests_of_products(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr int width = width_of_bins<T>;
  const int folds = draw.between(1, 4);
  const int bin = draw.between(first_full_bin<T>, last_bin<T> - 1);
  const int high = lower_edge<T>(bin);
  const int last = lower_edge<T>(bin - folds + 1) + 1;
  const int most = std::min(last + p - 2, high + width - 2);
  DotCase<T> c;
  for (std::size_t i = detail::draw_length(draw); i > 0; --i) {
    const int exponent = most - draw.between(0, 2);
    DotCase<T> one = detail::draw_factors<T>(draw, 1, Significand::dense, exponent - 1, exponent - 1, false);
    std::vector<Term> terms = terms_of(one);
    terms.push_back({1, high, false});  // the term with the first bin
    const oracle::Dyadic rest = exact_sums(one).sum + oracle::Dyadic::scaled(1, high) - in_bins<T>(terms, width, folds);
    // With one bin, the added number g/2 leaves −g/2.
    if ((folds == 1 ? rest + oracle::Dyadic::scaled(1, high) : rest).sign() < 0) one.y[0] = negated(one.y[0]);
    detail::append_terms(c, one, 0, 1);
  }
  const bool cancels = !draw.one_in(4);
  for (const bool minus : {false, true}) {
    c.x.push_back(compose<T>(minus && cancels, 1, high));
    c.y.push_back(compose<T>(false, 1, 0));
  }
  return c;
}

}  // namespace binned

/// The classes of sums to the last bit, and the classes for bins.
template <FloatingPoint T>
Domain<SumCase<T>> binned_sum_domain() {
  Domain<SumCase<T>> domain = accurate_sum_domain<T>(SumRoom::any, longest_binned_sum);
  const auto add = [&](const char* name, unsigned weight, auto make) {
    domain.classes.push_back({name, weight, detail::drawn_terms<SumCase<T>>(longest_binned_sum, make)});
  };
  add("at the edges of bins", 4, [](Draw& draw) { return binned::draw_edges<T>(draw, 1); });
  add("squares at the edges of bins", 2, [](Draw& draw) { return binned::draw_edges<T>(draw, 2); });
  add("rests behind the last bin of one sign, as large as they may be", 4, binned::draw_largest_rests<T>);
  add("as many terms as a word takes in, each as large as it may be", 1, binned::draw_full_words<T>);
  return domain;
}

/// The classes of dot products to the last bit, and the classes for bins.
template <FloatingPoint T>
Domain<DotCase<T>> binned_dot_domain() {
  Domain<DotCase<T>> domain = exact_dot_domain<T>();
  const auto add = [&](const char* name, unsigned weight, auto make) {
    domain.classes.push_back({name, weight, detail::drawn_terms<DotCase<T>>(longest_exact_sum, make)});
  };
  const auto of_sums = [](auto make) {
    return [make](Draw& draw) { return detail::with_powers_of_two<T>(draw, make(draw)); };
  };
  add("sum: at the edges of bins", 3, of_sums([](Draw& draw) { return binned::draw_edges<T>(draw, 1); }));
  add("sum: rests behind the last bin of one sign", 2, of_sums(binned::draw_largest_rests<T>));
  add("products whose rests behind the last bin have one sign", 4, binned::draw_largest_rests_of_products<T>);
  add("sum: as many terms as a word takes in, each as large as it may be", 1, of_sums(binned::draw_full_words<T>));
  return domain;
}

}  // namespace assay::sum
