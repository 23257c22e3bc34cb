#include "kernels/scan/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../arith/exact_sum_reference.hpp"
#include "exact_terms.hpp"
#include "kernels/scan/detail/scan_call.hpp"
#include "tests/tier.hpp"

namespace assay::scan {
namespace {

using exact_terms::Class;
using exact_terms::classes;
using exact_terms::executors;
using exact_terms::terms;
using reference::Integer;

/// All prefix sums by GMP and MPFR.
std::vector<double> reference_scan(const std::vector<double>& x, bool inclusive) {
  std::vector<double> y;
  y.reserve(x.size());
  Integer sum = 0;
  bool plus = false;
  bool minus = false;
  bool is_nan = false;
  bool only_minus_zeros = false;
  const auto value = [&] {
    if (is_nan || (plus && minus)) return reference::nan;
    if (plus || minus) return plus ? reference::infinity : -reference::infinity;
    return only_minus_zeros ? -0.0 : reference::rounded_integer(sum, -1074, Rounding::rn);
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!inclusive) y.push_back(value());
    is_nan = is_nan || std::isnan(x[i]);
    plus = plus || x[i] == reference::infinity;
    minus = minus || x[i] == -reference::infinity;
    only_minus_zeros = (only_minus_zeros || i == 0) && x[i] == 0 && std::signbit(x[i]);
    if (std::isfinite(x[i])) {
      const Integer term = reference::in_units(x[i]);
      mpz_add(sum.get(), sum.get(), term.get());
    }
    if (inclusive) y.push_back(value());
  }
  return y;
}

void expect_scans(const Executor& on, const std::vector<double>& x, const std::string& name) {
  for (const bool inclusive : {true, false}) {
    const std::vector<double> y = inclusive ? inclusive_sum(on, x) : exclusive_sum(on, x);
    const std::vector<double> expected = reference_scan(x, inclusive);
    ASSERT_EQ(y.size(), expected.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!exact_terms::same(y[i], expected[i]) && ++wrong <= 3) {
        ADD_FAILURE() << name << (inclusive ? ", inclusive, sum " : ", exclusive, sum ") << i << ": " << y[i]
                      << ", not " << expected[i];
      }
    }
    EXPECT_EQ(wrong, 0u) << name;
  }
}

/// Whether the scan was done again in windows of every binade.
bool is_wide(const Executor& on, std::vector<double> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<std::int64_t> work(workspace(n));
  std::vector<double> y(x.size());
  inclusive_sum(on, x.data(), n, y.data(), work.data());
  return detail::ScanArrays(n, work.data()).head->failed != 0;
}

TEST(Scan, RoundsEachPrefixSumOnceOnEveryExecutor) {
  for (const Executor& on : executors()) {
    for (const Class& each : classes()) {
      for (const std::size_t n : {1u, 7u, 4096u, 4097u, 20000u}) expect_scans(on, terms(each, n, 1), each.name);
    }
  }
}

TEST(Scan, HasTheInfinityOrTheNaNOfItsTerms) {
  for (const Class& each : {classes()[0], classes()[3]}) {
    for (const std::uint64_t seed : {2u, 3u, 4u}) {
      std::vector<double> x = terms(each, 5000, seed);
      exact_terms::make_special(x, seed);
      expect_scans(Executor::host(), x, each.name);
    }
  }
}

TEST(Scan, TakesOnePassIfAllNumbersAreInAWindow) {
  const std::vector<double> x = terms(classes()[0], 10000, 5);
  EXPECT_FALSE(is_wide(Executor::host(), x));
  EXPECT_TRUE(is_wide(Executor::host(), terms(classes()[3], 10000, 5)));
  for (const double outside : {0x1p100, 0x1p-200, reference::infinity, reference::nan}) {
    std::vector<double> other = x;
    other.back() = outside;
    EXPECT_TRUE(is_wide(Executor::host(), other));
    expect_scans(Executor::host(), other, "one number outside the window");
  }
  std::vector<double> other = x;
  other[0] = -0.0;
  EXPECT_TRUE(is_wide(Executor::host(), other));
  expect_scans(Executor::host(), other, "-0 in front");
}

TEST(Scan, NoticesANumberThatTheSampleDoesNotHave) {
  constexpr std::size_t n = 300000;
  std::vector<double> x = terms(classes()[0], n, 6);
  EXPECT_FALSE(is_wide(Executor::host(), x));
  x[5000] = 0x1p-300;  // of the tiles 0 to 15 the sample has number 0
  EXPECT_TRUE(is_wide(Executor::host(), x));
  expect_scans(Executor::host(), x, "a number beside the sample");
}

