// Discrete Fourier transforms of FFTW 3, as functions of arrays that `assay check --subject` calls. A plan is made for
// each call, by estimate; the factor 1/n of the inverse, which FFTW leaves out, is divided by afterwards.

#include <cstddef>
#include <vector>

extern "C" {

void* fftw_plan_dft_1d(int n, double* x, double* y, int sign, unsigned flags);
void* fftw_plan_dft_2d(int rows, int columns, double* x, double* y, int sign, unsigned flags);
void* fftw_plan_dft_r2c_1d(int n, double* x, double* y, unsigned flags);
void* fftw_plan_dft_c2r_1d(int n, double* x, double* y, unsigned flags);
void fftw_execute(void* plan);
void fftw_destroy_plan(void* plan);
void* fftwf_plan_dft_1d(int n, float* x, float* y, int sign, unsigned flags);
void* fftwf_plan_dft_2d(int rows, int columns, float* x, float* y, int sign, unsigned flags);
void* fftwf_plan_dft_r2c_1d(int n, float* x, float* y, unsigned flags);
void* fftwf_plan_dft_c2r_1d(int n, float* x, float* y, unsigned flags);
void fftwf_execute(void* plan);
void fftwf_destroy_plan(void* plan);
}

namespace {

constexpr unsigned estimate = 1U << 6U;
constexpr int forward = -1;
constexpr int backward = 1;

/// Executes the plan that make(x) gives for a copy of the numbers, which FFTW may overwrite.
template <class T, class Make>
void executed(const T* from, std::size_t count, const Make& make, void (*execute)(void*), void (*destroy)(void*)) {
  std::vector<T> x(from, from + count);
  void* const plan = make(x.data());
  execute(plan);
  destroy(plan);
}

template <class T>
void divide(T* y, std::size_t count, std::size_t n) {
  for (std::size_t i = 0; i < count; ++i) y[i] /= static_cast<T>(n);
}

}  // namespace

extern "C" {

#define TRANSFORMS(T, format, of)                                                                               \
  void fft_##format(std::size_t n, const T* x, T* y) {                                                          \
    if (n == 0) return;                                                                                         \
    executed(                                                                                                   \
        x, 2 * n, [&](T* in) { return of##_plan_dft_1d(static_cast<int>(n), in, y, forward, estimate); },       \
        of##_execute, of##_destroy_plan);                                                                       \
  }                                                                                                             \
  void ifft_##format(std::size_t n, const T* x, T* y) {                                                         \
    if (n == 0) return;                                                                                         \
    executed(                                                                                                   \
        x, 2 * n, [&](T* in) { return of##_plan_dft_1d(static_cast<int>(n), in, y, backward, estimate); },      \
        of##_execute, of##_destroy_plan);                                                                       \
    divide(y, 2 * n, n);                                                                                        \
  }                                                                                                             \
  void rfft_##format(std::size_t n, const T* x, T* y) {                                                         \
    executed(                                                                                                   \
        x, n, [&](T* in) { return of##_plan_dft_r2c_1d(static_cast<int>(n), in, y, estimate); }, of##_execute,  \
        of##_destroy_plan);                                                                                     \
  }                                                                                                             \
  void irfft_##format(std::size_t n, const T* x, T* y) {                                                        \
    executed(                                                                                                   \
        x, 2 * (n / 2 + 1), [&](T* in) { return of##_plan_dft_c2r_1d(static_cast<int>(n), in, y, estimate); },  \
        of##_execute, of##_destroy_plan);                                                                       \
    divide(y, n, n);                                                                                            \
  }                                                                                                             \
  void fft_rows_##format(std::size_t rows, std::size_t columns, const T* x, T* y) {                             \
    for (std::size_t r = 0; r < rows; ++r) fft_##format(columns, x + 2 * r * columns, y + 2 * r * columns);     \
  }                                                                                                             \
  void fft2_##format(std::size_t rows, std::size_t columns, const T* x, T* y) {                                 \
    executed(                                                                                                   \
        x, 2 * rows * columns,                                                                                  \
        [&](T* in) {                                                                                            \
          return of##_plan_dft_2d(static_cast<int>(rows), static_cast<int>(columns), in, y, forward, estimate); \
        },                                                                                                      \
        of##_execute, of##_destroy_plan);                                                                       \
  }
TRANSFORMS(double, f64, fftw)
TRANSFORMS(float, f32, fftwf)
#undef TRANSFORMS

}  // extern "C"
