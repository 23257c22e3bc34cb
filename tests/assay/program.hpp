#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <ostream>
#include <string>

#include "tests/assay/folder.hpp"

namespace assay::testing_program {

using test::Folder;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// How a program ended.
struct Ended {
  int code = 0;     ///< its exit code; 128 + signal
  std::string out;  ///< standard output
  std::string err;  ///< standard error
  friend std::ostream& operator<<(std::ostream& to, const Ended& ended) {
    return to << "exit code " << ended.code << ", standard output:\n" << ended.out << "standard error:\n" << ended.err;
  }
};

/// A program that ended with this exit code and keeps the other matchers, of Out() and Err().
template <class... Others>
auto Ends(int code, const Others&... others) {
  return ::testing::AllOf(::testing::Field("code", &Ended::code, code), others...);
}
/// Standard output, or standard error, depending on `what`.
template <class What>
auto Out(const What& what) {
  return ::testing::Field("out", &Ended::out, what);
}
template <class What>
auto Err(const What& what) {
  return ::testing::Field("err", &Ended::err, what);
}

/// The path of a file in this test program's folder.
std::string beside(const std::string& name);

/// Runs a shell line in a separate folder. Standard error is that of the last command.
Ended shell(const std::string& line);

/// The shell line `environment program arguments`, where the program is assay-hostile in the folder of this test.
Ended run(const std::string& arguments, const std::string& environment = "");

/// Starts the program, and sends it each signal after the given number of milliseconds more. Returns its exit code: 128
/// plus the signal if that ended it.
int run_and_kill(const std::string& arguments, int milliseconds, std::initializer_list<int> signals);

/// The arguments of a check on the host whose reports go to `out` in the folder.
std::string check(const std::string& rest, const Folder& folder, const std::string& out = "run");

/// The last line with a replay of a case in a text, from the program on; empty if there is none.
std::string replay_line_in(const std::string& text);

/// Runs the last line with a replay that a check printed.
Ended replay_of(const Ended& checked);

/// The summary that a check wrote.
std::string summary(const Folder& folder, const std::string& out = "run");

std::string content(const std::filesystem::path& path);

/// Tests of the program, each with a folder of its own.
class ProgramTest : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  /// A check on the host into `out` in the folder.
  Ended checked(const std::string& rest, const std::string& out = "run", const std::string& environment = "") const {
    return run(check(rest, folder_, out), environment);
  }
  /// Another build of the program, under the same name.
  Ended rebuilt(const std::string& arguments) const;
  /// The report that merges three shards of a check into "merged.json".
  Ended merged_from_three_shards(const std::string& rest) const;
  /// A file of the folder with this text.
  std::string file_with(const std::string& name, const std::string& text) const;
  /// The file of a case with these fields.
  std::string case_file(const std::string& property, const std::string& claim,
                        const std::string& fields = R"("a": "0x1p+0", "b": "0x1p+0")",
                        const std::string& name = "case.json") const;

  Folder folder_;
};

}  // namespace assay::testing_program
