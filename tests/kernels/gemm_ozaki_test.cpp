#include "kernels/gemm/ozaki.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "errorbounds/gemm.hpp"
#include "exec/workspace.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"

namespace assay::gemm {
namespace {

using oracle::Dyadic;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// C ← α·op(A)·op(B) + β·C with arrays of its own on the host.
struct Product {
  std::int64_t m, n, k;
  bool trans_a = false, trans_b = false;
  double alpha = 1, beta = 0;
  std::int64_t gap = 0;  // of the leading dimensions
  std::vector<double> a = {}, b = {}, c = {};

  [[nodiscard]] std::int64_t lda() const { return (trans_a ? k : m) + gap; }
  [[nodiscard]] std::int64_t ldb() const { return (trans_b ? n : k) + gap; }
  [[nodiscard]] std::int64_t ldc() const { return m + gap; }
  [[nodiscard]] std::size_t place_a(std::int64_t i, std::int64_t l) const {
    return static_cast<std::size_t>(trans_a ? l + i * lda() : i + l * lda());
  }
  [[nodiscard]] std::size_t place_b(std::int64_t l, std::int64_t j) const {
    return static_cast<std::size_t>(trans_b ? j + l * ldb() : l + j * ldb());
  }
  [[nodiscard]] std::size_t place_c(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(i + j * ldc());
  }

  /// Entries of A, B and C by f(row, column), NaN in the gaps.
  template <class A, class B, class C>
  void fill(A of_a, B of_b, C of_c) {
    a.assign(static_cast<std::size_t>(lda() * (trans_a ? m : k)), nan);
    b.assign(static_cast<std::size_t>(ldb() * (trans_b ? k : n)), nan);
    c.assign(static_cast<std::size_t>(ldc() * n), nan);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t l = 0; l < k; ++l) a[place_a(i, l)] = of_a(i, l);
      for (std::int64_t j = 0; j < n; ++j) c[place_c(i, j)] = of_c(i, j);
    }
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) b[place_b(l, j)] = of_b(l, j);
    }
  }

  std::vector<double> run(const GemmOptions& options = {}, const OzakiMode& mode = {}, OzakiPlan* plan = nullptr,
                          const Executor& on = Executor::host()) const {
    std::vector<double> result = c;
    const GemmArguments arguments{.trans_a = trans_a ? blas::Transpose::yes : blas::Transpose::no,
                                  .trans_b = trans_b ? blas::Transpose::yes : blas::Transpose::no,
                                  .m = m,
                                  .n = n,
                                  .k = k,
                                  .alpha = alpha,
                                  .a = a.data(),
                                  .lda = lda(),
                                  .b = b.data(),
                                  .ldb = ldb(),
                                  .beta = beta,
                                  .c = result.data(),
                                  .ldc = ldc()};
    const OzakiPlan done = gemm_ozaki(on, arguments, options, mode);
    if (plan != nullptr) *plan = done;
    return result;
  }

  [[nodiscard]] Dyadic exact(std::int64_t i, std::int64_t j) const {
    Dyadic sum;
    for (std::int64_t l = 0; l < k; ++l) sum.add_mul(oracle::exact(a[place_a(i, l)]), oracle::exact(b[place_b(l, j)]));
    sum *= oracle::exact(alpha);
    if (beta != 0) sum += oracle::exact(beta) * oracle::exact(c[place_c(i, j)]);
    return sum;
  }
  /// The correctly rounded C.
  [[nodiscard]] std::vector<double> rounded() const {
    std::vector<double> result = c;
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        result[place_c(i, j)] =
            std::bit_cast<double>(oracle::round(exact(i, j), oracle::binary64, oracle::Rounding::nearest));
      }
    }
    return result;
  }
};

std::vector<std::uint64_t> bits_of(const std::vector<double>& x) {
  std::vector<std::uint64_t> bits;
  for (const double each : x) bits.push_back(std::isnan(each) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(each));
  return bits;
}

/// A number with a dense significand and an exponent within ±spread.
class Numbers {
 public:
  Numbers(std::uint64_t seed, int spread) : random_(seed), spread_(spread) {}
  double operator()(std::int64_t, std::int64_t) {
    const auto significand = static_cast<double>(random_() >> 11) * 0x1p-53 - 0.5;
    const int e = spread_ == 0 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(2 * spread_ + 1)) - spread_;
    return std::ldexp(significand, e);
  }

 private:
  std::mt19937_64 random_;
  int spread_;
};

