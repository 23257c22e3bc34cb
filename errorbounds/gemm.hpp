#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"

/// The promises by which products of matrices are graded. Derived in docs/bounds/gemm.md.
namespace assay {

/// An entry of α·AB + β·C in binary64, k products of any order, each addition and multiplication rounded once or fused,
/// α after the sum: |ĉ − c| ≤ growth·T, T = |α|·Σ|ab| + |βc|, without under- and overflow (not checked).
/// α = ±1 and β = 0 (`sum_alone`): growth = ku. Jeannerod, Rump, Improved error bounds for inner products in
/// floating-point arithmetic, SIAM J. Matrix Anal. Appl. 34, 2013, Theorem 3.1 (with k for every order of summation).
/// Otherwise γ_{k+2}: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1. Throws
/// std::domain_error where (k + 2)u ≥ 1.
Bound gemm_growth_bound(std::uint64_t k, bool sum_alone, const oracle::Dyadic& T);

}  // namespace assay
