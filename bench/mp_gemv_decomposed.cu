// y ← αAx + y in multiple precision on a CUDA device, decomposed as in kernels/gemv/mp_gemv_decomposed.hpp, on arrays
// that lie on the device. m = n = 1000; A, x and α have significands of the whole length, or of a quarter of it, where
// no product must be rounded; all exponents are equal.
//
// Medians of 7 whole calls. y is set before each and β = 1, which is multiplied like any other number. Run:
// build/cuda/bin/mp_gemv_decomposed.
#include <cstdint>
#include <string>

#include "bench/common.hpp"
#include "bench/timer.hpp"
#include "kernels/gemv/mp_gemv_decomposed.hpp"

namespace assay::bench {
namespace {

constexpr std::int64_t size = 1000;
constexpr int calls = 7;

/// Number k: as many random bits as given, a random sign, the exponent that makes it less than 1.
template <class Set>
struct NumberFill {
  mp::MpView<Set> to;
  int bits;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t k) const {
    std::uint32_t limbs[(mp::significand_bits<Set> + 31) / 32];
    const int count = (bits + 31) / 32;
    std::uint64_t word = 0;
    for (int i = 0; i < count; ++i) {
      word = random_word(stream_begin(stream) + 64 * k + static_cast<std::uint64_t>(i));
      limbs[i] = static_cast<std::uint32_t>(word);
    }
    limbs[count - 1] >>= 32 * count - bits;
    to.store(k, mp::from_limbs<Set>(limbs, count, -bits, word >> 63 != 0));
  }
};

/// 1.
template <class Set>
struct OneFill {
  mp::MpView<Set> to;
  ASSAY_HD void operator()(std::size_t k) const {
    const std::uint32_t one = 1;
    to.store(k, mp::from_limbs<Set>(&one, 1, 0, false));
  }
};

/// Numbers on the device, element-major.
template <class Set>
class Numbers {
 public:
  Numbers(const Executor& on, std::int64_t length)
      : digits_(on, static_cast<std::size_t>(length) * Set::size),
        sign_(on, static_cast<std::size_t>(length)),
        exponent_(on, static_cast<std::size_t>(length)),
        lower_(on, static_cast<std::size_t>(length)),
        upper_(on, static_cast<std::size_t>(length)) {}
  Numbers(const Executor& on, std::int64_t length, int bits, std::uint64_t stream) : Numbers(on, length) {
    queue_indices(on, sign_.size(), NumberFill<Set>{view(), bits, stream});
  }
  [[nodiscard]] mp::MpView<Set> view() const {
    return {digits_.data(), sign_.data(), exponent_.data(), lower_.data(), upper_.data(), Set::size, 1};
  }

 private:
  DeviceArray<std::uint32_t> digits_;
  DeviceArray<std::int32_t> sign_, exponent_;
  DeviceArray<Extended> lower_, upper_;
};

template <class Set>
void measure_set(const Executor& on, const Table& table) {
  for (const bool whole : {true, false}) {
    const int bits = whole ? mp::significand_bits<Set> - 1 : mp::significand_bits<Set> / 4;
    const Numbers<Set> a(on, size * size, bits, 0), x(on, size, bits, 1), y(on, size, bits, 2), alpha(on, 1, bits, 3);
    const Numbers<Set> beta(on, 1);
    queue_indices(on, 1, OneFill<Set>{beta.view()});
    const DeviceArray<std::byte> workspace(on, gemv::mp_gemv_decomposed_workspace(Set::n, size, size));
    const Times times = time_calls(
        on, calls,
        [&](int) {
          gemv::mp_gemv_decomposed<Set>(on, blas::Transpose::no, size, size, alpha.view(), a.view(), size, x.view(), 1,
                                        beta.view(), y.view(), 1, workspace.data());
        },
        [&](int) {
          queue_indices(on, static_cast<std::size_t>(size), NumberFill<Set>{y.view(), bits, 2});
        });
    table.row({std::to_string(Set::n), whole ? "whole" : "quarter", fixed(times.median, 3), fixed(times.minimum, 3)});
  }
}

void measure(const Executor& on) {
  using rns::Standard;
  const Table table({"moduli", "significands", "ms", "least, ms"});
  measure_set<Standard<8>>(on, table);
  measure_set<Standard<16>>(on, table);
  measure_set<Standard<32>>(on, table);
  measure_set<Standard<64>>(on, table);
  measure_set<Standard<128>>(on, table);
}

}  // namespace
}  // namespace assay::bench

int main() { return assay::bench::run_on_device("mp_gemv_decomposed", assay::bench::measure); }
