#include "kernels/sum/binned.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "exec/array.hpp"
#include "exec/launch.hpp"

namespace assay::sum {
namespace {

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
  ASSAY_HD Term load(std::int64_t i) const { return {from_bits<T>(to_bits(x[i]) & kept)}; }
  template <class Accumulator>
  ASSAY_HD static void add(Accumulator& sum, const Term& term) {
    sum.add(term.x);
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
  ASSAY_HD Term load(std::int64_t i) const { return {x[i], y[i]}; }
  template <class Accumulator>
  ASSAY_HD static void add(Accumulator& sum, const Term& term) {
    sum.add_product(term.x, term.y);
  }
};

/// Result i by one thread.
template <class Sum, class Terms>
struct SerialBinned {
  Terms terms;
  const std::size_t* offsets;
  Sum* results;
  ASSAY_HD void operator()(std::size_t i) const {
    Sum sum = Sum::empty();
    for (std::size_t j = offsets[i]; j < offsets[i + 1]; ++j) {
      Terms::add(sum, terms.load(static_cast<std::int64_t>(j)));
    }
    sum.renormalize();
    results[i] = sum;
  }
};

/// results[block] = what the block's threads add up, merged by a tree. Thread t of `blocks`·256 takes the places
/// t, t + blocks·256, …
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
      constexpr int tile = 4;  // loads before the additions
      const std::int64_t step = blocks * threads;
      Sum sum = Sum::empty();
      std::int64_t i = static_cast<std::int64_t>(block.index()) * threads + t;
      for (; i + (tile - 1) * step < n; i += tile * step) {
        typename Source::Term terms[tile];
        ASSAY_UNROLL(4)
        for (int j = 0; j < tile; ++j) {
          terms[j] = source.load(i + j * step);
        }
        ASSAY_UNROLL(4)
        for (int j = 0; j < tile; ++j) {
          Source::add(sum, terms[j]);
        }
      }
      for (; i < n; i += step) {
        Source::add(sum, source.load(i));
      }
      shared.partial[t] = sum;
    });
    for (int d = threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) {
          shared.partial[t].add(shared.partial[t + d]);
        }
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) {
        results[block.index()] = shared.partial[0];
      }
    });
  }
};

/// Accumulators as terms.
template <class Sum>
struct Partials {
  const Sum* partial;
  using Term = Sum;
  ASSAY_HD Term load(std::int64_t i) const { return partial[i]; }
  ASSAY_HD static void add(Sum& sum, const Term& term) { sum.add(term); }
};

template <class Sum, class Terms>
void queue(const Executor& on, const Terms& terms, std::int64_t n, std::size_t asked, Sum* total, Sum* partial) {
  const std::size_t blocks = binned_workspace(on, n, asked);
  const auto count = static_cast<std::int64_t>(blocks);
  queue_blocks(on, blocks, BlockBinned<Sum, Terms>{terms, n, count, partial});
  queue_blocks(on, 1, BlockBinned<Sum, Partials<Sum>>{{partial}, count, 1, total});
}

template <class Sum, class Terms>
Sum total_of(const Executor& on, const Terms& terms, std::size_t n, std::size_t blocks) {
  const auto count = static_cast<std::int64_t>(n);
  const Array<Sum> total(on, 1);
  const Array<Sum> partial(on, binned_workspace(on, count, blocks));
  queue(on, terms, count, blocks, total.data(), partial.data());
  wait(on);
  return total.take().front();
}

template <class Sum, class Terms>
std::vector<Sum> each_of(const Executor& on, const Terms& terms, std::size_t size, Offsets offsets) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("the offsets of a batch of vectors decrease");
  }
  if (!offsets.empty() && offsets.back() > size) {
    throw std::invalid_argument("the offsets of a batch of vectors end behind its data");
  }
  if (offsets.size() < 2) return {};
  const Array<std::size_t> ends(on, offsets);
  const Array<Sum> results(on, offsets.size() - 1);
  launch_indices(on, results.size(), SerialBinned<Sum, Terms>{terms, ends.data(), results.data()});
  ends.compare(offsets);
  return results.take();
}

