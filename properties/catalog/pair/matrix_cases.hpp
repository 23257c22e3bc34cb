#pragma once
// Inputs of matrix products: shapes at the edges of tiles, and factors with structures for which products have large
// errors.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/dw.hpp"
#include "oracle/dyadic.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::pair {

/// The factors of a matrix product: a is m × k, b is k × n, both column-major without gaps.
template <FloatingPoint T>
struct MatrixProductCase {
  std::uint32_t m = 0, n = 0, k = 0;
  std::vector<T> a, b;
  static constexpr auto fields() {
    return std::tuple{field("m", &MatrixProductCase::m), field("n", &MatrixProductCase::n),
                      field("k", &MatrixProductCase::k), field("a", &MatrixProductCase::a),
                      field("b", &MatrixProductCase::b)};
  }
};

/// The largest dimension of the domains.
inline constexpr std::uint32_t longest_side = 128;

namespace detail {

/// For every entry of the product of the numbers, column-major, Σ ab; with `magnitudes`, Σ|ab|.
template <FloatingPoint T>
std::vector<oracle::Dyadic> exact_entries(const MatrixProductCase<T>& c, bool magnitudes) {
  const auto values = [magnitudes](const std::vector<T>& x) {
    std::vector<oracle::Dyadic> all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      oracle::decode_finite(format_of<T>(), bits_of(magnitudes ? abs(x[i]) : x[i]), all[i]);
    }
    return all;
  };
  const std::vector<oracle::Dyadic> a = values(c.a);
  const std::vector<oracle::Dyadic> b = values(c.b);
  const std::size_t m = c.m;
  const std::size_t k = c.k;
  std::vector<oracle::Dyadic> entries(m * c.n);
  for (std::size_t j = 0; j < c.n; ++j) {
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t i = 0; i < m; ++i) {
        entries[i + j * m].add_mul(a[i + l * m], b[l + j * k]);
      }
    }
  }
  return entries;
}

}  // namespace detail

/// The exact entries of C = AB, column-major. Requires: finite numbers, sizes that fit the shape (not checked).
/// Cost: mnk multiplications and additions.
template <FloatingPoint T>
std::vector<oracle::Dyadic> exact_product(const MatrixProductCase<T>& c) {
  return detail::exact_entries(c, false);
}
/// The exact entries of |A||B|: Σ|ab|. The same.
template <FloatingPoint T>
std::vector<oracle::Dyadic> exact_magnitudes(const MatrixProductCase<T>& c) {
  return detail::exact_entries(c, true);
}

/// No operation of a product in a format of precision p and smallest exponent emin rounds: the entries are numbers of
/// it, and the products are multiples of one g = 2^e ≥ η with T ≤ 2ᵖ·g.
template <FloatingPoint T>
bool multiplies_exactly(const MatrixProductCase<T>& c, const oracle::Format& format) {
  long lowest[2] = {0, 0};
  long widest = 0;
  for (int i = 0; i < 2; ++i) {
    bool first = true;
    for (const T& each : i == 0 ? c.a : c.b) {
      const oracle::Dyadic value = value_of(each);
      if (!value.is_zero()) {
        lowest[i] = first ? value.lowest_exponent() : std::min(lowest[i], value.lowest_exponent());
        widest = std::max(widest, value.bit_length());
        first = false;
      }
    }
  }
  const long least = format.emin - format.precision + 1;
  if (widest > format.precision || std::min({lowest[0], lowest[1], lowest[0] + lowest[1]}) < least) {
    return false;
  }
  const std::vector<oracle::Dyadic> magnitudes = exact_magnitudes(c);
  return std::all_of(magnitudes.begin(), magnitudes.end(), [&](const oracle::Dyadic& each) {
    return each <= oracle::Dyadic::scaled(1, lowest[0] + lowest[1] + format.precision);
  });
}

