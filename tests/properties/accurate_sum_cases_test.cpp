#include "properties/catalog/sum/accurate_cases.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "arith/float/small_float.hpp"
#include "drawn_cases.hpp"
#include "oracle/round.hpp"
#include "properties/catalog/sum/exact_dot_cases.hpp"
#include "properties/draws/sum/limit_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay::sum {
namespace {

using oracle::Dyadic;
using oracle::Rounding;

constexpr const char* tie = "tie of either parity, tie ± tiny, hidden by cancellation";
constexpr const char* beside = "just below and above a power of two";
constexpr const char* extremal = "n = 2^M − 2 maximal terms of one sign";

/// The exact sums of cases of a class.
template <class T>
std::vector<Dyadic> sums_of(const std::string& name, SumRoom room = SumRoom::any, std::uint64_t count = 300) {
  std::vector<Dyadic> sums;
  const auto domain = accurate_sum_domain<T>(room);
  for (const auto& each : draw(class_named(domain, name), count)) sums.push_back(exact_sum_of(each));
  return sums;
}

/// 300 cases of a class of sums in binary64.
std::vector<SumCase<double>> cases_of(const std::string& name, SumRoom room) {
  const auto domain = accurate_sum_domain<double>(room);
  return draw(class_named(domain, name), 300);
}

template <class T>
Dyadic rounded_to(const Dyadic& x, Rounding direction) {
  return oracle::decode_finite(format_of<T>(), oracle::round(x, format_of<T>(), direction));
}

/// 2·x − RD(x) − RU(x): 0 for a number of T or a tie.
template <class T>
Dyadic off_middle(const Dyadic& x) {
  return x + x - rounded_to<T>(x, Rounding::down) - rounded_to<T>(x, Rounding::up);
}

TEST(AccurateSumDomain, ContainsWhatItsClassesDraw) {
  for (const SumRoom room : {SumRoom::transform, SumRoom::scaled, SumRoom::any}) {
    expect_inside(accurate_sum_domain<double>(room), 200);
    expect_inside(accurate_sum_domain<float>(room), 200);
  }
  expect_inside(accurate_sum_domain<double>(SumRoom::any, longest_exact_sum), 50);
  expect_inside(accurate_sum_domain<float>(SumRoom::scaled, detail::first_sign_trap<float>), 100);
  expect_inside(refused_sum_domain<double>(), 200);
  expect_inside(refused_sum_domain<float>(), 200);
}

TEST(ShortDomains, ContainWhatTheirClassesDraw) {
  expect_inside(short_sum_domain<binary16>(), 50);
  expect_inside(short_sum_domain<bfloat16>(), 100);
  expect_inside(short_dot_domain<binary16>(), 50);
  expect_inside(short_dot_domain<bfloat16>(), 100);
}

TEST(ShortDomains, ReachTheLastLengthOfEachConditionAndTheNext) {
  std::set<std::size_t> lengths;
  for (const auto& each : draw(class_named(short_sum_domain<bfloat16>(), "n at a limit, dense, one sign"), 300)) {
    lengths.insert(each.x.size());
  }
  for (const std::size_t limit : {64, 128, 256, 512}) {
    for (const std::size_t n : {limit - 1, limit, limit + 1}) EXPECT_TRUE(lengths.contains(n)) << n;
  }
}

TEST(AccurateSumDomain, HasEveryPairOfItsTraitsInTheirRows) {
  for (const SumRoom room : {SumRoom::transform, SumRoom::scaled, SumRoom::any}) {
    expect_all_pairs(accurate_sum_domain<double>(room));
    expect_all_pairs(with_orders(accurate_sum_domain<float>(room)));
  }
}

TEST(ExactDotDomain, ContainsWhatItsClassesDraw) { expect_inside(exact_dot_domain<double>(), 200); }

TEST(ExactDotDomain, HasEveryPairOfItsTraitsInTheirRows) { expect_all_pairs(with_orders(exact_dot_domain<double>())); }

TEST(AccurateSumDomain, DrawsDifferentCasesInEveryClass) {
  for (const auto& input_class : accurate_sum_domain<float>(SumRoom::any).classes) {
    std::set<std::vector<std::uint32_t>> seen;
    for (const auto& each : draw(input_class, 60)) {
      std::vector<std::uint32_t> bits;
      for (const float x : each.x) bits.push_back(to_bits(x));
      seen.insert(std::move(bits));
    }
    EXPECT_GT(seen.size(), 30u) << input_class.name;
  }
}

TEST(AccurateSumDomain, HasRoomForTheTransformUpToItsLimit) {
  const auto domain = accurate_sum_domain<double>(SumRoom::transform);
  EXPECT_TRUE(domain.contains({std::vector<double>(6, 0x1p1020)}));
  EXPECT_FALSE(domain.contains({std::vector<double>(7, 0x1p1020)}));
  EXPECT_FALSE(domain.contains({std::vector<double>(6, 0x1.0000000000001p1020)}));
}

TEST(AccurateSumDomain, ScalesLargeTermsWhereNoPlaceIsLost) {
  const auto domain = accurate_sum_domain<double>(SumRoom::scaled);
  EXPECT_TRUE(domain.contains({{0x1p1023, 0x1p1023, 0x1p-1069}}));
  EXPECT_FALSE(domain.contains({{0x1p1023, 0x1p1023, 0x1p-1070}}));
  EXPECT_TRUE(domain.contains({{0x1p1017, 0x1p1017, 0x1p-1074}}));
  EXPECT_FALSE(domain.contains({{0x1p1018, 0x1p1017, 0x1p-1074}}));
}

TEST(AccurateSumDomain, TakesAnyFiniteNumbersWhereNoRoomIsNeeded) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_TRUE(accurate_sum_domain<double>(SumRoom::any).contains({std::vector<double>(4094, largest)}));
  EXPECT_FALSE(accurate_sum_domain<double>(SumRoom::any).contains({std::vector<double>(4095, 1)}));
  EXPECT_FALSE(accurate_sum_domain<double>(SumRoom::any).contains({{std::numeric_limits<double>::infinity()}}));
}

