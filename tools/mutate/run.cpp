#include "tools/mutate/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "tools/mutate/files.hpp"
#include "tools/mutate/proof.hpp"
#include "tools/mutate/trial.hpp"
#include "tools/mutate/unit_tests.hpp"

namespace mutate {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> families;
  std::vector<std::string> properties;
  std::vector<int> numbers;
  std::size_t sample = 0;
  std::uint64_t sample_seed = 1;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  double budget = 60;
  double least = 0;
  bool prove = false;
  bool fresh = false;
  bool left = false;
  bool tests = false;
  bool table = false;
  fs::path out = "assay-mutants-out";
  fs::path corpus;
  std::string second_compiler;
};

/// The chosen mutants, in the order of their numbers. A sample has the smallest hashes of seed and number.
std::vector<Mutant> chosen(const std::vector<Mutant>& all, const Options& options) {
  const auto is_in = [](const auto& list, const auto& each) {
    return list.empty() || std::find(list.begin(), list.end(), each) != list.end();
  };
  std::vector<Mutant> some;
  for (const Mutant& each : all) {
    if (is_in(options.families, each.family) && is_in(options.numbers, each.number)) some.push_back(each);
  }
  if (options.sample == 0 || options.sample >= some.size()) return some;
  const auto hash = [&](const Mutant& mutant) {
    return std::pair(fnv1a(fmt::format("{}:{}", options.sample_seed, mutant.number)), mutant.number);
  };
  std::sort(some.begin(), some.end(), [&](const Mutant& a, const Mutant& b) { return hash(a) < hash(b); });
  some.resize(options.sample);
  std::sort(some.begin(), some.end(), [](const Mutant& a, const Mutant& b) { return a.number < b.number; });
  return some;
}

/// How the mutated sources are compiled with a compiler, in one folder for object code.
Compilation compilation_by(const std::string& compiler, const Project& project, const Options& options) {
  return {{compiler, "-std=c++20", "-DNDEBUG", "-w", "-ffp-contract=off", "-I" + project.tree.string(),
           "-I" + project.source.string()},
          project.tree,
          options.out / "objects"};
}

/// Those that are neither killed nor proved equivalent and of which `is_asked` holds.
template <class Predicate>
std::vector<Mutant> left_of(const std::vector<Mutant>& mutants, const ResultsFile& file, const Predicate& is_asked) {
  std::vector<Mutant> some;
  for (const Mutant& each : mutants) {
    const auto found = file.results().find(each.number);
    if (found != file.results().end() && is_left(found->second) && is_asked(found->second)) some.push_back(each);
  }
  return some;
}

bool may_be_equivalent(const Result& result) { return !gives_other_bits(result); }

/// Runs unit tests and assertions on the remaining mutants that they have not tried yet.
void ask_tests(const std::vector<Mutant>& mutants, const Project& project, const Options& options, ResultsFile& file) {
  const auto is_untested = [](const Result& result) { return !result.is_tested; };
  const auto add = [&](const Result& result) { file.add(result); };
  kill_by_unit_tests(left_of(mutants, file, is_untested), project.unit_tests, options.out / "unit_tests", options.jobs,
                     add);
  Compilation assertions = compilation_by(project.compiler, project, options);
  const std::vector<std::string>& more = project.assertion_options;
  assertions.words.insert(assertions.words.end(), more.begin(), more.end());
  kill_by_assertions(left_of(mutants, file, is_untested), assertions, project.source, project.assertions, options.jobs,
                     add);
  for (const Mutant& each : left_of(mutants, file, is_untested)) {
    Result result = file.results().at(each.number);
    result.is_tested = true;
    file.add(result);
  }
}

