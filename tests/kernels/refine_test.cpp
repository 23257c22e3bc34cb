#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "arith/float/ulp.hpp"
#include "errorbounds/judge.hpp"
#include "exec/launch.hpp"
#include "kernels/refine/certified_solve.hpp"
#include "kernels/refine/detail/certificate.hpp"
#include "properties/catalog/refine/systems.hpp"
#include "tests/tier.hpp"

namespace assay::refine {
namespace {

using oracle::Exact;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Executor host = Executor::host();

CertifiedSolution solve(const System& c, const Executor& on = host) { return certified_solve(on, order(c), c.a, c.b); }

Draw stream(std::uint64_t seed) { return Draw(rc::Random(seed)); }

/// The solution is certified, each unknown is faithful, and each error is a bound.
template <class T>
void expect_faithful(const CertifiedSolution& solution, const std::vector<T>& x) {
  ASSERT_EQ(solution.status, SolveStatus::certified);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(judge_faithful(bits_of(solution.x[i]), x[i], oracle::binary64).verdict, Verdict::holds) << i;
    const Dyadic sum = value_of(solution.x[i]) + value_of(solution.correction[i]);
    EXPECT_EQ(judge_within(sum, Exact(x[i]), Bound{value_of(solution.error[i])}).verdict, Verdict::holds) << i;
  }
}

/// The exact solution of a system with integer factors.
std::vector<Dyadic> solution_of_factors(const detail::FactoredSystem& c) {
  const std::int64_t n = order(c.system);
  std::vector<Dyadic> y;
  for (std::int64_t i = 0; i < n; ++i) {
    y.push_back(value_of(c.system.b[static_cast<std::size_t>(c.row[static_cast<std::size_t>(i)])]));
  }
  const auto subtract = [&](const std::vector<double>& factor, std::int64_t i, std::int64_t j) {
    const double entry = factor[static_cast<std::size_t>(i * n + j)];
    if (entry != 0) y[static_cast<std::size_t>(i)].add_mul(value_of(-entry), y[static_cast<std::size_t>(j)]);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) subtract(c.lower, i, j);
  }
  for (std::int64_t i = n - 1; i >= 0; --i) {
    for (std::int64_t j = i + 1; j < n; ++j) subtract(c.upper, i, j);
  }
  std::vector<Dyadic> x(y.size());
  for (std::size_t j = 0; j < y.size(); ++j) x[static_cast<std::size_t>(c.column[j])] = y[j];
  return x;
}

/// A lower bound of the condition number of the norm ‖·‖∞: ‖A‖‖x‖/‖b‖.
double least_condition(const System& c, const std::vector<double>& x) {
  const auto largest = [](const std::vector<double>& v) {
    double most = 0;
    for (const double each : v) most = std::fmax(most, std::fabs(each));
    return most;
  };
  std::vector<double> rows(c.b.size());
  for (std::size_t at = 0; at < c.a.size(); ++at) rows[at / rows.size()] += std::fabs(c.a[at]);
  return largest(rows) * largest(x) / largest(c.b);
}

/// A system with integer factors, of condition 10^25 or more, is certified, and its solution is faithful.
void expect_ill_conditioned_solved(std::int64_t n, double condition, std::uint64_t seed) {
  Draw draw = stream(seed);
  const detail::FactoredSystem c = detail::draw_integer_inverse(draw, n, condition);
  const CertifiedSolution solution = solve(c.system);
  expect_faithful(solution, solution_of_factors(c));
  EXPECT_GE(least_condition(c.system, solution.x), 1e25);
}

TEST(CertifiedSolve, CertifiesIntegerMultiplesOfHilbertMatricesToOrder20) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw = stream(seed);
    const System c = detail::draw_hilbert(draw, true, 20);
    expect_faithful(solve(c), solution_of(c).value());
  }
}

TEST(CertifiedSolve, CertifiesRoundedHilbertMatricesToOrder14) {
  for (std::uint64_t seed = 0; seed < 140; ++seed) {
    Draw draw = stream(seed);
    const System c = detail::draw_hilbert(draw, false, 14);
    expect_faithful(solve(c), solution_of(c).value());
  }
}

TEST(CertifiedSolve, CertifiesMatricesOfConditionTenToThe25) {
  expect_ill_conditioned_solved(60, 1e36, 1);
  expect_ill_conditioned_solved(150, 1e34, 2);
}

TEST(CertifiedSolve, CertifiesManyUnknownsOfConditionTenToThe25) {
  const std::int64_t n = test::of_tier(200, 1000);
  expect_ill_conditioned_solved(n, test::of_tier(1e36, 1e26), 1);
  expect_ill_conditioned_solved(n, test::of_tier(1e38, 1e34), 2);
}

TEST(CertifiedSolve, KnowsNothingOfASingularSystem) {
  for (const System& c : {System{{0}, {0}}, System{{1, 2, 2, 4}, {1, 2}}, System{{1, 0, 0, 0}, {1, 0}}}) {
    const CertifiedSolution solution = solve(c);
    EXPECT_EQ(solution.status, SolveStatus::not_certified);
    EXPECT_EQ(solution.error, std::vector<double>(c.b.size(), infinity));
  }
}

