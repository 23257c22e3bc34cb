// Norms and triangular systems from outside that compute in a wider format or update mean and variance, wrong ones for
// comparison, and the cases in which their errors exceed the bounds of other forms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "properties/contracts/normalization_cases.hpp"
#include "properties/draws/triangular/systems.hpp"
#include "tests/assay/subject_kernel.hpp"

namespace assay {
namespace {

using contracts::normalization::LayerNormCase;
using triangular::TrsvCase;

constexpr bool has_extended = std::numeric_limits<long double>::digits == 64;

// ------------------------------------------------------------------------------------------------------------- norms

/// The mean and the variance of a row.
template <class A>
struct Moments {
  A mean = 0;
  A variance = 0;
};
struct TwoPasses {
  template <class A, class T>
  static Moments<A> of(std::size_t n, const T* x) {
    Moments<A> found;
    for (std::size_t i = 0; i < n; ++i) found.mean += static_cast<A>(x[i]);
    found.mean /= static_cast<A>(n);
    for (std::size_t i = 0; i < n; ++i) {
      const A d = static_cast<A>(x[i]) - found.mean;
      found.variance += d * d;
    }
    found.variance /= static_cast<A>(n);
    return found;
  }
};
struct Welford {
  template <class A, class T>
  static Moments<A> of(std::size_t n, const T* x) {
    Moments<A> found;
    for (std::size_t i = 0; i < n; ++i) {
      const A d = static_cast<A>(x[i]) - found.mean;
      found.mean += d / static_cast<A>(i + 1);
      found.variance += d * (static_cast<A>(x[i]) - found.mean);
    }
    found.variance /= static_cast<A>(n);
    return found;
  }
};
/// Deviations from the mean of the previous numbers only.
struct WrongUpdates {
  template <class A, class T>
  static Moments<A> of(std::size_t n, const T* x) {
    Moments<A> found;
    for (std::size_t i = 0; i < n; ++i) {
      const A d = static_cast<A>(x[i]) - found.mean;
      found.mean += d / static_cast<A>(i + 1);
      found.variance += d * d;
    }
    found.variance /= static_cast<A>(n);
    return found;
  }
};
/// The mean square minus the square of the mean.
struct OnePass {
  template <class A, class T>
  static Moments<A> of(std::size_t n, const T* x) {
    Moments<A> found;
    for (std::size_t i = 0; i < n; ++i) {
      found.mean += static_cast<A>(x[i]);
      found.variance += static_cast<A>(x[i]) * static_cast<A>(x[i]);
    }
    found.mean /= static_cast<A>(n);
    found.variance = std::fmax(found.variance / static_cast<A>(n) - found.mean * found.mean, A(0));
    return found;
  }
};

/// layer_norm of numbers T in A.
template <class T, class A, class Way>
void layer_norm(std::size_t rows, std::size_t columns, T eps, const T* x, const T* weight, const T* bias, T* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Moments<A> found = Way::template of<A>(columns, x + r * columns);
    const A root = std::sqrt(found.variance + static_cast<A>(eps));
    for (std::size_t i = 0; i < columns; ++i) {
      const A normal = (static_cast<A>(x[r * columns + i]) - found.mean) / root;
      y[r * columns + i] = static_cast<T>(normal * static_cast<A>(weight[i]) + static_cast<A>(bias[i]));
    }
  }
}
template <class T, class A>
void rms_norm(std::size_t rows, std::size_t columns, T eps, const T* x, const T* weight, T* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    A squares = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      squares += static_cast<A>(x[r * columns + i]) * static_cast<A>(x[r * columns + i]);
    }
    const A root = std::sqrt(squares / static_cast<A>(columns) + static_cast<A>(eps));
    for (std::size_t i = 0; i < columns; ++i) {
      y[r * columns + i] = static_cast<T>(static_cast<A>(x[r * columns + i]) / root * static_cast<A>(weight[i]));
    }
  }
}

