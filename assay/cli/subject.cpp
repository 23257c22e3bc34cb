#include "assay/cli/subject.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "assay/campaign/ladder.hpp"
#include "assay/campaign/match.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/doors/program.hpp"
#include "assay/doors/subject.hpp"
#include "assay/report/replay.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// "no operation dott; nearest: dot", or all that there are where none is near.
[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = campaign::nearest(name, known);
  throw UsageError(near.empty() ? fmt::format("no {} {}; there are: {}", what, name, listed(known))
                                : fmt::format("no {} {}; nearest: {}", what, name, listed(near)));
}

/// A name of BLAS tells its operation and its format. Errors: UsageError where the options contradict it.
void refuse_other_blas_name(const Options& options) {
  if (options.symbol.empty() || doors::form_of(options.symbol) == CallForm::plain) return;
  const std::string name = doors::blas_name(options.symbol);
  for (const Operation* each : operations()) {
    if (name.substr(1) != each->name || (name[0] != 's' && name[0] != 'd')) continue;
    const std::string format = doors::format_of_symbol(options.symbol, *each);
    if (each->name != options.operation) {
      throw UsageError(
          fmt::format("--symbol {}: it computes {}, not {}", options.symbol, each->name, options.operation));
    }
    if (!options.format.empty() && options.format != format) {
      throw UsageError(fmt::format("--symbol {}: its numbers are {}, not {}", options.symbol, format, options.format));
    }
  }
}

Question question_of(const Options& options) {
  return {options.family, options.format, options.command == "check" && options.contracts.empty(),
          options.tier == "exhaustive"};
}

/// A library with its folder, where it is in the present one: the loader looks for a name without folder elsewhere.
doors::Subject subject_of(const Options& options) {
  const bool is_file = doors::is_library(options.subject) && std::filesystem::exists(options.subject);
  return {is_file ? std::filesystem::absolute(options.subject).string() : options.subject, options.symbol,
          options.operation, question_of(options)};
}

std::string without_folder(const std::string& path) {
  return path.starts_with('/') ? std::filesystem::path(path).filename().string() : path;
}

/// The name of the kernel's property.
std::string property_of(const Options& options) {
  return operation_named(options.operation).property(question_of(options), {})->info().name;
}

bool is_contract(const Operation& operation, const std::string& id) { return operation.find(id) != nullptr; }

/// `contracts`: those that were asked; empty for all.
std::string ladder_text(const Operation& operation, const std::vector<std::string>& contracts,
                        const store::PropertySummary& property) {
  std::vector<std::optional<bool>> all;
  std::vector<std::string> open;
  for (const Contract& each : operation.contracts) {
    all.push_back(campaign::kept(property, each.id));
    const bool is_asked =
        std::ranges::any_of(property.info.claims, [&](const auto& claim) { return claim.id == each.id; }) &&
        (contracts.empty() || std::ranges::find(contracts, each.id) != contracts.end());
    if (!all.back() && is_asked) open.push_back(each.id);
  }
  const Ladder ladder = ladder_of(operation, all);
  std::string text = fmt::format("\n{} on {}: {}", property.info.name, property.executor,
                                 ladder.kept.empty() ? "keeps none" : "keeps " + listed(ladder.kept));
  if (!ladder.broken.empty()) text += "; breaks " + listed(ladder.broken);
  if (!open.empty()) text += "; not decided: " + listed(open);
  return text + "\n";
}

/// Judges the controls in place of the kernel.
void judge_controls(const Operation& operation, const Options& options, Answer& answer) {
  const campaign::Unrefused found = campaign::judge_controls(operation, question_of(options), options.seed);
  for (const std::string& each : found.passed) answer.passed.push_back(each + " in place of the kernel passes");
  if (answer.passed.empty()) {
    answer.text += fmt::format("in place of the kernel, every contract about an error refuses {} controls\n",
                               operation.controls().size());
  }
  for (const auto& [id, admitted] : found.blind) {
    answer.text += fmt::format("{} does not refuse {}\n", id, listed(admitted));
  }
}

/// What a library's function is called where nobody says it.
std::string default_symbol(const Operation& operation, const std::string& format) {
  const std::string name = doors::libm_name(operation, format.empty() ? "f64" : format);
  return name.empty() ? operation.name : name;
}

}  // namespace

const Operation& operation_named(const std::string& name) {
  if (const Operation* const found = find_operation(name)) return *found;
  std::vector<std::string> names;
  for (const Operation* each : operations()) names.push_back(each->name);
  if (names.empty()) throw UsageError("this program judges no kernels from outside");
  refuse("operation", name, names);
}

