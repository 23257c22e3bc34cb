#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "errorbounds/expansion.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// Errors of BLAS with entries of W words and sums of max(W, 2) words. Derivations: docs/bounds/xblas.md. Every
/// function throws std::domain_error if a condition of expansion_sum_factors is not met.
namespace assay {

/// A sum that is stored in W words, |ŝ − s| ≤ of_sum: with one word of_sum + u(|s| + of_sum), else of_sum.
/// `magnitude`: |s|.
Bound xblas_stored_bound(int words, const Bound& of_sum, const oracle::Dyadic& magnitude, const oracle::Format& format);

/// A sum of n products over this many lanes, stored in W words. `weight`: Σ w(xⱼ)·w(yⱼ), `magnitude`: |Σ xⱼyⱼ|.
Bound xblas_sum_bound(int words, std::uint64_t n, std::uint64_t lanes, const oracle::Dyadic& weight,
                      const oracle::Dyadic& magnitude, const oracle::Format& format);

/// An entry α·s + β·y, stored in W words. `of_entry`: the bound of the entry before it is stored, of max(W, 2) words.
Bound xblas_entry_bound(int words, const Bound& of_entry, const oracle::Dyadic& magnitude,
                        const oracle::Format& format);

/// A two-norm r = √s, s = Σ xⱼ².
struct XblasNorm {
  std::uint64_t n;
  std::uint64_t lanes;
  oracle::Dyadic weight;   ///< Σ w(xⱼ)²
  oracle::Dyadic largest;  ///< the largest magnitude of a word
  oracle::Dyadic low;      ///< at most r, above 0
  oracle::Dyadic high;     ///< at least r
};

/// E = e·weight + n·2⁻⁸⁰⁰·largest² of a sum of n squares that is formed for a norm (W ≤ 4, binary64).
Bound xblas_square_sum_bound(int words, std::uint64_t n, std::uint64_t lanes, const oracle::Dyadic& weight,
                             const oracle::Dyadic& largest, const oracle::Format& format);

/// |r̂ − r| ≤ (1 + d)·E/low + d·high + Wη for r > 0, E = e·weight + n·2⁻⁸⁰⁰·largest² (W ≤ 4, binary64); D = 2 digits for
/// W = 1, otherwise W + 1; d = (u for W = 1) + (101/100)((8u)ᴰ + (5/2)e₂ + (6/5)e_D).
Bound xblas_norm_bound(int words, const XblasNorm& norm, const oracle::Format& format);

/// A row of a triangular system that was solved.
struct XblasRow {
  std::uint64_t beside;     ///< entries outside the diagonal
  bool unit;                ///< the diagonal is 1 and not stored
  oracle::Dyadic weight;    ///< w(α)·w(b) + Σ w(lⱼ)·w(x̂ⱼ) over the entries outside the diagonal
  oracle::Dyadic quotient;  ///< |l·x̂| for the diagonal
  oracle::Dyadic diagonal;  ///< w(l) for the diagonal
};

/// The residual |α·b − Σ lⱼx̂ⱼ| of a row: E + d·|l·x̂| + 4D((1 + κ_D)w(l) + 3κ₂)η. E = e·weight + κ(beside + 1)η for
/// beside + 1 products in one lane; D = 2 digits for W = 1, otherwise W + 1; e₂, κ₂ and e_D, κ_D belong to 2 and D
/// products; d = (u for W = 1) + (1 + 16u)((6u)ᴰ + (101/50)e₂ + (101/100)e_D). For a unit diagonal E, with W = 1 also
/// u|x̂|. Requires: p ≥ 24 (throws std::domain_error).
Bound xblas_residual_bound(int words, const XblasRow& row, const oracle::Format& format);

}  // namespace assay
