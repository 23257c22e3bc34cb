// Register throughput of expansion arithmetic on a CUDA device: every thread repeats z = z ∘ y on words that stay in
// registers (or, for long expansions, in local memory), so that neither memory nor launches are measured. Prints 10⁹
// operations a second, by the median of seven timings. Branches on the operands take their typical path: no zero word,
// nothing overflows. Run: build/cuda/bin/expansion_throughput.
#include <algorithm>
#include <string>

#include "arith/expansion/expansion.hpp"
#include "arith/words/double_word.hpp"
#include "bench/common.hpp"
#include "bench/timer.hpp"

namespace assay::bench {
namespace {

constexpr int block = 256;

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

template <int K, Expansion<double, K> (*op)(const Expansion<double, K>&, const Expansion<double, K>&)>
__global__ void repeat(int steps, double head, double* out) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Expansion<double, K> z = operand<K>(1.25, thread);
  const Expansion<double, K> y = operand<K>(head, thread + 5);
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    z = op(z, y);
  }
  double sum = 0;
  for (int i = 0; i < K; ++i) {
    sum += z.x[i];
  }
  out[thread] = sum;
}

/// 10⁹ operations a second.
template <int K, Expansion<double, K> (*op)(const Expansion<double, K>&, const Expansion<double, K>&)>
std::string rate(const Executor& on, int decimals) {
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, on.device()));
  const int blocks = processors * 32;
  const DeviceArray<double> out(on, static_cast<std::size_t>(blocks) * block);
  const auto milliseconds = [&](int runs, int steps) {
    const Times times = time_calls(
        on, runs, [&](int) { repeat<K, op><<<static_cast<unsigned>(blocks), block>>>(steps, 1.0, out.data()); });
    return times.median;
  };
  const int steps = std::clamp(static_cast<int>(8 * 4 / milliseconds(1, 8)), 8, 4000);
  return fixed(static_cast<double>(blocks) * block * steps / milliseconds(7, steps) * 1e-6, decimals);
}

/// An operation on double words, as one on expansions of two words.
template <DoubleWord<double> (*f)(DoubleWord<double>, DoubleWord<double>)>
__device__ Expansion<double, 2> as_expansion(const Expansion<double, 2>& a, const Expansion<double, 2>& b) {
  const DoubleWord<double> z = f({a.x[0], a.x[1]}, {b.x[0], b.x[1]});
  return {{z.h, z.l}};
}

template <int K>
void row(const Executor& on, const Table& table) {
  namespace e = expansion;
  table.row({std::to_string(K), rate<K, e::certified_add<K, double, K, K>>(on, 2),
             rate<K, e::quick_add<K, double, K, K>>(on, 2), rate<K, e::certified_mul<K, double, K, K>>(on, 2),
             rate<K, e::truncated_mul<K, double, K, K>>(on, 2), rate<K, e::quick_mul<K, double, K, K>>(on, 2)});
}

void measure(const Executor& on) {
  std::printf("binary64, 10^9 operations a second\n");
  const Table table({"K", "certified_add", "quick_add", "certified_mul", "truncated_mul", "quick_mul"});
  row<2>(on, table);
  row<3>(on, table);
  row<4>(on, table);
  row<8>(on, table);
  row<16>(on, table);
  const Table words({"dw::sloppy_add", "dw::accurate_add", "dw::mul1", "dw::mul2", "dw::mul3"});
  words.row({rate<2, as_expansion<dw::sloppy_add<double>>>(on, 0),
             rate<2, as_expansion<dw::accurate_add<double>>>(on, 0), rate<2, as_expansion<dw::mul1<double>>>(on, 0),
             rate<2, as_expansion<dw::mul2<double>>>(on, 0), rate<2, as_expansion<dw::mul3<double>>>(on, 0)});
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("expansion_throughput", assay::bench::measure); }
