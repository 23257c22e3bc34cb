#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/fraction.hpp"
#include "errorbounds/triple_theorems.hpp"
#include "exec/executor.hpp"
#include "oracle/dyadic.hpp"
#include "probes/triple/every.hpp"
#include "tests/probes/lists.hpp"
#include "tests/tier.hpp"

namespace assay::probes {
namespace {

using Values = std::tuple<double, double, double>;

template <class T>
Values values(const TripleWord<T>& x) {
  return {static_cast<double>(x.x0), static_cast<double>(x.x1), static_cast<double>(x.x2)};
}

template <class Word>
std::set<Values> listed() {
  std::set<Values> all;
  for (std::uint64_t i = 0; i < Word::size; ++i) all.insert(values(Word::at(i, 0, false)));
  return all;
}

/// Every number of p bits with an exponent of lowest … highest.
std::vector<double> numbers(int p, int lowest, int highest) {
  std::vector<double> all;
  for (int e = lowest; e <= highest; ++e) {
    for (int m = 1 << (p - 1); m < 1 << p; ++m) {
      all.push_back(std::ldexp(m, e - p + 1));
      all.push_back(-std::ldexp(m, e - p + 1));
    }
  }
  return all;
}

double ulp(int p, double x) { return std::ldexp(1.0, std::ilogb(x) - p + 1); }

/// Every triple word with its leading word in [1, 2) and low words at most p + depth − 1 places below the word before,
/// found by the definition among all numbers that are not too small.
std::set<Values> triple_words(int p, int depth) {
  const auto follow = [&](double high, double low) {
    return std::abs(low) < ulp(p, high) && std::ilogb(low) > std::ilogb(high) - p - depth;
  };
  const std::vector<double> small = numbers(p, -2 * (p + depth), 0);
  std::set<Values> all;
  for (const double x0 : numbers(p, 0, 0)) {
    if (x0 < 0) continue;
    all.insert({x0, 0, 0});
    for (const double x1 : small) {
      if (!follow(x0, x1)) continue;
      all.insert({x0, x1, 0});
      for (const double x2 : small) {
        if (follow(x1, x2)) all.insert({x0, x1, x2});
      }
    }
  }
  return all;
}

template <class T, int depth>
void expect_all_listed_once() {
  using Word = triple::EveryTripleWord<T, depth>;
  const auto words = listed<Word>();
  EXPECT_EQ(words, triple_words(FloatTraits<T>::precision, depth));
  EXPECT_EQ(words.size(), Word::size);
}

TEST(EveryTripleWord, IsListedOnce) {
  expect_all_listed_once<Toy<3>, 1>();
  expect_all_listed_once<Toy<3>, 9>();
  expect_all_listed_once<Toy<4>, 4>();
}

TEST(EveryTripleWord, IsCounted) {
  EXPECT_EQ((triple::EveryTripleWord<Toy<3>, 9>::size), 21028U);
  EXPECT_EQ((triple::EveryTripleWord<Toy<4>, 4>::size), 33288U);
  EXPECT_EQ((triple::EveryTripleWord<Toy<4>, 11>::size), 249224U);
  EXPECT_EQ(triple::EveryAdd<Toy<3>>::size(0), 48'639'446'240U);
  EXPECT_EQ(triple::EveryAdd<Toy<4>>::size(0), 90'863'457'408U);
  EXPECT_EQ(triple::EveryMulFast<Toy<3>>::size(0), 442'176'784U);
  EXPECT_EQ(triple::EveryMulFast<Toy<4>>::size(0), 62'112'602'176U);
  EXPECT_EQ(triple::EveryMulDwFast<Toy<3>>::size(0), 6'813'072U);
  EXPECT_EQ(triple::EveryMulDwFast<Toy<4>>::size(0), 384'801'856U);
}

TEST(EveryTripleWord, TimesAPowerOfTwoIsThatOfAllWords) {
  using Word = triple::EveryTripleWord<Toy<3>, 9>;
  for (std::uint64_t i = 0; i < Word::size; ++i) {
    for (const int k : {-27, 1, 27}) {
      for (const bool negative : {false, true}) {
        const double scale = negative ? -std::ldexp(1.0, k) : std::ldexp(1.0, k);
        const auto [x0, x1, x2] = values(Word::at(i, 0, false));
        ASSERT_EQ(values(Word::at(i, k, negative)), Values(scale * x0, scale * x1, scale * x2)) << i;
      }
    }
  }
}

TEST(EveryTriplePair, TakesYAtEveryGapAndWithBothSigns) {
  using List = triple::EveryPair<Toy<3>, 1, 2>;
  std::set<std::pair<Values, Values>> pairs;
  for (std::uint64_t i = 0; i < List::size(0); ++i) {
    const auto c = List::at(0, i);
    pairs.insert({values(c.x), values(c.y)});
  }
  EXPECT_EQ(pairs.size(), 292U * 292U * 2U * 5U);
  EXPECT_EQ(pairs.size(), List::size(0));
}

template <class T>
void expect_all_proved(int p) {
  const auto pairs = test::of_tier<std::uint64_t>(30000, 200000);
  EXPECT_EQ(not_proved<triple::EveryAdd<T>>(triple_add_4(p), pairs), 0);
  EXPECT_EQ(not_proved<triple::EveryMulAccurate<T>>(triple_mul_accurate_3(p), pairs), 0);
  EXPECT_EQ(not_proved<triple::EveryMulFast<T>>(triple_mul_fast_3(p), pairs), 0);
  EXPECT_EQ(not_proved<triple::EveryMulDwAccurate<T>>(triple_mul_dw_accurate_3(p), pairs), 0);
  EXPECT_EQ(not_proved<triple::EveryMulDwFast<T>>(triple_mul_dw_fast_3(p), pairs), 0);
}

TEST(EveryTriplePair, IsProvedWhereItIsAsked) {
  expect_all_proved<Toy<3>>(3);
  expect_all_proved<Toy<4>>(4);
}

// All pairs of a smaller window.

using T3 = Toy<3>;
using SmallSum = triple::EveryPair<T3, 1, 3>;
using SmallProduct = triple::EveryProduct<triple::EveryTripleWord<T3, 1>, T3, 1>;

template <class Probe>
using Small = triple::WithStructure<Probe>;

TEST(EveryTriplePair, OfTheSmallestWindowIsProved) {
  using Add = Small<ListedAddition<SmallSum, assay::triple::add<T3>>>;
  using Accurate = Small<ListedMultiplication<SmallProduct, assay::triple::mul_accurate<TripleWord<T3>, T3>>>;
  using Fast = Small<ListedMultiplication<SmallProduct, assay::triple::mul_fast<TripleWord<T3>, T3>>>;
  EXPECT_EQ(not_proved_of_all<Add>(triple_add_4(3)), 0);
  EXPECT_EQ(not_proved_of_all<Accurate>(triple_mul_accurate_3(3)), 0);
  EXPECT_EQ(not_proved_of_all<Fast>(triple_mul_fast_3(3)), 0);
}

/// Whether the probe proves a case with the bound, but not with a bound that is u³/2 smaller.
template <class Probe, class X>
void expect_least_half(const RelativeBound& bound, X x, TripleWord<typename Probe::Number> y) {
  const typename Probe::Input c{x, y};
  const Probe probe{};
  const auto error = probe.error(c, probe.run(c));
  const oracle::Dyadic half = oracle::Dyadic::scaled(1, -3 * FloatTraits<typename Probe::Number>::precision - 1);
  const RelativeBound less{bound.numerator - half * bound.denominator, bound.denominator};
  EXPECT_TRUE(is_proved(error, at_most(bound)));
  EXPECT_FALSE(is_proved(error, at_most(less)));
}

template <class T>
TripleWord<T> words(double x0, double x1, double x2) {
  return {T(x0), T(x1), T(x2)};
}
template <class T>
DoubleWord<T> words(double h, double l) {
  return {T(h), T(l)};
}

TEST(EveryTriplePair, HasBoundsThatAreTheLeastMultiplesOfHalfACube) {
  using T4 = Toy<4>;
  expect_least_half<triple::EveryAdd<T3>>(triple_add_4(3), words<T3>(1, 0x7p-10, 0x3p-12),
                                          words<T3>(0x1p-3, 0x5p-9, 0x3p-11));
  expect_least_half<triple::EveryAdd<T4>>(triple_add_4(4), words<T4>(1, 0x1p-4, 0x1p-8), words<T4>(512, 32, 1.125));
  expect_least_half<triple::EveryMulAccurate<T3>>(triple_mul_accurate_3(3), words<T3>(1, -0x3p-4, -0x5p-8),
                                                  words<T3>(1, -0x3p-4, -0x3p-7));
  expect_least_half<triple::EveryMulAccurate<T4>>(triple_mul_accurate_3(4), words<T4>(1, -0xDp-7, -0x7p-10),
                                                  words<T4>(1.25, -0xBp-7, -0xFp-11));
  expect_least_half<triple::EveryMulFast<T3>>(triple_mul_fast_3(3), words<T3>(1, -0x1p-3, 0x7p-8),
                                              words<T3>(1, -0x7p-5, 0x7p-8));
  expect_least_half<triple::EveryMulFast<T4>>(triple_mul_fast_3(4), words<T4>(1, -0x7p-6, 0x5p-10),
                                              words<T4>(1.125, -0xFp-7, 0xFp-11));
  expect_least_half<triple::EveryMulDwAccurate<T3>>(triple_mul_dw_accurate_3(3), words<T3>(1.5, 0x3p-5),
                                                    words<T3>(1, -0x3p-4, -0x7p-8));
  expect_least_half<triple::EveryMulDwAccurate<T4>>(triple_mul_dw_accurate_3(4), words<T4>(1.125, 0x3p-6),
                                                    words<T4>(1.125, -0xFp-7, -0xFp-11));
  expect_least_half<triple::EveryMulDwFast<T3>>(triple_mul_dw_fast_3(3), words<T3>(1.25, -0x7p-6),
                                                words<T3>(1, -0x3p-4, 0x3p-7));
  expect_least_half<triple::EveryMulDwFast<T4>>(triple_mul_dw_fast_3(4), words<T4>(1.125, -0xBp-8),
                                                words<T4>(1, -0x7p-6, 0xDp-11));
}

// Mistakes in an operation.

TEST(EveryTriplePair, WithASumThatLeavesOutAWordIsNotProved) {
  constexpr auto without = [](TripleWord<T3> x, TripleWord<T3> y) {
    return assay::triple::add(x, {y.x0, y.x1, T3(0)});
  };
  using Wrong = Small<ListedAddition<SmallSum, without>>;
  EXPECT_GT(not_proved_of_all<Wrong>(triple_add_4(3)), 0);
}

TEST(EveryTriplePair, WithAProductWithoutOneOfItsLastTermsIsNotProved) {
  constexpr auto without = [](TripleWord<T3> x, TripleWord<T3> y) {
    return assay::triple::mul_fast(DoubleWord<T3>{x.x0, x.x1}, y);
  };
  using Wrong = Small<ListedMultiplication<SmallProduct, without>>;
  EXPECT_GT(not_proved_of_all<Wrong>(triple_mul_fast_3(3)), 0);
}

TEST(EveryTriplePair, WithTheFastProductInPlaceOfTheAccurateOneIsNotProved) {
  using Wrong = Small<ListedMultiplication<SmallProduct, assay::triple::mul_fast<TripleWord<T3>, T3>>>;
  EXPECT_GT(not_proved_of_all<Wrong>(triple_mul_accurate_3(3)), 0);
}

TEST(EveryTriplePair, WithAnExactResultThatIsNoTripleWordIsNotProved) {
  constexpr auto halves = [](TripleWord<T3> x, TripleWord<T3> y) {
    const TripleWord<T3> z = assay::triple::add(x, y);
    const T3 half = z.x0 / T3(2);
    return z.x1 == T3(0) ? TripleWord<T3>{half, half, T3(0)} : z;
  };
  using Unseen = ListedAddition<SmallSum, halves>;
  EXPECT_EQ(not_proved_of_all<Unseen>(triple_add_4(3)), 0);
  EXPECT_GT(not_proved_of_all<Small<Unseen>>(triple_add_4(3)), 0);
}

TEST(EveryTriplePair, IsJudgedTheSameOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  const triple::EveryMulFast<Toy<4>> probe{};
  const double factor = at_most(triple_mul_fast_3(4));
  const CellResult here = judge_cells(Executor::host(), probe, factor, 1, 0, 700, 1).front();
  const CellResult there = judge_cells(Executor::cuda(), probe, factor, 1, 0, 700, 1).front();
  EXPECT_EQ(here.largest, there.largest);
  EXPECT_EQ(here.number, there.number);
  EXPECT_EQ(here.undecided, there.undecided);
}

}  // namespace
}  // namespace assay::probes
