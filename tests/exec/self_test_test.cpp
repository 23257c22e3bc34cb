#include "exec/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(SelfTest, FindsNothingOnTheHost) { EXPECT_THAT(self_test(Executor::host()), testing::IsEmpty()); }

}  // namespace
}  // namespace assay
