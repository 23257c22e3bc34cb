// Conversions of CUDA's headers cuda_fp16, cuda_bf16, cuda_fp8, cuda_fp6 and cuda_fp4.
//
// As a program it writes the runs (conversion_runs.hpp) of every conversion from formats of at most 32 bits:
//   cuda_conversions device FOLDER [CONVERSION]
// The place is device or host: code that is compiled for a card, or for the processor. As a library it has functions
// for sources of 64 bits, with NAME_device and NAME_host.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <chrono>
#include <cstring>

#include "conversion_runs.hpp"

namespace {

using runs::Run;

// Numbers and patterns.

template <class T>
__host__ __device__ T number(std::uint32_t code) {
  if constexpr (sizeof(T) == 4) {
    T x;
    memcpy(&x, &code, sizeof x);
    return x;
  } else {
    T x{};
    x.x = static_cast<unsigned short>(code);
    return x;
  }
}
__host__ __device__ std::uint32_t pattern(float x) {
  std::uint32_t code;
  memcpy(&code, &x, sizeof code);
  return code;
}
__host__ __device__ std::uint32_t pattern(__half x) { return static_cast<__half_raw>(x).x; }
__host__ __device__ std::uint32_t pattern(__half_raw x) { return x.x; }
__host__ __device__ std::uint32_t pattern(__nv_bfloat16 x) { return static_cast<__nv_bfloat16_raw>(x).x; }
__host__ __device__ std::uint32_t pattern(__nv_bfloat16_raw x) { return x.x; }

// The headers' functions by the type of their argument.

using Half = __half_raw;
using Bfloat = __nv_bfloat16_raw;

__host__ __device__ auto to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8(x, s, k);
}
__host__ __device__ auto to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_double_to_fp8(x, s, k);
}
__host__ __device__ auto to_fp8(Half x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_halfraw_to_fp8(x, s, k);
}
__host__ __device__ auto to_fp8(Bfloat x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_bfloat16raw_to_fp8(x, s, k);
}
__host__ __device__ auto to_fp6(float x, __nv_fp6_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_float_to_fp6(x, k, r);
}
__host__ __device__ auto to_fp6(double x, __nv_fp6_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_double_to_fp6(x, k, r);
}
__host__ __device__ auto to_fp6(Half x, __nv_fp6_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_halfraw_to_fp6(x, k, r);
}
__host__ __device__ auto to_fp6(Bfloat x, __nv_fp6_interpretation_t k, cudaRoundMode r) {
  return __nv_cvt_bfloat16raw_to_fp6(x, k, r);
}
__host__ __device__ auto to_fp4(float x, cudaRoundMode r) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, r); }
__host__ __device__ auto to_fp4(double x, cudaRoundMode r) { return __nv_cvt_double_to_fp4(x, __NV_E2M1, r); }
__host__ __device__ auto to_fp4(Half x, cudaRoundMode r) { return __nv_cvt_halfraw_to_fp4(x, __NV_E2M1, r); }
__host__ __device__ auto to_fp4(Bfloat x, cudaRoundMode r) { return __nv_cvt_bfloat16raw_to_fp4(x, __NV_E2M1, r); }
__host__ __device__ auto to_scale(float x, __nv_saturation_t s, cudaRoundMode r) {
  return __nv_cvt_float_to_e8m0(x, s, r);
}
__host__ __device__ auto to_scale(double x, __nv_saturation_t s, cudaRoundMode r) {
  return __nv_cvt_double_to_e8m0(x, s, r);
}
__host__ __device__ auto to_scale(Bfloat x, __nv_saturation_t s, cudaRoundMode r) {
  return __nv_cvt_bfloat16raw_to_e8m0(x, s, r);
}

// Conversions as types: `of` gives the code of a number.

template <__nv_saturation_t s, __nv_fp8_interpretation_t k>
struct ToFp8 {
  template <class T>
  __host__ __device__ static std::uint32_t of(T x) {
    return to_fp8(x, s, k);
  }
};
template <__nv_fp6_interpretation_t k, cudaRoundMode r>
struct ToFp6 {
  template <class T>
  __host__ __device__ static std::uint32_t of(T x) {
    return to_fp6(x, k, r);
  }
};
template <cudaRoundMode r>
struct ToFp4 {
  template <class T>
  __host__ __device__ static std::uint32_t of(T x) {
    return to_fp4(x, r);
  }
};
template <__nv_saturation_t s, cudaRoundMode r>
struct ToScale {
  template <class T>
  __host__ __device__ static std::uint32_t of(T x) {
    return to_scale(x, s, r);
  }
};

