// Matrix products of cuBLAS and cuBLASLt on arrays of a device, one function for each compute type, as functions that
// `assay check --subject` calls. A status that is an error ends the process, which counts as a crash on the case.

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

void require(bool is_right, const char* what, int status) {
  if (is_right) return;
  std::fprintf(stderr, "%s: status %d\n", what, status);
  std::_Exit(1);
}
void require(cublasStatus_t status, const char* what) { require(status == CUBLAS_STATUS_SUCCESS, what, status); }

struct Sizes {
  std::size_t batch, m, n, k;
  [[nodiscard]] bool are_empty() const { return batch == 0 || m == 0 || n == 0; }
};

/// The columns of a matrix of bytes, `step` apart, at least `rows`.
__global__ void transposed(const unsigned char* from, unsigned char* to, std::size_t rows, std::size_t columns,
                           std::size_t step) {
  const std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (at < rows * columns) to[at % columns * step + at / columns] = from[at];
}
void transpose(const void* from, void* to, std::size_t rows, std::size_t columns, std::size_t step, cudaStream_t on) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((rows * columns + threads - 1) / threads);
  if (blocks != 0)
    transposed<<<blocks, threads, 0, on>>>(static_cast<const unsigned char*>(from), static_cast<unsigned char*>(to),
                                           rows, columns, step);
}

cublasHandle_t handle_of(cudaStream_t on) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    require(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  require(cublasSetStream(handle, on), "cublasSetStream");
  return handle;
}

int integer(std::size_t x) { return static_cast<int>(x); }

