#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

class Hunt : public ProgramTest {
 protected:
  Ended hunted(const std::string& rest, const std::string& out = "run") const {
    return run("hunt " + rest + " --on host --out " + in(out));
  }
  std::string rows(const std::string& out = "run") const { return content(folder_ / out / "hunt.json"); }
};

TEST_F(Hunt, NamesTheLargestRatioAndItsCase) {
  const Ended ended = hunted("hostile.benign --evaluations 20000");
  EXPECT_THAT(ended, Ends(0, Out(ContainsRegex("hostile.benign/error on host: 1  20[0-9]+ cases, .*/cases/.*json"))));
}

TEST_F(Hunt, PrintsOneDocumentThatItKeeps) {
  const Ended ended = hunted("hostile.benign --evaluations 4000 --json");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, rows());
  const nlohmann::json row = nlohmann::json::parse(ended.out).at("rows").at(0);
  EXPECT_EQ(row.at("property"), "hostile.benign");
  EXPECT_EQ(row.at("claim"), "error");
  EXPECT_EQ(row.at("term"), "");
  EXPECT_EQ(row.at("executor"), "host");
  EXPECT_TRUE(row.at("ratio").is_string());
  EXPECT_GE(row.at("evaluations").get<int>(), 4000);
  EXPECT_EQ(row.at("case").at("property"), "hostile.benign");
  EXPECT_TRUE(row.at("case").at("date").is_string());
}

TEST_F(Hunt, JobsAndIsolationChangeNothingButTheTime) {
  const std::string what = "hostile.benign --evaluations 8000 ";
  hunted(what + "--jobs 1", "one");
  hunted(what + "--jobs 2", "two");
  hunted(what + "--isolate none", "none");
  const auto timeless = [&](const std::string& out) {
    return std::regex_replace(rows(out), std::regex("\"(seconds|checksum)\": [-0-9a-f.\"]+"), "");
  };
  EXPECT_THAT(timeless("one"), HasSubstr("\"ratio\""));
  EXPECT_EQ(timeless("one"), timeless("two"));
  EXPECT_EQ(timeless("one"), timeless("none"));
}

TEST_F(Hunt, AViolationIsShrunkAndReplays) {
  const Ended ended = hunted("hostile.wrong --evaluations 2000");
  EXPECT_THAT(ended, Ends(1, Out(HasSubstr("VIOLATED"))));
  EXPECT_EQ(replay_of({1, ended.err, ""}).code, 1);
}

TEST_F(Hunt, LeavesControlsOutUnlessTheyAreNamed) {
  EXPECT_THAT(hunted("hostile.control --evaluations 2000"), Ends(77, Err(HasSubstr("nothing to hunt for"))));
  EXPECT_THAT(hunted("hostile.control/error --evaluations 2000"), Ends(0, Out(HasSubstr("refuted as expected"))));
}

TEST_F(Hunt, ASubjectThatCrashesEndsTheRow) {
  EXPECT_THAT(hunted("hostile.always_crash --evaluations 2000"),
              Ends(4, Err(ContainsRegex("hostile.always_crash/error on host: crashed: ")), Out(IsEmpty())));
}

TEST_F(Hunt, CasesThatNobodyCanJudgeAreTold) {
  EXPECT_THAT(hunted("hostile.undecided --evaluations 2000"),
              Ends(3, Err(ContainsRegex("hostile.undecided/error on host: 2[0-9]+ of 2[0-9]+ cases are undecided; the "
                                        "first one: .*/cases/.*json"))));
}

TEST_F(Hunt, AClaimWithoutErrorsIsToldWhereItWasAskedFor) {
  EXPECT_THAT(
      hunted("hostile.vacuous --evaluations 2000"),
      Ends(0,
           Err(HasSubstr("hostile.vacuous/error on host: no case within the preconditions of the claim has an error")),
           Out(IsEmpty())));
}

TEST_F(Hunt, AResumedHuntRemembersItsViolations) {
  EXPECT_EQ(hunted("hostile.wrong --evaluations 2000").code, 1);
  EXPECT_EQ(hunted("hostile.wrong --evaluations 2000 --resume").code, 1);
}

