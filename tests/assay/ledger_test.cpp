#include "assay/ledger/ledger.hpp"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <string>

#include "assay/store/case_file.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::ledger {
namespace {

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The entry of a run that began at a second of its own.
store::Entry entry(std::uint64_t begun) {
  store::Entry made = store::entry_of(sample::summary(), {});
  made.begun = begun;
  made.host = "here";
  return made;
}

/// The result of an SQL statement about a ledger: the first column of its first row.
std::string asked(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* opened = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, sqlite3_close);
  std::string answer;
  const auto take = [](void* into, int, char** values, char**) {
    *static_cast<std::string*>(into) = values[0] == nullptr ? "" : values[0];
    return 1;
  };
  sqlite3_exec(opened, sql.c_str(), take, &answer, nullptr);
  return answer;
}

/// Runs `work` in a process of its own and returns its id.
template <class Work>
pid_t started(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (const std::exception&) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  return child;
}
int ended(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Ledger, NoticesEveryChangedRow) {
  const char* const changes[] = {"UPDATE claim SET verdict = 'holds' WHERE verdict = 'violated'",
                                 "UPDATE claim SET tightness = tightness / 2",
                                 "UPDATE property SET outputs = '0123456789abcdef'",
                                 "UPDATE entry SET version = '0.6.0'",
                                 "UPDATE entry SET begun = 8",
                                 "UPDATE knob SET value = 'clang'",
                                 "UPDATE term SET tightness = 0",
                                 "UPDATE time SET seconds = seconds / 2",
                                 "DELETE FROM claim WHERE id = 'error'"};
  for (const char* const change : changes) {
    const Folder folder;
    store::Entry added = entry(7);
    added.times = {{"gemm.crt", "cuda", "here", 1, 1024, 0.1}};
    Ledger ledger(folder / "l.sqlite", true);
    const std::uint64_t id = ledger.add(added).id;
    EXPECT_NO_THROW(ledger.list());
    asked(folder / "l.sqlite", change);
    EXPECT_THROW(ledger.entry(id), store::DamagedFile) << change;
    EXPECT_THROW(ledger.list(), store::DamagedFile) << change;
  }
}

TEST(Ledger, GivesBackWhatWasAdded) {
  const Folder folder;
  store::Entry added = entry(7);
  added.cases_per_second = 0.1;
  added.seed = std::numeric_limits<std::uint64_t>::max();
  added.times = {{"gemm.crt", "cuda", "here", 1, 1024, 0.1}, {"sum.exact", "host", "here", 2, 1, 1e-9}};
  added.properties[0].claims[0].tightness = std::numeric_limits<double>::infinity();
  Ledger ledger(folder / "l.sqlite", true);
  const Ledger::Added how = ledger.add(added);
  EXPECT_TRUE(how.is_new);
  added.id = how.id;
  EXPECT_EQ(ledger.entry(how.id), added);
  EXPECT_EQ(ledger.newest(), how.id);
  added.properties.clear();
  added.times.clear();
  EXPECT_THAT(ledger.list(), ElementsAre(added));
  EXPECT_EQ(ledger.entry(how.id + 1), std::nullopt);
}

TEST(Ledger, KeepsARunOnce) {
  const Folder folder;
  Ledger ledger(folder / "l.sqlite", true);
  const Ledger::Added first = ledger.add(entry(1));
  ledger.add(entry(2));
  const Ledger::Added again = ledger.add(entry(1));
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.id, first.id);
  EXPECT_THAT(ledger.list(), SizeIs(2));
}

TEST(Ledger, WithoutAnEntryHasNoNewest) {
  const Folder folder;
  const Ledger ledger(folder / "l.sqlite", true);
  EXPECT_THAT(ledger.list(), IsEmpty());
  EXPECT_EQ(ledger.newest(), std::nullopt);
}

