#pragma once
// Probes of + − × ÷ √ fma in small formats, all operands by number. Exact comparisons in binary64 judge them.

#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/small_float.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"

namespace assay::probes::op {

/// The finite numbers of T, and those that are not negative.
template <class T>
inline constexpr std::uint64_t positive_numbers = std::uint64_t{bits::max_finite_bits<T>} + 1;
template <class T>
inline constexpr std::uint64_t finite_numbers = 2 * positive_numbers<T>;

template <class T>
ASSAY_HD constexpr T finite_at(std::uint64_t i) {
  const bool negative = i >= positive_numbers<T>;
  const std::uint64_t magnitude = negative ? i - positive_numbers<T> : i;
  return from_bits<T>(static_cast<BitsOf<T>>(magnitude | (negative ? std::uint64_t{bits::sign_bit<T>} : 0)));
}

/// Half the distances of |z| to its neighbors, the outer one as with unbounded exponents. Requires: z finite (not
/// checked).
struct HalfGaps {
  double inward, outward;
};
template <class T>
ASSAY_HD constexpr HalfGaps half_gaps(T z) {
  using F = FloatTraits<T>;
  const int field = static_cast<int>(bits::magnitude_bits(z) >> (F::precision - 1));
  const int e = (field == 0 ? 1 : field) + F::emin - 1;
  const double half = bits::power_of_two<double>(e - F::precision);
  return {field > 1 && bits::fraction_bits(z) == 0 ? half / 2 : half, half};
}

/// Half an ulp of numbers from 2^e to 2^(e + 1), for |t| = high + low with |low| ≤ ulp(high)/2.
template <class T>
ASSAY_HD constexpr double half_ulp(double high, double low) {
  using F = FloatTraits<T>;
  const double size = absolute(high);
  int e = size < bits::power_of_two<double>(F::emin) ? F::emin : bits::normal_exponent(size);
  const bool is_power = e > F::emin && size == bits::power_of_two<double>(e);
  if (is_power && low != 0 && (low < 0) == (high > 0)) --e;
  return bits::power_of_two<double>(e - F::precision);
}

/// −1, 0 or 1: how |high + low| compares with `limit`, where high = RN(high + low). Exact, because rounding to nearest
/// is monotone.
ASSAY_HD constexpr int compared(double high, double low, double limit) {
  const double size = absolute(high);
  if (size != limit) return size < limit ? -1 : 1;
  return low == 0 ? 0 : (low > 0) == (high > 0) ? 1 : -1;
}

/// The known relation between a result z and the truth t: whether z = RN(t), and |z − t| and half an ulp of t, each
/// within a factor of 1 ± 2⁻⁴⁹.
struct Rounding {
  bool is_nearest;
  double error, half;

