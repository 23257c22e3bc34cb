#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "assay/report/outputs.hpp"
#include "assay/store/summary_io.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

using testing::HasSubstr;

Summary of(std::vector<PropertySummary> properties) {
  Summary summary;
  summary.tier = "quick";
  summary.provenance = {{"commit", "0123abc"}};
  summary.properties = std::move(properties);
  return summary;
}

/// Replaces the first `from` of the folder's summary.json, and gives the new bytes their checksum.
void edit(const test::Folder& folder, const std::string& from, const std::string& to) {
  std::string text = *unsealed(read_file(folder.path() / "summary.json"));
  ASSERT_NE(text.find(from), std::string::npos) << from;
  text.replace(text.find(from), from.size(), to);
  write_file_atomically(folder.path() / "summary.json", sealed(text));
}

std::string bytes(const Summary& summary) { return pretty(summary_to_json(summary)); }

std::vector<Summary> shards(std::uint64_t count) {
  std::vector<Summary> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    all.push_back(of({sample::property("dw.a", true, 997, i, count), sample::property("dw.b", false, 5, i, count)}));
  }
  return all;
}

TEST(Summary, IsReadBackWithItsCases) {
  const test::Folder folder;
  report::write_outputs(sample::summary(), folder.path());
  const Summary read = read_summary(folder.path());
  EXPECT_EQ(bytes(read), bytes(sample::summary()));
  EXPECT_EQ(saved_cases(read), saved_cases(sample::summary()));
}

TEST(Summary, NamesAnUnknownSchema) {
  const test::Folder folder;
  write_file_atomically(folder.path() / "summary.json", "{\"schema\": 99}");
  try {
    read_summary(folder.path());
    FAIL() << "accepted";
  } catch (const DamagedFile& error) {
    EXPECT_THAT(error.what(), HasSubstr("schema 99 is unknown"));
  }
}

TEST(Summary, WithoutACaseThatItNamesIsDamaged) {
  const test::Folder folder;
  report::write_outputs(sample::summary(), folder.path());
  std::filesystem::remove_all(folder.path() / "cases");
  EXPECT_THROW(read_summary(folder.path()), DamagedFile);
}

TEST(Summary, NamesNoFileOutsideItsFolder) {
  const test::Folder folder;
  report::write_outputs(of({sample::property("dw.a", true, 10)}), folder.path());
  edit(folder, "cases/", "../../");
  EXPECT_THROW(read_summary(folder.path()), DamagedFile);
}

TEST(Summary, CountsByClassOnlyWhereAClaimHasOtherCasesThanItsProperty) {
  const test::Folder folder;
  Summary summary = sample::summary();
  EXPECT_EQ(bytes(summary).find("by_class"), std::string::npos);
  ClaimTally& claim = summary.properties[0].tally.claims[1];
  --claim.executed_by_class[0];
  --claim.executed;
  ++claim.rejected;
  report::write_outputs(summary, folder.path());
  const Summary read = read_summary(folder.path());
  EXPECT_EQ(read.properties[0].tally.claims[0].executed_by_class,
            summary.properties[0].tally.claims[0].executed_by_class);
  EXPECT_EQ(read.properties[0].tally.claims[1].executed_by_class, claim.executed_by_class);
}

TEST(Summary, HasTheNumbersOfWhichAClaimSaysNothingAndTheReason) {
  const test::Folder folder;
  Summary summary = sample::summary();
  summary.properties[0].tally.claims[0].silence = {12, 3, "the divisor may be 0"};
  report::write_outputs(summary, folder.path());
  const Summary read = read_summary(folder.path());
  EXPECT_EQ(read.properties[0].tally.claims[0].silence, (Silence{12, 3, "the divisor may be 0"}));
  EXPECT_EQ(read.properties[0].tally.claims[1].silence, Silence());
}

TEST(Summary, CountsThePairsOfTraits) {
  const Json pairs = summary_to_json(sample::summary())["properties"][0]["pairs"];
  EXPECT_EQ(pairs.dump(), R"({"possible":3,"covered":3,"seen":"1011"})");
}

