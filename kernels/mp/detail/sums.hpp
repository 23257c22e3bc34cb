#pragma once
// Sums of 32·blocks lanes, and the square root of one.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "arith/residues/mp_square_root.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/detail/entries.hpp"

namespace assay::mp {
namespace detail {

enum class MpTerm { sum, absolute, square, scaled_square, product, largest };

/// 2^(−shift)·x, or 0 if the exponent is then below −2²⁹. Requires: shift ≥ the exponent of x (not checked).
template <class Set>
ASSAY_HD mp::Number<Set> scaled_down(mp::Number<Set> x, std::int32_t shift) {
  if (mp::is_zero(x) || mp::is_out_of_range(x)) return x;
  const std::int64_t exponent = std::int64_t{x.exponent} - shift;
  if (exponent < -(std::int64_t{1} << 29)) return mp::zero<Set>();
  x.exponent = static_cast<std::int32_t>(exponent);
  return x;
}

/// The numbers from number k on.
template <class Set>
MpView<Set> from(const MpView<Set>& x, std::size_t k) {
  return {
      x.digits + k * x.number_step, x.sign + k, x.exponent + k, x.lower + k, x.upper + k, x.number_step, x.digit_step};
}

/// The sums of `lanes` lanes by blocks of 32: partial result b in z_b.
template <class Set>
struct MpSumBlock {
  static constexpr int threads = static_cast<int>(mp_sum_lanes);
  struct Shared {
    mp::Number<Set> partial[threads];
  };

  MpTerm term;
  std::int64_t length, lanes;
  MpView<Set> x, y;
  MpEntries x_at, y_at;
  MpView<Set> z;
  std::int32_t shift;  ///< a scaled square is (2^(−shift)·x)²

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      mp::Number<Set> sum = mp::zero<Set>();
      for (std::int64_t i = static_cast<std::int64_t>(block.index()) * threads + t; i < length; i += lanes) {
        sum = joined(sum, term_of(i));
      }
      shared.partial[t] = sum;
    });
    for (int d = threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < d) shared.partial[t] = joined(shared.partial[t], shared.partial[t + d]);
      });
    }
    block.for_one_thread([&](Shared& shared) { z.store(block.index(), shared.partial[0]); });
  }

 private:
  ASSAY_HD mp::Number<Set> term_of(std::int64_t i) const {
    const mp::Number<Set> a = x.load(x_at(i));
    switch (term) {
      case MpTerm::sum:
        break;
      case MpTerm::absolute:
      case MpTerm::largest:
        return mp::abs(a);
      case MpTerm::square:
        return mp::mul(a, a);
      case MpTerm::scaled_square: {
        const mp::Number<Set> scaled = scaled_down(a, shift);
        return mp::mul(scaled, scaled);
      }
      case MpTerm::product:
        return mp::mul(a, y.load(y_at(i)));
    }
    return a;
  }
  ASSAY_HD mp::Number<Set> joined(const mp::Number<Set>& a, const mp::Number<Set>& b) const {
    if (term == MpTerm::largest) return mp::compare(a, b) < 0 ? b : a;
    return mp::add(a, b);
  }
};

/// Queues z₀ ← Σ or max of the terms. `partial` has mp_sum_workspace(length) numbers, and is not used if one block is
/// enough.
template <class Set>
void queue_sum(const Executor& on, MpTerm term, std::int64_t length, MpView<Set> x, MpEntries x_at, MpView<Set> y,
               MpEntries y_at, std::int32_t shift, MpView<Set> partial, MpView<Set> z) {
  const std::int64_t blocks = mp_sum_blocks(length);
  queue_blocks(
      on, static_cast<std::size_t>(blocks),
      MpSumBlock<Set>{term, length, blocks * mp_sum_lanes, x, y, x_at, y_at, blocks == 1 ? z : partial, shift});
  if (blocks == 1) return;
  const MpEntries at = entries(blocks, 1);
  queue_sum(on, term == MpTerm::largest ? term : MpTerm::sum, blocks, partial, at, partial, at, 0,
            from(partial, static_cast<std::size_t>(blocks)), z);
}

/// Σ or max of the terms; y is empty if the term has no second factor, and its stride is not used. Requires: arrays
/// of Set (not checked).
template <class Set>
MpArray sum_up(const Executor& on, MpTerm term, std::int64_t length, const MpArray& x, std::int64_t incx,
               const MpArray& y, std::int64_t incy, std::int32_t shift = 0) {
  const MpArrayOn<Set> a(on, x);
  const MpArrayOn<Set> b(on, y);
  const MpArrayOn<Set> partial(on, static_cast<std::size_t>(mp_sum_workspace(length)), x.planes);
  const MpArrayOn<Set> sum(on, 1, x.planes);
  queue_sum<Set>(on, term, length, a.view(), entries(length, incx), b.view(), entries(length, incy), shift,
                 partial.view(), sum.view());
  wait(on);
  a.compare(x);
  b.compare(y);
  static_cast<void>(partial.take());
  return sum.take();
}

/// z_i = 2^shift·√x_i.
template <class Set>
struct MpRootBody {
  MpView<Set> x, z;
  std::int64_t shift;
  ASSAY_HD void operator()(std::size_t i) const { z.store(i, mp::scaled_sqrt(x.load(i), shift)); }
};

/// √Σ x_i²: the sum of (2^(−k)x_i)², k the largest exponent, and 2^k times its root. Requires: an array of Set that
/// holds x (not checked).
template <class Set>
MpArray norm(const Executor& on, std::int64_t length, const MpArray& x, std::int64_t incx) {
  const MpEntries at = entries(length, incx);
  std::int32_t shift = -mp::exponent_limit;
  for (std::int64_t i = 0; i < length; ++i) {
    const std::size_t k = at(i);
    if (x.upper[k].fraction != 0 && x.exponent[k] != mp::out_of_range_exponent) shift = std::max(shift, x.exponent[k]);
  }
  const MpArray sum = sum_up<Set>(on, MpTerm::scaled_square, length, x, incx, {}, incx, shift);
  const MpArrayOn<Set> squares(on, sum);
  const MpArrayOn<Set> root(on, 1, x.planes);
  launch_indices(on, 1, MpRootBody<Set>{squares.view(), root.view(), shift});
  squares.compare(sum);
  return root.take();
}

}  // namespace detail
}  // namespace assay::mp
