// y ← αAx + y in multiple precision on a CUDA device, decomposed as in kernels/gemv/mp_gemv_decomposed.hpp, on arrays
// that lie on the device. m = n = 1000; A, x and α have significands of the whole length, or of a quarter of it, where
// no product has to be rounded; all exponents are equal.
//
// Medians of 7 calls after a warm-up, timed by events: αx; B = A·diag(αx) with the kernels up to signs, digits and
// rounding; the reduction of B's rows by 32 sums each; and MPRES-BLAS, with the ratio.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/launch.hpp"
#include "kernels/gemv/detail/mp_gemv_decomposed_block.hpp"

namespace assay {
namespace {

constexpr std::int64_t size = 1000;
constexpr int sum_bits = 5;  // 32 sums for each entry
constexpr int calls = 7;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

/// Number k: random bits as many as told, a random sign, the exponent that makes it less than 1.
template <class Set>
struct Fill {
  assay::mp::MpView<Set> to;
  int bits;
  std::uint64_t seed;
  ASSAY_HD void operator()(std::size_t k) const {
    std::uint32_t limbs[(assay::mp::significand_bits<Set> + 31) / 32];
    const int count = (bits + 31) / 32;
    std::uint64_t z = 0;
    for (int i = 0; i < count; ++i) {
      z = bits::SplitMix64{(64 * k + static_cast<std::uint64_t>(i) + seed) * bits::SplitMix64::step}();
      limbs[i] = static_cast<std::uint32_t>(z);
    }
    limbs[count - 1] >>= 32 * count - bits;
    to.store(k, assay::mp::from_limbs<Set>(limbs, count, -bits, z >> 63 != 0));
  }
};

template <class F>
void run(std::size_t n, const F& f) {
  detail::index_kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(n, f);
}

template <class Kernel>
void run_blocks(std::int64_t numbers, std::int64_t of_block, const Kernel& kernel) {
  detail::block_kernel<<<static_cast<unsigned>((numbers - 1) / of_block + 1), Kernel::threads>>>(kernel);
}

/// Numbers on the device, element-major.
template <class Set>
class Numbers {
 public:
  Numbers(std::int64_t length, int bits, std::uint64_t seed) {
    const auto n = static_cast<std::size_t>(length);
    check(cudaMalloc(&view_.digits, n * Set::size * sizeof(std::uint32_t)));
    check(cudaMalloc(&view_.sign, n * sizeof(std::int32_t)));
    check(cudaMalloc(&view_.exponent, n * sizeof(std::int32_t)));
    check(cudaMalloc(&view_.lower, n * sizeof(Extended)));
    check(cudaMalloc(&view_.upper, n * sizeof(Extended)));
    view_.number_step = Set::size;
    view_.digit_step = 1;
    run(n, Fill<Set>{view_, bits, seed});
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() {
    for (void* each :
         std::initializer_list<void*>{view_.digits, view_.sign, view_.exponent, view_.lower, view_.upper}) {
      check(cudaFree(each));
    }
  }
  [[nodiscard]] assay::mp::MpView<Set> view() const { return view_; }

 private:
  assay::mp::MpView<Set> view_{};
};

/// The median time of f in milliseconds; `before` runs untimed before each call.
template <class Before, class F>
double median(const Before& before, const F& f) {
  std::array<cudaEvent_t, 2> events{};
  for (cudaEvent_t& each : events) check(cudaEventCreate(&each));
  std::vector<float> times;
  for (int i = 0; i < calls; ++i) {
    before();
    check(cudaEventRecord(events[0]));
    f();
    check(cudaEventRecord(events[1]));
    check(cudaEventSynchronize(events[1]));
    check(cudaEventElapsedTime(&times.emplace_back(), events[0], events[1]));
  }
  for (const cudaEvent_t each : events) check(cudaEventDestroy(each));
  check(cudaGetLastError());
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[calls / 2];
}

/// The first `stages` kernels of a product.
template <class Set>
void multiply(const assay::gemv::detail::MpProducts<Set>& products, int stages) {
  using Digits = assay::gemv::detail::MpProductDigits<Set>;
  run(products.indices(), assay::gemv::detail::MpProductSigns<Set>{products});
  if (stages > 1) run_blocks(static_cast<std::int64_t>(products.indices()), Digits::entries, Digits{products});
  using Rounding = assay::gemv::detail::MpProductRounding<Set>;
  const std::int64_t length = products.rows * products.columns;
  if (stages > 2) run_blocks(length, Rounding::numbers, Rounding{length, products.b.numbers});
}

/// `peer`: MPRES-BLAS in milliseconds.
template <class Set>
void measure(bool whole, double peer) {
  using Entries = assay::gemv::detail::MpEntries<Set>;
  const int bits = whole ? assay::mp::significand_bits<Set> - 1 : assay::mp::significand_bits<Set> / 4;
  const Numbers<Set> a(size * size, bits, 0), x(size, bits, 1u << 30), d(size, bits, 0), b(size * size, bits, 0),
      y(size, bits, 2u << 30), alpha(1, bits, 3u << 30);
  const Entries to_x{d.view(), 0, 1, 0}, to_b{b.view(), 0, 1, size}, y_entries{y.view(), 0, 1, 0};
  const assay::gemv::detail::MpProducts<Set> scaled{size, 1, 10, {x.view(), 0, 1, 0}, {alpha.view(), 0, 0, 0}, to_x};
  const assay::gemv::detail::MpProducts<Set> products{size, size, 10, {a.view(), 0, 1, size}, {d.view(), 0, 0, 1},
                                                      to_b};
  const auto nothing = [] {};
  const double scaling = median(nothing, [&] { multiply(scaled, 3); });
  std::array<double, 3> stages{};
  for (int i = 0; i < 3; ++i) {
    stages[static_cast<std::size_t>(i)] = median(nothing, [&] { multiply(products, i + 1); });
  }
  const double sums = median([&] { multiply(products, 3); },
                             [&] {
                               using Reduction = assay::gemv::detail::MpReductionBlock<Set>;
                               run_blocks(size, Reduction::Sums::numbers >> sum_bits,
                                          Reduction{size, size, sum_bits, true, to_b, y_entries, y_entries, true});
                             });
  const double all = scaling + stages[2] + sums;
  std::printf("%3d  %-7s %7.3f %8.3f %8.3f %9.3f %10.3f %8.3f %9.3f %7.1f\n", Set::n, whole ? "whole" : "quarter",
              scaling, stages[0], stages[1], stages[2], sums, all, peer, peer / all);
}

template <class Set>
void measure_both(double peer_whole, double peer_quarter) {
  measure<Set>(true, peer_whole);
  measure<Set>(false, peer_quarter);
}

}  // namespace
}  // namespace assay

int main() {
  using assay::rns::Standard;
  assay::check(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  for (int i = 0; i < 50; ++i) const assay::Numbers<Standard<8>> warm_up(1 << 20, 107, 0);
  std::printf("ms\n  n  length  alpha x    signs  +digits +rounding  reduction      all  MPRES-BLAS  ratio\n");
  assay::measure_both<Standard<8>>(189, 0.252);
  assay::measure_both<Standard<16>>(158, 0.325);
  assay::measure_both<Standard<32>>(235, 0.524);
  assay::measure_both<Standard<64>>(308, 1.74);
  assay::measure_both<Standard<128>>(712, 4.80);
}
