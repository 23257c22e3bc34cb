#pragma once
// Which family a tree is of.

#include <vector>

#include "assay/orders/family.hpp"

namespace assay::orders {

/// Families whose tree of so many terms is this one: each is verified, and the shortest comes first. Empty where none
/// of the known kinds, at most three inside one another, gives it. Several families may give the same tree of this size
/// and other trees of other sizes.
std::vector<Family> families_of(const Tree& tree);

/// The same families and others like them that a kernel may follow at other sizes: a fixed number of lanes or of terms
/// in each, a tail apart or not, halves that are rounded differently.
std::vector<Family> relatives_of(const Family& family, std::size_t terms);

}  // namespace assay::orders
