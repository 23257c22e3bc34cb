#pragma once
// Cases of collective operations: the arrays that the ranks hold.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/tile_cases.hpp"

namespace assay::contracts::collectives {

using oracle::Dyadic;

/// all_reduce: n results at each rank, from n numbers of each. reduce_scatter: n results at each rank, from a block of
/// n numbers for each rank. all_gather: the numbers of all ranks at each rank, from n of each.
enum class Collective { all_reduce, reduce_scatter, all_gather };

/// The most ranks, and the most numbers of all ranks together.
inline constexpr std::int64_t most_ranks = 9;
inline constexpr std::int64_t most_numbers = 8192;

/// x: what rank 0 holds, then what rank 1 holds, and so on.
template <FloatingPoint T>
struct CollectiveCase {
  using Number = T;
  std::int64_t ranks = 1;
  std::int64_t n = 0;
  std::vector<T> x;
  static constexpr auto fields() {
    return std::tuple{field("ranks", &CollectiveCase::ranks), field("n", &CollectiveCase::n),
                      field("x", &CollectiveCase::x)};
  }
  /// How many numbers each rank holds.
  [[nodiscard]] std::size_t width() const { return x.size() / static_cast<std::size_t>(ranks); }
  /// Number i of a rank.
  [[nodiscard]] const T& at(std::size_t rank, std::size_t i) const { return x[rank * width() + i]; }
};

/// The numbers at index i of all ranks.
template <FloatingPoint T>
std::vector<T> column_of(const CollectiveCase<T>& c, std::size_t i) {
  std::vector<T> column;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(c.ranks); ++rank) column.push_back(c.at(rank, i));
  return column;
}

/// How many numbers each rank holds for n results.
inline std::int64_t width_for(Collective kind, std::int64_t ranks, std::int64_t n) {
  return kind == Collective::reduce_scatter ? ranks * n : n;
}

/// The case whose columns are column(0), column(1), …
template <FloatingPoint T, class Column>
CollectiveCase<T> of_columns(Collective kind, std::int64_t ranks, std::int64_t n, const Column& column) {
  const auto width = static_cast<std::size_t>(width_for(kind, ranks, n));
  CollectiveCase<T> c{ranks, n, std::vector<T>(static_cast<std::size_t>(ranks) * width)};
  for (std::size_t i = 0; i < width; ++i) {
    const std::vector<T> numbers = column(i);
    for (std::size_t rank = 0; rank < numbers.size(); ++rank) c.x[rank * width + i] = numbers[rank];
  }
  return c;
}

template <FloatingPoint T>
bool is_finite_case(const CollectiveCase<T>& c) {
  return all_finite(c.x);
}
template <FloatingPoint T>
CollectiveCase<T> finite_part_of(const CollectiveCase<T>& c) {
  return {c.ranks, c.n, finite_part(c.x)};
}

/// Ranks and lengths: mostly a few numbers, also lengths beside multiples of the ranks and powers of two, rarely all
/// numbers that a case may have.
struct Sizes {
  std::int64_t ranks, n;
};
inline Sizes draw_sizes(Draw& draw, Collective kind) {
  const std::int64_t ranks = asked_length("ranks").value_or(draw.one_in(20) ? 1 : draw.between(2, most_ranks));
  if (const auto n = asked_length("n")) return {ranks, *n};
  const std::int64_t most = most_numbers / (ranks * width_for(kind, ranks, 1));
  const std::uint64_t way = draw.below(100);
  std::int64_t n = draw.between(0, 10);
  if (way >= 50) n = ranks * draw.between(1, 6) + draw.between(-1, 1);
  if (way >= 75) n = (std::int64_t{8} << draw.below(4)) + draw.between(-1, 1);
  if (way >= 95) n = (std::int64_t{128} << draw.below(3)) + draw.between(-1, 1);
  if (way >= 99) n = most;
  return {ranks, std::min(n, std::max<std::int64_t>(most, 1))};
}

/// Numbers with exponents in low … high.
template <FloatingPoint T>
std::vector<T> draw_column(Draw& draw, std::int64_t ranks, Significand kind, int low, int high, bool one_sign = false) {
  std::vector<T> column;
  const bool negative = draw.coin();
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    column.push_back(draw_number<T>(draw, kind, draw.between(low, high), one_sign ? negative : draw.coin()));
  }
  return column;
}

