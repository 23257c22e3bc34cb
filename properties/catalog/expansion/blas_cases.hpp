#pragma once
// Inputs of the expansion GEMV and GEMM: shapes, strides and transposes around the edges of their blocks and lanes, and
// entries with the structures on which sums of products of expansions err. The number of words K belongs to the
// property; in a case the words of each array stand in a row.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/expansion_theorems.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/round.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::expansion {

/// y ← α·op(A)·x + β·y, A of m × n. Strides and leading dimensions count entries.
template <FloatingPoint T>
struct ExpansionGemvCase {
  int trans = 0;  ///< 1: op(A) = Aᵀ
  std::int64_t m = 0, n = 0, lda = 1, incx = 1, incy = 1;
  std::vector<T> alpha, a, x, beta, y;
  static constexpr auto fields() {
    using C = ExpansionGemvCase;
    return std::tuple{field("trans", &C::trans), field("m", &C::m),       field("n", &C::n),
                      field("lda", &C::lda),     field("incx", &C::incx), field("incy", &C::incy),
                      field("alpha", &C::alpha), field("a", &C::a),       field("x", &C::x),
                      field("beta", &C::beta),   field("y", &C::y)};
  }
};

/// C ← α·op(A)·op(B) + β·C, op(A) of m × k, op(B) of k × n.
template <FloatingPoint T>
struct ExpansionGemmCase {
  int transa = 0, transb = 0;  ///< 1: transposed
  std::int64_t m = 0, n = 0, k = 0, lda = 1, ldb = 1, ldc = 1;
  std::vector<T> alpha, a, b, beta, c;
  static constexpr auto fields() {
    using C = ExpansionGemmCase;
    return std::tuple{field("transa", &C::transa),
                      field("transb", &C::transb),
                      field("m", &C::m),
                      field("n", &C::n),
                      field("k", &C::k),
                      field("lda", &C::lda),
                      field("ldb", &C::ldb),
                      field("ldc", &C::ldc),
                      field("alpha", &C::alpha),
                      field("a", &C::a),
                      field("b", &C::b),
                      field("beta", &C::beta),
                      field("c", &C::c)};
  }
};

namespace detail {

/// Where entry (i, j) of a matrix stands in its array, and how many entries the array has.
struct EntryPlaces {
  std::int64_t first, row_step, column_step, size;
  std::size_t operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(first + i * row_step + j * column_step);
  }
};

/// A stored matrix of rows × columns, read as it is or transposed.
inline EntryPlaces matrix_places(std::int64_t rows, std::int64_t columns, std::int64_t leading, bool transposed) {
  const std::int64_t size = rows == 0 ? 0 : leading * columns;
  return transposed ? EntryPlaces{0, leading, 1, size} : EntryPlaces{0, 1, leading, size};
}

/// A vector as a matrix of one column.
inline EntryPlaces vector_places(std::int64_t length, std::int64_t stride) {
  const std::int64_t step = stride < 0 ? -stride : stride;
  return {stride < 0 && length > 0 ? (length - 1) * step : 0, stride, 0, length == 0 ? 0 : 1 + (length - 1) * step};
}

template <FloatingPoint T>
bool all_zero(std::span<const T> words) {
  return std::all_of(words.begin(), words.end(), [](const T& each) { return each == T{}; });
}
template <FloatingPoint T>
bool is_one(std::span<const T> words) {
  return words[0] == compose<T>(false, 1, 0) && all_zero(words.subspan(1));
}

}  // namespace detail

/// Both operations as C ← α·A·B + β·C with A of m × k, B of k × n; a GEMV has n = 1.
template <FloatingPoint T>
struct ExpansionBlasProblem {
  std::size_t words;
  std::int64_t m, n, k;
  std::uint64_t lanes;  ///< partial results of one entry
  detail::EntryPlaces a_at, b_at, c_at;
  std::span<const T> alpha, a, b, beta, c;
  bool returns_at_once;  ///< C stays as it is

  std::span<const T> entry(std::span<const T> array, std::size_t at) const { return array.subspan(at * words, words); }
  bool adds_product() const { return k > 0 && !detail::all_zero(alpha); }
  bool adds_start() const { return !detail::all_zero(beta); }
};

