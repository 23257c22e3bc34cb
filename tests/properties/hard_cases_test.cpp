#include "properties/framework/hard_cases.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/Random.h>

#include "arith/float/small_float.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

constexpr std::uint64_t draws = 1000;

Draw draw_for(std::uint64_t number) { return Draw(random_for(13, "hard_cases_test", number)); }

/// |truth − nearest number of p + 1 bits| in units of the last of those bits is at most `limit`: the distance to the
/// nearest midpoint or number is that small.
template <class T>
bool near_half_ulp(const oracle::Exact& truth, const Dyadic& limit) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr oracle::Format wide{p + 1, -126, 127};
  const Dyadic nearest = oracle::decode_finite(wide, oracle::round(truth, wide, oracle::Rounding::nearest));
  const Dyadic unit = Dyadic::scaled(1, nearest.exponent() - p);
  return oracle::check_error(nearest, truth, limit * unit, Dyadic(1)).within == oracle::Answer::yes;
}

template <class T>
class HardCases : public testing::Test {};
using Formats = testing::Types<double, float, Toy<8>>;
TYPED_TEST_SUITE(HardCases, Formats);

TYPED_TEST(HardCases, QuotientsLieWithinSevenUnitsOverTheDivisorOfAMidpointOrANumber) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const Pair<TypeParam> c = draw_hard_quotient<TypeParam>(draw, 0, {-40, 40});
    const oracle::Exact truth = oracle::quotient(value_of(c.a), value_of(c.b));
    ASSERT_TRUE(near_half_ulp<TypeParam>(truth, Dyadic::scaled(7, 3 - p))) << bits_of(c.a) << ' ' << bits_of(c.b);
  }
}

TYPED_TEST(HardCases, RootsLieNextToAMidpointOrANumber) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const TypeParam a = draw_hard_square<TypeParam>(draw, {-40, 40});
    ASSERT_GT(value_of(a).sign(), 0);
    ASSERT_TRUE(near_half_ulp<TypeParam>(oracle::square_root(value_of(a)), Dyadic::scaled(33, 1 - p))) << bits_of(a);
  }
}

TYPED_TEST(HardCases, FusedCancellationLeavesLittleOfTheProduct) {
  std::uint64_t small = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const auto c = draw_fused_cancellation<TypeParam>(draw, {-20, 20});
    const Dyadic product = value_of(c.a) * value_of(c.b);
    const Dyadic sum = product + value_of(c.c);
    small += sum.is_zero() || sum.exponent() < product.exponent() - FloatTraits<TypeParam>::precision + 4 ? 1u : 0u;
  }
  EXPECT_EQ(small, draws);
}

TYPED_TEST(HardCases, DivisorsAreNotZero) {
  for (const auto& each : quotient_pair_classes<TypeParam>()) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Pair<TypeParam> c = each.generator(random_for(3, each.name, i));
      ASSERT_NE(value_of(c.b).sign(), 0) << each.name;
    }
  }
}

TEST(SpecialClass, HasASpecialOperandInEveryCase) {
  const auto special = special_class<double, Pair<double>>();
  const auto is_special = [](double x) {
    const std::uint64_t magnitude = bits_of(x) & ~(std::uint64_t{1} << 63);
    return magnitude <= 1 || magnitude >= oracle::binary64.largest_finite() || magnitude == 0x0010000000000000 ||
           magnitude == 0x3ff0000000000000;
  };
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Pair<double> c = special.generator(random_for(3, "special", i));
    ASSERT_TRUE(is_special(c.a) || is_special(c.b));
  }
}

TEST(Mapped, AppliesTheFunctionToEveryClass) {
  const auto plain = number_classes<double>({-3, 3});
  const auto negative = mapped(plain, [](Single<double> x) { return Single<double>{negated(x.a)}; });
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const auto random = random_for(3, "mapped", k);
    EXPECT_EQ(plain[k].generator(random).a, -negative[k].generator(random).a);
  }
}

}  // namespace
}  // namespace assay
