#include "kernels/gemm/superaccumulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gemm_reference.hpp"
#include "kernels/gemm/detail/superaccumulator_block.hpp"
#include "kernels/gemm/detail/superaccumulator_host.hpp"

namespace assay::gemm {
namespace {

using namespace reference;

/// The orders of threads in which the host's vector code does the work, where it can, and in which blocks do it.
const Executor vector_code = Executor::host();
const Executor blocks = Executor::host(Order::descending);

void expect_rounded_once(const GemmProblem& problem, int words = 4,
                         const std::vector<Executor>& executors = {vector_code, blocks}) {
  for (const Executor& on : executors) {
    GemmProblem p = problem;
    p.arguments();
    const std::vector<double> expected = reference::exact_gemm(p.g, p.c);
    gemm_superaccumulator(on, p.g, words);
    EXPECT_EQ(encodings(p.c), encodings(expected)) << p.g.m << " " << p.g.n << " " << p.g.k;
  }
}

TEST(GemmSuperaccumulator, RoundsOnceForEveryShapeAndTranspose) {
  GemmDraw draw(1);
  for_each_product(draw, {{1, 1, 1}, {3, 2, 5}, {17, 5, 33}, {5, 18, 16}, {2, 3, 600}, {1, 40, 70}, {3, 1, 512}},
                   [](const GemmProblem& p) { expect_rounded_once(p); });
}

TEST(GemmSuperaccumulator, RoundsOnceOnSeveralCores) {
  GemmDraw draw(8);
  for (const Entries kind : all_kinds) {
    expect_rounded_once(draw.problem(50, 85, 130, blas::Transpose::yes, blas::Transpose::no, kind, 0.75, -2), 4,
                        {vector_code});
  }
}

TEST(GemmSuperaccumulator, HasAThreadForEach2To18ProductsWhereThereAreAsManyCores) {
  const auto threads = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    detail::GemmEntries of{};
    of.m = m;
    of.n = n;
    of.k = k;
    return detail::superaccumulator_threads(of);
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  EXPECT_EQ(threads(1, 1, 24), 1u);
  EXPECT_EQ(threads(128, 64, 63), 1u);
  EXPECT_EQ(threads(128, 64, 64), std::min(2u, cores));
  EXPECT_EQ(threads(std::int64_t{1} << 30, std::int64_t{1} << 30, std::int64_t{1} << 30), cores);
}

TEST(GemmSuperaccumulator, RoundsOnceForEveryNumberOfWords) {
  GemmDraw draw(2);
  for (const int words : {3, 4, 6, 8}) {
    for (const Entries kind : all_kinds) {
      expect_rounded_once(draw.problem(6, 7, 40, blas::Transpose::no, blas::Transpose::no, kind), words);
    }
  }
}

TEST(GemmSuperaccumulator, HasAlphaAndBetaInTheOneRounding) {
  GemmDraw draw(3);
  for_each_scaling([&](Entries kind, double alpha, double beta) {
    expect_rounded_once(draw.problem(2, 3, 20, blas::Transpose::no, blas::Transpose::yes, kind, alpha, beta));
    expect_rounded_once(draw.problem(1, 1, 520, blas::Transpose::yes, blas::Transpose::no, kind, alpha, beta));
  });
}

TEST(GemmSuperaccumulator, SumsUpWhatOverflowsAndUnderflowsInPart) {
  const double largest = std::numeric_limits<double>::max();
  const double least = 0x1p-1074;
  for (const auto& [a, b] : std::vector<std::pair<std::vector<double>, std::vector<double>>>{
           {{largest, largest, 1}, {largest, -largest, 3}},
           {{largest, largest, least}, {largest, -largest, least}},
           {{least, least, least}, {0.25, 0.125, 0.125}},
           {{least, -least, least}, {least, least, least}},
           {{largest, largest, -largest}, {1, 1, 1}},
           {{largest, 0x1p969, 0x1p969}, {1, 1, 0.5}},
           {{-0.0, 0.0, -0.0}, {1, 1, 1}}}) {
    GemmProblem p;
    p.g = {.m = 1, .n = 1, .k = 3, .lda = 1, .ldb = 3, .beta = 1, .ldc = 1};
    p.a = a;
    p.b = b;
    p.c = {0.0};
    expect_rounded_once(p);
    // The same, by many threads per entry.
    p.a.insert(p.a.end(), 697, 0.0);
    p.b.insert(p.b.end(), 697, -0.0);
    p.g.k = p.g.ldb = 700;
    expect_rounded_once(p);
  }
}

TEST(GemmSuperaccumulator, GivesTheSameBitsInEveryOrderOfThreads) {
  GemmDraw draw(4);
  for (const Shape& s : {Shape{2, 2, 600}, {20, 17, 30}}) {
    expect_rounded_once(draw.problem(s.m, s.n, s.k, blas::Transpose::no, blas::Transpose::no, Entries::wide), 4,
                        {vector_code, blocks, Executor::host(Order::shuffled, 5)});
  }
}

TEST(GemmSuperaccumulator, TakesEveryProductOfABatch) {
  GemmDraw draw(5);
  for (const Shape& s : {Shape{17, 3, 20}, {17, 3, 30}, {2, 2, 560}}) {
    constexpr std::int64_t count = 3;
    std::vector<GemmProblem> problems;
    GemmProblem all;
    GemmBatch batch{.count = count};
    for (std::int64_t p = 0; p < count; ++p) {
      problems.push_back(draw.problem(s.m, s.n, s.k, blas::Transpose::no, blas::Transpose::no, Entries::uniform, 2, 3));
      GemmProblem& one = problems.back();
      one.g.lda = s.m;
      one.g.ldb = s.k;
      one.g.ldc = s.m;
      batch.stride_a = static_cast<std::int64_t>(one.a.size());
      batch.stride_b = static_cast<std::int64_t>(one.b.size());
      batch.stride_c = static_cast<std::int64_t>(one.c.size());
    }
    for (GemmProblem& one : problems) {
      one.a.resize(static_cast<std::size_t>(batch.stride_a));
      one.b.resize(static_cast<std::size_t>(batch.stride_b));
      one.c.resize(static_cast<std::size_t>(batch.stride_c));
      all.a.insert(all.a.end(), one.a.begin(), one.a.end());
      all.b.insert(all.b.end(), one.b.begin(), one.b.end());
      all.c.insert(all.c.end(), one.c.begin(), one.c.end());
    }
    all.g = problems[0].g;
    const GemmProblem start = all;
    gemm_superaccumulator(vector_code, all.arguments(), 4, batch);
    for (const Executor& on : {blocks, blocks.with_most_blocks(2)}) {  // all products in one launch, two in each
      GemmProblem by_blocks = start;
      gemm_superaccumulator(on, by_blocks.arguments(), 4, batch);
      EXPECT_EQ(encodings(by_blocks.c), encodings(all.c));
    }
    for (std::int64_t p = 0; p < count; ++p) {
      GemmProblem& one = problems[static_cast<std::size_t>(p)];
      const auto first = all.c.begin() + static_cast<std::ptrdiff_t>(p * batch.stride_c);
      EXPECT_EQ(encodings({first, first + static_cast<std::ptrdiff_t>(batch.stride_c)}),
                encodings(reference::exact_gemm(one.arguments(), one.c)));
    }
  }
}

TEST(GemmSuperaccumulator, RefusesAnotherNumberOfWords) {
  EXPECT_THROW(gemm_superaccumulator(Executor::host(), {}, 5), std::invalid_argument);
}

TEST(GemmSuperaccumulator, AddsUpProductsThatUnderflow) {
  GemmProblem p;
  p.g = {.m = 1, .n = 1, .k = 64, .lda = 1, .ldb = 64, .ldc = 1};
  p.a.assign(64, 0x1p-540);
  p.b = p.a;
  p.c = {5};
  expect_rounded_once(p);
  gemm_superaccumulator(vector_code, p.arguments());
  EXPECT_EQ(p.c[0], 0x1p-1074);
}

TEST(GemmSuperaccumulator, GivesTheInfinityOrTheNaNOfItsTerms) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Executor& on : {vector_code, blocks}) {
    GemmProblem p = GemmDraw(9).problem(3, 2, 30, blas::Transpose::yes, blas::Transpose::no, Entries::uniform);
    for (double& each : p.b) each = 1;
    const auto lda = static_cast<std::size_t>(p.g.lda);
    p.a[0] = -infinity;
    p.a[lda] = infinity;
    p.a[lda + 29] = -infinity;
    gemm_superaccumulator(on, p.arguments());
    EXPECT_EQ(p.c[0], -infinity);
    EXPECT_TRUE(is_nan(p.c[1]));
    EXPECT_TRUE(is_finite(p.c[2]));
  }
}

