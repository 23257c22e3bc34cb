// Sums and scans of CUB and Thrust, and two kernels whose order of additions is not fixed, as functions of C for
// arrays on a CUDA device. All work is put into the given stream.

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <cstddef>
#include <cub/cub.cuh>

namespace {

/// Calls a function of CUB for the size of its memory, and again with that memory.
template <class Function>
int with_memory(cudaStream_t stream, const Function& function) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  function(memory, bytes);
  cudaMallocAsync(&memory, bytes, stream);
  function(memory, bytes);
  cudaFreeAsync(memory, stream);
  return static_cast<int>(cudaGetLastError());
}
template <class T>
int cub_sum(const T* x, std::size_t n, T* y, cudaStream_t stream) {
  return with_memory(stream,
                     [&](void* memory, std::size_t& bytes) { cub::DeviceReduce::Sum(memory, bytes, x, y, n, stream); });
}
template <class T>
int cub_cumsum(const T* x, std::size_t n, T* y, cudaStream_t stream) {
  return with_memory(
      stream, [&](void* memory, std::size_t& bytes) { cub::DeviceScan::InclusiveSum(memory, bytes, x, y, n, stream); });
}
template <class T>
int thrust_sum(const T* x, std::size_t n, T* y, cudaStream_t stream) {
  const T total = thrust::reduce(thrust::cuda::par.on(stream), x, x + n, T(0));
  cudaMemcpyAsync(y, &total, sizeof(T), cudaMemcpyHostToDevice, stream);
  return static_cast<int>(cudaStreamSynchronize(stream));
}
template <class T>
int thrust_cumsum(const T* x, std::size_t n, T* y, cudaStream_t stream) {
  thrust::inclusive_scan(thrust::cuda::par.on(stream), x, x + n, y);
  return static_cast<int>(cudaGetLastError());
}

constexpr int threads = 256;

/// What a block of the scan has told: nothing, the sum of its numbers, or the sum up to its end.
struct Told {
  int state;
  float sum;
  float sum_to_end;
};

/// yᵢ = x₀ + … + xᵢ, one block of numbers each. A block takes its turn by an atomic counter, and adds what the blocks
/// before it have told by then: sums of blocks, up to a block that has told its sum to the end. So the order of the
/// additions depends on the time that the blocks take.
__global__ void scan_in_turns(const float* x, std::size_t n, float* y, volatile Told* told, int* turns) {
  using Scan = cub::BlockScan<float, threads>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ int turn;
  __shared__ float before;
  if (threadIdx.x == 0) turn = atomicAdd(turns, 1);
  __syncthreads();
  const std::size_t i = static_cast<std::size_t>(turn) * threads + threadIdx.x;
  float prefix = 0;
  float sum = 0;
  Scan(storage).InclusiveSum(i < n ? x[i] : 0.0F, prefix, sum);
  if (threadIdx.x == 0) {
    told[turn].sum = sum;
    __threadfence();
    told[turn].state = 1;
    float sum_before = 0;
    for (int other = turn - 1; other >= 0; --other) {
      int state = 0;
      while (state == 0) state = told[other].state;
      __threadfence();
      sum_before = (state == 2 ? told[other].sum_to_end : told[other].sum) + sum_before;
      if (state == 2) break;
    }
    told[turn].sum_to_end = sum_before + sum;
    __threadfence();
    told[turn].state = 2;
    before = sum_before;
  }
  __syncthreads();
  if (i < n) y[i] = before + prefix;
}

/// Row i of D = AB in row-major order: one thread an entry, and one block of `slice` products along k each. The slices
/// are added in the order in which they arrive.
__global__ void product_of_slices(const float* a, const float* b, int m, int n, int k, int slice, float* d) {
  const int entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry >= m * n) return;
  const int end = min(k, static_cast<int>(blockIdx.y + 1) * slice);
  float sum = 0;
  for (int l = blockIdx.y * slice; l < end; ++l) sum = fmaf(a[entry / n * k + l], b[l * n + entry % n], sum);
  atomicAdd(d + entry, sum);
}

}  // namespace

extern "C" {

int cub_sum_f32(const float* x, std::size_t n, float* y, cudaStream_t on) { return cub_sum(x, n, y, on); }
int cub_sum_f64(const double* x, std::size_t n, double* y, cudaStream_t on) { return cub_sum(x, n, y, on); }
int cub_cumsum_f32(const float* x, std::size_t n, float* y, cudaStream_t on) { return cub_cumsum(x, n, y, on); }
int cub_cumsum_f64(const double* x, std::size_t n, double* y, cudaStream_t on) { return cub_cumsum(x, n, y, on); }
int thrust_sum_f32(const float* x, std::size_t n, float* y, cudaStream_t on) { return thrust_sum(x, n, y, on); }
int thrust_sum_f64(const double* x, std::size_t n, double* y, cudaStream_t on) { return thrust_sum(x, n, y, on); }
int thrust_cumsum_f32(const float* x, std::size_t n, float* y, cudaStream_t on) { return thrust_cumsum(x, n, y, on); }
int thrust_cumsum_f64(const double* x, std::size_t n, double* y, cudaStream_t on) { return thrust_cumsum(x, n, y, on); }

int wrong_cumsum_f32(const float* x, std::size_t n, float* y, cudaStream_t on) {
  const std::size_t blocks = (n + threads - 1) / threads;
  if (blocks == 0) return 0;
  void* memory = nullptr;
  const std::size_t bytes = blocks * sizeof(Told) + sizeof(int);
  cudaMallocAsync(&memory, bytes, on);
  cudaMemsetAsync(memory, 0, bytes, on);
  auto* const told = static_cast<Told*>(memory);
  scan_in_turns<<<blocks, threads, 0, on>>>(x, n, y, told, reinterpret_cast<int*>(told + blocks));
  cudaFreeAsync(memory, on);
  return static_cast<int>(cudaGetLastError());
}
int wrong_matmul_f32(const float* a, const float* b, int m, int n, int k, float* d, cudaStream_t on) {
  constexpr int slice = 64;
  cudaMemsetAsync(d, 0, sizeof(float) * m * n, on);
  product_of_slices<<<dim3((m * n + threads - 1) / threads, (k + slice - 1) / slice), threads, 0, on>>>(a, b, m, n, k,
                                                                                                        slice, d);
  return static_cast<int>(cudaGetLastError());
}
}
