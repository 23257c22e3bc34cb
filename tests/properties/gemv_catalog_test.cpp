#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "catalog_property.hpp"
#include "drawn_cases.hpp"
#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/gemv/wide_cases.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

TEST(MpGemvDomain, ContainsWhatItsClassesDraw) {
  for (const int n : {8, 16, 32, 64, 128}) {
    expect_inside(gemv::mp_gemv_domain(gemv::mp_format(n)), n > 32 ? 20 : 60);
    expect_all_pairs(gemv::mp_gemv_domain(gemv::mp_format(n)), 10);
    expect_all_pairs(gemv::mp_gemv_wide_domain(gemv::mp_format(n)), 10);
    expect_inside(gemv::mp_gemv_wide_domain(gemv::mp_format(n)), n > 32 ? 20 : 60);
  }
}

TEST(MpGemvDomain, RefusesPoisonThatIsRead) {
  const gemv::MpFormat format = gemv::mp_format(8);
  gemv::MpGemvCase c;
  c.m = c.n = 1;
  c.alpha = c.a = c.x = c.beta = c.y = {1, 0, 0, 0, 0};
  ASSERT_TRUE(gemv::is_mp_gemv_case(c, format));
  c.a[1] = number_of<double>(format_of<double>().nan());
  EXPECT_FALSE(gemv::is_mp_gemv_case(c, format));
  c.alpha = {0, 0, 0, 0, 7};
  EXPECT_TRUE(gemv::is_mp_gemv_case(c, format));
}

TEST(MpGemvDomain, RefusesWhatIsNoNumber) {
  const gemv::MpFormat format = gemv::mp_format(8);
  EXPECT_EQ(format.bits, 107);
  const auto is_number = [&](std::vector<double> x) { return gemv::is_mp_number(x, format); };
  EXPECT_TRUE(is_number({-1, -2, 0, -0x7FFp0, 3}));
  EXPECT_FALSE(is_number({-1, 2, 0, 0, 3}));
  EXPECT_FALSE(is_number({0, 0, 0, 0x800p0, 3}));
  EXPECT_FALSE(is_number({0.5, 0, 0, 0, 3}));
  EXPECT_FALSE(is_number({1, 0, 0, 0, 0x1p21}));
  EXPECT_FALSE(is_number({0x1p32, 0, 0, 0, 0}));
}

TEST(MpGemvDomain, DrawsEveryKindOfScalarStrideAndTranspose) {
  const gemv::MpFormat format = gemv::mp_format(8);
  std::map<std::string, int> seen;
  for (const gemv::MpGemvCase& c : draw(gemv::mp_gemv_domain(format).classes[0], 400)) {
    const gemv::MpGemvProblem p(c, format);
    ++seen[c.trans != 0 ? "transposed" : "as it is"];
    ++seen[c.incx < 0 ? "backward" : c.incx > 1 ? "strided" : "dense"];
    ++seen[p.adds_start ? "beta" : "beta 0"];
    ++seen[p.adds_product ? "alpha" : "alpha 0"];
    ++seen[c.lda > c.m ? "padded" : "without padding"];
    ++seen[c.m == 0 || c.n == 0 ? "empty" : c.m != c.n ? "rectangular" : "square"];
    ++seen[p.blas.k > 33 ? "above 33" : p.blas.k == 32 ? "32" : "other"];
    ++seen[c.threads == 1 ? "recursive" : "tree"];
  }
  for (const char* kind :
       {"transposed", "as it is", "backward", "strided", "dense", "beta", "beta 0", "alpha", "alpha 0", "padded",
        "without padding", "empty", "rectangular", "square", "above 33", "32", "recursive", "tree"}) {
    EXPECT_GT(seen[kind], 3) << kind;
  }
}

TEST(MpGemvDomain, ShrinksToCasesOfTheDomain) {
  const gemv::MpFormat format = gemv::mp_format(16);
  const auto domain = gemv::mp_gemv_domain(format);
  for (const gemv::MpGemvCase& c : draw(domain.classes[0], 20)) {
    for (const gemv::MpGemvCase& each : with_places_left_out(domain, c)) {
      EXPECT_TRUE(domain.contains(each));
      EXPECT_EQ(each.threads, c.threads);
    }
  }
}

TEST(MpGemvDomain, ReversesTermsWithoutChangingTheResult) {
  const gemv::MpFormat format = gemv::mp_format(8);
  for (const gemv::MpGemvCase& c : draw(gemv::mp_gemv_domain(format).classes[0], 60)) {
    const gemv::MpGemvCase reversed = gemv::with_reversed_terms(c, format.words());
    ASSERT_TRUE(gemv::is_mp_gemv_case(reversed, format));
    EXPECT_EQ(gemv::exact_result(gemv::MpGemvProblem(c, format)),
              gemv::exact_result(gemv::MpGemvProblem(reversed, format)));
  }
}