/// One of two numbers that are converted together. If its result depends on the other number, the bits are inverted.
template <bool is_second, class Convert>
__host__ __device__ std::uint32_t one_of_two(float x, const Convert& convert) {
  const auto beside = [&](std::uint32_t other) {
    const float y = number<float>(other);
    const std::uint32_t both = convert(is_second ? make_float2(y, x) : make_float2(x, y));
    return is_second ? both >> 8 : both & 0xFF;
  };
  const std::uint32_t code = beside(0);
  const bool is_same = code == beside(0x7FC00000) && code == beside(0xFF7FFFFF) && code == beside(0x3F880001);
  return is_same ? code : code ^ 0xFF;
}
template <__nv_saturation_t s, __nv_fp8_interpretation_t k, bool is_second>
struct ToTwoFp8 {
  __host__ __device__ static std::uint32_t of(float x) {
    return one_of_two<is_second>(x, [](float2 both) { return __nv_cvt_float2_to_fp8x2(both, s, k); });
  }
};

#define CONVERSION(name, type, expression)                                     \
  struct name {                                                                \
    __host__ __device__ static std::uint32_t of(type x) { return expression; } \
  };
CONVERSION(HalfNearest, float, pattern(__float2half_rn(x)))
CONVERSION(HalfZero, float, pattern(__float2half_rz(x)))
CONVERSION(HalfUp, float, pattern(__float2half_ru(x)))
CONVERSION(HalfDown, float, pattern(__float2half_rd(x)))
CONVERSION(BfloatNearest, float, pattern(__float2bfloat16_rn(x)))
CONVERSION(BfloatZero, float, pattern(__float2bfloat16_rz(x)))
CONVERSION(BfloatUp, float, pattern(__float2bfloat16_ru(x)))
CONVERSION(BfloatDown, float, pattern(__float2bfloat16_rd(x)))
CONVERSION(HalfOfDouble, double, pattern(__double2half(x)))
CONVERSION(BfloatOfDouble, double, pattern(__double2bfloat16(x)))
CONVERSION(FloatOfHalf, Half, pattern(__half2float(__half(x))))
CONVERSION(FloatOfBfloat, Bfloat, pattern(__bfloat162float(__nv_bfloat16(x))))
#undef CONVERSION

// Codes of at most 8 bits to 16 bits: the argument is the code.

struct Code {
  unsigned short x;
};
template <__nv_fp8_interpretation_t k>
struct OfFp8 {
  __host__ __device__ static std::uint32_t of(Code x) {
    return pattern(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x.x), k));
  }
};
template <__nv_fp6_interpretation_t k>
struct OfFp6 {
  __host__ __device__ static std::uint32_t of(Code x) {
    return pattern(__nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x.x), k));
  }
};
struct OfFp4 {
  __host__ __device__ static std::uint32_t of(Code x) {
    return pattern(__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x.x), __NV_E2M1));
  }
};
struct OfScale {
  __host__ __device__ static std::uint32_t of(Code x) {
    return pattern(__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x.x)));
  }
};

// Runs on a device.

constexpr std::uint32_t strip = 256;  ///< inputs of a thread
constexpr std::uint32_t most_runs = 1 << 22;

template <class Source, class Conversion>
__global__ void find_runs(std::uint64_t count, Run* found, std::uint32_t* number_of_runs) {
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * strip;
  if (first >= count) return;
  const std::uint64_t end = first + strip < count ? first + strip : count;
  std::uint32_t before = first == 0 ? 0 : Conversion::of(number<Source>(static_cast<std::uint32_t>(first - 1)));
  for (std::uint64_t i = first; i < end; ++i) {
    const auto input = static_cast<std::uint32_t>(i);
    const std::uint32_t code = Conversion::of(number<Source>(input));
    if (i == 0 || code != before) {
      const std::uint32_t place = atomicAdd(number_of_runs, 1);
      if (place < most_runs) found[place] = {input, code};
    }
    before = code;
  }
}

/// Memory of the device for runs, and the time that kernels took.
struct Device {
  Run* found = nullptr;
  std::uint32_t* number_of_runs = nullptr;
  double seconds = 0;

