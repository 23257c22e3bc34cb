#include "assay/cli/subject.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "assay/campaign/ladder.hpp"
#include "assay/campaign/match.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/doors/call.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/doors/program.hpp"
#include "assay/doors/subject.hpp"
#include "assay/report/ladder.hpp"
#include "assay/report/replay.hpp"
#include "properties/formulas/graph.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/shapes.hpp"

namespace assay::cli {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// "no operation dott; nearest: dot; accepted: asum, axpy, …".
[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = campaign::nearest(name, known);
  throw UsageError(fmt::format("no {} {}; {}accepted: {}", what, name,
                               near.empty() ? "" : "nearest: " + listed(near) + "; ", listed(known)));
}

/// A BLAS name determines its operation and its format. Errors: UsageError if the options contradict the name.
void refuse_other_blas_name(const Options& options) {
  if (options.symbol.empty() || doors::form_of(options.symbol, false) == CallForm::plain) return;
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

Question question_of(const Options& options, const std::string& format) {
  return {.family = options.family,
          .format = format,
          .is_open = options.command == "check" && options.contracts.empty(),
          .is_exhaustive = options.tier == "exhaustive",
          .on_device = options.on == "cuda" && doors::is_library(options.subject),
          .shapes = options.shape,
          .has_large = options.tier == "nightly" && options.shape.empty(),
          .promised = options.command == "check" ? options.contracts : std::vector<std::string>{"*"}};
}

/// Errors: UsageError if the shapes have dimensions that an operation of the options does not have.
void refuse_other_shapes(const Options& options) {
  try {
    for (const auto& [operation, format] : options.kernels) {
      operation_named(operation).property(question_of(options, format), {});
    }
  } catch (const ShapeError& error) {
    throw UsageError(std::string("--") + error.what());
  } catch (const formulas::FormulaError& error) {
    throw UsageError(error.what());
  }
}

std::string without_folder(const std::string& path) {
  return path.starts_with('/') ? std::filesystem::path(path).filename().string() : path;
}

/// The name of a kernel's property, made of the operation and the format.
std::string property_name(const Options& options, const std::string& operation, const std::string& format) {
  return operation_named(operation).property(question_of(options, format), {})->info().name;
}

bool is_contract(const Operation& operation, const std::string& id) { return operation.find(id) != nullptr; }

/// Whether the kernel returns the results of a control in the first cases: bit for bit. Empty if it matches no control
/// or gives no answer.
std::optional<Control> control_that_it_is(const campaign::Unrefused& controls, const std::string& property,
                                          const std::string& executor, const Options& options) {
  const std::unique_ptr<process::Asker> asker =
      process::ask_in_worker(*find_property(property), executor, options.seed, options.limits);
  const process::Answer<Tally> answer = asker->run(controls.first);
  const auto* const tally = std::get_if<Tally>(&answer);
  if (tally == nullptr) return std::nullopt;
  const auto same = std::ranges::find(controls.bits, tally->bits, &std::pair<Control, BitSums>::second);
  return same == controls.bits.end() ? std::nullopt : std::optional(same->first);
}

/// Judges the controls in place of the kernel. If the kernel breaks every contract about errors, tests whether it is
/// one of the controls.
void judge_controls(const Operation& operation, const std::string& format, store::Summary& summary,
                    const Options& options, Answer& answer) {
  Question question = question_of(options, format);
  question.on_device = false;
  question.shapes.clear();  // small cases are enough to refuse a control
  question.has_large = false;
  const campaign::Unrefused found = campaign::judge_controls(operation, question, options.seed);
  const std::string property = property_name(options, operation.name, format);
  for (const report::KernelLadder& each : report::ladders(summary)) {
    if (each.property != property || each.keeps_about_error || each.ladder.broken.empty()) continue;
    if (!options.shape.empty()) continue;  // the controls were judged with other cases
    if (const auto control = control_that_it_is(found, property, each.executor, options)) {
      answer.text += fmt::format("its results are those of the control {}{}\n", name_of(*control),
                                 options.symbol.empty() ? "" : ": is this its signature?");
    }
  }
  for (const std::string& each : found.passed) answer.passed.push_back(each + " in place of the kernel passes");
  if (found.passed.empty()) {
    answer.text += fmt::format("in place of the kernel, every contract about an error refuses {} controls\n",
                               operation.controls().size());
  }
  for (const auto& [id, admitted] : found.blind) {
    answer.text += fmt::format("{} would also accept {}\n", id, listed(admitted));
  }
  for (store::PropertySummary& each : summary.properties) {
    if (each.info.name != property) continue;
    for (std::size_t c = 0; c < each.info.claims.size(); ++c) {
      const auto admitted = found.blind.find(each.info.claims[c].id);
      if (admitted != found.blind.end()) each.findings[c].also_accepts = admitted->second;
    }
  }
}

/// How the kernel is called: a C declaration for a function, otherwise the kind of program.
std::string call_text(const Options& options, const Operation& operation, const std::string& format) {
  if (!doors::is_library(options.subject)) {
    return options.text ? "lines of text of a program (docs/pipe.md)" : "frames of a program (docs/pipe.md)";
  }
  if (options.symbol.empty()) return fmt::format("{} in {} of the library's table", operation.name, format);
  const CallForm form = doors::form_of(options.symbol, operation, format, options.on == "cuda");
  return doors::declaration_of(operation, format, options.symbol, form);
}

/// The name of a library's function if no option gives it.
std::string default_symbol(const Operation& operation, const std::string& format) {
  const std::string name = doors::libm_name(operation, format.empty() ? "f64" : format);
  return name.empty() ? operation.name : name;
}

/// Refuses options that contradict each other or the operation, independently of the library. Errors: UsageError.
void refuse_contradictions(const Options& options) {
  const bool is_library = doors::is_library(options.subject);
  if (options.operation.empty() && (!is_library || !options.symbol.empty())) {
    throw UsageError("--subject: needs --operation, the name of what the kernel computes");
  }
  if (!options.operation.empty()) operation_named(options.operation);
  if (is_library && options.text) throw UsageError("--text: lines are for a program; a library has none");
  if (!is_library && !options.symbol.empty()) throw UsageError("--symbol: a command has no symbols");
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || each == '_' || (each >= '0' && each <= '9');
  };
  if (options.family.empty() || !std::ranges::all_of(options.family, is_letter) ||
      !properties_of(options.family).empty()) {
    throw UsageError(fmt::format("--as {}: use letters a to z, digits and _, and no name of a family of this program",
                                 options.family));
  }
  if (options.isolation == campaign::Isolation::none) {
    throw UsageError("--isolate none: a kernel from outside never runs in the judging process");
  }
  if (options.command == "check" && !options.arguments.empty()) {
    throw UsageError("--subject: takes --contract instead of names of properties");
  }
  if (options.tier == "giant") {
    throw UsageError(
        "--tier giant: is not for kernels from outside; assay.assert_within of Python judges results of more than "
        "2^31 numbers where they lie");
  }
}

/// Loads the library or starts the program in a process of its own. Errors: SubjectError.
doors::Tried tried(Options& options) {
  constexpr std::chrono::milliseconds least{10000};
  doors::Tried tried = doors::try_to_load(subject_of(options),
                                          std::max<std::chrono::milliseconds>(least, 7 * options.limits.timeout_case));
  if (!tried.error.empty()) throw doors::SubjectError(tried.error);
  if (tried.changes_environment) {
    to_stderr("assay: {}: loading it changed the floating-point environment or the locale; both were restored\n",
              options.subject);
  }
  options.subject_file = tried.file;
  options.subject_description = tried.description;
  return tried;
}

/// Where the kernels of a table run: "host" or "cuda". Errors: UsageError.
std::string place_of_table(const Options& options, const doors::Tried& table) {
  if (options.on == "host" && !table.runs_on_host) {
    throw UsageError(fmt::format("--on host: the kernels in the table of {} run on cuda only", options.subject));
  }
  if (options.on == "cuda" && !table.runs_on_device) {
    throw UsageError(fmt::format("--on cuda: the kernels in the table of {} run on the host only", options.subject));
  }
  if (options.on != "all") return options.on;
  return table.runs_on_host ? "host" : "cuda";
}

/// Selects the kernels of a library's table. Returns false if the library has no table and an operation was named.
/// Errors:
/// UsageError, SubjectError.
bool take_table(Options& options) {
  const doors::Tried table = tried(options);
  if (table.kernels.empty()) {
    if (options.operation.empty()) {
      throw UsageError(
          fmt::format("--subject: needs --operation, the name of what the kernel computes: {} has "
                      "no table",
                      options.subject));
    }
    return false;
  }
  options.on = place_of_table(options, table);
  std::string has;
  for (const auto& [operation, format] : table.kernels) {
    has += (has.empty() ? "" : ", ") + operation + " in " + format;
    if (doors::has_rules(operation)) continue;  // selected by name alone
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

/// The calling form of the library's function; it must be one of the operation's forms. Errors: UsageError.
CallForm form_of_function(const Options& options, const Operation& operation) {
  const bool on_device = options.on == "cuda";
  const std::string told = doors::format_of_symbol(options.symbol, operation);
  if (doors::form_of(options.symbol, operation, told, on_device) == CallForm::libm && told != options.format) {
    throw UsageError(fmt::format("--symbol {}: its numbers are {}, not {}", options.symbol, told, options.format));
  }
  const CallForm form = doors::form_of(options.symbol, operation, options.format, on_device);
  if (std::ranges::find(operation.signatures, form, &Signature::form) == operation.signatures.end()) {
    std::vector<std::string> forms;
    forms.reserve(operation.signatures.size());
    for (const Signature& each : operation.signatures) forms.emplace_back(name_of(each.form));
    throw UsageError(fmt::format("--symbol {}: {} is not computed by {} functions, but by {}; see `{} contracts {}`",
                                 options.symbol, operation.name, name_of(form), listed(forms),
                                 report::shell_word(options.program), operation.name));
  }
  return form;
}

/// The function of a library, or the program, that is judged. Errors: UsageError, SubjectError.
void take_function_or_program(Options& options) {
  const Operation& operation = operation_named(options.operation);
  refuse_other_blas_name(options);
  if (options.format.empty()) options.format = doors::format_of_symbol(options.symbol, operation);
  if (std::ranges::find(operation.formats, options.format) == operation.formats.end()) {
    throw UsageError(fmt::format("--format {}: {} has {}", options.format, operation.name, listed(operation.formats)));
  }
  options.kernels.emplace_back(options.operation, options.format);
  if (!doors::is_library(options.subject)) {
    tried(options);
    return;
  }
  const bool on_device = doors::is_on_device(form_of_function(options, operation));
  if (options.on != "all" && (options.on == "cuda") != on_device) {
    throw UsageError(fmt::format("--on {}: the arrays of {} are on {}", options.on, options.symbol,
                                 on_device ? "a device" : "the host"));
  }
  options.on = on_device ? "cuda" : "host";
  // Without a device no device kernel runs, and the library may not load.
  if (!on_device || Executor::cuda_device_count() > 0) tried(options);
}

/// Errors: UsageError where no operation that is asked has the contract, or several are asked, or where it is about the
/// place of arrays that are the kernel's own.
void refuse_unknown_contract(const std::string& id, const Options& options) {
  if (options.kernels.size() > 1) {
    throw UsageError(
        fmt::format("--contract {}: needs --operation and --format, because the table has several kernels", id));
  }
  const auto& [name, format] = options.kernels.front();
  const Operation& operation = operation_named(name);
  const Contract* const contract = operation.find(id);
  // Collectives have another contract of this name, about places in a buffer.
  const bool moves_arrays = id == "place_invariant" && contract != nullptr && !contract->is_rung;
  if (moves_arrays && (!doors::is_library(options.subject) || options.on == "cuda")) {
    throw UsageError(
        "--contract place_invariant: the arrays of a program and of a device are not placed; it is asked of "
        "a library on the host");
  }
  std::vector<std::string> known;
  for (const Contract& each : operation.contracts) {
    if (each.is_of(format)) known.push_back(each.id);
  }
  if (std::ranges::find(known, contract_today(id)) != known.end()) return;
  if (is_contract(operation, id)) {
    throw UsageError(fmt::format("--contract {}: {} does not have this contract in {}; accepted: {}", id,
                                 operation.name, format, listed(known)));
  }
  refuse("contract", id, known);
}

}  // namespace

doors::Subject subject_of(const Options& options) {
  const bool is_file = doors::is_library(options.subject) && std::filesystem::exists(options.subject);
  return {is_file ? std::filesystem::absolute(options.subject).string() : options.subject, options.symbol,
          options.operation, question_of(options, options.format),
          options.text ? doors::Speech::lines : doors::Speech::frames};
}

std::optional<doors::Subject> placed_subject_of(const Options& options) {
  Options placed = options;
  const bool is_library = doors::is_library(options.subject);
  if (!is_library && options.on == "cuda") throw UsageError("--on cuda: a program gets no arrays of a device");
  if (is_library && options.symbol.empty()) {
    const doors::Tried table = tried(placed);
    if (!table.kernels.empty()) placed.on = place_of_table(options, table);
  }
  if (placed.on == "cuda" && executors(placed).empty()) return std::nullopt;
  return subject_of(placed);
}

const Operation& operation_named(const std::string& name) {
  if (const Operation* const found = find_operation(name)) return *found;
  std::vector<std::string> names;
  for (const Operation* each : operations()) names.push_back(each->name);
  if (names.empty()) throw UsageError("this program judges no kernels from outside");
  refuse("operation", name, names);
}

std::string formula_of_file(const std::string& path, const std::string& shape) {
  try {
    return add_formula(path, shape);
  } catch (const formulas::FormulaError& error) {
    throw UsageError(error.what());
  } catch (const ShapeError& error) {
    throw UsageError(std::string("--") + error.what());
  }
}

void open_subject(Options& options) {
  if (!options.formula.empty() && !options.subject.empty()) {
    if (!options.operation.empty()) throw UsageError("--operation: the formula says what the kernel computes");
    if (options.formula.ends_with(".formula")) options.formula = std::filesystem::absolute(options.formula).string();
    options.operation = formula_of_file(options.formula, options.shape);
    ::setenv("ASSAY_FORMULA", options.formula.c_str(), 1);
  }
  if (options.subject.empty()) {
    for (const auto& [option, is_given] :
         {std::pair{"--contract", !options.contracts.empty()}, std::pair{"--operation", !options.operation.empty()},
          std::pair{"--formula", !options.formula.empty()},
          std::pair{"--shape", !options.shape.empty() && options.command != "tolerance"},
          std::pair{"--symbol", !options.symbol.empty()}, std::pair{"--text", options.text},
          std::pair{"--words", options.words != 0}, std::pair{"--draws", options.draws != 0}}) {
      if (is_given) throw UsageError(fmt::format("{}: needs --subject", option));
    }
    if (options.command == "probe-order") throw UsageError("probe-order: needs --subject, a library or a program");
    return;
  }
  if (options.words + options.draws != 0 && !doors::has_rules(options.operation)) {
    throw UsageError(fmt::format("{}: of --operation convert or quantize", options.words != 0 ? "--words" : "--draws"));
  }
  // run_convert() and run_quantize() handle these.
  if (doors::has_rules(options.operation) && options.command == "check") return;
  refuse_contradictions(options);
  operations();  // what is missing is said here, not by a process that loads the kernel
  const bool is_library = doors::is_library(options.subject);
  if (is_library && options.symbol.empty() && !take_table(options)) {
    options.symbol = default_symbol(operation_named(options.operation), options.format);
  }
  if (options.kernels.empty()) take_function_or_program(options);
  refuse_other_shapes(options);
  for (const std::string& id : options.contracts) refuse_unknown_contract(id, options);
  for (const auto& [operation, format] : options.kernels) {
    const CallForm form = options.symbol.empty() ? CallForm::plain
                                                 : doors::form_of(options.symbol, operation_named(operation), format,
                                                                  options.on == "cuda");
    doors::register_kernel({operation, question_of(options, format), {.form = form}});
  }
  if (options.command != "check") return;
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_name(options, operation, format);
    const Operation& of = operation_named(operation);
    if (options.contracts.empty() && std::ranges::all_of(of.contracts, &Contract::is_rung)) {
      options.arguments.push_back(name);
      continue;
    }
    for (const ClaimInfo& claim : find_property(name)->info().claims) {
      if (campaign::is_asked(of, claim.id, options.contracts)) options.arguments.push_back(name + "/" + claim.id);
    }
  }
}

std::map<std::string, std::string> provenance_of_run(const Options& options, bool with_device) {
  std::map<std::string, std::string> facts = provenance(with_device);
  facts[store::build_key(std::filesystem::path(options.program).filename())] = build_id();
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_name(options, operation, format);
    std::string& fact = facts[store::subject_key(name)];
    fact = doors::identity_of(options.subject_file);
    for (const std::string& each : {options.symbol, options.subject_description, options.shape})
      fact += each.empty() ? "" : " " + each;
  }
  return facts;
}

