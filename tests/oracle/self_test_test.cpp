#include "oracle/self_test.hpp"

#include <gmock/gmock.h>

namespace assay::oracle {
namespace {

TEST(OracleSelfTest, FindsNothingWrong) { EXPECT_THAT(self_test(), testing::IsEmpty()); }

}  // namespace
}  // namespace assay::oracle
