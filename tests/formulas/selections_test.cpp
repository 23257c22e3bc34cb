// Local rules of functions of two numbers, of orders, and of integers that name places: the bound is the one of the
// theorem.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "properties/formulas/door/case.hpp"
#include "properties/framework/limbs.hpp"
#include "tests/formulas/rules.hpp"

namespace assay::formulas {
namespace {

TEST(Rules, AnAngleErrsByItsUlpsAndByTheErrorsOfBoth) {
  expect_bound(Small("y, x = atan2(y, x)", {}, {{1}, {-3}}), machine(), 2 * u * std::atan2(1, -3));
  const double y = 3 + 0x1p-30;
  const double e = 3 * u;
  const Small computed("y, z, x = atan2(y + z, x)", {}, {{3}, {0x1p-30}, {-4}});
  EXPECT_NEAR(computed.bound(machine()) / u, 2 * std::atan2(y, -4) + 4 / 25.0 * e / u, 1e-5);
  EXPECT_NEAR(computed.by_mean(machine()) / u, 2 * std::atan2(y, -4) + 4 / 25.0 * e / u, 1e-5);
  const Small of_x("y, x, z = atan2(y, x + z)", {}, {{-4}, {3}, {0x1p-30}});
  EXPECT_NEAR(of_x.bound(machine()) / u, 2 * std::atan2(4, y) + 4 / 25.0 * e / u, 1e-5);
  EXPECT_NEAR(of_x.by_mean(machine()) / u, 2 * std::atan2(4, y) + 4 / 25.0 * e / u, 1e-5);
  // On the negative axis the sign of a zero decides.
  EXPECT_TRUE(std::isinf(Small("y, x = atan2(y, x)", {}, {{0}, {-3}}).bound(machine())));
  EXPECT_FALSE(std::isinf(Small("y, x = atan2(y, x)", {}, {{0}, {3}}).bound(machine())));
  const double c = 0x1.00001p0;
  const std::string near = "y, z, x = atan2(y * y - z, x)";
  EXPECT_TRUE(std::isinf(Small(near, {}, {{c}, {c * c - 0x1p-30}, {-3}}).bound(machine())));
  EXPECT_FALSE(std::isinf(Small(near, {}, {{c}, {c * c - 0x1p-30}, {3}}).bound(machine())));
}

TEST(Rules, TheRestOfAQuotientIsExactOrNotKnown) {
  const auto rest = [](const std::string& function, double x, double y) {
    const Small small("x, y = " + function + "(x, y)", {}, {{x}, {y}});
    expect_bound(small, machine(), 0);
    return small.values[small.formula.result][0].lower().to_double_nearest();
  };
  for (const double x : {0.0, 0.5, 1.5, 2.5, 3.5, 7.25, 0x1p100, 0x1.8p-140, 5e300}) {
    for (const double y : {1.0, 3.0, 0.75, 0x1.234567p5, 0x1p-149}) {
      for (const double sign : {1.0, -1.0}) {
        EXPECT_EQ(rest("fmod", sign * x, y), std::fmod(sign * x, y)) << sign * x << ", " << y;
        EXPECT_EQ(rest("fmod", x, sign * y), std::fmod(x, sign * y)) << x << ", " << sign * y;
        EXPECT_EQ(rest("remainder", sign * x, y), std::remainder(sign * x, y)) << sign * x << ", " << y;
        EXPECT_EQ(rest("remainder", x, sign * y), std::remainder(x, sign * y)) << x << ", " << sign * y;
      }
    }
  }
  EXPECT_TRUE(std::isinf(Small("x, y = fmod(x, y)", {}, {{1}, {0}}).bound(machine())));
  EXPECT_TRUE(std::isinf(Small("x, y = fmod(x * x, y)", {}, {{0x1.234566p0}, {3}}).bound(machine())));
}

TEST(Rules, ANumberInOrderHasTheErrorOfTheOneThatItMayBe) {
  const std::vector<double> small(3, 0x1p-30);
  const Small sorted("f(x[n], y[n]) -> z\n  s = sort(x + y, axis=n)\n  z = s[1]\n", {3}, {{100, 1, 3}, small});
  EXPECT_NEAR(sorted.bound(machine()), 100 * u, 1e-3 * u);
  EXPECT_NEAR(sorted.by_mean(machine()), 3 * u, 1e-3 * u);
  // Two sums whose order may change by their errors: either may be the smaller one.
  const Small close("f(x[n], y[n]) -> z\n  s = sort(x + y, axis=n)\n  z = s[0]\n", {3},
                    {{3, 3, 100}, {0x1p-30, 0x1p-31, 0x1p-30}});
  EXPECT_NEAR(close.by_mean(machine()), 6 * u, 1e-3 * u);
}

TEST(Rules, ThePlaceOfTheLargestNumberIsExactOrOneOfThoseThatErrorsLeaveOpen) {
  const std::string place = "f(x[n], y[n]) -> z\n  z = argmax(x * y, axis=n)\n";
  const double a = 0x1.234566p0;
  const double next = 0x1.234568p0;
  const Small apart(place, {3}, {{a, 2 * a, a}, {a, a, a}});
  EXPECT_EQ(apart.values[apart.formula.result][0].lower(), oracle::Dyadic(1));
  expect_bound(apart, machine(), 0);
  // u of the products is more than their distance: the second or the third may be the largest.
  const Small close(place, {4}, {{a / 2, a, a * (1 + u / 2), a / 2}, {a, a, a, a}});
  EXPECT_EQ(close.values[close.formula.result][0].lower(), oracle::Dyadic(2));
  expect_bound(close, machine(), 1);
  EXPECT_NEAR(close.by_mean(machine()), 1, 1e-6);
  EXPECT_TRUE(std::isinf(Small(place, {2}, {{a, 0x1p100}, {a, 0x1p100}}).bound(machine())));
  const Small ties("f(x[n]) -> z\n  z = argmax(x, axis=n)\n", {4}, {{a, next, a, next}});
  EXPECT_EQ(ties.values[ties.formula.result][0].lower(), oracle::Dyadic(1));
  expect_bound(ties, machine(), 0);
  const Small smallest("f(x[n]) -> z\n  z = argmin(x, axis=n)\n", {4}, {{next, a, next, a}});
  EXPECT_EQ(smallest.values[smallest.formula.result][0].lower(), oracle::Dyadic(1));
}

TEST(Rules, APlaceThatTheFormatDoesNotHaveMayBeRounded) {
  Machine narrow = machine();
  narrow.wide = oracle::bfloat16;
  const auto of_place = [&](std::size_t place) {
    std::vector<double> row(300, 0.0);
    row[place] = 1;
    return Small("f(x[n]) -> z\n  z = argmax(x, axis=n)\n", {300}, {row});
  };
  expect_bound(of_place(256), narrow, 0);
  expect_bound(of_place(257), narrow, 257 * 0x1p-8);
  // Of two numbers that may be the largest one, the farther place may be rounded.
  std::vector<double> row(300, 0.0);
  row[200] = 1 + 0x1p-8;
  row[270] = 1;
  const std::vector<double> ones(300, 1.0);
  const Small two("f(x[n], y[n]) -> z\n  z = argmax(x * y, axis=n)\n", {300}, {row, ones});
  expect_bound(two, narrow, 70 + 270 * 0x1p-8);
}

TEST(Rules, APowerErrsByTheUlpsOfItsFunction) {
  const double v = std::pow(2.5, 1.5);
  Machine by_exp2 = machine();
  by_exp2.exp_difference = 4;
  expect_bound(Small("x, y = pow(x, y)", {}, {{2.5}, {1.5}}), machine(), 2 * u * v);
  expect_bound(Small("x, y = pow(x, y)", {}, {{2.5}, {1.5}}), by_exp2, std::expm1((2 + 3 * std::log(v)) * u) * v);
  expect_bound(Small("x, y = pow(x, y)", {}, {{0.25}, {-40}}), by_exp2,
               std::expm1((2 + 3 * 80 * std::log(2)) * u) * 0x1p80);
  expect_bound(Small("x, y = pow(x, y)", {}, {{0}, {1.5}}), by_exp2, eta);
  expect_bound(Small("x, y = pow(x, y)", {}, {{-3}, {3}}), machine(), 2 * u * 27);
  EXPECT_TRUE(std::isinf(Small("x, y = pow(x, y)", {}, {{-3}, {0.5}}).bound(machine())));
}

TEST(Rules, APowerCarriesTheErrorsOfBoth) {
  const double x = 3 + 0x1p-30;
  const double e = 3 * u;
  // (x + y)^2.5: the error of the sum times the slope, by both rules.
  const Small of_base("x, y, z = pow(x + y, z)", {}, {{3}, {0x1p-30}, {2.5}});
  const double v = std::pow(x, 2.5);
  EXPECT_NEAR(of_base.bound(machine()) / u, (2 * v + 2.5 * v / x * e / u), 1e-4);
  EXPECT_NEAR(of_base.by_mean(machine()) / u, (2 * v + 2.5 * v / x * e / u), 1e-4);
  const Small of_exponent("x, y, z = pow(z, x + y)", {}, {{3}, {0x1p-30}, {2.5}});
  const double w = std::pow(2.5, x);
  EXPECT_NEAR(of_exponent.bound(machine()) / u, (2 * w + w * std::log(2.5) * e / u), 1e-4);
  EXPECT_NEAR(of_exponent.by_mean(machine()) / u, (2 * w + w * std::log(2.5) * e / u), 1e-4);
  EXPECT_TRUE(
      std::isinf(Small("x, y, z = pow(x * x - y, z)", {}, {{0x1.000002p0}, {0x1.000004p0}, {2.5}}).bound(machine())));
}

TEST(Rules, AnErrorOfAPowerIsThatOfTheFartherCorner) {
  // With u = 1/8 the corners of the box are far from being symmetric.
  constexpr oracle::Format coarse{3, -60, 60};
  Machine wide;
  wide.wide = coarse;
  // The bound is P + 2u(v + P), and a term in η that is less than 2⁻⁶⁰.
  const auto moved = [&](const std::string& text, double x, double z) {
    const Small small(text, {}, {{x}, {0x1p-30}, {z}}, coarse);
    const double v = small.values[small.formula.result][0].lower().to_double_nearest();
    return (small.bound(wide) - v / 4) / 1.25;
  };
  const double sum = 3 + 0x1p-30;
  const double upper = sum * 9 / 8;
  const double lower = sum * 7 / 8;
  const std::string of_exponent = "x, y, z = pow(z, x + y)";
  EXPECT_NEAR(moved(of_exponent, 3, 2.5), std::pow(2.5, upper) - std::pow(2.5, sum), 1e-6);
  EXPECT_NEAR(moved(of_exponent, 3, 0.25), std::pow(0.25, lower) - std::pow(0.25, sum), 1e-6);
  const std::string of_base = "x, y, z = pow(x + y, z)";
  EXPECT_NEAR(moved(of_base, 3, 2.5), std::pow(upper, 2.5) - std::pow(sum, 2.5), 1e-6);
  EXPECT_NEAR(moved(of_base, 3, -2.5), std::pow(lower, -2.5) - std::pow(sum, -2.5), 1e-6);
}

TEST(Rules, SpreadNumbersAreAddedWhereTheirIntegersName) {
  const double a = 0x1.234566p0;
  const double b = a * 0x1p-12;
  const Small scattered("f(x[t], i[t]: index v or -1, like[v]) -> y[v]\n  y = sum(spread(x, i), axis=t)\n", {4, 3},
                        {{a, b, a, b}, {0, 0, 2, -1}, {0, 0, 0}});
  const auto value = [&](std::size_t entry) {
    return scattered.values[scattered.formula.result][entry].lower().to_double_nearest();
  };
  EXPECT_EQ(value(0), a + b);
  EXPECT_EQ(value(1), 0);
  EXPECT_EQ(value(2), a);
  expect_bound(scattered, machine(), u * (a + b), 0);
  expect_bound(scattered, machine(), 0, 1);
  expect_bound(scattered, machine(), 0, 2);
  EXPECT_NEAR(scattered.by_mean(machine(), 0), u * (a + b), 1e-6 * u);
  EXPECT_EQ(scattered.by_mean(machine(), 1), 0);
  // Squares that err: the one that is ignored leads to no entry.
  const Small computed("f(x[t], i[t]: index v or -1, like[v]) -> y[v]\n  y = sum(spread(x * x, i), axis=t)\n", {3, 3},
                       {{a, a, a}, {0, 2, -1}, {0, 0, 0}});
  EXPECT_NEAR(computed.by_mean(machine(), 0), u * a * a, 1e-5 * u);
  EXPECT_EQ(computed.bound(machine(), 1), 0);
}

TEST(Rules, AnIgnoredIntegerPicksZero) {
  const Small picked("f(x[r,n], i[r]: index n or -100) -> y[r]\n  y = pick(x * x, i)\n", {2, 2},
                     {{1.1, 2.3, 3.7, 4.9}, {1, -100}});
  EXPECT_NEAR(picked.values[picked.formula.result][0].lower().to_double_nearest(), 2.3 * 2.3, 1e-12);
  EXPECT_TRUE(oracle::Magnitude(picked.values[picked.formula.result][1]).is_zero());
  EXPECT_EQ(picked.by_mean(machine(), 1), 0);
  EXPECT_GT(picked.by_mean(machine(), 0), 0);
}

TEST(Integers, OneThatNamesNoPlaceIsReadFromItsBitsInAFile) {
  const auto formula =
      std::make_shared<const Formula>(parse("f(x[r,n], i[r]: index n or -100) -> y[r]\n  y = pick(x, i)\n", "t"));
  const Typed of = typed(formula, "f32");
  const auto ignored = static_cast<std::uint64_t>(std::int64_t{-100});
  const Case c{{2, 2}, {{0, 0, 0, 0}, {1, ignored}}};
  EXPECT_TRUE(contains(of, c));
  EXPECT_FALSE(contains(of, {{2, 2}, {{0, 0, 0, 0}, {1, ignored - 1}}}));
  EXPECT_FALSE(contains(of, {{2, 2}, {{0, 0, 0, 0}, {2, ignored}}}));
  Record record = record_of(of, c);
  for (std::uint64_t& each : std::get<Words>(record.fields.back().value).bits) {
    each &= (std::uint64_t{1} << static_cast<unsigned>(limb_format.width())) - 1;
  }
  EXPECT_EQ(case_of(of, record), c);
}

}  // namespace
}  // namespace assay::formulas
