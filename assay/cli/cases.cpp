#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "assay/campaign/shrink.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/saved_case.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/costs.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/day.hpp"
#include "assay/store/json.hpp"
#include "assay/store/replayed.hpp"

namespace assay::cli {
namespace {

/// Prints unless the command prints a JSON document.
template <class... Arguments>
void say(const Options& options, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!options.json) fmt::print(format, std::forward<Arguments>(arguments)...);
}

/// Judges one case on one executor, prints the outcome, writes it to `told`, and returns the exit code.
int replay_on(const PropertyModel& property, const std::string& executor, const store::CaseFile& file,
              std::optional<std::size_t> named, const Options& options, store::Replayed::Answer& told) {
  const PropertyInfo& info = property.info();
  told.executor = executor;
  const std::unique_ptr<process::Asker> asker =
      process::ask_in_worker(property, executor, options.seed, options.limits);
  const process::Answer<std::vector<CaseOutcome>> answer = asker->judge(std::span(&file.inputs, 1));
  if (const auto* stop = std::get_if<process::Stop>(&answer)) {
    told.stop = fmt::format("{}: {}", store::word(stop->kind), stop->what);
    say(options, "{} on {}: {}\n", info.name, executor, told.stop);
    return report::exit_stopped;
  }
  const CaseOutcome& outcome = std::get<std::vector<CaseOutcome>>(answer).front();
  told.got = store::hex_words(outcome.got);
  if (file.evidence && !file.evidence->got.empty()) told.is_as_recorded = file.evidence->got == told.got;
  const std::string recorded = !told.is_as_recorded   ? ""
                               : *told.is_as_recorded ? "  (the recorded bits)"
                                                      : "  (not the recorded bits)";
  say(options, "{} on {}\n  got    {}{}\n", info.name, executor, words_text(told.got, holds_integers(info)), recorded);
  told.cost = outcome.cost;
  if (const std::string cost = report::cost_text(outcome.cost); !cost.empty()) say(options, "  {}\n", cost);
  int code = report::exit_holds;
  for (std::size_t c = 0; c < info.claims.size(); ++c) {
    const ClaimInfo& claim = info.claims[c];
    const ClaimOutcome& of_claim = outcome.claims[c];
    const bool is_named = named == c;
    if (!of_claim.applies) {
      if (is_named) {
        say(options, "  {}/{}: outside the claim's preconditions: {}\n", info.name, claim.id, claim.preconditions);
        told.claims.push_back({claim.id, "does not apply", true, false, {}, claim.statement, claim.source});
      }
      continue;
    }
    const Verdict verdict = of_claim.judgement.verdict;
    const bool should_fail = is_named ? file.expected == "violated" : claim.expected_refuted;
    const bool is_contract = !options.kernels.empty() && !report::is_unasked(claim.id);
    const std::string_view word = is_contract && verdict == Verdict::violated ? "broken" : store::word(verdict);
    store::CaseFile::Evidence evidence = campaign::evidence_of(outcome, c);
    if (is_named || verdict != Verdict::holds || options.verbose) {
      say(options, "  {}/{}: {}{}\n", info.name, claim.id, word,
          verdict == Verdict::violated && should_fail ? ", as expected" : "");
      say(options, "{}    claim  {}\n    source {}\n", evidence_text(evidence, claim.id, holds_integers(info), "    "),
          claim.statement, claim.source);
      if (const auto other = campaign::other_ratio(info, c, file, of_claim, executor)) {
        say(options, "    ratio  {}\n", *other);
        code = report::graver(code, report::exit_trouble);
      }
    }
    evidence.got.clear();
    told.claims.push_back({claim.id, std::string(word), is_named, (verdict == Verdict::violated) == should_fail,
                           std::move(evidence), claim.statement, claim.source});
    if (verdict == Verdict::undecided) {
      code = report::graver(code, report::exit_trouble);
    } else if ((verdict == Verdict::violated) != should_fail && (is_named || verdict == Verdict::violated)) {
      code = report::graver(code, report::exit_violated);
    }
  }
  return code;
}

/// The selected executors on which the property's subject exists; if there is none, prints a line that says so.
std::vector<std::string> executors_of(const PropertyModel& property, const Options& options) {
  std::vector<std::string> on = executors(options);
  std::erase_if(on, [&](const std::string& executor) { return !property.info().runs_on(executor); });
  if (on.empty()) {
    to_stderr("assay: {}: nothing to run\n", property.info().name);
  }
  return on;
}

}  // namespace

