#include "assay/orders/family.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace assay::orders {
namespace {

using Kind = Family::Kind;
using Vertex = Tree::Vertex;
using Items = std::span<const Vertex>;

/// What a kind has in its name, in the order of Kind.
struct Notation {
  std::string_view name;
  int numbers;
  bool has_inner;
  bool has_join;
};
constexpr std::array notations{
    Notation{"chain", 1, false, false},     Notation{"reversed", 1, false, false}, Notation{"pairs", 0, false, false},
    Notation{"folded", 0, false, false},    Notation{"folded_2", 0, false, false}, Notation{"halves", 1, false, false},
    Notation{"halves_up", 0, false, false}, Notation{"halves_2", 0, false, false}, Notation{"lanes", 1, true, true},
    Notation{"lanes_tail", 1, true, true},  Notation{"rows", 1, true, true},       Notation{"blocks", 1, true, true},
    Notation{"shares", 1, true, true},      Notation{"panels", 2, true, true},     Notation{"split", 2, true, false},
    Notation{"split_2", 1, true, false}};
const Notation& notation_of(Kind kind) { return notations[static_cast<std::size_t>(kind)]; }

Vertex operation(Tree& tree, std::vector<Vertex> parts) { return parts.size() == 1 ? parts.front() : tree.add(parts); }

/// A chain of `width` items an operation; the first operation has as many, or two.
Vertex chained(Tree& tree, Items items, std::size_t width) {
  const std::size_t first = std::min(std::max<std::size_t>(width, 2), items.size());
  Vertex sum = operation(tree, {items.begin(), items.begin() + static_cast<std::ptrdiff_t>(first)});
  for (std::size_t at = first; at < items.size(); at += width) {
    const Items step = items.subspan(at, std::min(width, items.size() - at));
    std::vector<Vertex> parts{sum};
    parts.insert(parts.end(), step.begin(), step.end());
    sum = tree.add(parts);
  }
  return sum;
}

std::vector<Vertex> reversed(Items items) { return {items.rbegin(), items.rend()}; }

/// Results of item i and item i + `distance(m)` for those that have one, until one is left.
template <class Distance>
Vertex folded(Tree& tree, Items items, const Distance& distance) {
  std::vector<Vertex> left(items.begin(), items.end());
  while (left.size() > 1) {
    const std::size_t d = distance(left.size());
    for (std::size_t i = 0; i + d < left.size(); ++i) left[i] = operation(tree, {left[i], left[i + d]});
    left.resize(d);
  }
  return left.front();
}

std::size_t power_below(std::size_t m) { return std::bit_floor(m - 1); }

/// `cut(m)` items and the others, each in the same way, until one has at most `most`: then `inner`.
template <class Cut, class Inner>
Vertex halved(Tree& tree, Items items, std::size_t most, const Cut& cut, const Inner& inner) {
  if (items.size() <= most) return inner(items);
  const std::size_t first = cut(items.size());
  if (first == 0 || first == items.size()) return inner(items);
  const Vertex a = halved(tree, items.first(first), most, cut, inner);
  const Vertex b = halved(tree, items.subspan(first), most, cut, inner);
  return operation(tree, {a, b});
}

std::vector<std::vector<Vertex>> lanes_of(Items items, std::size_t lanes) {
  std::vector<std::vector<Vertex>> result(std::min(lanes, items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) result[i % lanes].push_back(items[i]);
  return result;
}

Vertex joined(Tree& tree, const Family& family, const std::vector<std::vector<Vertex>>& groups) {
  std::vector<Vertex> results;
  for (const auto& each : groups) results.push_back(grow(tree, *family.inner, each));
  return grow(tree, *family.join, results);
}

std::vector<std::vector<Vertex>> blocks_of(Items items, std::size_t size) {
  std::vector<std::vector<Vertex>> result;
  for (std::size_t at = 0; at < items.size(); at += size) {
    const Items block = items.subspan(at, std::min(size, items.size() - at));
    result.emplace_back(block.begin(), block.end());
  }
  return result;
}

std::vector<std::vector<Vertex>> panels_of(Items items, std::size_t size, std::size_t rounding) {
  std::vector<std::vector<Vertex>> result;
  for (std::size_t at = 0; at < items.size(); at += result.back().size()) {
    const std::size_t left = items.size() - at;
    const std::size_t half = (left / 2 + rounding - 1) / rounding * rounding;
    const Items panel = items.subspan(at, left >= 2 * size ? size : left > size ? half : left);
    result.emplace_back(panel.begin(), panel.end());
  }
  return result;
}

Vertex with_tail(Tree& tree, const Family& family, Items items) {
  const std::size_t whole = items.size() - items.size() % family.size;
  std::vector<Vertex> parts;
  if (whole != 0) parts.push_back(joined(tree, family, lanes_of(items.first(whole), family.size)));
  parts.insert(parts.end(), items.begin() + static_cast<std::ptrdiff_t>(whole), items.end());
  return chained(tree, parts, 1);
}

std::size_t share(std::size_t items, std::size_t size) { return std::max<std::size_t>(1, (items + size - 1) / size); }

}  // namespace

Vertex grow(Tree& tree, const Family& family, Items items) {
  if (items.size() == 1) return items.front();
  const auto single = [](Items one) { return one.front(); };
  const auto inside = [&](Items some) { return grow(tree, *family.inner, some); };
  const auto half = [](std::size_t multiple) { return [multiple](std::size_t m) { return m / 2 - m / 2 % multiple; }; };
  switch (family.kind) {
    case Kind::chain:
      return chained(tree, items, family.size);
    case Kind::reversed:
      return chained(tree, reversed(items), family.size);
    case Kind::pairs: {
      std::vector<Vertex> left(items.begin(), items.end());
      while (left.size() > 1) {
        std::vector<Vertex> next;
        for (const auto& pair : blocks_of(left, 2)) next.push_back(operation(tree, pair));
        left = std::move(next);
      }
      return left.front();
    }
    case Kind::folded:
      return folded(tree, items, [](std::size_t m) { return (m + 1) / 2; });
    case Kind::folded_2:
      return folded(tree, items, power_below);
    case Kind::halves:
      return halved(tree, items, 1, half(family.size),
                    [&](Items some) { return some.size() == 1 ? some.front() : chained(tree, some, 1); });
    case Kind::halves_up:
      return halved(
          tree, items, 1, [](std::size_t m) { return (m + 1) / 2; }, single);
    case Kind::halves_2:
      return halved(tree, items, 1, power_below, single);
    case Kind::lanes:
      return joined(tree, family, lanes_of(items, family.size));
    case Kind::lanes_tail:
      return with_tail(tree, family, items);
    case Kind::rows:
      return joined(tree, family, lanes_of(items, share(items.size(), family.size)));
    case Kind::blocks:
      return joined(tree, family, blocks_of(items, family.size));
    case Kind::shares:
      return joined(tree, family, blocks_of(items, share(items.size(), family.size)));
    case Kind::panels:
      return joined(tree, family, panels_of(items, family.size, family.rounding));
    case Kind::split:
      return halved(tree, items, family.size, half(family.rounding), inside);
    case Kind::split_2:
      return halved(tree, items, family.size, power_below, inside);
  }
  throw std::logic_error("no kind of families");
}

Tree tree_of(const Family& family, std::size_t terms) {
  Tree tree(terms);
  std::vector<Vertex> items(terms);
  for (std::size_t i = 0; i < terms; ++i) items[i] = static_cast<Vertex>(i);
  grow(tree, family, items);
  return tree;
}

std::string name_of(const Family& family) {
  const Notation& notation = notation_of(family.kind);
  std::string text(notation.name);
  std::string inside;
  if (notation.numbers >= 1 && (notation.has_inner || family.size != 1)) inside += std::to_string(family.size);
  if (notation.numbers >= 2) inside += "," + std::to_string(family.rounding);
  if (notation.has_inner) inside += "," + name_of(*family.inner);
  if (notation.has_join) inside += "," + name_of(*family.join);
  return inside.empty() ? text : text + "(" + inside + ")";
}

namespace {

/// Reads a family's notation from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Family whole() {
    Family family = read(0);
    if (at_ != text_.size()) wrong("the end");
    return family;
  }

