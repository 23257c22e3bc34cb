#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arith/accumulators/rounded_quotient.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/ceil_div.hpp"
#include "kernels/sum/generated_terms.hpp"
#include "kernels/triangular/detail/substitution.hpp"
#include "kernels/triangular/rounded_trsv.hpp"

namespace assay::triangular {
namespace {

using blas::Diagonal;
using blas::Transpose;
using blas::Triangle;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Executor host = Executor::host();

std::vector<double> solve_lower(std::int64_t n, const std::vector<double>& a, const std::vector<double>& b) {
  return rounded_trsv(host, Triangle::lower, Transpose::no, Diagonal::stored, n, a, n, b, 1);
}

CertifiedSolution certify_lower(std::int64_t n, const std::vector<double>& a, const std::vector<double>& b) {
  return certified_trsv(host, Triangle::lower, Transpose::no, Diagonal::stored, n, a, n, b, 1);
}

/// The lower triangle with `diagonal` on the diagonal and `beside` below it; the rest is NaN.
std::vector<double> triangle(std::int64_t n, double diagonal, double beside) {
  std::vector<double> a(static_cast<std::size_t>(n * n), nan);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) a[static_cast<std::size_t>(i + j * n)] = i == j ? diagonal : beside;
  }
  return a;
}

TEST(RoundedTrsv, RoundsAQuotientOfAnExactSumOnce) {
  // x₁ = RN(2/3) = k·2⁻⁵³ and x₀ = (1 + x₁)/1.5 = (2⁵³ + k)/3·2⁻⁵². 2⁵³ + k has 54 bits, the last one set.
  const std::vector<double> x = rounded_trsv(host, Triangle::upper, Transpose::no, Diagonal::stored, 2,
                                             std::vector<double>{1.5, nan, -1, 1.5}, 2, std::vector<double>{1, 1}, 1);
  EXPECT_EQ(x[1], 1 / 1.5);
  EXPECT_EQ(x[0], 5003999585967218 * 0x1p-52);
  EXPECT_NE(x[0], (1 + x[1]) / 1.5);
}

TEST(RoundedTrsv, SolvesEveryTriangleWithEveryStride) {
  // The same system, stored in four ways: rows of L are (2), (−1, 4), (3, 1, 8), and x = (1, 2, 3).
  const double entries[3][3] = {{2, 0, 0}, {-1, 4, 0}, {3, 1, 8}};
  const std::vector<double> right{2, 7, 29};
  for (const bool transposed : {false, true}) {
    for (const bool reversed : {false, true}) {
      for (const std::int64_t stride : {1, 2, -1, -3}) {
        std::vector<double> a(12, nan);
        std::vector<double> x(static_cast<std::size_t>(1 + 2 * std::abs(stride)), 0.5);
        const auto at = [&](std::int64_t i) {
          return static_cast<std::size_t>(stride > 0 ? i * stride : (i - 2) * stride);
        };
        for (std::int64_t i = 0; i < 3; ++i) {
          const std::int64_t row = reversed ? 2 - i : i;
          x[at(row)] = right[static_cast<std::size_t>(i)];
          for (std::int64_t j = 0; j <= i; ++j) {
            const std::int64_t column = reversed ? 2 - j : j;
            a[static_cast<std::size_t>(transposed ? column + row * 4 : row + column * 4)] = entries[i][j];
          }
        }
        const bool upper = transposed != reversed;
        const std::vector<double> solved =
            rounded_trsv(host, upper ? Triangle::upper : Triangle::lower, transposed ? Transpose::yes : Transpose::no,
                         Diagonal::stored, 3, a, 4, x, stride);
        for (std::int64_t i = 0; i < 3; ++i) {
          EXPECT_EQ(solved[at(reversed ? 2 - i : i)], static_cast<double>(i + 1)) << stride << transposed << reversed;
        }
        EXPECT_TRUE(stride != 2 || solved[1] == 0.5);
      }
    }
  }
}