/// Requires: α and β of K words (not checked).
template <FloatingPoint T>
ExpansionBlasProblem<T> problem_of(const ExpansionGemvCase<T>& c, std::size_t words, std::uint64_t lanes) {
  const bool transposed = c.trans != 0;
  ExpansionBlasProblem<T> p{words,   transposed ? c.n : c.m,
                            1,       transposed ? c.m : c.n,
                            lanes,   detail::matrix_places(c.m, c.n, c.lda, transposed),
                            {},      {},
                            c.alpha, c.a,
                            c.x,     c.beta,
                            c.y,     false};
  p.b_at = detail::vector_places(p.k, c.incx);
  p.c_at = detail::vector_places(p.m, c.incy);
  p.returns_at_once = p.m == 0 || p.k == 0 || (!p.adds_product() && detail::is_one(p.beta));
  return p;
}
template <FloatingPoint T>
ExpansionBlasProblem<T> problem_of(const ExpansionGemmCase<T>& c, std::size_t words, std::uint64_t lanes) {
  const bool ta = c.transa != 0;
  const bool tb = c.transb != 0;
  ExpansionBlasProblem<T> p{words,
                            c.m,
                            c.n,
                            c.k,
                            lanes,
                            detail::matrix_places(ta ? c.k : c.m, ta ? c.m : c.k, c.lda, ta),
                            detail::matrix_places(tb ? c.n : c.k, tb ? c.k : c.n, c.ldb, tb),
                            detail::matrix_places(c.m, c.n, c.ldc, false),
                            c.alpha,
                            c.a,
                            c.b,
                            c.beta,
                            c.c,
                            false};
  p.returns_at_once = p.m == 0 || p.n == 0 || (!p.adds_product() && detail::is_one(p.beta));
  return p;
}

/// f(i, j, place) for every entry of C that is written.
template <FloatingPoint T, class F>
void for_each_written(const ExpansionBlasProblem<T>& p, F&& f) {
  if (p.returns_at_once) return;
  for (std::int64_t j = 0; j < p.n; ++j) {
    for (std::int64_t i = 0; i < p.m; ++i) f(i, j, p.c_at(i, j));
  }
}

namespace detail {

/// g(words) for every entry of a rows × columns matrix, one row after the other.
template <FloatingPoint T, class G>
std::vector<oracle::Dyadic> by_entry(const ExpansionBlasProblem<T>& p, std::span<const T> array,
                                     const EntryPlaces& places, std::int64_t rows, std::int64_t columns, G&& g) {
  std::vector<oracle::Dyadic> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) values.push_back(g(p.entry(array, places(i, j))));
  }
  return values;
}

/// Σ_l a(i, l)·b(l, j) for every written entry: f(i, j, place, sum). Zero sums where no product is added.
template <FloatingPoint T, class G, class F>
void for_each_sum(const ExpansionBlasProblem<T>& p, G&& of_entry, F&& f) {
  if (p.returns_at_once) return;
  const bool product = p.adds_product();
  std::vector<oracle::Dyadic> a;
  std::vector<oracle::Dyadic> b;
  if (product) {
    a = by_entry(p, p.a, p.a_at, p.m, p.k, of_entry);
    b = by_entry(p, p.b, p.b_at, p.k, p.n, of_entry);
  }
  oracle::Dyadic sum;
  for_each_written(p, [&](std::int64_t i, std::int64_t j, std::size_t place) {
    sum = 0;
    for (std::int64_t l = 0; product && l < p.k; ++l) {
      sum.add_mul(a[static_cast<std::size_t>(i * p.k + l)], b[static_cast<std::size_t>(l * p.n + j)]);
    }
    f(i, j, place, sum);
  });
}

template <FloatingPoint T>
oracle::Dyadic weight_of(std::span<const T> words) {
  ExactWords exact;
  exact_words(words, exact);
  return expansion_weight(exact, FloatTraits<T>::precision);
}

}  // namespace detail

