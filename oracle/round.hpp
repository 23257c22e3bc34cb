#pragma once

#include <cstdint>

#include "oracle/exact.hpp"
#include "oracle/format.hpp"

namespace assay::oracle {

/// Facts that rounding cannot read off the truth.
struct RoundingPolicy {
  /// The sign of a result that is an exact zero. (A nonzero truth that rounds to zero keeps its own sign.)
  bool negative_zero = false;
  /// Overflow gives the largest finite number in every direction, instead of the default below.
  bool saturate = false;
};

/// The bit pattern of the truth rounded once to the format, as if its exponent had no lower end but subnormals'
/// spacing. Overflow, decided after rounding with unbounded exponent: RN gives an infinity; RU, RD and RZ give the
/// infinity or the largest finite number, whichever lies in their direction. In a finite_nan format a NaN of the
/// truth's sign stands where an infinity would. Throws Undecided where an Enclosure stays too wide at the last
/// precision. IEEE 754-2019, §4.3 and §7.4. Through MPFR, with its exponent range set to the format's for the time of
/// the call and restored (the range is per thread), the ternary value handed on to mpfr_subnormalize. Threads: safe
/// with a thread-safe MPFR. Cost: some 30 ns for a Dyadic (by shifting its significand; equal to round_by_mpfr, which
/// tests and runs assert), 0.5 µs to some µs for the others.
std::uint64_t round(const Dyadic& truth, const Format& format, Rounding direction, const RoundingPolicy& policy = {});
std::uint64_t round(const Rational& truth, const Format& format, Rounding direction, const RoundingPolicy& policy = {});
std::uint64_t round(const SquareRoot& truth, const Format& format, Rounding direction,
                    const RoundingPolicy& policy = {});
std::uint64_t round(const Exact& truth, const Format& format, Rounding direction, const RoundingPolicy& policy = {},
                    const Ziv& ziv = {});

/// As round(), through MPFR for a Dyadic too.
std::uint64_t round_by_mpfr(const Dyadic& truth, const Format& format, Rounding direction,
                            const RoundingPolicy& policy = {});

}  // namespace assay::oracle
