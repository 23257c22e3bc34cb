#pragma once
// Probes of error-free transforms: each claims that its words sum to the exact result. Integers judge them.

#include <array>

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/small_float.hpp"
#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"
#include "probes/draw_words.hpp"
#include "probes/exact.hpp"

namespace assay::probes::eft {

/// The exponents of all numbers of a format up to 2^(high + 1), subnormal ones included.
template <class T>
ASSAY_HD constexpr Range numbers_up_to(int high) {
  return {FloatTraits<T>::emin - FloatTraits<T>::precision + 1, high};
}
ASSAY_HD constexpr int clamped(int e, Range range) {
  return e < range.low ? range.low : e > range.high ? range.high : e;
}

/// (−1)^negative·m·2^(e − p + 1) for a significand m of p bits; where that is subnormal, without the bits that do not
/// fit.
template <class T>
ASSAY_HD constexpr T any_number(bool negative, std::uint64_t m, int e) {
  using F = FloatTraits<T>;
  if (e >= F::emin) return number<T>(negative, m, e);
  const int cut = F::emin - e;
  const std::uint64_t fraction = cut < F::precision ? m >> cut : 0;
  return from_bits<T>(static_cast<BitsOf<T>>(fraction | (negative ? std::uint64_t{1} << (F::width - 1) : 0)));
}
template <class T>
ASSAY_HD constexpr T draw_any_number(Stream& stream, Digits digits, int e) {
  const bool negative = stream.coin();
  const std::uint64_t m = draw_digits<FloatTraits<T>::precision>(stream, digits);
  return any_number<T>(negative, m, e);
}
template <class T>
ASSAY_HD constexpr T draw_zero(Stream& stream) {
  return any_number<T>(stream.coin(), 0, FloatTraits<T>::emin - 1);
}

/// The names of classes, the first four of which differ only by their digits.
template <class... Names>
constexpr std::array<const char*, 4 + sizeof...(Names)> digits_and(Names... more) {
  return {"dense", "any significand", "sparse", "near powers of two", more...};
}

/// The digits of these four; any digits for the later classes.
ASSAY_HD constexpr Digits digits_of(int input_class) {
  constexpr Digits kinds[4] = {Digits::dense, Digits::any, Digits::sparse, Digits::near_power};
  return input_class < 4 ? kinds[input_class] : Digits::any;
}

/// Two numbers whose sum does not overflow.
struct SumDraws {
  static constexpr int classes = 9;
  static constexpr const char* names[classes] = {"dense, gap 0…p+3",   "any significand, gap 0…p+3",
                                                 "sparse, gap 0…p+3",  "near powers of two, gap 0…3",
                                                 "cancellation",       "ties",
                                                 "full range",         "lowest exponents",
                                                 "zeros of both signs"};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    using F = FloatTraits<T>;
    constexpr int p = F::precision;
    constexpr Range range = numbers_up_to<T>(F::emax - 1);
    const int e = clamped(stream.between(-8, 8), range);
    switch (input_class) {
      case 4:
        return cancelling(stream, draw_any_number<T>(stream, Digits::any, e), e);
      case 5:
        return tie(stream, draw_any_number<T>(stream, Digits::any, e), e);
      case 6:
        return {draw_any_number<T>(stream, Digits::any, stream.between(range.low, range.high)),
                draw_any_number<T>(stream, Digits::any, stream.between(range.low, range.high))};
      case 7:
        return {draw_any_number<T>(stream, Digits::any, stream.between(range.low, range.low + p + 3)),
                draw_any_number<T>(stream, Digits::any, stream.between(range.low, range.low + p + 3))};
      case 8: {
        const T x = stream.coin() ? draw_zero<T>(stream) : draw_any_number<T>(stream, Digits::any, e);
        return ordered(stream.coin(), Case{x, draw_zero<T>(stream)});
      }
      default: {
        const Digits digits = digits_of(input_class);
        const int other = clamped(e - stream.between(0, input_class == 3 ? 3 : p + 3), range);
        const T x = draw_any_number<T>(stream, digits, e);
        return ordered(stream.coin(), Case{x, draw_any_number<T>(stream, digits, other)});
      }
    }
  }

