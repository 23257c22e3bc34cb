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
  /// The row of A and the column of B that give the first entry, as a product of one entry.
  [[nodiscard]] MatmulCase first_entry() const {
    MatmulCase first{1, 1, 1, k, {}, {}};
    for (std::int64_t l = 0; l < k; ++l) {
      first.a.push_back(a[static_cast<std::size_t>(l)]);
      first.b.push_back(b[static_cast<std::size_t>(l * n)]);
    }
    return first;
  }
};

/// x as a number of binary64, which holds every number of the formats here. An infinity or a NaN stays one.
template <FloatingPoint T>
double in_binary64(T x);

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
