#pragma once
// The ledger's record of a run.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/store/bench.hpp"
#include "assay/store/json.hpp"
#include "assay/store/summary.hpp"

namespace assay::store {

/// The result of one claim of a property.
struct EntryClaim {
  std::string id;
  Finding verdict = Finding::not_run;
  bool expected_refuted = false;  ///< a negative control
  std::uint64_t executed = 0;
  std::uint64_t violated = 0;
  double tightness = -1;  ///< the largest error/bound; negative if no case was judged
  std::map<std::string, double> terms{};
  bool operator==(const EntryClaim&) const = default;
};

/// One property on one executor.
struct EntryProperty {
  std::string name;
  std::string executor;
  std::string rigor;
  std::uint64_t requested = 0;
  std::uint64_t executed = 0;
  BitSums bits;
  std::vector<EntryClaim> claims;
  bool operator==(const EntryProperty&) const = default;
};

/// The least time of one call of a kernel at one size.
struct EntryTime {
  std::string kernel;
  std::string executor;
  std::string machine;
  std::uint64_t threads = 1;
  std::uint64_t size = 0;
  double seconds = 0;
  bool operator==(const EntryTime&) const = default;
};

/// One run, or several that were merged.
struct Entry {
  std::uint64_t id = 0;  ///< number in the ledger; 0 if it is in none
  std::string version;
  std::string commit;
  std::string build;   ///< ids of the program and of the judged libraries; empty if none is known
  std::string device;  ///< model of the device; empty without a device
  std::string driver;  ///< version of the driver; empty without a device
  std::uint64_t seed = 0;
  std::string tier;
  std::map<std::string, std::string> knobs;  ///< the rest of the provenance: compiler, flags, libraries, subjects
  /// From run.json; empty if the folder has none.
  std::optional<std::uint64_t> begun;      ///< seconds since 1970
  std::optional<double> cases_per_second;  ///< also empty for a run that was resumed
  std::string host;
  std::uint64_t claims = 0;  ///< how many
  std::vector<EntryProperty> properties;
  std::vector<EntryTime> times;  ///< by kernel, executor, machine, threads, size
  bool operator==(const Entry&) const = default;
};

/// The entry of a summary that was read from these folders, with the times of each bench.json in them. Throws
/// DamagedFile if a run.json or bench.json is damaged.
Entry entry_of(const Summary& summary, std::span<const std::filesystem::path> folders);

/// An entry that has only times.
Entry entry_of(const Bench& bench);
/// Adds the least times of the kernels, without those of peers and limits. If the entry already has a time, that time
/// stays.
void add_times(Entry& entry, const Bench& bench);

/// Whether two entries are of the same run; one of them may be in a ledger.
bool same_run(Entry a, Entry b);

/// The document of `assay ledger list --json` and `show --json` (docs/ledger.schema.json).
Json ledger_document(const std::vector<Entry>& entries);

}  // namespace assay::store
