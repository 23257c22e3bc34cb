#include "kernels/gemm/gemm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "arith/bits/traits.hpp"
#include "gemm_reference.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/scan.hpp"

namespace assay::gemm {
namespace {

using reference::Entries;
using reference::GemmDraw;
using reference::GemmProblem;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr blas::Transpose no = blas::Transpose::no;
constexpr blas::Transpose both[] = {blas::Transpose::no, blas::Transpose::yes};
constexpr GemmEngine all_engines[] = {GemmEngine::automatic, GemmEngine::superaccumulator, GemmEngine::crt,
                                      GemmEngine::ozaki};

/// The message with which a call refuses its arguments; empty if it accepts them.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

/// Encodings, with one for all NaNs.
std::vector<std::uint64_t> bits(const std::vector<double>& x) {
  std::vector<std::uint64_t> all;
  for (const double each : x) all.push_back(to_bits(is_nan(each) ? nan : each));
  return all;
}

std::vector<double> result_of(const GemmProblem& p, const GemmOptions& options = {},
                              const Executor& on = Executor::host()) {
  using Span = std::span<const double>;
  return gemm(on, p.g.trans_a, p.g.trans_b, p.g.m, p.g.n, p.g.k, p.g.alpha, Span(p.a), p.g.lda, Span(p.b), p.g.ldb,
              p.g.beta, Span(p.c), p.g.ldc, options);
}

struct Shape {
  std::int64_t m, n, k;
};

TEST(Gemm, RoundsOnceByEveryEngine) {
  GemmDraw draw(1);
  for (const GemmEngine engine : all_engines) {
    for (const blas::Transpose trans_a : both) {
      for (const blas::Transpose trans_b : both) {
        for (const Shape& s : {Shape{1, 1, 1}, {5, 3, 9}, {18, 17, 40}}) {
          for (const Entries kind : {Entries::uniform, Entries::cancelling, Entries::few_integers}) {
            GemmProblem p = draw.problem(s.m, s.n, s.k, trans_a, trans_b, kind, 0.3, -1.7);
            EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits(reference::exact_gemm(p.arguments(), p.c)))
                << static_cast<int>(engine) << " " << s.m << " " << static_cast<int>(kind);
          }
        }
      }
    }
  }
}

TEST(Gemm, GivesTheSameBitsForEveryWorkspace) {
  GemmProblem p = GemmDraw(3).problem(60, 40, 90, no, blas::Transpose::yes, Entries::uniform);
  const auto expected = bits(reference::exact_gemm(p.arguments(), p.c));
  for (const std::size_t workspace : {std::size_t{1} << 19, std::size_t{1} << 24}) {
    for (const GemmEngine engine : {GemmEngine::crt, GemmEngine::ozaki}) {
      EXPECT_EQ(bits(result_of(p, {.workspace_bytes = workspace, .engine = engine})), expected);
    }
  }
}

TEST(Gemm, ReadsNeitherFactorForAlphaZeroOrAnEmptyInnerDimension) {
  for (const GemmEngine engine : all_engines) {
    GemmProblem p;
    p.g = {.m = 2, .n = 2, .k = 3, .alpha = 0, .lda = 2, .ldb = 3, .beta = -0.5, .ldc = 3};
    p.c = {1, 0x1p-1074, 77, 0.0, -infinity};
    const std::vector<double> expected{-0.5, -0.0, 77, 0.0, infinity};
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits(expected));
    p.g.alpha = nan;
    p.g.k = 0;
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits(expected));
    p.g.beta = 1;
    p.c = {-0.0, 2, nan, 3, nan};
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits({0.0, 2, nan, 3, nan}));
    p.g.beta = nan;
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits({nan, nan, nan, nan, nan}));
  }
}

TEST(Gemm, DoesNotReadCForBetaZero) {
  for (const GemmEngine engine : all_engines) {
    GemmProblem p = GemmDraw(4).problem(3, 3, 20, no, no, Entries::uniform, 2, 0);
    const std::vector<double> expected = reference::exact_gemm(p.arguments(), p.c);
    GemmProblem hidden = p;
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t i = 0; i < 3; ++i)
        hidden.c[static_cast<std::size_t>(i + j * p.g.ldc)] = i == j ? nan : infinity;
    }
    EXPECT_EQ(bits(result_of(hidden, {.engine = engine})), bits(expected));
  }
}

