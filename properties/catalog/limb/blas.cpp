#include "kernels/limb/blas.hpp"

#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "properties/catalog/limb/result.hpp"
#include "properties/catalog/limb/vector_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

namespace {

using oracle::Dyadic;
using Sums = std::vector<Dyadic>;

LimbList alpha_of(const auto& c) { return {&c.alpha_scale, &c.alpha}; }
LimbList x_of(const auto& c) { return {&c.x_scale, &c.x}; }
LimbList y_of(const auto& c) { return {&c.y_scale, &c.y}; }

std::uint64_t quick_cases(int limbs) { return limbs <= 8 ? 300 : 60; }

/// What MPFR gives for each entry, by one fused operation.
LimbTruth axpy_truth(const LimbVectorCase& c, int limbs) {
  const auto number = [limbs](const FloatArray& from, std::size_t k) {
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

void axpy(int limbs) {
  Registration{Property<LimbVectorCase, LimbNumbers, LimbTruth>{
      .name = "limb.axpy" + std::to_string(limbs),
      .domain = limb_vector_domain(limbs),
      .subject =
          [limbs](const Executor& on, const LimbVectorCase& c) {
            return LimbNumbers{
                limb_axpy(on, array_of(alpha_of(c), limbs), array_of(x_of(c), limbs), array_of(y_of(c), limbs))};
          },
      .reference = [limbs](const LimbVectorCase& c) { return axpy_truth(c, limbs); },
      .claims = {satisfies("rounded", limb_axpy_1,
                           [](const LimbVectorCase&, const LimbTruth& truth, const LimbNumbers& z) {
                             Judgement worst = Judgement::of(z.array.length == truth.size());
                             for (std::size_t k = 0; k < truth.size(); ++k) {
                               worst.worsen(judge_bits(z, truth[k], k));
                             }
                             worst.judged = truth.size();
                             return worst;
                           })},
      .inexact = [](const LimbVectorCase& c, const LimbTruth&, const LimbNumbers&) { return c.x_scale.size() > 1; },
      .quick_cases = quick_cases(limbs)}};
}

/// Σxᵢyᵢ and Σ|xᵢyᵢ|.
std::pair<Dyadic, Dyadic> dot_of(const LimbVectorCase& c, int limbs) {
  const Sums x = values_of(x_of(c), limbs);
  const Sums y = values_of(y_of(c), limbs);
  return {oracle::exact_dot(x, y), oracle::exact_abs_dot(x, y)};
}

bool is_inexact(const Sums& truth, const LimbNumbers& z) {
  Dyadic got;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (!component_value(z, k, got) || got != truth[k]) return true;
  }
  return false;
}

void dot(int limbs) {
  Registration{Property<LimbVectorCase, LimbNumbers, Sums>{
      .name = "limb.dot" + std::to_string(limbs),
      .domain = limb_vector_domain(limbs),
      .subject =
          [limbs](const Executor& on, const LimbVectorCase& c) {
            return LimbNumbers{limb_dot(on, array_of(x_of(c), limbs), array_of(y_of(c), limbs))};
          },
      .reference = [limbs](const LimbVectorCase& c) { return Sums{dot_of(c, limbs).first}; },
      .claims = {within("error", limb_dot_1,
                        [limbs](const auto& theorem, const LimbVectorCase& c) {
                          return theorem(limbs, static_cast<std::int64_t>(c.x_scale.size()), dot_of(c, limbs).second);
                        })},
      .inexact = [](const LimbVectorCase&, const Sums& truth, const LimbNumbers& z) { return is_inexact(truth, z); },
      .quick_cases = quick_cases(limbs)}};
}

/// A with the rows that the kernel skips: NaNs.
FloatArray matrix_of(const LimbMatrixCase& c, int limbs) {
  const FloatArray dense = array_of({&c.a_scale, &c.a}, limbs);
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto columns = static_cast<std::size_t>(c.columns);
  const auto leading = static_cast<std::size_t>(c.rows + c.gap);
  FloatArray a = float_zeros(limbs, leading * columns);
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

/// αop(A)x + βy, and of each entry |α||A||x| and |βy|.
struct GemvSums {
  Sums value, product, start;
};

GemvSums gemv_of(const LimbMatrixCase& c, int limbs) {
  const Sums a = values_of({&c.a_scale, &c.a}, limbs);
  const Sums x = values_of(x_of(c), limbs);
  const Sums y = values_of(y_of(c), limbs);
  const Dyadic alpha = values_of(alpha_of(c), limbs)[0];
  const Dyadic beta = values_of({&c.beta_scale, &c.beta}, limbs)[0];
  GemvSums sums;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Dyadic sum;
    Dyadic magnitude;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto rows = static_cast<std::size_t>(c.rows);
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

void gemv(int limbs) {
  Registration{Property<LimbMatrixCase, LimbNumbers, Sums>{
      .name = "limb.gemv" + std::to_string(limbs),
      .domain = limb_matrix_domain(limbs),
      .subject =
          [limbs](const Executor& on, const LimbMatrixCase& c) {
            return LimbNumbers{limb_gemv(on, c.transposed != 0 ? blas::Transpose::yes : blas::Transpose::no, c.rows,
                                         c.columns, array_of(alpha_of(c), limbs), matrix_of(c, limbs),
                                         std::max<std::int64_t>(1, c.rows + c.gap), array_of(x_of(c), limbs),
                                         array_of({&c.beta_scale, &c.beta}, limbs), array_of(y_of(c), limbs))};
          },
      .reference = [limbs](const LimbMatrixCase& c) { return gemv_of(c, limbs).value; },
      .claims = {within("error", limb_gemv_1,
                        [limbs](const auto& theorem, const LimbMatrixCase& c) {
                          const GemvSums sums = gemv_of(c, limbs);
                          std::vector<Bound> bounds;
                          for (std::size_t i = 0; i < sums.value.size(); ++i) {
                            bounds.push_back(theorem(limbs, static_cast<std::int64_t>(c.x_scale.size()),
                                                     sums.product[i], sums.start[i]));
                          }
                          return bounds;
                        })},
      .inexact = [](const LimbMatrixCase&, const Sums& truth, const LimbNumbers& z) { return is_inexact(truth, z); },
      .quick_cases = quick_cases(limbs)}};
}

const LateRegistration families{"limb", [] {
                                  for (const int limbs : {2, 8, 32}) {
                                    axpy(limbs);
                                    dot(limbs);
                                    gemv(limbs);
                                  }
                                }};

}  // namespace

}  // namespace assay::limb
