#pragma once
// Inputs of sums for many targets: each target has the terms of a sum that is hard to add or to round.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::segment {

template <FloatingPoint T>
using Row = sum::SumCase<T>;

inline constexpr std::size_t most_terms = 8192;
inline constexpr std::size_t most_targets = 1024;

/// yᵢ and the terms xⱼ with indexⱼ = i. A word of `index` is the pattern of a signed number.
template <FloatingPoint T>
struct ScatterCase {
  using Number = T;
  std::vector<T> x;
  std::vector<std::uint32_t> index;
  std::vector<T> y;
  static constexpr auto fields() {
    using C = ScatterCase;
    return std::tuple{field("x", &C::x), field("index", &C::index), field("y", &C::y)};
  }
};

/// The terms of segment i are x from offsetsᵢ to before offsetsᵢ₊₁.
template <FloatingPoint T>
struct SegmentCase {
  using Number = T;
  std::vector<T> x;
  std::vector<std::uint32_t> offsets;
  static constexpr auto fields() {
    return std::tuple{field("x", &SegmentCase::x), field("offsets", &SegmentCase::offsets)};
  }
};

/// The terms of each target.
template <FloatingPoint T>
std::vector<Row<T>> rows_of(const ScatterCase<T>& c) {
  std::vector<Row<T>> rows;
  for (const T each : c.y) rows.push_back({{each}});
  for (std::size_t j = 0; j < c.x.size(); ++j) {
    if (c.index[j] < rows.size()) rows[c.index[j]].x.push_back(c.x[j]);
  }
  return rows;
}
template <FloatingPoint T>
std::vector<Row<T>> rows_of(const SegmentCase<T>& c) {
  std::vector<Row<T>> rows;
  for (std::size_t i = 0; i + 1 < c.offsets.size(); ++i) {
    rows.push_back({{c.x.begin() + c.offsets[i], c.x.begin() + c.offsets[i + 1]}});
  }
  return rows;
}

template <FloatingPoint T>
bool is_complete(const ScatterCase<T>& c) {
  return c.x.size() == c.index.size() && c.x.size() <= most_terms && c.y.size() <= most_targets;
}
template <FloatingPoint T>
bool is_complete(const SegmentCase<T>& c) {
  return !c.offsets.empty() && c.offsets.front() == 0 && c.offsets.back() == c.x.size() &&
         std::ranges::is_sorted(c.offsets) && c.x.size() <= most_terms && c.offsets.size() <= most_targets + 1;
}

/// A case with these terms.
template <FloatingPoint T>
void assign(Draw& draw, const std::vector<Row<T>>& rows, ScatterCase<T>& c) {
  for (const Row<T>& row : rows) {
    c.y.push_back(row.x.empty() ? (draw.coin() ? T{0} : -T{0}) : row.x.front());
    for (std::size_t k = 1; k < row.x.size(); ++k) {
      c.index.push_back(static_cast<std::uint32_t>(c.y.size() - 1));
      c.x.push_back(row.x[k]);
    }
  }
  if (draw.coin()) {  // otherwise the terms of a target stand together
    for (std::size_t j = 0; j < c.x.size(); ++j) {
      const std::size_t k = draw.below(j + 1);
      std::swap(c.x[j], c.x[k]);
      std::swap(c.index[j], c.index[k]);
    }
  }
  for (std::uint64_t left = draw.one_in(3) ? 1 + draw.below(4) : 0; left != 0; --left) {
    const std::uint32_t outside[] = {static_cast<std::uint32_t>(c.y.size()), 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF};
    const auto at = static_cast<std::ptrdiff_t>(draw.below(c.x.size() + 1));
    c.index.insert(c.index.begin() + at, outside[draw.below(4)]);
    c.x.insert(c.x.begin() + at, sum::detail::draw_finite<T>(draw));
  }
}
template <FloatingPoint T>
void assign(Draw&, const std::vector<Row<T>>& rows, SegmentCase<T>& c) {
  c.offsets.push_back(0);
  for (const Row<T>& row : rows) {
    c.x.insert(c.x.end(), row.x.begin(), row.x.end());
    c.offsets.push_back(static_cast<std::uint32_t>(c.x.size()));
  }
}

/// Some rows drawn by make(draw), with empty ones among them, or few with many.
template <class Case, class Make>
Case draw_case(Draw& draw, std::size_t most, Make make) {
  using OneRow = Row<typename Case::Number>;
  std::vector<OneRow> rows;
  std::size_t terms = 0;
  for (std::uint64_t left = 1 + draw.below(draw.one_in(8) ? 60 : 5); left != 0; --left) {
    for (std::uint64_t empty = draw.one_in(6) ? 1 + draw.below(3) : 0; empty != 0; --empty) rows.emplace_back();
    OneRow row = make(draw);
    row.x.resize(std::min(row.x.size(), most));
    if (terms + row.x.size() > most_terms - 8) break;
    terms += row.x.size();
    rows.push_back(std::move(row));
  }
  Case c;
  assign(draw, rows, c);
  return c;
}

