// The kernels of enclosures/prefixes.cuh against exact sums.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "tests/enclosures/host_kernels.hpp"

namespace assay::enclosures {
namespace {

using oracle::Dyadic;
using oracle::exact;

/// Numbers of one of these kinds: of one size; of any; each near to the negative of the one before; of one sign.
std::vector<double> drawn(int kind, std::size_t n) {
  std::uint64_t state = static_cast<std::uint64_t>(kind) + 1;
  const auto next = [&] { return (state = state * 6364136223846793005 + 1442695040888963407) >> 11; };
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double unit = std::ldexp(static_cast<double>(next()), -52) - 1;
    const int exponent = kind == 1 ? static_cast<int>(next() % 120) - 60 : 0;
    x[i] = kind == 2 && i % 2 == 1 ? -x[i - 1] * (1 + std::ldexp(unit, -40)) : std::ldexp(unit, exponent);
    if (kind == 3) x[i] = std::abs(x[i]);
  }
  return x;
}

/// The prefix sums of a vector as the threads of the blocks have them, after a change to the start of each stretch.
using Change = std::function<void(PrefixStretch&)>;
std::vector<Sums> sums_of(const std::vector<double>& x, const Change& change) {
  const auto n = static_cast<Integer>(x.size());
  const unsigned blocks = static_cast<unsigned>((n + prefix_length - 1) / prefix_length);
  std::vector<PrefixTotals> totals(blocks);
  run_blocks(blocks, [&] { find_totals<binary64>(x.data(), n, 0x1p-1022, totals.data()); });
  std::vector<Sums> sums(x.size());
  std::vector<PrefixStretch> stretches(blocks);
  Dyadic start;
  for (unsigned b = 0; b < blocks; ++b) {
    stretches[b].start.high = start.to_double_nearest();
    stretches[b].start.low = (start - exact(stretches[b].start.high)).to_double_nearest();
    change(stretches[b]);
    start += exact(totals[b].sums.high) + exact(totals[b].sums.low);
  }
  run_blocks(blocks, [&] {
    each_prefix<binary64>(x.data(), n, stretches[blockIdx.x].start,
                          [&](Integer i, const Sums& here) { sums[static_cast<std::size_t>(i)] = here; });
  });
  return sums;
}

/// How many of the sums of vectors of all kinds are farther from the exact ones than a share of S.
std::size_t escaped(double share, const Change& change) {
  std::size_t count = 0;
  for (int kind = 0; kind < 4; ++kind) {
    const std::vector<double> x = drawn(kind, 40'000);
    const std::vector<Sums> sums = sums_of(x, change);
    Dyadic sum, magnitudes;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += exact(x[i]);
      magnitudes += exact(std::abs(x[i]));
      const Dyadic off = abs(sum - exact(sums[i].high) - exact(sums[i].low));
      count += off <= magnitudes * exact(share) ? 0 : 1;
    }
  }
  return count;
}

TEST(PrefixSums, AreWithinTheirRadius) {
  // With 8 threads a thread adds 2048 numbers where it adds 64 on a device: 2·(4200u)² in place of 2⁻⁹⁰.
  EXPECT_EQ(escaped(0x1p-80, [](PrefixStretch&) {}), 0U);
}

TEST(PrefixSums, LeaveTheirRadiusWithoutTheLowWordOfAStart) {
  EXPECT_GT(escaped(0x1p-80, [](PrefixStretch& stretch) { stretch.start.low = 0; }), 0U);
}

TEST(PrefixSums, LeaveARadiusOfZero) {
  EXPECT_GT(escaped(0, [](PrefixStretch&) {}), 0U);
}

TEST(TotalsOfAStretch, HaveWhatTheBoundsAskFor) {
  std::vector<float> x(20'000, 3);
  x[5] = 0x1p-140F;
  x[16'400] = std::numeric_limits<float>::infinity();
  std::vector<PrefixTotals> totals(2);
  run_blocks(2, [&] { find_totals<binary32>(x.data(), 20'000, 0x1p-126, totals.data()); });
  EXPECT_EQ(totals[0].numbers, 16'384);
  EXPECT_EQ(totals[1].numbers, 3'616);
  EXPECT_EQ(totals[0].low, -140);
  EXPECT_EQ(totals[1].low, 0);
  EXPECT_EQ(totals[0].has_subnormal, 1);
  EXPECT_EQ(totals[1].has_subnormal, 0);
  EXPECT_EQ(totals[0].is_special, 0);
  EXPECT_EQ(totals[1].is_special, 1);
  EXPECT_EQ(totals[0].sums.high, 3 * 16'383.0);
}

}  // namespace
}  // namespace assay::enclosures