TEST(Summary, WhosePairsAreNotThoseOfItsTraitsIsDamaged) {
  const test::Folder folder;
  for (const auto& [from, to] :
       {std::pair{R"("seen": "1011")", R"("seen": "101")"}, {R"("trait": "n")", R"("trait": "k")"}}) {
    report::write_outputs(of({sample::property("dw.a", false, 200)}), folder.path());
    edit(folder, from, to);
    EXPECT_THROW(read_summary(folder.path()), DamagedFile) << to;
  }
}

TEST(Summary, WhoseVerdictContradictsItsCountsIsDamaged) {
  const test::Folder folder;
  for (const auto& [broken, from, to] : {std::tuple{true, R"("verdict": "violated")", R"("verdict": "holds")"},
                                         {false, R"("verdict": "holds")", R"("verdict": "violated")"},
                                         {false, R"("violated": 0)", R"("violated": 7)"}}) {
    report::write_outputs(of({sample::property("dw.a", broken, 100)}), folder.path());
    EXPECT_NO_THROW(read_summary(folder.path()));
    edit(folder, from, to);
    EXPECT_THROW(read_summary(folder.path()), DamagedFile) << to;
  }
}

TEST(Summary, WithoutItsChecksumOrWithAFlippedDigitIsDamaged) {
  const test::Folder folder;
  report::write_outputs(of({sample::property("dw.a", false, 100)}), folder.path());
  const std::string whole = read_file(folder.path() / "summary.json");
  std::string flipped = whole;
  flipped.replace(flipped.find("\"seed\": 1"), 9, "\"seed\": 3");
  for (const std::string& text : {*unsealed(whole), flipped}) {
    write_file_atomically(folder.path() / "summary.json", text);
    EXPECT_THROW(read_summary(folder.path()), DamagedFile);
  }
}

TEST(Summary, WithANameThatIsMarkupIsDamaged) {
  const test::Folder folder;
  report::write_outputs(of({sample::property("dw.a", false, 100)}), folder.path());
  edit(folder, R"("property": "dw.a")", R"("property": "dw.<script>")");
  EXPECT_THROW(read_summary(folder.path()), DamagedFile);
}

TEST(Merge, OfShardsGivesTheBytesOfTheWholeRun) {
  const Summary whole = of({sample::property("dw.a", true, 997), sample::property("dw.b", false, 5)});
  for (const std::uint64_t count : {1u, 2u, 3u, 16u}) {
    const Summary merged = merge(shards(count));
    EXPECT_EQ(bytes(merged), bytes(whole)) << count << " shards";
    EXPECT_EQ(saved_cases(merged), saved_cases(whole)) << count << " shards";
  }
}

TEST(Merge, IsCommutative) {
  std::vector<Summary> all = shards(3);
  const std::string expected = bytes(merge(all));
  std::swap(all[0], all[2]);
  EXPECT_EQ(bytes(merge(all)), expected);
  std::swap(all[0], all[1]);
  EXPECT_EQ(bytes(merge(all)), expected);
}

TEST(Merge, IsAssociative) {
  const std::vector<Summary> all = shards(3);
  const std::vector<Summary> left{merge(std::vector<Summary>{all[0], all[1]}), all[2]};
  const std::vector<Summary> right{all[0], merge(std::vector<Summary>{all[1], all[2]})};
  EXPECT_EQ(bytes(merge(left)), bytes(merge(right)));
}

