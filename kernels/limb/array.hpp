#pragma once
// Arrays of floating-point numbers of L limbs, a plane for each limb: threads that take consecutive numbers read and
// write consecutive words.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/bits/bits.hpp"
#include "arith/limbs/float.hpp"
#include "exec/array.hpp"

namespace assay::limb {

/// `length` numbers of `limbs` limbs: limb k of number i at word[k·length + i]. The members of a number have the form
/// that Float has.
struct FloatArray {
  int limbs = 2;
  std::size_t length = 0;
  std::vector<std::uint32_t> word;
  std::vector<std::int32_t> exponent;
  std::vector<std::uint32_t> sign;
};

/// +0, `length` times.
constexpr FloatArray float_zeros(int limbs, std::size_t length) {
  FloatArray x;
  x.limbs = limbs;
  x.length = length;
  x.word.resize(length * static_cast<std::size_t>(limbs));
  x.exponent.assign(length, zero_exponent);
  x.sign.resize(length);
  return x;
}

/// The numbers x, exactly, including zeros, infinities and NaNs. Two limbs hold every double.
inline FloatArray floats_of(int limbs, std::span<const double> x) {
  FloatArray array = float_zeros(limbs, x.size());
  const std::size_t high = (static_cast<std::size_t>(limbs) - 1) * x.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    array.sign[i] = signbit(x[i]) && !assay::is_nan(x[i]) ? 1 : 0;
    if (!is_finite(x[i])) {
      array.exponent[i] = assay::is_nan(x[i]) ? nan_exponent : infinity_exponent;
    } else if (x[i] != 0) {
      const bits::Significand odd = bits::odd_part(x[i]);
      const int zeros = bits::leading_zeros(odd.m);
      const std::uint64_t top = odd.m << zeros;
      array.word[high + i] = static_cast<std::uint32_t>(top >> 32);
      array.word[high - x.size() + i] = static_cast<std::uint32_t>(top);
      array.exponent[i] = odd.e + 64 - zeros;
    }
  }
  return array;
}

/// The places of the parts of numbers, on a host or a device: limb k of number i at word[k·plane + i].
struct FloatPlanes {
  std::uint32_t* word = nullptr;
  std::int32_t* exponent = nullptr;
  std::uint32_t* sign = nullptr;
  std::size_t plane = 0;

  template <int L>
  ASSAY_HD constexpr Float<L> load(std::size_t i) const {
    Float<L> x;
    for (int k = 0; k < L; ++k) x.word[k] = word[static_cast<std::size_t>(k) * plane + i];
    x.exponent = exponent[i];
    x.sign = sign[i];
    return x;
  }
  template <int L>
  ASSAY_HD constexpr void store(std::size_t i, const Float<L>& x) const {
    for (int k = 0; k < L; ++k) word[static_cast<std::size_t>(k) * plane + i] = x.word[k];
    exponent[i] = x.exponent;
    sign[i] = x.sign;
  }
};

/// The numbers of x on the host. Requires: sizes that fit (not checked).
constexpr FloatPlanes planes(FloatArray& x) { return {x.word.data(), x.exponent.data(), x.sign.data(), x.length}; }

/// Throws std::invalid_argument with one line unless the members of x have the sizes of its length, for `limbs` limbs.
inline void require_float_array(const FloatArray& x, int limbs, const char* routine, const char* operand) {
  const bool fits = x.limbs == limbs && limbs > 0 && x.word.size() == x.length * static_cast<std::size_t>(limbs) &&
                    x.exponent.size() == x.length && x.sign.size() == x.length;
  if (!fits) {
    throw std::invalid_argument(std::string(routine) + ": " + operand + " is no array of " + std::to_string(x.length) +
                                " numbers of " + std::to_string(limbs) + " limbs");
  }
}

/// Numbers on an executor for the length of one kernel call: an input, compared with its original afterwards, or an
/// output, copied out afterwards. Both have guard zones.
class FloatArrayOn {
 public:
  /// An input: a copy of x. Requires: require_float_array(x, …) has passed (not checked).
  FloatArrayOn(const Executor& on, const FloatArray& x)
      : word_(on, std::span<const std::uint32_t>(x.word)),
        exponent_(on, std::span<const std::int32_t>(x.exponent)),
        sign_(on, std::span<const std::uint32_t>(x.sign)) {}
  /// An output or a workspace: every byte 0xFF.
  FloatArrayOn(const Executor& on, int limbs, std::size_t length)
      : word_(on, length * static_cast<std::size_t>(limbs)), exponent_(on, length), sign_(on, length) {}

  [[nodiscard]] FloatPlanes planes() const noexcept {
    return {word_.data(), exponent_.data(), sign_.data(), sign_.size()};
  }
  /// After the launch, of an input.
  void compare(const FloatArray& x) const {
    word_.compare(x.word);
    exponent_.compare(x.exponent);
    sign_.compare(x.sign);
  }
  /// After the launch, of an output.
  [[nodiscard]] FloatArray take(int limbs) const {
    return {limbs, sign_.size(), word_.take(), exponent_.take(), sign_.take()};
  }

 private:
  Array<std::uint32_t> word_;
  Array<std::int32_t> exponent_;
  Array<std::uint32_t> sign_;
};

}  // namespace assay::limb
