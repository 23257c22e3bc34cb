#pragma once
// Finds the rule that a conversion from outside follows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "oracle/low_precision.hpp"

namespace assay::conversions {

/// The conversion: codes[i] of inputs[i], both as patterns. Errors: any exception if it gives no answer.
using Conversion = std::function<void(std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes)>;

/// The same for numbers as they lie in memory, NumberFormat::bytes() each.
using ByteConversion =
    std::function<void(std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> codes)>;
Conversion on_patterns(const oracle::NumberFormat& from, const oracle::NumberFormat& to, ByteConversion conversion);

/// What is asked.
struct Question {
  const oracle::NumberFormat* from = nullptr;
  const oracle::NumberFormat* to = nullptr;
  std::optional<oracle::Rule> promised = std::nullopt;
  bool every_input = false;  ///< also all inputs of 32 bits; inputs of at most 16 bits are tested in any case
  std::uint64_t seed = 1;    ///< of the random inputs
  std::size_t random = std::size_t{1} << 15;  ///< a quarter of their number
};
/// Source and target of "f32:e4m3fn". Errors: std::invalid_argument for unknown names.
std::pair<const oracle::NumberFormat*, const oracle::NumberFormat*> formats_of(const std::string& formats);

/// Whether every input can be tested: a source of at most 32 bits; if it has more than 16, a target of at most 16.
bool can_ask_every_input(const Question& question);
/// The question with these names: "f32:e4m3fn", and a rule or no rule. Errors: std::invalid_argument for unknown names,
/// a rule that the formats do not have, and if every input of a source of 64 bits is requested.
Question question_of(const std::string& formats, const std::string& rule, bool every_input, std::uint64_t seed);

/// An input, the code that the conversion gave, and the code by a rule.
struct Example {
  std::uint64_t input = 0;
  std::uint64_t got = 0;
  oracle::Expected expected;
};

/// A rule, and the inputs that the conversion converts otherwise.
struct Compared {
  oracle::Rule rule;
  std::uint64_t breaks = 0;         ///< number of such inputs among the tested ones
  std::vector<Example> examples{};  ///< the smallest ones: by magnitude, then infinities, then NaNs, plus before minus
};

/// An input that got two codes.
struct Unsteady {
  std::uint64_t input = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

struct Answer {
  std::uint64_t asked = 0;
  bool is_proof = false;               ///< every input was tested
  bool is_of_runs = false;             ///< the results come from a list of runs
  std::vector<oracle::Rule> follows;   ///< all rules that no input contradicts
  Compared nearest;                    ///< follows.front() or, if there is none, the rule with the fewest breaks
  std::vector<Compared> others;        ///< the rules that differ from the nearest one in one word, and are not followed
  std::optional<Compared> promised;    ///< the comparison with the rule that was promised
  std::optional<Unsteady> unsteady{};  ///< the conversion is not a function of its input

  /// Whether the conversion follows the promised rule, or any rule if none was promised.
  [[nodiscard]] bool holds() const;
};

/// Converts its inputs in ascending order in long arrays, and at most 2^16 of them, evenly spread, once more in
/// descending order in arrays of 1 to 31 numbers. Pairs are drawn by the seed, and once more each with its halves
/// exchanged. Errors: the exceptions of the conversion.
Answer asked(const Question& question, const Conversion& conversion);

}  // namespace assay::conversions
