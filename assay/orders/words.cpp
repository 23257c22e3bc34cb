// Families in words.

#include <fmt/core.h>

#include <stdexcept>

#include "assay/orders/family.hpp"

namespace assay::orders {
namespace {

using Kind = Family::Kind;

/// What is added: terms, or the results of lanes and blocks.
struct Noun {
  const char* one;
  const char* many;
};
constexpr Noun terms{"term", "terms"};
constexpr Noun lanes{"lane", "lanes"};
constexpr Noun blocks{"block", "blocks"};

std::string counted(std::size_t count, const Noun& noun) {
  return fmt::format("{} {}", count, count == 1 ? noun.one : noun.many);
}
/// "4 terms", "4 or 5 terms": so many of each when m are dealt out to `hands`.
std::string dealt(std::size_t m, std::size_t hands, const Noun& noun) {
  const std::size_t least = m / hands;
  return m % hands == 0 ? counted(least, noun) : fmt::format("{} or {}", least, counted(least + 1, noun));
}

/// `of`: how many of the noun, in words.
std::string words(const Family& family, std::size_t m, const std::string& of, const Noun& noun);

/// The words for a family inside another, with a group's items and the joining of groups.
std::string grouped(const Family& family, const std::string& head, std::size_t inside, const std::string& of,
                    const Noun& noun, std::size_t groups, const Noun& group) {
  return fmt::format("{}, each {}; then {}", head, words(*family.inner, inside, of, noun),
                     words(*family.join, groups, counted(groups, group), group));
}

std::string words(const Family& family, std::size_t m, const std::string& of, const Noun& noun) {
  const std::size_t size = std::max<std::size_t>(family.size, 1);
  const std::string step = size == 1 ? "" : fmt::format(", {} an operation", size);
  const auto cut = [&](std::size_t rounding) {
    return rounding == 1 ? std::string() : fmt::format(", the first half rounded down to a multiple of {}", rounding);
  };
  const auto of_lanes = [&](std::size_t lane_count, const char* tail) {
    const std::size_t in_lane = m / lane_count;
    return grouped(family, fmt::format("{} with stride {}", counted(lane_count, lanes), lane_count), in_lane,
                   dealt(m, lane_count, noun), noun, lane_count, lanes) +
           tail;
  };
  const auto of_blocks = [&](std::size_t block_size) {
    const std::size_t count = (m + block_size - 1) / block_size;
    const std::string last = m % block_size == 0 ? "" : fmt::format(", the last one of {}", m % block_size);
    return grouped(family, fmt::format("{} of {} in a row{}", counted(count, blocks), counted(block_size, noun), last),
                   block_size, counted(block_size, noun), noun, count, blocks);
  };
  const auto share = [size](std::size_t items) { return std::max<std::size_t>(1, (items + size - 1) / size); };
  switch (family.kind) {
    case Kind::chain:
      return fmt::format("a chain of {}{}", of, step);
    case Kind::reversed:
      return fmt::format("a chain of {} from the last to the first{}", of, step);
    case Kind::pairs:
      return fmt::format("a pairwise tree of neighbors over {}", of);
    case Kind::folded:
      return fmt::format("a pairwise tree over {} that adds the second half to the first", of);
    case Kind::folded_2:
      return fmt::format(
          "a pairwise tree over {} that first adds the terms after the largest power of two to those before it", of);
    case Kind::halves:
      return fmt::format("a pairwise tree of halves over {}{}", of, cut(size));
    case Kind::halves_up:
      return fmt::format("a pairwise tree of halves over {}, the first half not the smaller one", of);
    case Kind::halves_2:
      return fmt::format("a pairwise tree over {} cut at the largest power of two", of);
    case Kind::lanes:
      return of_lanes(std::min(size, m), "");
    case Kind::lanes_tail:
      if (m < size) return fmt::format("a chain of {}", of);
      if (m % size == 0) return of_lanes(size, "");
      m -= m % size;
      return of_lanes(size, "; then the terms behind the last whole row, one by one");
    case Kind::rows:
      return of_lanes(std::min(share(m), m), "");
    case Kind::blocks:
      return of_blocks(size);
    case Kind::shares:
      return of_blocks(share(m));
    case Kind::panels: {
      const std::string up =
          family.rounding == 1 ? "" : fmt::format(", rounded up to a multiple of {}", family.rounding);
      const std::string head =
          fmt::format("blocks of {} in a row, the last two of half of the rest{}", counted(size, noun), up);
      return fmt::format("{}, each {}; then {}", head, words(*family.inner, size, counted(size, noun), noun),
                         words(*family.join, (m + size - 1) / size, "the blocks", blocks));
    }
    case Kind::split:
    case Kind::split_2: {
      const std::string where =
          family.kind == Kind::split_2 ? ", cut at the largest power of two" : cut(family.rounding);
      return fmt::format("halves{} down to blocks of at most {}, each block {}; then a pairwise tree over the blocks",
                         where, counted(size, noun),
                         words(*family.inner, size, fmt::format("up to {}", counted(size, noun)), noun));
    }
  }
  throw std::logic_error("no kind of families");
}

}  // namespace

std::string words_of(const Family& family, std::size_t count) {
  return words(family, count, counted(count, terms), terms);
}

}  // namespace assay::orders
