#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by integers on tensor cores.
//
// Rows of op(A) and columns of op(B) are scaled by powers of two and become integers. The integers become residues
// modulo up to 49 coprime numbers of at most 8 bits. The products of residue matrices are exact sums in 32 bits. The
// Chinese remainder theorem gives the exact product of the integers. Source: Ozaki, Uchino, Imamura, "Ozaki Scheme II",
// 2025, where the product is rounded at this point.
// Either the integers keep all bits of A and B, or they are rounded, with a bound E of the change. In the second case
// an entry is accepted if α·(X − E)·2^−e + β·c and α·(X + E)·2^−e + β·c round to the same number (Ziv). Entries that
// are not accepted are computed again, with more moduli or by superaccumulators.
// The number of moduli is chosen from the data: exponents and sums of lines, and some sampled entries. Derivations:
// docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// How a product was computed.
struct GemmCrtReport {
  int moduli = 0;                   ///< of the last pass; 0 if A and B were not read
  int passes = 0;                   ///< through A and B
  bool exact = false;               ///< whether the integers of the last pass kept all bits
  bool shifted = false;             ///< whether the inner index was scaled
  bool non_finite = false;          ///< whether A or B, if they were read, have an infinity or a NaN
  std::uint64_t undecided = 0;      ///< entries after the last pass that a superaccumulator computed
  std::size_t workspace_bytes = 0;  ///< the most memory in use beside A, B and C
};

/// C after the product, every entry rounded once, ties to even, subnormal results and overflow included. An exact zero
/// is +0. Layout and BLAS rules: GemmArguments. An entry whose row of op(A) or column of op(B) is not finite is not
/// written. Otherwise a c that is not finite gives β·c. Requires: α and β finite, C apart from A and B (not checked).
/// Bit-identical on every executor, for every workspace and number of moduli, because every entry is correctly rounded.
/// Throws std::invalid_argument if the workspace is too small for the smallest panels, and ExecutorError as launches
/// do; C may be written in part then. Cost: N products of int8 matrices for N moduli, and 8N bytes of memory traffic
/// for each number of A, B and C.
GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options = {});

}  // namespace assay::gemm
