#include "assay/process/wire.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace assay::process {
namespace {

TEST(Wire, CarriesRecordsBitForBit) {
  const Record record{{{"nan", Words{oracle::binary64, Words::Shape::scalar, {0xfff8000000000001U}}},
                       {"zeros", Words{oracle::binary32, Words::Shape::list, {0x80000000U, 0}}},
                       {"word", Words{{5, -20, 20}, Words::Shape::fixed, {3, 4}}},
                       {"n", std::numeric_limits<std::int64_t>::min()}}};
  EXPECT_EQ(from_wire<Record>(store::Json::parse(to_wire(record).dump())), record);
}

TEST(Wire, CarriesNumbersOfEveryLength) {
  for (int bits = 0; bits <= 64; ++bits) {
    const std::uint64_t largest = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
    const Words words{oracle::binary64, Words::Shape::list, {0, largest, 1}};
    EXPECT_EQ(from_wire<Words>(store::Json::parse(to_wire(words).dump())), words) << bits;
  }
}

TEST(Wire, CarriesRunsOfANumberInAFewCharacters) {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    Words words{oracle::binary64, Words::Shape::list, std::vector<std::uint64_t>(100000, number)};
    words.bits[0] = 7;
    words.bits[70000] = words.bits[70001] = 0x7ff0000000000000U;
    words.bits.back() = 5;
    const std::string line = line_of(to_wire(words));
    EXPECT_LT(line.size(), 200U);
    EXPECT_EQ(from_wire<Words>(document_of(line)), words) << number;
  }
}

TEST(Wire, RefusesATextThatIsNoListOfNumbers) {
  for (const char* const text : {"", "q123", "b1g", "c123", "z1", "B1", "B10000000", "B1000000g1", "A00000001"}) {
    store::Json words = to_wire(Words{oracle::binary64, Words::Shape::list, {1}});
    words[2] = text;
    EXPECT_THROW(from_wire<Words>(words), store::JsonError) << text;
  }
}

TEST(Wire, CarriesLongTextsBehindTheDocument) {
  const std::string text(100, 'x');
  const std::string quoted = text + "\"\\\t\x7f é";
  const std::string of_two_lines = text + "\n" + text;
  const store::Json sent{
      {"short", "a\tb\n"}, {"all", {text, 1, {{"deep", quoted}}, of_two_lines, text}}, {"last", quoted}};
  const std::string line = line_of(sent);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(document_of(line), sent);
  EXPECT_EQ(document_of(line.substr(0, line.size() - 1)), sent);
  EXPECT_NE(line.find("\t" + text), std::string::npos);  // and is not parsed
}

TEST(Wire, CarriesADocumentOfAnyLengthOfTexts) {
  for (std::size_t length = 0; length < 200; ++length) {
    const store::Json sent{std::string(length, 'q'), std::string(200 - length, 'r')};
    EXPECT_EQ(document_of(line_of(sent)), sent) << length;
  }
}

TEST(Wire, RefusesALineWhoseTextsAreTooShort) {
  const std::string line = line_of(store::Json{std::string(100, 'x'), std::string(80, 'y')});
  EXPECT_THROW(document_of(line.substr(0, line.size() - 2)), store::JsonError);
  EXPECT_THROW(document_of("[{\"@\":-1}]\tx"), store::JsonError);
  EXPECT_THROW(document_of("[1"), store::JsonError);
}

TEST(Wire, CarriesInfiniteRatiosAndUndecidedVerdicts) {
  CaseOutcome outcome;
  outcome.got = {oracle::binary64, Words::Shape::scalar, {1}};
  outcome.claims.resize(2);
  outcome.claims[0].judgement = Judgement::fail(3);
  outcome.claims[0].exact = "1/3";
  outcome.claims[0].judgement.further = 4;
  outcome.claims[0].ulps = -std::numeric_limits<double>::infinity();
  outcome.components = 9;
  outcome.claims[1].applies = false;
  outcome.claims[1].judgement.verdict = Verdict::undecided;
  const CaseOutcome back = from_wire<CaseOutcome>(store::Json::parse(to_wire(outcome).dump()));
  EXPECT_EQ(back.got, outcome.got);
  EXPECT_EQ(back.claims[0].judgement.tightness, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.claims[0].judgement.component, 3U);
  EXPECT_EQ(back.claims[0].exact, "1/3");
  EXPECT_EQ(back.claims[0].judgement.violations(), 5U);
  EXPECT_EQ(back.claims[0].ulps, outcome.claims[0].ulps);
  EXPECT_EQ(back.claims[1].ulps, std::nullopt);
  EXPECT_EQ(back.components, 9U);
  EXPECT_FALSE(back.claims[1].applies);
  EXPECT_EQ(back.claims[1].judgement.verdict, Verdict::undecided);
}

}  // namespace
}  // namespace assay::process