TEST(Gemm, TakesLeadingDimensionsBeyond32Bits) {
  for (const GemmEngine engine : all_engines) {
    constexpr std::int64_t far = std::int64_t{1} << 40;
    GemmProblem p;
    p.g = {.m = 2, .n = 1, .k = 1, .lda = far, .ldb = far, .beta = 1, .ldc = far};
    p.a = {3, 5};
    p.b = {7};
    p.c = {0.5, 0.25};
    EXPECT_EQ(result_of(p, {.engine = engine}), (std::vector<double>{21.5, 35.25}));
    p.g.trans_b = blas::Transpose::yes;
    EXPECT_EQ(result_of(p, {.engine = engine}), (std::vector<double>{21.5, 35.25}));
  }
}

TEST(Gemm, LeavesAnEmptyResultAlone) {
  const std::vector<double> c{1, 2};
  GemmProblem p;
  p.c = c;
  p.g = {.m = 0, .n = 2, .k = 3, .lda = 1, .ldb = 3, .ldc = 1};
  EXPECT_EQ(result_of(p), c);
  p.g = {.m = 2, .n = 0, .k = 3, .lda = 2, .ldb = 3, .ldc = 2};
  EXPECT_EQ(result_of(p), c);
}

/// The result by IEEE 754 for an entry with special terms: the sum of ±1, 0, ±∞ and NaN.
double sum_of_kinds(const GemmProblem& p, std::int64_t i, std::int64_t j) {
  const auto kind = [](double x) { return is_finite(x) ? static_cast<double>((x > 0) - (x < 0)) : x; };
  double sum = 0;
  if (p.g.reads_ab()) {
    for (std::int64_t l = 0; l < p.g.k; ++l) {
      const double a = p.a[static_cast<std::size_t>(i * p.g.row_step_a() + l * p.g.column_step_a())];
      const double b = p.b[static_cast<std::size_t>(l * p.g.row_step_b() + j * p.g.column_step_b())];
      const double term = kind(p.g.alpha) * kind(a) * kind(b);
      if (!is_finite(term)) sum += term;
    }
  }
  const double term = p.g.beta == 0 ? 0 : kind(p.g.beta) * kind(p.c[static_cast<std::size_t>(i + j * p.g.ldc)]);
  return is_finite(term) ? sum : sum + term;
}

/// The exact result if all terms are finite, the result by IEEE 754 otherwise.
std::vector<double> exact_with_specials(const GemmProblem& p) {
  GemmProblem finite = p;
  for (auto* x : {&finite.a, &finite.b, &finite.c}) {
    for (double& each : *x) each = is_finite(each) ? each : 0;
  }
  if (!is_finite(finite.g.alpha)) finite.g.alpha = 1;
  if (!is_finite(finite.g.beta)) finite.g.beta = 1;
  std::vector<double> result = p.c;
  const std::vector<double> rounded = reference::exact_gemm(finite.arguments(), finite.c);
  for (std::int64_t j = 0; j < p.g.n; ++j) {
    for (std::int64_t i = 0; i < p.g.m; ++i) {
      const auto at = static_cast<std::size_t>(i + j * p.g.ldc);
      const double special = sum_of_kinds(p, i, j);
      result[at] = is_finite(special) ? rounded[at] : special;
    }
  }
  return result;
}

void expect_special_values_from_every_engine(const GemmProblem& p) {
  const auto expected = bits(exact_with_specials(p));
  for (const GemmEngine engine : all_engines) EXPECT_EQ(bits(result_of(p, {.engine = engine})), expected);
}

TEST(Gemm, KeepsSpecialValuesToTheirRowsAndColumns) {
  GemmDraw draw(5);
  for (const double beta : {0.0, 1.5, -1.5}) {
    for (const double special : {infinity, -infinity, nan}) {
      for (const blas::Transpose trans : both) {
        for (const std::int64_t k : {3, 520}) {  // an entry by one thread, by many
          GemmProblem p = draw.problem(3, 4, k, trans, trans, Entries::uniform, -1, beta);
          p.a[static_cast<std::size_t>(1 * p.g.row_step_a() + 2 * p.g.column_step_a())] = special;
          p.b[static_cast<std::size_t>(2 * p.g.row_step_b() + 3 * p.g.column_step_b())] = 0;
          expect_special_values_from_every_engine(p);
          p.b[static_cast<std::size_t>(0 * p.g.row_step_b() + 2 * p.g.column_step_b())] = -infinity;
          expect_special_values_from_every_engine(p);
          p.c[static_cast<std::size_t>(1 + 0 * p.g.ldc)] = infinity;
          p.c[static_cast<std::size_t>(0 + 1 * p.g.ldc)] = infinity;
          p.c[static_cast<std::size_t>(2 + 3 * p.g.ldc)] = nan;
          expect_special_values_from_every_engine(p);
        }
      }
    }
  }
}

