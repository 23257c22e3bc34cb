#pragma once
// Rotations of pairs of vectors.

#include "exec/launch.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/detail/entries.hpp"

namespace assay::mp {
namespace detail {

/// x_i ← c·x_i + s·y_i and y_i ← c·y_i − s·x_i.
template <class Set>
struct MpRotationBody {
  MpView<Set> c, s, x, y;
  MpEntries x_at, y_at;
  ASSAY_HD void operator()(std::size_t i) const {
    const auto k = static_cast<std::int64_t>(i);
    const mp::Number<Set> cosine = c.load(0);
    const mp::Number<Set> sine = s.load(0);
    const mp::Number<Set> u = x.load(x_at(k));
    const mp::Number<Set> v = y.load(y_at(k));
    x.store(x_at(k), mp::add(mp::mul(cosine, u), mp::mul(sine, v)));
    y.store(y_at(k), mp::sub(mp::mul(cosine, v), mp::mul(sine, u)));
  }
};

/// x and y after the rotation. Requires: arrays of Set that hold the operands (not checked).
template <class Set>
MpPair rotated(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx, const MpArray& y,
               std::int64_t incy, const MpArray& c, const MpArray& s) {
  const MpArrayOn<Set> u(on, x);
  const MpArrayOn<Set> v(on, y);
  const MpArrayOn<Set> cosine(on, c);
  const MpArrayOn<Set> sine(on, s);
  launch_indices(on, static_cast<std::size_t>(length),
                 MpRotationBody<Set>{cosine.view(), sine.view(), u.view(), v.view(), entries(length, incx),
                                     entries(length, incy)});
  cosine.compare(c);
  sine.compare(s);
  return {u.take(), v.take()};
}

}  // namespace detail
}  // namespace assay::mp
