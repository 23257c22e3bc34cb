#pragma once
// journal.jsonl: the results of a run so far, so that a killed run can be continued.

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The run in the folder has other settings than the run that is to continue it (exit code 2).
class OtherSettings : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One document on each line, only appended: first the settings, then finished work. The last line may be torn by a
/// kill; reading drops it. Each line carries its checksum. One process at a time holds a journal. Errors: OutputError.
class Journal {
 public:
  /// Opens `folder`/journal.jsonl. With `resume`, lines of an earlier run with equal `settings` are passed to `earlier`
  /// in order, and new lines follow them; without an earlier run, or without `resume`, the journal begins anew. Errors:
  /// OtherSettings; DamagedFile if a whole line does not have the bytes that were written.
  Journal(const std::filesystem::path& folder, const Json& settings, bool resume,
          const std::function<void(const Json&)>& earlier);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends a line. `durable`: the line is on the disk on return; other lines are within a second of the next line.
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