  /// A result that is proved right has a ratio of at most 1, also if t is a tie.
  ASSAY_HD constexpr Scaled scaled() const {
    if (!is_nearest) return {from_bits<double>(0x7FF0000000000000u), 0};
    return {error, half * (1 + 0x1p-47)};
  }
};

/// Whether z is the right infinity (NaN without infinities) for a truth whose magnitude compares with half a place
/// above the largest number as `size` says.
template <class T>
ASSAY_HD constexpr Rounding overflowed(T z, int size, bool truth_is_negative) {
  constexpr bool largest_is_even = (bits::max_finite_bits<T> & 1) == 0;
  const bool overflows = largest_is_even ? size > 0 : size >= 0;
  const bool right_sign = FloatTraits<T>::specials == Specials::finite_nan || signbit(z) == truth_is_negative;
  const bool right_kind = is_nan(z) == (FloatTraits<T>::specials == Specials::finite_nan);
  return {overflows && right_sign && right_kind, 0, 1};
}
/// Half a place above the largest number.
template <class T>
inline constexpr double overflow_limit = [] {
  constexpr int place = FloatTraits<T>::emax - FloatTraits<T>::precision + 1;
  constexpr std::uint64_t m =
      (bits::max_finite_bits<T> & bits::fraction_mask<T>) | std::uint64_t{1} << (FloatTraits<T>::precision - 1);
  return static_cast<double>(2 * m + 1) * bits::power_of_two<double>(place - 1);
}();

/// Whether t rounds to z, where t − z is ±|high + low|·unit, high = RN(high + low), and outward if `outward`.
template <class T>
ASSAY_HD constexpr bool is_within(T z, double high, double low, bool outward, double unit) {
  const HalfGaps gaps = half_gaps(z);
  const int order = compared(high, low, (outward ? gaps.outward : gaps.inward) * unit);
  return order < 0 || (order == 0 && (to_bits(z) & 1) == 0);
}
template <class T>
ASSAY_HD constexpr bool is_zero(T z) {
  return bits::magnitude_bits(z) == 0;
}

/// Compares z with t = high + low, exactly, high = RN(high + low). `zero_is_negative`: the sign of a zero if t = 0.
template <class T>
ASSAY_HD constexpr Rounding rounding_of(T z, double high, double low, bool zero_is_negative) {
  const bool negative = high == 0 ? zero_is_negative : high < 0;
  if (!is_finite(z)) return overflowed(z, compared(high, low, overflow_limit<T>), negative);
  const auto value = static_cast<double>(z);
  const Sum<double> near = two_sum(high, -value);
  const Sum<double> distance = two_sum(near.s, low);
  const double signed_distance = distance.s;
  // If t rounds to z, the first difference is exact.
  const bool outward = is_zero(z) || (signed_distance > 0) == (value > 0);
  const bool is_nearest =
      near.e == 0 && (!is_zero(z) || signbit(z) == negative) && is_within(z, signed_distance, distance.e, outward, 1);
  return {is_nearest, absolute(signed_distance), high == 0 ? 1 : half_ulp<T>(high, low)};
}

/// The operations: f, its truth, and its cases by number.
template <class T>
struct Add {
  using Case = Pair<T>;
  ASSAY_HD static constexpr T of(const Case& c) { return c.a + c.b; }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    const Sum<double> t = two_sum(static_cast<double>(c.a), static_cast<double>(c.b));
    return rounding_of(z, t.s, t.e, signbit(c.a) && signbit(c.b));
  }
};
template <class T>
struct Sub {
  using Case = Pair<T>;
  ASSAY_HD static constexpr T of(const Case& c) { return c.a - c.b; }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    const Sum<double> t = two_sum(static_cast<double>(c.a), -static_cast<double>(c.b));
    return rounding_of(z, t.s, t.e, signbit(c.a) && !signbit(c.b));
  }
};
template <class T>
struct Mul {
  using Case = Pair<T>;
  ASSAY_HD static constexpr T of(const Case& c) { return c.a * c.b; }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    return rounding_of(z, static_cast<double>(c.a) * static_cast<double>(c.b), 0, signbit(c.a) != signbit(c.b));
  }
};
/// a/b − z = (a − zb)/b: zb is exact.
template <class T>
struct Div {
  using Case = Pair<T>;
  ASSAY_HD static constexpr T of(const Case& c) { return c.a / c.b; }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    const auto a = static_cast<double>(c.a);
    const auto b = static_cast<double>(c.b);
    const double unit = absolute(b);
    const bool negative = signbit(c.a) != signbit(c.b);
    if (!is_finite(z)) return overflowed(z, compared(a, 0, overflow_limit<T> * unit), negative);
    const auto value = static_cast<double>(z);
    const Sum<double> rest = two_sum(a, -value * b);
    const bool outward = is_zero(z) || ((rest.s > 0) == (b > 0)) == (value > 0);
    const bool is_nearest = (!is_zero(z) || signbit(z) == negative) && is_within(z, rest.s, rest.e, outward, unit);
    return {is_nearest, absolute(rest.s) / unit, a == 0 ? 1 : half_ulp<T>(a / b, 0)};
  }
};
/// √a compares with the midpoint between z and a neighbor as a compares with the midpoint's square, which is exact.
template <class T>
struct Sqrt {
  using Case = Single<T>;
  ASSAY_HD static T of(const Case& c) { return sqrt(c.a); }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    if (!is_finite(z) || is_zero(z) || signbit(z)) return {false, 0, 1};
    const auto a = static_cast<double>(c.a);
    const auto value = static_cast<double>(z);
    const HalfGaps gaps = half_gaps(z);
    const double above = value + gaps.outward;
    const double below = value - gaps.inward;
    // The midpoint has p + 1 places, and no number of p places is its square.
    const bool is_nearest = below * below < a && a < above * above;
    const double root = assay::sqrt(a);
    return {is_nearest, absolute(a - value * value) / (value + root), half_ulp<T>(root, 0)};
  }
};
template <class T>
struct Fma {
  using Case = Triple<T>;
  ASSAY_HD static T of(const Case& c) { return fma(c.a, c.b, c.c); }
  ASSAY_HD static constexpr Rounding rounding(const Case& c, T z) {
    const double product = static_cast<double>(c.a) * static_cast<double>(c.b);
    const Sum<double> t = two_sum(product, static_cast<double>(c.c));
    return rounding_of(z, t.s, t.e, signbit(c.a) != signbit(c.b) && signbit(c.c));
  }
};

