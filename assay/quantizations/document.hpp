#pragma once
// The answer about a quantizer as a text and as a document.

#include <string>

#include "assay/quantizations/answer.hpp"
#include "assay/store/json.hpp"

namespace assay::quantizations {

/// The answer in lines: the rule, the facts that hold for the results, and for each other rule the smallest block that
/// it decides differently.
std::string text_of(const Question& question, const Answer& answer);

/// The same as a document.
store::Json document_of(const Question& question, const Answer& answer);

/// Formats, words and what they mean: in lines, and as a document.
std::string text_of_words();
store::Json document_of_words();

}  // namespace assay::quantizations