 private:
  template <class Case>
  ASSAY_HD static constexpr Case ordered(bool swaps, const Case& c) {
    return swaps ? Case{c.b, c.a} : c;
  }
  /// a of the exponent e and a number near −a, a few places away or in a neighboring binade.
  template <class T>
  ASSAY_HD static constexpr Pair<T> cancelling(Stream& stream, T a, int e) {
    const std::uint32_t step = stream.below(12);
    if (step < 9) return {a, stepped(-a, step)};
    const std::uint64_t m = draw_digits<FloatTraits<T>::precision>(stream, Digits::any);
    return {a, any_number<T>(!signbit(a), m, e + stream.between(-1, 1))};
  }
  /// a of the exponent e and a number whose last bit is worth half an ulp of a.
  template <class T>
  ASSAY_HD static constexpr Pair<T> tie(Stream& stream, T a, int e) {
    constexpr int p = FloatTraits<T>::precision;
    const int below = stream.between(1, p);
    const bool negative = stream.coin();
    const std::uint64_t m = (draw_digits<p>(stream, Digits::any) >> (below - 1) | 1) << (below - 1);
    const T b = any_number<T>(negative, m, e - below);
    return stream.coin() ? Pair<T>{a, b} : Pair<T>{b, a};
  }
};

/// The same, the larger number first; and a number below the other that is a multiple of the other's last place.
struct FastSumDraws {
  static constexpr int classes = SumDraws::classes + 1;
  static constexpr const char* names[classes] = {SumDraws::names[0], SumDraws::names[1],
                                                 SumDraws::names[2], SumDraws::names[3],
                                                 SumDraws::names[4], SumDraws::names[5],
                                                 SumDraws::names[6], SumDraws::names[7],
                                                 SumDraws::names[8], "|a| < |b|, a a multiple of ulp(b)"};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    using F = FloatTraits<T>;
    constexpr int p = F::precision;
    if (input_class < SumDraws::classes) {
      const Case c = SumDraws::draw<Case>(stream, input_class);
      return bits::magnitude_bits(c.a) < bits::magnitude_bits(c.b) ? Case{c.b, c.a} : c;
    }
    const int e =
        stream.coin() ? stream.between(F::emin, F::emax - 1) : clamped(stream.between(-8, 8), {F::emin, F::emax});
    const int below = stream.between(1, p - 1);
    const T b = draw_any_number<T>(stream, Digits::any, e);
    const bool negative = stream.coin();
    const std::uint64_t m = draw_digits<p>(stream, Digits::any) >> below << below;
    return {any_number<T>(negative, m, e - below), b};
  }
};

/// Two exponents of the range whose sum is `sum`; with `near`, at most 8 apart where the range allows it. Requires:
/// such exponents exist (not checked).
ASSAY_HD constexpr int draw_first_exponent(Stream& stream, int sum, bool near, Range range) {
  const int low = range.low > sum - range.high ? range.low : sum - range.high;
  const int high = range.high < sum - range.low ? range.high : sum - range.low;
  return near ? clamped(sum / 2 + stream.between(-4, 4), {low, high}) : stream.between(low, high);
}

/// Puts zeros of either sign in place of some of these numbers, at least one.
template <class... T>
ASSAY_HD constexpr void draw_zeros(Stream& stream, T&... x) {
  std::uint32_t which = 1 + stream.below((1U << sizeof...(x)) - 1);
  const auto draw = [&](auto& each) {
    if ((which & 1) != 0) each = draw_zero<std::remove_reference_t<decltype(each)>>(stream);
    which >>= 1;
  };
  (draw(x), ...);
}

/// Numbers that Veltkamp's split multiplies without overflow, with `spare` binades between.
template <class T>
ASSAY_HD constexpr Range numbers_to_split(int spare) {
  using F = FloatTraits<T>;
  return numbers_up_to<T>(F::emax - (F::precision + 1) / 2 - 1 - spare);
}

