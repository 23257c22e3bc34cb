#pragma once
// Calls of functions that are known by their address alone.

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "exec/executor.hpp"

namespace assay::formulas {

/// The numbers as they lie in memory.
inline std::vector<std::uint8_t> raw(const std::vector<std::uint64_t>& words, std::size_t bytes) {
  std::vector<std::uint8_t> memory(words.size() * bytes);
  for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(memory.data() + i * bytes, &words[i], bytes);
  return memory;
}

/// f(words…), only integers and addresses: they are passed alike, whatever their types.
template <std::size_t... i>
void call_with(void* f, const std::vector<std::uint64_t>& words, std::index_sequence<i...>) {
  reinterpret_cast<void (*)(decltype(static_cast<void>(i), std::uint64_t{})...)>(f)(words[i]...);
}
template <std::size_t n = 1>
void call(void* f, const std::vector<std::uint64_t>& words) {
  constexpr std::size_t most = 32;
  if (words.size() == n) return call_with(f, words, std::make_index_sequence<n>());
  if constexpr (n < most) {
    call<n + 1>(f, words);
  } else {
    throw ExecutorError("a function of more than 32 arguments");
  }
}

}  // namespace assay::formulas
