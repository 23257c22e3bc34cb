#include "assay/conversions/answer.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

#include "assay/conversions/codes.hpp"
#include "assay/conversions/inputs.hpp"
#include "assay/conversions/runs.hpp"

namespace assay::conversions {
namespace {

using oracle::Expected;
using oracle::Number;
using oracle::NumberFormat;
using oracle::Rule;

constexpr std::size_t most_examples = 5;
constexpr std::size_t batch = 1 << 13;

/// The rules that decide about one kind of numbers, each once, with the inputs of that kind that break them.
class Part {
 public:
  /// The index of the rule's comparison. `rule` has the usual words for all aspects that do not matter here.
  std::size_t add(const Rule& rule) {
    const auto found = std::ranges::find(all, rule, &Compared::rule);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    all.push_back({rule});
    return all.size() - 1;
  }

  std::vector<Compared> all;
};

/// Compares codes with all rules. Infinities, NaNs and finite numbers depend on different words of a rule, so the
/// breaks of a rule are the sum over three parts.
class Comparison {
 public:
  Comparison(const NumberFormat& from, const NumberFormat& to, std::vector<Rule> rules)
      : from_(from), to_(to), rules_(std::move(rules)) {
    for (const Rule& each : rules_) {
      Rule finite = each;
      finite.infinite = {};
      finite.nan = {};
      Rule infinite{.is_high_first = each.is_high_first};
      infinite.infinite = each.infinite;
      infinite.negative = each.negative;
      Rule nan{.is_high_first = each.is_high_first};
      nan.nan = each.nan;
      places_.push_back({parts_[0].add(finite), parts_[1].add(infinite), parts_[2].add(nan)});
    }
  }

  /// `count` neighbors from the input on got this code, and each rule gives all of them one result. `other`: the code
  /// in the other half of a pair.
  void add(std::uint64_t input, std::uint64_t code, std::uint64_t count = 1, std::uint64_t other = 0) {
    const Number x = decode(from_, input);
    std::vector<Compared>& all = parts_[static_cast<std::size_t>(x.kind)].all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Compared& each = all[i];
      const std::uint64_t got = each.rule.is_high_first ? other : code;
      const bool is_first = i == 0 || all[i - 1].rule.direction != each.rule.direction;
      if (is_first && x.kind == Number::Kind::finite && got == converted(x, to_, each.rule).code && is_inside(x, got)) {
        while (i + 1 < all.size() && all[i + 1].rule.direction == each.rule.direction) ++i;
        continue;
      }
      const Expected expected = converted(x, to_, each.rule);
      if (fits(expected, to_, got)) continue;
      each.breaks += count;
      keep(each.examples, {input, got, expected});
    }
  }

  [[nodiscard]] Compared of(std::size_t rule) const {
    Compared compared{rules_[rule]};
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const Compared& each = parts_[part].all[places_[rule][part]];
      compared.breaks += each.breaks;
      for (const Example& example : each.examples) keep(compared.examples, example);
    }
    return compared;
  }

  [[nodiscard]] std::uint64_t breaks(std::size_t rule) const {
    std::uint64_t sum = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) sum += parts_[part].all[places_[rule][part]].breaks;
    return sum;
  }
  [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

 private:
  /// Whether the direction alone decides about a finite number that gets this code: no overflow, no zero, and no sign
  /// in an unsigned format.
  [[nodiscard]] bool is_inside(const Number& x, std::uint64_t code) const {
    const bool is_end = code == 0 || code == to_.sign_bit() || (code & ~to_.sign_bit()) >= to_.largest();
    return !is_end && !(x.negative && !to_.is_signed);
  }

  void keep(std::vector<Example>& examples, const Example& example) const {
    const auto before = [&](const Example& a, const Example& b) {
      return size_of(from_, a.input) < size_of(from_, b.input);
    };
    if (examples.size() == most_examples && !before(example, examples.back())) return;
    examples.insert(std::ranges::upper_bound(examples, example, before), example);
    if (examples.size() > most_examples) examples.pop_back();
  }

  const NumberFormat& from_;
  const NumberFormat& to_;
  std::vector<Rule> rules_;
  std::array<Part, 3> parts_;  ///< by Number::Kind
  std::vector<std::array<std::size_t, 3>> places_;
};

void convert(const Question& question, const Conversion& conversion, std::span<const std::uint64_t> inputs,
             std::span<std::uint64_t> codes) {
  conversion(inputs, codes);
  for (std::uint64_t& each : codes) each = without_extension(*question.to, each);
}

bool are_pairs(const Question& question) { return question.from->is_pair || question.to->is_pair; }

