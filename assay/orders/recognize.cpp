#include "assay/orders/recognize.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace assay::orders {
namespace {

using Kind = Family::Kind;
using Vertex = Tree::Vertex;

std::shared_ptr<const Family> shared(Family family) { return std::make_shared<const Family>(std::move(family)); }

Family composed(Kind kind, std::size_t size, const Family& inner, const Family& join) {
  return {kind, size, 1, shared(inner), shared(join)};
}
Family cut(Kind kind, std::size_t size, std::size_t rounding, const Family& inner) {
  return {kind, size, rounding, shared(inner), nullptr};
}

/// The leaves of each vertex on the way from term 0 to the root, the smallest set first, without term 0 and the root.
struct Group {
  Vertex vertex;
  std::size_t size;
  std::size_t stride;  ///< from each of its terms to the next one; 0 where it is not the same
};

std::vector<Vertex> leaves_of(const Tree& tree, Vertex vertex) {
  std::vector<Vertex> leaves;
  std::vector<Vertex> left{vertex};
  while (!left.empty()) {
    const Vertex each = left.back();
    left.pop_back();
    if (each < tree.terms()) {
      leaves.push_back(each);
      continue;
    }
    for (const Vertex part : tree.parts(each - tree.terms())) left.push_back(part);
  }
  std::ranges::sort(leaves);
  return leaves;
}

std::vector<Group> groups_of(const Tree& tree) {
  const std::vector<Vertex> parents = tree.parents();
  const std::vector<std::uint32_t> sizes = tree.sizes();
  std::vector<Group> groups;
  for (Vertex v = parents[0]; v != tree.root(); v = parents[v]) {
    // A set of the shapes that families have is told by its second and its last term.
    if (tree.terms() % sizes[v] != 0 && sizes[v] > tree.terms() / 2) continue;
    const std::vector<Vertex> leaves = leaves_of(tree, v);
    const std::size_t stride = leaves[1] - leaves[0];
    bool is_even = true;
    for (std::size_t i = 1; i < leaves.size(); ++i) is_even = is_even && leaves[i] - leaves[i - 1] == stride;
    if (is_even) groups.push_back({v, leaves.size(), stride});
  }
  return groups;
}

/// The tree below a vertex, with its terms numbered in their order.
Tree below(const Tree& tree, Vertex vertex) {
  const std::vector<Vertex> leaves = leaves_of(tree, vertex);
  std::map<Vertex, Vertex> renamed;
  for (std::size_t i = 0; i < leaves.size(); ++i) renamed[leaves[i]] = static_cast<Vertex>(i);
  Tree part(leaves.size());
  for (std::size_t k = 0; k < tree.operations(); ++k) {
    std::vector<Vertex> parts;
    for (const Vertex each : tree.parts(k)) {
      if (const auto found = renamed.find(each); found != renamed.end()) parts.push_back(found->second);
    }
    if (parts.size() != tree.parts(k).size()) continue;
    renamed[static_cast<Vertex>(tree.terms() + k)] = part.add(parts);
  }
  return part;
}

/// The tree over groups of terms: group i has the terms that `group_of` says. Nothing where a group is no vertex.
std::optional<Tree> above(const Tree& tree, const std::vector<std::size_t>& group_of, std::size_t groups) {
  std::vector<std::size_t> size_of(groups, 0);
  for (const std::size_t each : group_of) ++size_of[each];
  const std::vector<std::uint32_t> sizes = tree.sizes();
  constexpr std::size_t several = static_cast<std::size_t>(-1);
  std::vector<std::size_t> group(tree.vertices());
  std::vector<Vertex> renamed(tree.vertices(), 0);
  Tree result(groups);
  std::size_t whole = 0;
  const auto see = [&](std::size_t v) {
    if (group[v] == several || sizes[v] != size_of[group[v]]) return;
    renamed[v] = static_cast<Vertex>(group[v]);
    ++whole;
  };
  for (std::size_t i = 0; i < tree.terms(); ++i) {
    group[i] = group_of[i];
    see(i);
  }
  for (std::size_t k = 0; k < tree.operations(); ++k) {
    const std::size_t v = tree.terms() + k;
    group[v] = group[tree.parts(k).front()];
    std::vector<Vertex> parts;
    for (const Vertex each : tree.parts(k)) {
      if (group[each] != group[v]) group[v] = several;
      parts.push_back(renamed[each]);
    }
    if (group[v] != several) {
      see(v);
      continue;
    }
    for (const Vertex each : tree.parts(k)) {
      if (group[each] != several && sizes[each] != size_of[group[each]]) return std::nullopt;
    }
    renamed[v] = result.add(parts);
  }
  return whole == groups ? std::optional(std::move(result)) : std::nullopt;
}

class Recognizer {
 public:
  std::vector<Family> run(const Tree& tree, int depth) {
    std::vector<Family> found = simple(tree);
    if (!found.empty() || depth == 0 || tree.terms() < 3) return found;
    for (const Group& group : groups_of(tree)) add_products(found, tree, group, depth);
    std::ranges::stable_sort(found, {}, parts_of);
    constexpr std::size_t most = 6;
    if (found.size() > most) found.resize(most);
    return found;
  }

