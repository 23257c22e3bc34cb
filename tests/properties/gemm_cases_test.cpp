#include "properties/draws/gemm/cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "oracle/exact.hpp"
#include "oracle/round.hpp"
#include "properties/draws/gemm/claims.hpp"
#include "properties/draws/gemm/of_libraries.hpp"
#include "tests/properties/drawn_cases.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay::gemm {
namespace {

using oracle::Dyadic;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const GemmDomain everything{.batches = true, .exceptional = true};

/// One product without gaps.
GemmCase product(std::int64_t m, std::int64_t n, std::int64_t k, std::vector<double> a, std::vector<double> b,
                 double alpha = 1, double beta = 0, std::vector<double> c = {}) {
  GemmCase result;
  result.m = m;
  result.n = n;
  result.k = k;
  result.lda = std::max<std::int64_t>(1, m);
  result.ldb = std::max<std::int64_t>(1, k);
  result.ldc = std::max<std::int64_t>(1, m);
  result.alpha = alpha;
  result.a = std::move(a);
  result.b = std::move(b);
  result.beta = beta;
  result.c = c.empty() ? std::vector<double>(static_cast<std::size_t>(m * n)) : std::move(c);
  return result;
}

std::vector<double> rounded(const std::vector<Dyadic>& truth) {
  std::vector<double> numbers;
  for (const Dyadic& each : truth) {
    numbers.push_back(number_of<double>(oracle::round(each, oracle::binary64, oracle::Rounding::nearest)));
  }
  return numbers;
}

Verdict verdict(const GemmClaim& claim, const GemmCase& c, const GemmResult& result) {
  return claim.judge(c, exact_gemm(c), result).verdict;
}

/// How many of 100 entries, taken from 40 cases of a class, fulfill holds(truth).
template <class Holds>
int percent_of_entries(const std::string& name, Holds&& holds) {
  const Domain<GemmCase> domain = gemm_domain();
  int entries = 0;
  int found = 0;
  for (const GemmCase& c : draw(class_named(domain, name), 40)) {
    const std::vector<Dyadic> truth = exact_gemm(c);
    for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
      ++entries;
      found += !truth[place].is_zero() && holds(truth[place]) ? 1 : 0;
    });
  }
  return entries == 0 ? 0 : 100 * found / entries;
}

/// Halfway between two numbers of binary64.
bool is_tie(const Dyadic& x) {
  const Dyadic half = oracle::ulp(x, oracle::binary64).mul_2exp(-1);
  return x.lowest_exponent() == half.exponent();
}

TEST(GemmDomainOfCases, ContainsWhatItsClassesDraw) {
  for (const GemmDomain& options : {GemmDomain{}, everything, GemmDomain{.layouts = false}}) {
    expect_inside(gemm_domain(options), 12);
  }
}

TEST(GemmDomainOfCases, HasEveryPairOfItsTraitsInTheirRows) {
  for (const GemmDomain& options :
       {GemmDomain{}, everything, GemmDomain{.exceptional = true}, GemmDomain{.poison = false}}) {
    expect_all_pairs(gemm_domain(options));
  }
}

TEST(GemmDomainOfCases, HasNumbersOfBinary32AloneWhereAsked) {
  const auto domain = gemm_domain({.batches = true, .exceptional = true, .single = true});
  const auto is_single = [](double x) { return std::isnan(x) || static_cast<double>(static_cast<float>(x)) == x; };
  const auto expect_single = [&](const GemmCase& c, const std::string& where) {
    EXPECT_TRUE(domain.contains(c)) << where;
    EXPECT_TRUE(is_single(c.alpha) && is_single(c.beta)) << where;
    for (const auto* array : {&c.a, &c.b, &c.c}) EXPECT_TRUE(std::ranges::all_of(*array, is_single)) << where;
  };
  for (const InputClass<GemmCase>& each : domain.classes) {
    for (const GemmCase& c : draw(each, 10)) expect_single(c, each.name);
  }
  expect_all_pairs(domain);
}

TEST(GemmDomainOfCases, HasANaNInASmallCUnderANegativeZeroWithEitherAlpha) {
  const Domain<GemmCase> domain = gemm_domain({.exceptional = true});
  const TraitPairs pairs({domain.traits->all.begin(), domain.traits->all.end()}, domain.traits->impossible);
  std::set<bool> reads_factors;
  for (const TraitRow& row : pairs.rows()) {
    Draw random(random_for(7, "pairs of traits", 0));
    const GemmCase c = domain.traits->draw(random, row);
    const bool is_small = c.m > 0 && c.m <= 4 && c.n > 0 && c.n <= 4;
    const bool has_nan = std::any_of(c.c.begin(), c.c.end(), [](double x) { return std::isnan(x); });
    if (is_small && has_nan && c.beta == 0 && std::signbit(c.beta)) reads_factors.insert(c.alpha != 0);
  }
  EXPECT_EQ(reads_factors.size(), 2u);
}

