#include "tests/mutants/device/execution_mutants.hpp"

#include <algorithm>

#include "arith/accumulators/superaccumulator.hpp"
#include "exec/launch.hpp"

namespace assay::mutants {

namespace {

struct BlockSum {
  static constexpr int threads = 64;
  struct Shared {
    double lane[threads];
    double sum;
  };
  BlockSumMistake mistake;
  const double* x;
  const std::size_t* offsets;
  double* sums;

  ASSAY_HD bool is(BlockSumMistake which) const { return mistake == which; }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const double* first = x + offsets[block.index()];
    const std::size_t n = offsets[block.index() + 1] - offsets[block.index()];
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0 && !is(BlockSumMistake::uninitialised)) s.sum = 0;
    });
    for (std::size_t done = 0; done < n; done += threads) {
      const std::size_t active = n - done < threads ? n - done : threads;
      block.for_each_thread([&](int t, Shared& s) {
        const auto at = static_cast<std::size_t>(t);
        if (at < active) {
          s.lane[t] = first[done + at];
        } else if (!is(BlockSumMistake::garbage_lanes)) {
          s.lane[t] = 0;
        }
        if (is(BlockSumMistake::barrier_removed) && t < threads / 2) s.lane[t] = s.lane[t] + s.lane[t + threads / 2];
      });
      if (is(BlockSumMistake::barrier_in_branch) && active < threads) return;
      for (int d = is(BlockSumMistake::barrier_removed) ? threads / 4 : threads / 2; d > 0; d /= 2) {
        block.for_each_thread([&](int t, Shared& s) {
          if (t < d) s.lane[t] = s.lane[t] + s.lane[t + d];
        });
      }
      block.for_each_thread([&](int t, Shared& s) {
        if (t == 0) s.sum = s.sum + s.lane[0];
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) sums[block.index()] = s.sum;
    });
  }
};

/// The sums of pairs, or all of them added to one element.
struct GridSum {
  static constexpr int threads = grid_sum_threads;
  struct Shared {
    double lane[threads];
  };
  const double* x;
  std::size_t n;
  double* sums;
  double* total;  ///< null: every block has its place in `sums`

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& s) {
      const std::size_t at = threads * block.index() + static_cast<std::size_t>(t);
      s.lane[t] = at < n ? x[at] : 0;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t != 0) return;
      const double sum = s.lane[0] + s.lane[1];
      if (total == nullptr) {
        sums[block.index()] = sum;
        return;
      }
#if defined(__CUDA_ARCH__)
      atomicAdd(total, sum);
#else
      *total = *total + sum;
#endif
    });
  }
};

/// The first value of a total, or the sum of the sums of blocks.
struct InOrder {
  const double* sums;
  std::size_t n;
  double* total;
  ASSAY_HD void operator()(std::size_t) const {
    double s = 0;
    for (std::size_t b = 0; b < n; ++b) s = s + sums[b];
    *total = s;
  }
};

/// A superaccumulator of a block.
struct SharedAccumulator {
  static constexpr int threads = 32;
  struct Shared {
    Superaccumulator total;
    Superaccumulator seen[threads];  ///< the total as each thread read it
  };
  bool race;
  const double* x;
  const std::size_t* offsets;
  double* sums;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const double* first = x + offsets[block.index()];
    const std::size_t n = offsets[block.index() + 1] - offsets[block.index()];
    block.for_each_thread([](int t, Shared& s) {
      if (t == 0) s.total = Superaccumulator{};
    });
    for (std::size_t done = 0; done < n; done += threads) {
      const std::size_t active = n - done < threads ? n - done : threads;
      block.for_each_thread([&](int t, Shared& s) {
        if (race) s.seen[t] = s.total;
        for (std::size_t i = 0; !race && t == 0 && i < active; ++i) s.total.add(first[done + i]);
      });
      block.for_each_thread([&](int t, Shared& s) {
        const auto at = static_cast<std::size_t>(t);
        if (!race || at >= active) return;
        s.seen[t].add(first[done + at]);
        s.total = s.seen[t];
      });
    }
    block.for_each_thread([&](int t, Shared& s) {
      if (t == 0) sums[block.index()] = s.total.round(Rounding::rn);
    });
  }
};

