#pragma once
// The kernels of the two-norm, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "exec/block.hpp"
#include "kernels/expansion/detail/vector_kernels.hpp"

namespace assay::expansion {
namespace detail {

ASSAY_HD inline double larger(double a, double b) { return a < b ? b : a; }

/// x·2^k in two steps, |k| ≤ 1023: exact where no step has a subnormal result.
ASSAY_HD inline double times_power(double x, int k) {
  const int half = k / 2;
  return x * bits::power_of_two<double>(half) * bits::power_of_two<double>(k - half);
}

/// The largest magnitude of a word in one lane.
template <int W>
struct LargestLane {
  VectorOperand<W> x;
  std::int64_t n, lanes;
  double* partial;
  ASSAY_HD void operator()(std::size_t lane) const {
    double most = 0;
    for (auto i = static_cast<std::int64_t>(lane); i < n; i += lanes) {
      const typename Entry<W>::Value a = x(i);
      ASSAY_UNROLL(W)
      for (int word = 0; word < W; ++word) most = larger(most, abs(a.x[word]));
    }
    partial[lane] = most;
  }
};

/// *largest is that of all lanes.
struct LargestTree {
  static constexpr int threads = 128;
  struct Shared {
    int unused;
  };

  std::int64_t lanes;
  double* partial;
  double* largest;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    for (std::int64_t d = lanes / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared&) {
        for (std::int64_t c = t; c < d; c += threads) partial[c] = larger(partial[c], partial[c + d]);
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      if (t == 0) *largest = partial[0];
    });
  }
};

/// The power of two of the largest magnitude, at least emin: entries divided by it are below 2.
ASSAY_HD inline int scale_of(double largest) { return is_finite(largest) ? bits::significand(largest).e + 52 : 0; }

/// One lane of Σ (xᵢ/2^e)².
template <int W>
struct SquareLane {
  VectorOperand<W> x;
  std::int64_t n, lanes;
  const double* largest;
  double* partial;
  ASSAY_HD void operator()(std::size_t lane) const {
    const int e = scale_of(*largest);
    typename Entry<W>::Sum sum{};
    for (auto i = static_cast<std::int64_t>(lane); i < n; i += lanes) {
      typename Entry<W>::Value a = x(i);
      ASSAY_UNROLL(W)
      for (int word = 0; word < W; ++word) a.x[word] = times_power(a.x[word], -e);
      sum.add(a, a);
    }
    reinterpret_cast<typename Entry<W>::Sum*>(partial)[lane] = sum;
  }
};

/// The root of a sum of squares in the first words, times 2^e.
template <int W>
struct RootBody {
  const double* largest;
  double* partial;

  ASSAY_HD void operator()(std::size_t) const {
    using Value = typename Entry<W>::Value;
    using Sum = typename Entry<W>::Sum;
    Value root{};
    Value rest = reinterpret_cast<Sum*>(partial)[0].result();
    if (rest.x[0] > 0) {
      constexpr int digits = W == 1 ? 2 : W + 1;
      const double first = sqrt(rest.x[0]);
      double digit = first;
      Sum sum{};
      ASSAY_UNROLL(1)
      for (int i = 0; i < digits; ++i) {
        Sum twice{};  // 2Q + q
        twice.add(Value{{2.0}}, root);
        twice.add(Entry<W>::one(), Value{{digit}});
        Sum left{};
        left.add(Entry<W>::one(), rest);
        left.add(Value{{-digit}}, twice.result());
        rest = left.result();
        sum.add(Value{{digit}}, Entry<W>::one());
        root = sum.result();
        digit = rest.x[0] / (2 * first);
      }
    } else {
      root.x[0] = rest.x[0] < 0 ? 0 : rest.x[0];
    }
    const int e = scale_of(*largest);
    ASSAY_UNROLL(Entry<W>::sum_words)
    for (int word = 0; word < Entry<W>::sum_words; ++word) root.x[word] = times_power(root.x[word], e);
    Entry<W>::store(root, partial);
  }
};

}  // namespace detail
}  // namespace assay::expansion
