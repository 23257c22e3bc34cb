#pragma once
// The kernels of binned sums.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/binned.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/sum/binned.hpp"

namespace assay::sum::detail {

/// xᵢ, or |xᵢ| without the sign bit.
template <class T>
struct Numbers {
  const T* x;
  BitsOf<T> kept;
  struct Term {
    T x;
  };
  Numbers(BinnedTerms terms, const T* numbers)
      : x(numbers), kept(static_cast<BitsOf<T>>(~(terms == BinnedTerms::magnitudes ? bits::sign_bit<T> : 0))) {}
  /// 64 bytes, loaded before they are added. Term{} changes no sum.
  static constexpr int tile = 64 / sizeof(Term);
  ASSAY_HD Term load(std::int64_t i) const { return {from_bits<T>(to_bits(x[i]) & kept)}; }
  template <class Accumulator>
  ASSAY_HD static void add(Accumulator& sum, const Term (&terms)[tile]) {
    T numbers[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      numbers[j] = terms[j].x;
    }
    sum.add_tile(numbers);
  }
};

/// xᵢyᵢ.
template <class T>
struct Products {
  const T* x;
  const T* y;
  struct Term {
    T x, y;
  };
  static constexpr int tile = 64 / sizeof(Term);
  ASSAY_HD Term load(std::int64_t i) const { return {x[i], y[i]}; }
  template <class Accumulator>
  ASSAY_HD static void add(Accumulator& sum, const Term (&terms)[tile]) {
    T left[tile];
    T right[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      left[j] = terms[j].x;
      right[j] = terms[j].y;
    }
    sum.add_tile_of_products(left, right);
  }
};

/// The sum of the terms in the places i, i + step, … below n, by tiles.
template <class Sum, class Source>
ASSAY_HD Sum sum_of_places(const Source& source, std::int64_t i, std::int64_t n, std::int64_t step) {
  constexpr int tile = Source::tile;
  using Term = typename Source::Term;
  Sum sum = Sum::empty();
  for (; i + (tile - 1) * step < n; i += tile * step) {
    Term terms[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      terms[j] = source.load(i + j * step);
    }
    Source::add(sum, terms);
  }
  if (i < n) {
    Term terms[tile];
    ASSAY_UNROLL(16)
    for (int j = 0; j < tile; ++j) {
      terms[j] = i + j * step < n ? source.load(i + j * step) : Term{};
    }
    Source::add(sum, terms);
  }
  return sum;
}

/// Result i by one thread.
template <class Sum, class Terms>
struct SerialBinned {
  Terms terms;
  const std::size_t* offsets;
  Sum* results;
  ASSAY_HD void operator()(std::size_t i) const {
    Sum sum =
        sum_of_places<Sum>(terms, static_cast<std::int64_t>(offsets[i]), static_cast<std::int64_t>(offsets[i + 1]), 1);
    sum.renormalize();
    results[i] = sum;
  }
};

/// results[block] = the sum of the block's threads, merged by a tree. Thread t of `blocks`·256 takes the places t, t +
/// blocks·256, …
template <class Sum, class Source>
struct BlockBinned {
  static constexpr int threads = 256;
  struct Shared {
    Sum partial[threads];
  };
  Source source;
  std::int64_t n;
  std::int64_t blocks;
  Sum* results;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t first = static_cast<std::int64_t>(block.index()) * threads + t;
      shared.partial[t] = sum_of_places<Sum>(source, first, n, blocks * threads);
    });
    for (int d = threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) {
          shared.partial[t].add(shared.partial[t + d]);
        }
      });
    }
    block.for_one_thread([&](Shared& shared) { results[block.index()] = shared.partial[0]; });
  }
};

/// Accumulators as terms.
template <class Sum>
struct Partials {
  const Sum* partial;
  static constexpr int tile = 1;
  using Term = Sum;
  ASSAY_HD Term load(std::int64_t i) const { return partial[i]; }
  ASSAY_HD static void add(Sum& sum, const Term (&terms)[tile]) { sum.add(terms[0]); }
};

/// *total = the sum of the terms by a grid. Queued.
template <class Sum, class Terms>
void queue_binned(const Executor& on, const Terms& terms, std::int64_t n, std::size_t asked, Sum* total, Sum* partial) {
  const std::size_t blocks = binned_workspace(on, n, asked);
  const auto count = static_cast<std::int64_t>(blocks);
  queue_blocks(on, blocks, BlockBinned<Sum, Terms>{terms, n, count, partial});
  queue_blocks(on, 1, BlockBinned<Sum, Partials<Sum>>{{partial}, count, 1, total});
}

/// The same with its own memory.
template <class Sum, class Terms>
Sum binned_total(const Executor& on, const Terms& terms, std::size_t n, std::size_t blocks) {
  const auto count = static_cast<std::int64_t>(n);
  const OneElement<Sum> total(on);
  const Array<Sum> partial(on, binned_workspace(on, count, blocks));
  queue_binned(on, terms, count, blocks, total.data(), partial.data());
  wait(on);
  return total.take();
}

}  // namespace assay::sum::detail
