// Exact sums and dot products on a CUDA device: kernels/sum/exact_sum.hpp on 10⁸ and on 10⁶ numbers that lie on the
// device, (r − 1/2)·exp(φ·g), r uniform in [0, 1), g normal, φ = 0, 1, 4; and numbers of every exponent.
//
// Medians and minima of 25 calls. Also the rate at which the numbers are read, and its fraction of the rate of a device
// copy (read and write) in the same run. For the first 10⁶ numbers the result is compared with the host's, bit for bit.
// Run: build/cuda/bin/exact_sum.
#include "kernels/sum/exact_sum.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arith/bits/traits.hpp"
#include "bench/common.hpp"
#include "bench/timer.hpp"

namespace assay::bench {
namespace {

constexpr std::int64_t size = 100'000'000;
constexpr std::int64_t compared = 1'000'000;
constexpr int calls = 25;

/// Numbers of every exponent.
struct EveryExponent {
  double* x;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t k = stream_begin(stream) + 2 * i;
    x[i] = ::ldexp(random_uniform(k) - 0.5, static_cast<int>(random_uniform(k + 1) * 2000) - 1000);
  }
};

/// Two arrays of numbers on the device; φ < 0: of every exponent.
void fill(const Executor& on, double phi, const DeviceArray<double>& x, std::uint64_t stream) {
  if (phi < 0) {
    queue_indices(on, x.size(), EveryExponent{x.data(), stream});
  } else {
    queue_indices(on, x.size(), GradedFill{x.data(), phi, stream});
  }
}

void measure(const Executor& on) {
  const double copy = copy_rate(on);
  std::printf("copy %.2f TB/s (read and write); medians of %d calls\n", copy * 1e-12, calls);
  const auto n = static_cast<std::size_t>(size);
  const DeviceArray<double> x(on, n), y(on, n), result(on, 1);
  const DeviceArray<std::int64_t> workspace(on, sum::exact_sum_workspace());
  const auto row = [&](const Table& table, const char* name, double phi, std::int64_t count, double arrays,
                       const Times& times, bool same) {
    const double rate = arrays * static_cast<double>(count) * sizeof(double) / (times.median * 1e-3);
    table.row({name, phi < 0 ? "every exponent" : fixed(phi, 0), std::to_string(count), fixed(times.median, 4),
               fixed(times.minimum, 4), fixed(rate * 1e-12, 2), percent(rate / copy), same ? "same" : "DIFFERENT"});
  };
  const Table table({"kernel", "φ", "numbers", "ms", "least, ms", "TB/s", "of copy", "bits of the host"});
  const auto same = [](double p, double q) { return to_bits(p) == to_bits(q); };
  for (const double phi : {0.0, 1.0, 4.0, -1.0}) {
    fill(on, phi, x, 0);
    fill(on, phi, y, 1);
    const std::vector<double> left = x.first(compared), right = y.first(compared);
    const std::span<const double> a = left, b = right;
    const auto sum_once = [&](std::int64_t count) {
      sum::exact_sum(on, x.data(), count, Rounding::rn, result.data(), workspace.data());
    };
    const auto dot_once = [&](std::int64_t count) {
      sum::exact_dot(on, x.data(), y.data(), count, Rounding::rn, result.data(), workspace.data());
    };
    sum_once(compared);
    const bool same_sum = same(result.all().front(), sum::exact_sum(Executor::host(), a));
    dot_once(compared);
    const bool same_dot = same(result.all().front(), sum::exact_dot(Executor::host(), a, b));
    for (const std::int64_t count : {size, compared}) {
      row(table, "sum", phi, count, 1, time_calls(on, calls, [&](int) { sum_once(count); }), same_sum);
      row(table, "dot", phi, count, 2, time_calls(on, calls, [&](int) { dot_once(count); }), same_dot);
    }
  }
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("exact_sum", assay::bench::measure); }
