#include "assay/cli/options.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "assay/cli/option_texts.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/cli/refusals.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/replay.hpp"
#include "assay/store/case_file.hpp"

namespace assay::cli {
namespace {

/// Adds options, each with an environment variable of the same meaning.
class Adder {
 public:
  explicit Adder(CLI::App& command) : command_(command) {}
  template <class T>
  CLI::Option* option(const std::string& name, T& into, const std::string& text) {
    return twin(command_.add_option("--" + name, into, text), name);
  }
  /// The environment variable has another name if another command has an option of this name with another meaning.
  template <class T>
  CLI::Option* option(const std::string& name, T& into, const std::string& text, const std::string& twin_name) {
    return twin(command_.add_option("--" + name, into, text), twin_name);
  }
  CLI::Option* flag(const std::string& names, bool& into, const std::string& text) {
    const std::size_t dashes = names.find("--");
    return twin(command_.add_flag(names, into, text), names.substr(dashes == std::string::npos ? 0 : dashes + 2));
  }

  static std::string variable(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c); });
    return "ASSAY_" + name;
  }
  static std::set<std::string>& variables() {
    static std::set<std::string> known{"ASSAY_GNUPLOT"};
    return known;
  }

 private:
  static CLI::Option* twin(CLI::Option* option, const std::string& name) {
    option->envname(variable(name));
    variables().insert(variable(name));
    return option;
  }
  CLI::App& command_;
};

void add_everywhere(CLI::App& command, Options& options, OptionTexts& raw) {
  Adder add(command);
  add.option("progress", options.progress, "auto, plain or none")->check(CLI::IsMember({"auto", "plain", "none"}));
  add.option("color", options.color, "auto, always or never")->check(CLI::IsMember({"auto", "always", "never"}));
  add.option("max-file", raw.most, "size limit of a case file (64M); of a run's files 16 times as many bytes");
  add.flag("--quiet", options.quiet, "print only failures");
  add.flag("-v,--verbose", options.verbose, "also print input classes and inexact operations");
  command.set_version_flag("--version", version_text());
}

void add_on(CLI::App& command, Options& options) {
  Adder(command)
      .option("on", options.on, "host, cuda or all executors present")
      ->check(CLI::IsMember({"host", "cuda", "all"}));
}

void add_out(CLI::App& command, Options& options) {
  Adder(command).option("out", options.out, "folder of the run (assay-out)");
}

void add_corpus(CLI::App& command, OptionTexts& raw) {
  Adder(command).option("corpus", raw.corpus, "folder of saved cases");
}

void add_label(CLI::App& command, Options& options) {
  Adder(command).option("label", options.label, "your version of the kernel under test, such as a commit");
}

void add_ledger(CLI::App& command, Options& options) {
  Adder(command).option("ledger", options.ledger, "the ledger's file (assay-ledger.sqlite)");
}

void add_limits(CLI::App& command, OptionTexts& raw) {
  Adder add(command);
  add.option("timeout-case", raw.timeout_case, "of a worker (10s)");
  add.option("mem-limit", raw.memory, "of a worker (4G)");
}

void add_shrinking(CLI::App& command, OptionTexts& raw) {
  Adder add(command);
  add.option("shrink-steps", raw.steps, "largest number of smaller cases tried for each failure (10000)");
  add.flag("--no-shrink", raw.no_shrink, "keep failing cases as they were found");
}

void add_patterns(CLI::App& command, Options& options) {
  command.add_option("GLOB", options.arguments, "family.kernel or family.kernel/claim; none: all");
  Adder(command).option("exclude", options.exclude, "patterns to exclude; repeatable")->take_all();
}

