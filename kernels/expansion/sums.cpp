#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion {
namespace detail {
namespace {

template <class T, int K>
struct CompareBody {
  const Expansion<T, K>* x;
  const Expansion<T, K>* y;
  int* signs;
  ASSAY_HD void operator()(std::size_t i) const { signs[i] = expansion::compare(x[i], y[i]); }
};

template <class T, int K>
struct NearestBody {
  const Expansion<T, K>* x;
  T* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = expansion::nearest(x[i]); }
};

template <class T, int K>
struct ToInt64Body {
  const Expansion<T, K>* x;
  std::int64_t* n;
  ASSAY_HD void operator()(std::size_t i) const { n[i] = expansion::to_int64(x[i]); }
};

template <class T, int K>
struct FromInt64Body {
  const std::int64_t* n;
  Expansion<T, K>* z;
  ASSAY_HD void operator()(std::size_t i) const { z[i] = expansion::from_integer<T, K>(n[i]); }
};

}  // namespace

template <class T>
std::vector<T> expansion_sum(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y) {
  if (op == ExpansionOp::certified_add) {
    return binary_op<16>(on, "certified_add", k, x, y,
                         [](auto n) { return ExpansionFunction<expansion::certified_add<n(), T, n(), n()>>{}; });
  }
  return binary_op<16>(on, "quick_add", k, x, y,
                       [](auto n) { return ExpansionFunction<expansion::quick_add<n(), T, n(), n()>>{}; });
}

}  // namespace detail

template <class T>
std::vector<T> expansion_op(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y) {
  switch (op) {
    case ExpansionOp::certified_add:
    case ExpansionOp::quick_add:
      return detail::expansion_sum(on, op, k, x, y);
    case ExpansionOp::certified_mul:
    case ExpansionOp::truncated_mul:
    case ExpansionOp::quick_mul:
      return detail::expansion_product(on, op, k, x, y);
    default:
      return detail::expansion_newton(on, op, k, x, y);
  }
}

template <class T>
std::vector<int> expansion_compare(const Executor& on, int k, std::span<const T> x, std::span<const T> y) {
  detail::require_whole(x.size(), k);
  detail::require_equal(x.size(), y.size());
  return detail::with_words<1, 16>(k, "compare", [&](auto words) {
    constexpr int K = words;
    const Array<T> a(on, x);
    const Array<T> b(on, y);
    const Array<int> signs(on, x.size() / K);
    launch_indices(on, signs.size(),
                   detail::CompareBody<T, K>{detail::expansions<K>(a), detail::expansions<K>(b), signs.data()});
    a.compare(x);
    b.compare(y);
    return signs.take();
  });
}

template <class T>
std::vector<T> expansion_nearest(const Executor& on, int k, std::span<const T> x) {
  detail::require_whole(x.size(), k);
  return detail::with_words<1, 16>(k, "nearest", [&](auto words) {
    constexpr int K = words;
    const Array<T> a(on, x);
    const Array<T> z(on, x.size() / K);
    launch_indices(on, z.size(), detail::NearestBody<T, K>{detail::expansions<K>(a), z.data()});
    a.compare(x);
    return z.take();
  });
}

template <class T>
std::vector<std::int64_t> expansion_to_int64(const Executor& on, int k, std::span<const T> x) {
  detail::require_whole(x.size(), k);
  return detail::with_words<1, 16>(k, "to_int64", [&](auto words) {
    constexpr int K = words;
    const Array<T> a(on, x);
    const Array<std::int64_t> n(on, x.size() / K);
    launch_indices(on, n.size(), detail::ToInt64Body<T, K>{detail::expansions<K>(a), n.data()});
    a.compare(x);
    return n.take();
  });
}

template <class T>
std::vector<T> expansion_from_int64(const Executor& on, int k, std::span<const std::int64_t> n) {
  return detail::with_words<1, 16>(k, "from_int64", [&](auto words) {
    constexpr int K = words;
    const Array<std::int64_t> integers(on, n);
    const Array<T> z(on, n.size() * K);
    launch_indices(on, n.size(),
                   detail::FromInt64Body<T, K>{integers.data(), reinterpret_cast<Expansion<T, K>*>(z.data())});
    integers.compare(n);
    return z.take();
  });
}

#define ASSAY_INSTANTIATE(T)                                                                                       \
  template std::vector<T> expansion_op(const Executor&, ExpansionOp, int, std::span<const T>, std::span<const T>); \
  template std::vector<int> expansion_compare(const Executor&, int, std::span<const T>, std::span<const T>);       \
  template std::vector<T> expansion_nearest(const Executor&, int, std::span<const T>);                             \
  template std::vector<std::int64_t> expansion_to_int64(const Executor&, int, std::span<const T>);                 \
  template std::vector<T> expansion_from_int64(const Executor&, int, std::span<const std::int64_t>)

ASSAY_INSTANTIATE(double);
ASSAY_INSTANTIATE(float);

#undef ASSAY_INSTANTIATE

}  // namespace assay::expansion
