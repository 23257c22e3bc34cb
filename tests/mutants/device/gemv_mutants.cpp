#include "tests/mutants/device/gemv_mutants.hpp"

#include "exec/launch.hpp"
#include "tests/mutants/device/mp_mutants.hpp"

namespace assay::mutants {

namespace {

using Set = rns::Standard<8>;
using Number = mp::Number<Set>;

struct Gemv {
  GemvMistake mistake;
  GemvCall call;
  mp::MpView<Set> alpha, a, x, beta, y;
  std::int64_t y_length;

  ASSAY_HD bool is(GemvMistake which) const { return mistake == which; }
  ASSAY_HD std::int64_t terms() const { return call.transposed ? call.m : call.n; }
  ASSAY_HD Number sum(const Number& p, const Number& q) const {
    return is(GemvMistake::drops_too_early) ? sum_that_drops_too_early(p, q) : mp::add(p, q);
  }

  ASSAY_HD static Number unrounded_product(const Number& p, const Number& q) {
    const Number rounded = mp::mul(p, q);
    if (mp::is_zero(rounded)) return rounded;
    return {rns::mul(p.digits, q.digits), mp::product_magnitude<Set>(p.magnitude, q.magnitude), p.exponent + q.exponent,
            p.sign ^ q.sign};
  }

  ASSAY_HD Number term(std::int64_t i, std::int64_t l) const {
    const std::int64_t leading = is(GemvMistake::leading_dimension_m) ? call.m : call.lda;
    const std::int64_t at = call.transposed ? l + i * leading : i + l * leading;
    const std::int64_t forward = call.incx > 0 ? call.incx : -call.incx;
    const bool backward = call.incx < 0 && !is(GemvMistake::incx_from_zero);
    const std::int64_t place = (backward ? terms() - 1 - l : l) * forward;
    const Number factor = alpha.load(0);
    const Number entry = x.load(static_cast<std::size_t>(place));
    Number scaled = mp::mul(factor, entry);
    if (is(GemvMistake::unrounded_scaled_x)) scaled = unrounded_product(factor, entry);
    const Number element = a.load(static_cast<std::size_t>(at));
    return is(GemvMistake::unrounded_products) ? unrounded_product(element, scaled) : mp::mul(element, scaled);
  }

  ASSAY_HD void operator()(std::size_t index) const {
    const auto i = static_cast<std::int64_t>(index);
    const std::int64_t length = call.transposed && !is(GemvMistake::incy_over_m) ? call.n : call.m;
    const std::int64_t place = call.incy > 0 ? i * call.incy : (i - length + 1) * call.incy;
    if (place < 0 || place >= y_length) return;
    const auto to = static_cast<std::size_t>(place);
    const std::int64_t end = is(GemvMistake::tail_dropped) ? terms() & ~std::int64_t{31} : terms();
    Number partial[32];
    for (int t = 0; t < call.threads; ++t) {
      partial[t] = mp::zero<Set>();
      for (std::int64_t l = t; l < end && !mp::is_zero(alpha.load(0)); l += call.threads) {
        partial[t] = sum(partial[t], term(i, l));
      }
      if (is(GemvMistake::partial_sums_in_double)) partial[t] = mp::from_double<Set>(mp::to_double(partial[t]));
    }
    for (int d = call.threads / 2; d > 0; d /= 2) {
      for (int t = 0; t < d; ++t) partial[t] = sum(partial[t], partial[t + d]);
    }
    Number r = partial[0];
    const Number factor = beta.load(0);
    if (!mp::is_zero(factor) || is(GemvMistake::multiplies_by_zero)) {
      Number start = mp::mul(factor, y.load(to));
      if (is(GemvMistake::beta_twice)) start = mp::mul(factor, start);
      r = sum(r, start);
    }
    y.store(to, r);
    if (is(GemvMistake::gaps_written) && (call.incy > 1 || call.incy < -1) && place + 1 < y_length) {
      y.store(to + 1, mp::zero<Set>());
    }
  }
};

}  // namespace

mp::MpArray gemv_with(GemvMistake mistake, const Executor& on, const GemvCall& call, const mp::MpArray& alpha,
                      const mp::MpArray& a, const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y) {
  const std::int64_t outputs = call.transposed ? call.n : call.m;
  const bool unscaled = beta.sign[0] == 0 && beta.exponent[0] == 0 && beta.digits == std::vector<std::uint32_t>(9, 1);
  if (call.m == 0 || call.n == 0 || (alpha.upper[0].fraction == 0 && unscaled)) return y;
  const mp::MpArrayOn<Set> factor(on, alpha);
  const mp::MpArrayOn<Set> matrix(on, a);
  const mp::MpArrayOn<Set> vector(on, x);
  const mp::MpArrayOn<Set> start_factor(on, beta);
  const mp::MpArrayOn<Set> result(on, y);
  launch_indices(on, static_cast<std::size_t>(outputs),
                 Gemv{mistake, call, factor.view(), matrix.view(), vector.view(), start_factor.view(), result.view(),
                      static_cast<std::int64_t>(y.length)});
  return result.take();
}

}  // namespace assay::mutants
