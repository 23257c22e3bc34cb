#pragma once
// Atomic operations on words in the memory of an executor, the same source on the host and on the device.
//
// Each function returns the value before the operation. On a device the operations are relaxed atomics of the device;
// one whose result is unused compiles to a reduction without an answer. On the host one thread runs all threads of a
// launch (exec/launch.hpp), so that plain operations are enough; two launches must not share a word.

#include <cstdint>

#include "arith/hd.hpp"

namespace assay::atomic {

namespace detail {

/// *word ← after; returns the value before.
template <class T>
ASSAY_HD inline T replace(T* word, T after) {
  const T before = *word;
  *word = after;
  return before;
}

}  // namespace detail

/// *word ← *word + x, modulo 2³² or 2⁶⁴.
ASSAY_HD inline std::uint32_t fetch_add(std::uint32_t* word, std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(word, x);
#else
  return detail::replace(word, *word + x);
#endif
}
ASSAY_HD inline std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof *word);
  return atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(x));
#else
  return detail::replace(word, *word + x);
#endif
}
/// The same for signed words. Requires: the sum is in range (not checked).
ASSAY_HD inline std::int32_t fetch_add(std::int32_t* word, std::int32_t x) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(word, x);
#else
  return detail::replace(word, *word + x);
#endif
}
ASSAY_HD inline std::int64_t fetch_add(std::int64_t* word, std::int64_t x) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::int64_t>(
      atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(x)));
#else
  return detail::replace(word, *word + x);
#endif
}

/// *word ← *word | bits.
ASSAY_HD inline std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return atomicOr(word, bits);
#else
  return detail::replace(word, *word | bits);
#endif
}

/// *word ← *word & bits.
ASSAY_HD inline std::uint32_t fetch_and(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return atomicAnd(word, bits);
#else
  return detail::replace(word, *word & bits);
#endif
}

/// *word ← max(*word, x).
ASSAY_HD inline std::int32_t fetch_max(std::int32_t* word, std::int32_t x) {
#if defined(__CUDA_ARCH__)
  return atomicMax(word, x);
#else
  return detail::replace(word, *word < x ? x : *word);
#endif
}

}  // namespace assay::atomic
