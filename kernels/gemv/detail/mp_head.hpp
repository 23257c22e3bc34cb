#pragma once
// Sign, exponent and enclosure of a multiple-precision number, apart from its digits.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arith/bits/bits.hpp"
#include "arith/residues/mp_number.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv::detail {

/// A bound of X/M as the double 2^h·X/M, h the bits of a rounded significand, for sets with M < 2⁹⁰⁰: every bound that
/// occurs is 0 or between 2⁻⁴⁶⁰ and 2⁴⁶⁰. The functions are those of Extended, and give the same numbers, because
/// nothing overflows or underflows.
template <class Set>
struct ScaledBound {
  double value;
  static constexpr int bias = mp::significand_bits<Set>;
  static_assert(rns::product_exponent<Set> < 900);

  ScaledBound() = default;
  ASSAY_HD explicit ScaledBound(double x) : value(x) {}
  ASSAY_HD explicit ScaledBound(const Extended& x)
      : value(x.fraction == 0 ? 0.0 : bits::scaled_normal(x.fraction, x.exponent + bias)) {}
  ASSAY_HD explicit operator Extended() const { return extended(value, -bias); }
  [[nodiscard]] ASSAY_HD bool is_zero() const { return value == 0; }
  /// ⌊log₂⌋ of the bound. Requires: it is positive (not checked).
  [[nodiscard]] ASSAY_HD std::int64_t exponent() const { return bits::normal_exponent(value) - bias; }
  [[nodiscard]] ASSAY_HD ScaledBound scaled(std::int64_t k) const {
    return ScaledBound(value * bits::power_of_two<double>(static_cast<int>(k)));
  }
  ASSAY_HD static ScaledBound add_rd(ScaledBound a, ScaledBound b) {
    return ScaledBound(assay::add_in_range<Rounding::rd>(a.value, b.value));
  }
  ASSAY_HD static ScaledBound add_ru(ScaledBound a, ScaledBound b) {
    return ScaledBound(assay::add_in_range<Rounding::ru>(a.value, b.value));
  }
  ASSAY_HD static ScaledBound sub_rd(ScaledBound a, ScaledBound b) { return add_rd(a, ScaledBound(-b.value)); }
  ASSAY_HD static ScaledBound sub_ru(ScaledBound a, ScaledBound b) { return add_ru(a, ScaledBound(-b.value)); }
  ASSAY_HD static bool greater(ScaledBound a, ScaledBound b) { return a.value > b.value; }
};

/// The same for a bound of a number of any set.
struct ExtendedBound {
  Extended value;
  ExtendedBound() = default;
  ASSAY_HD explicit ExtendedBound(const Extended& x) : value(x) {}
  ASSAY_HD explicit operator Extended() const { return value; }
  [[nodiscard]] ASSAY_HD bool is_zero() const { return value.fraction == 0; }
  [[nodiscard]] ASSAY_HD std::int64_t exponent() const { return value.exponent; }
  [[nodiscard]] ASSAY_HD ExtendedBound scaled(std::int64_t k) const { return ExtendedBound(assay::scale(value, k)); }
  ASSAY_HD static ExtendedBound add_rd(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::add_rd(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound add_ru(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::add_ru(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound sub_rd(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::sub_rd(a.value, b.value));
  }
  ASSAY_HD static ExtendedBound sub_ru(const ExtendedBound& a, const ExtendedBound& b) {
    return ExtendedBound(assay::sub_ru(a.value, b.value));
  }
  ASSAY_HD static bool greater(const ExtendedBound& a, const ExtendedBound& b) {
    return assay::compare(a.value, b.value) > 0;
  }
};

/// Sign, exponent and enclosure of a number whose digits are stored elsewhere. Zero and out of range as in mp::Number.
template <class Set>
struct MpHead {
  using Bound = std::conditional_t < rns::product_exponent<Set><900, ScaledBound<Set>, ExtendedBound>;
  Bound lower, upper;
  std::int64_t exponent;
  std::int32_t sign;

  ASSAY_HD bool is_out_of_range() const { return exponent == mp::out_of_range_exponent; }
  ASSAY_HD bool is_empty() const { return upper.is_zero(); }  ///< zero or out of range
  ASSAY_HD bool is_zero() const { return is_empty() && !is_out_of_range(); }
  /// mp::detail::is_wide of the enclosure.
  ASSAY_HD bool is_wide() const { return Bound::greater(Bound::sub_ru(upper, lower).scaled(20), upper); }

  ASSAY_HD static MpHead zero() { return {Bound(Extended{0, 0}), Bound(Extended{0, 0}), 0, 0}; }
  ASSAY_HD static MpHead of(const Interval& magnitude, std::int64_t exponent, std::int32_t sign) {
    return {Bound(magnitude.lower), Bound(magnitude.upper), exponent, sign};
  }
  ASSAY_HD static MpHead of(const mp::MpView<Set>& x, std::size_t k) {
    return of({x.lower[k], x.upper[k]}, x.exponent[k], x.sign[k]);
  }
  ASSAY_HD void store(const mp::MpView<Set>& x, std::size_t k) const {
    x.lower[k] = static_cast<Extended>(lower);
    x.upper[k] = static_cast<Extended>(upper);
    x.exponent[k] = static_cast<std::int32_t>(exponent);
    x.sign[k] = sign;
  }

  /// Rounds a head that is neither empty nor wide, by the formulas of mp::round; returns by how many bits the digits
  /// must still be scaled down.
  ASSAY_HD std::int32_t round() {
    const std::int64_t excess = upper.exponent() + mp::significand_bits<Set>;
    std::int32_t left = 0;
    if (excess >= 0) {
      left = static_cast<std::int32_t>(excess + 1);
      upper = upper.scaled(-(excess + 1));
      lower = Bound::sub_rd(lower.scaled(-(excess + 1)), Bound(rns::tables<Set>().reciprocal_product.upper));
      exponent += left;
    }
    if (exponent <= mp::exponent_limit && exponent >= -mp::exponent_limit) return left;
    *this = zero();
    exponent = mp::out_of_range_exponent;
    return 0;
  }
};

}  // namespace assay::gemv::detail
