#pragma once

#include <cstdint>

#include "errorbounds/bound.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

/// The promises by which products of matrices are graded. Derived in docs/bounds/gemm.md.
namespace assay {

/// An entry of α·AB + β·C in a format of p bits, u = 2⁻ᵖ: k products of any order, each addition and multiplication
/// rounded once or fused, α after the sum: |ĉ − c| ≤ growth·T, T = |α|·Σ|ab| + |βc|, without under- and overflow (not
/// checked). α = ±1 and β = 0 (`sum_alone`): growth = ku. Jeannerod, Rump, Improved error bounds for inner products in
/// floating-point arithmetic, SIAM J. Matrix Anal. Appl. 34, 2013, Theorem 3.1 (with k for every order of summation).
/// Otherwise γ_{k+2}: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1. Throws
/// std::domain_error if (k + 2)u ≥ 1.
Bound gemm_growth_bound(std::uint64_t k, bool sum_alone, const oracle::Dyadic& T, int p);

/// (1 + 2⁻⁹) times gemm_growth_bound(), with γ_{k+2} for k = 0: sums in a format with at least 11 more bits, rounded to
/// this format at the end. Derived in docs/bounds/gemm.md.
Bound gemm_wide_bound(std::uint64_t k, bool sum_alone, const oracle::Dyadic& T, int p);

/// e·`magnitude` + `floor`: an entry with the relative error e of `magnitude` = |α||A||B| + |βC|, and `floor` for
/// underflow.
Bound gemm_entry_bound(const RelativeBound& e, const oracle::Dyadic& magnitude, const oracle::Dyadic& floor);

/// 10ku, u = 2⁻ᵖ: an entry of grade A whose terms have one sign.
RelativeBound gemm_one_sign_bound(std::int64_t k, int p);

// The Ozaki scheme with fewer products than pairs of slices.

/// An entry of C ← α·op(A)·op(B) + β·C whose slice products A_p·B_r with p + r < levels are summed up exactly.
/// |a_il| ≤ 2^top_a, |b_lj| ≤ 2^top_b; the row has slices_a slices of q bits, the column slices_b, all of them 0 for a
/// line of zeros.
struct OzakiEntry {
  std::uint64_t k;
  int q;
  int slices_a;
  int slices_b;
  int levels;
  long top_a;
  long top_b;
};

/// N, the number of products that truncation omits, each of a slice of the row with the rest of the column, or of the
/// rest of the row with the column: the p with p < min(slices_a, levels) and levels − p < slices_b, and one more if
/// slices_a > levels. 0 if no product is omitted.
std::int64_t ozaki_truncated_pairs(const OzakiEntry& entry);

/// |Σ_{p + r ≥ levels} (A_p·B_r)_ij| ≤ N·k·2^(top_a + top_b − (q + 1)·levels). Ozaki, Ogita, Oishi, Rump 2012 for the
/// scheme; derived in docs/bounds/gemm.md. Normwise by row and column: entries of a row that are small compared with
/// its largest entry lose relative accuracy. Requires: levels ≥ 1 (not checked).
Bound ozaki_truncation_bound(const OzakiEntry& entry);

/// |ĉ − c| ≤ |α|·E + max(u·(|c| + |α|·E), η/2), E the truncation, c the exact αs + βc: the sum of the products that are
/// formed is rounded once. Nothing overflows (not checked). If E = 0, the entry is correctly rounded, which this bound
/// does not state.
Bound ozaki_bound(const OzakiEntry& entry, const oracle::Dyadic& alpha, const oracle::Dyadic& magnitude,
                  const oracle::Format& format);

}  // namespace assay
