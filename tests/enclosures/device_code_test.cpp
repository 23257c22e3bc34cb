#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "enclosures/elementwise.hpp"
#include "enclosures/gradient.hpp"
#include "enclosures/prefixes.hpp"
#include "enclosures/product.hpp"
#include "enclosures/rows.hpp"
#include "enclosures/sparse.hpp"

namespace assay::enclosures {
namespace {

class DeviceCode : public testing::TestWithParam<std::tuple<ElementType, ElementType>> {};

TEST_P(DeviceCode, IsCompiledByNvrtc) {
  const auto [factors, results] = GetParam();
  try {
    EXPECT_FALSE(compiled("sm_90", product_source(), product_headers(), definitions_of(factors, results)).empty());
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

INSTANTIATE_TEST_SUITE_P(OfAPairOfTypes, DeviceCode,
                         testing::Values(std::tuple(ElementType::bfloat16, ElementType::bfloat16),
                                         std::tuple(ElementType::binary64, ElementType::binary64)));
INSTANTIATE_TEST_SUITE_P(OfOtherPairsOfTypes, DeviceCode,
                         testing::Values(std::tuple(ElementType::binary32, ElementType::binary32),
                                         std::tuple(ElementType::binary16, ElementType::binary32),
                                         std::tuple(ElementType::e4m3, ElementType::bfloat16),
                                         std::tuple(ElementType::e5m2, ElementType::binary32)));

class DeviceCodeOfRows : public testing::TestWithParam<RowOperation> {};

TEST_P(DeviceCodeOfRows, IsCompiledByNvrtc) {
  for (const ElementType type : {ElementType::bfloat16, ElementType::binary32}) {
    try {
      EXPECT_FALSE(compiled("sm_90", rows_source(), rows_headers(), definitions_of(GetParam(), type)).empty());
    } catch (const NoDevice& reason) {
      GTEST_SKIP() << reason.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfAnOperation, DeviceCodeOfRows, testing::Values(softmax, log_softmax, layer_norm, rms_norm));

TEST(DeviceCodeOfPrefixSums, IsCompiledByNvrtc) {
  try {
    for (const char* const type : {"ASSAY_ELEMENT=binary32", "ASSAY_ELEMENT=binary64"}) {
      EXPECT_FALSE(compiled("sm_90", prefixes_source(), prefixes_headers(), {type}).empty());
    }
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

TEST(DeviceCodeOfSparseProducts, IsCompiledByNvrtc) {
  try {
    for (const char* const type : {"ASSAY_ELEMENT=binary32", "ASSAY_ELEMENT=binary64"}) {
      EXPECT_FALSE(compiled("sm_90", sparse_source(), sparse_headers(), {type}).empty());
    }
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

TEST(DeviceCodeOfAttention, IsCompiledByNvrtc) {
  try {
    for (const char* const type : {"ASSAY_ELEMENT=binary32", "ASSAY_ELEMENT=binary16", "ASSAY_ELEMENT=bfloat16"}) {
      EXPECT_FALSE(compiled("sm_90", attention_source(), attention_headers(), {type}).empty());
    }
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

class DeviceCodeOfGradients : public testing::TestWithParam<Gradient> {};

TEST_P(DeviceCodeOfGradients, IsCompiledByNvrtc) {
  try {
    const std::vector<std::string> definitions = definitions_of(GetParam(), ElementType::bfloat16);
    EXPECT_FALSE(compiled("sm_90", gradient_source(), gradient_headers(), definitions).empty());
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

INSTANTIATE_TEST_SUITE_P(OfAnArgument, DeviceCodeOfGradients, testing::Values(of_queries, of_keys, of_values));

TEST(DeviceCodeOfElementwiseFormulas, IsCompiledByNvrtc) {
  try {
    EXPECT_FALSE(compiled("sm_90", elementwise_source(), elementwise_headers(), {"ASSAY_ELEMENTWISE"}).empty());
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  }
}

TEST(DeviceCodeThatIsWrong, IsToldWithItsLine) {
  try {
    compiled("sm_90", "int f( {", {}, {});
    FAIL() << "it compiles";
  } catch (const NoDevice& reason) {
    GTEST_SKIP() << reason.what();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("NVRTC for sm_90: "), std::string::npos);
  }
}

TEST(ArraysOfTheHost, AreNoArraysOfADevice) {
  const double here = 1;
  EXPECT_THROW(Device(reinterpret_cast<std::uint64_t>(&here)), NoDevice);
}

}  // namespace
}  // namespace assay::enclosures
