#pragma once
// Ways to compute a discrete Fourier transform of complex numbers, good and bad, for the library of transforms.
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::hostile::transform_ways {

/// How a transform is split up. `powers`: by stages with r = 2, other lengths than 2ᵗ by by_powers().
enum class Way { recursive, radix_4, split_radix, iterative, direct, bluestein, powers };
/// How its roots of unity are made. `longer`: 16u too long, where the contracts of computed roots admit 18u.
enum class Roots { nearest, computed, longer, narrow, recurrence };
/// What it does otherwise than a right one.
enum class Fault { none, inverse, bit_reversal, left_out, conjugate, stale, real_first, scaled, without_nan };

template <class T>
using Complex = std::complex<T>;
template <class T>
using Numbers = std::vector<Complex<T>>;

template <class T>
Complex<T> times(Complex<T> a, Complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(−2πik/n) computed in A and rounded to T. Requires: k < n.
template <class T, class A>
Complex<T> root_in(std::size_t k, std::size_t n) {
  const A angle =
      A(2) * static_cast<A>(3.141592653589793238462643383279502884L) * static_cast<A>(k) / static_cast<A>(n);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle))};
}

template <class T>
Complex<T> root(Roots roots, std::size_t k, std::size_t n) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  if (roots == Roots::computed) return root_in<T, T>(k, n);
  if (roots == Roots::longer) return root_in<T, Wide>(k, n) * (1 + 8 * std::numeric_limits<T>::epsilon());
  if (roots == Roots::narrow) return root_in<float, float>(k, n);
  return root_in<T, Wide>(k, n);
}

/// a·exp(−2πik/n); quarter turns are exact.
template <class T>
Complex<T> turned(Complex<T> a, Roots roots, std::size_t k, std::size_t n) {
  k %= n;
  if (4 * k % n != 0) return times(a, root<T>(roots, k, n));
  for (std::size_t quarters = 4 * k / n; quarters > 0; --quarters) a = {a.imag(), -a.real()};
  return a;
}

std::size_t smallest_factor(std::size_t n) {
  for (std::size_t r = 2; r * r <= n; ++r) {
    if (n % r == 0) return r;
  }
  return n;
}

template <class T>
Numbers<T> direct(const Numbers<T>& x, Roots roots) {
  const std::size_t n = x.size();
  Numbers<T> y(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) y[k] += turned(x[j], roots, j * k, n);
  }
  return y;
}

/// As direct(), with the powers of a root by repeated multiplication.
template <class T>
Numbers<T> by_powers(const Numbers<T>& x, Roots roots) {
  const std::size_t n = x.size();
  Numbers<T> y(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Complex<T> step = root<T>(roots, k, n);
    Complex<T> power = 1;
    for (const Complex<T>& each : x) {
      y[k] += times(each, power);
      power = times(power, step);
    }
  }
  return y;
}

/// Every r-th of the numbers, from `first` on.
template <class T>
Numbers<T> every(const Numbers<T>& x, std::size_t first, std::size_t r) {
  Numbers<T> part;
  for (std::size_t j = first; j < x.size(); j += r) part.push_back(x[j]);
  return part;
}

template <class T>
Numbers<T> split_radix(const Numbers<T>& x, Roots roots) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  if (n == 2) return {x[0] + x[1], x[0] - x[1]};
  const Numbers<T> even = split_radix(every(x, 0, 2), roots);
  const Numbers<T> first = split_radix(every(x, 1, 4), roots);
  const Numbers<T> third = split_radix(every(x, 3, 4), roots);
  Numbers<T> y(n);
  for (std::size_t k = 0; k < n / 4; ++k) {
    const Complex<T> a = turned(first[k], roots, k, n);
    const Complex<T> b = turned(third[k], roots, 3 * k, n);
    const Complex<T> sum = a + b;
    const Complex<T> difference = turned(a - b, roots, 1, 4);
    y[k] = even[k] + sum;
    y[k + n / 2] = even[k] - sum;
    y[k + n / 4] = even[k + n / 4] + difference;
    y[k + 3 * n / 4] = even[k + n / 4] - difference;
  }
  return y;
}

