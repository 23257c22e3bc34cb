#pragma once
// Triangular systems in one, two and four words: cases, classes of inputs, and the claims of a solution.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/xblas_theorems.hpp"
#include "properties/catalog/xblas/layouts.hpp"
#include "properties/framework/property.hpp"

namespace assay::xblas {

using expansion::detail::draw_entry;
using expansion::detail::Signs;
using expansion::detail::WordStyle;
using oracle::Dyadic;
/// B ← α·op(A)⁻¹·B or, with `right` 1, α·B·op(A)⁻¹. A trsv has one column, whose entries have the step incx, and α = 1.
struct TrsmCase {
  int right = 0, upper = 0, trans = 0, unit = 0;
  std::int64_t m = 0, n = 0, lda = 1, ldb = 1;
  Numbers alpha, a, b;
  static constexpr auto fields() {
    using C = TrsmCase;
    return std::tuple{field("right", &C::right), field("upper", &C::upper), field("trans", &C::trans),
                      field("unit", &C::unit),   field("m", &C::m),         field("n", &C::n),
                      field("lda", &C::lda),     field("ldb", &C::ldb),     field("alpha", &C::alpha),
                      field("a", &C::a),         field("b", &C::b)};
  }
};
struct TrsvCase {
  int upper = 0, trans = 0, unit = 0;
  std::int64_t n = 0, lda = 1, incx = 1;
  Numbers a, x;
  static constexpr auto fields() {
    using C = TrsvCase;
    return std::tuple{field("upper", &C::upper), field("trans", &C::trans), field("unit", &C::unit), field("n", &C::n),
                      field("lda", &C::lda),     field("incx", &C::incx),   field("a", &C::a),       field("x", &C::x)};
  }
};

/// n unknowns in each of that many systems T·x = α·b. T is upper or lower, with a unit diagonal or not.
struct Systems {
  std::size_t words;
  std::int64_t n, count;
  bool upper, unit;
  EntryPlaces t_at, b_at;  ///< unknown i of system c at b_at(i, c)
  Span alpha, t, b;

