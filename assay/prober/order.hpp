#pragma once
// The order in which a unit adds: which products are added in one operation, and which results are added next.
//
// Two places hold +M and −M, all others a unit u so small that it vanishes beside M. Everything that is added before
// the two meet is lost; the result counts the others. So each pair of places tells how many numbers were added when
// both of them had been, and all pairs together tell the tree of the sum. The method for sums of two numbers at a time:
// Xie, Gao, Yu, Zhang, "FPRev: Revealing the Order of Floating-Point Summation", USENIX ATC 2025. Here an operation may
// add any number of products.

#include <optional>
#include <string>
#include <vector>

#include "assay/prober/unit.hpp"

namespace assay::prober {

/// An operation: it adds products, by their places, and results of other operations. Place `products` of the unit is c.
struct Addition {
  std::vector<int> places;  ///< ascending
  std::vector<Addition> results;
};

/// The tree of the unit's sum; empty if the answers are not those of a sum in a fixed order.
/// Requires: floating-point formats (not checked). n²/2 products or fewer for n places.
std::optional<Addition> order_of(const Unit& unit, bool with_subnormals);

/// The shape of a tree, as far as it has one of these.
struct Shape {
  int step = 0;    ///< products an operation, the same in all but the last of a chain
  int slice = 0;   ///< products of a chain, where the results of chains are added; 0: one chain
  int slices = 1;  ///< the number of chains
  int stride = 0;  ///< from a product of a chain to its next one; 0 where it is not the same everywhere
};
/// The shape where all operations with products belong to chains of a fixed step; nothing elsewhere.
std::optional<Shape> shape_of(const Addition& tree, const Unit& unit);

/// The tree in words: "chain of 4 steps of 16 products".
std::string words_of(const Addition& tree, const Unit& unit);

}  // namespace assay::prober
