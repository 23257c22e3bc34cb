// Quantizers of binary32 in a library. To MXFP4: three right functions, one that leaves out shorter blocks, one that
// writes beyond its scales, one that ends the process; two that round with random words of 8 bits, one of which uses
// each of them twice, and two that draw such words. In a table: to MXFP4, with shorter blocks and with random words, to
// integers with zero points, and to Q4_K, where all scales are 0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "assay/subject.h"

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

/// The code of E2M1 of a magnitude; a random word of 8 bits is added to the bits that are dropped.
unsigned element_by_word(float y, std::uint32_t word) {
  constexpr float numbers[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  unsigned code = 0;
  while (code < 7 && y >= numbers[code + 1]) ++code;
  if (code == 7) return 7;
  const float steps = 256 * ((y - numbers[code]) / (numbers[code + 1] - numbers[code]));
  return code + (static_cast<std::uint32_t>(steps) + word >= 256 ? 1 : 0);
}

/// A block of `size` numbers, an even one. With random words where `words` is not null.
void quantize_block(const float* of, std::size_t size, std::uint8_t* codes, std::uint8_t& scale, bool rounds_up,
                    const std::uint32_t* words = nullptr) {
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
      const float y = std::ldexp(std::fabs(of[j]), -k);
      byte = byte << 4 | sign | (words == nullptr ? element(y) : element_by_word(y, words[j]));
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

/// Rounds with random words. `twice`: entries 2i and 2i + 1 have the word of 2i.
void quantize_by_words(std::size_t rows, std::size_t columns, const float* x, const std::uint32_t* words,
                       std::uint8_t* codes, std::uint8_t* scales, bool twice) {
  for (std::size_t block = 0; block < rows * columns / 32; ++block) {
    std::uint32_t of_block[32];
    for (std::size_t i = 0; i < 32; ++i) of_block[i] = words[32 * block + (twice ? i / 2 * 2 : i)];
    quantize_block(x + 32 * block, 32, codes + 16 * block, scales[block], false, of_block);
  }
}

/// A word of 8 bits, by SplitMix64.
std::uint32_t random_word() {
  static std::uint64_t state = 1;
  std::uint64_t z = state += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return static_cast<std::uint32_t>((z ^ z >> 31) >> 56);
}

/// A row of integers of 8 bits without sign, with a scale and a zero point.
void quantize_with_zero(const float* of, std::size_t size, std::uint8_t* codes, float& scale, std::uint8_t& zero) {
  const auto [least, most] = std::minmax_element(of, of + size);
  const float low = std::fmin(*least, 0.F);
  scale = (std::fmax(*most, 0.F) - low) / 255;
  const auto code = [&](float x, float z) {
    return static_cast<std::uint8_t>(scale == 0 ? z : std::clamp(std::nearbyint(x / scale) + z, 0.F, 255.F));
  };
  zero = code(-low, 0.F);
  for (std::size_t i = 0; i < size; ++i) codes[i] = code(of[i], zero);
}

/// The function of the table. A quantizer's case has as many results as its format has arrays.
int run(void* /*self*/, const assay_args* cases, DLTensor* out, std::size_t n, void* /*stream*/) {
  const auto* const x = static_cast<const float*>(assay_data(cases, "x"));
  const auto rows = static_cast<std::size_t>(assay_integer(cases, "rows"));
  const auto columns = static_cast<std::size_t>(assay_integer(cases, "columns"));
  auto* const codes = static_cast<std::uint8_t*>(out[0].data);
  const bool is_of_bytes = out[0].dtype.code == kDLUInt && out[0].dtype.bits == 8;
  if (n != 1 || !is_of_bytes || assay_length(cases, "x") != static_cast<std::int64_t>(rows * columns)) return 1;
  if (const DLTensor* const words = assay_find(cases, "words")) {
    if (words->dtype.code != kDLUInt || words->dtype.bits != 32 || words->shape[0] != assay_length(cases, "x"))
      return 4;
    quantize_by_words(rows, columns, x, static_cast<const std::uint32_t*>(words->data), codes,
                      static_cast<std::uint8_t*>(out[1].data), false);
    return 0;
  }
  if (std::strcmp(cases->format, "f32:mxfp4") == 0) {
    quantize_with_tails(rows, columns, x, codes, static_cast<std::uint8_t*>(out[1].data), true);
    return 0;
  }
  if (std::strcmp(cases->format, "f32:q4_k") == 0) {
    if (out[1].dtype.code != kDLUInt || out[1].dtype.bits != 8) return 2;
    if (out[0].shape[0] != 8 * out[1].shape[0] || 2 * out[0].shape[0] != assay_length(cases, "x")) return 3;
    std::memset(out[0].data, 0, static_cast<std::size_t>(out[0].shape[0]));
    std::memset(out[1].data, 0, static_cast<std::size_t>(out[1].shape[0]));
    return 0;
  }
  if (out[1].dtype.code != kDLFloat || out[2].dtype.bits != 8) return 2;
  for (std::size_t row = 0; row < rows; ++row) {
    quantize_with_zero(x + columns * row, columns, codes + columns * row, static_cast<float*>(out[1].data)[row],
                       static_cast<std::uint8_t*>(out[2].data)[row]);
  }
  return 0;
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
__attribute__((visibility("default"))) void by_words(std::size_t rows, std::size_t columns, const float* x,
                                                     const std::uint32_t* words, std::uint8_t* codes,
                                                     std::uint8_t* scales) {
  quantize_by_words(rows, columns, x, words, codes, scales, false);
}
__attribute__((visibility("default"))) void by_words_twice(std::size_t rows, std::size_t columns, const float* x,
                                                           const std::uint32_t* words, std::uint8_t* codes,
                                                           std::uint8_t* scales) {
  quantize_by_words(rows, columns, x, words, codes, scales, true);
}
__attribute__((visibility("default"))) void draws(std::size_t rows, std::size_t columns, const float* x,
                                                  std::uint8_t* codes, std::uint8_t* scales) {
  std::vector<std::uint32_t> words(rows * columns);
  for (std::uint32_t& each : words) each = random_word();
  quantize_by_words(rows, columns, x, words.data(), codes, scales, false);
}
__attribute__((visibility("default"))) void draws_once(std::size_t rows, std::size_t columns, const float* x,
                                                       std::uint8_t* codes, std::uint8_t* scales) {
  std::vector<std::uint32_t> words(rows * columns);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i % 2 == 0 ? random_word() : words[i - 1];
  quantize_by_words(rows, columns, x, words.data(), codes, scales, false);
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

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {
      {"quantize", "f32:mxfp4"}, {"quantize", "f32:uint8_zero_row"}, {"quantize", "f32:q4_k"}};
  static assay_subject_table table = {};
  table.abi_version = ASSAY_SUBJECT_ABI_VERSION;
  table.struct_size = sizeof table;
  table.name = "quantizers";
  table.version = "1";
  table.kernels = kernels;
  table.kernel_count = 3;
  table.devices = ASSAY_ON_HOST;
  table.run = run;
  return &table;
}
}
