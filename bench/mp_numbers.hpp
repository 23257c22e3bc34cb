#pragma once
// Multiple-precision numbers on a device, for the benchmarks of their products.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/residues/limbs.hpp"
#include "bench/common.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"

namespace assay::bench {

/// Number k of `count`: a random sign, P random bits of which the first is 1, and an exponent with the probabilities of
/// a number uniform in [−1, 1]; with `spread` > 0 uniform in its range.
template <class Set>
struct NumberFill {
  std::uint32_t* digits;
  std::int32_t* words;
  std::size_t count;
  int spread;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t k) const {
    const rns::LimbTablesView tables = rns::limb_tables<Set>();
    const int limbs = (tables.precision + 31) / 32;
    const std::uint64_t first = stream_begin(stream) + 64 * k;
    std::uint32_t words_of[rns::limbs<Set>];
    for (int i = 0; i < limbs; ++i) {
      words_of[i] = static_cast<std::uint32_t>(random_word(first + static_cast<std::uint64_t>(i)));
    }
    const int top_bits = tables.precision - 32 * (limbs - 1);
    words_of[limbs - 1] >>= 32 - top_bits;
    words_of[limbs - 1] |= 1u << (top_bits - 1);
    for (int i = 0; i < tables.size; ++i) {
      digits[static_cast<std::size_t>(i) * count + k] = rns::residue_of_limbs(tables, i, words_of, limbs);
    }
    const std::uint64_t z = random_word(first + 63);
    int e = spread > 0 ? static_cast<int>((z >> 1) % static_cast<unsigned>(spread)) : 0;
    while (spread == 0 && e < 60 && (z >> (e + 1) & 1) == 0) ++e;
    words[k] = 2 * (-tables.precision - e) + static_cast<std::int32_t>(z & 1);
  }
};

/// Numbers on the device.
template <class Set>
struct Numbers {
  DeviceArray<std::uint32_t> digits;
  DeviceArray<std::int32_t> words;
  Numbers(const Executor& on, std::size_t count, int spread, std::uint64_t stream)
      : digits(on, count * static_cast<std::size_t>(Set::size)), words(on, count) {
    queue_indices(on, count, NumberFill<Set>{digits.data(), words.data(), count, spread, stream});
  }
  /// The numbers from `first` on.
  [[nodiscard]] gemv::MpPlanes from(std::size_t first) const {
    return {digits.data() + first, words.data() + first, static_cast<std::int64_t>(words.size())};
  }
};

/// Numbers on the device that a product overwrites.
template <class Set>
struct Results {
  Numbers<Set> numbers;
  DeviceArray<std::int32_t> sign, exponent;
  DeviceArray<Extended> lower, upper;
  Results(const Executor& on, std::size_t count, int spread, std::uint64_t stream)
      : numbers(on, count, spread, stream), sign(on, count), exponent(on, count), lower(on, count), upper(on, count) {
    fill_bytes(on, sign.data(), 0, sign.size() * sizeof(std::int32_t));
    fill_bytes(on, exponent.data(), 0xFF, exponent.size() * sizeof(std::int32_t));
    fill_bytes(on, lower.data(), 0, lower.size() * sizeof(Extended));
    fill_bytes(on, upper.data(), 0, upper.size() * sizeof(Extended));
  }
  [[nodiscard]] gemv::MpResultPlanes planes() const {
    return {numbers.digits.data(), sign.data(),  exponent.data(),
            lower.data(),          upper.data(), static_cast<std::int64_t>(sign.size())};
  }
  /// All arrays of the numbers.
  [[nodiscard]] std::vector<std::byte> bytes() const {
    std::vector<std::byte> bytes;
    const auto append = [&](const auto& array) {
      const auto part = array.all();
      const auto* const from = reinterpret_cast<const std::byte*>(part.data());
      bytes.insert(bytes.end(), from, from + part.size() * sizeof(part[0]));
    };
    append(numbers.digits);
    append(sign);
    append(exponent);
    append(lower);
    append(upper);
    return bytes;
  }
};

/// An integer or a fraction of two limbs as a number of one-number arrays.
template <class Set>
mp::MpArray scalar(std::uint32_t low, std::uint32_t high, std::int64_t exponent, bool negative) {
  const std::uint32_t limbs[] = {low, high};
  mp::MpArray x = mp::mp_zeros(Set::n, 1);
  mp::mp_view<Set>(x).store(0, mp::from_limbs<Set>(limbs, 2, exponent, negative));
  return x;
}

/// f(set) for the five sets of moduli.
template <class F>
void for_each_set(F&& f) {
  f(rns::Standard<8>());
  f(rns::Standard<16>());
  f(rns::Standard<32>());
  f(rns::Standard<64>());
  f(rns::Standard<128>());
}

}  // namespace assay::bench
