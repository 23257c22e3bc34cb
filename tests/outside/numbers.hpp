#pragma once
// The parts that the kernels of the outside score share: formats, arithmetic that rounds to a format, forms of kernels
// with their faults. A kernel is one function for all formats; the form determines its computation at run time.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "arith/float/small_float.hpp"

namespace outside {

using Size = std::size_t;

/// The formats of numbers in memory, and of accumulators. f80: long double; e8m13: of sums in matrix units for fp8.
/// Where a number is stored, s8 and s32 are integers.
enum class Format { f64, f32, f16, bf16, e4m3, e5m2, s8, s32, f80, e8m13 };
/// The order of the additions of a sum. `exact`: sums without an error until they are rounded to the format of the
/// results (exact.hpp).
enum class Order { forward, backward, pairwise, lanes, blocks, halves, compensated, exact };
/// A variant that belongs to one operation; each file says what the variants mean for it.
enum class Way { usual, second, third, fourth, fifth, sixth, seventh, eighth };

/// The fault of a kernel. `at` is its size or place.
enum class Fault {
  none,
  // terms of a sum
  drops_first,
  drops_last,
  drops_term,    ///< number at
  drops_tail,    ///< after the last multiple of at
  drops_beyond,  ///< all from number at on
  drops_tile,    ///< numbers at … 2·at − 1
  repeats_first,
  repeats_last,
  repeats_term,
  repeats_tail,
  counts_modulo,  ///< n mod at terms
  reads_behind,   ///< number i − 1 in place of i
  skips_nan,
  nan_is_one,
  skips_infinity,
  skips_negative,
  skips_small,  ///< below 2^at
  stops_at_zero,
  forgets_sign,  ///< of every term
  // accumulators
  narrow_parts,  ///< partial sums of 64 terms in the format `narrow`
  saturates,     ///< partial sums stay below 2^at
  overflows,     ///< partial sums of 2^at and more are infinite
  wraps,         ///< partial sums are taken modulo 2^at, as signed integers are
  starts_at_one,
  // state
  last_result,   ///< of the call before
  adds_to_last,  ///< the accumulator is not cleared
  keeps_result,  ///< of the first call with the same count of numbers
  flickers,      ///< every third call adds in the other direction
  // numbers of the result
  no_last_row,
  no_rows_from,
  no_row,
  no_tile_of_rows,  ///< after the last multiple of at, if there are more
  copies_row,       ///< row at is the one before
  no_last_column,
  no_columns_from,
  no_column,
  no_tile_of_columns,
  copies_column,
  swaps_columns,  ///< the first two
  no_last_product,
  no_products_from,
  no_product,
  first_product,  ///< in place of every other
  no_last_number,
  no_number,  ///< number at of the whole array
  zero_rows_from,
  zero_columns_from,
  truncates,    ///< results are rounded towards zero
  halves_last,  ///< the last number is halved
  negates_row,
  nan_to_zero,
  // faults of one operation only; each file says what they mean for it
  own1,
  own2,
  own3,
  own4,
  own5,
  own6,
  own7,
  own8,
  own9,
  own10,
  own11,
  own12,
};

/// The behavior of a kernel.
struct Form {
  Format storage = Format::f64;
  Format result = Format::f64;
  Format sum = Format::f64;  ///< of all arithmetic
  Format narrow = Format::f64;
  Order order = Order::forward;
  Way way = Way::usual;
  bool fma = false;
  bool flushes = false;  ///< subnormal numbers to zero, read and computed
  bool cuts = false;     ///< results of operations are rounded towards zero, as tensor cores do, not to nearest
  long steps = 0;        ///< the results of elementary functions are nearer to zero by the given number of steps
  long error = 0;        ///< an error of error/1024 of the claimed bound is added to an exact sum
  Fault fault = Fault::none;
  long at = 0;

