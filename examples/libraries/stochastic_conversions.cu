// Stochastic rounding of binary32 to bfloat16 by the two formulas that software uses, compared on a device with the
// definition (docs/convert.md) for all 2^16 random words and all 2^16 lower halves of a number:
//   carry            the word is added to the pattern, and the lower half is dropped
//   carry.reversed   a word below the lower half rounds away from zero
// The upper halves are one binade, the subnormal numbers' ends, and the binades at both ends of the range, with both
// signs. A third formula has a planted mistake: one word of 2^16 is replaced. Prints a line for each formula; exit code
// 0: the first two agree with the definition, and the third does not.

#include <cuda_bf16.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

struct Carry {
  static constexpr bool is_reversed = false;
  __device__ static std::uint32_t of(std::uint32_t x, std::uint32_t word) { return (x + word) >> 16; }
};
struct Below {
  static constexpr bool is_reversed = true;
  __device__ static std::uint32_t of(std::uint32_t x, std::uint32_t word) {
    return (x >> 16) + (word < (x & 0xFFFF) ? 1 : 0);
  }
};
struct Mistaken {
  static constexpr bool is_reversed = false;
  __device__ static std::uint32_t of(std::uint32_t x, std::uint32_t word) {
    return Carry::of(x, word < 0xFFFF ? word : 0xFFFE);
  }
};

/// The code of a number that bfloat16 has, or of infinity, with the sign of x.
__device__ std::uint32_t code(double magnitude, std::uint32_t x) {
  const __nv_bfloat16_raw raw = __double2bfloat16(magnitude);
  return raw.x | (x >> 31 << 15);
}

/// Pairs that differ from the definition, and the smallest of them: x and the word.
struct Found {
  unsigned long long differ;
  unsigned long long first;
};

/// Compares all words for 2^16 numbers, one for each block. All operations of binary64 here are exact.
template <class Formula>
__global__ void compare(std::uint32_t upper, Found* found) {
  const std::uint32_t x = upper << 16 | blockIdx.x;
  float number;
  memcpy(&number, &x, sizeof number);
  const double magnitude = fabs(static_cast<double>(number));
  const double gap = ldexp(1.0, (magnitude >= 0x1p-126 ? ilogb(magnitude) : -126) - 7);
  const double near = floor(magnitude / gap) * gap;
  const auto words = static_cast<std::uint32_t>((magnitude - near) / gap * 65536);
  const std::uint32_t below = code(near, x);
  const std::uint32_t above = code(near + gap, x);
  for (std::uint32_t word = threadIdx.x; word < 65536; word += blockDim.x) {
    const bool is_above = Formula::is_reversed ? word < words : word >= 65536 - words;
    if (Formula::of(x, word) == (is_above ? above : below)) continue;
    atomicAdd(&found->differ, 1ULL);
    atomicMin(&found->first, static_cast<unsigned long long>(x) << 32 | word);
  }
}

/// The upper halves that are compared, without signs.
std::vector<std::uint32_t> uppers() {
  std::vector<std::uint32_t> all{0, 1, 2, 0x7E, 0x7F};  // subnormal
  for (std::uint32_t each = 0x80; each < 0x100; ++each) all.push_back(each);
  for (std::uint32_t each = 0x3F80; each < 0x4000; ++each) all.push_back(each);
  for (std::uint32_t each = 0x7F00; each < 0x7F80; ++each) all.push_back(each);
  return all;
}

template <class Formula>
bool agrees(const char* name) {
  Found* found = nullptr;
  if (cudaMallocManaged(&found, sizeof(Found)) != cudaSuccess) return false;
  *found = {0, ~0ULL};
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t pairs = 0;
  for (const std::uint32_t sign : {0U, 0x8000U}) {
    for (const std::uint32_t each : uppers()) {
      compare<Formula><<<65536, 256>>>(sign | each, found);
      pairs += std::uint64_t{1} << 32;
    }
  }
  const cudaError_t error = cudaDeviceSynchronize();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", name, cudaGetErrorString(error));
    return false;
  }
  std::printf("%s: %llu pairs in %.2f s, %llu differ", name, static_cast<unsigned long long>(pairs), took.count(),
              found->differ);
  if (found->differ != 0)
    std::printf(", the first 0x%08llx with the word 0x%llx", found->first >> 32, found->first & 0xFFFF);
  std::printf("\n");
  const bool is_right = found->differ == 0;
  cudaFree(found);
  return is_right;
}

}  // namespace

int main() {
  const bool is_right = agrees<Carry>("carry");
  const bool is_right_too = agrees<Below>("carry.reversed");
  return is_right && is_right_too && !agrees<Mistaken>("with a planted mistake") ? 0 : 1;
}
