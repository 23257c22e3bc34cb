#pragma once
// Cases of BLAS in one, two and four words, and each of them as a problem C ← α·A·B + β·C. In a case the words of each
// array are stored one after the other; strides and leading dimensions count entries.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/vectors.hpp"
#include "properties/catalog/expansion/blas_problem.hpp"
#include "properties/framework/axes.hpp"

namespace assay::xblas {

using expansion::ExpansionBlasProblem;
using expansion::detail::EntryPlaces;
using expansion::detail::matrix_places;
using expansion::detail::Part;
using expansion::detail::vector_places;
using Numbers = std::vector<double>;
using Problem = ExpansionBlasProblem<double>;
using Result = Expansions<double>;
using Span = std::span<const double>;
using Truth = std::vector<oracle::Dyadic>;

/// Σ xᵢyᵢ.
struct DotCase {
  std::int64_t n = 0, incx = 1, incy = 1;
  Numbers x, y;
  static constexpr auto fields() {
    using C = DotCase;
    return std::tuple{field("n", &C::n), field("incx", &C::incx), field("incy", &C::incy), field("x", &C::x),
                      field("y", &C::y)};
  }
};

/// Σ |xᵢ|.
struct AsumCase {
  std::int64_t n = 0, incx = 1;
  Numbers x;
  static constexpr auto fields() {
    using C = AsumCase;
    return std::tuple{field("n", &C::n), field("incx", &C::incx), field("x", &C::x)};
  }
};

/// y ← αx + y.
struct AxpyCase {
  std::int64_t n = 0, incx = 1, incy = 1;
  Numbers alpha, x, y;
  static constexpr auto fields() {
    using C = AxpyCase;
    return std::tuple{field("n", &C::n),         field("incx", &C::incx), field("incy", &C::incy),
                      field("alpha", &C::alpha), field("x", &C::x),       field("y", &C::y)};
  }
};

/// y ← α·A·x + β·y with A symmetric; `upper`: 1 if the upper triangle is stored.
struct SymvCase {
  int upper = 0;
  std::int64_t n = 0, lda = 1, incx = 1, incy = 1;
  Numbers alpha, a, x, beta, y;
  static constexpr auto fields() {
    using C = SymvCase;
    return std::tuple{field("upper", &C::upper), field("n", &C::n),       field("lda", &C::lda),
                      field("incx", &C::incx),   field("incy", &C::incy), field("alpha", &C::alpha),
                      field("a", &C::a),         field("x", &C::x),       field("beta", &C::beta),
                      field("y", &C::y)};
  }
};

/// A ← α·x·yᵀ + A.
struct GerCase {
  std::int64_t m = 0, n = 0, lda = 1, incx = 1, incy = 1;
  Numbers alpha, x, y, a;
  static constexpr auto fields() {
    using C = GerCase;
    return std::tuple{field("m", &C::m),       field("n", &C::n),       field("lda", &C::lda),
                      field("incx", &C::incx), field("incy", &C::incy), field("alpha", &C::alpha),
                      field("x", &C::x),       field("y", &C::y),       field("a", &C::a)};
  }
};

/// C ← α·op(A)·op(A)ᵀ + β·C, one triangle of C.
struct SyrkCase {
  int upper = 0, trans = 0;
  std::int64_t n = 0, k = 0, lda = 1, ldc = 1;
  Numbers alpha, a, beta, c;
  static constexpr auto fields() {
    using C = SyrkCase;
    return std::tuple{field("upper", &C::upper), field("trans", &C::trans), field("n", &C::n),
                      field("k", &C::k),         field("lda", &C::lda),     field("ldc", &C::ldc),
                      field("alpha", &C::alpha), field("a", &C::a),         field("beta", &C::beta),
                      field("c", &C::c)};
  }
};

/// 1 and 0 as entries of up to four words.
inline constexpr double one_words[4] = {1, 0, 0, 0};
inline constexpr double zero_words[4] = {0, 0, 0, 0};
inline std::span<const double> one(std::size_t words) { return {one_words, words}; }
inline std::span<const double> zero(std::size_t words) { return {zero_words, words}; }

inline EntryPlaces row_places(std::int64_t length, std::int64_t stride) {
  const EntryPlaces column = vector_places(length, stride);
  return {column.first, 0, column.row_step, column.size};
}

/// The start of a dot product is an entry that is not read.
inline Problem problem_of(const DotCase& c, std::size_t words, std::uint64_t) {
  return {words,
          1,
          1,
          c.n,
          static_cast<std::uint64_t>(expansion::sum_lanes(c.n)),
          row_places(c.n, c.incx),
          vector_places(c.n, c.incy),
          {0, 1, 1, 1},
          one(words),
          c.x,
          c.y,
          zero(words),
          zero(words),
          false};
}

/// A is x and B is α.
inline Problem problem_of(const AxpyCase& c, std::size_t words, std::uint64_t) {
  const bool stays = c.n == 0 || expansion::detail::all_zero<double>(c.alpha);
  return {words,
          c.n,
          1,
          1,
          1,
          vector_places(c.n, c.incx),
          {0, 1, 1, 1},
          vector_places(c.n, c.incy),
          one(words),
          c.x,
          c.alpha,
          one(words),
          c.y,
          stays};
}

inline Problem problem_of(const SymvCase& c, std::size_t words, std::uint64_t lanes) {
  Problem p{words,
            c.n,
            1,
            c.n,
            lanes,
            matrix_places(c.n, c.n, c.lda, false),
            vector_places(c.n, c.incx),
            vector_places(c.n, c.incy),
            c.alpha,
            c.a,
            c.x,
            c.beta,
            c.y,
            false};
  p.a_at.stored = c.upper != 0 ? Part::upper : Part::lower;
  p.returns_at_once = c.n == 0 || (!p.adds_product() && expansion::detail::is_one(p.beta));
  return p;
}

inline Problem problem_of(const GerCase& c, std::size_t words, std::uint64_t) {
  Problem p{words,
            c.m,
            c.n,
            1,
            1,
            vector_places(c.m, c.incx),
            row_places(c.n, c.incy),
            matrix_places(c.m, c.n, c.lda, false),
            c.alpha,
            c.x,
            c.y,
            one(words),
            c.a,
            false};
  p.returns_at_once = c.m == 0 || c.n == 0 || !p.adds_product();
  return p;
}

inline Problem problem_of(const SyrkCase& c, std::size_t words, std::uint64_t) {
  const bool transposed = c.trans != 0;
  const std::int64_t rows = transposed ? c.k : c.n;
  const std::int64_t columns = transposed ? c.n : c.k;
  Problem p{words,
            c.n,
            c.n,
            c.k,
            1,
            matrix_places(rows, columns, c.lda, transposed),
            matrix_places(rows, columns, c.lda, !transposed),
            matrix_places(c.n, c.n, c.ldc, false),
            c.alpha,
            c.a,
            c.a,
            c.beta,
            c.c,
            false};
  p.written = c.upper != 0 ? Part::upper : Part::lower;
  p.returns_at_once = c.n == 0 || (!p.adds_product() && expansion::detail::is_one(p.beta));
  return p;
}

inline bool has_shape(const DotCase& c, std::size_t) {
  using namespace expansion::detail;
  return is_dimension(c.n) && is_stride(c.incx) && is_stride(c.incy);
}
inline bool has_shape(const AxpyCase& c, std::size_t words) {
  using namespace expansion::detail;
  return is_dimension(c.n) && is_stride(c.incx) && is_stride(c.incy) && c.alpha.size() == words;
}
inline bool has_shape(const SymvCase& c, std::size_t words) {
  using namespace expansion::detail;
  return is_flag(c.upper) && is_dimension(c.n) && is_leading(c.lda, c.n) && is_stride(c.incx) && is_stride(c.incy) &&
         c.alpha.size() == words && c.beta.size() == words;
}
inline bool has_shape(const GerCase& c, std::size_t words) {
  using namespace expansion::detail;
  return is_dimension(c.m) && is_dimension(c.n) && is_leading(c.lda, c.m) && is_stride(c.incx) && is_stride(c.incy) &&
         c.alpha.size() == words;
}
inline bool has_shape(const SyrkCase& c, std::size_t words) {
  using namespace expansion::detail;
  return is_flag(c.upper) && is_flag(c.trans) && is_dimension(c.n) && is_dimension(c.k) &&
         is_leading(c.lda, c.trans != 0 ? c.k : c.n) && is_leading(c.ldc, c.n) && c.alpha.size() == words &&
         c.beta.size() == words;
}

/// Which lists are parallel, for shrinking; other cases do not state it.
inline Axes axes_of(const DotCase&, std::size_t words) {
  return {{{"x", {{"terms", "incx"}}, words}, {"y", {{"terms", "incy"}}, words}}, {{"n", "terms"}}, {"terms"}};
}
inline Axes axes_of(const AsumCase&, std::size_t words) {
  return {{{"x", {{"terms", "incx"}}, words}}, {{"n", "terms"}}, {"terms"}};
}
inline Axes axes_of(const AxpyCase&, std::size_t words) {
  return {{{"x", {{"rows", "incx"}}, words}, {"y", {{"rows", "incy"}}, words}}, {{"n", "rows"}}};
}

/// Whether the case is one of its domain.
template <class Case>
bool is_case(const Case& c, std::size_t words) {
  if (!has_shape(c, words)) return false;
  const Problem p = problem_of(c, words, 1);
  return expansion::detail::has_sizes(p) && expansion::reads_within_box(p);
}

}  // namespace assay::xblas
