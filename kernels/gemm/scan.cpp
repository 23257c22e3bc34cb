#include "kernels/gemm/scan.hpp"

#include <algorithm>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "exec/launch.hpp"
#include "exec/two_grids.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/detail/scan_block.hpp"

namespace assay::gemm {

namespace {

std::size_t scan_blocks(const GemmLines& of) {
  constexpr std::int64_t lines = detail::GemmScanKernel::lines_a_block;
  return static_cast<std::size_t>(bits::ceil_div(of.lines, lines));
}

}  // namespace

void gemm_scan(const Executor& on, const GemmLines& of, GemmLine* result) {
  queue_blocks(on, scan_blocks(of), detail::GemmScanKernel{of, result});
}

void gemm_scan(const Executor& on, const GemmLines& first, const GemmLines& second, GemmLine* result) {
  queue_two_grids(on, scan_blocks(first), detail::GemmScanKernel{first, result}, scan_blocks(second),
                  detail::GemmScanKernel{second, result + first.lines});
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
