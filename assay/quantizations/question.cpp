// The names of formats and contracts of quantizers.

#include <algorithm>
#include <stdexcept>

#include "assay/quantizations/answer.hpp"
#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/stochastic.hpp"

namespace assay::quantizations {

using oracle::BlockFormat;
using oracle::NumberFormat;
using oracle::QuantizationRule;

namespace {

/// The contracts of a format that are not rules: "round_trip.floor, round_trip.ceil, idempotent, monotone".
std::string other_contracts(const Question& question) {
  if (question.is_drawn) return "no others";
  if (question.random_bits != 0) return "unbiased";
  const BlockFormat& format = *question.to;
  std::vector<std::string> all;
  for (const QuantizationRule& each : finite_rules_of(format)) {
    const std::string name = "round_trip." + std::string(scale_word(each.scale));
    const bool is_new = std::ranges::find(all, name) == all.end();
    if (is_new && round_trip_bound(format, each.scale)) all.push_back(name);
  }
  if (can_ask_again(format)) all.emplace_back("idempotent");
  all.emplace_back("monotone");
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// Errors: std::invalid_argument for a format or a number of bits without random words.
void require_words(const Question& question) {
  if (question.random_bits < 1 || question.random_bits > oracle::most_random_bits) {
    throw std::invalid_argument(std::to_string(question.random_bits) + " random bits; accepted are 1 to 32");
  }
  if (has_draws(*question.to)) return;
  std::string known;
  for (const BlockFormat& each : oracle::block_formats()) {
    if (has_draws(each)) known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw std::invalid_argument(std::string(question.to->name) +
                              " has no rules with random words; formats that have are " + known);
}

}  // namespace

std::vector<QuantizationRule> Question::finite_rules() const {
  std::vector<QuantizationRule> rules = finite_rules_of(*to, random_bits != 0);
  if (is_drawn) std::erase_if(rules, &QuantizationRule::is_reversed);  // only given words show it
  return rules;
}

Question question_of(const std::string& formats, const std::string& contract, bool every_entry, std::uint64_t seed,
                     int random_bits, bool is_drawn) {
  const std::size_t colon = formats.find(':');
  const std::string source = formats.substr(0, colon);
  if (colon == std::string::npos) {
    throw std::invalid_argument("format: '" + formats + "'; name a source and a block format, such as f32:mxfp4");
  }
  const NumberFormat* const from = oracle::find_number_format(source);
  if (from == nullptr || (from->name != "f32" && from->name != "f16" && from->name != "bf16")) {
    throw std::invalid_argument("no source '" + source + "' of blocks; accepted are f32, f16 and bf16");
  }
  const std::string target = formats.substr(colon + 1, formats.find(':', colon + 1) - colon - 1);
  const std::string rest = formats.substr(std::min(formats.size(), colon + 1 + target.size()));
  const BlockFormat* const to = oracle::find_block_format(target);
  if (to == nullptr) {
    std::string known;
    for (const BlockFormat& each : oracle::block_formats())
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    throw std::invalid_argument("unknown block format '" + target + "'; there are: " + known);
  }
  if (!rest.empty() && rest != ":tails") {
    throw std::invalid_argument("format: '" + formats + "'; only ':tails' may follow a block format");
  }
  const bool is_of_ggml = to->scale.name == "f16" || to->scaling == oracle::Scaling::stored;
  if (!rest.empty() && (to->rows != 1 || to->columns == 0 || is_of_ggml)) {
    throw std::invalid_argument(formats + ": only formats with blocks of one row have tails, and llama.cpp's do not");
  }
  Question question{from,          to,          Promise::none, std::nullopt, every_entry && from->bits == 16, seed,
                    !rest.empty(), random_bits, is_drawn};
  if (random_bits != 0) require_words(question);
  if (contract.empty()) return question;
  if (random_bits == 0) {
    if (contract == "monotone" || (contract == "idempotent" && can_ask_again(*to))) {
      question.promise = contract == "monotone" ? Promise::monotone : Promise::idempotent;
      return question;
    }
    for (const QuantizationRule& each : finite_rules_of(*to)) {
      if (contract != "round_trip." + std::string(scale_word(each.scale)) || !round_trip_bound(*to, each.scale))
        continue;
      question.promise = Promise::round_trip;
      question.promised = each;
      return question;
    }
  } else if (contract == "unbiased" && !is_drawn) {
    question.promise = Promise::unbiased;
    if (can_ask_all_words(question)) return question;
    throw std::invalid_argument("no contract 'unbiased' of " + formats + " with words of " +
                                std::to_string(random_bits) + " bits: a block has too many numbers for all words");
  }
  question.promise = Promise::rule;
  question.promised = oracle::quantization_rule_named(contract);
  const bool is_rule = question.promised && question.promised->format == to;
  if (is_rule && is_drawn && question.promised->is_reversed) {
    throw std::invalid_argument("reversed: which words round away can be tested only if the words are an argument");
  }
  if (!is_rule || question.promised->draw.has_value() != (random_bits != 0)) {
    if (is_rule) {
      throw std::invalid_argument(contract + (random_bits == 0 ? ": a rule with random words; their bits are missing"
                                                               : ": a rule without random words"));
    }
    if (contract == "idempotent" && random_bits == 0) {
      throw std::invalid_argument("no contract 'idempotent' of " + formats +
                                  ": its scales are not powers of two, so a number of binary32 may not hold x'; there "
                                  "are rules, such as " +
                                  name_of(question.finite_rules().front()) + ", and " + other_contracts(question));
    }
    throw std::invalid_argument("no contract '" + contract + "' of " + formats + "; there are rules, such as " +
                                name_of(question.finite_rules().front()) + ", and " + other_contracts(question) +
                                "; `assay contracts quantize` lists the words of rules");
  }
  return question;
}

}  // namespace assay::quantizations
