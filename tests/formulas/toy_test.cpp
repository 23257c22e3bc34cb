// Every input of a format with three bits: programs with several orders, fused or not, never exceed the bounds of
// FORWARD and MEAN. u = 1/8 shows mistakes of the second order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "oracle/round.hpp"
#include "tests/formulas/small.hpp"
#include "tests/tier.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;

constexpr oracle::Format toy{3, -2, 2};

/// A number of the toy format; empty if an operation overflowed or is not defined.
struct Toy {
  std::optional<Dyadic> x;

  static Toy rounded(const auto& exact) {
    const std::uint64_t bits = oracle::round(exact, toy, oracle::Rounding::nearest);
    return oracle::is_finite(toy, bits) ? Toy{oracle::decode_finite(toy, bits)} : Toy{};
  }
  friend Toy operator+(const Toy& a, const Toy& b) { return a.x && b.x ? rounded(*a.x + *b.x) : Toy{}; }
  friend Toy operator-(const Toy& a, const Toy& b) { return a.x && b.x ? rounded(*a.x - *b.x) : Toy{}; }
  friend Toy operator*(const Toy& a, const Toy& b) { return a.x && b.x ? rounded(*a.x * *b.x) : Toy{}; }
  friend Toy operator/(const Toy& a, const Toy& b) {
    return a.x && b.x && !b.x->is_zero() ? rounded(oracle::quotient(*a.x, *b.x)) : Toy{};
  }
  friend Toy sqrt(const Toy& a) { return a.x && a.x->sign() >= 0 ? rounded(oracle::square_root(*a.x)) : Toy{}; }
  /// xʸ rounded toward zero: within an ulp.
  friend Toy pow(const Toy& a, const Toy& b) {
    if (!a.x || !b.x) return {};
    const double exact = std::pow(a.x->to_double_nearest(), b.x->to_double_nearest());
    if (!std::isfinite(exact)) return {};
    const std::uint64_t bits = oracle::round(oracle::exact(exact), toy, oracle::Rounding::zero);
    return {oracle::decode_finite(toy, bits)};
  }
  friend Toy fma(const Toy& a, const Toy& b, const Toy& c) {
    return a.x && b.x && c.x ? rounded(*a.x * *b.x + *c.x) : Toy{};
  }
};

using Program = std::function<Toy(const Toy&, const Toy&, const Toy&)>;

std::vector<double> numbers() {
  std::vector<double> all;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << toy.width()); ++bits) {
    if (!oracle::is_finite(toy, bits) || bits == toy.sign_mask()) continue;
    all.push_back(oracle::decode_finite(toy, bits).to_double_nearest());
  }
  return all;
}

/// Runs programs on all inputs, in the default tier on one of so many. Returns the largest of error/bound.
double worst_of(const std::string& text, Machine machine, const std::vector<Program>& programs,
                std::size_t one_of = 23) {
  machine.wide = toy;
  const std::vector<double> all = numbers();
  const std::size_t every = test::of_tier<std::size_t>(one_of, 1);
  double worst = 0;
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n * n * n; i += every) {
    const double x = all[i % n];
    const double y = all[i / n % n];
    const double z = all[i / n / n];
    const Small small(text, {}, {{x}, {y}, {z}}, toy);
    const Errors errors = small.errors(machine);
    const oracle::Magnitude forward = errors.total[small.formula.result][0];
    if (!forward.is_finite()) continue;
    const oracle::Magnitude bound = min(forward, mean(small.shaped, small.inputs, small.values, errors, 0));
    const Ball& exact = small.values[small.formula.result][0];
    for (const Program& program : programs) {
      const Toy got = program({oracle::exact(x)}, {oracle::exact(y)}, {oracle::exact(z)});
      if (!got.x) {
        ADD_FAILURE() << text << ": no number for " << x << ", " << y << ", " << z << ", and a bound";
        return 2;
      }
      const Ball error = abs(sub(Ball(*got.x), exact, 128));
      if (less(Ball(bound.value()), error) == oracle::Answer::yes) {
        ADD_FAILURE() << text << " at " << x << ", " << y << ", " << z << ": error " << to_string(error) << ", bound "
                      << bound.to_double();
        return 2;
      }
      if (!bound.is_zero()) worst = std::max(worst, oracle::Magnitude(error).to_double() / bound.to_double());
    }
  }
  return worst;
}

