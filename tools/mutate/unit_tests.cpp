#include "tools/mutate/unit_tests.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/mutate/children.hpp"
#include "tools/mutate/files.hpp"

namespace mutate {
namespace {

namespace fs = std::filesystem;

constexpr int not_started = 127;

/// Turns this process into the program with a mutant. `more`: further arguments.
[[noreturn]] void become(const fs::path& program, int mutant, const fs::path& started, const std::string& more) {
  const std::string number = std::to_string(mutant);
  const char* const words[] = {program.c_str(),     number.c_str(),    started.c_str(), more.c_str(),
                               "--gtest_fail_fast", "--gtest_brief=1", nullptr};
  ::execv(program.c_str(), const_cast<char* const*>(words));
  std::_Exit(not_started);
}

/// A program reports nothing except by its exit code.
struct Nothing {};

/// The tests of a program that reach a mutant.
struct Reaching {
  std::string filter;  ///< their names, as GoogleTest takes them
  double seconds = 0;
};

/// Runs the program without a mutant. By mutant: the tests that reach it.
std::map<int, Reaching> reaching_tests(const fs::path& program, const fs::path& folder) {
  const fs::path started = folder / "right.started";
  const fs::path reached = folder / "right.reached";
  fs::remove(reached);
  in_children<Nothing>(
      1, 1, [&](std::size_t, Nothing&) { become(program, 0, started, reached.string()); },
      [&](std::size_t, const Nothing&, int status) {
        if (status == 0) return;
        throw std::runtime_error(fmt::format("{} fails without a mutant, with status {}: {}", program.string(), status,
                                             fs::exists(started) ? read_file(started) : "it does not start"));
      });
  std::map<int, Reaching> tests;
  std::ifstream in(reached);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    double milliseconds = 0;
    words >> name >> milliseconds;
    for (int number = 0; words >> number;) {
      Reaching& of = tests[number];
      of.filter += (of.filter.empty() ? "" : ":") + name;
      of.seconds += milliseconds / 1000;
    }
  }
  return tests;
}

}  // namespace

void kill_by_unit_tests(std::span<const Mutant> mutants, std::span<const fs::path> programs, const fs::path& folder,
                        unsigned jobs, const std::function<void(const Result&)>& done) {
  fs::create_directories(folder);
  std::vector<Mutant> left(mutants.begin(), mutants.end());
  for (const fs::path& program : programs) {
    const std::map<int, Reaching> tests = reaching_tests(program, folder);
    std::vector<Mutant> asked;
    for (const Mutant& each : left) {
      if (tests.contains(each.number)) asked.push_back(each);
    }
    const auto started = [&](std::size_t i) { return folder / fmt::format("{}.started", asked[i].number); };
    std::set<int> killed;
    in_children<Nothing>(
        asked.size(), jobs,
        [&](std::size_t i, Nothing&) {
          const Reaching& reaching = tests.at(asked[i].number);
          limit_step(10 * reaching.seconds + 2);
          become(program, asked[i].number, started(i), "--gtest_filter=" + reaching.filter);
        },
        [&](std::size_t i, const Nothing&, int status) {
          if (WIFEXITED(status) && WEXITSTATUS(status) == not_started) {
            throw std::runtime_error("cannot start " + program.string());
          }
          const std::string test = fs::exists(started(i)) ? read_file(started(i)) : "before the first test";
          fs::remove(started(i));
          if (status == 0) return;
          Result result;
          result.number = asked[i].number;
          result.outcome = Result::Outcome::killed;
          result.by = fmt::format("{}{} {}{}", by_unit_tests, program.filename().string(), test,
                                  ran_too_long(status)  ? ": hangs"
                                  : WIFSIGNALED(status) ? ": crashes"
                                                        : "");
          killed.insert(result.number);
          done(result);
        });
    std::erase_if(left, [&](const Mutant& each) { return killed.contains(each.number); });
  }
}

}  // namespace mutate
