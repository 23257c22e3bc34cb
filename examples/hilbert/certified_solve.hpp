#pragma once
// Symmetric positive definite systems in multiple precision: Cholesky's factorization, iterative refinement, and an
// error that is certified by exact arithmetic, whatever the solver computed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/limb/array.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/limb/cholesky.hpp"
#include "kernels/limb/operations.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/limb_float.hpp"
#include "oracle/rational.hpp"

namespace hilbert {

using assay::Executor;
using assay::limb::FloatArray;
using assay::oracle::Dyadic;
using assay::oracle::LimbFloat;
using assay::oracle::Rational;

/// Ax = b: n × n numbers, column-major, and n numbers, all of them exact.
struct System {
  std::size_t n = 0;
  std::vector<Dyadic> a, b;
};

/// The numbers x, each rounded to nearest to the given number of limbs. Requires: exponents within ±2³⁰ (not checked).
inline FloatArray rounded(std::span<const Dyadic> x, int limbs) {
  FloatArray array = assay::limb::float_zeros(limbs, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const LimbFloat number =
        assay::oracle::limb_rounded(x[i], static_cast<std::size_t>(limbs), assay::oracle::Rounding::nearest);
    array.sign[i] = number.negative ? 1 : 0;
    if (number.kind == LimbFloat::Kind::zero) continue;
    array.exponent[i] = static_cast<std::int32_t>(number.exponent);
    for (std::size_t k = 0; k < number.word.size(); ++k) array.word[k * x.size() + i] = number.word[k];
  }
  return array;
}

/// The exact numbers. Throws std::domain_error for a number that is infinite or NaN.
inline std::vector<Dyadic> values(const FloatArray& x) {
  std::vector<Dyadic> numbers;
  for (std::size_t i = 0; i < x.length; ++i) {
    LimbFloat number;
    number.kind = x.exponent[i] == assay::limb::zero_exponent  ? LimbFloat::Kind::zero
                  : x.exponent[i] > assay::limb::most_exponent ? LimbFloat::Kind::nan
                                                               : LimbFloat::Kind::regular;
    number.negative = x.sign[i] != 0;
    number.exponent = x.exponent[i];
    for (std::size_t k = 0; k < static_cast<std::size_t>(x.limbs); ++k) number.word.push_back(x.word[k * x.length + i]);
    numbers.push_back(assay::oracle::value_of(number));
  }
  return numbers;
}

/// A bound of the error of any x̃, by Theorem limb.enclosure.1 of docs/bounds/limb.md: with an approximate inverse R, g
/// = |I − RA|e < 1 and v = |R(b − Ax̃)|, A is not singular and |x − x̃| ≤ v + g·max v/(1 − max g). Exact arithmetic
/// throughout: R and x̃ may be anything.
class Certificate {
 public:
  /// R column-major. Throws std::domain_error unless g < 1.
  Certificate(const System& system, std::vector<Dyadic> inverse) : system_(system), inverse_(std::move(inverse)) {
    const std::size_t n = system.n;
    for (std::size_t i = 0; i < n; ++i) {
      Dyadic sum;
      for (std::size_t j = 0; j < n; ++j) {
        Dyadic entry(i == j ? -1 : 0);
        for (std::size_t k = 0; k < n; ++k) entry.add_mul(inverse_[i + k * n], system.a[k + j * n]);
        sum += abs(std::move(entry));
      }
      defect_.push_back(std::move(sum));
    }
    if (n != 0) most_ = *std::max_element(defect_.begin(), defect_.end());
    if (most_ >= Dyadic(1)) throw std::domain_error("the approximate inverse certifies nothing");
  }

  /// The bound for each unknown.
  [[nodiscard]] std::vector<Rational> errors(std::span<const Dyadic> x) const {
    const std::size_t n = system_.n;
    std::vector<Dyadic> residual = system_.b;
    for (std::size_t j = 0; j < n; ++j) {
      const Dyadic minus = -x[j];
      for (std::size_t i = 0; i < n; ++i) residual[i].add_mul(system_.a[i + j * n], minus);
    }
    std::vector<Dyadic> v(n);
    Dyadic largest;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) v[i].add_mul(inverse_[i + j * n], residual[j]);
      v[i] = abs(std::move(v[i]));
      largest = std::max(largest, v[i]);
    }
    const Rational rest = Rational(largest) / Rational(Dyadic(1) - most_);
    std::vector<Rational> bounds;
    for (std::size_t i = 0; i < n; ++i) bounds.push_back(Rational(v[i]) + Rational(defect_[i]) * rest);
    return bounds;
  }

 private:
  System system_;
  std::vector<Dyadic> inverse_;
  std::vector<Dyadic> defect_;  ///< g
  Dyadic most_;                 ///< the largest entry of g
};

