#pragma once
// The numbers of one thread: how they are read, coded and stored.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "arith/hd.hpp"
#include "arith/quantize/elements.hpp"
#include "arith/quantize/scales.hpp"
#include "kernels/quantize/detail/shape.hpp"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace assay::quantize {

namespace detail {

/// x in binary32, exactly.
ASSAY_HD inline float single_of(float x) { return x; }
ASSAY_HD inline float single_of(bfloat16 x) { return from_bits<float>(static_cast<std::uint32_t>(x.bits()) << 16); }
ASSAY_HD inline float single_of(binary16 x) {
  return ASSAY_ON_DEVICE(__half2float(__ushort_as_half(x.bits())), static_cast<float>(x));
}
/// RN(x), x no NaN.
template <class T>
ASSAY_HD T rounded_to(float x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    return bfloat16::of_bits(static_cast<std::uint16_t>((to_bits(x) + 0x7FFF + (to_bits(x) >> 16 & 1)) >> 16));
  } else {
    return binary16::of_bits(half_pattern(x));
  }
}

/// RN(a) and RN(b), no NaN, in the first and the second half of a word.
template <class T>
ASSAY_HD std::uint32_t rounded_pair(float a, float b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t pair;
  if constexpr (std::is_same_v<T, bfloat16>) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(b), "f"(a));
  } else {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(b), "f"(a));
  }
  return pair;
#else
  return rounded_to<T>(a).bits() | std::uint32_t{rounded_to<T>(b).bits()} << 16;
#endif
}

/// Words of a size that one instruction moves.
template <std::size_t bytes>
struct alignas(bytes) Words {
  std::uint32_t word[bytes / 4];
};

/// `count` numbers as they lie in memory.
template <class T, int count>
struct Chunk {
  static constexpr int of_word = static_cast<int>(4 / sizeof(T));
  static constexpr int words = count / of_word;
  std::uint32_t word[words];

  /// Number i in binary32, exactly.
  [[nodiscard]] ASSAY_HD float operator[](int i) const {
    const std::uint32_t w = word[i / of_word];
    if constexpr (of_word == 1) {
      return from_bits<float>(w);
    } else if constexpr (std::is_same_v<T, bfloat16>) {
      return from_bits<float>(i % 2 == 0 ? w << 16 : w & 0xFFFF0000u);
    } else {
      return single_of(binary16::of_bits(static_cast<std::uint16_t>(i % 2 == 0 ? w : w >> 16)));
    }
  }
  ASSAY_HD void set(int i, T x) {
    if constexpr (of_word == 1) {
      word[i] = to_bits(x);
    } else {
      word[i / 2] = i % 2 == 0 ? to_bits(x) : word[i / 2] | static_cast<std::uint32_t>(to_bits(x)) << 16;
    }
  }
  /// The last bytes of numbers i to i + 3, which begin with their signs.
  [[nodiscard]] ASSAY_HD std::uint32_t signs(int i) const {
    if constexpr (of_word == 1) {
      return bytes_of<3>(word[i], word[i + 1], word[i + 2], word[i + 3]);
    } else {
      return select_bytes(word[i / 2], word[i / 2 + 1], 0x7531);
    }
  }
};

/// Words from an address that is a multiple of their size, which is a power of two.
template <int count>
ASSAY_HD void load_words(const void* from, std::uint32_t* words) {
  constexpr std::size_t size = count < 4 ? count * 4 : 16;
  ASSAY_UNROLL(8)
  for (std::size_t i = 0; i < count * std::size_t{4}; i += size) {
    const auto piece = *reinterpret_cast<const Words<size>*>(static_cast<const char*>(from) + i);
    memcpy(words + i / 4, &piece, size);
  }
}
template <int count, class T>
ASSAY_HD void load(const T* from, Chunk<T, count>& to) {
  load_words<Chunk<T, count>::words>(from, to.word);
}
/// `count` numbers to such an address.
template <int count, class T>
ASSAY_HD void store(const T* x, void* to) {
  constexpr std::size_t most = 16;
  constexpr std::size_t size = count * sizeof(T) < most ? count * sizeof(T) : most;
  ASSAY_UNROLL(8)
  for (std::size_t i = 0; i < count * sizeof(T); i += size) {
    Words<size> words;
    memcpy(&words, reinterpret_cast<const char*>(x) + i, size);
    *reinterpret_cast<Words<size>*>(static_cast<char*>(to) + i) = words;
  }
}

