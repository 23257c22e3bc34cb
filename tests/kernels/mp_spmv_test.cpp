// The sparse product in residues: what it refuses, and its bits compared with those of the dense product.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "kernels/mp/mp.hpp"
#include "kernels/sparse/generated.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace assay::gemv {
namespace {

const Executor host = Executor::host();

mp::MpArray numbers(int moduli, const std::vector<double>& x) { return mp::mp_from_double(host, moduli, x); }
mp::MpArray generated(int moduli, std::int64_t count, std::uint64_t seed) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < count; ++i) {
    x.push_back(sum::generated_number(seed, static_cast<std::uint64_t>(i)));
  }
  return numbers(moduli, x);
}
MpCsrMatrix with_residues(const sparse::CsrMatrix& a, int moduli) {
  return {a.rows, a.columns, a.row_offsets, a.column_indices, numbers(moduli, a.values)};
}
std::vector<double> doubles(const mp::MpArray& x) { return mp::mp_to_double(host, x); }

TEST(MpSpmv, ALongRowHasTheBitsOfTheDenseProduct) {
  // More products of one exponent than are added before a reduction, and products below every window.
  constexpr std::int64_t length = 1500;
  for (const int moduli : {8, 16, 32, 64, 128}) {
    sparse::CsrMatrix pattern{0, length, {0}, {}, {}};
    pattern.append_row();
    for (std::int64_t j = 0; j < length; ++j)
      pattern.append(j, sum::generated_number(1, static_cast<std::uint64_t>(j)));
    MpCsrMatrix a = with_residues(pattern, moduli);
    for (std::size_t k = 0; k < a.values.length; k += 97) a.values.exponent[k] -= 40 * static_cast<int>(k % 5);
    const mp::MpArray x = generated(moduli, length, 2);
    const mp::MpArray y = generated(moduli, 1, 3);
    const mp::MpArray alpha = numbers(moduli, {-0.75});
    const mp::MpArray beta = numbers(moduli, {3});
    const mp::MpArray dense = mp_gemv_exact(host, blas::Transpose::no, 1, length, alpha, a.values, 1, x, 1, beta, y, 1);
    for (const mp::MpArray& sparse :
         {mp_spmv(host, alpha, a, x, beta, y), mp_spmv(host, alpha, mp_ellpack_of(a), x, beta, y)}) {
      EXPECT_EQ(sparse.digits, dense.digits) << moduli;
      EXPECT_EQ(sparse.exponent, dense.exponent) << moduli;
      EXPECT_EQ(sparse.sign, dense.sign) << moduli;
    }
  }
}

TEST(MpSpmv, SecondDifferencesOfSquaresAreTwo) {
  constexpr std::int64_t n = 70;
  std::vector<double> squares;
  for (std::int64_t i = 0; i < n; ++i) squares.push_back(static_cast<double>(i * i));
  const MpCsrMatrix a = with_residues(sparse::laplace_1d(n), 8);
  const std::vector<double> y =
      doubles(mp_spmv(host, numbers(8, {1}), a, numbers(8, squares), numbers(8, {0}), mp::mp_zeros(8, n)));
  for (std::size_t i = 1; i + 1 < y.size(); ++i) EXPECT_EQ(y[i], -2) << i;
}

TEST(MpSpmv, WithoutEntriesYIsScaled) {
  const MpCsrMatrix empty{2, 3, {0, 0, 0}, {}, mp::mp_zeros(8, 0)};
  const mp::MpArray x = mp::mp_zeros(8, 3);
  const mp::MpArray y = numbers(8, {5, -7});
  EXPECT_EQ(doubles(mp_spmv(host, numbers(8, {1}), empty, x, numbers(8, {2}), y)), (std::vector<double>{10, -14}));
  EXPECT_EQ(doubles(mp_spmv(host, numbers(8, {1}), mp_ellpack_of(empty), x, numbers(8, {0}), y)),
            (std::vector<double>{0, 0}));
  const MpCsrMatrix nothing{0, 0, {0}, {}, mp::mp_zeros(8, 0)};
  EXPECT_EQ(mp_spmv(host, numbers(8, {1}), nothing, mp::mp_zeros(8, 0), numbers(8, {1}), mp::mp_zeros(8, 0)).length,
            0U);
}

TEST(MpSpmv, ANumberOutOfRangeMakesAllResiduesOfItsRowZero) {
  MpCsrMatrix a = with_residues(sparse::laplace_1d(3), 8);
  a.values.exponent[0] = mp::out_of_range_exponent;  // of row 0
  const mp::MpArray y =
      mp_spmv(host, numbers(8, {1}), a, numbers(8, {1, 2, 3}), numbers(8, {1}), numbers(8, {5, 6, 7}));
  EXPECT_EQ(y.exponent[0], mp::out_of_range_exponent);
  EXPECT_NE(y.exponent[1], mp::out_of_range_exponent);
  const mp::MpArray planes = mp::with_layout(y, true);
  for (std::size_t i = 0; i <= 8; ++i) {
    EXPECT_EQ(planes.digits[3 * i], 0U) << i;
    EXPECT_NE(planes.digits[3 * i + 2], 0U) << i;
  }
}

