/* The C interface from C: a program that called cublasDgemm calls assayDgemm. */
#include "kernels/gemm/assay_blas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
  if (!holds) {
    ++failures;
    printf("not so: %s (%s)\n", what, assayGetMessage());
  }
}

static void rounds_once(assayHandle_t handle) {
  /* (1 + 2^-30)(1 - 2^-30) - 1 = -2^-60, which an ordinary product loses; op(A) is the second column's transpose. */
  const double a[4] = {9, 9, 1 + 0x1p-30, -1};
  const double b[2] = {1 - 0x1p-30, 1};
  const double alpha = -2, beta = 0.5;
  double c[2] = {0x1p-60, 77};
  expect(
      assayDgemm(handle, ASSAY_OP_T, ASSAY_OP_N, 1, 1, 2, &alpha, a + 2, 2, b, 2, &beta, c, 1) == ASSAY_STATUS_SUCCESS,
      "a product succeeds");
  expect(c[0] == 0x1.4p-59, "its entry is rounded once");
  expect(c[1] == 77, "nothing else is written");
}

static void takes_a_batch(assayHandle_t handle) {
  const double a[2] = {2, 3};
  const double b[4] = {1, 10, 100, 1000};
  const double alpha = 1, beta = 0;
  double c[4] = {NAN, NAN, NAN, NAN};
  expect(assayDgemmStridedBatched(handle, ASSAY_OP_N, ASSAY_OP_N, 1, 2, 1, &alpha, a, 1, 1, b, 1, 2, &beta, c, 1, 2,
                                  2) == ASSAY_STATUS_SUCCESS,
         "a batch succeeds");
  expect(c[0] == 2 && c[1] == 20 && c[2] == 300 && c[3] == 3000, "every product of a batch is computed");
}

static void tells_errors(assayHandle_t handle) {
  const double one = 1;
  double c = 5;
  size_t bytes = 1;
  expect(assayDgemm(NULL, 0, 0, 1, 1, 1, &one, &one, 1, &one, 1, &one, &c, 1) == ASSAY_STATUS_NOT_INITIALIZED,
         "a null handle is refused");
  expect(assayDgemm(handle, 3, 0, 1, 1, 1, &one, &one, 1, &one, 1, &one, &c, 1) == ASSAY_STATUS_INVALID_VALUE,
         "an unknown operation is refused");
  expect(strstr(assayGetMessage(), "transa") != NULL, "the message names the operation");
  expect(assayDgemm(handle, 0, 0, 1, 1, 1, NULL, &one, 1, &one, 1, &one, &c, 1) == ASSAY_STATUS_INVALID_VALUE,
         "a null alpha is refused");
  expect(assayDgemm(handle, 0, 0, 2, 1, 1, &one, &one, 1, &one, 1, &one, &c, 2) == ASSAY_STATUS_INVALID_VALUE,
         "a leading dimension that is too small is refused");
  expect(strstr(assayGetMessage(), "lda") != NULL, "the message names the leading dimension");
  expect(assayDgemm(handle, 0, 0, -1, 1, 1, &one, &one, 1, &one, 1, &one, &c, 1) == ASSAY_STATUS_INVALID_VALUE,
         "a negative size is refused");
  expect(c == 5, "a refused call writes nothing");
  expect(assayCreateHost(NULL) == ASSAY_STATUS_INVALID_VALUE, "a null pointer for the handle is refused");
  expect(assayCreate(&handle, -1) == ASSAY_STATUS_NOT_INITIALIZED, "a device that does not exist is refused");
  expect(assayDgemmWorkspace(handle, 0, 0, 0, 1, 1, &bytes) == ASSAY_STATUS_SUCCESS && bytes == 0,
         "an empty product needs no memory");
}

int main(void) {
  assayHandle_t handle;
  expect(assayCreateHost(&handle) == ASSAY_STATUS_SUCCESS, "a handle for the host is made");
  expect(assaySetWorkspaceLimit(handle, (size_t)1 << 24) == ASSAY_STATUS_SUCCESS, "the workspace is limited");
  rounds_once(handle);
  takes_a_batch(handle);
  tells_errors(handle);
  expect(assayDestroy(handle) == ASSAY_STATUS_SUCCESS, "a handle is destroyed");
  expect(assayDestroy(handle) == ASSAY_STATUS_NOT_INITIALIZED, "a handle is destroyed once");
  return failures == 0 ? 0 : 1;
}
