#include "assay/orders/tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::orders {
namespace {

/// A mixing function of 64 bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::vector<std::uint64_t> sorted_operations(const Tree& tree) {
  std::vector<std::uint64_t> marks = tree.marks();
  marks.erase(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(tree.terms()));
  std::ranges::sort(marks);
  return marks;
}

/// A term below each vertex.
std::vector<Tree::Vertex> first_terms(const Tree& tree) {
  std::vector<Tree::Vertex> firsts(tree.vertices());
  for (std::size_t v = 0; v < tree.vertices(); ++v) {
    firsts[v] = v < tree.terms() ? static_cast<Tree::Vertex>(v) : firsts[tree.parts(v - tree.terms()).front()];
  }
  return firsts;
}

}  // namespace

Tree::Vertex Tree::add(std::span<const Vertex> parts) {
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  first_.push_back(parts_.size());
  return root();
}

std::vector<Tree::Vertex> Tree::parents() const {
  std::vector<Vertex> parents(vertices(), root());
  for (std::size_t k = 0; k < operations(); ++k) {
    for (const Vertex each : parts(k)) parents[each] = static_cast<Vertex>(terms_ + k);
  }
  return parents;
}

std::vector<std::uint32_t> Tree::sizes() const {
  std::vector<std::uint32_t> sizes(vertices(), 1);
  for (std::size_t k = 0; k < operations(); ++k) {
    std::uint32_t size = 0;
    for (const Vertex each : parts(k)) size += sizes[each];
    sizes[terms_ + k] = size;
  }
  return sizes;
}

std::size_t Tree::height() const {
  std::vector<std::uint32_t> heights(vertices(), 0);
  for (std::size_t k = 0; k < operations(); ++k) {
    std::uint32_t height = 0;
    for (const Vertex each : parts(k)) height = std::max(height, heights[each] + 1);
    heights[terms_ + k] = height;
  }
  return heights.back();
}

std::size_t Tree::width() const {
  std::size_t width = 0;
  for (std::size_t k = 0; k < operations(); ++k) width = std::max(width, parts(k).size());
  return width;
}

std::vector<std::uint64_t> Tree::marks() const {
  std::vector<std::uint64_t> marks(vertices());
  for (std::size_t i = 0; i < terms_; ++i) marks[i] = mixed(i);
  for (std::size_t k = 0; k < operations(); ++k) {
    std::uint64_t mark = 0;
    for (const Vertex each : parts(k)) mark += marks[each];
    marks[terms_ + k] = mark;
  }
  return marks;
}

Tree tree_of(std::size_t terms, std::span<const Tree::Vertex> parents) {
  const auto wrong = [](const std::string& why) { return std::invalid_argument("parents: " + why); };
  if (terms == 0 || parents.size() < terms) throw wrong("fewer than terms");
  std::vector<std::vector<Tree::Vertex>> parts(parents.size() - terms);
  const std::size_t root = parents.size() - 1;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    const bool is_root = v == root && parents[v] == root;
    if (is_root) continue;
    if (parents[v] <= v || parents[v] < terms || parents[v] > root) {
      throw wrong("vertex " + std::to_string(v) + " has no operation behind it");
    }
    parts[parents[v] - terms].push_back(static_cast<Tree::Vertex>(v));
  }
  Tree tree(terms);
  for (const auto& each : parts) {
    if (each.size() < 2) throw wrong("an operation adds fewer than two terms");
    tree.add(each);
  }
  return tree;
}

bool same(const Tree& a, const Tree& b) {
  return a.terms() == b.terms() && a.operations() == b.operations() && sorted_operations(a) == sorted_operations(b);
}

std::size_t Meeting::operator()(Tree::Vertex i, Tree::Vertex j) const {
  while (i != j) {
    // The operation of a vertex stands behind it: the one in front has the nearer parent to try.
    if (i < j) {
      i = parents_[i];
    } else {
      j = parents_[j];
    }
  }
  return sizes_[i];
}

Comparison compare(const Tree& here, const Tree& there) {
  const std::vector<std::uint64_t> ours = sorted_operations(here);
  const std::vector<std::uint64_t> theirs = sorted_operations(there);
  std::vector<std::uint64_t> common;
  std::ranges::set_intersection(ours, theirs, std::back_inserter(common));
  Comparison result{common.size(), ours.size() - common.size(), theirs.size() - common.size(), {}};
  // The smallest set that the other tree does not add: its parts meet elsewhere there.
  const auto look = [&common](const Tree& in, const Tree& other, bool is_here) -> std::vector<Difference> {
    const std::vector<std::uint64_t> marks = in.marks();
    const std::vector<Tree::Vertex> firsts = first_terms(in);
    const Meeting meets(in);
    const Meeting meets_other(other);
    for (std::size_t k = 0; k < in.operations(); ++k) {
      if (std::ranges::binary_search(common, marks[in.terms() + k])) continue;
      for (const Tree::Vertex each : in.parts(k).subspan(1)) {
        const Tree::Vertex i = firsts[in.parts(k).front()];
        const Tree::Vertex j = firsts[each];
        const std::size_t a = meets(i, j);
        const std::size_t b = meets_other(i, j);
        if (a != b) return {Difference{i, j, is_here ? a : b, is_here ? b : a}};
      }
    }
    return {};
  };
  result.example = look(here, there, true);
  if (result.example.empty()) result.example = look(there, here, false);
  return result;
}

std::string in_brackets(const Tree& tree, std::size_t most) {
  std::string text;
  // A vertex to write, or a closing bracket.
  std::vector<std::pair<Tree::Vertex, bool>> left{{tree.root(), false}};
  while (!left.empty() && text.size() < most) {
    const auto [vertex, closes] = left.back();
    left.pop_back();
    if (closes) {
      text += ')';
      continue;
    }
    if (!text.empty() && text.back() != '(') text += ' ';
    if (vertex < tree.terms()) {
      text += std::to_string(vertex);
      continue;
    }
    text += '(';
    left.emplace_back(0, true);
    const auto parts = tree.parts(vertex - tree.terms());
    for (std::size_t p = parts.size(); p-- > 0;) left.emplace_back(parts[p], false);
  }
  return left.empty() ? text : text + "…";
}

}  // namespace assay::orders
