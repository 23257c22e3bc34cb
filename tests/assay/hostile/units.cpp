// Products of matrices by the exact models of matrix units, as a library that has such a unit would compute them.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "kernels/tensor_core/model.hpp"

namespace {

using namespace assay;
using namespace assay::tensor_core;

/// d[p, i, j] = entry(row of a, column of b) for every entry; a and b as patterns.
template <class T, class R, class Entry>
void for_each_entry(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, R* d,
                    const Entry& entry) {
  std::vector<std::uint32_t> row(k);
  std::vector<std::uint32_t> column(k);
  for (std::size_t p = 0; p < batch; ++p) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < k; ++l) column[l] = static_cast<std::uint32_t>(b[(p * k + l) * n + j]);
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t l = 0; l < k; ++l) row[l] = static_cast<std::uint32_t>(a[(p * m + i) * k + l]);
        d[(p * m + i) * n + j] = static_cast<R>(entry(row, column));
      }
    }
  }
}

using Line = std::span<const std::uint32_t>;

/// αs + βc in binary32, each operation rounded; operands that a factor 0 excludes are not read.
float scaled(float alpha, float s, float beta, float c) {
  const float product = alpha != 0 ? alpha * s : 0;
  return beta != 0 ? product + beta * c : product;
}
/// The same with one product fused with the addition.
float fused(float alpha, float s, float beta, float c) {
  if (beta == 0) return alpha != 0 ? alpha * s : 0;
  return alpha != 0 ? std::fma(alpha, s, beta * c) : beta * c;
}
float in_binary32(std::uint32_t bits) { return from_bits<float>(bits); }

}  // namespace

// The arguments of a product whose numbers are patterns of A and whose results are patterns of R.
#define PRODUCT(A, R) \
  std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const std::A *a, const std::A *b, std::R *d

// Those of a product with α, β and C, with patterns of R.
#define EPILOGUE(A, R)                                                                                           \
  std::size_t batch, std::size_t m, std::size_t n, std::size_t k, float alpha, const std::A *a, const std::A *b, \
      float beta, const std::R *c, std::R *d

extern "C" {

void hopper_bf16(PRODUCT(uint16_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d, [](Line x, Line y) { return chain(hopper_f16, Input::bf16, x, y, 0); });
}
void ampere_bf16(PRODUCT(uint16_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d, [](Line x, Line y) { return chain(ampere_f16, Input::bf16, x, y, 0); });
}
void volta_f16(PRODUCT(uint16_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d,
                 [](Line x, Line y) { return chain(tensor_core::volta_f16, Input::f16, x, y, 0); });
}
/// With results in binary16.
void hopper_f16_stored(PRODUCT(uint16_t, uint16_t)) {
  for_each_entry(batch, m, n, k, a, b, d, [](Line x, Line y) {
    return binary16(from_bits<float>(chain(tensor_core::hopper_f16, Input::f16, x, y, 0))).bits();
  });
}
void hopper_f16_accumulated(PRODUCT(uint16_t, uint16_t)) {
  for_each_entry(batch, m, n, k, a, b, d, [](Line x, Line y) {
    return chain(with_f16_accumulator(tensor_core::hopper_f16), Input::f16, x, y, 0);
  });
}
void hopper_tf32_truncated(PRODUCT(uint32_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d,
                 [](Line x, Line y) { return chain(tensor_core::hopper_tf32, Input::tf32, x, y, 0); });
}
void hopper_e4m3_raw(PRODUCT(uint8_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d, [](Line x, Line y) { return chain(hopper_fp8_wgmma, Input::e4m3, x, y, 0); });
}
void hopper_e4m3_promoted(PRODUCT(uint8_t, uint32_t)) {
  for_each_entry(batch, m, n, k, a, b, d,
                 [](Line x, Line y) { return sliced_chain(hopper_fp8_wgmma, Input::e4m3, x, y, 128); });
}

/// The chains of a Hopper unit, then α and β·C in binary32.
void hopper_bf16_scaled(EPILOGUE(uint16_t, uint32_t)) {
  hopper_bf16(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) {
    d[i] = to_bits(scaled(alpha, in_binary32(d[i]), beta, in_binary32(c[i])));
  }
}
void hopper_bf16_fused(EPILOGUE(uint16_t, uint32_t)) {
  hopper_bf16(batch, m, n, k, a, b, d);
  for (std::size_t i = 0; i < batch * m * n; ++i) {
    d[i] = to_bits(fused(alpha, in_binary32(d[i]), beta, in_binary32(c[i])));
  }
}
/// With C and D in bfloat16.
void hopper_bf16_scaled_stored(EPILOGUE(uint16_t, uint16_t)) {
  std::vector<std::uint32_t> sums(batch * m * n);
  hopper_bf16(batch, m, n, k, a, b, sums.data());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto start = static_cast<float>(from_bits<bfloat16>(c[i]));
    d[i] = static_cast<std::uint16_t>(bfloat16(scaled(alpha, in_binary32(sums[i]), beta, start)).bits());
  }
}
/// The sum is rounded to bfloat16 before α and β·C.
void hopper_bf16_stored_first(EPILOGUE(uint16_t, uint16_t)) {
  std::vector<std::uint32_t> sums(batch * m * n);
  hopper_bf16(batch, m, n, k, a, b, sums.data());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto sum = static_cast<float>(bfloat16(in_binary32(sums[i])));
    const auto start = static_cast<float>(from_bits<bfloat16>(c[i]));
    d[i] = static_cast<std::uint16_t>(bfloat16(scaled(alpha, sum, beta, start)).bits());
  }
}
}
