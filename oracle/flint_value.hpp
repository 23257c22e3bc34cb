#pragma once

namespace assay::oracle {

/// The owner of a value of FLINT, which classes of numbers derive from. Traits names the type of the value and its
/// functions init, clear, set and swap. Copies are deep; a moved value is swapped out.
template <class Traits>
class FlintValue {
 protected:
  FlintValue() noexcept { Traits::init(x_); }
  FlintValue(const FlintValue& other) : FlintValue() { Traits::set(x_, other.x_); }
  FlintValue(FlintValue&& other) noexcept : FlintValue() { Traits::swap(x_, other.x_); }
  FlintValue& operator=(const FlintValue& other) {
    Traits::set(x_, other.x_);
    return *this;
  }
  FlintValue& operator=(FlintValue&& other) noexcept {
    Traits::swap(x_, other.x_);
    return *this;
  }
  ~FlintValue() { Traits::clear(x_); }

  typename Traits::Value x_;
};

}  // namespace assay::oracle
