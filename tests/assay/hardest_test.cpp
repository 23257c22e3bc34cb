// The hardest cases that a run saves.
#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using Hardest = ProgramTest;

TEST_F(Hardest, CasesKeepNoLargeResult) {
  ASSERT_THAT(shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") +
                    " check gemm.crt --cases 60 --no-shrink --progress none --on host --out " + in("run")),
              Ends(0));
  const std::string nothing = "\"got\": []";
  std::size_t left_out = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder_ / "run" / "cases")) {
    const std::string text = content(each.path());
    if (text.find("\"why\": \"hardest\"") == std::string::npos) continue;
    const std::size_t got = text.find("\"got\": [");
    ASSERT_NE(got, std::string::npos) << text;
    const std::string words = text.substr(got, text.find(']', got) + 1 - got);
    EXPECT_LE(std::count(words.begin(), words.end(), ','), 63) << text;
    left_out += words == nothing ? 1 : 0;
  }
  EXPECT_GT(left_out, 0u);
}

}  // namespace
}  // namespace assay::testing_program
