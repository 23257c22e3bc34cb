#pragma once
// Tables of moduli and launches of gemm_crt that are compiled once, in kernels/gemm/crt.cpp.

#include <cstddef>
#include <cstdint>

#include "arith/residues/crt_integer.hpp"
#include "exec/executor.hpp"
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

/// Computes the `count` undecided entries by superaccumulators. Returns the number of bytes taken, at most `budget`.
std::size_t crt_recompute(const Executor& on, const GemmArguments& g, const std::uint32_t* undecided,
                          std::uint64_t count, std::size_t budget);

}  // namespace assay::gemm::detail