TEST(HiddenTieClass, DrawsTiesOfBothParitiesAndPlacesBesideThem) {
  int even = 0;
  int odd = 0;
  int off = 0;
  for (const Dyadic& sum : sums_of<double>(tie)) {
    const Dyadic down = rounded_to<double>(sum, Rounding::down);
    if (down == sum) continue;
    const bool is_tie = off_middle<double>(sum).is_zero();
    const bool goes_down = rounded_to<double>(sum, Rounding::nearest) == down;
    even += is_tie && goes_down ? 1 : 0;
    odd += is_tie && !goes_down ? 1 : 0;
    off += is_tie ? 0 : 1;
  }
  EXPECT_GT(even, 20);
  EXPECT_GT(odd, 20);
  EXPECT_GT(off, 100);
}

TEST(HiddenTieClass, LeavesLessThanATinyPartOfAPlaceBesideTies) {
  int far_below = 0;
  for (const Dyadic& sum : sums_of<float>(tie)) {
    const Dyadic off = off_middle<float>(sum);
    far_below += !off.is_zero() && off.exponent() < sum.exponent() - 60 ? 1 : 0;
  }
  EXPECT_GT(far_below, 20);
}

TEST(BesidePowerOfTwoClass, DrawsBothSidesOfTheMiddleBelow) {
  int nearer_to_power = 0;
  int nearer_to_predecessor = 0;
  for (const Dyadic& sum : sums_of<double>(beside)) {
    const Dyadic magnitude = abs(sum);
    if (rounded_to<double>(magnitude, Rounding::up).bit_length() != 1) continue;
    const int side = off_middle<double>(magnitude).sign();
    nearer_to_power += side > 0 ? 1 : 0;
    nearer_to_predecessor += side < 0 ? 1 : 0;
  }
  EXPECT_GT(nearer_to_power, 20);
  EXPECT_GT(nearer_to_predecessor, 20);
}

TEST(ExtremalClass, ComesToNearlyTheWholeHeadroom) {
  const auto domain = accurate_sum_domain<double>(SumRoom::transform);
  std::set<std::size_t> lengths;
  for (const auto& each : draw(class_named(domain, extremal), 300)) {
    lengths.insert(each.x.size());
    EXPECT_GE(exact_sum_of(each).exponent(), parts_of(each.x[0]).leading() + sum_headroom(each.x.size()) - 2);
  }
  for (const std::size_t n : {2u, 6u, 14u, 30u, 62u, 126u, 254u}) EXPECT_TRUE(lengths.contains(n)) << n;
}

/// How many of `all` are of a first and of a second kind: `kinds(each)` returns both answers.
template <class All, class Kinds>
std::pair<int, int> counts(const All& all, const Kinds& kinds) {
  std::pair<int, int> sums;
  for (const auto& each : all) {
    const std::pair<bool, bool> is = kinds(each);
    sums.first += is.first ? 1 : 0;
    sums.second += is.second ? 1 : 0;
  }
  return sums;
}

TEST(SubnormalClass, DrawsZeroSubnormalAndNormalSums) {
  const auto [zero, subnormal] = counts(sums_of<float>("sums in the subnormal range"), [](const Dyadic& sum) {
    return std::pair(sum.is_zero(), !sum.is_zero() && sum.exponent() < FloatTraits<float>::emin);
  });
  EXPECT_GT(zero, 20);
  EXPECT_GT(subnormal, 60);
}

TEST(BeyondTheLargestClass, HasFiniteSumsOfPartialSumsThatOverflow) {
  const auto cases = cases_of("partial sums beyond the largest number", SumRoom::any);
  const auto [finite, infinite] = counts(cases, [](const SumCase<double>& each) {
    double partial = 0;
    bool overflows = false;
    for (const double x : each.x) {
      partial = partial + x;
      overflows = overflows || !is_finite(partial);
    }
    const std::uint64_t rounded = oracle::round(exact_sum_of(each), oracle::binary64, Rounding::nearest);
    const bool is_finite_sum = oracle::is_finite(oracle::binary64, rounded);
    return std::pair(overflows && is_finite_sum, !is_finite_sum);
  });
  EXPECT_GT(finite, 30);
  EXPECT_GT(infinite, 30);
}

