#pragma once
// Places entries of A, B and C in the cases of this family, for the classes of inputs of expansion_blas_classes. If an
// operation lacks an operand, it takes the entries of another one: so products still cancel or have large errors.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/catalog/expansion/blas_cases.hpp"
#include "properties/catalog/xblas/cases.hpp"

namespace assay::xblas {

using Entries = expansion::detail::BlasEntries<double>;
using Matrix = expansion::detail::EntryMatrix<double>;
using expansion::detail::BlasLayout;
using expansion::detail::laid_out;

namespace detail {

/// A matrix whose entry (i, j) has the words of entry(i, j). NaNs become 0: their places belong to another operand.
template <class EntryOf>
Matrix matrix_of(std::int64_t rows, std::int64_t columns, std::size_t words, EntryOf&& entry) {
  Matrix m = expansion::detail::zero_matrix<double>(rows, columns, words);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      std::ranges::transform(entry(i, j), m.at(i, j).begin(), [](double x) { return std::isnan(x) ? 0.0 : x; });
    }
  }
  return m;
}

inline bool is_sign(const Numbers& x) {
  return std::abs(x[0]) == 1 && expansion::detail::all_zero(std::span<const double>(x).subspan(1));
}

/// If α and β are ±1, the start becomes the number nearest to the value that cancels the products.
template <class Case>
void cancel_start(Case& c, const Numbers& beta, std::size_t words, Numbers& start) {
  if (!is_sign(c.alpha) || !is_sign(beta)) return;
  std::vector<std::pair<std::size_t, oracle::Dyadic>> sums;
  expansion::detail::for_each_sum(
      problem_of(c, words, 1), [](std::span<const double> entry) { return sum_of_words<double>(entry); },
      [&](std::int64_t, std::int64_t, std::size_t place, const oracle::Dyadic& sum) { sums.emplace_back(place, sum); });
  for (auto& [place, sum] : sums) {
    if (std::signbit(c.alpha[0]) == std::signbit(beta[0])) sum.negate();
    expansion::detail::assign_nearest(std::span<double>(start).subspan(place * words, words), std::move(sum));
  }
}

}  // namespace detail

/// The first row of A, and B.
template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&&, DotCase& c) {
  const std::size_t words = e.a.words;
  c.n = e.a.rows == 0 ? 0 : e.a.columns;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.x = laid_out(detail::matrix_of(c.n, 1, words, [&](std::int64_t i, std::int64_t) { return e.a.at(0, i); }),
                 vector_places(c.n, c.incx), filler);
  c.y = laid_out(detail::matrix_of(c.n, 1, words, [&](std::int64_t i, std::int64_t) { return e.b.at(i, 0); }),
                 vector_places(c.n, c.incy), filler);
}

template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept, AsumCase& c) {
  DotCase dot;
  lay_out(e, layout, filler, kept, dot);
  c = {dot.n, dot.incx, std::move(dot.x)};
}

/// x is the first column of A, α the first entry of B if α and β are ±1, y is C.
template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept, AxpyCase& c) {
  const std::size_t words = e.a.words;
  const bool cancels = detail::is_sign(e.alpha) && detail::is_sign(e.beta) && e.b.rows > 0;
  c.n = e.a.columns == 0 ? 0 : e.a.rows;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.alpha = e.alpha;
  if (cancels) std::ranges::copy(e.b.at(0, 0), c.alpha.begin());
  const bool unread = expansion::detail::all_zero<double>(c.alpha);
  const Matrix x = detail::matrix_of(c.n, 1, words, [&](std::int64_t i, std::int64_t) { return e.a.at(i, 0); });
  c.x = laid_out(x, vector_places(c.n, c.incx), filler);
  if (unread) std::ranges::generate(c.x, filler);
  Matrix y = detail::matrix_of(c.n, 1, words, [&](std::int64_t i, std::int64_t) { return e.c.at(i, 0); });
  for (std::int64_t i = 0; cancels && i < c.n; ++i) {
    expansion::detail::assign_nearest(
        y.at(i, 0), -(sum_of_words<double>(c.alpha) * sum_of_words<double>(std::as_const(x).at(i, 0))));
  }
  c.y = laid_out(y, vector_places(c.n, c.incy), kept);
}

