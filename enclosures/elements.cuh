#pragma once
// The numbers of arrays in memory, as binary64.

#include "enclosures/entries.cuh"

namespace assay::enclosures {

enum Element { binary64, binary32, binary16, bfloat16, e4m3, e5m2 };

/// The number of a pattern of binary16.
ASSAY_ENTRY double half_number(unsigned short bits) {
#ifdef __CUDACC__
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));
  return number;
#else
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double size = exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * power_of_two(exponent - 25);
  if (exponent == 31) size = number_of(0x7ffULL << 52 | static_cast<Pattern>(fraction) << 42);
  return bits >> 15 != 0 ? -size : size;
#endif
}

template <Element element>
ASSAY_ENTRY double element_at(const void* data, Integer at) {
  if constexpr (element == binary64) return static_cast<const double*>(data)[at];
  if constexpr (element == binary32) return static_cast<const float*>(data)[at];
  if constexpr (element == bfloat16) {
    const unsigned bits = static_cast<unsigned>(static_cast<const unsigned short*>(data)[at]) << 16;
#ifdef __CUDACC__
    return __uint_as_float(bits);
#else
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
#endif
  }
  if constexpr (element == binary16) return half_number(static_cast<const unsigned short*>(data)[at]);
  if constexpr (element == e5m2) {
    return half_number(static_cast<unsigned short>(static_cast<const unsigned char*>(data)[at] << 8));
  }
  if constexpr (element == e4m3) {
    const unsigned bits = static_cast<const unsigned char*>(data)[at];
    if ((bits & 127) == 127) return number_of(0x7ff8000000000000ULL);
    // In binary16 the bias of the exponent is larger by 8.
    return 256 * half_number(static_cast<unsigned short>((bits & 128) << 8 | (bits & 127) << 7));
  }
}

}  // namespace assay::enclosures
