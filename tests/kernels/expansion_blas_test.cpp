#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/expansion/detail/accumulator.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"

namespace assay::expansion {
namespace {

using Span = std::span<const double>;
constexpr int all_words[] = {2, 3, 4, 8};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double power(int e) { return std::ldexp(1.0, e); }

/// The expansion x + 0 + … of the given length.
std::vector<double> single(int words, double x) {
  std::vector<double> e(static_cast<std::size_t>(words));
  e[0] = x;
  return e;
}

/// Small integers, the i-th one the same in every call.
double integer(std::int64_t i) { return static_cast<double>((i * 2654435761) % 2003 - 1001); }

/// An array of expansions that are single integers.
std::vector<double> integers(int words, std::int64_t entries, std::int64_t seed) {
  std::vector<double> x(static_cast<std::size_t>(entries * words));
  for (std::int64_t i = 0; i < entries; ++i) x[static_cast<std::size_t>(i * words)] = integer(i + seed);
  return x;
}

/// An array of full expansions whose products round.
std::vector<double> rounding(int words, std::int64_t entries, std::int64_t seed) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < entries; ++i) {
    for (int word = 0; word < words; ++word) {
      x.push_back(integer(i * words + word + seed) / 3.0 * power(-64 * word - 2 * static_cast<int>(i % 7)));
    }
  }
  return x;
}

// ------------------------------------------------------------------------------------------------- the accumulator

TEST(ExpansionAccumulator, KeepsEveryWordOfASquare) {
  ExpansionAccumulator<double, 3> sum{};
  const Expansion<double, 3> x{{1, power(-60), 0}};
  sum.add(x, x);
  const Expansion<double, 3> square = sum.result();
  EXPECT_EQ(square.x[0], 1);
  EXPECT_EQ(square.x[1], power(-59));
  EXPECT_EQ(square.x[2], power(-120));
}

TEST(ExpansionAccumulator, DropsTheProductOfTheLastWords) {
  ExpansionAccumulator<double, 2> sum{};
  const Expansion<double, 2> x{{1, power(-60)}};
  sum.add(x, x);
  const Expansion<double, 2> square = sum.result();
  EXPECT_EQ(square.x[0], 1);
  EXPECT_EQ(square.x[1], power(-59));
}

TEST(ExpansionAccumulator, KeepsALowWordUnderCancellation) {
  ExpansionAccumulator<double, 4> sum{};
  const Expansion<double, 4> one{{1, 0, 0, 0}};
  sum.add(Expansion<double, 4>{{power(40), power(-20), power(-80), power(-140)}}, one);
  sum.add(Expansion<double, 4>{{-power(40), -power(-20), -power(-80), 0}}, one);
  const Expansion<double, 4> rest = sum.result();
  EXPECT_EQ(rest.x[0], power(-140));
  EXPECT_EQ(rest.x[1], 0);
}

TEST(ExpansionAccumulator, TakesInAnother) {
  ExpansionAccumulator<double, 3> left{{1, power(-60), power(-130)}};
  const ExpansionAccumulator<double, 3> right{{power(-54), -power(-60), power(-128)}};
  left.add(right);
  const Expansion<double, 3> sum = left.result();
  EXPECT_EQ(sum.x[0], 1);
  EXPECT_EQ(sum.x[1], power(-54));
  EXPECT_EQ(sum.x[2], power(-130) + power(-128));
}

TEST(ExpansionAccumulator, ResultOrdersAndSeparatesAnyWords) {
  const ExpansionAccumulator<double, 4> sum{{power(-100), 3, -power(60), power(60) + power(8)}};
  const Expansion<double, 4> x = sum.result();
  EXPECT_EQ(x.x[0], 259);
  EXPECT_EQ(x.x[1], power(-100));
  EXPECT_EQ(x.x[2], 0);
  EXPECT_EQ(x.x[3], 0);
}

TEST(ExpansionAccumulator, ResultMayHaveHalfAnUlpBehindAWord) {
  const ExpansionAccumulator<double, 3> sum{{power(-53), 1, power(-106)}};
  const Expansion<double, 3> x = sum.result();
  EXPECT_EQ(x.x[0], 1);
  EXPECT_EQ(x.x[1], power(-53));
  EXPECT_EQ(x.x[2], power(-106));
}

