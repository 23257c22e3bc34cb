#pragma once
// Inputs of the expansion GEMV and GEMM: shapes, strides and transposes around the edges of their blocks and lanes, and
// entries with structures for which sums of products of expansions have large errors.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/expansion/blas_entries.hpp"
#include "properties/catalog/expansion/blas_traits.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::expansion {

namespace detail {

inline std::int64_t draw_dimension(Draw& draw) {
  static constexpr std::array<std::int64_t, 3> blocks{7, 8, 9};
  static constexpr std::array<std::int64_t, 9> edges{15, 16, 17, 31, 32, 33, 63, 64, 65};
  const std::uint64_t kind = draw.below(32);
  if (kind == 0) return 0;
  if (kind < 21) return 1 + static_cast<std::int64_t>(draw.below(3));
  if (kind < 28) return blocks[draw.below(blocks.size())];
  return edges[draw.below(edges.size())];
}

/// The inner dimension; for a GEMV sometimes several products for each lane.
inline std::int64_t draw_inner(Draw& draw, bool lanes) {
  static constexpr std::array<std::int64_t, 7> edges{63, 64, 65, 127, 128, 129, 200};
  return lanes && draw.one_in(5) ? edges[draw.below(edges.size())] : draw_dimension(draw);
}

/// An expansion, perhaps of fewer words than there is room for.
template <FloatingPoint T>
void draw_entry(Draw& draw, std::span<T> to, WordStyle style, Signs signs, int exponent) {
  const std::size_t count = draw.one_in(16) ? draw.below(to.size() + 1) : to.size();
  const std::vector<T> words = draw_expansion<T>(draw, to.size(), count, style, signs, exponent);
  std::copy(words.begin(), words.end(), to.begin());
}

template <FloatingPoint T>
void negate_words(std::span<T> words) {
  for (T& each : words) each = negated(each);
}

/// 0, 1, −1 or an expansion.
template <FloatingPoint T>
std::vector<T> draw_scalar(Draw& draw, std::size_t words) {
  std::vector<T> x(words);
  const std::uint64_t kind = draw.below(8);
  if (kind == 0) return x;
  if (kind < 5) {
    x[0] = compose<T>(kind == 4, 1, 0);
    return x;
  }
  draw_entry<T>(draw, x, WordStyle::any, Signs::mixed, draw.between(-8, 8));
  return x;
}

/// Every entry drawn by `draw_one(words, i, j)`.
template <FloatingPoint T, class One>
void draw_matrix(EntryMatrix<T>& matrix, One&& draw_one) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t j = 0; j < matrix.columns; ++j) draw_one(matrix.at(i, j), i, j);
  }
}

template <FloatingPoint T>
void draw_all(Draw& draw, BlasEntries<T>& e, WordStyle style, Signs signs, int low, int high) {
  for (EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
    draw_matrix(*matrix, [&](std::span<T> words, std::int64_t, std::int64_t) {
      draw_entry<T>(draw, words, style, signs, draw.between(low, high));
    });
  }
}

/// The columns 2j and 2j + 1 of A cancel except for the words from some word on, and so do their products: equal rows
/// of B.
template <FloatingPoint T>
void draw_cancelling_products(Draw& draw, BlasEntries<T>& e) {
  draw_all(draw, e, WordStyle::any, Signs::mixed, -8, 8);
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const auto from = static_cast<std::ptrdiff_t>(draw.below(e.a.words + 1));
      std::copy(e.a.at(i, l).begin(), e.a.at(i, l).begin() + from, e.a.at(i, l + 1).begin());
      std::fill(e.a.at(i, l + 1).begin() + from, e.a.at(i, l + 1).end(), T{});
      negate_words(e.a.at(i, l + 1));
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      std::copy(e.b.at(l, j).begin(), e.b.at(l, j).end(), e.b.at(l + 1, j).begin());
    }
  }
}

/// K words nearest to x, each nearest to the remainder.
template <FloatingPoint T>
void assign_nearest(std::span<T> words, oracle::Dyadic x) {
  for (T& each : words) {
    each = number_of<T>(oracle::round(x, format_of<T>(), oracle::Rounding::nearest));
    x -= value_of(each);
  }
}

