#include "assay/store/json.hpp"
#include "assay/store/printable.hpp"

#include "properties/framework/fnv.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

TEST(CanonicalJson, KeepsTheOrderOfKeysAndWritesShortestDoubles) {
  const Json value = {{"b", 0.1}, {"a", {1, "x\n\"", nullptr, true}}};
  EXPECT_EQ(compact(value), R"({"b":0.1,"a":[1,"x\n\"",null,true]})");
}

TEST(CanonicalJson, IsReadBackFromItsPrettyForm) {
  const Json value = property_summary_to_json(sample::property("dw.a", true, 100));
  EXPECT_EQ(pretty(parse_json(pretty(value))), pretty(value));
}

TEST(ParseJson, NamesTruncation) {
  try {
    parse_json(R"({"a": [1, 2)");
    FAIL() << "accepted";
  } catch (const JsonError& error) {
    EXPECT_STREQ(error.what(), "truncated: the JSON text ends after byte 11");
  }
}

TEST(ParseJson, RefusesAFieldThatStandsTwice) { EXPECT_THROW(parse_json(R"({"a": 1, "a": 1})"), JsonError); }

TEST(ParseJson, AcceptsOneNameInTwoObjects) { EXPECT_NO_THROW(parse_json(R"([{"a": {"a": 1}}, {"a": 1}])")); }

TEST(ParseJson, TakesTimeInProportionToTheText) {
  std::string objects = "[";
  std::string keys = "{";
  for (int i = 0; i < 100000; ++i) {
    objects += i == 0 ? "{}" : R"(,{"a":[{}]})";
    keys += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_json(objects + "]").size(), 100000U);
  EXPECT_EQ(parse_json(keys + "}").size(), 100000U);
  EXPECT_THROW(parse_json(keys + ",\"7\":0}"), JsonError);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_NO_THROW(parse_json(std::string(100, '[') + std::string(100, ']')));
  EXPECT_THROW(parse_json(std::string(101, '[')), JsonError);
}

TEST(Sealed, IsAnObjectWhoseLastMemberIsItsChecksum) {
  for (const std::string& object : {compact({{"a", 1}, {"b", "x"}}), pretty({{"a", 1}, {"b", {{"c", "x"}}}})}) {
    EXPECT_EQ(unsealed(sealed(object)), object);
    const Json value = parse_json(sealed(object));
    EXPECT_EQ(value.at("a"), 1);
    EXPECT_EQ(value.at("checksum"), hex16(fnv1a(object)));
  }
}

TEST(Sealed, NoticesEveryFlippedByteAndEveryCut) {
  for (const std::string& whole : {sealed(compact({{"a", 1}})), sealed(pretty({{"a", 1}}))}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ 1);
      EXPECT_FALSE(unsealed(flipped)) << flipped;
      EXPECT_FALSE(unsealed(whole.substr(0, i))) << i;
    }
  }
}

TEST(Fnv1a, GivesThePublishedValues) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Ratios, WriteInfinityAsAWord) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compact(ratio_to_json(infinity)), "\"inf\"");
  EXPECT_EQ(ratio_from_json(ratio_to_json(infinity)), infinity);
}

class RecordJson : public testing::TestWithParam<std::pair<std::uint64_t, const char*>> {};

TEST_P(RecordJson, KeepsEveryBitOfANumber) {
  const Words words{oracle::binary64, Words::Shape::scalar, {GetParam().first}};
  const Record record{{{"x", words}}};
  const Json value = record_to_json(record, oracle::binary64);
  EXPECT_EQ(compact(value), std::string("{\"x\":\"") + GetParam().second + "\"}");
  EXPECT_EQ(record_from_json(value, oracle::binary64), record);
}

