#include "assay/store/changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/store/case_file.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Direction = Change::Direction;
using Kind = Change::Kind;

Entry one_property() {
  Summary summary;
  summary.properties.push_back(sample::property("dw.a", false, 50));
  return entry_of(summary, {});
}

/// The changes after `edit` of the only property.
template <class Edit>
Changes after(const Edit& edit) {
  Entry edited = one_property();
  edit(edited.properties[0]);
  return changes_between(one_property(), edited);
}

/// "worse verdict dw.a/error: holds -> violated" of each change.
std::vector<std::string> lines(const Changes& changes) {
  std::vector<std::string> all;
  for (const Change& each : changes.changes) {
    all.push_back(std::string(word(each.direction)) + " " + std::string(word(each.kind)) + " " + each.property + "/" +
                  each.claim + each.term + ": " + each.before + " -> " + each.after);
  }
  return all;
}

TEST(Changes, AreNoneBetweenARunAndItself) {
  const Changes changes = changes_between(one_property(), one_property());
  EXPECT_THAT(changes.changes, IsEmpty());
  EXPECT_THAT(changes.other_inputs, IsEmpty());
  EXPECT_EQ(changes.claims, 2u);
  EXPECT_FALSE(changes.worse());
}

TEST(Changes, TellVerdicts) {
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims[0].verdict = Finding::violated; })),
              ElementsAre("worse verdict dw.a/error: holds -> violated"));
  EXPECT_THAT(lines(changes_between(
                  [] {
                    Entry entry = one_property();
                    entry.properties[0].claims[0].verdict = Finding::undecided;
                    return entry;
                  }(),
                  one_property())),
              ElementsAre("better verdict dw.a/error: undecided -> holds"));
}

TEST(Changes, TellATightnessThatMovedByMoreThanOnePercent) {
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims[0].tightness *= 1.02; })),
              ElementsAre("worse tightness dw.a/error: 0.5 -> 0.51"));
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims[0].tightness *= 0.98; })),
              ElementsAre("better tightness dw.a/error: 0.5 -> 0.49"));
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims[0].tightness *= 1.005; })), IsEmpty());
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims[0].terms["γ|x|"] = 1; })),
              ElementsAre("worse tightness dw.a/errorγ|x|: 0.25 -> 1"));
}

TEST(Changes, OfANegativeControlsTightnessAreNeutral) {
  EXPECT_THAT(lines(after([](EntryProperty& property) {
                property.claims[0].tightness *= 2;
                property.claims[0].expected_refuted = true;
              })),
              ElementsAre("neutral tightness dw.a/error: 0.5 -> 1"));
}

TEST(Changes, TellOtherBitsOfTheSameInputs) {
  const Changes changes = after([](EntryProperty& property) { property.bits.outputs ^= 1; });
  ASSERT_THAT(changes.changes, SizeIs(1));
  EXPECT_EQ(changes.changes[0].kind, Kind::bits);
  EXPECT_TRUE(changes.worse());
}

TEST(Changes, OfBitsAreNotForTheWorseWhereTheErrorBecameSmaller) {
  const Changes changes = after([](EntryProperty& property) {
    property.bits.outputs ^= 1;
    property.claims[0].tightness /= 2;
  });
  EXPECT_THAT(changes.changes, SizeIs(2));
  EXPECT_FALSE(changes.worse());
}

TEST(Changes, CompareNoNumbersOfOtherInputs) {
  const Changes changes = after([](EntryProperty& property) {
    property.bits.inputs ^= 1;
    property.bits.outputs ^= 1;
    property.claims[0].tightness = 1;
  });
  EXPECT_THAT(changes.changes, IsEmpty());
  EXPECT_THAT(changes.other_inputs, ElementsAre("dw.a on host"));
}

TEST(Changes, TellWhatIsGoneAndWhatIsNew) {
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.claims.pop_back(); })),
              ElementsAre("worse gone dw.a/same_bits: holds -> "));
  EXPECT_THAT(lines(after([](EntryProperty& property) { property.name = "dw.b"; })),
              ElementsAre("worse gone dw.a/:  -> ", "neutral added dw.b/:  -> "));
  EXPECT_THAT(lines(after([](EntryProperty& property) {
                property.name = "dw.b";
                property.claims[0].verdict = Finding::violated;
              })),
              ElementsAre("worse gone dw.a/:  -> ", "worse added dw.b/:  -> "));
}

TEST(Entry, HasTheVersionTheKnobsAndTheRate) {
  const test::Folder folder;
  const auto run = [](const char* rest) {
    return std::string(R"({"schema": 1, "begun": 1000, "ended": 1002, "milliseconds": 2000, "host": "node7",
                           "driver": "580.1", "resumed": )") +
           rest + "}";
  };
  std::ofstream(folder / "run.json") << run("false");
  const std::vector<std::filesystem::path> folders{folder.path()};
  Summary summary;
  summary.provenance = {{"version", "0.1.0"},
                        {"commit", "0123abc"},
                        {"flags", "-O2"},
                        {"build mine", "ff00"},
                        {"build libmine.so", "11"}};
  summary.properties.push_back(sample::property("dw.a", false, 50));
  Entry entry = entry_of(summary, folders);
  EXPECT_EQ(entry.version + " " + entry.commit + " " + entry.host + " " + entry.driver, "0.1.0 0123abc node7 580.1");
  EXPECT_EQ(entry.build, "libmine.so 11, mine ff00");
  EXPECT_THAT(entry.knobs, ElementsAre(std::pair("flags", "-O2")));
  EXPECT_EQ(entry.begun, 1000u);
  EXPECT_EQ(entry.cases_per_second, 22.5);  // a tenth of the 50 cases was rejected
  std::ofstream(folder / "run.json") << run("true");
  EXPECT_EQ(entry_of(summary, folders).cases_per_second, std::nullopt);
  std::ofstream(folder / "run.json") << "{}";
  EXPECT_THROW(entry_of(summary, folders), DamagedFile);
}

}  // namespace
}  // namespace assay::store
