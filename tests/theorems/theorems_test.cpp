#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/theorems/pages.hpp"
#include "tests/theorems/rules.hpp"

namespace assay::theorems {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A theorem in the form of a page.
std::string entry(const std::string& id, const std::string& checked_by,
                  const std::string& statement = "|z − √x| ≤ (25/8)u²·√x.") {
  return "### Theorem " + id + "\n\nHypotheses: p ≥ 5,\nx a double word.\n\nStatement: " + statement +
         "\n\nSource: \"derived\",\nby \\ hand.\n\nBound: `sqrt_bound`\n\nProof: one step.\n\n| a | table "
         "|\n\nAttained: not known to be attained.\n\nChecked by: " +
         checked_by + "\n\n";
}

const Pages small{{"dw", entry("dw.sqrt.1", "claim dw.sqrt*/error, ctest bounds_dw") +
                             entry("dw.sqrt.2", "lemma of dw.sqrt.1 (step 3)")}};
const Program program{
    .claims = {{"dw.sqrt/error", "dw.sqrt.1"}, {"dw.sqrt.p5/error", "dw.sqrt.1"}},
    .theorems = {{"dw.sqrt.1", "p ≥ 5, x a double word", "|z − √x| ≤ (25/8)u²·√x", "\"derived\", by \\ hand"}},
    .ctests = {"bounds_dw"}};

TEST(Theorems, PagesOfThisTreeHaveTheForm) {
  const Pages pages = read_pages(ASSAY_SOURCE_DIR "/docs/bounds");
  ASSERT_TRUE(pages.contains("dw"));
  EXPECT_THAT(offences_of_pages(pages), IsEmpty());
}

TEST(Theorems, ReadsTheFieldsOfAPage) {
  const std::vector<Entry> found = theorems_of(small);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].page, "dw");
  EXPECT_EQ(found[0].id, "dw.sqrt.1");
  EXPECT_EQ(normalized(found[0].hypotheses), "p ≥ 5, x a double word");
  EXPECT_EQ(normalized(found[0].proof), "one step. | a | table |");
  const Checks checks = checks_of(found[0]);
  EXPECT_THAT(checks.claims, ElementsAre("dw.sqrt*/error"));
  EXPECT_THAT(checks.ctests, ElementsAre("bounds_dw"));
  EXPECT_THAT(checks_of(found[1]).lemma_of, ElementsAre("dw.sqrt.1"));
}

TEST(Theorems, NamesTheReasonWhyABoundIsLoose) {
  EXPECT_EQ(theorems_of(small)[0].loose_because, "");
  EXPECT_THAT(header_of_page("dw", small.at("dw")), ::testing::Not(HasSubstr("loose_because")));
  const std::string page = entry("dw.sqrt.1", "ctest t") + "Loose because: two errors of opposite signs\nmeet.\n";
  EXPECT_THAT(offences_of_page("dw", page), IsEmpty());
  EXPECT_THAT(header_of_page("dw", page), HasSubstr(".loose_because = \"two errors of opposite signs meet\""));
}

TEST(Theorems, ReasonsOfLooseBoundsAreFortyAtMost) {
  std::size_t reasons = 0;
  for (const Entry& each : theorems_of(read_pages(ASSAY_SOURCE_DIR "/docs/bounds"))) {
    reasons += each.loose_because.empty() ? 0 : 1;
  }
  EXPECT_LE(reasons, 40U);
}

/// A page with one theorem that has a bound and a largest published error.
std::string with_published(const std::string& text) {
  return entry("dw.sqrt.1", "ctest t") + "Largest published: " + text + "\n\n";
}

TEST(Theorems, NamesTheLargestPublishedError) {
  const std::string page = with_published("2.25u² of 3u²,\nKey2017, Table 1, row 3.");
  EXPECT_THAT(offences_of_page("dw", page), IsEmpty());
  const std::optional<Published> published = published_of(theorems_of("dw", page)[0].published);
  ASSERT_TRUE(published);
  EXPECT_EQ(published->value, "2.25u²");
  EXPECT_EQ(published->leading, "3u²");
  EXPECT_EQ(published->key, "Key2017");
  EXPECT_EQ(published->place, "Table 1, row 3");
}

TEST(Theorems, RefusesALargestPublishedErrorOfAnotherForm) {
  for (const std::string wrong :
       {"much of 3u², Key2017, Table 1", "2.25u² of 3u³, Key2017, Table 1", "3.25u² of 3u², Key2017, Table 1",
        "0u² of 3u², Key2017, Table 1", "-1u² of 3u², Key2017, Table 1", "inf of inf, Key2017, Table 1",
        "2.25 u² of 3 u², Key2017, Table 1", "2.25u² of 3u², Key2017", "2.25u² of 3u², Key 2017, Table 1",
        "2.25u² of 3u²", "2.25u², Key2017, Table 1"}) {
    EXPECT_THAT(offences_of_page("dw", with_published(wrong)),
                ElementsAre("dw: dw.sqrt.1 has a largest published error that is not \"VALUE of LEADING TERM, KEY, "
                            "PLACE\": " +
                            wrong));
  }
}