/// A row of two numbers.
LayerNormCase<double> row_of_two(double first, double second, double eps, double weight, double bias) {
  LayerNormCase<double> c;
  c.rows = 1;
  c.columns = 2;
  c.eps = eps;
  c.x = {first, second};
  c.weight = {weight, weight};
  c.bias = {bias, bias};
  return c;
}

/// Whether the function keeps the contract in 60 cases, at least one of which was judged.
template <class Function>
bool keeps_in_60(const std::string& operation, const std::string& format, Function* function,
                 const std::string& contract) {
  const ClaimTally tally = tally_of(operation, format, kernel_of(function), contract, 60);
  return tally.executed != 0 && tally.violated == 0;
}

TEST(LayerNorm, ByWelfordKeepsItsOwnContract) {
  EXPECT_TRUE(keeps_in_60("layer_norm", "f32", layer_norm<float, float, Welford>, "welford"));
  EXPECT_TRUE(keeps_in_60("layer_norm", "f64", layer_norm<double, double, Welford>, "welford"));
}

TEST(LayerNorm, ByWelfordNeedNotKeepThatOfTwoPasses) {
  const auto c = row_of_two(0x1.fffffffffffffp+455, 0x1p+456, 0x1p-8, 0x1.59565fc0824d4p+3, 0);
  EXPECT_EQ(verdict_on("layer_norm", "f64", layer_norm<double, double, Welford>, "two_pass", c), Verdict::violated);
  EXPECT_EQ(verdict_on("layer_norm", "f64", layer_norm<double, double, Welford>, "welford", c), Verdict::holds);
  EXPECT_EQ(verdict_on("layer_norm", "f64", layer_norm<double, double, TwoPasses>, "two_pass", c), Verdict::holds);
}

TEST(LayerNorm, OfOtherOnePassFormsBreaksTheContractOfWelford) {
  EXPECT_FALSE(keeps_in_60("layer_norm", "f64", layer_norm<double, double, OnePass>, "welford"));
  EXPECT_FALSE(keeps_in_60("layer_norm", "f64", layer_norm<double, double, WrongUpdates>, "welford"));
}

TEST(LayerNorm, HasNoBoundForRowsWhoseSumOfSquaresMayOverflow) {
  using Moderate = contracts::normalization::Moderate<float>;
  EXPECT_TRUE(Moderate::is_row(std::vector<float>(8192, 0x1p56F)));
  EXPECT_FALSE(Moderate::is_row(std::vector<float>(8193, 0x1p56F)));
  EXPECT_TRUE(Moderate::is_row(std::vector<float>(8193, 0x1p55F)));
}

TEST(LayerNorm, InAWiderFormatKeepsItsOwnContract) {
  if (!has_extended) GTEST_SKIP() << "long double is not that of x87";
  EXPECT_TRUE(keeps_in_60("layer_norm", "f64", layer_norm<double, long double, TwoPasses>, "wide_two_pass"));
  EXPECT_TRUE(keeps_in_60("layer_norm", "f32", layer_norm<float, double, TwoPasses>, "wide_two_pass"));
}

TEST(LayerNorm, InAWiderFormatNeedNotKeepThatOfItsOwn) {
  if (!has_extended) GTEST_SKIP() << "long double is not that of x87";
  const auto c = row_of_two(-1, 1, 0x1p-40, 0x1p-40, 0x1p13 + 0x1p-39);
  EXPECT_EQ(verdict_on("layer_norm", "f64", layer_norm<double, long double, TwoPasses>, "two_pass", c),
            Verdict::violated);
  EXPECT_EQ(verdict_on("layer_norm", "f64", layer_norm<double, long double, TwoPasses>, "wide_two_pass", c),
            Verdict::holds);
}

TEST(LayerNorm, InTheFormatItselfBreaksTheContractOfWiderOnes) {
  EXPECT_FALSE(keeps_in_60("layer_norm", "f64", layer_norm<double, double, TwoPasses>, "wide_two_pass"));
  EXPECT_FALSE(keeps_in_60("layer_norm", "f32", layer_norm<float, float, TwoPasses>, "wide_two_pass"));
}

