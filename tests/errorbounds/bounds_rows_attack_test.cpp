// The bounds of norms and of softmax against kernels in a format of 10 bits, with random rows near all its ends. The
// exact values are those of binary64, whose rounding is far below what is allowed for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "errorbounds/normalization.hpp"
#include "errorbounds/softmax.hpp"
#include "oracle/decode.hpp"

namespace assay {
namespace {

using oracle::Dyadic;
using oracle::Format;

constexpr Format toy{10, -24, 60};
constexpr double allowed = 1 + 1e-6;

/// Rounding to the toy format, where nothing overflows.
struct Rounded {
  bool flushes = false;
  double operator()(double x) const {
    if (x == 0) return x;
    const int exponent = std::max(std::ilogb(x), toy.emin) - toy.precision + 1;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
    return flushes && std::fabs(rounded) < std::ldexp(1, toy.emin) ? 0 : rounded;
  }
};

/// A generator of Lehmer's kind (Marsaglia, Xorshift RNGs, J. Stat. Softw. 8(14), 2003).
class Source {
 public:
  double uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return std::ldexp(static_cast<double>(state_ >> 11), -53);
  }
  int between(int low, int high) { return low + static_cast<int>(uniform() * (high - low + 1)); }
  bool coin() { return uniform() < 0.5; }
  double sign() { return coin() ? 1 : -1; }
  /// A number of the toy format with that exponent.
  double number(int exponent) { return Rounded{}(sign() * std::ldexp(1 + uniform(), exponent)); }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

Dyadic up(double x) { return oracle::exact(x * (1 + 0x1p-45)); }
double value(const Bound& bound) { return bound.numerator.to_double_up() / bound.denominator.to_double_nearest(); }

// -------------------------------------------------------------------------------------------------------- norms

enum class Product { deviation_first, weight_first, weight_and_root, shift, shift_before_weight };

struct NormCase {
  std::vector<double> x;
  double eps = 0, weight = 0, bias = 0;
};

NormCase draw_norm_case(Source& draw, std::size_t n, bool has_mean) {
  NormCase c;
  const bool is_tiny = draw.coin();
  const int tiny = toy.emin + draw.between(-3, 5);
  const int mean_exponent = draw.between(-8, 7);
  const int deviation = mean_exponent + draw.between(-9, 1);
  const double mean = draw.uniform() < 0.7 ? std::ldexp(1 + draw.uniform(), mean_exponent) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(is_tiny ? draw.number(tiny - draw.between(0, 2)) : Rounded{}(mean + draw.number(deviation)));
  }
  c.eps = std::fabs(draw.number(draw.between(-14, -1)));
  c.weight = draw.number(draw.between(-6, 2));
  if (has_mean) c.bias = is_tiny && draw.coin() ? draw.number(tiny) : draw.number(draw.between(-8, 2));
  return c;
}

/// The number of the row at `at` as a kernel of the form computes it.
double computed(const NormForm& form, Product product, const NormCase& c, std::size_t at, int root_steps, bool fused) {
  const Rounded round{form.flushes};
  const bool has_mean = form.variance != NormForm::Variance::none;
  const auto n = static_cast<double>(c.x.size());
  double sum = 0;
  for (const double each : c.x) sum = round(sum + round(each));
  const double mean = has_mean ? round(sum / n) : 0;
  double squares = 0;
  for (const double each : c.x) {
    const double d = form.variance == NormForm::Variance::of_deviations ? round(round(each) - mean) : round(each);
    squares = round(squares + (fused ? d * d : round(d * d)));
  }
  double v = round(squares / n);
  if (form.variance == NormForm::Variance::of_squares) v = std::max(0.0, round(v - round(mean * mean)));
  const double root = round(std::sqrt(round(v + c.eps)));
  double r = round(1 / root);
  r += root_steps * std::ldexp(1, std::ilogb(r) - toy.precision + 1);
  const double x = round(c.x[at]);
  const double bias = round(c.bias);
  const double d = round(x - mean);
  if (product == Product::shift) {
    const double a = round(c.weight * r);
    const double shift = fused ? round(bias - mean * a) : round(bias - round(mean * a));
    return fused ? round(x * a + shift) : round(round(x * a) + shift);
  }
  if (product == Product::shift_before_weight) {
    const double shift = round(-mean * r);
    const double z = fused ? round(x * r + shift) : round(round(x * r) + shift);
    return round(round(z * c.weight) + bias);
  }
  const double scaled = product == Product::deviation_first ? round(round(d * r) * c.weight)
                        : product == Product::weight_first  ? round(round(d * c.weight) * r)
                                                            : round(d * round(c.weight * r));
  return has_mean ? round(scaled + bias) : scaled;
}

/// The error of the computed number in units of its bound; of rows whose variance may be off by half, |ŷ| in units of
/// its limit.
double norm_ratio(const NormForm& form, const NormCase& c, std::size_t at, double got) {
  const auto n = static_cast<double>(c.x.size());
  const bool has_mean = form.variance != NormForm::Variance::none;
  double mean = 0;
  double magnitude = 0;
  double squares = 0;
  for (const double each : c.x) {
    mean += each / n;
    magnitude += std::fabs(each) / n;
    squares += each * each / n;
  }
  double variance = 0;
  for (const double each : c.x) variance += (each - mean) * (each - mean) / n;
  const double v = (has_mean ? variance : squares) + c.eps;
  const double product = (c.x[at] - (has_mean ? mean : 0)) * c.weight / std::sqrt(v);
  const double truth = product + c.bias;
  const NormRow row{c.x.size(),   up(std::fabs(mean)), up(magnitude),       up(squares),
                    up(variance), up(1 / v),           up(1 / std::sqrt(v))};
  const NormNumber number{up(std::fabs(product)), up(std::fabs(truth)), up(std::fabs(c.weight) / std::sqrt(v)),
                          up(std::fabs(c.weight)), up(std::fabs(c.bias))};
  const auto factors = norm_factors(form, row, toy);
  if (factors) return std::fabs(got - truth) / value(norm_error(*factors, number, toy));
  return std::fabs(got) /
         norm_limit(form, row, number, up(std::fabs(c.x[at])), up(1 / std::sqrt(c.eps)), toy).to_double_nearest();
}

TEST(NormBounds, HoldForEveryFormInTenBits) {
  using Variance = NormForm::Variance;
  Source draw;
  for (int i = 0; i < 20000; ++i) {
    NormForm form;
    form.variance = std::array{Variance::of_deviations, Variance::of_squares, Variance::none}[draw.between(0, 2)];
    form.flushes = draw.coin();
    const bool has_mean = form.variance != Variance::none;
    const auto product = static_cast<Product>(draw.between(0, has_mean ? 4 : 2));
    form.shifts = product >= Product::shift;
    const auto n = static_cast<std::size_t>(draw.between(1, 7));
    const NormCase c = draw_norm_case(draw, n, has_mean);
    const std::size_t at = n - 1;
    const double got = computed(form, product, c, at, draw.between(-2, 2), draw.coin());
    ASSERT_LE(norm_ratio(form, c, at, got), allowed) << i;
  }
}

// ------------------------------------------------------------------------------------------------------ softmax

enum class Steps { softmax, of_log_sum, log_softmax, log_of_sum, log_of_others };

/// A function value with an error of up to k ulps.
double with_ulps(Source& draw, const Rounded& round, double exact, int k) {
  const double ulp = std::ldexp(1, std::max(exact == 0 ? toy.emin : std::ilogb(exact), toy.emin) - toy.precision + 1);
  // One rounding is half an ulp, so that the number before it may be off by half an ulp less.
  const double off = exact + (2 * draw.uniform() - 1) * (k - 0.5) * ulp;
  return round(exact >= 0 ? std::max(0.0, off) : off);
}

TEST(SoftmaxBounds, HoldForEveryFormInTenBits) {
  Source draw;
  const double log2_e = Rounded{}(1 / std::log(2.0));
  for (int i = 0; i < 20000; ++i) {
    SoftmaxForm form{.ulps = draw.coin() ? 1 : 3, .by_exp2 = draw.coin()};
    form.flushes = draw.coin();
    const auto steps = static_cast<Steps>(draw.between(0, 4));
    form.scales = form.by_exp2 && steps == Steps::softmax && draw.coin();
    if (steps != Steps::softmax && steps != Steps::log_softmax) form.by_exp2 = false;
    const Rounded round{form.flushes};
    const auto n = static_cast<std::size_t>(draw.between(1, 6));
    const int low = draw.coin() ? toy.emin - 2 : -3;
    const int high = draw.coin() ? 2 : 4;
    std::vector<double> x;
    for (std::size_t j = 0; j < n; ++j) x.push_back(draw.number(draw.between(low, high)));
    const double m = *std::max_element(x.begin(), x.end());
    double z = 0;
    double widest = 0;
    double sum = 0;
    std::vector<double> e;
    const bool fused = draw.coin();
    for (const double each : x) {
      z += std::exp(each - m);
      widest = std::max(widest, m - each);
      const double from = round(each);
      const double top = round(m);
      double exponent = round(from - top);
      if (form.scales) {
        const double shift = round(top * log2_e);
        exponent = fused ? round(from * log2_e - shift) : round(round(from * log2_e) - shift);
      } else if (form.by_exp2) {
        exponent = round(exponent * log2_e);
      }
      e.push_back(with_ulps(draw, round, form.by_exp2 ? std::exp2(exponent) : std::exp(exponent), form.ulps));
      sum = round(sum + e.back());
    }
    const std::size_t largest = std::max_element(x.begin(), x.end()) - x.begin();
    const auto left_out = std::ranges::find_if(x, [&](double each) { return round(each) == round(m); }) - x.begin();
    double others = 0;
    double sum_of_others = 0;
    double second = n == 1 ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < n; ++j) {
      if (j != static_cast<std::size_t>(left_out)) sum_of_others = round(sum_of_others + e[j]);
      if (j == largest) continue;
      others += std::exp(x[j] - m);
      second = std::min(second, m - x[j]);
    }
    const SoftmaxRow row{n, up(widest), up(std::log1p(others)), up(std::fabs(m)), false, up(second)};
    const RelativeBound beta = softmax_sum_bound(form, row, toy);
    const Dyadic distance = up(m - x[0]);
    const double probability = std::exp(x[0] - m) / z;
    const double log_probability = (x[0] - m) - std::log1p(others);
    const double base_2 = form.by_exp2 ? with_ulps(draw, round, std::log2(sum), form.ulps) : 0;
    const double log_sum =
        form.by_exp2 ? round(base_2 * Rounded{}(std::log(2.0))) : with_ulps(draw, round, std::log(sum), form.ulps);
    const double of_sum = round(round(x[0]) - round(round(m) + log_sum));
    double error = 0;
    double bound = 0;
    switch (steps) {
      case Steps::softmax:
        error = round(e[0] / sum) - probability;
        bound = value(softmax_bound(form, row, beta, distance, up(probability), toy));
        break;
      case Steps::of_log_sum:
        error = with_ulps(draw, round, std::exp(of_sum), form.ulps) - probability;
        if (value(log_softmax_of_sum_bound(form, row, beta, distance, toy)) > 1) continue;
        bound = value(softmax_of_log_sum_bound(form, row, beta, distance, up(probability), toy));
        break;
      case Steps::log_softmax:
        error = round(round(round(x[0]) - round(m)) - log_sum) - log_probability;
        bound = value(log_softmax_bound(form, row, beta, distance, toy));
        break;
      case Steps::log_of_sum:
        error = of_sum - log_probability;
        bound = value(log_softmax_of_sum_bound(form, row, beta, distance, toy));
        break;
      case Steps::log_of_others: {
        const double log = with_ulps(draw, round, std::log1p(sum_of_others), form.ulps);
        const RelativeBound of_others = softmax_others_bound(form, row, toy);
        EXPECT_LE(value({of_others.numerator, of_others.denominator}), value({beta.numerator, beta.denominator}));
        error = round(round(round(x[0]) - round(m)) - log) - log_probability;
        bound = value(log_softmax_of_others_bound(form, row, of_others, distance, toy));
        break;
      }
    }
    ASSERT_LE(std::fabs(error), bound * allowed) << i << " " << static_cast<int>(steps);
  }
}

}  // namespace
}  // namespace assay
