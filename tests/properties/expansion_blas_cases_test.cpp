#include "properties/catalog/expansion/blas_cases.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "drawn_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay::expansion {
namespace {

using Gemv = ExpansionGemvCase<double>;
using Gemm = ExpansionGemmCase<double>;

TEST(ExpansionBlasDomain, ContainsWhatItsClassesDraw) {
  for (const std::size_t words : {2u, 3u, 8u}) {
    expect_inside(expansion_blas_domain<Gemv, double>(words), 100);
    expect_inside(expansion_blas_domain<Gemm, double>(words), 100);
  }
}

TEST(ExpansionBlasDomain, HasEveryPairOfItsTraitsInTheirRows) {
  for (const std::size_t words : {2u, 3u, 4u, 8u}) {
    expect_all_pairs(expansion_blas_domain<Gemv, double>(words));
    expect_all_pairs(expansion_blas_domain<Gemm, double>(words));
  }
}

TEST(ExpansionBlasDomain, RefusesArraysOfOtherLengthsAndNanThatIsRead) {
  Gemv c{.trans = 0, .m = 1, .n = 1, .lda = 1, .alpha = {1, 0}, .a = {1, 0}, .x = {1, 0}, .beta = {0, 0}, .y = {1, 0}};
  const auto domain = expansion_blas_domain<Gemv, double>(2);
  ASSERT_TRUE(domain.contains(c));
  c.a.push_back(0);
  EXPECT_FALSE(domain.contains(c));
  c.a = {number_of<double>(format_of<double>().nan()), 0};
  EXPECT_FALSE(domain.contains(c));
  c.alpha = {0, 0};
  EXPECT_TRUE(domain.contains(c));
}

TEST(ExpansionBlasDomain, DrawsEveryKindOfScalarStrideAndTranspose) {
  const auto domain = expansion_blas_domain<Gemv, double>(2);
  std::map<std::string, int> seen;
  for (const Gemv& c : draw(domain.classes[0], 400)) {
    ++seen[c.trans != 0 ? "transposed" : "as it is"];
    ++seen[c.incx < 0 ? "backward" : c.incx > 1 ? "strided" : "dense"];
    ++seen[detail::all_zero<double>(c.alpha) ? "alpha 0" : detail::is_one<double>(c.alpha) ? "alpha 1" : "alpha"];
    ++seen[detail::all_zero<double>(c.beta) ? "beta 0" : detail::is_one<double>(c.beta) ? "beta 1" : "beta"];
    ++seen[c.lda > c.m ? "padded" : "without padding"];
    ++seen[problem_of(c, 2, 1).k > 64 ? "several products a lane" : "one"];
    ++seen[c.m == 0 || c.n == 0 ? "empty" : "not empty"];
  }
  for (const char* kind :
       {"transposed", "as it is", "backward", "strided", "dense", "alpha 0", "alpha 1", "alpha", "beta 0", "beta 1",
        "beta", "padded", "without padding", "several products a lane", "empty"}) {
    EXPECT_GT(seen[kind], 3) << kind;
  }
}

TEST(ExpansionBlasDomain, ShrinksToCasesOfTheDomainWithFewerProducts) {
  const auto domain = expansion_blas_domain<Gemm, double>(2);
  for (const Gemm& c : draw(domain.classes[0], 20)) {
    bool smaller = false;
    for (const Gemm& each : with_places_left_out(domain, c)) {
      EXPECT_TRUE(domain.contains(each));
      EXPECT_LE(each.m * each.n * each.k, c.m * c.n * c.k);
      smaller = smaller || each.m + each.n + each.k < c.m + c.n + c.k;
    }
    EXPECT_TRUE(smaller || c.m + c.n + c.k == 0);
  }
}

TEST(ExpansionBlasProblem, ReadsAMatrixTransposedAndAVectorBackward) {
  const Gemv c{.trans = 1,
               .m = 2,
               .n = 1,
               .lda = 3,
               .incx = -2,
               .alpha = {1},
               .a = {5, 7, 0},
               .x = {10, 0, 1},
               .beta = {2},
               .y = {100}};
  EXPECT_EQ(exact_result(problem_of(c, 1, 1))[0], oracle::Dyadic(5 * 1 + 7 * 10 + 200));
}

TEST(ExpansionBlasProblem, AddsUpTheWordsOfAnEntry) {
  const Gemm c{.m = 1, .n = 1, .k = 1, .alpha = {1, 2}, .a = {4, 1}, .b = {2, 1}, .beta = {0, 1}, .c = {7, 3}};
  EXPECT_EQ(exact_result(problem_of(c, 2, 1))[0], oracle::Dyadic(3 * 5 * 3 + 10));
}

/// y ← x + y with a gap of one entry.
Gemv with_gap() {
  return {.trans = 0,
          .m = 2,
          .n = 1,
          .lda = 2,
          .incy = 2,
          .alpha = {1, 0},
          .a = {1, 0, 1, 0},
          .x = {1, 0},
          .beta = {1, 0},
          .y = {1, 0, 9, 9, 1, 0}};
}

TEST(ExpansionBlasJudges, AcceptTheRightResult) {
  const Gemv c = with_gap();
  const auto p = problem_of(c, 2, 64);
  const Expansions<double> right{{2, 0, 9, 9, 2, 0}, 2};
  EXPECT_EQ(judge_blas_error(p, exact_result(p), right).verdict, Verdict::holds);
  EXPECT_EQ(judge_blas_structure(p, right).verdict, Verdict::holds);
  EXPECT_EQ(judge_untouched(p, right).verdict, Verdict::holds);
}

TEST(ExpansionBlasJudges, FindAnErrorOfOneLowWord) {
  const Gemv c = with_gap();
  const auto p = problem_of(c, 2, 64);
  const Expansions<double> wrong{{2, 0, 9, 9, 2, 0x1p-90}, 2};
  const Judgement judgement = judge_blas_error(p, exact_result(p), wrong);
  EXPECT_EQ(judgement.verdict, Verdict::violated);
  EXPECT_EQ(judgement.component, 2u);
}

TEST(ExpansionBlasJudges, FindAGapThatWasWrittenTo) {
  const Gemv c = with_gap();
  const Judgement judgement = judge_untouched(problem_of(c, 2, 64), Expansions<double>{{2, 0, 18, 0, 2, 0}, 2});
  EXPECT_EQ(judgement.verdict, Verdict::violated);
  EXPECT_EQ(judgement.component, 1u);
}

TEST(ExpansionBlasJudges, FindAnOverlap) {
  const Gemv c = with_gap();
  EXPECT_EQ(judge_blas_structure(problem_of(c, 2, 64), Expansions<double>{{1, 1, 9, 9, 2, 0}, 2}).verdict,
            Verdict::violated);
}

TEST(ExpansionBlasJudges, AskForNothingWrittenWhereADimensionIsZero) {
  Gemv c{.trans = 0, .m = 1, .n = 0, .lda = 1, .alpha = {1, 0}, .a = {}, .x = {}, .beta = {0, 0}, .y = {5, 5}};
  const auto p = problem_of(c, 2, 64);
  EXPECT_EQ(judge_untouched(p, Expansions<double>{{5, 5}, 2}).verdict, Verdict::holds);
  EXPECT_EQ(judge_untouched(p, Expansions<double>{{0, 0}, 2}).verdict, Verdict::violated);
}

}  // namespace
}  // namespace assay::expansion
