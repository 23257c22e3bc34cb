#pragma once
// Promises that are broken by large cases whose terms cancel: a failing case must be shrunk by its structure.

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/float/error_free.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/gemv_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "properties/catalog/gemv/exact_cases.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/draws/sum/claims.hpp"
#include "properties/draws/sum/dot_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/execution_mutants.hpp"

namespace assay::mutants {

/// The layout that a GEMV is called with by mistake.
enum class CalledWith { right, leading_dimension_m, stride_of_x_1 };

/// Every entry of the GEMV is rounded once. Only cases on which the mistake may show are drawn large.
inline auto called_gemv_promise(CalledWith mistake) {
  using Case = gemv::ExactGemvCase<double>;
  return TypedModel(Property<Case>{
      .name = "mutants.called_gemv",
      .domain = gemv::exact_gemv_domain<double>(),
      .subject =
          [mistake](const Executor& on, const Case& c) {
            const std::int64_t lda =
                mistake == CalledWith::leading_dimension_m ? std::max<std::int64_t>(1, c.m) : c.lda;
            const std::int64_t incx = mistake == CalledWith::stride_of_x_1 ? (c.incx < 0 ? -1 : 1) : c.incx;
            return gemv::exact_gemv(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, c.alpha[0],
                                    c.a, lda, c.x, incx, c.beta[0], c.y, c.incy);
          },
      .reference = [](const Case& c) { return expansion::exact_result(gemv::problem_of(c)); },
      .claims = {claim_spec("rounded", gemv_correctly_rounded_1,
                            [](const Case& c, const std::vector<oracle::Dyadic>& truth, const std::vector<double>& y) {
                              return gemv::judge_rounded_entries(gemv::problem_of(c), truth, std::span<const double>(y),
                                                                 oracle::Rounding::nearest);
                            })},
      .quick_cases = 1000});
}

/// Of the domain of sums, the classes whose names start with one of `starts`.
template <FloatingPoint T>
Domain<sum::SumCase<T>> sums_of_classes(const std::vector<std::string>& starts) {
  Domain<sum::SumCase<T>> domain = sum::sum_domain<T>();
  domain.traits.reset();
  std::erase_if(domain.classes, [&](const InputClass<sum::SumCase<T>>& each) {
    return std::none_of(starts.begin(), starts.end(), [&](const std::string& s) { return each.name.starts_with(s); });
  });
  return domain;
}

/// The possible mistakes of Sum2 and Dot2: to take the error of an addition from FastTwoSum, whatever the order of its
/// operands, or to cut two bits off the sum of the errors. The published bounds still hold for the second mistake.
enum class Compensation { right, unordered, cut };

inline double without_two_bits(double x) { return from_bits<double>(to_bits(x) & ~std::uint64_t{3}); }

inline Sum<double> compensated_step(Compensation mistake, Sum<double> s, Product<double> term) {
  const Sum<double> next = mistake == Compensation::unordered ? fast_two_sum(s.s, term.p) : two_sum(s.s, term.p);
  const double lost = s.e + (next.e + term.e);
  return {next.s, mistake == Compensation::cut ? without_two_bits(lost) : lost};
}

/// The compensated sum, on sums of every condition, or on those whose errors have one sign.
inline auto compensated_sum_promise(Compensation mistake, bool one_way = false) {
  using Case = sum::SumCase<double>;
  const auto within_bound = [](const char* id, const auto& theorem) {
    return sum::error_within(id, theorem, [](const auto& bound, std::size_t n, const auto& s, const auto& S) {
      return bound(n, s, S, FloatTraits<double>::precision);
    });
  };
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = "mutants.compensated_sum",
      .domain = sums_of_classes<double>({one_way ? "1, errors" : "condition up to"}),
      .subject =
          [mistake](const Executor&, const Case& c) {
            Sum<double> s{};
            for (const double x : c.x) s = compensated_step(mistake, s, {x, 0});
            return s.s + s.e;
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {within_bound("error", sum_sum2_1), within_bound("error_sharp", sum_sum2_3)},
      .quick_cases = 1000});
}