// -------------------------------------------------------------------------------------------------------- the GEMV

struct Gemv {
  int words = 2;
  blas::Transpose trans = blas::Transpose::no;
  std::int64_t m = 0, n = 0, lda = 1, incx = 1, incy = 1;
  std::vector<double> alpha, a, x, beta, y;

  std::vector<double> run(const Executor& on = Executor::host()) const {
    return expansion_gemv<double>(on, words, trans, m, n, Span(alpha), Span(a), lda, Span(x), incx, Span(beta), Span(y),
                                  incy);
  }
  std::int64_t outputs() const { return trans == blas::Transpose::yes ? n : m; }
  std::int64_t terms() const { return trans == blas::Transpose::yes ? m : n; }
};

Gemv gemv(int words, blas::Transpose trans, std::int64_t m, std::int64_t n, std::int64_t incx = 1,
          std::int64_t incy = 1) {
  Gemv c{words, trans, m, n, m + 2, incx, incy, single(words, 2), {}, {}, single(words, -3), {}};
  c.a = integers(words, c.lda * n, 1);
  c.x = integers(words, 1 + (c.terms() - 1) * std::abs(incx), 77);
  c.y = integers(words, 1 + (c.outputs() - 1) * std::abs(incy), 991);
  return c;
}

/// The place of entry i of a vector.
std::int64_t place(std::int64_t i, std::int64_t length, std::int64_t stride) {
  return stride > 0 ? i * stride : (i - length + 1) * stride;
}

/// y of a case of integers.
std::vector<double> exact(const Gemv& c) {
  std::vector<double> y = c.y;
  const auto leading = [&](const std::vector<double>& array, std::int64_t at) {
    return array[static_cast<std::size_t>(at * c.words)];
  };
  for (std::int64_t i = 0; i < c.outputs(); ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < c.terms(); ++j) {
      const std::int64_t at = c.trans == blas::Transpose::yes ? j + i * c.lda : i + j * c.lda;
      sum += leading(c.a, at) * leading(c.x, place(j, c.terms(), c.incx));
    }
    double& entry = y[static_cast<std::size_t>(place(i, c.outputs(), c.incy) * c.words)];
    entry = c.alpha[0] * sum + c.beta[0] * entry;
  }
  return y;
}

TEST(ExpansionGemv, OfIntegersIsExactForEveryShape) {
  for (const int words : all_words) {
    for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
      for (const auto& [m, n] : {std::pair{1, 1}, {1, 65}, {65, 1}, {7, 64}, {8, 63}, {9, 129}, {17, 5}}) {
        const Gemv c = gemv(words, trans, m, n);
        EXPECT_EQ(c.run(), exact(c)) << words << ' ' << (trans == blas::Transpose::yes) << ' ' << m << ' ' << n;
      }
    }
  }
}

TEST(ExpansionGemv, TakesStridesOfEitherSign) {
  for (const std::int64_t incx : {1, 2, -1, -3}) {
    for (const std::int64_t incy : {1, 3, -1, -2}) {
      const Gemv c = gemv(3, blas::Transpose::yes, 9, 10, incx, incy);
      EXPECT_EQ(c.run(), exact(c)) << incx << ' ' << incy;
    }
  }
}

TEST(ExpansionGemv, GivesTheSameBitsInEveryOrder) {
  for (const int words : all_words) {
    for (const blas::Transpose trans : {blas::Transpose::no, blas::Transpose::yes}) {
      Gemv c = gemv(words, trans, 70, 66);
      c.a = rounding(words, c.lda * c.n, 3);
      c.x = rounding(words, c.terms(), 5);
      c.y = rounding(words, c.outputs(), 8);
      const std::vector<double> ascending = c.run();
      EXPECT_EQ(c.run(Executor::host(Order::descending)), ascending) << words;
      EXPECT_EQ(c.run(Executor::host(Order::shuffled, 5)), ascending) << words;
    }
  }
}

