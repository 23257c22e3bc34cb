#include "assay/conversions/stochastic.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "assay/conversions/answer.hpp"
#include "assay/conversions/codes.hpp"
#include "assay/conversions/draws.hpp"
#include "assay/conversions/stochastic_inputs.hpp"

namespace assay::conversions {
namespace {

using oracle::Chances;
using oracle::Number;
using oracle::NumberFormat;
using oracle::StochasticRule;

constexpr std::size_t most_examples = 5;
constexpr std::size_t batch = 1 << 13;
constexpr std::size_t repeats = 16;  // conversions of each input if the conversion draws its own words

/// Compares codes with all rules. Different words of a rule's name decide finite numbers, infinities and NaNs.
class StochasticComparison {
 public:
  StochasticComparison(const StochasticQuestion& question, std::vector<StochasticRule> rules)
      : question_(question), rules_(std::move(rules)) {
    for (const StochasticRule& each : rules_) {
      StochasticRule finite = each;
      finite.rest.infinite = {};
      finite.rest.nan = {};
      StochasticRule infinite;
      infinite.rest.infinite = each.rest.infinite;
      infinite.rest.negative = each.rest.negative;
      StochasticRule nan;
      nan.rest.nan = each.rest.nan;
      places_.push_back({add(parts_[0], finite), add(parts_[1], infinite), add(parts_[2], nan)});
    }
  }

  /// Compares the codes of one input: one code for each word or, if the conversion draws its words, for each draw.
  void compare(std::uint64_t input, std::span<const std::uint32_t> words, std::span<const std::uint64_t> codes) {
    const Number x = decode(*question_.from, input);
    const std::uint64_t all_words = std::uint64_t{1} << question_.bits;
    for (StochasticCompared& each : parts_[static_cast<std::size_t>(x.kind)]) {
      const StochasticRule& rule = each.rule;
      const Chances of = oracle::chances(x, *question_.to, rule.rest, rule.draw, question_.bits);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        StochasticExample example{input, question_.is_drawn ? 0 : words[i], codes[i], of.near, std::nullopt};
        if (question_.is_drawn) {
          if (of.words != 0) example.other = of.far;
        } else {
          const std::uint64_t word = words[i];
          const bool is_far = rule.is_reversed ? word < of.words : word + of.words >= all_words;
          if (is_far) example.expected = of.far;
        }
        if (fits(example.expected, *question_.to, codes[i])) continue;
        if (example.other && fits(*example.other, *question_.to, codes[i])) continue;
        ++each.breaks;
        keep(each.examples, example);
      }
    }
  }

  [[nodiscard]] StochasticCompared of(std::size_t rule) const {
    StochasticCompared compared{rules_[rule]};
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const StochasticCompared& each = parts_[part][places_[rule][part]];
      compared.breaks += each.breaks;
      for (const StochasticExample& example : each.examples) keep(compared.examples, example);
    }
    return compared;
  }
  [[nodiscard]] const std::vector<StochasticRule>& rules() const { return rules_; }

 private:
  static std::size_t add(std::vector<StochasticCompared>& part, const StochasticRule& rule) {
    const auto found = std::ranges::find(part, rule, &StochasticCompared::rule);
    if (found != part.end()) return static_cast<std::size_t>(found - part.begin());
    part.push_back({rule});
    return part.size() - 1;
  }

  void keep(std::vector<StochasticExample>& examples, const StochasticExample& example) const {
    const auto place = [&](const StochasticExample& each) {
      return std::pair{size_of(*question_.from, each.input), each.word};
    };
    if (examples.size() == most_examples && place(example) >= place(examples.back())) return;
    examples.insert(std::ranges::upper_bound(examples, place(example), {}, place), example);
    if (examples.size() > most_examples) examples.pop_back();
  }

  const StochasticQuestion& question_;
  std::vector<StochasticRule> rules_;
  std::array<std::vector<StochasticCompared>, 3> parts_;  ///< by Number::Kind
  std::vector<std::array<std::size_t, 3>> places_;
};

void convert(const StochasticQuestion& question, const StochasticConversion& conversion,
             std::span<const std::uint64_t> inputs, std::span<const std::uint32_t> words,
             std::span<std::uint64_t> codes) {
  conversion(inputs, words, codes);
  for (std::uint64_t& each : codes) each = without_extension(*question.to, each);
}

/// Pairs of an input and a word, and the place of the first pair of each input.
struct Pairs {
  std::vector<std::uint64_t> inputs;
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> begins;
};