TEST(CertifiedSolve, KnowsNothingOfASolutionThatOverflows) {
  const CertifiedSolution solution = solve({{0x1p-600, 0, 0, 1}, {0x1p600, 1}});
  EXPECT_EQ(solution.status, SolveStatus::not_certified);
  EXPECT_EQ(solution.error[0], infinity);
}

TEST(CertifiedSolve, CertifiesAnUnknownThatIsZeroWhereTheSolutionIsExact) {
  const CertifiedSolution solution = solve({{3, 7, 2, 5}, {14, 10}});
  EXPECT_EQ(solution.status, SolveStatus::certified);
  EXPECT_EQ(solution.x, (std::vector<double>{0, 2}));
  EXPECT_EQ(solution.error, (std::vector<double>{0, 0}));
}

TEST(CertifiedSolve, EnclosesAnUnknownThatIsZeroBesideOneThatIsNoNumberOfTheFormat) {
  const CertifiedSolution solution = solve({{3, 0, 0, 1}, {1, 0}});
  EXPECT_EQ(solution.status, SolveStatus::not_certified);
  EXPECT_EQ(solution.x, (std::vector<double>{1.0 / 3, 0}));
  EXPECT_LT(solution.error[0], 1e-32);
  EXPECT_LT(solution.error[1], 1e-300);
}

TEST(DefectOfAnInverse, BoundsTheWeightedSumsOfRows) {
  // The exact entries are anywhere within half a unit in the last place of the rounded ones.
  Draw draw = stream(1);
  constexpr std::int64_t n = 5;
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<double> rounded = detail::draw_numbers(draw, n * n, -1074, -900);
    for (double& each : rounded) each = draw.one_in(4) ? 0 : each;
    std::vector<double> weight;
    for (std::int64_t j = 0; j < n; ++j) weight.push_back(std::ldexp(1.0, draw.between(0, 1000)));
    std::vector<double> defect(n);
    const detail::DefectBody body{n, rounded.data(), weight.data(), defect.data()};
    for (std::int64_t i = 0; i < n; ++i) body(static_cast<std::size_t>(i));
    for (std::int64_t i = 0; i < n; ++i) {
      Dyadic most;
      for (std::int64_t j = 0; j < n; ++j) {
        const double entry = std::fabs(rounded[static_cast<std::size_t>(i + j * n)]);
        const Dyadic exact = (value_of(entry) + value_of(next_up(entry))).mul_2exp(-1);
        most.add_mul(exact, value_of(weight[static_cast<std::size_t>(j)]));
      }
      EXPECT_GE(value_of(defect[static_cast<std::size_t>(i)]), most);
    }
  }
}

TEST(MagnitudeOfAnInverse, IsNoSmallerThanTheSumOfItsWords) {
  Draw draw = stream(2);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::vector<double> words = detail::draw_numbers(draw, 3, -60, 0);
    double magnitude = 0;
    detail::MagnitudeBody{1, 3, words.data(), &magnitude}(0);
    EXPECT_GE(value_of(magnitude), abs(value_of(words[0])) + abs(value_of(words[1])) + abs(value_of(words[2])));
  }
}

TEST(CertifiedSolve, TakesAsManyWordsOfTheInverseAsTheConditionNeeds) {
  Draw draw = stream(1);
  const auto words = [&](double condition) {
    return solve(detail::draw_integer_inverse(draw, 30, condition).system).inverse_words;
  };
  EXPECT_EQ(words(1e3), 1);
  EXPECT_EQ(words(1e20), 2);
  EXPECT_EQ(words(1e40), 3);
}

TEST(CertifiedSolve, HasTheBitsOfTheHostOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (const std::int64_t n : {1, 33, 300}) {
    Draw draw = stream(static_cast<std::uint64_t>(n));
    const System c = detail::draw_integer_inverse(draw, n, 1e25).system;
    const CertifiedSolution one = solve(c);
    const CertifiedSolution other = solve(c, Executor::cuda());
    EXPECT_EQ(one.status, SolveStatus::certified);
    EXPECT_EQ(other.x, one.x) << n;
    EXPECT_EQ(other.correction, one.correction) << n;
    EXPECT_EQ(other.error, one.error) << n;
    EXPECT_EQ(other.status, one.status) << n;
  }
}

TEST(CertifiedSolve, OfNoUnknownIsCertified) { EXPECT_EQ(solve({}).status, SolveStatus::certified); }

TEST(CertifiedSolve, RefusesWrongArguments) {
  const std::vector<double> four(4);
  const std::vector<double> two(2);
  EXPECT_THROW(certified_solve(host, -1, {}, {}), std::invalid_argument);
  EXPECT_THROW(certified_solve(host, (1 << 14) + 1, four, two), std::invalid_argument);
  EXPECT_THROW(certified_solve(host, 2, two, two), std::invalid_argument);
  EXPECT_THROW(certified_solve(host, 2, four, four), std::invalid_argument);
}

}  // namespace
}  // namespace assay::refine
