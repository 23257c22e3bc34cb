#include "kernels/gemv/mp_gemm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exec/launch.hpp"
#include "tests/kernels/mp_gemv_exact_reference.hpp"

namespace assay::gemm {
namespace {

using gemv::Draw;
using gemv::Integer;
using gemv::Number;
using gemv::Numbers;

struct Gemm {
  MpGemmShape shape;
  std::int64_t lda = 1, ldb = 1, ldc = 1;
  Number alpha{1, 0}, beta{0, 0};
  Numbers a, b, c;
};

std::int64_t at_a(const Gemm& g, std::int64_t i, std::int64_t l) {
  return g.shape.trans_a == blas::Transpose::yes ? l + i * g.lda : i + l * g.lda;
}
std::int64_t at_b(const Gemm& g, std::int64_t l, std::int64_t j) {
  return g.shape.trans_b == blas::Transpose::yes ? j + l * g.ldb : l + j * g.ldb;
}
std::size_t at_c(const Gemm& g, std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i + j * g.ldc); }

Gemm drawn(Draw& draw, int moduli, blas::Transpose ta, blas::Transpose tb, std::int64_t m, std::int64_t n,
           std::int64_t k, int spread) {
  Gemm g;
  g.shape = {moduli, ta, tb, m, n, k};
  const bool at = ta == blas::Transpose::yes;
  const bool bt = tb == blas::Transpose::yes;
  g.lda = (at ? k : m) + 1;
  g.ldb = (bt ? n : k) + 2;
  g.ldc = m + 3;
  g.a = draw.numbers(static_cast<std::size_t>(g.lda * (at ? m : k)), spread);
  g.b = draw.numbers(static_cast<std::size_t>(g.ldb * (bt ? k : n)), spread);
  g.c = draw.numbers(static_cast<std::size_t>(g.ldc * n), spread);
  return g;
}

mp::MpArray run(const Gemm& g, const Executor& on = Executor::host(), const GemmOptions& options = {},
                bool planes = true) {
  const int n = g.shape.moduli;
  using gemv::array_of;
  return mp_gemm(on, g.shape, array_of(n, {g.alpha}), array_of(n, g.a, planes), g.lda, array_of(n, g.b, !planes), g.ldb,
                 array_of(n, {g.beta}), array_of(n, g.c, planes), g.ldc, options);
}

Number expected(const Gemm& g, std::int64_t i, std::int64_t j) {
  Number sum;
  for (std::int64_t l = 0; l < g.shape.k; ++l) {
    sum = sum + g.a[static_cast<std::size_t>(at_a(g, i, l))] * g.b[static_cast<std::size_t>(at_b(g, l, j))];
  }
  return gemv::rounded(g.alpha * sum + g.beta * g.c[at_c(g, i, j)], gemv::precision(g.shape.moduli));
}

void expect_rounded_once(const Gemm& g, const Executor& on = Executor::host(), const GemmOptions& options = {}) {
  const mp::MpArray result = run(g, on, options);
  for (std::int64_t j = 0; j < g.shape.n; ++j) {
    for (std::int64_t i = 0; i < g.ldc; ++i) {
      const std::size_t at = at_c(g, i, j);
      const bool written = i < g.shape.m;
      EXPECT_EQ(gemv::number_of(result, at), written ? expected(g, i, j) : g.c[at])
          << g.shape.moduli << " moduli, entry " << i << ", " << j;
    }
  }
}

constexpr blas::Transpose both[] = {blas::Transpose::no, blas::Transpose::yes};

class MpGemm : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Moduli, MpGemm, testing::Values(8, 16, 32, 64, 128), testing::PrintToStringParamName());

TEST_P(MpGemm, RoundsTheExactSumOnce) {
  Draw draw(GetParam(), 1);
  for (const blas::Transpose ta : both) {
    for (const blas::Transpose tb : both) {
      expect_rounded_once(drawn(draw, GetParam(), ta, tb, 3, 2, 5, 4));
      expect_rounded_once(drawn(draw, GetParam(), ta, tb, 1, 1, 1, 0));
    }
  }
  expect_rounded_once(drawn(draw, GetParam(), blas::Transpose::no, blas::Transpose::yes, 34, 3, 67, 8));
}

TEST_P(MpGemm, LinesWithExponentsFarApartAreRoundedOnce) {
  Draw draw(GetParam(), 2);
  for (const int spread : {20, 60, 5 * GetParam()}) {
    for (const blas::Transpose ta : both) {
      for (const blas::Transpose tb : both) {
        Gemm g = drawn(draw, GetParam(), ta, tb, 5, 4, 6, spread);
        g.alpha = draw.number(3);
        g.beta = draw.number(3);
        expect_rounded_once(g);
      }
    }
  }
}