TEST(Wide, NormsWithoutABiasKeepTheContractOfTheirOwnFormat) {
  if (!has_extended) GTEST_SKIP() << "long double is not that of x87";
  EXPECT_TRUE(keeps_in_60("rms_norm", "f64", rms_norm<double, long double>, "any_order"));
  EXPECT_TRUE(keeps_in_60("rms_norm", "f32", rms_norm<float, double>, "any_order"));
}

// ----------------------------------------------------------------------------------------------- triangular systems

/// Substitution in A. The unknowns are kept as B: as A until the end, or as T.
template <class T, class A, class B>
void solve(int upper, int trans, int unit, std::size_t n, const T* a, std::size_t lda, T* x) {
  const bool from_below = (upper != 0) != (trans != 0);
  std::vector<B> unknowns(x, x + n);
  for (std::size_t step = 0; step < n; ++step) {
    const auto row = [&](std::size_t place) { return from_below ? n - 1 - place : place; };
    const std::size_t i = row(step);
    const auto entry = [&](std::size_t j) { return static_cast<A>(trans != 0 ? a[j + i * lda] : a[i + j * lda]); };
    A sum = static_cast<A>(x[i]);
    for (std::size_t before = 0; before < step; ++before) sum -= entry(row(before)) * unknowns[row(before)];
    unknowns[i] = static_cast<B>(unit != 0 ? sum : sum / entry(i));
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(unknowns[i]);
}

/// A lower triangle of n rows with ones on the diagonal and zeros, and a right side of zeros.
TrsvCase<double> identity(std::size_t n) {
  TrsvCase<double> c;
  c.n = static_cast<std::int64_t>(n);
  c.lda = c.n;
  c.a.assign(n * n, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) c.a[i + j * n] = i == j ? 1 : 0;
  }
  c.x.assign(n, 0);
  return c;
}

TEST(Wide, SystemsWithUnknownsOfTheWiderFormatKeepTheirOwnContract) {
  if (!has_extended) GTEST_SKIP() << "long double is not that of x87";
  EXPECT_TRUE(keeps("trsv", "f64", solve<double, long double, long double>, "wide_unknowns"));
  EXPECT_TRUE(keeps("trsv", "f32", solve<float, double, double>, "wide_unknowns"));
  EXPECT_TRUE(keeps("trsv", "f64", solve<double, long double, double>, "wide_unknowns"));
}

TEST(Wide, SystemsWithUnknownsOfTheWiderFormatNeedNotKeepThatOfStoredOnes) {
  if (!has_extended) GTEST_SKIP() << "long double is not that of x87";
  TrsvCase<double> c = identity(2);
  c.a[0] = 3;
  c.a[1] = 1;
  c.x = {1, 1.0 / 3};
  EXPECT_EQ(verdict_on("trsv", "f64", solve<double, long double, long double>, "wide_backward", c), Verdict::violated);
  EXPECT_EQ(verdict_on("trsv", "f64", solve<double, long double, long double>, "wide_unknowns", c), Verdict::holds);
}

TEST(Wide, SystemsWithSumsInTheFormatItselfBreakTheContractOfWiderUnknowns) {
  // Eight products of 0.45 · 2⁻⁵³, each of which a sum in binary64 loses: the residual is 3.6 · 2⁻⁵³.
  constexpr std::size_t n = 9;
  TrsvCase<double> c = identity(n);
  for (std::size_t j = 0; j + 1 < n; ++j) c.a[n - 1 + j * n] = 0.45 * 0x1p-53;
  c.x.assign(n, 1);
  EXPECT_EQ(verdict_on("trsv", "f64", solve<double, double, double>, "wide_unknowns", c), Verdict::violated);
  EXPECT_EQ(verdict_on("trsv", "f64", solve<double, double, double>, "backward", c), Verdict::holds);
}

TEST(Wide, SystemsWithUnknownsInANarrowerFormatBreakEveryContract) {
  EXPECT_FALSE(keeps("trsv", "f64", solve<double, double, float>, "wide_unknowns"));
  EXPECT_FALSE(keeps("trsv", "f64", solve<double, double, float>, "backward"));
}

}  // namespace
}  // namespace assay
