#pragma once
// The answer about a conversion as a text and as a document.

#include <span>
#include <string>

#include "assay/conversions/answer.hpp"
#include "assay/store/json.hpp"

namespace assay::conversions {

/// A code of a format for a person: "0x7e = 0x1.cp+8", "0x3f800001 = 0x1.000002p+0", "7", "0xff = nan".
std::string text_of(const oracle::NumberFormat& format, std::uint64_t code);

/// The result of a rule, in the same form: "0x7e = 0x1.cp+8", "a NaN".
std::string expected_text(const oracle::NumberFormat& to, const oracle::Expected& expected);

/// The line about the rules after the first one, with a few of them by name. Empty if there are none.
std::string also_text(std::span<const std::string> names);

/// The answer in lines: the rule, the rules that agree on these inputs, and for each other rule the smallest input that
/// it decides otherwise.
std::string text_of(const Question& question, const Answer& answer);

/// The same as a document.
store::Json document_of(const Question& question, const Answer& answer);

/// Formats, words and what they mean: in lines, and as a document.
std::string text_of_words();
store::Json document_of_words();

}  // namespace assay::conversions
