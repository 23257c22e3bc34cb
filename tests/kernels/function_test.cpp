#include "kernels/function.hpp"

#include <gtest/gtest.h>

#include "arith/words/operands.hpp"

namespace assay {
namespace {

double positions(double a, double b, double c) { return a + 10 * b + 100 * c; }
double difference(double a, double b) { return a - b; }

TEST(Function, PassesThreeMembersInTheirOrder) { EXPECT_EQ((Function<Triple<double>, positions>{}({1, 2, 3})), 321); }

TEST(Function, PassesTwoMembersInTheirOrder) { EXPECT_EQ((Function<Pair<double>, difference>{}({5, 3})), 2); }

}  // namespace
}  // namespace assay
