// A library with a table whose kernels run on a device, good and bad: TABLE in the environment selects the failure. It
// has a plain function for arrays of a device, too.
#include <cuda_runtime.h>

#include <cstdint>

#include "assay/subject.h"
#include "tests/device/way.hpp"

namespace {

/// One thread adds the products from the first to the last.
template <class T>
__global__ void dot_kernel(std::size_t n, const T* x, const T* y, T* result, Way way) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  result[0] = sum;
  if (way == writes_behind) result[1] = 0;
  if (way == writes_in_front) result[-1] = 0;
  if (way == changes_input && n != 0) const_cast<T*>(x)[0] = 3;
  if (way == faults && n == 33) *reinterpret_cast<volatile T*>(std::uintptr_t{16}) = sum;
}

template <class T>
int launch(const assay_args& args, const DLTensor& out, cudaStream_t stream) {
  const DLTensor* const x = assay_find(&args, "x");
  const DLTensor* const y = assay_find(&args, "y");
  if (x->device.device_type != kDLCUDA || out.device.device_type != kDLCUDA) return 2;
  dot_kernel<<<1, 1, 0, stream>>>(static_cast<std::size_t>(x->shape[0]), static_cast<const T*>(x->data),
                                  static_cast<const T*>(y->data), static_cast<T*>(out.data), way());
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}

int run(void*, const assay_args* cases, DLTensor* out, std::size_t n, void* stream) {
  if (way_is("unwritten")) return 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto on = static_cast<cudaStream_t>(stream);
    const int status =
        out[i].dtype.bits == 64 ? launch<double>(cases[i], out[i], on) : launch<float>(cases[i], out[i], on);
    if (status != 0) return status;
  }
  return 0;
}

int open_table(void**, std::uint32_t device) { return device == ASSAY_ON_CUDA ? 0 : 4; }

const char* knobs(void*) { return "threads=1\n"; }

}  // namespace

extern "C" const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {{"dot", "f64"}, {"dot", "f32"}};
  static const assay_subject_table table = {ASSAY_SUBJECT_ABI_VERSION,
                                            sizeof(assay_subject_table),
                                            "device table",
                                            "1.0",
                                            kernels,
                                            2,
                                            ASSAY_ON_CUDA,
                                            run,
                                            open_table,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            knobs};
  return &table;
}

extern "C" void device_dot(std::size_t n, const double* x, const double* y, double* result, void* stream) {
  dot_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(n, x, y, result, way());
}