/// The compensated dot product, on products whose errors have one sign.
inline auto compensated_dot_promise(Compensation mistake) {
  using Case = sum::DotCase<double>;
  const auto within_bound = [](const char* id, const auto& theorem) {
    return sum::error_within(id, theorem, [](const auto& bound, std::size_t n, const auto& d, const auto& T) {
      return bound(n, d, T, oracle::binary64);
    });
  };
  Domain<Case> domain = sum::dot_domain<double>();
  domain.traits.reset();
  std::erase_if(domain.classes, [](const auto& each) { return !each.name.starts_with("sum: 1, errors"); });
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = "mutants.compensated_dot",
      .domain = std::move(domain),
      .subject =
          [mistake](const Executor&, const Case& c) {
            Sum<double> s{};
            for (std::size_t i = 0; i < c.x.size(); ++i) s = compensated_step(mistake, s, two_prod(c.x[i], c.y[i]));
            return s.s + s.e;
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {within_bound("error", dot_dot2_1), within_bound("error_sharp", dot_dot2_3)},
      .quick_cases = 100});
}

inline constexpr auto one_ulp_1 = theorem({
    .id = "mutants.one_ulp.1",
    .hypotheses = "none",
    .statement = "the error is at most one ulp (false)",
    .source = "a mistake",
});

/// std::accumulate in binary32, claimed at one ulp.
inline auto accumulate_promise() {
  using Case = sum::SumCase<float>;
  return TypedModel(
      Property<Case, float, oracle::Dyadic>{.name = "mutants.accumulate",
                                            .domain = sums_of_classes<float>({"condition up to", "any significand"}),
                                            .subject =
                                                [](const Executor&, const Case& c) {
                                                  float s = 0;
                                                  for (const float x : c.x) s += x;
                                                  return s;
                                                },
                                            .reference = sum::exact_sum_of<Case>,
                                            .claims = {within_ulps("one_ulp", one_ulp_1, 1)},
                                            .quick_cases = 1000});
}

/// Σ aᵢxⁱ. The framework is not told about the coefficients.
struct PolynomialCase {
  std::vector<double> a;
  double x = 0;
  static constexpr auto fields() { return std::tuple{field("a", &PolynomialCase::a), field("x", &PolynomialCase::x)}; }
};

inline oracle::Dyadic value_of_polynomial(const PolynomialCase& c) {
  oracle::Dyadic value;
  for (std::size_t i = c.a.size(); i > 0; --i) value = value * value_of(c.x) + value_of(c.a[i - 1]);
  return value;
}

/// Horner's rule on (x − 1)¹¹ near 1, claimed at one ulp: every coefficient takes part in the cancellation.
inline auto polynomial_promise() {
  return TypedModel(Property<PolynomialCase, double, oracle::Dyadic>{
      .name = "mutants.horner",
      .domain = {.classes = {{"(x - 1)^11 near 1", 1, drawn<PolynomialCase>([](Draw& draw) {
                                PolynomialCase c{{-1}, 1 + draw.between(-999, 999) * 0x1.0a3d70a3d70a4p-16};
                                for (int k = 1; k <= 11; ++k) {
                                  c.a.push_back(std::round(-c.a.back() * (12 - k) / k));
                                }
                                return c;
                              })}},
                 .contains =
                     [](const PolynomialCase& c) {
                       const auto is_moderate = [](double x) {
                         return x == 0 || (std::abs(x) < 1e9 && std::abs(x) > 1e-9);
                       };
                       return c.a.size() <= 100 && is_moderate(c.x) && std::all_of(c.a.begin(), c.a.end(), is_moderate);
                     }},
      .subject =
          [](const Executor&, const PolynomialCase& c) {
            double value = 0;
            for (std::size_t i = c.a.size(); i > 0; --i) value = value * c.x + c.a[i - 1];
            return value;
          },
      .reference = value_of_polynomial,
      .claims = {within_ulps("one_ulp", one_ulp_1, 1)},
      .quick_cases = 100});
}

/// The sum rounded once, by threads that add their numbers to one superaccumulator; `race`: without waiting for each
/// other. The cases are long vectors.
inline auto shared_accumulator_promise(bool race) {
  using Case = sum::SumCase<double>;
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = "mutants.shared_accumulator",
      .domain = sums_of_classes<double>({"full range", "condition up to", "cancellation"}),
      .subject =
          [race](const Executor& on, std::span<const Case> cases) {
            const sum::Packed<double> all = sum::packed(cases);
            return shared_accumulator_with(race, on, all.x, all.offsets);
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {rounded("nearest", sum_near_sum_1, oracle::Rounding::nearest)},
      .quick_cases = 1000});
}

}  // namespace assay::mutants