TEST(GemmDomainOfCases, OffersSmallerShapesOfItself) {
  const Domain<GemmCase> domain = gemm_domain(everything);
  for (const InputClass<GemmCase>& each : domain.classes) {
    for (const GemmCase& c : draw(each, 3)) {
      for (const GemmCase& smaller : with_places_left_out(domain, c)) {
        // A batch has a product, and the step between empty products is too large.
        if (smaller.batch == 0 || (smaller.m * smaller.n * smaller.k == 0 && c.batch > 1)) continue;
        EXPECT_TRUE(domain.contains(smaller)) << each.name;
      }
    }
  }
}

TEST(GemmDomainOfCases, IsWithoutInfinitiesUnlessAsked) {
  const GemmCase c = product(1, 1, 1, {infinity}, {1});
  EXPECT_FALSE(gemm_domain().contains(c));
  EXPECT_TRUE(gemm_domain(everything).contains(c));
}

TEST(GemmDomainOfCases, TakesWhateverStandsWhereNothingIsRead) {
  EXPECT_TRUE(gemm_domain().contains(product(1, 1, 1, {nan}, {infinity}, 0, 0, {nan})));
}

TEST(ExactGrid, AsksForTheExactSumOfSmallIntegers) {
  const GemmCase c = product(1, 1, 3, {1, -2, 3}, {1, 1, 4});
  EXPECT_EQ(verdict(gemm_exact_grid("grid"), c, {11}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_exact_grid("grid"), c, {11 + 0x1p-49}), Verdict::violated);
}
TEST(ExactGrid, EndsWhereASumMayBeNoNumber) {
  const auto rounded = [](double top) { return product(1, 1, 2, {1, 1}, {top, 1}); };
  EXPECT_EQ(verdict(gemm_exact_grid("grid"), rounded(0x1p53), {0x1p53}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_exact_grid("grid"), rounded(0x1p53 - 1), {0x1p53 - 1}), Verdict::violated);
}
TEST(ExactGrid, IsAskedByEveryGradeOfALibrary) {
  const GemmCase c = product(1, 1, 3, {1, -2, 3}, {1, 1, 4});
  const GemmResult within_all_bounds{11 + 0x1p-49};
  for (const GemmClaim& each : gemm_claims_of_libraries({})) {
    if (each.info.id.find("grade") == std::string::npos) continue;
    EXPECT_EQ(verdict(each, c, within_all_bounds), Verdict::violated) << each.info.id;
  }
}
TEST(AnInfiniteFactor, IsMultipliedIntoTheTerms) {
  const GemmCase c = product(1, 1, 2, {1, 1}, {1, -2}, infinity);
  EXPECT_EQ(verdict(gemm_exceptional("exceptional"), c, {nan}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_exceptional("exceptional"), c, {-infinity}), Verdict::violated);
}
TEST(AnInfiniteFactor, IsNotAskedOfLibrariesWhoMultiplyTheSum) {
  GemmClaim claim = gemm_exceptional("exceptional");
  ask_of_library(claim);
  EXPECT_FALSE(claim.applies(product(1, 1, 2, {1, 1}, {1, -2}, infinity)));
  EXPECT_TRUE(claim.applies(product(1, 1, 2, {infinity, 1}, {1, -2}, 2)));
}

TEST(GemmClassesOfTies, AreTies) {
  EXPECT_GE(percent_of_entries("ties", is_tie), 90);
  EXPECT_GE(percent_of_entries("ties of subnormal results", is_tie), 15);
}

TEST(GemmClassesOfTies, StandBesideTiesWithATinyTerm) {
  EXPECT_GE(percent_of_entries("ties ± tiny, hidden by cancellation",
                               [](const Dyadic& x) {
                                 const std::uint64_t bits = oracle::round(x, oracle::binary64, oracle::Rounding::zero);
                                 const Dyadic half = oracle::ulp(x, oracle::binary64).mul_2exp(-1);
                                 const Dyadic down = abs(oracle::decode_finite(oracle::binary64, bits));
                                 const Dyadic off = abs(abs(x) - down - half);
                                 return !off.is_zero() && off < half * Dyadic::scaled(1, -3);
                               }),
            40);
}

