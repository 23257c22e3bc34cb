#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/expansion/detail/entry.hpp"
#include "kernels/expansion/detail/lane_sums.hpp"
#include "kernels/expansion/detail/vector_operands.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"
#include "kernels/expansion/matrices.hpp"
#include "kernels/expansion/triangular.hpp"
#include "kernels/expansion/vectors.hpp"

namespace assay::expansion {
namespace {

using blas::Diagonal;
using blas::Side;
using blas::Transpose;
using blas::Triangle;
using Numbers = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Executor host = Executor::host();

/// Small integers as entries of the given number of words, the i-th one the same in every call.
Numbers integers(int words, std::int64_t count, std::int64_t seed) {
  Numbers x(static_cast<std::size_t>(count * words));
  for (std::int64_t i = 0; i < count; ++i) {
    x[static_cast<std::size_t>(i * words)] = static_cast<double>((i + seed) * 2654435761 % 41 - 20);
  }
  return x;
}

double first_word(const Numbers& x, int words, std::int64_t i) { return x[static_cast<std::size_t>(i * words)]; }

TEST(BlasVectors, HaveTheirFirstEntryAtTheEndForANegativeStride) {
  EXPECT_EQ(blas::begin_of(4, 3), 0);
  EXPECT_EQ(blas::begin_of(4, -3), 9);
  EXPECT_EQ(blas::begin_of(1, -3), 0);
  EXPECT_EQ(blas::begin_of(0, 3), 0);
  EXPECT_EQ(blas::begin_of(0, -3), 0);
}

TEST(BlasVectors, FitWhereTheirLastEntryDoes) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t stride : {3, -3}) {
    EXPECT_TRUE(blas::holds_vector(10, 4, stride));
    EXPECT_FALSE(blas::holds_vector(9, 4, stride));
    EXPECT_TRUE(blas::holds_vector(0, 0, stride));
    EXPECT_FALSE(blas::holds_vector(0, 1, stride));
  }
  EXPECT_TRUE(blas::holds_vector(1, 1, least));
  EXPECT_FALSE(blas::holds_vector(std::size_t{1} << 63, 2, least));
  EXPECT_TRUE(blas::holds_vector((std::size_t{1} << 63) + 1, 2, least));
}

TEST(XblasSums, AreThoseOfIntegersForAnyNumberOfLanes) {
  for (const int words : {1, 2, 4}) {
    for (const std::int64_t n : {0, 1, 63, 64, 65, 300, 10000}) {
      const Numbers x = integers(words, n, 1);
      const Numbers y = integers(words, n, 5);
      double dot = 0;
      double asum = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        dot += first_word(x, words, i) * first_word(y, words, i);
        asum += std::abs(first_word(x, words, i));
      }
      const Numbers of_dot = expansion_dot(host, words, n, x, 1, y, 1);
      ASSERT_EQ(of_dot.size(), static_cast<std::size_t>(words));
      EXPECT_EQ(of_dot[0], dot) << words << " words, n = " << n;
      EXPECT_EQ(expansion_asum(host, words, n, x, 1)[0], asum) << words << " words, n = " << n;
    }
  }
}

TEST(XblasSums, HaveMoreLanesForMoreTerms) {
  EXPECT_EQ(sum_lanes(0), 64);
  EXPECT_EQ(sum_lanes(64 * 128 - 1), 64);
  EXPECT_EQ(sum_lanes(64 * 128), 128);
  EXPECT_EQ(sum_lanes(std::int64_t{1} << 40), 65536);
}

TEST(XblasSums, KeepWhatDoubleLoses) {
  EXPECT_EQ(expansion_dot(host, 1, 3, Numbers{1e16, 1, -1e16}, 1, Numbers{1, 1, 1}, 1)[0], 1);
  EXPECT_EQ(expansion_axpy(host, 1, 1, Numbers{3}, Numbers{1.0 / 3}, 1, Numbers{-1}, 1)[0], -0x1p-54);
  const Numbers dd = expansion_dot(host, 2, 2, Numbers{1, 0, 0x1p-60, 0}, 1, Numbers{1, 0, 1, 0}, -1);
  EXPECT_EQ(dd, (Numbers{1, 0x1p-60}));
}

