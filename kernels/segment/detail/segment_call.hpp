#pragma once
// The calls of sums for many targets, in both forms.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/segment/detail/segment_kernels.hpp"
#include "kernels/segment/segmented_sum.hpp"

namespace assay::segment::detail {

/// The first words of the workspace.
inline constexpr std::int64_t words_of_window = (sizeof(sum::TermWindow) + 7) / 8;

/// Sums for m targets; `measure(window)` queues what finds the window of all terms.
template <class T, class Targets, class Measure>
void queue_sums(const Executor& on, const Targets& targets, const T* x, std::int64_t n, bool adds, T* y, std::int64_t m,
                std::int64_t* outside, std::int64_t* workspace, const Measure& measure) {
  if (n < 0 || n >= std::int64_t{1} << 30) throw std::invalid_argument("sums of segments have 0 ... 2^30 - 1 terms");
  if (m < 0 || m >= std::int64_t{1} << 31) throw std::invalid_argument("there are 0 ... 2^31 - 1 targets");
  if (outside != nullptr) fill_bytes(on, outside, 0, sizeof *outside);
  auto* const window = reinterpret_cast<sum::TermWindow*>(workspace);
  auto* const flags = reinterpret_cast<std::uint32_t*>(workspace + words_of_window);
  const std::int64_t head = words_of_window + (m + 1) / 2;
  fill_bytes(on, workspace, 0, static_cast<std::size_t>(head) * sizeof *workspace);
  measure(window);
  using Add = AddTerms<T, Targets, 2>;
  using AddWide = AddTerms<T, Targets, 4>;
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(on.most_blocks(), Add::most_blocks));
  const std::int64_t blocks = std::min(most, (n + Add::tile - 1) / Add::tile);
  const std::int64_t turns = std::max<std::int64_t>(Turn::turns(m), outside != nullptr ? 1 : 0);
  for (std::int64_t number = 0; number < turns; ++number) {
    const Turn turn{window, flags, workspace + head, m, number};
    queue_indices(on, static_cast<std::size_t>(Turn::capacity(m)), ClearWords{turn});
    queue_blocks(on, static_cast<std::size_t>(blocks), Add{targets, x, n, blocks, turn, outside});
    queue_blocks(on, static_cast<std::size_t>(blocks), AddWide{targets, x, n, blocks, turn, outside});
    queue_indices(on, static_cast<std::size_t>(m), RoundWindows<T>{turn, adds, y});
  }
}

inline std::size_t words_of_workspace(std::int64_t m) {
  return static_cast<std::size_t>(words_of_window + (m + 1) / 2 + Turn::capacity(m));
}

template <class T>
void queue_scatter_add(const Executor& on, const T* x, const std::int32_t* index, std::int64_t n, T* y, std::int64_t m,
                       std::int64_t* outside, std::int64_t* workspace) {
  queue_sums(on, ByIndex{index}, x, n, true, y, m, outside, workspace, [&](sum::TermWindow* window) {
    sum::queue_measure(on, x, n, false, window);
    sum::queue_measure(on, y, m, true, window);  // a sum may be −0 only where y is
  });
}

template <class T>
void queue_segmented_sum(const Executor& on, const T* x, std::int64_t n, const std::int64_t* offsets, T* y,
                         std::int64_t m, std::int64_t* workspace) {
  queue_sums(on, ByOffsets{offsets, m}, x, n, false, y, m, nullptr, workspace,
             [&](sum::TermWindow* window) { sum::queue_measure(on, x, n, true, window); });
}

template <class T>
ScatterResult<T> scatter_add_of_arrays(const Executor& on, std::span<const T> x, std::span<const std::int32_t> index,
                                       std::span<const T> y) {
  if (x.size() != index.size()) throw std::invalid_argument("terms and indices differ in number");
  const Array<T> terms(on, x);
  const Array<std::int32_t> places(on, index);
  const Array<T> sums(on, y.size());
  const auto m = static_cast<std::int64_t>(y.size());
  copy_to(on, sums.data(), y.data(), y.size_bytes());
  const OneElement<std::int64_t> outside(on);
  const Array<std::int64_t> work(on, words_of_workspace(m));
  queue_scatter_add(on, terms.data(), places.data(), static_cast<std::int64_t>(x.size()), sums.data(), m,
                    outside.data(), work.data());
  wait(on);
  terms.compare(x);
  places.compare(index);
  static_cast<void>(work.take());
  return {sums.take(), outside.take()};
}

template <class T>
std::vector<T> segmented_sum_of_arrays(const Executor& on, std::span<const T> x,
                                       std::span<const std::int64_t> offsets) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(x.size()) ||
      !std::ranges::is_sorted(offsets)) {
    throw std::invalid_argument("the offsets of segments rise from 0 to the number of terms, or stay");
  }
  const Array<T> terms(on, x);
  const Array<std::int64_t> places(on, offsets);
  const Array<T> sums(on, offsets.size() - 1);
  const auto m = static_cast<std::int64_t>(sums.size());
  const Array<std::int64_t> work(on, words_of_workspace(m));
  queue_segmented_sum(on, terms.data(), static_cast<std::int64_t>(x.size()), places.data(), sums.data(), m,
                      work.data());
  wait(on);
  terms.compare(x);
  places.compare(offsets);
  static_cast<void>(work.take());
  return sums.take();
}

}  // namespace assay::segment::detail
