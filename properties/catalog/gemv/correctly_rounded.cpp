#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "properties/catalog/gemv/exact_cases.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/structure.hpp"

namespace assay::gemv {
namespace {

using oracle::Dyadic;

using GemvCase = ExactGemvCase<double>;

constexpr std::pair<Rounding, oracle::Rounding> directions[] = {{Rounding::rn, oracle::Rounding::nearest},
                                                                {Rounding::ru, oracle::Rounding::up},
                                                                {Rounding::rd, oracle::Rounding::down},
                                                                {Rounding::rz, oracle::Rounding::zero}};

/// y for each direction, one after the other.
Expansions<double> gemv_in_every_direction(const Executor& on, const GemvCase& c) {
  Expansions<double> all;
  for (const auto& [to, direction] : directions) {
    const std::vector<double> y =
        exact_gemv(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, c.alpha[0],
                   std::span<const double>(c.a), c.lda, std::span<const double>(c.x), c.incx, c.beta[0],
                   std::span<const double>(c.y), c.incy, to);
    all.words.insert(all.words.end(), y.begin(), y.end());
  }
  return all;
}

/// judge(y, direction) for each direction.
template <class Judge>
Judgement in_every_direction(const GemvCase& c, const Expansions<double>& result, Judge&& judge) {
  Judgement worst;
  for (std::size_t i = 0; i < std::size(directions); ++i) {
    const auto y = std::span(result.words).subspan(i * c.y.size(), c.y.size());
    worst.worsen(judge(y, directions[i].second));
  }
  return worst;
}

auto finite_where_not_read(std::string id, const AnyTheorem auto& theorem) {
  return satisfies(std::move(id), theorem, [](const GemvCase& c, const Expansions<double>& result) {
    return in_every_direction(c, result, [&](std::span<const double> y, oracle::Rounding) {
      bool no_nan = true;
      expansion::for_each_written(
          problem_of(c), [&](std::int64_t, std::int64_t, std::size_t place) { no_nan = no_nan && !is_nan(y[place]); });
      return Judgement::of(no_nan);
    });
  });
}

const Registration gemv{
    Property<GemvCase, Expansions<double>>{.name = "gemv.correctly_rounded",
                                           .domain = exact_gemv_domain<double>(),
                                           .subject = gemv_in_every_direction,
                                           .reference =
                                               [](const GemvCase& c) { return expansion::exact_result(problem_of(c)); },
                                           .claims = {claim_spec("rounded", gemv_correctly_rounded_1,
                                                                 [](const GemvCase& c, const std::vector<Dyadic>& truth,
                                                                    const Expansions<double>& result) {
                                                                   const auto p = problem_of(c);
                                                                   return in_every_direction(
                                                                       c, result,
                                                                       [&](std::span<const double> y,
                                                                           oracle::Rounding direction) {
                                                                         return judge_rounded_entries(p, truth, y,
                                                                                                      direction);
                                                                       });
                                                                 }),
                                                      satisfies(
                                                          "untouched", gemv_structure_1,
                                                          [](const GemvCase& c, const Expansions<double>& result) {
                                                            return in_every_direction(
                                                                c, result,
                                                                [&](std::span<const double> y, oracle::Rounding) {
                                                                  return expansion::judge_untouched(
                                                                      problem_of(c),
                                                                      Expansions<double>{{y.begin(), y.end()}, 1});
                                                                });
                                                          }),
                                                      when(
                                                          "β = 0, y holds NaN, and entries are written",
                                                          [](const GemvCase& c) {
                                                            const auto p = problem_of(c);
                                                            return !p.returns_at_once && !p.adds_start() &&
                                                                   expansion::has_nan(p.c);
                                                          },
                                                          finite_where_not_read("start_not_read", gemv_structure_2)),
                                                      when(
                                                          "α = 0, A or x holds NaN, and entries are written",
                                                          [](const GemvCase& c) {
                                                            const auto p = problem_of(c);
                                                            return !p.returns_at_once && !p.adds_product() &&
                                                                   (expansion::has_nan(p.a) || expansion::has_nan(p.b));
                                                          },
                                                          finite_where_not_read("factors_not_read", gemv_structure_3))},
                                           .inexact =
                                               [](const GemvCase& c, const std::vector<Dyadic>& truth,
                                                  const Expansions<double>& result) {
                                                 bool found = false;
                                                 Dyadic got;
                                                 expansion::for_each_written(
                                                     problem_of(c), [&](std::int64_t, std::int64_t, std::size_t place) {
                                                       found = found || !component_value(result, place, got) ||
                                                               got != truth[place];
                                                     });
                                                 return found;
                                               },
                                           .quick_cases = 1000}};

}  // namespace
}  // namespace assay::gemv
