#pragma once
// Finds the rule of stochastic rounding that a conversion from outside follows. Its random words are an argument, or it
// draws its own words.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/stochastic.hpp"

namespace assay::conversions {

/// Computes codes[i] from inputs[i] and words[i], all as patterns. `words` is empty if the conversion draws its own.
/// Errors: any exception if it gives no answer.
using StochasticConversion = std::function<void(std::span<const std::uint64_t> inputs,
                                                std::span<const std::uint32_t> words, std::span<std::uint64_t> codes)>;

/// The same for numbers as they lie in memory, NumberFormat::bytes() each.
using StochasticByteConversion = std::function<void(
    std::span<const std::byte> inputs, std::span<const std::uint32_t> words, std::size_t count, std::span<std::byte>)>;
StochasticConversion on_patterns(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                 StochasticByteConversion conversion);

/// The formats, the promised rule, and how the conversion is tested.
struct StochasticQuestion {
  const oracle::NumberFormat* from = nullptr;
  const oracle::NumberFormat* to = nullptr;
  std::optional<oracle::StochasticRule> promised = std::nullopt;
  int bits = 0;           ///< bits of a random word
  bool is_drawn = false;  ///< the conversion draws its own words
  std::uint64_t seed = 1;
  std::size_t random = 1 << 9;           ///< number of random intervals of a target of more than 8 bits
  std::size_t whole = 1 << 21;           ///< most pairs of an input and a word for inputs that get every word
  std::size_t draws = 1 << 18;           ///< results of each input whose probability is tested
  std::optional<oracle::Number> most{};  ///< larger inputs do not occur
};
/// The question with these names. Errors: std::invalid_argument for unknown names, a rule that the formats do not have,
/// a number of bits outside 1 … 32, a target of more than 32 bits, and a promise of `reversed` for words that the
/// conversion draws.
StochasticQuestion stochastic_question_of(const std::string& formats, const std::string& rule, int bits, bool is_drawn,
                                          std::uint64_t seed);

/// An input, a word, the code that the conversion gave, and the results that a rule allows. If the word is unknown, two
/// results may be allowed: `expected` and `other`.
struct StochasticExample {
  std::uint64_t input = 0;
  std::uint32_t word = 0;
  std::uint64_t got = 0;
  oracle::Expected expected;
  std::optional<oracle::Expected> other;
};

/// A rule, and the inputs and words for which the conversion gives another result.
struct StochasticCompared {
  oracle::StochasticRule rule;
  std::uint64_t breaks = 0;
  std::vector<StochasticExample> examples{};  ///< the smallest ones by input, then by word
};

/// The input with the largest bias under a draw, among the tested inputs.
struct LargestBias {
  oracle::Draw draw = oracle::Draw::carry;
  oracle::Fraction bias;  ///< 0 if the draw is unbiased at all of them
  std::uint64_t input = 0;
};

/// How often an input was rounded away from zero.
struct Frequency {
  std::uint64_t input = 0;
  std::uint64_t draws = 0;
  std::uint64_t far = 0;
};
/// How often two results of one number were equal: at two places of one call, or at one place in two calls.
struct Agreement {
  std::size_t distance = 0;  ///< 0: two calls
  std::uint64_t pairs = 0;
  std::uint64_t alike = 0;
};
/// The strongest evidence against a draw.
struct Refusal {
  oracle::Draw draw = oracle::Draw::carry;
  Frequency at;
  std::uint64_t words = 0;  ///< how many of the 2^bits words round that input away from zero
};
/// The tests of a conversion that draws its own words: theorems convert.draws.1 and convert.draws.2.
struct Drawn {
  std::vector<Frequency> frequencies;
  std::vector<Agreement> agreements;
  std::vector<Refusal> refused;        ///< draws whose probabilities do not fit the results
  std::optional<Agreement> dependent;  ///< the most unlikely agreement, if the results are not independent
  double first_kind = 0;               ///< largest probability to refuse a conversion that follows a rule
  double second_kind = 0;              ///< largest probability to accept a conversion that is off by `deviation`
  double deviation = 0;                ///< error of the probability to round away from zero, at one of the inputs
  double deviation_of_binades = 0;     ///< the same at one of the inputs that stand for their binades
  double shared = 0;                   ///< largest probability to accept a conversion that uses each word twice
};

struct StochasticAnswer {
  std::uint64_t inputs = 0;  ///< number of inputs tested
  std::uint64_t asked = 0;   ///< number of pairs of an input and a word, or of draws
  std::uint64_t whole = 0;   ///< number of inputs that were tested with every word
  std::vector<oracle::StochasticRule> follows;
  StochasticCompared nearest;  ///< follows.front(), or if `follows` is empty, the rule with the fewest breaks
  std::vector<StochasticCompared> others;
  std::optional<StochasticCompared> promised;
  std::vector<LargestBias> biases;  ///< by draw
  std::optional<Drawn> drawn;
  std::optional<StochasticExample> unsteady;  ///< another call gave the code `expected`

  /// Whether the conversion follows the promised rule (any rule, if none was promised), and draws its words
  /// independently.
  [[nodiscard]] bool holds() const;
};

/// Whether the frequencies of results refuse a draw.
bool is_refused(const StochasticAnswer& answer, oracle::Draw draw);

/// Asks the conversion. Errors: the exceptions of the conversion.
StochasticAnswer asked(const StochasticQuestion& question, const StochasticConversion& conversion);

}  // namespace assay::conversions
