// Discrete Fourier transforms as users have them, good and bad, for the tests of kernels from outside.
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

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

template <class T>
void fft(std::size_t n, const T* from, T* to, Way way, Roots roots, Fault fault = Fault::none) {
  if (n == 0) return;
  Numbers<T> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = {from[2 * j], from[2 * j + 1]};
  if (fault == Fault::inverse) {
    for (Complex<T>& each : x) each = std::conj(each);
  }
  for (Complex<T>& each : x) {
    if (fault == Fault::without_nan && std::isnan(std::abs(each))) each = 0;
  }
  Numbers<T> y = transform(x, way, roots, fault);
  for (Complex<T>& each : y) {
    if (fault == Fault::inverse || fault == Fault::conjugate) each = std::conj(each);
    if (fault == Fault::scaled) each /= static_cast<T>(n);
  }
  if (fault == Fault::real_first) y[0] = y[0].real();
  const std::size_t written = fault == Fault::stale ? n - 1 : n;
  for (std::size_t k = 0; k < written; ++k) {
    to[2 * k] = y[k].real();
    to[2 * k + 1] = y[k].imag();
  }
}

template <class T>
Numbers<T> read(const T* from, std::size_t n) {
  Numbers<T> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = {from[2 * j], from[2 * j + 1]};
  return x;
}

template <class T>
void write(const Numbers<T>& y, T* to) {
  for (std::size_t k = 0; k < y.size(); ++k) {
    to[2 * k] = y[k].real();
    to[2 * k + 1] = y[k].imag();
  }
}

template <class T>
Numbers<T> conjugates(Numbers<T> x) {
  for (Complex<T>& each : x) each = std::conj(each);
  return x;
}

/// What is wrong with a transform that is more than a transform of one signal.
enum class Wrong {
  nothing,
  no_factor,       ///< 1/n is left out
  forward,         ///< the conjugate is forgotten
  factor_first,    ///< not wrong: 1/n, rounded, is a factor of the numbers before the transform
  factor_squared,  ///< 1/n twice
  other_half,      ///< the numbers n, n − 1, … in place of 0, 1, …
  last_left,       ///< the last number is not written
  ends_together,   ///< the last number stands in the imaginary part of the first
  ends_used,       ///< imaginary parts of the ends are used
  half_alone,      ///< the half that is not given is taken as 0
  row_before,      ///< each row but the first is the one before
  first_row,       ///< no row but the first is transformed
  other_axis,      ///< columns in place of rows
  exchanged,       ///< the result is transposed
  one_signal       ///< rows and columns as one signal
};

template <class T>
void ifft(std::size_t n, const T* from, T* to, Way way, Roots roots, Wrong wrong = Wrong::nothing) {
  if (n == 0) return;
  Numbers<T> x = read(from, n);
  const auto scale = [&](Numbers<T>& all) {
    for (Complex<T>& each : all) {
      each = wrong == Wrong::factor_first ? each * (T(1) / static_cast<T>(n)) : each / static_cast<T>(n);
    }
  };
  if (wrong == Wrong::factor_first) scale(x);
  Numbers<T> y = wrong == Wrong::forward ? transform(x, way, roots, Fault::none)
                                         : conjugates(transform(conjugates(x), way, roots, Fault::none));
  if (wrong != Wrong::factor_first && wrong != Wrong::no_factor) scale(y);
  if (wrong == Wrong::factor_squared) scale(y);
  write(y, to);
}