/// The transforms of r numbers that end a stage. `parts`: r transforms of n/r numbers each.
template <class T>
Numbers<T> combined(const std::vector<Numbers<T>>& parts, Roots roots, Fault fault, bool is_last) {
  const std::size_t r = parts.size();
  const std::size_t m = parts.front().size();
  const std::size_t n = r * m;
  Numbers<T> y(n);
  Complex<T> by_recurrence = 1;
  const Complex<T> step = root<T>(Roots::nearest, 1, n);
  for (std::size_t k = 0; k < m; ++k) {
    Numbers<T> a{parts[0][k]};
    for (std::size_t q = 1; q < r; ++q) {
      a.push_back(roots == Roots::recurrence && r == 2 ? times(parts[q][k], by_recurrence)
                                                       : turned(parts[q][k], roots, q * k, n));
    }
    by_recurrence = times(by_recurrence, step);
    if (fault == Fault::left_out && is_last && k == m - 1) {
      for (std::size_t s = 0; s < r; ++s) y[s * m + k] = a[s];
    } else if (r == 2) {
      y[k] = a[0] + a[1];
      y[m + k] = a[0] - a[1];
    } else if (r == 4) {
      const Complex<T> even = a[0] + a[2];
      const Complex<T> odd = a[1] + a[3];
      const Complex<T> other_even = a[0] - a[2];
      const Complex<T> other_odd = turned(a[1] - a[3], roots, 1, 4);
      y[k] = even + odd;
      y[m + k] = other_even + other_odd;
      y[2 * m + k] = even - odd;
      y[3 * m + k] = other_even - other_odd;
    } else {
      const Numbers<T> of_r = direct(a, roots);
      for (std::size_t s = 0; s < r; ++s) y[s * m + k] = of_r[s];
    }
  }
  return y;
}

template <class T>
Numbers<T> recursive(const Numbers<T>& x, Way way, Roots roots, Fault fault, bool is_last = true) {
  const std::size_t n = x.size();
  if (n <= 1) return x;
  const std::size_t r = way == Way::radix_4 && n % 4 == 0 ? 4 : smallest_factor(n);
  std::vector<Numbers<T>> parts;
  for (std::size_t q = 0; q < r; ++q) parts.push_back(recursive(every(x, q, r), way, roots, fault, false));
  return combined(parts, roots, fault, is_last);
}

/// In place, after the numbers were swapped to the places with the bits of their indices reversed.
template <class T>
Numbers<T> iterative(Numbers<T> y, Roots roots, Fault fault) {
  const std::size_t n = y.size();
  const int bits = std::countr_zero(n);
  const std::size_t end = fault == Fault::bit_reversal && n >= 4 ? n / 2 - 1 : n;
  for (std::size_t i = 0; i < end; ++i) {
    std::size_t reversed = 0;
    for (int b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
    if (i < reversed) std::swap(y[i], y[reversed]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    for (std::size_t first = 0; first < n; first += length) {
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Complex<T> a = y[first + k];
        const Complex<T> b = turned(y[first + k + length / 2], roots, k, length);
        y[first + k] = a + b;
        y[first + k + length / 2] = a - b;
      }
    }
  }
  return y;
}

/// As a convolution with exp(πij²/n), by transforms of 2ᵗ numbers.
template <class T>
Numbers<T> bluestein(const Numbers<T>& x, Roots roots) {
  const std::size_t n = x.size();
  const std::size_t length = std::bit_ceil(2 * n - 1);
  Numbers<T> a(length);
  Numbers<T> b(length);
  const auto chirp = [&](std::size_t j) { return root<T>(roots, j * j % (2 * n), 2 * n); };
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = times(x[j], chirp(j));
    b[j] = std::conj(chirp(j));
    if (j > 0) b[length - j] = b[j];
  }
  a = recursive(a, Way::recursive, roots, Fault::none);
  b = recursive(b, Way::recursive, roots, Fault::none);
  for (std::size_t i = 0; i < length; ++i) a[i] = std::conj(times(a[i], b[i]));
  a = recursive(a, Way::recursive, roots, Fault::none);
  Numbers<T> y(n);
  for (std::size_t k = 0; k < n; ++k) y[k] = times(std::conj(a[k]) / static_cast<T>(length), chirp(k));
  return y;
}

template <class T>
Numbers<T> transform(const Numbers<T>& x, Way way, Roots roots, Fault fault) {
  const bool is_power = std::has_single_bit(x.size());
  if (way == Way::direct) return direct(x, roots);
  if (way == Way::bluestein) return bluestein(x, roots);
  if (way == Way::powers && !is_power) return by_powers(x, roots);
  if (way == Way::split_radix && is_power) return split_radix(x, roots);
  if (way == Way::iterative && is_power) return iterative(x, roots, fault);
  return recursive(x, way, roots, fault);
}

}  // namespace assay::hostile::transform_ways
