// C ← AB + C for many small products at once on a CUDA device, every entry correctly rounded: gemm_strided_batched of
// kernels/gemm/gemm.hpp on arrays that lie on the device, for n × n matrices of (rand − ½)·exp(φ·randn), compared with
// the batched cublasDgemm.
//
// Medians of 9 whole calls with their allocations and waits, in 10¹² operations a second. First, sampled entries of the
// first and of the last product are compared with those of the superaccumulator. Run: build/cuda/bin/gemm_batched.
#include <cstdint>
#include <string>

#include "bench/common.hpp"
#include "bench/gemm_samples.hpp"
#include "bench/timer.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/gemm.hpp"

namespace assay::bench {
namespace {

constexpr std::int64_t batch = 1000;
constexpr int calls = 9;

struct Copy {
  double* to;
  const double* from;
  ASSAY_HD void operator()(std::size_t i) const { to[i] = from[i]; }
};

void measure_batch(const Executor& on, const Table& table, std::int64_t n, double phi) {
  const auto no = blas::Transpose::no;
  const std::int64_t stride = n * n;
  const auto one = static_cast<std::size_t>(stride);
  const std::size_t size = one * static_cast<std::size_t>(batch);
  const DeviceArray<double> a(on, size), b(on, size), c(on, size), expected(on, one);
  queue_indices(on, size, GradedFill{a.data(), phi, 0});
  queue_indices(on, size, GradedFill{b.data(), phi, 1});
  const auto multiply = [&] {
    gemm::gemm_strided_batched(on, no, no, n, n, n, 1, a.data(), n, stride, b.data(), n, stride, 1, c.data(), n, stride,
                               batch);
  };
  std::string wrong;
  for (const std::int64_t product : {std::int64_t{0}, batch - 1}) {
    queue_indices(on, size, GradedFill{c.data(), 0, 2});
    queue_indices(on, one, Copy{expected.data(), c.data() + product * stride});
    multiply();
    const gemm::GemmArguments g{.trans_a = no,
                                .trans_b = no,
                                .m = n,
                                .n = n,
                                .k = n,
                                .alpha = 1,
                                .a = a.data() + product * stride,
                                .lda = n,
                                .b = b.data() + product * stride,
                                .ldb = n,
                                .beta = 1,
                                .c = c.data() + product * stride,
                                .ldc = n};
    wrong += (wrong.empty() ? "" : ", ") + wrong_entries(on, g, expected);
  }
  const Times ours = time_calls(on, calls, [&](int) { multiply(); });
  const Times native = time_calls(on, calls, [&](int) {
    gemm::cublas::dgemm(on, false, false, n, n, n, 1, a.data(), n, stride, b.data(), n, stride, 1, c.data(), n, stride,
                        batch);
  });
  const double side = static_cast<double>(n);
  const double flops = 2e-9 * side * side * side * static_cast<double>(batch);
  table.row({std::to_string(n), fixed(phi, 0), fixed(ours.median, 3), fixed(ours.minimum, 3),
             fixed(flops / ours.median, 2), fixed(native.median, 3), fixed(flops / native.median, 1),
             percent(native.median / ours.median), wrong});
}

void measure(const Executor& on) {
  std::printf("%lld products; medians of %d calls\n", static_cast<long long>(batch), calls);
  const Table table({"n", "φ", "ms", "least, ms", "TFLOP/s", "cublasDgemm, ms", "TFLOP/s", "of its rate",
                     "wrong of sampled, first and last product"});
  for (const std::int64_t n : {32, 64, 128, 256}) {
    for (const double phi : {0.0, 1.0, 4.0}) measure_batch(on, table, n, phi);
  }
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("gemm_batched", assay::bench::measure); }
