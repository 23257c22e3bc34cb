#pragma once
// Steps and chains of matrix units with the oracle's numbers, and the data for their bounds. Only the model's
// parameters are used: the alignment and the rounding are roundings of exact numbers to formats.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "errorbounds/tensor_core.hpp"
#include "kernels/tensor_core/model.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/format.hpp"

namespace assay::tensor_core {

/// tf32 as a format of 19 bits: binary32 without the 13 lowest bits.
inline constexpr oracle::Format tf32{11, -126, 127};
/// binary32 with 13 fraction bits.
inline constexpr oracle::Format e8m13{14, -126, 127};

/// The format of the elements.
oracle::Format format_of_input(Input input);

/// The products of a chain: patterns in the format of the elements, tf32 in binary32.
struct ProductBits {
  Input input;
  std::span<const std::uint32_t> a;
  std::span<const std::uint32_t> b;

  [[nodiscard]] ProductBits part(std::size_t first, std::size_t count) const {
    return {input, a.subspan(first, count), b.subspan(first, count)};
  }
};

/// The result of chain(), as a pattern. Requires: finite numbers, no overflow (not checked).
std::uint32_t exact_chain(const Step& step, const ProductBits& products, std::uint32_t c);

/// The result of sliced_chain(). Requires: as above, results in binary32.
std::uint32_t exact_sliced_chain(const Step& step, const ProductBits& products, std::size_t slice);

/// c + Σ aᵢbᵢ, and the data of the products for bounds. The lists are numbers with their formats.
struct ExactProducts {
  oracle::Dyadic sum;
  MatrixProducts products;
};
ExactProducts exact_products(const oracle::Format& format, std::span<const std::uint64_t> a,
                             std::span<const std::uint64_t> b, const oracle::Dyadic& c);

}  // namespace assay::tensor_core
