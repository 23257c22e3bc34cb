// Exact sums and dot products on a CUDA device: the kernels of kernels/sum/exact_sum.hpp on 10⁸ numbers that lie on the
// device, (r − 1/2)·exp(φ·g), r uniform in [0, 1), g normal, φ = 0, 1, 4; and numbers of every exponent.
//
// Medians of 25 calls, timed by events: the call's kernels, and the whole call with its waits, by the host's clock.
// Beside them the rate in which the numbers are read and its part of the rate of a device copy (read and write) of the
// same arrays in the same run. For the first 10⁶ numbers the result is compared with the host's, bit for bit.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/launch.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay {
namespace {

constexpr std::int64_t size = 100'000'000;
constexpr std::int64_t compared = 1'000'000;
constexpr int calls = 25;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::int64_t n) { check(cudaMalloc(&data_, static_cast<std::size_t>(n) * sizeof(T))); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { check(cudaFree(data_)); }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

__device__ double uniform(std::uint64_t seed) {
  return static_cast<double>(bits::SplitMix64::mixed(seed * bits::SplitMix64::step) >> 11) * 0x1p-53;
}

/// (r − 1/2)·exp(φ·g); for φ < 0 numbers of every exponent.
__global__ void fill(double* x, std::int64_t n, double phi, std::uint64_t seed) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t k = seed + 3 * static_cast<std::uint64_t>(i) + 1;
    const double r = uniform(k) - 0.5;
    if (phi < 0) {
      x[i] = ::ldexp(r, static_cast<int>(uniform(k + 1) * 2000) - 1000);
    } else {
      const double g = ::sqrt(-2 * ::log(1 - uniform(k + 1))) * ::cospi(2 * uniform(k + 2));
      x[i] = r * ::exp(phi * g);
    }
  }
}

/// The median time of f in milliseconds, by events.
template <class F>
double median_of_events(const F& f) {
  std::array<cudaEvent_t, 2> events{};
  for (cudaEvent_t& each : events) check(cudaEventCreate(&each));
  std::vector<float> times;
  for (int i = 0; i < calls; ++i) {
    check(cudaEventRecord(events[0]));
    f();
    check(cudaEventRecord(events[1]));
    check(cudaEventSynchronize(events[1]));
    check(cudaEventElapsedTime(&times.emplace_back(), events[0], events[1]));
  }
  for (const cudaEvent_t each : events) check(cudaEventDestroy(each));
  check(cudaGetLastError());
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[calls / 2];
}

/// The median time of f in milliseconds, by the host's clock.
template <class F>
double median_of_calls(const F& f) {
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[calls / 2];
}

template <class Terms>
void launch_kernels(const Terms& terms, std::int64_t* workspace, double* result) {
  using Sum = assay::sum::detail::ExactSumBlock<Terms>;
  const std::int64_t blocks = std::min((size + Sum::step - 1) / Sum::step, Sum::most_blocks);
  detail::block_kernel<<<static_cast<unsigned>(blocks), Sum::threads>>>(Sum{terms, size, blocks, workspace});
  detail::block_kernel<<<1, assay::sum::detail::ExactSumEnd::threads>>>(
      assay::sum::detail::ExactSumEnd{workspace, blocks, Rounding::rn, result});
}

void print(const char* name, double phi, double bytes, double kernels, double call, double copy_rate, bool same) {
  const double rate = bytes / kernels * 1e-9;
  std::printf("%-4s %5.0f %9.4f %9.4f %6.2f %6.1f %%  %s\n", name, phi, kernels, call, rate, 100 * rate / copy_rate,
              same ? "same" : "DIFFERENT");
}

void measure() {
  const Executor on = Executor::cuda();
  const DeviceArray<double> x(size), y(size), result(1);
  const DeviceArray<std::int64_t> workspace(static_cast<std::int64_t>(assay::sum::exact_sum_workspace()));
  const auto bytes = static_cast<double>(size) * sizeof(double);
  const auto copy = [&] {
    check(
        cudaMemcpyAsync(y.data(), x.data(), static_cast<std::size_t>(size) * sizeof(double), cudaMemcpyDeviceToDevice));
  };
  copy();
  const double copy_rate = 2 * bytes / median_of_events(copy) * 1e-9;
  std::printf("copy %.2f TB/s (read and write)\n", copy_rate);
  std::printf("       phi   kernels      call   TB/s  of copy  bits of the host\n");
  for (const double phi : {0.0, 1.0, 4.0, -1.0}) {
    fill<<<1056, 256>>>(x.data(), size, phi, 0);
    fill<<<1056, 256>>>(y.data(), size, phi, 1u << 30);
    check(cudaDeviceSynchronize());
    std::vector<double> left(compared), right(compared);
    check(cudaMemcpy(left.data(), x.data(), compared * sizeof(double), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(right.data(), y.data(), compared * sizeof(double), cudaMemcpyDeviceToHost));
    const std::span<const double> a = left, b = right;
    const auto same = [](double p, double q) { return to_bits(p) == to_bits(q); };

    const assay::sum::detail::ExactSumTerms numbers{x.data()};
    const double sum = median_of_events([&] { launch_kernels(numbers, workspace.data(), result.data()); });
    const double sum_call = median_of_calls(
        [&] { assay::sum::exact_sum(on, x.data(), size, Rounding::rn, result.data(), workspace.data()); });
    print("sum", phi, bytes, sum, sum_call, copy_rate,
          same(assay::sum::exact_sum(on, a), assay::sum::exact_sum(Executor::host(), a)));

    const assay::sum::detail::ExactDotTerms products{x.data(), y.data()};
    const double dot = median_of_events([&] { launch_kernels(products, workspace.data(), result.data()); });
    const double dot_call = median_of_calls(
        [&] { assay::sum::exact_dot(on, x.data(), y.data(), size, Rounding::rn, result.data(), workspace.data()); });
    print("dot", phi, 2 * bytes, dot, dot_call, copy_rate,
          same(assay::sum::exact_dot(on, a, b), assay::sum::exact_dot(Executor::host(), a, b)));
  }
}

}  // namespace
}  // namespace assay

int main() { assay::measure(); }