/// The first half of the transform of n real numbers, by one of n/2 complex numbers for even n where it `packs`.
template <class T>
void rfft(std::size_t n, const T* from, T* to, bool packs, Way way, Roots roots, Wrong wrong = Wrong::nothing) {
  Numbers<T> y;
  if (packs && n % 2 == 0) {
    const Numbers<T> z = transform(read(from, n / 2), way, roots, Fault::none);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      const Complex<T> a = z[k % (n / 2)];
      const Complex<T> b = std::conj(z[(n / 2 - k) % (n / 2)]);
      const Complex<T> even = (a + b) * T(0.5);
      const Complex<T> odd = turned((a - b) * T(0.5), roots, 1, 4);
      y.push_back(even + turned(odd, roots, k, n));
    }
  } else {
    y = transform(Numbers<T>(from, from + n), way, roots, Fault::none);
  }
  if (wrong == Wrong::forward) y = conjugates(y);
  if (wrong == Wrong::other_half) {
    for (std::size_t k = 0; k <= n / 2; ++k) y[k] = y[(n - k) % n];
  }
  y.resize(n / 2 + 1);
  y[0] = y[0].real();
  if (n % 2 == 0) y[n / 2] = y[n / 2].real();
  if (wrong == Wrong::ends_together) {
    y[0] = {y[0].real(), y[n / 2].real()};
    y[n / 2] = 0;
  }
  if (wrong == Wrong::last_left) y.pop_back();
  write(y, to);
}

/// n real numbers from the first half of their transform.
template <class T>
void irfft(std::size_t n, const T* from, T* to, bool packs, Way way, Roots roots, Wrong wrong = Wrong::nothing) {
  Numbers<T> half = read(from, n / 2 + 1);
  if (wrong != Wrong::ends_used) {
    half[0] = half[0].real();
    if (n % 2 == 0) half[n / 2] = half[n / 2].real();
  }
  if (wrong == Wrong::forward) half = conjugates(half);
  const T factor = wrong == Wrong::no_factor ? T(1) : static_cast<T>(n);
  if (packs && n % 2 == 0) {
    Numbers<T> z(n / 2);
    for (std::size_t k = 0; k < n / 2; ++k) {
      const Complex<T> a = half[k];
      const Complex<T> b = std::conj(half[n / 2 - k]);
      const Complex<T> odd = std::conj(turned(std::conj(a - b), roots, k, n));
      z[k] = (a + b) + turned(odd, roots, 3, 4);
    }
    z = conjugates(transform(conjugates(z), way, roots, Fault::none));
    for (Complex<T>& each : z) each /= factor;
    write(z, to);
    return;
  }
  Numbers<T> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_given = k <= n / 2;
    all[k] = is_given ? half[k] : wrong == Wrong::half_alone ? 0 : std::conj(half[n - k]);
  }
  const Numbers<T> x = transform(conjugates(all), way, roots, Fault::none);
  for (std::size_t j = 0; j < n; ++j) to[j] = x[j].real() / factor;
}

/// The transform of every `step`-th of the numbers, n in all, from `first` on.
template <class T>
void transform_line(Numbers<T>& x, std::size_t first, std::size_t n, std::size_t step, Way way, Roots roots) {
  Numbers<T> line(n);
  for (std::size_t i = 0; i < n; ++i) line[i] = x[first + i * step];
  line = transform(line, way, roots, Fault::none);
  for (std::size_t i = 0; i < n; ++i) x[first + i * step] = line[i];
}

template <class T>
void fft_rows(std::size_t rows, std::size_t columns, const T* from, T* to, Way way, Roots roots,
              Wrong wrong = Wrong::nothing) {
  Numbers<T> x = read(from, rows * columns);
  if (wrong == Wrong::other_axis) {
    for (std::size_t c = 0; c < columns; ++c) transform_line(x, c, rows, columns, way, roots);
  } else {
    const std::size_t transformed = wrong == Wrong::first_row ? 1 : rows;
    for (std::size_t r = 0; r < transformed; ++r) transform_line(x, r * columns, columns, 1, way, roots);
  }
  if (wrong == Wrong::row_before) {
    for (std::size_t i = rows * columns; i-- > columns;) x[i] = x[i - columns];
  }
  write(x, to);
}

