#pragma once
// The common parts of the files of kernels/expansion/expansion.hpp: the step from a run-time number of words to a
// constant, and the bodies.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "arith/expansion/expansion.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/expansion.hpp"

namespace assay::expansion::detail {

/// f(k) with k as a constant, if first ≤ k ≤ last; otherwise throws that the operation `what` is not offered.
template <int first, int last, class F>
auto with_words(int k, const char* what, const F& f) {
  if constexpr (first < last) {
    return k == first ? f(std::integral_constant<int, first>{}) : with_words<first + 1, last>(k, what, f);
  } else {
    if (k != first) {
      throw std::invalid_argument(std::string(what) + " is not offered for " + std::to_string(k) + " words");
    }
    return f(std::integral_constant<int, first>{});
  }
}

inline void require_whole(std::size_t size, int words) {
  if (words < 1 || size % static_cast<std::size_t>(words) != 0) {
    throw std::invalid_argument(std::to_string(size) + " numbers are not a whole number of expansions of " +
                                std::to_string(words) + " words");
  }
}

inline void require_equal(std::size_t x, std::size_t y) {
  if (x != y) {
    throw std::invalid_argument("the operands have different sizes: " + std::to_string(x) + " and " +
                                std::to_string(y) + " numbers");
  }
}

/// The function f as a functor.
template <auto f>
struct ExpansionFunction {
  template <class... X>
  ASSAY_HD auto operator()(const X&... x) const -> decltype(f(x...)) {
    return f(x...);
  }
};

/// z_i = op(x_i, y_i), or op(x_i) where y is null.
template <class Op, class T, int K>
struct ExpansionBody {
  static constexpr bool binary = std::is_invocable_v<Op, const Expansion<T, K>&, const Expansion<T, K>&>;
  const Expansion<T, K>* x;
  const Expansion<T, K>* y;
  Expansion<T, K>* z;
  ASSAY_HD void operator()(std::size_t i) const {
    if constexpr (binary) {
      z[i] = Op{}(x[i], y[i]);
    } else {
      z[i] = Op{}(x[i]);
    }
  }
};

/// The words of an array, as expansions of K words.
template <int K, class T>
const Expansion<T, K>* expansions(const Array<T>& words) {
  return reinterpret_cast<const Expansion<T, K>*>(words.data());
}

/// z = op(x, y) on k words, 1 ≤ k ≤ most; op(k as a constant) is an ExpansionFunction.
template <int most, class T, class OpOf>
std::vector<T> binary_op(const Executor& on, const char* what, int k, std::span<const T> x, std::span<const T> y,
                         const OpOf& op) {
  require_whole(x.size(), k);
  require_equal(x.size(), y.size());
  return with_words<1, most>(k, what, [&](auto words) {
    constexpr int K = words;
    using Op = decltype(op(words));
    const Array<T> a(on, x);
    const Array<T> b(on, y);
    const Array<T> z(on, x.size());
    launch_indices(
        on, x.size() / K,
        ExpansionBody<Op, T, K>{expansions<K>(a), expansions<K>(b), reinterpret_cast<Expansion<T, K>*>(z.data())});
    a.compare(x);
    b.compare(y);
    return z.take();
  });
}

/// z = op(x) on k words, 1 ≤ k ≤ most; y is empty.
template <int most, class T, class OpOf>
std::vector<T> unary_op(const Executor& on, const char* what, int k, std::span<const T> x, std::span<const T> y,
                        const OpOf& op) {
  require_whole(x.size(), k);
  require_equal(0, y.size());
  return with_words<1, most>(k, what, [&](auto words) {
    constexpr int K = words;
    using Op = decltype(op(words));
    const Array<T> a(on, x);
    const Array<T> z(on, x.size());
    launch_indices(on, x.size() / K,
                   ExpansionBody<Op, T, K>{expansions<K>(a), nullptr, reinterpret_cast<Expansion<T, K>*>(z.data())});
    a.compare(x);
    return z.take();
  });
}

// The groups of operations, each in a file of its own.
template <class T>
std::vector<T> expansion_sum(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y);
template <class T>
std::vector<T> expansion_product(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y);
template <class T>
std::vector<T> expansion_newton(const Executor& on, ExpansionOp op, int k, std::span<const T> x, std::span<const T> y);

/// The longest product, quotient or root of T.
template <class T>
inline constexpr int longest_product = FloatTraits<T>::precision == 53 ? 16 : 6;

}  // namespace assay::expansion::detail
