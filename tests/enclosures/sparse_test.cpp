// The kernels of enclosures/sparse.cuh against exact sums.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "tests/enclosures/host_kernels.hpp"
#include "tests/tier.hpp"

namespace assay::enclosures {
namespace {

using oracle::Dyadic;
using oracle::exact;

/// A matrix whose rows are of these kinds: of one size; of any; each number near to the negative of the one before; of
/// one sign; small integers; products of which nothing is known, or hardly anything. Most rows are short, and some have
/// no entry.
struct Matrix {
  std::vector<Integer> offsets{0};
  std::vector<int> columns;
  std::vector<double> values, x;

  explicit Matrix(Integer rows, std::uint64_t seed = 1) : state_(seed) {
    for (int i = 0; i < 256; ++i) {
      const int exponent = i < 64 ? 0 : i < 128 ? static_cast<int>(next() % 400) - 200 : -440;
      x.push_back(i >= 192 ? static_cast<double>(next() % 19) - 9 : std::ldexp(unit(), exponent));
    }
    for (Integer row = 0; row < rows; ++row) {
      const std::uint64_t chance = next() % 4000;
      add_row(chance == 0 ? 9000 : chance < 3 ? 5000 : chance < 20 ? 300 : next() % 10, static_cast<int>(next() % 7));
    }
  }
  [[nodiscard]] SparseArrays arrays() const {
    return {offsets.data(),
            columns.data(),
            values.data(),
            x.data(),
            nullptr,
            8,
            4,
            static_cast<Integer>(offsets.size()) - 1,
            static_cast<Integer>(x.size()),
            static_cast<Integer>(values.size())};
  }

