// Sums and scans of CUB and of Thrust on a CUDA device, as tables that `assay check --subject` loads. Compiled with
// -DOF_THRUST=1 the functions are those of Thrust.

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <cstddef>
#include <cstdint>
#include <cub/cub.cuh>

#include "assay/subject.h"

namespace {

#ifdef OF_THRUST
constexpr const char* name = "Thrust";

template <class T>
void sum(const T* x, std::int64_t n, T* result, cudaStream_t stream) {
  const T total = thrust::reduce(thrust::cuda::par.on(stream), x, x + n, T(0));
  cudaMemcpyAsync(result, &total, sizeof(T), cudaMemcpyHostToDevice, stream);
}
template <class T>
void cumsum(const T* x, std::int64_t n, T* result, cudaStream_t stream) {
  thrust::inclusive_scan(thrust::cuda::par.on(stream), x, x + n, result);
}
#else
constexpr const char* name = "CUB";

/// Calls a function of CUB for the size of its memory, and again with that memory.
template <class Function>
void with_memory(cudaStream_t stream, const Function& function) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  function(memory, bytes);
  cudaMallocAsync(&memory, bytes, stream);
  function(memory, bytes);
  cudaFreeAsync(memory, stream);
}
template <class T>
void sum(const T* x, std::int64_t n, T* result, cudaStream_t stream) {
  with_memory(stream,
              [&](void* memory, std::size_t& bytes) { cub::DeviceReduce::Sum(memory, bytes, x, result, n, stream); });
}
template <class T>
void cumsum(const T* x, std::int64_t n, T* result, cudaStream_t stream) {
  with_memory(stream, [&](void* memory, std::size_t& bytes) {
    cub::DeviceScan::InclusiveSum(memory, bytes, x, result, n, stream);
  });
}
#endif

template <class T>
void compute(const assay_args& args, void* result, cudaStream_t stream) {
  const T* const x = static_cast<const T*>(assay_data(&args, "x"));
  if (args.operation[0] == 's') {
    sum(x, assay_length(&args, "x"), static_cast<T*>(result), stream);
  } else if (assay_length(&args, "x") > 0) {
    cumsum(x, assay_length(&args, "x"), static_cast<T*>(result), stream);
  }
}

int run(void*, const assay_args* cases, DLTensor* out, std::size_t n, void* stream) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto on = static_cast<cudaStream_t>(stream);
    if (out[i].dtype.bits == 64) compute<double>(cases[i], out[i].data, on);
    if (out[i].dtype.bits == 32) compute<float>(cases[i], out[i].data, on);
  }
  return static_cast<int>(cudaGetLastError());
}

}  // namespace

extern "C" const assay_subject_table* assay_subject_v1() {
  static const assay_kernel kernels[] = {{"sum", "f64"}, {"sum", "f32"}, {"cumsum", "f64"}, {"cumsum", "f32"}};
  static const assay_subject_table table = {ASSAY_SUBJECT_ABI_VERSION,
                                            sizeof(assay_subject_table),
                                            name,
                                            "CUDA Toolkit",
                                            kernels,
                                            4,
                                            ASSAY_ON_CUDA,
                                            run,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr};
  return &table;
}
