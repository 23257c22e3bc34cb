#include "assay/prober/order.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace assay::prober {
namespace {

using Pair = std::pair<int, int>;

/// The largest number of binades between M and u: more than any unit adds exactly.
constexpr int most_binades = 60;

class Revealer {
 public:
  Revealer(const Unit& unit, bool with_subnormals) : unit_(unit), places_(unit.products + (unit.has_c ? 1 : 0)) {
    const Exponents range = exponents_of(unit, with_subnormals);
    large_ = std::min(range.largest, most_binades);
    small_ = std::max(range.least, -most_binades);
  }

  std::optional<Addition> run() {
    std::vector<int> all;
    for (int i = 0; i < places_; ++i) all.push_back(i);
    Addition tree = build(all);
    return consistent_ ? std::optional(std::move(tree)) : std::nullopt;
  }

 private:
  /// For each pair, how many numbers had been added when both its numbers had been.
  std::vector<int> added(const std::vector<Pair>& pairs) {
    std::vector<Product> products;
    for (const auto& [i, j] : pairs) {
      Product product = zeros(unit_);
      for (int at = 0; at < places_; ++at) {
        if (at == i || at == j) {
          put(product, unit_, at, at == i ? 1 : -1, large_);
        } else {
          put(product, unit_, at, 1, small_);
        }
      }
      products.push_back(std::move(product));
    }
    std::vector<int> counts;
    for (const std::uint64_t pattern : unit_.compute(products)) {
      const double left = std::ldexp(value_of(unit_.result, pattern), -small_);
      const bool is_count = left >= 0 && left <= places_ - 2 && left == std::floor(left);
      consistent_ = consistent_ && is_count;
      counts.push_back(is_count ? places_ - static_cast<int>(left) : places_);
    }
    return counts;
  }

  static Addition leaf(int place) { return {{place}, {}}; }
  static bool is_leaf(const Addition& tree) { return tree.places.size() == 1 && tree.results.empty(); }

  static int size_of(const Addition& tree) {
    int size = static_cast<int>(tree.places.size());
    for (const Addition& each : tree.results) size += size_of(each);
    return size;
  }

  /// The tree of places that meet each other before any other place.
  Addition build(const std::vector<int>& places) {
    Addition tree = leaf(places.front());
    if (places.size() == 1) return tree;
    std::vector<Pair> pairs;
    for (std::size_t i = 1; i < places.size(); ++i) pairs.emplace_back(places.front(), places[i]);
    const std::vector<int> counts = added(pairs);
    std::map<int, std::vector<int>> levels;
    for (std::size_t i = 1; i < places.size(); ++i) levels[counts[i - 1]].push_back(places[i]);
    for (const auto& [count, met] : levels) {
      Addition above;
      adopt(above, std::move(tree));
      for (const std::vector<int>& part : parts(met, count)) adopt(above, build(part));
      std::ranges::sort(above.places);
      tree = std::move(above);
      consistent_ = consistent_ && size_of(tree) == count;
      if (!consistent_) break;
    }
    return tree;
  }

  static void adopt(Addition& above, Addition part) {
    if (is_leaf(part)) {
      above.places.push_back(part.places.front());
    } else {
      above.results.push_back(std::move(part));
    }
  }

  /// The places that an operation adds after `count` numbers in all: places that met earlier belong together.
  std::vector<std::vector<int>> parts(const std::vector<int>& places, int count) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = i + 1; j < places.size(); ++j) pairs.emplace_back(places[i], places[j]);
    }
    const std::vector<int> counts = added(pairs);
    std::map<int, int> part_of;
    for (const int each : places) part_of[each] = each;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (counts[p] >= count) continue;
      const int from = part_of[pairs[p].second];
      const int to = part_of[pairs[p].first];
      for (auto& [place, part] : part_of) part = part == from ? to : part;
    }
    std::map<int, std::vector<int>> found;
    for (const auto& [place, part] : part_of) found[part].push_back(place);
    std::vector<std::vector<int>> result;
    for (auto& [part, members] : found) result.push_back(std::move(members));
    return result;
  }

  const Unit& unit_;
  int places_;
  int large_ = 0;
  int small_ = 0;
  bool consistent_ = true;
};

