#include "kernels/sum/binned.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "kernels/sum/detail/binned_kernels.hpp"

namespace assay::sum {
namespace {

using detail::binned_total;
using detail::Numbers;
using detail::Products;
using detail::SerialBinned;

template <class Sum, class Terms>
std::vector<Sum> each_of(const Executor& on, const Terms& terms, std::size_t size, Offsets offsets) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1]) throw std::invalid_argument("the offsets of a batch of vectors decrease");
  }
  if (!offsets.empty() && offsets.back() > size) {
    throw std::invalid_argument("the offsets of a batch of vectors end after its data");
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
  detail::queue_binned(on, Numbers<T>(terms, x), n, blocks, total, partial);
}

template <class T, int K>
void binned_dot(const Executor& on, const T* x, const T* y, std::int64_t n, std::size_t blocks, BinnedSum<T, K>* total,
                BinnedSum<T, K>* partial) {
  detail::queue_binned(on, Products<T>{x, y}, n, blocks, total, partial);
}

template <class T, int K>
BinnedSum<T, K> binned_sum(const Executor& on, BinnedTerms terms, std::span<const T> x, std::size_t blocks) {
  const Array<T> data(on, x);
  const auto total = binned_total<BinnedSum<T, K>>(on, Numbers<T>(terms, data.data()), x.size(), blocks);
  data.compare(x);
  return total;
}

template <class T, int K>
BinnedSum<T, K> binned_dot(const Executor& on, std::span<const T> x, std::span<const T> y, std::size_t blocks) {
  require_one_size(x, y);
  const Array<T> left(on, x);
  const Array<T> right(on, y);
  const auto total = binned_total<BinnedSum<T, K>>(on, Products<T>{left.data(), right.data()}, x.size(), blocks);
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