#if defined(__CUDACC__)
/// The range of numbers of 16 bits, two at a time.
template <class Range, class T, int count>
__device__ Range range_of_pairs(const Chunk<T, count>& x) {
  constexpr std::uint32_t magnitudes = 0x7FFF7FFFu;
  if constexpr (std::is_same_v<Range, Amax>) {
    Chunk<T, 2> most{x.word[0] & magnitudes};
    ASSAY_UNROLL(16)
    for (int i = 1; i < count / 2; ++i) most.word[0] = __vmaxu2(most.word[0], x.word[i] & magnitudes);
    Range range = Range::none();
    range.add(most[0]);
    range.add(most[1]);
    return range;
  } else {
    Chunk<T, 2> least{x.word[0]}, most{x.word[0]};
    ASSAY_UNROLL(16)
    for (int i = 1; i < count / 2; ++i) {
      if constexpr (std::is_same_v<T, bfloat16>) {
        asm("min.bf16x2 %0, %0, %1;" : "+r"(least.word[0]) : "r"(x.word[i]));
        asm("max.bf16x2 %0, %0, %1;" : "+r"(most.word[0]) : "r"(x.word[i]));
      } else {
        asm("min.f16x2 %0, %0, %1;" : "+r"(least.word[0]) : "r"(x.word[i]));
        asm("max.f16x2 %0, %0, %1;" : "+r"(most.word[0]) : "r"(x.word[i]));
      }
    }
    return {smaller(least[0], least[1]), larger(most[0], most[1])};
  }
}
#endif

/// The range of numbers of which none is a NaN, or with Amax of any numbers.
template <class Range, class T, int count>
ASSAY_HD Range range_of(const Chunk<T, count>& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 2) {
    return range_of_pairs<Range>(x);
  } else
#endif
  {
    Range range = Range::none();
    ASSAY_UNROLL(32)
    for (int i = 0; i < count; ++i) range.add(x[i]);
    return range;
  }
}

/// An entry as it is rounded to a code.
template <class E, Scaling scaling, bool divides>
ASSAY_HD float scaled_entry(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor, float x) {
  if constexpr (divides) return x / plan.divisor;
  if constexpr (scaling == Scaling::two_level) {
    if (rule.scale == ScaleRule::two_level && plan.scale != 0) {
      return odd_quotient(2688.0 * x, static_cast<double>(tensor.amax) * E4m3::value(plan.scale));
    }
  }
  if constexpr (scaling == Scaling::offset_code || scaling == Scaling::minimum || scaling == Scaling::zero_point) {
    const float shifted = scaling == Scaling::minimum ? x - plan.shift : x;
    return rule.factor == Factor::fused ? fma(shifted, plan.multiplier, plan.offset)
                                        : shifted * plan.multiplier + plan.offset;
  }
  return x * plan.multiplier;
}

/// What is added to the rounded entry of a block with a zero point: the offset of an entry may have it already.
ASSAY_HD inline int zero_after(const BlockPlan& plan) { return plan.offset == 0 ? plan.zero_point : 0; }

/// The code of an entry x, in any direction.
template <class E, Scaling scaling, bool divides>
ASSAY_HD std::uint32_t code_of(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor, float x) {
  float y = scaled_entry<E, scaling, divides>(rule, plan, tensor, x);
  if constexpr (scaling == Scaling::offset_code || scaling == Scaling::minimum) {
    // With ties_up half a unit was added.
    const Direction direction = rule.direction == Direction::ties_up ? Direction::zero : rule.direction;
    return static_cast<std::uint32_t>(E::rounded(y, 0, E::most, direction));
  } else if constexpr (scaling == Scaling::zero_point) {
    const int zero = zero_after(plan);
    const int k = E::rounded(y, E::least - zero, E::most - zero, rule.direction) + zero;
    return static_cast<std::uint32_t>(k) & E::mask;
  } else if constexpr (E::is_integer) {
    const int least = rule.range == Range::narrow ? -E::most : E::least;
    return static_cast<std::uint32_t>(E::rounded(y, least, E::most, rule.direction)) & E::mask;
  } else {
    if (scaling == Scaling::power_of_two && rule.direction != Direction::even && y == 0 && x != 0) {
      y = from_bits<float>((to_bits(x) & sign_mask) | 1);  // x times the power of two was rounded to 0
    }
    const std::uint32_t code = E::code(y, rule.direction);
    return !rule.keeps_sign_of_zero && code == E::sign_bit ? 0 : code;
  }
}