TEST(Gemm, TakesSpecialScalars) {
  GemmDraw draw(6);
  for (const GemmEngine engine : all_engines) {
    for (const auto& [alpha, beta] : std::vector<std::pair<double, double>>{
             {infinity, 1}, {-infinity, 0}, {nan, 1}, {1, infinity}, {0, -infinity}, {0, nan}, {-infinity, infinity}}) {
      for (const Entries kind : {Entries::uniform, Entries::few_integers}) {
        const GemmProblem p = draw.problem(3, 4, 5, no, no, kind, alpha, beta);
        EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits(exact_with_specials(p)));
      }
    }
  }
}

TEST(Gemm, DoesNotTakeAnOverflowOfAProductForAnInfinity) {
  for (const GemmEngine engine : all_engines) {
    GemmProblem p;
    p.g = {.m = 1, .n = 1, .k = 2, .alpha = -1, .lda = 1, .ldb = 2, .beta = 0x1p1000, .ldc = 1};
    p.a = {-infinity, 0x1p1000};
    p.b = {1, 0x1p1000};
    p.c = {-0x1p1000};
    EXPECT_EQ(result_of(p, {.engine = engine}), std::vector<double>{infinity});
    p.g.alpha = 0x1p1000;
    p.a = {0x1p-1000, 0x1p1000};
    p.b = {0x1p-1000, 0x1p900};
    p.c = {-0x1p900};
    p.g.beta = 0x1p1000;
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits(reference::exact_gemm(p.arguments(), p.c)));
  }
}

TEST(Gemm, HasTheZeroRule) {
  for (const GemmEngine engine : all_engines) {
    GemmProblem p;
    p.g = {.m = 1, .n = 1, .k = 1, .alpha = 1, .lda = 1, .ldb = 1, .beta = 1, .ldc = 1};
    p.a = {-0.0};
    p.b = {3};
    p.c = {-0.0};
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits({0.0}));
    p.a = {-0x1p-1000};
    p.b = {0x1p-1000};
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits({-0.0}));
    p.b = {-0x1p-1000};
    EXPECT_EQ(bits(result_of(p, {.engine = engine})), bits({0.0}));
  }
}

TEST(Gemm, NamesTheWrongArgument) {
  const std::vector<double> x(12);
  const auto message = [&](const std::function<void(GemmProblem&)>& change) {
    GemmProblem p;
    p.g = {.m = 3, .n = 2, .k = 4, .lda = 3, .ldb = 4, .beta = 1, .ldc = 3};
    p.a = p.b = p.c = x;
    change(p);
    return refusal([&] { result_of(p); });
  };
  EXPECT_EQ(message([](GemmProblem&) {}), "");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.m = -1; }), "gemm: m is at least 0");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.n = -1; }), "gemm: n is at least 0");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.k = -1; }), "gemm: k is at least 0");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.lda = 2; }), "gemm: lda is at least 1 and the rows of A");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.ldb = 3; }), "gemm: ldb is at least 1 and the rows of B");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.ldc = 2; }), "gemm: ldc is at least max(1, m)");
  EXPECT_EQ(message([](GemmProblem& p) { p.a.resize(11); }), "gemm: a is too short");
  EXPECT_EQ(message([](GemmProblem& p) { p.b.resize(7); }), "gemm: b is too short");
  EXPECT_EQ(message([](GemmProblem& p) { p.c.resize(5); }), "gemm: c is too short");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.trans_a = static_cast<blas::Transpose>(2); }),
            "gemm: transa is no or yes");
  EXPECT_EQ(message([](GemmProblem& p) { p.g.n = std::int64_t{1} << 62; }), "gemm: c is too short");
}

