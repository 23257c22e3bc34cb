// wgmma exists only for sm_90a: this file is compiled for that architecture and no other (kernels/CMakeLists.txt).

#include "kernels/tensor_core/detail/instruction.hpp"

namespace assay::tensor_core::detail {
namespace {

constexpr int warp_group = 128;
constexpr int row_words = 8;  // all shapes here have 32 bytes per row of A and per column of B
constexpr int rows = 64;      // of A
constexpr int columns = 8;    // of B

/// A and B in shared memory without swizzling, in blocks of 8 rows by 16 bytes that are contiguous: the two blocks of 8
/// rows lie side by side, the next 8 rows follow.
struct alignas(128) Operands {
  std::uint32_t a[rows * row_words];
  std::uint32_t b[columns * row_words];
};

constexpr unsigned block_bytes = 128;                   // 8 rows of 16 bytes
constexpr unsigned eight_rows_bytes = 2 * block_bytes;  // 8 rows of 32 bytes

/// The descriptor of a matrix in that layout (PTX ISA 9.0, "Matrix descriptor format"): address, offset between blocks
/// along the inner index, offset between blocks of 8 rows, each in units of 16 bytes.
__device__ std::uint64_t descriptor_of(const std::uint32_t* matrix) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(matrix));
  return (address & 0x3ffff) >> 4 | std::uint64_t{block_bytes >> 4} << 16 | std::uint64_t{eight_rows_bytes >> 4} << 32;
}

/// Fills a matrix with a row.
__device__ void fill(std::uint32_t* matrix, int size, const std::uint32_t* row) {
  for (int i = static_cast<int>(threadIdx.x); i < size; i += warp_group) {
    const int block = i / 32;  // of 8 rows by 4 words
    matrix[i] = row[4 * (block % 2) + i % 4];
  }
}

// One asm statement has all four instructions: the compiler must not move registers of D between them.
#define ASSAY_WGMMA(name, shape, constraint, type, end)                                            \
  struct name {                                                                                    \
    using Word = type;                                                                             \
    static constexpr int count = 4;                                                                \
    static __device__ void run(type (&d)[4], std::uint64_t a, std::uint64_t b) {                   \
      asm volatile(                                                                                \
          "wgmma.fence.sync.aligned;\n"                                                            \
          "wgmma.mma_async.sync.aligned." shape " {%0, %1, %2, %3}, %4, %5, 1" end                 \
          ";\n"                                                                                    \
          "wgmma.commit_group.sync.aligned;\n"                                                     \
          "wgmma.wait_group.sync.aligned 0;"                                                       \
          : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3]) \
          : "l"(a), "l"(b)                                                                         \
          : "memory");                                                                             \
    }                                                                                              \
  }
ASSAY_WGMMA(HalfToSingle, "m64n8k16.f32.f16.f16", "f", float, ", 1, 1, 0, 0");
ASSAY_WGMMA(BfloatToSingle, "m64n8k16.f32.bf16.bf16", "f", float, ", 1, 1, 0, 0");
ASSAY_WGMMA(Tf32ToSingle, "m64n8k8.f32.tf32.tf32", "f", float, ", 1, 1");
ASSAY_WGMMA(E4m3ToSingle, "m64n8k32.f32.e4m3.e4m3", "f", float, ", 1, 1");
ASSAY_WGMMA(E5m2ToSingle, "m64n8k32.f32.e5m2.e5m2", "f", float, ", 1, 1");
ASSAY_WGMMA(Integers, "m64n8k32.s32.s8.s8", "r", std::uint32_t, "");
#undef ASSAY_WGMMA

/// Two halves a word.
struct HalfToHalf {
  using Word = std::uint32_t;
  static constexpr int count = 2;
  static __device__ void run(std::uint32_t (&d)[2], std::uint64_t a, std::uint64_t b) {
    asm volatile(
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, 1, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;"
        : "+r"(d[0]), "+r"(d[1])
        : "l"(a), "l"(b)
        : "memory");
  }
};

template <class Operation>
__global__ void __launch_bounds__(warp_group) product(unsigned n, const std::uint32_t* a, const std::uint32_t* b,
                                                      const std::uint64_t* c, std::uint64_t* d, int* differs) {
  using Word = typename Operation::Word;
  __shared__ Operands operands;
  __shared__ std::uint32_t first;
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    fill(operands.a, rows * row_words, a + row_words * i);
    fill(operands.b, columns * row_words, b + row_words * i);
    auto pattern = static_cast<std::uint32_t>(c[i]);
    if (Operation::count == 2) pattern |= pattern << 16;
    Word numbers[Operation::count];
    for (Word& each : numbers) each = __builtin_bit_cast(Word, pattern);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // so that the instruction sees the stored numbers
    __syncthreads();
    Operation::run(numbers, descriptor_of(operands.a), descriptor_of(operands.b));
    if (threadIdx.x == 0) first = __builtin_bit_cast(std::uint32_t, numbers[0]);
    __syncthreads();
    bool equal = Operation::count == 4 || first >> 16 == (first & 0xffff);
    for (const Word each : numbers) equal = equal && __builtin_bit_cast(std::uint32_t, each) == first;
    const bool all = __syncthreads_and(equal ? 1 : 0) != 0;
    if (threadIdx.x == 0) {
      d[i] = Operation::count == 2 ? first & 0xffff : first;
      differs[i] = all ? 0 : 1;
    }
  }
}

constexpr Instruction wgmma[] = {
    {"wgmma.m64n8k16.f32.f16.f16", "f16", "f32", 16, 2, 90, warp_group, product<HalfToSingle>},
    {"wgmma.m64n8k16.f32.bf16.bf16", "bf16", "f32", 16, 2, 90, warp_group, product<BfloatToSingle>},
    {"wgmma.m64n8k8.f32.tf32.tf32", "f32", "f32", 8, 4, 90, warp_group, product<Tf32ToSingle>},
    {"wgmma.m64n8k32.f32.e4m3.e4m3", "e4m3", "f32", 32, 1, 90, warp_group, product<E4m3ToSingle>},
    {"wgmma.m64n8k32.f32.e5m2.e5m2", "e5m2", "f32", 32, 1, 90, warp_group, product<E5m2ToSingle>},
    {"wgmma.m64n8k16.f16.f16.f16", "f16", "f16", 16, 2, 90, warp_group, product<HalfToHalf>},
    {"wgmma.m64n8k32.s32.s8.s8", "s8", "s32", 32, 1, 90, warp_group, product<Integers>},
};

}  // namespace

std::vector<DeviceUnit> warp_group_instructions(const Executor& on) {
  std::vector<DeviceUnit> found;
  for (const Instruction& each : wgmma) {
    if (is_available(on, each)) found.push_back(unit_of(on, each));
  }
  return found;
}

}  // namespace assay::tensor_core::detail
