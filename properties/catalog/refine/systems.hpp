#pragma once
// Systems of equations: their layout, their exact solutions, and the input classes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "oracle/linear_system.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::refine {

using oracle::Dyadic;
using oracle::Rational;

inline constexpr std::int64_t most_unknowns = 60;

/// Ax = b: A row-major, n = b.size().
struct System {
  std::vector<double> a, b;
  static constexpr auto fields() { return std::tuple{field("a", &System::a), field("b", &System::b)}; }
};

inline std::int64_t order(const System& c) { return static_cast<std::int64_t>(c.b.size()); }

inline bool is_finite_system(const System& c) { return all_finite(c.a) && all_finite(c.b); }

/// The solution of a finite system; nothing for a singular one.
inline std::optional<std::vector<Rational>> solution_of(const System& c) {
  const auto values = [](const std::vector<double>& x) {
    std::vector<Dyadic> exact;
    for (const double each : x) exact.push_back(value_of(each));
    return exact;
  };
  return oracle::exact_solution(values(c.a), values(c.b));
}

namespace detail {

/// An n × n matrix of zeros and no right side.
inline System zeros(std::int64_t n) { return {std::vector<double>(static_cast<std::size_t>(n * n)), {}}; }
inline double& entry(std::vector<double>& a, std::int64_t n, std::int64_t i, std::int64_t j) {
  return a[static_cast<std::size_t>(i * n + j)];
}

/// Mostly a few unknowns.
inline std::int64_t draw_order(Draw& draw) {
  static constexpr int large[] = {15, 16, 17, 24, 32, 33, 60};
  return draw.one_in(12) ? large[draw.below(std::size(large))] : draw.between(1, 8);
}

/// n numbers with exponents from low to high.
inline std::vector<double> draw_numbers(Draw& draw, std::int64_t n, int low, int high) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(draw_number<double>(draw, Significand::any, draw.between(low, high)));
  }
  return x;
}

inline double draw_integer(Draw& draw, int most) { return draw.between(-most, most); }

/// Entries of A and b with exponents in these ranges.
inline System draw_entries(Draw& draw, std::int64_t n, int low, int high) {
  System c{draw_numbers(draw, n * n, low, high), {}};
  c.b = draw_numbers(draw, n, low, high);
  return c;
}

/// Rows that their diagonals dominate, as refine.certified.3 has it. Rows have scales of their own.
inline System draw_dominant(Draw& draw) {
  const std::int64_t n = draw_order(draw);
  System c = zeros(n);
  for (std::int64_t i = 0; i < n; ++i) {
    const int scale = draw.one_in(3) ? draw.between(-190, 190) : 0;
    const int below = scale - 3 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
    for (std::int64_t j = 0; j < n; ++j) {
      const int exponent = i == j ? scale : draw.between(below - (draw.one_in(4) ? 60 : 3), below);
      entry(c.a, n, i, j) = draw_number<double>(draw, Significand::any, exponent);
    }
    c.b.push_back(draw_number<double>(draw, Significand::any, scale + draw.between(-2, 2)));
  }
  return c;
}

/// lcm(1, …, 2n − 1)/(i + j + 1), which is an integer below 2⁵³ up to n = 20, or 1/(i + j + 1) rounded.
inline System draw_hilbert(Draw& draw, bool integers, int most) {
  const std::int64_t n = draw.between(1, most);
  std::int64_t multiple = 1;
  for (std::int64_t k = 2; integers && k < 2 * n; ++k) multiple = std::lcm(multiple, k);
  System c = zeros(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      entry(c.a, n, i, j) = static_cast<double>(multiple) / static_cast<double>(i + j + 1);
    }
  }
  c.b = draw.coin() ? draw_numbers(draw, n, -2, 2) : std::vector<double>(static_cast<std::size_t>(n), 1.0);
  return c;
}

/// v ≥ 0 with (1 + v)^n next to `power` or a little below it. No function of libm: cases are the same everywhere.
inline double variance_for(std::int64_t n, double power) {
  double low = 0;
  double high = power;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    double product = 1;
    for (std::int64_t k = 0; k < n; ++k) product *= 1 + middle;
    (product <= power ? low : high) = middle;
  }
  return low;
}

/// A with its factors: the entry in row `row[i]` and column `column[j]` is that of LU in row i and column j.
struct FactoredSystem {
  System system;
  std::vector<double> lower, upper;
  std::vector<std::int64_t> row, column;
};

/// LU with unit triangles of small integers, rows and columns in any order: A and its inverse are integers. The squares
/// of the entries beside the diagonals have the mean v, (1 + v)ⁿ = condition, so that the inverses of L and U grow to
/// about √condition.
inline FactoredSystem draw_integer_inverse(Draw& draw, std::int64_t n, double condition) {
  const double variance = variance_for(n, condition);
  const double most_entry = std::sqrt(0x1p50 / static_cast<double>(n));
  const double most = std::min(most_entry, std::ceil(std::sqrt(3 * variance)));
  const double chance = std::min(1.0, 3 * variance / (most * (most + 1)));
  const auto size = static_cast<std::size_t>(n * n);
  FactoredSystem c{zeros(n), std::vector<double>(size), std::vector<double>(size), {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const bool none = static_cast<double>(draw.below(1 << 20)) >= chance * 0x1p20;
      const double drawn = none ? 0 : draw_integer(draw, static_cast<int>(most));
      entry(c.lower, n, i, j) = i == j ? 1 : j < i ? drawn : 0;
      entry(c.upper, n, i, j) = i == j ? 1 : j > i ? drawn : 0;
    }
    c.row.push_back(i);
  }
  c.column = c.row;
  for (std::size_t k = c.row.size(); k > 1; --k) {
    std::swap(c.row[k - 1], c.row[draw.below(k)]);
    std::swap(c.column[k - 1], c.column[draw.below(k)]);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t row = c.row[static_cast<std::size_t>(i)];
    for (std::int64_t k = 0; k <= i; ++k) {
      const double factor = entry(c.lower, n, i, k);
      for (std::int64_t j = k; factor != 0 && j < n; ++j) {
        entry(c.system.a, n, row, c.column[static_cast<std::size_t>(j)]) += factor * entry(c.upper, n, k, j);
      }
    }
  }
  c.system.b = draw_numbers(draw, n, -2, 2);
  return c;
}

