#include "assay/campaign/match.hpp"

#include <gmock/gmock.h>

#include "assay/report/exit_codes.hpp"

namespace assay::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PropertyInfo accurate_add() {
  PropertyInfo info;
  info.name = "dw.accurate_add";
  info.claims = {{"error", "", "", "", false}, {"normalised", "", "", "", false}};
  return info;
}

std::vector<bool> select(const std::string& pattern) {
  const std::vector<std::string> patterns{pattern};
  return selected_claims(accurate_add(), patterns);
}

TEST(SelectedClaims, APropertyPatternSelectsEveryClaim) { EXPECT_THAT(select("dw.*"), ElementsAre(true, true)); }
TEST(SelectedClaims, AClaimPatternSelectsSome) { EXPECT_THAT(select("*/err*"), ElementsAre(true, false)); }
TEST(SelectedClaims, AnotherFamilySelectsNothing) { EXPECT_THAT(select("sum.*"), IsEmpty()); }

TEST(Nearest, OffersTheClosestFirst) {
  const std::vector<std::string> names{"dw.sloppy_add", "dw.accurate_add", "dw.accurate_mul", "op.sqrt"};
  EXPECT_THAT(nearest("dw.acurate_add", names), ElementsAre("dw.accurate_add", "dw.accurate_mul", "dw.sloppy_add"));
}
TEST(Nearest, OffersNothingForANameFarFromAll) {
  const std::vector<std::string> names{"dw.sloppy_add"};
  EXPECT_THAT(nearest("xyz", names), IsEmpty());
}

TEST(ParseDuration, ReadsUnits) {
  EXPECT_EQ(parse_duration("250ms")->count(), 250);
  EXPECT_EQ(parse_duration("10")->count(), 10'000);
  EXPECT_EQ(parse_duration("30m")->count(), 1'800'000);
}
TEST(ParseDuration, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "0s", "-1s", "1.5s", "3 weeks", "s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(ParseBytes, ReadsPowersOf1024) {
  EXPECT_EQ(parse_bytes("64K"), 65536U);
  EXPECT_EQ(parse_bytes("2GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1000"), 1000U);
}
TEST(ParseBytes, RefusesOverflowAndOtherUnits) {
  EXPECT_FALSE(parse_bytes("99999999999T"));
  EXPECT_FALSE(parse_bytes("3X"));
}

TEST(ParseShard, ReadsAnIndexBelowItsCount) {
  const std::optional<Shard> shard = parse_shard("2/3");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->index, 2U);
  EXPECT_EQ(shard->count, 3U);
}
TEST(ParseShard, RefusesAnIndexBeyond) {
  for (const char* text : {"3/2", "3/3", "0/0", "1", "/", "1/2/3", "-1/2"}) {
    EXPECT_FALSE(parse_shard(text)) << text;
  }
}

TEST(Graver, FollowsTheOrderOfTheContract) {
  int code = report::exit_holds;
  for (const int each : {77, 3, 5, 4, 1, 143, 130}) {
    code = report::graver(code, each);
    EXPECT_EQ(code, each);
  }
}

}  // namespace
}  // namespace assay::campaign
