#include "kernels/gemv/mp_gemv_exact.hpp"

#include "exec/dependent_launch.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"

namespace assay::gemv {
namespace {

/// Queues the kernels of a call; each of them may begin before the previous one has ended.
auto queued(const Executor& on) {
  return [&on](std::size_t blocks, const auto& kernel, bool first) {
    if (first) {
      queue_blocks(on, blocks, kernel);
    } else {
      queue_dependent_blocks(on, blocks, kernel);
    }
  };
}

}  // namespace

MpGemvExactPlan::MpGemvExactPlan(int moduli, blas::Transpose trans, std::int64_t m, std::int64_t n)
    : moduli_(moduli), trans_(trans), m_(m), n_(n) {
  blas::require_argument(m >= 0 && n >= 0, detail::routine, "m and n are at least 0");
  detail::require_moduli(moduli);
  const bool transposed = trans == blas::Transpose::yes;
  const std::int64_t terms = transposed ? m : n;
  // A product with too many terms is only allowed with α = 0, where no term is read.
  detail::GemvExactPlan product =
      detail::gemv_exact_plan(moduli, transposed, transposed ? n : m, terms > detail::most_terms ? 0 : terms);
  detail::WorkspaceParts parts;
  detail::place(product, parts);
  product_ = std::make_shared<const detail::GemvExactPlan>(product);
  workspace_ = parts.bytes();
}

void mp_gemv_exact(const Executor& on, const MpGemvExactPlan& plan, const mp::MpArray& alpha, const MpPlanes& a,
                   std::int64_t lda, const MpPlanes& x, std::int64_t incx, const mp::MpArray& beta,
                   const MpResultPlanes& y, std::int64_t incy, std::byte* workspace) {
  detail::product_in_memory<detail::GemvExactCall>(plan, alpha, a, lda, x, incx, beta, y, incy, workspace, queued(on));
}

mp::MpArray mp_gemv_exact(const Executor& on, blas::Transpose trans, std::int64_t m, std::int64_t n,
                          const mp::MpArray& alpha, const mp::MpArray& a, std::int64_t lda, const mp::MpArray& x,
                          std::int64_t incx, const mp::MpArray& beta, const mp::MpArray& y, std::int64_t incy) {
  return detail::product_of_arrays<detail::GemvExactCall>(on, trans, m, n, alpha, a, lda, x, incx, beta, y, incy,
                                                          queued(on));
}

}  // namespace assay::gemv
