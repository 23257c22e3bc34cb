#pragma once
// The common part of the properties of sums and dot products: the claim about their error.

#include <string>
#include <string_view>
#include <utility>

#include "arith/bits/traits.hpp"
#include "errorbounds/fraction.hpp"
#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/claim.hpp"

namespace assay::sum {

template <class T>
inline constexpr int precision = FloatTraits<T>::precision;

/// The bound without the names of its terms, for formats so short that no single term is reached: γ²S is larger than
/// u|s| for every sum of four terms if u is an eighth, and the denominator of γ² grows with nu. Without its term in η
/// if nothing `underflows`.
inline Bound in_one_piece(const Bound& bound, bool underflows = true) {
  Bound whole;
  for (const BoundTerm& each : bound.terms) {
    const bool of_underflow = std::string_view(each.name.text).find("η") != std::string_view::npos;
    if (underflows || !of_underflow) whole = whole + Bound{each.numerator, each.denominator};
  }
  return bound.terms.empty() ? bound : whole;
}

/// n²u ≤ 1 in T.
template <class T>
constexpr bool squares_to_one_at_most(std::size_t n) {
  return n <= (std::size_t{1} << 26) && n * n <= std::size_t{1} << precision<T>;
}

/// |ŝ − s| ≤ bound_of(theorem, n, s, S), for a dot product with its d and T.
template <class BoundOf>
auto error_within(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return claim_spec(std::move(id), theorem,
                    [theorem, bound_of](const auto& c, const oracle::Dyadic& truth, const auto& result) {
                      oracle::Dyadic got;
                      if (!component_value(result, 0, got)) return Judgement::fail();
                      return judge_within(got, truth, bound_of(theorem, c.x.size(), truth, exact_sums(c).magnitudes));
                    });
}

}  // namespace assay::sum
