#include <bit>
#include <stdexcept>

#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/quantize/detail/blocks.hpp"
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

/// The numbers of codes: 16 bytes for each call.
template <class T, class E, Scaling scaling, bool is_half>
struct Numbers {
  static constexpr int count = 16 / static_cast<int>(sizeof(T));
  static constexpr bool has_partners = is_half && E::bits == 4;

  bool is_high_half_first;
  const std::uint8_t* codes;
  const void* scales;
  const void* seconds;
  T* y;

  /// Scale and second number of a block; the second is added to a code or to a product.
  struct Block {
    float scale, second;
    bool is_nan;
  };
  [[nodiscard]] ASSAY_HD Block block_at(std::size_t block) const {
    if constexpr (scaling == Scaling::power_of_two) {
      const std::uint32_t code = static_cast<const std::uint8_t*>(scales)[block];
      return {from_bits<float>(code == 0 ? 0x00400000u : code << 23), 0, code == 0xFF};
    } else if constexpr (scaling == Scaling::two_level) {
      return {E4m3::value(static_cast<const std::uint8_t*>(scales)[block]), *static_cast<const float*>(seconds), false};
    } else if constexpr (scaling == Scaling::zero_point) {
      using ZeroPoint = std::conditional_t<(E::least < 0), Int8, Uint8>;
      return {static_cast<const float*>(scales)[block],
              -ZeroPoint::value(static_cast<const std::uint8_t*>(seconds)[block]), false};
    } else if constexpr (scaling == Scaling::offset_code) {
      return {half_at(scales, block), -static_cast<float>(1 << (E::bits - 1)), false};
    } else if constexpr (scaling == Scaling::minimum) {
      return {half_at(scales, block), half_at(seconds, block), false};
    } else {
      return {is_half ? half_at(scales, block) : static_cast<const float*>(scales)[block], 0, false};
    }
  }

  ASSAY_HD static BitsOf<T> number_of(const Block& block, std::uint32_t code) {
    const float q = E::value(code);
    if (block.is_nan) {
      constexpr auto quiet = BitsOf<T>{1} << (FloatTraits<T>::precision - 2);
      return static_cast<BitsOf<T>>((bits::max_finite_bits<T> + 1) | quiet);
    }
    float x;
    if constexpr (scaling == Scaling::two_level) {
      x = q * block.scale * block.second;
    } else if constexpr (scaling == Scaling::minimum) {
      x = q * block.scale + block.second;
    } else if constexpr (scaling == Scaling::zero_point || scaling == Scaling::offset_code) {
      x = (q + block.second) * block.scale;
    } else {
      x = q * block.scale;
    }
    return to_bits(rounded_to<T>(x));
  }

  /// The entry of a code that has a byte.
  ASSAY_HD void write_one(std::size_t place, const Block& block) const {
    y[place] = from_bits<T>(number_of(block, codes[place]));
  }

  /// All entries from `place` on, of one block. Requires: `place` is a multiple of `count` (not checked).
  ASSAY_HD void write(std::size_t place, const Block& block) const {
    BitsOf<T> number[count];
    if constexpr (E::bits == 4 && !has_partners) {
      using Packed = std::conditional_t<count == 4, std::uint16_t, std::uint32_t>;
      const std::uint32_t packed = *reinterpret_cast<const Packed*>(codes + place / 2);
      const int flip = is_high_half_first ? 1 : 0;
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; ++i) number[i] = number_of(block, packed >> (4 * (i ^ flip)) & 15);
    } else {
      const std::size_t of_block = place % 32;
      const std::size_t byte = has_partners ? place / 32 * 16 + of_block % 16 : place;
      const int shift = has_partners && (of_block >= 16) != is_high_half_first ? 4 : 0;
      const auto words = *reinterpret_cast<const Words<count>*>(codes + byte);
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; ++i) {
        const std::uint32_t code = words.word[i / 4] >> (8 * (i % 4) + shift);
        number[i] = number_of(block, code & (has_partners ? 15 : 255));
      }
    }
    store<count>(number, y + place);
  }
};

/// Blocks that share a row: a call for each index.
template <class N>
struct SmallBlockNumbers {
  N numbers;
  int log2_columns;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::size_t place = i * N::count;
    numbers.write(place, numbers.block_at(place >> log2_columns));
  }
};

/// Parts of larger blocks, whose codes have a byte each.
template <class N>
struct PartNumbers {
  static constexpr int threads = 256;
  struct Shared {};
  N numbers;
  Part part;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared&) {
      const auto of_block = numbers.block_at(part.block_of(block.index()));
      part.for_each_chunk<N::count>(block.index(), t, threads, [&](std::size_t place, std::size_t count) {
        if (part.is_aligned && count == static_cast<std::size_t>(N::count)) {
          numbers.write(place, of_block);
        } else {
          for (std::size_t i = 0; i < count; ++i) {
            numbers.write_one(place + i, of_block);
          }
        }
      });
    });
  }
};

}  // namespace

template <class T>
void dequantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                const std::uint8_t* codes, const void* scales, const void* seconds, T* y) {
  sizes_of(format, rows, columns);
  with_types(format, [&]<class E, Scaling scaling, bool is_half, bool small>(Types<E, scaling, is_half, small>) {
    using N = Numbers<T, E, scaling, is_half>;
    const N numbers{rule.is_high_half_first, codes, scales, seconds, y};
    if constexpr (small) {
      queue_indices(on, rows * columns / N::count,
                    SmallBlockNumbers<N>{numbers, std::countr_zero(static_cast<unsigned>(format.columns))});
    } else {
      const Shape shape = shape_of(format, rows, columns);
      const std::size_t parts = parts_of(shape);
      queue_blocks(on, shape.blocks() * parts, PartNumbers<N>{numbers, Part::of(shape, parts, N::count)});
    }
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
