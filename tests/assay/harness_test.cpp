// A framework with a mistake must not end with success.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::HasSubstr;

/// assay-hostile with the mistake of that name (app.cmake), in the folder of this test.
Ended run_with_mistake(const std::string& mistake, const std::string& arguments) {
  return shell("env -u ASSAY_CORPUS " + beside("assay-hostile-" + mistake) + " " + arguments);
}

TEST(Harness, ACampaignThatJudgesFewerCasesThanItWasToIsTrouble) {
  const Folder folder;
  const Ended ended = run_with_mistake("fewer", check("hostile.benign --cases 1000", folder));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("hostile.benign on host: the run has 990 cases of the 1000 that were requested"));
}

TEST(Harness, AReportOfARunWithFewerCasesThanItWasToHaveIsTrouble) {
  const Folder folder;
  run_with_mistake("fewer", check("hostile.benign --cases 1000", folder));
  const Ended ended = run("report " + (folder / "run").string());
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("the run has 990 cases of the 1000 that were requested"));
}

TEST(Harness, ARunThatJudgesEveryCaseOfItsShareIsNoTrouble) {
  const Folder folder;
  EXPECT_EQ(run(check("hostile.benign --cases 1001 --shard 0/4", folder, "a")).code, 0);
  EXPECT_EQ(run(check("hostile.benign --cases 1001 --shard 1/4", folder, "b")).code, 0);
}

TEST(Harness, AReportOfARunWithADamagedRunFileNamesTheFile) {
  const Folder folder;
  for (const std::string damage : {"{", "{}", "[]", R"({"shard": 1})", R"({"shard": "4/4"})"}) {
    run(check("hostile.benign --cases 10 --overwrite", folder));
    const std::filesystem::path file = folder / "run" / "run.json";
    std::ofstream(file) << damage;
    const Ended ended = run("report " + (folder / "run").string());
    EXPECT_EQ(ended.code, 5) << damage;
    EXPECT_THAT(ended.err, HasSubstr(file.string() + ": "));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

TEST(Harness, ACheckWithAFailingSelfTestIsTrouble) {
  const Folder folder;
  const Ended ended = run_with_mistake("unsound", check("hostile.benign", folder));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("self-test: oracle: "));
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / "summary.json"));
}

TEST(Harness, ADisagreementBetweenTheTwoPathsOfTheOracleIsTrouble) {
  const Folder folder;
  for (const std::string isolation : {"", " --isolate none"}) {
    const Ended ended =
        run_with_mistake("astray", check("hostile.benign --cases 1000 --overwrite" + isolation, folder));
    EXPECT_EQ(ended.code, 3);
    EXPECT_THAT(ended.err, ContainsRegex("\nassay: hostile.benign, case [0-9]+, claim error: of the oracle the paths "
                                         "disagree on whether an error is within its bound, of [0-9.e]+: no by "
                                         "fractions\n$"));
    EXPECT_FALSE(std::filesystem::exists(folder / "run" / "summary.json"));
  }
}

TEST(Harness, OneCaseOfAThousandIsJudgedByBothPathsOfTheOracle) {
  const Folder folder;
  const Ended ended = run_with_mistake("astray", check("hostile.benign --cases 1000", folder));
  const std::size_t at = ended.err.find("case ") + 5;
  const std::string number = ended.err.substr(at, ended.err.find(',', at) - at);
  EXPECT_EQ(run_with_mistake("astray", check("hostile.benign --overwrite --cases " + number, folder)).code, 0);
  EXPECT_EQ(run_with_mistake("astray", check("hostile.benign --overwrite --cases 2000 --shard 1/2", folder)).code,
            std::stoull(number) % 2 == 1 ? 3 : 0);
}

TEST(Harness, ADoctorWhoFindsAFailingSelfTestSaysSoByTheExitCode) {
  const Ended ended = run_with_mistake("unsound", "doctor");
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.out, HasSubstr("oracle: "));
}

TEST(Harness, ASelftestThatFailsSaysSoByTheExitCode) { EXPECT_EQ(run_with_mistake("unsound", "selftest").code, 3); }

}  // namespace
}  // namespace assay::testing_program
