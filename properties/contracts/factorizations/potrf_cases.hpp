#pragma once
// Cases of Cholesky factorizations.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/factorizations/definite.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/generators.hpp"

namespace assay::contracts::factorizations {

/// Writes what stands above the diagonal: half of the time the mirror image of the lower triangle, else NaN or numbers
/// of another matrix.
template <FloatingPoint T>
PotrfCase<T> with_upper(Draw& draw, PotrfCase<T> c) {
  const bool mirrors = draw.coin();
  const bool has_numbers = draw.coin();
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return;
    T& above = c.a[place(c, j, i)];
    if (mirrors) {
      above = c.a[place(c, i, j)];
    } else {
      above = has_numbers ? draw_number<T>(draw, Significand::any, draw.between(-2, 2)) : number_of<T>(format<T>.nan());
    }
  });
  return c;
}

/// RN(LLᵀ) of a lower triangle L, entry by entry. Requires: no entry overflows (not checked).
template <FloatingPoint T>
PotrfCase<T> gram_matrix(const PotrfCase<T>& l) {
  PotrfCase<T> c = l;
  for_each_below(l.n, [&](std::int64_t i, std::int64_t j) {
    Dyadic sum;
    for (std::int64_t k = 0; k <= j; ++k) sum.add_mul(value_of(l.a[place(l, i, k)]), value_of(l.a[place(l, j, k)]));
    c.a[place(c, i, j)] = nearest_to<T>(sum);
  });
  return c;
}

/// Exponents of the entries of L beside the diagonal and on it.
struct LowerRange {
  int low, high;
  int diagonal_low, diagonal_high;
};

/// A lower triangle L of order n, the diagonal positive; `positive`: all of it. Row i is multiplied by 2^(i·step).
template <FloatingPoint T>
PotrfCase<T> draw_lower(Draw& draw, std::int64_t n, const LowerRange& range, int step = 0, bool positive = false) {
  PotrfCase<T> l{n, std::vector<T>(static_cast<std::size_t>(n * n))};
  for_each_below(n, [&](std::int64_t i, std::int64_t j) {
    const int scale = static_cast<int>(i) * step;
    l.a[place(l, i, j)] = i == j ? draw_number<T>(draw, Significand::any,
                                                  scale + draw.between(range.diagonal_low, range.diagonal_high), false)
                                 : draw_number<T>(draw, Significand::any, scale + draw.between(range.low, range.high),
                                                  !positive && draw.coin());
  });
  return l;
}

/// L with small integers, some of them 0, and powers of two on the diagonal: no step of a factorization of LLᵀ rounds.
template <FloatingPoint T>
PotrfCase<T> draw_exact_lower(Draw& draw, std::int64_t n) {
  PotrfCase<T> l{n, std::vector<T>(static_cast<std::size_t>(n * n))};
  for_each_below(n, [&](std::int64_t i, std::int64_t j) {
    l.a[place(l, i, j)] =
        i == j ? compose<T>(false, std::uint64_t{1} << draw.below(3), 0) : compose<T>(draw.coin(), draw.below(4), 0);
  });
  return l;
}

/// RN(s/(i + j + 1)) of rows and columns in any order: sections of Hilbert's matrix times s, an integer.
template <FloatingPoint T>
PotrfCase<T> draw_hilbert(Draw& draw, std::int64_t n) {
  const auto scale = static_cast<std::int64_t>(1 + (draw.coin() ? 0 : draw.below(360360)));
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < n; ++i) {
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(draw.below(order.size() + 1)), i);
  }
  PotrfCase<T> c{n, std::vector<T>(static_cast<std::size_t>(n * n))};
  for_each_below(n, [&](std::int64_t i, std::int64_t j) {
    const std::int64_t below = order[static_cast<std::size_t>(i)] + order[static_cast<std::size_t>(j)] + 1;
    c.a[place(c, i, j)] = nearest_to<T>(oracle::Exact(oracle::quotient(Dyadic(scale), Dyadic(below))));
  });
  return c;
}

/// A number of the diagonal of a definite matrix is made smaller: by some of its last places, to a part of it, to 0 or
/// below it; or two rows get one entry that is too large.
template <FloatingPoint T>
PotrfCase<T> made_indefinite(Draw& draw, PotrfCase<T> c) {
  if (c.n == 0) return c;
  const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.n)));
  T& own = c.a[place(c, i, i)];
  switch (draw.below(5)) {
    case 0:
      own = negated(own);
      break;
    case 1:
      own = T{};
      break;
    case 2:
      own = stepped(own, -draw.between(1, 40));
      break;
    case 3: {
      Dyadic part = value_of(own);
      own = nearest_to<T>(part.mul_2exp(-draw.between(1, FloatTraits<T>::precision)));
      break;
    }
    default: {
      const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(i + 1)));
      Dyadic sum = value_of(own) + value_of(c.a[place(c, j, j)]);
      c.a[place(c, i, j)] = nearest_to<T>(i == j ? -sum : sum);
    }
  }
  return c;
}