/// k such that every unknown is certified to a relative error of at most 10⁻ᵏ; −1 if one may be 0.
inline long certified_digits(std::span<const Dyadic> x, std::span<const Rational> errors) {
  long digits = 1000000;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (errors[i].is_zero()) continue;
    const Rational least = Rational(abs(x[i])) - errors[i];  // at most the magnitude of the true unknown
    if (least.sign() <= 0) return -1;
    const long binary = -(errors[i] / least).exponent() - 1;  // the relative error is below 2^−binary
    digits = std::min(digits, binary <= 0 ? 0 : binary * 30102 / 100000);
  }
  return digits;
}

/// The numbers of limbs of the factorization, and of the residuals and the solution.
inline constexpr int factor_limbs = 32;
inline constexpr int solution_limbs = 64;

/// The first limbs of each number, or with zeros after the last one.
inline FloatArray resized(const FloatArray& x, int limbs) {
  FloatArray y = assay::limb::float_zeros(limbs, x.length);
  y.exponent = x.exponent;
  y.sign = x.sign;
  for (int k = 0; k < std::min(limbs, x.limbs); ++k) {
    const auto to = static_cast<std::size_t>(limbs - 1 - k) * x.length;
    const auto from = static_cast<std::size_t>(x.limbs - 1 - k) * x.length;
    std::copy_n(x.word.begin() + static_cast<std::ptrdiff_t>(from), x.length,
                y.word.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return y;
}

/// The findings after a step of the refinement.
struct Step {
  std::vector<Dyadic> x;
  std::vector<Rational> errors;
};

/// Solves the system: A = LLᵀ once in 32 limbs; then x ← x + (LLᵀ)⁻¹(b − Ax), the residual and the sum in 64 limbs,
/// from x = 0. Each step is certified and passed to `report`. Ends when the number of certified digits no longer grows,
/// or after 20 steps. Throws std::domain_error if a pivot fails or nothing can be certified.
inline Step certified_solve(const Executor& on, const System& system, const std::function<void(const Step&)>& report) {
  const auto n = static_cast<std::int64_t>(system.n);
  const std::int64_t lda = std::max<std::int64_t>(1, n);
  const auto factor = assay::limb::limb_cholesky(on, n, rounded(system.a, factor_limbs), lda);
  if (factor.failed < n) throw std::domain_error("the matrix is not positive definite in the precision of the factor");
  const auto solve = [&](const FloatArray& b) { return limb_cholesky_solve(on, n, factor.lower, lda, b); };

  std::vector<Dyadic> inverse;
  for (std::size_t j = 0; j < system.n; ++j) {
    std::vector<Dyadic> unit(system.n);
    unit[j] = Dyadic(1);
    for (Dyadic& each : values(solve(rounded(unit, factor_limbs)))) inverse.push_back(std::move(each));
  }
  const Certificate certificate(system, std::move(inverse));

  const FloatArray a = rounded(system.a, solution_limbs);
  const FloatArray b = rounded(system.b, solution_limbs);
  const FloatArray one = rounded(std::vector<Dyadic>{Dyadic(1)}, solution_limbs);
  const FloatArray minus_one = rounded(std::vector<Dyadic>{Dyadic(-1)}, solution_limbs);
  FloatArray x = assay::limb::float_zeros(solution_limbs, system.n);
  Step best;
  for (long digits = -2, steps = 0; steps < 20; ++steps) {
    const FloatArray residual = limb_gemv(on, assay::blas::Transpose::no, n, n, minus_one, a, lda, x, one, b);
    const FloatArray change = resized(solve(resized(residual, factor_limbs)), solution_limbs);
    x = limb_op(on, assay::limb::LimbOp::add, assay::Rounding::rn, x, change);
    Step step{values(x), {}};
    step.errors = certificate.errors(step.x);
    const long now = certified_digits(step.x, step.errors);
    if (now <= digits) break;
    digits = now;
    report(step);
    best = std::move(step);
  }
  return best;
}

/// mHx = m·(1, …, 1), H the Hilbert matrix 1/(i + j − 1) of order n and m = lcm(1, …, 2n − 1): a system of integers.
/// Row sums of the inverse of H solve it.
inline System hilbert_system(std::size_t n) {
  Rational multiple(1);
  for (std::size_t k = 2; k < 2 * n; ++k) multiple *= Rational((multiple / Rational(k)).denominator());
  System system{n, {}, std::vector<Dyadic>(n, multiple.numerator())};
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) system.a.push_back((multiple / Rational(i + j + 1)).numerator());
  }
  return system;
}

}  // namespace hilbert
