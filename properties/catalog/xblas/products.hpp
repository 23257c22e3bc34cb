#pragma once
// BLAS 1, 2 and 3 in one, two and four words, except for triangular systems: the domains and the claims.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/xblas_theorems.hpp"
#include "properties/catalog/xblas/layouts.hpp"
#include "properties/framework/property.hpp"

namespace assay::xblas {

using expansion::ExpansionGemmCase;
using expansion::ExpansionGemvCase;
using oracle::Dyadic;
using GemvCase = ExpansionGemvCase<double>;
using GemmCase = ExpansionGemmCase<double>;

// ------------------------------------------------------------------------------------------------------ domains

template <class Case>
Domain<Case> domain_of(std::size_t words) {
  Domain<Case> domain{
      .classes = expansion::expansion_blas_classes<Case, double>(words),
      .contains = [words](const Case& c) { return is_case(c, words); },
      .accepts = "dimensions up to " + std::to_string(expansion::longest_dimension) + ", at most " +
                 std::to_string(expansion::most_products) +
                 " products; strides 1 to 3 or -1 to -3; arrays as long as shape and leading dimensions require; words "
                 "that are read finite, below 2^201"};
  if constexpr (requires(Case c) { axes_of(c, words); }) {
    domain.axes = [words](const Case& c) { return axes_of(c, words); };
  }
  return domain;
}
template <>
inline Domain<AsumCase> domain_of(std::size_t words) {
  return {.classes = expansion::expansion_blas_classes<AsumCase, double>(words),
          .contains =
              [words](const AsumCase& c) {
                return is_case(DotCase{c.n, c.incx, 1, c.x,
                                       Numbers(static_cast<std::size_t>(std::max<std::int64_t>(c.n, 0)) * words)},
                               words);
              },
          .axes = [words](const AsumCase& c) { return axes_of(c, words); },
          .accepts = "up to " + std::to_string(expansion::longest_dimension) +
                     " entries; strides 1 to 3 or -1 to -3; finite words, below 2^201"};
}
template <>
inline Domain<GemvCase> domain_of(std::size_t words) {
  return expansion::expansion_blas_domain<GemvCase, double>(words);
}
template <>
inline Domain<GemmCase> domain_of(std::size_t words) {
  return expansion::expansion_blas_domain<GemmCase, double>(words);
}

// --------------------------------------------------------------------------------------------------- properties

/// Σ|xᵢ| and Σ w(xᵢ).
struct AbsoluteSums {
  Dyadic sum, weight;
  AbsoluteSums(const AsumCase& c, std::size_t words) {
    const EntryPlaces at = vector_places(c.n, c.incx);
    for (std::int64_t i = 0; i < c.n; ++i) {
      const Span entry = Span(c.x).subspan(at(i, 0) * words, words);
      const auto first = std::ranges::find_if(entry, [](double x) { return x != 0; });
      const Dyadic value = sum_of_words<double>(entry);
      sum += first != entry.end() && *first < 0 ? -value : value;
      weight += expansion::detail::weight_of(entry);
    }
  }
};

template <class Case, class Run>
Subject<Case, Result> subject_of(std::size_t words, Run run) {
  return [words, run](const Executor& on, const Case& c) { return Result{run(on, static_cast<int>(words), c), words}; };
}

/// The promises of Σ |xᵢ|, which run(executor, words, case) computes.
template <class Run>
Property<AsumCase, Result> asum_property(const std::string& name, std::size_t words, Run run) {
  return {.name = name,
          .domain = domain_of<AsumCase>(words),
          .subject = subject_of<AsumCase>(words, run),
          .reference = [words](const AsumCase& c) { return Truth{AbsoluteSums(c, words).sum}; },
          .claims = {within("error", xblas_sum_1,
                            [words](const auto& theorem, const AsumCase& c) {
                              const AbsoluteSums sums(c, words);
                              const auto n = static_cast<std::uint64_t>(c.n);
                              const auto lanes = static_cast<std::uint64_t>(expansion::sum_lanes(c.n));
                              return theorem(static_cast<int>(words), n, lanes, sums.weight, abs(sums.sum),
                                             oracle::binary64);
                            })},
          .quick_cases = 1000};
}

/// Σxᵢ², Σ w(xᵢ)² and the largest magnitude of a word.
struct SquareSums {
  Dyadic sum, weight, largest;
  SquareSums(const AsumCase& c, std::size_t words) {
    const EntryPlaces at = vector_places(c.n, c.incx);
    for (std::int64_t i = 0; i < c.n; ++i) {
      const Span entry = Span(c.x).subspan(at(i, 0) * words, words);
      const Dyadic value = sum_of_words<double>(entry);
      const Dyadic weight_of_entry = expansion::detail::weight_of<double>(entry);
      sum.add_mul(value, value);
      weight.add_mul(weight_of_entry, weight_of_entry);
      for (const double each : entry) largest = std::max(largest, abs(value_of(each)));
    }
  }
};

inline bool is_special(double x) { return !assay::is_finite(x); }
/// The words that are read and not finite.
inline std::vector<double> special_words(const AsumCase& c, std::size_t words) {
  const EntryPlaces at = vector_places(c.n, c.incx);
  std::vector<double> special;
  for (std::int64_t i = 0; i < c.n; ++i) {
    std::ranges::copy_if(Span(c.x).subspan(at(i, 0) * words, words), std::back_inserter(special), is_special);
  }
  return special;
}

/// A vector in which some entries that are read are ±∞, or NaN, with words 0 after the first.
inline AsumCase draw_special_norm(Draw& draw, std::size_t words) {
  AsumCase c{1 + static_cast<std::int64_t>(draw.below(draw.coin() ? 3 : 300)), draw.coin() ? 1 : -2, {}};
  const EntryPlaces at = vector_places(c.n, c.incx);
  c.x.assign(static_cast<std::size_t>(at.size) * words, 0.5);
  for (std::int64_t i = 0; i < c.n; ++i) {
    const auto drawn_words =
        expansion::detail::draw_expansion<double>(draw, words, words, expansion::detail::WordStyle::dense,
                                                  expansion::detail::Signs::mixed, draw.between(-1000, 900));
    std::ranges::copy(drawn_words, c.x.begin() + static_cast<std::ptrdiff_t>(at(i, 0) * words));
  }
  const auto infinity = std::numeric_limits<double>::infinity();
  for (std::uint64_t specials = 1 + draw.below(3); specials > 0; --specials) {
    const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
    const std::size_t place = at(i, 0) * words;
    for (std::size_t word = 0; word < words; ++word) c.x[place + word] = 0;
    c.x[place] = draw.one_in(4) ? std::numeric_limits<double>::quiet_NaN() : draw.coin() ? infinity : -infinity;
  }
  return c;
}

/// Whether E ≤ s/100 for the sum s of squares (xblas.norm.1), as for expansions whose first word is not 0.
inline bool is_close_to_sum(const AsumCase& c, std::size_t words, const SquareSums& sums) {
  if (c.n == 0) return true;
  const Bound error = xblas_square_sum_bound(static_cast<int>(words), static_cast<std::uint64_t>(c.n),
                                             static_cast<std::uint64_t>(expansion::sum_lanes(c.n)), sums.weight,
                                             sums.largest, oracle::binary64);
  return Dyadic(100) * error.numerator <= sums.sum * error.denominator;
}

inline Domain<AsumCase> norm_domain(std::size_t words) {
  Domain<AsumCase> domain = domain_of<AsumCase>(words);
  // One number anywhere in the range, and others near it: the squares leave the range.
  for (const auto& [name, low, high] :
       {std::tuple{"squares overflow", 600, 1000}, {"squares underflow", -1060, -600}}) {
    domain.classes.push_back({name, 2, drawn<AsumCase>([words, low, high](Draw& draw) {
                                AsumCase c{1 + static_cast<std::int64_t>(draw.below(70)), draw.coin() ? 1 : -2, {}};
                                const int exponent = draw.between(low, high);
                                const EntryPlaces at = vector_places(c.n, c.incx);
                                c.x.assign(static_cast<std::size_t>(at.size) * words, 0.5);
                                for (std::int64_t i = 0; i < c.n; ++i) {
                                  const auto drawn_words = expansion::detail::draw_expansion<double>(
                                      draw, words, words, expansion::detail::WordStyle::dense,
                                      expansion::detail::Signs::mixed, exponent - draw.between(0, 9));
                                  std::ranges::copy(drawn_words,
                                                    c.x.begin() + static_cast<std::ptrdiff_t>(at(i, 0) * words));
                                }
                                return c;
                              })});
  }
  domain.classes.push_back(
      {"infinities and NaN", 1, drawn<AsumCase>([words](Draw& draw) { return draw_special_norm(draw, words); })});
  domain.contains = [words](const AsumCase& c) {
    const bool has_shape = c.n >= 0 && c.n <= expansion::longest_dimension && expansion::detail::is_stride(c.incx) &&
                           c.x.size() == static_cast<std::size_t>(vector_places(c.n, c.incx).size) * words;
    const auto is_read = [](double x) { return in_box(x, Box{full_box<double>().low, 1000}); };
    if (!has_shape) return false;
    if (const auto read = special_words(c, words); !read.empty()) {
      return std::ranges::count_if(c.x, is_special) == std::ssize(read);
    }
    if (!std::ranges::all_of(c.x, is_read)) return false;
    const SquareSums sums(c, words);
    return Dyadic(4) * sums.sum >= sums.largest * sums.largest && is_close_to_sum(c, words, sums);
  };
  domain.accepts = "up to " + std::to_string(expansion::longest_dimension) +
                   " entries; strides 1 to 3 or -1 to -3; words below 2^1001 whose norm is at least half of the "
                   "largest one and the sum of squares at least 100 times its bound, or infinities and NaN among "
                   "them";
  return domain;
}

/// Whether z is NaN if one of the words is, otherwise ∞ with words 0 after the first.
inline bool is_special_norm(Span special, Span z) {
  if (std::ranges::any_of(special, [](double x) { return x != x; })) return z[0] != z[0];
  return z[0] == std::numeric_limits<double>::infinity() &&
         std::ranges::all_of(z.subspan(1), [](double x) { return x == 0; });
}

/// The promises of √Σ xᵢ², which run(executor, words, case) computes.
template <class Run>
Property<AsumCase, Result, oracle::Exact> norm_property(const std::string& name, std::size_t words, Run run) {
  return {.name = name,
          .domain = norm_domain(words),
          .subject = subject_of<AsumCase>(words, run),
          .reference = [words](const AsumCase& c) -> oracle::Exact {
            return special_words(c, words).empty() ? oracle::square_root(SquareSums(c, words).sum)
                                                   : oracle::Exact(Dyadic());
          },
          .claims = {when(
                         "finite words", [words](const AsumCase& c) { return special_words(c, words).empty(); },
                         within("error", xblas_norm_1,
                                [words](const auto& theorem, const AsumCase& c) -> Bound {
                                  const SquareSums sums(c, words);
                                  if (sums.sum.is_zero()) return {0, 1};
                                  const oracle::Ball root = oracle::sqrt(oracle::Ball(sums.sum), 256);
                                  const XblasNorm norm{static_cast<std::uint64_t>(c.n),
                                                       static_cast<std::uint64_t>(expansion::sum_lanes(c.n)),
                                                       sums.weight,
                                                       sums.largest,
                                                       root.lower(),
                                                       root.upper()};
                                  return theorem(static_cast<int>(words), norm, oracle::binary64);
                                })),
                     when(
                         "infinities or NaN among the words",
                         [words](const AsumCase& c) { return !special_words(c, words).empty(); },
                         satisfies("special", xblas_special_1,
                                   [words](const AsumCase& c, const Result& z) {
                                     return is_special_norm(special_words(c, words), z.words);
                                   }))},
          .quick_cases = 1000};
}

/// |r̂ − r| of a dot product or the entries of an axpy.
template <class Case>
Judgement judge_sum(const Case& c, std::size_t words, const Truth& truth, const Result& result) {
  const Problem p = problem_of(c, words, 1);
  Judgement worst;
  Dyadic got;
  const Dyadic alpha = expansion::detail::weight_of(p.alpha);
  expansion::detail::for_each_sum(
      p, [](Span entry) { return expansion::detail::weight_of(entry); },
      [&](std::int64_t, std::int64_t, std::size_t place, const Dyadic& products) {
        Dyadic weight = alpha * products;
        if (p.adds_start()) weight += expansion::detail::weight_of(p.entry(p.c, place));
        const auto n = static_cast<std::uint64_t>(p.k + (p.adds_start() ? 1 : 0));
        worst.worsen(component_value(result, place, got)
                         ? judge_within(got, truth[place],
                                        xblas_sum_1(static_cast<int>(words), n, p.lanes, weight, abs(truth[place]),
                                                    oracle::binary64),
                                        place)
                         : Judgement::fail(place));
      });
  return worst;
}

template <class Case>
Judgement judge_entries(const Case& c, std::size_t words, std::uint64_t lanes, const Truth& truth,
                        const Result& result) {
  return judge_blas_error(problem_of(c, words, lanes), truth, result, std::max<std::size_t>(words, 2),
                          [words](const Bound& of_entry, const Dyadic& value) {
                            return xblas_entry_1(static_cast<int>(words), of_entry, abs(value), oracle::binary64);
                          });
}

/// The promises of the operation that run(executor, words, case) computes; judge(case, truth, result) decides the error
/// by the theorem.
template <class Case, class Run, AnyTheorem Error, class Judge>
Property<Case, Result> operation(const std::string& name, std::size_t words, Run run, const Error& theorem,
                                 Judge judge) {
  const auto problem = [words](const Case& c) { return problem_of(c, words, 1); };
  const auto finite = [problem](const Case& c, const Result& result) {
    return expansion::judge_finite(problem(c), result);
  };
  Property<Case, Result> property{.name = name,
                                  .domain = domain_of<Case>(words),
                                  .subject = subject_of<Case>(words, run),
                                  .reference = [problem](const Case& c) { return exact_result(problem(c)); },
                                  .claims = {claim_spec("error", theorem, judge)},
                                  .inexact =
                                      [problem](const Case& c, const Truth& truth, const Result& result) {
                                        bool found = false;
                                        Dyadic got;
                                        for_each_written(problem(c), [&](std::int64_t, std::int64_t, std::size_t at) {
                                          found = found || !component_value(result, at, got) || got != truth[at];
                                        });
                                        return found;
                                      },
                                  .quick_cases = 1000};
  if (words > 1) {
    property.claims.push_back(
        satisfies("nonoverlapping", xblas_words_1,
                  [problem](const Case& c, const Result& result) { return judge_blas_structure(problem(c), result); }));
  }
  if constexpr (!std::is_same_v<Case, DotCase>) {
    property.claims.push_back(satisfies("untouched", xblas_untouched_1, [problem](const Case& c, const Result& result) {
      return judge_untouched(problem(c), result);
    }));
  }
  if constexpr (requires(Case c) { c.beta; }) {
    property.claims.push_back(when(
        "β = 0, the start holds NaN, and entries are written",
        [problem](const Case& c) {
          const Problem p = problem(c);
          return !p.returns_at_once && !p.adds_start() && expansion::has_nan(p.c);
        },
        satisfies("start_not_read", xblas_start_1, finite)));
    property.claims.push_back(when(
        "α = 0, a factor holds NaN, and entries are written",
        [problem](const Case& c) {
          const Problem p = problem(c);
          return !p.returns_at_once && !p.adds_product() && (expansion::has_nan(p.a) || expansion::has_nan(p.b));
        },
        satisfies("factors_not_read", xblas_factors_1, finite)));
  }
  return property;
}

/// A dot product or an axpy.
template <class Case, class Run>
Property<Case, Result> sum_property(const std::string& name, std::size_t words, Run run) {
  return operation<Case>(
      name, words, run, xblas_sum_1,
      [words](const Case& c, const Truth& truth, const Result& result) { return judge_sum(c, words, truth, result); });
}

/// An operation whose entries are α·s + β·y with sums over that many lanes.
template <class Case, class Run>
Property<Case, Result> entries_property(const std::string& name, std::size_t words, std::uint64_t lanes, Run run) {
  return operation<Case>(name, words, run, xblas_entry_1,
                         [words, lanes](const Case& c, const Truth& truth, const Result& result) {
                           return judge_entries(c, words, lanes, truth, result);
                         });
}

}  // namespace assay::xblas
