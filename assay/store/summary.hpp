#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/order.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/tally.hpp"

namespace assay::store {

/// Why a case is kept.
enum class Why { violated, hardest, seed };

/// The words of `verdict` in summary.json. broken: a contract that was tested, not promised, and that a kernel from
/// outside does not keep: a result, not a failure.
enum class Finding {
  holds,
  violated,
  undecided,
  refuted_as_expected,
  not_refuted,
  crashed,
  hung,
  out_of_memory,
  flaky,
  broken,
  not_run
};

/// One saved case, as stored in cases/ and in a corpus (docs/case.schema.json).
struct CaseFile {
  std::string property;
  std::string claim;     ///< id within the property; empty for a hand-written case of no particular claim
  std::string executor;  ///< where the evidence was seen: "host" or "cuda"
  std::string format;
  Record inputs;
  struct Evidence {
    std::vector<std::string> got;  ///< hexadecimal words of the result
    std::string exact;             ///< decimal
    double ratio = 0;
    std::optional<double> ulps;  ///< ClaimOutcome::ulps
    /// For a result of several components; all 0 for any other.
    std::size_t components = 0;
    std::size_t worst = 0;  ///< the judged component
    std::size_t bad = 0;    ///< how many violate the claim
    bool operator==(const Evidence&) const = default;
  };
  std::optional<Evidence> evidence;
  std::string expected;  ///< the verdict that the claim should have on this case: "holds" or "violated"
  Why why = Why::seed;
  /// The day on which it was found, "2026-11-24" (UTC); empty in the cases of a run, whose run.json has the time, and
  /// in files of older programs.
  std::string date{};
  bool operator==(const CaseFile&) const = default;
};

/// The result of one claim in a run, besides its tally.
struct ClaimFinding {
  Finding verdict = Finding::not_run;
  std::uint64_t failing_number = no_case;  ///< the smallest failing case number
  std::optional<CaseFile> failure;         ///< that case, shrunk
  std::uint64_t shrink_tried = 0;          ///< candidates tried
  bool shrink_minimal = false;             ///< no single candidate step still fails, and all steps were tried
  int reproduced = 0;                      ///< of three repetitions of the failing case
  std::optional<CaseFile> hardest;         ///< the case of tally.worst
  std::uint64_t corpus_executed = 0;
  double corpus_ratio = -1;                   ///< the largest error/bound of corpus cases; negative: none
  std::string corpus_hardest;                 ///< the id of the first case with that ratio
  std::string corpus_date;                    ///< CaseFile::date of it
  std::vector<std::string> corpus_surprises;  ///< ids of corpus cases whose verdict was not the expected one
  /// Controls that would also keep this contract in place of a kernel from outside: "zeros".
  std::vector<std::string> also_accepts;
  std::vector<std::string> other_ratios;  ///< witnesses with another ratio than stored, one line each
};

/// The cases of a run on which the subject gave no answer.
struct Stops {
  std::uint64_t count = 0;
  std::uint64_t first = no_case;  ///< the smallest case number; the following members describe that case
  Finding kind = Finding::crashed;
  std::string what;
  bool cut_short = false;  ///< so many that the remaining cases were not run
  bool corpus = false;     ///< a corpus case was one as well; it is not counted
  bool operator==(const Stops&) const = default;
};

/// One property on one executor. Mergeable: shards and repetitions with the same seed and settings.
struct PropertySummary {
  PropertyInfo info;
  std::string executor;         ///< "host" or "cuda"
  std::string rigor;            ///< "exhaustive" or "sampled"
  std::uint64_t requested = 0;  ///< cases of the whole run, all shards together
  bool partial = false;         ///< ended by time
  std::string note;             ///< e.g. why it did not run; empty otherwise
  Tally tally;
  std::vector<ClaimFinding> findings;  ///< in the order of info.claims
  Stops stops;
  /// Set if the subject crashed, hung or ran out of memory: the case; a corpus case takes precedence.
  std::optional<CaseFile> stopped_by;
};

/// The key of Summary::provenance for the kernel from outside that a property judged.
inline std::string subject_key(const std::string& property) { return "subject " + property; }
/// The key of Summary::provenance for the build of the program.
inline std::string build_key(const std::string& program) { return "build " + program; }
/// The key for the name of the program, without its folder.
inline constexpr const char* program_key = "program";
/// The key of the options of `replay` that make a property's kernel from outside, as words of a shell. Absolute paths
/// in the options have lost their folder, so that they are the same on every machine.
inline std::string options_key(const std::string& property) { return "options " + property; }

/// The key of Summary::provenance for the call of a kernel from outside.
inline std::string call_key(const std::string& property) { return "call " + property; }
/// The key of the graph of the formula that a kernel from outside was judged by, as JSON.
inline std::string graph_key(const std::string& property) { return "graph " + property; }

/// Everything that inputs, seed, code, compiler, flags, library versions and device model determine: summary.json.
struct Summary {
  std::uint64_t seed = 1;
  std::string tier;
  std::map<std::string, std::string> provenance;  ///< commit, compiler, flags, libraries with versions, device model
  std::vector<PropertySummary> properties;        ///< sorted by name, then executor
  struct MutantRow {
    std::string id;
    std::string what;
    std::string caught_by;  ///< property/claim, or the check of the framework; empty if it survived
    std::uint64_t cases_to_kill = 0;
    std::string reproducer;  ///< the shrunk case, printed
    std::uint64_t significant_bits = 0;
    bool caught = false;
  };
  std::vector<MutantRow> mutants;  ///< filled by `assay selftest --mutants`
  std::vector<SameOn> same_on;     ///< sorted
  std::vector<KernelTree> orders;  ///< sorted; filled by `assay report` from the orders.json of its runs
};

}  // namespace assay::store