TEST(ExpansionGemv, OfExpansionsIsThatOfTheirWords) {
  const Gemv c = gemv(4, blas::Transpose::no, 9, 5);
  const auto entries = [](const std::vector<double>& words) { return detail::expansions_of<double, 4>(words); };
  const std::vector<Expansion<double, 4>> a = entries(c.a), x = entries(c.x), y = entries(c.y);
  using Entries = std::span<const Expansion<double, 4>>;
  const auto result = expansion_gemv<double, 4>(Executor::host(), c.trans, c.m, c.n, entries(c.alpha)[0], Entries(a),
                                                c.lda, Entries(x), c.incx, entries(c.beta)[0], Entries(y), c.incy);
  const Span words = detail::words_in(Entries(result));
  EXPECT_EQ(std::vector<double>(words.begin(), words.end()), c.run());
}

TEST(ExpansionGemv, ReadsNoRowBelowTheMatrixAndNoGap) {
  Gemv c = gemv(2, blas::Transpose::no, 3, 4, 2, -2);
  const std::vector<double> want = exact(c);
  for (std::int64_t at = 0; at < c.lda * c.n; ++at) {
    if (at % c.lda >= c.m) c.a[static_cast<std::size_t>(2 * at)] = nan;
  }
  for (std::size_t at = 1; 2 * at < c.x.size(); at += 2) c.x[2 * at] = nan;
  EXPECT_EQ(c.run(), want);
}

TEST(ExpansionGemv, LeavesTheGapsOfYAsTheyAre) {
  Gemv c = gemv(2, blas::Transpose::no, 3, 4, 1, 3);
  for (std::size_t at = 0; at < c.y.size() / 2; ++at) {
    if (at % 3 != 0) c.y[2 * at + 1] = 12345;
  }
  const std::vector<double> y = c.run();
  for (std::size_t at = 0; at < c.y.size() / 2; ++at) {
    if (at % 3 != 0) {
      EXPECT_EQ(y[2 * at + 1], 12345) << at;
    }
  }
}

TEST(ExpansionGemv, WithBetaZeroDoesNotReadY) {
  Gemv c = gemv(4, blas::Transpose::yes, 6, 5);
  c.beta = single(4, 0);
  const std::vector<double> want = exact(c);
  c.y.assign(c.y.size(), nan);
  EXPECT_EQ(c.run(), want);
}

TEST(ExpansionGemv, WithAlphaZeroNeedsNeitherMatrixNorVector) {
  Gemv c = gemv(4, blas::Transpose::no, 6, 5);
  c.alpha = single(4, 0);
  const std::vector<double> want = exact(c);
  c.a.clear();
  c.x.clear();
  EXPECT_EQ(c.run(), want);
}

TEST(ExpansionGemv, WithAlphaAndBetaZeroGivesZero) {
  Gemv c = gemv(2, blas::Transpose::no, 3, 2);
  c.alpha = c.beta = single(2, 0);
  EXPECT_EQ(c.run(), std::vector<double>(6));
}

TEST(ExpansionGemv, LeavesYWhereADimensionIsZero) {
  Gemv c = gemv(2, blas::Transpose::no, 3, 2);
  c.n = 0;
  EXPECT_EQ(c.run(), c.y);
  c.n = 2;
  c.m = 0;
  EXPECT_EQ(c.run(), c.y);
}

TEST(ExpansionGemv, LeavesYWithAlphaZeroAndBetaOne) {
  Gemv c = gemv(2, blas::Transpose::no, 1, 2);
  c.alpha = single(2, 0);
  c.beta = single(2, 1);
  c.y = {1, 1};  // not an expansion: if it were added up, the result would be 2, 0
  EXPECT_EQ(c.run(), c.y);
}

TEST(ExpansionGemv, TakesAnyStepThatIsNeverTaken) {
  Gemv c = gemv(2, blas::Transpose::no, 1, 1);
  const std::vector<double> want = exact(c);
  c.lda = std::numeric_limits<std::int64_t>::max();
  c.incx = std::numeric_limits<std::int64_t>::min();
  c.incy = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(c.run(), want);
}

