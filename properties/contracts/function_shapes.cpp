#include "properties/contracts/function_shapes.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "errorbounds/judge.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/contracts/neighbours.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;
using oracle::Elementary;
using oracle::Exact;
using oracle::Format;
using oracle::Rounding;

/// What C promises for a pattern without a real value.
Special special_of(const FunctionShape& shape, const Format& format, std::uint64_t x) {
  const bool negative = oracle::is_negative(format, x);
  if (oracle::is_nan(format, x)) return Special::nan;
  if (!oracle::is_finite(format, x)) return negative ? shape.at_minus_infinity : shape.at_infinity;
  const Dyadic value = oracle::decode_finite(format, x);
  switch (shape.function) {
    case Elementary::log:
    case Elementary::log2:
    case Elementary::log10:
      return value.is_zero() ? Special::minus_infinity : Special::nan;
    case Elementary::log1p:
      return value == Dyadic(-1) ? Special::minus_infinity : Special::nan;
    case Elementary::rsqrt:
      if (!value.is_zero()) return Special::nan;
      return negative ? Special::minus_infinity : Special::infinity;
    case Elementary::atanh:
      if (abs(value) != Dyadic(1)) return Special::nan;
      return negative ? Special::minus_infinity : Special::infinity;
    default:
      return Special::nan;
  }
}

bool is_special(Special special, const Format& format, std::uint64_t got) {
  const auto is_number = [&](int n) { return oracle::decode_finite(format, got) == Dyadic(n); };
  const bool negative = oracle::is_negative(format, got);
  switch (special) {
    case Special::nan:
      return oracle::is_nan(format, got);
    case Special::minus_infinity:
      return got == (format.infinity() | format.sign_mask());
    case Special::infinity:
      return got == format.infinity();
    case Special::zero:
      return got == 0;
    default:
      break;
  }
  if (!oracle::is_finite(format, got)) return false;
  switch (special) {
    case Special::minus_one:
      return is_number(-1);
    case Special::one:
      return is_number(1);
    case Special::two:
      return is_number(2);
    default:
      break;
  }
  const Exact half_pi = oracle::elementary(Elementary::acos, 0);
  return negative == (special == Special::minus_half_pi) &&
         judge_faithful(got & ~format.sign_mask(), half_pi, format).verdict == Verdict::holds;
}

/// 2^(emax + 1) with the sign of the infinity.
Dyadic counted_infinity(const Format& format, std::uint64_t infinity) {
  return Dyadic::scaled(oracle::is_negative(format, infinity) ? -1 : 1, format.emax + 1);
}

/// An infinite result for the real value r.
bool may_overflow(const Exact& r, const Format& format, std::uint64_t got) {
  const std::uint64_t largest = format.largest_finite() | (got & format.sign_mask());
  const auto order = oracle::compare(r, oracle::decode_finite(format, largest));
  if (order == std::partial_ordering::unordered) throw oracle::Undecided("the overflow of a value stays open");
  return oracle::is_negative(format, got) ? order < 0 : order > 0;
}

/// A finite result for the real value r.
bool may_stay_finite(const RealValue& r, const Format& format) {
  if (oracle::is_finite(format, r.nearest)) return true;
  const Dyadic limit = Dyadic::scaled(1, format.emax + 1);
  return oracle::compare(r.value, limit) < 0 && oracle::compare(r.value, -limit) > 0;
}

}  // namespace

bool has_real_value(Elementary function, const Format& format, std::uint64_t x) {
  return oracle::is_finite(format, x) && oracle::is_defined(function, oracle::decode_finite(format, x));
}

const RealValue& real_value(Elementary function, const Format& format, std::uint64_t x) {
  struct Last {
    Elementary function;
    Format format;
    std::uint64_t x;
    RealValue real;
  };
  thread_local std::optional<Last> last;
  if (!last || last->function != function || last->format != format || last->x != x) {
    last.reset();
    Exact value = oracle::elementary(function, oracle::decode_finite(format, x));
    const std::uint64_t nearest = oracle::round(value, format, Rounding::nearest);
    Dyadic ulp = oracle::ulp(value, format);
    last = Last{function, format, x, {std::move(value), nearest, std::move(ulp)}};
  }
  return last->real;
}

bool keeps_special_values(const FunctionShape& shape, const Format& format, std::uint64_t x, std::uint64_t got) {
  if (!has_real_value(shape.function, format, x)) return is_special(special_of(shape, format, x), format, got);
  const RealValue& r = real_value(shape.function, format, x);
  if (oracle::is_nan(format, got)) return false;
  if (!oracle::is_finite(format, got)) return may_overflow(r.value, format, got);
  const auto* const exact = std::get_if<Dyadic>(&r.value);
  const bool at_zero = (x & ~format.sign_mask()) == 0;
  if (exact != nullptr && exact->is_zero()) return got == (at_zero ? x : 0);
  if (exact != nullptr && at_zero) return oracle::decode_finite(format, got) == *exact;
  return may_stay_finite(r, format);
}