std::string subject_options(const Options& options, const std::string& property, const std::string& subject) {
  for (const auto& [operation, format] : options.kernels) {
    if (property_name(options, operation, format) != property) continue;
    const std::string what =
        options.formula.empty() ? "--operation " + operation : "--formula " + report::shell_word(options.formula);
    return fmt::format(
        "{}{} --subject {}{}{} --format {}{}{}", what,
        options.shape.empty() ? "" : " --shape " + report::shell_word(options.shape), report::shell_word(subject),
        options.text ? " --text" : "", options.symbol.empty() ? "" : " --symbol " + report::shell_word(options.symbol),
        format, options.family == "subject" ? "" : " --as " + options.family, options.on == "cuda" ? " --on cuda" : "");
  }
  return "";
}

std::map<std::string, std::string> calls_here(const Options& options) {
  std::map<std::string, std::string> calls;
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_name(options, operation, format);
    calls[name] = subject_options(options, name, subject_of(options).source);
  }
  return calls;
}

std::map<std::string, std::string> call_of_run(const Options& options) {
  std::map<std::string, std::string> facts{{store::program_key, std::filesystem::path(options.program).filename()}};
  if (!options.label.empty()) facts["label"] = options.label;
  if (options.subject.empty()) return facts;
  std::string subject = without_folder(options.subject);
  if (!doors::is_library(options.subject)) {
    subject.clear();
    for (const std::string& word : doors::words_of_command(options.subject)) {
      subject += (subject.empty() ? "" : " ") + report::shell_word(without_folder(word));
    }
  }
  for (const auto& [operation, format] : options.kernels) {
    const std::string name = property_name(options, operation, format);
    facts[store::options_key(name)] = subject_options(options, name, subject);
    const Operation& asked = operation_named(operation);
    facts[store::call_key(name)] = call_text(options, asked, format);
    if (!asked.graph.empty()) facts[store::graph_key(name)] = asked.graph;
  }
  return facts;
}

std::optional<Answer> answer_of(store::Summary& summary, const Options& options) {
  if (options.kernels.empty()) return std::nullopt;
  Answer answer;
  for (const auto& [name, format] : options.kernels) {
    judge_controls(operation_named(name), format, summary, options, answer);
  }
  return answer;
}

}  // namespace assay::cli
