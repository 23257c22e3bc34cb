// Runs by the ranks of an MPI job, on this machine. Without mpirun, or in a build without MPI, there is nothing to
// test.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "assay/process/process.hpp"
#include "tests/assay/program.hpp"
#include "tests/tier.hpp"

namespace assay::testing_program {
namespace {

/// The shell's words that start the program as this many ranks. Open MPI refuses root without the variables, and more
/// ranks than cores without the option.
std::string ranks(int count, const std::string& program = beside("assay-hostile")) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 exec mpirun --oversubscribe -n " +
         std::to_string(count) + " " + program + " ";
}

class Job : public ProgramTest {
 protected:
  void SetUp() override {
    if (shell("command -v mpirun").code != 0) GTEST_SKIP() << "no mpirun here";
    const Ended alone = checked("hostile.benign --mpi", "alone");
    if (alone.err.find("no MPI") != std::string::npos) GTEST_SKIP() << alone.err;
  }

  /// A check by this many ranks.
  Ended by_ranks(int count, const std::string& rest, const std::string& out) const {
    return shell("(" + ranks(count) + check(rest + " --mpi", folder_, out) + ")");
  }
};

TEST(JobWithoutMpi, IsRefusedInOneLine) {
  EXPECT_THAT(shell(beside("assay-hostile-without-mpi") + " check hostile.benign --mpi"),
              Ends(2, Err(::testing::MatchesRegex("assay: --mpi: this build has no MPI;[^\n]*\n"))));
}

TEST(JobWithoutMpi, IsRefusedInOneLineWhereItsLibraryIsGone) {
  EXPECT_THAT(shell(beside("assay-hostile-lost-mpi") + " check hostile.benign --mpi"),
              Ends(2, Err(::testing::MatchesRegex("assay: --mpi: [^\n]*libassay_mpi.so: cannot open [^\n]*\n"))));
}

TEST_F(Job, TheSummaryIsThatOfOneMachineForAnyNumberOfRanks) {
  const std::string what = "hostile.benign hostile.control --cases 9000";
  checked(what, "plain");
  for (const int count : {1, 2, 4, 7}) {
    const std::string out = std::to_string(count);
    EXPECT_THAT(by_ranks(count, what, out), Ends(0)) << count;
    EXPECT_EQ(summary(folder_, out), summary(folder_, "plain")) << count;
  }
}

TEST_F(Job, EndsWithTheExitCodeOfThePlainRun) {
  const std::string what = "hostile.always_crash hostile.wrong --cases 3000";
  EXPECT_THAT(checked(what, "plain"), Ends(1));
  const Ended job = by_ranks(3, what, "job");
  EXPECT_THAT(job, Ends(1, Out(HasSubstr("8 such cases; the remaining cases were not run"))));
  EXPECT_EQ(summary(folder_, "job"), summary(folder_, "plain"));
}

TEST_F(Job, AMistakeOfTheCommandLineIsExit2) {
  EXPECT_THAT(by_ranks(2, "hostile.benig", "run"), Ends(2, Err(HasSubstr("hostile.benig"))));
  EXPECT_THAT(run("check hostile.benign --mpi --isolate none"),
              Ends(2, Err(HasSubstr("accepted are --isolate worker, --isolate property and --isolate case"))));
}

TEST_F(Job, AHuntFindsTheSameWithOtherRanks) {
  const std::string what = "hunt hostile.benign --evaluations 6000 --on host --progress none --json --out ";
  const Ended plain = run(what + in("plain"));
  const Ended job = shell("(" + ranks(3) + what + in("job") + " --mpi)");
  const auto without_seconds = [](const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\"seconds\"") == std::string::npos && line.find("\"checksum\"") == std::string::npos) {
        kept += line + "\n";
      }
    }
    return kept;
  };
  EXPECT_THAT(job, Ends(0));
  EXPECT_EQ(without_seconds(job.out), without_seconds(plain.out));
}

TEST_F(Job, ARankWithOtherBitsIsFound) {
  const std::string arguments = check("hostile.last_bit --mpi", folder_);
  const std::string two_machines = "sh " + file_with("rank.sh",
                                                     "test $OMPI_COMM_WORLD_RANK = 0 || "
                                                     "export HOSTILE_MACHINE=errs; exec \"$@\"\n");
  const Ended job = shell("(" + ranks(2, two_machines + " " + beside("assay-hostile")) + arguments + ")");
  const char* const line =
      "hostile.last_bit on host: the bits of cases [0-9]+ to [0-9]+ differ: rank [01] has [^\n]*"
      ", rank [01] has ";
  EXPECT_THAT(job, Ends(3, Err(ContainsRegex(line))));
  EXPECT_THAT(checked("hostile.last_bit --resume"), Ends(3, Err(ContainsRegex(line)))) << "the journal keeps it";
}

/// The process ids of this many ranks, once mpirun has started them; fewer if it does not within a minute.
std::vector<pid_t> ranks_of(pid_t mpirun, std::size_t count) {
  std::vector<pid_t> all;
  for (int i = 0; i < 6000 && all.size() < count; ++i) {
    ::usleep(10000);
    all.clear();
    std::ifstream file("/proc/" + std::to_string(mpirun) + "/task/" + std::to_string(mpirun) + "/children");
    for (pid_t each = 0; file >> each;) all.push_back(each);
  }
  return all;
}

TEST_F(Job, ARankIsKilledAtRandomMomentsAndNothingFinishedIsLost) {
  const std::string what = "hostile.benign hostile.control --cases 1500000";
  checked(what, "plain");
  const int kills = test::of_tier(1, 10);
  std::mt19937 random(16);
  int lost = 0;
  std::ptrdiff_t kept = 0;
  for (int i = 0; i < kills; ++i) {
    process::Command command{"/bin/sh",
                             {"sh", "-c", ranks(3) + check(what + " --mpi" + (i == 0 ? "" : " --resume"), folder_)},
                             {{process::nowhere, STDOUT_FILENO}, {process::nowhere, STDERR_FILENO}}};
    process::Child mpirun(command);
    const std::vector<pid_t> all = ranks_of(mpirun.id(), 3);
    ASSERT_EQ(all.size(), 3U);
    ::usleep(static_cast<useconds_t>(200 + random() % 700) * 1000);
    ::kill(all[random() % all.size()], SIGKILL);
    lost += process::exit_code_of(mpirun.wait()) == 128 + SIGKILL ? 1 : 0;
    const std::string journal = content(folder_ / "run" / "journal.jsonl");
    const auto lines = std::ranges::count(journal, '\n');
    EXPECT_GE(lines, kept) << "the journal of the run before goes on";
    kept = lines;
  }
  EXPECT_GT(lost, 0);
  EXPECT_THAT(by_ranks(2, what + " --resume", "run"), Ends(0));
  EXPECT_EQ(summary(folder_), summary(folder_, "plain"));
}

}  // namespace
}  // namespace assay::testing_program
