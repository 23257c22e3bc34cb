#pragma once
// A symmetric matrix of which only one triangle is stored.

#include <algorithm>

#include "kernels/blas/triangle.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp {
namespace detail {

/// The n × n matrix whose entries (i, j) and (j, i) are the stored one of a, with the leading dimension n and the
/// layout of a. Requires: a holds the matrix with the leading dimension lda (not checked).
inline MpArray mirrored(blas::Triangle uplo, std::int64_t n, const MpArray& a, std::int64_t lda) {
  MpArray full = mp_zeros(a.n, static_cast<std::size_t>(n * n), a.planes);
  const std::size_t size = static_cast<std::size_t>(a.n) + 1;
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t row = uplo == blas::Triangle::upper ? std::min(i, j) : std::max(i, j);
      const auto from = static_cast<std::size_t>(row + (i + j - row) * lda);
      const auto to = static_cast<std::size_t>(i + j * n);
      for (std::size_t r = 0; r < size; ++r) {
        const std::size_t digit = a.planes ? r * a.length + from : from * size + r;
        full.digits[a.planes ? r * full.length + to : to * size + r] = a.digits[digit];
      }
      full.sign[to] = a.sign[from];
      full.exponent[to] = a.exponent[from];
      full.lower[to] = a.lower[from];
      full.upper[to] = a.upper[from];
    }
  }
  return full;
}

}  // namespace detail
}  // namespace assay::mp
