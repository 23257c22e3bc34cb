#include "kernels/gemv/mp_gemm.hpp"

#include "kernels/gemv/detail/mp_gemm_arrays.hpp"
#include "kernels/gemv/detail/mp_gemm_engine.hpp"

namespace assay::gemm {

MpGemmReport mp_gemm(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha, const gemv::MpPlanes& a,
                     std::int64_t lda, const gemv::MpPlanes& b, std::int64_t ldb, const mp::MpArray& beta,
                     const gemv::MpResultPlanes& c, std::int64_t ldc, const GemmOptions& options) {
  detail::check_mp_gemm(shape, alpha, lda, ldb, beta, ldc);
  if (detail::returns_at_once(shape, alpha, beta)) return {};
  if (detail::reads_ab(shape, alpha)) {
    blas::require_argument(shape.k <= gemv::detail::most_terms, detail::mp_routine, "k is at most 2^28");
  }
  return detail::MpGemmCall(on, shape, alpha, a, lda, b, ldb, beta, c, ldc, options).run();
}

mp::MpArray mp_gemm(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha, const mp::MpArray& a,
                    std::int64_t lda, const mp::MpArray& b, std::int64_t ldb, const mp::MpArray& beta,
                    const mp::MpArray& c, std::int64_t ldc, const GemmOptions& options) {
  return detail::mp_gemm_of_arrays<detail::MpGemmCall>(on, shape, alpha, a, lda, b, ldb, beta, c, ldc, options);
}

}  // namespace assay::gemm