 private:
  [[noreturn]] void wrong(const char* wanted) const {
    throw std::invalid_argument(fmt::format("family: character {} of \"{}\" is not {}", at_ + 1, text_, wanted));
  }
  bool take(char c) {
    const bool is_there = at_ < text_.size() && text_[at_] == c;
    at_ += is_there ? 1 : 0;
    return is_there;
  }
  void expect(char c, const char* wanted) {
    if (!take(c)) wrong(wanted);
  }
  std::size_t number() {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value == 0 || value > std::size_t{1} << 31) wrong("a number from 1 to 2^31");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Family read(int depth) {
    constexpr int deepest = 16;
    if (depth > deepest) wrong("less deeply nested");
    const std::size_t end = std::min(text_.find_first_of("(),", at_), text_.size());
    const std::string_view name = text_.substr(at_, end - at_);
    const auto found = std::ranges::find(notations, name, &Notation::name);
    if (found == notations.end()) wrong("the name of a family");
    at_ = end;
    Family family{static_cast<Kind>(found - notations.begin())};
    const bool needs_brackets = found->has_inner;
    if (!take('(')) {
      if (needs_brackets) wrong("\"(\"");
      return family;
    }
    if (found->numbers == 0) wrong("the end of a family without numbers");
    family.size = number();
    if (found->numbers == 2) {
      expect(',', "\",\"");
      family.rounding = number();
    }
    for (auto* const inside : {found->has_inner ? &family.inner : nullptr, found->has_join ? &family.join : nullptr}) {
      if (inside == nullptr) continue;
      expect(',', "\",\"");
      *inside = std::make_shared<const Family>(read(depth + 1));
    }
    expect(')', "\")\"");
    return family;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Family family_named(std::string_view text) { return Reader(text).whole(); }

std::size_t parts_of(const Family& family) {
  return 1 + (family.inner ? parts_of(*family.inner) : 0) + (family.join ? parts_of(*family.join) : 0);
}

}  // namespace assay::orders