  Span entry(Span array, std::size_t at) const { return array.subspan(at * words, words); }
  bool is_stored(std::int64_t i, std::int64_t j) const { return (upper ? i <= j : i >= j) && !(unit && i == j); }
  bool reads() const { return !expansion::detail::all_zero(alpha); }
};

inline Systems systems_of(const TrsvCase& c, std::size_t words) {
  const bool transposed = c.trans != 0;
  return {words,
          c.n,
          1,
          (c.upper != 0) != transposed,
          c.unit != 0,
          matrix_places(c.n, c.n, c.lda, transposed),
          vector_places(c.n, c.incx),
          one(words),
          c.a,
          c.x};
}
inline Systems systems_of(const TrsmCase& c, std::size_t words) {
  const bool right = c.right != 0;
  const std::int64_t order = right ? c.n : c.m;
  const bool transposed = (c.trans != 0) != right;
  const EntryPlaces b = matrix_places(c.m, c.n, c.ldb, false);
  return {words,
          order,
          right ? c.m : c.n,
          (c.upper != 0) != transposed,
          c.unit != 0,
          matrix_places(order, order, c.lda, transposed),
          right ? EntryPlaces{0, b.column_step, b.row_step, b.size} : b,
          c.alpha,
          c.a,
          c.b};
}

inline bool has_shape(const TrsvCase& c, std::size_t) {
  using namespace expansion::detail;
  return is_flag(c.upper) && is_flag(c.trans) && is_flag(c.unit) && is_dimension(c.n) && is_leading(c.lda, c.n) &&
         is_stride(c.incx);
}
inline bool has_shape(const TrsmCase& c, std::size_t words) {
  using namespace expansion::detail;
  return is_flag(c.right) && is_flag(c.upper) && is_flag(c.trans) && is_flag(c.unit) && is_dimension(c.m) &&
         is_dimension(c.n) && is_leading(c.lda, c.right != 0 ? c.n : c.m) && is_leading(c.ldb, c.m) &&
         c.alpha.size() == words;
}

// ------------------------------------------------------------------------------------------------------ domains

/// Entries are below 2⁹, and those of a stored diagonal from 2⁻⁸ on.
inline constexpr Box entry_box{full_box<double>().low, 8};
inline constexpr std::int64_t most_unknowns = 80;

template <class Case>
bool is_system(const Case& c, std::size_t words) {
  if (!has_shape(c, words)) return false;
  const Systems s = systems_of(c, words);
  const auto has_size = [&](Span array, const EntryPlaces& at) {
    return array.size() == static_cast<std::size_t>(at.size) * words;
  };
  const auto fits = [](Span entry) {
    return std::ranges::all_of(entry, [](double each) { return in_box(each, entry_box); });
  };
  if (!has_size(s.t, s.t_at) || !has_size(s.b, s.b_at) || s.n > most_unknowns || s.count > 16 || !fits(s.alpha)) {
    return false;
  }
  ExactWords exact;
  int largest = -8;
  int least = 0;
  const auto leading = [](double x) { return x == 0 ? -8 : parts_of(x).leading(); };
  for (std::int64_t i = 0; s.reads() && s.count > 0 && i < s.n; ++i) {
    for (std::int64_t j = 0; j < s.n; ++j) {
      if (!s.is_stored(i, j)) continue;
      const Span entry = s.entry(s.t, s.t_at(i, j));
      if (!fits(entry)) return false;
      for (const double each : entry) largest = std::max(largest, i == j ? -8 : leading(each));
    }
    for (std::int64_t k = 0; k < s.count; ++k) {
      if (!fits(s.entry(s.b, s.b_at(i, k)))) return false;
    }
    if (s.unit) continue;
    const Span diagonal = s.entry(s.t, s.t_at(i, i));
    if (diagonal[0] == 0 || !in_box(diagonal[0], Box{-8, 8}) || !exact_words(diagonal, exact) ||
        judge_ulp_nonoverlapping(exact, FloatTraits<double>::precision).verdict != Verdict::holds) {
      return false;
    }
    least = std::min(least, leading(diagonal[0]));
  }
  // |xᵢ| ≤ |b|/|l|·(1 + r)ⁱ, where r is the largest quotient of an entry outside the diagonal and a diagonal entry.
  return s.n * (std::max(largest + 3 - least, 0) + 1) <= 900;
}

/// The kind of the entries of a class.
struct Look {
  WordStyle style;
  int beside_low, beside_high;  ///< exponents outside the diagonal
  bool cancels;                 ///< the right side is the product with an earlier one, nearly
  int right_low = -2, right_high = 2;
};

inline std::int64_t draw_unknowns(Draw& draw, std::size_t words) {
  static constexpr std::array<std::int64_t, 5> edges{0, 63, 64, 65, 70};
  if (draw.one_in(words > 2 ? 24 : 12)) return edges[draw.below(edges.size())];
  return 1 + static_cast<std::int64_t>(draw.below(8));
}

/// The arrays of the systems; entries that are not read hold NaN.
template <class Case>
void draw_arrays(Draw& draw, std::size_t words, const Look& look, Case& c, Numbers& t, Numbers& b) {
  const double nan = number_of<double>(format_of<double>().nan());
  Systems s = systems_of(c, words);
  t.assign(static_cast<std::size_t>(s.t_at.size) * words, nan);
  b.assign(static_cast<std::size_t>(s.b_at.size) * words, 2.5);
  if (!s.reads()) {
    for (std::int64_t i = 0; i < s.n * s.count; ++i) b[s.b_at(i % s.n, i / s.n) * words] = nan;
    return;
  }
  const auto at = [&](Numbers& array, std::size_t place) { return std::span(array).subspan(place * words, words); };
  const auto put = [&](std::span<double> to, int low, int high) {
    std::ranges::fill(to, 0.0);
    draw_entry<double>(draw, to, look.style, look.style == WordStyle::tied ? Signs::same : Signs::mixed,
                       draw.between(low, high));
  };
  for (std::int64_t i = 0; i < s.n; ++i) {
    for (std::int64_t j = 0; j < s.n; ++j) {
      if (!s.is_stored(i, j)) continue;
      const auto to = at(t, s.t_at(i, j));
      if (i != j) {
        put(to, look.beside_low, look.beside_high);
        continue;
      }
      std::ranges::fill(to, 0.0);
      const auto drawn =
          expansion::detail::draw_expansion<double>(draw, words, words, look.style, Signs::mixed, draw.between(-2, 2));
      std::ranges::copy(drawn, to.begin());
    }
    for (std::int64_t k = 0; k < s.count; ++k) put(at(b, s.b_at(i, k)), look.right_low, look.right_high);
  }
  if (!look.cancels) return;
  s = systems_of(c, words);
  for (std::int64_t k = 0; k < s.count; ++k) {
    std::vector<Dyadic> x;
    for (std::int64_t i = 0; i < s.n; ++i) x.push_back(sum_of_words<double>(s.entry(s.b, s.b_at(i, k))));
    for (std::int64_t i = 0; i < s.n; ++i) {
      Dyadic right = s.unit ? x[static_cast<std::size_t>(i)] : Dyadic();
      for (std::int64_t j = 0; j < s.n; ++j) {
        if (!s.is_stored(i, j)) continue;
        right.add_mul(sum_of_words<double>(s.entry(s.t, s.t_at(i, j))), x[static_cast<std::size_t>(j)]);
      }
      expansion::detail::assign_nearest(at(b, s.b_at(i, k)), std::move(right));
    }
  }
}

inline void draw_case(Draw& draw, std::size_t words, const Look& look, TrsvCase& c) {
  static constexpr std::array<std::int64_t, 6> strides{1, 1, 1, 2, -1, -3};
  c.upper = draw.coin() ? 1 : 0;
  c.trans = draw.coin() ? 1 : 0;
  c.unit = draw.one_in(4) ? 1 : 0;
  c.n = draw_unknowns(draw, words);
  c.lda = std::max<std::int64_t>(1, c.n) + static_cast<std::int64_t>(draw.below(3));
  c.incx = strides[draw.below(strides.size())];
  draw_arrays(draw, words, look, c, c.a, c.x);
}
inline void draw_case(Draw& draw, std::size_t words, const Look& look, TrsmCase& c) {
  c.right = draw.coin() ? 1 : 0;
  c.upper = draw.coin() ? 1 : 0;
  c.trans = draw.coin() ? 1 : 0;
  c.unit = draw.one_in(4) ? 1 : 0;
  const std::int64_t order = draw_unknowns(draw, words);
  const std::int64_t systems = order > 8 ? 1 : static_cast<std::int64_t>(draw.below(4));
  c.m = c.right != 0 ? systems : order;
  c.n = c.right != 0 ? order : systems;
  c.lda = std::max<std::int64_t>(1, order) + static_cast<std::int64_t>(draw.below(3));
  c.ldb = std::max<std::int64_t>(1, c.m) + static_cast<std::int64_t>(draw.below(3));
  do {
    c.alpha = expansion::detail::draw_scalar<double>(draw, words);
  } while (!in_box(c.alpha[0], entry_box));
  draw_arrays(draw, words, look, c, c.a, c.b);
}

/// The system of only the unknowns first … first + n − 1.
inline TrsvCase part_of(const TrsvCase& c, std::size_t words, std::int64_t first, std::int64_t n) {
  TrsvCase part{c.upper, c.trans, c.unit, n, std::max<std::int64_t>(1, n), 1, {}, {}};
  const auto take = [words](Numbers& to, const Numbers& from, std::size_t place) {
    const auto at = from.begin() + static_cast<std::ptrdiff_t>(place * words);
    to.insert(to.end(), at, at + static_cast<std::ptrdiff_t>(words));
  };
  const EntryPlaces a = matrix_places(c.n, c.n, c.lda, false);
  const EntryPlaces x = vector_places(c.n, c.incx);
  for (std::int64_t j = first; j < first + n; ++j) {
    for (std::int64_t i = first; i < first + n; ++i) take(part.a, c.a, a(i, j));
    take(part.x, c.x, x(j, 0));
  }
  return part;
}

/// Half of the unknowns, or all except the first or the last one.
inline std::vector<TrsvCase> smaller_systems(const TrsvCase& c, std::size_t words) {
  std::vector<TrsvCase> smaller;
  for (const std::int64_t n : {c.n / 2, c.n - 1}) {
    if (n < 0 || n >= c.n) continue;
    smaller.push_back(part_of(c, words, 0, n));
    smaller.push_back(part_of(c, words, c.n - n, n));
  }
  return smaller;
}

template <class Case>
Domain<Case> solve_domain(std::size_t words) {
  const auto look = [words](const char* name, unsigned weight, const Look& of) {
    return InputClass<Case>{name, weight, drawn<Case>([=](Draw& draw) {
                              Case c;
                              draw_case(draw, words, of, c);
                              return c;
                            })};
  };
  Domain<Case> domain{
      .classes = {look("dense words", 3, {WordStyle::dense, -2, 0, false}),
                  look("small beside the diagonal", 2, {WordStyle::dense, -12, -4, false}),
                  look("large beside the diagonal", 2, {WordStyle::any, 2, 6, false}),
                  look("touching words", 2, {WordStyle::touching, -1, 1, false}),
                  look("carry chains of ones", 1, {WordStyle::all_ones, -1, 1, false}),
                  look("words half an ulp, of one sign", 2, {WordStyle::tied, -1, 1, false}),
                  look("the sums cancel", 3, {WordStyle::dense, 0, 4, true}),
                  look("the sums cancel, far exponents", 2, {WordStyle::any, -8, 6, true}),
                  look("right sides in the range of underflow", 2,
                       {WordStyle::dense, -2, 0, false, FloatTraits<double>::emin - 40,
                        FloatTraits<double>::emin + 110})},
      .contains = [words](const Case& c) { return is_system(c, words); },
      .accepts =
          "up to 80 unknowns in up to 16 systems; strides 1 to 3 or -1 to -3; words that are read finite and "
          "below 2^9, a stored diagonal from 2^-8 on and ulp-nonoverlapping"};
  if constexpr (requires(Case c) { smaller_systems(c, words); }) {
    domain.shrink_shape = [words](const Case& c) { return smaller_systems(c, words); };
  }
  return domain;
}

// ------------------------------------------------------------------------------------------------------- claims

/// f(i, k, place) for every unknown.
template <class F>
void for_each_unknown(const Systems& s, F&& f) {
  for (std::int64_t k = 0; k < s.count; ++k) {
    for (std::int64_t i = 0; i < s.n; ++i) f(i, k, s.b_at(i, k));
  }
}

inline Judgement judge_residuals(const Systems& s, const Result& result) {
  Judgement worst;
  const Dyadic alpha = sum_of_words(s.alpha);
  const Dyadic alpha_weight = expansion::detail::weight_of(s.alpha);
  std::vector<Dyadic> value(s.b.size() / s.words);
  std::vector<Dyadic> weight(value.size());
  bool finite = true;
  for_each_unknown(s, [&](std::int64_t, std::int64_t, std::size_t at) {
    if (!component_value(result, at, value[at])) {
      worst.worsen(Judgement::fail(at));
      finite = false;
    } else {
      weight[at] = expansion::detail::weight_of<double>(s.entry(result.words, at));
    }
  });
  if (!finite) return worst;
  for_each_unknown(s, [&](std::int64_t i, std::int64_t k, std::size_t at) {
    if (!s.reads()) {
      worst.worsen(judge_exact(value[at], Dyadic(), at));
      return;
    }
    const Span right = s.entry(s.b, at);
    Dyadic residual = alpha * sum_of_words(right);
    XblasRow row{.beside = static_cast<std::uint64_t>(s.upper ? s.n - 1 - i : i),
                 .unit = s.unit,
                 .weight = alpha_weight * expansion::detail::weight_of(right),
                 .quotient = {},
                 .diagonal = {}};
    for (std::int64_t j = 0; j < s.n; ++j) {
      if (!s.is_stored(i, j)) continue;
      const Span entry = s.entry(s.t, s.t_at(i, j));
      const std::size_t of = s.b_at(j, k);
      const Dyadic product = sum_of_words(entry) * value[of];
      residual -= product;
      if (i == j) {
        row.quotient = abs(product);
        row.diagonal = expansion::detail::weight_of(entry);
      } else {
        row.weight.add_mul(expansion::detail::weight_of(entry), weight[of]);
      }
    }
    if (s.unit) {
      residual -= value[at];
      row.quotient = abs(value[at]);
    }
    worst.worsen(
        judge_within(residual, Dyadic(), xblas_residual_1(static_cast<int>(s.words), row, oracle::binary64), at));
  });
  return worst;
}

inline Judgement judge_words(const Systems& s, const Result& result) {
  Judgement worst;
  ExactWords exact;
  for_each_unknown(s, [&](std::int64_t, std::int64_t, std::size_t at) {
    if (!exact_words(s.entry(result.words, at), exact)) {
      worst.worsen(Judgement::fail(at));
      return;
    }
    Judgement entry = judge_ulp_nonoverlapping(exact, FloatTraits<double>::precision);
    entry.component = at;
    worst.worsen(entry);
  });
  return worst;
}

inline Judgement judge_gaps(const Systems& s, const Result& result) {
  if (result.words.size() != s.b.size()) return Judgement::fail();
  std::vector<bool> written(s.b.size() / s.words);
  for_each_unknown(s, [&](std::int64_t, std::int64_t, std::size_t at) { written[at] = true; });
  Judgement worst;
  for (std::size_t i = 0; i < s.b.size(); ++i) {
    if (!written[i / s.words] && bits_of(result.words[i]) != bits_of(s.b[i])) {
      worst.worsen(Judgement::fail(i / s.words));
    }
  }
  return worst;
}

/// The promises of a triangular solve of W = `words` words, which run(executor, words, case) computes.
template <class Case, class Run>
Property<Case, Expansions<double>> solve_property(const std::string& name, std::size_t words, Run run) {
  const auto judged = [words](auto judge) {
    return [words, judge](const Case& c, const Result& result) { return judge(systems_of(c, words), result); };
  };
  Property<Case, Result> property{
      .name = name,
      .domain = solve_domain<Case>(words),
      .subject =
          [words, run](const Executor& on, const Case& c) {
            return Result{run(on, static_cast<int>(words), c), words};
          },
      // The truth is a residual of 0: unknowns that are wrong in a common way solve another system.
      .reference = [words](const Case& c) { return Truth(systems_of(c, words).b.size() / words); },
      .claims = {claim_spec("residual", xblas_residual_1,
                            [words](const Case& c, const Truth&, const Result& result) {
                              return judge_residuals(systems_of(c, words), result);
                            }),
                 satisfies("untouched", xblas_untouched_1, judged(judge_gaps))},
      .inexact = [words](const Case& c, const Truth&, const Result&) { return systems_of(c, words).n > 0; },
      .quick_cases = 1000};
  if (words > 1) property.claims.push_back(satisfies("nonoverlapping", xblas_words_1, judged(judge_words)));
  if constexpr (requires(Case c) { c.alpha; }) {
    property.claims.push_back(when(
        "α = 0, and entries are written",
        [words](const Case& c) {
          const Systems s = systems_of(c, words);
          return !s.reads() && s.n * s.count > 0;
        },
        satisfies("factors_not_read", xblas_factors_1, judged(judge_residuals))));
  }
  return property;
}

}  // namespace assay::xblas
