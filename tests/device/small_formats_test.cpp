// Formats of at most 8 bits that no kernel uses: their conversions and operations have the same bits on host and
// device. tests/oracle/low_precision_arith_test.cpp compares the host's with the oracle.

#include "tests/device/small_formats.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(SmallFormats, HaveTheSameBitsOnHostAndDevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (const SmallFormat& format : small_formats()) {
    EXPECT_EQ(format.results(Executor::cuda()), format.results(Executor::host())) << format.name;
  }
}

}  // namespace
}  // namespace assay
