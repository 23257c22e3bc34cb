// Bounds of operations on the rows of a matrix, and of triangular systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/normalization.hpp"
#include "errorbounds/softmax.hpp"
#include "errorbounds/triangular.hpp"
#include "oracle/decode.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Format;

constexpr Format small{5, -8, 8};  // u = 1/32, η = 2^-12

void expect_equal(const Bound& bound, const Bound& want) { EXPECT_TRUE(bound <= want && want <= bound); }

TEST(SoftmaxSumBound, IsTheFormulaOfItsTheorem) {
  // (1 + 3u)((1 + 2u)(1 + cuL) + 4η) − 1 with c = 2/(2 − τ), τ = 1/2, L = 14/10
  const RelativeBound beta = softmax_sum_bound({1}, {4, 16, 0, 0}, small);
  const Dyadic scale = 32 * 122880;
  const RelativeBound want{Dyadic(35 * (17 * 127 * 64 + 120)) - scale, scale};
  const RelativeBound slightly_more{Dyadic::scaled(1, 50) + Dyadic(1), Dyadic::scaled(1, 50)};
  EXPECT_TRUE(want <= beta);
  EXPECT_TRUE(beta <= want * slightly_more);
}

TEST(SoftmaxOthersBound, IsTheFormulaOfItsTheorem) {
  // n = 4, ln Z = 1/2, D₂ = 1, τ = 1/2: G = 1 + 2u, y = 1/2, L = 14/10, min(L, y(L + D₂)) = 12/10:
  // (G(1 + 2u) − 1)/2 + G((1 + 2u)cu·12/10 + 3η)
  const RelativeBound bound = softmax_others_bound({1}, {4, 16, Dyadic::scaled(1, -1), 0, false, 1}, small);
  const RelativeBound want{Dyadic(33 * 640) + Dyadic(17 * (17 * 64 + 15)), Dyadic(16 * 16 * 1280)};
  const RelativeBound slightly_more{Dyadic::scaled(1, 50) + Dyadic(1), Dyadic::scaled(1, 50)};
  EXPECT_TRUE(want <= bound);
  EXPECT_TRUE(bound <= want * slightly_more);
}

TEST(SoftmaxOthersBound, CountsWhatIsFlushedToZero) {
  // The same with N = 2^-8: τ = 1/2 + 8N = 17/32, c = 64/47, 8Ny = 1/64: (G(1 + 2u) − 1)/2 + G((1 + 2u)c(u·12/10 +
  // 8Ny) + 3(η + N)) = 33/512 + 17/16·(17/16·64/47·17/320 + 51/4096)
  const RelativeBound bound =
      softmax_others_bound({.ulps = 1, .flushes = true}, {4, 16, Dyadic::scaled(1, -1), 0, false, 1}, small);
  const RelativeBound grown{17, 16};  // G, and 1 + 2u
  const RelativeBound want = RelativeBound{33, 512} +
                             grown * (grown * RelativeBound{64, 47} * RelativeBound{17, 320} + RelativeBound{51, 4096});
  const RelativeBound slightly_more{Dyadic::scaled(1, 50) + Dyadic(1), Dyadic::scaled(1, 50)};
  EXPECT_TRUE(want <= bound);
  EXPECT_TRUE(bound <= want * slightly_more);
}

TEST(SoftmaxOthersBound, RefusesNumbersTooFarApartAndTooMany) {
  EXPECT_THROW(softmax_others_bound({1}, {2, 33, 0, 0}, small), std::domain_error);
  EXPECT_THROW(softmax_others_bound({1}, {40, 0, 1, 0}, small), std::domain_error);
}

TEST(SoftmaxSumBound, RefusesNumbersTooFarApartAndTooMany) {
  EXPECT_NO_THROW(softmax_sum_bound({1}, {2, 32, 0, 0}, small));
  EXPECT_THROW(softmax_sum_bound({1}, {2, 33, 0, 0}, small), std::domain_error);
  EXPECT_THROW(softmax_sum_bound({1}, {40, 0, 0, 0}, small), std::domain_error);
}

