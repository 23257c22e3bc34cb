// formula.flush.1 and formula.flush.2: each term, and toy formats with all ways to flush.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/formulas/random_arithmetic.hpp"
#include "tests/formulas/rules.hpp"
#include "tests/formulas/small_numbers.hpp"
#include "tests/tier.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;

constexpr double nu = 0x1p-126;

Machine flushing_to_zero(Order order = Order::any) {
  Machine flushes = machine(order);
  flushes.flushes = true;
  return flushes;
}

// ------------------------------------------------------------------------------------------------- one rule at a time

TEST(Flush, AResultLosesAtMostTheSmallestNormalNumberAndNothingAboveIt) {
  const double below = 0x1.fffp-64;
  expect_bound(Small("x, y = x * y", {}, {{below}, {below}}), flushing_to_zero(), below * below);
  expect_bound(Small("x, y = x * y", {}, {{0x1.234566p-60}, {0x1.234566p-60}}), flushing_to_zero(),
               u * 0x1.234566p-60 * 0x1.234566p-60 + eta / 2);
  expect_bound(Small("x, y = x - y", {}, {{0x1.8p-126}, {0x1p-126}}), flushing_to_zero(), 0x1p-127 + u * 0x1p-127);
}

TEST(Flush, AnInputBelowTheNormalRangeMayBeZero) {
  const Small small("x, y = x * y", {}, {{0x1.8p-127}, {0x1p100}});
  expect_bound(small, flushing_to_zero(), 0x1.8p-27 * (1 + 2 * u));
  EXPECT_LT(small.bound(machine()), 0x1p-100);
  EXPECT_TRUE(std::isinf(Small("x, y = x / y", {}, {{1}, {0x1.8p-127}}).bound(flushing_to_zero())));
  expect_bound(Small("x = sqrt(x)", {}, {{0x1p-130}}), flushing_to_zero(), 0x1p-65 * (1 + u));
}

TEST(Flush, EachAdditionOfASumLosesAsMuch) {
  const std::vector<double> small(6, 0x1p-80);
  const Small sum("f(x[n]) -> s\n  s = sum(x)\n", {6}, {small});
  EXPECT_EQ(sum.bound(flushing_to_zero()), 0) << "on a grid of numbers that are kept nothing is lost";
  const Small tiny("f(x[n]) -> s\n  s = sum(x)\n", {6}, {{nu, -nu * (1 + 2 * u), 4 * nu, nu, 5 * nu, -8 * nu}});
  EXPECT_GE(tiny.bound(flushing_to_zero()), 5 * nu);
  EXPECT_LE(tiny.bound(flushing_to_zero()), 5.1 * nu);
  EXPECT_LT(tiny.bound(machine()), 0x1p-140);
}

TEST(Flush, ANumberMayBeZeroInOneUseAndNotInAnother) {
  const Small small("x = 1000 * exp(x) - 999 * exp(x)", {}, {{-88}});
  const Small shared("f(x) -> y\n  e = exp(x)\n  y = 1000 * e - 999 * e\n", {}, {{-88}});
  EXPECT_GE(shared.by_mean(flushing_to_zero()), 999 * std::exp(-88.0));
  EXPECT_LT(shared.by_mean(machine()), 0x1p-139);
  EXPECT_GE(small.by_mean(flushing_to_zero()), 999 * std::exp(-88.0));
}

TEST(Flush, AWeightMayBeZeroInOneEntryOfAContractionAndNotInAnother) {
  const Small small("f(x[n], v[n,e]) -> r\n  p = softmax(x, axis=n)\n  o = sum(p * v, axis=n)\n  r = o[0] - o[1]\n",
                    {2, 2}, {{0, -92}, {10, 10, 1e37, 1e37}});
  EXPECT_GE(small.by_mean(flushing_to_zero()), 1e37 * std::exp(-92.0));
  EXPECT_LT(small.by_mean(machine()), 1e-4);
}

TEST(Flush, NarrowInputsAreKeptByAWideFormat) {
  const Small small("x, y = x * y", {}, {{0x1p-24}, {0x1p15}}, oracle::binary16);
  EXPECT_EQ(small.bound(flushing_to_zero()), 0);
  EXPECT_GE(Small("x, y = x * y", {}, {{0x1p-130}, {0x1p15}}, oracle::bfloat16).bound(flushing_to_zero()), 0x1p-115);
}