/// The exponents of two operands, and their sums, for which TwoProd is exact; for which Dekker's product is exact.
struct FusedProducts {
  template <class T>
  ASSAY_HD static constexpr Range operands() {
    return numbers_up_to<T>(FloatTraits<T>::emax);
  }
  template <class T>
  ASSAY_HD static constexpr Range sums() {
    using F = FloatTraits<T>;
    return {F::emin + F::precision - 1, F::emax - 1};
  }
};
struct SplitProducts {
  template <class T>
  ASSAY_HD static constexpr Range operands() {
    return numbers_to_split<T>(2);
  }
  template <class T>
  ASSAY_HD static constexpr Range sums() {
    using F = FloatTraits<T>;
    return {F::emin + F::precision, F::emax - 3};
  }
};

/// Two numbers with exponents of Products.
template <class Products>
struct ProductDraws {
  static constexpr int classes = 8;
  static constexpr auto names =
      digits_and("half the bits: exact products", "full range", "lowest products", "zeros of both signs");

  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    constexpr int p = FloatTraits<T>::precision;
    constexpr Range range = Products::template operands<T>();
    constexpr Range sums = Products::template sums<T>();
    const Digits digits = digits_of(input_class);
    const int sum = input_class == 5   ? stream.between(sums.low, sums.high)
                    : input_class == 6 ? stream.between(sums.low, sums.low + 2)
                                       : clamped(stream.between(-8, 8), sums);
    const bool near = input_class < 5;
    const int e = draw_first_exponent(stream, sum, near, range);
    if (input_class == 4) {
      constexpr std::uint64_t half = ~((std::uint64_t{1} << (p - p / 2)) - 1);
      const std::uint64_t m = draw_digits<p>(stream, digits) & half;
      const std::uint64_t n = draw_digits<p>(stream, digits) & half;
      return {any_number<T>(stream.coin(), m, e), any_number<T>(stream.coin(), n, sum - e)};
    }
    Case c{draw_any_number<T>(stream, digits, e), draw_any_number<T>(stream, digits, sum - e)};
    if (input_class == 7) draw_zeros(stream, c.a, c.b);
    return c;
  }
};

/// One number, up to the largest; with `scaled`, up to what Veltkamp's split can scale.
template <bool scaled>
struct NumberDraws {
  static constexpr int classes = 7;
  static constexpr auto names = digits_and("full range", "lowest exponents", "zeros of both signs");
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    constexpr Range range = scaled ? numbers_to_split<T>(0) : numbers_up_to<T>(FloatTraits<T>::emax);
    if (input_class == 6) return {draw_zero<T>(stream)};
    const int e = input_class == 4   ? stream.between(range.low, range.high)
                  : input_class == 5 ? stream.between(range.low, range.low + FloatTraits<T>::precision)
                                     : clamped(stream.between(-8, 8), range);
    return {draw_any_number<T>(stream, digits_of(input_class), e)};
  }
};

/// a, b and c whose ab + c is exact in three words. In the first four classes c lies within 2p + 3 places of ab, and
/// near powers of two within 3.
struct FusedDraws {
  static constexpr int classes = 7;
  static constexpr auto names = digits_and("c near −ab", "full range", "zeros of both signs");
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    using F = FloatTraits<T>;
    constexpr int p = F::precision;
    constexpr Range range = numbers_up_to<T>(F::emax - 3);
    constexpr Range sums{F::emin + p - 1, F::emax - 5};
    const Digits digits = digits_of(input_class);
    const bool whole = input_class == 5;
    const int sum = whole ? stream.between(sums.low, sums.high) : clamped(stream.between(-8, 8), sums);
    const int e = draw_first_exponent(stream, sum, !whole, numbers_up_to<T>(F::emax));
    const int reach = input_class == 3 ? 3 : 2 * p + 3;
    const int other =
        whole ? stream.between(range.low, range.high) : clamped(sum + stream.between(-reach, reach), range);
    Case c{draw_any_number<T>(stream, digits, e), draw_any_number<T>(stream, digits, sum - e),
           draw_any_number<T>(stream, digits, other)};
    if (input_class == 4) c.c = stepped(-(c.a * c.b), stream.below(9));
    if (input_class == 6) draw_zeros(stream, c.a, c.b, c.c);
    return c;
  }
};