TEST_P(MpGemm, OneRowAndOneColumnFarApartLeaveTheOthers) {
  Draw draw(GetParam(), 3);
  for (const blas::Transpose ta : both) {
    for (const blas::Transpose tb : both) {
      Gemm g = drawn(draw, GetParam(), ta, tb, 6, 5, 4, 2);
      g.beta = draw.number_of_bits(20, 2);
      g.a[static_cast<std::size_t>(at_a(g, 3, 1))] = {1, 500};
      g.b[static_cast<std::size_t>(at_b(g, 2, 2))] = {3, -700};
      g.b[static_cast<std::size_t>(at_b(g, 1, 2))] = {3, 1};
      expect_rounded_once(g);
    }
  }
}

TEST_P(MpGemm, ScalesAndAddsBeforeItRounds) {
  const int n = GetParam();
  const int bits = gemv::precision(n);
  Draw draw(n, 4);
  for (const int gap : {0, bits, 2 * bits, 5 * bits, 1 << 20}) {
    for (const int direction : {-1, 1}) {
      Gemm g = drawn(draw, n, blas::Transpose::no, blas::Transpose::no, 5, 2, 3, 5);
      g.alpha = draw.number_of_bits(bits, 3);
      g.beta = draw.number_of_bits(bits, 3);
      g.beta.exponent += direction * gap;
      expect_rounded_once(g);
    }
  }
}

TEST_P(MpGemm, ASummandFarBelowDecidesATie) {
  const int bits = gemv::precision(GetParam());
  for (const int sign : {-1, 1}) {
    for (const long gap : {1L, 40L, 100L * bits}) {
      Gemm g;
      g.shape = {GetParam(), blas::Transpose::no, blas::Transpose::no, 1, 1, 2};
      g.a = {{Integer(1) << (bits - 1), 2}, {1, 1}};  // half an ulp above a number of P bits
      g.ldb = 2;
      g.b = {{1, 0}, {1, 0}};
      g.beta = {sign, 0};
      g.c = {{1, 1 - gap}};
      expect_rounded_once(g);
    }
  }
}

TEST_P(MpGemm, SumsOfTheLargestNumbersWithTheLargestShiftsDoNotWrap) {
  const int n = GetParam();
  const Integer largest = (Integer(1) << gemv::precision(n)) - Integer(1);
  constexpr std::int64_t k = 64;
  for (const int sign : {-1, 1}) {
    for (const int apart : {30, 36, 37, 38, 39, 40, 41}) {
      Gemm g;
      g.shape = {n, blas::Transpose::yes, blas::Transpose::no, 2, 2, k};
      g.lda = g.ldb = k;
      g.ldc = 2;
      g.a.assign(2 * k, {largest * Integer(sign), apart});
      g.b.assign(2 * k, {largest, apart});
      g.a[0] = g.a[k] = g.b[0] = g.b[k] = {1, 0};
      g.c.assign(4, {});
      expect_rounded_once(g);
    }
  }
}

TEST_P(MpGemm, SmallWorkspacesCutTheProductIntoPanels) {
  Draw draw(GetParam(), 5);
  Gemm g = drawn(draw, GetParam(), blas::Transpose::no, blas::Transpose::yes, 9, 7, 6, 3);
  g.beta = {1, 0};
  const mp::MpArray whole = run(g);
  for (const std::size_t bytes : {std::size_t{20000}, std::size_t{40000}, std::size_t{100000}}) {
    const mp::MpArray cut = run(g, Executor::host(), {.workspace_bytes = bytes});
    EXPECT_EQ(cut.digits, whole.digits);
    EXPECT_EQ(cut.exponent, whole.exponent);
  }
  // Too little memory for the data of the lines, and too little for the least panel in addition.
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{2500}}) {
    EXPECT_THROW(run(g, Executor::host(), {.workspace_bytes = bytes}), std::invalid_argument);
  }
}

TEST_P(MpGemm, AScalarThatHasAOneInPartIsNotOne) {
  Draw draw(GetParam(), 11);
  for (const Integer& scalar : {Integer(2), Integer(1) + (Integer(5) << 32), Integer(5) << 32}) {
    Gemm g = drawn(draw, GetParam(), blas::Transpose::no, blas::Transpose::no, 2, 2, 3, 4);
    g.beta = {1, 0};
    g.alpha = {scalar, 0};
    expect_rounded_once(g);
    std::swap(g.alpha, g.beta);
    expect_rounded_once(g);
  }
}

TEST_P(MpGemm, OrderAndLayoutDoNotChangeABit) {
  Draw draw(GetParam(), 6);
  Gemm g = drawn(draw, GetParam(), blas::Transpose::no, blas::Transpose::no, 5, 6, 7, 30);
  g.beta = {1, 0};
  const mp::MpArray first = run(g);
  for (const Executor& on : gemv::executors()) {
    const mp::MpArray other = mp::with_layout(run(g, on, {}, false), true);
    EXPECT_EQ(other.digits, first.digits);
    EXPECT_EQ(other.exponent, first.exponent);
    EXPECT_EQ(other.sign, first.sign);
  }
}

