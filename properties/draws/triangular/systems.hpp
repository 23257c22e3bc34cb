#pragma once
// Triangular systems: their layout, their exact solutions, draws, and the judge of residuals.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/ball.hpp"
#include "oracle/exact.hpp"
#include "oracle/round.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::triangular {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Rational;

inline constexpr std::int64_t most_unknowns = 128;

/// A triangular matrix, column-major, and the right side in x. The flags are 1 for an upper triangle, for Aᵀ and for a
/// unit diagonal.
template <FloatingPoint T>
struct TrsvCase {
  std::int64_t upper = 0;
  std::int64_t trans = 0;
  std::int64_t unit = 0;
  std::int64_t n = 0;
  std::int64_t lda = 1;
  std::vector<T> a, x;
  static constexpr auto fields() {
    return std::tuple{field("upper", &TrsvCase::upper), field("trans", &TrsvCase::trans),
                      field("unit", &TrsvCase::unit),   field("n", &TrsvCase::n),
                      field("lda", &TrsvCase::lda),     field("a", &TrsvCase::a),
                      field("x", &TrsvCase::x)};
  }
};

/// The place of entry (i, j) of op(A) in the array.
template <FloatingPoint T>
std::size_t place(const TrsvCase<T>& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(c.trans != 0 ? j + i * c.lda : i + j * c.lda);
}

/// Whether op(A) has its entries above the diagonal: then the last unknown comes first.
template <FloatingPoint T>
bool comes_from_below(const TrsvCase<T>& c) {
  return (c.upper != 0) != (c.trans != 0);
}

/// The columns of row i of op(A) other than the diagonal: first … last − 1.
struct Beside {
  std::int64_t first;
  std::int64_t last;
};
template <FloatingPoint T>
Beside beside(const TrsvCase<T>& c, std::int64_t i) {
  return comes_from_below(c) ? Beside{i + 1, c.n} : Beside{0, i};
}

/// Unknown number `step` in the order of substitution.
template <FloatingPoint T>
std::int64_t unknown(const TrsvCase<T>& c, std::int64_t step) {
  return comes_from_below(c) ? c.n - 1 - step : step;
}

template <FloatingPoint T>
Dyadic diagonal(const TrsvCase<T>& c, std::int64_t i) {
  return c.unit != 0 ? Dyadic(1) : value_of(c.a[place(c, i, i)]);
}

template <FloatingPoint T>
std::vector<Exact> exact_trsv(const TrsvCase<T>& c) {
  std::vector<Rational> x(c.x.size());
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = unknown(c, step);
    Rational sum = value_of(c.x[static_cast<std::size_t>(i)]);
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      sum -= Rational(value_of(c.a[place(c, i, j)])) * x[static_cast<std::size_t>(j)];
    }
    x[static_cast<std::size_t>(i)] = sum / Rational(diagonal(c, i));
  }
  return {x.begin(), x.end()};
}

template <FloatingPoint T>
bool is_system(const TrsvCase<T>& c) {
  const auto is_flag = [](std::int64_t flag) { return flag == 0 || flag == 1; };
  if (!is_flag(c.upper) || !is_flag(c.trans) || !is_flag(c.unit) || c.n < 0 || c.n > most_unknowns ||
      c.lda < std::max<std::int64_t>(1, c.n) || c.lda > 2 * most_unknowns ||
      c.a.size() != static_cast<std::size_t>(c.lda * c.n) || c.x.size() != static_cast<std::size_t>(c.n) ||
      !all_finite(c.x)) {
    return false;
  }
  const auto is_finite = [&](std::int64_t i, std::int64_t j) {
    return oracle::is_finite(format_of<T>(), bits_of(c.a[place(c, i, j)]));
  };
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      if (!is_finite(i, j)) return false;
    }
    if (c.unit == 0 && (!is_finite(i, i) || diagonal(c, i).is_zero())) return false;
  }
  return true;
}

/// Whether no step of a substitution comes near to overflow: zᵢ = (|bᵢ| + Σ|lᵢⱼ|zⱼ)/|lᵢᵢ| bounds |x̂ᵢ| up to roundings.
template <FloatingPoint T>
bool stays_small(const TrsvCase<T>& c) {
  constexpr long bits = 64;
  const Dyadic largest = Dyadic::scaled(1, FloatTraits<T>::emax - 4);
  std::vector<Ball> z(c.x.size());
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = unknown(c, step);
    Ball sum(abs(value_of(c.x[static_cast<std::size_t>(i)])));
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      sum = add(sum, mul(Ball(abs(value_of(c.a[place(c, i, j)]))), z[static_cast<std::size_t>(j)], bits), bits);
    }
    Ball& own = z[static_cast<std::size_t>(i)];
    own = div(sum, Ball(abs(diagonal(c, i))), bits);
    if (sum.upper() > largest || own.upper() > largest) return false;
  }
  return true;
}

