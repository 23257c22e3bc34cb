#pragma once
// The common parts of the files of kernels/rns/rns.hpp: the step from a run-time number of moduli to a set, and the
// bodies.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "arith/residues/interval.hpp"
#include "exec/launch.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::rns::detail {

/// f(Set{}) for the set of n moduli.
template <class F>
auto with_moduli(int n, const F& f) {
  switch (n) {
    case 8:
      return f(rns::Standard<8>{});
    case 16:
      return f(rns::Standard<16>{});
    case 32:
      return f(rns::Standard<32>{});
    case 64:
      return f(rns::Standard<64>{});
    case 128:
      return f(rns::Standard<128>{});
    default:
      throw std::invalid_argument("there is no standard set of " + std::to_string(n) + " moduli");
  }
}

/// An integer of `Set` as an operand or a result.
template <class Set>
struct RnsLimbs {
  std::uint32_t word[rns::limbs<Set>];
};

/// The element type of a structure: words of 32 bits, or the structure itself.
template <class T>
using RnsElement = std::conditional_t<std::is_arithmetic_v<T> || std::is_same_v<T, Interval>, T, std::uint32_t>;
template <class T>
inline constexpr std::size_t rns_elements = sizeof(T) / sizeof(RnsElement<T>);  // NOLINT(*-sizeof-expression)

/// The number of operands T that an array holds.
template <class T>
std::size_t rns_count(std::size_t elements) {
  if (elements % rns_elements<T> != 0) {
    throw std::invalid_argument(std::to_string(elements) + " words are not a whole number of elements of " +
                                std::to_string(rns_elements<T>) + " words");
  }
  return elements / rns_elements<T>;
}

inline void require_count(std::size_t expected, std::size_t count) {
  if (expected != count) {
    throw std::invalid_argument("the operands have different sizes: " + std::to_string(expected) + " and " +
                                std::to_string(count) + " elements");
  }
}

/// z_i = op(x_i, y_i), or op(x_i) if Y is void.
template <class Op, class X, class Y, class Z>
struct RnsBody {
  const X* x;
  const Y* y;
  Z* z;
  ASSAY_HD void operator()(std::size_t i) const {
    if constexpr (std::is_void_v<Y>) {
      z[i] = Op{}(x[i]);
    } else {
      z[i] = Op{}(x[i], y[i]);
    }
  }
};

/// The function f of one or two operands, which are Residues, RnsLimbs or numbers, as a functor.
template <auto f>
struct RnsFunction;
template <class Z_, class X_, Z_ (*f)(X_)>
struct RnsFunction<f> {
  using X = std::remove_cvref_t<X_>;
  using Z = Z_;
  ASSAY_HD Z operator()(X_ x) const { return f(x); }
};
template <class Z_, class X_, class Y_, Z_ (*f)(X_, Y_)>
struct RnsFunction<f> {
  using X = std::remove_cvref_t<X_>;
  using Y = std::remove_cvref_t<Y_>;
  using Z = Z_;
  ASSAY_HD Z operator()(X_ x, Y_ y) const { return f(x, y); }
};

/// The RnsFunction on every element.
template <class F, class A>
auto rns_apply_one(const Executor& on, std::span<const A> x, const F&) {
  using X = typename F::X;
  using Z = typename F::Z;
  const std::size_t count = rns_count<X>(x.size());
  const Array<A> a(on, x);
  const Array<RnsElement<Z>> z(on, count * rns_elements<Z>);
  launch_indices(on, count,
                 RnsBody<F, X, void, Z>{reinterpret_cast<const X*>(a.data()), nullptr, reinterpret_cast<Z*>(z.data())});
  a.compare(x);
  return z.take();
}

/// op on every element, op(Set{}) an RnsFunction for each set.
template <class Op, class A>
auto rns_apply(const Executor& on, int n, std::span<const A> x, const Op& op) {
  return with_moduli(n, [&](auto set) { return rns_apply_one(on, x, op(set)); });
}
template <class Op, class A, class B>
auto rns_apply(const Executor& on, int n, std::span<const A> x, std::span<const B> y, const Op& op) {
  return with_moduli(n, [&](auto set) {
    using F = decltype(op(set));
    using X = typename F::X;
    using Y = typename F::Y;
    using Z = typename F::Z;
    const std::size_t count = rns_count<X>(x.size());
    require_count(count, rns_count<Y>(y.size()));
    const Array<A> a(on, x);
    const Array<B> b(on, y);
    const Array<RnsElement<Z>> z(on, count * rns_elements<Z>);
    launch_indices(on, count,
                   RnsBody<F, X, Y, Z>{reinterpret_cast<const X*>(a.data()), reinterpret_cast<const Y*>(b.data()),
                                       reinterpret_cast<Z*>(z.data())});
    a.compare(x);
    b.compare(y);
    return z.take();
  });
}

}  // namespace assay::rns::detail
