#pragma once
// A tree as a picture.

#include <string>

#include "assay/orders/tree.hpp"

namespace assay::orders {

/// An SVG document: the result above, terms below, a line for each part of an operation. Of a large tree the largest
/// parts are opened until about 64 are seen; the others are boxes with their number of terms. `title`: any text.
std::string picture_of(const Tree& tree, const std::string& title);

}  // namespace assay::orders
