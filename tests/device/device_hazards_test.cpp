// Failures that only occur on a device, by subjects that cause them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/executor.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

class DeviceHazards : public ProgramTest {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) {
      GTEST_SKIP() << "no CUDA device";
    }
  }
  Ended checked_on_device(const std::string& rest) const {
    return run("check " + rest + " --on cuda --overwrite --progress none --out " + in("run"));
  }
};

TEST_F(DeviceHazards, AnIllegalAddressInOneCaseIsFoundAndSaved) {
  EXPECT_THAT(checked_on_device("hostile.illegal_address --cases 20000"),
              Ends(4, Out(ContainsRegex("crashed on case [0-9]+")), Out(HasSubstr(" replay "))));
}

TEST_F(DeviceHazards, ASavedIllegalAddressCrashesAgainInReplay) {
  const Ended ended = checked_on_device("hostile.illegal_address --cases 20000");
  const std::string line = replay_line_in(ended.out);
  ASSERT_THAT(line, HasSubstr(" replay "));
  EXPECT_EQ(shell(line + " --on cuda").code, 4);
}

TEST_F(DeviceHazards, AKernelCompiledWithFmadHasOtherBitsThanTheHost) {
  EXPECT_THAT(checked_on_device("hostile.fused_squares"), Ends(1, Out(HasSubstr("hostile.fused_squares/same_bits"))));
}

}  // namespace
}  // namespace assay::testing_program