TEST(Ledger, TakesTheEntriesOfSeveralWriters) {
  const Folder folder;
  const std::filesystem::path path = folder / "l.sqlite";
  constexpr std::uint64_t writers = 4;
  constexpr std::uint64_t each = 5;
  std::vector<pid_t> children;
  for (std::uint64_t w = 0; w < writers; ++w) {
    children.push_back(started([&] {
      for (std::uint64_t i = 0; i < each; ++i) Ledger(path, true).add(entry(w * each + i));
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(ended(child), 0);
  std::set<std::uint64_t> found;
  for (const store::Entry& one : Ledger(path, false).list()) found.insert(*one.begun);
  EXPECT_THAT(found, SizeIs(writers * each));
}

TEST(Ledger, LosesNothingThatAKilledWriterReported) {
  const Folder folder;
  const std::filesystem::path path = folder / "l.sqlite";
  std::uint64_t next = 0;
  std::set<std::uint64_t> reported;
  for (int kill = 0; kill < 10; ++kill) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t writer = started([&] {
      for (std::uint64_t begun = next;; ++begun) {
        Ledger(path, true).add(entry(begun));
        if (::write(pipe[1], &begun, sizeof begun) != sizeof begun) throw std::runtime_error("no pipe");
      }
    });
    ::close(pipe[1]);
    std::uint64_t begun = 0;
    const auto take = [&] {
      if (::read(pipe[0], &begun, sizeof begun) != sizeof begun) return false;
      reported.insert(begun);
      next = begun + 1;
      return true;
    };
    EXPECT_TRUE(take());
    ::usleep(static_cast<useconds_t>(7919 * kill % 40000));
    ::kill(writer, SIGKILL);
    ended(writer);
    while (take()) {
    }
    ::close(pipe[0]);
    EXPECT_EQ(asked(path, "PRAGMA integrity_check"), "ok");
    next += 100;  // the entry that was being written may be there
  }
  Ledger ledger(path, true);
  std::set<std::uint64_t> found;
  for (const store::Entry& one : ledger.list()) {
    found.insert(*one.begun);
    store::Entry whole = entry(*one.begun);
    whole.id = one.id;
    EXPECT_EQ(ledger.entry(one.id), whole);
  }
  EXPECT_TRUE(std::includes(found.begin(), found.end(), reported.begin(), reported.end()));
}

void expect_damaged(const std::filesystem::path& path, const std::string& why) {
  try {
    const Ledger ledger(path, true);
    FAIL() << "accepted";
  } catch (const store::DamagedFile& error) {
    EXPECT_THAT(error.what(), HasSubstr(why));
  }
}

TEST(Ledger, OfTheFirstSchemaGetsATableOfTimesAndKeepsItsEntries) {
  const Folder folder;
  const std::filesystem::path path = folder / "l.sqlite";
  Ledger(path, true).add(entry(7));
  asked(path, "DROP TABLE time; ALTER TABLE entry DROP COLUMN checksum; PRAGMA user_version = 1");
  Ledger ledger(path, false);
  store::Entry later = entry(8);
  later.times = {{"sum.exact", "host", "here", 1, 4, 2e-9}};
  later.id = ledger.add(later).id;
  EXPECT_EQ(ledger.entry(1).value().begun, 7u);
  EXPECT_EQ(ledger.entry(later.id), later);
}

TEST(Ledger, OfANewerSchemaIsRefused) {
  const Folder folder;
  const std::filesystem::path path = folder / "l.sqlite";
  { const Ledger ledger(path, true); }
  asked(path, "PRAGMA user_version = 99");
  expect_damaged(path, "the ledger's schema 99 is newer than this program");
}

TEST(Ledger, OfAnotherProgramIsRefusedAndLeftAlone) {
  const Folder folder;
  const std::filesystem::path path = folder / "l.sqlite";
  asked(path, "CREATE TABLE theirs (x)");
  expect_damaged(path, "a database of another program");
  EXPECT_EQ(asked(path, "SELECT group_concat(name) FROM sqlite_schema"), "theirs");
}

TEST(Ledger, ThatIsNoDatabaseIsRefused) {
  const Folder folder;
  std::ofstream(folder / "l.sqlite") << std::string(2000, 'x');
  expect_damaged(folder / "l.sqlite", "not a database");
}

TEST(Ledger, ThatCannotBeMadeIsAnErrorOfTheOutput) {
  EXPECT_THROW(Ledger("/nonexistent/l.sqlite", true), store::OutputError);
}

TEST(Ledger, IsAFileOfItsOwn) {
  EXPECT_THROW(Ledger("/dev/null", true), store::OutputError);
  EXPECT_THROW(Ledger("", true), store::OutputError);
  const Folder folder;
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  { const Ledger ledger(":memory:", true); }
  std::filesystem::current_path(here);
  EXPECT_TRUE(std::filesystem::exists(folder / ":memory:"));
}

TEST(Ledger, IsNotMadeByAReader) {
  const Folder folder;
  EXPECT_THROW(Ledger(folder / "l.sqlite", false), store::OutputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "l.sqlite"));
}

}  // namespace
}  // namespace assay::ledger
