// A library whose conversions and quantizers have their arrays on a device, good and bad: TABLE in the environment
// selects the failure. A table and plain functions, with and without random words.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "assay/subject.h"
#include "tests/device/way.hpp"

namespace {

/// From binary32 to bfloat16: truncation, or the addition of a word of 16 bits to the bits that are dropped.
__global__ void convert_kernel(std::size_t n, const float* x, const std::uint32_t* words, std::uint16_t* y, Way way) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i == 0 && way == writes_behind) y[n] = 0;
  if (i == 0 && way == writes_in_front) y[-1] = 0;
  if (i == 0 && way == changes_input) const_cast<float*>(x)[0] = 3;
  if (i == 0 && way == faults) *reinterpret_cast<volatile float*>(std::uintptr_t{16}) = 0;
  if (i >= n) return;
  const auto pattern = static_cast<std::uint32_t>(__float_as_int(x[i]));
  if (isfinite(x[i])) {
    y[i] = static_cast<std::uint16_t>((pattern + (words == nullptr ? 0 : words[i])) >> 16);
  } else {
    y[i] = static_cast<std::uint16_t>(pattern >> 16 | (isnan(x[i]) ? 0x40 : 0));
  }
}

/// The code of E2M1 of a magnitude: to nearest, ties to even, or by a word of 8 bits.
__device__ unsigned element(float y, const std::uint32_t* word) {
  constexpr float numbers[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  unsigned code = 0;
  while (code < 7 && y >= numbers[code + 1]) ++code;
  if (code == 7) return 7;
  const float steps = 256 * ((y - numbers[code]) / (numbers[code + 1] - numbers[code]));
  if (word != nullptr) return code + (static_cast<std::uint32_t>(steps) + *word >= 256 ? 1 : 0);
  return code + (steps > 128 || (steps == 128 && code % 2 != 0) ? 1 : 0);
}

/// MXFP4 with the scale rule floor: a thread for each block of 32 numbers.
__global__ void quantize_kernel(std::size_t blocks, const float* x, const std::uint32_t* words, std::uint8_t* codes,
                                std::uint8_t* scales, Way way) {
  const std::size_t block = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (block == 0 && way == writes_behind) scales[blocks] = 0;
  if (block == 0 && way == writes_in_front) codes[-1] = 0;
  if (block == 0 && way == changes_input) const_cast<float*>(x)[0] = 3;
  if (block == 0 && way == faults) *reinterpret_cast<volatile float*>(std::uintptr_t{16}) = 0;
  if (block >= blocks) return;
  const float* const of = x + 32 * block;
  float amax = 0;
  bool is_nan = false;
  for (int i = 0; i < 32; ++i) {
    is_nan = is_nan || !isfinite(of[i]);
    amax = fmaxf(amax, fabsf(of[i]));
  }
  const int least = -127;
  const int k = amax == 0 || is_nan ? least : max(least, ilogbf(amax) - 2);
  scales[block] = static_cast<std::uint8_t>(is_nan ? 0xFF : k + 127);
  for (int i = 0; i < 32; i += 2) {
    unsigned byte = 0;
    for (int j = i + 1; j >= i; --j) {
      const float y = scalbnf(fabsf(of[j]), -k);
      byte = byte << 4 | (signbit(of[j]) ? 8 : 0) | element(y, words == nullptr ? nullptr : words + 32 * block + j);
    }
    codes[16 * block + i / 2] = static_cast<std::uint8_t>(byte);
  }
}

/// Integers of 8 bits without sign, with a scale and a zero point for each row: a thread for each row.
__global__ void quantize_rows_kernel(std::size_t rows, std::size_t columns, const float* x, std::uint8_t* codes,
                                     float* scales, std::uint8_t* zeros) {
  const std::size_t row = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (row >= rows) return;
  const float* const of = x + row * columns;
  float low = 0;
  float high = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    low = fminf(low, of[i]);
    high = fmaxf(high, of[i]);
  }
  const float scale = (high - low) / 255;
  const auto code = [&](float number, float zero) {
    return static_cast<std::uint8_t>(scale == 0 ? zero : fminf(fmaxf(rintf(number / scale) + zero, 0), 255));
  };
  scales[row] = scale;
  zeros[row] = code(-low, 0);
  for (std::size_t i = 0; i < columns; ++i) codes[row * columns + i] = code(of[i], zeros[row]);
}

