#include "assay/store/case_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

using testing::HasSubstr;

CaseFile sample_case() { return sample::case_file("dw.accurate_add", "error", 3, Why::hardest, 0.625); }

/// The message with which a text is refused; empty if it is accepted.
std::string refusal(std::string_view bytes, Strictness strictness = Strictness::by_hand) {
  try {
    parse_case("f.json", bytes, strictness);
    return "";
  } catch (const DamagedFile& error) {
    return error.what();
  }
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CaseFile, IsReadBackAsItWasWritten) {
  EXPECT_EQ(parse_case("f.json", case_bytes(sample_case()), Strictness::stored), sample_case());
}

TEST(CaseFile, KeepsTheDayOnWhichItWasFound) {
  CaseFile file = sample_case();
  const std::string id = case_id(file);
  EXPECT_THAT(case_bytes(file), testing::Not(HasSubstr("date")));
  file.date = "2026-11-24";
  EXPECT_EQ(parse_case("f.json", case_bytes(file), Strictness::stored), file);
  EXPECT_EQ(case_id(file), id);
}

TEST(CaseFile, WithADateThatIsNoDayIsRefused) {
  CaseFile file = sample_case();
  file.date = "yesterday";
  EXPECT_THAT(refusal(case_bytes(file)), HasSubstr("a text of the form ^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
}

TEST(CaseFile, KeepsAnInfiniteRatio) {
  CaseFile file = sample_case();
  file.evidence->ratio = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_case("f.json", case_bytes(file), Strictness::stored), file);
}

TEST(CaseFile, KeepsTheSignedErrorInUlps) {
  for (const double ulps : {0.0, 1.375, -3.0, -0x1.8p+70, std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()}) {
    CaseFile file = sample_case();
    file.evidence->ulps = ulps;
    EXPECT_EQ(parse_case("f.json", case_bytes(file), Strictness::stored), file) << ulps;
  }
}

TEST(CaseFile, OfAnEarlierVersionHasNoErrorInUlpsAndKeepsItsBytes) {
  CaseFile file = sample_case();
  file.evidence->ulps.reset();
  file.evidence->components = file.evidence->worst = file.evidence->bad = 0;
  const std::string bytes = case_bytes(file);
  EXPECT_THAT(bytes, testing::Not(HasSubstr("ulps")));
  EXPECT_EQ(parse_case("f.json", bytes, Strictness::stored), file);
}

TEST(CaseFile, WithAWorstComponentBeyondTheResultIsRefused) {
  CaseFile file = sample_case();
  file.evidence->worst = file.evidence->components;
  EXPECT_THAT(refusal(case_bytes(file)), HasSubstr("component that the result does not have"));
}

TEST(CaseFile, WrittenByHandNeedsOnlyPropertyFormatAndCase) {
  const CaseFile file = parse_case(
      "f.json", R"({"schema": 1, "property": "dw.times", "format": "binary64", "case": {"x": ["0x1p+0", "0x1p-54"]}})",
      Strictness::by_hand);
  EXPECT_EQ(file.inputs, (Record{{{"x", sample::numbers(Words::Shape::list, {1, 0x1p-54})}}}));
}

TEST(CaseFile, WithAnyByteFlippedIsRefusedWhereItIsStored) {
  const std::string bytes = case_bytes(sample_case());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int mask : {0x01, 0x20, 0x80, 0xff}) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ mask);
      ASSERT_NE(refusal(flipped, Strictness::stored), "") << "byte " << i << " with " << mask;
    }
  }
}

TEST(CaseFile, CutAnywhereIsRefused) {
  const std::string bytes = case_bytes(sample_case());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_NE(refusal(bytes.substr(0, length), Strictness::stored), "") << length;
  }
}

TEST(CaseFile, SaysThatItIsTruncated) {
  const std::string bytes = case_bytes(sample_case());
  EXPECT_THAT(refusal(bytes.substr(0, bytes.size() / 2)), HasSubstr("f.json: truncated"));
}

TEST(CaseFile, SaysThatItsChecksumIsWrong) {
  EXPECT_THAT(refusal(with(case_bytes(sample_case()), "0x1p+0", "0x1p+1")), HasSubstr("f.json: the checksum is"));
}

TEST(CaseFile, SaysThatItsSchemaIsUnknown) {
  EXPECT_THAT(refusal(with(case_bytes(sample_case()), "\"schema\": 1", "\"schema\": 2")),
              HasSubstr("schema 2 is unknown"));
}

TEST(CaseFile, SaysWhichFieldIsUnknown) {
  EXPECT_THAT(refusal(with(case_bytes(sample_case()), "\"why\"", "\"wy\"")), HasSubstr("unknown field \"wy\""));
}

TEST(CaseFile, NeedsAChecksumWhereItIsStored) {
  EXPECT_THAT(refusal(R"({"schema": 1, "property": "a.b", "format": "binary64", "case": {}})", Strictness::stored),
              HasSubstr("no checksum"));
}

TEST(CaseId, DependsOnInputsAndPropertyAlone) {
  CaseFile other = sample_case();
  other.claim = "normalised";
  other.evidence.reset();
  EXPECT_EQ(case_id(other), case_id(sample_case()));
  other.property = "dw.sloppy_add";
  EXPECT_NE(case_id(other), case_id(sample_case()));
}

TEST(CaseId, TellsMinusZeroFromZero) {
  CaseFile plus = sample_case();
  CaseFile minus = sample_case();
  plus.inputs = {{{"x", sample::numbers(Words::Shape::scalar, {0.0})}}};
  minus.inputs = {{{"x", sample::numbers(Words::Shape::scalar, {-0.0})}}};
  EXPECT_NE(case_id(plus), case_id(minus));
}

TEST(WriteFileAtomically, ReplacesTheOldContentAndLeavesNoTemporary) {
  const test::Folder folder;
  write_file_atomically(folder.path() / "deep" / "f", "old");
  write_file_atomically(folder.path() / "deep" / "f", "new");
  EXPECT_EQ(read_file(folder.path() / "deep" / "f"), "new");
  EXPECT_EQ(folder.count("deep"), 1u);
}

TEST(WriteFileAtomically, NamesThePathWhereAFolderIsInTheWay) {
  const test::Folder folder;
  std::filesystem::create_directories(folder.path() / "f" / "g");
  try {
    write_file_atomically(folder.path() / "f", "x");
    FAIL() << "written";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr((folder.path() / "f").string()));
  }
  EXPECT_EQ(folder.count("."), 1u);
}

TEST(Describe, ShowsHexadecimalBitPatternAndDecimal) {
  EXPECT_EQ(describe({{{"x", sample::numbers(Words::Shape::scalar, {-1.5})}, {"n", std::int64_t{4}}}}),
            "  x = -0x1.8p+0  [0xbff8000000000000]  # -1.5e0\n  n = 4\n");
}

TEST(Describe, ShowsTheEndsOfALongList) {
  const std::string text = describe({{{"x", sample::numbers(Words::Shape::list, std::vector<double>(1000, 2.0))}}});
  EXPECT_THAT(text, HasSubstr("x: 1000 numbers"));
  EXPECT_THAT(text, HasSubstr("x[4] = "));
  EXPECT_THAT(text, HasSubstr("x[995] = "));
  EXPECT_THAT(text, testing::Not(HasSubstr("x[5] = ")));
}

}  // namespace
}  // namespace assay::store