/// A format whose smallest normal number, 2⁻⁶, exceeds its unit roundoff: what flushes lose is no small part of λ.
constexpr oracle::Format coarse{11, -6, 15};
constexpr double coarse_u = 0x1p-11;
constexpr double coarse_nu = 0x1p-6;

/// How much larger λ of a node is where its machine flushes to zero.
double added(const std::string& text, const std::vector<std::int64_t>& lengths,
             const std::vector<std::vector<double>>& numbers, Op op, Machine of = machine(), std::size_t entry = 0) {
  const Small small(text, lengths, numbers, coarse);
  of.wide = coarse;
  const double without = local_error(small, of, op, entry);
  of.flushes = true;
  return local_error(small, of, op, entry) - without;
}

void expect_near(double got, double expected) { EXPECT_NEAR(got / expected, 1, 0.01) << got; }

TEST(Flush, EachRuleCountsTheOperationsBeforeTheLastOne) {
  const double v = coarse_nu;
  const double c = 1 + coarse_u;
  const std::vector<double> five{1.25, 2.125, 1.0625, 3.25, 0x1.23p0};
  expect_near(added("f(x[n]) -> y\n  y = sum(x)\n", {5}, {five}, Op::sum), 3 * v);
  expect_near(added("f(x[n]) -> y[n]\n  y = cumsum(x, axis=n)\n", {5}, {five}, Op::cumsum, machine(), 4), 3 * v);
  expect_near(added("f(x[n]) -> y\n  y = prod(x)\n", {5}, {five}, Op::prod),
              3 * v * std::pow(c, 3) * 2.125 * 3.25 * 1.25);
  expect_near(added("f(x[n], y[n]) -> z\n  z = sum(x * y)\n", {5}, {five, five}, Op::dot), 8 * v * std::pow(c, 5));
  expect_near(added("x = x^4", {}, {{1.5625}}, Op::power), 2 * v * std::pow(c, 4) * 1.5625 * 1.5625);
  expect_near(added("f(x[n], c) -> y\n  y = c * sum(x * (x + 1 - x))\n", {1}, {{1.25}, {3}}, Op::dot),
              3 * v * (1 + 1.25) * 2 * 9);
}

TEST(Flush, EachStepOfAUnitLosesAsMuch) {
  const std::vector<double> x{0x1.02p-52, 0x1.02p-60};
  const Small small("f(x[n], y[n]) -> r\n  r = sum(x * y)\n", {2}, {x, x}, oracle::bfloat16);
  Machine unit = machine();
  unit.has_unit = true;
  const double without = local_error(small, unit, Op::dot);
  unit.flushes = true;
  expect_near(local_error(small, unit, Op::dot) - without, 2 * nu);
}

TEST(Flush, FunctionsByOtherOperationsCountTheirFlushes) {
  const double v = coarse_nu;
  Machine fast = machine();
  fast.quotient = 2;
  fast.exp_difference = 4;
  fast.exp_shift = 1;
  expect_near(added("x, y = x / y", {}, {{5}, {3}}, Op::div, fast), 2 * v * 5);
  expect_near(added("x = exp(x)", {}, {{1.5}}, Op::exp, fast), std::exp(1.5) * std::expm1(v));
  expect_near(added("x, y = pow(x, y)", {}, {{1.5}, {2.5}}, Op::pow, fast), std::pow(1.5, 2.5) * std::expm1(3.5 * v));
  const double s = 4 * coarse_u;
  const double sigmoid = 1 / (1 + std::exp(-1.5));
  expect_near(added("x = sigmoid(x)", {}, {{1.5}}, Op::sigmoid), sigmoid * ((s + v) / (1 - s - v) - s / (1 - s)));
}

TEST(Flush, AReciprocalBelowTheNormalRangeMakesNothingExact) {
  Machine by_reciprocal = flushing_to_zero();
  by_reciprocal.quotient = 2;
  EXPECT_GE(Small("x = x / (2^63 * 2^64)", {}, {{0x1.8p100}}).bound(by_reciprocal), 0x1.8p-27);
  EXPECT_EQ(Small("x = x / (2^63 * 2^63)", {}, {{0x1.8p100}}).bound(by_reciprocal), 0);
  EXPECT_EQ(Small("x = x / (2^63 * 2^64)", {}, {{0x1.8p100}}).bound(flushing_to_zero()), 0);
  const std::string moved = "f(x[n]) -> y\n  y = sum(x) / (2^63 * 2^64)\n";
  EXPECT_GE(Small(moved, {2}, {{0x1p100, 0x1.8p100}}).bound(by_reciprocal), 0x1.4p-26);
}

