#pragma once
// The claims about a library's C ← α·op(A)·op(B) + β·C in binary64. The family is the same as for this tree's own
// products, and the claims have the same words, so that a report shows all of them together.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "properties/catalog/gemm/run.hpp"
#include "properties/draws/gemm/of_libraries.hpp"
#include "properties/framework/property.hpp"

namespace blas {

using assay::Executor;
using assay::gemm::GemmCase;

/// The library's product, on memory of the executor.
using Multiply = void (*)(const assay::gemm::GemmArguments&);

/// The array of C after the product.
inline assay::gemm::GemmResult multiplied(Multiply multiply, const Executor& on, const assay::gemm::GemmCase& c) {
  return assay::gemm::run_gemm(on, c, multiply);
}

using GemmProperty = assay::Property<assay::gemm::GemmCase, assay::gemm::GemmResult>;

/// The property of a library's product. `accuracy`: the statement about grade A, by the library's makers or by the
/// theory of its algorithm. `refuted`: the claims that are known to be false for it. `run`: the product for claims
/// about several of them. `ceiling`: a claim that is true, and the ceiling of the grades among the refuted ones; none
/// if it has no id.
inline GemmProperty gemm_property(std::string name, Multiply multiply, assay::TheoremText accuracy,
                                  const std::set<std::string>& refuted, assay::gemm::GemmRun run,
                                  assay::gemm::GemmClaim ceiling = {}) {
  std::vector<assay::gemm::GemmClaim> claims = assay::gemm::gemm_claims_of_libraries(std::move(run));
  claims.front().info.source = accuracy.text;
  const std::string ceiling_id = ceiling.info.id;
  if (!ceiling_id.empty()) {
    assay::gemm::ask_of_library(ceiling);
    claims.push_back(std::move(ceiling));
  }
  for (assay::gemm::GemmClaim& claim : claims) {
    claim.info.expected_refuted = refuted.contains(claim.info.id);
    if (claim.info.expected_refuted && claim.info.id.starts_with("grade")) claim.info.ceiling = ceiling_id;
  }
  return {
      .name = std::move(name),
      .domain = assay::gemm::gemm_domain({.exceptional = true}),
      .subject = [multiply](const Executor& on, const assay::gemm::GemmCase& c) { return multiplied(multiply, on, c); },
      .reference = assay::gemm::exact_gemm,
      .claims = std::move(claims),
      .inexact = assay::gemm::gemm_inexact,
      .quick_cases = 1000};
}

}  // namespace blas
