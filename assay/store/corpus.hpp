#pragma once
// A corpus: one folder a property, one file a case, named by content. Any number of processes may write while others
// read.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "assay/store/case_file.hpp"

namespace assay::store {

/// The property whose cases these are: one of this program, or that of a kernel from outside, `family.operation` or
/// `family.operation.format` with a family of no property here, which can be described and not run. nullptr for
/// neither.
const PropertyModel* property_of_cases(const std::string& name);

/// Something wrong with one entry of a corpus. `damaged`: the file cannot be trusted (exit code 5).
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

  /// Everything, or one property's. Hidden files (temporaries of writers) and files that vanish meanwhile are no
  /// entries; files that are not <property>/<id>.json with that very content are damaged.
  Contents read() const;
  Contents read(const std::string& property) const;

  /// The file of a case id, which may be abbreviated to a unique beginning of at least four digits; empty if there is
  /// none. Throws std::invalid_argument if several begin so.
  std::filesystem::path find(const std::string& id) const;

  /// What is wrong: damaged files; entries that test nothing (unknown property, unknown claim, fields that do not fit,
  /// a case outside the domain, an expectation that is not a verdict).
  std::vector<CorpusProblem> verify() const;

  enum class Added { added, present, replaced };
  /// Stores a case. One with the same inputs stays, unless it has no claim and the new one has, or it is damaged.
  /// Throws OutputError; std::invalid_argument for a property whose name cannot be a folder.
  Added add(const CaseFile& file) const;

  struct Merged {
    std::size_t added = 0;
    std::size_t present = 0;
    std::vector<CorpusProblem> problems;  ///< damaged files of `other`, not taken over
  };
  /// Adds all entries of another corpus.
  Merged merge(const Corpus& other) const;

 private:
  void read_folder(const std::string& property, Contents& contents) const;
  std::filesystem::path folder_;
};

}  // namespace assay::store
