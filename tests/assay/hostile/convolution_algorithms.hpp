#pragma once
// Algorithms of convolutions and of their gradients, good and bad: direct sums in several orders, Winograd's tiles,
// transforms.

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "arith/float/small_float.hpp"

namespace assay::hostile::convolution {

using Index = std::ptrdiff_t;

/// The lengths of a convolution, as the operation has them.
struct Shape {
  Index b, g, ci, co, h, w, r, s, i, j, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w;

  [[nodiscard]] std::size_t x(Index n, Index group, Index c, Index row, Index column) const {
    return static_cast<std::size_t>((((n * g + group) * ci + c) * h + row) * w + column);
  }
  [[nodiscard]] std::size_t k(Index group, Index o, Index c, Index t, Index v) const {
    return static_cast<std::size_t>((((group * co + o) * ci + c) * r + t) * s + v);
  }
  [[nodiscard]] std::size_t y(Index n, Index group, Index o, Index row, Index column) const {
    return static_cast<std::size_t>((((n * g + group) * co + o) * i + row) * j + column);
  }
};

/// How the products of a result are ordered or made.
enum class Way { channels_first, taps_first, backwards, in_halves, in_float, winograd_2, winograd_4, factored_4, fft };
/// What is wrong.
enum class Wrong {
  nothing,
  tap_dropped,
  padding_at_end,     ///< all of the padding is at the end
  padding_exchanged,  ///< rows have the padding of columns
  stride_off,         ///< the results begin one number later where there is a stride
  strides_exchanged,
  group_mixed,  ///< every group takes the numbers of the first
  flipped,
  taps_exchanged,  ///< the kernel is transposed
  border_missing,  ///< results that meet padding are 0
  dilation_ignored,
  last_channel,    ///< the last channel is left out
  first_image,     ///< every image is the first
  wrong_constant,  ///< 1/6 with four digits
  last_tile,       ///< the last tile is not written where it is not full
  bias_twice,
  no_bias,
  bias_of_group  ///< each group takes the biases of the first
};

template <class T>
struct Pair {
  T x, k;
};

/// The products of a result in an order.
template <class T>
std::vector<Pair<T>> products_of(const Shape& of, const T* x, const T* k, const std::array<Index, 5>& at, Way way,
                                 Wrong wrong, bool& meets_padding) {
  const auto [n, g, o, i, j] = at;
  std::vector<Pair<T>> all;
  const Index channels = wrong == Wrong::last_channel && of.ci > 1 ? of.ci - 1 : of.ci;
  const Index count = channels * of.r * of.s;
  meets_padding = false;
  for (Index step = 0; step < count; ++step) {
    const Index to = way == Way::backwards ? count - 1 - step : step;
    const Index c = way == Way::taps_first ? to % channels : to / (of.r * of.s);
    const Index tap = way == Way::taps_first ? to / channels : to % (of.r * of.s);
    const Index t = tap / of.s;
    const Index v = tap % of.s;
    if (wrong == Wrong::tap_dropped && tap == of.r * of.s - 1 && tap > 0) continue;
    const Index dilation_h = wrong == Wrong::dilation_ignored ? 1 : of.dilation_h;
    const Index dilation_w = wrong == Wrong::dilation_ignored ? 1 : of.dilation_w;
    const Index stride_h = wrong == Wrong::strides_exchanged ? of.stride_w : of.stride_h;
    const Index stride_w = wrong == Wrong::strides_exchanged ? of.stride_h : of.stride_w;
    Index padding_h = wrong == Wrong::padding_exchanged ? of.padding_w : of.padding_h;
    Index padding_w = wrong == Wrong::padding_exchanged ? of.padding_h : of.padding_w;
    if (wrong == Wrong::padding_at_end) padding_h = padding_w = 0;
    if (wrong == Wrong::stride_off && of.stride_w > 1) --padding_w;
    const Index row = i * stride_h + t * dilation_h - padding_h;
    const Index column = j * stride_w + v * dilation_w - padding_w;
    if (row < 0 || column < 0 || row >= of.h || column >= of.w) {
      meets_padding = true;
      continue;
    }
    std::size_t from = of.k(g, o, c, t, v);
    if (wrong == Wrong::flipped) from = of.k(g, o, c, of.r - 1 - t, of.s - 1 - v);
    if (wrong == Wrong::taps_exchanged && of.r == of.s) from = of.k(g, o, c, v, t);
    all.push_back(
        {x[of.x(wrong == Wrong::first_image ? 0 : n, wrong == Wrong::group_mixed ? 0 : g, c, row, column)], k[from]});
  }
  return all;
}

template <class T>
T added(const std::vector<Pair<T>>& products, std::size_t first, std::size_t last) {
  if (last == first) return 0;
  if (last - first == 1) return products[first].x * products[first].k;
  const std::size_t middle = (first + last) / 2;
  return added(products, first, middle) + added(products, middle, last);
}
template <class T, class Sum = T>
T added(const std::vector<Pair<T>>& products) {
  Sum sum = 0;
  for (const Pair<T>& each : products) sum += static_cast<Sum>(each.x) * static_cast<Sum>(each.k);
  return static_cast<T>(sum);
}

// ------------------------------------------------------------------------------------------------------- Winograd

template <class T>
using Line = std::array<T, 6>;

/// Bᵀx of F(m, 3).
template <class T>
Line<T> of_numbers(std::size_t m, const Line<T>& x, bool is_factored) {
  if (m == 2) return {x[0] - x[2], x[1] + x[2], x[2] - x[1], x[1] - x[3]};
  if (is_factored) {
    const T even = x[4] - 4 * x[2];
    const T odd = x[3] - 4 * x[1];
    const T near = x[4] - x[2];
    const T twice = 2 * (x[3] - x[1]);
    return {4 * x[0] + (x[4] - 5 * x[2]), even + odd, even - odd, near + twice, near - twice,
            4 * x[1] + (x[5] - 5 * x[3])};
  }
  return {4 * x[0] - 5 * x[2] + x[4],         -4 * x[1] - 4 * x[2] + x[3] + x[4], 4 * x[1] - 4 * x[2] - x[3] + x[4],
          -2 * x[1] - x[2] + 2 * x[3] + x[4], 2 * x[1] - x[2] - 2 * x[3] + x[4],  4 * x[1] - 5 * x[3] + x[5]};
}
/// G·k.
template <class T>
Line<T> of_taps(std::size_t m, T a, T b, T c, bool is_factored, Wrong wrong) {
  if (m == 2) return {a, (a + b + c) / 2, (a - b + c) / 2, c};
  if (is_factored) {
    return {a / 4, -((a + c) + b) / 6, -((a + c) - b) / 6, ((a + 4 * c) + 2 * b) / 24, ((a + 4 * c) - 2 * b) / 24, c};
  }
  const T sixth = wrong == Wrong::wrong_constant ? T(0.1667) : T(1) / 6;
  const T twelfth = T(1) / 12;
  const T last = T(1) / 24;
  return {a / 4,
          -sixth * a - sixth * b - sixth * c,
          -sixth * a + sixth * b - sixth * c,
          last * a + twelfth * b + sixth * c,
          last * a - twelfth * b + sixth * c,
          c};
}
/// Aᵀz.
template <class T>
Line<T> of_products(std::size_t m, const Line<T>& z, bool is_factored) {
  if (m == 2) return {z[0] + z[1] + z[2], z[1] - z[2] - z[3]};
  if (is_factored) {
    const T a = z[1] + z[2];
    const T b = z[1] - z[2];
    const T c = z[3] + z[4];
    const T d = 2 * (z[3] - z[4]);
    return {z[0] + a + c, b + d, a + 4 * c, b + 4 * d + z[5]};
  }
  return {z[0] + z[1] + z[2] + z[3] + z[4], z[1] - z[2] + 2 * z[3] - 2 * z[4], z[1] + z[2] + 4 * z[3] + 4 * z[4],
          z[1] - z[2] + 8 * z[3] - 8 * z[4] + z[5]};
}

template <class T>
using Square = std::array<Line<T>, 6>;
template <class T>
Square<T> exchanged(const Square<T>& x) {
  Square<T> y{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) y[i][j] = x[j][i];
  }
  return y;
}

