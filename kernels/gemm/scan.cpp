#include "kernels/gemm/scan.hpp"

#include <algorithm>
#include <vector>

#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/detail/scan_block.hpp"

namespace assay::gemm {

void gemm_scan(const Executor& on, const GemmLines& of, GemmLine* result) {
  using Kernel = detail::GemmScanKernel;
  const std::int64_t blocks = (of.lines + Kernel::lines_a_block - 1) / Kernel::lines_a_block;
  queue_blocks(on, static_cast<std::size_t>(blocks), Kernel{of, result});
}

GemmScanSummary gemm_scan_summary(const Executor& on, const GemmLine* lines, std::int64_t count) {
  std::vector<GemmLine> all(static_cast<std::size_t>(count));
  copy_from(on, all.data(), lines, all.size() * sizeof(GemmLine));
  GemmLine none = GemmLine::nothing();
  GemmScanSummary summary{0, none.top, none.low, 0};
  for (const GemmLine& line : all) {
    summary.most_bits = std::max(summary.most_bits, line.bits());
    summary.top = std::max(summary.top, line.top);
    summary.low = std::min(summary.low, line.low);
    summary.non_finite |= line.non_finite;
  }
  return summary;
}

}  // namespace assay::gemm
