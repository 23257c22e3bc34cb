#pragma once
// Facts about the results of a quantizer, whatever rule it follows.

#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/quantizations/answer.hpp"

namespace assay::quantizations {

/// A bound |x − x̂| ≤ numerator/denominator·(1 + 2^−slack)·S. If slack is 0, the factor (1 + 2^−slack) is omitted. S is
/// M; max − min, both extended to 0; or the stored scale, and then x is moved into the range that the codes stand for.
struct RoundTripBound {
  enum class Of { amax, width, scale };
  oracle::ScaleRule scale;
  std::uint64_t numerator;
  std::uint64_t denominator;
  int slack;
  std::string_view theorem;
  Of of = Of::amax;
};
/// The bound of entries rounded to nearest under scales of that rule (docs/bounds/quantize.md); empty if there is
/// none.
std::optional<RoundTripBound> round_trip_bound(const oracle::BlockFormat& format, oracle::ScaleRule scale);
/// Whether a bound applies to a block: the block is finite, and no scale of it is clamped or subnormal.
bool has_bound(const oracle::BlockFormat& format, const Block& block);

/// Facts about blocks with results. Two codes in a byte lie as in the rule that is nearest to the results. Quantizes x̂
/// once more if the source can represent it.
Facts facts_of(const Question& question, const oracle::QuantizationRule& nearest, const Quantizer& quantizer,
               const std::vector<Group>& groups);

}  // namespace assay::quantizations
