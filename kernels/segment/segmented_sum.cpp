#include "kernels/segment/segmented_sum.hpp"

#include <tuple>

#include "kernels/segment/detail/segment_call.hpp"

namespace assay::segment {

std::size_t workspace(std::int64_t m) { return detail::words_of_workspace(m); }

template <class T>
void scatter_add(const Executor& on, const T* x, const std::int32_t* index, std::int64_t n, T* y, std::int64_t m,
                 std::int64_t* outside, std::int64_t* workspace) {
  detail::queue_scatter_add(on, x, index, n, y, m, outside, workspace);
}

template <class T>
void segmented_sum(const Executor& on, const T* x, std::int64_t n, const std::int64_t* offsets, T* y, std::int64_t m,
                   std::int64_t* workspace) {
  detail::queue_segmented_sum(on, x, n, offsets, y, m, workspace);
}

template <class T>
ScatterResult<T> scatter_add(const Executor& on, std::span<const T> x, std::span<const std::int32_t> index,
                             std::span<const T> y) {
  return detail::scatter_add_of_arrays(on, x, index, y);
}

template <class T>
std::vector<T> segmented_sum(const Executor& on, std::span<const T> x, std::span<const std::int64_t> offsets) {
  return detail::segmented_sum_of_arrays(on, x, offsets);
}

/// The addresses keep the functions in the object file.
template <class T>
struct Instantiate {
  using Numbers = std::span<const T>;
  using Indices = std::span<const std::int32_t>;
  using Offsets = std::span<const std::int64_t>;
  static constexpr std::tuple functions{
      static_cast<void (*)(const Executor&, const T*, const std::int32_t*, std::int64_t, T*, std::int64_t,
                           std::int64_t*, std::int64_t*)>(&scatter_add<T>),
      static_cast<void (*)(const Executor&, const T*, std::int64_t, const std::int64_t*, T*, std::int64_t,
                           std::int64_t*)>(&segmented_sum<T>),
      static_cast<ScatterResult<T> (*)(const Executor&, Numbers, Indices, Numbers)>(&scatter_add<T>),
      static_cast<std::vector<T> (*)(const Executor&, Numbers, Offsets)>(&segmented_sum<T>)};
};
template struct Instantiate<double>;
template struct Instantiate<float>;

}  // namespace assay::segment
