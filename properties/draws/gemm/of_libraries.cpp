#include "properties/draws/gemm/of_libraries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "errorbounds/judge.hpp"
#include "properties/framework/any_size.hpp"
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

/// Whether infinities or NaNs occur in operands that must not be read.
bool is_poisoned(const GemmCase& c) {
  const auto has_special = [](const std::vector<double>& x) {
    return !std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); });
  };
  return (!c.reads_ab() && (has_special(c.a) || has_special(c.b) || !std::isfinite(c.alpha))) ||
         (!c.reads_c() && has_special(c.c));
}

/// The case with only the first column of op(B) and of C. With k = 0 no column: there the standard leaves y as it is.
GemmCase first_column(GemmCase c) {
  c.n = c.k > 0 ? std::min<std::int64_t>(c.n, 1) : 0;
  const auto length = [&](std::int64_t last_place) { return static_cast<std::size_t>(c.n == 0 ? 0 : last_place + 1); };
  c.b.resize(length(c.trans_b != 0 ? (c.k - 1) * c.ldb : c.k - 1));
  c.c.resize(length(c.m - 1));
  return c;
}

/// The case with op(A) in columns without a transpose, and the only column of op(B) without a stride.
GemmCase plain_column(GemmCase c) {
  c = first_column(std::move(c));
  GemmCase plain = c;
  plain.trans_a = 0;
  plain.trans_b = 0;
  plain.lda = std::max<std::int64_t>(1, c.m);
  plain.ldb = std::max<std::int64_t>(1, c.k);
  plain.a.clear();
  plain.b.clear();
  for (std::int64_t l = 0; l < c.k; ++l) {
    for (std::int64_t i = 0; i < c.m; ++i) plain.a.push_back(op_a(c, 0).at(i, l));
    if (c.n > 0) plain.b.push_back(op_b(c, 0).at(l, 0));
  }
  return plain;
}

bool is_power_of_two(double x) {
  int exponent = 0;
  return std::frexp(std::abs(x), &exponent) == 0.5;
}

/// The exponent of the lowest bit of the numbers of a row or a column; the largest value of long if all are 0.
long lowest_of(const oracle::MatrixView& x, bool row, std::int64_t line) {
  long lowest = std::numeric_limits<long>::max();
  for (std::int64_t l = 0; l < (row ? x.columns : x.rows); ++l) {
    const double number = row ? x.at(line, l) : x.at(l, line);
    if (number == 0 || !std::isfinite(number)) continue;
    lowest = std::min(lowest, value_of(number).lowest_exponent());
  }
  return lowest;
}

/// By place in C, whether theorem gemm.exact_grid.1 applies to the entry. Requires: moderate numbers (not checked).
std::vector<bool> entries_on_grids(const GemmCase& c, const oracle::Format& format) {
  std::vector<bool> on_grid(c.c.size());
  if ((c.reads_ab() && !is_power_of_two(c.alpha)) || (c.reads_c() && !is_power_of_two(c.beta))) return on_grid;
  const std::vector<oracle::Dyadic> magnitudes = exact_gemm_magnitudes(c);
  constexpr long none = std::numeric_limits<long>::max();
  const long scale = c.reads_ab() ? value_of(c.alpha).exponent() : 0;
  for (std::int64_t p = 0; p < c.batch; ++p) {
    std::vector<long> rows;
    for (std::int64_t i = 0; c.reads_ab() && i < c.m; ++i) rows.push_back(lowest_of(op_a(c, p), true, i));
    for (std::int64_t j = 0; j < c.n; ++j) {
      const long column = c.reads_ab() ? lowest_of(op_b(c, p), false, j) : none;
      for (std::int64_t i = 0; i < c.m; ++i) {
        const std::size_t place = c.c_at(p, i, j);
        long grid = none;
        if (c.reads_ab() && column != none && rows[static_cast<std::size_t>(i)] != none) {
          grid = scale + rows[static_cast<std::size_t>(i)] + column;
        }
        const double start = start_of(c, p).at(i, j);
        if (c.reads_c() && start != 0 && std::isfinite(start)) {
          grid = std::min(grid, value_of(c.beta).exponent() + value_of(start).lowest_exponent());
        }
        on_grid[place] = grid != none && grid - std::max(0L, scale) >= format.emin && !magnitudes[place].is_zero() &&
                         magnitudes[place] <= oracle::Dyadic::scaled(1, grid + format.precision);
      }
    }
  }
  return on_grid;
}

