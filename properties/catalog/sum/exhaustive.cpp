// Sums and dot products of few terms over all inputs of toy precisions, up to exact symmetries and within windows of
// exponents. A theorem has no property if its condition on n and u does not hold.

#include <algorithm>
#include <functional>
#include <string>

#include "arith/accumulators/accurate_sum.hpp"
#include "arith/float/small_float.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/fraction.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "kernels/sum/summation.hpp"
#include "properties/catalog/sum/toy_cases.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/framework/property.hpp"

namespace assay::sum::toy {

namespace {

using oracle::Dyadic;

/// The name of an operation on n terms of T.
template <class T>
std::string named(const char* operation, std::size_t n) {
  return operation + ("_n" + std::to_string(n)) + format_suffix<T>();
}

/// A property whose results are numbers of T, one a case.
template <class T, class Case>
Registration of_all(const char* operation, std::size_t n, Domain<Case> domain, Subject<Case, T> subject,
                    std::vector<Claim<Case, T, Dyadic>> claims, bool host_only = false) {
  return Registration(Property<Case, T, Dyadic>{.name = named<T>(operation, n),
                                                .domain = std::move(domain),
                                                .subject = std::move(subject),
                                                .reference = exact_sum_of<Case>,
                                                .claims = std::move(claims),
                                                .host_only = host_only});
}

template <class T>
Registration sum_of_all(const char* operation, std::size_t n, int window,
                        std::function<std::vector<T>(const Executor&, std::span<const T>, Offsets)> kernel,
                        std::vector<Claim<SumCase<T>, T, Dyadic>> claims) {
  return of_all<T, SumCase<T>>(
      operation, n, every_sum<T>(n, window),
      [kernel](const Executor& on, std::span<const SumCase<T>> cases) {
        const Packed<T> all = packed(cases);
        return kernel(on, all.x, all.offsets);
      },
      std::move(claims));
}

template <class T>
Registration dot_of_all(
    const char* operation, std::size_t n, int window,
    std::function<std::vector<T>(const Executor&, std::span<const T>, std::span<const T>, Offsets)> kernel,
    std::vector<Claim<DotCase<T>, T, Dyadic>> claims) {
  return of_all<T, DotCase<T>>(
      operation, n, every_dot<T>(n, window),
      [kernel](const Executor& on, std::span<const DotCase<T>> cases) {
        const Packed<T> all = packed(cases);
        return kernel(on, all.x, all.y, all.offsets);
      },
      std::move(claims));
}

/// A bound of n, s and S.
auto error_of_sum(const char* id, const BoundedTheorem auto& theorem, int p) {
  return error_within(id, theorem, [p](const auto& bound, std::size_t n, const Dyadic& s, const Dyadic& S) {
    return in_one_piece(bound(n, s, S, p), false);
  });
}

template <class T>
void register_sums(std::size_t n, int window) {
  constexpr int p = precision<T>;
  sum_of_all<T>(
      "sum.recursive", n, window, recursive_sum<T>,
      {error_within("error", sum_recursive_1, [](const auto& bound, std::size_t terms, const Dyadic&, const Dyadic& S) {
        return bound(terms, S, precision<T>);
      })});
  sum_of_all<T>("sum.sum2", n, window, sum2<T>,
                {error_of_sum("error", sum_sum2_1, p), error_of_sum("error_sharp", sum_sum2_3, p)});
  sum_of_all<T>("sum.neumaier", n, window, neumaier_sum<T>,
                {error_of_sum("error", sum_sum2_1, p), error_of_sum("error_sharp", sum_sum2_3, p)});
  if (n > 2 && 4 * n <= std::size_t{1} << p) {  // with two terms γ³S is negligible compared with u|s|
    constexpr auto of = [](const auto& bound, std::size_t terms, const Dyadic& s, const Dyadic& S) {
      return in_one_piece(bound(3, terms, s, S, precision<T>), false);
    };
    sum_of_all<T>("sum.sum3", n, window, sum_k<3, T>,
                  {of_instance("3-fold precision", error_within("error", sum_sum_k_1, of)),
                   of_instance("3-fold precision", error_within("error_sharp", sum_sum_k_3, of))});
  }
}

template <class T>
void register_dots(std::size_t n, int window) {
  dot_of_all<T>("dot.recursive", n, window, recursive_dot<T>,
                {error_within("error", dot_recursive_1,
                              [](const auto& bound, std::size_t terms, const Dyadic&, const Dyadic& magnitudes) {
                                return in_one_piece(bound(terms, magnitudes, format_of<T>()), false);
                              })});
  constexpr auto of = [](const auto& bound, std::size_t terms, const Dyadic& d, const Dyadic& magnitudes) {
    return in_one_piece(bound(terms, d, magnitudes, format_of<T>()), false);
  };
  std::vector<Claim<DotCase<T>, T, Dyadic>> claims{error_within("error", dot_dot2_1, of)};
  if (squares_to_one_at_most<T>(n)) claims.push_back(error_within("error_sharp", dot_dot2_3, of));
  dot_of_all<T>("dot.dot2", n, window, dot2<T>, std::move(claims));
}

/// An algorithm of arith/accumulators/accurate_sum.hpp on the host: its kernels are for double and float.
template <class T, class Sum>
Registration accurate_sum_of_all(const char* operation, std::size_t n, int window, Sum sum,
                                 std::vector<Claim<SumCase<T>, T, Dyadic>> claims) {
  return of_all<T, SumCase<T>>(
      operation, n, every_sum<T>(n, window),
      [sum](const Executor&, const SumCase<T>& c) {
        std::vector<T> terms = c.x;
        return sum(terms.data(), static_cast<std::int64_t>(terms.size()));
      },
      std::move(claims), true);
}

/// A faithful rounding of s, or |r − s| ≤ u^k·S.
template <class T>
Claim<SumCase<T>, T, Dyadic> as_in_precision(int k) {
  return of_instance(
      "k = " + std::to_string(k),
      claim_spec("error", sum_prec_sum_1, [k](const SumCase<T>& c, const Dyadic& truth, const T& result) {
        const Judgement is_faithful = judge_faithful(bits_of(result), truth, format_of<T>());
        if (is_faithful.verdict == Verdict::holds) return is_faithful;
        return judge_within(value_of(result), truth, sum_prec_sum_1(k, exact_sums(c).magnitudes, precision<T>));
      }));
}

template <class T>
void register_accurate_sums(std::size_t n, int window) {
  accurate_sum_of_all<T>("sum.acc_sum", n, window, [](T* x, std::int64_t terms) { return assay::acc_sum(x, terms); },
                         {faithful("faithful", sum_acc_sum_1)});
  accurate_sum_of_all<T>("sum.near_sum", n, window, [](T* x, std::int64_t terms) { return assay::near_sum(x, terms); },
                         {rounded("nearest", sum_near_sum_1, oracle::Rounding::nearest)});
  accurate_sum_of_all<T>("sum.prec_sum", n, window,
                         [](T* x, std::int64_t terms) { return assay::prec_sum(x, terms, 2); },
                         {as_in_precision<T>(2)});
  if (n <= static_cast<std::size_t>(most_summands_of_fast<T>())) {
    accurate_sum_of_all<T>("sum.fast_acc_sum", n, window,
                           [](T* x, std::int64_t terms) { return assay::fast_acc_sum(x, terms); },
                           {faithful("faithful", sum_fast_acc_sum_1)});
  }
}

template <class T>
void register_signs(std::size_t n, int window) {
  accurate_sum_of_all<T>("sum.acc_sign", n, window,
                         [](T* x, std::int64_t terms) { return T(static_cast<double>(assay::acc_sign(x, terms))); },
                         {claim_spec("sign", sum_acc_sign_1, [](const auto&, const Dyadic& truth, const T& result) {
                           return judge_exact(value_of(result), Dyadic(truth.sign()));
                         })});
}

// Quick: n ≤ 3 for p = 3, n = 2 for p = 4 … 6. The last ones belong to the nightly tier.
const LateRegistration sums{"sum", [] {
                              register_sums<Toy<3>>(3, 9);
                              register_sums<Toy<4>>(2, 11);
                              register_accurate_sums<Toy<4>>(2, 11);
                              register_accurate_sums<Toy<5>>(2, 13);
                              register_signs<Toy<4>>(3, 4);
                              register_sums<Toy<3>>(4, 5);
                              register_sums<Toy<4>>(3, 11);
                              register_accurate_sums<Toy<6>>(3, 3);
                            }};
const LateRegistration dots{"dot", [] {
                              register_dots<Toy<3>>(2, 9);
                              register_dots<Toy<4>>(2, 6);
                              register_dots<Toy<3>>(3, 5);
                            }};

}  // namespace
}  // namespace assay::sum::toy
