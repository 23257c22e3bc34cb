#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "../arith/exact_sum_reference.hpp"
#include "kernels/gemv/exact_gemv.hpp"

namespace assay::gemv {
namespace {

using namespace reference;

struct Problem {
  blas::Transpose trans;
  std::int64_t m, n, lda, incx, incy;
  double alpha, beta;
  std::vector<double> a, x, y;

  [[nodiscard]] std::int64_t outputs() const { return trans == blas::Transpose::yes ? n : m; }
  [[nodiscard]] std::int64_t terms() const { return trans == blas::Transpose::yes ? m : n; }
  [[nodiscard]] std::vector<double> solve(const Executor& on, Rounding to = Rounding::rn) const {
    return exact_gemv(on, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, to);
  }
};

std::size_t place(std::int64_t i, std::int64_t length, std::int64_t inc) {
  return static_cast<std::size_t>(inc > 0 ? i * inc : (i - length + 1) * inc);
}

Problem problem(blas::Transpose trans, std::int64_t m, std::int64_t n, int low, int high, std::uint64_t seed,
                std::int64_t incx = 1, std::int64_t incy = 1, std::int64_t gap = 0) {
  std::mt19937_64 random(seed);
  const auto fill = [&](std::size_t size) {
    std::vector<double> v(size);
    for (double& each : v) {
      const auto significand = static_cast<double>(random() >> 11 | std::uint64_t{1} << 52);
      const int e = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
      each = std::ldexp((random() & 1) != 0 ? significand : -significand, e - 52);
    }
    return v;
  };
  Problem p{trans, m, n, m + gap, incx, incy, 1, 1, {}, {}, {}};
  p.a = fill(static_cast<std::size_t>(p.lda * n));
  p.x = fill(static_cast<std::size_t>((p.terms() - 1) * std::abs(incx) + 1));
  p.y = fill(static_cast<std::size_t>((p.outputs() - 1) * std::abs(incy) + 1));
  return p;
}

/// y afterwards by GMP and MPFR.
std::vector<double> reference_gemv(const Problem& p, Rounding to) {
  std::vector<double> result = p.y;
  for (std::int64_t i = 0; i < p.outputs(); ++i) {
    Integer sum = 0;
    for (std::int64_t j = 0; j < p.terms(); ++j) {
      const auto at = static_cast<std::size_t>(p.trans == blas::Transpose::yes ? j + i * p.lda : i + j * p.lda);
      sum = sum + in_units(p.a[at]) * in_units(p.x[place(j, p.terms(), p.incx)]);
    }
    double& y = result[place(i, p.outputs(), p.incy)];
    sum = sum * in_units(p.alpha) + ((in_units(p.beta) * in_units(y)) << 1074);
    y = reference::rounded_integer(sum, -3222, to);
  }
  return result;
}

TEST(ExactGemv, RoundsEveryEntryOnceInEveryDirection) {
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const int range : {20, 1000}) {
      Problem p = problem(trans, 37, 50, -range, range, 50);
      for (const double alpha : {1.0, -0.7, 0x1p-1070}) {
        for (const double beta : {0.0, 1.0, 0.3}) {
          p.alpha = alpha;
          p.beta = beta;
          for (const Rounding to : directions) EXPECT_EQ(p.solve(Executor::host(), to), reference_gemv(p, to));
        }
      }
    }
  }
}

TEST(ExactGemv, TakesAnyShapeAndStride) {
  for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
    for (const std::int64_t m : {1, 7, 33, 64}) {
      for (const std::int64_t n : {1, 8, 31, 40, 65}) {
        for (const std::int64_t inc : {1, 3, -1, -2}) {
          Problem p = problem(trans, m, n, -30, 30, 51, inc, inc < 0 ? 2 : -3, 5);
          p.beta = -2;
          EXPECT_EQ(p.solve(Executor::host()), reference_gemv(p, Rounding::rn)) << m << ' ' << n << ' ' << inc;
        }
      }
    }
  }
}