/// The results of a tile of a channel of results. One dimension has one row.
template <class T>
Square<T> tile_of(const Shape& of, const T* x, const T* k, const std::array<Index, 5>& at, std::size_t m, bool is_plane,
                  bool is_factored, Wrong wrong) {
  const auto [n, g, o, i, j] = at;
  Square<T> sum{};
  const std::size_t rows = is_plane ? m + 2 : 1;
  for (Index c = 0; c < of.ci; ++c) {
    Square<T> numbers{};
    for (std::size_t a = 0; a < rows; ++a) {
      for (std::size_t d = 0; d < m + 2; ++d) {
        const Index row = i + static_cast<Index>(a) - of.padding_h;
        const Index column = j + static_cast<Index>(d) - of.padding_w;
        const bool is_inside = row >= 0 && column >= 0 && row < of.h && column < of.w;
        numbers[a][d] = is_inside ? x[of.x(n, g, c, row, column)] : T(0);
      }
    }
    Square<T> taps{};
    for (Index t = 0; t < of.r; ++t) {
      taps[static_cast<std::size_t>(t)] =
          of_taps(m, k[of.k(g, o, c, t, 0)], k[of.k(g, o, c, t, 1)], k[of.k(g, o, c, t, 2)], is_factored, wrong);
    }
    if (is_plane) {
      taps = exchanged(taps);
      for (Line<T>& each : taps) each = of_taps(m, each[0], each[1], each[2], is_factored, wrong);
      taps = exchanged(taps);
    }
    for (Line<T>& each : numbers) each = of_numbers(m, each, is_factored);
    if (is_plane) {
      numbers = exchanged(numbers);
      for (Line<T>& each : numbers) each = of_numbers(m, each, is_factored);
      numbers = exchanged(numbers);
    }
    for (std::size_t a = 0; a < rows; ++a) {
      for (std::size_t d = 0; d < m + 2; ++d) sum[a][d] += numbers[a][d] * taps[a][d];
    }
  }
  for (Line<T>& each : sum) each = of_products(m, each, is_factored);
  if (is_plane) {
    sum = exchanged(sum);
    for (Line<T>& each : sum) each = of_products(m, each, is_factored);
    sum = exchanged(sum);
  }
  return sum;
}

