// How many numbers a call of an element-wise kernel has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <span>
#include <vector>

#include "properties/contracts/arrays.hpp"

namespace assay::contracts {
namespace {

using Case = Single<double>;

std::vector<Case> cases(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<Case> all(count);
  for (Case& each : all) each.a = std::uniform_real_distribution<double>()(random);
  return all;
}

/// The lengths of the calls for 4096 cases in batches of 1024.
std::vector<std::size_t> lengths() {
  const std::vector<Case> all = cases(4096);
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < all.size(); at += 1024) {
    for (std::span<const Case> left = std::span(all).subspan(at, 1024); !left.empty();) {
      found.push_back(length_of_call(left));
      left = left.subspan(found.back());
    }
  }
  return found;
}

TEST(CallsOfElementwiseKernels, AreSeldomOfWholeTiles) {
  const std::vector<std::size_t> all = lengths();
  EXPECT_LT(std::ranges::count_if(all, [](std::size_t n) { return n % 8 == 0; }), std::ssize(all) / 2);
}

TEST(CallsOfElementwiseKernels, AreLongAndShort) {
  EXPECT_THAT(lengths(),
              ::testing::AllOf(::testing::Contains(::testing::Gt(512U)), ::testing::Contains(::testing::Lt(8U))));
}

TEST(CallsOfElementwiseKernels, EndWhereTheCasesSay) {
  const std::vector<Case> all = cases(1024);
  const std::size_t first = length_of_call(std::span(all));
  for (const std::size_t size : {first, first + 1, (first + all.size()) / 2}) {
    EXPECT_EQ(length_of_call(std::span(all).first(size)), first) << "of a batch of " << size;
  }
}

}  // namespace
}  // namespace assay::contracts
