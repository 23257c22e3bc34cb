#pragma once
// Cases of the expansion GEMV and GEMM, their exact results, and the judges of results. The number of words K belongs
// to the property; in a case the words of each array are stored one after the other.

#include <algorithm>
#include <array>
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
#include "properties/draws/gemm/case_fields.hpp"
#include "properties/framework/axes.hpp"
#include "properties/framework/codec.hpp"

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
    return std::tuple_cat(std::tuple{field("transa", &C::transa), field("transb", &C::transb)}, gemm::shape_fields<C>(),
                          gemm::array_fields<C>());
  }
};

/// Rows of op(A), columns of op(B) and terms. `adds_up`: an entry is the sum of its words.
template <FloatingPoint T>
Axes blas_axes(const ExpansionGemvCase<T>& c, std::size_t words, bool adds_up = true) {
  const char* const of_m = c.trans != 0 ? "terms" : "rows";
  const char* const of_n = c.trans != 0 ? "rows" : "terms";
  return {{{"a", {{of_m}, {of_n, "lda"}}, words, adds_up},
           {"x", {{"terms", "incx"}}, words, adds_up},
           {"y", {{"rows", "incy"}}, words, adds_up}},
          {{"m", of_m}, {"n", of_n}},
          {"terms"}};
}
template <FloatingPoint T>
Axes blas_axes(const ExpansionGemmCase<T>& c, std::size_t words) {
  const auto stored = [words](const char* name, bool transposed, Axes::Side rows, Axes::Side columns,
                              const char* leading) {
    if (transposed) std::swap(rows, columns);
    columns.step = leading;
    return Axes::List{name, {rows, columns}, words};
  };
  return {{stored("a", c.transa != 0, {"m"}, {"k"}, "lda"), stored("b", c.transb != 0, {"k"}, {"n"}, "ldb"),
           stored("c", false, {"m"}, {"n"}, "ldc")},
          {{"m", "m"}, {"n", "n"}, {"k", "k"}},
          {"k"}};
}

namespace detail {

/// All of a matrix or one triangle.
enum class Part { all, upper, lower };

inline bool is_in(Part part, std::int64_t i, std::int64_t j) {
  return part == Part::all || (part == Part::upper ? i <= j : i >= j);
}

/// The place of entry (i, j) of a matrix in its array, and the number of entries of the array. For a symmetric matrix
/// one triangle is stored.
struct EntryPlaces {
  std::int64_t first, row_step, column_step, size;
  Part stored = Part::all;
  std::size_t operator()(std::int64_t i, std::int64_t j) const {
    if (!is_in(stored, i, j)) std::swap(i, j);
    return static_cast<std::size_t>(first + i * row_step + j * column_step);
  }
};

/// A stored matrix of rows × columns, used as it is or transposed.
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
  detail::Part written = detail::Part::all;

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
    for (std::int64_t i = 0; i < p.m; ++i) {
      if (detail::is_in(p.written, i, j)) f(i, j, p.c_at(i, j));
    }
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

/// Σ_l a(i, l)·b(l, j) for every written entry: f(i, j, place, sum). Zero sums if no product is added.
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

/// |ĉ − c| against its bound in every written entry. Sums have `sum_words` words, and stored(bound, c) is the bound of
/// the stored value of an entry with that bound.
template <FloatingPoint T, class Stored>
Judgement judge_blas_error(const ExpansionBlasProblem<T>& p, const std::vector<oracle::Dyadic>& truth,
                           const Expansions<T>& result, std::size_t sum_words, Stored&& stored) {
  Judgement worst;
  if (p.returns_at_once) return worst;
  const ExpansionBlasBound bound = expansion_blas_1(
      ExpansionSumShape{static_cast<int>(sum_words), p.adds_product() ? static_cast<std::uint64_t>(p.k) : 0, p.lanes},
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
        worst.worsen(component_value(result, place, got)
                         ? judge_within(got, truth[place], stored(bound.of(entry), truth[place]), place)
                         : Judgement::fail(place));
      });
  return worst;
}

/// The same if sums have as many words as entries.
template <FloatingPoint T>
Judgement judge_blas_error(const ExpansionBlasProblem<T>& p, const std::vector<oracle::Dyadic>& truth,
                           const Expansions<T>& result) {
  return judge_blas_error(p, truth, result, p.words, [](Bound of_entry, const oracle::Dyadic&) { return of_entry; });
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

/// The magnitudes of words that are read: with them nothing overflows. The largest exponent: 2²⁰⁰.
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

/// Whether the arrays are as long as shape, strides and leading dimensions require.
template <FloatingPoint T>
bool has_array_sizes(const ExpansionBlasProblem<T>& p) {
  const auto size = [&](std::span<const T> array, const EntryPlaces& places) {
    return array.size() == static_cast<std::size_t>(places.size) * p.words;
  };
  return size(p.a, p.a_at) && size(p.b, p.b_at) && size(p.c, p.c_at);
}

template <FloatingPoint T>
bool has_sizes(const ExpansionBlasProblem<T>& p) {
  return p.m * p.n * p.k <= most_products && has_array_sizes(p);
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

}  // namespace assay::expansion
