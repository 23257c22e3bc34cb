#pragma once
// Tables of moduli and launches of gemm_crt that are compiled once, in kernels/gemm/crt.cpp.

#include <cstddef>
#include <cstdint>

#include "arith/residues/crt_integer.hpp"
#include "exec/executor.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/arguments.hpp"
#include "kernels/gemm/detail/crt_entry_kernels.hpp"

namespace assay::gemm::detail {

/// The basis of `count` moduli, computed once in a process.
const crt::Basis& crt_basis(int count);

/// A lower bound of log₂ P, with P the product of the first `count` moduli.
double crt_log2_product(int count);

/// Queues the first and the second look at the entries of a panel. Requires: *panel.listed is 0 by then.
void queue_crt_looks(const Executor& on, const CrtPanel& panel, int count);

/// C ← RN(β·C) without A and B.
void crt_scale_c(const Executor& on, const GemmArguments& g);

/// The bytes that crt_recompute() takes at least.
inline constexpr std::size_t crt_least_recompute =
    Workspace::bytes_of<std::uint64_t>(32) + Workspace::bytes_of<std::uint32_t>(1);
/// Computes the `count` undecided entries by superaccumulators. Returns the number of bytes taken, at most `budget`.
/// Requires: budget ≥ crt_least_recompute (not checked).
std::size_t crt_recompute(const Executor& on, const GemmArguments& g, const std::uint32_t* undecided,
                          std::uint64_t count, std::size_t budget);

}  // namespace assay::gemm::detail
