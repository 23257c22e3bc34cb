// BLAS 1, 2 and 3 in one, two and four words, but for triangular systems.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/xblas_theorems.hpp"
#include "properties/catalog/xblas/layouts.hpp"
#include "properties/framework/property.hpp"

namespace assay::xblas {
namespace {

using expansion::ExpansionGemmCase;
using expansion::ExpansionGemvCase;
using oracle::Dyadic;
using GemvCase = ExpansionGemvCase<double>;
using GemmCase = ExpansionGemmCase<double>;
using Result = Expansions<double>;
using Truth = std::vector<Dyadic>;
using Span = std::span<const double>;

blas::Transpose transpose(int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; }
blas::Triangle triangle(int upper) { return upper != 0 ? blas::Triangle::upper : blas::Triangle::lower; }

std::string suffix(std::size_t words) { return words == 1 ? "" : words == 2 ? "_dd" : "_qd"; }

// -------------------------------------------------------------------------------------------------------- calls

Numbers run(const Executor& on, int words, const DotCase& c) {
  return expansion::expansion_dot(on, words, c.n, c.x, c.incx, c.y, c.incy);
}
Numbers run(const Executor& on, int words, const AsumCase& c) {
  return expansion::expansion_asum(on, words, c.n, c.x, c.incx);
}
Numbers run(const Executor& on, int words, const AxpyCase& c) {
  return expansion::expansion_axpy(on, words, c.n, c.alpha, c.x, c.incx, c.y, c.incy);
}
Numbers run(const Executor& on, int, const GemvCase& c) {
  return expansion::dot2_gemv(on, transpose(c.trans), c.m, c.n, c.alpha[0], c.a, c.lda, c.x, c.incx, c.beta[0], c.y,
                              c.incy);
}
Numbers run(const Executor& on, int, const GemmCase& c) {
  return expansion::dot2_gemm(on, transpose(c.transa), transpose(c.transb), c.m, c.n, c.k, c.alpha[0], c.a, c.lda, c.b,
                              c.ldb, c.beta[0], c.c, c.ldc);
}
Numbers run(const Executor& on, int words, const SymvCase& c) {
  return expansion::expansion_symv(on, words, triangle(c.upper), c.n, c.alpha, c.a, c.lda, c.x, c.incx, c.beta, c.y,
                                   c.incy);
}
Numbers run(const Executor& on, int words, const GerCase& c) {
  return expansion::expansion_ger(on, words, c.m, c.n, c.alpha, c.x, c.incx, c.y, c.incy, c.a, c.lda);
}
Numbers run(const Executor& on, int words, const SyrkCase& c) {
  return expansion::expansion_syrk(on, words, triangle(c.upper), transpose(c.trans), c.n, c.k, c.alpha, c.a, c.lda,
                                   c.beta, c.c, c.ldc);
}

// ------------------------------------------------------------------------------------------------------ domains

template <class Case>
Domain<Case> domain_of(std::size_t words) {
  return {.classes = expansion::expansion_blas_classes<Case, double>(words),
          .contains = [words](const Case& c) { return is_case(c, words); },
          .accepts = "dimensions up to " + std::to_string(expansion::longest_dimension) + ", at most " +
                     std::to_string(expansion::most_products) +
                     " products; strides 1 to 3 or -1 to -3; arrays as long as shape and leading dimensions ask; words "
                     "that are read finite, below 2^201"};
}
template <>
Domain<AsumCase> domain_of(std::size_t words) {
  return {.classes = expansion::expansion_blas_classes<AsumCase, double>(words),
          .contains =
              [words](const AsumCase& c) {
                return is_case(DotCase{c.n, c.incx, 1, c.x,
                                       Numbers(static_cast<std::size_t>(std::max<std::int64_t>(c.n, 0)) * words)},
                               words);
              },
          .accepts = "up to " + std::to_string(expansion::longest_dimension) +
                     " entries; strides 1 to 3 or -1 to -3; finite words, below 2^201"};
}
template <>
Domain<GemvCase> domain_of(std::size_t words) {
  return expansion::expansion_blas_domain<GemvCase, double>(words);
}
template <>
Domain<GemmCase> domain_of(std::size_t words) {
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

template <class Case>
Subject<Case, Result> subject_of(std::size_t words) {
  return [words](const Executor& on, const Case& c) { return Result{run(on, static_cast<int>(words), c), words}; };
}

Property<AsumCase, Result> asum(std::size_t words) {
  return {.name = "xblas.asum" + suffix(words),
          .domain = domain_of<AsumCase>(words),
          .subject = subject_of<AsumCase>(words),
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

/// The operation with an error that `judge(case, truth, result)` decides by the theorem.
template <class Case, AnyTheorem Error, class Judge>
Property<Case, Result> operation(const std::string& name, std::size_t words, const Error& theorem, Judge judge) {
  const auto problem = [words](const Case& c) { return problem_of(c, words, 1); };
  const auto finite = [problem](const Case& c, const Result& result) {
    return expansion::judge_finite(problem(c), result);
  };
  Property<Case, Result> property{.name = name + suffix(words),
                                  .domain = domain_of<Case>(words),
                                  .subject = subject_of<Case>(words),
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

template <class Case>
void add_sum(const std::string& name, std::size_t words) {
  Registration(operation<Case>(
      name, words, xblas_sum_1,
      [words](const Case& c, const Truth& truth, const Result& result) { return judge_sum(c, words, truth, result); }));
}

template <class Case>
void add_entries(const std::string& name, std::size_t words, std::uint64_t lanes) {
  Registration(operation<Case>(name, words, xblas_entry_1,
                               [words, lanes](const Case& c, const Truth& truth, const Result& result) {
                                 return judge_entries(c, words, lanes, truth, result);
                               }));
}

void add_products() {
  for (const std::size_t words : {1u, 2u, 4u}) {
    add_sum<AxpyCase>("xblas.axpy", words);
    add_sum<DotCase>("xblas.dot", words);
    Registration(asum(words));
    add_entries<SymvCase>("xblas.symv", words, expansion::vector_entry_lanes);
    add_entries<GerCase>("xblas.ger", words, 1);
    add_entries<SyrkCase>("xblas.syrk", words, 1);
  }
  add_entries<GemvCase>("xblas.gemv", 1, expansion::vector_entry_lanes);
  add_entries<GemmCase>("xblas.gemm", 1, 1);
}

const LateRegistration all{"xblas", add_products};

}  // namespace
}  // namespace assay::xblas
