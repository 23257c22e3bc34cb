// The rules between docs/bounds and the program of this build, and its ctests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/theorems/pages.hpp"
#include "tests/theorems/rules.hpp"

namespace assay::theorems {
namespace {

using ::testing::IsEmpty;

/// What a command prints. Throws std::runtime_error where it cannot be run or fails.
std::string output_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* pipe) const { static_cast<void>(pclose(pipe)); }
  };
  std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  if (!pipe) throw std::runtime_error("not run: " + command);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), count);
  if (pclose(pipe.release()) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

/// The ctests of this build as the pages name them, program.Suite. A program of tests that is not built has every suite
/// that `named` asks of it.
std::set<std::string> ctests_of_build(const std::set<std::string>& named) {
  const nlohmann::json document =
      nlohmann::json::parse(output_of("cd '" ASSAY_BUILD_DIR "' && '" ASSAY_CTEST "' --show-only=json-v1"));
  constexpr std::string_view not_built = "_NOT_BUILT";
  std::set<std::string> found;
  for (const auto& test : document.at("tests")) {
    const std::string name = test.at("name").get<std::string>();
    if (name.ends_with(not_built)) {
      const std::string program = name.substr(0, name.size() - not_built.size()) + ".";
      for (const std::string& each : named) {
        if (each.starts_with(program)) found.insert(each);
      }
    }
    const std::size_t suite = name.find('.');
    if (suite != std::string::npos) found.insert(name.substr(0, name.find('.', suite + 1)));
  }
  return found;
}

TEST(Program, AgreesWithThePages) {
  const Pages pages = read_pages(ASSAY_SOURCE_DIR "/docs/bounds");
  Program program = program_of(output_of("'" ASSAY_PROGRAM "' list --json"));
  ASSERT_FALSE(program.claims.empty());
  ASSERT_FALSE(program.theorems.empty());
  std::set<std::string> named;
  for (const Entry& each : theorems_of(pages)) {
    for (const std::string& ctest : checks_of(each).ctests) named.insert(ctest);
  }
  program.ctests = ctests_of_build(named);
  EXPECT_THAT(offences_of_program(pages, program), IsEmpty());
}

}  // namespace
}  // namespace assay::theorems
