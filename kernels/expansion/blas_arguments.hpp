#pragma once
// The checks of arguments for the expansion GEMV and GEMM.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "arith/expansion/distillation.hpp"
#include "kernels/blas/arguments.hpp"

namespace assay::expansion::detail {

/// Whether all words are zero.
template <class T>
bool is_zero_expansion(std::span<const T> words) {
  for (const T& each : words) {
    if (each != T(0)) return false;
  }
  return true;
}

/// Whether the first word is 1 and the others are zero.
template <class T>
bool is_one_expansion(std::span<const T> words) {
  return words[0] == T(1) && is_zero_expansion(words.subspan(1));
}

template <class T, int K>
Expansion<T, K> expansion_of(std::span<const T> words) {
  Expansion<T, K> r;
  for (std::size_t i = 0; i < K; ++i) r.x[i] = words[i];
  return r;
}

/// Throws if alpha or beta does not have as many words as the entries.
template <class T>
void require_scalars(int words, std::span<const T> alpha, std::span<const T> beta, const char* routine) {
  const auto size = static_cast<std::size_t>(words);
  blas::require_argument(alpha.size() == size && beta.size() == size, routine,
                         "alpha and beta have as many words as the entries");
}

/// The words of an array of expansions, one after the other.
template <class T, int K>
std::span<const T> words_in(std::span<const Expansion<T, K>> x) {
  static_assert(std::is_standard_layout_v<Expansion<T, K>> && sizeof(Expansion<T, K>) == K * sizeof(T));
  return {reinterpret_cast<const T*>(x.data()), x.size() * K};
}

template <class T, int K>
std::vector<Expansion<T, K>> expansions_of(const std::vector<T>& words) {
  std::vector<Expansion<T, K>> r(words.size() / K);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = expansion_of<T, K>(std::span<const T>(words).subspan(i * K, K));
  return r;
}

/// launch(std::integral_constant<int, K>) for the K that equals `words`.
template <class Launch>
decltype(auto) with_words(int words, const char* routine, Launch&& launch) {
  switch (words) {
    case 2:
      return launch(std::integral_constant<int, 2>());
    case 3:
      return launch(std::integral_constant<int, 3>());
    case 4:
      return launch(std::integral_constant<int, 4>());
    case 8:
      return launch(std::integral_constant<int, 8>());
    default:
      throw std::invalid_argument(std::string(routine) + ": the number of words is 2, 3, 4 or 8, not " +
                                  std::to_string(words));
  }
}

}  // namespace assay::expansion::detail
