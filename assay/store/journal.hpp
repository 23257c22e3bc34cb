#pragma once
// journal.jsonl: what a run has done so far, so that a killed one can go on.

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The run in the folder has other settings than the one that is to continue it (exit code 2).
class OtherSettings : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One line a document, appended only: first the settings, then what is finished. The last line may be torn by a kill;
/// reading drops it. A line carries its checksum. One process at a time holds a journal. Errors: OutputError.
class Journal {
 public:
  /// Opens `folder`/journal.jsonl. With `resume`, lines of an earlier run with equal `settings` are given to `earlier`
  /// in order, and new ones follow them; without an earlier run, or without `resume`, the journal begins anew.
  /// Errors: OtherSettings; DamagedFile where a whole line has not the bytes that were written.
  Journal(const std::filesystem::path& folder, const Json& settings, bool resume,
          const std::function<void(const Json&)>& earlier);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends a line. `durable`: it has reached the disk on return; others do within a second of the next line.
  /// May be called by several threads.
  void append(const Json& line, bool durable);

 private:
  void write(const std::string& bytes);
  void sync();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace assay::store
