#pragma once
// C ← RN(α·op(A)·op(B) + β·C) by integers on tensor cores.
//
// Rows of op(A) and columns of op(B) become integers by powers of two, the integers residues modulo up to 49 coprime
// numbers of at most 8 bits, the products of residue matrices exact sums in 32 bits, and these the exact product of the
// integers by the Chinese remainder theorem (Ozaki, Uchino, Imamura, "Ozaki Scheme II", 2025, which rounds there).
// Either the integers keep all bits of A and B; or they are rounded, with a bound E of what that changes, and an entry
// is accepted if α·(X ± E)·2^−e + β·c round to the same number (Ziv). The choice, and the number of moduli, come from
// the data: exponents and sums of lines, and some sampled entries. Where an entry is not accepted, more moduli or a
// superaccumulator give its value. Derivations: docs/bounds/gemm.md.

#include <cstddef>
#include <cstdint>

#include "exec/executor.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::gemm {

/// What a product took.
struct GemmCrtReport {
  int moduli = 0;                   ///< of the last pass; 0 if A and B were not read
  int passes = 0;                   ///< through A and B
  bool exact = false;               ///< whether the integers of the last pass kept all bits
  bool shifted = false;             ///< whether the inner index was scaled
  bool non_finite = false;          ///< whether A or B, if they were read, have an infinity or a NaN
  std::uint64_t undecided = 0;      ///< entries after the last pass that a superaccumulator computed
  std::size_t workspace_bytes = 0;  ///< the most memory in use beside A, B and C
};

/// Every entry rounded once, ties to even, subnormal results and overflow included; an exact zero is +0. Layout and
/// BLAS rules: GemmArguments. An entry whose row of op(A) or column of op(B) is not finite is left as it is; otherwise
/// a c that is not finite gives β·c. Requires α and β finite, arrays that do not overlap C (not checked). Bit-identical
/// on every executor, for every workspace and number of moduli, because the entries are correctly rounded. Throws
/// std::invalid_argument where the workspace is too small for the smallest panels, ExecutorError as launches do; C may
/// be written in part then. N products of int8 matrices for N moduli, 8N bytes a number of A and B and of C in memory
/// traffic.
GemmCrtReport gemm_crt(const Executor& on, const GemmArguments& g, const GemmOptions& options = {});

}  // namespace assay::gemm