/// Whether the words of a result sum to the exact value.
template <class T>
ASSAY_HD constexpr bool is_exact(const Pair<T>& c, const Sum<T>& z) {
  if (!is_finite(z.s) || !is_finite(z.e)) return false;
  ExactTerm terms[] = {exact_term(c.a), exact_term(c.b), -exact_term(z.s), -exact_term(z.e)};
  return is_zero_sum<2>(terms);
}
template <class T>
ASSAY_HD constexpr bool is_exact(const Pair<T>& c, const Product<T>& z) {
  if (!is_finite(z.p) || !is_finite(z.e)) return false;
  ExactTerm terms[] = {exact_term(c.a, c.b), -exact_term(z.p), -exact_term(z.e)};
  return is_zero_sum<2>(terms);
}
template <class T>
ASSAY_HD constexpr bool is_exact(const Single<T>& c, const Split<T>& z) {
  if (!is_finite(z.h) || !is_finite(z.l)) return false;
  ExactTerm terms[] = {exact_term(c.a), -exact_term(z.h), -exact_term(z.l)};
  return is_zero_sum<2>(terms);
}
template <class T>
ASSAY_HD constexpr bool is_exact(const Triple<T>& c, const FmaError<T>& z) {
  if (!is_finite(z.r1) || !is_finite(z.r2) || !is_finite(z.r3)) return false;
  ExactTerm terms[] = {exact_term(c.a, c.b), exact_term(c.c), -exact_term(z.r1), -exact_term(z.r2), -exact_term(z.r3)};
  return is_zero_sum<4>(terms);
}

/// A transform Op.
template <class Draws, class Case, auto Op>
struct Transform {
  using Classes = Draws;
  using Number = decltype(Case::a);
  using Input = Case;
  using Output = decltype(applied<Op>(Case{}));
  static constexpr int classes = Draws::classes;

  ASSAY_HD constexpr Input draw(Stream& stream, int input_class) const {
    return Draws::template draw<Case>(stream, input_class);
  }
  ASSAY_HD constexpr Output run(const Input& c) const { return applied<Op>(c); }
  ASSAY_HD constexpr Scaled error(const Input& c, const Output& z) const { return exact_or_unknown(is_exact(c, z)); }
};

template <class T>
using TwoSum = Transform<SumDraws, Pair<T>, assay::two_sum<T>>;
template <class T>
using FastTwoSum = Transform<FastSumDraws, Pair<T>, assay::fast_two_sum<T>>;
template <class T>
using TwoProd = Transform<ProductDraws<FusedProducts>, Pair<T>, assay::two_prod<T>>;
template <class T>
using DekkerProd = Transform<ProductDraws<SplitProducts>, Pair<T>, assay::dekker_prod<T>>;
template <class T>
using MaskedProd = Transform<ProductDraws<SplitProducts>, Pair<T>, assay::masked_prod<T>>;
template <class T>
using VeltkampSplit = Transform<NumberDraws<true>, Single<T>, assay::veltkamp_split<T>>;
template <class T>
using MaskSplit = Transform<NumberDraws<false>, Single<T>, assay::mask_split<T>>;
template <class T>
using ErrFma = Transform<FusedDraws, Triple<T>, assay::err_fma<T>>;

using Probes = Operations<TwoSum, FastTwoSum, TwoProd, DekkerProd, VeltkampSplit, MaskSplit, ErrFma>;
/// Transforms that are exact only for even precisions.
using EvenProbes = Operations<MaskedProd>;

}  // namespace assay::probes::eft
