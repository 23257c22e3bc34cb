// All 2³² pairs of binary16 through TwoSum and TwoProd: the device's bits are the host's, by a digest for each of the
// 2¹⁶ first operands. The oracle judges the host's bits in eft.two_sum_all.f16 and eft.two_prod_all.f16.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "arith/float/small_float.hpp"
#include "kernels/eft/pair_digest.hpp"

namespace assay {
namespace {

constexpr std::size_t patterns = std::size_t{1} << 16;

/// The digests of the host, by all its processors.
template <class Op>
std::vector<std::uint64_t> on_host(std::size_t count) {
  constexpr std::size_t piece = 64;
  std::vector<std::uint64_t> digests(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t first = next.fetch_add(piece); first < count; first = next.fetch_add(piece)) {
      const auto part =
          eft::pair_digests<Op>(Executor::host(), static_cast<std::uint32_t>(first), std::min(piece, count - first));
      std::copy(part.begin(), part.end(), digests.begin() + static_cast<std::ptrdiff_t>(first));
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back(work);
  }
  threads.clear();
  return digests;
}

template <class Op>
class AllPairs : public testing::Test {};
using Transforms = testing::Types<eft::TwoSum<binary16>, eft::TwoProd<binary16>>;
TYPED_TEST_SUITE(AllPairs, Transforms);

TYPED_TEST(AllPairs, HaveTheSameBitsOnHostAndDevice) {
  if (Executor::cuda_device_count() == 0) {
    GTEST_SKIP() << "no CUDA device";
  }
  EXPECT_EQ(eft::pair_digests<TypeParam>(Executor::cuda(), 0, patterns), on_host<TypeParam>(patterns));
}

TYPED_TEST(AllPairs, GiveTheSameDigestInEveryOrderOfThreads) {
  constexpr std::uint32_t first = 0x3bff;  // the pattern below 1
  const auto digests = eft::pair_digests<TypeParam>(Executor::host(), first, 2);
  EXPECT_EQ(eft::pair_digests<TypeParam>(Executor::host(Order::shuffled, 7), first, 2), digests);
  EXPECT_NE(digests[0], digests[1]);
}

}  // namespace
}  // namespace assay