/// Converts at most 2^16 of the inputs again. Returns the smallest input that gets another code. `other`: 1 if the code
/// of an input is in the other half of its pair, else 0.
std::optional<Unsteady> repeated(const Question& question, const Conversion& conversion,
                                 std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> codes,
                                 std::size_t other) {
  std::vector<std::uint64_t> some;
  const Again again = asked_again(
      inputs.size(),
      [&](std::span<const std::size_t> places, std::span<std::uint64_t> results) {
        some.clear();
        for (const std::size_t place : places) some.push_back(inputs[place]);
        convert(question, conversion, some, results);
      },
      are_pairs(question));
  std::optional<Unsteady> worst;
  for (std::size_t i = 0; i < again.places.size(); ++i) {
    const std::size_t place = again.places[i];
    if (again.codes[i] == codes[place]) continue;
    const std::uint64_t input = inputs[place ^ other];
    if (worst && size_of(*question.from, worst->input) <= size_of(*question.from, input)) continue;
    worst = Unsteady{input, codes[place], again.codes[i]};
  }
  return worst;
}

/// The inputs of a binary format at which a rule may change its result, infinity and the first NaN, without signs.
std::vector<std::uint64_t> borders_of(const Question& question) {
  const std::uint64_t infinity = question.from->largest() + 1;
  std::vector<std::uint64_t> borders = borders_between(*question.from, *question.to);
  borders.erase(std::ranges::lower_bound(borders, infinity), borders.end());
  borders.insert(borders.end(), {infinity, infinity + 1});
  return borders;
}

/// Compares the inputs from `first` to `end` − 1, which have one code, at once between two borders.
void add_run(const Question& question, std::span<const std::uint64_t> borders, Run run, std::uint64_t end,
             Comparison& comparison) {
  const std::uint64_t sign = question.from->sign_bit();
  for (std::uint64_t begin = run.first; begin < end;) {
    const std::uint64_t magnitude = begin & ~sign;
    const auto border = std::ranges::upper_bound(borders, magnitude);
    const std::uint64_t limit = border == borders.end() ? sign : *border;
    const std::uint64_t count = std::min(limit - magnitude, end - begin);
    comparison.add(begin, run.code, count);
    begin += count;
  }
}

/// Converts every number of 32 bits.
void sweep(const Question& question, const Conversion& conversion, Comparison& comparison) {
  const std::uint64_t chunk = std::min(std::uint64_t{1} << 18, question.from->sign_bit());
  const std::vector<std::uint64_t> borders = borders_of(question);
  std::vector<std::uint64_t> inputs(chunk);
  std::vector<std::uint64_t> codes(chunk);
  for (std::uint64_t first = 0; first <= question.from->mask(); first += chunk) {
    std::iota(inputs.begin(), inputs.end(), first);
    convert(question, conversion, inputs, codes);
    for (std::uint64_t begin = 0; begin < chunk;) {
      std::uint64_t end = begin + 1;
      while (end < chunk && codes[end] == codes[begin]) ++end;
      add_run(question, borders, {first + begin, codes[begin]}, first + end, comparison);
      begin = end;
    }
  }
}

/// The rules that differ from this one in one word, aspect by aspect.
std::vector<std::size_t> near(const std::vector<Rule>& rules, const Rule& rule) {
  std::vector<std::size_t> found;
  for (std::size_t aspect = 0; aspect < choices_of(rule).size(); ++aspect) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      auto other = choices_of(rules[i]);
      const int word = std::exchange(other[aspect], choices_of(rule)[aspect]);
      if (other == choices_of(rule) && word != other[aspect]) found.push_back(i);
    }
  }
  return found;
}

/// The rules that a conversion follows, the nearest one and its neighbors, and the promised one.
void compare_rules(const Question& question, const Comparison& comparison, Answer& answer) {
  const std::vector<Rule>& all = comparison.rules();
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (comparison.breaks(i) == 0) answer.follows.push_back(all[i]);
    if (comparison.breaks(i) < comparison.breaks(nearest)) nearest = i;
  }
  answer.nearest = comparison.of(nearest);
  for (const std::size_t each : near(all, all[nearest])) {
    if (comparison.breaks(each) != 0) answer.others.push_back(comparison.of(each));
  }
  if (question.promised) {
    const auto place = std::ranges::find(all, *question.promised);
    if (place == all.end()) throw std::invalid_argument("wrap is not a rule where all inputs of 32 bits are tested");
    answer.promised = comparison.of(static_cast<std::size_t>(place - all.begin()));
  }
}

/// The rules that are compared on all inputs. Between two borders `wrap` gives many results.
std::vector<Rule> rules_of(const Question& question) {
  std::vector<Rule> rules = rules_between(*question.from, *question.to);
  if (question.every_input && !are_few(*question.from)) {
    std::erase_if(rules, [](const Rule& each) { return each.overflow == oracle::Overflow::wrap; });
  }
  return rules;
}

}  // namespace

