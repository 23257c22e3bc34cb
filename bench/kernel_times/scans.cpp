// Exact scans of numbers (r − 1/2)·exp(φ·g), r uniform and g normal, and of numbers of every exponent; on a device
// beside CUB's scan, whose bits depend on its tiles.
#include <cstdint>
#include <string>

#include "bench/kernel_times/operands.hpp"
#include "bench/kernel_times/rows.hpp"
#include "exec/launch.hpp"
#include "kernels/scan/scan.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>

#include "bench/timer.hpp"
#endif

namespace assay::bench {
namespace {

/// Numbers of every exponent.
struct EveryExponent {
  double* x;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t k = stream_begin(6) + 2 * i;
    x[i] = ::ldexp(random_uniform(k) - 0.5, static_cast<int>(random_uniform(k + 1) * 2000) - 1000);
  }
};

}  // namespace

void time_scans(const Rows& rows) {
  const Executor& on = rows.on();
  const std::int64_t n = rows.size(100000000, 5000);
  const DeviceArray<double> x(on, static_cast<std::size_t>(n));
  const DeviceArray<double> y(on, static_cast<std::size_t>(n));
  const DeviceArray<std::int64_t> work(on, scan::workspace(n));
  const std::string shape = std::to_string(n);
  const double bytes = 16.0 * static_cast<double>(n);
  for (const double phi : {0.0, 1.0, 4.0, -1.0}) {
    if (phi < 0) {
      queue_indices(on, x.size(), EveryExponent{x.data()});
    } else {
      queue_indices(on, x.size(), GradedFill{x.data(), phi, 5});
    }
    const std::string numbers = phi < 0 ? "every exponent" : "φ = " + fixed(phi, 0);
    rows.time("inclusive_sum", numbers, shape, bytes,
              [&] { scan::inclusive_sum(on, x.data(), n, y.data(), work.data()); });
  }
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::host) return;
  std::size_t size = 0;
  const auto sum = [&](void* memory) {
    check(cub::DeviceScan::InclusiveSum(memory, size, x.data(), y.data(), static_cast<int>(n)));
  };
  sum(nullptr);
  const DeviceArray<char> memory(on, size);
  rows.time("cub::DeviceScan::InclusiveSum", "any", shape, bytes, [&] { sum(memory.data()); });
#endif
}

}  // namespace assay::bench
