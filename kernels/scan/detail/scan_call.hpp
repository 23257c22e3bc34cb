#pragma once
// The calls of scans, in both forms.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/scan/detail/tile_scan.hpp"
#include "kernels/scan/detail/wide_scan.hpp"

namespace assay::scan::detail {

/// Takes arrays out of the words of a workspace, one after the other; of no workspace, to count the words.
class Words {
 public:
  explicit Words(std::int64_t* first) : first_(first) {}
  template <class T>
  T* take(std::int64_t n) {
    T* const array = first_ == nullptr ? nullptr : reinterpret_cast<T*>(first_ + taken_);
    taken_ += (n * static_cast<std::int64_t>(sizeof(T)) + 7) / 8;
    return array;
  }
  [[nodiscard]] std::int64_t taken() const { return taken_; }

 private:
  std::int64_t* first_;
  std::int64_t taken_ = 0;
};

/// The arrays of a scan of n numbers.
struct ScanArrays {
  std::int64_t tiles;
  Chunks chunks;
  ScanHead* head;
  std::uint32_t* state;
  std::int64_t cleared;  ///< words up to here are 0 at first
  DigitSum* own;
  DigitSum* up_to;
  WideSum* sums;
  WideSum* parts;
  std::int64_t words;

  ScanArrays(std::int64_t n, std::int64_t* workspace)
      : tiles((n + TileScan::tile - 1) / TileScan::tile), chunks(Chunks::of(n)) {
    Words all(workspace);
    head = all.take<ScanHead>(1);
    state = all.take<std::uint32_t>(tiles);
    cleared = all.taken();
    own = all.take<DigitSum>(tiles);
    up_to = all.take<DigitSum>(tiles);
    sums = all.take<WideSum>(chunks.count);
    parts = all.take<WideSum>(ScanChunks::threads);
    words = all.taken();
  }
};

inline std::size_t words_of_workspace(std::int64_t n) { return static_cast<std::size_t>(ScanArrays(n, nullptr).words); }

inline void queue_scan(const Executor& on, bool inclusive, const double* x, std::int64_t n, double* y,
                       std::int64_t* workspace) {
  if (n < 0 || n >= std::int64_t{1} << 30) throw std::invalid_argument("a scan has 0 ... 2^30 - 1 numbers");
  const ScanArrays a(n, workspace);
  fill_bytes(on, workspace, 0, static_cast<std::size_t>(a.cleared) * sizeof *workspace);
  constexpr std::int64_t few = std::int64_t{1} << 18;
  sum::queue_measure(on, x, n, false, &a.head->sample, n < few ? 1 : 16);
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(on.most_blocks(), TileScan::most_blocks));
  queue_blocks(on, static_cast<std::size_t>(std::min(most, a.tiles)),
               TileScan{x, n, a.tiles, inclusive, y, a.head, a.state, a.own, a.up_to});
  const std::uint32_t* const needed = &a.head->failed;
  const auto chunks = static_cast<std::size_t>(a.chunks.count);
  queue_indices(on, chunks, SumChunks{x, a.chunks, needed, a.sums});
  queue_blocks(on, 1, ScanChunks{a.chunks, needed, a.sums, a.parts});
  queue_indices(on, chunks, RoundPrefixes{x, a.chunks, needed, a.sums, inclusive, y});
}

inline std::vector<double> scan_of_array(const Executor& on, bool inclusive, std::span<const double> x) {
  const Array<double> terms(on, x);
  const Array<double> sums(on, x.size());
  const auto n = static_cast<std::int64_t>(x.size());
  const Array<std::int64_t> work(on, words_of_workspace(n));
  queue_scan(on, inclusive, terms.data(), n, sums.data(), work.data());
  wait(on);
  terms.compare(x);
  static_cast<void>(work.take());
  return sums.take();
}

}  // namespace assay::scan::detail