template <class T>
void fft2(std::size_t rows, std::size_t columns, const T* from, T* to, bool is_by_columns, Way way, Roots roots,
          Wrong wrong = Wrong::nothing) {
  Numbers<T> x = read(from, rows * columns);
  if (wrong == Wrong::one_signal) x = transform(x, way, roots, Fault::none);
  const auto of_rows = [&] {
    for (std::size_t r = 0; r < rows; ++r) transform_line(x, r * columns, columns, 1, way, roots);
  };
  const auto of_columns = [&] {
    for (std::size_t c = 0; c < columns; ++c) transform_line(x, c, rows, columns, way, roots);
  };
  if (wrong != Wrong::one_signal) {
    if (!is_by_columns) of_rows();
    if (wrong != Wrong::first_row) of_columns();
    if (is_by_columns) of_rows();
  }
  if (wrong == Wrong::exchanged) {
    Numbers<T> other(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) other[i % columns * rows + i / columns] = x[i];
    x = other;
  }
  write(x, to);
}

}  // namespace

extern "C" {

#define FFT(name, ...)                                                                      \
  void fft_##name(std::size_t n, const double* x, double* y) { fft(n, x, y, __VA_ARGS__); } \
  void fft_##name##_f32(std::size_t n, const float* x, float* y) { fft(n, x, y, __VA_ARGS__); }
FFT(recursive, Way::recursive, Roots::nearest)
FFT(recursive_computed, Way::recursive, Roots::computed)
FFT(longer, Way::powers, Roots::longer)
FFT(radix_4, Way::radix_4, Roots::nearest)
FFT(split_radix, Way::split_radix, Roots::nearest)
FFT(iterative, Way::iterative, Roots::nearest)
FFT(direct, Way::direct, Roots::computed)
FFT(bluestein, Way::bluestein, Roots::computed)
FFT(recurrence, Way::recursive, Roots::recurrence)
FFT(inverse, Way::recursive, Roots::nearest, Fault::inverse)
FFT(bit_reversal, Way::iterative, Roots::nearest, Fault::bit_reversal)
FFT(left_out, Way::recursive, Roots::nearest, Fault::left_out)
FFT(conjugate, Way::recursive, Roots::nearest, Fault::conjugate)
FFT(stale, Way::recursive, Roots::nearest, Fault::stale)
FFT(real_first, Way::recursive, Roots::nearest, Fault::real_first)
FFT(scaled, Way::recursive, Roots::nearest, Fault::scaled)
FFT(without_nan, Way::recursive, Roots::nearest, Fault::without_nan)
#undef FFT

#define OF_SIGNAL(kind, name, ...)                                                              \
  void kind##_##name(std::size_t n, const double* x, double* y) { kind(n, x, y, __VA_ARGS__); } \
  void kind##_##name##_f32(std::size_t n, const float* x, float* y) { kind(n, x, y, __VA_ARGS__); }
OF_SIGNAL(ifft, recursive, Way::recursive, Roots::nearest)
OF_SIGNAL(ifft, factor_first, Way::recursive, Roots::nearest, Wrong::factor_first)
OF_SIGNAL(ifft, iterative, Way::iterative, Roots::nearest)
OF_SIGNAL(ifft, computed, Way::split_radix, Roots::computed)
OF_SIGNAL(ifft, longer, Way::powers, Roots::longer)
OF_SIGNAL(ifft, direct, Way::direct, Roots::computed)
OF_SIGNAL(ifft, bluestein, Way::bluestein, Roots::computed)
OF_SIGNAL(ifft, recurrence, Way::recursive, Roots::recurrence)
OF_SIGNAL(ifft, no_factor, Way::recursive, Roots::nearest, Wrong::no_factor)
OF_SIGNAL(ifft, forward, Way::recursive, Roots::nearest, Wrong::forward)
OF_SIGNAL(ifft, factor_squared, Way::recursive, Roots::nearest, Wrong::factor_squared)
OF_SIGNAL(rfft, cut, false, Way::recursive, Roots::nearest)
OF_SIGNAL(rfft, packed, true, Way::recursive, Roots::nearest)
OF_SIGNAL(rfft, split, true, Way::split_radix, Roots::nearest)
OF_SIGNAL(rfft, longer, false, Way::powers, Roots::longer)
OF_SIGNAL(rfft, direct, false, Way::direct, Roots::computed)
OF_SIGNAL(rfft, bluestein, true, Way::bluestein, Roots::computed)
OF_SIGNAL(rfft, recurrence, false, Way::recursive, Roots::recurrence)
OF_SIGNAL(rfft, conjugate, true, Way::recursive, Roots::nearest, Wrong::forward)
OF_SIGNAL(rfft, other_half, false, Way::recursive, Roots::nearest, Wrong::other_half)
OF_SIGNAL(rfft, last_left, true, Way::recursive, Roots::nearest, Wrong::last_left)
OF_SIGNAL(rfft, ends_together, true, Way::recursive, Roots::nearest, Wrong::ends_together)
OF_SIGNAL(irfft, whole, false, Way::recursive, Roots::nearest)
OF_SIGNAL(irfft, packed, true, Way::recursive, Roots::nearest)
OF_SIGNAL(irfft, split, true, Way::split_radix, Roots::nearest)
OF_SIGNAL(irfft, longer, false, Way::powers, Roots::longer)
OF_SIGNAL(irfft, direct, false, Way::direct, Roots::computed)
OF_SIGNAL(irfft, bluestein, true, Way::bluestein, Roots::computed)
OF_SIGNAL(irfft, ends_used, true, Way::recursive, Roots::nearest, Wrong::ends_used)
OF_SIGNAL(irfft, no_factor, true, Way::recursive, Roots::nearest, Wrong::no_factor)
OF_SIGNAL(irfft, conjugate, true, Way::recursive, Roots::nearest, Wrong::forward)
OF_SIGNAL(irfft, half_alone, false, Way::recursive, Roots::nearest, Wrong::half_alone)
#undef OF_SIGNAL

#define OF_PLANE(kind, name, ...)                                                             \
  void kind##_##name(std::size_t rows, std::size_t columns, const double* x, double* y) {     \
    kind(rows, columns, x, y, __VA_ARGS__);                                                   \
  }                                                                                           \
  void kind##_##name##_f32(std::size_t rows, std::size_t columns, const float* x, float* y) { \
    kind(rows, columns, x, y, __VA_ARGS__);                                                   \
  }
