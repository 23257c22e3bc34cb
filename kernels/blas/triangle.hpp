#pragma once
// How BLAS-like routines name parts of square matrices.

#include <cstdint>

namespace assay::blas {

/// Which triangle of a matrix is stored; the other one is neither read nor written.
enum class Triangle { upper, lower };

/// Whether the diagonal of a triangular matrix is stored, or is 1 everywhere and not read.
enum class Diagonal { stored, unit };

/// Whether a matrix stands to the left or to the right of the other factor.
enum class Side { left, right };

}  // namespace assay::blas
