#include "exec/launch.hpp"
#include "kernels/expansion/detail/norm_kernels.hpp"
#include "kernels/expansion/detail/vector_operands.hpp"
#include "kernels/expansion/vectors.hpp"

namespace assay::expansion {
namespace {

constexpr const char* routine = "expansion_nrm2";

void check_call(int words, std::int64_t n) {
  detail::require_words(words, routine);
  blas::require_argument(n >= 0, routine, "n is at least 0");
}

}  // namespace

void expansion_nrm2(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, double* result) {
  check_call(words, n);
  detail::with_operands(words, routine, {x}, [&](auto w, auto aligned) {
    const auto operand = detail::operand_of<w, aligned>(x, n, incx);
    double* const largest = result + sum_workspace(words, n);
    detail::queue_lane_sum(on, detail::SquareTerms<w, aligned>{operand}, n, result,
                           detail::StoreRootInRange<w>{largest, result});
    detail::queue_lane_sum(on, detail::ScaledSquareTerms<w, aligned>{operand, largest}, n, result,
                           detail::StoreRoot<w>{largest, result});
  });
}

std::vector<double> expansion_nrm2(const Executor& on, int words, std::int64_t n, std::span<const double> x,
                                   std::int64_t incx) {
  check_call(words, n);
  blas::require_argument(blas::holds_vector(detail::entries_in(x, words, routine), n, incx), routine, "x is too short");
  const std::vector<double> workspace(norm_workspace(words, n));
  std::vector<double> result = detail::on_executor(
      on, x, {}, workspace,
      [&](const double* a, const double*, double* to) { expansion_nrm2(on, words, n, a, incx, to); });
  result.resize(static_cast<std::size_t>(words));
  return result;
}

}  // namespace assay::expansion