TEST(GemmSuperaccumulator, GivesBetaTimesACThatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t k : {2, 40}) {
    GemmProblem p = GemmDraw(6).problem(3, 1, k, blas::Transpose::no, blas::Transpose::no, Entries::uniform, 1, -2);
    p.c[0] = infinity;
    p.c[1] = std::numeric_limits<double>::quiet_NaN();
    const double expected = [&] {
      GemmProblem finite = p;
      finite.c[0] = finite.c[1] = 0;
      return reference::exact_gemm(finite.arguments(), finite.c)[2];
    }();
    gemm_superaccumulator(Executor::host(), p.arguments());
    EXPECT_EQ(p.c[0], -infinity);
    EXPECT_TRUE(is_nan(p.c[1]));
    EXPECT_EQ(p.c[2], expected);
  }
}

TEST(PartialSuperaccumulator, HandsOnCarriesInTime) {
  detail::PartialSuperaccumulator sum;
  Superaccumulator expected{};
  for (const double x : {0x1.8p70, -0x1.fffffp69, 0x1p-40, -0x1.2p-1000, 0x1.234p300}) {
    sum.pending = std::uint32_t{1} << 29;
    sum.add(x);
    EXPECT_LE(sum.pending, 2u);
    expected.add(x);
  }
  Superaccumulator got{};
  for (int k = sum.first; k < sum.end; ++k) got.word[k] = sum.word[k];
  got.flags = expected.flags;
  EXPECT_EQ(got.round(Rounding::rn), expected.round(Rounding::rn));
  got.add(-0x1.234p300);
  expected.add(-0x1.234p300);
  EXPECT_EQ(got.round(Rounding::rn), expected.round(Rounding::rn));
}

