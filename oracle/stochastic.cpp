#include "oracle/stochastic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay::oracle {
namespace {

constexpr std::string_view reversed_word = "reversed";

/// |x| = (kept + rest/2^places)·unit, where `unit` is the target's unit at |x| and rest < 2^places.
struct Place {
  std::uint64_t rest;
  int places;
  bool is_above;   ///< |x| is larger than every number of the target
  bool is_beyond;  ///< |x| is at least the number that would follow the largest one
  bool is_below;   ///< |x| is smaller than every number of a target without a zero
};
/// Requires: x is finite and not zero (not checked).
Place place_of(const Number& x, const NumberFormat& to) {
  const int leading = static_cast<int>(std::bit_width(x.m)) - 1 + x.e;
  const int unit = to.is_integer() ? 0 : std::max(leading, to.emin) - to.precision + 1;
  const int places = std::max(unit - x.e, 0);
  const std::uint64_t rest = places >= 64 ? x.m : x.m & ((std::uint64_t{1} << places) - 1);
  const Number largest = decode(to, to.largest(x.negative));
  const int top = static_cast<int>(std::bit_width(largest.m)) - 1 + largest.e;
  const bool is_below = to.codes == Codes::no_zero && leading < to.emin;
  if (leading != top) return {rest, places, leading > top, leading > top, is_below};
  const std::uint64_t kept = x.e > unit ? x.m << (x.e - unit) : places >= 64 ? 0 : x.m >> places;
  return {rest, places, kept > largest.m || (kept == largest.m && rest != 0), kept > largest.m, is_below};
}

/// δ·2^bits, rounded by the rule of the draw.
std::uint64_t words_of(const Place& place, Draw draw, int bits) {
  const int shift = place.places - bits;
  if (shift <= 0) return place.rest << -shift;
  if (shift > 64) return 0;  // rest < 2^63
  const std::uint64_t floor = shift == 64 ? 0 : place.rest >> shift;
  const std::uint64_t left = shift == 64 ? place.rest : place.rest & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const bool is_odd = (floor & 1) != 0;
  const bool takes_tie = draw == Draw::half_up || (draw == Draw::nearest_even ? is_odd : !is_odd);
  const bool is_up = draw != Draw::carry && (left > half || (left == half && takes_tie));
  return floor + (is_up ? 1 : 0);
}

bool is_finite_and_not_zero(const Number& x) { return x.kind == Number::Kind::finite && x.m != 0; }

}  // namespace

const std::vector<RuleAspect>& stochastic_aspects() {
  static const std::vector<RuleAspect> all{
      {"draw",
       {{"carry", "away from zero for floor(d*2^r) of the 2^r words, d the distance from the neighbor toward zero"},
        {"half_up", "for d*2^r rounded to nearest, ties up"},
        {"nearest_even", "for d*2^r rounded to nearest, ties to even"},
        {"nearest_odd", "for d*2^r rounded to nearest, ties to odd"}}},
      {"words", {{"large", "the largest words round away from zero", true}, {reversed_word, "the smallest words do"}}}};
  return all;
}

std::string_view name_of(Draw draw) { return stochastic_aspects()[0].words[static_cast<std::size_t>(draw)].word; }

std::string name_of(const StochasticRule& rule) {
  const std::string rest = name_of(rule.rest);
  return std::string(name_of(rule.draw)) + rest.substr(rest.find('.')) +
         (rule.is_reversed ? "." + std::string(reversed_word) : "");
}

std::optional<StochasticRule> stochastic_rule_named(std::string_view name) {
  StochasticRule rule;
  std::optional<Draw> draw;
  std::string rest = "outward";
  while (true) {
    const std::size_t end = std::min(name.find('.'), name.size());
    const std::string_view word = name.substr(0, end);
    const std::vector<RuleWord>& words = stochastic_aspects()[0].words;
    const auto found = std::ranges::find(words, word, &RuleWord::word);
    if (found != words.end()) {
      if (draw) return std::nullopt;
      draw = static_cast<Draw>(found - words.begin());
    } else if (word == reversed_word) {
      if (rule.is_reversed) return std::nullopt;
      rule.is_reversed = true;
    } else {
      rest += "." + std::string(word);
    }
    if (end == name.size()) break;
    name.remove_prefix(end + 1);
  }
  const std::optional<Rule> others = rule_named(rest);
  if (!draw || !others) return std::nullopt;
  rule.draw = *draw;
  rule.rest = *others;
  return rule;
}

std::vector<StochasticRule> stochastic_rules_between(const NumberFormat& from, const NumberFormat& to) {
  std::vector<StochasticRule> rules;
  const std::vector<Rule> all = rules_between(from, to);
  for (const bool is_reversed : {false, true}) {
    for (int draw = 0; draw < draws; ++draw) {
      for (const Rule& rest : all) {
        if (rest.direction != Direction::outward || rest.overflow == Overflow::wrap) continue;
        rules.push_back({static_cast<Draw>(draw), is_reversed, rest});
      }
    }
  }
  return rules;
}

Chances chances(const Number& x, const NumberFormat& to, const Rule& rest, Draw draw, int bits) {
  const Expected far = converted(x, to, rest);
  if (!is_finite_and_not_zero(x)) return {far, far, 0};
  const Place place = place_of(x, to);
  if (place.is_beyond) return {far, far, 0};
  Rule truncation = rest;
  truncation.direction = Direction::zero;
  const Expected near = converted(x, to, truncation);
  return {near, far, near == far ? 0 : words_of(place, draw, bits)};
}

Expected converted(const Number& x, const NumberFormat& to, const StochasticRule& rule, int bits, std::uint64_t word) {
  const Chances of = chances(x, to, rule.rest, rule.draw, bits);
  const bool is_far = rule.is_reversed ? word < of.words : word + of.words >= std::uint64_t{1} << bits;
  return is_far ? of.far : of.near;
}

bool Fraction::is_less(const Fraction& other) const {
  return std::ldexp(std::fabs(static_cast<long double>(numerator)), -exponent) <
         std::ldexp(std::fabs(static_cast<long double>(other.numerator)), -other.exponent);
}

std::optional<Fraction> bias(const Number& x, const NumberFormat& to, Draw draw, int bits) {
  if (!is_finite_and_not_zero(x) || (x.negative && !to.is_signed)) return std::nullopt;
  const Place place = place_of(x, to);
  if (place.is_above || place.is_below) return std::nullopt;
  const int shift = place.places - bits;
  if (shift <= 0) return Fraction{};
  const std::uint64_t words = words_of(place, draw, bits);  // 0 if the shift is above 54
  const std::int64_t difference =
      (words == 0 ? 0 : static_cast<std::int64_t>(words << shift)) - static_cast<std::int64_t>(place.rest);
  if (difference == 0) return Fraction{};
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(difference));
  return Fraction{difference / (std::int64_t{1} << zeros), place.places - zeros};
}

}  // namespace assay::oracle
