#include "probes/dw/dw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "errorbounds/dw.hpp"
#include "tests/probes/probe_suite.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

template <class Case, auto Op>
struct Of<dw::Addition<Case, Op>> : OfTruth<Of<dw::Addition<Case, Op>>> {
  static Box box(const oracle::Format& format) { return add_box(format); }
  static constexpr double units = 3;
  static Dyadic truth(const Case& c) { return value(c.x) + value(c.y); }
};
template <class Case, auto Op>
struct Of<dw::Multiplication<Case, Op>> : OfTruth<Of<dw::Multiplication<Case, Op>>> {
  static Box box(const oracle::Format& format) { return product_box(format); }
  static constexpr double units = 5;
  static Dyadic truth(const Case& c) { return value(c.x) * value(c.y); }
};

template <class Case, auto Op>
struct Of<dw::Division<Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return reciprocal_quotient_box(format); }
  static constexpr double units = 15;
};
template <class Case, auto Op>
struct Of<dw::SquareRoot<Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return sqrt_box(format); }
  static constexpr double units = 2 * 3.125;
  static constexpr int lowest = -450;
};

namespace {

template <class T>
const double u2 = power_of_u<T, 2>;

template <class T>
using ProbesOf = testing::Types<dw::AddFp<T>, dw::AccurateAdd<T>, dw::MulFp1<T>, dw::MulFp2<T>, dw::MulFp3<T>,
                                dw::Mul1<T>, dw::Mul2<T>, dw::Mul3<T>, dw::DivFp1<T>, dw::DivFp2<T>, dw::DivFp3<T>,
                                dw::Div1<T>, dw::Div2<T>, dw::Div3<T>, dw::Sqrt<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Dw64, WordProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Dw32, WordProbe, ProbesOf<float>);

TEST(JudgeCells, GivesTheSameOnEveryExecutorAndForEverySplit) {
  const dw::Div2<double> probe{Range{-216, 216}};
  const double factor = 8 * u2<double>;
  const std::vector<CellResult> both = judge_cells(Executor::host(), probe, factor, 3, 2, 5, 2);
  for (const Executor& on : other_executors()) {
    const CellResult alone = judge_cells(on, probe, factor, 3, 2, 6, 1).front();
    EXPECT_EQ(alone.largest, both[1].largest);
    EXPECT_EQ(alone.number, both[1].number);
    EXPECT_EQ(alone.undecided, both[1].undecided);
  }
  EXPECT_GT(both[0].largest, 0.5);
  EXPECT_EQ(both[0].number / cell, 5U);
  EXPECT_EQ(both[1].number / cell, 6U);
}

/// The numbers of the cases of a cell that are not proved, seed 1.
template <class Probe>
std::vector<std::uint64_t> not_proved(const Probe& probe, double factor, int input_class, std::uint64_t of_cell) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = of_cell * cell; number < (of_cell + 1) * cell; ++number) {
    Stream stream(1, static_cast<std::uint64_t>(input_class), number);
    const typename Probe::Input input = probe.draw(stream, input_class);
    if (!judged(probe, input, probe.run(input), factor).proved) numbers.push_back(number);
  }
  return numbers;
}

/// The result that judge_cells() must find in a cell: every case judged in full.
template <class Probe>
CellResult judged_one_by_one(const Probe& probe, double factor, int input_class, std::uint64_t of_cell) {
  CellResult found{-1, of_cell * cell, 0};
  for (std::uint64_t number = of_cell * cell; number < (of_cell + 1) * cell; ++number) {
    const typename Probe::Input input = case_of(probe, 1, input_class, number);
    const CaseResult result = judged(probe, input, probe.run(input), factor);
    found.undecided += result.proved ? 0 : 1;
    if (result.ratio > found.largest) {
      found.largest = result.ratio;
      found.number = number;
    }
  }
  return found;
}

template <class Probe>
void expect_what_the_cases_show(const Probe& probe, double factor, int input_class) {
  const CellResult found = judge_cells(Executor::host(), probe, factor, 1, input_class, 3, 1).front();
  const CellResult expected = judged_one_by_one(probe, factor, input_class, 3);
  EXPECT_EQ(found.largest, expected.largest);
  EXPECT_EQ(found.number, expected.number);
  EXPECT_EQ(found.undecided, expected.undecided);
}

