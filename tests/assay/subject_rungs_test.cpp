// Kernels from outside that add in a wider format, flush subnormal numbers to zero, multiply by reciprocals or scale by
// the largest number, and wrong ones whose errors a bound of Σ|x| would accept.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "arith/float/small_float.hpp"
#include "properties/draws/triangular/systems.hpp"
#include "properties/framework/vectors.hpp"
#include "tests/assay/subject_kernel.hpp"

namespace assay {
namespace {

using Index = std::int32_t;

// ------------------------------------------------------------------------------------------------------ data on a grid

/// The first `most` terms, one after the other.
template <class T, std::size_t most = std::numeric_limits<std::size_t>::max()>
T sum_of_first(std::size_t n, const T* x) {
  T sum{};
  for (std::size_t i = 0; i < n && i < most; ++i) sum = sum + x[i];
  return sum;
}
template <class T>
T zero_beyond_256_terms(std::size_t n, const T* x) {
  return n > 256 ? T{} : sum_of_first(n, x);
}
template <class T, std::size_t most = std::numeric_limits<std::size_t>::max()>
void cumsum_of_first(std::size_t n, const T* x, T* y) {
  T sum{};
  for (std::size_t i = 0; i < n; ++i) {
    sum = sum + x[i];
    y[i] = i < most ? sum : T{};
  }
}

TEST(ExactGrid, RefusesASumThatIsZeroWhereItsBoundIsEmpty) {
  EXPECT_FALSE(keeps("sum", "bf16", zero_beyond_256_terms<bfloat16>, "any_order"));
  EXPECT_FALSE(keeps("sum", "bf16", zero_beyond_256_terms<bfloat16>, "exact_grid"));
  EXPECT_FALSE(keeps("cumsum", "bf16", cumsum_of_first<bfloat16, 257>, "any_order"));
  EXPECT_FALSE(keeps("cumsum", "bf16", cumsum_of_first<bfloat16, 257>, "exact_grid"));
}

TEST(ExactGrid, IsKeptByEveryRightOrder) {
  EXPECT_TRUE(keeps("sum", "bf16", sum_of_first<bfloat16>, "any_order"));
  EXPECT_TRUE(keeps("sum", "f16", sum_of_first<binary16>, "exact_grid"));
  EXPECT_TRUE(keeps("sum", "f32", sum_of_first<float>, "exact_grid"));
  EXPECT_TRUE(keeps("cumsum", "bf16", cumsum_of_first<bfloat16>, "exact_grid"));
}

TEST(ExactGrid, IsMetByTermsBehindEveryTile) {
  EXPECT_FALSE(keeps("sum", "f32", sum_of_first<float, 1024>, "any_order"));
  EXPECT_FALSE(keeps("sum", "f32", sum_of_first<float, 4096>, "any_order"));
  EXPECT_FALSE(keeps("cumsum", "f64", cumsum_of_first<double, 4096>, "any_order"));
}

TEST(EmptyBound, DoesNotCountAsKept) {
  const ClaimTally tally = tally_of("sum", "bf16", kernel_of(sum_of_first<bfloat16>), "any_order");
  const VectorCase<bfloat16> many{std::vector<bfloat16>(300, bfloat16(1.0078125F))};
  EXPECT_GT(tally.rejected, 0U);
  EXPECT_EQ(verdict_on("sum", "bf16", zero_beyond_256_terms<bfloat16>, "any_order", many), std::nullopt);
}

// -------------------------------------------------------------------------------------------------- wider accumulators

/// A running sum in A.
template <class T, class A>
T wide_sum(std::size_t n, const T* x) {
  A sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return static_cast<T>(sum);
}
template <class T, class A>
T wide_asum(std::size_t n, const T* x) {
  A sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::fabs(x[i]);
  return static_cast<T>(sum);
}
template <class T, class A>
T wide_dot(std::size_t n, const T* x, const T* y) {
  A sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<A>(x[i]) * y[i];
  return static_cast<T>(sum);
}
template <class T, class A>
T wide_nrm2(std::size_t n, const T* x) {
  A sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<A>(x[i]) * x[i];
  return static_cast<T>(std::sqrt(sum));
}
template <class T, class A>
void wide_axpy(std::size_t n, T alpha, const T* x, T* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<T>(static_cast<A>(alpha) * x[i] + y[i]);
}
template <class T, class A>
void wide_cumsum(std::size_t n, const T* x, T* y) {
  A sum = 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<T>(sum += x[i]);
}
template <class T, class A>
void wide_spmv(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const T* values, const T* x,
               T* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    A sum = 0;
    for (Index k = offsets[r]; k < offsets[r + 1]; ++k) sum += static_cast<A>(values[k]) * x[columns[k]];
    y[r] = static_cast<T>(sum);
  }
}

/// f(sum so far, entry, unknown) for the entries outside the diagonal of each row, then end(sum, diagonal).
template <class T, class A, class Take, class End>
void substitute(int upper, int trans, int unit, std::size_t n, const T* a, std::size_t lda, T* x, Take take, End end) {
  const bool from_below = (upper != 0) != (trans != 0);
  const auto at = [&](std::size_t i, std::size_t j) { return trans != 0 ? a[j + i * lda] : a[i + j * lda]; };
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t i = from_below ? n - 1 - step : step;
    A sum = x[i];
    for (std::size_t before = 0; before < step; ++before) {
      const std::size_t j = from_below ? n - 1 - before : before;
      sum = take(sum, at(i, j), x[j]);
    }
    x[i] = static_cast<T>(unit != 0 ? sum : end(sum, at(i, i)));
  }
}
template <class T, class A>
void wide_trsv(int upper, int trans, int unit, std::size_t n, const T* a, std::size_t lda, T* x) {
  substitute<T, A>(
      upper, trans, unit, n, a, lda, x, [](A sum, T entry, T unknown) { return sum - static_cast<A>(entry) * unknown; },
      [](A sum, T diagonal) { return sum / diagonal; });
}

