#include "kernels/refine/certified_solve.hpp"

#include "kernels/blas/arguments.hpp"
#include "kernels/refine/detail/solve_call.hpp"

namespace assay::refine {

CertifiedSolution certified_solve(const Executor& on, std::int64_t n, std::span<const double> a,
                                  std::span<const double> b) {
  const auto require = [](bool holds, const char* what) { blas::require_argument(holds, "certified_solve", what); };
  require(n >= 0 && n <= std::int64_t{1} << 14, "n is between 0 and 2^14");
  require(a.size() == static_cast<std::size_t>(n * n), "a has n*n entries");
  require(b.size() == static_cast<std::size_t>(n), "b has n entries");
  return detail::solve_call(on, n, a, b);
}

}  // namespace assay::refine