TEST(JudgeCells, FindsTheFirstCaseWithTheLargestRatioOfAll) {
  expect_what_the_cases_show(dw::AccurateAdd<double>{Range{-800, 1016}}, 3 * u2<double>, 0);
  expect_what_the_cases_show(dw::AccurateAdd<float>{Range{-126, 120}}, 3 * u2<float>, 4);
}

TEST(JudgeCells, FindsTheSameWhereManyCasesHaveTheLargestRatioOrAreNotProved) {
  expect_what_the_cases_show(dw::AccurateAdd<double>{Range{-800, 1016}}, 3 * u2<double>, 5);
  expect_what_the_cases_show(dw::SloppyAdd<double>{Range{-800, 1016}}, 3 * u2<double>, 5);
  expect_what_the_cases_show(dw::Sqrt<double>{Range{-450, 1022}}, 6.25 * u2<double>, 3);
}

TEST(JudgeCells, CountsTheCasesThatAreNotProved) {
  const dw::SloppyAdd<double> probe{Range{-800, 1016}};
  constexpr int cancellation = 5;
  const std::vector<std::uint64_t> undecided = not_proved(probe, 3 * u2<double>, cancellation, 0);
  ASSERT_GT(undecided.size(), 0U);
  for (const Executor& on : other_executors()) {
    const CellResult result = judge_cells(on, probe, 3 * u2<double>, 1, cancellation, 0, 1).front();
    EXPECT_EQ(result.undecided, undecided.size());
    EXPECT_GT(result.largest, 1e10);
  }
}

TEST(UndecidedIn, ListsTheCasesThatAreNotProved) {
  const dw::SloppyAdd<double> probe{Range{-800, 1016}};
  constexpr int cancellation = 5;
  const double factor = 3 * u2<double>;
  const std::vector<std::uint64_t> of_2 = not_proved(probe, factor, cancellation, 2);
  const std::vector<std::uint64_t> of_0 = not_proved(probe, factor, cancellation, 0);
  std::vector<std::uint64_t> both = of_2;
  both.insert(both.end(), of_0.begin(), of_0.end());
  for (const Executor& on : other_executors()) {
    const CellCount cells[] = {{2, of_2.size()}, {0, of_0.size()}};
    EXPECT_EQ(undecided_in(on, probe, factor, 1, cancellation, cells), both);
    EXPECT_TRUE(undecided_in(on, probe, factor, 1, cancellation, {}).empty());
  }
}

TEST(OnePassProduct, BoundsTheErrorWhereProductsAreSubnormalOrZero) {
  RandomWords words(5);
  const auto number_of = [&](int e) {
    const double x = std::ldexp(static_cast<double>(words.word() | 1), e - 64);
    return words.coin() ? x : -x;
  };
  for (int i = 0; i < 100000; ++i) {
    const int e = words.between(-560, -430);
    const Words<2> x{{number_of(e), number_of(e - words.between(53, 70))}};
    const Words<2> y{{number_of(-1030 - e + i % 100), number_of(-1090 - e + i % 100)}};
    const double high = x.at[0] * y.at[0];
    const Words<2> z{{high, number_of(words.between(-1074, -1000))}};
    const oracle::Dyadic difference =
        (exact(x.at[0]) + exact(x.at[1])) * (exact(y.at[0]) + exact(y.at[1])) - exact(z.at[0]) - exact(z.at[1]);
    ASSERT_GE(exact(one_pass_product(x, y, z)), abs(difference));
  }
}

TEST(Ratio, IsTheErrorOverTheBound) {
  EXPECT_EQ(ratio({3, 8}, 0.5), 0.75);
  EXPECT_EQ(ratio({0, -1}, 0.5), 0);
}

TEST(Ratio, IsInfiniteWhereTheRightSideIsNotKnownToBePositive) {
  EXPECT_EQ(ratio({1, 0}, 0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ratio({1, -1}, 0.5), std::numeric_limits<double>::infinity());
}

TEST(IsProved, NeedsAnErrorBelowTheBound) {
  EXPECT_TRUE(is_proved({1, 2}, 0.75));
  EXPECT_FALSE(is_proved({1, 1}, 1));
  EXPECT_FALSE(is_proved({std::numeric_limits<double>::quiet_NaN(), 1}, 1));
  EXPECT_FALSE(is_proved({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, 1));
  EXPECT_FALSE(is_proved({0x1p-1070, 0x1p-1021}, 1));
  EXPECT_FALSE(is_proved({0x1p-1070, 0x1p-870}, 0x1p-158));
  EXPECT_TRUE(is_proved({0, 0}, 1));
}

}  // namespace
}  // namespace assay::probes