TEST(Theorems, WithoutABoundALargestPublishedErrorHasNoLeadingTerm) {
  const auto unbounded = [](const std::string& text) {
    std::string page = with_published(text);
    page.erase(page.find("Bound:"), page.find("Proof:") - page.find("Bound:"));
    return page;
  };
  EXPECT_THAT(offences_of_page("dw", unbounded("1, Key2017, Table 1")), IsEmpty());
  EXPECT_THAT(offences_of_page("dw", unbounded("1 of 2, Key2017, Table 1")),
              ElementsAre("dw: dw.sqrt.1 has a largest published error that is not \"VALUE, KEY, PLACE\": 1 of 2, "
                          "Key2017, Table 1"));
}

TEST(Theorems, ALargestPublishedErrorIsOfAWorkWithAnEntry) {
  const std::vector<Entry> all = theorems_of("dw", with_published("2.25u² of 3u², Key2017, Table 1"));
  EXPECT_THAT(unknown_works(all, keys_of_bibtex("% @a{No,\n@book{Key2017,\n  year = {2017},\n}\n")), IsEmpty());
  EXPECT_THAT(unknown_works(all, keys_of_bibtex("@book{Key2018,\n}\n")),
              ElementsAre("dw: dw.sqrt.1 names a largest published error of Key2017, which docs/sources.bib does not "
                          "have"));
}

TEST(Theorems, AcceptsPagesAndAProgramThatAgree) {
  EXPECT_THAT(offences_of_pages(small), IsEmpty());
  EXPECT_THAT(offences_of_program(small, program), IsEmpty());
}

TEST(Theorems, IdHasAFormAndItsFamilysPage) {
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt", "ctest t")}}),
              ElementsAre("dw: 'dw.sqrt' is not family.topic.number"));
  EXPECT_THAT(offences_of_pages({{"dw", entry("eft.two_sum.1", "ctest t")}}),
              ElementsAre("dw: eft.two_sum.1 belongs on the page of its family"));
}

TEST(Theorems, NumbersOfATopicHaveNoGapAndNoTwin) {
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.2", "ctest t")}}),
              ElementsAre("dw: dw.sqrt.2 without dw.sqrt.1"));
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.1", "ctest t") + entry("dw.sqrt.1", "ctest t")}}),
              ElementsAre("dw: dw.sqrt.1 stands twice"));
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.2", "ctest t") + entry("dw.sqrt.1", "ctest t")}}),
              ElementsAre("dw: dw.sqrt.2 stands before dw.sqrt.1"));
}

TEST(Theorems, NoFieldIsMissing) {
  EXPECT_THAT(offences_of_pages({{"dw", "### Theorem dw.sqrt.1\nStatement: s\nProof: q\nChecked by: ctest t\n"}}),
              ElementsAre("dw: dw.sqrt.1 has no 'Hypotheses:'", "dw: dw.sqrt.1 has no 'Source:'",
                          "dw: dw.sqrt.1 has no 'Attained:'"));
}

TEST(Theorems, NoFieldStandsTwice) {
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.1", "ctest t") + "Statement: s\n"}}),
              ElementsAre("dw: dw.sqrt.1 has 'Statement:' twice"));
}

TEST(Theorems, SomethingChecksATheorem) {
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.1", "nobody")}}),
              ElementsAre("dw: dw.sqrt.1 is checked by no claim, no ctest, and is no lemma"));
  EXPECT_THAT(
      offences_of_pages({{"dw", entry("dw.sqrt.1", "lemma of dw.sqrt.2") + entry("dw.sqrt.2", "lemma of dw.sqrt.1")}}),
      ElementsAre("dw: dw.sqrt.1 is a lemma of nothing that is checked",
                  "dw: dw.sqrt.2 is a lemma of nothing that is checked"));
}

TEST(Theorems, TextsNameTheoremsThatExist) {
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.1", "ctest t") + "By dw.mul.1 and file.name.1.\n"}}),
              ElementsAre("dw: there is no theorem dw.mul.1"));
  EXPECT_THAT(offences_of_pages({{"dw", entry("dw.sqrt.1", "ctest t, lemma of qd.mul.1")}}),
              ElementsAre("dw: there is no theorem qd.mul.1"));
}

