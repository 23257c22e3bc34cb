#pragma once
// Random words as a function of a case: any case can be generated again by itself, on the host and on a device.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"

namespace assay::probes {

/// Random words from a state of 64 bits. MWC64X: D. B. Thomas, "The MWC64X random number generator", Imperial College,
/// 2011; a multiply-with-carry generator after Marsaglia, of period near 2⁶³ except for few states. One multiplication
/// for 32 bits.
class RandomWords {
 public:
  ASSAY_HD explicit constexpr RandomWords(std::uint64_t state) : state_(state) {}

  /// 32 random bits.
  ASSAY_HD constexpr std::uint32_t half() {
    constexpr std::uint64_t multiplier = 4294883355u;
    const auto low = static_cast<std::uint32_t>(state_);
    const auto carry = static_cast<std::uint32_t>(state_ >> 32);
    state_ = multiplier * low + carry;
    return low ^ carry;
  }
  ASSAY_HD constexpr std::uint64_t word() {
    const std::uint64_t high = half();
    return high << 32 | half();
  }
  /// Uniform in 0 … n − 1, up to a bias below n·2⁻³². Requires: 0 < n < 2³² (not checked).
  ASSAY_HD constexpr std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t{half()} * n) >> 32);
  }
  /// Uniform in low … high. Requires: low ≤ high (not checked).
  ASSAY_HD constexpr int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low) + 1));
  }
  ASSAY_HD constexpr bool coin() { return (half() >> 31) != 0; }

 private:
  std::uint64_t state_;
};

/// Cases whose numbers differ only in five bits, from the place of alike_step on, are alike: they share words. The
/// number of alike cases; their numbers are alike_step apart.
inline constexpr std::uint64_t alike = 32;
inline constexpr std::uint64_t alike_step = std::uint64_t{1} << 15;

/// A permutation of all numbers: each 32 consecutive numbers become those of alike cases.
ASSAY_HD constexpr std::uint64_t alike_side_by_side(std::uint64_t i) {
  const std::uint64_t group = i / alike;
  return i % alike * alike_step + group % alike_step + group / alike_step * (alike * alike_step);
}

/// The words of one case of one class.
class Stream : public RandomWords {
 public:
  ASSAY_HD constexpr Stream(std::uint64_t seed, std::uint64_t input_class, std::uint64_t number)
      : Stream(bits::SplitMix64::mixed(seed + bits::SplitMix64::step * input_class), number) {}

  /// Words that alike cases have in common: for the choice of a kind of number, so that the threads of a warp, which
  /// judge alike cases (probes/judge.hpp), take the same branches.
  ASSAY_HD constexpr RandomWords& shared() {
    if (!is_mixed_) shared_ = RandomWords(bits::SplitMix64::mixed(of_shared_));
    is_mixed_ = true;
    return shared_;
  }
  /// Other common words from now on: those of a step of alike cases, however many words each has taken before.
  ASSAY_HD constexpr void share(std::uint64_t step) {
    shared_ = RandomWords(bits::SplitMix64::mixed(of_shared_ + bits::SplitMix64::step * (step + 1)));
    is_mixed_ = true;
  }

 private:
  ASSAY_HD constexpr Stream(std::uint64_t key, std::uint64_t number)
      : RandomWords(bits::SplitMix64::mixed(key + number)), of_shared_(~key + (number & ~((alike - 1) * alike_step))) {}

  std::uint64_t of_shared_;
  bool is_mixed_ = false;
  RandomWords shared_{0};
};

/// The exponents of the words that a probe draws, both ends included.
struct Range {
  int low;
  int high;
};

/// The kind of a significand of p bits.
enum class Digits {
  dense,       ///< uniformly random bits
  sparse,      ///< at most three bits set, or at most two not set
  near_power,  ///< a few bits added to or subtracted from a power of two
  any          ///< one of the others, a power of two, or all ones: the same kind for alike cases
};

/// A significand of p bits, its leading bit set.
template <int p>
ASSAY_HD constexpr std::uint64_t draw_digits(Stream& stream, Digits kind) {
  constexpr std::uint64_t top = std::uint64_t{1} << (p - 1);
  constexpr std::uint64_t ones = top | (top - 1);
  if (kind == Digits::any) {
    switch (stream.shared().below(6)) {
      case 0:
        return top;
      case 1:
        return ones;
      case 2:
        kind = Digits::sparse;
        break;
      case 3:
        kind = Digits::near_power;
        break;
      default:
        kind = Digits::dense;
        break;
    }
  }
  if (kind == Digits::dense) return top | ((p <= 32 ? stream.half() : stream.word()) & (top - 1));
  const std::uint64_t some =
      kind == Digits::sparse ? std::uint64_t{1} << stream.below(p) | std::uint64_t{1} << stream.below(p)
                             : ((stream.word() & (top - 1)) >> stream.below(p)) & ((std::uint64_t{2} << (p / 3)) - 1);
  return stream.coin() ? top | some : (ones ^ some) | top;
}

/// (−1)^negative · m·2^(e − p + 1) for a significand m of p bits. Requires: e is the exponent of a normal number (not
/// checked).
template <class T>
ASSAY_HD constexpr T normal_number(bool negative, std::uint64_t m, int e) {
  using F = FloatTraits<T>;
  using Bits = BitsOf<T>;
  const std::uint64_t fraction = m & ((std::uint64_t{1} << (F::precision - 1)) - 1);
  const std::uint64_t field = static_cast<std::uint64_t>(e - F::emin + 1) << (F::precision - 1);
  const std::uint64_t sign = std::uint64_t{negative} << (F::width - 1);
  return from_bits<T>(static_cast<Bits>(field | fraction | sign));
}

/// The same; 0 where e lies outside the range of normal numbers.
template <class T>
ASSAY_HD constexpr T number(bool negative, std::uint64_t m, int e) {
  using F = FloatTraits<T>;
  return e < F::emin || e > F::emax ? T(0) : normal_number<T>(negative, m, e);
}

/// A number of either sign with the exponent e. Each draw is a statement of its own: compilers evaluate the arguments
/// of a call in different orders, and a case must be the same on the host and on a device.
template <class T>
ASSAY_HD constexpr T draw_number(Stream& stream, Digits kind, int e) {
  const bool negative = stream.coin();
  const std::uint64_t m = draw_digits<FloatTraits<T>::precision>(stream, kind);
  return number<T>(negative, m, e);
}

}  // namespace assay::probes
