#pragma once
// Multiple-precision numbers in residues, decimal strings and numbers of MPFR, through the oracle, on the host. Bounds:
// docs/bounds/mp.md, mp.decimal.1.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "kernels/mp/array.hpp"
#include "oracle/mpfr_value.hpp"

namespace assay::mp {

/// The value of number k; empty if it is out of range. Requires: the digits are residues (not checked).
std::optional<oracle::Dyadic> mp_value_of(const MpArray& x, std::size_t k);

/// x as numbers over n moduli, each truncated once, or out of range. Throws std::invalid_argument unless n is 8, 16,
/// 32, 64 or 128; so do the other functions.
MpArray mp_from_values(int n, std::span<const oracle::Dyadic> x);

/// The numbers that decimal strings stand for, truncated once, or out of range. Throws std::invalid_argument for a text
/// that oracle::truncated_decimal refuses.
MpArray mp_from_decimals(int n, std::span<const std::string> x);

/// Number k rounded to nearest with `digits` significant decimal digits: "-1.5625e-1", "0"; "out of range" if it is out
/// of range. Requires: digits ≥ 1 (not checked).
std::string mp_to_decimal(const MpArray& x, std::size_t k, int digits);

/// f truncated once; out of range also for an infinity or a NaN. −0 is zero.
MpArray mp_from_mpfr(int n, mpfr_srcptr f);

/// f ← number k, rounded to f's precision; a NaN if it is out of range. Returns MPFR's ternary value. MPFR's default
/// range of exponents is smaller than that of residues: beyond it, MPFR's rules apply.
int mp_to_mpfr(mpfr_ptr f, const MpArray& x, std::size_t k, oracle::Rounding direction);

}  // namespace assay::mp
