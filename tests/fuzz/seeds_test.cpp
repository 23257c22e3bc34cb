// Documents with some bytes changed are refused with the reader's own error. fuzz_* of the preset `fuzz` look further.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/readers.hpp"

namespace assay::fuzz {
namespace {

/// The files of the folder of seeds, in the order of their names.
std::vector<std::string> seeds(const std::string& reader) {
  std::vector<std::filesystem::path> paths;
  for (const auto& each : std::filesystem::directory_iterator(std::string(ASSAY_SEEDS) + "/" + reader)) {
    paths.push_back(each.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

class Mistakes {
 public:
  /// Some bytes changed, cut out, or repeated elsewhere.
  std::string in(std::string text) {
    for (std::uint64_t n = 1 + below(3); n != 0 && !text.empty(); --n) {
      const std::size_t at = below(text.size());
      const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 40));
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(random_());
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), std::string(text, at, length));
          break;
        default:
          text[at] = R"({}[]",:0-+eE.\)"[below(14)];
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  std::mt19937_64 random_{1};
};

class Readers : public ::testing::TestWithParam<Reader> {};

TEST_P(Readers, AcceptOrRefuseDocumentsWithChangedBytes) {
  const auto [name, read] = GetParam();
  const std::vector<std::string> texts = seeds(name);
  ASSERT_FALSE(texts.empty());
  Mistakes mistakes;
  for (const std::string& text : texts) {
    EXPECT_NO_THROW(read(text));
    for (int i = 0; i < 300; ++i) {
      const std::string changed = mistakes.in(text);
      EXPECT_NO_THROW(read(changed)) << changed.substr(0, 2000);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Readers, ::testing::ValuesIn(readers), [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace assay::fuzz