void add_subject(CLI::App& command, Options& options) {
  Adder add(command);
  add.option("subject", options.subject,
             "the kernel: a shared library, or a command that starts a program (docs/pipe.md)");
  add.option("symbol", options.symbol,
             "name of its function: plain, of <math.h>, cblas_…, cublas… or …_ (default: the library's table, "
             "or the operation's name)");
  add.flag("--text", options.text, "the program reads and writes lines of text (docs/pipe.md)");
  add.option("operation", options.operation,
             "what the kernel computes, see `assay contracts` (default: all of a table)");
  add.option("formula", options.formula, "a file with the formula that the kernel computes, instead of --operation");
  add.option("shape", options.shape, "lengths of dimensions: n=8193,100000, m=1..64,k=7; repeatable (small cases)")
      ->join(';');
  add.option("as", options.family, "the kernel's name in reports (subject)");
  add.option("format", options.format, "number format: f64, f32, f16 or bf16 (default: from the symbol)");
}

/// Adds the options of the commands that run one saved case.
void add_one_case(CLI::App& command, Options& options, OptionTexts& raw) {
  add_subject(command, options);
  add_on(command, options);
  add_out(command, options);
  add_corpus(command, raw);
  add_limits(command, raw);
}

void add_check(CLI::App& command, Options& options, OptionTexts& raw) {
  add_patterns(command, options);
  Adder add(command);
  add_subject(command, options);
  add.option("contract", options.contracts,
             "id of a contract that the kernel must keep; repeatable (default: all are tested)")
      ->take_all();
  CLI::Option* const words = add.option(
      "words", raw.words, "bits of the random words, for a conversion or a quantizer that takes them as an argument");
  add.option("draws", raw.draws, "bits of the random words, for a conversion or a quantizer that draws them itself")
      ->excludes(words);
  add.option("tier", options.tier, "quick, nightly, exhaustive, giant, or bulk (the tier that a device judges)")
      ->check(CLI::IsMember({"quick", "nightly", "exhaustive", "giant", "bulk"}));
  add.option("judge", options.judge,
             "oracle, or device: probes judge; the oracle judges what they cannot decide and a sample")
      ->check(CLI::IsMember({"oracle", "device"}));
  add.option("cases", raw.cases, "cases for each property");
  add.option("numbers", raw.numbers,
             "fewer cases of properties with large cases: as many as have N numbers together, at least 200");
  add.option("case", options.case_files, "a matrix (Matrix Market) to judge in place of drawn cases; repeatable")
      ->take_all();
  add.option("time", raw.time, "time for each property, such as 30m");
  add.option("seed", raw.seed, "a number or random (1)");
  add.option("jobs", raw.jobs, "worker processes (the number of cores)");
  add.flag("--mpi", options.mpi,
           "share the work among the ranks of an MPI job: under mpirun or srun (docs/clusters.md)");
  add.option("shard", raw.shard, "i/n: cases i, i + n, … with 0 <= i < n");
  add.flag("--resume", options.resume, "continue the run in the folder");
  add.flag("--overwrite", options.overwrite, "replace the folder's results of another run, unless --resume is given");
  add.flag("--dry-run", options.dry_run, "print the plan: cases, estimated time and memory; run nothing else");
  add.flag("--update-corpus", options.update_corpus, "write failing and hardest cases to the corpus");
  add.option("digests", options.digests, "a file of digests of results: written, or compared with where it is there");
  add.option("isolate", raw.isolate, "none, worker, property or case")
      ->check(CLI::IsMember({"none", "worker", "property", "case"}));
  add.flag("--fail-on-skip", options.fail_on_skip, "exit with code 3 if a property was skipped");
  add_label(command, options);
  add_on(command, options);
  add_out(command, options);
  add_corpus(command, raw);
  add_limits(command, raw);
  add_shrinking(command, raw);
}

