#include "kernels/mp/blas2.hpp"

#include <algorithm>

#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/detail/mirror.hpp"
#include "kernels/mp/detail/rank_one.hpp"
#include "kernels/mp/launch.hpp"

namespace assay::mp {
namespace {

void require_matrix(const char* routine, const MpArray& a, int n, std::int64_t rows, std::int64_t columns,
                    std::int64_t lda) {
  require_mp_array(a, n, routine, "a");
  blas::require_argument(rows >= 0 && columns >= 0, routine, "dimensions are at least 0");
  blas::require_argument(lda >= 1 && lda >= rows, routine, "a leading dimension is at least 1 and the rows");
  blas::require_argument(blas::holds_matrix(a.length, rows, columns, lda), routine, "a matrix does not fit");
}

/// A after A ← α·x·yᵀ + A.
MpArray updated(const Executor& on, const char* routine, detail::MpPart part, std::int64_t m, std::int64_t n,
                const MpArray& alpha, const MpArray& x, std::int64_t incx, const MpArray& y, std::int64_t incy,
                const MpArray& a, std::int64_t lda) {
  require_matrix(routine, a, a.n, m, n, lda);
  detail::require_scalar(routine, alpha, "alpha", a.n);
  detail::require_vector(routine, x, "x", a.n, m, incx);
  detail::require_vector(routine, y, "y", a.n, n, incy);
  if (m == 0 || n == 0 || detail::is_zero(alpha)) return a;
  const MpArray scaled = mp_scal(on, m, alpha, x, incx);
  return with_moduli(a.n, routine, [&]<class Set>(Set) {
    return detail::rank_one<Set>(on, part, m, n, scaled, incx, y, incy, a, lda);
  });
}

}  // namespace

MpArray mp_ger(const Executor& on, std::int64_t m, std::int64_t n, const MpArray& alpha, const MpArray& x,
               std::int64_t incx, const MpArray& y, std::int64_t incy, const MpArray& a, std::int64_t lda) {
  return updated(on, "mp_ger", detail::MpPart::all, m, n, alpha, x, incx, y, incy, a, lda);
}

MpArray mp_syr(const Executor& on, blas::Triangle uplo, std::int64_t n, const MpArray& alpha, const MpArray& x,
               std::int64_t incx, const MpArray& a, std::int64_t lda) {
  return updated(on, "mp_syr", detail::part_of(uplo), n, n, alpha, x, incx, x, incx, a, lda);
}

MpArray mp_symv(const Executor& on, blas::Triangle uplo, std::int64_t n, const MpArray& alpha, const MpArray& a,
                std::int64_t lda, const MpArray& x, std::int64_t incx, const MpArray& beta, const MpArray& y,
                std::int64_t incy) {
  constexpr const char* routine = "mp_symv";
  require_matrix(routine, a, y.n, n, n, lda);
  detail::require_scalar(routine, alpha, "alpha", y.n);
  detail::require_scalar(routine, beta, "beta", y.n);
  detail::require_vector(routine, x, "x", y.n, n, incx);
  detail::require_vector(routine, y, "y", y.n, n, incy);
  return gemv::mp_gemv_exact(on, blas::Transpose::no, n, n, alpha, detail::mirrored(uplo, n, a, lda),
                             std::max<std::int64_t>(1, n), x, incx, beta, y, incy);
}

void queue_mp_ger(const Executor& on, std::int64_t m, std::int64_t n, const MpNumbersOn& x, const MpNumbersOn& y,
                  const MpNumbersOn& a, std::int64_t lda) {
  with_moduli(a.n, "queue_mp_ger", [&]<class Set>(Set) {
    detail::queue_rank_one<Set>(on, detail::MpPart::all, m, n, x.view<Set>(), detail::entries(m, 1), y.view<Set>(),
                                detail::entries(n, 1), a.view<Set>(), lda);
  });
}

}  // namespace assay::mp
