#include "kernels/quantize/quantize.hpp"

#include <stdexcept>

#include "exec/array.hpp"
#include "kernels/quantize/detail/queue.hpp"

namespace assay::quantize {

template <class T>
void quantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
              const T* x, std::uint8_t* codes, void* scales, void* seconds, void* workspace) {
  sizes_of(format, rows, columns);
  detail::with_types(
      format, [&]<class E, Scaling scaling, bool is_half, bool small>(detail::Types<E, scaling, is_half, small>) {
        detail::queue_quantize<T, E, scaling, is_half, small>(on, format, rule, rows, columns, x,
                                                              {codes, scales, seconds, workspace});
      });
}

template <class T>
Quantized quantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                   std::span<const T> x) {
  const Sizes sizes = sizes_of(format, rows, columns);
  if (x.size() != rows * columns) throw std::invalid_argument("quantize: x does not have rows x columns numbers");
  const Array<T> numbers(on, x);
  const Array<std::uint8_t> codes(on, sizes.codes);
  const Array<std::uint8_t> scales(on, sizes.scales);
  const Array<std::uint8_t> seconds(on, sizes.seconds);
  const Array<std::uint8_t> workspace(on, sizes.workspace);
  quantize<T>(on, format, rule, rows, columns, numbers.data(), codes.data(), scales.data(), seconds.data(),
              workspace.data());
  wait(on);
  numbers.compare(x);
  return {codes.take(), scales.take(), seconds.take()};
}

#define ASSAY_QUANTIZE(T)                                                                                    \
  template void quantize<T>(const Executor&, const Format&, const Rule&, std::size_t, std::size_t, const T*, \
                            std::uint8_t*, void*, void*, void*);                                             \
  template Quantized quantize<T>(const Executor&, const Format&, const Rule&, std::size_t, std::size_t,      \
                                 std::span<const T>);
ASSAY_QUANTIZE(float)
ASSAY_QUANTIZE(binary16)
ASSAY_QUANTIZE(bfloat16)
#undef ASSAY_QUANTIZE

}  // namespace assay::quantize