std::string due_special_value(const FunctionShape& shape, const Format& format, std::uint64_t x) {
  if (has_real_value(shape.function, format, x)) {
    const auto* const exact = std::get_if<Dyadic>(&real_value(shape.function, format, x).value);
    if (exact == nullptr || !exact->is_zero()) return "";
    return x == format.sign_mask() ? "-0" : "0";
  }
  switch (special_of(shape, format, x)) {
    case Special::minus_infinity:
      return "-inf";
    case Special::infinity:
      return "inf";
    case Special::zero:
      return "0";
    case Special::minus_one:
      return "-1";
    case Special::one:
      return "1";
    case Special::two:
      return "2";
    case Special::minus_half_pi:
      return "-π/2";
    case Special::half_pi:
      return "π/2";
    default:
      return "NaN";
  }
}

namespace {

Judgement within_count(std::uint64_t got, const RealValue& r, const Format& format, const Dyadic& k) {
  if (oracle::is_nan(format, got)) return Judgement::fail();
  const Dyadic value =
      oracle::is_finite(format, got) ? oracle::decode_finite(format, got) : counted_infinity(format, got);
  return judge_within(value, r.value, Bound{k * r.ulp, 1});
}

}  // namespace

Judgement judge_ulps(std::uint64_t got, const RealValue& r, const Format& format, int k) {
  return within_count(got, r, format, Dyadic(k));
}

Judgement judge_flushed(const FunctionShape& shape, const Format& format, std::uint64_t x, std::uint64_t got, int k,
                        int slope) {
  const RealValue& r = real_value(shape.function, format, x);
  const Dyadic ulps = Dyadic(k) + Dyadic(slope) * abs(oracle::decode_finite(format, x));
  const Judgement judgement = within_count(got, r, format, ulps);
  if (judgement.verdict == Verdict::holds) return judgement;
  const std::uint64_t sign = format.sign_mask();
  if ((got & ~sign) == 0) {
    const Dyadic least = Dyadic::scaled(1, format.emin) + ulps * Dyadic::scaled(1, format.emin - format.precision + 1);
    if (oracle::compare(r.value, least) < 0 && oracle::compare(r.value, -least) > 0) return Judgement::pass();
  }
  const bool is_subnormal = (x & format.exponent_mask()) == 0 && (x & ~sign) != 0;
  if (!is_subnormal) return judgement;
  for (const std::uint64_t zero : {std::uint64_t{0}, sign}) {
    const bool is_right =
        has_real_value(shape.function, format, zero)
            ? within_count(got, real_value(shape.function, format, zero), format, ulps).verdict == Verdict::holds
            : keeps_special_values(shape, format, zero, got);
    if (is_right) return Judgement::pass();
  }
  return judgement;
}

Judgement judge_steps(std::uint64_t got, const RealValue& r, const Format& format, int k) {
  if (oracle::is_nan(format, got)) return Judgement::fail();
  const std::int64_t steps = std::abs(place_of(format, got) - place_of(format, r.nearest));
  return {steps <= k ? Verdict::holds : Verdict::violated, static_cast<double>(steps) / k};
}

std::vector<double> edges(Elementary function, const Format& format) {
  const double highest = format.emax + 1;
  const double lowest_normal = format.emin;
  const double lowest = format.emin - format.precision;  // half the smallest subnormal
  const double p = format.precision;
  const auto scaled = [](double unit, std::vector<double> all) {
    for (double& each : all) each *= unit;
    return all;
  };
  switch (function) {
    case Elementary::exp:
      return scaled(std::numbers::ln2, {highest, lowest_normal, lowest});
    case Elementary::exp2:
      return {highest, lowest_normal, lowest};
    case Elementary::exp10:
      return scaled(std::numbers::ln2 / std::numbers::ln10, {highest, lowest_normal, lowest});
    case Elementary::expm1:
      return scaled(std::numbers::ln2, {highest, -p - 1});
    case Elementary::sinh:
    case Elementary::cosh:
      return scaled(std::numbers::ln2, {highest + 1, -highest - 1});
    case Elementary::tanh:
      return scaled(std::numbers::ln2 / 2, {p + 2, -p - 2});
    case Elementary::erf:
      return scaled(std::sqrt(p * std::numbers::ln2), {1, -1});
    case Elementary::erfc:
      return {std::sqrt(-lowest_normal * std::numbers::ln2), std::sqrt(-lowest * std::numbers::ln2),
              -std::sqrt(p * std::numbers::ln2)};
    case Elementary::log:
    case Elementary::log2:
    case Elementary::log10:
    case Elementary::acosh:
      return {1};
    case Elementary::log1p:
      return {-1};
    case Elementary::asin:
    case Elementary::acos:
    case Elementary::atanh:
      return {1, -1};
    default:
      return {0};
  }
}

}  // namespace assay::contracts
