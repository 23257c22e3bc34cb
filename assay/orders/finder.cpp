#include "assay/orders/finder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

namespace assay::orders {
namespace {

using Vertex = Tree::Vertex;
using Places = std::vector<Vertex>;

/// The answers are those of no tree: why.
class NoTree : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Finder {
 public:
  Finder(const Reduction& reduction, Masks& masks, std::uint64_t seed)
      : masks_(masks), random_(seed), tree_(reduction.terms) {}

  Tree run() {
    Places all;
    for (std::size_t i = 0; i < tree_.terms(); ++i) all.push_back(static_cast<Vertex>(i));
    const Vertex pivot = taken_from(all);
    build(pivot, sizes_of(pivot, all));
    return std::move(tree_);
  }

 private:
  /// A place, and how many terms were added when it and the pivot had been.
  using Sizes = std::vector<std::pair<Vertex, std::size_t>>;

  Vertex taken_from(Places& places) {
    // The high bits of a generator whose sequence the standard fixes, so that runs are alike everywhere.
    const std::size_t at = static_cast<std::size_t>(random_() >> 11) % places.size();
    std::swap(places[at], places.back());
    const Vertex place = places.back();
    places.pop_back();
    return place;
  }

  Sizes sizes_of(Vertex pivot, const Places& others) {
    std::vector<Pair> pairs;
    for (const Vertex each : others) pairs.emplace_back(pivot, each);
    const std::vector<std::size_t> added = masks_.added(pairs);
    Sizes sizes;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (added[i] == 0)
        throw NoTree(fmt::format("with M and −M at {} and {} the answer is no count", pivot, others[i]));
      sizes.emplace_back(others[i], added[i]);
    }
    return sizes;
  }

  /// The vertex of the pivot and of all places that it meets.
  Vertex build(Vertex pivot, const Sizes& sizes) {
    std::map<std::size_t, Places> levels;
    for (const auto& [place, size] : sizes) levels[size].push_back(place);
    Vertex below = pivot;
    std::size_t count = 1;
    for (auto& [size, met] : levels) {
      count += met.size();
      if (count != size) {
        throw NoTree(fmt::format("{} terms meet term {} as if {} had been added", met.size(), pivot, size));
      }
      Places parts{below};
      while (!met.empty()) {
        if (parts.size() == widest_operation) {
          throw NoTree(fmt::format("an operation would add more than {} numbers", widest_operation));
        }
        parts.push_back(part_of(met, size));
      }
      std::ranges::sort(parts);
      below = tree_.add(parts);
    }
    return below;
  }

  /// Takes one part of an operation's terms from `met`: terms that meet before `size` terms have been added.
  Vertex part_of(Places& met, std::size_t size) {
    const Vertex pivot = taken_from(met);
    Sizes inside;
    Places outside;
    for (const auto& [place, at] : sizes_of(pivot, met)) {
      if (at > size) throw NoTree(fmt::format("terms {} and {} meet behind a term that both have met", pivot, place));
      if (at == size) {
        outside.push_back(place);
      } else {
        inside.emplace_back(place, at);
      }
    }
    met = std::move(outside);
    return build(pivot, inside);
  }

  Masks& masks_;
  std::mt19937_64 random_;
  Tree tree_;
};

}  // namespace

Found find_tree(const Reduction& reduction, Masks& masks, std::uint64_t seed) {
  try {
    return {Finder(reduction, masks, seed).run(), {}};
  } catch (const NoTree& no) {
    return {std::nullopt, no.what()};
  }
}

namespace {

/// What the tree of an input comes to where each of M, m and u vanishes beside the one above: the numbers of each.
struct Level {
  long large = 0;
  long middle = 0;
  long ones = 0;
};

/// The ones that a tree counts; −1 where more than ones is left. An operation of several numbers drops what vanishes
/// beside the largest of them.
long counted_by(const Tree& tree, const Masks::Drawn& drawn) {
  std::vector<Level> levels(tree.vertices());
  for (const Vertex each : drawn.ones) levels[each] = {0, 0, 1};
  if (drawn.middle) {
    levels[drawn.middle->first] = {0, 1, 0};
    levels[drawn.middle->second] = {0, -1, 0};
  }
  levels[drawn.pair.first] = {drawn.turned ? -1 : 1, 0, 0};
  levels[drawn.pair.second] = {drawn.turned ? 1 : -1, 0, 0};
  for (std::size_t k = 0; k < tree.operations(); ++k) {
    Level sum;
    bool has_large = false;
    bool has_middle = false;
    for (const Vertex each : tree.parts(k)) {
      const Level& part = levels[each];
      has_large = has_large || part.large != 0;
      has_middle = has_middle || part.middle != 0;
      sum = {sum.large + part.large, sum.middle + part.middle, sum.ones + part.ones};
    }
    if (has_large) sum.middle = 0;
    if (has_large || has_middle) sum.ones = 0;
    levels[tree.terms() + k] = sum;
  }
  const Level& all = levels.back();
  return all.large != 0 || all.middle != 0 ? -1 : all.ones;
}

}  // namespace