/// The last number cancels the others, but for the last places.
template <FloatingPoint T>
std::vector<T> draw_cancelling_column(Draw& draw, std::int64_t ranks) {
  std::vector<T> column = draw_column<T>(draw, ranks, Significand::any, -4, 4);
  Dyadic sum;
  for (std::int64_t rank = 0; rank + 1 < ranks; ++rank) sum += value_of(column[static_cast<std::size_t>(rank)]);
  column.back() = stepped(negated(nearest_to<T>(sum)), draw.between(-2, 2));
  sum::detail::shuffle(draw, column);
  return column;
}

/// Large numbers that cancel in pairs, and numbers that are lost beside them, in the format or in binary32: every
/// exchange of two of them changes what is lost.
template <FloatingPoint T>
std::vector<T> draw_column_that_shows_order(Draw& draw, std::int64_t ranks) {
  const int p = draw.coin() ? FloatTraits<T>::precision : FloatTraits<Wide<T>>::precision;
  const int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  const int exponent = draw.between(std::max(-2, least + p + 2), 8);
  const auto small = [&] { return draw_number<T>(draw, Significand::any, exponent - p + draw.between(0, 2)); };
  std::vector<T> column;
  while (std::ssize(column) < ranks) {
    if (std::ssize(column) + 2 <= ranks && draw.coin()) {
      column.push_back(draw_number<T>(draw, Significand::sparse, exponent));
      column.push_back(negated(column.back()));
    } else {
      column.push_back(small());
    }
  }
  sum::detail::shuffle(draw, column);
  return column;
}

/// 1 and numbers of half its last place, or just beside that, all of one sign.
template <FloatingPoint T>
std::vector<T> draw_worst_column(Draw& draw, std::int64_t ranks) {
  const int exponent = draw.between(-4, 4);
  const int off = draw.coin() ? 0 : draw.between(-2, 2);
  std::vector<T> column(static_cast<std::size_t>(ranks),
                        stepped(compose<T>(false, 1, exponent - FloatTraits<T>::precision), off));
  column[draw.one_in(3) ? 0 : draw.below(column.size())] = compose<T>(false, 1, exponent);
  if (draw.coin()) std::ranges::transform(column, column.begin(), [](const T& each) { return negated(each); });
  return column;
}

/// Zeros of one sign or of both, now and then with a number among them.
template <FloatingPoint T>
std::vector<T> draw_column_of_zeros(Draw& draw, std::int64_t ranks) {
  const std::uint64_t kind = draw.below(3);
  std::vector<T> column;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    column.push_back(compose<T>(kind == 0 || (kind == 1 && draw.coin()), 0, 0));
  }
  if (draw.one_in(4)) column[draw.below(column.size())] = draw_number<T>(draw, Significand::any, draw.between(-4, 4));
  return column;
}

/// put(column) in one to three columns.
template <FloatingPoint T, class Put>
CollectiveCase<T> with_columns(Draw& draw, CollectiveCase<T> c, const Put& put) {
  if (c.x.empty()) return c;
  for (std::uint64_t count = 1 + draw.below(3); count != 0; --count) {
    const std::size_t i = draw.below(c.width());
    std::vector<T> column = column_of(c, i);
    put(column);
    for (std::size_t rank = 0; rank < column.size(); ++rank) c.x[rank * c.width() + i] = column[rank];
  }
  return c;
}

/// Whether the case has its shape, and the magnitudes of no column add up to more than 2^(emax − 2) of Wide<T>.
template <FloatingPoint T>
bool contains(Collective kind, const CollectiveCase<T>& c) {
  if (c.ranks < 1 || c.ranks > most_of(most_ranks) || c.n < 0 || c.n > most_of(most_numbers)) return false;
  if (std::ssize(c.x) > most_of(most_numbers)) return false;
  if (std::ssize(c.x) != c.ranks * width_for(kind, c.ranks, c.n)) return false;
  for (std::size_t i = 0; i < c.width(); ++i) {
    Dyadic magnitudes;
    for (const T& each : column_of(c, i)) magnitudes += abs(value_of(each));
    if (!stays_finite<Wide<T>>(magnitudes)) return false;
  }
  return true;
}