TEST(XblasSums, TheNormNeitherOverflowsNorUnderflows) {
  for (const int words : {1, 2, 4}) {
    for (const double scale : {0x1p-1070, 0x1p-600, 1.0, 0x1p1000}) {
      Numbers x(static_cast<std::size_t>(4 * words));
      x[0] = 3 * scale;
      x[static_cast<std::size_t>(2 * words)] = -4 * scale;
      const Numbers norm = expansion_nrm2(host, words, 2, x, -2);
      EXPECT_EQ(norm[0], 5 * scale) << words << " words";
      EXPECT_EQ(norm.size(), static_cast<std::size_t>(words));
    }
  }
  EXPECT_EQ(expansion_nrm2(host, 1, 0, Numbers{}, 1), Numbers{0});
  EXPECT_THROW(expansion_nrm2(host, 1, 2, Numbers{1}, 1), std::invalid_argument);
  EXPECT_THROW(expansion_nrm2(host, 2, 2, Numbers{1, 0}, 1), std::invalid_argument);
  const Numbers root = expansion_nrm2(host, 4, 2, Numbers{1, 0, 0, 0, 1, 0, 0, 0}, 1);
  EXPECT_EQ(root[0], std::sqrt(2.0));
  EXPECT_EQ(root[1], -9.667293313452913e-17);
}

/// Words of random exponents below 2^high, where the later words of an entry are far smaller.
Numbers random_entries(int words, std::int64_t count, std::uint64_t seed, int high) {
  std::mt19937_64 random(seed);
  Numbers x(static_cast<std::size_t>(count * words));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int below = static_cast<int>(i % static_cast<std::size_t>(words)) * 53;
    const auto m = static_cast<double>(static_cast<std::int64_t>(random()));
    x[i] = random() % 20 == 0 ? 0 : std::ldexp(m, high - 63 - below - static_cast<int>(random() % 8));
  }
  return x;
}

/// The sum of the products of n entries by the definition: lane by lane, then the tree.
template <int W>
detail::Entry<W>::Sum sum_by_lanes(const Numbers& x, const Numbers& y, std::int64_t n) {
  using Entry = detail::Entry<W>;
  const std::int64_t lanes = sum_lanes(n);
  std::vector<typename Entry::Sum> sums(static_cast<std::size_t>(lanes));
  for (std::int64_t i = 0; i < n; ++i) {
    sums[static_cast<std::size_t>(i % lanes)].add(Entry::load(x.data() + i * W), Entry::load(y.data() + i * W));
  }
  for (std::size_t d = sums.size() / 2; d > 0; d /= 2) {
    for (std::size_t c = 0; c < d; ++c) sums[c].add(sums[c + d]);
  }
  return sums[0];
}

template <int W>
void expect_lanes_in_order(std::int64_t n) {
  const Numbers x = random_entries(W, n, 3, 0);
  const Numbers y = random_entries(W, n, 4, 40);
  const auto words_of = [](const auto& sum) {
    Numbers words(W);
    detail::Entry<W>::store(sum.result(), words.data());
    return words;
  };
  EXPECT_EQ(expansion_dot(host, W, n, x, 1, y, 1), words_of(sum_by_lanes<W>(x, y, n))) << W << " " << n;
  Numbers signs(x.size());
  for (std::size_t i = 0; i < x.size(); i += W) {
    double leading = x[i];
    for (std::size_t w = 1; w < W; ++w) leading = leading == 0 ? x[i + w] : leading;
    signs[i] = leading < 0 ? -1 : 1;
  }
  EXPECT_EQ(expansion_asum(host, W, n, x, 1), words_of(sum_by_lanes<W>(x, signs, n))) << W << " " << n;
}

TEST(XblasSums, TakeTheTermsOfALaneInOrderAndTheLanesByATree) {
  for (const std::int64_t n : {1, 64, 700, 4097, 10000, 200000}) {
    expect_lanes_in_order<1>(n);
    expect_lanes_in_order<2>(n);
    expect_lanes_in_order<4>(n);
  }
}

