// The kernels of enclosures/elementwise.cuh against the oracle, and their floors against the bounds of formulas.

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "tests/enclosures/formula_cases.hpp"
#include "tests/tier.hpp"

namespace assay::enclosures {
namespace {

using formulas::Op;
using oracle::Ball;
using oracle::Dyadic;
using oracle::exact;
using oracle::Magnitude;

constexpr long bits = 400;

struct OfFunction {
  Function function;
  Op op;
  const char* name;
  bool is_positive;  ///< the argument
};
void PrintTo(const OfFunction& of, std::ostream* out) { *out << of.name; }

class FunctionOfADevice : public testing::TestWithParam<OfFunction> {
 protected:
  static Ball truth(double x) { return truth(exact(x)); }
  static Ball truth(const Dyadic& x) { return formulas::function_of(GetParam().op, Ball(x), 0, bits); }
  /// Beside 0, beside the places where the algorithms change, and anywhere.
  static double drawn(Random& random) {
    static constexpr double places[] = {0.25, 0.5, 1, 1.5, 6, 0.375, 0.75, 0.3465736, 599, 36};
    const std::uint64_t kind = random.below(5);
    double x = kind == 0   ? std::ldexp(random.unit(), -static_cast<int>(random.below(300)))
               : kind == 1 ? places[random.below(std::size(places))] * (1 + std::ldexp(random.unit(), -20))
               : kind == 2 ? 700 * random.unit()
               : kind == 3 ? std::ldexp(random.unit(), static_cast<int>(random.below(130)))
                           : 8 * random.unit();
    if (GetParam().is_positive || (GetParam().function == log1p_of && x <= -1)) x = std::abs(x);
    return random.below(2) == 0 && !GetParam().is_positive && GetParam().function != log1p_of ? -x : x;
  }
};

TEST_P(FunctionOfADevice, ErrsByLessThanItsBound) {
  Random random(11);
  double worst = 0;
  int known = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = drawn(random);
    const FunctionValue of = function_at(GetParam().function, x);
    if (!is_number(of.value)) continue;
    ++known;
    const Ball y = truth(x);
    const Magnitude off(sub(Ball(exact(of.value)), y, bits));
    const Magnitude most = Magnitude::lower(y) * Magnitude::upper(of.relative) + Magnitude::upper(not_vanished);
    ASSERT_TRUE(off <= most) << GetParam().name << " " << x;
    const Magnitude size(y);
    if (Magnitude::upper(0x1p-800) < size) worst = std::max(worst, off.to_double() / size.to_double() / of.relative);
  }
  EXPECT_GT(known, 20'000);
  EXPECT_GT(worst, 0.015);
}

TEST_P(FunctionOfADevice, HasSlopesWithinItsBounds) {
  Random random(12);
  int known = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double x = drawn(random);
    const FunctionValue of = function_at(GetParam().function, x);
    const double w = std::abs(x) * std::ldexp(1.0, -static_cast<int>(random.below(30)));
    if (!is_number(of.value) || w == 0) continue;
    const double most = largest_slope(GetParam().function, x, of.value, w);
    const double least = least_slope(GetParam().function, x, of.value);
    const Ball y = truth(x);
    Magnitude farthest;
    bool is_defined = true;
    for (const int sign : {-1, 1}) {
      const Ball moved = sub(truth(exact(x) + exact(sign * w)), y, bits);
      is_defined = is_defined && moved.is_finite();
      if (!moved.is_finite()) continue;
      farthest = max(farthest, Magnitude(moved));
      if (is_number(most)) {
        ASSERT_TRUE(Magnitude::lower(moved) <= Magnitude::upper(most) * Magnitude::upper(w))
            << GetParam().name << " " << x << " " << w;
      }
    }
    if (!is_defined) continue;
    ++known;
    ASSERT_TRUE(Magnitude::lower(least) * Magnitude::lower(w) <= farthest) << GetParam().name << " " << x << " " << w;
  }
  EXPECT_GT(known, 5'000);
}

INSTANTIATE_TEST_SUITE_P(
    , FunctionOfADevice,
    testing::Values(OfFunction{exp_of, Op::exp, "exp", false}, OfFunction{expm1_of, Op::expm1, "expm1", false},
                    OfFunction{log_of, Op::log, "log", true}, OfFunction{log1p_of, Op::log1p, "log1p", false},
                    OfFunction{sqrt_of, Op::sqrt, "sqrt", true}, OfFunction{rsqrt_of, Op::rsqrt, "rsqrt", true},
                    OfFunction{tanh_of, Op::tanh, "tanh", false}, OfFunction{erf_of, Op::erf, "erf", false},
                    OfFunction{sigmoid_of, Op::sigmoid, "sigmoid", false}));

const std::vector<std::string>& all_names() {
  static const std::vector<std::string> names{"adamw",
                                              "bce_with_logits",
                                              "bce_with_logits_backward",
                                              "elu",
                                              "elu_backward",
                                              "geglu",
                                              "gelu",
                                              "gelu_backward",
                                              "gelu_erf",
                                              "gelu_erf_backward",
                                              "hardsigmoid",
                                              "hardswish",
                                              "huber",
                                              "huber_backward",
                                              "hypot_of",
                                              "leaky_relu",
                                              "lion",
                                              "log_sigmoid",
                                              "log_sigmoid_backward",
                                              "logaddexp",
                                              "mish",
                                              "reglu",
                                              "relu",
                                              "relu6",
                                              "sgd_momentum",
                                              "sgd_nesterov",
                                              "sigmoid",
                                              "sigmoid_backward",
                                              "sign_of",
                                              "silu",
                                              "silu_backward",
                                              "softplus",
                                              "softplus_backward",
                                              "swiglu",
                                              "swiglu_backward_gate",
                                              "swiglu_backward_x",
                                              "tanh_backward",
                                              "tanh_of",
                                              "tanhshrink"};
  return names;
}

class FormulaOfADevice : public testing::TestWithParam<std::string> {};

TEST_P(FormulaOfADevice, HasEntriesInTheirEnclosuresAndFloorsBelowTheirBounds) {
  for (const char* const format : {"f32", "f16", "bf16", "bf16:f32"}) {
    const Held all = held(GetParam(), format, test::of_tier(12, 1600));
    EXPECT_EQ(all.escaped, 0U) << format;
    EXPECT_EQ(all.above, 0U) << format;
    EXPECT_EQ(all.unsaid, 0U) << format;
    EXPECT_GT(all.known, all.entries / 8) << format;
    if (all.bounded != 0) {
      EXPECT_GT(all.floors / static_cast<double>(all.bounded), 0.15) << format;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, FormulaOfADevice, testing::ValuesIn(all_names()), [](const auto& of) { return of.param; });

TEST(SlopeOfAReciprocalRoot, IsUnknownWhereItMayVanish) {
  EXPECT_FALSE(largest_slope(rsqrt_of, 0x1p720, 0x1p-360, 0x1p680) < no_bound());
  EXPECT_EQ(least_slope(rsqrt_of, 0x1p-690, 0x1p345), 0);
}

/// Where divisors and arguments come near to poles, signs near to 0, and products below all numbers of binary64.
TEST(FormulaBesideItsPoles, HasEntriesInTheirEnclosuresAndFloorsBelowTheirBounds) {
  const std::string head = "own(x[n], y[n]) -> z[n]\n";
  for (const char* const text :
       {"  p = x * y\n  d = p - 1\n  z = 1 / d\n", "  z = log(x * y - 1)\n", "  z = rsqrt(x * y - 1)\n",
        "  z = sqrt(x * y - 1)\n", "  z = log1p(x * y - 2)\n", "  z = sign(log1p(exp(x)) - x) * y\n",
        "  z = max(0.1 * x, 0.3 * y)\n", "  z = log(1 / (1 + exp(20 * abs(x)))) + y\n",
        "  z = log(1 / (1 / (x * x * x * x))) * y\n", "  z = x * x * x * x * x * x * x * x * x * y\n",
        "  z = expm1(x) / y^3\n"}) {
    for (const char* const format : {"f32", "bf16"}) {
      const Held all = held(head + text, format, test::of_tier(60, 1600));
      EXPECT_EQ(all.escaped, 0U) << text << format;
      EXPECT_EQ(all.above, 0U) << text << format;
      EXPECT_EQ(all.unsaid, 0U) << text << format;
      EXPECT_GT(all.known, all.entries / 16) << text << format;
    }
  }
}

TEST(EnclosureOfAFormula, IsLeftWithoutTheRadiusOfAConstant) {
  const Change forget = [](ElementwiseFormula& formula) {
    for (ElementwiseNumber& each : formula.constants) each.radius = 0;
  };
  EXPECT_GT(held("scaled(x[n]) -> y[n]\n  y = 0.1 * x\n", "f32", 8, {.formula = forget}).escaped, 0U);
}

TEST(EnclosureOfAFormula, IsLeftWithoutANode) {
  const Change forget = [](ElementwiseFormula& formula) {
    for (ElementwiseNode& each : formula.nodes) {
      if (each.op == op_neg) each.op = op_abs;
    }
  };
  EXPECT_GT(held("log_sigmoid", "f32", 8, {.formula = forget}).escaped, 0U);
}

TEST(FloorOfAFormula, IsAboveTheBoundsOfAMachineThatErrsLess) {
  const auto above = [](const char* name, const char* format, double ElementwiseCosts::*cost, double factor) {
    return held(name, format, 24, {.formula = [&](ElementwiseFormula& formula) { formula.costs.*cost *= factor; }})
        .above;
  };
  EXPECT_GT(above("tanhshrink", "f32", &ElementwiseCosts::unit, 1.001), 0U);
  EXPECT_GT(above("tanh_of", "f16", &ElementwiseCosts::functions, 1.01), 0U);
  EXPECT_GT(above("hypot_of", "f32", &ElementwiseCosts::quotient, 2), 0U);
  EXPECT_GT(above("tanh_of", "f32", &ElementwiseCosts::half_eta, 1.01), 0U);
  EXPECT_GT(above("sigmoid", "f16", &ElementwiseCosts::least_normal, 1.01), 0U);
  EXPECT_GT(above("elu_backward", "f32", &ElementwiseCosts::form, 1.2), 0U);
  EXPECT_GT(above("swiglu_backward_gate", "f16", &ElementwiseCosts::stored_unit, 2), 0U);
}

}  // namespace
}  // namespace assay::enclosures
