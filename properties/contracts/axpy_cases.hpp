#pragma once
// Cases of y ← αx + y.

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/tile_cases.hpp"

namespace assay::contracts::vectors {

using oracle::Dyadic;
using sum::detail::draw_length;

/// α, x and y of y ← αx + y.
template <FloatingPoint T>
struct AxpyCase {
  T alpha{};
  std::vector<T> x, y;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &AxpyCase::alpha), field("x", &AxpyCase::x), field("y", &AxpyCase::y)};
  }
};

}  // namespace assay::contracts::vectors

namespace assay::contracts {

/// α and the pairs of x and y of a drawn case, followed by repetitions of any of these pairs.
template <FloatingPoint T>
struct ShapeOf<vectors::AxpyCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static std::string large(std::string_view /*operation*/) { return large_lengths; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return 2 * longest_of(shape, "n", 0);
  }
  static vectors::AxpyCase<T> drawn(Draw& draw, const auto& next, const auto&) {
    vectors::AxpyCase<T> c = next();
    const auto n = static_cast<std::size_t>(*asked_length("n"));
    for (int tries = 0; c.x.empty() && tries < 100; ++tries) c = next();
    const std::size_t pairs = c.x.size();
    c.x.resize(n);
    c.y.resize(n);
    for (std::size_t i = pairs; i < n && pairs != 0; ++i) {
      const std::size_t from = draw.below(pairs);
      c.x[i] = c.x[from];
      c.y[i] = c.y[from];
    }
    return c;
  }
};

}  // namespace assay::contracts

namespace assay::contracts::vectors {

template <FloatingPoint T>
bool is_finite_case(const AxpyCase<T>& c) {
  return all_finite(c.x) && all_finite(c.y) && oracle::is_finite(format<T>, bits_of(c.alpha));
}
template <FloatingPoint T>
AxpyCase<T> finite_part_of(const AxpyCase<T>& c) {
  return {finite_part(std::vector{c.alpha}).front(), finite_part(c.x), finite_part(c.y)};
}

/// Exponents of α, of the products αxᵢ and of yᵢ.
struct AxpyRange {
  int alpha_low, alpha_high;
  int product_low, product_high;
  int y_low, y_high;
};

template <FloatingPoint T>
AxpyCase<T> draw_axpy(Draw& draw, Significand kind, const AxpyRange& range) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  AxpyCase<T> c;
  const int exponent = draw.between(range.alpha_low, range.alpha_high);
  c.alpha = draw_number<T>(draw, kind, exponent);
  for (std::size_t n = draw_length(draw); n != 0; --n) {
    const int product = draw.between(range.product_low, range.product_high);
    c.x.push_back(draw_number<T>(draw, kind, std::clamp(product - exponent, least, FloatTraits<T>::emax - 4)));
    c.y.push_back(draw_number<T>(draw, kind, draw.between(range.y_low, range.y_high)));
  }
  return c;
}

/// The products meet y with about their magnitude and the other sign: all but some last places cancel.
template <FloatingPoint T>
AxpyCase<T> draw_cancelling_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {-2, 2, -4, 4, 0, 0});
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    c.y[i] = stepped(negated(nearest_to<T>(value_of(c.alpha) * value_of(c.x[i]))), draw.between(-2, 2));
  }
  return c;
}

/// α is a power of two, and a product is half the last place of its y, or just beside it.
template <FloatingPoint T>
AxpyCase<T> draw_tied_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {-2, 2, 0, 0, -2, 2});
  const int exponent = parts_of(c.alpha).leading();
  c.alpha = compose<T>(draw.coin(), 1, exponent);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const T half_place = compose<T>(draw.coin(), 1, parts_of(c.y[i]).exponent - 1 - exponent);
    c.x[i] = stepped(half_place, draw.between(-1, 1));
  }
  return c;
}

/// Each product is a tie of the format, and y so far below that binary32 loses it.
template <FloatingPoint T>
AxpyCase<T> draw_product_at_tie(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {0, 0, 0, 0, -20, -16});
  const auto one_and = [&](int place, int exponent) {
    return compose<T>(draw.coin(), (std::uint64_t{1} << place) + 1, exponent - place);
  };
  c.alpha = one_and(p / 2, draw.between(0, 4));
  for (T& each : c.x) each = one_and(p - p / 2, draw.between(4, 8));
  return c;
}

/// α is 0, 1 or −1, and zeros of both signs stand in x and y.
template <FloatingPoint T>
AxpyCase<T> draw_plain_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {0, 0, -4, 4, -4, 4});
  const bool is_zero = draw.one_in(3);
  c.alpha = compose<T>(draw.coin(), is_zero ? 0 : 1, 0);
  for (std::vector<T>* const each : {&c.x, &c.y}) {
    for (T& number : *each) number = draw.one_in(3) ? compose<T>(draw.coin(), 0, 0) : number;
  }
  return c;
}