/// Terms that count how often one is assigned.
struct CountedTerms {
  struct Term {
    static inline std::int64_t assignments = 0;
    std::int64_t value = 0;
    Term& operator=(const Term& other) {
      value = other.value;
      ++assignments;
      return *this;
    }
  };
  using Sum = std::int64_t;
  static constexpr int tile = 4;
  [[nodiscard]] Term load(std::int64_t i) const { return {i}; }
  static void add(Sum& sum, const Term& term) { sum = 31 * sum + term.value; }
};

TEST(XblasSums, ALaneTakesAsManyTilesAsHoldItsTerms) {
  const std::int64_t lanes = 3;
  for (std::int64_t n = 0; n <= 60; ++n) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      std::int64_t sum = 0;
      std::int64_t count = 0;
      for (std::int64_t i = lane; i < n; i += lanes, ++count) sum = 31 * sum + i;
      CountedTerms::Term::assignments = 0;
      EXPECT_EQ(detail::sum_of_lane(CountedTerms{}, lane, n, lanes), sum) << n;
      // The first tile is loaded; each tile is used while the next one is loaded.
      const std::int64_t tiles = bits::ceil_div(count, CountedTerms::tile);
      EXPECT_EQ(CountedTerms::Term::assignments, CountedTerms::tile * (1 + 2 * tiles)) << n;
    }
  }
}

TEST(XblasSums, TheNormHasTheSameDigitsForEveryScale) {
  for (const int words : {1, 2, 4}) {
    const std::int64_t n = 3000;
    const Numbers at_one = random_entries(words, n, 5, 0);
    const Numbers norm = expansion_nrm2(host, words, n, at_one, 1);
    for (const int scale : {-700, -480, -100, 1, 300, 479, 480, 481, 600, 1000}) {
      Numbers x = at_one;
      for (double& word : x) word = std::ldexp(word, scale);
      Numbers scaled = norm;
      for (double& word : scaled) word = std::ldexp(word, scale);
      EXPECT_EQ(expansion_nrm2(host, words, n, x, 1), scaled) << words << " words, 2^" << scale;
    }
  }
}

TEST(XblasProducts, SyrkIsTheGemmOfAMatrixWithItsTranspose) {
  constexpr int words = 2;
  const Numbers a = integers(words, 5 * 3, 2);
  const Numbers c = integers(words, 5 * 5, 7);
  const Numbers alpha{2, 0};
  const Numbers beta{-1, 0};
  const Numbers all =
      expansion_gemm<double>(host, words, Transpose::no, Transpose::yes, 5, 5, 3, alpha, a, 5, a, 5, beta, c, 5);
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    const Numbers half = expansion_syrk(host, words, uplo, Transpose::no, 5, 3, alpha, a, 5, beta, c, 5);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        const bool written = uplo == Triangle::upper ? i <= j : i >= j;
        const std::size_t at = (i + 5 * j) * words;
        EXPECT_EQ(half[at], written ? all[at] : c[at]) << i << " " << j;
      }
    }
  }
}

TEST(XblasProducts, SyrkOnTheExecutorHasTheBitsOfTheArrays) {
  for (const int words : {1, 2, 4}) {
    const Numbers alpha = integers(words, 1, 2);
    const Numbers beta = integers(words, 1, 3);
    const Numbers a = integers(words, 6, 4);
    const Numbers c = integers(words, 4, 5);
    Numbers there = c;
    expansion_syrk(host, words, Triangle::lower, Transpose::no, 2, 3, alpha, a.data(), 2, beta, there.data(), 2);
    EXPECT_EQ(there, expansion_syrk(host, words, Triangle::lower, Transpose::no, 2, 3, alpha, a, 2, beta, c, 2));
    EXPECT_NE(there, c);
  }
}

