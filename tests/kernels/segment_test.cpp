#include "kernels/segment/segmented_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../arith/exact_sum_reference.hpp"
#include "exact_terms.hpp"
#include "kernels/segment/detail/segment_kernels.hpp"
#include "tests/tier.hpp"

namespace assay::segment {
namespace {

using exact_terms::Class;
using exact_terms::classes;
using exact_terms::executors;
using exact_terms::terms;
using reference::Integer;

/// z·2⁻¹⁰⁷⁴ in a format, by MPFR. A subnormal number that is a multiple of the smallest one needs no rounding.
template <class T>
T rounded(const Integer& z) {
  if constexpr (std::is_same_v<T, double>) return reference::rounded_integer(z, -1074, Rounding::rn);
  mpfr_t result;
  mpfr_init2(result, FloatTraits<T>::precision);
  mpfr_set_z_2exp(result, z.get(), -1074, MPFR_RNDN);
  const T value = mpfr_get_flt(result, MPFR_RNDN);
  mpfr_clear(result);
  return value;
}

/// RN(first + Σ x) of at least one term, by GMP and MPFR.
template <class T>
T reference_sum(T first, std::span<const T> x) {
  bool plus = false;
  bool minus = false;
  bool is_nan = false;
  bool only_minus_zeros = true;
  Integer sum = 0;
  const auto take = [&](T each) {
    is_nan = is_nan || std::isnan(each);
    plus = plus || (std::isinf(each) && each > 0);
    minus = minus || (std::isinf(each) && each < 0);
    only_minus_zeros = only_minus_zeros && each == 0 && std::signbit(each);
    if (std::isfinite(each)) sum = sum + reference::in_units(each);
  };
  take(first);
  for (const T each : x) take(each);
  if (is_nan || (plus && minus)) return std::numeric_limits<T>::quiet_NaN();
  if (plus || minus) return (plus ? 1 : -1) * std::numeric_limits<T>::infinity();
  return only_minus_zeros ? -T{0} : rounded<T>(sum);
}

/// Numbers of binary32 whose patterns are the upper halves of those of x.
std::vector<float> single(const std::vector<double>& x) {
  std::vector<float> y;
  for (const double each : x) y.push_back(from_bits<float>(static_cast<std::uint32_t>(to_bits(each) >> 32)));
  return y;
}

/// Terms sorted by their index, for the reference.
template <class T>
struct Grouped {
  std::vector<T> x;
  std::vector<std::size_t> begin;
};
template <class T>
Grouped<T> grouped(std::span<const T> x, std::span<const std::int32_t> index, std::size_t m) {
  Grouped<T> all{std::vector<T>(x.size()), std::vector<std::size_t>(m + 1)};
  const auto inside = [m](std::int32_t i) { return i >= 0 && static_cast<std::size_t>(i) < m; };
  for (const std::int32_t i : index) {
    if (inside(i)) ++all.begin[static_cast<std::size_t>(i) + 1];
  }
  std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
  std::vector<std::size_t> next = all.begin;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (inside(index[j])) all.x[next[static_cast<std::size_t>(index[j])]++] = x[j];
  }
  return all;
}

/// Indices of n terms for m targets: uniform, in runs, or nearly all the same; a few of them outside 0 … m − 1.
enum class Spread { uniform, runs, one };
std::vector<std::int32_t> indices(std::size_t n, std::size_t m, Spread spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> index(n);
  std::int32_t current = 0;
  for (std::int32_t& each : index) {
    if (spread == Spread::uniform || random() % (spread == Spread::runs ? 37 : 5000) == 0) {
      current = static_cast<std::int32_t>(random() % m);
    }
    each = current;
    const std::uint64_t kind = random() % 2000;
    if (kind == 0) each = -1 - static_cast<std::int32_t>(random() % 3);
    if (kind == 1) each = static_cast<std::int32_t>(m + random() % 3);
  }
  return index;
}

template <class T>
void expect_scatter_in(const Executor& on, const std::vector<T>& x, const std::vector<std::int32_t>& index,
                       const std::vector<T>& y, const std::string& name) {
  const ScatterResult<T> result = scatter_add<T>(on, x, index, y);
  const Grouped<T> all = grouped<T>(x, index, y.size());
  EXPECT_EQ(result.outside, static_cast<std::int64_t>(x.size() - all.begin.back())) << name;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto own = std::span<const T>(all.x).subspan(all.begin[i], all.begin[i + 1] - all.begin[i]);
    const T expected = reference_sum<T>(y[i], own);
    if (!exact_terms::same(result.y[i], expected) && ++wrong <= 3) {
      ADD_FAILURE() << name << ", target " << i << ": " << result.y[i] << ", not " << expected;
    }
  }
  EXPECT_EQ(wrong, 0u) << name;
}

