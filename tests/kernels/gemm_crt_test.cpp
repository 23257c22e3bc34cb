#include "kernels/gemm/crt.hpp"

#include <gmp.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gemm_reference.hpp"
#include "kernels/gemm/detail/crt_launches.hpp"

namespace assay::gemm {
namespace {

using namespace reference;

GemmCrtReport expect_rounded_once(GemmProblem p, const GemmOptions& options = {},
                                  const Executor& on = Executor::host()) {
  p.arguments();
  const std::vector<double> expected = reference::exact_gemm(p.g, p.c);
  const GemmCrtReport report = gemm_crt(on, p.g, options);
  EXPECT_EQ(encodings(p.c), encodings(expected))
      << p.g.m << " " << p.g.n << " " << p.g.k << ": " << report.moduli << " moduli";
  return report;
}

TEST(GemmCrt, RoundsOnceForEveryShapeAndTranspose) {
  GemmDraw draw(1);
  for_each_product(draw, {{1, 1, 1}, {3, 2, 5}, {17, 5, 33}, {5, 18, 16}, {2, 3, 200}, {1, 20, 70}},
                   [](const GemmProblem& p) { expect_rounded_once(p); });
}

TEST(GemmCrt, HasAlphaAndBetaInTheOneRounding) {
  GemmDraw draw(2);
  for_each_scaling([&](Entries kind, double alpha, double beta) {
    expect_rounded_once(draw.problem(3, 2, 20, blas::Transpose::no, blas::Transpose::yes, kind, alpha, beta));
  });
}

/// Significands of 53 bits times e^(φ·x), x standard normal.
GemmProblem spread(std::int64_t m, std::int64_t n, std::int64_t k, double phi) {
  GemmDraw draw(3);
  GemmProblem p = draw.problem(m, n, k, blas::Transpose::no, blas::Transpose::no, Entries::uniform);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (double& x : p.a) x *= std::exp(phi * normal(random));
  for (double& x : p.b) x *= std::exp(phi * normal(random));
  return p;
}

TEST(GemmCrt, KeepsAllBitsWhereThatIsCheaper) {
  const GemmCrtReport report = expect_rounded_once(spread(20, 24, 40, 0));
  EXPECT_TRUE(report.exact);
  EXPECT_EQ(report.undecided, 0u);
}

TEST(GemmCrt, RoundsWithABoundWhereThatIsCheaper) {
  const GemmCrtReport report = expect_rounded_once(spread(40, 48, 64, 8));
  EXPECT_FALSE(report.exact);
  EXPECT_LT(report.moduli, 35);
}

TEST(GemmCrt, LeavesToASuperaccumulatorWhatNoModuliDecide) {
  GemmProblem p = GemmDraw(5).problem(4, 4, 40, blas::Transpose::no, blas::Transpose::no, Entries::extreme);
  EXPECT_GT(expect_rounded_once(p).undecided, 0u);
}

TEST(GemmCrt, DoesNotDependOnTheWorkspace) {
  GemmDraw draw(6);
  for (const double phi : {0.0, 8.0}) {
    const GemmProblem p = spread(50, 70, 60, phi);
    const GemmCrtReport whole = expect_rounded_once(p);
    const GemmCrtReport parts = expect_rounded_once(p, {.workspace_bytes = 120000});
    EXPECT_LE(parts.workspace_bytes, 120000u);
    EXPECT_GT(whole.workspace_bytes, 120000u);
  }
}

TEST(GemmCrt, FitsIntoOneByteLessThanItWouldTake) {
  const GemmProblem p = spread(50, 70, 60, 0);
  const std::size_t whole = expect_rounded_once(p).workspace_bytes;
  EXPECT_LT(expect_rounded_once(p, {.workspace_bytes = whole - 1}).workspace_bytes, whole);
}

TEST(GemmCrt, KeepsToTheWorkspaceWhereSuperaccumulatorsComputeAllFiniteEntries) {
  GemmProblem p = GemmDraw(12).problem(64, 64, 100, blas::Transpose::no, blas::Transpose::no, Entries::extreme);
  p.a[0] = std::numeric_limits<double>::infinity();
  const GemmCrtReport report = gemm_crt(Executor::host(), p.arguments(), {.workspace_bytes = 12000});
  EXPECT_EQ(report.undecided, 63u * 64u);
  EXPECT_LE(report.workspace_bytes, 12000u);
}

TEST(GemmCrt, TakesNoMoreThanTheSmallestWorkspacesThatItAccepts) {
  GemmProblem p = GemmDraw(12).problem(4, 4, 40, blas::Transpose::no, blas::Transpose::no, Entries::extreme);
  p.a[0] = std::numeric_limits<double>::infinity();
  for (std::size_t bytes = 1000; bytes < 3000; bytes += 8) {
    GemmProblem each = p;
    std::size_t taken = 0;
    try {
      taken = gemm_crt(Executor::host(), each.arguments(), {.workspace_bytes = bytes}).workspace_bytes;
    } catch (const std::invalid_argument&) {
      EXPECT_LT(bytes, 2500u) << "refused";
    }
    EXPECT_LE(taken, bytes);
  }
}

TEST(GemmCrt, LeavesATieThatRoundingHidesToASuperaccumulatorAfterOnePass) {
  GemmProblem p = spread(40, 48, 64, 8);
  p.g.beta = 0;
  // Entry (0, 0) is 1 + 2⁻⁵³, and row 0 has more bits than the moduli keep.
  for (std::int64_t l = 0; l < 64; ++l) p.b[static_cast<std::size_t>(l)] = l < 2 ? 1 : 0;
  p.a[0] = 1;
  p.a[static_cast<std::size_t>(p.g.lda)] = 0x1p-53;
  const GemmCrtReport report = expect_rounded_once(p);
  EXPECT_EQ(report.undecided, 1u);
  EXPECT_EQ(report.passes, 1);
}

TEST(CrtLog2Product, IsBelowTheLogarithmOfTheProduct) {
  mpz_t product;
  mpz_init_set_ui(product, 1);
  mpfr_t log;
  mpfr_init2(log, 200);
  for (int count = 1; count <= crt::most_moduli; ++count) {
    mpz_mul_ui(product, product, static_cast<unsigned long>(crt::modulus(count - 1)));
    mpfr_set_z(log, product, MPFR_RNDD);
    mpfr_log2(log, log, MPFR_RNDD);
    EXPECT_GE(mpfr_cmp_d(log, detail::crt_log2_product(count)), 0) << count;
    EXPECT_LT(mpfr_cmp_d(log, detail::crt_log2_product(count) + 0x1p-30), 0) << count;
  }
  mpfr_clear(log);
  mpz_clear(product);
}

TEST(GemmCrt, RefusesAWorkspaceForWhichNoPanelIsSmallEnough) {
  GemmProblem p = spread(8, 8, 8, 0);
  EXPECT_THROW(gemm_crt(Executor::host(), p.arguments(), {.workspace_bytes = 1000}), std::invalid_argument);
}

TEST(GemmCrt, AddsUpPartsOfALongInnerIndex) {
  expect_rounded_once(GemmDraw(7).problem(1, 1, 66000, blas::Transpose::yes, blas::Transpose::no, Entries::uniform));
}

TEST(GemmCrt, HoldsSumsThatReachTheBoundOfTheModuli) {
  for (int k = 1; k <= 40; ++k) {
    for (int last = 40; last <= 52; ++last) {
      GemmProblem p = GemmDraw(9).problem(1, 1, k, blas::Transpose::no, blas::Transpose::no, Entries::uniform, 1, 0);
      for (double& x : p.a) x = 2 - std::ldexp(1.0, -last);
      for (double& x : p.b) x = -2 + std::ldexp(1.0, -last);
      EXPECT_TRUE(expect_rounded_once(p).exact);
    }
  }
}

TEST(GemmCrt, LeavesEntriesOfLinesThatAreNotFiniteAsTheyAre) {
  GemmProblem p = spread(6, 5, 20, 0);
  p.arguments();
  const std::int64_t row = 2;
  const std::int64_t column = 3;
  std::vector<double> expected = reference::exact_gemm(p.g, p.c);
  p.a[static_cast<std::size_t>(row + 4 * p.g.lda)] = std::numeric_limits<double>::infinity();
  p.b[static_cast<std::size_t>(1 + column * p.g.ldb)] = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t j = 0; j < p.g.n; ++j) {
    for (std::int64_t i = 0; i < p.g.m; ++i) {
      const auto at = static_cast<std::size_t>(i + j * p.g.ldc);
      if (i == row || j == column) expected[at] = p.c[at];
    }
  }
  p.c[1] = expected[1] = -std::numeric_limits<double>::infinity();
  gemm_crt(Executor::host(), p.g);
  EXPECT_EQ(encodings(p.c), encodings(expected));
}

TEST(GemmCrt, ScalesTheInnerIndexWhereThatSavesModuli) {
  GemmProblem p = spread(12, 15, 40, 0);
  for (std::int64_t l = 0; l < 40; ++l) {
    const int d = static_cast<int>(l * 37 % 40) * 12 - 240;
    for (std::int64_t i = 0; i < 12; ++i) p.a[static_cast<std::size_t>(i + l * p.g.lda)] *= std::ldexp(1.0, d);
    for (std::int64_t j = 0; j < 15; ++j) p.b[static_cast<std::size_t>(l + j * p.g.ldb)] *= std::ldexp(1.0, -d);
  }
  const GemmCrtReport report = expect_rounded_once(p);
  EXPECT_TRUE(report.shifted);
  EXPECT_LT(report.moduli, 20);
}

TEST(GemmCrt, GivesTheSameBitsInEveryOrderOfThreads) {
  GemmDraw draw(10);
  for (const Entries kind : all_kinds) {
    const GemmProblem p = draw.problem(19, 9, 40, blas::Transpose::no, blas::Transpose::no, kind);
    expect_rounded_once(p, {}, Executor::host(Order::descending));
    expect_rounded_once(p, {}, Executor::host(Order::shuffled, 5));
  }
}

TEST(GemmCrt, BoundsRoundingsWhereTheLowWordsCancelToo) {
  // α·(a₁ + a₂ + a₃) + β·c is 7/16 above a midpoint, or below. The low words of both summands have about 53 bits and
  // cancel except for a few. Rounding one of them takes the sum to the other side of the midpoint.
  for (const double sign : {1.0, -1.0}) {
    GemmProblem p;
    p.g = {.m = 1, .n = 1, .k = 3, .lda = 1, .ldb = 3, .ldc = 1};
    p.g.alpha = sign * 9 / 16;
    p.g.beta = sign * -7500253041187851;
    p.a = {4846575637647108 * 0x1p54, 15593956086500990, 1};
    p.b = {1, 1, 1};
    p.c = {6498555653287381};
    expect_rounded_once(p);
  }
}

TEST(GemmCrt, BoundsTheRoundingOfTheLowWordOfBetaC) {
  // β·c is an odd integer and ½ − 2⁻⁵³, and with a·b the sum is 2⁻⁶⁰ below a midpoint, or above.
  for (const double sign : {1.0, -1.0}) {
    GemmProblem p;
    p.g = {.m = 1, .n = 1, .k = 1, .alpha = sign, .lda = 1, .ldb = 1, .ldc = 1};
    p.g.beta = sign * 7647609953243771;
    p.a = {127 * 0x1p-60};
    p.b = {1};
    p.c = {6199956377158477 * 0x1p-53};
    expect_rounded_once(p);
  }
}

TEST(GemmCrt, RoundsZerosTiesAndSubnormalResults) {
  GemmDraw draw(11);
  GemmProblem p = draw.problem(9, 9, 16, blas::Transpose::no, blas::Transpose::no, Entries::few_integers);
  for (std::int64_t l = 0; l < 16; ++l) {
    p.a[static_cast<std::size_t>(3 + l * p.g.lda)] = 0;
    p.b[static_cast<std::size_t>(l + 4 * p.g.ldb)] = 0;
  }
  expect_rounded_once(p);
  GemmProblem q = p;
  for (double& x : q.a) x *= 0x1p-540;
  for (double& x : q.b) x *= 0x1.8p-534;
  for (double& x : q.c) x *= 0x1p-1074;
  expect_rounded_once(q);
}

}  // namespace
}  // namespace assay::gemm
