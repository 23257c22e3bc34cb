#pragma once
// Which rule of stochastic rounding a conversion from outside follows: its random words are an argument, or it draws
// them itself.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/stochastic.hpp"

namespace assay::conversions {

/// codes[i] of inputs[i] and words[i], as patterns; no words where the conversion draws them. Errors: any exception
/// where it gives no answer.
using StochasticConversion = std::function<void(std::span<const std::uint64_t> inputs,
                                                std::span<const std::uint32_t> words, std::span<std::uint64_t> codes)>;

/// The same of numbers as they lie in memory, NumberFormat::bytes() each.
using StochasticByteConversion = std::function<void(
    std::span<const std::byte> inputs, std::span<const std::uint32_t> words, std::size_t count, std::span<std::byte>)>;
StochasticConversion on_patterns(const oracle::NumberFormat& from, const oracle::NumberFormat& to,
                                 StochasticByteConversion conversion);

/// What is asked.
struct StochasticQuestion {
  const oracle::NumberFormat* from = nullptr;
  const oracle::NumberFormat* to = nullptr;
  std::optional<oracle::StochasticRule> promised = std::nullopt;
  int bits = 0;           ///< of a random word
  bool is_drawn = false;  ///< the conversion draws its words itself
  std::uint64_t seed = 1;
  std::size_t random = 1 << 9;  ///< intervals of a target of more than 8 bits that are drawn
  std::size_t whole = 1 << 21;  ///< pairs that inputs with every word may have
  std::size_t draws = 1 << 18;  ///< of each input whose probability is tested
};
/// The question of the names. Errors: std::invalid_argument for unknown names, a rule that the formats do not have, a
/// number of bits that is not between 1 and 32, a target of more than 32 bits, and a promise of `reversed` words that
/// nobody sees.
StochasticQuestion stochastic_question_of(const std::string& formats, const std::string& rule, int bits, bool is_drawn,
                                          std::uint64_t seed);

/// An input, a word, the code that the conversion gave, and the results that a rule allows: `expected`, and, where the
/// word is not known, perhaps `other`.
struct StochasticExample {
  std::uint64_t input = 0;
  std::uint32_t word = 0;
  std::uint64_t got = 0;
  oracle::Expected expected;
  std::optional<oracle::Expected> other;
};

/// A rule, and the inputs and words that the conversion decides otherwise.
struct StochasticCompared {
  oracle::StochasticRule rule;
  std::uint64_t breaks = 0;
  std::vector<StochasticExample> examples{};  ///< the smallest ones by input, then by word
};

/// The input with the largest bias under a draw among those asked.
struct LargestBias {
  oracle::Draw draw = oracle::Draw::carry;
  oracle::Fraction bias;  ///< 0 where the draw is unbiased at each of them
  std::uint64_t input = 0;
};

/// How often an input was rounded away from zero.
struct Frequency {
  std::uint64_t input = 0;
  std::uint64_t draws = 0;
  std::uint64_t far = 0;
};
/// How often two results of one number were alike: those of neighbors, or of one place in two calls.
struct Agreement {
  std::size_t distance = 0;  ///< 0: two calls
  std::uint64_t pairs = 0;
  std::uint64_t alike = 0;
};
/// The input that speaks most against a draw.
struct Refusal {
  oracle::Draw draw = oracle::Draw::carry;
  Frequency at;
  std::uint64_t words = 0;  ///< how many of the 2^bits words round that input away from zero
};
/// What the results of a conversion that draws its words tell. Theorems convert.draws.1 and convert.draws.2.
struct Drawn {
  std::vector<Frequency> frequencies;
  std::vector<Agreement> agreements;
  std::vector<Refusal> refused;        ///< draws whose probabilities are not those of the conversion
  std::optional<Agreement> dependent;  ///< the most unlikely agreement, where it is refused
  double first_kind = 0;               ///< a conversion that follows a rule is refused with at most this probability
  double second_kind = 0;              ///< one that is off by `deviation` is accepted with at most this probability
  double deviation = 0;                ///< of the probability to round away from zero, at one of the inputs
  double deviation_of_binades = 0;     ///< the same at one of the inputs that are asked for their binades
  double shared = 0;                   ///< one that uses each word at two places is accepted with at most this
};

struct StochasticAnswer {
  std::uint64_t inputs = 0;  ///< asked
  std::uint64_t asked = 0;   ///< pairs of an input and a word, or draws
  std::uint64_t whole = 0;   ///< inputs that were asked with every word
  std::vector<oracle::StochasticRule> follows;
  StochasticCompared nearest;  ///< follows.front() or, where there is none, the rule with the fewest breaks
  std::vector<StochasticCompared> others;
  std::optional<StochasticCompared> promised;
  std::vector<LargestBias> biases;  ///< by draw
  std::optional<Drawn> drawn;
  std::optional<StochasticExample> unsteady;  ///< in another call, `expected` was the code

  /// Whether the conversion follows what was promised, or a rule where none was, and draws its words independently.
  [[nodiscard]] bool holds() const;
};

/// Whether the frequencies refuse a draw.
bool is_refused(const StochasticAnswer& answer, oracle::Draw draw);

/// Asks the conversion. Errors: its own.
StochasticAnswer asked(const StochasticQuestion& question, const StochasticConversion& conversion);

}  // namespace assay::conversions
