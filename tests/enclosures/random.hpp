#pragma once
// Random numbers for the tests of enclosures, the same on every machine.

#include <cmath>
#include <cstdint>

namespace assay::enclosures {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t end) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 20) % end;
  }
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  /// In [−1, 1].
  double unit() { return std::ldexp(static_cast<double>(below(std::uint64_t{1} << 40)), -39) - 1; }
  /// A number of so many bits with an exponent around `center`.
  double number(int bits, int spread, int center) {
    const auto significand = static_cast<double>(below(std::uint64_t{1} << (bits < 40 ? bits : 40)));
    const double low = bits < 40 ? 0 : std::ldexp(static_cast<double>(below(std::uint64_t{1} << (bits - 40))), -40);
    const int exponent = static_cast<int>(below(static_cast<std::uint64_t>(2 * spread + 1))) - spread + center;
    return std::ldexp((below(2) != 0 ? 1 : -1) * (significand + low), exponent - bits);
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay::enclosures
