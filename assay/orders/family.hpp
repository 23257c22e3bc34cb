#pragma once
// Families of trees: chains, pairs, lanes, blocks, and products of these.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/orders/tree.hpp"

namespace assay::orders {

/// How a list of m items is added: terms, or the results of a family inside.
struct Family {
  enum class Kind {
    chain,     ///< the first item, then one more (or `size` more) an operation
    reversed,  ///< the last item, then the one before, …
    pairs,     ///< neighbors in pairs, then these results in pairs, …; an odd one at the end waits
    folded,    ///< item i and item i + ⌈m/2⌉, then these results in the same way
    folded_2,  ///< the same with the largest power of two below m
    halves,  ///< the first ⌊m/2⌋ items, rounded down to a multiple of `size`, and the others; each in the same way
    halves_up,   ///< the first ⌈m/2⌉ items, and the others; each in the same way
    halves_2,    ///< the same with the largest power of two below m
    lanes,       ///< lane t has the items t, t + `size`, …: `inner` in each, `join` over them
    lanes_tail,  ///< the same for whole rows of `size` items; the others are added to the result one by one
    rows,        ///< lanes of `size` items each
    blocks,      ///< blocks of `size` neighbors: `inner` in each, `join` over them
    shares,      ///< the same with `size` blocks, as even as ⌈m/size⌉ allows
    panels,  ///< blocks of `size` while there are 2·`size` items, and of more than `size` items half, rounded up to a
             ///< multiple of `rounding`: the blocks in which BLAS cuts the inner dimension of a product
    split,   ///< halves as above, rounded down to a multiple of `rounding`, until one has at most `size`: then `inner`
    split_2  ///< the same with the largest power of two below m
  };
  Kind kind = Kind::chain;
  std::size_t size = 1;
  std::size_t rounding = 1;
  std::shared_ptr<const Family> inner = nullptr;
  std::shared_ptr<const Family> join = nullptr;
};

/// The vertex of the sum of some vertices.
Tree::Vertex grow(Tree& tree, const Family& family, std::span<const Tree::Vertex> items);
/// The tree of so many terms. Requires: at least one.
Tree tree_of(const Family& family, std::size_t terms);

/// "lanes(8,chain,pairs)": the family in the notation of docs/probe_order.md.
std::string name_of(const Family& family);
/// Errors: std::invalid_argument where the text is no family, with the place.
Family family_named(std::string_view text);
/// The number of kinds that it is made of.
std::size_t parts_of(const Family& family);

/// "256 lanes with stride 256, each a chain of 4 terms; then a pairwise tree over the lanes".
std::string words_of(const Family& family, std::size_t terms);

}  // namespace assay::orders
