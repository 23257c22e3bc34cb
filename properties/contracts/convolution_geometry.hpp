#pragma once
// Cases of convolutions and of their gradients: their lengths and products.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/rows.hpp"
#include "properties/contracts/rungs.hpp"

namespace assay::contracts::convolution {

using oracle::Dyadic;

/// A convolution: b images, g groups, ci and co channels of a group, h × w numbers, r × s taps, i × j results. Result
/// (i, j) takes number (i·stride + tap·dilation − padding) in each dimension. A turned kernel is read from its end.
struct Geometry {
  std::int64_t b = 1, g = 1, ci = 1, co = 1, h = 1, w = 1, r = 1, s = 1, i = 1, j = 1;
  std::int64_t stride_h = 1, stride_w = 1, padding_h = 0, padding_w = 0, dilation_h = 1, dilation_w = 1;
  bool is_turned = false;

  [[nodiscard]] std::array<std::int64_t, 5> of_x() const { return {b, g, ci, h, w}; }
  [[nodiscard]] std::array<std::int64_t, 5> of_k() const { return {g, co, ci, r, s}; }
  [[nodiscard]] std::array<std::int64_t, 5> of_y() const { return {b, g, co, i, j}; }

  /// The row of the number that result `at` and tap t meet; −1 in the padding. The same for columns.
  [[nodiscard]] std::int64_t row(std::int64_t at, std::int64_t t) const {
    return inside(at * stride_h + t * dilation_h - padding_h, h);
  }
  [[nodiscard]] std::int64_t column(std::int64_t at, std::int64_t t) const {
    return inside(at * stride_w + t * dilation_w - padding_w, w);
  }
  [[nodiscard]] std::int64_t products() const { return b * g * ci * co * r * s * i * j; }

 private:
  static std::int64_t inside(std::int64_t at, std::int64_t length) {
    return at < length ? std::max<std::int64_t>(at, -1) : -1;
  }
};

inline std::size_t length_of(const std::array<std::int64_t, 5>& lengths) {
  std::int64_t all = 1;
  for (const std::int64_t each : lengths) all *= each;
  return static_cast<std::size_t>(all);
}
inline std::size_t place(const std::array<std::int64_t, 5>& lengths, const std::array<std::int64_t, 5>& at) {
  std::int64_t all = 0;
  for (std::size_t d = 0; d < 5; ++d) all = all * lengths[d] + at[d];
  return static_cast<std::size_t>(all);
}

/// visit(y, x, k) for the places of each product x·k of y.
void for_each_product(const Geometry& of, const auto& visit) {
  for (std::int64_t at = 0; at < of.b * of.g * of.co * of.i * of.j; ++at) {
    const std::int64_t b = at / of.j / of.i / of.co / of.g;
    const std::int64_t g = at / of.j / of.i / of.co % of.g;
    const std::int64_t o = at / of.j / of.i % of.co;
    for (std::int64_t tap = 0; tap < of.ci * of.r * of.s; ++tap) {
      const std::int64_t c = tap / of.s / of.r;
      const std::int64_t t = tap / of.s % of.r;
      const std::int64_t v = tap % of.s;
      const std::int64_t row = of.row(at / of.j % of.i, t);
      const std::int64_t column = of.column(at % of.j, v);
      if (row < 0 || column < 0) continue;
      const auto turned = [&](std::int64_t tap_of, std::int64_t taps) {
        return of.is_turned ? taps - 1 - tap_of : tap_of;
      };
      visit(static_cast<std::size_t>(at), place(of.of_x(), {b, g, c, row, column}),
            place(of.of_k(), {g, o, c, turned(t, of.r), turned(v, of.s)}));
    }
  }
}

/// Which arrays an operation takes.
enum class Role {
  forward,  ///< y of x and k
  to_x,     ///< dx of dy and k
  to_k      ///< dk of x and dy
};

/// The two arrays of a convolution or of a gradient, and the bias of each channel of the results where there is one.
/// `Of` has its name, role, dimensions, whether it has a bias, and whether it `is_whole`: all results of a turned
/// kernel.
template <FloatingPoint T, class Of>
struct Case : Geometry {
  std::vector<T> first, second, bias;

