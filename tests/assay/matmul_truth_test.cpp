// Exact entries of matrix products are those that exact arithmetic gives term by term, and results that enclosures show
// to be inexact are.
#include "properties/contracts/matmul_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "arith/float/small_float.hpp"
#include "oracle/decode.hpp"
#include "properties/contracts/matmul_screen.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

std::mt19937_64& source() {
  static std::mt19937_64 random(1);
  return random;
}

/// A number of up to `bits` significant bits with an exponent of −spread … spread, or 0.
template <FloatingPoint T>
T drawn(int bits, int spread) {
  auto& random = source();
  if (random() % 8 == 0) return T{};
  const auto significand = static_cast<std::int64_t>(1 + random() % ((std::uint64_t{1} << bits) - 1));
  const int exponent = static_cast<int>(random() % static_cast<std::uint64_t>(2 * spread + 1)) - spread;
  const double x = std::ldexp(static_cast<double>(random() % 2 == 0 ? significand : -significand), exponent - bits);
  return static_cast<T>(x);
}

template <FloatingPoint T>
MatmulCase<T> drawn_case(int bits, int spread) {
  auto& random = source();
  const auto dimension = [&] { return static_cast<std::int64_t>(1 + random() % 5); };
  MatmulCase<T> c{1 + static_cast<std::int64_t>(random() % 2), dimension(), dimension(), dimension(), {}, {}};
  for (std::int64_t i = 0; i < c.batch * c.m * c.k; ++i) c.a.push_back(drawn<T>(bits, spread));
  for (std::int64_t i = 0; i < c.batch * c.k * c.n; ++i) c.b.push_back(drawn<T>(bits, spread));
  return c;
}

template <FloatingPoint T>
void expect_exact_entries(int bits, int spread) {
  for (int n = 0; n < 200; ++n) {
    const MatmulCase<T> c = drawn_case<T>(bits, spread);
    const MatmulTruth& truth = matmul_truth(c);
    ASSERT_EQ(truth.entries.size(), c.results());
    for (std::size_t i = 0; i < truth.entries.size(); ++i) {
      const MatmulCase<T> one = c.entry_alone(truth.entries[i].place);
      Dyadic sum;
      Dyadic magnitudes;
      for (std::size_t l = 0; l < one.a.size(); ++l) {
        const Dyadic term = oracle::exact(in_binary64(one.a[l])) * oracle::exact(in_binary64(one.b[l]));
        sum += term;
        magnitudes += abs(term);
      }
      ASSERT_EQ(truth.terms[i].sum, sum) << bits << " " << spread;
      ASSERT_EQ(truth.terms[i].magnitudes, magnitudes) << bits << " " << spread;
    }
  }
}

TEST(MatmulTruth, IsTheExactSumOfTermsOfAnyWidth) {
  expect_exact_entries<e4m3>(4, 6);
  expect_exact_entries<binary16>(11, 2);   // 64 bits
  expect_exact_entries<binary16>(11, 14);  // 128 bits
  expect_exact_entries<bfloat16>(8, 100);  // more
  expect_exact_entries<float>(24, 2);      // 64 bits
  expect_exact_entries<float>(24, 18);     // 128 bits
  expect_exact_entries<float>(24, 120);    // more
  expect_exact_entries<double>(53, 2);     // 128 bits
  expect_exact_entries<double>(53, 4);     // at the limit of 128 bits
  expect_exact_entries<double>(53, 200);   // more
  expect_exact_entries<double>(20, 1);     // 64 bits
}

/// Σ aₗbₗ and Σ|aₗbₗ| of one entry: 1 and 40 times the largest number, which need more bits than their factors.
void expect_exact_sum_of_large_terms(double largest) {
  MatmulCase<double> c{1, 1, 1, 41, std::vector<double>(41, largest), std::vector<double>(41, largest)};
  c.a.front() = c.b.front() = 1;
  const Dyadic sum = Dyadic(1) + Dyadic(40) * oracle::exact(largest) * oracle::exact(largest);
  EXPECT_EQ(matmul_truth(c).terms.front().sum, sum) << largest;
  EXPECT_EQ(matmul_truth(c).terms.front().magnitudes, sum) << largest;
}

TEST(MatmulTruth, DoesNotOverflow) {
  for (int bits = 20; bits <= 80; ++bits) expect_exact_sum_of_large_terms(std::ldexp(1 - 0x1p-20, bits));
}

TEST(MatmulTruth, IsTheExactSumOfSubnormalNumbers) {
  const double smallest = std::numeric_limits<double>::denorm_min();
  const MatmulCase<double> c{1, 1, 1, 2, {3 * smallest, 5 * smallest}, {7, -2}};
  EXPECT_EQ(matmul_truth(c).terms.front().sum, oracle::exact(11 * smallest));
  EXPECT_EQ(matmul_truth(c).terms.front().magnitudes, oracle::exact(31 * smallest));
}

TEST(MatmulTruth, IsASampleOfMoreThan2ToThe36ProductsOfNumbers) {
  EXPECT_EQ(matmul_sample_of(MatmulCase<float>{1, 4096, 4096, 4096, {}, {}}), 0U);
  EXPECT_EQ(matmul_sample_of(MatmulCase<float>{1, 4096, 4097, 4096, {}, {}}), std::size_t{4096} * 4097);
  EXPECT_EQ(matmul_sample_of(MatmulCase<float>{2, 4096, 4096, 4096, {}, {}}), std::size_t{2} * 4096 * 4096);
  EXPECT_EQ(matmul_sample_of(MatmulCase<float>{1, 24, 24, std::int64_t{1} << 30, {}, {}}), 0U);  // judged whole
}

TEST(AnotherNumber, IsToldFromTheEntryWhereTheEnclosureShowsIt) {
  // The entry is within 2^-40 of 3 and a multiple of 2^-30: it is 3.
  const EnclosedEntry three{0, 3, 0x1p-40, 3, -30};
  EXPECT_EQ(is_another_number(3, three), std::optional(false));
  EXPECT_EQ(is_another_number(3 + 0x1p-30, three), std::optional(true));
  EXPECT_EQ(is_another_number(3 + 0x1p-41, three), std::nullopt);
  const EnclosedEntry fine{0, 3, 0x1p-40, 3, -50};
  EXPECT_EQ(is_another_number(3, fine), std::nullopt);
  EXPECT_EQ(is_another_number(3 + 0x1p-39, fine), std::optional(true));
}

}  // namespace
}  // namespace assay::contracts
