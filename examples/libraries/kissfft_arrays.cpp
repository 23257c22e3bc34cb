// Discrete Fourier transforms of KISS FFT, as functions of arrays that `assay check --subject` calls. A plan is made
// for each call; the factor 1/n of the inverse, which KISS FFT leaves out, is divided by afterwards. Transforms of real
// numbers have even lengths there; others are those of complex numbers.

#include <kissfft/kiss_fft.h>
#include <kissfft/kiss_fftnd.h>
#include <kissfft/kiss_fftr.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace {

using Numbers = std::vector<kiss_fft_cpx>;

Numbers read(std::size_t n, const float* x) {
  Numbers numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = {x[2 * i], x[2 * i + 1]};
  return numbers;
}

void write(const Numbers& numbers, std::size_t count, float* y) {
  for (std::size_t i = 0; i < count; ++i) {
    y[2 * i] = numbers[i].r;
    y[2 * i + 1] = numbers[i].i;
  }
}

Numbers transformed(const Numbers& x, bool is_inverse) {
  Numbers y(x.size());
  auto* const plan = kiss_fft_alloc(static_cast<int>(x.size()), is_inverse ? 1 : 0, nullptr, nullptr);
  kiss_fft(plan, x.data(), y.data());
  std::free(plan);
  return y;
}

}  // namespace

extern "C" {

void fft_f32(std::size_t n, const float* x, float* y) {
  if (n != 0) write(transformed(read(n, x), false), n, y);
}

void ifft_f32(std::size_t n, const float* x, float* y) {
  if (n != 0) write(transformed(read(n, x), true), n, y);
  for (std::size_t i = 0; i < 2 * n; ++i) y[i] /= static_cast<float>(n);
}

void rfft_f32(std::size_t n, const float* x, float* y) {
  if (n % 2 == 0) {
    Numbers half(n / 2 + 1);
    auto* const plan = kiss_fftr_alloc(static_cast<int>(n), 0, nullptr, nullptr);
    kiss_fftr(plan, x, half.data());
    std::free(plan);
    write(half, half.size(), y);
    return;
  }
  Numbers whole(n);
  for (std::size_t i = 0; i < n; ++i) whole[i] = {x[i], 0};
  write(transformed(whole, false), n / 2 + 1, y);
}

void irfft_f32(std::size_t n, const float* x, float* y) {
  const Numbers half = read(n / 2 + 1, x);
  if (n % 2 == 0) {
    auto* const plan = kiss_fftr_alloc(static_cast<int>(n), 1, nullptr, nullptr);
    kiss_fftri(plan, half.data(), y);
    std::free(plan);
  } else {
    Numbers whole(n);
    whole[0] = {half[0].r, 0};
    for (std::size_t k = 1; k < half.size(); ++k) {
      whole[k] = half[k];
      whole[n - k] = {half[k].r, -half[k].i};
    }
    whole = transformed(whole, true);
    for (std::size_t j = 0; j < n; ++j) y[j] = whole[j].r;
  }
  for (std::size_t j = 0; j < n; ++j) y[j] /= static_cast<float>(n);
}

void fft_rows_f32(std::size_t rows, std::size_t columns, const float* x, float* y) {
  for (std::size_t r = 0; r < rows; ++r) fft_f32(columns, x + 2 * r * columns, y + 2 * r * columns);
}

void fft2_f32(std::size_t rows, std::size_t columns, const float* x, float* y) {
  const int lengths[] = {static_cast<int>(rows), static_cast<int>(columns)};
  const Numbers from = read(rows * columns, x);
  Numbers to(from.size());
  auto* const plan = kiss_fftnd_alloc(lengths, 2, 0, nullptr, nullptr);
  kiss_fftnd(plan, from.data(), to.data());
  std::free(plan);
  write(to, to.size(), y);
}
}
