// C ← AB + C on a CUDA device, every entry correctly rounded: kernels/gemm/crt.hpp on arrays that lie on the device,
// for n × n matrices of (rand − ½)·exp(φ·randn), beside cublasDgemm and the int8 products alone.
//
// Medians of some calls after a warm-up, timed by events: whole calls with their allocations and their waits, in 10¹²
// operations a second, 2n³ of them; of the last call the time of each phase, moduli, entries that needed a
// superaccumulator, memory. The last size also transposed, and with smaller workspaces. First, sampled entries are
// compared with those of the superaccumulator.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "kernels/gemm/detail/crt_engine.hpp"

namespace assay {
namespace {

constexpr int most_events = 4096;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

/// Word i of the SplitMix64 generator that starts at 0.
ASSAY_HD std::uint64_t random_word(std::uint64_t i) { return bits::SplitMix64{i * bits::SplitMix64::step}(); }

/// (rand − ½)·exp(φ·randn); randn by Box and Muller.
struct Fill {
  double* x;
  double phi;
  std::uint64_t seed;
  __device__ void operator()(std::size_t i) const {
    const auto uniform = [&](std::uint64_t k) {
      return static_cast<double>(random_word(seed + 3 * i + k) >> 11) * 0x1p-53;
    };
    const double normal = ::sqrt(-2 * ::log(1 - uniform(1))) * ::cospi(2 * uniform(2));
    x[i] = (uniform(0) - 0.5) * ::exp(phi * normal);
  }
};

template <class F>
__global__ void index(std::size_t n, F f) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    f(i);
  }
}

struct Differ {
  const double* x;
  const double* y;
  const std::uint64_t* entries;
  unsigned* count;
  __device__ void operator()(std::size_t i) const {
    const std::uint64_t at = entries[i];
    if (to_bits(x[at]) != to_bits(y[at])) atomicAdd(count, 1);
  }
};

/// When each phase began.
struct Clock {
  cudaEvent_t event[most_events];
  assay::gemm::detail::CrtPhase phase[most_events];
  int count = 0;
};

