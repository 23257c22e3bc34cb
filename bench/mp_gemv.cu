// y ← Ax in multiple precision on a CUDA device, rounded once for each entry: the kernels of
// kernels/gemv/mp_gemv_exact.hpp on arrays that lie on the device. Significands have all their bits, exponents are
// those of numbers uniform in [−1, 1].
//
// Medians of 21 calls after a warm-up, timed by events; the calls are queued behind a kernel that waits, so that the
// host's part is not timed. "rotating" goes through so many copies of A that each comes from device memory, "one copy"
// repeats one, which stays in the L2 cache where it fits. Then what each of the three kernels adds, and the floor: A's
// residues, signs and exponents, 4(n + 1) + 8 bytes a number, read once at the copy rate. Beside them the best peer and
// MPRES-BLAS, of which the second time is that with significands of a quarter of the length. First, entries are
// compared with the host's bits: small shapes, exponents far apart, alpha and beta.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/launch.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_block.hpp"

namespace assay {
namespace {

using assay::gemv::detail::GemvExactCall;
using assay::gemv::detail::GemvExactOperand;
using assay::gemv::detail::GemvExactScalar;

constexpr double copy_rate = 4.3e12;  // bytes a second, read and written, of a copy on an H200
constexpr int calls = 21;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

/// Word i of the SplitMix64 generator that starts at 0.
ASSAY_HD std::uint64_t random_word(std::uint64_t i) { return bits::SplitMix64{i * bits::SplitMix64::step}(); }

/// Number k: a random sign, P random bits of which the first is 1, and an exponent with the probabilities of a number
/// uniform in [−1, 1]; with `spread` > 0 uniform in its range.
__global__ void fill(std::uint32_t* digits, std::int32_t* meta, std::size_t count, int n, int spread,
                     std::uint64_t seed) {
  const assay::rns::LimbTablesView tables = assay::gemv::detail::standard_limb_tables(n);
  const int limbs = (tables.precision + 31) / 32;
  const int top_bits = tables.precision - 32 * (limbs - 1);
  for (std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; k < count;
       k += std::size_t{gridDim.x} * blockDim.x) {
    std::uint32_t words[assay::gemv::detail::GemvExactScalar::most_limbs];
    for (int i = 0; i < limbs; ++i) words[i] = static_cast<std::uint32_t>(random_word(seed + 64 * k + i));
    words[limbs - 1] >>= 32 - top_bits;
    words[limbs - 1] |= 1u << (top_bits - 1);
    for (int i = 0; i < tables.size; ++i) digits[i * count + k] = assay::rns::residue_of_limbs(tables, i, words, limbs);
    const std::uint64_t z = random_word(seed + 64 * k + 63);
    int e = spread > 0 ? static_cast<int>((z >> 1) % static_cast<unsigned>(spread)) : 0;
    while (spread == 0 && e < 60 && (z >> (e + 1) & 1) == 0) ++e;
    meta[k] = 2 * (-tables.precision - e) + static_cast<std::int32_t>(z & 1);
  }
}

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, std::max<std::size_t>(1, count) * sizeof(T)));
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  T* data() const { return data_; }
  std::vector<T> take() const {
    std::vector<T> host(count_);
    check(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

struct Numbers {
  Memory<std::uint32_t> digits;
  Memory<std::int32_t> meta;
  Numbers(std::size_t count, int n, int spread, std::uint64_t seed)
      : digits(count * static_cast<std::size_t>(n + 1)), meta(count) {
    fill<<<2048, 128>>>(digits.data(), meta.data(), count, n, spread, seed << 40);
    check(cudaGetLastError());
  }
};

/// A call with arrays of its own, on the device or on the host.
template <bool transposed>
struct Problem {
  std::int64_t outputs, terms;
  std::size_t copies;
  Numbers a, x, y;
  Memory<std::int32_t> sign, exponent;
  Memory<Extended> lower, upper;
  assay::gemv::detail::GemvExactCall<transposed> call;
  Memory<std::int32_t> tops, bases, outside, listed;
  Memory<std::uint32_t> partial;

  Problem(int n, std::int64_t outputs_, std::int64_t terms_, int spread, std::size_t copies_)
      : outputs(outputs_),
        terms(terms_),
        copies(copies_),
        a(entries() * copies, n, spread, 1),
        x(static_cast<std::size_t>(terms), n, spread, 2),
        y(static_cast<std::size_t>(outputs), n, 0, 3),
        sign(static_cast<std::size_t>(outputs)),
        exponent(static_cast<std::size_t>(outputs)),
        lower(static_cast<std::size_t>(outputs)),
        upper(static_cast<std::size_t>(outputs)),
        call(call_of(n, outputs, terms)),
        tops(call.plan.tops_size()),
        bases(call.plan.bases_size()),
        outside(call.plan.outside_size()),
        listed(call.plan.listed_size()),
        partial(call.plan.partial_size()) {
    check(cudaMemset(sign.data(), 0, static_cast<std::size_t>(outputs) * sizeof(std::int32_t)));
    check(cudaMemset(exponent.data(), 0xFF, static_cast<std::size_t>(outputs) * sizeof(std::int32_t)));
    call.plan.tops = tops.data();
    call.plan.bases = bases.data();
    call.plan.outside = outside.data();
    call.plan.listed = listed.data();
    call.plan.partial = partial.data();
    call.x = {x.digits.data(), x.meta.data(), terms, 1, false};
    call.alpha.limbs[0] = 1;
    call.alpha.count = 1;
    call.y = {y.digits.data(), sign.data(), exponent.data(), lower.data(), upper.data(), outputs, 1};
    select(0);
  }
  static assay::gemv::detail::GemvExactCall<transposed> call_of(int n, std::int64_t outputs, std::int64_t terms) {
    assay::gemv::detail::GemvExactCall<transposed> call{};
    call.plan = assay::gemv::detail::gemv_exact_plan(n, transposed, outputs, terms);
    return call;
  }
  std::size_t entries() const { return static_cast<std::size_t>(outputs) * static_cast<std::size_t>(terms); }
  void select(std::size_t copy) {
    call.a = {a.digits.data() + copy * entries(), a.meta.data() + copy * entries(),
              static_cast<std::int64_t>(entries() * copies), transposed ? terms : outputs, false};
  }
  /// The first `count` kernels.
  void launch(int count = 3) const {
    int number = 0;
    call.kernels([&](std::size_t blocks, const auto& kernel) {
      using Kernel = std::remove_cvref_t<decltype(kernel)>;
      if (number++ >= count) return;
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(static_cast<unsigned>(blocks));
      config.blockDim = dim3(Kernel::threads);
      cudaLaunchAttribute overlap{};
      overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      overlap.val.programmaticStreamSerializationAllowed = 1;
      config.attrs = &overlap;
      config.numAttrs = number > 1 ? 1 : 0;
      check(cudaLaunchKernelEx(&config, detail::block_kernel<Kernel>, kernel));
    });
    check(cudaGetLastError());
  }
};

/// The median time of `launch(i)`, in microseconds.
template <class Launch>
double median_time(Launch&& launch) {
  cudaEvent_t begin[calls];
  cudaEvent_t end[calls];
  for (int i = 0; i < calls; ++i) {
    check(cudaEventCreate(&begin[i]));
    check(cudaEventCreate(&end[i]));
  }
  launch(0);
  wait<<<1, 1>>>(2000000);
  for (int i = 0; i < calls; ++i) {
    check(cudaEventRecord(begin[i]));
    launch(static_cast<std::size_t>(i));
    check(cudaEventRecord(end[i]));
  }
  check(cudaDeviceSynchronize());
  std::vector<float> times(calls);
  for (int i = 0; i < calls; ++i) {
    check(cudaEventElapsedTime(&times[static_cast<std::size_t>(i)], begin[i], end[i]));
    check(cudaEventDestroy(begin[i]));
    check(cudaEventDestroy(end[i]));
  }
  std::sort(times.begin(), times.end());
  return times[calls / 2] * 1e3;
}

template <bool transposed>
void time_gemv(int n, std::int64_t size, double peer, double mpres, double mpres_short) {
  const std::size_t bytes = static_cast<std::size_t>(size * size) * (4 * static_cast<std::size_t>(n) + 8);
  const std::size_t copies = std::clamp<std::size_t>((std::size_t{1} << 29) / bytes, 1, 8);
  Problem<transposed> problem(n, size, size, 0, copies);
  const double rotating = median_time([&](std::size_t i) {
    problem.select(i % copies);
    problem.launch();
  });
  const double one_copy = median_time([&](std::size_t) { problem.launch(); });
  double parts[2];
  for (int k = 0; k < 2; ++k) {
    parts[k] = median_time([&](std::size_t i) {
      problem.select(i % copies);
      problem.launch(k + 1);
    });
  }
  const double floor = static_cast<double>(size * size) * (4.0 * (n + 1) + 8) / copy_rate * 1e6;
  std::printf("%3d  %4lld  %c  %9.1f  %9.1f  %6.1f  %8.1f  %7.1f  %8.1f  %3.0f %%", n, static_cast<long long>(size),
              transposed ? 'T' : 'N', rotating, one_copy, parts[0], parts[1] - parts[0], rotating - parts[1], floor,
              100 * floor / rotating);
  for (const double other : {peer, mpres, mpres_short}) {
    if (other > 0) {
      std::printf("  %9.0f %6.1f", other * 1e3, other * 1e3 / rotating);
    } else {
      std::printf("          -      -");
    }
  }
  std::printf("\n");
}

/// Whether the device has the host's bits.
template <bool transposed>
void compare(int n, std::int64_t outputs, std::int64_t terms, int spread, bool scaled) {
  Problem<transposed> problem(n, outputs, terms, spread, 1);
  if (scaled) {
    problem.call.alpha = {{0xFFFFFFFFu, 5, 0x80000001u}, 3, 1, -7};
    problem.call.beta = {{3, 0xFFFFFFFFu}, 2, 0, 60};
    problem.call.reads_y = true;
  }
  auto a = problem.a.digits.take();
  auto a_meta = problem.a.meta.take();
  auto x = problem.x.digits.take();
  auto x_meta = problem.x.meta.take();
  auto y = problem.y.digits.take();
  auto sign = problem.sign.take();
  auto exponent = problem.exponent.take();
  auto lower = problem.lower.take();
  auto upper = problem.upper.take();
  auto tops = problem.tops.take();
  auto bases = problem.bases.take();
  auto outside = problem.outside.take();
  auto listed = problem.listed.take();
  auto partial = problem.partial.take();
  assay::gemv::detail::GemvExactCall<transposed> call = problem.call;
  call.plan.tops = tops.data();
  call.plan.bases = bases.data();
  call.plan.outside = outside.data();
  call.plan.listed = listed.data();
  call.plan.partial = partial.data();
  call.a.digits = a.data();
  call.a.meta = a_meta.data();
  call.x.digits = x.data();
  call.x.meta = x_meta.data();
  call.y = {y.data(), sign.data(), exponent.data(), lower.data(), upper.data(), outputs, 1};
  call.kernels([](std::size_t blocks, const auto& kernel) { launch_blocks(Executor::host(), blocks, kernel); });
  problem.launch();
  check(cudaDeviceSynchronize());
  const auto same = [](const auto& host, const auto& device) {
    return std::memcmp(host.data(), device.data(), host.size() * sizeof(host[0])) == 0;
  };
  const bool equal = same(y, problem.y.digits.take()) && same(sign, problem.sign.take()) &&
                     same(exponent, problem.exponent.take()) && same(lower, problem.lower.take()) &&
                     same(upper, problem.upper.take());
  std::printf("%3d  %c  %lld x %lld  exponents over %d  %s: %s\n", n, transposed ? 'T' : 'N',
              static_cast<long long>(outputs), static_cast<long long>(terms), spread, scaled ? "alpha, beta" : "1, 0",
              equal ? "the host's bits" : "OTHER BITS THAN THE HOST'S");
}

void all() {
  for (const int n : {8, 16, 32, 64, 128}) {
    for (const bool scaled : {false, true}) {
      compare<false>(n, 67, 301, 0, scaled);
      compare<true>(n, 19, 300, 0, scaled);
      compare<false>(n, 6, 80, 20 * n, scaled);
    }
  }
  wait<<<1, 1>>>(100000000);
  std::printf(
      "\nus; the three kernels; floor and its part; best peer, MPRES-BLAS, MPRES-BLAS with short significands, each "
      "with its ratio\n");
  std::printf(
      "  n  size op   rotating   one copy    tops      sums   finish     floor   part       peer  ratio      MPRES  "
      "ratio      short  ratio\n");
  struct Row {
    int n;
    std::int64_t size;
    double peer, mpres, mpres_short;
  };
  const Row rows[] = {{8, 1000, 0.219, 189, 0.252}, {16, 1000, 1.02, 158, 0.325}, {32, 1000, 4.58, 235, 0.524},
                      {64, 1000, 14.8, 308, 1.74},  {128, 1000, 35.2, 712, 4.80}, {8, 4000, 1.75, 0, 0},
                      {16, 4000, 4.91, 0, 0},       {32, 4000, 18.2, 0, 0},       {64, 4000, 58.4, 0, 0},
                      {128, 4000, 146, 0, 0}};
  for (const Row& row : rows) {
    time_gemv<false>(row.n, row.size, row.peer, row.mpres, row.mpres_short);
    time_gemv<true>(row.n, row.size, row.peer, row.mpres, row.mpres_short);
  }
}

}  // namespace
}  // namespace assay

int main() { assay::all(); }
