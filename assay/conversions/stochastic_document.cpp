#include "assay/conversions/stochastic_document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/conversions/document.hpp"
#include "errorbounds/convert_theorems.hpp"

namespace assay::conversions {
namespace {

using oracle::Chances;
using oracle::Fraction;

constexpr const char* theorem_of_words = convert_words_1.words.id.text;
constexpr const char* theorem_of_bias = convert_stochastic_1.words.id.text;
constexpr const char* theorem_of_frequencies = convert_draws_1.words.id.text;
constexpr const char* theorem_of_neighbors = convert_draws_2.words.id.text;

std::string example_text(const StochasticQuestion& question, const StochasticExample& each) {
  std::string text = text_of(*question.from, each.input);
  if (!question.is_drawn) text += fmt::format(" with the word {:#x}", each.word);
  text += fmt::format(" gives {}, not {}", text_of(*question.to, each.got), expected_text(*question.to, each.expected));
  if (each.other) text += " or " + expected_text(*question.to, *each.other);
  return text;
}

/// Each result of the input with the largest bias, and the probability of this result over all words.
std::string bias_text(const StochasticQuestion& question, const LargestBias& of, const oracle::Rule& rest) {
  if (of.bias.numerator == 0) return fmt::format("{}: no bias at any of the inputs", name_of(of.draw));
  const Chances chances = oracle::chances(decode(*question.from, of.input), *question.to, rest, of.draw, question.bits);
  const std::uint64_t all = std::uint64_t{1} << question.bits;
  return fmt::format("{}: largest bias {} of the gap: {} gives {} with probability {}, {} with {}", name_of(of.draw),
                     fraction_text(of.bias), text_of(*question.from, of.input),
                     expected_text(*question.to, chances.near), probability_text(all - chances.words, question.bits),
                     expected_text(*question.to, chances.far), probability_text(chances.words, question.bits));
}

std::string refusal_text(const StochasticQuestion& question, const Refusal& of) {
  return fmt::format("{} is rounded away from zero {} times of {}, with probability {} by {}",
                     text_of(*question.from, of.at.input), of.at.far, of.at.draws,
                     probability_text(of.words, question.bits), name_of(of.draw));
}

/// x with two digits. Requires: x > 0.
std::string rounded_up(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return fmt::format("{:.2g}", std::ceil(x / unit) * unit);
}

std::string head(const StochasticQuestion& question) {
  return fmt::format("convert {}:{} {} words of {} bits: ", question.from->name, question.to->name,
                     question.is_drawn ? "drawing" : "with", question.bits);
}

std::string broken_text(const StochasticQuestion& question, const StochasticAnswer& answer,
                        const StochasticCompared& of) {
  std::string text;
  if (of.breaks != 0) {
    text = fmt::format("{} is broken by {} of the {} {} tested, such as\n", name_of(of.rule), of.breaks, answer.asked,
                       question.is_drawn ? "results" : "pairs of an input and a word");
    for (const StochasticExample& each : of.examples) text += fmt::format("  {}\n", example_text(question, each));
  }
  if (!is_refused(answer, of.rule.draw)) return text;
  const auto found = std::ranges::find(answer.drawn->refused, of.rule.draw, &Refusal::draw);
  return text + fmt::format("{}{} has other probabilities: {}\n", text.empty() ? "" : "  ", name_of(of.rule),
                            refusal_text(question, *found));
}

bool breaks(const StochasticAnswer& answer, const StochasticCompared& of) {
  return of.breaks != 0 || is_refused(answer, of.rule.draw);
}

std::string evidence_text(const StochasticQuestion& question, const StochasticAnswer& answer) {
  if (!answer.drawn) {
    return fmt::format(
        "on {} pairs of {} inputs and words, with all words of {} of them: over the words a proof if the result "
        "changes "
        "at most once, over the inputs a sample ({})",
        answer.asked, answer.inputs, answer.whole, theorem_of_words);
  }
  return fmt::format("on {} results of {} inputs, and {} draws or fewer of each of {} inputs", answer.asked,
                     answer.inputs, question.draws, answer.drawn->frequencies.size());
}

store::Json json_of(const StochasticQuestion& question, const StochasticCompared& compared) {
  store::Json examples = store::Json::array();
  for (const StochasticExample& each : compared.examples) {
    store::Json example{{"input", text_of(*question.from, each.input)},
                        {"got", text_of(*question.to, each.got)},
                        {"expected", expected_text(*question.to, each.expected)}};
    if (!question.is_drawn) example["word"] = fmt::format("{:#x}", each.word);
    if (each.other) example["other"] = expected_text(*question.to, *each.other);
    examples.push_back(std::move(example));
  }
  return {{"rule", name_of(compared.rule)}, {"breaks", compared.breaks}, {"examples", std::move(examples)}};
}

}  // namespace

std::string dependence_text(const Drawn& drawn) {
  const Agreement& of = *drawn.dependent;
  const std::string which = of.distance == 0 ? "at one place in two calls" : fmt::format("{} apart", of.distance);
  return fmt::format(
      "its words are not independent: of {} pairs of results {}, {} agree, which is not about "
      "half",
      of.pairs, which, of.alike);
}

store::Json json_of(const StochasticQuestion& question, const Drawn& drawn) {
  const auto of_frequency = [&](const Frequency& each) {
    return store::Json{
        {"input", text_of(*question.from, each.input)}, {"draws", each.draws}, {"away_from_zero", each.far}};
  };
  const auto of_agreement = [](const Agreement& each) {
    return store::Json{{"distance", each.distance}, {"pairs", each.pairs}, {"alike", each.alike}};
  };
  store::Json json{{"first_kind", drawn.first_kind},
                   {"second_kind", drawn.second_kind},
                   {"deviation", drawn.deviation},
                   {"deviation_of_binades", drawn.deviation_of_binades},
                   {"shared", drawn.shared},
                   {"theorems", {theorem_of_frequencies, theorem_of_neighbors}},
                   {"frequencies", store::Json::array()},
                   {"agreements", store::Json::array()},
                   {"refused", store::Json::array()}};
  for (const Frequency& each : drawn.frequencies) json["frequencies"].push_back(of_frequency(each));
  for (const Agreement& each : drawn.agreements) json["agreements"].push_back(of_agreement(each));
  for (const Refusal& each : drawn.refused) {
    json["refused"].push_back({{"draw", name_of(each.draw)},
                               {"at", of_frequency(each.at)},
                               {"probability", probability_text(each.words, question.bits)}});
  }
  if (drawn.dependent) json["dependent"] = of_agreement(*drawn.dependent);
  return json;
}

std::string text_of(const StochasticQuestion& question, const Drawn& drawn) {
  std::string text;
  for (const Refusal& each : drawn.refused) {
    text += fmt::format("  not {}: {}\n", name_of(each.draw), refusal_text(question, each));
  }
  text += fmt::format(
      "  a conversion that follows a rule with independent words is refused with probability at most {}\n"
      "  a wrong probability to round away, off by {} at a tested input, is accepted with probability at most {} ({})\n"
      "  the same holds for one off by {} at an input that is tested for its binade\n"
      "  using each word for two places, a tested distance apart, is accepted with probability at most {} ({})\n",
      drawn.first_kind, rounded_up(drawn.deviation), drawn.second_kind, theorem_of_frequencies,
      rounded_up(drawn.deviation_of_binades), drawn.shared, theorem_of_neighbors);
  return text;
}

std::string fraction_text(const Fraction& of) {
  return of.exponent == 0 ? fmt::format("{}", of.numerator) : fmt::format("{}/2^{}", of.numerator, of.exponent);
}
std::string probability_text(std::uint64_t words, int bits) {
  const int zeros = words == 0 ? bits : std::countr_zero(words);
  return fraction_text({static_cast<std::int64_t>(words >> zeros), bits - zeros});
}

std::string text_of(const StochasticQuestion& question, const StochasticAnswer& answer) {
  std::string text;
  if (answer.unsteady) {
    const StochasticExample& each = *answer.unsteady;
    return head(question) + fmt::format(
                                "not a function of input and word: {} with the word {:#x} gives {} in one call, "
                                "{} in another\n",
                                text_of(*question.from, each.input), each.word, text_of(*question.to, each.got),
                                expected_text(*question.to, each.expected));
  }
  if (answer.drawn && answer.drawn->dependent) text += head(question) + dependence_text(*answer.drawn) + "\n";
  if (answer.promised && breaks(answer, *answer.promised)) {
    text += head(question) + broken_text(question, answer, *answer.promised);
  }
  if (answer.follows.empty()) {
    return text + fmt::format("{}follows no rule; the nearest one,\n{}", head(question),
                              broken_text(question, answer, answer.nearest));
  }
  text += fmt::format("{}follows {} {}\n", head(question), name_of(answer.follows.front()),
                      evidence_text(question, answer));
  std::vector<std::string> names;
  for (const auto& each : answer.follows) names.push_back(name_of(each));
  text += also_text(names);
  for (const LargestBias& each : answer.biases) {
    const auto found = std::ranges::find(answer.follows, each.draw, &oracle::StochasticRule::draw);
    if (found != answer.follows.end()) text += fmt::format("  {}\n", bias_text(question, each, found->rest));
  }
  for (const StochasticCompared& each : answer.others) {
    text += fmt::format("  not {}: {}\n", name_of(each.rule), example_text(question, each.examples.front()));
  }
  return answer.drawn ? text + text_of(question, *answer.drawn) : text;
}

store::Json document_of(const StochasticQuestion& question, const StochasticAnswer& answer) {
  store::Json follows = store::Json::array();
  for (const oracle::StochasticRule& each : answer.follows) follows.push_back(name_of(each));
  store::Json others = store::Json::array();
  for (const StochasticCompared& each : answer.others) others.push_back(json_of(question, each));
  store::Json biases = store::Json::array();
  for (const LargestBias& each : answer.biases) {
    store::Json bias{{"draw", name_of(each.draw)}, {"bias", fraction_text(each.bias)}};
    if (each.bias.numerator != 0) {
      const oracle::Rule rest{.direction = oracle::Direction::outward};
      const Chances chances =
          oracle::chances(decode(*question.from, each.input), *question.to, rest, each.draw, question.bits);
      bias["input"] = text_of(*question.from, each.input);
      bias["away_from_zero"] = probability_text(chances.words, question.bits);
    }
    biases.push_back(std::move(bias));
  }
  store::Json document{{"schema", store::schema_number},
                       {"operation", "convert"},
                       {"source", question.from->name},
                       {"target", question.to->name},
                       {"random_bits", question.bits},
                       {"words", question.is_drawn ? "drawn" : "given"},
                       {"asked", answer.asked},
                       {"inputs", answer.inputs},
                       {"whole", answer.whole},
                       {"proof", false},
                       {"theorem", answer.drawn ? theorem_of_frequencies : theorem_of_words},
                       {"holds", answer.holds()},
                       {"follows", std::move(follows)},
                       {"nearest", json_of(question, answer.nearest)},
                       {"others", std::move(others)},
                       {"biases", std::move(biases)},
                       {"theorem_of_bias", theorem_of_bias}};
  if (answer.promised) document["promised"] = json_of(question, *answer.promised);
  if (answer.drawn) document["drawn"] = json_of(question, *answer.drawn);
  if (answer.unsteady) {
    document["unsteady"] = {{"input", text_of(*question.from, answer.unsteady->input)},
                            {"word", fmt::format("{:#x}", answer.unsteady->word)},
                            {"first", text_of(*question.to, answer.unsteady->got)},
                            {"second", expected_text(*question.to, answer.unsteady->expected)}};
  }
  document["text"] = text_of(question, answer);
  return document;
}

}  // namespace assay::conversions
