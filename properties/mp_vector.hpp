#pragma once
// Arrays of multiple-precision numbers as results: their words, their exact values, and what every rounded number
// keeps.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "kernels/mp_array.hpp"
#include "oracle/residues.hpp"
#include "properties/codec.hpp"

namespace assay {

/// f(Set{}) for the standard set of n moduli.
template <class F>
decltype(auto) with_standard(int n, F&& f) {
  switch (n) {
    case 8:
      return f(rns::Standard<8>{});
    case 16:
      return f(rns::Standard<16>{});
    case 32:
      return f(rns::Standard<32>{});
    case 64:
      return f(rns::Standard<64>{});
    case 128:
      return f(rns::Standard<128>{});
    default:
      throw std::invalid_argument("there are 8, 16, 32, 64 or 128 moduli");
  }
}

/// The moduli of the standard set of n, without the guard.
inline const oracle::ResidueSystem& standard_system(int n) {
  static const auto make = [](int count) {
    return with_standard(count, [](auto set) {
      std::vector<std::uint32_t> moduli;
      for (int i = 0; i < set.n; ++i) moduli.push_back(set.modulus(i));
      return moduli;
    });
  };
  static const std::map<int, oracle::ResidueSystem> systems = [] {
    std::map<int, oracle::ResidueSystem> all;
    for (const int count : {8, 16, 32, 64, 128}) all.try_emplace(count, make(count));
    return all;
  }();
  return systems.at(n);
}

/// Numbers as integers in binary64: sign, exponent, the fractions and exponents of L and U, then the n + 1 digits.
struct MpVector {
  static constexpr std::size_t head = 6;
  int n = 8;
  std::vector<double> words;
  bool order_free = true;  ///< what the subject found: the same bits for its terms in another order
  std::size_t per_number() const { return head + static_cast<std::size_t>(n) + 1; }
  std::span<const double> number(std::size_t i) const {
    return std::span(words).subspan(i * per_number(), per_number());
  }
};

template <>
struct ResultTraits<MpVector> {
  using Number = double;
  static std::size_t per_component(const MpVector& result) { return result.per_number(); }
  static std::size_t components(const MpVector& result) { return result.words.size() / result.per_number(); }
  static double word(const MpVector& result, std::size_t i) { return result.words[i]; }
};

inline MpVector mp_vector(const MpArray& x) {
  MpVector v;
  v.n = x.n;
  const auto size = static_cast<std::size_t>(x.n) + 1;
  for (std::size_t k = 0; k < x.length; ++k) {
    v.words.insert(v.words.end(), {static_cast<double>(x.sign[k]), static_cast<double>(x.exponent[k]),
                                   x.lower[k].fraction, static_cast<double>(x.lower[k].exponent), x.upper[k].fraction,
                                   static_cast<double>(x.upper[k].exponent)});
    for (std::size_t i = 0; i < size; ++i) v.words.push_back(x.digits[x.planes ? i * x.length + k : k * size + i]);
  }
  return v;
}

namespace detail {

/// The digits of a number, if they are below their moduli and the guard.
inline bool digits_of(const MpVector& v, std::size_t i, std::vector<std::uint32_t>& digits) {
  const std::span<const double> number = v.number(i);
  const std::vector<std::uint32_t>& moduli = standard_system(v.n).moduli();
  digits.clear();
  for (std::size_t q = 0; q <= moduli.size(); ++q) {
    const double digit = number[MpVector::head + q];
    const double modulus = q < moduli.size() ? moduli[q] : std::numeric_limits<std::int32_t>::max();
    if (!(digit >= 0 && digit < modulus)) return false;
    digits.push_back(static_cast<std::uint32_t>(digit));
  }
  return true;
}

/// f·2^e. Requires: both finite (not checked).
inline oracle::Dyadic extended_value(double fraction, double exponent) {
  return value_of(fraction).mul_2exp(static_cast<long>(exponent));
}

}  // namespace detail

/// (−1)^sign·X·2^exponent of number i, X from the digits of the base; false if a digit is not below its modulus, the
/// sign is neither 0 nor 1, or the number is out of range.
inline bool component_value(const MpVector& v, std::size_t i, oracle::Dyadic& value) {
  thread_local std::vector<std::uint32_t> digits;
  const std::span<const double> number = v.number(i);
  if ((number[0] != 0 && number[0] != 1) || std::abs(number[1]) > mp::exponent_limit ||
      !detail::digits_of(v, i, digits)) {
    return false;
  }
  digits.pop_back();
  value = standard_system(v.n).value(number[0] == 1, digits, static_cast<long>(number[1]));
  return true;
}

/// Number i is rounded (arith/mp_number.hpp): its guard is X mod the guard's modulus, [L, U] contains X/M, U < 2^H, U −
/// L ≤ 2⁻¹⁹U; a zero has all members zero.
inline bool is_rounded(const MpVector& v, std::size_t i) {
  using oracle::Dyadic;
  const std::span<const double> number = v.number(i);
  std::vector<std::uint32_t> digits;
  if (!detail::digits_of(v, i, digits) || !std::isfinite(number[2]) || !std::isfinite(number[4])) return false;
  const std::uint32_t guard = digits.back();
  digits.pop_back();
  const oracle::ResidueSystem& system = standard_system(v.n);
  const Dyadic X = system.integer(digits);
  if (X.is_zero()) return std::all_of(number.begin(), number.end(), [](double word) { return word == 0; });
  const Dyadic lower = detail::extended_value(number[2], number[3]);
  const Dyadic upper = detail::extended_value(number[4], number[5]);
  const long H = -(system.product().exponent() / 2 + 1);
  return oracle::residue(X, std::numeric_limits<std::int32_t>::max()) == guard && lower * system.product() <= X &&
         X <= upper * system.product() && upper < Dyadic::scaled(1, H) &&
         (upper - lower) * Dyadic::scaled(1, 19) <= upper;
}

/// Same words, any NaN as any NaN.
inline bool same_number(const MpVector& v, const MpVector& w, std::size_t i) {
  const std::span<const double> a = v.number(i);
  const std::span<const double> b = w.number(i);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return to_bits(x) == to_bits(y) || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace assay
