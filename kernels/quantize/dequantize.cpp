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

/// A word of NaNs.
template <class T>
inline constexpr std::uint32_t nans = sizeof(T) == 4                ? 0x7FC00000u
                                      : std::is_same_v<T, bfloat16> ? 0x7FC07FC0u
                                                                    : 0x7E007E00u;

/// The numbers of codes: 16 bytes for each call.
template <class T, class E, Scaling scaling, bool is_half>
struct Numbers {
  using Elements = E;
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

  /// What the number q of a code stands for, before it is rounded to T.
  ASSAY_HD static float number_of(const Block& block, float q) {
    if constexpr (scaling == Scaling::two_level) {
      return q * block.scale * block.second;
    } else if constexpr (scaling == Scaling::minimum) {
      return q * block.scale + block.second;
    } else if constexpr (scaling == Scaling::zero_point || scaling == Scaling::offset_code) {
      return (q + block.second) * block.scale;
    } else {
      return q * block.scale;
    }
  }

  /// The entry of a code that has a byte.
  ASSAY_HD void write_one(std::size_t place, const Block& block) const {
    y[place] = rounded_to<T>(number_of(block, E::value(codes[place])));
  }

  /// All entries from `place` on, of one block; value(code) is the number of a code. Requires: `place` is a multiple of
  /// `count` (not checked).
  template <class Value>
  ASSAY_HD void write(std::size_t place, const Block& block, const Value& value) const {
    std::uint32_t code[count];
    if constexpr (E::bits == 4 && !has_partners) {
      using Packed = std::conditional_t<count == 4, std::uint16_t, std::uint32_t>;
      const std::uint32_t packed = *reinterpret_cast<const Packed*>(codes + place / 2);
      const int flip = is_high_half_first ? 1 : 0;
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; ++i) code[i] = packed >> (4 * (i ^ flip)) & 15;
    } else {
      const std::size_t of_block = place % 32;
      const std::size_t byte = has_partners ? place / 32 * 16 + of_block % 16 : place;
      const int shift = has_partners && (of_block >= 16) != is_high_half_first ? 4 : 0;
      std::uint32_t bytes[count / 4];
      load_words<count / 4>(codes + byte, bytes);
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; ++i) {
        code[i] = bytes[i / 4] >> (8 * (i % 4) + shift) & (has_partners ? 15 : 255);
      }
    }
    std::uint32_t word[4];
    ASSAY_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(T) == 4) {
        word[i] = to_bits(number_of(block, value(code[i])));
      } else {
        word[i] = rounded_pair<T>(number_of(block, value(code[2 * i])), number_of(block, value(code[2 * i + 1])));
      }
      if (block.is_nan) word[i] = nans<T>;
    }
    store<4>(word, y + place);
  }
  ASSAY_HD void write(std::size_t place, const Block& block) const {
    write(place, block, [](std::uint32_t code) { return E::value(code); });
  }
};

/// Blocks that share a row. A thread has a call in each of some rounds, so that several reads are on their way.
template <class N>
struct SmallBlockNumbers {
  static constexpr int threads = 256;
  static constexpr int rounds = 4;
  static constexpr bool has_book = is_book<typename N::Elements>;
  struct Shared {
    float book[has_book ? Nf4::count : 1];
  };
  N numbers;
  int log2_columns;
  std::size_t calls;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    if constexpr (has_book) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < Nf4::count) shared.book[t] = Nf4::value(static_cast<std::uint32_t>(t));
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      ASSAY_UNROLL(4)
      for (int round = 0; round < rounds; ++round) {
        const std::size_t i =
            (block.index() * rounds + static_cast<std::size_t>(round)) * threads + static_cast<std::size_t>(t);
        if (i >= calls) return;
        const std::size_t place = i * N::count;
        const auto of_block = numbers.block_at(place >> log2_columns);
        if constexpr (has_book) {
          numbers.write(place, of_block, [&](std::uint32_t code) { return shared.book[code]; });
        } else {
          numbers.write(place, of_block);
        }
      }
    });
  }
};

/// Tiles of 128 × 128 numbers.
template <class N>
struct TileNumbers {
  using OfTile = Tile<N::count>;
  static constexpr int threads = OfTile::threads;
  struct Shared {};
  N numbers;
  OfTile tile;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared&) {
      const auto of_block = numbers.block_at(block.index());
      ASSAY_UNROLL(16)
      for (int k = 0; k < OfTile::chunks; ++k) numbers.write(tile.place_of(block.index(), t, k), of_block);
    });
  }
};

/// Parts of rows, whose codes have a byte each.
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
      using Kernel = SmallBlockNumbers<N>;
      const std::size_t calls = rows * columns / N::count;
      queue_blocks(on, bits::ceil_div(calls, Kernel::threads * Kernel::rounds),
                   Kernel{numbers, std::countr_zero(static_cast<unsigned>(format.columns)), calls});
    } else if (format.rows > 1) {
      queue_blocks(on, blocks_of(format, rows, columns), TileNumbers<N>{numbers, {columns}});
    } else {
      const Shape shape = shape_of(format, rows, columns);
      constexpr std::size_t any_parts = std::size_t{1} << 20;
      const std::size_t parts = parts_of(shape, any_parts);
      queue_blocks(on, shape.rows * parts, PartNumbers<N>{numbers, Part::of(shape, parts, N::count)});
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
