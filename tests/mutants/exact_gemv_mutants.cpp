#include "tests/mutants/exact_gemv_mutants.hpp"

#include <type_traits>

#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"
#include "mutated/V16/kernels/gemv/detail/mp_gemv_exact_call.hpp"
#include "mutated/V17/kernels/gemv/detail/mp_gemv_exact_call.hpp"
#include "mutated/V18/kernels/gemv/detail/mp_gemv_exact_call.hpp"

namespace assay::mutants {

namespace {

template <template <bool> class Call>
mp::MpArray gemv_by(const gemv::MpGemvCase& c, const gemv::MpGemvArrays& operands) {
  const auto run = [](std::size_t blocks, const auto& kernel, bool) {
    using Kernel = std::remove_cvref_t<decltype(kernel)>;
    using Shared = typename Kernel::Shared;
    for (std::size_t i = 0; i < blocks; ++i) {
      Shared shared{};
      Block<Shared, Kernel::threads> block(shared, i);
      kernel(block);
    }
  };
  return gemv::detail::product_of_arrays<Call>(
      Executor::host(), c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, operands.alpha, operands.a,
      c.lda, operands.x, c.incx, operands.beta, operands.y, c.incy, run);
}

}  // namespace

mp::MpArray exact_gemv_with(ExactGemvMistake mistake, const gemv::MpGemvCase& c, const gemv::MpGemvArrays& operands) {
  switch (mistake) {
    case ExactGemvMistake::none:
      return gemv::mp_gemv_exact(Executor::host(), c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n,
                                 operands.alpha, operands.a, c.lda, operands.x, c.incx, operands.beta, operands.y,
                                 c.incy);
    case ExactGemvMistake::drops_far_products:
      return gemv_by<gemv::detail::v16::GemvExactCall>(c, operands);
    case ExactGemvMistake::head_too_early:
      return gemv_by<gemv::detail::v17::GemvExactCall>(c, operands);
    case ExactGemvMistake::rest_left_out:
      return gemv_by<gemv::detail::v18::GemvExactCall>(c, operands);
  }
  return operands.y;
}

}  // namespace assay::mutants