template <class E>
inline constexpr bool is_book = std::is_same_v<E, Nf4>;

/// What a block of threads keeps to code numbers: the cells of a book.
template <class E>
struct Tables {};
template <>
struct Tables<Nf4> {
  Nf4::Cells cells;
};

/// Whether common_codes() gives the codes of the block's entries.
template <class E, Scaling scaling, bool divides>
ASSAY_HD bool has_common_codes(const Rule& rule, const BlockPlan& plan) {
  if (divides && plan.reciprocal == 0) return false;
  if constexpr (is_book<E>) {
    return rule.direction == Direction::ties_down;
  } else if constexpr (scaling == Scaling::offset_code || scaling == Scaling::minimum) {
    return rule.direction == Direction::ties_up;
  } else if constexpr (E::is_integer) {
    return rule.direction == Direction::even ||
           (scaling == Scaling::factor && rule.direction == Direction::away && rule.range == Range::narrow);
  } else {
    return rule.direction == Direction::even && rule.keeps_sign_of_zero;
  }
}

/// The codes of four entries from number i on, a byte each, in the common directions. Of codes of 4 bits the other bits
/// are not defined if they are integers.
template <class E, Scaling scaling, bool divides, class T, int count>
ASSAY_HD std::uint32_t common_codes(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor,
                                    const Tables<E>& tables, const Chunk<T, count>& x, int i) {
  float y[4];
  ASSAY_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
    float each = x[i + j];
    if constexpr (!E::is_integer && !is_book<E>) each = E::has_instruction ? each : magnitude(each);
    if constexpr (!divides) {
      y[j] = scaled_entry<E, scaling, false>(rule, plan, tensor, each);
    } else {
      y[j] = sizeof(T) == 2 && !is_book<E> ? plan.short_quotient(each) : plan.quotient(each);
    }
    if constexpr (divides && E::has_instruction) y[j] = from_bits<float>(to_bits(y[j]) | (to_bits(each) & sign_mask));
  }
  if constexpr (is_book<E>) {
    const auto code = [&](float z) { return E::code_of(tables.cells, z); };
    return bytes_of<0>(code(y[0]), code(y[1]), code(y[2]), code(y[3]));
  } else if constexpr (!E::is_integer) {
#if defined(__CUDA_ARCH__)
    if constexpr (scaling == Scaling::power_of_two && sizeof(T) == 2 && E::bits < 8) {
      // Products of a number of T and the power of two, rounded to T.
      std::uint32_t pairs[2];
      ASSAY_UNROLL(2)
      for (int j = 0; j < 2; ++j) {
        std::uint32_t pair;
        if constexpr (std::is_same_v<T, binary16>) {
          pair = rounded_pair<T>(y[2 * j], y[2 * j + 1]);
        } else {
          const std::uint32_t multipliers = select_bytes(to_bits(plan.multiplier), 0, 0x3232);
          asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(pair) : "r"(x.word[i / 2 + j]), "r"(multipliers), "r"(0));
        }
        pairs[j] = E::template nearest_even_sums<T>(pair);
      }
      return E::with_signs(select_bytes(pairs[0], pairs[1], 0x6420), x.signs(i));
    } else