struct WriteRow {
  static constexpr int threads = 1;
  struct Shared {
    int unused;
  };
  double* rows;
  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int, Shared&) { rows[block.index()] = 1; });
  }
};

/// The elements that belong to thread `first` of a grid.
struct WriteByStrides {
  std::size_t n;
  std::size_t step;
  double* written;
  ASSAY_HD void operator()(std::size_t first) const {
    for (std::size_t i = first; i < n; i += step) written[i] = 1;
  }
};

constexpr std::size_t most_of_second_dimension = 65535;

#if defined(__CUDACC__)
__global__ void write_row_of_second_dimension(double* rows) { rows[blockIdx.y] = 1; }
#endif

void launch_along_second_dimension(const Executor& on, std::size_t rows, double* to) {
  if (on.kind() == Executor::Kind::host) {
    launch_blocks(on, rows > most_of_second_dimension ? 0 : rows, WriteRow{to});
    return;
  }
#if defined(__CUDACC__)
  begin_launch(on);
  if (rows == 0) return;
  void* arguments[] = {&to};
  static_cast<void>(cudaLaunchKernel(write_row_of_second_dimension, dim3(1, static_cast<unsigned>(rows)), dim3(1),
                                     arguments, 0, nullptr));
  static_cast<void>(cudaDeviceSynchronize());
  static_cast<void>(cudaGetLastError());
#else
  throw_host_only(on);
#endif
}

std::int64_t ones_of(const Array<double>& written) {
  const std::vector<double> after = written.take();
  return std::count(after.begin(), after.end(), 1.0);
}

/// The sum of each vector, each by a block of its own. Block is a kernel with the fields mistake, terms, offsets and
/// sums.
template <class Block, class Mistake>
std::vector<double> sums_by_blocks(Mistake mistake, const Executor& on, std::span<const double> x,
                                   sum::Offsets offsets) {
  const Array<double> terms(on, x);
  const Array<std::size_t> places(on, offsets);
  const Array<double> sums(on, offsets.size() - 1);
  launch_blocks(on, offsets.size() - 1, Block{mistake, terms.data(), places.data(), sums.data()});
  return sums.take();
}

}  // namespace

std::vector<double> block_sum_with(BlockSumMistake mistake, const Executor& on, std::span<const double> x,
                                   sum::Offsets offsets) {
  return sums_by_blocks<BlockSum>(mistake, on, x, offsets);
}

std::vector<double> grid_sum_with(bool atomic, const Executor& on, std::span<const double> x, sum::Offsets offsets) {
  std::vector<double> results;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::size_t n = offsets[i + 1] - offsets[i];
    const std::size_t blocks = (n + grid_sum_threads - 1) / grid_sum_threads;
    const Array<double> terms(on, x.subspan(offsets[i], n));
    const Array<double> sums(on, blocks);
    const Array<double> total(on, 1);
    if (atomic) launch_indices(on, 1, InOrder{sums.data(), 0, total.data()});
    launch_blocks(on, blocks, GridSum{terms.data(), n, sums.data(), atomic ? total.data() : nullptr});
    if (!atomic) launch_indices(on, 1, InOrder{sums.data(), blocks, total.data()});
    results.push_back(total.take()[0]);
  }
  return results;
}

std::vector<double> shared_accumulator_with(bool race, const Executor& on, std::span<const double> x,
                                            sum::Offsets offsets) {
  return sums_by_blocks<SharedAccumulator>(race, on, x, offsets);
}

std::int64_t written_rows_with(bool second_dimension, const Executor& on, std::int64_t rows) {
  const auto count = static_cast<std::size_t>(rows);
  const Array<double> written(on, count);
  if (second_dimension) {
    launch_along_second_dimension(on, count, written.data());
  } else {
    launch_blocks(on, count, WriteRow{written.data()});
  }
  return ones_of(written);
}

std::int64_t written_by_strides_with(bool usual_step, const Executor& on, std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  const Array<double> written(on, count);
  constexpr std::size_t threads = detail::index_threads;
  const std::size_t of_grid = count == 0 ? threads : threads * detail::index_blocks(on, count);
  const std::size_t step = usual_step ? threads * ((count + threads - 1) / threads) : of_grid;
  launch_indices(on, std::min(count, of_grid), WriteByStrides{count, step, written.data()});
  return ones_of(written);
}

}  // namespace assay::mutants
