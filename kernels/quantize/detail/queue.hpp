#pragma once
// The launches of quantize().

#include <bit>
#include <cstddef>

#include "kernels/quantize/detail/blocks.hpp"
#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/detail/types.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {

namespace detail {

template <class T, class E, Scaling scaling, bool is_half, bool small>
void queue_quantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                    const T* x, const Results& to) {
  if constexpr (scaling == Scaling::two_level) {
    const Shape all{1, rows * columns};
    const std::size_t parts = parts_of(all);
    auto* const scale = static_cast<TensorScale*>(to.workspace);
    auto* const ranges = reinterpret_cast<Amax*>(scale + 1);
    queue_blocks(on, parts, PartRanges<T, Amax>{Part::of(all, parts, chunk<T>), x, ranges});
    queue_blocks(on, 1, TensorRange{parts, ranges, scale, static_cast<std::uint32_t*>(to.seconds)});
  }
  if constexpr (small) {
    using Kernel = SmallBlocks<T, E, scaling, is_half>;
    const std::size_t chunks = rows * columns / std::size_t{Kernel::count};
    queue_blocks(
        on, bits::ceil_div(chunks, Kernel::threads),
        Kernel{rule, chunks, std::countr_zero(static_cast<unsigned>(format.columns / std::size_t{Kernel::count})), x,
               to.codes, to.scales, to.seconds, static_cast<const TensorScale*>(to.workspace)});
  } else {
    using Range = RangeOf<scaling>;
    const Shape shape = shape_of(format, rows, columns);
    if (format.rows > 1) {
      queue_blocks(on, blocks_of(format, rows, columns),
                   TileCodes<T, E, scaling>{rule, {columns}, x, to.codes, to.scales, to.seconds});
      return;
    }
    const std::size_t parts = parts_of(shape);
    auto* const ranges = static_cast<Range*>(to.workspace);
    if (parts > 1) {
      queue_blocks(on, shape.rows * parts, PartRanges<T, Range>{Part::of(shape, parts, chunk<T>), x, ranges});
    }
    queue_blocks(
        on, shape.rows * parts,
        PartCodes<T, E, scaling>{rule, Part::of(shape, parts, chunk<T>), x, ranges, to.codes, to.scales, to.seconds});
  }
}

/// The launches for a format with that scaling.
template <class T, Scaling scaling>
void queue_of(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
              const T* x, const Results& to) {
  with_types_of<scaling>(format, [&]<class E, Scaling s, bool is_half, bool small>(Types<E, s, is_half, small>) {
    queue_quantize<T, E, s, is_half, small>(on, format, rule, rows, columns, x, to);
  });
}

}  // namespace detail

}  // namespace assay::quantize
