// Products of matrices by the exact models of matrix units, as a library that has such a unit would compute them.

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

}  // namespace

// The arguments of a product whose numbers are patterns of A and whose results are patterns of R.
#define PRODUCT(A, R) \
  std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const std::A *a, const std::A *b, std::R *d

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
}
