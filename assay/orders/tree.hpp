#pragma once
// The tree of a sum: which terms and partial results are added in one operation.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::orders {

/// A tree over n terms. Vertex i < n is term i; vertex n + k is operation k, which adds two or more vertices that were
/// there before it. The last operation gives the result. A tree of one term has no operation.
class Tree {
 public:
  using Vertex = std::uint32_t;

  explicit Tree(std::size_t terms) : terms_(terms), first_{0} {}

  /// Adds an operation and returns its vertex. Requires: two vertices or more that exist, each in one operation alone.
  Vertex add(std::span<const Vertex> parts);

  [[nodiscard]] std::size_t terms() const { return terms_; }
  [[nodiscard]] std::size_t operations() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t vertices() const { return terms_ + operations(); }
  [[nodiscard]] Vertex root() const { return static_cast<Vertex>(vertices() - 1); }
  /// What operation k adds, in the order in which it was told.
  [[nodiscard]] std::span<const Vertex> parts(std::size_t operation) const {
    return std::span(parts_).subspan(first_[operation], first_[operation + 1] - first_[operation]);
  }
  /// The operation that takes a vertex, as a vertex; the root's is the root.
  [[nodiscard]] std::vector<Vertex> parents() const;
  /// How many terms are below each vertex.
  [[nodiscard]] std::vector<std::uint32_t> sizes() const;
  /// How many operations a term goes through at most.
  [[nodiscard]] std::size_t height() const;
  /// The most vertices that one operation adds.
  [[nodiscard]] std::size_t width() const;
  /// A number for each vertex that depends on its terms alone: equal sets have equal numbers, and others differ but for
  /// 1 pair in 2⁶⁴.
  [[nodiscard]] std::vector<std::uint64_t> marks() const;

 private:
  std::size_t terms_;
  std::vector<std::size_t> first_;
  std::vector<Vertex> parts_;
};

/// A tree by its parents, as Tree::parents() gives them. Errors: std::invalid_argument where they are those of no tree.
Tree tree_of(std::size_t terms, std::span<const Tree::Vertex> parents);

/// Whether the same sets of terms are added in one operation. The order of the parts of an operation does not matter.
bool same(const Tree& a, const Tree& b);

/// The trees that a tree is asked for: how many terms were added when both of two terms had been.
class Meeting {
 public:
  explicit Meeting(const Tree& tree) : parents_(tree.parents()), sizes_(tree.sizes()) {}
  [[nodiscard]] std::size_t operator()(Tree::Vertex i, Tree::Vertex j) const;

 private:
  std::vector<Tree::Vertex> parents_;
  std::vector<std::uint32_t> sizes_;
};

/// Two terms that meet after another number of terms in each tree; nothing where the trees are the same.
struct Difference {
  Tree::Vertex first = 0;
  Tree::Vertex second = 0;
  std::size_t here = 0;
  std::size_t there = 0;
};
/// How many sets of terms that one tree adds are none of the other's, and an example. Requires: as many terms.
struct Comparison {
  std::size_t common = 0;
  std::size_t only_here = 0;
  std::size_t only_there = 0;
  std::vector<Difference> example;  ///< one, or none
};
Comparison compare(const Tree& here, const Tree& there);

/// "((0 1) (2 3))", cut to about so many characters.
std::string in_brackets(const Tree& tree, std::size_t most);

}  // namespace assay::orders