 private:
  static bool gives(const Family& family, const Tree& tree) { return same(tree_of(family, tree.terms()), tree); }

  static std::vector<Family> simple(const Tree& tree) {
    std::vector<Family> found;
    const std::size_t wide = tree.width() - 1;
    for (const std::size_t width : std::set<std::size_t>{wide, wide + 1}) {
      for (const Kind kind : {Kind::chain, Kind::reversed}) {
        if (width == 2 && tree.width() == 2) continue;  // the first operation alone would have two
        if (gives({kind, width}, tree)) found.push_back({kind, width});
      }
    }
    if (!found.empty() || tree.width() > 2) return found;
    for (const Kind kind : {Kind::pairs, Kind::folded, Kind::folded_2, Kind::halves, Kind::halves_up, Kind::halves_2}) {
      if (gives({kind}, tree)) found.push_back({kind});
    }
    return found;
  }

  void add_products(std::vector<Family>& found, const Tree& tree, const Group& group, int depth) {
    const std::size_t n = tree.terms();
    const std::size_t count = (n + group.size - 1) / group.size;
    const bool is_block = group.stride == 1;
    const bool is_lane = group.stride > 1 && (n - 1) / group.stride + 1 == group.size;
    if (!is_block && !is_lane) {
      add_tails(found, tree, group, depth);
      return;
    }
    const std::size_t groups = is_block ? count : group.stride;
    std::vector<std::size_t> group_of(n);
    for (std::size_t i = 0; i < n; ++i) group_of[i] = is_block ? i / group.size : i % group.stride;
    const std::optional<Tree> over = above(tree, group_of, groups);
    if (is_block) add_splits(found, tree, group, depth);
    if (is_block && !over) add_panels(found, tree, group, depth);
    if (!over) return;
    const std::vector<Family> joins = run(*over, depth - 1);
    if (joins.empty()) return;
    for (const Family& inner : run(below(tree, group.vertex), depth - 1)) {
      const Family family = is_block ? composed(Kind::blocks, group.size, inner, joins.front())
                                     : composed(Kind::lanes, group.stride, inner, joins.front());
      if (!gives(family, tree)) continue;
      found.push_back(family);
      return;
    }
  }