/// The pairs of all inputs, and the number of inputs that get every word. These inputs are evenly spread.
std::pair<Pairs, std::uint64_t> pairs_of(const StochasticQuestion& question, std::span<const std::uint64_t> inputs) {
  const std::uint64_t words = std::uint64_t{1} << question.bits;
  const std::uint64_t whole = std::min<std::uint64_t>(question.whole >> question.bits, inputs.size());
  Pairs pairs;
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    pairs.begins.push_back(pairs.words.size());
    if (done < whole && i * whole >= done * inputs.size()) {
      for (std::uint64_t word = 0; word < words; ++word) pairs.words.push_back(static_cast<std::uint32_t>(word));
      ++done;
    } else {
      const Number x = decode(*question.from, inputs[i]);
      const std::vector<std::uint32_t> some = words_for(x, *question.to, question.bits, question.seed + i);
      pairs.words.insert(pairs.words.end(), some.begin(), some.end());
    }
    pairs.inputs.resize(pairs.words.size(), inputs[i]);
  }
  pairs.begins.push_back(pairs.words.size());
  return {std::move(pairs), done};
}

/// Converts some pairs again. Returns the smallest pair that gets another code.
std::optional<StochasticExample> repeated(const StochasticQuestion& question, const StochasticConversion& conversion,
                                          const Pairs& pairs, std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> inputs;
  std::vector<std::uint32_t> words;
  const Again again =
      asked_again(codes.size(), [&](std::span<const std::size_t> places, std::span<std::uint64_t> results) {
        inputs.clear();
        words.clear();
        for (const std::size_t place : places) {
          inputs.push_back(pairs.inputs[place]);
          words.push_back(pairs.words[place]);
        }
        convert(question, conversion, inputs, words, results);
      });
  std::optional<StochasticExample> worst;
  for (std::size_t i = 0; i < again.places.size(); ++i) {
    const std::size_t place = again.places[i];
    if (again.codes[i] == codes[place]) continue;
    const std::uint64_t input = pairs.inputs[place];
    if (worst && size_of(*question.from, worst->input) <= size_of(*question.from, input)) continue;
    worst = StochasticExample{
        input, pairs.words[place], codes[place], {oracle::Expected::Kind::code, again.codes[i]}, std::nullopt};
  }
  return worst;
}

/// The choices of a rule that its name always states: the draw, reversed words, and the rest.
std::array<int, 10> choices_of(const StochasticRule& rule) {
  std::array<int, 10> choices{static_cast<int>(rule.draw), rule.is_reversed ? 1 : 0};
  std::ranges::copy(oracle::choices_of(rule.rest), choices.begin() + 2);
  return choices;
}

bool is_near(const StochasticRule& a, const StochasticRule& b) {
  const std::array<int, 10> of_a = choices_of(a);
  const std::array<int, 10> of_b = choices_of(b);
  int different = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) different += of_a[i] == of_b[i] ? 0 : 1;
  return different == 1;
}

std::vector<LargestBias> biases_of(const StochasticQuestion& question, std::span<const std::uint64_t> inputs) {
  std::vector<LargestBias> largest;
  for (int draw = 0; draw < oracle::draws; ++draw) {
    LargestBias of{static_cast<oracle::Draw>(draw), {}, 0};
    for (const std::uint64_t each : inputs) {
      const auto found = oracle::bias(decode(*question.from, each), *question.to, of.draw, question.bits);
      if (found && of.bias.is_less(*found)) of = {of.draw, *found, each};
    }
    largest.push_back(of);
  }
  return largest;
}

/// Converts every input several times, and compares the results with the possible ones.
void ask_drawn(const StochasticQuestion& question, const StochasticConversion& conversion,
               std::span<const std::uint64_t> inputs, StochasticComparison& comparison) {
  std::vector<std::uint64_t> many;
  std::vector<std::uint64_t> codes;
  for (std::size_t first = 0; first < inputs.size(); first += batch / repeats) {
    const auto some = inputs.subspan(first, std::min(batch / repeats, inputs.size() - first));
    many.clear();
    for (const std::uint64_t each : some) many.insert(many.end(), repeats, each);
    codes.resize(many.size());
    convert(question, conversion, many, {}, codes);
    for (std::size_t i = 0; i < some.size(); ++i) {
      comparison.compare(some[i], {}, std::span(codes).subspan(i * repeats, repeats));
    }
  }
}

}  // namespace

StochasticConversion on_patterns(const NumberFormat& from, const NumberFormat& to,
                                 StochasticByteConversion conversion) {
  return [&from, &to, conversion = std::move(conversion)](std::span<const std::uint64_t> patterns,
                                                          std::span<const std::uint32_t> words,
                                                          std::span<std::uint64_t> codes) {
    on_patterns(from, to, [&](std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> results) {
      conversion(inputs, words, count, results);
    })(patterns, codes);
  };
}

