#pragma once
// Work of a kernel on several cores of the host.

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

/// The cores of this machine, but no more threads than `shares`, and at least one.
inline unsigned host_threads_for(double shares) noexcept {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return shares < cores ? std::max(1U, static_cast<unsigned>(shares)) : cores;
}

/// work(t) for t = 0 … threads − 1, each on a thread of its own and the first on the calling thread; returns after the
/// last one. If a thread cannot be started, the calling thread does its work. Requires: `work` throws nothing (not
/// checked).
template <class Work>
void on_host_threads(unsigned threads, const Work& work) {
  std::vector<std::thread> others;
  others.reserve(threads);
  for (unsigned t = 1; t < threads; ++t) {
    try {
      others.emplace_back([&work, t] { work(t); });
    } catch (const std::system_error&) {
      work(t);
    }
  }
  work(0U);
  for (std::thread& each : others) each.join();
}

}  // namespace assay
