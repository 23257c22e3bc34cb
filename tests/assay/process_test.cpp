#include "assay/process/process.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>

namespace assay::process {
namespace {

Command shell(const std::string& line) { return {"/bin/sh", {"sh", "-c", line}}; }

TEST(RunToEnd, FeedsTheInputAndGathersTheOutput) {
  const auto finished = run_to_end(shell("cat; exit 3"), "one\ntwo\n");
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out, "one\ntwo\n");
  EXPECT_EQ(finished->code, 3);
}

TEST(RunToEnd, GivesTheProgramNothingButItsEnvironment) {
  Command command = shell("echo $WORD; env | grep -c ^HOME=");
  command.environment = {"WORD=here"};
  const auto finished = run_to_end(command);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out, "here\n0\n");
}

TEST(RunToEnd, IsNothingWhereTheProgramIsMissing) { EXPECT_FALSE(run_to_end({"/nonexistent/program", {"program"}})); }

TEST(Child, HasTheDescriptorsUnderTheirNumbersEvenWhereTheyCross) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor reading(ends[0]);
  const Descriptor writing(ends[1]);
  Command command = shell("echo through >&8");
  command.descriptors = {{writing.number(), 8}, {reading.number(), 9}, {nowhere, STDOUT_FILENO}};
  EXPECT_EQ(Child(command).wait(), 0);
  std::array<char, 16> bytes{};
  EXPECT_EQ(::read(reading.number(), bytes.data(), bytes.size()), 8);
  EXPECT_STREQ(bytes.data(), "through\n");
}

TEST(Child, IsKilledWhereItIgnoresTheRequestToEnd) {
  Child child(shell("trap '' TERM; while :; do sleep 0.1; done"));
  EXPECT_FALSE(child.wait(std::chrono::milliseconds(200)));
  EXPECT_EQ(exit_code_of(child.end()), 128 + SIGKILL);
}

TEST(Child, ThatCannotBeStartedSaysWhy) {
  try {
    const Child child({"/nonexistent/program", {"program"}});
    FAIL() << "started";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/program could not be started: No such file or directory");
  }
}

TEST(Lines, AreReadOneByOneUntilTheOtherSideCloses) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  Lines ours{Descriptor(ends[0])};
  Descriptor other(ends[1]);
  std::string line;
  EXPECT_EQ(ours.receive(line, std::chrono::milliseconds(0)), Lines::Got::nothing);
  ASSERT_TRUE(send_all(other.number(), "a\nb"));
  EXPECT_EQ(ours.receive(line), Lines::Got::line);
  EXPECT_EQ(line, "a");
  EXPECT_EQ(ours.receive(line, std::chrono::milliseconds(0)), Lines::Got::nothing);
  ASSERT_TRUE(send_all(other.number(), "c\n"));
  other.close();
  EXPECT_EQ(ours.receive(line), Lines::Got::line);
  EXPECT_EQ(line, "bc");
  EXPECT_EQ(ours.receive(line), Lines::Got::closed);
  EXPECT_FALSE(ours.send("too late\n"));
}

}  // namespace
}  // namespace assay::process
