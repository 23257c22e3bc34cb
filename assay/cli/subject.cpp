#include "assay/cli/subject.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "assay/campaign/match.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/doors/subject.hpp"
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
  if (options.symbol.empty() || doors::form_of(options.symbol, false) == CallForm::plain) return;
  const std::string name = doors::blas_name(options.symbol);
  for (const Operation* each : operations()) {
    if (name.substr(1) != each->name || (name[0] != 's' && name[0] != 'd')) continue;
    const std::string format = doors::format_of_symbol(options.symbol);
    if (each->name != options.operation) {
      throw UsageError(
          fmt::format("--symbol {}: it computes {}, not {}", options.symbol, each->name, options.operation));
    }
    if (!options.format.empty() && options.format != format) {
      throw UsageError(fmt::format("--symbol {}: its numbers are {}, not {}", options.symbol, format, options.format));
    }
  }
}

Question question_of(const Options& options, const std::string& format) {
  const bool on_device = options.on == "cuda" && doors::is_library(options.subject);
  return {options.family, format, options.command == "check" && options.contracts.empty(), on_device};
}

doors::Subject subject_of(const Options& options) {
  return {options.subject, options.symbol, options.operation, question_of(options, options.format)};
}

/// A property of the kernel, as a control or without a function.
std::unique_ptr<PropertyModel> property_of(const Operation& operation, const std::string& format,
                                           const Options& options, const ForeignKernel& kernel = {}) {
  return operation.property(question_of(options, format), kernel);
}

bool is_contract(const Operation& operation, const std::string& id) { return operation.find(id) != nullptr; }

