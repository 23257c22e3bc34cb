#pragma once

#include "oracle/exact.hpp"

namespace assay {

/// A number at least as large as |truth|: its magnitude, or the upper end of an enclosure by 128 bits.
oracle::Dyadic magnitude_above(const oracle::Exact& truth);

}  // namespace assay
