// Numbers of L limbs on a CUDA device: kernels/limb on arrays that lie there. Significands have all their bits,
// exponents are those of numbers uniform in [−1, 1].
//
// First, results are compared with the host's bits: all operations in all directions, dot products of one and several
// blocks, both forms of the GEMV. Then medians of 11 calls: operations a second on arrays of 2²⁷ bytes at most, axpy
// and dot of 10⁶ numbers, d ← op(A)x of 1000 × 1000 numbers. Run: build/cuda/bin/limb.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/timer.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/limb/lengths.hpp"
#include "kernels/limb/operations.hpp"

namespace assay::bench {
namespace {

constexpr int calls = 11;
using limb::FloatPlanes;
using limb::LimbOp;

/// Number i of a list: a random sign, random limbs with the first bit set, an exponent with the probabilities of a
/// number uniform in [−1, 1]. `positive`: no signs.
struct NumberFill {
  FloatPlanes x;
  int limbs;
  bool positive;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t first = stream_begin(stream) + 128 * i;
    for (int k = 0; k < limbs; ++k) {
      x.word[static_cast<std::size_t>(k) * x.plane + i] =
          static_cast<std::uint32_t>(random_word(first + static_cast<std::uint64_t>(k)));
    }
    x.word[static_cast<std::size_t>(limbs - 1) * x.plane + i] |= 1u << 31;
    const std::uint64_t z = random_word(first + 127);
    int e = 0;
    while (e < 60 && (z >> (e + 1) & 1) == 0) ++e;
    x.exponent[i] = -e;
    x.sign[i] = positive ? 0 : static_cast<std::uint32_t>(z & 1);
  }
};

/// Numbers on an executor.
class Numbers {
 public:
  Numbers(const Executor& on, int limbs, std::size_t count, std::uint64_t stream, bool positive = false)
      : word_(on, count * static_cast<std::size_t>(limbs)), exponent_(on, count), sign_(on, count) {
    queue_indices(on, count, NumberFill{planes(), limbs, positive, stream});
  }
  [[nodiscard]] FloatPlanes planes() const { return {word_.data(), exponent_.data(), sign_.data(), sign_.size()}; }
  /// All words, exponents and signs.
  [[nodiscard]] std::vector<std::uint32_t> bits() const {
    std::vector<std::uint32_t> all = word_.all();
    for (const std::int32_t each : exponent_.all()) all.push_back(static_cast<std::uint32_t>(each));
    for (const std::uint32_t each : sign_.all()) all.push_back(each);
    return all;
  }

