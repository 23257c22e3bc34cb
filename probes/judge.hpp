#pragma once
// The launches behind judge_cells() and undecided_in(), for files that nvcc compiles where CUDA is on.

#include <algorithm>
#include <tuple>

#include "exec/atomic.hpp"
#include "exec/elementwise.hpp"
#include "exec/launch.hpp"
#include "probes/climb.hpp"
#include "probes/probe.hpp"

namespace assay::probes {

namespace detail {

/// The error of a case.
template <class Probe>
ASSAY_HD Scaled error_of_case(const Probe& probe, std::uint64_t seed, int input_class, std::uint64_t number) {
  const typename Probe::Input input = case_of(probe, seed, input_class, number);
  return probe.error(input, probe.run(input));
}

/// The results of cells that follow each other, one a block.
struct CellsFrom {
  std::uint64_t first;
  CellResult* results;
};
/// The cells whose cases that are not proved are to be listed, one a block, and the places of their lists in `numbers`.
struct CellsToList {
  const std::uint64_t* cells;
  const std::uint64_t* places;
  std::uint64_t* numbers;
};

/// A block judges a cell, and lists its cases that are not proved, in any order, where `list` has lists.
template <class Probe>
struct JudgeCell {
  static constexpr int threads = 256;
  struct Shared {
    CellResult of_thread[threads];
    std::uint64_t listed;
  };

  Probe probe;
  double factor;
  std::uint64_t seed;
  int input_class;
  CellsFrom judge;
  CellsToList list;

  ASSAY_HD static void take(CellResult& into, const CellResult& other) {
    into.undecided += other.undecided;
    if (other.largest > into.largest || (other.largest == into.largest && other.number < into.number)) {
      into.largest = other.largest;
      into.number = other.number;
    }
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const bool lists = list.numbers != nullptr;
    const std::uint64_t begin = (lists ? list.cells[block.index()] : judge.first + block.index()) * cell_of<Probe>;
    const std::uint64_t cases = cases_from(probe, input_class, begin);
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) shared.listed = 0;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      CellResult mine{-1, begin + static_cast<std::uint64_t>(t), 0};
      for (std::uint64_t i = static_cast<std::uint64_t>(t); i < cases; i += threads) {
        const Scaled error = error_of_case(probe, seed, input_class, begin + i);
        if (!is_proved(error, factor)) {
          ++mine.undecided;
          if (lists) {
            const std::uint64_t place = atomic::fetch_add(&shared.listed, std::uint64_t{1});
            list.numbers[list.places[block.index()] + place] = begin + i;
          }
        }
        const double reached = ratio(error, factor);
        if (reached > mine.largest) {
          mine.largest = reached;
          mine.number = begin + i;
        }
      }
      shared.of_thread[t] = mine;
    });
    if (lists) return;
    for (int half = threads / 2; half > 0; half /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < half) take(shared.of_thread[t], shared.of_thread[t + half]);
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (t == 0) judge.results[block.index()] = shared.of_thread[0];
    });
  }
};

}  // namespace detail

template <class Probe>
std::vector<CellResult> judge_cells(const Executor& on, const Probe& probe, double factor, std::uint64_t seed,
                                    int input_class, std::uint64_t first, std::size_t count) {
  const Array<CellResult> results(on, count);
  launch_blocks(on, count, detail::JudgeCell<Probe>{probe, factor, seed, input_class, {first, results.data()}, {}});
  return results.take();
}

template <class Probe>
std::vector<std::uint64_t> undecided_in(const Executor& on, const Probe& probe, double factor, std::uint64_t seed,
                                        int input_class, std::span<const CellCount> cells) {
  std::vector<std::uint64_t> of_cells;
  std::vector<std::uint64_t> places;
  std::uint64_t all = 0;
  for (const CellCount& each : cells) {
    of_cells.push_back(each.of_cell);
    places.push_back(all);
    all += each.undecided;
  }
  if (all == 0) return {};
  const Array<std::uint64_t> listed_cells(on, std::span<const std::uint64_t>(of_cells));
  const Array<std::uint64_t> first_places(on, std::span<const std::uint64_t>(places));
  const Array<std::uint64_t> list(on, all);
  launch_blocks(on, cells.size(),
                detail::JudgeCell<Probe>{
                    probe, factor, seed, input_class, {}, {listed_cells.data(), first_places.data(), list.data()}});
  std::vector<std::uint64_t> numbers = list.take();
  auto from = numbers.begin();
  for (const CellCount& each : cells) {
    const auto to = from + static_cast<std::ptrdiff_t>(each.undecided);
    std::sort(from, to);
    from = to;
  }
  return numbers;
}

/// Instantiates judge_cells(), undecided_in(), and climb() for a probe that climbs, where a source file has `template
/// struct JudgesCells<Probe>;`, or the same with `Operations<Probe…>, Formats<T…>` for each probe of a list on each
/// format of a list.
template <class... For>
struct JudgesCells;
template <class Probe>
struct JudgesCells<Probe> {
  static constexpr auto climbing() {
    if constexpr (Climbs<Probe>) {
      return std::tuple{&climb<Probe>};
    } else {
      return std::tuple<>{};
    }
  }
  static constexpr std::tuple functions =
      std::tuple_cat(std::tuple{&judge_cells<Probe>, &undecided_in<Probe>}, climbing());
};
template <template <class> class... Probe, class... T>
struct JudgesCells<Operations<Probe...>, Formats<T...>> {
  template <class U>
  static constexpr auto on_format() {
    return std::tuple_cat(JudgesCells<Probe<U>>::functions...);
  }
  static constexpr std::tuple functions{on_format<T>()...};
};

}  // namespace assay::probes