/// The lower triangle by columns, substitution in superaccumulators.
std::vector<double> exact_substitution(std::int64_t n, const std::vector<double>& a, std::vector<double> x) {
  for (std::int64_t i = 0; i < n; ++i) {
    Superaccumulator sum{};
    sum.add(x[static_cast<std::size_t>(i)]);
    for (std::int64_t j = 0; j < i; ++j) {
      sum.add_product(-a[static_cast<std::size_t>(i + j * n)], x[static_cast<std::size_t>(j)]);
    }
    x[static_cast<std::size_t>(i)] = rounded_quotient(sum, a[static_cast<std::size_t>(i + i * n)], Rounding::rn);
  }
  return x;
}

TEST(RoundedTrsv, OfSeveralPanelsIsThatOfSuperaccumulators) {
  // Among the rows are some whose quotients are ties, some with products below the range, and one without a product.
  for (const std::int64_t n : {511, 512, 513, 1030}) {
    std::vector<double> a = triangle(n, 1, 0);
    std::vector<double> b;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t number = static_cast<std::uint64_t>(i * n);
      for (std::int64_t j = 0; j < i && i % 50 != 7; ++j) {
        a[static_cast<std::size_t>(i + j * n)] =
            sum::generated_number(5, number + static_cast<std::uint64_t>(j)) * (i % 40 == 3 ? 0x1p-1000 : 0x1p-24);
      }
      a[static_cast<std::size_t>(i + i * n)] = i % 3 == 0 ? 1 : 1.5 + sum::generated_number(6, number);
      b.push_back(i % 50 == 7 ? 0.0 : sum::generated_number(7, number));
    }
    EXPECT_EQ(solve_lower(n, a, b), exact_substitution(n, a, b)) << n;
  }
}

TEST(RoundedTrsv, OfSmallIntegersInTwoPanelsTakesNoExactSum) {
  // xᵢ = i mod 5 + 1 with the diagonal 2 and −2, …, 2 below it; above it is NaN.
  const std::int64_t n = 600;
  std::vector<double> a = triangle(n, 2, 0);
  std::vector<double> b;
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 2 * static_cast<double>(i % 5 + 1);
    for (std::int64_t j = 0; j < i; ++j) {
      double& entry = a[static_cast<std::size_t>(i + j * n)];
      entry = static_cast<double>((3 * i + j) % 5 - 2);
      sum += entry * static_cast<double>(j % 5 + 1);
    }
    b.push_back(sum);
  }
  std::vector<double> x(b.size());
  detail::SubstitutionBlock::Shared shared;
  shared.word[0] = 7;  // an exact sum begins with 0
  Block<detail::SubstitutionBlock::Shared, detail::SubstitutionBlock::threads> block(shared, 0);
  detail::SubstitutionBlock{{n, false, a.data(), 1, n}, {b.data(), 1}, {x.data(), 1}, false}(block);
  for (std::int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(x[static_cast<std::size_t>(i)], static_cast<double>(i % 5 + 1)) << i;
  }
  EXPECT_EQ(shared.word[0], 7);
}

