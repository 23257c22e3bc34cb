#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/gemv.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay {

/// A row of a sparse product in W words: xblas_sum_bound for n places over 8 lanes. `weight`: Σ w(aⱼ)·w(xⱼ),
/// `magnitude`: |Σ aⱼxⱼ|. Derivation: docs/bounds/sparse.md. Throws std::domain_error if a condition of
/// expansion_sum_factors is not met.
Bound sparse_words_bound(int words, std::uint64_t n, const oracle::Dyadic& weight, const oracle::Dyadic& magnitude,
                         const oracle::Format& format);

}  // namespace assay
