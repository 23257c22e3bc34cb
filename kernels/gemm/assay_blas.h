#ifndef ASSAY_KERNELS_ASSAY_BLAS_H
#define ASSAY_KERNELS_ASSAY_BLAS_H
/* C <- alpha*op(A)*op(B) + beta*C with every entry rounded once, for programs that call cublasDgemm.
 *
 * Functions have the arguments of their namesakes in cuBLAS, in the same order: column-major, alpha and beta behind
 * pointers on the host, operations and status codes with the numbers that cuBLAS gives them. What is computed, special
 * values and zeros: kernels/gemm/gemm.hpp. A call starts after all earlier work of the device, and returns when
 * C is complete. No exception leaves a function. Calls may come from several threads. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where to compute: a handle of assayCreate or assayCreateHost; or any other pointer that is not null, such as a
 * cublasHandle_t, for the CUDA device that is current in the calling thread. Thus a program can pass its cuBLAS handle;
 * Assay does not read through that pointer. */
typedef const void* assayHandle_t;

enum { ASSAY_OP_N = 0, ASSAY_OP_T = 1, ASSAY_OP_C = 2 }; /* C: of real numbers the transpose, too */
typedef int assayOperation_t;

enum {
  ASSAY_STATUS_SUCCESS = 0,
  ASSAY_STATUS_NOT_INITIALIZED = 1,   /* a null handle, no such device */
  ASSAY_STATUS_ALLOC_FAILED = 3,      /* no memory on the host */
  ASSAY_STATUS_INVALID_VALUE = 7,     /* a wrong argument, which assayGetMessage names; nothing was written */
  ASSAY_STATUS_EXECUTION_FAILED = 13, /* an error of the device, its memory included */
  ASSAY_STATUS_INTERNAL_ERROR = 14
};
typedef int assayStatus_t;

/* Makes a handle for a CUDA device, or for the host, whose calls take host pointers. */
assayStatus_t assayCreate(assayHandle_t* handle, int device);
assayStatus_t assayCreateHost(assayHandle_t* handle);
assayStatus_t assayDestroy(assayHandle_t handle);

/* The limit of the workspace, the memory on the device that a call uses in addition to A, B and C; 0: 4 GiB. Requires a
 * handle of assayCreate or assayCreateHost. */
assayStatus_t assaySetWorkspaceLimit(assayHandle_t handle, size_t bytes);

/* What the last failed call of this thread has to say; empty if none failed. Valid until the next call. */
const char* assayGetMessage(void);

assayStatus_t assayDgemm(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int m, int n, int k,
                         const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta,
                         double* C, int ldc);

assayStatus_t assayDgemm_64(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int64_t m,
                            int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* B,
                            int64_t ldb, const double* beta, double* C, int64_t ldc);

assayStatus_t assayDgemmStridedBatched(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int m,
                                       int n, int k, const double* alpha, const double* A, int lda,
                                       long long int strideA, const double* B, int ldb, long long int strideB,
                                       const double* beta, double* C, int ldc, long long int strideC, int batchCount);

assayStatus_t assayDgemmStridedBatched_64(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb,
                                          int64_t m, int64_t n, int64_t k, const double* alpha, const double* A,
                                          int64_t lda, long long int strideA, const double* B, int64_t ldb,
                                          long long int strideB, const double* beta, double* C, int64_t ldc,
                                          long long int strideC, int64_t batchCount);

/* *bytes = the most memory that assayDgemm uses in addition to A, B and C. A batch of several products may choose another
 * algorithm: it uses at most the limit of the workspace. */
assayStatus_t assayDgemmWorkspace(assayHandle_t handle, assayOperation_t transa, assayOperation_t transb, int64_t m,
                                  int64_t n, int64_t k, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
