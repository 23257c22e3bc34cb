#pragma once
// What may be promised of the error of an entry of a matrix product: bounds by the units and libraries that compute it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/bound.hpp"
#include "errorbounds/theorem.hpp"
#include "oracle/format.hpp"
#include "properties/contracts/matmul_truth.hpp"

namespace assay::contracts {

/// One entry of k terms, and the formats of its accumulator and of its result.
struct MatmulSum {
  std::uint64_t k;
  const MatmulTerms& terms;
  oracle::Format accumulator;
  oracle::Format result;
};

/// A contract about the error of every entry.
struct MatmulBound {
  const char* id;
  const TheoremWords* theorem;
  const char* instance;              ///< for which of its numbers the theorem is promised; empty for all
  std::vector<std::string> implies;  ///< ids of contracts that every kernel then keeps, too
  std::vector<std::string> formats;  ///< "IN:OUT" or "IN", in which it is promised
  Bound (*of)(const MatmulSum& sum);
  bool is_of_result = false;  ///< the bound includes the rounding to the result's format
};

/// All of them, the strongest of each kind first.
std::span<const MatmulBound> matmul_bounds();

/// Which bound B of a sum it is, for theorems about B: "B of tensor_core.chain.1, b = 16, F = 25, m = 23".
std::string instance_of(const MatmulBound& bound);

/// The bound of an entry. Where an accumulator of another format comes before the result, its rounding is included.
Bound bound_of(const MatmulBound& bound, const MatmulSum& sum);

/// The bound of α·s + βc for such an entry s, computed in the accumulator's format and stored as the result is.
Bound epilogue_bound_of(const MatmulBound& bound, const MatmulSum& sum, const oracle::Dyadic& alpha,
                        const oracle::Dyadic& addend);

}  // namespace assay::contracts
