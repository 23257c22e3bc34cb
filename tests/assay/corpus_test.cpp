#include "assay/store/corpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "properties/framework/shrink.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/model_without_kernel.hpp"
#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

using testing::HasSubstr;

/// A property of one number x < 8 without a kernel.
class OneNumber : public ModelWithoutKernel {
 public:
  OneNumber() {
    info_.name = "corpus.one_number";
    info_.format = "binary64";
    info_.accepts = "x < 8";
    info_.claims = {{"error", "true", "by construction", "", false}};
    info_.classes = {{"all", 1}};
    finish();
  }
  std::optional<Record> make(std::uint64_t, std::uint64_t) const override {
    return Record{{{"x", sample::numbers(Words::Shape::scalar, {1})}}};
  }
  bool fits(const Record& record) const override {
    const auto* words = record.fields.size() == 1 ? std::get_if<Words>(&record.fields[0].value) : nullptr;
    return words != nullptr && record.fields[0].name == "x" && words->bits.size() == 1;
  }
  bool contains(const Record& record) const override {
    return fits(record) && std::bit_cast<double>(std::get<Words>(record.fields[0].value).bits[0]) < 8;
  }
  std::size_t shrink_passes() const override { return 0; }
  ShrinkPass shrink(const Record&, std::size_t) const override { return {}; }
};

const bool registered = [] {
  register_property(std::make_unique<OneNumber>());
  return true;
}();

CaseFile one_number(double x, std::string claim = "error") {
  return {"corpus.one_number",
          std::move(claim),
          "host",
          "binary64",
          Record{{{"x", sample::numbers(Words::Shape::scalar, {x})}}},
          std::nullopt,
          "holds",
          Why::seed};
}

TEST(Corpus, GivesBackWhatWasAdded) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  EXPECT_EQ(corpus.add(one_number(1)), Corpus::Added::added);
  EXPECT_EQ(corpus.add(one_number(1)), Corpus::Added::present);
  const Corpus::Contents contents = corpus.read();
  ASSERT_EQ(contents.entries.size(), 1u);
  EXPECT_EQ(contents.entries[0].file, one_number(1));
  EXPECT_EQ(contents.entries[0].path, folder.path() / "corpus.one_number" / (contents.entries[0].id + ".json"));
}

TEST(Corpus, ThatDoesNotExistIsEmpty) {
  const test::Folder folder;
  EXPECT_TRUE(Corpus(folder.path() / "none").read().entries.empty());
}

TEST(Corpus, NamesADamagedEntryAndKeepsTheFile) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  corpus.add(one_number(1));
  corpus.add(one_number(2));
  const std::filesystem::path path = corpus.read().entries[0].path;
  std::string bytes = read_file(path);
  bytes[bytes.size() / 2] ^= 1;
  write_file_atomically(path, bytes);
  const Corpus::Contents contents = corpus.read();
  EXPECT_EQ(contents.entries.size(), 1u);
  ASSERT_EQ(contents.problems.size(), 1u);
  EXPECT_TRUE(contents.problems[0].damaged);
  EXPECT_EQ(contents.problems[0].path, path);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(Corpus, RefusesAnEntryUnderAnotherName) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  write_file_atomically(folder.path() / "corpus.one_number" / "0000000000000000.json", case_bytes(one_number(1)));
  ASSERT_EQ(corpus.read().problems.size(), 1u);
  EXPECT_THAT(corpus.read().problems[0].what, HasSubstr("the name is not that of its content"));
}

TEST(Corpus, ReplacesADamagedEntryThatIsAddedAgain) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  corpus.add(one_number(1));
  write_file_atomically(corpus.read().entries[0].path, "{");
  EXPECT_EQ(corpus.add(one_number(1)), Corpus::Added::replaced);
  EXPECT_TRUE(corpus.read().problems.empty());
}

TEST(Corpus, FindsACaseByTheBeginningOfItsId) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  corpus.add(one_number(1));
  const Corpus::Entry entry = corpus.read().entries[0];
  EXPECT_EQ(corpus.find(entry.id), entry.path);
  EXPECT_EQ(corpus.find(entry.id.substr(0, 6)), entry.path);
  EXPECT_EQ(corpus.find(entry.id.substr(0, 3)), "");
}

std::string only_problem(const CaseFile& file) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  corpus.add(file);
  const std::vector<CorpusProblem> problems = corpus.verify();
  return problems.size() == 1 && !problems[0].damaged ? problems[0].what : "";
}

TEST(CorpusVerify, HasNothingToSayOfAGoodEntry) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  corpus.add(one_number(1));
  EXPECT_TRUE(corpus.verify().empty());
}

TEST(CorpusVerify, NamesARenamedClaim) {
  EXPECT_THAT(only_problem(one_number(1, "eror")), HasSubstr("no claim corpus.one_number/eror"));
}

TEST(CorpusVerify, NamesAnUnknownProperty) {
  CaseFile file = one_number(1);
  file.property = "corpus.gone";
  EXPECT_THAT(only_problem(file), HasSubstr("no property corpus.gone"));
}

TEST(CorpusVerify, NamesACaseOutsideTheDomain) {
  EXPECT_THAT(only_problem(one_number(9)), HasSubstr("outside the domain of corpus.one_number (x < 8)"));
}

TEST(CorpusVerify, NamesFieldsThatDoNotFit) {
  CaseFile file = one_number(1);
  file.inputs.fields[0].name = "z";
  EXPECT_THAT(only_problem(file), HasSubstr("z (binary64), but corpus.one_number takes x (binary64)"));
}

TEST(CorpusMerge, TakesOverWhatIsNewAndNamesWhatIsDamaged) {
  const test::Folder here;
  const test::Folder there;
  const Corpus mine(here.path());
  const Corpus other(there.path());
  mine.add(one_number(1));
  other.add(one_number(1));
  other.add(one_number(2));
  write_file_atomically(there.path() / "corpus.one_number" / "bad.json", "{");
  const Corpus::Merged merged = mine.merge(other);
  EXPECT_EQ(merged.added, 1u);
  EXPECT_EQ(merged.present, 1u);
  EXPECT_EQ(merged.problems.size(), 1u);
  EXPECT_EQ(mine.read().entries.size(), 2u);
}

TEST(Corpus, StaysWholeUnderSixteenWritersAndAReader) {
  const test::Folder folder;
  const Corpus corpus(folder.path());
  constexpr int cases = 12;
  std::atomic<int> writing{16};
  std::atomic<std::size_t> damaged{0};
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < 16; ++writer) {
    threads.emplace_back([&] {
      for (int i = 0; i < cases; ++i) corpus.add(one_number(i));
      --writing;
    });
  }
  threads.emplace_back([&] {
    while (writing > 0) damaged += corpus.read().problems.size();
  });
  threads.clear();
  EXPECT_EQ(damaged, 0u);
  EXPECT_EQ(corpus.read().entries.size(), static_cast<std::size_t>(cases));
  EXPECT_EQ(folder.count("corpus.one_number"), static_cast<std::size_t>(cases));
}

}  // namespace
}  // namespace assay::store
