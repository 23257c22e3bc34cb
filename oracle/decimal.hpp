#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay::oracle {

/// x rounded to nearest with `digits` significant decimal digits: "-1.5625e-1", "0". Requires: digits ≥ 1 (not
/// checked). Locale-free, like everything here.
std::string decimal(const Dyadic& x, int digits);

/// As few digits as possible that round (RN) back to the same pattern, and of these the nearest: "1.5e0", "-0", "inf",
/// "nan".
std::string shortest_decimal(const Format& format, std::uint64_t bits);

/// The pattern as a hexadecimal float: "0x1.8p+3", "0x0.4p-14" for a subnormal, "-0x0p+0", "inf", "-inf",
/// "nan:0x8000000000000" with the fraction field of a NaN, its sign in front. Bit-exact: parse_hex() gives the pattern
/// back.
std::string to_hex(const Format& format, std::uint64_t bits);

/// The pattern for a string: a result of to_hex(), or any hexadecimal float that is exactly a number of the format.
/// Throws std::invalid_argument for anything else, including inexact values.
std::uint64_t parse_hex(const Format& format, std::string_view text);

}  // namespace assay::oracle
