#pragma once
// Converts decimal strings and expansions, by the oracle: exact, on the host.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/rational.hpp"
#include "properties/framework/codec.hpp"

namespace assay::expansion {

/// The number for a decimal string: an optional sign, digits with at most one point among them, and optionally e or E
/// with a signed exponent. "-12.5e-3" is −1/80. Locale-free. Throws std::invalid_argument for anything else, and for
/// exponents beyond ±100000.
oracle::Rational decimal_value(std::string_view text);

/// The patterns of wᵢ = RN(q − w₀ − … − wᵢ₋₁) for i = 0 … k − 1: a Bailey-nonoverlapping expansion with
/// |q − Σ wᵢ| ≤ ulp(wₖ₋₁)/2, or η/2 where the words end in the subnormal range; exact, then zeros, where k words
/// hold q. Requires: no overflow (not checked).
std::vector<std::uint64_t> nearest_words(const oracle::Format& format, oracle::Rational q, std::size_t k);

/// The same for a decimal string, as numbers.
template <FloatingPoint T>
std::vector<T> expansion_of(std::string_view text, std::size_t k) {
  std::vector<T> words;
  for (const std::uint64_t bits : nearest_words(format_of<T>(), decimal_value(text), k)) {
    words.push_back(number_of<T>(bits));
  }
  return words;
}

/// Σ xᵢ rounded to `digits` significant decimal digits: "-1.5625e-1", "0". Requires: finite words, digits ≥ 1 (not
/// checked).
template <FloatingPoint T>
std::string to_decimal(std::span<const T> x, int digits);
/// Σ xᵢ exactly, without exponent. Requires: finite words (not checked).
template <FloatingPoint T>
std::string to_exact_decimal(std::span<const T> x);

extern template std::string to_decimal(std::span<const double>, int);
extern template std::string to_decimal(std::span<const float>, int);
extern template std::string to_exact_decimal(std::span<const double>);
extern template std::string to_exact_decimal(std::span<const float>);

}  // namespace assay::expansion