TEST(RoundedTrsv, TheFactorsOfARowEndInFrontOfTheDiagonal) {
  const std::vector<double> a{1, 2, 3, nan, 5, 6, nan, nan, 9};
  const auto entries = [&](std::int64_t s, std::int64_t column, bool bounds) {
    const auto z =
        detail::SubstitutionBlock{{3, false, a.data(), 1, 3}, {nullptr, 1}, {nullptr, 1}, bounds}.entries_of(s, column);
    return std::vector<double>(z.x, z.x + detail::SubstitutionBlock::ahead);
  };
  EXPECT_EQ(entries(0, 0, false), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(entries(1, 0, false), (std::vector<double>{-2, 0, 0, 0}));
  EXPECT_EQ(entries(2, 0, false), (std::vector<double>{-3, -6, 0, 0}));
  EXPECT_EQ(entries(2, 1, true), (std::vector<double>{6, 0, 0, 0}));
  EXPECT_EQ(entries(1, 2, true), (std::vector<double>{0, 0, 0, 0}));
}

TEST(RoundedTrsv, TakesAPhaseForEachUnknownAndForEachGroupOfThem) {
  for (const std::int64_t n : {1, 3, 4, 5, 8, 512, 513, 516}) {
    std::vector<double> a = triangle(n, 1, 0);
    std::vector<double> x(static_cast<std::size_t>(n), 3.0);
    detail::SubstitutionBlock::Shared shared;
    Block<detail::SubstitutionBlock::Shared, detail::SubstitutionBlock::threads> block(shared, 0);
    detail::SubstitutionBlock{{n, false, a.data(), 1, n}, {x.data(), 1}, {x.data(), 1}, false}(block);
    EXPECT_EQ(x, std::vector<double>(x.size(), 3.0));
    const std::int64_t panels = bits::ceil_div(n, 512);
    EXPECT_EQ(block.phases(), 1 + panels + bits::ceil_div(n, 4) + n) << n;
  }
}

TEST(RoundedTrsv, AStepThatIsNeverTakenMayBeAnyNumber) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      for (const std::int64_t stride : {most, -most - 1}) {
        const std::vector<double> a{4};
        const std::vector<double> b{12};
        const auto stored = Diagonal::stored;
        EXPECT_EQ(rounded_trsv(host, uplo, trans, stored, 1, a, most, b, stride), std::vector<double>{3});
        EXPECT_EQ(certified_trsv(host, uplo, trans, stored, 1, a, most, b, stride).x, std::vector<double>{3});
        EXPECT_EQ(rounded_trsv(host, uplo, trans, stored, 0, {}, most, b, stride), b);
      }
    }
  }
}

TEST(RoundedTrsv, RoundsTiesOfQuotientsToEven) {
  // (1 + 2⁻⁵³)/1 and (3 + 3·2⁻⁵³)/3, the sums of b₂ and −a₂₁x₁.
  for (const double divisor : {1.0, 2.0, 3.0}) {
    const std::vector<double> x = solve_lower(2, {1, -divisor * 0x1p-53, nan, divisor}, {1, divisor});
    EXPECT_EQ(x[1], 1) << divisor;
    EXPECT_EQ(solve_lower(2, {1, -divisor * 0x1p-53, nan, divisor}, {1, divisor * (1 + 0x1p-52)})[1], 1 + 0x1p-51);
  }
}

TEST(RoundedTrsv, FollowsIeeeForAZeroOnTheDiagonal) {
  const std::vector<double> x = solve_lower(2, triangle(2, 0, 1), {1, 1});
  EXPECT_EQ(x[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(x[1], -std::numeric_limits<double>::infinity());
}

TEST(RoundedTrsv, AnExactSumForgetsTheInfinityOfTheOneBefore) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve_lower(2, triangle(2, 1, 1), {infinity, 1}), (std::vector<double>{infinity, -infinity}));
}

TEST(RoundedTrsv, RefusesWrongArguments) {
  const auto call = [](std::int64_t n, std::int64_t lda, std::int64_t stride, std::size_t a, std::size_t x) {
    return rounded_trsv(host, Triangle::upper, Transpose::no, Diagonal::stored, n, std::vector<double>(a, 1.0), lda,
                        std::vector<double>(x, 1.0), stride);
  };
  EXPECT_THROW(call(-1, 1, 1, 4, 4), std::invalid_argument);
  EXPECT_THROW(call(2, 1, 1, 4, 4), std::invalid_argument);
  EXPECT_THROW(call(2, 2, 0, 4, 4), std::invalid_argument);
  EXPECT_THROW(call(2, 2, 1, 3, 4), std::invalid_argument);
  EXPECT_THROW(call(2, 2, -3, 4, 3), std::invalid_argument);
  EXPECT_THROW(call(std::int64_t{1} << 28, std::int64_t{1} << 28, 1, 4, 4), std::invalid_argument);
  EXPECT_EQ(call(2, 2, -3, 4, 4).size(), 4u);
  EXPECT_EQ(call(0, 1, 1, 0, 2).size(), 2u);
}