TEST(ExactGemv, GivesTheSameBitsInEveryOrder) {
  const Problem p = problem(blas::Transpose::no, 70, 40, -500, 500, 52);
  const std::vector<double> ascending = p.solve(Executor::host());
  EXPECT_EQ(p.solve(Executor::host(Order::descending)), ascending);
  EXPECT_EQ(p.solve(Executor::host(Order::shuffled, 5)), ascending);
}

TEST(ExactGemv, DoesNotReadWhatAZeroFactorMultiplies) {
  Problem p = problem(blas::Transpose::no, 3, 4, -5, 5, 53);
  p.beta = 0;
  const std::vector<double> product = p.solve(Executor::host());
  p.y.assign(3, nan);
  EXPECT_EQ(p.solve(Executor::host()), product);
  p = problem(blas::Transpose::yes, 3, 4, -5, 5, 53);
  p.alpha = 0;
  p.beta = 2;
  p.a.assign(p.a.size(), nan);
  p.x.assign(p.x.size(), nan);
  std::vector<double> twice = p.y;
  for (double& each : twice) each *= 2;
  EXPECT_EQ(p.solve(Executor::host()), twice);
}

TEST(ExactGemv, LeavesYWhereThereIsNothingToDo) {
  Problem p = problem(blas::Transpose::no, 3, 4, -5, 5, 54);
  p.n = 0;
  p.beta = 7;
  EXPECT_EQ(p.solve(Executor::host()), p.y);
  p.n = 4;
  p.alpha = 0;
  p.beta = 1;
  EXPECT_EQ(p.solve(Executor::host()), p.y);
}

TEST(ExactGemv, GivesRowsThatAreNotFiniteTheInfinityOrTheNaNOfTheirTerms) {
  Problem p = problem(blas::Transpose::no, 4, 3, -5, 5, 55);
  p.x = {1, 2, 0};
  const std::vector<double> finite = p.solve(Executor::host());
  p.a[1] = infinity;
  p.a[2] = nan;
  p.a[3 + 2 * 4] = infinity;  // times 0
  const std::vector<double> y = p.solve(Executor::host());
  EXPECT_EQ(y[0], finite[0]);
  EXPECT_EQ(y[1], infinity);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST(ExactGemv, MultipliesTheTermsAndNotTheirSumByAnInfiniteAlpha) {
  Problem p = problem(blas::Transpose::yes, 2, 4, 0, 0, 56);
  p.a = {1, 1, -1, 1, -2, -3, 1, 0};
  p.x = {1, 2};
  p.alpha = infinity;
  const std::vector<double> y = p.solve(Executor::host());
  EXPECT_EQ(y[0], infinity);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], -infinity);
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST(ExactGemv, TakesTheStrideOfXForAnInfiniteAlpha) {
  Problem p = problem(blas::Transpose::no, 1, 2, 0, 0, 59, 2);
  p.a = {1, 1};
  p.x = {3, -5, 7};  // −5 is not an entry
  p.alpha = infinity;
  EXPECT_EQ(p.solve(Executor::host())[0], infinity);
}

TEST(ExactGemv, GivesPlusZeroForAnExactZero) {
  Problem p = problem(blas::Transpose::no, 1, 2, 0, 0, 57);
  p.a = {1, 1};
  p.x = {-0.0, -0.0};
  p.y = {-0.0};
  EXPECT_TRUE(same(p.solve(Executor::host())[0], 0.0));
}

TEST(ExactGemv, RefusesWrongArguments) {
  const auto throws = [](auto&& change) {
    Problem p = problem(blas::Transpose::no, 3, 4, 0, 0, 58);
    change(p);
    EXPECT_THROW(static_cast<void>(p.solve(Executor::host())), std::invalid_argument);
  };
  throws([](Problem& p) { p.m = -1; });
  throws([](Problem& p) { p.lda = 2; });
  throws([](Problem& p) { p.incx = 0; });
  throws([](Problem& p) { p.a.pop_back(); });
  throws([](Problem& p) { p.x.pop_back(); });
  throws([](Problem& p) { p.y.pop_back(); });
}

}  // namespace
}  // namespace assay::gemv
