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

/// The code of an entry x that was scaled to y.
template <class E, Scaling scaling>
ASSAY_HD std::uint32_t code_of(const Rule& rule, const BlockPlan& plan, Direction direction, float x, float y) {
  if constexpr (scaling == Scaling::offset_code || scaling == Scaling::minimum) {
    return static_cast<std::uint32_t>(E::rounded(y, 0, E::most, direction));
  } else if constexpr (scaling == Scaling::zero_point) {
    const bool adds_last = plan.offset == 0;
    const int zero = adds_last ? plan.zero_point : 0;
    const int k = E::rounded(y, E::least - zero, E::most - zero, direction) + zero;
    return static_cast<std::uint32_t>(k) & E::mask;
  } else if constexpr (E::is_integer) {
    const int least = rule.range == Range::narrow ? -E::most : E::least;
    return static_cast<std::uint32_t>(E::rounded(y, least, E::most, direction)) & E::mask;
  } else {
    if (scaling == Scaling::power_of_two && direction != Direction::even && y == 0 && x != 0) {
      y = from_bits<float>((to_bits(x) & sign_mask) | 1);  // x times the power of two was rounded to 0
    }
    const std::uint32_t code = E::code(y, direction);
    return !rule.keeps_sign_of_zero && code == E::sign_bit ? 0 : code;
  }
}

/// A direction that is a constant.
template <Direction direction>
struct Fixed {
  // NOLINTNEXTLINE(google-explicit-constructor)
  ASSAY_HD constexpr operator Direction() const { return direction; }
};

/// The codes of a thread's `count` numbers, a byte each. `direction` is a constant where that is faster. `is_short`: a
/// scaled number has at most 11 bits.
template <class E, Scaling scaling, bool divides, bool is_short, int count, class To>
ASSAY_HD void code_bytes(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor, const float* x,
                         To direction, std::uint32_t* words) {
  constexpr bool is_even = std::is_same_v<To, Fixed<Direction::even>>;
  ASSAY_UNROLL(8)
  for (int i = 0; i < count; i += 4) {
    float y[4];
    ASSAY_UNROLL(4)
    for (int j = 0; j < 4; ++j) y[j] = scaled_entry<E, scaling, divides>(rule, plan, tensor, x[i + j]);
    if constexpr (is_even && !E::is_integer) {
      const auto pair = [](float a, float b) {
        return is_short ? E::nearest_even_pair_of_short(a, b) : E::nearest_even_pair(a, b);
      };
      words[i / 4] = pair(y[0], y[1]) | pair(y[2], y[3]) << 16;
    } else {
      words[i / 4] = 0;
      ASSAY_UNROLL(4)
      for (int j = 0; j < 4; ++j) {
        words[i / 4] |= code_of<E, scaling>(rule, plan, direction, x[i + j], y[j]) << (8 * j);
      }
    }
  }
}

/// The same with the directions of published rules as constants, for numbers of T.
template <class T, class E, Scaling scaling, int count>
ASSAY_HD void code_chunk(const Rule& rule, const BlockPlan& plan, const TensorScale& tensor, const float* x,
                         std::uint32_t* words) {
  constexpr bool is_of_ggml = scaling == Scaling::offset_code || scaling == Scaling::minimum;
  constexpr bool may_divide = scaling == Scaling::factor || scaling == Scaling::zero_point;
  constexpr bool is_short = scaling == Scaling::power_of_two && FloatTraits<T>::precision <= 11;
  const auto to = [&](auto direction) {
    if constexpr (may_divide) {
      if (plan.divisor != 0)
        return code_bytes<E, scaling, true, is_short, count>(rule, plan, tensor, x, direction, words);
    }
    code_bytes<E, scaling, false, is_short, count>(rule, plan, tensor, x, direction, words);
  };
  if (plan.is_open) {
    for (int i = 0; i < count / 4; ++i) words[i] = 0;
  } else if (is_of_ggml && rule.direction == Direction::ties_up) {
    to(Fixed<Direction::zero>{});  // half a unit was added
  } else if (rule.direction == Direction::even && rule.keeps_sign_of_zero) {
    to(Fixed<Direction::even>{});
  } else if (E::is_integer && rule.direction == Direction::away) {
    to(Fixed<Direction::away>{});
  } else {
    to(rule.direction);
  }
}

/// Codes of 4 bits, from a byte each, two in a byte. With partners code i and code i + count/2 share a byte.
template <int count, bool has_partners>
ASSAY_HD void pack(const std::uint32_t* bytes, bool is_high_half_first, std::uint32_t* packed) {
  if constexpr (has_partners) {
    ASSAY_UNROLL(4)
    for (int i = 0; i < count / 8; ++i) {
      const std::uint32_t first = bytes[i];
      const std::uint32_t second = bytes[i + count / 8];
      packed[i] = is_high_half_first ? first << 4 | second : first | second << 4;
    }
  } else {
    const auto pairs = [&](std::uint32_t word) {
      return (is_high_half_first ? word << 4 | word >> 8 : word | word >> 4) & 0x00FF00FF;
    };
    ASSAY_UNROLL(4)
    for (int i = 0; i < count / 8; ++i) {
      const std::uint32_t low = pairs(bytes[2 * i]);
      const std::uint32_t high = pairs(bytes[2 * i + 1]);
      packed[i] = ((low | low >> 8) & 0xFFFF) | (high | high >> 8) << 16;
    }
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
ASSAY_HD BlockPlan plan_of(const Rule& rule, const RangeOf<scaling>& range, const TensorScale& tensor, float first) {
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