struct TimedSteps : assay::gemm::detail::GemmCrtSteps {
  Clock* clock;
  void begin(assay::gemm::detail::CrtPhase phase) const {
    if (clock->count == most_events) return;
    check(cudaEventRecord(clock->event[clock->count]));
    clock->phase[clock->count++] = phase;
  }
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

/// Milliseconds of f, the median of `calls` after one.
template <class F>
double timed(int calls, F&& f) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<double> times;
  for (int i = 0; i <= calls; ++i) {
    check(cudaEventRecord(begin));
    f();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (i > 0) times.push_back(ms);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return median(times);
}

struct Setting {
  std::int64_t n;
  double phi;
  blas::Transpose trans_a = blas::Transpose::no;
  blas::Transpose trans_b = blas::Transpose::no;
  assay::gemm::GemmOptions options = {};
};

void run(const Executor& on, const Setting& setting, Clock& clock) {
  const std::int64_t n = setting.n;
  const bool trans_a = setting.trans_a == blas::Transpose::yes;
  const bool trans_b = setting.trans_b == blas::Transpose::yes;
  const auto size = static_cast<std::size_t>(n * n);
  double *a, *b, *c, *original, *expected;
  for (double** x : {&a, &b, &c, &original, &expected}) check(cudaMalloc(x, size * sizeof(double)));
  index<<<4096, 128>>>(size, Fill{a, setting.phi, 0});
  index<<<4096, 128>>>(size, Fill{b, setting.phi, std::uint64_t{1} << 40});
  index<<<4096, 128>>>(size, Fill{original, 0, std::uint64_t{1} << 41});
  assay::gemm::GemmArguments g{.trans_a = setting.trans_a,
                               .trans_b = setting.trans_b,
                               .m = n,
                               .n = n,
                               .k = n,
                               .alpha = 1,
                               .a = a,
                               .lda = n,
                               .b = b,
                               .ldb = n,
                               .beta = 1,
                               .c = c,
                               .ldc = n};
  const auto reset = [&](double* x) {
    check(cudaMemcpy(x, original, size * sizeof(double), cudaMemcpyDeviceToDevice));
  };

  reset(c);
  assay::gemm::GemmCrtReport report = assay::gemm::gemm_crt(on, g, setting.options);
  constexpr std::size_t most_samples = 4096;
  std::vector<std::uint64_t> entries;
  for (std::size_t i = 0; i < std::min(most_samples, size); ++i) entries.push_back(random_word(i) % size);
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::uint64_t* list;
  unsigned* count;
  check(cudaMalloc(&list, entries.size() * sizeof(std::uint64_t)));
  check(cudaMalloc(&count, sizeof(unsigned)));
  check(cudaMemcpy(list, entries.data(), entries.size() * sizeof(std::uint64_t), cudaMemcpyHostToDevice));
  check(cudaMemset(count, 0, sizeof(unsigned)));
  reset(expected);
  assay::gemm::GemmArguments g_expected = g;
  g_expected.c = expected;
  assay::gemm::recompute_entries(on, g_expected, expected, list, entries.size());
  index<<<64, 64>>>(entries.size(), Differ{c, expected, list, count});
  unsigned differ = 0;
  check(cudaMemcpy(&differ, count, sizeof differ, cudaMemcpyDeviceToHost));

  const int calls = n >= 8192 ? 3 : 9;
  const double flops = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const TimedSteps steps{{}, &clock};
  const double whole = timed(calls, [&] {
    clock.count = 0;
    report = assay::gemm::detail::gemm_crt(on, g, setting.options, steps);
  });
  double phases[6] = {};
  for (int i = 0; i + 1 < clock.count; ++i) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, clock.event[i], clock.event[i + 1]));
    phases[static_cast<int>(clock.phase[i])] += ms;
  }
  const double native = timed(
      calls, [&] { assay::gemm::cublas::dgemm(on, trans_a, trans_b, n, n, n, 1, a, n, 0, b, n, 0, 1, c, n, 0, 1); });
  // The int8 products alone: any bytes will do, and those of A are at hand.
  const double product = timed(calls, [&] {
    assay::gemm::cublas::int8_product(on, n, n, n, reinterpret_cast<const std::int8_t*>(a), n, 0,
                                      reinterpret_cast<const std::int8_t*>(b), n, 0, reinterpret_cast<std::int32_t*>(c),
                                      n, 0, 1);
  });
  std::printf("%5lld %4.1f %c%c %5.2f  %8.3f %6.1f  %6.1f  %6.1f  %3d%s %d  %7llu  %6.2f", static_cast<long long>(n),
              setting.phi, trans_a ? 'T' : 'N', trans_b ? 'T' : 'N',
              static_cast<double>(setting.options.budget()) / (1 << 30), whole, flops / whole, flops / native,
              flops / (report.moduli * product), report.moduli, report.exact ? "e" : " ", report.passes,
              static_cast<unsigned long long>(report.undecided),
              static_cast<double>(report.workspace_bytes) / (1 << 30));
  for (int i = 0; i < 5; ++i) std::printf(" %7.3f", phases[i]);
  std::printf("  %u of %zu\n", differ, entries.size());
  std::fflush(stdout);
  for (void* x : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(original),
                  static_cast<void*>(expected), static_cast<void*>(list), static_cast<void*>(count)}) {
    check(cudaFree(x));
  }
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  using namespace assay;
  const Executor on = Executor::cuda();
  static Clock clock;
  for (cudaEvent_t& each : clock.event) check(cudaEventCreate(&each));
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  if (sizes.empty()) sizes = {512, 1024, 2048, 4096, 8192};
  std::printf("%s\n", on.model().c_str());
  std::printf(
      "               most             TFLOP/s, all of it   moduli, exact,      used  ms: scan, residues, products,"
      "\n    n  phi      GiB        ms    CRT  native    int8  passes    redone     GiB  looks, redone; wrong\n");
  for (const std::int64_t n : sizes) {
    for (const double phi : {0.0, 1.0, 4.0}) run(on, {n, phi}, clock);
  }
  const std::int64_t n = sizes.back();
  run(on, {n, 1, blas::Transpose::no, blas::Transpose::yes}, clock);
  run(on, {n, 1, blas::Transpose::yes, blas::Transpose::no}, clock);
  run(on, {n, 1, blas::Transpose::yes, blas::Transpose::yes}, clock);
  for (const int shift : {31, 30, 29}) {
    run(on, {n, 1, blas::Transpose::no, blas::Transpose::no, {.workspace_bytes = std::size_t{1} << shift}}, clock);
  }
}
