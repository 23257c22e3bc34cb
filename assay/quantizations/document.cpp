#include "assay/quantizations/document.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assay/conversions/document.hpp"
#include "assay/conversions/stochastic_document.hpp"
#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/stochastic.hpp"
#include "errorbounds/convert_theorems.hpp"
#include "errorbounds/quantize_theorems.hpp"

namespace assay::quantizations {
namespace {

using conversions::text_of;
using oracle::BlockFormat;
using oracle::Number;
using oracle::NumberFormat;
using oracle::QuantizationAspect;

constexpr const char* theorem = quantize_reduced_1.words.id.text;
constexpr const char* theorem_of_words = convert_words_1.words.id.text;
constexpr const char* theorem_of_draws = convert_draws_1.words.id.text;
constexpr const char* theorem_of_means = quantize_stochastic_1.words.id.text;

std::string number_text(const Number& x) { return fmt::format("{:a}", std::ldexp(static_cast<double>(x.m), x.e)); }

const NumberFormat& format_of(const BlockFormat& format, Example::Place place) {
  if (place == Example::Place::scale) return format.scale;
  return place == Example::Place::second ? *format.second : format.element;
}

/// The value of an entry: "-0x1.8p-1", "nan".
std::string entry_text(const Question& question, std::uint64_t pattern) {
  const std::string both = text_of(*question.from, pattern);
  return both.substr(both.find("= ") + 2);
}

std::string block_text(const Example& example) {
  std::string text =
      example.amax.m == 0 ? std::string("a block of zeros") : "a block with amax " + number_text(example.amax);
  if (example.has_nan) text += " and a NaN";
  if (example.has_infinity) text += " and an infinity";
  return text;
}

std::string wanted_text(const NumberFormat& format, const oracle::Wanted& wanted) {
  if (wanted.kind == oracle::Wanted::Kind::nan) return "a NaN";
  return text_of(format, wanted.code) + (wanted.other ? " or " + text_of(format, *wanted.other) : "");
}

/// The entry of an example in its block, or its block.
std::string input_text(const Question& question, const Example& example) {
  if (example.place != Example::Place::code) return block_text(example);
  const std::string word = example.word ? fmt::format(" with the word {:#x}", *example.word) : "";
  return fmt::format("{}{} in {}", entry_text(question, example.entry), word, block_text(example));
}

/// "gives 0x4 = 0x1p+1, not 0x3 = 0x1.8p+0".
std::string result_text(const Question& question, const Example& example) {
  const NumberFormat& format = format_of(*question.to, example.place);
  const std::string rest = fmt::format("{}, not {}", text_of(format, example.got), wanted_text(format, example.wanted));
  if (example.place == Example::Place::code) return "gives " + rest;
  const char* const what = example.place == Example::Place::scale                ? "the scale"
                           : question.to->scaling == oracle::Scaling::minimum    ? "the minimum"
                           : question.to->scaling == oracle::Scaling::zero_point ? "the zero point"
                                                                                 : "the number of its tensor";
  return fmt::format("gets {} {}", what, rest);
}

std::string example_text(const Question& question, const Example& example) {
  return input_text(question, example) + " " + result_text(question, example);
}

std::string broken_text(const Question& question, const Answer& answer, const Compared& compared) {
  std::string text = fmt::format("{} is broken by {} of the {} blocks tested, such as\n", name_of(compared.rule),
                                 compared.breaks, answer.blocks);
  for (const Example& each : compared.examples) text += fmt::format("  {}\n", example_text(question, each));
  return text;
}

/// The nearest rule and what breaks it: "follows R, but for inputs like X in a block with amax Y". If more than half of
/// the blocks break it, no rule is followed.
std::string nearest_text(const Question& question, const Answer& answer) {
  const Compared& nearest = answer.nearest;
  if (nearest.breaks == 0)
    return fmt::format("follows {} but for the frequencies of its results\n", name_of(nearest.rule));
  if (2 * nearest.breaks > answer.blocks) {
    return fmt::format("follows no rule; the nearest one,\n{}", broken_text(question, answer, nearest));
  }
  const Example& smallest = nearest.examples.front();
  std::string text = fmt::format("follows {}, but for inputs like {}: it {}\n", name_of(nearest.rule),
                                 input_text(question, smallest), result_text(question, smallest));
  text += fmt::format("  the rule is broken by {} of the {} blocks tested{}\n", nearest.breaks, answer.blocks,
                      nearest.examples.size() > 1 ? ", such as" : "");
  for (std::size_t i = 1; i < nearest.examples.size(); ++i) {
    text += fmt::format("  {}\n", example_text(question, nearest.examples[i]));
  }
  return text;
}

std::string evidence_text(const Question& question) {
  if (question.is_drawn) return "a sample";
  if (question.random_bits != 0) {
    return fmt::format(
        "of the words of each entry a proof if its code changes at most once as the word rises ({}), "
        "of blocks and entries a sample",
        theorem_of_words);
  }
  return has_theorem(question) ? fmt::format(
                                     "a proof, NaNs and infinities apart, if a scale depends on amax and a code "
                                     "on scale and entry alone, both monotone ({})",
                                     theorem)
                               : "a sample";
}

std::string facts_text(const Question& question, const Answer& answer) {
  const Facts& facts = answer.facts;
  std::string text = fmt::format(
      "  round trip: |x - x'| <= {:a}*amax = {:.5f}*amax, most at {} in a block with amax {}\n", facts.round_trip,
      facts.round_trip, entry_text(question, facts.worst_entry), number_text(facts.worst_amax));
  constexpr std::array units{"", " of max - min", " of the stored scale"};
  for (const std::string& each : facts.kept_round_trips) {
    for (const oracle::QuantizationRule& rule : finite_rules_of(*question.to)) {
      if (scale_word(rule.scale) != each) continue;
      const RoundTripBound bound = *round_trip_bound(*question.to, rule.scale);
      text += fmt::format("    keeps round_trip.{}: {}/{}{}{} ({})\n", each, bound.numerator, bound.denominator,
                          bound.slack == 0 ? "" : fmt::format("*(1 + 2^-{})", bound.slack),
                          units[static_cast<std::size_t>(bound.of)], bound.theorem);
      break;
    }
  }
  text += facts.not_monotone
              ? fmt::format("  not monotone: {} in {} gets a smaller value than a smaller entry, or a NaN\n",
                            entry_text(question, facts.not_monotone->entry), block_text(*facts.not_monotone))
              : "  monotone in each block\n";
  if (facts.not_idempotent) {
    text += fmt::format("  not idempotent: {} in {} gets another value when its value is quantized again\n",
                        entry_text(question, facts.not_idempotent->entry), block_text(*facts.not_idempotent));
  } else if (facts.asked_again) {
    text += "  idempotent: values quantized again are the same\n";
  }
  return text;
}

/// The largest bias by the rule, if it is followed, and whether the results of the entries that got every word are
/// unbiased.
std::string over_words_text(const Question& question, const Answer& answer) {
  const OverWords& facts = *answer.over_words;
  std::string text;
  if (answer.nearest.breaks == 0) {
    text =
        fmt::format("  over all words {} of {} entries between two elements have no bias", facts.exact, facts.rounded);
    if (facts.largest.numerator != 0) {
      text += fmt::format("; largest bias {} of the gap: {} in {} is rounded away from zero with probability {}",
                          conversions::fraction_text(facts.largest), entry_text(question, facts.at.entry),
                          block_text(facts.at), conversions::probability_text(facts.words_away, question.random_bits));
    }
    text += "\n";
  }
  if (facts.biased) {
    const Mean& of = *facts.biased;
    return text + fmt::format(
                      "  not unbiased: over all words {} in a block with amax {}, which is {:a} over its scale, "
                      "has results with the mean {:a}, or results that are not next to it ({})\n",
                      entry_text(question, of.entry), number_text(of.amax), of.scaled, of.mean, theorem_of_means);
  }
  if (facts.drawn) return text + text_of(question_of_entries(question, answer.nearest.rule), *facts.drawn);
  if (facts.entries == 0) return text;
  return text + fmt::format(
                    "  keeps unbiased: the mean over all words is less than 2^-{} of the gap{} away from each of {} "
                    "entries ({}); {} are beyond the largest number\n",
                    question.random_bits, has_theorem(question) ? "" : " and 2^-20 of the entry", facts.entries,
                    theorem_of_means, facts.beyond);
}

std::string facts_of_answer(const Question& question, const Answer& answer) {
  return answer.over_words ? over_words_text(question, answer) : facts_text(question, answer);
}

store::Json json_of(const Question& question, const Compared& compared) {
  store::Json examples = store::Json::array();
  for (const Example& each : compared.examples) {
    const NumberFormat& format = format_of(*question.to, each.place);
    constexpr std::array places{"scale", "second", "code"};
    store::Json example{{"place", places[static_cast<std::size_t>(each.place)]},
                        {"entry", each.place == Example::Place::code ? entry_text(question, each.entry) : ""},
                        {"block", block_text(each)},
                        {"got", text_of(format, each.got)},
                        {"expected", wanted_text(format, each.wanted)}};
    if (each.word) example["word"] = fmt::format("{:#x}", *each.word);
    examples.push_back(std::move(example));
  }
  return {{"rule", name_of(compared.rule)}, {"breaks", compared.breaks}, {"examples", std::move(examples)}};
}

std::string promise_text(const Question& question) {
  switch (question.promise) {
    case Promise::round_trip:
      return fmt::format("round_trip.{}", scale_word(question.promised->scale));
    case Promise::idempotent:
      return "idempotent";
    case Promise::monotone:
      return "monotone";
    case Promise::unbiased:
      return "unbiased";
    default:
      return "";
  }
}

}  // namespace

std::string text_of(const Question& question, const Answer& answer) {
  const std::string with_words = question.random_bits == 0 ? ""
                                 : question.is_drawn ? fmt::format(" drawing words of {} bits", question.random_bits)
                                                     : fmt::format(" with words of {} bits", question.random_bits);
  const std::string head = fmt::format("quantize {}:{}{}: ", question.from->name, question.to->name, with_words);
  if (answer.unsteady && question.random_bits != 0 && !question.is_drawn) {
    return head + fmt::format(
                      "a code depends on more than the numbers of its block and its word: in a block with amax {} "
                      "an entry with the same word has two codes, beside entries with other words or in another "
                      "place\n",
                      number_text(*answer.unsteady));
  }
  if (answer.unsteady) {
    return head + fmt::format("not a function of a block: one with amax {} has two results in two places\n",
                              number_text(*answer.unsteady));
  }
  std::string text;
  if (answer.is_dependent()) {
    text += head + conversions::dependence_text(*answer.over_words->drawn) + "\n";
  }
  if (answer.promised && answer.promised->breaks != 0) text += head + broken_text(question, answer, *answer.promised);
  if (answer.promised && answer.promised->breaks == 0 && answer.is_refused(answer.promised->rule)) {
    text += head + fmt::format("{} is broken by the frequencies of the results\n", name_of(answer.promised->rule));
  }
  if (!promise_text(question).empty()) {
    text += head + fmt::format("{} is {}\n", promise_text(question), answer.holds(question) ? "kept" : "broken");
  }
  if (answer.follows.empty()) {
    text += head + nearest_text(question, answer);
    return text + facts_of_answer(question, answer);
  }
  if (answer.shows_nothing()) {
    return text + head + "follows every rule, so the blocks show none: are all scales 0?\n" +
           facts_of_answer(question, answer);
  }
  text += head + fmt::format("follows {} on all {} blocks tested, with {} entries{}: {}\n",
                             name_of(answer.nearest.rule), answer.blocks, answer.entries,
                             question.has_tails ? ", tails among them" : "", evidence_text(question));
  text += facts_of_answer(question, answer);
  for (std::size_t i = 1; i < answer.follows.size(); ++i) {
    text += fmt::format("  and on these blocks {}\n", name_of(answer.follows[i]));
  }
  for (const Compared& each : answer.others) {
    text += fmt::format("  not {}: {}\n", name_of(each.rule), example_text(question, each.examples.front()));
  }
  return text;
}

store::Json document_of(const Question& question, const Answer& answer) {
  store::Json follows = store::Json::array();
  for (const oracle::QuantizationRule& each : answer.follows) follows.push_back(name_of(each));
  store::Json others = store::Json::array();
  for (const Compared& each : answer.others) others.push_back(json_of(question, each));
  const Facts& facts = answer.facts;
  store::Json document{{"schema", store::schema_number},
                       {"operation", "quantize"},
                       {"source", question.from->name},
                       {"target", question.to->name},
                       {"blocks", answer.blocks},
                       {"entries", answer.entries},
                       {"tails", question.has_tails},
                       {"theorem", question.is_drawn           ? theorem_of_draws
                                   : question.random_bits != 0 ? theorem_of_words
                                   : has_theorem(question)     ? theorem
                                                               : ""},
                       {"holds", answer.holds(question)},
                       {"follows", std::move(follows)},
                       {"nearest", json_of(question, answer.nearest)},
                       {"others", std::move(others)}};
  if (answer.over_words) {
    const OverWords& of = *answer.over_words;
    document["random_bits"] = question.random_bits;
    document["whole"] = of.entries;
    document["beyond"] = of.beyond;
    document["unbiased"] = of.entries != 0 && !of.biased;
    document["rounded"] = of.rounded;
    document["exact"] = of.exact;
    document["largest_bias"] = conversions::fraction_text(of.largest);
    document["theorem_of_bias"] = theorem_of_means;
    document["words"] = question.is_drawn ? "drawn" : "given";
    if (of.drawn) document["drawn"] = json_of(question_of_entries(question, answer.nearest.rule), *of.drawn);
  } else {
    document["round_trip"] = fmt::format("{:a}", facts.round_trip);
    document["round_trips_kept"] = facts.kept_round_trips;
    document["monotone"] = !facts.not_monotone;
    if (facts.asked_again) document["idempotent"] = !facts.not_idempotent;
  }
  if (answer.promised) document["promised"] = json_of(question, *answer.promised);
  if (answer.unsteady) document["unsteady"] = number_text(*answer.unsteady);
  document["text"] = text_of(question, answer);
  return document;
}

std::string text_of_words() {
  std::string text =
      "quantize: codes and scales of the blocks of a tensor (docs/quantize.md)\n"
      "  --format SOURCE:TARGET[:tails], with SOURCE f32, f16 or bf16, and TARGET of\n";
  for (const BlockFormat& each : oracle::block_formats()) {
    const auto length = [](std::size_t n, const char* all) { return n == 0 ? std::string(all) : std::to_string(n); };
    const bool has_records = each.blocks_in_record() > 1;
    text += fmt::format("    {:<17} {} in blocks of {} x {}, {}\n", each.name, each.element.name,
                        length(each.rows, "all rows"), length(each.columns, "all columns"),
                        has_records ? fmt::format("{} of which have a record of {} bytes", each.blocks_in_record(),
                                                  oracle::record_bytes)
                                    : fmt::format("scales {}", each.scale.name));
  }
  text +=
      "  plain    void f(size_t rows, size_t columns, const T* x, void* codes, void* scales, void* seconds)\n"
      "  with --words r    void f(size_t rows, size_t columns, const T* x, const uint32_t* words, void* codes, …)\n"
      "  A rule is a target, a word for scale and one for direction, as mxfp4.floor.even, and words for what is not\n"
      "  usual. Beside rules there are the contracts round_trip.SCALE, monotone, and, where scales are powers of\n"
      "  two, idempotent; with --words r, unbiased.\n";
  for (std::size_t i = 0; i < oracle::quantization_aspects; ++i) {
    const auto aspect = static_cast<QuantizationAspect>(i);
    text += fmt::format("  {}\n", decides(aspect));
    for (const oracle::QuantizationWord& each : words_of(aspect)) {
      text += fmt::format("    {:<16} {}\n", each.word, each.meaning);
    }
  }
  return text;
}

store::Json document_of_words() {
  store::Json formats = store::Json::array();
  for (const BlockFormat& each : oracle::block_formats()) {
    formats.push_back({{"name", each.name},
                       {"element", each.element.name},
                       {"rows", each.rows},
                       {"columns", each.columns},
                       {"scale", each.scale.name},
                       {"second", each.second == nullptr ? std::string_view() : each.second->name},
                       {"of_tensor", each.scaling == oracle::Scaling::two_level},
                       {"blocks_in_record", each.blocks_in_record()},
                       {"record_bytes", each.blocks_in_record() > 1 ? oracle::record_bytes : 0},
                       {"packed", each.is_packed()},
                       {"random_words", has_draws(each)}});
  }
  store::Json aspects = store::Json::array();
  for (std::size_t i = 0; i < oracle::quantization_aspects; ++i) {
    store::Json words = store::Json::array();
    const auto aspect = static_cast<QuantizationAspect>(i);
    for (const oracle::QuantizationWord& each : words_of(aspect)) {
      words.push_back({{"word", each.word}, {"meaning", each.meaning}});
    }
    aspects.push_back({{"decides", decides(aspect)}, {"words", std::move(words)}});
  }
  return {{"schema", store::schema_number},
          {"operation", "quantize"},
          {"formats", std::move(formats)},
          {"aspects", std::move(aspects)}};
}

}  // namespace assay::quantizations
