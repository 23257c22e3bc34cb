#pragma once
// The promises about C ← α·op(A)·op(B) + β·C: of kernels of this tree, and of libraries.

#include <string>
#include <vector>

#include "errorbounds/dw.hpp"
#include "errorbounds/gemm_theorems.hpp"
#include "properties/draws/gemm/cases.hpp"
#include "properties/framework/claim.hpp"

namespace assay::gemm {

/// The result is the array of C, including gaps; the truth is the result of exact_gemm().
using GemmResult = std::vector<double>;
using GemmTruth = std::vector<oracle::Dyadic>;
using GemmClaim = Claim<GemmCase, GemmResult, GemmTruth>;
using GemmRun = SharedFunction<GemmResult(const Executor&, const GemmCase&)>;

/// Every finite entry is RN of its exact value: the same bits, an exact zero +0, or a zero of either sign.
enum class GemmZero { positive, any_sign };
/// `format` here and below: the format of the numbers, binary64 or binary32.
GemmClaim gemm_rounded(std::string id, GemmZero zero = GemmZero::positive,
                       const oracle::Format& format = oracle::binary64);
/// Every finite entry is its exact value, or one of the two neighbors of it.
GemmClaim gemm_faithful(std::string id);
/// |ĉ − c| ≤ e·(|α||A||B| + |βC|) + floor in every finite entry with |c| < 2¹⁰²³; `instance` names e.
GemmClaim gemm_within(std::string id, const std::string& instance, RelativeBound e, oracle::Dyadic floor);

/// judge(value, place) for every finite entry; an entry that is infinite or NaN in the result is violated.
using GemmJudge = SharedFunction<Judgement(const oracle::Dyadic& value, std::size_t place)>;
Judgement judge_gemm_values(const GemmCase& c, const GemmResult& result, const GemmJudge& judge);

/// Whether all numbers that are read, including α and β, are 0 or have their exponent in the box.
bool gemm_numbers_in(const GemmCase& c, const Box& box);

/// The entries that IEEE arithmetic makes infinite or NaN are so in the result (kinds_of_entries); any NaN counts as a
/// NaN. `others_are_finite`: the other entries are finite. Requires of such a claim: no sum of finite terms overflows
/// (not checked).
GemmClaim gemm_exceptional(std::string id, bool others_are_finite = false);
/// Gaps between columns and products keep their bits.
GemmClaim gemm_untouched(std::string id);
/// With β = 0 nothing of C, with α = 0 nothing of A and B affects the result: if they hold NaN or infinities, every
/// entry is finite whose exact value is.
GemmClaim gemm_not_read(std::string id, const oracle::Format& format = oracle::binary64);

/// The exponents of numbers whose products neither over- nor underflow: ±300 in binary64, ±24 in binary32.
Box moderate_box(const oracle::Format& format);
/// Whether no order of the operations makes a product or a sum of the finite numbers that are read subnormal or
/// infinite in the format.
bool gemm_stays_normal(const GemmCase& c, const oracle::Format& format);
/// "numbers that are read are 0 or in [2^-300, 2^300)", and what is asked of given inputs in their place
std::string moderate_numbers(const oracle::Format& format);

/// Grades, strongest first (docs/bounds/gemm.md). For cases whose numbers are 0 or in moderate_box().
enum class GemmGrade { componentwise, rows_and_columns, matrices };
GemmClaim gemm_grade(std::string id, GemmGrade grade, const oracle::Format& format = oracle::binary64);
/// Grade A for sums in a wider format.
GemmClaim gemm_wide_grade(std::string id, const oracle::Format& format);
/// `factor` times the bound of the grade, by the given statement: the ceiling of a library that does not keep the
/// grade.
GemmClaim gemm_grade_times(std::string id, GemmGrade grade, int factor, const Theorem<NoBound>& statement);
/// Grade A, known to be false: for a product that is not computed entry by entry.
GemmClaim gemm_not_grade_a(std::string id);

/// Entries whose terms are all 0 are 0.
GemmClaim gemm_zeros(std::string id);
/// |ĉ − c| ≤ 10ku|c| in the entries whose terms have one sign. For the cases that gemm_grade() accepts.
GemmClaim gemm_one_sign(std::string id, const oracle::Format& format = oracle::binary64);
/// `run` on the host gives D₁ĈD₃ for (D₁AD₂⁻¹)(D₂BD₃), bit for bit.
GemmClaim gemm_scaling(std::string id, GemmRun run, const oracle::Format& format = oracle::binary64);
/// `run` on the host gives the same bits: other memory, another method, another partition; the theorem names the
/// change.
GemmClaim gemm_same_bits(std::string id, const Theorem<NoBound>& theorem, GemmRun run);

/// Whether an entry differs from its exact value: for Property::inexact.
bool gemm_inexact(const GemmCase& c, const GemmTruth& truth, const GemmResult& result);

}  // namespace assay::gemm
