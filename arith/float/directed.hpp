#pragma once

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

namespace detail {

/// The neighbour of RN(z) that the direction asks for, where z = nearest + error with an error of the given sign.
/// Requires: nearest finite (not checked).
template <class T>
ASSAY_HD T step(T nearest, int error_sign, Rounding to) {
  const bool up = error_sign > 0 && (to == Rounding::ru || (to == Rounding::rz && signbit(nearest)));
  const bool down = error_sign < 0 && (to == Rounding::rd || (to == Rounding::rz && !signbit(nearest)));
  return up ? next_up(nearest) : down ? next_down(nearest) : nearest;
}

/// What replaces an infinity that RN overflowed to from finite operands.
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

/// x·2^k in three steps, each a power of two in range: exact where the result is normal or 0.
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

/// RN(a + b) stepped by the sign of its error, which Fast2Sum gives exactly; it is immune to spurious overflow
/// (Boldo, Graillat, Muller, ACM TOMS 44(1), 2017).
template <class T>
ASSAY_HD T add_directed(T a, T b, Rounding to) {
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

/// RN(a·b) stepped by the sign of a·b − RN(a·b), computed on significands in [1, 2), where nothing underflows.
template <class T>
ASSAY_HD T mul_directed(T a, T b, Rounding to) {
  const T p = a * b;
  if (!is_finite(a) || !is_finite(b) || a == T(0) || b == T(0)) {
    return p;
  }
  if (!is_finite(p)) {
    return overflowed(p, to);
  }
  const Scaled<T> x = normalise(a);
  const Scaled<T> y = normalise(b);
  const T scaled_product = p == T(0) ? p : scaled(p, -(x.exponent + y.exponent));
  return step(p, sign_of(assay::fma(x.significand, y.significand, -scaled_product)), to);
}

/// RN(a/b) stepped by the sign of (a − RN(a/b)·b)/b, computed on significands in [1, 2).
template <class T>
ASSAY_HD T div_directed(T a, T b, Rounding to) {
  const T q = a / b;
  if (!is_finite(a) || !is_finite(b) || a == T(0) || b == T(0)) {
    return q;
  }
  if (!is_finite(q)) {
    return overflowed(q, to);
  }
  const Scaled<T> x = normalise(a);
  const Scaled<T> y = normalise(b);
  const T scaled_quotient = q == T(0) ? q : scaled(q, y.exponent - x.exponent);
  return step(q, sign_of(assay::fma(-scaled_quotient, y.significand, x.significand)) * sign_of(b), to);
}

/// RN(√x) stepped by the sign of x − RN(√x)², computed on a significand in [1, 4).
template <class T>
ASSAY_HD T sqrt_directed(T x, Rounding to) {
  const T s = assay::sqrt(x);
  if (!is_finite(s) || s == T(0)) {
    return s;
  }
  const int half = (assay::exponent(x) - (assay::exponent(x) & 1)) / 2;
  const T significand = scaled(x, -2 * half);
  const T root = scaled(s, -half);
  return step(s, sign_of(assay::fma(-root, root, significand)), to);
}

template <class T>
inline constexpr bool is_small_float = false;
template <int p, int emin, int emax, Specials specials>
inline constexpr bool is_small_float<SmallFloat<p, emin, emax, specials>> = true;

#if defined(__CUDA_ARCH__)
inline __device__ double add_intrinsic(double a, double b, Rounding to) {
  return to == Rounding::ru ? __dadd_ru(a, b) : to == Rounding::rd ? __dadd_rd(a, b) : __dadd_rz(a, b);
}
inline __device__ float add_intrinsic(float a, float b, Rounding to) {
  return to == Rounding::ru ? __fadd_ru(a, b) : to == Rounding::rd ? __fadd_rd(a, b) : __fadd_rz(a, b);
}
inline __device__ double mul_intrinsic(double a, double b, Rounding to) {
  return to == Rounding::ru ? __dmul_ru(a, b) : to == Rounding::rd ? __dmul_rd(a, b) : __dmul_rz(a, b);
}
inline __device__ float mul_intrinsic(float a, float b, Rounding to) {
  return to == Rounding::ru ? __fmul_ru(a, b) : to == Rounding::rd ? __fmul_rd(a, b) : __fmul_rz(a, b);
}
inline __device__ double div_intrinsic(double a, double b, Rounding to) {
  return to == Rounding::ru ? __ddiv_ru(a, b) : to == Rounding::rd ? __ddiv_rd(a, b) : __ddiv_rz(a, b);
}
inline __device__ float div_intrinsic(float a, float b, Rounding to) {
  return to == Rounding::ru ? __fdiv_ru(a, b) : to == Rounding::rd ? __fdiv_rd(a, b) : __fdiv_rz(a, b);
}
inline __device__ double sqrt_intrinsic(double a, Rounding to) {
  return to == Rounding::ru ? __dsqrt_ru(a) : to == Rounding::rd ? __dsqrt_rd(a) : __dsqrt_rz(a);
}
inline __device__ float sqrt_intrinsic(float a, Rounding to) {
  return to == Rounding::ru ? __fsqrt_ru(a) : to == Rounding::rd ? __fsqrt_rd(a) : __fsqrt_rz(a);
}
#endif

template <Rounding to, class T>
ASSAY_HD T add_to(T a, T b) {
  if constexpr (is_small_float<T>) {
    return T::add(a, b, to);
  } else {
#if defined(__CUDA_ARCH__)
    return add_intrinsic(a, b, to);
#else
    return add_directed(a, b, to);
#endif
  }
}
template <Rounding to, class T>
ASSAY_HD T mul_to(T a, T b) {
  if constexpr (is_small_float<T>) {
    return T::multiply(a, b, to);
  } else {
#if defined(__CUDA_ARCH__)
    return mul_intrinsic(a, b, to);
#else
    return mul_directed(a, b, to);
#endif
  }
}
template <Rounding to, class T>
ASSAY_HD T div_to(T a, T b) {
  if constexpr (is_small_float<T>) {
    return T::divide(a, b, to);
  } else {
#if defined(__CUDA_ARCH__)
    return div_intrinsic(a, b, to);
#else
    return div_directed(a, b, to);
#endif
  }
}
template <Rounding to, class T>
ASSAY_HD T sqrt_to(T a) {
  if constexpr (is_small_float<T>) {
    return T::root(a, to);
  } else {
#if defined(__CUDA_ARCH__)
    return sqrt_intrinsic(a, to);
#else
    return sqrt_directed(a, to);
#endif
  }
}

}  // namespace detail

// Rounded toward +∞ (RU), −∞ (RD) or zero (RZ) without touching the rounding mode: intrinsics on the device; on the
// host the nearest result and the sign of its error, with scaling where the error could underflow. Signed zeros,
// infinities, NaN and overflow as IEEE 754-2019, §4.3, §6.3 and §7.4 have them. Requires: the mode is to nearest (not
// checked).

/// RU(a + b).
template <class T>
ASSAY_HD T add_ru(T a, T b) {
  return detail::add_to<Rounding::ru>(a, b);
}
/// RD(a + b).
template <class T>
ASSAY_HD T add_rd(T a, T b) {
  return detail::add_to<Rounding::rd>(a, b);
}
/// RZ(a + b).
template <class T>
ASSAY_HD T add_rz(T a, T b) {
  return detail::add_to<Rounding::rz>(a, b);
}
/// RU(a − b).
template <class T>
ASSAY_HD T sub_ru(T a, T b) {
  return detail::add_to<Rounding::ru>(a, -b);
}
/// RD(a − b).
template <class T>
ASSAY_HD T sub_rd(T a, T b) {
  return detail::add_to<Rounding::rd>(a, -b);
}
/// RZ(a − b).
template <class T>
ASSAY_HD T sub_rz(T a, T b) {
  return detail::add_to<Rounding::rz>(a, -b);
}
/// RU(a·b).
template <class T>
ASSAY_HD T mul_ru(T a, T b) {
  return detail::mul_to<Rounding::ru>(a, b);
}
/// RD(a·b).
template <class T>
ASSAY_HD T mul_rd(T a, T b) {
  return detail::mul_to<Rounding::rd>(a, b);
}
/// RZ(a·b).
template <class T>
ASSAY_HD T mul_rz(T a, T b) {
  return detail::mul_to<Rounding::rz>(a, b);
}
/// RU(a/b).
template <class T>
ASSAY_HD T div_ru(T a, T b) {
  return detail::div_to<Rounding::ru>(a, b);
}
/// RD(a/b).
template <class T>
ASSAY_HD T div_rd(T a, T b) {
  return detail::div_to<Rounding::rd>(a, b);
}
/// RZ(a/b).
template <class T>
ASSAY_HD T div_rz(T a, T b) {
  return detail::div_to<Rounding::rz>(a, b);
}
/// RU(√a).
template <class T>
ASSAY_HD T sqrt_ru(T a) {
  return detail::sqrt_to<Rounding::ru>(a);
}
/// RD(√a).
template <class T>
ASSAY_HD T sqrt_rd(T a) {
  return detail::sqrt_to<Rounding::rd>(a);
}
/// RZ(√a).
template <class T>
ASSAY_HD T sqrt_rz(T a) {
  return detail::sqrt_to<Rounding::rz>(a);
}

}  // namespace assay