 private:
  DeviceArray<std::uint32_t> word_;
  DeviceArray<std::int32_t> exponent_;
  DeviceArray<std::uint32_t> sign_;
};

struct NamedOp {
  LimbOp op;
  const char* name;
};
constexpr NamedOp operations[] = {{LimbOp::add, "+"}, {LimbOp::sub, "−"},  {LimbOp::mul, "×"},
                                  {LimbOp::div, "÷"}, {LimbOp::sqrt, "√"}, {LimbOp::fma, "fma"}};

/// Whether `compute`, which returns bits, gives the same on the device and on the host.
template <class Compute>
void compare(const Executor& on, const Table& table, int limbs, const char* what, Compute&& compute) {
  const bool same = compute(on) == compute(Executor::host());
  table.row({std::to_string(limbs), what, same ? "same" : "DIFFERENT"});
}

void compare_all(const Executor& on, int limbs) {
  const Table table({"limbs", "computed", "bits of the host"});
  for (const NamedOp& each : operations) {
    compare(on, table, limbs, each.name, [&](const Executor& executor) {
      constexpr std::size_t count = 3000;
      const bool root = each.op == LimbOp::sqrt;
      const Numbers x(executor, limbs, count, 1, root);
      const Numbers y(executor, limbs, count, 2);
      const Numbers z(executor, limbs, count, 3);
      std::vector<std::uint32_t> all;
      for (const Rounding to : {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz}) {
        const Numbers result(executor, limbs, count, 4);
        limb::queue_limb_op(executor, each.op, to, limbs, count, x.planes(), y.planes(), z.planes(), result.planes());
        const std::vector<std::uint32_t> bits = result.bits();
        all.insert(all.end(), bits.begin(), bits.end());
      }
      return all;
    });
  }
  for (const std::int64_t length : {300, 5000}) {
    compare(on, table, limbs, length == 300 ? "dot, 300" : "dot, 5000", [&](const Executor& executor) {
      const auto count = static_cast<std::size_t>(length);
      const Numbers x(executor, limbs, count, 1);
      const Numbers y(executor, limbs, count, 2);
      const Numbers partial(executor, limbs, static_cast<std::size_t>(limb::limb_dot_splits(length)), 3);
      const Numbers d(executor, limbs, 1, 4);
      limb::queue_limb_dot(executor, limbs, length, x.planes(), y.planes(), partial.planes(), d.planes());
      return d.bits();
    });
  }
  for (const auto trans : {blas::Transpose::no, blas::Transpose::yes}) {
    compare(on, table, limbs, trans == blas::Transpose::no ? "GEMV, N" : "GEMV, T", [&](const Executor& executor) {
      constexpr std::int64_t m = 37;
      constexpr std::int64_t n = 53;
      const Numbers a(executor, limbs, m * n, 1);
      const Numbers x(executor, limbs, m + n, 2);
      const Numbers d(executor, limbs, trans == blas::Transpose::no ? m : n, 3);
      limb::queue_limb_gemv(executor, trans, limbs, m, n, a.planes(), m, x.planes(), d.planes());
      return d.bits();
    });
  }
}

void time_operations(const Executor& on, const Table& table, int limbs) {
  const std::size_t count = (std::size_t{1} << 25) / static_cast<std::size_t>(limbs);
  const Numbers x(on, limbs, count, 1, true);
  const Numbers y(on, limbs, count, 2);
  const Numbers z(on, limbs, count, 3);
  const Numbers result(on, limbs, count, 4);
  for (const NamedOp& each : operations) {
    const Times times = time_calls(on, calls, [&](int) {
      limb::queue_limb_op(on, each.op, Rounding::rn, limbs, count, x.planes(), y.planes(), z.planes(), result.planes());
    });
    table.row({std::to_string(limbs), each.name, fixed(times.median, 3),
               fixed(static_cast<double>(count) / times.median * 1e-6, 2)});
  }
}

void time_blas(const Executor& on, const Table& table, int limbs) {
  constexpr std::int64_t length = 1000000;
  constexpr std::int64_t size = 1000;
  const Numbers a(on, limbs, length, 1);
  const Numbers b(on, limbs, length, 2);
  const Numbers x(on, limbs, size, 3);
  const Numbers d(on, limbs, size, 4);
  const Numbers partial(on, limbs, static_cast<std::size_t>(limb::limb_dot_splits(length)), 5);
  const auto row = [&](const char* what, const Times& times) {
    table.row({std::to_string(limbs), what, fixed(times.median, 4), fixed(times.minimum, 4)});
  };
  row("axpy, 10⁶", time_calls(on, calls, [&](int) {
        limb::queue_limb_axpy(on, limbs, length, x.planes(), a.planes(), b.planes());
      }));
  row("dot, 10⁶", time_calls(on, calls, [&](int) {
        limb::queue_limb_dot(on, limbs, length, a.planes(), b.planes(), partial.planes(), d.planes());
      }));
  row("GEMV N, 1000²", time_calls(on, calls, [&](int) {
        limb::queue_limb_gemv(on, blas::Transpose::no, limbs, size, size, a.planes(), size, x.planes(), d.planes());
      }));
  row("GEMV T, 1000²", time_calls(on, calls, [&](int) {
        limb::queue_limb_gemv(on, blas::Transpose::yes, limbs, size, size, a.planes(), size, x.planes(), d.planes());
      }));
}

void measure(const Executor& on) {
  for (const int limbs : limb::offered_limbs) compare_all(on, limbs);
  const Table rates({"limbs", "operation", "ms", "10⁹ a second"});
  for (const int limbs : limb::offered_limbs) time_operations(on, rates, limbs);
  const Table times({"limbs", "computed", "median, ms", "least, ms"});
  for (const int limbs : limb::offered_limbs) time_blas(on, times, limbs);
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("limb", assay::bench::measure); }
