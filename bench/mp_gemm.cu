// C ← AB in multiple precision on a CUDA device, rounded once for each entry: kernels/gemv/mp_gemm.hpp on arrays that
// lie on the device. Significands have all their bits, exponents are those of numbers uniform in [−1, 1].
//
// Medians of 11 whole calls, n × n × n, for α = 1, β = 1, and for a general α and β. First, entries are compared with
// the host's bits. Run: build/cuda/bin/mp_gemm [n …].
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/mp_numbers.hpp"
#include "bench/timer.hpp"
#include "kernels/gemv/mp_gemm.hpp"

namespace assay::bench {
namespace {

constexpr int calls = 11;

/// A product on the device with arrays of its own.
template <class Set>
struct Problem {
  const Executor& on;
  gemm::MpGemmShape shape;
  Numbers<Set> a, b;
  Results<Set> c;
  mp::MpArray alpha = scalar<Set>(1, 0, 0, false);
  mp::MpArray beta = mp::mp_zeros(Set::n, 1);

  Problem(const Executor& executor, std::int64_t m, std::int64_t n, std::int64_t k, int spread)
      : on(executor),
        shape{Set::n, blas::Transpose::no, blas::Transpose::no, m, n, k},
        a(on, static_cast<std::size_t>(m * k), spread, 1),
        b(on, static_cast<std::size_t>(k * n), spread, 2),
        c(on, static_cast<std::size_t>(m * n), spread, 3) {}

  gemm::MpGemmReport multiply() const {
    return gemm::mp_gemm(on, shape, alpha, a.from(0), shape.m, b.from(0), shape.k, beta, c.planes(), shape.m);
  }

  void scale() {
    alpha = scalar<Set>(0xFFFFFFFFu, 0x80000001u, -7, true);
    beta = scalar<Set>(3, 0xFFFFFFFFu, 60, false);
  }
};

/// Whether the device has the host's bits.
template <class Set>
void compare(const Executor& on, const Table& table, std::int64_t m, std::int64_t n, std::int64_t k, int spread,
             bool scaled) {
  gemm::MpGemmReport report;
  const auto result = [&](const Executor& executor) {
    Problem<Set> problem(executor, m, n, k, spread);
    if (scaled) problem.scale();
    report = problem.multiply();
    return problem.c.bytes();
  };
  const bool same = result(on) == result(Executor::host());
  table.row({std::to_string(Set::n), std::to_string(m) + " × " + std::to_string(n) + " × " + std::to_string(k),
             std::to_string(spread), scaled ? "alpha, beta" : "1, 0",
             std::to_string(report.rows_apart + report.columns_apart), same ? "same" : "DIFFERENT"});
}

template <class Set>
void time_gemm(const Executor& on, const Table& table, std::int64_t size) {
  Problem<Set> problem(on, size, size, size, 0);
  gemm::MpGemmReport report;
  const Times plain = time_calls(on, calls, [&](int) { report = problem.multiply(); });
  problem.scale();
  const Times scaled = time_calls(on, calls, [&](int) { problem.multiply(); });
  const double products = static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
  table.row({std::to_string(Set::n), std::to_string(size), fixed(plain.median, 3), fixed(plain.minimum, 3),
             fixed(scaled.median, 3), fixed(products / plain.median * 1e-6, 1),
             std::to_string(report.rows_apart + report.columns_apart),
             fixed(static_cast<double>(report.workspace_bytes) * 0x1p-30, 2)});
}

void measure(const Executor& on, const std::vector<std::int64_t>& sizes) {
  const Table bits({"moduli", "m × n × k", "exponents over", "scalars", "lines apart", "bits of the host"});
  for_each_set([&](auto set) {
    using Set = decltype(set);
    for (const bool scaled : {false, true}) {
      compare<Set>(on, bits, 35, 18, 70, 0, scaled);
      compare<Set>(on, bits, 5, 9, 20, 60, scaled);
    }
  });
  const Table times({"moduli", "size", "AB, ms", "least, ms", "αAB + βC, ms", "10⁹ products a second", "lines apart",
                     "workspace, GiB"});
  for (const std::int64_t size : sizes) {
    for_each_set([&](auto set) { time_gemm<decltype(set)>(on, times, size); });
  }
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  const std::vector<std::int64_t> sizes = assay::bench::sizes_of(argc, argv, {256, 512, 1024, 2048});
  return assay::bench::run_on_device("mp_gemm", [&](const assay::Executor& on) { assay::bench::measure(on, sizes); });
}