void add_hunt(CLI::App& command, Options& options, OptionTexts& raw) {
  add_patterns(command, options);
  Adder add(command);
  CLI::Option* const time = add.option("time", raw.time, "time for each row, such as 60s (60s)");
  add.option("evaluations", raw.evaluations, "cases to judge for each row, instead of a time; repeatable")
      ->excludes(time);
  add.option("judge", options.judge, "oracle, or device: a probe searches where the kernel has one, on a device always")
      ->check(CLI::IsMember({"oracle", "device"}));
  add.option("start", options.start, "all, or blind: without the corpus and without constructed classes")
      ->check(CLI::IsMember({"all", "blind"}));
  add.option("claim", options.claims, "id of a claim; repeatable (all)")->take_all();
  add.option("seed", raw.seed, "a number or random (1)");
  add.option("jobs", raw.jobs, "worker processes (the number of cores)");
  add.flag("--mpi", options.mpi, "the ranks of an MPI job work together: under mpirun or srun (docs/clusters.md)");
  add.flag("--resume", options.resume, "keep the rows that are in the folder, hunt for the others");
  add.flag("--overwrite", options.overwrite, "replace the folder's rows of another hunt, unless --resume is given");
  add.flag("--update-corpus", options.update_corpus, "write the cases that were found to the corpus");
  add.option("isolate", raw.isolate, "none or property")->check(CLI::IsMember({"none", "property"}));
  add.flag("--json", options.json, "one JSON document");
  add_on(command, options);
  add_out(command, options);
  add_corpus(command, raw);
  add_limits(command, raw);
  add_shrinking(command, raw);
}

/// The folder of --corpus; otherwise one in the program's folder; otherwise one in the current folder. (ASSAY_CORPUS is
/// the environment variable of that option.)
std::filesystem::path find_corpus(const std::string& given) {
  if (!given.empty()) {
    return given;
  }
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  for (const std::filesystem::path& each :
       {program.parent_path().parent_path() / "share/assay/corpora", std::filesystem::path("corpora")}) {
    if (std::filesystem::is_directory(each, failed)) {
      return each;
    }
  }
  return {};
}

void warn_of_unknown_variables() {
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const std::string name(text.substr(0, text.find('=')));
    const bool of_the_build = name == "ASSAY_CUDA" || name == "ASSAY_WERROR";  // CMakePresets.json
    if (name.starts_with("ASSAY_") && !of_the_build && !Adder::variables().contains(name)) {
      to_stderr("assay: warning: {} is not a setting of assay\n", name);
    }
  }
}

/// An empty value does not mean the default: it comes from an unset variable of a script.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    const bool ends_empty = word.starts_with("--") && word.find('=') + 1 == word.size();
    if (!word.empty() && !ends_empty) continue;
    throw UsageError(fmt::format("the value of {} is empty; omit the option to use its default",
                                 ends_empty ? word.substr(0, word.size() - 1) : std::string_view(argv[i - 1])));
  }
  for (const std::string& name : Adder::variables()) {
    const char* const value = std::getenv(name.c_str());
    if (value != nullptr && *value == '\0') {
      throw UsageError(name + " is empty; unset it to use the default");
    }
  }
}

}  // namespace

