#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "arith/accumulators/superaccumulator.hpp"
#include "kernels/expansion/spmv.hpp"
#include "kernels/sparse/conjugate_gradients.hpp"
#include "kernels/sparse/detail/spmv_block.hpp"
#include "kernels/sparse/generated.hpp"
#include "kernels/sparse/spmv.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace assay::sparse {
namespace {

const Executor host = Executor::host();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The product in CSR, after the one in ELLPACK is seen to have the same bits.
std::vector<double> product(const CsrMatrix& a, const std::vector<double>& x, Rounding to = Rounding::rn) {
  std::vector<double> y = csr_spmv(host, a, x, to);
  const std::vector<double> other = ellpack_spmv(host, ellpack_of(a, nan), x, to);
  EXPECT_EQ(y.size(), other.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_TRUE((y[i] == other[i] && std::signbit(y[i]) == std::signbit(other[i])) ||
                (std::isnan(y[i]) && std::isnan(other[i])))
        << i;
  }
  return y;
}

/// One row with these entries in columns 0, 1, …
CsrMatrix row_of(const std::vector<double>& values) {
  CsrMatrix a{0, static_cast<std::int64_t>(values.size()), {0}, {}, {}};
  a.append_row();
  for (std::size_t j = 0; j < values.size(); ++j) a.append(static_cast<std::int64_t>(j), values[j]);
  return a;
}

TEST(SparseProduct, RoundsAnExactSumOnce) {
  // 2¹⁰⁰⁰ cancels, and 1 + 2⁻⁵³ + 2⁻¹⁰⁰ is above the middle between two numbers.
  const CsrMatrix a = row_of({0x1p1000, 1, -0x1p1000, 0x1p-53, 0x1p-100});
  const std::vector<double> ones(5, 1.0);
  EXPECT_EQ(product(a, ones)[0], 1 + 0x1p-52);
  EXPECT_EQ(product(a, ones, Rounding::rd)[0], 1.0);
  EXPECT_EQ(product(a, ones, Rounding::rz)[0], 1.0);
  EXPECT_EQ(product(a, ones, Rounding::ru)[0], 1 + 0x1p-52);
}

TEST(SparseProduct, SecondDifferencesOfSquaresAreTwo) {
  const std::int64_t n = 100;
  std::vector<double> squares;
  for (std::int64_t i = 0; i < n; ++i) squares.push_back(static_cast<double>(i * i));
  const std::vector<double> y = product(laplace_1d(n), squares);
  for (std::size_t i = 1; i + 1 < y.size(); ++i) EXPECT_EQ(y[i], -2) << i;
}

TEST(SparseProduct, TheRowsOfALaplaceMatrixSumToFourLessTheNeighbours) {
  const std::vector<double> y = product(laplace_2d(4), std::vector<double>(16, 1.0));
  EXPECT_EQ(y, (std::vector<double>{2, 1, 1, 2, 1, 0, 0, 1, 1, 0, 0, 1, 2, 1, 1, 2}));
}

TEST(SparseProduct, TheRowsOfAnArrowSumToItsSize) {
  const std::vector<double> y = product(arrow(300), std::vector<double>(300, 1.0));
  EXPECT_EQ(y[0], 300);
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_EQ(y[i], 301) << i;
}

TEST(SparseProduct, TheKnownInverseOfAHilbertMatrixGivesAUnitVector) {
  // Column 0 of the inverse of the Hilbert matrix of order 5 times m = lcm(1, …, 9) = 2520.
  EXPECT_EQ(hilbert_integers(1).values, std::vector<double>{1});
  EXPECT_EQ(hilbert_integers(2).values, (std::vector<double>{6, 3, 3, 2}));
  EXPECT_EQ(product(hilbert_integers(5), {25, -300, 1050, -1400, 630}), (std::vector<double>{2520, 0, 0, 0, 0}));
}

TEST(SparseProduct, ABandHasTheEntriesOfItsRows) {
  const CsrMatrix a = random_band(70, 3, 5);
  EXPECT_EQ(a.row_offsets[1], 4);
  EXPECT_EQ(a.values.size(), 70u * 7 - 12);
  EXPECT_EQ(a.values[9], sum::generated_number(5, 9));
  std::vector<double> unit(70, 0.0);
  unit[33] = 1;
  const std::vector<double> y = product(a, unit);
  for (std::size_t i = 0; i < 70; ++i) {
    const bool inside = i >= 30 && i <= 36;
    EXPECT_EQ(y[i] != 0, inside) << i;
    if (inside) {
      EXPECT_EQ(y[i], a.values[static_cast<std::size_t>(a.row_offsets[i]) + 36 - i]) << i;
    }
  }
}

/// Row i in a superaccumulator.
double exact_row(const CsrMatrix& a, const std::vector<double>& x, std::int64_t i, Rounding to) {
  const auto row = static_cast<std::size_t>(i);
  Superaccumulator sum{};
  for (auto at = static_cast<std::size_t>(a.row_offsets[row]); at < static_cast<std::size_t>(a.row_offsets[row + 1]);
       ++at) {
    sum.add_product(a.values[at], x[static_cast<std::size_t>(a.column_indices[at])]);
  }
  return sum.round(to);
}

/// Rows whose counts of entries change every 256 rows, and between them rows without entries, rows whose sums do not
/// fit in three words, rows with products below the range, and one row that is far longer than the others.
CsrMatrix mixed_rows(std::int64_t rows) {
  constexpr std::int64_t lengths[] = {3, 5, 12, 30, 70, 300};
  CsrMatrix a{0, 64, {0}, {}, {}};
  std::uint64_t drawn = 0;
  const auto number = [&] { return sum::generated_number(3, drawn++); };
  for (std::int64_t i = 0; i < rows; ++i) {
    a.append_row();
    if (i % 11 == 5) continue;
    const std::int64_t count = i == rows / 2 ? 9000 : i < 1536 ? lengths[i / 256] - i % 2 : 1;
    const double large = number();
    for (std::int64_t k = 0; k < count; ++k) a.append((7 * i + k) % a.columns, number());
    if (i % 7 == 3) {
      for (const double each : {large, 0x1p-60, 0x1.8p-120, 0x1.3p-175, 0x1.3p-175, -large, -0x1p-60})
        a.append(0, each);
    }
    if (i % 13 == 1) a.append(0, 0x1p-1000);
  }
  return a;
}

TEST(SparseProduct, OfManyRowsIsThatOfSuperaccumulators) {
  std::vector<double> x{1};
  while (x.size() < 64) x.push_back(sum::generated_number(4, x.size()));
  for (const std::int64_t rows : {100, 1600, 65536 + 100}) {
    const CsrMatrix a = mixed_rows(rows);
    for (const Rounding to : {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz}) {
      const std::vector<double> y = csr_spmv(host, a, x, to);
      const std::vector<double> other = rows == 100 ? ellpack_spmv(host, ellpack_of(a, nan), x, to) : y;
      for (std::int64_t i = 0; i < rows; i += i < 1600 || i + 100 > rows ? 1 : 61) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(to_bits(y[at]), to_bits(exact_row(a, x, i, to))) << i;
        EXPECT_EQ(to_bits(other[at]), to_bits(y[at])) << i;
      }
    }
  }
}