TEST(GemmClassesOfTies, StandJustBelowPowersOfTwo) {
  EXPECT_GE(percent_of_entries("just below powers of two",
                               [](const Dyadic& x) {
                                 const Dyadic above = Dyadic::scaled(1, x.exponent() + 1);
                                 return above - abs(x) <= above * Dyadic::scaled(1, -50);
                               }),
            40);
}

TEST(GemmClassesOfRange, OverflowInPart) {
  const int overflowing =
      percent_of_entries("products that overflow", [](const Dyadic& x) { return x.exponent() > 1023; });
  EXPECT_GE(overflowing, 10);
  EXPECT_LE(overflowing, 90);
}

TEST(GemmClassesOfRange, HaveSubnormalResults) {
  EXPECT_GE(percent_of_entries("subnormal results", [](const Dyadic& x) { return x.exponent() < -1022; }), 25);
}

TEST(ExactGemm, IsTheSumOfItsTermsInAnyLayout) {
  const Domain<GemmCase> domain = gemm_domain({.batches = true});
  for (const InputClass<GemmCase>& each : domain.classes) {
    for (const GemmCase& c : draw(each, 3)) {
      const std::vector<Dyadic> truth = exact_gemm(c);
      for_each_entry(c, [&](std::int64_t p, std::int64_t row, std::int64_t column, std::size_t place) {
        Dyadic sum;
        for (std::int64_t l = 0; c.reads_ab() && l < c.k; ++l) {
          const auto a =
              static_cast<std::size_t>(p * c.stride_a + (c.trans_a != 0 ? l + row * c.lda : row + l * c.lda));
          const auto b =
              static_cast<std::size_t>(p * c.stride_b + (c.trans_b != 0 ? column + l * c.ldb : l + column * c.ldb));
          sum.add_mul(value_of(c.a[a]), value_of(c.b[b]));
        }
        Dyadic entry = value_of(c.alpha) * sum;
        if (c.reads_c()) entry.add_mul(value_of(c.beta), value_of(c.c[place]));
        EXPECT_EQ(truth[place], entry) << each.name;
      });
    }
  }
}

TEST(ExactGemm, HasMagnitudesThatAreNoSmaller) {
  const GemmCase c = product(1, 1, 2, {-3, 2}, {1, 4}, -2, 3, {-5});
  EXPECT_THAT(exact_gemm(c), testing::ElementsAre(Dyadic(-2 * 5 - 15)));
  EXPECT_THAT(exact_gemm_magnitudes(c), testing::ElementsAre(Dyadic(2 * 11 + 15)));
}

TEST(EntriesThatAreNotFinite, FollowIeeeArithmetic) {
  using enum GemmEntry;
  const auto kind = [](std::vector<double> a, std::vector<double> b, double alpha = 1, double beta = 0, double c = 0) {
    const auto k = static_cast<std::int64_t>(a.size());
    return kinds_of_entries(product(1, 1, k, std::move(a), std::move(b), alpha, beta, {c})).front();
  };
  EXPECT_EQ(kind({1, infinity}, {1, 2}), plus_infinity);
  EXPECT_EQ(kind({1, infinity}, {1, -2}), minus_infinity);
  EXPECT_EQ(kind({1, infinity}, {1, 2}, -1), minus_infinity);
  EXPECT_EQ(kind({1, infinity}, {1, 0}), nan);
  EXPECT_EQ(kind({infinity, infinity}, {1, -1}), nan);
  EXPECT_EQ(kind({1}, {1}, 1, 1, -infinity), minus_infinity);
  EXPECT_EQ(kind({infinity}, {1}, 1, 1, -infinity), nan);
  EXPECT_EQ(kind({infinity}, {1}, 0, 1, 2), finite);
  EXPECT_EQ(kind({1}, {1}, 1, 0, infinity), finite);
  EXPECT_EQ(kind({1}, {1}, gemm::nan), nan);
  EXPECT_EQ(kind({2, 1}, {3, 1}, -infinity), minus_infinity);
  EXPECT_EQ(kind({2, 1}, {3, -1}, infinity), nan);
  EXPECT_EQ(kind({2, 1}, {3, 0}, infinity), nan);
  EXPECT_EQ(kind({1e300, 1e300}, {1e300, -1e300}), finite);
}

