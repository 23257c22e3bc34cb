#pragma once

#include <span>
#include <vector>

#include "oracle/ball.hpp"
#include "oracle/dyadic.hpp"

namespace assay::oracle {

/// Balls around yₖ = Σⱼ xⱼ·exp(−2πijk/n) for k = 0 … n − 1: the discrete Fourier transform of n complex numbers.
/// `x`, and the result: the real and the imaginary part of each number, one behind the other; `bits`: the precision of
/// every midpoint. Radii are about 2^−bits·log₂(n)·max|xⱼ|·√n, not relative to the single part.
/// Requires: x.size() is even (throws std::invalid_argument).
/// By Arb's acb_dft, whose every operation encloses: radix 2, mixed radix, or Bluestein's algorithm.
/// Cost: O(n log n) operations of balls for every n.
std::vector<Ball> fourier(std::span<const Dyadic> x, long bits);

}  // namespace assay::oracle