TEST(SparseProduct, RowsHaveAsManyThreadsAsTheirEntriesNeed) {
  const auto lanes = [](int rows, std::int64_t mean) {
    return detail::SpmvBlock<CsrOn>{{}, nullptr, nullptr, Rounding::rn, rows}.lanes_for(mean);
  };
  EXPECT_EQ(lanes(256, 0), 1);
  EXPECT_EQ(lanes(256, 16), 1);
  EXPECT_EQ(lanes(256, 17), 2);
  EXPECT_EQ(lanes(256, 32), 2);
  EXPECT_EQ(lanes(256, 33), 4);
  EXPECT_EQ(lanes(256, 100000), 32);
  EXPECT_EQ(lanes(32, 128), 8);
  EXPECT_EQ(lanes(32, 129), 16);
  EXPECT_EQ(lanes(8, 0), 32);
  const detail::SpmvBlock<EllpackOn> by_columns{{}, nullptr, nullptr, Rounding::rn, 256};
  EXPECT_EQ(by_columns.lanes_for(100000), 1);
}

/// The rows that a block of 32 rows keeps for exact sums, and its phases, for rows with the given numbers of entries v
/// times v.
struct BlockCost {
  int kept, phases;
  bool operator==(const BlockCost&) const = default;
};
BlockCost cost_of_block(std::int64_t rows, int entries, double v) {
  CsrMatrix a{0, 1, {0}, {}, {}};
  for (std::int64_t i = 0; i < rows; ++i) {
    a.append_row();
    for (int k = 0; k < entries; ++k) a.append(0, v);
  }
  std::vector<double> y(static_cast<std::size_t>(rows), nan);
  using Kernel = detail::SpmvBlock<CsrOn>;
  Kernel::Shared shared;
  Block<Kernel::Shared, Kernel::threads> block(shared, 0);
  const CsrOn on_host{rows, a.row_offsets.data(), a.column_indices.data(), a.values.data()};
  Kernel{on_host, &v, y.data(), Rounding::rn, 32}(block);
  EXPECT_EQ(y, std::vector<double>(y.size(), entries * v * v));
  return {shared.count, block.phases()};
}