/// Small integers times a power of two, of lengths around tiles: every r is a number.
template <FloatingPoint T>
AxpyCase<T> draw_tiled_axpy(Draw& draw) {
  const std::size_t n = draw_tile_length(draw, sum::longest_sum);
  const std::uint64_t most = (std::uint64_t{1} << (FloatTraits<T>::precision / 2 - 2)) - 1;
  const int scale = draw.one_in(4) ? FloatTraits<T>::emin + draw.between(0, 2) : draw.between(-6, 2);
  AxpyCase<T> c{compose<T>(draw.coin(), 1 + draw.below(3), 0), {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    c.x.push_back(compose<T>(draw.coin(), 1 + draw.below(most), scale));
    c.y.push_back(compose<T>(draw.coin(), 1 + draw.below(most), scale));
  }
  return c;
}

/// Some of α, x and y are NaN or infinities; α is 0 in a third of the cases.
template <FloatingPoint T>
AxpyCase<T> draw_exceptional_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {-2, 2, -2, 2, -2, 2});
  if (c.x.empty()) return draw_exceptional_axpy<T>(draw);
  const std::uint64_t where = draw.below(4);
  if (where != 1) put_exceptional(draw, c.x);
  if (where == 1 || where == 2) put_exceptional(draw, c.y);
  if (draw.one_in(3)) {
    c.alpha = compose<T>(draw.coin(), 0, 0);
  } else if (where == 3) {
    c.alpha = draw.coin() ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(draw.coin());
    if (draw.coin()) c.x[draw.below(c.x.size())] = T{};
  }
  return c;
}

/// What αx + y becomes, and what it becomes where x is not read.
template <FloatingPoint T>
Due due_of_axpy(const AxpyCase<T>& c) {
  Due due;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    due.push_back(sum::special_sum<T>(2, [&](std::size_t term) {
      return term == 0 ? sum::special_term(format<T>, bits_of(c.alpha), bits_of(c.x[i]))
                       : sum::special_term(format<T>, bits_of(c.y[i]));
    }));
  }
  return due;
}
template <FloatingPoint T>
Due due_of_y(const AxpyCase<T>& c) {
  Due due;
  for (const T& each : c.y) due.push_back(sum::special_term(format<T>, bits_of(each)));
  return due;
}

/// Whether no |αxᵢ| + |yᵢ| overflows in A. Requires: finite numbers (not checked).
template <FloatingPoint A, FloatingPoint T>
bool fits(const AxpyCase<T>& c) {
  const Dyadic alpha = value_of(c.alpha);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (!stays_finite<A>(abs(alpha * value_of(c.x[i])) + abs(value_of(c.y[i])))) return false;
  }
  return true;
}

template <FloatingPoint T>
Domain<AxpyCase<T>> axpy_domain() {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  constexpr int least = F::emin - p + 1;
  constexpr int most = F::emax - 4;
  const auto range = [](Significand kind, AxpyRange range) {
    return drawn<AxpyCase<T>>([=](Draw& draw) { return draw_axpy<T>(draw, kind, range); });
  };
  const auto from = [](auto make) { return drawn<AxpyCase<T>>(make); };
  std::vector<InputClass<AxpyCase<T>>> classes{
      {"dense", 3, range(Significand::dense, {-4, 4, -4, 4, -4, 4})},
      {"any significand, exponents within ±p", 3, range(Significand::any, {-4, 4, -p, p, -p, p})},
      {"near powers of two", 1, range(Significand::low_bits, {-1, 1, -2, 2, -2, 2})},
      {"the sum cancels", 3, from(draw_cancelling_axpy<T>)},
      {"tie, tie ± tiny", 2, from(draw_tied_axpy<T>)},
      {"α of 0, 1 or −1, and zeros", 1, from(draw_plain_axpy<T>)},
      {"full range", 2, range(Significand::any, {F::emin / 2, F::emax / 2, F::emin / 2, F::emax / 2, least, most})},
      {"products in the range of underflow", 2,
       range(Significand::any, {F::emin / 2, 4, least - 3, F::emin + p, least, F::emin + p})},
      {"near overflow", 1, range(Significand::any, {0, F::emax / 2, most - 3, most, most - 3, most})},
      {"around tiles, on a grid", 3, from(draw_tiled_axpy<T>)}};
  if (is_narrow<T>) classes.push_back({"16 bits: a tie, and y lost in binary32", 2, from(draw_product_at_tie<T>)});
  if (F::emax < 100) {
    classes.push_back({"16 bits: around the largest number", 2,
                       range(Significand::any, {4, 7, F::emax - 3, F::emax + 1, most, F::emax})});
  }
  Domain<AxpyCase<T>> domain{
      .classes = std::move(classes),
      .contains =
          [](const AxpyCase<T>& c) {
            return c.x.size() == c.y.size() && std::ssize(c.x) <= most_of(sum::longest_sum) && fits<Wide<T>>(c);
          },
      .features = {{"log2 of n + 1, rounded up", 0, 14, 14,
                    [](const AxpyCase<T>& c) { return static_cast<double>(std::bit_width(c.x.size())); }}},
      .accepts = "finite α and up to 8192 finite xᵢ and yᵢ, |αxᵢ| + |yᵢ| at most 2^" +
                 std::to_string(FloatTraits<Wide<T>>::emax - 2)};
  return with_exceptional<AxpyCase<T>>(std::move(domain), {{"NaN or infinities", 3, from(draw_exceptional_axpy<T>)}},
                                       [](const AxpyCase<T>& c) { return finite_part_of(c); });
}

}  // namespace assay::contracts::vectors