  /// Panels, whose last two are shorter. What is over them is a chain.
  void add_panels(std::vector<Family>& found, const Tree& tree, const Group& group, int depth) {
    for (const Family& inner : run(below(tree, group.vertex), depth - 1)) {
      for (const std::size_t rounding : {std::size_t{1}, std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
        Family family = composed(Kind::panels, group.size, inner, {Kind::chain});
        family.rounding = rounding;
        if (!gives(family, tree)) continue;
        found.push_back(family);
        return;
      }
    }
  }

  /// Halves down to a block, which need not all have the same size.
  void add_splits(std::vector<Family>& found, const Tree& tree, const Group& group, int depth) {
    const std::vector<Family> inners = run(below(tree, group.vertex), depth - 1);
    for (const Family& inner : inners) {
      for (const Family& with_tail : relatives_of(inner, group.size)) {
        for (const std::size_t size : {std::bit_ceil(group.size), group.size}) {
          for (const std::size_t rounding : {std::size_t{8}, std::size_t{1}, std::size_t{4}, std::size_t{16}}) {
            const Family family = cut(Kind::split, size, rounding, with_tail);
            if (!gives(family, tree)) continue;
            found.push_back(family);
            return;
          }
          const Family family = cut(Kind::split_2, size, 1, with_tail);
          if (!gives(family, tree)) continue;
          found.push_back(family);
          return;
        }
      }
    }
  }

  /// Lanes whose rows do not come out even, with the terms behind them added one by one.
  void add_tails(std::vector<Family>& found, const Tree& tree, const Group& group, int depth) {
    const std::size_t n = tree.terms();
    const std::size_t lanes = group.stride;
    if (lanes < 2 || group.size != n / lanes || n % lanes == 0) return;
    const std::size_t whole = group.size * lanes;
    // The vertex of the whole rows stands above the group.
    const std::vector<Vertex> parents = tree.parents();
    const std::vector<std::uint32_t> sizes = tree.sizes();
    Vertex v = group.vertex;
    while (sizes[v] < whole && v != tree.root()) v = parents[v];
    if (sizes[v] != whole) return;
    for (const Family& family : run(below(tree, v), depth)) {
      if (family.kind != Kind::lanes || family.size != lanes) continue;
      Family tailed = family;
      tailed.kind = Kind::lanes_tail;
      if (gives(tailed, tree)) found.push_back(tailed);
    }
  }
};

void add_all(std::vector<Family>& into, const std::vector<Family>& inners, const std::vector<Family>& joins, Kind kind,
             std::size_t size) {
  for (const Family& inner : inners) {
    for (const Family& join : joins) into.push_back(composed(kind, size, inner, join));
  }
}

std::vector<Family> relatives(const Family& family, std::size_t terms) {
  std::vector<Family> found{family};
  const auto also = [&found](Family other) { found.push_back(std::move(other)); };
  const std::size_t size = std::max<std::size_t>(family.size, 1);
  switch (family.kind) {
    case Kind::pairs:
    case Kind::folded:
    case Kind::folded_2:
    case Kind::halves:
    case Kind::halves_up:
    case Kind::halves_2: {
      const bool is_folded = family.kind == Kind::folded || family.kind == Kind::folded_2;
      for (const Kind kind : is_folded ? std::vector{Kind::folded, Kind::folded_2}
                                       : std::vector{Kind::pairs, Kind::halves, Kind::halves_up, Kind::halves_2}) {
        if (kind != family.kind) also({kind});
      }
      return found;
    }
    case Kind::lanes:
    case Kind::lanes_tail:
    case Kind::rows: {
      found.clear();
      const std::size_t lanes = family.kind == Kind::rows ? (terms + size - 1) / size : size;
      const std::size_t rows = (terms + lanes - 1) / lanes;
      const std::vector<Family> inners = relatives(*family.inner, rows);
      const std::vector<Family> joins = relatives(*family.join, lanes);
      add_all(found, inners, joins, Kind::lanes, lanes);
      add_all(found, inners, joins, Kind::lanes_tail, lanes);
      add_all(found, inners, joins, Kind::rows, rows);
      return found;
    }
    case Kind::blocks:
    case Kind::shares: {
      found.clear();
      const std::size_t block = family.kind == Kind::shares ? (terms + size - 1) / size : size;
      const std::size_t blocks = (terms + block - 1) / block;
      const std::vector<Family> inners = relatives(*family.inner, block);
      const std::vector<Family> joins = relatives(*family.join, blocks);
      add_all(found, inners, joins, Kind::blocks, block);
      add_all(found, inners, joins, Kind::shares, blocks);
      if (family.join->kind == Kind::pairs || family.join->kind == Kind::halves) {
        for (const Family& inner : inners) {
          for (const std::size_t rounding : {std::size_t{8}, std::size_t{1}, std::size_t{4}, std::size_t{16}}) {
            also(cut(Kind::split, block, rounding, inner));
          }
          also(cut(Kind::split_2, block, 1, inner));
        }
      }
      return found;
    }
    case Kind::panels:
      return found;
    case Kind::split:
    case Kind::split_2:
      found.clear();
      for (const Family& inner : relatives(*family.inner, size)) {
        for (const std::size_t rounding : {std::size_t{8}, std::size_t{1}, std::size_t{4}, std::size_t{16}}) {
          also(cut(Kind::split, size, rounding, inner));
        }
        also(cut(Kind::split_2, size, 1, inner));
      }
      return found;
    case Kind::chain:
    case Kind::reversed:
      return found;
  }
  return found;
}

}  // namespace

std::vector<Family> families_of(const Tree& tree) {
  if (tree.terms() < 2) return {};
  constexpr int deepest = 3;
  return Recognizer().run(tree, deepest);
}

std::vector<Family> relatives_of(const Family& family, std::size_t terms) { return relatives(family, terms); }

}  // namespace assay::orders
