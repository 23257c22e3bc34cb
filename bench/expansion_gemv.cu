// y ← αAx of expansions on a CUDA device: the kernels of kernels/expansion/gemv.hpp, whose properties are checked, on
// arrays that lie on the device. Words have full significands, each about 2⁻⁵⁴ of the one before.
//
// Medians of 25 launches, timed by events; the launches are queued behind a kernel that waits, so that the host's part
// is not timed. "rotating" goes through so many copies of A that each comes from device memory, "one copy" repeats one,
// which stays in the L2 cache where it fits. Beside them two floors: A read once at the copy rate, and K²(2K − 1)
// operations a product at the rate of binary64 operations (one a cycle on each of 64 units of a multiprocessor). For n
// = 1000 every word is compared with the host's result. After them the GEMM, in thousand million products a second.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/launch.hpp"
#include "kernels/expansion/detail/gemm_block.hpp"
#include "kernels/expansion/detail/gemv_block.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"

namespace {

using assay::Expansion;
namespace blas = assay::blas;

constexpr double copy_rate = 4.3e12;  // bytes a second, read and written, of a copy on an H200
constexpr int launches = 25;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

/// Word k of entry i: a random sign and significand, the exponent −54k.
__global__ void fill(double* words, std::size_t entries, int K, std::uint64_t seed) {
  const std::size_t count = entries * static_cast<std::size_t>(K);
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const std::uint64_t z = assay::bits::SplitMix64{seed + i * assay::bits::SplitMix64::step}();
    const auto exponent = static_cast<std::uint64_t>(1023 - 54 * static_cast<int>(i % static_cast<std::size_t>(K)));
    words[i] = __longlong_as_double(static_cast<long long>((z & 0x800FFFFFFFFFFFFFu) | (exponent << 52)));
  }
}

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// An array of expansions on the device.
class Words {
 public:
  Words(std::size_t entries, int K, std::uint64_t seed) : count_(entries * static_cast<std::size_t>(K)) {
    check(cudaMalloc(&words_, count_ * sizeof(double)));
    fill<<<1024, 256>>>(words_, entries, K, seed);
    check(cudaGetLastError());
  }
  ~Words() { cudaFree(words_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  double* data() const { return words_; }
  std::vector<double> take(std::size_t count) const {
    std::vector<double> host(count);
    check(cudaMemcpy(host.data(), words_, count * sizeof(double), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  double* words_ = nullptr;
  std::size_t count_;
};

template <int K>
Expansion<double, K> scalar(const Words& words) {
  Expansion<double, K> x;
  const std::vector<double> host = words.take(K);
  std::copy(host.begin(), host.end(), x.x);
  return x;
}

/// The median time of `launch(i)`, in milliseconds.
template <class Launch>
double median_time(Launch&& launch) {
  cudaEvent_t begin[launches];
  cudaEvent_t end[launches];
  for (int i = 0; i < launches; ++i) {
    check(cudaEventCreate(&begin[i]));
    check(cudaEventCreate(&end[i]));
  }
  launch(0);
  check(cudaDeviceSynchronize());
  wait<<<1, 1>>>(2000000);
  for (int i = 0; i < launches; ++i) {
    check(cudaEventRecord(begin[i]));
    launch(i);
    check(cudaEventRecord(end[i]));
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  std::vector<float> times(launches);
  for (int i = 0; i < launches; ++i) {
    check(cudaEventElapsedTime(&times[static_cast<std::size_t>(i)], begin[i], end[i]));
    check(cudaEventDestroy(begin[i]));
    check(cudaEventDestroy(end[i]));
  }
  std::sort(times.begin(), times.end());
  return times[launches / 2];
}

/// Operations on binary64 a second: one in each cycle of each unit.
double operation_rate() {
  int multiprocessors = 0;
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  return 64.0 * multiprocessors * kilohertz * 1e3;
}

/// The words of y that differ from the host's.
template <int K>
int different_words(blas::Transpose trans, std::int64_t n, const Words& a, const Words& x, const Words& y,
                    const Expansion<double, K>& alpha) {
  const auto size = static_cast<std::size_t>(n) * K;
  const std::vector<double> host_a = a.take(size * static_cast<std::size_t>(n));
  const std::vector<double> host_x = x.take(size);
  const std::vector<double> start(size);
  const std::vector<double> zero(K);
  using Span = std::span<const double>;
  const std::vector<double> want =
      assay::expansion::expansion_gemv<double>(assay::Executor::host(), K, trans, n, n, Span(alpha.x), Span(host_a), n,
                                               Span(host_x), 1, Span(zero), Span(start), 1);
  const std::vector<double> got = y.take(size);
  int different = 0;
  for (std::size_t i = 0; i < size; ++i) different += std::memcmp(&want[i], &got[i], sizeof(double)) != 0 ? 1 : 0;
  return different;
}

template <int K, bool transposed>
void time_gemv(std::int64_t n, double peer) {
  using Kernel = assay::expansion::detail::ExpansionGemvBlock<double, K, transposed>;
  const std::size_t entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::size_t bytes = entries * K * sizeof(double);
  const std::size_t copies = std::max<std::size_t>(1, (std::size_t{1} << 29) / bytes);
  const Words a(entries * copies, K, 1);
  const Words x(static_cast<std::size_t>(n), K, 2);
  const Words y(static_cast<std::size_t>(n), K, 3);
  Kernel kernel{};
  kernel.outputs = kernel.terms = kernel.lda = n;
  kernel.alpha = scalar<K>(Words(1, K, 4));
  kernel.x = x.data();
  kernel.y = y.data();
  kernel.incx = kernel.incy = 1;
  const auto blocks = static_cast<unsigned>((n + Kernel::rows - 1) / Kernel::rows);
  const auto launch = [&](std::size_t copy) {
    kernel.a = a.data() + copy * entries * K;
    assay::detail::block_kernel<Kernel><<<blocks, Kernel::threads>>>(kernel);
  };
  const double rotating = median_time([&](int i) { launch(static_cast<std::size_t>(i) % copies); });
  const double one_copy = copies == 1 ? rotating : median_time([&](int) { launch(0); });
  const double memory = static_cast<double>(bytes) / copy_rate * 1e3;
  const double arithmetic = static_cast<double>(entries) * K * K * (2 * K - 1) / operation_rate() * 1e3;
  std::printf("%d  %4lld  %c  %8.4f  %8.4f  %8.4f  %8.4f  %3.0f %%  ", K, static_cast<long long>(n),
              transposed ? 'T' : 'N', rotating, one_copy, memory, arithmetic,
              100 * std::max(memory, arithmetic) / rotating);
  if (peer > 0) {
    std::printf("%7.3f  %5.1f  ", peer, peer / rotating);
  } else {
    std::printf("      -      -  ");
  }
  if (n > 1000) {
    std::printf("-\n");
    return;
  }
  launch(0);
  check(cudaDeviceSynchronize());
  const int different =
      different_words<K>(transposed ? blas::Transpose::yes : blas::Transpose::no, n, a, x, y, kernel.alpha);
  std::printf("%s\n", different == 0 ? "the host's bits" : "OTHER BITS THAN THE HOST'S");
}

template <int K>
void time_both(std::int64_t n, double peer) {
  time_gemv<K, false>(n, peer);
  time_gemv<K, true>(n, peer);
}

template <int K>
void time_gemm(std::int64_t n) {
  using Kernel = assay::expansion::detail::ExpansionGemmBlock<double, K>;
  using View = assay::expansion::detail::ExpansionMatrixView<double, K>;
  const std::size_t entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const Words a(entries, K, 1);
  const Words b(entries, K, 2);
  const Words c(entries, K, 3);
  Kernel kernel{};
  kernel.m = kernel.n = kernel.k = kernel.ldc = n;
  kernel.alpha = scalar<K>(Words(1, K, 4));
  kernel.a = View{a.data(), 1, n};
  kernel.b = View{b.data(), 1, n};
  kernel.c = c.data();
  const auto tiles = static_cast<unsigned>((n + Kernel::tile - 1) / Kernel::tile);
  const double time =
      median_time([&](int) { assay::detail::block_kernel<Kernel><<<tiles * tiles, Kernel::threads>>>(kernel); });
  const double products = static_cast<double>(n) * static_cast<double>(entries);
  std::printf("%d  %4lld  %8.4f  %8.1f  %3.0f %%\n", K, static_cast<long long>(n), time, products / time * 1e-6,
              100 * products * K * K * (2 * K - 1) / operation_rate() / (time * 1e-3));
}

}  // namespace

int main() {
  std::printf("GEMV, ms; floors: memory, arithmetic; part of the larger floor; CAMPARY's operators, ratio\n");
  std::printf("K     n  op  rotating  one copy    memory     arith.   part  CAMPARY  ratio  bits\n");
  time_both<2>(1000, 0.219);
  time_both<2>(4000, 1.75);
  time_both<3>(1000, 0);
  time_both<3>(4000, 0);
  time_both<4>(1000, 1.02);
  time_both<4>(4000, 4.91);
  time_both<8>(1000, 4.58);
  time_both<8>(4000, 18.2);
  std::printf("\nGEMM: K, n, ms, thousand million products a second, part of the arithmetic floor\n");
  time_gemm<2>(1024);
  time_gemm<3>(1024);
  time_gemm<4>(1024);
  time_gemm<8>(512);
}
