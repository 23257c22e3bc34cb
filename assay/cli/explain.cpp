#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "assay/campaign/campaign.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/saved_case.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/explain/algorithms.hpp"
#include "assay/explain/explain.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

using store::Explanation;
using Evidence = store::CaseFile::Evidence;

/// Parts of the name of a property of a kernel from outside, which has family, operation and format:
/// "subject.matmul.bf16_f32".
struct Name {
  std::string operation;
  std::string results;  ///< the format of the results: "f32"
};
Name name_of(const std::string& property) {
  const std::size_t first = property.find('.') + 1;
  const std::size_t second = property.find('.', first);
  Name name{property.substr(first, second - first), "f64"};
  if (second != std::string::npos) name.results = property.substr(property.find_last_of("._") + 1);
  return name;
}

std::optional<oracle::Format> format_of(std::string_view name) {
  using Named = std::pair<std::string_view, oracle::Format>;
  constexpr std::array formats{Named{"f64", oracle::binary64}, Named{"f32", oracle::binary32},
                               Named{"f16", oracle::binary16}, Named{"bf16", oracle::bfloat16}};
  const auto* const found = std::ranges::find(formats, name, &Named::first);
  return found == formats.end() ? std::nullopt : std::optional(found->second);
}

/// Runs the kernel of the options on the case now. Returns the evidence about the case's claim, or about the first
/// claim that it breaks. Empty if the kernel gives no answer; then a line on standard error says why.
std::optional<Evidence> asked_now(const PropertyModel& property, store::CaseFile& file, const std::string& executor,
                                  const Options& options) {
  const std::unique_ptr<process::Asker> asker =
      process::ask_in_worker(property, executor, options.seed, options.limits);
  const process::Answer<std::vector<CaseOutcome>> answer = asker->judge(std::span(&file.inputs, 1));
  if (const auto* stop = std::get_if<process::Stop>(&answer)) {
    to_stderr("assay: {} on {}: {}: {}\n", property.info().name, executor, store::word(stop->kind), stop->what);
    return std::nullopt;
  }
  const CaseOutcome& outcome = std::get<std::vector<CaseOutcome>>(answer).front();
  const std::vector<ClaimInfo>& claims = property.info().claims;
  const auto is_told = [&](std::size_t c) {
    const bool is_violated = outcome.claims[c].judgement.verdict == Verdict::violated;
    return outcome.claims[c].applies && (file.claim.empty() ? is_violated : file.claim == claims[c].id);
  };
  std::size_t claim = 0;
  while (claim < claims.size() && !is_told(claim)) ++claim;
  file.claim = claim == claims.size() ? "" : claims[claim].id;
  return campaign::evidence_of(outcome, claim == claims.size() ? 0 : claim);
}

/// The exact value of the evidence, and what the claim remarked on the results that it compared, such as those of two
/// orders; empty if it remarked nothing.
std::pair<std::string, std::string> exact_and_remark(const Evidence& evidence) {
  const std::size_t at = evidence.exact.find("; ");
  if (at == std::string::npos) return {evidence.exact, ""};
  return {evidence.exact.substr(0, at), evidence.exact.substr(at + 2)};
}

/// The pattern of the judged component. Empty if the evidence has none.
std::optional<std::string> word_of(const Evidence& evidence) {
  const std::size_t components = std::max<std::size_t>(1, evidence.components);
  const std::size_t at = evidence.worst * (evidence.got.size() / components);
  return at < evidence.got.size() ? std::optional(evidence.got[at]) : std::nullopt;
}

/// The results that a claim compared: "order_free: the kernel gives 0x1p+0 for these inputs; of the terms in reverse
/// order 0x0p+0", or those of other inputs.
std::string told_difference(const std::string& claim, const Evidence& evidence, const std::string& remark) {
  constexpr std::string_view of_others = "not of these inputs: ";
  constexpr std::string_view before_result = " it is ";
  if (!remark.starts_with(of_others)) {
    return fmt::format("{}: the kernel gives {} for these inputs; {}", claim, word_of(evidence).value_or("no number"),
                       remark);
  }
  std::string text = remark.substr(of_others.size());
  if (const std::size_t at = text.find(before_result); at != std::string::npos) {
    text.replace(at, before_result.size(), " in this order the kernel gives ");
  }
  return fmt::format("{}: not these inputs break it, but others: {}", claim, text);
}

/// Adds the kernel's result and the bound from the evidence.
void add_evidence(const Evidence& evidence, const std::string& from, const store::CaseFile& file,
                  const PropertyInfo& info, const explain::Tape* tape, Explanation& into) {
  std::optional<oracle::Dyadic> error;
  if (const std::optional<std::string> word = word_of(evidence)) {
    Explanation::Kernel& kernel = into.kernel.emplace(Explanation::Kernel{});
    kernel.from = from;
    kernel.got = *word;
    if (tape != nullptr) {
      const std::uint64_t bits = oracle::parse_hex(tape->format(), *word);
      const bool is_number = oracle::is_finite(tape->format(), bits);
      kernel.got = oracle::to_hex(tape->format(), bits);
      kernel.decimal = explain::decimal_of(tape->format(), bits);
      kernel.is_result_of_steps = bits == tape->result().bits;
      if (is_number && tape->result().exact) {
        error = oracle::decode_finite(tape->format(), bits) - explain::midpoint(*tape->result().exact);
        kernel.error = explain::short_decimal(*error);
      }
    }
  }
  const auto claim = std::ranges::find(info.claims, file.claim, &ClaimInfo::id);
  if (claim == info.claims.end()) return;
  into.bound = {claim->id, claim->statement, claim->source, evidence.ratio, ""};
  if (error && std::isfinite(evidence.ratio) && evidence.ratio > 0) {
    into.bound->bound = fmt::format("{:.4g}", std::abs(error->to_double_nearest()) / evidence.ratio);
  }
}