std::optional<std::string> contradiction(const Tree& tree, Masks& masks, std::size_t questions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<Vertex>((random() >> 11) % n); };
  const std::size_t n = tree.terms();
  std::vector<Masks::Drawn> drawn;
  std::vector<long> expected;
  for (std::size_t q = 0; q < questions; ++q) {
    // Half of the questions stay near a place, at all distances.
    const Vertex center = below(n);
    const std::size_t reach = q % 8 < 4 ? n : std::min<std::size_t>(n, std::size_t{2} << below(std::bit_width(n)));
    const auto near = [&] { return static_cast<Vertex>((center + below(reach)) % n); };
    Masks::Drawn each{{near(), near()}, {}, q % 2 == 1, {}};
    std::set<Vertex> taken{each.pair.first, each.pair.second};
    if (taken.size() < 2) continue;
    // m vanishes beside M, and ones beside m, also in an accumulator of binary32.
    constexpr int enough = 90;
    if (q % 4 >= 2 && masks.binades() > enough && n > 4) {
      const Pair middle{near(), near()};
      if (taken.insert(middle.first).second && taken.insert(middle.second).second) each.middle = middle;
    }
    const std::size_t among = std::min<std::size_t>({n, masks.ones(), 64});
    for (std::size_t i = 0; i < among; ++i) {
      if (const Vertex place = near(); taken.insert(place).second) each.ones.push_back(place);
    }
    const long count = counted_by(tree, each);
    if (each.ones.empty() || count < 0) continue;  // nothing to count, or m is lost in front of −m
    expected.push_back(count);
    drawn.push_back(std::move(each));
  }
  const std::vector<std::size_t> counts = masks.counted(drawn);
  for (std::size_t q = 0; q < counts.size(); ++q) {
    if (counts[q] == static_cast<std::size_t>(expected[q]) + 1) continue;
    return fmt::format(
        "M at {} and −M at {}{} with {} ones: {} of these come behind in the tree, and {}",
        drawn[q].turned ? drawn[q].pair.second : drawn[q].pair.first,
        drawn[q].turned ? drawn[q].pair.first : drawn[q].pair.second,
        drawn[q].middle ? fmt::format(", m at {} and −m at {}", drawn[q].middle->first, drawn[q].middle->second) : "",
        drawn[q].ones.size(), expected[q],
        counts[q] == 0 ? "the answer is no count" : fmt::format("{} are counted", counts[q] - 1));
  }
  return std::nullopt;
}

std::optional<std::string> asymmetry(const Reduction& reduction, Masks& masks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t n = reduction.terms;
  std::vector<Masks::Drawn> drawn;
  constexpr std::size_t questions = 32;
  for (std::size_t q = 0; q < questions; ++q) {
    const auto i = static_cast<Vertex>(q % 4 == 0 ? 0 : q % 4 == 1 ? n - 1 : (random() >> 11) % n);
    const auto j = static_cast<Vertex>((random() >> 11) % n);
    if (i == j) continue;
    Masks::Drawn each{{i, j}, {}, false, {}};
    for (std::size_t k = 0; k < std::min(n, masks.ones()); ++k) {
      if (k != i && k != j) each.ones.push_back(static_cast<Vertex>(k));
    }
    drawn.push_back(each);
    each.turned = true;
    drawn.push_back(std::move(each));
  }
  const std::vector<std::size_t> counts = masks.counted(drawn);
  for (std::size_t q = 0; q + 1 < counts.size(); q += 2) {
    if (counts[q] == counts[q + 1]) continue;
    const auto told = [](std::size_t count) {
      return count == 0 ? std::string("the answer is no count") : fmt::format("{} ones are counted", count - 1);
    };
    return fmt::format("with M at {} and −M at {} {}, the other way round {}", drawn[q].pair.first,
                       drawn[q].pair.second, told(counts[q]), told(counts[q + 1]));
  }
  return std::nullopt;
}

}  // namespace assay::orders
