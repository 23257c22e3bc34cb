#pragma once
// Inputs of matrix products as programs of machine learning have them: rows one behind the other, batches, narrow
// formats, and the numbers on which an accumulator with few bits errs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "arith/fields.hpp"
#include "oracle/dyadic.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"

namespace assay::contracts {

/// D_p = A_p·B_p for p < batch, A_p of m × k, B_p of k × n: row-major without gaps, one product behind the other.
template <FloatingPoint T>
struct MatmulCase {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  std::vector<T> a, b;
  static constexpr auto fields() {
    using C = MatmulCase;
    return std::tuple{field("batch", &C::batch), field("m", &C::m), field("n", &C::n),
                      field("k", &C::k),         field("a", &C::a), field("b", &C::b)};
  }
  [[nodiscard]] std::size_t results() const { return static_cast<std::size_t>(batch * m * n); }
};

/// An entry of the results, and where it stands.
struct MatmulEntry {
  std::int64_t p, i, j;
  std::size_t place;
};

/// What IEEE arithmetic gives for an entry: the exact sum, or what the infinities and NaNs among its terms make of it.
enum class EntryKind { finite, nan, plus_infinity, minus_infinity };

/// What the exact product has at one entry.
struct MatmulTerms {
  EntryKind kind = EntryKind::finite;
  oracle::Dyadic sum;         ///< Σ aₗbₗ; 0 where the kind is not finite
  oracle::Dyadic magnitudes;  ///< Σ |aₗbₗ|
  /// M, the largest |aₗ|⁺|bₗ|⁺ of the terms other than 0 with a subnormal factor, |x|⁺ = max(|x|, the smallest normal
  /// number); 0 without one.
  oracle::Dyadic lifted;
};

/// Which entries of the case are judged: all of a case of at most 2¹⁷ products, else those in up to 24 rows and 24
/// columns of up to three products of the batch, the first and the last of each among them.
std::vector<MatmulEntry> judged_entries(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k);

/// The judged entries of a case with their exact terms. The last case of a thread is kept, so that claims about one
/// case share them. Requires: lists of the lengths that the dimensions say (not checked).
struct MatmulTruth {
  std::vector<MatmulEntry> entries;
  std::vector<MatmulTerms> terms;
};
template <FloatingPoint T>
const MatmulTruth& matmul_truth(const MatmulCase<T>& c);

/// What the domain of a product depends on.
struct MatmulLimits {
  int highest_result;            ///< the exponent of the largest result
  std::int64_t multiple_of = 1;  ///< of the dimensions: libraries have 8-bit products in multiples of 16 alone
  bool integers = false;         ///< of 8 bits, −128 … 127
};

/// Sizes from 0 and 1 to 512 × 512 × 512 and 16 × 16 × 8192; numbers at random, of one sign, cancelling, integers,
/// at the ends of the format, a leader with terms at the cut of an accumulator, growing magnitudes, infinities and
/// NaNs. The sum of the magnitudes of an entry's terms is below half of 2^highest_result.
template <FloatingPoint T>
Domain<MatmulCase<T>> matmul_domain(const MatmulLimits& limits);

}  // namespace assay::contracts
