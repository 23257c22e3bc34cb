#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "errorbounds/dw_theorems.hpp"
#include "probes/dw/every.hpp"
#include "properties/framework/enumeration.hpp"
#include "tests/probes/lists.hpp"
#include "tests/probes/probe_suite.hpp"
#include "tests/tier.hpp"

namespace assay::probes {
namespace {

template <class T>
std::set<std::pair<std::uint64_t, std::uint64_t>> listed_words() {
  using Word = dw::EveryDoubleWord<T, dw::every_depth<T>>;
  std::set<std::pair<std::uint64_t, std::uint64_t>> all;
  for (std::uint64_t i = 0; i < Word::size; ++i) {
    const DoubleWord<T> x = Word::at(i, 0, false);
    all.insert({to_bits(x.h), to_bits(x.l)});
  }
  return all;
}
template <class T>
std::set<std::pair<std::uint64_t, std::uint64_t>> enumerated_words() {
  std::set<std::pair<std::uint64_t, std::uint64_t>> all;
  for (const DoubleWord<T>& x : every_double_word<T>(dw::every_depth<T>)) all.insert({to_bits(x.h), to_bits(x.l)});
  return all;
}

TEST(EveryDoubleWord, IsListed) {
  EXPECT_EQ(listed_words<Toy<5>>(), enumerated_words<Toy<5>>());
  EXPECT_EQ(listed_words<Toy<6>>(), enumerated_words<Toy<6>>());
}

TEST(EveryDoubleWord, TimesAPowerOfTwoIsThatOfBothWords) {
  using Word = dw::EveryDoubleWord<Toy<5>, dw::every_depth<Toy<5>>>;
  for (std::uint64_t i = 0; i < Word::size; ++i) {
    for (const int k : {-13, 1, 13}) {
      for (const bool negative : {false, true}) {
        const DoubleWord<Toy<5>> moved = Word::at(i, k, negative);
        const DoubleWord<Toy<5>> x = Word::at(i, 0, false);
        const double scale = negative ? -std::ldexp(1.0, k) : std::ldexp(1.0, k);
        ASSERT_EQ(static_cast<double>(moved.h), scale * static_cast<double>(x.h)) << i;
        ASSERT_EQ(static_cast<double>(moved.l), scale * static_cast<double>(x.l)) << i;
      }
    }
  }
}

template <class T>
void expect_all_proved(int p) {
  EXPECT_EQ(not_proved<dw::EveryAccurateAdd<T>>(dw_accurate_add_1(p), test::of_tier(50000, 200000)), 0);
  EXPECT_EQ(not_proved<dw::EveryMul2<T>>(dw_mul2_1(p), test::of_tier(50000, 200000)), 0);
  EXPECT_EQ(not_proved<dw::EveryMul3<T>>(dw_mul3_1(p), test::of_tier(50000, 200000)), 0);
  EXPECT_EQ(not_proved<dw::EveryDiv2<T>>(dw_div2_2(p), test::of_tier(50000, 200000)), 0);
}

TEST(EveryPair, IsProvedWhereItIsAsked) {
  expect_all_proved<Toy<5>>(5);
  expect_all_proved<Toy<6>>(6);
}

// Mistakes in an operation.

TEST(EveryPair, WithTheSloppySumIsNotProved) {
  using List = dw::EverySumOf<Toy<5>>;
  using Sloppy = ListedAddition<List, assay::dw::sloppy_add<Toy<5>>>;
  EXPECT_GT(not_proved<Sloppy>(dw_accurate_add_1(5), test::of_tier(50000, 200000)), 0);
}

TEST(EveryPair, WithAProductWithoutItsLastTermsIsNotProved) {
  using List = dw::EveryProductOf<Toy<5>>;
  constexpr auto without = [](DoubleWord<Toy<5>> x, DoubleWord<Toy<5>> y) { return assay::dw::mul_fp1(x, y.h); };
  using Wrong = ListedMultiplication<List, without>;
  EXPECT_GT(not_proved<Wrong>(dw_mul2_1(5), test::of_tier(50000, 200000)), 0);
}

TEST(EveryPair, IsJudgedTheSameOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  const dw::EveryMul3<Toy<6>> probe{};
  const double factor = at_most(dw_mul3_1(6));
  const CellResult here = judge_cells(Executor::host(), probe, factor, 1, 0, 700, 1).front();
  const CellResult there = judge_cells(Executor::cuda(), probe, factor, 1, 0, 700, 1).front();
  EXPECT_EQ(here.largest, there.largest);
  EXPECT_EQ(here.number, there.number);
  EXPECT_EQ(here.undecided, there.undecided);
}

}  // namespace
}  // namespace assay::probes
