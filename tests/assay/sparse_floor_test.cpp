// Floors of the bounds on rows of a sparse matrix times a vector: no bound lies below its floor, and no floor much
// below its bound.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/fraction.hpp"
#include "oracle/decode.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

/// A row of n entries: T, |d|, and a contract.
struct Row {
  std::uint64_t n;
  double magnitude, sum;
  std::string format, contract;
};

/// The bound of a contract for rows without subnormal factors.
Bound bound_of(const Row& row) {
  const bool is_wide = row.contract.starts_with("wide_");
  const std::string id = is_wide ? row.contract.substr(5) : row.contract;
  oracle::Format format = row.format == "f64" ? oracle::binary64 : oracle::binary32;
  if (is_wide) format = {format.precision + 11, format.emin, format.emax};
  const Dyadic magnitude = oracle::exact(row.magnitude);
  if (id == "compensated") return dot_dot2_1(row.n, oracle::exact(row.sum), magnitude, format);
  if (id == "any_order_ftz") return contract_flushed_3(row.n, row.n - 1, magnitude, Dyadic(), format);
  const std::uint64_t height = id == "pairwise" ? static_cast<std::uint64_t>(std::bit_width(row.n - 1)) : row.n - 1;
  return dot_tree_1(row.n, height, magnitude, format);
}

/// each(row, the bound, the floor) for rows of all contracts whose bound holds; the floor is −1 where none is known.
template <class Each>
void for_rows(const Each& each) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const std::string format : {"f64", "f32"}) {
    for (const std::string contract :
         {"any_order", "pairwise", "compensated", "any_order_ftz", "wide_any_order", "wide_pairwise"}) {
      const enclosures::SparseRule rule = sparse_rules("spmv")(contract, format).value();
      for (int i = 0; i < 3000; ++i) {
        Row row{1 + random() % (std::uint64_t{1} << (1 + random() % 26)), 0, 0, format, contract};
        const int exponent =
            static_cast<int>(random() % (format == "f64" ? 1800 : 240)) - (format == "f64" ? 890 : 140);
        row.magnitude = std::ldexp(1 + unit(random), exponent);
        row.sum = random() % 4 == 0 ? 0 : row.magnitude * unit(random);
        const double floor =
            enclosures::floor_of_row({row.sum, 0, 0, row.magnitude}, static_cast<long long>(row.n), rule);
        try {
          each(row, bound_of(row), floor);
        } catch (const std::domain_error&) {  // it has no such bound
          EXPECT_EQ(floor, -1);
        }
      }
    }
  }
}

TEST(SparseFloor, IsAtMostTheBoundAndNearlyIt) {
  std::size_t known = 0;
  for_rows([&](const Row& row, const Bound& bound, double floor) {
    if (floor < 0) return;
    ++known;
    ASSERT_LE(oracle::exact(floor) * bound.denominator, bound.numerator) << row.contract << row.format << row.n;
    // (1 + γ) of the part of underflow is taken for 1: at most half of it.
    ASSERT_GE(oracle::exact(floor * 2.01) * bound.denominator, bound.numerator) << row.contract << row.format << row.n;
    if (row.magnitude < 0x1p-60) return;
    ASSERT_GE(oracle::exact(floor * (1 + 0x1p-30)) * bound.denominator, bound.numerator)
        << row.contract << row.format << row.n;
  });
  EXPECT_GE(known, 25'000U);
}

TEST(SparseFloor, IsUnknownWhereTheBoundIsEmptyAndHardlyElsewhere) {
  std::size_t empty = 0;
  for_rows([&](const Row& row, const Bound& bound, double floor) {
    const bool is_empty = Bound{oracle::exact(row.magnitude)} <= bound;
    empty += is_empty ? 1 : 0;
    if (is_empty) {
      ASSERT_EQ(floor, -1) << row.contract << row.format << row.n;
    }
    if (floor == -1) {
      ASSERT_GE(bound.numerator * Dyadic(13), oracle::exact(row.magnitude) * bound.denominator)
          << row.contract << row.n;
    }
  });
  EXPECT_GE(empty, 100U);
}

TEST(SparseRule, IsOfTheContractsAboutTheErrorAlone) {
  for (const std::string contract : {"correctly_rounded", "faithful", "exact_grid"}) {
    EXPECT_TRUE(sparse_rules("spmv")(contract, "f32"));
  }
  for (const std::string contract : {"exceptional", "wide_compensated", "wide_any_order_ftz", "f32_any_order", ""}) {
    EXPECT_FALSE(sparse_rules("spmv")(contract, "f32")) << contract;
  }
  EXPECT_EQ(sparse_rules("dot"), nullptr);
}

}  // namespace
}  // namespace assay::contracts
