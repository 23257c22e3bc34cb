// Register throughput of elementary functions of double words and quad doubles on a CUDA device: every thread adds up
// f(x) for operands that it generates itself, so that neither memory nor launches are measured. Prints 10⁹ values a
// second, by the median of seven timings. Run: build/cuda/bin/elementary_throughput.
#include <algorithm>
#include <string>

#include "arith/words/elementary.hpp"
#include "bench/common.hpp"
#include "bench/timer.hpp"

namespace assay::bench {
namespace {

constexpr int block = 256;

/// A number of [1, 2) with low words, different from thread to thread and from step to step.
template <class W>
__device__ W operand(int thread, int step) {
  const double head = 1 + static_cast<double>((thread * 37 + step * 101) % 1009) * 0x1.8p-11;
  if constexpr (sizeof(W) == sizeof(DoubleWord<double>)) {
    return {head, head * 0x1p-55};
  } else {
    return {head, head * 0x1p-55, head * 0x1p-110, head * 0x1p-166};
  }
}
__device__ double first_word(const DoubleWord<double>& x) { return x.h; }
__device__ double first_word(const QuadDouble<double>& x) { return x.x0; }

template <class W, W (*f)(const W&)>
__global__ void repeat(int steps, double* out) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sum = 0;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) sum += first_word(f(operand<W>(thread, i)));
  out[thread] = sum;
}

/// 10⁹ values a second.
template <class W, W (*f)(const W&)>
std::string rate(const Executor& on) {
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, on.device()));
  const int blocks = processors * 32;
  const DeviceArray<double> out(on, static_cast<std::size_t>(blocks) * block);
  const auto milliseconds = [&](int runs, int steps) {
    const Times times =
        time_calls(on, runs, [&](int) { repeat<W, f><<<static_cast<unsigned>(blocks), block>>>(steps, out.data()); });
    return times.median;
  };
  const int steps = std::clamp(static_cast<int>(2 * 4 / milliseconds(1, 2)), 2, 1000);
  return fixed(static_cast<double>(blocks) * block * steps / milliseconds(7, steps) * 1e-6, 2);
}

template <class W>
void row(const Executor& on, const Table& table, const char* name) {
  namespace e = elementary;
  table.row({name, rate<W, e::exp<W>>(on), rate<W, e::log<W>>(on), rate<W, e::sin<W>>(on), rate<W, e::tan<W>>(on),
             rate<W, e::atan<W>>(on), rate<W, e::tanh<W>>(on)});
}

void measure(const Executor& on) {
  std::printf("binary64, 10^9 values a second\n");
  const Table table({"words", "exp", "log", "sin", "tan", "atan", "tanh"});
  row<DoubleWord<double>>(on, table, "2");
  row<QuadDouble<double>>(on, table, "4");
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("elementary_throughput", assay::bench::measure); }