TEST(Theorems, LinesHaveAtMost120Characters) {
  std::string line;
  for (int i = 0; i < 120; ++i) line += "ω";
  EXPECT_THAT(offences_of_pages({{"dw", line + "\n"}}), IsEmpty());
  EXPECT_THAT(offences_of_pages({{"dw", line + "ω\n"}}), ElementsAre("dw: line 1 has more than 120 characters"));
}

TEST(Theorems, LinesHaveNoControlCharacters) {
  EXPECT_THAT(offences_of_pages({{"dw", "a\x01 b\n"}}), ElementsAre("dw: line 1 has a control character"));
}

TEST(Theorems, AClaimCitesATheoremOfAPage) {
  Program broken = program;
  broken.claims.push_back({"dw.mul1/error", "dw.mul1.1"});
  broken.claims.push_back({"dw.mul2/error", ""});
  EXPECT_THAT(offences_of_program(small, broken),
              ElementsAre("dw.mul2/error cites no theorem", "dw.mul1/error cites dw.mul1.1, which no page has"));
}

TEST(Theorems, ATheoremIsUsed) {
  const Pages pages{{"dw", entry("dw.sqrt.1", "claim dw.sqrt*/error") + entry("dw.mul1.1", "ctest gone")}};
  EXPECT_THAT(offences_of_program(pages, program),
              ElementsAre("dw.mul1.1 names the ctest gone, which is none", "dw.mul1.1 is used by no claim"));
}

TEST(Theorems, ChecksNameClaimsThatCiteTheTheorem) {
  Program broken = program;
  broken.claims[0].name = "dw.root/error";
  broken.claims[1].name = "dw.root.p5/error";
  EXPECT_THAT(offences_of_program(small, broken),
              ElementsAre("dw.sqrt.1 names the claim dw.sqrt*/error, which does not cite it"));
}

TEST(Theorems, ACitedTheoremHasTheWordsOfItsPage) {
  Program broken = program;
  broken.theorems[0].hypotheses = "p ≥ 6";
  broken.theorems.push_back({"dw.mul.1", "p", "s", "derived"});
  EXPECT_THAT(offences_of_program(small, broken), ElementsAre("the program has other words of dw.sqrt.1 than its page",
                                                              "the program has dw.mul.1, which no page has"));
}

TEST(Theorems, ANegativeControlOnAnErrorNamesItsCeiling) {
  Program broken = program;
  broken.claims[0].refuted = true;
  broken.claims[0].ceiling = "error_absolute";
  EXPECT_THAT(offences_of_program(small, broken), IsEmpty());
  broken.claims[0].ceiling.clear();
  EXPECT_THAT(offences_of_program(small, broken),
              ElementsAre("dw.sqrt/error is to be refuted and names no claim that says how far it may err"));
}

TEST(Header, HasAnObjectForEachTheorem) {
  const std::string header = header_of_page("dw", entry("dw.sqrt.1", "ctest t"));
  EXPECT_EQ(header, R"(// Written from docs/bounds/dw.md by the build.
#pragma once

#include "errorbounds/dw.hpp"
#include "errorbounds/theorem.hpp"

namespace assay {

inline constexpr auto dw_sqrt_1 = theorem(
    {
        .id = "dw.sqrt.1",
        .hypotheses = "p ≥ 5, x a double word",
        .statement = "|z − √x| ≤ (25/8)u²·√x",
        .source = "\"derived\", by \\ hand",
        .checked_by = "ctest t",
        .attained = "not known to be attained",
    },
    sqrt_bound);

}  // namespace assay
)");
}

TEST(Header, OfTheoremsWithoutABoundIncludesNoBounds) {
  const std::string header =
      header_of_page("op", "### Theorem op.a.1\nHypotheses: h\nStatement: s\nSource: derived\nProof: q\n");
  EXPECT_THAT(header, ::testing::Not(HasSubstr("errorbounds/op.hpp")));
  EXPECT_THAT(header, HasSubstr(".source = \"derived\",\n    });"));
}

TEST(Header, ABoundIsTheNameOfAFunction) {
  for (const std::string wrong : {"sqrt_bound", "`sqrt bound`", "`f(x)`", "``", "`2u`"}) {
    std::string page = entry("dw.sqrt.1", "ctest t");
    page.replace(page.find("`sqrt_bound`"), 12, wrong);
    EXPECT_THAT(offences_of_page("dw", page),
                ElementsAre("dw: dw.sqrt.1 has a bound that is no name of a function: " + wrong));
  }
}

