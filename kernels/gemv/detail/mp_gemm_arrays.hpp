#pragma once
// The checks of a call of mp_gemm, and calls with arrays on the host.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/launch.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"
#include "kernels/gemv/mp_gemm.hpp"

namespace assay::gemm::detail {

inline constexpr const char* mp_routine = "mp_gemm";

inline std::int64_t rows_of_a(const MpGemmShape& s) { return s.trans_a == blas::Transpose::yes ? s.k : s.m; }
inline std::int64_t columns_of_a(const MpGemmShape& s) { return s.trans_a == blas::Transpose::yes ? s.m : s.k; }
inline std::int64_t rows_of_b(const MpGemmShape& s) { return s.trans_b == blas::Transpose::yes ? s.n : s.k; }
inline std::int64_t columns_of_b(const MpGemmShape& s) { return s.trans_b == blas::Transpose::yes ? s.k : s.n; }

/// The checks that need no array of numbers except the scalars.
inline void check_mp_gemm(const MpGemmShape& s, const mp::MpArray& alpha, std::int64_t lda, std::int64_t ldb,
                          const mp::MpArray& beta, std::int64_t ldc) {
  using blas::require_argument;
  gemv::detail::require_moduli(s.moduli, mp_routine);
  require_argument(s.m >= 0 && s.n >= 0 && s.k >= 0, mp_routine, "m, n and k are at least 0");
  const auto is_leading = [](std::int64_t leading, std::int64_t rows) { return leading >= 1 && leading >= rows; };
  require_argument(is_leading(lda, rows_of_a(s)), mp_routine, "lda is at least 1 and the rows of A");
  require_argument(is_leading(ldb, rows_of_b(s)), mp_routine, "ldb is at least 1 and the rows of B");
  require_argument(is_leading(ldc, s.m), mp_routine, "ldc is at least max(1, m)");
  require_argument(alpha.length == 1 && beta.length == 1, mp_routine, "alpha and beta are one number each");
  mp::require_mp_array(alpha, s.moduli, mp_routine, "alpha");
  mp::require_mp_array(beta, s.moduli, mp_routine, "beta");
}

inline bool reads_ab(const MpGemmShape& s, const mp::MpArray& alpha) {
  return s.k > 0 && !gemv::detail::is_zero(alpha, 0);
}

inline bool returns_at_once(const MpGemmShape& s, const mp::MpArray& alpha, const mp::MpArray& beta) {
  return s.m == 0 || s.n == 0 || (!reads_ab(s, alpha) && gemv::detail::is_one(beta));
}

/// Marks the entries as out of range for which a number out of range was read.
inline void mark_out_of_range(mp::MpArray& result, const MpGemmShape& s, const mp::MpArray& alpha, const mp::MpArray& a,
                              std::int64_t lda, const mp::MpArray& b, std::int64_t ldb, const mp::MpArray& beta,
                              const mp::MpArray& c, std::int64_t ldc) {
  const bool product = reads_ab(s, alpha);
  const bool start = !gemv::detail::is_zero(beta, 0);
  const bool all =
      (product && gemv::detail::is_out_of_range(alpha, 0)) || (start && gemv::detail::is_out_of_range(beta, 0));
  const auto marked = [&](const mp::MpArray& x, std::int64_t lines, std::int64_t line_step, std::int64_t term_step) {
    std::vector<bool> found(static_cast<std::size_t>(lines));
    for (std::int64_t i = 0; product && i < lines; ++i) {
      for (std::int64_t l = 0; l < s.k && !found[static_cast<std::size_t>(i)]; ++l) {
        found[static_cast<std::size_t>(i)] =
            gemv::detail::is_out_of_range(x, static_cast<std::size_t>(i * line_step + l * term_step));
      }
    }
    return found;
  };
  const bool ta = s.trans_a == blas::Transpose::yes;
  const bool tb = s.trans_b == blas::Transpose::yes;
  const std::vector<bool> rows = marked(a, s.m, ta ? lda : 1, ta ? 1 : lda);
  const std::vector<bool> columns = marked(b, s.n, tb ? 1 : ldb, tb ? ldb : 1);
  for (std::int64_t j = 0; j < s.n; ++j) {
    for (std::int64_t i = 0; i < s.m; ++i) {
      const auto k = static_cast<std::size_t>(i + j * ldc);
      if (!all && !rows[static_cast<std::size_t>(i)] && !columns[static_cast<std::size_t>(j)] &&
          !(start && gemv::detail::is_out_of_range(c, k))) {
        continue;
      }
      for (std::size_t d = 0; d <= static_cast<std::size_t>(c.n); ++d) result.digits[d * c.length + k] = 0;
      result.sign[k] = 0;
      result.exponent[k] = mp::out_of_range_exponent;
      result.lower[k] = result.upper[k] = {};
    }
  }
}

/// mp_gemm of arrays on the host by Call(on, shape, alpha, a, lda, b, ldb, beta, c, ldc, options).run(), whose operands
/// lie on the executor.
template <class Call>
mp::MpArray mp_gemm_of_arrays(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha,
                              const mp::MpArray& a, std::int64_t lda, const mp::MpArray& b, std::int64_t ldb,
                              const mp::MpArray& beta, const mp::MpArray& c, std::int64_t ldc,
                              const GemmOptions& options) {
  check_mp_gemm(shape, alpha, lda, ldb, beta, ldc);
  mp::require_mp_array(c, shape.moduli, mp_routine, "c");
  blas::require_argument(blas::holds_matrix(c.length, shape.m, shape.n, ldc), mp_routine, "c is too short");
  const bool product = reads_ab(shape, alpha) && shape.m > 0 && shape.n > 0;
  if (product) {
    blas::require_argument(shape.k <= gemv::detail::most_terms, mp_routine, "k is at most 2^28");
    mp::require_mp_array(a, shape.moduli, mp_routine, "a");
    mp::require_mp_array(b, shape.moduli, mp_routine, "b");
    blas::require_argument(blas::holds_matrix(a.length, rows_of_a(shape), columns_of_a(shape), lda), mp_routine,
                           "a is too short");
    blas::require_argument(blas::holds_matrix(b.length, rows_of_b(shape), columns_of_b(shape), ldb), mp_routine,
                           "b is too short");
  }
  if (returns_at_once(shape, alpha, beta)) return c;
  const mp::MpArray nothing = mp::mp_zeros(shape.moduli, 0, true);
  const mp::MpArray planes_a = mp::with_layout(product ? a : nothing, true);
  const mp::MpArray planes_b = mp::with_layout(product ? b : nothing, true);
  const mp::MpArray planes_c = mp::with_layout(c, true);
  const auto metas = [&](const mp::MpArray& x, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                         const char* too_far) {
    return gemv::detail::metas_of(
        x, product ? rows : 0, product ? columns : 0,
        [leading](std::int64_t i, std::int64_t j) { return i + j * leading; }, too_far, mp_routine);
  };
  const gemv::detail::Metas metas_a =
      metas(planes_a, rows_of_a(shape), columns_of_a(shape), lda, "exponents of a are more than 2^29 apart");
  const gemv::detail::Metas metas_b =
      metas(planes_b, rows_of_b(shape), columns_of_b(shape), ldb, "exponents of b are more than 2^29 apart");
  const gemv::detail::MpOperandOn a_on(on, planes_a, metas_a);
  const gemv::detail::MpOperandOn b_on(on, planes_b, metas_b);
  const gemv::detail::MpResultOn c_on(on, planes_c);
  Call(on, shape, alpha, a_on.planes(), lda, b_on.planes(), ldb, beta, c_on.planes(), ldc, options).run();
  wait(on);
  a_on.compare();
  b_on.compare();
  mp::MpArray result = c_on.take();
  mark_out_of_range(result, shape, alpha, a, lda, b, ldb, beta, c, ldc);
  return mp::with_layout(result, c.planes);
}

}  // namespace assay::gemm::detail
