#pragma once
// Inputs that distinguish models. Each function gives products of a unit; `places` are the places of one operation,
// including c if the unit has c and the operation is the first. All other places are zero.

#include <cstdint>
#include <vector>

#include "assay/prober/unit.hpp"

namespace assay::prober {

/// One power of two at a place, with every exponent that elements and result can have: d must be that number.
std::vector<Product> single_questions(const Unit& unit, const std::vector<int>& places);

/// A large number L, −L, and a small one below L's exponent by 1 to 40 binades: d shows which of its bits the alignment
/// kept, and in which direction it dropped the others. L is a power of two, or has the significand 2.25.
std::vector<Product> alignment_questions(const Unit& unit, const std::vector<int>& places);

/// Two numbers with the significand 2.25 and a small one: the sum has bits below the last bit of the result that the
/// alignment does not drop.
std::vector<Product> rounding_questions(const Unit& unit, const std::vector<int>& places);

/// Terms whose sum is the least subnormal number of binary32, in magnitude, if no bit is dropped, and less otherwise:
/// they show the least exponent to which terms are aligned. Empty if the elements are not small enough.
std::vector<Product> floor_questions(const Unit& unit, const std::vector<int>& places);

/// n products drawn by the seed, alternating between these classes: exponents near each other; exponents over the width
/// of an accumulator; pairs that cancel; zeros times large numbers among small terms; exponents over the whole range;
/// terms near the end of the range. No result overflows in binary32 and binary64.
std::vector<Product> random_products(const Unit& unit, const std::vector<int>& places, std::size_t n,
                                     std::uint64_t seed);

}  // namespace assay::prober