TEST(RecomputeEntries, WritesTheEntriesOfTheListAlone) {
  GemmDraw draw(7);
  for (const blas::Transpose trans_a : both) {
    for (const blas::Transpose trans_b : both) {
      GemmProblem start = draw.problem(45, 41, 70, trans_a, trans_b, Entries::wide, 0.7, 0.3);
      start.arguments();
      const std::vector<double> exact = reference::exact_gemm(start.g, start.c);
      // No panel; panels of some rows and columns; one panel each.
      for (const std::size_t workspace : {std::size_t{0}, std::size_t{2 * 33 * 70 * 8}, recompute_default_workspace}) {
        GemmProblem p = start;
        std::vector<double> expected = p.c;
        std::vector<std::uint64_t> list;
        for (std::uint64_t entry = 3; entry < 45 * 41; entry += 17) list.push_back(entry);
        for (const std::uint64_t entry : list) {
          const std::size_t at = entry % 45 + entry / 45 * static_cast<std::size_t>(p.g.ldc);
          expected[at] = exact[at];
          p.c[at] = 77;
        }
        recompute_entries(Executor::host(), p.arguments(), start.c.data(), list.data(), list.size(), workspace);
        EXPECT_EQ(encodings(p.c), encodings(expected));
      }
    }
  }
}

TEST(RecomputeEntries, ReadsNeitherFactorForAlphaZero) {
  GemmProblem p;
  p.g = {.m = 2, .n = 2, .k = 3, .alpha = 0, .lda = 2, .ldb = 3, .beta = 0.5, .ldc = 2};
  p.c = {1, 2, 3, 4};
  p.g.c = p.c.data();
  const std::vector<std::uint64_t> list{1, 2};
  recompute_entries(Executor::host(), p.g, p.g.c, list.data(), list.size());
  EXPECT_EQ(p.c, (std::vector<double>{1, 1, 1.5, 4}));
}

}  // namespace
}  // namespace assay::gemm