Judgement judge_grid(const GemmCase& c, const GemmTruth& truth, const GemmResult& result,
                     const oracle::Format& format) {
  const std::vector<bool> on_grid = entries_on_grids(c, format);
  return judge_gemm_values(c, result, [&](const oracle::Dyadic& got, std::size_t place) {
    return on_grid[place] ? judge_exact(got, truth[place], place) : Judgement::pass();
  });
}

/// The claim, and exact results if entries are on a grid.
GemmClaim and_exact_grid(GemmClaim claim, const oracle::Format& format) {
  claim.judge = [of = std::move(claim.judge), format](const GemmCase& c, const GemmTruth& truth,
                                                      const GemmResult& result) {
    Judgement judgement = of(c, truth, result);
    if (result.size() != c.c.size()) return judgement;
    const std::size_t judged = judgement.judged;
    judgement.worsen(judge_grid(c, truth, result, format));
    judgement.judged = judged;
    return judgement;
  };
  return claim;
}

}  // namespace

GemmClaim gemm_exact_grid(std::string id, const oracle::Format& format) {
  const Box box = moderate_box(format);
  return {claim_info(std::move(id), gemm_exact_grid_1.words),
          [format](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
            return judge_grid(c, truth, result, format);
          },
          [box](const GemmCase& c) { return gemm_numbers_in(c, box); }};
}

Domain<GemmCase> plain_gemv_domain(const GemmDomain& options) {
  Domain<GemmCase> domain = gemv_domain(options);
  change_cases(domain, plain_column);
  domain.contains = [contains = std::move(domain.contains)](const GemmCase& c) {
    return c.trans_a == 0 && c.trans_b == 0 && contains(c);
  };
  domain.accepts += "; no transposes, no strides";
  return domain;
}

void change_cases(Domain<GemmCase>& domain, GemmCase (*change)(GemmCase)) {
  domain.traits = nullptr;
  for (auto& each : domain.classes) {
    each.generator = CaseGenerator<GemmCase>([generator = std::move(each.generator), change](const rc::Random& random) {
      return change(generator(random));
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
      claim,
      [box, format](const GemmCase& c) {
        return is_moderate(c, box) || (AnySize::is_asked() && gemm_stays_normal(c, format));
      },
      "numbers that are read are 0, in [2^-" + e + ", 2^" + e +
          ") or not finite, or are given and make no subnormal or infinite product or sum");
  if (claim.info.id == "not_read") {
    // α·0 with α infinite or NaN is a NaN if a library adds up no terms.
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
  std::vector<GemmClaim> claims{and_exact_grid(gemm_grade("grade_a", GemmGrade::componentwise, format), format),
                                and_exact_grid(gemm_wide_grade("wide_grade_a", format), format),
                                and_exact_grid(gemm_grade("grade_b", GemmGrade::rows_and_columns, format), format),
                                and_exact_grid(gemm_grade("grade_c", GemmGrade::matrices, format), format),
                                gemm_exact_grid("exact_grid", format),
                                gemm_rounded("rounded", GemmZero::any_sign, format),
                                gemm_one_sign("one_sign", format),
                                gemm_zeros("zeros"),
                                gemm_scaling("scaling", std::move(run), format),
                                gemm_exceptional("exceptional", true),
                                gemm_untouched("untouched"),
                                gemm_not_read("not_read", format)};
  for (GemmClaim& claim : claims) ask_of_library(claim, format);
  return claims;
}

}  // namespace assay::gemm
