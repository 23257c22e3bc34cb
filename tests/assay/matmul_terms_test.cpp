// The time of a ladder of matrix products does not depend on the machine alone: the domain determines how many terms it
// has. A kernel of one loop takes a second for some 10⁹ of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

#include "properties/framework/operation.hpp"

namespace assay {
namespace {

/// Σ batch·m·n·k over the cases of the quick tier, in a format.
std::int64_t terms_of_a_ladder(const std::string& format) {
  const auto property = find_operation("matmul")->property({.format = format}, {});
  std::int64_t terms = 0;
  for (std::uint64_t number = 0; number < property->info().quick_cases; ++number) {
    std::int64_t of_case = 1;
    for (const FieldValue& field : property->make(1, number)->fields) {
      if (const auto* const side = std::get_if<std::int64_t>(&field.value)) of_case *= *side;
    }
    terms += of_case;
  }
  return terms;
}

TEST(LadderOfMatmul, HasAtMostSeventyMillionTerms) {
  for (const char* const format : {"f64", "f32", "bf16", "s8:s32"}) {
    EXPECT_LE(terms_of_a_ladder(format), 70'000'000) << format;
  }
}

TEST(LadderOfMatmul, HasAtMostAHundredAndFiftyMillionTermsWhereDimensionsAreMultiplesOf16) {
  EXPECT_LE(terms_of_a_ladder("e4m3:f32"), 150'000'000);
}

}  // namespace
}  // namespace assay