/// C after the operation, exactly, every entry of its array; 0 for one that is not written and not finite.
template <FloatingPoint T>
std::vector<oracle::Dyadic> exact_result(const ExpansionBlasProblem<T>& p) {
  std::vector<oracle::Dyadic> truth(p.c.size() / p.words);
  ExactWords exact;
  for (std::size_t at = 0; at < truth.size(); ++at) {
    if (exact_words(p.entry(p.c, at), exact)) truth[at] = oracle::exact_sum(exact);
  }
  const oracle::Dyadic alpha = sum_of_words(p.alpha);
  const oracle::Dyadic beta = sum_of_words(p.beta);
  detail::for_each_sum(
      p, [](std::span<const T> words) { return sum_of_words(words); },
      [&](std::int64_t, std::int64_t, std::size_t place, const oracle::Dyadic& sum) {
        oracle::Dyadic value = alpha * sum;
        if (p.adds_start()) value.add_mul(beta, truth[place]);
        truth[place] = std::move(value);
      });
  return truth;
}

/// |ĉ − c| against its bound in every written entry.
template <FloatingPoint T>
Judgement judge_blas_error(const ExpansionBlasProblem<T>& p, const std::vector<oracle::Dyadic>& truth,
                           const Expansions<T>& result) {
  Judgement worst;
  if (p.returns_at_once) return worst;
  const ExpansionBlasBound bound = expansion_blas_1(
      ExpansionSumShape{static_cast<int>(p.words), p.adds_product() ? static_cast<std::uint64_t>(p.k) : 0, p.lanes},
      format_of<T>());
  ExpansionBlasEntry entry{.adds_product = p.adds_product(),
                           .adds_start = p.adds_start(),
                           .alpha_is_one = detail::is_one(p.alpha),
                           .alpha = abs(sum_of_words(p.alpha)),
                           .alpha_weight = detail::weight_of(p.alpha),
                           .weight = {},
                           .start_weight = {}};
  const oracle::Dyadic beta = detail::weight_of(p.beta);
  oracle::Dyadic got;
  detail::for_each_sum(
      p, [](std::span<const T> words) { return detail::weight_of(words); },
      [&](std::int64_t, std::int64_t, std::size_t place, const oracle::Dyadic& weight) {
        entry.weight = weight;
        if (entry.adds_start) entry.start_weight = beta * detail::weight_of(p.entry(p.c, place));
        worst.worsen(component_value(result, place, got) ? judge_within(got, truth[place], bound.of(entry), place)
                                                         : Judgement::fail(place));
      });
  return worst;
}

/// Every written entry is ulp-nonoverlapping, its zeros at the end.
template <FloatingPoint T>
Judgement judge_blas_structure(const ExpansionBlasProblem<T>& p, const Expansions<T>& result) {
  Judgement worst;
  ExactWords exact;
  for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
    if (!exact_words(p.entry(result.words, place), exact)) {
      worst.worsen(Judgement::fail(place));
      return;
    }
    Judgement entry = judge_ulp_nonoverlapping(exact, FloatTraits<T>::precision);
    entry.component = place;
    worst.worsen(entry);
  });
  return worst;
}

/// Every entry that is not written has the bits it had.
template <FloatingPoint T>
Judgement judge_untouched(const ExpansionBlasProblem<T>& p, const Expansions<T>& result) {
  if (result.words.size() != p.c.size()) return Judgement::fail();
  std::vector<bool> written(p.c.size() / p.words);
  for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) { written[place] = true; });
  Judgement worst;
  for (std::size_t i = 0; i < p.c.size(); ++i) {
    const bool same = bits_of(result.words[i]) == bits_of(p.c[i]) || (is_nan(result.words[i]) && is_nan(p.c[i]));
    if (!written[i / p.words] && !same) worst.worsen(Judgement::fail(i / p.words));
  }
  return worst;
}

/// Every written entry is finite.
template <FloatingPoint T>
Judgement judge_finite(const ExpansionBlasProblem<T>& p, const Expansions<T>& result) {
  Judgement worst;
  for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
    for (const T& each : p.entry(result.words, place)) {
      if (!oracle::is_finite(format_of<T>(), bits_of(each))) worst.worsen(Judgement::fail(place));
    }
  });
  return worst;
}