#endif
    {
      return E::nearest_even(y, x.signs(i));
    }
  } else if constexpr (scaling == Scaling::offset_code || scaling == Scaling::minimum) {
    ASSAY_UNROLL(4)
    for (float& z : y) z = smaller(z, static_cast<float>(E::most));
    return bytes_of<1>(floor_sum(y[0]), floor_sum(y[1]), floor_sum(y[2]), floor_sum(y[3]));
  } else {
    const int zero = scaling == Scaling::zero_point ? zero_after(plan) : 0;
    const int least = scaling == Scaling::factor && rule.range == Range::narrow ? -E::most : E::least;
    if (!plan.is_inside) {
      ASSAY_UNROLL(4)
      for (float& z : y) {
        z = larger(smaller(z, static_cast<float>(E::most - zero)), static_cast<float>(least - zero));
      }
    }
    if (scaling == Scaling::factor && rule.direction == Direction::away) {
      const std::uint32_t sizes = bytes_of<1>(half_up_sum(magnitude(y[0])), half_up_sum(magnitude(y[1])),
                                              half_up_sum(magnitude(y[2])), half_up_sum(magnitude(y[3])));
      // Two's complement: 128 − k in the bytes of negative numbers, without a carry, and the first bit flipped.
      constexpr std::uint32_t firsts = 0x80808080u;
      const std::uint32_t negative = select_bytes(x.signs(i), 0, 0xBA98);
      return (((sizes | firsts) ^ negative) + (negative & 0x01010101u)) ^ firsts;
    }
    std::uint32_t sums[4];
    ASSAY_UNROLL(4)
    for (int j = 0; j < 4; ++j) {
      constexpr float unit = 0x1.8p23f;  // the sum rounds y to an integer, which its last bits count
      const float sum = y[j] + unit;
      sums[j] = to_bits(scaling == Scaling::zero_point ? sum + static_cast<float>(zero) : sum);
    }
    return bytes_of<0>(sums[0], sums[1], sums[2], sums[3]);
  }
}

/// The codes of a thread's numbers, a byte each; of integers of 4 bits the other half is not defined.
template <class E, Scaling scaling, class T, int count>
ASSAY_HD void code_chunk(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor, const Tables<E>& tables,
                         const Chunk<T, count>& x, std::uint32_t* words) {
  const auto code = [&]<bool divides>(std::bool_constant<divides>) {
    if (has_common_codes<E, scaling, divides>(rule, plan)) {
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; i += 4) {
        words[i / 4] = common_codes<E, scaling, divides>(rule, plan, tensor, tables, x, i);
      }
    } else {
      ASSAY_UNROLL(8)
      for (int i = 0; i < count; i += 4) {
        words[i / 4] = 0;
        ASSAY_UNROLL(4)
        for (int j = 0; j < 4; ++j) {
          words[i / 4] |= code_of<E, scaling, divides>(rule, plan, tensor, x[i + j]) << (8 * j);
        }
      }
    }
  };
  if (plan.is_open) {
    for (int i = 0; i < count / 4; ++i) words[i] = 0;
    return;
  }
  if constexpr (scaling == Scaling::factor || scaling == Scaling::zero_point) {
    if (plan.divisor != 0) {
      code(std::true_type{});
      return;
    }
  }
  code(std::false_type{});
}

/// Whether eight_codes() gives the codes of a block's entries.
template <class E, Scaling scaling>
ASSAY_HD bool has_eight_codes(const Rule& rule, const BlockPlan& plan) {
  return has_common_codes<E, scaling, false>(rule, plan) && rule.scale != ScaleRule::two_level && plan.divisor == 0 &&
         !plan.is_open;
}

/// The codes of eight entries from number i on, in the common directions, two in a byte: E2m1 and NF4.
template <class E, class T, int count>
ASSAY_HD std::uint32_t eight_codes(const Rule& rule, float multiplier, const Tables<E>& tables,
                                   const Chunk<T, count>& x, int i) {
  std::uint32_t even = 0;
  std::uint32_t odd = 0;
  ASSAY_UNROLL(8)
  for (int j = 0; j < 8; ++j) {
    std::uint32_t code;
    if constexpr (is_book<E>) {
      code = E::code_of(tables.cells, x[i + j] * multiplier);
    } else {
      code = E::nearest_even_sum(magnitude(x[i + j]) * multiplier);
    }
    (j % 2 == 0 ? even : odd) += code << (j / 2 * 8);
  }
  const bool odd_first = rule.is_high_half_first;
  const std::uint32_t codes = odd_first ? odd + (even << 4) : even + (odd << 4);
  if constexpr (is_book<E>) {
    return codes;
  } else {
    // Each sum begins with the bits of 3·2²², of which two sums reach into the word.
    constexpr std::uint32_t unit = 0x4B400000u + (0x4B400000u << 8);
    const std::uint32_t first = x.signs(i);
    const std::uint32_t second = x.signs(i + 4);
    const std::uint32_t low = select_bytes(first, second, odd_first ? 0x7531 : 0x6420) >> 4;
    const std::uint32_t high = select_bytes(first, second, odd_first ? 0x6420 : 0x7531);
    return ((codes - unit - (unit << 4)) & 0x77777777u) | (low & 0x08080808u) | (high & 0x80808080u);
  }
}

