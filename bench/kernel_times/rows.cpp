#include "bench/kernel_times/rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#if defined(__CUDACC__)
#include <cuda_profiler_api.h>

#include "bench/timer.hpp"
#endif

namespace assay::bench {
namespace {

constexpr int calls = 21;

template <class Call, class Before>
Times time_on_host(Call&& call, Before&& before) {
  std::vector<double> times;
  for (int i = -1; i < calls; ++i) {
    before();
    const auto begin = std::chrono::steady_clock::now();
    call();
    const auto end = std::chrono::steady_clock::now();
    if (i >= 0) times.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front()};
}

double measured_copy_rate(const Executor& on) {
#if defined(__CUDACC__)
  if (on.kind() == Executor::Kind::cuda) return copy_rate(on);
#endif
  constexpr std::size_t bytes = std::size_t{1} << 24;
  const DeviceArray<char> from(on, bytes);
  const DeviceArray<char> to(on, bytes);
  std::memset(from.data(), 1, bytes);
  const Times copy = time_on_host([&] { copy_to(on, to.data(), from.data(), bytes); }, [] {});
  return 2.0 * static_cast<double>(bytes) / (copy.median * 1e-3);
}

}  // namespace

Rows::Rows(const Executor& on, Sizes sizes, Calls way)
    : on_(on),
      sizes_(sizes),
      calls_(way),
      copy_rate_([&] {
        const double rate = measured_copy_rate(on);
        std::printf("copy %.3f TB/s (read and written); %d calls a row\n", rate * 1e-12, calls);
        return rate;
      }()),
      table_({"kernel", "numbers", "shape", "median, µs", "least, µs", "MB", "of the copy's rate"}) {}

void Rows::time(const std::string& kernel, const std::string& numbers, const std::string& shape, double bytes,
                const std::function<void()>& call, const std::function<void()>& before) const {
  const auto prepare = [&] {
    if (before) before();
  };
  Times times{};
#if defined(__CUDACC__)
  if (calls_ == Calls::profiled) {
    std::printf("row: %s, %s, %s\n", kernel.c_str(), numbers.c_str(), shape.c_str());
    std::fflush(stdout);
    prepare();
    call();
    wait(on_);
    prepare();
    wait(on_);
    check(cudaProfilerStart());
    call();
    wait(on_);
    check(cudaProfilerStop());
    return;
  }
  if (on_.kind() == Executor::Kind::cuda) {
    times = time_calls(
        on_, calls, [&](int) { call(); }, [&](int) { prepare(); });
  } else {
    times = time_on_host(call, prepare);
  }
#else
  times = time_on_host(call, prepare);
#endif
  table_.row({kernel, numbers, shape, fixed(times.median * 1e3, 2), fixed(times.minimum * 1e3, 2),
              fixed(bytes * 1e-6, 3), percent(bytes / (times.median * 1e-3) / copy_rate_)});
}

}  // namespace assay::bench
