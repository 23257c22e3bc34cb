#pragma once
// Conversions with stochastic rounding: a random word decides which neighbor is the result.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/low_precision.hpp"

namespace assay::oracle {

/// How many of the 2^r words of r bits round a number away from zero. Let δ be the distance of the number from its
/// neighbor toward zero, in units of the gap. The count is δ·2^r rounded down (`carry`), or rounded to the nearest
/// integer with ties up (`half_up`), ties to even (`nearest_even`) or ties to odd (`nearest_odd`).
enum class Draw { carry, half_up, nearest_even, nearest_odd };
inline constexpr int draws = 4;
inline constexpr int most_random_bits = 32;

/// How a conversion with a random word rounds. If k words round away from zero, they are the k largest words.
struct StochasticRule {
  Draw draw = Draw::carry;
  bool is_reversed = false;                    ///< the k smallest words round away from zero instead
  Rule rest{.direction = Direction::outward};  ///< everything but the direction
  bool operator==(const StochasticRule&) const = default;
};

/// "carry.saturate.nan": the name of the rule, with the draw in place of the direction.
std::string name_of(const StochasticRule& rule);
std::string_view name_of(Draw draw);
/// The rule with that name. Its words may have any order. Empty if the text names no rule.
std::optional<StochasticRule> stochastic_rule_named(std::string_view name);
/// Every rule between the two formats, without `wrap`. If several rules agree, the first one is the most usual.
std::vector<StochasticRule> stochastic_rules_between(const NumberFormat& from, const NumberFormat& to);
/// The draws and the word `reversed`, with their meanings.
const std::vector<RuleAspect>& stochastic_aspects();

/// The two results of a number, and how many of the 2^r words give `far`.
struct Chances {
  Expected near;            ///< toward zero
  Expected far;             ///< away from zero
  std::uint64_t words = 0;  ///< 0 where both results are the same
};
/// Uses integer arithmetic only. Requires: 1 ≤ bits ≤ most_random_bits (not checked).
Chances chances(const Number& x, const NumberFormat& to, const Rule& rest, Draw draw, int bits);
/// The result of x with one random word. Requires: word < 2^bits (not checked).
Expected converted(const Number& x, const NumberFormat& to, const StochasticRule& rule, int bits, std::uint64_t word);

/// numerator/2^exponent in lowest terms.
struct Fraction {
  std::int64_t numerator = 0;
  int exponent = 0;
  /// |this| < |other|
  [[nodiscard]] bool is_less(const Fraction& other) const;
};
/// The mean of the result's magnitude over all words, minus |x|, in units of the gap: words/2^bits − δ. Exact. Empty if
/// |x| is outside the range of the target's numbers.
std::optional<Fraction> bias(const Number& x, const NumberFormat& to, Draw draw, int bits);

}  // namespace assay::oracle
