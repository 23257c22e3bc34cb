#pragma once
// The one timer of the benchmarks on a device.

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "bench/common.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"

namespace assay::bench {

/// Throws ExecutorError for a code of the CUDA runtime that is an error.
inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw ExecutorError(cudaGetErrorString(status));
}

/// An event of the device.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() const { check(cudaEventRecord(event_)); }
  /// Milliseconds from `begin` to this one, after both.
  [[nodiscard]] double since(const Event& begin) const {
    float time = 0;
    check(cudaEventElapsedTime(&time, begin.event_, event_));
    return static_cast<double>(time);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

inline __global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// The times of call(0), …, call(runs − 1) on the device, by events, after one call that does not count; before(i) runs
/// before each and is not timed. All calls are queued behind a kernel that spins for about 10 ms, so that the host's
/// part of calls that only queue is not timed; calls that wait are timed with their waits.
template <class Call, class Before>
Times time_calls(const Executor& on, int runs, Call&& call, Before&& before) {
  before(0);
  call(0);
  wait(on);
  const std::vector<Event> begin(static_cast<std::size_t>(runs));
  const std::vector<Event> end(static_cast<std::size_t>(runs));
  spin<<<1, 1>>>(20'000'000);
  for (int i = 0; i < runs; ++i) {
    before(i);
    begin[static_cast<std::size_t>(i)].record();
    call(i);
    end[static_cast<std::size_t>(i)].record();
  }
  check(cudaGetLastError());
  wait(on);
  std::vector<double> times;
  for (std::size_t i = 0; i < begin.size(); ++i) times.push_back(end[i].since(begin[i]));
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}
template <class Call>
Times time_calls(const Executor& on, int runs, Call&& call) {
  return time_calls(on, runs, call, [](int) {});
}

/// The bytes per second, read and written, of a copy from one array on the device to another, 512 MiB each.
inline double copy_rate(const Executor& on) {
  constexpr std::size_t bytes = std::size_t{1} << 29;
  const DeviceArray<std::byte> from(on, bytes);
  const DeviceArray<std::byte> to(on, bytes);
  fill_bytes(on, from.data(), 1, bytes);
  const Times copy =
      time_calls(on, 25, [&](int) { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice)); });
  return 2.0 * static_cast<double>(bytes) / (copy.median * 1e-3);
}

/// Operations in binary64 a second outside the tensor cores: one in each cycle of 64 units of each multiprocessor.
inline double operation_rate() {
  int multiprocessors = 0;
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  return 64.0 * multiprocessors * kilohertz * 1e3;
}

}  // namespace assay::bench
