#pragma once
// The launch behind climb(), for files that nvcc compiles where CUDA is on.

#include <algorithm>

#include "exec/launch.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

namespace detail {

/// Each thread of a block climbs by itself. The block keeps the case with the largest ratio. The threads of a warp make
/// moves of the same kind at the same time (probes/stream.hpp), each from its own case.
template <class Probe>
struct Climb {
  static constexpr int threads = climb_threads;
  /// A thread without an improvement for this many steps starts anew.
  static constexpr int patience = 256;
  using Input = typename Probe::Input;
  struct Shared {
    double ratio[threads];
    int of[threads];
  };

  Probe probe;
  double factor;
  std::uint64_t seed;
  int steps;
  const Input* starts;
  std::uint32_t start_count;
  Input* of_threads;  ///< room for the best case of each thread of each block
  Peak<Input>* peaks;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::uint64_t first = block.index() * threads;
    block.for_each_thread([&](int t, Shared& shared) {
      const std::uint64_t mine = first + static_cast<std::uint64_t>(t);
      // Classes of draws are few: this value is none of them.
      Stream stream(seed, ~std::uint64_t{0}, alike_side_by_side(mine));
      // Draw, move and judgment each occur once: a compiler inlines all of them.
      Input at{};
      Input highest{};
      double now = -1;
      double most = -1;
      int idle = patience;
      for (int step = 0; step < steps; ++step) {
        stream.share(static_cast<std::uint64_t>(step));
        const bool anew = idle >= patience;
        const bool beside = anew && start_count != 0 && stream.coin();
        Input next = at;
        if (beside) {
          next = starts[stream.below(start_count)];
        } else if (anew) {
          next =
              probe.draw(stream, static_cast<int>(stream.shared().below(static_cast<std::uint32_t>(Probe::classes))));
        }
        if ((beside || !anew) && !probe.move(stream, next)) {
          ++idle;
          continue;
        }
        const typename Probe::Output output = probe.run(next);
        const double lower = now * nearly_one;
        if (!anew && now > 0 && surely_below(probe, next, output, factor, lower < nearly_one ? lower : nearly_one)) {
          ++idle;
          continue;
        }
        const double reached = judged(probe, next, output, factor).ratio;
        idle = anew || reached > now ? 0 : idle + 1;
        if (anew || reached >= now) {
          at = next;
          now = reached;
        }
        if (reached > most) {
          highest = next;
          most = reached;
        }
      }
      of_threads[mine] = highest;
      shared.ratio[t] = most;
      shared.of[t] = t;
    });
    for (int half = threads / 2; half > 0; half /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < half && shared.ratio[t + half] > shared.ratio[t]) {
          shared.ratio[t] = shared.ratio[t + half];
          shared.of[t] = shared.of[t + half];
        }
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0)
        peaks[block.index()] = {shared.ratio[0], of_threads[first + static_cast<std::uint64_t>(shared.of[0])]};
    });
  }
};

}  // namespace detail

template <class Probe>
std::vector<Peak<typename Probe::Input>> climb(const Executor& on, const Probe& probe, double factor,
                                               std::uint64_t seed, const ClimbSize& size,
                                               std::span<const typename Probe::Input> starts) {
  using Input = typename Probe::Input;
  using Kernel = detail::Climb<Probe>;
  const Array<Input> from(on, starts);
  const Array<Input> of_threads(on, size.blocks * Kernel::threads);
  const Array<Peak<Input>> peaks(on, size.blocks);
  launch_blocks(on, size.blocks,
                Kernel{probe, factor, seed, size.steps, from.data(), static_cast<std::uint32_t>(starts.size()),
                       of_threads.data(), peaks.data()});
  return peaks.take();
}

}  // namespace assay::probes
