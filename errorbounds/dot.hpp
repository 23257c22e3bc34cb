#pragma once
// The bounds of dot products, in the same folder as the bounds of sums, with which they share the shapes of cooperative
// sums.

#include "errorbounds/sum.hpp"  // IWYU pragma: export
