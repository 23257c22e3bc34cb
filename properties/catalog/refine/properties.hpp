#pragma once
// The promises of certified solutions of systems of equations.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/refine_theorems.hpp"
#include "kernels/refine/certified_solve.hpp"
#include "properties/catalog/refine/systems.hpp"
#include "properties/framework/property.hpp"

namespace assay::refine {

using oracle::Exact;
using Values = std::vector<double>;
using Truth = std::vector<Exact>;

inline Domain<System> domain() {
  using namespace detail;
  const auto of = [](auto make) { return drawn<System>(make); };
  const auto any_entries = [](int low, int high) {
    return [=](Draw& draw) { return draw_entries(draw, draw_order(draw), low, high); };
  };
  return {.classes = {{"one unknown", 3, of(draw_one_unknown)},
                      {"entries of one size", 3, of(any_entries(-1, 1))},
                      {"exponents apart", 2, of(any_entries(-50, 50))},
                      {"dominated by the diagonal", 4, of(draw_dominant)},
                      {"integer multiples of Hilbert matrices", 2,
                       of([](Draw& draw) { return draw_hilbert(draw, true, 20); })},
                      {"rounded Hilbert matrices", 2, of([](Draw& draw) { return draw_hilbert(draw, false, 14); })},
                      {"conditions up to 10^25", 3, of([](Draw& draw) {
                         const std::int64_t n = 2 + draw_order(draw) % (most_unknowns - 1);
                         return draw_integer_inverse(draw, n, std::ldexp(1.0, draw.between(10, 83))).system;
                       })},
                      {"singular", 2, of([](Draw& draw) { return draw_singular(draw, false); })},
                      {"nearly singular", 2, of([](Draw& draw) { return draw_singular(draw, true); })},
                      {"small integers, unknowns of 0", 2, of(draw_integers)},
                      {"rows and columns scaled, graded", 3, of([](Draw& draw) {
                         return scaled(
                             draw,
                             draw.coin() ? draw_singular(draw, true) : draw_entries(draw, draw_order(draw), -1, 1),
                             300);
                       })},
                      {"products below the range", 3, of(draw_tiny_triangle)},
                      {"near overflow and underflow", 1,
                       of([](Draw& draw) { return draw_entries(draw, draw.between(1, 4), -1074, 1023); })},
                      {"infinities and NaN", 1, of(draw_not_finite)}},
          .contains =
              [](const System& c) {
                return order(c) <= most_unknowns && c.a.size() == static_cast<std::size_t>(order(c) * order(c));
              },
          .features = {{"unknowns", 0, 64, 16, [](const System& c) { return static_cast<double>(order(c)); }}},
          .shrink_shape = smaller_systems,
          .accepts = "up to 60 unknowns, any numbers"};
}

/// The unknowns, the corrections, the errors, the status, and the numbers of words.
inline Values in_a_row(const CertifiedSolution& solution) {
  Values all = solution.x;
  all.insert(all.end(), solution.correction.begin(), solution.correction.end());
  all.insert(all.end(), solution.error.begin(), solution.error.end());
  all.push_back(static_cast<double>(static_cast<int>(solution.status)));
  all.push_back(solution.inverse_words);
  all.push_back(solution.solution_words);
  return all;
}

inline bool is_certified(const System& c, const Values& result) {
  return result[3 * c.b.size()] == static_cast<double>(static_cast<int>(SolveStatus::certified));
}

/// The exact solution, then 1 where there is one; zeros for a singular system and for one that is not finite.
inline Truth truth_of(const System& c) {
  Truth truth(3 * c.b.size() + 3);
  if (!is_finite_system(c)) return truth;
  const auto x = solution_of(c);
  if (!x) return truth;
  std::ranges::copy(*x, truth.begin());
  truth[3 * c.b.size()] = Dyadic(1);
  return truth;
}

inline bool has_solution(const System& c, const Truth& truth) {
  return std::get<Dyadic>(truth[3 * c.b.size()]) == Dyadic(1);
}

/// |xᵢ − (x̂ᵢ + cᵢ)| ≤ errorᵢ where the error is finite.
inline Judgement judge_enclosed(const System& c, const Truth& truth, const Values& result) {
  Judgement worst;
  const std::size_t n = c.b.size();
  for (std::size_t i = 0; i < n && has_solution(c, truth); ++i) {
    const double error = result[2 * n + i];
    if (error == std::numeric_limits<double>::infinity()) continue;
    Dyadic x;
    Dyadic correction;
    Dyadic bound;
    const bool are_numbers = component_value(result, i, x) && component_value(result, n + i, correction) &&
                             component_value(result, 2 * n + i, bound) && bound >= Dyadic(0);
    worst.worsen(are_numbers ? judge_within(x + correction, truth[i], Bound{bound}, i) : Judgement::fail(i));
  }
  worst.judged = n;
  return worst;
}

/// Neither a certificate nor a finite error.
inline bool says_nothing(const System& c, const Values& result) {
  bool nothing = !is_certified(c, result);
  for (std::size_t i = 0; i < c.b.size(); ++i) {
    nothing = nothing && result[2 * c.b.size() + i] == std::numeric_limits<double>::infinity();
  }
  return nothing;
}

/// The hypotheses of refine.certified.3.
inline bool is_dominant(const System& c) {
  const auto n = c.b.size();
  if (n == 0 || n > 64 || !is_finite_system(c)) return false;
  const Dyadic low = Dyadic::scaled(1, -200);
  const Dyadic high = Dyadic::scaled(1, 200);
  for (std::size_t i = 0; i < n; ++i) {
    const Dyadic diagonal = abs(value_of(c.a[i * n + i]));
    Dyadic beside;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) beside += abs(value_of(c.a[i * n + j]));
    }
    if (beside.mul_2exp(2) > diagonal || diagonal < low || diagonal > high) return false;
  }
  const auto x = solution_of(c);  // which exists
  Rational largest;
  for (const Rational& each : *x) largest = std::max(largest, abs(each));
  const Rational least = largest * Rational(Dyadic::scaled(1, -100));
  return largest >= Rational(low) && largest <= Rational(high) &&
         std::ranges::all_of(*x, [&](const Rational& each) { return abs(each) >= least; });
}

/// The promises of the certified solution that the subject computes.
inline Property<System, Values, Truth> certified_solve_property(std::string name, Subject<System, Values> subject) {
  return {.name = std::move(name),
          .domain = domain(),
          .subject = std::move(subject),
          .reference = truth_of,
          .claims = {claim_spec("enclosed", refine_enclosure_2, judge_enclosed),
                     claim_spec("faithful_where_certified", refine_certified_1,
                                [](const System& c, const Truth& truth, const Values& result) {
                                  Judgement worst;
                                  for (std::size_t i = 0; i < c.b.size(); ++i) {
                                    if (!is_certified(c, result) || !has_solution(c, truth)) break;
                                    worst.worsen(judge_faithful(bits_of(result[i]), truth[i], oracle::binary64, i));
                                  }
                                  return worst;
                                }),
                     claim_spec("nothing_of_singular", refine_certified_2,
                                [](const System& c, const Truth& truth, const Values& result) {
                                  return Judgement::of(has_solution(c, truth) || says_nothing(c, result));
                                }),
                     when("the rows are dominated by their diagonals as refine.certified.3 requires", is_dominant,
                          satisfies("certifies", refine_certified_3,
                                    [](const System& c, const Values& result) { return is_certified(c, result); }))},
          .inexact = [](const System& c, const Truth&,
                        const Values& result) { return !is_certified(c, result) || result.back() > 1; },
          .quick_cases = 1000};
}

}  // namespace assay::refine
