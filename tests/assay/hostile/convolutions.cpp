// Convolutions as users have them, good and bad, for the tests of kernels from outside.
#include "tests/assay/hostile/convolution_algorithms.hpp"

using namespace assay::hostile::convolution;

extern "C" {

#define LENGTHS                                                                                                       \
  std::size_t b, std::size_t g, std::size_t ci, std::size_t co, std::size_t h, std::size_t w, std::size_t r,          \
      std::size_t s, std::size_t i, std::size_t j, std::size_t stride_h, std::size_t stride_w, std::size_t padding_h, \
      std::size_t padding_w, std::size_t dilation_h, std::size_t dilation_w
#define SHAPE                                                                                                      \
  Shape {                                                                                                          \
    Index(b), Index(g), Index(ci), Index(co), Index(h), Index(w), Index(r), Index(s), Index(i), Index(j),          \
        Index(stride_h), Index(stride_w), Index(padding_h), Index(padding_w), Index(dilation_h), Index(dilation_w) \
  }
#define OF_TYPE(kind, name, suffix, T, ...) \
  void kind##_##name##suffix(LENGTHS, const T* x, const T* k, T* y) { __VA_ARGS__; }

#define CONV2D(name, ...)                                                                          \
  OF_TYPE(convolution2d, name, , double, conv<double>(SHAPE, true, x, k, nullptr, y, __VA_ARGS__)) \
  OF_TYPE(convolution2d, name, _f32, float, conv<float>(SHAPE, true, x, k, nullptr, y, __VA_ARGS__))
CONV2D(channels_first, Way::channels_first)
CONV2D(taps_first, Way::taps_first)
CONV2D(backwards, Way::backwards)
CONV2D(in_halves, Way::in_halves)
CONV2D(in_float, Way::in_float)
CONV2D(winograd_2, Way::winograd_2)
CONV2D(winograd_4, Way::winograd_4)
CONV2D(factored_4, Way::factored_4)
CONV2D(fft, Way::fft)
CONV2D(tap_dropped, Way::channels_first, Wrong::tap_dropped)
CONV2D(padding_at_end, Way::channels_first, Wrong::padding_at_end)
CONV2D(padding_exchanged, Way::channels_first, Wrong::padding_exchanged)
CONV2D(stride_off, Way::channels_first, Wrong::stride_off)
CONV2D(strides_exchanged, Way::channels_first, Wrong::strides_exchanged)
CONV2D(group_mixed, Way::channels_first, Wrong::group_mixed)
CONV2D(flipped, Way::channels_first, Wrong::flipped)
CONV2D(taps_exchanged, Way::channels_first, Wrong::taps_exchanged)
CONV2D(border_missing, Way::channels_first, Wrong::border_missing)
CONV2D(dilation_ignored, Way::channels_first, Wrong::dilation_ignored)
CONV2D(last_channel, Way::channels_first, Wrong::last_channel)
CONV2D(first_image, Way::channels_first, Wrong::first_image)
CONV2D(wrong_constant, Way::winograd_4, Wrong::wrong_constant)
CONV2D(last_tile, Way::winograd_4, Wrong::last_tile)

#define CONV2D_BIAS_OF(name, suffix, T, ...)                                                     \
  void convolution2d_bias_##name##suffix(LENGTHS, const T* x, const T* k, const T* bias, T* y) { \
    conv<T>(SHAPE, true, x, k, bias, y, __VA_ARGS__);                                            \
  }
#define CONV2D_BIAS(name, ...)                \
  CONV2D_BIAS_OF(name, , double, __VA_ARGS__) \
  CONV2D_BIAS_OF(name, _f32, float, __VA_ARGS__)
CONV2D_BIAS(channels_first, Way::channels_first)
CONV2D_BIAS(in_halves, Way::in_halves)
CONV2D_BIAS(backwards, Way::backwards)
CONV2D_BIAS(winograd_2, Way::winograd_2)
CONV2D_BIAS(winograd_4, Way::winograd_4)
CONV2D_BIAS(fft, Way::fft)
CONV2D_BIAS(bias_twice, Way::channels_first, Wrong::bias_twice)
CONV2D_BIAS(no_bias, Way::channels_first, Wrong::no_bias)
CONV2D_BIAS(bias_of_group, Way::channels_first, Wrong::bias_of_group)

#define GRADIENT(kind, name, function, ...)                                    \
  OF_TYPE(kind, name, , double, function<double>(SHAPE, x, k, y, __VA_ARGS__)) \
  OF_TYPE(kind, name, _f32, float, function<float>(SHAPE, x, k, y, __VA_ARGS__))