TEST(SparseProduct, TakesTwoPhasesForTheRowsOfAPassAndFourForEightThatWereKept) {
  // A pass has 32 rows with 8 threads each, or 8 rows with 32 threads each.
  EXPECT_EQ(cost_of_block(32, 3, 1), (BlockCost{0, 2 + 2 * 1}));
  EXPECT_EQ(cost_of_block(8, 300, 1), (BlockCost{0, 2 + 2 * 1}));
  EXPECT_EQ(cost_of_block(9, 300, 1), (BlockCost{0, 2 + 2 * 2}));
  EXPECT_EQ(cost_of_block(32, 300, 1), (BlockCost{0, 2 + 2 * 4}));
  // Products below the range need exact sums; one more phase finds that no row is left.
  EXPECT_EQ(cost_of_block(7, 1, 0x1p-600), (BlockCost{7, 2 + 2 * 1 + 4 * 1 + 1}));
  EXPECT_EQ(cost_of_block(8, 1, 0x1p-600), (BlockCost{8, 2 + 2 * 1 + 4 * 1 + 1}));
  EXPECT_EQ(cost_of_block(16, 1, 0x1p-600), (BlockCost{16, 2 + 2 * 1 + 4 * 2 + 1}));
  EXPECT_EQ(cost_of_block(17, 1, 0x1p-600), (BlockCost{17, 2 + 2 * 1 + 4 * 3 + 1}));
}

TEST(SparseMatrix, TakesAColumnBehindItsLast) {
  CsrMatrix a{0, 3, {0}, {}, {}};
  a.append_row();
  a.append(2, 5);
  a.append(0, 6);
  a.append_row();
  const CsrMatrix joined = with_column(a, std::vector<double>{7, 8});
  EXPECT_EQ(joined.rows, 2);
  EXPECT_EQ(joined.columns, 4);
  EXPECT_EQ(joined.row_offsets, (std::vector<std::int64_t>{0, 3, 4}));
  EXPECT_EQ(joined.column_indices, (std::vector<std::int32_t>{2, 0, 3, 3}));
  EXPECT_EQ(joined.values, (std::vector<double>{5, 6, 7, 8}));
}

TEST(SparseProduct, AddsEntriesOfTheSameColumn) {
  CsrMatrix a{0, 2, {0}, {}, {}};
  a.append_row();
  a.append(1, 3);
  a.append(0, 0.5);
  a.append(1, 4);
  EXPECT_EQ(product(a, {8, 10}), (std::vector<double>{74}));
}

TEST(SparseProduct, ARowWithoutEntriesIsPlusZero) {
  CsrMatrix a{0, 1, {0}, {}, {}};
  for (int i = 0; i < 40; ++i) a.append_row();
  a.append(0, -0.0);
  const std::vector<double> y = product(a, {1});
  EXPECT_FALSE(std::signbit(y[0]));
  EXPECT_TRUE(std::signbit(y[39]));  // the row of −0·1
  EXPECT_EQ(product({0, 3, {0}, {}, {}}, {1, 2, 3}).size(), 0u);
}

