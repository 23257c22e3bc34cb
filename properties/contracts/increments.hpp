#pragma once
// The increments with which functions of BLAS's calling conventions get their vectors. They follow from the numbers of
// a case, so that a case is called in the same way whenever it is called.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/contracts/foreign.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts {

/// Whether functions of the form have increments.
inline bool has_increments(CallForm form) {
  return form == CallForm::cblas || form == CallForm::fortran || form == CallForm::cublas;
}

/// A hash of the bits of the numbers.
template <FloatingPoint T>
std::uint64_t hash_of(const std::vector<T>& x) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u + x.size();
  for (const T& each : x) {
    hash = (hash ^ bits_of(each)) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 29;
  }
  return hash;
}

/// For its lifetime the calls of this thread have other increments.
class OtherIncrements {
 public:
  explicit OtherIncrements(std::uint64_t word) { changes() = word; }
  ~OtherIncrements() { changes() = 0; }
  OtherIncrements(const OtherIncrements&) = delete;
  OtherIncrements& operator=(const OtherIncrements&) = delete;
  /// What the hash of a call is changed by.
  static std::uint64_t& changes() {
    thread_local std::uint64_t word = 0;
    return word;
  }
};

/// The increments of the vectors of a call: 1 in half of all cases, else −1, 2 and −3, on a device 2 and 3. Vector i
/// has that of the i-th place of the hash.
inline int increment_of(CallForm form, std::uint64_t hash, unsigned vector) {
  static constexpr std::array<int, 6> of_host{1, 1, 1, -1, 2, -3};
  static constexpr std::array<int, 6> of_device{1, 1, 1, 2, 2, 3};
  if (!has_increments(form)) return 1;
  const std::uint64_t changed = hash ^ OtherIncrements::changes();
  return (form == CallForm::cublas ? of_device : of_host)[(changed >> (8 * vector + 16)) % of_host.size()];
}
/// The same, and 0 for a third of the vectors whose numbers are all the same: for those that are read only.
template <FloatingPoint T>
int increment_of_input(CallForm form, std::uint64_t hash, unsigned vector, const std::vector<T>& x) {
  const bool is_host = form == CallForm::cblas || form == CallForm::fortran;
  bool is_constant = is_host && x.size() > 1 && (hash >> 48) % 3 == 0;
  for (std::size_t i = 1; is_constant && i < x.size(); ++i) is_constant = same_bits(x[i], x[0]);
  return is_constant ? 0 : increment_of(form, hash, vector);
}

/// The place of number i of n numbers in an array with the increment: BLAS walks it from its end where that is
/// negative.
inline std::size_t place_with(int increment, std::size_t n, std::size_t i) {
  return increment < 0 ? (n - 1 - i) * static_cast<std::size_t>(-increment) : i * static_cast<std::size_t>(increment);
}

/// The array of a vector with the increment. NaNs stand in its gaps.
template <FloatingPoint T>
std::vector<T> spread(const std::vector<T>& x, int increment) {
  if (increment == 1 || x.empty()) return x;
  const std::size_t n = x.size();
  if (increment == 0) return {x.front()};
  std::vector<T> array(place_with(std::abs(increment), n, n - 1) + 1, number_of<T>(format<T>.nan()));
  for (std::size_t i = 0; i < n; ++i) array[place_with(increment, n, i)] = x[i];
  return array;
}

/// The n numbers of the array of an output into `y`. A gap that was written counts as a guard zone that was.
template <FloatingPoint T>
void collect(const Executor& on, const std::vector<T>& array, int increment, std::size_t n, T* y) {
  std::vector<bool> is_number(array.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = place_with(increment, n, i);
    y[i] = array[at];
    is_number[at] = true;
  }
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!is_number[i] && bits_of(array[i]) != format<T>.nan()) on.record_guard_zone_violation();
  }
}

/// The claims, which tell the increments of a case that they refuse: text_of(case), empty where all are 1.
template <class Claims, class TextOf>
Claims with_increments(Claims claims, const ForeignKernel& kernel, TextOf text_of) {
  if (!has_increments(kernel.form) || kernel.program != nullptr || kernel.control) return claims;
  for (auto& each : claims) {
    each.judge = [judge = each.judge, text_of](const auto& c, const auto& truth, const auto& result) {
      const Judgement judgement = judge(c, truth, result);
      if (judgement.verdict != Verdict::violated) return judgement;
      if (const std::string text = text_of(c); !text.empty()) remark(text);
      return judgement;
    };
  }
  return claims;
}

/// "called with incx = 2": empty for 1.
inline std::string increment_text(const char* name, int increment) {
  return increment == 1 ? "" : std::string("called with ") + name + " = " + std::to_string(increment);
}
/// The same of two increments.
inline std::string increments_text(int incx, int incy) {
  if (incx == 1 && incy == 1) return "";
  return "called with incx = " + std::to_string(incx) + ", incy = " + std::to_string(incy);
}

}  // namespace assay::contracts