TEST(Merge, KeepsTheHardestCorpusCaseWithTheSmallestId) {
  const auto with_corpus = [](std::uint64_t shard, double ratio, const char* id, const char* date) {
    Summary one = of({sample::property("dw.a", false, 30, shard, 3)});
    one.properties[0].findings[0].corpus_ratio = ratio;
    one.properties[0].findings[0].corpus_hardest = id;
    one.properties[0].findings[0].corpus_date = date;
    return one;
  };
  std::vector<Summary> all{with_corpus(0, 0.5, "000000000000000a", "2026-11-20"),
                           with_corpus(1, 0.75, "000000000000000c", "2026-11-21"),
                           with_corpus(2, 0.75, "000000000000000b", "2026-11-22")};
  for (int turn = 0; turn < 3; ++turn) {
    const ClaimFinding finding = merge(all).properties[0].findings[0];
    EXPECT_EQ(finding.corpus_ratio, 0.75);
    EXPECT_EQ(finding.corpus_hardest, "000000000000000b");
    EXPECT_EQ(finding.corpus_date, "2026-11-22");
    std::rotate(all.begin(), all.begin() + 1, all.end());
  }
}

TEST(Merge, SortsPropertiesByNameThenExecutor) {
  PropertySummary cuda = sample::property("dw.a", false, 10);
  cuda.executor = "cuda";
  const Summary merged = merge(
      std::vector<Summary>{of({sample::property("dw.b", false, 10), sample::property("dw.a", false, 10)}), of({cuda})});
  ASSERT_EQ(merged.properties.size(), 3u);
  EXPECT_EQ(merged.properties[0].executor, "cuda");
  EXPECT_EQ(merged.properties[1].executor, "host");
  EXPECT_EQ(merged.properties[2].info.name, "dw.b");
}

TEST(Merge, KeepsTheVerdictOfTheSmallestFailingCase) {
  Summary flaky = of({sample::property("dw.a", true, 100, 0, 2)});
  const Summary violated = of({sample::property("dw.a", true, 100, 1, 2)});
  const std::uint64_t other = violated.properties[0].findings[0].failing_number;
  flaky.properties[0].findings[0].verdict = Finding::flaky;
  flaky.properties[0].findings[0].failing_number = other - 1;
  EXPECT_EQ(merge(std::vector<Summary>{violated, flaky}).properties[0].findings[0].verdict, Finding::flaky);
  flaky.properties[0].findings[0].failing_number = other + 1;
  EXPECT_EQ(merge(std::vector<Summary>{violated, flaky}).properties[0].findings[0].verdict, Finding::violated);
}

/// Three shards: the first crashed and the others hung, at cases 40, 16 and 80.
std::vector<Summary> stopped_shards() {
  std::vector<Summary> all = shards(3);
  const Finding kinds[] = {Finding::crashed, Finding::hung, Finding::hung};
  const std::uint64_t numbers[] = {40, 16, 80};
  for (std::size_t i = 0; i < 3; ++i) {
    PropertySummary& property = all[i].properties[1];
    property.stops = {i + 1, numbers[i], kinds[i], "case " + std::to_string(numbers[i]), false, false};
    property.note = describe(property.stops);
    property.stopped_by = sample::case_file("dw.b", "", static_cast<int>(numbers[i]), Why::violated, 0);
    property.findings[0].verdict = kinds[i];
  }
  return all;
}

TEST(Merge, NamesTheFirstCaseWithoutAnAnswerAndCountsThemAll) {
  const PropertySummary merged = merge(stopped_shards()).properties[1];
  EXPECT_EQ(merged.stops, (Stops{6, 16, Finding::hung, "case 16", false, false}));
  EXPECT_EQ(merged.note, "hung on case 16: case 16; 6 such cases");
  EXPECT_EQ(merged.stopped_by, stopped_shards()[1].properties[1].stopped_by);
  EXPECT_EQ(merged.findings[0].verdict, Finding::hung);
}

TEST(Merge, PutsACorpusCaseWithoutAnAnswerFirst) {
  std::vector<Summary> all = stopped_shards();
  all[0].properties[1].stops.corpus = true;
  const PropertySummary merged = merge(all).properties[1];
  EXPECT_EQ(merged.stopped_by, all[0].properties[1].stopped_by);
  EXPECT_EQ(merged.findings[0].verdict, Finding::crashed);
  EXPECT_EQ(merged.note, "hung on case 16: case 16; 6 such cases");
}

