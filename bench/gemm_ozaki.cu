// C ← AB + C of n × n matrices by the Ozaki scheme in binary64, on device number 0, compared with the native product of
// the same run. Data: (rand − ½)·exp(φ·randn). s·t is the number of slice products; the last column is the time of s·t
// native products over the time of all. Times are medians of whole calls with their waits. Run:
// build/cuda/bin/gemm_ozaki [n …].

#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/timer.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemm/ozaki.hpp"

namespace assay::bench {
namespace {

double teraflops(std::int64_t n, double time) { return 2e-9 * static_cast<double>(n * n * n) / time; }

void measure_size(const Executor& on, const Table& table, std::int64_t n) {
  const auto entries = static_cast<std::size_t>(n * n);
  const DeviceArray<double> a(on, entries), b(on, entries), c(on, entries);
  const int runs = n >= 8192 ? 3 : 9;
  for (const double phi : {0.0, 1.0, 4.0}) {
    queue_indices(on, entries, GradedFill{a.data(), phi, 1});
    queue_indices(on, entries, GradedFill{b.data(), phi, 2});
    const auto clear = [&](int) { fill_bytes(on, c.data(), 0, entries * sizeof(double)); };
    clear(0);
    const Times native = time_calls(on, runs, [&](int) {
      gemm::cublas::dgemm(on, false, false, n, n, n, 1, a.data(), n, 0, b.data(), n, 0, 1, c.data(), n, 0, 1);
    });
    gemm::GemmArguments arguments;
    arguments.m = arguments.n = arguments.k = arguments.lda = arguments.ldb = arguments.ldc = n;
    arguments.a = a.data();
    arguments.b = b.data();
    arguments.c = c.data();
    arguments.beta = 1;
    struct Row {
      const char* name;
      gemm::OzakiMode mode;
    };
    for (const Row& row :
         {Row{"every product", {.every_product = true}}, Row{"NearSum", {.sum = gemm::OzakiSum::near_sum}},
          Row{"as decided", {}}, Row{"3 levels", {.levels = 3}}}) {
      gemm::OzakiPlan plan;
      const Times times = time_calls(
          on, runs, [&](int) { plan = gemm::gemm_ozaki(on, arguments, {}, row.mode); }, clear);
      table.row({std::to_string(n), fixed(phi, 0), row.name,
                 std::to_string(plan.slices_a) + " × " + std::to_string(plan.slices_b), fixed(plan.products, 2),
                 std::to_string(plan.undecided),
                 std::to_string(plan.tile_rows) + " × " + std::to_string(plan.tile_columns),
                 fixed(static_cast<double>(plan.workspace) / 0x1p20, 0), fixed(native.median, 3),
                 fixed(times.median, 3), fixed(times.minimum, 3), fixed(teraflops(n, times.median), 2),
                 percent(plan.products * native.median / times.median)});
    }
  }
}

void measure(const Executor& on, const std::vector<std::int64_t>& sizes) {
  const Table table({"n", "φ", "sum", "s × t", "products", "undecided", "tile", "workspace, MiB", "native product, ms",
                     "ms", "least, ms", "TFLOP/s", "products·native/time"});
  for (const std::int64_t n : sizes) measure_size(on, table, n);
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  using namespace assay::bench;
  const auto sizes = sizes_of(argc, argv, {1024, 2048, 4096, 8192});
  return run_on_device("gemm_ozaki", [&](const assay::Executor& on) { measure(on, sizes); });
}