int run_replay(const Options& options) {
  const std::vector<std::string> on = executors(options);
  if (on.empty()) {
    return report::exit_skipped;
  }
  struct Case {
    const PropertyModel* property;
    store::CaseFile file;
    std::optional<std::size_t> claim;
  };
  int code = report::exit_holds;
  std::vector<Case> cases;
  for (const std::string& argument : options.arguments) {
    const std::filesystem::path path = locate(argument, options);
    store::CaseFile file;
    try {
      file = store::read_case(path);
    } catch (const store::DamagedFile& error) {
      to_stderr("assay: {}\n", error.what());
      code = report::graver(code, report::exit_damaged);
      continue;
    }
    const PropertyModel& property = property_named(file.property);
    file = admitted(std::move(file), property, path);
    std::optional<std::size_t> claim;
    if (!file.claim.empty()) {
      claim = claim_index(property.info(), file.claim, path);
    }
    cases.push_back({&property, std::move(file), claim});
  }
  for (const auto& [key, call] : call_of_run(options)) {
    if (key.starts_with(store::call_key("")))
      say(options, "{} asked as {}\n", key.substr(store::call_key("").size()), call);
  }
  process::watch_signals();
  bool any = false;
  store::Replayed told;
  for (const Case& each : cases) {
    say(options, "case {}\n{}", store::case_id(each.file),
        store::describe(each.file.inputs, holds_integers(each.property->info())));
    store::Replayed::Case& of_case = told.cases.emplace_back();
    of_case.file = each.file;
    for (const std::string& executor : on) {
      if (!each.property->info().runs_on(executor)) {
        continue;
      }
      any = true;
      code = report::graver(
          code, replay_on(*each.property, executor, each.file, each.claim, options, of_case.answers.emplace_back()));
    }
  }
  if (options.json) fmt::print("{}", store::pretty(store::replayed_document(told)));
  if (!any && !cases.empty()) {
    to_stderr("assay: nothing to run\n");
    return report::graver(code, report::exit_skipped);
  }
  return code;
}

int run_eval(const Options& options) {
  const PropertyModel& property = property_named(options.arguments.at(0));
  const std::filesystem::path path = locate(options.arguments.at(1), options);
  store::CaseFile file = store::read_case(path);
  if (file.property != property.info().name) {
    throw UsageError(fmt::format("{}: a case of {}, not of {}", path.string(), file.property, property.info().name));
  }
  file = admitted(std::move(file), property, path);
  const std::vector<std::string> on = executors_of(property, options);
  if (on.empty()) {
    return report::exit_skipped;
  }
  process::watch_signals();
  std::vector<store::Evaluated> results;
  for (const std::string& executor : on) {
    const std::unique_ptr<process::Asker> asker =
        process::ask_in_worker(property, executor, options.seed, options.limits);
    process::Answer<std::vector<Words>> answer = asker->evaluate(std::span(&file.inputs, 1));
    if (const auto* stop = std::get_if<process::Stop>(&answer)) {
      to_stderr("assay: {} on {}: {}: {}\n", property.info().name, executor, store::word(stop->kind), stop->what);
      return report::exit_stopped;
    }
    results.push_back({executor, std::move(std::get<std::vector<Words>>(answer).front())});
  }
  fmt::print("{}", store::pretty(store::eval_document(property.info().name, file, results)));
  return report::exit_holds;
}