void open_subject(Options& options) {
  if (options.subject.empty()) {
    for (const auto& [option, is_given] :
         {std::pair{"--contract", !options.contracts.empty()}, std::pair{"--operation", !options.operation.empty()},
          std::pair{"--symbol", !options.symbol.empty()}}) {
      if (is_given) throw UsageError(fmt::format("{}: needs --subject", option));
    }
    return;
  }
  if (options.operation.empty()) throw UsageError("--subject: needs --operation, what the kernel computes");
  const Operation& operation = operation_named(options.operation);
  const bool is_library = doors::is_library(options.subject);
  if (!is_library && !options.symbol.empty()) throw UsageError("--symbol: a command has none");
  if (is_library && options.symbol.empty()) options.symbol = default_symbol(operation, options.format);
  refuse_other_blas_name(options);
  if (options.format.empty()) options.format = doors::format_of_symbol(options.symbol, operation);
  if (std::ranges::find(operation.formats, options.format) == operation.formats.end()) {
    throw UsageError(fmt::format("--format {}: {} has {}", options.format, operation.name, listed(operation.formats)));
  }
  const CallForm form = doors::form_of(options.symbol, operation, options.format);
  const std::string told = doors::format_of_symbol(options.symbol, operation);
  if (doors::form_of(options.symbol, operation, told) == CallForm::libm && told != options.format) {
    throw UsageError(fmt::format("--symbol {}: its numbers are {}, not {}", options.symbol, told, options.format));
  }
  if (is_library && std::ranges::find(operation.signatures, form, &Signature::form) == operation.signatures.end()) {
    std::vector<std::string> forms;
    forms.reserve(operation.signatures.size());
    for (const Signature& each : operation.signatures) forms.emplace_back(name_of(each.form));
    throw UsageError(fmt::format("--symbol {}: {} is computed by no {} function, but by {}; see `{} contracts {}`",
                                 options.symbol, operation.name, name_of(form), listed(forms),
                                 report::shell_word(options.program), operation.name));
  }
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || each == '_' || (each >= '0' && each <= '9');
  };
  if (options.family.empty() || !std::ranges::all_of(options.family, is_letter) ||
      !properties_of(options.family).empty()) {
    throw UsageError(fmt::format("--as {}: a name of letters a to z, digits and _ that no family of this program has",
                                 options.family));
  }
  for (const std::string& id : options.contracts) {
    std::vector<std::string> known;
    for (const Contract& each : operation.contracts) {
      if (each.is_of(options.format)) known.push_back(each.id);
    }
    if (std::ranges::find(known, id) != known.end()) continue;
    if (is_contract(operation, id)) {
      throw UsageError(fmt::format("--contract {}: {} has it not in {}; there are: {}", id, operation.name,
                                   options.format, listed(known)));
    }
    refuse("contract", id, known);
  }
  if (options.isolation == campaign::Isolation::none) {
    throw UsageError("--isolate none: a kernel from outside never runs in the process that judges");
  }
  const doors::Tried tried = doors::try_to_load(subject_of(options));
  if (!tried.error.empty()) throw doors::SubjectError(tried.error);
  options.subject_file = tried.file;
  doors::register_subject(subject_of(options));
  if (options.command != "check") return;
  if (!options.arguments.empty()) throw UsageError("--subject: takes --contract in place of names of properties");
  const std::string name = property_of(options);
  if (options.contracts.empty()) {
    options.arguments.push_back(name);
    return;
  }
  for (const ClaimInfo& claim : find_property(name)->info().claims) {
    const bool is_wanted = std::ranges::find(options.contracts, claim.id) != options.contracts.end();
    if (is_wanted || !is_contract(operation, claim.id)) options.arguments.push_back(name + "/" + claim.id);
  }
}

std::map<std::string, std::string> provenance_of_run(const Options& options, bool with_device) {
  std::map<std::string, std::string> facts = provenance(with_device);
  if (!options.subject.empty()) {
    facts[store::subject_key(property_of(options))] =
        doors::identity_of(options.subject_file) + (options.symbol.empty() ? "" : " " + options.symbol);
  }
  return facts;
}

std::string subject_options(const Options& options, const std::string& subject) {
  return fmt::format("--operation {} --subject {}{} --format {}{}", options.operation, report::shell_word(subject),
                     options.symbol.empty() ? "" : " --symbol " + report::shell_word(options.symbol), options.format,
                     options.family == "subject" ? "" : " --as " + options.family);
}

std::map<std::string, std::string> call_of_run(const Options& options) {
  std::map<std::string, std::string> facts{{store::program_key, std::filesystem::path(options.program).filename()}};
  if (options.subject.empty()) return facts;
  std::string subject = without_folder(options.subject);
  if (!doors::is_library(options.subject)) {
    subject.clear();
    for (const std::string& word : doors::words_of_command(options.subject)) {
      subject += (subject.empty() ? "" : " ") + report::shell_word(without_folder(word));
    }
  }
  facts[store::options_key(property_of(options))] = subject_options(options, subject);
  return facts;
}

std::optional<Answer> answer_of(const store::Summary& summary, const Options& options) {
  const Operation* const operation = find_operation(options.operation);
  if (operation == nullptr || options.subject.empty()) return std::nullopt;
  Answer answer;
  for (const store::PropertySummary& property : summary.properties)
    answer.text += ladder_text(*operation, options.contracts, property);
  judge_controls(*operation, options, answer);
  return answer;
}

}  // namespace assay::cli
