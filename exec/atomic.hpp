#pragma once
// Atomic operations on words in the memory of an executor, the same source on the host and on the device.
//
// Each fetch_ function returns the value before the operation. On a device it is a relaxed atomic of the device; one
// whose result is unused compiles to a reduction without an answer. On the host one thread runs all threads of a
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
  return ASSAY_ON_DEVICE(atomicAdd(word, x), detail::replace(word, *word + x));
}
ASSAY_HD inline std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t x) {
  static_assert(sizeof(unsigned long long) == sizeof *word);
  return ASSAY_ON_DEVICE(atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(x)),
                         detail::replace(word, *word + x));
}
/// The same for signed words. Requires: the sum is in range (not checked).
ASSAY_HD inline std::int32_t fetch_add(std::int32_t* word, std::int32_t x) {
  return ASSAY_ON_DEVICE(atomicAdd(word, x), detail::replace(word, *word + x));
}
ASSAY_HD inline std::int64_t fetch_add(std::int64_t* word, std::int64_t x) {
  return ASSAY_ON_DEVICE(
      static_cast<std::int64_t>(fetch_add(reinterpret_cast<std::uint64_t*>(word), static_cast<std::uint64_t>(x))),
      detail::replace(word, *word + x));
}

/// *word ← *word | bits.
ASSAY_HD inline std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) {
  return ASSAY_ON_DEVICE(atomicOr(word, bits), detail::replace(word, *word | bits));
}

/// *word ← *word & bits.
ASSAY_HD inline std::uint32_t fetch_and(std::uint32_t* word, std::uint32_t bits) {
  return ASSAY_ON_DEVICE(atomicAnd(word, bits), detail::replace(word, *word & bits));
}

/// *word ← max(*word, x).
ASSAY_HD inline std::int32_t fetch_max(std::int32_t* word, std::int32_t x) {
  return ASSAY_ON_DEVICE(atomicMax(word, x), detail::replace(word, *word < x ? x : *word));
}

/// *word ← x, after all that the calling thread wrote before: a thread that looks at the word and finds x sees that,
/// too. Requires: threads of one block publish a word, one after the other with a barrier between, each time a larger
/// value (not checked).
ASSAY_HD inline void publish(std::uint32_t* word, std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(x) : "memory");
#else
  *word = x;
#endif
}

/// The value that was published last, or one that the word had before.
ASSAY_HD inline std::uint32_t look(const std::uint32_t* word) {
#if defined(__CUDA_ARCH__)
  std::uint32_t x;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(word) : "memory");
  return x;
#else
  return *word;
#endif
}

}  // namespace assay::atomic
