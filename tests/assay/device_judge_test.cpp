#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

class DeviceJudge : public ProgramTest {
 protected:
  Ended judged(const std::string& rest, const std::string& out = "run") const {
    return run("check " + rest + " --judge device --on host --out " + in(out));
  }
  std::string rows(const std::string& out = "run") const { return content(folder_ / out / "probes.json"); }
  /// The document without the members that depend on the time.
  std::string timeless(const std::string& out = "run") const {
    return std::regex_replace(rows(out), std::regex("\"(seconds|checksum)\": [-0-9a-f.\"]+"), "");
  }
};

TEST_F(DeviceJudge, CountsApartWhatTheProbeAndTheOracleJudged) {
  const Ended ended = judged("hostile.probed --cases 6400");
  EXPECT_THAT(ended, Ends(0, Out(HasSubstr("hostile.probed/error on host: device-judged 6400, oracle-judged 200, "
                                           "violated 0, undecided 0, largest 1 in few"))));
  const nlohmann::json row = nlohmann::json::parse(rows()).at("rows").at(0);
  EXPECT_EQ(row.at("tally").at("device_judged"), 6400);
  EXPECT_EQ(row.at("classes").at(1).at("done"), 75);
}

TEST_F(DeviceJudge, AListIsJudgedOnce) {
  EXPECT_EQ(judged("hostile.listed --cases 6400").code, 0);
  const nlohmann::json row = nlohmann::json::parse(rows()).at("rows").at(0);
  EXPECT_EQ(row.at("classes").at(0).at("done"), 2);
  EXPECT_EQ(row.at("tally").at("device_judged"), 100 + 75 * 64);
}

TEST_F(DeviceJudge, JobsIsolationAndShardsChangeNoCase) {
  const std::string what = "hostile.probed --cases 12800 ";
  judged(what + "--jobs 1", "one");
  judged(what + "--jobs 2", "two");
  judged(what + "--isolate none", "none");
  EXPECT_EQ(timeless("one"), timeless("two"));
  EXPECT_EQ(timeless("one"), timeless("none"));
  judged(what + "--shard 0/3", "a");
  judged(what + "--shard 1/3", "b");
  judged(what + "--shard 2/3", "c");
  const auto tally = [&](const std::string& out) {
    return nlohmann::json::parse(rows(out)).at("rows").at(0).at("tally");
  };
  double largest = 0;
  std::uint64_t all = 0;
  for (const char* shard : {"a", "b", "c"}) {
    all += tally(shard).at("device_judged").get<std::uint64_t>();
    largest = std::max(largest, tally(shard).at("largest").get<double>());
  }
  EXPECT_EQ(all, tally("one").at("device_judged").get<std::uint64_t>());
  EXPECT_EQ(largest, tally("one").at("largest").get<double>());
}

TEST_F(DeviceJudge, TheOracleFindsTheViolationsAndTheyReplay) {
  const Ended ended = judged("hostile.probed_wrong --cases 6400");
  EXPECT_THAT(ended, Ends(1, Out(HasSubstr("hostile.probed_wrong/error on host: device-judged "))));
  EXPECT_EQ(replay_of(ended).code, 1);
}

TEST_F(DeviceJudge, AProbeThatSaysTooLittleIsTrouble) {
  EXPECT_THAT(judged("hostile.probe_lies --cases 6400"),
              Ends(3, Err(ContainsRegex("the probe and the oracle disagree in [0-9]+ cases"))));
}

TEST_F(DeviceJudge, AResumedRunJudgesNothingTwice) {
  judged("hostile.probed --cases 6400");
  const std::string before = timeless();
  EXPECT_EQ(judged("hostile.probed --cases 6400 --resume").code, 0);
  EXPECT_EQ(timeless(), before);
  EXPECT_THAT(judged("hostile.probed --cases 128000 --resume"),
              Ends(2, Err(HasSubstr("another seed, number of cases"))));
}

TEST_F(DeviceJudge, WhatAnotherRunFoundIsReplacedOnlyWhereThatIsAsked) {
  judged("hostile.probed --cases 6400");
  const std::string before = rows();
  EXPECT_THAT(
      judged("hostile.probed --cases 12800"),
      Ends(2, Err(HasSubstr("probes.json holds the results of another run: --resume continues it, --overwrite"))));
  EXPECT_EQ(rows(), before);
  EXPECT_EQ(judged("hostile.probed --cases 12800 --overwrite").code, 0);
  EXPECT_NE(rows(), before);
}

TEST_F(DeviceJudge, AnotherBuildDoesNotResumeIt) {
  judged("hostile.probed --cases 6400");
  EXPECT_THAT(rebuilt("check hostile.probed --cases 6400 --judge device --resume --on host --out " + in("run")),
              Ends(2, Err(ContainsRegex("build assay-hostile: \"[0-9a-f]+\" there, \"[0-9a-f]+\" here"))));
}

TEST_F(DeviceJudge, AFlippedByteInItsDocumentIsDamage) {
  judged("hostile.probed --cases 6400");
  std::string bytes = rows();
  bytes.replace(bytes.find("\"device_judged\": 6400"), 21, "\"device_judged\": 9400");
  file_with("run/probes.json", bytes);
  EXPECT_THAT(judged("hostile.probed --cases 6400 --resume"), Ends(5, Err(HasSubstr("checksum"))));
}

TEST_F(DeviceJudge, SkipsPropertiesWithoutAProbe) {
  EXPECT_THAT(judged("hostile.benign --cases 64"), Ends(77, Err(HasSubstr("hostile.benign has no probe"))));
}

TEST_F(DeviceJudge, TheBulkTierRunsForATime) {
  EXPECT_EQ(run("check hostile.probed --tier bulk --time 300ms --on host --out " + in("run")).code, 0);
  const int judged = nlohmann::json::parse(rows()).at("rows").at(0).at("tally").at("device_judged").get<int>();
  EXPECT_GT(judged, 0);
  EXPECT_EQ(judged % 64, 0);
}

}  // namespace
}  // namespace assay::testing_program
