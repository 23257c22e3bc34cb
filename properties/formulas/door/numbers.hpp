#pragma once
// Numbers for drawn cases.

#include <cstdint>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/framework/draw.hpp"

namespace assay::formulas {

/// RN(x) of a number of binary64; the largest number of the format if x is beyond its range.
inline std::uint64_t nearest_number(const oracle::Format& format, double x) {
  return oracle::round(oracle::exact(x), format, oracle::Rounding::nearest, {.saturate = true});
}

/// Uniform in [0, 1).
inline double uniform(Draw& draw) { return static_cast<double>(draw.word() >> 11U) * 0x1p-53; }

inline double with_sign(Draw& draw, double x) { return draw.coin() ? x : -x; }

}  // namespace assay::formulas