StochasticQuestion stochastic_question_of(const std::string& formats, const std::string& rule, int bits, bool is_drawn,
                                          std::uint64_t seed) {
  const auto [from, to] = formats_of(formats);
  if (from->is_pair || to->is_pair) throw std::invalid_argument(formats + ": no pairs with random words");
  if (bits < 1 || bits > oracle::most_random_bits) {
    throw std::invalid_argument(std::to_string(bits) + " random bits; accepted are 1 to 32");
  }
  const std::uint64_t middle = to->bits > 32 ? 0 : input_of_agreements(*from, *to);
  const Chances of =
      oracle::chances(decode(*from, middle), *to, {.direction = oracle::Direction::outward}, oracle::Draw::carry, 1);
  if (of.words != 1) {
    throw std::invalid_argument(formats +
                                ": random words need a target of at most 32 bits, and a source with numbers "
                                "halfway between two numbers of the target");
  }
  StochasticQuestion question{from, to, std::nullopt, bits, is_drawn, seed};
  if (rule.empty()) return question;
  question.promised = oracle::stochastic_rule_named(rule);
  const std::vector<StochasticRule> all = stochastic_rules_between(*from, *to);
  if (!question.promised || std::ranges::find(all, *question.promised) == all.end()) {
    throw std::invalid_argument("no rule '" + rule + "' of " + formats +
                                " with random words; a rule has a word for draw, overflow and NaN, as " +
                                name_of(all.front()) + "; `assay contracts convert` lists the words");
  }
  if (is_drawn && question.promised->is_reversed) {
    throw std::invalid_argument("reversed: which words round away can be tested only if the words are an argument");
  }
  return question;
}

bool is_refused(const StochasticAnswer& answer, oracle::Draw draw) {
  return answer.drawn && std::ranges::find(answer.drawn->refused, draw, &Refusal::draw) != answer.drawn->refused.end();
}

bool StochasticAnswer::holds() const {
  if (unsteady || (drawn && drawn->dependent)) return false;
  const StochasticCompared& asked_for = promised ? *promised : nearest;
  return asked_for.breaks == 0 && !is_refused(*this, asked_for.rule.draw);
}

StochasticAnswer asked(const StochasticQuestion& question, const StochasticConversion& conversion) {
  const NumberFormat& from = *question.from;
  const NumberFormat& to = *question.to;
  std::vector<StochasticRule> rules = stochastic_rules_between(from, to);
  if (question.is_drawn) std::erase_if(rules, &StochasticRule::is_reversed);
  StochasticComparison comparison(question, std::move(rules));
  const std::vector<std::uint64_t> inputs = stochastic_inputs(from, to, question.bits, question.seed, question.random);
  StochasticAnswer answer;
  answer.inputs = inputs.size();
  answer.biases = biases_of(question, inputs);
  if (question.is_drawn) {
    ask_drawn(question, conversion, inputs, comparison);
    answer.drawn = drawn_by(question, conversion);
    answer.asked = repeats * inputs.size();
  } else {
    const auto [pairs, whole] = pairs_of(question, inputs);
    std::vector<std::uint64_t> codes(pairs.inputs.size());
    for (std::size_t first = 0; first < codes.size(); first += batch) {
      const std::size_t count = std::min(batch, codes.size() - first);
      convert(question, conversion, std::span(pairs.inputs).subspan(first, count),
              std::span(pairs.words).subspan(first, count), std::span(codes).subspan(first, count));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t count = pairs.begins[i + 1] - pairs.begins[i];
      comparison.compare(inputs[i], std::span(pairs.words).subspan(pairs.begins[i], count),
                         std::span(codes).subspan(pairs.begins[i], count));
    }
    answer.unsteady = repeated(question, conversion, pairs, codes);
    answer.asked = codes.size();
    answer.whole = whole;
  }

  const std::vector<StochasticRule>& all = comparison.rules();
  std::vector<StochasticCompared> compared;
  for (std::size_t i = 0; i < all.size(); ++i) compared.push_back(comparison.of(i));
  const auto distance = [&](const StochasticCompared& each) {
    return std::tuple{each.breaks, is_refused(answer, each.rule.draw)};
  };
  answer.nearest = *std::ranges::min_element(compared, {}, distance);
  for (const StochasticCompared& each : compared) {
    const bool is_followed = each.breaks == 0 && !is_refused(answer, each.rule.draw);
    if (is_followed) answer.follows.push_back(each.rule);
    if (each.breaks != 0 && is_near(each.rule, answer.nearest.rule)) answer.others.push_back(each);
    if (question.promised == each.rule) answer.promised = each;
  }
  return answer;
}

}  // namespace assay::conversions
