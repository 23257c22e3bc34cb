#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
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

/// So many operations are enough for a thread: they take some milliseconds.
inline constexpr std::size_t enough_for_a_thread = std::size_t{1} << 16U;

/// f(i) for i below n, by Threads::count() threads if n entries of `work` operations each are enough for them. f only
/// writes to entry i, and does not throw. Within a thread i ascends: the results are the same.
template <class F>
void for_each_entry(std::size_t n, std::size_t work, const F& f) {
  const std::size_t threads =
      std::min<std::size_t>(Threads::count(), n * std::max<std::size_t>(work, 1) / enough_for_a_thread);
  const auto part = [&](std::size_t t, std::size_t of) {
    for (std::size_t i = n * t / of; i < n * (t + 1) / of; ++i) f(i);
  };
  if (threads < 2) return part(0, 1);
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back([&, t] { part(t, threads); });
  part(0, threads);
}

/// f(i) for i below n, of `work` operations each: if these are enough, at the same time, and the threads are shared
/// out. f only writes what belongs to i. Errors: those of f.
template <class F>
void for_each_apart(std::size_t n, std::size_t work, const F& f) {
  if (Threads::count() < 2 || n < 2 || work < enough_for_a_thread) {
    for (std::size_t i = 0; i < n; ++i) f(i);
    return;
  }
  const auto own = [&f, threads = Threads::count() / static_cast<unsigned>(n)](std::size_t i) {
    const Threads share(threads);
    f(i);
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < n; ++i) others.push_back(std::async(std::launch::async, own, i));
  own(0);
  for (std::future<void>& each : others) each.get();
}

}  // namespace assay::formulas
