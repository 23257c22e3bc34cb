#pragma once
// The units of a CUDA device that multiply matrices, and the products of cuBLAS, as functions of one row of A and one
// column of B. The caller must find out which sums they compute.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executor.hpp"

namespace assay::tensor_core {

/// d = c + Σ aᵢbᵢ of `products` products, for many at a time. Numbers are bit patterns in the low bits of a word.
struct DeviceUnit {
  std::string name;         ///< "mma.sync.m16n8k16.f32.f16.f16.f32", "cublasSgemm TF32 64x64x256"
  std::string_view input;   ///< f64, f32, f16, bf16, e4m3, e5m2 or s8; a unit for tf32 gets patterns of binary32
  std::string_view result;  ///< of c and d: f64, f32, f16 or s32
  int products;             ///< of one d
  bool has_c;               ///< whether it takes c
  /// d of each case. `a` and `b` hold `products` patterns per case; `c`: one pattern for each case, if has_c. Throws
  /// ExecutorError for the device's errors, and if equal rows and columns of an instruction do not give equal entries.
  std::function<std::vector<std::uint64_t>(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                           std::span<const std::uint64_t> c)>
      compute;
  int rows = 0;  ///< of a library's product: case i is entry (i mod rows, i mod rows); 0 for an instruction
};

/// The instructions mma.sync and, on devices of compute capability 9.0, wgmma that the device has and this build has
/// code for. A warp, or a group of four warps, computes one d: all rows of A are equal and all columns of B, so that
/// all entries of D are. None on a host executor. Throws ExecutorError.
std::vector<DeviceUnit> instructions(const Executor& on);

/// Products by cuBLAS and cuBLASLt with α = 1 and β = 0, of 64 rows and 64 columns, of which only the diagonal is used:
/// cublasSgemm and cublasDgemm in their math modes, cublasGemmEx, and cublasLtMatmul for FP8. The results of one path
/// may depend on the shape. None on a host executor. Throws ExecutorError if cuBLAS cannot be loaded; a path that
/// the library does not have on this device throws when it computes.
std::vector<DeviceUnit> library_products(const Executor& on);

}  // namespace assay::tensor_core
