// For which shapes cublasDgemm reads C although β = −0 or +0: A and B hold ones, C holds NaNs, so NaNs in the result
// come from C. One line for each transposition, β and k: how many shapes of m ≤ 40 and n ≤ 72 do, then those with n ≤
// 16, then how many of those with m, n ≥ 2 and n ≥ 17 do not.

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace {

constexpr int most_rows = 40;
constexpr int most_columns = 72;
constexpr int most_inner = 256;

void require(bool succeeded, const char* what) {
  if (succeeded) return;
  fmt::print(stderr, "gemm_reads_c: {} failed\n", what);
  std::exit(5);
}

double* filled(std::size_t size, double value) {
  const std::vector<double> host(size, value);
  double* device = nullptr;
  require(cudaMalloc(&device, size * sizeof(double)) == cudaSuccess, "cudaMalloc");
  require(cudaMemcpy(device, host.data(), size * sizeof(double), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
  return device;
}

/// Calls of cublasDgemm in its default mode, with the smallest possible leading dimensions.
class Scan {
 public:
  bool reads(bool trans_a, bool trans_b, int m, int n, int k, double beta) {
    const double alpha = 1;
    const auto size = static_cast<std::size_t>(m) * static_cast<std::size_t>(n);
    require(cudaMemcpy(c_, nans_, size * sizeof(double), cudaMemcpyDeviceToDevice) == cudaSuccess, "cudaMemcpy");
    const cublasStatus_t status =
        cublasDgemm(handle_, trans_a ? CUBLAS_OP_T : CUBLAS_OP_N, trans_b ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &alpha,
                    ones_, trans_a ? k : m, ones_, trans_b ? n : k, &beta, c_, m);
    require(status == CUBLAS_STATUS_SUCCESS, "cublasDgemm");
    result_.resize(size);
    require(cudaMemcpy(result_.data(), c_, size * sizeof(double), cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
    for (const double each : result_) {
      if (std::isnan(each)) return true;
    }
    return false;
  }
  Scan() { require(cublasCreate(&handle_) == CUBLAS_STATUS_SUCCESS, "cublasCreate"); }

 private:
  cublasHandle_t handle_ = nullptr;
  double* ones_ = filled(most_inner * most_columns, 1);
  double* nans_ = filled(most_rows * most_columns, std::numeric_limits<double>::quiet_NaN());
  double* c_ = filled(most_rows * most_columns, 0);
  std::vector<double> result_{};
};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    fmt::print(stderr, "gemm_reads_c: no device\n");
    return 77;
  }
  Scan scan;
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      for (const double beta : {-0.0, 0.0}) {
        for (const int k : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 128, 256}) {
          int read = 0;
          int of_few_columns = 0;
          int not_of_many = 0;
          for (int m = 1; m <= most_rows; ++m) {
            for (int n = 1; n <= most_columns; ++n) {
              const bool reads = scan.reads(trans_a, trans_b, m, n, k, beta);
              read += reads ? 1 : 0;
              of_few_columns += reads && n <= 16 ? 1 : 0;
              not_of_many += !reads && m >= 2 && n >= 17 ? 1 : 0;
            }
          }
          fmt::print(
              "A{} B{} beta {:>2} k {:>3}: {:>4} shapes read C, {:>3} with n <= 16; {:>4} with m >= 2, n >= 17 do "
              "not\n",
              trans_a ? "^T" : "", trans_b ? "^T" : "", beta, k, read, of_few_columns, not_of_many);
        }
      }
    }
  }
}