// ------------------------------------------------------------------------------------------------------------ FFT

template <class T>
using Numbers = std::vector<std::complex<T>>;

template <class T>
Numbers<T> transformed(const Numbers<T>& x, int sign) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  Numbers<T> even;
  Numbers<T> odd;
  for (std::size_t i = 0; i < n; i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  even = transformed(even, sign);
  odd = transformed(odd, sign);
  Numbers<T> y(n);
  for (std::size_t i = 0; i < n / 2; ++i) {
    const double angle = sign * 2 * 3.14159265358979323846 * static_cast<double>(i) / static_cast<double>(n);
    const std::complex<T> root(static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
    const std::complex<T> turned(odd[i].real() * root.real() - odd[i].imag() * root.imag(),
                                 odd[i].real() * root.imag() + odd[i].imag() * root.real());
    y[i] = even[i] + turned;
    y[i + n / 2] = even[i] - turned;
  }
  return y;
}

/// The transform of rows × columns numbers.
template <class T>
Numbers<T> transformed(const Numbers<T>& x, std::size_t rows, std::size_t columns, int sign) {
  Numbers<T> y(x.size());
  for (std::size_t i = 0; i < rows; ++i) {
    Numbers<T> line;
    for (std::size_t j = 0; j < columns; ++j) line.push_back(x[i * columns + j]);
    line = transformed(line, sign);
    for (std::size_t j = 0; j < columns; ++j) y[i * columns + j] = line[j];
  }
  for (std::size_t j = 0; j < columns; ++j) {
    Numbers<T> line;
    for (std::size_t i = 0; i < rows; ++i) line.push_back(y[i * columns + j]);
    line = transformed(line, sign);
    for (std::size_t i = 0; i < rows; ++i) y[i * columns + j] = line[i];
  }
  return y;
}

std::size_t power_from(Index n) {
  std::size_t power = 1;
  while (static_cast<Index>(power) < n) power *= 2;
  return power;
}

/// All results of an image and a channel of results by transforms.
template <class T>
void by_transforms(const Shape& of, const T* x, const T* k, T* y, Index n, Index g, Index o) {
  const Index height = (of.r - 1) * of.dilation_h;
  const Index width = (of.s - 1) * of.dilation_w;
  const std::size_t rows = power_from(of.h + 2 * of.padding_h + height);
  const std::size_t columns = power_from(of.w + 2 * of.padding_w + width);
  const auto place = [&](Index row, Index column) {
    return static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
  };
  Numbers<T> sum(rows * columns);
  for (Index c = 0; c < of.ci; ++c) {
    Numbers<T> numbers(rows * columns);
    Numbers<T> taps(rows * columns);
    for (Index a = 0; a < of.h; ++a) {
      for (Index d = 0; d < of.w; ++d) numbers[place(a + of.padding_h, d + of.padding_w)] = x[of.x(n, g, c, a, d)];
    }
    for (Index t = 0; t < of.r; ++t) {
      for (Index v = 0; v < of.s; ++v)
        taps[place(height - t * of.dilation_h, width - v * of.dilation_w)] = k[of.k(g, o, c, t, v)];
    }
    numbers = transformed(numbers, rows, columns, -1);
    taps = transformed(taps, rows, columns, -1);
    for (std::size_t at = 0; at < sum.size(); ++at) {
      const std::complex<T> a = numbers[at];
      const std::complex<T> d = taps[at];
      sum[at] += std::complex<T>(a.real() * d.real() - a.imag() * d.imag(), a.real() * d.imag() + a.imag() * d.real());
    }
  }
  sum = transformed(sum, rows, columns, 1);
  for (Index i = 0; i < of.i; ++i) {
    for (Index j = 0; j < of.j; ++j) {
      const Index row = i * of.stride_h + height;
      const Index column = j * of.stride_w + width;
      const bool is_inside = row < static_cast<Index>(rows) && column < static_cast<Index>(columns);
      y[of.y(n, g, o, i, j)] = is_inside ? sum[place(row, column)].real() / static_cast<T>(rows * columns) : T(0);
    }
  }
}

// -------------------------------------------------------------------------------------------------------- forward

bool is_tiled(const Shape& of, bool is_plane) {
  return of.s == 3 && of.r == (is_plane ? 3 : 1) && of.stride_h == 1 && of.stride_w == 1 && of.dilation_h == 1 &&
         of.dilation_w == 1;
}

template <class T>
void conv(const Shape& of, bool is_plane, const T* x, const T* k, const T* bias, T* y, Way way,
          Wrong wrong = Wrong::nothing) {
  const bool has_tiles = way == Way::winograd_2 || way == Way::winograd_4 || way == Way::factored_4;
  const bool is_by_tiles = has_tiles && is_tiled(of, is_plane);
  const Index m = way == Way::winograd_2 ? 2 : 4;
  for (Index n = 0; n < of.b; ++n) {
    for (Index g = 0; g < of.g; ++g) {
      for (Index o = 0; o < of.co; ++o) {
        if (way == Way::fft) by_transforms(of, x, k, y, n, g, o);
        for (Index i = 0; i < of.i && is_by_tiles; i += is_plane ? m : 1) {
          for (Index j = 0; j < of.j; j += m) {
            if (wrong == Wrong::last_tile && j + m > of.j && j > 0) continue;
            const Square<T> tile = tile_of(of, x, k, {n, g, o, i, j}, static_cast<std::size_t>(m), is_plane,
                                           way == Way::factored_4, wrong);
            for (Index a = 0; a < (is_plane ? m : 1) && i + a < of.i; ++a) {
              for (Index d = 0; d < m && j + d < of.j; ++d) {
                y[of.y(n, g, o, i + a, j + d)] = tile[static_cast<std::size_t>(a)][static_cast<std::size_t>(d)];
              }
            }
          }
        }
        for (Index at = 0; at < of.i * of.j; ++at) {
          const std::array<Index, 5> place{n, g, o, at / of.j, at % of.j};
          T& result = y[of.y(n, g, o, at / of.j, at % of.j)];
          if (way != Way::fft && !is_by_tiles) {
            bool meets_padding = false;
            const std::vector<Pair<T>> products = products_of(of, x, k, place, way, wrong, meets_padding);
            result = way == Way::in_halves  ? added(products, 0, products.size())
                     : way == Way::in_float ? added<T, float>(products)
                                            : added<T>(products);
            if (wrong == Wrong::border_missing && meets_padding) result = 0;
          }
          if (bias == nullptr || wrong == Wrong::no_bias) continue;
          const T add = bias[(wrong == Wrong::bias_of_group ? 0 : g * of.co) + o];
          result += add;
          if (wrong == Wrong::bias_twice) result += add;
        }
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------------ gradients

/// Whether tap (t, v) of result (i, j) meets a number, and which.
bool meets(const Shape& of, Index i, Index j, Index t, Index v, Index& row, Index& column) {
  row = i * of.stride_h + t * of.dilation_h - of.padding_h;
  column = j * of.stride_w + v * of.dilation_w - of.padding_w;
  return row >= 0 && column >= 0 && row < of.h && column < of.w;
}

/// visit(n, g, c, o, i, j, t, v, row, column) for each product, in one of three orders.
template <class Visit>
void each_product(const Shape& of, int order, const Visit& visit) {
  const Index taps = of.r * of.s;
  const Index results = of.i * of.j;
  for (Index outer = 0; outer < of.b * of.g * of.co * of.ci; ++outer) {
    const Index all = order == 2 ? of.b * of.g * of.co * of.ci - 1 - outer : outer;
    const Index c = all % of.ci;
    const Index o = all / of.ci % of.co;
    const Index g = all / of.ci / of.co % of.g;
    const Index n = all / of.ci / of.co / of.g;
    for (Index inner = 0; inner < taps * results; ++inner) {
      const Index tap = order == 0 ? inner / results : inner % taps;
      const Index at = order == 0 ? inner % results : inner / taps;
      Index row = 0;
      Index column = 0;
      if (meets(of, at / of.j, at % of.j, tap / of.s, tap % of.s, row, column)) {
        visit(n, g, c, o, at / of.j, at % of.j, tap / of.s, tap % of.s, row, column);
      }
    }
  }
}

template <class T>
void to_x(Shape of, const T* dy, const T* k, T* dx, int order, Wrong wrong = Wrong::nothing) {
  for (Index at = 0; at < of.b * of.g * of.ci * of.h * of.w; ++at) dx[at] = 0;
  if (wrong == Wrong::dilation_ignored) of.dilation_h = of.dilation_w = 1;
  if (wrong == Wrong::padding_at_end) of.padding_h = of.padding_w = 0;
  if (wrong == Wrong::strides_exchanged) std::swap(of.stride_h, of.stride_w);
  each_product(of, order,
               [&](Index n, Index g, Index c, Index o, Index i, Index j, Index t, Index v, Index row, Index column) {
                 if (wrong == Wrong::last_channel && o == of.co - 1 && o > 0) return;
                 if (wrong == Wrong::tap_dropped && t == of.r - 1 && v == of.s - 1 && of.r * of.s > 1) return;
                 const Index from = wrong == Wrong::group_mixed ? 0 : g;
                 const std::size_t tap =
                     wrong == Wrong::flipped ? of.k(from, o, c, of.r - 1 - t, of.s - 1 - v) : of.k(from, o, c, t, v);
                 dx[of.x(n, g, c, row, column)] += dy[of.y(n, g, o, i, j)] * k[tap];
               });
}
/// The gradient to x as a convolution of dy with the turned kernel, by tiles.
template <class T>
void to_x_by_tiles(const Shape& of, const T* dy, const T* k, T* dx, Way way) {
  if (!is_tiled(of, true) || of.padding_h > 2 || of.padding_w > 2) {
    to_x(of, dy, k, dx, 0);
    return;
  }
  const Shape turned{of.b, of.g, of.co, of.ci, of.i, of.j, 3, 3, of.h, of.w, 1, 1, 2 - of.padding_h, 2 - of.padding_w,
                     1,    1};
  std::vector<T> taps(static_cast<std::size_t>(of.g * of.co * of.ci * 9));
  for (Index g = 0; g < of.g; ++g) {
    for (Index o = 0; o < of.co; ++o) {
      for (Index c = 0; c < of.ci; ++c) {
        for (Index tap = 0; tap < 9; ++tap) {
          taps[turned.k(g, c, o, tap / 3, tap % 3)] = k[of.k(g, o, c, 2 - tap / 3, 2 - tap % 3)];
        }
      }
    }
  }
  conv<T>(turned, true, dy, taps.data(), nullptr, dx, way);
}

template <class T>
void to_k(Shape of, const T* x, const T* dy, T* dk, int order, Wrong wrong = Wrong::nothing) {
  for (Index at = 0; at < of.g * of.co * of.ci * of.r * of.s; ++at) dk[at] = 0;
  if (wrong == Wrong::dilation_ignored) of.dilation_h = of.dilation_w = 1;
  if (wrong == Wrong::padding_at_end) of.padding_h = of.padding_w = 0;
  if (wrong == Wrong::strides_exchanged) std::swap(of.stride_h, of.stride_w);
  each_product(of, order,
               [&](Index n, Index g, Index c, Index o, Index i, Index j, Index t, Index v, Index row, Index column) {
                 if (wrong == Wrong::first_image && n > 0) return;
                 if (wrong == Wrong::border_missing && i == of.i - 1 && i > 0) return;
                 const Index from = wrong == Wrong::group_mixed ? 0 : g;
                 const std::size_t tap =
                     wrong == Wrong::flipped ? of.k(g, o, c, of.r - 1 - t, of.s - 1 - v) : of.k(g, o, c, t, v);
                 dk[tap] += x[of.x(n, from, c, row, column)] * dy[of.y(n, g, o, i, j)];
               });
}

// -------------------------------------------------------------------------------------------------- whole results

/// What is wrong with all results of a convolution.
enum class Whole { nothing, correlated, shifted, last_missing, wrapped };

template <class T>
void convolve(const Shape& of, bool is_plane, const T* x, const T* k, T* y, Way way, Whole whole = Whole::nothing) {
  std::vector<T> turned(k, k + of.r * of.s);
  if (whole != Whole::correlated) turned = std::vector<T>(turned.rbegin(), turned.rend());
  Shape shape = of;
  if (whole == Whole::shifted) --shape.padding_w;
  conv<T>(shape, is_plane, x, turned.data(), nullptr, y, way);
  const Index results = of.i * of.j;
  if (whole == Whole::last_missing) y[results - 1] = 0;
  if (whole == Whole::wrapped && of.i == 1 && of.s > 1) y[0] += y[of.w];
}

Shape of_line(std::size_t m, std::size_t n) {
  const auto w = static_cast<Index>(m);
  const auto s = static_cast<Index>(n);
  return {1, 1, 1, 1, 1, w, 1, s, 1, w + s - 1, 1, 1, 0, s - 1, 1, 1};
}
Shape of_plane(std::size_t rows, std::size_t columns, std::size_t taps, std::size_t taps_across) {
  const auto h = static_cast<Index>(rows);
  const auto w = static_cast<Index>(columns);
  const auto r = static_cast<Index>(taps);
  const auto s = static_cast<Index>(taps_across);
  return {1, 1, 1, 1, h, w, r, s, h + r - 1, w + s - 1, 1, 1, r - 1, s - 1, 1, 1};
}

std::vector<float> widened(Index n, const std::uint16_t* x) {
  std::vector<float> all;
  for (Index i = 0; i < n; ++i) all.push_back(static_cast<float>(assay::binary16::of_bits(x[i])));
  return all;
}

}  // namespace assay::hostile::convolution