/// Small integers whose last row is a combination of others, or a row or column of zeros. `nearly`: one entry is a few
/// units in its last place away.
inline System draw_singular(Draw& draw, bool nearly) {
  const std::int64_t n = draw_order(draw);
  System c = zeros(n);
  for (double& each : c.a) each = draw_integer(draw, 99);
  const bool zero = n == 1 || draw.one_in(4);
  const std::int64_t line = draw.between(0, static_cast<int>(n) - 1);
  const bool column = draw.coin();
  const auto at = [&](std::int64_t of, std::int64_t k) -> double& {
    return column ? entry(c.a, n, k, of) : entry(c.a, n, of, k);
  };
  for (std::int64_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::int64_t other = 0; !zero && other < n; ++other) {
      if (other != line) sum += static_cast<double>(1 + other % 3) * at(other, k);
    }
    at(line, k) = sum;
  }
  if (nearly) {
    double& each = c.a[draw.below(c.a.size())];
    each += std::ldexp(draw.coin() ? 1.0 : -1.0, (each == 0 ? 0 : std::ilogb(each)) - draw.between(20, 52));
  }
  c.b = draw_numbers(draw, n, -2, 8);
  return c;
}

/// Small integers, and the right side of a solution of small integers with zeros among them.
inline System draw_integers(Draw& draw) {
  const std::int64_t n = draw_order(draw);
  System c = zeros(n);
  for (double& each : c.a) each = draw_integer(draw, 99);
  std::vector<double> x;
  for (std::int64_t j = 0; j < n; ++j) x.push_back(draw.one_in(4) ? 0 : draw_integer(draw, 999));
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += entry(c.a, n, i, j) * x[static_cast<std::size_t>(j)];
    c.b.push_back(sum);
  }
  return c;
}

/// Rows and columns scaled by powers of two: by steps of the same size, or by any up to 2^most.
inline System scaled(Draw& draw, System c, int most) {
  const std::int64_t n = order(c);
  const bool graded = draw.coin();
  std::vector<int> exponents;
  for (std::int64_t i = 0; i < 2 * n; ++i) {
    const int step = most / static_cast<int>(n);
    exponents.push_back(graded ? (i < n ? 0 : step) - step * static_cast<int>(i % n) : draw.between(-most, most));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const int row = exponents[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < n; ++j) {
      double& each = entry(c.a, n, i, j);
      each = std::ldexp(each, row + exponents[static_cast<std::size_t>(n + j)]);
    }
    double& right = c.b[static_cast<std::size_t>(i)];
    right = std::ldexp(right, row);
  }
  return c;
}

/// One unknown: any quotient, or one that lies below the number below a power of two, to which its approximation may be
/// rounded.
inline System draw_one_unknown(Draw& draw) {
  if (draw.coin()) return draw_entries(draw, 1, -40, 40);
  const double divisor = 2 - static_cast<double>(1 + draw.below(std::uint64_t{1} << draw.between(1, 48))) * 0x1p-52;
  const double scale = std::ldexp(draw.coin() ? 1.0 : -1.0, draw.between(-40, 40));
  return {{divisor}, {(divisor - 0x1p-52) * scale}};
}

/// A triangle of two unknowns: the exact product with the inverse differs from I by less than the smallest number, but
/// not by little for the scales of the unknowns. With a power of two above the diagonal and the right side (0, 1) the
/// first residual of the first approximation is 0.
inline System draw_tiny_triangle(Draw& draw) {
  const auto number = [&](int low, int high) {
    return draw_number<double>(draw, Significand::any, draw.between(low, high));
  };
  const double second = draw_number<double>(draw, Significand::dense, draw.between(-1010, -960));
  if (draw.one_in(3)) return {{1, number(-1040, -1000), 0, second}, {number(-30, 0), number(-1, 1)}};
  return {{1, std::ldexp(draw.coin() ? 1.0 : -1.0, draw.between(-1060, -1024)), 0, second}, {0, 1}};
}

/// A finite system with an infinity or a NaN in it.
inline System draw_not_finite(Draw& draw) {
  System c = draw_entries(draw, draw.between(1, 4), -2, 2);
  std::vector<double>& in = draw.coin() ? c.a : c.b;
  in[draw.below(in.size())] = number_of<double>(
      draw.one_in(3) ? format_of<double>().nan()
                     : format_of<double>().infinity() | (draw.coin() ? format_of<double>().sign_mask() : 0));
  return c;
}

/// The system without one of its unknowns and the row of the same number.
inline std::vector<System> smaller_systems(const System& c) {
  std::vector<System> smaller;
  const std::int64_t n = order(c);
  for (std::int64_t left_out = 0; left_out < n; ++left_out) {
    System other;
    for (std::int64_t i = 0; i < n; ++i) {
      if (i == left_out) continue;
      other.b.push_back(c.b[static_cast<std::size_t>(i)]);
      for (std::int64_t j = 0; j < n; ++j) {
        if (j != left_out) other.a.push_back(c.a[static_cast<std::size_t>(i * n + j)]);
      }
    }
    smaller.push_back(std::move(other));
  }
  return smaller;
}

}  // namespace detail
}  // namespace assay::refine
