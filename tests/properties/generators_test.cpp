#include "properties/framework/generators.hpp"

#include <gtest/gtest.h>

#include <set>

#include <rapidcheck.h>

#include "arith/float/small_float.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

constexpr std::uint64_t draws = 2000;

template <class Case>
Case case_of(const InputClass<Case>& input_class, std::uint64_t number) {
  return input_class.generator(random_for(7, input_class.name, number));
}

Draw draw_for(std::uint64_t number) { return Draw(random_for(11, "generators_test", number)); }

TEST(CaseGenerator, MakesTheCasesOfAGeneratorOfRapidCheck) {
  const rc::Gen<Single<double>> of_rapidcheck =
      rc::gen::map(rc::gen::element(1.0, 2.0, 3.0, 4.0), [](double a) { return Single<double>{a}; });
  const CaseGenerator<Single<double>> generator = of_rapidcheck;
  std::set<double> made;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const rc::Random random = random_for(5, "rapidcheck", i);
    const double a = generator(random).a;
    ASSERT_EQ(a, of_rapidcheck(random, 0).value().a);
    made.insert(a);
  }
  EXPECT_EQ(made, (std::set{1.0, 2.0, 3.0, 4.0}));
}

template <class T>
class Generators : public testing::Test {};
using Formats = testing::Types<double, float, binary16, bfloat16, e5m2, Toy<3>, Toy<8>>;
TYPED_TEST_SUITE(Generators, Formats);

TYPED_TEST(Generators, ComposeIsTheInverseOfParts) {
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const int exponent = draw_exponent<TypeParam>(draw, Exponents::full_range, full_box<TypeParam>());
    const TypeParam x = draw_number<TypeParam>(draw, Significand::any, exponent);
    const NumberParts parts = parts_of(x);
    ASSERT_EQ(parts.leading(), exponent);
    ASSERT_EQ(bits_of(compose<TypeParam>(parts.negative, parts.significand, parts.exponent)), bits_of(x));
    ASSERT_EQ(value_of(x), oracle::Dyadic::scaled(static_cast<std::int64_t>(parts.significand), parts.exponent) *
                               oracle::Dyadic(parts.negative ? -1 : 1));
  }
}

TYPED_TEST(Generators, IsDoubleWordAgreesWithTheOracleNearTheBoundary) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const int exponent = draw_exponent<TypeParam>(draw, Exponents::full_range, full_box<TypeParam>());
    const TypeParam h = draw_number<TypeParam>(draw, Significand::any, exponent);
    const int low = std::max(exponent - p + draw.between(-2, 1), full_box<TypeParam>().low);
    const TypeParam l = stepped(draw_number<TypeParam>(draw, Significand::power_of_two, low), draw.between(-1, 1));
    const DoubleWord<TypeParam> x{h, l};
    ASSERT_EQ(is_double_word(x), is_normalised(x)) << bits_of(h) << ' ' << bits_of(l);
  }
}

TYPED_TEST(Generators, DoubleWordPairsStayInTheirBoxAndAreNormalised) {
  const Box box{full_box<TypeParam>().low, full_box<TypeParam>().high - 2};
  for (const auto& each : double_word_pair_classes<TypeParam>(box)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const DwDw<TypeParam> c = case_of(each, i);
      ASSERT_TRUE(is_normalised(c.x) && is_normalised(c.y)) << each.name;
      ASSERT_TRUE(in_box(c.x, box) && in_box(c.y, box)) << each.name;
    }
  }
}

TYPED_TEST(Generators, DoubleWordsAndNumbersStayInTheirBox) {
  const Box box{full_box<TypeParam>().low, full_box<TypeParam>().high - 2};
  for (const auto& each : double_word_number_classes<TypeParam>(box)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const DwFp<TypeParam> c = case_of(each, i);
      ASSERT_TRUE(is_normalised(c.x) && in_box(c.x, box) && in_box(c.y, box)) << each.name;
    }
  }
}

TYPED_TEST(Generators, PositiveDoubleWordsArePositive) {
  for (const auto& each : double_word_classes<TypeParam>(full_box<TypeParam>(), true)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Dw<TypeParam> c = case_of(each, i);
      ASSERT_TRUE(is_normalised(c.x) && value_of(c.x).sign() > 0) << each.name;
    }
  }
}

TYPED_TEST(Generators, SumPairsKeepTheirBoxAndOrder) {
  const Box box{full_box<TypeParam>().low, full_box<TypeParam>().high - 1};
  for (const auto& each : sum_pair_classes<TypeParam>(box, OperandOrder::larger_first)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Pair<TypeParam> c = case_of(each, i);
      ASSERT_TRUE(in_box(c.a, box) && in_box(c.b, box)) << each.name;
      ASSERT_FALSE(smaller_magnitude(c.a, c.b)) << each.name;
    }
  }
}

TYPED_TEST(Generators, ProductPairsKeepTheSumOfTheirExponents) {
  using F = FloatTraits<TypeParam>;
  const Box sum{F::emin + 1, F::emax - 1};
  for (const auto& each : product_pair_classes<TypeParam>(full_box<TypeParam>(), sum)) {
    for (std::uint64_t i = 0; i < draws; ++i) {
      const Pair<TypeParam> c = case_of(each, i);
      const int exponents = parts_of(c.a).leading() + parts_of(c.b).leading();
      ASSERT_TRUE(exponents >= sum.low && exponents <= sum.high) << each.name << ' ' << exponents;
    }
  }
}

