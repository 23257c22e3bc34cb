#include "tests/mutants/device/accurate_sum_mutants.hpp"

#include "arith/float/ulp.hpp"
#include "exec/launch.hpp"

namespace assay::mutants {

namespace {

constexpr double u = 0x1p-53;

/// Two leading parts of ρ + Σp; the remainder stays in p.
struct Transformed {
  double t1, t2;
};

/// A faithful sum and the error that, together with the remainder, makes it exact.
struct Faithful {
  double sum, rest;
};

struct NearSum {
  NearSumMistake mistake;
  const double* x;
  const std::size_t* offsets;
  double* work;
  CountedSum* sums;

  ASSAY_HD bool is(NearSumMistake which) const { return mistake == which; }

  ASSAY_HD Transformed transform(double* p, std::size_t n, double rho, int& passes) const {
    double mu = 0;
    for (std::size_t j = 0; j < n; ++j) mu = abs(p[j]) > mu ? abs(p[j]) : mu;
    if (mu == 0) return {rho, 0};
    int headroom = 1;
    while ((std::size_t{1} << headroom) < n + 2) ++headroom;
    const bool rounds_up = ufp(mu) != mu && !is(NearSumMistake::floor_of_logarithm);
    const int scale = headroom + exponent(mu) + (rounds_up ? 1 : 0) - (is(NearSumMistake::half_sigma) ? 1 : 0);
    const double step = bits::power_of_two<double>(headroom) * u;
    const double enough = is(NearSumMistake::stops_early) ? step : bits::power_of_two<double>(2 * headroom + 1) * u;
    double sigma = bits::power_of_two_or_subnormal<double>(scale);
    double t = rho;
    for (;;) {
      double tau = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const double q = (sigma + p[j]) - sigma;
        p[j] = p[j] - q;
        tau = tau + q;
      }
      const double t1 = t + tau;
      const bool underflows = sigma <= 0x1p-1022 && !is(NearSumMistake::no_underflow_stop);
      if (abs(t1) > enough * sigma || underflows || ++passes > most_passes(n)) return {t1, tau - (t1 - t)};
      t = t1;
      sigma = step * sigma;
    }
  }

  ASSAY_HD Faithful faithful(double* p, std::size_t n, double rho, int& passes) const {
    const Transformed head = transform(p, n, rho, passes);
    double left = 0;
    for (std::size_t j = 0; j < n; ++j) left = left + p[j];
    const double sum = head.t1 + (head.t2 + left);
    return {sum, head.t2 - (sum - head.t1)};
  }

  /// The number that an exact tie between `sum` and `other` rounds to, given the number that the hardware rounds it to.
  ASSAY_HD double tie(double sum, double other, double even) const {
    if (is(NearSumMistake::ties_away)) return abs(sum) > abs(other) ? sum : other;
    if (is(NearSumMistake::ties_to_odd)) return even == sum ? other : sum;
    return even;
  }

  ASSAY_HD double near_sum(double* p, std::size_t n, int& passes) const {
    const Faithful first = faithful(p, n, 0, passes);
    if (is(NearSumMistake::faithful)) return first.sum;
    const Faithful second = faithful(p, n, first.rest, passes);
    if (second.sum == 0) return first.sum;
    const double outwards = second.sum < 0 ? -(u * abs(first.sum)) : u * abs(first.sum);
    double other = first.sum + outwards;
    double half = outwards;
    if (other == first.sum) {
      other = first.sum + 2 * outwards;
    } else {
      half = is(NearSumMistake::one_half_ulp) ? (second.sum < 0 ? -u : u) * ufp(first.sum) : (other - first.sum) / 2;
    }
    if (abs(second.sum) != abs(half)) return abs(second.sum) < abs(half) ? first.sum : other;
    if (is(NearSumMistake::tie_keeps)) return first.sum;
    if (is(NearSumMistake::tie_changes)) return other;
    const double third = faithful(p, n, second.rest, passes).sum;
    if (third == 0) return tie(first.sum, other, first.sum + half);
    return (third < 0) == (half < 0) ? other : first.sum;
  }

  ASSAY_HD void operator()(std::size_t i) const {
    const std::size_t n = offsets[i + 1] - offsets[i];
    double* p = work + offsets[i];
    bool negative_zero = n > 0;
    for (std::size_t j = 0; j < n; ++j) {
      p[j] = x[offsets[i] + j];
      negative_zero = negative_zero && p[j] == 0 && signbit(p[j]);
    }
    int passes = 0;
    const double sum = negative_zero ? -0.0 : near_sum(p, n, passes);
    sums[i] = {sum, static_cast<double>(passes)};
  }
};

}  // namespace

std::vector<CountedSum> near_sum_with(NearSumMistake mistake, const Executor& on, std::span<const double> x,
                                      sum::Offsets offsets) {
  const Array<double> terms(on, x);
  const Array<std::size_t> places(on, offsets);
  const Array<double> work(on, x.size());
  const Array<CountedSum> sums(on, offsets.size() - 1);
  launch_indices(on, offsets.size() - 1, NearSum{mistake, terms.data(), places.data(), work.data(), sums.data()});
  return sums.take();
}

}  // namespace assay::mutants
