#include "properties/framework/axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/framework/codec.hpp"
#include "properties/framework/laid.hpp"
#include "properties/framework/shrink.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

/// y ← op(A)·x: entry (i, j) of A at i + j·lda, entry l of x at l·incx, from the end for incx < 0.
struct Product {
  std::int64_t trans = 0, m = 0, n = 0, lda = 1, incx = 1;
  std::vector<double> a, x, y;
  static constexpr auto fields() {
    return std::tuple{field("trans", &Product::trans), field("m", &Product::m),       field("n", &Product::n),
                      field("lda", &Product::lda),     field("incx", &Product::incx), field("a", &Product::a),
                      field("x", &Product::x),         field("y", &Product::y)};
  }
};

Axes axes_of_product(const Product& c) {
  const std::string of_m = c.trans != 0 ? "terms" : "rows";
  const std::string of_n = c.trans != 0 ? "rows" : "terms";
  return {{{"a", {{of_m}, {of_n, "lda"}}}, {"x", {{"terms", "incx"}}}, {"y", {{"rows"}}}},
          {{"m", of_m}, {"n", of_n}},
          {"terms"}};
}

/// A of 2 × 3 with a gap of one entry, 91 … 93, and x backward with a gap, 94 and 95.
Product example() { return {0, 2, 3, 3, -2, {11, 21, 91, 12, 22, 92, 13, 23, 93}, {3, 94, 2, 95, 1}, {1, 2}}; }

constexpr std::size_t rows = 0;
constexpr std::size_t terms = 1;

Laid laid(const Product& c) { return Laid::of(record_of(c), axes_of_product(c)).value(); }
Product product_of(const Record& record) { return from_record<Product>(record).value(); }

TEST(Laid, LeavesOutAPlaceOfEveryListAndKeepsItsGaps) {
  const Product c = product_of(laid(example()).kept(terms, {0, 2}));
  EXPECT_EQ(c.n, 2);
  EXPECT_EQ(c.a, (std::vector<double>{11, 21, 91, 13, 23, 93}));
  EXPECT_EQ(c.x, (std::vector<double>{3, 94, 1}));
  EXPECT_EQ(c.y, (std::vector<double>{1, 2}));
}

TEST(Laid, LowersALeadingDimensionByTheRowsLeftOut) {
  const Product c = product_of(laid(example()).kept(rows, {1}));
  EXPECT_EQ(c.m, 1);
  EXPECT_EQ(c.lda, 2);
  EXPECT_EQ(c.a, (std::vector<double>{21, 91, 22, 92, 23, 93}));
  EXPECT_EQ(c.y, std::vector<double>{2});
}

TEST(Laid, ClosesGaps) {
  const Laid from = laid(example());
  const Product c = product_of(from.packed(from.loose_steps()));
  EXPECT_EQ(c.lda, 2);
  EXPECT_EQ(c.incx, 1);
  EXPECT_EQ(c.a, (std::vector<double>{11, 21, 12, 22, 13, 23}));
  EXPECT_EQ(c.x, (std::vector<double>{1, 2, 3}));
}

TEST(Laid, MovesTheEntriesOfATransposedMatrix) {
  Product transposed{1, 2, 3, 3, 2, {11, 21, 91, 12, 22, 92, 13, 23, 93}, {1, 94, 2}, {1, 2, 3}};
  Product plain = transposed;
  plain.trans = 0;
  const Product c = product_of(laid(transposed).moved_to(record_of(plain), axes_of_product(plain)).value());
  EXPECT_EQ(c.m, 3);
  EXPECT_EQ(c.n, 2);
  EXPECT_EQ(c.lda, 4);
  EXPECT_EQ(c.a, (std::vector<double>{11, 12, 13, 0, 21, 22, 23, 0}));
  EXPECT_EQ(c.x, (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(c.y, (std::vector<double>{1, 2, 3}));
}

TEST(Laid, MergesTermsOfEveryRowToTheirSum) {
  const Product c = product_of(laid(example()).merged(terms, {0, 2}, false).value());
  EXPECT_EQ(c.n, 2);
  EXPECT_EQ(c.a, (std::vector<double>{11 * 1 + 13 * 3, 21 * 1 + 23 * 3, 91, 12, 22, 92}));
  EXPECT_EQ(c.x[2], 1);  // the first place comes last
  EXPECT_EQ(c.x[0], 2);
}

TEST(Laid, RefusesListsThatAreTooShort) {
  Product c = example();
  c.a.pop_back();
  c.a.pop_back();
  EXPECT_FALSE(Laid::of(record_of(c), axes_of_product(c)).has_value());
}

/// A matrix row by row, as a user may write it, without a statement of its axes.
struct Matrix {
  std::vector<double> x;
  std::uint32_t columns = 1;
  static constexpr auto fields() { return std::tuple{field("x", &Matrix::x), field("columns", &Matrix::columns)}; }
};

TEST(Laid, RefusesAnAxisOnBothSidesOfAMatrix) {
  EXPECT_FALSE(Laid::of(record_of(Product{0, 2, 2, 2, 1, {1, 2, 3, 4}, {}, {}}),
                        {{{"a", {{"rows"}, {"rows", "lda"}}}}, {{"m", "rows"}}}));
}

TEST(PartPass, CutsAllAxesOfALargeRecordToVeryFewPlacesFirst) {
  const std::int64_t side = 300;
  Product c{0, side, side, side + 1, 1, {}, {}, {}};
  c.a.resize(static_cast<std::size_t>(side * (side + 1)), 2);
  c.x.resize(side, 3);
  c.y.resize(side, 4);
  const ShrinkPass pass = part_pass(
      record_of(c), [](const Record& of) { return std::vector{axes_of_product(from_record<Product>(of).value())}; });
  ASSERT_EQ(pass.size, 9U);
  for (const std::size_t i : {0U, 1U, 8U}) {
    const Product smaller = product_of(pass.at(i).value());
    EXPECT_EQ(smaller.m, std::int64_t{1} << i);
    EXPECT_EQ(smaller.n, std::int64_t{1} << i);
    EXPECT_EQ(smaller.a.size(), static_cast<std::size_t>(smaller.lda * smaller.n));
  }
}

TEST(AxesOf, FindsRowsAndColumns) {
  std::vector<Record> steps;
  for (std::size_t which = 0; which < structure_passes; ++which) {
    append_steps(structure_pass(record_of(Matrix{{1, 2, 3, 4, 5, 6}, 3}), axes_of, which), steps);
  }
  const auto offers = [&](const Matrix& c) {
    return std::find(steps.begin(), steps.end(), record_of(c)) != steps.end();
  };
  EXPECT_TRUE(offers({{4, 5, 6}, 3}));
  EXPECT_TRUE(offers({{1, 3, 4, 6}, 2}));
  EXPECT_TRUE(offers({{6, 15}, 1}));  // the sum of every row
}

}  // namespace
}  // namespace assay