TEST(XblasProducts, GerOfOneRowIsAnAxpy) {
  const Numbers y = integers(4, 9, 3);
  const Numbers a = integers(4, 9, 8);
  const Numbers alpha{0.1, 1e-18, 0, 0};
  EXPECT_EQ(expansion_ger(host, 4, 1, 9, alpha, Numbers{1, 0, 0, 0}, 1, y, 1, a, 1),
            expansion_axpy(host, 4, 9, alpha, y, 1, a, 1));
}

TEST(XblasProducts, SymvIsTheGemvOfBothTrianglesAndGerTheGemmOfTwoVectors) {
  for (const std::int64_t n : {1, 63, 64, 65, 200, 333}) {
    Numbers a = integers(1, n * n, 2);
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < j; ++i)
        a[static_cast<std::size_t>(i + j * n)] = a[static_cast<std::size_t>(j + i * n)];
    }
    for (double& each : a) each /= 3;
    const Numbers x = random_entries(1, n, 6, 0);
    const Numbers y = random_entries(1, n, 7, 0);
    const Numbers all = dot2_gemv(host, Transpose::no, n, n, 0.7, a, n, x, 1, 0.3, y, 1);
    EXPECT_EQ(dot2_gemv(host, Transpose::yes, n, n, 0.7, a, n, x, 1, 0.3, y, 1), all);
    for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
      Numbers half = a;
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < n; ++i) {
          if (uplo == Triangle::upper ? i > j : i < j) half[static_cast<std::size_t>(i + j * n)] = nan;
        }
      }
      EXPECT_EQ(expansion_symv(host, 1, uplo, n, Numbers{0.7}, half, n, x, 1, Numbers{0.3}, y, 1), all) << n;
    }
    EXPECT_EQ(expansion_ger(host, 1, n, n, Numbers{0.7}, x, 1, y, 1, a, n),
              dot2_gemm(host, Transpose::no, Transpose::yes, n, n, 1, 0.7, x, n, y, n, 1, a, n));
  }
  for (const int words : {2, 4}) {
    for (const double low : {0.0, 1e-20}) {
      const std::int64_t n = 150;
      Numbers alpha(static_cast<std::size_t>(words));
      alpha[0] = 0.7;
      alpha[1] = low;
      Numbers one(alpha.size());
      one[0] = 1;
      const Numbers x = random_entries(words, n, 8, 0);
      const Numbers y = random_entries(words, n, 9, 0);
      const Numbers a = random_entries(words, n * n, 10, 0);
      EXPECT_EQ(
          expansion_ger(host, words, n, n, alpha, x, 1, y, 1, a, n),
          expansion_gemm<double>(host, words, Transpose::no, Transpose::yes, n, n, 1, alpha, x, n, y, n, one, a, n));
    }
  }
}

/// A lower triangle of integers with ±1 on the diagonal, NaN above it.
Numbers integer_triangle(int words, std::int64_t n) {
  Numbers a = integers(words, n * n, 4);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i <= j; ++i)
      a[static_cast<std::size_t>((i + j * n) * words)] = i == j ? (i % 2 == 0 ? 1 : -1) : nan;
  }
  for (double& each : a) each = std::abs(each) > 1 ? std::copysign(1.0, each) : each;
  return a;
}

TEST(XblasSolves, TrsmAgreesWithTrsvForEachColumnAndRow) {
  for (const int words : {1, 2, 4}) {
    const std::int64_t n = 70;  // more than a panel
    const std::int64_t systems = 3;
    const Numbers a = integer_triangle(words, n);
    const Numbers b = integers(words, n * systems, 6);
    Numbers one(static_cast<std::size_t>(words));
    one[0] = 1;
    const Numbers left = expansion_trsm(host, words, Side::left, Triangle::lower, Transpose::no, Diagonal::stored, n,
                                        systems, one, a, n, b, n);
    Numbers transposed(b.size());
    const auto block = static_cast<std::size_t>(words);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t w = 0; w < block; ++w) {
          transposed[(k + i * 3) * block + w] = b[(i + k * static_cast<std::size_t>(n)) * block + w];
        }
      }
    }
    // Xᵀ·Lᵀ = Bᵀ.
    const Numbers right = expansion_trsm(host, words, Side::right, Triangle::lower, Transpose::yes, Diagonal::stored,
                                         systems, n, one, a, n, transposed, systems);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto first = static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(n) * block);
      const Numbers column(b.begin() + first, b.begin() + first + static_cast<std::ptrdiff_t>(n * words));
      const Numbers x =
          expansion_trsv(host, words, Triangle::lower, Transpose::no, Diagonal::stored, n, a, n, column, 1);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        for (std::size_t w = 0; w < block; ++w) {
          ASSERT_EQ(left[(i + k * static_cast<std::size_t>(n)) * block + w], x[i * block + w]) << words << " " << i;
          ASSERT_EQ(right[(k + i * 3) * block + w], x[i * block + w]) << words << " " << i;
        }
      }
    }
  }
}