template <class T>
void require_one_size(std::span<const T> x, std::span<const T> y) {
  if (x.size() != y.size()) throw std::invalid_argument("the vectors of a dot product have different sizes");
}

}  // namespace

std::size_t binned_workspace(const Executor& on, std::int64_t n, std::size_t blocks) {
  if (blocks != 0) return blocks;
  // On the host two blocks do, so that there is more than one; on a device four for each of 132 multiprocessors.
  constexpr std::size_t threads = 256;
  const std::size_t most = on.kind() == Executor::Kind::host ? 2 : 528;
  const std::size_t filled = (static_cast<std::size_t>(n) + threads - 1) / threads;
  return std::max<std::size_t>(1, std::min({filled, most, on.most_blocks()}));
}

template <class T, int K>
std::vector<BinnedSum<T, K>> binned_sums(const Executor& on, BinnedTerms terms, std::span<const T> x, Offsets offsets) {
  const Array<T> data(on, x);
  auto results = each_of<BinnedSum<T, K>>(on, Numbers<T>(terms, data.data()), x.size(), offsets);
  data.compare(x);
  return results;
}

template <class T, int K>
std::vector<BinnedSum<T, K>> binned_dots(const Executor& on, std::span<const T> x, std::span<const T> y,
                                         Offsets offsets) {
  require_one_size(x, y);
  const Array<T> left(on, x);
  const Array<T> right(on, y);
  auto results = each_of<BinnedSum<T, K>>(on, Products<T>{left.data(), right.data()}, x.size(), offsets);
  left.compare(x);
  right.compare(y);
  return results;
}

template <class T, int K>
void binned_sum(const Executor& on, BinnedTerms terms, const T* x, std::int64_t n, std::size_t blocks,
                BinnedSum<T, K>* total, BinnedSum<T, K>* partial) {
  queue(on, Numbers<T>(terms, x), n, blocks, total, partial);
}

template <class T, int K>
void binned_dot(const Executor& on, const T* x, const T* y, std::int64_t n, std::size_t blocks, BinnedSum<T, K>* total,
                BinnedSum<T, K>* partial) {
  queue(on, Products<T>{x, y}, n, blocks, total, partial);
}

template <class T, int K>
BinnedSum<T, K> binned_sum(const Executor& on, BinnedTerms terms, std::span<const T> x, std::size_t blocks) {
  const Array<T> data(on, x);
  const auto total = total_of<BinnedSum<T, K>>(on, Numbers<T>(terms, data.data()), x.size(), blocks);
  data.compare(x);
  return total;
}

template <class T, int K>
BinnedSum<T, K> binned_dot(const Executor& on, std::span<const T> x, std::span<const T> y, std::size_t blocks) {
  require_one_size(x, y);
  const Array<T> left(on, x);
  const Array<T> right(on, y);
  const auto total = total_of<BinnedSum<T, K>>(on, Products<T>{left.data(), right.data()}, x.size(), blocks);
  left.compare(x);
  right.compare(y);
  return total;
}

/// The addresses keep the functions in the object file.
template <class T, int K>
struct InstantiateBinned {
  using Sum = BinnedSum<T, K>;
  using Vector = std::span<const T>;
  static constexpr std::tuple functions{
      &binned_sums<T, K>,
      &binned_dots<T, K>,
      static_cast<void (*)(const Executor&, BinnedTerms, const T*, std::int64_t, std::size_t, Sum*, Sum*)>(
          &binned_sum<T, K>),
      static_cast<void (*)(const Executor&, const T*, const T*, std::int64_t, std::size_t, Sum*, Sum*)>(
          &binned_dot<T, K>),
      static_cast<Sum (*)(const Executor&, BinnedTerms, Vector, std::size_t)>(&binned_sum<T, K>),
      static_cast<Sum (*)(const Executor&, Vector, Vector, std::size_t)>(&binned_dot<T, K>)};
};
template struct InstantiateBinned<double, 1>;
template struct InstantiateBinned<double, 2>;
template struct InstantiateBinned<double, 3>;
template struct InstantiateBinned<double, 4>;
template struct InstantiateBinned<float, 1>;
template struct InstantiateBinned<float, 2>;
template struct InstantiateBinned<float, 3>;
template struct InstantiateBinned<float, 4>;

}  // namespace assay::sum
