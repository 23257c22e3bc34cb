#pragma once
// What a library's C ← α·op(A)·op(B) + β·C in binary64 is asked. The family is that of this tree's own products, and
// the claims are in the same words, so that a report puts all of them side by side.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "properties/catalog/gemm/claims.hpp"
#include "properties/catalog/gemm/run.hpp"
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

/// What ordinary arithmetic needs: the finite numbers that are read are 0 or in [2⁻³⁰⁰, 2³⁰⁰), so that no product and
/// no sum over- or underflows.
inline bool is_moderate(const assay::gemm::GemmCase& c) {
  assay::gemm::GemmCase without = c;
  without.alpha = std::isfinite(c.alpha) ? c.alpha : 1;
  without.beta = std::isfinite(c.beta) ? c.beta : 1;
  for (auto* array : {&without.a, &without.b, &without.c}) {
    for (double& each : *array) each = std::isfinite(each) ? each : 0;
  }
  return assay::gemm::gemm_numbers_in(without, {-300, 299});
}

/// Whether infinities or NaNs stand where nothing is to be read: those cases belong to the claim not_read alone, so
/// that a library that reads them is not refuted in all others.
inline bool is_poisoned(const assay::gemm::GemmCase& c) {
  const auto has_special = [](const std::vector<double>& x) {
    return !std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); });
  };
  return (!c.reads_ab() && (has_special(c.a) || has_special(c.b) || !std::isfinite(c.alpha))) ||
         (!c.reads_c() && has_special(c.c));
}

/// The claim for fewer cases.
inline void restrict(assay::gemm::GemmClaim& claim, bool (*to)(const assay::gemm::GemmCase&), const char* in_words) {
  claim.applies = [before = std::move(claim.applies), to](const assay::gemm::GemmCase& c) {
    return to(c) && (!before || before(c));
  };
  claim.info.preconditions += (claim.info.preconditions.empty() ? "" : "; ") + std::string(in_words);
}

using GemmProperty = assay::Property<assay::gemm::GemmCase, assay::gemm::GemmResult>;

/// The property of a library's product. `accuracy`: what its makers, or the theory of what they do, say about grade A.
/// `refuted`: the claims that are known to be false of it. `run`: the product for claims about several of them.
/// `ceiling`: a claim that is true, and the ceiling of the grades among the refuted ones; none without an id.
inline GemmProperty gemm_property(std::string name, Multiply multiply, assay::TheoremText accuracy,
                                  const std::set<std::string>& refuted, assay::gemm::GemmRun run,
                                  assay::gemm::GemmClaim ceiling = {}) {
  using assay::gemm::GemmGrade;
  std::vector<assay::gemm::GemmClaim> claims{
      assay::gemm::gemm_grade("grade_a", assay::gemm::GemmGrade::componentwise),
      assay::gemm::gemm_grade("grade_b", assay::gemm::GemmGrade::rows_and_columns),
      assay::gemm::gemm_grade("grade_c", assay::gemm::GemmGrade::matrices),
      assay::gemm::gemm_rounded("rounded", assay::gemm::GemmZero::any_sign),
      assay::gemm::gemm_one_sign("one_sign"),
      assay::gemm::gemm_zeros("zeros"),
      assay::gemm::gemm_scaling("scaling", std::move(run)),
      assay::gemm::gemm_exceptional("exceptional"),
      assay::gemm::gemm_untouched("untouched"),
      assay::gemm::gemm_not_read("not_read")};
  claims.front().info.source = accuracy.text;
  const std::string ceiling_id = ceiling.info.id;
  if (!ceiling_id.empty()) claims.push_back(std::move(ceiling));
  for (assay::gemm::GemmClaim& claim : claims) {
    claim.info.expected_refuted = refuted.contains(claim.info.id);
    if (claim.info.expected_refuted && claim.info.id.starts_with("grade")) claim.info.ceiling = ceiling_id;
    if (claim.info.id == "untouched") continue;
    restrict(claim, is_moderate, "numbers that are read are 0, in [2^-300, 2^300) or not finite");
    if (claim.info.id == "not_read") continue;
    restrict(
        claim, [](const assay::gemm::GemmCase& c) { return !is_poisoned(c); },
        "no infinity or NaN stands where nothing is to be read");
    // The BLAS multiplies the sum by α, the oracle its terms: ∞·(1 + 0) and ∞·1 + ∞·0.
    if (claim.info.id == "exceptional") {
      restrict(
          claim, [](const assay::gemm::GemmCase& c) { return !std::isinf(c.alpha); }, "α is not infinite");
    }
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