INSTANTIATE_TEST_SUITE_P(Binary64, RecordJson,
                         testing::Values(std::pair(std::uint64_t{0}, "0x0p+0"),
                                         std::pair(std::uint64_t{1} << 63, "-0x0p+0"),
                                         std::pair(std::uint64_t{1}, "0x0.0000000000001p-1022"),
                                         std::pair(std::uint64_t{0x3ff8000000000000}, "0x1.8p+0"),
                                         std::pair(std::uint64_t{0x7ff0000000000000}, "inf"),
                                         std::pair(std::uint64_t{0xfff0000000000000}, "-inf"),
                                         std::pair(std::uint64_t{0x7ff8000000000001}, "nan:0x8000000000001"),
                                         std::pair(std::uint64_t{0xfff4000000000000}, "-nan:0x4000000000000")));

TEST(RecordJsonFields, KeepTheFormatOfAFieldThatDiffersFromTheFile) {
  const Record record{{{"x", Words{oracle::binary32, Words::Shape::list, {0x3f800000, 0x80000000}}}}};
  const Json value = record_to_json(record, oracle::binary64);
  EXPECT_EQ(compact(value), R"({"x":{"binary32":["0x1p+0","-0x0p+0"]}})");
  EXPECT_EQ(record_from_json(value, oracle::binary64), record);
}

TEST(RecordJsonFields, KeepIntegersOf64Bits) {
  const Record record{{{"n", std::numeric_limits<std::int64_t>::min()}, {"m", std::int64_t{7}}}};
  EXPECT_EQ(record_from_json(record_to_json(record, oracle::binary64), oracle::binary64), record);
}

TEST(RecordJsonFields, RefuseANumberThatIsNotExactInTheFormat) {
  EXPECT_THROW(record_from_json({{"x", "0x1.0000000000001p+0"}}, oracle::binary32), JsonError);
}

TEST(RecordJsonFields, RefuseJsonNumbers) { EXPECT_THROW(record_from_json({{"x", 1.5}}, oracle::binary64), JsonError); }

TEST(WithShapesOf, RestoresOrderAndShapesOfThePrototype) {
  const Record prototype{{{"x", Words{oracle::binary64, Words::Shape::fixed, {0, 0}}}, {"n", std::int64_t{0}}}};
  const Json by_hand = {{"n", "3"}, {"x", {"0x1p+0", "0x1p-60"}}};
  const Record record = with_shapes_of(record_from_json(by_hand, oracle::binary64), prototype);
  ASSERT_EQ(record.fields.size(), 2u);
  EXPECT_EQ(record.fields[0],
            (FieldValue{"x", Words{oracle::binary64, Words::Shape::fixed, {sample::bits(1), sample::bits(0x1p-60)}}}));
}

TEST(TallyJson, KeepsEveryCountAndBin) {
  const PropertySummary property = sample::property("dw.a", true, 100);
  EXPECT_EQ(tally_from_json(parse_json(compact(tally_to_json(property.tally)))), property.tally);
}

TEST(TallyJson, RefusesAnUnknownField) {
  Json value = tally_to_json(sample::property("dw.a", true, 10).tally);
  value["more"] = 1;
  EXPECT_THROW(tally_from_json(value), JsonError);
}

TEST(PropertySummaryJson, IsReadBackAsItWas) {
  for (const PropertySummary& property : sample::summary().properties) {
    const Json value = property_summary_to_json(property);
    EXPECT_EQ(property_summary_to_json(property_summary_from_json(parse_json(compact(value)))), value);
  }
}

TEST(Words, OfTheContractAreReadBack) {
  for (int i = 0; i <= static_cast<int>(Finding::not_run); ++i) {
    EXPECT_EQ(finding_of_word(word(static_cast<Finding>(i))), static_cast<Finding>(i));
  }
  EXPECT_EQ(word(Finding::refuted_as_expected), "refuted as expected");
  EXPECT_THROW(finding_of_word("fine"), JsonError);
}

TEST(Printable, TextSteersNoTerminal) {
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable("\x1b[2J\a\x7f"), "\uFFFD[2J\uFFFD\uFFFD");
  EXPECT_EQ(printable("\u202e\u2066\u0085"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xff\xc0\x80ü→"), "\uFFFD\uFFFD\uFFFDü→");
}

}  // namespace
}  // namespace assay::store
