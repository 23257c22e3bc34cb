#pragma once
// Properties of axpy, dot and GEMV with numbers of L limbs.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "kernels/blas/arguments.hpp"
#include "properties/catalog/limb/result.hpp"
#include "properties/catalog/limb/vector_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

using LimbAxpy =
    SharedFunction<FloatArray(const Executor&, const FloatArray& alpha, const FloatArray& x, const FloatArray& y)>;
using LimbDot = SharedFunction<FloatArray(const Executor&, const FloatArray& x, const FloatArray& y)>;
using LimbGemv = SharedFunction<FloatArray(const Executor&, blas::Transpose trans, std::int64_t m, std::int64_t n,
                                           const FloatArray& alpha, const FloatArray& a, std::int64_t lda,
                                           const FloatArray& x, const FloatArray& beta, const FloatArray& y)>;

namespace detail {

using oracle::Dyadic;

LimbList alpha_of(const auto& c) { return {&c.alpha_scale, &c.alpha}; }
LimbList x_of(const auto& c) { return {&c.x_scale, &c.x}; }
LimbList y_of(const auto& c) { return {&c.y_scale, &c.y}; }

inline std::uint64_t blas_cases(int limbs) { return limbs <= 8 ? 300 : 60; }

/// MPFR's result for each entry, by one fused operation.
inline LimbTruth axpy_truth(const LimbVectorCase& c, int limbs) {
  const auto number = [](const FloatArray& from, std::size_t k) {
    std::vector<std::uint32_t> word;
    return oracle_number(operand_of({from}, k, word));
  };
  const FloatArray alpha = array_of(alpha_of(c), limbs);
  const FloatArray x = array_of(x_of(c), limbs);
  const FloatArray y = array_of(y_of(c), limbs);
  LimbTruth truth;
  for (std::size_t k = 0; k < x.length; ++k) {
    const oracle::LimbFloat operands[] = {number(alpha, 0), number(x, k), number(y, k)};
    truth.push_back({oracle::limb_operation(oracle::LimbOperation::fma, operands, static_cast<std::size_t>(limbs),
                                            oracle::Rounding::nearest)});
  }
  return truth;
}

/// Σxᵢyᵢ and Σ|xᵢyᵢ|.
inline std::pair<Dyadic, Dyadic> dot_of(const LimbVectorCase& c, int limbs) {
  const LimbSums x = values_of(x_of(c), limbs);
  const LimbSums y = values_of(y_of(c), limbs);
  return {oracle::exact_dot(x, y), oracle::exact_abs_dot(x, y)};
}

inline bool is_inexact(const LimbSums& truth, const LimbNumbers& z) {
  Dyadic got;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (!component_value(z, k, got) || got != truth[k]) return true;
  }
  return false;
}

/// A including the rows that the kernel skips: NaNs.
inline FloatArray matrix_of(const LimbMatrixCase& c, int limbs) {
  const FloatArray dense = array_of({&c.a_scale, &c.a}, limbs);
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto leading = static_cast<std::size_t>(c.rows + c.gap);
  FloatArray a = float_zeros(limbs, leading * static_cast<std::size_t>(c.columns));
  a.exponent.assign(a.length, nan_exponent);
  for (std::size_t k = 0; k < dense.length; ++k) {
    const std::size_t at = k / rows * leading + k % rows;
    a.exponent[at] = dense.exponent[k];
    a.sign[at] = dense.sign[k];
    for (std::size_t i = 0; i < static_cast<std::size_t>(limbs); ++i) {
      a.word[i * a.length + at] = dense.word[i * dense.length + k];
    }
  }
  return a;
}

/// αop(A)x + βy, and for each entry |α||A||x| and |βy|.
struct GemvSums {
  LimbSums value, product, start;
};

inline GemvSums gemv_of(const LimbMatrixCase& c, int limbs) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const LimbSums x = values_of(x_of(c), limbs);
  const LimbSums y = values_of(y_of(c), limbs);
  const Dyadic alpha = values_of(alpha_of(c), limbs)[0];
  const Dyadic beta = values_of({&c.beta_scale, &c.beta}, limbs)[0];
  const auto rows = static_cast<std::size_t>(c.rows);
  GemvSums sums;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Dyadic sum;
    Dyadic magnitude;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Dyadic term = a[c.transposed != 0 ? i * rows + k : k * rows + i] * x[k];
      sum += term;
      magnitude += abs(term);
    }
    sums.value.push_back(alpha * sum + beta * y[i]);
    sums.product.push_back(abs(alpha) * magnitude);
    sums.start.push_back(abs(beta * y[i]));
  }
  return sums;
}

}  // namespace detail

