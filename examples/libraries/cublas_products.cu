// Matrix products of cuBLAS and cuBLASLt on arrays of a device, one function for each compute type, as functions that
// `assay check --subject` calls. A status that is an error ends the process, which counts as a crash of the case.

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

/// D = A·B of row-major matrices, which is Dᵀ = Bᵀ·Aᵀ of column-major ones.
template <class Scalar>
void product(const Sizes& s, const void* a, cudaDataType_t in, const void* b, void* d, cudaDataType_t out,
             std::size_t width, cublasComputeType_t compute, void* stream) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    require(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  if (s.are_empty()) return;
  const auto on = static_cast<cudaStream_t>(stream);
  if (s.k == 0) {
    cudaMemsetAsync(d, 0, s.batch * s.m * s.n * width, on);
    return;
  }
  require(cublasSetStream(handle, on), "cublasSetStream");
  const Scalar one = 1;
  const Scalar zero = 0;
  const auto integer = [](std::size_t x) { return static_cast<int>(x); };
  const auto stride = [](std::size_t x, std::size_t y) { return static_cast<long long>(x * y); };
  require(
      cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, integer(s.n), integer(s.m), integer(s.k), &one, b,
                                 in, integer(s.n), stride(s.k, s.n), a, in, integer(s.k), stride(s.m, s.k), &zero, d,
                                 out, integer(s.n), stride(s.m, s.n), integer(s.batch), compute, CUBLAS_GEMM_DEFAULT),
      "cublasGemmStridedBatchedEx");
}

__global__ void transpose(const unsigned char* from, unsigned char* to, std::size_t rows, std::size_t columns) {
  const std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (at < rows * columns) to[at % columns * rows + at / columns] = from[at];
}

/// D = A·B of e4m3. cuBLASLt wants the columns of B one behind the other.
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
    constexpr unsigned threads = 256;
    transpose<<<static_cast<unsigned>((s.k * s.n + threads - 1) / threads), threads, 0, on>>>(
        static_cast<const unsigned char*>(b) + p * s.k * s.n, columns, s.k, s.n);
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

/// cuBLAS refuses integers whose sizes are not multiples of 4, and some of those, too: the sizes of the copies of A, B
/// and D are multiples of 16, with zeros behind the given numbers.
void compute_32i(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, const void* a, const void* b, void* d,
                 void* stream) {
  if (Sizes{batch, m, n, k}.are_empty()) return;
  const auto on = static_cast<cudaStream_t>(stream);
  const auto padded = [](std::size_t x) { return (x + 15) / 16 * 16; };
  const Sizes s{1, padded(m), padded(n), padded(k)};
  const std::size_t bytes[] = {s.m * s.k, s.k * s.n, s.m * s.n * sizeof(int)};
  char* copy_of_a = nullptr;
  cudaMallocAsync(&copy_of_a, bytes[0] + bytes[1] + bytes[2], on);
  char* const copy_of_b = copy_of_a + bytes[0];
  char* const copy_of_d = copy_of_b + bytes[1];
  const auto copied = [on](void* to, std::size_t step_to, const void* from, std::size_t step, std::size_t width,
                           std::size_t rows) {
    if (width != 0 && rows != 0) cudaMemcpy2DAsync(to, step_to, from, step, width, rows, cudaMemcpyDeviceToDevice, on);
  };
  for (std::size_t p = 0; p < batch; ++p) {
    cudaMemsetAsync(copy_of_a, 0, bytes[0] + bytes[1], on);
    copied(copy_of_a, s.k, static_cast<const char*>(a) + p * m * k, k, k, m);
    copied(copy_of_b, s.n, static_cast<const char*>(b) + p * k * n, n, n, k);
    product<int>(s, copy_of_a, CUDA_R_8I, copy_of_b, copy_of_d, CUDA_R_32I, sizeof(int), CUBLAS_COMPUTE_32I, stream);
    copied(static_cast<int*>(d) + p * m * n, n * sizeof(int), copy_of_d, s.n * sizeof(int), n * sizeof(int), m);
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