/// Codes of 4 bits, from the last half of a byte each, two in a byte. With partners code i and code i + count/2 share a
/// byte.
template <int count, bool has_partners>
ASSAY_HD void pack(const std::uint32_t* bytes, bool is_high_half_first, std::uint32_t* packed) {
  constexpr std::uint32_t lows = 0x0F0F0F0Fu;
  const auto halves = [&](std::uint32_t low, std::uint32_t high) { return (low & lows) | (high & ~lows); };
  if constexpr (has_partners) {
    ASSAY_UNROLL(4)
    for (int i = 0; i < count / 8; ++i) {
      const std::uint32_t first = bytes[i];
      const std::uint32_t second = bytes[i + count / 8];
      packed[i] = is_high_half_first ? halves(second, first << 4) : halves(first, second << 4);
    }
  } else {
    const auto pairs = [&](std::uint32_t word) {
      return is_high_half_first ? halves(word >> 8, word << 4) : halves(word, word >> 4);
    };
    ASSAY_UNROLL(4)
    for (int i = 0; i < count / 8; ++i) packed[i] = select_bytes(pairs(bytes[2 * i]), pairs(bytes[2 * i + 1]), 0x6420);
  }
}

/// Writes scale and second of a block.
template <Scaling scaling, bool is_half>
ASSAY_HD void store_plan(const BlockPlan& plan, std::size_t block, void* scales, void* seconds) {
  if constexpr (scaling == Scaling::power_of_two || scaling == Scaling::two_level) {
    static_cast<std::uint8_t*>(scales)[block] = static_cast<std::uint8_t>(plan.scale);
  } else if constexpr (is_half) {
    static_cast<std::uint16_t*>(scales)[block] = static_cast<std::uint16_t>(plan.scale);
  } else {
    static_cast<std::uint32_t*>(scales)[block] = plan.scale;
  }
  if constexpr (scaling == Scaling::zero_point) {
    static_cast<std::uint8_t*>(seconds)[block] = static_cast<std::uint8_t>(plan.second);
  } else if constexpr (scaling == Scaling::minimum) {
    static_cast<std::uint16_t*>(seconds)[block] = static_cast<std::uint16_t>(plan.second);
  }
}

/// Whether every entry of a block is rounded to an integer that is a code, without a limit.
template <class E, Scaling scaling, class Range>
ASSAY_HD bool is_inside(const Rule& rule, const BlockPlan& plan, const Range& range) {
  constexpr float far = 0x1p20f;
  const auto scaled = [&](float x) {
    if (plan.divisor == 0) return scaled_entry<E, scaling, false>(rule, plan, {}, x);
    return plan.reciprocal != 0 ? plan.quotient(x) : far;
  };
  if constexpr (std::is_same_v<Range, Amax>) {
    return scaled(from_bits<float>(range.amax)) <= static_cast<float>(E::most);
  } else {
    const float low = scaled(range.least);
    const float high = scaled(range.largest);
    if (!(low >= -far && high <= far)) return false;
    const int zero = zero_after(plan);
    constexpr int limit = 1 << 20;
    return E::rounded(low, -limit, limit, Direction::even) + zero >= E::least &&
           E::rounded(high, -limit, limit, Direction::even) + zero <= E::most;
  }
}

/// The plan of a block. `first`: as offset_plan() and minimum_plan() need it.
template <class E, Scaling scaling, bool is_half>
ASSAY_HD BlockPlan plan_of(const Rule& rule, const RangeOf<scaling>& range, const TensorScale& tensor, float first) {
  if constexpr (scaling == Scaling::power_of_two) {
    return power_of_two_plan<E>(rule, range);
  } else if constexpr (scaling == Scaling::factor || scaling == Scaling::zero_point) {
    BlockPlan plan;
    if constexpr (scaling == Scaling::factor) {
      plan = factor_plan<E, is_half>(rule, range);
    } else {
      plan = zero_point_plan<E>(rule, range);
    }
    if constexpr (E::is_integer) plan.is_inside = is_inside<E, scaling>(rule, plan, range);
    return plan;
  } else if constexpr (scaling == Scaling::two_level) {
    return two_level_plan(rule, range, tensor);
  } else if constexpr (scaling == Scaling::offset_code) {
    return offset_plan<E>(rule, first);
  } else {
    return minimum_plan<E>(rule, range, first);
  }
}

}  // namespace detail

}  // namespace assay::quantize
