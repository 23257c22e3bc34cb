#pragma once
// Probes of native pairs: exact transforms, sums relative to |x| + |y|, products relatively.

#include <type_traits>

#include "arith/words/native_pair.hpp"
#include "exec/elementwise.hpp"
#include "probes/dw/dw.hpp"
#include "probes/eft/eft.hpp"
#include "probes/words.hpp"

namespace assay::probes::pair {

using assay::pair::NativeMul;

/// A number whose high half is just above the least, and whose low half is near all ones: two such numbers have cross
/// products that add up to p + 1 bits.
template <class T>
ASSAY_HD constexpr T draw_wide_halves(Stream& stream, int cleared, int e) {
  const bool negative = stream.coin();
  const std::uint64_t high = (std::uint64_t{1} << (FloatTraits<T>::precision - 1 - cleared)) + stream.below(4);
  const std::uint64_t low = (std::uint64_t{1} << cleared) - 1 - stream.below(4);
  return number<T>(negative, high << cleared | low, e);
}
/// The number of bits that masks clear: p/2, rounded up or down.
template <class T>
ASSAY_HD constexpr int draw_cleared(Stream& stream) {
  constexpr int p = FloatTraits<T>::precision;
  return p / 2 + (p % 2 != 0 && stream.coin() ? 1 : 0);
}

/// Normal numbers whose products have errors that are normal.
struct MaskProducts {
  template <class T>
  ASSAY_HD static constexpr Range operands() {
    return {FloatTraits<T>::emin, FloatTraits<T>::emax};
  }
  template <class T>
  ASSAY_HD static constexpr Range sums() {
    using F = FloatTraits<T>;
    constexpr int lowest = -850;
    return {F::emin + F::precision < lowest ? lowest : F::emin + F::precision, F::emax - 3};
  }
};
struct MaskDraws {
  using Products = eft::ProductDraws<MaskProducts>;
  static constexpr int classes = Products::classes + 1;
  static constexpr const char* names[classes] = {
      Products::names[0], Products::names[1], Products::names[2], Products::names[3], "cross products of p + 1 bits",
      Products::names[4], Products::names[5], Products::names[6], Products::names[7]};
  static constexpr int cross_products = 4;
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class) {
    using T = decltype(Case::a);
    if (input_class != cross_products) {
      return Products::template draw<Case>(stream, input_class < cross_products ? input_class : input_class - 1);
    }
    const int cleared = draw_cleared<T>(stream);
    const T a = draw_wide_halves<T>(stream, cleared, stream.between(-6, 6));
    return {a, draw_wide_halves<T>(stream, cleared, stream.between(-6, 6))};
  }
};

/// Double words, and two numbers whose masked halves have wide cross products.
struct MaskFactorDraws {
  using Factors = dw::Draws;
  static constexpr bool moves = false;
  static constexpr int classes = Factors::classes + 1;
  static constexpr const char* names[classes] = {
      Factors::names[0], Factors::names[1], Factors::names[2], Factors::names[3],
      Factors::names[4], Factors::names[5], Factors::names[6], MaskDraws::names[MaskDraws::cross_products]};
  template <class Case>
  ASSAY_HD static constexpr Case draw(Stream& stream, int input_class, Range range) {
    if (input_class < Factors::classes) return Factors::draw<Case>(stream, input_class, range);
    using T = typename NumberOf<decltype(Case::x)>::Type;
    const int cleared = draw_cleared<T>(stream);
    const T a = draw_wide_halves<T>(stream, cleared, stream.between(-8, 8));
    return {{a, T(0)}, {draw_wide_halves<T>(stream, cleared, stream.between(-8, 8)), T(0)}};
  }
};

/// Op of two numbers, a pair that is to be exact.
template <class Draws, class T, auto Op, class Exact>
struct ExactPair : eft::Transform<Draws, Pair<T>, Op> {
  ASSAY_HD constexpr Scaled error(const Pair<T>& c, const DoubleWord<T>& z) const {
    return exact_or_unknown(eft::is_exact(c, Exact{z.h, z.l}));
  }
};

/// A product of two numbers, relatively.
template <NativeMul how, class T>
struct MaskedMul : eft::Transform<MaskDraws, Pair<T>, assay::pair::native_mul<how, T>> {
  ASSAY_HD constexpr Scaled error(const Pair<T>& c, const DoubleWord<T>& z) const {
    ProductLess difference(words_of(c.a), words_of(c.b), words_of(z));
    return relative_to_result(words_of(z), difference.terms);
  }
};

template <class T>
using Normalize = ExactPair<eft::FastSumDraws, T, assay::pair::normalize<T>, Sum<T>>;
template <class T>
using Add = AdditionByMagnitudes<dw::Draws, DwDw<T>, assay::pair::add<T>>;

constexpr bool has_masks(NativeMul how) { return how == NativeMul::mask || how == NativeMul::wide_mask; }
template <NativeMul how>
using Factors = std::conditional_t<has_masks(how), MaskFactorDraws, dw::Draws>;
template <NativeMul how>
using ExactFactors =
    eft::ProductDraws<std::conditional_t<how == NativeMul::fma, eft::FusedProducts, eft::SplitProducts>>;

template <NativeMul how, class T>
using ExactMul = ExactPair<ExactFactors<how>, T, assay::pair::native_mul<how, T>, Product<T>>;
template <NativeMul how, class T>
using Mul = Multiplication<Factors<how>, DwDw<T>, assay::pair::mul<how, T>>;
template <NativeMul how, class T>
using GoodMul = Multiplication<Factors<how>, DwDw<T>, assay::pair::good_mul<how, T>>;

using Sums = Operations<Normalize, Add>;
/// The products that multiply two numbers by `how`.
template <NativeMul how>
struct ProductsBy {
  template <class T>
  using OfNumbers = std::conditional_t<has_masks(how), MaskedMul<how, T>, ExactMul<how, T>>;
  template <class T>
  using OfPairs = Mul<how, T>;
  template <class T>
  using GoodOfPairs = GoodMul<how, T>;
  using All = Operations<OfNumbers, OfPairs, GoodOfPairs>;
};

}  // namespace assay::probes::pair