TEST(Flush, RowsCountTheFlushesOfTheirWeights) {
  const double v = coarse_nu / 256;
  constexpr oracle::Format less{11, -14, 15};
  const auto of = [&](const std::string& text, Op op, const Machine& machine) {
    const Small small(text, {3}, {{1.5, 1.25, 0.75}}, less);
    Machine of_less = machine;
    of_less.wide = less;
    const double without = local_error(small, of_less, op);
    of_less.flushes = true;
    return local_error(small, of_less, op) - without;
  };
  Machine online = machine();
  online.is_online = true;
  Machine by_reciprocal = machine();
  by_reciprocal.quotient = 2;
  const std::string softmax = "f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n";
  expect_near(of(softmax, Op::logits, machine()), 8 * v);
  expect_near(of(softmax, Op::logits, online), 8 * v);  // no other number is larger than the first
  const double sum = std::exp(1.5) + std::exp(1.25) + std::exp(0.75);
  const double g = 2 * coarse_u;
  const double beta = 2 * coarse_u / (1 - 2 * coarse_u) + 8 * v;
  const double lost = 2 * v * std::exp(2 * beta) / (1 - g);
  EXPECT_NEAR(of(softmax, Op::softmax, machine()) / (lost * (1 + 3 * std::exp(1.5) / sum)), 1, 0.1);
  EXPECT_NEAR(of("f(x[n]) -> y\n  y = logsumexp(x, axis=n)\n", Op::logsumexp, machine()) / (8 * v + 6 * lost), 1, 0.1);
  expect_near(of(softmax, Op::softmax, by_reciprocal) - of(softmax, Op::softmax, machine()), 2 * v);
}

TEST(Flush, AVarianceCountsTheFlushesOfItsMeanAndOfItsDeviations) {
  const double v = coarse_nu;
  const std::vector<double> numbers{20, 21, 23};
  const double mean = 64.0 / 3;
  const double square = 14.0 / 9;
  const std::string text = "f(x[n]) -> y\n  y = variance(x, axis=n)\n";
  const double e = 3 * coarse_u * mean;
  const double more = std::pow(e + 4 * v, 2) - e * e;
  const double of_deviations = v * (4 * std::sqrt(square + std::pow(e + 4 * v, 2)) + 4 * v + 2);
  EXPECT_NEAR(added(text, {3}, {numbers}, Op::variance) / (more + of_deviations), 1, 0.02);
  Machine one_pass = machine();
  one_pass.has_one_pass = true;
  const double c = 1 + 6 * coarse_u;
  EXPECT_NEAR(added(text, {3}, {numbers}, Op::variance, one_pass) / (4 * v * 2 * mean + more + 4 * c * v), 1, 0.01);
}

// -------------------------------------------------------------------------------------------------- toy formats

/// Runs a program with all ways to decide, one after the other.
class Decisions {
 public:
  bool operator()() {
    if (at_ == path_.size()) path_.push_back(false);
    return path_[at_++];
  }
  /// Goes to the next way; false after the last one.
  bool next() {
    at_ = 0;
    while (!path_.empty() && path_.back()) path_.pop_back();
    if (path_.empty()) return false;
    path_.back() = true;
    return true;
  }

 private:
  std::vector<bool> path_;
  std::size_t at_ = 0;
};

using Row = std::vector<double>;
using Program = std::function<double(const Arithmetic&, const Row&)>;

