// Bounds of operations on the rows of a matrix, and of triangular systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/normalization.hpp"
#include "errorbounds/softmax.hpp"
#include "errorbounds/triangular.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Format;

constexpr Format small{5, -8, 8};  // u = 1/32, η = 2^-12

void expect_equal(const Bound& bound, const Bound& want) { EXPECT_TRUE(bound <= want && want <= bound); }

TEST(SoftmaxSumBound, IsTheFormulaOfItsTheorem) {
  // (1 + 3u)((1 + 2u)(1 + cuL) + 4η) − 1 with c = 2/(2 − τ), τ = 1/2, L = 14/10
  const RelativeBound beta = softmax_sum_bound(1, {4, 16, 0, 0}, small);
  const Dyadic scale = 32 * 122880;
  const RelativeBound want{Dyadic(35 * (17 * 127 * 64 + 120)) - scale, scale};
  const RelativeBound slightly_more{Dyadic::scaled(1, 50) + Dyadic(1), Dyadic::scaled(1, 50)};
  EXPECT_TRUE(want <= beta);
  EXPECT_TRUE(beta <= want * slightly_more);
}

TEST(SoftmaxSumBound, RefusesNumbersTooFarApartAndTooMany) {
  EXPECT_NO_THROW(softmax_sum_bound(1, {2, 32, 0, 0}, small));
  EXPECT_THROW(softmax_sum_bound(1, {2, 33, 0, 0}, small), std::domain_error);
  EXPECT_THROW(softmax_sum_bound(1, {40, 0, 0, 0}, small), std::domain_error);
}

TEST(SoftmaxBound, IsTheFormulaOfItsTheorem) {
  // β = 2u + η = 257/4096; (17/16)(33/32)²/(1 − β) − 1 + 2η(33/32)²/(1 − β)
  const Bound bound = softmax_bound(1, {1, 0, 0, 0}, 0, 1, small);
  const Dyadic rest(4096 - 257);
  const Bound relative{Dyadic(17 * 33 * 33 * 4096) - Dyadic(16 * 1024) * rest, Dyadic(16 * 1024) * rest};
  expect_equal(bound, relative + Bound{Dyadic(33 * 33 * 2), Dyadic(1024) * rest});
}

TEST(SoftmaxRowSumBound, IsTheFormulaOfItsTheorem) {
  expect_equal(softmax_row_sum_bound(3, small), Bound{33 * 33 - 30 * 32, 30 * 32} + Bound{3, 4096});
  EXPECT_THROW(softmax_row_sum_bound(32, small), std::domain_error);
}

TEST(SoftmaxStoredRowSumBound, IsTheFormulaOfItsTheorem) {
  // R = 1/8: 1/8 + (2/32)(9/8) + 3/4096
  expect_equal(softmax_stored_row_sum_bound({1, 8}, 3, small), Bound{50, 256} + Bound{3, 4096});
}

TEST(LogSoftmaxBounds, GrowFromTheShiftedFormOn) {
  const SoftmaxRow row{3, 4, 1, 5};
  EXPECT_TRUE(log_softmax_bound(1, row, 4, small) < log_softmax_bound(3, row, 4, small));
  EXPECT_TRUE(log_softmax_bound(1, row, 4, small) < log_softmax_of_sum_bound(1, row, 4, small));
  EXPECT_TRUE(log_softmax_of_sum_bound(1, row, 4, small) < log_softmax_unshifted_bound(1, row, 4, small));
}

TEST(LogSoftmaxBounds, AreTheFormulasOfTheirTheorems) {
  // n = 1, ln Z = 0, D = 0: β' = 257/3839, E = β'(1 + 2u) + η, (1 + u)E
  const SoftmaxRow row{1, 0, 0, 2};
  const Bound logarithm = Bound{257 * 17, 3839 * 16} + Bound{1, 4096};
  expect_equal(log_softmax_bound(1, row, 0, small), logarithm * Dyadic::scaled(33, -5));
  expect_equal(log_softmax_of_sum_bound(1, row, 0, small),
               (Bound{1, 16} + logarithm * Dyadic::scaled(33, -5)) * Dyadic::scaled(33, -5));
  expect_equal(log_softmax_unshifted_bound(1, row, 0, small),
               (Bound{1, 16} + (logarithm + Bound{1, 8}) * Dyadic::scaled(33, -5)) * Dyadic::scaled(33, -5));
}

