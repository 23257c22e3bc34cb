// Discrete Fourier transforms as users have them, good and bad, for the tests of kernels from outside.
#include "tests/assay/hostile/transform_ways.hpp"

using namespace assay::hostile::transform_ways;

namespace {

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
