// The exact-accumulating GEMV where the exponents of an entry's products are so far apart that one sum in limbs cannot
// hold them: every entry is RN of the exact value, by integers of GMP. On the host, in two orders, and on a device if
// there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/kernels/mp_gemv_exact_reference.hpp"

namespace assay::gemv {
namespace {

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

TEST_P(MpGemvExactFar, AThousandProductsThatCancelAreRoundedOnce) {
  const int n = GetParam();
  Draw draw(n, 14);
  const Gemv g = cancelling(draw, n, blas::Transpose::no, 1000, 20 * n);
  for (const Executor& on : executors()) expect_rounded_once(n, g, on);
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

}  // namespace
}  // namespace assay::gemv
