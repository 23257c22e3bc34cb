#pragma once
// Quantizers and dequantizers of blocks: a tensor of rows × columns numbers, row by row, becomes codes of at most 8
// bits, with a scale for each block (docs/quantize.md).
//
// quantize() writes the bits of the rule: scales and codes follow from M, min and max of a block, which no order of the
// numbers changes, by operations of binary32 in the order that the rule writes (quantize.rule.1 in
// docs/bounds/quantize.md). dequantize() rounds the exact number of each code once to binary32, and then to T
// (quantize.number.1). So the bits are the same on every executor.
//
// Codes of 4 bits lie two in a byte, other codes in a byte each. Scales, and zero points or minima, lie row by row of
// the blocks; `seconds` has one number of binary32 for nvfp4. Where a rule leaves codes open, they are 0: in blocks
// with the scale NaN, and with nvfp4 and NF4 where the scale is 0.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "arith/float/small_float.hpp"
#include "arith/quantize/rule.hpp"
#include "arith/quantize/scales.hpp"
#include "exec/executor.hpp"

namespace assay::quantize {

enum class Element : std::uint8_t { e4m3, e5m2, e3m2, e2m3, e2m1, int8, int4, uint8, uint5, uint4, nf4 };

/// A block format.
struct Format {
  std::string_view name;  ///< as in docs/quantize.md
  Element element;
  Scaling scaling;
  std::size_t rows;     ///< of a block; 0: all rows of the tensor
  std::size_t columns;  ///< of a block; 0: all columns
  bool has_half_scales = false;

  [[nodiscard]] constexpr bool is_packed() const {
    return element == Element::e2m1 || element == Element::int4 || element == Element::uint4 || element == Element::nf4;
  }
};
std::span<const Format> formats();
/// The format of that name, or nullptr.
const Format* find_format(std::string_view name);

/// Bytes of the results for a tensor, and of the workspace of a call.
struct Sizes {
  std::size_t codes = 0;
  std::size_t scales = 0;
  std::size_t seconds = 0;
  std::size_t workspace = 0;
};
/// Throws std::invalid_argument if the rows and columns are not those of whole blocks, or are 0.
Sizes sizes_of(const Format& format, std::size_t rows, std::size_t columns);

// T is float, binary16 or bfloat16. On memory that lies on the executor, as large as sizes_of() says and aligned to 16
// bytes; `seconds` and `workspace` may be null where their size is 0 (not checked). The launches are queued: the calls
// do not wait. Throws std::invalid_argument as sizes_of() does.
//
// Requires of x (not checked): if scales are not powers of two, finite numbers with M = 0 or 2⁻¹⁰⁰ ≤ M ≤ 2¹⁰⁰; if they
// are stored in binary16, M ≤ 2¹⁵. Of the rule: the words that docs/quantize.md has for the format.

/// Each number of x is read from memory once if a block has at most 128 columns or lies in the cache, otherwise twice.
template <class T>
void quantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
              const T* x, std::uint8_t* codes, void* scales, void* seconds, void* workspace);

/// y = the numbers of the codes. Of `rule` only is_high_half_first matters. Requires: no code is that of a NaN or an
/// infinity (not checked).
template <class T>
void dequantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                const std::uint8_t* codes, const void* scales, const void* seconds, T* y);

// The same of arrays on the host.

struct Quantized {
  std::vector<std::uint8_t> codes, scales, seconds;
};
template <class T>
Quantized quantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows, std::size_t columns,
                   std::span<const T> x);
template <class T>
std::vector<T> dequantize(const Executor& on, const Format& format, const Rule& rule, std::size_t rows,
                          std::size_t columns, const Quantized& numbers);

}  // namespace assay::quantize
