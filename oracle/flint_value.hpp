#pragma once

#include "oracle/flint.hpp"

namespace assay::oracle {
namespace detail {

inline void init(arf_struct* x) { arf_init(x); }
inline void init(fmpq* x) { fmpq_init(x); }
inline void init(arb_struct* x) { arb_init(x); }
inline void clear(arf_struct* x) {
  if (ARF_HAS_PTR(x) || COEFF_IS_MPZ(ARF_EXP(x))) arf_clear(x);  // else it owns no memory
}
inline void clear(fmpq* x) { fmpq_clear(x); }
inline void clear(arb_struct* x) { arb_clear(x); }
inline void set(arf_struct* x, const arf_struct* y) { arf_set(x, y); }
inline void set(fmpq* x, const fmpq* y) { fmpq_set(x, y); }
inline void set(arb_struct* x, const arb_struct* y) { arb_set(x, y); }
inline void swap(arf_struct* x, arf_struct* y) { arf_swap(x, y); }
inline void swap(fmpq* x, fmpq* y) { fmpq_swap(x, y); }
inline void swap(arb_struct* x, arb_struct* y) { arb_swap(x, y); }

}  // namespace detail

/// The owner of an arf_t, fmpq_t or arb_t, which classes of numbers derive from. A copy has a value of its own.
template <class Value>
class FlintValue {
 protected:
  FlintValue() noexcept { detail::init(x_); }
  FlintValue(const FlintValue& other) : FlintValue() { detail::set(x_, other.x_); }
  FlintValue(FlintValue&& other) noexcept : FlintValue() { detail::swap(x_, other.x_); }
  FlintValue& operator=(const FlintValue& other) {
    detail::set(x_, other.x_);
    return *this;
  }
  FlintValue& operator=(FlintValue&& other) noexcept {
    detail::swap(x_, other.x_);
    return *this;
  }
  ~FlintValue() { detail::clear(x_); }

  Value x_;
};

}  // namespace assay::oracle