/// Prints a list, but only the first and the last elements of a long one.
template <class T, class Print>
void print_ends(const std::vector<T>& list, std::string_view what, const Print& print) {
  constexpr std::size_t ends = 12;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i == ends && list.size() > 2 * ends + 1) {
      fmt::print("  … {} more {}: --json lists all\n", list.size() - 2 * ends, what);
      i = list.size() - ends;
    }
    print(list[i]);
  }
}

void print_step(const Explanation::Step& step) {
  fmt::print("  {} = {} = {} ({})\n", step.name, step.formula, step.rounded, step.decimal);
  std::string line = step.exact.empty() ? "no real value" : "exact " + step.exact;
  const auto add = [&](std::string_view name, const std::string& what) {
    if (!what.empty()) line += fmt::format("; {} {}", name, what);
  };
  add("error", step.error);
  add("lost here", step.lost);
  add("share of the result's error", step.share);
  for (const std::string& each : step.events) line += "; " + each;
  fmt::print("      {}\n", line);
}

void print(const Explanation& told, const store::CaseFile& file, const std::string& computes) {
  fmt::print("case {} of {}: {}, in {}", store::case_id(file), told.property, computes, told.format);
  if (told.entry) fmt::print(", entry {}", *told.entry);
  fmt::print("\ninputs\n");
  print_ends(told.inputs, "inputs",
             [](const auto& each) { fmt::print("  {} = {} ({})\n", each.name, each.number, each.decimal); });
  fmt::print("exact    {}\n", told.exact.empty() ? "there is no real value, or the value is not known" : told.exact);
  if (told.steps.empty()) {
    const bool is_unknown = !explain::has_steps(told.operation);
    if (told.causes.empty()) {
      fmt::print("explain has no steps for {}\n",
                 is_unknown ? told.operation
                            : fmt::format("this case: its result has no entry, or needs more than {} "
                                          "numbers and steps",
                                          explain::most_nodes));
    }
  } else {
    fmt::print("steps of the obvious algorithm\n");
    print_ends(told.steps, "steps", print_step);
  }
  std::string causes;
  for (const std::string& each : told.causes) causes += (causes.empty() ? "" : ", ") + each;
  if (!causes.empty()) fmt::print("cause    {}\n", causes);
  for (const std::string& each : told.says) fmt::print("  {}\n", each);
  if (told.kernel) {
    const bool is_now = told.kernel->from != "case";
    fmt::print("kernel   {}{}{}{}{}\n", told.kernel->got,
               told.kernel->decimal.empty() ? "" : " (" + told.kernel->decimal + ")",
               told.kernel->error.empty() ? "" : ", error " + told.kernel->error,
               is_now ? ", run now on " + told.kernel->from : ", as recorded in the case",
               !told.kernel->is_result_of_steps   ? ""
               : *told.kernel->is_result_of_steps ? ": the result of these steps"
                                                  : ": not the result of these steps");
  }
  if (told.bound) {
    fmt::print("bound    {}: {}\n", told.bound->claim, told.bound->statement);
    if (!told.bound->bound.empty()) fmt::print("  bound {}\n", told.bound->bound);
    fmt::print("  error/bound {}\n  source {}\n", short_number(told.bound->ratio), told.bound->source);
  }
}

}  // namespace

int run_explain(const Options& options) {
  const std::filesystem::path path = locate(options.arguments.front(), options);
  store::CaseFile file = store::read_case(path);
  const PropertyModel* const described = store::property_of_cases(file.property);
  const PropertyModel& property = described != nullptr ? *described : property_named(file.property);
  file = admitted(std::move(file), property, path);
  const PropertyInfo& info = property.info();
  if (!file.claim.empty()) claim_index(info, file.claim, path);
  std::optional<Evidence> evidence = file.evidence;
  std::string from = "case";
  if (!options.subject.empty()) {
    from = options.on == "cuda" ? "cuda" : "host";
    process::watch_signals();
    evidence = asked_now(property, file, from, options);
    if (!evidence) return report::exit_stopped;
  }
  const Name name = name_of(info.name);
  const bool is_from_outside = !options.subject.empty() || find_property(info.name) == nullptr;
  const Operation* const operation = is_from_outside ? find_operation(name.operation) : nullptr;
  const std::optional<oracle::Format> format = format_of(name.results);
  Explanation told{.property = info.name,
                   .operation = operation == nullptr ? info.name : operation->name,
                   .format = format ? oracle::name(*format) : name.results};
  if (evidence && evidence->components > 1) told.entry = evidence->worst;
  std::optional<explain::Tape> tape;
  if (operation != nullptr && format) {
    tape = explain::steps_of(operation->name, *format, file.inputs, told.entry.value_or(0));
  }
  if (tape) {
    const std::optional<std::string> word = evidence ? word_of(*evidence) : std::nullopt;
    explain::explain(*tape, word ? std::optional(oracle::parse_hex(*format, *word)) : std::nullopt, told);
  } else {
    told.inputs = explain::inputs_of(file.inputs);
  }
  if (evidence) {
    const auto [exact, remark] = exact_and_remark(*evidence);
    if (!tape) told.exact = exact;
    if (!remark.empty()) told.says.push_back(told_difference(file.claim, *evidence, remark));
    add_evidence(*evidence, from, file, info, tape ? &*tape : nullptr, told);
  }
  if (options.json) {
    fmt::print("{}", store::pretty(store::explanation_document(told)));
  } else {
    print(told, file, operation == nullptr ? "a property of this program" : operation->computes);
  }
  return report::exit_holds;
}

}  // namespace assay::cli