TEST_F(Hunt, AResumedHuntKeepsItsRows) {
  hunted("hostile.benign --evaluations 2000");
  const std::string before = rows();
  EXPECT_THAT(hunted("hostile.benign hostile.locale --evaluations 2000 --resume"),
              Ends(0, Out(Not(HasSubstr("hostile.benign")))));
  EXPECT_THAT(rows(), HasSubstr("hostile.locale"));
  EXPECT_THAT(rows(), HasSubstr(before.substr(before.find("\"property\""), 200)));
}

TEST_F(Hunt, RefusesToResumeAHuntWithAnotherSeed) {
  hunted("hostile.benign --evaluations 2000");
  EXPECT_THAT(hunted("hostile.benign --evaluations 2000 --seed 2 --resume"),
              Ends(2, Err(HasSubstr("has another seed or another start"))));
}

TEST_F(Hunt, AFlippedByteInItsDocumentIsDamage) {
  hunted("hostile.benign --evaluations 2000");
  std::string bytes = rows();
  bytes.replace(bytes.find("\"evaluations\": 2"), 16, "\"evaluations\": 3");
  file_with("run/hunt.json", bytes);
  EXPECT_THAT(hunted("hostile.benign --evaluations 2000 --resume"), Ends(5, Err(HasSubstr("checksum"))));
}

TEST_F(Hunt, ADocumentOfAnotherHuntIsReplacedOnlyWhereThatIsAsked) {
  hunted("hostile.benign --evaluations 2000");
  const std::string before = rows();
  EXPECT_THAT(
      hunted("hostile.locale --evaluations 2000"),
      Ends(2, Err(HasSubstr("hunt.json holds the results of another run: --resume continues it, --overwrite"))));
  EXPECT_EQ(rows(), before);
  EXPECT_EQ(hunted("hostile.locale --evaluations 2000 --overwrite").code, 0);
  EXPECT_THAT(rows(), Not(HasSubstr("hostile.benign")));
}

TEST_F(Hunt, AnotherBuildDoesNotResumeIt) {
  hunted("hostile.benign --evaluations 2000");
  const std::string before = rows();
  EXPECT_THAT(rebuilt("hunt hostile.benign --evaluations 2000 --resume --on host --out " + in("run")),
              Ends(2, Err(ContainsRegex("build assay-hostile: \"[0-9a-f]+\" there, \"[0-9a-f]+\" here"))));
  EXPECT_EQ(rows(), before);
}

TEST_F(Hunt, ADamagedDocumentIsNotContinued) {
  file_with("hunt.json", "{\"schema\": 1");
  EXPECT_THAT(run("hunt hostile.benign --evaluations 2000 --on host --resume --out " + folder_.path().string()),
              Ends(5, Err(HasSubstr("hunt.json: "))));
}

TEST_F(Hunt, TakesATimeOrANumberOfEvaluations) {
  EXPECT_EQ(hunted("hostile.benign --time 1s --evaluations 10").code, 2);
  EXPECT_EQ(hunted("hostile.benign --evaluations 0").code, 2);
  EXPECT_EQ(hunted("hostile.benign --start nowhere").code, 2);
  EXPECT_EQ(hunted("hostile.benign --time 200ms").code, 0);
}

TEST_F(Hunt, AProbeClimbsWhereItIsAsked) {
  EXPECT_THAT(hunted("hostile.probed --judge device --evaluations 6400"),
              Ends(0, Out(ContainsRegex("hostile.probed/error on host: (1|0.9[0-9]+)  66[0-9]+ cases"))));
}

TEST_F(Hunt, OfWhatAProbeFindsTheJudgeSaysHowHighItIs) {
  const Ended ended = hunted("hostile.probe_lies --judge device --evaluations 640 --json");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string ratio = nlohmann::json::parse(ended.out).at("rows").at(0).at("ratio").get<std::string>();
  EXPECT_GT(std::stod(ratio), 0.9);  // the probe states half of the error
}

TEST_F(Hunt, AViolationThatAProbeFindsIsShrunk) {
  EXPECT_THAT(hunted("hostile.probed_wrong --judge device --evaluations 640"), Ends(1, Out(HasSubstr("VIOLATED"))));
}

}  // namespace
}  // namespace assay::testing_program