  bool begin() {
    return cudaMalloc(&found, most_runs * sizeof(Run)) == cudaSuccess &&
           cudaMalloc(&number_of_runs, sizeof(std::uint32_t)) == cudaSuccess;
  }
  /// The runs, or nothing if there are too many or the device reports an error.
  template <class Source, class Conversion>
  std::vector<Run> runs(int bits) {
    const std::uint64_t count = std::uint64_t{1} << bits;
    const auto start = std::chrono::steady_clock::now();
    cudaMemset(number_of_runs, 0, sizeof(std::uint32_t));
    const std::uint64_t threads = (count + strip - 1) / strip;
    find_runs<Source, Conversion><<<static_cast<unsigned>((threads + 255) / 256), 256>>>(count, found, number_of_runs);
    std::uint32_t many = 0;
    cudaMemcpy(&many, number_of_runs, sizeof many, cudaMemcpyDeviceToHost);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (cudaGetLastError() != cudaSuccess || many > most_runs) return {};
    std::vector<Run> all(many);
    cudaMemcpy(all.data(), found, many * sizeof(Run), cudaMemcpyDeviceToHost);
    std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    return all;
  }
};

/// Writes the runs of all conversions at one place.
struct Writer {
  bool on_device;
  std::string folder;
  std::string only;  ///< the one conversion that is written; empty: all
  Device device{};
  int failures = 0;

  template <class Source, class Conversion>
  void write(const char* name, int bits = 8 * sizeof(Source)) {
    if (!only.empty() && only != name) return;
    const std::vector<Run> all =
        on_device ? device.runs<Source, Conversion>(bits)
                  : runs::of_all_inputs(bits, [](std::uint32_t x) { return Conversion::of(number<Source>(x)); });
    if (all.empty() || !runs::write(folder + "/" + name + ".runs", all)) {
      std::fprintf(stderr, "%s: no runs\n", name);
      ++failures;
    }
  }

  template <class Source>
  void write_from(const std::string& source) {
    const auto file = [&](const char* rest) { return source + rest; };
    write<Source, ToFp8<__NV_SATFINITE, __NV_E4M3>>(file("_e4m3fn_satfinite").c_str());
    write<Source, ToFp8<__NV_NOSAT, __NV_E4M3>>(file("_e4m3fn_nosat").c_str());
    write<Source, ToFp8<__NV_SATFINITE, __NV_E5M2>>(file("_e5m2_satfinite").c_str());
    write<Source, ToFp8<__NV_NOSAT, __NV_E5M2>>(file("_e5m2_nosat").c_str());
    write<Source, ToFp6<__NV_E3M2, cudaRoundNearest>>(file("_e3m2_nearest").c_str());
    write<Source, ToFp6<__NV_E3M2, cudaRoundZero>>(file("_e3m2_zero").c_str());
    write<Source, ToFp6<__NV_E2M3, cudaRoundNearest>>(file("_e2m3_nearest").c_str());
    write<Source, ToFp6<__NV_E2M3, cudaRoundZero>>(file("_e2m3_zero").c_str());
    write<Source, ToFp4<cudaRoundNearest>>(file("_e2m1_nearest").c_str());
    write<Source, ToFp4<cudaRoundZero>>(file("_e2m1_zero").c_str());
    if constexpr (!std::is_same_v<Source, Half>) {
      write<Source, ToScale<__NV_SATFINITE, cudaRoundPosInf>>(file("_e8m0_up_satfinite").c_str());
      write<Source, ToScale<__NV_NOSAT, cudaRoundPosInf>>(file("_e8m0_up_nosat").c_str());
      write<Source, ToScale<__NV_SATFINITE, cudaRoundZero>>(file("_e8m0_zero_satfinite").c_str());
      write<Source, ToScale<__NV_NOSAT, cudaRoundZero>>(file("_e8m0_zero_nosat").c_str());
    }
  }

  void write_all() {
    write_from<float>("f32");
    if (on_device) {
      write<float, ToTwoFp8<__NV_SATFINITE, __NV_E4M3, false>>("f32_e4m3fn_satfinite_first");
      write<float, ToTwoFp8<__NV_SATFINITE, __NV_E4M3, true>>("f32_e4m3fn_satfinite_second");
      write<float, ToTwoFp8<__NV_SATFINITE, __NV_E5M2, false>>("f32_e5m2_satfinite_first");
      write<float, ToTwoFp8<__NV_SATFINITE, __NV_E5M2, true>>("f32_e5m2_satfinite_second");
    }
    write<float, HalfNearest>("f32_f16_rn");
    write<float, HalfZero>("f32_f16_rz");
    write<float, HalfUp>("f32_f16_ru");
    write<float, HalfDown>("f32_f16_rd");
    write<float, BfloatNearest>("f32_bf16_rn");
    write<float, BfloatZero>("f32_bf16_rz");
    write<float, BfloatUp>("f32_bf16_ru");
    write<float, BfloatDown>("f32_bf16_rd");
    write_from<Half>("f16");
    write_from<Bfloat>("bf16");
    write<Half, FloatOfHalf>("f16_f32");
    write<Bfloat, FloatOfBfloat>("bf16_f32");
    write<Code, OfFp8<__NV_E4M3>>("e4m3fn_f16", 8);
    write<Code, OfFp8<__NV_E5M2>>("e5m2_f16", 8);
    write<Code, OfFp6<__NV_E3M2>>("e3m2_f16", 6);
    write<Code, OfFp6<__NV_E2M3>>("e2m3_f16", 6);
    write<Code, OfFp4>("e2m1_f16", 4);
    write<Code, OfScale>("e8m0_bf16", 8);
  }
};