/// In both formats.
void expect_scatter(const Executor& on, const std::vector<double>& x, const std::vector<std::int32_t>& index,
                    const std::vector<double>& y, const std::string& name) {
  expect_scatter_in<double>(on, x, index, y, name);
  expect_scatter_in<float>(on, single(x), index, single(y), name + " in binary32");
}

TEST(ScatterAdd, RoundsEachSumOnceOnEveryExecutor) {
  for (const Executor& on : executors()) {
    for (const Class& each : classes()) {
      for (const Spread spread : {Spread::uniform, Spread::runs, Spread::one}) {
        const std::vector<double> x = terms(each, 5000, 1);
        expect_scatter(on, x, indices(5000, 300, spread, 2), terms(each, 300, 3), each.name);
      }
    }
  }
}

TEST(ScatterAdd, HasTheInfinityOrTheNaNOfItsTerms) {
  for (const Executor& on : executors()) {
    for (const Class& each : {classes()[0], classes()[3]}) {
      std::vector<double> x = terms(each, 20000, 4);
      std::vector<double> y = terms(each, 2000, 5);
      exact_terms::make_special(x, 6);
      exact_terms::make_special(y, 7);
      expect_scatter(on, x, indices(20000, 2000, Spread::uniform, 8), y, each.name);
    }
  }
}

TEST(ScatterAdd, TakesTurnsWhereNotAllWindowsHaveRoom) {
  // Numbers of every binade take 66 words for each target.
  constexpr std::size_t m = 2 * detail::Turn::few + 1000;
  ASSERT_EQ(detail::Turn::turns(m), 3);
  for (const Class& each : {classes()[0], classes()[3]}) {
    const std::vector<double> x = terms(each, 3 * m, 9);
    for (const Executor& on : executors()) {
      expect_scatter(on, x, indices(3 * m, m, Spread::uniform, 10), terms(each, m, 11), each.name);
    }
  }
}

TEST(ScatterAdd, FillsItsWindowsWithEqualNumbersOfAllBits) {
  // Between the lowest bit and the highest one of all terms there are 120 or 248 bits where the widest ones are joined.
  for (const int bits : {120, 121, 248, 249}) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> terms(100000, sign * std::ldexp(0x1.fffffffffffffp0, bits - 53));
      terms[77] = 0x1p-52;
      expect_scatter_in<double>(Executor::host(), terms, std::vector<std::int32_t>(terms.size(), 1), {0, 1, 2},
                                std::to_string(bits) + " bits");
    }
  }
}

TEST(ScatterAdd, TakesNoTermsAndNoTargets) {
  expect_scatter(Executor::host(), {}, {}, {1.5, -0.0, 0.0}, "no term");
  expect_scatter(Executor::host(), {1.5, 2.5}, {0, -1}, {}, "no target");
  EXPECT_THROW(scatter_add<double>(Executor::host(), std::vector<double>(2), std::vector<std::int32_t>(3), {}),
               std::invalid_argument);
  const Executor on = Executor::host();
  EXPECT_THROW(scatter_add<double>(on, nullptr, nullptr, std::int64_t{1} << 30, nullptr, 0, nullptr, nullptr),
               std::invalid_argument);
  EXPECT_THROW(scatter_add<double>(on, nullptr, nullptr, 0, nullptr, std::int64_t{1} << 31, nullptr, nullptr),
               std::invalid_argument);
}

TEST(ScatterAdd, RoundsManySumsOnce) {
  const std::size_t m = test::of_tier<std::size_t>(200000, 10000000);
  for (const Class& each : {classes()[0], classes()[2]}) {
    expect_scatter_in<double>(Executor::host(), terms(each, 2 * m, 12), indices(2 * m, m, Spread::uniform, 13),
                              terms(each, m, 14), each.name);
  }
}

