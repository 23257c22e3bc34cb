#include "kernels/sum/binned.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "exec/executor.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace assay::sum {
namespace {

using Sum = BinnedSum<double, 3>;

std::vector<double> numbers(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(generated_number(11, i));
  return x;
}

TEST(BinnedSums, OfOneVectorHaveTheSameBytesForEveryGrid) {
  const Executor on = Executor::host();
  for (const std::size_t n : {0u, 1u, 255u, 3000u, 20011u, 300u * 256}) {
    const std::vector<double> x = numbers(n);
    const Sum one = binned_sum<double, 3>(on, BinnedTerms::numbers, x, 1);
    const Sum one_of_products = binned_dot<double, 3>(on, x, x, 1);
    for (const std::size_t blocks : {0u, 2u, 7u, 300u}) {
      const Sum other = binned_sum<double, 3>(on, BinnedTerms::numbers, x, blocks);
      EXPECT_EQ(other.value(), one.value()) << n << " " << blocks;
      // The members before `pending` have no padding between them.
      EXPECT_EQ(std::memcmp(&other, &one, offsetof(Sum, pending)), 0) << n << " " << blocks;
      EXPECT_EQ((binned_dot<double, 3>(on, x, x, blocks).root()), one_of_products.root());
    }
  }
}

TEST(BinnedSums, OfABatchAreThoseOfItsVectors) {
  const Executor on = Executor::host();
  const std::vector<double> x = numbers(1000);
  const std::vector<std::size_t> offsets{0, 0, 1, 400, 1000};
  const auto sums = binned_sums<double, 3>(on, BinnedTerms::magnitudes, std::span<const double>(x), offsets);
  ASSERT_EQ(sums.size(), 4u);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::span<const double> part = std::span(x).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    EXPECT_EQ(sums[i].value(), (binned_sum<double, 3>(on, BinnedTerms::magnitudes, part).value()));
  }
  EXPECT_GT(sums[3].value(),
            std::abs(binned_sum<double, 3>(on, BinnedTerms::numbers, std::span(x).subspan(400)).value()));
}

TEST(GeneratedTerms, CancelButForTheSingleOnes) {
  const Executor on = Executor::host();
  constexpr std::size_t n = 5001;
  std::vector<double> x(n, 0.5);
  queue_mirrored_terms(on, x.data(), n, 7, {{{3, 1, 2.5}, {1700, 0, -7.0}, {-1, 0, 1.0}, {-1, 1, 1.0}}});
  wait(on);
  EXPECT_EQ(x[0], generated_number(7, 0));
  EXPECT_EQ(x[2499], generated_number(7, 2499));
  EXPECT_EQ((binned_sum<double, 3>(on, BinnedTerms::numbers, std::span<const double>(x)).value()), 2.5 - 7.0);
}

TEST(GeneratedTerms, AreWithinTwentyBinadesOfOne) {
  for (const double x : numbers(300)) {
    EXPECT_GE(std::abs(x), 0x1p-20);
    EXPECT_LT(std::abs(x), 0x1p21);
  }
}

TEST(GeneratedTerms, HaveSymmetricPowersAsTheirFactors) {
  const Executor on = Executor::host();
  constexpr std::size_t n = 5001;
  std::vector<double> y(n, 0.5);
  queue_symmetric_powers(on, y.data(), n, 4);
  wait(on);
  std::size_t changes = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(y[i], y[n - 1 - i]);
    EXPECT_EQ(y[i], symmetric_power(4, n, static_cast<std::int64_t>(i)));
    changes += i != 0 && y[i] != y[i - 1] ? 1 : 0;
  }
  EXPECT_GT(changes, n / 2);
  // Depends only on the seed and i.
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(symmetric_power(4, 200, i), symmetric_power(4, 1000, i));
}

TEST(GeneratedTerms, FillTheColumnsOfAMatrix) {
  const Executor on = Executor::host();
  std::vector<double> a(std::size_t{3} * 4, 0.5);
  queue_generated_matrix(on, a.data(), 2, 4, 3, 9);
  wait(on);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(a[3 * j], generated_number(9, 2 * j));
    EXPECT_EQ(a[3 * j + 1], generated_number(9, 2 * j + 1));
    EXPECT_EQ(a[3 * j + 2], 0.5);
  }
}

TEST(BinnedSums, RefuseVectorsOfDifferentSizesAndOffsetsOutsideOfThem) {
  const Executor on = Executor::host();
  const std::vector<double> x(3, 1.0);
  const std::span<const double> two = std::span(x).first(2);
  EXPECT_THROW((binned_dot<double, 3>(on, x, two)), std::invalid_argument);
  EXPECT_THROW((binned_dots<double, 3>(on, std::span<const double>(x), two, std::vector<std::size_t>{0, 2})),
               std::invalid_argument);
  for (const std::vector<std::size_t>& offsets : {std::vector<std::size_t>{0, 4}, {2, 1}}) {
    EXPECT_THROW((binned_sums<double, 3>(on, BinnedTerms::numbers, std::span<const double>(x), offsets)),
                 std::invalid_argument);
  }
}

}  // namespace
}  // namespace assay::sum
