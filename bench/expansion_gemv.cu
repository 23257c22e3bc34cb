// y ← αAx and C ← αAB of expansions on a CUDA device: kernels/expansion/gemv.hpp and gemm.hpp on arrays that lie on the
// device. Words have full significands, each about 2⁻⁵⁴ of the one before.
//
// Medians of 25 calls. "Rotating" goes through so many copies of A that each comes from device memory, "one copy"
// repeats one, which stays in the L2 cache where it fits. Beside them two floors: A read once at the rate of a device
// copy in the same run, and K²(2K − 1) operations a product at the rate of binary64 operations. For n = 1000 every word
// is compared with the host's. Run: build/cuda/bin/expansion_gemv.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "arith/bits/traits.hpp"
#include "bench/common.hpp"
#include "bench/timer.hpp"
#include "kernels/expansion/gemm.hpp"
#include "kernels/expansion/gemv.hpp"

namespace assay::bench {
namespace {

constexpr int calls = 25;
using Span = std::span<const double>;

/// Word number i mod K of entry i/K: a random sign and significand, the exponent −54·(i mod K).
struct WordFill {
  double* words;
  int K;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t i) const {
    const auto exponent = static_cast<std::uint64_t>(1023 - 54 * static_cast<int>(i % static_cast<std::size_t>(K)));
    words[i] = from_bits<double>((random_word(stream_begin(stream) + i) & 0x800FFFFFFFFFFFFFu) | (exponent << 52));
  }
};

DeviceArray<double> random_words(const Executor& on, std::size_t entries, int K, std::uint64_t stream) {
  DeviceArray<double> words(on, entries * static_cast<std::size_t>(K));
  queue_indices(on, words.size(), WordFill{words.data(), K, stream});
  return words;
}

double operations(int K) { return static_cast<double>(K * K * (2 * K - 1)); }

void time_gemv(const Executor& on, const Table& table, double rate, int K, blas::Transpose trans, std::int64_t n) {
  const auto length = static_cast<std::size_t>(n);
  const std::size_t words = length * length * static_cast<std::size_t>(K);
  const std::size_t bytes = words * sizeof(double);
  const std::size_t copies = std::max<std::size_t>(1, (std::size_t{1} << 29) / bytes);
  const DeviceArray<double> a = random_words(on, length * length * copies, K, 1);
  const DeviceArray<double> x = random_words(on, length, K, 2);
  const DeviceArray<double> y = random_words(on, length, K, 3);
  const std::vector<double> alpha = random_words(on, 1, K, 4).all();
  const std::vector<double> zero(static_cast<std::size_t>(K));
  const auto product = [&](std::size_t copy) {
    expansion::expansion_gemv<double>(on, K, trans, n, n, alpha, a.data() + copy * words, n, x.data(), 1, zero,
                                      y.data(), 1);
  };
  const Times rotating = time_calls(on, calls, [&](int i) { product(static_cast<std::size_t>(i) % copies); });
  const Times one_copy = copies == 1 ? rotating : time_calls(on, calls, [&](int) { product(0); });
  std::string bits = "–";
  if (n <= 1000) {
    product(0);
    const std::vector<double> host_a = a.first(words), host_x = x.all(), start(y.size()), got = y.all();
    const std::vector<double> want = expansion::expansion_gemv<double>(
        Executor::host(), K, trans, n, n, Span(alpha), Span(host_a), n, Span(host_x), 1, Span(zero), Span(start), 1);
    bits = std::memcmp(want.data(), got.data(), got.size() * sizeof(double)) == 0 ? "same" : "DIFFERENT";
  }
  const double memory = static_cast<double>(bytes) / rate * 1e3;
  const double arithmetic = static_cast<double>(n) * static_cast<double>(n) * operations(K) / operation_rate() * 1e3;
  table.row({std::to_string(K), std::to_string(n), trans == blas::Transpose::yes ? "T" : "N", fixed(rotating.median, 4),
             fixed(rotating.minimum, 4), fixed(one_copy.median, 4), fixed(memory, 4), fixed(arithmetic, 4),
             percent(std::max(memory, arithmetic) / rotating.median), bits});
}

void time_gemm(const Executor& on, const Table& table, int K, std::int64_t n) {
  const auto entries = static_cast<std::size_t>(n * n);
  const DeviceArray<double> a = random_words(on, entries, K, 1);
  const DeviceArray<double> b = random_words(on, entries, K, 2);
  const DeviceArray<double> c = random_words(on, entries, K, 3);
  const std::vector<double> alpha = random_words(on, 1, K, 4).all();
  const std::vector<double> zero(static_cast<std::size_t>(K));
  const Times times = time_calls(on, calls, [&](int) {
    expansion::expansion_gemm<double>(on, K, blas::Transpose::no, blas::Transpose::no, n, n, n, alpha, a.data(), n,
                                      b.data(), n, zero, c.data(), n);
  });
  const double products = static_cast<double>(n) * static_cast<double>(entries);
  table.row({std::to_string(K), std::to_string(n), fixed(times.median, 4), fixed(times.minimum, 4),
             fixed(products / times.median * 1e-6, 1),
             percent(products * operations(K) / operation_rate() / (times.median * 1e-3))});
}

void measure(const Executor& on) {
  const double rate = copy_rate(on);
  std::printf("copy %.2f TB/s (read and write); medians of %d calls\n", rate * 1e-12, calls);
  const Table gemv({"K", "n", "op", "rotating, ms", "least, ms", "one copy, ms", "memory floor, ms",
                    "arithmetic floor, ms", "part of the larger floor", "bits of the host"});
  for (const int K : {2, 3, 4, 8}) {
    for (const std::int64_t n : {1000, 4000}) {
      for (const auto trans : {blas::Transpose::no, blas::Transpose::yes}) time_gemv(on, gemv, rate, K, trans, n);
    }
  }
  const Table gemm({"K", "n", "ms", "least, ms", "10^9 products a second", "part of the arithmetic floor"});
  for (const int K : {2, 3, 4, 8}) time_gemm(on, gemm, K, K == 8 ? 512 : 1024);
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("expansion_gemv", assay::bench::measure); }
