// Kernels that are compiled with -ftz=true: functions of a library on the host, which compute on a device.
#include <cuda_runtime.h>

#include <cstddef>

namespace {

/// An array of the host with its copy on the device.
class OnDevice {
 public:
  OnDevice(const float* from, std::size_t n) : bytes_(n * sizeof(float)) {
    cudaMalloc(&data_, bytes_);
    if (from != nullptr) cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  float* data() const { return data_; }
  /// Leaves `to` as it is where the kernel failed.
  void give(float* to) const { cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost); }

 private:
  std::size_t bytes_;
  float* data_ = nullptr;
};

__global__ void product(std::size_t n, const float* x, const float* y, float* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = x[i] * y[i];
}
__global__ void quotient(std::size_t n, const float* x, const float* y, float* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = x[i] / y[i];
}
__global__ void exponential(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = expf(x[i]);
}
// One row to each block.
__global__ void sum(std::size_t n, const float* x, float* s) {
  float total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[blockIdx.x * n + i];
  s[blockIdx.x] = total;
}
__global__ void softmax(std::size_t n, const float* x, float* y) {
  const float* const row = x + blockIdx.x * n;
  float* const to = y + blockIdx.x * n;
  float largest = row[0];
  for (std::size_t i = 1; i < n; ++i) largest = fmaxf(largest, row[i]);
  float weights = 0;
  for (std::size_t i = 0; i < n; ++i) weights += to[i] = expf(row[i] - largest);
  for (std::size_t i = 0; i < n; ++i) to[i] /= weights;
}

}  // namespace

extern "C" {

void flushed_product(std::size_t n, const float* x, const float* y, float* z) {
  const OnDevice a(x, n);
  const OnDevice b(y, n);
  const OnDevice c(nullptr, n);
  product<<<1, 1>>>(n, a.data(), b.data(), c.data());
  c.give(z);
}
void flushed_quotient(std::size_t n, const float* x, const float* y, float* z) {
  const OnDevice a(x, n);
  const OnDevice b(y, n);
  const OnDevice c(nullptr, n);
  quotient<<<1, 1>>>(n, a.data(), b.data(), c.data());
  c.give(z);
}
void flushed_exponential(std::size_t n, const float* x, float* y) {
  const OnDevice a(x, n);
  const OnDevice b(nullptr, n);
  exponential<<<1, 1>>>(n, a.data(), b.data());
  b.give(y);
}
void flushed_sum(std::size_t rows, std::size_t n, const float* x, float* s) {
  const OnDevice a(x, rows * n);
  const OnDevice b(nullptr, rows);
  sum<<<static_cast<unsigned>(rows), 1>>>(n, a.data(), b.data());
  b.give(s);
}
void flushed_softmax(std::size_t rows, std::size_t n, const float* x, float* y) {
  const OnDevice a(x, rows * n);
  const OnDevice b(nullptr, rows * n);
  softmax<<<static_cast<unsigned>(rows), 1>>>(n, a.data(), b.data());
  b.give(y);
}

}  // extern "C"
