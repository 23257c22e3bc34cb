#pragma once
// The bound of the fast mode of gemm_ozaki, which only forms the leading levels of slice products.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "errorbounds/gemm.hpp"
#include "properties/draws/gemm/cases.hpp"
#include "properties/framework/number_parts.hpp"

namespace assay::gemm {

/// The levels of the fast mode: with three slices of 21 bits for each row and column, a product as accurate as
/// binary64.
inline constexpr int fast_levels = 3;

/// The bits of a slice, q = 53 − ⌈(53 + ⌈log₂ k⌉)/2⌉, and the slices of a line of numbers below 2^top whose lowest bit
/// is 2^low: docs/bounds/gemm.md.
int slice_bits(std::int64_t k);
int slices_of(long top, long low, int q);

/// gemm_ozaki_6 for the entries of one product.
class FastBound {
 public:
  explicit FastBound(const GemmCase& c);

  /// For entry (i, j) with this exact value.
  [[nodiscard]] Bound of(std::int64_t i, std::int64_t j, const oracle::Dyadic& truth) const;

 private:
  struct Line {
    int slices = 0;
    long top = 0;
  };
  Line line_of(const oracle::MatrixView& x, bool row, std::int64_t line) const;

  std::uint64_t k_;
  int q_ = 1;
  oracle::Dyadic alpha_;
  std::vector<Line> rows_, columns_;
};

}  // namespace assay::gemm