TEST(CertifiedTrsv, CertifiesAnExactSolutionAtOnce) {
  const CertifiedSolution solution = certify_lower(3, {2, -1, 3, nan, 4, 1, nan, nan, 8}, {2, 7, 29});
  EXPECT_EQ(solution.status, SolveStatus::certified);
  EXPECT_EQ(solution.words, 1);
  EXPECT_EQ(solution.x, (std::vector<double>{1, 2, 3}));
}

TEST(CertifiedTrsv, CertifiesASystemWithoutUnknownsWithItsFirstWord) {
  const CertifiedSolution solution = certified_trsv(host, Triangle::lower, Transpose::no, Diagonal::stored, 0,
                                                    std::vector<double>{}, 1, std::vector<double>{}, 1);
  EXPECT_EQ(solution.status, SolveStatus::certified);
  EXPECT_EQ(solution.words, 1);
}

TEST(CertifiedTrsv, RefinesWhatTheFirstSubstitutionLoses) {
  // x₀ = 1/3 and x₁ = RN(1/3) − 1/3 = −2⁻⁵⁴/3: the first substitution gives 0 for x₁.
  const double third = 1.0 / 3;
  const CertifiedSolution solution = certify_lower(2, {3, 1, nan, 1}, {1, third});
  EXPECT_EQ(solve_lower(2, {3, 1, nan, 1}, {1, third})[1], 0);
  EXPECT_EQ(solution.status, SolveStatus::certified);
  EXPECT_GT(solution.words, 1);
  EXPECT_NEAR(solution.x[1] / std::ldexp(-1.0, -54), third, 1e-15);
}

TEST(CertifiedTrsv, TellsASingularSystemFromAnIllConditionedOne) {
  std::vector<double> singular = triangle(4, 1, 1);
  singular[10] = -0.0;
  const std::vector<double> b{1, 2, 3, 4};
  const CertifiedSolution none = certify_lower(4, singular, b);
  EXPECT_EQ(none.status, SolveStatus::singular);
  EXPECT_EQ(none.x, b);
  EXPECT_EQ(none.words, 0);
  // The unit diagonal of the same matrix is not read.
  EXPECT_EQ(certified_trsv(host, Triangle::lower, Transpose::no, Diagonal::unit, 4, singular, 4, b, 1).status,
            SolveStatus::certified);
  // Rows xᵢ + 2⁵⁴xᵢ₋₁ = bᵢ with bᵢ = RN(2⁵⁴xᵢ₋₁), x₀ = 1/3: each row takes 53 bits, and twelve rows more than eight
  // words have. 3xᵢ is an integer below 2⁶⁰.
  __extension__ using Wide = __int128;
  const std::int64_t n = 12;
  std::vector<double> hopeless = triangle(n, 1, 0);
  hopeless[0] = 3;
  std::vector<double> right{1};
  Wide three_x = 1;
  for (std::int64_t i = 1; i < n; ++i) {
    hopeless[static_cast<std::size_t>(i + (i - 1) * n)] = 0x1p54;
    const Wide third = (three_x << 54) / 3;
    right.push_back(static_cast<double>(third));
    three_x = 3 * static_cast<Wide>(right.back()) - (three_x << 54);
  }
  const CertifiedSolution open = certify_lower(n, hopeless, right);
  EXPECT_EQ(open.status, SolveStatus::not_certified);
  EXPECT_EQ(open.words, most_solution_words);
}

TEST(CertifiedTrsv, CertifiesNothingThatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(certify_lower(2, {1, 1, nan, 1}, {infinity, 1}).status, SolveStatus::not_certified);
  EXPECT_EQ(certify_lower(2, {1, nan, nan, 1}, {1, 1}).status, SolveStatus::not_certified);
  // The solution overflows.
  EXPECT_EQ(certify_lower(1, {0x1p-1000}, {0x1p1000}).status, SolveStatus::not_certified);
}

}  // namespace
}  // namespace assay::triangular
