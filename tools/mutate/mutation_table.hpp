#pragma once
// Tables that the compiler computes, for the mutated sources: a mutant can change them.

#include <memory>
#include <type_traits>

#include "mutation.hpp"

namespace assay::mutation {

template <auto make, class Table>
const Table& made_table() {
  static const auto made = std::make_unique<const Table>(make());  // the compiler would make the value itself
  return *made;
}

/// The table make(), which the compiler computed as `constant`: outside constant evaluation it is computed when it is
/// first asked for, with the mutant that runs then. A process asks for one mutant's tables. With ASSAY_MUTANT the
/// compiler's table is that of the mutant.
template <auto make, class Table>
ASSAY_MUTATION_HD constexpr const Table& table(const Table& constant) {
#if !defined(__CUDA_ARCH__) && !defined(ASSAY_MUTANT)
  if (!std::is_constant_evaluated()) return made_table<make, Table>();
#endif
  return constant;
}

}  // namespace assay::mutation
