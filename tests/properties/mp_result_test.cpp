#include "properties/catalog/mp/result.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/mp/mp.hpp"

namespace assay::mp {
namespace {

MpNumbers numbers_of(std::vector<double> x) { return {&mp_system(8), mp_from_double(Executor::host(), 8, x)}; }

TEST(MpResult, HasTheValueOfItsNumbers) {
  const MpNumbers x = numbers_of({0.75, -0x1p200, 0});
  oracle::Dyadic value;
  ASSERT_TRUE(component_value(x, 0, value));
  EXPECT_EQ(value, oracle::Dyadic::scaled(3, -2));
  ASSERT_TRUE(component_value(x, 1, value));
  EXPECT_EQ(value, oracle::Dyadic::scaled(-1, 200));
  ASSERT_TRUE(component_value(x, 2, value));
  EXPECT_TRUE(value.is_zero());
}

TEST(MpResult, HasNoValueOutOfRange) {
  oracle::Dyadic value;
  EXPECT_FALSE(component_value(numbers_of({std::numeric_limits<double>::infinity()}), 0, value));
}

TEST(MpResult, ListsEveryMemberOfANumber) {
  const MpNumbers x = numbers_of({-5, 3});
  using Traits = ResultTraits<MpNumbers>;
  ASSERT_EQ(Traits::per_component(x), 15u);
  EXPECT_EQ(Traits::word(x, 0), 1);
  EXPECT_EQ(Traits::word(x, 1), x.array.exponent[0]);
  EXPECT_EQ(Traits::word(x, 2), x.array.digits[0]);
  EXPECT_EQ(Traits::word(x, 10), x.array.digits[8]);
  EXPECT_EQ(Traits::word(x, 11), x.array.lower[0].fraction);
  EXPECT_EQ(Traits::word(x, 12), static_cast<double>(x.array.lower[0].exponent));
  EXPECT_EQ(Traits::word(x, 13), x.array.upper[0].fraction);
  EXPECT_EQ(Traits::word(x, 14), static_cast<double>(x.array.upper[0].exponent));
  EXPECT_EQ(Traits::word(x, 15 + 2), x.array.digits[9]);
}

TEST(MpJudges, AcceptWhatAKernelGives) {
  const MpNumbers x = numbers_of({0.1, -7, 0});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(judge_digits(x, k).verdict, Verdict::holds);
    EXPECT_EQ(judge_enclosure(x, k).verdict, Verdict::holds);
    EXPECT_EQ(judge_width(x, k).verdict, Verdict::holds);
    EXPECT_EQ(judge_significand(x, k).verdict, Verdict::holds);
  }
}

TEST(JudgeDigits, FailsForAWrongGuardResidue) {
  MpNumbers x = numbers_of({0.1});
  x.array.digits[8] ^= 1;
  EXPECT_EQ(judge_digits(x, 0).verdict, Verdict::violated);
}

TEST(JudgeDigits, FailsForAResidueThatIsNotReduced) {
  MpNumbers x = numbers_of({1});
  x.array.digits[3] += mp_system(8).base.moduli()[3];
  EXPECT_EQ(judge_digits(x, 0).verdict, Verdict::violated);
}

TEST(JudgeDigits, FailsForAZeroWithASign) {
  MpNumbers x = numbers_of({0});
  x.array.sign[0] = 1;
  EXPECT_EQ(judge_digits(x, 0).verdict, Verdict::violated);
}

TEST(JudgeEnclosure, FailsOnBothSides) {
  MpNumbers x = numbers_of({0.1});
  MpNumbers above = x;
  above.array.lower[0] = scale(x.array.upper[0], 1);
  above.array.upper[0] = scale(x.array.upper[0], 2);
  EXPECT_EQ(judge_enclosure(above, 0).verdict, Verdict::violated);
  x.array.lower[0] = scale(x.array.lower[0], -2);
  x.array.upper[0] = scale(x.array.lower[0], 1);
  EXPECT_EQ(judge_enclosure(x, 0).verdict, Verdict::violated);
}

TEST(JudgeWidth, FailsForAnEnclosureThatIsTooWide) {
  MpNumbers x = numbers_of({0.1});
  x.array.lower[0].fraction *= 1 - 0x1p-18;
  EXPECT_EQ(judge_enclosure(x, 0).verdict, Verdict::holds);
  EXPECT_EQ(judge_width(x, 0).verdict, Verdict::violated);
}

TEST(JudgeSignificand, FailsForANumberThatIsNotRounded) {
  const MpLimbs product{4, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {0}, {0}};
  const MpNumbers x{&mp_system(8), mp_unrounded(Executor::host(), 8, product)};
  EXPECT_EQ(judge_digits(x, 0).verdict, Verdict::holds);
  EXPECT_EQ(judge_significand(x, 0).verdict, Verdict::violated);
}

}  // namespace
}  // namespace assay::mp
