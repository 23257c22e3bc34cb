// y ← Ax in multiple precision on a CUDA device, rounded once for each entry: kernels/gemv/mp_gemv_exact.hpp on arrays
// that lie on the device. Significands have all their bits, exponents are those of numbers uniform in [−1, 1].
//
// Medians of 21 calls. "Rotating" goes through so many copies of A that each comes from device memory, "one copy"
// repeats one, which stays in the L2 cache where it fits. Then the floor: A's residues, signs and exponents, 4(n + 1) +
// 8 bytes per number, read once at the rate of a device copy in the same run. First, entries are compared with the
// host's bits: small shapes, exponents far apart, alpha and beta. Run: build/cuda/bin/mp_gemv.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/mp_numbers.hpp"
#include "bench/timer.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"

namespace assay::bench {
namespace {

constexpr int calls = 21;

/// A product on the device with arrays of its own. A holds `copies` matrices one after the other.
template <class Set>
struct Problem {
  const Executor& on;
  std::size_t entries;
  gemv::MpGemvExactPlan plan;
  std::int64_t lda;
  Numbers<Set> a, x;
  Results<Set> y;
  DeviceArray<std::byte> workspace;
  mp::MpArray alpha = scalar<Set>(1, 0, 0, false);
  mp::MpArray beta = mp::mp_zeros(Set::n, 1);

  Problem(const Executor& executor, blas::Transpose trans, std::int64_t outputs, std::int64_t terms, int spread,
          std::size_t copies)
      : on(executor),
        entries(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(terms)),
        plan(Set::n, trans, trans == blas::Transpose::yes ? terms : outputs,
             trans == blas::Transpose::yes ? outputs : terms),
        lda(plan.m()),
        a(on, entries * copies, spread, 1),
        x(on, static_cast<std::size_t>(terms), spread, 2),
        y(on, static_cast<std::size_t>(outputs), 0, 3),
        workspace(on, plan.workspace()) {}

  void multiply(std::size_t copy = 0) const {
    gemv::mp_gemv_exact(on, plan, alpha, a.from(copy * entries), lda, x.from(0), 1, beta, y.planes(), 1,
                        workspace.data());
  }
};

/// Whether the device has the host's bits.
template <class Set>
void compare(const Executor& on, const Table& table, blas::Transpose trans, std::int64_t outputs, std::int64_t terms,
             int spread, bool scaled) {
  const auto result = [&](const Executor& executor) {
    Problem<Set> problem(executor, trans, outputs, terms, spread, 1);
    if (scaled) {
      problem.alpha = scalar<Set>(0xFFFFFFFFu, 0x80000001u, -7, true);
      problem.beta = scalar<Set>(3, 0xFFFFFFFFu, 60, false);
    }
    problem.multiply();
    return problem.y.bytes();
  };
  const bool same = result(on) == result(Executor::host());
  table.row({std::to_string(Set::n), trans == blas::Transpose::yes ? "T" : "N",
             std::to_string(outputs) + " × " + std::to_string(terms), std::to_string(spread),
             scaled ? "alpha, beta" : "1, 0", same ? "same" : "DIFFERENT"});
}

template <class Set>
void time_gemv(const Executor& on, const Table& table, double rate, blas::Transpose trans, std::int64_t size) {
  const double bytes = static_cast<double>(size * size) * (4.0 * Set::size + 8);
  const auto copies = static_cast<std::size_t>(std::clamp(0x1p29 / bytes, 1.0, 8.0));
  const Problem<Set> problem(on, trans, size, size, 0, copies);
  const Times rotating = time_calls(on, calls, [&](int i) { problem.multiply(static_cast<std::size_t>(i) % copies); });
  const Times one_copy = time_calls(on, calls, [&](int) { problem.multiply(); });
  const double floor = bytes / rate * 1e3;
  table.row({std::to_string(Set::n), std::to_string(size), trans == blas::Transpose::yes ? "T" : "N",
             fixed(rotating.median * 1e3, 1), fixed(rotating.minimum * 1e3, 1), fixed(one_copy.median * 1e3, 1),
             fixed(floor * 1e3, 1), percent(floor / rotating.median)});
}

void measure(const Executor& on) {
  const Table bits({"moduli", "op", "outputs × terms", "exponents over", "scalars", "bits of the host"});
  for_each_set([&](auto set) {
    using Set = decltype(set);
    for (const bool scaled : {false, true}) {
      compare<Set>(on, bits, blas::Transpose::no, 67, 301, 0, scaled);
      compare<Set>(on, bits, blas::Transpose::yes, 19, 300, 0, scaled);
      compare<Set>(on, bits, blas::Transpose::no, 6, 80, 20 * Set::n, scaled);
      compare<Set>(on, bits, blas::Transpose::no, 6, 80, 2000 * Set::n, scaled);
    }
  });
  const double rate = copy_rate(on);
  std::printf("\ncopy %.2f TB/s (read and write); medians of %d calls\n", rate * 1e-12, calls);
  const Table times({"moduli", "size", "op", "rotating, µs", "least, µs", "one copy, µs", "floor, µs", "part"});
  for (const std::int64_t size : {1000, 4000}) {
    for_each_set([&](auto set) {
      for (const auto trans : {blas::Transpose::no, blas::Transpose::yes}) {
        time_gemv<decltype(set)>(on, times, rate, trans, size);
      }
    });
  }
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("mp_gemv", assay::bench::measure); }