/// The square part of A above its diagonal, B and C.
template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept, SymvCase& c) {
  const std::size_t words = e.a.words;
  c.upper = layout.transa ? 1 : 0;
  c.n = std::min(e.a.rows, e.a.columns);
  c.lda = std::max<std::int64_t>(1, c.n) + layout.above_a;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.alpha = e.alpha;
  c.beta = e.beta;
  const Part stored = c.upper != 0 ? Part::upper : Part::lower;
  const EntryPlaces places = matrix_places(c.n, c.n, c.lda, false);
  c.a.resize(static_cast<std::size_t>(places.size) * words);
  std::ranges::generate(c.a, filler);
  for (std::int64_t i = 0; i < c.n; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      if (!expansion::detail::is_in(stored, i, j)) continue;
      std::ranges::copy(e.a.at(std::min(i, j), std::max(i, j)),
                        c.a.begin() + static_cast<std::ptrdiff_t>(places(i, j) * words));
    }
  }
  const auto first = [&](const Matrix& from) {
    Matrix m{c.n, 1, words, from.all};
    m.all.resize(static_cast<std::size_t>(c.n) * words);
    return m;
  };
  c.x = laid_out(first(e.b), vector_places(c.n, c.incx), filler);
  c.y = laid_out(first(e.c), vector_places(c.n, c.incy), kept);
  detail::cancel_start(c, c.beta, words, c.y);
}

/// A is the start, B is y, C is x.
template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept, GerCase& c) {
  const std::size_t words = e.a.words;
  c.m = e.a.rows;
  c.n = e.a.columns;
  c.lda = std::max<std::int64_t>(1, c.m) + layout.above_a;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.alpha = e.alpha;
  const auto finite = [&](const Matrix& from) {
    return detail::matrix_of(from.rows, 1, words, [&](std::int64_t i, std::int64_t) { return from.at(i, 0); });
  };
  c.x = laid_out(finite(e.c), vector_places(c.m, c.incx), filler);
  c.y = laid_out(finite(e.b), vector_places(c.n, c.incy), filler);
  c.a = laid_out(e.a, matrix_places(c.m, c.n, c.lda, false), kept);
  if (detail::is_sign(e.beta)) detail::cancel_start(c, Numbers(one_words, one_words + words), words, c.a);
}

/// The first rows of A, as many as keep the number of products small, and C with its columns repeated.
template <class Filler, class KeptFiller>
void lay_out(const Entries& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept, SyrkCase& c) {
  const std::size_t words = e.a.words;
  c.upper = layout.transb ? 1 : 0;
  c.trans = layout.transa ? 1 : 0;
  constexpr std::int64_t most = 1500;
  c.k = e.a.columns;
  c.n = e.c.columns == 0 ? 0 : e.a.rows;
  while (c.n * c.n * std::max<std::int64_t>(1, c.k) > most) --c.n;
  const std::int64_t rows = c.trans != 0 ? c.k : c.n;
  c.lda = std::max<std::int64_t>(1, rows) + layout.above_a;
  c.ldc = std::max<std::int64_t>(1, c.n) + layout.above_c;
  c.alpha = e.alpha;
  c.beta = e.beta;
  Matrix a{c.n, c.k, words, e.a.all};
  a.all.resize(static_cast<std::size_t>(c.n * c.k) * words);
  c.a = laid_out(a, matrix_places(rows, c.trans != 0 ? c.n : c.k, c.lda, c.trans != 0), filler);
  Matrix start = expansion::detail::zero_matrix<double>(c.n, c.n, words);
  for (std::int64_t i = 0; i < c.n; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) std::ranges::copy(e.c.at(i, j % e.c.columns), start.at(i, j).begin());
  }
  c.c = laid_out(start, matrix_places(c.n, c.n, c.ldc, false), kept);
  detail::cancel_start(c, c.beta, words, c.c);
}

}  // namespace assay::xblas
