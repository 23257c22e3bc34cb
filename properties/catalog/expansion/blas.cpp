#include <algorithm>
#include <span>

#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"
#include "properties/catalog/expansion/blas_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::expansion {

namespace {

using oracle::Dyadic;

blas::Transpose transpose(int flag) { return flag != 0 ? blas::Transpose::yes : blas::Transpose::no; }

/// Whether there is nothing to compute: the form on memory then takes null pointers.
template <class Case>
bool returns_at_once(const Case& c, std::int64_t terms) {
  const auto is_zero = [](const auto& words) { return std::ranges::all_of(words, [](auto w) { return w == 0; }); };
  const bool is_one = c.beta[0] == 1 && is_zero(std::span(c.beta).subspan(1));
  return c.m == 0 || c.n == 0 || ((is_zero(c.alpha) || terms == 0) && is_one);
}

template <class T>
std::vector<T> run(const Executor& on, int words, const ExpansionGemvCase<T>& c) {
  using Span = std::span<const T>;
  if (returns_at_once(c, 1)) {
    expansion_gemv<T>(on, words, transpose(c.trans), c.m, c.n, Span(c.alpha), nullptr, c.lda, nullptr, c.incx,
                      Span(c.beta), nullptr, c.incy);
  }
  return expansion_gemv<T>(on, words, transpose(c.trans), c.m, c.n, Span(c.alpha), Span(c.a), c.lda, Span(c.x), c.incx,
                           Span(c.beta), Span(c.y), c.incy);
}
template <class T>
std::vector<T> run(const Executor& on, int words, const ExpansionGemmCase<T>& c) {
  using Span = std::span<const T>;
  if (returns_at_once(c, c.k)) {
    expansion_gemm<T>(on, words, transpose(c.transa), transpose(c.transb), c.m, c.n, c.k, Span(c.alpha), nullptr, c.lda,
                      nullptr, c.ldb, Span(c.beta), nullptr, c.ldc);
  }
  return expansion_gemm<T>(on, words, transpose(c.transa), transpose(c.transb), c.m, c.n, c.k, Span(c.alpha), Span(c.a),
                           c.lda, Span(c.b), c.ldb, Span(c.beta), Span(c.c), c.ldc);
}

template <class Case, class T>
Property<Case, Expansions<T>> blas(const std::string& name, int words, std::uint64_t lanes) {
  const auto length = static_cast<std::size_t>(words);
  const auto problem = [length, lanes](const Case& c) { return problem_of(c, length, lanes); };
  const auto not_read = [problem](const char* condition, auto holds_nan, const char* id, const auto& theorem) {
    return when(
        condition,
        [problem, holds_nan](const Case& c) {
          const auto p = problem(c);
          return !p.returns_at_once && holds_nan(p);
        },
        satisfies(id, theorem,
                  [problem](const Case& c, const Expansions<T>& result) { return judge_finite(problem(c), result); }));
  };
  return {
      .name = name + std::to_string(words) + format_suffix<T>(),
      .domain = expansion_blas_domain<Case, T>(length),
      .subject =
          [words, length](const Executor& on, const Case& c) {
            return Expansions<T>{run<T>(on, words, c), length};
          },
      .reference = [problem](const Case& c) { return exact_result(problem(c)); },
      .claims = {claim_spec("error", expansion_blas_1,
                            [problem](const Case& c, const std::vector<Dyadic>& truth, const Expansions<T>& result) {
                              return judge_blas_error(problem(c), truth, result);
                            }),
                 satisfies("nonoverlapping", expansion_accumulator_3,
                           [problem](const Case& c, const Expansions<T>& result) {
                             return judge_blas_structure(problem(c), result);
                           }),
                 satisfies("untouched", expansion_blas_2,
                           [problem](const Case& c, const Expansions<T>& result) {
                             return judge_untouched(problem(c), result);
                           }),
                 not_read(
                     "β = 0, the start holds NaN, and entries are written",
                     [](const auto& p) { return !p.adds_start() && has_nan(p.c); }, "start_not_read", expansion_blas_3),
                 not_read(
                     "α = 0, a factor holds NaN, and entries are written",
                     [](const auto& p) { return !p.adds_product() && (has_nan(p.a) || has_nan(p.b)); },
                     "factors_not_read", expansion_blas_4)},
      .inexact =
          [problem](const Case& c, const std::vector<Dyadic>& truth, const Expansions<T>& result) {
            bool found = false;
            Dyadic got;
            for_each_written(problem(c), [&](std::int64_t, std::int64_t, std::size_t place) {
              found = found || !component_value(result, place, got) || got != truth[place];
            });
            return found;
          },
      .quick_cases = 1000};
}

Registration gemv(int words) {
  return Registration(blas<ExpansionGemvCase<double>, double>("expansion.gemv", words, expansion_gemv_lanes));
}
Registration gemm(int words) {
  return Registration(blas<ExpansionGemmCase<double>, double>("expansion.gemm", words, 1));
}

const LateRegistration blas_functions{"expansion", [] {
                                        gemv(2);
                                        gemv(3);
                                        gemv(4);
                                        gemv(8);
                                        gemm(2);
                                        gemm(3);
                                        gemm(4);
                                        gemm(8);
                                      }};

}  // namespace

}  // namespace assay::expansion