TEST(Scan, NoticesSumsThatAreTooLargeForTheirIntegers) {
  // The numbers take all 100 bits of the window. The sum of 2048 of them is just below 2^111 units, the limit.
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> x(300000, sign * 0x1.fffffffffffffp47);
    x[0] = 0x1p-52;
    const std::vector<double> below(x.begin(), x.begin() + 2048);
    EXPECT_FALSE(is_wide(Executor::host(), below));
    expect_scans(Executor::host(), below, "a sum just below 2^111 units");
    const std::vector<double> beyond(x.begin(), x.begin() + 2060);
    EXPECT_TRUE(is_wide(Executor::host(), beyond));
    expect_scans(Executor::host(), beyond, "a sum beyond 2^111 units");
    EXPECT_TRUE(is_wide(Executor::host(), x));
    expect_scans(Executor::host(), x, "sums that do not fit into 64 bits");
    // The sum of a tile is almost 2^112 units, and the sums up to it and to the one before are almost the limit.
    std::vector<double> turning(2 * detail::TileScan::tile, -x[1]);
    for (std::size_t k = 0; k < turning.size() / 2; ++k) turning[k] = k == 0 ? x[0] : k <= 2048 ? x[k] : 0.0;
    EXPECT_FALSE(is_wide(Executor::host(), turning));
    expect_scans(Executor::host(), turning, "sums from one limit to the other");
  }
}

TEST(Scan, AddsTheSumsOfTilesWhoseSumUpToThemIsNotKnownYet) {
  // Blocks of the host find the sum up to the tile before. Here only tile 0 to `known` have published theirs.
  using detail::TileScan;
  constexpr std::size_t last = 256;
  const std::vector<double> x = terms(classes()[0], (last + 1) * TileScan::tile, 9);
  const auto n = static_cast<std::int64_t>(x.size());
  for (const std::size_t known : {last - 1, last - 2, last - 33, std::size_t{1}, std::size_t{0}}) {
    std::vector<std::int64_t> work(workspace(n));
    std::vector<double> y(x.size());
    inclusive_sum(Executor::host(), x.data(), n, y.data(), work.data());
    const std::vector<double> expected = y;
    const detail::ScanArrays a(n, work.data());
    const DigitSum sum_up_to_last = a.up_to[last];
    for (std::size_t k = known + 1; k <= last; ++k) {
      a.state[k] = k < last ? detail::own_sum : detail::nothing;
      a.up_to[k] = {};
    }
    a.head->next_tile = last;
    std::fill(y.end() - TileScan::tile, y.end(), 0.0);
    TileScan::Shared shared;
    Block<TileScan::Shared, TileScan::threads> block(shared, 0);
    TileScan{x.data(), n, a.tiles, true, y.data(), a.head, a.state, a.own, a.up_to}(block);
    EXPECT_EQ(y, expected) << known;
    EXPECT_EQ(a.up_to[last].high, sum_up_to_last.high);
    EXPECT_EQ(a.up_to[last].low, sum_up_to_last.low);
    EXPECT_EQ(a.state[last], detail::sum_up_to_it);
    EXPECT_EQ(a.head->failed, 0u);
  }
}

TEST(Scan, TakesNoNumber) {
  expect_scans(Executor::host(), {}, "no number");
  expect_scans(Executor::host(), {-0.0}, "-0");
  expect_scans(Executor::host(), {0.0}, "0");
  EXPECT_THROW(inclusive_sum(Executor::host(), nullptr, std::int64_t{1} << 30, nullptr, nullptr),
               std::invalid_argument);
  EXPECT_THROW(exclusive_sum(Executor::host(), nullptr, -1, nullptr, nullptr), std::invalid_argument);
}

TEST(Scan, RoundsManyPrefixSumsOnce) {
  const std::size_t n = test::of_tier<std::size_t>(200000, 10000000);
  for (const Class& each : {classes()[0], classes()[1], classes()[3]}) {
    expect_scans(Executor::host(), terms(each, n, 7), each.name);
  }
}

TEST(Scan, GivesTheBitsOfTheHostOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  const std::size_t n = test::of_tier<std::size_t>(3000000, 30000000);
  for (const Class& each : {classes()[0], classes()[2], classes()[3]}) {
    const std::vector<double> x = terms(each, n, 8);
    const std::vector<double> host = inclusive_sum(Executor::host(), x);
    const std::vector<double> device = inclusive_sum(Executor::cuda(), x);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_TRUE(exact_terms::same(host[i], device[i])) << each.name << ", sum " << i;
  }
}

}  // namespace
}  // namespace assay::scan
