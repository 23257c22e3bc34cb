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
        const double ratio = error.upper == 0 ? 0 : error.upper / (error.scale * factor);
        if (ratio > mine.largest) {
          mine.largest = ratio;
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

/// Instantiates judge_cells() where a source file has `template struct JudgesCells<…>;`.
template <class... Probe>
struct JudgesCells {
  static constexpr std::tuple functions{&judge_cells<Probe>...};
};

}  // namespace assay::probes
