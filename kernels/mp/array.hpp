#pragma once
// Arrays of multiple-precision numbers: the structure of arrays of Table 2 of Isupov, Knyazkov, Multiple-precision
// matrix-vector multiplication on graphics processing units, 2020, without its scratch buffer and with lengths that the
// host knows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/residues/mp_number.hpp"
#include "exec/array.hpp"

namespace assay::mp {

/// Numbers over rns::Standard<n>, n + 1 digits each, the guard last.
/// Element-major: digit i of number k at k·(n + 1) + i. Modulus planes: at i·length + k.
struct MpArray {
  int n = 8;
  bool planes = false;
  std::size_t length = 0;
  std::vector<std::uint32_t> digits;
  std::vector<std::int32_t> sign, exponent;
  std::vector<Extended> lower, upper;
};

/// The places of the parts of the numbers, on a host or a device.
template <class Set>
struct MpView {
  std::uint32_t* digits;
  std::int32_t* sign;
  std::int32_t* exponent;
  Extended* lower;
  Extended* upper;
  std::size_t number_step, digit_step;

  ASSAY_HD constexpr std::size_t digit_at(std::size_t k, int i) const {
    return k * number_step + static_cast<std::size_t>(i) * digit_step;
  }
  ASSAY_HD constexpr mp::Number<Set> load(std::size_t k) const {
    mp::Number<Set> x;
    for (int i = 0; i < Set::size; ++i) x.digits.r[i] = digits[digit_at(k, i)];
    x.magnitude = {lower[k], upper[k]};
    x.exponent = exponent[k];
    x.sign = sign[k];
    return x;
  }
  ASSAY_HD void store(std::size_t k, const mp::Number<Set>& x) const {
    for (int i = 0; i < Set::size; ++i) digits[digit_at(k, i)] = x.digits.r[i];
    lower[k] = x.magnitude.lower;
    upper[k] = x.magnitude.upper;
    exponent[k] = x.exponent;
    sign[k] = x.sign;
  }
};

/// An array on an executor, for any n.
struct MpNumbersOn {
  int n;
  std::uint32_t* digits;
  std::int32_t* sign;
  std::int32_t* exponent;
  Extended* lower;
  Extended* upper;
  std::size_t number_step, digit_step;

  /// Requires: Set has n moduli and one guard (not checked).
  template <class Set>
  [[nodiscard]] constexpr MpView<Set> view() const {
    return {digits, sign, exponent, lower, upper, number_step, digit_step};
  }
};

/// An MpArray of the given shape, all members zero: zeros.
constexpr MpArray mp_zeros(int n, std::size_t length, bool planes = false) {
  MpArray x;
  x.n = n;
  x.planes = planes;
  x.length = length;
  x.digits.resize(length * static_cast<std::size_t>(n + 1));
  x.sign.resize(length);
  x.exponent.resize(length);
  x.lower.resize(length);
  x.upper.resize(length);
  return x;
}

/// The numbers of x on the host. Requires: Set has x.n moduli and one guard, sizes that fit (not checked).
template <class Set>
constexpr MpView<Set> mp_view(MpArray& x) {
  const std::size_t size = Set::size;
  return {x.digits.data(), x.sign.data(),       x.exponent.data(),      x.lower.data(),
          x.upper.data(),  x.planes ? 1 : size, x.planes ? x.length : 1};
}

/// Throws std::invalid_argument with one line unless the members of x have the sizes of its length, for n moduli.
inline void require_mp_array(const MpArray& x, int n, const char* routine, const char* operand) {
  const bool fits = x.n == n && x.digits.size() == x.length * static_cast<std::size_t>(n + 1) &&
                    x.sign.size() == x.length && x.exponent.size() == x.length && x.lower.size() == x.length &&
                    x.upper.size() == x.length;
  if (!fits) {
    throw std::invalid_argument(std::string(routine) + ": " + operand + " is no array of " + std::to_string(x.length) +
                                " numbers of " + std::to_string(n) + " moduli");
  }
}

/// The same numbers in the other layout or the same.
inline MpArray with_layout(const MpArray& x, bool planes) {
  MpArray y = x;
  y.planes = planes;
  if (planes != x.planes) {
    const std::size_t size = static_cast<std::size_t>(x.n) + 1;
    for (std::size_t k = 0; k < x.length; ++k) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t major = k * size + i;
        const std::size_t plane = i * x.length + k;
        y.digits[planes ? plane : major] = x.digits[planes ? major : plane];
      }
    }
  }
  return y;
}

/// Numbers on an executor for the length of one kernel call: an input, compared with its original afterwards, or an
/// output, copied out afterwards. Both have guard zones.
template <class Set>
class MpArrayOn {
 public:
  /// An input: a copy of x. Requires: require_mp_array(x, …) has passed (not checked).
  MpArrayOn(const Executor& on, const MpArray& x)
      : planes_(x.planes),
        digits_(on, std::span<const std::uint32_t>(x.digits)),
        sign_(on, std::span<const std::int32_t>(x.sign)),
        exponent_(on, std::span<const std::int32_t>(x.exponent)),
        lower_(on, std::span<const Extended>(x.lower)),
        upper_(on, std::span<const Extended>(x.upper)) {}

  /// An output or a workspace: every byte 0xFF.
  MpArrayOn(const Executor& on, std::size_t length, bool planes)
      : planes_(planes),
        digits_(on, length * Set::size),
        sign_(on, length),
        exponent_(on, length),
        lower_(on, length),
        upper_(on, length) {}

  [[nodiscard]] MpView<Set> view() const noexcept {
    const std::size_t size = Set::size;
    return {digits_.data(), sign_.data(),       exponent_.data(),          lower_.data(),
            upper_.data(),  planes_ ? 1 : size, planes_ ? sign_.size() : 1};
  }

  [[nodiscard]] MpNumbersOn numbers() const noexcept {
    const MpView<Set> at = view();
    return {Set::n, at.digits, at.sign, at.exponent, at.lower, at.upper, at.number_step, at.digit_step};
  }

  /// After the launch, of an input.
  void compare(const MpArray& x) const {
    digits_.compare(x.digits);
    sign_.compare(x.sign);
    exponent_.compare(x.exponent);
    lower_.compare(x.lower);
    upper_.compare(x.upper);
  }

  /// After the launch, of an output.
  [[nodiscard]] MpArray take() const {
    MpArray x;
    x.n = Set::n;
    x.planes = planes_;
    x.length = sign_.size();
    x.digits = digits_.take();
    x.sign = sign_.take();
    x.exponent = exponent_.take();
    x.lower = lower_.take();
    x.upper = upper_.take();
    return x;
  }

 private:
  bool planes_;
  Array<std::uint32_t> digits_;
  Array<std::int32_t> sign_, exponent_;
  Array<Extended> lower_, upper_;
};

}  // namespace assay::mp