template <FloatingPoint T>
bool has_nan(std::span<const T> words) {
  return std::any_of(words.begin(), words.end(), [](const T& each) { return is_nan(each); });
}

// ------------------------------------------------------------------------------------------------------- the domain

/// The magnitudes of words that are read: nothing overflows with them. The largest exponent is that of 2²⁰⁰.
template <FloatingPoint T>
constexpr Box blas_box() {
  return {full_box<T>().low, 200};
}

/// The longest dimension, and the most products, of a case.
inline constexpr std::int64_t longest_dimension = 256;
inline constexpr std::int64_t most_products = 4096;

/// Every entry that is read has finite words in the box.
template <FloatingPoint T>
bool reads_within_box(const ExpansionBlasProblem<T>& p, Box box = blas_box<T>()) {
  const auto fits = [box](std::span<const T> words) {
    return std::all_of(words.begin(), words.end(), [box](const T& each) { return in_box(each, box); });
  };
  if (!fits(p.alpha) || !fits(p.beta)) return false;
  if (p.returns_at_once) return true;
  bool all = true;
  for (std::int64_t l = 0; p.adds_product() && l < p.k; ++l) {
    for (std::int64_t i = 0; i < p.m; ++i) all = all && fits(p.entry(p.a, p.a_at(i, l)));
    for (std::int64_t j = 0; j < p.n; ++j) all = all && fits(p.entry(p.b, p.b_at(l, j)));
  }
  for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
    all = all && (!p.adds_start() || fits(p.entry(p.c, place)));
  });
  return all;
}

namespace detail {

inline bool is_dimension(std::int64_t x) { return x >= 0 && x <= longest_dimension; }
inline bool is_leading(std::int64_t x, std::int64_t rows) { return x >= 1 && x >= rows && x <= longest_dimension + 4; }
inline bool is_stride(std::int64_t x) { return x != 0 && x >= -3 && x <= 3; }
inline bool is_flag(int x) { return x == 0 || x == 1; }

template <FloatingPoint T>
bool has_sizes(const ExpansionBlasProblem<T>& p) {
  const auto size = [&](std::span<const T> array, const EntryPlaces& places) {
    return array.size() == static_cast<std::size_t>(places.size) * p.words;
  };
  return p.m * p.n * p.k <= most_products && size(p.a, p.a_at) && size(p.b, p.b_at) && size(p.c, p.c_at);
}

}  // namespace detail

template <FloatingPoint T>
bool is_blas_case(const ExpansionGemvCase<T>& c, std::size_t words, Box box = blas_box<T>()) {
  if (!detail::is_flag(c.trans) || !detail::is_dimension(c.m) || !detail::is_dimension(c.n) ||
      !detail::is_leading(c.lda, c.m) || !detail::is_stride(c.incx) || !detail::is_stride(c.incy) ||
      c.alpha.size() != words || c.beta.size() != words) {
    return false;
  }
  const ExpansionBlasProblem<T> p = problem_of(c, words, 1);
  return detail::has_sizes(p) && reads_within_box(p, box);
}
template <FloatingPoint T>
bool is_blas_case(const ExpansionGemmCase<T>& c, std::size_t words) {
  if (!detail::is_flag(c.transa) || !detail::is_flag(c.transb) || !detail::is_dimension(c.m) ||
      !detail::is_dimension(c.n) || !detail::is_dimension(c.k) || !detail::is_leading(c.lda, c.transa ? c.k : c.m) ||
      !detail::is_leading(c.ldb, c.transb ? c.n : c.k) || !detail::is_leading(c.ldc, c.m) || c.alpha.size() != words ||
      c.beta.size() != words) {
    return false;
  }
  const ExpansionBlasProblem<T> p = problem_of(c, words, 1);
  return detail::has_sizes(p) && reads_within_box(p);
}

namespace detail {

/// A matrix of expansions without a layout, one row after the other.
template <FloatingPoint T>
struct EntryMatrix {
  std::int64_t rows = 0, columns = 0;
  std::size_t words = 0;
  std::vector<T> all = {};