// Sources of 64 bits: functions of arrays in the memory of the host.

template <class Conversion, class Result>
__global__ void convert_each(std::size_t n, const double* x, Result* y) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = static_cast<Result>(Conversion::of(x[i]));
}

template <class Conversion, class Result>
void on_device(std::size_t n, const double* x, Result* y) {
  double* inputs = nullptr;
  Result* results = nullptr;
  cudaMalloc(&inputs, n * sizeof(double));
  cudaMalloc(&results, n * sizeof(Result));
  cudaMemcpy(inputs, x, n * sizeof(double), cudaMemcpyHostToDevice);
  convert_each<Conversion><<<static_cast<unsigned>((n + 255) / 256), 256>>>(n, inputs, results);
  cudaMemcpy(y, results, n * sizeof(Result), cudaMemcpyDeviceToHost);
  cudaFree(inputs);
  cudaFree(results);
}

template <class Conversion, class Result>
void on_host(std::size_t n, const double* x, Result* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<Result>(Conversion::of(x[i]));
}

}  // namespace

#define OF_DOUBLE(name, result, ...)                                                                            \
  extern "C" void name##_device(std::size_t n, const double* x, result* y) { on_device<__VA_ARGS__>(n, x, y); } \
  extern "C" void name##_host(std::size_t n, const double* x, result* y) { on_host<__VA_ARGS__>(n, x, y); }
OF_DOUBLE(f64_e4m3fn_satfinite, unsigned char, ToFp8<__NV_SATFINITE, __NV_E4M3>)
OF_DOUBLE(f64_e4m3fn_nosat, unsigned char, ToFp8<__NV_NOSAT, __NV_E4M3>)
OF_DOUBLE(f64_e5m2_satfinite, unsigned char, ToFp8<__NV_SATFINITE, __NV_E5M2>)
OF_DOUBLE(f64_e5m2_nosat, unsigned char, ToFp8<__NV_NOSAT, __NV_E5M2>)
OF_DOUBLE(f64_e3m2_nearest, unsigned char, ToFp6<__NV_E3M2, cudaRoundNearest>)
OF_DOUBLE(f64_e3m2_zero, unsigned char, ToFp6<__NV_E3M2, cudaRoundZero>)
OF_DOUBLE(f64_e2m3_nearest, unsigned char, ToFp6<__NV_E2M3, cudaRoundNearest>)
OF_DOUBLE(f64_e2m3_zero, unsigned char, ToFp6<__NV_E2M3, cudaRoundZero>)
OF_DOUBLE(f64_e2m1_nearest, unsigned char, ToFp4<cudaRoundNearest>)
OF_DOUBLE(f64_e2m1_zero, unsigned char, ToFp4<cudaRoundZero>)
OF_DOUBLE(f64_e8m0_up_satfinite, unsigned char, ToScale<__NV_SATFINITE, cudaRoundPosInf>)
OF_DOUBLE(f64_e8m0_up_nosat, unsigned char, ToScale<__NV_NOSAT, cudaRoundPosInf>)
OF_DOUBLE(f64_e8m0_zero_satfinite, unsigned char, ToScale<__NV_SATFINITE, cudaRoundZero>)
OF_DOUBLE(f64_e8m0_zero_nosat, unsigned char, ToScale<__NV_NOSAT, cudaRoundZero>)
OF_DOUBLE(f64_f16, unsigned short, HalfOfDouble)
OF_DOUBLE(f64_bf16, unsigned short, BfloatOfDouble)

int main(int count, char** words) {
  const std::string place = count == 3 || count == 4 ? words[1] : "";
  if (place != "device" && place != "host") {
    std::fprintf(stderr, "usage: cuda_conversions device|host FOLDER [CONVERSION]\n");
    return 2;
  }
  Writer writer{place == "device", words[2], count == 4 ? words[3] : ""};
  if (writer.on_device && !writer.device.begin()) {
    std::fprintf(stderr, "there is no device\n");
    return 1;
  }
  writer.write_all();
  if (writer.on_device) std::fprintf(stderr, "the device took %.3f s\n", writer.device.seconds);
  return writer.failures == 0 ? 0 : 1;
}