TEST(MpSpmv, PlacesOfEllpackWithoutAnEntryAreZeros) {
  const MpEllpackMatrix a = mp_ellpack_of(with_residues(sparse::laplace_1d(3), 8));  // rows of 2, 3 and 2 entries
  const mp::MpArray values = mp::with_layout(a.values, true);
  std::size_t without = 0;
  for (std::size_t at = 0; at < values.length; ++at) {
    if (a.column_indices[at] != sparse::no_column) continue;
    ++without;
    EXPECT_EQ(values.upper[at].fraction, 0);
    for (std::size_t i = 0; i <= 8; ++i) EXPECT_EQ(values.digits[i * values.length + at], 0U);
  }
  EXPECT_EQ(without, 2U);
}

TEST(MpSpmv, RefusesWrongArguments) {
  const MpCsrMatrix a = with_residues(sparse::laplace_1d(3), 8);
  const mp::MpArray one = numbers(8, {1});
  const mp::MpArray three = numbers(8, {1, 2, 3});
  const auto call = [&](const mp::MpArray& alpha, const MpCsrMatrix& matrix, const mp::MpArray& x,
                        const mp::MpArray& beta, const mp::MpArray& y) {
    EXPECT_THROW(mp_spmv(host, alpha, matrix, x, beta, y), std::invalid_argument);
    if (matrix.values.length == matrix.column_indices.size()) {
      EXPECT_THROW(mp_spmv(host, alpha, mp_ellpack_of(matrix), x, beta, y), std::invalid_argument);
    }
  };
  EXPECT_NO_THROW(mp_spmv(host, one, a, three, one, three));
  call(three, a, three, one, three);
  call(one, a, three, three, three);
  call(numbers(16, {1}), a, three, one, three);
  call(one, a, three, numbers(16, {1}), three);
  call(one, with_residues(sparse::laplace_1d(3), 16), three, one, three);
  call(one, a, numbers(16, {1, 2, 3}), one, three);
  call(one, a, three, one, numbers(16, {1, 2, 3}));
  call(one, a, numbers(8, {1, 2}), one, three);
  call(one, a, three, one, numbers(8, {1, 2}));
  call(one, a, three, one, numbers(8, {1, 2, 3, 4}));
  MpCsrMatrix far = a;
  far.values.exponent[0] = -(1 << 29);
  far.values.exponent[1] = 1 << 29;
  call(one, far, three, one, three);
  // With α = 0 no number of A is read.
  EXPECT_NO_THROW(mp_spmv(host, numbers(8, {0}), far, three, one, three));
  MpCsrMatrix outside = a;
  outside.column_indices[0] = 3;
  EXPECT_THROW(mp_spmv(host, one, outside, three, one, three), std::invalid_argument);
}

TEST(MpSpmv, APlanRefusesWrongShapes) {
  EXPECT_THROW(MpSpmvPlan(9, 1, 1), std::invalid_argument);
  EXPECT_THROW(MpSpmvPlan(8, -1, 1), std::invalid_argument);
  EXPECT_THROW(MpSpmvPlan(8, 1, -1), std::invalid_argument);
  EXPECT_THROW(MpSpmvPlan(8, 1, std::int64_t{1} << 28), std::invalid_argument);
  const MpSpmvPlan plan(8, 2, 3);
  EXPECT_EQ(plan.rows(), 2);
  EXPECT_EQ(plan.longest(), 3);
  EXPECT_GT(plan.workspace(), 0U);
  const mp::MpArray one = numbers(8, {1});
  const MpPlanes no_numbers{nullptr, nullptr, 0};
  const MpResultPlanes no_result{nullptr, nullptr, nullptr, nullptr, nullptr, 0};
  EXPECT_THROW(mp_spmv(host, plan, one, MpCsrOn{3, nullptr, nullptr, no_numbers}, no_numbers, one, no_result, nullptr),
               std::invalid_argument);
  EXPECT_THROW(mp_spmv(host, plan, one, MpEllpackOn{2, 4, nullptr, no_numbers}, no_numbers, one, no_result, nullptr),
               std::invalid_argument);
  EXPECT_THROW(mp_spmv(host, plan, numbers(16, {1}), MpCsrOn{2, nullptr, nullptr, no_numbers}, no_numbers, one,
                       no_result, nullptr),
               std::invalid_argument);
}

}  // namespace
}  // namespace assay::gemv