/// The products of each step of a chain, the first step first. Whether the tree is a chain.
bool steps_of(const Addition& tree, int c, std::vector<std::vector<int>>& steps) {
  if (tree.results.size() > 1 || (tree.places.empty() && !tree.results.empty())) return false;
  if (!tree.results.empty() && !steps_of(tree.results.front(), c, steps)) return false;
  std::vector<int> products;
  for (const int each : tree.places) {
    if (each == c && !tree.results.empty()) return false;
    if (each != c) products.push_back(each);
  }
  steps.push_back(std::move(products));
  return true;
}

/// The chains whose results are added, in the order of their first products.
bool chains_of(const Addition& tree, int c, std::vector<std::vector<std::vector<int>>>& chains) {
  std::vector<std::vector<int>> steps;
  if (steps_of(tree, c, steps)) {
    chains.push_back(std::move(steps));
    return true;
  }
  return tree.places.empty() &&
         std::ranges::all_of(tree.results, [&](const Addition& each) { return chains_of(each, c, chains); });
}

std::string in_brackets(const Addition& tree, int c) {
  std::string text = "(";
  for (const Addition& each : tree.results) text += in_brackets(each, c) + " ";
  for (const int each : tree.places) text += (each == c ? "c" : std::to_string(each)) + " ";
  text.back() = ')';
  return text;
}

std::string plural(int count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

}  // namespace

std::optional<Addition> order_of(const Unit& unit, bool with_subnormals) {
  return Revealer(unit, with_subnormals).run();
}

std::optional<Shape> shape_of(const Addition& tree, const Unit& unit) {
  std::vector<std::vector<std::vector<int>>> chains;
  if (!chains_of(tree, unit.products, chains)) return std::nullopt;
  Shape shape{.slices = static_cast<int>(chains.size())};
  std::set<int> strides;
  for (const std::vector<std::vector<int>>& chain : chains) {
    int products = 0;
    int last = -1;
    for (const std::vector<int>& step : chain) {
      shape.step = std::max(shape.step, static_cast<int>(step.size()));
      products += static_cast<int>(step.size());
      for (const int each : step) {
        if (last >= 0) strides.insert(each - last);
        last = each;
      }
    }
    if (chains.size() > 1) shape.slice = std::max(shape.slice, products);
  }
  if (strides.size() == 1) shape.stride = *strides.begin();
  // Without c the first operation of a chain of single products adds two of them.
  const auto is_single = [&](const std::vector<std::vector<int>>& chain) {
    return chain.size() > 1 && chain.front().size() == 2 &&
           std::all_of(chain.begin() + 1, chain.end(), [](const std::vector<int>& step) { return step.size() == 1; });
  };
  if (!unit.has_c && std::ranges::all_of(chains, is_single)) shape.step = 1;
  for (const std::vector<std::vector<int>>& chain : chains) {
    for (std::size_t s = 0; s + 1 < chain.size(); ++s) {
      const bool is_first_pair = shape.step == 1 && s == 0 && !unit.has_c;
      if (static_cast<int>(chain[s].size()) != (is_first_pair ? 2 : shape.step)) return std::nullopt;
    }
  }
  return shape;
}

std::string words_of(const Addition& tree, const Unit& unit) {
  const std::optional<Shape> shape = shape_of(tree, unit);
  constexpr std::size_t longest = 200;
  if (!shape) {
    std::string text = in_brackets(tree, unit.products);
    if (text.size() > longest) text = text.substr(0, longest) + "…";
    return "added as " + text;
  }
  const int chain = shape->slice == 0 ? unit.products : shape->slice;
  const int steps = (chain + shape->step - 1) / shape->step;
  std::string text = steps == 1 ? fmt::format("one step of {}", plural(shape->step, "product"))
                                : fmt::format("{} of {}", plural(steps, "step"), plural(shape->step, "product"));
  if (shape->slices > 1) text = fmt::format("{} slices of {}: {}", shape->slices, shape->slice, text);
  if (shape->stride > 1) text += fmt::format(", the products of a slice lie {} places apart", shape->stride);
  if (shape->stride < 1 && unit.products > 1) text += ", not in ascending order";
  return text + (unit.has_c ? ", onto c" : "");
}

}  // namespace assay::prober