  std::span<T> at(std::int64_t i, std::int64_t j) {
    return std::span<T>(all).subspan(static_cast<std::size_t>(i * columns + j) * words, words);
  }
  std::span<const T> at(std::int64_t i, std::int64_t j) const {
    return std::span<const T>(all).subspan(static_cast<std::size_t>(i * columns + j) * words, words);
  }
};

/// α, β, A (m × k), B (k × n), C (m × n).
template <FloatingPoint T>
struct BlasEntries {
  std::vector<T> alpha, beta;
  EntryMatrix<T> a, b, c;
};

template <FloatingPoint T>
EntryMatrix<T> zero_matrix(std::int64_t rows, std::int64_t columns, std::size_t words) {
  return {rows, columns, words, std::vector<T>(static_cast<std::size_t>(rows * columns) * words)};
}

/// The entries of the rows and columns kept.
template <FloatingPoint T, class KeepRow, class KeepColumn>
EntryMatrix<T> kept(const EntryMatrix<T>& from, KeepRow&& row, KeepColumn&& column) {
  EntryMatrix<T> to{0, 0, from.words};
  for (std::int64_t j = 0; j < from.columns; ++j) to.columns += column(j) ? 1 : 0;
  for (std::int64_t i = 0; i < from.rows; ++i) {
    if (!row(i)) continue;
    ++to.rows;
    for (std::int64_t j = 0; j < from.columns; ++j) {
      if (column(j)) to.all.insert(to.all.end(), from.at(i, j).begin(), from.at(i, j).end());
    }
  }
  return to;
}

/// The array of a matrix: its entries where `places` says, `filler()` elsewhere.
template <FloatingPoint T, class Filler>
std::vector<T> laid_out(const EntryMatrix<T>& from, const EntryPlaces& places, Filler&& filler) {
  std::vector<T> array(static_cast<std::size_t>(places.size) * from.words);
  for (T& each : array) each = filler();
  for (std::int64_t i = 0; i < from.rows; ++i) {
    for (std::int64_t j = 0; j < from.columns; ++j) {
      std::copy(from.at(i, j).begin(), from.at(i, j).end(),
                array.begin() + static_cast<std::ptrdiff_t>(places(i, j) * from.words));
    }
  }
  return array;
}

/// The entries of an array.
template <FloatingPoint T>
EntryMatrix<T> taken_from(const ExpansionBlasProblem<T>& p, std::span<const T> array, const EntryPlaces& places,
                          std::int64_t rows, std::int64_t columns) {
  EntryMatrix<T> to = zero_matrix<T>(rows, columns, p.words);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::span<const T> words = p.entry(array, places(i, j));
      std::copy(words.begin(), words.end(), to.at(i, j).begin());
    }
  }
  return to;
}
template <FloatingPoint T>
BlasEntries<T> entries_of(const ExpansionBlasProblem<T>& p) {
  return {{p.alpha.begin(), p.alpha.end()},
          {p.beta.begin(), p.beta.end()},
          taken_from(p, p.a, p.a_at, p.m, p.k),
          taken_from(p, p.b, p.b_at, p.k, p.n),
          taken_from(p, p.c, p.c_at, p.m, p.n)};
}

/// How the arrays of a case lie in memory.
struct BlasLayout {
  bool transa = false, transb = false;
  std::int64_t above_a = 0, above_b = 0, above_c = 0;  ///< leading dimension − rows
  std::int64_t incx = 1, incy = 1;
};