/// The cases of the quick tier that have one or two rows of more than 65 terms.
std::vector<gemv::MpGemvCase> quick_cases_of_long_rows(const std::string& property) {
  const PropertyModel& model = *find_property(property);
  const auto& classes = model.info().classes;
  std::vector<gemv::MpGemvCase> cases;
  for (std::uint64_t i = 0; i < model.info().quick_cases; ++i) {
    if (classes[model.class_of(i)].name == "one or two rows of 66 to 4096 terms") {
      cases.push_back(from_record<gemv::MpGemvCase>(model.make(1, i).value()).value());
    }
  }
  return cases;
}

TEST(MpGemvLongRows, ReachFourThousandTermsOfTheDecomposedFormAtEveryPrecisionInTheQuickTier) {
  for (const std::string form : {"gemv.decomposed", "gemv.exact"}) {
    for (const int n : {8, 16, 32, 64, 128}) {
      std::int64_t longest = 0;
      std::int64_t products = 0;
      for (const gemv::MpGemvCase& c : quick_cases_of_long_rows(form + std::to_string(n))) {
        EXPECT_LE(c.trans != 0 ? c.n : c.m, 2);
        longest = std::max(longest, c.trans != 0 ? c.m : c.n);
        products += c.m * c.n;
      }
      EXPECT_GE(longest, form == "gemv.decomposed" ? 4095 : 900) << form << n;
      EXPECT_LE(products, 3600000 / n) << form << n << ": more work than the quick tier has time for";
    }
  }
}

TEST(MpGemvDomain, HasLongRowsOnlyWhereThereAreFew) {
  const gemv::MpFormat format = gemv::mp_format(128);
  EXPECT_TRUE(format.takes(1, 4096));
  EXPECT_TRUE(format.takes(2, 4096));
  EXPECT_FALSE(format.takes(1, 4097));
  EXPECT_FALSE(format.takes(3, 40));
}

/// The largest error/bound of a claim over the first cases of a class.
double tightness(int n, const std::string& claim, const std::string& class_name,
                 bool (*chosen)(const gemv::MpGemvCase&)) {
  double largest = 0;
  const auto domain = gemv::mp_gemv_domain(gemv::mp_format(n));
  for (const gemv::MpGemvCase& c : draw(class_named(domain, class_name), 150)) {
    if (!chosen(c)) continue;
    const Judgement judgement = judgement_of("gemv.decomposed" + std::to_string(n), claim, c);
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    largest = std::max(largest, judgement.tightness);
  }
  return largest;
}

TEST(MpGemvLosingClass, ComesNearTheBoundForOneTwoAndFourTerms) {
  for (const int n : {8, 16, 32, 64, 128}) {
    for (const auto chosen : {+[](const gemv::MpGemvCase& c) { return (c.trans != 0 ? c.m : c.n) == 1; },
                              +[](const gemv::MpGemvCase& c) { return (c.trans != 0 ? c.m : c.n) == 2; },
                              +[](const gemv::MpGemvCase& c) { return (c.trans != 0 ? c.m : c.n) == 4; }}) {
      EXPECT_GT(tightness(n, "error", "every truncation loses nearly a unit", chosen), 0.99) << n;
    }
  }
}

TEST(MpGemvLosingClass, ComesNearTheBoundForThousandsOfTerms) {
  const auto long_row = +[](const gemv::MpGemvCase& c) { return c.m * c.n >= 1000; };
  EXPECT_GT(tightness(8, "error", "one or two rows of 66 to 4096 terms", long_row), 0.99);
}

TEST(MpGemvLosingClass, ComesToHalfThePublishedBoundForOneTerm) {
  const auto chosen = [](const gemv::MpGemvCase& c) { return (c.trans != 0 ? c.m : c.n) == 1; };
  const double found = tightness(8, "published", "every truncation loses nearly a unit", chosen);
  EXPECT_GT(found, 0.49);
  EXPECT_LT(found, 0.51);
}

TEST(GemvCatalogOfPairs, HasAllOfThemInTheQuickTier) {
  for (const char* name : {"gemv.correctly_rounded", "gemv.exact8", "gemv.decomposed128", "expansion.gemv4"})
    expect_all_pairs_in_the_quick_tier(property(name));
}

}  // namespace
}  // namespace assay
