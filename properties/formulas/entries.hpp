#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace assay::formulas {

/// During the lifetime of an object, entries of its thread are computed by this many threads if there is enough work: a
/// given result is judged alone, whereas drawn cases run in processes that share the cores already.
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

/// f(i) for i below n, by Threads::count() threads if n entries of `work` operations each are enough for them. f only
/// writes to entry i, and does not throw. Within a thread i ascends: the results are the same.
template <class F>
void for_each_entry(std::size_t n, std::size_t work, const F& f) {
  constexpr std::size_t enough = std::size_t{1} << 18U;  // operations for each thread: some milliseconds
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
