#pragma once
// The kernels of BLAS 1, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/entry.hpp"

namespace assay::expansion {
namespace detail {

/// A vector in memory: entry i at words[i·step·W].
template <int W>
struct VectorOperand {
  const double* words;
  std::int64_t step;
  ASSAY_HD typename Entry<W>::Value operator()(std::int64_t i) const { return Entry<W>::load(words + i * step * W); }
};

/// Entry i of y ← αx + y.
template <int W>
struct AxpyBody {
  typename Entry<W>::Value alpha;
  VectorOperand<W> x;
  double* y;
  std::int64_t step;
  ASSAY_HD void operator()(std::size_t i) const {
    const auto k = static_cast<std::int64_t>(i);
    double* const to = y + k * step * W;
    typename Entry<W>::Sum sum{};
    sum.add(alpha, x(k));
    sum.add(Entry<W>::one(), Entry<W>::load(to));
    Entry<W>::store(sum.result(), to);
  }
};

/// One lane of Σ xᵢyᵢ, or of Σ |xᵢ| where y has no words.
template <int W>
struct SumLane {
  VectorOperand<W> x, y;
  std::int64_t n, lanes;
  double* partial;
  ASSAY_HD void operator()(std::size_t lane) const {
    typename Entry<W>::Sum sum{};
    for (auto i = static_cast<std::int64_t>(lane); i < n; i += lanes) {
      const typename Entry<W>::Value a = x(i);
      sum.add(a, y.words == nullptr ? sign_of(a) : y(i));
    }
    reinterpret_cast<typename Entry<W>::Sum*>(partial)[lane] = sum;
  }

 private:
  /// 1 or −1 with the sign of the first word that is not 0.
  ASSAY_HD static typename Entry<W>::Value sign_of(const typename Entry<W>::Value& a) {
    double leading = a.x[0];
    ASSAY_UNROLL(Entry<W>::sum_words)
    for (int i = 1; i < Entry<W>::sum_words; ++i) leading = leading == 0 ? a.x[i] : leading;
    return {{leading < 0 ? -1.0 : 1.0}};
  }
};

/// The tree over the lanes, and the result in the first words, unless `keeps_sum`: then lane 0 stays an accumulator.
template <int W>
struct SumTree {
  static constexpr int threads = 128;
  struct Shared {
    int unused;
  };

  std::int64_t lanes;
  double* partial;
  bool keeps_sum = false;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    auto* const sums = reinterpret_cast<typename Entry<W>::Sum*>(partial);
    for (std::int64_t d = lanes / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared&) {
        for (std::int64_t c = t; c < d; c += threads) sums[c].add(sums[c + d]);
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      if (t == 0 && !keeps_sum) Entry<W>::store(sums[0].result(), partial);
    });
  }
};

}  // namespace detail
}  // namespace assay::expansion
