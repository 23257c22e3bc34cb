#include "arith/expansion/binned_product.hpp"

#include <utility>

#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion {

namespace detail {
namespace {

template <class T, int K, int L, int R>
struct BinnedBody {
  const Expansion<T, K>* x;
  const Expansion<T, L>* y;
  Expansion<T, R>* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = binned_mul<R>(x[i], y[i]); }
};

template <class T, int K, int L, int R>
std::vector<T> binned_product(const Executor& on, std::span<const T> x, std::span<const T> y) {
  require_whole(x.size(), K);
  require_whole(y.size(), L);
  require_equal(x.size() / K, y.size() / L);
  const Array<T> a(on, x);
  const Array<T> b(on, y);
  const Array<T> z(on, x.size() / K * R);
  launch_indices(
      on, x.size() / K,
      BinnedBody<T, K, L, R>{expansions<K>(a), expansions<L>(b), reinterpret_cast<Expansion<T, R>*>(z.data())});
  a.compare(x);
  b.compare(y);
  return z.take();
}

}  // namespace
}  // namespace detail

template <class T>
std::vector<T> expansion_binned_mul(const Executor& on, WordCounts words, std::span<const T> x, std::span<const T> y) {
  if (words == WordCounts{4, 2, 3}) return detail::binned_product<T, 4, 2, 3>(on, x, y);
  if (words == WordCounts{2, 4, 4}) return detail::binned_product<T, 2, 4, 4>(on, x, y);
  if (words == WordCounts{3, 3, 5}) return detail::binned_product<T, 3, 3, 5>(on, x, y);
  throw std::invalid_argument("binned_mul is not offered for " + std::to_string(words.x) + " by " +
                              std::to_string(words.y) + " words in " + std::to_string(words.z));
}

template std::vector<double> expansion_binned_mul(const Executor&, WordCounts, std::span<const double>,
                                                  std::span<const double>);

}  // namespace assay::expansion