 private:
  std::uint64_t next() { return (state_ = state_ * 6364136223846793005 + 1442695040888963407) >> 11; }
  double unit() { return std::ldexp(static_cast<double>(next()), -52) - 1; }
  void add_row(std::uint64_t length, int kind) {
    for (std::uint64_t i = 0; i < length; ++i) {
      const bool is_answer = kind == 2 && i % 2 == 1;
      const int block = kind == 1 ? 64 : kind == 4 ? 192 : kind >= 5 ? 128 : 0;
      const double number = kind == 4   ? static_cast<double>(next() % 19) - 9
                            : kind == 1 ? std::ldexp(unit(), static_cast<int>(next() % 400) - 200)
                            : kind >= 5 ? std::ldexp(unit(), kind == 5 ? -430 : -500)
                                        : unit();
      columns.push_back(is_answer ? columns.back() : block + static_cast<int>(next() % 64));
      const double of_x = x[static_cast<std::size_t>(columns.back())];
      values.push_back(is_answer                        ? -values.back() * (1 + std::ldexp(unit(), -40))
                       : kind == 3 && number * of_x < 0 ? -number
                                                        : number);
    }
    offsets.push_back(static_cast<Integer>(values.size()));
  }
  std::uint64_t state_;
};

/// The totals of all rows, as the threads of the blocks have them.
std::vector<SparseTotals> totals_of(const SparseArrays& of) {
  const unsigned parts = static_cast<unsigned>((of.rows + of.entries + sparse_part - 1) / sparse_part);
  std::vector<SparseTotals> heads(parts), tails(parts), all(static_cast<std::size_t>(of.rows));
  const auto store = [&](Integer row, const SparseTotals& totals) { all[static_cast<std::size_t>(row)] = totals; };
  run_blocks(parts, [&] { add_part<binary64>(of, -1022, heads.data(), tails.data(), store); });
  run_blocks(parts, [&] { join_parts(of, heads.data(), tails.data(), store); });
  return all;
}

/// What the enclosures of rows hold.
struct Held {
  std::size_t rows = 0, exact_rows = 0, escaped = 0, too_large = 0, too_narrow = 0;
};
using Change = std::function<void(SparseTotals&, Enclosure&)>;
void leave(SparseTotals&, Enclosure&) {}

Held held(const Matrix& matrix, const Change& change = leave) {
  Held all;
  std::vector<SparseTotals> totals = totals_of(matrix.arrays());
  for (std::size_t row = 0; row < totals.size(); ++row) {
    const Integer n = matrix.offsets[row + 1] - matrix.offsets[row];
    EXPECT_EQ(totals[row].entries, n);
    Dyadic sum, magnitudes;
    for (auto at = static_cast<std::size_t>(matrix.offsets[row]);
         at < static_cast<std::size_t>(matrix.offsets[row + 1]); ++at) {
      const Dyadic product = exact(matrix.values[at]) * exact(matrix.x[static_cast<std::size_t>(matrix.columns[at])]);
      sum += product;
      magnitudes += abs(product);
    }
    const bool is_exact_row = is_exact(totals[row]);
    if (!is_exact_row && totals[row].sums.magnitude < 0x1p-890) continue;
    Enclosure of = enclosure_of_row(totals[row], n, threads);
    change(totals[row], of);
    ++all.rows;
    all.exact_rows += is_exact_row ? 1 : 0;
    all.escaped += abs(sum - exact(of.value) - exact(of.low)) <= exact(of.radius) ? 0 : 1;
    all.too_large += exact(of.magnitude) <= magnitudes ? 0 : 1;
    // γ_D of the theorem.
    const Dyadic depth =
        Dyadic(static_cast<std::uint64_t>(std::min(n, sparse_part) + n / (sparse_part * threads) + 40));
    const Dyadic rest = Dyadic::scaled(1, 53) - depth;
    all.too_narrow += is_exact_row || exact(of.radius) * rest * rest >= depth * depth * magnitudes ? 0 : 1;
  }
  return all;
}

TEST(RowsOfASparseMatrix, LieInTheirEnclosures) {
  const auto rows = test::of_tier<std::size_t>(25'000, 125'000);
  const Held all = held(Matrix(static_cast<Integer>(rows)));
  EXPECT_GE(5 * all.rows, 4 * rows);
  EXPECT_GE(12 * all.exact_rows, rows);
  EXPECT_GE(2 * (all.rows - all.exact_rows), rows);
  EXPECT_EQ(all.escaped, 0U);
  EXPECT_EQ(all.too_large, 0U);
  EXPECT_EQ(all.too_narrow, 0U);
}

TEST(EnclosureOfASparseRow, IsLeftWithoutItsRadiusOrItsLowWord) {
  const Matrix matrix(10'000);
  EXPECT_GT(held(matrix, [](SparseTotals&, Enclosure& of) { of.radius = 0; }).escaped, 0U);
  EXPECT_GT(held(matrix, [](SparseTotals&, Enclosure& of) { of.low = 0; }).escaped, 0U);
}

TEST(SparseRows, AreWholeForAllLengths) {
  // Rows at the ends of parts, of a part, of many parts; 20 000 without entries.
  Matrix matrix(0);
  for (const Integer length : {0, 4094, 1, 4096, 4095, 4097, 0, 40'000, 3, 0, 8191, 8190}) {
    for (Integer i = 0; i < length; ++i) {
      matrix.columns.push_back(static_cast<int>(i % 64));
      matrix.values.push_back(1);
    }
    matrix.offsets.push_back(static_cast<Integer>(matrix.values.size()));
  }
  matrix.offsets.insert(matrix.offsets.end(), 20'000, static_cast<Integer>(matrix.values.size()));
  EXPECT_EQ(held(matrix).escaped, 0U);
}

TEST(IndicesOfASparseMatrix, AreCountedWhereTheyAreRight) {
  Matrix matrix(3000);
  const auto right = [&](int are_columns) {
    Integer all = 0;
    std::vector<Integer> out(4);
    run_blocks(4, [&] { count_indices(matrix.arrays(), are_columns, out.data()); });
    for (const Integer each : out) all += each;
    return all;
  };
  EXPECT_EQ(right(0), 3001);
  const Integer entries = std::min<Integer>(matrix.arrays().entries, 4 * sparse_stretch);
  EXPECT_EQ(right(1), entries);
  matrix.columns[7] = 256;
  matrix.columns[8] = -1;
  EXPECT_EQ(right(1), entries - 2);
  matrix.offsets[2000] = -1;
  EXPECT_EQ(right(0), 3000);
}

constexpr SparseRule within_any_order{rule_within, {24, -126, 24, 0}, 0x1p125, 0x1p-24, 0x1p-150, 0, 0, 0};

/// A row of two products 2^-k and 1.
SparseTotals two(int k) {
  SparseTotals totals;
  add_to(totals, 1, 1, -126);
  add_to(totals, std::ldexp(1.0, -k), 1, -126);
  return totals;
}

TEST(ShareOfASparseRow, IsNegativeForOneThatIsNotShownToKeepARule) {
  const auto share = [](const SparseTotals& totals, double got, const SparseRule& rule) {
    return share_of_row(totals, 2, threads, got, rule);
  };
  EXPECT_NEAR(share(two(24), 1, within_any_order), 0.5, 0.01);  // u of 2u(1 + 2u)
  EXPECT_LT(share(two(24), 1 + 0x1p-22, within_any_order), 0);
  EXPECT_LT(share(two(24), std::numeric_limits<double>::quiet_NaN(), within_any_order), 0);
  EXPECT_LT(share_of_row(two(24), 3, threads, 1, within_any_order), 0) << "an entry is missing";
  EXPECT_EQ(share(two(20), 1 + 0x1p-20, within_any_order), 0);
  EXPECT_LT(share(two(20), 1, within_any_order), 0) << "on a grid";
  EXPECT_LT(share(two(23), 1, within_any_order), 0) << "on a grid";
  SparseTotals full;  // 2²⁴ times the grid
  add_to(full, 1 - 0x1p-24, 1, -126);
  add_to(full, 0x1p-24, 1, -126);
  EXPECT_EQ(share(full, 1, within_any_order), 0);
  EXPECT_LT(share(full, 1 + 0x1p-23, within_any_order), 0) << "on a grid";
  SparseTotals subnormal;
  add_to(subnormal, 0x1p-127, 0x1p20, -126);
  add_to(subnormal, 1, 0x1p-126, -126);
  EXPECT_GT(share(subnormal, 0x1.000022p-107, within_any_order), 0) << "a factor may be flushed: on no grid";
  SparseRule rule = within_any_order;
  rule.kind = rule_rounded;
  EXPECT_LT(share(two(24), 1, rule), 0) << "a tie";
  EXPECT_GT(share(two(26), 1, rule), 0);
  EXPECT_LT(share(two(26), 1 + 0x1p-23, rule), 0);
  rule.kind = rule_faithful;
  EXPECT_GT(share(two(25), 1, rule), 0);
  rule.kind = rule_on_grid;
  EXPECT_EQ(share(two(20), 1 + 0x1p-20, rule), 0);
  EXPECT_LT(share(two(25), 1, rule), 0);
}

TEST(ShareOfASparseRow, IsNegativeWhereErrorsOfProductsMayUnderflow) {
  SparseRule rule{rule_rounded, {53, -1022, 53, 0}, 0x1p1021, 0x1p-53, 0, 0, 0, 0};
  SparseTotals totals;  // 2⁻¹⁰²⁰(1 + 2⁻⁵¹ + 2⁻¹⁰⁴)
  add_to(totals, 0x1.0000000000001p-500, 0x1.0000000000001p-520, -1022);
  for (const Rule kind : {rule_rounded, rule_faithful, rule_within}) {
    rule.kind = kind;
    EXPECT_LT(share_of_row(totals, 1, threads, 0x1.0000000000002p-1020, rule), 0);
  }
  totals = {};
  add_to(totals, 0x1p-500, 0x1p-520, -1022);
  EXPECT_EQ(share_of_row(totals, 1, threads, 0x1p-1020, rule), 0) << "no product rounds";
}

TEST(ShareOfASparseRow, IsNegativeWhereTheBoundIsEmpty) {
  SparseRule rule = within_any_order;
  rule.unit = 0x1p-2;
  EXPECT_LT(share_of_row(two(24), 2, threads, 1, rule), 0);
  rule = within_any_order;
  rule.lost = 0.125;  // 6·2·lost is more than 1
  EXPECT_LT(share_of_row(two(24), 2, threads, 1, rule), 0);
}

TEST(ShareOfASparseRow, IsNegativeWhereAFactorMayBeFlushed) {
  SparseRule rule = within_any_order;
  SparseTotals totals;
  add_to(totals, 0x1p-130, 0x1p20, -126);
  EXPECT_EQ(share_of_row(totals, 1, threads, 0x1p-110, rule), 0);
  rule.is_flushed = 1;
  rule.lost = 0x1p-126;
  EXPECT_LT(share_of_row(totals, 1, threads, 0x1p-110, rule), 0) << "the bound is empty";
  totals = {};
  add_to(totals, 0x1p-120, 0x1p10, -126);
  EXPECT_EQ(share_of_row(totals, 1, threads, 0x1p-110, rule), 0);
}

TEST(ShareOfASparseRow, IsThatOfTheNumberThatSpecialProductsMake) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto keeps = [&](double a, double b, double got) {
    SparseTotals totals;
    add_to(totals, a, 1, -126);
    add_to(totals, b, 1, -126);
    return share_of_row(totals, 2, threads, got, within_any_order) == 0;
  };
  EXPECT_TRUE(keeps(infinity, 1, infinity));
  EXPECT_FALSE(keeps(infinity, 1, -infinity));
  EXPECT_FALSE(keeps(infinity, 1, nan));
  EXPECT_FALSE(keeps(infinity, 1, 1));
  EXPECT_TRUE(keeps(-infinity, -infinity, -infinity));
  EXPECT_TRUE(keeps(infinity, -infinity, nan));
  EXPECT_FALSE(keeps(infinity, -infinity, infinity));
  EXPECT_TRUE(keeps(nan, 1, nan));
  SparseTotals totals;
  add_to(totals, infinity, 0, -126);
  EXPECT_EQ(share_of_row(totals, 1, threads, nan, within_any_order), 0);
}

}  // namespace
}  // namespace assay::enclosures