namespace detail {

/// Dimensions: at the edges of steps and tiles. Dimensions of two tiles are also far from the first tile's edge, so
/// that a misplaced second tile omits entries.
inline std::uint32_t draw_edge(Draw& draw) {
  static constexpr std::array<std::uint32_t, 14> edges{0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 128};
  return edges[draw.below(edges.size())];
}

/// The shape of a case without its entries: mostly small, often with one long side, rarely with three.
template <FloatingPoint T>
MatrixProductCase<T> draw_product_shape(Draw& draw) {
  std::uint32_t side[3];
  for (std::uint32_t& each : side) {
    each = static_cast<std::uint32_t>(1 + draw.below(5));
  }
  const std::uint64_t kind = draw.below(100);
  const std::uint64_t at = draw.below(3);
  if (kind >= 55) side[at] = draw_edge(draw);
  if (kind >= 85) side[(at + 1) % 3] = draw_edge(draw);
  if (kind == 99) side[(at + 2) % 3] = draw_edge(draw);
  if (kind < 15) side[2] = static_cast<std::uint32_t>(1 + draw.below(100));
  MatrixProductCase<T> c;
  c.m = side[0];
  c.n = side[1];
  c.k = side[2];
  return c;
}

/// A case of that shape with the entries a(i, l) and b(l, j).
template <FloatingPoint T, class EntryA, class EntryB>
MatrixProductCase<T> filled(MatrixProductCase<T> shape, EntryA a, EntryB b) {
  for (std::uint32_t l = 0; l < shape.k; ++l) {
    for (std::uint32_t i = 0; i < shape.m; ++i) {
      shape.a.push_back(a(i, l));
    }
  }
  for (std::uint32_t j = 0; j < shape.n; ++j) {
    for (std::uint32_t l = 0; l < shape.k; ++l) {
      shape.b.push_back(b(l, j));
    }
  }
  return shape;
}

/// Entries with exponents in low … high, cut to the box.
template <FloatingPoint T>
MatrixProductCase<T> draw_factor_entries(Draw& draw, Significand kind, int low, int high, bool same_sign, Box box) {
  low = std::clamp(low, box.low, box.high);
  high = std::clamp(high, box.low, box.high);
  const auto entry = [&](std::uint32_t, std::uint32_t) {
    const int exponent = draw.between(low, high);
    return draw_number<T>(draw, kind, exponent, !same_sign && draw.coin());
  };
  return filled(draw_product_shape<T>(draw), entry, entry);
}

/// Rows of A, columns of B and the inner indices scaled by powers of two, the inner ones in opposite directions.
template <FloatingPoint T>
MatrixProductCase<T> draw_scaled_factors(Draw& draw, Box box) {
  const int spread = std::min(box.high, -box.low) / 4;
  const MatrixProductCase<T> shape = draw_product_shape<T>(draw);
  const auto scales = [&](std::uint32_t count) {
    std::vector<int> all(count);
    for (int& each : all) {
      each = draw.between(-spread, spread);
    }
    return all;
  };
  const std::vector<int> rows = scales(shape.m);
  const std::vector<int> columns = scales(shape.n);
  const std::vector<int> inner = scales(shape.k);
  return filled(
      shape,
      [&](std::uint32_t i, std::uint32_t l) { return draw_number<T>(draw, Significand::any, rows[i] + inner[l]); },
      [&](std::uint32_t l, std::uint32_t j) { return draw_number<T>(draw, Significand::any, columns[j] - inner[l]); });
}

/// Some rows of A and columns of B are zero.
template <FloatingPoint T>
MatrixProductCase<T> draw_zeros(Draw& draw) {
  const std::uint64_t rows = draw.word();
  const std::uint64_t columns = draw.word();
  const auto entry = [&](std::uint64_t zeros, std::uint32_t i) {
    const T number = draw_number<T>(draw, Significand::any, draw.between(-4, 4));
    return (zeros >> (i % 64) & 1) != 0 ? T{} : number;
  };
  return filled(
      draw_product_shape<T>(draw), [&](std::uint32_t i, std::uint32_t) { return entry(rows, i); },
      [&](std::uint32_t, std::uint32_t j) { return entry(columns, j); });
}

/// The second half of the inner indices repeats the first with the other sign, except for a few places: all entries of
/// C cancel.
template <FloatingPoint T>
MatrixProductCase<T> draw_cancelling_factors(Draw& draw) {
  MatrixProductCase<T> c = draw_factor_entries<T>(draw, Significand::any, -8, 8, false, full_box<T>());
  const std::uint32_t half = c.k / 2;
  for (std::uint32_t l = half; l < 2 * half; ++l) {
    for (std::uint32_t i = 0; i < c.m; ++i) {
      c.a[i + l * c.m] = c.a[i + (l - half) * c.m];
    }
    for (std::uint32_t j = 0; j < c.n; ++j) {
      const T other = negated(c.b[l - half + j * c.k]);
      c.b[l + j * c.k] = draw.coin() ? other : stepped(other, draw.between(-2, 2));
    }
  }
  return c;
}

/// Integers of few bits: no operation rounds.
template <FloatingPoint T>
MatrixProductCase<T> draw_integer_factors(Draw& draw) {
  const int bits = draw.between(1, 8);
  const auto entry = [&](std::uint32_t, std::uint32_t) {
    return compose<T>({.exponent = 0, .significand = draw.word() >> (64 - bits), .negative = draw.coin()});
  };
  return filled(draw_product_shape<T>(draw), entry, entry);
}

/// Products 1, then v, v, … with v = 2^−distance scaled, perhaps moved by some places: the errors of recursive
/// additions all have one sign if v is the roundoff of the arithmetic.
template <FloatingPoint T>
MatrixProductCase<T> draw_worst_order_factors(Draw& draw) {
  static constexpr std::array<int, 5> distances{24, 25, 48, 49, 53};
  const int distance = distances[draw.below(distances.size())];
  const int off = draw.coin() ? 0 : draw.between(-3, 3);
  return filled(
      draw_product_shape<T>(draw),
      [&](std::uint32_t, std::uint32_t l) {
        return l == 0 ? compose<T>(false, 1, 0) : stepped(compose<T>(false, 1, -distance), off);
      },
      [&](std::uint32_t, std::uint32_t) { return compose<T>(false, 1, 0); });
}

}  // namespace detail