Product product(std::int64_t m, std::int64_t n, std::int64_t k, int spread, double alpha = 1, double beta = 0) {
  Product p{.m = m, .n = n, .k = k, .alpha = alpha, .beta = beta};
  p.fill(Numbers(1, spread), Numbers(2, spread), Numbers(3, spread));
  return p;
}

const OzakiMode by_every_product{.every_product = true};
const OzakiMode by_near_sum{.sum = OzakiSum::near_sum};

TEST(GemmOzaki, IsCorrectlyRounded) {
  for (const int spread : {0, 5, 40, 300}) {
    for (const std::int64_t k : {1, 2, 33, 300}) {
      const Product p = product(5, 4, k, spread, 0x1.123456789abcdp0, -0x1.fedcba987654p0);
      EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded())) << "k = " << k << ", exponents within ±" << spread;
      EXPECT_EQ(bits_of(p.run({}, by_every_product)), bits_of(p.rounded())) << k << " ±" << spread;
    }
  }
}

TEST(GemmOzaki, FormsFewerProductsWhereTheyDecide) {
  const Product p = product(20, 20, 64, 12);
  OzakiPlan every;
  OzakiPlan decided;
  EXPECT_EQ(bits_of(p.run({}, by_every_product, &every)), bits_of(p.run({}, {}, &decided)));
  EXPECT_EQ(every.products, every.slices_a * every.slices_b);
  EXPECT_LT(decided.products, every.products);
}

TEST(GemmOzaki, LeavesFewUndecidedEntriesToSuperaccumulators) {
  Product p = product(24, 24, 64, 12, -0.75, 0x1p-30);
  // The products of row 3 and column 5 cancel except for two low bits, or altogether.
  for (const double left : {0x1p-60, 0.0}) {
    for (std::int64_t l = 0; l < 64; l += 2) {
      p.a[p.place_a(3, l + 1)] = -p.a[p.place_a(3, l)];
      p.b[p.place_b(l + 1, 5)] = p.b[p.place_b(l, 5)];
    }
    p.a[p.place_a(3, 10)] += left;
    p.c[p.place_c(3, 5)] = 0x1p-40;
    OzakiPlan plan;
    EXPECT_EQ(bits_of(p.run({}, {}, &plan)), bits_of(p.rounded())) << left;
    EXPECT_GE(plan.undecided, 1u) << left;
    EXPECT_LT(plan.products, plan.slices_a * plan.slices_b) << left;
  }
}

TEST(GemmOzaki, HasTheSameBitsByNearSum) {
  for (const int spread : {0, 5, 40}) {
    for (const std::int64_t k : {1, 2, 33, 300}) {
      const Product p = product(5, 4, k, spread, 0x1.123456789abcdp0, -0x1.fedcba987654p0);
      EXPECT_EQ(bits_of(p.run({}, by_near_sum)), bits_of(p.rounded())) << "k = " << k << ", ±" << spread;
    }
  }
}

TEST(GemmOzaki, SumsUpInIntegersWhereNearSumWouldUnderOrOverflow) {
  for (const int e : {-540, -537, -530, 508, 511, 513}) {
    Product p = product(6, 6, 3, 0, 0.75, 1);
    for (double& each : p.a) each = std::ldexp(each, e);
    for (double& each : p.b) each = std::ldexp(each, e);
    for (double& each : p.c) each = std::ldexp(each, 2 * e - 3);
    EXPECT_EQ(bits_of(p.run({}, by_near_sum)), bits_of(p.rounded())) << e;
  }
  for (int e = -1074; e <= 1000; e += 61) {
    Product p = product(3, 2, 4, 10, -1.25, 0x1.8000000000001p0);
    for (double& each : p.c) each = std::ldexp(std::copysign(0.5, each), e + 1);
    EXPECT_EQ(bits_of(p.run({}, by_near_sum)), bits_of(p.rounded())) << e;
  }
}

TEST(GemmOzaki, GivesNearSumASliceCapOfItsOwn) {
  const Product p = product(2, 2, 40, 200);
  try {
    p.run({}, by_near_sum);
    FAIL() << "no exception";
  } catch (const SliceCapError& error) {
    EXPECT_EQ(error.cap(), ozaki_near_sum_slices);
  }
}

TEST(GemmOzaki, TakesEveryLayout) {
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      for (const std::int64_t gap : {0, 3}) {
        Product p{.m = 4, .n = 7, .k = 10, .trans_a = trans_a, .trans_b = trans_b, .beta = 1, .gap = gap};
        p.fill(Numbers(4, 30), Numbers(5, 30), Numbers(6, 30));
        EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded())) << trans_a << trans_b << gap;
      }
    }
  }
}

