// The main function of a program of unit tests with mutated sources.
//
//   <program> <number of a mutant; 0: none> <file> [<file of the places>]
//
// The first file gets the name of each test before it runs, up to the first that fails, so that at the end it names
// this one or the last one. The second one gets a line for each test: its name, its milliseconds, and the numbers of
// the mutants whose places it reached.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tools/mutate/mutation.hpp"

namespace {

std::string name_of(const testing::TestInfo& test) { return std::string(test.test_suite_name()) + "." + test.name(); }

class Started : public testing::EmptyTestEventListener {
 public:
  explicit Started(std::string file) : file_(std::move(file)) {}
  void OnTestStart(const testing::TestInfo& test) override {
    // Those after the first that fails are skipped, and start all the same.
    if (!testing::UnitTest::GetInstance()->Failed()) std::ofstream(file_) << name_of(test);
  }

 private:
  std::string file_;
};

class Reached : public testing::EmptyTestEventListener {
 public:
  explicit Reached(const std::string& file) : lines_(file) {}
  void OnTestStart(const testing::TestInfo& /*test*/) override { mutation::forget(); }
  void OnTestEnd(const testing::TestInfo& test) override {
    lines_ << name_of(test) << ' ' << test.result()->elapsed_time();
    for (std::size_t number = 0; number < mutation::most; ++number) {
      if (mutation::reached()[number] != 0) lines_ << ' ' << number;
    }
    lines_ << std::endl;
  }

 private:
  std::ofstream lines_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 3) return 2;
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();  // they own the objects
  listeners.Append(new Started(argv[2]));
  if (argc > 3) listeners.Append(new Reached(argv[3]));
  mutation::activate(std::atoi(argv[1]));
  return RUN_ALL_TESTS();
}
