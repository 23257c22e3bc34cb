#pragma once
// The definition of `distill`, for the files that instantiate it.

#include "kernels/expansion/detail/launch.hpp"

namespace assay::expansion {
namespace detail {

/// m words of n, by the function that `what` names.
template <Distillation what, class T, int N, int M>
struct DistillationBody {
  const Expansion<T, N>* x;
  Expansion<T, M>* z;
  ASSAY_HD void operator()(std::size_t i) const {
    Expansion<T, N> e = x[i];
    if constexpr (what == Distillation::renormalize) {
      z[i] = expansion::renormalize<M>(e.x);
    } else if constexpr (what == Distillation::priest_renormalize) {
      z[i] = expansion::priest_renormalize<M>(e.x);
    } else if constexpr (what == Distillation::vec_sum_err_branch) {
      Expansion<T, M> f{};
      expansion::vec_sum_err_branch(e.x, f.x);
      z[i] = f;
    } else {
      if constexpr (what == Distillation::vec_sum) {
        expansion::vec_sum(e.x);
      } else {
        expansion::vec_sum_err(e.x);
      }
      z[i] = e;
    }
  }
};

template <Distillation what, int N, int M, class T>
std::vector<T> distilled(const Executor& on, std::span<const T> x) {
  const Array<T> a(on, x);
  const std::size_t count = x.size() / N;
  const Array<T> z(on, count * M);
  launch_indices(on, count,
                 DistillationBody<what, T, N, M>{expansions<N>(a), reinterpret_cast<Expansion<T, M>*>(z.data())});
  a.compare(x);
  return z.take();
}

/// Whether the kernels offer renormalization from n words to m.
template <class T>
constexpr bool renormalizes(int n, int m) {
  return FloatTraits<T>::precision < 24 ? m <= n && n <= 5 : m == n || n == 2 * m || (m <= n && n <= 5);
}

[[noreturn]] inline void throw_not_offered(const char* what, int n, int m) {
  throw std::invalid_argument(std::string(what) + " is not offered from " + std::to_string(n) + " words to " +
                              std::to_string(m));
}

/// As many output words as input words.
template <Distillation what, class T>
std::vector<T> distilled_whole(const Executor& on, const char* name, int n, int m, std::span<const T> x) {
  if (m != n) {
    throw_not_offered(name, n, m);
  }
  constexpr int most = FloatTraits<T>::precision < 24 ? 5 : 16;
  return with_words<1, most>(n, name, [&](auto words) { return distilled<what, words, words>(on, x); });
}

}  // namespace detail

template <class T>
std::vector<T> distill(const Executor& on, Distillation what, int n, int m, std::span<const T> x) {
  detail::require_whole(x.size(), n);
  switch (what) {
    case Distillation::vec_sum:
      return detail::distilled_whole<Distillation::vec_sum>(on, "vec_sum", n, m, x);
    case Distillation::vec_sum_err_branch:
      return detail::distilled_whole<Distillation::vec_sum_err_branch>(on, "vec_sum_err_branch", n, m, x);
    case Distillation::vec_sum_err:
      return detail::distilled_whole<Distillation::vec_sum_err>(on, "vec_sum_err", n, m, x);
    case Distillation::priest_renormalize:
      return detail::distilled_whole<Distillation::priest_renormalize>(on, "priest_renormalize", n, m, x);
    default:
      break;
  }
  constexpr int most = FloatTraits<T>::precision < 24 ? 5 : 16;
  return detail::with_words<1, most>(n, "renormalize", [&](auto from) {
    constexpr int N = from;
    return detail::with_words<1, N>(m, "renormalize", [&](auto to) -> std::vector<T> {
      constexpr int M = to;
      if constexpr (detail::renormalizes<T>(N, M)) {
        return detail::distilled<Distillation::renormalize, N, M>(on, x);
      } else {
        detail::throw_not_offered("renormalize", N, M);
      }
    });
  });
}

}  // namespace assay::expansion