int run_shrink(const Options& options) {
  const std::filesystem::path path = locate(options.arguments.at(0), options);
  store::CaseFile file = store::read_case(path);
  const PropertyModel& property = property_named(file.property);
  file = admitted(std::move(file), property, path);
  std::optional<std::size_t> named;
  if (!file.claim.empty()) {
    named = claim_index(property.info(), file.claim, path);
  }
  const std::vector<std::string> on = executors_of(property, options);
  if (on.empty()) {
    return report::exit_skipped;
  }
  process::watch_signals();
  const bool there = std::find(on.begin(), on.end(), file.executor) != on.end();
  const std::string executor = there ? file.executor : on.front();
  const std::unique_ptr<process::Asker> asker =
      process::ask_in_worker(property, executor, options.seed, options.limits);
  process::Answer<std::vector<CaseOutcome>> answer = asker->judge(std::span(&file.inputs, 1));
  std::optional<campaign::FailureKind> failure;
  std::optional<CaseOutcome> outcome;
  if (const auto* stop = std::get_if<process::Stop>(&answer)) {
    failure.emplace().stop = stop->kind;
  } else {
    outcome = std::move(std::get<std::vector<CaseOutcome>>(answer).front());
    for (std::size_t c = 0; c < outcome->claims.size() && !failure; ++c) {
      if (!named || named == c) {
        failure = campaign::failure_of(*outcome, c);
      }
    }
  }
  if (!failure) {
    to_stderr("assay: {}: the case fails no claim{} on {}: nothing to shrink\n", path.string(),
              named ? " " + file.claim : "", executor);
    return report::exit_holds;
  }
  campaign::Shrunk shrunk = campaign::shrink_case(property, *asker, file.inputs, *failure, options.shrink_steps);
  if (shrunk.outcome) {
    outcome = std::move(shrunk.outcome);
  }
  file.inputs = std::move(shrunk.record);
  file.executor = executor;
  file.why = store::Why::violated;
  store::PropertySummary summary;
  summary.info = property.info();
  summary.executor = executor;
  ClaimInfo claim;
  if (failure->stop) {
    file.evidence.reset();
  } else {
    claim = property.info().claims[failure->claim];
    file.claim = claim.id;
    file.evidence = campaign::evidence_of(*outcome, failure->claim);
    file.expected = claim.expected_refuted ? "violated" : "holds";
  }
  const std::filesystem::path written = store::write_case(store::folder_of_cases(options.out), file);
  fmt::print("{}: {}\n", written.string(), report::shrunk_text(shrunk.tried, shrunk.minimal));
  print_failure(summary, claim, file, options);
  return failure->stop ? report::exit_stopped : claim.expected_refuted ? report::exit_holds : report::exit_violated;
}

int run_corpus(const Options& options) {
  if (options.corpus.empty()) {
    throw UsageError("no corpus; name one with --corpus");
  }
  const store::Corpus corpus(options.corpus);
  int code = report::exit_holds;
  const auto say = [&](const std::vector<store::CorpusProblem>& problems, int otherwise) {
    for (const store::CorpusProblem& problem : problems) {
      to_stderr("assay: {}\n", problem.what);
      code = report::graver(code, problem.damaged ? report::exit_damaged : otherwise);
    }
  };
  if (options.action == "list") {
    const store::Corpus::Contents contents = corpus.read();
    for (const store::Corpus::Entry& entry : contents.entries) {
      fmt::print("{}  {}{}{}  {}  {}\n", entry.id, entry.file.property, entry.file.claim.empty() ? "" : "/",
                 entry.file.claim, store::word(entry.file.why), entry.file.expected);
    }
    say(contents.problems, report::exit_holds);
  } else if (options.action == "verify") {
    say(corpus.verify(), report::exit_damaged);
    if (code == report::exit_holds) {
      fmt::print("{} entries; each of them tests something\n", corpus.read().entries.size());
    }
  } else if (options.action == "add") {
    const auto add = [&](const std::string& argument) {
      store::CaseFile file = store::read_case(argument);
      const PropertyModel* const outside = store::property_of_cases(file.property);
      const PropertyModel& property = outside != nullptr ? *outside : property_named(file.property);
      file = admitted(std::move(file), property, argument);
      if (!file.claim.empty()) {
        claim_index(property.info(), file.claim, argument);
      }
      if (file.date.empty()) file.date = store::today();
      const store::Corpus::Added added = corpus.add(file);
      fmt::print("{} {}\n", store::case_id(file), added == store::Corpus::Added::present ? "present" : "added");
    };
    const auto refuse = [&](const std::string& argument, const std::exception& error, int why) {
      to_stderr("assay: {}; {} is not added\n", error.what(), argument);
      code = report::graver(code, why);
    };
    for (const std::string& argument : options.arguments) {
      try {
        add(argument);
      } catch (const store::DamagedFile& error) {
        refuse(argument, error, report::exit_damaged);
      } catch (const UsageError& error) {
        refuse(argument, error, report::exit_usage);
      }
    }
  } else {
    for (const std::string& argument : options.arguments) {
      if (!std::filesystem::is_directory(argument)) {
        throw UsageError("no folder " + argument);
      }
      const store::Corpus::Merged merged = corpus.merge(store::Corpus(argument));
      fmt::print("{}: {} added, {} present\n", argument, merged.added, merged.present);
      say(merged.problems, report::exit_holds);
    }
  }
  return code;
}

}  // namespace assay::cli