/// Terms of few binades, many for a target: the terms of many threads are joined.
template <FloatingPoint T>
Row<T> draw_many(Draw& draw) {
  const int spread = draw.between(0, 70);
  const bool same_sign = draw.coin();
  return sum::detail::draw_terms<T>(draw, draw.below(3000), Significand::any, -spread, 0, same_sign);
}

/// Terms of one binade and sign, and one of them so far below that 128 bits, or in binary64 256, just have room for
/// joined terms, or just do not.
template <FloatingPoint T>
Row<T> draw_at_limit(Draw& draw) {
  Row<T> row = sum::detail::draw_terms<T>(draw, 130 + draw.below(400), Significand::dense, 0, 0, true);
  const bool is_wide = FloatTraits<T>::precision > 24 && draw.coin();
  const int below = (is_wide ? 241 : 113) - FloatTraits<T>::precision + draw.between(0, 20);
  row.x[draw.below(row.x.size())] = stepped(draw_number<T>(draw, Significand::power_of_two, -below), 1);
  return row;
}

/// The case without the terms from `first` to before `end`.
template <FloatingPoint T>
ScatterCase<T> without_terms(const ScatterCase<T>& c, std::size_t first, std::size_t end) {
  ScatterCase<T> smaller = c;
  const auto erase = [&](auto& from) {
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(first), from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  erase(smaller.x);
  erase(smaller.index);
  return smaller;
}
template <FloatingPoint T>
SegmentCase<T> without_terms(const SegmentCase<T>& c, std::size_t first, std::size_t end) {
  SegmentCase<T> smaller = c;
  smaller.x.erase(smaller.x.begin() + static_cast<std::ptrdiff_t>(first),
                  smaller.x.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::uint32_t& each : smaller.offsets) {
    each -= static_cast<std::uint32_t>(std::min<std::size_t>(each, end) - std::min<std::size_t>(each, first));
  }
  return smaller;
}
/// The case without the last target; its terms are outside, or belong to the target before.
template <FloatingPoint T>
ScatterCase<T> without_target(const ScatterCase<T>& c) {
  ScatterCase<T> smaller = c;
  if (!smaller.y.empty()) smaller.y.pop_back();
  return smaller;
}
template <FloatingPoint T>
SegmentCase<T> without_target(const SegmentCase<T>& c) {
  SegmentCase<T> smaller = c;
  if (smaller.offsets.size() > 2) smaller.offsets.erase(smaller.offsets.end() - 2);
  return smaller;
}

/// Without half of the terms or one of them, or without the last target.
template <class Case>
std::vector<Case> smaller_cases(const Case& c) {
  std::vector<Case> smaller;
  const std::size_t n = c.x.size();
  for (std::size_t size = n / 2; size >= 1; size /= 2) {
    if (size < n / 64) break;
    for (std::size_t first = 0; first + size <= n; first += size)
      smaller.push_back(without_terms(c, first, first + size));
  }
  smaller.push_back(without_target(c));
  return smaller;
}

template <class Case>
Domain<Case> domain(const std::string& accepts) {
  using T = typename Case::Number;
  std::vector<InputClass<Case>> classes;
  for (const InputClass<Row<T>>& each : sum::accurate_sum_classes<T>(sum::SumRoom::any, sum::longest_accurate_sum)) {
    classes.push_back({each.name, each.weight, drawn<Case>([generator = each.generator](Draw& draw) {
                         return draw_case<Case>(draw, 200, [&](Draw& d) { return generator(rc::Random(d.word())); });
                       })});
  }
  const auto of_many = [](Row<T> (*make)(Draw&)) {
    return drawn<Case>([make](Draw& draw) { return draw_case<Case>(draw, 3000, make); });
  };
  classes.push_back({"many terms of few binades for a target", 2, of_many(draw_many<T>)});
  classes.push_back({"binades at the limits of 128 and 256 bits", 2, of_many(draw_at_limit<T>)});
  classes.push_back({"infinities and NaN", 3, drawn<Case>([](Draw& draw) {
                       return draw_case<Case>(draw, 200, [](Draw& d) -> Row<T> {
                         if (d.coin()) return sum::detail::draw_hidden_tie<T>(d);
                         const auto count = [&] { return d.between(0, 2); };
                         return {sum::detail::draw_special_terms<T>(d, {1 + count(), count(), count()})};
                       });
                     })});
  return {.classes = std::move(classes),
          .contains = [](const Case& c) { return is_complete(c); },
          .features = {{"log2 of the terms + 1, rounded up", 0, 14, 14,
                        [](const Case& c) { return static_cast<double>(std::bit_width(c.x.size())); }},
                       {"log2 of the targets + 1, rounded up", 0, 8, 8,
                        [](const Case& c) { return static_cast<double>(std::bit_width(rows_of(c).size())); }}},
          .shrink_shape = smaller_cases<Case>,
          .accepts = accepts};
}

}  // namespace assay::segment