TEST(SparseProduct, ASpecialValueStaysInItsRows) {
  CsrMatrix a{0, 2, {0}, {}, {}};
  for (const double each : {1.0, 0.0, -1.0}) {
    a.append_row();
    a.append(0, each);
  }
  a.append_row();
  a.append(1, 5);
  const std::vector<double> y = product(a, {infinity, 2});
  EXPECT_EQ(y[0], infinity);
  EXPECT_TRUE(std::isnan(y[1]));  // a stored 0 times ∞
  EXPECT_EQ(y[2], -infinity);
  EXPECT_EQ(y[3], 10);
}

TEST(SparseProduct, RefusesWrongMatrices) {
  const CsrMatrix right{2, 2, {0, 1, 2}, {0, 1}, {1, 1}};
  const std::vector<double> x{1, 1};
  EXPECT_EQ(csr_spmv(host, right, x), x);
  const auto refuses = [&](auto change) {
    CsrMatrix wrong = right;
    change(wrong);
    EXPECT_THROW(csr_spmv(host, wrong, x), std::invalid_argument);
  };
  refuses([](CsrMatrix& a) { a.rows = -1; });
  refuses([](CsrMatrix& a) { a.rows = 1; });
  refuses([](CsrMatrix& a) { a.columns = 3; });
  refuses([](CsrMatrix& a) { a.column_indices[1] = 2; });
  refuses([](CsrMatrix& a) { a.column_indices[1] = -1; });
  refuses([](CsrMatrix& a) { a.row_offsets = {0, 3, 2}; });
  refuses([](CsrMatrix& a) { a.row_offsets = {1, 1, 2}; });
  refuses([](CsrMatrix& a) { a.row_offsets = {0, 1, 1}; });
  refuses([](CsrMatrix& a) { a.row_offsets = {}; });
  refuses([](CsrMatrix& a) { a.values.push_back(1); });
  EXPECT_THROW(csr_spmv(host, right, std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(csr_spmv(host, CsrOn{-1, nullptr, nullptr, nullptr}, nullptr, nullptr), std::invalid_argument);

  const EllpackMatrix right_too = ellpack_of(right);
  const auto refuses_too = [&](auto change) {
    EllpackMatrix wrong = right_too;
    change(wrong);
    EXPECT_THROW(ellpack_spmv(host, wrong, x), std::invalid_argument);
  };
  refuses_too([](EllpackMatrix& a) { a.width = 2; });
  refuses_too([](EllpackMatrix& a) { a.width = -1; });
  refuses_too([](EllpackMatrix& a) { a.rows = 0; });
  refuses_too([](EllpackMatrix& a) { a.column_indices[0] = -2; });
  refuses_too([](EllpackMatrix& a) { a.column_indices[0] = 2; });
  EXPECT_THROW(ellpack_spmv(host, EllpackOn{1, -1, nullptr, nullptr}, nullptr, nullptr), std::invalid_argument);
}

TEST(SparseProductInWords, KeepsWhatOneWordLoses) {
  // (1 + 2⁻⁸⁰)·1 + (−1)·1 in two words, and 2⁻⁸⁰ of four words times 3.
  CsrMatrix a{0, 2, {0}, {}, {}};
  a.append_row();
  a.append(0, 1);
  a.append(1, -1);
  a.values = {1, 0x1p-80, -1, 0};
  const std::vector<double> x{1, 0, 1, 0};
  EXPECT_EQ(expansion::expansion_spmv(host, 2, a, x), (std::vector<double>{0x1p-80, 0}));
  EXPECT_EQ(expansion::expansion_spmv(host, 2, ellpack_of(a, nan, 2), x), (std::vector<double>{0x1p-80, 0}));
  a.values = {1, 0x1p-80, 0x1p-200, 0, -1, 0, 0, 0};
  EXPECT_EQ(expansion::expansion_spmv(host, 4, a, std::vector<double>{3, 0, 0, 0, 3, 0, 0, 0}),
            (std::vector<double>{0x3p-80, 0x3p-200, 0, 0}));
}

TEST(SparseProductInWords, OfOneWordIsDot2) {
  const CsrMatrix a = row_of({0x1p60, 1, -0x1p60, 0x1p-30});
  EXPECT_EQ(expansion::expansion_spmv(host, 1, a, std::vector<double>(4, 1.0))[0], 1 + 0x1p-30);
  EXPECT_EQ(expansion::expansion_spmv(host, 1, laplace_2d(4), std::vector<double>(16, 1.0)),
            (std::vector<double>{2, 1, 1, 2, 1, 0, 0, 1, 1, 0, 0, 1, 2, 1, 1, 2}));
}

TEST(SparseProductInWords, RefusesWrongNumbersOfWords) {
  const CsrMatrix a = row_of({1, 2});
  const auto call = [&](int words, std::size_t values, std::size_t x) {
    CsrMatrix other = a;
    other.values.resize(values);
    return expansion::expansion_spmv(host, words, other, std::vector<double>(x));
  };
  EXPECT_EQ(call(2, 4, 4).size(), 2u);
  EXPECT_THROW(call(3, 6, 6), std::invalid_argument);
  EXPECT_THROW(call(2, 2, 4), std::invalid_argument);
  EXPECT_THROW(call(2, 4, 2), std::invalid_argument);
  EXPECT_THROW(call(2, 4, 5), std::invalid_argument);
  EXPECT_THROW(expansion::expansion_spmv(host, 2, CsrOn{-1, nullptr, nullptr, nullptr}, nullptr, nullptr),
               std::invalid_argument);
}

TEST(ConjugateGradients, SolveSystemsOfKnownSolutions) {
  const std::vector<CsrMatrix> matrices{laplace_1d(30), laplace_2d(8), arrow(20)};
  for (const CsrMatrix& a : matrices) {
    std::vector<double> known;
    for (std::int64_t i = 0; i < a.rows; ++i) known.push_back(static_cast<double>(i % 7 - 3));
    const std::vector<double> b = csr_spmv(host, a, known);  // of small integers: exact
    const CgSolution solution = conjugate_gradients(host, a, b, 0x1p-40, 2 * a.rows);
    EXPECT_EQ(solution.status, CgStatus::converged) << a.rows;
    EXPECT_LE(solution.iterations, a.rows + 2) << a.rows;
    for (std::size_t i = 0; i < known.size(); ++i)
      EXPECT_EQ(std::round(solution.x[i]), known[i]) << a.rows << ", " << i;
  }
}

/// RN(x·y)
double rounded_dot(const std::vector<double>& x, const std::vector<double>& y) {
  Superaccumulator sum{};
  for (std::size_t i = 0; i < x.size(); ++i) sum.add_product(x[i], y[i]);
  return sum.round(Rounding::rn);
}

TEST(ConjugateGradients, UpdateByFusedOperations) {
  const CsrMatrix a = laplace_2d(3);
  std::vector<double> r;
  for (std::uint64_t i = 0; i < 9; ++i) r.push_back(sum::generated_number(8, i));
  const std::vector<double> b = r;
  std::vector<double> p = r;
  std::vector<double> x(9);
  for (std::int64_t iterations = 1; iterations <= 4; ++iterations) {
    const std::vector<double> q = csr_spmv(host, a, p);
    const double before = rounded_dot(r, r);
    const double alpha = before / rounded_dot(p, q);
    for (std::size_t i = 0; i < 9; ++i) {
      x[i] = std::fma(alpha, p[i], x[i]);
      r[i] = std::fma(-alpha, q[i], r[i]);
    }
    const double beta = rounded_dot(r, r) / before;
    for (std::size_t i = 0; i < 9; ++i) p[i] = std::fma(beta, p[i], r[i]);
    EXPECT_EQ(conjugate_gradients(host, a, b, 0, iterations).x, x) << iterations;
  }
}

TEST(ConjugateGradients, GoOnInTheDirectionOfTheResidualWhereItDoesNotConfirm) {
  // After 10 iterations r·r of the updates is small enough, that of b − Ax is not, and after 11 the same again.
  const CsrMatrix a = hilbert_integers(6);
  const std::vector<double> b{3, 1, 1, 1, 1, 1.0 / 3};
  for (const std::int64_t iterations : {10, 11}) {
    const CgSolution before = conjugate_gradients(host, a, b, 0x1p-37, iterations);
    ASSERT_EQ(before.status, CgStatus::not_converged);
    const double alpha = rounded_dot(before.residual, before.residual) /
                         rounded_dot(before.residual, csr_spmv(host, a, before.residual));
    const CgSolution after = conjugate_gradients(host, a, b, 0x1p-37, iterations + 1);
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_EQ(after.x[i], std::fma(alpha, before.residual[i], before.x[i])) << iterations << ", " << i;
    }
  }
}

TEST(ConjugateGradients, TellWhatTheyDoNotReach) {
  const std::vector<double> b{1, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(conjugate_gradients(host, laplace_1d(8), b, 0x1p-40, 2).status, CgStatus::not_converged);
  EXPECT_EQ(conjugate_gradients(host, laplace_1d(8), b, 0x1p-40, 2).iterations, 2);
  const CsrMatrix indefinite{2, 2, {0, 1, 2}, {0, 1}, {1, -1}};
  EXPECT_EQ(conjugate_gradients(host, indefinite, std::vector<double>{0, 1}, 0.5, 9).status, CgStatus::not_positive);
  EXPECT_EQ(conjugate_gradients(host, indefinite, std::vector<double>{infinity, 1}, 0.5, 9).status,
            CgStatus::not_positive);
}

TEST(ConjugateGradients, StopWhereTheResidualBecomesNoSmaller) {
  std::vector<double> b;
  for (std::uint64_t i = 0; i < 200; ++i) b.push_back(sum::generated_number(8, i));
  const CgSolution solution = conjugate_gradients(host, laplace_1d(200), b, 0x1p-60, 100000);
  EXPECT_EQ(solution.status, CgStatus::stagnated);
  EXPECT_LT(solution.iterations, 2000);
  const std::vector<double> more = conjugate_gradients(host, laplace_1d(200), b, 0x1p-60, solution.iterations).residual;
  EXPECT_EQ(solution.residual, more) << "the residual is that of x";
}

TEST(ConjugateGradients, ReachAnAimWhoseToleranceHasASubnormalSquare) {
  const CsrMatrix a{2, 2, {0, 1, 2}, {0, 1}, {1, 1.5}};
  const std::vector<double> b{0x1p449, 0x1.ep-88};
  constexpr double tolerance = 0x1.cp-538;  // its square is rounded up to the smallest number
  const CgSolution solution = conjugate_gradients(host, a, b, tolerance, 9);
  ASSERT_EQ(solution.status, CgStatus::converged);
  double squares = 0;
  for (const double each : solution.residual) squares += each * each;
  EXPECT_LE(squares, (1 + 0x1p-50) * (tolerance * 0x1p449) * (tolerance * 0x1p449));
}

TEST(ConjugateGradients, NeedNoIterationWhereThereIsNothingToDo) {
  const CgSolution none = conjugate_gradients(host, laplace_1d(3), std::vector<double>(3), 0.0, 0);
  EXPECT_EQ(none.status, CgStatus::converged);
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.x, std::vector<double>(3));
  EXPECT_TRUE(conjugate_gradients(host, {0, 0, {0}, {}, {}}, {}, 0.5, 1).x.empty());
}

TEST(ConjugateGradients, RefuseWrongArguments) {
  const auto call = [](std::int64_t columns, std::size_t b, double tolerance, std::int64_t most) {
    const CsrMatrix a{2, columns, {0, 1, 2}, {0, 1}, {1, 1}};
    return conjugate_gradients(host, a, std::vector<double>(b, 1.0), tolerance, most);
  };
  EXPECT_NO_THROW(call(2, 2, 0.5, 1));
  EXPECT_THROW(call(3, 2, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(call(3, 3, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(call(2, 2, -0.5, 1), std::invalid_argument);
  EXPECT_THROW(call(2, 2, nan, 1), std::invalid_argument);
  EXPECT_THROW(call(2, 2, 0.5, -1), std::invalid_argument);
}

}  // namespace
}  // namespace assay::sparse
