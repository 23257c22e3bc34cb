// A library with conversions of binary32, by functions and a table: to integers of 8 bits, to pairs of integers of
// 4 bits, and to bfloat16 with random words.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "assay/subject.h"

namespace {

std::int8_t rounded(float x) {
  return x == x ? static_cast<std::int8_t>(std::nearbyint(std::fmin(127.F, std::fmax(-128.F, x)))) : std::int8_t{0};
}

std::uint16_t with_word(float x, std::uint32_t word) {
  if (x != x) return 0x7FC0;
  std::uint32_t pattern = 0;
  std::memcpy(&pattern, &x, sizeof x);
  return static_cast<std::uint16_t>((pattern + word) >> 16);
}

/// Two integers of 4 bits in a byte.
std::uint8_t pair(float low, float high) {
  const auto code = [](float x) { return x == x ? std::nearbyint(std::fmin(7.F, std::fmax(-8.F, x))) : 0; };
  return static_cast<std::uint8_t>((static_cast<int>(code(low)) & 15) | static_cast<int>(code(high)) << 4);
}

/// The next word of 16 bits of a generator with 64 bits of state: xorshift64*.
std::uint32_t next_word() {
  static std::uint64_t state = 1;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return static_cast<std::uint32_t>((state * 0x2545F4914F6CDD1DU) >> 48);
}

int run(void* /*self*/, const assay_args* cases, DLTensor* out, std::size_t n, void* /*stream*/) {
  for (std::size_t i = 0; i < n; ++i) {
    if (const DLTensor* const words = assay_find(&cases[i], "words")) {
      if (words->dtype.code != kDLUInt || words->dtype.bits != 32 || words->shape[0] != out[i].shape[0]) return 2;
      const auto* const x = static_cast<const float*>(assay_data(&cases[i], "x"));
      for (std::int64_t k = 0; k < out[i].shape[0]; ++k) {
        static_cast<std::uint16_t*>(out[i].data)[k] =
            with_word(x[k], static_cast<const std::uint32_t*>(words->data)[k]);
      }
      continue;
    }
    const auto* const x = static_cast<const float*>(assay_data(&cases[i], "x"));
    if (std::strcmp(cases[i].format, "f32:int4x2") == 0) {
      if (out[i].dtype.code != kDLUInt || 2 * out[i].shape[0] != assay_length(&cases[i], "x")) return 3;
      auto* const pairs = static_cast<std::uint8_t*>(out[i].data);
      for (std::int64_t k = 0; k < out[i].shape[0]; ++k) pairs[k] = pair(x[2 * k], x[2 * k + 1]);
      continue;
    }
    const bool is_typed = out[i].dtype.code == kDLInt && out[i].dtype.bits == 8;
    if (!is_typed) return 1;
    for (std::int64_t k = 0; k < out[i].shape[0]; ++k) static_cast<std::int8_t*>(out[i].data)[k] = rounded(x[k]);
  }
  return 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void to_int8(std::size_t n, const float* x, std::int8_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = rounded(x[i]);
}
__attribute__((visibility("default"))) void high_first(std::size_t n, const float* x, std::uint8_t* y) {
  for (std::size_t i = 0; i < n; i += 2) y[i / 2] = pair(x[i + 1], x[i]);
}
__attribute__((visibility("default"))) void crashes(std::size_t /*n*/, const float* /*x*/, std::int8_t* /*y*/) {
  std::abort();
}
__attribute__((visibility("default"))) void reads_on(std::size_t n, const float* x, std::int8_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = rounded(x[i + 1]);
}

__attribute__((visibility("default"))) void to_bf16(std::size_t n, const float* x, const std::uint32_t* words,
                                                    std::uint16_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = with_word(x[i], words[i]);
}
__attribute__((visibility("default"))) void reads_words_on(std::size_t n, const float* x, const std::uint32_t* words,
                                                           std::uint16_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = with_word(x[i], words[i + 1]);
}
__attribute__((visibility("default"))) void draws_bf16(std::size_t n, const float* x, std::uint16_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = with_word(x[i], next_word());
}
__attribute__((visibility("default"))) void draws_for_two(std::size_t n, const float* x, std::uint16_t* y) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 2 == 0) word = next_word();
    y[i] = with_word(x[i], word);
  }
}

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {{"convert", "f32:int8"}, {"convert", "f32:bf16"}, {"convert", "f32:int4x2"}};
  static assay_subject_table table = {};
  table.abi_version = ASSAY_SUBJECT_ABI_VERSION;
  table.struct_size = sizeof table;
  table.name = "conversions";
  table.version = "1";
  table.kernels = kernels;
  table.kernel_count = 3;
  table.devices = ASSAY_ON_HOST;
  table.run = run;
  return &table;
}
}
