#include "kernels/scan/scan.hpp"

#include "kernels/scan/detail/scan_call.hpp"

namespace assay::scan {

std::size_t workspace(std::int64_t n) { return detail::words_of_workspace(n); }

void inclusive_sum(const Executor& on, const double* x, std::int64_t n, double* y, std::int64_t* workspace) {
  detail::queue_scan(on, true, x, n, y, workspace);
}
void exclusive_sum(const Executor& on, const double* x, std::int64_t n, double* y, std::int64_t* workspace) {
  detail::queue_scan(on, false, x, n, y, workspace);
}

std::vector<double> inclusive_sum(const Executor& on, std::span<const double> x) {
  return detail::scan_of_array(on, true, x);
}
std::vector<double> exclusive_sum(const Executor& on, std::span<const double> x) {
  return detail::scan_of_array(on, false, x);
}

}  // namespace assay::scan