  static constexpr auto fields() {
    const auto arrays = std::tuple{field(Of::role == Role::to_x ? "dy" : "x", &Case::first),
                                   field(Of::role == Role::to_k ? "dy" : "k", &Case::second)};
    if constexpr (Of::is_whole && Of::dimensions == 1) {
      return arrays;
    } else if constexpr (Of::is_whole) {
      return std::tuple_cat(
          std::tuple{field("h", &Case::h), field("w", &Case::w), field("r", &Case::r), field("s", &Case::s)}, arrays);
    } else {
      const auto channels =
          std::tuple{field("b", &Case::b), field("g", &Case::g), field("ci", &Case::ci), field("co", &Case::co)};
      if constexpr (Of::dimensions == 1) {
        return std::tuple_cat(channels,
                              std::tuple{field("n", &Case::w), field("r", &Case::s), field("m", &Case::j),
                                         field("stride", &Case::stride_w), field("padding", &Case::padding_w),
                                         field("dilation", &Case::dilation_w)},
                              arrays);
      } else {
        const auto all =
            std::tuple_cat(channels,
                           std::tuple{field("h", &Case::h), field("w", &Case::w), field("r", &Case::r),
                                      field("s", &Case::s), field("i", &Case::i), field("j", &Case::j),
                                      field("stride_h", &Case::stride_h), field("stride_w", &Case::stride_w),
                                      field("padding_h", &Case::padding_h), field("padding_w", &Case::padding_w),
                                      field("dilation_h", &Case::dilation_h), field("dilation_w", &Case::dilation_w)},
                           arrays);
        if constexpr (Of::has_bias) {
          return std::tuple_cat(all, std::tuple{field("bias", &Case::bias)});
        } else {
          return all;
        }
      }
    }
  }
};

/// The geometry of all results of a turned kernel, of these numbers and taps.
inline Geometry whole(Geometry of) {
  of.i = of.h + of.r - 1;
  of.j = of.w + of.s - 1;
  of.padding_h = of.r - 1;
  of.padding_w = of.s - 1;
  of.is_turned = true;
  return of;
}

/// The geometry of the case. That of all results follows from the lengths of the arrays.
template <FloatingPoint T, class Of>
Geometry geometry_of(const Case<T, Of>& c) {
  Geometry of = c;
  if (Of::is_whole && Of::dimensions == 1) {
    of.w = static_cast<std::int64_t>(c.first.size());
    of.s = static_cast<std::int64_t>(c.second.size());
  }
  return Of::is_whole ? whole(of) : of;
}

/// The lengths of the arrays of a role.
template <class Of>
std::array<std::int64_t, 5> of_first(const Geometry& of) {
  return Of::role == Role::to_x ? of.of_y() : of.of_x();
}
template <class Of>
std::array<std::int64_t, 5> of_second(const Geometry& of) {
  return Of::role == Role::to_k ? of.of_y() : of.of_k();
}
template <class Of>
std::array<std::int64_t, 5> of_result(const Geometry& of) {
  return Of::role == Role::forward ? of.of_y() : Of::role == Role::to_x ? of.of_x() : of.of_k();
}

/// visit(result, first, second) for the places of each product of a role.
template <class Of>
void for_each_term(const Geometry& of, const auto& visit) {
  for_each_product(of, [&](std::size_t y, std::size_t x, std::size_t k) {
    if (Of::role == Role::forward) visit(y, x, k);
    if (Of::role == Role::to_x) visit(x, y, k);
    if (Of::role == Role::to_k) visit(k, x, y);
  });
}

/// The channel of a result, which is the place of its bias.
inline std::size_t channel_of(const Geometry& of, std::size_t result) {
  return result / static_cast<std::size_t>(of.i * of.j) % static_cast<std::size_t>(of.g * of.co);
}

/// The terms of each result; a bias is one.
template <FloatingPoint T, class Of>
const std::vector<Terms>& terms_of(const Case<T, Of>& c) {
  return kept<std::vector<Terms>>(
      c,
      [&] {
        const Geometry of = geometry_of(c);
        std::vector<Terms> all(length_of(of_result<Of>(of)));
        for_each_term<Of>(of,
                          [&](std::size_t y, std::size_t a, std::size_t b) { all[y].add(c.first[a], c.second[b]); });
        if (Of::has_bias) {
          for (std::size_t y = 0; y < all.size(); ++y) all[y].add(c.bias[channel_of(of, y)], T(1));
        }
        return all;
      },
      Of());
}

}  // namespace assay::contracts::convolution
