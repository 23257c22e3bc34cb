#pragma once
// Chains of steps of the matrix instructions of GPUs (arith/tensor_core/model.hpp), and how libraries combine them, on
// the host.

#include <cstdint>
#include <span>

#include "arith/tensor_core/model.hpp"

namespace assay::tensor_core {

/// fused_step(): as a kernel.
std::uint32_t one_step(const Step& step, Input input, std::span<const std::uint32_t> a,
                       std::span<const std::uint32_t> b, std::uint32_t c);

/// d of ⌈k/b⌉ steps over the k products in their order, each with b of them, the last with the rest.
/// Requires: a and b of one size (not checked).
std::uint32_t chain(const Step& step, Input input, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                    std::uint32_t c);

/// The products in slices of `slice`, the last with the rest; each slice is a chain from c = +0. The results are added
/// in their order in binary32 to nearest. With slice = ⌈k/s⌉ this is split-K with s slices; with slice = 128 the
/// promotion of FP8 sums every 128 products. No products give +0.
/// Requires: a and b of one size, slice ≥ 1, a step with a result in binary32 (not checked).
std::uint32_t sliced_chain(const Step& step, Input input, std::span<const std::uint32_t> a,
                           std::span<const std::uint32_t> b, int slice);

/// d = fma(a_{k−1}, b_{k−1}, … fma(a₀, b₀, c)) in binary64 to nearest: the instructions for binary64.
/// Requires: a and b of one size (not checked).
double fma_chain(std::span<const double> a, std::span<const double> b, double c);

/// c + Σ aᵢbᵢ modulo 2³², as a number in two's complement: the instructions for 8-bit integers without saturation. A
/// and B are std::int8_t or std::uint8_t. Requires: a and b of one size (not checked).
template <class A, class B>
constexpr std::int32_t integer_chain(std::span<const A> a, std::span<const B> b, std::int32_t c) {
  static_assert(sizeof(A) == 1 && sizeof(B) == 1, "the elements have 8 bits");
  auto sum = static_cast<std::uint32_t>(c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<std::uint32_t>(static_cast<int>(a[i]) * static_cast<int>(b[i]));
  }
  return static_cast<std::int32_t>(sum);
}

/// RN(α·accumulator + RN(β·c)) in binary32, with one rounding of the product α·accumulator and the sum: the end of a
/// matrix product in a library.
float epilogue(float alpha, float accumulator, float beta, float c);

}  // namespace assay::tensor_core