/// Runs programs of three numbers on so many inputs of a format, in the nightly tier on more, with all ways to flush.
/// Returns the largest of error/bound; 2 for an error beyond the bound.
double worst_of(const std::string& text, const oracle::Format& toy, Machine of, const std::vector<Program>& programs,
                std::size_t inputs = 2000) {
  of.wide = toy;
  of.flushes = true;
  Row all;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << toy.width()); ++bits) {
    if (oracle::is_finite(toy, bits) && bits != toy.sign_mask()) all.push_back(number(toy, bits));
  }
  const bool is_row = text.find('[') != std::string::npos;
  Arithmetic arithmetic(toy);
  Decisions decisions;
  arithmetic.flush([&] { return decisions(); });
  const std::size_t n = all.size();
  // Odd, and no multiple of a divisor of n: all numbers occur in all places.
  std::size_t every = n * n * n / test::of_tier<std::size_t>(inputs, 50 * inputs) | 1U;
  while (std::gcd(every, n) != 1) every += 2;
  double worst = 0;
  for (std::size_t i = 0; i < n * n * n; i += every) {
    const Row row{all[i % n], all[i / n % n], all[i / n / n]};
    const Small small = is_row ? Small(text, {3}, {row}, toy) : Small(text, {}, {{row[0]}, {row[1]}, {row[2]}}, toy);
    const Errors errors = small.errors(of);
    const oracle::Magnitude forward = errors.total[small.formula.result][0];
    if (!forward.is_finite()) continue;
    const oracle::Magnitude bound = min(forward, mean(small.shaped, small.inputs, small.values, errors, 0));
    const Ball& exact = small.values[small.formula.result][0];
    for (const Program& program : programs) {
      do {
        const double got = program(arithmetic, row);
        const Ball error = std::isfinite(got) ? abs(sub(Ball(oracle::exact(got)), exact, 128)) : Ball(Dyadic(1000));
        const double ratio = oracle::Magnitude(error).to_double() / bound.to_double();
        if (less(Ball(bound.value()), error) == oracle::Answer::yes) {
          ADD_FAILURE() << text << " at " << row[0] << ", " << row[1] << ", " << row[2] << ": " << got << ", bound "
                        << bound.to_double() << ", ratio " << ratio;
          return 2;
        }
        if (!bound.is_zero()) worst = std::max(worst, ratio);
      } while (decisions.next());
    }
  }
  return worst;
}

constexpr oracle::Format three_bits{3, -2, 2};
constexpr oracle::Format four_bits{4, -2, 3};

TEST(FlushToy, ArithmeticIsWithinItsBoundHoweverItFlushes) {
  for (const oracle::Format& toy : {three_bits, four_bits}) {
    EXPECT_GT(worst_of("x, y, z = x * y + z", toy, machine(),
                       {[](auto& a, auto& x) { return a.add(a.mul(x[0], x[1]), x[2]); },
                        [](auto& a, auto& x) { return a.fma(x[0], x[1], x[2]); }}),
              0.8);
    EXPECT_GT(worst_of("x, y, z = (x - y) / z", toy, machine(),
                       {[](auto& a, auto& x) { return a.div(a.add(x[0], -x[1]), x[2]); }}),
              0.6);
    Machine by_reciprocal = machine();
    by_reciprocal.quotient = 2;
    EXPECT_GT(worst_of("x, y, z = (x - y) / z", toy, by_reciprocal,
                       {[](auto& a, auto& x) { return a.mul(a.add(x[0], -x[1]), a.div(1, x[2])); }}),
              0.25);
    EXPECT_GT(
        worst_of("x, y, z = sqrt(x^2 + y * y) + z", toy, machine(),
                 {[](auto& a, auto& x) { return a.add(a.sqrt(a.add(a.mul(x[0], x[0]), a.mul(x[1], x[1]))), x[2]); },
                  [](auto& a, auto& x) { return a.add(a.sqrt(a.fma(x[0], x[0], a.mul(x[1], x[1]))), x[2]); }}),
        0.5);
    EXPECT_GT(worst_of("x, y, z = x^3 * y - z", toy, machine(),
                       {[](auto& a, auto& x) { return a.add(a.mul(a.mul(a.mul(x[0], x[0]), x[0]), x[1]), -x[2]); }}),
              0.3);
  }
}

TEST(FlushToy, AReciprocalOfAPowerOfTwoMayBeFlushed) {
  Machine by_reciprocal = machine();
  by_reciprocal.quotient = 2;
  EXPECT_GT(worst_of("x, y, z = x / 8 + y + z", four_bits, by_reciprocal,
                     {[](auto& a, auto& x) { return a.add(a.add(a.mul(x[0], a.div(1, 8)), x[1]), x[2]); }}),
            0.3);
}