GRADIENT(convolution2d_backward_x, taps_first, to_x, 0)
GRADIENT(convolution2d_backward_x, results_first, to_x, 1)
GRADIENT(convolution2d_backward_x, backwards, to_x, 2)
GRADIENT(convolution2d_backward_x, winograd_2, to_x_by_tiles, Way::winograd_2)
GRADIENT(convolution2d_backward_x, winograd_4, to_x_by_tiles, Way::factored_4)
GRADIENT(convolution2d_backward_x, flipped, to_x, 0, Wrong::flipped)
GRADIENT(convolution2d_backward_x, tap_dropped, to_x, 0, Wrong::tap_dropped)
GRADIENT(convolution2d_backward_x, last_channel, to_x, 0, Wrong::last_channel)
GRADIENT(convolution2d_backward_x, group_mixed, to_x, 0, Wrong::group_mixed)
GRADIENT(convolution2d_backward_x, dilation_ignored, to_x, 0, Wrong::dilation_ignored)
GRADIENT(convolution2d_backward_x, padding_at_end, to_x, 0, Wrong::padding_at_end)
GRADIENT(convolution2d_backward_x, strides_exchanged, to_x, 0, Wrong::strides_exchanged)
GRADIENT(convolution2d_backward_k, taps_first, to_k, 0)
GRADIENT(convolution2d_backward_k, results_first, to_k, 1)
GRADIENT(convolution2d_backward_k, backwards, to_k, 2)
GRADIENT(convolution2d_backward_k, flipped, to_k, 0, Wrong::flipped)
GRADIENT(convolution2d_backward_k, first_image, to_k, 0, Wrong::first_image)
GRADIENT(convolution2d_backward_k, last_row, to_k, 0, Wrong::border_missing)
GRADIENT(convolution2d_backward_k, group_mixed, to_k, 0, Wrong::group_mixed)
GRADIENT(convolution2d_backward_k, dilation_ignored, to_k, 0, Wrong::dilation_ignored)
GRADIENT(convolution2d_backward_k, padding_at_end, to_k, 0, Wrong::padding_at_end)
GRADIENT(convolution2d_backward_k, strides_exchanged, to_k, 0, Wrong::strides_exchanged)

#define CONV1D_OF(name, suffix, T, ...)                                                                              \
  void convolution1d_##name##suffix(std::size_t b, std::size_t g, std::size_t ci, std::size_t co, std::size_t n,     \
                                    std::size_t r, std::size_t m, std::size_t stride, std::size_t padding,           \
                                    std::size_t dilation, const T* x, const T* k, T* y) {                            \
    conv<T>(Shape{Index(b), Index(g), Index(ci), Index(co), 1, Index(n), 1, Index(r), 1, Index(m), 1, Index(stride), \
                  0, Index(padding), 1, Index(dilation)},                                                            \
            false, x, k, nullptr, y, __VA_ARGS__);                                                                   \
  }
#define CONV1D(name, ...)                \
  CONV1D_OF(name, , double, __VA_ARGS__) \
  CONV1D_OF(name, _f32, float, __VA_ARGS__)
CONV1D(channels_first, Way::channels_first)
CONV1D(taps_first, Way::taps_first)
CONV1D(in_halves, Way::in_halves)
CONV1D(winograd_2, Way::winograd_2)
CONV1D(winograd_4, Way::winograd_4)
CONV1D(factored_4, Way::factored_4)
CONV1D(fft, Way::fft)
CONV1D(tap_dropped, Way::channels_first, Wrong::tap_dropped)
CONV1D(padding_at_end, Way::channels_first, Wrong::padding_at_end)
CONV1D(stride_off, Way::channels_first, Wrong::stride_off)
CONV1D(group_mixed, Way::channels_first, Wrong::group_mixed)
CONV1D(flipped, Way::channels_first, Wrong::flipped)
CONV1D(border_missing, Way::channels_first, Wrong::border_missing)
CONV1D(dilation_ignored, Way::channels_first, Wrong::dilation_ignored)
CONV1D(last_channel, Way::channels_first, Wrong::last_channel)
CONV1D(wrong_constant, Way::winograd_4, Wrong::wrong_constant)
CONV1D(last_tile, Way::winograd_4, Wrong::last_tile)

#define CONVOLVE_OF(name, suffix, T, ...)                                                                            \
  void convolve_##name##suffix(std::size_t m, std::size_t n, const T* x, const T* k, T* y) {                         \
    convolve<T>(of_line(m, n), false, x, k, y, __VA_ARGS__);                                                         \
  }                                                                                                                  \
  void convolve2d_##name##suffix(std::size_t h, std::size_t w, std::size_t r, std::size_t s, const T* x, const T* k, \
                                 T* y) {                                                                             \
    convolve<T>(of_plane(h, w, r, s), true, x, k, y, __VA_ARGS__);                                                   \
  }
#define CONVOLVE(name, ...)                \
  CONVOLVE_OF(name, , double, __VA_ARGS__) \
  CONVOLVE_OF(name, _f32, float, __VA_ARGS__)
CONVOLVE(channels_first, Way::channels_first)
CONVOLVE(backwards, Way::backwards)
CONVOLVE(in_halves, Way::in_halves)
CONVOLVE(fft, Way::fft)
CONVOLVE(correlated, Way::channels_first, Whole::correlated)
CONVOLVE(shifted, Way::channels_first, Whole::shifted)
CONVOLVE(last_missing, Way::channels_first, Whole::last_missing)
CONVOLVE(wrapped, Way::channels_first, Whole::wrapped)

// Computed in binary32, and stored as f16.
#define CONV2D_F16(name, ...)                                                                                  \
  void convolution2d_##name##_f16(LENGTHS, const std::uint16_t* x, const std::uint16_t* k, std::uint16_t* y) { \
    const Shape of = SHAPE;                                                                                    \
    const std::vector<float> numbers = widened(of.b * of.g * of.ci * of.h * of.w, x);                          \
    const std::vector<float> taps = widened(of.g * of.co * of.ci * of.r * of.s, k);                            \
    std::vector<float> results(static_cast<std::size_t>(of.b * of.g * of.co * of.i * of.j));                   \
    conv<float>(of, true, numbers.data(), taps.data(), nullptr, results.data(), __VA_ARGS__);                  \
    for (std::size_t at = 0; at < results.size(); ++at) y[at] = assay::binary16(results[at]).bits();           \
  }
CONV2D_F16(channels_first, Way::channels_first)
CONV2D_F16(winograd_4, Way::winograd_4)
CONV2D_F16(fft, Way::fft)
CONV2D_F16(flipped, Way::channels_first, Wrong::flipped)

}  // extern "C"