TEST(EntriesThatAreNotFinite, AreThoseOfTheirRowOrColumnAlone) {
  using enum GemmEntry;
  const GemmCase c = product(2, 2, 1, {infinity, 1}, {1, -1});
  EXPECT_THAT(kinds_of_entries(c), testing::ElementsAre(plus_infinity, finite, minus_infinity, finite));
}

TEST(ScaledLinesOfAGemm, ScaleTheExactEntries) {
  const Domain<GemmCase> domain = gemm_domain({.batches = true});
  int scaled_cases = 0;
  for (const InputClass<GemmCase>& each : domain.classes) {
    const GemmCase c = draw(each, 1).front();
    std::vector<Dyadic> truth = exact_gemm(c);
    if (!scales_exactly(c, truth, scaling_box(oracle::binary64))) continue;
    ++scaled_cases;
    const ScaledGemm scaled = with_scaled_lines(c);
    for (std::size_t at = 0; at < truth.size(); ++at) truth[at].mul_2exp(scaled.exponents[at]);
    EXPECT_EQ(exact_gemm(scaled.scaled), truth) << each.name;
  }
  EXPECT_GE(scaled_cases, 10);
}

TEST(RoundedEntriesOfAGemm, HaveNoBitWrong) {
  const GemmClaim claim = gemm_rounded("rounded");
  const GemmCase c = product(2, 1, 2, {0.1, 0.2, 0.3, 0.4}, {0.5, 0.7});
  std::vector<double> result = rounded(exact_gemm(c));
  EXPECT_EQ(verdict(claim, c, result), Verdict::holds);
  result[1] = std::nextafter(result[1], 1.0);
  EXPECT_EQ(verdict(claim, c, result), Verdict::violated);
}

TEST(RoundedEntriesOfAGemm, ArePlusZeroWhereTheyVanish) {
  const GemmClaim claim = gemm_rounded("rounded");
  const GemmCase c = product(1, 1, 2, {1, -1}, {1, 1});
  EXPECT_EQ(verdict(claim, c, {0.0}), Verdict::holds);
  EXPECT_EQ(verdict(claim, c, {-0.0}), Verdict::violated);
}

TEST(BoundedEntriesOfAGemm, MayBeOffByTheBoundAndTheFloor) {
  const GemmClaim claim = gemm_within("within", "e = 2^−10, floor 1", RelativeBound{1, 1024}, Dyadic(1));
  const GemmCase c = product(1, 1, 2, {1024, -1024}, {1, 1});
  EXPECT_EQ(verdict(claim, c, {3}), Verdict::holds);
  EXPECT_EQ(verdict(claim, c, {3.5}), Verdict::violated);
  EXPECT_EQ(verdict(claim, c, {infinity}), Verdict::violated);
}

TEST(UntouchedPartsOfAGemm, AreGapsBetweenColumns) {
  GemmCase c = product(1, 2, 1, {1}, {1, 1});
  c.ldc = 2;
  c.c = {0, 7, 0};
  const GemmClaim claim = gemm_untouched("untouched");
  EXPECT_EQ(verdict(claim, c, {1, 7, 1}), Verdict::holds);
  EXPECT_EQ(verdict(claim, c, {1, 8, 1}), Verdict::violated);
}

TEST(PartsThatAGemmDoesNotRead, DoNotComeThrough) {
  const GemmClaim claim = gemm_not_read("not_read");
  const GemmCase c = product(1, 1, 1, {1}, {1}, 1, 0, {nan});
  ASSERT_TRUE(claim.applies(c));
  EXPECT_EQ(verdict(claim, c, {1}), Verdict::holds);
  EXPECT_EQ(verdict(claim, c, {nan}), Verdict::violated);
  EXPECT_FALSE(claim.applies(product(1, 1, 1, {1}, {1})));
}

TEST(ExceptionalEntriesOfAGemm, AreJudgedByKindAlone) {
  const GemmClaim claim = gemm_exceptional("exceptional");
  const GemmCase c = product(2, 1, 1, {infinity, nan}, {-1});
  EXPECT_EQ(verdict(claim, c, {-infinity, -nan}), Verdict::holds);
  EXPECT_EQ(verdict(claim, c, {infinity, nan}), Verdict::violated);
  EXPECT_EQ(verdict(claim, c, {nan, nan}), Verdict::violated);
}

