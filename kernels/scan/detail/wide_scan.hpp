#pragma once
// The scan of any numbers, in chunks.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/fixed_sum.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "exec/block.hpp"

namespace assay::scan::detail {

/// A sum of any numbers: the finite ones in units of 2⁻¹⁰⁷⁴.
struct WideSum {
  static constexpr int words = 34;  ///< 2098 bits of a number, 30 for carries, and the sign
  FixedSum<words> finite;
  std::uint64_t flags;  ///< accumulators::SeenTerms

  ASSAY_HD void add(double x) {
    flags |= accumulators::seen(x);
    if (!is_finite(x) || bits::magnitude_bits(x) == 0) return;
    const bits::Significand s = bits::significand(x);
    finite.add(s.m, s.e + 1074, s.minus);
  }
  ASSAY_HD void add(const WideSum& other) {
    finite.add(other.finite);
    flags |= other.flags;
  }
  [[nodiscard]] ASSAY_HD double nearest() const {
    const auto seen = static_cast<std::uint32_t>(flags);
    if (accumulators::saw_special(seen)) return accumulators::special_sum(seen);
    return seen == accumulators::saw_minus_zero ? -0.0 : finite.nearest(-1074);
  }
};

/// n numbers in `count` chunks of equally many, but the last ones, which may have fewer.
struct Chunks {
  static constexpr std::int64_t most = 65536;
  static constexpr std::int64_t least_size = 64;
  std::int64_t n, count;

  static constexpr Chunks of(std::int64_t n) {
    const std::int64_t filled = (n + least_size - 1) / least_size;
    return {n, filled < most ? filled : most};
  }
  [[nodiscard]] ASSAY_HD std::int64_t begin(std::int64_t chunk) const {
    const std::int64_t first = chunk * ((n + count - 1) / count);
    return first < n ? first : n;
  }
};

/// sums[c] = the sum of chunk c, if *needed.
struct SumChunks {
  const double* x;
  Chunks chunks;
  const std::uint32_t* needed;
  WideSum* sums;
  ASSAY_HD void operator()(std::size_t c) const {
    if (*needed == 0) return;
    const auto chunk = static_cast<std::int64_t>(c);
    WideSum sum{};
    for (std::int64_t i = chunks.begin(chunk); i < chunks.begin(chunk + 1); ++i) sum.add(x[i]);
    sums[c] = sum;
  }
};

/// sums[c] ← the sum of the chunks before c, if *needed. `parts` has room for a sum of each thread.
struct ScanChunks {
  static constexpr int threads = 256;
  struct Shared {};
  Chunks chunks;
  const std::uint32_t* needed;
  WideSum* sums;
  WideSum* parts;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if (*needed == 0) return;
    const std::int64_t each = (chunks.count + threads - 1) / threads;
    const auto end_of = [&](std::int64_t first) { return first + each < chunks.count ? first + each : chunks.count; };
    block.for_each_thread([&](int t, Shared&) {
      WideSum sum{};
      for (std::int64_t c = t * each; c < end_of(t * each); ++c) sum.add(sums[c]);
      parts[t] = sum;
    });
    block.for_one_thread([&](Shared&) {
      WideSum before{};
      for (int t = 0; t < threads; ++t) {
        const WideSum own = parts[t];
        parts[t] = before;
        before.add(own);
      }
    });
    block.for_each_thread([&](int t, Shared&) {
      WideSum before = parts[t];
      for (std::int64_t c = t * each; c < end_of(t * each); ++c) {
        const WideSum own = sums[c];
        sums[c] = before;
        before.add(own);
      }
    });
  }
};

/// The prefix sums of chunk c, from the sum of the chunks before it on, if *needed.
struct RoundPrefixes {
  const double* x;
  Chunks chunks;
  const std::uint32_t* needed;
  const WideSum* sums;
  bool inclusive;
  double* y;
  ASSAY_HD void operator()(std::size_t c) const {
    if (*needed == 0) return;
    const auto chunk = static_cast<std::int64_t>(c);
    WideSum sum = sums[c];
    for (std::int64_t i = chunks.begin(chunk); i < chunks.begin(chunk + 1); ++i) {
      if (!inclusive) y[i] = sum.nearest();
      sum.add(x[i]);
      if (inclusive) y[i] = sum.nearest();
    }
  }
};

}  // namespace assay::scan::detail