inline Property<LimbVectorCase, LimbNumbers, LimbTruth> limb_axpy_property(std::string name, int limbs,
                                                                           LimbAxpy kernel) {
  return {.name = std::move(name),
          .domain = limb_vector_domain(limbs),
          .subject =
              [limbs, kernel = std::move(kernel)](const Executor& on, const LimbVectorCase& c) {
                return LimbNumbers{kernel(on, array_of(detail::alpha_of(c), limbs), array_of(detail::x_of(c), limbs),
                                          array_of(detail::y_of(c), limbs))};
              },
          .reference = [limbs](const LimbVectorCase& c) { return detail::axpy_truth(c, limbs); },
          .claims = {satisfies("rounded", limb_axpy_1,
                               [](const LimbVectorCase&, const LimbTruth& truth, const LimbNumbers& z) {
                                 Judgement worst = Judgement::of(z.array.length == truth.size());
                                 for (std::size_t k = 0; k < truth.size() && k < z.array.length; ++k) {
                                   worst.worsen(judge_bits(z, truth[k], k));
                                 }
                                 worst.judged = truth.size();
                                 return worst;
                               })},
          .inexact = [](const LimbVectorCase& c, const LimbTruth&, const LimbNumbers&) { return c.x_scale.size() > 1; },
          .quick_cases = detail::blas_cases(limbs)};
}

inline Property<LimbVectorCase, LimbNumbers, LimbSums> limb_dot_property(std::string name, int limbs, LimbDot kernel) {
  return {.name = std::move(name),
          .domain = limb_vector_domain(limbs),
          .subject =
              [limbs, kernel = std::move(kernel)](const Executor& on, const LimbVectorCase& c) {
                return LimbNumbers{kernel(on, array_of(detail::x_of(c), limbs), array_of(detail::y_of(c), limbs))};
              },
          .reference = [limbs](const LimbVectorCase& c) { return LimbSums{detail::dot_of(c, limbs).first}; },
          .claims = {within("error", limb_dot_1,
                            [limbs](const auto& theorem, const LimbVectorCase& c) {
                              return theorem(limbs, static_cast<std::int64_t>(c.x_scale.size()),
                                             detail::dot_of(c, limbs).second);
                            })},
          .inexact = [](const LimbVectorCase&, const LimbSums& truth,
                        const LimbNumbers& z) { return detail::is_inexact(truth, z); },
          .quick_cases = detail::blas_cases(limbs)};
}

inline Property<LimbMatrixCase, LimbNumbers, LimbSums> limb_gemv_property(std::string name, int limbs,
                                                                          LimbGemv kernel) {
  return {.name = std::move(name),
          .domain = limb_matrix_domain(limbs),
          .subject =
              [limbs, kernel = std::move(kernel)](const Executor& on, const LimbMatrixCase& c) {
                return LimbNumbers{kernel(on, c.transposed != 0 ? blas::Transpose::yes : blas::Transpose::no, c.rows,
                                          c.columns, array_of(detail::alpha_of(c), limbs), detail::matrix_of(c, limbs),
                                          std::max<std::int64_t>(1, c.rows + c.gap), array_of(detail::x_of(c), limbs),
                                          array_of({&c.beta_scale, &c.beta}, limbs), array_of(detail::y_of(c), limbs))};
              },
          .reference = [limbs](const LimbMatrixCase& c) { return detail::gemv_of(c, limbs).value; },
          .claims = {within("error", limb_gemv_1,
                            [limbs](const auto& theorem, const LimbMatrixCase& c) {
                              const detail::GemvSums sums = detail::gemv_of(c, limbs);
                              std::vector<Bound> bounds;
                              for (std::size_t i = 0; i < sums.value.size(); ++i) {
                                bounds.push_back(theorem(limbs, static_cast<std::int64_t>(c.x_scale.size()),
                                                         sums.product[i], sums.start[i]));
                              }
                              return bounds;
                            })},
          .inexact = [](const LimbMatrixCase&, const LimbSums& truth,
                        const LimbNumbers& z) { return detail::is_inexact(truth, z); },
          .quick_cases = detail::blas_cases(limbs)};
}

}  // namespace assay::limb
