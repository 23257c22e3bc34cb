#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by integers on tensor cores.
//
// 1. Each row of op(A) and each column of op(B) is scaled by a power of two and made a row or column of integers.
// 2. The integers are reduced modulo up to 49 pairwise coprime numbers from 29 to 256, the moduli. A residue has 8
// bits.
// 3. The matrices of residues are multiplied. Their sums fit in 32 bits, so they are exact.
// 4. The Chinese remainder theorem gives the exact product of the integers. Let m_i be the moduli in use, P their
//    product, P_i = P/m_i, X an entry of the integer product, and s_i ≡ X·P_i⁻¹ modulo m_i. Then X = Σ s_i·P_i − Q·P
//    with an integer Q.
//
// Exact mode: the integers keep all bits of A and B. Rounded mode: the scaled numbers are rounded to integers. Let X be
// the entry of the integer product, 2^−e its unit, and E a bound of the change of X by the rounding. An entry is
// accepted if α·(X − E)·2^−e + β·c and α·(X + E)·2^−e + β·c round to the same number (Ziv's test). Entries that are not
// accepted are computed again, with more moduli or by superaccumulators.
// The number of moduli is chosen from the data: the exponents and the sums of magnitudes of the rows of op(A) and the
// columns of op(B), and some sampled entries.
// Source: Ozaki, Uchino, Imamura, "Ozaki Scheme II", 2025; that method takes the rounded product as the result.
// Derivations: docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// How a product was computed.
struct GemmCrtReport {
  int moduli = 0;                   ///< of the last pass; 0 without a pass
  int passes = 0;                   ///< multiplications with one number of moduli each
  bool exact = false;               ///< whether the integers of the last pass kept all bits
  bool shifted = false;             ///< whether column l of op(A) and row l of op(B) were scaled by 2^s_l and 2^−s_l
  bool non_finite = false;          ///< whether A or B, if they were read, have an infinity or a NaN
  std::uint64_t undecided = 0;      ///< entries after the last pass that a superaccumulator computed
  std::size_t workspace_bytes = 0;  ///< the largest workspace in use
};

/// C after the product, every entry rounded once, ties to even, subnormal results and overflow included. An exact zero
/// is +0. Layout and the rules for α, β and k: GemmArguments.
/// gemm_crt does not write an entry whose row of op(A) or column of op(B) has an infinity or a NaN; `gemm` computes
/// these entries. In the other entries a c that is an infinity or a NaN gives β·c.
/// Requires: α and β finite, C apart from A and B (not checked).
/// Bit-identical on every executor, for every workspace and number of moduli, because every entry is correctly rounded.
/// C is complete after wait() (exec/launch.hpp). Sizes and leading dimensions are not checked.
/// Throws std::invalid_argument if the workspace is too small for the smallest panels, or if k > 2²⁸ and entries are to
/// be computed again, and ExecutorError as launches do; C may be written in part then.
/// Cost: N products of int8 matrices for N moduli, and 8N bytes of memory traffic for each entry of A, B and C.
GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options = {});

}  // namespace assay::gemm