TEST(GemmOzaki, KeepsExactnessForMaximalSameSignSlices) {
  for (const std::int64_t k : {63, 64, 65, 1000}) {
    Product p{.m = 2, .n = 2, .k = k};
    const auto most = [](std::int64_t i, std::int64_t j) {
      return i == j ? 0x1.fffffffffffffp-1 : -0x1.fffffffffffffp-1;
    };
    p.fill([&](std::int64_t, std::int64_t l) { return most(l, l); },
           [&](std::int64_t, std::int64_t j) { return most(j, 0); }, most);
    EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded())) << k;
  }
}

TEST(GemmOzaki, FindsWhatIsLeftWhenAllElseCancels) {
  Product p{.m = 1, .n = 1, .k = 5};
  const double left[] = {0x1.8p60, 0x1p-70, -0x1.8p60, 1, -1};
  const double right[] = {0x1.1p40, 0x1.00001p-80, 0x1.1p40, 0x1p-20, 0x1p-20};
  p.fill([&](std::int64_t, std::int64_t l) { return left[l]; }, [&](std::int64_t l, std::int64_t) { return right[l]; },
         [](std::int64_t, std::int64_t) { return 0.0; });
  EXPECT_EQ(p.run()[0], 0x1.00001p-150);
}

TEST(GemmOzaki, RoundsTiesToEvenAndWhatHidesBehindThemAway) {
  for (const double tiny : {0.0, 0x1p-1000, -0x1p-1000}) {
    Product p{.m = 1, .n = 1, .k = 3};
    const double left[] = {1, 0x1p-53, tiny};
    p.fill([&](std::int64_t, std::int64_t l) { return left[l]; }, [](std::int64_t, std::int64_t) { return 1.0; },
           [](std::int64_t, std::int64_t) { return 0.0; });
    EXPECT_EQ(p.run()[0], tiny > 0 ? 1 + 0x1p-52 : 1.0);
    EXPECT_EQ(p.run({}, by_every_product)[0], tiny > 0 ? 1 + 0x1p-52 : 1.0);
  }
}

TEST(GemmOzaki, RoundsOnceInTheSubnormalRangeAndNearOverflow) {
  for (const int e : {-540, -537, -530, 508, 511, 513}) {
    Product p = product(6, 6, 3, 0, 0.75);
    for (double& each : p.a) each = std::ldexp(each, e);
    for (double& each : p.b) each = std::ldexp(each, e);
    EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded())) << e;
  }
}

TEST(GemmOzaki, TakesNumbersOfTheWholeRange) {
  Product p{.m = 3, .n = 3, .k = 4, .beta = 1};
  const double left[] = {0x1.fffffffffffffp1023, 0x1p-1074, -0x1.23456789abcdep-1040, 1};
  p.fill([&](std::int64_t i, std::int64_t l) { return left[(i + l) % 4]; },
         [&](std::int64_t l, std::int64_t j) { return left[(2 * j + l) % 4] * 0.5; },
         [](std::int64_t i, std::int64_t j) { return i == j ? 0x1p1023 : -0x1p-1074; });
  EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded()));
}

TEST(GemmOzaki, AddsAStartOfAnyMagnitude) {
  for (int e = -1074; e <= 1000; e += 61) {
    Product p = product(3, 2, 4, 10, -1.25, 0x1.8000000000001p0);
    for (double& each : p.c) each = std::ldexp(std::copysign(0.5, each), e + 1);
    EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded())) << e;
  }
}

TEST(GemmOzaki, LeavesZeroRowsAndColumnsZero) {
  Product p = product(3, 3, 4, 20);
  for (std::int64_t l = 0; l < 4; ++l) p.a[p.place_a(1, l)] = p.b[p.place_b(l, 2)] = -0.0;
  EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded()));
  for (double& each : p.a) each = 0;
  EXPECT_EQ(bits_of(p.run()), std::vector<std::uint64_t>(9, 0));
}

TEST(GemmOzaki, TakesLinesThatAreNotFiniteForZeros) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Product p = product(4, 3, 5, 10, 1.5, 0.5);
  Product zeros = p;
  p.a[p.place_a(1, 2)] = nan;
  p.b[p.place_b(4, 0)] = -infinity;
  for (std::int64_t l = 0; l < 5; ++l) zeros.a[zeros.place_a(1, l)] = zeros.b[zeros.place_b(l, 0)] = 0;
  for (const OzakiMode& mode : {OzakiMode{}, by_every_product, by_near_sum}) {
    EXPECT_EQ(bits_of(p.run({}, mode)), bits_of(zeros.rounded()));
  }
}

