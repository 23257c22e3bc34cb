#pragma once
// Quantizers with a random word for each entry: the words on which they are tested, and the mean of their results.

#include <cstdint>
#include <span>
#include <vector>

#include "assay/quantizations/answer.hpp"

namespace assay::quantizations {

/// Gives each entry a random word.
void add_words(std::vector<Group>& groups, int bits, std::uint64_t seed);
/// Gives half of the entries another random word.
void change_words(Group& group, int bits, std::uint64_t seed);

/// Blocks under a sample of the scales of a rule. Their entries lie at and next to multiples of 2^(−bits − 1) of the
/// gaps between elements; each gets the words at which a draw changes its result, and some others. `of_scales`: blocks
/// with words.
std::vector<Group> groups_for_words(const Question& question, const oracle::QuantizationRule& rule,
                                    const std::vector<Group>& of_scales);

/// Whether a block can be quantized with all words.
bool can_ask_all_words(const Question& question);
/// Blocks in groups of copies, 2^bits of each block one after the other: each entry gets each word once, entries of a
/// block in different orders. None if they would have too many entries.
std::vector<Group> groups_of_all_words(const Question& question, const oracle::QuantizationRule& rule,
                                       const std::vector<Group>& of_scales);

/// The pattern of an M, and the k with which blocks of this M have the number 2^−k·x to round for each entry x,
/// exactly.
struct Anchor {
  std::uint64_t amax;
  int exponent;
};
Anchor anchor_of(const Question& question, const oracle::QuantizationRule& rule);
/// Tests the words that a quantizer draws: entries of blocks with the M of an anchor are a conversion to elements
/// (convert.draws.1, convert.draws.2).
conversions::Drawn drawn_by(const Question& question, const oracle::QuantizationRule& rule, const Quantizer& quantizer);
/// The conversion's question, for its texts.
conversions::StochasticQuestion question_of_entries(const Question& question, const oracle::QuantizationRule& rule);

/// Facts about the results: `groups`, and `of_all_words` as above. Two codes in a byte lie as in the nearest rule.
OverWords over_words_of(const Question& question, const oracle::QuantizationRule& nearest,
                        std::span<const Group> groups, std::span<const Group> of_all_words);

}  // namespace assay::quantizations