/// Tries the mutants that have no result yet, and looks for proofs if requested.
void try_and_prove(const std::vector<Mutant>& mutants, const Project& project, const Options& options,
                   ResultsFile& file) {
  std::vector<Asked> checks;
  for (const Check* const each : project.checks(options.properties, options.corpus)) checks.push_back({each, {}});
  fmt::print(stderr, "{} mutants, {} properties, {} jobs\n", mutants.size(), checks.size(), options.jobs);
  measure(checks, options.jobs);
  double seconds = 0;
  for (const Asked& each : checks) {
    for (const Asked::Stage& stage : each.of) seconds += stage.seconds;
  }
  fmt::print(stderr, "the right program needs {:.1f} s of a processor\n", seconds);

  std::vector<Mutant> todo;
  for (const Mutant& each : mutants) {
    const auto known = file.results().find(each.number);
    if (known == file.results().end() || (options.left && is_left(known->second))) todo.push_back(each);
  }
  // numbers are hashes: what an interrupted run tried is a sample of all
  std::sort(todo.begin(), todo.end(), [](const Mutant& a, const Mutant& b) { return a.number < b.number; });
  std::size_t tried = 0;
  try_mutants(todo, checks, {options.jobs, options.budget}, [&](const Result& result) {
    file.add(result);
    if (++tried % 100 == 0) fmt::print(stderr, "{} of {}\n", tried, todo.size());
  });
  ask_tests(mutants, project, options, file);
  if (!options.prove) return;
  const Compilation compilation = compilation_by(project.compiler, project, options);
  const auto add = [&](const Result& result) { file.add(result); };
  std::vector<Result> survivors;
  for (const Mutant& each : left_of(mutants, file, may_be_equivalent))
    survivors.push_back(file.results().at(each.number));
  compare_bits(survivors, checks, {options.jobs, 5}, add);
  prove_by_enumeration(left_of(mutants, file, may_be_equivalent), checks, options.jobs, add);
  prove_by_object_code(left_of(mutants, file, may_be_equivalent), checks, compilation, options.jobs, add);
  if (!options.second_compiler.empty()) {
    prove_by_object_code(left_of(mutants, file, may_be_equivalent), checks,
                         compilation_by(options.second_compiler, project, options), options.jobs, add);
  }
}

int run(const Project& project, const Options& options) {
  const std::string list = read_file(project.list);
  const std::vector<Mutant> all = mutants_of(nlohmann::json::parse(list));
  const std::vector<Mutant> mutants = chosen(all, options);
  fs::create_directories(options.out);
  if (options.fresh) fs::remove(options.out / "results.jsonl");
  ResultsFile file(
      options.out / "results.jsonl",
      nlohmann::json{{"mutants", fmt::format("{:016x}", fnv1a(list))}, {"properties", options.properties}}.dump());
  if (options.tests) {
    ask_tests(mutants, project, options, file);
  } else if (!options.table) {
    try_and_prove(mutants, project, options, file);
  }
  const Table table = table_of(mutants, file.results(), Reasons(project.reasons), all.size());
  const std::string text = table_markdown(table);
  write_file(options.out / "mutants.md", text);
  write_file(options.out / "mutants.json", table_document(table).dump(2) + "\n");
  fmt::print("{}", text);
  return 100 * table.all.share() < options.least ? 3 : 0;
}

}  // namespace

int run(int argc, char** argv, const Project& project) {
  Options options;
  options.corpus = project.corpus;
  options.second_compiler = project.second_compiler;
  CLI::App app("Tries systematic mutants against the checks of a project.");
  app.add_option("--family", options.families, "Mutants of these families: dw, arith/float, …");
  app.add_option("--mutant", options.numbers, "Mutants of these numbers");
  app.add_option("--properties", options.properties, "Only properties of these patterns");
  app.add_option("--sample", options.sample, "So many mutants; 0: all");
  app.add_option("--sample-seed", options.sample_seed, "Which sample");
  app.add_option("--jobs", options.jobs, "Processes at a time");
  app.add_option("--budget", options.budget, "Seconds of a processor for a mutant that survives");
  app.add_option("--least", options.least, "Percent of the mutants that have to be killed");
  app.add_flag("--prove", options.prove, "Look for proofs that those left are equivalent: the compiler runs often");
  app.add_flag("--fresh", options.fresh, "Forget the results in the folder");
  app.add_flag("--left", options.left, "Try again the mutants that earlier runs left alive");
  app.add_flag("--tests", options.tests, "Ask no claims: unit tests and assertions about what earlier runs left alive");
  app.add_flag("--table", options.table, "Try nothing: write the tables of the results that are there");
  app.add_option("--out", options.out, "The folder for results, mutants.md and mutants.json");
  app.add_option("--second-compiler", options.second_compiler,
                 "Another compiler for proofs by object code; empty: none");
  app.add_option("--corpus", options.corpus, "Saved cases");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(project, options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace mutate
