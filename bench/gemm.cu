// C ← AB + C on a CUDA device, every entry correctly rounded: kernels/gemm/crt.hpp on arrays that lie on the device,
// for n × n matrices of (rand − ½)·exp(φ·randn), compared with cublasDgemm and with the int8 products alone.
//
// Medians of some calls: whole calls with their allocations and their waits, in 10¹² operations a second, 2n³ of them;
// of the last call its report: moduli, passes, entries that needed a superaccumulator, memory. The last size also
// transposed, and with smaller workspaces. First, sampled entries are compared with those of the superaccumulator. Run:
// build/cuda/bin/gemm [n …].
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/gemm_samples.hpp"
#include "bench/timer.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/cublas.hpp"

namespace assay::bench {
namespace {

struct Setting {
  std::int64_t n;
  double phi;
  blas::Transpose trans_a = blas::Transpose::no;
  blas::Transpose trans_b = blas::Transpose::no;
  gemm::GemmOptions options = {};
};

void measure_setting(const Executor& on, const Table& table, const Setting& setting) {
  const std::int64_t n = setting.n;
  const bool trans_a = setting.trans_a == blas::Transpose::yes;
  const bool trans_b = setting.trans_b == blas::Transpose::yes;
  const auto size = static_cast<std::size_t>(n * n);
  const DeviceArray<double> a(on, size), b(on, size), c(on, size), expected(on, size);
  queue_indices(on, size, GradedFill{a.data(), setting.phi, 0});
  queue_indices(on, size, GradedFill{b.data(), setting.phi, 1});
  queue_indices(on, size, GradedFill{c.data(), 0, 2});
  queue_indices(on, size, GradedFill{expected.data(), 0, 2});
  const gemm::GemmArguments g{.trans_a = setting.trans_a,
                              .trans_b = setting.trans_b,
                              .m = n,
                              .n = n,
                              .k = n,
                              .alpha = 1,
                              .a = a.data(),
                              .lda = n,
                              .b = b.data(),
                              .ldb = n,
                              .beta = 1,
                              .c = c.data(),
                              .ldc = n};
  gemm::GemmCrtReport report = gemm::gemm_crt(on, g, setting.options);
  const std::string wrong = wrong_entries(on, g, expected);

  const int calls = n >= 8192 ? 3 : 9;
  const double flops = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const Times whole = time_calls(on, calls, [&](int) { report = gemm::gemm_crt(on, g, setting.options); });
  const Times native = time_calls(on, calls, [&](int) {
    gemm::cublas::dgemm(on, trans_a, trans_b, n, n, n, 1, a.data(), n, 0, b.data(), n, 0, 1, c.data(), n, 0, 1);
  });
  // Only the int8 products: any bytes will do, so those of A are used.
  const Times product = time_calls(on, calls, [&](int) {
    gemm::cublas::int8_product(on, n, n, n, reinterpret_cast<const std::int8_t*>(a.data()), n, 0,
                               reinterpret_cast<const std::int8_t*>(b.data()), n, 0,
                               reinterpret_cast<std::int32_t*>(c.data()), n, 0, 1);
  });
  const auto gibibytes = [](std::size_t bytes) { return fixed(static_cast<double>(bytes) / 0x1p30, 2); };
  table.row({std::to_string(n), fixed(setting.phi, 0), std::string(trans_a ? "T" : "N") + (trans_b ? "T" : "N"),
             gibibytes(setting.options.budget()), fixed(whole.median, 3), fixed(whole.minimum, 3),
             fixed(flops / whole.median, 1), fixed(flops / native.median, 1),
             fixed(flops / (report.moduli * product.median), 1),
             std::to_string(report.moduli) + (report.exact ? ", all bits" : ""), std::to_string(report.passes),
             std::to_string(report.undecided), gibibytes(report.workspace_bytes), wrong});
}

void measure(const Executor& on, const std::vector<std::int64_t>& sizes) {
  const Table table({"n", "φ", "op", "workspace at most, GiB", "ms", "least, ms", "TFLOP/s", "cublasDgemm, TFLOP/s",
                     "int8 products alone, TFLOP/s", "moduli", "passes", "entries redone", "workspace, GiB",
                     "wrong of sampled"});
  for (const std::int64_t n : sizes) {
    for (const double phi : {0.0, 1.0, 4.0}) measure_setting(on, table, {n, phi});
  }
  const std::int64_t n = sizes.back();
  const auto no = blas::Transpose::no;
  const auto yes = blas::Transpose::yes;
  for (const auto& [trans_a, trans_b] : {std::pair(no, yes), std::pair(yes, no), std::pair(yes, yes)}) {
    measure_setting(on, table, {n, 1, trans_a, trans_b});
  }
  for (const int shift : {31, 30, 29}) {
    measure_setting(on, table, {n, 1, no, no, {.workspace_bytes = std::size_t{1} << shift}});
  }
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  using namespace assay::bench;
  const auto sizes = sizes_of(argc, argv, {512, 1024, 2048, 4096, 8192});
  return run_on_device("gemm", [&](const assay::Executor& on) { measure(on, sizes); });
}