TEST(ExpansionGemv, RefusesWrongArgumentsInOneLine) {
  const Gemv good = gemv(3, blas::Transpose::no, 3, 2);
  const auto message = [](const Gemv& c) -> std::string {
    try {
      c.run();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto changed = [&](auto change) {
    Gemv c = good;
    change(c);
    return message(c);
  };
  EXPECT_EQ(message(good), "accepted");
  EXPECT_EQ(changed([](Gemv& c) { c.words = 5; }), "expansion_gemv: the number of words is 2, 3, 4 or 8, not 5");
  EXPECT_EQ(changed([](Gemv& c) { c.m = -1; }), "expansion_gemv: m and n are at least 0");
  EXPECT_EQ(changed([](Gemv& c) { c.lda = 2; }), "expansion_gemv: lda is at least max(1, m)");
  EXPECT_EQ(changed([](Gemv& c) { c.m = c.lda = 0; }), "expansion_gemv: lda is at least max(1, m)");
  EXPECT_EQ(changed([](Gemv& c) { c.incx = 0; }), "expansion_gemv: incx and incy are not 0");
  EXPECT_EQ(changed([](Gemv& c) { c.alpha.pop_back(); }),
            "expansion_gemv: alpha and beta have as many words as the entries");
  EXPECT_EQ(changed([](Gemv& c) { c.x.pop_back(); }), "expansion_gemv: an array has as many words for each entry");
  EXPECT_EQ(changed([](Gemv& c) { c.a.resize(3 * 7); }), "expansion_gemv: a is too short");
  EXPECT_EQ(changed([](Gemv& c) { c.lda = std::numeric_limits<std::int64_t>::max(); }),
            "expansion_gemv: a is too short");
  EXPECT_EQ(changed([](Gemv& c) { c.incx = std::numeric_limits<std::int64_t>::min(); }),
            "expansion_gemv: x is too short");
  EXPECT_EQ(changed([](Gemv& c) { c.incy = 2; }), "expansion_gemv: y is too short");
}

// -------------------------------------------------------------------------------------------------------- the GEMM

struct Gemm {
  int words;
  blas::Transpose transa, transb;
  std::int64_t m, n, k, lda, ldb, ldc;
  std::vector<double> alpha, a, b, beta, c;

  std::vector<double> run(const Executor& on = Executor::host()) const {
    return expansion_gemm<double>(on, words, transa, transb, m, n, k, Span(alpha), Span(a), lda, Span(b), ldb,
                                  Span(beta), Span(c), ldc);
  }
};

Gemm gemm(int words, blas::Transpose transa, blas::Transpose transb, std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t lda = (transa == blas::Transpose::yes ? k : m) + 1;
  const std::int64_t ldb = (transb == blas::Transpose::yes ? n : k) + 2;
  const std::int64_t ldc = m + 3;
  return {words,
          transa,
          transb,
          m,
          n,
          k,
          lda,
          ldb,
          ldc,
          single(words, 3),
          integers(words, lda * (transa == blas::Transpose::yes ? m : k), 4),
          integers(words, ldb * (transb == blas::Transpose::yes ? k : n), 55),
          single(words, -1),
          integers(words, ldc * n, 600)};
}

/// C of a case of integers.
std::vector<double> exact(const Gemm& g) {
  std::vector<double> c = g.c;
  const auto leading = [&](const std::vector<double>& array, std::int64_t at) {
    return array[static_cast<std::size_t>(at * g.words)];
  };
  for (std::int64_t i = 0; i < g.m; ++i) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < g.k; ++l) {
        sum += leading(g.a, g.transa == blas::Transpose::yes ? l + i * g.lda : i + l * g.lda) *
               leading(g.b, g.transb == blas::Transpose::yes ? j + l * g.ldb : l + j * g.ldb);
      }
      double& entry = c[static_cast<std::size_t>((i + j * g.ldc) * g.words)];
      entry = g.alpha[0] * sum + g.beta[0] * entry;
    }
  }
  return c;
}

TEST(ExpansionGemm, OfIntegersIsExactForEveryShapeAndTranspose) {
  for (const int words : all_words) {
    for (const blas::Transpose ta : {blas::Transpose::no, blas::Transpose::yes}) {
      for (const blas::Transpose tb : {blas::Transpose::no, blas::Transpose::yes}) {
        for (const auto& [m, n, k] : {std::array{1, 1, 1}, {16, 17, 15}, {17, 16, 33}, {2, 3, 40}, {33, 1, 2}}) {
          const Gemm g = gemm(words, ta, tb, m, n, k);
          EXPECT_EQ(g.run(), exact(g)) << words << ' ' << m << ' ' << n << ' ' << k;
        }
      }
    }
  }
}

