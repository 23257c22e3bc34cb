// Definitions that a machine stores in 8 bits or fewer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/formulas/kinds.hpp"
#include "properties/formulas/machine.hpp"
#include "tests/formulas/small.hpp"

namespace assay::formulas {
namespace {

using ::testing::HasSubstr;

Machine storing(const std::string& format) {
  const Formula formula = parse("f(x) -> y\n  z = 1 * x\n  y = z + 1\nmachine m\n  store z " + format + "\n", "t");
  return ladder(formula, oracle::binary16).back();
}
/// E of x that is stored and to which 1 is added.
double bound(const std::string& format, double x) {
  return Small("f(x) -> y\n  z = 1 * x\n  y = z + 1\n", {}, {{x}}, oracle::binary16).bound(storing(format));
}

TEST(SmallStore, IsAnyFormatOfTheTableWithASignAndSubnormalNumbers) {
  EXPECT_EQ(storing("e4m3fn").store, oracle::e4m3);
  EXPECT_EQ(storing("e4m3").store, oracle::e4m3);
  EXPECT_EQ(storing("e5m2").store, oracle::e5m2);
  EXPECT_EQ(storing("e4m3fnuz").store, (oracle::Format{4, -7, 7}));
  EXPECT_EQ(storing("e2m1").store, (oracle::Format{2, 0, 2}));
  EXPECT_THAT(describe(storing("e4m3")), HasSubstr("stored in e4m3fn: z"));
  for (const char* const other : {"e8m0", "ue4m3", "int8", "e2m1x2", "p3109_p3", "f8"}) {
    EXPECT_THROW(storing(other), FormulaError) << other;
  }
}

TEST(SmallStore, ErrsByHalfAStepAndIsBoundedUpToTheMiddleBehindTheLargestNumber) {
  // Multiples of 2^-3 are exact in the machine, but not in the store: 0.3 of it, and η for numbers that are small.
  EXPECT_NEAR(bound("e4m3fn", 0.3), 0x1p-4 * 0.3 + 0x1p-9, 1e-4);
  EXPECT_NEAR(bound("e5m2", 0.3), 0x1p-3 * 0.3 + 0x1p-16, 1e-4);
  EXPECT_NEAR(bound("e2m1", 0.3), 0x1p-2 * 0.3 + 0x1p-1, 1e-4);
  const std::vector<std::tuple<const char*, double, double>> ends{{"e4m3fn", 463.75, 464},  // the largest number is 448
                                                                  {"e5m2", 61408, 61440},   // 57344
                                                                  {"e4m3fnuz", 247.75, 248},  // 240
                                                                  {"e2m1", 6.75, 7}};         // 6
  for (const auto& [format, below, at] : ends) {
    EXPECT_TRUE(std::isfinite(bound(format, below))) << format;
    EXPECT_FALSE(std::isfinite(bound(format, at))) << format;
    EXPECT_FALSE(std::isfinite(bound(format, -at))) << format;
  }
}

TEST(SmallStore, LeavesNothingToSayOfWhatMayBeSaturatedOrNan) {
  const auto is_said = [](const std::string& format, double c) {
    const std::string text = "f(x, c) -> y\n  t = exp(x)\n  z = c * t\n  y = 1 / z\n";
    const Small small(text, {}, {{100}, {c}});
    Machine machine{.name = "m", .stored = {"z"}, .store = stored_format_of_name(format)};
    const Errors errors = forward(small.shaped, small.values, machine, small.formats, 192, Overflow::followed);
    return errors.total[small.formula.result][0].is_finite();
  };
  for (const double c : {1.0, 0x1p-140}) {  // z overflows, or only t, and z is 19
    EXPECT_TRUE(is_said("f16", c));         // 1/∞ = 0
    EXPECT_FALSE(is_said("e5m2", c));
    EXPECT_FALSE(is_said("e4m3fn", c));
  }
}

TEST(SmallStore, OfAnInfinityIsNoLongerOne) {
  const auto kinds = [](const std::string& format) {
    const Small small("f(x) -> y\n  z = x + 1\n  y = 1 / z\n", {}, {{0}});
    const Machine machine{.name = "m", .stored = {"z"}, .store = stored_format_of_name(format)};
    return kinds_of(small.shaped, small.inputs, {{plus_infinity}}, small.values, small.errors(machine), machine,
                    Sources::inputs)[small.formula.result][0]
        .kinds;
  };
  EXPECT_EQ(kinds("f16"), zero);
  EXPECT_EQ(kinds("e4m3fn"), every_kind);  // 1/448, or a NaN
}

TEST(SmallStore, AdmitsWhatAFormatWithMoreBitsGives) {
  EXPECT_TRUE(admits(storing("e4m3fn"), storing("f16")));
  EXPECT_TRUE(admits(storing("e2m1"), storing("e4m3fn")));
  EXPECT_FALSE(admits(storing("e4m3fn"), storing("e5m2")));
  EXPECT_FALSE(admits(storing("e5m2"), storing("e4m3fn")));
}

}  // namespace
}  // namespace assay::formulas
