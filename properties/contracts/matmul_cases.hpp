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
#include "properties/contracts/shaped.hpp"
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
  /// The row of A and the column of B that give the entry at `place` of the results, as a product of one entry.
  [[nodiscard]] MatmulCase entry_alone(std::size_t place) const {
    const auto at = static_cast<std::int64_t>(place);
    const std::int64_t row = at / n;
    const std::int64_t column = at / (m * n) * k * n + at % n;
    MatmulCase one{1, 1, 1, k, {}, {}};
    for (std::int64_t l = 0; l < k; ++l) {
      one.a.push_back(a[static_cast<std::size_t>(row * k + l)]);
      one.b.push_back(b[static_cast<std::size_t>(column + l * n)]);
    }
    return one;
  }
};

/// Products with the dimensions that a shape names. All other dimensions are small.
template <class Case>
struct ShapeOfProducts {
  static constexpr double bytes = 200;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"batch", "m", "n", "k"}; }
  static std::string large(std::string_view /*operation*/) {
    return "batch=1,m=129,n=127,k=257;batch=1,m=3,n=5,k=65537;batch=3,m=1,n=1025,k=31";
  }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    const double m = longest_of(shape, "m", 5);
    const double n = longest_of(shape, "n", 5);
    const double k = longest_of(shape, "k", 5);
    return longest_of(shape, "batch", 1) * (m * k + k * n + m * n);
  }
  static Case drawn(Draw&, const auto& next, const auto&) { return next(); }
};
template <FloatingPoint T>
struct ShapeOf<MatmulCase<T>> : ShapeOfProducts<MatmulCase<T>> {};

/// Places of a few results, by increasing place: the first, the last, and two more that depend on the numbers of the
/// case, at the edges of the shape as often as inside.
template <FloatingPoint T>
std::vector<std::size_t> places_to_ask_alone(const MatmulCase<T>& c);

/// x as a number of binary64, which holds every number of the formats here. An infinity or a NaN stays one.
template <FloatingPoint T>
double in_binary64(T x);

/// What the domain of a product depends on.
struct MatmulLimits {
  int highest_result;            ///< the exponent of the largest result of most classes
  int highest_sum;               ///< the exponent of the largest sum that the accumulator holds
  std::int64_t multiple_of = 1;  ///< of the dimensions: libraries have 8-bit products in multiples of 16 alone
  bool integers = false;         ///< of 8 bits, −128 … 127
  bool up_to_the_end = false;    ///< only numbers whose sums come near to 2^highest_result
};

/// Sizes from 0 and 1 to 512 × 512 × 64 and 16 × 16 × 8192, rarely one dimension of 65536; batches of up to 9, of
/// small products up to 257. Numbers at random, of one sign, cancelling, integers, at the ends of the format, a leader
/// with terms at the cut of an accumulator, growing magnitudes, infinities and NaNs. The sum of the magnitudes of an
/// entry's terms is below half of 2^highest_sum, and below half of 2^highest_result but in one class, whose sums leave
/// the range of the results on the way or for good.
template <FloatingPoint T>
Domain<MatmulCase<T>> matmul_domain(const MatmulLimits& limits);

}  // namespace assay::contracts
