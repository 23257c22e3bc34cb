#pragma once
// The ledger: entries in one SQLite file. Several processes may write to it; if one is killed, its entry is there as a
// whole or not at all.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/store/entry.hpp"

struct sqlite3;

namespace assay::ledger {

/// Errors: store::DamagedFile if the file is not a ledger, is damaged or newer than this program; store::OutputError if
/// it cannot be opened or written, or stays locked by others for a minute.
class Ledger {
 public:
  /// Opens a ledger. `make`: a missing file becomes an empty ledger; otherwise it is an error. A ledger of an older
  /// schema is converted to the present schema.
  Ledger(const std::filesystem::path& path, bool make);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  struct Added {
    std::uint64_t id = 0;
    bool is_new = true;  ///< false: the ledger already has this entry
  };
  /// Adds an entry with a new id. After the return it is on the disk.
  Added add(const store::Entry& entry);

  /// All entries by id, without their properties and times. Errors: DamagedFile if a row of an entry was changed after
  /// it was written.
  std::vector<store::Entry> list() const;
  /// The whole entry with that id; empty if there is none. Errors: those of list(), for this entry alone.
  std::optional<store::Entry> entry(std::uint64_t id) const;
  /// The id of the newest entry; empty if there is none.
  std::optional<std::uint64_t> newest() const;

 private:
  class Statement;
  void run(const char* sql) const;
  void migrate();
  [[nodiscard]] std::string checksum_of_rows(std::uint64_t id) const;
  void keep_checksum(std::uint64_t id) const;
  void verify(std::uint64_t id) const;
  [[nodiscard]] std::vector<store::Entry> heads() const;
  [[noreturn]] void fail(int code) const;
  void read_properties(store::Entry& entry) const;
  void read_times(store::Entry& entry) const;

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

}  // namespace assay::ledger
