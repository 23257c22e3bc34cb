#pragma once
// Cases of layer_norm and rms_norm: a matrix, ε, weights and biases.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "properties/contracts/rows.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts::normalization {

/// A matrix, ε, and a weight for each column.
template <FloatingPoint T>
struct RmsNormCase {
  using Number = T;
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  T eps{};
  std::vector<T> x, weight;
  static constexpr auto fields() {
    return std::tuple{field("rows", &RmsNormCase::rows), field("columns", &RmsNormCase::columns),
                      field("eps", &RmsNormCase::eps), field("x", &RmsNormCase::x),
                      field("weight", &RmsNormCase::weight)};
  }
};
/// The same with a bias for each column.
template <FloatingPoint T>
struct LayerNormCase : RmsNormCase<T> {
  std::vector<T> bias;
  static constexpr auto fields() {
    return std::tuple_cat(RmsNormCase<T>::fields(), std::tuple{field("bias", &LayerNormCase::bias)});
  }
};
}  // namespace assay::contracts::normalization

namespace assay::contracts {

template <FloatingPoint T>
struct ShapeOf<normalization::RmsNormCase<T>> : ShapeOfRows<normalization::RmsNormCase<T>> {};
template <FloatingPoint T>
struct ShapeOf<normalization::LayerNormCase<T>> : ShapeOfRows<normalization::LayerNormCase<T>> {};

}  // namespace assay::contracts

namespace assay::contracts::normalization {

template <class Case>
constexpr bool has_mean = requires(const Case& c) { c.bias; };

constexpr int lowest_eps = -40;

/// What is asked of the numbers that the bounds speak of. No sum of the squares of a row overflows, and the product of
/// a weight and a reciprocal root is a normal number or 0.
template <FloatingPoint T>
struct Moderate {
  static constexpr int number = FloatTraits<Wide<T>>::emax < 1000 ? 56 : 500;
  static constexpr int squares = FloatTraits<Wide<T>>::emax - 2;  ///< n times the largest square of a row
  static constexpr int weight = 40;                               ///< from 2^-40 to 2^40, or 0
  static constexpr int bias = 100;
  static bool is_number(const T& x) { return is_at_most(x, number); }
  static bool is_row(std::span<const T> row) {
    constexpr std::size_t any_numbers = std::size_t{1} << (squares - 2 * number);
    if (!std::ranges::all_of(row, is_number)) return false;
    return row.size() <= any_numbers || std::ranges::all_of(row, [n = oracle::Dyadic(row.size())](const T& x) {
             return n * value_of(x) * value_of(x) <= oracle::Dyadic::scaled(1, squares);
           });
  }
  static bool is_weight(const T& w) {
    return is_at_most(w, weight) && (value_of(w).is_zero() || abs(value_of(w)) >= oracle::Dyadic::scaled(1, -weight));
  }
  static bool is_bias(const T& b) { return is_at_most(b, bias); }
  static bool is_at_most(const T& x, int exponent) {
    return oracle::is_finite(format<T>, bits_of(x)) && abs(value_of(x)) <= oracle::Dyadic::scaled(1, exponent);
  }
};

/// How the numbers of a row look: a mean with an exponent in low … high and deviations with exponents `below` … `above`
/// relative to it, or no mean. One number of the row may be larger by 2^outlier.
struct RowRange {
  int low, high;
  int deviation_low, deviation_high;
  bool has_mean;
  int outlier = 0;
};

template <FloatingPoint T>
std::vector<T> draw_row(Draw& draw, std::int64_t n, const RowRange& range) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  constexpr int most = FloatTraits<T>::emax - 3;
  const int exponent = std::clamp(draw.between(range.low, range.high), least, most);
  const oracle::Dyadic mean =
      range.has_mean ? value_of(draw_number<T>(draw, Significand::any, exponent)) : oracle::Dyadic();
  std::vector<T> row;
  for (std::int64_t i = 0; i < n; ++i) {
    const int off = exponent + draw.between(range.deviation_low, range.deviation_high);
    row.push_back(nearest_to<T>(
        mean + value_of(draw_number<T>(draw, Significand::any, std::clamp(off, least, FloatTraits<T>::emax)))));
  }
  if (range.outlier != 0) {
    row[draw.below(row.size())] =
        draw_number<T>(draw, Significand::any, std::clamp(exponent + range.outlier, least, most));
  }
  return row;
}

/// Weights or biases: random ones, or 1 or 0 everywhere.
template <FloatingPoint T>
std::vector<T> draw_column_numbers(Draw& draw, std::int64_t n, int plain, int low) {
  const bool is_plain = draw.one_in(4);
  std::vector<T> numbers;
  for (std::int64_t i = 0; i < n; ++i) {
    numbers.push_back(is_plain ? T(plain) : draw_number<T>(draw, Significand::any, draw.between(low, 3)));
  }
  return numbers;
}

/// Exponents of ε, and the least one of a weight.
struct OtherRange {
  int eps_low = -24;
  int eps_high = -10;
  int weight_low = -4;
};

