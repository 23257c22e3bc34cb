#pragma once
// The claims about the error of sums, sums of magnitudes, norms and dot products. A case has the numbers, or what the
// bounds need of them: `terms`, or `sizes` of a norm.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/contracts/reduction_cases.hpp"
#include "properties/contracts/rungs.hpp"

namespace assay::contracts::reductions {

using sum::DotCase;
using sum::SumCase;

inline constexpr const char* height_of_pairs = "h = ⌈log₂ n⌉";
inline constexpr const char* greatest_height = "h = n − 1";
inline constexpr const char* as_any_order = "and at most (n − 1)uS";

template <class T>
Terms sum_of_terms(const SumCase<T>& c) {
  if (sum::is_long<T>(c.x.size())) return long_terms(c.x);
  Terms terms;
  for (const T& each : c.x) terms.add(each);
  return terms;
}
template <class T>
Terms sum_of_terms(const DotCase<T>& c) {
  if (sum::is_long<T>(c.x.size())) return long_terms(c.x, &c.y);
  Terms terms;
  for (std::size_t i = 0; i < c.x.size(); ++i) terms.add(c.x[i], c.y[i]);
  return terms;
}

/// The terms of a sum or a dot product. Those of the last case of a thread are kept, because all its claims ask.
template <class Case>
Terms kept_terms_of(const Case& c) {
  if (!sum::is_kept(c.x.size())) return sum_of_terms(c);
  thread_local std::pair<Case, Terms> last;
  if (sum::same_numbers(c, last.first)) return last.second;
  last = {c, sum_of_terms(c)};
  return last.second;
}

/// The terms of such a case, or those that a case consists of.
template <class Case>
Terms terms_of(const Case& c) {
  if constexpr (requires { c.terms; }) {
    return c.terms;
  } else {
    return kept_terms_of(c);
  }
}

template <class T, class Case>
using Claims = std::vector<Claim<Case, T, oracle::Dyadic>>;

/// Narrow numbers are compensated in binary32 alone, others in their own format.
template <FloatingPoint T>
bool has_compensated(const Accumulator& in) {
  return in.rounds_once == is_narrow<T>;
}

/// within(id, theorem, bound_of, instance) for each bound of a sum s, or of the sum S of the magnitudes, that is
/// computed in the accumulator.
template <class T, bool of_magnitudes>
void for_each_bound_of_sums(const Accumulator& in, const auto& within) {
  const int p = in.format.precision;
  if (has_compensated<T>(in)) {
    within(
        "compensated", sum_sum2_1,
        [p](const auto& bound, const Terms& terms) {
          return bound(terms.n, of_magnitudes ? terms.magnitudes : terms.sum, terms.magnitudes, p);
        },
        "");
  }
  within(
      "pairwise", sum_pairwise_1,
      [p](const auto& bound, const Terms& terms) {
        return smaller(bound(pairwise_height(terms.n), terms.magnitudes, p),
                       sum_recursive_1(terms.n, terms.magnitudes, p));
      },
      as_any_order);
  within(
      "any_order", sum_recursive_1,
      [p](const auto& bound, const Terms& terms) { return bound(terms.n, terms.magnitudes, p); }, "");
  if (!is_usual<T>(in)) return;
  within(
      "any_order_ftz", contract_flushed_1,
      [of = in.format](const auto& bound, const Terms& terms) {
        return bound(terms.n, terms.magnitudes, terms.lost_in(of), of);
      },
      "");
}

/// The same of dot products.
template <class T>
void for_each_bound_of_dots(const Accumulator& in, const auto& within) {
  const oracle::Format of = in.format;
  if (has_compensated<T>(in)) {
    within(
        "compensated", dot_dot2_1,
        [of](const auto& bound, const Terms& terms) { return bound(terms.n, terms.sum, terms.magnitudes, of); }, "");
  }
  within("pairwise", dot_tree_1, dot_in_trees(of, pairwise_height), height_of_pairs);
  within("any_order", dot_tree_1, dot_in_trees(of, greatest_height_of), greatest_height);
  if (is_usual<T>(in)) within("any_order_ftz", contract_flushed_3, dot_flushed(of), greatest_height);
}

/// The claims about the error of sums whose bounds are these.
template <class T, class Case>
Claims<T, Case> claims_of_bounds(const auto& for_each_bound) {
  const auto claims_in = [&](const Accumulator& in) {
    Claims<T, Case> claims;
    for_each_bound(in, [&](const char* id, const BoundedTheorem auto& theorem, auto bound_of, const char* instance) {
      claims.push_back(adds_within<T>(in, id, theorem, terms_of<Case>, bound_of, instance));
    });
    if (is_usual<T>(in)) claims.push_back(exact_on_grids<T>(in, terms_of<Case>));
    return claims;
  };
  Claims<T, Case> claims;
  append_rungs<T>(
      claims, claims_in, [](const Case& c) { return is_finite_case(c); }, staying_finite<T>(),
      [](const Case& c) { return stays_finite<T>(terms_of(c).magnitudes); });
  return claims;
}

template <class T, bool of_magnitudes = false, class Case = SumCase<T>>
Claims<T, Case> sum_claims() {
  return claims_of_bounds<T, Case>(
      [](const Accumulator& in, const auto& within) { for_each_bound_of_sums<T, of_magnitudes>(in, within); });
}

template <class T, class Case = DotCase<T>>
Claims<T, Case> dot_claims() {
  return claims_of_bounds<T, Case>(
      [](const Accumulator& in, const auto& within) { for_each_bound_of_dots<T>(in, within); });
}

/// How many numbers there are, and the exponents of the smallest and of the largest one that is not 0.
struct Sizes {
  std::uint64_t n = 0;
  long least = std::numeric_limits<long>::max();
  long most = std::numeric_limits<long>::lowest();
};
template <class Case>
Sizes sizes_of(const Case& c) {
  if constexpr (requires { c.sizes; }) {
    return c.sizes;
  } else {
    Sizes sizes{.n = c.x.size()};
    for (const auto& each : c.x) {
      const auto x = parts_of(format<std::remove_cvref_t<decltype(each)>>, bits_of(each));
      if (!x) continue;
      sizes.least = std::min(sizes.least, x->leading());
      sizes.most = std::max(sizes.most, x->leading());
    }
    return sizes;
  }
}

/// The exponents between which squares and sums of up to 8192 squares are normal numbers.
template <class T>
constexpr int lowest_of_squares = FloatTraits<T>::emin / 2;
template <class T>
constexpr int highest_of_squares = FloatTraits<T>::emax / 2 - 8;

template <class A>
bool squares_are_normal(const Sizes& x) {
  // If there are more than 8192 squares, each must be smaller by as much.
  const int further = std::max(static_cast<int>(std::bit_width(x.n)) - 13, 0) / 2;
  return x.least > x.most || (x.least >= lowest_of_squares<A> && x.most <= highest_of_squares<A> - further);
}
template <class A>
bool norm_is_normal(const Sizes& x) {
  return x.least > x.most || x.most >= FloatTraits<A>::emin + FloatTraits<A>::precision;
}

/// A claim about the relative error of a norm, as it is computed in the accumulator.
template <FloatingPoint T>
auto norm_within(const Accumulator& in, const char* id, const BoundedTheorem auto& theorem,
                 std::uint64_t (*roundings)(std::uint64_t)) {
  return claim_in<T>(in, id, theorem.words,
                     [=](const auto& c, const oracle::Exact& truth, const T& result) {
                       const RelativeBound bound = theorem(roundings(sizes_of(c).n), in.format.precision);
                       if (in.rounds_once) return judge_stored(bits_of(result), truth, bound, format<T>);
                       if (!oracle::is_finite(format<T>, bits_of(result))) return Judgement::fail();
                       return judge_within(value_of(result), truth, bound);
                     },
                     {});
}

/// The claims about the error of a norm: narrow numbers are squared in binary32 alone.
template <class T, class Case = SumCase<T>>
std::vector<Claim<Case, T, oracle::Exact>> norm_claims() {
  using A = Wide<T>;
  const auto power = [](int exponent) { return "2^" + std::to_string(exponent); };
  const auto plain = [&](const Accumulator& in) {
    return when(
        "the numbers are 0 or in [" + power(lowest_of_squares<A>) + ", " + power(highest_of_squares<A> + 1) + ")",
        [](const Case& c) { return is_finite_case(c) && squares_are_normal<A>(sizes_of(c)); },
        norm_within<T>(in, "any_order", contract_norm_1, [](std::uint64_t n) { return n; }));
  };
  const auto scaled = [&](const char* id, const BoundedTheorem auto& theorem,
                          std::uint64_t (*roundings)(std::uint64_t)) {
    return when(
        "the largest number is 0 or at least " + power(FloatTraits<A>::emin + FloatTraits<A>::precision),
        [](const Case& c) { return is_finite_case(c) && norm_is_normal<A>(sizes_of(c)); },
        norm_within<T>(is_narrow<T> ? wider_format<T> : own_format<T>, id, theorem, roundings));
  };
  std::vector<Claim<Case, T, oracle::Exact>> claims{plain(wider_format<T>)};
  if constexpr (!is_narrow<T>) claims.push_back(plain(own_format<T>));
  claims.push_back(scaled("any_range", contract_norm_2, [](std::uint64_t n) { return n + 8; }));
  claims.push_back(scaled("running_maximum", contract_norm_3, [](std::uint64_t n) { return 5 * n + 4; }));
  return claims;
}

}  // namespace assay::contracts::reductions