TEST(FlushToy, AComparisonMayReadZeroWhereTheNumberIsSelected) {
  const auto larger = [](const Arithmetic& a, double x, double y) { return a.seen(x) > a.seen(y) ? x : y; };
  const auto smaller = [](const Arithmetic& a, double x, double y) { return a.seen(x) > a.seen(y) ? y : x; };
  for (const oracle::Format& toy : {three_bits, four_bits}) {
    EXPECT_GT(worst_of("x, y, z = max(x, y) * z", toy, machine(),
                       {[=](auto& a, auto& x) { return a.mul(larger(a, x[0], x[1]), x[2]); }}),
              0.5);
    EXPECT_GT(worst_of("x, y, z = relu(x) + abs(y) * z", toy, machine(), {[](auto& a, auto& x) {
                         const double relu = a.seen(x[0]) < 0 ? 0 : x[0];
                         return a.fma(a.seen(x[1]) < 0 ? -x[1] : x[1], x[2], relu);
                       }}),
              0.5);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  s = max(x, axis=n) - min(x, axis=n)\n", toy, machine(), {[=](auto& a, auto& x) {
                         return a.add(larger(a, larger(a, x[0], x[1]), x[2]),
                                      -smaller(a, smaller(a, x[0], x[1]), x[2]));
                       }}),
              0.3);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  r = sort(x, axis=n)\n  s = r[1]\n", toy, machine(), {[=](auto& a, auto& x) {
                         const double least = smaller(a, x[0], x[1]);
                         const double most = least == x[0] ? x[1] : x[0];
                         return larger(a, least, smaller(a, most, x[2]));
                       }}),
              0.5);
  }
}

TEST(FlushToy, ANumberThatIsFlushedInOneUseIsWithinItsBound) {
  EXPECT_GT(worst_of("f(x, y, z) -> r\n  a = x + y\n  r = (3 * a - z) - 2 * a\n", four_bits, machine(),
                     {[](auto& a, auto& x) {
                       const double sum = a.add(x[0], x[1]);
                       return a.add(a.fma(3, sum, -x[2]), -a.mul(2, sum));
                     }}),
            0.5);
}

TEST(FlushToy, RowsAreWithinTheirBoundInEveryOrderHoweverTheyFlush) {
  const auto any_order = [](const auto& of) {
    return std::vector<Program>{[of](auto& a, auto& x) { return of(a, x[0], x[1], x[2]); },
                                [of](auto& a, auto& x) { return of(a, x[0], x[2], x[1]); },
                                [of](auto& a, auto& x) { return of(a, x[1], x[2], x[0]); }};
  };
  for (const oracle::Format& toy : {three_bits, four_bits}) {
    const auto sum = [](const Arithmetic& a, double x, double y, double z) { return a.add(a.add(x, y), z); };
    const auto product = [](const Arithmetic& a, double x, double y, double z) { return a.mul(a.mul(x, y), z); };
    const auto squares = [](const Arithmetic& a, double x, double y, double z) {
      return a.add(a.add(a.mul(x, x), a.mul(y, y)), a.mul(z, z));
    };
    const auto fused = [](const Arithmetic& a, double x, double y, double z) {
      return a.fma(x, x, a.fma(y, y, a.mul(z, z)));
    };
    EXPECT_GT(worst_of("f(x[n]) -> s\n  s = sum(x)\n", toy, machine(), any_order(sum)), 0.8);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  c = cumsum(x, axis=n)\n  s = c[2]\n", toy, machine(), any_order(sum)), 0.5);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  s = prod(x)\n", toy, machine(), any_order(product)), 0.5);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  s = sum(x * x)\n", toy, machine(), any_order(squares)), 0.3);
    EXPECT_GT(worst_of("f(x[n]) -> s\n  s = sum(x * x)\n", toy, machine(), any_order(fused)), 0.3);
  }
}

TEST(FlushToy, VariancesAreWithinTheirBoundHoweverTheyFlush) {
  const auto mean = [](const Arithmetic& a, const Row& x) { return a.div(a.add(a.add(x[0], x[1]), x[2]), 3); };
  const auto of_squares = [](const Arithmetic& a, double x, double y, double z) {
    return a.div(a.fma(x, x, a.fma(y, y, a.mul(z, z))), 3);
  };
  const Program two_passes = [=](const Arithmetic& a, const Row& x) {
    const double m = mean(a, x);
    return of_squares(a, a.add(x[0], -m), a.add(x[1], -m), a.add(x[2], -m));
  };
  const Program one_pass = [=](const Arithmetic& a, const Row& x) {
    const double m = mean(a, x);
    return a.fma(-m, m, of_squares(a, x[0], x[1], x[2]));
  };
  Machine in_one = machine();
  in_one.has_one_pass = true;
  constexpr oracle::Format toy{5, -3, 3};
  EXPECT_GT(worst_of("f(x[n]) -> s\n  s = variance(x, axis=n)\n", toy, machine(), {two_passes}, 100), 0.03);
  EXPECT_GT(worst_of("f(x[n]) -> s\n  s = variance(x, axis=n)\n", toy, in_one, {one_pass}, 100), 0.03);
}

}  // namespace
}  // namespace assay::formulas
