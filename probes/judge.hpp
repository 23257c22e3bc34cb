#pragma once
// The launch behind judge_cells(), for files that nvcc compiles where CUDA is on.

#include "exec/launch.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

namespace detail {

/// A block judges a cell.
template <class Probe>
struct JudgeCell {
  static constexpr int threads = 256;
  struct Shared {
    CellResult of_thread[threads];
  };

  Probe probe;
  double factor;
  std::uint64_t seed;
  int input_class;
  std::uint64_t first;
  CellResult* results;

  ASSAY_HD static void take(CellResult& into, const CellResult& other) {
    into.undecided += other.undecided;
    if (other.largest > into.largest || (other.largest == into.largest && other.number < into.number)) {
      into.largest = other.largest;
      into.number = other.number;
    }
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::uint64_t begin = (first + block.index()) * cell;
    block.for_each_thread([&](int t, Shared& shared) {
      CellResult mine{-1, begin + static_cast<std::uint64_t>(t), 0};
      for (std::uint64_t i = static_cast<std::uint64_t>(t); i < cell; i += threads) {
        Stream stream(seed, static_cast<std::uint64_t>(input_class), begin + i);
        const typename Probe::Input input = probe.draw(stream, input_class);
        const Scaled error = probe.error(input, probe.run(input));
        if (!is_proved(error, factor)) ++mine.undecided;
        const double reached = ratio(error, factor);
        if (reached > mine.largest) {
          mine.largest = reached;
          mine.number = begin + i;
        }
      }
      shared.of_thread[t] = mine;
    });
    for (int half = threads / 2; half > 0; half /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < half) take(shared.of_thread[t], shared.of_thread[t + half]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) results[block.index()] = shared.of_thread[0];
    });
  }
};

}  // namespace detail

template <class Probe>
std::vector<CellResult> judge_cells(const Executor& on, const Probe& probe, double factor, std::uint64_t seed,
                                    int input_class, std::uint64_t first, std::size_t count) {
  const Array<CellResult> results(on, count);
  launch_blocks(on, count, detail::JudgeCell<Probe>{probe, factor, seed, input_class, first, results.data()});
  return results.take();
}

template <class Probes, class Formats>
struct JudgesCells;

/// Instantiates judge_cells() for each probe of a list on each format of a list, where a source file has `template
/// struct JudgesCells<Operations<…>, Formats<…>>;`.
template <template <class> class... Probe, class... T>
struct JudgesCells<Operations<Probe...>, Formats<T...>> {
  template <class U>
  static constexpr auto on_format() {
    return std::tuple{&judge_cells<Probe<U>>...};
  }
  static constexpr std::tuple functions{on_format<T>()...};
};

}  // namespace assay::probes
