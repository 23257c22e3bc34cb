#include "assay/conversions/document.hpp"

#include <fmt/core.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "errorbounds/convert_theorems.hpp"
#include "oracle/stochastic.hpp"

namespace assay::conversions {
namespace {

using oracle::Expected;
using oracle::Number;
using oracle::NumberFormat;
using oracle::Rule;

constexpr const char* theorem = convert_reduced_1.words.id.text;

/// The value of a code: "-0x1.8p-3", "inf", "nan", "-7".
std::string value_text(const NumberFormat& format, std::uint64_t code) {
  if ((code & ~format.mask()) != 0) return "no code";
  const Number x = decode(format, code);
  const char* const sign = x.negative ? "-" : "";
  if (x.kind == Number::Kind::nan) return "nan";
  if (x.kind == Number::Kind::infinite) return fmt::format("{}inf", sign);
  if (format.is_integer()) return fmt::format("{}{}", sign, x.m);
  if (x.m == 0) return fmt::format("{}0x0p+0", sign);
  const int top = static_cast<int>(std::bit_width(x.m)) - 1;
  // The bits below the leading one as hexadecimal digits.
  std::string digits = top == 0 ? "" : fmt::format("{:016x}", x.m << (64 - top));
  digits.erase(digits.find_last_not_of('0') + 1);
  return fmt::format("{}0x1{}{}p{:+d}", sign, digits.empty() ? "" : ".", digits, top + x.e);
}

std::string example_text(const Question& question, const Example& example) {
  return fmt::format("{} gives {}, not {}", text_of(*question.from, example.input), text_of(*question.to, example.got),
                     expected_text(*question.to, example.expected));
}

std::string asked_text(const Question& question, const Answer& answer) {
  return answer.is_proof ? fmt::format("all {} inputs", answer.asked)
                         : fmt::format("{} of 2^{} inputs", answer.asked, question.from->bits);
}

/// Whether the theorem makes the answer a proof for a conversion that is monotone.
bool has_theorem(const Question& question, const Answer& answer) {
  return !answer.is_proof && question.to->bits <= 16 && answer.nearest.rule.overflow != oracle::Overflow::wrap;
}

std::string evidence_text(const Question& question, const Answer& answer) {
  if (answer.is_of_runs) return "proved for this list of results";
  if (answer.is_proof) return "proved for this build";
  return has_theorem(question, answer) ? fmt::format("a proof, except for NaNs, if it is monotone ({})", theorem)
                                       : "a sample";
}

std::string broken_text(const Question& question, const Answer& answer, const Compared& compared) {
  std::string text = fmt::format("{} is broken by {} of the {} inputs tested, such as\n", name_of(compared.rule),
                                 compared.breaks, answer.asked);
  for (const Example& each : compared.examples) text += fmt::format("  {}\n", example_text(question, each));
  return text;
}

store::Json json_of(const Question& question, const Compared& compared) {
  store::Json examples = store::Json::array();
  for (const Example& each : compared.examples) {
    examples.push_back({{"input", text_of(*question.from, each.input)},
                        {"got", text_of(*question.to, each.got)},
                        {"expected", expected_text(*question.to, each.expected)}});
  }
  return {{"rule", name_of(compared.rule)}, {"breaks", compared.breaks}, {"examples", std::move(examples)}};
}

}  // namespace

std::string text_of(const NumberFormat& format, std::uint64_t code) {
  if (format.is_integer() && (code & ~format.mask()) == 0) return value_text(format, code);
  return fmt::format("{:#0{}x} = {}", code, 2 + (format.bits + 3) / 4, value_text(format, code));
}

std::string expected_text(const NumberFormat& to, const Expected& expected) {
  if (expected.kind == Expected::Kind::code) return text_of(to, expected.code);
  if (expected.kind == Expected::Kind::nan) return "a NaN";
  return (expected.code & to.sign_bit()) != 0 ? "a NaN with sign" : "a NaN without sign";
}

std::string also_text(std::span<const std::string> names) {
  constexpr std::size_t most = 6;
  std::string alike;
  for (std::size_t i = 1; i < names.size() && i <= most; ++i) alike += " " + names[i];
  if (names.size() > most + 1) alike += fmt::format(" and {} more", names.size() - most - 1);
  return alike.empty() ? "" : fmt::format("  also{}\n", alike);
}

std::string text_of(const Question& question, const Answer& answer) {
  const std::string formats = fmt::format("{}:{}", question.from->name, question.to->name);
  if (answer.unsteady) {
    return fmt::format("convert {}: not a function of its input: {} gives {} in one call, {} in another\n", formats,
                       text_of(*question.from, answer.unsteady->input), text_of(*question.to, answer.unsteady->first),
                       text_of(*question.to, answer.unsteady->second));
  }
  std::string text;
  if (answer.promised && answer.promised->breaks != 0) {
    text += fmt::format("convert {}: {}", formats, broken_text(question, answer, *answer.promised));
  }
  if (answer.follows.empty()) {
    return text + fmt::format("convert {}: follows no rule; the nearest one,\n{}", formats,
                              broken_text(question, answer, answer.nearest));
  }
  text += fmt::format("convert {}: follows {} on {}: {}\n", formats, name_of(answer.follows.front()),
                      asked_text(question, answer), evidence_text(question, answer));
  std::vector<std::string> names;
  for (const auto& each : answer.follows) names.push_back(name_of(each));
  text += also_text(names);
  for (const Compared& each : answer.others) {
    text += fmt::format("  not {}: {}\n", name_of(each.rule), example_text(question, each.examples.front()));
  }
  return text;
}

store::Json document_of(const Question& question, const Answer& answer) {
  store::Json follows = store::Json::array();
  for (const Rule& each : answer.follows) follows.push_back(name_of(each));
  store::Json others = store::Json::array();
  for (const Compared& each : answer.others) others.push_back(json_of(question, each));
  store::Json document{{"schema", store::schema_number},
                       {"operation", "convert"},
                       {"source", question.from->name},
                       {"target", question.to->name},
                       {"asked", answer.asked},
                       {"proof", answer.is_proof},
                       {"theorem", has_theorem(question, answer) ? theorem : ""},
                       {"holds", answer.holds()},
                       {"follows", std::move(follows)},
                       {"nearest", json_of(question, answer.nearest)},
                       {"others", std::move(others)}};
  if (answer.is_of_runs) document["runs"] = true;
  if (answer.promised) document["promised"] = json_of(question, *answer.promised);
  if (answer.unsteady) {
    document["unsteady"] = {{"input", text_of(*question.from, answer.unsteady->input)},
                            {"first", text_of(*question.to, answer.unsteady->first)},
                            {"second", text_of(*question.to, answer.unsteady->second)}};
  }
  document["text"] = text_of(question, answer);
  return document;
}

std::string text_of_words() {
  std::string text =
      "convert: the code of each of n numbers in another format (docs/convert.md)\n"
      "  --format SOURCE:TARGET, of\n ";
  for (const NumberFormat& each : oracle::number_formats()) text += fmt::format(" {}", each.name);
  text +=
      "\n  plain    void f(size_t n, const T* x, R* y), codes without a type of C as unsigned integers\n"
      "  --subject FILE.runs: a list of the results for all inputs, in place of a kernel\n"
      "  A rule is a word for direction, overflow and NaN, as even.saturate.nan, and words for what is not usual.\n";
  const auto add = [&](const oracle::RuleAspect& aspect) {
    text += fmt::format("  {}\n", aspect.decides);
    for (const oracle::RuleWord& each : aspect.words) {
      text += fmt::format("    {:<15} {}{}\n", each.word, each.meaning, each.is_usual ? " (usual)" : "");
    }
  };
  for (const oracle::RuleAspect& aspect : oracle::rule_aspects()) add(aspect);
  text +=
      "  With random words of r bits, --words r or --draws r, a draw takes the place of the direction: "
      "carry.saturate.nan.\n"
      "  plain    void f(size_t n, const T* x, const uint32_t* words, R* y) for --words r\n";
  for (const oracle::RuleAspect& aspect : oracle::stochastic_aspects()) add(aspect);
  return text;
}

store::Json document_of_words() {
  store::Json formats = store::Json::array();
  for (const NumberFormat& each : oracle::number_formats()) {
    store::Json format{{"name", each.name}, {"bits", each.bits}};
    if (!each.alias.empty()) format["alias"] = each.alias;
    if (each.is_pair) format["pair"] = true;
    formats.push_back(std::move(format));
  }
  const auto of_aspects = [](std::span<const oracle::RuleAspect> all) {
    store::Json aspects = store::Json::array();
    for (const oracle::RuleAspect& aspect : all) {
      store::Json words = store::Json::array();
      for (const oracle::RuleWord& each : aspect.words) {
        words.push_back({{"word", each.word}, {"meaning", each.meaning}, {"usual", each.is_usual}});
      }
      aspects.push_back({{"decides", aspect.decides}, {"words", std::move(words)}});
    }
    return aspects;
  };
  return {{"schema", store::schema_number},
          {"operation", "convert"},
          {"formats", std::move(formats)},
          {"aspects", of_aspects(oracle::rule_aspects())},
          {"stochastic", of_aspects(oracle::stochastic_aspects())}};
}

}  // namespace assay::conversions