  [[nodiscard]] bool has(Fault each) const { return fault == each; }
};

/// Precision and exponents of a format.
struct Range {
  int precision, emin, emax;
};
constexpr Range range_of(Format format) {
  switch (format) {
    case Format::f32:
      return {24, -126, 127};
    case Format::f16:
      return {11, -14, 15};
    case Format::bf16:
      return {8, -126, 127};
    case Format::e8m13:
      return {14, -126, 127};
    case Format::e4m3:
      return {4, -6, 8};
    case Format::e5m2:
      return {3, -14, 15};
    default:
      return {53, -1022, 1023};
  }
}

/// rounded() for formats whose numbers are not a type of C++, and for rounding towards zero.
inline double rounded_by_hand(double x, Format format, bool truncates) {
  if (!std::isfinite(x) || x == 0) return x;
  const Range range = range_of(format);
  const int last = std::max(std::ilogb(x), range.emin) - (range.precision - 1);
  const double units = std::ldexp(x, -last);
  const double result = std::ldexp(truncates ? std::trunc(units) : std::nearbyint(units), last);
  if (std::fabs(result) < std::ldexp(1.0, range.emax + 1)) return result;
  const double largest = std::ldexp(2 - std::ldexp(1.0, 1 - range.precision), range.emax);
  return std::copysign(truncates ? largest : std::numeric_limits<double>::infinity(), x);
}
/// x rounded to the format; towards zero if `truncates`.
inline double rounded(double x, Format format, bool truncates = false) {
  if (format == Format::f64 || format == Format::f80) return x;
  if (format == Format::f32 && !truncates) return static_cast<float>(x);
  return rounded_by_hand(x, format, truncates);
}
inline long double rounded(long double x, Format format, bool truncates = false) {
  return format == Format::f80 ? x : rounded(static_cast<double>(x), format, truncates);
}

/// x moved towards zero by the given number of numbers of the format, but not beyond it.
inline double nearer(double x, long steps, Format format) {
  if (!std::isfinite(x) || x == 0) return x;
  const Range range = range_of(format);
  double size = std::fabs(x);
  for (long i = 0; i < steps && size > 0; ++i) {
    int exponent = 0;
    const double half = std::frexp(size, &exponent);  // the numbers below a power of two have a smaller exponent
    const int of_number = std::max(exponent - (half == 0.5 ? 2 : 1), range.emin);
    size -= std::ldexp(1.0, of_number - (range.precision - 1));
  }
  return std::copysign(size, x);
}

/// Whether |x| is below the normal numbers of the format.
template <class C>
bool is_small(C x, Format format) {
  return std::fabs(x) < static_cast<C>(std::ldexp(1.0, range_of(format).emin));
}

/// Number i of an array.
inline double load(const void* array, Size i, Format format) {
  switch (format) {
    case Format::f32:
      return static_cast<const float*>(array)[i];
    case Format::f16:
      return static_cast<double>(assay::binary16::of_bits(static_cast<const std::uint16_t*>(array)[i]));
    case Format::bf16:
      return static_cast<double>(assay::bfloat16::of_bits(static_cast<const std::uint16_t*>(array)[i]));
    case Format::e4m3:
      return static_cast<double>(assay::e4m3::of_bits(static_cast<const std::uint8_t*>(array)[i]));
    case Format::e5m2:
      return static_cast<double>(assay::e5m2::of_bits(static_cast<const std::uint8_t*>(array)[i]));
    case Format::s8:
      return static_cast<const std::int8_t*>(array)[i];
    case Format::s32:
      return static_cast<const std::int32_t*>(array)[i];
    default:
      return static_cast<const double*>(array)[i];
  }
}

/// The number of a small format whose bits are those of x, which must be such a number.
template <class Small, class Bits>
Bits small_bits(double x) {
  const Small number(x);
  Bits bits;
  static_assert(sizeof(number) == sizeof(bits));
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

/// array[i] = x, rounded.
inline void store(void* array, Size i, Format format, double x, bool truncates = false) {
  const double value = rounded(x, format, truncates);
  switch (format) {
    case Format::f32:
      static_cast<float*>(array)[i] = truncates ? static_cast<float>(value) : static_cast<float>(x);
      break;
    case Format::f16:
      static_cast<std::uint16_t*>(array)[i] = small_bits<assay::binary16, std::uint16_t>(value);
      break;
    case Format::bf16:
      static_cast<std::uint16_t*>(array)[i] = small_bits<assay::bfloat16, std::uint16_t>(value);
      break;
    case Format::s32:
      static_cast<std::int32_t*>(array)[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(x));
      break;
    default:
      static_cast<double*>(array)[i] = value;
  }
}

/// Arithmetic that rounds to the format after each operation. Numbers of up to 24 bits are computed in binary64, where
/// two roundings give the same as one.
template <class C>
struct Arithmetic {
  Format format;
  bool flushes = false;
  bool cuts = false;

  C round(C x) const { return flush(rounded(x, format, cuts)); }
  C flush(C x) const { return flushes && is_small(x, format) ? std::copysign(C(0), x) : x; }
  C add(C x, C y) const { return round(flush(x) + flush(y)); }
  C subtract(C x, C y) const { return round(flush(x) - flush(y)); }
  C multiply(C x, C y) const { return round(flush(x) * flush(y)); }
  C divide(C x, C y) const { return round(flush(x) / flush(y)); }
  C root(C x) const { return round(std::sqrt(flush(x))); }
  C fma(C x, C y, C z) const {
    if (format != Format::f32) return flush(std::fma(flush(x), flush(y), flush(z)));
    return flush(std::fma(static_cast<float>(flush(x)), static_cast<float>(flush(y)), static_cast<float>(flush(z))));
  }
};

template <class C>
Arithmetic<C> arithmetic_of(const Form& form) {
  return {form.sum, form.flushes, form.cuts};
}

/// compute(C{}) in long double if the form asks for it, otherwise in double.
template <class Compute>
auto in_carrier(const Form& form, const Compute& compute) {
  if (form.sum == Format::f80) return static_cast<double>(compute(0.0L));
  return compute(0.0);
}

}  // namespace outside