// A product in fixed point below the largest entry of its row loses a small one against its large partner.
TEST(GradesOfAGemm, TellFixedPointFromOrdinaryArithmetic) {
  const GemmCase c = product(1, 1, 2, {1, 0x1p-60}, {0x1p-60, 1});
  const GemmResult lost{0};
  EXPECT_EQ(verdict(gemm_grade("a", GemmGrade::componentwise), c, {0x1p-59}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_grade("a", GemmGrade::componentwise), c, lost), Verdict::violated);
  EXPECT_EQ(verdict(gemm_grade("b", GemmGrade::rows_and_columns), c, lost), Verdict::holds);
  EXPECT_EQ(verdict(gemm_one_sign("one_sign"), c, lost), Verdict::violated);
}

TEST(GradesOfAGemm, TellRowsFromMatrices) {
  const GemmCase c = product(2, 1, 1, {1, 0x1p-60}, {1});
  EXPECT_EQ(verdict(gemm_grade("b", GemmGrade::rows_and_columns), c, {1, 0}), Verdict::violated);
  EXPECT_EQ(verdict(gemm_grade("c", GemmGrade::matrices), c, {1, 0}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_grade("c", GemmGrade::matrices), c, {1, 0x1p-50}), Verdict::violated);
}

/// Strassen's product of 2 × 2 matrices, column-major, in binary32.
GemmResult by_strassen(const GemmCase& c) {
  const auto in = [](const std::vector<double>& x, std::size_t at) { return static_cast<float>(x[at]); };
  const float a11 = in(c.a, 0), a21 = in(c.a, 1), a12 = in(c.a, 2), a22 = in(c.a, 3);
  const float b11 = in(c.b, 0), b21 = in(c.b, 1), b12 = in(c.b, 2), b22 = in(c.b, 3);
  const float m1 = (a11 + a22) * (b11 + b22), m2 = (a21 + a22) * b11, m3 = a11 * (b12 - b22), m4 = a22 * (b21 - b11);
  const float m5 = (a11 + a12) * b22, m6 = (a21 - a11) * (b11 + b12), m7 = (a12 - a22) * (b21 + b22);
  return {m1 + m4 - m5 + m7, m2 + m4, m3 + m5, m1 - m2 + m3 + m6};
}
TEST(GradesOfAGemm, AreNotKeptByStrassensAlgorithm) {
  const GemmCase c = product(2, 2, 2, {0x1.60b24ap-1, 0x1.63ba70p-1, -0x1.5dcdb8p-1, 0x1.6eae5ap-1},
                             {0x1.340772p-1, 0x1.a3768cp-1, -0x1.595bdap-1, 0x1.81ae04p-1});
  const GemmClaim grade = gemm_grade("c", GemmGrade::matrices, oracle::binary32);
  EXPECT_NEAR(grade.judge(c, exact_gemm(c), by_strassen(c)).tightness, 3.12, 0.01);
}
TEST(GradesOfAGemm, AllowASecondRoundingOfAWiderSumInARungOfItsOwn) {
  // The product is 1 + 2⁻⁵³ and less than 2⁻⁶⁴ more: rounded to 64 bits, then to 53, it becomes 1.
  const GemmCase c = product(1, 1, 1, {0x1.97de0b1b0c04p+0}, {0x1.415c002c9f74bp-1});
  EXPECT_EQ(verdict(gemm_grade("c", GemmGrade::matrices), c, {1}), Verdict::violated);
  EXPECT_EQ(verdict(gemm_wide_grade("wide", oracle::binary64), c, {1}), Verdict::holds);
}
TEST(GradesOfAGemm, AskForZerosWhereAllTermsAre) {
  const GemmCase c = product(2, 1, 1, {0, 1}, {1});
  EXPECT_EQ(verdict(gemm_zeros("zeros"), c, {0, 5}), Verdict::holds);
  EXPECT_EQ(verdict(gemm_zeros("zeros"), c, {0x1p-1074, 1}), Verdict::violated);
}

TEST(ScalingOfAGemm, KeepsTheBitsOfARoundedOne) {
  const auto rounds = [](const Executor&, const GemmCase& c) { return rounded(exact_gemm(c)); };
  const auto adds = [](const Executor&, const GemmCase& c) {
    std::vector<double> result = rounded(exact_gemm(c));
    for (double& each : result) each += 1;
    return result;
  };
  const GemmCase c = product(3, 2, 2, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {0.7, 0.8, 0.9, 1.1});
  EXPECT_EQ(verdict(gemm_scaling("scaling", rounds), c, rounds(Executor::host(), c)), Verdict::holds);
  EXPECT_EQ(verdict(gemm_scaling("scaling", adds), c, adds(Executor::host(), c)), Verdict::violated);
}

}  // namespace
}  // namespace assay::gemm
