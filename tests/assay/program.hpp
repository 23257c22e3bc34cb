#pragma once

#include <filesystem>
#include <string>

#include "tests/assay/folder.hpp"

namespace assay::testing_program {

using test::Folder;

/// How a program ended.
struct Ended {
  int code = 0;     ///< its exit code; 128 + signal
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// Runs a shell line in a folder of its own. Standard error is that of the last command.
Ended shell(const std::string& line);

/// The shell line `environment program arguments`, where the program is assay-hostile beside this test.
Ended run(const std::string& arguments, const std::string& environment = "");

/// Starts the program, kills it by its id after so many milliseconds. Returns its exit code; 137 where the kill came.
int run_and_kill(const std::string& arguments, int milliseconds, int signal);

/// The arguments of a check on the host whose reports go to `out` in the folder.
std::string check(const std::string& rest, const Folder& folder, const std::string& out = "run");

/// Runs the last line `assay replay <id>` that a check into `folder`/run printed.
Ended replay_of(const Ended& checked, const Folder& folder);

/// The summary that a check wrote.
std::string summary(const Folder& folder, const std::string& out = "run");

std::string content(const std::filesystem::path& path);

}  // namespace assay::testing_program
