#pragma once

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

namespace detail {

/// The neighbor of RN(z) in the required direction, where z = nearest + error with an error of the given sign.
/// Requires: nearest finite or an error of 0 (not checked).
template <class T>
ASSAY_HD T step(T nearest, int error_sign, Rounding to) {
  const bool up = error_sign > 0 && (to == Rounding::ru || (to == Rounding::rz && signbit(nearest)));
  const bool down = error_sign < 0 && (to == Rounding::rd || (to == Rounding::rz && !signbit(nearest)));
  return up ? next_up(nearest) : down ? next_down(nearest) : nearest;
}

/// The replacement for an infinity to which RN overflowed from finite operands.
template <class T>
ASSAY_HD T overflowed(T infinity, Rounding to) {
  const bool minus = signbit(infinity);
  const bool outward = (to == Rounding::ru && !minus) || (to == Rounding::rd && minus);
  return outward ? infinity : minus ? next_up(infinity) : next_down(infinity);
}

template <class T>
ASSAY_HD int sign_of(T x) {
  return x > T(0) ? 1 : x < T(0) ? -1 : 0;
}

/// x·2^k in three steps, each a power of two in range: exact if the result is normal or 0.
template <class T>
ASSAY_HD T scaled(T x, int k) {
  const int third = k / 3;
  return x * bits::power_of_two<T>(third) * bits::power_of_two<T>(third) * bits::power_of_two<T>(k - 2 * third);
}

/// x = significand·2^exponent with 1 ≤ |significand| < 2. Requires: x finite and not 0 (not checked).
template <class T>
struct Scaled {
  T significand;
  int exponent;
};
template <class T>
ASSAY_HD Scaled<T> normalise(T x) {
  const int e = assay::exponent(x);
  return {scaled(x, -e), e};
}

template <class T>
inline constexpr bool is_small_float = false;
template <int p, int emin, int emax, Specials specials>
inline constexpr bool is_small_float<SmallFloat<p, emin, emax, specials>> = true;

// Each operation rounded in a direction other than to nearest: `of_small` for a SmallFloat by its member `small`,
// `intrinsic` on a device, `stepped` on the host by the sign of the error of the nearest result.

#if defined(__CUDA_ARCH__)
#define ASSAY_DIRECTED_INTRINSIC(T, name)                                                                          \
  template <class... More>                                                                                         \
  static __device__ T intrinsic(Rounding to, T a, More... b) {                                                     \
    return to == Rounding::ru ? name##_ru(a, b...) : to == Rounding::rd ? name##_rd(a, b...) : name##_rz(a, b...); \
  }
#else
#define ASSAY_DIRECTED_INTRINSIC(T, name)
#endif
#define ASSAY_DIRECTED_FORMS(name, small)                   \
  ASSAY_DIRECTED_INTRINSIC(double, __d##name)               \
  ASSAY_DIRECTED_INTRINSIC(float, __f##name)                \
  template <class T, class... More>                         \
  ASSAY_HD static T of_small(Rounding to, T a, More... b) { \
    return T::small(a, b..., to);                           \
  }

struct DirectedAdd {
  ASSAY_DIRECTED_FORMS(add, add)

  /// RN(a + b) stepped by the sign of its error, which Fast2Sum gives exactly; it is immune to spurious overflow
  /// (Boldo, Graillat, Muller, ACM TOMS 44(1), 2017).
  template <class T>
  ASSAY_HD static T stepped(Rounding to, T a, T b) {
    const T s = a + b;
    if (!is_finite(a) || !is_finite(b)) {
      return s;
    }
    if (!is_finite(s)) {
      return overflowed(s, to);
    }
    if (s == T(0)) {  // exact: no sum of two numbers of the format underflows
      const bool minus = to == Rounding::rd ? signbit(a) || signbit(b) : signbit(a) && signbit(b);
      return minus ? -T(0) : T(0);
    }
    const T large = abs(a) < abs(b) ? b : a;
    const T small = abs(a) < abs(b) ? a : b;
    return step(s, sign_of(small - (s - large)), to);
  }
};

/// A nearest product or quotient z stepped by the sign of its error, which the operation computes on significands in
/// [1, 2), where nothing underflows.
template <class Operation, class T>
ASSAY_HD T stepped_on_significands(Rounding to, T a, T b, T z) {
  if (!is_finite(a) || !is_finite(b) || a == T(0) || b == T(0)) {
    return z;
  }
  return is_finite(z) ? step(z, Operation::error_sign(normalise(a), normalise(b), z), to) : overflowed(z, to);
}

struct DirectedMul {
  ASSAY_DIRECTED_FORMS(mul, multiply)

  template <class T>
  ASSAY_HD static T stepped(Rounding to, T a, T b) {
    return stepped_on_significands<DirectedMul>(to, a, b, a * b);
  }

  /// The sign of a·b − RN(a·b), with p = RN(a·b).
  template <class T>
  ASSAY_HD static int error_sign(Scaled<T> a, Scaled<T> b, T p) {
    const T product = scaled(p, -(a.exponent + b.exponent));
    return sign_of(assay::fma(a.significand, b.significand, -product));
  }
};

struct DirectedDiv {
  ASSAY_DIRECTED_FORMS(div, divide)

  template <class T>
  ASSAY_HD static T stepped(Rounding to, T a, T b) {
    return stepped_on_significands<DirectedDiv>(to, a, b, a / b);
  }

  /// The sign of (a − RN(a/b)·b)/b, with q = RN(a/b).
  template <class T>
  ASSAY_HD static int error_sign(Scaled<T> a, Scaled<T> b, T q) {
    const T quotient = scaled(q, b.exponent - a.exponent);
    return sign_of(assay::fma(-quotient, b.significand, a.significand)) * sign_of(b.significand);
  }
};

struct DirectedSqrt {
  ASSAY_DIRECTED_FORMS(sqrt, root)

  /// RN(√x) stepped by the sign of x − RN(√x)², computed on a significand in [1, 4). For 0, and if there is no finite
  /// root, that sign is taken as 0.
  template <class T>
  ASSAY_HD static T stepped(Rounding to, T x) {
    const T s = assay::sqrt(x);
    const int half = (assay::exponent(x) - (assay::exponent(x) & 1)) / 2;
    const T significand = scaled(x, -2 * half);
    const T root = scaled(s, -half);
    return step(s, sign_of(assay::fma(-root, root, significand)), to);
  }
};

#undef ASSAY_DIRECTED_FORMS
#undef ASSAY_DIRECTED_INTRINSIC

template <class Operation, Rounding to, class T, class... More>
ASSAY_HD T rounded(T a, More... b) {
  if constexpr (is_small_float<T>) {
    return Operation::of_small(to, a, b...);
  } else {
    return ASSAY_ON_DEVICE(Operation::intrinsic(to, a, b...), Operation::stepped(to, a, b...));
  }
}

}  // namespace detail

// Rounded toward +∞ (RU), −∞ (RD) or zero (RZ) without touching the rounding mode: intrinsics on the device; on the
// host the nearest result and the sign of its error, with scaling where the error could underflow. Signed zeros,
// infinities, NaN and overflow as IEEE 754-2019, §4.3, §6.3 and §7.4 have them. Requires: the mode is to nearest (not
// checked).

// Three functions of T: name_ru(parameters), name_rd(parameters), name_rz(parameters), by the operation on arguments.
#define ASSAY_IN_DIRECTION(name, to, parameters, operation, ...)          \
  template <class T>                                                      \
  ASSAY_HD T name##_##to parameters {                                     \
    return detail::rounded<detail::operation, Rounding::to>(__VA_ARGS__); \
  }
#define ASSAY_IN_EACH_DIRECTION(name, parameters, operation, ...)  \
  ASSAY_IN_DIRECTION(name, ru, parameters, operation, __VA_ARGS__) \
  ASSAY_IN_DIRECTION(name, rd, parameters, operation, __VA_ARGS__) \
  ASSAY_IN_DIRECTION(name, rz, parameters, operation, __VA_ARGS__)

/// add_ru, add_rd, add_rz: RU(a + b), RD(a + b), RZ(a + b).
ASSAY_IN_EACH_DIRECTION(add, (T a, T b), DirectedAdd, a, b)

/// sub_ru, sub_rd, sub_rz: RU(a − b), RD(a − b), RZ(a − b).
ASSAY_IN_EACH_DIRECTION(sub, (T a, T b), DirectedAdd, a, -b)

/// mul_ru, mul_rd, mul_rz: RU(a·b), RD(a·b), RZ(a·b).
ASSAY_IN_EACH_DIRECTION(mul, (T a, T b), DirectedMul, a, b)

/// div_ru, div_rd, div_rz: RU(a/b), RD(a/b), RZ(a/b).
ASSAY_IN_EACH_DIRECTION(div, (T a, T b), DirectedDiv, a, b)

/// sqrt_ru, sqrt_rd, sqrt_rz: RU(√a), RD(√a), RZ(√a).
ASSAY_IN_EACH_DIRECTION(sqrt, (T a), DirectedSqrt, a)

#undef ASSAY_IN_EACH_DIRECTION
#undef ASSAY_IN_DIRECTION

}  // namespace assay
