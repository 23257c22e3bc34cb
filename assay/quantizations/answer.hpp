#pragma once
// Finds the rule that a quantizer of blocks from outside follows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/conversions/stochastic.hpp"
#include "assay/quantizations/blocks.hpp"

namespace assay::quantizations {

/// The quantizer of a tensor, whose numbers are passed as they lie in memory. `words`: a random word for each number,
/// or none. Errors: any exception if it gives no answer.
using Quantizer = std::function<void(std::size_t rows, std::size_t columns, std::span<const std::byte> x,
                                     std::span<const std::uint32_t> words, std::span<std::byte> codes,
                                     std::span<std::byte> scales, std::span<std::byte> seconds)>;

/// Promises other than a rule.
enum class Promise { none, rule, round_trip, idempotent, monotone, unbiased };

/// What is asked.
struct Question {
  const oracle::NumberFormat* from = nullptr;
  const oracle::BlockFormat* to = nullptr;
  Promise promise = Promise::none;
  std::optional<oracle::QuantizationRule> promised = std::nullopt;  ///< a rule, or the scale rule of a round trip
  bool every_entry = false;  ///< for a source of 16 bits, under each scale that is a power of two
  std::uint64_t seed = 1;
  bool has_tails = false;       ///< some rows end in a shorter block
  int random_bits = 0;          ///< bits of the random word of each entry; 0: no entry has one
  bool is_drawn = false;        ///< the quantizer draws its words itself
  std::size_t draws = 1 << 18;  ///< results of each entry whose probability is tested then
  /// The rules that may be the answer.
  [[nodiscard]] std::vector<oracle::QuantizationRule> finite_rules() const;
};
/// The question with these names: "f32:mxfp4" or "f32:mxfp4:tails", and "mxfp4.floor.even", "round_trip.floor",
/// "idempotent", "monotone" or nothing. With random words: "mxfp4.floor.carry", "unbiased" or nothing. Errors:
/// std::invalid_argument for unknown names, and a format or a number of bits without random words.
Question question_of(const std::string& formats, const std::string& contract, bool every_entry, std::uint64_t seed,
                     int random_bits = 0, bool is_drawn = false);

/// A result of a block that differs from the result of a rule.
struct Example {
  enum class Place { scale, second, code };
  Place place = Place::scale;
  std::uint64_t entry = 0;              ///< the pattern of the code or scale
  std::optional<std::uint32_t> word{};  ///< of the entry
  oracle::Number amax;
  bool has_nan = false;
  bool has_infinity = false;
  std::uint64_t got = 0;
  oracle::Wanted wanted;
};

/// A rule, and the blocks that the quantizer quantizes otherwise.
struct Compared {
  oracle::QuantizationRule rule;
  std::uint64_t breaks = 0;         ///< number of such blocks among the tested ones
  std::vector<Example> examples{};  ///< the blocks with the smallest M; NaNs and infinities come last
};

/// Facts about the results, whatever rule they follow.
struct Facts {
  /// The largest |x − x̂|/M, for an entry x and its dequantized value x̂, and its block; rounded up in the last place.
  double round_trip = 0;
  std::uint64_t worst_entry = 0;
  oracle::Number worst_amax;
  std::vector<std::string> kept_round_trips;  ///< scale rules whose bound the results keep
  std::optional<Example> not_monotone;        ///< an entry with a smaller value than a smaller entry, or a NaN
  bool asked_again = false;                   ///< whether x̂ was quantized again
  std::optional<Example> not_idempotent;      ///< an entry whose x̂ is quantized to another value
};

/// The mean of the results of an entry over all words.
struct Mean {
  std::uint64_t entry = 0;
  oracle::Number amax;
  double scaled = 0;  ///< the entry over the stored scale
  double mean = 0;    ///< of the numbers of its codes; exact
};
/// Facts about the results with random words.
struct OverWords {
  std::uint64_t entries = 0;     ///< entries within the range of the elements that got every word
  std::uint64_t beyond = 0;      ///< other entries that got every word
  std::optional<Mean> biased;    ///< one of them that breaks the contract `unbiased`
  std::uint64_t rounded = 0;     ///< entries within the range that are not elements, over all blocks
  std::uint64_t exact = 0;       ///< those of them whose mean by the nearest rule is the scaled entry
  oracle::Fraction largest{};    ///< the largest bias by the nearest rule, in units of the gap between two elements
  Example at;                    ///< the entry that has it
  std::uint64_t words_away = 0;  ///< how many words round it away from zero
  std::optional<conversions::Drawn> drawn{};  ///< the tests of words that the quantizer draws
};

struct Answer {
  std::uint64_t blocks = 0;
  std::uint64_t entries = 0;
  std::vector<oracle::QuantizationRule> follows;  ///< rules that no block contradicts, the nearest one first
  Compared nearest;
  std::vector<Compared> others;      ///< rules that differ from the nearest one in one word, with one example
  std::optional<Compared> promised;  ///< the comparison with the rule that was promised
  /// M of a block that is quantized differently in two places. With random words: an entry with the same word, in
  /// another place and beside entries with other words.
  std::optional<oracle::Number> unsteady;
  Facts facts;                            ///< without random words
  std::optional<OverWords> over_words{};  ///< with random words

  /// Whether the frequencies of results refuse the draw of a rule.
  [[nodiscard]] bool is_refused(const oracle::QuantizationRule& rule) const;
  /// Whether words that the quantizer draws are not independent.
  [[nodiscard]] bool is_dependent() const { return over_words && over_words->drawn && over_words->drawn->dependent; }
  /// Whether the blocks tell no two rules apart, as where all stored scales are 0.
  [[nodiscard]] bool shows_nothing() const { return !follows.empty() && others.empty(); }
  /// Whether the quantizer keeps what was promised; if nothing was promised, whether it follows a rule. An answer that
  /// shows nothing holds for no promise.
  [[nodiscard]] bool holds(const Question& question) const;
};

/// Asks the quantizer. Every block is quantized a second time, in another place of a tensor of another shape; with
/// random words, half of the entries get another word there. Errors: the exceptions of the quantizer.
Answer asked(const Question& question, const Quantizer& quantizer);

/// A tensor and its results. Errors: the exceptions of the quantizer.
void fill_results(const Question& question, const Quantizer& quantizer, Group& group, std::size_t blocks_in_a_row);

/// Whether x̂ is quantized again for the contract `idempotent`. This needs scales that are powers of two: then the
/// source can represent x̂.
bool can_ask_again(const oracle::BlockFormat& format);

/// Whether the answer is a proof for finite blocks, by quantize.reduced.1.
bool has_theorem(const Question& question);

}  // namespace assay::quantizations