TEST(MpGemmTerms, MoreTermsThanOneProductOfSlicesTakes) {
  Draw draw(8, 7);
  expect_rounded_once(drawn(draw, 8, blas::Transpose::yes, blas::Transpose::no, 1, 1, (1 << 14) + 3, 6));
  const Integer largest = (Integer(1) << gemv::precision(8)) - Integer(1);
  Gemm g;
  constexpr std::int64_t k = 2 * (1 << 14);
  g.shape = {8, blas::Transpose::yes, blas::Transpose::no, 1, 1, k};
  g.lda = g.ldb = k;
  g.a.assign(k, {largest, 0});
  g.b.assign(k, {largest, 0});
  g.c.assign(1, {});
  expect_rounded_once(g);
}

TEST(MpGemmArguments, NothingIsReadThatAScalarLeavesOut) {
  Draw draw(8, 8);
  Gemm g = drawn(draw, 8, blas::Transpose::no, blas::Transpose::no, 2, 3, 4, 3);
  g.alpha = {0, 5};
  g.beta = draw.number_of_bits(90, 2);
  expect_rounded_once(g);
  g.beta = {1, 0};
  EXPECT_EQ(run(g).digits, gemv::array_of(8, g.c).digits);
  g.shape.k = 0;
  g.alpha = {1, 0};
  g.beta = {-1, 3};
  expect_rounded_once(g);
}

TEST(MpGemmArguments, ANumberOutOfRangeMarksWhatReadsIt) {
  Draw draw(8, 9);
  Gemm g = drawn(draw, 8, blas::Transpose::no, blas::Transpose::no, 3, 3, 2, 3);
  g.beta = {1, 0};
  const auto array = [&](const Numbers& x) { return gemv::array_of(8, x); };
  mp::MpArray a = array(g.a);
  mp::MpArray b = array(g.b);
  mp::MpArray c = array(g.c);
  a.exponent[static_cast<std::size_t>(at_a(g, 1, 0))] = mp::out_of_range_exponent;
  b.exponent[static_cast<std::size_t>(at_b(g, 1, 2))] = mp::out_of_range_exponent;
  c.exponent[at_c(g, 0, 0)] = mp::out_of_range_exponent;
  const mp::MpArray result =
      mp_gemm(Executor::host(), g.shape, array({g.alpha}), a, g.lda, b, g.ldb, array({g.beta}), c, g.ldc);
  for (std::int64_t j = 0; j < 3; ++j) {
    for (std::int64_t i = 0; i < 3; ++i) {
      const bool marked = i == 1 || j == 2 || (i == 0 && j == 0);
      EXPECT_EQ(result.exponent[at_c(g, i, j)] == mp::out_of_range_exponent, marked) << i << ", " << j;
      if (marked) continue;
      EXPECT_EQ(gemv::number_of(result, at_c(g, i, j)), expected(g, i, j));
    }
  }
}

TEST(MpGemmArguments, AScalarOutOfRangeMarksWhatItScales) {
  Draw draw(8, 12);
  const Gemm g = drawn(draw, 8, blas::Transpose::no, blas::Transpose::no, 2, 3, 2, 3);
  const auto array = [&](const Numbers& x) { return gemv::array_of(8, x); };
  const mp::MpArray one = array({{1, 0}});
  mp::MpArray marked = mp::mp_zeros(8, 1, true);
  marked.exponent[0] = mp::out_of_range_exponent;
  const auto expect_marked = [&](const mp::MpArray& alpha, const mp::MpArray& beta) {
    const mp::MpArray result =
        mp_gemm(Executor::host(), g.shape, alpha, array(g.a), g.lda, array(g.b), g.ldb, beta, array(g.c), g.ldc);
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t i = 0; i < 2; ++i) EXPECT_EQ(result.exponent[at_c(g, i, j)], mp::out_of_range_exponent);
    }
  };
  expect_marked(marked, one);
  expect_marked(one, marked);
}

TEST(MpGemmArguments, AWrongOneIsNamed) {
  Draw draw(8, 10);
  const Gemm right = drawn(draw, 8, blas::Transpose::no, blas::Transpose::no, 2, 3, 4, 3);
  const auto expect_refused = [&](const std::string& what, auto&& change) {
    Gemm g = right;
    change(g);
    try {
      run(g);
      ADD_FAILURE() << what;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(std::string(e.what()), "mp_gemm: " + what);
    }
  };
  expect_refused("m, n and k are at least 0", [](Gemm& g) { g.shape.k = -1; });
  expect_refused("lda is at least 1 and the rows of A", [](Gemm& g) { g.lda = 1; });
  expect_refused("ldb is at least 1 and the rows of B", [](Gemm& g) { g.ldb = 3; });
  expect_refused("ldc is at least max(1, m)", [](Gemm& g) { g.ldc = 1; });
  expect_refused("a is too short", [](Gemm& g) { g.a.resize(10); });
  expect_refused("b is too short", [](Gemm& g) { g.b.resize(11); });
  expect_refused("c is too short", [](Gemm& g) { g.c.resize(11); });
  expect_refused("exponents of a are more than 2^29 apart", [](Gemm& g) {
    g.a[0] = {1, 1 << 29};
    g.a[1] = {1, -8};
  });
  const mp::MpArray nine = mp::mp_zeros(9, 1);
  EXPECT_THROW(mp_gemm(Executor::host(), {9}, nine, nine, 1, nine, 1, nine, nine, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay::gemm
