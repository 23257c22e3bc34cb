#pragma once
// The updates of a matrix by a product of two vectors.

#include "exec/launch.hpp"
#include "kernels/blas/triangle.hpp"
#include "kernels/mp/detail/entries.hpp"

namespace assay::mp {
namespace detail {

/// Which entries (i, j) of a matrix are written.
enum class MpPart { all, upper, lower };

inline MpPart part_of(blas::Triangle uplo) { return uplo == blas::Triangle::upper ? MpPart::upper : MpPart::lower; }

ASSAY_HD inline bool is_in(MpPart part, std::int64_t i, std::int64_t j) {
  return part == MpPart::all || (part == MpPart::upper ? i <= j : i >= j);
}

/// a_ij ← x_i·y_j + a_ij, column-major; index k means i = k mod m, j = ⌊k/m⌋.
template <class Set>
struct MpRankOneBody {
  MpPart part;
  std::int64_t m, lda;
  MpView<Set> x, y, a;
  MpEntries x_at, y_at;
  ASSAY_HD void operator()(std::size_t k) const {
    const std::int64_t j = static_cast<std::int64_t>(k) / m;
    const std::int64_t i = static_cast<std::int64_t>(k) - j * m;
    if (!is_in(part, i, j)) return;
    const auto at = static_cast<std::size_t>(i + j * lda);
    a.store(at, mp::add(mp::mul(x.load(x_at(i)), y.load(y_at(j))), a.load(at)));
  }
};

/// Queues A ← x·yᵀ + A.
template <class Set>
void queue_rank_one(const Executor& on, MpPart part, std::int64_t m, std::int64_t n, MpView<Set> x, MpEntries x_at,
                    MpView<Set> y, MpEntries y_at, MpView<Set> a, std::int64_t lda) {
  queue_indices(on, static_cast<std::size_t>(m * n), MpRankOneBody<Set>{part, m, lda, x, y, a, x_at, y_at});
}

/// A after A ← x·yᵀ + A. Requires: m ≥ 1, arrays of Set that hold the operands (not checked).
template <class Set>
MpArray rank_one(const Executor& on, MpPart part, std::int64_t m, std::int64_t n, const MpArray& x, std::int64_t incx,
                 const MpArray& y, std::int64_t incy, const MpArray& a, std::int64_t lda) {
  const MpArrayOn<Set> u(on, x);
  const MpArrayOn<Set> v(on, y);
  const MpArrayOn<Set> r(on, a);
  queue_rank_one<Set>(on, part, m, n, u.view(), entries(m, incx), v.view(), entries(n, incy), r.view(), lda);
  wait(on);
  u.compare(x);
  v.compare(y);
  return r.take();
}

}  // namespace detail
}  // namespace assay::mp
