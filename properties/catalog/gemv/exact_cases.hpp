#pragma once
// Inputs of the matrix-vector product that is rounded once: the shapes and layouts of the expansion GEMV with one word
// for each entry, any finite entries, and results at and near rounding boundaries.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/judge.hpp"
#include "properties/catalog/expansion/blas_cases.hpp"
#include "properties/catalog/expansion/blas_traits.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"

namespace assay::gemv {

/// y ← α·op(A)·x + β·y in T.
template <FloatingPoint T>
using ExactGemvCase = expansion::ExpansionGemvCase<T>;

template <FloatingPoint T>
expansion::ExpansionBlasProblem<T> problem_of(const ExactGemvCase<T>& c) {
  return problem_of(c, 1, 1);
}

namespace detail {

template <FloatingPoint T>
void draw_numbers(Draw& draw, expansion::detail::BlasEntries<T>& e, Significand kind, int low, int high) {
  for (expansion::detail::EntryMatrix<T>* matrix : {&e.a, &e.b, &e.c}) {
    for (T& each : matrix->all) each = draw_number<T>(draw, kind, draw.between(low, high));
  }
}

/// α = ±1, β = ±1, x of ±1, and in every row of A and y the terms of a tie or of a value next to it.
template <FloatingPoint T>
void draw_tied_rows(Draw& draw, expansion::detail::BlasEntries<T>& e) {
  const auto sign = [&] { return compose<T>(draw.coin(), 1, 0); };
  e.alpha[0] = sign();
  e.beta[0] = sign();
  for (T& each : e.b.all) each = sign();
  const auto times = [](const T& x, const T& one) { return parts_of(one).negative ? negated(x) : x; };
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    sum::SumCase<T> terms = sum::detail::draw_hidden_tie<T>(draw);
    for (int again = 0; again < 8 && std::cmp_greater(terms.x.size(), e.a.columns + 1); ++again) {
      terms = sum::detail::draw_hidden_tie<T>(draw);
    }
    terms.x.resize(static_cast<std::size_t>(e.a.columns) + 1);
    e.c.at(i, 0)[0] = times(terms.x[0], e.beta[0]);
    for (std::int64_t l = 0; l < e.a.columns; ++l) {
      e.a.at(i, l)[0] = times(times(terms.x[static_cast<std::size_t>(l) + 1], e.alpha[0]), e.b.at(l, 0)[0]);
    }
  }
}

}  // namespace detail

template <FloatingPoint T>
std::vector<InputClass<ExactGemvCase<T>>> exact_gemv_classes() {
  using Case = ExactGemvCase<T>;
  using F = FloatTraits<T>;
  using Entries = expansion::detail::BlasEntries<T>;
  const auto from = [](auto make) {
    return drawn<Case>([=](Draw& draw) { return expansion::detail::draw_blas_case<Case, T>(draw, 1, make); });
  };
  const auto numbers = [&](Significand kind, int low, int high) {
    return from([=](Draw& draw, Entries& e) { detail::draw_numbers(draw, e, kind, low, high); });
  };
  return {
      {"dense", 3, numbers(Significand::dense, -4, 4)},
      {"any significand, exponents within ±p", 2, numbers(Significand::any, -F::precision, F::precision)},
      {"products cancel", 3, from(expansion::detail::draw_cancelling_products<T>)},
      {"the start cancels the product", 3, from(expansion::detail::draw_cancelling_start<T>)},
      {"tie, tie ± tiny", 4, from(detail::draw_tied_rows<T>)},
      {"scaled rows and columns", 2, from(expansion::detail::draw_scaled<T>)},
      {"small integers", 1, from(expansion::detail::draw_integers<T>)},
      {"products in the range of underflow", 2,
       numbers(Significand::any, F::emin / 2 - F::precision, F::emin / 2 + F::precision)},
      {"full range", 2, numbers(Significand::any, sum::detail::lowest_place<T>, F::emax)},
  };
}

/// Entries that are read are finite.
template <FloatingPoint T>
Domain<ExactGemvCase<T>> exact_gemv_domain() {
  using Case = ExactGemvCase<T>;
  return {.classes = exact_gemv_classes<T>(),
          .contains = [](const Case& c) { return expansion::is_blas_case(c, 1, full_box<T>()); },
          .features = {{"log2 of the inner dimension + 1, rounded up", 0, 9, 9,
                        [](const Case& c) {
                          return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(problem_of(c).k)));
                        }}},
          .axes = [](const Case& c) { return expansion::blas_axes(c, 1); },
          .accepts = "dimensions up to " + std::to_string(expansion::longest_dimension) + ", at most " +
                     std::to_string(expansion::most_products) +
                     " products; strides 1 to 3 or -1 to -3; arrays as long as shape and leading dimensions require; "
                     "entries that are read finite",
          .traits = std::make_shared<const Traits<Case>>(
              expansion::gemv_traits(expansion::expansion_numbers(1, expansion::most_products)))};
}

/// Every entry that is written has the bits of the exact value rounded in the direction, +0 for zero.
template <FloatingPoint T>
Judgement judge_rounded_entries(const expansion::ExpansionBlasProblem<T>& p, const std::vector<oracle::Dyadic>& truth,
                                std::span<const T> result, oracle::Rounding direction) {
  Judgement worst;
  expansion::for_each_written(p, [&](std::int64_t, std::int64_t, std::size_t place) {
    worst.worsen(judge_rounded(bits_of(result[place]), truth[place], format_of<T>(), direction, {}, place));
  });
  return worst;
}

}  // namespace assay::gemv