TEST(GemmOzaki, GivesBetaTimesAStartThatIsNotFinite) {
  Product p = product(2, 1, 3, 10, 1, -2);
  p.c = {std::numeric_limits<double>::infinity(), nan};
  for (const OzakiMode& mode : {OzakiMode{}, by_every_product, by_near_sum}) {
    const std::vector<double> result = p.run({}, mode);
    EXPECT_EQ(result[0], -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(result[1]));
  }
}

TEST(GemmOzaki, ReadsNothingThatIsNotPartOfTheResult) {
  Product p = product(2, 2, 2, 3);
  const std::vector<double> start{1, 3, -5, 0x1p-1074};
  p.c.assign(4, nan);
  EXPECT_EQ(bits_of(p.run()), bits_of(p.rounded()));
  p.alpha = 0;
  p.beta = 0.5;
  p.c = start;
  p.a.assign(4, nan);
  EXPECT_THAT(p.run(), testing::ElementsAre(0.5, 1.5, -2.5, 0));
  p.beta = 0;
  EXPECT_EQ(bits_of(p.run()), std::vector<std::uint64_t>(4, 0));
}

TEST(GemmOzaki, GivesTheSameBitsForEveryWorkspace) {
  for (const int spread : {0, 25}) {
    Product p = product(23, 19, 150, spread, 1.5, -0.5);
    OzakiPlan whole;
    const auto expected = bits_of(p.run({}, {}, &whole));
    EXPECT_EQ(whole.tile_rows, 23);
    EXPECT_EQ(whole.inner, 150);
    bool blocked = false;
    for (const std::size_t budget : {100'000u, 40'000u, 25'000u, 12'000u}) {
      OzakiPlan plan;
      EXPECT_EQ(bits_of(p.run({.workspace_bytes = budget}, {}, &plan)), expected) << budget;
      EXPECT_LE(plan.workspace, budget);
      blocked |= plan.inner < 150;
    }
    EXPECT_TRUE(blocked);
  }
}

TEST(GemmOzaki, CountsTheCopiesOfLinesThatSuperaccumulatorsMake) {
  const Product p = product(20, 30, 64, 12);
  OzakiPlan every;
  OzakiPlan decided;
  p.run({}, by_every_product, &every);
  p.run({}, {}, &decided);
  // In addition to the copies there is a byte for each entry and a short list.
  const std::size_t copies = sizeof(double) * 64 * (20 + 30);
  EXPECT_GE(decided.workspace - every.workspace, copies);
  EXPECT_LE(decided.workspace - every.workspace, copies + 2048);
}

TEST(GemmOzaki, TakesASmallProductAtOnceWithoutMoreBytesThanItsArrays) {
  Product p{33, 5, 7};
  const auto one = [](std::int64_t, std::int64_t) { return 1.0; };
  p.fill(one, one, one);
  OzakiPlan plan;
  p.run({}, {.every_product = true}, &plan);
  EXPECT_EQ(plan.tile_rows, 33);
  EXPECT_EQ(plan.tile_columns, 5);
  EXPECT_EQ(plan.inner, 7);
  EXPECT_EQ(plan.workspace, Workspace::bytes_of<double>(33 * 7) + Workspace::bytes_of<double>(7 * 5) +
                                Workspace::bytes_of<double>(33 * 5) + 3 * Workspace::bytes_of<std::int32_t>(33) +
                                3 * Workspace::bytes_of<std::int32_t>(5) + Workspace::bytes_of<std::uint32_t>(1));
}

TEST(GemmOzaki, CutsALineInOneSliceWhereOneHoldsIt) {
  Product p{1, 1, 4};
  const auto one = [](std::int64_t, std::int64_t) { return 1.0; };
  p.fill(one, one, one);
  OzakiPlan plan;
  p.run({}, {}, &plan);
  const int q = plan.q;
  p.fill([q](std::int64_t, std::int64_t) { return 1 + std::ldexp(1.0, 1 - q); }, one, one);
  p.run({}, {}, &plan);
  EXPECT_EQ(plan.slices_a, 1);
  p.fill([q](std::int64_t, std::int64_t) { return 1 + std::ldexp(1.0, -q); }, one, one);
  p.run({}, {}, &plan);
  EXPECT_EQ(plan.slices_a, 2);
}

