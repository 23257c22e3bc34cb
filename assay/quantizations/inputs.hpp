#pragma once
// The blocks on which a quantizer is tested.

#include <cstdint>
#include <vector>

#include "assay/quantizations/blocks.hpp"

namespace assay::quantizations {

/// Blocks that test the scale: largest magnitudes M next to every point where a rule's power of two changes in each
/// binade (all M of a source of 16 bits), at every place and with both signs, among random numbers; blocks of zeros;
/// NaNs and infinities at every place.
std::vector<Group> groups_for_scales(const oracle::NumberFormat& from, const oracle::BlockFormat& format,
                                     std::uint64_t seed);

/// Blocks that test the codes under the scales of a rule: the reduced set of docs/bounds/quantize.md if scales are
/// powers of two, otherwise entries next to midpoints under a sample of scales. `every_entry`: all entries of a source
/// of 16 bits under each scale that is a power of two. `of_scales`: the blocks of the function above.
std::vector<Group> groups_for_codes(const oracle::NumberFormat& from, const oracle::QuantizationRule& rule,
                                    const std::vector<Group>& of_scales, bool every_entry, std::uint64_t seed);

/// Blocks of finite numbers in rows that end in a tail: of 1 number (of 2 if codes lie two in a byte), of about half a
/// block, and of nearly a block; alone in their row, or after a whole block. Requires: blocks of one row (not checked).
std::vector<Group> groups_with_tails(const oracle::NumberFormat& from, const oracle::BlockFormat& format,
                                     std::uint64_t seed);

}  // namespace assay::quantizations
