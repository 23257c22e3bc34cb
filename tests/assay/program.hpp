#pragma once

#include <filesystem>
#include <string>

namespace assay::testing_program {

/// How a run of the hostile program ended.
struct Ended {
  int code = 0;     ///< its exit code; 128 + signal
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// A folder of its own for one test, removed at its end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The shell line `environment program arguments`, where the program is assay-hostile beside this test.
Ended run(const std::string& arguments, const std::string& environment = "");

/// Starts the program, kills it by its id after so many milliseconds. Returns its exit code; 137 where the kill came.
int run_and_kill(const std::string& arguments, int milliseconds, int signal);

std::string content(const std::filesystem::path& path);

}  // namespace assay::testing_program