Machine any() { return {.name = "any"}; }
Machine by_reciprocal() {
  Machine machine;
  machine.quotient = 2;
  return machine;
}

TEST(Toy, AProductAndASumAreWithinTheirBound) {
  EXPECT_GT(worst_of("x, y, z = x * y + z", any(),
                     {[](auto& x, auto& y, auto& z) { return x * y + z; },
                      [](auto& x, auto& y, auto& z) { return fma(x, y, z); }}),
            0.7);
}

TEST(Toy, AQuotientOfADifferenceIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = (x - y) / z", any(), {[](auto& x, auto& y, auto& z) { return (x - y) / z; }}), 0.7);
}

TEST(Toy, AQuotientByTheReciprocalIsWithinItsBound) {
  const Toy one{Dyadic(1)};
  EXPECT_GT(worst_of("x, y, z = (x - y) / z", by_reciprocal(),
                     {[](auto& x, auto& y, auto& z) { return (x - y) / z; },
                      [one](auto& x, auto& y, auto& z) { return (x - y) * (one / z); }}),
            0.5);
}

TEST(Toy, ARootOfSquaresIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = sqrt(x^2 + y * y) + z", any(),
                     {[](auto& x, auto& y, auto& z) { return sqrt(x * x + y * y) + z; },
                      [](auto& x, auto& y, auto& z) { return sqrt(fma(x, x, y * y)) + z; },
                      [](auto& x, auto& y, auto& z) { return sqrt(fma(y, y, x * x)) + z; }}),
            0.5);
}

TEST(Toy, ARootBesideZeroIsWithinItsBound) {
  const Toy none{Dyadic()};
  const auto relu = [none](const Toy& a) { return a.x && a.x->sign() < 0 ? none : a; };
  EXPECT_GT(worst_of("x, y, z = sqrt(relu(x * y - z))", any(),
                     {[relu](auto& x, auto& y, auto& z) { return sqrt(relu(x * y - z)); },
                      [relu](auto& x, auto& y, auto& z) { return sqrt(relu(fma(x, y, Toy{-*z.x}))); }}),
            0.7);
}

TEST(Toy, AQuotientOfSumsIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = x / (x^2 + y) - z", any(),
                     {[](auto& x, auto& y, auto& z) { return x / (x * x + y) - z; },
                      [](auto& x, auto& y, auto& z) { return x / fma(x, x, y) - z; }}),
            0.4);
}

TEST(Toy, ACubeIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = x^3 * y - z", any(),
                     {[](auto& x, auto& y, auto& z) { return x * x * x * y - z; },
                      [](auto& x, auto& y, auto& z) { return fma(x * x * x, y, Toy{-*z.x}); }}),
            0.4);
}

TEST(Toy, APowerIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = pow(x, y) + z", any(), {[](auto& x, auto& y, auto& z) { return pow(x, y) + z; }}), 0.6);
}

TEST(Toy, APowerOfAProductIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = pow(x * y, z)", any(), {[](auto& x, auto& y, auto& z) { return pow(x * y, z); }}), 0.5);
}

TEST(Toy, APowerWithAComputedExponentIsWithinItsBound) {
  EXPECT_GT(worst_of("x, y, z = pow(x, y + z)", any(), {[](auto& x, auto& y, auto& z) { return pow(x, y + z); }}), 0.5);
}