TYPED_TEST(Generators, EveryGapOfExponentsIsVisited) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  std::set<int> gaps;
  const auto classes = sum_pair_classes<TypeParam>(full_box<TypeParam>(), OperandOrder::larger_first);
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Pair<TypeParam> c = case_of(classes[0], i);
    gaps.insert(parts_of(c.a).leading() - parts_of(c.b).leading());
  }
  for (int gap = 0; gap <= p + 3; ++gap) {
    EXPECT_TRUE(gaps.contains(gap)) << gap;
  }
}

/// Formats whose exponents reach further than a double word's words and gaps.
template <class T>
class WideGenerators : public testing::Test {};
using WideFormats = testing::Types<double, float, bfloat16, Toy<3>, Toy<8>>;
TYPED_TEST_SUITE(WideGenerators, WideFormats);

TYPED_TEST(WideGenerators, EveryGapOfDoubleWordsIsVisited) {
  constexpr int p = FloatTraits<TypeParam>::precision;
  std::set<int> between;
  std::set<int> inside;
  constexpr Box box = full_box<TypeParam>();
  const auto classes = double_word_pair_classes<TypeParam>(box);
  for (std::uint64_t i = 0; i < 2 * draws; ++i) {
    const DwDw<TypeParam> c = case_of(classes[0], i);
    between.insert(std::abs(parts_of(c.x.h).leading() - parts_of(c.y.h).leading()));
    if (parts_of(c.x.l).significand != 0) {
      inside.insert(parts_of(c.x.h).leading() - p - 1 - parts_of(c.x.l).leading());
    }
  }
  for (int gap = 0; gap <= p + 3; ++gap) {
    EXPECT_TRUE(between.contains(gap)) << gap;
    EXPECT_TRUE(inside.contains(gap)) << gap;
  }
}

TYPED_TEST(Generators, MostTiesAreTies) {
  const oracle::Format format = format_of<TypeParam>();
  std::uint64_t ties = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const Pair<TypeParam> c = draw_tie<TypeParam>(draw, false, full_box<TypeParam>());
    const oracle::Dyadic sum = value_of(c.a) + value_of(c.b);
    ties += !sum.is_zero() && sum.bit_length() == format.precision + 1 ? 1u : 0u;
  }
  EXPECT_GT(ties, draws / 3);
}

TYPED_TEST(Generators, ProductTiesAreTies) {
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const Pair<TypeParam> c = draw_product_tie<TypeParam>(draw, 0, 0);
    ASSERT_EQ((value_of(c.a) * value_of(c.b)).bit_length(), FloatTraits<TypeParam>::precision + 1);
  }
}

TYPED_TEST(Generators, SpecialValuesIncludeZerosInfinitiesAndNaNPayloads) {
  constexpr oracle::Format format = format_of<TypeParam>();
  std::set<std::uint64_t> seen;
  std::set<std::uint64_t> nans;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Draw draw = draw_for(i);
    const std::uint64_t bits = bits_of(draw_special<TypeParam>(draw));
    seen.insert(bits);
    if (oracle::is_nan(format, bits)) {
      nans.insert(bits);
    }
  }
  EXPECT_TRUE(seen.contains(0) && seen.contains(format.sign_mask()));
  EXPECT_TRUE(seen.contains(format.infinity()) && seen.contains(format.sign_mask() | format.infinity()));
  EXPECT_GT(nans.size(), 2u);
}

TEST(GeneratorClasses, CancelFullyAndPartly) {
  const auto classes = double_word_pair_classes<double>(full_box<double>());
  const auto found =
      std::find_if(classes.begin(), classes.end(), [](const auto& each) { return each.name == "cancellation"; });
  ASSERT_NE(found, classes.end());
  std::uint64_t high_words_cancel = 0;
  std::uint64_t few_places_left = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const DwDw<double> c = case_of(*found, i);
    high_words_cancel += c.x.h == -c.y.h ? 1u : 0u;
    few_places_left += c.x.h != -c.y.h && std::abs(c.x.h + c.y.h) < std::abs(c.x.h) * 0x1p-48 ? 1u : 0u;
  }
  EXPECT_GT(high_words_cancel, draws / 4);
  EXPECT_GT(few_places_left, draws / 20);
}

TEST(GeneratorClasses, OppositeSignsLieInTheSterbenzZone) {
  const auto classes = double_word_pair_classes<double>({-484, 483});
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [](const auto& each) { return each.name.starts_with("opposite signs"); });
  ASSERT_NE(found, classes.end());
  for (std::uint64_t i = 0; i < draws; ++i) {
    const DwDw<double> c = case_of(*found, i);
    ASSERT_TRUE(c.x.h / c.y.h >= -2 && c.x.h / c.y.h <= -0.5) << c.x.h << ' ' << c.y.h;
  }
}

TEST(Draw, IsAFunctionOfTheKey) {
  Draw first(random_for(1, "a", 2));
  Draw second(random_for(1, "a", 2));
  Draw other(random_for(1, "a", 3));
  const std::uint64_t word = first.word();
  EXPECT_EQ(word, second.word());
  EXPECT_NE(word, other.word());
}

TEST(Draw, BetweenReachesBothEnds) {
  Draw draw = draw_for(0);
  std::set<int> seen;
  for (int i = 0; i < 200; ++i) {
    seen.insert(draw.between(-2, 2));
  }
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2}));
}

TEST(IsDoubleWord, AgreesWithTheOracleOnEveryPairOfE5M2) {
  for (std::uint64_t i = 0; i < 1 << 16; ++i) {
    const DoubleWord<e5m2> x{number_of<e5m2>(i >> 8), number_of<e5m2>(i & 255)};
    const bool zero_high = (i >> 8 & 127) == 0;
    if (zero_high && (i & 127) == 0) {
      continue;  // two zeros are a double word whatever their signs
    }
    ASSERT_EQ(is_double_word(x), is_normalised(x)) << i;
  }
}

}  // namespace
}  // namespace assay
