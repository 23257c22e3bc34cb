// Conversions and quantizers from outside whose arrays are on a device: of a table, and plain functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/executor.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

class DeviceFormats : public ProgramTest {
 protected:
  void SetUp() override {
    if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  }
  Ended judged(const std::string& rest, const std::string& way = "") const {
    return shell("env TABLE=" + way + " " + beside("assay") + " check --subject " + beside(ASSAY_DEVICE_FORMATS) +
                 " --out " + in("run") + " " + rest);
  }
  Ended converted(const std::string& rest, const std::string& way = "") const {
    return judged("--operation convert --format f32:bf16 " + rest, way);
  }
  Ended quantized(const std::string& rest, const std::string& way = "") const {
    return judged("--operation quantize --format f32:mxfp4 " + rest, way);
  }
};

TEST_F(DeviceFormats, OfATableAreNamed) {
  EXPECT_THAT(converted(""), Ends(0, Out(HasSubstr("convert f32:bf16: follows zero.infinity.nan on "))));
  EXPECT_THAT(quantized(""), Ends(0, Out(HasSubstr("quantize f32:mxfp4: follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("--operation quantize --format f32:uint8_zero_row --on cuda"),
              Ends(0, Out(HasSubstr("follows uint8_zero_row.divide.even on all "))));
}

TEST_F(DeviceFormats, OfPlainFunctionsAreNamed) {
  EXPECT_THAT(converted("--on cuda --symbol device_convert --contract zero.infinity.nan"),
              Ends(0, Out(HasSubstr("convert f32:bf16: follows zero.infinity.nan on "))));
  EXPECT_THAT(quantized("--on cuda --symbol device_quantize --contract mxfp4.floor.even"),
              Ends(0, Out(HasSubstr("quantize f32:mxfp4: follows mxfp4.floor.even on all "))));
  EXPECT_THAT(judged("--operation quantize --format f32:uint8_zero_row --on cuda --symbol device_quantize_rows"),
              Ends(0, Out(HasSubstr("follows uint8_zero_row.divide.even on all "))));
}

TEST_F(DeviceFormats, WithRandomWordsAreNamed) {
  for (const char* const door : {"", "--on cuda --symbol device_convert_by_words"}) {
    EXPECT_THAT(converted(std::string("--words 16 ") + door), Ends(0, Out(HasSubstr("follows carry.infinity.nan on "))))
        << door;
  }
  for (const char* const door : {"", "--on cuda --symbol device_quantize_by_words"}) {
    EXPECT_THAT(quantized(std::string("--words 8 --contract unbiased ") + door),
                Ends(0, Out(HasSubstr("follows mxfp4.floor.carry on all "))))
        << door;
  }
}

TEST_F(DeviceFormats, ThatBreakTheirPromiseAreViolations) {
  EXPECT_THAT(converted("--contract even.infinity.nan"), Ends(1, Out(HasSubstr("even.infinity.nan is broken by "))));
  EXPECT_THAT(quantized("--contract mxfp4.round_up.even"),
              Ends(1, Out(HasSubstr("mxfp4.round_up.even is broken by "))));
}

TEST_F(DeviceFormats, ThatWriteBesideTheirArraysAreToldSo) {
  for (const char* const way : {"writes_behind", "writes_in_front"}) {
    EXPECT_THAT(converted("", way), Ends(4, Err(HasSubstr("it writes outside an array")))) << way;
    EXPECT_THAT(quantized("", way), Ends(4, Err(HasSubstr("it writes outside an array")))) << way;
  }
  EXPECT_THAT(quantized("--on cuda --symbol device_quantize", "writes_behind"),
              Ends(4, Err(HasSubstr("it writes outside an array"))));
}

TEST_F(DeviceFormats, ThatWriteToTheirInputsAreToldSo) {
  EXPECT_THAT(converted("", "changes_input"), Ends(4, Err(HasSubstr("it writes to its input"))));
  EXPECT_THAT(quantized("", "changes_input"), Ends(4, Err(HasSubstr("it writes to its input"))));
}

TEST_F(DeviceFormats, ThatLeaveAStickyErrorAreStopped) {
  EXPECT_THAT(converted("", "faults"), Ends(4, Err(HasSubstr("cudaErrorIllegalAddress"))));
  EXPECT_THAT(quantized("", "faults"), Ends(4, Err(HasSubstr("cudaErrorIllegalAddress"))));
}

TEST_F(DeviceFormats, OfATableForADeviceDoNotRunOnTheHost) {
  EXPECT_THAT(quantized("--on host"), Ends(2, Err(HasSubstr("--on host: the kernels in the table of "))));
}

}  // namespace
}  // namespace assay::testing_program