/// Whether the claim is one of the property's contracts that was judged and decided, and whether it was kept.
std::optional<bool> kept(const store::PropertySummary& property, const std::string& id) {
  for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
    if (property.info.claims[c].id != id) continue;
    switch (property.findings[c].verdict) {
      case store::Finding::holds:
        return true;
      case store::Finding::violated:
      case store::Finding::broken:
      case store::Finding::flaky:
        return false;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

/// `contracts`: those that were asked; empty for all.
std::string ladder_text(const Operation& operation, const std::vector<std::string>& contracts,
                        const store::PropertySummary& property) {
  std::vector<std::optional<bool>> all;
  std::vector<std::string> open;
  for (const Contract& each : operation.contracts) {
    all.push_back(kept(property, each.id));
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

/// So many cases of each control are judged, and more where a contract about an error has not refused it by then.
constexpr std::uint64_t control_cases = 40;
constexpr std::uint64_t most_control_cases = 200;

/// Whether the claim has refused what the tally is of.
bool is_refused(const Tally& tally, std::size_t claim) { return tally.claims[claim].violated != 0; }

/// The tally of a control.
Tally tally_of_control(const Operation& operation, const PropertyModel& property, std::uint64_t seed) {
  const auto first = [&](std::uint64_t cases) {
    return property.run(Executor::host(), seed, {0, 1, cases}, [](const CaseRange&) {});
  };
  Tally tally = first(control_cases);
  for (std::size_t c = 0; c < property.info().claims.size(); ++c) {
    const Contract* const contract = operation.find(property.info().claims[c].id);
    if (contract != nullptr && contract->is_about_error && !is_refused(tally, c)) return first(most_control_cases);
  }
  return tally;
}

/// Judges the controls in place of the kernel.
void judge_controls(const Operation& operation, const std::string& format, const Options& options, Answer& answer) {
  const std::size_t before = answer.passed.size();
  std::map<std::string, std::vector<std::string>> blind;
  for (const Control control : all_controls) {
    const std::unique_ptr<PropertyModel> property = property_of(operation, format, options, {.control = control});
    const Tally tally = tally_of_control(operation, *property, options.seed);
    for (std::size_t c = 0; c < property->info().claims.size(); ++c) {
      const std::string& id = property->info().claims[c].id;
      const Contract* const contract = operation.find(id);
      if (contract == nullptr || is_refused(tally, c)) continue;
      if (contract->is_about_error) {
        answer.passed.push_back(
            fmt::format("{}/{}: {} in place of the kernel passes", property->info().name, id, name_of(control)));
      } else {
        blind[id].emplace_back(name_of(control));
      }
    }
  }
  if (answer.passed.size() == before) {
    answer.text +=
        fmt::format("in place of the kernel, every contract about an error refuses {} controls\n", all_controls.size());
  }
  for (const auto& [id, controls] : blind) answer.text += fmt::format("{} does not refuse {}\n", id, listed(controls));
}

/// Options that contradict each other or the operation, whatever the library has. Errors: UsageError.
void refuse_contradictions(const Options& options) {
  const bool is_library = doors::is_library(options.subject);
  if (options.operation.empty() && (!is_library || !options.symbol.empty())) {
    throw UsageError("--subject: needs --operation, what the kernel computes");
  }
  if (!options.operation.empty()) operation_named(options.operation);
  if (!is_library && !options.symbol.empty()) throw UsageError("--symbol: a command has none");
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || each == '_' || (each >= '0' && each <= '9');
  };
  if (options.family.empty() || !std::ranges::all_of(options.family, is_letter) ||
      !properties_of(options.family).empty()) {
    throw UsageError(fmt::format("--as {}: a name of letters a to z, digits and _ that no family of this program has",
                                 options.family));
  }
  if (options.isolation == campaign::Isolation::none) {
    throw UsageError("--isolate none: a kernel from outside never runs in the process that judges");
  }
  if (options.command == "check" && !options.arguments.empty()) {
    throw UsageError("--subject: takes --contract in place of names of properties");
  }
}

/// Loads the library or starts the program in a process of its own. Errors: SubjectError.
doors::Tried tried(Options& options) {
  constexpr std::chrono::milliseconds least{10000};
  doors::Tried tried = doors::try_to_load(subject_of(options),
                                          std::max<std::chrono::milliseconds>(least, 7 * options.limits.timeout_case));
  if (!tried.error.empty()) throw doors::SubjectError(tried.error);
  if (tried.changes_environment) {
    fmt::print(stderr,
               "assay: {}: loading it changed the floating-point environment or the locale; they were put back\n",
               options.subject);
  }
  options.subject_file = tried.file;
  options.subject_description = tried.description;
  return tried;
}

/// Chooses what is asked of a library's table. False: the library has none, and an operation was named.
/// Errors: UsageError, SubjectError.
bool take_table(Options& options) {
  const doors::Tried table = tried(options);
  if (table.kernels.empty()) {
    if (options.operation.empty()) {
      throw UsageError(fmt::format("--subject: needs --operation, what the kernel computes: {} has no table of its own",
                                   options.subject));
    }
    return false;
  }
  if (options.on == "host" && !table.runs_on_host) {
    throw UsageError(fmt::format("--on host: the table of {} runs on cuda alone", options.subject));
  }
  if (options.on == "cuda" && !table.runs_on_device) {
    throw UsageError(fmt::format("--on cuda: the table of {} runs on the host alone", options.subject));
  }
  if (options.on == "all") options.on = table.runs_on_host ? "host" : "cuda";
  std::string has;
  for (const auto& [operation, format] : table.kernels) {
    has += (has.empty() ? "" : ", ") + operation + " in " + format;
    const bool is_wanted = (options.operation.empty() || options.operation == operation) &&
                           (options.format.empty() || options.format == format);
    if (is_wanted) options.kernels.emplace_back(operation, format);
  }
  if (options.kernels.empty()) {
    throw UsageError(fmt::format(
        "the table of {} has no {}{}; it has {}", options.subject, options.operation,
        options.format.empty() ? "" : (options.operation.empty() ? "format " : " in ") + options.format, has));
  }
  return true;
}

/// The function of a library or the program that is asked. Errors: UsageError, SubjectError.
void take_function_or_program(Options& options) {
  const Operation& operation = operation_named(options.operation);
  const bool is_library = doors::is_library(options.subject);
  refuse_other_blas_name(options);
  if (options.format.empty()) options.format = doors::format_of_symbol(options.symbol);
  if (std::ranges::find(operation.formats, options.format) == operation.formats.end()) {
    throw UsageError(fmt::format("--format {}: {} has {}", options.format, operation.name, listed(operation.formats)));
  }
  options.kernels.emplace_back(options.operation, options.format);
  if (!is_library) {
    tried(options);
    return;
  }
  const CallForm form = doors::form_of(options.symbol, options.on == "cuda");
  if (std::ranges::find(operation.signatures, form, &Signature::form) == operation.signatures.end()) {
    std::vector<std::string> forms;
    for (const Signature& each : operation.signatures) forms.emplace_back(name_of(each.form));
    throw UsageError(
        fmt::format("--symbol {}: {} is computed by functions of the forms {}, not {}; see `assay contracts {}`",
                    options.symbol, operation.name, listed(forms), name_of(form), operation.name));
  }
  const bool on_device = doors::is_on_device(form);
  if (options.on != "all" && (options.on == "cuda") != on_device) {
    throw UsageError(fmt::format("--on {}: the arrays of {} are on {}", options.on, options.symbol,
                                 on_device ? "a device" : "the host"));
  }
  options.on = on_device ? "cuda" : "host";
  // Without a device nothing runs, and the library may not load.
  if (!on_device || Executor::cuda_device_count() > 0) tried(options);
}

/// Errors: UsageError where no operation that is asked has the contract, or several are asked.
void refuse_unknown_contract(const std::string& id, const Options& options) {
  if (options.kernels.size() > 1) {
    throw UsageError(
        fmt::format("--contract {}: needs --operation and --format, for the table has several kernels", id));
  }
  const auto& [name, format] = options.kernels.front();
  const Operation& operation = operation_named(name);
  std::vector<std::string> known;
  for (const Contract& each : operation.contracts) {
    if (each.is_of(format)) known.push_back(each.id);
  }
  if (std::ranges::find(known, id) != known.end()) return;
  if (is_contract(operation, id)) {
    throw UsageError(
        fmt::format("--contract {}: {} has it not in {}; there are: {}", id, operation.name, format, listed(known)));
  }
  refuse("contract", id, known);
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
  refuse_contradictions(options);
  const bool is_library = doors::is_library(options.subject);
  if (is_library && std::filesystem::exists(options.subject))
    options.subject = std::filesystem::absolute(options.subject);
  if (is_library && options.symbol.empty() && !take_table(options)) options.symbol = options.operation;
  if (options.kernels.empty()) take_function_or_program(options);
  for (const std::string& id : options.contracts) refuse_unknown_contract(id, options);
  for (const auto& [operation, format] : options.kernels) {
    doors::register_kernel({operation, question_of(options, format), {}});
  }
  if (options.command != "check") return;
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_of(operation_named(operation), format, options)->info().name;
    if (options.contracts.empty()) {
      options.arguments.push_back(name);
      continue;
    }
    for (const ClaimInfo& claim : find_property(name)->info().claims) {
      const bool is_wanted = std::ranges::find(options.contracts, claim.id) != options.contracts.end();
      if (is_wanted || !is_contract(operation_named(operation), claim.id)) {
        options.arguments.push_back(name + "/" + claim.id);
      }
    }
  }
}

std::map<std::string, std::string> provenance_of_run(const Options& options, bool with_device) {
  std::map<std::string, std::string> facts = provenance(with_device);
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_of(operation_named(operation), format, options)->info().name;
    std::string& fact = facts[store::subject_key(name)];
    fact = doors::identity_of(options.subject_file);
    for (const std::string& each : {options.symbol, options.subject_description})
      fact += each.empty() ? "" : " " + each;
  }
  return facts;
}

std::optional<Answer> answer_of(const store::Summary& summary, const Options& options) {
  if (options.kernels.empty()) return std::nullopt;
  Answer answer;
  for (const auto& [name, format] : options.kernels) {
    const Operation& operation = operation_named(name);
    const std::string property = property_of(operation, format, options)->info().name;
    for (const store::PropertySummary& each : summary.properties) {
      if (each.info.name == property) answer.text += ladder_text(operation, options.contracts, each);
    }
    judge_controls(operation, format, options, answer);
  }
  return answer;
}

}  // namespace assay::cli
