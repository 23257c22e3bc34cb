#include "properties/draws/gemm/of_libraries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/framework/generators.hpp"

namespace assay::gemm {
namespace {

bool is_moderate(const GemmCase& c, const Box& box) {
  GemmCase finite = c;
  finite.alpha = std::isfinite(c.alpha) ? c.alpha : 1;
  finite.beta = std::isfinite(c.beta) ? c.beta : 1;
  for (auto* array : {&finite.a, &finite.b, &finite.c}) {
    for (double& each : *array) each = std::isfinite(each) ? each : 0;
  }
  return gemm_numbers_in(finite, box);
}

/// Whether infinities or NaNs stand where nothing is to be read.
bool is_poisoned(const GemmCase& c) {
  const auto has_special = [](const std::vector<double>& x) {
    return !std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); });
  };
  return (!c.reads_ab() && (has_special(c.a) || has_special(c.b) || !std::isfinite(c.alpha))) ||
         (!c.reads_c() && has_special(c.c));
}

/// The case with the first column of op(B) and of C alone. With k = 0 none: there the standard leaves y as it is.
GemmCase first_column(GemmCase c) {
  c.n = c.k > 0 ? std::min<std::int64_t>(c.n, 1) : 0;
  const auto length = [&](std::int64_t last_place) { return static_cast<std::size_t>(c.n == 0 ? 0 : last_place + 1); };
  c.b.resize(length(c.trans_b != 0 ? (c.k - 1) * c.ldb : c.k - 1));
  c.c.resize(length(c.m - 1));
  return c;
}

}  // namespace

void change_cases(Domain<GemmCase>& domain, GemmCase (*change)(GemmCase)) {
  domain.traits = nullptr;
  for (auto& each : domain.classes) {
    each.generator =
        rc::Gen<GemmCase>([generator = std::move(each.generator), change](const rc::Random& random, int size) {
          return rc::shrinkable::just(change(generator(random, size).value()));
        });
  }
}

Domain<GemmCase> gemv_domain(const GemmDomain& options) {
  Domain<GemmCase> domain = gemm_domain(options);
  change_cases(domain, first_column);
  domain.contains = [contains = std::move(domain.contains)](const GemmCase& c) {
    return c.n <= 1 && (c.n == 0 || c.k > 0) && contains(c);
  };
  domain.accepts += "; n ≤ 1";
  return domain;
}

void restrict_claim(GemmClaim& claim, SharedFunction<bool(const GemmCase&)> to, const std::string& in_words) {
  claim.applies = [before = std::move(claim.applies), to = std::move(to)](const GemmCase& c) {
    return to(c) && (!before || before(c));
  };
  claim.info.preconditions += (claim.info.preconditions.empty() ? "" : "; ") + in_words;
}

void ask_of_library(GemmClaim& claim, const oracle::Format& format) {
  if (claim.info.id == "untouched") return;
  const Box box = moderate_box(format);
  const std::string e = std::to_string(-box.low);
  restrict_claim(
      claim, [box](const GemmCase& c) { return is_moderate(c, box); },
      "numbers that are read are 0, in [2^-" + e + ", 2^" + e + ") or not finite");
  if (claim.info.id == "not_read") {
    // α·0 with α infinite or NaN is a NaN where a library adds up no terms.
    restrict_claim(
        claim, [](const GemmCase& c) { return std::isfinite(c.alpha); }, "α is finite");
    return;
  }
  restrict_claim(
      claim, [](const GemmCase& c) { return !is_poisoned(c); },
      "no infinity or NaN stands where nothing is to be read");
  // The BLAS multiplies the sum by α, the oracle its terms: ∞·(1 + 0) and ∞·1 + ∞·0.
  if (claim.info.id == "exceptional") {
    restrict_claim(
        claim, [](const GemmCase& c) { return !std::isinf(c.alpha); }, "α is not infinite");
  }
}

std::vector<GemmClaim> gemm_claims_of_libraries(GemmRun run, const oracle::Format& format) {
  std::vector<GemmClaim> claims{gemm_grade("grade_a", GemmGrade::componentwise, format),
                                gemm_grade("grade_b", GemmGrade::rows_and_columns, format),
                                gemm_grade("grade_c", GemmGrade::matrices, format),
                                gemm_rounded("rounded", GemmZero::any_sign, format),
                                gemm_one_sign("one_sign", format),
                                gemm_zeros("zeros"),
                                gemm_scaling("scaling", std::move(run), format),
                                gemm_exceptional("exceptional"),
                                gemm_untouched("untouched"),
                                gemm_not_read("not_read", format)};
  for (GemmClaim& claim : claims) ask_of_library(claim, format);
  return claims;
}

}  // namespace assay::gemm
