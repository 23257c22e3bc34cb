#include "assay/store/journal.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/store/case_file.hpp"
#include "tests/assay/program.hpp"

namespace assay::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing_program::Folder;

const Json settings{{"seed", 1}};

std::vector<int> lines(const Folder& folder, const Json& with = settings) {
  std::vector<int> found;
  const Journal journal(folder.path(), with, true, [&](const Json& line) { found.push_back(line.at("n").get<int>()); });
  return found;
}

void write(const Folder& folder, std::initializer_list<int> values) {
  Journal journal(folder.path(), settings, false, {});
  for (const int each : values) {
    journal.append({{"n", each}}, false);
  }
}

void append_raw(const Folder& folder, const std::string& bytes) {
  std::ofstream(folder / "journal.jsonl", std::ios::app) << bytes;
}

TEST(Journal, GivesEarlierLinesInOrder) {
  const Folder folder;
  write(folder, {1, 2, 3});
  EXPECT_THAT(lines(folder), ElementsAre(1, 2, 3));
}

TEST(Journal, BeginsAnewWithoutResume) {
  const Folder folder;
  write(folder, {1, 2});
  write(folder, {3});
  EXPECT_THAT(lines(folder), ElementsAre(3));
}

TEST(Journal, DropsATornLastLineAndGoesOnBehindTheLastWholeOne) {
  const Folder folder;
  write(folder, {1});
  append_raw(folder, "{\"half\": ");
  {
    Journal journal(folder.path(), settings, true, [](const Json&) {});
    journal.append({{"n", 2}}, true);
  }
  EXPECT_THAT(lines(folder), ElementsAre(1, 2));
}

TEST(Journal, RefusesAWholeLineWithAnotherByte) {
  const Folder folder;
  write(folder, {1, 2});
  const std::string whole = testing_program::content(folder / "journal.jsonl");
  for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    std::ofstream(folder / "journal.jsonl") << flipped;
    EXPECT_THROW(lines(folder), DamagedFile) << flipped;
  }
}

TEST(Journal, RefusesOtherSettings) {
  const Folder folder;
  write(folder, {1});
  EXPECT_THROW(lines(folder, {{"seed", 2}}), OtherSettings);
}

TEST(Journal, IsHeldByOneRunAtATime) {
  const Folder folder;
  const Journal first(folder.path(), settings, false, {});
  EXPECT_THROW(Journal(folder.path(), settings, true, {}), OutputError);
}

TEST(Journal, ResumesAnEmptyFolderAsANewRun) {
  const Folder folder;
  EXPECT_THAT(lines(folder), IsEmpty());
}

}  // namespace
}  // namespace assay::store