TEST(GemmOzaki, RefusesAWorkspaceThatHoldsNoTile) {
  EXPECT_THROW(product(3, 3, 3, 0).run({.workspace_bytes = 100}), std::invalid_argument);
}

TEST(GemmOzaki, SaysHowManySlicesAreMissing) {
  const Product p = product(2, 2, 40, 200);
  OzakiPlan plan;
  p.run({}, {}, &plan);
  const int needed = std::max(plan.slices_a, plan.slices_b);
  EXPECT_NO_THROW(p.run({}, {.most_slices = needed}));
  try {
    p.run({}, {.most_slices = needed - 1});
    FAIL() << "no exception";
  } catch (const SliceCapError& error) {
    EXPECT_EQ(error.needed(), needed);
    EXPECT_EQ(error.cap(), needed - 1);
    EXPECT_THAT(error.what(), testing::HasSubstr(std::to_string(needed)));
  }
}

TEST(GemmOzaki, StaysWithinTheBoundOfItsLevels) {
  const Product p = product(6, 6, 100, 12, -1.75, 1);
  OzakiPlan all;
  p.run({}, {}, &all);
  double products = 0;
  for (int levels = 1; levels <= all.slices_a + all.slices_b - 1; ++levels) {
    OzakiPlan plan;
    const std::vector<double> result = p.run({}, {.levels = levels}, &plan);
    EXPECT_GT(plan.products, products);
    products = plan.products;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        int top_a = -2000;
        int top_b = -2000;
        for (std::int64_t l = 0; l < p.k; ++l) {
          top_a = std::max(top_a, std::ilogb(p.a[p.place_a(i, l)]) + 1);
          top_b = std::max(top_b, std::ilogb(p.b[p.place_b(l, j)]) + 1);
        }
        const OzakiEntry entry{
            static_cast<std::uint64_t>(p.k), plan.q, all.slices_a, all.slices_b, levels, top_a, top_b};
        const Dyadic exact = p.exact(i, j);
        const Bound bound = ozaki_bound(entry, oracle::exact(p.alpha), exact, oracle::binary64);
        EXPECT_TRUE(abs(oracle::exact(result[p.place_c(i, j)]) - exact) <= bound.numerator) << levels;
      }
    }
  }
}

TEST(OzakiSlices, SumToTheMatrixExactly) {
  for (const bool transposed : {false, true}) {
    Product p{.m = 4, .n = 1, .k = 9, .trans_a = transposed, .gap = 1};
    p.fill(Numbers(7, 500), Numbers(8, 0), Numbers(9, 0));
    p.a[p.place_a(2, 3)] = -0x1.8p-1073;
    const OzakiSlices slices =
        ozaki_slices(Executor::host(), transposed ? blas::Transpose::yes : blas::Transpose::no, p.m, p.k, p.a, p.lda());
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t l = 0; l < p.k; ++l) {
        Dyadic sum;
        for (int s = 0; s < slices.count; ++s) {
          const double digit = slices.digit[static_cast<std::size_t>((s * p.k + l) * p.m + i)];
          EXPECT_LE(std::abs(digit), std::ldexp(1.0, slices.q));
          sum +=
              oracle::exact(digit) * Dyadic::scaled(1, slices.unit[static_cast<std::size_t>(i)] - s * (slices.q + 1));
        }
        EXPECT_EQ(sum, oracle::exact(p.a[p.place_a(i, l)]));
      }
    }
  }
}

TEST(OzakiSlices, AreNoneOfAnEmptyMatrix) {
  EXPECT_EQ(ozaki_slices(Executor::host(), blas::Transpose::no, 0, 3, {}, 1).count, 0);
  EXPECT_EQ(ozaki_slices(Executor::host(), blas::Transpose::no, 3, 0, {}, 3).count, 0);
}

TEST(OzakiSlices, HaveExactProducts) {
  const Product p = product(3, 2, 70, 30);
  const OzakiSlices x = ozaki_slices(Executor::host(), blas::Transpose::no, 3, 70, p.a, p.lda());
  const OzakiSlices y = ozaki_slices(Executor::host(), blas::Transpose::yes, 2, 70, p.b, p.ldb());
  const std::vector<double> c = ozaki_slice_product(Executor::host(), x, 1, y, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      Dyadic sum;
      for (std::size_t l = 0; l < 70; ++l) {
        sum.add_mul(oracle::exact(x.digit[(70 + l) * 3 + i]), oracle::exact(y.digit[l * 2 + j]));
      }
      EXPECT_EQ(oracle::exact(c[i + 3 * j]), sum);
    }
  }
}

}  // namespace
}  // namespace assay::gemm
