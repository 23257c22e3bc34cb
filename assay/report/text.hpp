#pragma once
// Pieces that the three reports share. Used by the sources of this folder only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// For HTML and XML, in text and in attributes. Each byte that is not UTF-8, or belongs to a character that XML
/// forbids, becomes U+FFFD.
std::string escaped(std::string_view text);

/// 1234567 as "1 234 567" (with narrow no-break spaces).
std::string grouped(std::uint64_t count);

/// A ratio in four significant decimals, locale-free: "0.8431", "2.31e-9", "∞"; "–" for none (negative).
std::string ratio_text(double ratio);

/// After n cases without a violation: a bound of its probability with 95 % confidence, for a case from the same
/// generator. 3/n (1 − 0.05^(1/n) ≤ ln(20)/n < 3/n); "–" for less than three cases.
std::string violation_probability(std::uint64_t cases);

/// A signed error: "+1.37 ulp", "-inf ulp", "0 ulp"; empty for none.
std::string signed_ulps(const std::optional<double>& ulps);

/// Whether error/bound of this claim had a value other than 0 and infinity.
bool has_numeric_tightness(const ClaimTally& tally);

/// The named terms of the claim's bound with their tightness: "u|s| 0.98, γ²S 0.006"; empty for a bound of one piece.
std::string terms_text(const ClaimTally& tally);

/// The smallest distance of an exact value to a boundary of rounding: "2^-61 ulp", the largest power of two that is not
/// above the distance; empty if no rounding was judged.
std::string closest_text(const ClaimTally& tally);

/// Whether a reader should look into a claim with this verdict.
bool needs_attention(store::Finding finding);
/// The same, but also true if a saved case gave an unexpected verdict. A contract that is tested, but not promised,
/// should give none.
bool needs_attention(const store::ClaimFinding& finding);
/// Whether a case may violate the claim: a negative control, or a claim that was not promised.
bool is_refuted(store::Finding finding);

/// How many claims have each verdict, in the order of Finding.
std::vector<std::uint64_t> count_verdicts(const store::Summary& summary);

/// The executors in the summary, sorted.
std::vector<std::string> executors_of(const store::Summary& summary);

/// How many of the possible pairs of values of two traits the cases have: "1 024 of 1 024"; empty without traits.
std::string pairs_text(const store::PropertySummary& property);
/// The pairs that no case can have, one line for each statement: "m = 0 with A = NaN, infinity: an empty matrix …".
std::vector<std::string> impossible_pairs_text(const PropertyInfo& info);

/// "the same case fails pairwise, any_order": the claims of claims_of_same_case(); empty for none.
std::string same_case_text(const store::PropertySummary& property, std::size_t c);

/// "412 smaller cases tried, no case one step smaller fails": how a failing case was made smaller.
std::string shrunk_text(std::uint64_t tried, bool is_minimal);

/// "family" of "family.kernel".
std::string family_of(const std::string& property);
/// The operation of a property by its name, `family.operation` or `family.operation.format`.
std::string operation_name(const std::string& property);

}  // namespace assay::report