/// `filler` and `kept_filler` give the words of gaps in the factors and in the array that is written to.
template <FloatingPoint T, class Filler, class KeptFiller>
void lay_out(const BlasEntries<T>& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept_filler,
             ExpansionGemvCase<T>& c) {
  c.trans = layout.transa ? 1 : 0;
  c.m = layout.transa ? e.a.columns : e.a.rows;
  c.n = layout.transa ? e.a.rows : e.a.columns;
  c.lda = std::max<std::int64_t>(1, c.m) + layout.above_a;
  c.incx = layout.incx;
  c.incy = layout.incy;
  c.alpha = e.alpha;
  c.beta = e.beta;
  c.a = laid_out(e.a, matrix_places(c.m, c.n, c.lda, layout.transa), filler);
  c.x = laid_out(e.b, vector_places(e.b.rows, c.incx), filler);
  c.y = laid_out(e.c, vector_places(e.c.rows, c.incy), kept_filler);
}
template <FloatingPoint T, class Filler, class KeptFiller>
void lay_out(const BlasEntries<T>& e, const BlasLayout& layout, Filler&& filler, KeptFiller&& kept_filler,
             ExpansionGemmCase<T>& c) {
  c.transa = layout.transa ? 1 : 0;
  c.transb = layout.transb ? 1 : 0;
  c.m = e.a.rows;
  c.k = e.a.columns;
  c.n = e.b.columns;
  const std::int64_t rows_a = layout.transa ? c.k : c.m;
  const std::int64_t rows_b = layout.transb ? c.n : c.k;
  c.lda = std::max<std::int64_t>(1, rows_a) + layout.above_a;
  c.ldb = std::max<std::int64_t>(1, rows_b) + layout.above_b;
  c.ldc = std::max<std::int64_t>(1, c.m) + layout.above_c;
  c.alpha = e.alpha;
  c.beta = e.beta;
  c.a = laid_out(e.a, matrix_places(rows_a, layout.transa ? c.m : c.k, c.lda, layout.transa), filler);
  c.b = laid_out(e.b, matrix_places(rows_b, layout.transb ? c.k : c.n, c.ldb, layout.transb), filler);
  c.c = laid_out(e.c, matrix_places(c.m, c.n, c.ldc, false), kept_filler);
}

template <FloatingPoint T>
BlasLayout layout_of(const ExpansionGemvCase<T>& c) {
  return {.transa = c.trans != 0, .above_a = c.lda - std::max<std::int64_t>(1, c.m), .incx = c.incx, .incy = c.incy};
}
template <FloatingPoint T>
BlasLayout layout_of(const ExpansionGemmCase<T>& c) {
  return {.transa = c.transa != 0,
          .transb = c.transb != 0,
          .above_a = c.lda - std::max<std::int64_t>(1, c.transa != 0 ? c.k : c.m),
          .above_b = c.ldb - std::max<std::int64_t>(1, c.transb != 0 ? c.n : c.k),
          .above_c = c.ldc - std::max<std::int64_t>(1, c.m)};
}

/// The case with one column of B and C alone for a GEMV.
template <class Case>
inline constexpr bool has_columns = requires(Case c) { c.k; };

/// Smaller shapes: the simplest layout, half of a dimension, one index of a dimension less, the simplest α and β.
template <class Case, FloatingPoint T>
std::vector<Case> smaller_blas_cases(const Case& c, std::size_t words) {
  const ExpansionBlasProblem<T> p = problem_of(c, words, 1);
  const BlasEntries<T> entries = entries_of(p);
  const BlasLayout layout = layout_of(c);
  std::vector<Case> smaller;
  const auto offer = [&](const BlasEntries<T>& e, const BlasLayout& l) {
    const auto zero = [] { return T{}; };
    lay_out(e, l, zero, zero, smaller.emplace_back());
  };
  const auto all = [](std::int64_t) { return true; };
  const auto offer_rows = [&](auto keep) {
    BlasEntries<T> e = entries;
    e.a = kept(entries.a, keep, all);
    e.c = kept(entries.c, keep, all);
    offer(e, layout);
  };
  const auto offer_columns = [&](auto keep) {
    BlasEntries<T> e = entries;
    e.b = kept(entries.b, all, keep);
    e.c = kept(entries.c, all, keep);
    offer(e, layout);
  };
  const auto offer_inner = [&](auto keep) {
    BlasEntries<T> e = entries;
    e.a = kept(entries.a, all, keep);
    e.b = kept(entries.b, keep, all);
    offer(e, layout);
  };
  const auto offer_parts = [](std::int64_t size, auto&& offer_kept) {
    if (size > 1) {
      offer_kept([size](std::int64_t i) { return i < size / 2; });
      offer_kept([size](std::int64_t i) { return i >= size / 2; });
    }
    for (std::int64_t out = 0; out < size; ++out) offer_kept([out](std::int64_t i) { return i != out; });
  };
  offer_parts(p.m, offer_rows);
  if constexpr (has_columns<Case>) offer_parts(p.n, offer_columns);
  offer_parts(p.k, offer_inner);
  offer(entries, {.transa = layout.transa, .transb = layout.transb});
  offer(entries, {});
  return smaller;
}

