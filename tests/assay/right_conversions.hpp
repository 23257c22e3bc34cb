#pragma once
// Right conversions of every rule, by the tables of published numbers.

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/conversions/answer.hpp"
#include "tests/oracle/table_conversion.hpp"

namespace assay::conversions {

using oracle::NumberFormat;
using oracle::Rule;

inline const NumberFormat& format(std::string_view name) { return *oracle::find_number_format(name); }

inline float single(std::uint64_t code) { return std::bit_cast<float>(static_cast<std::uint32_t>(code)); }
inline std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

/// A right conversion, by a search among the numbers of the published table.
class Right {
 public:
  Right(std::string_view to, std::string_view rule)
      : table_(*std::ranges::find(oracle::tables::tables, to, &oracle::tables::Table::name)),
        numbers_(table_.values()),
        rule_(*oracle::rule_named(rule)) {}

  std::uint64_t operator()(double x) const {
    const int code = converted(x, table_, numbers_, rule_);
    if (code >= 0) return static_cast<std::uint64_t>(code);
    if (table_.minus_zero_is_nan) return static_cast<std::uint64_t>(table_.sign_bit());
    const bool keeps_sign = rule_.nan == oracle::OfNan::signed_nan && std::signbit(x);
    return static_cast<std::uint64_t>(table_.last_nan | (keeps_sign ? table_.sign_bit() : 0));
  }

 private:
  const oracle::tables::Table& table_;
  std::vector<double> numbers_;
  Rule rule_;
};

/// The number of a code; binary32 has it.
inline float value(std::string_view format_name, std::uint64_t code) {
  const oracle::Number x = decode(format(format_name), code);
  if (x.kind == oracle::Number::Kind::nan) return std::nanf("");
  const float magnitude =
      x.kind == oracle::Number::Kind::infinite ? HUGE_VALF : std::ldexp(static_cast<float>(x.m), x.e);
  return x.negative ? -magnitude : magnitude;
}

/// The same with the sign of a NaN.
inline float signed_value(std::string_view format_name, std::uint64_t code) {
  const bool is_negative = decode(format(format_name), code).negative;
  return std::copysign(value(format_name, code), is_negative ? -1.F : 1.F);
}

inline std::vector<std::string> names(const std::vector<Rule>& rules) {
  std::vector<std::string> all;
  for (const Rule& each : rules) all.push_back(name_of(each));
  return all;
}

}  // namespace assay::conversions