/// got is want, rounded up by a few units in the last place of binary64 at most.
void expect_rounded_up(const Dyadic& got, double want) {
  EXPECT_GE(got.to_double_nearest(), want * (1 - 0x1p-48));
  EXPECT_LE(got.to_double_nearest(), want * (1 + 0x1p-48));
}

constexpr double u = 0x1p-5;
constexpr double eta = 0x1p-12;
const NormRow row_of_four{4, Dyadic::scaled(1, -2), Dyadic::scaled(1, -1), Dyadic::scaled(5, -4), Dyadic::scaled(1, -2),
                          2};

double growth(int roundings) { return std::pow(1 + u, roundings) * (1 + 3 * u); }
double phi(double below) { return (1 + 5 * u) * (1 + u) * (1 + u) * (2 - below) / (2 - 2 * below); }

TEST(LayerNormFactors, AreTheFormulaOfTheirTheorem) {
  const double mean = (growth(2) - 1) * 0.5 + 2 * eta;
  const double lost = 0.25 * (growth(5) - 1) + 2 * eta;
  const double below = u + lost * 2;
  const double above = u + (1 + u) * (lost + mean * mean * growth(5)) * 2;
  const double chi = std::max(phi(below) - 1, 7 * u + std::min(above / 2, 1.0));
  const NormFactors factors = layer_norm_factors(row_of_four, small);
  expect_rounded_up(factors.relative, chi + phi(below) * u);
  expect_rounded_up(factors.deviation, phi(below) * (1 + u) * mean);
}

TEST(LayerNormFactors, OfOnePassAreTheFormulaOfTheirTheoremOrNone) {
  const Format wider{12, -30, 30};
  NormRow cancelling = row_of_four;
  cancelling.inverse = 8;
  EXPECT_FALSE(layer_norm_one_pass_factors(cancelling, small));
  const std::optional<NormFactors> one_pass = layer_norm_one_pass_factors(row_of_four, wider);
  ASSERT_TRUE(one_pass);
  EXPECT_LT(layer_norm_factors(row_of_four, wider).relative, one_pass->relative);
  EXPECT_LE(layer_norm_factors(row_of_four, wider).deviation, one_pass->deviation);
  const double v = 0x1p-12;
  const double g = std::pow(1 + v, 5) * (1 + 3 * v);
  const double tiny = 0x1p-41;
  const double mean = (std::pow(1 + v, 2) * (1 + 3 * v) - 1) * 0.5 + 2 * tiny;
  const double lost = v * 0.25 + (1 + v) * (0.3125 * (g - 1) + 4 * tiny + mean * (0.5 + mean) * g + 0.0625 * (g - 1));
  const double off = v + (1 + v) * lost * 2;
  const double up = (1 + 5 * v) * (1 + v) * (1 + v) * (2 - off) / (2 - 2 * off);
  expect_rounded_up(one_pass->relative, std::max(up - 1, 7 * v + off / 2) + up * v);
}

TEST(RmsNormFactors, AreTheFormulaOfTheirTheorem) {
  const double off = u + (1 + u) * (0.3125 * (growth(3) - 1) + 2 * eta) * 2;
  const NormFactors factors = rms_norm_factors(row_of_four, small);
  expect_rounded_up(factors.relative, std::max(phi(off) - 1, 7 * u + off / 2));
  EXPECT_TRUE(factors.deviation.is_zero());
}

TEST(NormFactors, RefuseTooManyNumbers) {
  NormRow row = row_of_four;
  row.n = 9;
  EXPECT_THROW(layer_norm_factors(row, small), std::domain_error);
  EXPECT_THROW(layer_norm_one_pass_factors(row, small), std::domain_error);
  EXPECT_THROW(rms_norm_factors(row, small), std::domain_error);
}

TEST(NormError, IsTheFormulaOfItsTheorem) {
  // u·5 + (1 + u)(7·2 + 3·4 + (1 + 1)η)
  expect_equal(norm_error({7, 3}, {2, 5, 4, 1}, small),
               Bound{5, 32} + Bound{Dyadic(26) + Dyadic::scaled(1, -11)} * Dyadic::scaled(33, -5));
}

TEST(TriangularResidualBound, IsTheFormulaOfItsTheorem) {
  // γ₃ = 3/29: γ₃·7 + (1 + γ₃)(2 + 5)η/2
  expect_equal(triangular_residual_bound(2, 7, 5, small), Bound{21, 29} + Bound{Dyadic(32 * 7), Dyadic(29 * 8192)});
  EXPECT_THROW(triangular_residual_bound(31, 7, 5, small), std::domain_error);
}

}  // namespace
}  // namespace assay
