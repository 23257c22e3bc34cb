#pragma once
// Exact scans: every prefix sum of binary64 numbers, rounded once.
//
// Everything before the rounding to nearest, ties to even, is exact: prefix sums neither overflow nor lose a bit,
// whatever the exponents are. Subnormal results and overflow per IEEE 754. With terms that are not finite a prefix sum
// is NaN if one of its terms is a NaN or if there are both infinities among them, otherwise the infinity; any NaN
// equals any NaN. An exact 0 is −0 if there are terms and all of them are −0, otherwise +0. Bit-identical on every
// executor, because terms are added as integers: docs/bounds/scan.md.
//
// The binades of a sixteenth of the terms decide about a window of 100 bits, and terms in it are two integers
// (arith/accumulators/digit_window.hpp). One pass reads each number once and writes each sum once: a tile of 4096
// numbers adds the sums of the tiles before it (Merrill, Garland, Single-pass parallel prefix scan with decoupled
// look-back, NVIDIA, 2016). Where a term does not fit into the window, or a sum is too large for its integers, the scan
// is done again in windows of every binade, in three passes of up to 65536 chunks.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay::scan {

/// The words of 64 bits of workspace for n numbers: 1/900 of a word for each, and up to 18.4 MB.
std::size_t workspace(std::int64_t n);

/// yₖ = RN(x₀ + … + xₖ), and RN(x₀ + … + xₖ₋₁) with y₀ = +0, for 0 ≤ k < n. x, y and workspace lie on the executor.
/// Throws std::invalid_argument unless 0 ≤ n < 2³⁰. Requires: x and y hold n numbers, workspace has workspace(n) words,
/// and none overlaps another (not checked). The launches are queued: the calls do not wait (exec/launch.hpp), and
/// allocate nothing. About 60 operations for each number in the window of 100 bits, and about 200 otherwise.
void inclusive_sum(const Executor& on, const double* x, std::int64_t n, double* y, std::int64_t* workspace);
void exclusive_sum(const Executor& on, const double* x, std::int64_t n, double* y, std::int64_t* workspace);

// The same of arrays on the host, which are copied to the executor and back.

std::vector<double> inclusive_sum(const Executor& on, std::span<const double> x);
std::vector<double> exclusive_sum(const Executor& on, std::span<const double> x);

}  // namespace assay::scan