TEST(SoftmaxBound, IsTheFormulaOfItsTheorem) {
  // β = 2u + η = 257/4096; (17/16)(33/32)²/(1 − β) − 1 + 2η(33/32)²/(1 − β)
  const SoftmaxRow row{1, 0, 0, 0};
  const Bound bound = softmax_bound({1}, row, RelativeBound{257, 4096}, 0, 1, small);
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

TEST(LogSoftmaxBounds, AreTheFormulasOfTheirTheorems) {
  // n = 1, ln Z = 0, D = 0: β' = 257/3839, E = β'(1 + 2u) + η, (1 + u)E
  const SoftmaxRow row{1, 0, 0, 2};
  const RelativeBound beta{257, 4096};
  const Bound logarithm = Bound{257 * 17, 3839 * 16} + Bound{1, 4096};
  expect_equal(log_softmax_bound({1}, row, beta, 0, small), logarithm * Dyadic::scaled(33, -5));
  expect_equal(log_softmax_of_sum_bound({1}, row, beta, 0, small),
               (Bound{1, 16} + logarithm * Dyadic::scaled(33, -5)) * Dyadic::scaled(33, -5));
  expect_equal(log_softmax_unshifted_bound({1}, row, beta, 0, small),
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
                          2, Dyadic::scaled(3, -1)};

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

TEST(LayerNormFactors, OfWelfordAreTheFormulaOfTheirTheoremOrNone) {
  const Format wider{8, -30, 30};
  EXPECT_FALSE(layer_norm_welford_factors(row_of_four, small));
  const std::optional<NormFactors> welford = layer_norm_welford_factors(row_of_four, wider);
  ASSERT_TRUE(welford);
  const double v = 0x1p-8;
  const double g = std::pow(1 + v, 5) * (1 + 3 * v);
  const double tiny = 0x1p-37;
  const double step = std::pow(1 + v, 3) - 1;
  const double mean = 4 * ((step + v) * (1 + 2 * (4 * v + step)) * 0.5 + 2 * tiny);
  const double lost = (0.25 * (g - 1) + 2 * tiny) * 2 + g * mean * (3 * 1.5 + mean * 2);
  const double off = v + (1 + v) * lost;
  const double up = (1 + 5 * v) * (1 + v) * (1 + v) * (2 - off) / (2 - 2 * off);
  expect_rounded_up(welford->relative, std::max(up - 1, 7 * v + off / 2) + up * v);
  expect_rounded_up(welford->deviation, up * (1 + v) * mean);
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
  // u·5 + (1 + u)(7·2 + 3·4 + 9·2 + 6 + 8·1)
  expect_equal(norm_error({7, 3, 9, 6, 8}, {2, 5, 4, 1, 2}, small),
               Bound{5, 32} + Bound{Dyadic(58)} * Dyadic::scaled(33, -5));
}

TEST(NormFactors, HaveWhatUnderflowCosts) {
  // (1 + 1/√V)η and η; by scale and shift one η more
  const NormFactors plain = rms_norm_factors(row_of_four, small);
  EXPECT_EQ(plain.lost, Dyadic::scaled(5, -13));
  EXPECT_EQ(plain.lost_per_weight, Dyadic::scaled(1, -12));
  EXPECT_EQ(layer_norm_shifted_factors(row_of_four, small).lost, Dyadic::scaled(7, -13));
}

TEST(NormFactors, OfAnyRangeMayBeBeyondTheRangeOfBinary64) {
  const Dyadic huge = Dyadic::scaled(1, 1020);
  const NormRow row{1, huge, huge, huge * huge, 0, Dyadic::scaled(1, 40), Dyadic::scaled(1, 20)};
  EXPECT_GT(layer_norm_any_range_factors(row, oracle::binary64).deviation, Dyadic::scaled(1, 960));
}

TEST(RmsNormError, CoversAProductWithTheWeightThatUnderflows) {
  // x = 1.5·2^-126, w = 1.3125000…·2^-20, ε = 2^-40 in binary32: (x·w)/√V was 28 000 times the earlier bound.
  const float x = 0x1.8p-126F;
  const float w = 0x1.500010p-20F;
  const Dyadic inverse = Dyadic::scaled(1, 40);
  const Dyadic inverse_root = Dyadic::scaled(1, 20);
  const Dyadic exact_x = Dyadic::scaled(3, -127);
  const NormRow row{1, exact_x, exact_x, exact_x * exact_x, exact_x * exact_x, inverse, inverse_root};
  const Dyadic weight = oracle::exact(static_cast<double>(w));
  const Dyadic truth = exact_x * weight * inverse_root;  // below the real one's upper neighbor by 2^-200 of it
  const NormNumber number{truth, truth, weight * inverse_root, weight, 0};
  const float product = x * w;
  const Dyadic got = oracle::exact(static_cast<double>(product * 0x1p20F));
  const Bound bound = norm_error(rms_norm_factors(row, oracle::binary32), number, oracle::binary32);
  EXPECT_EQ(got, Dyadic::scaled(1, -125));
  EXPECT_LE(abs(got - truth), bound.numerator);
}

/// Bounds in formats of 5 to 8 bits, for rows that a domain might have.
struct ToyRow {
  Format format;
  NormRow row;
  NormNumber number;
  Dyadic size;
  Dyadic inverse_root_of_eps;
};
std::vector<ToyRow> toy_rows() {
  std::vector<ToyRow> all;
  for (const int p : {5, 6, 7, 8, 24}) {
    const Format format{p, -30, 30};
    for (const int n : {1, 2, 3, 7}) {
      for (const int log_mean : {-12, -2, 0, 3, 9}) {
        for (const int log_deviation : {-20, -9, -3, 0, 5}) {
          for (const int log_eps : {-20, -6, 0}) {
            const double mean = std::ldexp(1.25, log_mean);
            const double deviation = n == 1 ? 0 : std::ldexp(1.5, log_deviation);
            const double eps = std::ldexp(1, log_eps);
            const double v = deviation * deviation + eps;
            const double weight = std::ldexp(1, log_deviation / 2);
            const double bias = std::ldexp(1.125, -log_mean / 2);
            const double product = deviation * weight / std::sqrt(v) * 1.001;
            const auto exact = [](double x) { return oracle::exact(x); };
            all.push_back({format,
                           {static_cast<std::uint64_t>(n), exact(mean), exact(mean + deviation),
                            exact((mean * mean + deviation * deviation) * 1.001), exact(deviation * deviation),
                            exact(1.001 / v), exact(1.001 / std::sqrt(v))},
                           {exact(product), exact(product + bias), exact(1.001 * weight / std::sqrt(v)), exact(weight),
                            exact(bias)},
                           exact(mean + deviation),
                           exact(1.001 / std::sqrt(eps))});
          }
        }
      }
    }
  }
  return all;
}

/// The bound of a form, or its limit for rows whose variance may be off by half.
Dyadic norm_bound_of(const NormForm& form, const ToyRow& toy) {
  NormRow row = toy.row;
  if (form.variance == NormForm::Variance::none) row.mean_square = row.variance;  // a row without a mean
  const auto factors = norm_factors(form, row, toy.format);
  if (factors) return norm_error(*factors, toy.number, toy.format).numerator;
  return toy.number.result + norm_limit(form, toy.row, toy.number, toy.size, toy.inverse_root_of_eps, toy.format);
}

TEST(NormForms, ThatImplyOthersHaveTheSmallerBoundAtToyPrecisions) {
  using Variance = NormForm::Variance;
  const NormForm two_pass;
  const NormForm shift{.shifts = true};
  const NormForm one_pass{.variance = Variance::of_squares};
  const NormForm one_pass_shift{.variance = Variance::of_squares, .shifts = true};
  const NormForm welford{.variance = Variance::of_updates};
  const NormForm rms{.variance = Variance::none};
  const auto flushed = [](NormForm form) {
    form.flushes = true;
    return form;
  };
  std::vector<std::pair<NormForm, NormForm>> implied{{two_pass, shift},
                                                     {two_pass, welford},
                                                     {two_pass, one_pass},
                                                     {shift, one_pass_shift},
                                                     {one_pass, one_pass_shift}};
  const std::vector<std::pair<NormForm, NormForm>> plain = implied;
  for (const auto& [strong, weak] : plain) implied.emplace_back(flushed(strong), flushed(weak));
  for (const NormForm& form : {two_pass, shift, welford, one_pass, one_pass_shift, rms}) {
    implied.emplace_back(form, flushed(form));
  }
  for (const ToyRow& toy : toy_rows()) {
    if (toy.row.n * 4 > (std::uint64_t{1} << toy.format.precision) || toy.format.precision < 7) continue;
    for (std::size_t i = 0; i < implied.size(); ++i) {
      EXPECT_LE(norm_bound_of(implied[i].first, toy), norm_bound_of(implied[i].second, toy)) << i;
    }
  }
}

TEST(SoftmaxForms, ThatImplyOthersHaveTheSmallerBoundAtToyPrecisions) {
  const SoftmaxForm one{1};
  const SoftmaxForm three{3};
  const SoftmaxForm exp2{.ulps = 3, .by_exp2 = true};
  const SoftmaxForm scaled{.ulps = 3, .by_exp2 = true, .scales = true};
  const auto flushed = [](SoftmaxForm form) {
    form.flushes = true;
    return form;
  };
  const std::vector<std::pair<SoftmaxForm, SoftmaxForm>> implied{{one, three},
                                                                 {three, exp2},
                                                                 {exp2, scaled},
                                                                 {three, flushed(three)},
                                                                 {exp2, flushed(exp2)},
                                                                 {scaled, flushed(scaled)},
                                                                 {flushed(three), flushed(exp2)},
                                                                 {flushed(exp2), flushed(scaled)}};
  for (const int p : {8, 11, 24}) {
    const Format format{p, -100, 100};
    for (const std::uint64_t n : {1, 2, 5}) {
      for (const double widest : {0.0, 0.5, 3.0, 10.0}) {
        for (const double shift : {0.0, 0.25, 2.0, 5.0}) {
          const SoftmaxRow row{n, oracle::exact(widest), oracle::exact(n == 1 ? 0.0 : 1.75), oracle::exact(shift)};
          const Dyadic probability = oracle::exact(std::exp(-widest) / static_cast<double>(n));
          const auto bounds = [&](const SoftmaxForm& form) {
            const RelativeBound beta = softmax_sum_bound(form, row, format);
            return std::array{softmax_bound(form, row, beta, row.widest, probability, format),
                              log_softmax_bound(form, row, beta, row.widest, format),
                              log_softmax_of_sum_bound(form, row, beta, row.widest, format),
                              log_softmax_unshifted_bound(form, row, beta, row.widest, format)};
          };
          const auto of_others = [&](const SoftmaxForm& form) {
            return log_softmax_of_others_bound(form, row, softmax_others_bound(form, row, format), row.widest, format);
          };
          EXPECT_TRUE(of_others(one) <= of_others(three) && of_others(three) <= of_others(flushed(three)));
          for (std::size_t i = 0; i < implied.size(); ++i) {
            const auto strong = bounds(implied[i].first);
            const auto weak = bounds(implied[i].second);
            for (std::size_t j = 0; j < strong.size(); ++j) EXPECT_TRUE(strong[j] <= weak[j]) << i << " " << j;
          }
          for (const SoftmaxForm& form : {one, three, flushed(three)}) {
            const RelativeBound beta = softmax_sum_bound(form, row, format);
            const auto all = bounds(form);
            EXPECT_TRUE(all[1] <= all[2] && all[2] <= all[3]);
            EXPECT_TRUE(of_others(form) <= all[1]);
            if (Bound{1} <= all[2]) continue;
            EXPECT_TRUE(all[0] <= softmax_of_log_sum_bound(form, row, beta, row.widest, probability, format));
          }
        }
      }
    }
  }
}

TEST(TriangularResidualBound, IsTheFormulaOfItsTheorem) {
  // γ₃ = 3/29: γ₃·7 + (1 + γ₃)(2 + 5)η/2
  expect_equal(triangular_residual_bound(2, 7, 5, small), Bound{21, 29} + Bound{Dyadic(32 * 7), Dyadic(29 * 8192)});
  EXPECT_THROW(triangular_residual_bound(31, 7, 5, small), std::domain_error);
}

}  // namespace
}  // namespace assay
