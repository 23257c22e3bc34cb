#pragma once

#include "oracle/format.hpp"

namespace assay {

/// Whether the numbers of the format are integers: limb_format.
bool are_integers(const oracle::Format& format);

}  // namespace assay
