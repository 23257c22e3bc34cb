// C ← AB + C of n × n matrices by the Ozaki scheme in binary64, on device number 0, beside the native product of the
// same run. Data: (rand − ½)·exp(φ·randn). s·t is the number of slice products; the last column is the time of s·t
// native products over the time of all. Times are medians of whole calls. Run: build/default/bin/gemm_ozaki [n …].
// Prints a table in Markdown. Exit 77 without a device.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/ozaki.hpp"

namespace assay::bench {
namespace {

/// x[i] = (rand − ½)·exp(φ·randn), a function of (seed, i): the normal variate by Box and Muller, 1958.
struct Fill {
  double* x;
  double phi;
  std::uint64_t seed;
  ASSAY_HD static double uniform(std::uint64_t z) {
    return static_cast<double>(bits::SplitMix64::mixed(z * bits::SplitMix64::step) >> 11) * 0x1p-53;
  }
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t z = 3 * i + (seed << 40);
    const double normal = ::sqrt(-2 * ::log(uniform(z + 1) + 0x1p-54)) * ::cos(6.283185307179586 * uniform(z + 2));
    x[i] = (uniform(z + 3) - 0.5) * ::exp(phi * normal);
  }
};

/// The median time of a call that waits, in milliseconds, after one that does not count.
template <class Call>
double median_time(int runs, Call call) {
  call();
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

double teraflops(std::int64_t n, double time) { return 2e-9 * static_cast<double>(n * n * n) / time; }

void measure(const Executor& on, std::int64_t n) {
  const auto entries = static_cast<std::size_t>(n * n);
  Workspace memory(on, 3 * Workspace::bytes_of<double>(entries));
  auto* a = memory.take<double>(entries);
  auto* b = memory.take<double>(entries);
  auto* c = memory.take<double>(entries);
  const int runs = n >= 8192 ? 3 : 9;
  for (const double phi : {0.0, 1.0, 4.0}) {
    queue_indices(on, entries, Fill{a, phi, 1});
    queue_indices(on, entries, Fill{b, phi, 2});
    fill_bytes(on, c, 0, entries * sizeof(double));
    const double native = median_time(runs, [&] {
      assay::gemm::cublas::dgemm(on, false, false, n, n, n, 1, a, n, 0, b, n, 0, 1, c, n, 0, 1);
      wait(on);
    });
    assay::gemm::GemmArguments arguments;
    arguments.m = arguments.n = arguments.k = arguments.lda = arguments.ldb = arguments.ldc = n;
    arguments.a = a;
    arguments.b = b;
    arguments.c = c;
    arguments.beta = 1;
    struct Row {
      const char* name;
      gemm::OzakiMode mode;
    };
    for (const Row& row :
         {Row{"every product", {.every_product = true}}, Row{"NearSum", {.sum = gemm::OzakiSum::near_sum}},
          Row{"as decided", {}}, Row{"3 levels", {.levels = 3}}}) {
      gemm::OzakiPlan plan;
      const double time = median_time(runs, [&] {
        fill_bytes(on, c, 0, entries * sizeof(double));
        plan = assay::gemm::gemm_ozaki(on, arguments, {}, row.mode);
      });
      std::printf("| %lld | %.0f | %s | %d × %d | %.2f | %llu | %lld × %lld | %.0f | %.3f | %.3f | %.2f | %.1f %% |\n",
                  static_cast<long long>(n), phi, row.name, plan.slices_a, plan.slices_b, plan.products,
                  static_cast<unsigned long long>(plan.undecided), static_cast<long long>(plan.tile_rows),
                  static_cast<long long>(plan.tile_columns), static_cast<double>(plan.workspace) / 0x1p20, native, time,
                  teraflops(n, time), 100 * plan.products * native / time);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  if (assay::Executor::cuda_device_count() == 0) {
    std::fprintf(stderr, "gemm_ozaki: no CUDA device\n");
    return 77;
  }
  const assay::Executor on = assay::Executor::cuda(0);
  std::printf("%s\n\n", on.model().c_str());
  std::printf(
      "| n | φ | sum | s × t | products | undecided | tile | workspace, MiB | native product, ms | time, ms | TFLOP/s "
      "| "
      "products·native/time |\n");
  std::printf("|--:|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  try {
    if (argc > 1) {
      for (int i = 1; i < argc; ++i) assay::bench::measure(on, std::atoll(argv[i]));
    } else {
      for (const std::int64_t n : {1024, 2048, 4096, 8192}) assay::bench::measure(on, n);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gemm_ozaki: %s\n", error.what());
    return 3;
  }
  return 0;
}
