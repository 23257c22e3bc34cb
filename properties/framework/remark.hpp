#pragma once
// A remark of a kernel's call or of a claim about the current case, in words, in addition to the verdict.

#include <string>

namespace assay {

/// Keeps a text for the current thread. The first text since the last take_remark() is kept.
void remark(const std::string& text);

/// The end of a remark that states the required result if no number of the reference does: "NaN is due", "-0 is due".
/// It is shown in place of the exact value.
inline constexpr const char* is_due = " is due";

/// Such a remark about a NaN or an infinity.
inline void remark_due(bool is_nan, bool is_negative) {
  remark(std::string(is_nan ? "NaN" : is_negative ? "-inf" : "inf") + is_due);
}

/// Returns the text and forgets it; empty for none.
std::string take_remark();

}  // namespace assay
