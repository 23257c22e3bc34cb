#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace assay::formulas {

/// While one lives, entries of its thread are computed by so many threads where there is enough to do: a result that
/// somebody has is judged alone, and drawn cases are asked by processes that share the cores already.
class Threads {
 public:
  explicit Threads(unsigned count) : before_(count_) { count_ = std::max(1U, count); }
  ~Threads() { count_ = before_; }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  static unsigned count() { return count_; }

 private:
  static inline thread_local unsigned count_ = 1;
  unsigned before_;
};

/// f(i) for i below n, by Threads::count() threads where n entries of `work` operations each are enough for them. f
/// writes to entry i alone, and does not throw. The order within a thread is that of i: the results are the same.
template <class F>
void for_each_entry(std::size_t n, std::size_t work, const F& f) {
  constexpr std::size_t enough = std::size_t{1} << 18U;  // operations a thread: some milliseconds
  const std::size_t threads = std::min<std::size_t>(Threads::count(), n * std::max<std::size_t>(work, 1) / enough);
  const auto part = [&](std::size_t t, std::size_t of) {
    for (std::size_t i = n * t / of; i < n * (t + 1) / of; ++i) f(i);
  };
  if (threads < 2) return part(0, 1);
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&, t] { part(t, threads); });
  part(0, threads);
}

}  // namespace assay::formulas
