#pragma once
// The order in which a unit adds: which products are added in one operation, and which results after that.
//
// Two places hold +M and −M, all others a unit u that is so small that it vanishes next to M. All u that are added
// before +M and −M meet are lost; the result counts the others. So each pair of places tells how many numbers had been
// added when both had been, and all pairs together determine the tree of the sum. The method for sums of two numbers at
// a time:
// Xie, Gao, Yu, Zhang, "FPRev: Revealing the Order of Floating-Point Summation", USENIX ATC 2025. Here one operation
// may add any number of products.

#include <optional>
#include <string>
#include <vector>

#include "assay/prober/unit.hpp"

namespace assay::prober {

/// An operation: it adds products, given by their places, and results of other operations. Place `products` of the unit
/// is c.
struct Addition {
  std::vector<int> places;  ///< ascending
  std::vector<Addition> results;
};

/// The tree of the unit's sum; empty if the answers are not the sums of any fixed order. Requires: floating-point
/// formats (not checked). n²/2 products or fewer for n places.
std::optional<Addition> order_of(const Unit& unit, bool with_subnormals);

/// The shape of a tree, if it has one of these shapes.
struct Shape {
  int step = 0;    ///< products of each operation; the last one of a chain may have fewer
  int slice = 0;   ///< products of a chain, if the results of chains are added; 0: one chain
  int slices = 1;  ///< the number of chains
  int stride = 0;  ///< distance from a product of a chain to its next one; 0 if it varies
};
/// The shape if all operations with products belong to chains of a fixed step; empty otherwise.
std::optional<Shape> shape_of(const Addition& tree, const Unit& unit);

/// The tree in words: "chain of 4 steps of 16 products".
std::string words_of(const Addition& tree, const Unit& unit);

}  // namespace assay::prober
