#pragma once
// A second implementation of stochastic conversions of binary32: the published inequalities in binary64, with the
// numbers of the published tables. δ and its products with powers of two are exact in binary64.

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "oracle/stochastic.hpp"
#include "tests/oracle/table_conversion.hpp"

namespace assay::conversions {

inline float single(std::uint64_t code) { return std::bit_cast<float>(static_cast<std::uint32_t>(code)); }
inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

/// Whether a number is rounded away from zero. δ is its distance from the neighbor toward zero, in units of the gap.
using GoesUp = std::function<bool(double delta, std::uint32_t word)>;

/// The inequality of a draw with words of r bits.
inline GoesUp goes_up(oracle::Draw draw, int r) {
  const double words = std::ldexp(1.0, r);
  switch (draw) {
    case oracle::Draw::carry:
      return [=](double delta, std::uint32_t word) { return std::floor(words * delta) + word >= words; };
    case oracle::Draw::half_up:
      return
          [=](double delta, std::uint32_t word) { return std::floor(2 * words * delta) + 2.0 * word + 1 >= 2 * words; };
    case oracle::Draw::nearest_even:
      return [=](double delta, std::uint32_t word) { return std::nearbyint(words * delta) + word >= words; };
    case oracle::Draw::nearest_odd:
      break;
  }
  return [=](double delta, std::uint32_t word) {
    const double below = std::floor(words * delta);
    const bool is_tie = words * delta - below == 0.5;
    const double k = is_tie ? below + (std::fmod(below, 2) == 0 ? 1 : 0) : std::nearbyint(words * delta);
    return k + word >= words;
  };
}

/// The tables of the targets.
inline const oracle::tables::Table& table_of(std::string_view name) {
  static const std::vector<oracle::tables::Table> wide{{"f16", 16, 10, 15, 0x7C00, 0x7C01, 0x7FFF},
                                                       {"bf16", 16, 7, 127, 0x7F80, 0x7F81, 0x7FFF}};
  for (const auto* const all : {&wide, &oracle::tables::tables}) {
    for (const oracle::tables::Table& each : *all) {
      if (each.name == name) return each;
    }
  }
  throw std::invalid_argument("no such table");
}

/// A conversion that follows the rule <draw>.<overflow>.nan.
class Literal {
 public:
  Literal(std::string_view to, oracle::Overflow overflow, GoesUp goes_up)
      : table_(table_of(to)), numbers_(table_.values()), overflow_(overflow), goes_up_(std::move(goes_up)) {}
  Literal(std::string_view to, oracle::Overflow overflow, oracle::Draw draw, int r)
      : Literal(to, overflow, conversions::goes_up(draw, r)) {}

  std::uint64_t operator()(float x, std::uint32_t word) const {
    const auto sign = static_cast<std::uint64_t>(std::signbit(x) ? table_.sign_bit() : 0);
    const auto most = static_cast<std::uint64_t>(numbers_.size()) - 2;
    if (std::isnan(x)) return static_cast<std::uint64_t>(table_.last_nan);
    const double magnitude = std::fabs(static_cast<double>(x));
    std::uint64_t place = numbers_.size();
    if (magnitude < numbers_.back()) {
      const auto above = std::ranges::upper_bound(numbers_, magnitude);
      place = static_cast<std::uint64_t>(above - numbers_.begin()) - 1;
      const double low = numbers_[place];
      if (goes_up_((magnitude - low) / (*above - low), word)) ++place;
    }
    if (place <= most) return sign | place;
    if (overflow_ == oracle::Overflow::nan) return sign | static_cast<std::uint64_t>(table_.last_nan);
    return sign | (overflow_ == oracle::Overflow::infinity ? static_cast<std::uint64_t>(table_.infinity) : most);
  }

  /// δ of a magnitude below the largest number.
  [[nodiscard]] double delta(float x) const {
    const double magnitude = std::fabs(static_cast<double>(x));
    const auto above = std::ranges::upper_bound(numbers_, magnitude);
    return (magnitude - *(above - 1)) / (*above - *(above - 1));
  }

 private:
  const oracle::tables::Table& table_;
  std::vector<double> numbers_;
  oracle::Overflow overflow_;
  GoesUp goes_up_;
};

}  // namespace assay::conversions
