#pragma once
// The common parts of the files with instructions: how a kernel that multiplies one row by one column becomes a unit.
// For files that nvcc compiles with CUDA.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "kernels/tensor_core/device_units.hpp"

namespace assay::tensor_core::detail {

/// Block i computes d[i], d[i + blocks], … of n. The rows of A and the columns of B have `row_words` words. differs[i]
/// becomes 1 where entries of D differ.
using InstructionKernel = void (*)(unsigned n, const std::uint32_t* a, const std::uint32_t* b, const std::uint64_t* c,
                                   std::uint64_t* d, int* differs);

struct Instruction {
  std::string_view name;
  std::string_view input;
  std::string_view result;
  int products;
  int element_bytes;
  int capability;  ///< of the device and of the code, 10·major + minor
  int threads;
  InstructionKernel kernel;
};

/// Patterns in the low bytes of words, side by side.
inline std::vector<std::byte> packed(std::span<const std::uint64_t> patterns, int bytes) {
  const auto width = static_cast<std::size_t>(bytes);
  std::vector<std::byte> into(patterns.size() * width);
  for (std::size_t i = 0; i < patterns.size(); ++i) std::memcpy(into.data() + i * width, &patterns[i], width);
  return into;
}

/// Whether the device and the code in this build are new enough.
inline bool is_available(const Executor& on, const Instruction& instruction) {
  begin_launch(on);
  int major = 0;
  int minor = 0;
  cudaFuncAttributes attributes{};
  const bool is_known =
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on.device()) == cudaSuccess &&
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, on.device()) == cudaSuccess &&
      cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(instruction.kernel)) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return is_known && 10 * major + minor >= instruction.capability && attributes.ptxVersion >= instruction.capability;
}

inline std::vector<std::uint64_t> compute(const Executor& on, const Instruction& instruction,
                                          std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                          std::span<const std::uint64_t> c) {
  auto n = static_cast<unsigned>(c.size());
  if (n == 0) return {};
  const std::vector<std::byte> rows = packed(a, instruction.element_bytes);
  const std::vector<std::byte> columns = packed(b, instruction.element_bytes);
  const Array<std::byte> device_a(on, std::span<const std::byte>(rows));
  const Array<std::byte> device_b(on, std::span<const std::byte>(columns));
  const Array<std::uint64_t> device_c(on, c);
  const Array<std::uint64_t> d(on, n);
  const std::vector<int> none(n, 0);
  const Array<int> differs(on, std::span<const int>(none));
  begin_launch(on);
  auto* row_words = reinterpret_cast<std::uint32_t*>(device_a.data());
  auto* column_words = reinterpret_cast<std::uint32_t*>(device_b.data());
  std::uint64_t* c_words = device_c.data();
  std::uint64_t* d_words = d.data();
  int* differences = differs.data();
  void* arguments[] = {&n, &row_words, &column_words, &c_words, &d_words, &differences};
  constexpr unsigned most_blocks = 4096;
  assay::detail::check_launch(
      cudaLaunchKernel(reinterpret_cast<const void*>(instruction.kernel), dim3(std::min(n, most_blocks)),
                       dim3(static_cast<unsigned>(instruction.threads)), arguments, 0, nullptr));
  assay::detail::finish_launch(on);
  const std::vector<int> found = differs.take();
  if (std::find(found.begin(), found.end(), 1) != found.end()) {
    throw ExecutorError(std::string(instruction.name) + ": equal rows and columns give entries that differ");
  }
  return d.take();
}

inline DeviceUnit unit_of(const Executor& on, const Instruction& instruction) {
  return {std::string(instruction.name),
          instruction.input,
          instruction.result,
          instruction.products,
          true,
          [on, instruction](std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                            std::span<const std::uint64_t> c) { return compute(on, instruction, a, b, c); }};
}

/// The units of compute capability 9.0 that work on groups of four warps, if the device has them.
std::vector<DeviceUnit> warp_group_instructions(const Executor& on);

}  // namespace assay::tensor_core::detail