template <int W>
constexpr bool keeps_accumulators() {
  using Sum = detail::Entry<W>::Sum;
  return triangular_workspace(W, 1, 1) * sizeof(double) == sizeof(Sum) &&
         triangular_workspace(W, 3, 5) == 15 * triangular_workspace(W, 1, 1);
}

TEST(XblasSolves, TheWorkspaceHoldsAnAccumulatorForEachUnknown) {
  EXPECT_TRUE(keeps_accumulators<1>());
  EXPECT_TRUE(keeps_accumulators<2>());
  EXPECT_TRUE(keeps_accumulators<4>());
}

TEST(XblasSolves, DivideToAllWords) {
  const Numbers third = expansion_trsv(host, 4, Triangle::upper, Transpose::no, Diagonal::stored, 1,
                                       Numbers{3, 0, 0, 0}, 1, Numbers{1, 0, 0, 0}, 1);
  double rest = 1;
  for (const double word : third) rest = std::fma(-3.0, word, rest);  // exact: each word cancels the leading bits
  EXPECT_LE(std::abs(rest), 0x1p-210);
  EXPECT_NE(third[3], 0);
}

TEST(XblasArguments, AreRefusedWhereTheyAreWrong) {
  const Numbers one{1};
  const Numbers two(2, 1.0);
  EXPECT_THROW(expansion_dot(host, 3, 1, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, -1, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, 2, two, 0, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 1, 2, two, 2, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_dot(host, 2, 1, Numbers(3), 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_axpy(host, 2, 1, one, two, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_axpy(host, 1, 2, one, two, 1, one, 1), std::invalid_argument);
  EXPECT_THROW(expansion_asum(host, 1, 3, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_symv(host, 1, Triangle::upper, 2, one, two, 2, two, 1, one, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_ger(host, 1, 2, 1, one, two, 1, one, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(expansion_syrk(host, 1, Triangle::upper, Transpose::yes, 1, 2, one, two, 1, one, one, 1),
               std::invalid_argument);
  EXPECT_THROW(dot2_gemv(host, Transpose::no, 2, 1, 1, two, 2, two, 0, 1, two, 1), std::invalid_argument);
  EXPECT_THROW(dot2_gemm(host, Transpose::no, Transpose::no, 2, 1, 1, 1, two, 1, one, 1, 0, two, 2),
               std::invalid_argument);
  const auto trsv = [&](int words, std::int64_t n, std::int64_t lda, std::int64_t incx) {
    return expansion_trsv(host, words, Triangle::upper, Transpose::no, Diagonal::unit, n, two, lda, two, incx);
  };
  EXPECT_THROW(trsv(8, 1, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, -1, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, 2, 1, 1), std::invalid_argument);
  EXPECT_THROW(trsv(1, 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(trsv(1, 2, 2, 1), std::invalid_argument);
  EXPECT_NO_THROW(trsv(2, 1, 1, -5));
  EXPECT_THROW(
      expansion_trsm(host, 1, Side::left, Triangle::upper, Transpose::no, Diagonal::unit, 2, 1, one, two, 2, two, 1),
      std::invalid_argument);
}

TEST(XblasArguments, OperandsThatAreNotReadMayBeEmpty) {
  const Numbers zero{0};
  const Numbers one{1};
  const Numbers b{nan, 5};
  EXPECT_EQ(
      expansion_trsm(host, 1, Side::left, Triangle::upper, Transpose::no, Diagonal::stored, 2, 1, zero, {}, 2, b, 2),
      (Numbers{0, 0}));
  EXPECT_EQ(expansion_axpy(host, 1, 1, zero, {}, 7, one, 1), one);
  EXPECT_EQ(dot2_gemv(host, Transpose::no, 1, 3, 0, {}, 1, {}, 1, 2, one, 1), Numbers{2});
  for (const Triangle uplo : {Triangle::upper, Triangle::lower}) {
    EXPECT_EQ(expansion_symv(host, 1, uplo, 3, zero, {}, 3, {}, 1, Numbers{2}, Numbers{1, 2, 3}, 1),
              (Numbers{2, 4, 6}));
  }
}

/// Memory for the given number of numbers, which a process can neither read nor write.
class ClosedMemory {
 public:
  explicit ClosedMemory(std::size_t count)
      : bytes_(count * sizeof(double)), memory_(mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~ClosedMemory() { munmap(memory_, bytes_); }
  ClosedMemory(const ClosedMemory&) = delete;
  ClosedMemory& operator=(const ClosedMemory&) = delete;
  [[nodiscard]] std::span<const double> numbers() const {
    return {static_cast<const double*>(memory_), bytes_ / sizeof(double)};
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

TEST(XblasArguments, OperandsThatAreNotReadDoNotTravel) {
  const ClosedMemory memory(8);
  const std::span<const double> closed = memory.numbers();
  const Numbers zero{0, 0};
  const Numbers two{2, 0};
  const Numbers x{1, 0, 2, 0};
  const Numbers doubled{2, 0, 4, 0};
  EXPECT_EQ(dot2_gemv(host, Transpose::no, 2, 2, 0, closed, 2, closed, 1, 2, Numbers{1, 2}, 1), (Numbers{2, 4}));
  EXPECT_EQ(expansion_symv(host, 2, Triangle::upper, 2, zero, closed, 2, closed, 1, two, x, 1), doubled);
  EXPECT_EQ(expansion_gemv<double>(host, 2, Transpose::no, 2, 2, zero, closed, 2, closed, 1, two, x, 1), doubled);
  EXPECT_EQ(
      expansion_gemm<double>(host, 2, Transpose::no, Transpose::no, 2, 1, 2, zero, closed, 2, closed, 2, two, x, 2),
      doubled);
  EXPECT_EQ(expansion_trsm(host, 2, Side::left, Triangle::upper, Transpose::no, Diagonal::stored, 2, 1, zero, closed, 2,
                           x, 2),
            Numbers(4));
}

TEST(XblasArguments, AnEmptyOutputStaysAsItIs) {
  const Numbers one{1, 0};
  const Numbers c{5, 6};
  EXPECT_EQ(expansion_gemm<double>(host, 2, Transpose::no, Transpose::no, 0, 1, 1, one, {}, 1, one, 1, one, c, 1), c);
  EXPECT_EQ(expansion_gemm<double>(host, 2, Transpose::no, Transpose::no, 1, 0, 1, one, one, 1, {}, 1, one, c, 1), c);
  EXPECT_EQ(expansion_gemv<double>(host, 2, Transpose::no, 0, 1, one, {}, 1, one, 1, one, c, 1), c);
  EXPECT_EQ(expansion_gemv<double>(host, 2, Transpose::no, 1, 0, one, {}, 1, {}, 1, one, c, 1), c);
}

TEST(XblasOperands, AreTakenAsAlignedWhereAllOfThemAre) {
  alignas(16) const double x[4] = {};
  const auto is_aligned = [](const double* a, const double* b) {
    bool found = false;
    expansion::detail::with_operands(2, "f", {a, b}, [&](auto, auto aligned) { found = aligned; });
    return found;
  };
  EXPECT_TRUE(is_aligned(x, x + 2));
  EXPECT_FALSE(is_aligned(x, x + 1));
}

}  // namespace
}  // namespace assay::expansion
