// The exact-accumulating GEMV where the exponents of an entry's products are so far apart that one sum in limbs cannot
// hold them: every entry is RN of the exact value, by integers of GMP. On the host, in two orders, and on a device
// where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/kernels/mp_gemv_exact_reference.hpp"

namespace assay::gemv {
namespace {

std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(), Executor::host(Order::shuffled, 5)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

/// The place of term j of an output in A without padding.
std::size_t entry(const Gemv& g, std::int64_t output, std::int64_t j) {
  return static_cast<std::size_t>(g.trans == blas::Transpose::yes ? j + output * g.m : output + j * g.m);
}

/// Rows of which the second half of the products cancels the first half, but for a rest that depends on the row: 0,
/// the last bit of one product, one product less, and a start that cancels one product more or less.
Gemv cancelling(Draw& draw, int n, blas::Transpose trans, std::int64_t terms, int spread) {
  constexpr std::int64_t outputs = 5;
  Gemv g = trans == blas::Transpose::yes ? drawn(draw, trans, terms, outputs, spread)
                                         : drawn(draw, trans, outputs, terms, spread);
  const std::int64_t half = terms / 2;
  const auto at = [&](std::int64_t i, std::int64_t j) -> Number& { return g.a[entry(g, i, j)]; };
  for (std::int64_t j = 0; j < half; ++j) {
    g.x[static_cast<std::size_t>(half + j)] = g.x[static_cast<std::size_t>(j)];
    for (std::int64_t i = 0; i < outputs; ++i) at(i, half + j) = Number{-1, 0} * at(i, j);
  }
  for (std::int64_t i = 0; i < outputs && 2 * half < terms; ++i) at(i, terms - 1) = {};
  at(1, half + 1).significand = at(1, half + 1).significand + Integer(1);
  at(2, half + 1) = {};
  g.beta = {1, 0};
  g.y[0] = {};
  g.y[2] = {1, -3 * spread};
  // Rows 3 and 4: y and the first product cancel, or leave a bit.
  for (const std::int64_t i : {3, 4}) {
    at(i, 0) = draw.number_of_bits(precision(n), spread);
    at(i, half) = {};
    g.y[static_cast<std::size_t>(i)] = Number{-1, i == 3 ? 0 : 1} * at(i, 0);
  }
  g.x[0] = {1, 7};
  g.x[static_cast<std::size_t>(half)] = g.x[0];
  for (const std::int64_t i : {3, 4}) g.y[static_cast<std::size_t>(i)].exponent += 7;
  return g;
}

/// Few-bit numbers at a few levels far apart, each in one of many disguises X·2ᵏ·2^(e − k), so that equal values meet
/// in different windows: sums cancel at one level after the other, ties are decided far below.
Gemv levels(int n, std::uint32_t seed) {
  constexpr std::int64_t outputs = 60;
  const int bits = precision(n);
  std::mt19937 random(seed);
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<std::uint32_t>(end)); };
  const std::vector<long> gaps{0, 1, bits - 1, bits, bits + 1, 2 * bits, 27 * n, 40 * n, 60 * n};
  const auto level = [&] {
    long sum = 0;
    for (int k = below(4); k >= 0; --k) sum -= gaps[static_cast<std::size_t>(below(static_cast<int>(gaps.size())))];
    return sum;
  };
  const auto disguised = [&](long exponent) {
    static constexpr int significands[] = {1, 1, 1, 2, 3, 7};
    const int shift = below(bits - 4);
    return Number{Integer((random() % 2 == 0 ? 1 : -1) * significands[below(6)]) << shift, exponent - shift};
  };
  Gemv g;
  g.m = g.lda = outputs;
  g.n = 2 + below(12);
  g.a.resize(static_cast<std::size_t>(outputs * g.n));
  for (std::int64_t j = 0; j < g.n; ++j) g.x.push_back(disguised(below(3)));
  const long scalar_level = below(3) - 1;
  if (below(2) == 0) g.alpha = below(2) == 0 ? disguised(scalar_level) : Draw(n, seed).number_of_bits(bits, 4);
  g.beta = below(3) == 0 ? Number{} : disguised(scalar_level);
  for (std::int64_t i = 0; i < outputs; ++i) {
    std::vector<long> of_row;
    for (int k = below(4); k >= 0; --k) of_row.push_back(level());
    const auto any_level = [&] { return of_row[static_cast<std::size_t>(below(static_cast<int>(of_row.size())))]; };
    for (std::int64_t j = 0; j < g.n; ++j) g.a[entry(g, i, j)] = below(8) == 0 ? Number{} : disguised(any_level());
    g.y.push_back(below(8) == 0 ? Number{} : disguised(any_level()));
  }
  return g;
}