/// An exact matrix with one or two numbers of the lower triangle replaced by NaN or an infinity.
template <FloatingPoint T>
PotrfCase<T> draw_exceptional(Draw& draw) {
  const auto n = 1 + static_cast<std::int64_t>(draw.below(draw.one_in(8) ? 40 : 6));
  PotrfCase<T> c = gram_matrix(draw_exact_lower<T>(draw, n));
  for (std::uint64_t count = 1 + draw.below(2); count != 0; --count) {
    const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(n)));
    const auto j = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(i + 1)));
    c.a[place(c, i, j)] = draw.coin() ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(draw.coin());
  }
  return c;
}

/// Whether no number of the lower triangle that is finite is near to overflow.
template <FloatingPoint T>
bool stays_small(const PotrfCase<T>& c) {
  const Dyadic largest = Dyadic::scaled(1, FloatTraits<T>::emax - 4);
  bool is_small = true;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const T& entry = c.a[place(c, i, j)];
    is_small = is_small && (!oracle::is_finite(format<T>, bits_of(entry)) || abs(value_of(entry)) <= largest);
  });
  return is_small;
}

template <FloatingPoint T>
Domain<PotrfCase<T>> potrf_domain() {
  using F = FloatTraits<T>;
  using Case = PotrfCase<T>;
  // make(draw) with another upper triangle.
  const auto of = [](auto make) { return drawn<Case>([make](Draw& draw) { return with_upper(draw, make(draw)); }); };
  const auto gram = [of](const LowerRange& range, bool positive = false) {
    return of([=](Draw& draw) { return gram_matrix(draw_lower<T>(draw, draw_order(draw), range, 0, positive)); });
  };
  return {
      .classes = {{"well conditioned", 3, gram({-4, -2, 0, 1})},
                  {"products of one size", 3, gram({-1, 1, -1, 1})},
                  {"ill conditioned", 2, gram({-2, 2, -F::precision / 3, 0})},
                  {"one sign", 1, gram({-3, 1, -2, 1}, true)},
                  {"graded", 2, of([](Draw& draw) {
                     const int step = (draw.coin() ? 1 : -1) * draw.between(1, 4);
                     return gram_matrix(
                         draw_lower<T>(draw, 1 + static_cast<std::int64_t>(draw.below(8)), {-3, 0, -1, 1}, step));
                   })},
                  {"Hilbert's matrix", 2,
                   of([](Draw& draw) { return draw_hilbert<T>(draw, 1 + static_cast<std::int64_t>(draw.below(12))); })},
                  {"near overflow", 1, gram({F::emax / 2 - 12, F::emax / 2 - 9, F::emax / 2 - 8, F::emax / 2 - 7})},
                  {"products in the range of underflow", 2,
                   gram({(F::emin - F::precision) / 2 - 4, F::emin / 2 + 2, F::emin / 2 - 4, F::emin / 2 + 4})},
                  {"exact, around tiles", 3, of([](Draw& draw) {
                     const std::int64_t n =
                         draw.one_in(3) ? draw_order(draw) : 1 + static_cast<std::int64_t>(draw.below(12));
                     return gram_matrix(draw_exact_lower<T>(draw, n));
                   })},
                  {"nearly or clearly indefinite", 3, of([](Draw& draw) {
                     const std::int64_t n = draw_order(draw);
                     return made_indefinite(draw, gram_matrix(draw.coin() ? draw_exact_lower<T>(draw, n)
                                                                          : draw_lower<T>(draw, n, {-3, 1, -2, 1})));
                   })},
                  {"NaN and infinities", 2, of([](Draw& draw) { return draw_exceptional<T>(draw); })}},
      .contains = [](const Case& c) { return has_shape(c) && stays_small(c); },
      .features = {{"order", 0, 64, 16, [](const Case& c) { return static_cast<double>(c.n); }}},
      .shrink_shape =
          [](const Case& c) {
            std::vector<Case> smaller;
            for (std::int64_t k = 0; k < c.n; ++k) smaller.push_back(without(c, k));
            return smaller;
          },
      .accepts =
          "matrices of order up to 1024; the lower triangle, in magnitude, at most 2^(emax − 4), or NaN, or "
          "infinite; anything above the diagonal"};
}

}  // namespace assay::contracts::factorizations