TEST(Merge, OfStoppedShardsIsCommutativeAndAssociative) {
  const std::vector<Summary> all = stopped_shards();
  const std::string expected = bytes(merge(all));
  EXPECT_EQ(bytes(merge(std::vector<Summary>{all[2], all[1], all[0]})), expected);
  EXPECT_EQ(bytes(merge(std::vector<Summary>{all[0], merge(std::vector<Summary>{all[1], all[2]})})), expected);
}

TEST(Merge, OfAProofAndAStoppedShardIsNoProof) {
  std::vector<Summary> all = shards(2);
  all[0].properties[1].rigor = "exhaustive";
  EXPECT_EQ(merge(all).properties[1].rigor, "sampled");
}

TEST(Merge, LetsAViolationOutweighACrashAsOneRunDoes) {
  std::vector<Summary> all = shards(2);
  ASSERT_EQ(all[0].properties[0].findings[0].verdict, Finding::violated);
  all[1].properties[0].findings[0].verdict = Finding::crashed;
  EXPECT_EQ(merge(all).properties[0].findings[0].verdict, Finding::violated);
}

TEST(Merge, RefutesAControlThatOneShardRefuted) {
  std::vector<Summary> all = shards(2);
  all[0].properties[1].findings[0].verdict = Finding::not_refuted;
  all[1].properties[1].findings[0].verdict = Finding::refuted_as_expected;
  EXPECT_EQ(merge(all).properties[1].findings[0].verdict, Finding::refuted_as_expected);
}

TEST(Merge, RefusesAShardThatIsThereTwice) {
  const std::vector<Summary> all = shards(2);
  EXPECT_THROW(merge(std::vector<Summary>{all[0], all[1], all[0]}), std::invalid_argument);
}

TEST(Merge, RefusesDifferentSeeds) {
  std::vector<Summary> all = shards(2);
  all[1].seed = 2;
  EXPECT_THROW(merge(all), std::invalid_argument);
}

TEST(Merge, RefusesRunsOfDifferentSizes) {
  EXPECT_THROW(merge(std::vector<Summary>{of({sample::property("dw.a", true, 10, 0, 2)}),
                                          of({sample::property("dw.a", true, 12, 1, 2)})}),
               std::invalid_argument);
}

TEST(Merge, RefusesRunsOfTwoBuildsVersionsOrCommits) {
  for (const std::string& key : {build_key("assay"), std::string("version"), std::string("commit")}) {
    std::vector<Summary> all = shards(2);
    all[0].provenance[key] = "one";
    all[1].provenance[key] = "two";
    EXPECT_THROW(merge(all), std::invalid_argument) << key;
  }
  std::vector<Summary> of_two_programs = shards(2);
  of_two_programs[0].provenance[build_key("assay")] = "one";
  of_two_programs[1].provenance[build_key("mine")] = "two";
  EXPECT_NO_THROW(merge(of_two_programs));
}

TEST(Merge, KeepsDifferentProvenanceSideBySide) {
  std::vector<Summary> all = shards(3);
  all[0].provenance["device"] = "z";
  all[1].provenance["device"] = "a";
  all[2].provenance["device"] = "z";
  EXPECT_EQ(merge(all).provenance.at("device"), "a | z");
}

TEST(Merge, KeepsTheFirstOfDifferentCalls) {
  std::vector<Summary> all = shards(2);
  const std::string key = options_key("subject.dot");
  all[0].provenance[key] = "--subject 'b | a'";
  all[1].provenance[key] = "--subject c";
  EXPECT_EQ(merge(all).provenance.at(key), "--subject 'b | a'");
}

TEST(Sort, PutsMutantsInTheOrderOfTheCatalogue) {
  Summary summary;
  for (const char* id : {"H1", "E10", "E2", "E1"}) summary.mutants.push_back({id, "", "", 0, "", 0, true});
  sort(summary);
  EXPECT_EQ(summary.mutants[0].id, "E1");
  EXPECT_EQ(summary.mutants[2].id, "E10");
  EXPECT_EQ(summary.mutants[3].id, "H1");
}

}  // namespace
}  // namespace assay::store