/// Lengths of segments with n terms in all: short ones with empty ones between them, and some that reach over blocks.
std::vector<std::int64_t> offsets_of(std::size_t n, std::uint64_t seed, std::size_t longest = 9000) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> offsets{0, 0};
  const auto end = static_cast<std::int64_t>(n);
  while (offsets.back() < end) {
    const std::uint64_t kind = random() % 16;
    const std::uint64_t length = kind < 6 ? random() % 3 : kind < 15 ? random() % 40 : random() % longest;
    offsets.push_back(std::min(end, offsets.back() + static_cast<std::int64_t>(length)));
  }
  offsets.insert(offsets.end(), {end, end});
  return offsets;
}

template <class T>
void expect_segments_in(const Executor& on, const std::vector<T>& x, const std::vector<std::int64_t>& offsets,
                        const std::string& name) {
  const std::vector<T> y = segmented_sum<T>(on, x, offsets);
  ASSERT_EQ(y.size(), offsets.size() - 1);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto first = static_cast<std::size_t>(offsets[i]);
    const auto own = std::span<const T>(x).subspan(first, static_cast<std::size_t>(offsets[i + 1]) - first);
    const T expected = own.empty() ? T{0} : reference_sum<T>(-T{0}, own);
    if (!exact_terms::same(y[i], expected) && ++wrong <= 3) {
      ADD_FAILURE() << name << ", segment " << i << ": " << y[i] << ", not " << expected;
    }
  }
  EXPECT_EQ(wrong, 0u) << name;
}

/// In both formats.
void expect_segments(const Executor& on, const std::vector<double>& x, const std::vector<std::int64_t>& offsets,
                     const std::string& name) {
  expect_segments_in<double>(on, x, offsets, name);
  expect_segments_in<float>(on, single(x), offsets, name + " in binary32");
}

TEST(SegmentedSum, RoundsEachSegmentOnceOnEveryExecutor) {
  for (const Executor& on : executors()) {
    for (const Class& each : classes()) {
      std::vector<double> x = terms(each, 30000, 20);
      const std::vector<std::int64_t> offsets = offsets_of(x.size(), 21);
      expect_segments(on, x, offsets, each.name);
      exact_terms::make_special(x, 22);
      expect_segments(on, x, offsets, each.name + ", not all finite");
    }
  }
}

TEST(SegmentedSum, TakesTurnsWhereNotAllWindowsHaveRoom) {
  for (const Class& each : {classes()[0], classes()[3]}) {
    const std::vector<double> x = terms(each, 300000, 23);
    const std::vector<std::int64_t> offsets = offsets_of(x.size(), 24, 40);
    ASSERT_GT(detail::Turn::turns(static_cast<std::int64_t>(offsets.size()) - 1), 1);
    expect_segments(Executor::host(Order::descending), x, offsets, each.name);
  }
}

TEST(SegmentedSum, SkipsManyEmptySegments) {
  std::vector<std::int64_t> offsets(5000, 0);
  offsets.insert(offsets.end(), 5000, 3);
  offsets.insert(offsets.end(), 5000, 4);
  expect_segments(Executor::host(), {1, 2, 4, 8}, offsets, "empty segments");
  expect_segments(Executor::host(), {}, {0}, "no segment");
  expect_segments(Executor::host(), {}, {0, 0}, "one empty segment");
}

TEST(SegmentedSum, RefusesOffsetsThatFallOrMissTerms) {
  const std::vector<double> x{1, 2};
  for (const std::vector<std::int64_t>& offsets : {std::vector<std::int64_t>{}, {1, 2}, {0, 1}, {0, 2, 1, 2}, {0, 3}}) {
    EXPECT_THROW(segmented_sum<double>(Executor::host(), x, offsets), std::invalid_argument);
  }
}

TEST(SegmentedSum, RoundsManySegmentsOnce) {
  const std::size_t n = test::of_tier<std::size_t>(1200000, 60000000);
  const std::vector<double> x = terms(classes()[0], n, 25);
  std::vector<std::int64_t> offsets(n / 6 + 1);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(6 * i);
  expect_segments_in<double>(Executor::host(), x, offsets, "6 terms each");
}

}  // namespace
}  // namespace assay::segment
