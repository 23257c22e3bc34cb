// Elementary functions. Ways: `second`: that of libm for float; `third`: correctly rounded from long double if the
// format is double; `fourth`: rounded towards zero; `fifth`: normal powers of two are one number nearer to zero;
// `sixth`:
// 3 + ⌊`at`·|x|⌋ numbers nearer. `own1`: the textbook's identity (identity()); `own2`: `at` ulps farther for |x| > 1;
// `own3`: the same for negative x alone; `own4`: infinite from half of the largest number on; `own5`: NaN for an
// infinity; `own6`: +0 for −0; `own7`: x in `narrow`; `own8`: the result in `narrow`; `own9`: `at` ulps less at every
// 64th number; `own10`: 0 for a subnormal x; `own11`: 0 for a NaN; `own12`: 1 ulp farther for results below 2^−`at`.
#include "results.hpp"

namespace outside {

enum class Function {
  exp,
  exp2,
  exp10,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sqrt,
  rsqrt,
  cbrt,
  erf,
  erfc
};

template <class C>
C value_of(Function f, C x) {
  switch (f) {
    case Function::exp:
      return std::exp(x);
    case Function::exp2:
      return std::exp2(x);
    case Function::exp10:
      return static_cast<C>(exp10l(x));
    case Function::expm1:
      return std::expm1(x);
    case Function::log:
      return std::log(x);
    case Function::log2:
      return std::log2(x);
    case Function::log10:
      return std::log10(x);
    case Function::log1p:
      return std::log1p(x);
    case Function::sin:
      return std::sin(x);
    case Function::cos:
      return std::cos(x);
    case Function::tan:
      return std::tan(x);
    case Function::asin:
      return std::asin(x);
    case Function::acos:
      return std::acos(x);
    case Function::atan:
      return std::atan(x);
    case Function::sinh:
      return std::sinh(x);
    case Function::cosh:
      return std::cosh(x);
    case Function::tanh:
      return std::tanh(x);
    case Function::asinh:
      return std::asinh(x);
    case Function::acosh:
      return std::acosh(x);
    case Function::atanh:
      return std::atanh(x);
    case Function::sqrt:
      return std::sqrt(x);
    case Function::rsqrt:
      return 1 / std::sqrt(x);
    case Function::cbrt:
      return std::cbrt(x);
    case Function::erf:
      return std::erf(x);
    case Function::erfc:
      return std::erfc(x);
  }
  return x;
}

/// The function by its textbook formula, in the arithmetic of C.
template <class C>
C identity(Function f, C x) {
  const C e = std::exp(x);
  switch (f) {
    case Function::exp:
      return std::pow(C(2.7182818284590452354L), x);
    case Function::exp2:
      return std::exp(x * C(0.69314718055994530942L));
    case Function::exp10:
      return std::exp(x * C(2.30258509299404568402L));
    case Function::expm1:
      return e - 1;
    case Function::log:
      return std::log2(x) * C(0.69314718055994530942L);
    case Function::log2:
      return std::log(x) / C(0.69314718055994530942L);
    case Function::log10:
      return std::log(x) / C(2.30258509299404568402L);
    case Function::log1p:
      return std::log(1 + x);
    case Function::sin:
      return std::sin(x - C(6.28318530717958647693L) * std::floor(x / C(6.28318530717958647693L)));
    case Function::cos:
      return std::sin(x + C(1.57079632679489661923L));
    case Function::tan:
      return std::sin(x) / std::sqrt(1 - std::sin(x) * std::sin(x));
    case Function::asin:
      return std::atan(x / std::sqrt(1 - x * x));
    case Function::acos:
      return C(1.57079632679489661923L) - std::asin(x);
    case Function::atan:
      return std::asin(x / std::sqrt(1 + x * x));
    case Function::sinh:
      return (e - 1 / e) / 2;
    case Function::cosh:
      return (e + 1 / e) / 2;
    case Function::tanh:
      return (e * e - 1) / (e * e + 1);
    case Function::asinh:
      return std::log(x + std::sqrt(x * x + 1));
    case Function::acosh:
      return std::log(x + std::sqrt(x * x - 1));
    case Function::atanh:
      return std::log((1 + x) / (1 - x)) / 2;
    case Function::sqrt:
      return std::exp(std::log(x) / 2);
    case Function::rsqrt:
      return std::pow(x, C(-0.5L)) * (1 + std::numeric_limits<C>::epsilon() * 4);
    case Function::cbrt:
      return std::pow(x, C(1) / 3);
    case Function::erf:
      return 1 - std::erfc(x);
    case Function::erfc:
      return 1 - std::erf(x);
  }
  return x;
}

/// x and `steps` ulps of the result's format.
double farther(const Form& form, double x, double steps) {
  if (!std::isfinite(x) || x == 0) return x;
  const Range range = range_of(form.result);
  const int exponent = std::max(std::ilogb(x), range.emin) - (range.precision - 1);
  return x + std::copysign(std::ldexp(steps, exponent), x);
}

double computed(const Form& form, Function f, double x) {
  const bool is_binary64 = form.result == Format::f64;
  if (form.has(Fault::own7)) x = rounded(x, form.narrow);
  if (form.flushes && is_small(x, form.storage)) x = std::copysign(0.0, x);
  if (form.has(Fault::own1)) return is_binary64 ? identity(f, x) : identity(f, static_cast<float>(x));
  double result;
  if (form.way == Way::second) {
    result = value_of(f, static_cast<float>(x));
  } else if (is_binary64 && form.way == Way::usual) {
    result = value_of(f, x);
  } else if (is_binary64) {
    result = static_cast<double>(value_of(f, static_cast<long double>(x)));
  } else {
    result = value_of(f, x);
  }
  const double nearest = rounded(result, form.result);
  if (form.way == Way::fourth && std::fabs(nearest) > std::fabs(result) * (1 + 0x1p-40)) {
    return nearer(nearest, 1, form.result);
  }
  result = form.has(Fault::truncates) ? result : nearest;
  if (form.has(Fault::own8)) result = rounded(result, form.narrow);
  return result;
}

double number_of(const Form& form, Function f, double x, Size place) {
  double result = computed(form, f, x);
  const auto at = static_cast<double>(form.at);
  const Range range = range_of(form.result);
  if (form.has(Fault::own2) && std::fabs(x) > 1) result = farther(form, result, at);
  if (form.has(Fault::own3) && x < 0) result = farther(form, result, at);
  if (form.has(Fault::own4) && std::fabs(result) >= std::ldexp(1.0, range.emax)) {
    result = std::copysign(std::numeric_limits<double>::infinity(), result);
  }
  if (form.has(Fault::own5) && std::isinf(x)) result = std::numeric_limits<double>::quiet_NaN();
  if (form.has(Fault::own6) && result == 0) result = 0;
  if (form.has(Fault::own9) && place % 64 == 63) result = farther(form, result, -at);
  if (form.has(Fault::own10) && is_small(x, form.storage)) result = 0;
  if (form.has(Fault::own11) && std::isnan(x)) result = 0;
  if (form.has(Fault::own12) && std::fabs(result) < std::ldexp(1.0, static_cast<int>(-form.at))) {
    result = farther(form, result, 2);
  }
  int exponent = 0;
  if (form.way == Way::fifth && std::fabs(std::frexp(result, &exponent)) == 0.5 && exponent > range.emin + 1) {
    result = nearer(result, 1, form.result);
  }
  const bool is_far = form.way == Way::sixth && std::isfinite(result);
  const long steps = form.steps + (is_far ? 3 + static_cast<long>(at * std::fabs(x)) : 0);
  result = nearer(result, steps, form.result);
  if (form.flushes && is_small(result, form.result)) result = std::copysign(0.0, result);
  return result;
}

void function(const Form& form, Function f, Size n, const void* x, void* y) {
  std::vector<double> numbers(n);
  for (Size i = 0; i < n; ++i) {
    const Size from = form.has(Fault::reads_behind) && i > 0 ? i - 1 : i;
    numbers[i] = number_of(form, f, load(x, from, form.storage), i);
  }
  write(form, {1, 1, n}, numbers, y);
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