/// Rows of three numbers: sums, dot products and variances in the orders that a program may take.
double worst_of_rows(const std::string& text, Machine machine,
                     const std::vector<std::function<Toy(const std::vector<Toy>&)>>& programs,
                     std::size_t one_of = 23) {
  machine.wide = toy;
  const std::vector<double> all = numbers();
  const std::size_t n = all.size();
  const std::size_t every = test::of_tier<std::size_t>(one_of, 1);
  double worst = 0;
  for (std::size_t i = 0; i < n * n * n; i += every) {
    const std::vector<double> row{all[i % n], all[i / n % n], all[i / n / n]};
    const Small small(text, {3}, {row}, toy);
    const Errors errors = small.errors(machine);
    const oracle::Magnitude forward = errors.total[small.formula.result][0];
    if (!forward.is_finite()) continue;
    const oracle::Magnitude bound = min(forward, mean(small.shaped, small.inputs, small.values, errors, 0));
    const std::vector<Toy> numbers{{oracle::exact(row[0])}, {oracle::exact(row[1])}, {oracle::exact(row[2])}};
    for (const auto& program : programs) {
      const Toy got = program(numbers);
      const Ball error =
          got.x ? abs(sub(Ball(*got.x), small.values[small.formula.result][0], 128)) : Ball(Dyadic(1000));
      if (less(Ball(bound.value()), error) == oracle::Answer::yes) {
        ADD_FAILURE() << text << " at " << row[0] << ", " << row[1] << ", " << row[2] << ": error " << to_string(error)
                      << ", bound " << bound.to_double();
        return 2;
      }
      if (!bound.is_zero()) worst = std::max(worst, oracle::Magnitude(error).to_double() / bound.to_double());
    }
  }
  return worst;
}

TEST(Toy, SumsOfARowAreWithinTheirBoundInEveryOrder) {
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  s = sum(x)\n", any(),
                          {[](auto& x) { return x[0] + x[1] + x[2]; }, [](auto& x) { return x[0] + x[2] + x[1]; },
                           [](auto& x) { return x[1] + x[2] + x[0]; }}),
            0.7);
}

TEST(Toy, DotProductsOfARowAreWithinTheirBoundInEveryOrder) {
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  s = sum(x * x)\n", any(),
                          {[](auto& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; },
                           [](auto& x) { return fma(x[0], x[0], fma(x[1], x[1], x[2] * x[2])); },
                           [](auto& x) { return fma(x[2], x[2], x[0] * x[0] + x[1] * x[1]); }}),
            0.35);
}

constexpr std::size_t sparse = 97;

TEST(Toy, ProductsOfARowAreWithinTheirBoundInEveryOrder) {
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  s = prod(x)\n", any(),
                          {[](auto& x) { return x[0] * x[1] * x[2]; }, [](auto& x) { return x[0] * x[2] * x[1]; },
                           [](auto& x) { return x[1] * x[2] * x[0]; }},
                          sparse),
            0.5);
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  s = prod(x) + x[0]\n", any(),
                          {[](auto& x) { return x[0] * x[1] * x[2] + x[0]; },
                           [](auto& x) { return fma(x[0] * x[1], x[2], x[0]); },
                           [](auto& x) { return fma(x[1] * x[2], x[0], x[0]); }},
                          sparse),
            0.5);
}

TEST(Toy, ProductsOfComputedFactorsAreWithinTheirBoundInEveryOrder) {
  const auto of_sums = [](std::size_t i, std::size_t j, std::size_t k) {
    return [=](const std::vector<Toy>& x) {
      const Toy c{Dyadic::scaled(3, -1)};
      return (x[i] + c) * (x[j] + c) * (x[k] + c);
    };
  };
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  s = prod(x + 1.5)\n", any(),
                          {of_sums(0, 1, 2), of_sums(0, 2, 1), of_sums(1, 2, 0)}, sparse),
            0.35);
}

