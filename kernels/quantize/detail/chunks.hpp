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
    return ASSAY_ON_DEVICE(binary16::of_bits(__half_as_ushort(__float2half_rn(x))), binary16(x));
  }
}

/// Words of a size that one instruction moves.
template <std::size_t bytes>
struct alignas(bytes) Words {
  std::uint32_t word[bytes / 4];
};

/// `count` numbers from an address that is a multiple of their size, which is a power of two.
template <int count, class T>
ASSAY_HD void load(const T* from, float* x) {
  constexpr std::size_t most = 16;
  constexpr std::size_t size = count * sizeof(T) < most ? count * sizeof(T) : most;
  constexpr int numbers = static_cast<int>(size / sizeof(T));
  ASSAY_UNROLL(8)
  for (int i = 0; i < count; i += numbers) {
    const auto words = *reinterpret_cast<const Words<size>*>(from + i);
    BitsOf<T> piece[numbers];
    memcpy(piece, &words, sizeof piece);
    ASSAY_UNROLL(8)
    for (int j = 0; j < numbers; ++j) x[i + j] = single_of(from_bits<T>(piece[j]));
  }
}
/// The same to memory.
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

/// The code of an entry. `usual`: to nearest with ties to even, and with −0.
template <class E, Scaling scaling, bool usual>
ASSAY_HD std::uint32_t code_of(const Rule& rule, const BlockPlan& plan, float tensor, float x) {
  const Direction direction = usual ? Direction::even : rule.direction;
  if constexpr (scaling == Scaling::power_of_two || scaling == Scaling::two_level) {
    float y = x * plan.multiplier;
    if constexpr (!usual) {
      if constexpr (scaling == Scaling::two_level) {
        if (rule.scale == ScaleRule::two_level && plan.scale != 0) {
          y = odd_quotient(2688.0 * x, static_cast<double>(tensor) * E4m3::value(plan.scale));
        }
      } else if (y == 0 && x != 0) {
        y = from_bits<float>((to_bits(x) & sign_mask) | 1);
      }
    }
    const std::uint32_t code = E::code(y, direction);
    return !usual && !rule.keeps_sign_of_zero && code == E::sign_bit ? 0 : code;
  } else if constexpr (scaling == Scaling::factor) {
    const float y = plan.divisor != 0 ? x / plan.divisor : x * plan.multiplier;
    if constexpr (E::is_integer) {
      const int least = rule.range == Range::narrow ? -E::most : E::least;
      return static_cast<std::uint32_t>(E::rounded(y, least, E::most, direction)) & E::mask;
    } else {
      const std::uint32_t code = E::code(y, direction);
      return !usual && !rule.keeps_sign_of_zero && code == E::sign_bit ? 0 : code;
    }
  } else if constexpr (scaling == Scaling::zero_point) {
    const bool adds_last = rule.factor == Factor::quotient || rule.factor == Factor::product;
    const float y = plan.divisor != 0              ? x / plan.divisor
                    : rule.factor == Factor::fused ? fma(x, plan.multiplier, plan.offset)
                                                   : x * plan.multiplier + plan.offset;
    const int zero = adds_last || plan.multiplier == 0 ? plan.zero_point : 0;
    const int k = E::rounded(y, E::least - zero, E::most - zero, direction) + zero;
    return static_cast<std::uint32_t>(k) & E::mask;
  } else {
    const Direction to = rule.direction == Direction::ties_up ? Direction::zero : rule.direction;
    const float shifted = x - plan.shift;
    const float y = rule.factor == Factor::fused ? fma(shifted, plan.multiplier, plan.offset)
                                                 : shifted * plan.multiplier + plan.offset;
    return static_cast<std::uint32_t>(E::rounded(y, 0, E::most, to));
  }
}

template <class E, Scaling scaling>
ASSAY_HD bool is_usual(const Rule& rule) {
  return rule.direction == Direction::even && rule.keeps_sign_of_zero && rule.scale != ScaleRule::two_level;
}

/// The codes of a thread's numbers.
template <class E, Scaling scaling>
ASSAY_HD void code_chunk(const Rule& rule, const BlockPlan& plan, float tensor, const float* x, std::uint32_t* code) {
  if (plan.is_open) {
    ASSAY_UNROLL(8)
    for (std::size_t i = 0; i < chunk; ++i) code[i] = 0;
  } else if (is_usual<E, scaling>(rule)) {
    ASSAY_UNROLL(8)
    for (std::size_t i = 0; i < chunk; ++i) code[i] = code_of<E, scaling, true>(rule, plan, tensor, x[i]);
  } else {
    for (std::size_t i = 0; i < chunk; ++i) code[i] = code_of<E, scaling, false>(rule, plan, tensor, x[i]);
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

/// The plan of a block. `first`: as offset_plan() and minimum_plan() need it.
template <class E, Scaling scaling, bool is_half>
ASSAY_HD BlockPlan plan_of(const Rule& rule, const RangeOf<scaling>& range, float tensor, float first) {
  if constexpr (scaling == Scaling::power_of_two) {
    return power_of_two_plan<E>(rule, range);
  } else if constexpr (scaling == Scaling::factor) {
    return factor_plan<E, is_half>(rule, range);
  } else if constexpr (scaling == Scaling::two_level) {
    return two_level_plan(rule, range, tensor);
  } else if constexpr (scaling == Scaling::zero_point) {
    return zero_point_plan<E>(rule, range);
  } else if constexpr (scaling == Scaling::offset_code) {
    return offset_plan<E>(rule, first);
  } else {
    return minimum_plan<E>(rule, range, first);
  }
}

}  // namespace detail

}  // namespace assay::quantize
