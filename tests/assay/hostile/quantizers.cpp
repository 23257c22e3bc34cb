// Quantizers of binary32 to MXFP4 in a library: three right ones, one that leaves out shorter blocks, one that
// writes beyond its scales, one that ends the process.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

/// The code of E2M1 of a magnitude, ties to even.
unsigned element(float y) {
  constexpr float limits[] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.F};
  unsigned code = 0;
  for (const float limit : limits) {
    if (y > limit || (y == limit && code % 2 != 0)) ++code;
  }
  return code;
}

/// A block of `size` numbers, an even one.
void quantize_block(const float* of, std::size_t size, std::uint8_t* codes, std::uint8_t& scale, bool rounds_up) {
  float amax = 0;
  bool is_nan = false;
  for (std::size_t i = 0; i < size; ++i) {
    is_nan = is_nan || !std::isfinite(of[i]);
    amax = std::max(amax, std::fabs(of[i]));
  }
  int k = amax == 0 || is_nan ? -127 : std::max(-127, std::ilogb(amax) - 2);
  if (rounds_up && amax > std::ldexp(6.F, k)) ++k;
  scale = static_cast<std::uint8_t>(is_nan ? 0xFF : k + 127);
  for (std::size_t i = 0; i < size; i += 2) {
    unsigned byte = 0;
    for (const std::size_t j : {i + 1, i}) {
      const unsigned sign = std::signbit(of[j]) ? 8 : 0;
      byte = byte << 4 | sign | element(std::ldexp(std::fabs(of[j]), -k));
    }
    codes[i / 2] = static_cast<std::uint8_t>(byte);
  }
}

void quantize_by(std::size_t rows, std::size_t columns, const float* x, std::uint8_t* codes, std::uint8_t* scales,
                 bool rounds_up) {
  for (std::size_t block = 0; block < rows * columns / 32; ++block) {
    quantize_block(x + 32 * block, 32, codes + 16 * block, scales[block], rounds_up);
  }
}

/// Rows that may end in a shorter block.
void quantize_with_tails(std::size_t rows, std::size_t columns, const float* x, std::uint8_t* codes,
                         std::uint8_t* scales, bool writes_tails) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t at = 0; at < columns; at += 32) {
      const std::size_t first = row * columns + at;
      const std::size_t size = std::min<std::size_t>(32, columns - at);
      quantize_block(x + first, size, codes + first / 2, *scales++, false);
      if (size < 32 && !writes_tails) std::fill_n(codes + first / 2, size / 2, std::uint8_t{0});
    }
  }
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void quantize(std::size_t rows, std::size_t columns, const float* x,
                                                     std::uint8_t* codes, std::uint8_t* scales) {
  quantize_by(rows, columns, x, codes, scales, false);
}
__attribute__((visibility("default"))) void rounds_up(std::size_t rows, std::size_t columns, const float* x,
                                                      std::uint8_t* codes, std::uint8_t* scales) {
  quantize_by(rows, columns, x, codes, scales, true);
}
__attribute__((visibility("default"))) void quantize_rows(std::size_t rows, std::size_t columns, const float* x,
                                                          std::uint8_t* codes, std::uint8_t* scales) {
  quantize_with_tails(rows, columns, x, codes, scales, true);
}
__attribute__((visibility("default"))) void forgets_tails(std::size_t rows, std::size_t columns, const float* x,
                                                          std::uint8_t* codes, std::uint8_t* scales) {
  quantize_with_tails(rows, columns, x, codes, scales, false);
}
__attribute__((visibility("default"))) void writes_on(std::size_t rows, std::size_t columns, const float* x,
                                                      std::uint8_t* codes, std::uint8_t* scales) {
  quantize_by(rows, columns, x, codes, scales, false);
  scales[rows * columns / 32] = 1;
}
__attribute__((visibility("default"))) void ends(std::size_t /*rows*/, std::size_t /*columns*/, const float* /*x*/,
                                                 std::uint8_t* /*codes*/, std::uint8_t* /*scales*/) {
  std::abort();
}
}