TEST(Toy, RunningProductsAreWithinTheirBound) {
  EXPECT_GT(worst_of_rows("f(x[n]) -> s\n  c = cumprod(x, axis=n)\n  s = c[1] + x[2]\n", any(),
                          {[](auto& x) { return x[0] * x[1] + x[2]; }, [](auto& x) { return fma(x[0], x[1], x[2]); }},
                          sparse),
            0.7);
}

TEST(Toy, SignsAreWithinTheirBound) {
  const auto sign = [](const Toy& a) { return a.x ? Toy{Dyadic(a.x->sign())} : a; };
  EXPECT_GE(worst_of("x, y, z = sign(x * x * y - z)", any(),
                     {[sign](auto& x, auto& y, auto& z) { return sign(x * x * y - z); },
                      [sign](auto& x, auto& y, auto& z) { return sign(fma(x * x, y, Toy{-*z.x})); }},
                     sparse),
            0.99);
  EXPECT_GT(worst_of("x, y, z = sign(x * y - z) * x", any(),
                     {[sign](auto& x, auto& y, auto& z) { return sign(x * y - z) * x; }}, sparse),
            0.3);
}

TEST(Toy, ThePlaceOfTheLargestOfThreeNumbersIsWithinItsBound) {
  const auto place = [](const std::vector<Toy>& x, bool is_fused) {
    std::size_t best = 0;
    std::vector<Dyadic> numbers;
    for (const Toy& each : x) {
      const Toy number = is_fused ? fma(each, each, Toy{-*x[2].x}) : each * each - x[2];
      if (!number.x) return Toy{};
      numbers.push_back(*number.x);
      if (numbers[best] < numbers.back()) best = numbers.size() - 1;
    }
    return Toy{Dyadic(best)};
  };
  EXPECT_GE(worst_of_rows("f(x[n]) -> y\n  y = argmax(x * x - x[2], axis=n)\n", any(),
                          {[place](auto& x) { return place(x, false); }, [place](auto& x) { return place(x, true); }},
                          sparse),
            0.99);
}

TEST(Toy, TheMiddleOneOfThreeSquaresIsWithinItsBound) {
  const auto middle = [](const std::vector<Toy>& x) {
    std::vector<Toy> all{x[0] * x[0], x[1] * x[1], x[2] * x[2]};
    if (!std::ranges::all_of(all, [](const Toy& each) { return each.x.has_value(); })) return Toy{};
    std::ranges::sort(all, [](const Toy& a, const Toy& b) { return *a.x < *b.x; });
    return all[1];
  };
  EXPECT_GT(worst_of_rows("f(x[n]) -> y\n  s = sort(x^2, axis=n)\n  y = s[1]\n", any(), {middle}), 0.5);
}

TEST(Toy, VariancesInTwoPassesAreWithinTheirBound) {
  const auto two_passes = [](const std::vector<Toy>& x) {
    const Toy three{Dyadic(3)};
    const Toy mean = (x[0] + x[1] + x[2]) / three;
    const Toy a = x[0] - mean;
    const Toy b = x[1] - mean;
    const Toy c = x[2] - mean;
    return (a * a + b * b + c * c) / three;
  };
  const double worst = worst_of_rows("f(x[n]) -> s\n  s = variance(x, axis=n)\n", any(), {two_passes});
  EXPECT_GT(worst, 0.03);
  EXPECT_LE(worst, 1);
}

TEST(Toy, VariancesInOnePassAreWithinTheirBound) {
  Machine one_pass;
  one_pass.has_one_pass = true;
  const auto in_one = [](const std::vector<Toy>& x) {
    const Toy three{Dyadic(3)};
    const Toy mean = (x[0] + x[1] + x[2]) / three;
    return (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / three - mean * mean;
  };
  const double worst = worst_of_rows("f(x[n]) -> s\n  s = variance(x, axis=n)\n", one_pass, {in_one});
  EXPECT_GT(worst, 0.03);
  EXPECT_LE(worst, 1);
}

}  // namespace
}  // namespace assay::formulas