TEST(WanderingClass, MovesOverTheRangeInLongVectors) {
  const auto domain = accurate_sum_domain<double>(SumRoom::any, longest_exact_sum);
  int wide = 0;
  int hidden = 0;
  for (const auto& each : draw(class_named(domain, "many terms, exponents that wander"), 60)) {
    const ExactSums sums = exact_sums(each);
    wide += each.x.size() > longest_accurate_sum && sums.magnitudes.exponent() > 600 ? 1 : 0;
    hidden += !sums.sum.is_zero() && sums.sum.exponent() < sums.magnitudes.exponent() - 100 ? 1 : 0;
  }
  EXPECT_GT(wide, 5);
  EXPECT_GT(hidden, 15);
}

TEST(ZeroClass, DrawsSumsOfMinusZero) {
  const auto cases = cases_of("zeros of both signs", SumRoom::transform);
  const auto [minus, plus] = counts(cases, [](const SumCase<double>& each) {
    EXPECT_TRUE(exact_sum_of(each).is_zero());
    return std::pair(sums_to_negative_zero(each), !sums_to_negative_zero(each));
  });
  EXPECT_GT(minus, 60);
  EXPECT_GT(plus, 60);
}

TEST(SumsToNegativeZero, NeedsATermAndOnlyMinusZeros) {
  EXPECT_TRUE(sums_to_negative_zero(SumCase<double>{{-0.0, -0.0}}));
  EXPECT_FALSE(sums_to_negative_zero(SumCase<double>{{}}));
  EXPECT_FALSE(sums_to_negative_zero(SumCase<double>{{-0.0, 0.0}}));
  EXPECT_FALSE(sums_to_negative_zero(SumCase<double>{{1, -1}}));
}

TEST(SumsToNegativeZero, LooksAtTheSignsOfProducts) {
  EXPECT_TRUE(sums_to_negative_zero(DotCase<double>{{-0.0, 0.0, -3}, {2, -0.0, 0.0}}));
  EXPECT_FALSE(sums_to_negative_zero(DotCase<double>{{-0.0}, {-2}}));
  EXPECT_FALSE(sums_to_negative_zero(DotCase<double>{{-0x1p-1000}, {0x1p-1000}}));
}

TEST(ExactDotDomain, DrawsTiesDecidedBelowTheLowestPlace) {
  const auto domain = exact_dot_domain<double>();
  int below = 0;
  for (const auto& each : draw(class_named(domain, "tie beside a product below the lowest place"), 300)) {
    const Dyadic sum = exact_sum_of(each);
    below += !sum.is_zero() && sum.lowest_exponent() < -1074 ? 1 : 0;
  }
  EXPECT_GT(below, 150);
}

TEST(Reordered, HasTheSameTerms) {
  const auto domain = with_orders(exact_dot_domain<double>());
  for (const auto& each : draw(domain.classes[0], 100)) {
    const DotCase<double> other = reordered(each);
    std::multiset<std::pair<double, double>> before;
    std::multiset<std::pair<double, double>> after;
    for (std::size_t i = 0; i < each.x.size(); ++i) {
      before.emplace(each.x[i], each.y[i]);
      after.emplace(other.x[i], other.y[i]);
    }
    ASSERT_EQ(before, after);
  }
}

TEST(Reordered, RunsBackwardsForOrderZero) {
  EXPECT_EQ(reordered(Ordered<SumCase<double>>{{{1, 2, 3}}, 0}).x, (std::vector<double>{3, 2, 1}));
}

TEST(Reordered, IsAFixedRuleForEveryOtherOrder) {
  EXPECT_EQ(detail::places_in_order(6, 1), detail::places_in_order(6, 1));
  EXPECT_NE(detail::places_in_order(100, 1), detail::places_in_order(100, 2));
}

TEST(PackedTwice, LaysEveryCaseBesideItsOtherOrder) {
  const std::vector<Ordered<SumCase<double>>> cases{{{{1, 2}}, 0}, {{{3}}, 0}};
  const auto all = packed_twice(std::span<const Ordered<SumCase<double>>>(cases));
  EXPECT_EQ(all.x, (std::vector<double>{1, 2, 2, 1, 3, 3}));
  EXPECT_EQ(all.offsets, (std::vector<std::size_t>{0, 2, 4, 5, 6}));
}

TEST(WithOrders, KeepsTheOrderWhileTermsAreDropped) {
  const auto domain = with_orders(accurate_sum_domain<double>(SumRoom::any));
  const auto smaller = smaller_in_structure(domain, Ordered<SumCase<double>>{{{3, 1, -3}}, 5});
  EXPECT_TRUE(std::any_of(smaller.begin(), smaller.end(), [](const Ordered<SumCase<double>>& c) {
    return c.x == std::vector<double>{1} && c.order == 5;
  }));
}

}  // namespace
}  // namespace assay::sum