TEST(Wide, KeepsTheContractsOfAWiderAccumulator) {
  using Extended = long double;
  if (std::numeric_limits<Extended>::digits < 64) GTEST_SKIP() << "long double is not wider";
  EXPECT_TRUE(keeps("sum", "f64", wide_sum<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("asum", "f64", wide_asum<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("dot", "f64", wide_dot<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("nrm2", "f64", wide_nrm2<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("axpy", "f64", wide_axpy<double, Extended>, "wide_two_roundings"));
  EXPECT_TRUE(keeps("cumsum", "f64", wide_cumsum<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("spmv", "f64", wide_spmv<double, Extended>, "wide_any_order"));
  EXPECT_TRUE(keeps("trsv", "f64", wide_trsv<double, Extended>, "wide_backward"));
  EXPECT_TRUE(keeps("sum", "f32", wide_sum<float, double>, "wide_any_order"));
  EXPECT_TRUE(keeps("trsv", "f32", wide_trsv<float, double>, "wide_backward"));
}

TEST(Wide, IsNotKeptInTheFormatItself) {
  EXPECT_FALSE(keeps("sum", "f64", wide_sum<double, double>, "wide_any_order"));
  EXPECT_FALSE(keeps("dot", "f64", wide_dot<double, double>, "wide_any_order"));
  EXPECT_FALSE(keeps("axpy", "f64", wide_axpy<double, double>, "wide_two_roundings"));
  EXPECT_FALSE(keeps("trsv", "f64", wide_trsv<double, double>, "wide_backward"));
}

TEST(Wide, RoundsTwiceWhereTheFormatItselfRoundsOnce) {
  if (std::numeric_limits<long double>::digits != 64) GTEST_SKIP() << "long double is not that of x87";
  const VectorCase<double> c{{1, 0x1.0008p-53}};
  EXPECT_EQ(verdict_on("sum", "f64", wide_sum<double, long double>, "any_order", c), Verdict::violated);
  EXPECT_EQ(verdict_on("sum", "f64", wide_sum<double, long double>, "wide_any_order", c), Verdict::holds);
}

// ------------------------------------------------------------------------------------------------------ flush to zero

/// A float whose operations read and return 0 in place of subnormal numbers.
struct Flushed {
  float value;
  Flushed(float x = 0) : value(std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x) {}
  explicit operator float() const { return value; }
  friend Flushed operator+(Flushed a, Flushed b) { return {a.value + b.value}; }
  friend Flushed operator-(Flushed a, Flushed b) { return {a.value - b.value}; }
  friend Flushed operator*(Flushed a, Flushed b) { return {a.value * b.value}; }
  friend Flushed operator/(Flushed a, Flushed b) { return {a.value / b.value}; }
  friend Flushed& operator+=(Flushed& a, Flushed b) { return a = a + b; }
};

float flushed_nrm2(std::size_t n, const float* x) {
  Flushed scale = 0;
  Flushed sum = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Flushed a = std::fabs(x[i]);
    if (a.value == 0) continue;
    const bool grows = scale.value < a.value;
    const Flushed ratio = grows ? scale / a : a / scale;
    sum = grows ? Flushed(1) + sum * (ratio * ratio) : sum + ratio * ratio;
    if (grows) scale = a;
  }
  return static_cast<float>(scale * Flushed(std::sqrt(sum.value)));
}

TEST(FlushToZero, KeepsItsOwnContracts) {
  EXPECT_TRUE(keeps("sum", "f32", wide_sum<float, Flushed>, "any_order_ftz"));
  EXPECT_TRUE(keeps("asum", "f32", wide_asum<float, Flushed>, "any_order_ftz"));
  EXPECT_TRUE(keeps("dot", "f32", wide_dot<float, Flushed>, "any_order_ftz"));
  EXPECT_TRUE(keeps("axpy", "f32", wide_axpy<float, Flushed>, "two_roundings_ftz"));
  EXPECT_TRUE(keeps("cumsum", "f32", wide_cumsum<float, Flushed>, "any_order_ftz"));
  EXPECT_TRUE(keeps("spmv", "f32", wide_spmv<float, Flushed>, "any_order_ftz"));
  EXPECT_TRUE(keeps("trsv", "f32", wide_trsv<float, Flushed>, "backward_ftz"));
  EXPECT_TRUE(keeps("nrm2", "f32", flushed_nrm2, "running_maximum"));
}

TEST(FlushToZero, KeepsExactDataExact) {
  EXPECT_TRUE(keeps("sum", "f32", wide_sum<float, Flushed>, "exact_grid"));
  EXPECT_TRUE(keeps("dot", "f32", wide_dot<float, Flushed>, "exact_grid"));
  EXPECT_TRUE(keeps("axpy", "f32", wide_axpy<float, Flushed>, "exact_grid"));
  EXPECT_TRUE(keeps("trsv", "f32", wide_trsv<float, Flushed>, "exact_grid"));
}

TEST(FlushToZero, BreaksTheContractsWithSubnormalNumbers) {
  EXPECT_FALSE(keeps("sum", "f32", wide_sum<float, Flushed>, "any_order"));
  EXPECT_FALSE(keeps("dot", "f32", wide_dot<float, Flushed>, "any_order"));
  EXPECT_FALSE(keeps("axpy", "f32", wide_axpy<float, Flushed>, "two_roundings"));
  EXPECT_FALSE(keeps("trsv", "f32", wide_trsv<float, Flushed>, "backward"));
}

// --------------------------------------------------------------------------------------------- reciprocals and scales

template <class T>
void trsv_by_reciprocal(int upper, int trans, int unit, std::size_t n, const T* a, std::size_t lda, T* x) {
  substitute<T, T>(
      upper, trans, unit, n, a, lda, x, [](T sum, T entry, T unknown) { return sum - entry * unknown; },
      [](T sum, T diagonal) { return sum * (1 / diagonal); });
}
template <class T>
void trsv_by_rounded_reciprocal(int upper, int trans, int unit, std::size_t n, const T* a, std::size_t lda, T* x) {
  substitute<T, T>(
      upper, trans, unit, n, a, lda, x, [](T sum, T entry, T unknown) { return sum - entry * unknown; },
      [](T sum, T diagonal) { return sum * std::nextafter(std::nextafter(1 / diagonal, T(0)), T(0)); });
}

TEST(Reciprocal, KeepsTheContractOfReciprocalsAndNotThatOfQuotients) {
  EXPECT_TRUE(keeps("trsv", "f32", trsv_by_reciprocal<float>, "backward_reciprocal"));
  EXPECT_FALSE(keeps("trsv", "f32", trsv_by_reciprocal<float>, "backward"));
  EXPECT_FALSE(keeps("trsv", "f32", trsv_by_rounded_reciprocal<float>, "backward_reciprocal"));
}

TEST(Reciprocal, OverflowsForASubnormalDiagonal) {
  triangular::TrsvCase<float> c{.n = 1, .a = {0x1p-149F}, .x = {0x1p-140F}};
  EXPECT_EQ(verdict_on("trsv", "f32", trsv_by_reciprocal<float>, "backward", c), Verdict::violated);
  c.a = {0x1.f3937ep+0F};
  c.x = {0x1.f9df26p+0F};
  EXPECT_EQ(verdict_on("trsv", "f32", trsv_by_reciprocal<float>, "backward", c), Verdict::violated);
  EXPECT_EQ(verdict_on("trsv", "f32", trsv_by_reciprocal<float>, "backward_reciprocal", c), Verdict::holds);
}

/// The norm of reference BLAS until 2021.
template <class T>
T nrm2_of_running_maximum(std::size_t n, const T* x) {
  T scale = 0;
  T sum = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] == 0) continue;
    const T a = std::fabs(x[i]);
    if (scale < a) {
      sum = 1 + sum * (scale / a) * (scale / a);
      scale = a;
    } else {
      sum += (a / scale) * (a / scale);
    }
  }
  return scale * std::sqrt(sum);
}
template <class T>
T nrm2_by_largest(std::size_t n, const T* x) {
  T largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i]));
  if (largest == 0) return 0;
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}

TEST(RunningMaximum, KeepsItsOwnContract) {
  const VectorCase<float> c{{0x1.01918ep+0F, 0x1.e3c6fp+0F}};
  EXPECT_TRUE(keeps("nrm2", "f32", nrm2_of_running_maximum<float>, "running_maximum"));
  EXPECT_TRUE(keeps("nrm2", "f64", nrm2_of_running_maximum<double>, "running_maximum"));
  EXPECT_TRUE(keeps("nrm2", "f32", nrm2_by_largest<float>, "any_range"));
  EXPECT_EQ(verdict_on("nrm2", "f32", nrm2_of_running_maximum<float>, "any_order", c), Verdict::violated);
  EXPECT_EQ(verdict_on("nrm2", "f32", nrm2_of_running_maximum<float>, "running_maximum", c), Verdict::holds);
}

}  // namespace
}  // namespace assay