Conversion on_patterns(const NumberFormat& from, const NumberFormat& to, ByteConversion conversion) {
  return [&from, &to, conversion = std::move(conversion)](std::span<const std::uint64_t> patterns,
                                                          std::span<std::uint64_t> codes) {
    std::vector<std::byte> results(to.bytes_for(codes.size()), std::byte{0xFF});
    conversion(in_memory(from, patterns), patterns.size(), results);
    from_memory(to, results, codes);
  };
}

bool Answer::holds() const { return !unsteady && (promised ? promised->breaks == 0 : nearest.breaks == 0); }

bool can_ask_every_input(const Question& question) {
  return are_few(*question.from) || (question.from->bits <= 32 && are_few(*question.to) && !question.to->is_pair);
}

std::pair<const NumberFormat*, const NumberFormat*> formats_of(const std::string& formats) {
  const std::size_t colon = formats.find(':');
  const auto format_named = [&](const std::string& name) {
    if (const NumberFormat* const found = oracle::find_number_format(name)) return found;
    std::string known;
    for (const NumberFormat& each : oracle::number_formats()) {
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw std::invalid_argument("unknown number format '" + name + "'; there are: " + known);
  };
  if (colon == std::string::npos) {
    throw std::invalid_argument("format: '" + formats + "'; name a source and a target, such as f32:e4m3fn");
  }
  const std::pair both{format_named(formats.substr(0, colon)), format_named(formats.substr(colon + 1))};
  if (both.first->is_pair && both.second->is_pair) {
    throw std::invalid_argument(formats + ": pairs are the source or the target, not both");
  }
  return both;
}

Question question_of(const std::string& formats, const std::string& rule, bool every_input, std::uint64_t seed) {
  const auto [from, to] = formats_of(formats);
  Question question{from, to, std::nullopt, every_input, seed};
  if (every_input && !can_ask_every_input(question)) {
    throw std::invalid_argument(formats +
                                ": every input is tested, so a source has at most 32 bits; if it has more than "
                                "16, the target has at most 16 and no pairs");
  }
  if (!rule.empty()) {
    question.promised = oracle::rule_named(rule);
    const std::vector<Rule> all = rules_between(*question.from, *question.to);
    if (!question.promised || std::ranges::find(all, *question.promised) == all.end()) {
      throw std::invalid_argument("no rule '" + rule + "' of " + formats +
                                  "; a rule has a word for direction, overflow and NaN, as " + name_of(all.front()) +
                                  "; `assay contracts convert` lists the words");
    }
  }
  return question;
}

Answer asked(const Question& question, const Conversion& conversion) {
  const NumberFormat& from = *question.from;
  const NumberFormat& to = *question.to;
  const bool is_swept = question.every_input && !are_few(from);
  Comparison comparison(from, to, rules_of(question));

  std::vector<std::uint64_t> inputs = inputs_of(from, to, question.seed, question.random);
  // Neighbors in a pair differ. The number of inputs is even: all codes, or magnitudes with both signs.
  if (are_pairs(question)) std::ranges::shuffle(inputs, std::mt19937_64(question.seed));
  std::vector<std::uint64_t> codes(inputs.size());
  for (std::size_t first = 0; first < inputs.size(); first += batch) {
    const std::size_t count = std::min(batch, inputs.size() - first);
    convert(question, conversion, std::span(inputs).subspan(first, count), std::span(codes).subspan(first, count));
  }
  Answer answer;
  answer.asked = inputs.size();
  answer.is_proof = are_few(from) || is_swept;
  if (is_swept) {
    sweep(question, conversion, comparison);
    answer.asked = std::uint64_t{1} << from.bits;
  } else {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      comparison.add(inputs[i], codes[i], 1, are_pairs(question) ? codes[i ^ 1] : 0);
    }
  }

  compare_rules(question, comparison, answer);
  answer.unsteady = repeated(question, conversion, inputs, codes, answer.nearest.rule.is_high_first ? 1 : 0);
  return answer;
}

Answer answer_of(const Question& question, std::span<const Run> runs) {
  const NumberFormat& from = *question.from;
  Comparison comparison(from, *question.to, rules_of(question));
  const std::vector<std::uint64_t> borders = are_few(from) ? std::vector<std::uint64_t>{} : borders_of(question);
  const std::uint64_t count = from.mask() + 1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run run{runs[i].first, without_extension(*question.to, runs[i].code)};
    const std::uint64_t end = i + 1 < runs.size() ? runs[i + 1].first : count;
    if (are_few(from)) {
      for (std::uint64_t input = run.first; input < end; ++input) comparison.add(input, run.code);
    } else {
      add_run(question, borders, run, end, comparison);
    }
  }
  Answer answer;
  answer.asked = count;
  answer.is_proof = true;
  answer.is_of_runs = true;
  compare_rules(question, comparison, answer);
  return answer;
}

}  // namespace assay::conversions
