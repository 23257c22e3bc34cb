#include "assay/ledger/ledger.hpp"

#include <sqlite3.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/fnv.hpp"

namespace assay::ledger {
namespace {

constexpr int busy_milliseconds = 60'000;

/// "Asay": a file with another number belongs to another program.
constexpr int application = 0x41736179;

/// Step v leads from schema v to schema v + 1; PRAGMA user_version is the schema of a file.
constexpr std::array<const char*, 3> steps{R"(
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,     -- hash of all else
    version TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    build TEXT NOT NULL,
    device TEXT NOT NULL,
    driver TEXT NOT NULL,
    seed TEXT NOT NULL,           -- decimal: SQLite's integers have a sign
    tier TEXT NOT NULL,
    begun INTEGER,                -- seconds since 1970
    host TEXT NOT NULL,
    cases_per_second REAL
  ) STRICT;
  CREATE TABLE knob (             -- compiler, flags, libraries, kernels from outside
    entry INTEGER NOT NULL REFERENCES entry(id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (entry, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE property (
    id INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entry(id),
    name TEXT NOT NULL,
    executor TEXT NOT NULL,
    rigor TEXT NOT NULL,
    requested INTEGER NOT NULL,
    executed INTEGER NOT NULL,
    inputs TEXT NOT NULL,         -- hashes of all inputs and of all bits of the results
    outputs TEXT NOT NULL,
    UNIQUE (entry, name, executor)
  ) STRICT;
  CREATE TABLE claim (
    property INTEGER NOT NULL REFERENCES property(id),
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    expected_refuted INTEGER NOT NULL,
    executed INTEGER NOT NULL,
    violated INTEGER NOT NULL,
    tightness REAL,               -- largest error/bound; null where no case was judged
    PRIMARY KEY (property, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE term (
    property INTEGER NOT NULL REFERENCES property(id),
    claim TEXT NOT NULL,
    name TEXT NOT NULL,
    tightness REAL NOT NULL,
    PRIMARY KEY (property, claim, name)
  ) STRICT, WITHOUT ROWID;
)",
                                           R"(
  CREATE TABLE time (             -- least seconds of one call of a kernel
    entry INTEGER NOT NULL REFERENCES entry(id),
    kernel TEXT NOT NULL,
    executor TEXT NOT NULL,
    machine TEXT NOT NULL,        -- times of different machines are not compared
    threads INTEGER NOT NULL,
    size INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (entry, kernel, executor, machine, threads, size)
  ) STRICT, WITHOUT ROWID;
)",
                                           R"(
  ALTER TABLE entry ADD COLUMN checksum TEXT NOT NULL DEFAULT '';  -- of all rows of the entry
)"};

/// The rows of an entry, every value in the notation of SQL, in an order that the rows alone determine.
constexpr std::array<const char*, 6> rows_of_entry{
    R"(SELECT quote(id), quote(key), quote(version), quote("commit"), quote(build), quote(device), quote(driver),
       quote(seed), quote(tier), quote(begun), quote(host), quote(cases_per_second) FROM entry WHERE id = ?)",
    "SELECT quote(name), quote(value) FROM knob WHERE entry = ? ORDER BY name",
    "SELECT quote(id), quote(name), quote(executor), quote(rigor), quote(requested), quote(executed), quote(inputs), "
    "quote(outputs) FROM property WHERE entry = ? ORDER BY id",
    "SELECT quote(property), quote(claim.id), quote(position), quote(verdict), quote(expected_refuted), "
    "quote(claim.executed), quote(violated), quote(tightness) FROM claim JOIN property ON claim.property = property.id "
    "WHERE entry = ? ORDER BY property, claim.id",
    "SELECT quote(property), quote(claim), quote(term.name), quote(tightness) FROM term JOIN property ON term.property "
    "= property.id WHERE entry = ? ORDER BY property, claim, term.name",
    "SELECT quote(kernel), quote(executor), quote(machine), quote(threads), quote(size), quote(seconds) FROM time "
    "WHERE "
    "entry = ? ORDER BY kernel, executor, machine, threads, size"};

std::uint64_t number_of(const std::string& digits, int base) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

/// All measured data, without the id.
std::string key_of(store::Entry entry) {
  entry.id = 0;
  return store::hex16(fnv1a(store::compact(store::ledger_document({std::move(entry)}))));
}

}  // namespace

/// A prepared statement. Parameters are bound in their order; columns are read in theirs.
class Ledger::Statement {
 public:
  Statement(const Ledger& ledger, const char* sql) : ledger_(ledger), statement_(nullptr, sqlite3_finalize) {
    sqlite3_stmt* made = nullptr;
    check(sqlite3_prepare_v2(ledger.database_.get(), sql, -1, &made, nullptr));
    statement_.reset(made);
  }

