#include "errorbounds/sparse.hpp"

#include "errorbounds/xblas.hpp"

namespace assay {

Bound sparse_words_bound(int words, std::uint64_t n, const oracle::Dyadic& weight, const oracle::Dyadic& magnitude,
                         const oracle::Format& format) {
  constexpr std::uint64_t lanes = 8;
  return xblas_sum_bound(words, n, lanes, weight, magnitude, format);
}

}  // namespace assay
