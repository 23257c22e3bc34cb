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

/// The results of consecutive cells, one for each block.
struct CellsFrom {
  std::uint64_t first;
  CellResult* results;
};
/// The cells whose unproved cases are to be listed, one for each block, and the places of their lists in `numbers`.
struct CellsToList {
  const std::uint64_t* cells;
  const std::uint64_t* places;
  std::uint64_t* numbers;
};

/// A block judges a cell and, if `list` has lists, lists its unproved cases, in any order. The threads of a warp judge
/// alike cases (probes/stream.hpp) at the same time. A case that is surely proved, and surely not above the largest
/// ratio that its thread or, in an earlier phase, another thread found, costs only that decision. The result does not
/// depend on when a thread learns of such a ratio.
template <class Probe>
struct JudgeCell {
  static constexpr int threads = 256;
  static constexpr int phases = 13;
  struct Shared {
    CellResult of_thread[threads];
    std::int32_t reached[phases + 1];  ///< the upper half of the largest ratio known in a phase
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

  /// Case `round` of thread t, counted from the first of a cell: ascending in each thread. Whole cells of drawn cases
  /// have alike cases side by side.
  static constexpr bool takes_alike = !Enumerates<Probe> && cell_of<Probe> == alike * alike_step;
  ASSAY_HD static std::uint64_t place(int t, std::uint64_t round) {
    const auto thread = static_cast<std::uint64_t>(t);
    if constexpr (takes_alike) {
      return thread % alike * alike_step + thread / alike + round * (threads / alike);
    } else {
      return thread + round * threads;
    }
  }
  ASSAY_HD static std::int32_t upper_half(double x) { return static_cast<std::int32_t>(to_bits(x) >> 32); }
  /// A number below every positive one with this upper half; −1 if there is none.
  ASSAY_HD static double below_all(std::int32_t half) {
    return half > 0 ? from_bits<double>(static_cast<std::uint64_t>(half - 1) << 32) : -1;
  }
  ASSAY_HD static double at_most_nearly_one(double x) { return x < nearly_one ? x : nearly_one; }

  /// Rounds first … end − 1 of a thread.
  ASSAY_HD void judge_rounds(Shared& shared, int t, std::uint64_t first, std::uint64_t end, std::uint64_t begin,
                             std::uint64_t cases, double known, const std::uint64_t* places, CellResult& mine) const {
    const bool lists = places != nullptr;
    double below = at_most_nearly_one(lists || known > mine.largest ? known : mine.largest);
    for (std::uint64_t round = first; round < end; ++round) {
      const std::uint64_t i = place(t, round);
      if (!takes_alike && i >= cases) return;
      const typename Probe::Input input = case_of(probe, seed, input_class, begin + i);
      const typename Probe::Output output = probe.run(input);
      if (surely_below(probe, input, output, factor, below)) continue;
      const CaseResult result = judged(probe, input, output, factor);
      if (!result.proved) {
        ++mine.undecided;
        if (lists) list.numbers[*places + atomic::fetch_add(&shared.listed, std::uint64_t{1})] = begin + i;
      }
      if (result.ratio > mine.largest) {
        mine.largest = result.ratio;
        mine.number = begin + i;
        if (!lists && result.ratio > below) below = at_most_nearly_one(result.ratio);
      }
    }
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const bool lists = list.numbers != nullptr;
    const std::uint64_t begin = (lists ? list.cells[block.index()] : judge.first + block.index()) * cell_of<Probe>;
    const std::uint64_t cases = cases_from(probe, input_class, begin);
    const std::uint64_t* const places = lists ? list.places + block.index() : nullptr;
    auto mine = block.per_thread(CellResult{-1, 0, 0});
    block.for_each_thread([&](int t, Shared& shared) {
      mine[t].number = begin + place(t, 0);
      if (t <= phases) shared.reached[t] = 0;
      if (t == 0) shared.listed = 0;
    });
    // Phases of 1, 1, 2, 4, … rounds: so the ratios of earlier cases are known after few rounds.
    constexpr std::uint64_t all = (cell_of<Probe> + threads - 1) / threads;
    std::uint64_t first = 0;
    for (int phase = 0; first < all; ++phase) {
      const std::uint64_t end = phase < phases - 1 ? first + (first == 0 ? 1 : first) : all;
      block.for_each_thread([&](int t, Shared& shared) {
        const double known = lists ? nearly_one : below_all(shared.reached[phase]);
        judge_rounds(shared, t, first, end, begin, cases, known, places, mine[t]);
        const std::int32_t before = shared.reached[phase];
        const std::int32_t half = upper_half(mine[t].largest);
        if (t == 0 || half > before) atomic::fetch_max(&shared.reached[phase + 1], half > before ? half : before);
      });
      first = end;
    }
    if (lists) return;
    block.for_each_thread([&](int t, Shared& shared) { shared.of_thread[t] = mine[t]; });
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

/// Instantiates judge_cells(), undecided_in(), and climb() for a probe that can search, if a source file has `template
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