// ---------------------------------------------------------------------------------------------------- the entries

inline std::int64_t draw_dimension(Draw& draw) {
  static constexpr std::array<std::int64_t, 3> blocks{7, 8, 9};
  static constexpr std::array<std::int64_t, 9> edges{15, 16, 17, 31, 32, 33, 63, 64, 65};
  const std::uint64_t kind = draw.below(32);
  if (kind == 0) return 0;
  if (kind < 21) return 1 + static_cast<std::int64_t>(draw.below(3));
  if (kind < 28) return blocks[draw.below(blocks.size())];
  return edges[draw.below(edges.size())];
}

/// The inner dimension; of a GEMV sometimes several products a lane.
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

/// The columns 2j and 2j + 1 of A cancel but for the words from one on, and so do their products: equal rows of B.
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

/// K words nearest to x, each to what is left.
template <FloatingPoint T>
void assign_nearest(std::span<T> words, oracle::Dyadic x) {
  for (T& each : words) {
    each = number_of<T>(oracle::round(x, format_of<T>(), oracle::Rounding::nearest));
    x -= value_of(each);
  }
}

/// α = ±1, β = ±1 and C the nearest to what cancels the product, so that only errors are left.
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

/// Words that are 1 in the first place of a row and tiny powers of two behind, of one sign, u, u² … or near them: the
/// additions of each level err to the same side.
template <FloatingPoint T>
void draw_worst_order(Draw& draw, BlasEntries<T>& e) {
  constexpr int p = FloatTraits<T>::precision;
  draw_all(draw, e, WordStyle::tied, Signs::same, 0, 0);
  draw_matrix(e.a, [&](std::span<T> words, std::int64_t, std::int64_t l) {
    const int level = l == 0 ? 0 : 1 + static_cast<int>(draw.below(words.size()));
    std::fill(words.begin(), words.end(), T{});
    words[0] = compose<T>(false, 1, -p * level + (level > 0 ? draw.between(-1, 1) : 0));
    if (draw.coin()) words[1] = compose<T>(false, 1, -p * (level + 1));
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

/// Rows of A and columns of A with far exponents, those of B against them.
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
      words[0] = compose<T>(draw.coin(), draw.below(1 << 12), 0);
    });
  }
}

/// Some words of any entry are zero, leading ones too.
template <FloatingPoint T>
void draw_with_zero_words(Draw& draw, BlasEntries<T>& e) {
  draw_all(draw, e, WordStyle::any, Signs::mixed, -8, 8);
  for (EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
    for (T& each : matrix->all) {
      if (draw.one_in(3)) each = T{};
    }
  }
}

/// A case of the class that `make(draw, entries)` fills, in a random shape and layout. What is not read because a
/// scalar is 0 holds NaN or numbers; gaps hold specials, and numbers where the result is written, which so is finite.
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
  return {
      .classes = expansion_blas_classes<Case, T>(words),
      .contains = [words](const Case& c) { return is_blas_case(c, words); },
      .features = {{"log2 of the inner dimension + 1, rounded up", 0, 9, 9,
                    [words](const Case& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(problem_of(c, words, 1).k)));
                    }}},
      .shrink_shape = [words](const Case& c) { return detail::smaller_blas_cases<Case, T>(c, words); },
      .accepts = "dimensions up to " + std::to_string(longest_dimension) + ", at most " +
                 std::to_string(most_products) + " products; strides 1 to 3 or -1 to -3; arrays of " +
                 std::to_string(words) +
                 " words an entry, as long as shape and leading dimensions ask; words that are read finite, below " +
                 "2^" + std::to_string(blas_box<T>().high + 1)};
}

}  // namespace assay::expansion
