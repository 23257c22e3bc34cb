#include "properties/catalog/pair/matrix_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "drawn_cases.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay::pair {
namespace {

using Case = MatrixProductCase<double>;

Domain<Case> domain() { return product_domain<double>({-101, 54}); }

/// 2 × 3 times 3 × 2.
Case example() {
  Case c;
  c.m = 2;
  c.n = 2;
  c.k = 3;
  c.a = {1, 2, 3, 4, 5, 6};
  c.b = {1, -1, 1, 2, 0, 1};
  return c;
}

TEST(ProductDomain, ContainsWhatItsClassesDraw) { expect_inside(domain(), 300); }

TEST(ProductDomain, VisitsEverySideAtTheEdgesOfTiles) {
  std::set<std::uint32_t> rows;
  std::set<std::uint32_t> columns;
  std::set<std::uint32_t> inner;
  for (const Case& each : draw(domain().classes[0], 5000)) {
    rows.insert(each.m);
    columns.insert(each.n);
    inner.insert(each.k);
  }
  for (const std::uint32_t edge : {0u, 1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 64u, 65u, 96u, 128u}) {
    EXPECT_TRUE(rows.contains(edge)) << edge;
    EXPECT_TRUE(columns.contains(edge)) << edge;
    EXPECT_TRUE(inner.contains(edge)) << edge;
  }
}

TEST(ProductDomain, DoesNotContainFactorsThatDoNotFit) {
  const Domain<Case> of = domain();
  Case c = example();
  EXPECT_TRUE(of.contains(c));
  c.k = 2;
  EXPECT_FALSE(of.contains(c));
  c = example();
  c.a[0] = 0x1p-102;
  EXPECT_FALSE(of.contains(c));
  c.a[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(of.contains(c));
}

TEST(ExactProduct, IsColumnMajor) {
  const std::vector<oracle::Dyadic> entries = exact_product(example());
  EXPECT_EQ(entries, (std::vector<oracle::Dyadic>{1 - 3 + 5, 2 - 4 + 6, 2 + 5, 4 + 6}));
}

TEST(ExactProduct, HasMagnitudesWithoutSigns) {
  EXPECT_EQ(exact_magnitudes(example()), (std::vector<oracle::Dyadic>{9, 12, 7, 10}));
}

TEST(ExactProduct, OfEmptyInnerDimensionIsZero) {
  Case c;
  c.m = 2;
  c.n = 1;
  EXPECT_EQ(exact_product(c), (std::vector<oracle::Dyadic>{0, 0}));
}

TEST(MultipliesExactly, HoldsForSmallIntegers) {
  const Domain<Case> of = domain();
  for (const Case& each : draw(class_named(of, "integers"), 200)) {
    ASSERT_TRUE(multiplies_exactly(each, oracle::binary32));
  }
}

TEST(MultipliesExactly, FailsForLongEntriesAndLongSums) {
  Case c = example();
  c.a[0] = 1 + 0x1p-24;
  EXPECT_FALSE(multiplies_exactly(c, oracle::binary32));
  EXPECT_TRUE(multiplies_exactly(c, oracle::binary64));
  c = example();
  c.a[0] = 0x1p30;
  EXPECT_FALSE(multiplies_exactly(c, oracle::binary32));
}

TEST(MultipliesExactly, FailsWhereProductsUnderflow) {
  Case c = example();
  for (double& each : c.a) each *= 0x1p-80;
  EXPECT_TRUE(multiplies_exactly(c, oracle::binary32));
  for (double& each : c.b) each *= 0x1p-80;
  EXPECT_FALSE(multiplies_exactly(c, oracle::binary32));
}

TEST(CancellingFactors, CancelToFewPlaces) {
  const Domain<Case> of = domain();
  for (const Case& each : draw(class_named(of, "cancellation"), 200)) {
    if (each.k % 2 != 0) continue;
    const auto entries = exact_product(each);
    const auto magnitudes = exact_magnitudes(each);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ASSERT_LE(abs(entries[i]), magnitudes[i] * oracle::Dyadic::scaled(1, -50));
    }
  }
}

TEST(SmallerShapes, AreSubmatricesInsideTheDomain) {
  const Domain<Case> of = domain();
  const std::vector<Case> smaller = smaller_in_structure(of, example());
  ASSERT_FALSE(smaller.empty());
  for (const Case& each : smaller) {
    EXPECT_TRUE(of.contains(each));
    EXPECT_LT(each.a.size() + each.b.size(), example().a.size() + example().b.size());
  }
  const auto row = std::find_if(smaller.begin(), smaller.end(), [](const Case& each) {
    return each.m == 1 && each.a == std::vector<double>{2, 4, 6};
  });
  EXPECT_NE(row, smaller.end());
  const auto column = std::find_if(smaller.begin(), smaller.end(), [](const Case& each) {
    return each.n == 1 && each.b == std::vector<double>{2, 0, 1};
  });
  EXPECT_NE(column, smaller.end());
}

}  // namespace
}  // namespace assay::pair