/// All pairs of finite numbers; those with b ≠ 0.
template <class T>
struct AllPairs {
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all finite a, b"};
  ASSAY_HD static constexpr std::uint64_t size(int) { return finite_numbers<T> * finite_numbers<T>; }
  ASSAY_HD static constexpr Pair<T> at(int, std::uint64_t number) {
    return {finite_at<T>(number / finite_numbers<T>), finite_at<T>(number % finite_numbers<T>)};
  }
};
template <class T>
struct AllQuotients {
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all finite a, b with b ≠ 0"};
  static constexpr std::uint64_t divisors = finite_numbers<T> - 2;
  ASSAY_HD static constexpr std::uint64_t size(int) { return finite_numbers<T> * divisors; }
  ASSAY_HD static constexpr Pair<T> at(int, std::uint64_t number) {
    const std::uint64_t divisor = number % divisors;
    return {finite_at<T>(number / divisors), finite_at<T>(divisor + (divisor + 1 < positive_numbers<T> ? 1 : 2))};
  }
};
template <class T>
struct AllRoots {
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all a > 0"};
  ASSAY_HD static constexpr std::uint64_t size(int) { return positive_numbers<T> - 1; }
  ASSAY_HD static constexpr Single<T> at(int, std::uint64_t number) { return {finite_at<T>(number + 1)}; }
};
/// a = 1 and all finite b ≠ 0.
template <class T>
struct AllDivisors {
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"a = 1, all finite b ≠ 0"};
  ASSAY_HD static constexpr std::uint64_t size(int) { return AllQuotients<T>::divisors; }
  ASSAY_HD static constexpr Pair<T> at(int, std::uint64_t number) { return {T(1), AllQuotients<T>::at(0, number).b}; }
};
/// All finite a, b, c.
template <class T>
struct AllTriples {
  static constexpr int classes = 1;
  static constexpr const char* names[classes] = {"all finite a, b, c"};
  ASSAY_HD static constexpr std::uint64_t size(int) {
    return finite_numbers<T> * finite_numbers<T> * finite_numbers<T>;
  }
  ASSAY_HD static constexpr Triple<T> at(int, std::uint64_t number) {
    const std::uint64_t pair = number / finite_numbers<T>;
    return {finite_at<T>(pair / finite_numbers<T>), finite_at<T>(pair % finite_numbers<T>),
            finite_at<T>(number % finite_numbers<T>)};
  }
};
/// Every finite c with a and b of every significand: in [1, 2), and such that ab is near the least or the largest
/// numbers.
template <class T>
struct AllSignificands {
  static constexpr int classes = 3;
  static constexpr const char* names[classes] = {"all a, b of [1, 2), all finite c",
                                                 "all significands with ab near the smallest number, all finite c",
                                                 "all significands with ab near the largest number, all finite c"};
  static constexpr int p = FloatTraits<T>::precision;
  static constexpr std::uint64_t significands = std::uint64_t{1} << (p - 1);
  ASSAY_HD static constexpr std::uint64_t size(int) { return significands * significands * finite_numbers<T>; }
  ASSAY_HD static constexpr Triple<T> at(int input_class, std::uint64_t number) {
    using F = FloatTraits<T>;
    constexpr int products[classes] = {0, F::emin - p / 2, F::emax - 1};
    const int product = products[input_class];
    const std::uint64_t pair = number / finite_numbers<T>;
    return {of_significand(pair / significands, product / 2),
            of_significand(pair % significands, product - product / 2), finite_at<T>(number % finite_numbers<T>)};
  }

 private:
  ASSAY_HD static constexpr T of_significand(std::uint64_t fraction, int e) {
    const int field = e - FloatTraits<T>::emin + 1;
    return from_bits<T>(static_cast<BitsOf<T>>(static_cast<std::uint64_t>(field) << (p - 1) | fraction));
  }
};

/// An operation on all cases of a list.
template <class T, class Op, class List>
struct Enumerated {
  using Classes = List;
  using Operation = Op;
  using Number = T;
  using Input = typename Operation::Case;
  using Output = T;
  static constexpr int classes = List::classes;

  ASSAY_HD static constexpr std::uint64_t size(int input_class) { return List::size(input_class); }
  ASSAY_HD constexpr Input at(int input_class, std::uint64_t number) const { return List::at(input_class, number); }
  ASSAY_HD constexpr Output run(const Input& c) const { return Operation::of(c); }
  ASSAY_HD constexpr Scaled error(const Input& c, const Output& z) const { return Operation::rounding(c, z).scaled(); }
};

template <class T>
using AllSums = Enumerated<T, Add<T>, AllPairs<T>>;
template <class T>
using AllDifferences = Enumerated<T, Sub<T>, AllPairs<T>>;
template <class T>
using AllProducts = Enumerated<T, Mul<T>, AllPairs<T>>;
template <class T>
using AllDivisions = Enumerated<T, Div<T>, AllQuotients<T>>;
template <class T>
using AllReciprocals = Enumerated<T, Div<T>, AllDivisors<T>>;
template <class T>
using AllSquareRoots = Enumerated<T, Sqrt<T>, AllRoots<T>>;
/// For a format of 8 bits all triples.
template <class T>
using AllFused =
    Enumerated<T, Fma<T>, std::conditional_t<FloatTraits<T>::width <= 8, AllTriples<T>, AllSignificands<T>>>;

/// The operations of binary32 whose operands can be listed.
using OfOneOperand = Operations<AllSquareRoots, AllReciprocals>;
using Probes = Operations<AllSums, AllDifferences, AllProducts, AllDivisions, AllSquareRoots, AllFused>;

}  // namespace assay::probes::op
