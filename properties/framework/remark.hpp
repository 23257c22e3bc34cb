#pragma once
// What a kernel's call or a claim has to say of the case at hand beside its verdict, in words.

#include <string>

namespace assay {

/// Keeps a text for the present thread. The first since the last take_remark() stays.
void remark(const std::string& text);

/// How a remark ends that says what the result must be where no number of the reference says it: "NaN is due",
/// "-0 is due". It stands in place of the exact value.
inline constexpr const char* is_due = " is due";

/// Such a remark about a NaN or an infinity.
inline void remark_due(bool is_nan, bool is_negative) {
  remark(std::string(is_nan ? "NaN" : is_negative ? "-inf" : "inf") + is_due);
}

/// The text that was kept, which is kept no longer; empty for none.
std::string take_remark();

}  // namespace assay
