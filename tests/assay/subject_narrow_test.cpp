// Kernels from outside with numbers of 16 bits: what is computed in binary32 and stored, and what is rounded at every
// step.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

/// The ladders of <operation>_<format>_<way> in f16 and in bf16.
void expect_ladders(const std::string& operation, const std::string& way, const std::string& expected,
                    std::uint64_t cases = 150) {
  for (const std::string format : {"f16", "bf16"}) {
    const std::string symbol = operation + "_" + format + "_" + way;
    EXPECT_EQ(ladder_of_symbol(ASSAY_LIBRARY_OF_NARROW, operation, symbol, format, cases), expected) << symbol;
  }
}

TEST(Sums, OfNarrowNumbersTellInWhichFormatTheyWereAdded) {
  expect_ladders("sum", "in_f32", "?");
  expect_ladders("sum", "by_pairs", "?");
  expect_ladders("sum", "in_steps", "?");
  expect_ladders("asum", "in_f32", "?");
  expect_ladders("nrm2", "in_f32", "?");
  expect_ladders("nrm2", "in_steps", "?");
  expect_ladders("dot", "in_f32", "?");
  expect_ladders("dot", "in_steps", "?");
  expect_ladders("axpy", "in_f32", "?");
  expect_ladders("axpy", "in_steps", "?");
  expect_ladders("cumsum", "in_f32", "?");
  expect_ladders("cumsum", "in_steps", "?");
}

TEST(Softmax, OfNarrowNumbersTellsInWhichFormatItWasComputed) {
  expect_ladders("softmax", "in_f32", "?");
  expect_ladders("softmax", "in_steps", "?");
  expect_ladders("log_softmax", "in_f32", "?");
  expect_ladders("log_softmax", "in_steps", "?");
}

TEST(Norms, OfNarrowNumbersTellInWhichFormatTheyWereComputed) {
  expect_ladders("layer_norm", "in_f32", "?");
  expect_ladders("layer_norm", "one_pass", "?");
  expect_ladders("rms_norm", "in_f32", "?");
}

TEST(Overflow, AndUnderflowBelongToTheLastRounding) {
  for (const std::string way : {"saturated", "flushed", "cut"}) {
    EXPECT_EQ(ladder_of_symbol(ASSAY_LIBRARY_OF_NARROW, "sum", "sum_f16_" + way, "f16", 150), "?") << way;
  }
}

TEST(Controls, AreRefusedInNarrowFormats) {
  for (const std::string operation : {"sum", "asum", "nrm2", "dot"}) {
    expect_controls_refused(operation, {"f16", "bf16"}, 60);
  }
}

}  // namespace
}  // namespace assay
