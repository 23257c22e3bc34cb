#include "kernels/mp/mp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>

#include "kernels/mp/blas1.hpp"
#include "kernels/mp/blas2.hpp"
#include "kernels/mp/detail/mirror.hpp"
#include "kernels/mp/status.hpp"

namespace assay::mp {
namespace {

const Executor host = Executor::host();

MpArray array_of(std::vector<double> x, bool planes = false) { return mp_from_double(host, 8, x, planes); }

std::vector<double> values_of(const MpArray& x) { return mp_to_double(host, x); }

void expect_same(const MpArray& x, const MpArray& y) {
  EXPECT_EQ(x.n, y.n);
  EXPECT_EQ(x.planes, y.planes);
  EXPECT_EQ(x.length, y.length);
  EXPECT_EQ(x.digits, y.digits);
  EXPECT_EQ(x.sign, y.sign);
  EXPECT_EQ(x.exponent, y.exponent);
  for (std::size_t k = 0; k < x.length; ++k) {
    EXPECT_EQ(compare(x.lower[k], y.lower[k]), 0);
    EXPECT_EQ(compare(x.upper[k], y.upper[k]), 0);
  }
}

TEST(MpArray, KeepsNumbersInBothLayouts) {
  const MpArray x = array_of({1, -2.5, 0, 3e-300});
  expect_same(with_layout(with_layout(x, true), false), x);
}

TEST(MpArray, HasPlanesByModulus) {
  const MpArray major = array_of({3, 5});
  const MpArray planes = with_layout(major, true);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(planes.digits[i * 2 + k], major.digits[k * 9 + i]);
  }
}

TEST(MpArray, StartsAsZeros) { EXPECT_EQ(values_of(mp_zeros(8, 3)), (std::vector<double>{0, 0, 0})); }

TEST(MpOp, GivesTheSameBitsInBothLayouts) {
  const MpArray x = array_of({1.5, -7, 1e30});
  const MpArray y = array_of({0.1, 1e-40, 1e30});
  for (const MpOp op : {MpOp::add, MpOp::sub, MpOp::mul}) {
    const MpArray planes = mp_op(host, op, with_layout(x, true), with_layout(y, true));
    EXPECT_TRUE(planes.planes);
    expect_same(with_layout(planes, false), mp_op(host, op, x, y));
  }
}

TEST(MpOp, MultipliesADifference) {
  const MpArray z = mp_op(host, MpOp::difference_product, array_of({5}), array_of({3}), array_of({-0.5}));
  EXPECT_EQ(values_of(z), std::vector<double>{-1});
}

TEST(MpOp, TakesEmptyArrays) { EXPECT_EQ(mp_op(host, MpOp::add, array_of({}), array_of({})).length, 0u); }

TEST(MpOp, RefusesOperandsThatDoNotFit) {
  EXPECT_THROW(mp_op(host, MpOp::add, array_of({1, 2}), array_of({1})), std::invalid_argument);
  EXPECT_THROW(mp_op(host, MpOp::add, array_of({1}), mp_from_double(host, 16, std::vector<double>{1})),
               std::invalid_argument);
  EXPECT_THROW(mp_op(host, MpOp::round, array_of({1}), array_of({1})), std::invalid_argument);
  MpArray damaged = array_of({1});
  damaged.digits.pop_back();
  EXPECT_THROW(mp_op(host, MpOp::round, damaged), std::invalid_argument);
}

TEST(MpOp, RefusesOtherNumbersOfModuli) {
  EXPECT_THROW(mp_from_double(host, 9, std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(mp_op(host, MpOp::round, mp_zeros(4, 1)), std::invalid_argument);
}

TEST(MpFromLimbs, RefusesListsOfDifferentLengths) {
  EXPECT_THROW(mp_from_limbs(host, 8, {2, {1, 2, 3}, {0, 0}, {0, 0}}), std::invalid_argument);
  EXPECT_THROW(mp_from_limbs(host, 8, {1, {1, 2}, {0}, {0, 0}}), std::invalid_argument);
}

TEST(MpSumDepth, CountsLanesTreesAndBlocks) {
  constexpr std::pair<std::int64_t, int> depths[] = {{0, 0},  {1, 0},  {2, 1},       {3, 2},
                                                     {32, 5}, {33, 6}, {256, 7 + 5}, {257, 4 + 5 + 1}};
  for (const auto& [n, depth] : depths) EXPECT_EQ(mp_sum_depth(n), depth) << n;
}

TEST(MpBlas1, SumsUpWithStridesOfBothSigns) {
  const MpArray x = array_of({1, 100, -2, 100, 3});
  EXPECT_EQ(values_of(mp_asum(host, 3, x, 2))[0], 6);
  EXPECT_EQ(values_of(mp_asum(host, 3, x, -2))[0], 6);
  EXPECT_EQ(values_of(mp_sum_of_squares(host, 3, x, 2))[0], 14);
  EXPECT_EQ(values_of(mp_norm_inf(host, 3, x, 2))[0], 3);
}

TEST(MpBlas1, GivesTheLargestEntryAsTheFirstOfItsLikeHasIt) {
  // 6 as 3·2 and as 6·1: in two lanes, and 32 entries apart in one lane.
  const MpArray near = mp_from_limbs(host, 8, {1, {3, 6, 5}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(mp_norm_inf(host, 3, near, 1).exponent[0], 1);
  EXPECT_EQ(mp_norm_inf(host, 2, near, -1).exponent[0], 0);
  MpLimbs apart{1, std::vector<std::uint32_t>(33, 0), std::vector<std::int64_t>(33, 0), std::vector<std::int32_t>(33)};
  apart.limbs[0] = 3;
  apart.exponent[0] = 1;
  apart.limbs[32] = 6;
  EXPECT_EQ(mp_norm_inf(host, 33, mp_from_limbs(host, 8, apart), 1).exponent[0], 1);
  EXPECT_EQ(mp_norm_inf(host, 33, mp_from_limbs(host, 8, apart), -1).exponent[0], 0);
}

TEST(MpBlas1, ReversesAVectorWithANegativeStride) {
  const MpArray x = array_of({1, 2, 3});
  EXPECT_EQ(values_of(mp_dot(host, 3, x, 1, array_of({1, 10, 100}), -1))[0], 123);
}

TEST(MpBlas1, GivesZeroForNoEntries) {
  EXPECT_EQ(values_of(mp_asum(host, 0, array_of({}), 1)), std::vector<double>{0});
  EXPECT_EQ(values_of(mp_dot(host, 0, array_of({}), -3, array_of({7}), 2)), std::vector<double>{0});
  EXPECT_EQ(values_of(mp_scal(host, 0, array_of({2}), array_of({7}), 1)), std::vector<double>{7});
  EXPECT_EQ(values_of(mp_axpy(host, 0, array_of({2}), array_of({}), 1, array_of({7}), -1)), std::vector<double>{7});
  const MpArray none = array_of({});
  EXPECT_EQ(mp_waxpby(host, 0, array_of({2}), none, -1, array_of({3}), none, 1, none, 1).length, 0u);
}

TEST(MpBlas1, SumsUpSeveralBlocks) {
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 0x1p70 : -1.0;
  EXPECT_EQ(values_of(mp_asum(host, 1000, array_of(x), 1))[0], 500 * 0x1p70);
  EXPECT_EQ(values_of(mp_norm_inf(host, 1000, array_of(x), 1))[0], 0x1p70);
}

TEST(MpBlas1, SumsUpBlocksOfBlocksInEveryOrder) {
  // 257 blocks, whose results two blocks sum up. In a descending order the last block leaves its result first.
  const std::size_t length = 65537;
  std::vector<double> x(length);
  for (std::size_t i = 0; i < length; ++i) x[i] = static_cast<double>(i);
  for (const bool planes : {false, true}) {
    for (const Order order : {Order::ascending, Order::descending}) {
      const Executor on = Executor::host(order);
      EXPECT_EQ(values_of(mp_asum(on, 65537, array_of(x, planes), 1))[0], 32768.0 * 65537);
      EXPECT_EQ(on.audit().guard_zone_violations, 0u);
    }
  }
}

TEST(MpBlas1, KeepsEntriesBetweenTheStrides) {
  EXPECT_EQ(values_of(mp_scal(host, 2, array_of({3}), array_of({1, 7, 2}), 2)), (std::vector<double>{3, 7, 6}));
  EXPECT_EQ(values_of(mp_axpy(host, 2, array_of({2}), array_of({1, 5}), -1, array_of({1, 7, 2}), 2)),
            (std::vector<double>{11, 7, 4}));
  EXPECT_EQ(values_of(mp_waxpby(host, 2, array_of({2}), array_of({1, 5}), 1, array_of({-1}), array_of({1, 1}), 1,
                                array_of({9, 8, 7}), -2)),
            (std::vector<double>{9, 8, 1}));
}

TEST(MpBlas1, DoesNotReadXWhereAlphaIsZero) {
  MpArray x = array_of({1});
  x.digits.assign(x.digits.size(), 0xFFFFFFFF);
  x.exponent[0] = mp::out_of_range_exponent;
  EXPECT_EQ(values_of(mp_axpy(host, 1, array_of({0}), x, 1, array_of({4}), 1)), std::vector<double>{4});
}

TEST(MpBlas1, ScalesByOneWithoutAChange) {
  const MpArray x = array_of({0.1, -3});
  expect_same(mp_scal(host, 2, array_of({1}), x, 1), x);
}

TEST(MpNrm2, IsExactForASquare) {
  EXPECT_EQ(values_of(mp_nrm2(host, 2, array_of({3, -4}), 1)), std::vector<double>{5});
  EXPECT_EQ(values_of(mp_nrm2(host, 2, array_of({3, 9, -4}), -2)), std::vector<double>{5});
}

TEST(MpNrm2, IsZeroForZerosAndForNoEntries) {
  EXPECT_EQ(values_of(mp_nrm2(host, 2, array_of({0, 0}), 1)), std::vector<double>{0});
  EXPECT_EQ(values_of(mp_nrm2(host, 0, array_of({}), 1)), std::vector<double>{0});
}

/// The numbers of x with the exponent e.
MpArray with_exponent(MpArray x, std::int32_t e) {
  for (std::int32_t& each : x.exponent) each = e;
  return x;
}

TEST(MpNrm2, StaysInRangeWhereSquaresDoNot) {
  const MpArray threes = mp_from_limbs(host, 8, {1, {3, 4}, {0, 0}, {0, 0}});
  for (const std::int32_t e : {mp::exponent_limit, -mp::exponent_limit}) {
    const MpArray norm = mp_nrm2(host, 2, with_exponent(threes, e), 1);
    ASSERT_EQ(norm.exponent[0], e);
    EXPECT_EQ(values_of(with_exponent(norm, 0)), std::vector<double>{5});
  }
}

TEST(MpNrm2, LeavesOutWhatIsFarBelowTheUnit) {
  const MpArray x = mp_from_limbs(host, 8, {1, {7, 7, 7}, {100, 100 - (1 << 30), 99}, {0, 0, 0}});
  const MpArray without = mp_from_limbs(host, 8, {1, {7, 0, 7}, {100, 0, 99}, {0, 0, 0}});
  expect_same(mp_nrm2(host, 3, x, 1), mp_nrm2(host, 3, without, 1));
}

TEST(MpNrm2, TakesItsUnitFromNumbersThatAreNotZero) {
  const MpArray x = mp_from_limbs(host, 8, {1, {3, 4, 0}, {0, 0, 0}, {0, 0, 0}});
  MpArray small = with_exponent(x, -mp::exponent_limit);
  small.exponent[2] = x.exponent[2];
  const MpArray norm = mp_nrm2(host, 3, small, 1);
  EXPECT_EQ(norm.exponent[0], -mp::exponent_limit);
  EXPECT_EQ(values_of(with_exponent(norm, 0)), std::vector<double>{5});
}

TEST(MpNrm2, HandsOnANumberOutOfRange) {
  EXPECT_EQ(mp_nrm2(host, 2, array_of({1, std::numeric_limits<double>::infinity()}), 1).exponent[0],
            mp::out_of_range_exponent);
}

TEST(MpRot, TurnsPairsAndKeepsEntriesBetweenTheStrides) {
  const MpPair z = mp_rot(host, 2, array_of({1, 7, 2}), 2, array_of({10, 20}), -1, array_of({3}), array_of({-1}));
  EXPECT_EQ(values_of(z.x), (std::vector<double>{3 - 20, 7, 6 - 10}));
  EXPECT_EQ(values_of(z.y), (std::vector<double>{30 + 2, 60 + 1}));
}

TEST(MpGer, AddsTheProductOfTwoVectors) {
  const MpArray a = array_of({1, 2, 77, 3, 4});
  const MpArray z = mp_ger(host, 2, 2, array_of({2}), array_of({1, 10}), 1, array_of({100, 5, 1}), -2, a, 3);
  EXPECT_EQ(values_of(z), (std::vector<double>{1 + 2, 2 + 20, 77, 3 + 200, 4 + 2000}));
}

TEST(MpGer, ReadsNothingWhereAlphaIsZero) {
  MpArray x = array_of({1});
  x.exponent[0] = mp::out_of_range_exponent;
  expect_same(mp_ger(host, 1, 1, array_of({0}), x, 1, x, 1, array_of({0.1}), 1), array_of({0.1}));
}

TEST(MpGer, TakesEmptyMatrices) {
  expect_same(mp_ger(host, 0, 2, array_of({1}), array_of({}), 1, array_of({1, 2}), 1, array_of({5}), 1), array_of({5}));
}

TEST(MpSyr, WritesOneTriangle) {
  const MpArray a = array_of({1, 1, 1, 1});
  const MpArray x = array_of({2, 3});
  EXPECT_EQ(values_of(mp_syr(host, blas::Triangle::upper, 2, array_of({1}), x, 1, a, 2)),
            (std::vector<double>{5, 1, 7, 10}));
  EXPECT_EQ(values_of(mp_syr(host, blas::Triangle::lower, 2, array_of({1}), x, 1, a, 2)),
            (std::vector<double>{5, 7, 1, 10}));
}

TEST(MpSymv, ReadsOneTriangleInEveryLayout) {
  for (const bool planes : {false, true}) {
    const MpArray a = array_of({1, 2, 3, 4}, planes);
    const auto product = [&](blas::Triangle uplo) {
      return values_of(
          mp_symv(host, uplo, 2, array_of({1}), a, 2, array_of({1, 10}), 1, array_of({1}), array_of({100, 0}), 1));
    };
    EXPECT_EQ(product(blas::Triangle::upper), (std::vector<double>{131, 43}));
    EXPECT_EQ(product(blas::Triangle::lower), (std::vector<double>{121, 42}));
  }
}

TEST(MpSymv, MirrorsItsTriangleInAllParts) {
  for (const bool planes : {false, true}) {
    const MpArray a = array_of({1, 2, 77, 3, 4}, planes);
    expect_same(detail::mirrored(blas::Triangle::upper, 2, a, 3), array_of({1, 3, 3, 4}, planes));
    expect_same(detail::mirrored(blas::Triangle::lower, 2, a, 3), array_of({1, 2, 2, 4}, planes));
  }
}

TEST(MpStatus, CountsNumbersOutOfRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(mp_status(array_of({1, 0, -2})).all_in_range());
  EXPECT_EQ(mp_status(array_of({1, 0, -2})).first, 3u);
  const MpStatus status = mp_status(array_of({1, infinity, 2, infinity}));
  EXPECT_EQ(status.out_of_range, 2u);
  EXPECT_EQ(status.first, 1u);
}

TEST(MpBlas2, HandsOnNumbersOutOfRange) {
  const MpArray x = array_of({1, std::numeric_limits<double>::infinity()});
  const MpArray ones = array_of({1, 1});
  const MpArray one = array_of({1});
  EXPECT_EQ(mp_status(mp_ger(host, 2, 2, one, x, 1, ones, 1, array_of({1, 1, 1, 1}), 2)).out_of_range, 2u);
  EXPECT_EQ(mp_status(mp_syr(host, blas::Triangle::upper, 2, one, x, 1, array_of({1, 1, 1, 1}), 2)).out_of_range, 2u);
  EXPECT_EQ(mp_status(mp_rot(host, 2, x, 1, ones, 1, one, one).y).first, 1u);
  EXPECT_EQ(mp_status(mp_symv(host, blas::Triangle::upper, 2, one, array_of({1, 0, 0, 1}), 2, x, 1, one, ones, 1))
                .out_of_range,
            2u);
}

TEST(MpBlas2, RefusesWrongArguments) {
  const MpArray one = array_of({1});
  const MpArray x = array_of({1, 2});
  EXPECT_THROW(mp_ger(host, 2, 1, one, x, 1, x, 1, x, 1), std::invalid_argument);
  EXPECT_THROW(mp_ger(host, 2, 2, one, x, 1, x, 1, x, 2), std::invalid_argument);
  EXPECT_THROW(mp_ger(host, -1, 1, one, x, 1, x, 1, x, 2), std::invalid_argument);
  EXPECT_THROW(mp_syr(host, blas::Triangle::upper, 2, x, x, 1, array_of({1, 2, 3, 4}), 2), std::invalid_argument);
  EXPECT_THROW(mp_symv(host, blas::Triangle::upper, 2, one, array_of({1, 2, 3}), 2, x, 1, one, x, 1),
               std::invalid_argument);
  EXPECT_THROW(mp_rot(host, 1, x, 1, x, 1, one, x), std::invalid_argument);
  EXPECT_THROW(mp_nrm2(host, 3, x, 1), std::invalid_argument);
}

TEST(MpBlas1, RefusesWrongArguments) {
  const MpArray x = array_of({1, 2});
  EXPECT_THROW(mp_asum(host, -1, x, 1), std::invalid_argument);
  EXPECT_THROW(mp_asum(host, 1, x, 0), std::invalid_argument);
  EXPECT_THROW(mp_asum(host, 2, x, 2), std::invalid_argument);
  EXPECT_THROW(mp_scal(host, 2, x, x, 1), std::invalid_argument);
  EXPECT_THROW(mp_dot(host, 2, x, 1, mp_from_double(host, 16, std::vector<double>{1, 2}), 1), std::invalid_argument);
}

TEST(MpQueued, CallsHaveTheBitsOfThoseOnArrays) {
  using Set = rns::Standard<8>;
  for (const std::int64_t length : {1, 7, 900}) {  // 900: several blocks of a sum
    const auto size = static_cast<std::size_t>(length);
    std::vector<double> first, second;
    for (std::size_t i = 0; i < size; ++i) {
      first.push_back(1 / (1.5 + static_cast<double>(i)));
      second.push_back(static_cast<double>(i % 5) - 2.25);
    }
    const MpArray x = array_of(first, true);
    const MpArray y = array_of(second, true);
    const MpArray alpha = array_of({-0.3}, true);
    const MpArrayOn<Set> a(host, alpha);
    const MpArrayOn<Set> u(host, x);
    const auto after = [&](const MpArray& start, auto queue) {
      const MpArrayOn<Set> r(host, start);
      queue(r.numbers());
      return r.take();
    };
    expect_same(after(x, [&](const MpNumbersOn& r) { queue_mp_scal(host, length, a.numbers(), r); }),
                mp_scal(host, length, alpha, x, 1));
    expect_same(after(y, [&](const MpNumbersOn& r) { queue_mp_axpy(host, length, a.numbers(), u.numbers(), r); }),
                mp_axpy(host, length, alpha, x, 1, y, 1));
    const MpArrayOn<Set> v(host, y);
    expect_same(after(x,
                      [&](const MpNumbersOn& r) {
                        queue_mp_waxpby(host, length, a.numbers(), u.numbers(), a.numbers(), v.numbers(), r);
                      }),
                mp_waxpby(host, length, alpha, x, 1, alpha, y, 1, x, 1));
    const MpArrayOn<Set> partial(host, static_cast<std::size_t>(mp_sum_workspace(length)), true);
    expect_same(
        after(alpha, [&](const MpNumbersOn& r) { queue_mp_asum(host, length, v.numbers(), partial.numbers(), r); }),
        mp_asum(host, length, y, 1));
    expect_same(after(alpha,
                      [&](const MpNumbersOn& r) {
                        queue_mp_dot(host, length, u.numbers(), v.numbers(), partial.numbers(), r);
                      }),
                mp_dot(host, length, x, 1, y, 1));
    static_cast<void>(partial.take());
  }
  // A is 3 × 2 with a leading dimension of 4.
  const MpArray x = array_of({1.5, 2.5, 3.5}, true);
  const MpArray y = array_of({-1, 0.1}, true);
  const MpArray a = array_of({1, 2, 3, 4, 5, 6, 7, 8}, true);
  const MpArrayOn<Set> u(host, x);
  const MpArrayOn<Set> v(host, y);
  const MpArrayOn<Set> r(host, a);
  queue_mp_ger(host, 3, 2, u.numbers(), v.numbers(), r.numbers(), 4);
  expect_same(r.take(), mp_ger(host, 3, 2, array_of({1}), x, 1, y, 1, a, 4));
}

}  // namespace
}  // namespace assay::mp