/// α = ±1, β = ±1 and C nearest to the value that cancels the product, so that only errors remain.
template <FloatingPoint T>
void draw_cancelling_start(Draw& draw, BlasEntries<T>& e) {
  draw_all(draw, e, WordStyle::any, Signs::mixed, -8, 8);
  const bool minus_alpha = draw.coin();
  const bool minus_beta = draw.coin();
  std::fill(e.alpha.begin(), e.alpha.end(), T{});
  std::fill(e.beta.begin(), e.beta.end(), T{});
  e.alpha[0] = compose<T>(minus_alpha, 1, 0);
  e.beta[0] = compose<T>(minus_beta, 1, 0);
  draw_matrix(e.c, [&](std::span<T> words, std::int64_t i, std::int64_t j) {
    oracle::Dyadic sum;
    for (std::int64_t l = 0; l < e.a.columns; ++l) {
      sum.add_mul(sum_of_words<T>(std::as_const(e.a).at(i, l)), sum_of_words<T>(std::as_const(e.b).at(l, j)));
    }
    if (minus_alpha == minus_beta) sum.negate();
    assign_nearest(words, std::move(sum));
  });
}

/// Words that are 1 in the first place of a row, then tiny powers of two, of one sign, u, u² … or near them: the errors
/// of the additions at each level have one sign.
template <FloatingPoint T>
void draw_worst_order(Draw& draw, BlasEntries<T>& e) {
  constexpr int p = FloatTraits<T>::precision;
  draw_all(draw, e, WordStyle::tied, Signs::same, 0, 0);
  draw_matrix(e.a, [&](std::span<T> words, std::int64_t, std::int64_t l) {
    const int level = l == 0 ? 0 : 1 + static_cast<int>(draw.below(words.size()));
    std::fill(words.begin(), words.end(), T{});
    words[0] = compose<T>(false, 1, -p * level + (level > 0 ? draw.between(-1, 1) : 0));
    if (draw.coin() && words.size() > 1) words[1] = compose<T>(false, 1, -p * (level + 1));
  });
  const bool ones = draw.coin();
  draw_matrix(e.b, [&](std::span<T> words, std::int64_t, std::int64_t) {
    if (ones) {
      std::fill(words.begin(), words.end(), T{});
      words[0] = compose<T>(false, 1, 0);
    } else if (parts_of(words[0]).negative) {
      negate_words(words);
    }
  });
}

/// Rows of A and columns of A with exponents far apart, against those of B.
template <FloatingPoint T>
void draw_scaled(Draw& draw, BlasEntries<T>& e) {
  std::vector<int> rows;
  std::vector<int> inner;
  for (std::int64_t i = 0; i < e.a.rows; ++i) rows.push_back(draw.between(-60, 60));
  for (std::int64_t l = 0; l < e.a.columns; ++l) inner.push_back(draw.between(-90, 90));
  draw_all(draw, e, WordStyle::any, Signs::mixed, -2, 2);
  draw_matrix(e.a, [&](std::span<T> words, std::int64_t i, std::int64_t l) {
    draw_entry<T>(draw, words, WordStyle::any, Signs::mixed,
                  rows[static_cast<std::size_t>(i)] + inner[static_cast<std::size_t>(l)]);
  });
  draw_matrix(e.b, [&](std::span<T> words, std::int64_t l, std::int64_t) {
    draw_entry<T>(draw, words, WordStyle::any, Signs::mixed, draw.between(-2, 2) - inner[static_cast<std::size_t>(l)]);
  });
}

/// Small integers: no operation rounds.
template <FloatingPoint T>
void draw_integers(Draw& draw, BlasEntries<T>& e) {
  for (EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
    draw_matrix(*matrix, [&](std::span<T> words, std::int64_t, std::int64_t) {
      words[0] = compose<T>({.exponent = 0, .significand = draw.below(1 << 12), .negative = draw.coin()});
    });
  }
}

/// Some words of any entry are zero, including leading words.
template <FloatingPoint T>
void draw_with_zero_words(Draw& draw, BlasEntries<T>& e) {
  draw_all(draw, e, WordStyle::any, Signs::mixed, -8, 8);
  for (EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
    for (T& each : matrix->all) {
      if (draw.one_in(3)) each = T{};
    }
  }
}

