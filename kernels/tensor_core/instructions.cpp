#include "kernels/tensor_core/device_units.hpp"

#if defined(__CUDACC__)
#include "kernels/tensor_core/detail/instruction.hpp"
#endif

namespace assay::tensor_core {

#if defined(__CUDACC__)
namespace {

// The fragments of mma.sync (PTX ISA 9.0, "Matrix Fragments for mma"): in every shape here with 32 bytes a row,
// register r of A has word (lane mod 4) of the row for r = 0, 1 and word (lane mod 4) + 4 for r = 2, 3; register r of B
// has word (lane mod 4) + 4r. The row or column depends on the lane; all rows and columns are equal.

struct Fragments {
  std::uint32_t a[4];
  std::uint32_t b[2];
};

__device__ Fragments fragments_of(const std::uint32_t* row, const std::uint32_t* column) {
  const unsigned k = threadIdx.x % 4;
  return {{row[k], row[k], row[k + 4], row[k + 4]}, {column[k], column[k + 4]}};
}

/// Four numbers of D in a thread: tests whether all numbers of the warp equal the first one.
template <class T, int count>
__device__ bool all_equal(const T (&d)[count]) {
  const T first = __shfl_sync(0xffffffffu, d[0], 0);
  bool equal = true;
  for (int i = 0; i < count; ++i) equal = equal && d[i] == first;
  return __all_sync(0xffffffffu, equal) != 0;
}

// One instruction: operation(d, x) with D in binary32 (as patterns), in two halves a word, or in integers.
#define ASSAY_MMA(name, shape, constraint, type)                                                                \
  struct name {                                                                                                 \
    using Word = type;                                                                                          \
    static __device__ void run(type (&d)[4], const Fragments& x) {                                              \
      asm volatile("mma.sync.aligned." shape " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                   : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3])     \
                   : "r"(x.a[0]), "r"(x.a[1]), "r"(x.a[2]), "r"(x.a[3]), "r"(x.b[0]), "r"(x.b[1]));             \
    }                                                                                                           \
  }
ASSAY_MMA(HalfToSingle, "m16n8k16.row.col.f32.f16.f16.f32", "f", float);
ASSAY_MMA(BfloatToSingle, "m16n8k16.row.col.f32.bf16.bf16.f32", "f", float);
ASSAY_MMA(Tf32ToSingle, "m16n8k8.row.col.f32.tf32.tf32.f32", "f", float);
ASSAY_MMA(Integers, "m16n8k32.row.col.s32.s8.s8.s32", "r", std::uint32_t);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
ASSAY_MMA(E4m3ToSingle, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "f", float);
ASSAY_MMA(E5m2ToSingle, "m16n8k32.row.col.f32.e5m2.e5m2.f32", "f", float);
#else
// Never run: the code is older than is_available() requires.
struct E4m3ToSingle {
  using Word = float;
  static __device__ void run(float (&)[4], const Fragments&) {}
};
struct E5m2ToSingle : E4m3ToSingle {};
#endif
#undef ASSAY_MMA

template <class Operation>
__global__ void four_numbers(unsigned n, const std::uint32_t* a, const std::uint32_t* b, const std::uint64_t* c,
                             std::uint64_t* d, int* differs) {
  using Word = typename Operation::Word;
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    const auto pattern = static_cast<std::uint32_t>(c[i]);
    const Word start = __builtin_bit_cast(Word, pattern);
    Word numbers[4] = {start, start, start, start};
    Operation::run(numbers, fragments_of(a + 8 * i, b + 8 * i));
    std::uint32_t patterns[4];
    for (int j = 0; j < 4; ++j) patterns[j] = __builtin_bit_cast(std::uint32_t, numbers[j]);
    const bool equal = all_equal(patterns);
    if (threadIdx.x == 0) {
      d[i] = patterns[0];
      differs[i] = equal ? 0 : 1;
    }
  }
}

__global__ void half_to_half(unsigned n, const std::uint32_t* a, const std::uint32_t* b, const std::uint64_t* c,
                             std::uint64_t* d, int* differs) {
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    const auto half = static_cast<std::uint32_t>(c[i] & 0xffff);
    std::uint32_t pairs[2] = {half | half << 16, half | half << 16};
    const Fragments x = fragments_of(a + 8 * i, b + 8 * i);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(pairs[0]), "+r"(pairs[1])
                 : "r"(x.a[0]), "r"(x.a[1]), "r"(x.a[2]), "r"(x.a[3]), "r"(x.b[0]), "r"(x.b[1]));
    const bool equal = all_equal(pairs);
    if (threadIdx.x == 0) {
      d[i] = pairs[0] & 0xffff;
      differs[i] = equal && pairs[0] >> 16 == (pairs[0] & 0xffff) ? 0 : 1;
    }
  }
}

/// m8n8k4: a thread has one number of A and of B, number (lane mod 4) of the row.
__global__ void doubles(unsigned n, const std::uint32_t* a, const std::uint32_t* b, const std::uint64_t* c,
                        std::uint64_t* d, int* differs) {
  const unsigned k = threadIdx.x % 4;
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    const double x = reinterpret_cast<const double*>(a)[4 * i + k];
    const double y = reinterpret_cast<const double*>(b)[4 * i + k];
    const double start = __longlong_as_double(static_cast<long long>(c[i]));
    double numbers[2] = {start, start};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(numbers[0]), "+d"(numbers[1])
                 : "d"(x), "d"(y));
    const unsigned long long patterns[2] = {static_cast<unsigned long long>(__double_as_longlong(numbers[0])),
                                            static_cast<unsigned long long>(__double_as_longlong(numbers[1]))};
    const bool equal = all_equal(patterns);
    if (threadIdx.x == 0) {
      d[i] = patterns[0];
      differs[i] = equal ? 0 : 1;
    }
  }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// m16n8k16: register i of A and of B has number (lane mod 4) + 4⌊i/2⌋ and (lane mod 4) + 4i of the row.
__global__ void more_doubles(unsigned n, const std::uint32_t* a, const std::uint32_t* b, const std::uint64_t* c,
                             std::uint64_t* d, int* differs) {
  const unsigned k = threadIdx.x % 4;
  for (unsigned i = blockIdx.x; i < n; i += gridDim.x) {
    const double* x = reinterpret_cast<const double*>(a) + 16 * i + k;
    const double* y = reinterpret_cast<const double*>(b) + 16 * i + k;
    const double start = __longlong_as_double(static_cast<long long>(c[i]));
    double numbers[4] = {start, start, start, start};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, %5, %5, %6, %6, %7, %7}, "
        "{%8, %9, %10, %11}, {%0, %1, %2, %3};"
        : "+d"(numbers[0]), "+d"(numbers[1]), "+d"(numbers[2]), "+d"(numbers[3])
        : "d"(x[0]), "d"(x[4]), "d"(x[8]), "d"(x[12]), "d"(y[0]), "d"(y[4]), "d"(y[8]), "d"(y[12]));
    unsigned long long patterns[4];
    for (int j = 0; j < 4; ++j) patterns[j] = static_cast<unsigned long long>(__double_as_longlong(numbers[j]));
    const bool equal = all_equal(patterns);
    if (threadIdx.x == 0) {
      d[i] = patterns[0];
      differs[i] = equal ? 0 : 1;
    }
  }
}
#else
__global__ void more_doubles(unsigned, const std::uint32_t*, const std::uint32_t*, const std::uint64_t*, std::uint64_t*,
                             int*) {}