/// D = A·B of row-major matrices, which is Dᵀ = Bᵀ·Aᵀ of column-major ones.
template <class Scalar>
void product(const Sizes& s, const void* a, cudaDataType_t in, const void* b, void* d, cudaDataType_t out,
             std::size_t width, cublasComputeType_t compute, void* stream) {
  if (s.are_empty()) return;
  const auto on = static_cast<cudaStream_t>(stream);
  if (s.k == 0) {
    cudaMemsetAsync(d, 0, s.batch * s.m * s.n * width, on);
    return;
  }
  const Scalar one = 1;
  const Scalar zero = 0;
  const auto stride = [](std::size_t x, std::size_t y) { return static_cast<long long>(x * y); };
  require(cublasGemmStridedBatchedEx(handle_of(on), CUBLAS_OP_N, CUBLAS_OP_N, integer(s.n), integer(s.m), integer(s.k),
                                     &one, b, in, integer(s.n), stride(s.k, s.n), a, in, integer(s.k), stride(s.m, s.k),
                                     &zero, d, out, integer(s.n), stride(s.m, s.n), integer(s.batch), compute,
                                     CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx");
}

/// D = A·B of e4m3. cuBLASLt requires the columns of B one after the other.
void product_of_e4m3(const Sizes& s, const void* a, const void* b, void* d, cudaDataType_t out, std::size_t width,
                     bool fast, void* stream) {
  static const cublasLtHandle_t handle = [] {
    cublasLtHandle_t made = nullptr;
    require(cublasLtCreate(&made), "cublasLtCreate");
    return made;
  }();
  if (s.are_empty()) return;
  const auto on = static_cast<cudaStream_t>(stream);
  cudaMemsetAsync(d, 0, s.batch * s.m * s.n * width, on);
  if (s.k == 0) return;
  cublasLtMatmulDesc_t what = nullptr;
  require(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  const cublasOperation_t transposed = CUBLAS_OP_T;
  const signed char fast_accumulation = fast ? 1 : 0;
  cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast_accumulation, sizeof fast_accumulation);
  cublasLtMatrixLayout_t of_a = nullptr;
  cublasLtMatrixLayout_t of_b = nullptr;
  cublasLtMatrixLayout_t of_d = nullptr;
  cublasLtMatrixLayoutCreate(&of_a, CUDA_R_8F_E4M3, s.k, s.m, static_cast<long long>(s.k));
  cublasLtMatrixLayoutCreate(&of_b, CUDA_R_8F_E4M3, s.k, s.n, static_cast<long long>(s.k));
  cublasLtMatrixLayoutCreate(&of_d, out, s.n, s.m, static_cast<long long>(s.n));
  constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  unsigned char* columns = nullptr;
  void* workspace = nullptr;
  cudaMallocAsync(&columns, s.k * s.n, on);
  cudaMallocAsync(&workspace, workspace_bytes, on);
  for (std::size_t p = 0; p < s.batch; ++p) {
    transpose(static_cast<const unsigned char*>(b) + p * s.k * s.n, columns, s.k, s.n, s.k, on);
    void* const result = static_cast<char*>(d) + p * s.m * s.n * width;
    const float one = 1;
    const float zero = 0;
    require(cublasLtMatmul(handle, what, &one, columns, of_b, static_cast<const char*>(a) + p * s.m * s.k, of_a, &zero,
                           result, of_d, result, of_d, nullptr, workspace, workspace_bytes, on),
            "cublasLtMatmul");
  }
  cudaFreeAsync(columns, on);
  cudaFreeAsync(workspace, on);
  cublasLtMatrixLayoutDestroy(of_a);
  cublasLtMatrixLayoutDestroy(of_b);
  cublasLtMatrixLayoutDestroy(of_d);
  cublasLtMatmulDescDestroy(what);
}

}  // namespace

#define PRODUCT(name, scalar, in, out, width, compute)                                                               \
  extern "C" void name(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, \
                       void* d, void* stream) {                                                                      \
    product<scalar>({batch, m, n, k}, a, in, b, d, out, width, compute, stream);                                     \
  }

PRODUCT(compute_64f, double, CUDA_R_64F, CUDA_R_64F, 8, CUBLAS_COMPUTE_64F)
PRODUCT(compute_64f_pedantic, double, CUDA_R_64F, CUDA_R_64F, 8, CUBLAS_COMPUTE_64F_PEDANTIC)
PRODUCT(compute_32f, float, CUDA_R_32F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F)
PRODUCT(compute_32f_pedantic, float, CUDA_R_32F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_PEDANTIC)
PRODUCT(compute_32f_fast_tf32, float, CUDA_R_32F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_FAST_TF32)
PRODUCT(compute_32f_fast_16f, float, CUDA_R_32F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_FAST_16F)
PRODUCT(compute_32f_fast_16bf, float, CUDA_R_32F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F_FAST_16BF)
PRODUCT(compute_32f_of_16f, float, CUDA_R_16F, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F)
PRODUCT(compute_32f_of_16bf, float, CUDA_R_16BF, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F)
PRODUCT(compute_32f_16bf, float, CUDA_R_16BF, CUDA_R_16BF, 2, CUBLAS_COMPUTE_32F)
PRODUCT(compute_32f_16f, float, CUDA_R_16F, CUDA_R_16F, 2, CUBLAS_COMPUTE_32F)

extern "C" {

/// cuBLAS accepts integers only if the sizes are multiples of 4, and all those sizes only if B is transposed: the
/// copies of A, of the columns of B and of D have such sizes, with zeros after the given numbers.
void compute_32i(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, void* d,
                 void* stream) {
  if (Sizes{batch, m, n, k}.are_empty()) return;
  const auto on = static_cast<cudaStream_t>(stream);
  const auto padded = [](std::size_t x) { return (x + 3) / 4 * 4; };
  const Sizes s{1, padded(m), padded(n), padded(k)};
  const auto aligned = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  const std::size_t bytes_of_a = aligned(s.m * s.k);
  const std::size_t bytes_of_b = aligned(s.k * s.n);
  char* copy_of_a = nullptr;
  cudaMallocAsync(&copy_of_a, bytes_of_a + bytes_of_b + s.m * s.n * sizeof(int), on);
  char* const columns = copy_of_a + bytes_of_a;
  char* const copy_of_d = columns + bytes_of_b;
  const int one = 1;
  const int zero = 0;
  for (std::size_t p = 0; p < batch; ++p) {
    cudaMemsetAsync(copy_of_a, 0, bytes_of_a + bytes_of_b + s.m * s.n * sizeof(int), on);
    if (k != 0) {
      cudaMemcpy2DAsync(copy_of_a, s.k, static_cast<const char*>(a) + p * m * k, k, k, m, cudaMemcpyDeviceToDevice, on);
      transpose(static_cast<const char*>(b) + p * k * n, columns, k, n, s.k, on);
      require(cublasGemmEx(handle_of(on), CUBLAS_OP_T, CUBLAS_OP_N, integer(s.n), integer(s.m), integer(s.k), &one,
                           columns, CUDA_R_8I, integer(s.k), copy_of_a, CUDA_R_8I, integer(s.k), &zero, copy_of_d,
                           CUDA_R_32I, integer(s.n), CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
              "cublasGemmEx");
    }
    cudaMemcpy2DAsync(static_cast<int*>(d) + p * m * n, n * sizeof(int), copy_of_d, s.n * sizeof(int), n * sizeof(int),
                      m, cudaMemcpyDeviceToDevice, on);
  }
  cudaFreeAsync(copy_of_a, on);
}

/// The scalars of this compute type are numbers of binary16: 1 and 0 are the patterns 0x3c00 and 0.
void compute_16f(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, void* d,
                 void* stream) {
  struct Half {
    Half(int x) : bits(x == 0 ? 0 : 0x3c00) {}
    unsigned short bits;
  };
  product<Half>({batch, m, n, k}, a, CUDA_R_16F, b, d, CUDA_R_16F, 2, CUBLAS_COMPUTE_16F, stream);
}
void lt_e4m3(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, void* d,
             void* stream) {
  product_of_e4m3({batch, m, n, k}, a, b, d, CUDA_R_32F, 4, false, stream);
}
void lt_e4m3_fast(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, void* d,
                  void* stream) {
  product_of_e4m3({batch, m, n, k}, a, b, d, CUDA_R_32F, 4, true, stream);
}
}
