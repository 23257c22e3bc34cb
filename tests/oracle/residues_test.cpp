#include "oracle/residues.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace assay::oracle {
namespace {

using Limbs = std::vector<std::uint32_t>;

constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

Dyadic power_of_two(long e) { return Dyadic::scaled(1, e); }

TEST(LimbsOfAnInteger, AreItsDigitsToTheBase2To32LowestFirst) {
  EXPECT_EQ(limbs_of(power_of_two(64) + Dyadic(5), 4), (Limbs{5, 0, 1, 0}));
  EXPECT_EQ(limbs_of(power_of_two(96) - Dyadic(1), 3), (Limbs{most, most, most}));
  EXPECT_EQ(limbs_of(Dyadic(), 0), Limbs{});
}

TEST(LimbsOfAnInteger, AreRefusedWhereItDoesNotFit) {
  EXPECT_THROW(limbs_of(power_of_two(64), 2), std::range_error);
  EXPECT_THROW(limbs_of(Dyadic(-1), 2), std::range_error);
  EXPECT_THROW(limbs_of(power_of_two(-1), 2), std::range_error);
}

TEST(IntegerOfLimbs, IsTheSumOfLimbsTimesPowersOf2To32) {
  EXPECT_EQ(integer_of_limbs(Limbs{7, 0, 3}), Dyadic::scaled(3, 64) + Dyadic(7));
  EXPECT_EQ(integer_of_limbs(Limbs{}), Dyadic(0));
  EXPECT_EQ(integer_of_limbs(Limbs{0, most}), Dyadic::scaled(most, 32));
}

TEST(IntegerFromDecimal, ReadsWhatToStringPrints) {
  const Dyadic x = power_of_two(400) - Dyadic(12345);
  EXPECT_EQ(integer_from_decimal(to_string(x)), x);
  EXPECT_EQ(integer_from_decimal("-17"), Dyadic(-17));
  EXPECT_EQ(integer_from_decimal("007"), Dyadic(7));
}

TEST(IntegerFromDecimal, RefusesAnyOtherText) {
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "0x10", "--1"}) {
    EXPECT_THROW(integer_from_decimal(text), std::invalid_argument) << text;
  }
}

TEST(FloorScaled, RoundsTowardMinusInfinity) {
  EXPECT_EQ(floor_scaled(Dyadic(7), 1), Dyadic(3));
  EXPECT_EQ(floor_scaled(Dyadic(-7), 1), Dyadic(-4));
  EXPECT_EQ(floor_scaled(Dyadic(1), 5000), Dyadic(0));
  EXPECT_EQ(floor_scaled(Dyadic(3), -2), Dyadic(12));
}

TEST(FloorQuotient, RoundsTowardMinusInfinity) {
  EXPECT_EQ(floor_quotient(Dyadic(7), Dyadic(2)), Dyadic(3));
  EXPECT_EQ(floor_quotient(Dyadic(-7), Dyadic(2)), Dyadic(-4));
  EXPECT_EQ(floor_quotient(power_of_two(200), power_of_two(100) + Dyadic(1)), power_of_two(100) - Dyadic(1));
  EXPECT_THROW(floor_quotient(Dyadic(1), Dyadic(0)), std::domain_error);
}

TEST(Residue, IsNotNegative) {
  EXPECT_EQ(residue(Dyadic(-1), 7), 6u);
  EXPECT_EQ(residue(power_of_two(3000), 3), 1u);
  EXPECT_THROW(residue(power_of_two(-1), 3), std::invalid_argument);
}

TEST(ResidueSystem, HasTheProductOfItsModuli) { EXPECT_EQ(ResidueSystem({3, 5, 7}).product(), Dyadic(105)); }

TEST(ResidueSystem, ReconstructsEveryIntegerBelowItsProduct) {
  const ResidueSystem system({3, 4, 5, 7});
  for (int x = 0; x < 420; ++x) {
    const auto i = static_cast<std::uint32_t>(x);
    EXPECT_EQ(system.integer(Limbs{i % 3, i % 4, i % 5, i % 7}), Dyadic(x));
    EXPECT_EQ(system.residues(Dyadic(x)), (Limbs{i % 3, i % 4, i % 5, i % 7}));
  }
}

TEST(ResidueSystem, TakesResiduesThatAreNotReduced) {
  const ResidueSystem system({3, 5});
  EXPECT_EQ(system.integer(Limbs{4, 11}), Dyadic(1));
}

TEST(ResidueSystem, ReducesNegativeIntegers) {
  const ResidueSystem system({3, 5});
  EXPECT_EQ(system.residues(Dyadic(-1)), (Limbs{2, 4}));
  EXPECT_EQ(system.reduced(Dyadic(-1)), Dyadic(14));
  EXPECT_EQ(system.reduced(Dyadic(31)), Dyadic(1));
}

TEST(ResidueSystem, GivesTheValueOfANumberWithSignAndExponent) {
  const ResidueSystem system({3, 5});
  EXPECT_EQ(system.value(true, Limbs{0, 1}, -3), Dyadic::scaled(-6, -3));
  EXPECT_EQ(system.value(false, Limbs{0, 1}, 100000), Dyadic::scaled(6, 100000));
}

TEST(ResidueSystem, RefusesModuliThatAreNotCoprime) {
  EXPECT_THROW(ResidueSystem({15, 7, 21}), std::invalid_argument);
  EXPECT_THROW(ResidueSystem({7, 7}), std::invalid_argument);
  EXPECT_THROW(ResidueSystem({1, 7}), std::invalid_argument);
  EXPECT_THROW(ResidueSystem({}), std::invalid_argument);
}

TEST(ResidueSystem, RefusesTheWrongNumberOfResidues) {
  EXPECT_THROW(ResidueSystem({3, 5}).integer(Limbs{1}), std::invalid_argument);
}

}  // namespace
}  // namespace assay::oracle
