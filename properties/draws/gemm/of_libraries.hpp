#pragma once
// The claims about a matrix product that is not of this tree: the claims of claims.hpp, for cases in which ordinary
// arithmetic neither overflows nor underflows.

#include <string>
#include <vector>

#include "properties/draws/gemm/claims.hpp"

namespace assay::gemm {

/// Changes every case of the domain by `change`, which keeps it inside. Pairs of traits are no longer required: a
/// changed case does not have them.
void change_cases(Domain<GemmCase>& domain, GemmCase (*change)(GemmCase));

/// Products of a matrix and a vector: cases of gemm_domain() with at most one column of op(B).
Domain<GemmCase> gemv_domain(const GemmDomain& options);

/// Products with op(A) = A and x without a stride, for functions that support nothing else.
Domain<GemmCase> plain_gemv_domain(const GemmDomain& options);

/// Short data have their exact results: theorem gemm.exact_grid.1.
GemmClaim gemm_exact_grid(std::string id, const oracle::Format& format = oracle::binary64);

/// The claim restricted to fewer cases.
void restrict_claim(GemmClaim& claim, SharedFunction<bool(const GemmCase&)> to, const std::string& in_words);

/// The claim for the cases that a library gets. The finite numbers that are read are 0 or in moderate_box(). Infinities
/// and NaNs in operands that must not be read only belong to the claim not_read, so that a library that reads them is
/// not refuted in all other claims.
void ask_of_library(GemmClaim& claim, const oracle::Format& format = oracle::binary64);

/// grade_a, wide_grade_a, grade_b, grade_c, exact_grid, rounded, one_sign, zeros, scaling, exceptional, untouched,
/// not_read, for the cases that a library gets. The grades include the claim of exact_grid. `run`: the product, for
/// claims about several of them. `format`: binary64 or binary32.
std::vector<GemmClaim> gemm_claims_of_libraries(GemmRun run, const oracle::Format& format = oracle::binary64);

}  // namespace assay::gemm
