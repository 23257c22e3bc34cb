#pragma once
// What a kernel's call or a claim has to say of the case at hand beside its verdict, in words.

#include <string>

namespace assay {

/// Keeps a text for the present thread. The first since the last take_remark() stays.
void remark(const std::string& text);

/// The text that was kept, which is kept no longer; empty for none.
std::string take_remark();

}  // namespace assay