  Statement& bind(const std::string& text) {
    check(sqlite3_bind_text64(get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  Statement& bind(std::uint64_t number) {
    check(sqlite3_bind_int64(get(), ++bound_, static_cast<sqlite3_int64>(number)));
    return *this;
  }
  Statement& bind(double number) {
    check(sqlite3_bind_double(get(), ++bound_, number));
    return *this;
  }
  template <class T>
  Statement& bind(const std::optional<T>& value) {
    if (value) return bind(*value);
    check(sqlite3_bind_null(get(), ++bound_));
    return *this;
  }

  /// Steps to the next row; returns whether there is one.
  bool step() {
    read_ = 0;
    const int code = sqlite3_step(get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) ledger_.fail(code);
    return code == SQLITE_ROW;
  }
  /// Runs a statement without rows, and makes it ready for other parameters.
  void run() {
    step();
    check(sqlite3_reset(get()));
    bound_ = 0;
  }

  std::string text() {
    const int column = read_++;
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(get(), column));
    return bytes == nullptr ? std::string()
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(get(), column)));
  }
  std::uint64_t number() { return static_cast<std::uint64_t>(sqlite3_column_int64(get(), read_++)); }
  double real() { return sqlite3_column_double(get(), read_++); }
  int columns() const { return sqlite3_column_count(get()); }
  /// The value that `read` reads; empty for NULL.
  template <class T>
  std::optional<T> optional(T (Statement::*read)()) {
    if (sqlite3_column_type(get(), read_) != SQLITE_NULL) return (this->*read)();
    ++read_;
    return std::nullopt;
  }

 private:
  sqlite3_stmt* get() const { return statement_.get(); }
  void check(int code) const {
    if (code != SQLITE_OK) ledger_.fail(code);
  }

