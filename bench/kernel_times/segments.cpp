// Exact sums of segments and scatter-add, of numbers (r − 1/2)·exp(g), r uniform and g normal; on a device beside what
// CUB and atomic additions in binary64 take, whose bits depend on the order.
#include <cstdint>
#include <string>
#include <vector>

#include "bench/kernel_times/operands.hpp"
#include "bench/kernel_times/rows.hpp"
#include "exec/launch.hpp"
#include "kernels/segment/segmented_sum.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_segmented_reduce.cuh>

#include "bench/timer.hpp"
#endif

namespace assay::bench {
namespace {

/// Uniform in 0 … m − 1; or rising, n/m equal ones after each other.
struct FillIndices {
  std::int32_t* index;
  std::int64_t n, m;
  bool sorted;
  ASSAY_HD void operator()(std::size_t i) const {
    index[i] = static_cast<std::int32_t>(
        sorted ? static_cast<std::int64_t>(i) * m / n
               : static_cast<std::int64_t>(random_uniform(stream_begin(9) + i) * static_cast<double>(m)));
  }
};

struct FillOffsets {
  std::int64_t* offset;
  std::int64_t length;
  ASSAY_HD void operator()(std::size_t i) const { offset[i] = static_cast<std::int64_t>(i) * length; }
};

struct AtomicScatter {
  const double* x;
  const std::int32_t* index;
  double* y;
  ASSAY_HD void operator()(std::size_t i) const {
    static_cast<void>(ASSAY_ON_DEVICE(atomicAdd(y + index[i], x[i]), y[index[i]] += x[i]));
  }
};

void time_scatter(const Rows& rows, const DeviceArray<double>& x, std::int64_t m, bool sorted) {
  const Executor& on = rows.on();
  const auto n = static_cast<std::int64_t>(x.size());
  const DeviceArray<std::int32_t> index(on, x.size());
  queue_indices(on, x.size(), FillIndices{index.data(), n, m, sorted});
  const DeviceArray<double> y = entries(on, 1, m, 8);
  const DeviceArray<std::int64_t> outside(on, 1);
  const DeviceArray<std::int64_t> work(on, segment::workspace(m));
  const std::string targets = std::to_string(n) + (sorted ? " to sorted " : " to ") + std::to_string(m);
  const double bytes = 12.0 * static_cast<double>(n) + 16.0 * static_cast<double>(m);
  rows.time("scatter_add", "binary64", targets, bytes,
            [&] { segment::scatter_add(on, x.data(), index.data(), n, y.data(), m, outside.data(), work.data()); });
  rows.time("atomicAdd", "binary64", targets, bytes, [&] {
    queue_indices(on, x.size(), AtomicScatter{x.data(), index.data(), y.data()});
  });
}

void time_segments(const Rows& rows, const DeviceArray<double>& x, std::int64_t length) {
  const Executor& on = rows.on();
  const auto n = static_cast<std::int64_t>(x.size()) / length * length;
  const std::int64_t m = n / length;
  const DeviceArray<std::int64_t> offsets(on, static_cast<std::size_t>(m + 1));
  queue_indices(on, offsets.size(), FillOffsets{offsets.data(), length});
  const DeviceArray<double> y(on, static_cast<std::size_t>(m));
  const DeviceArray<std::int64_t> work(on, segment::workspace(m));
  const std::string segments = std::to_string(m) + " × " + std::to_string(length);
  const double bytes = 8.0 * static_cast<double>(n) + 16.0 * static_cast<double>(m);
  rows.time("segmented_sum", "binary64", segments, bytes,
            [&] { segment::segmented_sum(on, x.data(), n, offsets.data(), y.data(), m, work.data()); });
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::host) return;
  std::size_t size = 0;
  const auto sum = [&](void* memory) {
    check(cub::DeviceSegmentedReduce::Sum(memory, size, x.data(), y.data(), static_cast<int>(m), offsets.data(),
                                          offsets.data() + 1));
  };
  sum(nullptr);
  const DeviceArray<char> memory(on, size);
  rows.time("cub::DeviceSegmentedReduce::Sum", "binary64", segments, bytes, [&] { sum(memory.data()); });
#endif
}

}  // namespace

void time_segments(const Rows& rows) {
  const std::int64_t n = rows.size(100000000, 5000);
  const DeviceArray<double> x(rows.on(), static_cast<std::size_t>(n));
  queue_indices(rows.on(), x.size(), GradedFill{x.data(), 1, 7});
  const std::int64_t m = rows.size(1000000, 50);
  time_scatter(rows, x, m, false);
  time_scatter(rows, x, m, true);
  time_scatter(rows, x, rows.size(1000, 3), false);
  for (const std::int64_t length : {rows.size(100, 10), rows.size(10000, 1000), n}) time_segments(rows, x, length);
}

}  // namespace assay::bench