#endif

constexpr int warp = 32;

constexpr detail::Instruction mma_sync[] = {
    {"mma.sync.m16n8k16.f32.f16.f16.f32", "f16", "f32", 16, 2, 80, warp, four_numbers<HalfToSingle>},
    {"mma.sync.m16n8k16.f32.bf16.bf16.f32", "bf16", "f32", 16, 2, 80, warp, four_numbers<BfloatToSingle>},
    {"mma.sync.m16n8k8.f32.tf32.tf32.f32", "f32", "f32", 8, 4, 80, warp, four_numbers<Tf32ToSingle>},
    {"mma.sync.m16n8k32.f32.e4m3.e4m3.f32", "e4m3", "f32", 32, 1, 89, warp, four_numbers<E4m3ToSingle>},
    {"mma.sync.m16n8k32.f32.e5m2.e5m2.f32", "e5m2", "f32", 32, 1, 89, warp, four_numbers<E5m2ToSingle>},
    {"mma.sync.m16n8k16.f16.f16.f16.f16", "f16", "f16", 16, 2, 80, warp, half_to_half},
    {"mma.sync.m8n8k4.f64.f64.f64.f64", "f64", "f64", 4, 8, 80, warp, doubles},
    {"mma.sync.m16n8k16.f64.f64.f64.f64", "f64", "f64", 16, 8, 90, warp, more_doubles},
    {"mma.sync.m16n8k32.s32.s8.s8.s32", "s8", "s32", 32, 1, 80, warp, four_numbers<Integers>},
};

}  // namespace

std::vector<DeviceUnit> instructions(const Executor& on) {
  if (on.kind() == Executor::Kind::host) return {};
  std::vector<DeviceUnit> found;
  for (const detail::Instruction& each : mma_sync) {
    if (detail::is_available(on, each)) found.push_back(detail::unit_of(on, each));
  }
  for (DeviceUnit& each : detail::warp_group_instructions(on)) found.push_back(std::move(each));
  return found;
}

#else

std::vector<DeviceUnit> instructions(const Executor&) { return {}; }

#endif

}  // namespace assay::tensor_core