  const Ledger& ledger_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
  int bound_ = 0;
  int read_ = 0;
};

Ledger::Ledger(const std::filesystem::path& path, bool make) : path_(path), database_(nullptr, sqlite3_close) {
  if (path.empty()) throw store::OutputError("the ledger", "its file has no name");
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw store::OutputError(path, "not a regular file, which a ledger must be");
  }
  sqlite3* opened = nullptr;
  // SQLite takes a few names, such as ":memory:", for databases without a file; a name with a folder in front is never
  // one of them.
  const std::string file = std::filesystem::absolute(path).string();
  const int code =
      sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(opened, busy_milliseconds);
  // A transaction that was reported as done is on the disk, including the directory entry of its journal.
  run("PRAGMA synchronous = EXTRA");
  migrate();
}

Ledger::~Ledger() = default;

void Ledger::run(const char* sql) const {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Ledger::fail(int code) const {
  const std::string what = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_.get());
  const int kind = code & 0xff;
  if (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT) throw store::DamagedFile(path_, what);
  throw store::OutputError(path_, what);
}

void Ledger::migrate() {
  const auto pragma = [this](const char* sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.number() : 0;
  };
  const auto schema = [&] {
    const std::uint64_t found = pragma("PRAGMA user_version");
    if (found != 0 && pragma("PRAGMA application_id") != application) {
      throw store::DamagedFile(path_, "a database of another program");
    }
    if (found > steps.size()) {
      throw store::DamagedFile(path_, "the ledger's schema " + std::to_string(found) +
                                          " is newer than this program, which knows up to " +
                                          std::to_string(steps.size()));
    }
    return found;
  };
  if (schema() == steps.size()) return;
  run("BEGIN IMMEDIATE");
  try {
    const std::uint64_t found = schema();  // another process may have been faster
    if (found == 0 && pragma("SELECT count(*) FROM sqlite_schema") != 0) {
      throw store::DamagedFile(path_, "a database of another program");
    }
    for (std::uint64_t step = found; step < steps.size(); ++step) run(steps[step]);
    if (found < steps.size()) {
      std::vector<std::uint64_t> ids;
      for (Statement row(*this, "SELECT id FROM entry WHERE checksum = ''"); row.step();) ids.push_back(row.number());
      for (const std::uint64_t id : ids) keep_checksum(id);
    }
    run(("PRAGMA application_id = " + std::to_string(application)).c_str());
    run(("PRAGMA user_version = " + std::to_string(steps.size())).c_str());
    run("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

std::string Ledger::checksum_of_rows(std::uint64_t id) const {
  std::string text;
  for (const char* const sql : rows_of_entry) {
    Statement row(*this, sql);
    row.bind(id);
    while (row.step()) {
      for (int column = 0; column < row.columns(); ++column) text += row.text() + ",";
      text += "\n";
    }
    text += ";";
  }
  return store::hex16(fnv1a(text));
}

void Ledger::keep_checksum(std::uint64_t id) const {
  Statement(*this, "UPDATE entry SET checksum = ? WHERE id = ?").bind(checksum_of_rows(id)).bind(id).run();
}

void Ledger::verify(std::uint64_t id) const {
  Statement row(*this, "SELECT checksum FROM entry WHERE id = ?");
  if (row.bind(id).step() && row.text() != checksum_of_rows(id)) {
    throw store::DamagedFile(path_,
                             "entry " + std::to_string(id) + " was changed after it was written: its checksum differs");
  }
}

Ledger::Added Ledger::add(const store::Entry& entry) {
  const std::string key = key_of(entry);
  run("BEGIN IMMEDIATE");
  try {
    Statement same(*this, "SELECT id FROM entry WHERE key = ?");
    if (same.bind(key).step()) {
      const Added added{same.number(), false};
      run("ROLLBACK");
      return added;
    }
    Statement(*this,
              "INSERT INTO entry (key, version, \"commit\", build, device, driver, seed, tier, begun, host, "
              "cases_per_second) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(key)
        .bind(entry.version)
        .bind(entry.commit)
        .bind(entry.build)
        .bind(entry.device)
        .bind(entry.driver)
        .bind(std::to_string(entry.seed))
        .bind(entry.tier)
        .bind(entry.begun)
        .bind(entry.host)
        .bind(entry.cases_per_second)
        .run();
    const auto id = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_.get()));
    Statement knob(*this, "INSERT INTO knob VALUES (?, ?, ?)");
    for (const auto& [name, value] : entry.knobs) knob.bind(id).bind(name).bind(value).run();
    Statement time(*this, "INSERT INTO time VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const store::EntryTime& each : entry.times) {
      time.bind(id).bind(each.kernel).bind(each.executor).bind(each.machine).bind(each.threads).bind(each.size);
      time.bind(each.seconds).run();
    }
    Statement property(*this,
                       "INSERT INTO property (entry, name, executor, rigor, requested, executed, inputs, outputs) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    Statement claim(*this, "INSERT INTO claim VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, -1.0))");
    Statement term(*this, "INSERT INTO term VALUES (?, ?, ?, ?)");
    for (const store::EntryProperty& each : entry.properties) {
      property.bind(id).bind(each.name).bind(each.executor).bind(each.rigor).bind(each.requested).bind(each.executed);
      property.bind(store::hex16(each.bits.inputs)).bind(store::hex16(each.bits.outputs)).run();
      const auto of = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_.get()));
      for (std::uint64_t c = 0; c < each.claims.size(); ++c) {
        const store::EntryClaim& one = each.claims[c];
        claim.bind(of).bind(one.id).bind(c).bind(std::string(store::word(one.verdict)));
        claim.bind(std::uint64_t{one.expected_refuted}).bind(one.executed).bind(one.violated).bind(one.tightness).run();
        for (const auto& [name, ratio] : one.terms) term.bind(of).bind(one.id).bind(name).bind(ratio).run();
      }
    }
    keep_checksum(id);
    run("COMMIT");
    return {id, true};
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

std::vector<store::Entry> Ledger::list() const {
  std::vector<store::Entry> entries = heads();
  for (const store::Entry& each : entries) verify(each.id);
  return entries;
}

std::vector<store::Entry> Ledger::heads() const {
  std::vector<store::Entry> entries;
  Statement row(*this,
                "SELECT id, version, \"commit\", build, device, driver, seed, tier, begun, host, cases_per_second, "
                "(SELECT count(*) FROM claim JOIN property ON claim.property = property.id WHERE property.entry "
                "= entry.id) FROM entry ORDER BY id");
  while (row.step()) {
    store::Entry& entry = entries.emplace_back();
    entry.id = row.number();
    for (std::string store::Entry::*each : {&store::Entry::version, &store::Entry::commit, &store::Entry::build,
                                            &store::Entry::device, &store::Entry::driver}) {
      entry.*each = row.text();
    }
    entry.seed = number_of(row.text(), 10);
    entry.tier = row.text();
    entry.begun = row.optional(&Statement::number);
    entry.host = row.text();
    entry.cases_per_second = row.optional(&Statement::real);
    entry.claims = row.number();
    Statement knob(*this, "SELECT name, value FROM knob WHERE entry = ?");
    knob.bind(entry.id);
    while (knob.step()) {
      std::string name = knob.text();
      entry.knobs[std::move(name)] = knob.text();
    }
  }
  return entries;
}

std::optional<store::Entry> Ledger::entry(std::uint64_t id) const {
  for (store::Entry& each : heads()) {
    if (each.id != id) continue;
    verify(id);
    read_times(each);
    read_properties(each);
    return std::move(each);
  }
  return std::nullopt;
}

void Ledger::read_times(store::Entry& entry) const {
  Statement time(*this,
                 "SELECT kernel, executor, machine, threads, size, seconds FROM time WHERE entry = ? ORDER BY kernel, "
                 "executor, machine, threads, size");
  time.bind(entry.id);
  while (time.step()) {
    store::EntryTime& each = entry.times.emplace_back();
    each.kernel = time.text();
    each.executor = time.text();
    each.machine = time.text();
    each.threads = time.number();
    each.size = time.number();
    each.seconds = time.real();
  }
}

void Ledger::read_properties(store::Entry& entry) const {
  Statement property(*this,
                     "SELECT id, name, executor, rigor, requested, executed, inputs, outputs FROM property WHERE entry "
                     "= ? ORDER BY name, executor");
  property.bind(entry.id);
  while (property.step()) {
    const std::uint64_t id = property.number();
    store::EntryProperty& each = entry.properties.emplace_back();
    each.name = property.text();
    each.executor = property.text();
    each.rigor = property.text();
    each.requested = property.number();
    each.executed = property.number();
    each.bits.inputs = number_of(property.text(), 16);
    each.bits.outputs = number_of(property.text(), 16);
    Statement claim(*this,
                    "SELECT id, verdict, expected_refuted, executed, violated, tightness FROM claim WHERE property = ? "
                    "ORDER BY position");
    claim.bind(id);
    while (claim.step()) {
      store::EntryClaim& one = each.claims.emplace_back();
      one.id = claim.text();
      try {
        one.verdict = store::finding_of_word(claim.text());
      } catch (const store::JsonError& error) {
        throw store::DamagedFile(path_, error.what());
      }
      one.expected_refuted = claim.number() != 0;
      one.executed = claim.number();
      one.violated = claim.number();
      one.tightness = claim.optional(&Statement::real).value_or(-1);
      Statement of_claim(*this, "SELECT name, tightness FROM term WHERE property = ? AND claim = ?");
      of_claim.bind(id).bind(one.id);
      while (of_claim.step()) {
        std::string name = of_claim.text();
        one.terms[std::move(name)] = of_claim.real();
      }
    }
  }
}

std::optional<std::uint64_t> Ledger::newest() const {
  Statement row(*this, "SELECT max(id) FROM entry");
  row.step();
  return row.optional(&Statement::number);
}

}  // namespace assay::ledger
