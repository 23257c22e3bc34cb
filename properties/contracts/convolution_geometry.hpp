#pragma once
// Cases of convolutions and of their gradients: their lengths and products.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/contracts/exceptional.hpp"
#include "properties/contracts/rows.hpp"
#include "properties/contracts/rungs.hpp"

namespace assay::contracts::convolution {

using oracle::Dyadic;

/// Which arrays an operation takes.
enum class Role {
  forward,  ///< y of x and k
  to_x,     ///< dx of dy and k
  to_k      ///< dk of x and dy
};

/// A convolution, or a gradient of one.
struct Kind {
  const char* name;
  Role role = Role::forward;
  std::uint64_t dimensions = 2;
  bool has_bias = false;
  bool is_whole = false;  ///< it has all results of a turned kernel

  [[nodiscard]] bool is_plane() const { return dimensions == 2; }
};
inline constexpr Kind convolution1d{"convolution1d", Role::forward, 1};
inline constexpr Kind convolution2d{"convolution2d"};
inline constexpr Kind convolution2d_bias{.name = "convolution2d_bias", .has_bias = true};
inline constexpr Kind convolution2d_backward_x{"convolution2d_backward_x", Role::to_x};
inline constexpr Kind convolution2d_backward_k{"convolution2d_backward_k", Role::to_k};
inline constexpr Kind convolve{"convolve", Role::forward, 1, false, true};
inline constexpr Kind convolve2d{.name = "convolve2d", .is_whole = true};

/// Requires: an operation of this file (not checked).
inline const Kind& kind_of(std::string_view operation) {
  static constexpr std::array kinds{
      &convolution1d, &convolution2d, &convolution2d_bias, &convolution2d_backward_x, &convolution2d_backward_k,
      &convolve,      &convolve2d};
  return **std::ranges::find_if(kinds, [&](const Kind* each) { return each->name == operation; });
}

/// A convolution: b images, g groups, ci and co channels of a group, h × w numbers, r × s taps, i × j results. Result
/// (i, j) takes number (i·stride + tap·dilation − padding) in each dimension. A turned kernel is read from its end.
struct Geometry {
  std::int64_t b = 1, g = 1, ci = 1, co = 1, h = 1, w = 1, r = 1, s = 1, i = 1, j = 1;
  std::int64_t stride_h = 1, stride_w = 1, padding_h = 0, padding_w = 0, dilation_h = 1, dilation_w = 1;
  bool is_turned = false;
  const Kind* kind = nullptr;

  bool operator==(const Geometry&) const = default;

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

/// The two arrays of a convolution or of a gradient, and the bias of each channel of the results where there is one.
template <FloatingPoint T>
struct Case : Geometry {
  std::vector<T> first, second, bias;

  static void visit_fields(auto& c, auto&& visit) {
    const Kind& kind = *c.kind;
    if (!kind.is_whole) {
      visit("b", c.b);
      visit("g", c.g);
      visit("ci", c.ci);
      visit("co", c.co);
    }
    if (kind.is_plane()) {
      visit("h", c.h);
      visit("w", c.w);
      visit("r", c.r);
      visit("s", c.s);
    }
    if (!kind.is_whole && kind.is_plane()) {
      visit("i", c.i);
      visit("j", c.j);
      visit("stride_h", c.stride_h);
      visit("stride_w", c.stride_w);
      visit("padding_h", c.padding_h);
      visit("padding_w", c.padding_w);
      visit("dilation_h", c.dilation_h);
      visit("dilation_w", c.dilation_w);
    } else if (!kind.is_whole) {
      visit("n", c.w);
      visit("r", c.s);
      visit("m", c.j);
      visit("stride", c.stride_w);
      visit("padding", c.padding_w);
      visit("dilation", c.dilation_w);
    }
    visit(kind.role == Role::to_x ? "dy" : "x", c.first);
    visit(kind.role == Role::to_k ? "dy" : "k", c.second);
    if (kind.has_bias) visit("bias", c.bias);
  }
  friend bool is_same_case(const Case& x, const Case& y) {
    return static_cast<const Geometry&>(x) == y && has_same_bits(x.first, y.first) &&
           has_same_bits(x.second, y.second) && has_same_bits(x.bias, y.bias);
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
template <FloatingPoint T>
Geometry geometry_of(const Case<T>& c) {
  Geometry of = c;
  if (of.kind->is_whole && !of.kind->is_plane()) {
    of.w = static_cast<std::int64_t>(c.first.size());
    of.s = static_cast<std::int64_t>(c.second.size());
  }
  return of.kind->is_whole ? whole(of) : of;
}

/// The lengths of the arrays of a role.
inline std::array<std::int64_t, 5> of_first(const Geometry& of) {
  return of.kind->role == Role::to_x ? of.of_y() : of.of_x();
}
inline std::array<std::int64_t, 5> of_second(const Geometry& of) {
  return of.kind->role == Role::to_k ? of.of_y() : of.of_k();
}
inline std::array<std::int64_t, 5> of_result(const Geometry& of) {
  return of.kind->role == Role::forward ? of.of_y() : of.kind->role == Role::to_x ? of.of_x() : of.of_k();
}

/// visit(result, first, second) for the places of each product of a role.
void for_each_term(const Geometry& of, const auto& visit) {
  for_each_product(of, [&](std::size_t y, std::size_t x, std::size_t k) {
    if (of.kind->role == Role::forward) visit(y, x, k);
    if (of.kind->role == Role::to_x) visit(x, y, k);
    if (of.kind->role == Role::to_k) visit(k, x, y);
  });
}

/// The channel of a result, which is the place of its bias.
inline std::size_t channel_of(const Geometry& of, std::size_t result) {
  return result / static_cast<std::size_t>(of.i * of.j) % static_cast<std::size_t>(of.g * of.co);
}

/// The terms of each result; a bias is one.
template <FloatingPoint T>
const std::vector<Terms>& terms_of(const Case<T>& c) {
  return kept<std::vector<Terms>>(c, [&] {
    const Geometry of = geometry_of(c);
    std::vector<Terms> all(length_of(of_result(of)));
    for_each_term(of, [&](std::size_t y, std::size_t a, std::size_t b) { all[y].add(c.first[a], c.second[b]); });
    if (of.kind->has_bias) {
      for (std::size_t y = 0; y < all.size(); ++y) all[y].add(c.bias[channel_of(of, y)], T(1));
    }
    return all;
  });
}

}  // namespace assay::contracts::convolution
