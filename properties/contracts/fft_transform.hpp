#pragma once
// Discrete Fourier transforms of signals, exact or enclosed. A complex number is two numbers, the real part first.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/dyadic.hpp"

namespace assay::contracts::fft {

using oracle::Dyadic;

/// What is computed of a signal.
struct Transform {
  bool is_inverse = false;  ///< exp(+2πijk/n) in place of exp(−2πijk/n), and the factor 1/n
  bool is_half = false;     ///< the signal is real, and of its transform only the numbers 0 … ⌊n/2⌋ are there
};

/// The points of a signal: a row, or several rows in two dimensions.
struct Lengths {
  std::uint64_t rows = 1;
  std::uint64_t columns = 0;
  [[nodiscard]] std::uint64_t points() const { return rows * columns; }
};

/// How many numbers a transform takes, and how many it gives, real and imaginary parts counted apart.
std::size_t numbers_taken(const Transform& of, const Lengths& lengths);
std::size_t numbers_given(const Transform& of, const Lengths& lengths);

/// The number of the transform that belongs to number i of a result: how often it stands in the whole one, once or
/// twice.
std::uint64_t weight_of(const Transform& of, const Lengths& lengths, std::size_t i);

/// All complex numbers that are transformed. Real numbers get 0 as imaginary parts. Half of a transform gets its other
/// half, and 0 as the imaginary parts of y₀ and of y_{n/2} for even n.
std::vector<Dyadic> whole(const Transform& of, const Lengths& lengths, const std::vector<Dyadic>& taken);

/// The transform of some signals, one behind the other.
struct Transformed {
  std::vector<Dyadic> y;
  Dyadic radius;  ///< no number of y is off by more; 0 where y is the transform
};

/// Whether no number but the first complex one is different from 0.
bool is_first_alone(const std::vector<Dyadic>& x);

/// The numbers that a transform gives, of a whole signal: exact for lengths 1, 2 and 4 and where the first number alone
/// is not 0, unless n is no power of 2 and the transform inverse; else to about 2⁻¹²⁰ of the largest number.
Transformed transformed(const Transform& of, const Lengths& lengths, std::vector<Dyadic> signal);

}  // namespace assay::contracts::fft