TEST(Header, HasTheLargestPublishedErrors) {
  const std::string bounded = with_published("2.25u² of 3u², Key2017, Table 1");
  const std::string unbounded =
      "### Theorem dw.add.3\nHypotheses: h\nStatement: s\nSource: derived\nProof: q\n\nLargest published: 1, "
      "Key2018, §3\n";
  EXPECT_THAT(header_of_published(theorems_of("dw", bounded + unbounded)),
              HasSubstr("std::array<PublishedError, 2> published_table{{\n"
                        "    {\"dw.add.3\", \"1\", \"\", -1, \"Key2018\", \"§3\"},\n"
                        "    {\"dw.sqrt.1\", \"2.25u²\", \"3u²\", 2.25 / double{3}, \"Key2017\", \"Table 1\"},\n"
                        "}};\n"));
}

/// The exit status of the program that writes headers, and its output.
std::pair<int, std::string> written(const std::string& page, const std::string& header) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(("'" ASSAY_WRITE_THEOREMS "' '" + page + "' '" + header + "' 2>&1").c_str(), "r"), pclose);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
  return {pclose(pipe.release()), text};
}

TEST(Header, IsWrittenIfItDiffersAndNotOfAPageWithOffences) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("theorems" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path page = folder / "dw.md";
  const fs::path header = folder / "dw_theorems.hpp";
  std::ofstream(page) << entry("dw.sqrt.1", "ctest t");
  EXPECT_EQ(written(page, header), std::pair(0, std::string()));
  const auto long_ago = fs::last_write_time(header) - std::chrono::hours(1);
  fs::last_write_time(header, long_ago);
  EXPECT_EQ(written(page, header).first, 0);
  EXPECT_EQ(fs::last_write_time(header), long_ago);
  std::ofstream(page) << entry("dw.sqrt.2", "ctest t");
  const auto [status, text] = written(page, header);
  EXPECT_NE(status, 0);
  EXPECT_EQ(text, "docs/bounds, page dw: dw.sqrt.2 without dw.sqrt.1\n");
  EXPECT_EQ(fs::last_write_time(header), long_ago);
  fs::remove_all(folder);
}

TEST(Header, OfLargestPublishedErrorsIsNotWrittenForAWorkWithoutAnEntry) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("published" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string header = folder / "published_table.hpp";
  const std::string bib = folder / "sources.bib";
  const std::string page = folder / "dw.md";
  std::ofstream(page) << with_published("2.25u² of 3u², Key2017, Table 1");
  std::ofstream(bib) << "@book{Key2018,\n}\n";
  const auto [status, text] = written("--published", header + "' '" + bib + "' '" + page);
  EXPECT_NE(status, 0);
  EXPECT_EQ(text,
            "docs/bounds, page dw: dw.sqrt.1 names a largest published error of Key2017, which docs/sources.bib does "
            "not have\n");
  EXPECT_FALSE(fs::exists(header));
  std::ofstream(bib) << "@book{Key2017,\n}\n";
  EXPECT_EQ(written("--published", header + "' '" + bib + "' '" + page), std::pair(0, std::string()));
  EXPECT_TRUE(fs::exists(header));
  fs::remove_all(folder);
}

TEST(Theorems, ReadsTheListOfAProgram) {
  const Program read = program_of(
      R"({"properties": [{"name": "dw.sqrt", "claims": [{"id": "error", "theorem": "dw.sqrt.1"},
          {"id": "x", "expected": "refuted", "ceiling": "error"}]}],
          "theorems": [{"id": "dw.sqrt.1", "hypotheses": "h", "statement": "s",
                          "source": "derived"}]})");
  ASSERT_EQ(read.claims.size(), 2U);
  EXPECT_EQ(read.claims[0].name, "dw.sqrt/error");
  EXPECT_EQ(read.claims[0].theorem, "dw.sqrt.1");
  EXPECT_EQ(read.claims[1].theorem, "");
  EXPECT_FALSE(read.claims[0].refuted);
  EXPECT_TRUE(read.claims[1].refuted);
  EXPECT_EQ(read.claims[1].ceiling, "error");
  ASSERT_EQ(read.theorems.size(), 1U);
  EXPECT_EQ(read.theorems[0].statement, "s");
  EXPECT_EQ(read.theorems[0].source, "derived");
  EXPECT_THROW(program_of("no JSON"), std::runtime_error);
}

TEST(Theorems, PatternsHaveStars) {
  EXPECT_TRUE(matches_pattern("dw.*/error", "dw.sqrt.p5/error"));
  EXPECT_TRUE(matches_pattern("*/same_bits", "op.add/same_bits"));
  EXPECT_TRUE(matches_pattern("dw.sqrt/error", "dw.sqrt/error"));
  EXPECT_FALSE(matches_pattern("dw.sqrt*/error", "dw.sqrt/errors"));
  EXPECT_FALSE(matches_pattern("dw.mul*", "eft.mul"));
}

}  // namespace
}  // namespace assay::theorems