/// Exponents of the entries outside the diagonal, of the diagonal, and of the right side or the solution.
struct TrsvRange {
  int low, high;
  int diagonal_low, diagonal_high;
  int right_low, right_high;
};

/// A system with NaN in the places that are not read; the right side is still empty.
template <FloatingPoint T>
TrsvCase<T> draw_triangle(Draw& draw, std::int64_t n, const TrsvRange& range) {
  const auto flag = [&] { return static_cast<std::int64_t>(draw.coin()); };
  TrsvCase<T> c;
  c.upper = flag();
  c.trans = flag();
  c.unit = draw.one_in(4) ? 1 : 0;
  c.n = n;
  c.lda = std::max<std::int64_t>(1, n) + (draw.one_in(3) ? 2 : 0);
  c.a = std::vector<T>(static_cast<std::size_t>(c.lda * n), number_of<T>(format_of<T>().nan()));
  for (std::int64_t i = 0; i < n; ++i) {
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      c.a[place(c, i, j)] = draw_number<T>(draw, Significand::any, draw.between(range.low, range.high));
    }
    if (c.unit != 0) continue;
    c.a[place(c, i, i)] = draw_number<T>(draw, Significand::any, draw.between(range.diagonal_low, range.diagonal_high));
  }
  return c;
}

inline std::int64_t draw_unknowns(Draw& draw) {
  static constexpr std::array<std::int64_t, 5> edges{0, 16, 17, 32, 33};
  return draw.one_in(10) ? edges[draw.below(edges.size())] : 1 + static_cast<std::int64_t>(draw.below(8));
}

template <FloatingPoint T>
TrsvCase<T> draw_system(Draw& draw, const TrsvRange& range) {
  TrsvCase<T> c = draw_triangle<T>(draw, draw_unknowns(draw), range);
  for (std::int64_t i = 0; i < c.n; ++i) {
    c.x.push_back(draw_number<T>(draw, Significand::any, draw.between(range.right_low, range.right_high)));
  }
  return c;
}

/// The right side is op(A) times random numbers, rounded: the subtractions cancel.
template <FloatingPoint T>
TrsvCase<T> draw_cancelling_system(Draw& draw, const TrsvRange& range) {
  TrsvCase<T> c = draw_system<T>(draw, range);
  const std::vector<T> solution = c.x;
  for (std::int64_t i = 0; i < c.n; ++i) {
    Dyadic right = diagonal(c, i) * value_of(solution[static_cast<std::size_t>(i)]);
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      right.add_mul(value_of(c.a[place(c, i, j)]), value_of(solution[static_cast<std::size_t>(j)]));
    }
    c.x[static_cast<std::size_t>(i)] = number_of<T>(oracle::round(right, format_of<T>(), oracle::Rounding::nearest));
  }
  return c;
}

/// The system without one of its unknowns.
template <FloatingPoint T>
std::vector<TrsvCase<T>> smaller_systems(const TrsvCase<T>& c) {
  std::vector<TrsvCase<T>> smaller;
  for (std::int64_t left_out = 0; left_out < c.n; ++left_out) {
    TrsvCase<T> other = c;
    other.n = c.n - 1;
    other.lda = std::max<std::int64_t>(1, other.n);
    other.a.clear();
    other.x.erase(other.x.begin() + left_out);
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.n && j != left_out; ++i) {
        if (i != left_out) other.a.push_back(c.a[static_cast<std::size_t>(i + j * c.lda)]);
      }
    }
    smaller.push_back(std::move(other));
  }
  return smaller;
}

/// The system; if some step of a substitution comes near to overflow, without its last unknowns.
template <FloatingPoint T>
TrsvCase<T> kept_small(TrsvCase<T> c) {
  while (!stays_small(c)) c = smaller_systems(c).back();
  return c;
}

template <FloatingPoint T>
Judgement residual_within(const auto& bound, const TrsvCase<T>& c, const std::vector<T>& result) {
  std::vector<Dyadic> x(result.size());
  Judgement worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!component_value(result, i, x[i])) return Judgement::fail(i);
  }
  for (std::int64_t i = 0; i < c.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Beside columns = beside(c, i);
    Dyadic residual = value_of(c.x[at]);
    Dyadic products;
    Dyadic entries;
    const auto take = [&](const Dyadic& entry, std::int64_t j) {
      const Dyadic product = entry * x[static_cast<std::size_t>(j)];
      residual -= product;
      products += abs(product);
      entries += abs(entry);
    };
    for (std::int64_t j = columns.first; j < columns.last; ++j) take(value_of(c.a[place(c, i, j)]), j);
    take(diagonal(c, i), i);
    const auto count = static_cast<std::uint64_t>(columns.last - columns.first);
    worst.worsen(judge_within(residual, Dyadic(), bound(count, products, entries, format_of<T>()), at));
  }
  worst.judged = result.size();
  return worst;
}

}  // namespace assay::triangular