/// Factors whose non-zero entries have exponents in the box: of every shape up to longest_side.
template <FloatingPoint T>
Domain<MatrixProductCase<T>> product_domain(Box box) {
  using Case = MatrixProductCase<T>;
  const auto entries = [box](Significand kind, int low, int high, bool same_sign) {
    return drawn<Case>(
        [=](Draw& draw) { return detail::draw_factor_entries<T>(draw, kind, low, high, same_sign, box); });
  };
  const auto from = [](auto make) { return drawn<Case>(make); };
  constexpr int p = FloatTraits<T>::precision;
  return {
      .classes = {{"one sign, [1/2, 1)", 3, entries(Significand::dense, -1, -1, true)},
                  {"mixed signs, dense", 3, entries(Significand::dense, -4, 4, false)},
                  {"all ones, one sign", 1, entries(Significand::all_ones, -1, 1, true)},
                  {"near powers of two", 2, entries(Significand::low_bits, -1, 1, true)},
                  {"any significand, exponents within ±p", 2, entries(Significand::any, -p, p, false)},
                  {"scaled rows, columns and inner indices", 2,
                   from([box](Draw& draw) { return detail::draw_scaled_factors<T>(draw, box); })},
                  {"zero rows and columns", 1, from(detail::draw_zeros<T>)},
                  {"cancellation", 3, from(detail::draw_cancelling_factors<T>)},
                  {"integers", 1, from(detail::draw_integer_factors<T>)},
                  {"1, v, v, … in worst order", 2, from(detail::draw_worst_order_factors<T>), true},
                  {"full range", 1, entries(Significand::any, box.low, box.high, false)},
                  {"lowest exponents", 1, entries(Significand::any, box.low, box.low + p, false)},
                  {"highest exponents", 1, entries(Significand::any, box.high - 3, box.high, false)}},
      .contains =
          [box](const Case& c) {
            const auto inside = [box](const std::vector<T>& x) {
              return std::all_of(x.begin(), x.end(), [box](const T& each) { return in_box(each, box); });
            };
            return std::max({c.m, c.n, c.k}) <= longest_side && c.a.size() == std::size_t{c.m} * c.k &&
                   c.b.size() == std::size_t{c.k} * c.n && inside(c.a) && inside(c.b);
          },
      .features = {{"k", 0, 104, 26, [](const Case& c) { return static_cast<double>(c.k); }}},
      .axes =
          [](const Case&) {
            return Axes{{{"a", {{"m"}, {"k"}}}, {"b", {{"k"}, {"n"}}}}, {{"m", "m"}, {"n", "n"}, {"k", "k"}}, {"k"}};
          },
      .accepts = "m × k and k × n matrices, m, n, k ≤ " + std::to_string(longest_side) +
                 ", with every non-zero entry in [2^" + std::to_string(box.low) + ", 2^" +
                 std::to_string(box.high + 1) + ")"};
}

}  // namespace assay::pair
