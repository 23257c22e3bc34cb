// Register throughput of expansion arithmetic on a CUDA device: every thread repeats z = z ∘ y on words that stay in
// registers (or, for long expansions, in local memory), so that neither memory nor launches count. Prints thousand
// million operations a second, the median of seven timings, and the operands' dependence on data is the typical one: no
// zero word, nothing overflows.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "arith/expansion/expansion.hpp"
#include "arith/words/double_word.hpp"

namespace {

using assay::DoubleWord;
using assay::Expansion;
namespace expansion = assay::expansion;

constexpr int block = 256;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

/// K words near `head`, each about 2⁻⁵⁴ of the one before and different from thread to thread.
template <int K>
__device__ Expansion<double, K> operand(double head, int seed) {
  Expansion<double, K> x{};
  double weight = 1;
  for (int i = 0; i < K; ++i) {
    const double digits = 1 + static_cast<double>((seed * 37 + i * 101) % 1009) * 0x1.8p-11;
    x.x[i] = i == 0 ? head * (1 + digits * 0x1p-30) : digits * weight;
    weight *= 0x1p-54;
  }
  return x;
}

template <int K, class Op>
__global__ void repeat(int steps, double head, double* out) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Expansion<double, K> z = operand<K>(1.25, thread);
  const Expansion<double, K> y = operand<K>(head, thread + 5);
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    z = Op{}(z, y);
  }
  double sum = 0;
  for (int i = 0; i < K; ++i) {
    sum += z.x[i];
  }
  out[thread] = sum;
}

/// Operations a second.
template <int K, class Op>
double rate(double head) {
  int device = 0;
  int processors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const int blocks = processors * 32;
  double* out = nullptr;
  check(cudaMalloc(&out, sizeof(double) * static_cast<std::size_t>(blocks) * block));
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  const auto seconds = [&](int steps) {
    check(cudaEventRecord(begin));
    repeat<K, Op><<<static_cast<unsigned>(blocks), block>>>(steps, head, out);
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) * 1e-3;
  };
  seconds(8);
  const int steps = std::clamp(static_cast<int>(8 * 4e-3 / seconds(8)), 8, 4000);
  std::vector<double> times(7);
  for (double& time : times) {
    time = seconds(steps);
  }
  std::sort(times.begin(), times.end());
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  check(cudaFree(out));
  return static_cast<double>(blocks) * block * steps / times[times.size() / 2];
}

struct CertifiedAdd {
  template <int K>
  __device__ Expansion<double, K> operator()(const Expansion<double, K>& a, const Expansion<double, K>& b) const {
    return expansion::certified_add<K>(a, b);
  }
};
struct QuickAdd {
  template <int K>
  __device__ Expansion<double, K> operator()(const Expansion<double, K>& a, const Expansion<double, K>& b) const {
    return expansion::quick_add<K>(a, b);
  }
};
struct CertifiedMul {
  template <int K>
  __device__ Expansion<double, K> operator()(const Expansion<double, K>& a, const Expansion<double, K>& b) const {
    return expansion::certified_mul<K>(a, b);
  }
};
struct TruncatedMul {
  template <int K>
  __device__ Expansion<double, K> operator()(const Expansion<double, K>& a, const Expansion<double, K>& b) const {
    return expansion::truncated_mul<K>(a, b);
  }
};
struct QuickMul {
  template <int K>
  __device__ Expansion<double, K> operator()(const Expansion<double, K>& a, const Expansion<double, K>& b) const {
    return expansion::quick_mul<K>(a, b);
  }
};

/// An operation on double words, as one on expansions of two words.
template <DoubleWord<double> (*f)(DoubleWord<double>, DoubleWord<double>)>
struct DoubleWords {
  __device__ Expansion<double, 2> operator()(const Expansion<double, 2>& a, const Expansion<double, 2>& b) const {
    const DoubleWord<double> z = f({a.x[0], a.x[1]}, {b.x[0], b.x[1]});
    return {{z.h, z.l}};
  }
};

template <int K>
void row() {
  std::printf("%2d  %13.2f  %9.2f  %13.2f  %13.2f  %9.2f\n", K, rate<K, CertifiedAdd>(1.0) * 1e-9,
              rate<K, QuickAdd>(1.0) * 1e-9, rate<K, CertifiedMul>(1.0) * 1e-9, rate<K, TruncatedMul>(1.0) * 1e-9,
              rate<K, QuickMul>(1.0) * 1e-9);
}

}  // namespace

int main() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, binary64, Gop/s\n", properties.name);
  std::printf(" K  certified_add  quick_add  certified_mul  truncated_mul  quick_mul\n");
  row<2>();
  row<3>();
  row<4>();
  row<8>();
  row<16>();
  std::printf("dw::sloppy_add %.0f, dw::accurate_add %.0f, dw::mul1 %.0f, dw::mul2 %.0f, dw::mul3 %.0f\n",
              rate<2, DoubleWords<assay::dw::sloppy_add<double>>>(1.0) * 1e-9,
              rate<2, DoubleWords<assay::dw::accurate_add<double>>>(1.0) * 1e-9,
              rate<2, DoubleWords<assay::dw::mul1<double>>>(1.0) * 1e-9,
              rate<2, DoubleWords<assay::dw::mul2<double>>>(1.0) * 1e-9,
              rate<2, DoubleWords<assay::dw::mul3<double>>>(1.0) * 1e-9);
}