constexpr unsigned threads = 64;
unsigned blocks_for(std::size_t n) { return static_cast<unsigned>(n / threads + 1); }

int run(void*, const assay_args* cases, DLTensor* out, std::size_t n, void* stream) {
  if (n != 1) return 3;
  const DLTensor* const x = assay_find(cases, "x");
  const DLTensor* const words = assay_find(cases, "words");
  if (x->device.device_type != kDLCUDA || out[0].device.device_type != kDLCUDA) return 2;
  if (words != nullptr && (words->device.device_type != kDLCUDA || words->shape[0] != x->shape[0])) return 2;
  const auto* const numbers = static_cast<const float*>(x->data);
  const auto* const of_words = words == nullptr ? nullptr : static_cast<const std::uint32_t*>(words->data);
  const auto count = static_cast<std::size_t>(x->shape[0]);
  const auto on = static_cast<cudaStream_t>(stream);
  if (std::strcmp(cases->operation, "convert") == 0) {
    convert_kernel<<<blocks_for(count), threads, 0, on>>>(count, numbers, of_words,
                                                          static_cast<std::uint16_t*>(out[0].data), way());
  } else if (std::strcmp(cases->format, "f32:mxfp4") == 0) {
    quantize_kernel<<<blocks_for(count / 32), threads, 0, on>>>(count / 32, numbers, of_words,
                                                                static_cast<std::uint8_t*>(out[0].data),
                                                                static_cast<std::uint8_t*>(out[1].data), way());
  } else {
    const auto rows = static_cast<std::size_t>(assay_integer(cases, "rows"));
    quantize_rows_kernel<<<blocks_for(rows), threads, 0, on>>>(
        rows, count / rows, numbers, static_cast<std::uint8_t*>(out[0].data), static_cast<float*>(out[1].data),
        static_cast<std::uint8_t*>(out[2].data));
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

int open_table(void**, std::uint32_t device) { return device == ASSAY_ON_CUDA ? 0 : 4; }

}  // namespace

extern "C" {

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {
      {"convert", "f32:bf16"}, {"quantize", "f32:mxfp4"}, {"quantize", "f32:uint8_zero_row"}};
  static assay_subject_table table = {};
  table.abi_version = ASSAY_SUBJECT_ABI_VERSION;
  table.struct_size = sizeof table;
  table.name = "device formats";
  table.version = "1";
  table.kernels = kernels;
  table.kernel_count = 3;
  table.devices = ASSAY_ON_CUDA;
  table.run = run;
  table.open = open_table;
  return &table;
}

void device_convert(std::size_t n, const float* x, std::uint16_t* y, void* stream) {
  convert_kernel<<<blocks_for(n), threads, 0, static_cast<cudaStream_t>(stream)>>>(n, x, nullptr, y, way());
}
void device_convert_by_words(std::size_t n, const float* x, const std::uint32_t* words, std::uint16_t* y,
                             void* stream) {
  convert_kernel<<<blocks_for(n), threads, 0, static_cast<cudaStream_t>(stream)>>>(n, x, words, y, way());
}
void device_quantize(std::size_t rows, std::size_t columns, const float* x, std::uint8_t* codes, std::uint8_t* scales,
                     void* stream) {
  const std::size_t blocks = rows * columns / 32;
  quantize_kernel<<<blocks_for(blocks), threads, 0, static_cast<cudaStream_t>(stream)>>>(blocks, x, nullptr, codes,
                                                                                         scales, way());
}
void device_quantize_by_words(std::size_t rows, std::size_t columns, const float* x, const std::uint32_t* words,
                              std::uint8_t* codes, std::uint8_t* scales, void* stream) {
  const std::size_t blocks = rows * columns / 32;
  quantize_kernel<<<blocks_for(blocks), threads, 0, static_cast<cudaStream_t>(stream)>>>(blocks, x, words, codes,
                                                                                         scales, way());
}
void device_quantize_rows(std::size_t rows, std::size_t columns, const float* x, std::uint8_t* codes, float* scales,
                          std::uint8_t* zeros, void* stream) {
  quantize_rows_kernel<<<blocks_for(rows), threads, 0, static_cast<cudaStream_t>(stream)>>>(rows, columns, x, codes,
                                                                                            scales, zeros);
}
}
