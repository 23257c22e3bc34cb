#pragma once
// The tree of a reduction of up to a few thousand terms, found out by its answers alone.
//
// The method for sums of two numbers at a time: Xie, Gao, Yu, Zhang, "FPRev: Revealing the Order of Floating-Point
// Summation", USENIX ATC 2025. Here an operation may add several numbers, the pivots are drawn, so that no tree needs
// many questions, and narrow formats count in parts.

#include <cstdint>
#include <optional>
#include <string>

#include "assay/orders/reduction.hpp"
#include "assay/orders/tree.hpp"

namespace assay::orders {

/// The most terms of a tree that nothing but its answers tell.
inline constexpr std::size_t most_terms = 4096;
/// The most numbers that one operation may add.
inline constexpr std::size_t widest_operation = 64;

/// A tree, or why there is none.
struct Found {
  std::optional<Tree> tree;
  std::string why;
};

/// Finds the tree. Asks about n·log n pairs of n terms: the pivot of each part is drawn, so that the expected number is
/// at most n·ln n + n for operations that add two numbers, whatever the tree is. Requires: two terms or more.
Found find_tree(const Reduction& reduction, Masks& masks, std::uint64_t seed);

/// Draws pairs and some ones of a tree's terms, with −M first in half of them and another pair ±m between M and u in
/// half of them, and compares the counts with the tree: an example where they differ, which means that the order
/// depends on the data.
std::optional<std::string> contradiction(const Tree& tree, Masks& masks, std::size_t questions, std::uint64_t seed);

/// Asks some pairs with M and −M in both places: an example where the answers differ.
std::optional<std::string> asymmetry(const Reduction& reduction, Masks& masks, std::uint64_t seed);

}  // namespace assay::orders
