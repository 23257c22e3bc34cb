// The main function of a program of unit tests with mutated sources.
//
//   <program> <number of a mutant; 0: none> <file> [<file of the places>]
//
// The first file gets the name of each test before it runs, so that the last one stands there at the end. The second
// one gets a byte for each number of a mutant: not 0 where the program reached its place.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "mutation.hpp"

namespace {

class Started : public testing::EmptyTestEventListener {
 public:
  explicit Started(std::string file) : file_(std::move(file)) {}
  void OnTestStart(const testing::TestInfo& test) override {
    std::ofstream(file_) << test.test_suite_name() << "." << test.name();
  }

 private:
  std::string file_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 3) return 2;
  testing::UnitTest::GetInstance()->listeners().Append(new Started(argv[2]));  // owned by the list
  assay::mutation::activate(std::atoi(argv[1]));
  const int code = RUN_ALL_TESTS();
  if (argc > 3) {
    std::ofstream(argv[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(assay::mutation::reached()), assay::mutation::most);
  }
  return code;
}