/// A case of the class that `make(draw, entries)` fills, in a random shape and layout. Operands that a scalar 0 leaves
/// unread hold NaN or numbers; gaps hold specials, but numbers in the array of the result, so that it is finite.
template <class Case, FloatingPoint T, class Make>
Case draw_blas_case(Draw& draw, std::size_t words, Make&& make) {
  std::int64_t m = draw_dimension(draw);
  std::int64_t n = has_columns<Case> ? draw_dimension(draw) : 1;
  const std::int64_t k = draw_inner(draw, !has_columns<Case>);
  const std::int64_t most = words > 4 ? 600 : 2000;
  while (m * n * k > most) (m > n ? m : n) = 1 + static_cast<std::int64_t>(draw.below(3));
  BlasEntries<T> e{draw_scalar<T>(draw, words), draw_scalar<T>(draw, words), zero_matrix<T>(m, k, words),
                   zero_matrix<T>(k, n, words), zero_matrix<T>(m, n, words)};
  make(draw, e);
  const T nan = number_of<T>(format_of<T>().nan());
  if (all_zero<T>(e.alpha) && draw.coin()) {
    std::fill(e.a.all.begin(), e.a.all.end(), nan);
    std::fill(e.b.all.begin(), e.b.all.end(), nan);
  }
  if (all_zero<T>(e.beta) && m > 0 && n > 0 && k > 0 && draw.coin()) std::fill(e.c.all.begin(), e.c.all.end(), nan);
  const auto stride = [&]() -> std::int64_t {
    static constexpr std::array<std::int64_t, 8> strides{1, 1, 1, 1, 2, -1, -2, 3};
    return strides[draw.below(strides.size())];
  };
  const auto above = [&]() -> std::int64_t { return draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(4)); };
  const BlasLayout layout{draw.coin(), draw.coin(), above(), above(), above(), stride(), stride()};
  Case c;
  lay_out(
      e, layout, [&] { return draw.coin() ? nan : draw_special<T>(draw); },
      [&] { return draw_number<T>(draw, Significand::any, draw.between(-4, 4)); }, c);
  return c;
}

}  // namespace detail

/// The classes of GEMV or GEMM cases with K = `words`.
template <class Case, FloatingPoint T>
std::vector<InputClass<Case>> expansion_blas_classes(std::size_t words) {
  using detail::BlasEntries;
  using detail::Signs;
  using detail::WordStyle;
  const auto from = [words](auto make) {
    return drawn<Case>([=](Draw& draw) { return detail::draw_blas_case<Case, T>(draw, words, make); });
  };
  const auto entries = [&](WordStyle style, Signs signs, int low, int high) {
    return from([=](Draw& draw, BlasEntries<T>& e) { detail::draw_all(draw, e, style, signs, low, high); });
  };
  return {
      {"dense words", 3, entries(WordStyle::dense, Signs::mixed, -4, 4)},
      {"products of one sign", 3, from([](Draw& draw, BlasEntries<T>& e) {
         detail::draw_all(draw, e, WordStyle::dense, Signs::same, -2, 2);
         for (detail::EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
           detail::draw_matrix(*matrix, [](std::span<T> x, std::int64_t, std::int64_t) {
             if (parts_of(x[0]).negative) detail::negate_words(x);
           });
         }
       })},
      {"any words, exponents within ±p", 2,
       entries(WordStyle::any, Signs::mixed, -FloatTraits<T>::precision, FloatTraits<T>::precision)},
      {"touching words", 2, entries(WordStyle::touching, Signs::mixed, -1, 1)},
      {"carry chains of ones", 2, entries(WordStyle::all_ones, Signs::same, -1, 1)},
      {"words just above powers of two", 1, entries(WordStyle::extremal, Signs::same, -1, 1)},
      {"zero words between", 2, from(detail::draw_with_zero_words<T>)},
      {"products cancel down to low words", 3, from(detail::draw_cancelling_products<T>)},
      {"the start cancels the product", 3, from(detail::draw_cancelling_start<T>)},
      {"1, u, u², … of one sign", 3, from(detail::draw_worst_order<T>)},
      {"scaled rows and columns", 2, from(detail::draw_scaled<T>)},
      {"small integers", 1, from(detail::draw_integers<T>)},
      {"products in the range of underflow", 2,
       entries(WordStyle::any, Signs::mixed, FloatTraits<T>::emin / 2 - 80, FloatTraits<T>::emin / 2 + 80)},
  };
}

template <class Case, FloatingPoint T>
Domain<Case> expansion_blas_domain(std::size_t words) {
  Domain<Case> domain{
      .classes = expansion_blas_classes<Case, T>(words),
      .contains = [words](const Case& c) { return is_blas_case(c, words); },
      .features = {{"log2 of the inner dimension + 1, rounded up", 0, 9, 9,
                    [words](const Case& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(problem_of(c, words, 1).k)));
                    }}},
      .axes = [words](const Case& c) { return blas_axes(c, words); },
      .accepts =
          "dimensions up to " + std::to_string(longest_dimension) + ", at most " + std::to_string(most_products) +
          " products; strides 1 to 3 or -1 to -3; arrays of " + std::to_string(words) +
          " words per entry, as long as shape and leading dimensions require; words that are read finite, below " +
          "2^" + std::to_string(blas_box<T>().high + 1)};
  if constexpr (std::is_same_v<Case, ExpansionGemvCase<double>>) {
    domain.traits = std::make_shared<const Traits<Case>>(gemv_traits(expansion_numbers(words, words > 4 ? 600 : 2000)));
  } else if constexpr (std::is_same_v<Case, ExpansionGemmCase<double>>) {
    domain.traits = std::make_shared<const Traits<Case>>(gemm_traits(words));
  }
  return domain;
}

}  // namespace assay::expansion