TEST(Gemm, RefusesNullPointersThatItWouldRead) {
  double x[1] = {1};
  const Executor on = Executor::host();
  const double* const none = nullptr;
  EXPECT_THROW(gemm(on, no, no, 1, 1, 1, 1.0, none, 1, x, 1, 0.0, x, 1), std::invalid_argument);
  EXPECT_THROW(gemm(on, no, no, 1, 1, 1, 1.0, x, 1, none, 1, 0.0, x, 1), std::invalid_argument);
  EXPECT_THROW(gemm(on, no, no, 1, 1, 1, 1.0, x, 1, x, 1, 0.0, static_cast<double*>(nullptr), 1),
               std::invalid_argument);
  EXPECT_NO_THROW(gemm(on, no, no, 1, 1, 1, 0.0, none, 1, none, 1, 2.0, x, 1));
  EXPECT_EQ(x[0], 2);
  EXPECT_NO_THROW(gemm(on, no, no, 0, 1, 1, 1.0, none, 1, none, 1, 2.0, static_cast<double*>(nullptr), 1));
}

/// `count` problems of one shape in arrays with these strides.
struct Batched {
  std::vector<GemmProblem> one;
  std::vector<double> a, b, c;
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
};

Batched batch_of(GemmDraw& draw, std::int64_t count, bool shared_a) {
  Batched all;
  for (std::int64_t p = 0; p < count; ++p) {
    GemmProblem next = draw.problem(4, 3, 6, no, no, Entries::uniform, 1.1, 0.7);
    next.g.lda = 5;
    next.g.ldb = 7;
    next.g.ldc = 6;
    next.a.resize(5 * 6);
    next.b.resize(7 * 3);
    next.c.resize(6 * 3);
    if (shared_a && p > 0) next.a = all.one[0].a;
    all.one.push_back(next);
    if (!shared_a || p == 0) all.a.insert(all.a.end(), next.a.begin(), next.a.end());
    all.b.insert(all.b.end(), next.b.begin(), next.b.end());
    all.c.insert(all.c.end(), next.c.begin(), next.c.end());
  }
  all.stride_a = shared_a ? 0 : 30;
  all.stride_b = 21;
  all.stride_c = 18;
  return all;
}

std::vector<double> result_of(const Batched& x, const GemmOptions& options = {}) {
  using Span = std::span<const double>;
  return gemm_strided_batched(Executor::host(), no, no, 4, 3, 6, 1.1, Span(x.a), 5, x.stride_a, Span(x.b), 7,
                              x.stride_b, 0.7, Span(x.c), 6, x.stride_c, static_cast<std::int64_t>(x.one.size()),
                              options);
}

TEST(GemmStridedBatched, GivesEveryProductTheBitsThatItHasAlone) {
  GemmDraw draw(8);
  for (const GemmEngine engine : all_engines) {
    for (const bool shared_a : {false, true}) {
      Batched all = batch_of(draw, 3, shared_a);
      all.one[1].b[0] = all.b[21] = infinity;
      const std::vector<double> result = result_of(all, {.engine = engine});
      for (std::size_t p = 0; p < 3; ++p) {
        const auto first = result.begin() + static_cast<std::ptrdiff_t>(18 * p);
        EXPECT_EQ(bits({first, first + 18}), bits(result_of(all.one[p])));
      }
    }
  }
}

TEST(GemmStridedBatched, TakesInterleavedResults) {
  // Columns of both products take turns: stride_c = m.
  const std::vector<double> a{1, 2}, b{3, 4, 5, 6}, c(8, 0.0);
  using Span = std::span<const double>;
  const std::vector<double> result =
      gemm_strided_batched(Executor::host(), no, no, 2, 2, 1, 1.0, Span(a), 2, 0, Span(b), 1, 2, 0.0, Span(c), 4, 2, 2);
  EXPECT_EQ(result, (std::vector<double>{3, 6, 5, 10, 4, 8, 6, 12}));
}

