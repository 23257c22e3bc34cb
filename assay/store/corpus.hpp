#pragma once
// A corpus: one folder for each property, one file for each case, named by its content. Any number of processes may
// write while others read.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "assay/store/case_file.hpp"

namespace assay::store {

/// The property of these cases: a property of this program, or one of a kernel from outside, `family.operation` or
/// `family.operation.format`, whose family no property of this program has; the latter can be described, but not run.
/// nullptr for neither. Errors: MissingLibrary.
const PropertyModel* property_of_cases(const std::string& name);

/// A fault of one entry of a corpus. `damaged`: the file cannot be trusted (exit code 5).
struct CorpusProblem {
  std::filesystem::path path;
  bool damaged = false;
  std::string what;  ///< one line
};

class Corpus {
 public:
  struct Entry {
    std::string id;  ///< case_id(): the stem of the file's name
    std::filesystem::path path;
    CaseFile file;
  };
  /// Entries sorted by property, then id, and the files that were skipped because they are damaged.
  struct Contents {
    std::vector<Entry> entries;
    std::vector<CorpusProblem> problems;
  };

  /// A folder that need not exist yet.
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& folder() const { return folder_; }

  /// All entries, or the entries of one property. Hidden files (temporary files of writers) and files that vanish
  /// meanwhile are not entries; files that are not <property>/<id>.json with exactly that content are damaged.
  Contents read() const;
  Contents read(const std::string& property) const;

  /// The file of a case id, which may be abbreviated to a unique beginning of at least four digits; empty if there is
  /// none. Throws std::invalid_argument if several ids begin with it.
  std::filesystem::path find(const std::string& id) const;

  /// The faults: damaged files; entries that test nothing (unknown property, unknown claim, fields that do not fit, a
  /// case outside the domain, an expectation that is not a verdict).
  std::vector<CorpusProblem> verify() const;

  enum class Added { added, present, replaced };
  /// Stores a case. An entry with the same inputs stays, unless only the new one has a claim, or the old one is
  /// damaged. Throws OutputError; std::invalid_argument for a property whose name cannot be a folder.
  Added add(const CaseFile& file) const;

  struct Merged {
    std::size_t added = 0;
    std::size_t present = 0;
    std::vector<CorpusProblem> problems;  ///< damaged files of `other`, which are not added
  };
  /// Adds all entries of another corpus.
  Merged merge(const Corpus& other) const;

 private:
  void read_folder(const std::string& property, Contents& contents) const;
  std::filesystem::path folder_;
};

}  // namespace assay::store
