// Bounds of operations on the rows of a matrix.
#include <gtest/gtest.h>

#include <stdexcept>

#include "errorbounds/fraction.hpp"
#include "errorbounds/softmax.hpp"

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

}  // namespace
}  // namespace assay