template <FloatingPoint T>
Domain<CollectiveCase<T>> collective_domain(Collective kind) {
  using Case = CollectiveCase<T>;
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  constexpr int least = F::emin - p + 1;
  constexpr int most = std::min(F::emax, FloatTraits<Wide<T>>::emax - 7);
  const auto of = [kind](auto column) {
    return drawn<Case>([=](Draw& draw) {
      const auto [ranks, n] = draw_sizes(draw, kind);
      return of_columns<T>(kind, ranks, n, [&](std::size_t) { return column(draw, ranks); });
    });
  };
  const auto range = [&](Significand significand, int low, int high, bool one_sign = false) {
    return of(
        [=](Draw& draw, std::int64_t ranks) { return draw_column<T>(draw, ranks, significand, low, high, one_sign); });
  };
  const auto on_grid = [kind](Draw& draw) {
    const auto [ranks, n] = draw_sizes(draw, kind);
    const Grid grid = draw_grid<T>(draw);
    return of_columns<T>(kind, ranks, n, [&, ranks = ranks](std::size_t) {
      return draw_on_grid<T>(draw, static_cast<std::size_t>(ranks), grid.bits, grid.scale);
    });
  };
  const auto any = range(Significand::any, -4, 4);
  const auto exceptional = [any](Draw& draw) {
    return with_columns(draw, any(rc::Random(draw.word())),
                        [&](std::vector<T>& column) { put_exceptional(draw, column); });
  };
  const auto with_nan = [any](Draw& draw) {
    return with_columns(draw, any(rc::Random(draw.word())), [&](std::vector<T>& column) {
      for (std::uint64_t count = 1 + draw.below(2); count != 0; --count) {
        column[draw.below(column.size())] = sum::detail::draw_nan<T>(draw);
      }
    });
  };
  std::vector<InputClass<Case>> classes{{"any significand", 4, any},
                                        {"exponents within ±p", 2, range(Significand::any, std::max(-p, least), p)},
                                        {"one sign", 1, range(Significand::dense, -3, 3, true)},
                                        {"another order shows", 4, of(draw_column_that_shows_order<T>)},
                                        {"the sum cancels", 3, of(draw_cancelling_column<T>)},
                                        {"1 and halves of its last place", 2, of(draw_worst_column<T>)},
                                        {"on a grid", 4, drawn<Case>(on_grid)},
                                        {"zeros", 1, of(draw_column_of_zeros<T>)},
                                        {"subnormal and just above", 2, range(Significand::any, least, F::emin + 3)},
                                        {"near overflow", 1, range(Significand::any, most - 3, most)}};
  Domain<Case> domain{
      .classes = std::move(classes),
      .contains = [kind](const Case& c) { return contains(kind, c); },
      .features = {{"ranks", 0, 10, 10, [](const Case& c) { return static_cast<double>(c.ranks); }}},
      .accepts =
          "up to 9 ranks, which hold up to 8192 finite numbers together; the magnitudes at an index add up to at "
          "most 2^" +
          std::to_string(FloatTraits<Wide<T>>::emax - 2)};
  if (kind != Collective::reduce_scatter) {
    domain.axes = [](const Case&) {
      return Axes{{{"x", {{"index"}, {"rank"}}}}, {{"n", "index"}, {"ranks", "rank"}}, {}};
    };
  }
  return with_exceptional<Case>(
      std::move(domain),
      {{"NaN or infinities", 3, drawn<Case>(exceptional)}, {"NaN of some ranks", 3, drawn<Case>(with_nan)}},
      [](const Case& c) { return finite_part_of(c); });
}

}  // namespace assay::contracts::collectives

namespace assay::contracts {

/// The ranks and the n that a shape names. An all-gather has ranks times as many results as numbers, which need a tenth
/// of the memory.
template <FloatingPoint T>
struct ShapeOf<collectives::CollectiveCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"ranks", "n"}; }
  static std::string large(std::string_view /*operation*/) { return "ranks=2,n=65537;ranks=8,n=8191;ranks=63,n=1025"; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    const auto ranks = std::ranges::find(shape, "ranks", &Dimension::name);
    if (ranks != shape.end() && ranks->low < 1) {
      throw ShapeError("shape " + assay::text_of(shape) + ": 1 rank or more are accepted");
    }
    const double count = longest_of(shape, "ranks", collectives::most_ranks);
    return count * longest_of(shape, "n", 40) * std::max(1.0, count / 10);
  }
  static collectives::CollectiveCase<T> drawn(Draw&, const auto& next, const auto&) { return next(); }
};

}  // namespace assay::contracts