class MpGemvExactFar : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Moduli, MpGemvExactFar, testing::Values(8, 16, 32, 64, 128),
                         testing::PrintToStringParamName());

TEST_P(MpGemvExactFar, RowsThatCancelAreRoundedOnce) {
  const int n = GetParam();
  Draw draw(n, 11);
  for (const Executor& on : executors()) {
    for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
      for (const int spread : {160, 20 * n, 100000}) {
        for (const std::int64_t terms : {6, 33, 66}) {
          Gemv g = cancelling(draw, n, trans, terms, spread);
          expect_rounded_once(n, g, on);
          g.alpha = draw.number_of_bits(precision(n), 3);
          expect_rounded_once(n, g, on);
        }
      }
    }
  }
}

TEST_P(MpGemvExactFar, LevelsThatCancelAreRoundedOnce) {
  const int n = GetParam();
  for (const Executor& on : executors()) {
    for (std::uint32_t seed = 0; seed < (n > 32 ? 8 : 40); ++seed) expect_rounded_once(n, levels(n, seed), on);
  }
}

/// H + 2^-k₁ − 2^-k₁ + … ± 2^-k: the last product alone decides a tie, or the direction beside a number of P bits.
TEST_P(MpGemvExactFar, AProductBelowManyThatCancelDecides) {
  const int n = GetParam();
  const int bits = precision(n);
  for (const Executor& on : executors()) {
    for (const int sign : {-1, 0, 1}) {
      for (const int low : {0, 1, 3}) {
        Gemv g;
        g.a = {{(Integer(1) << (bits - 1)) + Integer(low / 2), 1}, {low % 2, 0}};
        for (int level = 1; level < 20; ++level) {
          const long exponent = -30L * n * level;
          g.a.push_back({1, exponent});
          g.a.push_back({Integer(0) - (Integer(1) << (bits - 1)), exponent + 1 - bits});
        }
        g.a.push_back({sign, -10000L * n});
        g.n = static_cast<std::int64_t>(g.a.size());
        g.x.resize(g.a.size(), {1, 0});
        g.y = {{}};
        expect_rounded_once(n, g, on);
      }
    }
  }
}

TEST_P(MpGemvExactFar, AStartFarAboveOrBelowIsCountedOnce) {
  const int n = GetParam();
  Draw draw(n, 12);
  for (const Executor& on : executors()) {
    for (const int gap : {0, 10 * n, 50 * n, 100 * n, 1 << 18}) {
      for (const int direction : {-1, 1}) {
        Gemv g = cancelling(draw, n, blas::Transpose::no, 20, 60 * n);
        g.beta = draw.number_of_bits(precision(n), 3);
        g.beta.exponent += direction * gap;
        expect_rounded_once(n, g, on);
      }
    }
  }
}

class MpGemvExactLong : public testing::TestWithParam<std::pair<int, std::int64_t>> {};
std::vector<std::pair<int, std::int64_t>> lengths() {
  std::vector<std::pair<int, std::int64_t>> all;
  for (const int n : {8, 16, 32, 64, 128}) {
    for (const std::int64_t terms : {1000, 4096}) all.emplace_back(n, terms);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(ModuliAndTerms, MpGemvExactLong, testing::ValuesIn(lengths()), [](const auto& each) {
  return std::to_string(each.param.first) + "_" + std::to_string(each.param.second);
});

TEST_P(MpGemvExactLong, RowsThatCancelAreRoundedOnce) {
  const auto [n, terms] = GetParam();
  Draw draw(n, 13);
  for (const Executor& on : executors()) {
    for (const int spread : {160, 40 * n, 100000}) {
      const blas::Transpose trans = spread == 160 ? blas::Transpose::yes : blas::Transpose::no;
      expect_rounded_once(n, cancelling(draw, n, trans, terms, spread), on);
    }
  }
}

}  // namespace
}  // namespace assay::gemv
