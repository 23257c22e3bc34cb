#pragma once
// Tables that the compiler computes, for the mutated sources: a mutant can change them.

#include <memory>
#include <type_traits>

#include "tools/mutate/mutation.hpp"

namespace mutation {

template <auto make, class Table>
const Table& made_table() {
  static const auto made = std::make_unique<const Table>(make());  // the compiler would make the value itself
  return *made;
}

/// The table make(), which the compiler computed as `constant`: outside constant evaluation it is computed at its first
/// use, with the mutant that runs then. A process uses the tables of one mutant. With MUTATION_NUMBER the compiler's
/// table is the mutant's table.
template <auto make, class Table>
MUTATION_HD constexpr const Table& table(const Table& constant) {
#if !defined(__CUDA_ARCH__) && !defined(MUTATION_NUMBER)
  if (!std::is_constant_evaluated()) return made_table<make, Table>();
#endif
  return constant;
}

}  // namespace mutation
