#include "kernels/segment/segmented_sum.hpp"

#include "kernels/segment/detail/segment_call.hpp"

namespace assay::segment {

std::size_t workspace(std::int64_t m) { return detail::words_of_workspace(m); }

void scatter_add(const Executor& on, const double* x, const std::int32_t* index, std::int64_t n, double* y,
                 std::int64_t m, std::int64_t* outside, std::int64_t* workspace) {
  detail::queue_scatter_add(on, x, index, n, y, m, outside, workspace);
}

void segmented_sum(const Executor& on, const double* x, std::int64_t n, const std::int64_t* offsets, double* y,
                   std::int64_t m, std::int64_t* workspace) {
  detail::queue_segmented_sum(on, x, n, offsets, y, m, workspace);
}

ScatterResult scatter_add(const Executor& on, std::span<const double> x, std::span<const std::int32_t> index,
                          std::span<const double> y) {
  return detail::scatter_add_of_arrays(on, x, index, y);
}

std::vector<double> segmented_sum(const Executor& on, std::span<const double> x,
                                  std::span<const std::int64_t> offsets) {
  return detail::segmented_sum_of_arrays(on, x, offsets);
}

}  // namespace assay::segment
