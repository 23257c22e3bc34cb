#pragma once
// The operands of calls on vectors of expansions, for the files that launch them.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/expansion/blas_arguments.hpp"
#include "kernels/expansion/detail/vector_kernels.hpp"

namespace assay::expansion {
namespace detail {

/// Entry 0 of a vector, and its step: 1 if the vector has at most one entry, because then the step may be any number.
template <int W, bool aligned = false>
VectorOperand<W, aligned> operand_of(const double* words, std::int64_t n, std::int64_t inc) {
  const std::int64_t step = n <= 1 ? 1 : inc;
  return {words == nullptr ? words : words + W * blas::begin_of(n, step), step};
}

/// launch(W, whether all entries lie at multiples of 16 bytes), both constants.
template <class Launch>
void with_operands(int words, const char* routine, std::initializer_list<const double*> vectors, Launch&& launch) {
  with_entry_words(words, routine, [&](auto w) {
    constexpr int W = w;
    if constexpr (W % 2 == 0) {
      const bool aligned = std::all_of(vectors.begin(), vectors.end(),
                                       [](const double* x) { return reinterpret_cast<std::uintptr_t>(x) % 16 == 0; });
      if (aligned) return launch(w, std::true_type());
    }
    return launch(w, std::false_type());
  });
}

}  // namespace detail
}  // namespace assay::expansion
