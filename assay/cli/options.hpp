#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/campaign/campaign.hpp"
#include "assay/report/outcome.hpp"
#include "assay/store/changes.hpp"

namespace assay::cli {

/// The request makes no sense (exit code 2).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command line, including environment variables.
struct Options {
  std::string program = "assay";  ///< the command line as the user wrote it
  std::string command;
  std::string action;                  ///< of `corpus`: list, verify, add or merge; of `ledger`: add, list or show
  std::vector<std::string> arguments;  ///< patterns, files, ids or folders
  std::vector<std::string> exclude;
  std::string tier = "quick";
  std::optional<std::uint64_t> cases;
  std::optional<std::uint64_t> numbers;  ///< of `check`: cases of a property together
  std::vector<std::string> case_files;   ///< of `check`: matrices, in place of drawn cases
  std::optional<std::chrono::milliseconds> time;
  std::string judge = "oracle";  ///< of `check`: oracle or device
  std::optional<std::uint64_t> evaluations;
  std::string start = "all";        ///< of `hunt`: all or blind
  std::vector<std::string> claims;  ///< of `hunt`: ids; empty: all
  std::uint64_t rows = 64;          ///< of `probe-device`: of a program's A, and columns of its B
  std::uint64_t products = 256;     ///< likewise: of one entry of D
  std::uint64_t terms = 1024;       ///< of `probe-order`: of the reduction
  std::filesystem::path run;        ///< likewise: a run of the same kernel, whose report shows its order; or empty
  std::string with;                 ///< likewise: a document of another order; empty: none
  std::string svg;                  ///< likewise: where the picture goes; empty: nowhere
  std::string subject;              ///< a library with a kernel from outside; empty: the program's own properties
  std::string subject_file;         ///< the file that the loader found for this library
  std::string subject_description;  ///< the library's description of itself, from its table
  std::vector<std::pair<std::string, std::string>> kernels;  ///< operations and formats to run
  std::string symbol;                  ///< the function of the library; empty: the operation's name
  bool text = false;                   ///< the subject is a program that reads and writes text lines
  std::string formula;                 ///< a file with the formula that the kernel computes
  std::string shape;                   ///< lengths of the axes of the formula; empty: drawn
  std::string machine;                 ///< of `tolerance`; empty: all
  std::string data;                    ///< of `tolerance`: the file of a case; empty: typical numbers
  bool derivation = false;             ///< likewise
  std::string longest;                 ///< likewise: the axis whose largest length is looked for; empty: none
  double within = 0;                   ///< likewise: what the bounds may be then
  std::string operation;               ///< what it computes
  std::string family = "subject";      ///< the kernel's name in reports
  std::string format;                  ///< number format; empty: by the symbol
  std::uint64_t words = 0;             ///< bits of the random words that a conversion takes as an argument
  std::uint64_t draws = 0;             ///< bits of the random words that a conversion draws itself
  std::vector<std::string> contracts;  ///< of `check`: ids; empty: all contracts, for the ladder
  std::uint64_t seed = report::default_seed;
  std::string on = "all";
  unsigned jobs = 1;
  bool jobs_given = false;
  bool mpi = false;                      ///< of `check` and `hunt`
  campaign::Helpers* helpers = nullptr;  ///< the other ranks of an MPI job
  campaign::Shard shard;
  std::filesystem::path out = "assay-out";
  bool resume = false;
  bool overwrite = false;
  bool dry_run = false;
  std::filesystem::path corpus;  ///< empty: no corpus was found
  bool update_corpus = false;
  std::filesystem::path digests;  ///< of `check`: written where it is missing, compared where it is there; or empty
  campaign::Isolation isolation = campaign::Isolation::property;
  process::WorkerLimits limits;
  std::uint64_t shrink_steps = 10000;
  bool shrink = true;
  bool fail_on_skip = false;
  std::string progress = "auto";
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool mutants = false;
  std::string html;
  std::string markdown;
  std::string junit;
  std::string json_file;
  std::string latex;
  std::string csv;
  std::string bibtex;
  std::string known;
  std::filesystem::path plots;
  std::vector<std::string> only;  ///< of `report`: patterns; empty: all
  std::filesystem::path ledger = "assay-ledger.sqlite";
  std::map<std::string, std::string> recorded;  ///< of `report`: by property, its run's options of `replay`
  std::string label;                            ///< of a run: the user's own version of the kernel under test
  bool strict = false;                          ///< of `compare`
  double slower = store::default_slower;        ///< of `compare`: the fraction by which a time may grow
  std::vector<std::string> bench;               ///< of `report`: files of times
  std::optional<std::uint64_t> bench_memory;    ///< of `bench`: most bytes of the arrays of a call
  bool full = false;                            ///< of `report`
  std::string command_line;
};

/// The process or pool that runs the subjects.
inline campaign::CrewSettings crew_of(const Options& options) {
  return {options.jobs, options.isolation, options.limits, options.helpers};
}

/// Reads the command line. Returns an exit code if nothing is left to do (--help, --version, a wrong option). Prints a
/// warning on standard error for unknown variables ASSAY_*. Errors: UsageError.
std::optional<int> parse(int argc, const char* const* argv, Options& options);

}  // namespace assay::cli
