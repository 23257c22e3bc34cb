#include "tests/mutants/generate/unit_tests.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/store/case_file.hpp"
#include "mutation.hpp"
#include "tests/mutants/generate/children.hpp"

namespace assay::mutants {
namespace {

namespace fs = std::filesystem;

constexpr int not_started = 127;

/// Turns this process into the program with a mutant.
[[noreturn]] void become(const fs::path& program, int mutant, const fs::path& started, const fs::path& reached) {
  const std::string number = std::to_string(mutant);
  std::vector<const char*> words{program.c_str(), number.c_str(), started.c_str()};
  if (!reached.empty()) words.push_back(reached.c_str());
  words.insert(words.end(), {"--gtest_fail_fast", "--gtest_brief=1", nullptr});
  ::execv(program.c_str(), const_cast<char* const*>(words.data()));
  std::_Exit(not_started);
}

struct Run {
  bool is_done;  ///< not used: how a program ended is in its wait status
};

/// What the program does without a mutant.
struct Right {
  double seconds = 0;
  std::string reached;  ///< a byte for each number
  bool reaches(int mutant) const { return reached.at(static_cast<std::size_t>(mutant)) != 0; }
};

Right run_right(const fs::path& program, const fs::path& folder) {
  const fs::path started = folder / "right.started";
  const fs::path reached = folder / "right.reached";
  fs::remove(reached);
  rusage before{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  in_children<Run>(
      1, 1, [&](std::size_t, Run&) { become(program, 0, started, reached); },
      [&](std::size_t, const Run&, int status) {
        if (status == 0) return;
        throw std::runtime_error(fmt::format("{} fails without a mutant, with status {}: {}", program.string(), status,
                                             fs::exists(started) ? store::read_file(started) : "it does not start"));
      });
  rusage after{};
  ::getrusage(RUSAGE_CHILDREN, &after);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  Right right{seconds(after.ru_utime) - seconds(before.ru_utime), store::read_file(reached)};
  if (right.reached.size() != mutation::most) throw std::runtime_error(reached.string() + " is cut off");
  return right;
}

}  // namespace

void kill_by_unit_tests(std::span<const Mutant> mutants, std::span<const fs::path> programs, const fs::path& folder,
                        unsigned jobs, const std::function<void(const Result&)>& done) {
  fs::create_directories(folder);
  std::vector<Mutant> left(mutants.begin(), mutants.end());
  for (const fs::path& program : programs) {
    const Right right = run_right(program, folder);
    std::vector<Mutant> asked;
    for (const Mutant& each : left) {
      if (right.reaches(each.number)) asked.push_back(each);
    }
    const auto started = [&](std::size_t i) { return folder / fmt::format("{}.started", asked[i].number); };
    std::set<int> killed;
    in_children<Run>(
        asked.size(), jobs,
        [&](std::size_t i, Run&) {
          limit_step(10 * right.seconds + 2);
          become(program, asked[i].number, started(i), {});
        },
        [&](std::size_t i, const Run&, int status) {
          if (WIFEXITED(status) && WEXITSTATUS(status) == not_started) {
            throw std::runtime_error("cannot start " + program.string());
          }
          const std::string test = fs::exists(started(i)) ? store::read_file(started(i)) : "before the first test";
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

}  // namespace assay::mutants
