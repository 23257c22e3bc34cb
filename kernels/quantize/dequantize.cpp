#include <array>
#include <stdexcept>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/quantize/detail/chunks.hpp"
#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/detail/types.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {
namespace {

using namespace detail;

/// Number `block` of an array of binary16.
ASSAY_HD float half_at(const void* numbers, std::size_t block) {
  return single_of(binary16::of_bits(static_cast<const std::uint16_t*>(numbers)[block]));
}

/// A chunk of codes for each index.
template <class T, class E, Scaling scaling, bool is_half, bool is_small>
struct Numbers {
  Shape shape;
  std::size_t chunks_of_row;
  bool is_high_half_first;
  const std::uint8_t* codes;
  const void* scales;
  const void* seconds;
  T* y;

  ASSAY_HD void operator()(std::size_t c) const {
    constexpr bool has_partners = is_half && E::bits == 4;
    constexpr std::size_t half = chunk / 2;
    const std::size_t row = c / chunks_of_row;
    const std::size_t column = (c - row * chunks_of_row) * chunk;
    const std::size_t block =
        row / shape.block_rows * (shape.columns / shape.block_columns) + column / shape.block_columns;
    const std::size_t place = row * shape.columns + column;
    const std::size_t left = shape.columns - column;
    const std::size_t count = is_small || left >= chunk ? chunk : left;

    const bool is_aligned = is_small || shape.rows == 1 || shape.columns % chunk == 0;

    float scale;
    float second = 0;
    if constexpr (scaling == Scaling::power_of_two) {
      const std::uint32_t code = static_cast<const std::uint8_t*>(scales)[block];
      scale = code == 0xFF ? from_bits<float>(0x7FC00000u) : from_bits<float>(code == 0 ? 0x00400000u : code << 23);
    } else if constexpr (scaling == Scaling::two_level) {
      scale = E4m3::value(static_cast<const std::uint8_t*>(scales)[block]);
      second = *static_cast<const float*>(seconds);
    } else if constexpr (is_half) {
      scale = half_at(scales, block);
    } else {
      scale = static_cast<const float*>(scales)[block];
    }
    if constexpr (scaling == Scaling::minimum) second = half_at(seconds, block);
    if constexpr (scaling == Scaling::offset_code) second = -static_cast<float>(1 << (E::bits - 1));
    if constexpr (scaling == Scaling::zero_point) {
      using ZeroPoint = std::conditional_t<(E::least < 0), Int8, Uint8>;
      second = -ZeroPoint::value(static_cast<const std::uint8_t*>(seconds)[block]);
    }

    std::uint8_t code[chunk];
    if constexpr (E::bits == 4) {
      const std::uint32_t packed = reinterpret_cast<const std::uint32_t*>(codes)[c];
      const int up = is_high_half_first ? 4 : 0;
      ASSAY_UNROLL(4)
      for (std::size_t i = 0; i < half; ++i) {
        const auto low = static_cast<std::uint8_t>(packed >> (8 * i + static_cast<std::size_t>(up)) & 15);
        const auto high = static_cast<std::uint8_t>(packed >> (8 * i + 4 - static_cast<std::size_t>(up)) & 15);
        code[has_partners ? i : 2 * i] = low;
        code[has_partners ? i + half : 2 * i + 1] = high;
      }
    } else if (is_aligned && count == chunk) {
      const auto words = *reinterpret_cast<const Words<chunk>*>(codes + place);
      memcpy(code, &words, chunk);
    } else {
      for (std::size_t i = 0; i < chunk; ++i) code[i] = i < count ? codes[place + i] : std::uint8_t{0};
    }

    BitsOf<T> number[chunk];
    ASSAY_UNROLL(8)
    for (std::size_t i = 0; i < chunk; ++i) {
      const float q = E::value(code[i]);
      float x;
      if constexpr (scaling == Scaling::two_level) {
        x = q * scale * second;
      } else if constexpr (scaling == Scaling::minimum) {
        x = q * scale + second;
      } else if constexpr (scaling == Scaling::zero_point || scaling == Scaling::offset_code) {
        x = (q + second) * scale;
      } else {
        x = q * scale;
      }
      number[i] = to_bits(rounded_to<T>(x));
    }
    if constexpr (scaling == Scaling::power_of_two) {
      if (!is_finite(scale)) {
        constexpr auto quiet = BitsOf<T>{1} << (FloatTraits<T>::precision - 2);
        for (auto& each : number) each = static_cast<BitsOf<T>>((bits::max_finite_bits<T> + 1) | quiet);
      }
    }
    if constexpr (has_partners) {
      const std::size_t lane = c & 3;
      T* const to = y + (c - lane) * chunk + lane * half;
      store<half>(number, to);
      store<half>(number + half, to + 2 * chunk);
    } else if (is_aligned && count == chunk) {
      store<chunk>(number, y + place);
    } else {
      for (std::size_t i = 0; i < count; ++i) y[place + i] = from_bits<T>(number[i]);
    }
  }
};

}  // namespace

template <class T>
void dequantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                const std::uint8_t* codes, const void* scales, const void* seconds, T* y) {
  sizes_of(format, rows, columns);
  const Shape shape = shape_of(format, rows, columns);
  const std::size_t chunks_of_row = bits::ceil_div(shape.columns, chunk);
  with_types(format, [&]<class E, Scaling scaling, bool is_half, bool small>(Types<E, scaling, is_half, small>) {
    queue_indices(on, shape.rows * chunks_of_row,
                  Numbers<T, E, scaling, is_half, small>{shape, chunks_of_row, rule.is_high_half_first, codes, scales,
                                                         seconds, y});
  });
}

template <class T>
std::vector<T> dequantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows,
                          std::size_t columns, const Quantized& numbers) {
  const Sizes sizes = sizes_of(format, rows, columns);
  if (numbers.codes.size() != sizes.codes || numbers.scales.size() != sizes.scales ||
      numbers.seconds.size() != sizes.seconds) {
    throw std::invalid_argument("dequantize: the arrays have not the sizes of the format");
  }
  const Array<std::uint8_t> codes(on, std::span(numbers.codes));
  const Array<std::uint8_t> scales(on, std::span(numbers.scales));
  const Array<std::uint8_t> seconds(on, std::span(numbers.seconds));
  const Array<T> y(on, rows * columns);
  dequantize<T>(on, format, rule, rows, columns, codes.data(), scales.data(), seconds.data(), y.data());
  wait(on);
  codes.compare(numbers.codes);
  scales.compare(numbers.scales);
  seconds.compare(numbers.seconds);
  return y.take();
}

#define ASSAY_DEQUANTIZE(T)                                                                                    \
  template void dequantize<T>(const Executor&, const Format&, const Rule&, std::size_t, std::size_t,           \
                              const std::uint8_t*, const void*, const void*, T*);                              \
  template std::vector<T> dequantize<T>(const Executor&, const Format&, const Rule&, std::size_t, std::size_t, \
                                        const Quantized&);
ASSAY_DEQUANTIZE(float)
ASSAY_DEQUANTIZE(binary16)
ASSAY_DEQUANTIZE(bfloat16)
#undef ASSAY_DEQUANTIZE

}  // namespace assay::quantize