TEST(GemmStridedBatched, NamesTheWrongStride) {
  GemmDraw draw(9);
  const auto message = [&](const std::function<void(Batched&)>& change) {
    Batched all = batch_of(draw, 2, false);
    change(all);
    return refusal([&] { result_of(all); });
  };
  EXPECT_EQ(message([](Batched&) {}), "");
  EXPECT_EQ(message([](Batched& x) { x.stride_a = -30; }), "gemm_strided_batched: stride_a is at least 0");
  EXPECT_EQ(message([](Batched& x) { x.stride_b = -1; }), "gemm_strided_batched: stride_b is at least 0");
  EXPECT_EQ(message([](Batched& x) { x.stride_c = 15; }),
            "gemm_strided_batched: stride_c keeps the matrices of C apart");
  EXPECT_EQ(message([](Batched& x) { x.stride_c = 0; }),
            "gemm_strided_batched: stride_c keeps the matrices of C apart");
  EXPECT_EQ(message([](Batched& x) { x.stride_c = 22; }), "gemm_strided_batched: c is too short");
  EXPECT_EQ(message([](Batched& x) { x.stride_b = 25; }), "gemm_strided_batched: b is too short");
  EXPECT_EQ(message([](Batched& x) { x.stride_a = 32; }), "gemm_strided_batched: a is too short");
}

TEST(GemmWorkspace, CoversWhatAProductTakes) {
  GemmDraw draw(10);
  const Executor on = Executor::host();
  for (const Shape& s : {Shape{1, 1, 1}, {40, 30, 50}, {17, 100, 5}}) {
    GemmProblem p = draw.problem(s.m, s.n, s.k, no, no, Entries::wide);
    const std::size_t bytes = gemm_workspace(on, no, no, s.m, s.n, s.k, {.engine = GemmEngine::crt});
    EXPECT_LE(gemm_crt(on, p.arguments()).workspace_bytes, bytes);
  }
}

TEST(GemmWorkspace, IsWithinTheBudget) {
  const Executor on = Executor::host();
  const std::size_t budget = 123456789;
  for (const GemmEngine engine : all_engines) {
    EXPECT_LE(gemm_workspace(on, no, no, 10000, 10000, 10000, {.workspace_bytes = budget, .engine = engine}), budget);
  }
  EXPECT_EQ(gemm_workspace(on, no, no, 0, 10, 10), 0u);
  EXPECT_THROW(gemm_workspace(on, no, no, -1, 10, 10), std::invalid_argument);
}

TEST(GemmWorkspace, HoldsAScanOfALongInnerIndexFromBothSides) {
  constexpr std::int64_t k = std::int64_t{1} << 28;
  const GemmOptions unlimited{.workspace_bytes = std::size_t{1} << 50, .engine = GemmEngine::crt};
  EXPECT_GE(gemm_workspace(Executor::host(), no, no, 1, 1, k, unlimited),
            2 * sizeof(GemmLine) * static_cast<std::size_t>(k));
}

TEST(GemmWorkspace, OfABatchIsThatOfItsEngine) {
  const Executor on = Executor::host();
  const GemmOptions slices{.workspace_bytes = 1000, .engine = GemmEngine::ozaki};
  EXPECT_EQ(gemm_workspace(on, no, no, 10, 10, 10, slices, 7), 1000u);
  EXPECT_EQ(gemm_workspace(on, no, no, 10, 10, 10, slices, 0), 0u);
  EXPECT_THROW(gemm_workspace(on, no, no, 10, 10, 10, slices, -1), std::invalid_argument);
}

/// The least workspace, in bytes below 2²⁰, with which the product does not throw.
template <class Multiply>
std::size_t least_workspace(const Multiply& multiply) {
  std::size_t too_small = 0;
  std::size_t enough = std::size_t{1} << 20;
  while (enough - too_small > 1) {
    const std::size_t middle = (too_small + enough) / 2;
    try {
      multiply(GemmOptions{.workspace_bytes = middle, .engine = GemmEngine::ozaki});
      enough = middle;
    } catch (const std::invalid_argument&) {
      too_small = middle;
    }
  }
  return enough;
}

TEST(GemmWorkspace, OfSlicesHoldsTheScanOfTheLinesToo) {
  const Executor on = Executor::host();
  GemmProblem p = GemmDraw(11).problem(3, 4, 5, no, no, Entries::wide);
  const GemmArguments g = p.arguments();
  const std::size_t of_slices = least_workspace([&](const GemmOptions& options) { gemm_ozaki(on, g, options); });
  const std::size_t of_all = least_workspace([&](const GemmOptions& options) {
    gemm(on, g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc, options);
  });
  EXPECT_GE(of_all, of_slices + 7 * sizeof(GemmLine));
}

}  // namespace
}  // namespace assay::gemm