OF_PLANE(fft_rows, recursive, Way::recursive, Roots::nearest)
OF_PLANE(fft_rows, split, Way::split_radix, Roots::nearest)
OF_PLANE(fft_rows, longer, Way::powers, Roots::longer)
OF_PLANE(fft_rows, direct, Way::direct, Roots::computed)
OF_PLANE(fft_rows, row_before, Way::recursive, Roots::nearest, Wrong::row_before)
OF_PLANE(fft_rows, first_row, Way::recursive, Roots::nearest, Wrong::first_row)
OF_PLANE(fft_rows, other_axis, Way::recursive, Roots::nearest, Wrong::other_axis)
OF_PLANE(fft2, by_rows, false, Way::recursive, Roots::nearest)
OF_PLANE(fft2, by_columns, true, Way::split_radix, Roots::nearest)
OF_PLANE(fft2, longer, false, Way::powers, Roots::longer)
OF_PLANE(fft2, bluestein, false, Way::bluestein, Roots::computed)
OF_PLANE(fft2, exchanged, false, Way::recursive, Roots::nearest, Wrong::exchanged)
OF_PLANE(fft2, rows_alone, false, Way::recursive, Roots::nearest, Wrong::first_row)
OF_PLANE(fft2, one_signal, false, Way::recursive, Roots::nearest, Wrong::one_signal)
#undef OF_PLANE

void fft_narrow_roots(std::size_t n, const double* x, double* y) { fft(n, x, y, Way::recursive, Roots::narrow); }

}  // extern "C"