TEST(ExpansionGemm, GivesTheSameBitsInEveryOrder) {
  Gemm g = gemm(3, blas::Transpose::no, blas::Transpose::yes, 18, 19, 20);
  g.a = rounding(3, g.lda * g.k, 1);
  g.b = rounding(3, g.ldb * g.k, 2);
  const std::vector<double> ascending = g.run();
  EXPECT_EQ(g.run(Executor::host(Order::descending)), ascending);
  EXPECT_EQ(g.run(Executor::host(Order::shuffled, 9)), ascending);
}

TEST(ExpansionGemm, WithoutProductsScalesC) {
  Gemm g = gemm(2, blas::Transpose::no, blas::Transpose::no, 4, 3, 2);
  g.k = 0;
  g.ldb = 1;
  g.a.clear();
  g.b.clear();
  EXPECT_EQ(g.run(), exact(g));
}

TEST(ExpansionGemm, WithBetaZeroDoesNotReadC) {
  Gemm g = gemm(2, blas::Transpose::no, blas::Transpose::no, 4, 3, 2);
  g.beta = single(2, 0);
  std::vector<double> want = exact(g);
  for (std::int64_t at = 0; at < g.ldc * g.n; ++at) {
    if (at % g.ldc < g.m) g.c[static_cast<std::size_t>(2 * at)] = nan;
  }
  EXPECT_EQ(g.run(), want);
}

TEST(ExpansionGemm, LeavesCWhereADimensionIsZero) {
  Gemm g = gemm(2, blas::Transpose::no, blas::Transpose::no, 4, 3, 2);
  g.m = 0;
  EXPECT_EQ(g.run(), g.c);
  g.b.clear();
  EXPECT_EQ(g.run(), g.c);
  Gemm without_columns = gemm(2, blas::Transpose::no, blas::Transpose::no, 4, 0, 2);
  without_columns.a.clear();
  EXPECT_EQ(without_columns.run(), without_columns.c);
}

TEST(ExpansionGemm, LeavesCWithoutProductsAndBetaOne) {
  Gemm g = gemm(2, blas::Transpose::no, blas::Transpose::no, 1, 1, 1);
  g.alpha = single(2, 0);
  g.beta = single(2, 1);
  g.c[1] = g.c[0];  // not an expansion
  EXPECT_EQ(g.run(), g.c);
}

TEST(ExpansionGemm, RefusesWrongArgumentsInOneLine) {
  const Gemm good = gemm(2, blas::Transpose::yes, blas::Transpose::no, 4, 3, 2);
  const auto changed = [&](auto change) -> std::string {
    Gemm g = good;
    change(g);
    try {
      g.run();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(changed([](Gemm&) {}), "accepted");
  EXPECT_EQ(changed([](Gemm& g) { g.words = 1; }), "expansion_gemm: the number of words is 2, 3, 4 or 8, not 1");
  EXPECT_EQ(changed([](Gemm& g) { g.k = -1; }), "expansion_gemm: m, n and k are at least 0");
  EXPECT_EQ(changed([](Gemm& g) { g.lda = 1; }), "expansion_gemm: lda is at least 1 and the rows of A");
  EXPECT_EQ(changed([](Gemm& g) { g.ldb = 1; }), "expansion_gemm: ldb is at least 1 and the rows of B");
  EXPECT_EQ(changed([](Gemm& g) { g.ldc = 3; }), "expansion_gemm: ldc is at least max(1, m)");
  EXPECT_EQ(changed([](Gemm& g) { g.a.resize(2 * 10); }), "expansion_gemm: a is too short");
  EXPECT_EQ(changed([](Gemm& g) { g.b.resize(2 * 9); }), "expansion_gemm: b is too short");
  EXPECT_EQ(changed([](Gemm& g) { g.c.resize(2 * 17); }), "expansion_gemm: c is too short");
}

}  // namespace
}  // namespace assay::expansion
