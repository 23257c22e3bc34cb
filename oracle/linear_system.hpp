#pragma once

#include <optional>
#include <span>
#include <vector>

#include "oracle/dyadic.hpp"
#include "oracle/rational.hpp"

namespace assay::oracle {

/// The exact solution of Ax = b, n = b.size(), a_ij = a[i·n + j]; nothing if A is singular. By FLINT's fmpq_mat_solve.
/// Throws std::invalid_argument if a has not n² entries. Cost: 60 × 60 numbers of binary64 of one size take about 50
/// ms.
std::optional<std::vector<Rational>> exact_solution(std::span<const Dyadic> a, std::span<const Dyadic> b);

}  // namespace assay::oracle
