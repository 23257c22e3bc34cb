// The kernels of enclosures/rows.cuh against the oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "tests/enclosures/host_kernels.hpp"
#include "tests/enclosures/random.hpp"
#include "tests/tier.hpp"

namespace assay::enclosures {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::exact;

constexpr long bits = 160;

/// A row of one of these kinds: near to each other; far apart; all but one equal; sizes of all exponents; around a
/// large mean; a few ulps apart; masks beside numbers.
std::vector<float> drawn(Random& random) {
  const std::size_t n = 1 + random.below(200);
  const std::uint64_t kind = random.below(7);
  const double mean = random.unit() * std::ldexp(1.0, static_cast<int>(random.below(20)));
  std::vector<float> row(n);
  for (float& each : row) {
    const double unit = random.unit();
    const double x = kind == 0   ? 4 * unit
                     : kind == 1 ? 700 * unit
                     : kind == 2 ? mean
                     : kind == 3 ? std::ldexp(unit, static_cast<int>(random.below(60)) - 40)
                     : kind == 4 ? mean + unit
                     : kind == 5 ? mean * (1 + std::ldexp(unit, -20))
                                 : (random.below(3) == 0 ? -10000 : 8 * unit);
    each = static_cast<float>(x);
  }
  if (kind == 2) row[random.below(n)] = static_cast<float>(mean + 30 * random.unit());
  return row;
}

/// The facts of a row, as the threads of a block find them.
template <RowOperation operation>
RowFacts facts_of(const std::vector<float>& x) {
  const auto n = static_cast<Integer>(x.size());
  const Rows rows{x.data(), nullptr, nullptr, nullptr, n, n, n};
  RowFacts facts;
  run_blocks(1, [&] { find_facts<operation, binary32>(rows, &facts); });
  return facts;
}

/// Whether |truth − value| ≤ radius for all that the truth may be.
bool holds(const Known& number, const Ball& truth) {
  const Ball off = sub(truth, Ball(exact(number.value)), bits);
  return std::max(abs(off.lower()), abs(off.upper())) <= exact(number.radius);
}

/// What enclosures hold of many numbers.
struct Held {
  std::size_t numbers = 0, escaped = 0;
};
using Change = std::function<void(Row&)>;
void leave(Row&) {}

template <RowOperation operation>
Held held_of_exponentials(int rows, const Change& change) {
  Random random(operation + 1);
  Held held;
  for (int r = 0; r < rows; ++r) {
    const std::vector<float> x = drawn(random);
    const RowFacts facts = facts_of<operation>(x);
    const Dyadic largest = exact(*std::ranges::max_element(x));
    EXPECT_EQ(facts.largest, largest.to_double_nearest());
    std::vector<Ball> exponentials;
    Ball rest;
    bool has_largest = false;
    for (const float each : x) {
      exponentials.push_back(exp(Ball(exact(each) - largest), bits));
      if (exact(each) == largest && !has_largest) {
        has_largest = true;
      } else {
        rest = add(rest, exponentials.back(), bits);
      }
    }
    const Ball sum = add(Ball(Dyadic(1)), rest, bits), log_sum = log1p(rest, bits);
    double scale = 1 + facts.rest;
    if (operation == log_softmax) {
      scale = facts.rest >= least_rest ? arf_get_d(arb_midref(log1p(Ball(exact(facts.rest)), 64).get()), ARF_RND_NEAR)
                                       : std::numeric_limits<double>::quiet_NaN();
    }
    Row row = row_of_exponentials(facts, scale);
    if (row.is_open != 0) continue;
    change(row);
    for (std::size_t i = 0; i < x.size(); ++i, ++held.numbers) {
      const Ball truth =
          operation == softmax ? div(exponentials[i], sum, bits) : sub(Ball(exact(x[i]) - largest), log_sum, bits);
      const Known number = operation == softmax ? number_of_softmax(x[i], row) : number_of_log_softmax(x[i], row);
      held.escaped += holds(number, truth) ? 0 : 1;
    }
  }
  return held;
}

/// √(v + ε) of a row, or of its squares; its mean, 0 without one; n is exact.
struct Norm {
  Ball mean, root;
};
Norm norm_of(const std::vector<float>& x, bool has_mean, double eps) {
  const Dyadic n = Dyadic(static_cast<std::uint64_t>(x.size()));
  Dyadic sum, squares;
  for (const float each : x) {
    if (has_mean) sum += exact(each);
    squares += exact(each) * exact(each);
  }
  const Ball variance = div(Ball(n * squares - sum * sum), Ball(n * n), bits);
  return {div(Ball(sum), Ball(n), bits), sqrt(add(variance, Ball(exact(eps)), bits), bits)};
}

template <RowOperation operation>
Held held_of_norms(int rows, const Change& change) {
  constexpr bool has_mean = operation == layer_norm;
  Random random(operation + 1);
  Held held;
  for (int r = 0; r < rows; ++r) {
    const std::vector<float> x = drawn(random);
    const double eps = std::ldexp(1.0, -static_cast<int>(random.below(30)));
    const Norm norm = norm_of(x, has_mean, eps);
    LeastSizes least{};
    Row row = row_of_norm(facts_of<operation>(x), has_mean, eps, least);
    if (row.is_open != 0) continue;
    EXPECT_LE(exact(least.inverse_root), div(Ball(Dyadic(1)), norm.root, bits).upper());
    EXPECT_LE(exact(least.mean), std::max(abs(norm.mean.lower()), abs(norm.mean.upper())));
    change(row);
    for (std::size_t i = 0; i < x.size(); ++i, ++held.numbers) {
      const double w = static_cast<float>(random.unit()),
                   b = random.below(3) == 0 ? 0 : static_cast<float>(random.unit());
      const Ball product = mul(sub(Ball(exact(x[i])), norm.mean, bits), Ball(exact(w)), bits);
      const Ball truth = add(div(product, norm.root, bits), Ball(exact(b)), bits);
      held.escaped += holds(number_of_norm(x[i], w, b, row), truth) ? 0 : 1;
    }
  }
  return held;
}

template <RowOperation operation>
Held held(int rows, const Change& change = leave) {
  if constexpr (operation == softmax || operation == log_softmax) return held_of_exponentials<operation>(rows, change);
  return held_of_norms<operation>(rows, change);
}

template <RowOperation operation>
void expect_all_inside() {
  const Held all = held<operation>(test::of_tier(300, 1200));
  EXPECT_EQ(all.escaped, 0U);
  EXPECT_GE(all.numbers, test::of_tier(20'000U, 100'000U));
}
TEST(NumbersOfRows, LieInTheirEnclosuresOfSoftmax) { expect_all_inside<softmax>(); }
TEST(NumbersOfRows, LieInTheirEnclosuresOfLogSoftmax) { expect_all_inside<log_softmax>(); }
TEST(NumbersOfRows, LieInTheirEnclosuresOfLayerNorm) { expect_all_inside<layer_norm>(); }
TEST(NumbersOfRows, LieInTheirEnclosuresOfRmsNorm) { expect_all_inside<rms_norm>(); }

template <RowOperation operation>
std::size_t escaped(const Change& change) {
  return held<operation>(60, change).escaped;
}

TEST(EnclosureOfARow, IsLeftWithoutItsRadius) {
  const Change forget = [](Row& row) { row.slack = row.lost = 0; };
  EXPECT_GT(escaped<softmax>(forget), 0U);
  EXPECT_GT(escaped<log_softmax>(forget), 0U);
  EXPECT_GT(escaped<layer_norm>(forget), 0U);
  EXPECT_GT(escaped<rms_norm>(forget), 0U);
}

TEST(EnclosureOfARow, IsLeftWithoutTheErrorOfItsMean) {
  EXPECT_GT(escaped<layer_norm>([](Row& row) { row.lost = 0; }), 0U);
}

TEST(EnclosureOfARow, IsLeftWithASumThatMissesANumber) {
  const Change miss = [](Row& row) { row.scale *= 1 - 0x1p-20; };
  EXPECT_GT(escaped<softmax>(miss), 0U);
  EXPECT_GT(escaped<layer_norm>(miss), 0U);
}

constexpr Numbers of_binary16{11, -14, 0, 1};

/// A positive number of binary16 by its pattern.
double half_at(std::uint64_t pattern) {
  const auto bits = static_cast<unsigned short>(pattern);
  return element_at<binary16>(&bits, 0);
}

TEST(ErrorOfAStoredNumber, IsTheDistanceFromTheNumbersThatAreRoundedToIt) {
  Random random(5);
  for (int k = 0; k < 200'000; ++k) {
    // Often a power of two, where the gap below is half the gap above; 0; a subnormal number.
    const std::uint64_t field = random.below(30), fraction = random.below(3) == 0 ? 0 : random.below(1024);
    const std::uint64_t pattern = field << 10 | fraction;
    const double got = half_at(pattern), next = half_at(pattern + 1),
                 before = pattern == 0 ? -next : half_at(pattern - 1);
    const double low = (got + before) / 2, high = (got + next) / 2;
    const double radius = std::ldexp(next - got, -static_cast<int>(4 + random.below(30)));
    const double truth = got + random.unit() * 3 * (next - got) + radius * random.unit();
    const double sign = random.below(2) == 0 ? 1 : -1;
    const double error =
        error_of_stored(sign * got, sign * (truth + radius * random.unit() - got), radius, of_binary16);
    const Dyadic outside = std::max(exact(low) - exact(truth), exact(truth) - exact(high));
    EXPECT_GE(exact(error), outside) << got << " for " << truth;
    EXPECT_LE(exact(error), std::max(Dyadic(), outside + exact(2.01 * radius))) << got << " for " << truth;
  }
}

TEST(ShareOfANumber, IsNegativeForOneThatIsNotShownToKeepARule) {
  const Known truth{1, 0x1p-20, 0x1p-12};
  constexpr Numbers binary32{24, -126, 0, 0};
  EXPECT_NEAR(share_of(truth, 1 + 0x1p-13, rule_within, binary32), 0.5, 0.01);
  EXPECT_LT(share_of(truth, 1 + 0x1.002p-12, rule_within, binary32), 0);
  EXPECT_LT(share_of({1, 0x1p-12, 0x1p-12}, 1 + 0x1p-23, rule_within, binary32), 0);
  EXPECT_NEAR(share_of({1, 0x1p-30, 0}, 1, rule_rounded, binary32), 0x1p-5, 1e-6);
  EXPECT_LT(share_of({1 + 0x1p-24, 0x1p-30, 0}, 1 + 0x1p-23, rule_rounded, binary32), 0);
  EXPECT_GT(share_of({1 + 0x1p-24, 0x1p-30, 0}, 1 + 0x1p-23, rule_faithful, binary32), 0);
  EXPECT_LT(share_of(truth, std::numeric_limits<double>::quiet_NaN(), rule_within, binary32), 0);
  EXPECT_LT(share_of(truth, std::numeric_limits<double>::infinity(), rule_within, binary32), 0);
}

TEST(RowThatNoKernelReached, IsOpen) {
  LeastSizes least{};
  EXPECT_EQ(row_of_exponentials(RowFacts{}, 1).is_open, 1);
  EXPECT_EQ(row_of_norm(RowFacts{}, true, 1e-5, least).is_open, 1);
}

}  // namespace
}  // namespace assay::enclosures