std::optional<int> parse(int argc, const char* const* argv, Options& options) {
  CLI::App app("Verified-accuracy tests for numerical kernels", "assay");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
  OptionTexts raw;
  const auto command = [&](const char* name, const char* text) {
    CLI::App* added = app.add_subcommand(name, text);
    added->parse_complete_callback([&options, name] { options.command = name; });
    add_everywhere(*added, options, raw);
    return added;
  };

  CLI::App* list = command("list", "properties and claims with their sources");
  add_patterns(*list, options);
  Adder(*list).flag("--json", options.json, "one JSON document");

  add_check(*command("check", "run properties: judge kernels, shrink failures, write the results"), options, raw);

  add_hunt(*command("hunt", "search for the inputs with the largest errors"), options, raw);

  CLI::App* contracts = command("contracts", "operations, signatures and contracts for kernels from outside");
  contracts
      ->add_option("OPERATION", options.arguments,
                   "one operation, the file of a formula, or \"formulas\" for those that are shipped; none: all")
      ->expected(0, 1);
  Adder(*contracts).flag("--json", options.json, "one JSON document");

  CLI::App* tolerance = command("tolerance", "error bounds of a formula on each machine of the ladder");
  tolerance->add_option("FILE", options.arguments, "the file of the formula")->required()->expected(1);
  Adder of_tolerance(*tolerance);
  CLI::Option* const shape =
      of_tolerance.option("shape", options.shape, "lengths of the axes of the formula, such as n=64,d=32 (drawn)");
  CLI::Option* const data =
      of_tolerance.option("data", options.data, "a file with a saved case, whose numbers are taken")->excludes(shape);
  of_tolerance.option("format", options.format, "format of the numbers: f64, f32, f16 or bf16 (f32)");
  of_tolerance.option("machine", options.machine, "one machine of the ladder (all)");
  of_tolerance.option("seed", raw.seed, "a number or random (1)");
  CLI::Option* const derivation =
      of_tolerance.flag("--derivation", options.derivation, "the derivation of the largest bound");
  CLI::Option* const json = of_tolerance.flag(
      "--json", options.json,
      "one JSON document: bounds and the graph of the formula; with --derivation, the whole derivation");
  CLI::Option* const longest = of_tolerance.option(
      "longest", options.longest,
      "an axis, such as k: its largest length, up to 65536, for a test with rtol = atol = --within");
  CLI::Option* const within =
      of_tolerance.option("within", options.within, "absolute and relative tolerance of a test, such as 1e-2");
  longest->needs(within)->excludes(data)->excludes(derivation)->excludes(json);
  within->needs(longest);

  CLI::App* replay = command("replay", "one saved case: verdict, numbers, exit status");
  replay->add_option("FILE|ID", options.arguments, "case files or ids")->required();
  add_one_case(*replay, options, raw);
  Adder(*replay).flag("--json", options.json, "one JSON document");

  CLI::App* explain = command("explain", "what happens in one saved case, step by step, in exact and rounded numbers");
  explain->add_option("FILE|ID", options.arguments, "a case file or id of a kernel from outside")
      ->required()
      ->expected(1);
  add_one_case(*explain, options, raw);
  Adder(*explain).flag("--json", options.json, "one JSON document");

  CLI::App* eval = command("eval", "only compute the outputs for a case, as JSON");
  const auto keep = [&options](const std::string& argument) { options.arguments.push_back(argument); };
  eval->add_option_function<std::string>("PROPERTY", keep, "the property")->required();
  eval->add_option_function<std::string>("FILE|ID", keep, "a case file or id")->required();
  add_one_case(*eval, options, raw);

  CLI::App* shrink = command("shrink", "a smaller case with the same failure");
  shrink->add_option("FILE", options.arguments, "a case file or id")->required()->expected(1);
  add_one_case(*shrink, options, raw);
  add_shrinking(*shrink, raw);

  CLI::App* report = command("report", "merge runs and shards; the exit code is that of check for the merged verdicts");
  report->add_option("DIR", options.arguments, "folders of runs")->required();
  Adder of_report(*report);
  of_report.option("html", options.html, "write an HTML report");
  of_report.flag("--full", options.full, "every claim, class and hardest case in the HTML report");
  add_ledger(*report, options);
  of_report.option("markdown", options.markdown, "write Markdown");
  of_report.option("junit", options.junit, "write JUnit XML");
  of_report.option("json", options.json_file, "write the merged summary (ASSAY_REPORT_JSON)", "report-json");
  of_report.option("known", options.known, "write the largest known errors as JSON");
  of_report.option("latex", options.latex, "write a table for LaTeX");
  of_report.option("csv", options.csv, "write comma-separated values");
  of_report.option("bibtex", options.bibtex, "write the bibliography of the cited works");
  of_report.option("plots", options.plots, "write pictures into a folder, as SVG and PDF");
  of_report.option("only", options.only, "of these four options: family.kernel or family.kernel/claim; repeatable")
      ->take_all();

  of_report.option("bench", options.bench, "a file of times, for cost curves in the HTML report; repeatable")
      ->take_all()
      ->allow_extra_args(false);

  CLI::App* corpus = command("corpus", "saved cases");
  require_one(*corpus);
  add_corpus(*corpus, raw);
  const auto action = [&](const char* name, const char* text, const char* argument) {
    CLI::App* added = corpus->add_subcommand(name, text);
    added->parse_complete_callback([&options, name] { options.action = name; });
    add_corpus(*added, raw);
    add_everywhere(*added, options, raw);
    if (argument != nullptr) {
      added->add_option(argument, options.arguments)->required();
    }
  };
  action("list", "every entry", nullptr);
  action("verify", "list entries that are damaged or test nothing (exit code 5)", nullptr);
  action("add", "store case files", "FILE");
  action("merge", "add the entries of other corpora", "DIR");

  CLI::App* ledger = command("ledger", "what each version measured, stored in one SQLite file");
  require_one(*ledger);
  const auto ledger_action = [&](const char* name, const char* text) {
    CLI::App* added = ledger->add_subcommand(name, text);
    added->parse_complete_callback([&options, name] { options.action = name; });
    add_ledger(*added, options);
    add_everywhere(*added, options, raw);
    return added;
  };
  CLI::App* ledger_add = ledger_action("add", "add one entry: the merged runs and shards of the folders");
  ledger_add->add_option("DIR|FILE", options.arguments, "folders of runs, files of times")->required();
  add_label(*ledger_add, options);
  Adder(*ledger_action("list", "every entry")).flag("--json", options.json, "one JSON document");
  CLI::App* show = ledger_action("show", "the claims of entries");
  show->add_option("ENTRY", options.arguments, "numbers of entries, or last")->required();
  Adder(*show).flag("--json", options.json, "one JSON document");

  CLI::App* compare = command("compare", "what changed between two runs: verdicts, tightness, bits, times");
  compare
      ->add_option_function<std::string>("A", keep,
                                         "a run's folder, a summary, a file of times, a number in the ledger, or last")
      ->required();
  compare->add_option_function<std::string>("B", keep, "what it became")->required();
  add_ledger(*compare, options);
  Adder of_compare(*compare);
  of_compare.flag("--strict", options.strict, "exit 1 on a change for the worse");
  of_compare.option("slower", raw.slower, "fraction by which a time may grow (0.1)");
  of_compare.option("html", options.html, "write one HTML file");
  of_compare.option("json", options.json_file, "write the changes as JSON (ASSAY_REPORT_JSON)", "report-json");

  command("new", "a project with a kernel and a property of it: builds and checks as it is")
      ->add_option("NAME", options.arguments, "its folder, which must not exist; the last part is its name")
      ->required()
      ->expected(1);

  CLI::App* selftest = command("selftest", "test the oracle, the environment and the planted mistakes");
  Adder of_selftest(*selftest);
  of_selftest.flag("--mutants", options.mutants, "run every planted mistake of the catalog");
  of_selftest.flag("--json", options.json, "one JSON document");
  add_on(*selftest, options);

  CLI::App* bench = command("bench", "time against size, compared with peers and with the machine's limits");
  bench->add_option("GLOB|FILE", options.arguments,
                    "kernels to time (all), or .json files of Google Benchmark or of this command to read");
  Adder of_bench(*bench);
  of_bench.option("exclude", options.exclude, "patterns to exclude; repeatable")->take_all()->allow_extra_args(false);
  of_bench.option("time", raw.time, "the longest call (100ms)");
  of_bench.option("most-memory", raw.bench_memory, "bytes of the arrays of the largest call (1G)");
  of_bench.flag("--json", options.json, "one JSON document");
  add_on(*bench, options);

  command("doctor", "versions, devices, floating-point environment, locale");

  CLI::App* probe = command("probe-device", "find how matrix instructions and library products add and round");
  Adder of_probe(*probe);
  of_probe.option("subject", options.subject, "a library or a program that computes matmul, instead of the device");
  of_probe.option("symbol", options.symbol, "name of its function (default: the library's table, or matmul)");
  of_probe.flag("--text", options.text, "the program reads and writes lines of text (docs/pipe.md)");
  of_probe.option("format", options.format, "number formats, such as bf16:f32 (f32)");
  add_on(*probe, options);
  add_limits(*probe, raw);
  of_probe.option("seed", raw.seed, "a number or random (1)");
  of_probe.option("rows", raw.rows, "rows of A and columns of B that the subject multiplies (64)");
  of_probe.option("products", raw.products, "products of each entry that the subject computes (256)");
  of_probe.flag("--json", options.json, "one JSON document");

  CLI::App* order = command("probe-order", "the tree in which a reduction of a kernel from outside adds");
  Adder of_order(*order);
  of_order.option("operation", options.operation, "what it computes: cumsum, dot, layer_norm, matmul or sum");
  of_order.option("subject", options.subject, "a library or a program");
  of_order.option("symbol", options.symbol, "its function (its table, or the operation)");
  of_order.flag("--text", options.text, "the program reads and writes lines of text (docs/pipe.md)");
  of_order.option("format", options.format, "of its numbers (f64)");
  add_on(*order, options);
  add_limits(*order, raw);
  of_order.option("seed", raw.seed, "a number or random (1)");
  of_order.option("terms", raw.terms, "terms of the reduction (1024)");
  of_order.option("rows", raw.rows, "of matmul: rows of A and columns of B (64)");
  of_order.option("with", options.with, "compare with the order in this file, which --json wrote");
  of_order.option("svg", options.svg, "write a picture of the tree");
  of_order.option("run", options.run, "keep the order in this folder of the kernel's run, for its report");
  of_order.flag("--json", options.json, "one JSON document");

  if (argc > 0) options.program = argv[0];
  for (int i = 0; i < argc; ++i) {
    options.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
  }
  refuse_empty_values(argc, argv);
  refuse_unknown_command(app, argc, argv);
  refuse_unknown_options(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (asked_for) {
      app.exit(error);
      return report::exit_holds;
    }
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    to_stderr("assay: {} (see {} --help)\n", text, report::shell_word(options.program));
    return report::exit_usage;
  }
  interpret(raw, options);
  if (options.command == "check") {
    read_shard(raw, options);
  }
  if (options.command == "probe-device" && !options.subject.empty()) {
    options.operation = "matmul";
    if (options.format.empty()) options.format = "f32";
  }
  if (options.command == "probe-order" && options.symbol.empty() && options.format.empty()) options.format = "f64";
  options.corpus = find_corpus(raw.corpus);
  if (options.update_corpus && options.corpus.empty()) {
    throw UsageError("--update-corpus: no corpus; name one with --corpus");
  }
  const bool is_written = options.update_corpus || options.action == "add" || options.action == "merge";
  std::error_code failed;
  const bool is_folder = std::filesystem::is_directory(options.corpus, failed);
  const bool is_there = std::filesystem::exists(std::filesystem::symlink_status(options.corpus, failed));
  if (!raw.corpus.empty() && !is_folder && (!is_written || is_there)) {
    throw UsageError("--corpus " + raw.corpus + (is_there ? ": it is not a folder" : ": no such folder"));
  }
  if (options.update_corpus && is_folder && ::access(options.corpus.c_str(), W_OK | X_OK) != 0) {
    throw UsageError("--corpus " + options.corpus.string() + ": the folder is not writable");
  }
  warn_of_unknown_variables();
  return std::nullopt;
}

}  // namespace assay::cli
