// What goes wrong on a device alone, by subjects that do it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/executor.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class DeviceHazards : public testing::Test {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) {
      GTEST_SKIP() << "no CUDA device";
    }
  }
};

std::string check(const std::string& rest, const Folder& folder) {
  return "check " + rest + " --on cuda --progress none --out " + (folder / "run").string();
}

TEST_F(DeviceHazards, AnIllegalAddressInOneCaseIsFoundAndSaved) {
  const Folder folder;
  const Ended ended = run(check("hostile.illegal_address --cases 20000", folder));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, ContainsRegex("crashed on case [0-9]+"));
  EXPECT_THAT(ended.out, HasSubstr("assay replay "));
}

TEST_F(DeviceHazards, ASavedIllegalAddressCrashesAgainInReplay) {
  const Folder folder;
  const Ended ended = run(check("hostile.illegal_address --cases 20000", folder));
  const std::size_t at = ended.out.rfind("assay replay ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(run(ended.out.substr(at + 6, 23) + " --on cuda --out " + (folder / "run").string()).code, 4);
}

TEST_F(DeviceHazards, AKernelCompiledWithFmadHasOtherBitsThanTheHost) {
  const Folder folder;
  const Ended ended = run(check("hostile.fused_squares", folder));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("hostile.fused_squares/same_bits"));
}

}  // namespace
}  // namespace assay::testing_program
