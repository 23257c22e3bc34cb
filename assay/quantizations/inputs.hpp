#pragma once
// The blocks on which a quantizer is tested.

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "assay/quantizations/blocks.hpp"

namespace assay::quantizations {

/// A block of these numbers, without results. The largest magnitude of its tensor is not set.
Block block_of(const oracle::NumberFormat& from, std::vector<std::uint64_t> patterns);
/// Sets the largest magnitude of the tensor in each of its blocks.
void set_tensor_amax(Group& group);
/// The code of the largest number that is not above m·2^e, or x. Requires: x ≥ 0 (not checked).
std::uint64_t at_most(const oracle::NumberFormat& of, std::uint64_t m, int e);
std::uint64_t at_most(const oracle::NumberFormat& of, double x);
/// The magnitude of x. Requires: x is finite (not checked).
double magnitude_of(const oracle::Number& x);
/// Magnitudes M for scales that are not powers of two: in the binades from `low` to `high`.
std::vector<std::uint64_t> sampled_magnitudes(const oracle::NumberFormat& from, std::mt19937_64& random,
                                              std::size_t count, int low, int high);
/// The scales of a rule that are powers of two, in ascending order, with the largest M of the blocks that has it.
std::map<std::uint64_t, oracle::Number> largest_of_scales(const oracle::QuantizationRule& rule,
                                                          const std::vector<Group>& of_scales);

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
