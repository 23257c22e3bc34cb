// The progress line, in the form that a terminal shows.
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::StartsWith;

constexpr std::string_view rewrite = "\r\x1b[K";

/// Everything that a shell line writes to a terminal.
std::string written_to_terminal(const std::string& line) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t count = 0; (count = ::read(terminal, block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// The lines that stay on the screen.
std::vector<std::string> screen_of(std::string_view text) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    if (text.starts_with(rewrite)) {
      lines.back().clear();
      text.remove_prefix(rewrite.size());
      continue;
    }
    if (text[0] == '\n') lines.emplace_back();
    if (text[0] != '\n' && text[0] != '\r') lines.back() += text[0];
    text.remove_prefix(1);
  }
  return lines;
}

class ProgressLine : public ProgramTest {
 protected:
  std::string written_by_check(const std::string& what, const std::string& environment = "TERM=xterm") const {
    return written_to_terminal("env -u CI -u NO_COLOR " + environment + " " + beside("assay-hostile") + " check " +
                               what + " --on host --jobs 1 --overwrite --color never --out " + in("run"));
  }
};

TEST_F(ProgressLine, IsTakenAwayBeforeAResult) {
  const std::string text = written_by_check("hostile.benign --cases 300000");
  EXPECT_THAT(text, HasSubstr(std::string(rewrite) + "hostile.benign on host: "));
  EXPECT_THAT(screen_of(text),
              AllOf(Contains(StartsWith("hostile.benign/error")), Each(Not(HasSubstr(" of 300000 ")))));
}

TEST_F(ProgressLine, TellsOfAnEnumeration) {
  const std::string text = written_by_check("hostile.enumerated");
  EXPECT_THAT(text, ContainsRegex("hostile.enumerated on host: [0-9]+ of 1048576 cases, .*/s, .* left"));
  EXPECT_THAT(screen_of(text), Each(Not(HasSubstr(" of 1048576 "))));
}

TEST_F(ProgressLine, IsNotShownOnATerminalThatCannotRewriteALine) {
  EXPECT_THAT(written_by_check("hostile.benign --cases 300000", "TERM=dumb"),
              AllOf(HasSubstr("hostile.benign/error"), Not(HasSubstr("\x1b")), Not(HasSubstr(" of 300000 "))));
}

}  // namespace
}  // namespace assay::testing_program