template <class Case>
CaseGenerator<Case> of_rows(SharedFunction<std::vector<typename Case::Number>(Draw&, std::int64_t)> make,
                            const OtherRange& range) {
  return drawn<Case>([=](Draw& draw) {
    using T = typename Case::Number;
    const Shape shape = draw_shape(draw);
    Case c;
    c.rows = shape.rows;
    c.columns = shape.columns;
    constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
    c.eps = draw_number<T>(draw, Significand::any, std::max(draw.between(range.eps_low, range.eps_high), least), false);
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      const std::vector<T> row = make(draw, shape.columns);
      c.x.insert(c.x.end(), row.begin(), row.end());
    }
    c.weight = draw_column_numbers<T>(draw, shape.columns, 1, range.weight_low);
    if constexpr (has_mean<Case>) c.bias = draw_column_numbers<T>(draw, shape.columns, 0, -4);
    if (draw.one_in(8)) put_zeros(draw, c.weight);
    if constexpr (has_mean<Case>) {
      if (draw.one_in(8)) put_zeros(draw, c.bias);
    }
    return c;
  });
}

/// A NaN or an infinity in one or two places of x, or of the weights and biases.
template <class Case>
Case with_specials(Draw& draw, Case c) {
  using T = typename Case::Number;
  const auto special = [&] {
    const std::uint64_t infinity = format<T>.infinity() | (draw.coin() ? format<T>.sign_mask() : 0);
    return number_of<T>(draw.coin() ? format<T>.nan() : infinity);
  };
  for (int i = draw.between(1, 2); i > 0; --i) {
    if (!draw.one_in(4)) {
      c.x[draw.below(c.x.size())] = special();
    } else if (!has_mean<Case> || draw.coin()) {
      c.weight[draw.below(c.weight.size())] = special();
    } else if constexpr (has_mean<Case>) {
      c.bias[draw.below(c.bias.size())] = special();
    }
  }
  return c;
}

template <class Case>
bool contains(const Case& c) {
  using T = typename Case::Number;
  const auto columns = static_cast<std::size_t>(c.columns);
  if (!has_shape(c) || c.weight.size() != columns) return false;
  if constexpr (has_mean<Case>) {
    if (c.bias.size() != columns) return false;
  }
  if (!oracle::is_finite(format<T>, bits_of(c.eps))) return false;
  const oracle::Dyadic eps = value_of(c.eps);
  return eps >= oracle::Dyadic::scaled(1, lowest_eps) && eps <= oracle::Dyadic(1);
}

template <class Case>
Domain<Case> norm_domain() {
  using T = typename Case::Number;
  constexpr int p = FloatTraits<T>::precision;
  constexpr int emin = FloatTraits<T>::emin;
  constexpr int emax = FloatTraits<T>::emax;
  const auto rows = [](const RowRange& range, const OtherRange& others = {}) {
    return of_rows<Case>([=](Draw& draw, std::int64_t n) { return draw_row<T>(draw, n, range); }, others);
  };
  const auto equal = [](Draw& draw, std::int64_t n) {
    const T each = draw_number<T>(draw, Significand::any, draw.between(-8, 8));
    return std::vector<T>(static_cast<std::size_t>(n), each);
  };
  const CaseGenerator<Case> mixed = rows({-3, 3, -2, 2, false});
  return {
      .classes = {{"numbers of mixed signs", 3, mixed},
                  {"deviations of the size of the mean", 3, rows({-3, 8, -3, 0, true})},
                  {"deviations far below the mean", 3, rows({4, 16, -p / 2 - 2, -p / 2, true})},
                  {"deviations of the size of √ε", 2, rows({-10, -6, -1, 1, false}, {-20, -12})},
                  {"numbers far below √ε", 1, rows({-40, -24, -8, 0, false})},
                  {"one number far above the others", 2, rows({-3, 3, -2, 2, false, p})},
                  {"large numbers", 1, rows({20, Moderate<T>::number - 4, -4, 0, false}, {lowest_eps, -1})},
                  {"small numbers and the smallest ε", 1, rows({-24, -16, -2, 2, false}, {lowest_eps, lowest_eps})},
                  {"the smallest normal numbers, and weights below 1", 1,
                   rows({emin, emin + 8, -2, 2, false}, {lowest_eps, lowest_eps + 2, -24})},
                  {"numbers up to the largest", 1, rows({emax / 2 - 2, emax - 3, -2, 0, false})},
                  {"equal numbers", 1, of_rows<Case>(equal, {-20, -10})},
                  {"a NaN or an infinity", 2,
                   drawn<Case>([mixed](Draw& draw) { return with_specials(draw, mixed(rc::Random(draw.word()))); })}},
      .contains = contains<Case>,
      .features = {{"log2 of the columns, rounded up", 0, 14, 14,
                    [](const Case& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns - 1)));
                    }}},
      .axes =
          [](const Case&) {
            Axes axes{
                {{"x", {{"column"}, {"row"}}}, {"weight", {{"column"}}}}, {{"rows", "row"}, {"columns", "column"}}, {}};
            if (has_mean<Case>) axes.lists.push_back({"bias", {{"column"}}});
            return axes;
          },
      .accepts = "rows of one number or more, up to 8192 in all; any numbers, weights and biases; ε from 2^-40 to 1"};
}

}  // namespace assay::contracts::normalization
