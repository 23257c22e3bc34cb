#pragma once
// Systems of equations in binary64: iterative refinement in words, with a certificate that each unknown is faithful.
//
// Ax = b, A n × n, row-major: a_ij at a[i·n + j]. A need not be well-conditioned: where one approximate inverse in
// binary64 certifies nothing, it is corrected by factors and becomes a sum of up to most_inverse_words matrices. Each
// word lets the condition of A grow by about 10¹⁴. Wrong arguments throw std::invalid_argument: n < 0, n > 2¹⁴, a or b
// of another length than n² or n. Bit-identical on every executor: products of matrices and residuals are exact and
// rounded once (docs/bounds/gemm.md, docs/bounds/sum.md); all other operations are the same ones in the same order.
// Theorems: docs/bounds/refine.md.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay::refine {

/// The most matrices whose sum is the approximate inverse, and the most words of an unknown while it is refined.
inline constexpr int most_inverse_words = 4;
inline constexpr int most_solution_words = 32;

enum class SolveStatus {
  certified,     ///< every unknown is one of the two neighbors of the true one, or the true one itself
  not_certified  ///< A is singular or too ill-conditioned, or an unknown is 0 or out of range, or a number is not
                 ///< finite
};

/// Whatever the status: |xᵢ − (x[i] + correction[i])| ≤ error[i], an infinity where nothing is known.
struct CertifiedSolution {
  std::vector<double> x;
  std::vector<double> correction;
  std::vector<double> error;
  SolveStatus status;
  int inverse_words;   ///< of the approximate inverse at the end
  int solution_words;  ///< of each unknown at the end; 0 if the inverse certifies nothing
};

/// R ≈ A⁻¹ by Gauss–Jordan elimination, then, until |RA − I|w ≤ 2⁻⁸w for a w > 0, R ← XR in one word more, X ≈ (RA)⁻¹
/// by the same elimination. x̃ gets a word RN(Rr) in each step, r the first K words of b − Ax̃. With exact sums rounded
/// up, |x − x̃| ≤ z = |R||b − Ax̃| + |RA − I|w·τ/(1 − α). x is RN(x̃), certified where no neighbor of it lies within [x̃ −
/// z, x̃ + z], or where b − Ax is 0. An unknown below 2⁻¹⁰²¹ in magnitude, 0 among them, is certified only where b − Ax̃
/// or b − Ax is exactly 0. Rump, Inversion of extremely ill-conditioned matrices in floating-point, JJIAM 26, 2009;
/// Rump, Verification methods, Acta Numerica 19, 2010, §10. Cost: as many products of n × n matrices, each entry
/// rounded once, as 1, 5, 15 or 34 for K = 1, 2, 3 or 4, and K eliminations.
CertifiedSolution certified_solve(const Executor& on, std::int64_t n, std::span<const double> a,
                                  std::span<const double> b);

}  // namespace assay::refine
